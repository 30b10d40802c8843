//! What a tool says of itself, and where it is.

use callboard::{CapabilityRegistry, ComponentKind, Origin, Tool, tool};

use crate::common::only;

/// Finds orders by customer.
///
/// Returns at most `limit` orders,
/// newest first.
///
/// - one
///   - nested
#[tool]
async fn many_paragraphs() {}

/** Written in a block.

Second paragraph. */
#[tool]
async fn block_comment() {}

#[doc = concat!("Made ", "of parts.")]
#[tool]
async fn computed_docs() {}

/// For readers of Rust.
#[tool(description = "For the model.")]
async fn told_apart() {}

#[tool]
async fn silent() {}

#[tool(title = "A title", tags("b", "a"), version = "7.1", name = "renamed-tool.v2", marker = Renamed)]
async fn plain_name() {}

const LINE_ABOVE: u32 = line!();
#[tool]
async fn placed() {}

#[test]
fn a_doc_comment_is_the_description_with_its_paragraphs() {
    assert_eq!(
        ManyParagraphs::descriptor().description(),
        "Finds orders by customer.\n\nReturns at most `limit` orders,\nnewest first.\n\n- one\n  - nested"
    );
    assert_eq!(
        BlockComment::descriptor().description(),
        "Written in a block.\n\nSecond paragraph."
    );
    assert_eq!(
        ComputedDocs::descriptor().description().trim(),
        "Made of parts."
    );
}

#[test]
fn a_description_given_stands_before_the_doc_comment() {
    assert_eq!(ToldApart::descriptor().description(), "For the model.");
}

#[test]
fn a_tool_without_docs_has_no_description() {
    assert_eq!(Silent::descriptor().description(), "");
}

#[test]
fn the_definition_shown_to_a_model_is_the_function_envelope() {
    let definitions = only::<ManyParagraphs>().definitions();
    let shown = callboard::serde_json::to_value(&definitions).expect("definitions are JSON");
    assert_eq!(
        shown,
        callboard::serde_json::json!([{
            "type": "function",
            "function": {
                "name": "many_paragraphs",
                "description": ManyParagraphs::descriptor().description(),
                "parameters": { "type": "object", "properties": {}, "additionalProperties": false }
            }
        }])
    );
}

#[test]
fn title_tags_version_and_name_are_those_given() {
    let descriptor = Renamed::descriptor();
    assert_eq!(descriptor.name(), "renamed-tool.v2");
    assert_eq!(descriptor.title(), Some("A title"));
    assert_eq!(descriptor.tags(), ["b", "a"]);
    assert_eq!(descriptor.version(), "7.1");
    let registry = only::<Renamed>();
    let row = registry
        .tool("renamed-tool.v2")
        .expect("it is under its name");
    assert_eq!(row.title(), Some("A title"));
    assert_eq!(row.version(), "7.1");
    assert!(row.has_tag("a") && !row.has_tag("c"));
    let metadata = registry
        .metadata(ComponentKind::Tool, "renamed-tool.v2")
        .expect("it has metadata");
    assert_eq!(metadata.tags, ["a", "b"]);
}

#[test]
fn a_version_not_given_is_that_of_the_crate() {
    assert_eq!(Silent::descriptor().version(), env!("CARGO_PKG_VERSION"));
    assert_eq!(Silent::descriptor().title(), None);
    assert!(Silent::descriptor().tags().is_empty());
}

#[test]
fn the_source_is_the_name_of_the_function_in_its_file() {
    let source = Placed::descriptor().source();
    assert_eq!(source.crate_name, env!("CARGO_PKG_NAME"));
    assert_eq!(source.crate_version, env!("CARGO_PKG_VERSION"));
    assert_eq!(source.module_path, module_path!());
    assert_eq!(source.file, file!());
    assert_eq!(source.line, LINE_ABOVE + 2);
    assert_eq!(source.column, 10);
    assert_eq!(
        source.to_string(),
        format!(
            "{}:{}:10 (in callboard {})",
            file!(),
            LINE_ABOVE + 2,
            env!("CARGO_PKG_VERSION")
        )
    );
    let collected = CapabilityRegistry::collect().expect("no conflicts");
    assert_eq!(
        collected.origin(ComponentKind::Tool, "placed"),
        Some(Origin::Declared(source))
    );
}
