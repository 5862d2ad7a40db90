//! From automata to clauses.

use std::collections::BTreeMap;

use lakatos_analysis::semantics::{Role, Semantics};
use lakatos_ir::{Callee, EdgeId, Id, Instr, IntType, LocId, ProcId, Program, SiteId, Span, VarId};
use lakatos_logic::horn::{Application, Clause, Mark, Predicate, PredicateId, System};
use lakatos_logic::term::{Symbol, Term, Terms};

/// What a predicate is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Place {
    /// What a procedure is called with.
    Entry(ProcId),
    /// What holds whenever a run is at a location. At a procedure's exit: what it was entered
    /// with, and what it returns.
    At(ProcId, LocId),
}

impl Place {
    /// Where in a program; what a procedure is called with holds at its entry.
    pub fn location(self, program: &Program) -> (ProcId, LocId) {
        match self {
            Place::At(proc, loc) => (proc, loc),
            Place::Entry(proc) => {
                let body = program.procs[proc].body.as_ref();
                (proc, body.expect("only bodies have predicates").entry)
            }
        }
    }
}

/// A program's clauses.
#[derive(Clone, Debug)]
pub struct Encoded {
    pub system: System,
    /// Of each predicate.
    pub places: Vec<Place>,
    /// The inputs that marks stand for.
    pub inputs: Vec<(SiteId, IntType)>,
    /// The clauses may allow more than the program does.
    pub opaque: bool,
}

impl Encoded {
    /// Whether a predicate is about a procedure's exit.
    pub fn is_exit(&self, semantics: &Semantics<'_>, predicate: PredicateId) -> bool {
        match self.places[predicate.0] {
            Place::Entry(_) => false,
            Place::At(proc, loc) => {
                let body = semantics.program.procs[proc].body.as_ref();
                body.expect("only bodies have predicates").exit == loc
            }
        }
    }
}

/// The clauses of a program in which violations are error locations. Without `ranges` variables
/// are any integers: that allows more than the program does.
pub fn encode(terms: &mut Terms, semantics: &mut Semantics<'_>, ranges: bool) -> Encoded {
    let mut encoder = Encoder {
        terms,
        semantics,
        ranges,
        system: System::default(),
        places: Vec::new(),
        known: BTreeMap::new(),
        inputs: Vec::new(),
        opaque: false,
    };
    encoder.program();
    let Encoder { system, places, inputs, opaque, .. } = encoder;
    Encoded { system, places, inputs, opaque }
}

/// A variable in a role.
type Value = (Role, VarId);

struct Encoder<'a, 'p> {
    terms: &'a mut Terms,
    semantics: &'a mut Semantics<'p>,
    ranges: bool,
    system: System,
    places: Vec<Place>,
    known: BTreeMap<Place, (PredicateId, Vec<Value>)>,
    inputs: Vec<(SiteId, IntType)>,
    opaque: bool,
}

impl Encoder<'_, '_> {
    fn program(&mut self) {
        let program = self.semantics.program;
        let calls: Vec<ProcId> = program
            .defined()
            .map(|(proc, ..)| proc)
            .filter(|proc| self.semantics.calls.is_reachable(*proc))
            .collect();
        let start = Place::Entry(program.start);
        let head = self.now(start);
        self.clause(Vec::new(), Term::TRUE, Some(head), Vec::new(), "the program starts".into());
        for proc in calls {
            self.procedure(proc);
        }
    }

    fn procedure(&mut self, proc: ProcId) {
        let body = self.semantics.program.procs[proc].body.as_ref().expect("it is defined");
        self.enter(proc, body.entry);
        for (edge, info) in body.edges.iter() {
            if body.locs[info.from].error.is_some() || info.from == body.exit {
                continue;
            }
            let targets = self.semantics.calls.targets(proc, edge).to_vec();
            let (inside, outside): (Vec<ProcId>, Vec<ProcId>) =
                targets.into_iter().partition(|t| self.semantics.program.procs[*t].body.is_some());
            for callee in inside {
                self.call(proc, edge, callee);
            }
            let stays = match &info.instr {
                Instr::Call(call) => {
                    !outside.is_empty() || matches!(call.callee, Callee::Builtin(_))
                }
                _ => true,
            };
            if stays {
                self.step(proc, edge);
            }
        }
    }

    /// From the entry predicate to the first location, where values now are those at the entry.
    fn enter(&mut self, proc: ProcId, loc: LocId) {
        let name = &self.semantics.program.procs[proc].name;
        let note = format!("{name}: entry");
        let entry = self.now(Place::Entry(proc));
        let first = self.application(Place::At(proc, loc), |role, var| match role {
            Role::Pre => (Role::Now, var),
            other => (other, var),
        });
        self.clause(vec![entry], Term::TRUE, Some(first), Vec::new(), note);
    }

    fn step(&mut self, proc: ProcId, edge: EdgeId) {
        let transition = self.semantics.transition(self.terms, proc, edge);
        let body = self.semantics.program.procs[proc].body.as_ref().expect("it is defined");
        let info = &body.edges[edge];
        let from = self.before(Place::At(proc, info.from), &transition.assigned);
        let head = match body.locs[info.to].error {
            Some(_) => None,
            None => Some(self.now(Place::At(proc, info.to))),
        };
        self.opaque |= transition.opaque;
        let constraint = self.constraint(transition.formula, transition.ranges);
        let mut marks = Vec::new();
        for input in &transition.inputs {
            let tag = self.inputs.len();
            self.inputs.push((input.site, input.value.ty));
            let when = transition.guards[input.edge];
            marks.push(Mark { after: 1, tag, when, value: input.value.term });
        }
        let note = self.note(proc, info.span, head.is_none());
        self.clause(vec![from], constraint, head, marks, note);
    }

    fn call(&mut self, proc: ProcId, edge: EdgeId, callee: ProcId) {
        let call = self.semantics.call(self.terms, proc, edge, callee);
        let program = self.semantics.program;
        let info = &program.procs[proc].body.as_ref().expect("it is defined").edges[edge];
        self.opaque |= call.opaque;
        let (name, note) = (&program.procs[callee].name, self.note(proc, info.span, false));
        let caller = self.application(Place::At(proc, info.from), |role, var| {
            // Until it has returned, the caller's own variables are the caller's.
            match (role, program.vars[var].kind.frame()) {
                (Role::Now, Some(_)) => (Role::Caller, var),
                (Role::Now, None) => (Role::Now, var),
                (role, _) => (role, var),
            }
        });
        let caller = self.pre_of_caller(caller);
        let entry = self.now(Place::Entry(callee));
        let constraint = self.constraint(call.enter, call.enter_ranges);
        self.clause(
            vec![caller],
            constraint,
            Some(entry),
            Vec::new(),
            format!("{note}: call {name}"),
        );

        let before = self.before(Place::At(proc, info.from), &call.assigned);
        let changed = self.semantics.changed(callee);
        let exit = program.procs[callee].body.as_ref().expect("it is entered").exit;
        let exit = self.application(Place::At(callee, exit), |role, var| {
            let is_static = program.vars[var].kind.frame().is_none();
            match role {
                Role::Pre => (Role::CalleePre, var),
                // A static that the callee leaves alone is the caller's, before the call.
                _ if is_static && !changed.contains(&var) => {
                    let old = call.assigned.contains(&var);
                    (if old { Role::Old } else { Role::Now }, var)
                }
                _ => (Role::Callee, var),
            }
        });
        let after = match program.procs[proc].body.as_ref().expect("defined").locs[info.to].error {
            Some(_) => None,
            None => Some(self.now(Place::At(proc, info.to))),
        };
        let constraint = self.constraint(call.leave, call.leave_ranges);
        self.clause(
            vec![before, exit],
            constraint,
            after,
            Vec::new(),
            format!("{note}: {name} returns"),
        );
    }

    /// The callee's values at its entry must not be taken for the caller's at its own.
    fn pre_of_caller(&mut self, mut application: Application) -> Application {
        for argument in &mut application.arguments {
            let symbol = self.terms.as_symbol(*argument).expect("arguments are symbols");
            if let Some((Role::Pre, _)) = self.semantics.role(symbol) {
                let (name, sort) =
                    (self.terms.symbol_name(symbol).to_owned(), self.terms.symbol_sort(symbol));
                *argument = self.terms.fresh(&name, sort);
            }
        }
        application
    }

    fn constraint(&mut self, formula: Term, ranges: Term) -> Term {
        match self.ranges {
            true => self.terms.and([formula, ranges]),
            false => formula,
        }
    }

    fn clause(
        &mut self,
        body: Vec<Application>,
        constraint: Term,
        head: Option<Application>,
        marks: Vec<Mark>,
        note: String,
    ) {
        self.system.clauses.push(Clause { body, constraint, head, marks, note });
    }

    fn note(&self, proc: ProcId, span: Span, error: bool) -> String {
        let program = self.semantics.program;
        let at = program.source.position(span.start);
        let name = &program.procs[proc].name;
        let error = if error { ": a violation" } else { "" };
        format!("{}:{}:{} in {name}{error}", at.file, at.line, at.column)
    }

    /// A predicate of the values before a step that assigns some variables.
    fn before(&mut self, place: Place, assigned: &[VarId]) -> Application {
        self.application(place, |role, var| match role {
            Role::Now if assigned.contains(&var) => (Role::Old, var),
            role => (role, var),
        })
    }

    fn now(&mut self, place: Place) -> Application {
        self.application(place, |role, var| (role, var))
    }

    fn application(&mut self, place: Place, value: impl Fn(Role, VarId) -> Value) -> Application {
        let (predicate, values) = self.predicate(place);
        let arguments = values
            .into_iter()
            .map(|(role, var)| {
                let (role, var) = value(role, var);
                self.semantics.symbol(self.terms, role, var)
            })
            .collect();
        Application { predicate, arguments }
    }

    fn predicate(&mut self, place: Place) -> (PredicateId, Vec<Value>) {
        if let Some(known) = self.known.get(&place) {
            return known.clone();
        }
        let values = self.values(place);
        let parameters: Vec<Symbol> = values
            .iter()
            .map(|(role, var)| {
                let term = self.semantics.symbol(self.terms, *role, *var);
                self.terms.as_symbol(term).expect("a symbol")
            })
            .collect();
        let name = self.name(place);
        let predicate = Predicate::new(self.terms, &name, parameters);
        let id = self.system.add_predicate(predicate);
        self.places.push(place);
        self.known.insert(place, (id, values.clone()));
        (id, values)
    }

    fn name(&self, place: Place) -> String {
        let program = self.semantics.program;
        match place {
            Place::Entry(proc) => format!("{}.entry", program.procs[proc].name),
            Place::At(proc, loc) => {
                let body = program.procs[proc].body.as_ref().expect("it is defined");
                match loc == body.exit {
                    true => format!("{}.exit", program.procs[proc].name),
                    false => format!("{}.{}", program.procs[proc].name, loc.index()),
                }
            }
        }
    }

    /// What a predicate speaks of.
    fn values(&mut self, place: Place) -> Vec<Value> {
        let (Place::Entry(proc) | Place::At(proc, _)) = place;
        let program = self.semantics.program;
        let procedure = &program.procs[proc];
        let effects = self.semantics.mods.of_proc(proc);
        let statics: Vec<VarId> = effects.reads.vars.union(&effects.writes.vars).copied().collect();
        let changed = self.semantics.changed(proc);
        let mut values: Vec<Value> = Vec::new();
        match place {
            Place::Entry(_) => values.extend(procedure.params.iter().map(|v| (Role::Now, *v))),
            Place::At(_, loc) => {
                values.extend(changed.iter().map(|v| (Role::Pre, *v)));
                let body = procedure.body.as_ref().expect("it is defined");
                let own = program.vars.iter().filter(|(_, v)| v.kind.frame() == Some(proc));
                let own = own.map(|(var, _)| var).filter(|var| {
                    let unchanged = procedure.params.contains(var) && !changed.contains(var);
                    loc != body.exit || unchanged || procedure.result == Some(*var)
                });
                values.extend(own.map(|var| (Role::Now, var)));
            }
        }
        values.extend(statics.iter().map(|v| (Role::Now, *v)));
        values.retain(|(_, var)| self.semantics.tracks(*var));
        values.sort_unstable();
        values.dedup();
        values
    }
}
