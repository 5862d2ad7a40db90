//! `lakatos contracts`: contracts of several clients.

mod support;

use expect_test::expect;
use support::Sandbox;

fn contracts(parameter: &str, requires: &str, ensures: &str) -> String {
    format!(
        r#"{{
  "program": {{ "file": "client.c", "sha256": "00" }},
  "functions": [
    {{ "name": "abs", "parameters": [ {{ "name": "x", "type": "{parameter}" }} ], "result": "int",
      "requires": [ "{requires}" ],
      "ensures": [ "{ensures}" ],
      "assigns": [], "loops": [] }}
  ]
}}
"#
    )
}

fn clients() -> Sandbox {
    Sandbox::new()
        .file("up.json", contracts("int", "x >= 0", "\\\\result == x"))
        .file("down.json", contracts("int", "x < 0", "\\\\result == -x"))
        .file("wrong.json", contracts("int", "x == 1", "\\\\result == 2"))
        .file("long.json", contracts("long", "x < 0", "\\\\result == -x"))
        .file("bad.json", contracts("int", "x <", "\\\\result == -x"))
}

#[test]
fn contracts_become_behaviours() {
    clients().check(
        &["contracts", "merge", "up.json", "down.json", "--acsl"],
        0,
        expect![[r#"
            /*@
              assigns \nothing;
              behavior from_up:
                assumes x >= 0;
                ensures \result == x;
              behavior from_down:
                assumes x <= -1;
                ensures x + \result == 0;
              complete behaviors;
              disjoint behaviors;
            */
            int abs(int x);
        "#]],
        expect![[""]],
    );
}

#[test]
fn a_merged_file_refines_its_parts() {
    let sandbox = clients();
    let merged = sandbox.run(&["contracts", "merge", "up.json", "down.json", "-o", "all.json"]);
    assert_eq!((merged.code, merged.stdout.as_str()), (0, ""), "{}", merged.stderr);
    sandbox.check(
        &["contracts", "recheck", "up.json", "all.json"],
        0,
        expect![[r#"
            abs: no need to check the client again
        "#]],
        expect![[""]],
    );
    sandbox.check(
        &["contracts", "recheck", "all.json", "up.json"],
        1,
        expect![[r#"
            abs: check the client again: the client may call where the library does not allow it, for example x = -1
        "#]],
        expect![[""]],
    );
}

#[test]
fn contradictions_are_noted() {
    let output = clients().run(&["contracts", "merge", "up.json", "wrong.json"]);
    assert_eq!(output.code, 1);
    expect![[r#"
        note: up.json and wrong.json contradict each other about `abs`: where both apply (x = 1), no result satisfies both
    "#]].assert_eq(&output.stderr);
}

#[test]
fn bad_input_has_a_place() {
    let sandbox = clients();
    sandbox.check(
        &["contracts", "merge", "up.json", "long.json"],
        3,
        expect![[""]],
        expect![[r#"
            error: long.json:4:5: `abs` has another signature here than in up.json: `x` is `long`, not `int`; contracts can be combined for one function only
        "#]],
    );
    sandbox.check(
        &["contracts", "merge", "up.json", "bad.json"],
        3,
        expect![[""]],
        expect![[r#"
            error: bad.json:5:21: an operand is missing (at character 4 of `x <`)
        "#]],
    );
    sandbox.check(
        &["contracts", "merge", "none.json"],
        3,
        expect![[""]],
        expect![[r#"
        error: cannot read none.json: there is no such file
    "#]],
    );
}

/// A library function that uses a global, and what two clients need of it.
fn client(set: &str, expected: &str) -> String {
    format!(
        "extern void reach_error(void);\nint level = 0;\nint calls = 0;\n\
         int read(int scale) {{ calls = calls + 1; return level * scale; }}\n\
         int main(void) {{\n    level = {set};\n    \
         if (read(2) != {expected} || calls != 1) reach_error();\n    return 0;\n}}\n"
    )
}

/// What `contracts --json` writes is what `merge` and `recheck` read.
#[test]
fn contracts_about_globals_are_merged() {
    let sandbox = Sandbox::new().file("low.c", client("1", "2")).file("high.c", client("7", "14"));
    for name in ["low", "high"] {
        let (file, json) = (format!("{name}.c"), format!("{name}.json"));
        let output = sandbox.run(&["contracts", "--json", &file, "-o", &json]);
        assert_eq!(output.code, 0, "{}", output.stderr);
    }
    let merged = sandbox.run(&["contracts", "merge", "low.json", "high.json", "-o", "all.json"]);
    assert_eq!(merged.code, 0, "{}", merged.stderr);
    sandbox.check(
        &["contracts", "merge", "low.json", "high.json", "--acsl"],
        0,
        expect![[r#"
            /*@
              assigns calls;
              ensures scale * level == \result;
              ensures calls == \old(calls) + 1;
            */
            int read(int scale);

            /*@
              requires calls == 0;
              assigns calls, level;
            */
            int main(void);
        "#]],
        expect![[r#""#]],
    );
    sandbox.check(
        &["contracts", "recheck", "low.json", "all.json"],
        0,
        expect![[r#"
            read: no need to check the client again
            main: no need to check the client again
        "#]],
        expect![[r#""#]],
    );
}

/// The data model goes along: contracts for different ones cannot be merged.
#[test]
fn the_data_model_is_written() {
    let sandbox = Sandbox::new().file("low.c", client("1", "2")).file("high.c", client("7", "14"));
    for (name, model) in [("low", "ilp32"), ("high", "lp64")] {
        let (file, json) = (format!("{name}.c"), format!("{name}.json"));
        let args = ["contracts", "--data-model", model, "--json", &file, "-o", &json];
        let output = sandbox.run(&args);
        assert_eq!(output.code, 0, "{}", output.stderr);
    }
    let merged = sandbox.run(&["contracts", "merge", "low.json", "high.json"]);
    assert_eq!((merged.code, merged.stdout.as_str()), (3, ""), "{}", merged.stderr);
}
