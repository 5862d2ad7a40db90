//! What single edges do, and how procedures hang together: what every search over ranges needs.

use std::collections::{BTreeMap, BTreeSet};

use lakatos_ir::arena::Arena;
use lakatos_ir::callgraph::CallGraph;
use lakatos_ir::loops::Loops;
use lakatos_ir::modset::{Effects, ModSets};
use lakatos_ir::{
    Call, Callee, Cfa, Edge, EdgeId, ExprId, Id, Instr, LocId, PlaceKind, ProcId, Program,
    SignedOverflow, VarId,
};

use super::state::{Meaning, State, is_followed};

/// A procedure and its place in the order of work: callees before callers.
pub(super) struct Body<'p> {
    pub cfa: &'p Cfa,
    pub rank: usize,
    /// Of each location, its number in reverse postorder.
    pub order: Vec<usize>,
    /// The locations in that order; those that no edge leads to are missing.
    pub sorted: Vec<LocId>,
    /// Where states may grow without end.
    pub heads: BTreeSet<LocId>,
    /// The variables that edges change by themselves.
    written: Arena<EdgeId, Vec<VarId>>,
}

/// A program as searches see it.
pub(super) struct Steps<'p> {
    pub meaning: Meaning<'p>,
    calls: CallGraph,
    mods: ModSets,
    /// What calls of procedures may change.
    written: BTreeMap<(ProcId, EdgeId), BTreeSet<VarId>>,
    pub bodies: BTreeMap<ProcId, Body<'p>>,
    /// The procedures of the ranks.
    pub ranked: Vec<ProcId>,
    /// Where each procedure is called.
    callers: BTreeMap<ProcId, Vec<(ProcId, EdgeId)>>,
}

impl<'p> Steps<'p> {
    pub fn new(program: &'p Program, signed_overflow: SignedOverflow) -> Steps<'p> {
        let calls = CallGraph::new(program);
        let mods = ModSets::new(program, &calls);
        let ranked: Vec<ProcId> = calls
            .bottom_up()
            .flatten()
            .filter(|proc| program.procs[*proc].body.is_some() && calls.is_reachable(*proc))
            .collect();
        let (mut bodies, mut written) = (BTreeMap::new(), BTreeMap::new());
        let mut callers: BTreeMap<ProcId, Vec<(ProcId, EdgeId)>> = BTreeMap::new();
        for (rank, proc) in ranked.iter().enumerate() {
            bodies.insert(*proc, Body::new(program, *proc, rank, calls.is_recursive(*proc)));
            for site in calls.sites(*proc) {
                let effects = mods.of_edge(program, &calls, *proc, site.edge);
                written.insert((*proc, site.edge), effects.writes.vars);
                for target in &site.targets {
                    callers.entry(*target).or_default().push((*proc, site.edge));
                }
            }
        }
        let meaning = Meaning::new(program, signed_overflow);
        Steps { meaning, calls, mods, written, bodies, ranked, callers }
    }

    pub fn start(&self) -> (ProcId, LocId) {
        let start = self.meaning.program.start;
        (start, self.bodies[&start].cfa.entry)
    }

    pub fn instr(&self, proc: ProcId, edge: EdgeId) -> &'p Instr {
        &self.bodies[&proc].cfa.edges[edge].instr
    }

    pub fn exit(&self, proc: ProcId) -> (ProcId, LocId) {
        (proc, self.bodies[&proc].cfa.exit)
    }

    /// The calls of a procedure.
    pub fn callers(&self, proc: ProcId) -> &[(ProcId, EdgeId)] {
        self.callers.get(&proc).map_or(&[], Vec::as_slice)
    }

    /// The procedures that a call enters, if they have bodies and nothing else is called.
    pub fn targets(&self, proc: ProcId, edge: EdgeId) -> Option<&[ProcId]> {
        let targets = self.calls.targets(proc, edge);
        let have_bodies = targets.iter().all(|target| self.bodies.contains_key(target));
        (!targets.is_empty() && have_bodies).then_some(targets)
    }

    /// How an edge enters procedures that have a body.
    pub fn entries(&self, proc: ProcId, edge: EdgeId, state: &State) -> Vec<(ProcId, State)> {
        let program = self.meaning.program;
        let Instr::Call(call) = self.instr(proc, edge) else { return vec![] };
        let targets = self.calls.targets(proc, edge).iter().copied();
        let entered = |target: ProcId| {
            let mut entry = state.clone();
            entry.retain(|var| program.vars[var].kind.frame().is_none());
            for (param, arg) in program.procs[target].params.iter().zip(&call.args) {
                if let (Some(ty), Some(number)) =
                    (is_followed(program, *param), self.meaning.number(state, *arg))
                {
                    entry.set(*param, ty, number.converted(ty));
                }
            }
            (target, entry)
        };
        targets.filter(|target| self.bodies.contains_key(target)).map(entered).collect()
    }

    /// The variable that an instruction gives the value of an expression, and what it may write to is
    /// forgotten in `after`.
    pub fn assigned(
        &self,
        proc: ProcId,
        edge: EdgeId,
        after: &mut State,
    ) -> Option<(VarId, ExprId)> {
        let program = self.meaning.program;
        let body = &self.bodies[&proc];
        body.written[edge].iter().for_each(|var| after.forget(*var));
        let instr = &body.cfa.edges[edge].instr;
        let (var, value) = match instr {
            Instr::Assign(place, value) => match program.places[*place].kind {
                PlaceKind::Var(var) => (var, *value),
                _ => return None,
            },
            Instr::Return(Some(value)) => (program.procs[proc].result?, *value),
            _ => return None,
        };
        is_followed(program, var).map(|_| (var, value))
    }

    /// The state after a call of what has no body, or may be anything; `None`: it does not return.
    pub fn called(&self, proc: ProcId, edge: EdgeId, state: &State) -> Option<State> {
        if let Instr::Call(call) = self.instr(proc, edge)
            && let Callee::Builtin(builtin) = call.callee
            && builtin.ends()
        {
            return None;
        }
        let effects = self.mods.of_edge(self.meaning.program, &self.calls, proc, edge);
        let mut after = state.clone();
        effects.writes.vars.iter().for_each(|var| after.forget(*var));
        Some(after)
    }

    /// What is the same after a call, whatever it does.
    pub fn untouched(
        &self,
        proc: ProcId,
        edge: EdgeId,
        targets: &[ProcId],
        state: &State,
    ) -> State {
        let mut kept = state.clone();
        let in_all = |var: &VarId| {
            targets.iter().all(|target| self.mods.of_proc(*target).writes.vars.contains(var))
        };
        let written = self.written[&(proc, edge)].iter();
        written.filter(|var| in_all(var)).for_each(|var| kept.forget(*var));
        kept
    }

    /// The state after a call of `target`, which was left in state `exit`.
    pub fn returned(
        &self,
        (proc, edge): (ProcId, EdgeId),
        call: &Call,
        state: &State,
        (target, exit): (ProcId, &State),
    ) -> State {
        let program = self.meaning.program;
        let changed = &self.mods.of_proc(target).writes.vars;
        let mut left = state.clone();
        for &var in &self.written[&(proc, edge)] {
            match is_followed(program, var) {
                Some(ty) if program.vars[var].kind.frame().is_none() => {
                    let from = if changed.contains(&var) { exit } else { state };
                    left.set(var, ty, from.get(var, ty));
                }
                _ => left.forget(var),
            }
        }
        let result = program.procs[target].result.filter(|v| is_followed(program, *v).is_some());
        if let Some(place) = call.result
            && let PlaceKind::Var(var) = program.places[place].kind
            && let Some(ty) = is_followed(program, var)
        {
            left.forget(var);
            if let Some(result) = result {
                left.set(var, ty, exit.get(result, ty));
            }
        }
        left
    }
}

impl<'p> Body<'p> {
    fn new(program: &'p Program, proc: ProcId, rank: usize, is_recursive: bool) -> Body<'p> {
        let cfa = program.procs[proc].body.as_ref().expect("those without were left out");
        let written = |(_, edge): (EdgeId, &Edge)| {
            let effects = Effects::of_instr(program, proc, &edge.instr);
            effects.writes.vars.into_iter().collect()
        };
        let written = cfa.edges.iter().map(written).collect();
        let loops = Loops::new(cfa);
        let exit = is_recursive.then_some(cfa.exit);
        let heads = loops.cut_points().iter().copied().chain([cfa.entry]).chain(exit).collect();
        let sorted = reverse_postorder(cfa);
        let mut order = vec![usize::MAX; cfa.locs.len()];
        for (number, loc) in sorted.iter().enumerate() {
            order[loc.index()] = number;
        }
        Body { cfa, rank, order, sorted, heads, written }
    }
}

fn reverse_postorder(cfa: &Cfa) -> Vec<LocId> {
    let mut seen = BTreeSet::from([cfa.entry]);
    let mut done = Vec::new();
    let mut stack: Vec<(LocId, Vec<LocId>)> =
        vec![(cfa.entry, cfa.successors(cfa.entry).collect())];
    while let Some((loc, rest)) = stack.last_mut() {
        match rest.pop() {
            Some(next) if seen.insert(next) => {
                stack.push((next, cfa.successors(next).collect()));
            }
            Some(_) => {}
            None => {
                done.push(*loc);
                stack.pop();
            }
        }
    }
    done.reverse();
    done
}
