//! Serde for the public types, written out: the vocabulary is shared with the build script, which
//! does without derives.

use std::fmt;

use serde::de::{self, Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

use super::cost::dollars;
use super::document::Node;
use super::{
    Capability, CapabilitySet, CatalogSnapshot, Cost, CostLine, Date, Mode, ModelEntry,
    ModelRecord, Part, Prices, ServiceTier, Usage,
};

/// A type that is one word in documents.
macro_rules! as_word {
    ($($name:ident)+) => { $(
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_str(self.name())
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                struct Word;
                impl Visitor<'_> for Word {
                    type Value = $name;

                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        let names: Vec<&str> = $name::ALL.iter().map(|v| v.name()).collect();
                        write!(f, "one of: {}", names.join(", "))
                    }

                    fn visit_str<E: de::Error>(self, text: &str) -> Result<$name, E> {
                        $name::from_name(text)
                            .ok_or_else(|| E::invalid_value(de::Unexpected::Str(text), &self))
                    }
                }
                from.deserialize_str(Word)
            }
        }
    )+ };
}

as_word!(Part Mode ServiceTier Capability);

impl Serialize for Date {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Date {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Day;
        impl Visitor<'_> for Day {
            type Value = Date;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a date of the form YYYY-MM-DD")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Date, E> {
                text.parse()
                    .map_err(|_| E::invalid_value(de::Unexpected::Str(text), &self))
            }
        }
        from.deserialize_str(Day)
    }
}

impl Serialize for CapabilitySet {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for CapabilitySet {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let list = Vec::<Capability>::deserialize(from)?;
        Ok(list.into_iter().collect())
    }
}

impl Serialize for Prices {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.iter())
    }
}

impl Serialize for CostLine {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(Some(3))?;
        map.serialize_entry("part", &self.part)?;
        map.serialize_entry("tokens", &self.tokens)?;
        map.serialize_entry("price", &self.price)?;
        map.end()
    }
}

impl Serialize for Cost {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let lines: Vec<&CostLine> = self.lines().collect();
        let mut map = to.serialize_map(Some(3))?;
        map.serialize_entry("picodollars", &self.picodollars())?;
        map.serialize_entry(
            "dollars",
            dollars(self.picodollars()).trim_start_matches('$'),
        )?;
        map.serialize_entry("lines", &lines)?;
        map.end()
    }
}

impl Serialize for Usage {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("service", &self.service())?;
        for (part, tokens) in self.iter() {
            map.serialize_entry(part.name(), &tokens)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Usage {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Counts;
        impl<'de> Visitor<'de> for Counts {
            type Value = Usage;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map of parts to counts of tokens")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Usage, A::Error> {
                let mut usage = Usage::new();
                while let Some(name) = map.next_key::<String>()? {
                    if name == "service" {
                        usage = usage.with_service(map.next_value()?);
                    } else if let Some(part) = Part::from_name(&name) {
                        usage = usage.with(part, map.next_value()?);
                    } else {
                        map.next_value::<IgnoredAny>()?;
                        return Err(de::Error::custom(format_args!("`{name}` is not a part")));
                    }
                }
                Ok(usage)
            }
        }
        from.deserialize_map(Counts)
    }
}

/// Serializes as in a document.
impl Serialize for ModelRecord {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.to_node().serialize(to)
    }
}

/// Serializes as a [`ModelRecord`].
impl Serialize for ModelEntry {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.to_record().serialize(to)
    }
}

/// Serializes as the document.
impl Serialize for CatalogSnapshot {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.to_node().serialize(to)
    }
}

impl Serialize for Node {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null | Self::Fraction => to.serialize_unit(),
            Self::Bool(value) => to.serialize_bool(*value),
            Self::Whole(number) => match u64::try_from(*number) {
                Ok(number) => to.serialize_u64(number),
                Err(_) => to.serialize_i128(*number),
            },
            Self::Text(text) => to.serialize_str(text),
            Self::List(nodes) => {
                let mut list = to.serialize_seq(Some(nodes.len()))?;
                for node in nodes {
                    list.serialize_element(node)?;
                }
                list.end()
            }
            Self::Map(fields) => {
                let mut map = to.serialize_map(Some(fields.len()))?;
                for (name, node) in fields {
                    map.serialize_entry(name, node)?;
                }
                map.end()
            }
        }
    }
}
