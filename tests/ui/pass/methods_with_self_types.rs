#[path = "../common.rs"]
mod common;

use callboard::{schemars, serde, tools};

#[derive(Clone, Debug, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(crate = "callboard::serde")]
#[schemars(crate = "callboard::schemars")]
struct Point {
    x: i64,
}

#[tools]
impl Point {
    const ORIGIN: Self = Self { x: 0 };

    /// `Self` in, `Self` out.
    #[tool]
    async fn plus(&self, other: Self, more: Vec<Self>) -> Self {
        Self {
            x: self.x + other.x + more.iter().map(|point| point.x).sum::<i64>(),
        }
    }

    #[tool]
    fn checked(#[args] point: Self) -> Result<Option<Self>, String> {
        (point.x > Self::ORIGIN.x)
            .then(|| Some(point))
            .ok_or_else(|| "not above 0".to_owned())
    }

    #[tool(blocking)]
    fn doubled(&self) -> Self {
        self.helper()
    }

    fn helper(&self) -> Self {
        Self { x: self.x * 2 }
    }
}

struct Cache<T>(T);

#[tools]
impl Cache<String>
where
    String: Clone,
{
    #[tool]
    fn cached(&self) -> String {
        self.0.clone()
    }
}

fn main() {
    let mut builder = common::collect();
    builder.provide(Point { x: 1 });
    builder.provide(Cache("kept".to_owned()));
    let registry = builder.seal().expect("nothing is missing");
    let dispatch = |name, arguments| common::dispatch(&registry, name, arguments);
    assert_eq!(
        dispatch("plus", r#"{"other":{"x":2},"more":[{"x":3}]}"#),
        r#"{"x":6}"#
    );
    assert_eq!(dispatch("checked", r#"{"x":2}"#), r#"{"x":2}"#);
    assert_eq!(dispatch("doubled", "{}"), r#"{"x":2}"#);
    assert_eq!(dispatch("cached", ""), r#""kept""#);
}
