//! What engines tell each other while they take turns (DESIGN.md 6.6): invariants and contracts that hold, and
//! predicates that somebody needed. Everybody speaks of the program that proofs are about.
//!
//! Nobody has to believe what is told. It makes a search shorter or longer; what comes of it is checked as a
//! whole, or replayed.

use std::collections::BTreeSet;

use lakatos_analysis::core::{Cx, Lesson, Seen};
use lakatos_analysis::semantics::Role;
use lakatos_evidence::{Meaning, Slot, When};
use lakatos_horn::Place;
use lakatos_ir::VarId;
use lakatos_ir::loops::Loops;
use lakatos_ir::pass::Image;
use lakatos_logic::term::{Sort, Symbol, Term, Terms};
use rustc_hash::FxHashMap;

use crate::prepare::Prepared;

/// What an engine tells the others.
#[derive(Debug)]
pub struct News {
    /// As [`crate::Engine::name`] calls it.
    pub from: &'static str,
    pub worth: Worth,
    pub(crate) claims: Claims,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Worth {
    /// They hold, as far as the solver was asked.
    Holds,
    /// Somebody wants to know where they hold.
    Asked,
}

/// Formulas at places of the program in which violations are error locations.
#[derive(Debug, Default)]
pub(crate) struct Claims {
    terms: Terms,
    meanings: FxHashMap<Symbol, Meaning>,
    known: BTreeSet<(Slot, Term)>,
    all: Vec<(Slot, Term)>,
}

impl Claims {
    /// Adds a formula of another arena, unless it is there already, or has a symbol without a meaning.
    pub fn add(
        &mut self,
        slot: Slot,
        from: &Terms,
        formula: Term,
        meaning: impl Fn(Symbol) -> Option<Meaning>,
    ) {
        let Claims { terms, meanings, known, all } = self;
        let imported = terms.import_as(from, formula, |terms, old, sort| {
            let meaning = meaning(old).ok_or(())?;
            let Meaning { var, when } = meaning;
            let word = terms.symbol(&format!("{when:?} {}", var.0), sort);
            meanings.insert(terms.as_symbol(word).expect("just made"), meaning);
            Ok::<Term, ()>(word)
        });
        if let Ok(formula) = imported
            && known.insert((slot, formula))
        {
            all.push((slot, formula));
        }
    }

    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The predicates of a refinement, at all loops of their procedures: where exactly they were needed depends
    /// on the counterexample.
    pub fn ask(&mut self, cx: &Cx<'_>, prepared: &Prepared, lessons: &[Lesson]) {
        let meaning = |symbol| match cx.semantics.role(symbol)? {
            (Role::Now, var) => Some(Meaning::now(var)),
            (Role::Pre, var) => Some(Meaning::entry(var)),
            _ => None,
        };
        for Lesson { seen, proc, .. } in lessons {
            let Seen::Predicate(formula) = seen else { continue };
            let Some(body) = &prepared.subject.procs[*proc].body else { continue };
            for head in Loops::new(body).cut_points() {
                self.add(Slot::Invariant(*proc, *head), &cx.terms, *formula, meaning);
            }
        }
    }

    /// What is claimed, as far as a search has words for it: it looks at less of the program.
    pub fn understood(&self, cx: &mut Cx<'_>, prepared: &Prepared) -> Vec<(Place, Term)> {
        let understood = |(slot, formula): &(Slot, Term)| {
            let (place, known) = place(prepared, *slot)?;
            Some((place, self.in_words(cx, place, &known, *formula)?))
        };
        self.all.iter().filter_map(understood).collect()
    }

    /// A formula about states that are explored.
    fn in_words(
        &self,
        cx: &mut Cx<'_>,
        place: Place,
        known: &[(VarId, i128)],
        formula: Term,
    ) -> Option<Term> {
        let Cx { terms, semantics, .. } = cx;
        let (Place::Entry(proc) | Place::At(proc, _)) = place;
        let changed = semantics.changed(proc);
        let word = |terms: &mut Terms, symbol: Symbol, sort: Sort| {
            let Meaning { var, when } = self.meanings[&symbol];
            let role = match when {
                When::Entry if changed.contains(&var) => Role::Pre,
                When::Entry | When::Now => Role::Now,
            };
            let value = known.iter().find(|(one, _)| *one == var && role == Role::Now);
            let word = match value {
                Some((_, value)) if sort == Sort::Int => terms.int(*value),
                _ if semantics.tracks(var) => semantics.symbol(terms, role, var),
                _ => return Err(()),
            };
            if terms.sort(word) == sort { Ok(word) } else { Err(()) }
        };
        let formula = terms.import_as(&self.terms, formula, word).ok()?;
        (!matches!(formula, Term::TRUE | Term::FALSE)).then_some(formula)
    }
}

/// Where a place of the program is in what is explored, and the variables that passes have replaced by values
/// there; `None` if it is not explored.
fn place(prepared: &Prepared, slot: Slot) -> Option<(Place, Vec<(VarId, i128)>)> {
    let (Slot::Requires(proc) | Slot::Ensures(proc) | Slot::Invariant(proc, _)) = slot;
    let body = prepared.subject.procs[proc].body.as_ref()?;
    let loc = match slot {
        Slot::Requires(_) => body.entry,
        Slot::Ensures(_) => body.exit,
        Slot::Invariant(_, loc) => loc,
    };
    let place = match (slot, prepared.inverse.image(proc, loc)) {
        _ if prepared.aside.contains(&proc) => return None,
        (Slot::Requires(_), _) => Place::Entry(proc),
        (_, Image::At(image)) => Place::At(proc, image),
        (_, Image::Unreachable | Image::Inside) => return None,
    };
    Some((place, prepared.inverse.known(proc, loc)))
}
