use callboard::schemars::JsonSchema;
use callboard::serde::{Deserialize, Serialize};
use callboard::{tool, tools};

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(crate = "callboard::serde")]
#[schemars(crate = "callboard::schemars")]
struct OrderArgs {
    customer: String,
}

#[tool]
async fn order(args: Option<OrderArgs>) -> bool {
    args.is_some()
}

struct Clock;

#[tools]
impl Clock {
    #[tool]
    async fn clock(&self) -> u64 {
        0
    }
}

mod shapes {
    pub struct Area;
}

// The name of another module's type is no matter.
#[tool]
async fn area(#[inject] area: callboard::State<'_, shapes::Area>) -> u8 {
    let _ = area;
    0
}

fn main() {}
