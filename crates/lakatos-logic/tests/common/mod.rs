//! Random expressions of our own, to hold the terms against: nothing in here simplifies.
//!
//! An [`Ast`] is made from bytes, which `proptest` makes and shrinks. It has three meanings, each
//! written from the definitions: a value ([`Env::eval`]), a term ([`Ast::build`], through the
//! constructors under test) and SMT-LIB text ([`text::render`]).

#![allow(dead_code)] // each test uses its part

pub mod eval;
pub mod generate;
pub mod text;

use lakatos_logic::number::{Int, Rational};
use lakatos_logic::term::{BvBinary, BvCompare, Sort, Term, Terms};

/// The sorts that occur.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    Bool,
    Int,
    Real,
    Bits(u32),
    /// From integers to integers.
    Table,
    /// From [`SMALL_INDEX`] bits to [`SMALL_ELEMENT`] bits: all of its indices can be looked at.
    SmallTable,
}

pub const SMALL_INDEX: u32 = 2;
pub const SMALL_ELEMENT: u32 = 3;

#[derive(Clone, Debug)]
pub enum Ast {
    Bool(bool),
    Int(Int),
    /// Numerator and positive denominator.
    Real(Int, Int),
    Bits(u64, u32),
    Var(Kind, usize),
    Node(Op, Vec<Ast>),
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Op {
    Not,
    And,
    Or,
    Implies,
    Iff,
    Xor,
    /// Of any kind.
    Ite,
    Eq,
    Ne,
    /// Of numbers, as the rest up to `ToReal`.
    Le,
    Lt,
    Ge,
    Gt,
    Add,
    Sub,
    Neg,
    Mul,
    Div,
    Mod,
    Abs,
    ToReal,
    /// An uninterpreted function of an integer.
    Apply,
    Bits(BvBinary),
    Compare(BvCompare),
    BitNot,
    BitNeg,
    Extract(u32, u32),
    Concat,
    ZeroExtend(u32),
    SignExtend(u32),
    ToUnsigned,
    ToSigned,
    FromInt(u32),
    Select,
    Store,
    Const,
    ConstSmall,
}

impl Kind {
    pub fn sort(self, terms: &mut Terms) -> Sort {
        match self {
            Kind::Bool => Sort::Bool,
            Kind::Int => Sort::Int,
            Kind::Real => Sort::Real,
            Kind::Bits(width) => Sort::BitVec(width),
            Kind::Table => terms.array_sort(Sort::Int, Sort::Int),
            Kind::SmallTable => {
                terms.array_sort(Sort::BitVec(SMALL_INDEX), Sort::BitVec(SMALL_ELEMENT))
            }
        }
    }

    pub fn variable(self, number: usize) -> String {
        let prefix = match self {
            Kind::Bool => "p".to_string(),
            Kind::Int => "x".to_string(),
            Kind::Real => "r".to_string(),
            Kind::Bits(width) => format!("b{width}_"),
            Kind::Table => "a".to_string(),
            Kind::SmallTable => "s".to_string(),
        };
        format!("{prefix}{number}")
    }
}

impl Ast {
    pub fn variables(&self) -> Vec<(Kind, usize)> {
        let mut found = Vec::new();
        let mut open = vec![self];
        while let Some(ast) = open.pop() {
            match ast {
                Ast::Var(kind, number) => found.push((*kind, *number)),
                Ast::Node(_, parts) => open.extend(parts),
                _ => {}
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Through the constructors.
    pub fn build(&self, terms: &mut Terms) -> Term {
        match self {
            Ast::Bool(value) => terms.bool(*value),
            Ast::Int(value) => terms.int(value.clone()),
            Ast::Real(above, below) => {
                let below = below.clone().try_into().expect("positive");
                terms.real(Rational::from_parts(above.clone(), below))
            }
            Ast::Bits(value, width) => terms.bv(*value, *width),
            Ast::Var(kind, number) => {
                let sort = kind.sort(terms);
                terms.symbol(&kind.variable(*number), sort)
            }
            Ast::Node(op, parts) => {
                let parts: Vec<Term> = parts.iter().map(|part| part.build(terms)).collect();
                build_op(terms, *op, &parts)
            }
        }
    }
}

fn build_op(terms: &mut Terms, op: Op, parts: &[Term]) -> Term {
    match (op, parts) {
        (Op::And, _) => terms.and(parts.iter().copied()),
        (Op::Or, _) => terms.or(parts.iter().copied()),
        (Op::Add, [first, .., _]) if parts.len() > 2 => {
            let sort = terms.sort(*first);
            terms.add_all(parts.iter().copied(), sort)
        }
        (_, &[a]) => build_unary(terms, op, a),
        (_, &[a, b]) => build_binary(terms, op, a, b),
        (Op::Ite, &[c, a, b]) => terms.ite(c, a, b),
        (Op::Store, &[array, index, value]) => terms.store(array, index, value),
        _ => unreachable!("{op:?} of {parts:?}"),
    }
}

fn build_unary(terms: &mut Terms, op: Op, a: Term) -> Term {
    match op {
        Op::Not => terms.not(a),
        Op::Neg => terms.neg(a),
        Op::Abs => terms.abs(a),
        Op::ToReal => terms.int_to_real(a),
        Op::Apply => {
            let function = terms.function("f", &[Sort::Int], Sort::Int);
            terms.apply(function, &[a])
        }
        Op::BitNot => terms.bv_not(a),
        Op::BitNeg => terms.bv_neg(a),
        Op::Extract(high, low) => terms.extract(high, low, a),
        Op::ZeroExtend(by) => terms.zero_extend(by, a),
        Op::SignExtend(by) => terms.sign_extend(by, a),
        Op::ToUnsigned => terms.bv_to_int(a),
        Op::ToSigned => terms.bv_to_signed_int(a),
        Op::FromInt(width) => terms.int_to_bv(width, a),
        Op::Const | Op::ConstSmall => {
            let kind = if op == Op::Const { Kind::Table } else { Kind::SmallTable };
            let sort = kind.sort(terms);
            terms.const_array(sort, a)
        }
        _ => unreachable!("{op:?} is not unary"),
    }
}

fn build_binary(terms: &mut Terms, op: Op, a: Term, b: Term) -> Term {
    match op {
        Op::Implies => terms.implies(a, b),
        Op::Iff => terms.iff(a, b),
        Op::Xor => terms.xor(a, b),
        Op::Eq => terms.eq(a, b),
        Op::Ne => terms.ne(a, b),
        Op::Le => terms.le(a, b),
        Op::Lt => terms.lt(a, b),
        Op::Ge => terms.ge(a, b),
        Op::Gt => terms.gt(a, b),
        Op::Add => terms.add(a, b),
        Op::Sub => terms.sub(a, b),
        Op::Mul => terms.mul(a, b),
        Op::Div => terms.div(a, b),
        Op::Mod => terms.modulo(a, b),
        Op::Bits(op) => terms.bv_binary(op, a, b),
        Op::Compare(op) => terms.bv_compare(op, a, b),
        Op::Concat => terms.concat(a, b),
        Op::Select => terms.select(a, b),
        _ => unreachable!("{op:?} is not binary"),
    }
}
