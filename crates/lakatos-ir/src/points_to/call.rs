//! Calls: which procedures they reach, in which context, and what is handed over.

use super::access::Mode;
use super::build::{Argument, Builder, Context};
use super::solver::{NodeId, Use};
use crate::expr::PlaceId;
use crate::interpret::Accessor;
use crate::library::Effects;
use crate::program::{Call, Callee, EdgeId, Instr, ProcId};
use crate::ty::Type;

/// No function is looked at again in more contexts than this, nor in longer chains of calls.
const MOST_CONTEXTS: usize = 4_000;
const LONGEST_CHAIN: usize = 4;

/// A call that may reach procedures.
#[derive(Debug)]
pub(super) struct Site {
    context: Context,
    pub proc: ProcId,
    pub edge: EdgeId,
    args: Vec<Argument>,
    result: Option<PlaceId>,
    pub targets: Vec<ProcId>,
}

impl<'p> Builder<'p> {
    pub(super) fn call(&mut self, context: Context, proc: ProcId, edge: EdgeId, call: &'p Call) {
        if let Callee::Builtin(builtin) = call.callee {
            let value = self.library(context, (proc, edge), builtin, call);
            if let Some(place) = call.result {
                self.assign(context, place, &Argument::Scalar(value));
            }
            return;
        }
        let pointer = match call.callee {
            Callee::Pointer(pointer) => Some(self.expr(context, pointer)),
            _ => None,
        };
        let args = call.args.iter().map(|&arg| self.argument(context, arg)).collect();
        let result = call.result;
        let site = self.sites.len();
        self.sites.push(Site { context, proc, edge, args, result, targets: Vec::new() });
        match (call.callee, pointer) {
            (Callee::Proc(callee), _) => self.reach(site, callee),
            (_, Some(pointer)) => self.solver.add_use(pointer, Use::Call(site)),
            _ => {}
        }
    }

    /// A call has been found to reach a procedure.
    pub(super) fn reach(&mut self, site: usize, callee: ProcId) {
        let Site { context, proc, edge, .. } = self.sites[site];
        if self.sites[site].targets.contains(&callee) || !self.can_call((proc, edge), callee) {
            return;
        }
        self.sites[site].targets.push(callee);
        let (args, result) = (self.sites[site].args.clone(), self.sites[site].result);
        let procedure = &self.program.procs[callee];
        if procedure.body.is_none() {
            // A run ends where an error function is called.
            if !procedure.is_error {
                self.external(site, procedure.unmodelled());
            }
            return;
        }
        let inside = self.context_for(context, proc, edge, callee);
        self.enter(inside, callee);
        for (&param, arg) in procedure.params.iter().zip(&args) {
            self.give(inside, param, arg);
        }
        if let (Some(place), Some(var)) = (result, procedure.result) {
            let value = match self.in_memory[var.0 as usize] {
                true => {
                    let address = self.address_of_var(var);
                    let what = self.what(self.program.vars[var].ty, None);
                    self.touch(Accessor::Var(var), address, what, Mode::READ);
                    Argument::Aggregate(vec![address])
                }
                false => Argument::Scalar(self.slot(inside, var)),
            };
            self.assign(context, place, &value);
        }
    }

    /// A function of another type is not called, that is undefined.
    fn can_call(&self, (proc, edge): (ProcId, EdgeId), callee: ProcId) -> bool {
        let program = self.program;
        if program.foreign == Some(callee) {
            return true;
        }
        let body = program.procs[proc].body.as_ref().expect("it has a call");
        let Instr::Call(Call { callee: Callee::Pointer(pointer), .. }) = body.edges[edge].instr
        else {
            return true;
        };
        match program.types.inner(program.exprs[pointer].ty) {
            Some(Type::Function(seen)) => {
                program.types.compatible_signatures(seen, program.procs[callee].signature)
            }
            _ => true,
        }
    }

    fn context_for(
        &mut self,
        context: Context,
        proc: ProcId,
        edge: EdgeId,
        callee: ProcId,
    ) -> Context {
        let key = (context, proc, edge, callee);
        if let Some(&inside) = self.context_of.get(&key) {
            return inside;
        }
        let chain = &self.contexts[context as usize];
        let own = self.heap.allocates_for_others(callee)
            && chain.len() < LONGEST_CHAIN
            && self.contexts.len() < MOST_CONTEXTS;
        let inside = if own {
            let chain = chain.iter().copied().chain([(proc, edge)]).collect();
            self.contexts.push(chain);
            self.contexts.len() as Context - 1
        } else {
            0
        };
        self.context_of.insert(key, inside);
        inside
    }

    /// A call of a procedure without a body: what it is given can be found by all such procedures from
    /// then on, with what was made a number.
    fn external(&mut self, site: usize, library: Option<Effects>) {
        let Site { context, proc, edge, result, .. } = self.sites[site];
        // A run ends there.
        if library == Some(Effects::Unbounded) {
            return;
        }
        let args = self.sites[site].args.clone();
        let given: Vec<NodeId> = args
            .into_iter()
            .flat_map(|arg| match arg {
                Argument::Scalar(value) => vec![value],
                Argument::Aggregate(sources) => sources,
            })
            .filter(|&node| node != self.nothing)
            .collect();
        for &node in &given {
            self.solver.include(node, self.solver.escaped);
        }
        let escaped = self.solver.escaped;
        match library {
            Some(Effects::Value | Effects::Unbounded) => {}
            Some(Effects::Reads) => self.externals.push(External::reads((proc, edge), given)),
            Some(Effects::Writes) => self.externals.push(External::writes((proc, edge), given)),
            None => {
                self.solver.include(self.solver.exposed, escaped);
                self.externals.push(External::anything((proc, edge), escaped));
            }
        }
        if let Some(place) = result {
            self.give_unknown(context, place, escaped);
        }
    }
}

/// A call of a procedure without a body, and what it may do to memory.
#[derive(Clone, Debug)]
pub(super) struct External {
    pub at: (ProcId, EdgeId),
    /// What can be reached from these pointers is touched.
    pub given: Vec<NodeId>,
    pub writes: bool,
    /// It may call functions that it can reach.
    pub calls: bool,
}

impl External {
    fn reads(at: (ProcId, EdgeId), given: Vec<NodeId>) -> External {
        External { at, given, writes: false, calls: false }
    }

    fn writes(at: (ProcId, EdgeId), given: Vec<NodeId>) -> External {
        External { at, given, writes: true, calls: false }
    }

    fn anything(at: (ProcId, EdgeId), escaped: NodeId) -> External {
        External { at, given: vec![escaped], writes: true, calls: true }
    }
}
