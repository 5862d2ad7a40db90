//! Hash-consed sorted terms: the formulas of every engine (DESIGN.md section 4).
//!
//! A [`Term`] is a `Copy` id into [`Terms`]; equal terms have equal ids, and a term's parts have
//! smaller ids than the term, so a walk in the order of ids meets parts first and nothing here
//! needs to recurse. Terms are made by constructors that simplify:
//!
//! - integers and reals are in **linear normal form** ([`Sum`]); a comparison is `sum <= 0` or
//!   `sum = 0` with coprime coefficients (for integers the bound is tightened), so equal linear
//!   atoms are the same term however they were written;
//! - negation is pushed through `and`, `or` and `ite` to atoms, and into integer comparisons;
//! - `div` and `mod` are SMT-LIB's (Euclidean); by zero they are unspecified.
//!
//! Every simplification is an equivalence: the simplifier belongs to the trusted base.

mod array;
mod bitvec;
mod boolean;
mod evaluate;
mod import;
mod infix;
mod integer;
mod linear;
mod smtlib;
mod substitute;
mod value;
mod walk;

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxBuildHasher, FxHashMap};

pub use self::bitvec::{BvBinary, BvCompare};
pub use self::infix::Infix;
pub use self::linear::{Relation, Sum};
pub use self::smtlib::Session;
pub use self::value::{ArrayValue, Assignment, FunctionValue, Value};
pub use self::walk::{Parts, TermSet};
use crate::number::{Int, Rational};

/// A term of an arena.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Term(u32);

impl Term {
    pub const TRUE: Term = Term(0);
    pub const FALSE: Term = Term(1);

    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "t{}", self.0)
    }
}

/// A free constant: a name with a sort.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Symbol(u32);

/// An uninterpreted function: a name with the sorts of its arguments and its result.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Function(u32);

/// An array sort of an arena.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ArraySort(u32);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sort {
    Bool,
    Int,
    /// Internal: for linear programs, never for program values.
    Real,
    /// So many bits, at least one.
    BitVec(u32),
    /// See [`Terms::array_sort`].
    Array(ArraySort),
}

impl Sort {
    pub fn is_numeric(self) -> bool {
        matches!(self, Sort::Int | Sort::Real)
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Signature {
    pub name: String,
    pub arguments: Vec<Sort>,
    pub result: Sort,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Quantifier {
    Forall,
    Exists,
}

/// The shape of a term. Only the constructors of [`Terms`] make one, so the forms described here
/// always hold.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    Bool(bool),
    Int(Int),
    Real(Rational),
    /// The unsigned value, and the width.
    BitVec(Int, u32),
    Symbol(Symbol),
    /// At least one argument.
    Apply(Function, Box<[Term]>),
    /// Of a symbol, an application, a `select`, an equality, a bit-vector comparison, a real
    /// comparison or a quantifier only.
    Not(Term),
    /// At least two, sorted, distinct, none of them an `And` or a constant.
    And(Box<[Term]>),
    /// At least two, sorted, distinct, none of them an `Or` or a constant.
    Or(Box<[Term]>),
    /// Branches of any sort; the condition is older than its negation.
    Ite(Term, Term, Term),
    /// Of booleans, bit-vectors or arrays; the smaller id first.
    Eq(Term, Term),
    /// A linear combination that is neither a constant nor a lone term.
    Sum(Sum),
    /// At least two factors, sorted, none a constant.
    Product(Box<[Term]>),
    /// A number is at most zero.
    NonPositive(Term),
    /// A number is zero.
    Zero(Term),
    Div(Term, Term),
    Mod(Term, Term),
    ToReal(Term),
    /// Bitwise complement.
    BvNot(Term),
    /// Two's complement negation.
    BvNeg(Term),
    BvBinary(BvBinary, Term, Term),
    BvCompare(BvCompare, Term, Term),
    /// Bits `high` down to `low`.
    Extract {
        high: u32,
        low: u32,
        of: Term,
    },
    /// The first operand has the more significant bits.
    Concat(Term, Term),
    /// By so many more bits.
    ZeroExtend(u32, Term),
    SignExtend(u32, Term),
    /// The unsigned value of a bit-vector.
    BvToInt(Term),
    /// An integer modulo 2^width.
    IntToBv(u32, Term),
    Select(Term, Term),
    Store(Term, Term, Term),
    /// Everywhere the same element; the array's sort.
    ConstArray(ArraySort, Term),
    Quantified(Quantifier, Box<[Symbol]>, Term),
}

/// Tells arenas apart, so that nobody takes the terms of one for those of another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ArenaId(u64);

static NEXT_ARENA: AtomicU64 = AtomicU64::new(0);

/// The arena.
#[derive(Debug)]
pub struct Terms {
    id: ArenaId,
    nodes: IndexMap<Node, Sort, FxBuildHasher>,
    symbols: IndexSet<(String, Sort), FxBuildHasher>,
    functions: IndexSet<Signature, FxBuildHasher>,
    array_sorts: IndexSet<(Sort, Sort), FxBuildHasher>,
    negations: FxHashMap<Term, Term>,
    /// The free symbols of each quantified formula, sorted: walks need not look into bodies.
    free: FxHashMap<Term, Box<[Symbol]>>,
    fresh: u32,
}

impl Default for Terms {
    fn default() -> Self {
        Terms::new()
    }
}

impl Terms {
    pub fn new() -> Terms {
        let mut terms = Terms {
            id: ArenaId(NEXT_ARENA.fetch_add(1, Ordering::Relaxed)),
            nodes: IndexMap::default(),
            symbols: IndexSet::default(),
            functions: IndexSet::default(),
            array_sorts: IndexSet::default(),
            negations: FxHashMap::default(),
            free: FxHashMap::default(),
            fresh: 0,
        };
        terms.intern(Node::Bool(true), Sort::Bool);
        terms.intern(Node::Bool(false), Sort::Bool);
        terms.negations.insert(Term::TRUE, Term::FALSE);
        terms.negations.insert(Term::FALSE, Term::TRUE);
        terms
    }

    pub fn id(&self) -> ArenaId {
        self.id
    }

    fn intern(&mut self, node: Node, sort: Sort) -> Term {
        let next = self.nodes.len();
        match self.nodes.entry(node) {
            indexmap::map::Entry::Occupied(entry) => Term(entry.index() as u32),
            indexmap::map::Entry::Vacant(entry) => {
                entry.insert(sort);
                Term(u32::try_from(next).expect("fewer than 2^32 terms"))
            }
        }
    }

    pub fn node(&self, term: Term) -> &Node {
        self.nodes.get_index(term.index()).expect("a term of this arena").0
    }

    pub fn sort(&self, term: Term) -> Sort {
        *self.nodes.get_index(term.index()).expect("a term of this arena").1
    }

    /// How many terms there are; ids are smaller.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        false
    }

    /// The free constant of this name and sort.
    pub fn symbol(&mut self, name: &str, sort: Sort) -> Term {
        let (index, _) = self.symbols.insert_full((name.to_string(), sort));
        self.intern(Node::Symbol(Symbol(index as u32)), sort)
    }

    /// A free constant that did not exist before.
    pub fn fresh(&mut self, prefix: &str, sort: Sort) -> Term {
        loop {
            let name = format!("{prefix}!!{}", self.fresh);
            self.fresh += 1;
            if !self.symbols.contains(&(name.clone(), sort)) {
                return self.symbol(&name, sort);
            }
        }
    }

    pub fn symbol_name(&self, symbol: Symbol) -> &str {
        &self.symbols[symbol.0 as usize].0
    }

    pub fn symbol_sort(&self, symbol: Symbol) -> Sort {
        self.symbols[symbol.0 as usize].1
    }

    /// The term that is this symbol.
    pub fn symbol_term(&mut self, symbol: Symbol) -> Term {
        self.intern(Node::Symbol(symbol), self.symbol_sort(symbol))
    }

    pub fn as_symbol(&self, term: Term) -> Option<Symbol> {
        match self.node(term) {
            Node::Symbol(symbol) => Some(*symbol),
            _ => None,
        }
    }

    pub fn function(&mut self, name: &str, arguments: &[Sort], result: Sort) -> Function {
        let signature = Signature { name: name.to_string(), arguments: arguments.to_vec(), result };
        Function(self.functions.insert_full(signature).0 as u32)
    }

    pub fn signature(&self, function: Function) -> &Signature {
        &self.functions[function.0 as usize]
    }

    /// A function without arguments is the free constant of its name.
    pub fn apply(&mut self, function: Function, arguments: &[Term]) -> Term {
        let signature = self.signature(function);
        debug_assert!(
            signature.arguments.len() == arguments.len()
                && signature.arguments.iter().zip(arguments).all(|(s, a)| *s == self.sort(*a)),
            "arguments of {signature:?}"
        );
        let result = signature.result;
        match arguments.is_empty() {
            // For a solver it would be that constant: better to know here.
            true => {
                let name = signature.name.clone();
                self.symbol(&name, result)
            }
            false => self.intern(Node::Apply(function, arguments.into()), result),
        }
    }

    pub fn array_sort(&mut self, index: Sort, element: Sort) -> Sort {
        Sort::Array(ArraySort(self.array_sorts.insert_full((index, element)).0 as u32))
    }

    /// The sorts of indices and elements.
    pub fn array_parts(&self, sort: ArraySort) -> (Sort, Sort) {
        self.array_sorts[sort.0 as usize]
    }
}
