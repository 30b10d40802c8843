use std::cell::Cell;

use callboard::tools;

struct Counter(Cell<u64>);

#[tools]
impl Counter {
    #[tool]
    fn next(&self) -> u64 {
        self.0.replace(self.0.get() + 1)
    }
}

fn main() {}
