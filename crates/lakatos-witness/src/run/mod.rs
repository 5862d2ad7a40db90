//! Violation witnesses: from refutations, and to the runs that their waypoints allow.
//!
//! The runs of a witness are those of a program ([`restricted`]) in which a counter says which
//! segment a run is in: it goes up where the run passes the waypoint to follow, a run that passes
//! one to avoid ends, and the violation is an error only in the last segment. A waypoint that
//! cannot be understood is left out: there are more runs then, never fewer. So that none exists is
//! still an answer, and a run is none.

mod guide;
mod write;

use std::collections::BTreeSet;

use lakatos_ir::pass::{self, Request as Instrument};
use lakatos_ir::splice;
use lakatos_ir::{
    Call, EdgeId, ExprId, ExprKind, Instr, IntType, LocId, PlaceKind, ProcId, Program, Property,
    Span, Type, Var, VarId, VarKind,
};

pub use self::guide::Guide;
pub use self::write::from_refutation;
use crate::expression::{Language, Moment, Place, Reader};
use crate::format::{Constraint, Segment, Waypoint, WaypointKind};
use crate::invariants::Problem;
use crate::outline::Outline;
use crate::place::{self, Before, Candidate};

/// A program whose errors are the ends of the runs that a witness allows.
#[derive(Debug)]
pub struct Restricted {
    pub program: Program,
    /// The program in which violations are error locations, without any waypoints.
    pub instrumented: Program,
    /// Waypoints that are left out, and why: a run need not be one of the witness if there are any.
    pub left_out: Vec<String>,
    /// Values that the waypoints fix.
    pub guide: Guide,
}

/// The program of the runs through the waypoints.
pub fn restricted(
    program: &Program,
    outline: &Outline,
    property: Property,
    segments: &[Segment],
) -> Result<Restricted, Problem> {
    if property.is_about_memory() {
        let message = format!("what violates {property} is not looked at in witnesses");
        return Err(Problem::Unreadable(message));
    }
    let request = Instrument { properties: &[property], error_label: None, is_run: true };
    let instrumented = pass::instrument(program.clone(), &request).0;
    let mut reader = Reader::new(instrumented.clone(), outline);
    let Some((target, normal)) = segments.split_last() else {
        return Err(Problem::Misplaced("there is no segment".to_owned()));
    };
    let Some(goal) = target.follow.as_ref().filter(|w| w.kind == WaypointKind::Target) else {
        let message = "the last segment does not end with a target".to_owned();
        return Err(Problem::Misplaced(message));
    };
    let mut left_out = Vec::new();
    let mut points = Vec::new();
    let mut segment = 0;
    for Segment { avoid, follow } in normal {
        let Some(followed) = follow else { continue };
        let Some(point) = resolve(&mut reader, outline, followed, segment, true, &mut left_out)?
        else {
            continue;
        };
        for waypoint in avoid {
            points.extend(resolve(&mut reader, outline, waypoint, segment, false, &mut left_out)?);
        }
        points.push(point);
        segment += 1;
    }
    for waypoint in &target.avoid {
        points.extend(resolve(&mut reader, outline, waypoint, segment, false, &mut left_out)?);
    }
    let errors = errors(&reader.program, outline, goal)?;
    let program = build(reader.program, &points, segment, &errors);
    Ok(Restricted { program, instrumented, left_out, guide: Guide::new(normal) })
}

/// Where a run passes a waypoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    Location(ProcId, LocId),
    /// When this edge has been taken.
    After(ProcId, EdgeId),
    /// When this edge is about to be taken.
    Before(ProcId, EdgeId),
}

#[derive(Clone, Copy, Debug)]
struct Point {
    at: At,
    segment: i128,
    follow: bool,
    condition: Option<ExprId>,
}

/// Where a waypoint is in the automata; `None` if it cannot be looked at, which is told.
fn resolve(
    reader: &mut Reader<'_>,
    outline: &Outline,
    waypoint: &Waypoint,
    segment: i128,
    follow: bool,
    left_out: &mut Vec<String>,
) -> Result<Option<Point>, Problem> {
    let found = match waypoint.kind {
        WaypointKind::Assumption => assumption(reader, outline, waypoint)?,
        WaypointKind::FunctionEnter | WaypointKind::FunctionReturn => {
            call(reader, outline, waypoint)?
        }
        WaypointKind::Branching => branching(reader, outline, waypoint)?,
        WaypointKind::Target => Err("a target stands before the end".to_owned()),
    };
    match found {
        Ok((at, condition)) => Ok(Some(Point { at, segment, follow, condition })),
        Err(reason) => {
            let (kind, line) = (waypoint.kind.name(), waypoint.location.line);
            left_out.push(format!("the waypoint `{kind}` on line {line} is left out: {reason}"));
            Ok(None)
        }
    }
}

/// A place and a condition, or why there is none.
type Found = Result<(At, Option<ExprId>), String>;

/// The language of a constraint: at least this one, whatever its format is called.
fn language(constraint: &Constraint, least: Language) -> Result<Language, String> {
    match constraint.format.as_deref() {
        Some("acsl_expression") => Ok(Language::Acsl),
        Some("ext_c_expression") => Ok(Language::ExtendedC),
        Some("c_expression" | "C") | None => Ok(least),
        Some(other) => Err(format!("`{other}` is no format that is known here")),
    }
}

fn assumption(
    reader: &mut Reader<'_>,
    outline: &Outline,
    waypoint: &Waypoint,
) -> Result<Found, Problem> {
    let statement = place::statement(&reader.program, outline, &waypoint.location, false)?;
    let found = outline.function_at(&reader.program, statement.span.start);
    let found =
        found.and_then(|proc| Some((proc, place::before(&reader.program, proc, statement)?)));
    // A loop without a begin of its own may be looked at whenever it is at its head: more runs.
    let Some((proc, Before::At(loc) | Before::Entering(loc))) = found else {
        return Ok(Err("nothing is executed there".to_owned()));
    };
    let Some(constraint) = &waypoint.constraint else {
        return Ok(Ok((At::Location(proc, loc), None)));
    };
    let scope = Place { proc, scope: statement.scope, moment: Moment::Here };
    let read = language(constraint, Language::C).and_then(|language| {
        reader.condition(&constraint.value, language, scope).map_err(|e| e.to_string())
    });
    Ok(read.map(|condition| (At::Location(proc, loc), Some(condition))))
}

/// A call, by its closing parenthesis.
fn call(reader: &mut Reader<'_>, outline: &Outline, waypoint: &Waypoint) -> Result<Found, Problem> {
    let program = &reader.program;
    let calls = outline.calls().iter();
    let calls = calls.map(|span| Candidate { at: span.end - 1, span: *span, is: *span });
    let span = place::pick(program, outline, &waypoint.location, "call", calls)?;
    let mut edges = program.defined().flat_map(|(proc, _, body)| {
        let calls = |instr: &Instr| matches!(instr, Instr::Call(_) | Instr::Havoc(..));
        let here = body.edges.iter().filter(move |(_, e)| e.span == span && calls(&e.instr));
        here.map(move |(id, edge)| (proc, id, edge.instr.clone()))
    });
    let Some((proc, edge, instr)) = edges.next() else {
        return Ok(Err("no call is left of it".to_owned()));
    };
    drop(edges);
    if waypoint.kind == WaypointKind::FunctionEnter {
        return Ok(Ok((At::Before(proc, edge), None)));
    }
    let at = At::After(proc, edge);
    let Some(constraint) = &waypoint.constraint else { return Ok(Ok((at, None))) };
    let Some(result) = result_variable(&mut reader.program, proc, edge, &instr) else {
        return Ok(Err("its result is not used".to_owned()));
    };
    let scope = Place { proc, scope: span.start, moment: Moment::Returned(result) };
    let read = language(constraint, Language::ExtendedC).and_then(|language| {
        reader.condition(&constraint.value, language, scope).map_err(|e| e.to_string())
    });
    Ok(read.map(|condition| (at, Some(condition))))
}

/// The variable that gets the result of a call. A result that goes elsewhere, into an array say,
/// goes through a new variable from now on.
fn result_variable(
    program: &mut Program,
    proc: ProcId,
    edge: EdgeId,
    instr: &Instr,
) -> Option<VarId> {
    let goes_to = match instr {
        Instr::Call(call) => call.result?,
        Instr::Havoc(place, _) => *place,
        _ => return None,
    };
    if let PlaceKind::Var(var) = program.places[goes_to].kind {
        return Some(var);
    }
    let (ty, span) = (program.places[goes_to].ty, program.places[goes_to].span);
    let var = program.vars.push(Var {
        name: "result".to_owned(),
        ty,
        kind: VarKind::Temp(proc),
        span,
        address_taken: false,
        c_type: String::new(),
    });
    program.procs[proc].locals.push(var);
    let place = program.var_place(var, span);
    let value = program.load_var(var, span);
    let cfa = splice::body(program, proc);
    let arrived = splice::behind_edge(cfa, edge);
    cfa.edges[edge].instr = match instr.clone() {
        Instr::Call(call) => Instr::Call(Call { result: Some(place), ..call }),
        Instr::Havoc(_, site) => Instr::Havoc(place, site),
        other => other,
    };
    let stores = cfa.locs[arrived].out[0];
    cfa.edges[stores].instr = Instr::Assign(goes_to, value);
    Some(var)
}

/// A branch, by the keyword that it begins with and the way it goes.
fn branching(
    reader: &mut Reader<'_>,
    outline: &Outline,
    waypoint: &Waypoint,
) -> Result<Found, Problem> {
    let program = &reader.program;
    let branches = outline.branches().iter().map(|branch| {
        let span = Span::new(branch.keyword, branch.keyword);
        Candidate { at: branch.keyword, span, is: *branch }
    });
    let branch = place::pick(program, outline, &waypoint.location, "branch", branches)?;
    let wanted = match waypoint.constraint.as_ref().map(|c| c.value.trim()) {
        Some("true" | "1") => true,
        Some("false" | "0") => false,
        _ => return Ok(Err("only `true` and `false` are understood".to_owned())),
    };
    let Some(proc) = outline.function_at(program, branch.keyword) else {
        return Ok(Err("nothing is executed there".to_owned()));
    };
    let body = program.procs[proc].body.as_ref().expect("it has statements");
    let assumes: Vec<EdgeId> = body
        .edges
        .iter()
        .filter(|(_, e)| e.span == branch.condition && matches!(e.instr, Instr::Assume(_)))
        .map(|(id, _)| id)
        .collect();
    // The first of the two edges is the one on which the condition holds.
    let [yes, no] = assumes[..] else {
        return Ok(Err("its condition is not a single step".to_owned()));
    };
    let edge = if wanted != branch.negated { yes } else { no };
    Ok(Ok((At::Before(proc, edge), None)))
}

/// The error locations that a target means.
fn errors(
    program: &Program,
    outline: &Outline,
    goal: &Waypoint,
) -> Result<Vec<(ProcId, LocId)>, Problem> {
    let line = goal.location.line;
    let mut found = Vec::new();
    let mut other = Vec::new();
    for (proc, _, body) in program.defined() {
        for (loc, data) in body.locs.iter() {
            let Some(violation) = &data.error else { continue };
            let at = violation.span.start;
            let begin = outline.full_expression(at).unwrap_or(violation.span).start;
            let lines = [at, begin].map(|at| program.source.position(at).line);
            if lines.contains(&line) {
                found.push(Target { error: (proc, loc), at, begin });
            } else {
                other.push(lines[0]);
            }
        }
    }
    if let Some(column) = goal.location.column {
        found = at_column(program, found, line, column)?;
    }
    other.sort_unstable();
    other.dedup();
    match found.is_empty() {
        false => Ok(found.into_iter().map(|target| target.error).collect()),
        true if other.is_empty() => {
            Err(Problem::Misplaced("the program has nothing that could be violated".to_owned()))
        }
        true => {
            let lines: Vec<String> = other.iter().take(5).map(u32::to_string).collect();
            Err(Problem::Misplaced(format!(
                "the target is on line {line}, where nothing can be violated (lines where \
                 something can: {})",
                lines.join(", ")
            )))
        }
    }
}

/// An error on the line of a target.
struct Target {
    error: (ProcId, LocId),
    /// Where it is, and where what is executed there begins.
    at: u32,
    begin: u32,
}

/// The errors at a column, unless all on the line belong to one statement.
fn at_column(
    program: &Program,
    found: Vec<Target>,
    line: u32,
    column: u32,
) -> Result<Vec<Target>, Problem> {
    let begins: BTreeSet<u32> = found.iter().map(|target| target.begin).collect();
    if begins.len() <= 1 {
        return Ok(found);
    }
    let is_meant = |target: &Target| {
        let at = |at: u32| program.source.column_in_file(at) == Some(column);
        at(target.at) || at(target.begin)
    };
    let meant: Vec<Target> = found.into_iter().filter(is_meant).collect();
    match meant.is_empty() {
        false => Ok(meant),
        true => Err(Problem::Unreadable(format!(
            "which violation of line {line} is the target at column {column} is not certain"
        ))),
    }
}

const COUNTER: IntType = IntType::I32;

/// Puts the waypoints into the automata.
fn build(
    mut program: Program,
    points: &[Point],
    last: i128,
    errors: &[(ProcId, LocId)],
) -> Program {
    splice::forgive(&mut program);
    let counter = program.vars.push(Var {
        name: "lakatos segment".to_owned(),
        ty: Type::Int(COUNTER),
        kind: VarKind::Global,
        span: Span::default(),
        address_taken: false,
        c_type: "int".to_owned(),
    });
    close_errors(&mut program, counter, last, errors);
    let mut opened: Vec<(At, LocId)> = Vec::new();
    // What is put in last comes first: a call passes one waypoint at a time, so later segments
    // have to come first there; several assumptions may hold at one place.
    let (events, assumptions): (Vec<Point>, Vec<Point>) =
        points.iter().partition(|point| !matches!(point.at, At::Location(..)));
    for point in events.iter().chain(assumptions.iter().rev()) {
        let (proc, at) = open(&mut program, &mut opened, point.at);
        gadget(&mut program, proc, at, counter, point);
    }
    let zero = program.expr(ExprKind::Int(0), Type::Int(COUNTER), Span::default());
    let start = program.start;
    splice::on_entry(&mut program, start, &[(counter, zero)]);
    program
}

/// The location at which a waypoint is looked at.
fn open(program: &mut Program, opened: &mut Vec<(At, LocId)>, at: At) -> (ProcId, LocId) {
    let proc = match at {
        At::Location(proc, _) | At::After(proc, _) | At::Before(proc, _) => proc,
    };
    if let Some((_, loc)) = opened.iter().find(|(other, _)| *other == at) {
        return (proc, *loc);
    }
    let cfa = splice::body(program, proc);
    let loc = match at {
        At::Location(_, loc) => loc,
        At::After(_, edge) => splice::behind_edge(cfa, edge),
        At::Before(_, edge) if matches!(cfa.edges[edge].instr, Instr::Assume(_)) => {
            splice::behind_edge(cfa, edge)
        }
        At::Before(_, edge) => splice::before_edge(cfa, edge),
    };
    opened.push((at, loc));
    (proc, loc)
}

/// In the waypoint's segment, where its condition holds: on to the next segment, or the end.
fn gadget(program: &mut Program, proc: ProcId, at: LocId, counter: VarId, point: &Point) {
    let mut passes = splice::equals(program, counter, point.segment, COUNTER);
    if let Some(condition) = point.condition {
        let condition = splice::defined_and(program, condition);
        passes = splice::and(program, passes, condition);
    }
    let not = splice::not(program, passes);
    let place = program.var_place(counter, Span::default());
    let next = ExprKind::Int(point.segment + 1);
    let next = program.expr(next, Type::Int(COUNTER), Span::default());
    let cfa = splice::body(program, proc);
    let span = cfa.locs[at].span;
    let behind = splice::split(cfa, at);
    let passed = cfa.add_loc(span);
    cfa.add_edge(at, passed, Instr::Assume(passes), span);
    cfa.add_edge(at, behind, Instr::Assume(not), span);
    if point.follow {
        cfa.add_edge(passed, behind, Instr::Assign(place, next), span);
    }
}

/// The violations that are meant are errors in the last segment; the others are nothing.
fn close_errors(program: &mut Program, counter: VarId, last: i128, errors: &[(ProcId, LocId)]) {
    let span = Span::default();
    let target = splice::error_procedure(program, "target".to_owned(), span);
    let meant = splice::equals(program, counter, last, COUNTER);
    for proc in program.procs.ids() {
        let Some(body) = &mut program.procs[proc].body else { continue };
        for (_, loc) in body.locs.iter_mut() {
            loc.error = None;
        }
    }
    for &(proc, loc) in errors {
        let span = splice::body(program, proc).locs[loc].span;
        splice::error_edge(program, proc, loc, meant, target, span);
    }
}
