//! `__atomic_*` and `__sync_*` (GCC, "Built-in Functions for Memory Model Aware Atomic Operations" and
//! "Legacy `__sync` Built-in Functions") as what they mean in a program with one thread. The memory order
//! means nothing there.

use lakatos_ir::{BinOp, Span};

use super::{Res, Sema, error, unsupported};
use crate::ast::{Atomic, CBuiltin, ExprId, ExprKind};
use crate::types::{CTypes, IntKind, Ty};

impl Sema {
    /// The call of such a built-in, its name without the prefix; `None` for another name.
    pub fn atomic_builtin(
        &mut self,
        name: &str,
        args: &[ExprId],
        span: Span,
    ) -> Res<Option<ExprId>> {
        let args: Vec<ExprId> = args.iter().map(|&arg| self.rvalue(arg)).collect();
        if let Some(short) = name.strip_prefix("__atomic_") {
            return self.atomic_call(short, &args, span);
        }
        let Some(short) = name.strip_prefix("__sync_") else { return Ok(None) };
        if let ("synchronize", []) = (short, &args[..]) {
            return Ok(Some(self.nothing(Vec::new(), span)));
        }
        self.sync_call(short, &args, span)
    }

    fn atomic_call(&mut self, name: &str, args: &[ExprId], span: Span) -> Res<Option<ExprId>> {
        Ok(Some(match (name, args) {
            ("load_n", &[object, _]) => {
                let object = self.atomic_object(object, span)?;
                self.rvalue(object)
            }
            ("load", &[object, result, _]) => {
                let object = self.atomic_object(object, span)?;
                self.assign_through(result, object, span)?
            }
            ("store_n", &[object, value, _]) => {
                let object = self.atomic_object(object, span)?;
                let stored = self.assign(object, value, span)?;
                self.convert(stored, self.types.void, true)
            }
            ("store", &[object, value, _]) => {
                let (object, value) = (self.atomic_object(object, span)?, self.deref(value, span)?);
                let stored = self.assign(object, value, span)?;
                self.convert(stored, self.types.void, true)
            }
            ("exchange_n", &[object, value, _]) => {
                self.atomic(Atomic::Exchange, object, &[value], span)?
            }
            ("exchange", &[object, value, result, _]) => {
                let value = self.deref(value, span)?;
                let old = self.atomic(Atomic::Exchange, object, &[value], span)?;
                self.assign_through(result, old, span)?
            }
            ("compare_exchange_n", &[object, expected, desired, weak, _, _]) => {
                self.compare_exchange(object, expected, desired, weak, span)?
            }
            ("compare_exchange", &[object, expected, desired, weak, _, _]) => {
                let desired = self.deref(desired, span)?;
                self.compare_exchange(object, expected, desired, weak, span)?
            }
            ("test_and_set", &[object, _]) => {
                let object = self.byte(object, span)?;
                let one = self.int_const(1, self.types.int, span);
                let old = self.atomic(Atomic::Exchange, object, &[one], span)?;
                self.convert(old, CTypes::int_ty(IntKind::Bool), false)
            }
            ("clear", &[object, _]) => {
                let object = self.byte(object, span)?;
                let object = self.deref(object, span)?;
                let zero = self.int_const(0, self.types.int, span);
                let cleared = self.assign(object, zero, span)?;
                self.convert(cleared, self.types.void, true)
            }
            ("thread_fence" | "signal_fence", &[_]) => self.nothing(args.to_vec(), span),
            ("always_lock_free", &[size, _]) => match self.constant_int(size) {
                Some(1 | 2 | 4 | 8) => self.int_const(1, CTypes::int_ty(IntKind::Bool), span),
                _ => return unsupported(span, "`__atomic_always_lock_free` of such a size"),
            },
            (_, &[object, value, _]) => {
                let Some((update, gives_old)) = update(name) else { return Ok(None) };
                self.atomic(Atomic::Update { update, gives_old }, object, &[value], span)?
            }
            _ => return Ok(None),
        }))
    }

    fn sync_call(&mut self, name: &str, args: &[ExprId], span: Span) -> Res<Option<ExprId>> {
        // More arguments would name memory that a full barrier protects anyway.
        let Some((&object, values)) = args.split_first() else { return Ok(None) };
        Ok(Some(match (name, values) {
            ("bool_compare_and_swap", &[old, new, ..]) => {
                let kind = Atomic::CompareSwap { gives_old: false };
                self.atomic(kind, object, &[old, new], span)?
            }
            ("val_compare_and_swap", &[old, new, ..]) => {
                let kind = Atomic::CompareSwap { gives_old: true };
                self.atomic(kind, object, &[old, new], span)?
            }
            ("lock_test_and_set", &[value, ..]) => {
                self.atomic(Atomic::Exchange, object, &[value], span)?
            }
            ("lock_release", _) => {
                let object = self.atomic_object(object, span)?;
                let zero = self.int_const(0, self.types.int, span);
                let released = self.assign(object, zero, span)?;
                self.convert(released, self.types.void, true)
            }
            (_, &[value, ..]) => {
                // `fetch_and_add` is `fetch_add`, `add_and_fetch` is `add_fetch`.
                let name = name.replace("_and_", "_");
                let Some((update, gives_old)) = update(&name) else { return Ok(None) };
                self.atomic(Atomic::Update { update, gives_old }, object, &[value], span)?
            }
            _ => return Ok(None),
        }))
    }

    fn nothing(&mut self, args: Vec<ExprId>, span: Span) -> ExprId {
        self.expr(ExprKind::Builtin { builtin: CBuiltin::Nothing, args }, self.types.void, span)
    }

    /// `*pointer`, which is a number or a pointer.
    fn atomic_object(&mut self, pointer: ExprId, span: Span) -> Res<ExprId> {
        let object = self.deref(pointer, span)?;
        let ty = self.ty(object);
        self.refuse_bit_precise(ty, "an atomic operation on a `_BitInt`", span);
        match self.types.is_integer(ty) || self.types.is_pointer(ty) {
            true => Ok(object),
            false => unsupported(span, "an atomic operation on something else than a number"),
        }
    }

    /// `*pointer = value`, without a value.
    fn assign_through(&mut self, pointer: ExprId, value: ExprId, span: Span) -> Res<ExprId> {
        let target = self.deref(pointer, span)?;
        let done = self.assign(target, value, span)?;
        Ok(self.convert(done, self.types.void, true))
    }

    /// A pointer of any type as one to bytes.
    fn byte(&mut self, pointer: ExprId, span: Span) -> Res<ExprId> {
        if !self.types.is_pointer(self.ty(pointer)) {
            return error(span, "this takes a pointer");
        }
        let byte = self.types.pointer_to(CTypes::int_ty(IntKind::UChar));
        Ok(self.convert(pointer, byte, true))
    }

    /// A weak exchange may fail without a reason.
    fn compare_exchange(
        &mut self,
        object: ExprId,
        expected: ExprId,
        desired: ExprId,
        weak: ExprId,
        span: Span,
    ) -> Res<ExprId> {
        let weak = self.constant_int(weak) != Some(0);
        let known = self.atomic_object(expected, span)?;
        let place = self.atomic_object(object, span)?;
        if self.types.size(self.ty(known)) != self.types.size(self.ty(place)) {
            return error(span, "the expected value has another size than the object");
        }
        self.atomic_of(Atomic::CompareExchange { weak }, object, vec![expected], &[desired], span)
    }

    fn atomic(
        &mut self,
        kind: Atomic,
        object: ExprId,
        values: &[ExprId],
        span: Span,
    ) -> Res<ExprId> {
        self.atomic_of(kind, object, Vec::new(), values, span)
    }

    /// The operation with its values in the type of the object.
    fn atomic_of(
        &mut self,
        kind: Atomic,
        object: ExprId,
        pointers: Vec<ExprId>,
        values: &[ExprId],
        span: Span,
    ) -> Res<ExprId> {
        let place = self.atomic_object(object, span)?;
        let ty = self.types.unqualified(self.ty(place));
        let is_number = self.types.is_integer(ty) && !self.is_bool(ty);
        if matches!(kind, Atomic::Update { .. }) && !is_number {
            return unsupported(span, "atomic arithmetic on something else than an integer");
        }
        let mut args = vec![object];
        args.extend(pointers);
        for &value in values {
            args.push(self.assign_convert(value, ty, "passing this argument")?);
        }
        let result = self.atomic_result(kind, ty);
        Ok(self.expr(ExprKind::Builtin { builtin: CBuiltin::Atomic(kind), args }, result, span))
    }

    fn atomic_result(&self, kind: Atomic, ty: Ty) -> Ty {
        match kind {
            Atomic::Exchange | Atomic::Update { .. } | Atomic::CompareSwap { gives_old: true } => {
                ty
            }
            Atomic::CompareExchange { .. } | Atomic::CompareSwap { gives_old: false } => {
                CTypes::int_ty(IntKind::Bool)
            }
        }
    }
}

/// `fetch_add` and `add_fetch`: the operation (`None` for nand), and whether the old value comes back.
fn update(name: &str) -> Option<(Option<BinOp>, bool)> {
    let (operation, gives_old) = match (name.strip_prefix("fetch_"), name.strip_suffix("_fetch")) {
        (Some(operation), _) => (operation, true),
        (None, Some(operation)) => (operation, false),
        (None, None) => return None,
    };
    let operation = match operation {
        "add" => Some(BinOp::Add),
        "sub" => Some(BinOp::Sub),
        "and" => Some(BinOp::BitAnd),
        "or" => Some(BinOp::BitOr),
        "xor" => Some(BinOp::BitXor),
        "nand" => None,
        _ => return None,
    };
    Some((operation, gives_old))
}
