//! The Z3 backend of [`Solver`].

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use z3::ast::Bool;
use z3::{FuncInterp, Model, Params, SatResult};

use super::translate::{Translator, symbol_constant};
use super::{Health, memory, numeral, read};
use crate::smt::dump::{Dumps, Record};
use crate::smt::{Answer, Cancel, Features, Limits, Logic, Reason, Solver, pace};
use crate::term::{Assignment, Function, FunctionValue, Node, Symbol, Term, Terms, Value};

/// So many stand-ins for assumptions may pile up outside of any `push` before the solver starts
/// afresh: dead ones slow every later check.
const STAND_INS: usize = 500;

/// A long-lived solver.
pub struct Z3Solver {
    /// `None`: it could not be made, and the session says why.
    solver: Option<z3::Solver>,
    way: Way,
    /// What the solver was made for.
    logic: Logic,
    /// What it was told of so far.
    features: Features,
    translator: Rc<RefCell<Translator>>,
    /// One level more than there were pushes.
    levels: Vec<Level>,
    last: Last,
    limits: Limits,
    /// The limits that Z3 was told of last.
    told: Limits,
    health: Health,
    record: Option<Record>,
}

/// How Z3 reasons about products.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::smt) enum Way {
    /// As it chooses to for the logic.
    Usual,
    /// Without Gröbner bases, whose numbers may become very large.
    Light,
}

/// What a check came to.
struct Asked {
    answer: SatResult,
    assumed: Vec<(Term, Bool)>,
    reason: Option<Reason>,
}

/// What the solver can be asked about.
#[derive(Default)]
enum Last {
    #[default]
    Nothing,
    Sat,
    /// The assumptions and the literals that stood for them.
    Unsat(Vec<(Term, Bool)>),
}

#[derive(Default)]
struct Level {
    asserted: Vec<Bool>,
    /// Literals that imply assumptions which are no literals themselves.
    stand_ins: FxHashMap<Term, Bool>,
    /// That they do.
    definitions: Vec<Bool>,
}

impl fmt::Debug for Z3Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Z3Solver").field("logic", &self.logic).finish_non_exhaustive()
    }
}

impl Z3Solver {
    pub(super) fn new(
        way: Way,
        logic: Logic,
        translator: Rc<RefCell<Translator>>,
        health: Health,
    ) -> Z3Solver {
        Z3Solver {
            solver: health.attempt(|| make_solver(way, logic)).ok(),
            way,
            logic,
            features: Features::default(),
            translator,
            levels: vec![Level::default()],
            last: Last::Nothing,
            limits: Limits::default(),
            told: Limits::default(),
            health,
            record: None,
        }
    }

    /// From now on queries are written down. Nothing may be asserted yet.
    pub(in crate::smt) fn dump_to(&mut self, dumps: Dumps) {
        self.record = Some(Record::new(dumps, self.levels.len()));
    }

    /// Only asked while the session is healthy.
    fn solver(&self) -> &z3::Solver {
        self.solver.as_ref().expect("a healthy session has one")
    }

    /// Does something that may fail; then the session is ill, and later answers say so.
    fn attempt<T>(&mut self, work: impl FnOnce(&mut Z3Solver) -> T) -> Option<T> {
        self.health.clone().attempt(|| work(self)).ok()
    }

    /// Translates a formula and makes sure that the solver can take it: one for a logic without
    /// integers, say, would answer wrongly.
    fn admit(&mut self, terms: &Terms, formula: Term) -> Bool {
        let mut translator = self.translator.borrow_mut();
        let translated = translator.bool(terms, formula);
        let features = self.features.union(translator.features(formula));
        drop(translator);
        if features != self.features {
            self.features = features;
            let needed = features.logic();
            if needed != self.logic && !self.logic.covers(features) {
                self.widen(Features::logic(&self.logic.features().union(features)));
            }
        }
        translated
    }

    fn tell(&mut self, formula: Bool) {
        self.solver().assert(&formula);
        self.levels.last_mut().expect("there is a base level").asserted.push(formula);
    }

    /// Starts again with a solver for a wider logic.
    fn widen(&mut self, logic: Logic) {
        self.logic = logic;
        let solver = make_solver(self.way, logic);
        solver.set_params(&parameters(self.told));
        for (depth, level) in self.levels.iter().enumerate() {
            if depth > 0 {
                solver.push();
            }
            for formula in level.asserted.iter().chain(&level.definitions) {
                solver.assert(formula);
            }
        }
        self.solver = Some(solver);
    }

    fn limit(&mut self, limits: Limits) {
        self.told = limits;
        self.solver().set_params(&parameters(limits));
    }

    fn literal(&mut self, terms: &Terms, assumption: Term) -> Bool {
        if is_literal(terms, assumption) {
            return self.admit(terms, assumption);
        }
        if let Some(known) = self.levels.iter().find_map(|l| l.stand_ins.get(&assumption)) {
            return known.clone();
        }
        let formula = self.admit(terms, assumption);
        let literal = Bool::fresh_const("assume");
        let definition = literal.implies(&formula);
        self.solver().assert(&definition);
        let level = self.levels.last_mut().expect("there is a base level");
        level.definitions.push(definition);
        level.stand_ins.insert(assumption, literal.clone());
        literal
    }

    fn forget_stand_ins(&mut self) {
        let [base] = &mut self.levels[..] else { return };
        if base.stand_ins.len() > STAND_INS {
            base.stand_ins.clear();
            base.definitions.clear();
            self.solver().reset();
            for formula in &self.levels[0].asserted {
                self.solver().assert(formula);
            }
        }
    }

    /// Z3's answer, the literals that stood for the assumptions, and a guess why it is `Unknown`.
    fn ask(&mut self, terms: &Terms, assumptions: &[Term]) -> Asked {
        let limits = pace::limits(self.limits);
        if limits != self.told {
            self.limit(limits);
        }
        self.forget_stand_ins();
        let literals: Vec<Bool> = assumptions.iter().map(|a| self.literal(terms, *a)).collect();
        let before = limits.resources.and_then(|_| memory::work_done());
        let answer = self.solver().check_assumptions(&literals);
        let reason = (answer == SatResult::Unknown).then(|| {
            let text = self.solver().get_reason_unknown().unwrap_or_default();
            let work = before.and_then(|before| Some(memory::work_done()?.wrapping_sub(before)));
            reason(text, limits, work, memory::is_scarce())
        });
        Asked { answer, assumed: assumptions.iter().copied().zip(literals).collect(), reason }
    }

    /// Asks until the query's own limits are reached, not those of a turn.
    fn ask_by_turns(&mut self, terms: &Terms, assumptions: &[Term]) -> Result<Asked, Reason> {
        let health = self.health.clone();
        loop {
            let asked = health.believe(|| self.ask(terms, assumptions))?;
            if asked.reason != Some(Reason::Resources) || self.told == self.limits {
                return Ok(asked);
            }
        }
    }

    fn decide(&mut self, terms: &Terms, assumptions: &[Term]) -> Answer {
        self.last = Last::Nothing;
        match self.ask_by_turns(terms, assumptions) {
            Err(reason) => Answer::Unknown(reason),
            Ok(Asked { reason: Some(reason), .. }) => Answer::Unknown(reason),
            Ok(Asked { answer: SatResult::Sat, .. }) => {
                self.last = Last::Sat;
                Answer::Sat
            }
            Ok(Asked { assumed, .. }) => {
                self.last = Last::Unsat(assumed);
                Answer::Unsat
            }
        }
    }

    fn read_model(&self, terms: &Terms, of: &[Term]) -> Option<Assignment> {
        let model = self.solver().get_model()?;
        let mut assignment = Assignment::default();
        for symbol in terms.free_symbols_of(of) {
            assignment.symbols.insert(symbol, self.symbol_value(terms, &model, symbol)?);
        }
        for part in terms.parts_first(of) {
            if let Node::Apply(function, _) = terms.node(part)
                && !assignment.functions.contains_key(function)
            {
                let value = self.function_value(terms, &model, *function)?;
                assignment.functions.insert(*function, value);
            }
        }
        Some(assignment)
    }

    fn symbol_value(&self, terms: &Terms, model: &Model, symbol: Symbol) -> Option<Value> {
        let constant = symbol_constant(terms, symbol);
        let value = model.eval(&constant, true)?;
        numeral::value(&value)
            .or_else(|| read::array_value(terms, &value, terms.symbol_sort(symbol)))
    }

    fn function_value(
        &self,
        terms: &Terms,
        model: &Model,
        function: Function,
    ) -> Option<FunctionValue> {
        let mut translator = self.translator.borrow_mut();
        let declaration = translator.declaration(terms, function);
        match model.get_func_interp(declaration) {
            Some(interpretation) => read_function(&interpretation),
            None => Some(FunctionValue {
                entries: BTreeMap::new(),
                default: Value::zero(terms, terms.signature(function).result),
            }),
        }
    }
}

fn read_function(interpretation: &FuncInterp) -> Option<FunctionValue> {
    let mut entries = BTreeMap::new();
    for entry in interpretation.get_entries() {
        let arguments: Option<Vec<Value>> = entry.get_args().iter().map(numeral::value).collect();
        entries.insert(arguments?, numeral::value(&entry.get_value())?);
    }
    Some(FunctionValue { entries, default: numeral::value(&interpretation.get_else()?)? })
}

fn make_solver(way: Way, logic: Logic) -> z3::Solver {
    if way == Way::Light {
        let solver = z3::Solver::new();
        let mut params = Params::new();
        params.set_bool("arith.nl.grobner", false);
        solver.set_params(&params);
        return solver;
    }
    // What Z3 5.4 does for linear integers when told leaves some small questions without an
    // answer, and makes none faster.
    let told = match logic {
        Logic::QfLia => Logic::All,
        other => other,
    };
    let solver = z3::Solver::new_for_logic(told.name()).unwrap_or_default();
    if has_only_constants(logic) {
        // What is made small is the tables of functions; without any, it is a fifth of the time
        // of a query with a model and changes nothing.
        let mut params = Params::new();
        params.set_bool("model.compact", false);
        solver.set_params(&params);
    }
    solver
}

/// Whether models of this logic have neither functions nor arrays.
fn has_only_constants(logic: Logic) -> bool {
    let theories = logic.name().strip_prefix("QF_");
    theories.is_some_and(|name| !name.contains("UF") && !name.starts_with('A'))
}

fn is_literal(terms: &Terms, formula: Term) -> bool {
    match terms.node(formula) {
        Node::Not(atom) => terms.as_symbol(*atom).is_some(),
        _ => terms.as_symbol(formula).is_some(),
    }
}

impl Solver for Z3Solver {
    fn name(&self) -> String {
        format!("Z3 {}", crate::z3_version())
    }

    fn assert(&mut self, terms: &Terms, formula: Term) {
        self.last = Last::Nothing;
        if let Some(record) = &mut self.record {
            record.assert_any(&[formula]);
        }
        self.attempt(|solver| {
            let formula = solver.admit(terms, formula);
            solver.tell(formula);
        });
    }

    fn assert_any(&mut self, terms: &mut Terms, formulas: &[Term]) {
        self.last = Last::Nothing;
        if let Some(record) = &mut self.record {
            record.assert_any(formulas);
        }
        self.attempt(|solver| {
            let formulas: Vec<Bool> = formulas.iter().map(|f| solver.admit(terms, *f)).collect();
            solver.tell(Bool::or(&formulas));
        });
    }

    fn push(&mut self) {
        self.last = Last::Nothing;
        self.attempt(|solver| solver.solver().push());
        self.levels.push(Level::default());
        if let Some(record) = &mut self.record {
            record.push();
        }
    }

    fn pop(&mut self, levels: u32) {
        let depth = self.levels.len().checked_sub(levels as usize).filter(|depth| *depth > 0);
        let depth = depth.expect("no more pops than pushes");
        self.last = Last::Nothing;
        self.attempt(|solver| solver.solver().pop(levels));
        self.levels.truncate(depth);
        if let Some(record) = &mut self.record {
            record.truncate(depth);
        }
    }

    fn check(&mut self, terms: &Terms, assumptions: &[Term]) -> Answer {
        let query = self.record.as_ref().map(|r| r.query(terms, self.logic, assumptions));
        let answer = self.decide(terms, assumptions);
        if let Some(query) = query {
            query.answered(&answer, &self.name());
        }
        answer
    }

    fn core(&mut self) -> Vec<Term> {
        let Last::Unsat(assumed) = &self.last else { return Vec::new() };
        // Where Z3 cannot tell, the crate says that none are needed. All of them suffice.
        let core = self.health.believe(|| self.solver().get_unsat_core());
        let needed = |literal: &Bool| core.as_ref().map_or(true, |core| core.contains(literal));
        assumed.iter().filter(|(_, l)| needed(l)).map(|(t, _)| *t).collect()
    }

    fn model(&mut self, terms: &Terms, of: &[Term]) -> Option<Assignment> {
        let Last::Sat = self.last else { return None };
        let health = self.health.clone();
        health.believe(|| self.read_model(terms, of)).ok()?
    }

    fn bool_values(&mut self, terms: &Terms, formulas: &[Term]) -> Option<Vec<bool>> {
        let Last::Sat = self.last else { return None };
        let read = || {
            let model = self.solver().get_model()?;
            let mut translator = self.translator.borrow_mut();
            let value = |f: &Term| model.eval(&translator.bool(terms, *f), true)?.as_bool();
            formulas.iter().map(value).collect()
        };
        self.health.believe(read).ok()?
    }

    fn reset(&mut self) {
        self.attempt(|solver| solver.solver().reset());
        self.features = Features::default();
        self.levels = vec![Level::default()];
        self.last = Last::Nothing;
        if let Some(record) = &mut self.record {
            record.reset();
        }
    }

    fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
        self.attempt(|solver| solver.limit(limits));
    }

    fn cancel_handle(&self) -> Cancel {
        self.health.cancel().clone()
    }
}

fn parameters(limits: Limits) -> Params {
    let mut params = Params::new();
    // Z3 takes the largest number for no limit of time, and zero for none of resources.
    params.set_u32("timeout", limits.time.map_or(u32::MAX, millis));
    params.set_u32("rlimit", limits.resources.unwrap_or(0));
    params
}

/// What Z3 means when it says why it does not know. Any limit makes it say `canceled`, or nothing
/// at all; `work` is what it did for the query, where that is limited, and `scarce` says that
/// there is no memory for another.
fn reason(text: String, limits: Limits, work: Option<u32>, scarce: bool) -> Reason {
    let resources = limits.resources.is_some_and(|limit| work.is_some_and(|w| w >= limit));
    match text.as_str() {
        t if t.contains("memory") || t.contains("memout") => Reason::Memory,
        _ if resources => Reason::Resources,
        t if t.contains("resource limit") => Reason::Resources,
        "timeout" => Reason::Time,
        "canceled" | "interrupted from keyboard" if limits.time.is_some() => Reason::Time,
        _ if scarce => Reason::Memory,
        _ => Reason::Incomplete(text),
    }
}

fn millis(time: std::time::Duration) -> u32 {
    u32::try_from(time.as_millis()).unwrap_or(u32::MAX - 1).max(1)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// The words are those of Z3 5.4.
    #[test]
    fn reasons() {
        let none = Limits::default();
        let time = Limits { time: Some(Duration::from_millis(50)), ..none };
        let work = Limits { resources: Some(100), ..none };
        let both = Limits { resources: Some(100), ..time };
        let incomplete = |text: &str| Reason::Incomplete(text.to_string());
        for (text, limits, spent, expect) in [
            ("timeout", time, None, Reason::Time),
            ("timeout", both, Some(99), Reason::Time),
            ("canceled", time, None, Reason::Time),
            ("canceled", both, Some(99), Reason::Time),
            ("canceled", both, Some(100), Reason::Resources),
            ("canceled", work, Some(100), Reason::Resources),
            ("no reason given", work, Some(107), Reason::Resources),
            ("max. resource limit exceeded", work, None, Reason::Resources),
            ("max. memory exceeded", both, Some(100), Reason::Memory),
            ("out of memory", none, None, Reason::Memory),
            ("smt tactic failed to show goal to be sat/unsat memout", time, None, Reason::Memory),
            ("canceled", none, None, incomplete("canceled")),
            ("(incomplete quantifiers)", none, None, incomplete("(incomplete quantifiers)")),
            ("(incomplete (theory arithmetic))", both, Some(9), {
                incomplete("(incomplete (theory arithmetic))")
            }),
        ] {
            let found = reason(text.to_string(), limits, spent, false);
            assert_eq!(found, expect, "{text} {limits:?}");
        }
        assert_eq!(reason("no reason given".to_string(), none, None, true), Reason::Memory);
        assert_eq!(reason("canceled".to_string(), time, None, true), Reason::Time);
    }
}
