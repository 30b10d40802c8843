use callboard::tool;

enum OrderError {
    Unknown,
}

#[tool]
async fn find_order(id: u64) -> Result<u64, OrderError> {
    if id == 0 {
        Err(OrderError::Unknown)
    } else {
        Ok(id)
    }
}

fn main() {}
