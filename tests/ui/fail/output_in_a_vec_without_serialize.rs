use callboard::tool;

struct Order;

#[tool]
async fn find_orders() -> Vec<Order> {
    Vec::new()
}

fn main() {}
