//! The type checker: builds typed nodes for the parser, which calls it as it goes (C cannot be
//! parsed without knowing its types and names).

pub mod atomic;
pub mod builtin;
pub mod compat;
pub mod constant;
pub mod convert;
pub mod declare;
pub mod expr;
pub mod folded;
pub mod init;
pub mod layout;
pub mod place;
pub mod scope;
mod signatures;
mod vector;

use indexmap::IndexMap;
use lakatos_ir::{Arena, DataModel, Diagnostic, Severity, Span, StrId};
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::ast::{
    Annotation, Decl, DeclId, Expr, ExprId, ExprKind, Meaning, Prioritised, ScopedName, Stmt,
    StmtId, StmtKind,
};
use crate::symbol::{Symbol, Symbols};
use crate::syntax::token::intern_keywords;
use crate::types::{CTypes, Ty, TypeKind};
use constant::Constant;
use scope::{Binding, Entity, Namespace, Tag};

pub use crate::syntax::lexer::Res;

/// Errors beyond this many are only counted.
const MAX_ERRORS: usize = 20;

#[derive(Debug)]
pub struct Sema {
    pub symbols: Symbols,
    pub types: CTypes,
    pub decls: Arena<DeclId, Decl>,
    pub exprs: Arena<ExprId, Expr>,
    pub stmts: Arena<StmtId, Stmt>,
    pub strings: Arena<StrId, Vec<u8>>,
    pub names: Namespace<Entity>,
    pub tags: Namespace<Tag>,
    /// Names with linkage: every declaration of one, in whatever scope, means the same thing.
    pub linked: FxHashMap<Symbol, DeclId>,
    pub objects: Vec<DeclId>,
    pub functions: Vec<DeclId>,
    pub annotations: Vec<Annotation>,
    pub errors: Vec<Diagnostic>,
    pub warnings: Vec<Diagnostic>,
    /// The function whose body is being read.
    pub current: Option<Current>,
    /// Where the last token ended that the parser took.
    pub position: u32,
    /// What scopes that were left have declared.
    pub scopes: Vec<ScopedName>,
    /// Declarations with attributes that have no meaning.
    pub unsupported: Vec<(DeclId, Diagnostic)>,
    /// The values of objects that are declared `constexpr` (C23 6.7.2).
    pub constants: FxHashMap<DeclId, Constant>,
    /// The first use of something in the current declaration that has a type and is unsupported, and
    /// what that is.
    opaque: Option<(Span, &'static str)>,
    /// Functions with `alias("name")`, the name of the function that they are.
    pub aliases: Vec<(DeclId, Symbol, Span)>,
    /// Functions that run before `main`, with their priorities.
    pub constructors: Vec<Prioritised>,
    /// Functions that run when the program ends by itself.
    pub destructors: Vec<Prioritised>,
    /// Names of weak symbols, from `#pragma weak`.
    pub weak_names: Vec<Symbol>,
    /// Names for the linker that differ from the names in C, with the place of the first label.
    pub labels: IndexMap<DeclId, (Symbol, Span), FxBuildHasher>,
}

/// A scope that was left and may be entered again: a parameter list's, whose declarations are
/// known in the body.
#[derive(Clone, Debug, Default)]
pub struct Suspended {
    names: Vec<Binding<Entity>>,
    tags: Vec<Binding<Tag>>,
}

/// What a function body's statements need to know.
#[derive(Debug)]
pub struct Current {
    pub name: Symbol,
    pub result: Ty,
    /// `__func__`, made when first used.
    pub func_name: Option<DeclId>,
    pub labels: FxHashMap<Symbol, Label>,
    /// Labels whose addresses are taken, each with an object that has this address.
    pub label_objects: Vec<(Symbol, DeclId)>,
    pub switches: Vec<Switch>,
    pub loops: u32,
}

/// How many errors and warnings there are.
#[derive(Clone, Copy, Debug)]
pub struct DiagnosticCount {
    errors: usize,
    warnings: usize,
}

#[derive(Debug, Default)]
pub struct Label {
    pub defined: Option<Span>,
    pub used: Option<Span>,
}

/// An open `switch`: its promoted type and what its cases are so far.
#[derive(Debug)]
pub struct Switch {
    pub ty: Ty,
    pub has_default: bool,
    /// Low and high ends with their places, for the check that no value occurs twice.
    pub cases: Vec<(i128, i128, Span)>,
    /// Loops open outside the `switch`.
    pub outer_loops: u32,
}

/// What is not understood of integers whose objects are wider than they are.
pub(crate) const LOOSE_BITS: &str = "the bytes of a `_BitInt`";

impl Sema {
    pub fn new(model: DataModel) -> Sema {
        let mut symbols = Symbols::default();
        intern_keywords(&mut symbols);
        Sema {
            symbols,
            types: CTypes::new(model),
            decls: Arena::new(),
            exprs: Arena::new(),
            stmts: Arena::new(),
            strings: Arena::new(),
            names: Namespace::new(),
            tags: Namespace::new(),
            linked: FxHashMap::default(),
            objects: Vec::new(),
            functions: Vec::new(),
            annotations: Vec::new(),
            errors: Vec::new(),
            warnings: Vec::new(),
            current: None,
            position: 0,
            scopes: Vec::new(),
            unsupported: Vec::new(),
            constants: FxHashMap::default(),
            opaque: None,
            aliases: Vec::new(),
            constructors: Vec::new(),
            destructors: Vec::new(),
            weak_names: Vec::new(),
            labels: IndexMap::default(),
        }
    }

    pub fn enter_scope(&mut self) {
        self.names.enter();
        self.tags.enter();
    }

    pub fn leave_scope(&mut self) {
        self.note_scope();
        self.names.leave();
        self.tags.leave();
    }

    /// Notes what the open scope declares, up to where the parser is.
    pub fn note_scope(&mut self) {
        let end = self.position;
        let scope = |span: Span| Span::new(span.end, end.max(span.end));
        let names = self.names.here().iter().map(|b| ScopedName {
            name: b.symbol,
            meaning: Meaning::Ordinary(b.entity),
            scope: scope(b.span),
        });
        let tags = self.tags.here().iter().map(|b| ScopedName {
            name: b.symbol,
            meaning: Meaning::Tag(b.entity),
            scope: scope(b.span),
        });
        self.scopes.extend(names.chain(tags));
    }

    /// Leaves a scope that can be opened again.
    pub fn suspend_scope(&mut self) -> Suspended {
        let suspended =
            Suspended { names: self.names.here().to_vec(), tags: self.tags.here().to_vec() };
        self.leave_scope();
        suspended
    }

    pub fn resume_scope(&mut self, suspended: &Suspended) {
        self.enter_scope();
        self.names.declare_again(&suspended.names);
        self.tags.declare_again(&suspended.tags);
    }

    pub fn at_file_scope(&self) -> bool {
        self.names.level() == 0
    }

    pub fn report(&mut self, diagnostic: Diagnostic) {
        self.errors.push(diagnostic);
    }

    pub fn too_many_errors(&self) -> bool {
        self.errors.len() >= MAX_ERRORS
    }

    pub fn warn(&mut self, span: Span, message: impl Into<String>) {
        self.warnings.push(Diagnostic::warning(span, message));
    }

    pub fn name(&self, symbol: Symbol) -> &str {
        self.symbols.name(symbol)
    }

    pub fn show(&self, ty: Ty) -> String {
        self.types.show(ty, &self.symbols)
    }

    /// The type is used, not only named.
    pub fn use_type(&mut self, ty: Ty, span: Span) {
        let mut inner = ty;
        while let Some(element) = self.types.element(inner) {
            inner = element;
        }
        if let TypeKind::Opaque(opaque) = self.types.kind(inner)
            && self.types.vector(inner).is_none()
        {
            self.use_opaque(opaque.what(), span);
        }
    }

    pub fn use_opaque(&mut self, what: &'static str, span: Span) {
        self.opaque.get_or_insert((span, what));
    }

    /// How many errors and warnings there are so far.
    pub fn diagnostic_count(&self) -> DiagnosticCount {
        DiagnosticCount { errors: self.errors.len(), warnings: self.warnings.len() }
    }

    /// The reason why a function's body, or a declaration, is left out: it uses what is unsupported.
    /// Its other errors and warnings are dropped.
    pub fn take_refusal(&mut self, before: DiagnosticCount) -> Option<Diagnostic> {
        let errors = &self.errors[before.errors..];
        let is_unsupported = |e: &Diagnostic| e.severity == Severity::Unsupported;
        let refusal = match self.opaque.take() {
            Some((span, what)) => Diagnostic::unsupported(span, what),
            // What follows may be errors only because it could not be read.
            None if errors.first().is_some_and(is_unsupported) => errors[0].clone(),
            None => return None,
        };
        self.errors.truncate(before.errors);
        self.warnings.truncate(before.warnings);
        Some(refusal)
    }

    /// A new expression node; its depth follows from its operands.
    pub fn expr(&mut self, kind: ExprKind, ty: Ty, span: Span) -> ExprId {
        if matches!(self.types.kind(ty), TypeKind::Opaque(_)) {
            self.use_type(ty, span);
        }
        let depth = 1 + self.operand_depth(&kind);
        self.exprs.push(Expr { kind, ty, span, depth })
    }

    fn operand_depth(&self, kind: &ExprKind) -> u32 {
        let mut deepest = match *kind {
            ExprKind::StmtExpr { result: Some(e), .. } => self.exprs[e].depth,
            _ => 0,
        };
        kind.for_each_operand(|e| deepest = deepest.max(self.exprs[e].depth));
        deepest
    }

    pub fn stmt(&mut self, kind: StmtKind, span: Span) -> StmtId {
        self.stmts.push(Stmt { kind, span })
    }

    pub fn int_const(&mut self, value: i128, ty: Ty, span: Span) -> ExprId {
        self.expr(ExprKind::Int(value), ty, span)
    }
}

/// A type error or other mistake in the program.
pub fn error<T>(span: Span, message: impl Into<String>) -> Res<T> {
    Err(Box::new(Diagnostic::error(span, message)))
}

/// Valid C that Lakatos has no meaning for.
pub fn unsupported<T>(span: Span, construct: impl Into<String>) -> Res<T> {
    Err(Box::new(Diagnostic::unsupported(span, construct)))
}
