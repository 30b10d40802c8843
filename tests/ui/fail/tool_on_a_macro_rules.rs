use callboard::tool;

#[tool]
macro_rules! add {
    ($left:expr, $right:expr) => {
        $left + $right
    };
}

fn main() {}
