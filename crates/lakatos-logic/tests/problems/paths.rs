//! Counterexamples whose interpolants are known: loops unrolled, calls unfolded.

use super::draft::Draft;
use super::formula::{Formula, all, any, named, number, var};

/// `start; k times step; end`.
fn unrolled(start: Formula, k: usize, step: impl Fn(usize) -> Formula, end: Formula) -> Draft {
    let mut formulas = vec![start];
    formulas.extend((0..k).map(step));
    formulas.push(end);
    Draft::sequence(formulas)
}

/// `name` grows by a number in step `at`.
fn grows(name: &str, at: usize, by: i64) -> Formula {
    var(name, at + 1).is(var(name, at) + by)
}

/// `x = y = 0; k times (x++, y++); x != y`.
pub fn equal_counters(k: usize) -> Draft {
    unrolled(
        all([var("x", 0).is(0), var("y", 0).is(0)]),
        k,
        |i| all([grows("x", i, 1), grows("y", i, 1)]),
        var("x", k).differs(var("y", k)),
    )
}

/// `n >= 0; i = 0; k times (i < n; i++); i >= n; i != n`.
pub fn counter_loop(k: usize) -> Draft {
    let n = || named("n");
    unrolled(
        all([var("i", 0).is(0), n().at_least(0)]),
        k,
        |i| all([var("i", i).less(n()), grows("i", i, 1)]),
        all([var("i", k).at_least(n()), var("i", k).differs(n())]),
    )
}

/// [`counter_loop`] with six variables that feed each other and nothing else.
pub fn noisy_counter_loop(k: usize) -> Draft {
    let mut draft = counter_loop(k);
    let names: Vec<String> = (0..6).map(|z| format!("z{z}")).collect();
    for (at, name) in names.iter().enumerate() {
        let other = &names[(at + 1) % names.len()];
        draft.conjoin(0, var(name, 0).is(at as i64));
        for i in 0..k {
            let fed = var(name, i + 1).is(var(name, i) + var(other, i) + 1);
            draft.conjoin(i + 1, fed);
        }
        draft.conjoin(k + 1, var(name, k).at_least(-1000));
    }
    draft
}

/// `n >= 0; i = s = 0; k times (i < n; s += 2; i++); i >= n; s != 2 n`.
pub fn doubled(k: usize) -> Draft {
    let n = || named("n");
    unrolled(
        all([var("i", 0).is(0), var("s", 0).is(0), n().at_least(0)]),
        k,
        |i| all([var("i", i).less(n()), grows("s", i, 2), grows("i", i, 1)]),
        all([var("i", k).at_least(n()), var("s", k).differs(n() * 2)]),
    )
}

/// `i = s = 0; k times (s += 2; i++); s != 2 i`.
pub fn doubled_exactly(k: usize) -> Draft {
    unrolled(
        all([var("i", 0).is(0), var("s", 0).is(0)]),
        k,
        |i| all([grows("s", i, 2), grows("i", i, 1)]),
        var("s", k).differs(var("i", k) * 2),
    )
}

/// `x` is even; k times `x += 2`; `x` is odd.
pub fn parity(k: usize) -> Draft {
    unrolled(
        var("x", 0).is(named("a") * 2),
        k,
        |i| grows("x", i, 2),
        var("x", k).is(named("m") * 2 + 1),
    )
}

/// [`parity`] with remainders in the place of the halves.
pub fn remainders(k: usize) -> Draft {
    unrolled((var("x", 0) % 2).is(0), k, |i| grows("x", i, 2), (var("x", k) % 2).is(1))
}

/// `i = 0; k times i++; i < 0`.
pub fn not_negative(k: usize) -> Draft {
    unrolled(var("i", 0).is(0), k, |i| grows("i", i, 1), var("i", k).less(0))
}

/// `x = y = 0; k times (b <= x ? (x += 1, y += 2) : (x += 2, y += 1)); 2 x < y or 2 y < x`.
pub fn branching(k: usize) -> Draft {
    let by = |at: usize, x: i64, y: i64| [grows("x", at, x), grows("y", at, y)];
    unrolled(
        all([var("x", 0).is(0), var("y", 0).is(0)]),
        k,
        |i| {
            let [x, y] = by(i, 1, 2);
            let then = all([named("b").at_most(var("x", i)), x, y]);
            let [x, y] = by(i, 2, 1);
            any([then, all([var("x", i).less(named("b")), x, y])])
        },
        any([(var("x", k) * 2).less(var("y", k)), (var("y", k) * 2).less(var("x", k))]),
    )
}

/// The calls that McCarthy's 91 function makes for an argument: those of `f(94)` are 15. A node is
/// a call with its parameter `n` and its result `r`; the root's result is wrong.
///
/// `f(n) = n > 100 ? n - 10 : f(f(n + 11))`
pub fn mccarthy91(argument: i64, wrong: impl Fn(usize) -> Formula) -> Draft {
    let mut nodes = Vec::new();
    let root = call(&mut nodes, argument);
    let (formula, _) = &mut nodes[root];
    *formula = formula.clone().and(wrong(root));
    Draft { nodes }
}

/// Adds a call after the calls that it makes.
fn call(nodes: &mut Vec<(Formula, Option<usize>)>, argument: i64) -> usize {
    if argument > 100 {
        let at = nodes.len();
        let (n, r) = (var("n", at), var("r", at));
        nodes.push((all([n.clone().more(100), r.is(n - 10)]), None));
        return at;
    }
    let inner = call(nodes, argument + 11);
    let outer = call(nodes, if argument + 11 > 100 { argument + 1 } else { 91 });
    let at = nodes.len();
    let formula = all([
        var("n", at).at_most(100),
        var("n", inner).is(var("n", at) + 11),
        var("n", outer).is(var("r", inner)),
        var("r", at).is(var("r", outer)),
    ]);
    nodes.push((formula, None));
    for child in [inner, outer] {
        nodes[child].1 = Some(at);
    }
    at
}

/// `r != 91`, or `r > 91` for arguments up to 101.
pub fn not_91(root: usize) -> Formula {
    all([var("n", root).at_most(101), var("r", root).differs(number(91))])
}

/// The tree of Appendix A of the BAM thesis: a run of `main` with `f(2)`, in which the recursive
/// call ends at once. Each call is a subtree; what is passed to it and comes back has a name.
pub fn appendix_a() -> Draft {
    let nodes = [
        (named("a0").is(2), 6),
        (all([named("x0").is(named("p0")), named("x0").more(0)]), 3),
        (
            all([named("x1").is(named("p1")), named("x1").at_most(0), named("r0").is(named("x1"))]),
            3,
        ),
        (named("p1").is(named("x0") - 1), 4),
        (named("tmp0").is(named("r0")), 5),
        (named("r1").is(named("tmp0") + 1), 6),
        (named("p0").is(named("a0")), 7),
        (named("b0").is(named("r1")), 8),
    ];
    let mut nodes: Vec<_> = nodes.into_iter().map(|(f, parent)| (f, Some(parent))).collect();
    nodes.push((named("b0").differs(2), None));
    Draft { nodes }
}
