//! From witnesses to text.

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use uuid::Uuid;

use super::{
    Constraint, Content, Invariant, InvariantKind, Location, Metadata, Segment, Waypoint, Witness,
};

/// The text of a witness. Its identifier is made from its content, the time aside: the same verdict
/// about the same file has the same one.
pub fn write(witness: &Witness) -> String {
    let mut witness = witness.clone();
    let time = std::mem::take(&mut witness.metadata.creation_time);
    let text = yaml(&witness);
    witness.metadata.uuid = Uuid::new_v5(&Uuid::NAMESPACE_OID, text.as_bytes()).to_string();
    witness.metadata.creation_time = time;
    yaml(&witness)
}

fn yaml(witness: &Witness) -> String {
    // Formulas stay on one line: not every reader joins lines as YAML wants it.
    let options = serde_saphyr::ser_options! { prefer_block_scalars: false };
    serde_saphyr::to_string_with_options(&[witness], options)
        .expect("a witness has nothing that YAML cannot say")
}

/// A mapping of keys to values that are shown in one way or another.
macro_rules! mapping {
    ($serializer:expr, $($key:literal => $value:expr),* $(,)?) => {{
        let mut map = $serializer.serialize_map(None)?;
        $(map.serialize_entry($key, $value)?;)*
        map.end()
    }};
}

impl Serialize for Witness {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let entry_type = match self.content {
            Content::Correctness(_) => "invariant_set",
            Content::Violation(_) => "violation_sequence",
        };
        mapping!(
            serializer,
            "entry_type" => entry_type,
            "metadata" => &self.metadata,
            "content" => &self.content,
        )
    }
}

impl Serialize for Metadata {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        mapping!(
            serializer,
            "format_version" => &self.format_version,
            "uuid" => &self.uuid,
            "creation_time" => &self.creation_time,
            "producer" => &Pairs(&[("name", &self.producer.name), ("version", &self.producer.version)]),
            "task" => &Task(&self.task),
        )
    }
}

struct Pairs<'a>(&'a [(&'a str, &'a String)]);

impl Serialize for Pairs<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (*key, *value)))
    }
}

struct Task<'a>(&'a super::Task);

impl Serialize for Task<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let names: Vec<&String> = self.0.files.iter().map(|(name, _)| name).collect();
        let hashed =
            self.0.files.iter().filter_map(|(name, hash)| Some((name.as_str(), hash.as_ref()?)));
        let hashed: Vec<(&str, &String)> = hashed.collect();
        mapping!(
            serializer,
            "input_files" => &names,
            "input_file_hashes" => &Pairs(&hashed),
            "specification" => &self.0.specification,
            "data_model" => &self.0.data_model,
            "language" => &self.0.language,
        )
    }
}

impl Serialize for Content {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Content::Correctness(invariants) => {
                let mut list = serializer.serialize_seq(Some(invariants.len()))?;
                for invariant in invariants {
                    list.serialize_element(&Under("invariant", invariant))?;
                }
                list.end()
            }
            Content::Violation(segments) => {
                let mut list = serializer.serialize_seq(Some(segments.len()))?;
                for segment in segments {
                    list.serialize_element(&Under("segment", segment))?;
                }
                list.end()
            }
        }
    }
}

/// A mapping with one key.
struct Under<'a, T>(&'static str, &'a T);

impl<T: Serialize> Serialize for Under<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(1))?;
        map.serialize_entry(self.0, self.1)?;
        map.end()
    }
}

impl Serialize for Location {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("file_name", &self.file_name)?;
        map.serialize_entry("line", &self.line)?;
        if let Some(column) = &self.column {
            map.serialize_entry("column", column)?;
        }
        if let Some(function) = &self.function {
            map.serialize_entry("function", function)?;
        }
        map.end()
    }
}

impl Serialize for Invariant {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        let (name, values) = match &self.kind {
            InvariantKind::Loop(value) => ("loop_invariant", vec![("value", Some(value))]),
            InvariantKind::Location(value) => ("location_invariant", vec![("value", Some(value))]),
            InvariantKind::Contract { requires, ensures } => (
                "function_contract",
                vec![("requires", requires.as_ref()), ("ensures", ensures.as_ref())],
            ),
        };
        map.serialize_entry("type", name)?;
        map.serialize_entry("location", &self.location)?;
        for (key, value) in values {
            if let Some(value) = value {
                map.serialize_entry(key, value)?;
            }
        }
        map.serialize_entry("format", &self.format)?;
        map.end()
    }
}

impl Serialize for Segment {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let avoid = self.avoid.iter().map(|waypoint| ("avoid", waypoint));
        let follow = self.follow.iter().map(|waypoint| ("follow", waypoint));
        let all: Vec<_> = avoid.chain(follow).collect();
        let mut list = serializer.serialize_seq(Some(all.len()))?;
        for (action, waypoint) in all {
            list.serialize_element(&Under("waypoint", &Acted(action, waypoint)))?;
        }
        list.end()
    }
}

struct Acted<'a>(&'static str, &'a Waypoint);

impl Serialize for Acted<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Acted(action, waypoint) = self;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("type", waypoint.kind.name())?;
        map.serialize_entry("action", action)?;
        map.serialize_entry("location", &waypoint.location)?;
        if let Some(constraint) = &waypoint.constraint {
            map.serialize_entry("constraint", constraint)?;
        }
        map.end()
    }
}

impl Serialize for Constraint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("value", &self.value)?;
        if let Some(format) = &self.format {
            map.serialize_entry("format", format)?;
        }
        map.end()
    }
}
