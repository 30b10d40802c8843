use std::cell::Cell;

use callboard::{State, tool};

#[tool]
async fn count(#[inject] State(counter): State<'_, Cell<u64>>) -> u64 {
    counter.get()
}

fn main() {}
