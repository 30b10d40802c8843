//! Generated code names everything by its whole path.

#[path = "../common.rs"]
mod common;

#[allow(dead_code, unused_macros, non_camel_case_types)]
mod hostile {
    pub struct Result;
    pub struct Option;
    pub struct String;
    pub struct Vec;
    pub struct Box;
    pub struct Some;
    pub struct None;
    pub struct Ok;
    pub struct Err;
    pub struct ToolCall;
    pub struct CallError;
    pub trait Send {}
    pub trait Sync {}
    pub trait Clone {}
    pub trait Copy {}
    pub trait Debug {}
    pub trait Default {}
    pub trait From {}
    pub trait Into {}
    pub trait Future {}
    pub trait Fn {}
    pub trait Drop {}
    pub trait Tool {}
    pub trait Serialize {}
    pub trait Deserialize {}
    pub trait JsonSchema {}
    pub trait FromStr {}
    pub trait AsRef {}
    pub trait Model {}
    pub trait Router {}
    pub mod core {}
    pub mod std {}
    pub mod alloc {}
    pub mod callboard {}
    pub mod serde {}
    pub mod schemars {}
    pub mod linkme {}
    pub mod rt {}

    macro_rules! concat {
        () => {};
    }
    macro_rules! line {
        () => {};
    }
    macro_rules! module_path {
        () => {};
    }
    macro_rules! option_env {
        () => {};
    }

    /// Doubles.
    #[::callboard::tool(tags("numbers"), timeout = "5s", title = "Double")]
    pub async fn double(
        #[inject] context: &::callboard::ToolCallContext,
        /// The number.
        number: u32,
        unless: ::core::option::Option<bool>,
    ) -> ::core::result::Result<u32, ::std::string::String> {
        let _ = (context, unless);
        ::core::result::Result::Ok(number * 2)
    }

    #[::callboard::tool(blocking)]
    pub fn nothing() {}

    pub struct Counter(pub u32);

    #[::callboard::tools]
    impl Counter {
        #[tool]
        fn count(&self) -> u32 {
            self.0
        }
    }

    /// Echoes.
    #[::callboard::agent(tags("text"))]
    pub async fn echo(prompt: ::std::string::String) -> ::std::string::String {
        prompt
    }

    #[::callboard::agent]
    #[derive(::core::default::Default)]
    pub struct Echoes;

    impl ::callboard::Respond for Echoes {
        type Error = ::std::string::String;

        async fn respond(
            &self,
            prompt: &str,
        ) -> ::core::result::Result<::std::string::String, ::std::string::String> {
            ::core::result::Result::Ok(::std::borrow::ToOwned::to_owned(prompt))
        }
    }

    pub struct Client;

    impl ::callboard::ChatModel for Client {
        fn model_id(&self) -> &str {
            "client"
        }

        fn chat<'a>(
            &'a self,
            _messages: &'a [::callboard::ChatMessage],
        ) -> ::callboard::BoxFuture<
            'a,
            ::core::result::Result<
                ::callboard::ChatMessage,
                ::std::boxed::Box<dyn ::std::error::Error + ::core::marker::Send + ::core::marker::Sync>,
            >,
        > {
            ::std::boxed::Box::pin(async move { ::core::result::Result::Err("no".into()) })
        }
    }

    #[::callboard::model(catalog = "openai/gpt-4o", deny_deprecated)]
    pub struct Gpt4o;

    #[::callboard::model(
        provider = "acme",
        context = 32_000,
        supports(tool_calling),
        prices(input = 1),
        marker = House
    )]
    pub fn house(
        #[inject] counter: ::callboard::State<'_, Counter>,
    ) -> ::core::result::Result<impl ::callboard::ChatModel, ::std::string::String> {
        let _ = counter;
        ::core::result::Result::Ok(Client)
    }

    /// Kinds of work.
    #[::callboard::router(tags("text"))]
    pub enum Workload {
        /// Chat.
        #[route(model = Gpt4o, requires(tool_calling), min_context = 1_000, fallbacks(House))]
        Chat,
    }

    ::callboard::component!(Reducer, "append_messages", "Adds messages.", tags("chat"));
}

fn main() {
    let mut builder = common::collect();
    builder.provide(hostile::Counter(3));
    let registry = builder.seal().expect("nothing is missing");
    assert_eq!(
        common::dispatch(&registry, "double", r#"{"number":4}"#),
        "8"
    );
    assert_eq!(common::dispatch(&registry, "nothing", "{}"), "null");
    assert_eq!(common::dispatch(&registry, "count", "{}"), "3");
    assert_eq!(
        registry.model("house").expect("it is made").model_id(),
        "client"
    );
    let router = registry.model_router("chat").expect("it is declared");
    let target = router.target_model("chat").expect("it is a route");
    assert_eq!(target.name(), "gpt-4o");
    assert_eq!(
        "chat".parse::<hostile::Workload>().expect("it is a route").alias(),
        "chat"
    );
    for name in ["echo", "echoes"] {
        let agent = registry.agent(name).expect("it is declared").clone();
        assert_eq!(
            common::block_on(agent.answer("hi")).expect("it can't fail"),
            "hi"
        );
    }
}
