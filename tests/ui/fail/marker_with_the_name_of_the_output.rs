use callboard::serde::Serialize;
use callboard::tool;

#[derive(Serialize)]
#[serde(crate = "callboard::serde")]
struct Weather {
    celsius: f64,
}

#[tool]
async fn weather(city: String) -> Result<Vec<Weather>, String> {
    Err(city)
}

fn main() {}
