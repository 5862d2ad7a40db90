//! Proofs in fewer words mean the same, and are checked.

use lakatos_check::{Checked, Instrumented, Outcome, check};
use lakatos_contracts::simplify;
use lakatos_evidence::{Draft, Meaning, Slot};
use lakatos_ir::{Program, Property, SignedOverflow};
use lakatos_logic::number::Int;
use lakatos_logic::smt::{Answer, Limits, Smt};
use lakatos_logic::term::{Sort, Term, Terms};

use super::compile;

const LIMITS: Limits = Limits { resources: Some(2_000_000), time: None };

/// A comparison of two variables with a number.
fn comparison(terms: &mut Terms, [x, y]: [Term; 2], rng: &mut fastrand::Rng) -> Term {
    let number = terms.int(Int::from(rng.i32(-4..5)));
    let (left, right) = match rng.u8(..3) {
        0 => (x, number),
        1 => (y, number),
        _ => (terms.add(y, number), x),
    };
    match rng.u8(..4) {
        0 => terms.eq(left, right),
        1 => {
            let equal = terms.eq(left, right);
            terms.not(equal)
        }
        2 => terms.le(left, right),
        _ => terms.ge(left, right),
    }
}

/// Cases of comparisons.
fn formula(terms: &mut Terms, values: [Term; 2], rng: &mut fastrand::Rng) -> Term {
    let cases: Vec<Term> = (0..rng.usize(2..7))
        .map(|_| {
            let parts: Vec<Term> =
                (0..rng.usize(1..6)).map(|_| comparison(terms, values, rng)).collect();
            terms.and(parts)
        })
        .collect();
    terms.or(cases)
}

/// A proof of a program without errors that says something random in `f`, which `g` relies on:
/// so nothing of it is needed but what is asked.
fn proof(program: &Program, rng: &mut fastrand::Rng) -> Option<(Instrumented, Box<Checked>)> {
    let subject = Instrumented::new(program, Property::UnreachCall);
    let f = program.proc_named("f")?;
    let mut draft = Draft::new(subject.program(), Property::UnreachCall);
    let params = program.procs[f].params.clone();
    let values = [params[0], params[1]].map(|v| draft.symbol(Meaning::now(v), Sort::Int));
    let said = formula(draft.terms(), values, rng);
    draft.add(Slot::Requires(f), said).ok()?;
    draft.assume(lakatos_evidence::Assumption::of(
        subject.program(),
        Property::UnreachCall,
        SignedOverflow::Undefined,
    ));
    let mut smt = Smt::new(LIMITS);
    match check(&subject, draft.finish(), SignedOverflow::Undefined, &mut smt) {
        Outcome::Checked(checked) => Some((subject, checked)),
        _ => None,
    }
}

/// What is required of callers, as something that error locations need: `f` has an error that the
/// formula excludes or not, and nobody calls it.
#[test]
fn the_result_is_checked_and_never_longer() {
    let program = compile(
        "extern void reach_error(void); void f(int x, int y) { if (x < y) reach_error(); } \
         int main(void) { return 0; }",
    );
    let mut rng = fastrand::Rng::with_seed(4);
    let mut accepted = 0;
    for _ in 0..400 {
        let Some((subject, checked)) = proof(&program, &mut rng) else { continue };
        accepted += 1;
        let size = checked.proof().terms().len();
        let mut smt = Smt::new(LIMITS);
        let shorter = simplify(&subject, checked, SignedOverflow::Undefined, &mut smt);
        // It excludes the error by itself: there is no model with `x < y`.
        let proof = shorter.proof();
        let f = program.proc_named("f").unwrap();
        let (_, contract) = proof.contracts().find(|(proc, _)| *proc == f).unwrap();
        let mut terms = Terms::new();
        let params = program.procs[f].params.clone();
        let requires = terms
            .import_as(proof.terms(), contract.requires, |terms, symbol, sort| {
                let which = if proof.meaning(symbol).var == params[0] { "x" } else { "y" };
                Ok::<Term, std::convert::Infallible>(terms.symbol(which, sort))
            })
            .unwrap();
        let [x, y] = ["x", "y"].map(|name| terms.symbol(name, Sort::Int));
        let wrong = terms.lt(x, y);
        assert_eq!(smt.check(&terms, &[requires, wrong]), Answer::Unsat);
        assert!(proof.terms().len() <= size + 8, "{} after {size}", proof.terms().len());
    }
    assert!(accepted > 10, "{accepted}");
}
