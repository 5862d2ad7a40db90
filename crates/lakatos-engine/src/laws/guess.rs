//! What the rows of a place have in common.

use lakatos_evidence::{Draft, Meaning, Slot};
use lakatos_logic::term::{Sort, Term};

use super::monomial::Monomial;
use super::watch::{Samples, Seen};
use crate::affine::Span;

/// So many rows more than a law needs have to agree with it.
const ENOUGH: usize = 5;
/// Words of one place.
const MOST_WORDS: usize = 14;
/// Columns of one question.
const MOST_COLUMNS: usize = 45;
/// The largest exponent of which powers are looked at.
const LARGEST_EXPONENT: i128 = 31;

/// How far guesses go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Depth {
    /// Sums of products of two words; order; divisors.
    Products,
    /// Of more, and powers of two.
    Powers,
}

impl Depth {
    pub const ALL: [Depth; 2] = [Depth::Products, Depth::Powers];

    fn degree(self) -> usize {
        match self {
            Depth::Products => 2,
            Depth::Powers => 3,
        }
    }
}

/// All guesses about the places that there are samples of.
pub(super) fn guesses(draft: &mut Draft<'_>, samples: &Samples, depth: Depth) -> Vec<(Slot, Term)> {
    let mut found = Vec::new();
    for (slot, seen) in samples {
        let formulas = Place::new(draft, seen).guesses(depth);
        found.extend(formulas.into_iter().map(|formula| (*slot, formula)));
    }
    found
}

struct Place<'a, 'p> {
    draft: &'a mut Draft<'p>,
    rows: &'a [Vec<i128>],
    visits: usize,
    /// By number of a word.
    terms: Vec<Term>,
    found: Vec<Term>,
}

impl<'a, 'p> Place<'a, 'p> {
    fn new(draft: &'a mut Draft<'p>, seen: &'a Seen) -> Place<'a, 'p> {
        let symbol = |draft: &mut Draft<'p>, word: &Meaning| draft.symbol(*word, Sort::Int);
        let terms = seen.words.iter().take(MOST_WORDS).map(|word| symbol(draft, word)).collect();
        Place { draft, rows: &seen.rows, visits: seen.visits, terms, found: Vec::new() }
    }

    fn guesses(mut self, depth: Depth) -> Vec<Term> {
        if self.visits < ENOUGH {
            return Vec::new();
        }
        let all: Vec<usize> = (0..self.terms.len()).collect();
        let free = self.equations(&Monomial::products(&all, 1));
        // Of words that are sums of others nothing more is asked.
        let free: Vec<usize> = all.into_iter().filter(|word| free.contains(&(word + 1))).collect();
        self.signs();
        self.order(&free);
        self.divisors(&free);
        let mut degree = depth.degree();
        let mut products = Monomial::products(&free, degree);
        while products.len() > MOST_COLUMNS && degree > 1 {
            degree -= 1;
            products = Monomial::products(&free, degree);
        }
        self.equations(&products);
        if depth == Depth::Powers {
            let powers = free.iter().filter(|word| self.is_exponent(**word));
            let powers: Vec<Monomial> = powers.map(|word| Monomial::Power(*word)).collect();
            let linear = Monomial::products(&free, 1);
            self.equations(&powers.into_iter().chain(linear).collect::<Vec<_>>());
        }
        self.found.sort_unstable();
        self.found.dedup();
        self.found
    }

    /// Says what columns are by those before them, and tells which are not.
    fn equations(&mut self, columns: &[Monomial]) -> Vec<usize> {
        let mut span = Span::new(columns.len());
        let mut rows = 0;
        for row in self.rows {
            let values: Option<Vec<i128>> =
                columns.iter().map(|column| column.value(row)).collect();
            if let Some(values) = values {
                span.add(&values);
                rows += 1;
            }
        }
        let free: Vec<usize> = (0..columns.len()).filter(|column| span.is_free(*column)).collect();
        // What is always the same needs no others to compare with.
        let is_constant = span.rank() == 1;
        if !is_constant && rows < span.rank() + ENOUGH {
            return free;
        }
        let mut leading: Vec<&Monomial> = Vec::new();
        for (column, monomial) in columns.iter().enumerate() {
            if span.is_free(column) || leading.iter().any(|known| known.divides(monomial)) {
                continue;
            }
            leading.push(monomial);
            if let Some(equation) = span.equation(column) {
                let terms = self.draft.terms();
                let parts: Vec<Term> = equation
                    .iter()
                    .map(|(column, factor)| {
                        let term = columns[*column].term(terms, &self.terms);
                        terms.scale(&(*factor).into(), term)
                    })
                    .collect();
                let sum = terms.add_all(parts, Sort::Int);
                let zero = terms.int(0);
                let formula = terms.eq(sum, zero);
                self.found.push(formula);
            }
        }
        free
    }

    fn is_exponent(&self, word: usize) -> bool {
        self.rows.iter().all(|row| (0..=LARGEST_EXPONENT).contains(&row[word]))
    }

    /// Which words are never zero. A condition may be true in all runs.
    fn signs(&mut self) {
        for word in 0..self.terms.len() {
            if self.rows.iter().all(|row| row[word] != 0) {
                let terms = self.draft.terms();
                let zero = terms.int(0);
                let formula = terms.ne(self.terms[word], zero);
                self.found.push(formula);
            }
        }
    }

    /// Which of two words is never larger, and close to it at least once; and which is never negative.
    fn order(&mut self, words: &[usize]) {
        for &word in words {
            let least = self.rows.iter().map(|row| row[word]).min();
            if let Some(least) = least.filter(|least| (0..=2).contains(least)) {
                let terms = self.draft.terms();
                let bound = terms.int(least);
                let formula = terms.le(bound, self.terms[word]);
                self.found.push(formula);
            }
        }
        for (&a, &b) in words.iter().flat_map(|a| words.iter().map(move |b| (a, b))) {
            let gap = self.rows.iter().filter_map(|row| row[b].checked_sub(row[a])).min();
            if let Some(gap) = gap.filter(|gap| a != b && (-1..=1).contains(gap)) {
                let terms = self.draft.terms();
                let gap = terms.int(gap);
                let more = terms.add(self.terms[a], gap);
                let formula = terms.le(more, self.terms[b]);
                self.found.push(formula);
            }
        }
    }

    /// Which words are always multiples of others.
    fn divisors(&mut self, words: &[usize]) {
        for (&a, &b) in words.iter().flat_map(|a| words.iter().map(move |b| (a, b))) {
            let is_multiple = |row: &Vec<i128>| row[b] > 0 && row[a] % row[b] == 0;
            let tells = |row: &Vec<i128>| row[b] > 1 && row[a] != 0 && row[a] != row[b];
            let telling = self.rows.iter().filter(|row| tells(row)).count();
            if a != b && telling >= ENOUGH && self.rows.iter().all(is_multiple) {
                let terms = self.draft.terms();
                let (rest, zero) = (terms.modulo(self.terms[a], self.terms[b]), terms.int(0));
                let formula = terms.eq(rest, zero);
                self.found.push(formula);
            }
        }
    }
}
