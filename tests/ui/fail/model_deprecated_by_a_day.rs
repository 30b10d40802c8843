use callboard::model;


#[model(catalog = "gemini/gemini-3.1-flash-lite", deny_deprecated = "2027-05-06")]
struct NotYet;

#[model(catalog = "gemini/gemini-3.1-flash-lite", name = "flash", deny_deprecated = "2027-05-07")]
struct Then;

fn main() {}
