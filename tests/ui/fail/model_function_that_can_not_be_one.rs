use callboard::{ChatModel, model};

fn client() -> std::sync::Arc<dyn ChatModel> {
    loop {}
}

#[model(provider = "acme")]
async fn waits() -> impl ChatModel {
    client()
}

#[model(provider = "acme")]
fn generic<T>() -> impl ChatModel {
    client()
}

#[model(provider = "acme")]
fn asked(temperature: f64) -> impl ChatModel {
    client()
}

#[model(provider = "acme")]
fn silent() {}

#[model(provider = "acme")]
unsafe fn risky() -> impl ChatModel {
    client()
}

fn main() {}
