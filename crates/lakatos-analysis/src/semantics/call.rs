//! Calls of procedures with a body: entering and leaving a frame.

use std::rc::Rc;

use lakatos_encode::expr::{Read, evaluate};
use lakatos_encode::machine::{Machine, Operand};
use lakatos_ir::{Callee, EdgeId, ExprId, Instr, IntType, PlaceId, PlaceKind, ProcId, VarId};
use lakatos_logic::term::{Term, Terms};

use super::{Role, Semantics};

/// A call edge with one of the procedures it may call.
#[derive(Clone, Debug)]
pub struct Call {
    pub caller: ProcId,
    pub edge: EdgeId,
    pub callee: ProcId,
    /// From the caller ([`Role::Caller`], statics [`Role::Now`]) to the callee's entry
    /// ([`Role::Now`] and [`Role::Pre`]).
    pub enter: Term,
    pub enter_ranges: Term,
    /// From the caller before the call (statics and the result's place [`Role::Old`] where the
    /// call changes them, the rest [`Role::Now`]) and the callee ([`Role::Callee`],
    /// [`Role::CalleePre`]) to the caller after it ([`Role::Now`]).
    pub leave: Term,
    pub leave_ranges: Term,
    /// What the call changes in the caller: the result's place and statics. Sorted.
    pub assigned: Vec<VarId>,
    pub opaque: bool,
}

impl Semantics<'_> {
    /// The procedures with a body that an edge may enter.
    pub fn entered(&self, proc: ProcId, edge: EdgeId) -> Vec<ProcId> {
        let has_body = |callee: &ProcId| self.program.procs[*callee].body.is_some();
        self.calls.targets(proc, edge).iter().copied().filter(has_body).collect()
    }

    /// Whether an edge may be a step within its frame, which
    /// [`transition`](Semantics::transition) describes.
    pub fn stays(&self, proc: ProcId, edge: EdgeId) -> bool {
        let body = self.program.procs[proc].body.as_ref().expect("an edge of a body");
        let Instr::Call(call) = &body.edges[edge].instr else { return true };
        let has_none = |callee: &ProcId| self.program.procs[*callee].body.is_none();
        matches!(call.callee, Callee::Builtin(_))
            || self.calls.targets(proc, edge).iter().any(has_none)
    }

    pub fn call(
        &mut self,
        terms: &mut Terms,
        caller: ProcId,
        edge: EdgeId,
        callee: ProcId,
    ) -> Rc<Call> {
        if let Some(known) = self.known_calls.get(&(caller, edge, callee)) {
            return Rc::clone(known);
        }
        let call = Rc::new(self.make_call(terms, caller, edge, callee));
        self.known_calls.insert((caller, edge, callee), Rc::clone(&call));
        call
    }

    fn make_call(
        &mut self,
        terms: &mut Terms,
        caller: ProcId,
        edge: EdgeId,
        callee: ProcId,
    ) -> Call {
        let program = self.program;
        let body = program.procs[caller].body.as_ref().expect("an edge of a body");
        let Instr::Call(instr) = &body.edges[edge].instr else { panic!("not a call") };
        let (arguments, defined, opaque) = self.arguments(terms, &instr.args);
        let mut assigned: Vec<VarId> = self.changed_statics(callee);
        let place = instr.result.and_then(|p| match program.places[p].kind {
            PlaceKind::Var(var) if self.tracks(var) => Some(var),
            _ => None,
        });
        let statics = assigned.clone();
        assigned.extend(place);
        assigned.sort_unstable();
        assigned.dedup();
        let enter = self.enter(terms, callee, &arguments, defined);
        let leave = self.leave(terms, callee, &arguments, defined, place, &statics, &assigned);
        Call {
            caller,
            edge,
            callee,
            enter_ranges: self.ranges(terms, enter),
            leave_ranges: self.ranges(terms, leave),
            enter,
            leave,
            assigned,
            opaque,
        }
    }

    /// The values of integer arguments over the caller's variables now, and that they have one.
    fn arguments(
        &mut self,
        terms: &mut Terms,
        args: &[ExprId],
    ) -> (Vec<Option<Operand>>, Term, bool) {
        let (program, machine) = (self.program, self.machine);
        let mut reader = Now { semantics: self, machine, ranges: Vec::new(), opaque: false };
        let mut values = Vec::with_capacity(args.len());
        let mut defined = Vec::new();
        for arg in args {
            match evaluate(program, machine, terms, &mut reader, *arg) {
                Ok(evaluated) => {
                    defined.push(evaluated.defined(terms));
                    values.push(Some(evaluated.value));
                }
                Err(_) => values.push(None),
            }
        }
        let (ranges, opaque) = (reader.ranges, reader.opaque);
        let defined = terms.and(defined.into_iter().chain(ranges));
        (values, defined, opaque)
    }

    fn enter(
        &mut self,
        terms: &mut Terms,
        callee: ProcId,
        arguments: &[Option<Operand>],
        defined: Term,
    ) -> Term {
        let program = self.program;
        let mut parts = vec![defined];
        for (param, argument) in program.procs[callee].params.iter().zip(arguments) {
            if let (true, Some(argument)) = (self.tracks(*param), argument) {
                // Marked as the callee's until the caller's variables are out of the way.
                let value = self.symbol(terms, Role::Callee, *param);
                parts.push(terms.eq(value, argument.term));
            }
        }
        let binding = terms.and(parts);
        let binding = self.replace_roles(terms, binding, |semantics, terms, role, var| {
            match (role, semantics.program.vars[var].kind.frame()) {
                (Role::Now, Some(_)) => Some(semantics.symbol(terms, Role::Caller, var)),
                (Role::Callee, _) => Some(semantics.symbol(terms, Role::Now, var)),
                _ => None,
            }
        });
        let mut parts = vec![binding];
        for var in self.changed(callee).iter().copied() {
            let (now, pre) =
                (self.symbol(terms, Role::Now, var), self.symbol(terms, Role::Pre, var));
            parts.push(terms.eq(now, pre));
        }
        terms.and(parts)
    }

    #[allow(clippy::too_many_arguments)]
    fn leave(
        &mut self,
        terms: &mut Terms,
        callee: ProcId,
        arguments: &[Option<Operand>],
        defined: Term,
        place: Option<VarId>,
        statics: &[VarId],
        assigned: &[VarId],
    ) -> Term {
        let program = self.program;
        let changed = self.changed(callee);
        let mut parts = vec![defined];
        for (param, argument) in program.procs[callee].params.iter().zip(arguments) {
            if let (true, Some(argument)) = (self.tracks(*param), argument) {
                let role = match changed.contains(param) {
                    true => Role::CalleePre,
                    false => Role::Callee,
                };
                let value = self.symbol(terms, role, *param);
                parts.push(terms.eq(value, argument.term));
            }
        }
        for var in statics {
            let pre = self.symbol(terms, Role::CalleePre, *var);
            let before = self.symbol(terms, Role::Now, *var);
            parts.push(terms.eq(pre, before));
        }
        // So far everything of the caller is before the call.
        let before = terms.and(parts);
        let before = self.replace_roles(terms, before, |semantics, terms, role, var| {
            let old = role == Role::Now && assigned.contains(&var);
            old.then(|| semantics.symbol(terms, Role::Old, var))
        });
        let mut parts = vec![before];
        for var in statics.iter().copied().filter(|v| Some(*v) != place) {
            let (now, end) =
                (self.symbol(terms, Role::Now, var), self.symbol(terms, Role::Callee, var));
            parts.push(terms.eq(now, end));
        }
        let result = program.procs[callee].result.filter(|r| self.tracks(*r));
        if let (Some(place), Some(result)) = (place, result) {
            let now = self.symbol(terms, Role::Now, place);
            let value = self.symbol(terms, Role::Callee, result);
            parts.push(terms.eq(now, value));
        }
        terms.and(parts)
    }
}

/// Reads the caller's variables as they are now.
struct Now<'a, 'p> {
    semantics: &'a mut Semantics<'p>,
    machine: Machine,
    ranges: Vec<Term>,
    opaque: bool,
}

impl Read for Now<'_, '_> {
    fn load(&mut self, terms: &mut Terms, place: PlaceId) -> Option<Operand> {
        match self.semantics.program.places[place].kind {
            PlaceKind::Var(var) if self.semantics.tracks(var) => {
                Some(self.semantics.operand(terms, Role::Now, var))
            }
            _ => None,
        }
    }

    fn anything(&mut self, terms: &mut Terms, ty: IntType) -> Option<Operand> {
        self.opaque = true;
        let value = terms.fresh("opaque", self.machine.sort(ty));
        let range = self.machine.range(terms, value, ty);
        self.ranges.push(range);
        Some(Operand::new(terms, value, ty))
    }
}
