//! Conditions of paths through a block, kept as sets of conjuncts.
//!
//! Where paths meet, the conjuncts they share stand once and only the rests become alternatives:
//! after `if (c) … else …` nothing is left of `c`. So a block's condition is linear in its size.

use lakatos_logic::number::{Int, is_negative};
use lakatos_logic::term::{Node, Relation, Term, Terms};

/// A conjunction.
#[derive(Clone, Debug, Default)]
pub(super) struct Path {
    /// Sorted and distinct.
    conjuncts: Vec<Term>,
}

impl Path {
    /// Also requires a formula; `false` if it contradicts what is required already.
    pub fn require(&mut self, terms: &mut Terms, formula: Term) -> bool {
        if formula == Term::FALSE {
            return false;
        }
        for conjunct in terms.conjuncts(formula) {
            let negated = terms.not(conjunct);
            if self.conjuncts.binary_search(&negated).is_ok() {
                return false;
            }
            if let Err(at) = self.conjuncts.binary_search(&conjunct) {
                self.conjuncts.insert(at, conjunct);
            }
        }
        true
    }

    pub fn conjuncts(&self) -> &[Term] {
        &self.conjuncts
    }

    fn contains(&self, conjunct: Term) -> bool {
        self.conjuncts.binary_search(&conjunct).is_ok()
    }

    /// One of several paths, and for each what tells it from the others. `None` if it turns out
    /// that none of them is possible.
    pub fn join(terms: &mut Terms, paths: &[Path]) -> Option<(Path, Vec<Term>)> {
        let (first, others) = paths.split_first().expect("paths that meet");
        let shared = |c: &Term| others.iter().all(|path| path.contains(*c));
        let mut common =
            Path { conjuncts: first.conjuncts.iter().copied().filter(shared).collect() };
        let mut rests = Vec::with_capacity(paths.len());
        for path in paths {
            let own = path.conjuncts.iter().copied().filter(|c| !common.contains(*c));
            rests.push(terms.and(own.collect::<Vec<_>>()));
        }
        let any = terms.or(rests.clone());
        common.require(terms, any).then_some((common, rests))
    }
}

/// Whether two formulas are plainly never true together: negations of each other, or with
/// conjuncts that exclude each other as `x = 1` and `x = 2` do.
pub(super) fn exclusive(terms: &mut Terms, a: Term, b: Term) -> bool {
    if terms.not(a) == b {
        return true;
    }
    let (left, right) = (terms.conjuncts(a), terms.conjuncts(b));
    left.iter().any(|x| right.iter().any(|y| contradict(terms, *x, *y)))
}

fn contradict(terms: &mut Terms, a: Term, b: Term) -> bool {
    if terms.not(a) == b {
        return true;
    }
    if let (&Node::Eq(x, c), &Node::Eq(y, d)) = (terms.node(a), terms.node(b)) {
        return different_constants(terms, (x, c), (y, d));
    }
    match (Band::of(terms, a), Band::of(terms, b)) {
        (Some(a), Some(b)) => a.monomials == b.monomials && (a.is_below(&b) || b.is_below(&a)),
        _ => false,
    }
}

/// `x = c` and `x = d` for bit-vectors, the constant on either side.
fn different_constants(terms: &Terms, a: (Term, Term), b: (Term, Term)) -> bool {
    let split = |(x, y): (Term, Term)| match (terms.as_bv(x), terms.as_bv(y)) {
        (None, Some(value)) => Some((x, value)),
        (Some(value), None) => Some((y, value)),
        _ => None,
    };
    match (split(a), split(b)) {
        (Some((x, c)), Some((y, d))) => x == y && c != d,
        _ => false,
    }
}

/// A linear atom as bounds on a combination whose first coefficient is positive.
struct Band {
    monomials: Vec<(Term, Int)>,
    low: Option<Int>,
    high: Option<Int>,
}

impl Band {
    fn of(terms: &Terms, atom: Term) -> Option<Band> {
        let (relation, sum) = terms.as_comparison(atom)?;
        let negative = is_negative(&sum.monomials.first()?.1);
        let sum = if negative { sum.scale(&Int::NEG_ONE) } else { sum };
        let bound = Some(-&sum.constant);
        let (low, high) = match (relation, negative) {
            (Relation::Zero, _) => (bound.clone(), bound),
            (Relation::NonPositive, false) => (None, bound),
            (Relation::NonPositive, true) => (bound, None),
        };
        Some(Band { monomials: sum.monomials, low, high })
    }

    fn is_below(&self, other: &Band) -> bool {
        matches!((&self.high, &other.low), (Some(high), Some(low)) if high < low)
    }
}

#[cfg(test)]
mod tests {
    use lakatos_logic::term::Sort;

    use super::*;

    /// The formulas of a test, as made by `make` from two integers and two bit-vectors.
    #[track_caller]
    fn check(make: impl Fn(&mut Terms, [Term; 2], [Term; 2]) -> (Term, Term), expect: bool) {
        let mut terms = Terms::new();
        let numbers = ["x", "y"].map(|name| terms.symbol(name, Sort::Int));
        let vectors = ["u", "v"].map(|name| terms.symbol(name, Sort::BitVec(8)));
        let (a, b) = make(&mut terms, numbers, vectors);
        assert_eq!(exclusive(&mut terms, a, b), expect);
        assert_eq!(exclusive(&mut terms, b, a), expect);
    }

    /// `factor · x <= bound`.
    fn at_most(terms: &mut Terms, factor: i64, x: Term, bound: i64) -> Term {
        let (x, bound) = (terms.scale(&Int::from(factor), x), terms.int(bound));
        terms.le(x, bound)
    }

    #[test]
    fn bands() {
        for (low, high, expect) in [(6, 5, true), (5, 5, false), (4, 5, false)] {
            // `x >= low` and `x <= high`.
            let make = |t: &mut Terms, [x, _]: [Term; 2], _: [Term; 2]| {
                (at_most(t, -1, x, -low), at_most(t, 1, x, high))
            };
            check(make, expect);
            let make = |t: &mut Terms, [x, y]: [Term; 2], _: [Term; 2]| {
                (at_most(t, -1, x, -low), at_most(t, 1, y, high))
            };
            check(make, false);
            let make = |t: &mut Terms, [x, y]: [Term; 2], _: [Term; 2]| {
                let sum = t.combine(x, y, &Int::from(-2));
                let (low, atom) = (t.int(low), at_most(t, 1, sum, high));
                (t.eq(sum, low), atom)
            };
            check(make, expect);
        }
        check(|t, [x, _], _| (at_most(t, 1, x, 3), at_most(t, 1, x, 9)), false);
        check(|t, [x, _], _| (at_most(t, -1, x, 3), at_most(t, -1, x, 9)), false);
    }

    #[test]
    fn constants_and_conjuncts() {
        let equal = |t: &mut Terms, v: Term, value: u32| {
            let value = t.bv(value, 8);
            t.eq(v, value)
        };
        check(|t, _, [u, _]| (equal(t, u, 1), equal(t, u, 2)), true);
        check(|t, _, [u, v]| (equal(t, u, 1), equal(t, v, 2)), false);
        check(|t, _, [u, v]| (t.eq(u, v), equal(t, u, 2)), false);
        check(|_, _, _| (Term::TRUE, Term::TRUE), false);
        // The default of a switch excludes each of its cases.
        let default = |t: &mut Terms, [x, y]: [Term; 2], _: [Term; 2]| {
            let (one, two) = (t.int(1), t.int(2));
            let cases = [t.eq(x, one), t.eq(x, two)];
            let others = cases.map(|c| t.not(c));
            let more = at_most(t, 1, y, 0);
            (t.and([others[0], others[1], more]), cases[1])
        };
        check(default, true);
    }
}
