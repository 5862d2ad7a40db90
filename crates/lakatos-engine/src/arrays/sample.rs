//! Runs, and what they are like at the heads of loops.
//!
//! Large constants make long runs, which tell no more than short ones. So in the program that is run,
//! each of them is another, smaller number in each run, and a *parameter* in what is learned: what
//! holds whatever it is holds with the constant.

use std::collections::{BTreeMap, BTreeSet};

use lakatos_ir::interpret::{self, Interpreter, Now, Observed, Observer};
use lakatos_ir::{
    BinOp, Edge, EdgeId, ExprId, ExprKind, Instr, LocId, PlaceKind, ProcId, Program,
    SignedOverflow, Type, VarId,
};

use super::columns::Number;
use super::rows::{depth, rows};
use crate::small::{self, Source, constants};

/// Constants from here on are parameters, up to where nobody counts any more.
const LARGE: std::ops::Range<i128> = small::LARGE..10_000_000;
/// Constants that are so close are one parameter, and what is added to it.
const CLOSE: i128 = 2;
const MOST_PARAMETERS: usize = 4;
/// Elements of arrays that are looked at.
pub(super) const ELEMENTS: u64 = 40;
/// The same for arrays of arrays.
const MORE_ELEMENTS: u64 = 160;
const RUNS: u64 = 150;
const FEW_RUNS: u64 = 12;
const STEPS: u64 = 200_000;
/// Of one run at one location.
const VISITS: usize = 10;
const MORE_VISITS: usize = 60;

/// The state of a run at a location.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    /// By variable; what has no value is missing.
    pub integers: BTreeMap<VarId, i128>,
    pub arrays: BTreeMap<VarId, Vec<i128>>,
    /// In the order of [`Samples::parameters`].
    pub parameters: Vec<i128>,
}

#[derive(Debug, Default)]
pub(super) struct Samples {
    pub at: BTreeMap<LocId, Vec<Sample>>,
    /// The constants that parameters stand for.
    pub parameters: Vec<i128>,
    /// Constants of the program that are small, and may be the lengths of arrays.
    pub small: BTreeSet<i128>,
    /// How far a run has come in arrays of arrays.
    pub rows: Vec<Number>,
    /// What variables are compared with.
    pub limits: BTreeSet<(VarId, i128)>,
    /// The variables that elements are given to.
    pub carried: BTreeSet<VarId>,
    /// So many elements of each array are known.
    pub elements: u64,
}

/// Runs a program and looks at some variables at some locations of its start.
pub(super) fn samples(
    program: &Program,
    wanted: &BTreeMap<LocId, BTreeSet<VarId>>,
    signed_overflow: SignedOverflow,
) -> Samples {
    of_runs(program, wanted, signed_overflow, parameters(program), (RUNS, VISITS))
}

/// The same with the constants that there are: each state is one of the program, as far as it says
/// what elements are.
pub(super) fn states(
    program: &Program,
    wanted: &BTreeMap<LocId, BTreeSet<VarId>>,
    signed_overflow: SignedOverflow,
) -> BTreeMap<LocId, Vec<Sample>> {
    of_runs(program, wanted, signed_overflow, Vec::new(), (FEW_RUNS, MORE_VISITS)).at
}

fn of_runs(
    program: &Program,
    wanted: &BTreeMap<LocId, BTreeSet<VarId>>,
    signed_overflow: SignedOverflow,
    parameters: Vec<i128>,
    (runs, visits): (u64, usize),
) -> Samples {
    let mut small = program.clone();
    let rows = rows(program, &parameters);
    let depth = rows.iter().map(depth).max().unwrap_or(0);
    let elements = if depth > 1 { MORE_ELEMENTS } else { ELEMENTS };
    shorten_arrays(&mut small, elements);
    let source = Source::new(&small);
    let mut found = Samples {
        at: wanted.keys().map(|loc| (*loc, Vec::new())).collect(),
        parameters: parameters.clone(),
        small: constants(program, 2..LARGE.start),
        rows,
        limits: limits(program),
        carried: carried(program),
        elements,
    };
    let options = interpret::Options {
        signed_overflow,
        max_steps: STEPS,
        max_depth: 200,
        ..interpret::Options::default()
    };
    for run in 0..runs {
        let mut inputs = source.inputs(run);
        let values: Vec<i128> =
            parameters.iter().map(|_| small_number(depth, inputs.bits())).collect();
        replace(program, &mut small, &parameters, &values);
        let mut watcher = Watcher {
            program,
            wanted,
            values,
            elements,
            most: visits,
            visits: BTreeMap::new(),
            at: &mut found.at,
        };
        Interpreter::new(&small).observe(&options, &mut inputs, &mut watcher);
    }
    found
}

/// The value of a parameter in a run. There are not more elements than are looked at, also if several
/// parameters are multiplied.
fn small_number(depth: usize, bits: u64) -> i128 {
    i128::from(match depth {
        0 | 1 => 8 + bits % 8,
        2 => 3 + bits % 4,
        _ => 2 + bits % 2,
    })
}

/// Arrays that follow memory have as many elements as are looked at.
fn shorten_arrays(program: &mut Program, elements: u64) {
    let arrays: Vec<VarId> =
        program.vars.ids().filter(|var| program.whole_array(*var).is_some()).collect();
    for var in arrays {
        let element = program.whole_array(var).expect("just seen");
        let ty = program.types.array_of(Type::Int(element), Some(elements));
        program.vars[var].ty = ty;
        for (_, place) in program.places.iter_mut() {
            if place.kind == PlaceKind::Var(var) {
                place.ty = ty;
            }
        }
        for value in assigned(program, var) {
            program.exprs[value].ty = ty;
        }
    }
}

/// What a variable gets as a whole.
fn assigned(program: &Program, var: VarId) -> Vec<ExprId> {
    let edges = program.defined().flat_map(|(_, _, body)| body.edges.iter());
    let values = edges.filter_map(|(_, edge)| match edge.instr {
        Instr::Assign(place, value) if program.places[place].kind == PlaceKind::Var(var) => {
            Some(value)
        }
        _ => None,
    });
    values.collect()
}

/// The small constants that variables are compared with by their order.
fn limits(program: &Program) -> BTreeSet<(VarId, i128)> {
    let compared = program.exprs.iter().filter_map(|(_, expr)| match expr.kind {
        ExprKind::Binary(BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge, a, b) => Some((a, b)),
        _ => None,
    });
    let variable = |e: ExprId| match program.exprs[e].kind {
        ExprKind::Load(place) => match program.places[place].kind {
            PlaceKind::Var(var) => Some(var),
            _ => None,
        },
        _ => None,
    };
    let constant = |e: ExprId| match program.exprs[e].kind {
        ExprKind::Int(value) if (2..LARGE.start).contains(&value) => Some(value),
        _ => None,
    };
    compared.filter_map(|(a, b)| Some((variable(a)?, constant(b)?))).collect()
}

/// The variables that elements of arrays are given to.
fn carried(program: &Program) -> BTreeSet<VarId> {
    let edges = program.defined().flat_map(|(_, _, body)| body.edges.iter());
    let var = |(_, edge): (EdgeId, &Edge)| {
        let Instr::Assign(place, value) = edge.instr else { return None };
        let (PlaceKind::Var(var), ExprKind::Load(from)) =
            (program.places[place].kind, &program.exprs[value].kind)
        else {
            return None;
        };
        matches!(program.places[*from].kind, PlaceKind::Index(..)).then_some(var)
    };
    edges.filter_map(var).collect()
}

/// Large constants, one for each group of close ones.
fn parameters(program: &Program) -> Vec<i128> {
    let mut parameters: Vec<i128> = Vec::new();
    for constant in constants(program, LARGE).into_iter().rev() {
        if parameters.last().is_none_or(|last| last - constant > CLOSE) {
            parameters.push(constant);
        }
    }
    // The most frequent ones matter most.
    let uses = |parameter: i128| {
        let is_use = |kind: &ExprKind| matches!(kind, ExprKind::Int(value) if parameter - value <= CLOSE && parameter >= *value);
        program.exprs.iter().filter(|(_, expr)| is_use(&expr.kind)).count()
    };
    parameters.sort_by_key(|parameter| std::cmp::Reverse((uses(*parameter), *parameter)));
    parameters.truncate(MOST_PARAMETERS);
    parameters
}

/// Gives parameters their values.
fn replace(program: &Program, small: &mut Program, parameters: &[i128], values: &[i128]) {
    for (id, expr) in program.exprs.iter() {
        let ExprKind::Int(constant) = expr.kind else { continue };
        let of = parameters.iter().position(|p| (0..=CLOSE).contains(&(p - constant)));
        if let Some(number) = of.filter(|_| LARGE.contains(&constant)) {
            small.exprs[id].kind = ExprKind::Int(values[number] - (parameters[number] - constant));
        }
    }
}

struct Watcher<'a> {
    /// So many of each array are looked at.
    elements: u64,
    program: &'a Program,
    wanted: &'a BTreeMap<LocId, BTreeSet<VarId>>,
    values: Vec<i128>,
    /// So many visits of a location in one run, and then fewer and fewer.
    most: usize,
    visits: BTreeMap<LocId, usize>,
    at: &'a mut BTreeMap<LocId, Vec<Sample>>,
}

impl Observer for Watcher<'_> {
    fn allocated(&mut self, _: interpret::Instance, _: u64, _: &[(ProcId, EdgeId)]) {}

    fn accessed(&mut self, _: Observed) {}

    fn called(&mut self, _: ProcId, _: EdgeId, _: ProcId) {}

    fn arrived(&mut self, proc: ProcId, loc: LocId, now: &mut dyn Now) {
        if proc != self.program.start {
            return;
        }
        let Some(vars) = self.wanted.get(&loc) else { return };
        let visits = self.visits.entry(loc).or_default();
        *visits += 1;
        if *visits > self.most && !(*visits).is_power_of_two() {
            return;
        }
        let (mut integers, mut arrays) = (BTreeMap::new(), BTreeMap::new());
        for &var in vars {
            match self.program.whole_array(var) {
                Some(_) => {
                    let elements = (0..self.elements).map(|index| now.element(var, index));
                    if let Some(elements) = elements.collect::<Option<Vec<i128>>>() {
                        arrays.insert(var, elements);
                    }
                }
                None => integers.extend(now.integer(var).map(|value| (var, value))),
            }
        }
        let sample = Sample { integers, arrays, parameters: self.values.clone() };
        self.at.entry(loc).or_default().push(sample);
    }
}
