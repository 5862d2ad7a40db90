//! A step as one formula: the edges of a block in topological order, values merged where paths
//! meet.
//!
//! Inside a block a variable's value is a term over the versions at its entry, so a block makes
//! at most one new version of a variable, plus one for each value from outside. Branches must
//! exclude each other for values to be merged by `ite`; those that do not plainly are told apart
//! by a Boolean that chooses.

use std::collections::BTreeMap;
use std::mem;

use lakatos_ir::{
    Edge, ExprId, Instr, IntType, LocId, PlaceId, PlaceKind, Region, Span, VarId, undefined,
};
use lakatos_logic::term::{Node, Sort, Term, Terms};

use super::path::{Path, exclusive};
use super::{FrameId, Input, Instance, Obstacle, Origin, Ssa, Step, Versions};
use crate::expr::{Evaluated, Read, Unsupported, evaluate, integer};
use crate::machine::Operand;

/// Sums of more terms, and products of more factors, than this get a symbol: further on they
/// would be copied, or multiplied out, into every value made of them.
const MOST_PARTS: usize = 16;

/// What has changed since the block was entered, and how a run comes here.
#[derive(Clone, Debug, Default)]
struct State {
    path: Path,
    values: BTreeMap<Instance, Operand>,
}

struct Block<'a, 'p> {
    ssa: &'a mut Ssa<'p>,
    terms: &'a mut Terms,
    frame: FrameId,
    entry: &'a Versions,
    /// The newest version of each variable.
    newest: Versions,
    /// What holds besides the path: the meaning of symbols.
    equations: Vec<Term>,
    ranges: Vec<Term>,
    guards: Vec<Term>,
    inputs: Vec<Input>,
    opaque: bool,
}

impl Ssa<'_> {
    /// The formula of an instruction in a frame; `versions` become those after it. They stay as
    /// they are where there is no formula.
    pub fn step(
        &mut self,
        terms: &mut Terms,
        frame: FrameId,
        versions: &mut Versions,
        instr: &Instr,
        span: Span,
    ) -> Result<Step, Obstacle> {
        let single;
        let region = match instr {
            Instr::Block(region) => &**region,
            _ => {
                let edge = Edge { from: LocId(0), to: LocId(1), instr: instr.clone(), span };
                single = Region { entry: LocId(0), exit: LocId(1), edges: vec![edge] };
                &single
            }
        };
        let mut block = Block {
            ssa: self,
            terms,
            frame,
            entry: versions,
            newest: versions.clone(),
            equations: Vec::new(),
            ranges: Vec::new(),
            guards: vec![Term::FALSE; region.edges.len()],
            inputs: Vec::new(),
            opaque: false,
        };
        let end = block.region(region)?;
        let (step, newest) = block.finish(end);
        *versions = newest;
        Ok(step)
    }
}

impl Block<'_, '_> {
    /// The state at the end; `None` where no path leads there.
    fn region(&mut self, region: &Region) -> Result<Option<State>, Obstacle> {
        let mut order: Vec<LocId> = Vec::new();
        let mut leaving: BTreeMap<LocId, Vec<usize>> = BTreeMap::new();
        for (number, edge) in region.edges.iter().enumerate() {
            let edges = leaving.entry(edge.from).or_insert_with(|| {
                order.push(edge.from);
                Vec::new()
            });
            edges.push(number);
        }
        let mut arriving: BTreeMap<LocId, Vec<State>> = BTreeMap::new();
        for at in order {
            // The entry may be the exit as well, and what arrives there has left the block.
            let state = match at == region.entry {
                true => Some(State::default()),
                false => arriving.remove(&at).and_then(|states| self.join(states)),
            };
            if let Some(state) = state {
                self.leave(region, &leaving[&at], state, &mut arriving)?;
            }
        }
        Ok(arriving.remove(&region.exit).and_then(|states| self.join(states)))
    }

    /// Follows the edges that leave a location.
    fn leave(
        &mut self,
        region: &Region,
        edges: &[usize],
        mut from: State,
        arriving: &mut BTreeMap<LocId, Vec<State>>,
    ) -> Result<(), Obstacle> {
        let last = edges.len() - 1;
        let mut taken = Vec::with_capacity(edges.len());
        for (i, &number) in edges.iter().enumerate() {
            // A long row of assignments must not copy what it has assigned.
            let mut values = match i == last {
                true => mem::take(&mut from.values),
                false => from.values.clone(),
            };
            let passes = self.pass(number, &region.edges[number], &mut values)?;
            taken.push((number, passes, values));
        }
        let conditions: Vec<Term> = taken.iter().map(|(_, passes, _)| passes.condition).collect();
        let choices = self.choices(&conditions);
        for ((number, passes, mut values), choice) in taken.into_iter().zip(choices) {
            let guard = self.terms.and([passes.defined, passes.condition, choice]);
            self.guards[number] = guard;
            let mut path = match number == edges[last] {
                true => mem::take(&mut from.path),
                false => from.path.clone(),
            };
            if path.require(self.terms, guard) {
                self.name_if_large(passes.assigned, &path, &mut values);
                let to = region.edges[number].to;
                arriving.entry(to).or_default().push(State { path, values });
            }
        }
        Ok(())
    }

    /// A large value gets a symbol, a version of the variable it was assigned to. On other paths
    /// the symbol means nothing, so that its range fact excludes none of them.
    fn name_if_large(
        &mut self,
        assigned: Option<Instance>,
        path: &Path,
        values: &mut BTreeMap<Instance, Operand>,
    ) {
        let Some(target) = assigned else { return };
        let value = values[&target].clone();
        if is_large(self.terms, value.term) {
            let symbol = self.new_version(target);
            let here = self.terms.and(path.conjuncts().iter().copied());
            let equation = self.terms.eq(symbol.term, value.term);
            let equation = self.terms.implies(here, equation);
            self.equations.push(equation);
            values.insert(target, Operand { term: symbol.term, ..value });
        }
    }

    /// For each of several branches a condition that excludes the others, where their own
    /// conditions do not.
    fn choices(&mut self, conditions: &[Term]) -> Vec<Term> {
        let disjoint = conditions
            .iter()
            .enumerate()
            .all(|(i, a)| conditions[i + 1..].iter().all(|b| exclusive(self.terms, *a, *b)));
        let mut choices = vec![Term::TRUE; conditions.len()];
        if disjoint {
            return choices;
        }
        let mut others = Term::TRUE;
        let last = choices.len() - 1;
        for choice in &mut choices[..last] {
            let chosen = self.terms.fresh("branch", Sort::Bool);
            *choice = self.terms.and([others, chosen]);
            let rejected = self.terms.not(chosen);
            others = self.terms.and([others, rejected]);
        }
        choices[last] = others;
        choices
    }

    /// The state where paths meet; `None` where none of them is possible.
    fn join(&mut self, mut states: Vec<State>) -> Option<State> {
        if states.len() == 1 {
            return states.pop();
        }
        let paths: Vec<Path> = states.iter_mut().map(|s| mem::take(&mut s.path)).collect();
        let (path, rests) = Path::join(self.terms, &paths)?;
        let mut changed: Vec<Instance> =
            states.iter().flat_map(|s| s.values.keys().copied()).collect();
        changed.sort_unstable();
        changed.dedup();
        let mut values = BTreeMap::new();
        for instance in changed {
            let alternatives = states.iter().map(|s| self.value(&s.values, instance)).collect();
            values.insert(instance, self.choose(&rests, alternatives));
        }
        Some(State { path, values })
    }

    /// The alternative whose condition holds; one of them does.
    fn choose(&mut self, conditions: &[Term], mut alternatives: Vec<Operand>) -> Operand {
        let mut value = alternatives.pop().expect("paths that meet");
        for (condition, alternative) in conditions.iter().zip(alternatives).rev() {
            value = self.ssa.machine.choose(self.terms, *condition, &alternative, &value);
        }
        value
    }

    /// The value of a variable that some path assigns, so an integer.
    fn value(&mut self, values: &BTreeMap<Instance, Operand>, instance: Instance) -> Operand {
        let unchanged = || self.ssa.symbol(self.terms, instance, self.entry.get(instance));
        values.get(&instance).cloned().or_else(unchanged).expect("only integers are assigned")
    }

    /// Passes an edge: what it takes, and the values it changes.
    fn pass(
        &mut self,
        number: usize,
        edge: &Edge,
        values: &mut BTreeMap<Instance, Operand>,
    ) -> Result<Passes, Obstacle> {
        let mut passes = Passes { defined: Term::TRUE, condition: Term::TRUE, assigned: None };
        match edge.instr {
            Instr::Skip | Instr::Return(None) => {}
            Instr::Assume(condition) => {
                let evaluated = self.evaluate(condition, values)?;
                passes.defined = evaluated.defined(self.terms);
                passes.condition = evaluated.value.term;
            }
            Instr::Assign(place, expr) => {
                let target = self.target(place)?;
                self.assign(target, expr, values, &mut passes)?;
            }
            Instr::Return(Some(expr)) => {
                let target = self.result(edge.span)?;
                self.assign(target, expr, values, &mut passes)?;
            }
            Instr::Havoc(place, site) => {
                if let Some(target) = self.target(place)? {
                    let value = self.new_version(target);
                    self.inputs.push(Input { edge: number, site, value: value.clone() });
                    values.insert(target, value);
                }
            }
            Instr::Dead(var) => self.end(var, values),
            Instr::Call(_) => return Err(Obstacle::Call { span: edge.span }),
            Instr::Block(_) => {
                let what = "a block within a block";
                return Err(Unsupported { what, span: edge.span }.into());
            }
        }
        Ok(passes)
    }

    /// `target` becomes the value of an expression; `None`: something opaque does.
    fn assign(
        &mut self,
        target: Option<Instance>,
        expr: ExprId,
        values: &mut BTreeMap<Instance, Operand>,
        passes: &mut Passes,
    ) -> Result<(), Unsupported> {
        let program = self.ssa.program;
        if target.is_none() && program.exprs[expr].ty.as_int().is_none() {
            self.opaque |= undefined::possible(program, expr);
            return Ok(());
        }
        let evaluated = self.evaluate(expr, values)?;
        passes.defined = evaluated.defined(self.terms);
        passes.assigned = target;
        if let Some(target) = target {
            values.insert(target, evaluated.value);
        }
        Ok(())
    }

    fn evaluate(
        &mut self,
        expr: ExprId,
        values: &BTreeMap<Instance, Operand>,
    ) -> Result<Evaluated, Unsupported> {
        let (program, machine) = (self.ssa.program, self.ssa.machine);
        let mut reader = Reader {
            ssa: self.ssa,
            frame: self.frame,
            entry: self.entry,
            values,
            ranges: &mut self.ranges,
            opaque: &mut self.opaque,
        };
        evaluate(program, machine, self.terms, &mut reader, expr)
    }

    /// The integer variable that a place is; `None` for an opaque one.
    fn target(&mut self, id: PlaceId) -> Result<Option<Instance>, Unsupported> {
        let program = self.ssa.program;
        let place = &program.places[id];
        match place.kind {
            PlaceKind::Var(var) if self.ssa.tracks(var) => {
                Ok(Some(self.ssa.instance(self.frame, var)))
            }
            _ if self.ssa.opaque => {
                self.opaque |= undefined::possible_in_place(program, id);
                Ok(None)
            }
            _ => {
                integer(place.ty, place.span)?;
                Err(Unsupported { what: "a write to memory", span: place.span })
            }
        }
    }

    /// Where the procedure's result is; `None` for an opaque one.
    fn result(&self, span: Span) -> Result<Option<Instance>, Unsupported> {
        let proc = self.ssa.frames[self.frame.0 as usize].proc;
        let result = self.ssa.program.procs[proc].result;
        let var = result.ok_or(Unsupported { what: "a value of no type", span })?;
        match self.ssa.tracks(var) {
            true => Ok(Some(self.ssa.instance(self.frame, var))),
            false if self.ssa.opaque => Ok(None),
            false => Err(integer(self.ssa.program.vars[var].ty, span).expect_err("no integer")),
        }
    }

    /// The next version of an integer variable.
    fn new_version(&mut self, of: Instance) -> Operand {
        let version = self.newest.advance(of);
        let symbol = self.ssa.symbol(self.terms, of, version).expect("only integers are assigned");
        let range = self.ssa.machine.range(self.terms, symbol.term, symbol.ty);
        self.ranges.push(range);
        symbol
    }

    /// A variable in memory loses its value: the next object of its name holds anything.
    fn end(&mut self, var: VarId, values: &mut BTreeMap<Instance, Operand>) {
        let variable = &self.ssa.program.vars[var];
        if variable.address_taken && self.ssa.tracks(var) {
            let target = self.ssa.instance(self.frame, var);
            values.insert(target, self.new_version(target));
        }
    }

    /// The formula, and the versions after it.
    fn finish(mut self, end: Option<State>) -> (Step, Versions) {
        let possible = end.is_some();
        let State { path, values } = end.unwrap_or_default();
        let mut changed: Vec<Instance> = values.keys().copied().collect();
        let made = self.newest.iter().filter(|(i, version)| self.entry.get(*i) != *version);
        changed.extend(made.map(|(instance, _)| instance));
        changed.sort_unstable();
        changed.dedup();
        for instance in changed {
            let value = self.value(&values, instance);
            self.settle(instance, value);
        }
        let conjuncts = path.conjuncts().iter().chain(&self.equations).copied();
        let formula = match possible {
            true => self.terms.and(conjuncts.collect::<Vec<_>>()),
            false => Term::FALSE,
        };
        let ranges = self.terms.and(self.ranges);
        let step =
            Step { formula, ranges, guards: self.guards, inputs: self.inputs, opaque: self.opaque };
        (step, self.newest)
    }

    /// Makes the newest version of a variable the one with its final value.
    fn settle(&mut self, instance: Instance, value: Operand) {
        let newest = self.newest.get(instance);
        let own = self.terms.as_symbol(value.term).and_then(|s| self.ssa.origin(s));
        if own != Some(Origin::Version(instance, newest)) {
            let symbol = self.new_version(instance);
            let equation = self.terms.eq(symbol.term, value.term);
            self.equations.push(equation);
        }
    }
}

/// What it takes to pass an edge.
struct Passes {
    defined: Term,
    /// The assumption, where it is defined.
    condition: Term,
    /// The variable that gets a value computed.
    assigned: Option<Instance>,
}

/// Values at a location of a block.
struct Reader<'a, 'p> {
    ssa: &'a mut Ssa<'p>,
    frame: FrameId,
    entry: &'a Versions,
    values: &'a BTreeMap<Instance, Operand>,
    ranges: &'a mut Vec<Term>,
    opaque: &'a mut bool,
}

impl Read for Reader<'_, '_> {
    fn load(&mut self, terms: &mut Terms, place: PlaceId) -> Option<Operand> {
        let PlaceKind::Var(var) = self.ssa.program.places[place].kind else { return None };
        if !self.ssa.tracks(var) {
            return None;
        }
        let instance = self.ssa.instance(self.frame, var);
        match self.values.get(&instance) {
            Some(value) => Some(value.clone()),
            None => self.ssa.symbol(terms, instance, self.entry.get(instance)),
        }
    }

    fn anything(&mut self, terms: &mut Terms, ty: IntType) -> Option<Operand> {
        if !self.ssa.opaque {
            return None;
        }
        *self.opaque = true;
        let machine = self.ssa.machine;
        let value = terms.fresh("opaque", machine.sort(ty));
        let range = machine.range(terms, value, ty);
        self.ranges.push(range);
        Some(Operand::new(terms, value, ty))
    }
}

/// Whether copies of a value would make terms large.
fn is_large(terms: &Terms, value: Term) -> bool {
    let product = |t: Term| matches!(terms.node(t), Node::Product(f) if f.len() > MOST_PARTS);
    match terms.node(value) {
        Node::Sum(sum) => {
            sum.monomials.len() > MOST_PARTS || sum.monomials.iter().any(|(t, _)| product(*t))
        }
        _ => product(value),
    }
}
