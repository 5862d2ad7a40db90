//! The shapes of contracts and of annotations of loops and statements, over whatever predicates
//! (`P`), terms (`T`) and memory locations (`L`) are: syntax, or the typed tree.
//!
//! Clauses are sorted by what they are, and keep their order otherwise: ACSL gives the order of
//! clauses of different kinds no meaning.

use lakatos_ir::Span;

use crate::syntax::{Name, Spanned};

/// How a clause is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mode {
    /// To be shown, and then known.
    Assert,
    /// `check`: to be shown, and not used for anything else.
    Check,
    /// `admit`: known without being shown. Whoever uses it has an assumption.
    Admit,
}

impl Mode {
    /// The word before a clause.
    pub fn prefix(self) -> &'static str {
        match self {
            Mode::Assert => "",
            Mode::Check => "check ",
            Mode::Admit => "admit ",
        }
    }
}

/// A predicate that is stated in some place.
#[derive(Clone, Debug)]
pub struct Clause<P> {
    pub mode: Mode,
    pub body: P,
    /// From its first word to its semicolon.
    pub span: Span,
}

impl<P: PartialEq> PartialEq for Clause<P> {
    fn eq(&self, other: &Self) -> bool {
        self.mode == other.mode && self.body == other.body
    }
}

impl<P: Eq> Eq for Clause<P> {}

/// What may be assigned: none of it means `\nothing`. Several clauses are one list.
#[derive(Clone, Debug)]
pub struct Assigns<L> {
    pub targets: Vec<Target<L>>,
    pub span: Span,
}

impl<L: PartialEq> PartialEq for Assigns<L> {
    fn eq(&self, other: &Self) -> bool {
        self.targets == other.targets
    }
}

impl<L: Eq> Eq for Assigns<L> {}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target<L> {
    pub place: L,
    /// `\from`: what the new value depends on; none of it means `\nothing`.
    pub from: Option<Vec<L>>,
}

/// What a function requires and ensures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contract<P, T, L> {
    pub requires: Vec<Clause<P>>,
    pub terminates: Option<Clause<P>>,
    pub decreases: Option<Spanned<T>>,
    /// `None`: anything may be assigned.
    pub assigns: Option<Assigns<L>>,
    pub ensures: Vec<Clause<P>>,
    pub behaviors: Vec<Behavior<P, L>>,
    /// Of each clause the behaviours it names; none of them means all.
    pub complete: Vec<Spanned<Vec<Name>>>,
    pub disjoint: Vec<Spanned<Vec<Name>>>,
}

impl<P, T, L> Default for Contract<P, T, L> {
    fn default() -> Self {
        Contract {
            requires: Vec::new(),
            terminates: None,
            decreases: None,
            assigns: None,
            ensures: Vec::new(),
            behaviors: Vec::new(),
            complete: Vec::new(),
            disjoint: Vec::new(),
        }
    }
}

/// A named part of a contract, about the calls for which its `assumes` hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Behavior<P, L> {
    pub name: Name,
    pub assumes: Vec<Clause<P>>,
    pub requires: Vec<Clause<P>>,
    pub assigns: Option<Assigns<L>>,
    pub ensures: Vec<Clause<P>>,
}

impl<P, L> Behavior<P, L> {
    pub fn new(name: Name) -> Self {
        Behavior {
            name,
            assumes: Vec::new(),
            requires: Vec::new(),
            assigns: None,
            ensures: Vec::new(),
        }
    }
}

/// Something that is said for the named behaviours only; for none of them means for all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForBehaviors<T> {
    pub behaviors: Vec<Name>,
    pub body: T,
}

/// What is said before a loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopAnnotation<P, T, L> {
    pub invariants: Vec<ForBehaviors<Clause<P>>>,
    pub assigns: Vec<ForBehaviors<Assigns<L>>>,
    pub variant: Option<Spanned<T>>,
}

impl<P, T, L> Default for LoopAnnotation<P, T, L> {
    fn default() -> Self {
        LoopAnnotation { invariants: Vec::new(), assigns: Vec::new(), variant: None }
    }
}

/// `assert`, `check` or `admit`.
pub type Assertion<P> = ForBehaviors<Clause<P>>;

/// What a statement about the logic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LemmaKind {
    Lemma,
    /// To be shown, but not to be used.
    Check,
    /// To be used without being shown.
    Admit,
    /// Part of an `axiomatic`: to be used without being shown.
    Axiom,
}

impl LemmaKind {
    pub fn text(self) -> &'static str {
        match self {
            LemmaKind::Lemma => "lemma",
            LemmaKind::Check => "check lemma",
            LemmaKind::Admit => "admit lemma",
            LemmaKind::Axiom => "axiom",
        }
    }

    /// It is believed, not shown.
    pub fn is_assumption(self) -> bool {
        matches!(self, LemmaKind::Admit | LemmaKind::Axiom)
    }
}
