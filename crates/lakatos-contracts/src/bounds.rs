//! What is left of a formula that has no text: bounds of the variables in it.
//!
//! That an index is within an object, whichever that is, has no text, but it implies that it is not
//! negative and not beyond the length that a function is given. Provers need just that.

use lakatos_evidence::Proof;
use lakatos_ir::IntType;
use lakatos_logic::smt::{Answer, Limits, Smt};
use lakatos_logic::term::{Sort, Term, Terms};

use crate::names::{Names, Place};

const DECIDED: Limits = Limits { resources: Some(200_000), time: None };
/// Of more variables nothing is asked.
const MOST: usize = 6;

/// Comparisons of variables with each other and with zero that a formula implies, and what has text
/// of it does not.
pub(crate) fn implied(names: Names<'_>, proof: &Proof, place: Place, formula: Term) -> Vec<String> {
    let (mut terms, from) = (Terms::new(), proof.terms());
    let has_text = |part: &Term| {
        let symbols = from.free_symbols(*part);
        symbols.into_iter().all(|symbol| names.of(place, proof.meaning(symbol)).is_some())
    };
    let said = from.conjuncts(formula).into_iter().filter(has_text);
    let roots: Vec<Term> = [formula].into_iter().chain(said).collect();
    let roots = terms.import(from, &roots);
    let mut words: Vec<Word> = Vec::new();
    for symbol in from.free_symbols(formula) {
        // What is said of a key is said of every index, and has a quantifier.
        let meaning = proof.meaning(symbol);
        let is_bound = names.keys_of([meaning.var].into_iter()).0.is_empty();
        if from.symbol_sort(symbol) == Sort::Int
            && is_bound
            && let Some(named) = names.of(place, meaning)
        {
            let term = terms.symbol(from.symbol_name(symbol), Sort::Int);
            words.push(Word { name: named.name, ty: named.ty, term });
        }
    }
    if words.len() > MOST {
        return Vec::new();
    }
    let mut smt = Smt::new(DECIDED);
    let mut known: Vec<Term> = roots[1..].to_vec();
    let mut found = Vec::new();
    for (text, comparison) in candidates(&mut terms, &words) {
        let mut follows = |of: &[Term]| smt.refute(&mut terms, of, comparison) == Answer::Unsat;
        if follows(&roots[..1]) && !follows(&known) {
            known.push(comparison);
            found.push(text);
        }
    }
    found
}

struct Word {
    name: String,
    ty: IntType,
    term: Term,
}

/// The strongest first.
fn candidates(terms: &mut Terms, words: &[Word]) -> Vec<(String, Term)> {
    let mut all = Vec::new();
    let zero = terms.int(0);
    for word in words.iter().filter(|word| word.ty.signed) {
        all.push((format!("{} > 0", word.name), terms.lt(zero, word.term)));
        all.push((format!("{} >= 0", word.name), terms.le(zero, word.term)));
    }
    let pairs = words.iter().flat_map(|a| words.iter().map(move |b| (a, b)));
    for (a, b) in pairs.filter(|(a, b)| a.term != b.term) {
        all.push((format!("{} < {}", a.name, b.name), terms.lt(a.term, b.term)));
        all.push((format!("{} <= {}", a.name, b.name), terms.le(a.term, b.term)));
    }
    all
}
