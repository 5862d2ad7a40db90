//! Horn clauses: answers on systems whose answer is known, in print and back, whole and reduced.

use expect_test::{Expect, expect};
use lakatos_logic::horn::check::check;
use lakatos_logic::horn::reduce::Reduction;
use lakatos_logic::horn::{
    Abstraction, Application, Clause, Derivation, Outcome, Predicate, PredicateId, Settings, Solve,
    Spacer, Strengthened, System, read, text,
};
use lakatos_logic::smt::{Limits, Smt};
use lakatos_logic::term::{Assignment, Sort, Symbol, Term, Terms, Value};

const LIMITS: Limits = Limits { resources: Some(5_000_000), time: None };

const PLAIN: Settings = Settings { global: false };
const GLOBAL: Settings = Settings { global: true };

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Sat,
    Unsat,
}

/// The answer, after its evidence was looked at.
fn answer(terms: &mut Terms, system: &System, settings: Settings) -> Kind {
    let mut smt = Smt::new(LIMITS);
    let outcome = Spacer { smt: &mut smt, settings }.solve(terms, system);
    kind(terms, &mut smt, system, outcome)
}

/// The answer with facts and phases, after its evidence was looked at.
fn strengthened(terms: &mut Terms, system: &System, open: &[PredicateId]) -> Kind {
    let mut smt = Smt::new(LIMITS);
    let strengthened = Strengthened::new(terms, &mut smt, system, open, usize::MAX).expect("facts");
    let outcome = strengthened.solve(terms, &mut smt, PLAIN);
    kind(terms, &mut smt, system, outcome)
}

/// The answer of predicate abstraction, after its evidence was looked at; `None` if there is none.
fn abstracted(terms: &mut Terms, system: &System) -> Option<Kind> {
    let mut smt = Smt::new(LIMITS);
    match (Abstraction { smt: &mut smt }).solve(terms, system) {
        Outcome::Unknown(_) => None,
        outcome => Some(kind(terms, &mut smt, system, outcome)),
    }
}

fn kind(terms: &mut Terms, smt: &mut Smt, system: &System, outcome: Outcome) -> Kind {
    match outcome {
        Outcome::Solved(solution) => {
            assert_eq!(check(terms, smt, system, &solution), Ok(()));
            Kind::Sat
        }
        Outcome::Violated(derivation) => {
            assert_derives(terms, system, &derivation);
            Kind::Unsat
        }
        Outcome::Unknown(reason) => panic!("{reason}: {}", text::script(terms, system)),
    }
}

/// Every step follows from its premises, by evaluation alone.
fn assert_derives(terms: &Terms, system: &System, derivation: &Derivation) {
    let value = |values: &Assignment, term: Term| terms.evaluate(term, values);
    for (number, step) in derivation.steps.iter().enumerate() {
        let clause = &system.clauses[step.clause];
        assert_eq!(terms.holds(clause.constraint, &step.values), Some(true), "step {number}");
        assert_eq!(step.premises.len(), clause.body.len());
        for (premise, application) in step.premises.iter().zip(&clause.body) {
            assert!(*premise < number);
            let before = &derivation.steps[*premise];
            let head = system.clauses[before.clause].head.as_ref().expect("a premise is a fact");
            assert_eq!(head.predicate, application.predicate);
            for (given, wanted) in head.arguments.iter().zip(&application.arguments) {
                assert_eq!(value(&before.values, *given), value(&step.values, *wanted));
            }
        }
    }
    let last = derivation.steps.last().expect("a derivation has steps");
    assert!(system.clauses[last.clause].head.is_none());
}

fn check_text(script: &str, expected: Kind) {
    let mut terms = Terms::new();
    let system = read::read(&mut terms, script).expect("a system");
    for settings in [PLAIN, GLOBAL] {
        assert_eq!(answer(&mut terms, &system, settings), expected, "{script}");
    }
    assert_eq!(strengthened(&mut terms, &system, &[]), expected, "{script}");
    let by_formulas = abstracted(&mut terms, &system);
    assert!(by_formulas.is_none_or(|answer| answer == expected), "{script}: {by_formulas:?}");
    let printed = text::script(&mut terms, &system);
    let mut terms = Terms::new();
    let again = read::read(&mut terms, &printed).expect("what is printed can be read");
    assert_eq!(answer(&mut terms, &again, PLAIN), expected, "{printed}");
    for keep in [true, false] {
        let reduction = Reduction::new(&mut terms, again.clone(), |_| keep);
        assert_eq!(answer(&mut terms, &reduction.system, PLAIN), expected, "{printed}");
    }
}

#[test]
fn known_systems() {
    let count = |last: &str| {
        format!(
            "(set-logic HORN) (declare-fun I (Int Int) Bool)
             (assert (forall ((n Int)) (=> (>= n 0) (I 0 n))))
             (assert (forall ((i Int) (n Int)) (=> (and (I i n) (< i n)) (I (+ i 1) n))))
             (assert (forall ((i Int) (n Int)) (=> (and (I i n) {last}) false))) (check-sat)"
        )
    };
    check_text(&count("(>= i n) (distinct i n)"), Kind::Sat);
    check_text(&count("(> i n)"), Kind::Sat);
    check_text(&count("(= i n) (= i 7)"), Kind::Unsat);
    check_text(
        "(set-logic HORN) (declare-fun mc (Int Int) Bool)
         (assert (forall ((n Int)) (=> (> n 100) (mc n (- n 10)))))
         (assert (forall ((n Int) (a Int) (b Int))
           (=> (and (<= n 100) (mc (+ n 11) a) (mc a b)) (mc n b))))
         (assert (not (exists ((n Int) (r Int)) (and (mc n r) (<= n 100) (distinct r 91)))))",
        Kind::Sat,
    );
    check_text(
        "(set-logic HORN) (declare-fun p () Bool) (declare-fun q () Bool)
         (assert p) (assert (=> p q)) (assert (=> (and p q) false))",
        Kind::Unsat,
    );
    check_text(
        "(set-logic HORN) (declare-fun p () Bool) (declare-fun q (Int) Bool)
         (assert (=> p p)) (assert (forall ((x Int)) (=> p (q x))))
         (assert (forall ((x Int)) (=> (q x) false)))",
        Kind::Sat,
    );
    check_text("(set-logic HORN) (assert false)", Kind::Unsat);
    check_text("(set-logic HORN) (assert true)", Kind::Sat);
    check_text(
        "(set-logic HORN) (declare-fun even (Int) Bool) (declare-fun odd (Int) Bool)
         (define-fun next ((x Int)) Int (+ x 1))
         (assert (even 0))
         (assert (forall ((x Int)) (=> (even x) (odd (next x)))))
         (assert (forall ((x Int)) (let ((y (next x))) (=> (odd x) (even y)))))
         (assert (forall ((x Int)) (=> (and (even x) (< x 0)) false)))",
        Kind::Sat,
    );
    check_text(
        "(set-logic HORN) (declare-fun P ((Array Int Int) Int) Bool)
         (assert (forall ((a (Array Int Int))) (=> (= (select a 0) 1) (P a 0))))
         (assert (forall ((a (Array Int Int)) (i Int))
           (=> (and (P a i) (< i 2)) (P (store a (+ i 1) 5) (+ i 1)))))
         (assert (forall ((a (Array Int Int))) (=> (and (P a 2) (= (select a 2) 5)) false)))",
        Kind::Unsat,
    );
}

fn refused(script: &str, expected: Expect) {
    let error = read::read(&mut Terms::new(), script).expect_err("it is refused");
    expected.assert_eq(&error.to_string());
}

#[test]
fn what_is_no_system_is_refused_with_its_place() {
    refused("(set-logic HORN)\n(assert (=> true", expect!["2:9: a parenthesis is not closed"]);
    refused("(set-logic LIA)", expect!["1:1: the logic must be HORN: write `(set-logic HORN)`"]);
    refused(
        "(declare-fun f (Int) Int)",
        expect!["1:22: only predicates can be declared in Horn clauses: the result must be Bool"],
    );
    refused("(declare-fun P (Real) Bool)", expect!["1:17: the sort `Real` is not supported"]);
    refused(
        "(declare-fun P (Int) Bool)\n(assert (forall ((x Int))\n  (or (P x) (P 1))))",
        expect!["3:3: not a Horn clause: two predicates may follow from the same body"],
    );
    refused(
        "(declare-fun P (Int) Bool)\n(assert (forall ((x Int)) (=> (or (P x) (> x 1)) false)))",
        expect![[r#"
            2:27: not a Horn clause: a predicate stands under a connective other than the conjunction of a body; split the clause"#]],
    );
    refused(
        "(declare-fun P (Int) Bool)\n(assert (P true))",
        expect!["2:9: `P` takes arguments of the sorts (Int)"],
    );
    refused(
        "(assert (forall ((x Int)) (=> (forall ((y Int)) (> y x)) false)))",
        expect!["1:31: a quantifier inside a clause is not supported"],
    );
    refused("(minimize 1)", expect!["1:1: the command `minimize` is not supported"]);
    refused("(assert (< 1 x))", expect!["1:14: `x` is not declared"]);
}

#[test]
fn deep_nesting_is_refused_and_does_not_crash() {
    let deep = "(not ".repeat(100_000) + "true" + &")".repeat(100_000);
    let error = read::read(&mut Terms::new(), &format!("(assert {deep})")).expect_err("too deep");
    assert!(error.message.contains("nested deeper"), "{error}");
}

/// Symbols of random clauses have values below this.
const VALUES: i64 = 4;

struct Made {
    system: System,
    symbols: Vec<Symbol>,
}

fn random_system(terms: &mut Terms, rng: &mut fastrand::Rng) -> Made {
    let mut system = System::default();
    let mut symbols = Vec::new();
    for number in 0..4 {
        let term = terms.symbol(&format!("s{number}"), Sort::Int);
        symbols.push(terms.as_symbol(term).expect("a symbol"));
    }
    for number in 0..rng.usize(1..4) {
        let arity = rng.usize(0..3);
        let parameters = (0..arity).map(|p| {
            let term = terms.symbol(&format!("p{number}.{p}"), Sort::Int);
            terms.as_symbol(term).expect("a symbol")
        });
        let parameters = parameters.collect();
        let predicate = Predicate::new(terms, &format!("P{number}"), parameters);
        system.add_predicate(predicate);
    }
    for number in 0..rng.usize(2..8) {
        let clause = random_clause(terms, rng, &system, &symbols, number);
        system.clauses.push(clause);
    }
    Made { system, symbols }
}

fn random_clause(
    terms: &mut Terms,
    rng: &mut fastrand::Rng,
    system: &System,
    symbols: &[Symbol],
    number: usize,
) -> Clause {
    let application = |terms: &mut Terms, rng: &mut fastrand::Rng| {
        let predicate = rng.usize(0..system.predicates.len());
        let arguments = (0..system.predicates[predicate].parameters.len()).map(|_| {
            let symbol = terms.symbol_term(symbols[rng.usize(0..symbols.len())]);
            match rng.u8(0..4) {
                0 => terms.int(rng.i64(0..VALUES)),
                _ => symbol,
            }
        });
        Application { predicate: PredicateId(predicate), arguments: arguments.collect() }
    };
    let body = (0..rng.usize(0..3)).map(|_| application(terms, rng)).collect();
    let head = (rng.u8(0..4) > 0).then(|| application(terms, rng));
    let (zero, most) = (terms.int(0), terms.int(VALUES - 1));
    let mut parts = Vec::new();
    for symbol in symbols {
        let symbol = terms.symbol_term(*symbol);
        parts.push(terms.le(zero, symbol));
        parts.push(terms.le(symbol, most));
    }
    for _ in 0..rng.usize(0..3) {
        let mut side = || symbols[rng.usize(0..symbols.len())];
        let (a, b) = (side(), side());
        let (a, b) = (terms.symbol_term(a), terms.symbol_term(b));
        let offset = terms.int(rng.i64(-2..3));
        let b = terms.add(b, offset);
        parts.push(match rng.u8(0..3) {
            0 => terms.eq(a, b),
            1 => terms.le(a, b),
            _ => terms.ne(a, b),
        });
    }
    let constraint = terms.and(parts);
    Clause { body, constraint, head, marks: Vec::new(), note: format!("clause {number}") }
}

/// The truth: all facts, clause by clause, until there are no more.
fn truth(terms: &Terms, made: &Made) -> Kind {
    let mut facts: Vec<(usize, Vec<Value>)> = Vec::new();
    loop {
        let before = facts.len();
        for clause in &made.system.clauses {
            for code in 0..VALUES.pow(made.symbols.len() as u32) {
                let mut values = Assignment::default();
                let mut rest = code;
                for symbol in &made.symbols {
                    values.symbols.insert(*symbol, Value::Int((rest % VALUES).into()));
                    rest /= VALUES;
                }
                let fact = |application: &Application| {
                    let arguments = application.arguments.iter();
                    let arguments = arguments.map(|a| terms.evaluate(*a, &values).expect("known"));
                    (application.predicate.0, arguments.collect::<Vec<Value>>())
                };
                let holds = terms.holds(clause.constraint, &values) == Some(true)
                    && clause.body.iter().all(|a| facts.contains(&fact(a)));
                match (&clause.head, holds) {
                    (_, false) => {}
                    (None, true) => return Kind::Unsat,
                    (Some(head), true) => {
                        let derived = fact(head);
                        if !facts.contains(&derived) {
                            facts.push(derived);
                        }
                    }
                }
            }
        }
        if facts.len() == before {
            return Kind::Sat;
        }
    }
}

#[test]
fn random_systems_whole_and_reduced() {
    let mut counts = [0, 0];
    for seed in 0..60 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut terms = Terms::new();
        let made = random_system(&mut terms, &mut rng);
        let expected = truth(&terms, &made);
        counts[expected as usize] += 1;
        let shown = text::script(&mut terms, &made.system);
        assert_eq!(answer(&mut terms, &made.system, PLAIN), expected, "seed {seed}: {shown}");
        for open in [&[][..], &[PredicateId(0)]] {
            let answer = strengthened(&mut terms, &made.system, open);
            assert_eq!(answer, expected, "seed {seed}: {shown}");
        }
        let kept = rng.usize(0..2);
        let reduction = Reduction::new(&mut terms, made.system.clone(), |p| p.0 % 2 == kept);
        assert_eq!(answer(&mut terms, &reduction.system, PLAIN), expected, "seed {seed}: {shown}");
        let again = read::read(&mut terms, &shown).expect("what is printed can be read");
        assert_eq!(answer(&mut terms, &again, GLOBAL), expected, "seed {seed}: {shown}");
    }
    assert!(counts.iter().all(|count| *count > 10), "{counts:?}");
}

/// Of clauses with one premise.
#[test]
fn random_systems_by_predicate_abstraction() {
    let mut counts = [0, 0];
    for seed in 0..80 {
        let mut terms = Terms::new();
        let mut made = random_system(&mut terms, &mut fastrand::Rng::with_seed(seed));
        made.system.clauses.iter_mut().for_each(|clause| clause.body.truncate(1));
        let expected = truth(&terms, &made);
        let shown = text::script(&mut terms, &made.system);
        assert_eq!(abstracted(&mut terms, &made.system), Some(expected), "seed {seed}: {shown}");
        counts[expected as usize] += 1;
    }
    assert!(counts.iter().all(|count| *count > 10), "{counts:?}");
}

/// Two loops one after the other, in the second of which it matters what happened in the first; and
/// several premises, which are for others.
#[test]
fn systems_by_predicate_abstraction() {
    let modes = |last: &str| {
        format!(
            "(set-logic HORN) (declare-fun A (Int Int Int) Bool) (declare-fun B (Int Int Int) Bool)
             (assert (forall ((m Int)) (A m 0 0)))
             (assert (forall ((m Int) (i Int) (f Int))
               (=> (and (A m i f) (< i 3)) (A m (+ i 1) (ite (> m 5) 1 2)))))
             (assert (forall ((m Int) (i Int) (f Int)) (=> (and (A m i f) (>= i 3)) (B m 0 f))))
             (assert (forall ((m Int) (i Int) (f Int)) (=> (and (B m i f) (< i 3)) (B m (+ i 1) f))))
             (assert (forall ((m Int) (i Int) (f Int)) (=> (and (B m i f) {last}) false)))"
        )
    };
    let answer = |script: &str| {
        let mut terms = Terms::new();
        let system = read::read(&mut terms, script).expect("a system");
        abstracted(&mut terms, &system)
    };
    assert_eq!(answer(&modes("(distinct f (ite (> m 5) 1 2))")), Some(Kind::Sat));
    assert_eq!(answer(&modes("(= i 2) (= f 1)")), Some(Kind::Unsat));
    let twice = "(set-logic HORN) (declare-fun P (Int) Bool) (assert (P 1))
         (assert (forall ((x Int) (y Int)) (=> (and (P x) (P y)) (P (+ x y)))))
         (assert (forall ((x Int)) (=> (and (P x) (< x 0)) false)))";
    assert_eq!(answer(twice), None);
}

/// A loop over `i`, with other numbers, and what must never be after it. Which of several facts
/// are needed depends on the solver, so the text of the solution is not looked at.
fn check_loop(start: &str, step: &str, never: &str) {
    let script = format!(
        "(set-logic HORN) (declare-fun I (Int Int Int) Bool)
         (assert (forall ((i Int) (x Int) (n Int)) (=> {start} (I i x n))))
         (assert (forall ((i Int) (x Int) (n Int) (j Int) (y Int))
           (=> (and (I i x n) {step}) (I j y n))))
         (assert (forall ((i Int) (x Int) (n Int)) (=> (and (I i x n) {never}) false)))"
    );
    let mut terms = Terms::new();
    let system = read::read(&mut terms, &script).expect("a system");
    assert_eq!(strengthened(&mut terms, &system, &[]), Kind::Sat, "{script}");
}

#[test]
fn facts_and_phases_of_loops() {
    let up = "(< i 1000000) (= j (+ i 2))";
    check_loop("(and (= i 0) (= x 0))", &format!("{up} (= y x)"), "(= (mod i 2) 1)");
    check_loop(
        "(and (= i 1) (= x 0) (<= 1 n))",
        "(<= i n) (= j (+ i 1)) (= y (+ x i))",
        "(> i n) (distinct (* 2 x) (* n (+ n 1)))",
    );
    check_loop(
        "(and (= i 0) (= x 500))",
        "(< i 1000) (= j (+ i 1)) (= y (ite (< i 500) x (+ x 1)))",
        "(>= i 1000) (distinct x i)",
    );
    check_loop(
        "(and (= i n) (= x 0) (<= 0 n))",
        "(> i 0) (= j (- i 1)) (= y (+ x 3))",
        "(<= i 0) (distinct x (* 3 n))",
    );
}

/// A solution of a reduced system is one of the whole, as far as it goes.
#[test]
fn solutions_come_back() {
    let script = "(set-logic HORN) (declare-fun A (Int Int) Bool) (declare-fun B (Int Int) Bool)
         (declare-fun unused (Int) Bool) (declare-fun never (Int) Bool)
         (assert (forall ((x Int) (y Int)) (=> (= x 0) (A x y))))
         (assert (forall ((x Int) (y Int)) (=> (A x y) (B (+ x 1) y))))
         (assert (forall ((x Int) (y Int)) (=> (and (B x y) (< x 9)) (A x y))))
         (assert (forall ((x Int) (y Int)) (=> (B x y) (unused x))))
         (assert (forall ((x Int)) (=> (never x) false)))
         (assert (forall ((x Int) (y Int)) (=> (and (A x y) (> x 20)) false)))";
    let mut terms = Terms::new();
    let system = read::read(&mut terms, script).expect("a system");
    let reduction = Reduction::new(&mut terms, system.clone(), |_| true);
    let mut smt = Smt::new(LIMITS);
    let settings = Settings::default();
    let outcome = Spacer { smt: &mut smt, settings }.solve(&mut terms, &reduction.system);
    let Outcome::Solved(solution) = outcome else { panic!("{outcome:?}") };
    let back: Option<Vec<Term>> = reduction.solution(&solution).into_iter().collect();
    let back = back.expect("all were kept");
    assert_eq!(check(&mut terms, &mut smt, &system, &back), Ok(()));
    assert_eq!((back[2], back[3]), (Term::TRUE, Term::FALSE));
}
