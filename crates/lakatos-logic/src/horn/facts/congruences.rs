//! Linear congruences (Granger's domain): the whole points that are reached from a base by whole
//! multiples of some directions. As laws these are linear equations and remainders.

use dashu_base::ExtendedGcd;

use crate::number::{Int, Rational, div_euclid, is_negative, lcm, rem_euclid};

/// Points of one number of coordinates.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Congruences {
    base: Vec<Int>,
    /// In echelon form: the first coordinate of a direction that is not zero is positive and
    /// further right than that of the direction before.
    directions: Vec<Vec<Int>>,
}

/// `Σ factors · x` is `value`, exactly or, where the modulus is not zero, up to its multiples.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Law {
    pub factors: Vec<Int>,
    pub value: Int,
    pub modulus: Int,
}

impl Congruences {
    pub fn of_point(base: Vec<Int>) -> Congruences {
        Congruences { base, directions: Vec::new() }
    }

    /// Adds a point; whether it is new.
    pub fn join(&mut self, point: &[Int]) -> bool {
        let direction = point.iter().zip(&self.base).map(|(p, b)| p - b).collect();
        let grown = self.insert(direction);
        if grown {
            self.reduce();
        }
        grown
    }

    fn insert(&mut self, mut new: Vec<Int>) -> bool {
        let mut grown = false;
        while let Some(column) = pivot(&new) {
            let at = self.directions.partition_point(|d| pivot(d).is_some_and(|p| p < column));
            let Some(old) = self.directions.get_mut(at).filter(|d| pivot(d) == Some(column)) else {
                if is_negative(&new[column]) {
                    new.iter_mut().for_each(|x| *x = -&*x);
                }
                self.directions.insert(at, new);
                return true;
            };
            let (a, b) = (old[column].clone(), new[column].clone());
            if rem_euclid(&b, &a).is_zero() {
                subtract(&mut new, &(b / a), old);
                continue;
            }
            let (divisor, s, t) = a.clone().gcd_ext(b.clone());
            let divisor = Int::from(divisor);
            let combined = combine(&s, old, &t, &new);
            new = combine(&(&a / &divisor), &new, &-(&b / &divisor), old);
            *old = combined;
            grown = true;
        }
        grown
    }

    /// Makes the directions small: above a pivot nothing is as large as it.
    fn reduce(&mut self) {
        for lower in 0..self.directions.len() {
            let (above, rest) = self.directions.split_at_mut(lower);
            let column = pivot(&rest[0]).expect("a direction is not zero");
            for direction in above {
                let times = div_euclid(&direction[column], &rest[0][column]);
                subtract(direction, &times, &rest[0]);
            }
        }
    }

    /// What holds for these points and no others.
    pub fn laws(&self) -> Vec<Law> {
        let multiples = self.multiples();
        let pivots: Vec<Option<usize>> = self.directions.iter().map(|d| pivot(d)).collect();
        let mut laws = Vec::new();
        for column in (0..self.base.len()).filter(|c| !pivots.contains(&Some(*c))) {
            let mut factors = self.unit(column);
            for (multiple, direction) in multiples.iter().zip(&self.directions) {
                subtract_form(&mut factors, &direction[column], multiple);
            }
            laws.push(self.law(&factors, Int::ZERO));
        }
        for multiple in multiples {
            let modulus = denominator(&multiple);
            if modulus != Int::ONE {
                laws.push(self.law(&multiple, modulus));
            }
        }
        laws
    }

    /// How often each direction is taken to get from the base to a point, as a linear form.
    fn multiples(&self) -> Vec<Vec<Rational>> {
        let mut multiples: Vec<Vec<Rational>> = Vec::new();
        for direction in &self.directions {
            let column = pivot(direction).expect("a direction is not zero");
            let mut form = self.unit(column);
            for (multiple, earlier) in multiples.iter().zip(&self.directions) {
                subtract_form(&mut form, &earlier[column], multiple);
            }
            let own = Rational::from(direction[column].clone());
            form.iter_mut().for_each(|factor| *factor /= &own);
            multiples.push(form);
        }
        multiples
    }

    fn unit(&self, column: usize) -> Vec<Rational> {
        let mut form = vec![Rational::ZERO; self.base.len()];
        form[column] = Rational::ONE;
        form
    }

    fn law(&self, factors: &[Rational], modulus: Int) -> Law {
        let common = denominator(factors);
        let mut factors: Vec<Int> = factors
            .iter()
            .map(|f| f.numerator() * (&common / Int::from(f.denominator().clone())))
            .collect();
        if !modulus.is_zero() {
            factors.iter_mut().for_each(|f| *f = rem_euclid(f, &modulus));
        }
        let mut value: Int = factors.iter().zip(&self.base).map(|(f, b)| f * b).sum();
        if !modulus.is_zero() {
            value = rem_euclid(&value, &modulus);
        }
        Law { factors, value, modulus }
    }
}

/// The first coordinate that is not zero.
fn pivot(direction: &[Int]) -> Option<usize> {
    direction.iter().position(|x| !x.is_zero())
}

fn subtract(from: &mut [Int], times: &Int, what: &[Int]) {
    from.iter_mut().zip(what).for_each(|(x, y)| *x -= times * y);
}

fn subtract_form(from: &mut [Rational], times: &Int, what: &[Rational]) {
    let times = Rational::from(times.clone());
    from.iter_mut().zip(what).for_each(|(x, y)| *x -= &times * y);
}

fn combine(s: &Int, a: &[Int], t: &Int, b: &[Int]) -> Vec<Int> {
    a.iter().zip(b).map(|(x, y)| s * x + t * y).collect()
}

fn denominator(factors: &[Rational]) -> Int {
    factors.iter().fold(Int::ONE, |common, f| lcm(&common, &Int::from(f.denominator().clone())))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn points(points: &[&[i64]]) -> Congruences {
        let whole = |p: &&[i64]| p.iter().map(|x| Int::from(*x)).collect::<Vec<Int>>();
        let mut all = Congruences::of_point(whole(&points[0]));
        for point in &points[1..] {
            all.join(&whole(point));
        }
        all
    }

    fn holds(law: &Law, point: &[Int]) -> bool {
        let sum: Int = law.factors.iter().zip(point).map(|(f, x)| f * x).sum();
        match law.modulus.is_zero() {
            true => sum == law.value,
            false => rem_euclid(&sum, &law.modulus) == law.value,
        }
    }

    #[test]
    fn laws_of_points() {
        let check = |of: &[&[i64]], inside: &[&[i64]], outside: &[&[i64]]| {
            let laws = points(of).laws();
            let all = |p: &[i64]| {
                let point: Vec<Int> = p.iter().map(|x| Int::from(*x)).collect();
                laws.iter().all(|law| holds(law, &point))
            };
            for p in inside {
                assert!(all(p), "{p:?} in {laws:?}");
            }
            for p in outside {
                assert!(!all(p), "{p:?} not in {laws:?}");
            }
        };
        // A single point, a line, an arithmetic progression, a grid that is no product.
        check(&[&[3, 4]], &[&[3, 4]], &[&[3, 5], &[4, 4]]);
        check(&[&[0, 0], &[1, 1]], &[&[7, 7], &[-2, -2]], &[&[1, 2]]);
        check(&[&[1, 10], &[3, 8]], &[&[5, 6], &[-1, 12]], &[&[2, 9], &[5, 7]]);
        check(&[&[0, 0], &[2, 1], &[0, 3]], &[&[2, 4], &[4, 2], &[6, 0]], &[&[2, 0], &[1, 0]]);
    }

    proptest! {
        /// The laws hold for a point if and only if it adds nothing.
        #[test]
        fn laws_say_what_the_points_are(
            of in prop::collection::vec(prop::collection::vec(-6i64..7, 3), 1..5),
            other in prop::collection::vec(-6i64..7, 3),
        ) {
            let slices: Vec<&[i64]> = of.iter().map(Vec::as_slice).collect();
            let mut all = points(&slices);
            let laws = all.laws();
            for point in &of {
                let point: Vec<Int> = point.iter().map(|x| Int::from(*x)).collect();
                prop_assert!(laws.iter().all(|law| holds(law, &point)));
            }
            let other: Vec<Int> = other.iter().map(|x| Int::from(*x)).collect();
            let inside = laws.iter().all(|law| holds(law, &other));
            prop_assert_eq!(all.join(&other), !inside);
        }
    }
}
