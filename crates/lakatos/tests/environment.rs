//! Flags about the world outside of the program, as a user sees them.

mod support;

use support::{Output, Sandbox};

const REGISTER: &str = "extern void reach_error(void);
volatile int reg = 1;
int main(void) {
    if (reg != 1) reach_error();
    return 0;
}
";

const TASK: &str = "format_version: '2.0'
input_files: 'a.c'
properties:
  - property_file: p.prp
    expected_verdict: true
options:
  language: C
  data_model: LP64
";

const PROPERTY: &str = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";

const ALLOCATES: &str = "extern void *malloc(unsigned long);
extern void reach_error(void);
int main(void) {
    if (!malloc(1)) reach_error();
    return 0;
}
";

fn verify(sandbox: &Sandbox, args: &[&str]) -> Output {
    sandbox.run(&[&["verify"], args].concat())
}

/// Volatile objects change by themselves, but not in tasks of SV-COMP.
#[test]
fn what_selects_the_meaning_of_volatile() {
    let alone = Sandbox::new().file("a.c", REGISTER);
    let tasks = Sandbox::new().file("a.c", REGISTER).file("a.yml", TASK).file("p.prp", PROPERTY);
    let assumed = "volatile memory behaves like ordinary memory";
    for (sandbox, args, is_memory) in [
        (&alone, &["a.c"] as &[&str], false),
        (&alone, &["--volatile", "any", "a.c"], false),
        (&alone, &["--volatile", "memory", "a.c"], true),
        (&tasks, &["a.c"], true),
        (&tasks, &["a.yml"], true),
        (&tasks, &["--data-model", "lp64", "a.c"], true),
        (&tasks, &["--volatile", "any", "a.c"], false),
        (&tasks, &["--volatile", "any", "a.yml"], false),
    ] {
        let output = verify(sandbox, args);
        assert_eq!(output.code, if is_memory { 0 } else { 1 }, "{args:?}: {output:?}");
        assert_eq!(output.stdout.contains(assumed), is_memory, "{args:?}: {output:?}");
        assert_eq!(output.stderr.contains("--volatile memory"), is_memory, "{args:?}: {output:?}");
    }
    for (args, said) in [
        (&["--svcomp", "a.c"] as &[&str], "true\n"),
        (&["--svcomp", "--volatile", "any", "a.c"], "false(unreach-call)\n"),
    ] {
        assert_eq!(verify(&alone, args).stdout, said, "{args:?}");
    }
}

#[test]
fn what_is_no_address_range() {
    let sandbox = Sandbox::new().file("a.c", REGISTER);
    for (range, said) in [
        ("0x1000", "not of the form START:SIZE"),
        ("0x1000:0", "a range of 0 bytes"),
        ("0:16", "null pointer"),
        ("one:16", "the start is not a number"),
        ("16:-1", "the size is not a number"),
        ("0xffffffffffffffff:2", "beyond the last address"),
    ] {
        let output = verify(&sandbox, &["--mmio", range, "a.c"]);
        assert_eq!(output.code, 3, "{range}: {output:?}");
        assert!(output.stderr.contains(said), "{range}: {output:?}");
    }
}

#[test]
fn allocations_that_may_fail() {
    let sandbox = Sandbox::new().file("a.c", ALLOCATES);
    let output = verify(&sandbox, &["a.c"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(output.stdout.contains("check it with `--malloc may-fail`"), "{output:?}");
    let output = verify(&sandbox, &["--malloc", "may-fail", "a.c"]);
    assert_eq!(output.code, 1, "{output:?}");
    assert!(output.stdout.contains("the failure of malloc #1 at a.c:4:10 was"), "{output:?}");
}

/// A compiled program does not read what a device gives, and its allocations succeed.
#[test]
fn what_cannot_be_executed_is_not_confirmed() {
    let sandbox = Sandbox::new().file("a.c", REGISTER).file("b.c", ALLOCATES);
    for (args, said) in [
        (&["--execute", "a.c"] as &[&str], "`reg` is volatile"),
        (&["--execute", "--malloc", "may-fail", "b.c"], "`malloc` fails"),
    ] {
        let output = verify(&sandbox, args);
        assert_eq!(output.code, 1, "{args:?}: {output:?}");
        let all = output.stdout.clone() + &output.stderr;
        assert!(!all.contains(", confirmed by execution") && all.contains(said), "{output:?}");
    }
}
