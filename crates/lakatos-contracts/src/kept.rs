//! The annotations that a source has already: what they say nothing of, and where in them there is
//! room for it. They stay as they are; clauses are only put between theirs.

use std::collections::BTreeMap;

use lakatos_acsl::read::{Annotations, FunctionContract};
use lakatos_acsl::tree::{Contract, LoopAnnotation, Theory};
use lakatos_c::ast::{DeclKind, Unit};
use lakatos_ir::{Program, Source, Span};

use crate::annotate::Kind;

/// What is annotated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// By name.
    pub(crate) functions: BTreeMap<String, Said>,
    /// By where their statements begin.
    pub(crate) loops: BTreeMap<u32, Said>,
}

/// What is said of a function or a loop.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Said {
    pub has_assigns: bool,
    /// `decreases` or `loop variant`.
    pub has_measure: bool,
    /// The comment that has room for more; there is none at the definition otherwise.
    pub room: Option<Room>,
}

/// A comment of the user, with the clauses in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Room {
    pub comment: Span,
    /// In order of the text. Clauses of a higher rank come later, as Frama-C wants it.
    clauses: Vec<(u32, Span)>,
}

/// A point between the clauses of a comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Point {
    Before(Span),
    After(Span),
    /// The comment has no clause that is known.
    Begin(Span),
}

impl Kept {
    /// Of a program, from its source.
    pub fn new(program: &Program) -> Kept {
        let source = program.source.own();
        let options = lakatos_c::Options::of_model(program.types.model);
        let Ok(unit) = lakatos_c::check(source, &options) else { return Kept::default() };
        let Ok(annotations) = lakatos_acsl::read_program(&mut Theory::default(), &unit) else {
            return Kept::default();
        };
        Kept::of(&unit, &annotations)
    }

    fn of(unit: &Unit, annotations: &Annotations) -> Kept {
        let mut kept = Kept::default();
        for contract in &annotations.contracts {
            let said = kept.functions.entry(contract.name.clone()).or_default();
            let behaviors = &contract.contract.behaviors;
            said.has_assigns |= contract.contract.assigns.is_some()
                || behaviors.iter().any(|behavior| behavior.assigns.is_some());
            said.has_measure |= contract.contract.decreases.is_some();
            if is_at_definition(unit, contract) && said.room.is_none() {
                let clauses = of_contract(&unit.source, &contract.contract);
                said.room = Some(Room::new(contract.span, clauses));
            }
        }
        for annotated in &annotations.loops {
            let said = kept.loops.entry(unit.stmts[annotated.stmt].span.start).or_default();
            said.has_assigns |= !annotated.body.assigns.is_empty();
            said.has_measure |= annotated.body.variant.is_some();
            said.room.get_or_insert_with(|| Room::new(annotated.span, of_loop(&annotated.body)));
        }
        kept
    }
}

impl Room {
    fn new(comment: Span, mut clauses: Vec<(u32, Span)>) -> Room {
        clauses.sort_by_key(|(_, span)| *span);
        Room { comment, clauses }
    }

    /// Where a clause of a kind belongs.
    pub fn point(&self, kind: Kind) -> Point {
        let rank = rank(kind);
        match (self.clauses.iter().find(|(other, _)| *other > rank), self.clauses.last()) {
            (Some((_, span)), _) => Point::Before(*span),
            (None, Some((_, span))) => Point::After(*span),
            (None, None) => Point::Begin(self.comment),
        }
    }

    /// The first clause: others stand below it.
    pub fn first(&self) -> Option<Span> {
        self.clauses.first().map(|(_, span)| *span)
    }
}

/// The order of clauses.
fn rank(kind: Kind) -> u32 {
    match kind {
        Kind::Requires => 0,
        Kind::Decreases => 2,
        Kind::Assigns | Kind::Ensures | Kind::LoopInvariant | Kind::LoopAssigns => 3,
        Kind::Behavior | Kind::Assumes | Kind::BehaviorEnsures => 4,
        Kind::Complete | Kind::Disjoint => 5,
        Kind::LoopVariant => 6,
    }
}

fn is_at_definition(unit: &Unit, contract: &FunctionContract) -> bool {
    match &unit.decls[contract.function].kind {
        DeclKind::Function(function) => function.body.as_ref().is_some_and(|body| {
            let between =
                |span: &Span| contract.span.end <= span.start && span.start < body.span.start;
            let others = function.declarations.iter().map(|declaration| declaration.span);
            contract.span.end <= body.span.start && !others.clone().any(|span| between(&span))
        }),
        _ => false,
    }
}

fn of_contract(source: &Source, contract: &Contract) -> Vec<(u32, Span)> {
    let mut all: Vec<(u32, Span)> = Vec::new();
    all.extend(contract.requires.iter().map(|clause| (0, clause.span)));
    all.extend(contract.terminates.iter().map(|clause| (1, clause.span)));
    all.extend(contract.decreases.iter().map(|measure| (2, measure.span)));
    all.extend(contract.assigns.iter().map(|assigns| (3, assigns.span)));
    all.extend(contract.ensures.iter().map(|clause| (3, clause.span)));
    for behavior in &contract.behaviors {
        let name = behavior.name.span;
        let begin = source.text()[..name.start as usize].rfind("behavior");
        let begin = begin.map_or(name.start, |at| at as u32);
        let (assumes, requires) = (&behavior.assumes, &behavior.requires);
        let clauses = assumes.iter().chain(requires).chain(&behavior.ensures);
        let spans = clauses.map(|clause| clause.span);
        let spans = spans.chain(behavior.assigns.iter().map(|assigns| assigns.span));
        all.push((4, Span::new(begin, name.end)));
        all.extend(spans.map(|span| (4, span)));
    }
    let sets = contract.complete.iter().chain(&contract.disjoint);
    all.extend(sets.map(|set| (5, set.span)));
    all
}

fn of_loop(annotation: &LoopAnnotation) -> Vec<(u32, Span)> {
    let mut all: Vec<(u32, Span)> = Vec::new();
    all.extend(annotation.invariants.iter().map(|clause| (3, clause.body.span)));
    all.extend(annotation.assigns.iter().map(|clause| (3, clause.body.span)));
    all.extend(annotation.variant.iter().map(|measure| (6, measure.span)));
    all
}
