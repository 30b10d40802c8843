//! Consent to one call: these arguments, this version, once, in time.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use callboard::schemars::JsonSchema;
use callboard::serde::{Deserialize, Serialize};
use callboard::{
    Approval, ApprovalDecision, ApprovalError, ApprovalRequest, Approvals, Approver, BoxFuture,
    CallError, CancellationToken, CapabilityRegistry, DispatchError, Registry, RegistryError, Risk,
    ToolCallContext, tool,
};

use crate::common::{ctx, poll_once, sealed};

#[tool(requires_approval, risk = "high")]
async fn transfer(to: String, cents: u64, #[serde(default)] note: Option<String>) -> String {
    format!("{cents} to {to} {}", note.unwrap_or_default())
}

#[tool(requires_approval)]
async fn hiding(to: String, #[serde(skip_serializing)] cents: u64) -> String {
    format!("{cents} to {to}")
}

#[tool(requires_approval)]
async fn erase(path: String) -> String {
    path
}

#[tool(risk = "low")]
async fn low() -> u8 {
    1
}

#[tool]
async fn medium() -> u8 {
    2
}

#[tool(risk = "high")]
async fn high() -> u8 {
    3
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Written {
    n: u8,
}

#[derive(Deserialize, JsonSchema)]
struct Unwritten {
    n: u8,
}

#[tool(requires_approval)]
async fn with_written(#[args] args: Written) -> u8 {
    args.n
}

#[tool(requires_approval)]
async fn with_unwritten(#[args] args: Unwritten) -> u8 {
    args.n
}

const TO_ADA: &str = r#"{"to":"ada","cents":500}"#;

fn to_ada() -> TransferArgs {
    TransferArgs {
        to: "ada".to_owned(),
        cents: 500,
        note: None,
    }
}

fn fill(reg: &mut CapabilityRegistry) -> Result<(), RegistryError> {
    reg.register_tool::<Transfer>()?
        .register_tool::<Hiding>()?
        .register_tool::<Erase>()?
        .register_tool::<Low>()?
        .register_tool::<Medium>()?
        .register_tool::<High>()?
        .register_tool::<WithWritten>()?
        .register_tool::<WithUnwritten>()?;
    Ok(())
}

fn registry() -> Registry {
    sealed(fill)
}

fn with(change: impl FnOnce(&mut CapabilityRegistry)) -> Registry {
    let mut reg = registry().to_builder();
    change(&mut reg);
    reg.seal().expect("it seals")
}

/// Asks for a call, and takes the request for an approval that it must give.
async fn requested(registry: &Registry, name: &str, arguments: &str) -> ApprovalRequest {
    match registry.dispatch(name, arguments, &ctx()).await {
        Err(DispatchError::ApprovalRequired(request)) => *request,
        other => panic!("no request: {other:?}"),
    }
}

/// An approval for [`TO_ADA`].
async fn granted(registry: &Registry) -> Approval {
    let request = requested(registry, "transfer", TO_ADA).await;
    registry
        .approvals()
        .grant(&request)
        .expect("it waits for one")
}

async fn transferred(
    registry: &Registry,
    arguments: &str,
    approval: &Approval,
) -> Result<String, DispatchError> {
    let ctx = ctx().with_approval(approval.clone());
    let output = registry.dispatch("transfer", arguments, &ctx).await?;
    Ok(output.to_text().into_owned())
}

fn reason(error: DispatchError) -> String {
    match error {
        DispatchError::NotApproved { reason, .. } => reason,
        other => panic!("not about an approval: {other:?}"),
    }
}

#[tokio::test]
async fn a_tool_that_requires_approval_is_refused_until_there_is_one() {
    let registry = registry();
    let request = requested(&registry, "transfer", r#" {"cents":500.0, "to":"ada"} "#).await;
    assert_eq!(request.tool(), "transfer");
    assert_eq!(request.version(), env!("CARGO_PKG_VERSION"));
    assert_eq!(request.risk(), Risk::High);
    assert_eq!(request.call_id(), "call_1");
    // To the letter, since what is decoded may not show all that it holds.
    assert_eq!(request.arguments(), r#"{"cents":500.0, "to":"ada"}"#);
    assert_eq!(
        registry.approvals().waiting(),
        std::slice::from_ref(&request)
    );
    let shown = serde_json::to_value(&request).expect("a request can be shown");
    assert_eq!(shown["id"], request.id().to_string());
    assert_eq!(shown["digest"], request.digest().to_string());
    let typed = registry.call::<Transfer>(to_ada(), &ctx()).await;
    let Err(CallError::Refused(DispatchError::ApprovalRequired(typed))) = typed else {
        panic!("{typed:?}");
    };
    // What the tool would get: defaults and all, keys sorted.
    assert_eq!(typed.arguments(), r#"{"cents":500,"note":null,"to":"ada"}"#);
    assert_ne!(typed.id(), request.id());
}

#[tokio::test]
async fn an_approval_is_good_for_the_same_call_at_either_door() {
    let registry = registry();
    let approval = granted(&registry).await;
    let answer = transferred(&registry, TO_ADA, &approval).await;
    assert_eq!(answer.expect("it is the same call"), "500 to ada ");
    let approval = granted(&registry).await;
    let typed = registry
        .call::<Transfer>(to_ada(), &ctx().with_approval(approval))
        .await;
    assert_eq!(typed.expect("it is the same call"), "500 to ada ");
    assert!(registry.approvals().waiting().is_empty());
}

#[tokio::test]
async fn an_approval_of_a_text_is_not_for_a_value_that_hides_some_of_it() {
    let registry = registry();
    let text = r#"{"to":"ada","cents":5}"#;
    let request = requested(&registry, "hiding", text).await;
    let approval = registry.approvals().grant(&request).expect("it waits");
    let args = HidingArgs {
        to: "ada".to_owned(),
        cents: 1_000_000,
    };
    let ctx = ctx().with_approval(approval);
    let typed = registry.call::<Hiding>(args, &ctx).await;
    let Err(CallError::Refused(error)) = typed else {
        panic!("{typed:?}");
    };
    assert_eq!(reason(error), "its approval is for other arguments");
    let output = registry.dispatch("hiding", text, &ctx).await;
    assert_eq!(output.expect("it is the same text").to_text(), "5 to ada");
}

#[tokio::test]
async fn a_call_that_is_not_to_begin_leaves_its_approval() {
    let registry = registry();
    let approval = granted(&registry).await;
    let token = CancellationToken::new();
    token.cancel();
    for unwanted in [
        ctx().with_cancel(token),
        ctx().with_time_limit(Duration::ZERO),
    ] {
        let ctx = unwanted.with_approval(approval.clone());
        let refused = registry.dispatch("transfer", TO_ADA, &ctx).await;
        assert!(
            matches!(
                refused,
                Err(DispatchError::Cancelled { .. } | DispatchError::TimedOut { .. })
            ),
            "{refused:?}"
        );
    }
    let answer = transferred(&registry, TO_ADA, &approval).await;
    assert_eq!(answer.expect("it was not used"), "500 to ada ");
}

#[tokio::test]
async fn an_approval_is_not_for_other_arguments() {
    let registry = registry();
    let approval = granted(&registry).await;
    for other in [
        r#"{"to":"ada","cents":501}"#,
        r#"{"to":"eve","cents":500}"#,
        r#"{"to":"ada","cents":500,"note":""}"#,
        // The same values in other words: to tell takes trust in how a type writes itself.
        r#"{"cents": 5e2, "note": null, "to": "\u0061da"}"#,
    ] {
        let error = transferred(&registry, other, &approval).await;
        assert_eq!(
            reason(error.expect_err(other)),
            "its approval is for other arguments"
        );
    }
    // A wrong use doesn't use it up.
    assert!(transferred(&registry, TO_ADA, &approval).await.is_ok());
}

#[tokio::test]
async fn an_approval_is_not_for_another_tool() {
    let registry = registry();
    let approval = granted(&registry).await;
    let error = registry
        .dispatch("erase", r#"{"path":"/"}"#, &ctx().with_approval(approval))
        .await;
    assert_eq!(
        reason(error.expect_err("it is for `transfer`")),
        "its approval is for another tool"
    );
}

#[tokio::test]
async fn an_approval_is_used_once() {
    let registry = registry();
    let approval = granted(&registry).await;
    assert!(transferred(&registry, TO_ADA, &approval).await.is_ok());
    let error = transferred(&registry, TO_ADA, &approval).await;
    assert_eq!(
        reason(error.expect_err("it was used")),
        "its approval was used or revoked, or comes from another registry"
    );
    let both = granted(&registry).await;
    let (one, two) = tokio::join!(
        transferred(&registry, TO_ADA, &both),
        transferred(&registry, TO_ADA, &both)
    );
    assert_ne!(one.is_ok(), two.is_ok());
}

#[tokio::test]
async fn an_approval_expires() {
    let live = Duration::from_millis(40);
    let registry = with(|reg| {
        reg.set_approvals(Approvals::new(live));
    });
    let late = requested(&registry, "transfer", TO_ADA).await;
    let approval = granted(&registry).await;
    tokio::time::sleep(2 * live).await;
    assert_eq!(
        registry.approvals().grant(&late),
        Err(ApprovalError::Expired)
    );
    let error = transferred(&registry, TO_ADA, &approval).await;
    assert_eq!(
        reason(error.expect_err("too late")),
        "its approval has expired"
    );
    assert!(registry.approvals().waiting().is_empty());
}

#[tokio::test]
async fn a_request_is_granted_once_and_as_it_was_made() {
    let registry = registry();
    let approvals = registry.approvals();
    let request = requested(&registry, "transfer", TO_ADA).await;
    assert!(approvals.grant(&request).is_ok());
    assert_eq!(
        approvals.grant(&request),
        Err(ApprovalError::AlreadyGranted)
    );
    assert!(approvals.waiting().is_empty());
    let denied = requested(&registry, "transfer", TO_ADA).await;
    assert!(approvals.deny(&denied));
    assert!(!approvals.deny(&denied));
    assert_eq!(approvals.grant(&denied), Err(ApprovalError::NotPending));
}

#[tokio::test]
async fn a_grant_can_be_taken_back_until_it_is_used() {
    let registry = registry();
    let request = requested(&registry, "transfer", TO_ADA).await;
    let approval = registry.approvals().grant(&request).expect("it waits");
    assert!(registry.approvals().deny(&request));
    assert!(transferred(&registry, TO_ADA, &approval).await.is_err());
}

#[tokio::test]
async fn an_approval_is_of_one_registry() {
    let (ours, theirs) = (registry(), registry());
    let request = requested(&ours, "transfer", TO_ADA).await;
    assert_eq!(
        theirs.approvals().grant(&request),
        Err(ApprovalError::NotPending)
    );
    let approval = ours.approvals().grant(&request).expect("it waits here");
    assert!(transferred(&theirs, TO_ADA, &approval).await.is_err());
    assert!(transferred(&ours, TO_ADA, &approval).await.is_ok());
}

#[tokio::test]
async fn an_approver_decides_while_the_call_waits() {
    let asked = Arc::new(AtomicUsize::new(0));
    let registry = with({
        let asked = Arc::clone(&asked);
        move |reg| {
            reg.set_approver(move |request: &ApprovalRequest| {
                asked.fetch_add(1, Ordering::Relaxed);
                if request.arguments().contains("\"ada\"") {
                    ApprovalDecision::Approve
                } else {
                    ApprovalDecision::deny(format!("not {}", request.tool()))
                }
            });
        }
    });
    assert!(registry.dispatch("transfer", TO_ADA, &ctx()).await.is_ok());
    assert!(registry.call::<Transfer>(to_ada(), &ctx()).await.is_ok());
    let error = registry
        .dispatch("transfer", r#"{"to":"eve","cents":1}"#, &ctx())
        .await;
    assert_eq!(reason(error.expect_err("not to eve")), "not transfer");
    let low = registry.dispatch("low", "", &ctx()).await;
    assert!(low.is_ok());
    assert_eq!(asked.load(Ordering::Relaxed), 3);
    assert!(registry.approvals().waiting().is_empty());
}

/// Decides by asking elsewhere.
struct Asks<F>(F);

impl<F, R> Approver for Asks<F>
where
    F: Fn(ApprovalRequest) -> R + Send + Sync + 'static,
    R: Future<Output = ApprovalDecision> + Send + 'static,
{
    fn decide<'a>(
        &'a self,
        request: &'a ApprovalRequest,
        _context: &'a ToolCallContext,
    ) -> BoxFuture<'a, ApprovalDecision> {
        Box::pin((self.0)(request.clone()))
    }
}

fn asks<F, R>(decide: F, approvals: Approvals) -> Registry
where
    F: Fn(ApprovalRequest) -> R + Send + Sync + 'static,
    R: Future<Output = ApprovalDecision> + Send + 'static,
{
    with(|reg| {
        reg.set_approver(Asks(decide)).set_approvals(approvals);
    })
}

#[tokio::test(start_paused = true)]
async fn an_approver_may_take_its_time() {
    let registry = asks(
        |_| async {
            tokio::time::sleep(Duration::from_secs(100)).await;
            ApprovalDecision::Approve
        },
        Approvals::default(),
    );
    // Longer than the tool's own timeout, which begins when it does.
    assert!(registry.dispatch("transfer", TO_ADA, &ctx()).await.is_ok());
}

#[tokio::test]
async fn nobody_else_can_grant_what_an_approver_decides() {
    let approvals = Approvals::default();
    let registry = asks(
        {
            let approvals = approvals.clone();
            move |request| {
                let taken = approvals.grant(&request);
                async move {
                    assert_eq!(taken, Err(ApprovalError::NotPending));
                    ApprovalDecision::deny("after all")
                }
            }
        },
        approvals.clone(),
    );
    let error = registry.dispatch("transfer", TO_ADA, &ctx()).await;
    assert_eq!(reason(error.expect_err("denied")), "after all");
    assert!(approvals.waiting().is_empty());
}

#[tokio::test]
async fn an_approver_that_panics_denies() {
    let at_once = with(|reg| {
        reg.set_approver(|_: &ApprovalRequest| -> ApprovalDecision { panic!("no screen") });
    });
    let later = asks(
        |_| async {
            tokio::task::yield_now().await;
            panic!("no screen")
        },
        Approvals::default(),
    );
    for registry in [at_once, later] {
        let error = registry.dispatch("transfer", TO_ADA, &ctx()).await;
        assert_eq!(
            reason(error.expect_err("it panics")),
            "the approver panicked: no screen"
        );
        assert!(registry.approvals().waiting().is_empty());
        assert_eq!(registry.in_flight(), 0);
    }
}

#[tokio::test(start_paused = true)]
async fn an_approver_that_gives_no_answer_denies_when_the_request_expires() {
    let registry = asks(
        |_| std::future::pending(),
        Approvals::new(Duration::from_secs(7)),
    );
    let error = registry.dispatch("transfer", TO_ADA, &ctx()).await;
    assert_eq!(
        reason(error.expect_err("no answer")),
        "the approver gave no answer in 7s"
    );
    assert!(registry.approvals().waiting().is_empty());
}

#[tokio::test]
async fn a_call_that_is_cancelled_or_dropped_waits_for_no_approver() {
    let registry = asks(|_| std::future::pending(), Approvals::default());
    let token = CancellationToken::new();
    let cancelled = ctx().with_cancel(token.clone());
    let stop = async {
        tokio::task::yield_now().await;
        assert_eq!(registry.in_flight(), 1);
        assert!(registry.approvals().waiting().is_empty());
        token.cancel();
    };
    let (error, ()) = tokio::join!(registry.dispatch("transfer", TO_ADA, &cancelled), stop);
    assert!(
        matches!(error, Err(DispatchError::Cancelled { .. })),
        "{error:?}"
    );
    let plain = ctx();
    let mut calling = Box::pin(registry.dispatch("transfer", TO_ADA, &plain));
    assert!(poll_once(calling.as_mut()).is_pending());
    assert_eq!(registry.in_flight(), 1);
    drop(calling);
    assert!(registry.approvals().waiting().is_empty());
    assert_eq!(registry.in_flight(), 0);
}

#[tokio::test]
async fn a_registry_may_ask_for_approval_from_a_risk_on() {
    for (least, asked) in [
        (Risk::Low, &["low", "medium", "high"][..]),
        (Risk::Medium, &["medium", "high"]),
        (Risk::High, &["high"]),
    ] {
        let registry = with(|reg| {
            reg.require_approval_from(least);
        });
        for name in ["low", "medium", "high"] {
            let result = registry.dispatch(name, "", &ctx()).await;
            assert_eq!(
                matches!(result, Err(DispatchError::ApprovalRequired(_))),
                asked.contains(&name),
                "{name} from {least}: {result:?}"
            );
        }
    }
}

#[tokio::test]
async fn arguments_that_can_not_be_written_have_no_digest_at_the_typed_door() {
    let registry = with(|reg| {
        reg.set_approver(|_: &ApprovalRequest| ApprovalDecision::Approve);
    });
    let typed = registry
        .call::<WithUnwritten>(Unwritten { n: 1 }, &ctx())
        .await;
    let Err(CallError::Refused(error)) = typed else {
        panic!("{typed:?}");
    };
    let reason = reason(error);
    assert!(
        reason.contains("Unwritten") && reason.contains("doesn't implement `Serialize`"),
        "{reason}"
    );
    let named = registry
        .dispatch("with_unwritten", r#"{"n":1}"#, &ctx())
        .await;
    assert_eq!(named.expect("the text has one").as_json(), Some("1"));
    let written = registry.call::<WithWritten>(Written { n: 2 }, &ctx()).await;
    assert_eq!(written.expect("it can be written"), 2);
}

#[tokio::test]
async fn bad_arguments_are_refused_before_anyone_is_asked() {
    let registry = with(|reg| {
        reg.set_approver(|_: &ApprovalRequest| -> ApprovalDecision { panic!("nobody asks me") });
    });
    let error = registry.dispatch("transfer", r#"{"to":1}"#, &ctx()).await;
    assert!(matches!(error, Err(DispatchError::InvalidArguments { .. })));
}

#[tokio::test]
async fn requests_that_wait_are_bounded() {
    let registry = registry();
    for _ in 0..Approvals::MOST_PENDING {
        requested(&registry, "erase", r#"{"path":"/"}"#).await;
    }
    let error = registry.dispatch("erase", r#"{"path":"/"}"#, &ctx()).await;
    assert_eq!(
        reason(error.expect_err("too many wait")),
        format!(
            "{} calls with {} bytes of arguments wait for an approval already",
            Approvals::MOST_PENDING,
            Approvals::MOST_PENDING * r#"{"path":"/"}"#.len()
        )
    );
    let waiting = registry.approvals().waiting();
    assert_eq!(waiting.len(), Approvals::MOST_PENDING);
    registry.approvals().deny(&waiting[0]);
    requested(&registry, "erase", r#"{"path":"/"}"#).await;
}

#[cfg(feature = "dynamic")]
mod dynamic {
    use callboard::{DynamicTool, ToolPolicy};
    use serde_json::{Value, json};

    use super::*;

    fn deploy(version: &str) -> DynamicTool {
        DynamicTool::new(
            "deploy",
            json!({ "type": "object" }),
            |arguments: Value, _ctx| async move { Ok::<_, String>(arguments) },
        )
        .with_version(version)
        .with_policy(ToolPolicy::unstated().with_approval(true))
    }

    #[tokio::test]
    async fn an_approval_is_not_for_a_new_version_of_the_tool() {
        let old = sealed(|reg| reg.register_dynamic(deploy("1")).map(drop));
        let request = requested(&old, "deploy", r#"{"to":"prod"}"#).await;
        let approval = old.approvals().grant(&request).expect("it waits");
        // A builder from a registry keeps its approvals.
        let mut reg = old.to_builder();
        reg.replace_dynamic(deploy("2"))
            .expect("it takes its place");
        let new = reg.seal().expect("it seals");
        let ctx = ctx().with_approval(approval);
        let error = new.dispatch("deploy", r#"{"to":"prod"}"#, &ctx).await;
        assert_eq!(
            reason(error.expect_err("it is version 2")),
            "its approval is for another version of the tool"
        );
        let old_one = old.dispatch("deploy", r#"{"to":"prod"}"#, &ctx).await;
        assert_eq!(
            old_one.expect("it is version 1").as_json(),
            Some(r#"{"to":"prod"}"#)
        );
    }
}

#[tool(requires_approval)]
async fn pay(cents: i64, #[serde(skip_serializing)] to: String) -> String {
    format!("{cents} to {to}")
}

#[tool(requires_approval)]
async fn label(tags: std::collections::HashSet<String>) -> usize {
    tags.len()
}

#[tokio::test]
async fn an_approval_covers_what_a_type_does_not_show() {
    let registry = sealed(|reg| reg.register_tool::<Pay>().map(drop));
    let request = requested(&registry, "pay", r#"{"cents":1,"to":"ada"}"#).await;
    assert!(request.arguments().contains("ada"));
    let approval = registry.approvals().grant(&request).expect("it waits");
    let ctx = ctx().with_approval(approval);
    let other = registry
        .dispatch("pay", r#"{"cents":1,"to":"eve"}"#, &ctx)
        .await;
    assert_eq!(
        reason(other.expect_err("it is for ada")),
        "its approval is for other arguments"
    );
    let same = registry
        .dispatch("pay", r#"{"cents":1,"to":"ada"}"#, &ctx)
        .await;
    assert!(same.is_ok(), "{same:?}");
}

#[tokio::test]
async fn an_approval_is_good_for_values_without_an_order() {
    let registry = sealed(|reg| reg.register_tool::<Label>().map(drop));
    let tags = r#"{"tags":["a","b","c","d","e","f","g","h"]}"#;
    let request = requested(&registry, "label", tags).await;
    let approval = registry.approvals().grant(&request).expect("it waits");
    let answer = registry
        .dispatch("label", tags, &ctx().with_approval(approval))
        .await;
    assert!(answer.is_ok(), "{answer:?}");
}

#[tokio::test]
async fn requests_that_nobody_answers_hold_a_bounded_amount_of_text() {
    let registry = registry();
    let path = "x".repeat(1_000_000);
    let arguments = format!(r#"{{"path":"{path}"}}"#);
    let mut waiting = 0;
    let refused = loop {
        match registry.dispatch("erase", &arguments, &ctx()).await {
            Err(DispatchError::ApprovalRequired(_)) => waiting += 1,
            Err(other) => break other,
            Ok(output) => panic!("{output:?}"),
        }
    };
    assert!(reason(refused).contains("wait for an approval already"));
    assert!(waiting * arguments.len() <= Approvals::MOST_PENDING_BYTES);
}

#[tokio::test]
async fn an_approver_is_asked_once_and_its_request_waits_for_nobody_else() {
    let asked = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&asked);
    let registry = with(|reg| {
        reg.set_approver(move |_: &ApprovalRequest| {
            counted.fetch_add(1, Ordering::Relaxed);
            ApprovalDecision::Approve
        });
    });
    assert!(registry.dispatch("transfer", TO_ADA, &ctx()).await.is_ok());
    assert_eq!(asked.load(Ordering::Relaxed), 1);
    assert!(registry.approvals().waiting().is_empty());
}

#[tokio::test]
async fn an_approval_that_never_expires_can_be_granted() {
    let registry = with(|reg| {
        reg.set_approvals(Approvals::new(Duration::MAX));
    });
    let approval = granted(&registry).await;
    assert!(transferred(&registry, TO_ADA, &approval).await.is_ok());
}

#[cfg(feature = "dynamic")]
#[tokio::test]
async fn an_approval_is_not_for_a_tool_that_took_the_name() {
    use callboard::{DynamicTool, ToolPolicy};

    let tool = |answer: &'static str| {
        DynamicTool::new(
            "t",
            serde_json::json!({ "type": "object" }),
            move |_, _| async move { Ok::<_, String>(answer) },
        )
        .with_policy(ToolPolicy::unstated().with_approval(true))
    };
    let registry = sealed(|reg| reg.register_dynamic(tool("asked for")).map(drop));
    let request = requested(&registry, "t", "{}").await;
    let approval = registry.approvals().grant(&request).expect("it waits");
    let mut reg = registry.to_builder();
    reg.replace_dynamic(tool("another"))
        .expect("it is replaced");
    let replaced = reg.seal().expect("it seals");
    let error = replaced
        .dispatch("t", "{}", &ctx().with_approval(approval.clone()))
        .await;
    assert_eq!(
        reason(error.expect_err("the tool is another")),
        "its approval is for a tool that had this name before"
    );
    let same = registry
        .dispatch("t", "{}", &ctx().with_approval(approval))
        .await;
    assert!(same.is_ok(), "{same:?}");
}
