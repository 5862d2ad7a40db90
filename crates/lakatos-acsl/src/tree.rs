//! The typed tree: what annotations and declarations mean, with all names resolved.
//!
//! Terms and predicates are apart. Made for a translation to terms of a solver:
//!
//! - Every conversion is a node. [`TermKind::Coerce`] changes no value: it takes an integer of C
//!   into a wider type or `integer`, a number into `real`, a pointer to `void *` and back. [`TermKind::Cast`] does what C does. Operands of
//!   arithmetic and comparisons are `integer` or `real` (or pointers, or booleans), never C types,
//!   so that `+` is the `+` of mathematics. A term of an integer type of C is in range of it.
//! - A predicate is a formula, and a term of type `boolean` is one too: [`PredKind::Holds`] and
//!   [`TermKind::Truth`] go from one to the other.
//! - Memory is read by [`TermKind::Load`] and the like only. It is read in the state of the
//!   *current label*: that of the innermost [`TermKind::At`] or [`PredKind::At`], otherwise
//!   [`Label::Here`], or in a declaration of the logic the only label that it has. Calls and
//!   `\valid` say their labels.
//! - Bound variables have numbers that are unique in their clause or declaration, so there is
//!   nothing to be captured.
//! - A parameter in a postcondition is what it was when the function was entered; the tree says
//!   [`PlaceKind::Variable`] with `is_parameter` for it, as it does elsewhere.
//!
//! Two trees are equal if they say the same, wherever they stand.

use dashu_int::IBig;
use lakatos_ir::{Arena, Source, Span, define_ids};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::env::CVariable;
use crate::spec::{self, LemmaKind};
use crate::syntax::Name;
use crate::types::Type;

define_ids! {
    /// A logic function or predicate.
    LogicId = "logic";
    /// A file that declarations come from.
    FileId = "file";
}

pub type Contract = spec::Contract<Pred, Term, Place>;
pub type Behavior = spec::Behavior<Pred, Place>;
pub type LoopAnnotation = spec::LoopAnnotation<Pred, Term, Place>;
pub type Assertion = spec::Assertion<Pred>;
pub type Clause = spec::Clause<Pred>;
pub type Assigns = spec::Assigns<Place>;

/// All declarations of the logic, from one or several files, in order.
#[derive(Clone, Debug, Default)]
pub struct Theory {
    pub files: Arena<FileId, Source>,
    pub functions: Arena<LogicId, Logic>,
    pub items: Vec<Item>,
    /// Functions and predicates by name, for looking up only.
    by_name: FxHashMap<String, LogicId>,
    /// Lemmas, axioms and blocks by name, with where they are.
    stated: FxHashMap<String, (FileId, Span)>,
    /// Names of declarations that are not supported.
    left_out: FxHashSet<String>,
}

impl Theory {
    /// The function or predicate of a name.
    pub fn function(&self, name: &str) -> Option<LogicId> {
        self.by_name.get(name).copied()
    }

    /// A name of something that is not supported, and therefore not here.
    pub fn is_left_out(&self, name: &str) -> bool {
        self.left_out.contains(name)
    }

    /// All lemmas and axioms in order, those of blocks too.
    pub fn lemmas(&self) -> Vec<&Lemma> {
        let mut lemmas = Vec::new();
        for item in &self.items {
            match item {
                Item::Lemma(lemma) => lemmas.push(lemma),
                Item::Axiomatic { items, .. } => {
                    lemmas.extend(items.iter().filter_map(|i| match i {
                        Item::Lemma(lemma) => Some(lemma),
                        _ => None,
                    }))
                }
                Item::Logic(_) => {}
            }
        }
        lemmas
    }

    pub(crate) fn leave_out(&mut self, name: &str) {
        self.left_out.insert(name.to_owned());
    }

    pub(crate) fn add(&mut self, logic: Logic) -> LogicId {
        let name = logic.name.node.clone();
        let id = self.functions.push(logic);
        self.by_name.insert(name, id);
        id
    }

    /// Where a lemma, axiom or block of that name is.
    pub(crate) fn stated(&self, name: &str) -> Option<(FileId, Span)> {
        self.stated.get(name).copied()
    }

    pub(crate) fn state(&mut self, name: &str, file: FileId, span: Span) {
        self.stated.insert(name.to_owned(), (file, span));
    }
}

/// A declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    Logic(LogicId),
    Lemma(Lemma),
    Axiomatic { name: Name, file: FileId, items: Vec<Item> },
}

/// A logic function or predicate.
#[derive(Clone, Debug)]
pub struct Logic {
    pub name: Name,
    pub file: FileId,
    /// The states that it is about. One that reads memory and names none has one, called `L`.
    pub labels: Vec<String>,
    pub params: Vec<Variable>,
    /// `None` for a predicate.
    pub result: Option<Type>,
    pub definition: Definition,
    /// It stands in an `axiomatic` block: an assumption, and not a definition.
    pub axiomatic: Option<String>,
    pub span: Span,
}

impl PartialEq for Logic {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
            && self.labels == other.labels
            && self.params == other.params
            && self.result == other.result
            && self.definition == other.definition
            && self.axiomatic == other.axiomatic
    }
}

impl Eq for Logic {}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Definition {
    /// Nothing is known but its name.
    Declared,
    /// It depends on these places only.
    Reads(Vec<Place>),
    Term(Term),
    Pred(Pred),
    /// The least predicate with these cases.
    Inductive(Vec<Case>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    pub name: Name,
    pub labels: Vec<String>,
    pub body: Pred,
}

/// A statement about the logic. Its variables are bound in its body.
#[derive(Clone, Debug)]
pub struct Lemma {
    pub kind: LemmaKind,
    pub name: Name,
    pub file: FileId,
    pub labels: Vec<String>,
    pub body: Pred,
    pub span: Span,
}

impl PartialEq for Lemma {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
            && self.name == other.name
            && self.labels == other.labels
            && self.body == other.body
    }
}

impl Eq for Lemma {}

/// A bound variable, or a parameter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Variable {
    /// Unique in the clause or declaration.
    pub id: u32,
    pub name: String,
    pub ty: Type,
}

/// A state of the program.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Label {
    /// Where the annotation stands; in a postcondition, after the call.
    Here,
    /// Before the call, in a postcondition.
    Old,
    /// When the function was entered.
    Pre,
    /// After the call.
    Post,
    /// Before `main`.
    Init,
    /// When the innermost loop was entered.
    LoopEntry,
    /// When the current turn of the innermost loop began.
    LoopCurrent,
    /// A label of the program.
    C(String),
    /// A label that a declaration of the logic has as a parameter.
    Logic(String),
}

impl Label {
    pub fn name(&self) -> &str {
        match self {
            Label::Here => "Here",
            Label::Old => "Old",
            Label::Pre => "Pre",
            Label::Post => "Post",
            Label::Init => "Init",
            Label::LoopEntry => "LoopEntry",
            Label::LoopCurrent => "LoopCurrent",
            Label::C(name) | Label::Logic(name) => name,
        }
    }
}

/// A value.
#[derive(Clone, Debug)]
pub struct Term {
    pub kind: TermKind,
    pub ty: Type,
    pub span: Span,
}

impl PartialEq for Term {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind && self.ty == other.ty
    }
}

impl Eq for Term {}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TermKind {
    /// Not negative.
    Int(IBig),
    /// As it is written.
    Real(String),
    Null,
    /// A constant of an enumeration.
    Enumerator(String, IBig),
    Variable(Variable),
    /// The value of a place in the current state.
    Load(Box<Place>),
    AddressOf(Box<Place>),
    /// An array as the pointer to its first element.
    Decay(Box<Place>),
    /// A predicate as a truth value.
    Truth(Box<Pred>),
    /// The same value in a larger type, where nobody wrote a cast: see the module.
    Coerce(Box<Term>),
    /// A conversion that is written, as C does it: to an integer type modulo its size, to `_Bool`
    /// and `boolean` whether it is not 0, from `boolean` 1 or 0, from `real` to an integer type by
    /// leaving out what is behind the point. In `integer` and `real`, which have no bounds, numbers
    /// of C stay as they are.
    Cast(Box<Term>),
    Neg(Box<Term>),
    BitNot(Box<Term>),
    /// From left to right. All operands have the type of the node.
    Arithmetic {
        first: Box<Term>,
        rest: Vec<(Arithmetic, Term)>,
    },
    /// In elements. The index is `integer`, or a set of it, and then there are as many pointers.
    PointerAdd {
        pointer: Box<Term>,
        index: Box<Term>,
        subtract: bool,
    },
    /// In elements.
    PointerDiff(Box<Term>, Box<Term>),
    Cond(Box<Pred>, Box<Term>, Box<Term>),
    Let {
        variable: Variable,
        value: Box<Term>,
        body: Box<Term>,
    },
    At(Box<Term>, Label),
    Call(Call),
    Builtin(Builtin, Vec<Term>),
    /// Over the integers from `low` to `high`, both included.
    Fold {
        fold: Fold,
        low: Box<Term>,
        high: Box<Term>,
        variable: Variable,
        /// A number; the truth values that are counted in `\numof`.
        body: Box<Term>,
    },
    /// Integers, both ends included; no end means without end.
    Range(Option<Box<Term>>, Option<Box<Term>>),
}

/// A use of a logic function or predicate. A function without parameters is a constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    pub function: LogicId,
    /// One for each label of the function.
    pub labels: Vec<Label>,
    /// Of the types of the parameters.
    pub args: Vec<Term>,
}

/// Operators on `integer`; the first four on `real`, too. Division of integers leaves out what is
/// behind the point, as C does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arithmetic {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    BitAnd,
    BitOr,
    BitXor,
    /// `~a | b`, grouped to the right in the text: here it has two operands.
    BitImplies,
    /// `~(a ^ b)`.
    BitIff,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Builtin {
    Min,
    Max,
    Abs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fold {
    Sum,
    Product,
    Min,
    Max,
    NumOf,
}

/// A part of memory.
#[derive(Clone, Debug)]
pub struct Place {
    pub kind: PlaceKind,
    /// A set where there are several.
    pub ty: Type,
    pub span: Span,
}

impl PartialEq for Place {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind && self.ty == other.ty
    }
}

impl Eq for Place {}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlaceKind {
    Variable(CVariable),
    /// What the function returns.
    Result,
    /// `*p`
    Deref(Box<Term>),
    /// `p[i]` of a pointer.
    Element {
        pointer: Box<Term>,
        index: Box<Term>,
    },
    /// `a[i]` of an array.
    ArrayElement {
        array: Box<Place>,
        index: Box<Term>,
    },
    /// A member of a record, by the numbers of fields.
    Field {
        record: Box<Place>,
        name: String,
        path: Vec<u32>,
    },
    /// A record or array that is a value of the logic and not in memory.
    Value(Box<Term>),
}

/// A formula.
#[derive(Clone, Debug)]
pub struct Pred {
    pub kind: PredKind,
    pub span: Span,
}

impl PartialEq for Pred {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
    }
}

impl Eq for Pred {}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PredKind {
    True,
    False,
    /// A term of type `boolean`.
    Holds(Box<Term>),
    /// Each operand with the next one; all of one type.
    Compare {
        first: Box<Term>,
        rest: Vec<(Comparison, Term)>,
    },
    Not(Box<Pred>),
    And(Vec<Pred>),
    Or(Vec<Pred>),
    /// An odd number of them holds.
    Xor(Vec<Pred>),
    /// From left to right, in pairs.
    Iff(Vec<Pred>),
    Implies(Box<Pred>, Box<Pred>),
    Cond(Box<Pred>, Box<Pred>, Box<Pred>),
    Let {
        variable: Variable,
        value: Box<Term>,
        body: Box<Pred>,
    },
    Forall(Vec<Variable>, Box<Pred>),
    Exists(Vec<Variable>, Box<Pred>),
    At(Box<Pred>, Label),
    Call(Call),
    /// The name of a part, for reports.
    Named(Name, Box<Pred>),
    /// About a pointer, or all of a set, in a state.
    Memory(Memory, Label, Box<Term>),
    /// The places that these pointers point to are apart from each other.
    Separated(Vec<Term>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Memory {
    /// May be read and written.
    Valid,
    /// May be read.
    ValidRead,
    Initialized,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}
