use callboard::{FromToolCall, ToolCall};

struct Tenant;

impl<'a> FromToolCall<'a> for Tenant {
    type Rejection = std::num::ParseIntError;

    fn from_tool_call(_call: &ToolCall<'a>) -> Result<Self, Self::Rejection> {
        "x".parse::<u8>().map(|_| Self)
    }
}

fn main() {}
