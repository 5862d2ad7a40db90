//! Automata as JSON, schema `lakatos-cfa/1`. Field names and order are part of the schema; new
//! fields may be added.

use lakatos_ir::{Edge, EdgeId, Instr, LocId, Program, Span};
use serde::Serialize;

use super::Drawn;
use super::marks::{Kind, Marks, labels};
use crate::excerpt::Excerpt;

/// Characters of the source line that are shown with an edge.
const SOURCE_WIDTH: usize = 200;

#[derive(Serialize)]
struct Document<'p> {
    schema: &'static str,
    file: &'p str,
    main: &'p str,
    start: &'p str,
    procedures: Vec<ProcedureJson<'p>>,
}

#[derive(Serialize)]
struct ProcedureJson<'p> {
    name: &'p str,
    signature: String,
    #[serde(flatten)]
    at: Option<At<'p>>,
    entry: String,
    exit: String,
    locations: Vec<LocationJson<'p>>,
    edges: Vec<EdgeJson<'p>>,
}

/// Where in the user's file; absent for what is not in the source.
#[derive(Serialize)]
struct At<'p> {
    file: &'p str,
    line: u32,
    column: u32,
}

#[derive(Serialize)]
struct LocationJson<'p> {
    id: String,
    /// `entry`, `exit`, `error`, `end` or `plain`.
    kind: &'static str,
    loop_head: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    labels: Vec<&'p str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    violation: Option<ViolationJson<'p>>,
    #[serde(flatten)]
    at: Option<At<'p>>,
}

#[derive(Serialize)]
struct ViolationJson<'p> {
    property: &'static str,
    message: &'p str,
}

#[derive(Serialize)]
struct EdgeJson<'p> {
    id: String,
    from: String,
    to: String,
    kind: &'static str,
    text: String,
    /// The edge closes a cycle.
    back: bool,
    #[serde(flatten)]
    at: Option<At<'p>>,
    /// Bytes of the parsed text.
    #[serde(skip_serializing_if = "Option::is_none")]
    span: Option<[u32; 2]>,
    /// The source line, or a window of a very long one.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
}

pub(super) fn json(program: &Program, procs: &[Drawn<'_>]) -> String {
    let document = Document {
        schema: "lakatos-cfa/1",
        file: program.source.name(),
        main: &program.procs[program.main].name,
        start: &program.procs[program.start].name,
        procedures: procs.iter().map(|p| procedure(program, p)).collect(),
    };
    // Strings, numbers and lists only: this cannot fail.
    serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"
}

fn procedure<'p>(program: &'p Program, drawn: &Drawn<'p>) -> ProcedureJson<'p> {
    let (cfa, marks) = (drawn.cfa, Marks::of(drawn.cfa));
    let mut labels = labels(cfa);
    let locations = cfa.locs.iter().map(|(id, loc)| LocationJson {
        id: name(id),
        kind: Kind::of(program, cfa, id).name(),
        loop_head: marks.is_head(id),
        labels: std::mem::take(&mut labels[id]),
        violation: loc
            .error
            .as_ref()
            .map(|e| ViolationJson { property: e.property.name(), message: &e.message }),
        at: at(program, loc.span),
    });
    ProcedureJson {
        name: &drawn.proc.name,
        signature: program.show_signature(drawn.id).to_string(),
        at: at(program, drawn.proc.span),
        entry: name(cfa.entry),
        exit: name(cfa.exit),
        locations: locations.collect(),
        edges: cfa.edges.iter().map(|(id, e)| edge(program, id, e, marks.is_back(id))).collect(),
    }
}

fn edge<'p>(program: &'p Program, id: EdgeId, edge: &Edge, back: bool) -> EdgeJson<'p> {
    let is_known = edge.span != Span::default();
    EdgeJson {
        id: format!("{id:?}"),
        from: name(edge.from),
        to: name(edge.to),
        kind: match edge.instr {
            Instr::Skip => "skip",
            Instr::Assign(..) => "assign",
            Instr::Assume(_) => "assume",
            Instr::Havoc(..) => "havoc",
            Instr::Call(_) => "call",
            Instr::Return(_) => "return",
            Instr::Dead(_) => "dead",
            Instr::Block(_) => "block",
        },
        text: program.show_instr(&edge.instr).to_string(),
        back,
        at: at(program, edge.span),
        span: is_known.then_some([edge.span.start, edge.span.end]),
        source: is_known
            .then(|| Excerpt::new(&program.source, edge.span, SOURCE_WIDTH).text.trim().to_owned()),
    }
}

fn at(program: &Program, span: Span) -> Option<At<'_>> {
    let position = (span != Span::default()).then(|| program.source.position(span.start))?;
    Some(At { file: position.file, line: position.line, column: position.column })
}

fn name(loc: LocId) -> String {
    format!("{loc:?}")
}
