//! The process backend of [`Solver`].

use std::fmt::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustc_hash::FxHashMap;

use super::dialogue::{Break, Dialogue, strange};
use super::process::Stopper;
use super::{Kind, Program, StartError, values};
use crate::smt::sexpr::{Atom, Sexpr, Sexprs};
use crate::smt::{Answer, Cancel, Features, Limits, Logic, Reason, Solver};
use crate::term::Value;
use crate::term::{Assignment, Function, FunctionValue, Node, Session, Sort, Symbol, Term, Terms};

/// A solver is killed when it has taken so much more than twice its time: one that ends its query
/// itself, if late, can be asked again.
const GRACE: Duration = Duration::from_millis(500);

/// A solver in a process of its own. One that was killed, has ended or made a mistake answers
/// `Unknown` until it is [`reset`](Solver::reset).
#[derive(Debug)]
pub struct PipeSolver {
    program: Program,
    logic: Logic,
    state: State,
    /// What the process has been told of terms.
    session: Option<Session>,
    /// One level more than there were pushes.
    levels: Vec<Level>,
    last: Last,
    limits: Limits,
    version: Option<String>,
    lifeline: Arc<Lifeline>,
}

#[derive(Debug)]
enum State {
    Alive(Dialogue),
    /// And why.
    Dead(String),
}

#[derive(Debug, Default)]
struct Level {
    /// Constants that imply assumptions.
    stand_ins: FxHashMap<Term, String>,
}

/// What the process can be asked about.
#[derive(Debug)]
enum Last {
    Nothing,
    Sat,
    /// The assumptions and what stood for them.
    Unsat(Vec<(Term, String)>),
}

/// What other threads can reach.
#[derive(Debug, Default)]
struct Lifeline {
    cancelled: AtomicBool,
    stopper: Mutex<Option<Stopper>>,
}

impl Lifeline {
    fn hold(&self, stopper: Option<Stopper>) {
        *self.stopper.lock().unwrap_or_else(PoisonError::into_inner) = stopper;
    }

    fn cancel(&self) {
        self.cancelled.store(true, Ordering::SeqCst);
        let stopper = self.stopper.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(stopper) = &*stopper {
            stopper.stop();
        }
    }
}

impl PipeSolver {
    /// Starts a solver for formulas of a logic. Formulas beyond it make it fail, as it cannot
    /// change to another one.
    pub fn start(program: Program, logic: Logic) -> Result<PipeSolver, StartError> {
        let dialogue = Dialogue::start(&mut program.command())
            .map_err(|error| StartError::new(&program, error))?;
        let mut solver = PipeSolver {
            program,
            logic,
            state: State::Dead(String::new()),
            session: None,
            levels: vec![Level::default()],
            last: Last::Nothing,
            limits: Limits::default(),
            version: None,
            lifeline: Arc::default(),
        };
        solver.begin(dialogue);
        Ok(solver)
    }

    fn begin(&mut self, mut dialogue: Dialogue) {
        self.lifeline.hold(Some(dialogue.stopper().clone()));
        dialogue.tell(
            "(set-option :print-success false)\n\
             (set-option :global-declarations true)\n\
             (set-option :produce-models true)\n\
             (set-option :produce-unsat-assumptions true)",
        );
        dialogue.tell(&format!("(set-logic {})", self.logic.name()));
        self.state = State::Alive(dialogue);
        if self.limits != Limits::default() {
            self.tell_limits();
        }
    }

    fn tell(&mut self, commands: &str) {
        if let State::Alive(dialogue) = &mut self.state {
            dialogue.tell(commands);
        }
    }

    fn tell_limits(&mut self) {
        let millis =
            |time: Duration| u32::try_from(time.as_millis()).unwrap_or(u32::MAX - 1).max(1);
        let resources = self.limits.resources.unwrap_or(0);
        self.tell(&match self.program.kind {
            Kind::Z3 => {
                let time = self.limits.time.map_or(u32::MAX, millis);
                format!("(set-option :timeout {time})\n(set-option :rlimit {resources})")
            }
            Kind::Cvc5 => {
                let time = self.limits.time.map_or(0, millis);
                format!(
                    "(set-option :tlimit-per {time})\n\
                     (set-option :reproducible-resource-limit {resources})"
                )
            }
        });
    }

    fn fail(&mut self, why: String) {
        self.last = Last::Nothing;
        self.lifeline.hold(None);
        self.state = State::Dead(why);
    }

    /// The text of a formula, after telling what it needs. `None`: the solver is dead.
    fn text(&mut self, terms: &Terms, formula: Term) -> Option<String> {
        let State::Alive(dialogue) = &mut self.state else { return None };
        let session = self.session.get_or_insert_with(|| Session::new(terms));
        if session.arena() != terms.id() {
            self.fail("it was given terms of two arenas".to_string());
            return None;
        }
        let mut commands = String::new();
        let text = session.term(terms, formula, &mut commands);
        if !commands.is_empty() {
            dialogue.tell(&commands);
        }
        Some(text)
    }

    /// Fails where the logic does not have what a formula is made of.
    fn admit(&mut self, terms: &Terms, formula: Term) {
        if self.logic != Logic::All && !self.logic.covers(Features::of(terms, &[formula])) {
            self.fail(format!("it was given a formula beyond {}", self.logic.name()));
        }
    }

    fn literal(&mut self, terms: &Terms, assumption: Term) -> Option<String> {
        if let Some(known) = self.levels.iter().find_map(|l| l.stand_ins.get(&assumption)) {
            return Some(known.clone());
        }
        self.admit(terms, assumption);
        let text = self.text(terms, assumption)?;
        let mut commands = String::new();
        let literal = self.session.as_mut()?.fresh(terms, "assume", Sort::Bool, &mut commands);
        let _ = write!(commands, "(assert (=> {literal} {text}))");
        self.tell(&commands);
        let level = self.levels.last_mut().expect("there is a base level");
        level.stand_ins.insert(assumption, literal.clone());
        Some(literal)
    }

    fn deadline(&self) -> Option<Instant> {
        self.limits.time.and_then(|time| {
            let patience = time.checked_mul(2)?.checked_add(GRACE)?;
            Instant::now().checked_add(patience)
        })
    }

    /// The answer to a question; without one, the solver is dead and its last words are returned.
    fn ask(&mut self, question: &str, until: Option<Instant>) -> Result<Sexprs, Reason> {
        let dialogue = match &mut self.state {
            State::Alive(dialogue) => dialogue,
            State::Dead(why) => return Err(Reason::Failed(why.clone())),
        };
        let broken = match dialogue.ask(question, until) {
            Ok(answer) => return Ok(answer),
            Err(broken) => broken,
        };
        let (reason, why) = match broken {
            Break::Time => (Reason::Time, "it was killed when its time was over".to_string()),
            Break::Memory => (Reason::Memory, "it ran out of memory".to_string()),
            Break::Failed(why) => (Reason::Failed(why.clone()), why),
        };
        self.fail(why);
        Err(reason)
    }

    fn decide(&mut self, terms: &Terms, assumptions: &[Term]) -> Result<Answer, Reason> {
        let mut literals = Vec::with_capacity(assumptions.len());
        for assumption in assumptions {
            // Why there is none, the question will tell.
            let literal = self.literal(terms, *assumption).unwrap_or_default();
            literals.push((*assumption, literal));
        }
        let (began, until) = (Instant::now(), self.deadline());
        if self.version.is_none() {
            let version = self.ask("(get-info :version)", until)?;
            self.version = Some(info(&version).unwrap_or_default());
        }
        let question = match &literals[..] {
            [] => "(check-sat)".to_string(),
            some => {
                let names: Vec<&str> = some.iter().map(|(_, l)| l.as_str()).collect();
                format!("(check-sat-assuming ({}))", names.join(" "))
            }
        };
        let answer = self.ask(&question, until)?;
        match answer.items().next().and_then(Sexpr::symbol) {
            Some("sat") => {
                self.last = Last::Sat;
                Ok(Answer::Sat)
            }
            Some("unsat") => {
                self.last = Last::Unsat(literals);
                Ok(Answer::Unsat)
            }
            Some("timeout") => Err(Reason::Time),
            Some("unknown") => {
                let why = self.ask("(get-info :reason-unknown)", until)?;
                Err(self.reason(info(&why).unwrap_or_default(), began.elapsed()))
            }
            _ => {
                let said = answer.items().next().map(|a| a.to_string()).unwrap_or_default();
                let why = strange(&said);
                self.fail(why.clone());
                Err(Reason::Failed(why))
            }
        }
    }

    /// What a solver means by its reason. Z3 calls the end of every limit `canceled`.
    fn reason(&self, text: String, took: Duration) -> Reason {
        let limits = self.limits;
        match text.as_str() {
            "timeout" => Reason::Time,
            "resourceout" => Reason::Resources,
            t if t.contains("resource limit") => Reason::Resources,
            t if t.contains("memout") || t.contains("memory") => Reason::Memory,
            "canceled" => match (limits.resources, limits.time) {
                (Some(_), Some(time)) if took >= time => Reason::Time,
                (Some(_), _) => Reason::Resources,
                (None, Some(_)) => Reason::Time,
                (None, None) => Reason::Incomplete(text),
            },
            _ => Reason::Incomplete(text),
        }
    }

    /// The values of expressions, of these sorts. `None` also where one is no [`Value`].
    fn values(&mut self, terms: &Terms, of: &[(String, Sort)]) -> Option<Vec<Value>> {
        if of.is_empty() {
            return Some(Vec::new());
        }
        let texts: Vec<&str> = of.iter().map(|(text, _)| text.as_str()).collect();
        let question = format!("(get-value ({}))", texts.join(" "));
        let answer = self.ask(&question, self.deadline()).ok()?;
        let pairs = answer.items().next()?.items()?;
        if pairs.len() != of.len() {
            return None;
        }
        pairs
            .zip(of)
            .map(|(pair, (_, sort))| {
                let [_, value] = pair.list()?;
                values::value(terms, value, *sort)
            })
            .collect()
    }

    fn symbol_values(&mut self, terms: &Terms, of: &[Term]) -> Option<Assignment> {
        let mut assignment = Assignment::default();
        let mut asked: Vec<Symbol> = Vec::new();
        let mut questions = Vec::new();
        for symbol in terms.free_symbols_of(of) {
            let sort = terms.symbol_sort(symbol);
            match self.session.as_ref().and_then(|s| s.symbol(symbol)) {
                Some(name) => {
                    asked.push(symbol);
                    questions.push((name.to_string(), sort));
                }
                None => {
                    assignment.symbols.insert(symbol, Value::zero(terms, sort));
                }
            }
        }
        let values = self.values(terms, &questions)?;
        assignment.symbols.extend(asked.into_iter().zip(values));
        Some(assignment)
    }

    /// Adds what a function is for the arguments of an application.
    fn add_application(
        &mut self,
        terms: &Terms,
        assignment: &mut Assignment,
        function: Function,
        arguments: &[Term],
    ) -> Option<()> {
        let arguments: Option<Vec<Value>> =
            arguments.iter().map(|a| terms.evaluate(*a, assignment)).collect();
        let (arguments, sort) = (arguments?, terms.signature(function).result);
        let table = assignment.functions.entry(function).or_insert_with(|| FunctionValue {
            entries: Default::default(),
            default: Value::zero(terms, sort),
        });
        let name = self.session.as_ref().and_then(|s| s.function(function));
        if let Some(name) = name
            && !table.entries.contains_key(&arguments)
        {
            let texts: Vec<String> = arguments.iter().map(|a| a.smtlib(terms)).collect();
            let call = match texts.is_empty() {
                true => name.to_string(),
                false => format!("({name} {})", texts.join(" ")),
            };
            let value = self.values(terms, &[(call, sort)])?.pop()?;
            table.entries.insert(arguments, value);
        }
        Some(())
    }
}

/// The value in `(:key value)`.
fn info(answer: &Sexprs) -> Option<String> {
    let [_, value] = answer.items().next()?.list()?;
    Some(match value.atom() {
        Some(Atom::String(text) | Atom::Symbol(text)) => text.clone(),
        _ => value.to_string(),
    })
}

impl Solver for PipeSolver {
    /// The version is known after the first check.
    fn name(&self) -> String {
        let name = self.program.kind.name();
        match self.version.as_deref() {
            None | Some("") => format!("{name} (process)"),
            Some(version) => format!("{name} {version} (process)"),
        }
    }

    fn assert(&mut self, terms: &Terms, formula: Term) {
        self.last = Last::Nothing;
        self.admit(terms, formula);
        if let Some(text) = self.text(terms, formula) {
            self.tell(&format!("(assert {text})"));
        }
    }

    fn push(&mut self) {
        self.last = Last::Nothing;
        self.tell("(push 1)");
        self.levels.push(Level::default());
    }

    fn pop(&mut self, levels: u32) {
        let depth = self.levels.len().checked_sub(levels as usize).filter(|depth| *depth > 0);
        self.levels.truncate(depth.expect("no more pops than pushes"));
        self.last = Last::Nothing;
        self.tell(&format!("(pop {levels})"));
    }

    fn check(&mut self, terms: &Terms, assumptions: &[Term]) -> Answer {
        self.last = Last::Nothing;
        let cancelled = |solver: &Self| solver.lifeline.cancelled.load(Ordering::SeqCst);
        if cancelled(self) {
            return Answer::Unknown(Reason::Cancelled);
        }
        match self.decide(terms, assumptions) {
            _ if cancelled(self) => {
                self.last = Last::Nothing;
                Answer::Unknown(Reason::Cancelled)
            }
            Ok(answer) => answer,
            Err(reason) => Answer::Unknown(reason),
        }
    }

    fn core(&mut self) -> Vec<Term> {
        let Last::Unsat(assumed) = &self.last else { return Vec::new() };
        let assumed = assumed.clone();
        let all = || assumed.iter().map(|(term, _)| *term);
        if assumed.is_empty() {
            return Vec::new();
        }
        // All of them suffice, whatever the solver has to say.
        let Ok(answer) = self.ask("(get-unsat-assumptions)", self.deadline()) else {
            return all().collect();
        };
        let Some(items) = answer.items().next().and_then(Sexpr::items) else {
            return all().collect();
        };
        let names: Option<Vec<&str>> = items.map(Sexpr::symbol).collect();
        match names {
            Some(names) if names.iter().all(|n| assumed.iter().any(|(_, l)| l == n)) => {
                let needed = assumed.iter().filter(|(_, l)| names.contains(&l.as_str()));
                needed.map(|(term, _)| *term).collect()
            }
            _ => all().collect(),
        }
    }

    /// Functions are known for the arguments that they have in `of`, and zero elsewhere; `None`
    /// where `of` has functions and quantifiers.
    fn model(&mut self, terms: &Terms, of: &[Term]) -> Option<Assignment> {
        let Last::Sat = self.last else { return None };
        let mut assignment = self.symbol_values(terms, of)?;
        let parts = terms.parts_first(of);
        let quantified = parts.iter().any(|p| matches!(terms.node(*p), Node::Quantified(..)));
        for part in parts {
            if let Node::Apply(function, arguments) = terms.node(part) {
                if quantified {
                    return None;
                }
                self.add_application(terms, &mut assignment, *function, arguments)?;
            }
        }
        Some(assignment)
    }

    /// Starts a new process, also where the last one is dead. One that was cancelled stays so.
    fn reset(&mut self) {
        self.fail("it is being started".to_string());
        self.session = None;
        self.levels = vec![Level::default()];
        match Dialogue::start(&mut self.program.command()) {
            Ok(dialogue) => self.begin(dialogue),
            Err(error) => self.fail(StartError::new(&self.program, error).to_string()),
        }
    }

    fn set_limits(&mut self, limits: Limits) {
        if limits != self.limits {
            self.limits = limits;
            self.tell_limits();
        }
    }

    fn cancel_handle(&self) -> Cancel {
        let (lifeline, alive) = (Arc::clone(&self.lifeline), Arc::clone(&self.lifeline));
        Cancel::new(move || lifeline.cancel(), move || alive.cancelled.load(Ordering::SeqCst))
    }
}
