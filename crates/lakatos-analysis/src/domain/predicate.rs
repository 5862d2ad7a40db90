//! Predicate abstraction (stack-abstraction thesis, section 2.2): a state is a Boolean combination
//! of the predicates that the precision has for its location.

use std::collections::{BTreeMap, BTreeSet};

use lakatos_ir::{EdgeId, LocId, ProcId, VarId};
use lakatos_logic::cubes::{Abstractor, Gap, PredId, Refused, Region, Statistics};
use lakatos_logic::term::Term;
use rustc_hash::FxHashMap;

use crate::core::{Cx, Domain, Lesson, Seen, Stop};
use crate::semantics::{Call, Role};

/// How a formula becomes a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Abstracts {
    #[default]
    Boolean,
    Cartesian,
}

/// Where a predicate is used that was learned somewhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Granularity {
    #[default]
    Location,
    Function,
    Global,
}

/// The domain with its precision.
#[derive(Debug)]
pub struct Predicate {
    abstractor: Abstractor,
    abstracts: Abstracts,
    granularity: Granularity,
    precision: BTreeMap<(ProcId, LocId), BTreeSet<PredId>>,
    of_function: BTreeMap<ProcId, BTreeSet<PredId>>,
    everywhere: BTreeSet<PredId>,
    formulas: FxHashMap<Region, Term>,
    /// Why the last abstraction that may not be the strongest may not be it.
    gap: Option<Gap>,
    lessons: Vec<Lesson>,
}

impl Predicate {
    pub fn new(abstracts: Abstracts, granularity: Granularity) -> Predicate {
        Predicate {
            abstractor: Abstractor::new(),
            abstracts,
            granularity,
            precision: BTreeMap::new(),
            of_function: BTreeMap::new(),
            everywhere: BTreeSet::new(),
            formulas: FxHashMap::default(),
            gap: None,
            lessons: Vec::new(),
        }
    }

    pub fn statistics(&self) -> Statistics {
        self.abstractor.statistics()
    }

    /// How many predicates there are.
    pub fn size(&self) -> usize {
        self.abstractor.predicates().len()
    }

    /// Whether the precision has no predicate for a location.
    pub(super) fn is_blind(&self, proc: ProcId, loc: LocId) -> bool {
        self.everywhere.is_empty()
            && !self.precision.contains_key(&(proc, loc))
            && !self.of_function.contains_key(&proc)
    }

    fn at(&self, proc: ProcId, loc: LocId) -> Vec<PredId> {
        let local = self.precision.get(&(proc, loc)).into_iter().flatten();
        let function = self.of_function.get(&proc).into_iter().flatten();
        let mut all: Vec<PredId> = local.chain(function).chain(&self.everywhere).copied().collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    fn abstracted(
        &mut self,
        cx: &mut Cx<'_>,
        formula: Term,
        proc: ProcId,
        loc: LocId,
    ) -> Vec<Region> {
        let over = self.at(proc, loc);
        let (terms, smt) = (&mut cx.terms, &mut cx.smt);
        let found = match self.abstracts {
            Abstracts::Boolean => self.abstractor.boolean(terms, smt, formula, &over),
            Abstracts::Cartesian => self.abstractor.cartesian(terms, smt, formula, &over),
        };
        self.gap = found.gap.or(self.gap.take());
        match found.region.is_bottom() {
            true => Vec::new(),
            false => vec![found.region],
        }
    }

    /// The state without predicates, chosen by what they are about.
    fn forget(
        &self,
        cx: &Cx<'_>,
        state: &Region,
        is_forgotten: impl Fn(&[(Role, VarId)]) -> bool,
    ) -> Region {
        let predicates = self.abstractor.predicates();
        let about = |predicate: &PredId| -> Vec<(Role, VarId)> {
            let symbols = cx.terms.free_symbols(predicates.formula(*predicate)).into_iter();
            symbols.filter_map(|symbol| cx.semantics.role(symbol)).collect()
        };
        let support = state.support().into_iter();
        let forgotten: Vec<PredId> = support.filter(|p| is_forgotten(&about(p))).collect();
        state.forget(&forgotten)
    }

    /// The state with the values of some variables in another role.
    fn moved(
        &mut self,
        cx: &mut Cx<'_>,
        state: &Region,
        mut to: impl FnMut(&Cx<'_>, Role, VarId) -> Role,
    ) -> Term {
        let formula = self.to_term(cx, state);
        let mut map = FxHashMap::default();
        for symbol in cx.terms.free_symbols(formula) {
            if let Some((role, var)) = cx.semantics.role(symbol) {
                let new = to(cx, role, var);
                if new != role {
                    map.insert(symbol, cx.semantics.symbol(&mut cx.terms, new, var));
                }
            }
        }
        cx.terms.substitute(formula, &map)
    }

    /// After an edge where `facts` are known: in the roles of the edge's formula, as for the two
    /// below.
    pub(super) fn post_where(
        &mut self,
        cx: &mut Cx<'_>,
        state: &Region,
        proc: ProcId,
        edge: EdgeId,
        facts: Term,
    ) -> Vec<Region> {
        let transition = cx.semantics.transition(&mut cx.terms, proc, edge);
        if transition.formula == Term::FALSE {
            return Vec::new();
        }
        let before = self.before(cx, state, &transition.assigned);
        let formula = cx.terms.and([before, transition.formula, transition.ranges, facts]);
        let loc = target(cx, proc, edge);
        self.abstracted(cx, formula, proc, loc)
    }

    pub(super) fn enter_where(
        &mut self,
        cx: &mut Cx<'_>,
        caller: &Region,
        call: &Call,
        facts: Term,
    ) -> Vec<Region> {
        // What the caller knows of its own entry stays with the caller.
        let before = self.moved(cx, caller, |cx, role, var| match role {
            Role::Now if is_static(cx, var) => Role::Now,
            Role::Now => Role::Caller,
            _ => Role::Old,
        });
        let formula = cx.terms.and([before, call.enter, call.enter_ranges, facts]);
        let entry =
            cx.semantics.program.procs[call.callee].body.as_ref().expect("a callee's body").entry;
        self.abstracted(cx, formula, call.callee, entry)
    }

    pub(super) fn rebuild_where(
        &mut self,
        cx: &mut Cx<'_>,
        caller: &Region,
        call: &Call,
        exit: &Region,
        facts: Term,
    ) -> Vec<Region> {
        let before = self.before(cx, caller, &call.assigned);
        let changed = cx.semantics.changed_statics(call.callee);
        let end = self.moved(cx, exit, |cx, role, var| match role {
            Role::Now => at_exit(cx, call, &changed, var),
            Role::Pre => Role::CalleePre,
            other => other,
        });
        let formula = cx.terms.and([before, end, call.leave, call.leave_ranges, facts]);
        let loc = target(cx, call.caller, call.edge);
        self.abstracted(cx, formula, call.caller, loc)
    }

    pub(super) fn expand_where(
        &mut self,
        cx: &mut Cx<'_>,
        before: &Region,
        exit: &Region,
        (proc, loc): (ProcId, LocId),
        changed: &[VarId],
        facts: Term,
    ) -> Vec<Region> {
        let before = self.before(cx, before, changed);
        let end = self.to_term(cx, exit);
        let formula = cx.terms.and([before, end, facts]);
        self.abstracted(cx, formula, proc, loc)
    }

    /// A state before a step that changes variables, in the roles of the step's formula.
    fn before(&mut self, cx: &mut Cx<'_>, state: &Region, changed: &[VarId]) -> Term {
        self.moved(cx, state, |_, role, var| match role {
            Role::Now if changed.binary_search(&var).is_ok() => Role::Old,
            other => other,
        })
    }
}

/// The role in a call's formula of what the callee's exit knows of a variable. A static that the
/// callee keeps (`changed` are the others) is the caller's; the call may nevertheless change it,
/// by putting its result there, and the exit knows what was before that.
pub(super) fn at_exit(cx: &Cx<'_>, call: &Call, changed: &[VarId], var: VarId) -> Role {
    match is_static(cx, var) && !changed.contains(&var) {
        false => Role::Callee,
        true if call.assigned.binary_search(&var).is_ok() => Role::Old,
        true => Role::Now,
    }
}

pub(super) fn is_static(cx: &Cx<'_>, var: VarId) -> bool {
    cx.semantics.program.vars[var].kind.frame().is_none()
}

pub(super) fn target(cx: &Cx<'_>, proc: ProcId, edge: EdgeId) -> LocId {
    cx.semantics.program.procs[proc].body.as_ref().expect("an edge of a body").edges[edge].to
}

impl Domain for Predicate {
    type State = Region;
    type Shape = ();

    fn shape(&self, _state: &Region) {}

    fn key(&self, _state: &Region, (): &()) -> Option<u64> {
        Some(0)
    }

    fn start(&mut self, _cx: &mut Cx<'_>, _proc: ProcId) -> Result<Region, Stop> {
        Ok(Region::top())
    }

    fn post(
        &mut self,
        cx: &mut Cx<'_>,
        state: &Region,
        proc: ProcId,
        edge: EdgeId,
    ) -> Result<Vec<Region>, Stop> {
        Ok(self.post_where(cx, state, proc, edge, Term::TRUE))
    }

    fn enter(
        &mut self,
        cx: &mut Cx<'_>,
        caller: &Region,
        call: &Call,
    ) -> Result<Vec<Region>, Stop> {
        Ok(self.enter_where(cx, caller, call, Term::TRUE))
    }

    fn rebuild(
        &mut self,
        cx: &mut Cx<'_>,
        caller: &Region,
        call: &Call,
        exit: &Region,
    ) -> Result<Vec<Region>, Stop> {
        Ok(self.rebuild_where(cx, caller, call, exit, Term::TRUE))
    }

    fn skip(&mut self, cx: &mut Cx<'_>, caller: &Region, call: &Call) -> Result<Vec<Region>, Stop> {
        self.rebuild(cx, caller, call, &Region::top())
    }

    fn reduce(&mut self, cx: &mut Cx<'_>, state: &Region, seen: &dyn Fn(VarId) -> bool) -> Region {
        self.forget(cx, state, |about| about.iter().all(|(_, var)| !seen(*var)))
    }

    fn unchanged(&mut self, cx: &mut Cx<'_>, state: &Region, changed: &[VarId]) -> Region {
        let is_changed =
            |(role, var): &(Role, VarId)| *role == Role::Now && changed.binary_search(var).is_ok();
        self.forget(cx, state, |about| about.iter().any(is_changed))
    }

    fn expand(
        &mut self,
        cx: &mut Cx<'_>,
        before: &Region,
        exit: &Region,
        place: (ProcId, LocId),
        changed: &[VarId],
    ) -> Result<Vec<Region>, Stop> {
        Ok(self.expand_where(cx, before, exit, place, changed, Term::TRUE))
    }

    fn stamp(&self, proc: ProcId, loc: LocId) -> u64 {
        let size = |set: Option<&BTreeSet<PredId>>| set.map_or(0, BTreeSet::len) as u64;
        size(self.precision.get(&(proc, loc)))
            + size(self.of_function.get(&proc))
            + size(Some(&self.everywhere))
    }

    fn gap(&self) -> Option<&Gap> {
        self.gap.as_ref()
    }

    fn covers(&mut self, _cx: &mut Cx<'_>, b: &Region, a: &Region) -> Result<bool, Stop> {
        Ok(a.implies(b))
    }

    fn to_term(&mut self, cx: &mut Cx<'_>, state: &Region) -> Term {
        if let Some(known) = self.formulas.get(state) {
            return *known;
        }
        let formula = state.to_term(&mut cx.terms, self.abstractor.predicates());
        self.formulas.insert(state.clone(), formula);
        formula
    }

    fn lessons(&mut self) -> Vec<Lesson> {
        std::mem::take(&mut self.lessons)
    }

    fn learned(&self, cx: &mut Cx<'_>) -> Vec<(ProcId, Term)> {
        let local = self.precision.iter().map(|((proc, _), known)| (*proc, known));
        let function = self.of_function.iter().map(|(proc, known)| (*proc, known));
        let all = [(cx.semantics.program.start, &self.everywhere)];
        let all: BTreeSet<(ProcId, PredId)> = local
            .chain(function)
            .chain(all)
            .flat_map(|(proc, known)| known.iter().map(move |predicate| (proc, *predicate)))
            .collect();
        let formula = |predicate| self.abstractor.predicates().formula(predicate);
        all.into_iter().map(|(proc, predicate)| (proc, formula(predicate))).collect()
    }

    fn suppose(
        &mut self,
        cx: &mut Cx<'_>,
        proc: ProcId,
        loc: LocId,
        formula: Term,
    ) -> Result<bool, Stop> {
        self.learn(cx, proc, loc, formula)
    }

    fn learn(
        &mut self,
        cx: &mut Cx<'_>,
        proc: ProcId,
        loc: LocId,
        formula: Term,
    ) -> Result<bool, Stop> {
        let mut news = false;
        for atom in cx.terms.atoms(formula) {
            let literal = match self.abstractor.predicate(&mut cx.terms, atom) {
                Ok(literal) => literal,
                Err(Refused::Constant) => continue,
                Err(Refused::Full) => return Err(Stop::Predicates(self.size())),
            };
            let is_new = match self.granularity {
                Granularity::Location => self.precision.entry((proc, loc)).or_default(),
                Granularity::Function => self.of_function.entry(proc).or_default(),
                Granularity::Global => &mut self.everywhere,
            }
            .insert(literal.predicate);
            if is_new {
                self.lessons.push(Lesson { seen: Seen::Predicate(atom), proc, loc });
                news = true;
            }
        }
        Ok(news)
    }
}
