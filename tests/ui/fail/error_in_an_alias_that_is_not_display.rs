use callboard::tool;

struct OrderError;

type Fallible<T> = Result<T, OrderError>;

#[tool]
async fn find_order(id: u64) -> Fallible<u64> {
    Ok(id)
}

fn main() {}
