//! What the solver is asked: whether an edge can be taken at all, and the values that a variable
//! may have after it.
//!
//! Formulas are asked about with the known values in place of symbols, so equal questions are
//! equal terms, and no question is asked twice.

use lakatos_ir::{EdgeId, ProcId, VarId};
use lakatos_logic::smt::{Answer, Limits, Reason};
use lakatos_logic::term::Term;
use rustc_hash::FxHashMap;

use super::{Explicit, State, Values, target};
use crate::core::{Cx, Stop};
use crate::semantics::Role;

/// A variable that had too many values after an edge so often is not asked about again.
const MOST_FAILURES: u32 = 3;

/// Of each question. Without an answer an edge can be taken, and a variable is anything.
const MOST_WORK: u32 = 300_000;

/// Asks questions with little work for each.
pub(super) fn shortly<R>(cx: &mut Cx<'_>, ask: impl FnOnce(&mut Cx<'_>) -> R) -> R {
    let limits = cx.smt.limits();
    let resources = limits.resources.map_or(MOST_WORK, |own| own.min(MOST_WORK));
    cx.smt.set_limits(Limits { resources: Some(resources), ..limits });
    let answer = ask(cx);
    cx.smt.set_limits(limits);
    answer
}

#[derive(Debug, Default)]
pub(super) struct Asked {
    pub queries: u64,
    /// Edges: whether they can be taken from anywhere.
    edges: FxHashMap<(ProcId, EdgeId), bool>,
    satisfiable: FxHashMap<Term, bool>,
    /// `None`: too many, or the solver does not know.
    values: FxHashMap<(Term, VarId), Option<Vec<i128>>>,
    failures: FxHashMap<(ProcId, EdgeId, VarId), u32>,
}

impl Explicit {
    /// The values after an edge, with what the solver can say of them.
    pub(super) fn asked_about(
        &mut self,
        cx: &mut Cx<'_>,
        (proc, edge): (ProcId, EdgeId),
        before: &State,
        ends: Vec<Values>,
        undecided: bool,
        suspects: &[VarId],
    ) -> Result<Vec<Values>, Stop> {
        if undecided && !self.is_ever_possible(cx, proc, edge)? {
            return Ok(Vec::new());
        }
        let loc = target(cx, proc, edge);
        let program = cx.semantics.program;
        let body = program.procs[proc].body.as_ref().expect("an edge of a body");
        let doubtful = undecided && (self.thorough || body.locs[loc].error.is_some());
        let wanted = self.precision.at(program, proc, loc);
        let mut asked = Vec::with_capacity(ends.len());
        for end in ends {
            if doubtful && !self.is_possible(cx, (proc, edge), &before.now, &end)? {
                continue;
            }
            let open: Vec<VarId> = suspects
                .iter()
                .copied()
                .filter(|var| wanted.contains(var) && end.get(*var).is_none())
                .collect();
            let mut ways = vec![end];
            for var in open {
                ways = self.split(cx, (proc, edge), before, ways, var)?;
            }
            asked.extend(ways);
        }
        Ok(asked)
    }

    /// Every value that a variable may have in a way of its own, if they are few.
    fn split(
        &mut self,
        cx: &mut Cx<'_>,
        at: (ProcId, EdgeId),
        before: &State,
        ways: Vec<Values>,
        var: VarId,
    ) -> Result<Vec<Values>, Stop> {
        let mut split = Vec::with_capacity(ways.len());
        for way in ways {
            match self.values_of(cx, at, before, &way, var)? {
                Some(values) => split.extend(values.into_iter().map(|value| {
                    let mut way = way.clone();
                    way.set(var, value);
                    way
                })),
                None => split.push(way),
            }
        }
        Ok(split)
    }

    fn values_of(
        &mut self,
        cx: &mut Cx<'_>,
        (proc, edge): (ProcId, EdgeId),
        before: &State,
        after: &Values,
        var: VarId,
    ) -> Result<Option<Vec<i128>>, Stop> {
        let failures = self.asked.failures.get(&(proc, edge, var)).copied().unwrap_or(0);
        if self.settings.successors == 0 || failures >= MOST_FAILURES {
            return Ok(None);
        }
        let formula = instance(cx, proc, edge, &before.now, after);
        if let Some(known) = self.asked.values.get(&(formula, var)) {
            return Ok(known.clone());
        }
        let found = self.enumerate(cx, formula, var)?;
        if found.is_none() {
            *self.asked.failures.entry((proc, edge, var)).or_default() += 1;
        }
        self.asked.values.insert((formula, var), found.clone());
        Ok(found)
    }

    /// The values of a variable in the models of a formula. `None`: more than the setting allows,
    /// or the solver cannot tell.
    fn enumerate(
        &mut self,
        cx: &mut Cx<'_>,
        formula: Term,
        var: VarId,
    ) -> Result<Option<Vec<i128>>, Stop> {
        let symbol = cx.semantics.operand(&mut cx.terms, Role::Now, var);
        let name = cx.terms.as_symbol(symbol.term).expect("variables are symbols");
        if !cx.terms.free_symbols(formula).contains(&name) {
            return Ok(None);
        }
        let machine = cx.semantics.machine();
        let mut found = Vec::new();
        let mut formulas = vec![formula];
        loop {
            self.asked.queries += 1;
            let (answer, model) = cx.smt.model(&cx.terms, &formulas);
            match answer {
                Answer::Unsat => return Ok(Some(found)),
                Answer::Unknown(Reason::Cancelled) => return Err(Reason::Cancelled.into()),
                Answer::Unknown(_) => return Ok(None),
                Answer::Sat => {}
            }
            let value = model
                .and_then(|model| cx.terms.evaluate(symbol.term, &model))
                .and_then(|value| machine.value(&value, symbol.ty));
            let Some(value) = value.filter(|_| found.len() < self.settings.successors) else {
                return Ok(None);
            };
            found.push(value);
            let value = machine.constant(&mut cx.terms, value, symbol.ty);
            let other = cx.terms.ne(symbol.term, value.term);
            formulas.push(other);
        }
    }

    /// Asked once for each edge: what excludes itself is excluded by no variable's value, so
    /// refinement could not do it.
    fn is_ever_possible(
        &mut self,
        cx: &mut Cx<'_>,
        proc: ProcId,
        edge: EdgeId,
    ) -> Result<bool, Stop> {
        if let Some(known) = self.asked.edges.get(&(proc, edge)) {
            return Ok(*known);
        }
        let nothing = Values::default();
        let possible = self.is_possible(cx, (proc, edge), &nothing, &nothing)?;
        self.asked.edges.insert((proc, edge), possible);
        Ok(possible)
    }

    fn is_possible(
        &mut self,
        cx: &mut Cx<'_>,
        (proc, edge): (ProcId, EdgeId),
        before: &Values,
        after: &Values,
    ) -> Result<bool, Stop> {
        let formula = instance(cx, proc, edge, before, after);
        match formula {
            Term::TRUE => return Ok(true),
            Term::FALSE => return Ok(false),
            _ => {}
        }
        if let Some(known) = self.asked.satisfiable.get(&formula) {
            return Ok(*known);
        }
        self.asked.queries += 1;
        let possible = match cx.smt.check(&cx.terms, &[formula]) {
            Answer::Unsat => false,
            Answer::Unknown(Reason::Cancelled) => return Err(Reason::Cancelled.into()),
            Answer::Sat | Answer::Unknown(_) => true,
        };
        self.asked.satisfiable.insert(formula, possible);
        Ok(possible)
    }
}

/// The edge's formula for some values before and after it.
fn instance(cx: &mut Cx<'_>, proc: ProcId, edge: EdgeId, before: &Values, after: &Values) -> Term {
    let transition = cx.semantics.transition(&mut cx.terms, proc, edge);
    let whole = cx.terms.and([transition.formula, transition.ranges]);
    let assigned = |var: VarId| transition.assigned.binary_search(&var).is_ok();
    let mut map = FxHashMap::default();
    let before = before.iter().map(|(var, value)| match assigned(var) {
        true => (Role::Old, var, value),
        false => (Role::Now, var, value),
    });
    let after = after.iter().map(|(var, value)| (Role::Now, var, value));
    for (role, var, value) in before.chain(after) {
        let symbol = cx.semantics.operand(&mut cx.terms, role, var);
        let name = cx.terms.as_symbol(symbol.term).expect("variables are symbols");
        let value = cx.semantics.machine().constant(&mut cx.terms, value, symbol.ty);
        map.insert(name, value.term);
    }
    cx.terms.substitute(whole, &map)
}
