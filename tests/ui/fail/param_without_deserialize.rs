use callboard::tool;

#[derive(callboard::schemars::JsonSchema)]
#[schemars(crate = "callboard::schemars")]
struct Customer {
    id: String,
}

#[tool]
async fn find_orders(customer: Customer, limit: u32) -> Vec<String> {
    vec![customer.id; limit as usize]
}

fn main() {}
