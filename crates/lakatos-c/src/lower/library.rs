//! Functions that Lakatos knows by name, where the file declares but does not define them.

use lakatos_ir::points_to::PointsTo;
use lakatos_ir::{
    Builtin, Diagnostic, EdgeId, ExprId, ExprKind, Id, IntType, ProcId, Procedure, Program, Span,
    Type,
};

use super::Lower;
use crate::ast::{DeclId, DeclKind};

/// What a call of a function means.
#[derive(Clone, Copy, Debug)]
pub(super) enum Role {
    /// A procedure with a body.
    Defined(ProcId),
    /// A call is a violation; without a body nothing happens after it.
    Error(ProcId),
    /// Any result.
    External(ProcId),
    Builtin(Builtin, Shape),
    /// `__VERIFIER_nondet_*`.
    Nondet,
    /// `__VERIFIER_assume(condition)`.
    Assume,
    /// `assert(condition)`, the macro not expanded.
    Assert,
}

/// Result and parameters of a library function: `p` pointer, `z` `size_t`, `i` `int`, `v` `void`,
/// `x` anything (it does not return), a final `.` for more arguments.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub result: u8,
    pub params: &'static [u8],
}

/// The functions whose call is what `unreach-call` is about.
pub(super) fn is_error_function(name: &str) -> bool {
    matches!(
        name,
        "reach_error" | "__VERIFIER_error" | "__assert_fail" | "__assert_rtn" | "__assert"
    )
}

/// Functions that do what no external function is assumed to do: come back twice, leave
/// functions behind, start others.
fn leaves_the_model(name: &str) -> bool {
    matches!(
        name,
        "setjmp"
            | "_setjmp"
            | "__sigsetjmp"
            | "sigsetjmp"
            | "longjmp"
            | "_longjmp"
            | "siglongjmp"
            | "fork"
            | "vfork"
            | "getcontext"
            | "setcontext"
            | "swapcontext"
    )
}

fn known(name: &str) -> Option<(Builtin, Shape)> {
    let (builtin, shape): (Builtin, &'static [u8]) = match name {
        "malloc" => (Builtin::Malloc, b"pz"),
        "calloc" => (Builtin::Calloc, b"pzz"),
        "realloc" => (Builtin::Realloc, b"ppz"),
        "free" => (Builtin::Free, b"vp"),
        "alloca" => (Builtin::Alloca, b"pz"),
        "memcpy" => (Builtin::Memcpy, b"pppz"),
        "memmove" => (Builtin::Memmove, b"pppz"),
        "memset" => (Builtin::Memset, b"ppiz"),
        "memcmp" => (Builtin::Memcmp, b"ippz"),
        "memchr" => (Builtin::Memchr, b"ppiz"),
        "strlen" => (Builtin::Strlen, b"zp"),
        "strnlen" => (Builtin::Strnlen, b"zpz"),
        "strcpy" => (Builtin::Strcpy, b"ppp"),
        "strncpy" => (Builtin::Strncpy, b"pppz"),
        "strcat" => (Builtin::Strcat, b"ppp"),
        "strncat" => (Builtin::Strncat, b"pppz"),
        "strcmp" => (Builtin::Strcmp, b"ipp"),
        "strncmp" => (Builtin::Strncmp, b"ippz"),
        "strchr" => (Builtin::Strchr, b"ppi"),
        "strrchr" => (Builtin::Strrchr, b"ppi"),
        "strstr" => (Builtin::Strstr, b"ppp"),
        "printf" => (Builtin::Printf, b"ip."),
        "puts" => (Builtin::Puts, b"ip"),
        "putchar" => (Builtin::Putchar, b"ii"),
        "exit" | "_exit" | "_Exit" => (Builtin::Exit, b"xi"),
        "abort" => (Builtin::Abort, b"x"),
        _ => return None,
    };
    Some((builtin, Shape { result: shape[0], params: &shape[1..] }))
}

/// A function that is known by its name where a file does not define it: its calls are no calls of
/// a procedure (where its type is the usual one).
pub fn is_known(name: &str) -> bool {
    let special = ["__VERIFIER_assume", "assert"].contains(&name);
    special || name.starts_with("__VERIFIER_nondet_") || known(name).is_some()
}

/// An external function may change what its arguments point to, but it is assumed not to call
/// back: where it could, nothing can be said.
pub(super) fn callbacks(program: &Program) -> Vec<Diagnostic> {
    let is_address = |expr: ExprId| matches!(program.exprs[expr].kind, ExprKind::Function(_));
    let is_external = |proc: &Procedure| proc.body.is_none() && !proc.is_error;
    if !program.exprs.ids().any(is_address) || !program.procs.iter().any(|(_, p)| is_external(p)) {
        return Vec::new();
    }
    let memory = PointsTo::new(program);
    let at = |(proc, edge, callee): (ProcId, EdgeId, ProcId)| {
        let body = program.procs[proc].body.as_ref().expect("it has a call");
        let called = memory.targets(proc, edge).iter().map(|&proc| &program.procs[proc]);
        let name = called.filter(|proc| is_external(proc)).map(|proc| proc.name.as_str()).next();
        let construct = format!(
            "`{}`, which is not defined and may call `{}`",
            name.expect("the call reaches one"),
            program.procs[callee].name
        );
        Diagnostic::unsupported(body.edges[edge].span, construct)
    };
    memory.callbacks().map(at).collect()
}

impl Lower<'_> {
    pub(super) fn role(&mut self, decl: DeclId) -> Role {
        if let Some(role) = self.roles[decl.index()] {
            return role;
        }
        let role = self.find_role(decl);
        self.roles[decl.index()] = Some(role);
        role
    }

    fn find_role(&mut self, decl: DeclId) -> Role {
        if self.body(decl).is_some() {
            return Role::Defined(self.proc(decl));
        }
        let name = self.name(decl);
        if is_error_function(name) {
            return Role::Error(self.proc(decl));
        }
        let signature = self.signature(self.unit.decls[decl].ty);
        let signature = self.ir.types.signature(signature);
        let (result, params) = (signature.result, signature.params.as_ref().map(Vec::len));
        if name.starts_with("__VERIFIER_nondet_") && result != Type::Void && params != Some(1) {
            return Role::Nondet;
        }
        match name {
            "__VERIFIER_assume" if params != Some(0) => return Role::Assume,
            "assert" if params != Some(0) => return Role::Assert,
            _ => {}
        }
        match known(name) {
            Some((builtin, shape)) if self.fits(shape.result, result) => {
                Role::Builtin(builtin, shape)
            }
            _ => self.external(decl),
        }
    }

    /// A function about which nothing is known; warns once.
    pub(super) fn external(&mut self, decl: DeclId) -> Role {
        let proc = self.proc(decl);
        let data = &self.unit.decls[decl];
        let returns = self.unit.types.function_of(data.ty);
        let result = match returns.is_some_and(|f| self.unit.types.is_void(f.result)) {
            true => "",
            false => "its result is any value, and ",
        };
        let message = format!(
            "`{}` is declared but not defined: {result}it may change what its pointer arguments \
             point to, but nothing else",
            self.name(decl)
        );
        self.external_warnings.push((proc, Diagnostic::warning(data.span, message)));
        Role::External(proc)
    }

    /// A call only gives a value.
    pub(super) fn changes_nothing(&mut self, decl: DeclId) -> bool {
        match self.role(decl) {
            Role::Nondet => true,
            Role::Builtin(builtin, _) => matches!(
                builtin,
                Builtin::Memcmp
                    | Builtin::Memchr
                    | Builtin::Strlen
                    | Builtin::Strnlen
                    | Builtin::Strcmp
                    | Builtin::Strncmp
                    | Builtin::Strchr
                    | Builtin::Strrchr
                    | Builtin::Strstr
            ),
            _ => false,
        }
    }

    pub(super) fn check_external(&mut self, decl: DeclId, span: Span) {
        let name = self.name(decl);
        if leaves_the_model(name) {
            self.unsupported(span, format!("`{name}`"));
        }
    }

    pub(super) fn is_noreturn(&self, decl: DeclId) -> bool {
        matches!(&self.unit.decls[decl].kind, DeclKind::Function(f) if f.noreturn)
    }

    fn fits(&self, letter: u8, ty: Type) -> bool {
        match letter {
            b'p' => matches!(ty, Type::Pointer(_)),
            b'z' => ty == Type::Int(self.unit.types.model.size_type()),
            b'i' => ty == Type::I32,
            b'v' => ty == Type::Void,
            _ => true,
        }
    }

    /// Whether the arguments have the kinds that the library function takes.
    pub(super) fn arguments_fit(&self, shape: Shape, args: &[Type]) -> bool {
        let (params, more) = split_params(shape);
        (args.len() == params.len() || (more && args.len() > params.len()))
            && params.iter().zip(args).all(|(&param, &arg)| match param {
                b'p' => matches!(arg, Type::Pointer(_)),
                _ => arg.as_int().is_some(),
            })
    }

    /// The integer types that the library function takes, where it takes integers.
    pub(super) fn integer_params(&self, shape: Shape) -> impl Iterator<Item = Option<IntType>> {
        let size = self.unit.types.model.size_type();
        split_params(shape).0.iter().map(move |&param| match param {
            b'z' => Some(size),
            b'i' => Some(IntType::I32),
            _ => None,
        })
    }
}

fn split_params(shape: Shape) -> (&'static [u8], bool) {
    match shape.params {
        [params @ .., b'.'] => (params, true),
        params => (params, false),
    }
}
