//! Texts that are refused: exact messages, at exact places.

use expect_test::{Expect, expect};
use lakatos_acsl::parse::{self, Site};
use lakatos_acsl::syntax::Annotation;
use lakatos_acsl::{check, read};
use lakatos_ir::Source;

use crate::accepted::theory;
use crate::{INT, lines, table};

/// The text of an annotation comment, in a program (see `table`).
pub fn said(text: &str, site: Site) -> String {
    let (table, theory) = (table(), theory());
    let parsed = parse::annotation(text, 0, site, &|name: &str| name == "number");
    let mut diagnostics = parsed.diagnostics;
    diagnostics.extend(match &parsed.tree {
        None | Some(Annotation::Globals(_)) => Vec::new(),
        Some(Annotation::Contract(c)) => {
            check::contract(c, &table, &theory, Some(&INT)).diagnostics
        }
        Some(Annotation::Loop(l)) => check::loop_annotation(l, &table, &theory).diagnostics,
        Some(Annotation::Code(all)) => check::assertions(all, &table, &theory).diagnostics,
    });
    diagnostics.sort_by_key(|d| d.span);
    lines(&Source::new("t.c", text), &diagnostics)
}

#[track_caller]
fn check(text: &str, expected: Expect) {
    expected.assert_eq(&said(text, Site::File));
}

#[track_caller]
fn check_body(text: &str, expected: Expect) {
    expected.assert_eq(&said(text, Site::Body));
}

#[track_caller]
pub fn check_file(text: &str, expected: Expect) {
    let (table, mut theory) = (table(), theory());
    let source = Source::new("t.acsl", text);
    let said = match read::read_file(&mut theory, source.clone(), &table) {
        Ok(unsupported) => lines(&source, &unsupported),
        Err(failure) => lines(&failure.file, &failure.diagnostics),
    };
    expected.assert_eq(&said);
}

#[test]
fn syntax() {
    check(
        r"requires n > 0",
        expect![[r#"
        t.c:1:14: error: expected `;` after the clause, found the end
    "#]],
    );
    check(
        r"requires ;",
        expect![[r#"
        t.c:1:10: error: expected an expression, found `;`
    "#]],
    );
    check(
        r"requires n > 0;;",
        expect![[r#"
        t.c:1:16: error: expected a clause of a contract (`requires`, …), found `;`
    "#]],
    );
    check(
        r"requires n >;",
        expect![[r#"
        t.c:1:13: error: expected an expression, found `;`
    "#]],
    );
    check(
        r"requires (n > 0;",
        expect![[r#"
        t.c:1:16: error: expected `)` to close the parenthesis, found `;`
    "#]],
    );
    check(
        r"requires n > 0);",
        expect![[r#"
        t.c:1:14: error: expected `;` after the clause, found `)`
    "#]],
    );
    check(
        r"requires n > 0, i > 0;",
        expect![[r#"
        t.c:1:14: error: expected `;` after the clause, found `,`
    "#]],
    );
    check(
        r"requires a[1;",
        expect![[r#"
        t.c:1:13: error: expected `]` after the index, found `;`
    "#]],
    );
    check(
        r"requires a[];",
        expect![[r#"
        t.c:1:12: error: expected an expression, found `]`
    "#]],
    );
    check(
        r"requires a.;",
        expect![[r#"
        t.c:1:12: error: expected the name of a member, found `;`
    "#]],
    );
    check(
        r"requires \at(n) == 1;",
        expect![[r#"
        t.c:1:15: error: expected `,` before the label, found `)`
    "#]],
    );
    check(
        r"requires \at(n, 3) == 1;",
        expect![[r#"
        t.c:1:17: error: expected a label, found `3`
    "#]],
    );
    check(
        r"requires \old n;",
        expect![[r#"
        t.c:1:15: error: expected `(` after `\old`, found `n`
    "#]],
    );
    check(
        r"requires \forall i; \true;",
        expect![[r#"
        t.c:1:18: error: expected the type of a variable, found `i`
    "#]],
    );
    check(
        r"requires \forall integer; \true;",
        expect![[r#"
        t.c:1:25: error: expected the name of a variable, found `;`
    "#]],
    );
    check(
        r"requires \forall integer k \true;",
        expect![[r#"
        t.c:1:26: error: expected `;` after the variables, found `\true`
    "#]],
    );
    check(
        r"requires \let x 3; x;",
        expect![[r#"
        t.c:1:17: error: expected `=` after the name, found `3`
    "#]],
    );
    check(
        r"requires n ? 1;",
        expect![[r#"
        t.c:1:15: error: expected `:` between the branches, found `;`
    "#]],
    );
    check(
        r"requires n = 3;",
        expect![[r#"
        t.c:1:12: error: terms assign nothing
          help: `==` compares
    "#]],
    );
    check(
        r"requires n++ == 3;",
        expect![[r#"
        t.c:1:11: error: `++` changes something, and terms change nothing
    "#]],
    );
    check(
        r"requires n += 3;",
        expect![[r#"
        t.c:1:12: error: terms assign nothing
          help: `==` compares
    "#]],
    );
    check(
        r"requires 0 < n > 1;",
        expect![[r#"
        t.c:1:16: error: these comparisons make no chain
          help: a chain goes up (`<`, `<=`, `==`) or down (`>`, `>=`, `==`); use `&&`
    "#]],
    );
    check(
        r"requires n != i != g;",
        expect![[r#"
        t.c:1:17: error: these comparisons make no chain
          help: a chain goes up (`<`, `<=`, `==`) or down (`>`, `>=`, `==`); use `&&`
    "#]],
    );
    check(
        r"requires 1 .. 3;",
        expect![[r#"
        t.c:1:10: error: expected `;` after the clause, found `..`
    "#]],
    );
    check(
        r"requires (n)(1) == 1;",
        expect![[r#"
        t.c:1:13: error: only a name can be called
    "#]],
    );
    check(
        r"requires sum() == 1;",
        expect![[r#"
        t.c:1:14: error: an empty list of arguments
          help: a function without parameters is written without parentheses
    "#]],
    );
    check(
        r"requires integer == 1;",
        expect![[r#"
        t.c:1:10: error: `integer` is a type, not a value
    "#]],
    );
    check(
        r"requires int;",
        expect![[r#"
        t.c:1:10: error: `int` is a type, not a value
    "#]],
    );
    check(
        r"requires (unsigned float)n == 1;",
        expect![[r#"
        t.c:1:11: error: this combination of words is no type
    "#]],
    );
    check(
        r"requires (long short)n == 1;",
        expect![[r#"
        t.c:1:11: error: this combination of words is no type
    "#]],
    );
    check(
        r"requires (int int)n == 1;",
        expect![[r#"
        t.c:1:11: error: this combination of words is no type
    "#]],
    );
    check(
        r"requires sizeof(int == 4;",
        expect![[r#"
        t.c:1:21: error: expected `)` after the type, found `==`
    "#]],
    );
    check(
        r"requires x: ;",
        expect![[r#"
        t.c:1:13: error: expected an expression, found `;`
    "#]],
    );
    check(
        r"requires \ == 1;",
        expect![[r#"
        t.c:1:10: error: a word is missing after `\`
    "#]],
    );
    check(
        r"requires 'ab' == n;",
        expect![[r#"
        t.c:1:10: error: a character constant of more than one byte
    "#]],
    );
    check(
        r"requires '' == n;",
        expect![[r#"
        t.c:1:10: error: an empty character constant
    "#]],
    );
    check(
        r"requires 'a == n;",
        expect![[r#"
        t.c:1:10: error: this character constant is not closed on its line
    "#]],
    );
    check(
        r"requires 09 == n;",
        expect![[r#"
        t.c:1:10: error: `9` is not a suffix of an integer
    "#]],
    );
    check(
        r"requires 0x == n;",
        expect![[r#"
        t.c:1:10: error: `0x` has no digits
    "#]],
    );
    check(
        r"requires 1u2 == n;",
        expect![[r#"
        t.c:1:10: error: `u2` is not a suffix of an integer
    "#]],
    );
    check(
        r"requires 1e+ == d;",
        expect![[r#"
        t.c:1:10: error: `1e+` is not a number
    "#]],
    );
    check(
        r"requires # == n;",
        expect![[r#"
        t.c:1:10: error: expected an expression, found `#`
    "#]],
    );
    check(
        r"requires § == n;",
        expect![[r#"
        t.c:1:10: error: '§' has no meaning in ACSL
    "#]],
    );
    check(
        r"requires \nothing;",
        expect![[r#"
        t.c:1:10: error: `\nothing` stands alone, in `assigns` and `\from`
    "#]],
    );
    check(
        r"assigns \nothing, g;",
        expect![[r#"
        t.c:1:16: error: expected `;` after what is assigned, found `,`
    "#]],
    );
    check(
        r"assigns g;
ensures n > 0
ensures i > 0;",
        expect![[r#"
    t.c:2:13: error: expected `;` after the clause, found `ensures`
"#]],
    );
    check(
        r"assigns ;",
        expect![[r#"
        t.c:1:9: error: expected an expression, found `;`
    "#]],
    );
    check(
        r"foo n > 0;",
        expect![[r#"
        t.c:1:1: error: expected a clause of a contract (`requires`, …) or a declaration (`logic`, …), found `foo`
    "#]],
    );
    check(
        r"n > 0;",
        expect![[r#"
        t.c:1:1: error: expected a clause of a contract (`requires`, …) or a declaration (`logic`, …), found `n`
    "#]],
    );
    check(
        r"behavior : ensures \true;",
        expect![[r#"
        t.c:1:10: error: expected the name of a behaviour, found `:`
    "#]],
    );
    check(
        r"behavior b ensures \true;",
        expect![[r#"
        t.c:1:12: error: expected `:` after the name of the behaviour, found `ensures`
    "#]],
    );
    check(
        r"complete;",
        expect![[r#"
        t.c:1:9: error: expected `behaviors` here, found `;`
    "#]],
    );
    check(
        r"assumes n > 0;",
        expect![[r#"
        t.c:1:1: error: `assumes` belongs to a behaviour
          help: a condition for the whole contract is `requires`
    "#]],
    );
    check(
        r"decreases n; decreases i;",
        expect![[r#"
        t.c:1:14: error: a second `decreases`
    "#]],
    );
    check(
        r"terminates n > 0; terminates \true;",
        expect![[r#"
        t.c:1:19: error: a second `terminates`
    "#]],
    );
    check(
        r"check assigns g;",
        expect![[r#"
        t.c:1:1: error: expected a clause of a contract (`requires`, …) or a declaration (`logic`, …), found `check`
    "#]],
    );
    check(
        r"admit behavior b: requires \true;",
        expect![[r#"
        t.c:1:1: error: expected a clause of a contract (`requires`, …) or a declaration (`logic`, …), found `admit`
    "#]],
    );
    check(
        r"loop invariant \true;",
        expect![[r#"
        t.c:1:1: error: expected a clause of a contract (`requires`, …) or a declaration (`logic`, …), found `loop`
    "#]],
    );
    check(
        r"assert n > 0;",
        expect![[r#"
        t.c:1:1: error: expected a clause of a contract (`requires`, …) or a declaration (`logic`, …), found `assert`
    "#]],
    );
    check(
        r"requires /* never;",
        expect![[r#"
        t.c:1:10: error: this comment is never closed
          help: end it with `*/`
    "#]],
    );
    check(
        r"requires \true }; ensures \true;",
        expect![[r#"
        t.c:1:14: error: expected `;` after the clause, found `}`
        t.c:1:16: error: expected the end, found `}`
    "#]],
    );
}

#[test]
fn names() {
    check(
        r"requires bar == 1;",
        expect![[r#"
        t.c:1:10: error: `bar` is not declared
    "#]],
    );
    check(
        r"requires foo(n) == 1;",
        expect![[r#"
        t.c:1:10: error: there is no function or predicate `foo`
    "#]],
    );
    check(
        r"requires f(n) == 1;",
        expect![[r#"
        t.c:1:10: error: `f` is a function of the program, and terms do not run it
          help: define a `logic` function that says what it computes
    "#]],
    );
    check(
        r"requires n(1) == 1;",
        expect![[r#"
        t.c:1:10: error: `n` is a variable, it is not a function
    "#]],
    );
    check(
        r"requires \foo(n) == 1;",
        expect![[r#"
        t.c:1:10: error: `\foo` is no function of ACSL
    "#]],
    );
    check(
        r"requires \foo == 1;",
        expect![[r#"
        t.c:1:10: error: `\foo` is no word of ACSL
    "#]],
    );
    check(
        r"requires inc == 1;",
        expect![[r#"
        t.c:1:10: error: `inc` has 1 parameter, and 0 are given
    "#]],
    );
    check(
        r"requires inc(1, 2) == 1;",
        expect![[r#"
        t.c:1:10: error: `inc` has 1 parameter, and 2 are given
    "#]],
    );
    check(
        r"requires inc(n) == 1 && positive == 1;",
        expect![[r#"
        t.c:1:25: error: `positive` has 1 parameter, and 0 are given
    "#]],
    );
    check(
        r"requires \exists integer k; k == l;",
        expect![[r#"
        t.c:1:34: error: `l` is not declared
    "#]],
    );
    check(
        r"requires \forall integer k, k; k == 1;",
        expect![[r#"
        t.c:1:29: error: a second variable `k`
    "#]],
    );
    check(
        r"requires (\forall integer k; k == k) && k == 1;",
        expect![[r#"
        t.c:1:41: error: `k` is not declared
    "#]],
    );
    check(
        r"requires number == 1;",
        expect![[r#"
        t.c:1:10: error: `number` is a type, not a value
    "#]],
    );
    check(
        r"requires (nothing)n == 1;",
        expect![[r#"
        t.c:1:11: error: `nothing` is not a type here
    "#]],
    );
    check(
        r"requires (struct nobody *)v == r;",
        expect![[r#"
        t.c:1:11: error: `struct nobody` is not declared here
    "#]],
    );
    check(
        r"requires q.z == 1;",
        expect![[r#"
        t.c:1:12: error: `struct pair` has no member `z`
    "#]],
    );
    check(
        r"requires n.x == 1;",
        expect![[r#"
        t.c:1:10: error: `int` is no struct or union, so it has no members
    "#]],
    );
    check(
        r"requires a->x == 1;",
        expect![[r#"
        t.c:1:10: error: `int` is no struct or union, so it has no members
    "#]],
    );
    check(
        r"ensures \result.x == 1;",
        expect![[r#"
        t.c:1:9: error: `int` is no struct or union, so it has no members
    "#]],
    );
    check(
        r"behavior b: assumes n > 0; behavior b: assumes n <= 0;",
        expect![[r#"
        t.c:1:37: error: a second behaviour `b`
          t.c:1:10: the first is here
    "#]],
    );
    check(
        r"behavior b: assumes n > 0; complete behaviors b, c;",
        expect![[r#"
        t.c:1:50: error: there is no behaviour `c`
    "#]],
    );
    check(
        r"complete behaviors;",
        expect![[r#"
        t.c:1:1: error: there are no behaviours that this could be about
    "#]],
    );
    check(
        r"disjoint behaviors a, b;",
        expect![[r#"
        t.c:1:1: error: there are no behaviours that this could be about
    "#]],
    );
}

#[test]
fn labels() {
    check(
        r"requires \result > 0;",
        expect![[r#"
        t.c:1:10: error: `\result` has no meaning here
          help: it is what a function returns, in its `ensures`
    "#]],
    );
    check(
        r"requires \old(n) > 0;",
        expect![[r#"
        t.c:1:10: error: `\old` has no meaning here
          help: it stands in `ensures`; elsewhere there is `\at(…, Pre)`
    "#]],
    );
    check(
        r"requires \at(n, Post) > 0;",
        expect![[r#"
        t.c:1:17: error: there is no label `Post` here
          help: known here: Here, Init, Pre
    "#]],
    );
    check(
        r"requires \at(n, Old) > 0;",
        expect![[r#"
        t.c:1:17: error: there is no label `Old` here
          help: known here: Here, Init, Pre
    "#]],
    );
    check(
        r"ensures \at(n, LoopEntry) > 0;",
        expect![[r#"
        t.c:1:16: error: there is no label `LoopEntry` here
          help: known here: Here, Init, Old, Post, Pre
    "#]],
    );
    check(
        r"ensures \at(n, Foo) > 0;",
        expect![[r#"
        t.c:1:16: error: there is no label `Foo` here
          help: known here: Here, Init, Old, Post, Pre
    "#]],
    );
    check(
        r"requires sum{Pre, Here}(a, 1) == 1;",
        expect![[r#"
        t.c:1:10: error: `sum` has 1 label, and 2 are given
    "#]],
    );
    check(
        r"requires sum{Foo}(a, 1) == 1;",
        expect![[r#"
        t.c:1:14: error: there is no label `Foo` here
          help: known here: Here, Init, Pre
    "#]],
    );
    check(
        r"requires same(a);",
        expect![[r#"
        t.c:1:10: error: `same` has 2 labels, and none is given
    "#]],
    );
    check(
        r"requires same{Pre}(a);",
        expect![[r#"
        t.c:1:10: error: `same` has 2 labels, and 1 is given
    "#]],
    );
    check(
        r"requires inc{Here}(1) == 1;",
        expect![[r#"
        t.c:1:10: error: `inc` has no labels, and 1 is given
    "#]],
    );
    check(
        r"requires \valid{Here, Pre}(a);",
        expect![[r#"
        t.c:1:10: error: `\valid` has 1 label, and 2 are given
    "#]],
    );
    check(
        r"requires \separated{Here}(a, p);",
        expect![[r#"
        t.c:1:21: error: `\separated` has no labels
    "#]],
    );
    check(
        r"requires n{Here} == 1;",
        expect![[r#"
        t.c:1:10: error: `n` is a variable, it has no labels
    "#]],
    );
    check(
        r"behavior b: assumes \old(n) > 0;",
        expect![[r#"
        t.c:1:21: error: `\old` has no meaning here
          help: it stands in `ensures`; elsewhere there is `\at(…, Pre)`
    "#]],
    );
    check(
        r"decreases \old(n);",
        expect![[r#"
        t.c:1:11: error: `\old` has no meaning here
          help: it stands in `ensures`; elsewhere there is `\at(…, Pre)`
    "#]],
    );
    check(
        r"assigns \at(*a, Pre);",
        expect![[r#"
        t.c:1:9: unsupported: `\at` and `\old` as what is assigned
    "#]],
    );
}

#[test]
fn types() {
    check(
        r"requires d;",
        expect![[r#"
        t.c:1:10: error: a condition is expected, and this is `double`
          help: compare it with something
    "#]],
    );
    check(
        r"requires *n == 1;",
        expect![[r#"
        t.c:1:11: error: `*` needs a pointer, and this is `int`
    "#]],
    );
    check(
        r"requires *v == 1;",
        expect![[r#"
        t.c:1:11: error: this is a pointer to `void`
          help: cast it to a pointer to the type that is meant
    "#]],
    );
    check(
        r"requires v[0] == 1;",
        expect![[r#"
        t.c:1:10: error: this is a pointer to `void`
          help: cast it to a pointer to the type that is meant
    "#]],
    );
    check(
        r"requires n[1] == 1;",
        expect![[r#"
        t.c:1:10: error: `[ ]` needs an array or a pointer, and this is `int`
    "#]],
    );
    check(
        r"requires a[1.5] == 1;",
        expect![[r#"
        t.c:1:12: error: an integer is expected, and this is `real`
    "#]],
    );
    check(
        r"requires a[p] == 1;",
        expect![[r#"
        t.c:1:12: error: an integer is expected, and this is `int *`
    "#]],
    );
    check(
        r"requires a + p == a;",
        expect![[r#"
        t.c:1:10: error: two pointers cannot be added
    "#]],
    );
    check(
        r"requires 1 - a == p;",
        expect![[r#"
        t.c:1:10: error: a pointer cannot be subtracted from a number
    "#]],
    );
    check(
        r"requires a * 2 == p;",
        expect![[r#"
        t.c:1:10: error: a number is expected, and this is `int *`
    "#]],
    );
    check(
        r"requires -a == p;",
        expect![[r#"
        t.c:1:11: error: a number is expected, and this is `int *`
    "#]],
    );
    check(
        r"requires ~d == 1;",
        expect![[r#"
        t.c:1:11: error: an integer is expected, and this is `double`
    "#]],
    );
    check(
        r"requires !q;",
        expect![[r#"
        t.c:1:11: error: a condition is expected, and this is `struct pair`
          help: compare it with something
    "#]],
    );
    check(
        r"requires d % 2 == 1;",
        expect![[r#"
        t.c:1:10: error: an integer is expected, and this is `double`
    "#]],
    );
    check(
        r"requires (d & 1) == 1;",
        expect![[r#"
        t.c:1:11: error: an integer is expected, and this is `double`
    "#]],
    );
    check(
        r"requires n & i == 1;",
        expect![[r#"
        t.c:1:14: error: a condition has no bits
          help: `&&`, `||` and `^^` join conditions; comparisons bind tighter than `&`
    "#]],
    );
    check(
        r"requires (n > 0 | i > 0);",
        expect![[r#"
        t.c:1:11: error: a condition has no bits
          help: `&&`, `||` and `^^` join conditions; comparisons bind tighter than `&`
    "#]],
    );
    check(
        r"requires n << d == 1;",
        expect![[r#"
        t.c:1:15: error: an integer is expected, and this is `double`
    "#]],
    );
    check(
        r"requires (n > 0) + 1 == 2;",
        expect![[r#"
        t.c:1:10: error: a number is expected, and this is `boolean`
    "#]],
    );
    check(
        r"requires (n > 0) < (i > 0);",
        expect![[r#"
        t.c:1:10: error: truth values have no order
    "#]],
    );
    check(
        r"requires \true == d;",
        expect![[r#"
        t.c:1:19: error: a truth value is expected, and this is `double`
    "#]],
    );
    check(
        r"requires \true == a;",
        expect![[r#"
        t.c:1:19: error: a truth value is expected, and this is `int *`
    "#]],
    );
    check(
        r"requires a == 1;",
        expect![[r#"
        t.c:1:15: error: `int *` cannot be compared with `integer`
    "#]],
    );
    check(
        r"requires a == s;",
        expect![[r#"
        t.c:1:15: error: `int *` and `char *` are pointers of different types
          help: cast one of them
    "#]],
    );
    check(
        r"requires a == n;",
        expect![[r#"
        t.c:1:15: error: `int *` cannot be compared with `int`
    "#]],
    );
    check(
        r"requires a < d;",
        expect![[r#"
        t.c:1:14: error: `int *` cannot be compared with `double`
    "#]],
    );
    check(
        r"requires q == n;",
        expect![[r#"
        t.c:1:15: error: `struct pair` cannot be compared with `int`
    "#]],
    );
    check(
        r"requires (n > 0 ? a : 1) == a;",
        expect![[r#"
        t.c:1:23: error: this is `integer`, and `int *` stands beside it
    "#]],
    );
    check(
        r"requires (n > 0 ? a : s) == a;",
        expect![[r#"
        t.c:1:23: error: `int *` and `char *` are pointers of different types
          help: cast one of them
    "#]],
    );
    check(
        r"requires inc(d) == 1;",
        expect![[r#"
        t.c:1:14: error: `integer` is expected, and this is `double`
          help: a cast converts: `(integer)`
    "#]],
    );
    check(
        r"requires inc(a) == 1;",
        expect![[r#"
        t.c:1:14: error: `integer` is expected, and this is `int *`
    "#]],
    );
    check(
        r"requires inc(\true) == 1;",
        expect![[r#"
        t.c:1:14: error: `integer` is expected, and this is `boolean`
    "#]],
    );
    check(
        r"requires positive(1);",
        expect![[r#"
        t.c:1:19: error: `int` is expected, and this is `integer`
          help: a cast converts: `(int)`
    "#]],
    );
    check(
        r"requires positive(u);",
        expect![[r#"
        t.c:1:19: error: `int` is expected, and this is `unsigned int`
          help: a cast converts: `(int)`
    "#]],
    );
    check(
        r"requires positive(n + 1);",
        expect![[r#"
        t.c:1:19: error: `int` is expected, and this is `integer`
          help: a cast converts: `(int)`
    "#]],
    );
    check(
        r"requires flag(1);",
        expect![[r#"
        t.c:1:15: error: `boolean` is expected, and this is `integer`
          help: a cast converts: `(boolean)`
    "#]],
    );
    check(
        r"requires points(n);",
        expect![[r#"
        t.c:1:17: error: `void *` is expected, and this is `int`
    "#]],
    );
    check(
        r"requires sum(s, 1) == 1;",
        expect![[r#"
        t.c:1:14: error: `int *` is expected, and this is `char *`
    "#]],
    );
    check(
        r"requires \valid(n);",
        expect![[r#"
        t.c:1:17: error: a pointer is expected, and this is `int`
          help: `&` gives the address of a place
    "#]],
    );
    check(
        r"requires \valid(v);",
        expect![[r#"
        t.c:1:17: error: this is a pointer to `void`, which says not how much is meant
          help: cast it: `(char *)p + (0 .. n - 1)`
    "#]],
    );
    check(
        r"requires \valid(a[0 .. 3]);",
        expect![[r#"
        t.c:1:17: error: a pointer is expected, and this is `set of int`
          help: `&` gives the address of a place
    "#]],
    );
    check(
        r"requires \valid(a, p);",
        expect![[r#"
        t.c:1:10: error: `\valid` has 1 argument
    "#]],
    );
    check(
        r"requires \separated(a, n);",
        expect![[r#"
        t.c:1:24: error: a pointer is expected, and this is `int`
          help: `&` gives the address of a place
    "#]],
    );
    check(
        r"requires \min(a, 1) == 1;",
        expect![[r#"
        t.c:1:15: error: a number is expected, and this is `int *`
    "#]],
    );
    check(
        r"requires \abs(1, 2) == 1;",
        expect![[r#"
        t.c:1:10: error: `\abs` has 1 argument
    "#]],
    );
    check(
        r"requires \min(1) == 1;",
        expect![[r#"
        t.c:1:10: error: `\min` has 2 arguments
    "#]],
    );
    check(
        r"requires \sum(1, 2) == 3;",
        expect![[r#"
        t.c:1:10: error: `\sum` has 3 arguments
    "#]],
    );
    check(
        r"requires \sum(1, 2, \lambda integer k, l; k) == 3;",
        expect![[r#"
        t.c:1:21: error: this `\lambda` has one variable
    "#]],
    );
    check(
        r"requires \sum(1, 2, \lambda int k; k) == 3;",
        expect![[r#"
        t.c:1:29: error: the variable goes through all of `integer`
    "#]],
    );
    check(
        r"requires \sum(1.5, 2, \lambda integer k; k) == 3;",
        expect![[r#"
        t.c:1:15: error: an integer is expected, and this is `real`
    "#]],
    );
    check(
        r"requires &(n + 1) == a;",
        expect![[r#"
        t.c:1:10: error: only what is in memory has an address
    "#]],
    );
    check(
        r"requires &\true == a;",
        expect![[r#"
        t.c:1:11: error: a predicate is no place in memory
    "#]],
    );
    check(
        r"requires (struct pair)n == q;",
        expect![[r#"
        t.c:1:10: error: `int` cannot be cast to `struct pair`
    "#]],
    );
    check(
        r"requires (int *)d == a;",
        expect![[r#"
        t.c:1:10: error: `double` cannot be cast to `int *`
    "#]],
    );
    check(
        r"requires (void)n == 1;",
        expect![[r#"
        t.c:1:10: error: `int` cannot be cast to `void`
    "#]],
    );
    check(
        r"requires (real)\true == 1;",
        expect![[r#"
        t.c:1:10: error: `boolean` cannot be cast to `real`
    "#]],
    );
    check(
        r"requires (integer *)a == a;",
        expect![[r#"
        t.c:1:11: error: `integer` is no type of C, so nothing in memory has it
    "#]],
    );
    check(
        r"requires (int[x])a == a;",
        expect![[r#"
        t.c:1:15: error: expected `]` after the length, which is a number, found `x`
    "#]],
    );
    check(
        r"requires sizeof(void) == 1;",
        expect![[r#"
        t.c:1:10: error: the size of `void` is not known
    "#]],
    );
    check(
        r"requires sizeof(integer) == 1;",
        expect![[r#"
        t.c:1:10: error: `integer` is no type of C, so it has no size
    "#]],
    );
    check(
        r"requires \forall void x; \true;",
        expect![[r#"
        t.c:1:18: error: a variable cannot have the type `void`
    "#]],
    );
    check(
        r"requires \forall void x[3]; \true;",
        expect![[r#"
        t.c:1:18: error: an array of `void`
    "#]],
    );
    check(
        r"requires \lambda integer k; k;",
        expect![[r#"
        t.c:1:10: unsupported: `\lambda` outside of `\sum` and the like
    "#]],
    );
    check(
        r"decreases d;",
        expect![[r#"
        t.c:1:11: error: an integer is expected, and this is `double`
    "#]],
    );
    check(
        r"decreases a;",
        expect![[r#"
        t.c:1:11: error: an integer is expected, and this is `int *`
    "#]],
    );
    check(
        r"assigns n + 1;",
        expect![[r#"
        t.c:1:9: error: this is a value, and only places in memory are assigned
    "#]],
    );
    check(
        r"assigns 3;",
        expect![[r#"
        t.c:1:9: error: this is a value, and only places in memory are assigned
    "#]],
    );
    check(
        r"assigns n;",
        expect![[r#"
        t.c:1:9: error: `n` is a parameter, which no caller sees change
          help: leave it out
    "#]],
    );
    check(
        r"assigns arr;",
        expect![[r#"
        t.c:1:9: error: an array cannot be assigned as a whole
          help: name its elements: `[0 .. 9]`
    "#]],
    );
    check(
        r"assigns m[0 .. 1];",
        expect![[r#"
        t.c:1:9: error: an array cannot be assigned as a whole
          help: name its elements: `[0 .. 2]`
    "#]],
    );
    check(
        r"assigns \null;",
        expect![[r#"
        t.c:1:9: error: this is a value, and only places in memory are assigned
    "#]],
    );
    check(
        r"assigns &g;",
        expect![[r#"
        t.c:1:9: error: this is a value, and only places in memory are assigned
    "#]],
    );
    check(
        r"assigns \true;",
        expect![[r#"
        t.c:1:9: error: a predicate is no place in memory
    "#]],
    );
    check(
        r"assigns a[0 .. n - 1][0];",
        expect![[r#"
        t.c:1:9: error: `[ ]` needs an array or a pointer, and this is `set of int`
    "#]],
    );
    check(
        r"assigns inc(n);",
        expect![[r#"
        t.c:1:9: error: this is a value, and only places in memory are assigned
    "#]],
    );
}

#[test]
fn bodies() {
    check_body(
        r"check loop assigns g;",
        expect![[r#"
        t.c:1:12: error: expected `invariant`, found `assigns`
    "#]],
    );
    check_body(
        r"admit loop variant n;",
        expect![[r#"
        t.c:1:12: error: expected `invariant`, found `variant`
    "#]],
    );
    check_body(
        r"loop invariant \result == 1;",
        expect![[r#"
        t.c:1:16: error: `\result` has no meaning here
          help: it is what a function returns, in its `ensures`
    "#]],
    );
    check_body(
        r"loop invariant \old(n) == n;",
        expect![[r#"
        t.c:1:16: error: `\old` has no meaning here
          help: it stands in `ensures`; elsewhere there is `\at(…, Pre)`
    "#]],
    );
    check_body(
        r"loop invariant \at(n, Post) == n;",
        expect![[r#"
        t.c:1:23: error: there is no label `Post` here
          help: known here: Here, Init, LoopCurrent, LoopEntry, Pre
    "#]],
    );
    check_body(
        r"loop invariant \at(n, nowhere) == n;",
        expect![[r#"
        t.c:1:23: error: there is no label `nowhere` here
          help: known here: Here, Init, LoopCurrent, LoopEntry, Pre
    "#]],
    );
    check_body(
        r"loop variant d;",
        expect![[r#"
        t.c:1:14: error: an integer is expected, and this is `double`
    "#]],
    );
    check_body(
        r"loop variant n; loop variant i;",
        expect![[r#"
        t.c:1:17: error: a second `loop variant`
    "#]],
    );
    check_body(
        r"loop invariant n > 0; assert i > 0;",
        expect![[r#"
        t.c:1:23: error: `assert` is no part of what is said about a loop
          help: put it into a comment of its own
    "#]],
    );
    check_body(
        r"assert i > 0; loop invariant n > 0;",
        expect![[r#"
        t.c:1:15: error: `loop` among assertions
          help: put it into a comment of its own
    "#]],
    );
    check_body(
        r"loop n > 0;",
        expect![[r#"
        t.c:1:6: unsupported: `loop n`
    "#]],
    );
    check_body(
        r"loop invariant n > 0",
        expect![[r#"
        t.c:1:20: error: expected `;` after the clause, found the end
    "#]],
    );
    check_body(
        r"for medium: loop invariant n > 0;",
        expect![[r#"
        t.c:1:5: error: there is no behaviour `medium`
          help: behaviours are those of the function's contract
    "#]],
    );
    check_body(
        r"for small: loop variant n;",
        expect![[r#"
        t.c:1:1: error: a variant holds for all behaviours
    "#]],
    );
    check_body(
        r"for small loop invariant n > 0;",
        expect![[r#"
        t.c:1:1: error: expected `loop`, `assert`, `check` or `admit`, found `for`
    "#]],
    );
    check_body(
        r"for : assert n > 0;",
        expect![[r#"
        t.c:1:5: error: expected the name of a behaviour, found `:`
    "#]],
    );
    check_body(
        r"assert \at(i, LoopEntry) == 0;",
        expect![[r#"
        t.c:1:15: error: there is no label `LoopEntry` here
          help: known here: Here, Init, Pre
    "#]],
    );
    check_body(
        r"assert \old(i) == 0;",
        expect![[r#"
        t.c:1:8: error: `\old` has no meaning here
          help: it stands in `ensures`; elsewhere there is `\at(…, Pre)`
    "#]],
    );
    check_body(
        r"assert \at(i, again) == 0 && \at(i, later) == 0;",
        expect![[r#"
        t.c:1:37: error: there is no label `later` here
          help: known here: Here, Init, Pre
    "#]],
    );
    check_body(
        r"assert n > 0 assert i > 0;",
        expect![[r#"
        t.c:1:12: error: expected `;` after the clause, found `assert`
    "#]],
    );
    check_body(
        r"for medium: check n > 0;",
        expect![[r#"
        t.c:1:5: error: there is no behaviour `medium`
          help: behaviours are those of the function's contract
    "#]],
    );
    check_body(
        r"logic integer h(integer n) = n;",
        expect![[r#"
        t.c:1:1: error: `logic` cannot stand in the body of a function
          help: put it before the function
    "#]],
    );
    check_body(
        r"lemma h: \true;",
        expect![[r#"
        t.c:1:1: error: `lemma` cannot stand in the body of a function
          help: put it before the function
    "#]],
    );
    check_body(
        r"requiers n > 0;",
        expect![[r#"
        t.c:1:1: error: expected `loop`, `assert`, `check` or `admit`, found `requiers`
    "#]],
    );
    check_body(
        r"loop assigns n + 1;",
        expect![[r#"
        t.c:1:14: error: this is a value, and only places in memory are assigned
    "#]],
    );
    check_body(
        r"loop assigns arr;",
        expect![[r#"
        t.c:1:14: error: an array cannot be assigned as a whole
          help: name its elements: `[0 .. 9]`
    "#]],
    );
}

#[test]
fn files() {
    check_file(
        r"axiom a: \true;",
        expect![[r#"
        t.acsl:1:1: error: `axiom` outside of an `axiomatic` block
          help: put it into `axiomatic Name { … }`, or state a `lemma`
    "#]],
    );
    check_file(
        r"axiomatic A { axiomatic B { } }",
        expect![[r#"
        t.acsl:1:15: error: an `axiomatic` block in another one
    "#]],
    );
    check_file(
        r"axiomatic A { axiom a: \true;",
        expect![[r#"
        t.acsl:1:30: error: expected `}` to close the block, found the end
    "#]],
    );
    check_file(
        r"}",
        expect![[r#"
        t.acsl:1:1: error: a `}` that closes nothing
    "#]],
    );
    check_file(
        r"axiomatic A { logic integer h(integer x); } axiomatic A { }",
        expect![[r#"
        t.acsl:1:55: error: a second lemma, axiom or block `A`
          t.acsl:1:11: the first is here
    "#]],
    );
    check_file(
        r"lemma a: \true; lemma a: \true;",
        expect![[r#"
        t.acsl:1:23: error: a second lemma, axiom or block `a`
          t.acsl:1:7: the first is here
    "#]],
    );
    check_file(
        r"logic integer inc(integer y) = 1;",
        expect![[r#"
        t.acsl:1:15: error: a second function or predicate `inc`
          help: the first is at logic.acsl:2:15
    "#]],
    );
    check_file(
        r"logic integer h(integer x) = x; predicate h(integer y) = y == 1;",
        expect![[r#"
        t.acsl:1:43: error: a second function or predicate `h`
          t.acsl:1:15: the first is here
    "#]],
    );
    check_file(
        r"logic integer h(integer x, integer x) = x;",
        expect![[r#"
        t.acsl:1:36: error: a second variable `x`
    "#]],
    );
    check_file(
        r"logic integer h() = 1;",
        expect![[r#"
        t.acsl:1:17: error: an empty list of parameters
          help: without parameters there are no parentheses
    "#]],
    );
    check_file(
        r"logic integer h(integer) = 1;",
        expect![[r#"
        t.acsl:1:24: error: expected the name of a variable, found `)`
    "#]],
    );
    check_file(
        r"logic integer h(integer x) = y;",
        expect![[r#"
        t.acsl:1:30: error: `y` is not declared
    "#]],
    );
    check_file(
        r"logic integer h(integer x) = h(x, 1);",
        expect![[r#"
        t.acsl:1:30: error: `h` has 1 parameter, and 2 are given
    "#]],
    );
    check_file(
        r"logic integer h(integer x) = x > 0;",
        expect![[r#"
        t.acsl:1:30: error: `integer` is expected, and this is `boolean`
    "#]],
    );
    check_file(
        r"logic integer h(real x) = x;",
        expect![[r#"
        t.acsl:1:27: error: `integer` is expected, and this is `real`
          help: a cast converts: `(integer)`
    "#]],
    );
    check_file(
        r"logic int h(int x) = x + 1;",
        expect![[r#"
        t.acsl:1:22: error: `int` is expected, and this is `integer`
          help: a cast converts: `(int)`
    "#]],
    );
    check_file(
        r"logic boolean h(integer x) = x;",
        expect![[r#"
        t.acsl:1:30: error: `boolean` is expected, and this is `integer`
          help: a cast converts: `(boolean)`
    "#]],
    );
    check_file(
        r"logic void h(integer x) = x;",
        expect![[r#"
        t.acsl:1:7: error: a logic function without a result
          help: what is true or false is a `predicate`
    "#]],
    );
    check_file(
        r"logic h(integer x) = x;",
        expect![[r#"
        t.acsl:1:7: error: `h` is not a type
    "#]],
    );
    check_file(
        r"logic nothing h(integer x) = x;",
        expect![[r#"
        t.acsl:1:7: error: `nothing` is not a type
    "#]],
    );
    check_file(
        r"logic integer h(nothing x) = x;",
        expect![[r#"
        t.acsl:1:17: error: `nothing` is not a type
    "#]],
    );
    check_file(
        r"predicate h(integer x) = x + 1.5;",
        expect![[r#"
        t.acsl:1:26: error: a condition is expected, and this is `real`
          help: compare it with something
    "#]],
    );
    check_file(
        r"predicate h{L, L}(int *b) = *b == 1;",
        expect![[r#"
        t.acsl:1:16: error: a second label `L`
    "#]],
    );
    check_file(
        r"predicate h{A, B}(int *b) = *b == 1;",
        expect![[r#"
        t.acsl:1:29: error: this reads memory, and several labels could be meant
          help: say which one: `\at(…, L)`, or `{L}` behind the name of the function
    "#]],
    );
    check_file(
        r"predicate h{A, B}(int *b) = sum(b, 1) == 1;",
        expect![[r#"
        t.acsl:1:29: error: this reads memory, and several labels could be meant
          help: say which one: `\at(…, L)`, or `{L}` behind the name of the function
    "#]],
    );
    check_file(
        r"predicate h(int *b) = \at(*b, Here) == 1;",
        expect![[r#"
        t.acsl:1:31: error: there is no label `Here` here
          help: labels are declared behind the name: `{L}`
    "#]],
    );
    check_file(
        r"predicate h(int *b) = \at(*b, Pre) == 1;",
        expect![[r#"
        t.acsl:1:31: error: there is no label `Pre` here
          help: labels are declared behind the name: `{L}`
    "#]],
    );
    check_file(
        r"predicate h(int *b) = \old(*b) == 1;",
        expect![[r#"
        t.acsl:1:23: error: `\old` has no meaning here
          help: it stands in `ensures`; elsewhere there is `\at(…, Pre)`
    "#]],
    );
    check_file(
        r"lemma h: \result == 1;",
        expect![[r#"
        t.acsl:1:10: error: `\result` has no meaning here
          help: it is what a function returns, in its `ensures`
    "#]],
    );
    check_file(
        r"lemma h: \forall int *b; \valid{M}(b);",
        expect![[r#"
        t.acsl:1:33: error: there is no label `M` here
          help: labels are declared behind the name: `{L}`
    "#]],
    );
    check_file(
        r"lemma h: 1;
lemma : 2;
lemma k 3;",
        expect![[r#"
    t.acsl:2:7: error: expected the name of the lemma, found `:`
    t.acsl:3:9: error: expected `:` after the name of the lemma, found `3`
"#]],
    );
    check_file(
        r"lemma h: \forall integer x; x ==> ;",
        expect![[r#"
        t.acsl:1:35: error: expected an expression, found `;`
    "#]],
    );
    check_file(
        r"logic integer h(integer x) reads x;",
        expect![[r#"
        t.acsl:1:34: error: only places in memory are read
    "#]],
    );
    check_file(
        r"logic integer h(int *b) reads b + 1;",
        expect![[r#"
        t.acsl:1:31: error: only places in memory are read
    "#]],
    );
    check_file(
        r"inductive h(integer x) { case c: h(0) }",
        expect![[r#"
        t.acsl:1:37: error: expected `;` after the case, found `}`
    "#]],
    );
    check_file(
        r"inductive h(integer x) { case c: \forall integer x; h(x) && x == 1; }",
        expect![[r#"
        t.acsl:1:34: error: a case ends with the predicate that it is about
          help: `\forall …; premise ==> p(…)`
    "#]],
    );
    check_file(
        r"inductive h(int *b) { case c: \forall int *b; *b == 1 ==> h(b); }",
        expect![[r#"
        t.acsl:1:28: error: this case reads memory, and the predicate has no label
          help: write the label behind both names: `{L}`
    "#]],
    );
    check_file(
        r"inductive h(integer x) { foo }",
        expect![[r#"
        t.acsl:1:26: error: expected `case` or `}`, found `foo`
    "#]],
    );
    check_file(
        r"requires n > 0;",
        expect![[r#"
        t.acsl:1:1: error: `requires` is no declaration
          help: contracts and assertions stand in comments of a C file
    "#]],
    );
    check_file(
        r"logic integer h(integer x) = x;;",
        expect![[r#"
        t.acsl:1:32: error: expected a declaration (`logic`, `predicate`, `lemma`, …), found `;`
    "#]],
    );
    check_file(
        r"check h: \true;",
        expect![[r#"
        t.acsl:1:7: error: expected `lemma`, found `h`
    "#]],
    );
    check_file(
        r"lemma h: ten == 1 && half(ten) == sum(ten, 1);",
        expect![[r#"
        t.acsl:1:39: error: `int *` is expected, and this is `integer`
    "#]],
    );
    check_file(
        r"logic integer i = 3; lemma amb: i == 3;",
        expect![[r#"
        t.acsl:1:33: error: `i` is a name of the program and of the logic
          help: give one of them another name
    "#]],
    );
    check_file(
        r"/*@ lemma h: \true; /* inner */ */",
        expect![[r#"
        t.acsl:1:21: error: a comment in a comment
          help: write `//` before it
    "#]],
    );
    check_file(
        r"/* open",
        expect![[r#"
        t.acsl:1:1: error: this comment is never closed
          help: end it with `*/`
    "#]],
    );
}
