//! Violation witnesses: from refutations, and to the runs that their waypoints allow.
//!
//! The runs of a witness are those of a program ([`restricted`]) in which a counter says which
//! segment a run is in: it goes up where the run passes the waypoint to follow, a run that passes
//! one to avoid ends, and the violation is an error only in the last segment. A waypoint that
//! cannot be understood is left out with a note: there are more runs then, never fewer.

use lakatos_evidence::Refutation;
use lakatos_ir::interpret::{Input, Oracle, Request};
use lakatos_ir::pass::{self, Request as Instrument};
use lakatos_ir::{
    Call, EdgeId, ExprId, ExprKind, InputKind, Instr, IntType, LocId, PlaceKind, ProcId, Program,
    Property, Span, Type, Var, VarId, VarKind,
};

use crate::expression::{Language, Moment, Place, Reader};
use crate::format::{Constraint, Segment, Waypoint, WaypointKind};
use crate::invariants::Problem;
use crate::outline::Outline;
use crate::place::{self, Before};
use crate::splice;

/// A witness with more inputs is for no one.
const MAX_WAYPOINTS: usize = 10_000;

/// The waypoints of a run, with notes about what they do not say.
pub fn from_refutation(
    program: &Program,
    outline: &Outline,
    refutation: &Refutation,
) -> (Vec<Segment>, Vec<String>) {
    let mut notes = Vec::new();
    let mut waypoints: Vec<Waypoint> = Vec::new();
    // Assumptions hold at the next statement: after the inputs of the declaration they are about.
    let mut pending: Vec<(Span, Waypoint)> = Vec::new();
    let mut unsaid = 0;
    for input in refutation.inputs() {
        let site = &program.sites[input.site];
        // What is uninitialised is zero unless said otherwise.
        if site.kind == InputKind::Uninitialised && input.value == 0 {
            continue;
        }
        let Some(new) = waypoint(program, outline, input) else {
            unsaid += 1;
            continue;
        };
        if site.kind == InputKind::Uninitialised {
            pending.push((site.span, new));
            continue;
        }
        let inside = |(declared, assumed): &(Span, Waypoint)| {
            let until = program.source.position(site.span.start);
            let (line, column) = (assumed.location.line, assumed.location.column);
            declared.start <= site.span.start && (until.line, Some(until.column)) < (line, column)
        };
        if !pending.iter().any(inside) {
            pending.drain(..).for_each(|(_, waypoint)| add(&mut waypoints, waypoint));
        }
        waypoints.push(new);
    }
    pending.into_iter().for_each(|(_, waypoint)| add(&mut waypoints, waypoint));
    if waypoints.len() > MAX_WAYPOINTS {
        unsaid += waypoints.len() - MAX_WAYPOINTS;
        waypoints.truncate(MAX_WAYPOINTS);
    }
    if unsaid > 0 {
        notes.push(format!("{unsaid} inputs of the run cannot be said in the witness"));
    }
    let span = refutation.violation().span;
    let at = outline.full_expression(span.start).unwrap_or(span).start;
    let location = place::location(program, outline, at);
    waypoints.push(Waypoint { kind: WaypointKind::Target, location, constraint: None });
    let segment = |waypoint| Segment { avoid: Vec::new(), follow: Some(waypoint) };
    (waypoints.into_iter().map(segment).collect(), notes)
}

/// Values of several variables at one place are one assumption.
fn add(waypoints: &mut Vec<Waypoint>, new: Waypoint) {
    if let (Some(last), WaypointKind::Assumption) = (waypoints.last_mut(), new.kind)
        && last.kind == WaypointKind::Assumption
        && last.location == new.location
        && let (Some(old), Some(more)) = (&mut last.constraint, &new.constraint)
        && !old.value.contains(&more.value)
    {
        old.value = format!("{} && {}", old.value, more.value);
        return;
    }
    waypoints.push(new);
}

fn waypoint(program: &Program, outline: &Outline, input: &Input) -> Option<Waypoint> {
    let ty = input.ty.as_int()?;
    let site = &program.sites[input.site];
    let value = match ty.is_u128() {
        true => (input.value as u128).to_string(),
        false => input.value.to_string(),
    };
    let value = literal(&value, ty)?;
    if site.kind == InputKind::Uninitialised {
        let statement = outline.next_statement(site.span.end)?;
        let known = outline.variable(program, site.proc, statement.scope, &site.name)?;
        let here = program.vars[known].ty == input.ty
            && outline.function_at(program, statement.span.start) == Some(site.proc);
        let constraint = constraint(format!("{} == {value}", site.name), "c_expression");
        let location = place::location(program, outline, statement.span.start);
        let kind = WaypointKind::Assumption;
        return here.then_some(Waypoint { kind, location, constraint });
    }
    if !outline.calls().contains(&site.span) || input.element != 0 {
        return None;
    }
    let location = place::location(program, outline, site.span.end - 1);
    let constraint = constraint(format!("\\result == {value}"), "ext_c_expression");
    Some(Waypoint { kind: WaypointKind::FunctionReturn, location, constraint })
}

/// A value as C writes it, so that it is compared as what it is.
fn literal(value: &str, ty: IntType) -> Option<String> {
    Some(match (ty.bits, ty.signed) {
        (65.., _) => return None,
        (33.., true) if value == "-9223372036854775808" => "-9223372036854775807LL - 1".to_owned(),
        (33.., true) => format!("{value}LL"),
        (33.., false) => format!("{value}ULL"),
        (32, false) => format!("{value}U"),
        (32, true) if value == "-2147483648" => "-2147483647 - 1".to_owned(),
        _ => value.to_owned(),
    })
}

fn constraint(value: String, format: &str) -> Option<Constraint> {
    Some(Constraint { value, format: Some(format.to_owned()) })
}

/// A program whose errors are the ends of the runs that a witness allows.
#[derive(Debug)]
pub struct Restricted {
    pub program: Program,
    /// The program in which violations are error locations, without any waypoints.
    pub instrumented: Program,
    /// What could not be looked at.
    pub notes: Vec<String>,
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
    let request = Instrument { properties: &[property], error_label: None };
    let instrumented = pass::instrument(program.clone(), &request).0;
    let mut reader = Reader::new(instrumented.clone(), outline);
    let Some((target, normal)) = segments.split_last() else {
        return Err(Problem::Misplaced("there is no segment".to_owned()));
    };
    let Some(goal) = target.follow.as_ref().filter(|w| w.kind == WaypointKind::Target) else {
        let message = "the last segment does not end with a target".to_owned();
        return Err(Problem::Misplaced(message));
    };
    let mut notes = Vec::new();
    let mut points = Vec::new();
    let mut segment = 0;
    for Segment { avoid, follow } in normal {
        let Some(followed) = follow else { continue };
        let Some(point) = resolve(&mut reader, outline, followed, segment, true, &mut notes)?
        else {
            continue;
        };
        for waypoint in avoid {
            points.extend(resolve(&mut reader, outline, waypoint, segment, false, &mut notes)?);
        }
        points.push(point);
        segment += 1;
    }
    for waypoint in &target.avoid {
        points.extend(resolve(&mut reader, outline, waypoint, segment, false, &mut notes)?);
    }
    let errors = errors(&reader.program, outline, goal)?;
    let program = build(reader.program, &points, segment, &errors);
    Ok(Restricted { program, instrumented, notes, guide: Guide::new(program_guide(normal)) })
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

/// Where a waypoint is in the automata; `None` with a note if it cannot be looked at.
fn resolve(
    reader: &mut Reader<'_>,
    outline: &Outline,
    waypoint: &Waypoint,
    segment: i128,
    follow: bool,
    notes: &mut Vec<String>,
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
            notes.push(format!("the waypoint `{kind}` on line {line} is left out: {reason}"));
            Ok(None)
        }
    }
}

/// A place and a condition, or why there is none.
type Found = Result<(At, Option<ExprId>), String>;

fn language(constraint: &Constraint, least: Language) -> Language {
    match constraint.format.as_deref() {
        Some("acsl_expression") => Language::Acsl,
        Some("ext_c_expression") => Language::ExtendedC,
        _ => least,
    }
}

fn assumption(
    reader: &mut Reader<'_>,
    outline: &Outline,
    waypoint: &Waypoint,
) -> Result<Found, Problem> {
    let statement = place::statement(&reader.program, outline, &waypoint.location, false)
        .map_err(Problem::Misplaced)?;
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
    let read = reader.condition(&constraint.value, language(constraint, Language::C), scope);
    Ok(read.map(|c| (At::Location(proc, loc), Some(c))).map_err(|e| e.to_string()))
}

/// A call, by its closing parenthesis.
fn call(reader: &mut Reader<'_>, outline: &Outline, waypoint: &Waypoint) -> Result<Found, Problem> {
    let program = &reader.program;
    let calls = outline.calls().iter().map(|span| (span.end - 1, *span));
    let span = place::pick(program, outline, &waypoint.location, "call", calls)
        .map_err(Problem::Misplaced)?;
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
    let language = language(constraint, Language::ExtendedC);
    let read = reader.condition(&constraint.value, language, scope);
    Ok(read.map(|c| (at, Some(c))).map_err(|e| e.to_string()))
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
    let branches = outline.branches().iter().map(|branch| (branch.keyword, *branch));
    let branch = place::pick(program, outline, &waypoint.location, "branch", branches)
        .map_err(Problem::Misplaced)?;
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
                found.push((proc, loc));
            } else {
                other.push(lines[0]);
            }
        }
    }
    other.sort_unstable();
    other.dedup();
    match found.is_empty() {
        false => Ok(found),
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

/// Values that waypoints fix, for a first run.
#[derive(Clone, Debug, Default)]
pub struct Guide {
    /// What is asked for (the end of a call, or a variable) and the value, in order.
    values: Vec<(Asked, i128)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Asked {
    Call { line: u32, column: Option<u32> },
    Variable(String),
}

impl Guide {
    fn new(values: Vec<(Asked, i128)>) -> Guide {
        Guide { values }
    }
}

fn program_guide(segments: &[Segment]) -> Vec<(Asked, i128)> {
    let mut values = Vec::new();
    for waypoint in segments.iter().filter_map(|segment| segment.follow.as_ref()) {
        let Some(constraint) = &waypoint.constraint else { continue };
        for (name, value) in equalities(&constraint.value) {
            match waypoint.kind {
                WaypointKind::FunctionReturn if name == "\\result" => {
                    let line = waypoint.location.line;
                    values.push((Asked::Call { line, column: waypoint.location.column }, value));
                }
                WaypointKind::Assumption => values.push((Asked::Variable(name), value)),
                _ => {}
            }
        }
    }
    values
}

/// `x == 1 && y == -2` as pairs; what has another form is passed over.
fn equalities(text: &str) -> Vec<(String, i128)> {
    let parts = text.split("&&").filter_map(|part| {
        let (name, value) = part.split_once("==")?;
        let (value, less) = match value.trim().strip_suffix("- 1") {
            Some(value) => (value, 1),
            None => (value, 0),
        };
        let value = value.trim().trim_end_matches(['u', 'U', 'l', 'L']);
        Some((name.trim().to_owned(), value.parse::<i128>().ok()? - less))
    });
    parts.collect()
}

impl Oracle for Guide {
    fn input(&mut self, request: &Request<'_>) -> i128 {
        let Request { program, kind, site, .. } = request;
        let site = &program.sites[*site];
        let end = program.source.position(site.span.end.saturating_sub(1));
        let is_meant = |asked: &Asked| match (asked, kind) {
            (Asked::Variable(name), InputKind::Uninitialised) => *name == site.name,
            (Asked::Call { line, column }, InputKind::Nondet | InputKind::External) => {
                *line == end.line && column.is_none_or(|c| c == end.column || c + 1 == end.column)
            }
            _ => false,
        };
        match self.values.iter().position(|(asked, _)| is_meant(asked)) {
            Some(at) => self.values.remove(at).1,
            None => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read() {
        let check = |text: &str, expected: &[(&str, i128)]| {
            let found = equalities(text);
            let found: Vec<(&str, i128)> = found.iter().map(|(n, v)| (n.as_str(), *v)).collect();
            assert_eq!(found, expected, "{text}");
        };
        check("\\result == 5", &[("\\result", 5)]);
        check("\\result == -2147483647 - 1", &[("\\result", -2_147_483_648)]);
        check("x == 1U && y == -2LL", &[("x", 1), ("y", -2)]);
        check("x > 1", &[]);
        check("x == y", &[]);
    }
}
