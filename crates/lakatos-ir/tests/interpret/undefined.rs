//! Each kind of undefined behaviour, at the expression that does it.

use lakatos_ir::interpret::Outcome;
use lakatos_ir::*;

use crate::build::*;

#[test]
fn signed_overflow_says_the_value() {
    let mut b = Build::new();
    let (max, one) = (b.i(i32::MAX), b.i(1));
    let e = b.add(max, one);
    b.ret(e);
    let message = b.check_undefined(Undefined::SignedOverflow, "2147483647 Add 1");
    assert_eq!(message, "`2147483647 Add 1` is 2147483648, which does not fit `int`");
}

#[test]
fn smallest_divided_by_minus_one() {
    for (op, text) in [(BinOp::Div, "-2147483648 Div -1"), (BinOp::Rem, "-2147483648 Rem -1")] {
        let mut b = Build::new();
        let (min, minus) = (b.i(i32::MIN), b.i(-1));
        let e = b.bin(op, min, minus);
        b.ret(e);
        b.check_undefined(Undefined::SignedOverflow, text);
    }
}

#[test]
fn division_by_zero() {
    let mut b = Build::new();
    let (one, zero) = (b.i(1), b.i(0));
    let e = b.bin(BinOp::Div, one, zero);
    b.ret(e);
    b.check_undefined(Undefined::DivByZero, "1 Div 0");
}

#[test]
fn shift_out_of_range() {
    let mut b = Build::new();
    let (one, n) = (b.i(1), b.i(32));
    let e = b.bin(BinOp::Shl, one, n);
    b.ret(e);
    let message = b.check_undefined(Undefined::ShiftOutOfRange, "1 Shl 32");
    assert_eq!(message, "`1 Shl 32` shifts by 32, but `int` has 32 bits");
}

#[test]
fn float_to_int() {
    let mut b = Build::new();
    let x = b.double(3e9, DOUBLE);
    let e = b.cast(INT, x);
    b.ret(e);
    b.check_undefined(Undefined::FloatToInt, "(T)3000000000.0");
}

#[test]
fn null_dereference() {
    let mut b = Build::new();
    let int_pointer = b.pointer(INT);
    let null = b.null(int_pointer);
    let place = b.deref(null);
    let e = b.load(place);
    b.ret(e);
    b.check_undefined(Undefined::NullDeref, "*NULL");
}

#[test]
fn null_field_is_a_null_dereference_but_its_address_is_not() {
    let build = |access: bool| {
        let mut b = Build::new();
        let record = b.record(RecordKind::Struct, 8, &[(INT, 0, None), (INT, 4, None)]);
        let pointer = b.pointer(record);
        let null = b.null(pointer);
        let place = b.deref(null);
        let place = b.field(place, 1);
        let e = match access {
            true => b.load(place),
            false => {
                let address = b.addr(place);
                b.cast(INT, address)
            }
        };
        b.ret(e);
        b
    };
    build(true).check_undefined(Undefined::NullDeref, "*NULL");
    build(false).check_exit(4);
}

#[test]
fn wild_pointer() {
    let mut b = Build::new();
    let pointer = b.pointer(INT);
    let n = b.int(4096, LONG);
    let p = b.cast(pointer, n);
    let place = b.deref(p);
    let e = b.load(place);
    b.ret(e);
    b.check_undefined(Undefined::WildPointer, "*(T)4096");
}

/// `int a[4]` with an access, or only an address, at an index.
fn array_at(index: i32, access: bool) -> Build {
    let mut b = Build::new();
    let array = b.array(INT, 4);
    let a = b.local("a", array);
    let (place, i) = (b.at(a), b.i(index));
    let element = b.index(place, i);
    if access {
        let e = b.load(element);
        b.ret(e);
    } else {
        let address = b.addr(element);
        let (base, zero) = (b.at(a), b.i(0));
        let first = b.index(base, zero);
        let first = b.addr(first);
        let difference = b.ptr_diff(address, first);
        let e = b.cast(INT, difference);
        b.ret(e);
    }
    b
}

#[test]
fn array_bounds() {
    array_at(3, true).check_exit(0);
    let message = array_at(4, true).check_undefined(Undefined::OutOfBounds, "a[4]");
    assert_eq!(message, "index 4 is outside `a`, which has 4 elements");
    array_at(-1, true).check_undefined(Undefined::OutOfBounds, "a[-1]");
    array_at(4, false).check_exit(4);
    array_at(5, false).check_undefined(Undefined::OutOfBounds, "a[5]");
    array_at(-1, false).check_undefined(Undefined::OutOfBounds, "a[-1]");
}

#[test]
fn inner_array_bounds_count() {
    let build = |row: i32, column: i32| {
        let mut b = Build::new();
        let inner = b.array(INT, 4);
        let outer = b.array(inner, 3);
        let a = b.local("a", outer);
        let (place, i, j) = (b.at(a), b.i(row), b.i(column));
        let place = b.index(place, i);
        let place = b.index(place, j);
        let e = b.load(place);
        b.ret(e);
        b
    };
    build(2, 3).check_exit(0);
    build(1, 4).check_undefined(Undefined::OutOfBounds, "a[1][4]");
    build(3, 0).check_undefined(Undefined::OutOfBounds, "a[3]");
}

#[test]
fn flexible_array_is_bounded_by_its_object() {
    let build = |index: i32| {
        let mut b = Build::new();
        let flexible = b.program.types.array_of(INT, None);
        let record = b.record(RecordKind::Struct, 4, &[(INT, 0, None), (flexible, 4, None)]);
        let pointer = b.pointer(record);
        let p = b.local("p", pointer);
        let size = b.int(4 + 3 * 4, ULONG);
        b.builtin(Some(p), Builtin::Malloc, &[size]);
        let p = b.get(p);
        let place = b.deref(p);
        let place = b.field(place, 1);
        let i = b.i(index);
        let place = b.index(place, i);
        let value = b.i(7);
        b.assign(place, value);
        let e = b.load(place);
        b.ret(e);
        b
    };
    build(2).check_exit(7);
    build(3).check_undefined(Undefined::OutOfBounds, "*p.f1[3]");
    build(1 << 30).check_undefined(Undefined::OutOfBounds, "*p.f1[1073741824]");
    // Within the object, but before the array.
    build(-1).check_undefined(Undefined::OutOfBounds, "*p.f1[-1]");
}

#[test]
fn pointer_arithmetic_leaves_the_object() {
    for (count, fine) in [(0, true), (4, true), (5, false), (-1, false)] {
        let mut b = Build::new();
        let array = b.array(INT, 4);
        let a = b.local("a", array);
        let (place, zero) = (b.at(a), b.i(0));
        let place = b.index(place, zero);
        let (p, n) = (b.addr(place), b.int(count, LONG));
        let q = b.ptr_add(p, n);
        let null = b.null(b.program.exprs[p].ty);
        let e = b.bin(BinOp::Ne, q, null);
        let e = b.cast(INT, e);
        b.ret(e);
        match fine {
            true => b.check_exit(1),
            false => {
                b.check_undefined(Undefined::OutOfBounds, &format!("&a[0] + {count}"));
            }
        }
    }
}

#[test]
fn an_unsigned_count_may_go_back() {
    let mut b = Build::new();
    let array = b.array(INT, 4);
    let a = b.local("a", array);
    let (place, three) = (b.at(a), b.i(3));
    let third = b.index(place, three);
    let (p, n) = (b.addr(third), b.int(2, ULONG));
    let n = b.un(UnOp::Neg, n);
    let q = b.ptr_add(p, n);
    let d = b.ptr_diff(p, q);
    let e = b.cast(INT, d);
    b.ret(e);
    b.check_exit(2);
}

#[test]
fn neighbouring_objects_are_never_reached() {
    // (int *)((uintptr_t)&x + d) for every small d: only x itself can be read.
    for d in -64..64 {
        let mut b = Build::new();
        let x = b.local("x", INT);
        let y = b.local("y", INT);
        let nine = b.i(9);
        b.set(y, nine);
        let (px, py) = (b.addr_of(x), b.addr_of(y));
        let differ = b.bin(BinOp::Ne, px, py);
        b.emit(Instr::Assume(differ));
        let address = b.cast(ULONG, px);
        let delta = b.int(i128::from(d as u64), ULONG);
        let sum = b.add(address, delta);
        let p = b.cast(b.program.exprs[px].ty, sum);
        let place = b.deref(p);
        let e = b.load(place);
        b.ret(e);
        match b.outcome(&[]) {
            Outcome::Exited(0) => assert_eq!(d, 0),
            Outcome::Undefined { kind: Undefined::OutOfBounds, .. } => {
                assert!((1..=4).contains(&d))
            }
            Outcome::Undefined { kind: Undefined::WildPointer, .. } => {
                assert!(!(0..=4).contains(&d));
            }
            other => panic!("{d}: {other:?}"),
        }
    }
}

#[test]
fn dangling_after_the_block_and_after_the_call() {
    let mut b = Build::new();
    let pointer = b.pointer(INT);
    let (x, p) = (b.local("x", INT), b.local("p", pointer));
    let address = b.addr_of(x);
    b.set(p, address);
    b.emit(Instr::Dead(x));
    let p = b.get(p);
    let place = b.deref(p);
    let e = b.load(place);
    b.ret(e);
    b.check_undefined(Undefined::Dangling, "*p");

    let mut b = Build::new();
    let main = b.proc;
    let f = b.proc("f", pointer, &[("n", INT)]);
    b.proc = f;
    let n = b.program.procs[f].params[0];
    let address = b.addr_of(n);
    b.ret(address);
    b.proc = main;
    let pointer = b.pointer(INT);
    let p = b.local("p", pointer);
    let one = b.i(1);
    b.call(Some(p), Callee::Proc(f), &[one]);
    // A second frame at the same address does not bring it back to life.
    let q = b.local("q", pointer);
    b.call(Some(q), Callee::Proc(f), &[one]);
    let p = b.get(p);
    let place = b.deref(p);
    let e = b.load(place);
    b.ret(e);
    b.check_undefined(Undefined::Dangling, "*p");
}

/// `p = malloc(8)`, then `body(p)`.
fn with_heap(body: impl FnOnce(&mut Build, VarId)) -> Build {
    let mut b = Build::new();
    let pointer = b.pointer(INT);
    let p = b.local("p", pointer);
    let size = b.int(8, ULONG);
    b.builtin(Some(p), Builtin::Malloc, &[size]);
    body(&mut b, p);
    let zero = b.i(0);
    b.ret(zero);
    b
}

#[test]
fn use_after_free_and_bad_frees() {
    let free = |b: &mut Build, p: VarId| {
        let e = b.get(p);
        b.builtin(None, Builtin::Free, &[e]);
    };
    with_heap(free).check_exit(0);
    with_heap(|b, p| {
        free(b, p);
        let e = b.get(p);
        let (place, one) = (b.deref(e), b.i(1));
        b.assign(place, one);
    })
    .check_undefined(Undefined::Dangling, "*p");
    let message = with_heap(|b, p| {
        free(b, p);
        free(b, p);
    })
    .check_undefined(Undefined::InvalidFree, "p");
    assert_eq!(message, "`p` points to an object whose lifetime is over");
    with_heap(|b, p| {
        let (e, one) = (b.get(p), b.int(1, LONG));
        let inside = b.ptr_add(e, one);
        b.builtin(None, Builtin::Free, &[inside]);
    })
    .check_undefined(Undefined::InvalidFree, "p + 1");
    with_heap(|b, _| {
        let x = b.local("x", INT);
        let address = b.addr_of(x);
        b.builtin(None, Builtin::Free, &[address]);
    })
    .check_undefined(Undefined::InvalidFree, "&x");
    with_heap(|b, p| {
        let null = b.null(b.program.vars[p].ty);
        b.builtin(None, Builtin::Free, &[null]);
    })
    .check_exit(0);
}

#[test]
fn heap_bounds() {
    with_heap(|b, p| {
        let (e, two) = (b.get(p), b.int(2, LONG));
        let end = b.ptr_add(e, two);
        let (place, one) = (b.deref(end), b.i(1));
        b.assign(place, one);
    })
    .check_undefined(Undefined::OutOfBounds, "*p + 2");
}

#[test]
fn calls_of_the_wrong_thing() {
    let build = |make: fn(&mut Build, Type) -> ExprId| {
        let mut b = Build::new();
        let signature = Signature { result: INT, params: Some(vec![INT]), variadic: false };
        let function = b.program.types.function(signature);
        let ty = b.pointer(function);
        let callee = make(&mut b, ty);
        let x = b.local("x", INT);
        let one = b.i(1);
        b.call(Some(x), Callee::Pointer(callee), &[one]);
        let zero = b.i(0);
        b.ret(zero);
        b
    };
    build(|b, ty| b.null(ty)).check_undefined(Undefined::BadCall, "NULL");
    build(|b, ty| {
        let y = b.local("y", INT);
        let address = b.addr_of(y);
        b.cast(ty, address)
    })
    .check_undefined(Undefined::BadCall, "(T)&y");
    build(|b, ty| {
        let other = b.proc("other", LONG, &[("n", LONG)]);
        let f = b.function(other);
        b.cast(ty, f)
    })
    .check_undefined(Undefined::BadCall, "(T)other");
    build(|b, ty| {
        let (main, f) = (b.proc, b.proc("f", INT, &[("n", INT)]));
        b.proc = f;
        let zero = b.i(0);
        b.ret(zero);
        b.proc = main;
        let f = b.function(f);
        // There and back through an integer.
        let number = b.cast(ULONG, f);
        b.cast(ty, number)
    })
    .check_exit(0);
}

#[test]
fn unreachable_and_zero_bits() {
    let mut b = Build::new();
    b.builtin(None, Builtin::Unreachable, &[]);
    b.check_undefined(Undefined::Unreachable, "statement");

    let mut b = Build::new();
    let x = b.local("x", INT);
    let zero = b.int(0, UINT);
    b.builtin(Some(x), Builtin::Clz, &[zero]);
    b.check_undefined(Undefined::ShiftOutOfRange, "statement");
}

#[test]
fn pointers_into_different_objects() {
    for difference in [false, true] {
        let mut b = Build::new();
        let (x, y) = (b.local("x", INT), b.local("y", INT));
        let (px, py) = (b.addr_of(x), b.addr_of(y));
        let (e, text) = match difference {
            true => (b.ptr_diff(px, py), "&x - &y"),
            false => (b.bin(BinOp::Lt, px, py), "&x Lt &y"),
        };
        let e = b.cast(INT, e);
        b.ret(e);
        b.check_undefined(Undefined::UnrelatedPointers, text);
    }
}

#[test]
fn string_literals_are_read_only() {
    let mut b = Build::new();
    let text = b.string(b"abc");
    let (place, c) = (b.deref(text), b.int(65, CHAR));
    b.assign(place, c);
    b.check_undefined(Undefined::ReadOnly, "*&literal[0]");
}

#[test]
fn overlapping_memcpy() {
    for (builtin, fine) in [(Builtin::Memcpy, false), (Builtin::Memmove, true)] {
        let mut b = Build::new();
        let array = b.array(CHAR, 8);
        let a = b.local("a", array);
        let (place, zero, two) = (b.at(a), b.i(0), b.i(2));
        let (first, second) = (b.index(place, zero), b.index(place, two));
        let (p, q, n) = (b.addr(first), b.addr(second), b.int(4, ULONG));
        b.builtin(None, builtin, &[q, p, n]);
        let e = b.i(0);
        b.ret(e);
        match fine {
            true => b.check_exit(0),
            false => {
                b.check_undefined(Undefined::Overlap, "statement");
            }
        }
    }
}
