//! Control flow, calls, inputs, limits, blocks and traces.

use lakatos_ir::interpret::{Input, Interpreter, Keyed, Options, Outcome, Random, Zeros, leaves};
use lakatos_ir::*;

use crate::build::*;

/// `for (i = 0; i < n; i++) sum += i; return sum` with 32 unsigned bits.
fn sum_below(n: i128) -> Build {
    let mut b = Build::new();
    let (i, sum) = (b.local("i", UINT), b.local("sum", UINT));
    let (e, bound) = (b.get(i), b.int(n, UINT));
    let condition = b.bin(BinOp::Lt, e, bound);
    b.repeat_while(condition, |b| {
        let (s, e) = (b.get(sum), b.get(i));
        let s = b.add(s, e);
        b.set(sum, s);
        let (e, one) = (b.get(i), b.int(1, UINT));
        let e = b.add(e, one);
        b.set(i, e);
    });
    let e = b.get(sum);
    let e = b.cast(INT, e);
    b.ret(e);
    b
}

#[test]
fn a_loop() {
    sum_below(100).check_exit(4950);
}

#[test]
fn step_limit() {
    let options = Options { max_steps: 1000, ..Options::default() };
    let (_, run) = sum_below(1_000_000).run_with(&options, &mut Zeros);
    assert_eq!((run.outcome, run.steps), (Outcome::StepLimit, 1000));
}

/// `f(n) = n == 0 ? 0 : f(n - 1) + 1`, through a function pointer if asked.
fn recursive(depth: i32, by_pointer: bool) -> Build {
    let mut b = Build::new();
    let main = b.proc;
    let f = b.proc("f", INT, &[("n", INT)]);
    b.proc = f;
    let n = b.program.procs[f].params[0];
    let r = b.local("r", INT);
    let (e, zero) = (b.get(n), b.i(0));
    let done = b.bin(BinOp::Eq, e, zero);
    b.when(done, |b| {
        let zero = b.i(0);
        b.ret(zero);
    });
    let (e, one) = (b.get(n), b.i(1));
    let less = b.bin(BinOp::Sub, e, one);
    let callee = match by_pointer {
        true => Callee::Pointer(b.function(f)),
        false => Callee::Proc(f),
    };
    b.call(Some(r), callee, &[less]);
    let e = b.get(r);
    let e = b.add(e, one);
    b.ret(e);
    b.proc = main;
    let x = b.local("x", INT);
    let n = b.i(depth);
    b.call(Some(x), Callee::Proc(f), &[n]);
    let e = b.get(x);
    b.ret(e);
    b
}

#[test]
fn a_million_frames() {
    let deep = Options { max_depth: 1_000_010, ..Options::default() };
    for by_pointer in [false, true] {
        let (_, run) = recursive(1_000_000, by_pointer).run_with(&deep, &mut Zeros);
        assert_eq!(run.outcome, Outcome::Exited(1_000_000));
    }
    let (_, run) = recursive(1_000_000, false).run_with(&Options::default(), &mut Zeros);
    assert_eq!(run.outcome, Outcome::DepthLimit);
    assert_eq!(run.stack.len(), 1_000_000);
}

#[test]
fn deep_frames_count_as_memory() {
    let options = Options { max_depth: usize::MAX, max_bytes: 1 << 20, ..Options::default() };
    let (_, run) = recursive(i32::MAX, false).run_with(&options, &mut Zeros);
    assert_eq!(run.outcome, Outcome::MemoryLimit);
}

#[test]
fn each_frame_has_its_own_variables() {
    // f(n) { int x = n; if (n) f(n - 1); return *&x; }
    let mut b = Build::new();
    let main = b.proc;
    let f = b.proc("f", INT, &[("n", INT)]);
    b.proc = f;
    let n = b.program.procs[f].params[0];
    let (x, r) = (b.local("x", INT), b.local("r", INT));
    let e = b.get(n);
    b.set(x, e);
    let zero = b.i(0);
    let more = b.bin(BinOp::Ne, e, zero);
    b.when(more, |b| {
        let (e, one) = (b.get(n), b.i(1));
        let e = b.bin(BinOp::Sub, e, one);
        b.call(Some(r), Callee::Proc(f), &[e]);
    });
    let p = b.addr_of(x);
    let place = b.deref(p);
    let e = b.load(place);
    b.ret(e);
    b.proc = main;
    let r = b.local("r", INT);
    let n = b.i(5);
    b.call(Some(r), Callee::Proc(f), &[n]);
    let e = b.get(r);
    b.ret(e);
    b.check_exit(5);
}

#[test]
fn ends_of_a_run() {
    let ended = |builtin| {
        let mut b = Build::new();
        let three = b.i(3);
        b.builtin(None, builtin, &[three]);
        b.outcome(&[])
    };
    assert_eq!(ended(Builtin::Exit), Outcome::Exited(3));
    assert!(matches!(ended(Builtin::Abort), Outcome::Aborted { .. }));

    let mut b = Build::new();
    let no = b.int(0, Type::BOOL);
    b.emit(Instr::Assume(no));
    assert!(matches!(b.outcome(&[]), Outcome::Blocked { .. }));

    let mut b = Build::new();
    let error = b.declare("reach_error", Type::Void, &[]);
    b.program.procs[error].is_error = true;
    let edge = b.call(None, Callee::Proc(error), &[]);
    let (program, run) = b.run(&[]);
    let span = program.procs[program.main].body.as_ref().unwrap().edges[edge].span;
    assert_eq!(run.outcome, Outcome::ErrorReached { function: "reach_error".to_owned(), span });
    assert_eq!(run.stack.iter().map(|s| s.proc).collect::<Vec<_>>(), [program.start, program.main]);
}

#[test]
fn error_locations() {
    let mut b = Build::new();
    let violation = Violation {
        property: Property::UnreachCall,
        undefined: None,
        span: Span::default(),
        message: "bad".to_owned(),
    };
    b.emit(Instr::Skip);
    let here = b.here();
    let main = b.proc;
    b.program.procs[main].body.as_mut().unwrap().locs[here].error = Some(violation.clone());
    assert_eq!(b.outcome(&[]), Outcome::Violated(violation));
}

#[test]
fn inputs_are_recorded_with_occurrences() {
    let mut b = Build::new();
    let x = b.local("x", CHAR);
    let t = b.local("t", Type::BOOL);
    let uninitialised = b.site(InputKind::Uninitialised, "x", CHAR);
    let nondet = b.site(InputKind::Nondet, "nondet_char", CHAR);
    let truth = b.site(InputKind::Nondet, "nondet_bool", Type::BOOL);
    let external = b.site(InputKind::External, "get", CHAR);
    let get = b.declare("get", CHAR, &[]);
    b.havoc(x, uninitialised);
    b.havoc(x, nondet);
    b.havoc(x, nondet);
    b.havoc(t, truth);
    b.call_at(Some(x), Callee::Proc(get), &[], Some(external));
    let e = b.get(x);
    let e = b.cast(INT, e);
    b.ret(e);
    let (_, run) = b.run(&[1, 200, 2, -7]);
    assert_eq!(run.outcome, Outcome::Exited(-7));
    let input = |kind, site, occurrence, value| {
        let ty = if site == truth { Type::BOOL } else { CHAR };
        Input { kind, site, occurrence, element: 0, ty, value }
    };
    assert_eq!(
        run.inputs,
        [
            input(InputKind::Uninitialised, uninitialised, 0, 0),
            input(InputKind::Nondet, nondet, 0, 1),
            input(InputKind::Nondet, nondet, 1, -56),
            input(InputKind::Nondet, truth, 0, 1),
            input(InputKind::External, external, 0, -7),
        ]
    );
}

#[test]
fn aggregates_come_in_by_leaves() {
    let build = || {
        let mut b = Build::new();
        let array = b.array(SHORT, 3);
        let record = b.record(
            RecordKind::Struct,
            12,
            &[(array, 0, None), (Type::Int(IntType::unsigned(3)), 6, Some(2)), (INT, 8, None)],
        );
        let s = b.local("s", record);
        let site = b.site(InputKind::Uninitialised, "s", record);
        b.havoc(s, site);
        let place = b.at(s);
        let array = b.field(place, 0);
        let one = b.i(1);
        let second = b.index(array, one);
        let (bits, last) = (b.field(place, 1), b.field(place, 2));
        let (x, y, z) = (b.load(second), b.load(bits), b.load(last));
        let (x, y) = (b.cast(INT, x), b.cast(INT, y));
        let e = b.add(x, y);
        let e = b.add(e, z);
        b.ret(e);
        (b, record, site)
    };
    let (b, record, site) = build();
    assert_eq!(leaves(&b.program.types, record).len(), 5);
    let mut keyed = Keyed::default();
    for (element, value) in [(1, 10), (3, 7), (4, -100)] {
        keyed.insert(site, 0, element, value);
    }
    let (_, run) = b.run_with(&Options::default(), &mut keyed);
    assert_eq!(run.outcome, Outcome::Exited(10 + 7 - 100));
    let values: Vec<_> = run.inputs.iter().map(|i| (i.element, i.value)).collect();
    assert_eq!(values, [(0, 0), (1, 10), (2, 0), (3, 7), (4, -100)]);
    let (b, ..) = build();
    let (_, run) = b.run_with(&Options::default(), &mut Zeros);
    assert_eq!((run.outcome, run.inputs.len()), (Outcome::Exited(0), 0));
    let (b, ..) = build();
    let (_, run) = b.run_with(&Options::default(), &mut Keyed::default().with_rest(1));
    assert_eq!((run.outcome, run.inputs.len()), (Outcome::Exited(3), 5));
}

#[test]
fn fresh_memory_comes_in_by_bytes() {
    let mut b = Build::new();
    let pointer = b.pointer(INT);
    let p = b.local("p", pointer);
    let site = b.site(InputKind::Uninitialised, "malloc", pointer);
    let size = b.int(4, ULONG);
    b.call_at(Some(p), Callee::Builtin(Builtin::Malloc), &[size], Some(site));
    let e = b.get(p);
    let place = b.deref(e);
    let e = b.load(place);
    b.ret(e);
    let program = b.finish();
    let interpreter = Interpreter::new(&program);
    let check = |mut inputs: Keyed, expect: i128| {
        let run = interpreter.run(&Options::default(), &mut inputs);
        assert_eq!((run.outcome, run.inputs.len()), (Outcome::Exited(expect), 4));
    };
    let second: Keyed = [((site, 0, 1), 2)].into_iter().collect();
    check(second.clone(), 512);
    // What nothing is said of may be something else than zero, byte by byte.
    check(second.with_rest(1), 0x0101_0201);
    check(Keyed::default().with_rest(-1), -1);
}

#[test]
fn random_runs_repeat() {
    let mut b = Build::new();
    let x = b.local("x", INT);
    let site = b.site(InputKind::Nondet, "x", INT);
    b.havoc(x, site);
    let e = b.get(x);
    b.ret(e);
    let program = b.finish();
    let interpreter = Interpreter::new(&program);
    let once = |seed| interpreter.run(&Options::default(), &mut Random::new(seed)).inputs;
    assert!((0..50).all(|seed| once(seed) == once(seed)));
    assert!((1..50).any(|seed| once(seed) != once(0)));
}

#[test]
fn traces_show_what_was_assigned() {
    let options = Options { record_trace: true, ..Options::default() };
    let (program, run) = recursive(1, false).run_with(&options, &mut Zeros);
    let f = program.proc_named("f").unwrap();
    let assigned: Vec<_> = run
        .trace
        .iter()
        .flat_map(|s| s.assigned.iter().map(|a| (s.proc, a.name.as_str(), a.shown.as_str())))
        .collect();
    assert_eq!(
        assigned,
        [
            (program.main, "n", "1"),
            (f, "n", "0"),
            (f, "return", "0"),
            (f, "r", "0"),
            (f, "return", "1"),
            (program.main, "x", "1"),
            (program.main, "return", "1"),
            (program.start, "code", "1"),
            (program.start, "return", "1"),
        ]
    );
}

/// What is left out of a trace is left out with its values.
#[test]
fn the_middle_of_a_trace_can_be_left_out() {
    let record = |unrecorded| {
        let options = Options { record_trace: true, unrecorded, ..Options::default() };
        recursive(3, false).run_with(&options, &mut Zeros).1.trace
    };
    let all = record(0..0);
    // A call that has returned is a step of the trace, but none that counts.
    let steps = recursive(3, false).run_with(&Options::default(), &mut Zeros).1.steps;
    let (head, tail) = (5, 4);
    let some = record(head..steps - tail);
    assert_eq!(some[..head as usize], all[..head as usize]);
    let kept = &some[head as usize..];
    assert!(kept.len() >= tail as usize && kept.len() < all.len() - head as usize);
    assert_eq!(*kept, all[all.len() - kept.len()..]);
    assert_eq!(record(0..steps), []);
}

#[test]
fn inputs_count_as_memory() {
    let mut b = Build::new();
    let x = b.local("x", INT);
    let site = b.site(InputKind::Nondet, "x", INT);
    let yes = b.int(1, Type::BOOL);
    b.repeat_while(yes, |b| b.havoc(x, site));
    let options = Options { max_bytes: 1 << 16, ..Options::default() };
    assert_eq!(b.run_with(&options, &mut Zeros).1.outcome, Outcome::MemoryLimit);
}

/// Calls a function that calls one again and again, each time with an input.
fn calls_with_inputs() -> Build {
    let mut b = Build::new();
    let main = b.proc;
    let [f, g] = ["f", "g"].map(|name| b.proc(name, INT, &[("n", INT)]));
    b.proc = g;
    let zero = b.i(0);
    b.ret(zero);
    b.proc = f;
    let n = b.program.procs[f].params[0];
    let e = b.get(n);
    b.call(None, Callee::Proc(g), &[e]);
    b.ret(zero);
    b.proc = main;
    let (x, r) = (b.local("x", INT), b.local("r", INT));
    let site = b.site(InputKind::Nondet, "x", INT);
    let yes = b.int(1, Type::BOOL);
    b.repeat_while(yes, |b| {
        b.havoc(x, site);
        let e = b.get(x);
        b.call(Some(r), Callee::Proc(f), &[e]);
    });
    b
}

/// Regression: the run ends in the caller where there is no room for the frame of the callee.
#[test]
fn no_room_for_a_frame() {
    for max_bytes in (1 << 10..1 << 12).step_by(8) {
        let options = Options { max_bytes, ..Options::default() };
        let (_, run) = calls_with_inputs().run_with(&options, &mut Zeros);
        assert_eq!(run.outcome, Outcome::MemoryLimit);
        assert!(run.stack.len() <= 4, "{:?}", run.stack);
        assert!(run.stack[1..].iter().all(|entry| entry.call.is_some()));
    }
}

/// A body as one block per way out: `y = x + 1; if (y > 5) → A else → B` (with `A` and `B` the
/// locations 10 and 11 of the original automaton).
#[test]
fn blocks_are_walked_without_going_back() {
    for (x_value, want) in [(3, 100), (7, 200)] {
        let mut b = Build::new();
        let (x, y) = (b.local("x", INT), b.local("y", INT));
        let site = b.site(InputKind::Nondet, "x", INT);
        let (small, large) = (b.new_loc(), b.new_loc());
        let (at_x, at_y) = (b.at(x), b.at(y));
        let (e, one) = (b.get(x), b.i(1));
        let sum = b.add(e, one);
        let (e, five) = (b.get(y), b.i(5));
        let above = b.bin(BinOp::Gt, e, five);
        let below = b.un(UnOp::Not, above);
        let edge = |from, to, instr| Edge {
            from: LocId(from),
            to: LocId(to),
            instr,
            span: Span::default(),
        };
        let common = [edge(0, 1, Instr::Havoc(at_x, site)), edge(1, 2, Instr::Assign(at_y, sum))];
        let region = |exit, condition| {
            let mut edges = common.to_vec();
            edges.push(edge(2, exit, Instr::Assume(condition)));
            let region = Region { entry: LocId(0), exit: LocId(exit), edges };
            Instr::Block(Box::new(region))
        };
        let here = b.here();
        b.edge(here, large, region(10, above));
        b.edge(here, small, region(11, below));
        for (loc, value) in [(small, 100), (large, 200)] {
            b.go_on_at(loc);
            let e = b.i(value);
            b.ret(e);
        }
        let (_, run) = b.run(&[x_value]);
        assert_eq!(run.outcome, Outcome::Exited(want));
        assert_eq!(run.inputs.len(), 1, "the input is asked for once");
    }
}

#[test]
fn too_few_arguments_is_a_bad_call() {
    let mut b = Build::new();
    let f = b.proc("f", INT, &[("n", INT)]);
    let x = b.local("x", INT);
    b.call(Some(x), Callee::Proc(f), &[]);
    b.check_undefined(Undefined::BadCall, "statement");
}

fn fibonacci(n: i32) -> Build {
    let mut b = Build::new();
    let main = b.proc;
    let f = b.proc("fib", INT, &[("n", INT)]);
    b.proc = f;
    let n_var = b.program.procs[f].params[0];
    let (r, s) = (b.local("r", INT), b.local("s", INT));
    let (e, two) = (b.get(n_var), b.i(2));
    let small = b.bin(BinOp::Lt, e, two);
    b.when(small, |b| b.ret(e));
    for (result, less) in [(r, 1), (s, 2)] {
        let less = b.i(less);
        let argument = b.bin(BinOp::Sub, e, less);
        b.call(Some(result), Callee::Proc(f), &[argument]);
    }
    let (x, y) = (b.get(r), b.get(s));
    let sum = b.add(x, y);
    b.ret(sum);
    b.proc = main;
    let x = b.local("x", INT);
    let n = b.i(n);
    b.call(Some(x), Callee::Proc(f), &[n]);
    let e = b.get(x);
    b.ret(e);
    b
}

#[test]
fn two_calls_in_one_frame() {
    fibonacci(15).check_exit(610);
}

#[test]
fn globals_outlive_frames() {
    // g and h count the calls of f, h through a pointer; both begin as zero.
    let mut b = Build::new();
    let main = b.proc;
    let (g, h) = (b.global("g", INT), b.global("h", INT));
    let f = b.proc("f", Type::Void, &[]);
    b.proc = f;
    let (old, one) = (b.get(g), b.i(1));
    let new = b.add(old, one);
    b.set(g, new);
    let p = b.addr_of(h);
    let place = b.deref(p);
    let (old, ten) = (b.load(place), b.i(10));
    let new = b.add(old, ten);
    b.assign(place, new);
    let (here, exit) = (b.here(), b.program.procs[f].body.as_ref().unwrap().exit);
    b.edge(here, exit, Instr::Return(None));
    b.proc = main;
    for _ in 0..3 {
        b.call(None, Callee::Proc(f), &[]);
    }
    let (x, y) = (b.get(g), b.get(h));
    let e = b.add(x, y);
    b.ret(e);
    b.check_exit(33);
}
