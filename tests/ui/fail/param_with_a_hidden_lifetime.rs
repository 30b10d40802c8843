use callboard::tool;

#[derive(callboard::serde::Deserialize, callboard::schemars::JsonSchema)]
#[serde(crate = "callboard::serde")]
#[schemars(crate = "callboard::schemars")]
struct Name<'a>(std::borrow::Cow<'a, str>);

#[tool]
async fn greet(name: Name) -> String {
    format!("hello {}", name.0)
}

fn main() {}
