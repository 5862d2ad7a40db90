//! Comparisons, also in chains.

use lakatos_ir::Span;

use super::Checker;
use super::convert::{coerced, is_zero};
use super::term::{pred_of, truth};
use crate::lexer::Res;
use crate::parse::{error, error_help, unsupported};
use crate::syntax::{Expr, Infix};
use crate::tree::{Comparison, Pred, PredKind, Term};
use crate::types::{CType, Type};

fn comparison(op: Infix) -> Comparison {
    match op {
        Infix::Lt => Comparison::Lt,
        Infix::Le => Comparison::Le,
        Infix::Gt => Comparison::Gt,
        Infix::Ge => Comparison::Ge,
        Infix::Ne => Comparison::Ne,
        _ => Comparison::Eq,
    }
}

impl Checker<'_> {
    pub(super) fn compare(
        &mut self,
        first: &Expr,
        rest: &[(Infix, Expr)],
        span: Span,
    ) -> Res<Pred> {
        if self.is_c() && rest.len() > 1 {
            return error_help(
                span,
                "a chain of comparisons means something else in C",
                "join comparisons with `&&`, or let the format be `acsl_expression`",
            );
        }
        let ops: Vec<Comparison> = rest.iter().map(|(op, _)| comparison(*op)).collect();
        let mut terms = vec![self.term(first)?];
        for (_, e) in rest {
            terms.push(self.term(e)?);
        }
        let terms = self.comparable(terms, &ops)?;
        let mut terms = terms.into_iter();
        let Some(first) = terms.next() else { return error(span, "an operand is missing") };
        let rest = ops.into_iter().zip(terms).collect();
        Ok(pred_of(PredKind::Compare { first: first.into(), rest }, span))
    }

    /// All of them in one type.
    fn comparable(&mut self, terms: Vec<Term>, ops: &[Comparison]) -> Res<Vec<Term>> {
        if let Some(set) = terms.iter().find(|t| matches!(t.ty, Type::Set(_))) {
            return unsupported(set.span, "comparisons of sets");
        }
        let ordered = ops.iter().any(|op| !matches!(op, Comparison::Eq | Comparison::Ne));
        if terms.iter().all(|t| t.ty.is_arithmetic()) {
            let integers = terms.iter().all(|t| t.ty.is_integral());
            let ty = if integers { Type::Integer } else { Type::Real };
            return Ok(terms.into_iter().map(|t| coerced(t, ty.clone())).collect());
        }
        if let Some(boolean) = terms.iter().find(|t| t.ty == Type::Boolean) {
            if ordered {
                return error(boolean.span, "truth values have no order");
            }
            return terms.into_iter().map(|t| self.boolean(t)).collect();
        }
        let is_array = |t: &Term| t.ty.c().is_some_and(|c| c.element().is_some());
        if terms.iter().all(is_array) {
            return unsupported(terms[0].span, "comparisons of whole arrays");
        }
        let like_pointer = |t: &Term| t.ty.is_pointer() || is_array(t) || is_zero(t);
        if terms.iter().all(like_pointer) {
            let terms = terms.into_iter().map(|t| self.decayed(t)).collect::<Res<Vec<_>>>()?;
            let ty = self.common_pointer(&terms.iter().collect::<Vec<_>>())?;
            return Ok(terms.into_iter().map(|t| self.pointer(t, &ty)).collect());
        }
        if terms.iter().all(|t| matches!(t.ty, Type::C(CType::Record(_)))) {
            return unsupported(terms[0].span, "comparisons of whole structs and unions");
        }
        let other = terms.iter().find(|t| t.ty != terms[0].ty).unwrap_or(&terms[0]);
        let message = format!("`{}` cannot be compared with `{}`", terms[0].ty, other.ty);
        error(other.span, message)
    }

    /// A truth value beside another one; a number is true if it is not 0.
    fn boolean(&mut self, term: Term) -> Res<Term> {
        match term.ty == Type::Boolean || term.ty.is_integral() {
            true => self.holds(term).map(truth),
            false => {
                let message = format!("a truth value is expected, and this is `{}`", term.ty);
                error(term.span, message)
            }
        }
    }
}
