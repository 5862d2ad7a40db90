//! From a system to closed forms.
//!
//! The values of variables that depend on each other linearly, and on what is known already, are
//! annihilated by the characteristic polynomial of their matrix times one factor for every part of
//! what is known. So the parts of the solution are known, and their coefficients follow from its
//! first values.

use std::collections::{BTreeMap, BTreeSet};

use super::form::{Form, part_at};
use super::linear::{characteristic, roots, solved};
use super::polynomial::Polynomial;
use crate::number::{Int, Rational};
use crate::term::Symbol;

/// A solution has at most so many parts.
const MOST_PARTS: usize = 12;
/// A value is a polynomial with at most so many monomials.
const MOST_MONOMIALS: usize = 60;

/// A closed form, and the first number of turns for which it is right.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Closed {
    pub form: Form,
    pub from: u32,
}

/// The closed forms of the variables that have one. `updates` gives for each variable what it is
/// after a turn, over variables and other symbols before it; `None` for anything else. Symbols
/// without an update stay as they are.
pub fn solve(updates: &BTreeMap<Symbol, Option<Polynomial>>) -> BTreeMap<Symbol, Closed> {
    let mut solver = Solver { updates, known: BTreeMap::new(), values: Vec::new() };
    for group in groups(updates) {
        if let Some(found) = solver.group(&group) {
            solver.known.extend(group.into_iter().zip(found));
        }
    }
    solver.known
}

/// The variables in groups that depend on each other, each after those that it depends on.
fn groups(updates: &BTreeMap<Symbol, Option<Polynomial>>) -> Vec<Vec<Symbol>> {
    let mut reach: BTreeMap<Symbol, BTreeSet<Symbol>> = BTreeMap::new();
    for start in updates.keys() {
        let mut seen = BTreeSet::new();
        let mut open = vec![*start];
        while let Some(at) = open.pop() {
            if let Some(Some(update)) = updates.get(&at) {
                open.extend(
                    update.symbols().filter(|s| updates.contains_key(s) && seen.insert(*s)),
                );
            }
        }
        reach.insert(*start, seen);
    }
    let mut groups: Vec<Vec<Symbol>> = Vec::new();
    let mut placed: BTreeSet<Symbol> = BTreeSet::new();
    let mut order: Vec<Symbol> = updates.keys().copied().collect();
    // Whoever depends on another variable reaches at least what that reaches.
    order.sort_by_key(|s| reach[s].len() + usize::from(!reach[s].contains(s)));
    for symbol in order {
        if placed.contains(&symbol) {
            continue;
        }
        let together = |other: &Symbol| {
            *other == symbol || (reach[&symbol].contains(other) && reach[other].contains(&symbol))
        };
        let group: Vec<Symbol> = updates.keys().copied().filter(together).collect();
        placed.extend(&group);
        groups.push(group);
    }
    groups
}

struct Solver<'a> {
    updates: &'a BTreeMap<Symbol, Option<Polynomial>>,
    known: BTreeMap<Symbol, Closed>,
    /// For each number of turns what is known of variables then.
    values: Vec<BTreeMap<Symbol, Polynomial>>,
}

impl Solver<'_> {
    fn group(&mut self, group: &[Symbol]) -> Option<Vec<Closed>> {
        let mut matrix = Vec::with_capacity(group.len());
        let mut from = 0;
        // How often each base is a root.
        let mut bases: BTreeMap<Int, u32> = BTreeMap::new();
        for symbol in group {
            let (row, rest) = self.updates[symbol].as_ref()?.split(group)?;
            matrix.push(row);
            let (form, since) = self.form_of(&rest)?;
            from = from.max(since);
            for (base, degree, _) in form.parts() {
                let times = bases.entry(base.clone()).or_default();
                *times = (*times).max(degree + 1);
            }
        }
        for (root, times) in roots(&characteristic(&matrix))? {
            match root.is_zero() {
                // What was there at first is gone after so many turns.
                true => from += times,
                false => *bases.entry(root).or_default() += times,
            }
        }
        let parts: Vec<(Int, u32)> = bases
            .into_iter()
            .flat_map(|(base, times)| (0..times).map(move |degree| (base.clone(), degree)))
            .collect();
        if parts.len() > MOST_PARTS {
            return None;
        }
        group.iter().map(|symbol| self.fitted(group, *symbol, &parts, from)).collect()
    }

    /// A polynomial over solved variables and others that stay as they are.
    fn form_of(&self, polynomial: &Polynomial) -> Option<(Form, u32)> {
        let mut from = 0;
        for symbol in polynomial.symbols().filter(|s| self.updates.contains_key(s)) {
            from = from.max(self.known.get(&symbol)?.from);
        }
        let constant = |value: Rational| Form::constant(Polynomial::constant(value));
        let value = |symbol: Symbol| match self.known.get(&symbol) {
            Some(closed) => closed.form.clone(),
            None => Form::constant(Polynomial::symbol(symbol)),
        };
        Some((polynomial.evaluated(&constant, &value), from))
    }

    /// The form with these parts that has the variable's first values, seen to have the next one.
    fn fitted(
        &mut self,
        group: &[Symbol],
        symbol: Symbol,
        parts: &[(Int, u32)],
        from: u32,
    ) -> Option<Closed> {
        let count = parts.len() as u32;
        let mut values = Vec::new();
        for n in from..=from + count {
            values.push(self.value(group, symbol, n)?);
        }
        let next = values.pop().expect("one more than parts");
        let row = |n: u32| parts.iter().map(|(base, degree)| part_at(base, *degree, n)).collect();
        let coefficients = solved((from..from + count).map(row).collect(), values)?;
        let form = parts
            .iter()
            .cloned()
            .zip(coefficients)
            .fold(Form::default(), |form, (p, c)| form.plus_part(p, c));
        (form.at(from + count) == next).then_some(Closed { form, from })
    }

    /// What a variable of a group is after so many turns, over the values before the first.
    fn value(&mut self, group: &[Symbol], symbol: Symbol, n: u32) -> Option<Polynomial> {
        for turn in 0..=n as usize {
            if self.values.len() <= turn {
                self.values.push(BTreeMap::new());
            }
            if self.values[turn].contains_key(&symbol) {
                continue;
            }
            for member in group {
                let value = match turn {
                    0 => Polynomial::symbol(*member),
                    _ => self.after(*member, turn)?,
                };
                self.values[turn].insert(*member, value);
            }
        }
        self.values[n as usize].get(&symbol).cloned()
    }

    fn after(&mut self, symbol: Symbol, turn: usize) -> Option<Polynomial> {
        let update = self.updates[&symbol].clone()?;
        let mut before = BTreeMap::new();
        for used in update.symbols().filter(|s| self.updates.contains_key(s)) {
            let value = match self.values[turn - 1].get(&used) {
                Some(value) => value.clone(),
                None => self.value(&[used], used, turn as u32 - 1)?,
            };
            before.insert(used, value);
        }
        let value = update.composed(&|used| before.get(&used).cloned());
        (value.len() <= MOST_MONOMIALS).then_some(value)
    }
}
