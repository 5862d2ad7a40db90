//! From refutations to violation witnesses.

use lakatos_evidence::Refutation;
use lakatos_ir::interpret::Input;
use lakatos_ir::{InputKind, IntType, Program};

use crate::format::{Constraint, Segment, Waypoint, WaypointKind};
use crate::outline::Outline;
use crate::place;

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
    let mut pending: Vec<Pending> = Vec::new();
    let mut unsaid = 0;
    for input in refutation.inputs() {
        let site = &program.sites[input.site];
        // What is uninitialised is zero unless said otherwise.
        if site.kind == InputKind::Uninitialised && input.value == 0 {
            continue;
        }
        let Some((at, waypoint)) = waypoint(program, outline, input) else {
            unsaid += 1;
            continue;
        };
        if site.kind == InputKind::Uninitialised {
            pending.push(Pending { declared: site.span.start, at, waypoint });
            continue;
        }
        let inside = |new: &Pending| new.declared <= site.span.start && site.span.start < new.at;
        if !pending.iter().any(inside) {
            pending.drain(..).for_each(|new| add(&mut waypoints, new.waypoint));
        }
        waypoints.push(waypoint);
    }
    pending.into_iter().for_each(|new| add(&mut waypoints, new.waypoint));
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

/// An assumption about a variable that is not initialised.
struct Pending {
    /// Where the variable is declared, and where it is assumed to have its value.
    declared: u32,
    at: u32,
    waypoint: Waypoint,
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

/// What says an input, and at which byte of the source.
fn waypoint(program: &Program, outline: &Outline, input: &Input) -> Option<(u32, Waypoint)> {
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
        let at = statement.span.start;
        let location = place::location(program, outline, at);
        let kind = WaypointKind::Assumption;
        return here.then_some((at, Waypoint { kind, location, constraint }));
    }
    if !outline.calls().contains(&site.span) || input.element != 0 {
        return None;
    }
    let at = site.span.end - 1;
    let location = place::location(program, outline, at);
    let constraint = constraint(format!("\\result == {value}"), "ext_c_expression");
    Some((at, Waypoint { kind: WaypointKind::FunctionReturn, location, constraint }))
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
