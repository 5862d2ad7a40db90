//! Random trees: calls with a parameter and a result, and formulas without such a story.

use fastrand::Rng;

use super::{deal, factor, random_clauses, rows_by_divisor, rows_by_farkas, rows_of_integers};
use crate::problems::draft::Draft;
use crate::problems::formula::{Formula, all, any, ite, total, var};
use crate::problems::paths;

/// The parents of a random tree; the last node is the root.
fn parents(rng: &mut Rng, nodes: usize) -> Vec<Option<usize>> {
    let span = rng.usize(1..=8);
    (0..nodes)
        .map(|at| (at + 1 < nodes).then(|| rng.usize(at + 1..=(at + span).min(nodes - 1))))
        .collect()
}

fn size(rng: &mut Rng) -> usize {
    match rng.u8(0..3) {
        0 => rng.usize(3..=31),
        _ => rng.usize(3..=12),
    }
}

fn empty(rng: &mut Rng, nodes: usize) -> Draft {
    let parents = parents(rng, nodes);
    Draft { nodes: parents.into_iter().map(|p| (Formula::truth(), p)).collect() }
}

fn dealt(rng: &mut Rng, formulas: Vec<Formula>) -> Draft {
    let nodes = size(rng);
    let mut draft = empty(rng, nodes);
    for (node, formula) in deal(rng, formulas, nodes).into_iter().enumerate() {
        draft.nodes[node].0 = formula;
    }
    draft
}

pub fn farkas(rng: &mut Rng) -> Draft {
    let rows = rows_by_farkas(rng);
    dealt(rng, rows)
}

pub fn integers(rng: &mut Rng) -> Draft {
    let rows = rows_of_integers(rng);
    dealt(rng, rows)
}

pub fn diophantine(rng: &mut Rng) -> Draft {
    let rows = rows_by_divisor(rng);
    dealt(rng, rows)
}

pub fn clauses(rng: &mut Rng) -> Draft {
    let clauses = random_clauses(rng);
    dealt(rng, clauses)
}

/// Calls after each other, each adding something between two bounds to its parameter.
pub fn calls(rng: &mut Rng) -> Draft {
    let nodes = size(rng);
    let mut draft = empty(rng, nodes);
    // What a call may add.
    let mut added: Vec<(i64, i64)> = Vec::with_capacity(nodes);
    let disjunctive = rng.bool();
    for node in 0..nodes {
        let (n, r) = (var("n", node), var("r", node));
        let below: Vec<usize> = draft.children(node).collect();
        if below.is_empty() {
            let (a, b) = (rng.i64(-3..=3), rng.i64(-3..=3));
            let (low, high) = (a.min(b), a.max(b));
            added.push((low, high));
            let pivot = rng.i64(-5..=5);
            let formula = match rng.u8(0..3) {
                0 if disjunctive => any([
                    all([n.clone().more(pivot), r.clone().is(n.clone() + a)]),
                    all([n.clone().at_most(pivot), r.is(n + b)]),
                ]),
                1 if disjunctive => r.is(ite(n.clone().more(pivot), n.clone() + a, n + b)),
                _ => all([r.clone().at_least(n.clone() + low), r.at_most(n + high)]),
            };
            draft.nodes[node].0 = formula;
            continue;
        }
        let mut so_far = (0, 0);
        let mut last = n;
        for child in below {
            let by = rng.i64(-2..=2);
            draft.conjoin(node, var("n", child).is(last + by));
            so_far = (so_far.0 + by + added[child].0, so_far.1 + by + added[child].1);
            last = var("r", child);
        }
        draft.conjoin(node, r.is(last));
        added.push(so_far);
    }
    let root = nodes - 1;
    let (low, high) = added[root];
    let difference = var("r", root) - var("n", root);
    draft.conjoin(
        root,
        match rng.bool() {
            true => difference.less(low),
            false => any([difference.clone().more(high), difference.less(low)]),
        },
    );
    draft
}

/// Results that are sums of the results below: bounds, multiples of a number.
pub fn sums(rng: &mut Rng) -> Draft {
    let nodes = size(rng);
    let mut draft = empty(rng, nodes);
    let modulus = rng.i64(1..=5);
    for node in 0..nodes {
        let r = var("r", node);
        let below: Vec<usize> = draft.children(node).collect();
        let formula = match below.is_empty() {
            true if rng.bool() => all([r.clone().at_least(0), (r % modulus).is(0)]),
            true => all([var("q", node).at_least(0), r.is(var("q", node) * modulus)]),
            false => r.is(total(below.into_iter().map(|c| var("r", c))) + modulus * rng.i64(0..=2)),
        };
        draft.nodes[node].0 = formula;
    }
    let r = var("r", nodes - 1);
    let wrong = match rng.bool() {
        true if modulus > 1 => (r % modulus).is(rng.i64(1..modulus)),
        _ => r.less(0),
    };
    draft.conjoin(nodes - 1, wrong);
    draft
}

pub fn mccarthy(rng: &mut Rng) -> Draft {
    // 31 calls at most.
    let argument = rng.i64(86..=101);
    let off = factor(rng, 3);
    let kind = rng.u8(0..3);
    paths::mccarthy91(argument, |root| {
        let r = var("r", root);
        match kind {
            0 => paths::not_91(root),
            1 => all([var("n", root).at_most(101), r.is(91 + off)]),
            _ => all([var("n", root).at_most(101), r.more(91)]),
        }
    })
}

/// The calls of `f(n) = n < 2 ? n : f(n - 1) + f(n - 2)` for a small `n`.
pub fn fibonacci(rng: &mut Rng) -> Draft {
    let argument = rng.i64(1..=6);
    let mut nodes = Vec::new();
    let root = fibonacci_call(&mut nodes, argument);
    let mut draft = Draft { nodes };
    let (n, r) = (var("n", root), var("r", root));
    draft.conjoin(
        root,
        match rng.u8(0..3) {
            0 => r.less(n - 1),
            1 => r.less(0),
            _ => any([r.clone().less(n.clone() - 1), all([n.at_least(7), r.less(9)])]),
        },
    );
    draft
}

fn fibonacci_call(nodes: &mut Vec<(Formula, Option<usize>)>, argument: i64) -> usize {
    if argument < 2 {
        let at = nodes.len();
        let (n, r) = (var("n", at), var("r", at));
        nodes.push((all([n.clone().less(2), n.clone().at_least(0), r.is(n)]), None));
        return at;
    }
    let first = fibonacci_call(nodes, argument - 1);
    let second = fibonacci_call(nodes, argument - 2);
    let at = nodes.len();
    let formula = all([
        var("n", at).at_least(2),
        var("n", first).is(var("n", at) - 1),
        var("n", second).is(var("n", at) - 2),
        var("r", at).is(var("r", first) + var("r", second)),
    ]);
    nodes.push((formula, None));
    for child in [first, second] {
        nodes[child].1 = Some(at);
    }
    at
}
