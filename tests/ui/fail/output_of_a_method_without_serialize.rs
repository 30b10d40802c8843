use callboard::tools;

struct Orders;

#[tools]
impl Orders {
    #[tool]
    async fn itself() -> Self {
        Orders
    }
}

fn main() {}
