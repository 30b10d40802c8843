use callboard::tool;

#[tool(name = "../x")]
async fn read(path: String) -> String {
    path
}

fn main() {}
