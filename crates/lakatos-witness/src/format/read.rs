//! From text to witnesses.

use super::yaml::{Node, Value};
use super::{
    Constraint, Content, Invariant, InvariantKind, Location, Metadata, Producer, Segment, Task,
    Waypoint, WaypointKind, Witness,
};

/// What is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {message}")]
pub struct Malformed {
    /// From 1.
    pub line: u64,
    pub column: u64,
    pub message: String,
}

type Res<T> = Result<T, Malformed>;

/// Reads a file: its witnesses, and notes about what was passed over.
pub fn read(text: &str) -> Res<(Vec<Witness>, Vec<String>)> {
    let node: Node = serde_saphyr::from_str(text).map_err(|error| not_yaml(&error))?;
    let mut notes = Vec::new();
    let entries = match &node.value {
        Value::List(entries) => entries.iter().collect(),
        // A lone entry is no list, but there is no doubt what is meant.
        Value::Map(_) => vec![&node],
        _ => return node.wrong("a witness is a list of entries"),
    };
    let mut witnesses = Vec::new();
    for entry in entries {
        witnesses.extend(witness(entry, &mut notes)?);
    }
    match witnesses.is_empty() {
        true => node.wrong("there is no entry of type `invariant_set` or `violation_sequence`"),
        false => Ok((witnesses, notes)),
    }
}

/// The text is no YAML: where, and why.
fn not_yaml(error: &serde_saphyr::Error) -> Malformed {
    let text = error.without_snippet().to_string();
    let first = text.lines().next().unwrap_or_default();
    // The position is said once, in our way.
    let message = first.split(" at line ").next().unwrap_or(first);
    let (line, column) = error.location().map_or((1, 1), |at| (at.line(), at.column()));
    Malformed { line, column, message: format!("this is no YAML: {message}") }
}

fn witness(entry: &Node, notes: &mut Vec<String>) -> Res<Option<Witness>> {
    let entry_type = entry.text("entry_type")?;
    if entry_type != "invariant_set" && entry_type != "violation_sequence" {
        notes.push(entry.note(&format!("entries of type `{entry_type}` are passed over")));
        return Ok(None);
    }
    entry.only(&["entry_type", "metadata", "content"], notes);
    let metadata = metadata(entry.get("metadata")?, notes)?;
    let content = entry.get("content")?.list()?;
    let content = match entry_type.as_str() {
        "invariant_set" => Content::Correctness(
            content.iter().map(|item| invariant(item, notes)).collect::<Res<Vec<_>>>()?,
        ),
        _ => Content::Violation(
            content.iter().map(|item| segment(item, notes)).collect::<Res<Vec<_>>>()?,
        ),
    };
    Ok(Some(Witness { metadata, content }))
}

fn metadata(node: &Node, notes: &mut Vec<String>) -> Res<Metadata> {
    node.only(&["format_version", "uuid", "creation_time", "producer", "task"], notes);
    let format_version = node.text("format_version")?;
    if format_version != "2.0" && format_version != "2.1" {
        let at = node.get("format_version")?;
        let message = format!("the format version is {format_version}; 2.0 and 2.1 are supported");
        return at.wrong(&message);
    }
    let producer = match node.find("producer") {
        None => Producer::default(),
        Some(producer) => Producer {
            name: producer.optional("name")?.unwrap_or_default(),
            version: producer.optional("version")?.unwrap_or_default(),
        },
    };
    Ok(Metadata {
        format_version,
        uuid: node.optional("uuid")?.unwrap_or_default(),
        creation_time: node.optional("creation_time")?.unwrap_or_default(),
        producer,
        task: task(node.get("task")?, notes)?,
    })
}

fn task(node: &Node, notes: &mut Vec<String>) -> Res<Task> {
    node.only(
        &["input_files", "input_file_hashes", "specification", "data_model", "language"],
        notes,
    );
    let files = node.get("input_files")?;
    let names: Vec<String> = match &files.value {
        Value::List(list) => list.iter().map(Node::scalar).collect::<Res<_>>()?,
        _ => vec![files.scalar()?],
    };
    let hashes = match node.find("input_file_hashes").map(|hashes| &hashes.value) {
        Some(Value::Map(entries)) => {
            let mut hashes = Vec::new();
            for (name, hash) in entries {
                hashes.push((name.clone(), hash.scalar()?));
            }
            hashes
        }
        _ => Vec::new(),
    };
    let hash_of = |name: &str| {
        let same = hashes.iter().find(|(other, _)| other == name);
        let same = same
            .or_else(|| hashes.iter().find(|(other, _)| crate::outline::same_file(other, name)));
        same.map(|(_, hash)| hash.clone())
    };
    let files = names.into_iter().map(|name| (name.clone(), hash_of(&name))).collect();
    Ok(Task {
        files,
        specification: node.text("specification")?,
        data_model: node.text("data_model")?,
        language: node.optional("language")?.unwrap_or_else(|| "C".to_owned()),
    })
}

fn location(node: &Node, notes: &mut Vec<String>) -> Res<Location> {
    node.only(&["file_name", "file_hash", "line", "column", "function", "identifier"], notes);
    let line = node.get("line")?.number()?;
    let column = match node.find("column") {
        None => None,
        Some(column) => Some(column.number()?),
    };
    let function = node.optional("function")?;
    Ok(Location { file_name: node.text("file_name")?, line, column, function })
}

fn invariant(item: &Node, notes: &mut Vec<String>) -> Res<Invariant> {
    let node = item.get("invariant")?;
    let known = ["type", "location", "value", "format", "requires", "ensures"];
    node.only(&known, notes);
    let location = location(node.get("location")?, notes)?;
    let kind = node.text("type")?;
    let kind = match kind.as_str() {
        "loop_invariant" => InvariantKind::Loop(node.text("value")?),
        "location_invariant" => InvariantKind::Location(node.text("value")?),
        "function_contract" => InvariantKind::Contract {
            requires: node.optional("requires")?,
            ensures: node.optional("ensures")?,
        },
        other => {
            let message = format!("`{other}` is no type of invariant that is known here");
            return node.get("type")?.wrong(&message);
        }
    };
    let format = node.optional("format")?.unwrap_or_else(|| "c_expression".to_owned());
    Ok(Invariant { kind, location, format })
}

fn segment(item: &Node, notes: &mut Vec<String>) -> Res<Segment> {
    let node = item.get("segment")?;
    let mut segment = Segment::default();
    for waypoint in node.list()? {
        let node = waypoint.get("waypoint")?;
        let read = self::waypoint(node, notes)?;
        let action = node.text("action")?;
        match action.as_str() {
            "avoid" if segment.follow.is_none() => segment.avoid.push(read),
            "follow" if segment.follow.is_none() => segment.follow = Some(read),
            "avoid" | "follow" => {
                return node.wrong("a segment ends with its waypoint to follow");
            }
            other => {
                let message = format!("`{other}` is no action; `follow` and `avoid` are");
                return node.get("action")?.wrong(&message);
            }
        }
    }
    match segment.follow {
        Some(_) => Ok(segment),
        None => node.wrong("a segment has a waypoint to follow"),
    }
}

fn waypoint(node: &Node, notes: &mut Vec<String>) -> Res<Waypoint> {
    node.only(&["type", "action", "location", "constraint"], notes);
    let name = node.text("type")?;
    let kind = WaypointKind::ALL.into_iter().find(|kind| kind.name() == name);
    let Some(kind) = kind else {
        return node.get("type")?.wrong(&format!("`{name}` is no type of waypoint"));
    };
    let constraint = match node.find("constraint") {
        None => None,
        Some(constraint) => {
            constraint.only(&["value", "format"], notes);
            let format = constraint.optional("format")?;
            Some(Constraint { value: constraint.text("value")?, format })
        }
    };
    let location = location(node.get("location")?, notes)?;
    if constraint.is_none() && kind == WaypointKind::Assumption {
        return node.wrong("an assumption has a constraint");
    }
    Ok(Waypoint { kind, location, constraint })
}

impl Node {
    fn wrong<T>(&self, message: &str) -> Res<T> {
        Err(Malformed { line: self.line, column: self.column, message: message.to_owned() })
    }

    fn note(&self, message: &str) -> String {
        format!("line {}: {message}", self.line)
    }

    fn find(&self, key: &str) -> Option<&Node> {
        let Value::Map(entries) = &self.value else { return None };
        let found = entries.iter().find(|(name, _)| name == key).map(|(_, node)| node);
        found.filter(|node| !matches!(node.value, Value::Null))
    }

    fn get(&self, key: &str) -> Res<&Node> {
        match (self.find(key), &self.value) {
            (Some(node), _) => Ok(node),
            (None, Value::Map(_)) => self.wrong(&format!("`{key}` is missing here")),
            (None, _) => self.wrong(&format!("keys and values are expected here, `{key}` first")),
        }
    }

    fn scalar(&self) -> Res<String> {
        match &self.value {
            Value::Scalar(text) => Ok(text.clone()),
            _ => self.wrong("a single value is expected here"),
        }
    }

    fn text(&self, key: &str) -> Res<String> {
        self.get(key)?.scalar()
    }

    fn optional(&self, key: &str) -> Res<Option<String>> {
        self.find(key).map(Node::scalar).transpose()
    }

    fn number(&self) -> Res<u32> {
        match self.scalar()?.parse() {
            Ok(number) => Ok(number),
            Err(_) => self.wrong("a number is expected here"),
        }
    }

    fn list(&self) -> Res<&[Node]> {
        match &self.value {
            Value::List(list) => Ok(list),
            Value::Null => Ok(&[]),
            _ => self.wrong("a list is expected here"),
        }
    }

    /// Notes the keys that are not among the known ones.
    fn only(&self, known: &[&str], notes: &mut Vec<String>) {
        let Value::Map(entries) = &self.value else { return };
        for (name, node) in entries {
            let note = node.note(&format!("the key `{name}` is ignored"));
            if !known.contains(&name.as_str()) {
                notes.push(note);
            }
        }
    }
}
