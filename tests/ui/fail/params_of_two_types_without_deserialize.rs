use callboard::tool;

struct Customer;
struct Product;

#[tool]
async fn order(customer: Customer, product: Product) {
    let _ = (customer, product);
}

fn main() {}
