use callboard::model;


#[model(provider = "acme")]
enum House {
    Small,
}

fn main() {}
