use callboard::model;


#[model(provider = "acme")]
fn house() -> String {
    String::new()
}

#[model(provider = "acme")]
fn hut() -> Result<u8, String> {
    Ok(1)
}

fn main() {}
