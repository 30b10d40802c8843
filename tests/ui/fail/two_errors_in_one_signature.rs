use callboard::tool;

#[tool]
async fn shout(text: &str, (times, loud): (u32, bool)) -> String {
    text.repeat(times as usize + usize::from(loud))
}

fn main() {}
