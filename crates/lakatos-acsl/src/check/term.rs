//! Terms and predicates: names, constants, binders.

use dashu_int::IBig;
use lakatos_ir::Span;

use super::{Checker, Language, Value};
use crate::env::Entity;
use crate::lexer::Res;
use crate::literal;
use crate::parse::{error, error_help, unsupported};
use crate::syntax::{self, Binder, Constant, Expr, ExprKind, Name, Unary};
use crate::tree::{Label, Place, PlaceKind, Pred, PredKind, Term, TermKind, Variable};
use crate::types::{CType, Type};

/// Words of ACSL that are no functions, and that Lakatos has no meaning for.
const FOREIGN: [&str; 3] = ["\\empty", "\\exit_status", "\\pi"];

pub(super) fn term_of(kind: TermKind, ty: Type, span: Span) -> Term {
    Term { kind, ty, span }
}

pub(super) fn pred_of(kind: PredKind, span: Span) -> Pred {
    Pred { kind, span }
}

impl Checker<'_> {
    pub(crate) fn term(&mut self, e: &Expr) -> Res<Term> {
        Ok(match self.value(e)? {
            Value::Term(term) => term,
            Value::Pred(pred) => truth(pred),
        })
    }

    pub(crate) fn pred(&mut self, e: &Expr) -> Res<Pred> {
        match self.value(e)? {
            Value::Pred(pred) => Ok(pred),
            Value::Term(term) => self.holds(term),
        }
    }

    pub(super) fn value(&mut self, e: &Expr) -> Res<Value> {
        let span = e.span;
        match &e.kind {
            ExprKind::Int(text) => self.integer_constant(literal::integer(text), span),
            ExprKind::Char(text) => self.integer_constant(literal::character(text), span),
            ExprKind::Real(text) => {
                Ok(Value::Term(term_of(TermKind::Real(text.clone()), Type::Real, span)))
            }
            ExprKind::Name(name) => self.name(name, span),
            ExprKind::Constant(constant) => self.constant(*constant, span),
            ExprKind::Old(inner) => self.old(inner, span),
            ExprKind::At(inner, label) => {
                let label = self.label(label)?;
                self.at_label(inner, label, span)
            }
            ExprKind::Call { function, labels, args } => self.call(function, labels, args, span),
            ExprKind::Index(..)
            | ExprKind::Field(..)
            | ExprKind::Arrow(..)
            | ExprKind::Unary(Unary::Deref, _) => {
                let place = self.place(e)?;
                self.load(place).map(Value::Term)
            }
            ExprKind::Unary(op, inner) => self.unary(*op, inner, span),
            ExprKind::Infix { first, rest } => self.infix(first, rest, span),
            ExprKind::Implies(a, b) => {
                let (a, b) = (self.pred(a)?, self.pred(b)?);
                Ok(Value::Pred(pred_of(PredKind::Implies(a.into(), b.into()), span)))
            }
            ExprKind::BitImplies(a, b) => self.bit_implies(a, b, span).map(Value::Term),
            ExprKind::Cond(condition, yes, no) => self.cond(condition, yes, no, span),
            ExprKind::Cast(ty, inner) => self.cast(ty, inner, span).map(value_of),
            ExprKind::SizeOfType(ty) => {
                let ty = self.ty(ty)?;
                self.size_of(&ty, span)
            }
            ExprKind::SizeOf(inner) => {
                let ty = self.term(inner)?.ty;
                self.size_of(&ty, span)
            }
            ExprKind::Range(low, high) => self.range(low.as_deref(), high.as_deref(), span),
            ExprKind::Bind { binder, variables, body } => {
                self.quantifier(*binder, variables, body, span)
            }
            ExprKind::Let { name, value, body } => self.let_(name, value, body, span),
            ExprKind::Named(name, body) => {
                let body = self.pred(body)?;
                Ok(Value::Pred(pred_of(PredKind::Named(name.clone(), body.into()), span)))
            }
        }
    }

    fn integer_constant(&self, value: Result<IBig, String>, span: Span) -> Res<Value> {
        match value {
            // Constants are not negative; the value of a character may be.
            Ok(value) if value < IBig::ZERO => {
                let kind = TermKind::Neg(integer_term(-value, span).into());
                Ok(Value::Term(term_of(kind, Type::Integer, span)))
            }
            Ok(value) => Ok(Value::Term(integer_term(value, span))),
            Err(message) => error(span, message),
        }
    }

    fn constant(&mut self, constant: Constant, span: Span) -> Res<Value> {
        match constant {
            Constant::True => Ok(Value::Pred(pred_of(PredKind::True, span))),
            Constant::False => Ok(Value::Pred(pred_of(PredKind::False, span))),
            Constant::Null => {
                let ty = Type::pointer_to(CType::Void);
                Ok(Value::Term(term_of(TermKind::Null, ty, span)))
            }
            Constant::Result => {
                let place = self.result_place(span)?;
                self.load(place).map(Value::Term)
            }
        }
    }

    pub(super) fn result_place(&self, span: Span) -> Res<Place> {
        match &self.result {
            Some(ty) => Ok(Place { kind: PlaceKind::Result, ty: Type::C(ty.clone()), span }),
            None => error_help(
                span,
                "`\\result` has no meaning here",
                "it is what a function returns, in its `ensures`",
            ),
        }
    }

    /// A bound variable, a name of the program, or a constant of the logic.
    fn name(&mut self, name: &str, span: Span) -> Res<Value> {
        if let Some(variable) = self.bound(name).cloned() {
            let ty = variable.ty.clone();
            return Ok(Value::Term(term_of(TermKind::Variable(variable), ty, span)));
        }
        let logic = self.signature(name);
        match self.env.name(name) {
            Some(_) if logic.is_some() => error_help(
                span,
                format!("`{name}` is a name of the program and of the logic"),
                "give one of them another name",
            ),
            Some(Entity::Variable(variable)) => {
                let place = self.variable(variable, span)?;
                self.load(place).map(Value::Term)
            }
            Some(Entity::Enumerator { value, .. }) => {
                let kind = TermKind::Enumerator(name.to_owned(), value);
                Ok(Value::Term(term_of(kind, Type::Integer, span)))
            }
            Some(Entity::Function) => unsupported(span, "functions of the program as values"),
            Some(Entity::Typedef(_)) => error(span, format!("`{name}` is a type, not a value")),
            None if logic.is_some() => {
                let name = Name::new(name.to_owned(), span);
                self.call(&name, &[], &[], span)
            }
            None if self.theory.is_left_out(name) => {
                self.left_out(&Name::new(name.to_owned(), span))
            }
            None if FOREIGN.contains(&name) => unsupported(span, format!("`{name}`")),
            None if name.starts_with('\\') => error(span, format!("`{name}` is no word of ACSL")),
            None => error(span, format!("`{name}` is not declared")),
        }
    }

    #[inline(never)]
    fn old(&mut self, inner: &Expr, span: Span) -> Res<Value> {
        match self.has_old {
            true => self.at_label(inner, Label::Old, span),
            false => error_help(
                span,
                "`\\old` has no meaning here",
                "it stands in `ensures`; elsewhere there is `\\at(…, Pre)`",
            ),
        }
    }

    #[inline(never)]
    fn at_label(&mut self, inner: &Expr, label: Label, span: Span) -> Res<Value> {
        Ok(match self.in_state(label.clone(), |c| c.value(inner))? {
            Value::Term(term) => {
                let ty = term.ty.clone();
                Value::Term(term_of(TermKind::At(term.into(), label), ty, span))
            }
            Value::Pred(pred) => Value::Pred(pred_of(PredKind::At(pred.into(), label), span)),
        })
    }

    /// The value of a place in the current state.
    pub(super) fn load(&mut self, place: Place) -> Res<Term> {
        let (ty, span) = (place.ty.clone(), place.span);
        if let PlaceKind::Value(term) = place.kind {
            return Ok(*term);
        }
        // `\result` and parts of values are in no memory.
        if place.is_memory() {
            self.state(span)?;
        }
        Ok(term_of(TermKind::Load(place.into()), ty, span))
    }

    #[inline(never)]
    fn cond(&mut self, condition: &Expr, yes: &Expr, no: &Expr, span: Span) -> Res<Value> {
        let condition = self.pred(condition)?;
        match (self.value(yes)?, self.value(no)?) {
            (Value::Term(yes), Value::Term(no)) => {
                let (yes, no) = self.unify(yes, no)?;
                let ty = yes.ty.clone();
                let kind = TermKind::Cond(condition.into(), yes.into(), no.into());
                Ok(Value::Term(term_of(kind, ty, span)))
            }
            (yes, no) => {
                let (yes, no) = (self.condition(yes)?, self.condition(no)?);
                let kind = PredKind::Cond(condition.into(), yes.into(), no.into());
                Ok(Value::Pred(pred_of(kind, span)))
            }
        }
    }

    pub(super) fn condition(&mut self, value: Value) -> Res<Pred> {
        match value {
            Value::Pred(pred) => Ok(pred),
            Value::Term(term) => self.holds(term),
        }
    }

    fn range(&mut self, low: Option<&Expr>, high: Option<&Expr>, span: Span) -> Res<Value> {
        let mut end = |e: Option<&Expr>| -> Res<Option<Box<Term>>> {
            let Some(e) = e else { return Ok(None) };
            let term = self.term(e)?;
            Ok(Some(self.integer(term)?.into()))
        };
        let (low, high) = (end(low)?, end(high)?);
        let ty = Type::Set(Type::Integer.into());
        Ok(Value::Term(term_of(TermKind::Range(low, high), ty, span)))
    }

    #[inline(never)]
    fn quantifier(
        &mut self,
        binder: Binder,
        variables: &[syntax::Variable],
        body: &Expr,
        span: Span,
    ) -> Res<Value> {
        if binder == Binder::Lambda {
            return unsupported(span, "`\\lambda` outside of `\\sum` and the like");
        }
        self.scoped(|c| {
            let variables = c.variables(variables)?;
            let body = c.pred(body)?.into();
            let kind = match binder {
                Binder::Exists => PredKind::Exists(variables, body),
                _ => PredKind::Forall(variables, body),
            };
            Ok(Value::Pred(pred_of(kind, span)))
        })
    }

    /// Binds variables; no two of one list have the same name.
    pub(super) fn variables(&mut self, all: &[syntax::Variable]) -> Res<Vec<Variable>> {
        let mut bound: Vec<Variable> = Vec::new();
        for variable in all {
            let name = &variable.name;
            if bound.iter().any(|other| other.name == name.node) {
                return error(name.span, format!("a second variable `{}`", name.node));
            }
            let ty = self.ty(&variable.ty)?;
            match ty {
                Type::C(CType::Void) => {
                    return error(variable.ty.span, "a variable cannot have the type `void`");
                }
                Type::C(CType::Array(..)) => {
                    return unsupported(variable.ty.span, "variables of an array type");
                }
                Type::C(CType::Record(_)) => {
                    return unsupported(variable.ty.span, "variables of a struct or union type");
                }
                _ => {}
            }
            bound.push(self.bind(&name.node, ty));
        }
        Ok(bound)
    }

    #[inline(never)]
    fn let_(&mut self, name: &Name, value: &Expr, body: &Expr, span: Span) -> Res<Value> {
        let value = self.term(value)?;
        if let Type::Set(_) = value.ty {
            return unsupported(value.span, "names for sets");
        }
        let value = self.decayed(value)?;
        self.scoped(|c| {
            let variable = c.bind(&name.node, value.ty.clone());
            let value = value.into();
            Ok(match c.value(body)? {
                Value::Term(body) => {
                    let ty = body.ty.clone();
                    let kind = TermKind::Let { variable, value, body: body.into() };
                    Value::Term(term_of(kind, ty, span))
                }
                Value::Pred(body) => {
                    let kind = PredKind::Let { variable, value, body: body.into() };
                    Value::Pred(pred_of(kind, span))
                }
            })
        })
    }

    pub(super) fn is_c(&self) -> bool {
        self.language == Language::CExpression
    }
}

/// A truth value that is a predicate is one.
fn value_of(term: Term) -> Value {
    match term.kind {
        TermKind::Truth(pred) => Value::Pred(*pred),
        kind => Value::Term(Term { kind, ..term }),
    }
}

/// A predicate as a term.
pub(super) fn truth(pred: Pred) -> Term {
    let span = pred.span;
    match pred.kind {
        PredKind::Holds(term) => *term,
        _ => term_of(TermKind::Truth(pred.into()), Type::Boolean, span),
    }
}

pub(super) fn integer_term(value: IBig, span: Span) -> Term {
    term_of(TermKind::Int(value), Type::Integer, span)
}
