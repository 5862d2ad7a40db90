//! Sets of offsets: a first one, and steps that may be taken from there.

/// `{ first + k₁·s₁ + k₂·s₂ + … | 0 ≤ kᵢ < nᵢ }`, where `nᵢ` may be without limit.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Offsets {
    first: i128,
    /// Size and number of each kind of steps; sizes are not 0, numbers are more than 1.
    steps: Vec<(u64, Option<u64>)>,
}

pub(super) fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

impl Offsets {
    pub fn at(first: i128) -> Offsets {
        Offsets { first, steps: Vec::new() }
    }

    pub fn first(&self) -> i128 {
        self.first
    }

    /// The only offset, if there is one only.
    pub fn single(&self) -> Option<i128> {
        self.steps.is_empty().then_some(self.first)
    }

    /// The offset after the first `size` bytes from every offset of the set.
    pub fn add_steps(&mut self, size: u64, count: Option<u64>) {
        if size > 0 && count != Some(1) {
            self.steps.push((size, count));
        }
    }

    /// The greatest number of which all differences are multiples; 0 for a single offset.
    pub fn step(&self) -> u64 {
        self.steps.iter().fold(0, |g, &(size, _)| gcd(g, size))
    }

    /// The largest offset; `None` without limit.
    fn last(&self) -> Option<i128> {
        self.steps.iter().try_fold(self.first, |last, &(size, count)| {
            Some(last + i128::from(size) * i128::from(count?.saturating_sub(1)))
        })
    }

    /// All sums of an offset of each.
    pub fn plus(&self, other: &Offsets) -> Offsets {
        let steps = self.steps.iter().chain(&other.steps).copied().collect();
        Offsets { first: self.first + other.first, steps }
    }

    /// The set with steps of one size only: as large or larger.
    fn regular(&self, step: u64, lowest: i128, end: Option<i128>) -> Option<Offsets> {
        let last = match (self.last(), end) {
            (Some(last), Some(end)) => Some(last.min(end - 1)),
            (last, end) => last.or(end.map(|end| end - 1)),
        };
        if step == 0 {
            let inside = self.first >= lowest && last.is_none_or(|last| self.first <= last);
            return inside.then(|| self.clone());
        }
        let wide = i128::from(step);
        let first = match self.first < lowest {
            true => lowest + (self.first - lowest).rem_euclid(wide),
            false => self.first,
        };
        let count = match last {
            Some(last) if last < first => return None,
            Some(last) => Some(((last - first) / wide + 1) as u64),
            None => None,
        };
        let mut offsets = Offsets::at(first);
        offsets.add_steps(step, count);
        Some(offsets)
    }

    /// The offsets that are not negative, when any multiple of `size`, also negative ones, is
    /// added.
    pub fn anywhere_by(&self, size: u64) -> Offsets {
        let mut others = self.clone();
        others.steps.retain(|(step, _)| step % size != 0);
        let first = self.first.rem_euclid(size.into());
        let reach = Offsets { first, ..others.clone() }.last();
        let step = match reach {
            // The other steps stay between two multiples.
            Some(reach) if reach < i128::from(size) => size,
            _ => gcd(size, others.step()),
        };
        let mut moved = match step == size {
            true => Offsets { first, steps: others.steps },
            false => Offsets::at(self.first.rem_euclid(step.into())),
        };
        moved.add_steps(step, None);
        moved
    }

    /// All of them are less than the end.
    pub fn are_below(&self, end: u64) -> bool {
        self.last().is_some_and(|last| last < i128::from(end))
    }

    /// Those that are not negative, and less than the end.
    pub fn below(&self, end: Option<u64>) -> Option<Offsets> {
        let Some(end) = end else {
            return match self.first < 0 {
                true => self.regular(self.step(), 0, None),
                false => Some(self.clone()),
            };
        };
        if self.first >= i128::from(end) {
            return None;
        }
        if self.first < 0 {
            return self.regular(self.step(), 0, Some(end.into()));
        }
        let room = i128::from(end) - 1 - self.first;
        let mut below = Offsets::at(self.first);
        for &(size, count) in &self.steps {
            let most = (room / i128::from(size)) as u64 + 1;
            below.add_steps(size, Some(count.map_or(most, |count| count.min(most))));
        }
        Some(below)
    }

    /// Those of a part, counted from its start.
    pub fn within(&self, start: u64, size: Option<u64>) -> Option<Offsets> {
        let (start, end) =
            (i128::from(start), size.map(|size| i128::from(start) + i128::from(size)));
        let last = self.last();
        let is_inside =
            self.first >= start && end.is_none_or(|end| last.is_some_and(|last| last < end));
        let mut inside = match is_inside {
            true => self.clone(),
            false => self.regular(self.step(), start, end)?,
        };
        if inside.first >= end.unwrap_or(i128::MAX) {
            return None;
        }
        inside.first -= start;
        Some(inside)
    }

    /// The remainders of a division.
    pub fn modulo(&self, size: u64) -> Offsets {
        let mut rest = self.clone();
        rest.first = self.first.rem_euclid(size.into());
        rest.steps.retain(|(step, _)| step % size != 0);
        match rest.last() {
            Some(last) if last < i128::from(size) => rest,
            _ => {
                let step = gcd(rest.step(), size);
                let mut all = Offsets::at(self.first.rem_euclid(step.into()));
                all.add_steps(step, Some(size / step));
                all
            }
        }
    }

    /// The offset may be among them.
    pub fn may_hold(&self, offset: u64) -> bool {
        let offset = i128::from(offset);
        let distance = offset - self.first;
        distance >= 0
            && self.last().is_none_or(|last| offset <= last)
            && match self.step() {
                0 => distance == 0,
                step => distance % i128::from(step) == 0,
            }
    }

    /// All that are less than the end, each once; a superset where there are steps of several
    /// sizes.
    pub fn list(&self, end: u64) -> Vec<u64> {
        let step = self.step().max(1);
        let last = self.last().map_or(i128::MAX, |last| last).min(i128::from(end) - 1);
        let first = self.first.max(0);
        let mut found = Vec::new();
        let mut at = first;
        while at <= last {
            found.push(at as u64);
            at += i128::from(step);
        }
        found
    }

    /// The differences `self - other` that are at least 0 and less than the end. Steps of the same
    /// size on both sides are steps of either direction.
    pub fn minus(&self, other: &Offsets, end: Option<u64>) -> Option<Offsets> {
        let first = self.first - other.first;
        let (mut own, mut theirs) = (self.steps.clone(), other.steps.clone());
        let mut shared = Vec::new();
        own.retain(|step| match theirs.iter().position(|other| other == step) {
            Some(at) => {
                shared.push(theirs.remove(at));
                false
            }
            None => true,
        });
        let difference = Offsets { first, steps: own };
        if theirs.is_empty() && shared.is_empty() {
            return difference.below(end);
        }
        // Where another element is too far away, both are in the same one.
        let span = |last: i128| {
            end.is_some_and(|end| {
                let reach = i128::from(end).max(last + 1) - difference.first.min(0);
                shared.iter().all(|(size, _)| reach <= i128::from(*size))
            })
        };
        if theirs.is_empty() && difference.last().is_some_and(span) {
            return difference.below(end);
        }
        let all = shared.iter().chain(&theirs).fold(difference.step(), |g, s| gcd(g, s.0));
        Offsets::at(first).anywhere_by(all.max(1)).below(end)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    /// Steps without limit are followed so far.
    const FAR: i128 = 400;

    fn members(offsets: &Offsets) -> BTreeSet<i128> {
        let mut all = BTreeSet::from([offsets.first]);
        for &(size, count) in &offsets.steps {
            let count = count.unwrap_or(FAR as u64 / size + 1);
            let steps = (0..count).map(|k| i128::from(size * k));
            all = steps.flat_map(|step| all.iter().map(move |at| at + step)).collect();
        }
        all
    }

    /// What was found holds all that is expected, as far as both are followed.
    fn covers(found: Option<&Offsets>, expected: BTreeSet<i128>) {
        let found = found.map(members).unwrap_or_default();
        let missing: Vec<_> =
            expected.into_iter().filter(|at| *at < FAR / 2 && !found.contains(at)).collect();
        assert!(missing.is_empty(), "missing: {missing:?}");
    }

    fn offsets() -> impl Strategy<Value = Offsets> {
        let steps = (1u64..30, prop_oneof![(2u64..5).prop_map(Some), Just(None)]);
        (-40i128..80, prop::collection::vec(steps, 0..3)).prop_map(|(first, steps)| {
            let mut offsets = Offsets::at(first);
            steps.into_iter().for_each(|(size, count)| offsets.add_steps(size, count));
            offsets
        })
    }

    proptest! {
        #[test]
        fn parts_of_sets(a in offsets(), start in 0u64..60, size in 1u64..60) {
            let all = members(&a);
            let end = i128::from(size);
            covers(a.below(Some(size)).as_ref(), all.iter().copied().filter(|x| (0..end).contains(x)).collect());
            covers(a.below(None).as_ref(), all.iter().copied().filter(|x| *x >= 0).collect());
            let from = i128::from(start);
            let inside = all.iter().map(|x| x - from);
            covers(a.within(start, Some(size)).as_ref(), inside.clone().filter(|x| (0..end).contains(x)).collect());
            covers(a.within(start, None).as_ref(), inside.filter(|x| *x >= 0).collect());
            covers(Some(&a.modulo(size)), all.iter().map(|x| x.rem_euclid(end)).collect());
            prop_assert!(a.modulo(size).are_below(size));
            prop_assert!(!all.contains(&from) || a.may_hold(start));
            if let Some(below) = a.below(Some(size)) {
                let list: BTreeSet<i128> = below.list(size).into_iter().map(i128::from).collect();
                prop_assert!(all.iter().filter(|x| (0..end).contains(*x)).all(|x| list.contains(x)));
            }
        }

        #[test]
        fn sums_and_differences(a in offsets(), b in offsets(), size in 1u64..60) {
            let (x, y) = (members(&a), members(&b));
            covers(Some(&a.plus(&b)), x.iter().flat_map(|x| y.iter().map(move |y| x + y)).collect());
            let difference = x.iter().flat_map(|x| y.iter().map(move |y| x - y)).filter(|d| *d >= 0);
            let near = difference.clone().filter(|d| *d < i128::from(size)).collect();
            covers(a.minus(&b, Some(size)).as_ref(), near);
            covers(a.minus(&b, None).as_ref(), difference.collect());
            let wide = i128::from(size);
            let moved = x.iter().flat_map(|x| (-20..20).map(move |k| x + k * wide));
            covers(Some(&a.anywhere_by(size)), moved.filter(|x| *x >= 0).collect());
        }
    }
}
