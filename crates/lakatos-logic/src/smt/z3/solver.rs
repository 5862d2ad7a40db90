//! The Z3 backend of [`Solver`].

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use z3::ast::Bool;
use z3::{FuncInterp, Model, Params, SatResult};

use super::translate::{Translator, symbol_constant};
use super::{numeral, read};
use crate::smt::{Answer, Cancel, Features, Limits, Logic, Reason, Solver};
use crate::term::{Assignment, Function, FunctionValue, Node, Symbol, Term, Terms, Value};

/// So many stand-ins for assumptions may pile up outside of any `push` before the solver starts
/// afresh: dead ones slow every later check.
const STAND_INS: usize = 500;

/// A long-lived solver.
pub struct Z3Solver {
    solver: z3::Solver,
    /// What the solver was made for.
    logic: Logic,
    /// What it was told of so far.
    features: Features,
    translator: Rc<RefCell<Translator>>,
    /// One level more than there were pushes.
    levels: Vec<Level>,
    /// The assumptions of the last check with the literals that stood for them.
    assumed: Vec<(Term, Bool)>,
    limits: Limits,
    cancel: Cancel,
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
        logic: Logic,
        translator: Rc<RefCell<Translator>>,
        cancel: Cancel,
    ) -> Z3Solver {
        Z3Solver {
            solver: make_solver(logic),
            logic,
            features: Features::default(),
            translator,
            levels: vec![Level::default()],
            assumed: Vec::new(),
            limits: Limits::default(),
            cancel,
        }
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

    /// Starts again with a solver for a wider logic.
    fn widen(&mut self, logic: Logic) {
        self.logic = logic;
        self.solver = make_solver(logic);
        self.set_limits(self.limits);
        for (depth, level) in self.levels.iter().enumerate() {
            if depth > 0 {
                self.solver.push();
            }
            for formula in level.asserted.iter().chain(&level.definitions) {
                self.solver.assert(formula);
            }
        }
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
        self.solver.assert(&definition);
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
            self.solver.reset();
            for formula in &base.asserted {
                self.solver.assert(formula);
            }
        }
    }

    fn reason(&self) -> Reason {
        let text = self.solver.get_reason_unknown().unwrap_or_default();
        match text.as_str() {
            _ if self.cancel.is_cancelled() => Reason::Cancelled,
            "timeout" => Reason::Time,
            t if t.contains("memory") || t.contains("memout") => Reason::Memory,
            t if t.contains("resource") => Reason::Resources,
            // A time limit interrupts; without one somebody else did.
            "canceled" | "interrupted from keyboard" => match self.limits.time {
                Some(_) => Reason::Time,
                None => Reason::Cancelled,
            },
            _ => Reason::Incomplete(text),
        }
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

fn make_solver(logic: Logic) -> z3::Solver {
    // What Z3 5.4 does for linear integers when told leaves some small questions without an
    // answer, and makes none faster.
    let logic = match logic {
        Logic::QfLia => Logic::All,
        other => other,
    };
    z3::Solver::new_for_logic(logic.name()).unwrap_or_else(z3::Solver::new)
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
        let formula = self.admit(terms, formula);
        self.solver.assert(&formula);
        self.levels.last_mut().expect("there is a base level").asserted.push(formula);
    }

    fn push(&mut self) {
        self.solver.push();
        self.levels.push(Level::default());
    }

    fn pop(&mut self, levels: u32) {
        let depth = self.levels.len() - levels as usize;
        assert!(depth > 0, "more pops than pushes");
        self.solver.pop(levels);
        self.levels.truncate(depth);
    }

    fn check(&mut self, terms: &Terms, assumptions: &[Term]) -> Answer {
        if self.cancel.is_cancelled() {
            return Answer::Unknown(Reason::Cancelled);
        }
        self.forget_stand_ins();
        self.assumed.clear();
        for assumption in assumptions {
            let literal = self.literal(terms, *assumption);
            self.assumed.push((*assumption, literal));
        }
        let literals: Vec<Bool> = self.assumed.iter().map(|(_, l)| l.clone()).collect();
        let answer = self.solver.check_assumptions(&literals);
        match answer {
            _ if self.cancel.is_cancelled() => Answer::Unknown(Reason::Cancelled),
            SatResult::Sat => Answer::Sat,
            SatResult::Unsat => Answer::Unsat,
            SatResult::Unknown => Answer::Unknown(self.reason()),
        }
    }

    fn core(&mut self) -> Vec<Term> {
        let core = self.solver.get_unsat_core();
        self.assumed.iter().filter(|(_, l)| core.contains(l)).map(|(t, _)| *t).collect()
    }

    fn model(&mut self, terms: &Terms, of: &[Term]) -> Option<Assignment> {
        let model = self.solver.get_model()?;
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

    fn reset(&mut self) {
        self.solver.reset();
        self.features = Features::default();
        self.levels = vec![Level::default()];
        self.assumed.clear();
    }

    fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
        let mut params = Params::new();
        // Z3 takes the largest number for no limit of time, and zero for none of resources.
        params.set_u32("timeout", limits.time.map_or(u32::MAX, millis));
        params.set_u32("rlimit", limits.resources.unwrap_or(0));
        self.solver.set_params(&params);
    }

    fn cancel_handle(&self) -> Cancel {
        self.cancel.clone()
    }
}

fn millis(time: std::time::Duration) -> u32 {
    u32::try_from(time.as_millis()).unwrap_or(u32::MAX - 1).max(1)
}
