//! A JSON tree that keeps what a checker needs: key order, duplicate keys, and whole numbers apart
//! from fractions.

use std::fmt;

use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

/// How deep a document may nest. Records need 6 levels.
const MAX_DEPTH: u8 = 12;

/// The key under which serde_json hands over a number when some crate of the program has turned
/// on its `arbitrary_precision` feature.
const NUMBER_KEY: &str = "$serde_json::private::Number";

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Node {
    Null,
    Bool(bool),
    Whole(i128),
    Fraction,
    Text(String),
    List(Vec<Node>),
    Map(Vec<(String, Node)>),
}

impl Node {
    pub(crate) fn from_json(text: &str) -> Result<Self, serde_json::Error> {
        let mut json = serde_json::Deserializer::from_str(text);
        let node = Depth(MAX_DEPTH).deserialize(&mut json)?;
        json.end()?;
        Ok(node)
    }

    /// What it is, for a message.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Whole(_) => "a whole number",
            Self::Fraction => "a number with a fraction or an exponent",
            Self::Text(_) => "a text",
            Self::List(_) => "a list",
            Self::Map(_) => "an object",
        }
    }

    fn number(text: &str) -> Self {
        text.parse().map_or(Self::Fraction, Self::Whole)
    }
}

#[derive(Clone, Copy)]
struct Depth(u8);

impl<'de> DeserializeSeed<'de> for Depth {
    type Value = Node;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<Node, D::Error> {
        json.deserialize_any(self)
    }
}

impl Depth {
    fn deeper<E: de::Error>(self) -> Result<Self, E> {
        self.0
            .checked_sub(1)
            .map(Self)
            .ok_or_else(|| E::custom(format_args!("nested more than {MAX_DEPTH} levels deep")))
    }
}

impl<'de> Visitor<'de> for Depth {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Node, E> {
        Ok(Node::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Node, E> {
        Ok(Node::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Node, E> {
        Ok(Node::Whole(value.into()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Node, E> {
        Ok(Node::Whole(value.into()))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Node, E> {
        Ok(Node::Fraction)
    }

    fn visit_str<E>(self, value: &str) -> Result<Node, E> {
        Ok(Node::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Node, A::Error> {
        let below = self.deeper()?;
        let mut nodes = Vec::new();
        while let Some(node) = list.next_element_seed(below)? {
            nodes.push(node);
        }
        Ok(Node::List(nodes))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node, A::Error> {
        let below = self.deeper()?;
        let mut fields: Vec<(String, Node)> = Vec::new();
        while let Some(key) = map.next_key::<String>()? {
            let node = map.next_value_seed(below)?;
            if key == NUMBER_KEY
                && fields.is_empty()
                && let Node::Text(text) = &node
            {
                return Ok(Node::number(text));
            }
            fields.push((key, node));
        }
        Ok(Node::Map(fields))
    }
}
