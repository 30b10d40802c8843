//! What a model is told, and what it isn't.

use callboard::{
    AllowList, Authorizer, CapabilityRegistry, Decision, DispatchError, Registry, RegistryEntry,
    ToolCallContext, ToolFailure, tool,
};

use crate::common::{ctx, only};

#[tool]
async fn secret_name() {}

#[tool]
async fn crashes() {
    panic!("password=hunter2 at /home/ada")
}

#[tool]
async fn fails_politely() -> Result<(), ToolFailure> {
    Err(ToolFailure::new("try another day").with_source("password=hunter2"))
}

#[tool(requires_approval)]
async fn careful(password: String) -> usize {
    password.len()
}

fn ruled(authorizer: impl Authorizer) -> Registry {
    let mut reg = CapabilityRegistry::new();
    reg.register_tool::<SecretName>().expect("the name is free");
    reg.set_authorizer(authorizer);
    reg.seal().expect("it seals")
}

async fn refused(registry: &Registry, name: &str, arguments: &str) -> DispatchError {
    registry
        .dispatch(name, arguments, &ctx())
        .await
        .expect_err("it is refused")
}

#[tokio::test]
async fn a_denied_tool_and_one_that_is_not_there_read_alike() {
    let registry = ruled(|_: &RegistryEntry, _: &ToolCallContext| Decision::deny("hunter2"));
    let denied = refused(&registry, "secret_name", "{}").await;
    assert!(matches!(denied, DispatchError::Denied { .. }));
    let unknown = refused(&registry, "secret_namf", "{}").await;
    assert!(
        matches!(&unknown, DispatchError::UnknownTool { closest, .. } if closest == &["secret_name"])
    );
    assert_eq!(
        denied.for_model(),
        "The tool `secret_name` is not available."
    );
    assert_eq!(
        unknown.for_model().replace("secret_namf", "secret_name"),
        denied.for_model()
    );
}

#[tokio::test]
async fn a_name_that_a_model_made_up_comes_back_short_and_clean() {
    let registry = only::<SecretName>();
    let name = format!("\u{1b}[31m{}\n", "x".repeat(1 << 20));
    let error = refused(&registry, &name, "").await;
    let told = error.for_model();
    assert!(told.len() < 100, "{}", told.len());
    assert!(!told.contains(char::is_control), "{told:?}");
}

#[tokio::test]
async fn a_panic_is_told_without_its_message() {
    let error = refused(&only::<Crashes>(), "crashes", "").await;
    assert!(error.to_string().contains("hunter2"));
    assert_eq!(error.for_model(), "The tool failed with an internal error.");
}

#[tokio::test]
async fn a_failure_is_told_without_its_source() {
    let error = refused(&only::<FailsPolitely>(), "fails_politely", "").await;
    assert_eq!(error.for_model(), "try another day");
}

#[tokio::test]
async fn an_approval_is_asked_for_without_its_id_or_arguments() {
    let error = refused(&only::<Careful>(), "careful", r#"{"password":"hunter2"}"#).await;
    let DispatchError::ApprovalRequired(request) = &error else {
        panic!("{error:?}");
    };
    let told = error.for_model();
    assert_eq!(
        told,
        "The call of `careful` needs an approval, and was not made."
    );
    assert!(!told.contains(&request.id().to_string()));
}

#[tokio::test]
async fn the_reason_of_a_refusal_stays_with_the_host() {
    let mut reg = only::<Careful>().to_builder();
    reg.set_approver(|_: &callboard::ApprovalRequest| callboard::ApprovalDecision::deny("hunter2"));
    let registry = reg.seal().expect("it seals");
    let error = refused(&registry, "careful", r#"{"password":"x"}"#).await;
    assert!(
        error.to_string().ends_with("was not approved: hunter2"),
        "{error}"
    );
    assert_eq!(
        error.for_model(),
        "The call of `careful` was not approved, and was not made."
    );
    let denied = refused(&ruled(AllowList::default()), "secret_name", "").await;
    assert!(!denied.for_model().contains("allow-list"));
}
