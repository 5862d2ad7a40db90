//! The undefined operations of an instruction, as data: what can go wrong, where, and under
//! which condition.
//!
//! Checks come in the order of evaluation. A condition is a truth-valued expression over the
//! state before the instruction; it contains the guards of lazy operators (`a != 0 && 10 / a`:
//! the division is checked only where `a != 0`), and evaluating it is defined wherever all
//! checks before it have passed. Covered are signed overflow (`+ - *`, negation, `INT_MIN / -1`
//! and `INT_MIN % -1`), left shifts that C leaves undefined though GCC defines them, division by
//! zero, shift amounts, and indices of arrays whose length the type tells. What can never happen, by constants and types alone, is not listed.

use crate::expr::{Arith, BinOp, Expr, ExprId, ExprKind, PlaceId, PlaceKind, UnOp, Undefined};
use crate::program::{IndexBound, Instr, Program};
use crate::source::Span;
use crate::ty::{DataModel, IntType, Type};
use crate::walk::{self, Node};

/// Something that may go wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    pub kind: Undefined,
    /// The operation.
    pub span: Span,
    /// Holds where it goes wrong.
    pub condition: ExprId,
    /// For a person: "`a + b` overflows `int`".
    pub message: String,
}

/// The checks of an instruction.
#[derive(Clone, Debug, Default)]
pub struct Checks {
    /// What may go wrong before anything happens, in order.
    pub before: Vec<Check>,
    /// What may go wrong when a call has returned: in the place that gets the result.
    pub after: Vec<Check>,
}

/// The checks of the wanted kinds for evaluating an expression.
pub fn of_expr(
    program: &mut Program,
    expr: ExprId,
    wanted: &dyn Fn(Undefined) -> bool,
) -> Vec<Check> {
    let mut finder = Finder::new(program, wanted);
    finder.expr(expr);
    finder.found
}

/// The checks of the wanted kinds for reading or writing a place.
pub fn of_place(
    program: &mut Program,
    place: PlaceId,
    wanted: &dyn Fn(Undefined) -> bool,
) -> Vec<Check> {
    let mut finder = Finder::new(program, wanted);
    finder.place(place, Use::Access);
    finder.found
}

/// The checks of the wanted kinds for an instruction; a block must be checked before it is made.
pub fn of_instr(
    program: &mut Program,
    instr: &Instr,
    wanted: &dyn Fn(Undefined) -> bool,
) -> Checks {
    let mut finder = Finder::new(program, wanted);
    for operand in walk::operands(instr) {
        finder.expr(operand);
    }
    let mut after = Vec::new();
    match (instr, walk::written(instr)) {
        (Instr::Call(_), Some(place)) => after = of_place(finder.program, place, wanted),
        (_, Some(place)) => finder.place(place, Use::Access),
        (_, None) => {}
    }
    Checks { before: finder.found, after }
}

/// Whether evaluating the expression may be undefined in any way Lakatos watches for, memory
/// included. Errs on the side of `true`.
pub fn possible(program: &Program, expr: ExprId) -> bool {
    let mut parts = walk::parts(&program.exprs[expr].kind);
    !of_operation(program, expr).is_empty()
        || parts.any(|part| match part {
            Node::Expr(e) => possible(program, e),
            Node::Place(p) => possible_in_place(program, p),
        })
}

/// The ways in which the operation itself may be undefined, its operands aside.
pub fn of_operation(program: &Program, expr: ExprId) -> Vec<Undefined> {
    let Expr { ref kind, ty, .. } = program.exprs[expr];
    let of = |e: ExprId| program.exprs[e].ty;
    match *kind {
        ExprKind::Cast(a) if matches!((of(a), ty), (Type::Float(_), Type::Int(_))) => {
            vec![Undefined::FloatToInt]
        }
        ExprKind::PtrAdd(..) => vec![Undefined::OutOfBounds],
        ExprKind::PtrDiff(..) => vec![Undefined::UnrelatedPointers],
        ExprKind::Binary(BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge, a, _)
            if matches!(of(a), Type::Pointer(_)) =>
        {
            vec![Undefined::UnrelatedPointers]
        }
        _ => hazards(program, expr).iter().map(Hazard::kind).collect(),
    }
}

/// Like [`possible`], for finding and accessing a place.
pub fn possible_in_place(program: &Program, place: PlaceId) -> bool {
    match program.places[place].kind {
        PlaceKind::Var(_) => false,
        PlaceKind::Deref(_) => true,
        PlaceKind::Field(base, _) => possible_in_place(program, base),
        PlaceKind::Index(base, index) => {
            let inside = match program.places[base].ty {
                Type::Array(_, Some(len)) => within(program, index, i128::from(len)),
                _ => false,
            };
            !inside || possible_in_place(program, base) || possible(program, index)
        }
    }
}

/// A way in which one operation may be undefined, its operands aside.
#[derive(Clone, Copy)]
enum Hazard {
    Overflow(Arith, ExprId, ExprId),
    NegOverflow(ExprId),
    /// The least value divided by minus one.
    DivOverflow(ExprId, ExprId),
    DivByZero(ExprId),
    Shift(ExprId, u16),
    /// A left shift of a negative number, or one whose exact result does not fit.
    ShiftOverflow(ExprId, ExprId),
}

impl Hazard {
    fn kind(&self) -> Undefined {
        match self {
            Hazard::Overflow(..) | Hazard::NegOverflow(_) | Hazard::DivOverflow(..) => {
                Undefined::SignedOverflow
            }
            Hazard::DivByZero(_) => Undefined::DivByZero,
            Hazard::Shift(..) => Undefined::ShiftOutOfRange,
            Hazard::ShiftOverflow(..) => Undefined::ShiftOverflow,
        }
    }
}

/// The hazards of an operation that constants and types do not exclude, in order.
fn hazards(program: &Program, expr: ExprId) -> Vec<Hazard> {
    let Some(int) = program.exprs[expr].ty.as_int() else { return Vec::new() };
    let overflow = |arith, a, b| match int.signed && !fits(program, arith, a, b, int) {
        true => vec![Hazard::Overflow(arith, a, b)],
        false => Vec::new(),
    };
    match program.exprs[expr].kind {
        ExprKind::Unary(UnOp::Neg, a) if int.signed && may_be(program, a, int.min()) => {
            vec![Hazard::NegOverflow(a)]
        }
        ExprKind::Binary(BinOp::Add, a, b) => overflow(Arith::Add, a, b),
        ExprKind::Binary(BinOp::Sub, a, b) => overflow(Arith::Sub, a, b),
        ExprKind::Binary(BinOp::Mul, a, b) => overflow(Arith::Mul, a, b),
        ExprKind::Binary(BinOp::Div | BinOp::Rem, a, b) => {
            let zero = may_be(program, b, 0).then_some(Hazard::DivByZero(b));
            let least = int.signed && may_be(program, a, int.min()) && may_be(program, b, -1);
            zero.into_iter().chain(least.then_some(Hazard::DivOverflow(a, b))).collect()
        }
        ExprKind::Binary(BinOp::Shl | BinOp::Shr, _, b)
            if !within(program, b, i128::from(int.bits)) =>
        {
            vec![Hazard::Shift(b, int.bits)]
        }
        _ => Vec::new(),
    }
}

/// Whether a left shift may be one that C leaves undefined (C11 6.5.7p4). To run it is no error, as
/// GCC defines it.
fn shift_overflow(program: &Program, expr: ExprId) -> Option<Hazard> {
    let ExprKind::Binary(BinOp::Shl, a, b) = program.exprs[expr].kind else { return None };
    let int = program.exprs[expr].ty.as_int().filter(|int| int.signed)?;
    let largest = bounds(program, a).filter(|&(low, _)| low >= 0).map(|(_, high)| high);
    let most = bounds(program, b).filter(|&(low, high)| 0 <= low && high < i128::from(int.bits));
    match (largest, most) {
        (Some(high), Some((_, by))) if high <= int.max() >> by => None,
        _ => Some(Hazard::ShiftOverflow(a, b)),
    }
}

/// Bounds of an integer expression's value that are plain from constants, masks and conversions.
/// `None`: nothing is known that would fit `i128`.
pub(crate) fn bounds(program: &Program, expr: ExprId) -> Option<(i128, i128)> {
    let constant = |e: ExprId| match program.exprs[e].kind {
        ExprKind::Int(value) => Some(value),
        _ => None,
    };
    let int = program.exprs[expr].ty.as_int().filter(|int| !int.is_u128())?;
    let range = (int.min(), int.max());
    Some(match program.exprs[expr].kind {
        ExprKind::Int(value) => (value, value),
        ExprKind::Cast(a) => {
            bounds(program, a).filter(|&(l, h)| range.0 <= l && h <= range.1).unwrap_or(range)
        }
        ExprKind::Binary(BinOp::BitAnd, _, m) => match constant(m) {
            Some(mask) if mask >= 0 => (0, mask),
            _ => range,
        },
        ExprKind::Binary(BinOp::Rem, _, m) => match constant(m) {
            Some(m) if m > 0 => (range.0.max(1 - m), m - 1),
            _ => range,
        },
        _ => range,
    })
}

fn may_be(program: &Program, expr: ExprId, value: i128) -> bool {
    bounds(program, expr).is_none_or(|(low, high)| low <= value && value <= high)
}

/// Surely between zero and `limit`, exclusive.
fn within(program: &Program, expr: ExprId, limit: i128) -> bool {
    bounds(program, expr).is_some_and(|(low, high)| 0 <= low && high < limit)
}

/// The exact result surely fits the type.
fn fits(program: &Program, arith: Arith, a: ExprId, b: ExprId, int: IntType) -> bool {
    let (Some((al, ah)), Some((bl, bh))) = (bounds(program, a), bounds(program, b)) else {
        return false;
    };
    let corners = match arith {
        Arith::Add => [al.checked_add(bl), ah.checked_add(bh), Some(0), Some(0)],
        Arith::Sub => [al.checked_sub(bh), ah.checked_sub(bl), Some(0), Some(0)],
        Arith::Mul => {
            [al.checked_mul(bl), al.checked_mul(bh), ah.checked_mul(bl), ah.checked_mul(bh)]
        }
        Arith::Div => return false,
    };
    corners.into_iter().all(|c| c.is_some_and(|c| int.min() <= c && c <= int.max()))
}

/// How a place is used.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Access,
    /// Its address may be one past the end.
    Address,
}

struct Finder<'p> {
    program: &'p mut Program,
    wanted: &'p dyn Fn(Undefined) -> bool,
    /// The conditions under which the current operand is evaluated, outermost first.
    guards: Vec<(ExprId, bool)>,
    found: Vec<Check>,
}

impl<'p> Finder<'p> {
    fn new(program: &'p mut Program, wanted: &'p dyn Fn(Undefined) -> bool) -> Finder<'p> {
        Finder { program, wanted, guards: Vec::new(), found: Vec::new() }
    }

    fn expr(&mut self, e: ExprId) {
        match self.program.exprs[e].kind.clone() {
            ExprKind::Load(place) => self.place(place, Use::Access),
            ExprKind::AddrOf(place) => self.place(place, Use::Address),
            ExprKind::Binary(op @ (BinOp::And | BinOp::Or), a, b) => {
                self.expr(a);
                self.guarded(a, op == BinOp::And, b);
            }
            ExprKind::Ite(c, a, b) => {
                self.expr(c);
                self.guarded(c, true, a);
                self.guarded(c, false, b);
            }
            kind => {
                for part in walk::parts(&kind) {
                    if let Node::Expr(part) = part {
                        self.expr(part);
                    }
                }
                for hazard in hazards(self.program, e) {
                    self.hazard(e, hazard);
                }
                if let Some(hazard) = shift_overflow(self.program, e) {
                    self.hazard(e, hazard);
                }
                if let Some(bound) = self.program.bounds.get(&e).copied() {
                    self.bound(e, bound);
                }
            }
        }
    }

    fn guarded(&mut self, guard: ExprId, holds: bool, e: ExprId) {
        self.guards.push((guard, holds));
        self.expr(e);
        self.guards.pop();
    }

    fn place(&mut self, place: PlaceId, how: Use) {
        match self.program.places[place].kind {
            PlaceKind::Var(_) => {}
            PlaceKind::Deref(pointer) => self.expr(pointer),
            PlaceKind::Field(base, _) => self.place(base, Use::Access),
            PlaceKind::Index(base, index) => {
                self.place(base, Use::Access);
                self.expr(index);
                if let Type::Array(_, Some(len)) = self.program.places[base].ty {
                    self.index(place, index, len, how);
                }
            }
        }
    }

    fn index(&mut self, place: PlaceId, index: ExprId, len: u64, how: Use) {
        let limit = i128::from(len) + i128::from(how == Use::Address);
        if (self.wanted)(Undefined::OutOfBounds) && !within(self.program, index, limit) {
            let span = self.program.places[place].span;
            let condition = self.outside(index, limit, span);
            let elements = if len == 1 { "1 element".into() } else { format!("{len} elements") };
            let text = quote(self.program, span, "an index");
            let message = format!("{text} is outside the array of {elements}");
            self.found(Undefined::OutOfBounds, span, condition, message);
        }
    }

    fn hazard(&mut self, e: ExprId, hazard: Hazard) {
        let Expr { ty, span, .. } = self.program.exprs[e];
        let kind = hazard.kind();
        if !(self.wanted)(kind) {
            return;
        }
        let int = ty.as_int().expect("hazards are of integers");
        let condition = match hazard {
            Hazard::Overflow(arith, a, b) => {
                self.truth(ExprKind::Overflows(arith, a, b, int), span)
            }
            Hazard::NegOverflow(a) => self.equals(a, int.min(), span),
            Hazard::DivOverflow(a, b) => {
                let least = self.equals(a, int.min(), span);
                let minus_one = self.equals(b, -1, span);
                self.truth(ExprKind::Binary(BinOp::And, least, minus_one), span)
            }
            Hazard::DivByZero(b) => self.equals(b, 0, span),
            Hazard::Shift(b, bits) => self.outside(b, i128::from(bits), span),
            Hazard::ShiftOverflow(a, b) => self.shift_overflows(a, b, int, span),
        };
        let message = match kind {
            Undefined::SignedOverflow => {
                let text = quote(self.program, span, "an operation");
                format!("{text} overflows `{}`", c_name(int, self.program.types.model))
            }
            Undefined::DivByZero => {
                format!("{} divides by zero", quote(self.program, span, "an operation"))
            }
            Undefined::ShiftOverflow => {
                let text = quote(self.program, span, "an operation");
                let name = c_name(int, self.program.types.model);
                format!("{text} shifts a negative number, or overflows `{name}`")
            }
            _ => {
                let text = quote(self.program, span, "an operation");
                format!("{text} shifts by less than 0 or more than {} bits", int.bits - 1)
            }
        };
        self.found(kind, span, condition, message);
    }

    /// `0 <= b && b < bits && (a < 0 || a > MAX >> b)`
    fn shift_overflows(&mut self, a: ExprId, b: ExprId, int: IntType, span: Span) -> ExprId {
        let outside = self.outside(b, i128::from(int.bits), span);
        let inside = self.truth(ExprKind::Unary(UnOp::Not, outside), span);
        let negative = self.compare(BinOp::Lt, a, 0, span);
        let ty = Type::Int(int);
        let most = self.program.expr(ExprKind::Int(int.max()), ty, span);
        let most = self.program.expr(ExprKind::Binary(BinOp::Shr, most, b), ty, span);
        let above = self.truth(ExprKind::Binary(BinOp::Gt, a, most), span);
        let wrong = self.truth(ExprKind::Binary(BinOp::Or, negative, above), span);
        self.truth(ExprKind::Binary(BinOp::And, inside, wrong), span)
    }

    /// An index into an array whose length is a value of the program.
    fn bound(&mut self, e: ExprId, bound: IndexBound) {
        if !(self.wanted)(Undefined::OutOfBounds) {
            return;
        }
        let IndexBound { index, length, one_past } = bound;
        let (span, index_span) = (self.program.exprs[e].span, self.program.exprs[index].span);
        let ty = self.program.exprs[length].ty;
        let int = self.program.exprs[index].ty.as_int().expect("an index is an integer");
        let unsigned = match self.program.exprs[index].ty == ty {
            true => index,
            false => self.program.expr(ExprKind::Cast(index), ty, index_span),
        };
        let op = if one_past { BinOp::Gt } else { BinOp::Ge };
        let mut condition = self.truth(ExprKind::Binary(op, unsigned, length), span);
        if int.signed {
            let below = self.compare(BinOp::Lt, index, 0, span);
            condition = self.truth(ExprKind::Binary(BinOp::Or, below, condition), span);
        }
        let text = quote(self.program, span, "an index");
        let message = format!("{text} is outside the array of variable length");
        self.found(Undefined::OutOfBounds, span, condition, message);
    }

    fn found(&mut self, kind: Undefined, span: Span, violation: ExprId, message: String) {
        let guards = self.guards.clone();
        let condition = guards.into_iter().rfold(violation, |inner, (guard, holds)| {
            let guard =
                if holds { guard } else { self.truth(ExprKind::Unary(UnOp::Not, guard), span) };
            self.truth(ExprKind::Binary(BinOp::And, guard, inner), span)
        });
        self.found.push(Check { kind, span, condition, message });
    }

    fn truth(&mut self, kind: ExprKind, span: Span) -> ExprId {
        self.program.expr(kind, Type::BOOL, span)
    }

    fn compare(&mut self, op: BinOp, e: ExprId, value: i128, span: Span) -> ExprId {
        let ty = self.program.exprs[e].ty;
        let value = self.program.expr(ExprKind::Int(value), ty, span);
        self.truth(ExprKind::Binary(op, e, value), span)
    }

    fn equals(&mut self, e: ExprId, value: i128, span: Span) -> ExprId {
        self.compare(BinOp::Eq, e, value, span)
    }

    /// `e < 0 || e >= limit`, as far as the type of `e` allows either.
    fn outside(&mut self, e: ExprId, limit: i128, span: Span) -> ExprId {
        let int = self.program.exprs[e].ty.as_int().expect("an index or shift is an integer");
        let above =
            (int.is_u128() || limit <= int.max()).then(|| self.compare(BinOp::Ge, e, limit, span));
        let below = int.signed.then(|| self.compare(BinOp::Lt, e, 0, span));
        match (below, above) {
            (Some(a), Some(b)) => self.truth(ExprKind::Binary(BinOp::Or, a, b), span),
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => self.truth(ExprKind::Int(0), span),
        }
    }
}

/// The source of an operation on one short line, in backquotes.
pub(crate) fn quote(program: &Program, span: Span, otherwise: &str) -> String {
    const LONGEST: usize = 60;
    let words: Vec<&str> = program.source.snippet(span).split_whitespace().collect();
    let text = words.join(" ");
    match text.chars().count() {
        0 => otherwise.to_owned(),
        n if n <= LONGEST => format!("`{text}`"),
        _ => format!("`{}…`", text.chars().take(LONGEST).collect::<String>()),
    }
}

/// An integer type as C programmers call it.
fn c_name(int: IntType, model: DataModel) -> String {
    let name = match (int.bits, model) {
        (8, _) => "char",
        (16, _) => "short",
        (32, _) => "int",
        (64, DataModel::Lp64) => "long",
        (64, DataModel::Ilp32) => "long long",
        (128, _) => "__int128",
        (bits, _) => return format!("{bits}-bit integer"),
    };
    match (int.signed, int.bits) {
        (true, 8) => "signed char".to_owned(),
        (true, _) => name.to_owned(),
        (false, _) => format!("unsigned {name}"),
    }
}
