use callboard::tools;

struct Cache<T>(Vec<T>);

#[tools]
impl<T: Clone> Cache<T> {
    #[tool]
    fn len(&self) -> usize {
        self.0.len()
    }
}

fn main() {}
