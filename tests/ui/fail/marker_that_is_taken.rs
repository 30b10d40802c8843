use callboard::tool;

struct FindOrders;

#[tool]
async fn find_orders(customer: String) -> Vec<String> {
    vec![customer]
}

fn main() {
    let _ = FindOrders;
}
