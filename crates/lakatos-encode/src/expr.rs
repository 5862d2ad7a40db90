//! Expressions over integers as terms: lazy, left to right (DESIGN.md section 3).
//!
//! The meaning is that of [`lakatos_ir::expr`]. An expression gives its value and its *faults*:
//! what may be undefined in it, in the order of evaluation, each with its condition, which
//! contains the guards of lazy operators. This is what [`lakatos_ir::undefined`] lists as
//! expressions, as terms. What a place holds is the reader's business ([`Read`]); floats, pointers
//! and aggregates are [`Unsupported`].

use lakatos_ir::{
    Arith, BinOp, Expr, ExprId, ExprKind, IntType, PlaceId, Program, Span, Type, UnOp, Undefined,
};
use lakatos_logic::term::{Term, Terms};
use rustc_hash::FxHashMap;

use crate::machine::{Encoded, Machine, Operand};

/// Something that is no operation on integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{what} cannot be encoded")]
pub struct Unsupported {
    pub what: &'static str,
    pub span: Span,
}

/// The values of places.
pub trait Read {
    /// The value of a place of integer type; `None`: the reader does not know it.
    fn load(&mut self, terms: &mut Terms, place: PlaceId) -> Option<Operand>;

    /// Any value of a type, for an expression that cannot be encoded; `None` refuses it.
    fn anything(&mut self, _terms: &mut Terms, _ty: IntType) -> Option<Operand> {
        None
    }
}

/// What may be undefined in an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fault {
    pub kind: Undefined,
    /// The operation.
    pub span: Span,
    /// Says when it happens, where no fault before it does.
    pub condition: Term,
}

/// An expression as terms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Evaluated {
    /// Right where there is no fault.
    pub value: Operand,
    /// In the order of evaluation.
    pub faults: Vec<Fault>,
}

impl Evaluated {
    /// No fault happens.
    pub fn defined(&self, terms: &mut Terms) -> Term {
        let fine: Vec<Term> = self.faults.iter().map(|f| terms.not(f.condition)).collect();
        terms.and(fine)
    }
}

/// Encodes an expression of integer type.
pub fn evaluate(
    program: &Program,
    machine: Machine,
    terms: &mut Terms,
    reader: &mut dyn Read,
    expr: ExprId,
) -> Result<Evaluated, Unsupported> {
    let mut encoder = Encoder {
        program,
        machine,
        terms,
        reader,
        guard: Term::TRUE,
        met: FxHashMap::default(),
        faults: Vec::new(),
    };
    let value = encoder.expr(expr)?;
    Ok(Evaluated { value, faults: encoder.faults })
}

/// The integer type, or what else a value of the type is.
pub(crate) fn integer(ty: Type, span: Span) -> Result<IntType, Unsupported> {
    let what = match ty {
        Type::Int(int) => return Ok(int),
        Type::Float(_) => "a floating-point number",
        Type::Pointer(_) | Type::Function(_) => "a pointer",
        Type::Array(..) | Type::Record(_) => "an aggregate",
        Type::Void => "a value of no type",
    };
    Err(Unsupported { what, span })
}

struct Encoder<'a> {
    program: &'a Program,
    machine: Machine,
    terms: &'a mut Terms,
    reader: &'a mut dyn Read,
    /// Under which condition the current operand is evaluated.
    guard: Term,
    /// Expressions with the guard under which they were first met: evaluated again under the same
    /// one, or a stronger one, they have no new faults.
    met: FxHashMap<ExprId, (Term, Operand)>,
    faults: Vec<Fault>,
}

impl Encoder<'_> {
    fn expr(&mut self, id: ExprId) -> Result<Operand, Unsupported> {
        if let Some((guard, value)) = self.met.get(&id)
            && (*guard == Term::TRUE || *guard == self.guard)
        {
            return Ok(value.clone());
        }
        let expr = &self.program.exprs[id];
        let value = match self.compute(expr) {
            Ok(value) => value,
            Err(unsupported) => {
                let ty = expr.ty.as_int().ok_or(unsupported)?;
                self.reader.anything(self.terms, ty).ok_or(unsupported)?
            }
        };
        self.met.entry(id).or_insert_with(|| (self.guard, value.clone()));
        Ok(value)
    }

    fn compute(&mut self, expr: &Expr) -> Result<Operand, Unsupported> {
        let ty = integer(expr.ty, expr.span)?;
        match expr.kind {
            ExprKind::Int(value) => Ok(self.machine.constant(self.terms, value, ty)),
            ExprKind::Load(place) => self
                .reader
                .load(self.terms, place)
                .ok_or(Unsupported { what: "a read of memory", span: expr.span }),
            ExprKind::Unary(op, a) => self.unary(expr, op, a),
            ExprKind::Binary(op, a, b) if op.is_lazy() => self.lazy(op, a, b),
            ExprKind::Binary(op, a, b) => self.binary(expr, op, a, b),
            ExprKind::Overflows(op, a, b, to) => self.overflows(expr, op, a, b, to),
            ExprKind::Cast(a) => {
                let a = self.expr(a)?;
                Ok(self.machine.cast(self.terms, &a, ty))
            }
            ExprKind::Ite(condition, yes, no) => self.choice(ty, condition, yes, no),
            ExprKind::PtrDiff(..) => Err(Unsupported { what: "a pointer", span: expr.span }),
            ExprKind::Float(_)
            | ExprKind::Null
            | ExprKind::Zero
            | ExprKind::Str(_)
            | ExprKind::AddrOf(_)
            | ExprKind::Function(_)
            | ExprKind::PtrAdd(..) => {
                Err(Unsupported { what: "an ill-typed expression", span: expr.span })
            }
        }
    }

    fn unary(&mut self, expr: &Expr, op: UnOp, a: ExprId) -> Result<Operand, Unsupported> {
        let a = self.expr(a)?;
        let encoded = self.machine.unary(self.terms, op, &a);
        Ok(self.checked(expr, encoded))
    }

    fn binary(
        &mut self,
        expr: &Expr,
        op: BinOp,
        a: ExprId,
        b: ExprId,
    ) -> Result<Operand, Unsupported> {
        let (a, b) = (self.expr(a)?, self.expr(b)?);
        let encoded = self.machine.binary(self.terms, op, &a, &b);
        Ok(self.checked(expr, encoded))
    }

    fn overflows(
        &mut self,
        expr: &Expr,
        op: Arith,
        a: ExprId,
        b: ExprId,
        to: IntType,
    ) -> Result<Operand, Unsupported> {
        let (a, b) = (self.expr(a)?, self.expr(b)?);
        let encoded = self.machine.overflows(self.terms, op, &a, &b, to);
        Ok(self.checked(expr, encoded))
    }

    /// The value of an operation, its hazards noted.
    fn checked(&mut self, expr: &Expr, encoded: Encoded) -> Operand {
        for (kind, condition) in encoded.undefined {
            let condition = self.terms.and([self.guard, condition]);
            if condition != Term::FALSE {
                self.faults.push(Fault { kind, span: expr.span, condition });
            }
        }
        encoded.value
    }

    /// `&&` and `||`: the right operand is evaluated where the left one does not decide.
    fn lazy(&mut self, op: BinOp, a: ExprId, b: ExprId) -> Result<Operand, Unsupported> {
        let a = self.expr(a)?;
        let undecided = match op {
            BinOp::And => a.term,
            _ => self.terms.not(a.term),
        };
        match self.guarded(undecided, b)? {
            Some(b) => Ok(self.machine.binary(self.terms, op, &a, &b).value),
            None => Ok(a),
        }
    }

    fn choice(
        &mut self,
        ty: IntType,
        condition: ExprId,
        yes: ExprId,
        no: ExprId,
    ) -> Result<Operand, Unsupported> {
        let holds = self.expr(condition)?.term;
        let fails = self.terms.not(holds);
        Ok(match (self.guarded(holds, yes)?, self.guarded(fails, no)?) {
            (Some(yes), Some(no)) => self.machine.choose(self.terms, holds, &yes, &no),
            (Some(only), None) | (None, Some(only)) => only,
            // Never evaluated: any value will do.
            (None, None) => self.machine.constant(self.terms, 0, ty),
        })
    }

    /// An operand that is evaluated only under a condition; `None` where it never is.
    fn guarded(&mut self, condition: Term, expr: ExprId) -> Result<Option<Operand>, Unsupported> {
        let inner = self.terms.and([self.guard, condition]);
        if inner == Term::FALSE {
            return Ok(None);
        }
        let outer = std::mem::replace(&mut self.guard, inner);
        let value = self.expr(expr);
        self.guard = outer;
        value.map(Some)
    }
}
