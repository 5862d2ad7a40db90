//! What a turn of a loop, or a recursive call, does to numbers: as formulas, for those who look for
//! something that becomes smaller. They are made by the same walk as the conditions of proofs, of
//! a proof that has been checked, so what holds of them holds of the program, under the proof's
//! assumptions.

use std::collections::{BTreeMap, BTreeSet};

use lakatos_ir::loops::Loops;
use lakatos_ir::{IntType, LocId, ProcId, Program, SignedOverflow, VarId};
use lakatos_logic::number::Int;
use lakatos_logic::term::{Sort, Term, Terms};

use crate::check::{Instrumented, Ways};
use crate::condition::{Checked, Source};
use crate::shape::Shape;
use crate::walk::{Turn, Walk};

/// Steps that numbers take together.
#[derive(Debug)]
pub struct Steps {
    /// The arena of all formulas.
    pub terms: Terms,
    pub steps: Vec<Step>,
}

/// One kind of step: whenever all of `holds` does, the numbers go from `before` to `after`.
#[derive(Clone, Debug)]
pub struct Step {
    pub holds: Vec<Term>,
    pub before: Vec<Term>,
    pub after: Vec<Term>,
}

/// A program with a proof, ready to be asked.
#[derive(Debug)]
pub struct Relations<'p> {
    ways: Ways<'p>,
}

impl<'p> Relations<'p> {
    /// `None`: the proof speaks of bit-vectors.
    pub fn new(
        subject: &'p Instrumented,
        checked: &'p Checked,
        signed_overflow: SignedOverflow,
    ) -> Option<Relations<'p>> {
        let ways = Ways::new(subject.program(), checked.proof(), signed_overflow);
        ways.speaks_of_integers().then_some(Relations { ways })
    }

    /// The turns of the loop with this head, as steps of the given variables. Where the proof has
    /// no invariant at the head, nothing is known there. `None`: there is no loop with this head.
    pub fn turn(
        &mut self,
        proc: ProcId,
        head: LocId,
        of: impl Fn(VarId) -> bool,
    ) -> Option<(Vec<VarId>, Steps)> {
        let Ways { cx, maker } = &mut self.ways;
        let cfa = cx.program.procs[proc].body.as_ref()?;
        let loops = Loops::new(cfa);
        let body: BTreeSet<LocId> = loops.body(loops.headed_by(head)?).iter().copied().collect();
        let mut cuts = cx.parts.cuts(proc);
        cuts.insert(head);
        let shape = Shape::new(cx.program, proc, cfa, cuts.clone()).ok()?;
        let turn = Turn::new(cx, proc, &cuts, head, body);
        let round = Walk::around(cx, maker, &shape, proc, &turn);
        let terms = std::mem::take(&mut maker.terms);
        let is_number = |var: &VarId, term: &Term| terms.sort(*term) == Sort::Int && of(*var);
        let numbers = round.before.iter().filter(|(var, term)| is_number(var, term));
        let (vars, before): (Vec<VarId>, Vec<Term>) = numbers.map(|(v, t)| (*v, *t)).unzip();
        let Some(state) = round.after else {
            return Some((vars, Steps { terms, steps: Vec::new() }));
        };
        let now = vars.iter().zip(&before).map(|(var, old)| *state.values.get(var).unwrap_or(old));
        let after = now.collect();
        let mut holds = round.facts;
        holds.push(state.reach);
        Some((vars, Steps { terms, steps: vec![Step { holds, before, after }] }))
    }

    /// The calls among procedures that call each other, as steps of their parameters by number. A
    /// parameter that is no number in each of them is 0 everywhere and marked with `false`; where
    /// a procedure has none of that number, it is 0, too.
    pub fn recursion(&mut self, component: &[ProcId]) -> Option<(Vec<bool>, Steps)> {
        let program = self.ways.cx.program;
        let usable = numbers(program, component, |var| self.ways.maker.tracks(var));
        let mut steps = Vec::new();
        for &proc in component {
            let cfa = program.procs[proc].body.as_ref()?;
            let cuts = self.ways.cx.parts.cuts(proc);
            let cut = cuts.iter().map(|loc| Source::Cut(*loc));
            let sources: Vec<Source> = [Source::Entry].into_iter().chain(cut).collect();
            let shape = Shape::new(program, proc, cfa, cuts).ok()?;
            for source in sources {
                steps.extend(self.calls(&shape, proc, source, component, &usable));
            }
        }
        Some((usable, Steps { terms: std::mem::take(&mut self.ways.maker.terms), steps }))
    }

    /// The calls on the ways from one source.
    fn calls(
        &mut self,
        shape: &Shape,
        proc: ProcId,
        source: Source,
        component: &[ProcId],
        usable: &[bool],
    ) -> Vec<Step> {
        let Ways { cx, maker } = &mut self.ways;
        let calls = Walk::calls(cx, maker, shape, proc, source);
        let zero = maker.terms.int(Int::ZERO);
        let numbers = |proc: ProcId, values: &BTreeMap<VarId, Term>| -> Vec<Term> {
            let params = &cx.program.procs[proc].params;
            let value = |number: usize| match params.get(number).filter(|_| usable[number]) {
                Some(param) => values[param],
                None => zero,
            };
            (0..usable.len()).map(value).collect()
        };
        let inside = calls.made.iter().filter(|made| component.contains(&made.callee));
        let steps = inside.map(|made| {
            let mut holds = calls.facts.clone();
            holds.push(made.reach);
            let (before, after) =
                (numbers(proc, &calls.params), numbers(made.callee, &made.params));
            Step { holds, before, after }
        });
        steps.collect()
    }
}

/// Which parameters are numbers in all procedures that have them.
fn numbers(program: &Program, procs: &[ProcId], tracked: impl Fn(VarId) -> bool) -> Vec<bool> {
    let count = procs.iter().map(|proc| program.procs[*proc].params.len()).max().unwrap_or(0);
    let is_number = |param: &VarId| {
        let ty = program.vars[*param].ty.as_int();
        tracked(*param) && ty.is_some_and(|ty| ty != IntType::BOOL)
    };
    let everywhere = |number: usize| {
        let mut own = procs.iter().filter_map(|proc| program.procs[*proc].params.get(number));
        own.all(is_number)
    };
    (0..count).map(everywhere).collect()
}
