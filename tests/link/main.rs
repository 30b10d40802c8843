//! What can only be seen from outside: whether programs link, and what whole programs collect.
//!
//! Each test writes small crates below the target directory and builds them with cargo.

mod programs;
mod project;

mod dependents;
mod duplicates;
mod membership;
mod unique;
