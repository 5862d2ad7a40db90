//! Symbols of versions and of variables, frames, and what is not encoded.

use lakatos_encode::ssa::{Obstacle, Origin, Ssa, Versions};
use lakatos_encode::{Machine, Unsupported};
use lakatos_ir::*;
use lakatos_logic::term::{Term, Terms};

use crate::program::{add, program};
use crate::support::machines;

fn name(terms: &Terms, term: Term) -> String {
    terms.symbol_name(terms.as_symbol(term).expect("a symbol")).to_owned()
}

#[test]
fn symbols() {
    let (program, vars) = program(&[IntType::I32, IntType::I32, IntType::I32]);
    let mut terms = Terms::new();
    let mut ssa = Ssa::new(&program, Machine::default());
    let (one, two) = (ssa.frame(program.main, "f.1"), ssa.frame(program.main, "f.2"));
    assert_eq!(one, ssa.frame(program.main, "f.1"));
    let mut seen = std::collections::BTreeSet::new();
    for frame in [one, two] {
        for (var, version) in vars.iter().flat_map(|v| [(*v, 0), (*v, 1)]) {
            let instance = ssa.instance(frame, var);
            let symbol = ssa.symbol(&mut terms, instance, version).expect("an integer").term;
            let origin = ssa.origin(terms.as_symbol(symbol).expect("a symbol"));
            assert_eq!(origin, Some(Origin::Version(instance, version)));
            seen.insert(name(&terms, symbol));
        }
    }
    for var in vars {
        let symbol = ssa.variable(&mut terms, var).expect("an integer").term;
        let origin = ssa.origin(terms.as_symbol(symbol).expect("a symbol"));
        assert_eq!(origin, Some(Origin::Variable(var)));
        seen.insert(name(&terms, symbol));
    }
    // All variables have one name in the source; the first is global.
    let expect = "f.1::x#1@0 f.1::x#1@1 f.1::x#2@0 f.1::x#2@1 f.2::x#1@0 f.2::x#1@1 f.2::x#2@0 \
                  f.2::x#2@1 x#0 x#0@0 x#0@1 x#1 x#2";
    assert_eq!(seen.into_iter().collect::<Vec<_>>().join(" "), expect);
}

#[test]
fn from_paths_to_variables_and_back() {
    let (program, vars) = program(&[IntType::I32, IntType::I32]);
    for machine in machines() {
        let mut terms = Terms::new();
        let mut ssa = Ssa::new(&program, machine);
        let (own, other) = (ssa.frame(program.main, "a"), ssa.frame(program.main, "b"));
        let mut versions = Versions::default();
        let [global, local] = [0, 1].map(|i| ssa.instance(own, vars[i]));
        versions.advance(local);
        versions.advance(local);
        let at = |ssa: &mut Ssa<'_>, terms: &mut Terms, instance, version| {
            ssa.symbol(terms, instance, version).expect("an integer").term
        };
        let (g, x) = (at(&mut ssa, &mut terms, global, 0), at(&mut ssa, &mut terms, local, 2));
        let fact = terms.ne(g, x);
        let about = ssa.to_variables(&mut terms, fact, own, &versions).expect("all is current");
        let [gv, xv] = [0, 1].map(|i| ssa.variable(&mut terms, vars[i]).expect("an integer").term);
        assert_eq!(about, terms.ne(gv, xv));
        assert_eq!(ssa.at(&mut terms, about, own, &versions), fact);
        // In the other frame the local is another one, the global is not.
        let there = ssa.at(&mut terms, about, other, &versions);
        let instance = ssa.instance(other, vars[1]);
        let other_x = at(&mut ssa, &mut terms, instance, 0);
        assert_eq!(there, terms.ne(g, other_x));
        assert_eq!(ssa.to_variables(&mut terms, there, own, &versions), None);
        // A version that has been overwritten is no variable's value any more.
        let old = at(&mut ssa, &mut terms, local, 1);
        let stale = terms.ne(g, old);
        assert_eq!(ssa.to_variables(&mut terms, stale, own, &versions), None);
    }
}

#[test]
fn range_facts() {
    let (program, vars) = program(&[IntType::U8, IntType::BOOL]);
    let mut terms = Terms::new();
    let mut ssa = Ssa::new(&program, Machine::default());
    let frame = ssa.frame(program.main, "f");
    let [x, b] = [0, 1].map(|i| ssa.instance(frame, vars[i]));
    let x = ssa.symbol(&mut terms, x, 3).expect("an integer").term;
    let b = ssa.symbol(&mut terms, b, 1).expect("an integer").term;
    let seven = terms.int(7);
    let less = terms.le(x, seven);
    let formula = terms.or([b, less]);
    let facts = ssa.ranges_of(&mut terms, formula);
    assert_eq!(facts, Machine::default().range(&mut terms, x, IntType::U8));
    assert_eq!(terms.conjuncts(facts).len(), 2);
}

fn region(instrs: Vec<Instr>) -> Instr {
    let exit = LocId(instrs.len() as u32);
    let edge = |(at, instr): (usize, Instr)| {
        let (from, to) = (LocId(at as u32), LocId(at as u32 + 1));
        Edge { from, to, instr, span: Span::new(at as u32, at as u32 + 1) }
    };
    let edges = instrs.into_iter().enumerate().map(edge).collect();
    Instr::Block(Box::new(Region { entry: LocId(0), exit, edges }))
}

/// Where there is no formula, the versions stay as they are.
#[test]
fn obstacles() {
    let (mut program, vars) = program(&[IntType::I32]);
    let place = program.var_place(vars[0], Span::default());
    let value = add(&mut program, ExprKind::Int(3), IntType::I32);
    let pointer = program.types.pointer_to(Type::I32);
    let null = program.expr(ExprKind::Null, pointer, Span::default());
    let target = program.place(PlaceKind::Deref(null), Type::I32, Span::new(8, 9));
    let memory = program.expr(ExprKind::Load(target), Type::I32, Span::new(6, 7));
    let call = Instr::Call(Call {
        result: None,
        callee: Callee::Proc(program.main),
        args: Vec::new(),
        site: None,
    });
    let unsupported =
        |what, start, end| Obstacle::Unsupported(Unsupported { what, span: Span::new(start, end) });
    let cases = [
        (call, Obstacle::Call { span: Span::new(1, 2) }),
        (Instr::Assign(target, value), unsupported("a write to memory", 8, 9)),
        (Instr::Assign(place, memory), unsupported("a read of memory", 6, 7)),
        (region(vec![Instr::Skip]), unsupported("a block within a block", 1, 2)),
    ];
    for (instr, expect) in cases {
        let mut terms = Terms::new();
        let mut ssa = Ssa::new(&program, Machine::default());
        let frame = ssa.frame(program.main, "f");
        let mut versions = Versions::default();
        let block = region(vec![Instr::Assign(place, value), instr]);
        let found = ssa.step(&mut terms, frame, &mut versions, &block, Span::default());
        assert_eq!(found, Err(expect));
        assert_eq!(versions, Versions::default());
    }
}

/// What is opaque may be read, and then anything is possible; the step says so.
#[test]
fn opaque() {
    let (mut program, vars) = program(&[IntType::I32, IntType::I32]);
    program.vars[vars[1]].address_taken = true;
    let [x, y] = [0, 1].map(|i| program.var_place(vars[i], Span::default()));
    let [load_x, load_y] =
        [x, y].map(|place| add(&mut program, ExprKind::Load(place), IntType::I32));
    let pointer = program.types.pointer_to(Type::I32);
    let null = program.expr(ExprKind::Null, pointer, Span::default());
    let target = program.place(PlaceKind::Deref(null), Type::I32, Span::default());
    let memory = program.expr(ExprKind::Load(target), Type::I32, Span::default());
    for (instr, equates_anything, opaque) in [
        (Instr::Assign(x, load_x), false, false),
        (Instr::Assign(x, load_y), true, true),
        (Instr::Assign(x, memory), true, true),
        // No formula speaks of what a pointer may reach.
        (Instr::Assign(y, load_x), false, false),
        (Instr::Havoc(y, SiteId(0)), false, false),
        // The pointer may be null, which would be the end of the run.
        (Instr::Assign(target, load_x), false, true),
        (Instr::Havoc(target, SiteId(0)), false, true),
    ] {
        let mut terms = Terms::new();
        let mut ssa = Ssa::opaque(&program, Machine::default());
        let frame = ssa.frame(program.main, "f");
        let mut versions = Versions::default();
        let step = ssa.step(&mut terms, frame, &mut versions, &instr, Span::default()).unwrap();
        let shown = format!("{}", program.show_instr(&instr));
        assert_eq!(step.opaque, opaque, "{shown}");
        let equates = terms.free_symbols(step.formula).len() > 1;
        assert_eq!(equates, equates_anything, "{shown}: {}", terms.smtlib(step.formula));
    }
}
