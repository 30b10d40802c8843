use callboard::tool;

struct Order {
    id: u64,
}

#[tool]
async fn find_order(id: u64) -> Order {
    Order { id }
}

fn main() {
    let _ = Order { id: 1 }.id;
}
