//! Proofs: what may be said where, and what is added.

use std::collections::BTreeSet;

use expect_test::{Expect, expect};
use lakatos_evidence::{Assumption, Draft, Flaw, Meaning, Proof};
use lakatos_ir::loops::Loops;
use lakatos_ir::modset::{Footprint, Regions};
use lakatos_ir::{LocId, ProcId, Program, Property, VarId};
use lakatos_logic::term::{Sort, Term, Terms};

use crate::instrumented;

const PROGRAM: &str = "int g; int other;
int half(int n) { int r = n / 2; g = r; return r; }
int main(void) {
    int i = 0;
    while (i < 10) { i++; half(i); }
    if (g > 5) reach_error();
    return 0;
}";

fn program() -> Program {
    instrumented(PROGRAM, Property::UnreachCall)
}

fn var(program: &Program, name: &str) -> VarId {
    program.vars.iter().find(|(_, v)| v.name == name).map(|(id, _)| id).unwrap()
}

fn heads(program: &Program, proc: ProcId) -> Vec<LocId> {
    Loops::new(program.procs[proc].body.as_ref().unwrap()).cut_points().to_vec()
}

/// `meaning <= 5`.
fn at_most_five(draft: &mut Draft, meaning: Meaning) -> Term {
    let symbol = draft.symbol(meaning, Sort::Int);
    let five = draft.terms().int(5);
    draft.terms().le(symbol, five)
}

fn shown(proof: &Proof, formula: Term) -> String {
    proof.terms().display(formula).to_string()
}

#[test]
fn formulas_speak_of_what_is_there() {
    let program = program();
    let (half, main) = (program.proc_named("half").unwrap(), program.main);
    let head = heads(&program, main)[0];
    let mut draft = Draft::new(&program, Property::UnreachCall);
    let mut check = |place: &str, meaning: Meaning, expected: Expect| {
        let formula = at_most_five(&mut draft, meaning);
        let said = match place {
            "requires" => draft.requires(half, formula),
            "ensures" => draft.ensures(half, formula),
            "invariant" => draft.invariant(main, head, formula),
            _ => unreachable!(),
        };
        expected.assert_eq(&said.map_or_else(|flaw| flaw.to_string(), |()| "fine".to_owned()));
    };
    let [g, n, r, i] = ["g", "n", "r", "i"].map(|name| var(&program, name));
    let result = program.procs[half].result.unwrap();
    check("requires", Meaning::now(g), expect!["fine"]);
    check("requires", Meaning::now(n), expect!["fine"]);
    check(
        "requires",
        Meaning::entry(n),
        expect![[r"`\old(n)` cannot be spoken of in `requires` of `half`"]],
    );
    check("requires", Meaning::now(r), expect!["`r` cannot be spoken of in `requires` of `half`"]);
    check("requires", Meaning::now(i), expect!["`i` cannot be spoken of in `requires` of `half`"]);
    check("ensures", Meaning::now(g), expect!["fine"]);
    check("ensures", Meaning::entry(g), expect!["fine"]);
    check("ensures", Meaning::entry(n), expect!["fine"]);
    check("ensures", Meaning::now(result), expect!["fine"]);
    // A parameter may have changed: its old value must be asked for.
    check("ensures", Meaning::now(n), expect!["`n` cannot be spoken of in `ensures` of `half`"]);
    check(
        "ensures",
        Meaning::entry(r),
        expect![[r"`\old(r)` cannot be spoken of in `ensures` of `half`"]],
    );
    check("invariant", Meaning::now(i), expect!["fine"]);
    check("invariant", Meaning::entry(g), expect!["fine"]);
    check(
        "invariant",
        Meaning::now(n),
        expect!["`n` cannot be spoken of in an invariant of `main`"],
    );
    check(
        "invariant",
        Meaning::entry(i),
        expect![[r"`\old(i)` cannot be spoken of in an invariant of `main`"]],
    );
}

#[test]
fn nonsense_is_refused() {
    let program = program();
    let main = program.main;
    let error = program.proc_named("reach_error").unwrap();
    let mut draft = Draft::new(&program, Property::UnreachCall);
    let number = draft.terms().int(1);
    assert_eq!(draft.requires(main, number), Err(Flaw::NotBoolean));
    let stray = draft.terms().symbol("x", Sort::Bool);
    assert_eq!(draft.ensures(main, stray), Err(Flaw::Meaningless("x".to_owned())));
    assert_eq!(draft.ensures(error, Term::TRUE), Err(Flaw::NoBody("reach_error".to_owned())));
    let nowhere = LocId(10_000);
    let flaw = Flaw::NoLocation { proc: "main".to_owned(), loc: 10_000 };
    assert_eq!(draft.invariant(main, nowhere, Term::TRUE), Err(flaw));
    let i = var(&program, "i");
    let local = Footprint { vars: [i].into(), memory: Regions::NONE };
    assert!(matches!(draft.assigns(main, local), Err(Flaw::Invisible { .. })));
}

#[test]
fn what_is_not_said_is_true() {
    let program = program();
    let (half, main) = (program.proc_named("half").unwrap(), program.main);
    let g = var(&program, "g");
    let head = heads(&program, main)[0];
    let mut draft = Draft::new(&program, Property::UnreachCall);
    let small = at_most_five(&mut draft, Meaning::now(g));
    draft.ensures(half, small).unwrap();
    draft.assume([Assumption::Lemma("l".to_owned())]);
    let proof = draft.finish();
    assert_eq!(proof.property(), Some(Property::UnreachCall));
    let contracts: Vec<_> = proof.contracts().collect();
    let defined: Vec<_> = program.defined().map(|(proc, ..)| proc).collect();
    assert_eq!(contracts.iter().map(|(proc, _)| *proc).collect::<Vec<_>>(), defined);
    let (_, contract) = contracts.iter().find(|(proc, _)| *proc == half).unwrap();
    assert_eq!(
        (contract.requires, shown(&proof, contract.ensures)),
        (Term::TRUE, format!("g#{} <= 5", g.0))
    );
    assert_eq!(contract.assigns.vars, [g].into());
    assert_eq!(proof.invariants().collect::<Vec<_>>(), [(main, head, Term::TRUE)]);
    assert_eq!(proof.assumptions().len(), 1);
}

/// Invariants that cut every cycle where the engine wanted to cut stay alone.
#[test]
fn other_cut_points_are_as_good() {
    let program = program();
    let main = program.main;
    let body = program.procs[main].body.as_ref().unwrap();
    let head = heads(&program, main)[0];
    let behind = body.successors(head).next().unwrap();
    let invariants = |locs: &[LocId]| {
        let mut draft = Draft::new(&program, Property::UnreachCall);
        for &loc in locs {
            draft.invariant(main, loc, Term::TRUE).unwrap();
        }
        draft.finish().invariants().map(|(_, loc, _)| loc).collect::<Vec<_>>()
    };
    assert_eq!(invariants(&[behind]), [behind]);
    let mut both = vec![head, body.exit];
    both.sort();
    assert_eq!(invariants(&[body.exit]), both, "the exit cuts nothing");
}

/// Only the loop that is open gets an invariant.
#[test]
fn cut_loops_are_left_alone() {
    let text = "int main(void) {
        int i = 0, j = 0;
        while (i < 3) i++;
        while (j < 3) j++;
        return 0;
    }";
    let program = instrumented(text, Property::UnreachCall);
    let main = program.main;
    let body = program.procs[main].body.as_ref().unwrap();
    let [first, second] = heads(&program, main)[..] else { panic!("two loops") };
    let behind = body.successors(first).next().unwrap();
    let mut draft = Draft::new(&program, Property::UnreachCall);
    draft.invariant(main, behind, Term::TRUE).unwrap();
    let proof = draft.finish();
    let found: BTreeSet<LocId> = proof.invariants().map(|(_, loc, _)| loc).collect();
    assert_eq!(found, [behind, second].into());
}

#[test]
fn a_loop_of_one_edge_is_a_cycle() {
    let text = "int main(void) { again: goto again; }";
    let program = instrumented(text, Property::UnreachCall);
    let proof = Draft::new(&program, Property::UnreachCall).finish();
    assert_eq!(proof.invariants().count(), 1);
}

/// An engine's formula, over symbols of its own, with names that mean something else here.
#[test]
fn formulas_are_translated() {
    let program = program();
    let main = program.main;
    let [g, i] = ["g", "i"].map(|name| var(&program, name));
    let head = heads(&program, main)[0];
    let mut terms = Terms::new();
    let mine = format!("g#{}", g.0);
    let (x, y) = (terms.symbol("x@3", Sort::Int), terms.symbol(&mine, Sort::Int));
    let formula = terms.le(x, y);
    let symbols = [x, y].map(|term| terms.as_symbol(term).unwrap());
    let mut draft = Draft::new(&program, Property::UnreachCall);
    // What the engine calls `g` is `i`.
    let meaning = |symbol| match symbol == symbols[0] {
        true => Some(Meaning::now(g)),
        false => (symbol == symbols[1]).then(|| Meaning::now(i)),
    };
    let own = draft.import(&terms, formula, meaning).unwrap();
    draft.invariant(main, head, own).unwrap();
    let lost =
        draft.import(&terms, formula, |symbol| (symbol == symbols[1]).then(|| Meaning::now(i)));
    assert_eq!(lost, Err(Flaw::Meaningless("x@3".to_owned())));
    let proof = draft.finish();
    let (.., invariant) = proof.invariants().next().unwrap();
    assert_eq!(shown(&proof, invariant), format!("g#{} <= i#{}", g.0, i.0));
    let meant = proof.terms().free_symbols(invariant).into_iter().map(|s| proof.meaning(s));
    assert_eq!(meant.collect::<BTreeSet<_>>(), [g, i].map(Meaning::now).into());
}

/// A contract by cases requires that one of them applies, and ensures what those say that do. It
/// stays so when the proof is said again, for another property or in other words.
#[test]
fn cases_are_the_contract() {
    let program = program();
    let half = program.proc_named("half").unwrap();
    let (n, other, g) = (var(&program, "n"), var(&program, "other"), var(&program, "g"));
    let mut draft = Draft::new(&program, None);
    let besides = at_most_five(&mut draft, Meaning::now(other));
    draft.requires(half, besides).unwrap();
    let small = at_most_five(&mut draft, Meaning::now(n));
    let large = draft.terms().not(small);
    let said = at_most_five(&mut draft, Meaning::now(g));
    draft.behaviour(half, small, said).unwrap();
    draft.behaviour(half, large, Term::TRUE).unwrap();
    let late = at_most_five(&mut draft, Meaning::entry(n));
    assert!(matches!(draft.behaviour(half, late, said), Err(Flaw::Invisible { .. })));
    let proof = draft.finish();
    assert_eq!(proof.property(), None);
    let told = |proof: &Proof| {
        let (_, contract) = proof.contracts().find(|(proc, _)| *proc == half).unwrap();
        let cases = contract.cases.as_ref().unwrap();
        let mut told = vec![shown(proof, contract.ensures), shown(proof, cases.requires)];
        for behaviour in &cases.behaviours {
            told.push(shown(proof, behaviour.assumes));
            told.push(shown(proof, behaviour.ensures));
        }
        told
    };
    let expected = told(&proof);
    let (_, contract) = proof.contracts().find(|(proc, _)| *proc == half).unwrap();
    // One of the behaviours always applies.
    assert_eq!(contract.requires, contract.cases.as_ref().unwrap().requires);
    let symbols = proof.terms().free_symbols(contract.ensures).into_iter();
    let meant: BTreeSet<Meaning> = symbols.map(|symbol| proof.meaning(symbol)).collect();
    assert_eq!(meant, BTreeSet::from([Meaning::entry(n), Meaning::now(g)]));
    let again = proof.redraft(&program, |_, _, formula| formula).unwrap();
    assert_eq!(told(&again), expected);
    assert_eq!(told(&proof.retain(&program, |_, _| true).unwrap()), expected);
    assert_eq!(told(&proof.recase(&program, |_, cases, _| cases).unwrap()), expected);
    let about = proof.about(&program, Property::UnreachCall, BTreeSet::new()).unwrap();
    assert_eq!((about.property(), told(&about)), (Some(Property::UnreachCall), expected));
}
