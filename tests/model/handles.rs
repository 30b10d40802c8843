use callboard::{
    CapabilityRegistry, ChatModel, ComponentKind, Model, RegistryError, SealProblem, State, model,
};

use super::{Claude, Client, Endpoint, House, PickyModel};

fn collected() -> CapabilityRegistry {
    CapabilityRegistry::collect_where(|declared| {
        declared.kind() == ComponentKind::Model
            && !declared.has_tag("broken")
            && !declared.has_tag("catalog")
    })
    .unwrap()
}

fn client(id: &str) -> Client {
    Client { id: id.to_owned() }
}

#[test]
fn functions_make_their_handles_when_the_registry_is_sealed() {
    let mut reg = collected();
    reg.provide(Endpoint("home"));
    assert!(reg.model_of::<Claude>().is_none());
    let registry = reg.seal().unwrap();
    let claude = registry.model_of::<Claude>().unwrap();
    assert_eq!(claude.model_id(), "claude at home");
    assert_eq!(
        registry.model("claude-sonnet-4-5").unwrap().model_id(),
        "claude at home"
    );
    assert_eq!(
        registry.model_of::<PickyModel>().unwrap().model_id(),
        "picky"
    );
    // A struct has facts and no handle.
    assert!(registry.model_of::<House>().is_none());
    assert_eq!(registry.model_entry("house-large"), Some(House::ENTRY));
    let names: Vec<_> = registry
        .to_model_registry()
        .iter()
        .map(|(name, _)| name.to_owned())
        .collect();
    assert_eq!(names, ["claude-sonnet-4-5", "picky"]);
}

#[test]
fn the_words_of_a_model_are_in_its_metadata() {
    let reg = collected();
    let metadata = reg.metadata(ComponentKind::Model, "house-large").unwrap();
    assert_eq!(metadata.description, "For everyday work.");
    assert_eq!(metadata.tags, ["default", "vision"]);
}

#[test]
fn a_handle_that_is_bound_goes_before_the_function() {
    let mut reg = collected();
    reg.bind_model::<Claude>(client("mine")).unwrap();
    reg.bind_model::<PickyModel>(client("mine too")).unwrap();
    reg.bind_model::<House>(client("four")).unwrap();
    // Nothing is left to make, so nothing has to be provided.
    let registry = reg.seal().unwrap();
    assert_eq!(registry.model_of::<Claude>().unwrap().model_id(), "mine");
    assert_eq!(registry.model("house-large").unwrap().model_id(), "four");
}

#[test]
fn a_model_that_is_not_registered_can_not_be_bound() {
    let mut reg = CapabilityRegistry::new();
    let error = reg.bind_model::<House>(client("four")).unwrap_err();
    assert!(matches!(error, RegistryError::Unknown { .. }), "{error}");
    // A handle under the same name is another model.
    reg.register_model("house-large", std::sync::Arc::new(client("four")))
        .unwrap();
    assert!(reg.bind_model::<House>(client("other")).is_err());
    assert!(reg.model_of::<House>().is_none());
    assert_eq!(reg.model("house-large").unwrap().model_id(), "four");
}

#[test]
fn what_a_function_injects_must_have_been_provided() {
    let error = collected().seal().unwrap_err();
    let endpoint = std::any::type_name::<Endpoint>();
    let missing: Vec<_> = error
        .problems
        .iter()
        .map(|problem| match problem {
            SealProblem::MissingState {
                kind: ComponentKind::Model,
                name,
                type_name,
                ..
            } => (name.as_str(), *type_name),
            other => panic!("{other}"),
        })
        .collect();
    assert_eq!(
        missing,
        [("claude-sonnet-4-5", endpoint), ("picky", endpoint)]
    );
    // The registry comes back whole.
    let mut reg = error.into_builder();
    reg.provide(Endpoint("home"));
    reg.seal().unwrap();
}

#[test]
fn a_function_that_fails_is_a_problem_of_sealing() {
    let mut reg = collected();
    reg.provide(Endpoint(""));
    let error = reg.seal().unwrap_err();
    assert_eq!(error.problems.len(), 1);
    let text = error.to_string();
    assert!(text.contains("the model `picky` (declared at"), "{text}");
    assert!(text.contains("there is no endpoint"), "{text}");
}

#[model(provider = "acme", tags("broken"))]
fn hasty() -> Client {
    panic!("not today")
}

#[test]
fn a_function_that_panics_is_a_problem_of_sealing() {
    let mut reg = CapabilityRegistry::new();
    reg.register_model_of::<Hasty>().unwrap();
    let error = reg.seal().unwrap_err();
    let text = error.to_string();
    assert!(text.contains("`hasty` panicked: not today"), "{text}");
}

#[test]
fn facts_can_be_given_to_a_model_that_came_with_a_handle() {
    let mut reg = CapabilityRegistry::new();
    reg.register_model("local", std::sync::Arc::new(client("local")))
        .unwrap();
    assert_eq!(reg.model_entry("local"), None);
    reg.set_model_entry("local", House::ENTRY.clone()).unwrap();
    reg.alias(ComponentKind::Model, "near", "local").unwrap();
    assert_eq!(reg.model_entry("near"), Some(House::ENTRY));
    let error = reg
        .set_model_entry("lokal", House::ENTRY.clone())
        .unwrap_err();
    assert!(
        error.to_string().contains("did you mean `local`?"),
        "{error}"
    );
}

#[test]
fn a_handle_that_replaces_another_keeps_the_facts() {
    let mut reg = CapabilityRegistry::new();
    reg.register_model_of::<House>().unwrap();
    reg.replace_model("house-large", std::sync::Arc::new(client("double")))
        .unwrap();
    assert_eq!(reg.model_entry("house-large"), Some(House::ENTRY));
    assert_eq!(reg.model_of::<House>().unwrap().model_id(), "double");
}

#[test]
fn a_model_can_be_facts_alone() {
    let mut reg = CapabilityRegistry::new();
    reg.register_model_entry("house", House::ENTRY.clone())
        .unwrap();
    let again = reg.register_model_entry("house", House::ENTRY.clone());
    assert!(matches!(again, Err(RegistryError::Taken { .. })));
    let registry = reg.seal().unwrap();
    assert_eq!(registry.model_entry("house"), Some(House::ENTRY));
    assert!(registry.model("house").is_none());
    assert!(registry.to_model_registry().is_empty());
}

#[test]
fn a_name_that_is_taken_is_refused() {
    let mut reg = CapabilityRegistry::new();
    reg.register_model_of::<House>().unwrap();
    assert!(matches!(
        reg.register_model_of::<House>().unwrap_err(),
        RegistryError::Taken { .. }
    ));
}

/// The function stays callable as it is.
#[test]
fn the_function_can_be_called() {
    let endpoint = Endpoint("here");
    assert_eq!(super::claude(State(&endpoint)).model_id(), "claude at here");
}
