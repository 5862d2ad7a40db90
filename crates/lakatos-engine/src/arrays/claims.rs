//! Guesses: what all samples at a location have in common.
//!
//! Equations of numbers, functions of the user included, come from what the samples span ([`affine`]):
//! all of them at once, however many turns they need. Order is asked of pairs. Of arrays the same is
//! asked of the elements in ranges between bounds, index by index: `a[k] == 2 * k`, `a[k] == b[n - 1 -
//! k]`, `a[k] <= max`, for all k from 0 to i.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use lakatos_evidence::{Draft, Slot};
use lakatos_ir::{LocId, Program, VarId};
use lakatos_logic::term::{Quantifier, Sort, Term, Terms};
use rustc_hash::FxHashMap;

use super::atoms::{Atom, atoms};
use super::columns::{At, Columns, Indexed, Number};
use super::functions::Computed;
use super::kept::Kept;
use super::range::{Among, Range, Relation, Said};
use super::reach::Reach;
use super::sample::{Sample, Samples};
use crate::affine::{Equation, Span};

/// Fewer samples say nothing.
pub(super) const FEWEST: usize = 6;
/// Of fewer different values their remainders say nothing.
const FEWEST_VALUES: usize = 3;
/// Variables, and columns, of one location.
const MOST_VARS: usize = 14;
const MOST_COLUMNS: usize = 90;
const MOST_ARRAYS: usize = 5;
const MOST_FLAGS: usize = 4;
const MOST_FACTORS: usize = 2;
const MOST_SQUARES: usize = 2;
const MOST_LEAST: i128 = 3;
const MOST_BORROWED: usize = 40;
/// Indices at which conditions are asked.
const INDICES: i128 = 24;
/// Rows of elements for one question.
const MOST_ROWS: usize = 800;
/// Samples of one location.
const MOST_SAMPLES: usize = 300;

/// All guesses about the locations of the start that there are samples of.
pub(super) fn claims(
    program: &Program,
    draft: &mut Draft<'_>,
    samples: &Samples,
    kept: &Kept,
    computed: &Computed<'_>,
    functions: &Terms,
    reach: Reach,
) -> Vec<(Slot, Term)> {
    let atoms = atoms(program, draft);
    let index = draft.terms().symbol("k", Sort::Int);
    let mut columns = Columns { draft, samples, computed, functions, index };
    let mut all: Vec<(LocId, Vec<Term>)> = Vec::new();
    for (&loc, here) in &samples.at {
        let mut found = match here.len() < FEWEST {
            true => Vec::new(),
            false => {
                let here = spread(here, &kept.hidden(loc, reach.keeps));
                of_location(&mut columns, &here, program, &atoms, reach)
            }
        };
        if reach.keeps {
            found.extend(kept.claims(program, columns.draft, loc));
        }
        all.push((loc, found));
    }
    // Where hardly a run comes, something may hold that holds elsewhere.
    let everywhere: Vec<Term> = all.iter().flat_map(|(_, found)| found.iter().copied()).collect();
    let mut claims = Vec::new();
    for (loc, mut found) in all {
        if found.is_empty() {
            found.clone_from(&everywhere);
            found.truncate(MOST_BORROWED);
        }
        found.sort_unstable();
        found.dedup();
        let slot = |formula| (Slot::Invariant(program.start, loc), formula);
        claims.extend(found.into_iter().map(slot));
    }
    claims
}

/// Not more samples than are needed, of all runs, without some of the variables.
fn spread(here: &[Sample], hidden: &BTreeSet<VarId>) -> Vec<Sample> {
    let step = here.len().div_ceil(MOST_SAMPLES).max(1);
    let mut some: Vec<Sample> = here.iter().step_by(step).cloned().collect();
    for sample in &mut some {
        sample.integers.retain(|var, _| !hidden.contains(var));
    }
    some
}

/// The guesses at a location; further ones are for each of the values of a flag.
fn of_location(
    columns: &mut Columns<'_, '_>,
    here: &[Sample],
    program: &Program,
    atoms: &[Atom],
    reach: Reach,
) -> Vec<Term> {
    let mut guesser = Guesser::new(columns, here, program);
    guesser.judge(atoms);
    guesser.equations(reach);
    guesser.order();
    guesser.limits();
    guesser.least();
    guesser.remainders();
    guesser.elements(reach);
    guesser.conditions(reach);
    let (mut found, flags) = (guesser.found, flags(&guesser.vars, here));
    for (flag, value) in flags.into_iter().filter(|_| reach.is_far) {
        let is_so = |sample: &&Sample| sample.integers.get(&flag) == Some(&value);
        let some: Vec<Sample> = here.iter().filter(is_so).cloned().collect();
        if some.len() < FEWEST {
            continue;
        }
        let mut guesser = Guesser::new(columns, &some, program);
        guesser.judge(atoms);
        guesser.equations(Reach::PLAIN);
        guesser.elements(Reach::PLAIN);
        guesser.conditions(Reach::PLAIN);
        let new: Vec<Term> = guesser.found.into_iter().filter(|f| !found.contains(f)).collect();
        let (flag, value) =
            (columns.term(&Number::Var(flag)), columns.term(&Number::Constant(value)));
        let terms = columns.draft.terms();
        let so = terms.eq(flag, value);
        found.extend(new.into_iter().map(|formula| terms.implies(so, formula)));
    }
    found
}

/// Variables with two values, and these.
fn flags(vars: &[VarId], here: &[Sample]) -> Vec<(VarId, i128)> {
    let mut flags = Vec::new();
    for var in vars {
        let values: BTreeSet<i128> =
            here.iter().filter_map(|sample| sample.integers.get(var).copied()).collect();
        if values.len() == 2 {
            flags.extend(values.into_iter().map(|value| (*var, value)));
        }
    }
    flags.truncate(MOST_FLAGS);
    flags
}

pub(super) struct Guesser<'g, 'a, 'p> {
    pub columns: &'g mut Columns<'a, 'p>,
    pub here: &'g [Sample],
    pub vars: Vec<VarId>,
    pub arrays: Vec<VarId>,
    pub found: Vec<Term>,
    /// The values of conditions of the program: by sample, and by index.
    tables: Vec<Vec<Vec<Option<bool>>>>,
    atoms: Vec<Atom>,
    /// Numbers that vary, none of which is always equal to another.
    pub varying: Vec<Number>,
    /// Those of them that functions and ranges are asked of, and lengths.
    pub bounds: Vec<Number>,
}

impl<'g, 'a, 'p> Guesser<'g, 'a, 'p> {
    fn new(columns: &'g mut Columns<'a, 'p>, here: &'g [Sample], program: &Program) -> Self {
        let first = &here[0];
        let everywhere = |var: &VarId| here.iter().all(|s| s.integers.contains_key(var));
        let is_number = |var: &VarId| program.vars[*var].ty != lakatos_ir::Type::BOOL;
        let mut vars: Vec<VarId> =
            first.integers.keys().filter(|v| everywhere(v) && is_number(v)).copied().collect();
        vars.truncate(MOST_VARS);
        let everywhere = |var: &VarId| here.iter().all(|s| s.arrays.contains_key(var));
        let mut arrays: Vec<VarId> =
            first.arrays.keys().filter(|v| everywhere(v)).copied().collect();
        arrays.truncate(MOST_ARRAYS);
        let mut guesser = Guesser {
            columns,
            here,
            vars,
            arrays,
            found: Vec::new(),
            tables: Vec::new(),
            atoms: Vec::new(),
            varying: Vec::new(),
            bounds: Vec::new(),
        };
        guesser.varying = guesser.find_varying();
        guesser.bounds = guesser.find_bounds();
        guesser
    }

    fn is_defined(&self, number: &Number) -> bool {
        self.here.iter().all(|sample| self.columns.value(number, sample).is_some())
    }

    /// Constants, parameters and variables.
    fn simple(&self) -> Vec<Number> {
        let parameters = (0..self.columns.samples.parameters.len()).map(Number::Parameter);
        let vars = self.vars.iter().map(|var| Number::Var(*var));
        [Number::Constant(1)].into_iter().chain(parameters).chain(vars).collect()
    }

    fn find_varying(&self) -> Vec<Number> {
        let mut varying: Vec<Number> = Vec::new();
        for number in self.simple().into_iter().filter(|number| self.varies(number)) {
            if !varying.iter().any(|known| self.are_equal(known, &number)) {
                varying.push(number);
            }
        }
        varying
    }

    pub fn are_equal(&self, a: &Number, b: &Number) -> bool {
        let value = |number, sample| self.columns.value(number, sample);
        self.here.iter().all(|sample| value(a, sample) == value(b, sample))
    }

    pub fn varies(&self, number: &Number) -> bool {
        let first = self.columns.value(number, &self.here[0]);
        self.here.iter().any(|sample| self.columns.value(number, sample) != first)
    }

    fn equations(&mut self, reach: Reach) {
        let mut numbers = self.simple();
        if reach.is_far || reach.keeps {
            numbers.extend(self.squares());
        }
        numbers.extend(self.arrays.iter().flat_map(|array| self.elements_at(*array)));
        match reach.replaces {
            true => self.values_of_functions(reach),
            false => numbers.extend(self.applied(reach)),
        }
        numbers.retain(|number| self.is_defined(number));
        numbers.truncate(MOST_COLUMNS);
        let mut span = Span::new(numbers.len());
        for sample in self.here {
            let row: Option<Vec<i128>> =
                numbers.iter().map(|number| self.columns.value(number, sample)).collect();
            span.add(&row.expect("all of them are defined"));
        }
        if self.here.len() < span.rank() + FEWEST {
            return;
        }
        for equation in span.equations() {
            let terms: Vec<(Term, i64)> = equation
                .iter()
                .map(|(column, factor)| (self.columns.term(&numbers[*column]), *factor))
                .collect();
            let formula = self.is_zero(&terms);
            self.found.push(formula);
        }
    }

    /// Of what counts, and of how far it does.
    fn squares(&self) -> Vec<Number> {
        let indices = self.vars.iter().copied().filter(|var| self.is_index(*var));
        let squares = indices.map(Number::Square).filter(|square| self.varies(square));
        let parameters = (0..self.columns.samples.parameters.len()).map(Number::Parameter);
        let constant = parameters.map(|p| Number::Product(p.clone().into(), p.into()));
        squares.take(MOST_SQUARES).chain(constant.take(MOST_SQUARES)).collect()
    }

    /// It might be an index.
    pub fn is_index(&self, var: VarId) -> bool {
        self.here.iter().all(|sample| (0..=64).contains(&sample.integers[&var]))
    }

    fn is_zero(&mut self, parts: &[(Term, i64)]) -> Term {
        let terms = self.columns.draft.terms();
        let mut sum = terms.int(0);
        for (part, factor) in parts {
            let scaled = terms.scale(&(*factor).into(), *part);
            sum = terms.add(sum, scaled);
        }
        let zero = terms.int(0);
        terms.eq(sum, zero)
    }

    /// Which of two numbers is never larger, or hardly, and close to it at least once.
    fn order(&mut self) {
        let constants = [Number::Constant(0)].into_iter();
        let numbers: Vec<Number> =
            constants.chain(self.lengths()).chain(self.varying.clone()).collect();
        let is_var = |number: &Number| matches!(number, Number::Var(_));
        for a in &numbers {
            for b in &numbers {
                if a == b || !(is_var(a) || is_var(b)) {
                    continue;
                }
                let is_limit = matches!(b, Number::Parameter(_));
                let most = if is_limit { i128::MAX } else { 1 };
                if let Some(gap) = self.gap(a, b).filter(|gap| (-1..=most).contains(gap)) {
                    let (x, y) = (self.columns.term(a), self.columns.term(b));
                    let terms = self.columns.draft.terms();
                    let gap = terms.int(gap.min(1));
                    let more = terms.add(x, gap);
                    let formula = terms.le(more, y);
                    self.found.push(formula);
                }
            }
        }
    }

    /// What the program compares variables with, where it is never exceeded.
    fn limits(&mut self) {
        for (var, limit) in self.columns.samples.limits.clone() {
            let values = self.here.iter().map(|sample| sample.integers.get(&var).copied());
            let Some(values) = values.collect::<Option<Vec<i128>>>() else { continue };
            let most = values.into_iter().max().unwrap_or(limit + 1);
            for bound in [limit - 1, limit].into_iter().filter(|bound| most <= *bound) {
                let (var, bound) = (Number::Var(var), Number::Constant(bound));
                let (var, bound) = (self.columns.term(&var), self.columns.term(&bound));
                let formula = self.columns.draft.terms().le(var, bound);
                self.found.push(formula);
            }
        }
    }

    /// Numbers that are never less than a small one that is not zero.
    fn least(&mut self) {
        for number in self.varying.clone() {
            let least = self.gap(&Number::Constant(0), &number);
            let (Number::Var(_), Some(least @ 1..=MOST_LEAST)) = (&number, least) else { continue };
            let (least, number) =
                (self.columns.term(&Number::Constant(least)), self.columns.term(&number));
            let formula = self.columns.draft.terms().le(least, number);
            self.found.push(formula);
        }
    }

    /// Variables that leave the same remainder by a factor of the program, whatever they are.
    fn remainders(&mut self) {
        for number in self.varying.clone() {
            let (Number::Var(_), Some(values)) = (&number, self.values(&number)) else { continue };
            for factor in self.factors() {
                let mut rests = values.iter().map(|value| value.rem_euclid(factor));
                let Some(rest) = rests.next().filter(|first| rests.all(|r| r == *first)) else {
                    continue;
                };
                let number = self.columns.term(&number);
                let terms = self.columns.draft.terms();
                let (factor, rest) = (terms.int(factor), terms.int(rest));
                let remainder = terms.modulo(number, factor);
                let formula = terms.eq(remainder, rest);
                self.found.push(formula);
            }
        }
    }

    /// The different values of a number, if there are some.
    fn values(&self, number: &Number) -> Option<BTreeSet<i128>> {
        let values = self.here.iter().map(|sample| self.columns.value(number, sample));
        let values: BTreeSet<i128> = values.collect::<Option<_>>()?;
        (values.len() >= FEWEST_VALUES).then_some(values)
    }

    /// By how much a number is larger than another one, at least.
    pub fn gap(&self, a: &Number, b: &Number) -> Option<i128> {
        let values = self
            .here
            .iter()
            .map(|sample| Some(self.columns.value(b, sample)? - self.columns.value(a, sample)?));
        values.collect::<Option<Vec<i128>>>()?.into_iter().min()
    }

    /// What is said of the elements of arrays. What holds in a range is not said of parts of it.
    fn elements(&mut self, reach: Reach) {
        let ranges = self.ranges(reach);
        for array in self.arrays.clone() {
            let mut said: Vec<(Range, Said)> = Vec::new();
            for range in &ranges {
                let known = said.iter().filter(|(other, _)| other.includes(range));
                let known: Vec<Said> = known.map(|(_, said)| said.clone()).collect();
                let mut new = self.equations_of(array, range, &known, reach);
                let is_known = |said: &Said| matches!(said, Said::Equation(Among::ALL, ..));
                if !known.iter().chain(&new).any(is_known) {
                    new.extend(self.order_of(array, range, &known));
                }
                said.extend(new.into_iter().map(|said| (range.clone(), said)));
            }
        }
    }

    /// Shows the values of some columns at the indices of a range, in all samples, until somebody has
    /// seen enough. `None` where one has no value.
    fn rows(
        &self,
        columns: &[Indexed],
        range: &Range,
        among: Among,
        mut see: impl FnMut(&[i128]) -> ControlFlow<()>,
    ) -> Option<()> {
        let (mut row, mut seen) = (Vec::with_capacity(columns.len()), 0);
        for (number, sample) in self.here.iter().enumerate() {
            let (from, to) = range.spans[number];
            for index in from..to {
                if !self.is_among(among, number, index) || seen >= MOST_ROWS {
                    continue;
                }
                row.clear();
                for column in columns {
                    row.push(self.columns.indexed(column, sample, index)?);
                }
                seen += 1;
                if see(&row).is_break() {
                    return None;
                }
            }
        }
        Some(())
    }

    fn is_among(&self, among: Among, sample: usize, index: i128) -> bool {
        let Among { rest, condition } = among;
        rest.is_none_or(|(by, rest)| index.rem_euclid(by) == rest)
            && condition.is_none_or(|(atom, holds)| self.told(atom, sample, index) == Some(holds))
    }

    fn told(&self, atom: usize, sample: usize, index: i128) -> Option<bool> {
        *self.tables[atom][sample].get(usize::try_from(index).ok()?)?
    }

    /// Asks all samples about the conditions of the program.
    fn judge(&mut self, atoms: &[Atom]) {
        let terms: &Terms = self.columns.draft.terms();
        let of = |atom: &Atom| self.here.iter().map(|s| atom.table(terms, s, INDICES)).collect();
        self.tables = atoms.iter().map(of).collect();
        self.atoms = atoms.to_vec();
    }

    /// Conditions of the program that hold at all indices of a range, or at none.
    fn conditions(&mut self, reach: Reach) {
        let ranges = self.ranges(reach);
        for atom in 0..self.atoms.len() {
            let mut said: Vec<(Range, bool)> = Vec::new();
            for range in &ranges {
                let Some(holds) = self.always(atom, range) else { continue };
                let known = said.iter().any(|(r, h)| *h == holds && r.includes(range));
                if !known {
                    said.push((range.clone(), holds));
                    self.say(range, Among::ALL, |guesser, index| {
                        guesser.condition(atom, holds, index)
                    });
                }
            }
        }
    }

    /// A condition of the program at an index.
    fn condition(&mut self, atom: usize, holds: bool, index: Term) -> Term {
        let Atom { formula, index: open, .. } = self.atoms[atom];
        let terms = self.columns.draft.terms();
        let formula = terms.substitute(formula, &FxHashMap::from_iter([(open, index)]));
        if holds { formula } else { terms.not(formula) }
    }

    /// What a condition is at all indices of a range.
    fn always(&self, atom: usize, range: &Range) -> Option<bool> {
        let mut told = Vec::new();
        for (number, (from, to)) in range.spans.iter().enumerate() {
            for index in *from..(*to).min(INDICES) {
                told.push(self.told(atom, number, index)?);
            }
        }
        let first = *told.first().filter(|_| told.len() >= FEWEST)?;
        told.iter().all(|other| *other == first).then_some(first)
    }

    /// Elements as sums of other things: at the same index, or mirrored.
    fn equations_of(
        &mut self,
        array: VarId,
        range: &Range,
        known: &[Said],
        reach: Reach,
    ) -> Vec<Said> {
        let one = Indexed::Number(Number::Constant(1));
        let mut plain: Vec<Indexed> = vec![one.clone(), Indexed::Index];
        plain.extend(self.varying.iter().cloned().map(Indexed::Number));
        let others: Vec<VarId> = self.arrays.iter().copied().take_while(|o| *o != array).collect();
        plain.extend(others.iter().map(|other| Indexed::Element(*other, At::SAME)));
        let own = Indexed::Element(array, At::SAME);
        plain.push(own.clone());
        let mut said: Vec<Said> = Vec::new();
        said.extend(self.equation_of(&plain, range, Among::ALL));
        if said.is_empty() {
            for other in self.arrays.clone() {
                for at in self.elsewhere(other == array) {
                    let columns = [one.clone(), Indexed::Element(other, at), own.clone()];
                    said.extend(self.equation_of(&columns, range, Among::ALL));
                }
            }
            said.dedup();
        }
        if said.is_empty() && range.from == Number::Constant(0) {
            for among in self.rests() {
                said.extend(self.equation_of(&plain, range, among));
            }
        }
        if said.is_empty() && reach.is_far {
            for among in self.where_conditions() {
                said.extend(self.equation_of(&plain, range, among));
            }
        }
        said.retain(|said| !known.contains(said));
        for said in &said {
            let Said::Equation(among, columns, equation) = said else { continue };
            self.say(range, *among, |guesser, index| guesser.sum_of(columns, equation, index));
        }
        said
    }

    /// Indices with the same remainder, by the factors of the program.
    fn rests(&self) -> Vec<Among> {
        let factors = self.factors().into_iter().take(MOST_FACTORS);
        factors.flat_map(|by| (0..by).map(move |rest| Among::rest(by, rest))).collect()
    }

    /// Indices at which a condition of the program holds or does not: of all, or of those that a step
    /// comes to.
    fn where_conditions(&self) -> Vec<Among> {
        let mut found = Vec::new();
        for among in [Among::ALL].into_iter().chain(self.rests()) {
            for atom in 0..self.tables.len() {
                found.extend([false, true].map(|holds| among.so(atom, holds)));
            }
        }
        found
    }

    /// Other indices that elements may have to do with: of the same array, or of others.
    fn elsewhere(&self, is_same: bool) -> Vec<At> {
        let bounds = self.bounds.clone();
        let mut found = vec![At::BEFORE];
        if !is_same {
            found.push(At::NEXT);
            for factor in self.factors() {
                found.extend([0, 1].map(|constant| At { factor, constant, number: None }));
            }
            found.extend(bounds.iter().cloned().map(At::after));
        }
        found.extend(bounds.into_iter().map(At::mirrored));
        found
    }

    /// Whether the last column is a sum of the others.
    fn equation_of(&mut self, columns: &[Indexed], range: &Range, among: Among) -> Option<Said> {
        let (mut span, mut rows) = (Span::new(columns.len()), 0);
        let last = columns.len() - 1;
        self.rows(columns, range, among, |row| {
            span.add(row);
            rows += 1;
            match span.is_free(last) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        })?;
        if rows < span.rank() + FEWEST {
            return None;
        }
        let equation = span.equation(last)?;
        // Only what occurs in it.
        let columns: Vec<Indexed> = equation.iter().map(|(c, _)| columns[*c].clone()).collect();
        let equation = equation.iter().enumerate().map(|(c, (_, factor))| (c, *factor)).collect();
        Some(Said::Equation(among, columns, equation))
    }

    fn sum_of(&mut self, columns: &[Indexed], equation: &Equation, index: Term) -> Term {
        let terms: Vec<(Term, i64)> = equation
            .iter()
            .map(|(column, factor)| (self.columns.indexed_term(&columns[*column], index), *factor))
            .collect();
        self.is_zero(&terms)
    }

    /// How elements are compared with other things.
    fn order_of(&mut self, array: VarId, range: &Range, known: &[Said]) -> Vec<Said> {
        let own = Indexed::Element(array, At::SAME);
        let numbers = [Number::Constant(0)].into_iter().chain(self.varying.clone());
        let mut others: Vec<Indexed> = numbers.map(Indexed::Number).collect();
        others.push(Indexed::Index);
        others.extend(
            self.arrays.iter().filter(|o| **o != array).map(|o| Indexed::Element(*o, At::SAME)),
        );
        let mut said = Vec::new();
        for other in others {
            let columns = [own.clone(), other.clone()];
            for relation in self.relations(&columns, range) {
                let new = Said::Order(other.clone(), relation);
                if !known.contains(&new) {
                    self.compare(range, &columns, relation);
                    said.push(new);
                }
            }
        }
        if !known.contains(&Said::Sorted) && self.is_sorted(array, range) {
            self.sorted(array, range);
            said.push(Said::Sorted);
        }
        said
    }

    /// Those of the first column to the second that hold in all rows. Equations are found elsewhere.
    fn relations(&self, columns: &[Indexed; 2], range: &Range) -> Vec<Relation> {
        let (mut less, mut more, mut equal, mut is_close) = (false, false, false, false);
        let mut rows = 0;
        let seen = self.rows(columns, range, Among::ALL, |row| {
            rows += 1;
            less |= row[0] < row[1];
            more |= row[0] > row[1];
            equal |= row[0] == row[1];
            is_close |= (row[0] - row[1]).abs() <= 1;
            if less && more && equal { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if seen.is_none() || rows < FEWEST {
            return Vec::new();
        }
        match (less, more, equal) {
            // What is never equal, nor next to it, is no bound.
            (true, false, _) if is_close => vec![Relation::AtMost],
            (false, true, _) if is_close => vec![Relation::AtLeast],
            (_, _, false) => vec![Relation::Different],
            _ => Vec::new(),
        }
    }

    fn compare(&mut self, range: &Range, columns: &[Indexed; 2], relation: Relation) {
        self.say(range, Among::ALL, |guesser, index| {
            let [a, b] = columns.each_ref().map(|c| guesser.columns.indexed_term(c, index));
            let terms = guesser.columns.draft.terms();
            match relation {
                Relation::AtMost => terms.le(a, b),
                Relation::AtLeast => terms.ge(a, b),
                Relation::Different => terms.ne(a, b),
            }
        });
    }

    fn is_sorted(&self, array: VarId, range: &Range) -> bool {
        let mut pairs = 0;
        for (sample, (from, to)) in self.here.iter().zip(&range.spans) {
            for index in *from..to - 1 {
                let value = |column| self.columns.indexed(&column, sample, index);
                match (
                    value(Indexed::Element(array, At::SAME)),
                    value(Indexed::Element(array, At::NEXT)),
                ) {
                    (Some(a), Some(b)) if a <= b => pairs += 1,
                    _ => return false,
                }
            }
        }
        pairs >= FEWEST
    }

    /// Each element is at most the next one, where that is in the range.
    fn sorted(&mut self, array: VarId, range: &Range) {
        let to = range.to.clone();
        self.say(range, Among::ALL, |guesser, index| {
            let bound = guesser.columns.term(&to);
            let a = guesser.columns.indexed_term(&Indexed::Element(array, At::SAME), index);
            let b = guesser.columns.indexed_term(&Indexed::Element(array, At::NEXT), index);
            let terms = guesser.columns.draft.terms();
            let one = terms.int(1);
            let next = terms.add(index, one);
            let (inside, ordered) = (terms.lt(next, bound), terms.le(a, b));
            terms.implies(inside, ordered)
        });
    }

    /// Something holds at all indices of a range.
    fn say(&mut self, range: &Range, among: Among, what: impl FnOnce(&mut Self, Term) -> Term) {
        let index = self.columns.index;
        let body = what(self, index);
        let (from, to) = (self.columns.term(&range.from), self.columns.term(&range.to));
        let terms = self.columns.draft.terms();
        let mut inside = vec![terms.le(from, index), terms.lt(index, to)];
        if let Some((by, rest)) = among.rest {
            let (by, rest) = (terms.int(by), terms.int(rest));
            let remainder = terms.modulo(index, by);
            inside.push(terms.eq(remainder, rest));
        }
        if let Some((atom, holds)) = among.condition {
            inside.push(self.condition(atom, holds, index));
        }
        let terms = self.columns.draft.terms();
        let inside = terms.and(inside);
        let body = terms.implies(inside, body);
        let bound = terms.as_symbol(index).expect("just made");
        let formula = terms.quantified(Quantifier::Forall, &[bound], body);
        if formula != Term::TRUE && !self.found.contains(&formula) {
            self.found.push(formula);
        }
    }
}
