//! What stands in the text: the tree that the parser makes and the printer prints.
//!
//! Nothing is resolved here: a name is a name, and terms are not told from predicates. Operators
//! that group to the left are kept flat, with all operands of one level in one node, so that long
//! sums and conjunctions are not deep. Two trees are equal if they say the same, wherever they
//! stand.

use lakatos_ir::Span;

use crate::spec;

/// A thing with its place in the file.
#[derive(Clone, Debug)]
pub struct Spanned<T> {
    pub node: T,
    pub span: Span,
}

impl<T> Spanned<T> {
    pub fn new(node: T, span: Span) -> Spanned<T> {
        Spanned { node, span }
    }
}

/// Places do not matter.
impl<T: PartialEq> PartialEq for Spanned<T> {
    fn eq(&self, other: &Self) -> bool {
        self.node == other.node
    }
}

impl<T: Eq> Eq for Spanned<T> {}

pub type Name = Spanned<String>;
pub type Contract = spec::Contract<Expr, Expr, Expr>;
pub type Behavior = spec::Behavior<Expr, Expr>;
pub type LoopAnnotation = spec::LoopAnnotation<Expr, Expr, Expr>;
pub type Assertion = spec::Assertion<Expr>;
pub type Clause = spec::Clause<Expr>;
pub type Assigns = spec::Assigns<Expr>;

/// A term or a predicate.
#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
    depth: u32,
}

impl PartialEq for Expr {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
    }
}

impl Eq for Expr {}

impl Expr {
    pub fn new(kind: ExprKind, span: Span) -> Expr {
        let mut deepest = 0;
        kind.for_each_operand(|e| deepest = deepest.max(e.depth));
        Expr { kind, span, depth: deepest + 1 }
    }

    /// How many nodes are nested.
    pub fn depth(&self) -> u32 {
        self.depth
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    /// As it is written: base and suffix included.
    Int(String),
    /// As it is written.
    Real(String),
    /// With its quotes.
    Char(String),
    Name(String),
    Constant(Constant),
    /// The value of before: `\old(e)`.
    Old(Box<Expr>),
    /// `\at(e, Label)`.
    At(Box<Expr>, Name),
    /// `f{L1, L2}(x, y)`; built-in functions have their backslash. Without parentheses if there
    /// are no arguments.
    Call {
        function: Name,
        labels: Vec<Name>,
        args: Vec<Expr>,
    },
    Index(Box<Expr>, Box<Expr>),
    Field(Box<Expr>, Name),
    /// `p->f`
    Arrow(Box<Expr>, Name),
    Unary(Unary, Box<Expr>),
    /// Two or more operands with operators of one level, from left to right.
    Infix {
        first: Box<Expr>,
        rest: Vec<(Infix, Expr)>,
    },
    /// `==>`, which groups to the right, and so does `-->`.
    Implies(Box<Expr>, Box<Expr>),
    BitImplies(Box<Expr>, Box<Expr>),
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    Cast(TypeExpr, Box<Expr>),
    SizeOfType(TypeExpr),
    SizeOf(Box<Expr>),
    /// `low .. high`, inclusive.
    Range(Option<Box<Expr>>, Option<Box<Expr>>),
    Bind {
        binder: Binder,
        variables: Vec<Variable>,
        body: Box<Expr>,
    },
    Let {
        name: Name,
        value: Box<Expr>,
        body: Box<Expr>,
    },
    /// `name: predicate`.
    Named(Name, Box<Expr>),
}

impl ExprKind {
    pub fn for_each_operand(&self, mut see: impl FnMut(&Expr)) {
        match self {
            ExprKind::Int(_)
            | ExprKind::Real(_)
            | ExprKind::Char(_)
            | ExprKind::Name(_)
            | ExprKind::Constant(_)
            | ExprKind::SizeOfType(_) => {}
            ExprKind::Old(e)
            | ExprKind::At(e, _)
            | ExprKind::Field(e, _)
            | ExprKind::Arrow(e, _)
            | ExprKind::Unary(_, e)
            | ExprKind::Cast(_, e)
            | ExprKind::SizeOf(e)
            | ExprKind::Bind { body: e, .. }
            | ExprKind::Named(_, e) => see(e),
            ExprKind::Call { args, .. } => args.iter().for_each(see),
            ExprKind::Index(a, b)
            | ExprKind::Implies(a, b)
            | ExprKind::BitImplies(a, b)
            | ExprKind::Let { value: a, body: b, .. } => {
                see(a);
                see(b);
            }
            ExprKind::Infix { first, rest } => {
                see(first);
                rest.iter().for_each(|(_, e)| see(e));
            }
            ExprKind::Cond(a, b, c) => {
                see(a);
                see(b);
                see(c);
            }
            ExprKind::Range(low, high) => low.iter().chain(high).for_each(|e| see(e)),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constant {
    True,
    False,
    Null,
    Result,
}

impl Constant {
    pub fn text(self) -> &'static str {
        match self {
            Constant::True => "\\true",
            Constant::False => "\\false",
            Constant::Null => "\\null",
            Constant::Result => "\\result",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    Plus,
    Neg,
    BitNot,
    Not,
    Deref,
    AddressOf,
}

impl Unary {
    pub fn text(self) -> &'static str {
        match self {
            Unary::Plus => "+",
            Unary::Neg => "-",
            Unary::BitNot => "~",
            Unary::Not => "!",
            Unary::Deref => "*",
            Unary::AddressOf => "&",
        }
    }
}

/// Operators that group to the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Infix {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    Shl,
    Shr,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
    BitAnd,
    BitXor,
    BitOr,
    BitIff,
    And,
    Xor,
    Or,
    Iff,
}

/// How tightly operators bind; those of one level stand in one [`ExprKind::Infix`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// `? :`, names, binders.
    Lowest,
    Iff,
    Implies,
    Or,
    Xor,
    And,
    BitIff,
    BitImplies,
    BitOr,
    BitXor,
    BitAnd,
    Relation,
    Shift,
    Sum,
    Product,
    Unary,
    Postfix,
}

impl Infix {
    pub const ALL: [Infix; 21] = {
        use Infix::*;
        [
            Mul, Div, Rem, Add, Sub, Shl, Shr, Lt, Le, Gt, Ge, Eq, Ne, BitAnd, BitXor, BitOr,
            BitIff, And, Xor, Or, Iff,
        ]
    };

    pub fn text(self) -> &'static str {
        use Infix::*;
        match self {
            Mul => "*",
            Div => "/",
            Rem => "%",
            Add => "+",
            Sub => "-",
            Shl => "<<",
            Shr => ">>",
            Lt => "<",
            Le => "<=",
            Gt => ">",
            Ge => ">=",
            Eq => "==",
            Ne => "!=",
            BitAnd => "&",
            BitXor => "^",
            BitOr => "|",
            BitIff => "<-->",
            And => "&&",
            Xor => "^^",
            Or => "||",
            Iff => "<==>",
        }
    }

    pub fn level(self) -> Level {
        use Infix::*;
        match self {
            Mul | Div | Rem => Level::Product,
            Add | Sub => Level::Sum,
            Shl | Shr => Level::Shift,
            Lt | Le | Gt | Ge | Eq | Ne => Level::Relation,
            BitAnd => Level::BitAnd,
            BitXor => Level::BitXor,
            BitOr => Level::BitOr,
            BitIff => Level::BitIff,
            And => Level::And,
            Xor => Level::Xor,
            Or => Level::Or,
            Iff => Level::Iff,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binder {
    Forall,
    Exists,
    Lambda,
}

impl Binder {
    pub fn text(self) -> &'static str {
        match self {
            Binder::Forall => "\\forall",
            Binder::Exists => "\\exists",
            Binder::Lambda => "\\lambda",
        }
    }
}

/// A bound variable or a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    pub ty: TypeExpr,
    pub name: Name,
}

/// A type as it is written; `const` is left out, since nothing is assigned in the logic.
pub type TypeExpr = Spanned<TypeKind>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeKind {
    Integer,
    Real,
    Boolean,
    Void,
    Int(lakatos_c::types::IntKind),
    Float(lakatos_c::types::FloatKind),
    /// A `typedef` of the program, or a type of the logic.
    Name(String),
    Struct(String),
    Union(String),
    Enum(String),
    Pointer(Box<TypeExpr>),
    /// The length as it is written, if it is.
    Array(Box<TypeExpr>, Option<String>),
}

/// What stands at the level of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Global {
    Logic(Logic),
    Lemma(Lemma),
    Axiomatic { name: Name, items: Vec<Spanned<Global>> },
}

/// `logic` functions and `predicate`s.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Logic {
    pub name: Name,
    pub labels: Vec<Name>,
    pub params: Vec<Variable>,
    /// `None` for a predicate.
    pub result: Option<TypeExpr>,
    pub body: LogicBody,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LogicBody {
    /// Only declared.
    Declared,
    Reads(Vec<Expr>),
    Defined(Expr),
    /// The cases of an `inductive` predicate.
    Inductive(Vec<Case>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    pub name: Name,
    pub labels: Vec<Name>,
    pub body: Expr,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lemma {
    pub kind: spec::LemmaKind,
    pub name: Name,
    pub labels: Vec<Name>,
    pub body: Expr,
}

/// What an annotation comment says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Annotation {
    Globals(Vec<Spanned<Global>>),
    Contract(Box<Contract>),
    Loop(LoopAnnotation),
    Code(Vec<Assertion>),
}
