//! What the ways between loop heads do to *words*: numbers and truth values that can be spoken of there,
//! elements and functions of the user among them.
//!
//! Each loop head has an unknown predicate of its words. The ways are those of the checker's own walk.
//! Of the words that are chosen, and with the definitions and lemmas that are, they can be had as formulas
//! about numbers alone ([`Transitions::of_numbers`]): free of quantifiers by instances, then of arrays and
//! functions, so every engine that knows numbers can look for the predicates. And they can be had with all
//! words and all that is known, each instance guarded ([`Transitions::guarded`]), for those who want to
//! know what has to be chosen. Nothing here is trusted: what is found has to be checked.

use std::collections::{BTreeMap, BTreeSet};

use lakatos_evidence::{Proof, Slot};
use lakatos_ir::{LocId, ProcId, SignedOverflow};
use lakatos_logic::lemma::{Guards, Origin, Theory, ground_guarded, numbers_of};
use lakatos_logic::term::{Node, Sort, Term, Terms};
use rustc_hash::FxHashMap;

use crate::check::{Flaw, Instrumented, Ways};
use crate::condition::Source;
use crate::divisors::with_divisors;
use crate::parts::{Part, Parts};
use crate::walk::{Obligation, Segment};

/// Formulas at places of a proof.
type Claims<'a> = &'a [(Slot, Term)];

/// All transitions of a program.
#[derive(Debug)]
pub struct Transitions {
    /// The arena of all formulas.
    pub terms: Terms,
    theory: Theory,
    ways: Vec<Way>,
    guards: BTreeMap<(Place, Origin), Term>,
}

/// Where ways begin and end: a loop head, or, if it is none, the beginning or an error.
pub type Place = Option<LocId>;

/// The ways from a place to a place: whenever all of `holds` does, words are what they are.
#[derive(Clone, Debug)]
struct Way {
    from: Place,
    to: Place,
    holds: Vec<Term>,
    before: Vec<Term>,
    after: Vec<Term>,
}

/// Ways as a formula about words: whenever all of `holds` does, they go from `before` to `after`, by
/// number. These are new symbols.
#[derive(Clone, Debug)]
pub struct Transition {
    pub from: Place,
    pub to: Place,
    pub holds: Vec<Term>,
    pub before: BTreeMap<usize, Term>,
    pub after: BTreeMap<usize, Term>,
}

/// Words, by place and number.
pub type Words = BTreeSet<(LocId, usize)>;

/// Definitions and lemmas that are used on the ways from places.
pub type Known = BTreeSet<(Place, Origin)>;

impl Transitions {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.ways.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ways.is_empty()
    }

    /// One of them, as a formula without arrays, functions and quantifiers, about some words, with some
    /// of what is known.
    pub fn of_numbers(&mut self, number: usize, words: &Words, known: &Known) -> Transition {
        let way = self.ways[number].clone();
        let used = |at: Place, origin: Origin| known.contains(&(at, origin));
        let theory = self.theory.filtered(|origin| used(way.from, origin));
        let is_word = |at: Place, word: usize| at.is_some_and(|loc| words.contains(&(loc, word)));
        let made = self.grounded(way, is_word, &theory, &Guards::new());
        let words = made.before.values().chain(made.after.values());
        let words = words.filter_map(|word| self.terms.as_symbol(*word)).collect();
        let holds = numbers_of(&mut self.terms, &made.holds, &words);
        Transition { holds, ..made }
    }

    /// One of them about some words, with all that is known where guards say that it is used.
    pub fn guarded(&mut self, number: usize, is_word: impl Fn(LocId, usize) -> bool) -> Transition {
        let way = self.ways[number].clone();
        let guards = self.guards_of(way.from);
        let theory = self.theory.clone();
        let is_word = |at: Place, word: usize| at.is_some_and(|loc| is_word(loc, word));
        self.grounded(way, is_word, &theory, &guards)
    }

    fn grounded(
        &mut self,
        Way { from, to, mut holds, before, after }: Way,
        is_word: impl Fn(Place, usize) -> bool,
        theory: &Theory,
        guards: &Guards,
    ) -> Transition {
        let terms = &mut self.terms;
        let before = named(terms, &mut holds, "before", &before, |word| is_word(from, word));
        let after = named(terms, &mut holds, "after", &after, |word| is_word(to, word));
        let holds = ground_guarded(terms, theory, &holds, guards);
        let holds = with_divisors(terms, holds);
        Transition { from, to, holds, before, after }
    }

    /// What says that a part of what is known is used on the ways from a place.
    pub fn guards(&self) -> &BTreeMap<(Place, Origin), Term> {
        &self.guards
    }

    fn guards_of(&mut self, from: Place) -> Guards {
        let terms = &mut self.terms;
        let guards = self.theory.origins().map(|origin| {
            let made = self.guards.entry((from, origin));
            (origin, *made.or_insert_with(|| terms.fresh("uses", Sort::Bool)))
        });
        guards.collect()
    }
}

/// The transitions of the start. `words` are the unknown predicates: each an application of a function
/// to the words of a loop head. What is `known` holds at its places. `None` where a cycle has no cut
/// point.
pub fn transitions(
    subject: &Instrumented,
    proof: &Proof,
    words: Claims<'_>,
    known: Claims<'_>,
    signed_overflow: SignedOverflow,
) -> Option<Transitions> {
    let program = subject.program();
    let claims: Vec<(Slot, Term)> = words.iter().chain(known).copied().collect();
    let (parts, numbers) = Parts::of_claims(proof, &claims);
    let (unknown, known) = numbers.split_at(words.len());
    let known = known.iter().zip(&claims[words.len()..]);
    // What never holds is a way to say that a place is an error.
    let held = known.filter(|(_, (_, formula))| *formula != Term::FALSE).map(|(part, _)| *part);
    let mut ways = Ways::of_parts(program, proof, parts, signed_overflow);
    let knowledge = subject.knowledge();
    let theory = knowledge.theory.import(&knowledge.terms, &mut ways.maker.terms);
    let mut making = Making {
        start: program.start,
        unknown: unknown.iter().copied().collect(),
        names: words.iter().filter_map(|(slot, word)| name(proof.terms(), *slot, *word)).collect(),
        held: held.collect(),
        ways: Vec::new(),
    };
    let walked = ways.walk(|maker, segment| {
        making.add(&mut maker.terms, segment);
        Ok::<(), Unfinished>(())
    });
    let (terms, guards) = (ways.maker.terms, BTreeMap::new());
    walked.ok().map(|()| Transitions { terms, theory, ways: making.ways, guards })
}

struct Unfinished;

impl From<Flaw> for Unfinished {
    fn from(_: Flaw) -> Unfinished {
        Unfinished
    }
}

/// What an unknown predicate is called.
fn name(terms: &Terms, slot: Slot, predicate: Term) -> Option<(LocId, String)> {
    let (Slot::Invariant(_, loc), Node::Apply(function, _)) = (slot, terms.node(predicate)) else {
        return None;
    };
    Some((loc, terms.signature(*function).name.clone()))
}

struct Making {
    start: ProcId,
    unknown: BTreeSet<Part>,
    names: BTreeMap<LocId, String>,
    held: BTreeSet<Part>,
    ways: Vec<Way>,
}

impl Making {
    fn add(&mut self, terms: &mut Terms, segment: Segment) {
        // Other procedures are called where there is an error, if at all.
        let of_start = |obligation: &Obligation| obligation.condition.proc == self.start;
        for obligation in segment.obligations.into_iter().filter(of_start) {
            let mut ways = segment.facts.clone();
            ways.push(obligation.state.reach);
            let from = match obligation.condition.from {
                Some(Source::Cut(loc)) => Some(loc),
                _ => None,
            };
            let before = match from.map(|loc| self.beginning(terms, loc, &mut ways)) {
                None => Vec::new(),
                Some(Some(before)) => before,
                Some(None) => continue,
            };
            for goal in obligation.goals {
                let mut holds = ways.clone();
                let (to, after) = match goal.part {
                    Some(part) if self.held.contains(&part) => continue,
                    Some(part) if self.unknown.contains(&part) => {
                        let Slot::Invariant(_, loc) = part.slot else { continue };
                        (Some(loc), arguments(terms, goal.formula))
                    }
                    _ => {
                        holds.push(terms.not(goal.formula));
                        (None, Vec::new())
                    }
                };
                self.ways.push(Way { from, to, holds, before: before.clone(), after });
            }
        }
    }

    /// The words where ways begin, whatever the predicate there says of them; `None` if there is none.
    fn beginning(&self, terms: &mut Terms, loc: LocId, ways: &mut Vec<Term>) -> Option<Vec<Term>> {
        let name = self.names.get(&loc)?;
        let is_it = |part: &Term| match terms.node(*part) {
            Node::Apply(function, _) => terms.signature(*function).name == *name,
            _ => false,
        };
        let assumed = terms.parts_first(ways).into_iter().find(is_it)?;
        *ways = terms.replace_all(ways, &FxHashMap::from_iter([(assumed, Term::TRUE)]));
        Some(arguments(terms, assumed))
    }
}

fn arguments(terms: &Terms, application: Term) -> Vec<Term> {
    match terms.node(application) {
        Node::Apply(_, arguments) => arguments.to_vec(),
        _ => Vec::new(),
    }
}

/// New symbols for some words. A truth value may have quantifiers in it, so it is said in both directions.
fn named(
    terms: &mut Terms,
    holds: &mut Vec<Term>,
    prefix: &str,
    words: &[Term],
    is_used: impl Fn(usize) -> bool,
) -> BTreeMap<usize, Term> {
    let mut named = BTreeMap::new();
    for (number, &word) in words.iter().enumerate().filter(|(number, _)| is_used(*number)) {
        let name = terms.fresh(prefix, terms.sort(word));
        match terms.sort(word) {
            Sort::Bool => {
                holds.push(terms.implies(name, word));
                holds.push(terms.implies(word, name));
            }
            _ => holds.push(terms.eq(name, word)),
        }
        named.insert(number, name);
    }
    named
}
