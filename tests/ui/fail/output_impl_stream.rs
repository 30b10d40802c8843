use callboard::tool;

trait Stream {
    type Item;
}

struct Lines;

impl Stream for Lines {
    type Item = String;
}

#[tool]
fn tail() -> impl Stream<Item = String> {
    Lines
}

fn main() {}
