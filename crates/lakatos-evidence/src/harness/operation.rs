//! The operation that a run ends at: the compiler must not compute it, or fold it into others,
//! before the program runs.

use lakatos_ir::{BinOp, Cfa, Expr, ExprId, ExprKind, Span, Type, UnOp};

use super::plan::{Plan, c_integer};
use super::text;

impl Plan<'_> {
    /// Hides the operands and the result of the operation at this place from the compiler. An
    /// operation on globals before `main`, or one that assigns, is left as it is.
    pub fn undefined_operation(&mut self, span: Span) {
        let program = self.program;
        let is_inside = |body: &Cfa| body.edges.iter().any(|(_, e)| holds(e.span, span));
        let mut bodies = program.defined().filter(|(proc, _, _)| *proc != program.start);
        if !bodies.any(|(_, _, body)| is_inside(body)) {
            return;
        }
        let mut found = program.exprs.iter().filter(|(_, expr)| expr.span == span);
        let Some(operands) = found.find_map(|(_, expr)| self.operands(expr)) else { return };
        for piece in operands.into_iter().chain([span]) {
            self.hide(piece, span);
        }
    }

    /// Where the operands are, if the text is that of an operation on them.
    fn operands(&self, expr: &Expr) -> Option<Vec<Span>> {
        let (program, whole) = (self.program, expr.span);
        let text = program.source.own_text();
        let at = |id: ExprId| program.exprs[id].span;
        let is_int = matches!(expr.ty, Type::Int(int) if int.bits <= 64 && int.bits >= 32);
        match expr.kind {
            ExprKind::Unary(UnOp::Neg, operand) if is_int => {
                let inner = at(operand);
                let before = text.get(whole.start as usize..inner.start as usize)?;
                (bare(before) == "-").then(|| vec![inner])
            }
            ExprKind::Binary(op, left, right) if is_int && is_arithmetic(op) => {
                let (left, right) = (at(left), at(right));
                let between = text.get(left.end as usize..right.start as usize)?;
                let fits =
                    holds(whole, left) && holds(whole, right) && bare(between) == op.symbol();
                fits.then(|| vec![left, right])
            }
            _ => None,
        }
    }

    fn hide(&mut self, piece: Span, whole: Span) {
        let program = self.program;
        let ty = program.exprs.iter().find(|(_, expr)| expr.span == whole).map(|(_, e)| e.ty);
        let Some(Type::Int(int)) = ty else { return };
        let (prefix, ty) = (self.prefix, c_integer(int));
        self.edits.open(piece.start, piece, format!("(({ty}){prefix}_same("));
        self.edits.close(piece.end, piece, "))");
    }
}

fn is_arithmetic(op: BinOp) -> bool {
    matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div | BinOp::Rem)
}

fn holds(outer: Span, inner: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// The text between operands, without blanks, comments and parentheses.
fn bare(between: &str) -> String {
    text::one_line(between).replace([' ', '(', ')'], "")
}
