//! What is known of variables at a place, and what expressions and conditions make of it.

use std::rc::Rc;

use lakatos_encode::machine::Interval;
use lakatos_ir::{
    Arith, BinOp, ExprId, ExprKind, IntType, PlaceKind, Program, SignedOverflow, UnOp, VarId,
};
use lakatos_logic::number::Int;

use super::number::Number;

/// Where variables are; of one that is not listed no more is known than its type says. States are
/// copied much more often than they change, and one differs little from the one before.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct State {
    /// In the order of variables.
    numbers: Rc<Vec<(VarId, Rc<Number>)>>,
}

/// What becomes of a number.
pub(super) enum Change {
    Keep,
    Forget,
    To(Number),
}

impl Change {
    /// The number is one of a type now.
    pub fn to(number: Number, ty: IntType) -> Change {
        match number == Number::of(ty) {
            true => Change::Forget,
            false => Change::To(number),
        }
    }
}

/// No value is left: what was learnt never happens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Never;

/// Only instructions that name such a variable change it.
pub(super) fn is_followed(program: &Program, var: VarId) -> Option<IntType> {
    let var = &program.vars[var];
    var.ty.as_int().filter(|_| !var.address_taken)
}

/// The program, and how it computes.
#[derive(Clone, Copy)]
pub(super) struct Meaning<'p> {
    pub program: &'p Program,
    pub signed_overflow: SignedOverflow,
    /// So many choices inside each other are told apart.
    choices: u32,
}

/// Each choice inside another one costs several times as much.
const CHOICES: u32 = 3;

/// Which truth values a condition may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Truth {
    pub may_hold: bool,
    pub may_fail: bool,
}

impl Truth {
    const OPEN: Truth = Truth { may_hold: true, may_fail: true };

    fn not(self) -> Truth {
        Truth { may_hold: self.may_fail, may_fail: self.may_hold }
    }

    fn range(self) -> Interval {
        let (low, high) = (Int::from(!self.may_fail), Int::from(self.may_hold));
        Interval::new(low, high).unwrap_or_else(|| Interval::of(IntType::BOOL))
    }
}

impl State {
    /// What is known of variables besides their types, in order.
    pub fn iter(&self) -> impl Iterator<Item = (VarId, &Number)> {
        self.numbers.iter().map(|(var, number)| (*var, &**number))
    }

    fn place(&self, var: VarId) -> Result<usize, usize> {
        self.numbers.binary_search_by_key(&var, |(other, _)| *other)
    }

    /// What is known of a variable besides its type.
    pub fn known(&self, var: VarId) -> Option<&Number> {
        self.place(var).ok().map(|place| &*self.numbers[place].1)
    }

    pub fn get(&self, var: VarId, ty: IntType) -> Number {
        self.known(var).cloned().unwrap_or_else(|| Number::of(ty))
    }

    pub fn set(&mut self, var: VarId, ty: IntType, number: Number) {
        let whole = Number::of(ty);
        let Some(number) = number.meet(&whole).filter(|number| *number != whole) else {
            return self.forget(var);
        };
        match self.place(var) {
            Ok(place) if *self.numbers[place].1 == number => {}
            Ok(place) => Rc::make_mut(&mut self.numbers)[place].1 = Rc::new(number),
            Err(place) => Rc::make_mut(&mut self.numbers).insert(place, (var, Rc::new(number))),
        }
    }

    pub fn forget(&mut self, var: VarId) {
        if let Ok(place) = self.place(var) {
            Rc::make_mut(&mut self.numbers).remove(place);
        }
    }

    /// Forgets the other variables.
    pub fn retain(&mut self, mut is_kept: impl FnMut(VarId) -> bool) {
        self.change(|var, _| if is_kept(var) { Change::Keep } else { Change::Forget });
    }

    pub fn change(&mut self, mut change: impl FnMut(VarId, &Number) -> Change) {
        let mut changed: Option<Vec<(VarId, Rc<Number>)>> = None;
        for (place, (var, number)) in self.numbers.iter().enumerate() {
            let change = change(*var, number);
            if matches!(change, Change::Keep) && changed.is_none() {
                continue;
            }
            let changed = changed.get_or_insert_with(|| self.numbers[..place].to_vec());
            match change {
                Change::Keep => changed.push((*var, number.clone())),
                Change::To(number) => changed.push((*var, Rc::new(number))),
                Change::Forget => {}
            }
        }
        if let Some(changed) = changed {
            self.numbers = Rc::new(changed);
        }
    }

    /// What holds in both. Returns whether that is less than before.
    pub fn join(&mut self, other: &State) -> bool {
        if Rc::ptr_eq(&self.numbers, &other.numbers) {
            return false;
        }
        let mut theirs = other.numbers.iter().peekable();
        let mut changed = false;
        self.change(|var, number| {
            while theirs.next_if(|(other, _)| *other < var).is_some() {}
            let change = match theirs.next_if(|(other, _)| *other == var) {
                None => Change::Forget,
                Some((_, theirs)) if theirs.is_within(number) => Change::Keep,
                Some((_, theirs)) => Change::To(number.union(theirs)),
            };
            changed |= !matches!(change, Change::Keep);
            change
        });
        changed
    }
}

impl<'p> Meaning<'p> {
    pub fn new(program: &'p Program, signed_overflow: SignedOverflow) -> Meaning<'p> {
        Meaning { program, signed_overflow, choices: CHOICES }
    }

    /// Inside a choice.
    fn inside(self) -> Option<Meaning<'p>> {
        Some(Meaning { choices: self.choices.checked_sub(1)?, ..self })
    }

    fn int(self, e: ExprId) -> Option<IntType> {
        self.program.exprs[e].ty.as_int()
    }

    fn wraps(self) -> bool {
        self.signed_overflow == SignedOverflow::Wrap
    }

    /// The variable whose value this is, if it is followed.
    pub fn loaded(self, e: ExprId) -> Option<(VarId, IntType)> {
        match self.program.exprs[e].kind {
            ExprKind::Load(place) => match self.program.places[place].kind {
                PlaceKind::Var(var) => is_followed(self.program, var).map(|ty| (var, ty)),
                _ => None,
            },
            _ => None,
        }
    }

    /// The value of an integer expression, if evaluating it is defined.
    pub fn number(self, state: &State, e: ExprId) -> Option<Number> {
        let ty = self.int(e)?;
        let whole = || Number::of(ty);
        Some(match self.program.exprs[e].kind {
            ExprKind::Int(value) => Number::literal(value, ty),
            ExprKind::Load(_) => match self.loaded(e) {
                Some((var, ty)) => state.get(var, ty),
                None => whole(),
            },
            ExprKind::Unary(UnOp::Not, _) | ExprKind::Overflows(..) => {
                self.truth(state, e).range().into()
            }
            ExprKind::Binary(op, ..) if op.is_comparison() || op.is_lazy() => {
                self.truth(state, e).range().into()
            }
            ExprKind::Unary(op, a) => Number::unary(op, &self.number(state, a)?, ty, self.wraps()),
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.number(state, a)?, self.number(state, b)?);
                Number::binary(op, &a, &b, ty, self.wraps())
            }
            ExprKind::Cast(a) => match self.int(a) {
                Some(_) => self.number(state, a)?.converted(ty),
                None => whole(),
            },
            ExprKind::Ite(c, a, b) => {
                let [one, other] =
                    [(true, a), (false, b)].map(|(holds, value)| match self.inside() {
                        Some(inside) => inside.number(&inside.learnt(state, c, holds).ok()?, value),
                        None => self.number(state, value),
                    });
                match (one, other) {
                    (Some(one), Some(other)) => one.union(&other),
                    (one, other) => one.or(other).unwrap_or_else(whole),
                }
            }
            _ => whole(),
        })
    }

    pub fn truth(self, state: &State, e: ExprId) -> Truth {
        match self.program.exprs[e].kind {
            ExprKind::Unary(UnOp::Not, a) => self.truth(state, a).not(),
            ExprKind::Binary(op @ (BinOp::And | BinOp::Or), a, b) => {
                let a = self.truth(state, a);
                let decides = if op == BinOp::And { !a.may_hold } else { !a.may_fail };
                if decides {
                    return a;
                }
                let b = self.truth(state, b);
                match op {
                    BinOp::And => Truth {
                        may_hold: a.may_hold && b.may_hold,
                        may_fail: a.may_fail || b.may_fail,
                    },
                    _ => Truth {
                        may_hold: a.may_hold || b.may_hold,
                        may_fail: a.may_fail && b.may_fail,
                    },
                }
            }
            ExprKind::Binary(op, a, b) if op.is_comparison() => {
                match (self.number(state, a), self.number(state, b)) {
                    (Some(a), Some(b)) => compared(op, &a, &b),
                    _ => Truth::OPEN,
                }
            }
            ExprKind::Overflows(op, a, b, into) => {
                let (Some(a), Some(b)) = (self.number(state, a), self.number(state, b)) else {
                    return Truth::OPEN;
                };
                let (exact, fitting) =
                    (Interval::exact(op, &a.range, &b.range), Interval::of(into));
                Truth {
                    may_hold: !exact.is_within(&fitting),
                    may_fail: exact.meet(&fitting).is_some(),
                }
            }
            _ => match self.number(state, e) {
                Some(Number { range, .. }) => {
                    Truth { may_hold: range.high >= Int::ONE, may_fail: range.low <= Int::ZERO }
                }
                None => Truth::OPEN,
            },
        }
    }

    /// The state where a condition also has this truth value.
    pub fn learnt(self, state: &State, condition: ExprId, holds: bool) -> Result<State, Never> {
        let mut state = state.clone();
        self.learn(&mut state, condition, holds)?;
        Ok(state)
    }

    pub fn learn(self, state: &mut State, condition: ExprId, holds: bool) -> Result<(), Never> {
        let truth = self.truth(state, condition);
        if !(if holds { truth.may_hold } else { truth.may_fail }) {
            return Err(Never);
        }
        match (&self.program.exprs[condition].kind, holds) {
            (&ExprKind::Unary(UnOp::Not, a), _) => self.learn(state, a, !holds),
            (&ExprKind::Binary(BinOp::And, a, b), true)
            | (&ExprKind::Binary(BinOp::Or, a, b), false) => {
                self.learn(state, a, holds)?;
                self.learn(state, b, holds)
            }
            (&ExprKind::Binary(BinOp::And | BinOp::Or, a, b), _) => {
                // One of the two; the second only where the first has not decided.
                let Some(inside) = self.inside() else { return Ok(()) };
                let first = inside.learnt(state, a, holds);
                let second =
                    inside.learnt(state, a, !holds).and_then(|s| inside.learnt(&s, b, holds));
                *state = either(first, second)?;
                Ok(())
            }
            (&ExprKind::Binary(op, a, b), _) if op.is_comparison() => {
                let op = if holds { Some(op) } else { op.negated() };
                match (op, self.number(state, a), self.number(state, b)) {
                    (Some(op), Some(left), Some(right)) => {
                        self.restrict(state, a, &allowed(op, &left, &right)?)?;
                        self.restrict(state, b, &allowed(mirrored(op), &right, &left)?)
                    }
                    _ => Ok(()),
                }
            }
            (&ExprKind::Overflows(op @ (Arith::Add | Arith::Sub), a, b, into), false) => {
                self.restrict_sum(state, op, a, b, &Interval::of(into))
            }
            _ if self.loaded(condition).is_some() => {
                let value = Interval::point(Int::from(holds)).into();
                self.restrict(state, condition, &value)
            }
            _ => Ok(()),
        }
    }

    /// The value of an expression is such a number, too.
    fn restrict(self, state: &mut State, e: ExprId, number: &Number) -> Result<(), Never> {
        let (Some(ty), Some(before)) = (self.int(e), self.number(state, e)) else { return Ok(()) };
        let number = before.meet(number).ok_or(Never)?;
        if number == before {
            return Ok(());
        }
        match self.program.exprs[e].kind {
            ExprKind::Load(_) => {
                if let Some((var, ty)) = self.loaded(e) {
                    state.set(var, ty, number);
                }
                Ok(())
            }
            ExprKind::Cast(a) => match self.int(a).and_then(|_| self.number(state, a)) {
                // The conversion changes nothing.
                Some(inner) if inner.range.is_within(&Interval::of(ty)) => {
                    self.restrict(state, a, &number)
                }
                _ => Ok(()),
            },
            ExprKind::Binary(op @ (BinOp::Add | BinOp::Sub), a, b) => {
                let op = if op == BinOp::Add { Arith::Add } else { Arith::Sub };
                let (Some(left), Some(right)) = (self.number(state, a), self.number(state, b))
                else {
                    return Ok(());
                };
                let exact = Interval::exact(op, &left.range, &right.range);
                let is_exact = exact.is_within(&Interval::of(ty));
                match is_exact || (ty.signed && !self.wraps()) {
                    true => self.restrict_sum(state, op, a, b, &number.range),
                    false => Ok(()),
                }
            }
            ExprKind::Ite(c, a, b) => {
                let Some(inside) = self.inside() else { return Ok(()) };
                // The branch whose values are not in the range was not taken.
                let [one, other] = [(true, a), (false, b)].map(|(holds, value)| {
                    let mut state = inside.learnt(state, c, holds)?;
                    inside.restrict(&mut state, value, &number).map(|()| state)
                });
                *state = either(one, other)?;
                Ok(())
            }
            _ => match number.range.constant() {
                Some(value) if ty == IntType::BOOL => self.learn(state, e, !value.is_zero()),
                _ => Ok(()),
            },
        }
    }

    /// The exact sum (or difference) of two expressions lies in a range.
    fn restrict_sum(
        self,
        state: &mut State,
        op: Arith,
        a: ExprId,
        b: ExprId,
        sum: &Interval,
    ) -> Result<(), Never> {
        let (Some(left), Some(right)) = (self.number(state, a), self.number(state, b)) else {
            return Ok(());
        };
        let (left, right) = (left.range, right.range);
        let (of_left, of_right) = match op {
            Arith::Add => {
                (Interval::exact(Arith::Sub, sum, &right), Interval::exact(Arith::Sub, sum, &left))
            }
            _ => {
                (Interval::exact(Arith::Add, sum, &right), Interval::exact(Arith::Sub, &left, sum))
            }
        };
        self.restrict(state, a, &of_left.into())?;
        self.restrict(state, b, &of_right.into())
    }
}

/// What holds in both, of those that happen.
fn either(one: Result<State, Never>, other: Result<State, Never>) -> Result<State, Never> {
    match (one, other) {
        (Ok(mut one), Ok(other)) => {
            one.join(&other);
            Ok(one)
        }
        (one, other) => one.or(other),
    }
}

/// Whether numbers compare.
fn compared(op: BinOp, a: &Number, b: &Number) -> Truth {
    let truth = |may_hold, may_fail| Truth { may_hold, may_fail };
    let (left, right) = (&a.range, &b.range);
    match op {
        BinOp::Eq => truth(a.meet(b).is_some(), !(left.constant().is_some() && left == right)),
        BinOp::Lt => truth(left.low < right.high, left.high >= right.low),
        BinOp::Le => truth(left.low <= right.high, left.high > right.low),
        BinOp::Ne => compared(BinOp::Eq, a, b).not(),
        BinOp::Ge => compared(BinOp::Lt, a, b).not(),
        BinOp::Gt => compared(BinOp::Le, a, b).not(),
        _ => Truth::OPEN,
    }
}

/// The comparison with its sides exchanged.
pub(super) fn mirrored(op: BinOp) -> BinOp {
    match op {
        BinOp::Lt => BinOp::Gt,
        BinOp::Le => BinOp::Ge,
        BinOp::Gt => BinOp::Lt,
        BinOp::Ge => BinOp::Le,
        other => other,
    }
}

/// Of the numbers in `a`, those that compare so with one in `b`.
fn allowed(op: BinOp, a: &Number, b: &Number) -> Result<Number, Never> {
    let Interval { mut low, mut high } = a.range.clone();
    let (other, only) = (&b.range, b.range.constant());
    match op {
        BinOp::Eq => return a.meet(b).ok_or(Never),
        BinOp::Lt => high = high.min(&other.high - Int::ONE),
        BinOp::Le => high = high.min(other.high.clone()),
        BinOp::Gt => low = low.max(&other.low + Int::ONE),
        BinOp::Ge => low = low.max(other.low.clone()),
        BinOp::Ne => {
            if only == Some(&low) {
                low += Int::ONE;
            } else if only == Some(&high) {
                high -= Int::ONE;
            }
        }
        _ => {}
    }
    let range = Interval::new(low, high).ok_or(Never)?;
    a.meet(&range.into()).ok_or(Never)
}
