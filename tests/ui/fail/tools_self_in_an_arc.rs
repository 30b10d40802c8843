use std::sync::Arc;

use callboard::tools;

struct Counter(u64);

#[tools]
impl Counter {
    #[tool]
    fn next(self: Arc<Self>) -> u64 {
        self.0
    }
}

fn main() {}
