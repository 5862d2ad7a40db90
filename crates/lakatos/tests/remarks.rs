//! What is said of loops in a program or a witness: it helps where it is true, and never harms.

mod support;

use expect_test::expect;
use support::{Output, Sandbox};

/// Cubes: no guess has them.
const CUBES: &str = "\
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int n;
void fill(int *x) {
    REMARK_IN_FILL
    for (int j = 0; j < n; j++)
        x[j] = j * j * j;
}
int main(void) {
    n = __VERIFIER_nondet_int();
    if (n < 0 || n > 1000) return 0;
    int a[n + 1];
    fill(a);
    REMARK_IN_MAIN
    for (int i = 0; i < n; i++) {
        int claimed = CLAIMED;
        if (a[i] != claimed) reach_error();
    }
    return 0;
}
";

const FILLED: &str = "\\forall integer k; 0 <= k < j ==> x[k] == k * k * k";
const FULL: &str = "0 <= i && (\\forall integer k; 0 <= k < n ==> a[k] == k * k * k)";

fn cubes(in_fill: &str, in_main: &str, claimed: &str) -> String {
    let remark = |text: &str| match text {
        "" => String::new(),
        text => format!("/*@ loop invariant {text}; */"),
    };
    CUBES
        .replace("REMARK_IN_FILL", &remark(in_fill))
        .replace("REMARK_IN_MAIN", &remark(in_main))
        .replace("CLAIMED", claimed)
}

fn verdict(output: &Output) -> &str {
    let line = output.stdout.lines().find(|line| line.starts_with("unreach-call: "));
    let words = line.unwrap_or_default().trim_start_matches("unreach-call: ");
    words.split([' ', ':']).next().unwrap_or_default()
}

#[track_caller]
fn verify(program: &str, args: &[&str], expected: &str) -> Output {
    let sandbox = Sandbox::new().file("p.c", program);
    let output = sandbox.run(&[&["verify", "p.c", "--engine", "arrays"], args].concat());
    assert_eq!(verdict(&output), expected, "{output:?}\n{program}");
    output
}

#[test]
fn a_true_remark_makes_the_proof() {
    verify(&cubes("", "", "i * i * i"), &[], "unknown");
    verify(&cubes(FILLED, FULL, "i * i * i"), &[], "proved");
    // In steps: what one loop says, the next one needs.
    verify(&cubes(FILLED, "", "i * i * i"), &[], "unknown");
    verify(&cubes("", FULL, "i * i * i"), &[], "unknown");
}

/// Whatever is said, a program that fails is not proved.
#[test]
fn no_remark_makes_a_wrong_proof() {
    let said = [
        (FILLED, FULL),
        ("\\false", "\\false"),
        ("n == 0", "n == 0"),
        ("\\forall integer k; x[k] == 0", "\\forall integer k; a[k] == k"),
        ("j == n + 1", "0 == 1 || i < 0"),
        ("\\forall integer k; 0 <= k < j ==> x[k] == k", "\\forall integer k; a[k] == k * k"),
    ];
    for (in_fill, in_main) in said {
        verify(&cubes(in_fill, in_main, "i"), &[], "unknown");
    }
}

/// Functions of the program's own annotations can be used; what these only assume cannot, unless the
/// program is given as a lemma file as well.
#[test]
fn the_logic_of_the_program() {
    let program = "\
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
/*@ logic integer cube(integer x) = x * x * x; */
/*@ axiomatic Wrong { logic integer f(integer x); axiom none: \\forall integer x; f(x) != f(x + 0) + DIFFERENCE; } */
int a[1000];
int main(void) {
    /*@ loop invariant 0 <= i && \\forall integer k; 0 <= k < i ==> a[k] == cube(k); */
    for (int i = 0; i < 1000; i++) a[i] = i * i * i;
    /*@ loop invariant 0 <= i && \\forall integer k; 0 <= k < 1000 ==> a[k] == cube(k); */
    for (int i = 0; i < 1000; i++) { int c = i * i * i; if (a[i] != c) reach_error(); }
    return 0;
}
";
    let proved = verify(&program.replace("DIFFERENCE", "1"), &[], "proved");
    assert!(!proved.stdout.contains("none"), "{proved:?}");
    // A contradiction: nothing of it is used, and that is said.
    let noted = verify(&program.replace("DIFFERENCE", "0"), &[], "unknown");
    expect![[r#"
        note: the annotations of the program are not used: none cannot all hold
    "#]]
    .assert_eq(&noted.stderr);
    let refused = Sandbox::new()
        .file("p.c", program.replace("DIFFERENCE", "0"))
        .run(&["verify", "p.c", "--engine", "arrays", "--lemmas", "p.c"]);
    assert_eq!(refused.code, 3, "{refused:?}");
}

#[test]
fn what_is_not_tried_is_told() {
    let said = verify(&cubes("\\valid(x + (0 .. n))", "", "i * i * i"), &[], "unknown");
    expect![[r#"
        note: this invariant is not tried: p.c:5:9: whether memory is valid or initialised
    "#]]
    .assert_eq(&said.stderr);
    let wrong = verify(&cubes("nobody == 1", "", "i * i * i"), &[], "unknown");
    assert!(wrong.stderr.contains("the annotations of the program are not used: p.c:5:"));
}

/// A witness that speaks of all elements, written and read.
#[test]
fn witnesses() {
    let sandbox = Sandbox::new().file("p.c", cubes(FILLED, FULL, "i * i * i"));
    let verify = ["verify", "p.c", "--engine", "arrays", "--witness", "w.yml"];
    assert_eq!(sandbox.run(&verify).code, 0);
    let witness = std::fs::read_to_string(sandbox.path("w.yml")).unwrap();
    let said: Vec<&str> =
        witness.lines().filter_map(|l| l.split_once("value: ")).map(|p| p.1).collect();
    expect![[r#"
        [
            "i >= 0 && (\\forall integer k; 0 <= k < n ==> a[k] == k * k * k)",
            "\\forall integer k; 0 <= k < j ==> x[k] == k * k * k",
        ]
    "#]]
    .assert_debug_eq(&said);
    let check = |sandbox: &Sandbox, seconds: &str| {
        sandbox.run(&["check", "p.c", "--witness", "w.yml", "--timeout", seconds])
    };
    let confirmed = check(&sandbox, "20");
    assert_eq!(confirmed.code, 0, "{confirmed:?}");
    assert!(confirmed.stdout.contains("2 claims are true, and enough alone"), "{confirmed:?}");
    for (true_part, false_part) in [
        ("k * k * k", "k * k"),
        ("0 <= k < n", "0 <= k <= n + 1"),
        ("i >= 0", "i > 0"),
        ("\\forall integer k", "\\exists integer k"),
    ] {
        let wrong = witness.replace(true_part, false_part);
        assert_ne!(wrong, witness);
        let program = cubes(FILLED, FULL, "i * i * i");
        let output = check(&Sandbox::new().file("p.c", program).file("w.yml", &wrong), "3");
        assert_ne!(output.code, 0, "{false_part}: {output:?}");
    }
}

/// The witness of a program, changed so that it is about another one that fails, is not confirmed.
#[test]
fn a_witness_of_a_program_that_fails() {
    let right = cubes(FILLED, FULL, "i * i * i");
    let sandbox = Sandbox::new().file("p.c", &right);
    let verify = ["verify", "p.c", "--engine", "arrays", "--witness", "w.yml"];
    assert_eq!(sandbox.run(&verify).code, 0);
    let witness = std::fs::read_to_string(sandbox.path("w.yml")).unwrap();
    let wrong = cubes(FILLED, FULL, "i * i * 2");
    let hash = |text: &str| lakatos_witness::format::hash(text.as_bytes());
    let witness = witness.replace(&hash(&right), &hash(&wrong));
    let sandbox = Sandbox::new().file("p.c", &wrong).file("w.yml", &witness);
    let output = sandbox.run(&["check", "p.c", "--witness", "w.yml", "--timeout", "30"]);
    assert_eq!(output.code, 1, "{output:?}");
}
