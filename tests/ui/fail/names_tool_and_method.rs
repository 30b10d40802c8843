use callboard::{tool, tools};

#[tool]
async fn add(left: i64, right: i64) -> i64 {
    left + right
}

mod calculator {
    pub struct Calculator;

    #[super::tools]
    impl Calculator {
        #[tool]
        pub async fn add(&self, left: i64, right: i64) -> i64 {
            left + right
        }
    }
}

fn main() {}
