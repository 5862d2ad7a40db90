//! Which variables have values in states, and which have too many.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use lakatos_ir::{LocId, ProcId, Program, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::values::Values;
use crate::domain::Granularity;
use crate::semantics::Role;

/// How many values a variable may have at one location before its values are not kept any more.
/// Whether a loop ends is no question of its length but of who decides it: where the evaluator
/// decides every branch, going on costs little and ends by itself; where something unknown
/// decides, there is no end to expect.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Of a variable that stands in an undecided condition: `i < n` where `n` is unknown.
    pub compared: usize,
    /// Of any variable after an undecided branch.
    pub undecided: usize,
    /// Of any variable.
    pub decided: usize,
}

impl Bounds {
    pub const NONE: Bounds =
        Bounds { compared: usize::MAX, undecided: usize::MAX, decided: usize::MAX };
}

impl Default for Bounds {
    fn default() -> Self {
        Bounds { compared: 16, undecided: 128, decided: 10_000 }
    }
}

/// A variable at a location, after an undecided branch or not.
type Point = (ProcId, LocId, VarId, bool);

#[derive(Debug)]
pub(super) struct Precision {
    granularity: Granularity,
    bounds: Bounds,
    at: BTreeMap<(ProcId, LocId), BTreeSet<VarId>>,
    of_function: BTreeMap<ProcId, BTreeSet<VarId>>,
    everywhere: BTreeSet<VarId>,
    /// Whose values at entry are kept, from there on.
    entries: BTreeMap<ProcId, BTreeSet<VarId>>,
    dropped: BTreeSet<VarId>,
    known: FxHashMap<(ProcId, LocId), Rc<[VarId]>>,
    values: FxHashMap<Point, FxHashSet<i128>>,
    /// How often it has grown for all procedures, and for each.
    grown: u64,
    grown_in: FxHashMap<ProcId, u64>,
}

impl Precision {
    pub fn new(granularity: Granularity, bounds: Bounds) -> Precision {
        Precision {
            granularity,
            bounds,
            at: BTreeMap::new(),
            of_function: BTreeMap::new(),
            everywhere: BTreeSet::new(),
            entries: BTreeMap::new(),
            dropped: BTreeSet::new(),
            known: FxHashMap::default(),
            values: FxHashMap::default(),
            grown: 0,
            grown_in: FxHashMap::default(),
        }
    }

    /// The variables whose values are kept, sorted.
    pub fn at(&mut self, program: &Program, proc: ProcId, loc: LocId) -> Rc<[VarId]> {
        if let Some(known) = self.known.get(&(proc, loc)) {
            return Rc::clone(known);
        }
        let visible = |var: &&VarId| {
            program.vars[**var].kind.frame().is_none_or(|frame| frame == proc)
                && !self.dropped.contains(*var)
        };
        let local = self.at.get(&(proc, loc)).into_iter().flatten();
        let function = self.of_function.get(&proc).into_iter().flatten();
        let all: BTreeSet<VarId> =
            local.chain(function).chain(&self.everywhere).filter(visible).copied().collect();
        let all: Rc<[VarId]> = all.into_iter().collect();
        self.known.insert((proc, loc), Rc::clone(&all));
        all
    }

    /// The variables whose values at entry are kept in a procedure.
    pub fn at_entry(&self, proc: ProcId) -> impl Iterator<Item = VarId> + '_ {
        let entries = self.entries.get(&proc).into_iter().flatten();
        entries.copied().filter(|var| !self.dropped.contains(var))
    }

    /// Says whether that is news.
    pub fn add(&mut self, program: &Program, proc: ProcId, loc: LocId, var: VarId) -> bool {
        if self.dropped.contains(&var) {
            return false;
        }
        let is_static = program.vars[var].kind.frame().is_none();
        let news = match self.granularity {
            Granularity::Location => self.at.entry((proc, loc)).or_default().insert(var),
            // A static belongs to no function, and a function that does not keep its value
            // would lose it for all others.
            Granularity::Function if !is_static => {
                self.of_function.entry(proc).or_default().insert(var)
            }
            Granularity::Function | Granularity::Global => self.everywhere.insert(var),
        };
        if news {
            self.known.clear();
            match self.granularity {
                Granularity::Location => *self.grown_in.entry(proc).or_default() += 1,
                Granularity::Function if !is_static => {
                    *self.grown_in.entry(proc).or_default() += 1;
                }
                Granularity::Function | Granularity::Global => self.grown += 1,
            }
        }
        news
    }

    /// Another number whenever the precision of a procedure has grown.
    pub fn stamp(&self, proc: ProcId) -> u64 {
        self.grown + self.grown_in.get(&proc).copied().unwrap_or(0)
    }

    pub fn add_everywhere(&mut self, vars: impl IntoIterator<Item = VarId>) {
        self.everywhere.extend(vars);
        self.known.clear();
        self.grown += 1;
    }

    pub fn add_entry(&mut self, proc: ProcId, var: VarId) -> bool {
        let news =
            !self.dropped.contains(&var) && self.entries.entry(proc).or_default().insert(var);
        if news {
            *self.grown_in.entry(proc).or_default() += 1;
        }
        news
    }

    /// Takes note of values at a location. A variable that has too many of them is dropped.
    pub fn count(
        &mut self,
        (proc, loc): (ProcId, LocId),
        values: &Values,
        undecided: bool,
        involved: &[VarId],
    ) {
        if self.bounds == Bounds::NONE {
            return;
        }
        for (var, value) in values.iter() {
            let seen = self.values.entry((proc, loc, var, undecided)).or_default();
            let bound = match undecided {
                true if involved.contains(&var) => self.bounds.compared,
                true => self.bounds.undecided,
                false => self.bounds.decided,
            };
            if seen.insert(value) && seen.len() > bound {
                self.dropped.insert(var);
                self.known.clear();
            }
        }
    }

    /// The variables that have values now, and at the entry of a procedure.
    pub fn all(&self) -> Vec<(Role, Option<ProcId>, VarId)> {
        let local = self.at.values().flatten();
        let function = self.of_function.values().flatten();
        let now: BTreeSet<VarId> = local.chain(function).chain(&self.everywhere).copied().collect();
        let now = now.into_iter().map(|var| (Role::Now, None, var));
        let entries = self
            .entries
            .iter()
            .flat_map(|(proc, vars)| vars.iter().map(move |var| (Role::Pre, Some(*proc), *var)));
        now.chain(entries).filter(|(.., var)| !self.dropped.contains(var)).collect()
    }

    /// How many variables were added, and how many of them were dropped.
    pub fn sizes(&self) -> (usize, usize) {
        let mut all: BTreeSet<VarId> = self.everywhere.clone();
        all.extend(self.at.values().flatten().chain(self.of_function.values().flatten()));
        (all.len(), self.dropped.len())
    }
}
