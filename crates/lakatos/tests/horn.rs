//! Horn clauses on the command line: programs as clauses, files of clauses, the engine.

mod support;

use expect_test::expect;
use support::Sandbox;

const COUNT: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    int i = 0;
    while (i < n) i++;
    if (n >= 0 && i != n) reach_error();
}
";

const STEPS: &str = "\
(set-logic HORN)
(declare-fun I (Int) Bool)
(assert (I 0))
(assert (forall ((x Int)) (=> (and (I x) (< x 3)) (I (+ x 1)))))
(assert (forall ((x Int)) (=> (and (I x) (> x LIMIT)) false)))
(check-sat)
";

#[test]
fn a_program_as_clauses() {
    Sandbox::new().file("count.c", COUNT).check(
        &["horn", "count.c"],
        0,
        expect![[r#"
            (set-logic HORN)
            (declare-fun __lakatos_start.entry () Bool)
            (declare-fun main.entry () Bool)
            (declare-fun main.1 (Int Int) Bool)

            ; the program starts
            (assert __lakatos_start.entry)

            ; count.c:3:5 in __lakatos_start: call main
            (assert (=> __lakatos_start.entry
                    main.entry))

            ; count.c:4:13 in main
            (assert
              (forall ((n Int))
                (=> (and main.entry
                         (<= (- 2147483648) n)
                         (<= n 2147483647))
                    (main.1 n 0))))

            ; count.c:6:12 in main: a violation
            (assert
              (forall ((n Int) (i Int))
                (=> (and (main.1 n i)
                         (<= n 2147483647)
                         (<= (- 2147483648) i)
                         (<= i 2147483647)
                         (<= n i)
                         (<= 0 n)
                         (not (= n i)))
                    false)))

            ; count.c:6:12 in main
            (assert
              (forall ((n Int) (i Int))
                (=> (and (main.1 n i)
                         (<= (- 2147483648) n)
                         (<= n 2147483647)
                         (<= (- 2147483648) i)
                         (<= i (+ n (- 1)))
                         (<= i 2147483646))
                    (main.1 n (+ i 1)))))

            (check-sat)
        "#]],
        expect![""],
    );
}

#[test]
fn the_engine_proves_and_refutes() {
    Sandbox::new().file("count.c", COUNT).check(
        &["verify", "--engine", "horn", "--proof", "count.c"],
        0,
        expect![[r#"
            count.c (lp64)
            unreach-call: proved (2 conditions checked)
            assuming
              no signed overflow: a path ends where one happens (check it with `--property no-overflow`)
            main at count.c:3:5
              at count.c:6:5
                invariant i <= 0 || i <= n
        "#]],
        expect![""],
    );
    let wrong = COUNT.replace("i != n", "i == n && n == 4");
    Sandbox::new().file("count.c", &wrong).check(
        &["verify", "--engine", "horn", "--no-probe", "count.c"],
        1,
        expect![[r#"
            count.c (lp64)
            unreach-call: refuted: `reach_error` is called at count.c:7:37
            inputs
              __VERIFIER_nondet_int() #1 at count.c:4:13 returned 4
            trace
              main:4  int n = __VERIFIER_nondet_int();                n = 4
              main:5  int i = 0;                                      i = 0
              main:6  while (i < n) i++;                              i = 4
              main:7  if (n >= 0 && i == n && n == 4) reach_error();
            error: `reach_error` is called
             --> count.c:7:37
              |
            7 |     if (n >= 0 && i == n && n == 4) reach_error();
              |                                     ^^^^^^^^^^^^^
              in main
        "#]],
        expect![""],
    );
}

#[test]
fn files_of_clauses() {
    let sandbox = Sandbox::new()
        .file("safe.smt2", STEPS.replace("LIMIT", "3"))
        .file("unsafe.smt2", STEPS.replace("LIMIT", "1"))
        .file("bad.smt2", "(set-logic HORN)\n(assert (P 1))\n");
    sandbox.check(
        &["solve", "safe.smt2"],
        0,
        expect![[r#"
        sat
        (
          (define-fun I ((x0 Int)) Bool
            (<= (+ x0 (- 3)) 0))
        )
    "#]],
        expect![""],
    );
    sandbox.check(
        &["solve", "unsafe.smt2"],
        1,
        expect![[r#"
        unsat
        1: (I 0) (line 3)
        2: (I 1) from 1 (line 4)
        3: (I 2) from 2 (line 4)
        4: false from 3 (line 5)
    "#]],
        expect![""],
    );
    sandbox.check(
        &["solve", "--quiet", "unsafe.smt2"],
        1,
        expect![[r#"
        unsat
    "#]],
        expect![""],
    );
    sandbox.check(
        &["solve", "bad.smt2"],
        3,
        expect![""],
        expect![[r#"
        error: bad.smt2:2:9: `P` of (Int) is not declared, or not supported
    "#]],
    );
}

const FLAGS: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    unsigned char f = 8;
    while (__VERIFIER_nondet_int()) f = (f | 4) & 12;
    if (f & 3) reach_error();
}
";

/// Bit operations are no arithmetic.
#[test]
fn clauses_over_bit_vectors() {
    let sandbox = Sandbox::new().file("flags.c", FLAGS);
    let script = sandbox.run(&["horn", "--encoding", "bv", "flags.c"]);
    assert_eq!(script.code, 0, "{}", script.stderr);
    assert!(script.stdout.contains("(_ BitVec 8)"), "{}", script.stdout);
    assert!(!script.stdout.contains(" Int"), "{}", script.stdout);
    let solved = Sandbox::new().stdin(&script.stdout).run(&["solve", "-", "--quiet"]);
    assert_eq!((solved.code, solved.stdout.as_str()), (0, "sat\n"), "{}", solved.stderr);
    let args = ["verify", "--engine", "horn", "--encoding", "bv", "flags.c"];
    let output = sandbox.run(&args);
    assert_eq!(output.code, 0, "{}{}", output.stdout, output.stderr);
    assert!(output.stdout.contains("unreach-call: proved"), "{}", output.stdout);
}

/// Each `check-sat` is answered about what is asserted there, in order.
#[test]
fn solve_answers_each_question() {
    const COUNTS: &str = "\
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (forall ((x Int)) (=> (= x 0) (p x))))
(assert (forall ((x Int)) (=> (and (p x) (< x 5)) (p (+ x 1)))))
";
    const AT_MOST: &str = "(assert (forall ((x Int)) (=> (and (p x) (> x LIMIT)) false)))\n";
    let at_most = |limit: &str| AT_MOST.replace("LIMIT", limit);
    let check = |text: &str, code: i32, expected: &str| {
        let sandbox = Sandbox::new().file("c.smt2", text);
        let output = sandbox.run(&["solve", "c.smt2", "--quiet", "--timeout", "60"]);
        let answers: Vec<&str> = output.stdout.split_whitespace().collect();
        assert_eq!((output.code, answers.join(" ").as_str()), (code, expected), "{output:?}");
    };
    let ask = "(check-sat)\n";
    check(&format!("{COUNTS}{}", at_most("5")), 0, "sat");
    check(&format!("{COUNTS}{ask}{}{ask}", at_most("4")), 1, "sat unsat");
    check(&format!("{COUNTS}{}{ask}{}{ask}", at_most("5"), at_most("4")), 1, "sat unsat");
    let scoped = format!("{COUNTS}(push 1)\n{}{ask}(pop 1)\n{}{ask}", at_most("4"), at_most("5"));
    check(&scoped, 1, "unsat sat");
    check(&format!("{COUNTS}{ask}(reset)\n{COUNTS}{}{ask}", at_most("4")), 1, "sat unsat");
    check(&format!("{COUNTS}{ask}(exit)\n{ask}nonsense"), 0, "sat");
    let refused = |text: &str, expected: &str| {
        let output = Sandbox::new().file("c.smt2", text).run(&["solve", "c.smt2"]);
        assert_eq!((output.code, output.stderr.as_str()), (3, expected), "{text}");
    };
    let nothing = "error: c.smt2:2:1: nothing was pushed that could be popped\n";
    refused("(set-logic HORN)\n(pop 1)\n(check-sat)\n", nothing);
    refused(
        "(set-logic HORN)\n(check-sat-assuming (true))\n",
        "error: c.smt2:2:1: the command `check-sat-assuming` is not supported\n",
    );
}
