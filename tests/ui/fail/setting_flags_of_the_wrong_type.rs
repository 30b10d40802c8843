use callboard::tool;

#[tool(
    read_only = "yes",
    destructive = 1,
    idempotent("yes"),
    open_world = no,
    requires_approval = "always",
    allow_unknown_fields = "true",
    coerce_strings(numbers),
    blocking = 0
)]
fn list() -> Vec<String> {
    Vec::new()
}

fn main() {}
