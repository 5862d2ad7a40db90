//! Predicates of ACSL as conditions of the IR, where that is exact.
//!
//! Numbers stay those of mathematics ([`crate::exact`]). Variables are read now or, under `\old` and
//! `\at(…, Pre)`, as they were at the entry: from a copy that whoever uses the condition makes there.
//! Definitions of the logic that are not recursive are unfolded. A condition holds where it is true
//! *and* defined: a division by zero makes it false, wherever it stands, so what is assumed in one
//! place is what was shown in another.
//!
//! Everything else is refused with its place: quantifiers, memory, real numbers, other labels.

use std::collections::BTreeMap;

use lakatos_acsl::tree::{
    Arithmetic, Builtin, Call, Comparison, Definition, Label, Place, PlaceKind, Pred, PredKind,
    Term, TermKind, Theory,
};
use lakatos_acsl::types::{CType, Type as LogicType};
use lakatos_ir::{
    BinOp, ExprId, IntType, ProcId, Program, Span, Undefined, Var, VarId, VarKind, splice,
    undefined,
};

use crate::exact::{Exact, Made, Value};
use crate::names::Names;

/// Unfolding of definitions ends here: they are recursive, or as good as that.
const MAX_UNFOLDED: u32 = 20;

/// What cannot be translated, and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refused {
    pub what: String,
    pub span: Span,
}

type Res<T> = Result<T, Refused>;

fn refuse<T>(what: impl Into<String>, span: Span) -> Res<T> {
    Err(Refused { what: what.into(), span })
}

/// When something is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Now,
    Entry,
}

/// What the names of a clause mean at the place where it is evaluated.
#[derive(Debug)]
pub(crate) struct Scope<'n> {
    pub names: &'n Names,
    /// The procedure whose frame the copies are in.
    pub proc: ProcId,
    /// Parameters of a contract, by declaration: these variables, which nobody changes.
    pub params: BTreeMap<u32, VarId>,
    pub result: Option<VarId>,
    /// The place is the entry itself: what was there is what is now.
    pub at_entry: bool,
    /// Of variables, the copies of their values at the entry.
    pub copies: BTreeMap<VarId, VarId>,
}

impl Scope<'_> {
    /// The variable that holds what another one was at the entry.
    fn copy(&mut self, program: &mut Program, var: VarId) -> VarId {
        let proc = self.proc;
        *self.copies.entry(var).or_insert_with(|| {
            let Var { name, ty, span, .. } = program.vars[var].clone();
            let copy = Var {
                name: format!("\\old({name})"),
                ty,
                kind: VarKind::Temp(proc),
                span,
                address_taken: false,
                c_type: String::new(),
            };
            let copy = program.vars.push(copy);
            program.procs[proc].locals.push(copy);
            copy
        })
    }

    fn is_constant(&self, var: VarId) -> bool {
        self.params.values().any(|param| *param == var)
    }

    /// A variable as it was at the entry.
    pub fn old(&mut self, program: &mut Program, var: VarId) -> VarId {
        match self.at_entry || self.is_constant(var) {
            true => var,
            false => self.copy(program, var),
        }
    }
}

/// A condition that holds and is defined.
pub(crate) fn condition(
    program: &mut Program,
    theory: &Theory,
    scope: &mut Scope<'_>,
    pred: &Pred,
    state: State,
) -> Res<ExprId> {
    let mut translation = Translation {
        program,
        theory,
        scope,
        state,
        labels: Vec::new(),
        bound: BTreeMap::new(),
        unfolded: 0,
    };
    let value = translation.pred(pred)?;
    Ok(defined(program, value.expr))
}

/// The condition, and no division by zero in it.
fn defined(program: &mut Program, condition: ExprId) -> ExprId {
    let wanted = |kind: Undefined| kind == Undefined::DivByZero;
    let checks = undefined::of_expr(program, condition, &wanted);
    let mut all = condition;
    // Each check may be evaluated where those before it have passed.
    for check in checks.into_iter().rev() {
        let passes = splice::not(program, check.condition);
        all = splice::and(program, passes, all);
    }
    all
}

struct Translation<'t, 'n> {
    program: &'t mut Program,
    theory: &'t Theory,
    scope: &'t mut Scope<'n>,
    state: State,
    /// What the labels of a definition that is being unfolded mean.
    labels: Vec<(String, State)>,
    bound: BTreeMap<u32, Value>,
    unfolded: u32,
}

impl Translation<'_, '_> {
    /// Makes an expression; what is wrong is wrong here.
    fn make(&mut self, span: Span, make: impl FnOnce(&mut Exact<'_>) -> Made) -> Res<Value> {
        let mut exact = Exact { program: self.program, span: Span::default() };
        make(&mut exact).map_err(|what| Refused { what, span })
    }

    fn in_state<T>(
        &mut self,
        label: &Label,
        span: Span,
        f: impl FnOnce(&mut Self) -> Res<T>,
    ) -> Res<T> {
        let state = self.label(label, span)?;
        let before = std::mem::replace(&mut self.state, state);
        let result = f(self);
        self.state = before;
        result
    }

    fn label(&self, label: &Label, span: Span) -> Res<State> {
        match label {
            Label::Here | Label::Post => Ok(State::Now),
            Label::Old | Label::Pre => Ok(State::Entry),
            Label::Logic(name) => match self.labels.iter().find(|(own, _)| own == name) {
                Some((_, state)) => Ok(*state),
                None => refuse(format!("the label `{name}`"), span),
            },
            other => refuse(format!("the label `{}`", other.name()), span),
        }
    }

    fn preds(&mut self, preds: &[Pred]) -> Res<Vec<Value>> {
        preds.iter().map(|pred| self.pred(pred)).collect()
    }

    fn pred(&mut self, pred: &Pred) -> Res<Value> {
        let span = pred.span;
        match &pred.kind {
            PredKind::True => self.make(span, |e| e.truth(true)),
            PredKind::False => self.make(span, |e| e.truth(false)),
            PredKind::Holds(term) => {
                let value = self.term(term)?;
                self.make(span, |e| e.converted(&value, IntType::BOOL))
            }
            PredKind::Compare { first, rest } => self.chain(first, rest, span),
            PredKind::Not(inner) => {
                let inner = self.pred(inner)?;
                self.make(span, |e| e.not(&inner))
            }
            PredKind::And(parts) => {
                let parts = self.preds(parts)?;
                self.make(span, |e| e.all(BinOp::And, &parts))
            }
            PredKind::Or(parts) => {
                let parts = self.preds(parts)?;
                self.make(span, |e| e.all(BinOp::Or, &parts))
            }
            PredKind::Xor(parts) => self.folded(BinOp::Ne, parts, span),
            PredKind::Iff(parts) => self.folded(BinOp::Eq, parts, span),
            PredKind::Implies(a, b) => {
                let (a, b) = (self.pred(a)?, self.pred(b)?);
                self.make(span, |e| e.implies(&a, &b))
            }
            PredKind::Cond(condition, yes, no) => {
                let (condition, yes, no) = (self.pred(condition)?, self.pred(yes)?, self.pred(no)?);
                self.make(span, |e| e.choice(&condition, &yes, &no))
            }
            PredKind::Let { variable, value, body } => {
                let value = self.term(value)?;
                self.bound.insert(variable.id, value);
                self.pred(body)
            }
            PredKind::At(inner, label) => self.in_state(label, span, |t| t.pred(inner)),
            PredKind::Call(call) => self.call(call, span),
            PredKind::Named(_, inner) => self.pred(inner),
            PredKind::Forall(..) | PredKind::Exists(..) => refuse("a quantifier", span),
            PredKind::Memory(..) => refuse("whether memory is valid or initialised", span),
            PredKind::Separated(..) => refuse("`\\separated`", span),
        }
    }

    fn folded(&mut self, op: BinOp, parts: &[Pred], span: Span) -> Res<Value> {
        let mut parts = self.preds(parts)?.into_iter();
        let Some(mut all) = parts.next() else { return self.make(span, |e| e.truth(true)) };
        for part in parts {
            all = self.make(span, |e| e.compared(op, &all, &part))?;
        }
        Ok(all)
    }

    fn chain(&mut self, first: &Term, rest: &[(Comparison, Term)], span: Span) -> Res<Value> {
        let mut left = self.term(first)?;
        let mut all = Vec::with_capacity(rest.len());
        for (comparison, right) in rest {
            let op = match comparison {
                Comparison::Eq => BinOp::Eq,
                Comparison::Ne => BinOp::Ne,
                Comparison::Lt => BinOp::Lt,
                Comparison::Le => BinOp::Le,
                Comparison::Gt => BinOp::Gt,
                Comparison::Ge => BinOp::Ge,
            };
            let right = self.term(right)?;
            all.push(self.make(span, |e| e.compared(op, &left, &right))?);
            left = right;
        }
        self.make(span, |e| e.all(BinOp::And, &all))
    }

    fn term(&mut self, term: &Term) -> Res<Value> {
        let span = term.span;
        match &term.kind {
            TermKind::Int(number) | TermKind::Enumerator(_, number) => {
                self.make(span, |e| e.constant(number))
            }
            TermKind::Variable(variable) => match self.bound.get(&variable.id) {
                Some(value) => Ok(value.clone()),
                None => refuse(format!("the variable `{}`", variable.name), span),
            },
            TermKind::Load(place) => self.load(place),
            TermKind::Truth(pred) => self.pred(pred),
            TermKind::Coerce(inner) if is_number(&term.ty) => self.term(inner),
            TermKind::Cast(inner) => self.cast(inner, &term.ty, span),
            TermKind::Neg(inner) if is_number(&term.ty) => {
                let inner = self.term(inner)?;
                self.make(span, |e| e.negated(&inner))
            }
            TermKind::BitNot(inner) => {
                let inner = self.term(inner)?;
                self.make(span, |e| e.complement(&inner))
            }
            TermKind::Arithmetic { first, rest } if is_number(&term.ty) => {
                let mut value = self.term(first)?;
                for (op, right) in rest {
                    let right = self.term(right)?;
                    value = self.make(span, |e| arithmetic(e, *op, &value, &right))?;
                }
                Ok(value)
            }
            TermKind::Cond(condition, yes, no) => {
                let (condition, yes, no) = (self.pred(condition)?, self.term(yes)?, self.term(no)?);
                self.make(span, |e| e.choice(&condition, &yes, &no))
            }
            TermKind::Let { variable, value, body } => {
                let value = self.term(value)?;
                self.bound.insert(variable.id, value);
                self.term(body)
            }
            TermKind::At(inner, label) => self.in_state(label, span, |t| t.term(inner)),
            TermKind::Call(call) => self.call(call, span),
            TermKind::Builtin(builtin, args) => self.builtin(*builtin, args, span),
            kind => refuse(unsupported(kind), span),
        }
    }

    fn cast(&mut self, inner: &Term, ty: &LogicType, span: Span) -> Res<Value> {
        let value = self.term(inner)?;
        match ty {
            LogicType::Integer => Ok(value),
            LogicType::Boolean => self.make(span, |e| e.converted(&value, IntType::BOOL)),
            LogicType::C(c) => match self.int_type(c) {
                Some(ty) => self.make(span, |e| e.converted(&value, ty)),
                None => refuse(format!("a cast to `{ty}`"), span),
            },
            other => refuse(format!("a cast to `{other}`"), span),
        }
    }

    fn int_type(&self, ty: &CType) -> Option<IntType> {
        ty.int_kind().map(|kind| kind.int_type(self.program.types.model))
    }

    fn load(&mut self, place: &Place) -> Res<Value> {
        let span = place.span;
        let var = match &place.kind {
            PlaceKind::Variable(variable) => match self.scope.params.get(&variable.id) {
                Some(param) => Some(*param),
                None => self.scope.names.variable(self.program, variable),
            },
            PlaceKind::Result => self.scope.result,
            _ => return refuse("memory that is reached by a pointer, an array or a record", span),
        };
        let Some(var) = var else { return refuse("a variable that the code never uses", span) };
        let var = match (self.state, &place.kind) {
            (State::Entry, PlaceKind::Variable(_)) => self.scope.old(self.program, var),
            _ => var,
        };
        self.make(span, |e| e.load(var))
    }

    fn builtin(&mut self, builtin: Builtin, args: &[Term], span: Span) -> Res<Value> {
        let args: Vec<Value> = args.iter().map(|arg| self.term(arg)).collect::<Res<_>>()?;
        let (op, a, b) = match (builtin, args.as_slice()) {
            (Builtin::Min, [a, b]) => (BinOp::Le, a.clone(), b.clone()),
            (Builtin::Max, [a, b]) => (BinOp::Ge, a.clone(), b.clone()),
            (Builtin::Abs, [a]) => {
                let negated = self.make(span, |e| e.negated(a))?;
                (BinOp::Ge, a.clone(), negated)
            }
            _ => return refuse("a function of this kind", span),
        };
        let first = self.make(span, |e| e.compared(op, &a, &b))?;
        self.make(span, |e| e.choice(&first, &a, &b))
    }

    /// A definition in the place of its use.
    fn call(&mut self, call: &Call, span: Span) -> Res<Value> {
        let logic = &self.theory.functions[call.function];
        let name = &logic.name.node;
        if self.unfolded == MAX_UNFOLDED {
            return refuse(format!("`{name}`, whose definition is recursive"), span);
        }
        if logic.axiomatic.is_some() {
            return refuse(format!("`{name}`, which is axiomatic"), span);
        }
        let mut bound = BTreeMap::new();
        for (param, arg) in logic.params.iter().zip(&call.args) {
            let value = self.term(arg)?;
            bound.insert(param.id, value);
        }
        let mut labels = Vec::new();
        for (name, label) in logic.labels.iter().zip(&call.labels) {
            labels.push((name.clone(), self.label(label, span)?));
        }
        let state = match labels.as_slice() {
            [(_, only)] => *only,
            _ => self.state,
        };
        let definition = logic.definition.clone();
        let mut inner = Translation {
            program: self.program,
            theory: self.theory,
            scope: self.scope,
            state,
            labels,
            bound,
            unfolded: self.unfolded + 1,
        };
        let made = match &definition {
            Definition::Term(body) => inner.term(body),
            Definition::Pred(body) => inner.pred(body),
            _ => return refuse(format!("`{name}`, which has no definition"), span),
        };
        // The place in the clause, not that in the definition, which may be in another file.
        made.map_err(|refused| Refused { what: format!("in `{name}`: {}", refused.what), span })
    }
}

/// Of mathematical integers, or of C's.
fn is_number(ty: &LogicType) -> bool {
    ty.is_integral() || *ty == LogicType::Boolean
}

fn arithmetic(exact: &mut Exact<'_>, op: Arithmetic, a: &Value, b: &Value) -> Made {
    let plain = match op {
        Arithmetic::Add => BinOp::Add,
        Arithmetic::Sub => BinOp::Sub,
        Arithmetic::Mul => BinOp::Mul,
        Arithmetic::Div => BinOp::Div,
        Arithmetic::Rem => BinOp::Rem,
        Arithmetic::BitAnd => BinOp::BitAnd,
        Arithmetic::BitOr => BinOp::BitOr,
        Arithmetic::BitXor => BinOp::BitXor,
        Arithmetic::Shl => return exact.shifted(true, a, b),
        Arithmetic::Shr => return exact.shifted(false, a, b),
        Arithmetic::BitImplies => {
            let not = exact.complement(a)?;
            return exact.arithmetic(BinOp::BitOr, &not, b);
        }
        Arithmetic::BitIff => {
            let xor = exact.arithmetic(BinOp::BitXor, a, b)?;
            return exact.complement(&xor);
        }
    };
    exact.arithmetic(plain, a, b)
}

fn unsupported(kind: &TermKind) -> &'static str {
    match kind {
        TermKind::Real(_)
        | TermKind::Coerce(_)
        | TermKind::Neg(_)
        | TermKind::Arithmetic { .. } => "real numbers",
        TermKind::Fold { .. } => "`\\sum` and the like",
        TermKind::Range(..) => "a range",
        _ => "a pointer",
    }
}
