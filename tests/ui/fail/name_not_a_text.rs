use callboard::tool;

#[tool(name = find_orders)]
async fn find(customer: String) -> Vec<String> {
    vec![customer]
}

fn main() {}
