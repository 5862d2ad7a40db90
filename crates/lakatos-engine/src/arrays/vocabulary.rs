//! Words: what an invariant of a loop may speak of, if it is a number or a truth value. Numbers of the
//! program, elements at indices, functions of the user of what there is, and what users say themselves.
//! Which of them matter is found out by refinement ([`precision`](super::precision)).

use std::collections::{BTreeMap, BTreeSet};

use lakatos_evidence::{Draft, Slot};
use lakatos_ir::walk::{self, Node};
use lakatos_ir::{ExprKind, Instr, LocId, Program, VarId};
use lakatos_logic::term::{self, Sort, Symbol, Term, Terms};

use super::Claim;
use super::applied::choices;
use super::functions::Computed;
use super::remark::value;
use super::rows::index_vars;

/// Words of one loop.
const MOST: usize = 60;
/// Of these, numbers of the program; and numbers of which functions of one number, or of several, are
/// asked, constants included.
const MOST_NUMBERS: usize = 20;
const MOST_ARGUMENTS: usize = 8;
const MOST_OF_SEVERAL: usize = 4;
const MOST_CONSTANTS: usize = 2;

/// How much a word says of all turns of a loop, rather than of one: what says more is tried first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    /// A number of the program, or what users speak of.
    Own,
    /// A function of arrays and an index, which counts the elements that it is about.
    Counting,
    /// One of arrays and another number.
    Simple,
    Applied,
    Element,
}

impl Rank {
    pub const ALL: [Rank; 5] =
        [Rank::Own, Rank::Counting, Rank::Simple, Rank::Applied, Rank::Element];
}

/// Something to speak of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Word {
    pub term: Term,
    pub rank: Rank,
}

/// The words of each loop.
pub(super) type Vocabulary = BTreeMap<LocId, Vec<Word>>;

/// The words of the loops of the start, in a draft; `said` is what users say there.
pub(super) fn vocabulary(
    program: &Program,
    draft: &mut Draft<'_>,
    wanted: &BTreeMap<LocId, BTreeSet<VarId>>,
    (functions, computed): (&Terms, &Computed<'_>),
    said: &[Claim],
) -> Vocabulary {
    let constants = constants(program);
    let indices = index_vars(program);
    let mut found = Vocabulary::new();
    for (&head, vars) in wanted {
        let (arrays, numbers): (Vec<VarId>, Vec<VarId>) =
            vars.iter().partition(|var| program.whole_array(**var).is_some());
        let mut value = |var: &VarId| value(program, draft, *var);
        let own: Vec<Term> = numbers.iter().take(MOST_NUMBERS).map(&mut value).collect();
        let arrays: Vec<Term> = arrays.iter().map(&mut value).collect();
        let at: Vec<Term> =
            numbers.iter().filter(|v| indices.contains(v)).map(&mut value).collect();
        let terms = draft.terms();
        let mut words: Vec<Word> = Vec::new();
        let mut add = |rank, found: Vec<Term>| {
            words.extend(found.into_iter().map(|term| Word { term, rank }));
        };
        add(Rank::Own, spoken(terms, said, Slot::Invariant(program.start, head)));
        add(Rank::Own, own.clone());
        let constants = constants.iter().map(|constant| terms.int(*constant));
        let mut arguments: Vec<Term> = at.clone();
        arguments.extend(constants.collect::<Vec<_>>());
        arguments.extend(own.iter().filter(|number| !at.contains(number)));
        for (function, of_arrays, of_numbers) in computed.of_numbers() {
            let name = &functions.signature(function).name;
            let arrays = choices(&arrays, of_arrays);
            let most = if of_numbers > 1 { MOST_OF_SEVERAL } else { MOST_ARGUMENTS };
            let arguments = &arguments[..arguments.len().min(most)];
            for numbers in choices(arguments, of_numbers) {
                let rank = match numbers[..] {
                    [only] if at.contains(&only) => Rank::Counting,
                    [_] => Rank::Simple,
                    _ => Rank::Applied,
                };
                add(rank, applications(terms, name, &arrays, &numbers));
            }
        }
        add(Rank::Element, elements(terms, &arrays, &at));
        // A predicate is one of something.
        add(Rank::Own, vec![terms.int(0)]);
        words.sort_by_key(|word| word.rank);
        let mut known = BTreeSet::new();
        words.retain(|word| known.insert(word.term));
        words.truncate(MOST);
        found.insert(head, words);
    }
    found
}

/// What remarks speak of: their applications and elements, and what they say of all indices.
fn spoken(terms: &Terms, said: &[Claim], slot: Slot) -> Vec<Term> {
    let here: Vec<Term> = said.iter().filter(|(at, _)| *at == slot).map(|(_, f)| *f).collect();
    let parts = terms.parts_first(&here);
    let mut bound: BTreeSet<Symbol> = BTreeSet::new();
    for part in &parts {
        if let term::Node::Quantified(_, symbols, _) = terms.node(*part) {
            bound.extend(symbols.iter().copied());
        }
    }
    let is_word = |part: &Term| match terms.node(*part) {
        term::Node::Quantified(..) => true,
        term::Node::Apply(..) | term::Node::Select(..) => {
            terms.free_symbols(*part).is_disjoint(&bound)
        }
        _ => false,
    };
    parts.into_iter().filter(is_word).collect()
}

/// The counting words of a loop about the same arrays as an application.
pub(super) fn counting(terms: &Terms, words: &[Word], application: Term) -> Vec<usize> {
    let of = |term: Term| match terms.node(term) {
        term::Node::Apply(function, arguments) => {
            let is_array = |argument: &&Term| matches!(terms.sort(**argument), Sort::Array(_));
            Some((*function, arguments.iter().filter(is_array).copied().collect::<Vec<Term>>()))
        }
        _ => None,
    };
    let Some(wanted) = of(application) else { return Vec::new() };
    let is_it =
        |word: &Word| word.rank == Rank::Counting && of(word.term).as_ref() == Some(&wanted);
    words.iter().enumerate().filter(|(_, word)| is_it(word)).map(|(number, _)| number).collect()
}

/// A function of the user, of arrays and numbers.
fn applications(
    terms: &mut Terms,
    name: &str,
    arrays: &[Vec<Term>],
    numbers: &[Term],
) -> Vec<Term> {
    let mut found = Vec::new();
    for arrays in arrays {
        let arguments: Vec<Term> = arrays.iter().chain(numbers).copied().collect();
        let sorts: Vec<Sort> = arguments.iter().map(|argument| terms.sort(*argument)).collect();
        let function = terms.function(name, &sorts, Sort::Int);
        found.push(terms.apply(function, &arguments));
    }
    found
}

fn elements(terms: &mut Terms, arrays: &[Term], indices: &[Term]) -> Vec<Term> {
    let zero = terms.int(0);
    let at: Vec<Term> = indices.iter().copied().chain([zero]).collect();
    let pairs = arrays.iter().flat_map(|array| at.iter().map(move |index| (*array, *index)));
    pairs.map(|(array, index)| terms.select(array, index)).collect()
}

/// The largest constants that conditions of the start ask for: lengths, mostly.
fn constants(program: &Program) -> Vec<i128> {
    let Some(body) = &program.procs[program.start].body else { return Vec::new() };
    let mut found: BTreeSet<i128> = BTreeSet::new();
    for (_, edge) in body.edges.iter() {
        let Instr::Assume(condition) = edge.instr else { continue };
        walk::walk(program, Node::Expr(condition), &mut |node| {
            if let Node::Expr(e) = node
                && let ExprKind::Int(value @ 2..) = program.exprs[e].kind
            {
                found.insert(value);
            }
        });
    }
    found.into_iter().rev().take(MOST_CONSTANTS).collect()
}
