//! `lakatos contracts --from witness`: what other tools claim, as far as it holds, as contracts.

mod support;

use expect_test::expect;
use support::Sandbox;

const SUM: &str = "\
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int twice(int n) { return n + n; }
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 100) return 0;
    int s = 0;
    for (int i = 0; i < n; i++) {
        s = s + 2;
    }
    if (s != twice(n)) reach_error();
    return 0;
}
";

/// A witness about a program, in the style of other tools.
fn witness(program: &str, content: &str) -> String {
    let hash = lakatos_witness::format::hash(program.as_bytes());
    format!(
        "- entry_type: invariant_set
  metadata:
    format_version: \"2.0\"
    uuid: 91023a0f-9f45-4385-88c4-1152ade45537
    creation_time: 2024-05-05T13:18:43Z
    producer: {{name: hand, version: \"1\"}}
    task:
      input_files: [./a.c]
      input_file_hashes: {{./a.c: {hash}}}
      specification: CHECK( init(main()), LTL(G ! call(reach_error())) )
      data_model: LP64
      language: C
  content:
{content}"
    )
}

fn claim((kind, line, text): &(&str, u32, &str)) -> String {
    format!(
        "  - invariant:
      type: {kind}
      location: {{file_name: ./a.c, line: {line}, column: 5, function: main}}
      value: {text}
      format: c_expression
"
    )
}

fn sandbox(program: &str, claims: &[(&str, u32, &str)]) -> Sandbox {
    let content: String = claims.iter().map(claim).collect();
    Sandbox::new().file("a.c", program).file("w.yml", witness(program, &content))
}

const FROM: [&str; 6] = ["contracts", "--from", "witness", "--witness", "w.yml", "a.c"];

/// The claims need what `twice` ensures; two of them contradict each other, one is at no loop, one
/// at no place that annotations have.
#[test]
fn what_holds_is_kept_and_completed() {
    let claims = [
        ("loop_invariant", 8, "s == 2 * i"),
        ("loop_invariant", 8, "i <= n"),
        ("loop_invariant", 8, "i <= 3"),
        ("loop_invariant", 8, "i > 3"),
        ("location_invariant", 11, "s == 2 * n"),
        ("loop_invariant", 9, "s == 0"),
    ];
    sandbox(SUM, &claims).check(&FROM, 0, expect![[r#"
        /*@ requires \false;
            assigns \nothing;
        */
        extern void reach_error(void);
        /*@ assigns \nothing; */
        extern int __VERIFIER_nondet_int(void);
        /*@ assigns \nothing;
            ensures \result == 2 * n;
        */
        int twice(int n) { return n + n; }
        /*@ assigns \nothing; */
        int main(void) {
            int n = __VERIFIER_nondet_int();
            if (n < 0 || n > 100) return 0;
            int s = 0;
            /*@ loop invariant s == 2 * i;
                loop invariant i <= n;
                loop assigns i, s;
                loop variant n - i;
            */
            for (int i = 0; i < n; i++) {
                s = s + 2;
            }
            if (s != twice(n)) reach_error();
            return 0;
        }
    "#]], expect![[r#"
        note: w.yml: no loop begins on line 9 of ./a.c
        note: w.yml: the loop invariant of line 8 is left out: `i <= 3`: it is not shown to hold
        note: w.yml: the loop invariant of line 8 is left out: `i > 3`: it is not shown to hold
        note: w.yml: the location invariant of line 11 is left out: `s == 2 * n`: it holds, but it is neither about a loop nor a contract
        unreach-call: proved
          assuming: no signed overflow: a path ends where one happens (check it with `--property no-overflow`)
    "#]]);
}

/// Nobody proves this in a second without the witness; with it nothing is left to find.
#[test]
fn claims_that_are_enough_need_no_engine() {
    let text = "\
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), x = 0, y = 0;
    if (n > 1000) return 0;
    while (x < n) { x++; y = y + x; }
    if (2 * y != n * n + n) reach_error();
    return 0;
}
";
    let claims =
        [("loop_invariant", 6, "x <= n && n <= 1000"), ("loop_invariant", 6, "2 * y == x * x + x")];
    let output = sandbox(text, &claims).run(&[&FROM[..], &["--timeout", "20"]].concat());
    assert_eq!(output.code, 0, "{}\n{}", output.stderr, output.stdout);
    assert!(output.stdout.contains("loop invariant x <= n;"), "{}", output.stdout);
    assert!(!output.stderr.contains("left out"), "{}", output.stderr);
}

/// A contract of the witness that callers do not keep.
#[test]
fn contracts_of_a_witness_are_candidates_too() {
    let text = "\
extern void reach_error(void);
int g = 0;
void up(int by) { g = g + by; }
int main(void) {
    up(1);
    up(2);
    if (g != 3) reach_error();
    return 0;
}
";
    let contract = "  - invariant:
      type: function_contract
      location: {file_name: ./a.c, line: 3, column: 1, function: up}
      requires: by == 1
      ensures: g == \\old(g) + by
      format: ext_c_expression
";
    let sandbox = Sandbox::new()
        .file("a.c", text)
        .file("w.yml", witness(text, contract).replace("\"2.0\"", "\"2.1\""));
    let output = sandbox.run(&FROM);
    assert_eq!(output.code, 0, "{}\n{}", output.stderr, output.stdout);
    let said = "`requires` of `up` on line 3 is left out: `by == 1`: it is not shown to hold";
    assert!(output.stderr.contains(said), "{}", output.stderr);
    expect![[r#"
        /*@ requires \false;
            assigns \nothing;
        */
        extern void reach_error(void);
        int g = 0;
        /*@ assigns g;
            ensures g == \old(g) + by;
        */
        void up(int by) { g = g + by; }
        /*@ requires g == 0;
            assigns g;
        */
        int main(void) {
            up(1);
            up(2);
            if (g != 3) reach_error();
            return 0;
        }
    "#]]
    .assert_eq(&output.stdout);
}

#[test]
fn a_violation_is_found_whatever_is_claimed() {
    let text = SUM.replace("s + 2", "s + 1");
    let output = sandbox(&text, &[("loop_invariant", 8, "s == 2 * i")]).run(&FROM);
    assert_eq!((output.code, output.stdout.as_str()), (1, ""), "{}", output.stderr);
    assert!(output.stderr.contains("unreach-call: refuted"), "{}", output.stderr);
}

#[test]
fn bad_input() {
    let claims = [("loop_invariant", 8, "i <= n")];
    let other = sandbox(SUM, &claims).file("a.c", SUM.replace("100", "99"));
    let output = other.run(&FROM);
    assert_eq!(output.code, 3, "{}", output.stderr);
    assert!(output.stderr.contains("w.yml: the hash of a.c is another one"), "{}", output.stderr);
    let sandbox = sandbox(SUM, &claims);
    let output = sandbox.run(&["contracts", "--from", "witness", "a.c"]);
    assert_eq!(output.code, 3, "{}", output.stderr);
    assert!(output.stderr.contains("--witness <FILE>"), "{}", output.stderr);
    let output = sandbox.run(&["contracts", "--from", "horn", "--witness", "w.yml", "a.c"]);
    assert_eq!(output.code, 3, "{}", output.stderr);
    assert!(output.stderr.contains("`--witness` belongs to `--from witness`"), "{}", output.stderr);
}
