//! Conditions and choices taken apart: several states instead of what they have in common.

use lakatos_ir::{BinOp, ExprId, ExprKind, IntType, UnOp};

use super::number::Number;
use super::state::{Meaning, State};

/// Cases of one condition that are told apart.
const MOST_CASES: usize = 32;

impl Meaning<'_> {
    /// The states in which a condition has this truth value: several, where it has it for several
    /// reasons.
    pub fn cases(self, state: &State, condition: ExprId, holds: bool) -> Vec<State> {
        let cases = self.reasons(state, condition, holds);
        match cases.len() <= MOST_CASES {
            true => cases,
            false => self.learnt(state, condition, holds).into_iter().collect(),
        }
    }

    fn reasons(self, state: &State, condition: ExprId, holds: bool) -> Vec<State> {
        let truth = self.truth(state, condition);
        let (may, may_not) = match holds {
            true => (truth.may_hold, truth.may_fail),
            false => (truth.may_fail, truth.may_hold),
        };
        if !may || !may_not {
            return may.then(|| state.clone()).into_iter().collect();
        }
        let learnt = || self.learnt(state, condition, holds).into_iter().collect();
        match (&self.program.exprs[condition].kind, holds) {
            (&ExprKind::Unary(UnOp::Not, a), _) => self.reasons(state, a, !holds),
            (&ExprKind::Binary(BinOp::And, a, b), true)
            | (&ExprKind::Binary(BinOp::Or, a, b), false) => {
                let first = self.cases(state, a, holds).into_iter();
                first.flat_map(|state| self.cases(&state, b, holds)).collect()
            }
            (&ExprKind::Binary(BinOp::And | BinOp::Or, a, b), _) => {
                // The second only where the first has not decided.
                let mut cases = self.cases(state, a, holds);
                let rest = self.cases(state, a, !holds).into_iter();
                cases.extend(rest.flat_map(|state| self.cases(&state, b, holds)));
                cases
            }
            (&ExprKind::Binary(op @ (BinOp::Eq | BinOp::Ne), a, b), _)
                if (op == BinOp::Ne) == holds =>
            {
                self.on_both_sides(state, a, b).unwrap_or_else(learnt)
            }
            _ => learnt(),
        }
    }

    /// A variable that differs from a constant is less or greater.
    fn on_both_sides(self, state: &State, a: ExprId, b: ExprId) -> Option<Vec<State>> {
        let known = |e: ExprId| self.number(state, e)?.range.constant().cloned();
        let (var, ty, constant) = match (self.loaded(a), self.loaded(b)) {
            (Some((var, ty)), _) => (var, ty, known(b)?),
            (_, Some((var, ty))) => (var, ty, known(a)?),
            _ => return None,
        };
        let sides = state.get(var, ty).around(&constant);
        let with = |number: Number| {
            let mut state = state.clone();
            state.set(var, ty, number);
            state
        };
        Some(sides.into_iter().map(with).collect())
    }

    /// The values of an expression, and the states in which it has them: several, where the program
    /// chooses.
    pub fn values(self, state: &State, e: ExprId) -> Vec<(State, Option<Number>)> {
        let values = self.choices_of(state, e);
        match values.len() <= MOST_CASES {
            true => values,
            false => vec![(state.clone(), self.number(state, e))],
        }
    }

    fn choices_of(self, state: &State, e: ExprId) -> Vec<(State, Option<Number>)> {
        let expr = &self.program.exprs[e];
        let as_is = || vec![(state.clone(), self.number(state, e))];
        match (&expr.kind, expr.ty.as_int()) {
            (&ExprKind::Cast(a), Some(ty)) if self.program.exprs[a].ty.as_int().is_some() => {
                let values = self.values(state, a).into_iter();
                values.map(|(state, value)| (state, value.map(|v| v.converted(ty)))).collect()
            }
            (&ExprKind::Ite(c, a, b), Some(_)) => {
                let ways = [(true, a), (false, b)].into_iter();
                ways.flat_map(|(holds, value)| {
                    let states = self.cases(state, c, holds).into_iter();
                    states.flat_map(move |state| self.values(&state, value))
                })
                .collect()
            }
            (ExprKind::Unary(UnOp::Not, _), Some(ty)) => self.truths(state, e, ty),
            (ExprKind::Binary(op, ..), Some(ty)) if op.is_comparison() || op.is_lazy() => {
                self.truths(state, e, ty)
            }
            _ => as_is(),
        }
    }

    /// A condition as a number.
    fn truths(self, state: &State, e: ExprId, ty: IntType) -> Vec<(State, Option<Number>)> {
        let ways = [true, false].into_iter();
        ways.flat_map(|holds| {
            let states = self.cases(state, e, holds).into_iter();
            states.map(move |state| (state, Some(Number::literal(holds.into(), ty))))
        })
        .collect()
    }
}
