//! Constant expressions (C11 6.6): array sizes, case labels, enumerators, static assertions.

use lakatos_ir::{IntType, Span, arith};

use super::{Res, Sema, error, unsupported};
use crate::ast::{BinOp, CBuiltin, ExprId, ExprKind, UnOp};
use crate::types::{FloatKind, TypeKind};

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Constant {
    Int(i128),
    Float(f64),
}

impl Constant {
    fn truth(self) -> bool {
        match self {
            Constant::Int(v) => v != 0,
            Constant::Float(v) => v != 0.0,
        }
    }
}

impl Sema {
    /// The value of an integer constant expression, or an error that says it is none.
    pub fn require_int(&self, e: ExprId, what: &str) -> Res<i128> {
        match self.constant_int(e) {
            Some(value) => Ok(value),
            None if self.has_wide_float(e) => {
                unsupported(self.exprs[e].span, "a constant that `double` cannot hold here")
            }
            None => error(self.exprs[e].span, format!("{what} must be an integer constant")),
        }
    }

    /// Whether the value depends on a constant that is not known exactly.
    fn has_wide_float(&self, e: ExprId) -> bool {
        let kind = &self.exprs[e].kind;
        let mut found = matches!(kind, ExprKind::WideFloat(_));
        kind.for_each_operand(|operand| found = found || self.has_wide_float(operand));
        found
    }

    /// A size or width: a constant that is not negative.
    pub fn require_size(&self, e: ExprId, span: Span, what: &str) -> Res<u64> {
        let value = self.require_int(e, what)?;
        u64::try_from(value).or_else(|_| error(span, format!("{what} is negative or too large")))
    }

    pub fn constant_int(&self, e: ExprId) -> Option<i128> {
        match self.constant(e)? {
            Constant::Int(value) => Some(value),
            Constant::Float(_) => None,
        }
    }

    /// The value of a constant arithmetic expression; `None` for anything else and for undefined
    /// operations.
    pub fn constant(&self, e: ExprId) -> Option<Constant> {
        let expr = &self.exprs[e];
        match expr.kind {
            ExprKind::Int(value) => Some(Constant::Int(value)),
            ExprKind::Float(value) => Some(Constant::Float(value)),
            ExprKind::Load(place) => self.constant(place),
            ExprKind::Var(decl) => self.constants.get(&decl).copied(),
            ExprKind::Convert { operand, .. } => self.constant_conversion(e, operand),
            ExprKind::Unary(op, a) => self.constant_unary(e, op, self.constant(a)?),
            ExprKind::Binary(op, a, b) => self.constant_binary(e, op, a, b),
            ExprKind::Logical { or, lhs, rhs } => {
                let lhs = self.constant(lhs)?.truth();
                let value = if lhs == or { or } else { self.constant(rhs)?.truth() };
                Some(Constant::Int(value.into()))
            }
            ExprKind::Cond { cond, then, els } => {
                self.constant(if self.constant(cond)?.truth() { then } else { els })
            }
            ExprKind::PtrDiff(a, b) => {
                let elem = self.types.pointee(self.exprs[a].ty)?;
                let bytes = self.address(a)?.checked_sub(self.address(b)?)?;
                bytes.checked_div(i128::from(self.types.size(elem)?)).map(Constant::Int)
            }
            ExprKind::Builtin { builtin, ref args } => {
                if let &[a, b, result] = &args[..] {
                    let types = [a, b, result].map(|e| self.int_of(e));
                    let &[Some(_), Some(_), Some(result)] = &types else { return None };
                    if types.iter().flatten().any(|ty| ty.bits > 64) {
                        return None;
                    }
                    let (a, b) = (self.constant_int(a)?, self.constant_int(b)?);
                    let overflows = overflows(builtin, a, b, result)?;
                    return Some(Constant::Int(i128::from(overflows)));
                }
                let &[arg] = &args[..] else { return None };
                let (value, ty) = (self.constant_int(arg)?, self.int_of(arg)?);
                constant_bits(builtin, value, ty).map(Constant::Int)
            }
            ExprKind::Elvis { cond, els } => match self.constant(cond)? {
                c if c.truth() => Some(c),
                _ => self.constant(els),
            },
            _ => None,
        }
    }

    fn int_of(&self, e: ExprId) -> Option<IntType> {
        self.types.int_type(self.exprs[e].ty)
    }

    fn constant_conversion(&self, e: ExprId, operand: ExprId) -> Option<Constant> {
        let ty = self.exprs[e].ty;
        if let Some(int) = self.types.int_type(ty) {
            if self.types.is_pointer(self.exprs[operand].ty) {
                return self.address(operand).map(|a| Constant::Int(int.wrap(a)));
            }
            let value = self.constant(operand)?;
            if int == IntType::BOOL {
                return Some(Constant::Int(value.truth().into()));
            }
            return match value {
                Constant::Int(v) => Some(Constant::Int(int.wrap(v))),
                Constant::Float(v) => {
                    let truncated = v.trunc();
                    let exact = truncated as i128;
                    let fits = truncated.abs() < 1e30 && int.contains(exact);
                    fits.then_some(Constant::Int(exact))
                }
            };
        }
        match self.types.kind(ty) {
            TypeKind::Float(kind) => {
                let value = match self.constant(operand)? {
                    Constant::Int(_) if self.int_of(operand)?.is_u128() => return None,
                    Constant::Int(v) => v as f64,
                    Constant::Float(v) => v,
                };
                let single = kind == FloatKind::Float;
                Some(Constant::Float(if single { f64::from(value as f32) } else { value }))
            }
            _ => None,
        }
    }

    /// The number an address constant without an object is: `&((struct s *)0)->field`.
    pub fn address(&self, e: ExprId) -> Option<i128> {
        match self.exprs[e].kind {
            ExprKind::Convert { operand, .. } if self.types.is_pointer(self.exprs[operand].ty) => {
                self.address(operand)
            }
            ExprKind::Convert { operand, .. } => self.constant_int(operand),
            ExprKind::AddrOf(place) | ExprKind::Decay(place) => self.place_address(place),
            ExprKind::PtrAdd { pointer, index, subtract } => {
                let elem = self.types.pointee(self.exprs[pointer].ty)?;
                let size = i128::from(self.types.size(elem)?);
                let offset = self.constant_int(index)?.checked_mul(size)?;
                let base = self.address(pointer)?;
                if subtract { base.checked_sub(offset) } else { base.checked_add(offset) }
            }
            _ => None,
        }
    }

    fn place_address(&self, place: ExprId) -> Option<i128> {
        match self.exprs[place].kind {
            ExprKind::Deref(pointer) => self.address(pointer),
            ExprKind::Member { base, field } => {
                let record = self.types.record(self.exprs[base].ty)?;
                let offset = self.types.records[record].fields[field as usize].offset;
                self.place_address(base)?.checked_add(i128::from(offset))
            }
            ExprKind::Index { base, index } => {
                let size = i128::from(self.types.size(self.exprs[place].ty)?);
                let base = match self.types.is_pointer(self.exprs[base].ty) {
                    true => self.address(base)?,
                    false => self.place_address(base)?,
                };
                base.checked_add(self.constant_int(index)?.checked_mul(size)?)
            }
            _ => None,
        }
    }

    fn constant_unary(&self, e: ExprId, op: UnOp, value: Constant) -> Option<Constant> {
        match (op, value) {
            (UnOp::Not, v) => Some(Constant::Int((!v.truth()).into())),
            (UnOp::Neg, Constant::Float(v)) => Some(Constant::Float(-v)),
            (UnOp::BitNot, Constant::Float(_)) => None,
            (UnOp::Neg, Constant::Int(v)) => {
                Some(Constant::Int(self.int_of(e)?.wrap(v.wrapping_neg())))
            }
            (UnOp::BitNot, Constant::Int(v)) => Some(Constant::Int(self.int_of(e)?.wrap(!v))),
        }
    }

    fn constant_binary(&self, e: ExprId, op: BinOp, a: ExprId, b: ExprId) -> Option<Constant> {
        if op.is_comparison() && self.types.is_pointer(self.ty(a)) {
            // Addresses without an object, as in GNU's tests for a null pointer constant.
            let size_type = self.types.model.size_type();
            let (x, y) = (self.address(a)?, self.address(b)?);
            return int_binary(op, size_type.wrap(x), size_type.wrap(y), size_type)
                .map(Constant::Int);
        }
        match (self.constant(a)?, self.constant(b)?) {
            (Constant::Int(x), Constant::Int(y)) => {
                int_binary(op, x, y, self.int_of(a)?).map(Constant::Int)
            }
            (Constant::Float(x), Constant::Float(y)) => {
                let single = self.types.kind(self.ty(e)) == TypeKind::Float(FloatKind::Float);
                Some(match float_binary(op, x, y)? {
                    Constant::Float(v) if single => Constant::Float(f64::from(v as f32)),
                    other => other,
                })
            }
            _ => None,
        }
    }
}

/// Whether an operation on numbers of at most 64 bits has a result that does not fit.
fn overflows(builtin: CBuiltin, a: i128, b: i128, result: IntType) -> Option<bool> {
    let exact = match builtin {
        CBuiltin::AddOverflow => a.checked_add(b),
        CBuiltin::SubOverflow => a.checked_sub(b),
        CBuiltin::MulOverflow => a.checked_mul(b),
        _ => return None,
    };
    Some(!exact.is_some_and(|exact| result.contains(exact)))
}

/// What a function of GCC's on the bits of a number gives.
fn constant_bits(builtin: CBuiltin, value: i128, ty: IntType) -> Option<i128> {
    let bits = u32::from(ty.bits);
    let value = (value as u128) & (u128::MAX >> (128 - bits));
    Some(match builtin {
        CBuiltin::Clz if value != 0 => i128::from(value.leading_zeros() - (128 - bits)),
        CBuiltin::Ctz if value != 0 => i128::from(value.trailing_zeros()),
        CBuiltin::Popcount => i128::from(value.count_ones()),
        CBuiltin::Parity => i128::from(value.count_ones() % 2),
        CBuiltin::Ffs if value == 0 => 0,
        CBuiltin::Ffs => i128::from(value.trailing_zeros() + 1),
        CBuiltin::Bswap => (value.swap_bytes() >> (128 - bits)) as i128,
        CBuiltin::Clz
        | CBuiltin::Ctz
        | CBuiltin::AddOverflow
        | CBuiltin::SubOverflow
        | CBuiltin::MulOverflow
        | CBuiltin::VaStart
        | CBuiltin::VaEnd
        | CBuiltin::VaCopy
        | CBuiltin::Unreachable
        | CBuiltin::Trap
        | CBuiltin::Complex
        | CBuiltin::ConvertVector
        | CBuiltin::Shuffle
        | CBuiltin::ShuffleNumbers
        | CBuiltin::Alloca
        | CBuiltin::Nothing
        | CBuiltin::Atomic(_)
        | CBuiltin::CompilerChoice => return None,
    })
}

/// As the compiler folds it: signed overflow wraps (with a warning from compilers, not from us).
fn int_binary(op: BinOp, x: i128, y: i128, ty: IntType) -> Option<i128> {
    match op.is_comparison() {
        true => Some(i128::from(arith::compare(op.ir(), x, y, ty))),
        false => arith::binary(op.ir(), x, y, ty, true).ok(),
    }
}

fn float_binary(op: BinOp, x: f64, y: f64) -> Option<Constant> {
    use BinOp::*;
    Some(match op {
        Add => Constant::Float(x + y),
        Sub => Constant::Float(x - y),
        Mul => Constant::Float(x * y),
        Div => Constant::Float(x / y),
        Eq => Constant::Int((x == y).into()),
        Ne => Constant::Int((x != y).into()),
        Lt => Constant::Int((x < y).into()),
        Le => Constant::Int((x <= y).into()),
        Gt => Constant::Int((x > y).into()),
        Ge => Constant::Int((x >= y).into()),
        Rem | Shl | Shr | BitAnd | BitOr | BitXor => return None,
    })
}
