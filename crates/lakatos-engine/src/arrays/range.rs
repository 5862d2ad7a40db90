//! Ranges of indices, and what is said of the elements in them.

use super::columns::{Indexed, Number};
use crate::affine::Equation;

/// The indices from a bound on, up to before another one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Range {
    pub from: Number,
    pub to: Number,
    /// The values of both, by sample.
    pub spans: Vec<(i128, i128)>,
}

impl Range {
    /// Whether it has all the indices of another one.
    pub fn includes(&self, other: &Range) -> bool {
        self.spans
            .iter()
            .zip(&other.spans)
            .all(|((from, to), (first, end))| first >= end || from <= first && end <= to)
    }

    pub fn size(&self) -> i128 {
        self.spans.iter().map(|(from, to)| to - from).sum()
    }
}

/// What is said of the elements of an array in a range.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Said {
    Equation(Among, Vec<Indexed>, Equation),
    Order(Indexed, Relation),
    Sorted,
}

/// Which indices of a range are meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Among {
    /// Those with this remainder by a number.
    pub rest: Option<(i128, i128)>,
    /// Those at which a condition of the program, by its number, holds or does not.
    pub condition: Option<(usize, bool)>,
}

impl Among {
    pub const ALL: Among = Among { rest: None, condition: None };

    pub fn rest(by: i128, rest: i128) -> Among {
        Among { rest: Some((by, rest)), ..Among::ALL }
    }

    pub fn so(self, condition: usize, holds: bool) -> Among {
        Among { condition: Some((condition, holds)), ..self }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Relation {
    AtMost,
    AtLeast,
    Different,
}
