//! The program's source once more as a typed tree: which functions it declares, where, and who
//! calls them. The IR has no declarations.

use lakatos_c::ast::{Body, Decl, DeclId, DeclKind, Declaration, ExprId, ExprKind, Target, Unit};
use lakatos_c::types::Ty;
use lakatos_ir::{Program, Span};

use crate::model::Parameter;

/// See the module.
#[derive(Debug)]
pub(crate) struct Functions {
    /// `None`: the source is not C, which the program's own source always is.
    unit: Option<Unit>,
}

/// A function as the source has it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Declared<'a> {
    unit: &'a Unit,
    id: DeclId,
    decl: &'a Decl,
    pub body: Option<&'a Body>,
    pub declarations: &'a [Declaration],
}

/// A direct call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Call {
    pub caller: String,
    pub callee: String,
    pub span: Span,
}

impl Functions {
    pub fn new(program: &Program) -> Functions {
        let source = program.source.own();
        let options = lakatos_c::Options::of_model(program.types.model);
        Functions { unit: lakatos_c::check(source, &options).ok() }
    }

    /// In order of their first declarations.
    pub fn all(&self) -> impl Iterator<Item = Declared<'_>> {
        let unit = self.unit.as_ref();
        unit.into_iter().flat_map(|unit| {
            unit.functions.iter().filter_map(move |&id| {
                let decl = &unit.decls[id];
                let DeclKind::Function(function) = &decl.kind else { return None };
                let (body, declarations) = (function.body.as_ref(), &function.declarations[..]);
                Some(Declared { unit, id, decl, body, declarations })
            })
        })
    }

    /// In no particular order.
    pub fn calls(&self) -> Vec<Call> {
        let Some(unit) = &self.unit else { return Vec::new() };
        let within = |span: Span, outer: Span| outer.start <= span.start && span.end <= outer.end;
        let caller = |span| {
            self.all()
                .find(|f| f.body.is_some_and(|body| within(span, body.span)))
                .map(|f| f.name())
        };
        let mut calls = Vec::new();
        for (_, expr) in unit.exprs.iter() {
            if let ExprKind::Call { callee, .. } = expr.kind
                && let Some(id) = direct(unit, callee)
                && let Some(caller) = caller(expr.span)
            {
                let callee = unit.symbols.name(unit.decls[id].name).to_owned();
                calls.push(Call { caller: caller.to_owned(), callee, span: expr.span });
            }
        }
        calls
    }
}

/// The function that is called, if it is named: `f(x)`, `(&f)(x)`, `(*f)(x)`.
fn direct(unit: &Unit, mut callee: ExprId) -> Option<DeclId> {
    loop {
        match unit.exprs[callee].kind {
            ExprKind::Function(id) => return Some(id),
            ExprKind::FnDecay(inner) | ExprKind::AddrOf(inner) | ExprKind::Deref(inner) => {
                callee = inner;
            }
            _ => return None,
        }
    }
}

impl<'a> Declared<'a> {
    pub fn name(&self) -> &'a str {
        self.unit.symbols.name(self.decl.name)
    }

    /// The name in its declarator.
    pub fn span(&self) -> Span {
        self.decl.span
    }

    /// Its declaration, without a semicolon.
    pub fn declaration(&self) -> String {
        let declaration =
            self.unit.types.show_declaration(self.decl.ty, self.name(), &self.unit.symbols);
        format!("extern {declaration}")
    }

    pub fn result(&self) -> String {
        let function = self.unit.types.function_of(self.decl.ty);
        function.map(|f| self.unit.types.show(f.result, &self.unit.symbols)).unwrap_or_default()
    }

    /// Its parameters as a declaration names them.
    pub fn parameters(&self, named: &[DeclId]) -> Vec<Parameter> {
        let parameter = |id: &DeclId| {
            let decl = &self.unit.decls[*id];
            let name = self.unit.symbols.name(decl.name).to_owned();
            Parameter { name, ty: self.unit.types.show(decl.ty, &self.unit.symbols) }
        };
        named.iter().map(parameter).collect()
    }

    /// The span of a parameter: its name, or its type if it has none.
    pub fn parameter_span(&self, id: DeclId) -> Span {
        self.unit.decls[id].span
    }

    /// Something else than a number is given to it. Without a prototype the calls say what is.
    pub fn has_pointers(&self) -> bool {
        let types = &self.unit.types;
        let is_plain = |ty: Ty| types.is_arithmetic(ty);
        match types.function_of(self.decl.ty) {
            None => true,
            Some(f) if f.variadic => true,
            Some(f) if f.prototyped => !f.params.iter().copied().all(is_plain),
            Some(_) => self.unit.exprs.iter().any(|(_, expr)| match &expr.kind {
                ExprKind::Call { callee, args } => {
                    let plain = |arg: &ExprId| is_plain(self.unit.exprs[*arg].ty);
                    direct(self.unit, *callee) == Some(self.id) && !args.iter().all(plain)
                }
                _ => false,
            }),
        }
    }

    /// The user has written a contract for it.
    pub fn is_annotated(&self) -> bool {
        self.unit.annotations.iter().any(|note| note.target == Target::Decl(self.id))
    }
}
