//! Passes on random programs, against brute-force execution of all runs.

use std::collections::BTreeSet;

use lakatos_ir::pass::{Image, Inverse, Request, Step};
use lakatos_ir::pass::{constants, dead_code, instrument, large_blocks, slice};
use lakatos_ir::*;
use proptest::prelude::*;

use crate::build::assert_valid;
use crate::execute::{Executor, Outcome, RETURN, Runs, State};
use crate::{random, show};

fn explore(program: &Program) -> Option<Runs> {
    let runs = Executor::new(program).explore();
    (!runs.cut_off).then_some(runs)
}

fn instrumented(program: Program) -> (Program, Inverse) {
    let request = Request { properties: &Property::ALL, error_label: None, is_run: true };
    instrument(program, &request)
}

/// All states that some run which takes exactly these edges can end in.
fn follow(program: &Program, steps: &[Step]) -> Vec<State> {
    let executor = Executor::new(program);
    let mut states = BTreeSet::from([executor.initial()]);
    for step in steps {
        let mut next = BTreeSet::new();
        for state in states {
            let state = after_returns(&executor, state);
            let frame = state.stack.last().unwrap();
            let body = program.procs[frame.proc].body.as_ref().unwrap();
            if frame.proc == step.proc && body.edges[step.edge].from == frame.loc {
                for (taken, outcome) in executor.take(&state, step.edge) {
                    if let (true, Outcome::Next(after)) = (taken.within == step.within, outcome) {
                        next.insert(after);
                    }
                }
            }
        }
        states = next;
    }
    states.into_iter().collect()
}

/// A run that ends in an error location is a run of the other program, mapped back.
fn assert_traces(old: &Program, inverse: &Inverse, new: &Runs) {
    for run in new.errors.values() {
        let back = inverse.trace(run);
        assert!(
            !follow(old, &back).is_empty(),
            "no run {back:?} for {run:?} in\n{}",
            show::program(old)
        );
    }
}

/// Values that a pass claims to know are right in all states of the old program, and what it
/// claims to be unreachable is.
fn assert_facts(old: &Runs, inverse: &Inverse) {
    for state in &old.states {
        let frame = state.stack.last().unwrap();
        assert_ne!(inverse.image(frame.proc, frame.loc), Image::Unreachable);
        for (var, value) in inverse.known(frame.proc, frame.loc) {
            let store = if frame.vars.contains_key(&var) { &frame.vars } else { &state.statics };
            assert_eq!(store[&var], [value], "{var:?} at {:?} {:?}", frame.proc, frame.loc);
        }
    }
}

/// A pass that keeps every run with its undefined behaviour.
fn check_exact(seed: u64, size: usize, pass: fn(Program) -> (Program, Inverse)) {
    let (old, _) = instrumented(random::program(seed, size));
    let Some(before) = explore(&old) else { return };
    let (new, inverse) = pass(old.clone());
    assert_valid(&new);
    let Some(after) = explore(&new) else { return };
    assert_eq!(
        before.error_keys(),
        after.error_keys(),
        "{}\n{}",
        show::program(&old),
        show::program(&new)
    );
    assert_eq!(
        before.undefined,
        after.undefined,
        "{}\n{}",
        show::program(&old),
        show::program(&new)
    );
    assert_traces(&old, &inverse, &after);
    assert_facts(&before, &inverse);
}

/// What is undefined, or an error call, in the plain program is an error location in the
/// instrumented one; and where that says that something goes wrong, something does.
fn check_instrument(seed: u64, size: usize) {
    let old = random::program(seed, size);
    let Some(before) = explore(&old) else { return };
    let (new, inverse) = instrumented(old.clone());
    assert_valid(&new);
    let Some(after) = explore(&new) else { return };
    let watched = |kind: &Undefined| {
        matches!(kind, Undefined::SignedOverflow | Undefined::DivByZero | Undefined::OutOfBounds)
    };
    let mut expected = before.undefined.iter().filter(|(kind, _)| watched(kind));
    let found: BTreeSet<Span> = after.errors.keys().map(|&(_, span)| span).collect();
    // A left shift that C leaves undefined is an error, though the program goes on: others after it
    // may not be reached any more.
    let is_shift = |message: &str| message.contains("shifts a negative number");
    let shifts = after.errors.keys().any(|(message, _)| is_shift(message));
    assert!(
        shifts || expected.all(|(_, span)| found.contains(span)),
        "{}\n{}",
        show::program(&old),
        show::program(&new)
    );
    assert!(after.undefined.iter().all(|(kind, _)| !watched(kind)), "{:?}", after.undefined);
    for ((message, _), run) in after.errors.iter().filter(|((message, _), _)| !is_shift(message)) {
        let back = inverse.trace(run);
        assert!(
            goes_wrong(&old, &back, message),
            "{message}: {back:?} in\n{}",
            show::program(&old)
        );
    }
}

/// The last step calls an error function, or is undefined, or is followed by a return that is.
fn goes_wrong(program: &Program, run: &[Step], message: &str) -> bool {
    let executor = Executor::new(program);
    let (last, before) = run.split_last().unwrap();
    let is_undefined = |(_, o): &(Step, Outcome)| matches!(o, Outcome::Undefined(..));
    let in_step = follow(program, before).into_iter().any(|state| {
        let state = after_returns(&executor, state);
        let frame = state.stack.last().unwrap();
        let body = program.procs[frame.proc].body.as_ref().unwrap();
        if frame.proc != last.proc || body.edges[last.edge].from != frame.loc {
            return false;
        }
        let outcomes = executor.take(&state, last.edge);
        match message.contains("is called") {
            true => outcomes.is_empty(),
            false => outcomes.iter().any(is_undefined),
        }
    });
    let in_return = || {
        let states = follow(program, run).into_iter();
        let mut states = states.map(|state| after_returns(&executor, state));
        states.any(|state| executor.steps(&state).iter().any(is_undefined))
    };
    in_step || in_return()
}

/// Ends of procedures are not in the list of steps: takes them.
fn after_returns(executor: &Executor, mut state: State) -> State {
    loop {
        match executor.steps(&state).pop() {
            Some((step, Outcome::Next(after))) if step.edge == RETURN => state = after,
            _ => return state,
        }
    }
}

/// The slice reaches all errors that the program reaches.
fn check_slice(program: Program, properties: &[Property]) -> Option<bool> {
    let request = Request { properties, error_label: None, is_run: true };
    let (old, _) = instrument(program, &request);
    let before = explore(&old)?;
    let (new, _) = slice(old.clone());
    assert_valid(&new);
    let after = explore(&new)?;
    let (before, after) = (before.error_keys(), after.error_keys());
    assert!(
        before.is_subset(&after),
        "{before:?} {after:?}\n{}\n{}",
        show::program(&old),
        show::program(&new)
    );
    let (cleaned, _) = dead_code(new);
    assert_valid(&cleaned);
    let again = explore(&cleaned)?;
    assert_eq!(after, again.error_keys());
    Some(before == after)
}

/// All passes one after the other.
fn check_chain(seed: u64, size: usize) {
    let plain = random::program(seed, size);
    let request = Request { properties: &[Property::UnreachCall], error_label: None, is_run: true };
    let (old, instrumented) = instrument(plain, &request);
    let Some(before) = explore(&old) else { return };
    let (new, first) = constants(old.clone());
    let (new, second) = dead_code(new);
    let (new, third) = large_blocks(new);
    assert_valid(&new);
    let inverse = first.then(second).then(third);
    let Some(after) = explore(&new) else { return };
    assert_eq!(before.error_keys(), after.error_keys());
    assert_traces(&old, &inverse, &after);
    assert_facts(&before, &inverse);
    let _ = instrumented;
}

/// The passes give the same every time.
fn check_deterministic(seed: u64, size: usize) {
    let run = || {
        let (program, _) = instrumented(random::program(seed, size));
        let (program, _) = slice(constants(program).0);
        large_blocks(dead_code(program).0)
    };
    let ((a, first), (b, second)) = (run(), run());
    assert_eq!(format!("{a:?} {first:?}"), format!("{b:?} {second:?}"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..Default::default() })]

    #[test]
    fn instrumenting_finds_exactly_what_goes_wrong(seed: u64, size in 2usize..14) {
        check_instrument(seed, size);
    }

    #[test]
    fn constants_keep_all_runs(seed: u64, size in 2usize..14) {
        check_exact(seed, size, constants);
    }

    #[test]
    fn dead_code_keeps_all_runs(seed: u64, size in 2usize..14) {
        check_exact(seed, size, dead_code);
    }

    #[test]
    fn large_blocks_keep_all_runs(seed: u64, size in 2usize..14) {
        check_exact(seed, size, large_blocks);
    }

    #[test]
    fn slices_keep_all_errors(seed: u64, size in 2usize..14) {
        check_slice(random::program(seed, size), &[Property::UnreachCall]);
        check_slice(random::program(seed, size), &[Property::NoOverflow]);
    }

    #[test]
    fn slices_of_calm_programs_keep_all_errors(seed: u64, size in 2usize..10) {
        check_slice(random::calm_program(seed, size), &[Property::UnreachCall]);
    }

    #[test]
    fn passes_compose(seed: u64, size in 2usize..14) {
        check_chain(seed, size);
    }

    #[test]
    fn passes_are_deterministic(seed: u64, size in 2usize..14) {
        check_deterministic(seed, size);
    }
}

/// Slices are not only sound but of use: most have no more errors than the program.
#[test]
fn slices_are_mostly_exact() {
    let outcomes = (0..200)
        .filter_map(|seed| check_slice(random::calm_program(seed, 6), &[Property::UnreachCall]));
    let (exact, more): (Vec<bool>, Vec<bool>) = outcomes.partition(|&exact| exact);
    assert!(exact.len() > 6 * more.len(), "{} exact, {} not", exact.len(), more.len());
}
