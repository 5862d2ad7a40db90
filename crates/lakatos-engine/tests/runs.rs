//! Concrete runs: what takes many steps and no thought is found, and nothing is claimed where
//! nothing is found.

mod common;

use std::collections::BTreeSet;

use common::compile;
use lakatos_check::{Verdict, Why};
use lakatos_engine::{Engine, Report, Runs, Statistics, Task, Unwatched, Watch};
use lakatos_ir::interpret::{InOrder, Interpreter, Next, Options, Outcome, Random};
use lakatos_ir::{Property, SignedOverflow};
use lakatos_logic::smt::{Cancel, Reason};

const HEAD: &str = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
";

fn solve(body: &str, watch: &mut dyn Watch) -> Report {
    let program = compile(&format!("{HEAD}{body}"));
    let task = Task {
        program: &program,
        property: Property::UnreachCall,
        signed_overflow: SignedOverflow::Undefined,
    };
    Runs.solve(&task, watch)
}

#[test]
fn what_takes_many_steps_is_found() {
    let programs = [
        (
            "without inputs",
            "int main(void) { unsigned i = 0; while (i < 2000000) i++; reach_error(); return 0; }",
        ),
        (
            "two arrays that are hardly ever the same",
            "int a[100000], b[100000];
             int main(void) {
                 for (int i = 0; i < 100000; i++) {
                     a[i] = __VERIFIER_nondet_int();
                     b[i] = __VERIFIER_nondet_int();
                 }
                 for (int i = 0; i < 100000; i++) if (i == 99999 && a[i] != b[i]) reach_error();
                 return 0; }",
        ),
        (
            "a machine that ends where it does not know an input",
            "int main(void) {
                 int state = 0;
                 while (1) {
                     int x = __VERIFIER_nondet_int();
                     if (x < 1 || x > 4) return 1;
                     state = x == state % 4 + 1 ? state + 1 : 0;
                     if (state == 7) reach_error();
                 } }",
        ),
        (
            "a lock that no chance opens",
            "const int code[14] = {3, 1, 4, 1, 5, 2, 6, 5, 3, 5, 2, 4, 6, 2};
             int turn(int open, int digit) {
                 return digit == code[open] ? open + 1 : digit == code[0]; }
             int main(void) {
                 int open = 0, last = 0, digit;
                 while (1) {
                     digit = __VERIFIER_nondet_int();
                     if (digit != 1 && digit != 2 && digit != 3 && digit != 4 && digit != 5
                         && digit != 6) return last;
                     last = open * 31 + digit; // nobody reads it but who ends
                     open = turn(open, digit);
                     if (open == 14) reach_error();
                 } }",
        ),
        (
            "one on the heap",
            "void *malloc(unsigned long); struct lock { char open[8]; struct lock *self; };
             int main(void) {
                 struct lock *lock = malloc(sizeof *lock); lock->self = lock;
                 for (int i = 0; i < 8; i++) lock->open[i] = 0;
                 while (1) {
                     int x = __VERIFIER_nondet_int(), all = 1;
                     switch (x) { case 0: case 1: case 2: case 3: case 4: case 5: case 6: case 7:
                         break; default: return 0; }
                     if (x == 0 || lock->open[x - 1]) lock->self->open[x] ^= 1;
                     else for (int i = 0; i < 8; i++) lock->open[i] = 0;
                     for (int i = 0; i < 8; i++) all &= lock->open[i];
                     if (all) reach_error();
                 } }",
        ),
        (
            "inputs after a long time",
            "int main(void) { unsigned i = 0; while (i < 500000) i++;
                 if (__VERIFIER_nondet_int() > 5) reach_error(); return 0; }",
        ),
    ];
    for (name, body) in programs {
        let verdict = solve(body, &mut Unwatched).verdict;
        assert!(matches!(verdict, Verdict::Refuted(_)), "{name}: {verdict:?}");
    }
}

#[test]
fn nothing_is_claimed() {
    let body = "int main(void) { int x = __VERIFIER_nondet_int();
                if (x / 3 == 123456789) reach_error(); return 0; }";
    match solve(body, &mut Unwatched).verdict {
        Verdict::Unknown(Why::OpenRun { runs, .. }) => assert!(runs > 1000, "{runs}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn all_runs_are_a_proof() {
    let programs = [
        // The only run there is.
        ("int main(void) { int i = 0; while (i < 1000) i++; return i - 1000; }", 1),
        // One that a first look has no time for.
        ("int main(void) { int i = 0; while (i < 700000) i++; if (i < 0) reach_error(); }", 1),
        (
            "int main(void) { int x = __VERIFIER_nondet_int(), y = 0;
             if (x < 0 || x > 1999) return 1;
             for (int i = 0; i < 7; i++) y += x >> i & 1;
             if (y > 7) reach_error(); return 0; }",
            2002,
        ),
    ];
    for (body, expected) in programs {
        match solve(body, &mut Unwatched).verdict {
            Verdict::Proved(checked) => {
                let made = checked.proof().runs().expect("it consists of runs");
                assert_eq!(made.runs, expected, "{body}");
            }
            other => panic!("{body}: {other:?}"),
        }
    }
}

/// Stops after some calls.
struct Impatient(u32);

impl Watch for Impatient {
    fn started(&mut self, _cancel: Cancel) {}

    fn progress(&mut self, _statistics: Statistics) -> Result<(), Reason> {
        self.0 -= 1;
        if self.0 == 0 { Err(Reason::Cancelled) } else { Ok(()) }
    }
}

#[test]
fn it_can_be_stopped() {
    let body = "int main(void) { while (__VERIFIER_nondet_int() != 123456789) ; return 0; }";
    let report = solve(body, &mut Impatient(5));
    assert!(matches!(report.verdict, Verdict::Unknown(Why::Cancelled)), "{:?}", report.verdict);
    // Between two looks at the watch are some ten thousand steps.
    let Statistics { probes, steps, .. } = report.statistics;
    assert!(probes > 10 && steps < 1 << 20, "{probes} runs, {steps} steps");
}

/// Random machines: whether an error can be reached, and that is all there is to know, is what a search
/// in their tables says.
#[test]
fn machines_by_their_tables() {
    const STATES: usize = 40;
    const INPUTS: usize = 4;
    let mut random = Random::new(7);
    let mut ends = [0; 2];
    for _ in 0..60 {
        let table: Vec<[usize; INPUTS]> = (0..STATES)
            // Mostly forward by little, so that the way to the last one is long.
            .map(|state| {
                [(); INPUTS].map(|()| match random.bits() % 8 {
                    0..5 => (state + 1 + random.bits() as usize % 2) % STATES,
                    _ => random.bits() as usize % (state + 1),
                })
            })
            .collect();
        let mut reached = BTreeSet::from([0]);
        let mut open = vec![0];
        while let Some(state) = open.pop() {
            open.extend(table[state].into_iter().filter(|next| reached.insert(*next)));
        }
        let rows: Vec<String> = table.iter().map(|row| format!("{{{row:?}}}")).collect();
        let rows = rows.join(", ").replace(['[', ']'], "");
        let body = format!(
            "int next[{STATES}][{INPUTS}] = {{{rows}}};
             int main(void) {{ int at = 0; while (1) {{ int x = __VERIFIER_nondet_int();
                 if (x < 0 || x >= {INPUTS}) return 0; if (x == 2) at = next[at][2];
                 else at = next[at][x];
                 if (at == {}) reach_error(); }} }}",
            STATES - 1
        );
        let verdict = solve(&body, &mut Impatient(90)).verdict;
        let expect = reached.contains(&(STATES - 1));
        assert_eq!(matches!(verdict, Verdict::Refuted(_)), expect, "{body}: {verdict:?}");
        ends[usize::from(expect)] += 1;
    }
    assert!(ends.iter().all(|count| *count > 5), "{ends:?}");
}

/// From state to state a run is what it is at one go.
#[test]
fn states_are_those_of_runs() {
    let body = "struct s { int a[3]; struct s *next; } one, two; int calls;
        int step(struct s *s, int x) { int local[2] = {x, calls}, *p = &local[x & 1]; calls++;
            int y = __VERIFIER_nondet_int(); s->a[(x + y) & 1] += *p + y; return s->a[0]; }
        int main(void) { struct s *at = &one; one.next = &two; two.next = &one; int sum = 0;
            while (calls < 20) { int x = __VERIFIER_nondet_int(); if (x > 100) return 5;
                sum = (sum + step(at, x)) % 1000; at = at->next; if (sum == 77) reach_error();
                if (x == 50) one.a[x] = 1; }
            return sum; }";
    let program = compile(&format!("{HEAD}{body}"));
    let interpreter = Interpreter::new(&program);
    let options = Options { max_steps: 10_000, ..Options::default() };
    let mut random = Random::new(3);
    let mut kinds = BTreeSet::new();
    for _ in 0..200 {
        let mut given = Vec::new();
        let outcome = interpreter.explore(&options, |first, mut states| {
            let mut next = first;
            loop {
                match next {
                    Next::Ends(outcome) => return outcome,
                    Next::Asks(state) => {
                        given.push(i128::from(random.bits() % 103) - 1);
                        // Another answer in between leaves no trace.
                        states.after(&state, 12);
                        next = states.after(&state, given[given.len() - 1]);
                    }
                }
            }
        });
        let run = interpreter.run(&options, &mut InOrder::new(given.clone()));
        assert_eq!(outcome, Some(run.outcome.clone()), "{given:?}");
        kinds.insert(match run.outcome {
            Outcome::Exited(5) => "left",
            Outcome::Exited(_) => "to the end",
            Outcome::ErrorReached { .. } => "error",
            Outcome::Undefined { .. } => "undefined",
            other => panic!("{other:?}"),
        });
    }
    assert!(kinds.len() >= 3, "{kinds:?}");
}
