//! What the functions of the library do with pointers.

use super::access::{Mode, Unit, What};
use super::build::{Builder, Context, Size};
use super::object::Shift;
use super::offsets::Offsets;
use super::solver::NodeId;
use crate::expr::{BinOp, ExprId, ExprKind};
use crate::interpret::Accessor;
use crate::program::{Builtin, Call, EdgeId, ProcId};
use crate::ty::Type;

/// The bytes from a pointer on, to wherever: a string.
const STRING: What = What::Range { length: None, unit: Unit::Data };

impl Builder<'_> {
    /// A call of the library: the set of what its result points to.
    pub(super) fn library(
        &mut self,
        context: Context,
        at: (ProcId, EdgeId),
        builtin: Builtin,
        call: &Call,
    ) -> NodeId {
        use Builtin::*;
        let args: Vec<NodeId> = call.args.iter().map(|&arg| self.expr(context, arg)).collect();
        let Some(&first) = args.first() else { return self.nothing() };
        let numbered = |number: usize| Accessor::Argument(at.0, at.1, number as u32);
        match builtin {
            Malloc | Alloca => {
                let size = self.size(call.args[0]);
                self.allocated(context, at, call, size, builtin == Alloca)
            }
            Calloc => {
                let sizes: Vec<Size> = call.args.iter().map(|&arg| self.size(arg)).collect();
                let one = Some(1u64);
                let bytes = sizes.iter().fold(one, |n, size| n?.checked_mul(size.bytes?));
                let whole_words = sizes.iter().any(|size| size.whole_words);
                self.allocated(context, at, call, Size { bytes, whole_words }, false)
            }
            Realloc => {
                let Some(&size) = call.args.get(1) else { return self.nothing() };
                let size = self.size(size);
                let unit = if size.whole_words { Unit::Words } else { Unit::Bytes };
                let what = What::Range { length: None, unit };
                self.touch(numbered(0), first, what, Mode::READ | Mode::FREE);
                let new = self.allocated(context, at, call, size, false);
                self.solver.copy_range(first, new, None);
                new
            }
            Free => {
                let what = What::Range { length: None, unit: Unit::Words };
                self.touch(numbered(0), first, what, Mode::FREE);
                self.nothing()
            }
            Memcpy | Memmove => {
                let what = self.bytes(call, 2);
                self.touch(numbered(0), first, what, Mode::WRITE);
                self.touch(numbered(1), args[1], what, Mode::READ);
                let What::Range { length, .. } = what else { return first };
                self.solver.copy_range(args[1], first, length);
                first
            }
            Memset => {
                let what = self.bytes(call, 2);
                self.touch(numbered(0), first, what, Mode::WRITE);
                first
            }
            Memcmp => {
                let length = call.args.get(2).and_then(|&size| self.number(size));
                let what = What::Range { length, unit: Unit::Data };
                self.touch(numbered(0), first, what, Mode::READ);
                self.touch(numbered(1), args[1], what, Mode::READ);
                self.nothing()
            }
            Memchr | Strchr | Strrchr | Strstr => {
                self.touch(numbered(0), first, STRING, Mode::READ);
                if builtin == Strstr {
                    self.touch(numbered(1), args[1], STRING, Mode::READ);
                }
                let mut ahead = Offsets::at(0);
                ahead.add_steps(1, None);
                self.solver.shifted(first, Shift::By(ahead))
            }
            Strcpy | Strncpy | Strcat | Strncat => {
                let appends = matches!(builtin, Strcat | Strncat);
                let mode = if appends { Mode::READ | Mode::WRITE } else { Mode::WRITE };
                self.touch(numbered(0), first, STRING, mode);
                self.touch(numbered(1), args[1], STRING, Mode::READ);
                first
            }
            Strlen | Strnlen | Strcmp | Strncmp | Printf | Puts => {
                for (number, (&arg, &node)) in call.args.iter().zip(&args).enumerate() {
                    if matches!(self.program.exprs[arg].ty, Type::Pointer(_)) {
                        self.touch(numbered(number), node, STRING, Mode::READ);
                    }
                }
                self.nothing()
            }
            Abort | Exit | Unreachable | Putchar | Clz | Ctz | Popcount | Parity | Ffs => {
                self.nothing()
            }
        }
    }

    /// As many bytes as an argument says.
    fn bytes(&self, call: &Call, number: usize) -> What {
        let Some(&size) = call.args.get(number) else { return STRING };
        let size = self.size(size);
        let unit = if size.whole_words { Unit::Words } else { Unit::Bytes };
        What::Range { length: size.bytes, unit }
    }

    fn size(&self, expr: ExprId) -> Size {
        Size { bytes: self.number(expr), whole_words: self.has_whole_words(expr) }
    }

    /// The value of an expression, if it is a constant.
    fn number(&self, expr: ExprId) -> Option<u64> {
        let ty = self.program.exprs[expr].ty.as_int()?;
        let value = match self.program.exprs[expr].kind {
            ExprKind::Int(value) => self.program.types.model.size_type().wrap(value) as u64,
            ExprKind::Cast(inner) => self.number(inner)?,
            ExprKind::Binary(BinOp::Mul, a, b) => self.number(a)?.checked_mul(self.number(b)?)?,
            ExprKind::Binary(BinOp::Add, a, b) => self.number(a)?.checked_add(self.number(b)?)?,
            _ => return None,
        };
        ty.contains(value.into()).then_some(value)
    }

    /// The value is a multiple of the size of a pointer, whatever it is.
    fn has_whole_words(&self, expr: ExprId) -> bool {
        let word = self.program.types.model.pointer_bytes();
        match self.program.exprs[expr].kind {
            ExprKind::Int(value) => value.rem_euclid(word.into()) == 0,
            // All integers that are cut have at least eight bits.
            ExprKind::Cast(inner) => self.has_whole_words(inner),
            ExprKind::Binary(BinOp::Mul, a, b) => {
                self.has_whole_words(a) || self.has_whole_words(b)
            }
            ExprKind::Binary(BinOp::Add, a, b) => {
                self.has_whole_words(a) && self.has_whole_words(b)
            }
            _ => false,
        }
    }
}
