//! A step within a frame.

use std::rc::Rc;

use lakatos_encode::machine::Operand;
use lakatos_encode::ssa::{Obstacle, Origin, Versions};
use lakatos_ir::{
    Callee, Edge, EdgeId, ExprId, Instr, LocId, PlaceKind, ProcId, SiteId, Span, VarId,
};
use lakatos_logic::term::{Term, Terms};
use rustc_hash::FxHashMap;

use super::{Role, Semantics};

/// An edge that stays in its frame, as a formula between [`Role::Old`] and [`Role::Now`]. What it
/// does not assign is [`Role::Now`] before and after.
#[derive(Clone, Debug)]
pub struct Transition {
    pub formula: Term,
    /// The range facts of what the formula speaks of.
    pub ranges: Term,
    /// Sorted.
    pub assigned: Vec<VarId>,
    /// For each edge of a block, what it takes to pass it; see
    /// [`Step::guards`](lakatos_encode::ssa::Step::guards).
    pub guards: Vec<Term>,
    pub inputs: Vec<Input>,
    /// The formula may allow more than the program does.
    pub opaque: bool,
}

/// A value from outside.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// The number of the edge in its block; zero where there is none.
    pub edge: usize,
    pub site: SiteId,
    pub value: Operand,
}

impl Semantics<'_> {
    /// The meaning of an edge that enters no procedure with a body.
    pub fn transition(&mut self, terms: &mut Terms, proc: ProcId, edge: EdgeId) -> Rc<Transition> {
        if let Some(known) = self.transitions.get(&(proc, edge)) {
            return Rc::clone(known);
        }
        let body = self.program.procs[proc].body.as_ref().expect("an edge of a body");
        let transition = Rc::new(match &body.edges[edge].instr {
            Instr::Call(call) => self.outside_call(terms, call),
            _ => self.encoded(terms, proc, &body.edges[edge]),
        });
        self.transitions.insert((proc, edge), Rc::clone(&transition));
        transition
    }

    /// That a condition is defined and holds, of the variables now.
    pub fn condition(
        &mut self,
        terms: &mut Terms,
        proc: ProcId,
        condition: ExprId,
        span: Span,
    ) -> Term {
        self.instruction(terms, proc, Instr::Assume(condition), span).formula
    }

    /// The meaning of an instruction that is no call, by itself.
    pub fn instruction(
        &mut self,
        terms: &mut Terms,
        proc: ProcId,
        instr: Instr,
        span: Span,
    ) -> Transition {
        let (from, to) = (LocId(0), LocId(1));
        self.encoded(terms, proc, &Edge { from, to, instr, span })
    }

    fn encoded(&mut self, terms: &mut Terms, proc: ProcId, edge: &Edge) -> Transition {
        let frame = self.ssa.frame(proc, "");
        let mut versions = Versions::default();
        let step = match self.ssa.step(terms, frame, &mut versions, &edge.instr, edge.span) {
            Ok(step) => step,
            Err(Obstacle::Call { .. } | Obstacle::Unsupported(_)) => {
                unreachable!("calls are handled before, and what is unsupported is opaque")
            }
        };
        let mut assigned: Vec<VarId> = versions.iter().map(|(instance, _)| instance.var).collect();
        assigned.sort_unstable();
        let mut roots = vec![step.formula, step.ranges];
        roots.extend(&step.guards);
        roots.extend(step.inputs.iter().map(|i| i.value.term));
        let mut map = FxHashMap::default();
        for symbol in terms.free_symbols_of(&roots) {
            if let Some(Origin::Version(instance, version)) = self.ssa.origin(symbol) {
                let role = match version {
                    v if v == versions.get(instance) => Role::Now,
                    0 => Role::Old,
                    _ => continue,
                };
                map.insert(symbol, self.symbol(terms, role, instance.var));
            }
        }
        let mut renamed = terms.substitute_all(&roots, &map).into_iter();
        let mut next = || renamed.next().expect("as many as before");
        let (formula, ranges) = (next(), next());
        let guards = step.guards.iter().map(|_| next()).collect();
        let inputs = step
            .inputs
            .into_iter()
            .map(|i| Input {
                edge: i.edge,
                site: i.site,
                value: Operand { term: next(), ..i.value },
            })
            .collect();
        let known = self.ranges(terms, formula);
        let ranges = terms.and([ranges, known]);
        Transition { formula, ranges, assigned, guards, inputs, opaque: step.opaque }
    }

    /// A call of something without a body: its result is any value.
    fn outside_call(&mut self, terms: &mut Terms, call: &lakatos_ir::Call) -> Transition {
        let mut transition = Transition {
            formula: Term::TRUE,
            ranges: Term::TRUE,
            assigned: Vec::new(),
            guards: vec![Term::TRUE],
            inputs: Vec::new(),
            opaque: false,
        };
        // The path ends: what follows such a call is not reached.
        if let Callee::Builtin(builtin) = call.callee
            && builtin.ends()
        {
            transition.formula = Term::FALSE;
            return transition;
        }
        let Some(PlaceKind::Var(var)) = call.result.map(|p| self.program.places[p].kind) else {
            return transition;
        };
        if self.tracks(var) {
            let value = self.operand(terms, Role::Now, var);
            transition.ranges = self.machine.range(terms, value.term, value.ty);
            transition.assigned.push(var);
            match (call.callee, call.site) {
                (Callee::Builtin(_), _) | (_, None) => transition.opaque = true,
                (_, Some(site)) => transition.inputs.push(Input { edge: 0, site, value }),
            }
        }
        transition
    }
}
