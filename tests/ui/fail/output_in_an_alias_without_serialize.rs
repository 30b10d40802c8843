use callboard::tool;

struct Order;

type Fallible<T> = Result<T, String>;

#[tool]
async fn find_order(id: u64) -> Fallible<Order> {
    Err(format!("no order {id}"))
}

fn main() {}
