//! Reasons in words.

use expect_test::expect;
use lakatos_check::Why;
use lakatos_evidence::NotReplayed;
use lakatos_ir::interpret::Outcome;
use lakatos_ir::{Source, Span};

#[test]
fn every_reason_has_words() {
    let source = Source::new("t.c", "int x;\nint y;\n");
    let at = Span::new(11, 12);
    let reasons = [
        Why::TimeLimit,
        Why::MemoryLimit,
        Why::Cancelled,
        Why::NoThread { error: "Resource temporarily unavailable".to_owned() },
        Why::NoProgress,
        Why::NoViolation { runs: 40 },
        Why::NotReplayed(Box::new(NotReplayed::Assembly(at))),
        Why::NotReplayed(Box::new(NotReplayed::Ended(Outcome::StepLimit))),
        Why::Unsupported { what: "a call through a pointer".to_owned(), at: Some(at) },
        Why::Unsupported { what: "recursion".to_owned(), at: None },
        Why::Rejected {
            condition: "t.c:2:5: in `f`: `ensures` holds".to_owned(),
            values: vec![("x".to_owned(), "1".to_owned()), ("y".to_owned(), "-2".to_owned())],
            approximate: true,
        },
        Why::Undecided {
            condition: "t.c:2:5: in `f`: `ensures` holds".to_owned(),
            reason: "(incomplete quantifiers)".to_owned(),
        },
        Why::Disagreement {
            solver: "cvc5 1.0".to_owned(),
            condition: "t.c:2:5: in `f`: `ensures` holds".to_owned(),
        },
        Why::SolverGaveUp { reason: "(incomplete quantifiers)".to_owned() },
    ];
    let told: String = reasons.iter().map(|why| why.describe(&source) + "\n").collect();
    expect![[r#"
        the time limit was reached
        the memory limit was reached
        it was cancelled
        no thread could be started (Resource temporarily unavailable): the limit on processes (`ulimit -u`) or on address space (`ulimit -v`) is too low
        refinement made no progress: the same counterexample came back
        nothing was violated in 40 runs
        a counterexample could not be replayed: it takes a value at t.c:2:5 that depends on the compiler
        a counterexample could not be replayed: it takes too many steps
        unsupported: a call through a pointer at t.c:2:5
        unsupported: recursion
        the proof was rejected: t.c:2:5: in `f`: `ensures` holds (fails with x = 1, y = -2); the checker knows nothing of memory and floats
        the proof could not be checked: t.c:2:5: in `f`: `ensures` holds ((incomplete quantifiers))
        the proof was rejected by cvc5 1.0, but not by Z3: t.c:2:5: in `f`: `ensures` holds
        the solver gave up: (incomplete quantifiers)
    "#]]
    .assert_eq(&told);
}
