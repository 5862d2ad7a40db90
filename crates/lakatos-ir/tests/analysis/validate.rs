//! The well-formedness check finds what is wrong.

use lakatos_ir::validate::validate;
use lakatos_ir::*;

use crate::build::{Build, NO, call};

/// `break_it` spoils a good program; some problem must contain `expect`.
fn check(break_it: impl FnOnce(&mut Build), expect: &str) {
    let mut b = Build::new();
    let main = b.main;
    let x = b.local(main, "x", Type::I32);
    let one = b.i32(1);
    let instrs = vec![b.assign(x, one), b.havoc(main, x)];
    b.straight(main, instrs);
    assert_eq!(validate(&b.program), []);
    break_it(&mut b);
    let problems: Vec<String> = validate(&b.program).iter().map(ToString::to_string).collect();
    assert!(problems.iter().any(|p| p.contains(expect)), "{problems:?} lacks {expect}");
}

const MAIN: ProcId = ProcId(1);

fn add(b: &mut Build, instr: Instr) {
    let (entry, exit) = (b.entry(MAIN), b.exit(MAIN));
    b.edge(MAIN, entry, exit, instr);
}

#[test]
fn problems_are_found() {
    check(|b| b.main = ProcId(9), "`main` is out of range");
    check(|b| b.procs[ProcId(0)].body = None, "`start` has no body");
    check(|b| b.cfa(MAIN).locs[LocId(0)].out.clear(), "leaving edges are not consistent");
    check(|b| b.cfa(MAIN).edges[EdgeId(0)].to = LocId(1), "arriving edges are not consistent");
    check(
        |b| {
            let exit = b.exit(MAIN);
            b.edge(MAIN, exit, exit, Instr::Skip);
        },
        "edges leave the exit",
    );
    check(
        |b| {
            let long = b.int(1, Type::Int(IntType::signed(64)));
            let place = b.var_at(VarId(0));
            add(b, Instr::Assign(place, long));
        },
        "is assigned to",
    );
    check(
        |b| {
            let one = b.i32(1);
            add(b, Instr::Assume(one));
        },
        "no truth value",
    );
    check(
        |b| {
            b.int(300, Type::Int(IntType::U8));
        },
        "ill-typed",
    );
    check(
        |b| {
            let (one, long) = (b.i32(1), b.int(1, Type::Int(IntType::signed(64))));
            b.bin(BinOp::Add, one, long);
        },
        "ill-typed",
    );
    check(|b| add(b, call(MAIN, vec![ExprId(0)], None)), "1 arguments for 0 parameters");
    check(
        |b| {
            let foreign = b.proc("f", &[Type::I32], Type::Void);
            let param = b.procs[foreign].params[0];
            let one = b.i32(1);
            let instr = b.assign(param, one);
            add(b, instr);
        },
        "belongs to another procedure",
    );
    check(|b| add(b, crate::build::abort()), "the automaton goes on");
    check(
        |b| {
            let mut e = b.i32(1);
            for _ in 0..1000 {
                e = b.program.expr(ExprKind::Unary(UnOp::BitNot, e), Type::I32, NO);
            }
        },
        "nested deeper",
    );
    check(
        |b| {
            let next = ExprId::from_index(b.exprs.len());
            b.program.expr(ExprKind::Unary(UnOp::BitNot, next), Type::I32, NO);
        },
        "nested deeper",
    );
}
