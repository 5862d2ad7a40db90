//! Certificates that linear atoms contradict each other, in exact integers.
//!
//! Equations are eliminated first (a path's assignments are equations with a unit coefficient, so
//! little is left), then a linear program finds the multipliers of the inequalities. Where the
//! rationals have a solution, equations may still have none modulo a number.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::number::{Int, Rational, gcd, is_negative, lcm};
use crate::smt::{Answer, Smt};
use crate::term::{Assignment, Relation, Sort, Sum, Term, Terms, Value};

/// A linear atom: `sum` is at most zero, or zero.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Atom {
    pub sum: Sum,
    pub relation: Relation,
}

/// Multipliers of the atoms, in their order: not negative for inequalities.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Certificate {
    /// The combination is a positive constant, so `positive <= 0`.
    Farkas(Vec<Int>),
    /// The combination (of equations) has coefficients that the modulus divides, and a constant
    /// that it does not divide.
    Divisibility { multipliers: Vec<Int>, modulus: Int },
}

/// A combination of atoms.
#[derive(Clone, Debug)]
struct Row {
    sum: Sum,
    relation: Relation,
    multipliers: BTreeMap<usize, Int>,
}

impl Row {
    /// `self · own + other · others`, divided by what everything shares. `own` is positive where
    /// the row is an inequality.
    fn combine(&mut self, own: &Int, other: &Row, others: &Int) {
        let sum = std::mem::replace(&mut self.sum, Sum::constant(Int::ZERO));
        self.sum = sum.scale(own).add_scaled(&other.sum, others);
        for multiplier in self.multipliers.values_mut() {
            *multiplier *= own;
        }
        for (atom, multiplier) in &other.multipliers {
            *self.multipliers.entry(*atom).or_insert(Int::ZERO) += multiplier * others;
        }
        self.multipliers.retain(|_, m| !m.is_zero());
        self.reduce();
    }

    fn reduce(&mut self) {
        let shared = self
            .multipliers
            .values()
            .chain(self.sum.monomials.iter().map(|(_, c)| c))
            .fold(self.sum.constant.clone(), |g, n| gcd(&g, n));
        if shared > Int::ONE {
            self.multipliers.values_mut().for_each(|m| *m /= &shared);
            self.sum.monomials.iter_mut().for_each(|(_, c)| *c /= &shared);
            self.sum.constant /= &shared;
        }
    }

    fn coefficient(&self, of: Term) -> Option<&Int> {
        let at = self.sum.monomials.binary_search_by_key(&of, |(t, _)| *t).ok()?;
        Some(&self.sum.monomials[at].1)
    }

    /// Whether the row alone is a contradiction in the rationals.
    fn is_contradiction(&self) -> bool {
        self.sum.monomials.is_empty()
            && match self.relation {
                Relation::NonPositive => self.sum.constant > Int::ZERO,
                Relation::Zero => !self.sum.constant.is_zero(),
            }
    }

    fn dense_multipliers(&self, count: usize) -> Vec<Int> {
        let mut dense = vec![Int::ZERO; count];
        for (atom, multiplier) in &self.multipliers {
            dense[*atom] = multiplier.clone();
        }
        dense
    }

    fn farkas(&self, count: usize) -> Certificate {
        let mut multipliers = self.dense_multipliers(count);
        if is_negative(&self.sum.constant) {
            multipliers.iter_mut().for_each(|m| *m *= Int::NEG_ONE);
        }
        Certificate::Farkas(multipliers)
    }
}

/// `None`: there is none (the atoms may still have no common integer solution), or the solver
/// gave up.
pub(super) fn find(terms: &mut Terms, smt: &mut Smt, atoms: &[Atom]) -> Option<Certificate> {
    let mut system = System::new(atoms);
    system.eliminate(true);
    let divisibility = system.divisibility();
    system.eliminate(false);
    if let Some(row) = system.rows.iter().find(|r| r.is_contradiction()) {
        return Some(row.farkas(atoms.len()));
    }
    system.linear_program(terms, smt).or(divisibility)
}

struct System {
    rows: Vec<Row>,
    /// Rows that define an eliminated term: they no longer take part.
    used: Vec<bool>,
    atoms: usize,
}

impl System {
    fn new(atoms: &[Atom]) -> System {
        let rows: Vec<Row> = atoms
            .iter()
            .enumerate()
            .map(|(at, atom)| Row {
                sum: atom.sum.clone(),
                relation: atom.relation,
                multipliers: BTreeMap::from([(at, Int::ONE)]),
            })
            .collect();
        System { used: vec![false; rows.len()], atoms: rows.len(), rows }
    }

    /// Removes one term for each equation from all other rows; only by unit coefficients, which
    /// keep integers integers, or by any.
    fn eliminate(&mut self, units_only: bool) {
        let mut occurrences: FxHashMap<Term, Vec<usize>> = FxHashMap::default();
        for (at, row) in self.rows.iter().enumerate() {
            for (term, _) in &row.sum.monomials {
                occurrences.entry(*term).or_default().push(at);
            }
        }
        for pivot_row in 0..self.rows.len() {
            if self.used[pivot_row] || self.rows[pivot_row].relation != Relation::Zero {
                continue;
            }
            let Some(pivot) = self.pivot(pivot_row, units_only, &occurrences) else { continue };
            self.used[pivot_row] = true;
            let definition = self.rows[pivot_row].clone();
            let mut others = occurrences.remove(&pivot).unwrap_or_default();
            others.sort_unstable();
            others.dedup();
            for other in others {
                if other != pivot_row && !self.used[other] {
                    self.remove(other, pivot, &definition, &mut occurrences);
                }
            }
        }
    }

    /// The term of a row that occurs in the fewest rows.
    fn pivot(
        &self,
        row: usize,
        units_only: bool,
        occurrences: &FxHashMap<Term, Vec<usize>>,
    ) -> Option<Term> {
        self.rows[row]
            .sum
            .monomials
            .iter()
            .filter(|(_, c)| !units_only || *c == Int::ONE || *c == Int::NEG_ONE)
            .min_by_key(|(t, _)| (occurrences.get(t).map_or(0, Vec::len), *t))
            .map(|(t, _)| *t)
    }

    fn remove(
        &mut self,
        from: usize,
        pivot: Term,
        definition: &Row,
        occurrences: &mut FxHashMap<Term, Vec<usize>>,
    ) {
        let Some(coefficient) = self.rows[from].coefficient(pivot).cloned() else { return };
        let of_definition = definition.coefficient(pivot).expect("the pivot occurs in its row");
        let (own, others) = match is_negative(of_definition) {
            true => (-of_definition, coefficient),
            false => (of_definition.clone(), -coefficient),
        };
        self.rows[from].combine(&own, definition, &others);
        for (term, _) in &definition.sum.monomials {
            if self.rows[from].coefficient(*term).is_some() {
                occurrences.entry(*term).or_default().push(from);
            }
        }
    }

    /// An equation left over whose coefficients share a divisor that its constant does not have.
    /// Asked before anything but unit coefficients was divided by.
    fn divisibility(&self) -> Option<Certificate> {
        let open = self.rows.iter().zip(&self.used).filter(|(_, used)| !**used);
        open.filter(|(row, _)| row.relation == Relation::Zero).find_map(|(row, _)| {
            let modulus = row.sum.monomials.iter().fold(Int::ZERO, |g, (_, c)| gcd(&g, c));
            let contradicts = modulus > Int::ONE && !(&row.sum.constant % &modulus).is_zero();
            contradicts.then(|| Certificate::Divisibility {
                multipliers: row.dense_multipliers(self.atoms),
                modulus,
            })
        })
    }

    /// Multipliers of the inequalities that are left, as a linear program for the solver.
    fn linear_program(&self, terms: &mut Terms, smt: &mut Smt) -> Option<Certificate> {
        let rows: Vec<&Row> =
            self.rows.iter().filter(|row| row.relation == Relation::NonPositive).collect();
        let unknowns: Vec<Term> =
            (0..rows.len()).map(|at| terms.symbol(&format!("lambda{at}"), Sort::Real)).collect();
        let mut columns: BTreeMap<Term, Vec<(Term, Int)>> = BTreeMap::new();
        let mut constants = Vec::new();
        for (row, unknown) in rows.iter().zip(&unknowns) {
            for (term, coefficient) in &row.sum.monomials {
                columns.entry(*term).or_default().push((*unknown, coefficient.clone()));
            }
            constants.push((*unknown, row.sum.constant.clone()));
        }
        let mut program: Vec<Term> =
            columns.into_values().map(|column| equation(terms, column, Int::ZERO)).collect();
        program.push(equation(terms, constants, Int::NEG_ONE));
        let zero = terms.real(Rational::ZERO);
        program.extend(unknowns.iter().map(|u| terms.ge(*u, zero)));
        let (Answer::Sat, Some(solution)) = smt.model(terms, &program) else { return None };
        Some(self.combine(terms, &rows, &unknowns, &solution))
    }

    fn combine(
        &self,
        terms: &Terms,
        rows: &[&Row],
        unknowns: &[Term],
        solution: &Assignment,
    ) -> Certificate {
        let weights: Vec<Rational> = unknowns
            .iter()
            .map(|u| {
                let symbol = terms.as_symbol(*u).expect("unknowns are symbols");
                match solution.symbols.get(&symbol) {
                    Some(Value::Real(weight)) => weight.clone(),
                    _ => Rational::ZERO,
                }
            })
            .collect();
        let common = weights
            .iter()
            .fold(Int::ONE, |common, w| lcm(&common, &Int::from(w.denominator().clone())));
        let mut multipliers = vec![Int::ZERO; self.atoms];
        for (row, weight) in rows.iter().zip(&weights) {
            let factor = &common / Int::from(weight.denominator().clone()) * weight.numerator();
            for (atom, multiplier) in &row.multipliers {
                multipliers[*atom] += multiplier * &factor;
            }
        }
        let shared = multipliers.iter().fold(Int::ZERO, |g, m| gcd(&g, m));
        if shared > Int::ONE {
            multipliers.iter_mut().for_each(|m| *m /= &shared);
        }
        Certificate::Farkas(multipliers)
    }
}

/// `Σ coefficient · unknown + constant = 0`.
fn equation(terms: &mut Terms, mut column: Vec<(Term, Int)>, constant: Int) -> Term {
    column.retain(|(_, c)| !c.is_zero());
    column.sort_unstable_by_key(|(t, _)| *t);
    let sum = Sum { monomials: column, constant, denominator: Int::ONE };
    terms.compare(Relation::Zero, sum, Sort::Real)
}
