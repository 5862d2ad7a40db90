//! Classes of numbers: those that a program's comparisons of a variable with constants cannot tell
//! apart.

use std::collections::BTreeSet;

use lakatos_encode::machine::Interval;
use lakatos_ir::{BinOp, ExprId, ExprKind, Instr, IntType, PlaceKind, Program, VarId};
use lakatos_logic::number::Int;
use rustc_hash::{FxHashMap, FxHashSet};

use super::number::Number;
use super::state::{Change, Meaning, State, is_followed, mirrored};

/// Where classes begin, by variable, in order; the first one begins with the type.
#[derive(Debug)]
pub(super) struct Cuts {
    of: FxHashMap<VarId, Vec<Int>>,
    /// The variables by which states are told apart.
    telling: FxHashSet<VarId>,
}

/// The classes in which ranges begin and end, of variables for which that says something.
pub(super) type Key = Vec<(VarId, u32, u32)>;

impl Cuts {
    pub fn new(meaning: Meaning<'_>) -> Cuts {
        let mut found: FxHashMap<VarId, BTreeSet<Int>> = FxHashMap::default();
        for (e, expr) in meaning.program.exprs.iter() {
            match expr.kind {
                ExprKind::Binary(op, a, b) if op.is_comparison() => {
                    let sides = [(op, a, b), (mirrored(op), b, a)];
                    for (op, side, other) in sides {
                        if let (Some(var), Some(value)) =
                            (variable(meaning, side), constant(meaning.program, other))
                        {
                            found.entry(var).or_default().extend(begins(op, value));
                        }
                    }
                }
                ExprKind::Load(_) => {
                    if let Some((var, IntType::BOOL)) = meaning.loaded(e) {
                        found.entry(var).or_default().insert(Int::ONE);
                    }
                }
                _ => {}
            }
        }
        // Whoever copies a constant tells it apart from others, too.
        let constants = assigned_constants(meaning.program);
        let telling = constants.iter().map(|(var, _)| *var).collect();
        for (var, value) in constants {
            found.entry(var).or_default().extend(begins(BinOp::Eq, value));
        }
        let of = found.into_iter().map(|(var, cuts)| (var, cuts.into_iter().collect()));
        Cuts { of: of.collect(), telling }
    }

    /// From now on these variables tell states apart, too. Returns whether one of them is new.
    pub fn tell(&mut self, vars: Vec<VarId>) -> bool {
        let mut news = false;
        for var in vars.into_iter().filter(|var| self.of.contains_key(var)) {
            news |= self.telling.insert(var);
        }
        news
    }

    /// Two states with the same key are told apart by no comparison of these variables with a constant.
    pub fn key(&self, state: &State) -> Key {
        let class = |cuts: &[Int], value: &Int| cuts.partition_point(|cut| cut <= value) as u32;
        let classes = state.iter().filter_map(|(var, number)| {
            let cuts = self.of.get(&var).filter(|_| self.telling.contains(&var))?;
            let (low, high) = (class(cuts, &number.range.low), class(cuts, &number.range.high));
            (low > 0 || high < cuts.len() as u32).then_some((var, low, high))
        });
        classes.collect()
    }

    /// Leaves no more than the classes that numbers are in.
    pub fn round(&self, program: &Program, state: &mut State) {
        state.change(|var, number| {
            let Some(ty) = is_followed(program, var).filter(|_| self.of.contains_key(&var)) else {
                return Change::Keep;
            };
            let rounded = Number::from(self.rounded(var, &number.range, ty));
            if rounded == *number { Change::Keep } else { Change::to(rounded, ty) }
        });
    }

    /// The smallest range of whole classes that includes a range of numbers of a type.
    pub fn rounded(&self, var: VarId, range: &Interval, ty: IntType) -> Interval {
        let whole = Interval::of(ty);
        let Some(cuts) = self.of.get(&var) else { return whole };
        let below = cuts.partition_point(|cut| *cut <= range.low);
        let above = cuts.partition_point(|cut| *cut <= range.high);
        let low = below.checked_sub(1).map(|n| cuts[n].clone()).filter(|cut| *cut >= whole.low);
        let high = cuts.get(above).map(|cut| cut - Int::ONE).filter(|cut| *cut <= whole.high);
        Interval { low: low.unwrap_or(whole.low), high: high.unwrap_or(whole.high) }
    }
}

/// The variables that a program sets to constants, and these.
fn assigned_constants(program: &Program) -> Vec<(VarId, Int)> {
    let bodies = program.defined().flat_map(|(_, _, body)| body.edges.iter());
    let assigned = bodies.filter_map(|(_, edge)| match edge.instr {
        Instr::Assign(place, value) => match program.places[place].kind {
            PlaceKind::Var(var) => constant(program, value).map(|value| (var, value)),
            _ => None,
        },
        _ => None,
    });
    assigned.collect()
}

/// The variable that an expression has the value of, but for a conversion.
fn variable(meaning: Meaning<'_>, e: ExprId) -> Option<VarId> {
    match meaning.program.exprs[e].kind {
        ExprKind::Cast(inner) => variable(meaning, inner),
        _ => meaning.loaded(e).map(|(var, _)| var),
    }
}

fn constant(program: &Program, e: ExprId) -> Option<Int> {
    let expr = &program.exprs[e];
    match (&expr.kind, expr.ty.as_int()) {
        (ExprKind::Int(value), Some(ty)) => Some(Interval::literal(*value, ty).low),
        _ => None,
    }
}

/// Where the truth of a comparison with a constant changes.
fn begins(op: BinOp, value: Int) -> Vec<Int> {
    let next = &value + Int::ONE;
    match op {
        BinOp::Lt | BinOp::Ge => vec![value],
        BinOp::Le | BinOp::Gt => vec![next],
        _ => vec![value, next],
    }
}
