//! What `#[tool]` makes of a function, as seen at run time.

#[path = "../common/mod.rs"]
mod common;

mod arguments;
mod blocking;
mod docs;
mod inject;
mod methods;
mod returns;
mod schemas;
mod settings;
