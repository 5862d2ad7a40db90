//! Terms as people read them: infix, like C, with as few parentheses as C's precedences allow.
//!
//! - A comparison has its positive terms on the left and constants on the right: `x <= y + 1`;
//!   among integers it is always `<=` or `>=`, never strict.
//! - Where C has no operator of that meaning, it is a call: `div(x, 2)` and `mod(x, 2)` are
//!   SMT-LIB's (the remainder is never negative), `udiv`, `srem`, `lshr` and the like those of
//!   bit-vectors. Comparisons of bit-vectors say how they read the bits: `x <=u y`, `x <=s y`.
//! - `a[i := e]` is an array after a write, `const(e)` one that holds `e` everywhere. Constants
//!   of bit-vectors are unsigned decimals.
//!
//! This is for messages; nothing reads it back. Shared parts are repeated, so the text of a large
//! term ends in `…`.

use std::borrow::Cow;
use std::fmt;

use super::{BvBinary, BvCompare, Node, Quantifier, Relation, Sort, Sum, Symbol, Term, Terms};
use crate::number::{Int, is_negative};

/// After so many terms the rest is `…`.
const LIMIT: usize = 1 << 16;

/// How tightly operators bind, as in C.
type Level = u8;
const ANY: Level = 0;
const CHOICE: Level = 1;
const OR: Level = 2;
const AND: Level = 3;
const BIT_OR: Level = 4;
const BIT_XOR: Level = 5;
const BIT_AND: Level = 6;
const EQUAL: Level = 7;
const COMPARE: Level = 8;
const SHIFT: Level = 9;
const SUM: Level = 10;
const PRODUCT: Level = 11;
const UNARY: Level = 12;
const POSTFIX: Level = 13;

enum Piece {
    Text(Cow<'static, str>),
    /// A term that binds at least so tightly, or is put in parentheses.
    Term(Term, Level),
}

/// A term's text and how tightly its operator binds.
type Shape = (Level, Vec<Piece>);

/// See [`Terms::display`].
#[derive(Clone, Copy, Debug)]
pub struct Infix<'a> {
    terms: &'a Terms,
    term: Term,
}

impl Terms {
    /// A term for people.
    pub fn display(&self, term: Term) -> Infix<'_> {
        Infix { terms: self, term }
    }
}

impl fmt::Display for Infix<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut open = vec![Piece::Term(self.term, ANY)];
        let mut count = 0;
        while let Some(piece) = open.pop() {
            match piece {
                Piece::Text(text) => f.write_str(&text)?,
                Piece::Term(..) if count == LIMIT => f.write_str("…")?,
                Piece::Term(term, least) => {
                    count += 1;
                    let (level, mut pieces) = self.terms.shape(term);
                    if level < least {
                        pieces.insert(0, text("("));
                        pieces.push(text(")"));
                    }
                    open.extend(pieces.into_iter().rev());
                }
            }
        }
        Ok(())
    }
}

impl Terms {
    fn shape(&self, term: Term) -> Shape {
        match self.node(term) {
            Node::Not(inner) => self.negation(*inner),
            Node::And(parts) => (AND, separated(parts, " && ", AND + 1)),
            Node::Or(parts) => (OR, separated(parts, " || ", OR + 1)),
            Node::Ite(condition, then, otherwise) => {
                let mut pieces = binary(*condition, " ? ", *then, OR, OR);
                pieces.extend([text(" : "), Piece::Term(*otherwise, CHOICE)]);
                (CHOICE, pieces)
            }
            Node::Eq(a, b) => (EQUAL, self.equation(*a, " == ", *b)),
            Node::NonPositive(number) => self.comparison(Relation::NonPositive, *number, true),
            Node::Zero(number) => self.comparison(Relation::Zero, *number, true),
            Node::Quantified(quantifier, bound, body) => {
                (ANY, self.quantifier_shape(*quantifier, bound, *body))
            }
            Node::Select(array, index) => {
                let mut pieces = binary(*array, "[", *index, POSTFIX, ANY);
                pieces.push(text("]"));
                (POSTFIX, pieces)
            }
            Node::Store(array, index, element) => {
                let mut pieces = binary(*array, "[", *index, POSTFIX, ANY);
                pieces.extend([text(" := "), Piece::Term(*element, ANY), text("]")]);
                (POSTFIX, pieces)
            }
            Node::Sum(sum) => sum_shape(sum),
            Node::Product(factors) => (PRODUCT, separated(factors, "*", UNARY)),
            node => self.simple_shape(node),
        }
    }

    /// Constants, names, calls and what looks like C's operators.
    fn simple_shape(&self, node: &Node) -> Shape {
        let calling = |name: &str, parts: &[Term]| (POSTFIX, call(name, parts));
        match node {
            Node::Bool(value) => (POSTFIX, vec![text(value.to_string())]),
            Node::Int(value) => (constant_level(value), vec![text(value.to_string())]),
            Node::Real(value) => {
                let level = match Int::from(value.denominator().clone()) == Int::ONE {
                    true => constant_level(value.numerator()),
                    false => PRODUCT,
                };
                (level, vec![text(value.to_string())])
            }
            Node::BitVec(value, _) => (POSTFIX, vec![text(value.to_string())]),
            Node::Symbol(symbol) => (POSTFIX, vec![text(self.symbol_name(*symbol).to_string())]),
            Node::Apply(function, parts) => calling(&self.signature(*function).name, parts),
            Node::Div(a, b) => calling("div", &[*a, *b]),
            Node::Mod(a, b) => calling("mod", &[*a, *b]),
            Node::ToReal(a) => calling("real", &[*a]),
            Node::BvNot(a) => (UNARY, vec![text("~"), Piece::Term(*a, UNARY)]),
            Node::BvNeg(a) => (UNARY, vec![text("-"), Piece::Term(*a, UNARY)]),
            Node::BvBinary(op, a, b) => bits_shape(*op, *a, *b),
            Node::BvCompare(op, a, b) => compare_shape(*op, *a, *b),
            Node::Extract { high, low, of } => {
                let mut pieces = call("extract", &[*of]);
                pieces.insert(2, text(format!(", {high}, {low}")));
                (POSTFIX, pieces)
            }
            Node::Concat(a, b) => calling("concat", &[*a, *b]),
            Node::ZeroExtend(by, a) => calling(&format!("zero_extend{by}"), &[*a]),
            Node::SignExtend(by, a) => calling(&format!("sign_extend{by}"), &[*a]),
            Node::BvToInt(a) => calling("int", &[*a]),
            Node::IntToBv(width, a) => calling(&format!("bv{width}"), &[*a]),
            Node::ConstArray(_, element) => calling("const", &[*element]),
            node => unreachable!("{node:?} has a shape of its own"),
        }
    }

    fn negation(&self, inner: Term) -> Shape {
        match *self.node(inner) {
            Node::Eq(a, b) => (EQUAL, self.equation(a, " != ", b)),
            Node::Zero(number) => self.comparison(Relation::Zero, number, false),
            Node::NonPositive(number) => self.comparison(Relation::NonPositive, number, false),
            // The constructors make only these two.
            Node::BvCompare(BvCompare::Ule, a, b) => compare_shape(BvCompare::Ult, b, a),
            Node::BvCompare(BvCompare::Sle, a, b) => compare_shape(BvCompare::Slt, b, a),
            _ => (UNARY, vec![text("!"), Piece::Term(inner, UNARY)]),
        }
    }

    /// With a constant on the right, if there is one.
    fn equation(&self, a: Term, operator: &'static str, b: Term) -> Vec<Piece> {
        let (a, b) = if self.as_bv(a).is_some() { (b, a) } else { (a, b) };
        binary(a, operator, b, SHIFT, SHIFT)
    }

    /// `number` compared with zero, or the negation of that.
    fn comparison(&self, relation: Relation, number: Term, positive: bool) -> Shape {
        let sum = self.sum_of(number);
        let (negative, mut left): (Vec<_>, Vec<_>) =
            sum.monomials.into_iter().partition(|(_, c)| is_negative(c));
        let mut right = Sum::constant(-sum.constant);
        right.monomials = negative.into_iter().map(|(t, c)| (t, -c)).collect();
        let flipped = left.is_empty();
        if flipped {
            left = std::mem::take(&mut right.monomials);
            right.constant = -right.constant;
        }
        let (level, operator) = match (relation, positive, flipped) {
            (Relation::Zero, true, _) => (EQUAL, " == "),
            (Relation::Zero, false, _) => (EQUAL, " != "),
            (Relation::NonPositive, true, false) => (COMPARE, " <= "),
            (Relation::NonPositive, true, true) => (COMPARE, " >= "),
            (Relation::NonPositive, false, false) => (COMPARE, " > "),
            (Relation::NonPositive, false, true) => (COMPARE, " < "),
        };
        let left = Sum { monomials: left, ..Sum::constant(Int::ZERO) };
        let mut pieces = summands(&left).1;
        pieces.push(text(operator));
        pieces.extend(summands(&right).1);
        (level, pieces)
    }

    fn quantifier_shape(&self, kind: Quantifier, bound: &[Symbol], body: Term) -> Vec<Piece> {
        let kind = match kind {
            Quantifier::Forall => "forall",
            Quantifier::Exists => "exists",
        };
        let bound: Vec<&str> = bound.iter().map(|s| self.symbol_name(*s)).collect();
        vec![text(format!("{kind} {}. ", bound.join(", "))), Piece::Term(body, ANY)]
    }
}

fn text(text: impl Into<Cow<'static, str>>) -> Piece {
    Piece::Text(text.into())
}

fn binary(a: Term, operator: &'static str, b: Term, left: Level, right: Level) -> Vec<Piece> {
    vec![Piece::Term(a, left), text(operator), Piece::Term(b, right)]
}

fn separated(parts: &[Term], separator: &'static str, least: Level) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for part in parts {
        if !pieces.is_empty() {
            pieces.push(text(separator));
        }
        pieces.push(Piece::Term(*part, least));
    }
    pieces
}

fn call(name: &str, parts: &[Term]) -> Vec<Piece> {
    let mut pieces = separated(parts, ", ", ANY);
    pieces.insert(0, text(format!("{name}(")));
    pieces.push(text(")"));
    pieces
}

fn constant_level(value: &Int) -> Level {
    if is_negative(value) { UNARY } else { POSTFIX }
}

fn sum_shape(sum: &Sum) -> Shape {
    let (level, mut pieces) = summands(sum);
    if sum.denominator == Int::ONE {
        return (level, pieces);
    }
    if level < PRODUCT {
        pieces.insert(0, text("("));
        pieces.push(text(")"));
    }
    pieces.push(text(format!("/{}", sum.denominator)));
    (PRODUCT, pieces)
}

/// The numerator of a sum: what is added, what is subtracted, the constant; the constant first
/// where only it is added.
fn summands(sum: &Sum) -> Shape {
    let (minus, plus): (Vec<_>, Vec<_>) = sum.monomials.iter().partition(|(_, c)| is_negative(c));
    let constant = (!sum.constant.is_zero() || sum.monomials.is_empty()).then_some(&sum.constant);
    let first = constant.filter(|c| plus.is_empty() && !is_negative(c));
    let mut pieces = Vec::new();
    if let Some(value) = first {
        pieces.push(text(value.to_string()));
    }
    for (term, coefficient) in plus.into_iter().chain(minus) {
        sign(&mut pieces, is_negative(coefficient));
        if *coefficient != Int::ONE && *coefficient != Int::NEG_ONE {
            let size = if is_negative(coefficient) { -coefficient } else { coefficient.clone() };
            pieces.push(text(format!("{size}*")));
        }
        pieces.push(Piece::Term(*term, PRODUCT));
    }
    if let (Some(value), None) = (constant, first) {
        sign(&mut pieces, is_negative(value));
        let size = if is_negative(value) { -value } else { value.clone() };
        pieces.push(text(size.to_string()));
    }
    let count = sum.monomials.len() + usize::from(constant.is_some());
    (if count > 1 { SUM } else { PRODUCT }, pieces)
}

/// Goes between two summands, or before the first if that is negative.
fn sign(pieces: &mut Vec<Piece>, negative: bool) {
    match (pieces.is_empty(), negative) {
        (true, true) => pieces.push(text("-")),
        (true, false) => {}
        (false, true) => pieces.push(text(" - ")),
        (false, false) => pieces.push(text(" + ")),
    }
}

fn bits_shape(op: BvBinary, a: Term, b: Term) -> Shape {
    let (level, operator) = match op {
        BvBinary::Add => (SUM, " + "),
        BvBinary::Sub => (SUM, " - "),
        BvBinary::Mul => (PRODUCT, "*"),
        BvBinary::And => (BIT_AND, " & "),
        BvBinary::Or => (BIT_OR, " | "),
        BvBinary::Xor => (BIT_XOR, " ^ "),
        BvBinary::Shl => (SHIFT, " << "),
        BvBinary::Udiv => return (POSTFIX, call("udiv", &[a, b])),
        BvBinary::Urem => return (POSTFIX, call("urem", &[a, b])),
        BvBinary::Sdiv => return (POSTFIX, call("sdiv", &[a, b])),
        BvBinary::Srem => return (POSTFIX, call("srem", &[a, b])),
        BvBinary::Lshr => return (POSTFIX, call("lshr", &[a, b])),
        BvBinary::Ashr => return (POSTFIX, call("ashr", &[a, b])),
    };
    (level, binary(a, operator, b, level, level + 1))
}

fn compare_shape(op: BvCompare, a: Term, b: Term) -> Shape {
    let operator = match op {
        BvCompare::Ult => " <u ",
        BvCompare::Ule => " <=u ",
        BvCompare::Slt => " <s ",
        BvCompare::Sle => " <=s ",
    };
    (COMPARE, binary(a, operator, b, SHIFT, SHIFT))
}
