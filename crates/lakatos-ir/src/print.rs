//! Programs as text a person can read: expressions, places, instructions and types as C.
//!
//! Two styles. *Natural* (`program.show_expr(id)` and its siblings) leaves out every conversion
//! that C makes by itself, so that `c = (char)((int)c + 1)` reads `c = c + 1`; the text, read as C,
//! still means what the expression means. *Exact* ([`program`]) shows each conversion and tells
//! variables of one name apart; it is the stable form for snapshot tests.
//!
//! Nothing in here is read back: text is for people, the IR is for programs.

mod convert;
mod dump;
mod expr;
mod instr;
mod types;

use std::fmt;

use crate::expr::{ExprId, PlaceId};
use crate::program::{Instr, ProcId, Program, VarId, VarKind};
use crate::ty::Type;

pub use dump::program;

/// How to print: which program, and whether every conversion is shown.
#[derive(Clone, Copy)]
struct Printer<'p> {
    program: &'p Program,
    /// Names that are unique within their scope; present in the exact style only.
    names: Option<&'p [String]>,
}

impl<'p> Printer<'p> {
    fn natural(program: &'p Program) -> Printer<'p> {
        Printer { program, names: None }
    }

    fn is_exact(&self) -> bool {
        self.names.is_some()
    }

    fn var(&self, var: VarId) -> String {
        match self.names {
            Some(names) => names[var.0 as usize].clone(),
            None => self.program.var_name(var),
        }
    }
}

/// Something that is printed by a closure.
struct Show<F>(F);

impl<F: Fn(&mut fmt::Formatter<'_>) -> fmt::Result> fmt::Display for Show<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (self.0)(f)
    }
}

impl Program {
    pub fn show_expr(&self, expr: ExprId) -> impl fmt::Display + '_ {
        Show(move |f: &mut fmt::Formatter<'_>| Printer::natural(self).expr(f, expr, 0))
    }

    pub fn show_place(&self, place: PlaceId) -> impl fmt::Display + '_ {
        Show(move |f: &mut fmt::Formatter<'_>| Printer::natural(self).place(f, place, 0))
    }

    /// An edge's instruction: `x = y + 1`, `[x < 10]` for an assumption, `f(x)`, `return x`.
    pub fn show_instr<'p>(&'p self, instr: &'p Instr) -> impl fmt::Display + 'p {
        Show(move |f: &mut fmt::Formatter<'_>| Printer::natural(self).instr(f, instr))
    }

    /// A type as in a cast: `int *`, `char [10]`, `int (*)(int)`.
    pub fn show_type(&self, ty: Type) -> impl fmt::Display + '_ {
        Show(move |f: &mut fmt::Formatter<'_>| f.write_str(&self.types.declare(ty, "")))
    }

    /// A variable with its type, as it is declared: `int (*callback)(int)`.
    pub fn show_declaration(&self, var: VarId) -> impl fmt::Display + '_ {
        let name = self.var_name(var);
        let ty = self.vars[var].ty;
        Show(move |f: &mut fmt::Formatter<'_>| f.write_str(&self.types.declare(ty, &name)))
    }

    /// A procedure's head: `int max(int a, int b)`.
    pub fn show_signature(&self, proc: ProcId) -> impl fmt::Display + '_ {
        Show(move |f: &mut fmt::Formatter<'_>| f.write_str(&Printer::natural(self).signature(proc)))
    }

    /// What a variable is called in text. Names begin with `$` where the source has none.
    pub fn var_name(&self, id: VarId) -> String {
        let var = &self.vars[id];
        match var.kind {
            VarKind::Result(_) => "\\result".to_owned(),
            VarKind::Literal => self.literal_text(id),
            _ if var.name.is_empty() => self.temp_name(id),
            VarKind::Temp(_) if !var.name.starts_with('$') => format!("${}", var.name),
            _ => var.name.clone(),
        }
    }

    /// A number counted from the procedure's first local, so that it changes with the procedure only.
    fn temp_name(&self, id: VarId) -> String {
        let frame = self.vars[id].kind.frame();
        let first = frame.and_then(|p| self.procs[p].locals.first());
        match first.and_then(|first| id.0.checked_sub(first.0)) {
            Some(number) => format!("${}", number + 1),
            None => format!("$v{}", id.0),
        }
    }

    /// A string literal as it stands in the source, or the name lowering gave it.
    fn literal_text(&self, id: VarId) -> String {
        let var = &self.vars[id];
        match self.source.snippet(var.span) {
            text if text.starts_with('"') && text.len() > 1 => text.to_owned(),
            _ if var.name.is_empty() => format!("$literal{}", id.0),
            _ => var.name.clone(),
        }
    }
}

#[cfg(test)]
mod tests;
