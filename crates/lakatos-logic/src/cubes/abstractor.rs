//! The door: abstractions by parts, from memory where possible.

use super::cache::{Cache, Kind};
use super::parts::Part;
use super::predicates::{Literal, PredId, Predicates, Refused};
use super::region::Region;
use super::search::Search;
use crate::smt::{Reason, Smt};
use crate::term::{ArenaId, Term, Terms};

/// What a formula says about predicates.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Abstraction {
    /// Always implied by the formula.
    pub region: Region,
    /// Why there may be a stronger one.
    pub gap: Option<Gap>,
}

impl Abstraction {
    pub(super) fn exact(region: Region) -> Abstraction {
        Abstraction { region, gap: None }
    }

    /// There is nothing stronger than bottom.
    pub(super) fn bound(region: Region, gap: Gap) -> Abstraction {
        match region.is_bottom() {
            true => Abstraction::exact(region),
            false => Abstraction { region, gap: Some(gap) },
        }
    }

    /// Whether there is no stronger one.
    pub fn is_exact(&self) -> bool {
        self.gap.is_none()
    }

    /// Of both formulas together, which have nothing in common.
    fn and(self, other: Abstraction) -> Abstraction {
        let region = self.region.and(&other.region);
        match self.gap.or(other.gap) {
            None => Abstraction::exact(region),
            Some(gap) => Abstraction::bound(region, gap),
        }
    }
}

/// Why an abstraction is a bound only.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Gap {
    #[error("a query of the abstraction is open: {0}")]
    Unknown(Reason),
    #[error("the abstraction has too many cubes")]
    Models,
}

/// What the abstractions did so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Calls of the solver.
    pub queries: u64,
    /// Answers with a model.
    pub models: u64,
    /// Answers that were none.
    pub unknowns: u64,
    /// Formulas, and parts of them, that were answered from memory.
    pub hits: u64,
    /// Searches.
    pub searches: u64,
}

/// Abstracts formulas of one arena with predicates that it numbers, and remembers what it found.
#[derive(Debug)]
pub struct Abstractor {
    arena: Option<ArenaId>,
    predicates: Predicates,
    cache: Cache,
    statistics: Statistics,
    models: usize,
}

impl Default for Abstractor {
    fn default() -> Self {
        Abstractor::new()
    }
}

impl Abstractor {
    pub fn new() -> Abstractor {
        Abstractor::with_models(1 << 12)
    }

    /// One that takes at most so many cubes from the solver before it settles for a bound.
    pub fn with_models(models: usize) -> Abstractor {
        Abstractor {
            arena: None,
            predicates: Predicates::new(),
            cache: Cache::default(),
            statistics: Statistics::default(),
            models,
        }
    }

    pub fn predicates(&self) -> &Predicates {
        &self.predicates
    }

    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// See [`Predicates::add`].
    pub fn predicate(&mut self, terms: &mut Terms, formula: Term) -> Result<Literal, Refused> {
        self.stay_with(terms);
        self.predicates.add(terms, formula)
    }

    /// The strongest Boolean combination of predicates that the formula implies.
    pub fn boolean(
        &mut self,
        terms: &mut Terms,
        smt: &mut Smt,
        formula: Term,
        over: &[PredId],
    ) -> Abstraction {
        self.whole(terms, smt, Kind::Boolean, formula, over)
    }

    /// The strongest conjunction of literals that the formula implies.
    pub fn cartesian(
        &mut self,
        terms: &mut Terms,
        smt: &mut Smt,
        formula: Term,
        over: &[PredId],
    ) -> Abstraction {
        self.whole(terms, smt, Kind::Cartesian, formula, over)
    }

    fn whole(
        &mut self,
        terms: &mut Terms,
        smt: &mut Smt,
        kind: Kind,
        formula: Term,
        over: &[PredId],
    ) -> Abstraction {
        if formula == Term::FALSE {
            return Abstraction::exact(Region::bottom());
        }
        self.stay_with(terms);
        let mut over = over.to_vec();
        over.sort_unstable();
        over.dedup();
        let whole = Part { formula, over };
        if let Some(known) = self.remembered(smt, kind, &whole) {
            return known;
        }
        let parts = whole.clone().split(terms, &self.predicates);
        if parts.len() == 1 {
            return self.part(terms, smt, kind, &whole);
        }
        let mut result = Abstraction::exact(Region::top());
        for part in &parts {
            let known = self.remembered(smt, kind, part);
            result = result.and(known.unwrap_or_else(|| self.part(terms, smt, kind, part)));
            if result.region.is_bottom() {
                break;
            }
        }
        self.cache.of(formula).store(kind, &whole.over, smt.limits(), &result);
        result
    }

    /// Numbers of terms mean nothing in another arena.
    fn stay_with(&mut self, terms: &Terms) {
        let arena = *self.arena.get_or_insert(terms.id());
        assert_eq!(arena, terms.id(), "an abstractor is for one arena");
    }

    fn remembered(&mut self, smt: &Smt, kind: Kind, part: &Part) -> Option<Abstraction> {
        let known = self.cache.of(part.formula).answer(kind, &part.over, smt.limits());
        self.statistics.hits += u64::from(known.is_some());
        known
    }

    /// What is not known yet of a part.
    fn part(&mut self, terms: &mut Terms, smt: &mut Smt, kind: Kind, part: &Part) -> Abstraction {
        let upper = self.upper(terms, part);
        let facts = upper.facts();
        let known = self.cache.of(part.formula);
        let mut over = part.over.clone();
        over.retain(|p| !facts.iter().any(|fact| fact.predicate == *p));
        if kind == Kind::Cartesian {
            over.retain(|p| !known.is_open(*p));
        }
        let mut result = match over.is_empty() && known.is_satisfiable() {
            true => Abstraction::exact(Region::top()),
            false => {
                let upper = upper.restrict(&facts).keep(&over);
                self.search(terms, smt, kind, &Part { formula: part.formula, over }, &upper)
            }
        };
        result.region = result.region.and(&Region::cube(facts));
        self.cache.of(part.formula).store(kind, &part.over, smt.limits(), &result);
        result
    }

    /// What the part's formula is known to imply, from earlier or because it says so.
    fn upper(&mut self, terms: &Terms, part: &Part) -> Region {
        let said = terms.conjuncts(part.formula);
        let said = said.iter().filter_map(|conjunct| self.predicates.literal(*conjunct));
        let said = Region::cube(said.filter(|l| part.over.contains(&l.predicate)));
        self.cache.of(part.formula).upper(&part.over).and(&said)
    }

    fn search(
        &mut self,
        terms: &mut Terms,
        smt: &mut Smt,
        kind: Kind,
        part: &Part,
        upper: &Region,
    ) -> Abstraction {
        self.statistics.searches += 1;
        let definition = |p: &PredId| self.predicates.indicator(*p).definition;
        let mut all: Vec<Term> = part.over.iter().map(definition).collect();
        all.push(part.formula);
        let solver = smt.shared(terms, &all);
        let (predicates, statistics) = (&self.predicates, &mut self.statistics);
        let search = Search::begin(terms, solver, predicates, statistics, part, upper);
        match kind {
            Kind::Boolean => search.boolean(self.models),
            Kind::Cartesian => search.cartesian(),
        }
    }
}
