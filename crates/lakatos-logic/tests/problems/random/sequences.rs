//! Random sequences: paths of programs that keep an invariant and end where it does not hold, and
//! formulas without such a story.

use std::collections::BTreeMap;

use fastrand::Rng;

use super::{deal, factor, random_clauses, rows_by_divisor, rows_by_farkas, rows_of_integers};
use crate::problems::draft::Draft;
use crate::problems::formula::{Expr, Formula, all, any, flag, ite, named, number, total, var};

/// Of a sequence with a first and a last formula; short ones are frequent.
fn steps(rng: &mut Rng) -> usize {
    match rng.u8(0..3) {
        0 => rng.usize(0..=28),
        1 => rng.usize(0..=12),
        _ => rng.usize(0..=5),
    }
}

fn conjunction(parts: impl IntoIterator<Item = Formula>) -> Formula {
    Formula::And(parts.into_iter().collect())
}

/// Variables that grow in a fixed ratio; a combination stays what it was.
pub fn counters(rng: &mut Rng) -> Draft {
    let count = rng.usize(2..=4);
    let names: Vec<String> = (0..count).map(|x| format!("x{x}")).collect();
    let growth: Vec<i64> = names.iter().map(|_| rng.i64(-3..=3)).collect();
    let start: Vec<i64> = names.iter().map(|_| rng.i64(-9..=9)).collect();
    let k = steps(rng);
    let mut invariant = vec![0; count];
    (invariant[0], invariant[1]) = (growth[1], -growth[0]);
    if growth[0] == 0 && growth[1] == 0 {
        (invariant[0], invariant[1]) = (1, 1);
    }
    if count > 2 && growth[2] == 0 {
        invariant[2] = factor(rng, 2);
    }
    let combined = |at: usize| total(names.iter().zip(&invariant).map(|(x, a)| var(x, at) * *a));
    let value: i64 = invariant.iter().zip(&start).map(|(a, s)| a * s).sum();

    let mut formulas = vec![match rng.bool() {
        true => conjunction(names.iter().zip(&start).map(|(x, s)| var(x, 0).is(*s))),
        false => combined(0).is(value),
    }];
    for i in 0..k {
        let often = if rng.bool() { 1 } else { rng.i64(-2..=3) };
        formulas.push(conjunction(
            names.iter().zip(&growth).map(|(x, g)| var(x, i + 1).is(var(x, i) + g * often)),
        ));
    }
    formulas.push(match rng.u8(0..3) {
        0 => combined(k).differs(value),
        1 => combined(k).less(value - rng.i64(0..=4)),
        _ => combined(k).more(value + rng.i64(0..=4)),
    });
    Draft::sequence(formulas)
}

/// Loops with a guard that count up or down to a bound and go past it.
pub fn bounds(rng: &mut Rng) -> Draft {
    let k = steps(rng);
    let stride = rng.i64(1..=3);
    let up = if rng.bool() { 1 } else { -1 };
    let limit = if rng.bool() { named("n") } else { number(rng.i64(-5..=20)) };
    let start = rng.i64(-3..=3);
    // Upwards or downwards, `distance` is what remains to the limit.
    let distance = |at: usize| (limit.clone() - var("i", at)) * up;
    let mut formulas = vec![all([var("i", 0).is(start), distance(0).at_least(0)])];
    let rate = rng.i64(-2..=3);
    let with_sum = rng.bool();
    if with_sum {
        formulas[0] = formulas[0].clone().and(var("s", 0).is(start * rate));
    }
    for i in 0..k {
        let mut step = all([distance(i).more(0), var("i", i + 1).is(var("i", i) + stride * up)]);
        if with_sum {
            step = step.and(var("s", i + 1).is(var("s", i) + stride * up * rate));
        }
        formulas.push(step);
    }
    let past = distance(k).at_most(-stride);
    formulas.push(match (with_sum, stride) {
        (true, _) => any([past, var("s", k).differs(var("i", k) * rate)]),
        (_, 1) => all([distance(k).at_most(0), distance(k).differs(0)]),
        _ => past,
    });
    Draft::sequence(formulas)
}

/// What is left by a division, kept or shifted by known amounts.
pub fn remainders(rng: &mut Rng) -> Draft {
    let k = steps(rng);
    let modulus = rng.i64(2..=8);
    let rest = rng.i64(0..modulus);
    let mut now = rest;
    let written = |rng: &mut Rng, x: Expr, rest: i64, unknown: &str| match rng.u8(0..3) {
        0 => (x % modulus).is(rest),
        1 => x.is(named(unknown) * modulus + rest),
        _ => (x.clone() - (x / modulus) * modulus).is(rest),
    };
    let mut formulas = vec![written(rng, var("x", 0), rest, "a")];
    for i in 0..k {
        let (old, new) = (var("x", i), var("x", i + 1));
        formulas.push(match rng.u8(0..4) {
            0 => new.is(old + var("q", i) * modulus),
            1 => {
                let by = rng.i64(-9..=9);
                now = (now + by).rem_euclid(modulus);
                new.is(old + by)
            }
            2 => {
                now = (-now).rem_euclid(modulus);
                new.is(old * -1)
            }
            _ => new.is(old + modulus * rng.i64(-2..=2)),
        });
    }
    let wrong = (now + rng.i64(1..modulus)).rem_euclid(modulus);
    formulas.push(match rng.bool() {
        true => written(rng, var("x", k), wrong, "b"),
        false => (var("x", k) % modulus).differs(now),
    });
    Draft::sequence(formulas)
}

pub fn farkas(rng: &mut Rng) -> Draft {
    let rows = rows_by_farkas(rng);
    let nodes = rng.usize(2..=10);
    Draft::sequence(deal(rng, rows, nodes))
}

pub fn integers(rng: &mut Rng) -> Draft {
    let rows = rows_of_integers(rng);
    let nodes = rng.usize(2..=10);
    Draft::sequence(deal(rng, rows, nodes))
}

pub fn diophantine(rng: &mut Rng) -> Draft {
    let rows = rows_by_divisor(rng);
    let nodes = rng.usize(2..=8);
    Draft::sequence(deal(rng, rows, nodes))
}

pub fn clauses(rng: &mut Rng) -> Draft {
    let clauses = random_clauses(rng);
    let nodes = rng.usize(2..=12);
    Draft::sequence(deal(rng, clauses, nodes))
}

/// Steps that may go two or three ways, none of which makes a combination smaller.
pub fn branches(rng: &mut Rng) -> Draft {
    let k = match rng.u8(0..3) {
        0 => rng.usize(0..=28),
        _ => rng.usize(0..=8),
    };
    let (a, b) = (rng.i64(-3..=3), factor(rng, 3));
    let combined = |at: usize| var("x", at) * a + var("y", at) * b;
    let same = rng.u8(0..4) == 0;
    let ways: Vec<(i64, i64)> = (0..rng.usize(2..=3))
        .map(|_| {
            loop {
                let (x, y) = (rng.i64(-3..=3), rng.i64(-3..=3));
                let change = a * x + b * y;
                if change == 0 || change > 0 && !same {
                    return (x, y);
                }
            }
        })
        .collect();
    let start = rng.i64(-5..=5);
    let guard = match rng.u8(0..3) {
        0 => None,
        1 => Some(named("b")),
        _ => Some(number(rng.i64(-3..=6))),
    };
    let mut formulas = vec![match rng.bool() {
        true => all([var("x", 0).is(0), var("y", 0).is(start)]),
        false => combined(0).is(b * start),
    }];
    for i in 0..k {
        let alternatives = ways.iter().enumerate().map(|(way, (x, y))| {
            let moved =
                all([var("x", i + 1).is(var("x", i) + *x), var("y", i + 1).is(var("y", i) + *y)]);
            match (&guard, way) {
                (Some(bound), 0) => moved.and(var("x", i).at_least(bound.clone())),
                (Some(bound), 1) => moved.and(var("x", i).less(bound.clone())),
                _ => moved,
            }
        });
        formulas.push(Formula::Or(alternatives.collect()));
    }
    formulas.push(match same {
        true => combined(k).differs(b * start),
        false => combined(k).less(b * start - rng.i64(0..=2)),
    });
    Draft::sequence(formulas)
}

/// Flags that remember a comparison or are toggled, and numbers that depend on them.
pub fn flags(rng: &mut Rng) -> Draft {
    let k = steps(rng).min(16);
    match rng.u8(0..3) {
        // A lock that is taken and released in turn.
        0 => {
            let held =
                |i: usize| if i.is_multiple_of(2) { !flag("held", i) } else { flag("held", i) };
            let mut formulas = vec![all([held(0), var("x", 0).is(0)])];
            for i in 0..k {
                let moved =
                    var("x", i + 1).is(ite(flag("held", i), var("x", i) - 1, var("x", i) + 1));
                formulas.push(all([flag("held", i + 1).iff(!flag("held", i)), moved]));
            }
            formulas.push(match rng.bool() {
                true => !held(k),
                false => var("x", k).differs((k % 2) as i64),
            });
            Draft::sequence(formulas)
        }
        // A flag that stays what a comparison made it.
        1 => {
            let bound = rng.i64(-3..=3);
            let mut formulas = vec![flag("f", 0).iff(named("x").more(bound))];
            for i in 0..k {
                formulas.push(flag("f", i + 1).iff(flag("f", i)));
            }
            formulas.push(match rng.bool() {
                true => all([flag("f", k), named("x").at_most(bound)]),
                false => flag("f", k).iff(named("x").at_most(bound - rng.i64(0..=0))),
            });
            Draft::sequence(formulas)
        }
        // `f` implies a bound that every step keeps.
        _ => {
            let mut formulas = vec![any([!flag("f", 0), var("x", 0).at_least(0)])];
            for i in 0..k {
                let grown = var("x", i + 1).is(var("x", i) + rng.i64(0..=2));
                let reset = all([!flag("f", i + 1), var("x", i + 1).is(var("z", i))]);
                formulas.push(any([all([flag("f", i + 1).iff(flag("f", i)), grown]), reset]));
            }
            formulas.push(all([flag("f", k), var("x", k).less(0)]));
            Draft::sequence(formulas)
        }
    }
}

/// Machine arithmetic: sums and differences that wrap around.
pub fn wrapping(rng: &mut Rng) -> Draft {
    let k = rng.usize(1..=6);
    let (low, high) = match rng.u8(0..4) {
        0 => (0, 255),
        1 => (-128, 127),
        2 => (0, 4_294_967_295),
        _ => (-2_147_483_648, 2_147_483_647),
    };
    let size = high - low + 1;
    let above = |e: Expr| ite(e.clone().more(high), e.clone() - size, e);
    let below = |e: Expr| ite(e.clone().less(low), e.clone() + size, e);
    let within = |e: Expr| all([e.clone().at_least(low), e.at_most(high)]);
    let mut formulas = vec![within(var("x", 0))];
    let small = rng.u8(0..3) == 0;
    if small {
        // Far from any wrapping.
        formulas[0] = all([var("x", 0).at_least(low + 10), var("x", 0).at_most(high - 1000)]);
    }
    let mut grown = 0;
    for i in 0..k {
        let (old, new) = (var("x", i), var("x", i + 1));
        formulas.push(match rng.u8(0..3) {
            _ if small => {
                let by = rng.i64(0..=9);
                grown += by;
                new.is(above(old + by))
            }
            0 => new.is(above(old + rng.i64(0..=100))),
            1 => new.is(below(old - rng.i64(0..=100))),
            _ => all([within(var("y", i)), new.is(below(above(old + var("y", i))))]),
        });
    }
    formulas.push(match rng.bool() {
        true if small => var("x", k).less(low + 10 + grown),
        false if small => var("x", k).more(high - 1000 + grown),
        true => var("x", k).more(high),
        false => var("x", k).less(low),
    });
    Draft::sequence(formulas)
}

/// Straight-line programs on known values that end with another value than theirs.
pub fn programs(rng: &mut Rng) -> Draft {
    let k = steps(rng);
    let count = rng.usize(1..=4);
    let names: Vec<String> = (0..count).map(|x| format!("x{x}")).collect();
    let mut values: BTreeMap<String, i64> = BTreeMap::new();
    let mut formulas = vec![conjunction(names.iter().map(|x| {
        let value = rng.i64(-9..=9);
        values.insert(format!("{x}@0"), value);
        var(x, 0).is(value)
    }))];
    for i in 0..k {
        let changed = rng.usize(0..count);
        let mut parts = Vec::new();
        for (at, x) in names.iter().enumerate() {
            let old = var(x, i);
            let new = match at == changed {
                true => assigned(rng, &names, old, i),
                false => old,
            };
            let value = new.value(&values);
            let new = match value.abs() > 1_000 {
                true => number(0),
                false => new,
            };
            values.insert(format!("{x}@{}", i + 1), new.value(&values));
            parts.push(var(x, i + 1).is(new));
        }
        formulas.push(conjunction(parts));
    }
    let x = &names[rng.usize(0..count)];
    let value = values[&format!("{x}@{k}")];
    formulas.push(match rng.u8(0..3) {
        0 => var(x, k).differs(value),
        1 => var(x, k).less(value),
        _ => var(x, k).is(value + factor(rng, 9)),
    });
    Draft::sequence(formulas)
}

fn assigned(rng: &mut Rng, names: &[String], old: Expr, at: usize) -> Expr {
    let mut any = || var(&names[rng.usize(0..names.len())], at);
    let (a, b) = (any(), any());
    match rng.u8(0..7) {
        0 => old + a,
        1 => old - b + rng.i64(-5..=5),
        2 => a * rng.i64(-2..=2) + rng.i64(-5..=5),
        3 => a % rng.i64(2..=7),
        4 => a / rng.i64(2..=7),
        5 => ite(a.less(b.clone()), old + 1, b),
        _ => ite(a.is(rng.i64(-5..=5)), b, old + rng.i64(-5..=5)),
    }
}

/// A small interval with all its numbers taken out, copied along.
pub fn holes(rng: &mut Rng) -> Draft {
    let k = steps(rng);
    let (low, width) = (rng.i64(-3..=3), rng.i64(0..=5));
    let mut formulas = vec![all([var("x", 0).at_least(low), var("x", 0).at_most(low + width)])];
    let mut moved = 0;
    let mut at = vec![0];
    for i in 0..k {
        let by = rng.i64(-1..=1);
        moved += by;
        at.push(moved);
        formulas.push(var("x", i + 1).is(var("x", i) + by));
    }
    formulas.push(Formula::truth());
    for hole in low..=low + width {
        // Between two formulas both speak of the variable.
        let time = rng.usize(0..=k);
        let node = if rng.bool() { time } else { time + 1 };
        let without = var("x", time).differs(hole + at[time]);
        let own = std::mem::replace(&mut formulas[node], Formula::truth());
        formulas[node] = own.and(without);
    }
    Draft::sequence(formulas)
}
