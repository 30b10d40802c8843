use callboard::tool;

#[tool]
fn ping() -> impl std::future::Future<Output = u32> {
    async { 1 }
}

fn main() {}
