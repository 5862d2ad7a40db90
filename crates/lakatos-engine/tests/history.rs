//! What engines tell of a run: refinements with what they taught and where, turns, bounds.

mod common;

use common::compile;
use expect_test::{Expect, expect};
use lakatos_engine::auto::Auto;
use lakatos_engine::bam::Bam;
use lakatos_engine::history::{Event, History, Kind, What};
use lakatos_engine::stack_cegar::{Kind as States, StackCegar};
use lakatos_engine::{Bmc, Engine, Statistics, Task, Watch};
use lakatos_ir::{Program, Property, SignedOverflow, Span};
use lakatos_logic::smt::{Cancel, Reason};

#[derive(Default)]
struct Ear {
    history: History,
    deaf: bool,
}

impl Watch for Ear {
    fn started(&mut self, _cancel: Cancel) {}

    fn progress(&mut self, _statistics: Statistics) -> Result<(), Reason> {
        Ok(())
    }

    fn listens(&self) -> bool {
        !self.deaf
    }

    fn happened(&mut self, event: Event) {
        self.history.add(event);
    }
}

fn solve(text: &str, engine: &dyn Engine, ear: &mut Ear) -> Program {
    let program = compile(text);
    let (property, signed_overflow) = (Property::UnreachCall, SignedOverflow::Undefined);
    engine.solve(&Task { program: &program, property, signed_overflow }, ear);
    program
}

fn lines(program: &Program, spans: &[Span]) -> String {
    let line = |span: &Span| program.source.position(span.start).line.to_string();
    spans.iter().map(line).collect::<Vec<_>>().join(" ")
}

fn show(program: &Program, events: &[Event]) -> String {
    let mut out = String::new();
    for Event { engine, what } in events {
        out += &match what {
            What::Turn(turn) => format!("{engine}: turn {turn}\n"),
            What::Bound(turns) => format!("{engine}: nothing within {turns}\n"),
            What::LeftOut(number) => format!("{engine}: {number} left out\n"),
            What::Ended(end) => format!("{engine}: {end:?}\n"),
            What::Refined(refined) => {
                let target = refined.target.as_ref().and_then(|place| place.span);
                let target = lines(program, target.as_slice());
                let mut text = format!(
                    "{engine}: {} after {} nodes, {:?}, to line {target}\n",
                    refined.number, refined.nodes, refined.how
                );
                for learned in &refined.learned {
                    let what = match learned.kind {
                        Kind::Predicate => "",
                        Kind::Variable => "values of ",
                    };
                    let at = lines(program, &learned.spans);
                    text += &format!("  {what}{} in {} at {at}\n", learned.text, learned.function);
                }
                text
            }
        };
    }
    out
}

fn check(text: &str, engine: &dyn Engine, expect: Expect) {
    let mut ear = Ear::default();
    let program = solve(text, engine, &mut ear);
    expect.assert_eq(&show(&program, ear.history.events()));
    // The same once more, and nothing for those who do not listen.
    let mut again = Ear::default();
    solve(text, engine, &mut again);
    assert_eq!(again.history, ear.history);
    // Bounds cost nothing to tell, so everybody hears of them.
    if engine.name() != "bmc" {
        let mut deaf = Ear { deaf: true, ..Ear::default() };
        solve(text, engine, &mut deaf);
        assert_eq!(deaf.history, History::default());
    }
}

const LOOP: &str = "extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int add(int a, int b) {
    return a + b;
}
int main(void) {
    int n = __VERIFIER_nondet_int(), i = 0, flag = 1;
    if (n < 0 || n > 1000) return 0;
    while (i < n)
        i = add(i, flag);
    if (i != n)
        reach_error();
    return 0;
}
";

#[test]
fn predicates() {
    let engine = StackCegar { probe: false, ..StackCegar::default() };
    check(
        LOOP,
        &engine,
        expect![[r#"
        cegar: 1 after 9 nodes, Contradiction, to line 12
          i <= n in main at 9
        cegar: 2 after 21 nodes, Facts, to line 12
          b == 1 in add at 4
          \result <= a + 1 in add at 5
          i <= n - 1 in main at 10
    "#]],
    );
}

#[test]
fn values_and_predicates() {
    let engine = StackCegar { probe: false, domain: States::Product, ..StackCegar::default() };
    check(
        LOOP,
        &engine,
        expect![[r#"
        cegar: 1 after 9 nodes, Contradiction, to line 12
          values of n in main at 9
          values of i in main at 9
        cegar: 2 after 17 nodes, Contradiction, to line 12
          i <= n in main at 9
        cegar: 3 after 30 nodes, Facts, to line 12
          b == 1 in add at 4
          \result <= a + 1 in add at 5
          i <= n - 1 in main at 10
    "#]],
    );
}

#[test]
fn blocks() {
    let abstraction = StackCegar { probe: false, ..StackCegar::default() };
    check(
        LOOP,
        &Bam { abstraction, ..Bam::default() },
        expect![[r#"
        bam: 1 after 13 nodes, Contradiction, to line 12
          i <= n in main at 9
        bam: 2 after 23 nodes, Facts, to line 12
          b == 1 in add at 4
          \result <= a + 1 in add at 5
          i <= n - 1 in main at 10
    "#]],
    );
}

#[test]
fn bounds() {
    check(
        LOOP,
        &Bmc::default(),
        expect![[r#"
        bmc: nothing within 2
        bmc: nothing within 6
        bmc: nothing within 12
        bmc: nothing within 24
        bmc: nothing within 64
    "#]],
    );
}

#[test]
fn turns() {
    check(
        LOOP,
        &Auto { probe: false, ..Auto::default() },
        expect![[r#"
            ranges: 0 after 0 nodes, Initially, to line 
              0 <= n && n <= 1000 in main at 9
              0 <= i && i <= 1000 in main at 9
              flag == 1 in main at 9
            horn: turn 1
            horn: Answered
        "#]],
    );
}
