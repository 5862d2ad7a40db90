//! A complete reachability graph as a proof: the states at a location are its invariant, those at
//! entries and exits the contract (DESIGN.md 6.1).
//!
//! There are two ways to say that. The plain one forgets which call a state belongs to: whatever
//! the entry, one of the states at a location holds there. Where that is not inductive, since a
//! caller needs what its own call does, the states of each context are said to hold if the
//! procedure was entered as that context was. A caller's state includes the one at the entry of
//! the call that it makes, so what follows from the graph follows from these contracts.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use lakatos_analysis::core::{Arg, Cx, Domain, FrameId, NodeId, Status};
use lakatos_analysis::semantics::Role;
use lakatos_evidence::{Assumption, Draft, Meaning, Proof};
use lakatos_ir::loops::Loops;
use lakatos_ir::pass::Image;
use lakatos_ir::{
    Cfa, IntType, LocId, ProcId, Procedure, Program, Property, SignedOverflow, VarId, VarKind,
};
use lakatos_logic::term::{Node, Sort, Symbol, Term};

use crate::Task;
use crate::prepare::Prepared;
use crate::search::Explored;

/// States of all contexts together, beyond which a proof by context is not tried.
const MOST_STATES: usize = 20_000;

/// More ways to call a procedure are not told apart.
const MOST_BEHAVIOURS: usize = 12;

/// What a projection is about: as [`Task`], perhaps without a property.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subject<'p> {
    pub program: &'p Program,
    pub property: Option<Property>,
    pub signed_overflow: SignedOverflow,
}

impl Subject<'_> {
    /// Claims about the program, in which violations are error locations.
    pub fn draft<'a>(&self, instrumented: &'a Program) -> Draft<'a> {
        let Subject { program, property, signed_overflow } = *self;
        let mut draft = Draft::new(instrumented, property);
        draft.assume(Assumption::of(program, property, signed_overflow));
        draft
    }
}

impl<'p> From<&Task<'p>> for Subject<'p> {
    fn from(&Task { program, property, signed_overflow }: &Task<'p>) -> Subject<'p> {
        Subject { program, property: Some(property), signed_overflow }
    }
}

/// The states of a graph without targets, as formulas.
pub(crate) struct Projection<'a, 'p> {
    subject: Subject<'p>,
    prepared: &'a Prepared,
    cx: &'a mut Cx<'p>,
    plain: States,
    /// For each procedure, its contexts.
    contexts: BTreeMap<ProcId, Vec<Context>>,
}

/// The states at locations.
pub(crate) type States = BTreeMap<(ProcId, LocId), Vec<Term>>;

/// What follows when a procedure is entered in a state.
struct Context {
    entry: Term,
    states: States,
    /// No other context includes it.
    is_own: bool,
}

/// Which states are spoken of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum By {
    /// All at a location.
    Location,
    /// Those at a location that have the same entry.
    Context,
    /// The same, and each entry is a behaviour.
    Behaviour,
}

impl<'a, 'p> Projection<'a, 'p> {
    pub fn new(
        subject: Subject<'p>,
        prepared: &'a Prepared,
        cx: &'a mut Cx<'p>,
        explored: &mut impl Explored,
    ) -> Projection<'a, 'p> {
        let mut formulas = Formulas::default();
        for id in explored.nodes() {
            let state = explored.state(id).clone();
            formulas.of.insert(id, explored.domain_mut().to_term(cx, &state));
            if let Some(state) = explored.unchanged(cx, id) {
                formulas.unchanged.insert(id, explored.domain_mut().to_term(cx, &state));
            }
        }
        let (arg, frames) = (explored.arg(), explored.contexts());
        let plain = formulas.everywhere(cx, arg, &frames);
        let contexts = contexts(cx, arg, &formulas, &frames);
        Projection { subject, prepared, cx, plain, contexts }
    }

    /// Of formulas at locations: those that are missing are never reached.
    pub fn of_states(
        subject: Subject<'p>,
        prepared: &'a Prepared,
        cx: &'a mut Cx<'p>,
        plain: States,
    ) -> Projection<'a, 'p> {
        Projection { subject, prepared, cx, plain, contexts: BTreeMap::new() }
    }

    /// Whether speaking of contexts says more, and is not too much to say.
    pub fn has_contexts(&self) -> bool {
        let contexts = || self.contexts.values().flatten();
        let size: usize = contexts().map(|c| c.states.values().map(Vec::len).sum::<usize>()).sum();
        self.contexts.values().any(|c| c.len() > 1) && size <= MOST_STATES
    }

    pub fn proof(&mut self, by: By) -> Proof {
        let subject = Rc::clone(&self.prepared.subject);
        let mut draft = self.subject.draft(&subject);
        self.speak(&mut draft, by);
        draft.finish()
    }

    /// Adds to what is claimed.
    pub fn speak(&mut self, draft: &mut Draft<'_>, by: By) {
        let subject = Rc::clone(&self.prepared.subject);
        for (proc, procedure, body) in subject.defined() {
            if self.prepared.aside.contains(&proc) {
                continue;
            }
            let changed = &self.cx.semantics.changed(proc);
            Speaker { by, proc, procedure, body, changed, draft, from: self }.speak();
        }
    }
}

/// A node, and what it takes over from nodes that were left out for its part of the graph.
type Reached = (NodeId, Term);

/// The states of nodes.
#[derive(Default)]
struct Formulas {
    of: BTreeMap<NodeId, Term>,
    /// What stays true in the part of the graph that a node is left out for.
    unchanged: BTreeMap<NodeId, Term>,
}

impl Formulas {
    fn states<S>(
        &self,
        cx: &mut Cx<'_>,
        arg: &Arg<S>,
        nodes: impl Iterator<Item = Reached>,
    ) -> States {
        let mut found: BTreeMap<(ProcId, LocId), BTreeSet<Term>> = BTreeMap::new();
        let mut states = States::new();
        for (id, before) in nodes {
            let node = &arg.nodes[id];
            let at = (node.proc, node.loc);
            let formula = cx.terms.and([before, self.of[&id]]);
            if found.entry(at).or_default().insert(formula) {
                states.entry(at).or_default().push(formula);
            }
        }
        states
    }

    /// The states of all nodes. Those that take something over are found on the way from the
    /// entries.
    fn everywhere<S>(&self, cx: &mut Cx<'_>, arg: &Arg<S>, frames: &[FrameId]) -> States {
        let mut nodes: Vec<Reached> = Vec::new();
        if self.unchanged.is_empty() {
            nodes.extend(self.of.keys().map(|id| (*id, Term::TRUE)));
        } else {
            let inputs =
                self.of.keys().filter(|id| arg.frames[arg.nodes[**id].frame].call.is_some());
            nodes.extend(inputs.map(|id| (*id, Term::TRUE)));
            for frame in frames {
                nodes.extend(self.inside(cx, arg, arg.frames[*frame].entry));
            }
        }
        self.states(cx, arg, nodes.into_iter())
    }

    /// The nodes that an entry leads to within its procedure, by covered and popped ones too.
    fn inside<S>(&self, cx: &mut Cx<'_>, arg: &Arg<S>, entry: NodeId) -> BTreeSet<Reached> {
        let mut found = BTreeSet::from([(entry, Term::TRUE)]);
        let mut open = vec![(entry, Term::TRUE)];
        while let Some((id, before)) = open.pop() {
            let node = &arg.nodes[id];
            let own =
                |child: &&NodeId| arg.is_alive(**child) && arg.nodes[**child].frame == node.frame;
            let mut next: Vec<Reached> =
                node.children.iter().filter(own).map(|child| (*child, before)).collect();
            if let Status::Covered(by) | Status::Popped(by) = node.status {
                let kept = self.unchanged.get(&id).copied().unwrap_or(Term::TRUE);
                next.push((by, cx.terms.and([before, kept])));
            }
            for reached in next {
                if found.insert(reached) {
                    open.push(reached);
                }
            }
        }
        found
    }
}

fn contexts<S>(
    cx: &mut Cx<'_>,
    arg: &Arg<S>,
    formulas: &Formulas,
    frames: &[FrameId],
) -> BTreeMap<ProcId, Vec<Context>> {
    let mut contexts: BTreeMap<ProcId, Vec<Context>> = BTreeMap::new();
    let mut size = 0;
    for frame in frames.iter().map(|id| &arg.frames[*id]) {
        let nodes = formulas.inside(cx, arg, frame.entry);
        size += nodes.len();
        if size > 10 * MOST_STATES {
            return BTreeMap::new();
        }
        let states = formulas.states(cx, arg, nodes.into_iter());
        let is_own = !is_included(arg, frame.entry);
        let context = Context { entry: formulas.of[&frame.entry], states, is_own };
        contexts.entry(frame.proc).or_default().push(context);
    }
    contexts
}

/// Whether an entry is covered by another one.
fn is_included<S>(arg: &Arg<S>, entry: NodeId) -> bool {
    match arg.nodes[entry].status {
        Status::Covered(by) | Status::Popped(by) => arg.frames[arg.nodes[by].frame].entry == by,
        _ => false,
    }
}

/// Says what a procedure's states are.
struct Speaker<'s, 'a, 'p, 'd> {
    by: By,
    proc: ProcId,
    procedure: &'s Procedure,
    body: &'s Cfa,
    changed: &'s [VarId],
    draft: &'s mut Draft<'d>,
    from: &'s mut Projection<'a, 'p>,
}

/// Where a formula stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    Requires,
    /// The entry, spoken of elsewhere.
    Premise,
    Ensures,
    Invariant,
}

impl Speaker<'_, '_, '_, '_> {
    fn speak(mut self) {
        let (entry, exit) = (self.body.entry, self.body.exit);
        self.constants(entry, Place::Requires);
        self.constants(exit, Place::Ensures);
        match self.behaviours(exit) {
            Some(behaviours) => {
                for (assumes, ensures) in behaviours {
                    // Where a formula is refused, nothing is claimed.
                    let _ = self.draft.behaviour(self.proc, assumes, ensures);
                }
            }
            None => {
                self.states(entry, Place::Requires);
                self.states(exit, Place::Ensures);
            }
        }
        for loc in Loops::new(self.body).cut_points() {
            self.constants(*loc, Place::Invariant);
            self.states(*loc, Place::Invariant);
        }
    }

    /// Where a formula is refused, nothing is claimed.
    fn claim(&mut self, loc: LocId, place: Place, formula: Term) {
        let _ = match place {
            Place::Requires => self.draft.requires(self.proc, formula),
            Place::Ensures => self.draft.ensures(self.proc, formula),
            Place::Invariant => self.draft.invariant(self.proc, loc, formula),
            Place::Premise => unreachable!("a premise is no claim"),
        };
    }

    fn constants(&mut self, loc: LocId, place: Place) {
        let prepared = self.from.prepared;
        for (var, value) in prepared.inverse.known(self.proc, loc) {
            let formula = constant_fact(self.draft, prepared, var, value);
            self.claim(loc, place, formula);
        }
    }

    /// How the procedure is called, and what it does then, if that is to be told apart and can be
    /// said.
    ///
    /// At an entry nothing is known of locals: what a state says of them is always true, so it does
    /// not matter that an assumption does not say it. (The checker would see it.)
    fn behaviours(&mut self, exit: LocId) -> Option<Vec<(Term, Term)>> {
        if self.by != By::Behaviour || self.tells_nothing_apart() {
            return None;
        }
        let image = self.from.prepared.inverse.image(self.proc, exit);
        let at_exit = |context: &Context| match image {
            Image::At(image) => {
                context.states.get(&(self.proc, image)).cloned().unwrap_or_default()
            }
            Image::Unreachable => Vec::new(),
            Image::Inside => vec![Term::TRUE],
        };
        let contexts = self.from.contexts.get(&self.proc)?;
        let contexts: Vec<(Term, Vec<Term>)> =
            contexts.iter().filter(|c| c.is_own).map(|c| (c.entry, at_exit(c))).collect();
        let mut cases: Vec<(Term, Vec<Term>)> = Vec::new();
        for (entry, exits) in contexts {
            let assumes = self.any_of(&[entry], Place::Requires);
            match cases.iter_mut().find(|(known, _)| *known == assumes) {
                Some((_, known)) => known.extend(exits),
                None => cases.push((assumes, exits)),
            }
        }
        let ensured =
            |(assumes, exits): (Term, Vec<Term>)| (assumes, self.any_of(&exits, Place::Ensures));
        Some(cases.into_iter().map(ensured).collect())
    }

    /// There are no contexts, or too many.
    fn tells_nothing_apart(&self) -> bool {
        let contexts = self.from.contexts.get(&self.proc).into_iter().flatten();
        let own = contexts.filter(|context| context.is_own).count();
        !(1..=MOST_BEHAVIOURS).contains(&own)
    }

    fn states(&mut self, loc: LocId, place: Place) {
        let image = match self.from.prepared.inverse.image(self.proc, loc) {
            Image::At(image) => Some((self.proc, image)),
            Image::Unreachable => None,
            Image::Inside => return,
        };
        let at =
            |states: &States| image.and_then(|at| states.get(&at)).cloned().unwrap_or_default();
        let by_location = match self.by {
            By::Location => true,
            By::Context => place == Place::Requires,
            By::Behaviour => place == Place::Requires || self.tells_nothing_apart(),
        };
        if by_location {
            let states = at(&self.from.plain);
            let formula = self.any_of(&states, place);
            return self.claim(loc, place, formula);
        }
        let contexts = self.from.contexts.get(&self.proc).into_iter().flatten();
        let contexts: Vec<(Term, Vec<Term>)> = contexts
            .filter(|context| self.by == By::Context || context.is_own)
            .map(|context| (context.entry, at(&context.states)))
            .collect();
        if place == Place::Invariant {
            // The procedure was entered in one of the contexts.
            let entries: Vec<Term> = contexts.iter().map(|(entry, _)| *entry).collect();
            let formula = self.any_of(&entries, Place::Premise);
            self.claim(loc, place, formula);
        }
        if let [(_, states)] = &contexts[..] {
            let formula = self.any_of(states, place);
            return self.claim(loc, place, formula);
        }
        for (entry, states) in contexts {
            let premise = match self.by {
                By::Behaviour => Some(self.any_of(&[entry], Place::Premise)),
                By::Location | By::Context => self.exactly(entry, Place::Premise),
            };
            if let Some(premise) = premise {
                let formula = self.any_of(&states, place);
                let formula = self.draft.terms().implies(premise, formula);
                self.claim(loc, place, formula);
            }
        }
    }

    /// One of the states holds, as far as that can be said at the place.
    fn any_of(&mut self, states: &[Term], place: Place) -> Term {
        let mut alternatives = Vec::with_capacity(states.len());
        for state in states {
            let said = match self.by {
                By::Behaviour => self.roughly(*state, place, &mut BTreeMap::new()),
                By::Location | By::Context => self.by_conjuncts(*state, place),
            };
            alternatives.push(said);
        }
        self.draft.terms().or(alternatives)
    }

    fn by_conjuncts(&mut self, state: Term, place: Place) -> Term {
        let conjuncts = self.from.cx.terms.conjuncts(state).into_iter();
        let said: Vec<Term> = conjuncts.filter_map(|c| self.exactly(c, place)).collect();
        self.draft.terms().and(said)
    }

    /// What can be said of a formula at the place, without what cannot.
    fn roughly(&mut self, formula: Term, place: Place, known: &mut BTreeMap<Term, Term>) -> Term {
        if let Some(said) = known.get(&formula) {
            return *said;
        }
        let said = match self.exactly(formula, place) {
            Some(said) => said,
            None => match self.from.cx.terms.node(formula).clone() {
                Node::And(parts) => {
                    let parts: Vec<Term> =
                        parts.iter().map(|part| self.roughly(*part, place, known)).collect();
                    self.draft.terms().and(parts)
                }
                Node::Or(parts) => {
                    let parts: Vec<Term> =
                        parts.iter().map(|part| self.roughly(*part, place, known)).collect();
                    self.draft.terms().or(parts)
                }
                _ => Term::TRUE,
            },
        };
        known.insert(formula, said);
        said
    }

    /// A formula in the words of the proof, if it has words for all of it.
    fn exactly(&mut self, formula: Term, place: Place) -> Option<Term> {
        let cx = &self.from.cx;
        let meaning = |symbol: Symbol| {
            let (role, var) = cx.semantics.role(symbol)?;
            self.meaning(role, var, cx.semantics.program.vars[var].kind, place)
        };
        let symbols = cx.terms.free_symbols(formula).into_iter();
        let meanings: BTreeMap<Symbol, Meaning> =
            symbols.map(|symbol| Some((symbol, meaning(symbol)?))).collect::<Option<_>>()?;
        self.draft.import(&cx.terms, formula, |symbol| meanings.get(&symbol).copied()).ok()
    }

    /// What a value in a state is at a place.
    fn meaning(&self, role: Role, var: VarId, kind: VarKind, place: Place) -> Option<Meaning> {
        let is_static = kind.frame().is_none();
        let param = self.procedure.params.contains(&var);
        let outside = is_static || param;
        match (place, role) {
            (Place::Requires, Role::Now | Role::Pre) => outside.then(|| Meaning::now(var)),
            (Place::Premise, Role::Now | Role::Pre) => outside.then(|| Meaning::entry(var)),
            (Place::Ensures | Place::Invariant, Role::Pre) => outside.then(|| Meaning::entry(var)),
            // So that it is not said again where a behaviour assumes it.
            (Place::Ensures, Role::Now)
                if self.by == By::Behaviour && is_static && !self.changed.contains(&var) =>
            {
                Some(Meaning::entry(var))
            }
            (Place::Ensures, Role::Now) if is_static || self.procedure.result == Some(var) => {
                Some(Meaning::now(var))
            }
            // A parameter that is never changed is at the exit what it was at the entry.
            (Place::Ensures, Role::Now) => {
                (param && !self.changed.contains(&var)).then(|| Meaning::entry(var))
            }
            (Place::Invariant, Role::Now) => Some(Meaning::now(var)),
            _ => None,
        }
    }
}

/// A value that a pass before the engine knew and put in place of the variable: the program that
/// the proof is about does not show it.
fn constant_fact(draft: &mut Draft<'_>, prepared: &Prepared, var: VarId, value: i128) -> Term {
    let ty = prepared.subject.vars[var].ty.as_int().expect("only integers are followed");
    if ty == IntType::BOOL {
        let symbol = draft.symbol(Meaning::now(var), Sort::Bool);
        return if value != 0 { symbol } else { draft.terms().not(symbol) };
    }
    let symbol = draft.symbol(Meaning::now(var), Sort::Int);
    let number = match ty.is_u128() {
        true => draft.terms().int(value as u128),
        false => draft.terms().int(value),
    };
    draft.terms().eq(symbol, number)
}
