//! What an expression means, by the definitions of SMT-LIB.

use std::cell::Cell;
use std::collections::BTreeMap;

use lakatos_logic::number::{Int, Rational};
use lakatos_logic::term::{ArrayValue, Assignment, BvBinary, BvCompare, FunctionValue};
use lakatos_logic::term::{Sort, Terms, Value};

use super::{Ast, Kind, Op, SMALL_ELEMENT, SMALL_INDEX};

#[derive(Clone, Debug)]
pub enum Val {
    Bool(bool),
    Int(Int),
    /// Numerator and positive denominator, not reduced.
    Real(Int, Int),
    Bits(u64, u32),
    /// Entries and default.
    Table(BTreeMap<Int, Int>, Int),
    /// All elements.
    SmallTable(Vec<u64>),
}

/// Values of variables, of the function, and of division by zero.
#[derive(Clone, Debug)]
pub struct Env {
    pub variables: BTreeMap<(Kind, usize), Val>,
    /// Zero but for these.
    pub function: BTreeMap<Int, Int>,
    /// What division by zero does: one of several functions of the dividend.
    pub by_zero: i64,
    /// Whether something was divided by zero.
    pub divided_by_zero: Cell<bool>,
}

impl Env {
    pub fn new(variables: BTreeMap<(Kind, usize), Val>, function: BTreeMap<Int, Int>) -> Env {
        Env { variables, function, by_zero: 0, divided_by_zero: Cell::new(false) }
    }

    pub fn eval(&self, ast: &Ast) -> Val {
        match ast {
            Ast::Bool(value) => Val::Bool(*value),
            Ast::Int(value) => Val::Int(value.clone()),
            Ast::Real(above, below) => Val::Real(above.clone(), below.clone()),
            Ast::Bits(value, width) => Val::Bits(*value, *width),
            Ast::Var(kind, number) => self.variables[&(*kind, *number)].clone(),
            Ast::Node(op, parts) => {
                let parts: Vec<Val> = parts.iter().map(|part| self.eval(part)).collect();
                self.apply(*op, &parts)
            }
        }
    }

    fn apply(&self, op: Op, parts: &[Val]) -> Val {
        use Val::*;
        match (op, parts) {
            (Op::Ite, [Bool(c), a, b]) => {
                if *c {
                    a.clone()
                } else {
                    b.clone()
                }
            }
            (Op::Eq, [a, b]) => Bool(equal(a, b)),
            (Op::Ne, [a, b]) => Bool(!equal(a, b)),
            (_, [Bool(_), ..]) => Bool(truth(op, parts)),
            (Op::Apply, [Int(a)]) => Int(self.function.get(a).cloned().unwrap_or_default()),
            (Op::Div | Op::Mod, [Int(a), Int(b)]) => Int(self.divide(op, a, b)),
            (Op::ToReal, [Int(a)]) => Real(a.clone(), num(1)),
            (Op::FromInt(width), [Int(a)]) => {
                let (_, rest) = euclid(a, &num(1 << width));
                Bits(u64::try_from(rest).expect("less than 2^width"), width)
            }
            (Op::Const, [Int(a)]) => Table(BTreeMap::new(), a.clone()),
            (_, [Int(_), ..]) => integer(op, parts),
            (_, [Real(..), ..]) => real(op, parts),
            (Op::ConstSmall, [Bits(a, _)]) => SmallTable(vec![*a; 1 << SMALL_INDEX]),
            (_, [Bits(..), ..]) => bits(op, parts),
            _ => table(op, parts),
        }
    }

    fn divide(&self, op: Op, a: &Int, b: &Int) -> Int {
        if b.is_zero() {
            self.divided_by_zero.set(true);
            return a * num(self.by_zero) + num(if op == Op::Div { 3 } else { -5 });
        }
        let (quotient, rest) = euclid(a, b);
        if op == Op::Div { quotient } else { rest }
    }

    /// For [`Terms::evaluate`].
    pub fn assignment(&self, terms: &mut Terms) -> Assignment {
        let mut assignment = Assignment::default();
        for ((kind, number), value) in &self.variables {
            let sort = kind.sort(terms);
            let symbol = terms.symbol(&kind.variable(*number), sort);
            let symbol = terms.as_symbol(symbol).expect("a symbol");
            assignment.symbols.insert(symbol, value.to_value(sort));
        }
        let function = terms.function("f", &[Sort::Int], Sort::Int);
        let entries =
            self.function.iter().map(|(a, b)| (vec![Value::Int(a.clone())], Value::Int(b.clone())));
        let table = FunctionValue { entries: entries.collect(), default: Value::Int(Int::ZERO) };
        assignment.functions.insert(function, table);
        assignment
    }
}

fn num(value: i64) -> Int {
    Int::from(value)
}

/// The numbers with `a = b q + r` and `0 <= r < |b|`.
fn euclid(a: &Int, b: &Int) -> (Int, Int) {
    let mut quotient = a / b;
    let mut rest = a - b * &quotient;
    let (step, size) = if *b > Int::ZERO { (num(1), b.clone()) } else { (num(-1), -b) };
    while rest < Int::ZERO {
        rest += &size;
        quotient -= &step;
    }
    assert!(a == &(b * &quotient + &rest) && rest < size);
    (quotient, rest)
}

fn equal(a: &Val, b: &Val) -> bool {
    match (a, b) {
        (Val::Bool(a), Val::Bool(b)) => a == b,
        (Val::Int(a), Val::Int(b)) => a == b,
        (Val::Real(a, b), Val::Real(c, d)) => a * d == c * b,
        (Val::Bits(a, _), Val::Bits(b, _)) => a == b,
        (Val::Table(a, x), Val::Table(b, y)) => {
            let at = |t: &BTreeMap<Int, Int>, d: &Int, k: &Int| t.get(k).unwrap_or(d).clone();
            x == y && a.keys().chain(b.keys()).all(|k| at(a, x, k) == at(b, y, k))
        }
        (Val::SmallTable(a), Val::SmallTable(b)) => a == b,
        _ => unreachable!("{a:?} and {b:?}"),
    }
}

fn truth(op: Op, parts: &[Val]) -> bool {
    let bools: Vec<bool> = parts
        .iter()
        .map(|part| match part {
            Val::Bool(value) => *value,
            other => unreachable!("{other:?} is no truth value"),
        })
        .collect();
    match (op, &bools[..]) {
        (Op::Not, [a]) => !a,
        (Op::And, all) => all.iter().all(|a| *a),
        (Op::Or, all) => all.iter().any(|a| *a),
        (Op::Implies, [a, b]) => !a || *b,
        (Op::Iff, [a, b]) => a == b,
        (Op::Xor, [a, b]) => a != b,
        _ => unreachable!("{op:?} of {parts:?}"),
    }
}

fn integer(op: Op, parts: &[Val]) -> Val {
    let numbers: Vec<&Int> = parts
        .iter()
        .map(|part| match part {
            Val::Int(value) => value,
            other => unreachable!("{other:?} is no integer"),
        })
        .collect();
    match (op, &numbers[..]) {
        (Op::Add, all) => Val::Int(all.iter().copied().sum()),
        (Op::Sub, [a, b]) => Val::Int(*a - *b),
        (Op::Mul, [a, b]) => Val::Int(*a * *b),
        (Op::Neg, [a]) => Val::Int(-*a),
        (Op::Abs, [a]) => Val::Int(if **a < Int::ZERO { -*a } else { (*a).clone() }),
        (Op::Le, [a, b]) => Val::Bool(a <= b),
        (Op::Lt, [a, b]) => Val::Bool(a < b),
        (Op::Ge, [a, b]) => Val::Bool(a >= b),
        (Op::Gt, [a, b]) => Val::Bool(a > b),
        _ => unreachable!("{op:?} of {parts:?}"),
    }
}

fn real(op: Op, parts: &[Val]) -> Val {
    let numbers: Vec<(&Int, &Int)> = parts
        .iter()
        .map(|part| match part {
            Val::Real(above, below) => (above, below),
            other => unreachable!("{other:?} is no real"),
        })
        .collect();
    let plus = |(a, b): (Int, Int), (c, d): (&Int, &Int)| (a * d + c * &b, b * d);
    let real = |(a, b): (Int, Int)| Val::Real(a, b);
    match (op, &numbers[..]) {
        (Op::Add, all) => real(all.iter().copied().fold((num(0), num(1)), plus)),
        (Op::Sub, [(a, b), (c, d)]) => Val::Real(*a * *d - *c * *b, *b * *d),
        (Op::Mul, [(a, b), (c, d)]) => Val::Real(*a * *c, *b * *d),
        (Op::Neg, [(a, b)]) => Val::Real(-*a, (*b).clone()),
        (Op::Le, [(a, b), (c, d)]) => Val::Bool(*a * *d <= *c * *b),
        (Op::Lt, [(a, b), (c, d)]) => Val::Bool(*a * *d < *c * *b),
        (Op::Ge, [(a, b), (c, d)]) => Val::Bool(*a * *d >= *c * *b),
        (Op::Gt, [(a, b), (c, d)]) => Val::Bool(*a * *d > *c * *b),
        _ => unreachable!("{op:?} of {parts:?}"),
    }
}

/// The value in two's complement.
fn signed(value: u64, width: u32) -> i64 {
    let value = value as i64;
    if value >> (width - 1) & 1 == 1 { value - (1 << width) } else { value }
}

fn bits(op: Op, parts: &[Val]) -> Val {
    match (op, parts) {
        (Op::BitNot, [Val::Bits(a, w)]) => wrap(!*a as i64, *w),
        (Op::BitNeg, [Val::Bits(a, w)]) => wrap(-(*a as i64), *w),
        (Op::Extract(high, low), [Val::Bits(a, _)]) => wrap((a >> low) as i64, high - low + 1),
        (Op::Concat, [Val::Bits(a, v), Val::Bits(b, w)]) => Val::Bits(a << w | b, v + w),
        (Op::ZeroExtend(by), [Val::Bits(a, w)]) => Val::Bits(*a, w + by),
        (Op::SignExtend(by), [Val::Bits(a, w)]) => wrap(signed(*a, *w), w + by),
        (Op::ToUnsigned, [Val::Bits(a, _)]) => Val::Int(Int::from(*a)),
        (Op::ToSigned, [Val::Bits(a, w)]) => Val::Int(num(signed(*a, *w))),
        (Op::Bits(op), [Val::Bits(a, w), Val::Bits(b, _)]) => wrap(binary(op, *a, *b, *w), *w),
        (Op::Compare(op), [Val::Bits(a, w), Val::Bits(b, _)]) => Val::Bool(match op {
            BvCompare::Ult => a < b,
            BvCompare::Ule => a <= b,
            BvCompare::Slt => signed(*a, *w) < signed(*b, *w),
            BvCompare::Sle => signed(*a, *w) <= signed(*b, *w),
        }),
        _ => unreachable!("{op:?} of {parts:?}"),
    }
}

fn wrap(value: i64, width: u32) -> Val {
    Val::Bits(value as u64 & ((1 << width) - 1), width)
}

fn binary(op: BvBinary, a: u64, b: u64, width: u32) -> i64 {
    let (x, y) = (a as i64, b as i64);
    let (sx, sy) = (signed(a, width), signed(b, width));
    match op {
        BvBinary::Add => x + y,
        BvBinary::Sub => x - y,
        BvBinary::Mul => x * y,
        BvBinary::Udiv => {
            if y == 0 {
                -1
            } else {
                x / y
            }
        }
        BvBinary::Urem => {
            if y == 0 {
                x
            } else {
                x % y
            }
        }
        BvBinary::Sdiv if sy == 0 => {
            if sx < 0 {
                1
            } else {
                -1
            }
        }
        BvBinary::Sdiv => sx / sy,
        BvBinary::Srem => {
            if sy == 0 {
                sx
            } else {
                sx % sy
            }
        }
        BvBinary::And => x & y,
        BvBinary::Or => x | y,
        BvBinary::Xor => x ^ y,
        BvBinary::Shl => {
            if b >= width as u64 {
                0
            } else {
                x << b
            }
        }
        BvBinary::Lshr => {
            if b >= width as u64 {
                0
            } else {
                x >> b
            }
        }
        BvBinary::Ashr => sx >> b.min(63),
    }
}

fn table(op: Op, parts: &[Val]) -> Val {
    match (op, parts) {
        (Op::Select, [Val::Table(entries, default), Val::Int(index)]) => {
            Val::Int(entries.get(index).unwrap_or(default).clone())
        }
        (Op::Store, [Val::Table(entries, default), Val::Int(index), Val::Int(value)]) => {
            let mut entries = entries.clone();
            entries.insert(index.clone(), value.clone());
            Val::Table(entries, default.clone())
        }
        (Op::Select, [Val::SmallTable(all), Val::Bits(index, _)]) => {
            Val::Bits(all[*index as usize], SMALL_ELEMENT)
        }
        (Op::Store, [Val::SmallTable(all), Val::Bits(index, _), Val::Bits(value, _)]) => {
            let mut all = all.clone();
            all[*index as usize] = *value;
            Val::SmallTable(all)
        }
        _ => unreachable!("{op:?} of {parts:?}"),
    }
}

impl Val {
    pub fn to_value(&self, sort: Sort) -> Value {
        let array = |entries, default| match sort {
            Sort::Array(sort) => Value::Array(Box::new(ArrayValue { sort, entries, default })),
            other => unreachable!("{self:?} is of sort {other:?}"),
        };
        let bits = |value: &u64, width| Value::BitVec(Int::from(*value), width);
        match self {
            Val::Bool(value) => Value::Bool(*value),
            Val::Int(value) => Value::Int(value.clone()),
            Val::Real(above, below) => {
                let below = below.clone().try_into().expect("positive");
                Value::Real(Rational::from_parts(above.clone(), below))
            }
            Val::Bits(value, width) => bits(value, *width),
            Val::Table(entries, default) => {
                let entries = entries.iter().filter(|(_, v)| *v != default);
                let entries = entries.map(|(k, v)| (Value::Int(k.clone()), Value::Int(v.clone())));
                array(entries.collect(), Value::Int(default.clone()))
            }
            Val::SmallTable(all) => {
                let default = all[0];
                let entries = (0u64..).zip(all).filter(|(_, v)| **v != default);
                let entries = entries.map(|(k, v)| (bits(&k, SMALL_INDEX), bits(v, SMALL_ELEMENT)));
                array(entries.collect(), bits(&default, SMALL_ELEMENT))
            }
        }
    }
}
