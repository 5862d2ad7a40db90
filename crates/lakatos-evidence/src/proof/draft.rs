//! A proof in the making.

use std::collections::{BTreeMap, BTreeSet};

use lakatos_ir::callgraph::CallGraph;
use lakatos_ir::modset::{Footprint, ModSets};
use lakatos_ir::{Cfa, Id, LocId, ProcId, Program, Property, VarId, VarKind};
use lakatos_logic::term::{Sort, Symbol, Term, Terms};
use rustc_hash::FxHashMap;

use super::{Behaviour, Cases, Contract, Form, Meaning, Place, Proof, Slot, When, cut};
use crate::Assumption;

/// Why a formula cannot be part of a proof.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    #[error("a formula is not a truth value")]
    NotBoolean,
    #[error("the symbol `{0}` stands for nothing in the program")]
    Meaningless(String),
    #[error("`{name}` cannot be spoken of in {place} of `{proc}`")]
    Invisible { name: String, place: &'static str, proc: String },
    #[error("`{0}` has no body, so there is nothing to prove about it")]
    NoBody(String),
    #[error("`{proc}` has no location {loc}")]
    NoLocation { proc: String, loc: usize },
}

/// Collects contracts, invariants and assumptions about a program.
#[derive(Debug)]
pub struct Draft<'p> {
    program: &'p Program,
    property: Option<Property>,
    terms: Terms,
    meanings: FxHashMap<Symbol, Meaning>,
    requires: BTreeMap<ProcId, Vec<Term>>,
    ensures: BTreeMap<ProcId, Vec<Term>>,
    behaviours: BTreeMap<ProcId, Vec<Behaviour>>,
    assigns: BTreeMap<ProcId, Footprint>,
    invariants: BTreeMap<(ProcId, LocId), Vec<Term>>,
    assumptions: BTreeSet<Assumption>,
    pub(super) form: Form,
    pub(super) in_bits: bool,
}

impl<'p> Draft<'p> {
    /// About the program in which the property's violations are error locations, before any
    /// optional pass.
    pub fn new(program: &'p Program, property: impl Into<Option<Property>>) -> Draft<'p> {
        Draft {
            program,
            property: property.into(),
            terms: Terms::new(),
            meanings: FxHashMap::default(),
            requires: BTreeMap::new(),
            ensures: BTreeMap::new(),
            behaviours: BTreeMap::new(),
            assigns: BTreeMap::new(),
            invariants: BTreeMap::new(),
            assumptions: BTreeSet::new(),
            form: Form::Program,
            in_bits: false,
        }
    }

    /// Numbers are to be bit-vectors where the proof is checked, also if no formula says so.
    pub fn in_bits(&mut self) {
        self.in_bits = true;
    }

    /// The arena to build formulas in.
    pub fn terms(&mut self) -> &mut Terms {
        &mut self.terms
    }

    /// The symbol for a value of a variable. Its sort is the encoding's choice.
    pub fn symbol(&mut self, meaning: Meaning, sort: Sort) -> Term {
        symbol(self.program, &mut self.terms, &mut self.meanings, meaning, sort)
    }

    /// A formula of an engine's arena in the words of this proof.
    pub fn import(
        &mut self,
        from: &Terms,
        formula: Term,
        meaning: impl Fn(Symbol) -> Option<Meaning>,
    ) -> Result<Term, Flaw> {
        let (program, meanings) = (self.program, &mut self.meanings);
        self.terms.import_as(from, formula, |terms, old, sort| match meaning(old) {
            Some(meaning) => Ok(symbol(program, terms, meanings, meaning, sort)),
            None => Err(Flaw::Meaningless(from.symbol_name(old).to_owned())),
        })
    }

    /// Adds to what holds at a place.
    pub fn add(&mut self, slot: Slot, formula: Term) -> Result<(), Flaw> {
        match slot {
            Slot::Requires(proc) => self.requires(proc, formula),
            Slot::Ensures(proc) => self.ensures(proc, formula),
            Slot::Invariant(proc, loc) => self.invariant(proc, loc, formula),
        }
    }

    /// Adds to what a procedure demands of its callers.
    pub fn requires(&mut self, proc: ProcId, formula: Term) -> Result<(), Flaw> {
        self.check(proc, Place::Requires, formula)?;
        self.requires.entry(proc).or_default().push(formula);
        Ok(())
    }

    /// Adds to what holds whenever a procedure has returned.
    pub fn ensures(&mut self, proc: ProcId, formula: Term) -> Result<(), Flaw> {
        self.check(proc, Place::Ensures, formula)?;
        self.ensures.entry(proc).or_default().push(formula);
        Ok(())
    }

    /// Adds one of the ways in which a procedure is called, and what holds when it has returned
    /// from such a call. All calls are made in one of these ways.
    pub fn behaviour(&mut self, proc: ProcId, assumes: Term, ensures: Term) -> Result<(), Flaw> {
        self.check(proc, Place::Requires, assumes)?;
        self.check(proc, Place::Ensures, ensures)?;
        self.behaviours.entry(proc).or_default().push(Behaviour { assumes, ensures });
        Ok(())
    }

    /// Says what a procedure may change; without it, all that its instructions and those of its
    /// callees name.
    pub fn assigns(&mut self, proc: ProcId, footprint: Footprint) -> Result<(), Flaw> {
        self.body(proc)?;
        match footprint.vars.iter().find(|&&v| self.program.vars[v].kind.frame().is_some()) {
            Some(&local) => Err(self.invisible(local, "`assigns`", proc)),
            None => {
                self.assigns.insert(proc, footprint);
                Ok(())
            }
        }
    }

    /// Adds to what holds whenever a run is at a location.
    pub fn invariant(&mut self, proc: ProcId, loc: LocId, formula: Term) -> Result<(), Flaw> {
        self.check(proc, Place::Invariant, formula)?;
        if loc.index() >= self.body(proc)?.locs.len() {
            let proc = self.program.procs[proc].name.clone();
            return Err(Flaw::NoLocation { proc, loc: loc.index() });
        }
        self.invariants.entry((proc, loc)).or_default().push(formula);
        Ok(())
    }

    pub fn assume(&mut self, assumptions: impl IntoIterator<Item = Assumption>) {
        self.assumptions.extend(assumptions);
    }

    /// The proof. What was not said is `true`: contracts, and invariants at cut points where the
    /// given ones leave a cycle open.
    pub fn finish(mut self) -> Proof {
        let mods = ModSets::new(self.program, &CallGraph::new(self.program));
        let mut contracts = BTreeMap::new();
        for (proc, _, body) in self.program.defined() {
            let assigns = self.assigns.remove(&proc);
            let assigns = assigns.unwrap_or_else(|| mods.of_proc(proc).writes.clone());
            let contract = self.contract(proc, assigns);
            contracts.insert(proc, contract);
            let here = (proc, LocId::from_index(0))..=(proc, LocId::from_index(body.locs.len()));
            let given = self.invariants.range(here).map(|(&(_, loc), _)| loc).collect();
            for loc in cut::missing(body, &given) {
                self.invariants.insert((proc, loc), Vec::new());
            }
        }
        let mut invariants = BTreeMap::new();
        for (at, formulas) in self.invariants {
            invariants.insert(at, self.terms.and(formulas));
        }
        Proof {
            property: self.property,
            terms: self.terms,
            meanings: self.meanings,
            contracts,
            invariants,
            assumptions: self.assumptions,
            form: self.form,
            in_bits: self.in_bits,
        }
    }

    fn contract(&mut self, proc: ProcId, assigns: Footprint) -> Contract {
        let requires = self.requires.remove(&proc).unwrap_or_default();
        let ensures = self.ensures.remove(&proc).unwrap_or_default();
        let (requires, ensures) = (self.terms.and(requires), self.terms.and(ensures));
        let behaviours = self.behaviours.remove(&proc).unwrap_or_default();
        if behaviours.is_empty() {
            return Contract { requires, ensures, assigns, cases: None };
        }
        let one = self.terms.or(behaviours.iter().map(|behaviour| behaviour.assumes));
        let mut each = vec![ensures];
        for behaviour in &behaviours {
            let premise = self.at_entry(behaviour.assumes);
            each.push(self.terms.implies(premise, behaviour.ensures));
        }
        Contract {
            requires: self.terms.and([requires, one]),
            ensures: self.terms.and(each),
            assigns,
            cases: Some(Cases { requires, ensures, behaviours }),
        }
    }

    /// What a precondition says, spoken of later.
    pub(super) fn at_entry(&mut self, formula: Term) -> Term {
        let mut map = FxHashMap::default();
        for old in self.terms.free_symbols(formula) {
            let (meaning, sort) = (self.meanings[&old], self.terms.symbol_sort(old));
            map.insert(old, self.symbol(Meaning::entry(meaning.var), sort));
        }
        self.terms.substitute(formula, &map)
    }

    fn body(&self, proc: ProcId) -> Result<&'p Cfa, Flaw> {
        let procedure = &self.program.procs[proc];
        procedure.body.as_ref().ok_or_else(|| Flaw::NoBody(procedure.name.clone()))
    }

    fn check(&self, proc: ProcId, place: Place, formula: Term) -> Result<(), Flaw> {
        self.body(proc)?;
        if self.terms.sort(formula) != Sort::Bool {
            return Err(Flaw::NotBoolean);
        }
        for symbol in self.terms.free_symbols(formula) {
            let meaning = self
                .meanings
                .get(&symbol)
                .ok_or_else(|| Flaw::Meaningless(self.terms.symbol_name(symbol).to_owned()))?;
            if !self.visible(*meaning, proc, place) {
                let (name, Meaning { var, when }) = (place.name(), *meaning);
                return Err(match when {
                    When::Now => self.invisible(var, name, proc),
                    When::Entry => self.invisible_entry(var, name, proc),
                });
            }
        }
        Ok(())
    }

    fn visible(&self, Meaning { var, when }: Meaning, proc: ProcId, place: Place) -> bool {
        let kind = self.program.vars[var].kind;
        let known = kind.frame().is_none_or(|frame| frame == proc);
        known
            && match (place, when, kind) {
                (Place::Requires, When::Now, kind) => {
                    kind.frame().is_none() || matches!(kind, VarKind::Param(_))
                }
                (Place::Requires, When::Entry, _) => false,
                (Place::Ensures, When::Now, kind) => {
                    kind.frame().is_none() || matches!(kind, VarKind::Result(_))
                }
                (Place::Invariant, When::Now, _) => true,
                (Place::Ensures | Place::Invariant, When::Entry, kind) => {
                    kind.frame().is_none() || matches!(kind, VarKind::Param(_))
                }
            }
    }

    fn invisible(&self, var: VarId, place: &'static str, proc: ProcId) -> Flaw {
        let name = self.program.vars[var].name.clone();
        Flaw::Invisible { name, place, proc: self.program.procs[proc].name.clone() }
    }

    fn invisible_entry(&self, var: VarId, place: &'static str, proc: ProcId) -> Flaw {
        let name = format!("\\old({})", self.program.vars[var].name);
        Flaw::Invisible { name, place, proc: self.program.procs[proc].name.clone() }
    }
}

/// The variable's number makes the name the meaning's own.
fn symbol(
    program: &Program,
    terms: &mut Terms,
    meanings: &mut FxHashMap<Symbol, Meaning>,
    meaning: Meaning,
    sort: Sort,
) -> Term {
    let suffix = match meaning.when {
        When::Now => "",
        When::Entry => "@entry",
    };
    let name = &program.vars[meaning.var].name;
    let term = terms.symbol(&format!("{name}#{}{suffix}", meaning.var.index()), sort);
    meanings.insert(terms.as_symbol(term).expect("just made"), meaning);
    term
}

impl Place {
    fn name(self) -> &'static str {
        match self {
            Place::Requires => "`requires`",
            Place::Ensures => "`ensures`",
            Place::Invariant => "an invariant",
        }
    }
}
