use callboard::tool;

struct Order;

#[tool]
async fn find_order(id: u64) -> Result<Order, String> {
    Err(format!("no order {id}"))
}

fn main() {}
