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

    fn has(self, other: Flags) -> bool {
        self.0 & other.0 == other.0
    }

    fn or(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }
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

    fn flags(&mut self, e: ExprId) -> Flags {
        let known = self.flags[e.index()];
        if known.has(Flags::KNOWN) {
            return known;
        }
        let expr = &self.unit.exprs[e];
        let flags = match expr.kind {
            // The usual kinds first.
            ExprKind::Int(_) | ExprKind::Var(_) => Flags::KNOWN,
            ExprKind::Load(a) => match self.is_input(a) {
                true => self.flags(a).or(Flags::EMITS),
                false => self.flags(a),
            },
            ExprKind::Binary(_, a, b)
                if [expr.ty, self.unit.exprs[a].ty, self.unit.exprs[b].ty]
                    .iter()
                    .any(|&ty| self.unit.types.parts(ty).is_some()) =>
            {
                self.flags(a).or(self.flags(b)).or(Flags::EMITS)
            }
            ExprKind::Binary(_, a, b) | ExprKind::Logical { lhs: a, rhs: b, .. } => {
                self.flags(a).or(self.flags(b))
            }
            _ => {
                let mut flags = self.own_flags(expr).or(Flags::KNOWN);
                expr.kind.for_each_operand(|operand| flags = flags.or(self.flags(operand)));
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
            ExprKind::Assign { .. } | ExprKind::AssignOp { .. } | ExprKind::IncDec { .. } => {
                Flags::EFFECT
            }
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
                | CBuiltin::Ffs
                | CBuiltin::CompilerChoice => Flags::EMITS,
                _ => Flags::EFFECT,
            },
            ExprKind::Cond { .. } => emits_if(!unit.types.is_scalar(expr.ty)),
            ExprKind::Unary(..) => emits_if(unit.types.parts(expr.ty).is_some()),
            ExprKind::Convert { operand, .. } => {
                let from = unit.exprs[*operand].ty;
                let is_vector = unit.types.parts(expr.ty).or(unit.types.parts(from)).is_some();
                let has_bound = || self.is_variably_modified(expr.ty);
                emits_if(unit.types.is_void(expr.ty) || is_vector || has_bound())
            }
            // A member of a value is read from a temporary.
            ExprKind::Member { base, .. } => {
                let base = &unit.exprs[*base].kind;
                emits_if(!base.is_place() && !matches!(base, ExprKind::Load(_)))
            }
            ExprKind::Deref(_) => emits_if(unit.types.is_void(expr.ty)),
            _ => Flags::NONE,
        }
    }
}
