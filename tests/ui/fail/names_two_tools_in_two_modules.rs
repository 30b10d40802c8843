mod whole {
    #[callboard::tool]
    pub async fn add(left: i64, right: i64) -> i64 {
        left + right
    }
}

mod real {
    #[callboard::tool]
    pub async fn add(left: f64, right: f64) -> f64 {
        left + right
    }
}

fn main() {}
