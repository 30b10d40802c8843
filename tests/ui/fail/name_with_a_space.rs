use callboard::tool;

#[tool(name = "find orders")]
async fn find_orders(customer: String) -> Vec<String> {
    vec![customer]
}

fn main() {}
