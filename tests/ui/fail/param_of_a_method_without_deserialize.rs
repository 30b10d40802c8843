use callboard::tools;

struct Customer;

struct Orders;

#[tools]
impl Orders {
    #[tool]
    async fn find(&self, customer: Customer) {
        let _ = customer;
    }
}

fn main() {}
