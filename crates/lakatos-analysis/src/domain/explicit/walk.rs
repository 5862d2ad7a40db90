//! An edge followed from known values: blocks path by path, where branches are decided.
//!
//! A branch that is not decided is followed both ways. Where too many ways meet they are joined:
//! what they do not agree on is unknown after that.

use std::collections::BTreeMap;

use lakatos_ir::{Edge, ExprId, Instr, IntType, LocId, ProcId, Region, VarId};
use rustc_hash::FxHashMap;

use super::evaluate::Evaluator;
use super::values::{Values, common};

/// More ways than this are not told apart at one location of a block.
const MOST_WAYS: usize = 64;

/// A block's edges by the location that they leave, in topological order.
#[derive(Debug)]
pub(super) struct Plan {
    /// For each location: the edges, and where they lead.
    leaving: Vec<Vec<(usize, usize)>>,
}

/// Where what leaves the block arrives.
const OUT: usize = usize::MAX;

impl Plan {
    pub fn new(region: &Region) -> Plan {
        let mut numbers: FxHashMap<LocId, usize> = FxHashMap::default();
        for edge in &region.edges {
            let next = numbers.len();
            numbers.entry(edge.from).or_insert(next);
        }
        let mut leaving = vec![Vec::new(); numbers.len()];
        for (number, edge) in region.edges.iter().enumerate() {
            // The entry may be the exit as well, and what arrives there has left the block. A
            // location from which nothing leads on is a dead end.
            let to = match edge.to == region.exit {
                true => OUT,
                false => numbers.get(&edge.to).copied().unwrap_or(OUT - 1),
            };
            leaving[numbers[&edge.from]].push((number, to));
        }
        Plan { leaving }
    }
}

/// One edge being followed.
#[derive(Debug)]
pub(super) struct Walk<'a, 'p> {
    evaluator: Evaluator<'a, 'p>,
    proc: ProcId,
    /// What is wanted of the values in the end; sorted.
    wanted: &'a [VarId],
    /// Some branch could go either way.
    pub undecided: bool,
    /// Variables with known values in conditions that are not decided.
    pub involved: Vec<VarId>,
    /// Variables of which something is known, but no value.
    pub suspects: Vec<VarId>,
}

impl<'a, 'p> Walk<'a, 'p> {
    pub fn new(evaluator: Evaluator<'a, 'p>, proc: ProcId, wanted: &'a [VarId]) -> Walk<'a, 'p> {
        Walk {
            evaluator,
            proc,
            wanted,
            undecided: false,
            involved: Vec::new(),
            suspects: Vec::new(),
        }
    }

    /// All ways through a block.
    pub fn block(&mut self, region: &Region, plan: &Plan, start: Values) -> Vec<Values> {
        let mut arrived: BTreeMap<usize, Vec<Values>> = BTreeMap::new();
        arrived.insert(0, vec![start]);
        while let Some((at, ways)) = arrived.pop_first() {
            let ways = self.meet(ways);
            match plan.leaving.get(at) {
                Some(leaving) => {
                    for values in ways {
                        self.leave(region, leaving, values, &mut arrived);
                    }
                }
                None if at == OUT => return ways,
                None => {}
            }
        }
        Vec::new()
    }

    fn leave(
        &mut self,
        region: &Region,
        leaving: &[(usize, usize)],
        values: Values,
        arrived: &mut BTreeMap<usize, Vec<Values>>,
    ) {
        let open: Vec<&(usize, usize)> =
            leaving.iter().filter(|(n, _)| !self.is_closed(&region.edges[*n], &values)).collect();
        let Some(((last, last_to), others)) = open.split_last().map(|(l, o)| (**l, o)) else {
            return;
        };
        for (number, to) in others {
            let ends = self.instr(&region.edges[*number].instr, values.clone());
            arrived.entry(*to).or_default().extend(ends);
        }
        // Nothing is copied in a row of assignments, nor where a branch is decided.
        let ends = self.instr(&region.edges[last].instr, values);
        arrived.entry(last_to).or_default().extend(ends);
    }

    fn is_closed(&self, edge: &Edge, values: &Values) -> bool {
        match edge.instr {
            Instr::Assume(condition) => {
                matches!(self.evaluator.value(values, condition), Ok(Some(0)) | Err(_))
            }
            _ => false,
        }
    }

    /// Ways that meet, without those that are there twice, and not too many.
    fn meet(&self, ways: Vec<Values>) -> Vec<Values> {
        let ways = distinct(ways);
        if ways.len() <= MOST_WAYS {
            return ways;
        }
        // What is wanted in the end is kept apart as long as possible.
        let mut groups: FxHashMap<Values, Vec<Values>> = FxHashMap::default();
        let mut order = Vec::new();
        for values in ways {
            let key = values.project(self.wanted);
            let group = groups.entry(key.clone()).or_default();
            if group.is_empty() {
                order.push(key);
            }
            group.push(values);
        }
        let joined: Vec<Values> = order.iter().map(|key| common(&groups[key])).collect();
        match joined.len() <= MOST_WAYS {
            true => distinct(joined),
            false => vec![common(&joined)],
        }
    }

    /// The values after an instruction that is no call and no block.
    pub fn instr(&mut self, instr: &Instr, mut values: Values) -> Vec<Values> {
        match *instr {
            Instr::Assume(condition) => match self.evaluator.value(&values, condition) {
                Ok(Some(0)) | Err(_) => Vec::new(),
                Ok(Some(_)) => vec![values],
                Ok(None) => {
                    self.note(&values, condition);
                    match self.evaluator.constrain(&mut values, condition, 1) {
                        true => vec![values],
                        false => Vec::new(),
                    }
                }
            },
            Instr::Assign(place, expr) => {
                let target = self.evaluator.variable(place);
                self.assign(target, expr, values)
            }
            Instr::Return(Some(expr)) => {
                let program = self.evaluator.semantics.program;
                let result = program.procs[self.proc].result;
                let target = result.filter(|var| self.evaluator.semantics.tracks(*var));
                self.assign(target, expr, values)
            }
            Instr::Havoc(place, _) => match self.evaluator.variable(place) {
                Some(var) => self.havoc(var, values),
                None => vec![values],
            },
            Instr::Skip | Instr::Return(None) | Instr::Dead(_) => vec![values],
            Instr::Call(_) | Instr::Block(_) => unreachable!("not within a block"),
        }
    }

    /// A truth value that is wanted is followed both ways.
    fn havoc(&mut self, var: VarId, mut values: Values) -> Vec<Values> {
        let ty = self.evaluator.semantics.program.vars[var].ty.as_int();
        if ty == Some(IntType::BOOL) && self.wanted.binary_search(&var).is_ok() {
            self.undecided = true;
            return [0, 1].map(|value| with(values.clone(), var, value)).into();
        }
        values.forget(var);
        vec![values]
    }

    fn assign(&mut self, target: Option<VarId>, expr: ExprId, mut values: Values) -> Vec<Values> {
        let value = match self.evaluator.value(&values, expr) {
            Ok(value) => value,
            Err(_) => return Vec::new(),
        };
        let Some(target) = target else { return vec![values] };
        match (value, self.evaluator.two_values(expr)) {
            (Some(value), _) => vec![with(values, target, value)],
            (None, Some(both)) => self.either(target, expr, both, &values),
            (None, None) => {
                if self.evaluator.narrows(expr) {
                    self.suspects.push(target);
                }
                values.forget(target);
                vec![values]
            }
        }
    }

    /// A condition that is stored: followed both ways, so that what it says is not lost.
    fn either(
        &mut self,
        target: VarId,
        expr: ExprId,
        both: [i128; 2],
        values: &Values,
    ) -> Vec<Values> {
        self.note(values, expr);
        let mut ways = Vec::with_capacity(2);
        for value in both {
            let mut after = values.clone();
            if self.evaluator.constrain(&mut after, expr, value) {
                ways.push(with(after, target, value));
            }
        }
        ways
    }

    /// A condition that is not decided.
    fn note(&mut self, values: &Values, condition: ExprId) {
        self.undecided = true;
        let mut reads = Vec::new();
        self.evaluator.reads(condition, &mut reads);
        let leaves_few = self.evaluator.leaves_few(condition);
        for var in reads {
            match values.get(var) {
                Some(_) => self.involved.push(var),
                None if leaves_few => self.suspects.push(var),
                None => {}
            }
        }
    }
}

fn with(mut values: Values, var: VarId, value: i128) -> Values {
    values.set(var, value);
    values
}

/// Each once, in the order of the first.
pub(super) fn distinct(ways: Vec<Values>) -> Vec<Values> {
    if ways.len() < 2 {
        return ways;
    }
    let mut seen = rustc_hash::FxHashSet::default();
    ways.into_iter().filter(|values| seen.insert(values.clone())).collect()
}
