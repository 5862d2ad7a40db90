//! Calls: by contract, of functions without a body, and of library functions.

use std::collections::BTreeMap;

use lakatos_evidence::{Meaning, Slot, When};
use lakatos_ir::{Builtin, Call, Callee, EdgeId, ProcId, Span, VarId};
use lakatos_logic::term::Term;

use super::{Made, State, Walk};
use crate::condition::Kind;
use crate::formula::instantiate;

/// A callee's view of a call before it.
struct Frame {
    params: BTreeMap<VarId, Term>,
    state: State,
}

impl Walk<'_, '_> {
    pub(super) fn call(
        &mut self,
        edge: EdgeId,
        call: &Call,
        span: Span,
        mut state: State,
    ) -> Vec<State> {
        if let Callee::Pointer(pointer) = call.callee {
            self.evaluate(&mut state, pointer);
        }
        let arguments: Vec<Option<Term>> =
            call.args.iter().map(|arg| self.evaluate(&mut state, *arg).value).collect();
        if let Callee::Builtin(builtin) = call.callee {
            return self.builtin(builtin, call, state);
        }
        let targets = self.cx.calls.targets(self.proc, edge);
        if targets.is_empty() {
            self.oblige(Kind::Target, span, &state, Term::FALSE);
        }
        let mut after = Vec::with_capacity(targets.len());
        for &target in targets {
            let state = state.clone();
            after.push(match self.cx.program.procs[target].body {
                Some(_) => self.by_contract(target, call, &arguments, span, state),
                None => self.outside(call, state),
            });
        }
        after
    }

    fn builtin(&mut self, builtin: Builtin, call: &Call, state: State) -> Vec<State> {
        match builtin {
            Builtin::Abort | Builtin::Exit => Vec::new(),
            _ => {
                self.maker.approximate = true;
                vec![self.outside(call, state)]
            }
        }
    }

    /// Something without a body changes only memory, of which nothing is known (that it does so
    /// is an assumption the proof names), and gives back any value.
    fn outside(&mut self, call: &Call, mut state: State) -> State {
        if let Some(place) = call.result {
            self.assign_any(&mut state, place);
        }
        state
    }

    /// A call means what the callee's contract says, in recursion too.
    fn by_contract(
        &mut self,
        callee: ProcId,
        call: &Call,
        arguments: &[Option<Term>],
        span: Span,
        mut state: State,
    ) -> State {
        let contract = self.cx.contracts[&callee];
        let before = Frame { params: self.bind(callee, call, arguments), state: state.clone() };
        self.made.push(Made { callee, reach: state.reach, params: before.params.clone() });
        let requires = |walk: &mut Self, part, _: &State| walk.told(part, &before, None);
        let kind = Kind::Requires(callee);
        self.oblige_all(Slot::Requires(callee), kind, span, &state, requires);
        let program = self.cx.program;
        for &var in &self.cx.mods.of_proc(callee).writes.vars {
            if contract.assigns.touches(program, var) {
                self.forget(&mut state, var);
            }
        }
        let result = program.procs[callee].result.filter(|var| self.maker.tracks(*var));
        let result = result.map(|var| (var, self.maker.any_of(var, "\\result")));
        let after = Some((&state, result));
        let ensures =
            self.assumed(Slot::Ensures(callee), |walk, part| walk.told(part, &before, after));
        state.reach = self.maker.terms.and([state.reach, ensures]);
        if let Some(place) = call.result {
            self.assign(&mut state, place, result.map(|(_, value)| value));
        }
        state
    }

    /// The values of a callee's parameters. An argument that is missing, or of another type, says
    /// nothing.
    fn bind(
        &mut self,
        callee: ProcId,
        call: &Call,
        arguments: &[Option<Term>],
    ) -> BTreeMap<VarId, Term> {
        let program = self.cx.program;
        let mut bound = BTreeMap::new();
        for (number, &param) in program.procs[callee].params.iter().enumerate() {
            if !self.maker.tracks(param) {
                continue;
            }
            let same = call
                .args
                .get(number)
                .filter(|arg| program.exprs[**arg].ty == program.vars[param].ty);
            let value = same.and_then(|_| arguments[number]);
            bound.insert(param, value.unwrap_or_else(|| self.maker.any_of(param, "")));
        }
        bound
    }

    /// A formula of a callee's contract: before the call, or after it with the result.
    fn told(
        &mut self,
        formula: Term,
        before: &Frame,
        after: Option<(&State, Option<(VarId, Term)>)>,
    ) -> Term {
        let mut values = BTreeMap::new();
        for meaning in self.meanings(formula) {
            let Meaning { var, when } = meaning;
            let is_static = self.cx.program.vars[var].kind.frame().is_none();
            let value = match (when, after) {
                (When::Now, Some((state, result))) => match result {
                    _ if is_static => Some(self.value(state, var)),
                    Some((own, value)) if own == var => Some(value),
                    _ => None,
                },
                _ if is_static => Some(self.value(&before.state, var)),
                _ => before.params.get(&var).copied(),
            };
            values.extend(value.map(|value| (meaning, value)));
        }
        instantiate(self.maker, self.cx.proof, formula, &values)
    }
}
