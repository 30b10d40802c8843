use callboard::router;

#[router]
enum Workload {}

#[router]
enum Generic<const N: usize> {
    #[route(model = Gpt4o)]
    One,
}

fn main() {}
