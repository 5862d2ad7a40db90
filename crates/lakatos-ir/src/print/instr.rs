//! Instructions as text.

use std::fmt::{self, Formatter, Write as _};

use super::Printer;
use super::expr::POSTFIX;
use crate::expr::ExprId;
use crate::program::{Builtin, Call, Callee, InputKind, Instr, Region, SiteId};
use crate::ty::Type;

impl Printer<'_> {
    pub(super) fn instr(&self, f: &mut Formatter<'_>, instr: &Instr) -> fmt::Result {
        match instr {
            Instr::Skip => f.write_str("skip"),
            Instr::Assign(place, value) => {
                self.place(f, *place, 0)?;
                f.write_str(" = ")?;
                self.expr(f, self.assigned(*value), 0)
            }
            Instr::Assume(condition) => {
                f.write_char('[')?;
                self.expr(f, *condition, 0)?;
                f.write_char(']')
            }
            Instr::Havoc(place, site) => {
                self.place(f, *place, 0)?;
                self.input(f, *site)
            }
            Instr::Call(call) => self.call(f, call),
            Instr::Return(None) => f.write_str("return"),
            Instr::Return(Some(value)) => {
                f.write_str("return ")?;
                self.expr(f, self.assigned(*value), 0)
            }
            Instr::Dead(var) => write!(f, "end of {}", self.var(*var)),
            Instr::Block(region) => self.block(f, region),
        }
    }

    /// Where the value of a havoc comes from: the function called, or nothing at all.
    fn input(&self, f: &mut Formatter<'_>, id: SiteId) -> fmt::Result {
        let site = &self.program.sites[id];
        match site.kind {
            InputKind::Nondet | InputKind::External | InputKind::Assembly | InputKind::Library => {
                write!(f, " = {}()", site.name)?
            }
            InputKind::Volatile => write!(f, " = volatile {}", site.name)?,
            InputKind::Allocation => write!(f, " = {} fails", site.name)?,
            InputKind::Uninitialised => f.write_str(" = ?")?,
        }
        if self.is_exact() { write!(f, " @{id:?}") } else { Ok(()) }
    }

    fn call(&self, f: &mut Formatter<'_>, call: &Call) -> fmt::Result {
        if let Some(result) = call.result {
            self.place(f, result, 0)?;
            f.write_str(" = ")?;
        }
        match call.callee {
            Callee::Proc(proc) => f.write_str(&self.program.procs[proc].name)?,
            Callee::Pointer(pointer) => self.expr(f, pointer, POSTFIX)?,
            Callee::Builtin(builtin) => f.write_str(builtin.name())?,
        }
        f.write_char('(')?;
        for (i, &arg) in call.args.iter().enumerate() {
            if i > 0 {
                f.write_str(", ")?;
            }
            let arg = if self.has_param(call, i) { self.assigned(arg) } else { arg };
            self.expr(f, arg, 1)?;
        }
        f.write_char(')')?;
        match call.site {
            Some(site) if self.is_exact() => write!(f, " @{site:?}"),
            _ => Ok(()),
        }
    }

    /// The callee declares this parameter, so that C converts the argument.
    fn has_param(&self, call: &Call, index: usize) -> bool {
        let program = self.program;
        let signature = match call.callee {
            Callee::Proc(proc) => Some(program.procs[proc].signature),
            Callee::Pointer(pointer) => self.pointed_signature(pointer),
            Callee::Builtin(Builtin::Printf) => return index == 0,
            Callee::Builtin(_) => return true,
        };
        let params = signature.and_then(|s| program.types.signature(s).params.as_ref());
        params.is_some_and(|p| index < p.len())
    }

    fn pointed_signature(&self, pointer: ExprId) -> Option<crate::ty::SigId> {
        match self.program.types.inner(self.program.exprs[pointer].ty) {
            Some(Type::Function(sig)) => Some(sig),
            _ => None,
        }
    }

    /// A region: its steps one after the other if it is a path, else with their locations.
    fn block(&self, f: &mut Formatter<'_>, region: &Region) -> fmt::Result {
        let is_path = region.edges.windows(2).all(|w| w[0].to == w[1].from);
        f.write_str("{ ")?;
        for edge in &region.edges {
            match is_path {
                true => self.instr(f, &edge.instr)?,
                false => {
                    write!(f, "{:?} ", edge.from)?;
                    self.instr(f, &edge.instr)?;
                    write!(f, " -> {:?}", edge.to)?;
                }
            }
            f.write_str("; ")?;
        }
        f.write_char('}')
    }
}
