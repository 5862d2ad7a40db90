//! Which array a pointer means, in a program that follows arrays by variables
//! ([`subject_of_arrays`](crate::pass::subject_of_arrays())): for names only, where nothing depends on it.

use crate::expr::{ExprId, ExprKind, PlaceId, PlaceKind};
use crate::program::{Cfa, Instr, Program, VarId, VarKind};

/// Pointers that are copies of copies: so many steps are followed.
const MOST_COPIES: usize = 8;

/// The variable that follows what a variable has in memory.
pub fn cell(program: &Program, var: VarId) -> Option<VarId> {
    let mut vars = program.vars.iter();
    vars.find(|(_, other)| other.kind == VarKind::Cell(var)).map(|(id, _)| id)
}

/// The variable that follows an array, or the array whose address a pointer was given once.
pub fn array(program: &Program, body: &Cfa, var: VarId) -> Option<VarId> {
    array_within(program, body, var, MOST_COPIES)
}

fn array_within(program: &Program, body: &Cfa, var: VarId, steps: usize) -> Option<VarId> {
    if let Some(cell) = cell(program, var).filter(|c| program.whole_array(*c).is_some()) {
        return Some(cell);
    }
    // It may be given another one by way of its address.
    if program.vars[var].address_taken {
        return None;
    }
    let given = |instr: &Instr| match instr {
        Instr::Assign(place, value) if named(program, *place) == Some(var) => Some(*value),
        _ => None,
    };
    let mut values = body.edges.iter().filter_map(|(_, edge)| given(&edge.instr));
    let (Some(value), None) = (values.next(), values.next()) else { return None };
    array_within(program, body, source(program, value)?, steps.checked_sub(1)?)
}

/// The variable whose address, or whose value, a pointer is.
fn source(program: &Program, value: ExprId) -> Option<VarId> {
    match program.exprs[value].kind {
        ExprKind::Cast(inner) => source(program, inner),
        ExprKind::Load(place) => named(program, place),
        ExprKind::AddrOf(place) => match program.places[place].kind {
            PlaceKind::Index(array, first) => {
                let is_first = program.exprs[first].kind == ExprKind::Int(0);
                is_first.then(|| named(program, array))?
            }
            _ => named(program, place),
        },
        _ => None,
    }
}

fn named(program: &Program, place: PlaceId) -> Option<VarId> {
    match program.places[place].kind {
        PlaceKind::Var(var) => Some(var),
        _ => None,
    }
}
