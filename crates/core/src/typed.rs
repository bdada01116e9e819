//! JSON text into typed values, where an object must be written as an object.
//!
//! `serde_json` also takes a list of members in their order for a struct, which nobody writes; the code for that is more than a
//! third of what reads a struct, for every struct there is. Whoever reads through this has none of it.

use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor};

/// Reads a whole text.
pub fn from_str<'de, T: Deserialize<'de>>(text: &'de str) -> serde_json::Result<T> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let value = T::deserialize(Objects(&mut reader))?;
    reader.end()?;
    Ok(value)
}

/// A reader that asks for an object where a struct is wanted.
struct Objects<D>(D);

/// A visitor of what holds other values, which are read in the same way.
struct Inside<V>(V);

/// A visitor of an object, and of nothing else.
struct Object<V>(V);

/// Entries of a list, an object or an enum.
struct Parts<A>(A);

/// A value to come.
struct Seed<S>(S);

/// An object to come.
struct ObjectSeed<V>(V);

/// Scalars hold nothing, and what is read as any value holds no struct.
macro_rules! as_they_are {
    ($($method:ident)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
            self.0.$method(visitor)
        })*
    };
}

macro_rules! inside {
    ($($method:ident($($name:ident: $kind:ty),*))*) => {
        $(fn $method<V: Visitor<'de>>(self, $($name: $kind,)* visitor: V) -> Result<V::Value, D::Error> {
            self.0.$method($($name,)* Inside(visitor))
        })*
    };
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Objects<D> {
    type Error = D::Error;

    as_they_are! {
        deserialize_any deserialize_bool deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_u8 deserialize_u16
        deserialize_u32 deserialize_u64 deserialize_f32 deserialize_f64 deserialize_char deserialize_str deserialize_string
        deserialize_bytes deserialize_byte_buf deserialize_unit deserialize_identifier deserialize_ignored_any
    }

    inside! {
        deserialize_option()
        deserialize_seq()
        deserialize_map()
        deserialize_unit_struct(name: &'static str)
        deserialize_newtype_struct(name: &'static str)
        deserialize_tuple(len: usize)
        deserialize_tuple_struct(name: &'static str, len: usize)
        deserialize_enum(name: &'static str, variants: &'static [&'static str])
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0.deserialize_map(Object(visitor))
    }

    fn is_human_readable(&self) -> bool {
        self.0.is_human_readable()
    }
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Inside<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }

    fn visit_none<E: serde::de::Error>(self) -> Result<V::Value, E> {
        self.0.visit_none()
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<V::Value, E> {
        self.0.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, value: D) -> Result<V::Value, D::Error> {
        self.0.visit_some(Objects(value))
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, value: D) -> Result<V::Value, D::Error> {
        self.0.visit_newtype_struct(Objects(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, parts: A) -> Result<V::Value, A::Error> {
        self.0.visit_seq(Parts(parts))
    }

    fn visit_map<A: MapAccess<'de>>(self, parts: A) -> Result<V::Value, A::Error> {
        self.0.visit_map(Parts(parts))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, parts: A) -> Result<V::Value, A::Error> {
        self.0.visit_enum(Parts(parts))
    }
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Object<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }

    fn visit_map<A: MapAccess<'de>>(self, parts: A) -> Result<V::Value, A::Error> {
        self.0.visit_map(Parts(parts))
    }
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Parts<A> {
    type Error = A::Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        self.0.next_element_seed(Seed(seed))
    }

    fn size_hint(&self) -> Option<usize> {
        self.0.size_hint()
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Parts<A> {
    type Error = A::Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        self.0.next_key_seed(seed)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        self.0.next_value_seed(Seed(seed))
    }

    fn size_hint(&self) -> Option<usize> {
        self.0.size_hint()
    }
}

impl<'de, A: EnumAccess<'de>> EnumAccess<'de> for Parts<A> {
    type Error = A::Error;
    type Variant = Parts<A::Variant>;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Parts<A::Variant>), A::Error> {
        self.0.variant_seed(seed).map(|(name, variant)| (name, Parts(variant)))
    }
}

impl<'de, A: VariantAccess<'de>> VariantAccess<'de> for Parts<A> {
    type Error = A::Error;

    fn unit_variant(self) -> Result<(), A::Error> {
        self.0.unit_variant()
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, A::Error> {
        self.0.newtype_variant_seed(Seed(seed))
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, A::Error> {
        self.0.tuple_variant(len, Inside(visitor))
    }

    fn struct_variant<V: Visitor<'de>>(self, _fields: &'static [&'static str], visitor: V) -> Result<V::Value, A::Error> {
        self.0.newtype_variant_seed(ObjectSeed(visitor))
    }
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Seed<S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<S::Value, D::Error> {
        self.0.deserialize(Objects(reader))
    }
}

impl<'de, V: Visitor<'de>> DeserializeSeed<'de> for ObjectSeed<V> {
    type Value = V::Value;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<V::Value, D::Error> {
        reader.deserialize_map(Object(self.0))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::Value;

    use super::*;

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Whole {
        name: String,
        #[serde(default)]
        parts: Vec<Part>,
        pair: (u32, Option<Part>),
        any: Value,
        by_name: BTreeMap<String, Part>,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Part {
        Nothing,
        Number(f64),
        Both(i32, bool),
        Inner { at: i64, mark: Option<Marked> },
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(untagged)]
    enum Marked {
        Word(String),
        Object { size: u8 },
    }

    const TEXT: &str = r#"{
        "name": "한", "pair": [7, {"number": 0.5}], "any": {"list": [1, null]},
        "parts": ["nothing", {"both": [-1, true]}, {"inner": {"at": 5, "mark": {"size": 3}}}, {"inner": {"at": 6, "mark": "w"}}],
        "by_name": {"a": {"inner": {"at": 1, "mark": null}}}
    }"#;

    #[test]
    fn values_are_as_serde_json_reads_them() {
        assert_eq!(from_str::<Whole>(TEXT).expect("read"), serde_json::from_str::<Whole>(TEXT).expect("read"));
    }

    #[test]
    fn errors_are_those_of_serde_json() {
        for (from, to) in [
            ("\"name\": \"한\"", "\"name\": 1"),
            ("\"name\": \"한\", ", ""),
            ("\"name\"", "\"nam\""),
            ("\"nothing\"", "\"nought\""),
            ("\"at\": 5", "\"at\": \"5\""),
            ("[7,", "["),
            ("null]}", "null}"),
        ] {
            let text = TEXT.replacen(from, to, 1);
            assert_ne!(text, TEXT);
            let wanted = serde_json::from_str::<Whole>(&text).expect_err("wrong").to_string();
            assert_eq!(from_str::<Whole>(&text).expect_err("wrong").to_string(), wanted, "{to}");
        }
        assert!(from_str::<u32>("1 2").is_err(), "something stands behind the value");
    }

    #[test]
    fn a_list_is_no_object() {
        let list = r#"["n", [], [7, null], 1, {}]"#;
        assert!(serde_json::from_str::<Whole>(list).is_ok());
        let why = from_str::<Whole>(list).expect_err("wrong").to_string();
        assert!(why.starts_with("invalid type: sequence, expected struct Whole"), "{why}");
        assert!(from_str::<Part>(r#"{"inner": [5, null]}"#).is_err());
    }
}
