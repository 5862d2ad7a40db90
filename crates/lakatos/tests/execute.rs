//! `verify --harness` and `verify --execute`, as a user sees them.

mod support;

use std::process::Command;

use support::{Output, Sandbox};

const GUESS: &str = "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x == 41) reach_error();
    return 1000 / (x - 42);
}
";

/// The lines about properties.
fn verdicts(output: &Output) -> Vec<&str> {
    let is_verdict = |line: &&str| line.contains(": refuted: ") || line.contains(": proof");
    output.stdout.lines().filter(is_verdict).collect()
}

fn has_compiler() -> bool {
    let found = Command::new("cc").arg("--version").output().is_ok();
    if !found {
        eprintln!("skipped: there is no C compiler");
    }
    found
}

#[test]
fn a_refutation_is_confirmed() {
    if !has_compiler() {
        return;
    }
    let sandbox = Sandbox::new().file("a.c", GUESS);
    for model in ["ilp32", "lp64"] {
        let output = sandbox.run(&["verify", "--execute", "--data-model", model, "a.c"]);
        let expected =
            "unreach-call: refuted: `reach_error` is called at a.c:5:18, confirmed by execution";
        assert_eq!(verdicts(&output), [expected], "{output:?}");
        assert_eq!((output.code, output.stderr.as_str()), (1, ""));
    }
}

/// The file says how to compile it, and does what it says.
#[test]
fn a_harness_for_each_property() {
    let sandbox = Sandbox::new().file("a.c", GUESS);
    let properties = ["--property", "unreach-call", "--property", "div-by-zero"];
    let flags = [&["verify", "--harness", "out.c"], &properties[..], &["a.c"]].concat();
    let output = sandbox.run(&flags);
    assert_eq!((verdicts(&output).len(), output.code), (2, 1), "{output:?}");
    assert!(!sandbox.path("out.c").exists());
    if !has_compiler() {
        return;
    }
    for (name, said) in [
        ("out.unreach-call", "lakatos: violation: `reach_error` is called at a.c:5:18\n"),
        ("out.div-by-zero", "lakatos: division by zero at a.c:6\n"),
    ] {
        let file = sandbox.path(&format!("{name}.c"));
        let text = std::fs::read_to_string(&file).expect("it is written");
        let command = text
            .lines()
            .skip_while(|line| line.trim() != "Compile and run:")
            .skip(1)
            .map(|line| line.trim().replace("harness", name))
            .take_while(|line| !line.starts_with("It prints"))
            .collect::<Vec<_>>()
            .join("\n");
        let mut shell = Command::new("sh");
        shell.args(["-c", &command]).current_dir(sandbox.path("."));
        let output = shell.output().expect("a shell");
        assert_eq!(String::from_utf8_lossy(&output.stderr), said, "{command}");
        assert_eq!(output.stdout, b"99\n", "{command}");
    }
}

#[test]
fn what_is_proved_has_no_harness() {
    let text = "int main(void) { return 0; }";
    let sandbox = Sandbox::new().file("a.c", text);
    let output = sandbox.run(&["verify", "--execute", "--harness", "out.c", "a.c"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(!sandbox.path("out.c").exists());
}

/// GCC evaluates `--x` first, which C allows: the refutation stands, and what happened is said.
#[test]
fn a_contradiction_is_told() {
    if !has_compiler() {
        return;
    }
    let text = "extern void reach_error(void);
        int main(void) { int x = 2; if (x <= --x) return 0; reach_error(); return 0; }";
    let output = Sandbox::new().file("a.c", text).run(&["verify", "--execute", "a.c"]);
    assert_eq!(output.code, 1, "{output:?}");
    if output.stdout.contains(", confirmed by execution") {
        eprintln!("skipped: this compiler evaluates from left to right");
        return;
    }
    let expected = "unreach-call: refuted: `reach_error` is called at a.c:2:61, not confirmed but \
                    contradicted by execution: the program ends without a violation";
    assert_eq!(verdicts(&output), [expected]);
    assert!(output.stderr.contains("the order in which operands"), "{output:?}");
}

#[test]
fn without_a_compiler_the_verdict_stays() {
    let sandbox = Sandbox::new().file("a.c", GUESS).env("CC", "no-such-compiler");
    let output = sandbox.run(&["verify", "--execute", "a.c"]);
    let expected = "unreach-call: refuted: `reach_error` is called at a.c:5:18, not confirmed by \
                    execution: the C compiler `no-such-compiler` cannot be run: No such file or \
                    directory (os error 2)";
    assert_eq!(verdicts(&output), [expected]);
    assert_eq!((output.code, output.stderr.as_str()), (1, ""));
}
