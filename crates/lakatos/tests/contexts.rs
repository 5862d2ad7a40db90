//! `lakatos contracts --from arg`: how functions are called, as contracts (stack-abstraction thesis,
//! chapter 6), and the examples of the Horn clause paper that are about contracts. Where Frama-C is
//! installed it has to prove all of them.

mod support;

use std::process::Command;

use expect_test::{Expect, expect};
use support::Sandbox;

/// Frama-C with its provers; where it is absent, tests say so and validate nothing.
fn frama_c() -> bool {
    let there = Command::new("frama-c").arg("-version").output().is_ok_and(|o| o.status.success());
    if !there {
        eprintln!("Frama-C is not installed: nothing is validated here");
    }
    there
}

/// What the flags print, and that Frama-C proves it.
#[track_caller]
fn check(text: &str, flags: &[&str], source: Expect, said: Expect) {
    let sandbox = Sandbox::new().file("a.c", text);
    let args = [&["contracts", "a.c"][..], flags].concat();
    let output = sandbox.run(&args);
    assert_eq!(output.code, 0, "{}", output.stderr);
    source.assert_eq(&output.stdout);
    said.assert_eq(&output.stderr);
    if frama_c() {
        let output = sandbox.run(&[&args[..], &["--validate", "frama-c"]].concat());
        assert_eq!(output.code, 0, "{}\n{}", output.stderr, output.stdout);
        assert!(output.stderr.contains("frama-c: validated ("), "{}", output.stderr);
    }
}

/// Figure 6.2.
const ABS: &str = "\
int abs(int k) {
    if (k < 0) {
        return -k;
    } else {
        return k;
    }
}
int main() {
    int n;
    if (n > 0) {
        abs(n);
    }
}
";

/// Figure 6.4, with what `abs` ensures there. The contracts exclude the overflow in `-k`.
#[test]
fn figure_6_4() {
    for initial in ["all-assumes", "param-assumes"] {
        let flags = ["--from", "arg", "--initial", initial, "--property", "no-overflow"];
        check(ABS, &flags, expect![[r#""#]], expect![[r#""#]]);
    }
}

/// Values of variables know nothing of a number that is only positive.
#[test]
fn figure_6_4_with_values() {
    for initial in ["all-assumes", "param-assumes", "all-vars"] {
        let flags = ["--from", "arg", "--domain", "explicit", "--initial", initial];
        check(ABS, &flags, expect![[r#""#]], expect![[r#""#]]);
    }
}

/// Two preconditions are a disjunction, and behaviours that assume them. The thesis' text would
/// demand both at once.
#[test]
fn two_ways_to_call() {
    let text = "\
extern int __VERIFIER_nondet_int(void);
int sign(int x) {
    if (x > 0) return 1;
    if (x < 0) return -1;
    return 0;
}
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n > 0) return sign(n);
    if (n < 0) return sign(n);
    return 0;
}
";
    check(text, &["--from", "arg"], expect![[r#""#]], expect![[r#""#]]);
}

/// What is called with values has a behaviour for each of them.
#[test]
fn values_and_a_global() {
    let text = "\
extern void reach_error(void);
int level = 5;
void up(int by) { level = level + by; }
int main(void) {
    up(1);
    up(2);
    if (level != 8) reach_error();
    return 0;
}
";
    let flags = ["--from", "arg", "--initial", "all-vars"];
    check(text, &flags, expect![[r#""#]], expect![[r#""#]]);
    check(text, &["--from", "arg"], expect![[r#""#]], expect![[r#""#]]);
}

/// Errors are ignored: contracts of a program that is not safe.
#[test]
fn errors_do_not_matter() {
    let text = "\
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int half(int x) { if (x < 0) reach_error(); return x / 2; }
int unused(int x) { return half(x); }
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 10) half(n);
    return 0;
}
";
    check(text, &["--from", "arg"], expect![[r#""#]], expect![[r#""#]]);
}

/// Counterexamples teach what the property needs.
#[test]
fn refined_first() {
    let text = "\
extern void reach_error(void);
int step(int x) { return x + 1; }
int main(void) {
    int i = 0;
    while (i < 9) i = step(i);
    if (i > 9) reach_error();
    return 0;
}
";
    check(text, &["--from", "arg"], expect![[r#""#]], expect![[r#""#]]);
    let flags = ["--from", "arg", "--refine-first", "9"];
    check(text, &flags, expect![[r#""#]], expect![[r#""#]]);
}

/// Example 6 of the Horn clause paper.
#[test]
fn example_6() {
    let text = "\
extern void reach_error(void);
extern int nondet(void);
int f(int a) {
    int z;
    if (a > 0) { z = f(a - 1); return z + 1; }
    return 0;
}
int main(void) {
    int x = nondet();
    if (x >= 0) {
        int y = f(x);
        if (y != x) reach_error();
    }
    return 0;
}
";
    check(text, &[], expect![[r#""#]], expect![[r#""#]]);
    check(text, &["--from", "arg"], expect![[r#""#]], expect![[r#""#]]);
}

/// McCarthy 91 with a harness (Horn clause paper, listing 1.1 and section 5.2).
fn mc91(harness: &str) -> String {
    format!(
        "\
extern void reach_error(void);
extern int nondet(void);
int mc91(int n) {{
    if (n > 100) {{
        return n - 10;
    }} else {{
        return mc91(mc91(n + 11));
    }}
}}
int main(void) {{
    int x = nondet();
    int res = mc91(x);
    if (!({harness})) reach_error();
    return 0;
}}
"
    )
}

#[test]
fn mccarthy_91_under_three_harnesses() {
    check(
        &mc91("(x != 8 || res == 91) && (x <= 102 || res == x - 10)"),
        &[],
        expect![[r#""#]],
        expect![[r#""#]],
    );
    check(&mc91("res > 0"), &[], expect![[r#""#]], expect![[r#""#]]);
    check(&mc91("res == 91 || res == x - 10"), &[], expect![[r#""#]], expect![[r#""#]]);
}

#[test]
fn mccarthy_91_as_it_is_called() {
    check(&mc91("res > 0"), &["--from", "arg"], expect![[r#""#]], expect![[r#""#]]);
}

/// Listing 5.3, called in the three ways whose contracts listing 5.4 merges by hand.
#[test]
fn cmp_as_it_is_called() {
    let text = "\
extern int nondet(void);
int cmp(int a, int b) {
    int c = a;
    if (c < b) {
        return -1;
    } else {
        if (c > b) {
            return 1;
        }
        return 0;
    }
}
int main(void) {
    int x = nondet(), y = nondet();
    if (x == y) return cmp(x, y);
    if (x < y) return cmp(x, y);
    return cmp(x, y);
}
";
    check(text, &["--from", "arg"], expect![[r#""#]], expect![[r#""#]]);
}

#[test]
fn bad_usage() {
    let sandbox = Sandbox::new().file("a.c", ABS);
    for (flags, said) in [
        (&["--refine-first", "3"][..], "Add `--from arg`."),
        (
            &["--from", "arg", "--domain", "product"],
            "Use `--domain explicit` or `--domain predicate`.",
        ),
        (
            &["--from", "arg", "--domain", "predicate", "--initial", "all-vars"],
            "Use `--domain explicit`, or another `--initial`.",
        ),
        (&["--from", "arg", "--refine-first", "x"], "invalid value"),
    ] {
        let output = sandbox.run(&[&["contracts", "a.c"], flags].concat());
        assert_eq!((output.code, output.stdout.as_str()), (3, ""), "{flags:?}");
        assert!(output.stderr.contains(said), "{flags:?}: {}", output.stderr);
    }
}

/// Where there is no end to explore, there are no contracts.
#[test]
fn a_limit_is_reached() {
    let sandbox = Sandbox::new().file("a.c", ABS);
    let output = sandbox.run(&["contracts", "--from", "arg", "--timeout", "0", "a.c"]);
    assert_eq!((output.code, output.stdout.as_str()), (2, ""));
    assert!(output.stderr.contains("contexts: unknown: the time limit"), "{}", output.stderr);
}
