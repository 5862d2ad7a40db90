//! From positions in files to places of a program, and back.

use lakatos_ir::loops::Loops;
use lakatos_ir::{LocId, ProcId, Program, Span};

use crate::format::Location;
use crate::invariants::Problem;
use crate::outline::{Kind, Outline, Statement, same_file};

/// The location of the format for the token that begins at a byte of the source. It has a column only
/// where that is certain in the user's file.
pub(crate) fn location(program: &Program, outline: &Outline, at: u32) -> Location {
    let position = program.source.position(at);
    let function = outline.function_at(program, at).map(|proc| program.procs[proc].name.clone());
    Location {
        file_name: base(position.file).to_owned(),
        line: position.line,
        column: program.source.column_in_file(at),
        function,
    }
}

fn base(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// Something that a location may mean.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate<T> {
    /// The token by which it is found.
    pub at: u32,
    pub span: Span,
    pub is: T,
}

/// A candidate on the line, with its column in the user's file if that is certain.
struct Here<T> {
    column: Option<u32>,
    candidate: Candidate<T>,
}

/// The candidate that a location means: the one at the column, or the only one of its line, or
/// without a column the leftmost.
pub(crate) fn pick<T: PartialEq>(
    program: &Program,
    outline: &Outline,
    location: &Location,
    what: &str,
    candidates: impl Iterator<Item = Candidate<T>>,
) -> Result<T, Problem> {
    let line = location.line;
    let mut here: Vec<Candidate<T>> = Vec::new();
    for candidate in candidates {
        let position = program.source.position(candidate.at);
        if position.line == line && same_file(position.file, &location.file_name) {
            here.push(candidate);
        }
    }
    if here.is_empty() {
        let message = format!("no {what} begins on line {line} of {}", location.file_name);
        return Err(Problem::Misplaced(message));
    }
    if let Some(name) = &location.function {
        let owner = |at: u32| outline.function_at(program, at).map(|p| &program.procs[p].name);
        let (wrong, right): (Vec<_>, Vec<_>) =
            here.into_iter().partition(|candidate| owner(candidate.at) != Some(name));
        if right.is_empty() {
            let found = wrong.first().and_then(|candidate| owner(candidate.at));
            let found = found.map_or("no function".to_owned(), |name| format!("`{name}`"));
            let message = format!("line {line} is in {found}, not in `{name}`");
            return Err(Problem::Misplaced(message));
        }
        here = right;
    }
    here.sort_by_key(|candidate| candidate.at);
    let column = |at: u32| program.source.column_in_file(at);
    let here: Vec<Here<T>> = here
        .into_iter()
        .map(|candidate| Here { column: column(candidate.at), candidate })
        .collect();
    let index = match location.column {
        _ if here.iter().all(|other| other.candidate.is == here[0].candidate.is) => 0,
        None => leftmost(&here, what, line)?,
        Some(column) => at_column(&here, what, line, column)?,
    };
    Ok(here.into_iter().nth(index).expect("it is one of them").candidate.is)
}

/// The leftmost of several candidates.
fn leftmost<T>(here: &[Here<T>], what: &str, line: u32) -> Result<usize, Problem> {
    let first = &here[0];
    let encloses = |other: &Here<T>| {
        let (outer, inner) = (first.candidate.span, other.candidate.at);
        outer.start <= inner && inner < outer.end
    };
    // Macros keep their order, and that of what is beside them. One may have exchanged its arguments,
    // but what encloses all others begins first.
    let made_first = here.iter().take_while(|other| other.column.is_none()).count();
    match made_first <= 1 || here.iter().all(encloses) {
        true => Ok(0),
        false => Err(Problem::Unreadable(format!(
            "which {what} of line {line} is the leftmost is not certain, as a macro made it"
        ))),
    }
}

fn at_column<T>(here: &[Here<T>], what: &str, line: u32, column: u32) -> Result<usize, Problem> {
    let at = |column: u32| here.iter().position(|own| own.column == Some(column));
    if let Some(index) = at(column) {
        return Ok(index);
    }
    if here.iter().any(|own| own.column.is_none()) {
        return Err(Problem::Unreadable(format!(
            "which {what} begins at column {column} of line {line} is not certain, as a macro made \
             some of the line"
        )));
    }
    // Some tools count columns from 0.
    let message = || format!("no {what} begins at column {column} of line {line}");
    column.checked_add(1).and_then(at).ok_or_else(|| Problem::Misplaced(message()))
}

/// A statement, or only loops.
pub(crate) fn statement(
    program: &Program,
    outline: &Outline,
    location: &Location,
    only_loops: bool,
) -> Result<Statement, Problem> {
    let wanted = |statement: &&Statement| !only_loops || statement.kind == Kind::Loop;
    let candidates = outline.statements().iter().filter(wanted);
    let candidates = candidates.map(|s| Candidate { at: s.span.start, span: s.span, is: *s });
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
    inner
        .copied()
        .ok_or_else(|| Problem::Misplaced(format!("nothing begins on line {}", location.line)))
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
