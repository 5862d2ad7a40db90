//! Integers beyond sums: products, division with remainder, and bounds known from a term's shape.

use super::{Node, Sort, Sum, Term, Terms};
use crate::number::{Int, is_negative, power_of_two, rem_euclid};

/// Products with at most so many monomials are multiplied out.
const EXPAND_LIMIT: usize = 16;

impl Terms {
    pub fn mul(&mut self, a: Term, b: Term) -> Term {
        let sort = self.sort(a);
        debug_assert!(sort.is_numeric() && sort == self.sort(b));
        let (left, right) = (self.sum_of(a), self.sum_of(b));
        if left.monomials.is_empty() {
            return self.scale_by(&left, right, sort);
        }
        if right.monomials.is_empty() {
            return self.scale_by(&right, left, sort);
        }
        match (left.monomials.len() + 1) * (right.monomials.len() + 1) <= EXPAND_LIMIT {
            true => self.expand(&left, &right, sort),
            false => self.product(&[a, b], sort),
        }
    }

    fn scale_by(&mut self, constant: &Sum, sum: Sum, sort: Sort) -> Term {
        let mut scaled = sum.scale(&constant.constant);
        scaled.denominator *= &constant.denominator;
        self.sum(scaled, sort)
    }

    fn expand(&mut self, left: &Sum, right: &Sum, sort: Sort) -> Term {
        let mut total = Sum::constant(&left.constant * &right.constant);
        for (term, coefficient) in &left.monomials {
            let linear =
                Sum { monomials: vec![(*term, coefficient.clone())], ..Sum::constant(Int::ZERO) };
            total = total.add_scaled(&linear, &right.constant);
        }
        for (term, coefficient) in &right.monomials {
            let linear =
                Sum { monomials: vec![(*term, coefficient.clone())], ..Sum::constant(Int::ZERO) };
            total = total.add_scaled(&linear, &left.constant);
        }
        for (a, x) in &left.monomials {
            for (b, y) in &right.monomials {
                let product = self.product(&[*a, *b], sort);
                total = total.add_scaled(&self.sum_of(product), &(x * y));
            }
        }
        total.denominator = &left.denominator * &right.denominator;
        self.sum(total, sort)
    }

    /// A product of terms, flattened.
    fn product(&mut self, factors: &[Term], sort: Sort) -> Term {
        let mut flat = Vec::new();
        for factor in factors {
            match self.node(*factor) {
                Node::Product(inner) => flat.extend_from_slice(inner),
                _ => flat.push(*factor),
            }
        }
        flat.sort_unstable();
        self.intern(Node::Product(flat.into()), sort)
    }

    /// SMT-LIB's `div`; unspecified by zero.
    pub fn div(&mut self, a: Term, b: Term) -> Term {
        match self.as_int(b).cloned() {
            Some(divisor) if is_negative(&divisor) => {
                let quotient = self.div_by(a, &-divisor);
                self.neg(quotient)
            }
            Some(divisor) if !divisor.is_zero() => self.div_by(a, &divisor),
            _ => self.intern(Node::Div(a, b), Sort::Int),
        }
    }

    /// `a div divisor` for a positive divisor: multiples of the divisor come out of the quotient.
    fn div_by(&mut self, a: Term, divisor: &Int) -> Term {
        if *divisor == Int::ONE {
            return a;
        }
        let sum = self.sum_of(a);
        let rest = self.residue(&sum, divisor);
        let mut whole = sum.add_scaled(&rest, &Int::NEG_ONE);
        for (_, coefficient) in &mut whole.monomials {
            *coefficient /= divisor;
        }
        whole.constant /= divisor;
        let whole = self.sum(whole, Sort::Int);
        if self.lies_within(&rest, divisor) {
            return whole;
        }
        let rest = self.sum(rest, Sort::Int);
        let fraction = match *self.node(rest) {
            // floor(floor(x / a) / b) = floor(x / (a b)).
            Node::Div(inner, by) if self.as_int(by).is_some_and(|by| *by > Int::ZERO) => {
                let by = self.as_int(by).expect("just seen") * divisor;
                return {
                    let quotient = self.div_by(inner, &by);
                    self.add(whole, quotient)
                };
            }
            _ => {
                let divisor = self.int(divisor.clone());
                self.intern(Node::Div(rest, divisor), Sort::Int)
            }
        };
        self.add(whole, fraction)
    }

    /// SMT-LIB's `mod`; unspecified by zero.
    pub fn modulo(&mut self, a: Term, b: Term) -> Term {
        match self.as_int(b).cloned() {
            Some(divisor) if is_negative(&divisor) => self.mod_by(a, &-divisor),
            Some(divisor) if !divisor.is_zero() => self.mod_by(a, &divisor),
            _ => self.intern(Node::Mod(a, b), Sort::Int),
        }
    }

    fn mod_by(&mut self, a: Term, divisor: &Int) -> Term {
        let rest = self.reduce_modulo(&self.sum_of(a), divisor);
        let within = self.lies_within(&rest, divisor);
        let rest = self.sum(rest, Sort::Int);
        match within {
            true => rest,
            false => {
                let divisor = self.int(divisor.clone());
                self.intern(Node::Mod(rest, divisor), Sort::Int)
            }
        }
    }

    /// A sum equal modulo `divisor`: (x mod (k m)) mod m = x mod m, as a summand too.
    pub(super) fn reduce_modulo(&self, sum: &Sum, divisor: &Int) -> Sum {
        let mut rest = self.residue(sum, divisor);
        // The youngest first: its parts may hold the others, which are then undone only once.
        while let Some(at) = rest.monomials.iter().rposition(|(t, _)| self.is_mod_of(*t, divisor)) {
            let (inner, coefficient) = rest.monomials.remove(at);
            let Node::Mod(argument, _) = *self.node(inner) else { unreachable!("just seen") };
            rest = rest.add_scaled(&self.sum_of(argument), &coefficient);
            rest = self.residue(&rest, divisor);
        }
        rest
    }

    /// Whether `term` is `_ mod (k · divisor)`.
    fn is_mod_of(&self, term: Term, divisor: &Int) -> bool {
        match *self.node(term) {
            Node::Mod(_, by) => {
                self.as_int(by).is_some_and(|by| !by.is_zero() && (by % divisor).is_zero())
            }
            _ => false,
        }
    }

    /// A sum equal modulo `divisor`: coefficients nearest to zero, the constant Euclidean.
    fn residue(&self, sum: &Sum, divisor: &Int) -> Sum {
        let nearest = |c: &Int| {
            let rest = rem_euclid(c, divisor);
            match &rest + &rest > *divisor {
                true => rest - divisor,
                false => rest,
            }
        };
        Sum {
            monomials: sum
                .monomials
                .iter()
                .map(|(t, c)| (*t, nearest(c)))
                .filter(|(_, c)| !c.is_zero())
                .collect(),
            constant: rem_euclid(&sum.constant, divisor),
            denominator: Int::ONE,
        }
    }

    /// Whether a sum is known to be at least zero and less than `divisor`.
    fn lies_within(&self, sum: &Sum, divisor: &Int) -> bool {
        let (low, high) = self.bounds_of_sum(sum);
        low.is_some_and(|low| !is_negative(&low)) && high.is_some_and(|high| high < *divisor)
    }

    /// Smallest and largest numerator of a sum, where the terms' shapes tell.
    pub(super) fn bounds_of_sum(&self, sum: &Sum) -> (Option<Int>, Option<Int>) {
        let mut low = Some(sum.constant.clone());
        let mut high = low.clone();
        for (term, coefficient) in &sum.monomials {
            let Some((smallest, largest)) = self.bounds(*term) else { return (None, None) };
            let (a, b) = match is_negative(coefficient) {
                false => (smallest, largest),
                true => (largest, smallest),
            };
            low = low.zip(a).map(|(low, a)| low + a * coefficient);
            high = high.zip(b).map(|(high, b)| high + b * coefficient);
        }
        (low, high)
    }

    /// What a term's outermost operator says of its value; `None`: nothing.
    fn bounds(&self, term: Term) -> Option<(Option<Int>, Option<Int>)> {
        match *self.node(term) {
            Node::Mod(_, by) => {
                let by = self.as_int(by).filter(|by| !by.is_zero())?;
                Some((Some(Int::ZERO), Some(by - Int::ONE)))
            }
            Node::BvToInt(of) => {
                let Sort::BitVec(width) = self.sort(of) else { unreachable!("sorted terms") };
                Some((Some(Int::ZERO), Some(power_of_two(width) - Int::ONE)))
            }
            Node::Product(ref factors) if factors.len() == 2 && factors[0] == factors[1] => {
                Some((Some(Int::ZERO), None))
            }
            _ => None,
        }
    }

    pub fn int_to_real(&mut self, a: Term) -> Term {
        debug_assert_eq!(self.sort(a), Sort::Int);
        let sum = self.sum_of(a);
        let mut real = vec![(Sum::constant(sum.constant), Int::ONE)];
        for (term, coefficient) in sum.monomials {
            let term = self.intern(Node::ToReal(term), Sort::Real);
            real.push((self.sum_of(term), coefficient));
        }
        self.sum(Sum::gather(&real), Sort::Real)
    }

    /// `|a|`.
    pub fn abs(&mut self, a: Term) -> Term {
        let zero = self.int(0);
        let negative = self.lt(a, zero);
        let negated = self.neg(a);
        self.ite(negative, negated, a)
    }
}
