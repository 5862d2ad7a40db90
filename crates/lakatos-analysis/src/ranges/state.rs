//! What is known of variables at a place, and what expressions and conditions make of it.

use lakatos_encode::machine::Interval;
use lakatos_ir::{
    Arith, BinOp, ExprId, ExprKind, IntType, PlaceKind, Program, SignedOverflow, UnOp, VarId,
};
use lakatos_logic::number::Int;
use rustc_hash::FxHashMap;

/// Where variables are; of one that is not listed no more is known than its type says.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct State {
    pub ranges: FxHashMap<VarId, Interval>,
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
struct Truth {
    may_hold: bool,
    may_fail: bool,
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
    pub fn get(&self, var: VarId, ty: IntType) -> Interval {
        self.ranges.get(&var).cloned().unwrap_or_else(|| Interval::of(ty))
    }

    pub fn set(&mut self, var: VarId, ty: IntType, range: Interval) {
        match range.meet(&Interval::of(ty)).filter(|range| *range != Interval::of(ty)) {
            Some(range) => self.ranges.insert(var, range),
            None => self.ranges.remove(&var),
        };
    }

    pub fn forget(&mut self, var: VarId) {
        self.ranges.remove(&var);
    }

    /// What holds in both. Returns whether that is less than before.
    pub fn join(&mut self, other: &State) -> bool {
        let mut changed = false;
        self.ranges.retain(|var, range| {
            let Some(theirs) = other.ranges.get(var) else {
                changed = true;
                return false;
            };
            if !theirs.is_within(range) {
                *range = range.union(theirs);
                changed = true;
            }
            true
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
    fn loaded(self, e: ExprId) -> Option<(VarId, IntType)> {
        match self.program.exprs[e].kind {
            ExprKind::Load(place) => match self.program.places[place].kind {
                PlaceKind::Var(var) => is_followed(self.program, var).map(|ty| (var, ty)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Where the value of an integer expression is, if evaluating it is defined.
    pub fn range(self, state: &State, e: ExprId) -> Option<Interval> {
        let ty = self.int(e)?;
        let whole = || Interval::of(ty);
        Some(match self.program.exprs[e].kind {
            ExprKind::Int(value) => Interval::literal(value, ty),
            ExprKind::Load(_) => match self.loaded(e) {
                Some((var, ty)) => state.get(var, ty),
                None => whole(),
            },
            ExprKind::Unary(UnOp::Not, _) | ExprKind::Overflows(..) => self.truth(state, e).range(),
            ExprKind::Binary(op, ..) if op.is_comparison() || op.is_lazy() => {
                self.truth(state, e).range()
            }
            ExprKind::Unary(op, a) => Interval::unary(op, &self.range(state, a)?, ty, self.wraps()),
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.range(state, a)?, self.range(state, b)?);
                Interval::binary(op, &a, &b, ty, self.wraps())
            }
            ExprKind::Cast(a) => match self.int(a) {
                Some(_) => self.range(state, a)?.converted(ty),
                None => whole(),
            },
            ExprKind::Ite(c, a, b) => {
                let [one, other] =
                    [(true, a), (false, b)].map(|(holds, value)| match self.inside() {
                        Some(inside) => inside.range(&inside.learnt(state, c, holds).ok()?, value),
                        None => self.range(state, value),
                    });
                match (one, other) {
                    (Some(one), Some(other)) => one.union(&other),
                    (one, other) => one.or(other).unwrap_or_else(whole),
                }
            }
            _ => whole(),
        })
    }

    fn truth(self, state: &State, e: ExprId) -> Truth {
        match self.program.exprs[e].kind {
            ExprKind::Unary(UnOp::Not, a) => self.truth(state, a).not(),
            ExprKind::Binary(op @ (BinOp::And | BinOp::Or), a, b) => {
                let (a, b) = (self.truth(state, a), self.truth(state, b));
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
                match (self.range(state, a), self.range(state, b)) {
                    (Some(a), Some(b)) => compared(op, &a, &b),
                    _ => Truth::OPEN,
                }
            }
            ExprKind::Overflows(op, a, b, into) => {
                let (Some(a), Some(b)) = (self.range(state, a), self.range(state, b)) else {
                    return Truth::OPEN;
                };
                let (exact, fitting) = (Interval::exact(op, &a, &b), Interval::of(into));
                Truth {
                    may_hold: !exact.is_within(&fitting),
                    may_fail: exact.meet(&fitting).is_some(),
                }
            }
            _ => match self.range(state, e) {
                Some(range) => {
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
                *state = match (first, second) {
                    (Ok(mut first), Ok(second)) => {
                        first.join(&second);
                        first
                    }
                    (one, other) => one.or(other)?,
                };
                Ok(())
            }
            (&ExprKind::Binary(op, a, b), _) if op.is_comparison() => {
                let op = if holds { Some(op) } else { op.negated() };
                match (op, self.range(state, a), self.range(state, b)) {
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
                let value = Interval::point(Int::from(holds));
                self.restrict(state, condition, &value)
            }
            _ => Ok(()),
        }
    }

    /// The value of an expression lies in a range, too.
    fn restrict(self, state: &mut State, e: ExprId, range: &Interval) -> Result<(), Never> {
        let (Some(ty), Some(before)) = (self.int(e), self.range(state, e)) else { return Ok(()) };
        let range = before.meet(range).ok_or(Never)?;
        if range == before {
            return Ok(());
        }
        match self.program.exprs[e].kind {
            ExprKind::Load(_) => {
                if let Some((var, ty)) = self.loaded(e) {
                    state.set(var, ty, range);
                }
                Ok(())
            }
            ExprKind::Cast(a) => match self.int(a).and_then(|_| self.range(state, a)) {
                // The conversion changes nothing.
                Some(inner) if inner.is_within(&Interval::of(ty)) => {
                    self.restrict(state, a, &range)
                }
                _ => Ok(()),
            },
            ExprKind::Binary(op @ (BinOp::Add | BinOp::Sub), a, b) => {
                let op = if op == BinOp::Add { Arith::Add } else { Arith::Sub };
                let (Some(left), Some(right)) = (self.range(state, a), self.range(state, b)) else {
                    return Ok(());
                };
                let is_exact = Interval::exact(op, &left, &right).is_within(&Interval::of(ty));
                match is_exact || (ty.signed && !self.wraps()) {
                    true => self.restrict_sum(state, op, a, b, &range),
                    false => Ok(()),
                }
            }
            ExprKind::Ite(c, a, b) => {
                let Some(inside) = self.inside() else { return Ok(()) };
                // The branch whose values are not in the range was not taken.
                let [one, other] = [(true, a), (false, b)].map(|(holds, value)| {
                    let mut state = inside.learnt(state, c, holds)?;
                    inside.restrict(&mut state, value, &range).map(|()| state)
                });
                *state = match (one, other) {
                    (Ok(mut one), Ok(other)) => {
                        one.join(&other);
                        one
                    }
                    (one, other) => one.or(other)?,
                };
                Ok(())
            }
            ExprKind::Unary(UnOp::Not, _) => match range.constant() {
                Some(value) => self.learn(state, e, !value.is_zero()),
                None => Ok(()),
            },
            ExprKind::Binary(op, ..) if op.is_comparison() || op.is_lazy() => {
                match range.constant() {
                    Some(value) => self.learn(state, e, !value.is_zero()),
                    None => Ok(()),
                }
            }
            _ => Ok(()),
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
        let (Some(left), Some(right)) = (self.range(state, a), self.range(state, b)) else {
            return Ok(());
        };
        let (of_left, of_right) = match op {
            Arith::Add => {
                (Interval::exact(Arith::Sub, sum, &right), Interval::exact(Arith::Sub, sum, &left))
            }
            _ => {
                (Interval::exact(Arith::Add, sum, &right), Interval::exact(Arith::Sub, &left, sum))
            }
        };
        self.restrict(state, a, &of_left)?;
        self.restrict(state, b, &of_right)
    }
}

/// Whether numbers of two ranges compare.
fn compared(op: BinOp, a: &Interval, b: &Interval) -> Truth {
    let truth = |may_hold, may_fail| Truth { may_hold, may_fail };
    match op {
        BinOp::Eq => truth(a.meet(b).is_some(), !(a.constant().is_some() && a == b)),
        BinOp::Lt => truth(a.low < b.high, a.high >= b.low),
        BinOp::Le => truth(a.low <= b.high, a.high > b.low),
        BinOp::Ne => compared(BinOp::Eq, a, b).not(),
        BinOp::Ge => compared(BinOp::Lt, a, b).not(),
        BinOp::Gt => compared(BinOp::Le, a, b).not(),
        _ => Truth::OPEN,
    }
}

/// The comparison with its sides exchanged.
fn mirrored(op: BinOp) -> BinOp {
    match op {
        BinOp::Lt => BinOp::Gt,
        BinOp::Le => BinOp::Ge,
        BinOp::Gt => BinOp::Lt,
        BinOp::Ge => BinOp::Le,
        other => other,
    }
}

/// Of the numbers in `a`, those that compare so with one in `b`.
fn allowed(op: BinOp, a: &Interval, b: &Interval) -> Result<Interval, Never> {
    let Interval { mut low, mut high } = a.clone();
    match op {
        BinOp::Eq => return a.meet(b).ok_or(Never),
        BinOp::Lt => high = high.min(&b.high - Int::ONE),
        BinOp::Le => high = high.min(b.high.clone()),
        BinOp::Gt => low = low.max(&b.low + Int::ONE),
        BinOp::Ge => low = low.max(b.low.clone()),
        BinOp::Ne => {
            if b.constant() == Some(&low) {
                low += Int::ONE;
            } else if b.constant() == Some(&high) {
                high -= Int::ONE;
            }
        }
        _ => {}
    }
    Interval::new(low, high).ok_or(Never)
}
