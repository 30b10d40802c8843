use callboard::tool;

#[tool]
async fn sum<const N: usize>(items: [i64; N]) -> i64 {
    items.iter().sum()
}

fn main() {}
