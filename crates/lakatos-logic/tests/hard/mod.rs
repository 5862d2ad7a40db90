//! Formulas that keep a solver busy.

use lakatos_logic::term::{BvBinary, BvCompare, Sort, Term, Terms};

/// So many pigeons, one hole less: resolution takes exponentially many steps to see it.
pub fn pigeons(terms: &mut Terms, pigeons: usize) -> Term {
    let sits = |terms: &mut Terms, pigeon: usize, hole: usize| {
        terms.symbol(&format!("sits{pigeon},{hole}"), Sort::Bool)
    };
    let mut parts = Vec::new();
    for pigeon in 0..pigeons {
        let somewhere: Vec<Term> = (1..pigeons).map(|hole| sits(terms, pigeon, hole)).collect();
        parts.push(terms.or(somewhere));
        for (other, hole) in (0..pigeon).flat_map(|o| (1..pigeons).map(move |h| (o, h))) {
            let (one, two) = (sits(terms, pigeon, hole), sits(terms, other, hole));
            let both = terms.and([one, two]);
            parts.push(terms.not(both));
        }
    }
    terms.and(parts)
}

/// Three cubes that sum up to 114: nobody knows whether there are such numbers.
pub fn cubes(terms: &mut Terms) -> Term {
    let mut cubes = Vec::new();
    for name in ["x", "y", "z"] {
        let x = terms.symbol(name, Sort::Int);
        let square = terms.mul(x, x);
        cubes.push(terms.mul(square, x));
    }
    let sum = terms.add_all(cubes, Sort::Int);
    let value = terms.int(114);
    terms.eq(sum, value)
}

/// The factors of a product of two primes.
pub fn factors(terms: &mut Terms) -> Term {
    let [a, b] = ["a", "b"].map(|name| terms.symbol(name, Sort::BitVec(64)));
    let product = terms.bv_binary(BvBinary::Mul, a, b);
    let value = terms.bv(1_000_000_007u64 * 998_244_353, 64);
    let mut parts = vec![terms.eq(product, value)];
    let (least, most) = (terms.bv(2, 64), terms.bv(1u64 << 31, 64));
    for factor in [a, b] {
        parts.push(terms.bv_compare(BvCompare::Ult, least, factor));
        parts.push(terms.bv_compare(BvCompare::Ult, factor, most));
    }
    terms.and(parts)
}
