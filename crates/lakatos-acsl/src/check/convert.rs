//! Conversions: those that nobody writes, and casts.

use dashu_int::IBig;
use lakatos_c::types::FloatKind;

use lakatos_ir::Span;

use super::Checker;
use super::place::single;
use super::term::{integer_term, pred_of, term_of, truth};
use crate::env::{includes, size};
use crate::lexer::Res;
use crate::parse::{error, error_help, unsupported};
use crate::syntax::{Expr, TypeExpr};
use crate::tree::{Comparison, Pred, PredKind, Term, TermKind};
use crate::types::{CType, Type};

/// The same value in another type.
pub(super) fn coerced(term: Term, ty: Type) -> Term {
    if term.ty == ty {
        return term;
    }
    let span = term.span;
    // `\null` is of every pointer type.
    let kind = match term.kind {
        TermKind::Null => TermKind::Null,
        _ => TermKind::Coerce(term.into()),
    };
    term_of(kind, ty, span)
}

fn float_rank(kind: FloatKind) -> u8 {
    match kind {
        FloatKind::Float => 0,
        FloatKind::Double => 1,
        FloatKind::LongDouble => 2,
        FloatKind::Float128 => 3,
    }
}

/// The constant 0, which is also a pointer.
pub(super) fn is_zero(term: &Term) -> bool {
    matches!(&term.kind, TermKind::Int(value) if *value == IBig::ZERO)
}

fn no_set<T>(term: &Term) -> Res<T> {
    unsupported(term.span, "sets of values outside of `\\valid`, `\\separated` and `assigns`")
}

impl Checker<'_> {
    /// A term as a predicate: C's conditions.
    pub(super) fn holds(&mut self, term: Term) -> Res<Pred> {
        let span = term.span;
        let term = self.decayed(term)?;
        let zero = match &term.ty {
            Type::Boolean => {
                return Ok(match term.kind {
                    TermKind::Truth(pred) => *pred,
                    _ => pred_of(PredKind::Holds(term.into()), span),
                });
            }
            ty if ty.is_integral() => integer_term(IBig::ZERO, span),
            ty if ty.is_pointer() => term_of(TermKind::Null, ty.clone(), span),
            Type::Set(_) => return no_set(&term),
            ty => {
                let message = format!("a condition is expected, and this is `{ty}`");
                return error_help(span, message, "compare it with something");
            }
        };
        let term = if term.ty.is_integral() { coerced(term, Type::Integer) } else { term };
        let rest = vec![(Comparison::Ne, zero)];
        Ok(pred_of(PredKind::Compare { first: term.into(), rest }, span))
    }

    /// A term as a mathematical integer.
    pub(super) fn integer(&mut self, term: Term) -> Res<Term> {
        match &term.ty {
            ty if ty.is_integral() => Ok(coerced(term, Type::Integer)),
            Type::Set(_) => no_set(&term),
            ty => {
                let message = format!("an integer is expected, and this is `{ty}`");
                error(term.span, message)
            }
        }
    }

    /// An integer, or a set of them.
    pub(super) fn indices(&mut self, term: Term) -> Res<Term> {
        match &term.ty {
            Type::Set(inner) if **inner == Type::Integer => Ok(term),
            _ => self.integer(term),
        }
    }

    /// An array as a pointer to its first element; other terms as they are.
    pub(super) fn decayed(&mut self, term: Term) -> Res<Term> {
        let (ty, set) = single(&term.ty);
        let Some(element) = ty.c().and_then(CType::element) else { return Ok(term) };
        let pointer = super::place::many(Type::pointer_to(element.clone()), set);
        let span = term.span;
        match term.kind {
            TermKind::Load(place) if place.is_memory() => {
                Ok(term_of(TermKind::Decay(place), pointer, span))
            }
            _ => unsupported(span, "arrays as values"),
        }
    }

    /// Two terms in one type that has the values of both.
    pub(super) fn unify(&mut self, a: Term, b: Term) -> Res<(Term, Term)> {
        let (a, b) = (self.decayed(a)?, self.decayed(b)?);
        if a.ty == b.ty {
            return Ok((a, b));
        }
        if a.ty.is_arithmetic() && b.ty.is_arithmetic() {
            let ty =
                if a.ty.is_integral() && b.ty.is_integral() { Type::Integer } else { Type::Real };
            return Ok((coerced(a, ty.clone()), coerced(b, ty)));
        }
        let pointers = [&a, &b].into_iter().all(|t| t.ty.is_pointer() || is_zero(t));
        if pointers {
            let ty = self.common_pointer(&[&a, &b])?;
            return Ok((self.pointer(a, &ty), self.pointer(b, &ty)));
        }
        let message = format!("this is `{}`, and `{}` stands beside it", b.ty, a.ty);
        error(b.span, message)
    }

    /// The type of pointers that are compared, or are alternatives.
    pub(super) fn common_pointer(&self, all: &[&Term]) -> Res<Type> {
        let known = |t: &&&Term| t.ty.pointee().is_some_and(|inner| *inner != CType::Void);
        let Some(first) = all.iter().find(known) else {
            return Ok(Type::pointer_to(CType::Void));
        };
        let other = all.iter().find(|t| known(t) && t.ty != first.ty);
        if let Some(other) = other {
            let message =
                format!("`{}` and `{}` are pointers of different types", first.ty, other.ty);
            return error_help(other.span, message, "cast one of them");
        }
        // Everything is a pointer to `void` if something is.
        let void = Type::pointer_to(CType::Void);
        let is_void = |t: &&Term| t.ty == void && t.kind != TermKind::Null;
        Ok(if all.iter().any(is_void) { void } else { first.ty.clone() })
    }

    /// A pointer, or 0, as a pointer of a type.
    pub(super) fn pointer(&self, term: Term, ty: &Type) -> Term {
        match is_zero(&term) {
            true => term_of(TermKind::Null, ty.clone(), term.span),
            false => coerced(term, ty.clone()),
        }
    }

    /// A term where a type is expected, which may have more values.
    pub(super) fn expect(&mut self, term: Term, ty: &Type) -> Res<Term> {
        if term.ty == *ty {
            return Ok(term);
        }
        if let Type::Set(_) = term.ty {
            return no_set(&term);
        }
        let term = self.decayed(term)?;
        let fits = match (ty, &term.ty) {
            (Type::Integer, from) => from.is_integral(),
            (Type::Real, from) => from.is_arithmetic(),
            (Type::C(CType::Float(to)), Type::C(CType::Float(from))) => {
                float_rank(*from) <= float_rank(*to)
            }
            (Type::C(CType::Pointer(_)), _) if is_zero(&term) => return Ok(self.pointer(term, ty)),
            (Type::C(CType::Pointer(to)), Type::C(CType::Pointer(from))) => {
                **to == CType::Void || **from == CType::Void
            }
            (Type::C(to), Type::C(from)) => match (to.int_kind(), from.int_kind()) {
                (Some(to), Some(from)) => includes(self.env.model(), to, from),
                _ => false,
            },
            _ => false,
        };
        if fits || term.ty == *ty {
            return Ok(coerced(term, ty.clone()));
        }
        let message = format!("`{ty}` is expected, and this is `{}`", term.ty);
        let castable = ty.is_arithmetic() && term.ty.is_arithmetic() || *ty == Type::Boolean;
        match castable {
            true => error_help(term.span, message, &format!("a cast converts: `({ty})`")),
            false => error(term.span, message),
        }
    }

    #[inline(never)]
    pub(super) fn cast(&mut self, ty: &TypeExpr, inner: &Expr, span: Span) -> Res<Term> {
        let to = self.ty(ty)?;
        let term = self.term(inner)?;
        let term = self.decayed(term)?;
        if let Type::Set(from) = &term.ty {
            let pointers = from.is_pointer() && to.is_pointer();
            return match pointers {
                true => Ok(term_of(TermKind::Cast(term.into()), Type::Set(to.into()), span)),
                false => no_set(&term),
            };
        }
        let number = |ty: &Type| ty.is_arithmetic() || *ty == Type::Boolean;
        let void = Type::C(CType::Void);
        let allowed = match (&to, &term.ty) {
            (to, _) if *to == void => false,
            (to, from) if number(to) && number(from) => {
                // A boolean has no place among the reals.
                !(*from == Type::Boolean && !to.is_integral() && *to != Type::Boolean)
            }
            (to, from) if to.is_pointer() && (from.is_pointer() || from.is_integral()) => true,
            (to, from) => from.is_pointer() && to.is_integral(),
        };
        if !allowed {
            return error(span, format!("`{}` cannot be cast to `{to}`", term.ty));
        }
        if to == term.ty {
            return Ok(Term { span, ..term });
        }
        if to == Type::Boolean {
            return self.holds(term).map(|pred| Term { span, ..truth(pred) });
        }
        if to.is_pointer() && (is_zero(&term) || term.kind == TermKind::Null) {
            return Ok(term_of(TermKind::Null, to, span));
        }
        Ok(term_of(TermKind::Cast(term.into()), to, span))
    }

    pub(super) fn size_of(&mut self, ty: &Type, span: Span) -> Res<super::Value> {
        let Type::C(c) = ty else {
            return error(span, format!("`{ty}` is no type of C, so it has no size"));
        };
        match size(self.env, c) {
            Some(size) => Ok(super::Value::Term(integer_term(size.into(), span))),
            None => error(span, format!("the size of `{ty}` is not known")),
        }
    }
}
