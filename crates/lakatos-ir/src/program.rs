//! The program every engine sees: procedures as control-flow automata over typed instructions.
//!
//! A procedure runs from `entry` to `exit`. Several edges may leave a location: a run takes any
//! edge whose assumption holds (lowering makes branches exhaustive and exclusive). A location
//! without leaving edges that is not the exit ends the run (after `abort`, say); an error
//! location is a violated property.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::arena::Arena;
use crate::define_ids;
use crate::environment::Environment;
use crate::expr::{Expr, ExprId, ExprKind, Place, PlaceId, PlaceKind, StrId};
use crate::library::{Effects, LibraryRole};
use crate::property::Violation;
use crate::source::{Diagnostic, Source, Span};
use crate::ty::{IntType, SigId, Type, Types};

define_ids! {
    VarId = "v";
    ProcId = "f";
    /// A location of one procedure's automaton.
    LocId = "l";
    /// An edge of one procedure's automaton.
    EdgeId = "d";
    /// A place in the source where a value comes from outside.
    SiteId = "in";
}

#[derive(Clone, Debug)]
pub struct Program {
    pub source: Source,
    pub types: Types,
    pub vars: Arena<VarId, Var>,
    pub procs: Arena<ProcId, Procedure>,
    pub exprs: Arena<ExprId, Expr>,
    pub places: Arena<PlaceId, Place>,
    pub strings: Arena<StrId, Vec<u8>>,
    pub sites: Arena<SiteId, Site>,
    /// Sites of passes at which a part comes in of what comes in at another site.
    pub pieces: BTreeMap<SiteId, Piece>,
    /// How a pass follows parameters that are pointers.
    pub followed: BTreeMap<VarId, FollowedPointer>,
    /// Variables that are `const`, or parts of which are.
    pub constants: BTreeMap<VarId, Constant>,
    /// Variables that hold arrays of variable length: pointers to memory that ends with them.
    pub arrays: BTreeSet<VarId>,
    /// Additions to pointers that are indices into arrays of variable length.
    pub bounds: BTreeMap<ExprId, IndexBound>,
    /// Where a run begins: a procedure of our own that initialises the globals, calls `main`
    /// with its arguments and returns what it returned.
    pub start: ProcId,
    /// `main`, which `start` calls.
    pub main: ProcId,
    /// The variables that code in other files can name: objects declared `extern`, and the globals
    /// that are not `static` where the program calls functions of other files.
    pub shared: BTreeMap<VarId, Sharing>,
    /// What a function pointer means that comes from another file and points to no function of this
    /// one, where the program has such pointers: a procedure without a body, of any type.
    pub foreign: Option<ProcId>,
    pub annotations: Vec<Annotation>,
    /// What was decided about the world outside of the program when it was lowered.
    pub environment: Environment,
    /// What the front-end warned about, in source order.
    pub warnings: Vec<Diagnostic>,
}

/// What code in other files may do with a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// The object is defined `const`.
    Reads,
    /// The variable is in memory, like one whose address is taken.
    ReadsAndWrites,
}

/// A variable. Its storage is a frame's (params, locals, temporaries, results) or static.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Var {
    /// As in the source; unique only together with the span.
    pub name: String,
    pub ty: Type,
    pub kind: VarKind,
    /// The declaration.
    pub span: Span,
    /// Some pointer may point into it. A scalar whose address is never taken is only changed by
    /// instructions that name it.
    pub address_taken: bool,
    /// The declared C type as text, for contracts and harnesses.
    pub c_type: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VarKind {
    Global,
    /// A `static` local: lives as long as a global.
    Static(ProcId),
    /// An anonymous constant array: a string literal. Only `start` writes to it.
    Literal,
    Param(ProcId),
    Local(ProcId),
    /// Introduced by lowering or a pass; has no name in the source.
    Temp(ProcId),
    /// The value a procedure returns.
    Result(ProcId),
    /// Introduced by a pass to follow what is in memory ([`cells`](crate::pass::cells())); static
    /// storage without a name in the source.
    Ghost,
    /// The same: what is at a place in this variable, or all that this pointer points to. Its name
    /// is the place as C writes it, with the names of keys for indices.
    Cell(VarId),
    /// The same: an index that stands for any one, of arrays with so many elements, if that is
    /// known.
    Key(Option<u64>),
}

impl VarKind {
    /// Whether a pass introduced it to follow what is in memory.
    pub fn is_ghost(self) -> bool {
        matches!(self, VarKind::Ghost | VarKind::Cell(_) | VarKind::Key(_))
    }

    /// The procedure whose frame holds the variable; `None` for static storage.
    pub fn frame(self) -> Option<ProcId> {
        match self {
            VarKind::Global | VarKind::Static(_) | VarKind::Literal => None,
            VarKind::Ghost | VarKind::Cell(_) | VarKind::Key(_) => None,
            VarKind::Param(p) | VarKind::Local(p) | VarKind::Temp(p) | VarKind::Result(p) => {
                Some(p)
            }
        }
    }
}

#[derive(Clone, Debug)]
pub struct Procedure {
    pub name: String,
    pub signature: SigId,
    pub params: Vec<VarId>,
    /// Where the result is when the procedure has reached its exit; `None` for `void`.
    pub result: Option<VarId>,
    /// All other variables of a frame: locals and temporaries.
    pub locals: Vec<VarId>,
    /// `None`: declared but not defined, an external function.
    pub body: Option<Cfa>,
    /// A call of it is a violation of `unreach-call` (`reach_error`, `__VERIFIER_error`,
    /// `__assert_fail`), whether or not it has a body.
    pub is_error: bool,
    /// Its address is taken: a function pointer may mean it.
    pub address_taken: bool,
    /// What it is where the program declares it and does not define it, if more is known.
    pub library: Option<LibraryRole>,
    /// The name in its declarator.
    pub span: Span,
}

impl Procedure {
    /// The effects of a function that has no model; `None` for all other procedures.
    pub fn unmodelled(&self) -> Option<Effects> {
        self.library.and_then(LibraryRole::unmodelled)
    }
}

/// A control-flow automaton.
#[derive(Clone, Debug)]
pub struct Cfa {
    pub locs: Arena<LocId, Loc>,
    pub edges: Arena<EdgeId, Edge>,
    pub entry: LocId,
    /// Has no leaving edges.
    pub exit: LocId,
    /// The frame's variables with the scope in which their names are visible are in
    /// [`Procedure::locals`]; `labels` are the C labels, for `--error-label` and annotations.
    pub labels: Vec<(String, LocId)>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Loc {
    /// The statement that begins here.
    pub span: Span,
    /// Reaching this location violates a property.
    pub error: Option<Violation>,
    /// The edges that leave, in source order.
    pub out: Vec<EdgeId>,
    /// The edges that arrive.
    pub into: Vec<EdgeId>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    pub from: LocId,
    pub to: LocId,
    pub instr: Instr,
    /// What in the source this edge does.
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Instr {
    /// Nothing; joins and jumps.
    Skip,
    /// The right side is evaluated before the place; types are equal. Aggregates are copied.
    Assign(PlaceId, ExprId),
    /// A truth value that must hold to pass.
    Assume(ExprId),
    /// The place gets a value from outside: any value of its type (any bytes, for an aggregate).
    Havoc(PlaceId, SiteId),
    Call(Call),
    /// Sets the procedure's result (if any) and goes to the exit.
    Return(Option<ExprId>),
    /// The lifetime of a local in memory ends (its block is left). The next instruction that
    /// names it finds a new object.
    Dead(VarId),
    /// An acyclic part of the automaton as one step; made by the large-block pass only.
    Block(Box<Region>),
}

/// A call. A function pointer is evaluated first, then the arguments, left to right; they have
/// the parameters' types (the promoted ones for a function without prototype and for variadic
/// arguments). The place for the result is evaluated and assigned after the callee has returned;
/// its type is the callee's result type.
///
/// A call of an external procedure (no body) may change every object that it can reach: from its
/// arguments, from what any external procedure was given before, from addresses that were made
/// numbers, and from the objects that other files know by name ([`Program::shared`]). Its result is
/// an input at `site`. A function of the C library without a model has its own
/// [`Effects`] instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    pub result: Option<PlaceId>,
    pub callee: Callee,
    pub args: Vec<ExprId>,
    /// For external procedures and functions that allocate: where the outside value comes in.
    pub site: Option<SiteId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Callee {
    Proc(ProcId),
    /// Through a function pointer; [`CallGraph`](crate::callgraph::CallGraph) has the targets.
    Pointer(ExprId),
    Builtin(Builtin),
}

/// Library functions whose meaning Lakatos knows. Argument and result types are C's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Builtin {
    /// `abort()`, `exit(n)`, `_exit`, `__builtin_trap`: the run ends; the edge leads to a location
    /// that has no successor.
    Abort,
    Exit,
    /// `__builtin_unreachable()`.
    Unreachable,
    Malloc,
    Calloc,
    Realloc,
    Free,
    /// Memory that lives as long as the frame: `alloca` and variable-length arrays.
    Alloca,
    Memcpy,
    Memmove,
    Memset,
    Memcmp,
    Memchr,
    Strlen,
    Strnlen,
    Strcpy,
    Strncpy,
    Strcat,
    Strncat,
    Strcmp,
    Strncmp,
    Strchr,
    Strrchr,
    Strstr,
    /// `printf(format, …)`, `puts(s)`, `putchar(c)`: output only.
    Printf,
    Puts,
    Putchar,
    /// Bit counting on the argument's type; zero is undefined for the first two.
    Clz,
    Ctz,
    Popcount,
    Parity,
    Ffs,
}

impl Builtin {
    /// How many there are.
    pub const COUNT: usize = Builtin::Ffs as usize + 1;
}

/// An acyclic part of an automaton with one entry and one exit, as one edge. Locations are
/// those of the automaton the pass was applied to; `edges` is topologically sorted, every path
/// from `entry` to `exit` within it is a possible step, and no edge of it is a call or a block.
/// `entry == exit` is the body of a loop: a step through all of it, not the empty one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    pub entry: LocId,
    pub exit: LocId,
    pub edges: Vec<Edge>,
}

/// Where a value comes in from outside (DESIGN.md section 7). A run's inputs are identified by
/// site and how often the site was passed before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    pub kind: InputKind,
    pub proc: ProcId,
    /// The call or the declaration.
    pub span: Span,
    /// The function called, or the variable declared.
    pub name: String,
    pub ty: Type,
}

/// What of a variable is `const`: it is written only where the variable is named, which is where it is
/// initialised.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Constant {
    pub bytes: Vec<Range<u64>>,
    /// The variable is defined here, and all of it is `const`: to write to it otherwise is surely
    /// undefined. (Another file may define what is declared here without the qualifier; and members
    /// that are `const` are often written together with others.)
    pub is_whole: bool,
}

/// An index into an array of variable length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexBound {
    pub index: ExprId,
    /// The number of elements, of type `size_t`.
    pub length: ExprId,
    /// Only the address is taken: it may be one past the end.
    pub one_past: bool,
}

/// A pointer by variables that tell what it points to ([`safety`](crate::pass::safety())), when its
/// procedure is entered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FollowedPointer {
    /// The number of the object.
    pub object: VarId,
    /// So many `unit`s behind its start; always 0 where that is 0.
    pub offset: VarId,
    pub unit: i128,
    /// What it may point to, by numbers.
    pub targets: BTreeMap<i128, Space>,
}

/// What a pointer points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// Nobody knows, or nothing.
    None,
    /// One of several objects, of which another one is followed.
    Other,
    Object {
        /// Whether it is alive; `None` if it always is.
        alive: Option<VarId>,
        size: Bytes,
        is_constant: bool,
    },
}

/// The size of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bytes {
    Known(u64),
    Held(VarId),
}

/// A scalar of what comes in at a site, each time it is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    pub of: SiteId,
    pub part: Part,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The bytes from this one on, the lowest first, of fresh memory.
    Bytes(u64),
    /// A scalar of an aggregate, in the order of [`leaves`](crate::interpret::leaves).
    Leaf(u64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum InputKind {
    /// `__VERIFIER_nondet_*`.
    Nondet,
    /// A local without initialiser, fresh memory, a missing return value, `main`'s arguments.
    Uninitialised,
    /// The result of a function that is declared but not defined.
    External,
    /// An output of an `asm` statement, whether it comes back, or a value that the compiler chooses
    /// (`__builtin_object_size`, a variable after `longjmp`). Any value stands for one that is not
    /// known: a run that takes one shows nothing.
    Assembly,
    /// The result of a function of the C library that has no model yet. The same holds for it.
    Library,
    /// A read of volatile memory, which changes by itself.
    Volatile,
    /// Whether an allocation fails.
    Allocation,
}

impl InputKind {
    /// Any value stands for one that is not known. So proofs hold, but a run that takes such a value
    /// may be one that no machine makes.
    pub fn shows_nothing(self) -> bool {
        match self {
            InputKind::Assembly | InputKind::Library => true,
            InputKind::Nondet
            | InputKind::Uninitialised
            | InputKind::External
            | InputKind::Volatile
            | InputKind::Allocation => false,
        }
    }
}

/// An ACSL comment with what it stands before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotation {
    /// The comment including its markers.
    pub span: Span,
    /// The text between the markers.
    pub text: String,
    pub target: AnnotationTarget,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnnotationTarget {
    /// Stands at file scope before no function: global annotations.
    Global,
    /// A function's contract.
    Contract(ProcId),
    /// Stands before the statement (or loop) that begins here.
    Statement(ProcId, LocId),
}

impl Cfa {
    pub fn new() -> Cfa {
        let mut locs = Arena::new();
        let entry = locs.push(Loc::default());
        let exit = locs.push(Loc::default());
        Cfa { locs, edges: Arena::new(), entry, exit, labels: Vec::new() }
    }

    pub fn add_loc(&mut self, span: Span) -> LocId {
        self.locs.push(Loc { span, ..Loc::default() })
    }

    pub fn add_edge(&mut self, from: LocId, to: LocId, instr: Instr, span: Span) -> EdgeId {
        let id = self.edges.push(Edge { from, to, instr, span });
        self.locs[from].out.push(id);
        self.locs[to].into.push(id);
        id
    }

    pub fn successors(&self, loc: LocId) -> impl DoubleEndedIterator<Item = LocId> + '_ {
        self.locs[loc].out.iter().map(|&e| self.edges[e].to)
    }

    pub fn predecessors(&self, loc: LocId) -> impl DoubleEndedIterator<Item = LocId> + '_ {
        self.locs[loc].into.iter().map(|&e| self.edges[e].from)
    }
}

impl Default for Cfa {
    fn default() -> Self {
        Cfa::new()
    }
}

impl Program {
    pub fn expr(&mut self, kind: ExprKind, ty: Type, span: Span) -> ExprId {
        self.exprs.push(Expr { kind, ty, span })
    }

    pub fn place(&mut self, kind: PlaceKind, ty: Type, span: Span) -> PlaceId {
        self.places.push(Place { kind, ty, span })
    }

    /// A place that is just the variable.
    pub fn var_place(&mut self, var: VarId, span: Span) -> PlaceId {
        let ty = self.vars[var].ty;
        self.place(PlaceKind::Var(var), ty, span)
    }

    /// The value of a variable.
    pub fn load_var(&mut self, var: VarId, span: Span) -> ExprId {
        let place = self.var_place(var, span);
        let ty = self.vars[var].ty;
        self.expr(ExprKind::Load(place), ty, span)
    }

    /// The type of the elements, if a pass introduced the variable to follow an array of integers as a
    /// whole ([`subject_of_arrays`](crate::pass::subject_of_arrays())).
    pub fn whole_array(&self, var: VarId) -> Option<IntType> {
        match (self.vars[var].kind, self.vars[var].ty) {
            (VarKind::Ghost | VarKind::Cell(_), Type::Array(element, _)) => {
                self.types.get(element).as_int()
            }
            _ => None,
        }
    }

    /// The variable that a place is a part of; `None` where a pointer leads to it.
    pub fn root(&self, place: PlaceId) -> Option<VarId> {
        match self.places[place].kind {
            PlaceKind::Var(var) => Some(var),
            PlaceKind::Deref(_) => None,
            PlaceKind::Field(base, _) | PlaceKind::Index(base, _) => self.root(base),
        }
    }

    /// Whether a place that gets a value from outside at this site just comes to life: a local
    /// without initialiser, or what stands for a result that was never given. The arguments of
    /// `main`, and whatever passes let stand for any value, are no such places. Where calls are
    /// written out, the variable is another procedure's, but the site is as it was.
    pub fn leaves_indeterminate(&self, place: PlaceId, site: SiteId) -> bool {
        let Site { kind, proc, .. } = self.sites[site];
        let is_local =
            |var: VarId| matches!(self.vars[var].kind, VarKind::Local(_) | VarKind::Temp(_));
        kind == InputKind::Uninitialised
            && proc != self.start
            && matches!(self.places[place].kind, PlaceKind::Var(var) if is_local(var))
    }

    pub fn proc_named(&self, name: &str) -> Option<ProcId> {
        self.procs.iter().find(|(_, p)| p.name == name).map(|(id, _)| id)
    }

    /// The variables that code in other files may change.
    pub fn changed_outside(&self) -> impl Iterator<Item = VarId> + '_ {
        let changes = |sharing: &Sharing| *sharing == Sharing::ReadsAndWrites;
        self.shared.iter().filter(move |(_, sharing)| changes(sharing)).map(|(&var, _)| var)
    }

    /// Procedures that have a body, `start` included, in order of id.
    pub fn defined(&self) -> impl Iterator<Item = (ProcId, &Procedure, &Cfa)> + '_ {
        self.procs.iter().filter_map(|(id, p)| p.body.as_ref().map(|b| (id, p, b)))
    }
}
