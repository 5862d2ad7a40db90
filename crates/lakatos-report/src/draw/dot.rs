//! Graphviz text: the automaton as it is, one cluster per procedure.

use std::fmt::Write as _;

use lakatos_ir::{Instr, Program};

use super::Drawn;
use super::marks::{Kind, Marks, labels, line};
use crate::excerpt::shortened;

const HEAD: &str = "digraph cfa {
  node [shape=box, style=rounded, fontname=\"monospace\", fontsize=11];
  edge [fontname=\"monospace\", fontsize=11];
";

pub(super) fn dot(program: &Program, procs: &[Drawn<'_>]) -> String {
    let mut out = HEAD.to_owned();
    for proc in procs {
        cluster(&mut out, program, proc);
    }
    out.push_str("}\n");
    out
}

fn cluster(out: &mut String, program: &Program, drawn: &Drawn<'_>) {
    let (Drawn { id, cfa, .. }, marks) = (drawn, Marks::of(drawn.cfa));
    let title = quoted(&program.show_signature(*id).to_string());
    let _ = writeln!(out, "  subgraph cluster_{id:?} {{\n    label={title};");
    let labels = labels(cfa);
    for (loc, data) in cfa.locs.iter() {
        let kind = Kind::of(program, cfa, loc);
        let mut text: String = labels[loc].iter().map(|l| format!("{l}: ")).collect();
        let _ = write!(text, "{loc:?}");
        if kind != Kind::Plain {
            let _ = write!(text, " {}", kind.name());
        }
        if let Some(line) = line(program, data.span) {
            let _ = write!(text, " :{line}");
        }
        let look = match kind {
            Kind::Error => ", color=red, fontcolor=red, penwidth=2",
            Kind::Entry => ", color=darkgreen, penwidth=2",
            Kind::Exit => ", color=blue, penwidth=2",
            Kind::End => ", style=\"rounded,dashed\"",
            Kind::Plain => "",
        };
        let head = if marks.is_head(loc) { ", peripheries=2" } else { "" };
        let tooltip = data.error.as_ref().map_or(String::new(), |e| {
            format!(", tooltip={}", quoted(&format!("{}: {}", e.property, e.message)))
        });
        let _ = writeln!(out, "    {id:?}{loc:?} [label={}{look}{head}{tooltip}];", quoted(&text));
    }
    for (_, edge) in cfa.edges.iter() {
        let ends = format!("{id:?}{:?} -> {id:?}{:?}", edge.from, edge.to);
        let _ = match edge.instr {
            Instr::Skip => writeln!(out, "    {ends};"),
            _ => {
                let text = program.show_instr(&edge.instr).to_string();
                let (short, whole) = (quoted(&shortened(&text, 60)), quoted(&text));
                writeln!(out, "    {ends} [label={short}, tooltip={whole}];")
            }
        };
    }
    out.push_str("  }\n");
}

/// A Graphviz string: quotes and backslashes escaped, no control characters.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text))
}

/// The same, of several lines.
pub(super) fn quoted_lines(lines: &[String]) -> String {
    let lines: Vec<String> = lines.iter().map(|line| escaped(line)).collect();
    format!("\"{}\"", lines.join("\\n"))
}

fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
