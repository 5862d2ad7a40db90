//! From the typed tree back to what one writes: conversions that nobody writes are gone, labels
//! stand where they are needed. What is printed this way means the same tree again.

use std::sync::Arc;

use lakatos_ir::Span;

use crate::spec::{self, Clause, ForBehaviors};
use crate::syntax::{
    self, Binder, Constant, Expr, ExprKind, Infix, Name, Spanned, TypeExpr, TypeKind, Unary,
};
use crate::tree::{
    Arithmetic, Builtin, Call, Comparison, Definition, Fold, Item, Label, Lemma, Logic, Memory,
    Place, PlaceKind, Pred, PredKind, Term, TermKind, Theory, Variable,
};
use crate::types::{CType, Type};

/// Turns typed trees into syntax.
#[derive(Clone, Debug)]
pub struct Eraser<'t> {
    theory: &'t Theory,
    /// The state in which memory is read.
    current: Option<Label>,
}

fn expr(kind: ExprKind, span: Span) -> Expr {
    Expr::new(kind, span)
}

fn name(text: &str, span: Span) -> Name {
    Spanned::new(text.to_owned(), span)
}

fn infix(op: Arithmetic) -> Infix {
    match op {
        Arithmetic::Add => Infix::Add,
        Arithmetic::Sub => Infix::Sub,
        Arithmetic::Mul => Infix::Mul,
        Arithmetic::Div => Infix::Div,
        Arithmetic::Rem => Infix::Rem,
        Arithmetic::Shl => Infix::Shl,
        Arithmetic::Shr => Infix::Shr,
        Arithmetic::BitAnd => Infix::BitAnd,
        Arithmetic::BitOr => Infix::BitOr,
        Arithmetic::BitXor => Infix::BitXor,
        // The other arrow has no such operator; see `arithmetic`.
        Arithmetic::BitImplies | Arithmetic::BitIff => Infix::BitIff,
    }
}

fn comparison(op: Comparison) -> Infix {
    match op {
        Comparison::Eq => Infix::Eq,
        Comparison::Ne => Infix::Ne,
        Comparison::Lt => Infix::Lt,
        Comparison::Le => Infix::Le,
        Comparison::Gt => Infix::Gt,
        Comparison::Ge => Infix::Ge,
    }
}

impl<'t> Eraser<'t> {
    /// For clauses of a program.
    pub fn new(theory: &'t Theory) -> Eraser<'t> {
        Eraser { theory, current: Some(Label::Here) }
    }

    /// For a declaration of the logic with these labels.
    fn logic(theory: &'t Theory, labels: &[String]) -> Eraser<'t> {
        let current = match labels {
            [only] => Some(Label::Logic(only.clone())),
            _ => None,
        };
        Eraser { theory, current }
    }

    fn in_state<T>(&self, label: &Label, erase: impl FnOnce(&Self) -> T) -> T {
        erase(&Eraser { theory: self.theory, current: Some(label.clone()) })
    }

    pub fn term(&self, term: &Term) -> Expr {
        let span = term.span;
        let kind = match &term.kind {
            TermKind::Int(value) => ExprKind::Int(value.to_string()),
            TermKind::Real(text) => ExprKind::Real(text.clone()),
            TermKind::Null => {
                let null = expr(ExprKind::Constant(Constant::Null), span);
                match term.ty == Type::pointer_to(CType::Void) {
                    true => return null,
                    false => ExprKind::Cast(type_expr(&term.ty, span), null.into()),
                }
            }
            TermKind::Enumerator(name, _) => ExprKind::Name(name.clone()),
            TermKind::Variable(variable) => ExprKind::Name(variable.name.clone()),
            TermKind::Load(place) | TermKind::Decay(place) => return self.place(place),
            TermKind::AddressOf(place) => {
                ExprKind::Unary(Unary::AddressOf, self.place(place).into())
            }
            TermKind::Truth(pred) => return self.pred(pred),
            TermKind::Coerce(inner) => return self.term(inner),
            TermKind::Cast(inner) => {
                let (ty, _) = crate::check::single_type(&term.ty);
                ExprKind::Cast(type_expr(ty, span), self.term(inner).into())
            }
            TermKind::Neg(inner) => ExprKind::Unary(Unary::Neg, self.term(inner).into()),
            TermKind::BitNot(inner) => ExprKind::Unary(Unary::BitNot, self.term(inner).into()),
            TermKind::Arithmetic { first, rest } => return self.arithmetic(first, rest, span),
            TermKind::PointerAdd { pointer, index, subtract } => {
                let op = if *subtract { Infix::Sub } else { Infix::Add };
                let rest = vec![(op, self.term(index))];
                ExprKind::Infix { first: self.term(pointer).into(), rest }
            }
            TermKind::PointerDiff(a, b) => {
                let rest = vec![(Infix::Sub, self.term(b))];
                ExprKind::Infix { first: self.term(a).into(), rest }
            }
            TermKind::Cond(c, yes, no) => {
                ExprKind::Cond(self.pred(c).into(), self.term(yes).into(), self.term(no).into())
            }
            TermKind::Let { variable, value, body } => ExprKind::Let {
                name: name(&variable.name, span),
                value: self.term(value).into(),
                body: self.term(body).into(),
            },
            TermKind::At(inner, label) => return self.at(label, span, |e| e.term(inner)),
            TermKind::Call(call) => self.call(call, span),
            TermKind::Builtin(builtin, args) => {
                let function = match builtin {
                    Builtin::Min => "\\min",
                    Builtin::Max => "\\max",
                    Builtin::Abs => "\\abs",
                };
                let args = args.iter().map(|a| self.term(a)).collect();
                ExprKind::Call { function: name(function, span), labels: Vec::new(), args }
            }
            TermKind::Fold { fold, low, high, variable, body } => {
                self.fold(*fold, [low, high], variable, body, span)
            }
            TermKind::Range(low, high) => {
                let end = |t: &Option<Box<Term>>| t.as_ref().map(|t| Box::new(self.term(t)));
                ExprKind::Range(end(low), end(high))
            }
        };
        expr(kind, span)
    }

    fn fold(
        &self,
        fold: Fold,
        ends: [&Term; 2],
        variable: &Variable,
        body: &Term,
        span: Span,
    ) -> ExprKind {
        let function = match fold {
            Fold::Sum => "\\sum",
            Fold::Product => "\\product",
            Fold::Min => "\\min",
            Fold::Max => "\\max",
            Fold::NumOf => "\\numof",
        };
        let variables = vec![variable_of(variable, span)];
        let body = self.term(body).into();
        let lambda = expr(ExprKind::Bind { binder: Binder::Lambda, variables, body }, span);
        let args = vec![self.term(ends[0]), self.term(ends[1]), lambda];
        ExprKind::Call { function: name(function, span), labels: Vec::new(), args }
    }

    fn arithmetic(&self, first: &Term, rest: &[(Arithmetic, Term)], span: Span) -> Expr {
        let first = self.term(first);
        if let [(Arithmetic::BitImplies, other)] = rest {
            let kind = ExprKind::BitImplies(first.into(), self.term(other).into());
            return expr(kind, span);
        }
        let rest = rest.iter().map(|(op, t)| (infix(*op), self.term(t))).collect();
        expr(ExprKind::Infix { first: first.into(), rest }, span)
    }

    fn at(&self, label: &Label, span: Span, inner: impl FnOnce(&Self) -> Expr) -> Expr {
        let inner = self.in_state(label, inner);
        let kind = match label {
            Label::Old => ExprKind::Old(inner.into()),
            _ => ExprKind::At(inner.into(), name(label.name(), span)),
        };
        expr(kind, span)
    }

    fn call(&self, call: &Call, span: Span) -> ExprKind {
        let function = &self.theory.functions[call.function].name.node;
        let implied = matches!(&call.labels[..], [only] if Some(only) == self.current.as_ref());
        let labels: Vec<Name> = match implied {
            true => Vec::new(),
            false => call.labels.iter().map(|l| name(l.name(), span)).collect(),
        };
        if labels.is_empty() && call.args.is_empty() {
            return ExprKind::Name(function.clone());
        }
        let args = call.args.iter().map(|a| self.term(a)).collect();
        ExprKind::Call { function: name(function, span), labels, args }
    }

    pub fn place(&self, place: &Place) -> Expr {
        let span = place.span;
        let kind = match &place.kind {
            PlaceKind::Variable(variable) => ExprKind::Name(variable.name.clone()),
            PlaceKind::Result => ExprKind::Constant(Constant::Result),
            PlaceKind::Deref(pointer) => ExprKind::Unary(Unary::Deref, self.term(pointer).into()),
            PlaceKind::Element { pointer, index } => {
                ExprKind::Index(self.term(pointer).into(), self.term(index).into())
            }
            PlaceKind::ArrayElement { array, index } => {
                ExprKind::Index(self.place(array).into(), self.term(index).into())
            }
            PlaceKind::Field { record, name: field, .. } => match &record.kind {
                PlaceKind::Deref(pointer) => {
                    ExprKind::Arrow(self.term(pointer).into(), name(field, span))
                }
                _ => ExprKind::Field(self.place(record).into(), name(field, span)),
            },
            PlaceKind::Value(term) => return self.term(term),
        };
        expr(kind, span)
    }

    pub fn pred(&self, pred: &Pred) -> Expr {
        let span = pred.span;
        let kind = match &pred.kind {
            PredKind::True => ExprKind::Constant(Constant::True),
            PredKind::False => ExprKind::Constant(Constant::False),
            PredKind::Holds(term) => return self.term(term),
            PredKind::Compare { first, rest } => self.compare(first, rest),
            PredKind::Not(inner) => ExprKind::Unary(Unary::Not, self.pred(inner).into()),
            PredKind::And(all) => return self.joined(Infix::And, all, span),
            PredKind::Or(all) => return self.joined(Infix::Or, all, span),
            PredKind::Xor(all) => return self.joined(Infix::Xor, all, span),
            PredKind::Iff(all) => return self.joined(Infix::Iff, all, span),
            PredKind::Implies(a, b) => ExprKind::Implies(self.pred(a).into(), self.pred(b).into()),
            PredKind::Cond(c, yes, no) => {
                ExprKind::Cond(self.pred(c).into(), self.pred(yes).into(), self.pred(no).into())
            }
            PredKind::Let { variable, value, body } => ExprKind::Let {
                name: name(&variable.name, span),
                value: self.term(value).into(),
                body: self.pred(body).into(),
            },
            PredKind::Forall(variables, body) => self.bind(Binder::Forall, variables, body, span),
            PredKind::Exists(variables, body) => self.bind(Binder::Exists, variables, body, span),
            PredKind::At(inner, label) => return self.at(label, span, |e| e.pred(inner)),
            PredKind::Call(call) => self.call(call, span),
            PredKind::Named(name, body) => ExprKind::Named(name.clone(), self.pred(body).into()),
            PredKind::Memory(memory, label, pointer) => self.memory(*memory, label, pointer, span),
            PredKind::Separated(pointers) => ExprKind::Call {
                function: name("\\separated", span),
                labels: Vec::new(),
                args: pointers.iter().map(|p| self.term(p)).collect(),
            },
        };
        expr(kind, span)
    }

    fn memory(&self, memory: Memory, label: &Label, pointer: &Term, span: Span) -> ExprKind {
        let function = match memory {
            Memory::Valid => "\\valid",
            Memory::ValidRead => "\\valid_read",
            Memory::Initialized => "\\initialized",
        };
        let labels = match Some(label) == self.current.as_ref() {
            true => Vec::new(),
            false => vec![name(label.name(), span)],
        };
        ExprKind::Call { function: name(function, span), labels, args: vec![self.term(pointer)] }
    }

    /// `\null` takes its type from what it is compared with.
    fn compare(&self, first: &Term, rest: &[(Comparison, Term)]) -> ExprKind {
        let null = |t: &Term| t.kind == TermKind::Null;
        let typed = !null(first) || rest.iter().any(|(_, t)| !null(t));
        let operand = |t: &Term| match typed && null(t) {
            true => expr(ExprKind::Constant(Constant::Null), t.span),
            false => self.term(t),
        };
        let rest = rest.iter().map(|(op, t)| (comparison(*op), operand(t))).collect();
        ExprKind::Infix { first: operand(first).into(), rest }
    }

    fn joined(&self, op: Infix, all: &[Pred], span: Span) -> Expr {
        let mut all = all.iter().map(|p| self.pred(p));
        let Some(first) = all.next() else {
            // The checker makes none of these; what is empty holds, or does not.
            let constant = if op == Infix::And { Constant::True } else { Constant::False };
            return expr(ExprKind::Constant(constant), span);
        };
        let rest: Vec<(Infix, Expr)> = all.map(|e| (op, e)).collect();
        match rest.is_empty() {
            true => first,
            false => expr(ExprKind::Infix { first: first.into(), rest }, span),
        }
    }

    fn bind(&self, binder: Binder, variables: &[Variable], body: &Pred, span: Span) -> ExprKind {
        let variables = variables.iter().map(|v| variable_of(v, span)).collect();
        ExprKind::Bind { binder, variables, body: self.pred(body).into() }
    }

    fn clause(&self, clause: &Clause<Pred>) -> Clause<Expr> {
        Clause { mode: clause.mode, body: self.pred(&clause.body), span: clause.span }
    }

    fn assigns(&self, assigns: &spec::Assigns<Place>) -> syntax::Assigns {
        let target = |t: &spec::Target<Place>| spec::Target {
            place: self.place(&t.place),
            from: t.from.as_ref().map(|from| from.iter().map(|p| self.place(p)).collect()),
        };
        let targets = assigns.targets.iter().map(target).collect();
        spec::Assigns { targets, span: assigns.span }
    }

    pub fn contract(&self, contract: &crate::tree::Contract) -> syntax::Contract {
        let clauses = |all: &[Clause<Pred>]| all.iter().map(|c| self.clause(c)).collect();
        let assigns = |a: &Option<_>| a.as_ref().map(|a| self.assigns(a));
        let behavior = |b: &crate::tree::Behavior| spec::Behavior {
            name: b.name.clone(),
            assumes: clauses(&b.assumes),
            requires: clauses(&b.requires),
            assigns: assigns(&b.assigns),
            ensures: clauses(&b.ensures),
        };
        spec::Contract {
            requires: clauses(&contract.requires),
            terminates: contract.terminates.as_ref().map(|c| self.clause(c)),
            decreases: contract.decreases.as_ref().map(|m| self.measure(m)),
            assigns: assigns(&contract.assigns),
            ensures: clauses(&contract.ensures),
            behaviors: contract.behaviors.iter().map(behavior).collect(),
            complete: contract.complete.clone(),
            disjoint: contract.disjoint.clone(),
        }
    }

    fn measure(&self, measure: &Spanned<Term>) -> Spanned<Expr> {
        Spanned::new(self.term(&measure.node), measure.span)
    }

    pub fn loop_annotation(&self, l: &crate::tree::LoopAnnotation) -> syntax::LoopAnnotation {
        let invariants = l.invariants.iter().map(|i| self.assertion(i)).collect();
        let assigns = l
            .assigns
            .iter()
            .map(|a| ForBehaviors { behaviors: a.behaviors.clone(), body: self.assigns(&a.body) });
        let variant = l.variant.as_ref().map(|v| self.measure(v));
        spec::LoopAnnotation { invariants, assigns: assigns.collect(), variant }
    }

    pub fn assertion(&self, assertion: &crate::tree::Assertion) -> syntax::Assertion {
        let behaviors = assertion.behaviors.clone();
        ForBehaviors { behaviors, body: self.clause(&assertion.body) }
    }
}

fn variable_of(variable: &Variable, span: Span) -> syntax::Variable {
    let ty = type_expr(&variable.ty, span);
    syntax::Variable { ty, name: name(&variable.name, span) }
}

/// A type as it is written. What has no text of its own is written as it is shown.
pub fn type_expr(ty: &Type, span: Span) -> TypeExpr {
    let kind = match ty {
        Type::Integer => TypeKind::Integer,
        Type::Real => TypeKind::Real,
        Type::Boolean => TypeKind::Boolean,
        Type::C(ty) => return c_type_expr(ty, span),
        Type::Set(inner) => return type_expr(inner, span),
    };
    Spanned::new(kind, span)
}

fn c_type_expr(ty: &CType, span: Span) -> TypeExpr {
    let inner = |ty: &Arc<CType>| Box::new(c_type_expr(ty, span));
    let kind = match ty {
        CType::Void => TypeKind::Void,
        CType::Int(kind) => TypeKind::Int(*kind),
        CType::Float(kind) => TypeKind::Float(*kind),
        CType::Enum(e) => TypeKind::Enum(e.tag.clone()),
        CType::Record(r) => match r.kind {
            lakatos_ir::RecordKind::Struct => TypeKind::Struct(r.tag.clone()),
            lakatos_ir::RecordKind::Union => TypeKind::Union(r.tag.clone()),
        },
        CType::Pointer(ty) => TypeKind::Pointer(inner(ty)),
        CType::Array(ty, length) => {
            TypeKind::Array(inner(ty), length.map(|length| length.to_string()))
        }
        CType::Other(text) => TypeKind::Name(text.clone()),
    };
    Spanned::new(kind, span)
}

/// A declaration of a theory.
pub fn item(theory: &Theory, item: &Item) -> Spanned<syntax::Global> {
    match item {
        Item::Logic(id) => {
            let logic = &theory.functions[*id];
            Spanned::new(syntax::Global::Logic(self::logic(theory, logic)), logic.span)
        }
        Item::Lemma(l) => Spanned::new(syntax::Global::Lemma(lemma(theory, l)), l.span),
        Item::Axiomatic { name, items, .. } => {
            let items = items.iter().map(|i| self::item(theory, i)).collect();
            let name = name.clone();
            let span = name.span;
            Spanned::new(syntax::Global::Axiomatic { name, items }, span)
        }
    }
}

fn labels(all: &[String], span: Span) -> Vec<Name> {
    all.iter().map(|l| name(l, span)).collect()
}

/// A function or predicate, with the label that it has even if none was written.
pub fn logic(theory: &Theory, logic: &Logic) -> syntax::Logic {
    let eraser = Eraser::logic(theory, &logic.labels);
    let body = match &logic.definition {
        Definition::Declared => syntax::LogicBody::Declared,
        Definition::Reads(places) => {
            syntax::LogicBody::Reads(places.iter().map(|p| eraser.place(p)).collect())
        }
        Definition::Term(term) => syntax::LogicBody::Defined(eraser.term(term)),
        Definition::Pred(pred) => syntax::LogicBody::Defined(eraser.pred(pred)),
        Definition::Inductive(cases) => syntax::LogicBody::Inductive(
            cases
                .iter()
                .map(|case| syntax::Case {
                    name: case.name.clone(),
                    labels: labels(&case.labels, logic.span),
                    body: Eraser::logic(theory, &case.labels).pred(&case.body),
                })
                .collect(),
        ),
    };
    syntax::Logic {
        name: logic.name.clone(),
        labels: labels(&logic.labels, logic.span),
        params: logic.params.iter().map(|p| variable_of(p, logic.span)).collect(),
        result: logic.result.as_ref().map(|ty| type_expr(ty, logic.span)),
        body,
    }
}

pub fn lemma(theory: &Theory, lemma: &Lemma) -> syntax::Lemma {
    syntax::Lemma {
        kind: lemma.kind,
        name: lemma.name.clone(),
        labels: labels(&lemma.labels, lemma.span),
        body: Eraser::logic(theory, &lemma.labels).pred(&lemma.body),
    }
}
