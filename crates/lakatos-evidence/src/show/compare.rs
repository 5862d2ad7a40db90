//! Comparisons of sums: what is subtracted moves to the other side.

use lakatos_logic::number::{Int, is_negative};
use lakatos_logic::term::{Node, Relation, Sum, Term};

use super::Printer;
use super::logic::Printed;
use super::number::Number;
use super::text::{COMPARE, EQUAL, Text};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Op {
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
}

impl Op {
    fn symbol(self) -> &'static str {
        match self {
            Op::Lt => "<",
            Op::Le => "<=",
            Op::Gt => ">",
            Op::Ge => ">=",
            Op::Eq => "==",
            Op::Ne => "!=",
        }
    }

    /// With the sides exchanged.
    pub fn mirrored(self) -> Op {
        match self {
            Op::Lt => Op::Gt,
            Op::Le => Op::Ge,
            Op::Gt => Op::Lt,
            Op::Ge => Op::Le,
            Op::Eq | Op::Ne => self,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Comparison {
    pub left: Text,
    pub op: Op,
    pub right: Text,
}

impl Comparison {
    pub fn text(&self) -> Text {
        let level = if matches!(self.op, Op::Eq | Op::Ne) { EQUAL } else { COMPARE };
        // A comparison beside a comparison is hard to read, whatever binds how.
        let side = |text: &Text| text.at(COMPARE + 1);
        let text = format!("{} {} {}", side(&self.left), self.op.symbol(), side(&self.right));
        Text::new(level, text)
    }

    /// `a <= b < c` from `a <= b` and `b < c`.
    pub fn then(&self, other: &Comparison) -> Option<Text> {
        let is_upwards = |op: Op| matches!(op, Op::Lt | Op::Le);
        let joins = is_upwards(self.op) && is_upwards(other.op) && self.right == other.left;
        let right = other.right.at(COMPARE + 1);
        let text = format!("{} {} {right}", self.text().text, other.op.symbol());
        joins.then(|| Text::new(COMPARE, text))
    }

    pub fn mirrored(self) -> Comparison {
        Comparison { left: self.right, op: self.op.mirrored(), right: self.left }
    }
}

/// One side: terms with their factors, and a number.
type Side = (Vec<(Int, Term)>, Int);

impl Printer<'_> {
    /// `sum <= 0` or `sum == 0`, or its negation.
    pub(super) fn linear(&self, atom: Term, negated: bool) -> Option<Printed> {
        let (relation, number) = match self.terms.node(atom) {
            Node::NonPositive(number) => (Relation::NonPositive, *number),
            Node::Zero(number) => (Relation::Zero, *number),
            _ => return None,
        };
        let sum = self.terms.sum_of(number);
        if relation == Relation::Zero
            && let Some(printed) = self.divisibility(&sum, negated)
        {
            return Some(printed);
        }
        let (left, op, right) = match relation {
            Relation::NonPositive if negated => {
                at_most(Sum::constant(Int::ONE).add_scaled(&sum, &Int::NEG_ONE))
            }
            Relation::NonPositive => at_most(sum),
            Relation::Zero => {
                let (left, right) = equal(sum);
                (left, if negated { Op::Ne } else { Op::Eq }, right)
            }
        };
        let (left, right) = (self.side(&left)?, self.side(&right)?);
        self.comparison(left, op, right)
    }

    fn side(&self, (monomials, constant): &Side) -> Option<Number> {
        self.sum(monomials, constant)
    }

    /// A comparison, unless the ranges of both sides decide it.
    pub(super) fn comparison(&self, left: Number, op: Op, right: Number) -> Option<Printed> {
        if let Some(known) = decided(&left, op, &right) {
            return Some(Printed::Constant(known));
        }
        let (left, right) = self.unified(left, right)?;
        Some(Printed::Comparison(Comparison { left: left.text, op, right: right.text }))
    }

    /// `x % k == 0`, where the sign of the remainder does not matter.
    fn divisibility(&self, sum: &Sum, negated: bool) -> Option<Printed> {
        let [(term, coefficient)] = &sum.monomials[..] else { return None };
        let Node::Mod(of, by) = self.terms.node(*term) else { return None };
        let divisor = self.terms.as_int(*by);
        let rest = if is_negative(coefficient) { sum.constant.clone() } else { -&sum.constant };
        let odd = divisor == Some(&Int::from(2)) && rest == Int::ONE;
        if *coefficient != Int::ONE && *coefficient != Int::NEG_ONE || !(rest == Int::ZERO || odd) {
            return None;
        }
        let of = self.number(*of)?;
        let remainder = match divisor {
            Some(by) if *by > Int::ONE => self.remainder(of, by)?,
            Some(_) => return None,
            None => self.remainder_by(of, self.number(*by)?)?,
        };
        let op = if negated != odd { Op::Ne } else { Op::Eq };
        self.comparison(remainder, op, self.literal(&Int::ZERO)?)
    }
}

/// `sum <= 0` with positive factors only.
fn at_most(sum: Sum) -> (Side, Op, Side) {
    let Sum { monomials, constant, .. } = sum;
    let (minus, plus): (Vec<_>, Vec<_>) =
        monomials.into_iter().map(|(t, c)| (c, t)).partition(|(c, _)| is_negative(c));
    let minus: Vec<_> = minus.into_iter().map(|(c, t)| (-c, t)).collect();
    match (plus.is_empty(), minus.is_empty()) {
        // What is known comes last: `x >= 3`.
        (true, _) => ((minus, Int::ZERO), Op::Ge, (Vec::new(), constant)),
        (_, true) => ((plus, Int::ZERO), Op::Le, (Vec::new(), -constant)),
        _ if constant == Int::ONE => ((plus, Int::ZERO), Op::Lt, (minus, Int::ZERO)),
        _ if is_negative(&constant) => ((plus, Int::ZERO), Op::Le, (minus, -constant)),
        _ => ((plus, constant), Op::Le, (minus, Int::ZERO)),
    }
}

/// `sum == 0` as an equation with positive factors, a lone variable on the left if there is one.
fn equal(sum: Sum) -> (Side, Side) {
    let Sum { monomials, constant, .. } = sum;
    let (minus, plus): (Vec<_>, Vec<_>) =
        monomials.into_iter().map(|(t, c)| (c, t)).partition(|(c, _)| is_negative(c));
    let minus: Vec<_> = minus.into_iter().map(|(c, t)| (-c, t)).collect();
    let is_lone = |side: &[(Int, Term)]| matches!(side, [(factor, _)] if *factor == Int::ONE);
    match (is_lone(&plus), is_lone(&minus)) {
        // Both could stand alone: the other side is a sum.
        (true, true) if !is_negative(&constant) => ((minus, Int::ZERO), (plus, constant)),
        (true, _) => ((plus, Int::ZERO), (minus, -constant)),
        (_, true) => ((minus, Int::ZERO), (plus, constant)),
        _ if plus.is_empty() => ((minus, Int::ZERO), (plus, constant)),
        _ if minus.is_empty() || is_negative(&constant) => ((plus, Int::ZERO), (minus, -constant)),
        _ => ((plus, constant), (minus, Int::ZERO)),
    }
}

fn decided(left: &Number, op: Op, right: &Number) -> Option<bool> {
    let below = left.high < right.low;
    let above = left.low > right.high;
    let at_most = left.high <= right.low;
    let at_least = left.low >= right.high;
    match op {
        Op::Lt if below => Some(true),
        Op::Lt if at_least => Some(false),
        Op::Le if at_most => Some(true),
        Op::Le if above => Some(false),
        Op::Gt if above => Some(true),
        Op::Gt if at_most => Some(false),
        Op::Ge if at_least => Some(true),
        Op::Ge if below => Some(false),
        Op::Eq if below || above => Some(false),
        Op::Ne if below || above => Some(true),
        _ => None,
    }
}
