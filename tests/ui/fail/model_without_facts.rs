use callboard::model;


#[model]
struct House;

#[model(context = 32_000)]
struct Hut;

fn main() {}
