//! Expressions and places, with the parentheses a person would write.

use std::fmt::{self, Formatter, Write as _};

use super::Printer;
use super::convert::{Signed, Truth};
use super::types::{float_constant, int_constant, string_literal, typed_constant};
use crate::expr::{Arith, BinOp, ExprId, ExprKind, PlaceId, PlaceKind, UnOp};
use crate::program::VarKind;
use crate::ty::Type;

/// C's precedence levels; a higher one binds tighter.
const CONDITIONAL: u8 = 2;
const BIT_OR: u8 = 5;
const SHIFT: u8 = 10;
const ADDITIVE: u8 = 11;
const UNARY: u8 = 13;
pub(super) const POSTFIX: u8 = 14;
const PRIMARY: u8 = 15;

fn precedence(op: BinOp) -> u8 {
    match op {
        BinOp::Or => 3,
        BinOp::And => 4,
        BinOp::BitOr => BIT_OR,
        BinOp::BitXor => 6,
        BinOp::BitAnd => 7,
        BinOp::Eq | BinOp::Ne => 8,
        BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge => 9,
        BinOp::Shl | BinOp::Shr => SHIFT,
        BinOp::Add | BinOp::Sub => ADDITIVE,
        BinOp::Mul | BinOp::Div | BinOp::Rem => 12,
    }
}

/// The level an operand must have to stand without parentheses. Stricter than C where people
/// misread it: bit operations, nested comparisons, `&&` inside `||`.
fn operand_level(op: BinOp, child: Option<BinOp>, is_right: bool) -> u8 {
    match op {
        BinOp::Or | BinOp::And if child == Some(op) => precedence(op),
        BinOp::Or | BinOp::And => BIT_OR,
        BinOp::BitAnd | BinOp::BitOr | BinOp::BitXor if child == Some(op) && !is_right => {
            precedence(op)
        }
        BinOp::BitAnd | BinOp::BitOr | BinOp::BitXor | BinOp::Shl | BinOp::Shr => UNARY,
        _ if op.is_comparison() => SHIFT,
        _ => precedence(op) + u8::from(is_right),
    }
}

impl Printer<'_> {
    /// Prints an expression, in parentheses if it binds less tightly than `min`.
    pub(super) fn expr(&self, f: &mut Formatter<'_>, id: ExprId, min: u8) -> fmt::Result {
        self.signed(f, id.into(), min)
    }

    fn signed(&self, f: &mut Formatter<'_>, signed: Signed, min: u8) -> fmt::Result {
        let truth = self.truth(signed);
        if self.level(truth) >= min {
            return self.bare(f, truth);
        }
        f.write_char('(')?;
        self.bare(f, truth)?;
        f.write_char(')')
    }

    /// Prints an operand; a constant with its suffix if `is_typed`.
    fn operand(&self, f: &mut Formatter<'_>, id: ExprId, min: u8, is_typed: bool) -> fmt::Result {
        let expr = &self.program.exprs[id];
        match expr.kind {
            ExprKind::Int(value) if is_typed => {
                let text = typed_constant(value, expr.ty, self.program.types.model);
                let is_bare = text.starts_with(|c: char| c.is_ascii_digit()) || min <= UNARY;
                f.write_str(&if is_bare { text } else { format!("({text})") })
            }
            _ => self.expr(f, id, min),
        }
    }

    fn level(&self, truth: Truth) -> u8 {
        let id = match truth {
            Truth::Not(_) => return UNARY,
            Truth::Compare(op, ..) | Truth::Lazy(op, ..) => return precedence(op),
            Truth::Plain(id) => id,
        };
        let exprs = &self.program.exprs;
        match exprs[id].kind {
            ExprKind::Int(value) if value < 0 => UNARY,
            ExprKind::Float(bits) if f64::from_bits(bits).is_sign_negative() => UNARY,
            ExprKind::Load(place) => self.place_level(place),
            ExprKind::AddrOf(place) => match self.address(place) {
                Address::Value(pointer) => self.level(self.truth(pointer.into())),
                Address::Array(array) => self.place_level(array),
                Address::Of(_) => UNARY,
            },
            ExprKind::Unary(..) | ExprKind::Cast(_) => UNARY,
            ExprKind::Binary(op, ..) => precedence(op),
            ExprKind::Ite(..) => CONDITIONAL,
            ExprKind::PtrAdd(..) | ExprKind::PtrDiff(..) => ADDITIVE,
            ExprKind::Zero | ExprKind::Overflows(..) => POSTFIX,
            _ => PRIMARY,
        }
    }

    fn bare(&self, f: &mut Formatter<'_>, truth: Truth) -> fmt::Result {
        let id = match truth {
            Truth::Not(inner) => {
                f.write_char('!')?;
                return self.expr(f, inner, UNARY);
            }
            Truth::Compare(op, a, b) => return self.binary(f, op, a, b, None),
            Truth::Lazy(op, a, b) => return self.lazy_binary(f, op, a, b),
            Truth::Plain(id) => id,
        };
        let expr = &self.program.exprs[id];
        match expr.kind {
            ExprKind::Int(value) => f.write_str(&int_constant(value, expr.ty)),
            ExprKind::Float(bits) => f.write_str(&float_constant(bits, expr.ty)),
            ExprKind::Null => f.write_str("NULL"),
            ExprKind::Zero => f.write_str("{0}"),
            ExprKind::Str(id) => f.write_str(&string_literal(&self.program.strings[id])),
            ExprKind::Function(proc) => f.write_str(&self.program.procs[proc].name),
            ExprKind::Load(place) => self.place(f, place, 0),
            ExprKind::AddrOf(place) => self.address_of(f, place),
            ExprKind::Unary(op, operand) => self.unary(f, op, operand, expr.ty),
            ExprKind::Binary(op, a, b) => self.binary(f, op, a, b, Some(expr.ty)),
            ExprKind::Overflows(op, a, b, ty) => {
                f.write_str("overflows(")?;
                self.binary(f, arith(op), a, b, Some(Type::Int(ty)))?;
                match self.is_exact() || self.program.exprs[a].ty != Type::Int(ty) {
                    true => write!(f, ", {})", self.program.show_type(Type::Int(ty))),
                    false => f.write_char(')'),
                }
            }
            ExprKind::Cast(operand) => {
                write!(f, "({})", self.program.show_type(expr.ty))?;
                self.expr(f, operand, UNARY)
            }
            ExprKind::Ite(condition, a, b) => {
                let (a, b, is_typed) = self.operands(a, b, expr.ty);
                self.expr(f, condition, CONDITIONAL + 1)?;
                f.write_str(" ? ")?;
                self.operand(f, a, CONDITIONAL + 1, is_typed)?;
                f.write_str(" : ")?;
                self.operand(f, b, CONDITIONAL, is_typed)
            }
            ExprKind::PtrAdd(pointer, offset) => self.pointer_sum(f, pointer, offset),
            ExprKind::PtrDiff(a, b) => {
                self.expr(f, a, ADDITIVE)?;
                f.write_str(" - ")?;
                self.expr(f, b, ADDITIVE + 1)
            }
        }
    }

    fn unary(&self, f: &mut Formatter<'_>, op: UnOp, operand: ExprId, ty: Type) -> fmt::Result {
        let (operand, is_typed) = match op {
            UnOp::Not => (operand, false),
            _ => self.promoted(operand, ty),
        };
        f.write_str(match op {
            UnOp::Neg => "-",
            UnOp::BitNot => "~",
            UnOp::Not => "!",
        })?;
        // `- -1`, `-(-x)`: two minus signs must not meet.
        let is_negative = match self.program.exprs[operand].kind {
            ExprKind::Unary(UnOp::Neg, _) => true,
            ExprKind::Int(value) => value < 0,
            ExprKind::Float(bits) => f64::from_bits(bits).is_sign_negative(),
            _ => false,
        };
        let min = if op == UnOp::Neg && is_negative { PRIMARY } else { UNARY };
        self.operand(f, operand, min, is_typed)
    }

    /// `ty` is the type of an arithmetic operation; a comparison is in the type of its operands.
    fn binary(
        &self,
        f: &mut Formatter<'_>,
        op: BinOp,
        a: ExprId,
        b: ExprId,
        ty: Option<Type>,
    ) -> fmt::Result {
        let left_type = self.program.exprs[a].ty;
        let (a, b, is_typed) = match op {
            BinOp::And | BinOp::Or => (a, b, false),
            BinOp::Shl | BinOp::Shr => {
                let (a, is_typed) = self.promoted(a, left_type);
                (a, self.valued(b), is_typed)
            }
            _ if op.is_comparison() => self.operands(a, b, left_type),
            _ => self.operands(a, b, ty.unwrap_or(left_type)),
        };
        let is_shift = matches!(op, BinOp::Shl | BinOp::Shr);
        self.operand(f, a, operand_level(op, self.operator_of(a.into()), false), is_typed)?;
        write!(f, " {} ", op.symbol())?;
        self.operand(
            f,
            b,
            operand_level(op, self.operator_of(b.into()), true),
            is_typed && !is_shift,
        )
    }

    fn lazy_binary(&self, f: &mut Formatter<'_>, op: BinOp, a: Signed, b: Signed) -> fmt::Result {
        self.signed(f, a, operand_level(op, self.operator_of(a), false))?;
        write!(f, " {} ", op.symbol())?;
        self.signed(f, b, operand_level(op, self.operator_of(b), true))
    }

    fn operator_of(&self, signed: Signed) -> Option<BinOp> {
        match self.truth(signed) {
            Truth::Compare(op, ..) | Truth::Lazy(op, ..) => Some(op),
            Truth::Not(_) => None,
            Truth::Plain(id) => match self.program.exprs[id].kind {
                ExprKind::Binary(op, ..) => Some(op),
                _ => None,
            },
        }
    }

    fn pointer_sum(&self, f: &mut Formatter<'_>, pointer: ExprId, offset: ExprId) -> fmt::Result {
        self.expr(f, pointer, ADDITIVE)?;
        let offset = self.valued(offset);
        match self.program.exprs[offset].kind {
            ExprKind::Int(value) if value < 0 => write!(f, " - {}", value.unsigned_abs()),
            _ => {
                f.write_str(" + ")?;
                self.expr(f, offset, ADDITIVE + 1)
            }
        }
    }
}

fn arith(op: Arith) -> BinOp {
    match op {
        Arith::Add => BinOp::Add,
        Arith::Sub => BinOp::Sub,
        Arith::Mul => BinOp::Mul,
        Arith::Div => BinOp::Div,
    }
}

/// The ways to write an address.
enum Address {
    /// `&*p` is `p`.
    Value(ExprId),
    /// `&a[0]` is `a`.
    Array(PlaceId),
    Of(PlaceId),
}

/// The ways to write what a pointer points to.
enum Target {
    /// `*&x` is `x`.
    Place(PlaceId),
    /// `*(p + i)` is `p[i]`.
    Element(ExprId, ExprId),
    /// `*p`.
    Of(ExprId),
    /// `*(T *)p`: the pointer's own type is another.
    Cast(ExprId),
}

impl Printer<'_> {
    fn address(&self, place: PlaceId) -> Address {
        match self.program.places[place].kind {
            PlaceKind::Deref(pointer) if !self.is_exact() => match self.target(place, pointer) {
                Target::Of(pointer) => Address::Value(pointer),
                _ => Address::Of(place),
            },
            PlaceKind::Index(array, index) if self.is_first(index) && !self.is_exact() => {
                Address::Array(array)
            }
            _ => Address::Of(place),
        }
    }

    fn is_first(&self, index: ExprId) -> bool {
        matches!(self.program.exprs[index].kind, ExprKind::Int(0))
    }

    fn target(&self, place: PlaceId, pointer: ExprId) -> Target {
        let expr = &self.program.exprs[pointer];
        let ty = self.program.places[place].ty;
        if self.program.types.inner(expr.ty) != Some(ty) {
            return Target::Cast(pointer);
        }
        match expr.kind {
            _ if self.is_exact() => Target::Of(pointer),
            ExprKind::AddrOf(inner) if self.program.places[inner].ty == ty => Target::Place(inner),
            ExprKind::PtrAdd(base, offset) => Target::Element(base, self.valued(offset)),
            _ => Target::Of(pointer),
        }
    }

    fn address_of(&self, f: &mut Formatter<'_>, place: PlaceId) -> fmt::Result {
        match self.address(place) {
            Address::Value(pointer) => self.expr(f, pointer, 0),
            Address::Array(array) => self.place(f, array, 0),
            Address::Of(place) if self.is_literal(place) => self.place(f, place, 0),
            Address::Of(place) => {
                f.write_char('&')?;
                self.place(f, place, UNARY)
            }
        }
    }

    /// A string literal is its own address.
    fn is_literal(&self, place: PlaceId) -> bool {
        match self.program.places[place].kind {
            PlaceKind::Var(var) => self.program.vars[var].kind == VarKind::Literal,
            _ => false,
        }
    }

    fn place_level(&self, id: PlaceId) -> u8 {
        match self.program.places[id].kind {
            PlaceKind::Var(_) => PRIMARY,
            PlaceKind::Deref(pointer) => match self.target(id, pointer) {
                Target::Place(inner) => self.place_level(inner),
                Target::Element(..) => POSTFIX,
                Target::Of(_) | Target::Cast(_) => UNARY,
            },
            PlaceKind::Index(..) | PlaceKind::Field(..) => POSTFIX,
        }
    }

    /// Prints a place, in parentheses if it binds less tightly than `min`.
    pub(super) fn place(&self, f: &mut Formatter<'_>, id: PlaceId, min: u8) -> fmt::Result {
        if self.place_level(id) >= min {
            return self.bare_place(f, id);
        }
        f.write_char('(')?;
        self.bare_place(f, id)?;
        f.write_char(')')
    }

    fn bare_place(&self, f: &mut Formatter<'_>, id: PlaceId) -> fmt::Result {
        let place = &self.program.places[id];
        match place.kind {
            PlaceKind::Var(var) => f.write_str(&self.var(var)),
            PlaceKind::Deref(pointer) => match self.target(id, pointer) {
                Target::Place(inner) => self.place(f, inner, 0),
                Target::Element(base, index) => {
                    self.element(f, |f| self.expr(f, base, POSTFIX), index)
                }
                Target::Of(pointer) => {
                    f.write_char('*')?;
                    self.expr(f, pointer, UNARY)
                }
                Target::Cast(pointer) => {
                    let ty = self.program.types.declare(place.ty, "*");
                    write!(f, "*({ty})")?;
                    self.expr(f, pointer, UNARY)
                }
            },
            PlaceKind::Index(array, index) => {
                let index = self.valued(index);
                self.element(f, |f| self.place(f, array, POSTFIX), index)
            }
            PlaceKind::Field(base, number) => self.field(f, base, number),
        }
    }

    fn element(
        &self,
        f: &mut Formatter<'_>,
        array: impl Fn(&mut Formatter<'_>) -> fmt::Result,
        index: ExprId,
    ) -> fmt::Result {
        array(f)?;
        f.write_char('[')?;
        self.expr(f, index, 0)?;
        f.write_char(']')
    }

    /// `s.f`, `p->f`; the members of an anonymous member belong to the record itself.
    fn field(&self, f: &mut Formatter<'_>, base: PlaceId, number: u32) -> fmt::Result {
        let name = match self.program.places[base].ty {
            Type::Record(id) => self.program.types.records[id]
                .fields
                .get(number as usize)
                .map(|f| f.name.as_deref()),
            _ => None,
        };
        let separator = match self.program.places[base].kind {
            PlaceKind::Deref(pointer) => match self.target(base, pointer) {
                Target::Of(pointer) => {
                    self.expr(f, pointer, POSTFIX)?;
                    "->"
                }
                _ => {
                    self.place(f, base, POSTFIX)?;
                    "."
                }
            },
            PlaceKind::Field(outer, n) if self.is_anonymous(outer, n) => {
                // The base has printed its own separator and nothing more.
                self.field(f, outer, n)?;
                ""
            }
            _ => {
                self.place(f, base, POSTFIX)?;
                "."
            }
        };
        match name {
            Some(Some(name)) => write!(f, "{separator}{name}"),
            Some(None) => f.write_str(separator),
            None => write!(f, "{separator}#{number}"),
        }
    }

    fn is_anonymous(&self, base: PlaceId, number: u32) -> bool {
        match self.program.places[base].ty {
            Type::Record(id) => {
                let fields = &self.program.types.records[id].fields;
                fields.get(number as usize).is_some_and(|f| f.name.is_none())
            }
            _ => false,
        }
    }
}
