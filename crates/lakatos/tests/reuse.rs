//! `lakatos verify --reuse`: an older proof, looked at in a newer program.

mod support;

use support::{Output, Sandbox};

const FUNCTIONS: usize = 50;
const EDITED: usize = 16;

/// A program of many functions, each of which is used once. The edited one is another function.
fn program(functions: usize, edit: Option<&str>) -> String {
    let mut text =
        "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n".to_owned();
    let mut main = String::new();
    for k in 0..functions {
        let own =
            format!("if (n < {k}) return {k}; if (n > {}) return {}; return n;", k + 99, k + 99);
        let (body, bound) = match edit.filter(|_| k == EDITED) {
            Some(body) => (body.to_owned(), -7),
            None => (own, k as i32),
        };
        text += &format!("int f{k}(int n) {{ {body} }}\n");
        main += &format!("  if (f{k}(n) < {bound}) reach_error();\n");
    }
    text + "int main(void) {\n  int n = __VERIFIER_nondet_int();\n" + &main + "  return 0;\n}\n"
}

/// What is known of the program without an edit.
fn contracts(functions: usize, ensures: impl Fn(usize) -> String) -> String {
    let one = |k: usize| {
        format!(
            r#"{{"name": "f{k}", "parameters": [{{"name": "n", "type": "int"}}], "result": "int",
                "requires": [], "ensures": ["{}"], "assigns": [], "loops": []}}"#,
            ensures(k).replace('\\', "\\\\")
        )
    };
    let all: Vec<String> = (0..functions).map(one).collect();
    format!(
        r#"{{"schema": "lakatos-contracts/1", "complete": true,
            "program": {{"file": "old.c", "sha256": "", "data_model": "lp64"}},
            "functions": [{}], "stubs": []}}"#,
        all.join(", ")
    )
}

fn at_least(k: usize) -> String {
    format!("\\result >= {k}")
}

fn verify(program: &str, old: &str, flags: &[&str]) -> Output {
    let sandbox = Sandbox::new().file("a.c", program).file("old.json", old);
    sandbox.run(&[&["verify", "--stats", "a.c"], flags].concat())
}

const REUSE: [&str; 2] = ["--reuse", "old.json"];

/// How many refinements a run needed.
fn refinements(output: &Output) -> u32 {
    let (before, _) = output.stdout.split_once(" refinements").expect("statistics");
    let number = before.rsplit([' ', '\n']).next().expect("a number");
    number.parse().expect("a number")
}

#[test]
fn an_edit_costs_about_the_function() {
    let new = program(FUNCTIONS, Some("int r = n; if (r < -7) r = -7; return r;"));
    let old = contracts(FUNCTIONS, at_least);
    // An engine whose work is counted.
    let anew = verify(&new, &old, &["--engine", "cegar"]);
    let reused = verify(&new, &old, &["--engine", "cegar", "--reuse", "old.json"]);
    for output in [&anew, &reused] {
        assert!(output.stdout.contains("unreach-call: proved ("), "{}", output.stdout);
    }
    assert!(reused.stdout.contains("49 of 50 old claims hold, the rest was searched"));
    let (anew, reused) = (refinements(&anew), refinements(&reused));
    assert!(anew >= 50 && reused <= 4, "{anew} refinements without, {reused} with reuse");
}

#[test]
fn what_still_holds_is_a_proof() {
    // The edited function is another one, but what was said of it is still true.
    let new = program(FUNCTIONS, Some("return n < 20 ? 20 : n;"));
    let reused = verify(&new, &contracts(FUNCTIONS, at_least), &REUSE);
    assert!(reused.stdout.contains("unreach-call: proved ("), "{}", reused.stdout);
    assert!(reused.stdout.contains("50 of 50 old claims hold, nothing was searched"));
    assert_eq!(refinements(&reused), 0);
}

/// What Lakatos has written itself, with a loop that has moved.
#[test]
fn there_and_back() {
    let old = "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int twice(int n) { int s = 0; for (int i = 0; i < n; i++) { s += 2; } return s; }
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 1000) return 0;
  if (twice(n) != 2 * n) reach_error();
  return 0;
}
";
    let new = old.replace("int twice", "static int extra(void) { return 1; }\n\n\nint twice");
    let sandbox = Sandbox::new().file("old.c", old).file("new.c", new);
    assert_eq!(sandbox.run(&["contracts", "--json", "old.c", "-o", "old.json"]).code, 0);
    let output = sandbox.run(&["verify", "--stats", "--reuse", "old.json", "new.c"]);
    assert!(output.stdout.contains("unreach-call: proved ("), "{}", output.stdout);
    assert!(output.stdout.contains("nothing was searched"), "{}", output.stdout);
}

/// Whatever the file says, a wrong program is not proved.
#[test]
fn lies() {
    let wrong = program(20, Some("return n;"));
    let right = program(20, Some("return n < 0 ? 0 : n;"));
    let lies: [fn(usize) -> String; 5] = [
        at_least,
        |_| "\\false".to_owned(),
        |_| "\\result == 5".to_owned(),
        |_| "1 / 0 == 0".to_owned(),
        |_| "nonsense <".to_owned(),
    ];
    for lie in lies {
        let old = contracts(20, lie);
        let output = verify(&wrong, &old, &REUSE);
        assert_eq!(output.code, 1, "{}\n{}{}", lie(0), output.stdout, output.stderr);
        let output = verify(&right, &old, &REUSE);
        assert_eq!(output.code, 0, "{}\n{}{}", lie(0), output.stdout, output.stderr);
    }
}

/// A contract that requires something is claimed of the calls, too.
#[test]
fn a_requirement_that_is_not_fulfilled() {
    let old = contracts(20, at_least).replace(r#""requires": []"#, r#""requires": ["n > 5"]"#);
    let output = verify(&program(20, Some("return n;")), &old, &REUSE);
    assert_eq!(output.code, 1, "{}", output.stdout);
}

#[test]
fn files_that_cannot_be_used() {
    let program = program(2, None);
    let table = [
        ("{", "old.json is no contracts file: "),
        ("{}", "old.json is no contracts file: "),
        (
            &contracts(1, at_least).replace("lakatos-contracts/1", "other/7"),
            "the schema is `other/7`",
        ),
        (&contracts(1, at_least).replace("lp64", "ilp32"), "in the data model ilp32"),
    ];
    for (old, said) in table {
        let output = verify(&program, old, &REUSE);
        assert_eq!(output.code, 3, "{}", output.stderr);
        assert!(output.stderr.contains(said), "{}", output.stderr);
    }
}

/// A proof about loops written out is none that old claims can be put together with; it stands by
/// itself.
#[test]
fn loops_written_out() {
    let new = program(3, None).replace(
        "  return 0;",
        "  for (int i = 0; i < 5; i++) n = f1(i);\n  if (n != 4) reach_error();\n  return 0;",
    );
    let flags = ["--reuse", "old.json", "--engine", "bmc"];
    let output = verify(&new, &contracts(3, at_least), &flags);
    assert!(output.stdout.contains("unreach-call: proved ("), "{}{}", output.stdout, output.stderr);
    assert!(output.stdout.contains("each loop unrolled 6 times"), "{}", output.stdout);
}
