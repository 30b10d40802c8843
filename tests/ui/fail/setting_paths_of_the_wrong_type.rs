use callboard::tool;

#[tool(marker = "ListFiles", crate = "callboard")]
async fn list() -> Vec<String> {
    Vec::new()
}

fn main() {}
