use callboard::tool;

struct Customer;

#[tool]
async fn count(customers: Vec<Customer>) -> usize {
    customers.len()
}

fn main() {}
