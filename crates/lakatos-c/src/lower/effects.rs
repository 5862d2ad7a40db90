//! What a C expression does besides having a value. Found out once per expression.

use lakatos_ir::Id;

use super::Lower;
use super::ops::LAZY_DEPTH;
use crate::ast::{CBuiltin, Expr, ExprId, ExprKind};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Flags(u8);

impl Flags {
    const NONE: Flags = Flags(0);
    const KNOWN: Flags = Flags(1);
    /// Lowering it emits edges, perhaps only to fill temporaries.
    const EMITS: Flags = Flags(2);
    /// It may change what an earlier operand's value depends on (and emits edges).
    const EFFECT: Flags = Flags(2 | 4);
    /// It assigns to a plain variable somewhere.
    const CHANGES: Flags = Flags(8);

    fn has(self, other: Flags) -> bool {
        self.0 & other.0 == other.0
    }

    fn or(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }
}

/// Calls `see` with the direct operands, in order of evaluation; not with what is inside the
/// statements of a statement expression.
pub(super) fn for_each_operand(kind: &ExprKind, mut see: impl FnMut(ExprId)) {
    match kind {
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::SizeofVla(_)
        | ExprKind::Var(_)
        | ExprKind::Str(_)
        | ExprKind::CompoundLiteral(_)
        | ExprKind::StmtExpr { .. }
        | ExprKind::Function(_) => {}
        ExprKind::Load(a)
        | ExprKind::Decay(a)
        | ExprKind::FnDecay(a)
        | ExprKind::AddrOf(a)
        | ExprKind::Convert { operand: a, .. }
        | ExprKind::Unary(_, a)
        | ExprKind::IncDec { lhs: a, .. }
        | ExprKind::VaArg(a)
        | ExprKind::Deref(a)
        | ExprKind::Member { base: a, .. } => see(*a),
        ExprKind::Binary(_, a, b)
        | ExprKind::Logical { lhs: a, rhs: b, .. }
        | ExprKind::PtrAdd { pointer: a, index: b, .. }
        | ExprKind::PtrDiff(a, b)
        | ExprKind::Assign { lhs: a, rhs: b }
        | ExprKind::AssignOp { lhs: a, rhs: b, .. }
        | ExprKind::Elvis { cond: a, els: b }
        | ExprKind::Comma(a, b)
        | ExprKind::Index { base: a, index: b } => {
            see(*a);
            see(*b);
        }
        ExprKind::Cond { cond, then, els } => {
            see(*cond);
            see(*then);
            see(*els);
        }
        ExprKind::Call { callee, args } => {
            see(*callee);
            args.iter().copied().for_each(see);
        }
        ExprKind::Builtin { args, .. } => args.iter().copied().for_each(see),
    }
}

pub(super) fn is_lvalue(kind: &ExprKind) -> bool {
    matches!(
        kind,
        ExprKind::Var(_)
            | ExprKind::Deref(_)
            | ExprKind::Index { .. }
            | ExprKind::Member { .. }
            | ExprKind::Str(_)
            | ExprKind::CompoundLiteral(_)
    )
}

impl Lower<'_> {
    /// Evaluating the expression may change the state.
    pub(super) fn has_effect(&mut self, e: ExprId) -> bool {
        self.flags(e).has(Flags::EFFECT)
    }

    /// The expression can stay inside a lazy operator: it emits no edges, not even because it is
    /// nested too deep.
    pub(super) fn is_lazy(&mut self, e: ExprId) -> bool {
        self.unit.exprs[e].depth <= LAZY_DEPTH && !self.flags(e).has(Flags::EMITS)
    }

    pub(super) fn changes_variable(&mut self, e: ExprId) -> bool {
        self.flags(e).has(Flags::CHANGES)
    }

    fn flags(&mut self, e: ExprId) -> Flags {
        let known = self.flags[e.index()];
        if known.has(Flags::KNOWN) {
            return known;
        }
        let expr = &self.unit.exprs[e];
        let flags = match expr.kind {
            // The usual kinds first.
            ExprKind::Int(_) | ExprKind::Var(_) => Flags::KNOWN,
            ExprKind::Load(a) => self.flags(a),
            ExprKind::Binary(_, a, b) | ExprKind::Logical { lhs: a, rhs: b, .. } => {
                self.flags(a).or(self.flags(b))
            }
            _ => {
                let mut flags = self.own_flags(expr).or(Flags::KNOWN);
                for_each_operand(&expr.kind, |operand| flags = flags.or(self.flags(operand)));
                flags
            }
        };
        self.flags[e.index()] = flags;
        flags
    }

    fn own_flags(&mut self, expr: &Expr) -> Flags {
        let unit = self.unit;
        let emits_if = |yes| if yes { Flags::EMITS } else { Flags::NONE };
        match &expr.kind {
            ExprKind::Assign { lhs, .. }
            | ExprKind::AssignOp { lhs, .. }
            | ExprKind::IncDec { lhs, .. } => match unit.exprs[*lhs].kind {
                ExprKind::Var(_) => Flags::EFFECT.or(Flags::CHANGES),
                _ => Flags::EFFECT,
            },
            ExprKind::Call { callee, .. } => match self.direct_callee(*callee) {
                Some(decl) if self.changes_nothing(decl) => Flags::EMITS,
                _ => Flags::EFFECT,
            },
            ExprKind::StmtExpr { .. } | ExprKind::VaArg(_) | ExprKind::CompoundLiteral(_) => {
                Flags::EFFECT
            }
            // A dropped value may have to be computed all the same.
            ExprKind::Comma(..) => Flags::EMITS,
            // The condition is used twice, so it goes into a temporary.
            ExprKind::Elvis { .. } => Flags::EMITS,
            ExprKind::SizeofVla(_) => Flags::EMITS,
            ExprKind::Builtin { builtin, .. } => match builtin {
                CBuiltin::Bswap
                | CBuiltin::Clz
                | CBuiltin::Ctz
                | CBuiltin::Popcount
                | CBuiltin::Parity
                | CBuiltin::Ffs => Flags::EMITS,
                _ => Flags::EFFECT,
            },
            ExprKind::Cond { .. } => emits_if(!unit.types.is_scalar(expr.ty)),
            ExprKind::Convert { .. } => {
                emits_if(unit.types.is_void(expr.ty) || self.is_variably_modified(expr.ty))
            }
            // A member of a value is read from a temporary.
            ExprKind::Member { base, .. } => {
                let base = &unit.exprs[*base].kind;
                emits_if(!is_lvalue(base) && !matches!(base, ExprKind::Load(_)))
            }
            ExprKind::Deref(_) => emits_if(unit.types.is_void(expr.ty)),
            _ => Flags::NONE,
        }
    }
}
