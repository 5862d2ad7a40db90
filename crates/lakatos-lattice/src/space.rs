//! The contracts of one function, ordered by refinement (section 2.2).
//!
//! The precondition speaks of parameters and globals when the function is called, the
//! postcondition of the same values and of globals and the result when it returns. A value at the
//! entry has one symbol in both, so what the paper assumes of parameters (that they are read-only)
//! holds here of everything.
//!
//! Bottom, `(true, false)`, is the finest contract: only a function that never returns satisfies
//! it. Top, `(false, true)`, is the coarsest: every function does.

use std::collections::BTreeMap;

use lakatos_ir::IntType;
use lakatos_logic::number::{Int, power_of_two};
use lakatos_logic::smt::{Answer, Reason, Smt};
use lakatos_logic::term::{ArenaId, Assignment, Sort, Symbol, Term, Terms, Value};

/// When a variable has the value that is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum When {
    /// When the function is called.
    Entry,
    /// When it has returned.
    Exit,
}

/// A value that contracts speak of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// As a person knows it: `x`, `g`, `\result`.
    pub name: String,
    pub ty: IntType,
    pub when: When,
}

/// A contract of a [`Space`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contract {
    space: ArenaId,
    requires: Term,
    ensures: Term,
}

impl Contract {
    pub fn requires(&self) -> Term {
        self.requires
    }

    pub fn ensures(&self) -> Term {
        self.ensures
    }
}

/// Why two formulas are no contract.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoContract {
    #[error("a formula is not a truth value")]
    NotBoolean,
    #[error("the symbol `{0}` is none of the function's values")]
    Foreign(String),
    #[error("a precondition cannot speak of `{0}` when the function has returned")]
    TooLate(String),
}

/// Whether a statement about contracts holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    Yes,
    No(Counterexample),
    Unknown(Reason),
}

/// Values that show why a contract does not refine another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    pub fails: Fails,
    /// By name, in the order of the space's variables.
    pub values: Vec<(String, String)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fails {
    /// The coarser contract allows a call that the finer one does not.
    Requires,
    /// The finer contract allows a result that the coarser one does not.
    Ensures,
}

/// All contracts of one function.
#[derive(Debug)]
pub struct Space {
    terms: Terms,
    variables: Vec<Variable>,
    symbols: BTreeMap<Symbol, usize>,
    /// Values are values of their types.
    facts: Vec<Term>,
}

impl Space {
    pub fn new(variables: Vec<Variable>) -> Space {
        let mut terms = Terms::new();
        let (mut symbols, mut facts) = (BTreeMap::new(), Vec::new());
        for (index, variable) in variables.iter().enumerate() {
            let term = terms.symbol(&format!("v{index}"), sort(variable.ty));
            symbols.insert(terms.as_symbol(term).expect("just made"), index);
            if variable.ty != IntType::BOOL {
                facts.push(range(&mut terms, term, variable.ty));
            }
        }
        Space { terms, variables, symbols, facts }
    }

    pub fn terms(&mut self) -> &mut Terms {
        &mut self.terms
    }

    pub(crate) fn arena(&self) -> &Terms {
        &self.terms
    }

    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// The symbol of a variable, by its number.
    pub fn symbol(&mut self, index: usize) -> Term {
        self.terms.symbol(&format!("v{index}"), sort(self.variables[index].ty))
    }

    /// The variable that a symbol stands for.
    pub fn variable(&self, symbol: Symbol) -> Option<&Variable> {
        self.symbols.get(&symbol).map(|index| &self.variables[*index])
    }

    pub fn contract(&self, requires: Term, ensures: Term) -> Result<Contract, NoContract> {
        for (formula, is_requires) in [(requires, true), (ensures, false)] {
            if self.terms.sort(formula) != Sort::Bool {
                return Err(NoContract::NotBoolean);
            }
            for symbol in self.terms.free_symbols(formula) {
                match self.variable(symbol) {
                    None => {
                        let name = self.terms.symbol_name(symbol).to_owned();
                        return Err(NoContract::Foreign(name));
                    }
                    Some(variable) if is_requires && variable.when == When::Exit => {
                        return Err(NoContract::TooLate(variable.name.clone()));
                    }
                    Some(_) => {}
                }
            }
        }
        Ok(self.made(requires, ensures))
    }

    fn made(&self, requires: Term, ensures: Term) -> Contract {
        Contract { space: self.terms.id(), requires, ensures }
    }

    /// The finest contract.
    pub fn bottom(&self) -> Contract {
        self.made(Term::TRUE, Term::FALSE)
    }

    /// The coarsest contract.
    pub fn top(&self) -> Contract {
        self.made(Term::FALSE, Term::TRUE)
    }

    /// The coarsest contract that refines both: what an implementation satisfies if and only if it
    /// satisfies both.
    pub fn meet(&mut self, a: &Contract, b: &Contract) -> Contract {
        self.own(a, b);
        let requires = self.terms.or([a.requires, b.requires]);
        let (first, second) =
            (self.terms.implies(a.requires, a.ensures), self.terms.implies(b.requires, b.ensures));
        let ensures = self.terms.and([first, second]);
        self.made(requires, ensures)
    }

    /// The finest contract that both refine: what clients may rely on if either implementation may
    /// be there.
    pub fn join(&mut self, a: &Contract, b: &Contract) -> Contract {
        self.own(a, b);
        let requires = self.terms.and([a.requires, b.requires]);
        let ensures = self.terms.or([a.ensures, b.ensures]);
        self.made(requires, ensures)
    }

    /// The meet of any number of contracts; of none it is top.
    pub fn meet_all<'c>(&mut self, contracts: impl IntoIterator<Item = &'c Contract>) -> Contract {
        let mut contracts = contracts.into_iter();
        match contracts.next() {
            None => self.top(),
            Some(first) => contracts.fold(*first, |meet, next| self.meet(&meet, next)),
        }
    }

    /// Whether `fine ⊑ coarse`.
    pub fn refines(&mut self, smt: &mut Smt, fine: &Contract, coarse: &Contract) -> Judgement {
        self.own(fine, coarse);
        let callable = self.implied(smt, &[coarse.requires], fine.requires, Fails::Requires);
        let ensured = |space: &mut Space, smt: &mut Smt| -> Judgement {
            let premises = [coarse.requires, fine.ensures];
            space.implied(smt, &premises, coarse.ensures, Fails::Ensures)
        };
        match callable {
            Judgement::Yes => ensured(self, smt),
            no @ Judgement::No(_) => no,
            // A counterexample to the other half is one to the whole.
            unknown @ Judgement::Unknown(_) => match ensured(self, smt) {
                no @ Judgement::No(_) => no,
                _ => unknown,
            },
        }
    }

    /// Whether each refines the other.
    pub fn equivalent(&mut self, smt: &mut Smt, a: &Contract, b: &Contract) -> Judgement {
        match self.refines(smt, a, b) {
            Judgement::Yes => self.refines(smt, b, a),
            no @ Judgement::No(_) => no,
            unknown @ Judgement::Unknown(_) => match self.refines(smt, b, a) {
                no @ Judgement::No(_) => no,
                _ => unknown,
            },
        }
    }

    /// Whether the premises imply the conclusion, for all values of the types.
    pub(crate) fn implied(
        &mut self,
        smt: &mut Smt,
        premises: &[Term],
        conclusion: Term,
        fails: Fails,
    ) -> Judgement {
        let mut query = self.facts.clone();
        query.extend(premises);
        query.push(self.terms.not(conclusion));
        match smt.model(&self.terms, &query) {
            (Answer::Unsat, _) => Judgement::Yes,
            (Answer::Unknown(reason), _) => Judgement::Unknown(reason),
            (Answer::Sat, model) => {
                let values = model.map(|model| self.shown(&model, fails)).unwrap_or_default();
                Judgement::No(Counterexample { fails, values })
            }
        }
    }

    /// Whether no values fulfil all formulas.
    pub(crate) fn excluded(&mut self, smt: &mut Smt, formulas: &[Term]) -> bool {
        self.implied(smt, formulas, Term::FALSE, Fails::Requires) == Judgement::Yes
    }

    /// Values that fulfil all formulas, if the solver finds some.
    pub(crate) fn example(
        &mut self,
        smt: &mut Smt,
        formulas: &[Term],
    ) -> Option<Vec<(String, String)>> {
        match self.implied(smt, formulas, Term::FALSE, Fails::Requires) {
            Judgement::No(found) => Some(found.values),
            _ => None,
        }
    }

    /// Where a call is not allowed, nothing has returned.
    fn shown(&self, model: &Assignment, fails: Fails) -> Vec<(String, String)> {
        let mut values = Vec::new();
        for (symbol, index) in &self.symbols {
            if fails == Fails::Requires && self.variables[*index].when == When::Exit {
                continue;
            }
            let value = match model.symbols.get(symbol) {
                Some(Value::Bool(value)) => u8::from(*value).to_string(),
                Some(Value::Int(value)) => value.to_string(),
                _ => continue,
            };
            let variable = &self.variables[*index];
            let changes = self.variables.iter().any(|v| v.name == variable.name && v != variable);
            values.push(match variable.when {
                When::Entry if changes => (format!("\\old({})", variable.name), value),
                _ => (variable.name.clone(), value),
            });
        }
        values
    }

    fn own(&self, a: &Contract, b: &Contract) {
        debug_assert!(
            a.space == self.terms.id() && b.space == self.terms.id(),
            "contracts of one function"
        );
    }
}

fn sort(ty: IntType) -> Sort {
    if ty == IntType::BOOL { Sort::Bool } else { Sort::Int }
}

fn range(terms: &mut Terms, term: Term, ty: IntType) -> Term {
    let bits = u32::from(ty.bits);
    let (low, high) = match ty.signed {
        true => (-power_of_two(bits - 1), power_of_two(bits - 1) - Int::ONE),
        false => (Int::ZERO, power_of_two(bits) - Int::ONE),
    };
    let (low, high) = (terms.int(low), terms.int(high));
    let (above, below) = (terms.le(low, term), terms.le(term, high));
    terms.and([above, below])
}
