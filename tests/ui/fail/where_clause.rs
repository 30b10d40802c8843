use callboard::tool;

#[tool]
async fn shout(text: String) -> String
where
    String: Clone,
{
    text.to_uppercase()
}

fn main() {}
