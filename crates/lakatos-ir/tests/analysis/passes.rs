//! Passes on hand-built programs.

use std::time::{Duration, Instant};

use lakatos_ir::pass::{Image, Request, Step};
use lakatos_ir::pass::{constants, dead_code, instrument, large_blocks, slice, way_through};
use lakatos_ir::*;
use proptest::prelude::*;

use crate::build::{Build, abort, assert_valid, call};
use crate::execute::Executor;
use crate::random::Rng;
use crate::show;

const MAIN: ProcId = ProcId(1);

fn only(property: Property) -> Vec<Property> {
    vec![property]
}

fn instrumented(program: Program, properties: &[Property]) -> Program {
    let (program, _) =
        instrument(program, &Request { properties, error_label: None, is_run: true });
    assert_valid(&program);
    program
}

fn messages(program: &Program, proc: ProcId) -> Vec<String> {
    let body = program.procs[proc].body.as_ref().expect("has a body");
    let errors = body.locs.iter().filter_map(|(_, l)| l.error.as_ref());
    errors.map(|v| v.message.clone()).collect()
}

#[test]
fn error_calls() {
    let mut b = Build::new();
    let error = b.error_function();
    b.straight(MAIN, vec![Instr::Skip, call(error, vec![], None)]);
    let program = b.done();
    let untouched = instrumented(program.clone(), &only(Property::DivByZero));
    assert_eq!(show::body(&untouched, MAIN), "entry -> l2: skip\nl2 -> exit: reach_error()");
    let program = instrumented(program, &only(Property::UnreachCall));
    assert_eq!(show::body(&program, MAIN), "entry -> l2: skip\nl2 -> l3!: skip");
    assert_eq!(messages(&program, MAIN), ["`reach_error` is called"]);
}

#[test]
fn error_calls_through_pointers() {
    let mut b = Build::new();
    let error = b.error_function();
    let fine = b.proc("fine", &[], Type::Void);
    let address = b.function(error);
    b.function(fine);
    let ty = b.exprs[address].ty;
    let f = b.global("f", ty);
    let pointer = b.load(f);
    let callee = Callee::Pointer(pointer);
    b.straight(MAIN, vec![Instr::Call(Call { result: None, callee, args: vec![], site: None })]);
    let program = instrumented(b.done(), &only(Property::UnreachCall));
    assert_eq!(
        show::body(&program, MAIN),
        "entry -> l2: [(f == &reach_error)]\n\
         entry -> l4: [!(f == &reach_error)]\n\
         l2 -> l3!: skip\n\
         l4 -> exit: (*f)()"
    );
}

#[test]
fn labels() {
    let mut b = Build::new();
    b.straight(MAIN, vec![Instr::Skip, Instr::Skip]);
    b.cfa(MAIN).labels.push(("ERROR".into(), LocId(2)));
    let request =
        Request { properties: &[Property::UnreachCall], error_label: Some("ERROR"), is_run: true };
    let (program, _) = instrument(b.done(), &request);
    assert_eq!(messages(&program, MAIN), ["label `ERROR` is reached"]);
    assert_eq!(show::body(&program, MAIN), "entry -> l2!: skip\nl2! -> exit: skip");
}

#[test]
fn a_branch_is_checked_once() {
    let mut b = Build::new();
    let x = b.local(MAIN, "x", Type::I32);
    let (load, ten, one) = (b.load(x), b.i32(10), b.i32(1));
    let ratio = b.bin(BinOp::Div, ten, load);
    let condition = b.bin(BinOp::Gt, ratio, one);
    let (entry, exit, other) = (b.entry(MAIN), b.exit(MAIN), b.loc(MAIN));
    b.branch(MAIN, entry, condition, exit, other);
    let program = instrumented(b.done(), &Property::ALL);
    assert_eq!(
        show::body(&program, MAIN),
        "entry -> l3!: [(x == 0)]\n\
         entry -> l4: [!(x == 0)]\n\
         l4 -> exit: [((10 / x) > 1)]\n\
         l4 -> l2: [!((10 / x) > 1)]"
    );
}

#[test]
fn a_result_goes_into_its_place_after_the_call() {
    let mut b = Build::new();
    let array = b.types.array_of(Type::I32, Some(3));
    let (a, g) = (b.global("a", array), b.global("g", Type::I32));
    let f = b.proc("f", &[], Type::I32);
    let (index, base) = (b.load(g), b.var_at(a));
    let place = b.index(base, index);
    b.straight(MAIN, vec![call(f, vec![], Some(place))]);
    let program = instrumented(b.done(), &only(Property::ArrayBounds));
    assert_eq!(
        show::body(&program, MAIN),
        "entry -> l2: tmp3 = f()\n\
         l2 -> l3!: [((g < 0) || (g >= 3))]\n\
         l2 -> l4: [!((g < 0) || (g >= 3))]\n\
         l4 -> exit: a[g] = tmp3"
    );
}

/// `while (x) { if (y) x = 1; else x = 2; }`
fn loop_with_branch() -> (Build, VarId, VarId) {
    let mut b = Build::new();
    let (x, y) = (b.local(MAIN, "x", Type::BOOL), b.local(MAIN, "y", Type::BOOL));
    let (entry, exit) = (b.entry(MAIN), b.exit(MAIN));
    let locs: Vec<LocId> = (0..4).map(|_| b.loc(MAIN)).collect();
    let [head, body, yes, no] = locs[..] else { unreachable!() };
    b.edge(MAIN, entry, head, Instr::Skip);
    let (load_x, load_y) = (b.load(x), b.load(y));
    b.branch(MAIN, head, load_x, body, exit);
    b.branch(MAIN, body, load_y, yes, no);
    let (zero, one) = (b.int(0, Type::BOOL), b.int(1, Type::BOOL));
    let (set, keep) = (b.assign(x, zero), b.assign(x, one));
    b.edge(MAIN, yes, head, set);
    b.edge(MAIN, no, head, keep);
    (b, x, y)
}

#[test]
fn a_loop_body_is_one_block() {
    let (b, _, _) = loop_with_branch();
    let (program, inverse) = large_blocks(b.done());
    assert_valid(&program);
    assert_eq!(
        show::body(&program, MAIN),
        "entry -> l1: skip\n\
         l1 -> exit: [!x]\n\
         l1 -> l1: { l2->l3 [x]; l3->l4 [y]; l3->l5 [!y]; l5->l2 x = 1; l4->l2 x = 0 }"
    );
    let images: Vec<Image> = (0..6).map(|l| inverse.image(MAIN, LocId(l))).collect();
    let at = |l| Image::At(LocId(l));
    assert_eq!(images, [at(0), at(2), at(1), Image::Inside, Image::Inside, Image::Inside]);

    // The way through the block where `y` does not hold.
    let body = program.procs[MAIN].body.as_ref().unwrap();
    let Instr::Block(region) = &body.edges[EdgeId(2)].instr else { panic!("a block") };
    let holds = |_: &(), e: &Edge| (show::instr(&program, &e.instr) != "[y]").then_some(());
    let (way, ()) = way_through(region, (), holds).expect("a way");
    let step = Step { proc: MAIN, edge: EdgeId(2), within: way };
    let edges: Vec<EdgeId> = inverse.trace(&[step]).iter().map(|s| s.edge).collect();
    assert_eq!(edges, [EdgeId(1), EdgeId(4), EdgeId(6)]);
    assert!(way_through(region, (), |(), _| None::<()>).is_none());
}

/// Global constants are known everywhere; undefined operations stay.
#[test]
fn constants_are_written_out() {
    let mut b = Build::new();
    let (n, m) = (b.global("n", Type::I32), b.global("m", Type::I32));
    let x = b.local(MAIN, "x", Type::I32);
    let start = b.start;
    *b.cfa(start) = Cfa::new();
    let (three, four, max, zero) = (b.i32(3), b.i32(4), b.i32(2_147_483_647), b.i32(0));
    let instrs = vec![b.assign(n, three), b.assign(m, four), call(MAIN, vec![], None)];
    b.straight(start, instrs);
    let (load_n, load_m, load_x) = (b.load(n), b.load(m), b.load(x));
    let sum = b.bin(BinOp::Add, load_n, load_m);
    let overflow = b.bin(BinOp::Add, load_n, max);
    let division = b.bin(BinOp::Div, load_x, zero);
    let less = b.bin(BinOp::Lt, load_n, load_x);
    let instrs = vec![
        b.assign(x, sum),
        Instr::Assume(less),
        b.assign(m, overflow),
        b.assign(m, sum),
        b.assign(x, division),
    ];
    b.straight(MAIN, instrs);
    let (program, inverse) = constants(b.done());
    assert_valid(&program);
    // `m` is assigned in `main`, so its first value is not known here.
    assert_eq!(
        show::body(&program, MAIN),
        "entry -> l2: x = (3 + m)\n\
         l2 -> l3: [(3 < x)]\n\
         l3 -> l4: m = (3 + 2147483647)\n\
         l4 -> l5: m = (3 + m)\n\
         l5 -> exit: x = (x / 0)"
    );
    assert_eq!(inverse.known(MAIN, LocId(0)), [(n, 3)]);
}

#[test]
fn impossible_branches_go() {
    let (mut b, x, y) = loop_with_branch();
    let (zero, one) = (b.int(0, Type::BOOL), b.int(1, Type::BOOL));
    // Both are false before the loop.
    let next = b.loc(MAIN);
    let instr = b.assign(y, one);
    b.cfa(MAIN).edges[EdgeId(0)].instr = instr;
    b.cfa(MAIN).edges[EdgeId(0)].to = next;
    b.cfa(MAIN).locs[next].into.push(EdgeId(0));
    b.cfa(MAIN).locs[LocId(2)].into.retain(|&e| e != EdgeId(0));
    let instr = b.assign(x, zero);
    b.edge(MAIN, next, LocId(2), instr);
    let (program, inverse) = constants(b.done());
    let (program, second) = dead_code(program);
    assert_valid(&program);
    assert_eq!(show::body(&program, MAIN), "entry -> exit: skip");
    let inverse = inverse.then(second);
    assert_eq!(inverse.image(MAIN, LocId(3)), Image::Unreachable);
    assert_eq!(inverse.known(MAIN, LocId(2)), [(x, 0), (y, 1)]);
}

#[test]
fn dead_code_goes_but_undefined_operations_stay() {
    let mut b = Build::new();
    let unused = b.proc("unused", &[], Type::Void);
    let (x, y) = (b.local(MAIN, "x", Type::I32), b.local(MAIN, "y", Type::I32));
    let t = b.local(MAIN, "t", Type::Int(IntType::unsigned(32)));
    let one = b.int(1, Type::Int(IntType::unsigned(32)));
    let harmless = b.bin(BinOp::Add, one, one);
    let load = b.load(y);
    let harmful = b.bin(BinOp::Mul, load, load);
    let instrs = vec![
        Instr::Skip,
        b.assign(t, harmless),
        Instr::Skip,
        b.assign(x, harmful),
        b.havoc(MAIN, x),
        Instr::Skip,
    ];
    b.straight(MAIN, instrs);
    let (program, inverse) = dead_code(b.done());
    assert_valid(&program);
    assert!(program.procs[unused].body.is_none());
    assert_eq!(
        show::body(&program, MAIN),
        "entry -> l2: skip\nl2 -> l3: x = (y * y)\nl3 -> exit: x = *"
    );
    let trace = [0, 1, 2].map(|e| Step::new(MAIN, EdgeId(e)));
    let edges: Vec<u32> = inverse.trace(&trace).iter().map(|s| s.edge.0).collect();
    assert_eq!(edges, [0, 1, 2, 3, 4, 5]);
}

/// `check(cond) { if (!cond) abort(); }` before an error matters; what is computed besides does
/// not, nor does the argument that nobody reads.
#[test]
fn slicing_keeps_what_errors_depend_on() {
    let mut b = Build::new();
    let error = b.error_function();
    let check = b.proc("check", &[Type::BOOL, Type::I32], Type::Void);
    let (entry, exit, stop, end) = (b.entry(check), b.exit(check), b.loc(check), b.loc(check));
    let cond = b.procs[check].params[0];
    let cond = b.load(cond);
    b.branch(check, entry, cond, exit, stop);
    b.edge(check, stop, end, abort());
    let [x, y, z] = ["x", "y", "z"].map(|name| b.local(MAIN, name, Type::I32));
    let (load_x, load_y, zero) = (b.load(x), b.load(y), b.i32(0));
    let positive = b.bin(BinOp::Gt, load_x, zero);
    let product = b.bin(BinOp::Mul, load_y, load_y);
    let instrs = vec![
        b.havoc(MAIN, x),
        b.havoc(MAIN, y),
        b.assign(z, product),
        call(check, vec![positive, product], None),
        call(error, vec![], None),
    ];
    b.straight(MAIN, instrs);
    let program = instrumented(b.done(), &only(Property::UnreachCall));
    let (program, _) = slice(program);
    assert_valid(&program);
    assert_eq!(
        show::body(&program, MAIN),
        "entry -> l2: x = *\n\
         l2 -> l3: skip\n\
         l3 -> l4: skip\n\
         l4 -> l5: check((x > 0), 0)\n\
         l5 -> l6!: skip"
    );
    assert_eq!(
        show::body(&program, check),
        "entry -> exit: [param]\nentry -> l2: [!param]\nl2 -> l3: skip"
    );
}

/// `make` gives the instructions of `main` and an integer; the error is reached if that is 1.
/// In the slice it must still be reached in exactly the same cases: when `main` begins with
/// `v = 1`, not with `v = 0`.
fn check_dependence(make: impl Fn(&mut Build, VarId) -> (Vec<Instr>, ExprId)) {
    for (value, reached) in [(1, 1), (0, 0)] {
        let mut b = Build::new();
        let error = b.error_function();
        let v = b.local(MAIN, "v", Type::I32);
        let (value, one) = (b.i32(value), b.i32(1));
        let (mut instrs, result) = make(&mut b, v);
        instrs.insert(0, b.assign(v, value));
        let is_one = b.bin(BinOp::Eq, result, one);
        instrs.extend([Instr::Assume(is_one), call(error, vec![], None)]);
        b.straight(MAIN, instrs);
        let program = instrumented(b.done(), &only(Property::UnreachCall));
        let (sliced, _) = slice(program.clone());
        for program in [program, sliced] {
            let runs = Executor::new(&program).explore();
            assert_eq!(runs.errors.len(), reached, "{}", show::program(&program));
        }
    }
}

#[test]
fn slices_follow_values() {
    // x = v
    check_dependence(|b, v| {
        let (x, value) = (b.local(MAIN, "x", Type::I32), b.load(v));
        (vec![b.assign(x, value)], b.load(x))
    });
    // x = identity(v)
    check_dependence(|b, v| {
        let identity = b.proc("identity", &[Type::I32], Type::I32);
        let param = b.procs[identity].params[0];
        let param = b.load(param);
        b.straight(identity, vec![Instr::Return(Some(param))]);
        let x = b.local(MAIN, "x", Type::I32);
        let (place, value) = (b.var_at(x), b.load(v));
        (vec![call(identity, vec![value], Some(place))], b.load(x))
    });
    // set(v), which assigns a global
    check_dependence(|b, v| {
        let g = b.global("g", Type::I32);
        let set = b.proc("set", &[Type::I32], Type::Void);
        let param = b.procs[set].params[0];
        let param = b.load(param);
        let instr = b.assign(g, param);
        b.straight(set, vec![instr]);
        let value = b.load(v);
        (vec![call(set, vec![value], None)], b.load(g))
    });
    // p = &g; *p = v; read as g, and g = v; read as *p
    for through_pointer in [true, false] {
        check_dependence(|b, v| {
            let g = b.global("g", Type::I32);
            let place = b.var_at(g);
            let address = b.addr_of(place);
            let ty = b.exprs[address].ty;
            let p = b.global("p", ty);
            let pointer = b.load(p);
            let target = b.deref(pointer);
            let value = b.load(v);
            let take = b.assign(p, address);
            match through_pointer {
                true => (vec![take, Instr::Assign(target, value)], b.load(g)),
                false => {
                    let instr = b.assign(g, value);
                    (vec![take, instr], b.load_place(target))
                }
            }
        });
    }
    // f = v == 1 ? &one : &zero; x = f()
    check_dependence(|b, v| {
        let [one, zero] = [1, 0].map(|value| {
            let proc = b.proc("constant", &[], Type::I32);
            let value = b.i32(value);
            b.straight(proc, vec![Instr::Return(Some(value))]);
            b.function(proc)
        });
        let ty = b.exprs[one].ty;
        let (f, x) = (b.global("f", ty), b.local(MAIN, "x", Type::I32));
        let (value, number) = (b.load(v), b.i32(1));
        let is_one = b.bin(BinOp::Eq, value, number);
        let choice = b.program.expr(ExprKind::Ite(is_one, one, zero), ty, Span::default());
        let (pointer, result) = (b.load(f), Some(b.var_at(x)));
        let callee = Callee::Pointer(pointer);
        let instr = Instr::Call(Call { result, callee, args: vec![], site: None });
        (vec![b.assign(f, choice), instr], b.load(x))
    });
}

/// A random expression over constants of all widths: folding agrees with exact arithmetic.
fn constant_expr(b: &mut Build, rng: &mut Rng, int: IntType, depth: usize) -> ExprId {
    let ty = Type::Int(int);
    if depth == 0 || rng.below(4) == 0 {
        let special = [0, 1, 2, -1, 7, int.min(), int.max(), int.max() / 2, int.min() + 1, 31];
        return b.int(int.wrap(special[rng.below(special.len())]), ty);
    }
    let other = IntType { bits: [8, 16, 32, 64][rng.below(4)], signed: rng.below(2) == 0 };
    match rng.below(10) {
        0 => {
            let inner = constant_expr(b, rng, other, depth - 1);
            b.cast(inner, ty)
        }
        1 => {
            let (x, y) =
                (constant_expr(b, rng, other, depth - 1), constant_expr(b, rng, other, depth - 1));
            use BinOp::*;
            let op = [Eq, Ne, Lt, Le, Gt, Ge][rng.below(6)];
            let c = match rng.below(3) {
                0 => {
                    let op = [Arith::Add, Arith::Sub, Arith::Mul][rng.below(3)];
                    b.program.expr(
                        ExprKind::Overflows(op, x, y, other),
                        Type::BOOL,
                        Span::default(),
                    )
                }
                _ => b.bin(op, x, y),
            };
            let (x, y) =
                (constant_expr(b, rng, int, depth - 1), constant_expr(b, rng, int, depth - 1));
            b.program.expr(ExprKind::Ite(c, x, y), ty, Span::default())
        }
        2 => {
            let op = [UnOp::Neg, UnOp::BitNot][rng.below(2)];
            let x = constant_expr(b, rng, int, depth - 1);
            b.program.expr(ExprKind::Unary(op, x), ty, Span::default())
        }
        3 => {
            let op = [BinOp::Shl, BinOp::Shr][rng.below(2)];
            let x = constant_expr(b, rng, int, depth - 1);
            let y = constant_expr(b, rng, other, depth - 1);
            b.bin(op, x, y)
        }
        _ => {
            use BinOp::*;
            let op = [Add, Sub, Mul, Div, Rem, BitAnd, BitOr, BitXor][rng.below(8)];
            let x = constant_expr(b, rng, int, depth - 1);
            let y = constant_expr(b, rng, int, depth - 1);
            b.bin(op, x, y)
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn folding_is_exact(seed: u64, bits in prop::sample::select(vec![8u16, 16, 32, 64]), signed: bool) {
        let mut b = Build::new();
        let int = IntType { bits, signed };
        let r = b.local(MAIN, "r", Type::Int(int));
        let e = constant_expr(&mut b, &mut Rng(seed), int, 4);
        let instr = b.assign(r, e);
        b.straight(MAIN, vec![instr]);
        let old = b.done();
        let (new, _) = constants(old.clone());
        assert_valid(&new);
        let body = new.procs[MAIN].body.as_ref().unwrap();
        let Instr::Assign(_, folded) = body.edges[EdgeId(0)].instr else { panic!("an assignment") };
        let value = |p: &Program, e| {
            let executor = Executor::new(p);
            executor.value(&executor.initial(), e)
        };
        let expected = value(&old, e);
        prop_assert_eq!(&value(&new, folded), &expected);
        // All that is defined is folded, and nothing else.
        let is_constant = matches!(new.exprs[folded].kind, ExprKind::Int(_));
        prop_assert_eq!(is_constant, expected.is_ok());
    }
}

/// A row of 30,000 checked additions, and as many joins: all passes are near-linear.
#[test]
fn large_programs() {
    let mut b = Build::new();
    let x = b.local(MAIN, "x", Type::I32);
    let error = b.error_function();
    let mut at = b.entry(MAIN);
    for i in 0..30_000 {
        let (load, value) = (b.load(x), b.i32(i));
        let sum = b.bin(BinOp::Add, load, value);
        let (next, then) = (b.loc(MAIN), b.loc(MAIN));
        let condition = b.bin(BinOp::Gt, load, value);
        b.branch(MAIN, at, condition, then, next);
        let instr = b.assign(x, sum);
        b.edge(MAIN, then, next, instr);
        at = next;
    }
    let exit = b.exit(MAIN);
    b.edge(MAIN, at, exit, call(error, vec![], None));
    let begin = Instant::now();
    let program = instrumented(b.done(), &Property::ALL);
    let (program, _) = constants(program);
    let (program, _) = slice(program);
    let (program, _) = dead_code(program);
    let (program, _) = large_blocks(program);
    assert_valid(&program);
    let body = program.procs[MAIN].body.as_ref().unwrap();
    let sizes = body.edges.iter().map(|(_, e)| match &e.instr {
        Instr::Block(region) => region.edges.len(),
        _ => 1,
    });
    assert!(sizes.sum::<usize>() < 30_000 * 50);
    assert!(begin.elapsed() < Duration::from_secs(20), "{:?}", begin.elapsed());
}
