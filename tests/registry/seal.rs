//! Sealing checks everything, and gives back what it refuses.

use callboard::{CapabilityRegistry, ComponentKind, SealProblem, State, tool};

use super::model;
use crate::common::ctx;

struct Database(u8);
struct Cache;

mod stateful {
    use super::*;

    #[tool(tags("stateful"))]
    pub(super) async fn query(
        #[inject] db: State<'_, Database>,
        #[inject] _cache: State<'_, Cache>,
    ) -> u8 {
        db.0.0
    }
}

use stateful::{Query, QueryArgs};

#[test]
fn every_problem_is_told_at_once_and_the_builder_comes_back() {
    let mut reg = CapabilityRegistry::new();
    reg.register_tool::<Query>()
        .and_then(|reg| reg.register_model("m", model("m")))
        .and_then(|reg| reg.alias(ComponentKind::Model, "n", "m"))
        .expect("the names are free");
    reg.remove(ComponentKind::Model, "m");
    reg.provide(1_u8).provide(2_u8).provide(3_u8);
    let before = reg.snapshot();
    let error = reg.seal().expect_err("four things are wrong");
    let text = error.to_string();
    assert_eq!(error.problems.len(), 4, "{text}");
    assert_eq!(text.lines().count(), 5, "{text}");
    assert!(
        matches!(
            error.problems[0],
            SealProblem::ProvidedTwice { type_name: "u8" }
        ),
        "{text}"
    );
    for words in ["Database", "Cache", "`provide`", "the alias `n`", "`u8`"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let mut reg = error.into_builder();
    assert_eq!(reg.snapshot(), before);
    reg.remove(ComponentKind::Model, "n");
    reg.provide(Database(1)).provide(Cache);
    let error = reg.seal().expect_err("a `u8` is there twice");
    assert_eq!(error.problems.len(), 1, "{error}");
    let mut reg = error.into_builder();
    reg.replace_provided(4_u8);
    assert!(reg.seal().is_ok());
}

#[tokio::test]
async fn a_new_version_may_have_new_state() {
    let mut reg = CapabilityRegistry::new();
    reg.provide(Database(1)).provide(Cache);
    reg.register_tool::<Query>().expect("the name is free");
    let old = reg.seal().expect("all is there");
    let mut reg = old.to_builder();
    reg.replace_provided(Database(2));
    let new = reg.seal().expect("one of each type");
    for (registry, seen) in [(&old, 1), (&new, 2)] {
        let answer = registry.call::<Query>(QueryArgs {}, &ctx()).await;
        assert_eq!(answer.expect("all is there"), seen);
    }
    let mut twice = old.to_builder();
    twice.provide(Database(3));
    assert!(twice.seal().is_err());
}

#[test]
fn a_sealed_registry_and_its_clone_are_one() {
    let registry = CapabilityRegistry::new().seal().expect("it is empty");
    assert_eq!(registry.version(), 1);
    assert!(registry.is_empty() && registry.definitions().is_empty());
    let clone = registry.clone();
    assert_eq!(clone.snapshot(), registry.snapshot());
    fn crosses_threads<T: Send + Sync + 'static>(_: &T) {}
    crosses_threads(&registry);
}
