//! Expressions and places: typed, free of side effects, every conversion explicit.
//!
//! **Meaning.** Operands have the type the operator works in; arithmetic is in the type of the
//! expression. Evaluation goes left to right; `And`, `Or` and `Ite` are lazy, so an undefined
//! operation in an operand that is not evaluated does no harm. Evaluation may be *undefined*
//! ([`Undefined`]); what that means for a run is decided by the property being checked.
//! Trees are at most [`MAX_DEPTH`] deep (lowering cuts deeper ones with temporaries), so every
//! consumer may recurse.

use crate::define_ids;
use crate::program::{ProcId, VarId};
use crate::source::Span;
use crate::ty::{IntType, Type};

define_ids! {
    ExprId = "e";
    PlaceId = "p";
    /// A string literal's bytes.
    StrId = "str";
}

/// No expression or place of a program is nested deeper.
pub const MAX_DEPTH: u32 = 400;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    pub kind: ExprKind,
    pub ty: Type,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ExprKind {
    /// An integer constant in the range of its type (an unsigned 128-bit one as its bit pattern).
    Int(i128),
    /// A floating constant: the bits of an `f64`.
    Float(u64),
    /// The null pointer.
    Null,
    /// The all-zero value of an aggregate.
    Zero,
    /// The characters of a string literal as the value of a `char` array (padded with zeros or
    /// cut to the array's length).
    Str(StrId),
    /// The value stored in a place (scalar or aggregate).
    Load(PlaceId),
    /// The address of a place; of no consequence whether the place may be read.
    AddrOf(PlaceId),
    /// The address of a procedure.
    Function(ProcId),
    Unary(UnOp, ExprId),
    Binary(BinOp, ExprId, ExprId),
    /// Truth value: the exact result of the operation does not fit the given type. Division by
    /// zero is undefined here as well.
    Overflows(Arith, ExprId, ExprId, IntType),
    /// Conversion of the operand to this expression's type: integers wrap, floats truncate
    /// towards zero, pointers keep their address. Never to a truth value (that is `!= 0`).
    Cast(ExprId),
    /// Lazy choice; the condition is a truth value.
    Ite(ExprId, ExprId, ExprId),
    /// Pointer plus a number of elements (an integer of pointer width, signed or not).
    PtrAdd(ExprId, ExprId),
    /// Difference of two pointers in elements, of type [`DataModel::diff_type`](crate::ty::DataModel::diff_type).
    PtrDiff(ExprId, ExprId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnOp {
    Neg,
    BitNot,
    /// Of a truth value.
    Not,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    /// The right operand has its own (promoted) type.
    Shl,
    Shr,
    BitAnd,
    BitOr,
    BitXor,
    /// Comparisons give truth values; integers, floats and pointers.
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    /// Lazy, of truth values.
    And,
    Or,
}

impl BinOp {
    /// As C writes it.
    pub fn symbol(self) -> &'static str {
        match self {
            BinOp::Add => "+",
            BinOp::Sub => "-",
            BinOp::Mul => "*",
            BinOp::Div => "/",
            BinOp::Rem => "%",
            BinOp::Shl => "<<",
            BinOp::Shr => ">>",
            BinOp::BitAnd => "&",
            BinOp::BitOr => "|",
            BinOp::BitXor => "^",
            BinOp::Eq => "==",
            BinOp::Ne => "!=",
            BinOp::Lt => "<",
            BinOp::Le => "<=",
            BinOp::Gt => ">",
            BinOp::Ge => ">=",
            BinOp::And => "&&",
            BinOp::Or => "||",
        }
    }

    pub fn is_comparison(self) -> bool {
        matches!(self, BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge)
    }

    pub fn is_lazy(self) -> bool {
        matches!(self, BinOp::And | BinOp::Or)
    }

    /// The comparison that holds exactly when this one does not (not valid for floats).
    pub fn negated(self) -> Option<BinOp> {
        Some(match self {
            BinOp::Eq => BinOp::Ne,
            BinOp::Ne => BinOp::Eq,
            BinOp::Lt => BinOp::Ge,
            BinOp::Ge => BinOp::Lt,
            BinOp::Gt => BinOp::Le,
            BinOp::Le => BinOp::Gt,
            _ => return None,
        })
    }
}

/// The operations whose exact result may not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arith {
    Add,
    Sub,
    Mul,
    Div,
}

/// Something that can be read or written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub kind: PlaceKind,
    pub ty: Type,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PlaceKind {
    Var(VarId),
    /// What a pointer points to, seen with this place's type.
    Deref(ExprId),
    /// An element of an array place. Out of bounds is undefined unless only its address is taken
    /// one past the end.
    Index(PlaceId, ExprId),
    /// A field, by its number in the record of the base place's type.
    Field(PlaceId, u32),
}

/// What C leaves undefined and Lakatos watches for (DESIGN.md section 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Undefined {
    /// `+ - *`, unary minus, `INT_MIN / -1` and `INT_MIN % -1` on signed integers.
    SignedOverflow,
    DivByZero,
    /// Shift amount negative or not less than the width; counting the zeros of zero. (A signed
    /// left shift of a representable amount wraps, as GCC defines it.)
    ShiftOutOfRange,
    /// A left shift of a negative number, or one that overflows. Only looked for where a property is
    /// about it: a run goes on, as GCC defines the result.
    ShiftOverflow,
    /// Access, or pointer arithmetic, outside the object.
    OutOfBounds,
    NullDeref,
    /// The object's lifetime is over: freed, or a local that is gone.
    Dangling,
    /// `free` or `realloc` of something that is not the start of a live heap object.
    InvalidFree,
    /// A pointer that points to no object (made from an integer, say) is used.
    WildPointer,
    /// Call of something that is not a function, or of one of another type.
    BadCall,
    /// Conversion of a float whose integral part does not fit.
    FloatToInt,
    /// `__builtin_unreachable` reached.
    Unreachable,
    /// `<`, or difference, of pointers into different objects.
    UnrelatedPointers,
    /// A write to a string literal.
    ReadOnly,
    /// Overlapping `memcpy`.
    Overlap,
    /// What was never written is read. Only looked for where a property is about it.
    Uninitialised,
}

/// What signed overflow means for a run (`--signed-overflow`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum SignedOverflow {
    /// Undefined behaviour: the path ends there, neither safe nor unsafe for reachability.
    #[default]
    Undefined,
    /// Two's complement, as `cc -fwrapv`.
    Wrap,
}
