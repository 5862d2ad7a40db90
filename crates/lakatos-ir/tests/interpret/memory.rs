//! Memory: aggregates, bit-fields, unions, provenance, the heap and the string functions.

use lakatos_ir::interpret::Outcome;
use lakatos_ir::*;

use crate::build::*;

fn unsigned(bits: u16) -> Type {
    Type::Int(IntType::unsigned(bits))
}

#[test]
fn bit_fields_do_not_touch_each_other() {
    // struct { unsigned a : 3; int b : 7; unsigned c : 13; } and a field that spans 9 bytes.
    let signed7 = Type::Int(IntType::signed(7));
    let fields = [
        (unsigned(3), 0, Some(0)),
        (signed7, 0, Some(3)),
        (unsigned(13), 1, Some(2)),
        (unsigned(64), 3, Some(5)),
    ];
    let values: [i128; 4] = [5, -33, 0x1abc, 0xdead_beef_cafe_f00d];
    for target in 0..4u32 {
        let mut b = Build::new();
        let record = b.record(RecordKind::Struct, 16, &fields);
        let s = b.local("s", record);
        for pass in 0..2 {
            for (i, value) in values.iter().enumerate() {
                let ty = fields[i].0;
                let place = b.at(s);
                let place = b.field(place, i as u32);
                let value = b.int(if pass == 0 { 0 } else { *value }, ty);
                b.assign(place, value);
            }
        }
        let place = b.at(s);
        let place = b.field(place, target);
        let e = b.load(place);
        b.builtin(None, Builtin::Exit, &[e]);
        b.check_exit(values[target as usize]);
    }
}

#[test]
fn bit_fields_are_little_endian() {
    let mut b = Build::new();
    let fields = [(unsigned(3), 0, Some(0)), (unsigned(7), 0, Some(3))];
    let record = b.record(RecordKind::Struct, 4, &fields);
    let union = b.record(RecordKind::Union, 4, &[(record, 0, None), (INT, 0, None)]);
    let u = b.local("u", union);
    for (field, value) in [(0, 0b101), (1, 0b1000001)] {
        let place = b.at(u);
        let place = b.field(place, 0);
        let place = b.field(place, field);
        let value = b.int(value, fields[field as usize].0);
        b.assign(place, value);
    }
    let place = b.at(u);
    let place = b.field(place, 1);
    let e = b.load(place);
    b.ret(e);
    b.check_exit(0b10_0000_1101);
}

#[test]
fn structs_go_by_value() {
    // f(s) changes its copy and returns it; the original stays.
    let mut b = Build::new();
    let main = b.proc;
    let record = b.record(RecordKind::Struct, 8, &[(INT, 0, None), (INT, 4, None)]);
    let f = b.proc("f", record, &[("s", record)]);
    b.proc = f;
    let s = b.program.procs[f].params[0];
    let place = b.at(s);
    let place = b.field(place, 1);
    let (old, ten) = (b.load(place), b.i(10));
    let sum = b.add(old, ten);
    b.assign(place, sum);
    let e = b.get(s);
    b.ret(e);
    b.proc = main;
    let (x, y) = (b.local("x", record), b.local("y", record));
    let zero = b.zero(record);
    b.set(x, zero);
    let place = b.at(x);
    let place = b.field(place, 1);
    let seven = b.i(7);
    b.assign(place, seven);
    let argument = b.get(x);
    b.call(Some(y), Callee::Proc(f), &[argument]);
    let of_x = b.load(place);
    let place = b.at(y);
    let place = b.field(place, 1);
    let (of_y, hundred) = (b.load(place), b.i(100));
    let scaled = b.bin(BinOp::Mul, of_x, hundred);
    let e = b.add(scaled, of_y);
    b.ret(e);
    b.check_exit(717);
}

#[test]
fn pointers_keep_their_object_through_memory() {
    // A pointer in a struct: copied by assignment, by memcpy, and byte by byte.
    for way in ["assign", "memcpy", "bytes"] {
        let mut b = Build::new();
        let pointer = b.pointer(INT);
        let record = b.record(RecordKind::Struct, 24, &[(INT, 0, None), (pointer, 8, None)]);
        let (x, s, t) = (b.local("x", INT), b.local("s", record), b.local("t", record));
        let value = b.i(42);
        b.set(x, value);
        let place = b.at(s);
        let place = b.field(place, 1);
        let address = b.addr_of(x);
        b.assign(place, address);
        match way {
            "assign" => {
                let e = b.get(s);
                b.set(t, e);
            }
            "memcpy" => {
                let (p, q, n) = (b.addr_of(t), b.addr_of(s), b.int(24, ULONG));
                b.builtin(None, Builtin::Memcpy, &[p, q, n]);
            }
            _ => copy_by_bytes(&mut b, t, s, 24),
        }
        let place = b.at(t);
        let place = b.field(place, 1);
        let p = b.load(place);
        let place = b.deref(p);
        let e = b.load(place);
        b.ret(e);
        b.check_exit(42);
    }
}

fn copy_by_bytes(b: &mut Build, to: VarId, from: VarId, size: i32) {
    let char_pointer = b.pointer(CHAR);
    let i = b.local("i", INT);
    let zero = b.i(0);
    b.set(i, zero);
    let (e, n) = (b.get(i), b.i(size));
    let condition = b.bin(BinOp::Lt, e, n);
    b.repeat_while(condition, |b| {
        let at = |b: &mut Build, var| {
            let (p, i) = (b.addr_of(var), b.get(i));
            let (p, i) = (b.cast(char_pointer, p), b.cast(LONG, i));
            let p = b.ptr_add(p, i);
            b.deref(p)
        };
        let (source, target) = (at(b, from), at(b, to));
        let byte = b.load(source);
        b.assign(target, byte);
        let (e, one) = (b.get(i), b.i(1));
        let e = b.add(e, one);
        b.set(i, e);
    });
}

#[test]
fn a_number_does_not_become_a_pointer_by_luck() {
    // The address of x, known from an earlier run, means nothing unless x was exposed.
    let build = |expose: bool, number: i128| {
        let mut b = Build::new();
        let x = b.local("x", INT);
        let p = b.addr_of(x);
        let seven = b.i(7);
        let place = b.deref(p);
        b.assign(place, seven);
        if expose {
            let address = b.local("address", ULONG);
            let e = b.cast(ULONG, p);
            b.set(address, e);
        }
        let n = b.int(number, ULONG);
        let q = b.cast(b.program.exprs[p].ty, n);
        let place = b.deref(q);
        let e = b.load(place);
        b.ret(e);
        b
    };
    let address = {
        let mut b = Build::new();
        let x = b.local("x", INT);
        let p = b.addr_of(x);
        let e = b.cast(ULONG, p);
        b.builtin(None, Builtin::Exit, &[e]);
        match b.outcome(&[]) {
            Outcome::Exited(address) => address,
            other => panic!("{other:?}"),
        }
    };
    build(true, address).check_exit(7);
    assert!(matches!(
        build(false, address).outcome(&[]),
        Outcome::Undefined { kind: Undefined::WildPointer, .. }
    ));
}

#[test]
fn overwriting_a_pointer_forgets_it() {
    // union { int *p; unsigned long n; }: p = &x; n = 64; *p
    let mut b = Build::new();
    let pointer = b.pointer(INT);
    let union = b.record(RecordKind::Union, 8, &[(pointer, 0, None), (ULONG, 0, None)]);
    let (x, u) = (b.local("x", INT), b.local("u", union));
    let place = b.at(u);
    let (p, n) = (b.field(place, 0), b.field(place, 1));
    let (address, number) = (b.addr_of(x), b.int(64, ULONG));
    b.assign(p, address);
    b.assign(n, number);
    let e = b.load(p);
    let place = b.deref(e);
    let e = b.load(place);
    b.ret(e);
    b.check_undefined(Undefined::WildPointer, "*u.f0");
}

#[test]
fn pointers_of_32_bits() {
    let mut b = Build::with_model(DataModel::Ilp32);
    let pointer = b.pointer(INT);
    let array = b.array(pointer, 2);
    let (x, a) = (b.local("x", INT), b.local("a", array));
    let (place, one) = (b.at(a), b.i(1));
    let place = b.index(place, one);
    let address = b.addr_of(x);
    b.assign(place, address);
    let p = b.load(place);
    let place = b.deref(p);
    let five = b.i(5);
    b.assign(place, five);
    let e = b.get(x);
    b.ret(e);
    b.check_exit(5);
}

#[test]
fn a_new_instance_in_every_round() {
    // for (i = 0; i < 3; i++) { int x; p[i] = &x; } : the addresses may be equal, the objects not.
    let mut b = Build::new();
    let pointer = b.pointer(INT);
    let (x, p, i) = (b.local("x", INT), b.local("p", pointer), b.local("i", INT));
    let (e, two) = (b.get(i), b.i(2));
    let condition = b.bin(BinOp::Lt, e, two);
    b.repeat_while(condition, |b| {
        let (e, one) = (b.get(i), b.i(1));
        let first = b.bin(BinOp::Eq, e, one);
        b.when(first, |b| {
            let other = b.addr_of(x);
            let place = b.deref(other);
            let one = b.i(1);
            b.assign(place, one);
            let old = b.get(p);
            let place = b.deref(old);
            let value = b.load(place);
            b.builtin(None, Builtin::Exit, &[value]);
        });
        let address = b.addr_of(x);
        b.set(p, address);
        b.emit(Instr::Dead(x));
        let (e, one) = (b.get(i), b.i(1));
        let e = b.add(e, one);
        b.set(i, e);
    });
    b.check_undefined(Undefined::Dangling, "*p");
}

#[test]
fn heap_is_zero_unless_asked_and_realloc_keeps() {
    let mut b = Build::new();
    let pointer = b.pointer(INT);
    let (p, q) = (b.local("p", pointer), b.local("q", pointer));
    let (four, size) = (b.int(4, ULONG), b.int(2, ULONG));
    b.builtin(Some(p), Builtin::Calloc, &[size, four]);
    let (e, one) = (b.get(p), b.int(1, LONG));
    let second = b.ptr_add(e, one);
    let (place, value) = (b.deref(second), b.i(9));
    b.assign(place, value);
    let size = b.int(400, ULONG);
    b.builtin(Some(q), Builtin::Realloc, &[e, size]);
    let e = b.get(q);
    let second = b.ptr_add(e, one);
    let place = b.deref(second);
    let e = b.load(place);
    b.ret(e);
    b.check_exit(9);
}

#[test]
fn memory_limit() {
    let mut b = Build::new();
    let pointer = b.pointer(INT);
    let p = b.local("p", pointer);
    let yes = b.int(1, Type::BOOL);
    b.repeat_while(yes, |b| {
        let size = b.int(1 << 20, ULONG);
        b.builtin(Some(p), Builtin::Malloc, &[size]);
    });
    assert_eq!(b.outcome(&[]), Outcome::MemoryLimit);
    let after = |size: u64| {
        let mut b = Build::new();
        let pointer = b.pointer(INT);
        let p = b.local("p", pointer);
        let size = b.int(size.into(), ULONG);
        b.builtin(Some(p), Builtin::Malloc, &[size]);
        b.outcome(&[])
    };
    assert!(matches!(after(i64::MAX as u64), Outcome::MemoryLimit | Outcome::StepLimit));
    // More than PTRDIFF_MAX bytes are never there: the result is null, and the run goes on to its end.
    assert!(matches!(after(u64::MAX), Outcome::Blocked { .. }));
}

/// The result of a library function on `char buffer[16]` (holding "hello") and its other
/// arguments, as an offset into the buffer if it is a pointer.
fn library(builtin: Builtin, arguments: impl FnOnce(&mut Build, ExprId) -> Vec<ExprId>) -> Build {
    let mut b = Build::new();
    let array = b.array(CHAR, 16);
    let buffer = b.local("buffer", array);
    let text = b.program.strings.push(b"hello".to_vec());
    let text = b.expr(ExprKind::Str(text), array, "\"hello\"".to_owned());
    b.set(buffer, text);
    let (place, zero) = (b.at(buffer), b.i(0));
    let first = b.index(place, zero);
    let first = b.addr(first);
    let arguments = arguments(&mut b, first);
    use Builtin::*;
    if matches!(builtin, Strlen | Strnlen | Strcmp | Strncmp | Memcmp) {
        let n = b.local("n", INT);
        b.builtin(Some(n), builtin, &arguments);
        let e = b.get(n);
        b.ret(e);
    } else {
        let p = b.local("p", b.program.exprs[first].ty);
        b.builtin(Some(p), builtin, &arguments);
        let e = b.get(p);
        let null = b.null(b.program.exprs[first].ty);
        let is_null = b.bin(BinOp::Eq, e, null);
        let minus = b.int(-1, LONG);
        let offset = b.ptr_diff(e, first);
        let e = b.ite(is_null, minus, offset);
        let e = b.cast(INT, e);
        b.ret(e);
    }
    b
}

#[test]
fn string_functions() {
    use Builtin::*;
    library(Strlen, |_, s| vec![s]).check_exit(5);
    for (limit, want) in [(3, 3), (9, 5)] {
        library(Strnlen, |b, s| vec![s, b.int(limit, ULONG)]).check_exit(want);
    }
    for (other, want) in [("hello", 0), ("hellp", -1), ("hell", 1), ("", 1)] {
        library(Strcmp, |b, s| vec![s, b.string(other.as_bytes())]).check_exit(want);
    }
    library(Strncmp, |b, s| vec![s, b.string(b"help"), b.int(3, ULONG)]).check_exit(0);
    library(Memcmp, |b, s| vec![s, b.string(b"hello"), b.int(6, ULONG)]).check_exit(0);
    for (byte, first, last) in [(b'l', 2, 3), (b'z', -1, -1), (0, 5, 5)] {
        library(Strchr, |b, s| vec![s, b.i(byte.into())]).check_exit(first);
        library(Strrchr, |b, s| vec![s, b.i(byte.into())]).check_exit(last);
    }
    library(Memchr, |b, s| vec![s, b.i(b'o'.into()), b.int(4, ULONG)]).check_exit(-1);
    library(Strstr, |b, s| vec![s, b.string(b"llo")]).check_exit(2);
    library(Strcpy, |b, s| vec![s, b.string(b"bye")]).check_exit(0);
    library(Strcat, |b, s| vec![s, b.string(b" you there")]).check_exit(0);
    library(Strcat, |b, s| vec![s, b.string(b" you there!")])
        .check_undefined(Undefined::OutOfBounds, "&buffer[0]");
    library(Strncat, |b, s| vec![s, b.string(b" you there!"), b.int(10, ULONG)]).check_exit(0);
    library(Strncpy, |b, s| vec![s, b.string(b"a"), b.int(16, ULONG)]).check_exit(0);
    library(Strncpy, |b, s| vec![s, b.string(b"a"), b.int(17, ULONG)])
        .check_undefined(Undefined::OutOfBounds, "&buffer[0]");
    library(Memset, |b, s| vec![s, b.i(1), b.int(17, ULONG)])
        .check_undefined(Undefined::OutOfBounds, "&buffer[0]");
}

#[test]
fn an_unterminated_string_is_read_beyond_its_end() {
    let mut b = Build::new();
    let array = b.array(CHAR, 3);
    let (a, n) = (b.local("a", array), b.local("n", INT));
    let text = b.program.strings.push(b"abc".to_vec());
    let text = b.expr(ExprKind::Str(text), array, "\"abc\"".to_owned());
    b.set(a, text);
    let p = b.addr_of(a);
    let char_pointer = b.pointer(CHAR);
    let p = b.cast(char_pointer, p);
    b.builtin(Some(n), Builtin::Strlen, &[p]);
    b.check_undefined(Undefined::OutOfBounds, "(T)&a");
}

#[test]
fn bit_counting() {
    use Builtin::*;
    for (builtin, value, ty, want) in [
        (Clz, 1, UINT, 31),
        (Clz, 1, ULONG, 63),
        (Ctz, 8, UINT, 3),
        (Popcount, 0xff0f, UINT, 12),
        (Parity, 7, UINT, 1),
        (Ffs, 0, INT, 0),
        (Ffs, i128::from(i32::MIN), INT, 32),
    ] {
        let mut b = Build::new();
        let n = b.local("n", INT);
        let e = b.int(value, ty);
        b.builtin(Some(n), builtin, &[e]);
        let e = b.get(n);
        b.ret(e);
        b.check_exit(want);
    }
}

#[test]
fn output() {
    let mut b = Build::new();
    let format = b.string(b"%d|%5u|%-4x|%c|%s|%.2s|%%|%ld|%.3f|%p\n");
    let word = b.string(b"word");
    let pointer = b.pointer(INT);
    let arguments = [
        format,
        b.i(-3),
        b.int(7, UINT),
        b.int(255, UINT),
        b.i(b'!'.into()),
        word,
        word,
        b.int(1 << 40, LONG),
        b.double(2.5, DOUBLE),
        b.null(pointer),
    ];
    let n = b.local("n", INT);
    b.builtin(Some(n), Builtin::Printf, &arguments);
    b.builtin(None, Builtin::Puts, &[word]);
    let c = b.i(b'x'.into());
    b.builtin(None, Builtin::Putchar, &[c]);
    let e = b.get(n);
    b.ret(e);
    let (_, run) = b.run(&[]);
    let first = "-3|    7|ff  |!|word|wo|%|1099511627776|2.500|(nil)\n";
    assert_eq!(String::from_utf8_lossy(&run.output), format!("{first}word\nx"));
    assert_eq!(run.outcome, Outcome::Exited(first.len() as i128));
}
