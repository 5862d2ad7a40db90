//! The typed tree: what the parser and checker hand to lowering.
//!
//! Every implicit conversion is a node of its own: lvalues become values by `Load`, arrays by
//! `Decay`, functions by `FnDecay`, values change type by `Convert`. Nodes live in arenas, so a
//! tree of any depth can be built and dropped without recursion. The parser refuses trees that are deeper
//! than the front-end's own (large) stack allows, so consumers may recurse on it.

use lakatos_ir::{Arena, Diagnostic, Environment, Source, Span, StrId, define_ids};
use rustc_hash::FxHashMap;

pub use crate::sema::scope::{Entity, Tag};
use crate::symbol::{Symbol, Symbols};
use crate::types::{CTypes, Ty};

define_ids! {
    ExprId = "x";
    StmtId = "s";
    /// A declared object or function.
    DeclId = "d";
}

/// A checked translation unit.
#[derive(Clone, Debug)]
pub struct Unit {
    pub source: Source,
    pub symbols: Symbols,
    pub types: CTypes,
    pub decls: Arena<DeclId, Decl>,
    pub exprs: Arena<ExprId, Expr>,
    pub stmts: Arena<StmtId, Stmt>,
    /// Bytes of string literals, without the terminating zero (the array type has room for it).
    pub strings: Arena<StrId, Vec<u8>>,
    /// Objects with static storage in order of first declaration: those of file scope, `static`
    /// and `extern` ones of blocks, compound literals outside functions. Not string literals.
    pub objects: Vec<DeclId>,
    /// All functions declared, in order of first declaration.
    pub functions: Vec<DeclId>,
    pub annotations: Vec<Annotation>,
    /// Functions that run before `main`, with their priorities, as often as they are declared.
    pub constructors: Vec<Prioritised>,
    /// Functions that run when the program ends by itself.
    pub destructors: Vec<Prioritised>,
    /// Names for the linker, where they are not those in C.
    pub labels: FxHashMap<DeclId, Symbol>,
    /// All names with their scopes, inner scopes before those around them.
    pub names: Vec<ScopedName>,
    /// What lowering has to know about the world outside of the program.
    pub environment: Environment,
    pub warnings: Vec<Diagnostic>,
    /// What stands against functions and objects with linkage, if a run depends on them.
    pub unsupported: Vec<(DeclId, Diagnostic)>,
}

/// A function that runs before or after `main`, its priority, and where that is said.
pub type Prioritised = (DeclId, i128, Span);

impl Unit {
    /// The name by which the linker knows a function or an object.
    pub fn link_name(&self, decl: DeclId) -> &str {
        let label = self.labels.get(&decl).copied();
        self.symbols.name(label.unwrap_or(self.decls[decl].name))
    }
}

/// A name, and the part of the text in which it is known unless an inner scope hides it.
#[derive(Clone, Copy, Debug)]
pub struct ScopedName {
    pub name: Symbol,
    pub meaning: Meaning,
    pub scope: Span,
}

/// The name spaces of C.
#[derive(Clone, Copy, Debug)]
pub enum Meaning {
    Ordinary(Entity),
    Tag(Tag),
}

/// One declared thing: all its redeclarations share the id.
#[derive(Clone, Debug)]
pub struct Decl {
    pub name: Symbol,
    pub ty: Ty,
    /// The name in the declarator.
    pub span: Span,
    pub kind: DeclKind,
}

#[derive(Clone, Debug)]
pub enum DeclKind {
    Object(Object),
    Function(Function),
}

#[derive(Clone, Debug)]
pub struct Object {
    pub storage: Storage,
    pub init: Option<Init>,
    /// A weak symbol: `__attribute__((weak))` or `#pragma weak`.
    pub weak: bool,
    /// It has external linkage: other files can name it.
    pub is_shared: bool,
    /// GNU `cleanup(function)`: called with its address when its scope is left.
    pub cleanup: Option<DeclId>,
    /// GNU `register T x asm("rax")`: kept in a register that the program names, where assembly may
    /// change it. The local ones have a value that is sure only as operands of assembly.
    pub register: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// File scope with a definition here (tentative ones too): zero unless initialised.
    Global,
    /// Only declared `extern`: its value comes from outside.
    Extern,
    /// `static` in a block.
    StaticLocal,
    /// Automatic storage of a block.
    Local,
    Param,
}

#[derive(Clone, Debug, Default)]
pub struct Function {
    pub body: Option<Body>,
    /// `_Noreturn`, `__attribute__((noreturn))`.
    pub noreturn: bool,
    /// A weak symbol: `__attribute__((weak))` or `#pragma weak`.
    pub weak: bool,
    /// Only ever called so far, never declared. A later declaration of another type replaces
    /// the assumed one with a warning, so that earlier calls may not fit it.
    pub implicit: bool,
    /// Where it is declared at file scope and not defined, in order.
    pub declarations: Vec<Declaration>,
}

/// A declaration of functions at file scope.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// From its first token to its semicolon; other functions may be declared in it as well.
    pub span: Span,
    /// A parameter without a name has the span of its type.
    pub params: Vec<DeclId>,
}

#[derive(Clone, Debug)]
pub struct Body {
    pub params: Vec<DeclId>,
    /// A `Block`.
    pub block: StmtId,
    /// Labels whose addresses are taken, each with an object that has this address.
    pub labels: Vec<(Symbol, DeclId)>,
    /// From the declaration's first token to the closing brace.
    pub span: Span,
}

/// A checked initialiser. The object is all zero first if `zero` (it is an aggregate that the
/// items may not cover), then the items are evaluated and stored in order, which is that of the
/// members.
#[derive(Clone, Debug)]
pub struct Init {
    pub zero: bool,
    pub items: Vec<InitItem>,
    /// How many elements the flexible array at the end of the structure gets (GNU).
    pub flexible: Option<u64>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct InitItem {
    /// From the object to the part that is initialised; empty for the whole.
    pub path: Vec<InitStep>,
    /// A value of the part's type; for a `char` array also an `ExprKind::Str` of that array type
    /// (lowered as the array's value).
    pub value: ExprId,
    /// A designated range: other items have the same value, which is evaluated once.
    pub shared: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum InitStep {
    Index(u64),
    Field(u32),
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub ty: Ty,
    pub span: Span,
    pub depth: u32,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    // Values.
    /// In range of its type (unsigned 128-bit: the bit pattern).
    Int(i128),
    Float(f64),
    /// A constant of a type with more precision than `double`, which cannot hold it.
    /// Conversion to `double` gives the value here, where that is sure.
    WideFloat(Option<f64>),
    /// The value of an lvalue (scalar, or record by value). A bit-field's value has the declared
    /// type of the field.
    Load(ExprId),
    /// Pointer to the first element of an array lvalue.
    Decay(ExprId),
    /// Pointer to a function designator's function.
    FnDecay(ExprId),
    /// `&lvalue`, or `&function`.
    AddrOf(ExprId),
    /// Change of type between scalars, to `_Bool` (`!= 0`), to `void` (value dropped).
    Convert {
        operand: ExprId,
        explicit: bool,
    },
    /// Operand promoted. Logical not gives `int` and takes any scalar.
    Unary(UnOp, ExprId),
    /// Arithmetic: operands converted to the type of the expression (shifts: each promoted).
    /// Comparisons: operands of one common type (arithmetic or pointer), result `int`.
    Binary(BinOp, ExprId, ExprId),
    /// `&&` and `||` of any scalars, result `int`.
    Logical {
        or: bool,
        lhs: ExprId,
        rhs: ExprId,
    },
    /// Pointer plus (or minus) integer of any promoted type, in elements.
    PtrAdd {
        pointer: ExprId,
        index: ExprId,
        subtract: bool,
    },
    PtrDiff(ExprId, ExprId),
    /// The right side has the type of the left (unqualified); the value is the left's new value.
    Assign {
        lhs: ExprId,
        rhs: ExprId,
    },
    /// `lhs op= rhs` in type `compute`: both sides are converted to it (`rhs` already is; for
    /// shifts it is promoted on its own), the result back to the type of `lhs`. For a pointer
    /// `lhs`, `compute` is its type, `op` is `Add` or `Sub` and `rhs` an integer.
    AssignOp {
        op: BinOp,
        lhs: ExprId,
        rhs: ExprId,
        compute: Ty,
    },
    /// `++`, `--`, computed in the promoted type `compute`; by one element for pointers.
    IncDec {
        lhs: ExprId,
        increment: bool,
        prefix: bool,
        compute: Ty,
    },
    /// Any scalar condition; branches of the type of the expression (or both `void`).
    Cond {
        cond: ExprId,
        then: ExprId,
        els: ExprId,
    },
    /// GNU `cond ?: els`: `cond` is evaluated once and, where not zero, converted to the type.
    Elvis {
        cond: ExprId,
        els: ExprId,
    },
    Comma(ExprId, ExprId),
    /// The callee is a function designator (direct call) or a pointer to function. Arguments are
    /// converted to the parameter types, or promoted.
    Call {
        callee: ExprId,
        args: Vec<ExprId>,
    },
    /// A built-in of the compiler; see [`CBuiltin`].
    Builtin {
        builtin: CBuiltin,
        args: Vec<ExprId>,
    },
    /// GNU `({ … })`: the statements, then the value of `result` (`void` if `None`).
    StmtExpr {
        body: Vec<StmtId>,
        result: Option<ExprId>,
    },
    /// `sizeof` of a variably sized type.
    SizeofVla(Ty),
    /// `va_arg(list, type)`.
    VaArg(ExprId),

    // Lvalues.
    Var(DeclId),
    /// `*pointer`.
    Deref(ExprId),
    /// `base[index]`: the base is an array lvalue, or a pointer value; the index any promoted
    /// integer.
    Index {
        base: ExprId,
        index: ExprId,
    },
    /// A field, by number in the record; of an lvalue, or of a record value (`f().x`), in which
    /// case it is no lvalue in C but is read by `Load` all the same.
    Member {
        base: ExprId,
        field: u32,
    },
    /// A string literal: an array with static storage.
    Str(StrId),
    /// `(type){ … }`: an unnamed object, initialised here.
    CompoundLiteral(DeclId),

    // Function designators.
    Function(DeclId),
}

impl ExprKind {
    /// Calls `see` with the direct operands, in order of evaluation; not with what is inside the
    /// statements of a statement expression.
    pub fn for_each_operand(&self, mut see: impl FnMut(ExprId)) {
        match self {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::WideFloat(_)
            | ExprKind::SizeofVla(_)
            | ExprKind::Var(_)
            | ExprKind::Str(_)
            | ExprKind::CompoundLiteral(_)
            | ExprKind::StmtExpr { .. }
            | ExprKind::Function(_) => {}
            ExprKind::Load(a)
            | ExprKind::Decay(a)
            | ExprKind::FnDecay(a)
            | ExprKind::AddrOf(a)
            | ExprKind::Convert { operand: a, .. }
            | ExprKind::Unary(_, a)
            | ExprKind::IncDec { lhs: a, .. }
            | ExprKind::VaArg(a)
            | ExprKind::Deref(a)
            | ExprKind::Member { base: a, .. } => see(*a),
            ExprKind::Binary(_, a, b)
            | ExprKind::Logical { lhs: a, rhs: b, .. }
            | ExprKind::PtrAdd { pointer: a, index: b, .. }
            | ExprKind::PtrDiff(a, b)
            | ExprKind::Assign { lhs: a, rhs: b }
            | ExprKind::AssignOp { lhs: a, rhs: b, .. }
            | ExprKind::Elvis { cond: a, els: b }
            | ExprKind::Comma(a, b)
            | ExprKind::Index { base: a, index: b } => {
                see(*a);
                see(*b);
            }
            ExprKind::Cond { cond, then, els } => {
                see(*cond);
                see(*then);
                see(*els);
            }
            ExprKind::Call { callee, args } => {
                see(*callee);
                args.iter().copied().for_each(see);
            }
            ExprKind::Builtin { args, .. } => args.iter().copied().for_each(see),
        }
    }

    /// Denotes a part of memory (of a value in a temporary, perhaps, for a member).
    pub fn is_place(&self) -> bool {
        matches!(
            self,
            ExprKind::Var(_)
                | ExprKind::Deref(_)
                | ExprKind::Index { .. }
                | ExprKind::Member { .. }
                | ExprKind::Str(_)
                | ExprKind::CompoundLiteral(_)
        )
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnOp {
    Neg,
    BitNot,
    Not,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinOp {
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
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl BinOp {
    pub fn is_comparison(self) -> bool {
        use BinOp::*;
        matches!(self, Eq | Ne | Lt | Le | Gt | Ge)
    }

    /// The operator of the IR that does the same.
    pub fn ir(self) -> lakatos_ir::BinOp {
        match self {
            BinOp::Add => lakatos_ir::BinOp::Add,
            BinOp::Sub => lakatos_ir::BinOp::Sub,
            BinOp::Mul => lakatos_ir::BinOp::Mul,
            BinOp::Div => lakatos_ir::BinOp::Div,
            BinOp::Rem => lakatos_ir::BinOp::Rem,
            BinOp::Shl => lakatos_ir::BinOp::Shl,
            BinOp::Shr => lakatos_ir::BinOp::Shr,
            BinOp::BitAnd => lakatos_ir::BinOp::BitAnd,
            BinOp::BitOr => lakatos_ir::BinOp::BitOr,
            BinOp::BitXor => lakatos_ir::BinOp::BitXor,
            BinOp::Eq => lakatos_ir::BinOp::Eq,
            BinOp::Ne => lakatos_ir::BinOp::Ne,
            BinOp::Lt => lakatos_ir::BinOp::Lt,
            BinOp::Le => lakatos_ir::BinOp::Le,
            BinOp::Gt => lakatos_ir::BinOp::Gt,
            BinOp::Ge => lakatos_ir::BinOp::Ge,
        }
    }
}

/// Compiler built-ins with typing rules of their own. (Built-ins that are library functions under
/// another name, like `__builtin_memcpy`, are ordinary calls of functions of that name, and
/// `__builtin_expect`, `offsetof`, `types_compatible_p` and `choose_expr` are gone after checking.)
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CBuiltin {
    /// `(a, b, pointer to result)`: stores the wrapped result, value `_Bool` overflowed. A number instead
    /// of the pointer only says the type of the result.
    AddOverflow,
    SubOverflow,
    MulOverflow,
    VaStart,
    VaEnd,
    VaCopy,
    /// On `unsigned short`, `unsigned int`, `unsigned long long`: the argument's type.
    Bswap,
    Clz,
    Ctz,
    Popcount,
    Parity,
    Ffs,
    Unreachable,
    Trap,
    /// `__builtin_alloca(size)`.
    Alloca,
    /// `__sync_synchronize` and the like: nothing, in a sequential program.
    Nothing,
    /// An update of `*args[0]` that nothing comes between.
    Atomic(Atomic),
    /// A complex number of two parts.
    Complex,
    /// `__builtin_shuffle` of vectors.
    Shuffle,
    /// `__builtin_convertvector`: each element is converted.
    ConvertVector,
    /// `__builtin_shufflevector`: the arguments behind the vectors are constants.
    ShuffleNumbers,
    /// A value that depends on the compiler and on how it optimises: any value of the type.
    CompilerChoice,
}

/// Atomic updates; the arguments behind the pointer are values of the object's type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Atomic {
    /// `(object, new)`: value is the old one.
    Exchange,
    /// `(object, operand)`: arithmetic that wraps; no operation means nand.
    Update { update: Option<lakatos_ir::BinOp>, gives_old: bool },
    /// `(object, pointer to expected, new)`: what was found goes where the expected value was, if it
    /// is another one. A weak exchange may fail without that.
    CompareExchange { weak: bool },
    /// `(object, expected, new)`.
    CompareSwap { gives_old: bool },
}

#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

/// Labels, `case` and `default` are statements of their own that stand before what they label,
/// in the same list.
#[derive(Clone, Debug)]
pub enum StmtKind {
    Empty,
    Expr(ExprId),
    /// The declaration of an object of the block; of a typedef or function nothing is left.
    Decl(DeclId),
    /// Variably modified type: evaluate its length expressions here (`typedef int t[n];`).
    VlaType(Ty),
    Block(Vec<StmtId>),
    /// Arms of an `else if` chain are kept flat.
    If {
        arms: Vec<(ExprId, StmtId)>,
        els: Option<StmtId>,
    },
    While {
        cond: ExprId,
        body: StmtId,
    },
    DoWhile {
        body: StmtId,
        cond: ExprId,
    },
    /// `init` is a list in a scope of its own.
    For {
        init: Vec<StmtId>,
        cond: Option<ExprId>,
        step: Option<ExprId>,
        body: StmtId,
    },
    /// The condition is promoted; case values are converted to its type.
    Switch {
        cond: ExprId,
        body: StmtId,
    },
    /// Inclusive range; `low == high` for an ordinary case.
    Case {
        low: i128,
        high: i128,
    },
    Default,
    Label(Symbol),
    Goto(Symbol),
    /// `goto *e;`
    GotoComputed(ExprId),
    Break,
    Continue,
    Return(Option<ExprId>),
    /// Inline assembly: its inputs are evaluated, its outputs (lvalues) get any value.
    Asm {
        outputs: Vec<ExprId>,
        inputs: Vec<ExprId>,
        /// It may jump to one of these.
        labels: Vec<Symbol>,
        effect: AsmEffect,
    },
}

/// What an `asm` statement does besides its outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AsmEffect {
    /// There is no instruction.
    Nothing,
    /// Instructions that only compute, and go on behind the statement.
    Outputs,
    /// Other instructions: they may not come back. They are assumed to change only the outputs.
    Unknown,
    /// Such instructions that say that they change memory.
    Memory,
}

/// An ACSL comment.
#[derive(Clone, Debug)]
pub struct Annotation {
    pub span: Span,
    /// Without the comment markers.
    pub text: String,
    pub target: Target,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    Global,
    /// Stands before a function's declaration or definition.
    Decl(DeclId),
    /// Stands before a statement; at the end of a block, an empty one is made for it.
    Stmt(StmtId),
}
