//! Proofs: a contract per procedure and an invariant per cut point (DESIGN.md section 7). Every
//! engine returns this shape, whatever it believes in while it works.
//!
//! A proof owns its formulas ([`Proof::terms`]): it outlives the engine, and a checker shares no
//! arena with the solver calls that found it. What their symbols mean is in the vocabulary
//! ([`Meaning`]); which meanings a formula may use depends on where it stands ([`Place`]).
//!
//! [`Draft`] makes proofs. It refuses formulas that mean nothing, and completes what is missing
//! with `true`; whether the proof proves anything is the checker's question, not its.

mod cut;
mod draft;

use std::collections::{BTreeMap, BTreeSet};

use lakatos_ir::modset::Footprint;
use lakatos_ir::pass::Induction;
use lakatos_ir::{LocId, ProcId, Program, Property, VarId};
use lakatos_logic::term::{Symbol, Term, Terms};
use rustc_hash::FxHashMap;

pub use self::draft::{Draft, Flaw};
use crate::Assumption;

/// What a symbol of a formula stands for: a variable's value at some time.
///
/// A procedure's result is the value of its
/// [`result`](lakatos_ir::Procedure::result) variable when it has returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Meaning {
    pub var: VarId,
    pub when: When,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum When {
    /// Where the formula stands.
    Now,
    /// When the procedure was entered: `\old` in ACSL.
    Entry,
}

impl Meaning {
    pub fn now(var: VarId) -> Meaning {
        Meaning { var, when: When::Now }
    }

    pub fn entry(var: VarId) -> Meaning {
        Meaning { var, when: When::Entry }
    }
}

/// Which form of the program a proof speaks of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// The program itself, memory by cells.
    #[default]
    Program,
    /// The program with each loop written out so many times.
    Unrolled(u32),
    /// The program without loops that stands for induction over their turns.
    Inductive(Induction),
    /// The program with calls written out, and arrays as values.
    Arrays,
    /// All runs of the program.
    Runs(Runs),
}

/// How much it takes to make all runs of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Runs {
    pub runs: u64,
    /// Of all runs together.
    pub steps: u64,
}

/// Where a formula stands. Static variables may be spoken of everywhere; otherwise:
///
/// - a precondition speaks of parameters, all values are those at the entry;
/// - a postcondition speaks of parameters as they were at the entry, and of the result;
/// - an invariant speaks of all variables of its procedure, and of parameters at the entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Requires,
    Ensures,
    Invariant,
}

/// A formula's place in a proof.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Slot {
    Requires(ProcId),
    Ensures(ProcId),
    Invariant(ProcId, LocId),
}

/// What a procedure promises (`ensures`, `assigns`) to those who call it as it demands
/// (`requires`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contract {
    pub requires: Term,
    pub ensures: Term,
    /// The static variables, and the memory behind pointers, that a call may change.
    pub assigns: Footprint,
    /// The same by cases, if somebody knows cases.
    pub cases: Option<Cases>,
}

/// How a contract distinguishes the ways in which a procedure is called. The contract says neither
/// more nor less: it requires that one of the behaviours applies, and ensures what those say that
/// do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cases {
    /// What is required besides.
    pub requires: Term,
    /// What is ensured besides.
    pub ensures: Term,
    pub behaviours: Vec<Behaviour>,
}

/// One of the ways in which a procedure is called, and what it does then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Behaviour {
    /// It speaks of what a precondition speaks of.
    pub assumes: Term,
    pub ensures: Term,
}

/// A claim that a program has a property, with what is needed to check it. Without a property it is
/// the claim that its contracts and invariants hold.
#[derive(Debug)]
pub struct Proof {
    property: Option<Property>,
    terms: Terms,
    meanings: FxHashMap<Symbol, Meaning>,
    contracts: BTreeMap<ProcId, Contract>,
    invariants: BTreeMap<(ProcId, LocId), Term>,
    assumptions: BTreeSet<Assumption>,
    form: Form,
    in_bits: bool,
}

impl Proof {
    /// It is about the program with at most so many turns of each loop, where more are an error
    /// ([`unroll`](lakatos_ir::pass::unroll)): about the program, too, but in no words of it.
    pub fn unrolled(&self) -> Option<u32> {
        match self.form {
            Form::Unrolled(turns) => Some(turns),
            Form::Program | Form::Inductive(_) | Form::Arrays | Form::Runs(_) => None,
        }
    }

    /// It is by induction over the turns of loops, with so many of them as hypotheses
    /// ([`induct`](lakatos_ir::pass::induct)): about the program, too, but in no words of it.
    pub fn inductive(&self) -> Option<u32> {
        match &self.form {
            Form::Inductive(induction) => Some(induction.turns),
            Form::Program | Form::Unrolled(_) | Form::Arrays | Form::Runs(_) => None,
        }
    }

    /// All runs of the program have been made, so many: it is about the program, in no formulas.
    pub fn runs(&self) -> Option<Runs> {
        match self.form {
            Form::Runs(runs) => Some(runs),
            Form::Program | Form::Unrolled(_) | Form::Inductive(_) | Form::Arrays => None,
        }
    }

    /// The claim that all runs of the program are these many. Its formulas say nothing.
    pub fn of_runs(self, runs: Runs) -> Proof {
        Proof { form: Form::Runs(runs), ..self }
    }

    /// The same formulas, said of the unrolled program.
    pub fn of_unrolled(self, turns: u32) -> Proof {
        Proof { form: Form::Unrolled(turns), ..self }
    }

    /// The same formulas, said of the program that stands for induction.
    pub fn of_inductive(self, induction: Induction) -> Proof {
        Proof { form: Form::Inductive(induction), ..self }
    }

    /// The same formulas, said of the program with arrays as values.
    pub fn of_arrays(self) -> Proof {
        Proof { form: Form::Arrays, ..self }
    }

    /// Whether it wants to be checked with bit-vectors. It need not speak of any.
    pub fn in_bits(&self) -> bool {
        self.in_bits
    }

    /// Which form of the program it speaks of.
    pub fn form(&self) -> &Form {
        &self.form
    }

    /// `None`: it is about no property, so error locations do not matter.
    pub fn property(&self) -> Option<Property> {
        self.property
    }

    /// The arena of all formulas.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// What a free symbol of a formula stands for.
    pub fn meaning(&self, symbol: Symbol) -> Meaning {
        self.meanings[&symbol]
    }

    /// One for every procedure that has a body.
    pub fn contracts(&self) -> impl Iterator<Item = (ProcId, &Contract)> {
        self.contracts.iter().map(|(proc, contract)| (*proc, contract))
    }

    /// Ordered by procedure and location; every cycle of an automaton passes one of them.
    pub fn invariants(&self) -> impl Iterator<Item = (ProcId, LocId, Term)> {
        self.invariants.iter().map(|(&(proc, loc), &formula)| (proc, loc, formula))
    }

    /// All formulas: contracts first, then invariants.
    pub fn formulas(&self) -> impl Iterator<Item = (Slot, Term)> {
        let contracts = self.contracts().flat_map(|(proc, contract)| {
            [(Slot::Requires(proc), contract.requires), (Slot::Ensures(proc), contract.ensures)]
        });
        contracts.chain(self.invariants().map(|(proc, loc, f)| (Slot::Invariant(proc, loc), f)))
    }

    /// The proof with other formulas, in its own words. The program is the one it is about. Where
    /// there are cases, each of their formulas is changed by itself.
    pub fn redraft(
        &self,
        program: &Program,
        mut change: impl FnMut(&mut Terms, Slot, Term) -> Term,
    ) -> Result<Proof, Flaw> {
        let mut draft = self.without_formulas(program)?;
        self.speak(&mut draft, &mut change)?;
        Ok(draft.finish())
    }

    /// The proof with other contracts, in its own words, each given as cases (perhaps without any
    /// behaviour). What a contract requires besides, and what each behaviour assumes, is given a
    /// second time as it is spoken of when the procedure has returned.
    pub fn recase(
        &self,
        program: &Program,
        mut change: impl FnMut(&mut Terms, Cases, &[Term]) -> Cases,
    ) -> Result<Proof, Flaw> {
        let mut draft = self.without_formulas(program)?;
        for (proc, contract) in self.contracts() {
            let mut import =
                |formula| draft.import(&self.terms, formula, |s| Some(self.meaning(s)));
            let cases = match &contract.cases {
                Some(cases) => cases.clone(),
                None => {
                    let Contract { requires, ensures, .. } = *contract;
                    Cases { requires, ensures, behaviours: Vec::new() }
                }
            };
            let mut behaviours = Vec::new();
            for Behaviour { assumes, ensures } in cases.behaviours {
                behaviours.push(Behaviour { assumes: import(assumes)?, ensures: import(ensures)? });
            }
            let (requires, ensures) = (import(cases.requires)?, import(cases.ensures)?);
            let assumed = behaviours.iter().map(|behaviour| behaviour.assumes);
            let before: Vec<Term> = [requires].into_iter().chain(assumed).collect();
            let before: Vec<Term> = before.into_iter().map(|f| draft.at_entry(f)).collect();
            let cases = change(draft.terms(), Cases { requires, ensures, behaviours }, &before);
            draft.requires(proc, cases.requires)?;
            draft.ensures(proc, cases.ensures)?;
            for Behaviour { assumes, ensures } in cases.behaviours {
                draft.behaviour(proc, assumes, ensures)?;
            }
        }
        for (proc, loc, formula) in self.invariants() {
            let formula = draft.import(&self.terms, formula, |s| Some(self.meaning(s)))?;
            draft.invariant(proc, loc, formula)?;
        }
        Ok(draft.finish())
    }

    /// The same claims as a proof of something else. The program is the one in which violations of
    /// the other property are error locations.
    pub fn about(
        &self,
        program: &Program,
        property: impl Into<Option<Property>>,
        assumptions: BTreeSet<Assumption>,
    ) -> Result<Proof, Flaw> {
        let mut draft = Draft::new(program, property);
        draft.assume(assumptions);
        for (proc, contract) in self.contracts() {
            draft.assigns(proc, contract.assigns.clone())?;
        }
        self.speak(&mut draft, &mut |_, _, formula| formula)?;
        Ok(draft.finish())
    }

    fn speak(
        &self,
        draft: &mut Draft<'_>,
        change: &mut dyn FnMut(&mut Terms, Slot, Term) -> Term,
    ) -> Result<(), Flaw> {
        let mut changed = |draft: &mut Draft<'_>, slot: Slot, formula: Term| {
            let formula = draft.import(&self.terms, formula, |s| Some(self.meaning(s)))?;
            Ok::<Term, Flaw>(change(draft.terms(), slot, formula))
        };
        for (slot, formula) in self.formulas_without_cases() {
            let formula = changed(draft, slot, formula)?;
            draft.add(slot, formula)?;
        }
        for (proc, behaviour) in self.behaviours() {
            let assumes = changed(draft, Slot::Requires(proc), behaviour.assumes)?;
            let ensures = changed(draft, Slot::Ensures(proc), behaviour.ensures)?;
            draft.behaviour(proc, assumes, ensures)?;
        }
        Ok(())
    }

    /// All formulas, without what only cases say.
    fn formulas_without_cases(&self) -> impl Iterator<Item = (Slot, Term)> {
        self.formulas().map(|(slot, formula)| {
            let cases = |proc: ProcId| self.contracts[&proc].cases.as_ref();
            let besides = match slot {
                Slot::Requires(proc) => cases(proc).map(|cases| cases.requires),
                Slot::Ensures(proc) => cases(proc).map(|cases| cases.ensures),
                Slot::Invariant(..) => None,
            };
            (slot, besides.unwrap_or(formula))
        })
    }

    fn behaviours(&self) -> impl Iterator<Item = (ProcId, Behaviour)> {
        self.contracts().flat_map(|(proc, contract)| {
            let cases = contract.cases.iter();
            cases.flat_map(|cases| &cases.behaviours).map(move |behaviour| (proc, *behaviour))
        })
    }

    /// The proof with some of the conjuncts of its formulas, and all of its cases. The program is
    /// the one it is about.
    pub fn retain(
        &self,
        program: &Program,
        mut keep: impl FnMut(Slot, Term) -> bool,
    ) -> Result<Proof, Flaw> {
        let mut draft = self.without_formulas(program)?;
        for (slot, formula) in self.formulas_without_cases() {
            // Where nothing is left an invariant still cuts cycles.
            draft.add(slot, Term::TRUE)?;
            for part in self.terms.conjuncts(formula) {
                if keep(slot, part) {
                    let part = draft.import(&self.terms, part, |s| Some(self.meaning(s)))?;
                    draft.add(slot, part)?;
                }
            }
        }
        for (proc, Behaviour { assumes, ensures }) in self.behaviours() {
            let assumes = draft.import(&self.terms, assumes, |s| Some(self.meaning(s)))?;
            let ensures = draft.import(&self.terms, ensures, |s| Some(self.meaning(s)))?;
            draft.behaviour(proc, assumes, ensures)?;
        }
        Ok(draft.finish())
    }

    fn without_formulas<'p>(&self, program: &'p Program) -> Result<Draft<'p>, Flaw> {
        let mut draft = Draft::new(program, self.property);
        draft.form = self.form.clone();
        draft.in_bits = self.in_bits;
        draft.assume(self.assumptions.iter().cloned());
        for (proc, contract) in self.contracts() {
            draft.assigns(proc, contract.assigns.clone())?;
        }
        Ok(draft)
    }

    pub fn assumptions(&self) -> &BTreeSet<Assumption> {
        &self.assumptions
    }
}
