//! What stands beside a tool has names of its own, and hides none of the user's.

#[path = "../common.rs"]
mod common;

use callboard::{State, tool};

mod guard {
    pub(crate) type Id = i64;

    #[derive(Debug)]
    pub(crate) struct Policy;
}

const ELEMENT: usize = 2;
const DESCRIPTOR: usize = 3;

#[tool]
fn guarded(#[inject] State(_policy): State<'_, guard::Policy>, id: guard::Id) -> guard::Id {
    id
}

#[tool]
fn paired(pair: [u8; ELEMENT]) -> [u8; DESCRIPTOR] {
    [pair[0], pair[1], 0]
}

/// Gives every type the methods by which `Debug` is written.
trait Field {
    fn field(&self) -> u8 {
        1
    }

    fn finish(&self) -> u8 {
        2
    }

    fn debug_struct(&self, _name: u8) -> u8 {
        3
    }
}

impl<T: ?Sized> Field for T {}

#[tool]
fn shown(field: u8) -> u8 {
    field.field() + field.finish() + field.debug_struct(0)
}

fn main() {
    let mut reg = common::collect();
    reg.provide(guard::Policy);
    let registry = reg.seal().expect("nothing is missing");
    assert_eq!(common::dispatch(&registry, "guarded", r#"{"id":7}"#), "7");
    assert_eq!(common::dispatch(&registry, "paired", r#"{"pair":[1,2]}"#), "[1,2,0]");
    assert_eq!(common::dispatch(&registry, "shown", r#"{"field":1}"#), "6");
    assert_eq!(format!("{:?}", ShownArgs { field: 1 }), "ShownArgs { field: 1 }");
}
