//! Arithmetic of mathematics as expressions of the IR.
//!
//! Every value knows the range of numbers it may be, and every operation is done in a signed type
//! that holds all of its results, so nothing overflows. Where no type of 128 bits does, there is no
//! such expression, and the message says so.

use dashu_int::IBig;
use lakatos_ir::{BinOp, ExprId, ExprKind, IntType, Program, Span, Type, UnOp, VarId};

/// No expression is made deeper than this, so that conditions can be put around it.
pub(crate) const MAX_DEPTH: u32 = 300;

/// What is said where numbers become too large.
const TOO_WIDE: &str = "the numbers here may need more than 128 bits";

/// An expression with its type, the range of its values and its depth.
#[derive(Clone, Debug)]
pub(crate) struct Value {
    pub expr: ExprId,
    pub ty: IntType,
    pub low: IBig,
    pub high: IBig,
    pub depth: u32,
}

/// Makes expressions. Messages are for a person and have no place yet.
pub(crate) struct Exact<'p> {
    pub program: &'p mut Program,
    pub span: Span,
}

pub(crate) type Made = Result<Value, String>;

impl Exact<'_> {
    fn make(&mut self, kind: ExprKind, ty: IntType, parts: &[&Value]) -> Result<Value, String> {
        let depth = parts.iter().map(|part| part.depth).max().unwrap_or(0) + 1;
        if depth > MAX_DEPTH {
            return Err("this is nested too deeply".to_owned());
        }
        let (low, high) = bounds(ty);
        let expr = self.program.expr(kind, Type::Int(ty), self.span);
        Ok(Value { expr, ty, low, high, depth })
    }

    /// The same with a range that is known to be smaller.
    fn within(made: Made, low: IBig, high: IBig) -> Made {
        made.map(|value| Value { low, high, ..value })
    }

    pub fn constant(&mut self, value: &IBig) -> Made {
        let ty = wide(value, value).ok_or(TOO_WIDE)?;
        let number = i128::try_from(value.clone()).map_err(|_| TOO_WIDE)?;
        Self::within(self.make(ExprKind::Int(number), ty, &[]), value.clone(), value.clone())
    }

    pub fn truth(&mut self, value: bool) -> Made {
        self.make(ExprKind::Int(i128::from(value)), IntType::BOOL, &[])
    }

    /// The value of a variable, if it is an integer.
    pub fn load(&mut self, var: VarId) -> Made {
        let Some(ty) = self.program.vars[var].ty.as_int() else {
            let name = &self.program.vars[var].name;
            return Err(format!("`{name}` is no integer; contracts of other types"));
        };
        let expr = self.program.load_var(var, self.span);
        let (low, high) = bounds(ty);
        Ok(Value { expr, ty, low, high, depth: 2 })
    }

    /// The same number in a type that holds it.
    fn widened(&mut self, value: &Value, ty: IntType) -> Made {
        if value.ty == ty {
            return Ok(value.clone());
        }
        let made = self.make(ExprKind::Cast(value.expr), ty, &[value]);
        Self::within(made, value.low.clone(), value.high.clone())
    }

    /// Both in a type that holds them, and numbers from `low` to `high`.
    fn common(
        &mut self,
        a: &Value,
        b: &Value,
        low: &IBig,
        high: &IBig,
    ) -> Result<(Value, Value), String> {
        let low = low.min(&a.low).min(&b.low);
        let high = high.max(&a.high).max(&b.high);
        let ty = wide(low, high).ok_or(TOO_WIDE)?;
        Ok((self.widened(a, ty)?, self.widened(b, ty)?))
    }

    /// `+ - * / %` and operations on bits.
    pub fn arithmetic(&mut self, op: BinOp, a: &Value, b: &Value) -> Made {
        let (low, high) = range(op, a, b);
        let (a, b) = self.common(a, b, &low, &high)?;
        let made = self.make(ExprKind::Binary(op, a.expr, b.expr), a.ty, &[&a, &b]);
        Self::within(made, low, high)
    }

    pub fn negated(&mut self, a: &Value) -> Made {
        let zero = self.constant(&IBig::ZERO)?;
        self.arithmetic(BinOp::Sub, &zero, a)
    }

    /// `~a`, which is `-1 - a`.
    pub fn complement(&mut self, a: &Value) -> Made {
        let minus_one = self.constant(&IBig::from(-1))?;
        self.arithmetic(BinOp::Sub, &minus_one, a)
    }

    /// Shifts by constants: `<<` multiplies, `>>` divides and rounds downwards.
    pub fn shifted(&mut self, left: bool, a: &Value, b: &Value) -> Made {
        let amount = u32::try_from(b.low.clone()).ok().filter(|by| b.low == b.high && *by < 127);
        let Some(amount) = amount else {
            return Err("a shift by something other than a small constant".to_owned());
        };
        if left {
            let factor = self.constant(&(IBig::ONE << amount as usize))?;
            return self.arithmetic(BinOp::Mul, a, &factor);
        }
        let (low, high) = (&a.low >> amount as usize, &a.high >> amount as usize);
        let ty = wide(&a.low, &a.high).ok_or(TOO_WIDE)?;
        let a = self.widened(a, ty)?;
        // What is shifted out of any type leaves the sign.
        let amount = self.constant(&IBig::from(amount.min(u32::from(a.ty.bits) - 1)))?;
        let made = self.make(ExprKind::Binary(BinOp::Shr, a.expr, amount.expr), a.ty, &[&a]);
        Self::within(made, low, high)
    }

    pub fn compared(&mut self, op: BinOp, a: &Value, b: &Value) -> Made {
        let (a, b) = match a.ty == IntType::BOOL && b.ty == IntType::BOOL {
            true => (a.clone(), b.clone()),
            false => self.common(a, b, &IBig::ZERO, &IBig::ZERO)?,
        };
        self.make(ExprKind::Binary(op, a.expr, b.expr), IntType::BOOL, &[&a, &b])
    }

    /// C's conversion to a type, modulo its size.
    pub fn converted(&mut self, a: &Value, ty: IntType) -> Made {
        if ty == IntType::BOOL {
            if a.ty == IntType::BOOL {
                return Ok(a.clone());
            }
            let zero = self.constant(&IBig::ZERO)?;
            return self.compared(BinOp::Ne, a, &zero);
        }
        let (low, high) = bounds(ty);
        match low <= a.low && a.high <= high {
            true => self.widened(a, ty),
            false => self.make(ExprKind::Cast(a.expr), ty, &[a]),
        }
    }

    pub fn choice(&mut self, condition: &Value, yes: &Value, no: &Value) -> Made {
        let (yes, no) = match yes.ty == IntType::BOOL && no.ty == IntType::BOOL {
            true => (yes.clone(), no.clone()),
            false => self.common(yes, no, &IBig::ZERO, &IBig::ZERO)?,
        };
        let (low, high) =
            (yes.low.clone().min(no.low.clone()), yes.high.clone().max(no.high.clone()));
        let kind = ExprKind::Ite(condition.expr, yes.expr, no.expr);
        Self::within(self.make(kind, yes.ty, &[condition, &yes, &no]), low, high)
    }

    pub fn not(&mut self, a: &Value) -> Made {
        self.make(ExprKind::Unary(UnOp::Not, a.expr), IntType::BOOL, &[a])
    }

    /// All (or any) of several truth values, from left to right, as a tree that is not deep.
    pub fn all(&mut self, op: BinOp, parts: &[Value]) -> Made {
        match parts {
            [] => self.truth(op == BinOp::And),
            [only] => Ok(only.clone()),
            _ => {
                let (left, right) = parts.split_at(parts.len() / 2);
                let (left, right) = (self.all(op, left)?, self.all(op, right)?);
                let kind = ExprKind::Binary(op, left.expr, right.expr);
                self.make(kind, IntType::BOOL, &[&left, &right])
            }
        }
    }

    pub fn implies(&mut self, a: &Value, b: &Value) -> Made {
        let not = self.not(a)?;
        self.all(BinOp::Or, &[not, b.clone()])
    }
}

pub(crate) fn bounds(ty: IntType) -> (IBig, IBig) {
    let bits = usize::from(ty.bits);
    match ty.signed {
        true => (-(IBig::ONE << (bits - 1)), (IBig::ONE << (bits - 1)) - IBig::ONE),
        false => (IBig::ZERO, (IBig::ONE << bits) - IBig::ONE),
    }
}

/// The smallest signed type with all numbers of a range.
fn wide(low: &IBig, high: &IBig) -> Option<IntType> {
    [32, 64, 128].map(IntType::signed).into_iter().find(|ty| {
        let (least, greatest) = bounds(*ty);
        least <= *low && *high <= greatest
    })
}

/// Where the exact results of an operation lie.
fn range(op: BinOp, a: &Value, b: &Value) -> (IBig, IBig) {
    let corners = |op: fn(&IBig, &IBig) -> IBig| {
        let all =
            [op(&a.low, &b.low), op(&a.low, &b.high), op(&a.high, &b.low), op(&a.high, &b.high)];
        let low = all.iter().min().cloned().unwrap_or_default();
        (low, all.into_iter().max().unwrap_or_default())
    };
    let magnitude = |number: &IBig| if *number < IBig::ZERO { -number } else { number.clone() };
    let size = |value: &Value| magnitude(&value.low).max(magnitude(&value.high));
    match op {
        BinOp::Add => corners(|a, b| a + b),
        BinOp::Sub => corners(|a, b| a - b),
        BinOp::Mul => corners(|a, b| a * b),
        // No quotient, and no remainder, is further from zero than the dividend.
        BinOp::Div | BinOp::Rem => (-size(a), size(a)),
        // Of patterns: as many bits as the larger operand has.
        _ => {
            let mut bits = 1;
            while IBig::ONE << bits <= size(a).max(size(b)) {
                bits += 1;
            }
            let negative = a.low < IBig::ZERO || b.low < IBig::ZERO;
            let low = if negative { -(IBig::ONE << bits) } else { IBig::ZERO };
            (low, (IBig::ONE << bits) - IBig::ONE)
        }
    }
}
