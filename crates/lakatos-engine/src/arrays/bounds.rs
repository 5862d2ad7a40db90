//! Bounds of indices, and the ranges between them.

use super::claims::{FEWEST, Guesser};
use super::columns::Number;
use super::range::Range;
use super::reach::Reach;
use super::rows;

const MOST_BOUNDS: usize = 5;
const MOST_SIZES: usize = 4;
/// Steps and factors of indices.
const FACTORS: std::ops::RangeInclusive<i128> = 2..=9;

impl Guesser<'_, '_, '_> {
    /// What is never negative, and not large.
    pub(super) fn find_bounds(&self) -> Vec<Number> {
        let is_bound = |number: &Number| {
            self.here.iter().all(|sample| {
                let most = self.columns.samples.elements.into();
                self.columns.value(number, sample).is_some_and(|value| (0..=most).contains(&value))
            })
        };
        let mut bounds: Vec<Number> =
            self.varying.iter().filter(|n| is_bound(n)).cloned().collect();
        bounds.truncate(MOST_BOUNDS);
        bounds.extend(self.lengths());
        let rows = self.columns.samples.rows.iter();
        bounds.extend(rows.filter(|n| is_bound(n) && self.varies(n)).cloned());
        bounds.extend(self.sizes().into_iter().filter(is_bound).take(MOST_SIZES));
        bounds
    }

    /// The sizes of arrays of arrays: what may be the number of rows, times the width of one.
    fn sizes(&self) -> Vec<Number> {
        let mut found: Vec<Number> = Vec::new();
        for width in rows::widths(&self.columns.samples.rows) {
            for number in self.lengths().into_iter().chain(self.varying.iter().cloned()) {
                let size = Number::Product(number.into(), width.clone().into());
                let known = self.columns.samples.rows.iter().chain(&found);
                if !known.into_iter().any(|other| self.are_equal(other, &size)) {
                    found.push(size);
                }
            }
        }
        found
    }

    /// Small constants that bound variables: the lengths of small arrays.
    pub(super) fn lengths(&self) -> Vec<Number> {
        let mut lengths: Vec<i128> = Vec::new();
        for var in &self.vars {
            let values = self.here.iter().map(|sample| sample.integers[var]);
            let most = values.max().unwrap_or(0);
            if self.columns.samples.small.contains(&most) && !lengths.contains(&most) {
                lengths.push(most);
            }
        }
        lengths.truncate(2);
        lengths.into_iter().map(Number::Constant).collect()
    }

    /// Ranges that are never turned around, and not always empty.
    pub(super) fn ranges(&self, reach: Reach) -> Vec<Range> {
        let bounds = self.bounds.clone();
        let mut ranges = Vec::new();
        let mut all = vec![Number::Constant(0)];
        all.extend(bounds.iter().cloned());
        all.extend(self.parts_and_multiples(&bounds));
        for (a, b) in bounds.iter().flat_map(|a| bounds.iter().map(move |b| (a, b))) {
            let is_var = |number: &Number| matches!(number, Number::Var(_));
            let difference = Number::Difference(Box::new(a.clone()), Box::new(b.clone()));
            let is_new = a != b
                && is_var(b)
                && self.gap(b, a).is_some_and(|gap| gap == 0 || gap > 0 && reach.is_far)
                && !all.iter().any(|n| self.are_equal(n, &difference));
            if is_new {
                all.push(difference);
            }
        }
        let values: Vec<Option<Vec<i128>>> = all
            .iter()
            .map(|number| self.here.iter().map(|s| self.columns.value(number, s)).collect())
            .collect();
        for (from, froms) in all.iter().zip(&values) {
            for (to, tos) in all.iter().zip(&values) {
                let is_multiple = |number: &Number| matches!(number, Number::Scaled(_, 2.., _));
                let (Some(froms), Some(tos)) = (froms, tos) else { continue };
                if from == to || is_multiple(from) || is_multiple(to) && *from != all[0] {
                    continue;
                }
                let pairs = || froms.iter().zip(tos);
                let filled = pairs().filter(|(from, to)| from < to).count();
                if filled >= FEWEST && pairs().all(|(from, to)| from <= to) {
                    let spans = pairs().map(|(from, to)| (*from, *to)).collect();
                    ranges.push(Range { from: from.clone(), to: to.clone(), spans });
                }
            }
        }
        // Larger ones first.
        ranges.sort_by_key(|range| std::cmp::Reverse(range.size()));
        ranges
    }

    /// Factors of indices that the program may have: two, and small constants.
    pub(super) fn factors(&self) -> Vec<i128> {
        let small = self.columns.samples.small.range(FACTORS).copied();
        [2].into_iter().chain(small.filter(|factor| *factor != 2)).collect()
    }

    /// How many multiples of a factor are below a bound, from zero or from one on.
    fn quotients(&self, bound: &Number) -> Vec<Number> {
        let mut found = Vec::new();
        for factor in self.factors() {
            for more in [factor - 2, factor - 1] {
                found.push(Number::Quotient(Box::new(bound.clone()), more, factor));
            }
        }
        found
    }

    /// Parts of bounds, small multiples of variables, and what comes after a variable that counts
    /// down to -1 or -2.
    fn parts_and_multiples(&self, bounds: &[Number]) -> Vec<Number> {
        let mut found = Vec::new();
        for number in &self.varying {
            if let Number::Var(var) = number
                && let Some(gap @ -2..=-1) = self.gap(&Number::Constant(0), number)
            {
                found.push(Number::Scaled(*var, 1, -gap));
            }
        }
        for bound in bounds {
            match bound {
                Number::Parameter(_) => found.extend(self.quotients(bound)),
                Number::Var(var) => {
                    for factor in self.columns.samples.small.range(2..=5) {
                        found.extend([0, -factor].map(|c| Number::Scaled(*var, *factor, c)));
                    }
                }
                _ => {}
            }
        }
        found
    }
}
