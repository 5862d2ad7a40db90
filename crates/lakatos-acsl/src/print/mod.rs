//! The tree as text. What is printed is read again as the same tree: parentheses stand where they
//! are needed, and where a reader would have to think.

mod spec;
mod types;

use std::fmt;

use crate::syntax::{Expr, ExprKind, Infix, Level, Name, Unary, Variable};

/// How tightly a node holds together.
fn level(kind: &ExprKind) -> Level {
    match kind {
        ExprKind::Unary(..)
        | ExprKind::Cast(..)
        | ExprKind::SizeOf(_)
        | ExprKind::SizeOfType(_) => Level::Unary,
        ExprKind::Infix { rest, .. } => rest.first().map_or(Level::Postfix, |(op, _)| op.level()),
        ExprKind::Implies(..) => Level::Implies,
        ExprKind::BitImplies(..) => Level::BitImplies,
        ExprKind::Cond(..)
        | ExprKind::Bind { .. }
        | ExprKind::Let { .. }
        | ExprKind::Named(..)
        | ExprKind::Range(..) => Level::Lowest,
        _ => Level::Postfix,
    }
}

/// Tighter than a level.
fn above(limit: Level) -> impl Fn(Level) -> bool {
    move |level| level > limit
}

/// As tight as a level.
fn from(limit: Level) -> impl Fn(Level) -> bool {
    move |level| level >= limit
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            ExprKind::Range(..) => write_range(f, self, true),
            _ => write_kind(f, &self.kind),
        }
    }
}

fn operand(f: &mut fmt::Formatter<'_>, e: &Expr, fits: impl Fn(Level) -> bool) -> fmt::Result {
    match e.kind {
        ExprKind::Range(..) => write_range(f, e, true),
        _ if fits(level(&e.kind)) => write_kind(f, &e.kind),
        _ => {
            f.write_str("(")?;
            write_kind(f, &e.kind)?;
            f.write_str(")")
        }
    }
}

fn write_range(f: &mut fmt::Formatter<'_>, e: &Expr, parentheses: bool) -> fmt::Result {
    let ExprKind::Range(low, high) = &e.kind else { return write!(f, "{e}") };
    if parentheses {
        f.write_str("(")?;
    }
    if let Some(low) = low {
        operand(f, low, above(Level::Lowest))?;
        f.write_str(" ")?;
    }
    f.write_str("..")?;
    if let Some(high) = high {
        f.write_str(" ")?;
        operand(f, high, above(Level::Lowest))?;
    }
    f.write_str(if parentheses { ")" } else { "" })
}

fn write_kind(f: &mut fmt::Formatter<'_>, kind: &ExprKind) -> fmt::Result {
    match kind {
        ExprKind::Int(text)
        | ExprKind::Real(text)
        | ExprKind::Char(text)
        | ExprKind::Name(text) => f.write_str(text),
        ExprKind::Constant(constant) => f.write_str(constant.text()),
        ExprKind::Old(e) => write!(f, "\\old({e})"),
        ExprKind::At(e, label) => write!(f, "\\at({e}, {})", label.node),
        ExprKind::Call { function, labels, args } => {
            f.write_str(&function.node)?;
            write_labels(f, labels)?;
            if args.is_empty() {
                return Ok(());
            }
            f.write_str("(")?;
            list(f, args, |f, e| write!(f, "{e}"))?;
            f.write_str(")")
        }
        ExprKind::Index(base, index) => {
            operand(f, base, from(Level::Postfix))?;
            f.write_str("[")?;
            write_range(f, index, false)?;
            f.write_str("]")
        }
        ExprKind::Field(base, name) => {
            // `1.x` would be a number.
            let number = matches!(base.kind, ExprKind::Int(_) | ExprKind::Real(_));
            operand(f, base, |level| level >= Level::Postfix && !number)?;
            write!(f, ".{}", name.node)
        }
        ExprKind::Arrow(base, name) => {
            operand(f, base, from(Level::Postfix))?;
            write!(f, "->{}", name.node)
        }
        ExprKind::Unary(op, e) => write_unary(f, *op, e),
        ExprKind::Cast(ty, e) => {
            write!(f, "({ty})")?;
            operand(f, e, from(Level::Unary))
        }
        ExprKind::SizeOfType(ty) => write!(f, "sizeof({ty})"),
        ExprKind::SizeOf(e) => write!(f, "sizeof({e})"),
        ExprKind::Range(..) => Ok(()),
        _ => write_connective(f, kind),
    }
}

fn write_unary(f: &mut fmt::Formatter<'_>, op: Unary, e: &Expr) -> fmt::Result {
    f.write_str(op.text())?;
    // `--x` and `&&x` would be read as other signs.
    let twice = matches!(&e.kind, ExprKind::Unary(inner, _) if inner.text() == op.text());
    match twice && matches!(op, Unary::Plus | Unary::Neg | Unary::AddressOf) {
        true => write!(f, "({e})"),
        false => operand(f, e, from(Level::Unary)),
    }
}

/// What stands between operands, and what binds variables.
fn write_connective(f: &mut fmt::Formatter<'_>, kind: &ExprKind) -> fmt::Result {
    match kind {
        ExprKind::Infix { first, rest } => {
            write_infix_operand(f, first, level(kind))?;
            for (op, e) in rest {
                write!(f, " {} ", op.text())?;
                write_infix_operand(f, e, level(kind))?;
            }
            Ok(())
        }
        ExprKind::Implies(a, b) => {
            operand(f, a, above(Level::Implies))?;
            f.write_str(" ==> ")?;
            operand(f, b, from(Level::Implies))
        }
        ExprKind::BitImplies(a, b) => {
            operand(f, a, above(Level::BitImplies))?;
            f.write_str(" --> ")?;
            operand(f, b, from(Level::BitImplies))
        }
        ExprKind::Cond(c, yes, no) => {
            operand(f, c, above(Level::Lowest))?;
            f.write_str(" ? ")?;
            operand(f, yes, above(Level::Lowest))?;
            f.write_str(" : ")?;
            match no.kind {
                ExprKind::Cond(..) => write!(f, "{no}"),
                _ => operand(f, no, above(Level::Lowest)),
            }
        }
        ExprKind::Bind { binder, variables, body } => {
            write!(f, "{} ", binder.text())?;
            write_variables(f, variables)?;
            write!(f, "; {body}")
        }
        ExprKind::Let { name, value, body } => {
            write!(f, "\\let {} = {value}; {body}", name.node)
        }
        ExprKind::Named(name, body) => write!(f, "{}: {body}", name.node),
        _ => Ok(()),
    }
}

fn write_infix_operand(f: &mut fmt::Formatter<'_>, e: &Expr, outer: Level) -> fmt::Result {
    // Who knows whether `&&` or `||` binds tighter, or where a comparison stands among bits?
    let confusing = match &e.kind {
        ExprKind::Infix { rest, .. } => rest.first().is_some_and(|(op, _)| {
            matches!(
                (outer, op),
                (Level::Or | Level::Xor, Infix::And | Infix::Xor)
                    | (Level::BitOr | Level::BitXor | Level::BitAnd, _)
            )
        }),
        _ => false,
    };
    operand(f, e, |level| level > outer && !confusing)
}

pub(crate) fn write_labels(f: &mut fmt::Formatter<'_>, labels: &[Name]) -> fmt::Result {
    if labels.is_empty() {
        return Ok(());
    }
    f.write_str("{")?;
    list(f, labels, |f, label| f.write_str(&label.node))?;
    f.write_str("}")
}

/// Every variable with its type.
pub(crate) fn write_variables(f: &mut fmt::Formatter<'_>, all: &[Variable]) -> fmt::Result {
    list(f, all, |f, v| types::write_declaration(f, &v.ty.node, &v.name.node))
}

pub(crate) fn list<T>(
    f: &mut fmt::Formatter<'_>,
    items: &[T],
    mut one: impl FnMut(&mut fmt::Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    for (number, item) in items.iter().enumerate() {
        if number > 0 {
            f.write_str(", ")?;
        }
        one(f, item)?;
    }
    Ok(())
}
