//! What each definition and lemma rests on.
//!
//! In the order in which they stand: a definition whose recursion ends is free, a lemma that is
//! proved from what is free is free. What cannot be shown is an assumption; a lemma that needs an
//! assumption follows from it, which is not called a proof. A lemma is asked for a counterexample
//! before anything else, and in the end the assumptions are asked whether they contradict each
//! other or what is free.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use lakatos_acsl::spec::LemmaKind;
use lakatos_logic::lemma::{
    Definition, Induction, Knowledge, Lemma, Measure, Origin, Theory, contradiction, measure, prove,
};
use lakatos_logic::smt::Smt;
use lakatos_logic::term::{Function, Node, Sort, Symbol, Term, Terms};
use rustc_hash::FxHashMap;

use crate::refute;
use crate::translate::{Item, ItemKind, Statement, Translation};

/// What is known of the items of a translation.
#[derive(Clone, Debug)]
pub struct Judged {
    /// One for each item.
    pub standings: Vec<Standing>,
    /// Items that contradict each other, by their numbers: the whole is refused.
    pub contradiction: Option<BTreeSet<usize>>,
    /// All that may be used, with what rests on assumptions, which are items by their numbers.
    pub theory: Theory,
    pub rests: BTreeMap<Origin, BTreeSet<usize>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// A definition that assumes nothing. The number that gets smaller with each use of itself, if
    /// there are any.
    Ends(Option<String>),
    /// A function without definition.
    Declared,
    Proved(How),
    /// Shown, but with the help of these assumptions.
    Follows(How, BTreeSet<usize>),
    Assumed(Reason),
    /// It does not hold at these values.
    False(String),
}

/// How a lemma was shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct How {
    /// The number that the induction is on.
    pub induction: Option<String>,
    /// It holds because the elements of arrays are in the range of their type.
    pub ranged: bool,
}

/// Why something is an assumption.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Part of an `axiomatic` block or of a lemma set.
    Axiomatic,
    /// `admit lemma`.
    Admitted,
    /// A recursion that was not seen to end.
    NoMeasure,
    NoProof,
}

impl Standing {
    /// What others rest on if they use it.
    pub fn is_assumption(&self) -> bool {
        matches!(self, Standing::Assumed(_))
    }
}

impl Judged {
    /// What engines may use, in the arena in which it was judged.
    pub fn knowledge(&self, terms: Arc<Terms>, translation: &Translation) -> Knowledge {
        let name = |item: &usize| translation.items[*item].name.clone();
        let named = |(origin, rests): (&Origin, &BTreeSet<usize>)| {
            (*origin, rests.iter().map(name).collect::<BTreeSet<String>>())
        };
        let rests: BTreeMap<Origin, BTreeSet<String>> = self.rests.iter().map(named).collect();
        let assumed = rests.values().flatten().cloned().collect();
        Knowledge { terms, theory: self.theory.clone(), rests, assumed }
    }

    /// Every definition ends and every lemma is proved.
    pub fn is_free(&self) -> bool {
        let free = |s: &Standing| matches!(s, Standing::Ends(_) | Standing::Proved(_));
        self.contradiction.is_none() && self.standings.iter().all(free)
    }
}

/// Judges the items of a translation, in order.
pub fn judge(terms: &mut Terms, smt: &mut Smt, translation: &Translation) -> Judged {
    let mut judge = Judge {
        terms,
        smt,
        translation,
        free: Known::default(),
        all: Known::default(),
        definitions: FxHashMap::default(),
        standings: Vec::new(),
    };
    for (number, item) in translation.items.iter().enumerate() {
        let standing = judge.item(number, item);
        judge.standings.push(standing);
    }
    let contradiction = judge.contradiction();
    let rests = judge.all_rests();
    Judged { standings: judge.standings, contradiction, theory: judge.all.theory, rests }
}

/// A theory, and which items its parts come from.
#[derive(Clone, Debug, Default)]
struct Known {
    theory: Theory,
    definitions: Vec<usize>,
    lemmas: Vec<usize>,
}

impl Known {
    fn define(&mut self, item: usize, definition: &Definition) {
        self.theory.definitions.push(definition.clone());
        self.definitions.push(item);
    }

    fn state(&mut self, item: usize, lemma: &Lemma) {
        self.theory.lemmas.push(lemma.clone());
        self.lemmas.push(item);
    }

    fn item(&self, origin: Origin) -> usize {
        match origin {
            Origin::Definition(number) => self.definitions[number],
            Origin::Lemma(number) => self.lemmas[number],
        }
    }

    fn len(&self) -> usize {
        self.definitions.len() + self.lemmas.len()
    }

    /// Without some of the items.
    fn without(&self, drop: impl Fn(usize) -> bool) -> Known {
        let mut known = Known::default();
        for (item, definition) in self.definitions.iter().zip(&self.theory.definitions) {
            if !drop(*item) {
                known.define(*item, definition);
            }
        }
        for (item, lemma) in self.lemmas.iter().zip(&self.theory.lemmas) {
            if !drop(*item) {
                known.state(*item, lemma);
            }
        }
        known
    }
}

struct Judge<'j> {
    terms: &'j mut Terms,
    smt: &'j mut Smt,
    translation: &'j Translation,
    /// What assumes nothing.
    free: Known,
    /// With the assumptions, and what follows from them.
    all: Known,
    /// Free definitions, to be computed.
    definitions: FxHashMap<Function, Definition>,
    standings: Vec<Standing>,
}

impl Judge<'_> {
    fn item(&mut self, number: usize, item: &Item) -> Standing {
        match &item.kind {
            ItemKind::Declaration { .. } => Standing::Declared,
            ItemKind::Definition { definition, guarded, axiomatic } => {
                self.definition(number, definition, guarded.as_ref(), *axiomatic)
            }
            ItemKind::Lemma { kind, statement } => self.lemma(number, *kind, statement),
        }
    }

    fn definition(
        &mut self,
        number: usize,
        definition: &Definition,
        guarded: Option<&Definition>,
        axiomatic: bool,
    ) -> Standing {
        for candidate in [Some(definition), guarded].into_iter().flatten() {
            if axiomatic {
                break;
            }
            let Some(found) = measure(self.terms, self.smt, candidate) else { continue };
            self.free.define(number, candidate);
            self.all.define(number, candidate);
            self.definitions.insert(candidate.function, candidate.clone());
            return Standing::Ends(match found {
                Measure::Plain => None,
                Measure::Decreasing(term) => Some(self.shown(term)),
            });
        }
        self.all.define(number, guarded.unwrap_or(definition));
        Standing::Assumed(if axiomatic { Reason::Axiomatic } else { Reason::NoMeasure })
    }

    fn lemma(&mut self, number: usize, kind: LemmaKind, statement: &Statement) -> Standing {
        if let Some(values) = self.refuted(statement, refute::LITTLE) {
            return Standing::False(values);
        }
        let assumed = match kind {
            LemmaKind::Lemma | LemmaKind::Check => Reason::NoProof,
            LemmaKind::Admit => Reason::Admitted,
            LemmaKind::Axiom => Reason::Axiomatic,
        };
        let shown = match assumed {
            Reason::NoProof => self.proved(statement),
            _ => None,
        };
        let (standing, lemma) = match shown {
            Some(shown) => shown,
            None => match self.refuted(statement, refute::MUCH) {
                Some(values) => return Standing::False(values),
                None => (Standing::Assumed(assumed), weakest(statement)),
            },
        };
        if kind == LemmaKind::Check {
            return standing;
        }
        if let Standing::Proved(_) = standing {
            self.free.state(number, &lemma);
        }
        self.all.state(number, &lemma);
        standing
    }

    /// The values at which a lemma is false.
    fn refuted(&mut self, statement: &Statement, effort: refute::Effort) -> Option<String> {
        let definitions = &self.definitions;
        let values = refute::counterexample(self.terms, self.smt, definitions, statement, effort)?;
        let show =
            |(symbol, value): &(Symbol, refute::Value)| format!("{} = {value}", self.name(*symbol));
        Some(values.iter().map(show).collect::<Vec<String>>().join(", "))
    }

    /// Tries to show a lemma: without assumptions before with them, of all arrays before those
    /// whose elements are in range, from definitions alone before with lemmas.
    fn proved(&mut self, statement: &Statement) -> Option<(Standing, Lemma)> {
        let strengths = [Some(&statement.general), statement.ranged.as_ref()];
        for with_assumptions in [false, true] {
            if with_assumptions && self.all.len() == self.free.len() {
                break;
            }
            for (strength, lemma) in strengths.iter().flatten().enumerate() {
                let Some((by, used)) = self.attempts(with_assumptions, lemma) else { continue };
                let mut from = self.rests_on(&used);
                from.extend(self.declared(statement));
                let induction = match by {
                    Induction::None => None,
                    Induction::On(term) => Some(self.shown(term)),
                };
                let how = How { induction, ranged: strength == 1 };
                let standing = match from.is_empty() {
                    true => Standing::Proved(how),
                    false => Standing::Follows(how, from),
                };
                return Some((standing, (*lemma).clone()));
            }
        }
        None
    }

    /// A proof, and the items that it uses. Many lemmas have many instances, of which few are
    /// needed, so it is tried without first.
    fn attempts(
        &mut self,
        with_assumptions: bool,
        lemma: &Lemma,
    ) -> Option<(Induction, Vec<usize>)> {
        let known = if with_assumptions { &self.all } else { &self.free };
        let definitions =
            Theory { definitions: known.theory.definitions.clone(), lemmas: Vec::new() };
        let has_more = !known.theory.lemmas.is_empty();
        let lemma = with_fixed(self.terms, lemma);
        for theory in [Some(&definitions), has_more.then_some(&known.theory)].into_iter().flatten()
        {
            if let Some(proof) = prove(self.terms, self.smt, theory, &lemma) {
                let used = proof.used.iter().map(|origin| known.item(*origin)).collect();
                return Some((proof.by, used));
            }
        }
        None
    }

    /// The assumptions behind everything that has some.
    fn all_rests(&self) -> BTreeMap<Origin, BTreeSet<usize>> {
        let definitions = (0..self.all.definitions.len()).map(Origin::Definition);
        let origins = definitions.chain((0..self.all.lemmas.len()).map(Origin::Lemma));
        let rests = origins.map(|origin| {
            let item = self.all.item(origin);
            let mut rests = self.rests_on(&[item]);
            if let ItemKind::Lemma { statement, .. } = &self.translation.items[item].kind {
                rests.extend(self.declared(statement));
            }
            (origin, rests)
        });
        rests.filter(|(_, rests)| !rests.is_empty()).collect()
    }

    /// The assumptions behind items.
    fn rests_on(&self, items: &[usize]) -> BTreeSet<usize> {
        let mut all = BTreeSet::new();
        for &item in items {
            match &self.standings[item] {
                Standing::Follows(_, from) => all.extend(from),
                standing if standing.is_assumption() => {
                    all.insert(item);
                }
                _ => {}
            }
        }
        all
    }

    /// Functions in a lemma of which it is assumed that they depend on elements only.
    fn declared(&self, statement: &Statement) -> BTreeSet<usize> {
        let used = &statement.functions;
        let items = self.translation.items.iter().enumerate();
        let of_arrays = |function: &Function| {
            let sorts = &self.terms.signature(*function).arguments;
            sorts.iter().any(|sort| matches!(sort, Sort::Array(_)))
        };
        let is_used = |item: &Item| match &item.kind {
            ItemKind::Declaration { function } => used.contains(function) && of_arrays(function),
            _ => false,
        };
        items.filter(|(_, item)| is_used(item)).map(|(number, _)| number).collect()
    }

    /// Items that contradict each other: a false lemma with the definitions that it is about, or
    /// assumptions, of which none is seen to be superfluous.
    fn contradiction(&mut self) -> Option<BTreeSet<usize>> {
        let is_false = |s: &Standing| matches!(s, Standing::False(_));
        if let Some(number) = self.standings.iter().position(is_false) {
            return Some(self.with_definitions(number));
        }
        let standings = self.standings.clone();
        let superfluous = |item: usize| matches!(standings[item], Standing::Follows(..));
        let known = self.all.without(superfluous);
        if !standings.iter().any(Standing::is_assumption) {
            return None;
        }
        let mut core = self.core(&known)?;
        for item in core.clone() {
            if standings[item].is_assumption() {
                let smaller = core.clone();
                let kept = known.without(|other| other == item || !smaller.contains(&other));
                if let Some(found) = self.core(&kept) {
                    core = found;
                }
            }
        }
        Some(core)
    }

    fn core(&mut self, known: &Known) -> Option<BTreeSet<usize>> {
        let found = contradiction(self.terms, self.smt, &known.theory)?;
        Some(found.into_iter().map(|origin| known.item(origin)).collect())
    }

    /// A false lemma with what it is about.
    fn with_definitions(&self, number: usize) -> BTreeSet<usize> {
        let mut core = BTreeSet::from([number]);
        let ItemKind::Lemma { statement, .. } = &self.translation.items[number].kind else {
            return core;
        };
        let used = &statement.functions;
        for (other, item) in self.translation.items.iter().enumerate() {
            if let ItemKind::Definition { definition, .. } = &item.kind
                && used.contains(&definition.function)
            {
                core.insert(other);
            }
        }
        core
    }

    /// What the user calls a variable.
    fn name(&self, symbol: Symbol) -> String {
        match self.translation.names.get(&symbol) {
            Some(name) => name.clone(),
            None => {
                let name = self.terms.symbol_name(symbol);
                name.split("!!").next().unwrap_or(name).to_owned()
            }
        }
    }

    /// A number of variables, as the user calls them.
    fn shown(&mut self, term: Term) -> String {
        let mut map = FxHashMap::default();
        for symbol in self.terms.free_symbols(term) {
            let name = self.name(symbol);
            let sort = self.terms.symbol_sort(symbol);
            map.insert(symbol, self.terms.symbol(&name, sort));
        }
        let term = self.terms.substitute(term, &map);
        self.terms.display(term).to_string()
    }
}

/// A lemma in which variables that are the argument of nothing are any fixed values: no term says
/// what to put in their place in the hypothesis of an induction, so they stay as they are. Nothing
/// else speaks of these values, so what is shown of them is shown of all.
fn with_fixed(terms: &Terms, lemma: &Lemma) -> Lemma {
    let mut found = BTreeSet::new();
    for part in terms.parts_first(&[lemma.formula]) {
        if let Node::Apply(..) | Node::Select(..) = terms.node(part) {
            found.extend(terms.free_symbols(part));
        }
    }
    let variables = lemma.variables.iter().copied().filter(|v| found.contains(v)).collect();
    Lemma { variables, ..lemma.clone() }
}

/// As an assumption, a lemma says no more than the user wrote.
fn weakest(statement: &Statement) -> Lemma {
    statement.ranged.as_ref().unwrap_or(&statement.general).clone()
}
