use callboard::router;

#[router]
struct Workload;

fn main() {}
