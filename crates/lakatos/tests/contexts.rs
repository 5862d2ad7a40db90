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

/// What the flags print.
#[track_caller]
fn check(text: &str, flags: &[&str], source: Expect, said: Expect) {
    let args = [&["contracts", "a.c"][..], flags].concat();
    let output = Sandbox::new().file("a.c", text).run(&args);
    assert_eq!(output.code, 0, "{}", output.stderr);
    source.assert_eq(&output.stdout);
    said.assert_eq(&output.stderr);
}

/// What the flags print, and that Frama-C proves it.
#[track_caller]
fn validated(text: &str, flags: &[&str], source: Expect, said: Expect) {
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
    let flags = ["--from", "arg", "--property", "no-overflow"];
    let rte = [&flags[..], &["--initial", "param-assumes", "--validate", "frama-c-rte"]].concat();
    let sandbox = Sandbox::new().file("a.c", ABS);
    let printed = sandbox.run(&[&["contracts", "a.c"], &flags[..]].concat());
    if frama_c() {
        let output = sandbox.run(&[&["contracts", "a.c"], &rte[..]].concat());
        assert_eq!((output.code, &output.stdout), (0, &printed.stdout), "{}", output.stderr);
        assert!(output.stderr.contains("frama-c-rte: validated ("), "{}", output.stderr);
    }
    check(
        ABS,
        &flags,
        expect![[r#"
        /*@ requires k >= 0;
            assigns \nothing;
            ensures k == \result;
        */
        int abs(int k) {
            if (k < 0) {
                return -k;
            } else {
                return k;
            }
        }
        /*@ assigns \nothing;
            ensures \result == 0;
        */
        int main() {
            int n;
            if (n > 0) {
                abs(n);
            }
        }
    "#]],
        expect![[r#"
        contexts: checked
          assuming: no signed overflow: a path ends where one happens (check it with `--property no-overflow`)
        no-overflow: proved by these contracts
    "#]],
    );
}

/// Values of variables know nothing of a number that is only positive.
#[test]
fn figure_6_4_with_values() {
    let sandbox = Sandbox::new().file("a.c", ABS);
    for initial in ["all-assumes", "param-assumes", "all-vars"] {
        let args = ["contracts", "a.c", "--from", "arg", "--domain", "explicit"];
        let output = sandbox.run(&[&args[..], &["--initial", initial]].concat());
        assert_eq!(output.code, 0, "{}", output.stderr);
        assert!(output.stdout.starts_with("/*@ assigns \\nothing; */\nint abs"), "{initial}");
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
    validated(
        text,
        &["--from", "arg"],
        expect![[r#"
        /*@ assigns \nothing; */
        extern int __VERIFIER_nondet_int(void);
        /*@ requires x >= 1 || x <= -1;
            assigns \nothing;
            behavior context_1:
              assumes x >= 1;
              ensures \result == 1;
            behavior context_2:
              assumes x <= -1;
              ensures \result == -1;
            complete behaviors;
            disjoint behaviors;
        */
        int sign(int x) {
            if (x > 0) return 1;
            if (x < 0) return -1;
            return 0;
        }
        /*@ assigns \nothing; */
        int main(void) {
            int n = __VERIFIER_nondet_int();
            if (n > 0) return sign(n);
            if (n < 0) return sign(n);
            return 0;
        }
    "#]],
        expect![[r#"
        contexts: checked
        unreach-call: proved by these contracts
    "#]],
    );
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
    validated(
        text,
        &flags,
        expect![[r#"
        /*@ requires \false;
            assigns \nothing;
        */
        extern void reach_error(void);
        int level = 5;
        /*@ requires (level == 5 && by == 1) || (level == 6 && by == 2);
            assigns level;
            behavior context_1:
              assumes level == 5;
              assumes by == 1;
              ensures level == 6;
            behavior context_2:
              assumes level == 6;
              assumes by == 2;
              ensures level == 8;
            complete behaviors;
            disjoint behaviors;
        */
        void up(int by) { level = level + by; }
        /*@ requires level == 5;
            assigns level;
            ensures level == 8;
            ensures \result == 0;
        */
        int main(void) {
            up(1);
            up(2);
            if (level != 8) reach_error();
            return 0;
        }
    "#]],
        expect![[r#"
        contexts: checked
          assuming: no signed overflow: a path ends where one happens (check it with `--property no-overflow`)
        unreach-call: proved by these contracts
    "#]],
    );
    check(
        text,
        &["--from", "arg"],
        expect![[r#"
        /*@ assigns \nothing;
            ensures \false;
        */
        extern void reach_error(void);
        int level = 5;
        /*@ assigns level;
            ensures level == by + \old(level);
        */
        void up(int by) { level = level + by; }
        /*@ assigns level;
            ensures \result == 0;
            ensures level == 8;
        */
        int main(void) {
            up(1);
            up(2);
            if (level != 8) reach_error();
            return 0;
        }
    "#]],
        expect![[r#"
        contexts: checked
          assuming: no signed overflow: a path ends where one happens (check it with `--property no-overflow`)
        unreach-call: not shown by these contracts
    "#]],
    );
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
    validated(
        text,
        &["--from", "arg"],
        expect![[r#"
        /*@ assigns \nothing;
            ensures \false;
        */
        extern void reach_error(void);
        /*@ assigns \nothing; */
        extern int __VERIFIER_nondet_int(void);
        /*@ assigns \nothing;
            ensures x >= 0;
        */
        int half(int x) { if (x < 0) reach_error(); return x / 2; }
        /*@ requires \false;
            assigns \nothing;
        */
        int unused(int x) { return half(x); }
        /*@ assigns \nothing;
            ensures \result == 0;
        */
        int main(void) {
            int n = __VERIFIER_nondet_int();
            if (n < 10) half(n);
            return 0;
        }
    "#]],
        expect![[r#"
        contexts: checked
        unreach-call: not shown by these contracts
        note: `unused` is never called, so nothing fulfils what it requires
    "#]],
    );
}

/// Counterexamples teach what the property needs.
#[test]
fn refined_first() {
    let flags = ["--from", "arg", "--refine-first", "20"];
    let text = mc91("x > 101 || res == 91");
    validated(
        &text,
        &flags,
        expect![[r#"
        /*@ requires \false;
            assigns \nothing;
        */
        extern void reach_error(void);
        /*@ assigns \nothing; */
        extern int nondet(void);
        /*@ decreases 100 - n;
            assigns \nothing;
            ensures (n >= 101 && n == \result + 10) || (n <= 100 && \result == 91);
        */
        int mc91(int n) {
            if (n > 100) {
                return n - 10;
            } else {
                return mc91(mc91(n + 11));
            }
        }
        /*@ assigns \nothing;
            ensures \result == 0;
        */
        int main(void) {
            int x = nondet();
            int res = mc91(x);
            if (!(x > 101 || res == 91)) reach_error();
            return 0;
        }
    "#]],
        expect![[r#"
            warning: `nondet` is declared but not defined: its result is any value, and it may change everything that other files can reach
             --> a.c:2:12
              |
            2 | extern int nondet(void);
              |            ^^^^^^
            contexts: checked
              assuming: no signed overflow: a path ends where one happens (check it with `--property no-overflow`)
              assuming: `nondet`, which is not defined, returns, does not violate the property, and calls no function of this file by name
            unreach-call: proved by these contracts
        "#]],
    );
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
    validated(
        text,
        &[],
        expect![[r#"
        /*@ requires \false;
            assigns \nothing;
        */
        extern void reach_error(void);
        /*@ assigns \nothing; */
        extern int nondet(void);
        /*@ decreases a;
            assigns \nothing;
            ensures a <= \result;
            ensures \result <= 0 || \result <= a;
        */
        int f(int a) {
            int z;
            if (a > 0) { z = f(a - 1); return z + 1; }
            return 0;
        }
        /*@ assigns \nothing; */
        int main(void) {
            int x = nondet();
            if (x >= 0) {
                int y = f(x);
                if (y != x) reach_error();
            }
            return 0;
        }
    "#]],
        expect![[r#"
            warning: `nondet` is declared but not defined: its result is any value, and it may change everything that other files can reach
             --> a.c:2:12
              |
            2 | extern int nondet(void);
              |            ^^^^^^
            unreach-call: proved
              assuming: no signed overflow: a path ends where one happens (check it with `--property no-overflow`)
              assuming: `nondet`, which is not defined, returns, does not violate the property, and calls no function of this file by name
        "#]],
    );
    check(
        text,
        &["--from", "arg"],
        expect![[r#"
        /*@ assigns \nothing;
            ensures \false;
        */
        extern void reach_error(void);
        /*@ assigns \nothing; */
        extern int nondet(void);
        /*@ decreases a;
            assigns \nothing;
            ensures \result == 0 || a >= 1;
        */
        int f(int a) {
            int z;
            if (a > 0) { z = f(a - 1); return z + 1; }
            return 0;
        }
        /*@ assigns \nothing;
            ensures \result == 0;
        */
        int main(void) {
            int x = nondet();
            if (x >= 0) {
                int y = f(x);
                if (y != x) reach_error();
            }
            return 0;
        }
    "#]],
        expect![[r#"
            warning: `nondet` is declared but not defined: its result is any value, and it may change everything that other files can reach
             --> a.c:2:12
              |
            2 | extern int nondet(void);
              |            ^^^^^^
            contexts: checked
              assuming: no signed overflow: a path ends where one happens (check it with `--property no-overflow`)
              assuming: `nondet`, which is not defined, returns, does not violate the property, and calls no function of this file by name
            unreach-call: not shown by these contracts
        "#]],
    );
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
        expect![[r#"
            /*@ requires \false;
                assigns \nothing;
            */
            extern void reach_error(void);
            /*@ assigns \nothing; */
            extern int nondet(void);
            /*@ decreases 100 - n;
                assigns \nothing;
                ensures \result >= 91;
                ensures n <= \result + 10;
                ensures n <= 100 || \result + 10 <= n;
                ensures \result <= 91 || n >= 101;
            */
            int mc91(int n) {
                if (n > 100) {
                    return n - 10;
                } else {
                    return mc91(mc91(n + 11));
                }
            }
            /*@ assigns \nothing; */
            int main(void) {
                int x = nondet();
                int res = mc91(x);
                if (!((x != 8 || res == 91) && (x <= 102 || res == x - 10))) reach_error();
                return 0;
            }
        "#]],
        expect![[r#"
            warning: `nondet` is declared but not defined: its result is any value, and it may change everything that other files can reach
             --> a.c:2:12
              |
            2 | extern int nondet(void);
              |            ^^^^^^
            unreach-call: proved
              assuming: no signed overflow: a path ends where one happens (check it with `--property no-overflow`)
              assuming: `nondet`, which is not defined, returns, does not violate the property, and calls no function of this file by name
        "#]],
    );
    check(
        &mc91("res > 0"),
        &[],
        expect![[r#"
            /*@ requires \false;
                assigns \nothing;
            */
            extern void reach_error(void);
            /*@ assigns \nothing; */
            extern int nondet(void);
            /*@ assigns \nothing;
                ensures \result >= 1;
            */
            int mc91(int n) {
                if (n > 100) {
                    return n - 10;
                } else {
                    return mc91(mc91(n + 11));
                }
            }
            /*@ assigns \nothing; */
            int main(void) {
                int x = nondet();
                int res = mc91(x);
                if (!(res > 0)) reach_error();
                return 0;
            }
        "#]],
        expect![[r#"
            warning: `nondet` is declared but not defined: its result is any value, and it may change everything that other files can reach
             --> a.c:2:12
              |
            2 | extern int nondet(void);
              |            ^^^^^^
            unreach-call: proved
              assuming: no signed overflow: a path ends where one happens (check it with `--property no-overflow`)
              assuming: `nondet`, which is not defined, returns, does not violate the property, and calls no function of this file by name
        "#]],
    );
    check(
        &mc91("res == 91 || res == x - 10"),
        &[],
        expect![[r#"
        /*@ requires \false;
            assigns \nothing;
        */
        extern void reach_error(void);
        /*@ assigns \nothing; */
        extern int nondet(void);
        /*@ decreases 100 - n;
            assigns \nothing;
            ensures \result >= 91;
            ensures n <= \result + 10;
            ensures \result <= 91 || \result + 10 <= n;
        */
        int mc91(int n) {
            if (n > 100) {
                return n - 10;
            } else {
                return mc91(mc91(n + 11));
            }
        }
        /*@ assigns \nothing; */
        int main(void) {
            int x = nondet();
            int res = mc91(x);
            if (!(res == 91 || res == x - 10)) reach_error();
            return 0;
        }
    "#]],
        expect![[r#"
            warning: `nondet` is declared but not defined: its result is any value, and it may change everything that other files can reach
             --> a.c:2:12
              |
            2 | extern int nondet(void);
              |            ^^^^^^
            unreach-call: proved
              assuming: no signed overflow: a path ends where one happens (check it with `--property no-overflow`)
              assuming: `nondet`, which is not defined, returns, does not violate the property, and calls no function of this file by name
        "#]],
    );
}

#[test]
fn mccarthy_91_as_it_is_called() {
    validated(
        &mc91("res > 0"),
        &["--from", "arg"],
        expect![[r#"
        /*@ assigns \nothing;
            ensures \false;
        */
        extern void reach_error(void);
        /*@ assigns \nothing; */
        extern int nondet(void);
        /*@ assigns \nothing;
            ensures n == \result + 10 || n <= 100;
        */
        int mc91(int n) {
            if (n > 100) {
                return n - 10;
            } else {
                return mc91(mc91(n + 11));
            }
        }
        /*@ assigns \nothing;
            ensures \result == 0;
        */
        int main(void) {
            int x = nondet();
            int res = mc91(x);
            if (!(res > 0)) reach_error();
            return 0;
        }
    "#]],
        expect![[r#"
            warning: `nondet` is declared but not defined: its result is any value, and it may change everything that other files can reach
             --> a.c:2:12
              |
            2 | extern int nondet(void);
              |            ^^^^^^
            contexts: checked
              assuming: no signed overflow: a path ends where one happens (check it with `--property no-overflow`)
              assuming: `nondet`, which is not defined, returns, does not violate the property, and calls no function of this file by name
            unreach-call: not shown by these contracts
        "#]],
    );
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
    validated(
        text,
        &["--from", "arg"],
        expect![[r#"
        /*@ assigns \nothing; */
        extern int nondet(void);
        /*@ assigns \nothing;
            ensures -1 <= \result && \result <= 1;
        */
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
        /*@ assigns \nothing; */
        int main(void) {
            int x = nondet(), y = nondet();
            if (x == y) return cmp(x, y);
            if (x < y) return cmp(x, y);
            return cmp(x, y);
        }
    "#]],
        expect![[r#"
            warning: `nondet` is declared but not defined: its result is any value, and it may change everything that other files can reach
             --> a.c:1:12
              |
            1 | extern int nondet(void);
              |            ^^^^^^
            contexts: checked
              assuming: `nondet`, which is not defined, returns, does not violate the property, and calls no function of this file by name
            unreach-call: proved by these contracts
        "#]],
    );
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
