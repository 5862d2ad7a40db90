//! Lemma sets of YAML.

use expect_test::{Expect, expect};
use lakatos_acsl::check::{self, Language, Moment};
use lakatos_acsl::env::Table;
use lakatos_acsl::erase;
use lakatos_acsl::tree::Theory;
use lakatos_acsl::{lemma_set, parse};
use lakatos_ir::Source;

use crate::{INT, lines, pointer};

/// In the shape of the thesis, with the invariant that uses the lemmas before them.
pub const MAXIMUM: &str = r#"- entry_type: invariant_set
  metadata:
    format_version: "2.0"
  content:
    - invariant:
        type: loop_invariant
        location: { line: 4, column: 3, function: largest }
        value: "m == ACSL(_L_MAX(a, j))"
        format: c_expression
- entry_type: lemma_set
  declarations:
    - "int _L_MAX(int* A, int I)"
    - "int* A"
    - "int I"
  content:
    - lemma:
        value: "ACSL(_L_MAX(A, 0)) == A[0]"
        format: c_expression
    - lemma:
        value: "( (A[I] > ACSL(_L_MAX(A, I-1))) & ACSL(_L_MAX(A, I)) == A[I]) | (A[I] <=
          ACSL(_L_MAX(A, I-1)) & ACSL(_L_MAX(A, I)) ==
          ACSL(_L_MAX(A, I-1)))"
        format: c_expression
"#;

#[track_caller]
fn check(text: &str, expected: Expect) {
    let mut theory = Theory::default();
    let source = Source::new("t.yml", text);
    let said = lemma_set::read_lemma_sets(&mut theory, source.clone(), &Table::default());
    let said = match said {
        Ok(said) => lines(&source, &said),
        Err(failure) => lines(&failure.file, &failure.diagnostics),
    };
    let items = theory.items.iter().map(|i| format!("{}\n", erase::item(&theory, i)));
    expected.assert_eq(&(items.collect::<String>() + &said));
}

#[test]
fn the_maximum_of_an_array() {
    check(
        MAXIMUM,
        expect![[r#"
        axiomatic lemma_set_1 {
          logic integer _L_MAX{L}(int *A, integer I);
          axiom lemma_set_1_1{L}: \forall int *A; _L_MAX(A, 0) == A[0];
          axiom lemma_set_1_2{L}: \forall int *A, int I; (A[I] > _L_MAX(A, I - 1) && _L_MAX(A, I) == A[I]) || (A[I] <= _L_MAX(A, I - 1) && _L_MAX(A, I) == _L_MAX(A, I - 1));
        }
        t.yml:1:3: warning: the entry of type `invariant_set` is passed over
    "#]],
    );
}

#[test]
fn sums_of_two_arrays_with_a_ternary() {
    check(
        r#"
- entry_type: lemma_set
  declarations:
    - "long _L_SUM(int* A1, int *A2, int C);"
    - "int A1[]"
    - "int A2[10]"
    - "int C"
  content:
    - lemma: { value: "_L_SUM(A1, A2, C) == (C <= 0 ? 0 : _L_SUM(A1, A2, C-1) + A1[C-1] + A2[C-1])", format: acsl_expression }
    - lemma: { value: "\\forall integer k; 0 <= k < 1 ==> ACSL(_L_SUM(A1, A1, k)) == 0", format: acsl_expression }
- entry_type: lemma_set
  declarations: [ "double _L_HALF(double, unsigned char)", "double X" ]
  content:
    - lemma: { value: "_L_HALF(X, 2) == X / 2" }
"#,
        expect![[r#"
            axiomatic lemma_set_1 {
              logic integer _L_SUM{L}(int *A1, int *A2, integer C);
              axiom lemma_set_1_1{L}: \forall int *A1, int *A2, int C; _L_SUM(A1, A2, C) == (C <= 0 ? 0 : _L_SUM(A1, A2, C - 1) + A1[C - 1] + A2[C - 1]);
              axiom lemma_set_1_2{L}: \forall int *A1; \forall integer k; 0 <= k < 1 ==> _L_SUM(A1, A1, k) == 0;
            }
            axiomatic lemma_set_2 {
              logic real _L_HALF(real p1, integer p2);
              axiom lemma_set_2_1: \forall double X; _L_HALF(X, 2) == X / 2;
            }
        "#]],
    );
}

#[test]
fn mistakes() {
    check(
        "",
        expect![[r#"
        t.yml:1:1: error: a list of entries is expected here
    "#]],
    );
    check(
        "just a word",
        expect![[r#"
        t.yml:1:1: error: a list of entries is expected here
    "#]],
    );
    check(
        "- a: [",
        expect![[r#"
        t.yml:1:6: error: this is no YAML: unclosed bracket '['
    "#]],
    );
    check(
        "- entry_type: invariant_set\n  content: []\n",
        expect![[r#"
        t.yml:1:1: error: there is no entry of type `lemma_set`
          help: a file of ACSL declarations has the extension `.acsl`
        t.yml:1:3: warning: the entry of type `invariant_set` is passed over
    "#]],
    );
    check(
        "- content: []\n",
        expect![[r#"
        t.yml:1:3: error: `entry_type` is missing here
    "#]],
    );
    check(
        "- entry_type: lemma_set\n",
        expect![[r#"
        t.yml:1:3: error: `content` is missing here
    "#]],
    );
    check(
        "- entry_type: lemma_set\n  content: 3\n",
        expect![[r#"
        t.yml:2:12: error: a list is expected here
    "#]],
    );
    check(
        "- entry_type: lemma_set\n  content:\n    - value: \"1 == 1\"\n",
        expect![[r#"
        t.yml:3:7: error: `lemma` is missing here
    "#]],
    );
    check(
        "- entry_type: lemma_set\n  surprise: 1\n  content:\n    - lemma:\n        value: \"1 == 1\"\n        name: one\n",
        expect![[r#"
            axiomatic lemma_set_1 {
              axiom lemma_set_1_1: 1 == 1;
            }
            t.yml:2:13: warning: the key `surprise` is ignored
            t.yml:6:15: warning: the key `name` is ignored
        "#]],
    );
    check(
        "- entry_type: lemma_set\n  content:\n    - lemma:\n        value: 1 == 1\n        format: prose\n",
        expect![[r#"
            t.yml:5:17: error: the format `prose` is not known
              help: known are `c_expression` and `acsl_expression`
        "#]],
    );
    let with = |declaration: &str, value: &str| {
        format!(
            "- entry_type: lemma_set\n  declarations:\n    - \"{declaration}\"\n    - int I\n  content:\n    - lemma:\n        value: \"{value}\"\n"
        )
    };
    check(
        &with("int f(int x", "f(I) == 1"),
        expect![[r#"
        t.yml:3:19: error: expected `,` between parameters, found the end
        t.yml:7:17: error: there is no function or predicate `f`
    "#]],
    );
    check(
        &with("in f(int x)", "f(I) == 1"),
        expect![[r#"
        t.yml:3:8: error: `in` is not a type
        t.yml:7:17: error: there is no function or predicate `f`
    "#]],
    );
    check(
        &with("int I", "I == 1"),
        expect![[r#"
        t.yml:4:11: error: a second variable `I`
    "#]],
    );
    check(
        &with("void f(int x)", "f(I) == 1"),
        expect![[r#"
        t.yml:3:8: error: a logic function without a result
          help: what is true or false is a `predicate`
        t.yml:7:17: unsupported: `f`, whose declaration is not supported
    "#]],
    );
    check(
        &with("int f(int x)", "f(J) == 1"),
        expect![[r#"
        t.yml:7:19: error: `J` is not declared
    "#]],
    );
    check(
        &with("int f(int x)", "f(I, 1) == 1"),
        expect![[r#"
        t.yml:7:17: error: `f` has 1 parameter, and 2 are given
    "#]],
    );
    check(
        &with("int f(int x)", "f(&I) == 1"),
        expect![[r#"
        t.yml:7:19: error: only what is in memory has an address
    "#]],
    );
    check(
        &with("int f(int x)", "f(I)"),
        expect![[r#"
        axiomatic lemma_set_1 {
          logic integer f(integer x);
          axiom lemma_set_1_1: \forall int I; f(I) != 0;
        }
    "#]],
    );
    check(
        &with("int f(int x)", "f(I) = 1"),
        expect![[r#"
        t.yml:7:22: error: terms assign nothing
          help: `==` compares
    "#]],
    );
    check(
        &with("int f(int x)", "0 < f(I) < 3"),
        expect![[r#"
        t.yml:7:17: error: a chain of comparisons means something else in C
          help: join comparisons with `&&`, or let the format be `acsl_expression`
    "#]],
    );
    check(
        &with("int f(int x)", "f(I) == 'a' & \\\"x\\\" == 1"),
        expect![[r#"
        axiomatic lemma_set_1 {
          logic integer f(integer x);
        }
        t.yml:7:32: unsupported: strings
    "#]],
    );
    check(
        &with("int f(int x)", "\\\\forall integer k; f(k) == g"),
        expect![[r#"
        t.yml:7:45: error: `g` is not declared
    "#]],
    );
}

/// Places are those in the file, whatever YAML does with the text.
#[test]
fn places() {
    let entry = |value: &str| {
        format!("- entry_type: lemma_set\n  content:\n    - lemma:\n        value: {value}\n")
    };
    check(
        &entry("1 == x1"),
        expect![[r#"
        t.yml:4:21: error: `x1` is not declared
    "#]],
    );
    check(
        &entry("'1 == x2'"),
        expect![[r#"
        t.yml:4:22: error: `x2` is not declared
    "#]],
    );
    check(
        &entry("\"1 == x3\""),
        expect![[r#"
        t.yml:4:22: error: `x3` is not declared
    "#]],
    );
    check(
        &entry("\"1 ==\n          x4\""),
        expect![[r#"
        t.yml:5:11: error: `x4` is not declared
    "#]],
    );
    check(
        &entry("|\n          1 ==\n          x5"),
        expect![[r#"
        t.yml:6:11: error: `x5` is not declared
    "#]],
    );
    check(
        &entry(">-\n          1 ==\n          x6"),
        expect![[r#"
        t.yml:6:11: error: `x6` is not declared
    "#]],
    );
    check(
        &entry("\"\\x31 == x7\""),
        expect![[r#"
        t.yml:4:16: error: `x7` is not declared
    "#]],
    );
}

/// An invariant of a witness can use the functions of a lemma set.
#[test]
fn invariants_with_lemma_functions() {
    let mut theory = Theory::default();
    let mut table = Table::default();
    table.variable("a", pointer(INT), true);
    table.variable("j", INT, false);
    table.variable("m", INT, false);
    let source = Source::new("max.yml", MAXIMUM);
    lemma_set::read_lemma_sets(&mut theory, source, &table).unwrap();
    let tree = parse::expression("m == ACSL(_L_MAX(a, j))", 0, &|_: &str| false).tree.unwrap();
    let pred = check::predicate(&tree, &table, &theory, Moment::Loop, None, Language::CExpression)
        .unwrap();
    assert_eq!(erase::Eraser::new(&theory).pred(&pred).to_string(), "m == _L_MAX(a, j)");
    let acsl = check::predicate(&tree, &table, &theory, Moment::Loop, None, Language::Acsl);
    assert_eq!(acsl.unwrap_err().message, "there is no function or predicate `ACSL`");
}
