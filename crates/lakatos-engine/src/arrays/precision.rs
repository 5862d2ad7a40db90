//! Which words, and which definitions and lemmas, are used where: a precision of their own, which
//! counterexamples extend (lemma thesis; CEGAR for vocabularies).
//!
//! The transitions between loop heads are Horn clauses about the words of a precision. Where these lead
//! to an error, the steps that do are looked at with all words and all that is known: if they are
//! impossible then, a core says what it takes.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use lakatos_analysis::domain::Granularity;
use lakatos_check::{Known, Place, Transition, Transitions, Words};
use lakatos_ir::{Cfa, Id, LocId, Program};
use lakatos_logic::horn::{Application, Clause, Mark, Predicate, PredicateId, System};
use lakatos_logic::lemma::Origin;
use lakatos_logic::smt::{Answer, Limits, Reason, Smt};
use lakatos_logic::term::{Sort, Symbol, Term, Terms};
use rustc_hash::FxHashMap;

use super::vocabulary::{Rank, Vocabulary, Word};

/// Work to see that something is not needed.
const LITTLE: u32 = 200_000;

/// What is used where.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Precision {
    pub words: Words,
    pub known: Known,
}

/// Where something is used that was needed somewhere: the places that belong together.
#[derive(Clone, Debug)]
pub(super) struct Scope(Vec<BTreeSet<Place>>);

impl Scope {
    /// The loops of a program with calls written out; `original` is the one before.
    pub fn new(
        granularity: Granularity,
        program: &Program,
        original: &Program,
        heads: impl Iterator<Item = LocId>,
    ) -> Scope {
        let places: Vec<Place> = [None].into_iter().chain(heads.map(Some)).collect();
        let mut groups: BTreeMap<usize, BTreeSet<Place>> = BTreeMap::new();
        for (number, place) in places.into_iter().enumerate() {
            let group = match granularity {
                Granularity::Location => number,
                Granularity::Function => function(program, original, place).unwrap_or_default(),
                Granularity::Global => 0,
            };
            groups.entry(group).or_default().insert(place);
        }
        Scope(groups.into_values().collect())
    }

    /// Words stay where they are: they are about what there is.
    pub fn extended(&self, mut precision: Precision) -> Precision {
        for (place, origin) in precision.known.clone() {
            for group in self.0.iter().filter(|group| group.contains(&place)) {
                precision.known.extend(group.iter().map(|place| (*place, origin)));
            }
        }
        precision
    }
}

/// The function that a loop is written in, by number.
fn function(program: &Program, original: &Program, place: Place) -> Option<usize> {
    let span = program.procs[program.start].body.as_ref()?.locs[place?].span;
    let is_in = |body: &Cfa| body.locs.iter().any(|(_, loc)| loc.span == span);
    original.defined().find(|(_, _, body)| is_in(body)).map(|(proc, ..)| proc.index())
}

/// The clauses of a precision.
#[derive(Debug, Default)]
pub(super) struct Asked {
    pub system: System,
    /// The loops that predicates are about.
    pub heads: Vec<LocId>,
    /// The numbers of the words that they are about.
    pub words: Vec<Vec<usize>>,
}

impl Precision {
    pub fn extend(&mut self, by: &Precision) {
        self.words.extend(&by.words);
        self.known.extend(&by.known);
    }

    pub fn is_subset(&self, of: &Precision) -> bool {
        self.words.is_subset(&of.words) && self.known.is_subset(&of.known)
    }

    fn words_at(&self, head: LocId) -> Vec<usize> {
        self.words.iter().filter(|(at, _)| *at == head).map(|(_, word)| *word).collect()
    }

    /// The transitions as clauses, each marked with its number.
    pub fn clauses(&self, transitions: &mut Transitions) -> Asked {
        let mut asked = Asked::default();
        for number in 0..transitions.len() {
            let step = transitions.of_numbers(number, &self.words, &self.known);
            let terms = &mut transitions.terms;
            let body = asked.application(self, terms, step.from, &step.before);
            let head = asked.application(self, terms, step.to, &step.after);
            asked.system.clauses.push(Clause {
                body: body.into_iter().collect(),
                constraint: terms.and(step.holds),
                head,
                marks: vec![Mark { after: 0, tag: number, when: Term::TRUE, value: Term::TRUE }],
                note: String::new(),
            });
        }
        asked
    }
}

impl Asked {
    fn application(
        &mut self,
        precision: &Precision,
        terms: &mut Terms,
        at: Place,
        words: &BTreeMap<usize, Term>,
    ) -> Option<Application> {
        let head = at?;
        let number = self.heads.iter().position(|one| *one == head).unwrap_or_else(|| {
            let used = precision.words_at(head);
            let name = format!("loop {}", head.index());
            let parameters = used.iter().map(|word| {
                let sort = terms.sort(words[word]);
                let symbol = terms.symbol(&format!("{name} word {word}"), sort);
                terms.as_symbol(symbol).expect("just made")
            });
            let parameters = parameters.collect();
            self.system.add_predicate(Predicate::new(terms, &name, parameters));
            self.heads.push(head);
            self.words.push(used);
            self.heads.len() - 1
        });
        let arguments = words.values().copied().collect();
        Some(Application { predicate: PredicateId(number), arguments })
    }
}

/// What makes steps one after the other impossible; `None` if nothing does.
pub(super) fn lesson(
    transitions: &mut Transitions,
    vocabulary: &Vocabulary,
    path: &[usize],
    smt: &mut Smt,
) -> Result<Option<Precision>, Reason> {
    for rank in Rank::ALL {
        let is_new = |words: &Vec<Word>| words.iter().any(|word| word.rank == rank);
        if vocabulary.values().any(is_new) {
            let run =
                Run::new(transitions, path, |head, word| vocabulary[&head][word].rank <= rank);
            if let Some(core) = smallest(&transitions.terms, smt, &run.holds, &run.choices())? {
                return Ok(Some(run.precision(&core)));
            }
        }
    }
    Ok(None)
}

/// Steps one after the other, with truth values that say what is used of words and of what is known.
struct Run {
    holds: Vec<Term>,
    words: BTreeMap<(LocId, usize), Term>,
    known: BTreeMap<(Place, Origin), Term>,
}

impl Run {
    fn new(
        transitions: &mut Transitions,
        path: &[usize],
        is_word: impl Fn(LocId, usize) -> bool,
    ) -> Run {
        let steps: Vec<Transition> =
            path.iter().map(|number| transitions.guarded(*number, &is_word)).collect();
        let places: BTreeSet<Place> = steps.iter().map(|step| step.from).collect();
        let known = transitions.guards().iter().filter(|((place, _), _)| places.contains(place));
        let known: BTreeMap<(Place, Origin), Term> =
            known.map(|(at, guard)| (*at, *guard)).collect();
        let terms = &mut transitions.terms;
        let guards = known.values().filter_map(|guard| terms.as_symbol(*guard)).collect();
        let mut run = Run { holds: Vec::new(), words: BTreeMap::new(), known };
        let mut last: BTreeMap<usize, Term> = BTreeMap::new();
        for step in &steps {
            let step = renamed(terms, step, &guards);
            let links = step
                .before
                .iter()
                .filter_map(|(word, begin)| Some(((step.from?, *word), *begin, *last.get(word)?)));
            for (at, begin, end) in links {
                let used =
                    *run.words.entry(at).or_insert_with(|| terms.fresh("spoken of", Sort::Bool));
                let same = terms.eq(end, begin);
                run.holds.push(terms.implies(used, same));
            }
            run.holds.extend(step.holds);
            last = step.after;
        }
        run
    }

    /// All that may be used: what is rather left out comes first.
    fn choices(&self) -> Vec<Term> {
        let mut words: Vec<(&(LocId, usize), &Term)> = self.words.iter().collect();
        words.sort_by_key(|((_, word), _)| Reverse(*word));
        let words = words.into_iter().map(|(_, used)| *used);
        self.known.values().rev().copied().chain(words).collect()
    }

    fn precision(&self, core: &[Term]) -> Precision {
        let core: BTreeSet<Term> = core.iter().copied().collect();
        let words = self.words.iter().filter(|(_, used)| core.contains(used));
        let known = self.known.iter().filter(|(_, used)| core.contains(used));
        Precision {
            words: words.map(|(at, _)| *at).collect(),
            known: known.map(|(at, _)| *at).collect(),
        }
    }
}

/// Assumptions that contradict a query, as few as easily found.
fn smallest(
    terms: &Terms,
    smt: &mut Smt,
    query: &[Term],
    all: &[Term],
) -> Result<Option<Vec<Term>>, Reason> {
    let mut core = match smt.core(terms, query, all) {
        Ok(core) => core,
        Err(Answer::Unknown(reason)) if reason.is_end() => return Err(reason),
        Err(_) => return Ok(None),
    };
    let limits = smt.limits();
    smt.set_limits(Limits { resources: Some(LITTLE), ..limits });
    let fewer = fewest(terms, smt, query, &mut core);
    smt.set_limits(limits);
    fewer.map(|()| Some(core))
}

/// Leaves out what is not needed, as far as that is easily seen.
fn fewest(
    terms: &Terms,
    smt: &mut Smt,
    query: &[Term],
    core: &mut Vec<Term>,
) -> Result<(), Reason> {
    let mut kept = 0;
    while kept < core.len() {
        let mut fewer = core.clone();
        fewer.remove(kept);
        match smt.core(terms, query, &fewer) {
            Ok(smaller) => {
                // What was kept is needed, mostly.
                *core = smaller;
                kept = kept.min(core.len());
            }
            Err(Answer::Unknown(reason)) if reason.is_end() => return Err(reason),
            Err(_) => kept += 1,
        }
    }
    Ok(())
}

/// A transition with symbols of its own, but for guards.
fn renamed(terms: &mut Terms, step: &Transition, guards: &BTreeSet<Symbol>) -> Transition {
    let words = step.before.values().chain(step.after.values());
    let roots: Vec<Term> = step.holds.iter().chain(words).copied().collect();
    let symbols = terms.free_symbols_of(&roots).into_iter().filter(|s| !guards.contains(s));
    let map: FxHashMap<Symbol, Term> = symbols
        .map(|symbol| {
            let (name, sort) = (terms.symbol_name(symbol).to_owned(), terms.symbol_sort(symbol));
            (symbol, terms.fresh(&name, sort))
        })
        .collect();
    let mut own = |words: &BTreeMap<usize, Term>| {
        words.iter().map(|(word, term)| (*word, terms.substitute(*term, &map))).collect()
    };
    let (before, after) = (own(&step.before), own(&step.after));
    Transition { holds: terms.substitute_all(&step.holds, &map), before, after, ..*step }
}
