//! YAML as a tree in which every node knows where it stands in the file.

use std::fmt;

use lakatos_ir::{Diagnostic, Source, Span};
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::Spanned;

use crate::lexer::{Places, Res};

#[derive(Clone, Debug)]
pub(super) struct Node {
    pub value: Value,
    line: u64,
    column: u64,
}

#[derive(Clone, Debug)]
pub(super) enum Value {
    Null,
    Scalar(String),
    List(Vec<Node>),
    Map(Vec<(String, Node)>),
}

/// A file of YAML.
pub(super) struct Yaml<'s> {
    source: &'s Source,
    pub root: Node,
}

impl<'s> Yaml<'s> {
    pub fn new(source: &'s Source) -> Res<Yaml<'s>> {
        match serde_saphyr::from_str(source.text()) {
            Ok(root) => Ok(Yaml { source, root }),
            Err(error) => {
                let text = error.without_snippet().to_string();
                let first = text.lines().next().unwrap_or_default();
                // The position is said once, in our way.
                let message = first.split(" at line ").next().unwrap_or(first);
                let (line, column) = error.location().map_or((1, 1), |l| (l.line(), l.column()));
                let at = offset(source, line, column);
                let span = Span::new(at, at);
                Err(Diagnostic::error(span, format!("this is no YAML: {message}")).into())
            }
        }
    }

    /// Where a node begins, as a span of its first character.
    pub fn span(&self, node: &Node) -> Span {
        let at = offset(self.source, node.line, node.column);
        let text = &self.source.text()[at as usize..];
        let length = text.chars().next().map_or(0, char::len_utf8);
        Span::new(at, at + length as u32)
    }

    /// Where the bytes of a scalar's value are in the file: in quotes, or on several lines, the
    /// value is not what stands there.
    pub fn places(&self, node: &Node, value: &str) -> Places {
        let whole = self.span(node);
        match align(self.source.text(), whole.start as usize, value) {
            Some(table) => Places::Table(table),
            None => Places::Within(whole),
        }
    }
}

fn offset(source: &Source, line: u64, column: u64) -> u32 {
    let last = source.physical_line_count() - 1;
    let line = (line.saturating_sub(1) as usize).min(last);
    let span = source.physical_line_span(line);
    let text = source.snippet(span);
    let before = text.chars().take(column.saturating_sub(1) as usize).map(char::len_utf8);
    span.start + before.sum::<usize>() as u32
}

/// The place of every byte of a value, up to white space, quotes and escapes of one character.
fn align(text: &str, start: usize, value: &str) -> Option<Vec<u32>> {
    let raw = text.as_bytes();
    let mut at = start;
    if let b'|' | b'>' = *raw.get(at)? {
        at += text[at..].find('\n')?;
    }
    let quote = match raw.get(at)? {
        quote @ (b'"' | b'\'') => Some(*quote),
        _ => None,
    };
    at += usize::from(quote.is_some());
    let mut table = Vec::with_capacity(value.len());
    for &byte in value.as_bytes() {
        let blank = byte.is_ascii_whitespace();
        let here = raw.get(at).copied();
        if blank {
            // Line breaks and indentation are one blank, or a break.
            table.push(at as u32);
            while raw.get(at).is_some_and(u8::is_ascii_whitespace) {
                at += 1;
            }
            continue;
        }
        while raw.get(at).is_some_and(u8::is_ascii_whitespace) {
            at += 1;
        }
        let escaped = match (quote, here) {
            (Some(b'"'), Some(b'\\')) | (Some(b'\''), Some(b'\'')) => 1,
            _ => 0,
        };
        if raw.get(at + escaped) != Some(&byte) {
            return None;
        }
        table.push((at + escaped) as u32);
        at += escaped + 1;
    }
    Some(table)
}

struct Raw(Value);

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Node, D::Error> {
        let Spanned { value: Raw(value), referenced, .. } = Spanned::deserialize(deserializer)?;
        Ok(Node { value, line: referenced.line(), column: referenced.column() })
    }
}

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Raw, D::Error> {
        deserializer.deserialize_any(Reader).map(Raw)
    }
}

struct Reader;

/// Numbers and truth values are kept as text: nothing here asks for them.
impl<'de> Visitor<'de> for Reader {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any YAML")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Scalar(value.to_string()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Scalar(value.to_string()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Scalar(value.to_string()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Value::Scalar(format!("{value:?}")))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::Scalar(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(node) = seq.next_element()? {
            list.push(node);
        }
        Ok(Value::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry::<String, Node>()? {
            entries.push(entry);
        }
        Ok(Value::Map(entries))
    }
}
