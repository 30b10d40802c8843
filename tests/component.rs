//! Identity, and the kinds of component other than tools.

use std::collections::BTreeSet;

use callboard::{
    Agent, CapabilityRegistry, ComponentId, ComponentIdError, ComponentKind, ComponentMetadata,
    DispatchError, NameError, Respond, Risk, agent, check_name, component,
};

/// Says it backwards.
#[agent(tags("text"))]
#[derive(Default)]
struct Reverser {
    calls: std::sync::atomic::AtomicUsize,
}

impl Respond for Reverser {
    type Error = std::num::ParseIntError;

    async fn respond(&self, prompt: &str) -> Result<String, Self::Error> {
        let call = self
            .calls
            .fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        if prompt.starts_with("parse ") {
            let n: u8 = prompt["parse ".len()..].parse()?;
            return Ok(n.to_string());
        }
        let backwards: String = prompt.chars().rev().collect();
        Ok(format!("{call} {backwards}"))
    }
}

/// Which way to go.
#[agent(name = "compass.v2")]
#[derive(Default)]
enum Compass {
    #[default]
    North,
}

impl Respond for Compass {
    type Error = String;

    async fn respond(&self, _prompt: &str) -> Result<String, String> {
        let Self::North = self;
        Err("north is lost".to_owned())
    }
}

/// Counts words.
#[agent(marker = WordCounter, tags("text", "count"))]
async fn count_words(prompt: String) -> String {
    prompt.split_whitespace().count().to_string()
}

type Fallible = Result<String, Box<dyn std::error::Error + Send + Sync>>;

#[agent(description = "Fails.")]
async fn failing(_: &str) -> Fallible {
    Err("as it should".into())
}

#[agent]
async fn static_answer(_prompt: &str) -> &'static str {
    "always"
}

component!(Graph, "pipeline", "Steps.", tags("b", "a"));
component!(Router, "by_intent", "Routes.");
component!(Reducer, "append");
component!(Store, "sessions");
component!(Script, "script.sh", tags("sh"));
component!(Middleware, "log");
component!(Checkpointer, "disk");
component!(TaskStore, "queue");
component!(Listener, "audit");

fn collected() -> CapabilityRegistry {
    CapabilityRegistry::collect().expect("no conflicts")
}

async fn answer(name: &str, prompt: &str) -> Result<String, DispatchError> {
    let reg = collected();
    let agent = reg.agent(name).expect("it was declared");
    agent.answer(prompt).await
}

#[test]
fn there_are_twelve_kinds_and_each_is_its_text() {
    let texts: Vec<&str> = ComponentKind::ALL
        .iter()
        .map(|kind| kind.as_str())
        .collect();
    assert_eq!(
        texts,
        [
            "model",
            "tool",
            "graph",
            "agent",
            "router",
            "reducer",
            "store",
            "script",
            "middleware",
            "checkpointer",
            "task_store",
            "listener"
        ]
    );
    assert!(ComponentKind::ALL.is_sorted());
    for &kind in ComponentKind::ALL {
        assert_eq!(kind.to_string(), kind.as_str());
        assert_eq!(kind.as_str().parse(), Ok(kind));
        let json = serde_json::to_string(&kind).expect("it is written");
        assert_eq!(json, format!("\"{kind}\""));
        assert_eq!(
            serde_json::from_str::<ComponentKind>(&json).expect("it is read"),
            kind
        );
    }
    let error = "Tool".parse::<ComponentKind>().expect_err("lower case");
    assert!(error.to_string().contains("task_store"), "{error}");
    let name_only = ComponentKind::ALL.iter().filter(|kind| kind.is_name_only());
    assert_eq!(name_only.count(), 9);
}

#[test]
fn an_id_is_text_and_back() {
    let longest = "x".repeat(64);
    for &kind in ComponentKind::ALL {
        for name in ["a", "A-b.c_9", longest.as_str()] {
            let id = ComponentId::new(kind, name).expect("a name");
            assert_eq!(id.to_string(), format!("{kind}:{name}"));
            assert_eq!(id.to_string().parse::<ComponentId>().as_ref(), Ok(&id));
            let json = serde_json::to_string(&id).expect("it is written");
            assert_eq!(json, format!("\"{kind}:{name}\""));
            assert_eq!(
                serde_json::from_str::<ComponentId>(&json).expect("it is read"),
                id
            );
        }
    }
}

#[test]
fn what_is_no_id_is_refused_with_the_reason() {
    assert_eq!("add".parse::<ComponentId>(), Err(ComponentIdError::NoKind));
    assert!(matches!(
        "tools:add".parse::<ComponentId>(),
        Err(ComponentIdError::Kind(_))
    ));
    assert_eq!(
        "tool:".parse::<ComponentId>(),
        Err(ComponentIdError::Name(NameError::Empty))
    );
    assert!(matches!(
        "tool:a:b".parse::<ComponentId>(),
        Err(ComponentIdError::Name(NameError::Character {
            character: ':',
            position: 1,
            ..
        }))
    ));
    for wrong in ["\"tool:a b\"", "\"add\"", "3", "null"] {
        assert!(
            serde_json::from_str::<ComponentId>(wrong).is_err(),
            "{wrong}"
        );
    }
}

#[test]
fn ids_sort_by_kind_and_then_by_name() {
    let ids: BTreeSet<ComponentId> = ["tool:b", "agent:a", "model:z", "tool:a"]
        .iter()
        .map(|text| text.parse().expect("an id"))
        .collect();
    let sorted: Vec<String> = ids.iter().map(ToString::to_string).collect();
    assert_eq!(sorted, ["model:z", "tool:a", "tool:b", "agent:a"]);
}

#[test]
fn a_name_is_one_to_sixty_four_of_the_allowed_characters() {
    for character in (0..=0x2ff).filter_map(char::from_u32) {
        let allowed = character.is_ascii_alphanumeric() || "_.-".contains(character);
        assert_eq!(
            check_name(&character.to_string()).is_ok(),
            allowed,
            "{character:?}"
        );
    }
    assert_eq!(check_name(&"x".repeat(64)), Ok(()));
    let error = check_name(&"x".repeat(65)).expect_err("65");
    assert!(error.to_string().contains("65 characters"), "{error}");
}

#[test]
fn metadata_is_json_and_back() {
    let id = ComponentId::new(ComponentKind::TaskStore, "queue").expect("a name");
    let metadata = ComponentMetadata::new(id)
        .with_description("Waits.")
        .with_tags(["b", "a", "b"]);
    assert_eq!(metadata.tags, ["a", "b"]);
    let json = serde_json::to_string(&metadata).expect("it is written");
    assert_eq!(
        serde_json::from_str::<ComponentMetadata>(&json).expect("it is read"),
        metadata
    );
}

#[test]
fn a_risk_is_text_and_back_and_has_an_order() {
    for risk in [Risk::Low, Risk::Medium, Risk::High] {
        assert_eq!(risk.to_string().parse(), Ok(risk));
        let json = serde_json::to_string(&risk).expect("it is written");
        assert_eq!(json, format!("\"{risk}\""));
    }
    assert!(Risk::Low < Risk::Medium && Risk::Medium < Risk::High);
    assert!("severe".parse::<Risk>().is_err());
}

#[test]
fn each_kind_of_name_can_be_declared() {
    let reg = collected();
    let declared: Vec<String> = reg
        .snapshot()
        .components
        .iter()
        .map(|component| component.id.to_string())
        .collect();
    assert_eq!(
        declared,
        [
            "graph:pipeline",
            "agent:compass.v2",
            "agent:count_words",
            "agent:failing",
            "agent:reverser",
            "agent:static_answer",
            "router:by_intent",
            "reducer:append",
            "store:sessions",
            "script:script.sh",
            "middleware:log",
            "checkpointer:disk",
            "task_store:queue",
            "listener:audit",
        ]
    );
    let graph = reg
        .metadata(ComponentKind::Graph, "pipeline")
        .expect("it was declared");
    assert_eq!(graph.description, "Steps.");
    assert_eq!(graph.tags, ["a", "b"]);
    let script = reg
        .metadata(ComponentKind::Script, "script.sh")
        .expect("it was declared");
    assert_eq!(
        (script.description.as_str(), &script.tags[..]),
        ("", &["sh".to_owned()][..])
    );
}

#[tokio::test]
async fn a_function_that_answers_is_an_agent() {
    assert_eq!(answer("count_words", "one two").await.expect("2"), "2");
    assert_eq!(answer("static_answer", "").await.expect("always"), "always");
    let error = answer("failing", "").await.expect_err("it fails");
    assert!(matches!(error, DispatchError::Failed(_)));
    assert_eq!(error.for_model(), "as it should");
    assert_eq!(WordCounter.name(), "count_words");
    assert_eq!(WordCounter.description(), "Counts words.");
    assert_eq!(WordCounter.tags(), ["text", "count"]);
    assert_eq!(count_words("still a function".to_owned()).await, "3");
}

#[tokio::test]
async fn a_type_that_answers_is_an_agent_with_its_own_state() {
    let reg = collected();
    let agent = reg.agent("reverser").expect("it was declared");
    assert_eq!(agent.description(), "Says it backwards.");
    assert_eq!(agent.tags(), ["text"]);
    assert_eq!(agent.answer("abc").await.expect("cba"), "0 cba");
    assert_eq!(agent.answer("abc").await.expect("cba"), "1 cba");
    let error = agent.answer("parse 300").await.expect_err("too large");
    assert_eq!(error.for_model(), "number too large to fit in target type");
    // Each registry has one of its own.
    assert_eq!(answer("reverser", "x").await.expect("x"), "0 x");
    let error = answer("compass.v2", "").await.expect_err("it fails");
    assert_eq!(error.for_model(), "north is lost");
}

#[test]
fn an_agent_can_be_registered_by_value_under_its_name() {
    let mut reg = CapabilityRegistry::new();
    reg.register_agent(WordCounter).expect("the name is free");
    assert!(reg.register_agent(Reverser::default()).is_ok());
    assert!(reg.register_agent(WordCounter).is_err());
    assert_eq!(reg.names(ComponentKind::Agent), ["count_words", "reverser"]);
}
