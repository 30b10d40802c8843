use callboard::tools;

struct Counter(u64);

#[tools]
impl Counter {
    #[tool]
    fn next<'a>(&'a self) -> u64 {
        self.0
    }
}

fn main() {}
