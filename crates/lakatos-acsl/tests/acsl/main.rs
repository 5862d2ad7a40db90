//! The reader and type checker of ACSL, as a user of the crate sees them.

mod accepted;
mod contracts;
mod deep;
mod errors;
mod fuzz;
mod generate;
mod lemma_sets;
mod programs;
mod roundtrip;
mod show;
mod table;

use lakatos_acsl::env::{Entity, Table, Tag};
use lakatos_acsl::types::{CType, Enum, Record};
use lakatos_c::types::{FloatKind, IntKind};
use lakatos_ir::{Diagnostic, RecordKind, Severity, Source};
use std::sync::Arc;

pub fn pointer(to: CType) -> CType {
    CType::Pointer(Arc::new(to))
}

pub const INT: CType = CType::Int(IntKind::Int);

/// A small program to speak of:
///
/// ```c
/// enum color { RED, GREEN = 5 };  typedef int number;  struct pair { int x; struct pair *next; int a[3]; };
/// int i, n, g;  char c;  unsigned u;  double d;  int *a, *p;  char *s;  void *v;
/// int arr[10], m[2][3];  struct pair q, *r;  int f(int n, …);
/// ```
///
/// of which `n` and `a` are parameters.
pub fn program() -> Table {
    let mut table = Table::default();
    for name in ["i", "g"] {
        table.variable(name, INT, false);
    }
    table.variable("n", INT, true);
    table.variable("c", CType::Int(IntKind::Char), false);
    table.variable("u", CType::Int(IntKind::UInt), false);
    table.variable("d", CType::Float(FloatKind::Double), false);
    table.variable("a", pointer(INT), true);
    table.variable("p", pointer(INT), false);
    table.variable("s", pointer(CType::Int(IntKind::Char)), false);
    table.variable("v", pointer(CType::Void), false);
    table.variable("arr", CType::Array(Arc::new(INT), Some(10)), false);
    let row = CType::Array(Arc::new(INT), Some(3));
    table.variable("m", CType::Array(Arc::new(row.clone()), Some(2)), false);
    let pair = Record { id: 0, kind: RecordKind::Struct, tag: "pair".to_owned() };
    let pair = CType::Record(pair);
    let members = [("x", INT), ("next", pointer(pair.clone())), ("a", row)];
    assert_eq!(table.record("pair", &members), pair);
    table.variable("q", pair.clone(), false);
    table.variable("r", pointer(pair), false);
    table.names.insert("f".to_owned(), Entity::Function);
    table.names.insert("number".to_owned(), Entity::Typedef(INT));
    let color = CType::Enum(Enum { id: 0, tag: "color".to_owned(), underlying: IntKind::UInt });
    table.tags.insert((Tag::Enum, "color".to_owned()), color.clone());
    for (name, value) in [("RED", 0), ("GREEN", 5)] {
        let value = value.into();
        table.names.insert(name.to_owned(), Entity::Enumerator { value, ty: color.clone() });
    }
    table.labels = vec!["again".to_owned()];
    table.behaviors = vec!["small".to_owned(), "large".to_owned()];
    table
}

/// Diagnostics with their places, notes and help.
pub fn lines(source: &Source, diagnostics: &[Diagnostic]) -> String {
    let mut text = String::new();
    for d in diagnostics {
        let severity = match d.severity {
            Severity::Error => "error",
            Severity::Unsupported => "unsupported",
            Severity::Warning => "warning",
        };
        text += &format!("{}: {severity}: {}\n", source.position(d.span.start), d.message);
        for (span, note) in &d.notes {
            text += &format!("  {}: {note}\n", source.position(span.start));
        }
        if let Some(help) = &d.help {
            text += &format!("  help: {help}\n");
        }
    }
    text
}
