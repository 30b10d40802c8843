use callboard::tool;

#[derive(callboard::serde::Deserialize)]
#[serde(crate = "callboard::serde")]
struct Customer {
    id: String,
}

#[tool]
async fn find_orders(customer: Customer, limit: u32) -> Vec<String> {
    vec![customer.id; limit as usize]
}

fn main() {}
