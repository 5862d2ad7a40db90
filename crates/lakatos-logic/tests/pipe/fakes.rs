//! Scripts that are no solvers.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use lakatos_logic::smt::pipe::{Kind, PipeSolver, Program, StartError};
use lakatos_logic::smt::{Answer, Limits, Logic, Reason, Solver};
use lakatos_logic::term::{Sort, Term, Terms, Value};
use tempfile::TempDir;

/// A script that keeps to the protocol, but for what `cases` (of the shell) say of a line. It
/// writes its process id beside itself.
struct Fake {
    folder: TempDir,
    terms: Terms,
    solver: PipeSolver,
}

impl Fake {
    fn new(cases: &str) -> Fake {
        let folder = tempfile::tempdir().unwrap();
        let script = format!(
            r#"
echo $$ > "$0.pid"
while IFS= read -r line; do
  case "$line" in
    {cases}
    "(echo "*) mark=${{line#*\"}}; echo "${{mark%\"*}}" ;;
    "(get-info :version)") echo '(:version "7")' ;;
    "(get-info :reason-unknown)") echo '(:reason-unknown "mood")' ;;
    "(check-sat"*) echo sat ;;
  esac
done
"#
        );
        let path = folder.path().join("solver");
        fs::write(&path, script).unwrap();
        let solver = PipeSolver::start(shell(path), Logic::All).unwrap();
        Fake { folder, terms: Terms::new(), solver }
    }

    /// With this for every `check-sat`.
    fn answering(action: &str) -> Fake {
        Fake::new(&format!("'(check-sat'*) {action} ;;"))
    }

    fn check(&mut self) -> Answer {
        self.solver.check(&self.terms, &[])
    }

    fn limit(&mut self, time: Duration) {
        self.solver.set_limits(Limits { time: Some(time), resources: None });
    }

    fn int(&mut self, name: &str) -> Term {
        self.terms.symbol(name, Sort::Int)
    }

    fn pid(&self) -> Option<String> {
        fs::read_to_string(self.folder.path().join("solver.pid")).ok().filter(|p| !p.is_empty())
    }
}

fn shell(script: PathBuf) -> Program {
    let arguments = vec![OsString::from(script)];
    Program { kind: Kind::Z3, path: "/bin/sh".into(), arguments }
}

fn failed(why: &str) -> Answer {
    Answer::Unknown(Reason::Failed(why.to_string()))
}

fn is_alive(pid: &str) -> bool {
    let kill = format!("kill -0 {}", pid.trim());
    Command::new("sh").args(["-c", &kill]).stderr(Stdio::null()).status().unwrap().success()
}

#[test]
fn a_solver_that_is_not_there() {
    let absent = Program::at(Kind::Cvc5, "/no/such/solver");
    let error = PipeSolver::start(absent, Logic::All).unwrap_err();
    assert!(matches!(error, StartError::Absent(_)));
    assert_eq!(error.to_string(), "there is no solver `/no/such/solver`");
    let folder = Program::at(Kind::Z3, "/");
    assert!(matches!(PipeSolver::start(folder, Logic::All), Err(StartError::Io { .. })));
}

#[test]
fn answers() {
    for (action, expect) in [
        ("echo sat", Answer::Sat),
        ("printf '; why\\n  unsat ; so'; echo", Answer::Unsat),
        ("echo unknown", Answer::Unknown(Reason::Incomplete("mood".to_string()))),
        ("echo 'unknown (MOOD)'", Answer::Unknown(Reason::Incomplete("mood".to_string()))),
        ("echo timeout", Answer::Unknown(Reason::Time)),
    ] {
        let mut fake = Fake::answering(action);
        assert_eq!(fake.solver.name(), "z3 (process)");
        for _ in 0..3 {
            assert_eq!(fake.check(), expect, "{action}");
        }
        assert_eq!(fake.solver.name(), "z3 7 (process)");
    }
}

#[test]
fn what_is_no_answer_is_never_taken_for_one() {
    for (action, expect) in [
        ("echo maybe", "it said `maybe`"),
        ("echo sat sat", "it said `sat`"),
        ("echo sat; echo unsat", "it said `unsat`"),
        ("echo 'sat (MOOD)'", "it said `(MOOD)`"),
        ("echo 'unknown (sat unsat)'", "it said `(sat unsat)`"),
        ("echo '(sat)'", "it said `(sat)`"),
        ("echo '\"sat\"'", "it said `\"sat\"`"),
        ("echo ')'", "it said `)`"),
        ("echo 12monkeys", "it said `12monkeys`"),
        ("printf 'sat\\377\\n'", "it said `|sat\u{fffd}|`"),
        ("printf '\\0\\n'", "it said `|\u{0}|`"),
        ("echo lakatos-2; echo sat", "it said `lakatos-2`"),
        ("echo lakatos-1; echo sat", "it said `sat`"),
        ("echo '(error \"no  such\nthing\")'; echo sat", "no such thing"),
        ("echo sat; echo '(error \"late\")'", "late"),
        ("echo '(error sat)'", "(error sat)"),
        (":", "it said `lakatos-2`"),
        ("exit 3", "it ended (exit status: 3)"),
        ("echo sat; exit 0", "it ended (exit status: 0)"),
        ("printf sat; exit 0", "it ended (exit status: 0) after `sat`"),
        ("printf '(error \"x'; exit 1", "it ended (exit status: 1) after `(error \"x`"),
        ("echo broken pipe dreams >&2; exit 1", "it ended (exit status: 1): broken pipe dreams"),
        ("kill -9 $$", "it ended (signal: 9 (SIGKILL))"),
        ("exec 1>&- 2>&-", "it ended (it closed its output)"),
        ("yes '(((((((((((('", "its answer does not end"),
    ] {
        let mut fake = Fake::answering(action);
        let expect = match expect.strip_prefix("it ended (exit status: 1): ") {
            Some(said) => failed(&format!("it ended (exit status: 1: {said})")),
            None => failed(expect),
        };
        assert_eq!(fake.check(), expect, "{action}");
        // Dead is dead.
        let x = fake.int("x");
        let zero = fake.terms.int(0);
        let positive = fake.terms.gt(x, zero);
        fake.solver.push();
        fake.solver.assert(&fake.terms, positive);
        assert_eq!(fake.check(), expect, "{action}");
        assert_eq!(fake.solver.check(&fake.terms, &[positive]), expect, "{action}");
        assert_eq!(fake.solver.core(), []);
        assert_eq!(fake.solver.model(&fake.terms, &[positive]), None);
        fake.solver.pop(1);
    }
}

#[test]
fn an_error_about_an_assertion_is_noticed() {
    let mut fake = Fake::new(r#"'(assert'*) echo '(error "no sort")' ;;"#);
    assert_eq!(fake.check(), Answer::Sat);
    let p = fake.terms.symbol("p", Sort::Bool);
    fake.solver.assert(&fake.terms, p);
    assert_eq!(fake.check(), failed("no sort"));
}

#[test]
fn out_of_memory() {
    let mut fake = Fake::answering("echo '(error \"out of memory\")'; exit 101");
    assert_eq!(fake.check(), Answer::Unknown(Reason::Memory));
    assert_eq!(fake.check(), failed("it ran out of memory"));
}

#[test]
fn a_program_that_is_no_solver() {
    let program = Program { arguments: vec!["-c".into(), "exit 0".into()], ..shell("".into()) };
    let mut solver = PipeSolver::start(program, Logic::All).unwrap();
    // Much to write to nobody.
    let mut terms = Terms::new();
    for i in 0..20_000 {
        let p = terms.symbol(&format!("p{i}"), Sort::Bool);
        solver.assert(&terms, p);
    }
    assert_eq!(solver.check(&terms, &[]), failed("it ended (exit status: 0)"));
}

/// Neither reads nor answers, with and without a child of its own that keeps the pipes open.
#[test]
fn a_solver_that_hangs_is_killed_in_time() {
    for action in ["exec sleep 20", "sleep 20", "while :; do :; done"] {
        let mut fake = Fake::answering(action);
        fake.limit(Duration::from_millis(20));
        let began = Instant::now();
        assert_eq!(fake.check(), Answer::Unknown(Reason::Time), "{action}");
        assert!(began.elapsed() < Duration::from_secs(5), "{action}");
        assert_eq!(fake.check(), failed("it was killed when its time was over"));
        // On a busy machine it may be killed before it has told its number.
        assert!(fake.pid().is_none_or(|pid| !is_alive(&pid)), "{action}");
    }
}

#[test]
fn a_reset_starts_again() {
    let mut fake = Fake::answering("exit 1");
    assert_eq!(fake.check(), failed("it ended (exit status: 1)"));
    let first = fake.pid().unwrap();
    fake.solver.push();
    fake.solver.reset();
    assert_eq!(fake.check(), failed("it ended (exit status: 1)"));
    assert_ne!(fake.pid().unwrap(), first);
    let script = fake.folder.path().join("solver");
    fs::write(&script, "exit 4").unwrap();
    fake.solver.reset();
    assert_eq!(fake.check(), failed("it ended (exit status: 4)"));
}

#[test]
fn cancelled_from_another_thread() {
    for action in ["exec sleep 20", "sleep 20"] {
        let mut fake = Fake::answering(action);
        let cancel = fake.solver.cancel_handle();
        let began = Instant::now();
        thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(Duration::from_millis(50));
                cancel.cancel();
                cancel.cancel();
            });
            assert_eq!(fake.check(), Answer::Unknown(Reason::Cancelled), "{action}");
        });
        assert!(began.elapsed() < Duration::from_secs(5), "{action}");
        assert_eq!(fake.check(), Answer::Unknown(Reason::Cancelled), "{action}");
        assert!(!is_alive(&fake.pid().unwrap()), "{action}");
        fake.solver.reset();
        assert_eq!(fake.check(), Answer::Unknown(Reason::Cancelled), "{action}");
    }
}

#[test]
fn cancelled_before_and_between() {
    let mut fake = Fake::answering("echo unsat");
    assert_eq!(fake.check(), Answer::Unsat);
    fake.solver.cancel_handle().cancel();
    assert_eq!(fake.check(), Answer::Unknown(Reason::Cancelled));
    // Other solvers are not.
    assert_eq!(Fake::answering("echo unsat").check(), Answer::Unsat);
}

#[test]
fn dropped_solvers_are_killed() {
    let mut fake = Fake::answering("echo sat");
    assert_eq!(fake.check(), Answer::Sat);
    let pid = fake.pid().unwrap();
    assert!(is_alive(&pid));
    drop(fake);
    assert!(!is_alive(&pid));
}

#[test]
fn cores() {
    let mut fake = Fake::answering("echo unsat");
    let parts: Vec<Term> =
        ["p", "q", "r"].iter().map(|p| fake.terms.symbol(p, Sort::Bool)).collect();
    let check = |answer: &str, expect: &[Term]| {
        let cases = format!("'(check-sat'*) echo unsat ;; '(get-unsat'*) {answer} ;;");
        let mut other = Fake::new(&cases);
        assert_eq!(other.solver.check(&fake.terms, &parts), Answer::Unsat);
        assert_eq!(other.solver.core(), expect, "{answer}");
        other.solver.push();
        assert_eq!(other.solver.core(), [], "{answer}");
    };
    check("echo '(assume!2)'", &parts[1..2]);
    check("echo '(assume!3 assume!1)'", &[parts[0], parts[2]]);
    check("echo '()'", &[]);
    // Whatever it says instead: all of them suffice.
    check("echo '(assume!4)'", &parts);
    check("echo '((not assume!1))'", &parts);
    check("echo sat", &parts);
    check("echo '(error \"no\")'", &parts);
    check("exit 1", &parts);
    assert_eq!(fake.check(), Answer::Unsat);
    assert_eq!(fake.solver.core(), []);
}

#[test]
fn models() {
    let mut terms = Terms::new();
    let (x, y) = (terms.symbol("x", Sort::Int), terms.symbol("y", Sort::Int));
    let f = terms.function("f", &[Sort::Int], Sort::Int);
    let fx = terms.apply(f, &[x]);
    let formula = terms.le(fx, x);
    let [xs, ys] = [x, y].map(|t| terms.as_symbol(t).unwrap());
    let model = |answers: &str| {
        let mut fake = Fake::new(answers);
        fake.solver.assert(&terms, formula);
        assert_eq!(fake.solver.check(&terms, &[]), Answer::Sat);
        let model = fake.solver.model(&terms, &[formula, y]);
        fake.solver.assert(&terms, formula);
        assert_eq!(fake.solver.model(&terms, &[x]), None, "not after an assertion");
        model
    };
    let int = |n: i64| Value::Int(n.into());
    let good = "'(get-value (x'*) echo '((x 5))' ;; '(get-value ((f 5)))') echo '(((f 5) 3))' ;;";
    let found = model(good).unwrap();
    assert_eq!((&found.symbols[&xs], &found.symbols[&ys]), (&int(5), &int(0)));
    assert_eq!(found.functions[&f].get(&terms, &[int(5)]), &int(3));
    for bad in [
        "'(get-value'*) echo '((x 5) (y 6))' ;;",
        "'(get-value'*) echo '((x))' ;;",
        "'(get-value'*) echo '()' ;;",
        "'(get-value'*) echo 'x' ;;",
        "'(get-value'*) echo '((x true))' ;;",
        "'(get-value'*) echo '((x (root-obj x 1)))' ;;",
        "'(get-value'*) echo '(error \"no model\")' ;;",
        "'(get-value'*) exit 1 ;;",
        "'(get-value (x'*) echo '((x 5))' ;; '(get-value'*) echo '(((f 5) #x3))' ;;",
    ] {
        assert_eq!(model(bad), None, "{bad}");
    }
}

#[test]
fn formulas_beyond_the_logic_and_of_other_arenas() {
    let mut terms = Terms::new();
    let x = terms.symbol("x", Sort::Int);
    let zero = terms.int(0);
    let positive = terms.gt(x, zero);
    let fake = Fake::answering("echo sat");
    let program = shell(fake.folder.path().join("solver"));
    let mut bits = PipeSolver::start(program.clone(), Logic::QfBv).unwrap();
    assert_eq!(bits.check(&terms, &[positive]), failed("it was given a formula beyond QF_BV"));
    let mut other = Terms::new();
    let p = other.symbol("p", Sort::Bool);
    let mut solver = PipeSolver::start(program, Logic::All).unwrap();
    solver.assert(&terms, positive);
    assert_eq!(solver.check(&terms, &[]), Answer::Sat);
    assert_eq!(solver.check(&other, &[p]), failed("it was given terms of two arenas"));
    solver.reset();
    assert_eq!(solver.check(&other, &[p]), Answer::Sat);
}
