//! Call graphs and mod-sets.

use std::collections::BTreeSet;

use lakatos_ir::callgraph::CallGraph;
use lakatos_ir::library::{self, LibraryRole};
use lakatos_ir::modset::{Effects, ModSets};
use lakatos_ir::*;
use proptest::prelude::*;

use crate::build::{Build, call};
use crate::random;

fn through(pointer: ExprId, args: Vec<ExprId>) -> Instr {
    Instr::Call(Call { result: None, callee: Callee::Pointer(pointer), args, site: None })
}

#[test]
fn pointers_mean_what_fits_and_is_taken() {
    let mut b = Build::new();
    let taken = b.proc("taken", &[Type::I32], Type::Void);
    let other = b.proc("other", &[], Type::Void);
    let _private = b.proc("private", &[Type::I32], Type::Void);
    let address = b.function(taken);
    b.function(other);
    let ty = b.exprs[address].ty;
    let f = b.global("f", ty);
    let old_style =
        b.types.function(Signature { result: Type::Void, params: None, variadic: false });
    let old_style = b.types.pointer_to(old_style);
    let g = b.global("g", old_style);
    let (load_f, load_g, one) = (b.load(f), b.load(g), b.i32(1));
    let main = b.main;
    b.straight(
        main,
        vec![through(load_f, vec![one]), through(load_g, vec![one]), through(address, vec![one])],
    );
    let program = b.done();
    let calls = CallGraph::new(&program);
    let targets: Vec<&[ProcId]> = calls.sites(main).iter().map(|s| &s.targets[..]).collect();
    // Without a prototype every function that gives nothing fits.
    assert_eq!(targets, [&[taken][..], &[taken, other][..], &[taken][..]]);
    assert!(calls.is_reachable(other) && !calls.is_reachable(_private));
    assert_eq!(calls.callers(taken), [main]);
    assert_eq!(calls.targets(main, EdgeId(1)), [taken, other]);
}

#[test]
fn recursion() {
    let mut b = Build::new();
    let f = b.proc("f", &[], Type::Void);
    let g = b.proc("g", &[], Type::Void);
    let own = b.proc("own", &[], Type::Void);
    let main = b.main;
    b.straight(main, vec![call(f, vec![], None)]);
    b.straight(f, vec![call(g, vec![], None), call(own, vec![], None)]);
    b.straight(g, vec![call(f, vec![], None)]);
    b.straight(own, vec![call(own, vec![], None)]);
    let calls = CallGraph::new(&b.done());
    assert_eq!(calls.component(f), [f, g]);
    assert!([f, g, own].into_iter().all(|p| calls.is_recursive(p)) && !calls.is_recursive(main));
    let order: Vec<Vec<ProcId>> = calls.bottom_up().collect();
    assert_eq!(order, [vec![own], vec![f, g], vec![main], vec![ProcId(0)]]);
}

#[test]
fn memory_and_outside() {
    let mut b = Build::new();
    let (g, exposed) = (b.global("g", Type::I32), b.global("e", Type::I32));
    let place = b.var_at(exposed);
    let address = b.addr_of(place);
    let pointer_type = b.exprs[address].ty;
    let harmless = b.external("harmless", &[Type::I32], Type::Void);
    b.program.procs[harmless].library = Some(LibraryRole::Unmodelled(library::Effects::Value));
    let taking = b.external("taking", &[pointer_type], Type::Void);
    let quiet = b.proc("quiet", &[], Type::Void);
    let loud = b.proc("loud", &[], Type::Void);
    let unknown = b.external("unknown", &[], Type::Void);
    let other = b.proc("other", &[], Type::Void);
    b.straight(other, vec![call(unknown, vec![], None)]);
    let local = b.local(quiet, "x", Type::I32);
    let load = b.load(g);
    let instrs = vec![b.assign(local, load), call(harmless, vec![load], None)];
    b.straight(quiet, instrs);
    b.straight(loud, vec![call(quiet, vec![], None), call(taking, vec![address], None)]);
    let program = b.done();
    let calls = CallGraph::new(&program);
    let mods = ModSets::new(&program, &calls);
    let quiet = mods.of_proc(quiet);
    assert!(quiet.writes.is_empty() && quiet.reads.vars == BTreeSet::from([g]));
    let other = mods.of_proc(other);
    assert!(other.writes.vars.is_empty() && other.writes.touches(&program, exposed));
    let loud = mods.of_proc(loud);
    assert!(loud.writes.touches(&program, exposed) && !loud.writes.touches(&program, g));
    assert!(loud.writes.overlaps(&program, &loud.reads));
    let assignment = mods.of_edge(&program, &calls, ProcId(4), EdgeId(0));
    assert!(assignment.writes.touches(&program, local));
}

/// The effects of everything that can be called from a procedure, one by one.
fn naive(program: &Program, calls: &CallGraph, proc: ProcId) -> Effects {
    let mut effects = Effects::default();
    let mut seen = BTreeSet::new();
    let mut work = vec![proc];
    while let Some(proc) = work.pop() {
        if let (true, Some(body)) = (seen.insert(proc), &program.procs[proc].body) {
            for edge in body.edges.ids() {
                effects.union_with(&Effects::of_edge_alone(program, calls, proc, edge));
            }
            work.extend(calls.callees(proc));
        }
    }
    let is_static = |v: &VarId| program.vars[*v].kind.frame().is_none();
    effects.reads.vars.retain(is_static);
    effects.writes.vars.retain(is_static);
    effects
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..Default::default() })]

    #[test]
    fn mod_sets_are_transitive(seed: u64) {
        let program = random::program(seed, 5);
        let calls = CallGraph::new(&program);
        let mods = ModSets::new(&program, &calls);
        for proc in program.procs.ids() {
            assert_eq!(mods.of_proc(proc), &naive(&program, &calls, proc));
        }
    }
}
