//! What is not supported is named, with its place, and everything else is read.

use expect_test::{Expect, expect};
use lakatos_acsl::parse::Site;

use crate::errors::{check_file, said};

#[track_caller]
fn check(text: &str, expected: Expect) {
    expected.assert_eq(&said(text, Site::File));
}

#[track_caller]
fn check_body(text: &str, expected: Expect) {
    expected.assert_eq(&said(text, Site::Body));
}

#[test]
fn of_clauses() {
    check(
        r"requires \union(a[0], a[1]) == 1;",
        expect![[r#"
        t.c:1:10: unsupported: `\union`
    "#]],
    );
    check(
        r"requires n > 0; requires \subset(a[0], a[1]); requires i > 0;",
        expect![[r#"
        t.c:1:26: unsupported: `\subset`
    "#]],
    );
    check(
        r"requires n \in { 1 };",
        expect![[r#"
        t.c:1:12: unsupported: `\in`
    "#]],
    );
    check(
        r"assigns \at(*a, Post);",
        expect![[r#"
        t.c:1:9: unsupported: `\at` and `\old` as what is assigned
    "#]],
    );
    check(
        r"assigns \union(a[0], a[1]);",
        expect![[r#"
        t.c:1:9: unsupported: `\union`
    "#]],
    );
    check(
        r"assigns {g, *p};",
        expect![[r#"
        t.c:1:9: unsupported: sets in braces
    "#]],
    );
    check(
        r"assigns \empty;",
        expect![[r#"
        t.c:1:9: unsupported: `\empty`
    "#]],
    );
    check(
        r"requires { q \with .x = 3 } == q;",
        expect![[r#"
        t.c:1:10: unsupported: sets in braces
    "#]],
    );
    check(
        r#"requires "abc" == s;"#,
        expect![[r#"
        t.c:1:10: unsupported: strings
    "#]],
    );
    check(
        r#"requires L"abc" == 0;"#,
        expect![[r#"
        t.c:1:10: unsupported: strings
    "#]],
    );
    check(
        r"requires L'a' == 97;",
        expect![[r#"
        t.c:1:10: unsupported: wide character constants
    "#]],
    );
    check(
        r"requires a[0 .. n - 1] == 0;",
        expect![[r#"
        t.c:1:10: unsupported: comparisons of sets
    "#]],
    );
    check(
        r"requires \let x = a[0 .. 3]; \true;",
        expect![[r#"
        t.c:1:19: unsupported: names for sets
    "#]],
    );
    check(
        r"requires \typeof(n) == \type(int);",
        expect![[r#"
        t.c:1:24: unsupported: `\type`
    "#]],
    );
    check(
        r"requires \base_addr(a) == a && \block_length(a) > 0;",
        expect![[r#"
        t.c:1:10: unsupported: `\base_addr`
    "#]],
    );
    check(
        r"requires \initialized(a) && \dangling(a);",
        expect![[r#"
        t.c:1:29: unsupported: `\dangling`
    "#]],
    );
    check(
        r"ensures \fresh(a, 3);",
        expect![[r#"
        t.c:1:9: unsupported: `\fresh`
    "#]],
    );
    check(
        r"requires \sqrt(d) > 1;",
        expect![[r#"
        t.c:1:10: unsupported: `\sqrt`
    "#]],
    );
    check(
        r"requires 1.5f == d;",
        expect![[r#"
        t.c:1:10: unsupported: real numbers with the suffix `f`
    "#]],
    );
    check(
        r"requires (volatile int *)a == a;",
        expect![[r#"
        t.c:1:11: unsupported: `volatile` in a type
    "#]],
    );
    check(
        r"requires \forall int (*h)(int); \true;",
        expect![[r#"
        t.c:1:26: unsupported: pointers to functions
    "#]],
    );
    check(
        r"requires \forall int x[3]; \true;",
        expect![[r#"
        t.c:1:18: unsupported: variables of an array type
    "#]],
    );
    check(
        r"requires \forall struct pair x; \true;",
        expect![[r#"
        t.c:1:18: unsupported: variables of a struct or union type
    "#]],
    );
    check(
        r"requires q == q;",
        expect![[r#"
        t.c:1:10: unsupported: comparisons of whole structs and unions
    "#]],
    );
    check(
        r"requires arr == arr;",
        expect![[r#"
        t.c:1:10: unsupported: comparisons of whole arrays
    "#]],
    );
    check(
        r"requires f == f;",
        expect![[r#"
        t.c:1:10: unsupported: functions of the program as values
    "#]],
    );
    check(
        r"requires &f == f;",
        expect![[r#"
        t.c:1:10: unsupported: functions of the program as values
    "#]],
    );
    check(
        r"allocates \nothing; ensures \true;",
        expect![[r#"
        t.c:1:1: unsupported: `allocates`
    "#]],
    );
    check(
        r"frees a;",
        expect![[r#"
        t.c:1:1: unsupported: `frees`
    "#]],
    );
    check(
        r"exits \true;",
        expect![[r#"
        t.c:1:1: unsupported: `exits`
    "#]],
    );
    check(
        r"assigns g \from n, *a; assigns *p \from \nothing;",
        expect![[r#"
        t.c:1:1: unsupported: `\from`: what is assigned counts, what it depends on does not
    "#]],
    );
    check(
        r"assigns \old(*a);",
        expect![[r#"
        t.c:1:9: unsupported: `\at` and `\old` as what is assigned
    "#]],
    );
    check(
        r"decreases n for order;",
        expect![[r#"
        t.c:1:13: unsupported: measures with an order of their own (`for`)
    "#]],
    );
    check(
        r"ghost int x;",
        expect![[r#"
        t.c:1:1: unsupported: ghost code
    "#]],
    );
    check(
        r"requires a + (0 .. 1) - p == 1;",
        expect![[r#"
        t.c:1:10: unsupported: differences of sets of pointers
    "#]],
    );
    check(
        r"requires \sum(1, 2, inc) == 3;",
        expect![[r#"
        t.c:1:21: unsupported: functions as arguments, except `\lambda`
    "#]],
    );
    check(
        r"requires \exit_status == 0;",
        expect![[r#"
        t.c:1:10: unsupported: `\exit_status`
    "#]],
    );
}

#[test]
fn of_bodies() {
    check_body(
        r"ghost n = 3;",
        expect![[r#"
        t.c:1:1: unsupported: ghost code
    "#]],
    );
    check_body(
        r"requires n > 0;",
        expect![[r#"
        t.c:1:1: unsupported: contracts of statements
    "#]],
    );
    check_body(
        r"ensures n > 0;",
        expect![[r#"
        t.c:1:1: unsupported: contracts of statements
    "#]],
    );
    check_body(
        r"behavior b: ensures n > 0;",
        expect![[r#"
        t.c:1:1: unsupported: contracts of statements
    "#]],
    );
    check_body(
        r"invariant n > 0;",
        expect![[r#"
        t.c:1:1: unsupported: `invariant`
    "#]],
    );
    check_body(
        r"loop pragma UNROLL 3;",
        expect![[r#"
        t.c:1:6: unsupported: `loop pragma`
    "#]],
    );
    check_body(
        r"loop unroll 3; loop invariant n > 0;",
        expect![[r#"
        t.c:1:6: unsupported: `loop unroll`
    "#]],
    );
    check_body(
        r"loop allocates \nothing;",
        expect![[r#"
        t.c:1:6: unsupported: `loop allocates`
    "#]],
    );
    check_body(
        r"loop variant n for order;",
        expect![[r#"
        t.c:1:16: unsupported: measures with an order of their own (`for`)
    "#]],
    );
    check_body(
        r"slice pragma stmt;",
        expect![[r#"
        t.c:1:1: unsupported: `slice`
    "#]],
    );
    check_body(
        r"calls f, g;",
        expect![[r#"
        t.c:1:1: unsupported: `calls`
    "#]],
    );
    check_body(
        r"for small: ensures \true;",
        expect![[r#"
        t.c:1:1: unsupported: contracts of statements
    "#]],
    );
}

#[test]
fn of_files() {
    check_file(
        r"type t; logic t make(integer x); lemma uses: make(1) == make(1); lemma fine: 1 == 1;",
        expect![[r#"
        t.acsl:1:1: unsupported: `type` declarations
        t.acsl:1:15: unsupported: the type `t`, whose declaration is not supported
        t.acsl:1:46: unsupported: `make`, whose declaration is not supported
    "#]],
    );
    check_file(
        r"type t = integer;",
        expect![[r#"
        t.acsl:1:1: unsupported: `type` declarations
    "#]],
    );
    check_file(
        r"logic integer h(integer x) = \pow(x, 2); lemma uses: h(1) == 1; predicate k(integer x) = h(x) == x; lemma more: k(1);",
        expect![[r#"
        t.acsl:1:30: unsupported: `\pow`
        t.acsl:1:54: unsupported: `h`, whose declaration is not supported
        t.acsl:1:90: unsupported: `h`, whose declaration is not supported
        t.acsl:1:113: unsupported: `k`, whose declaration is not supported
    "#]],
    );
    check_file(
        r"logic A same_as<A>(A x) = x;",
        expect![[r#"
        t.acsl:1:7: unsupported: functions with types as parameters
    "#]],
    );
    check_file(
        r"logic real inc(real x) = x;",
        expect![[r#"
        t.acsl:1:12: unsupported: overloading: there is another `inc`
    "#]],
    );
    check_file(
        r"lemma l<A>: \true;",
        expect![[r#"
        t.acsl:1:8: unsupported: lemmas with types as parameters
    "#]],
    );
    check_file(
        r"global invariant gi: g > 0;",
        expect![[r#"
        t.acsl:1:1: unsupported: `global` declarations
    "#]],
    );
    check_file(
        r"type invariant ti(int x) = x > 0;",
        expect![[r#"
        t.acsl:1:1: unsupported: `type` declarations
    "#]],
    );
    check_file(
        r"model struct pair { integer size };",
        expect![[r#"
        t.acsl:1:1: unsupported: `model` declarations
    "#]],
    );
    check_file(
        r"volatile g reads r writes w;",
        expect![[r#"
        t.acsl:1:1: unsupported: `volatile` declarations
    "#]],
    );
    check_file(
        r"import Foo;",
        expect![[r#"
        t.acsl:1:1: unsupported: `import` declarations
    "#]],
    );
    check_file(
        r"logic integer h(struct pair x) = x.x;",
        expect![[r#"
        t.acsl:1:17: unsupported: variables of a struct or union type
    "#]],
    );
    check_file(
        r"logic integer h(int b[]) = b[0];",
        expect![[r#"
        t.acsl:1:17: unsupported: variables of an array type
    "#]],
    );
    check_file(
        r"logic struct pair h(integer x);",
        expect![[r#"
        t.acsl:1:7: unsupported: logic functions with a struct or array as result
    "#]],
    );
    check_file(
        r"logic set<integer> h(integer x);",
        expect![[r#"
        t.acsl:1:7: unsupported: types with parameters
    "#]],
    );
    check_file(
        r"axiomatic A { type t; axiom a: \true; logic t c; }",
        expect![[r#"
        t.acsl:1:15: unsupported: `type` declarations
        t.acsl:1:45: unsupported: the type `t`, whose declaration is not supported
    "#]],
    );
}
