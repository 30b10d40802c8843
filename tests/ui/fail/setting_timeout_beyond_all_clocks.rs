use callboard::tool;

#[tool(timeout = "18446744073709551615h")]
async fn list() -> Vec<String> {
    Vec::new()
}

fn main() {}
