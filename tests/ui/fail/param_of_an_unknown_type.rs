use callboard::tool;

#[tool]
async fn find_orders(customer: Custommer) -> u32 {
    let _ = customer;
    0
}

fn main() {}
