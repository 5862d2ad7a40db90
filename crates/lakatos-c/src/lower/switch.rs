//! `switch`: one location from which an edge leads to every case.

use lakatos_ir::{BinOp, ExprId, InputKind, Instr, LocId, Span, Type};

use super::Lower;
use super::graph::NOWHERE;
use super::jump::{Loop, Spot};
use crate::ast::{ExprId as CExprId, StmtId};

#[derive(Debug, Default)]
pub(super) struct Switch {
    cases: Vec<Case>,
    default: Option<(LocId, Spot, Span)>,
}

#[derive(Clone, Copy, Debug)]
struct Case {
    low: i128,
    high: i128,
    loc: LocId,
    spot: Spot,
    span: Span,
}

impl Lower<'_> {
    pub(super) fn switch(&mut self, cond: CExprId, body: StmtId, span: Span) {
        self.warn_unsequenced(cond);
        let mut value = self.value(cond);
        if self.may_be_undefined(value) {
            value = self.spill(value);
        }
        let (fan, spot) = (self.f.at, self.spot());
        let end = self.fresh();
        self.f.at = NOWHERE;
        self.f.switches.push(Switch::default());
        let scope = self.f.scope;
        self.f.loops.push(Loop { break_to: end, continue_to: None, scope });
        self.stmt(body);
        self.f.loops.pop();
        self.jump(end, span);
        if let Some(switch) = self.f.switches.pop() {
            let cond_span = self.unit.exprs[cond].span;
            self.dispatch(switch, value, (fan, spot), end, cond_span);
        }
        self.f.at = end;
    }

    pub(super) fn case(&mut self, low: i128, high: i128, span: Span) {
        let (loc, spot) = self.case_loc(span);
        if let Some(switch) = self.f.switches.last_mut() {
            switch.cases.push(Case { low, high, loc, spot, span });
        }
    }

    pub(super) fn default(&mut self, span: Span) {
        let (loc, spot) = self.case_loc(span);
        if let Some(switch) = self.f.switches.last_mut() {
            switch.default = Some((loc, spot, span));
        }
    }

    fn case_loc(&mut self, span: Span) -> (LocId, Spot) {
        let loc = self.fresh();
        self.join(loc, span);
        self.f.graph.revive(loc);
        (loc, self.spot())
    }

    /// The edges to the cases, exclusive and exhaustive.
    fn dispatch(
        &mut self,
        switch: Switch,
        value: ExprId,
        from: (LocId, Spot),
        end: LocId,
        span: Span,
    ) {
        let mut others = Vec::with_capacity(switch.cases.len());
        for case in &switch.cases {
            let (matches, differs) = self.case_condition(value, case);
            others.push(differs);
            self.arrive(from, Instr::Assume(matches), (case.loc, case.spot), span);
        }
        let (loc, spot) = match switch.default {
            Some((loc, spot, _)) => (loc, spot),
            None => (end, from.1),
        };
        let instr = match self.conjunction(&others, span) {
            Some(none) => Instr::Assume(none),
            None => Instr::Skip,
        };
        self.arrive(from, instr, (loc, spot), span);
    }

    fn arrive(&mut self, from: (LocId, Spot), instr: Instr, to: (LocId, Spot), span: Span) {
        self.f.at = from.0;
        if self.is_live() {
            self.emit(instr, span);
            self.pass(from.1, to.1, InputKind::Uninitialised, span);
            self.jump(to.0, span);
        }
    }

    /// Whether the value is one of the case's, and whether it is not.
    fn case_condition(&mut self, value: ExprId, case: &Case) -> (ExprId, ExprId) {
        let span = case.span;
        let low = self.int_like(case.low, value);
        if case.low == case.high {
            let matches = self.binary(BinOp::Eq, value, low, Type::BOOL, span);
            return (matches, self.negate(matches));
        }
        let high = self.int_like(case.high, value);
        let above = self.binary(BinOp::Ge, value, low, Type::BOOL, span);
        let below = self.binary(BinOp::Le, value, high, Type::BOOL, span);
        let matches = self.binary(BinOp::And, above, below, Type::BOOL, span);
        let (not_above, not_below) = (self.negate(above), self.negate(below));
        (matches, self.binary(BinOp::Or, not_above, not_below, Type::BOOL, span))
    }

    /// All of the truth values, as a balanced tree; `None` for none.
    fn conjunction(&mut self, truths: &[ExprId], span: Span) -> Option<ExprId> {
        match *truths {
            [] => None,
            [single] => Some(single),
            _ => {
                let (left, right) = truths.split_at(truths.len() / 2);
                let left = self.conjunction(left, span)?;
                let right = self.conjunction(right, span)?;
                Some(self.binary(BinOp::And, left, right, Type::BOOL, span))
            }
        }
    }
}
