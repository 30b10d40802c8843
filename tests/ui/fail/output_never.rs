use callboard::tool;

#[tool]
async fn stop() -> ! {
    loop {}
}

fn main() {}
