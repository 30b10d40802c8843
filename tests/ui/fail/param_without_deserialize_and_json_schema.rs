use callboard::tool;

struct Customer {
    id: String,
}

#[tool]
async fn find_orders(customer: Customer, limit: u32) -> Vec<String> {
    vec![customer.id; limit as usize]
}

fn main() {}
