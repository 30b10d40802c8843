//! Sealing holds every route against the models of the registry.

use callboard::catalog::{Capability, CapabilitySet, Unsatisfied};
use callboard::{
    ChatModel, ComponentKind, RouteFault, RouteProblem, RouteRole, RouterDefinition, SealProblem,
    WorkloadRoute, model,
};

use super::{Client, chat, models, routed, vision};

/// The problems of these routes, and what is said of them.
fn problems(routes: impl IntoIterator<Item = WorkloadRoute>) -> Vec<(RouteProblem, String)> {
    let mut reg = models();
    reg.register_model_router(routed(routes))
        .expect("it is well-formed");
    let error = reg.seal().expect_err("a route can't use a model");
    error
        .problems
        .into_iter()
        .map(|problem| match problem {
            SealProblem::Route(ref inner) => {
                let text = problem.to_string();
                assert_eq!(inner.to_string(), text);
                (inner.clone(), text)
            }
            other => panic!("not about a route: {other}"),
        })
        .collect()
}

fn fault(route: WorkloadRoute, role: RouteRole, model: &str, words: &[&str]) -> RouteFault {
    let alias = route.alias.clone();
    let mut found = problems([route]);
    assert_eq!(found.len(), 1, "{found:?}");
    let (problem, text) = found.remove(0);
    assert_eq!((problem.role, &*problem.model), (role, model));
    assert_eq!((&*problem.router, &*problem.route), ("workload", &*alias));
    for words in words
        .iter()
        .copied()
        .chain(["seal.rs", "`workload`", &alias, model])
    {
        assert!(text.contains(words), "{words}: {text}");
    }
    problem.fault
}

fn to(model: &str) -> WorkloadRoute {
    WorkloadRoute::new("a", model)
}

#[test]
fn a_model_that_is_not_registered() {
    for (route, role, model, closest, words) in [
        (
            to("smal"),
            RouteRole::Target,
            "smal",
            vec!["small"],
            "did you mean `small`?",
        ),
        (
            to("small").fallback("lrge"),
            RouteRole::Fallback,
            "lrge",
            vec!["large"],
            "`large`",
        ),
        (
            to("nothing-like-it"),
            RouteRole::Target,
            "nothing-like-it",
            vec![],
            "register it",
        ),
    ] {
        let fault = fault(route, role, model, &[words]);
        let RouteFault::NotRegistered {
            is_route: false,
            closest: near,
        } = fault
        else {
            panic!("{fault:?}");
        };
        assert_eq!(near, closest);
    }
}

#[test]
fn a_model_that_is_a_route() {
    let found = problems([to("b"), WorkloadRoute::new("b", "small")]);
    assert_eq!(found.len(), 1);
    assert!(matches!(
        found[0].0.fault,
        RouteFault::NotRegistered { is_route: true, .. }
    ));
    assert!(
        found[0].1.contains("`b` is a route, not a model"),
        "{}",
        found[0].1
    );
}

#[test]
fn the_routes_own_alias() {
    let words = &["is the route's own alias"];
    let own = WorkloadRoute::new("chat", "chat");
    assert_eq!(
        fault(own, RouteRole::Target, "chat", words),
        RouteFault::OwnAlias
    );
    let own = WorkloadRoute::new("chat", "small").fallback("chat");
    assert_eq!(
        fault(own, RouteRole::Fallback, "chat", words),
        RouteFault::OwnAlias
    );
    // Also where a model has that name.
    let own = WorkloadRoute::new("small", "small");
    assert_eq!(
        fault(own, RouteRole::Target, "small", words),
        RouteFault::OwnAlias
    );
}

#[test]
fn fallbacks_that_repeat() {
    let canonical = "small".to_owned();
    for (model, words) in [
        ("small", "is the route's target"),
        ("mini", "is the model `small`"),
    ] {
        assert_eq!(
            fault(
                to("small").fallback(model),
                RouteRole::Fallback,
                model,
                &[words]
            ),
            RouteFault::IsTarget {
                canonical: canonical.clone()
            }
        );
        assert_eq!(
            fault(
                to("large")
                    .fallback("small")
                    .fallback("bare")
                    .fallback(model),
                RouteRole::Fallback,
                model,
                &["among the fallbacks before"]
            ),
            RouteFault::Repeated {
                canonical: canonical.clone()
            }
        );
    }
    // Of a target that is refused for another reason, too.
    let found = problems([to("small").requires([Capability::Vision]).fallback("mini")]);
    assert_eq!(found.len(), 2);
    assert!(matches!(found[1].0.fault, RouteFault::IsTarget { .. }));
}

#[test]
fn a_capability_that_is_denied_or_not_stated() {
    let vision = CapabilitySet::of(&[Capability::Vision]);
    let json_schema = CapabilitySet::of(&[Capability::JsonSchema]);
    let missing = |no, not_stated| RouteFault::Unsatisfied {
        key: "acme/small".to_owned(),
        missing: Unsatisfied { no, not_stated },
    };
    let route = to("small").requires([Capability::Vision, Capability::ToolCalling]);
    assert_eq!(
        fault(
            route,
            RouteRole::Target,
            "small",
            &["acme/small", "does not support vision"]
        ),
        missing(vision, CapabilitySet::EMPTY)
    );
    let route = to("small").requires([Capability::JsonSchema]);
    assert_eq!(
        fault(
            route,
            RouteRole::Target,
            "small",
            &["not stated to support json_schema"]
        ),
        missing(CapabilitySet::EMPTY, json_schema)
    );
    // A fallback has to do what the route requires as well.
    let route = to("large")
        .requires([Capability::Vision, Capability::JsonSchema])
        .fallback("small");
    assert_eq!(
        fault(
            route,
            RouteRole::Fallback,
            "small",
            &["vision", "json_schema", "another model"]
        ),
        missing(vision, json_schema)
    );
}

#[test]
fn a_window_that_is_too_small_or_not_stated() {
    let window = |model: &str, min_context, stated| RouteFault::Window {
        key: format!("acme/{model}"),
        min_context,
        stated,
    };
    assert_eq!(
        fault(
            to("small").min_context(8_001),
            RouteRole::Target,
            "small",
            &["8001", "is 8000"]
        ),
        window("small", 8_001, Some(8_000))
    );
    assert_eq!(
        fault(
            to("large").min_context(60_000).fallback("unpriced"),
            RouteRole::Fallback,
            "unpriced",
            &["60000", "is 50000"]
        ),
        window("unpriced", 60_000, Some(50_000))
    );
    assert_eq!(
        fault(
            to("silent").min_context(1),
            RouteRole::Target,
            "silent",
            &["no limit"]
        ),
        window("silent", 1, None)
    );
    let mut reg = models();
    reg.register_model_router(routed([to("small").min_context(8_000)]))
        .expect("it is well-formed");
    assert!(reg.seal().is_ok(), "the limit itself is enough");
}

#[test]
fn a_requirement_of_a_model_of_which_nothing_is_known() {
    let words = &["set_model_entry"];
    let route = to("bare").requires([Capability::ToolCalling]);
    assert_eq!(
        fault(route, RouteRole::Target, "bare", words),
        RouteFault::NotDescribed
    );
    let route = to("bare").min_context(1);
    assert_eq!(
        fault(route, RouteRole::Target, "bare", words),
        RouteFault::NotDescribed
    );
    let mut reg = models();
    reg.register_model_router(routed([to("bare").fallback("silent")]))
        .expect("it is well-formed");
    assert!(reg.seal().is_ok(), "nothing is required");
}

#[test]
fn a_router_without_routes() {
    let mut reg = models();
    reg.register_model_router(RouterDefinition::new("empty"))
        .expect("it is well-formed");
    let error = reg.seal().expect_err("it has no routes");
    assert!(matches!(
        &*error.problems,
        [SealProblem::NoRoutes { router, .. }] if router == "empty"
    ));
    assert!(error.to_string().contains("add one"), "{error}");
}

#[test]
fn every_problem_of_every_router_is_told_in_order_and_can_be_mended() {
    let mut reg = models();
    reg.register_model_router(
        RouterDefinition::new("b")
            .route(
                to("small")
                    .requires([Capability::Vision])
                    .min_context(9_000),
            )
            .route(vision().fallback("gone")),
    )
    .and_then(|reg| reg.register_model_router(RouterDefinition::new("empty")))
    .expect("they are well-formed");
    let error = reg.seal().expect_err("four things are wrong");
    let told: Vec<String> = error.problems.iter().map(ToString::to_string).collect();
    assert_eq!(told.len(), 4, "{error}");
    for (text, words) in told.iter().zip([
        ["route `a`", "`requires`"],
        ["route `a`", "`min_context`"],
        ["route `vision-v1`", "`gone`"],
        ["`empty`", "no routes"],
    ]) {
        assert!(words.iter().all(|words| text.contains(words)), "{text}");
    }
    let mut reg = error.into_builder();
    reg.replace_model_router(RouterDefinition::new("b").route(vision()))
        .expect("it is well-formed");
    reg.remove(ComponentKind::Router, "empty");
    assert!(reg.seal().is_ok());
}

/// Never made: the registry that it is in is refused before.
#[model(provider = "acme")]
fn never_made() -> impl ChatModel {
    if true {
        panic!("it was made");
    }
    Client("never made")
}

#[test]
fn routes_are_checked_with_all_the_rest_and_before_handles_are_made() {
    let mut reg = models();
    reg.register_model_of::<NeverMade>()
        .and_then(|reg| reg.alias(ComponentKind::Model, "gone", "bare"))
        .and_then(|reg| reg.register_model_router(routed([to("never_made").min_context(1)])))
        .expect("the names are free");
    reg.remove(ComponentKind::Model, "bare");
    let error = reg.seal().expect_err("two things are wrong");
    assert!(
        matches!(
            &*error.problems,
            [SealProblem::Route(_), SealProblem::DanglingAlias { .. }]
        ),
        "{error}"
    );
}

#[test]
fn a_model_that_goes_takes_the_route_down_with_it() {
    let mut reg = models();
    reg.register_model_router(routed([chat()]))
        .expect("it is well-formed");
    let mut copy = reg.seal().expect("all is there").to_builder();
    copy.remove(ComponentKind::Model, "large");
    let error = copy.seal().expect_err("a fallback is gone");
    assert!(
        error.to_string().contains("the fallback `large` is not"),
        "{error}"
    );
}
