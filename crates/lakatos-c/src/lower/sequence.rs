//! A warning where C leaves the order of two accesses open and it matters (C11 6.5p2): a plain
//! variable is changed in one operand and used in another, unsequenced one. Lakatos evaluates
//! left to right; a compiler may not.

use lakatos_ir::{Decision, Diagnostic, Span};

use super::Lower;
use crate::ast::{DeclId, ExprId, ExprKind};

/// More variables than this in one expression are not looked at.
const MAX_VARIABLES: usize = 64;

/// Plain variables that an expression reads and changes.
#[derive(Debug, Default)]
struct Accesses {
    reads: Vec<DeclId>,
    changes: Vec<DeclId>,
    /// Changes that need not be done when the value of the expression is known.
    pending: Vec<DeclId>,
}

impl Accesses {
    fn join(&mut self, mut other: Accesses) {
        self.reads.append(&mut other.reads);
        self.changes.append(&mut other.changes);
        self.pending.append(&mut other.pending);
        self.reads.truncate(MAX_VARIABLES);
        self.changes.truncate(MAX_VARIABLES);
        self.pending.truncate(MAX_VARIABLES);
    }

    /// `self` is sequenced before `other`.
    fn then(&mut self, other: Accesses) {
        self.pending.clear();
        self.join(other);
    }

    fn conflict(&self, other: &Accesses) -> Option<DeclId> {
        let hits = |changes: &[DeclId], there: &Accesses| {
            let used = |d: &&DeclId| there.reads.contains(d) || there.changes.contains(d);
            changes.iter().find(used).copied()
        };
        hits(&self.changes, other).or_else(|| hits(&other.changes, self))
    }
}

impl Lower<'_> {
    /// Checks a full expression.
    pub(super) fn warn_unsequenced(&mut self, e: ExprId) {
        if !self.changes_variable(e) {
            return;
        }
        // `x = …` and `x++` alone, the usual cases.
        let inner = match self.unit.exprs[e].kind {
            ExprKind::Assign { lhs, rhs } | ExprKind::AssignOp { lhs, rhs, .. } => {
                self.changes_variable(lhs) || self.changes_variable(rhs)
            }
            ExprKind::IncDec { lhs, .. } => self.changes_variable(lhs),
            _ => true,
        };
        if inner {
            let mut found = Vec::new();
            self.accesses(e, &mut found);
            found.sort_by_key(|&(span, decl)| (decl, span));
            found.dedup_by_key(|&mut (_, decl)| decl);
            for (span, decl) in found {
                let message = format!(
                    "`{}` is changed in one operand and used in another, and C leaves their order \
                     open; it is evaluated left to right here",
                    self.name(decl)
                );
                let warning = Diagnostic::warning(span, message);
                self.warnings.push(warning.decision(Decision::EvaluationOrder));
            }
        }
    }

    fn accesses(&self, e: ExprId, found: &mut Vec<(Span, DeclId)>) -> Accesses {
        let expr = &self.unit.exprs[e];
        match &expr.kind {
            ExprKind::Load(lvalue) => match self.unit.exprs[*lvalue].kind {
                ExprKind::Var(decl) => Accesses { reads: vec![decl], ..Accesses::default() },
                _ => self.accesses(*lvalue, found),
            },
            ExprKind::Comma(..)
            | ExprKind::Logical { .. }
            | ExprKind::Cond { .. }
            | ExprKind::Elvis { .. } => {
                let mut all = Accesses::default();
                expr.kind.for_each_operand(|o| all.then(self.accesses(o, found)));
                all
            }
            ExprKind::Assign { lhs, rhs } => {
                let left = self.accesses(*lhs, found);
                self.assigning(expr.span, *lhs, left, Some(*rhs), found)
            }
            ExprKind::AssignOp { lhs, rhs, .. } => {
                let mut left = self.accesses(*lhs, found);
                if let ExprKind::Var(decl) = self.unit.exprs[*lhs].kind {
                    left.reads.push(decl);
                }
                self.assigning(expr.span, *lhs, left, Some(*rhs), found)
            }
            ExprKind::IncDec { lhs, .. } => {
                let left = self.accesses(*lhs, found);
                self.assigning(expr.span, *lhs, left, None, found)
            }
            ExprKind::Call { .. } => {
                let mut all = self.unsequenced(expr.span, &expr.kind, found);
                all.pending.clear();
                all
            }
            kind => self.unsequenced(expr.span, kind, found),
        }
    }

    fn unsequenced(
        &self,
        span: Span,
        kind: &ExprKind,
        found: &mut Vec<(Span, DeclId)>,
    ) -> Accesses {
        let mut all = Accesses::default();
        kind.for_each_operand(|operand| {
            let accesses = self.accesses(operand, found);
            found.extend(all.conflict(&accesses).map(|decl| (span, decl)));
            all.join(accesses);
        });
        all
    }

    fn assigning(
        &self,
        span: Span,
        lhs: ExprId,
        mut left: Accesses,
        rhs: Option<ExprId>,
        found: &mut Vec<(Span, DeclId)>,
    ) -> Accesses {
        let right = rhs.map(|rhs| self.accesses(rhs, found)).unwrap_or_default();
        found.extend(left.conflict(&right).map(|decl| (span, decl)));
        left.join(right);
        if let ExprKind::Var(decl) = self.unit.exprs[lhs].kind {
            if left.pending.contains(&decl) {
                found.push((span, decl));
            }
            left.changes.push(decl);
            left.pending.push(decl);
        }
        left
    }
}
