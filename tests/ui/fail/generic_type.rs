use callboard::tool;

#[tool]
async fn first<T: Clone>(items: Vec<T>) -> Option<T> {
    items.first().cloned()
}

fn main() {}
