//! What the compiler says of code that can't work, and code that has to.
//!
//! `README.md` tells how to add a fixture.

#[test]
fn code_that_cant_work_is_refused_with_these_words() {
    trybuild::TestCases::new().compile_fail("fail/*.rs");
}

// Apart from the others: one `pass` among them, and trybuild builds them all.
#[test]
fn code_that_must_work_builds_and_runs() {
    trybuild::TestCases::new().pass("pass/*.rs");
}
