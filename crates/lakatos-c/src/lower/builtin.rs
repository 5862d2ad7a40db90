//! Built-ins of the compiler.

use lakatos_ir::{
    Arith, BinOp, Builtin, Call, Callee, ExprId, ExprKind as Ir, InputKind, Instr, IntType,
    PlaceKind, Span, Type,
};

use super::Lower;
use crate::ast::{self, CBuiltin, Expr};

impl Lower<'_> {
    /// Lowers a built-in; its value if it has one.
    pub(super) fn builtin(
        &mut self,
        builtin: CBuiltin,
        args: &[ast::ExprId],
        expr: &Expr,
    ) -> Option<ExprId> {
        let (ty, span) = (self.ty(expr.ty), expr.span);
        match builtin {
            CBuiltin::AddOverflow => self.checked(Arith::Add, args, span),
            CBuiltin::SubOverflow => self.checked(Arith::Sub, args, span),
            CBuiltin::MulOverflow => self.checked(Arith::Mul, args, span),
            CBuiltin::Bswap => {
                let value = self.arguments(args).first().copied()?;
                let value = self.hold(value);
                let swapped = self.swap_bytes(value, span);
                Some(self.convert(swapped, ty, span))
            }
            CBuiltin::Clz => self.counting(Builtin::Clz, args, ty, span),
            CBuiltin::Ctz => self.counting(Builtin::Ctz, args, ty, span),
            CBuiltin::Popcount => self.counting(Builtin::Popcount, args, ty, span),
            CBuiltin::Parity => self.counting(Builtin::Parity, args, ty, span),
            CBuiltin::Ffs => self.counting(Builtin::Ffs, args, ty, span),
            CBuiltin::Unreachable => {
                self.end_run(Builtin::Unreachable, span);
                None
            }
            CBuiltin::Trap => {
                self.end_run(Builtin::Abort, span);
                None
            }
            CBuiltin::Alloca => {
                let mut args = self.arguments(args);
                let size = Type::Int(self.unit.types.model.size_type());
                for arg in &mut args {
                    *arg = self.convert(*arg, size, span);
                }
                let name = "__builtin_alloca".to_owned();
                let site = self.site(InputKind::Uninitialised, name, ty, span);
                self.builtin_call(Builtin::Alloca, args, Some(site), ty, span)
            }
            CBuiltin::Nothing => {
                self.arguments(args);
                None
            }
            CBuiltin::CompilerChoice => {
                let place = self.temp_place(ty, span);
                let name = "__builtin".to_owned();
                self.havoc(place, InputKind::Assembly, name, span);
                Some(self.load(place, span))
            }
            CBuiltin::Complex => {
                let values = self.arguments(args);
                let &[re, im] = values.as_slice() else { return None };
                Some(self.complex(re, im, expr.ty, span))
            }
            CBuiltin::ConvertVector => {
                let value = self.arguments(args).first().copied()?;
                Some(self.each_element(expr.ty, span, |l, n| l.operand_element(value, n, span)))
            }
            CBuiltin::Shuffle => Some(self.shuffle(args, expr.ty, span)),
            CBuiltin::ShuffleNumbers => {
                let (vectors, numbers) = args.split_at(2);
                let number = |&e: &ast::ExprId| match self.unit.exprs[e].kind {
                    ast::ExprKind::Int(number) => u64::try_from(number).ok(),
                    _ => None,
                };
                let numbers: Vec<Option<u64>> = numbers.iter().map(number).collect();
                Some(self.shuffle_by_numbers(vectors, &numbers, expr.ty, span))
            }
            CBuiltin::VaStart | CBuiltin::VaEnd | CBuiltin::VaCopy => {
                self.list_builtin(builtin, args, span);
                None
            }
            CBuiltin::Atomic(kind) => self.atomic(kind, args, ty, span),
        }
    }

    pub(super) fn end_run(&mut self, builtin: Builtin, span: Span) {
        let callee = Callee::Builtin(builtin);
        let call = Call { result: None, callee, args: Vec::new(), site: None };
        self.emit_last(Instr::Call(call), span);
    }

    fn builtin_call(
        &mut self,
        builtin: Builtin,
        args: Vec<ExprId>,
        site: Option<lakatos_ir::SiteId>,
        ty: Type,
        span: Span,
    ) -> Option<ExprId> {
        let temp = self.temp_place(ty, span);
        let callee = Callee::Builtin(builtin);
        self.emit(Instr::Call(Call { result: Some(temp), callee, args, site }), span);
        Some(self.load(temp, span))
    }

    fn counting(
        &mut self,
        builtin: Builtin,
        args: &[ast::ExprId],
        ty: Type,
        span: Span,
    ) -> Option<ExprId> {
        let args = self.arguments(args);
        self.builtin_call(builtin, args, None, ty, span)
    }

    /// `__builtin_*_overflow(a, b, &result)`: the exact result goes, wrapped, to `*result`. With a
    /// number instead of the address it goes nowhere.
    fn checked(&mut self, op: Arith, args: &[ast::ExprId], span: Span) -> Option<ExprId> {
        let values = self.arguments(args);
        let &[a, b, pointer] = values.as_slice() else { return None };
        let stores = matches!(self.type_of(pointer), Type::Pointer(_));
        let pointee = match self.type_of(pointer) {
            number @ Type::Int(_) => number,
            pointer => self.pointee(pointer),
        };
        let types = (self.type_of(a), self.type_of(b), pointee);
        let (Type::Int(left), Type::Int(right), Type::Int(result)) = types else {
            return Some(self.unsupported_value(Type::BOOL, span, "this overflow built-in"));
        };
        let Some(wide) = common_type(left, right) else {
            let construct = "an overflow built-in on 128-bit operands of both signs";
            return Some(self.unsupported_value(Type::BOOL, span, construct));
        };
        let [wide_a, wide_b] = [a, b].map(|v| self.convert(v, Type::Int(wide), span));
        let overflows = Ir::Overflows(op, wide_a, wide_b, result);
        let overflows = self.expr(overflows, Type::BOOL, span);
        if !stores {
            return Some(overflows);
        }
        // Before the store, which may change the operands.
        let overflows = self.spill(overflows);
        let wrapping = Type::Int(IntType::unsigned(result.bits));
        let [a, b] = [a, b].map(|v| self.convert(v, wrapping, span));
        let op = match op {
            Arith::Add => BinOp::Add,
            Arith::Sub => BinOp::Sub,
            Arith::Mul | Arith::Div => BinOp::Mul,
        };
        let value = self.binary(op, a, b, wrapping, span);
        let value = self.convert(value, pointee, span);
        let place = self.new_place(PlaceKind::Deref(pointer), pointee, span);
        let place = self.limit_place(place);
        self.assign_place(place, value, span);
        Some(overflows)
    }

    /// The bytes of an unsigned integer in the other order.
    fn swap_bytes(&mut self, value: ExprId, span: Span) -> ExprId {
        let ty = self.type_of(value);
        let bits = ty.as_int().map_or(8, |int| i128::from(int.bits));
        let mut swapped = None;
        for low in (0..bits).step_by(8) {
            // The byte at `low` goes to `high`.
            let high = bits - 8 - low;
            let (op, by) =
                if high >= low { (BinOp::Shl, high - low) } else { (BinOp::Shr, low - high) };
            let mask = self.int_like(0xff << low, value);
            let byte = self.binary(BinOp::BitAnd, value, mask, ty, span);
            let by = self.int(by, IntType::I32, span);
            let byte = self.binary(op, byte, by, ty, span);
            swapped = Some(match swapped {
                Some(rest) => self.binary(BinOp::BitOr, rest, byte, ty, span),
                None => byte,
            });
        }
        swapped.unwrap_or(value)
    }
}

/// A type that has all values of both.
fn common_type(a: IntType, b: IntType) -> Option<IntType> {
    if a.signed == b.signed {
        return Some(if a.bits >= b.bits { a } else { b });
    }
    let (signed, unsigned) = if a.signed { (a, b) } else { (b, a) };
    let bits = signed.bits.max(unsigned.bits + 1);
    let bits = [8, 16, 32, 64, 128].into_iter().find(|&width| width >= bits)?;
    Some(IntType::signed(bits))
}
