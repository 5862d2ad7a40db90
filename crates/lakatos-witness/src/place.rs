//! From positions in files to places of a program, and back.

use lakatos_ir::loops::Loops;
use lakatos_ir::{LocId, ProcId, Program, Span};

use crate::format::Location;
use crate::outline::{Kind, Outline, Statement, same_file};

/// The location of the format for a byte of the source.
pub(crate) fn location(program: &Program, outline: &Outline, at: u32) -> Location {
    let position = program.source.position(at);
    let function = outline.function_at(program, at).map(|proc| program.procs[proc].name.clone());
    Location {
        file_name: base(position.file).to_owned(),
        line: position.line,
        column: Some(position.column),
        function,
    }
}

fn base(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// The candidate that a location means: the one at the column, or the only one of its line, or
/// without a column the leftmost.
pub(crate) fn pick<T>(
    program: &Program,
    outline: &Outline,
    location: &Location,
    what: &str,
    candidates: impl Iterator<Item = (u32, T)>,
) -> Result<T, String> {
    let line = location.line;
    let mut here: Vec<(u32, u32, T)> = Vec::new();
    for (at, candidate) in candidates {
        let position = program.source.position(at);
        if position.line == line && same_file(position.file, &location.file_name) {
            here.push((position.column, at, candidate));
        }
    }
    here.sort_by_key(|(column, ..)| *column);
    if here.is_empty() {
        return Err(format!("no {what} begins on line {line} of {}", location.file_name));
    }
    if let Some(name) = &location.function {
        let owner = |at: u32| outline.function_at(program, at).map(|p| &program.procs[p].name);
        let (wrong, right): (Vec<_>, Vec<_>) =
            here.into_iter().partition(|(_, at, _)| owner(*at) != Some(name));
        if right.is_empty() {
            let found = wrong.first().and_then(|(_, at, _)| owner(*at));
            let found = found.map_or("no function".to_owned(), |name| format!("`{name}`"));
            return Err(format!("line {line} is in {found}, not in `{name}`"));
        }
        here = right;
    }
    let only = here.len() == 1;
    let index = match location.column {
        None => Some(0),
        // Some tools count columns from 0.
        Some(column) => [column, column + 1]
            .into_iter()
            .find_map(|column| here.iter().position(|(own, ..)| *own == column))
            .or(only.then_some(0)),
    };
    match index {
        Some(index) => Ok(here.swap_remove(index).2),
        None => {
            let column = location.column.unwrap_or_default();
            Err(format!("no {what} begins at column {column} of line {line}"))
        }
    }
}

/// A statement, or only loops.
pub(crate) fn statement(
    program: &Program,
    outline: &Outline,
    location: &Location,
    only_loops: bool,
) -> Result<Statement, String> {
    let wanted = |statement: &&Statement| !only_loops || statement.kind == Kind::Loop;
    let candidates = outline.statements().iter().filter(wanted).map(|s| (s.span.start, *s));
    let what = if only_loops { "loop" } else { "statement" };
    let found = pick(program, outline, location, what, candidates)?;
    if found.kind != Kind::Wrapper {
        return Ok(found);
    }
    // A block begins with its first statement, a label with what it labels.
    let inner = outline.statements().iter().find(|inner| {
        let inside = found.span.start <= inner.span.start && inner.kind != Kind::Wrapper;
        inside && (inner.span.end <= found.span.end || inner.span.start >= found.span.end)
    });
    inner.copied().ok_or_else(|| format!("nothing begins on line {}", location.line))
}

/// Where a run is whenever it comes to the head of a loop; `None` if no code is left of it.
pub(crate) fn head(program: &Program, proc: ProcId, statement: Statement) -> Option<LocId> {
    let body = program.procs[proc].body.as_ref()?;
    let spans = |loc: &LocId| body.locs[*loc].span == statement.span;
    let head = Loops::new(body).cut_points().iter().copied().find(spans);
    head.or_else(|| body.locs.ids().find(spans))
}

/// Where a run is when a statement is about to begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Before {
    At(LocId),
    /// At this head of a loop, unless it comes from the loop itself.
    Entering(LocId),
}

/// The begin of a statement; `None` if no code is left of it.
pub(crate) fn before(program: &Program, proc: ProcId, statement: Statement) -> Option<Before> {
    let head = head(program, proc, statement)?;
    let body = program.procs[proc].body.as_ref()?;
    let loops = Loops::new(body);
    if statement.kind != Kind::Loop || loops.headed_by(head).is_none() {
        return Some(Before::At(head));
    }
    // What a `for` begins with comes before its head.
    let begins = |loc: &LocId| {
        *loc != head && body.locs[*loc].span == statement.span && loops.dominates(*loc, head)
    };
    let first = body.locs.ids().find(begins);
    Some(first.map_or(Before::Entering(head), Before::At))
}

/// The statement that begins at a location of an automaton.
pub(crate) fn statement_of(outline: &Outline, span: Span) -> Option<Statement> {
    let same = |statement: &&Statement| statement.span == span && statement.kind != Kind::Wrapper;
    outline.statements().iter().find(same).copied()
}
