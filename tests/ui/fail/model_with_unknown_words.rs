use callboard::model;


#[model(
    provider = "acme",
    supports(tool_calling, visoin, tool_calling),
    prices(input = 150_000, outputs = 600_000, cache_read = -1)
)]
struct House;

fn main() {}
