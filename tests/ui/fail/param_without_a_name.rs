use callboard::tool;

#[tool]
async fn ping(_: String) {}

fn main() {}
