//! Predicates and terms.

use std::collections::BTreeMap;

use lakatos_acsl::env::CVariable;
use lakatos_acsl::tree::{
    Arithmetic, Builtin, Call, Comparison, Label, Pred, PredKind, Term as Acsl, TermKind, Variable,
};
use lakatos_ir::{IntType, Span};
use lakatos_logic::term::{Quantifier, Sort, Symbol, Term};
use rustc_hash::FxHashMap;

use super::place::{Base, Pointer};
use super::{Callee, POINTERS, Res, Shape, Translator, number, refuse};

/// What the names of a declaration mean.
#[derive(Debug, Default)]
pub(super) struct Scope {
    /// The state in which memory is read, if there is no doubt.
    pub label: Option<String>,
    pub bound: BTreeMap<u32, Bound>,
    /// What a pointer points to in a state.
    pub arrays: BTreeMap<(Base, String), Symbol>,
    /// Arrays are variables of a lemma, made where they are met; of a definition they are given.
    pub is_lemma: bool,
    /// The variables of a lemma.
    pub variables: Vec<Symbol>,
    /// Those of them that are arrays.
    pub elements: Vec<(Symbol, IntType)>,
    /// Of a remark: the program's variables that it is about, made where they are met.
    pub program: Option<Vec<(Symbol, CVariable)>>,
}

#[derive(Clone, Debug)]
pub(super) enum Bound {
    Value(Term),
    Pointer(Pointer),
}

impl Scope {
    pub fn new(labels: &[String]) -> Scope {
        let label = match labels {
            [only] => Some(only.clone()),
            _ => None,
        };
        Scope { label, ..Scope::default() }
    }

    /// Of a predicate about a program, where it stands.
    pub fn of_remark() -> Scope {
        let label = Some(Label::Here.name().to_owned());
        Scope { label, is_lemma: true, program: Some(Vec::new()), ..Scope::default() }
    }

    /// Does something in another state.
    pub fn in_state<T>(
        &mut self,
        label: &Label,
        span: Span,
        f: impl FnOnce(&mut Scope) -> Res<T>,
    ) -> Res<T> {
        let label = self.state(label, span)?;
        let outer = self.label.replace(label);
        let result = f(self);
        self.label = outer;
        result
    }

    /// Only labels of the declaration mean something without a program, and with one only where the
    /// remark stands.
    pub fn state(&self, label: &Label, span: Span) -> Res<String> {
        match label {
            Label::Logic(name) => Ok(name.clone()),
            Label::Here if self.program.is_some() => Ok(label.name().to_owned()),
            other => refuse(
                span,
                format!("the label `{}`", other.name()),
                "states are named behind the name of a lemma or function: `{L1, L2}`",
            ),
        }
    }
}

impl Translator<'_> {
    /// A variable that is no pointer.
    pub(super) fn variable(
        &mut self,
        scope: &mut Scope,
        variable: &Variable,
        shape: Shape,
    ) -> Symbol {
        let sort = if shape == Shape::Truth { Sort::Bool } else { Sort::Int };
        let symbol = self.fresh(&variable.name, sort);
        let term = self.terms.symbol_term(symbol);
        scope.bound.insert(variable.id, Bound::Value(term));
        symbol
    }

    /// That a number is in the range of its type, if that is one of C.
    pub(super) fn range_of(&mut self, symbol: Symbol, shape: Shape) -> Option<Term> {
        let Shape::Number(Some(ty)) = shape else { return None };
        let term = self.terms.symbol_term(symbol);
        Some(number::in_range(self.terms, term, ty))
    }

    /// A lemma's formula; what it says of all values becomes variables of the lemma.
    pub(super) fn closed(&mut self, scope: &mut Scope, pred: &Pred) -> Res<Term> {
        match &pred.kind {
            PredKind::Forall(variables, body) => {
                let mut ranges = Vec::new();
                for variable in variables {
                    match self.shape(&variable.ty, pred.span)? {
                        Shape::Array(element) => self.pointer_variable(scope, variable, element),
                        shape => {
                            let symbol = self.variable(scope, variable, shape);
                            ranges.extend(self.range_of(symbol, shape));
                            scope.variables.push(symbol);
                        }
                    }
                }
                let body = self.closed(scope, body)?;
                let premise = self.terms.and(ranges);
                Ok(self.terms.implies(premise, body))
            }
            PredKind::Implies(premise, conclusion) => {
                let premise = self.pred(scope, premise)?;
                let conclusion = self.closed(scope, conclusion)?;
                Ok(self.terms.implies(premise, conclusion))
            }
            PredKind::Let { variable, value, body } => {
                self.bind(scope, variable, value)?;
                self.closed(scope, body)
            }
            PredKind::At(inner, label) => {
                scope.in_state(label, pred.span, |scope| self.closed(scope, inner))
            }
            PredKind::Named(_, inner) => self.closed(scope, inner),
            _ => self.pred(scope, pred),
        }
    }

    fn bind(&mut self, scope: &mut Scope, variable: &Variable, value: &Acsl) -> Res<()> {
        let value = match value.ty.is_pointer() {
            true => Bound::Pointer(self.pointer(scope, value)?),
            false => Bound::Value(self.term(scope, value)?),
        };
        scope.bound.insert(variable.id, value);
        Ok(())
    }

    fn preds(&mut self, scope: &mut Scope, preds: &[Pred]) -> Res<Vec<Term>> {
        preds.iter().map(|pred| self.pred(scope, pred)).collect()
    }

    pub(super) fn pred(&mut self, scope: &mut Scope, pred: &Pred) -> Res<Term> {
        let span = pred.span;
        match &pred.kind {
            PredKind::True => Ok(Term::TRUE),
            PredKind::False => Ok(Term::FALSE),
            PredKind::Holds(term) => self.term(scope, term),
            PredKind::Compare { first, rest } => self.chain(scope, first, rest, span),
            PredKind::Not(inner) => {
                let inner = self.pred(scope, inner)?;
                Ok(self.terms.not(inner))
            }
            PredKind::And(parts) => {
                let parts = self.preds(scope, parts)?;
                Ok(self.terms.and(parts))
            }
            PredKind::Or(parts) => {
                let parts = self.preds(scope, parts)?;
                Ok(self.terms.or(parts))
            }
            PredKind::Xor(parts) => {
                let parts = self.preds(scope, parts)?;
                Ok(parts.into_iter().fold(Term::FALSE, |all, part| self.terms.xor(all, part)))
            }
            PredKind::Iff(parts) => {
                let parts = self.preds(scope, parts)?;
                Ok(parts.into_iter().fold(Term::TRUE, |all, part| self.terms.iff(all, part)))
            }
            PredKind::Implies(a, b) => {
                let (a, b) = (self.pred(scope, a)?, self.pred(scope, b)?);
                Ok(self.terms.implies(a, b))
            }
            PredKind::Cond(condition, yes, no) => {
                let condition = self.pred(scope, condition)?;
                let (yes, no) = (self.pred(scope, yes)?, self.pred(scope, no)?);
                Ok(self.terms.ite(condition, yes, no))
            }
            PredKind::Let { variable, value, body } => {
                self.bind(scope, variable, value)?;
                self.pred(scope, body)
            }
            PredKind::Forall(variables, body) => {
                self.quantified(scope, Quantifier::Forall, variables, body, span)
            }
            PredKind::Exists(variables, body) => {
                self.quantified(scope, Quantifier::Exists, variables, body, span)
            }
            PredKind::At(inner, label) => {
                scope.in_state(label, span, |scope| self.pred(scope, inner))
            }
            PredKind::Call(call) => self.call(scope, call, span),
            PredKind::Named(_, inner) => self.pred(scope, inner),
            PredKind::Memory(..) => {
                refuse(span, "whether memory is valid or initialised", POINTERS)
            }
            PredKind::Separated(..) => refuse(span, "`\\separated`", POINTERS),
        }
    }

    fn quantified(
        &mut self,
        scope: &mut Scope,
        quantifier: Quantifier,
        variables: &[Variable],
        body: &Pred,
        span: Span,
    ) -> Res<Term> {
        let mut symbols = Vec::new();
        let mut ranges = Vec::new();
        for variable in variables {
            let shape = self.shape(&variable.ty, span)?;
            if let Shape::Array(_) = shape {
                return refuse(
                    span,
                    format!("the pointer `{}`, which is bound inside of a formula", variable.name),
                    "bind pointers by `\\forall` at the beginning of a lemma",
                );
            }
            let symbol = self.variable(scope, variable, shape);
            ranges.extend(self.range_of(symbol, shape));
            symbols.push(symbol);
        }
        let body = self.pred(scope, body)?;
        let inside = self.terms.and(ranges);
        let body = match quantifier {
            Quantifier::Forall => self.terms.implies(inside, body),
            Quantifier::Exists => self.terms.and([inside, body]),
        };
        Ok(self.terms.quantified(quantifier, &symbols, body))
    }

    fn chain(
        &mut self,
        scope: &mut Scope,
        first: &Acsl,
        rest: &[(Comparison, Acsl)],
        span: Span,
    ) -> Res<Term> {
        if first.ty.is_pointer() {
            return refuse(span, "a comparison of pointers", POINTERS);
        }
        let mut left = self.term(scope, first)?;
        let mut all = Vec::with_capacity(rest.len());
        for (comparison, right) in rest {
            let right = self.term(scope, right)?;
            let ordered = !matches!(comparison, Comparison::Eq | Comparison::Ne);
            if ordered && self.terms.sort(left) != Sort::Int {
                return refuse(span, "an order of truth values", "compare them by `==`");
            }
            all.push(match comparison {
                Comparison::Eq => self.terms.eq(left, right),
                Comparison::Ne => self.terms.ne(left, right),
                Comparison::Lt => self.terms.lt(left, right),
                Comparison::Le => self.terms.le(left, right),
                Comparison::Gt => self.terms.gt(left, right),
                Comparison::Ge => self.terms.ge(left, right),
            });
            left = right;
        }
        Ok(self.terms.and(all))
    }

    pub(super) fn term(&mut self, scope: &mut Scope, term: &Acsl) -> Res<Term> {
        let span = term.span;
        // Pointers, real numbers, records and sets end here.
        match self.shape(&term.ty, span)? {
            Shape::Array(_) => return refuse(span, "a pointer as a value", POINTERS),
            Shape::Number(_) | Shape::Truth => {}
        }
        match &term.kind {
            TermKind::Int(number) | TermKind::Enumerator(_, number) => {
                Ok(self.terms.int(number.clone()))
            }
            TermKind::Variable(variable) => match scope.bound.get(&variable.id) {
                Some(Bound::Value(value)) => Ok(*value),
                _ => refuse(span, format!("the variable `{}`", variable.name), POINTERS),
            },
            TermKind::Load(place) => self.load(scope, place),
            TermKind::Truth(pred) => self.pred(scope, pred),
            TermKind::Coerce(inner) => self.term(scope, inner),
            TermKind::Cast(inner) => self.cast(scope, inner, term),
            TermKind::Neg(inner) => {
                let inner = self.term(scope, inner)?;
                Ok(self.terms.neg(inner))
            }
            TermKind::Arithmetic { first, rest } => {
                let mut value = self.term(scope, first)?;
                for (op, right) in rest {
                    let right = self.term(scope, right)?;
                    value = self.arithmetic(*op, value, right, span)?;
                }
                Ok(value)
            }
            TermKind::Cond(condition, yes, no) => {
                let condition = self.pred(scope, condition)?;
                let (yes, no) = (self.term(scope, yes)?, self.term(scope, no)?);
                Ok(self.terms.ite(condition, yes, no))
            }
            TermKind::Let { variable, value, body } => {
                self.bind(scope, variable, value)?;
                self.term(scope, body)
            }
            TermKind::At(inner, label) => {
                scope.in_state(label, span, |scope| self.term(scope, inner))
            }
            TermKind::Call(call) => self.call(scope, call, span),
            TermKind::Builtin(builtin, args) => self.builtin(scope, *builtin, args, span),
            kind => refuse(span, unsupported(kind), help(kind)),
        }
    }

    fn cast(&mut self, scope: &mut Scope, inner: &Acsl, term: &Acsl) -> Res<Term> {
        let to = self.shape(&term.ty, term.span)?;
        let value = self.term(scope, inner)?;
        let number = match self.terms.sort(value) {
            Sort::Bool if to == Shape::Truth => return Ok(value),
            Sort::Bool => {
                let (one, zero) = (self.terms.int(1), self.terms.int(0));
                self.terms.ite(value, one, zero)
            }
            _ => value,
        };
        Ok(match to {
            Shape::Truth => {
                let zero = self.terms.int(0);
                self.terms.ne(number, zero)
            }
            Shape::Number(Some(ty)) => number::converted(self.terms, number, ty),
            Shape::Number(None) | Shape::Array(_) => number,
        })
    }

    fn arithmetic(&mut self, op: Arithmetic, a: Term, b: Term, span: Span) -> Res<Term> {
        match op {
            Arithmetic::Add => Ok(self.terms.add(a, b)),
            Arithmetic::Sub => Ok(self.terms.sub(a, b)),
            Arithmetic::Mul => Ok(self.terms.mul(a, b)),
            Arithmetic::Div => Ok(number::quotient(self.terms, a, b)),
            Arithmetic::Rem => Ok(number::remainder(self.terms, a, b)),
            Arithmetic::Shl | Arithmetic::Shr => {
                let left = op == Arithmetic::Shl;
                match number::shifted(self.terms, a, b, left) {
                    Some(shifted) => Ok(shifted),
                    None => refuse(
                        span,
                        "a shift by something other than a small constant",
                        "write a multiplication or division",
                    ),
                }
            }
            _ => {
                refuse(span, "bit operations on mathematical integers", "write them as arithmetic")
            }
        }
    }

    fn builtin(
        &mut self,
        scope: &mut Scope,
        builtin: Builtin,
        args: &[Acsl],
        span: Span,
    ) -> Res<Term> {
        let args: Vec<Term> = args.iter().map(|arg| self.term(scope, arg)).collect::<Res<_>>()?;
        match (builtin, args.as_slice()) {
            (Builtin::Min, [a, b]) => {
                let smaller = self.terms.le(*a, *b);
                Ok(self.terms.ite(smaller, *a, *b))
            }
            (Builtin::Max, [a, b]) => {
                let larger = self.terms.ge(*a, *b);
                Ok(self.terms.ite(larger, *a, *b))
            }
            (Builtin::Abs, [a]) => Ok(self.terms.abs(*a)),
            _ => refuse(span, "a function of this kind", "define a function of your own"),
        }
    }

    fn call(&mut self, scope: &mut Scope, call: &Call, span: Span) -> Res<Term> {
        let logic = &self.theory.functions[call.function];
        let Some(callee) = self.callees.get(&call.function).cloned() else {
            return refuse(
                span,
                format!("`{}`, which could not be translated itself", logic.name.node),
                "see what is said about its definition",
            );
        };
        let mut args = Vec::new();
        for (param, arg) in logic.params.iter().zip(&call.args) {
            match param.ty.is_pointer() {
                true => args.extend(self.array_arguments(scope, arg, &call.labels)?),
                false => args.push(self.term(scope, arg)?),
            }
        }
        if args.is_empty() {
            args.push(self.terms.int(0));
        }
        Ok(match callee {
            Callee::Applied(function) => self.terms.apply(function, &args),
            Callee::Inlined(definition) => {
                let map: FxHashMap<Symbol, Term> =
                    definition.parameters.iter().copied().zip(args).collect();
                self.terms.substitute(definition.body, &map)
            }
        })
    }
}

fn unsupported(kind: &TermKind) -> &'static str {
    match kind {
        TermKind::Fold { .. } => {
            "`\\sum`, `\\product`, `\\min`, `\\max` and `\\numof` over a range"
        }
        TermKind::Range(..) => "a set of integers",
        TermKind::BitNot(_) => "bit operations on mathematical integers",
        TermKind::PointerDiff(..) => "a difference of pointers",
        _ => "an address",
    }
}

fn help(kind: &TermKind) -> &'static str {
    match kind {
        TermKind::Fold { .. } => "define a recursive function, as those in `lemmas/`",
        TermKind::BitNot(_) => "`~x` is `-x - 1`",
        TermKind::Range(..) => "say it of one integer, with `\\forall`",
        _ => POINTERS,
    }
}
