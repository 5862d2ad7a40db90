//! `lakatos contracts`: what it writes, says and ends with, and what Frama-C makes of it.

mod support;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use expect_test::expect;
use support::{Sandbox, run_in};

const COUNT: &str = "\
extern void reach_error(void);
int main(void) {
  int i = 0;
  while (i < 9) i++;
  if (i != 9) reach_error();
  return 0;
}
";

#[test]
fn the_annotated_source_is_printed() {
    Sandbox::new().file("a.c", COUNT).check(&["contracts", "a.c"], 0, expect![[r#"
        /*@ requires \false;
            assigns \nothing;
        */
        extern void reach_error(void);
        /*@ assigns \nothing; */
        int main(void) {
          int i = 0;
          /*@ loop invariant i <= 9;
              loop assigns i;
              loop variant 9 - i;
          */
          while (i < 9) i++;
          if (i != 9) reach_error();
          return 0;
        }
    "#]], expect![[r#"
        unreach-call: proved
          assuming: no signed overflow: a path ends where one happens (check it with `--property no-overflow`)
    "#]]);
}

#[test]
fn a_diff() {
    let sandbox = Sandbox::new().file("a.c", COUNT);
    sandbox.check(&["contracts", "--diff", "a.c"], 0, expect![[r#"
        --- a.c
        +++ a.c
        @@ -1,6 +1,14 @@
        +/*@ requires \false;
        +    assigns \nothing;
        +*/
         extern void reach_error(void);
        +/*@ assigns \nothing; */
         int main(void) {
           int i = 0;
        +  /*@ loop invariant i <= 9;
        +      loop assigns i;
        +      loop variant 9 - i;
        +  */
           while (i < 9) i++;
           if (i != 9) reach_error();
           return 0;
    "#]], expect![[r#"
        unreach-call: proved
          assuming: no signed overflow: a path ends where one happens (check it with `--property no-overflow`)
    "#]]);
}

#[test]
fn files_are_written() {
    let sandbox = Sandbox::new().file("a.c", COUNT);
    let printed = sandbox.run(&["contracts", "a.c"]).stdout;
    let output = sandbox.run(&["contracts", "a.c", "-o", "b.c"]);
    assert_eq!((output.code, output.stdout.as_str()), (0, ""));
    assert_eq!(fs::read_to_string(sandbox.path("b.c")).unwrap(), printed);
    assert_eq!(fs::read_to_string(sandbox.path("a.c")).unwrap(), COUNT);
    let output = sandbox.run(&["contracts", "--in-place", "a.c"]);
    assert_eq!((output.code, output.stdout.as_str()), (0, ""));
    assert_eq!(fs::read_to_string(sandbox.path("a.c")).unwrap(), printed);
    // What is complete stays as it is.
    let output = sandbox.run(&["contracts", "a.c"]);
    assert_eq!((output.code, output.stdout), (0, printed));
    assert!(output.stderr.contains("annotations: proved (2 clauses)"), "{}", output.stderr);
}

#[test]
fn json_names_the_file_and_its_hash() {
    let sandbox = Sandbox::new().file("a.c", COUNT);
    let output = sandbox.run(&["contracts", "--json", "a.c"]);
    assert_eq!(output.code, 0);
    let json: serde_json::Value = serde_json::from_str(&output.stdout).unwrap();
    assert_eq!(json["schema"], "lakatos-contracts/1");
    assert_eq!(json["program"]["file"], "a.c");
    assert_eq!(json["program"]["sha256"].as_str().unwrap().len(), 64);
    assert_eq!(json["functions"][0]["name"], "main");
    assert_eq!(json["functions"][0]["loops"][0]["line"], 4);
}

#[test]
fn directives_stay_in_the_file() {
    let text = format!("#define NINE 9\n{}", COUNT.replace("i < 9", "i < NINE"));
    let sandbox = Sandbox::new().file("a.c", &text);
    let output = sandbox.run(&["contracts", "a.c"]);
    assert_eq!(output.code, 0, "{}", output.stderr);
    let kept: Vec<&str> = output.stdout.lines().filter(|line| text.contains(line)).collect();
    assert_eq!(kept.join("\n") + "\n", text);
    assert!(output.stdout.contains("  while (i < NINE) i++;"), "{}", output.stdout);
    assert!(output.stdout.contains("loop assigns i;"), "{}", output.stdout);
}

/// Nothing is written where there is no proof.
#[test]
fn without_a_proof() {
    let sandbox = Sandbox::new().file("bad.c", COUNT.replace("i != 9", "i == 9")).file(
        "hard.c",
        "extern void reach_error(void); int a, b; int main(int n) { int *p = n ? &a : &b; \
                         if (*p != 0) reach_error(); return 0; }\n",
    );
    let output = sandbox.run(&["contracts", "bad.c"]);
    assert_eq!((output.code, output.stdout.as_str()), (1, ""));
    assert!(output.stderr.contains("unreach-call: refuted"), "{}", output.stderr);
    let output = sandbox.run(&["contracts", "hard.c"]);
    assert_eq!((output.code, output.stdout.as_str()), (2, ""));
    assert!(output.stderr.contains("unreach-call: unknown"), "{}", output.stderr);
}

#[test]
fn bad_input() {
    let sandbox = Sandbox::new()
        .file("a.c", COUNT)
        .file("latin.c", [b"// caf\xe9\n", COUNT.as_bytes()].concat())
        .stdin(COUNT);
    for (args, said) in [
        (&["contracts", "-"][..], "Give the program as a file."),
        (&["contracts", "latin.c"], "latin.c:1:7: the text is not UTF-8 here"),
        (&["contracts", "none.c"], "there is no such file"),
        (&["contracts", "--in-place", "-o", "b.c", "a.c"], "cannot be used with"),
        (&["contracts", "--diff", "--json", "a.c"], "cannot be used with"),
        (&["contracts", "--validate", "magic", "a.c"], "invalid value"),
        (&["contracts", "--wp-timeout", "0", "a.c"], "invalid value"),
    ] {
        let output = sandbox.run(args);
        assert_eq!((output.code, output.stdout.as_str()), (3, ""), "{args:?}");
        assert!(output.stderr.contains(said), "{args:?}: {}", output.stderr);
    }
}

/// Runs with a `frama-c` that does what a script says.
fn with_fake(script: &str, args: &[&str]) -> support::Output {
    let sandbox = Sandbox::new().file("a.c", COUNT).dir("bin");
    let path = sandbox.path("bin/frama-c");
    fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    let paths = format!("{}:/usr/bin:/bin", sandbox.path("bin").display());
    run_in(&sandbox.path("."), args, &[("PATH", &paths)], &[])
}

#[test]
fn frama_c_is_not_there() {
    let sandbox = Sandbox::new().file("a.c", COUNT).env("PATH", "/nowhere");
    let output = sandbox.run(&["contracts", "--validate", "frama-c", "a.c"]);
    assert_eq!((output.code, output.stdout.as_str()), (3, ""));
    let install = "apt-get install --no-install-recommends frama-c-base why3 z3 cvc4";
    assert!(output.stderr.contains(install), "{}", output.stderr);
}

/// A Frama-C that fails, says nothing, or does not end shows nothing.
#[test]
fn a_frama_c_that_shows_nothing() {
    let args = ["contracts", "--validate", "frama-c", "--validate-timeout", "1", "a.c"];
    let version = r#"[ "$1" = -version ] && exit 0"#;
    for (script, said) in [
        ("exit 0", "not validated: Frama-C has written no report"),
        ("echo '[kernel] User Error: syntax'; exit 1", "not validated: Frama-C failed\n  [kernel]"),
        ("sleep 60", "not validated: Frama-C reached the time limit"),
    ] {
        let output = with_fake(&format!("{version}\n{script}"), &args);
        assert_eq!(output.code, 2, "{}", output.stderr);
        assert!(output.stderr.contains(said), "{}", output.stderr);
        assert!(output.stdout.contains("loop assigns i;"), "{}", output.stdout);
    }
    let output = with_fake("exit 5", &args);
    assert_eq!(output.code, 3, "{}", output.stderr);
}

/// Frama-C with its provers; where it is absent, tests say so and pass.
fn frama_c() -> bool {
    let there = Command::new("frama-c").arg("-version").output().is_ok_and(|o| o.status.success());
    if !there {
        eprintln!("Frama-C is not installed: nothing is validated here");
    }
    there
}

#[test]
fn frama_c_proves_contracts() {
    if !frama_c() {
        return;
    }
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let args = ["contracts", "mccarthy91.c", "-o", "/dev/null", "--validate", "frama-c"];
    let output = run_in(&examples, &args, &[], &[]);
    assert_eq!(output.code, 0, "{}", output.stderr);
    assert!(output.stderr.contains("frama-c: validated ("), "{}", output.stderr);
    assert!(output.stderr.contains("\n  mc91: proved (3)"), "{}", output.stderr);
}

/// What two proofs say together is enough to exclude overflow, too.
const COPY: &str = "\
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int a[1000], b[1000];

void fill(void) {
    for (int i = 0; i < 1000; i++) a[i] = __VERIFIER_nondet_int();
}

void copy(void) {
    for (int i = 0; i < 1000; i++) b[i] = a[i];
}

int main(void) {
    fill();
    copy();
    for (int i = 0; i < 1000; i++) if (a[i] != b[i]) reach_error();
    return 0;
}
";

/// What is known of the element at any index is known of all.
#[test]
fn all_elements_of_arrays() {
    let sandbox = Sandbox::new().file("copy.c", COPY);
    let properties = ["--property", "unreach-call", "--property", "array-bounds"];
    let output = sandbox.run(&[&["contracts", "copy.c"][..], &properties].concat());
    assert_eq!(output.code, 0, "{}", output.stderr);
    let all = "ensures \\forall integer key; 0 <= key < 1000 ==> (b[key] == a[key]);";
    assert!(output.stdout.contains(all), "{}", output.stdout);
    if frama_c() {
        let validate = ["contracts", "copy.c", "--validate", "frama-c"];
        let output = sandbox.run(&[&validate[..], &properties].concat());
        assert_eq!(output.code, 0, "{}", output.stderr);
        assert!(output.stderr.contains("frama-c: validated"), "{}", output.stderr);
    }
}

/// What is said of memory that was asked for is said as the program writes it.
#[test]
fn fields_behind_pointers() {
    let program = "\
extern void reach_error(void);
void *malloc(unsigned long);
struct counter { int n; };
struct job { int limit; struct counter *done; };
int main(void) {
  struct job *job = malloc(sizeof(struct job));
  job->done = malloc(sizeof(struct counter));
  job->limit = 9;
  job->done->n = 0;
  while (job->done->n < job->limit) job->done->n++;
  if (job->done->n != 9) reach_error();
  return 0;
}
";
    let output = Sandbox::new().file("job.c", program).run(&["contracts", "job.c"]);
    for invariant in ["job->limit == 9", "job->done->n <= 9"] {
        let line = format!("loop invariant {invariant};\n");
        assert!(output.stdout.contains(&line), "{}", output.stdout);
    }
    assert_eq!(output.code, 0, "{}", output.stderr);
}

/// What functions change through pointers is what Frama-C finds that they change.
#[test]
fn frama_c_proves_what_changes() {
    let program = "\
extern void reach_error(void);
struct pair { int a, b; };
int table[8];
struct pair both;
void set(int *p, int v) { *p = v; }
void swap(struct pair *q) { int t = q->a; q->a = q->b; q->b = t; }
void first(int *a) { a[0] = 1; a[1] = 2; }
int main(void) {
  int x = 0, y = 0;
  for (int i = 0; i < 2; i++) set(&x, 1);
  swap(&both);
  first(table);
  while (y < 3) y++;
  if (y != 3) reach_error();
  return 0;
}
";
    let sandbox = Sandbox::new().file("set.c", program);
    let output = sandbox.run(&["contracts", "set.c"]);
    for line in [
        "/*@ assigns *p; */\nvoid set",
        "/*@ assigns q->a, q->b; */\nvoid swap",
        "/*@ assigns a[0 .. 7]; */\nvoid first",
        "/*@ assigns both, table[0 .. 7]; */\nint main",
        "loop assigns i, x;",
    ] {
        assert!(output.stdout.contains(line), "{line}: {}", output.stdout);
    }
    if frama_c() {
        let output = sandbox.run(&["contracts", "set.c", "--validate", "frama-c"]);
        assert_eq!(output.code, 0, "{}", output.stderr);
        assert!(output.stderr.contains("frama-c: validated"), "{}", output.stderr);
    }
}

/// What may be done with pointers, and how much of arrays is written, by the function's own words.
#[test]
fn frama_c_proves_what_is_valid() {
    let program = "\
extern void reach_error(void);
struct pair { int a; int b; };
void fill(int *a, int n, int v) {
    for (int i = 0; i < n; i++) a[i] = v;
}
int look(const int *a, int n) {
    int s = 0;
    for (int i = 0; i <= n; i++) s = a[i];
    return s;
}
void marks(struct pair *p, unsigned count) {
    for (unsigned k = 0; k < count; k++) p[k].b = 1;
}
void both(struct pair *q) { q->a = q->b; }
static const int fixed[2] = {1, 2};
int peek(int *p) { return *p; }
int main(void) {
    int a[10] = {0}, b[20] = {0};
    struct pair q[4] = {0};
    peek((int *)fixed);
    fill(a, 10, 1);
    fill(b, 20, 2);
    marks(q, 4);
    both(&q[1]);
    return look(b, 19);
}
";
    let sandbox = Sandbox::new().file("valid.c", program);
    let properties = ["--property", "valid-deref", "--property", "unreach-call"];
    let run =
        |more: &[&str]| sandbox.run(&[&["contracts", "valid.c"], &properties[..], more].concat());
    let output = run(&[]);
    for line in [
        "requires \\valid(a + (0 .. n - 1));",
        "    assigns a[0 .. n - 1];\n*/\nvoid fill",
        "loop assigns a[0 .. n - 1], i;",
        "requires \\valid_read(a + (0 .. n));",
        "requires \\valid(p + (0 .. count - 1));",
        "    assigns p[0 .. count - 1].b;\n*/\nvoid marks",
        "/*@ requires \\valid(q);\n    assigns q->a;\n*/\nvoid both",
        "loop invariant i >= 0;",
        // What is `const` must not be written, whatever the parameter's type.
        "/*@ requires \\valid_read(p);\n    assigns \\nothing;\n*/\nint peek",
    ] {
        assert!(output.stdout.contains(line), "{line}: {}", output.stdout);
    }
    if frama_c() {
        let output = run(&["--validate", "frama-c-rte"]);
        assert!(output.stderr.contains("frama-c-rte: validated"), "{}", output.stderr);
    }
}

/// A variable of the program that is called like an index.
#[test]
fn indices_have_names_of_their_own() {
    let program = COPY.replace("int a[1000], b[1000];", "int a[1000], b[1000], key;");
    let sandbox = Sandbox::new().file("copy.c", &program);
    let output = sandbox.run(&["contracts", "copy.c"]);
    let all = "\\forall integer key_; 0 <= key_ < 1000 ==> (b[key_] == a[key_]);";
    assert!(output.stdout.contains(all), "{}", output.stdout);
}

#[test]
fn frama_c_proves_contracts_with_rte() {
    if !frama_c() {
        return;
    }
    let sandbox = Sandbox::new().file("a.c", COUNT);
    let both = ["--property", "unreach-call", "--property", "no-overflow"];
    let args = [&["contracts", "a.c", "--validate", "frama-c-rte"][..], &both].concat();
    let output = sandbox.run(&args);
    assert_eq!(output.code, 0, "{}", output.stderr);
    assert!(output.stderr.contains("frama-c-rte: validated ("), "{}", output.stderr);
}

/// Undeclared functions, parameters without names, globals, code that is never executed, and an
/// assumption, in one program.
#[test]
fn frama_c_takes_old_programs() {
    if !frama_c() {
        return;
    }
    let text = "\
extern void __VERIFIER_assume(int);
int level = 1;
void check(int c) { if (!c) { ERROR: { reach_error(); abort(); } } }
int id(x) int x; { while (1) { level = 2; break; } return x; }
int main() {
    unsigned u = __VERIFIER_nondet_uint(), v = u;
    _Bool flag = __VERIFIER_nondet_bool();
    __VERIFIER_assume(u > 4);
    do { u--; if (u == 7) continue; } while (u > 3);
    check(u == 3); check(flag <= 1); check(level == 1);
    check(id(5) == 5);
    while (1) { }
    check(level == 7);
}
";
    let sandbox = Sandbox::new().file("a.c", text);
    let args = ["contracts", "--data-model", "ilp32", "--validate", "frama-c", "a.c"];
    let output = sandbox.run(&args);
    assert_eq!(output.code, 0, "{}\n{}", output.stderr, output.stdout);
    expect![[r#"
        /*@ assigns \nothing;
            ensures condition != 0;
        */
        extern void __VERIFIER_assume(int condition);
        int level = 1;
        /*@ requires \false;
            assigns \nothing;
        */
        extern int reach_error();
        /*@ assigns \nothing;
            ensures \false;
        */
        extern void abort(void);
        /*@ requires c >= 1;
            assigns \nothing;
        */
        void check(int c) { if (!c) { ERROR: { reach_error(); abort(); } } }
        /*@ assigns level;
            ensures x == \result;
        */
        int id(x) int x; { /*@ loop assigns level; */ while (1) { level = 2; break; } return x; }
        /*@ assigns \nothing; */
        extern int __VERIFIER_nondet_uint();
        /*@ assigns \nothing; */
        extern int __VERIFIER_nondet_bool();
        /*@ requires level == 1;
            assigns level;
        */
        int main() {
            unsigned u = __VERIFIER_nondet_uint(), v = u;
            _Bool flag = __VERIFIER_nondet_bool();
            __VERIFIER_assume(u > 4);
            /*@ loop invariant level == 1;
                loop invariant u >= 4;
                loop assigns u;
                loop variant u;
            */
            do { u--; if (u == 7) continue; } while (u > 3);
            check(u == 3); check(flag <= 1); check(level == 1);
            check(id(5) == 5);
            /*@ loop assigns \nothing; */
            while (1) { }
            check(level == 7);
        }
    "#]]
    .assert_eq(&output.stdout);
}

/// The file has an `assert` of the C library, and Frama-C its own.
#[test]
fn frama_c_knows_assert() {
    let text = "#include <assert.h>\nint main(void) { int i = 0;\n\
                for (i = 0; i < 3; i++) { }\n assert(i == 3); return 0; }\n";
    let sandbox = Sandbox::new().file("a.c", text);
    let output = sandbox.run(&["contracts", "-o", "b.c", "a.c"]);
    assert_eq!(output.code, 0, "{}", output.stderr);
    if frama_c() {
        let output = sandbox.run(&["contracts", "--validate", "frama-c", "-o", "b.c", "a.c"]);
        assert_eq!(output.code, 0, "{}", output.stderr);
    }
}

/// A contract of the user that Lakatos does not understand and that is wrong is not proved, and what
/// is not is named with its line.
#[test]
fn frama_c_does_not_prove_everything() {
    if !frama_c() {
        return;
    }
    let text = "/*@ assigns \\nothing;\n    ensures \\forall integer k; \\result == k; */\n\
                int one(void) { return 1; }\n\
                int main(void) { return one(); }\n";
    let sandbox = Sandbox::new().file("a.c", text);
    let output = sandbox.run(&["contracts", "--validate", "frama-c", "-o", "b.c", "a.c"]);
    assert_eq!(output.code, 2, "{}", output.stderr);
    let said = "frama-c: not validated (";
    assert!(output.stderr.contains(said), "{}", output.stderr);
    let line = "line 2: postcondition: ∀ ℤ k; \\result ≡ k (Unknown)";
    assert!(output.stderr.contains(line), "{}", output.stderr);
}

const SCALED: &str = "\
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int ratio(int a, int b) {
    return 100 * a / b;
}
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 100) return 0;
    if (ratio(n, n + 1) > 100) reach_error();
    return 0;
}
";

/// What a function requires removes alarms that it has when it is called with anything.
#[test]
fn eva_has_fewer_alarms_with_contracts() {
    if !frama_c() {
        return;
    }
    let sandbox = Sandbox::new().file("a.c", SCALED);
    let properties = ["--property", "no-overflow", "--property", "div-by-zero"];
    let args = [&["contracts", "a.c", "-o", "b.c", "--validate", "frama-c-eva"][..], &properties];
    let output = sandbox.run(&args.concat());
    assert_eq!(output.code, 0, "{}", output.stderr);
    let said = &output.stderr[output.stderr.find("frama-c-eva").unwrap_or(0)..];
    expect![[r#"
        frama-c-eva: 3 alarms without the contracts, 0 with them
          ratio: 3 of 3 removed
            removed: line 4: signed_overflow: -2147483648 ≤ 100 * a
            removed: line 4: signed_overflow: 100 * a ≤ 2147483647
            removed: line 4: division_by_zero: b ≢ 0
          main: 0 of 0 removed
    "#]]
    .assert_eq(said);
}

#[test]
fn an_eva_that_shows_nothing() {
    let args = ["contracts", "--validate", "frama-c-eva", "--validate-timeout", "1", "a.c"];
    let version = "[ \"$1\" = -version ] && exit 0";
    for (script, said) in [
        ("exit 0", "`main`: Frama-C has written no report"),
        ("echo '[kernel] User Error: no main'; exit 1", "Frama-C failed\n  [kernel] User Error"),
        ("sleep 60", "`main`: Frama-C reached the time limit"),
    ] {
        let output = with_fake(&format!("{version}\n{script}"), &args);
        assert_eq!(output.code, 2, "{}", output.stderr);
        assert!(output.stderr.contains(said), "{}", output.stderr);
    }
}
