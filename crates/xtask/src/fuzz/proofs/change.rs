//! Changes to a proof that a checker should notice where they make it false.

use std::collections::{BTreeMap, BTreeSet};

use lakatos_evidence::{Assumption, Draft, Form, Meaning, Proof, Slot, When};
use lakatos_ir::modset::Footprint;
use lakatos_ir::{ProcId, Program, VarId};
use lakatos_logic::number::Int;
use lakatos_logic::term::{Node, Sort, Symbol, Term, Terms};

use crate::generate::Rng;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Change {
    // One formula.
    Weaken,
    Strengthen,
    Negate,
    Delete,
    Falsify,
    NegatePart,
    DropConjunct,
    DropDisjunct,
    AddConjunct,
    OrForAnd,
    ReverseInequality,
    ShiftUp,
    ShiftDown,
    ShiftFar,
    // Its variables.
    SwapVariables,
    OtherVariable,
    EntryForNow,
    NowForEntry,
    // Its place.
    CopyPlace,
    SwapPlaces,
    CopyFunction,
    SwapFunctions,
    // What is said besides.
    NarrowAssigns,
    DropAssumption,
}

impl Change {
    pub const ALL: [Change; 24] = [
        Change::Weaken,
        Change::Strengthen,
        Change::Negate,
        Change::Delete,
        Change::Falsify,
        Change::NegatePart,
        Change::DropConjunct,
        Change::DropDisjunct,
        Change::AddConjunct,
        Change::OrForAnd,
        Change::ReverseInequality,
        Change::ShiftUp,
        Change::ShiftDown,
        Change::ShiftFar,
        Change::SwapVariables,
        Change::OtherVariable,
        Change::EntryForNow,
        Change::NowForEntry,
        Change::CopyPlace,
        Change::SwapPlaces,
        Change::CopyFunction,
        Change::SwapFunctions,
        Change::NarrowAssigns,
        Change::DropAssumption,
    ];

    /// The changed proof; `None`: the change does not apply here, or means nothing.
    pub fn apply(self, rng: &mut Rng, program: &Program, proof: &Proof, at: Slot) -> Option<Proof> {
        let renamed = self.renaming(rng, program, proof, at)?;
        let mut sketch = Sketch::of(program, proof, at, &renamed)?;
        sketch.change(self, rng, proof, at)?;
        sketch.finish(proof)
    }

    /// What variables are taken for others in the formula.
    fn renaming(
        self,
        rng: &mut Rng,
        program: &Program,
        proof: &Proof,
        at: Slot,
    ) -> Option<BTreeMap<Meaning, Meaning>> {
        let (_, formula) = proof.formulas().find(|(slot, _)| *slot == at)?;
        let symbols: Vec<Symbol> = proof.terms().free_symbols(formula).into_iter().collect();
        let meanings: Vec<Meaning> = symbols.iter().map(|s| proof.meaning(*s)).collect();
        let of = |when: When| meanings.iter().filter(|m| m.when == when).collect::<Vec<_>>();
        let pick =
            |rng: &mut Rng, from: Vec<&Meaning>| (!from.is_empty()).then(|| **rng.pick(&from));
        let renamed = match self {
            Change::SwapVariables => {
                let one = pick(rng, meanings.iter().collect())?;
                let same =
                    |m: &&Meaning| **m != one && program.vars[m.var].ty == program.vars[one.var].ty;
                let other = pick(rng, meanings.iter().filter(same).collect())?;
                vec![(one, other), (other, one)]
            }
            Change::OtherVariable => {
                let one = pick(rng, meanings.iter().collect())?;
                let (info, all) = (&program.vars[one.var], program.vars.iter());
                let others: Vec<VarId> = all
                    .filter(|(var, other)| {
                        *var != one.var
                            && other.ty == info.ty
                            && other.kind.frame() == info.kind.frame()
                            && !other.address_taken
                    })
                    .map(|(var, _)| var)
                    .collect();
                let var = (!others.is_empty()).then(|| *rng.pick(&others))?;
                vec![(one, Meaning { var, when: one.when })]
            }
            Change::EntryForNow => {
                let one = pick(rng, of(When::Now))?;
                vec![(one, Meaning::entry(one.var))]
            }
            Change::NowForEntry => {
                let one = pick(rng, of(When::Entry))?;
                vec![(one, Meaning::now(one.var))]
            }
            Change::Weaken
            | Change::Strengthen
            | Change::Negate
            | Change::Delete
            | Change::Falsify
            | Change::NegatePart
            | Change::DropConjunct
            | Change::DropDisjunct
            | Change::AddConjunct
            | Change::OrForAnd
            | Change::ReverseInequality
            | Change::ShiftUp
            | Change::ShiftDown
            | Change::ShiftFar
            | Change::CopyPlace
            | Change::SwapPlaces
            | Change::CopyFunction
            | Change::SwapFunctions
            | Change::NarrowAssigns
            | Change::DropAssumption => Vec::new(),
        };
        Some(renamed.into_iter().collect())
    }

    /// The changed formula; `None`: there is nothing to change.
    fn formula(self, rng: &mut Rng, terms: &mut Terms, formula: Term) -> Option<Term> {
        match self {
            Change::Negate => Some(terms.not(formula)),
            Change::Delete => Some(Term::TRUE),
            Change::Falsify => Some(Term::FALSE),
            Change::DropConjunct | Change::OrForAnd => {
                let Node::And(parts) = terms.node(formula) else { return None };
                let mut parts = parts.to_vec();
                if self == Change::OrForAnd {
                    return Some(terms.or(parts));
                }
                parts.remove(rng.below(parts.len()));
                Some(terms.and(parts))
            }
            Change::AddConjunct => {
                let numbers: Vec<Symbol> = terms
                    .free_symbols(formula)
                    .into_iter()
                    .filter(|s| terms.symbol_sort(*s) == Sort::Int)
                    .collect();
                let symbol = (!numbers.is_empty()).then(|| *rng.pick(&numbers))?;
                let (symbol, bound) = (terms.symbol_term(symbol), rng.range(-2, 4));
                let bound = terms.int(Int::from(i128::from(bound)));
                let added = match rng.percent(50) {
                    true => terms.le(symbol, bound),
                    false => terms.ge(symbol, bound),
                };
                Some(terms.and([formula, added]))
            }
            Change::Weaken
            | Change::Strengthen
            | Change::NegatePart
            | Change::DropDisjunct
            | Change::ReverseInequality
            | Change::ShiftUp
            | Change::ShiftDown
            | Change::ShiftFar => {
                let changed = self.somewhere(rng, terms, formula);
                (changed != formula).then_some(changed)
            }
            Change::SwapVariables
            | Change::OtherVariable
            | Change::EntryForNow
            | Change::NowForEntry
            | Change::CopyPlace
            | Change::SwapPlaces
            | Change::CopyFunction
            | Change::SwapFunctions
            | Change::NarrowAssigns
            | Change::DropAssumption => None,
        }
    }

    /// In one of the parts, down to an atom.
    fn somewhere(self, rng: &mut Rng, terms: &mut Terms, formula: Term) -> Term {
        let (mut parts, is_and) = match terms.node(formula) {
            Node::And(parts) => (parts.to_vec(), true),
            Node::Or(parts) => (parts.to_vec(), false),
            _ => return self.atom(rng, terms, formula),
        };
        let at = rng.below(parts.len());
        match self {
            // Without a part it is weaker, or stronger.
            Change::Weaken if is_and && rng.percent(40) => drop(parts.remove(at)),
            Change::Strengthen if !is_and && rng.percent(40) => drop(parts.remove(at)),
            Change::DropDisjunct if !is_and => drop(parts.remove(at)),
            _ => parts[at] = self.somewhere(rng, terms, parts[at]),
        }
        if is_and { terms.and(parts) } else { terms.or(parts) }
    }

    fn atom(self, rng: &mut Rng, terms: &mut Terms, atom: Term) -> Term {
        if self == Change::DropDisjunct {
            return atom;
        }
        let by = terms.int(Int::from(1 + rng.below(3) as i128));
        let zero = terms.int(Int::ZERO);
        let (of, is_equation) = match *terms.node(atom) {
            Node::NonPositive(of) if terms.sort(of) == Sort::Int => (of, false),
            Node::Zero(of) if terms.sort(of) == Sort::Int => (of, true),
            _ if self == Change::Weaken => return Term::TRUE,
            _ if self == Change::Strengthen => return Term::FALSE,
            _ => return terms.not(atom),
        };
        let shifted = |terms: &mut Terms, by: i128| {
            let by = terms.int(Int::from(by));
            let of = terms.add(of, by);
            if is_equation { terms.eq(of, zero) } else { terms.le(of, zero) }
        };
        match self {
            Change::ShiftUp => shifted(terms, 1),
            Change::ShiftDown => shifted(terms, -1),
            Change::ShiftFar => shifted(terms, if rng.percent(50) { 100 } else { -100 }),
            Change::Weaken if !is_equation => terms.le(of, by),
            Change::Weaken if rng.percent(50) => terms.le(of, zero),
            Change::Weaken | Change::ReverseInequality => terms.ge(of, zero),
            Change::Strengthen if !is_equation => {
                let of = terms.add(of, by);
                terms.le(of, zero)
            }
            // Not stronger: another one.
            Change::Strengthen => terms.eq(of, by),
            _ => terms.not(atom),
        }
    }
}

/// A proof in parts.
struct Sketch<'p> {
    program: &'p Program,
    draft: Draft<'p>,
    formulas: Vec<(Slot, Term)>,
    assigns: BTreeMap<ProcId, Footprint>,
    assumptions: BTreeSet<Assumption>,
}

impl<'p> Sketch<'p> {
    /// A proof with other variables in one formula.
    fn of(
        program: &'p Program,
        proof: &Proof,
        at: Slot,
        renamed: &BTreeMap<Meaning, Meaning>,
    ) -> Option<Sketch<'p>> {
        let mut draft = Draft::new(program, proof.property());
        if proof.in_bits() {
            draft.in_bits();
        }
        let mut formulas = Vec::new();
        for (slot, formula) in proof.formulas() {
            let meaning = |symbol| {
                let meaning = proof.meaning(symbol);
                Some(renamed.get(&meaning).filter(|_| slot == at).copied().unwrap_or(meaning))
            };
            formulas.push((slot, draft.import(proof.terms(), formula, meaning).ok()?));
        }
        let contracts = proof.contracts();
        Some(Sketch {
            program,
            draft,
            formulas,
            assigns: contracts.map(|(proc, contract)| (proc, contract.assigns.clone())).collect(),
            assumptions: proof.assumptions().clone(),
        })
    }

    fn change(&mut self, change: Change, rng: &mut Rng, proof: &Proof, at: Slot) -> Option<()> {
        let place = self.formulas.iter().position(|(slot, _)| *slot == at)?;
        match change {
            Change::SwapVariables
            | Change::OtherVariable
            | Change::EntryForNow
            | Change::NowForEntry => {}
            Change::CopyPlace | Change::SwapPlaces => {
                let other = self.other_place(rng, at)?;
                match change {
                    Change::CopyPlace => self.formulas[other].1 = self.formulas[place].1,
                    _ => {
                        let here = self.formulas[place].1;
                        self.formulas[place].1 =
                            std::mem::replace(&mut self.formulas[other].1, here);
                    }
                }
            }
            Change::CopyFunction => self.copy_function(rng, proof, at, false)?,
            Change::SwapFunctions => self.copy_function(rng, proof, at, true)?,
            Change::NarrowAssigns => {
                let assigns = self.assigns.get_mut(&proc_of(at))?;
                let vars: Vec<VarId> = assigns.vars.iter().copied().collect();
                let var = (!vars.is_empty()).then(|| *rng.pick(&vars))?;
                assigns.vars.remove(&var);
            }
            Change::DropAssumption => {
                let all: Vec<Assumption> = self.assumptions.iter().cloned().collect();
                let one = (!all.is_empty()).then(|| rng.pick(&all).clone())?;
                self.assumptions.remove(&one);
            }
            _ => {
                let formula = self.formulas[place].1;
                self.formulas[place].1 = change.formula(rng, self.draft.terms(), formula)?;
            }
        }
        Some(())
    }

    /// Another invariant of the same procedure.
    fn other_place(&self, rng: &mut Rng, at: Slot) -> Option<usize> {
        let is_other = |slot: Slot| match (slot, at) {
            (Slot::Invariant(proc, loc), Slot::Invariant(here, from)) => {
                proc == here && loc != from
            }
            _ => false,
        };
        let found = self.formulas.iter().enumerate().filter(|(_, (slot, _))| is_other(*slot));
        let others: Vec<usize> = found.map(|(place, _)| place).collect();
        (!others.is_empty()).then(|| *rng.pick(&others))
    }

    /// What is said of one procedure, said of another one with the same parameters.
    fn copy_function(&mut self, rng: &mut Rng, proof: &Proof, at: Slot, swap: bool) -> Option<()> {
        let from = proc_of(at);
        let types = |proc: ProcId| {
            let proc = &self.program.procs[proc];
            let vars = proc.params.iter().chain(&proc.result);
            vars.map(|var| self.program.vars[*var].ty).collect::<Vec<_>>()
        };
        let others: Vec<ProcId> = self
            .assigns
            .keys()
            .copied()
            .filter(|proc| *proc != from && types(*proc) == types(from))
            .collect();
        let to = (!others.is_empty()).then(|| *rng.pick(&others))?;
        let same_slot = |proc| match at {
            Slot::Requires(_) => Some(Slot::Requires(proc)),
            Slot::Ensures(_) => Some(Slot::Ensures(proc)),
            Slot::Invariant(..) => None,
        };
        let pairs = if swap { vec![(from, to), (to, from)] } else { vec![(from, to)] };
        for (from, to) in pairs {
            let (source, target) = (same_slot(from)?, same_slot(to)?);
            let (_, formula) = proof.formulas().find(|(slot, _)| *slot == source)?;
            let said = self.said_of(proof, formula, from, to)?;
            self.formulas.iter_mut().find(|(slot, _)| *slot == target)?.1 = said;
        }
        Some(())
    }

    fn said_of(&mut self, proof: &Proof, formula: Term, from: ProcId, to: ProcId) -> Option<Term> {
        let vars = |proc: ProcId| {
            let proc = &self.program.procs[proc];
            proc.params.iter().chain(&proc.result).copied().collect::<Vec<_>>()
        };
        let map: BTreeMap<VarId, VarId> = vars(from).into_iter().zip(vars(to)).collect();
        let meaning = |symbol| {
            let Meaning { var, when } = proof.meaning(symbol);
            Some(Meaning { var: map.get(&var).copied().unwrap_or(var), when })
        };
        self.draft.import(proof.terms(), formula, meaning).ok()
    }

    /// The proof; `None`: a formula speaks of what is not there.
    fn finish(mut self, proof: &Proof) -> Option<Proof> {
        for (slot, formula) in self.formulas {
            self.draft.add(slot, formula).ok()?;
        }
        for (proc, assigns) in self.assigns {
            self.draft.assigns(proc, assigns).ok()?;
        }
        self.draft.assume(self.assumptions);
        Some(formed(self.draft.finish(), proof.form()))
    }
}

/// A proof of the program in a form.
pub fn formed(proof: Proof, form: &Form) -> Proof {
    match form {
        Form::Program => proof,
        Form::Unrolled(turns) => proof.of_unrolled(*turns),
        Form::Inductive(induction) => proof.of_inductive(induction.clone()),
        Form::Arrays => proof.of_arrays(),
        Form::Runs(runs) => proof.of_runs(*runs),
    }
}

fn proc_of(slot: Slot) -> ProcId {
    match slot {
        Slot::Requires(proc) | Slot::Ensures(proc) | Slot::Invariant(proc, _) => proc,
    }
}
