//! Reading what a schema describes, and nothing else.
//!
//! serde is generous where a schema isn't: a derived struct can also be read from an array, a
//! variant without data from `{"Variant":null}`, and a map that has a key twice keeps the last
//! value. A thin layer over the deserializer takes this away, in whatever type a tool has.
//!
//! What serde reads into a buffer of its own first (an untagged or internally tagged enum, a
//! flattened field) doesn't pass through here a second time, and stays generous.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::HashSet;
use std::fmt;

use serde::de::{
    Deserialize, DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Error, IgnoredAny,
    IntoDeserializer, MapAccess, SeqAccess, Unexpected, VariantAccess, Visitor,
};

use super::forgive::{Due, Forgiven, Scalar};

/// One reading of a text.
#[derive(Default)]
pub(super) struct Pass<'t> {
    /// Set when something was read whose keys are not fixed: there, nobody misses a repeated one.
    pub(super) open: Cell<bool>,
    /// What a model is forgiven; nothing at first.
    pub(super) forgiven: Option<Forgiven<'t>>,
    /// How far the text had been read when the first value failed: on the way out of what it is
    /// in, serde_json reads on.
    pub(super) failed: Cell<Option<usize>>,
}

impl Pass<'_> {
    #[cold]
    fn fail(&self) {
        if let (None, Some(forgiven)) = (self.failed.get(), &self.forgiven) {
            self.failed.set(Some(forgiven.read.get()));
        }
    }
}

/// A deserializer, visitor, seed or access of serde's, and everything that it leads to.
pub(super) struct Strict<'s, T> {
    inner: T,
    pass: &'s Pass<'s>,
}

impl<'s, T> Strict<'s, T> {
    pub(super) fn new(inner: T, pass: &'s Pass<'s>) -> Self {
        Self { inner, pass }
    }
}

/// Reads a value, whole.
pub(super) fn read<T: DeserializeOwned>(text: &str) -> Result<T, serde_json::Error> {
    let pass = Pass::default();
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let value = T::deserialize(Strict::new(&mut deserializer, &pass))?;
    deserializer.end()?;
    if pass.open.get() {
        serde_json::from_str::<UniqueKeys>(text)?;
    }
    Ok(value)
}

macro_rules! as_it_is {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
            self.inner.$method(visitor)
        }
    )*};
}

macro_rules! scalars {
    ($($method:ident: $due:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
            match &self.pass.forgiven {
                None => self.inner.$method(visitor),
                // What is no number is to reach the visitor too.
                Some(forgiven) => self.inner.deserialize_any(Scalar::new(
                    Strict::new(visitor, self.pass),
                    forgiven,
                    Due::$due,
                )),
            }
        }
    )*};
}

macro_rules! with_what_is_within {
    ($($method:ident($($argument:ident: $type:ty),*))*) => {$(
        fn $method<V: Visitor<'de>>(
            self,
            $($argument: $type,)*
            visitor: V,
        ) -> Result<V::Value, D::Error> {
            self.inner.$method($($argument,)* Strict::new(visitor, self.pass))
        }
    )*};
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Strict<'_, D> {
    type Error = D::Error;

    as_it_is! {
        deserialize_char deserialize_str deserialize_string
        deserialize_bytes deserialize_byte_buf
        deserialize_unit deserialize_identifier deserialize_ignored_any
    }

    scalars! {
        deserialize_bool: Bool
        deserialize_i8: Whole
        deserialize_i16: Whole
        deserialize_i32: Whole
        deserialize_i64: Whole
        deserialize_i128: Wide
        deserialize_u8: Whole
        deserialize_u16: Whole
        deserialize_u32: Whole
        deserialize_u64: Whole
        deserialize_u128: Wide
        deserialize_f64: Float
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        let Self { inner, pass } = self;
        match &pass.forgiven {
            None => inner.deserialize_f32(Narrow(visitor)),
            Some(forgiven) => inner.deserialize_any(Scalar::new(
                Strict::new(Narrow(visitor), pass),
                forgiven,
                Due::Float,
            )),
        }
    }

    with_what_is_within! {
        deserialize_option()
        deserialize_newtype_struct(name: &'static str)
        deserialize_seq()
        deserialize_tuple(len: usize)
        deserialize_tuple_struct(name: &'static str, len: usize)
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.inner.deserialize_unit_struct(name, visitor)
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.pass.open.set(true);
        self.inner.deserialize_any(Strict::new(visitor, self.pass))
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.pass.open.set(true);
        self.inner.deserialize_map(Strict::new(visitor, self.pass))
    }

    /// An object, and no array.
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.inner.deserialize_map(Strict::new(visitor, self.pass))
    }

    /// A text for a variant without data, and an object with one key for any other.
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.inner
            .deserialize_any(Enum(Strict::new(visitor, self.pass)))
    }

    fn is_human_readable(&self) -> bool {
        self.inner.is_human_readable()
    }
}

macro_rules! visit_as_it_is {
    ($($method:ident: $type:ty)*) => {$(
        fn $method<E: Error>(self, value: $type) -> Result<V::Value, E> {
            self.inner.$method(value)
        }
    )*};
}

/// The visitor of an `f32`, which would make infinity of what is too large for it.
struct Narrow<V>(V);

impl<'de, V: Visitor<'de>> Visitor<'de> for Narrow<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<V::Value, E> {
        if value.abs() > f64::from(f32::MAX) {
            let expected = "a number of at most 3.4e38 in size";
            return Err(E::invalid_value(Unexpected::Float(value), &expected));
        }
        self.0.visit_f64(value)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<V::Value, E> {
        self.0.visit_u64(value)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<V::Value, E> {
        self.0.visit_i64(value)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<V::Value, E> {
        self.0.visit_str(text)
    }
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Strict<'_, V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.expecting(f)
    }

    visit_as_it_is! {
        visit_bool: bool
        visit_i64: i64
        visit_i128: i128
        visit_u64: u64
        visit_u128: u128
        visit_f64: f64
        visit_str: &str
        visit_borrowed_str: &'de str
        visit_string: String
    }

    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.inner.visit_unit()
    }

    fn visit_none<E: Error>(self) -> Result<V::Value, E> {
        self.inner.visit_none()
    }

    fn visit_some<D: Deserializer<'de>>(self, inner: D) -> Result<V::Value, D::Error> {
        self.inner.visit_some(Strict::new(inner, self.pass))
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<V::Value, D::Error> {
        self.inner
            .visit_newtype_struct(Strict::new(inner, self.pass))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<V::Value, A::Error> {
        self.inner.visit_seq(Strict::new(items, self.pass))
    }

    fn visit_map<A: MapAccess<'de>>(self, entries: A) -> Result<V::Value, A::Error> {
        self.inner.visit_map(Strict::new(entries, self.pass))
    }
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Strict<'_, S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<S::Value, D::Error> {
        self.inner.deserialize(Strict::new(deserializer, self.pass))
    }
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Strict<'_, A> {
    type Error = A::Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, A::Error> {
        self.inner
            .next_element_seed(Strict::new(seed, self.pass))
            .inspect_err(|_| self.pass.fail())
    }

    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint()
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Strict<'_, A> {
    type Error = A::Error;

    /// A key is a text, whatever reads it: there is nothing within.
    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, A::Error> {
        self.inner.next_key_seed(seed)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        self.inner
            .next_value_seed(Strict::new(seed, self.pass))
            .inspect_err(|_| self.pass.fail())
    }

    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint()
    }
}

/// Shows an enum's visitor a text or an object as the variant that it is.
struct Enum<'s, V>(Strict<'s, V>);

impl<'de, V: Visitor<'de>> Visitor<'de> for Enum<'_, V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }

    fn visit_str<E: Error>(self, variant: &str) -> Result<V::Value, E> {
        self.0.inner.visit_enum(variant.into_deserializer())
    }

    fn visit_map<A: MapAccess<'de>>(self, entries: A) -> Result<V::Value, A::Error> {
        self.0.inner.visit_enum(Variant {
            entries,
            pass: self.0.pass,
        })
    }
}

/// `{"Variant": …}`.
struct Variant<'s, A> {
    entries: A,
    pass: &'s Pass<'s>,
}

impl<'de, A: MapAccess<'de>> EnumAccess<'de> for Variant<'_, A> {
    type Error = A::Error;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(
        mut self,
        seed: S,
    ) -> Result<(S::Value, Self), A::Error> {
        match self.entries.next_key_seed(seed)? {
            Some(variant) => Ok((variant, self)),
            None => Err(one_key()),
        }
    }
}

impl<'de, A: MapAccess<'de>> Variant<'_, A> {
    fn data<S: DeserializeSeed<'de>>(mut self, seed: S) -> Result<S::Value, A::Error> {
        let data = self.entries.next_value_seed(Strict::new(seed, self.pass))?;
        match self.entries.next_key::<IgnoredAny>()? {
            None => Ok(data),
            Some(_) => Err(one_key()),
        }
    }
}

fn one_key<E: Error>() -> E {
    E::custom("a variant with data is an object with one key, its name")
}

impl<'de, A: MapAccess<'de>> VariantAccess<'de> for Variant<'_, A> {
    type Error = A::Error;

    fn unit_variant(self) -> Result<(), A::Error> {
        Err(A::Error::custom("a variant without data is its name alone"))
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, A::Error> {
        self.data(seed)
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, A::Error> {
        self.data(TupleData { len, visitor })
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        self.data(StructData(visitor))
    }
}

struct TupleData<V> {
    len: usize,
    visitor: V,
}

impl<'de, V: Visitor<'de>> DeserializeSeed<'de> for TupleData<V> {
    type Value = V::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
        deserializer.deserialize_tuple(self.len, self.visitor)
    }
}

struct StructData<V>(V);

impl<'de, V: Visitor<'de>> DeserializeSeed<'de> for StructData<V> {
    type Value = V::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
        deserializer.deserialize_struct("", &[], self.0)
    }
}

/// Any JSON in which no object has a key twice.
pub(super) struct UniqueKeys;

impl<'de> Deserialize<'de> for UniqueKeys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Self)
    }
}

macro_rules! visit_and_forget {
    ($($method:ident: $type:ty)*) => {$(
        fn $method<E>(self, _value: $type) -> Result<Self, E> {
            Ok(self)
        }
    )*};
}

impl<'de> Visitor<'de> for UniqueKeys {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    visit_and_forget! {
        visit_bool: bool
        visit_i64: i64
        visit_u64: u64
        visit_f64: f64
        visit_str: &str
    }

    fn visit_unit<E>(self) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self, A::Error> {
        while items.next_element::<Self>()?.is_some() {}
        Ok(self)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self, A::Error> {
        let mut seen = HashSet::new();
        while let Some(Key(key)) = entries.next_key()? {
            if seen.contains(&key) {
                return Err(A::Error::custom(format_args!("duplicate field `{key}`")));
            }
            entries.next_value::<Self>()?;
            seen.insert(key);
        }
        Ok(self)
    }
}

/// A key, borrowed from the text where it holds no escapes.
struct Key<'de>(Cow<'de, str>);

impl<'de> Deserialize<'de> for Key<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OfText;

        impl<'de> Visitor<'de> for OfText {
            type Value = Key<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a key")
            }

            fn visit_borrowed_str<E>(self, key: &'de str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Borrowed(key)))
            }

            fn visit_str<E>(self, key: &str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Owned(key.to_owned())))
            }
        }

        deserializer.deserialize_str(OfText)
    }
}
