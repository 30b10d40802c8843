use callboard::tools;

struct Counter(u64);

#[tools]
impl Counter {
    #[tool]
    fn next(&mut self) -> u64 {
        self.0 += 1;
        self.0
    }
}

fn main() {}
