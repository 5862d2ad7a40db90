//! Expressions of the IR as terms: lazy, left to right (DESIGN.md section 3).
//!
//! An expression gives its value and the condition under which its evaluation does not end the
//! path. Where undefined behaviour does not end a path (the proof does not assume so), the value
//! is any of its type instead. The same goes for everything that is no operation on integers:
//! memory, pointers, floats. That allows more than the program does, never less.

use std::collections::BTreeMap;

use lakatos_ir::{
    Arith, BinOp, ExprId, ExprKind, IntType, PlaceId, PlaceKind, Program, SignedOverflow, Type,
    UnOp, VarId,
};
use lakatos_logic::number::Int;
use lakatos_logic::term::{Quantifier, Sort, Term, Terms};
use rustc_hash::FxHashMap;

use crate::encoding::{Encoding, Ring, Word, bounds, exact};
use crate::parts::Part;

/// What undefined behaviour does to a path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    pub signed_overflow: SignedOverflow,
    /// The proof assumes that a path ends where a signed operation overflows.
    pub overflow_ends: bool,
    /// The proof assumes that a path ends at any other undefined behaviour.
    pub undefined_ends: bool,
}

/// An evaluated expression.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Evaluated {
    /// `None`: no integer.
    pub value: Option<Term>,
    /// The path goes on.
    pub defined: Term,
}

/// Makes terms, and facts about those that are new.
#[derive(Debug)]
pub(crate) struct Maker<'p> {
    pub program: &'p Program,
    pub encoding: &'static dyn Encoding,
    pub rules: Rules,
    pub terms: Terms,
    /// What holds of the symbols that were made.
    pub facts: Vec<Term>,
    /// Truth values that say whether a part of the proof is used, if somebody asks.
    pub selectors: BTreeMap<Part, Term>,
    /// Something that could not be encoded has become any value.
    pub approximate: bool,
}

impl Maker<'_> {
    /// Formulas speak of the variable: it is an integer that no pointer can reach, or an array that
    /// a pass has made.
    pub fn tracks(&self, var: VarId) -> bool {
        let info = &self.program.vars[var];
        info.ty.as_int().is_some() && !info.address_taken || self.array(var).is_some()
    }

    /// The type of the elements of an array that is tracked.
    fn array(&self, var: VarId) -> Option<IntType> {
        let element = self.program.whole_array(var)?;
        (self.sort(element) == Sort::Int).then_some(element)
    }

    /// The tracked array, and the index, of a place that is an element of one.
    pub fn element(&self, place: PlaceId) -> Option<(VarId, ExprId)> {
        let PlaceKind::Index(base, index) = self.program.places[place].kind else { return None };
        let PlaceKind::Var(var) = self.program.places[base].kind else { return None };
        self.array(var).is_some().then_some((var, index))
    }

    /// The sort of a tracked variable.
    pub fn sort_of(&mut self, var: VarId) -> Sort {
        match self.array(var) {
            Some(_) => self.terms.array_sort(Sort::Int, Sort::Int),
            None => {
                let ty = self.program.vars[var].ty.as_int();
                self.sort(ty.expect("a tracked variable is an integer"))
            }
        }
    }

    /// The tracked variable that a place is.
    pub fn tracked(&self, place: PlaceId) -> Option<VarId> {
        match self.program.places[place].kind {
            PlaceKind::Var(var) if self.tracks(var) => Some(var),
            _ => None,
        }
    }

    pub fn sort(&self, ty: IntType) -> Sort {
        match ty == IntType::BOOL {
            true => Sort::Bool,
            false => self.encoding.sort(ty),
        }
    }

    /// Any value of a type.
    pub fn any(&mut self, name: &str, ty: IntType) -> Term {
        let term = self.terms.fresh(name, self.sort(ty));
        if ty != IntType::BOOL {
            let range = self.encoding.range(&mut self.terms, term, ty);
            self.facts.push(range);
        }
        term
    }

    /// Any value of the type of a tracked variable.
    pub fn any_of(&mut self, var: VarId, suffix: &str) -> Term {
        let info = &self.program.vars[var];
        let name = format!("{}{suffix}", info.name);
        match self.array(var) {
            Some(element) => self.any_array(&name, element),
            None => self.any(&name, info.ty.as_int().expect("a tracked variable is an integer")),
        }
    }

    /// Any array with elements of a type.
    fn any_array(&mut self, name: &str, element: IntType) -> Term {
        let sort = self.terms.array_sort(Sort::Int, Sort::Int);
        let array = self.terms.fresh(name, sort);
        let index = self.terms.fresh("index", Sort::Int);
        let read = self.terms.select(array, index);
        let range = self.encoding.range(&mut self.terms, read, element);
        let bound = self.terms.as_symbol(index).expect("just made");
        let all = self.terms.quantified(Quantifier::Forall, &[bound], range);
        self.facts.push(all);
        array
    }
}

/// Evaluates the expressions of one instruction: an expression has one value in it.
pub(crate) struct Evaluator<'m, 'p, R> {
    maker: &'m mut Maker<'p>,
    /// The values of tracked variables.
    read: R,
    known: FxHashMap<ExprId, Evaluated>,
}

impl<'m, 'p, R: FnMut(&mut Maker<'p>, VarId) -> Term> Evaluator<'m, 'p, R> {
    pub fn new(maker: &'m mut Maker<'p>, read: R) -> Evaluator<'m, 'p, R> {
        Evaluator { maker, read, known: FxHashMap::default() }
    }

    pub fn expr(&mut self, id: ExprId) -> Evaluated {
        if let Some(known) = self.known.get(&id) {
            return *known;
        }
        let evaluated = match self.maker.program.exprs[id].ty {
            Type::Int(ty) => self.integer(id, ty),
            _ => Evaluated { value: None, defined: self.parts_defined(id) },
        };
        self.known.insert(id, evaluated);
        evaluated
    }

    /// What finding a place takes: pointers and indices on the way must have values.
    pub fn place_defined(&mut self, place: PlaceId) -> Term {
        match self.maker.program.places[place].kind {
            PlaceKind::Var(_) => Term::TRUE,
            PlaceKind::Deref(pointer) => self.expr(pointer).defined,
            PlaceKind::Field(base, _) => self.place_defined(base),
            PlaceKind::Index(base, index) => {
                let (base, index) = (self.place_defined(base), self.expr(index).defined);
                self.maker.terms.and([base, index])
            }
        }
    }

    fn integer(&mut self, id: ExprId, ty: IntType) -> Evaluated {
        let operands = match self.maker.program.exprs[id].kind {
            ExprKind::Int(value) => return Evaluated::of(self.number(value, ty)),
            ExprKind::Load(place) if self.maker.tracked(place).is_some() => {
                let var = self.maker.tracked(place).expect("just seen");
                return Evaluated::of((self.read)(self.maker, var));
            }
            ExprKind::Load(place) => self.element(place),
            ExprKind::Unary(op, a) => self.unary(op, a, ty),
            ExprKind::Binary(op, a, b) if op.is_lazy() => return self.lazy(op, a, b),
            ExprKind::Binary(op, a, b) => self.binary(op, a, b, ty),
            ExprKind::Overflows(op, a, b, to) => self.overflows(op, a, b, to),
            ExprKind::Cast(a) => self.cast(a, ty),
            ExprKind::Ite(condition, yes, no) => self.choice(condition, yes, no, ty),
            _ => None,
        };
        operands.unwrap_or_else(|| {
            let defined = self.parts_defined(id);
            Evaluated { value: Some(self.opaque(ty)), defined }
        })
    }

    /// What an element of a tracked array holds.
    fn element(&mut self, place: PlaceId) -> Option<Evaluated> {
        let (array, index) = self.maker.element(place)?;
        let ((index, _), defined) = self.word(index)?;
        let array = (self.read)(self.maker, array);
        Some(Evaluated { value: Some(self.maker.terms.select(array, index)), defined })
    }

    fn opaque(&mut self, ty: IntType) -> Term {
        self.maker.approximate = true;
        self.maker.any("any", ty)
    }

    /// The operands of something that has no term may be undefined all the same.
    fn parts_defined(&mut self, id: ExprId) -> Term {
        let parts = match self.maker.program.exprs[id].kind {
            ExprKind::Load(place) | ExprKind::AddrOf(place) => return self.place_defined(place),
            ExprKind::Unary(_, a) | ExprKind::Cast(a) => vec![a],
            ExprKind::Binary(_, a, b)
            | ExprKind::Overflows(_, a, b, _)
            | ExprKind::PtrAdd(a, b)
            | ExprKind::PtrDiff(a, b) => vec![a, b],
            // Which of the others is evaluated is another question.
            ExprKind::Ite(condition, ..) => vec![condition],
            _ => Vec::new(),
        };
        let defined: Vec<Term> = parts.into_iter().map(|part| self.expr(part).defined).collect();
        self.maker.terms.and(defined)
    }

    fn number(&mut self, value: i128, ty: IntType) -> Term {
        match ty == IntType::BOOL {
            true => self.maker.terms.bool(value != 0),
            false => self.maker.encoding.number(&mut self.maker.terms, &exact(value, ty), ty),
        }
    }

    /// An integer operand as a word, truth values as 0 or 1.
    fn word(&mut self, id: ExprId) -> Option<(Word, Term)> {
        let ty = self.maker.program.exprs[id].ty.as_int()?;
        let Evaluated { value, defined } = self.expr(id);
        let value = value?;
        if ty != IntType::BOOL {
            return Some(((value, ty), defined));
        }
        let (one, zero) = (self.number(1, IntType::U8), self.number(0, IntType::U8));
        Some(((self.maker.terms.ite(value, one, zero), IntType::U8), defined))
    }

    /// An operation that is undefined under conditions: either the path ends, or the value is
    /// any.
    fn guarded(
        &mut self,
        value: Term,
        ty: IntType,
        defined: Term,
        faults: &[(Term, bool)],
    ) -> Evaluated {
        let mut evaluated = Evaluated { value: Some(value), defined };
        for &(fault, ends) in faults.iter().filter(|(fault, _)| *fault != Term::FALSE) {
            let terms = &mut self.maker.terms;
            if ends {
                let fine = terms.not(fault);
                evaluated.defined = terms.and([evaluated.defined, fine]);
            } else {
                let any = self.opaque(ty);
                let terms = &mut self.maker.terms;
                evaluated.value = evaluated.value.map(|value| terms.ite(fault, any, value));
            }
        }
        evaluated
    }

    fn unary(&mut self, op: UnOp, a: ExprId, ty: IntType) -> Option<Evaluated> {
        if op == UnOp::Not {
            let Evaluated { value, defined } = self.expr(a);
            let value = value.filter(|_| self.maker.program.exprs[a].ty == Type::BOOL)?;
            return Some(Evaluated { value: Some(self.maker.terms.not(value)), defined });
        }
        let ((a, from), defined) = self.word(a)?;
        if from != ty {
            return None;
        }
        let encoding = self.maker.encoding;
        match op {
            UnOp::BitNot => {
                let value = encoding.complement(&mut self.maker.terms, a, ty);
                Some(Evaluated { value: Some(value), defined })
            }
            _ => {
                let zero = self.number(0, ty);
                Some(self.ring(Ring::Sub, zero, a, ty, defined))
            }
        }
    }

    fn ring(&mut self, op: Ring, a: Term, b: Term, ty: IntType, defined: Term) -> Evaluated {
        let wraps = self.maker.rules.signed_overflow == SignedOverflow::Wrap;
        let (value, overflow) =
            self.maker.encoding.arith(&mut self.maker.terms, op, a, b, ty, wraps);
        let ends = self.maker.rules.overflow_ends;
        self.guarded(value, ty, defined, &[(overflow, ends)])
    }

    fn binary(&mut self, op: BinOp, a: ExprId, b: ExprId, ty: IntType) -> Option<Evaluated> {
        if op.is_comparison() {
            return self.compare(op, a, b);
        }
        if ty == IntType::BOOL {
            return self.truths(op, a, b);
        }
        let ((a, a_ty), a_defined) = self.word(a)?;
        let ((b, b_ty), b_defined) = self.word(b)?;
        let shifts = matches!(op, BinOp::Shl | BinOp::Shr);
        if a_ty != ty || (b_ty != ty && !shifts) {
            return None;
        }
        let defined = self.maker.terms.and([a_defined, b_defined]);
        Some(match op {
            BinOp::Add => self.ring(Ring::Add, a, b, ty, defined),
            BinOp::Sub => self.ring(Ring::Sub, a, b, ty, defined),
            BinOp::Mul => self.ring(Ring::Mul, a, b, ty, defined),
            BinOp::Div | BinOp::Rem => self.division(op, a, b, ty, defined),
            BinOp::Shl | BinOp::Shr => self.shift(op, (a, ty), (b, b_ty), defined),
            _ => {
                let terms = &mut self.maker.terms;
                let value = self.maker.encoding.bitwise(terms, op, a, b, ty);
                Evaluated { value: Some(value), defined }
            }
        })
    }

    /// Bit operations on truth values.
    fn truths(&mut self, op: BinOp, a: ExprId, b: ExprId) -> Option<Evaluated> {
        let (a, b) = (self.expr(a), self.expr(b));
        let (x, y) = (a.value?, b.value?);
        let terms = &mut self.maker.terms;
        if terms.sort(x) != Sort::Bool || terms.sort(y) != Sort::Bool {
            return None;
        }
        let value = match op {
            BinOp::BitAnd => terms.and([x, y]),
            BinOp::BitOr => terms.or([x, y]),
            BinOp::BitXor => terms.xor(x, y),
            _ => return None,
        };
        Some(Evaluated { value: Some(value), defined: terms.and([a.defined, b.defined]) })
    }

    fn division(&mut self, op: BinOp, a: Term, b: Term, ty: IntType, defined: Term) -> Evaluated {
        let Maker { encoding, ref mut terms, rules, .. } = *self.maker;
        let (quotient, rest) = encoding.divide(terms, a, b, ty);
        let zero = encoding.number(terms, &Int::ZERO, ty);
        let by_zero = encoding.equal(terms, b, zero);
        let mut faults = vec![(by_zero, rules.undefined_ends)];
        if ty.signed {
            let least = encoding.number(terms, &bounds(ty).0, ty);
            let minus_one = encoding.number(terms, &Int::NEG_ONE, ty);
            let (least, minus_one) =
                (encoding.equal(terms, a, least), encoding.equal(terms, b, minus_one));
            // Undefined even where signed overflow wraps.
            faults.push((terms.and([least, minus_one]), rules.overflow_ends));
        }
        let value = if op == BinOp::Div { quotient } else { rest };
        self.guarded(value, ty, defined, &faults)
    }

    fn shift(&mut self, op: BinOp, a: Word, amount: Word, defined: Term) -> Evaluated {
        let Maker { encoding, ref mut terms, rules, .. } = *self.maker;
        let value = encoding.shift(terms, op == BinOp::Shl, a, amount);
        let zero = encoding.number(terms, &Int::ZERO, amount.1);
        let mut outside = encoding.less(terms, amount.0, zero, amount.1);
        let width = Int::from(a.1.bits);
        if width <= bounds(amount.1).1 {
            let width = encoding.number(terms, &width, amount.1);
            let inside = encoding.less(terms, amount.0, width, amount.1);
            let too_far = terms.not(inside);
            outside = terms.or([outside, too_far]);
        }
        self.guarded(value, a.1, defined, &[(outside, rules.undefined_ends)])
    }

    fn compare(&mut self, op: BinOp, a: ExprId, b: ExprId) -> Option<Evaluated> {
        let ((a, ty), a_defined) = self.word(a)?;
        let ((b, b_ty), b_defined) = self.word(b)?;
        if ty != b_ty {
            return None;
        }
        let Maker { encoding, ref mut terms, .. } = *self.maker;
        let value = match op {
            BinOp::Eq | BinOp::Ne => encoding.equal(terms, a, b),
            BinOp::Lt | BinOp::Ge => encoding.less(terms, a, b, ty),
            _ => encoding.less(terms, b, a, ty),
        };
        let negated = matches!(op, BinOp::Ne | BinOp::Ge | BinOp::Le);
        let value = if negated { terms.not(value) } else { value };
        Some(Evaluated { value: Some(value), defined: terms.and([a_defined, b_defined]) })
    }

    /// `&&` and `||`: the right operand counts where the left one does not decide.
    fn lazy(&mut self, op: BinOp, a: ExprId, b: ExprId) -> Evaluated {
        let (a, b) = (self.truth(a), self.truth(b));
        let terms = &mut self.maker.terms;
        let (value, decided) = match op {
            BinOp::And => (terms.and([a.0, b.0]), terms.not(a.0)),
            _ => (terms.or([a.0, b.0]), a.0),
        };
        let rest = terms.or([decided, b.1]);
        Evaluated { value: Some(value), defined: terms.and([a.1, rest]) }
    }

    /// A condition and when it is defined; what is no condition may hold or not.
    pub fn truth(&mut self, id: ExprId) -> (Term, Term) {
        let Evaluated { value, defined } = self.expr(id);
        match value.filter(|value| self.maker.terms.sort(*value) == Sort::Bool) {
            Some(value) => (value, defined),
            None => (self.opaque(IntType::BOOL), defined),
        }
    }

    fn choice(&mut self, c: ExprId, yes: ExprId, no: ExprId, ty: IntType) -> Option<Evaluated> {
        let (holds, c_defined) = self.truth(c);
        let (yes, no) = (self.expr(yes), self.expr(no));
        let (a, b) = (yes.value?, no.value?);
        let terms = &mut self.maker.terms;
        let value = terms.ite(holds, a, b);
        let rest = terms.ite(holds, yes.defined, no.defined);
        let defined = terms.and([c_defined, rest]);
        debug_assert_eq!(self.maker.sort(ty), self.maker.terms.sort(value));
        Some(Evaluated { value: Some(value), defined })
    }

    fn overflows(&mut self, op: Arith, a: ExprId, b: ExprId, to: IntType) -> Option<Evaluated> {
        let (a, a_defined) = self.word(a)?;
        let (b, b_defined) = self.word(b)?;
        let Maker { encoding, ref mut terms, rules, .. } = *self.maker;
        let value = encoding.exceeds(terms, op, a, b, to);
        let defined = terms.and([a_defined, b_defined]);
        let mut faults = Vec::new();
        if op == Arith::Div {
            let zero = encoding.number(terms, &Int::ZERO, b.1);
            faults.push((encoding.equal(terms, b.0, zero), rules.undefined_ends));
        }
        Some(self.guarded(value, IntType::BOOL, defined, &faults))
    }

    fn cast(&mut self, a: ExprId, to: IntType) -> Option<Evaluated> {
        let (a, defined) = self.word(a)?;
        // A conversion to a truth value is a comparison; the IR has no such cast.
        if to == IntType::BOOL {
            return None;
        }
        let value = self.maker.encoding.cast(&mut self.maker.terms, a, to);
        Some(Evaluated { value: Some(value), defined })
    }
}

impl Evaluated {
    fn of(value: Term) -> Evaluated {
        Evaluated { value: Some(value), defined: Term::TRUE }
    }
}
