//! Random trees: of any shape that the grammar has, with or without a meaning.

use fastrand::Rng;
use lakatos_acsl::spec::{Assigns, Behavior, Clause, ForBehaviors, LemmaKind, Mode, Target};
use lakatos_acsl::syntax::{
    Annotation, Assertion, Binder, Case, Constant, Contract, Expr, ExprKind, Global, Infix, Lemma,
    Logic, LogicBody, LoopAnnotation, Name, Spanned, TypeExpr, TypeKind, Unary, Variable,
};
use lakatos_c::types::{FloatKind, IntKind};
use lakatos_ir::Span;

pub struct Generator(pub Rng);

fn at<T>(node: T) -> Spanned<T> {
    Spanned::new(node, Span::default())
}

const NAMES: [&str; 8] = ["i", "n", "a", "p", "sum", "inc", "x", "assigns"];
const LABELS: [&str; 4] = ["Pre", "Here", "L", "M"];

impl Generator {
    fn pick<'c, T>(&mut self, all: &'c [T]) -> &'c T {
        &all[self.0.usize(..all.len())]
    }

    fn name(&mut self) -> Name {
        at((*self.pick(&NAMES)).to_owned())
    }

    fn many<T>(
        &mut self,
        least: usize,
        most: usize,
        mut one: impl FnMut(&mut Self) -> T,
    ) -> Vec<T> {
        let count = self.0.usize(least..=most);
        (0..count).map(|_| one(self)).collect()
    }

    fn names(&mut self, least: usize) -> Vec<Name> {
        self.many(least, 2, Self::name)
    }

    fn labels(&mut self) -> Vec<Name> {
        match self.0.u8(..4) {
            0 => self.many(1, 2, |g| at((*g.pick(&LABELS)).to_owned())),
            _ => Vec::new(),
        }
    }

    fn span() -> Span {
        Span::default()
    }

    pub fn ty(&mut self, depth: u32) -> TypeExpr {
        let kind = match self.0.u8(..if depth == 0 { 9 } else { 11 }) {
            0 | 1 => TypeKind::Integer,
            2 => TypeKind::Real,
            3 => TypeKind::Boolean,
            4 => TypeKind::Float(FloatKind::Double),
            5 => TypeKind::Name("number".to_owned()),
            6 => TypeKind::Struct("pair".to_owned()),
            7 => TypeKind::Enum("color".to_owned()),
            8 => TypeKind::Int(*self.pick(&IntKind::ALL)),
            9 => TypeKind::Pointer(self.ty(depth - 1).into()),
            _ => {
                let length = self.0.bool().then(|| self.0.u8(..).to_string());
                TypeKind::Array(self.ty(depth - 1).into(), length)
            }
        };
        at(kind)
    }

    fn variable(&mut self) -> Variable {
        Variable { ty: self.ty(2), name: self.name() }
    }

    fn leaf(&mut self) -> ExprKind {
        match self.0.u8(..7) {
            0 => ExprKind::Int(
                (*self.pick(&["0", "7", "0x1F", "010", "12u", "99999999999999999999"])).to_owned(),
            ),
            1 => ExprKind::Real((*self.pick(&["1.5", ".5", "1e3", "0x1.8p3"])).to_owned()),
            2 => ExprKind::Char((*self.pick(&["'a'", "'\\n'", "'\\x41'", "'\\''"])).to_owned()),
            3 => {
                let all = [Constant::True, Constant::False, Constant::Null, Constant::Result];
                ExprKind::Constant(*self.pick(&all))
            }
            4 => ExprKind::SizeOfType(self.ty(2)),
            _ => ExprKind::Name(self.name().node),
        }
    }

    fn boxed(&mut self, depth: u32) -> Box<Expr> {
        Box::new(self.expr(depth))
    }

    /// Operands of one level of operators; comparisons make a chain.
    fn infix(&mut self, depth: u32) -> ExprKind {
        let op = *self.pick(&Infix::ALL);
        let same: Vec<Infix> = match op {
            Infix::Lt | Infix::Le => vec![Infix::Lt, Infix::Le, Infix::Eq],
            Infix::Gt | Infix::Ge => vec![Infix::Gt, Infix::Ge, Infix::Eq],
            Infix::Eq => vec![Infix::Eq],
            Infix::Ne => vec![Infix::Ne],
            _ => Infix::ALL.into_iter().filter(|o| o.level() == op.level()).collect(),
        };
        let most = if op == Infix::Ne { 1 } else { 3 };
        let first = self.boxed(depth);
        let rest = self.many(1, most, |g| (*g.pick(&same), g.expr(depth)));
        ExprKind::Infix { first, rest }
    }

    pub fn expr(&mut self, depth: u32) -> Expr {
        if depth == 0 {
            return Expr::new(self.leaf(), Self::span());
        }
        let d = depth - 1;
        let kind = match self.0.u8(..22) {
            0 => ExprKind::Old(self.boxed(d)),
            1 => ExprKind::At(self.boxed(d), at((*self.pick(&LABELS)).to_owned())),
            2 => self.call(d),
            3 => ExprKind::Index(self.boxed(d), self.boxed(d)),
            4 => ExprKind::Field(self.boxed(d), self.name()),
            5 => ExprKind::Arrow(self.boxed(d), self.name()),
            6 | 7 => {
                let all = [
                    Unary::Plus,
                    Unary::Neg,
                    Unary::BitNot,
                    Unary::Not,
                    Unary::Deref,
                    Unary::AddressOf,
                ];
                ExprKind::Unary(*self.pick(&all), self.boxed(d))
            }
            8..=12 => self.infix(d),
            13 => ExprKind::Implies(self.boxed(d), self.boxed(d)),
            14 => ExprKind::BitImplies(self.boxed(d), self.boxed(d)),
            15 => ExprKind::Cond(self.boxed(d), self.boxed(d), self.boxed(d)),
            16 => ExprKind::Cast(self.ty(2), self.boxed(d)),
            17 => ExprKind::SizeOf(self.boxed(d)),
            18 => {
                let low = self.0.bool().then(|| self.boxed(d));
                let high = self.0.bool().then(|| self.boxed(d));
                ExprKind::Range(low, high)
            }
            19 => {
                let binder = *self.pick(&[Binder::Forall, Binder::Exists, Binder::Lambda]);
                let variables = self.many(1, 2, Self::variable);
                ExprKind::Bind { binder, variables, body: self.boxed(d) }
            }
            20 => ExprKind::Let { name: self.name(), value: self.boxed(d), body: self.boxed(d) },
            _ => ExprKind::Named(self.name(), self.boxed(d)),
        };
        Expr::new(kind, Self::span())
    }

    fn call(&mut self, depth: u32) -> ExprKind {
        let function = at((*self.pick(&["f", "sum", "\\valid", "\\separated"])).to_owned());
        let labels = self.labels();
        let least = usize::from(labels.is_empty());
        let args = self.many(least, 2, |g| g.expr(depth));
        ExprKind::Call { function, labels, args }
    }

    fn mode(&mut self) -> Mode {
        *self.pick(&[Mode::Assert, Mode::Check, Mode::Admit])
    }

    fn clause(&mut self) -> Clause<Expr> {
        Clause { mode: self.mode(), body: self.expr(2), span: Self::span() }
    }

    fn plain_clause(&mut self) -> Clause<Expr> {
        Clause { mode: Mode::Assert, body: self.expr(2), span: Self::span() }
    }

    fn assigns(&mut self) -> Assigns<Expr> {
        let targets = self.many(0, 2, |g| {
            let from = g.0.bool().then(|| g.many(0, 2, |g| g.expr(1)));
            Target { place: g.expr(2), from }
        });
        Assigns { targets, span: Self::span() }
    }

    fn behavior(&mut self) -> Behavior<Expr, Expr> {
        Behavior {
            name: self.name(),
            assumes: self.many(0, 1, Self::plain_clause),
            requires: self.many(0, 1, Self::clause),
            assigns: self.0.bool().then(|| self.assigns()),
            ensures: self.many(0, 1, Self::clause),
        }
    }

    pub fn contract(&mut self) -> Contract {
        let mut contract = Contract {
            requires: self.many(0, 2, Self::clause),
            terminates: self.0.bool().then(|| self.plain_clause()),
            decreases: self.0.bool().then(|| at(self.expr(2))),
            assigns: self.0.bool().then(|| self.assigns()),
            ensures: self.many(0, 2, Self::clause),
            behaviors: self.many(0, 2, Self::behavior),
            complete: self.many(0, 1, |g| at(g.names(0))),
            disjoint: self.many(0, 1, |g| at(g.names(0))),
        };
        // Something has to be there.
        contract.requires.push(self.clause());
        contract
    }

    pub fn loop_annotation(&mut self) -> LoopAnnotation {
        LoopAnnotation {
            invariants: self.many(1, 2, Self::assertion),
            assigns: self.many(0, 1, |g| ForBehaviors { behaviors: g.names(0), body: g.assigns() }),
            variant: self.0.bool().then(|| at(self.expr(2))),
        }
    }

    fn assertion(&mut self) -> Assertion {
        ForBehaviors { behaviors: self.names(0), body: self.clause() }
    }

    fn result(&mut self) -> TypeExpr {
        let base = self.ty(0);
        match self.0.bool() {
            true => base,
            false => at(TypeKind::Pointer(base.into())),
        }
    }

    fn logic(&mut self) -> Logic {
        let result = self.0.bool().then(|| self.result());
        let body = match self.0.u8(..if result.is_some() { 3 } else { 4 }) {
            0 => LogicBody::Declared,
            1 => LogicBody::Reads(self.many(0, 2, |g| g.expr(1))),
            2 => LogicBody::Defined(self.expr(3)),
            _ => LogicBody::Inductive(self.many(0, 2, |g| Case {
                name: g.name(),
                labels: g.labels(),
                body: g.expr(2),
            })),
        };
        let params = self.many(0, 2, Self::variable);
        Logic { name: self.name(), labels: self.labels(), params, result, body }
    }

    fn lemma(&mut self, kinds: &[LemmaKind]) -> Lemma {
        let kind = *self.pick(kinds);
        Lemma { kind, name: self.name(), labels: self.labels(), body: self.expr(3) }
    }

    pub fn global(&mut self, outside: bool) -> Spanned<Global> {
        use LemmaKind::*;
        at(match self.0.u8(..if outside { 3 } else { 2 }) {
            0 => Global::Logic(self.logic()),
            1 if outside => Global::Lemma(self.lemma(&[Lemma, Check, Admit])),
            1 => Global::Lemma(self.lemma(&[Lemma, Check, Admit, Axiom])),
            _ => {
                let items = self.many(0, 2, |g| g.global(false));
                Global::Axiomatic { name: self.name(), items }
            }
        })
    }

    pub fn annotation(&mut self) -> Annotation {
        match self.0.u8(..4) {
            0 => Annotation::Contract(self.contract().into()),
            1 => Annotation::Loop(self.loop_annotation()),
            2 => Annotation::Code(self.many(1, 2, Self::assertion)),
            _ => Annotation::Globals(self.many(1, 2, |g| g.global(true))),
        }
    }
}
