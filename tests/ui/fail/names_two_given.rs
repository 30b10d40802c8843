use callboard::tool;

#[tool(name = "orders.find")]
async fn find_orders(customer: String) -> Vec<String> {
    vec![customer]
}

#[tool(name = "orders.find")]
async fn search_orders(text: String) -> Vec<String> {
    vec![text]
}

fn main() {}
