//! Formulas of linear arithmetic as plain trees, with two translations that know nothing of each
//! other: to terms, for the code under test, and to Z3, for the oracle.

use std::collections::BTreeMap;
use std::ops;

use lakatos_logic::number::Int;
use lakatos_logic::term::{Sort, Term, Terms};
use z3::ast;

#[derive(Clone, PartialEq, Debug)]
pub enum Expr {
    Number(i64),
    Var(String),
    Add(Box<Expr>, Box<Expr>),
    Times(i64, Box<Expr>),
    Div(Box<Expr>, i64),
    Mod(Box<Expr>, i64),
    Ite(Box<Formula>, Box<Expr>, Box<Expr>),
}

#[derive(Clone, PartialEq, Debug)]
pub enum Formula {
    Flag(String),
    Le(Expr, Expr),
    Eq(Expr, Expr),
    Not(Box<Formula>),
    And(Vec<Formula>),
    Or(Vec<Formula>),
    Iff(Box<Formula>, Box<Formula>),
}

/// The variable `name` after `at` steps.
pub fn var(name: &str, at: usize) -> Expr {
    Expr::Var(format!("{name}@{at}"))
}

/// A variable of that very name.
pub fn named(name: &str) -> Expr {
    Expr::Var(name.to_string())
}

pub fn number(value: i64) -> Expr {
    Expr::Number(value)
}

pub fn flag(name: &str, at: usize) -> Formula {
    Formula::Flag(format!("{name}@{at}"))
}

pub fn all<const N: usize>(parts: [Formula; N]) -> Formula {
    Formula::And(parts.into())
}

pub fn any<const N: usize>(parts: [Formula; N]) -> Formula {
    Formula::Or(parts.into())
}

pub fn ite(condition: Formula, then: Expr, otherwise: Expr) -> Expr {
    Expr::Ite(Box::new(condition), Box::new(then), Box::new(otherwise))
}

/// Sums up; nothing is zero.
pub fn total(summands: impl IntoIterator<Item = Expr>) -> Expr {
    summands.into_iter().reduce(|a, b| a + b).unwrap_or(Expr::Number(0))
}

impl From<i64> for Expr {
    fn from(value: i64) -> Expr {
        Expr::Number(value)
    }
}

impl<E: Into<Expr>> ops::Add<E> for Expr {
    type Output = Expr;

    fn add(self, other: E) -> Expr {
        Expr::Add(Box::new(self), Box::new(other.into()))
    }
}

impl<E: Into<Expr>> ops::Sub<E> for Expr {
    type Output = Expr;

    fn sub(self, other: E) -> Expr {
        Expr::Add(Box::new(self), Box::new(Expr::Times(-1, Box::new(other.into()))))
    }
}

impl ops::Mul<i64> for Expr {
    type Output = Expr;

    fn mul(self, factor: i64) -> Expr {
        Expr::Times(factor, Box::new(self))
    }
}

impl ops::Rem<i64> for Expr {
    type Output = Expr;

    fn rem(self, modulus: i64) -> Expr {
        Expr::Mod(Box::new(self), modulus)
    }
}

impl ops::Div<i64> for Expr {
    type Output = Expr;

    fn div(self, divisor: i64) -> Expr {
        Expr::Div(Box::new(self), divisor)
    }
}

impl ops::Not for Formula {
    type Output = Formula;

    fn not(self) -> Formula {
        Formula::Not(Box::new(self))
    }
}

impl Expr {
    pub fn is(self, other: impl Into<Expr>) -> Formula {
        Formula::Eq(self, other.into())
    }

    pub fn differs(self, other: impl Into<Expr>) -> Formula {
        !self.is(other)
    }

    pub fn at_most(self, other: impl Into<Expr>) -> Formula {
        Formula::Le(self, other.into())
    }

    pub fn at_least(self, other: impl Into<Expr>) -> Formula {
        Formula::Le(other.into(), self)
    }

    pub fn less(self, other: impl Into<Expr>) -> Formula {
        !self.at_least(other)
    }

    pub fn more(self, other: impl Into<Expr>) -> Formula {
        !self.at_most(other)
    }

    /// The value under an assignment of all variables.
    pub fn value(&self, of: &BTreeMap<String, i64>) -> i64 {
        match self {
            Expr::Number(value) => *value,
            Expr::Var(name) => of[name],
            Expr::Add(a, b) => a.value(of) + b.value(of),
            Expr::Times(factor, a) => factor * a.value(of),
            Expr::Div(a, by) => a.value(of).div_euclid(*by),
            Expr::Mod(a, by) => a.value(of).rem_euclid(*by),
            Expr::Ite(c, a, b) => match c.holds(of) {
                true => a.value(of),
                false => b.value(of),
            },
        }
    }

    pub fn term(&self, terms: &mut Terms) -> Term {
        match self {
            Expr::Number(value) => terms.int(*value),
            Expr::Var(name) => terms.symbol(name, Sort::Int),
            Expr::Add(a, b) => {
                let (a, b) = (a.term(terms), b.term(terms));
                terms.add(a, b)
            }
            Expr::Times(factor, a) => {
                let a = a.term(terms);
                terms.scale(&Int::from(*factor), a)
            }
            Expr::Div(a, by) => {
                let (a, by) = (a.term(terms), terms.int(*by));
                terms.div(a, by)
            }
            Expr::Mod(a, by) => {
                let (a, by) = (a.term(terms), terms.int(*by));
                terms.modulo(a, by)
            }
            Expr::Ite(c, a, b) => {
                let (c, a, b) = (c.term(terms), a.term(terms), b.term(terms));
                terms.ite(c, a, b)
            }
        }
    }

    pub fn z3(&self) -> ast::Int {
        match self {
            Expr::Number(value) => ast::Int::from_i64(*value),
            Expr::Var(name) => ast::Int::new_const(name.as_str()),
            Expr::Add(a, b) => a.z3() + b.z3(),
            Expr::Times(factor, a) => ast::Int::from_i64(*factor) * a.z3(),
            Expr::Div(a, by) => a.z3().div(ast::Int::from_i64(*by)),
            Expr::Mod(a, by) => a.z3().modulo(ast::Int::from_i64(*by)),
            Expr::Ite(c, a, b) => c.z3().ite(&a.z3(), &b.z3()),
        }
    }
}

impl Formula {
    pub fn truth() -> Formula {
        Formula::And(Vec::new())
    }

    pub fn iff(self, other: Formula) -> Formula {
        Formula::Iff(Box::new(self), Box::new(other))
    }

    pub fn and(self, other: Formula) -> Formula {
        match self {
            Formula::And(mut parts) => {
                parts.push(other);
                Formula::And(parts)
            }
            single => all([single, other]),
        }
    }

    pub fn holds(&self, of: &BTreeMap<String, i64>) -> bool {
        match self {
            Formula::Flag(name) => of[name] != 0,
            Formula::Le(a, b) => a.value(of) <= b.value(of),
            Formula::Eq(a, b) => a.value(of) == b.value(of),
            Formula::Not(a) => !a.holds(of),
            Formula::And(parts) => parts.iter().all(|p| p.holds(of)),
            Formula::Or(parts) => parts.iter().any(|p| p.holds(of)),
            Formula::Iff(a, b) => a.holds(of) == b.holds(of),
        }
    }

    pub fn term(&self, terms: &mut Terms) -> Term {
        match self {
            Formula::Flag(name) => terms.symbol(name, Sort::Bool),
            Formula::Le(a, b) => {
                let (a, b) = (a.term(terms), b.term(terms));
                terms.le(a, b)
            }
            Formula::Eq(a, b) => {
                let (a, b) = (a.term(terms), b.term(terms));
                terms.eq(a, b)
            }
            Formula::Not(a) => {
                let a = a.term(terms);
                terms.not(a)
            }
            Formula::And(parts) => {
                let parts: Vec<Term> = parts.iter().map(|p| p.term(terms)).collect();
                terms.and(parts)
            }
            Formula::Or(parts) => {
                let parts: Vec<Term> = parts.iter().map(|p| p.term(terms)).collect();
                terms.or(parts)
            }
            Formula::Iff(a, b) => {
                let (a, b) = (a.term(terms), b.term(terms));
                terms.eq(a, b)
            }
        }
    }

    pub fn z3(&self) -> ast::Bool {
        let each = |parts: &[Formula]| parts.iter().map(Formula::z3).collect::<Vec<_>>();
        match self {
            Formula::Flag(name) => ast::Bool::new_const(name.as_str()),
            Formula::Le(a, b) => a.z3().le(b.z3()),
            Formula::Eq(a, b) => a.z3().eq(b.z3()),
            Formula::Not(a) => a.z3().not(),
            Formula::And(parts) => ast::Bool::and(&each(parts)),
            Formula::Or(parts) => ast::Bool::or(&each(parts)),
            Formula::Iff(a, b) => a.z3().iff(b.z3()),
        }
    }
}
