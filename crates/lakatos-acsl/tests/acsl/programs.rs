//! Annotated C files.

use expect_test::{Expect, expect};
use lakatos_acsl::erase::{self, Eraser};
use lakatos_acsl::read::{self, Annotations};
use lakatos_acsl::tree::Theory;
use lakatos_c::ast::Unit;
use lakatos_ir::Source;

use crate::lines;

pub const ANNOTATED: &str = r#"
typedef unsigned long size;
enum mode { FAST, SLOW = 7 };
struct node { int value; struct { int low, high; }; struct node *next; };
int table[4], total;

/*@ predicate in_range(integer k) = 0 <= k < 4;
  @ logic integer first{L}(struct node *x) = x->low + x->value;
  @*/

/*@ requires \valid_read(from + (0 .. count - 1));
    requires what == FAST || (enum mode)what == SLOW;
    assigns total, table[0 .. 3];
    ensures \result == total && total >= \old(total);
    behavior none:
      assumes count == 0;
      ensures \result == \old(total);
    behavior some:
      assumes count > 0;
    complete behaviors;
    disjoint behaviors none, some; */
extern int add(const int *from, size count, enum mode what);

//@ ensures first(x) == \old(first(x)) && \result == (size)x->high;
size high(struct node *x) { return x->high; }

/*@ requires n >= 0;
    behavior big: assumes n > 100; */
int run(int n) {
    int i = 0, total = 0;
start:
    i = 0;
    /*@ loop invariant 0 <= i <= n && in_range(0);
        loop invariant \at(i, start) == \at(i, LoopEntry) && \at(n, Pre) == n;
        for big: loop invariant total <= n;
        loop assigns i, total;
        loop variant n - i; */
    while (i < n) {
        typedef int number;
        int n = 1;
        //@ assert n == (number)1;
        i += n;
        /*@ check \at(i, LoopCurrent) + 1 == i; */
        /*@ for big: admit i < 1000; */
    }
    /*@ loop invariant k <= 4 && total >= 0; loop assigns k; */
    for (int k = 0; k < 4; k++) {
        //@ assert in_range(k);
        ;
    }
    //@ assert i == n;
    return total;
}
"#;

pub fn unit(text: &str) -> Unit {
    let source = Source::new("t.c", text);
    lakatos_c::check(source, &lakatos_c::Options::default())
        .unwrap_or_else(|f| panic!("{}", lines(&f.source, &f.diagnostics)))
}

/// All annotations, printed from what they mean.
pub fn printed(unit: &Unit, theory: &Theory, annotations: &Annotations) -> String {
    let eraser = Eraser::new(theory);
    let line = |span: lakatos_ir::Span| unit.source.position(span.start).line;
    let whole = |complete: bool| if complete { "" } else { ", not all of it" };
    let mut text = String::new();
    for item in &theory.items {
        text += &format!("{}\n", erase::item(theory, item));
    }
    for c in &annotations.contracts {
        text += &format!("{} (line {}{}):\n", c.name, line(c.span), whole(c.complete));
        text += &eraser.contract(&c.contract).to_string();
    }
    for l in &annotations.loops {
        text += &format!("loop (line {}{}):\n", line(l.span), whole(l.complete));
        text += &eraser.loop_annotation(&l.body).to_string();
    }
    for a in &annotations.assertions {
        text += &format!("line {}{}: ", line(a.span), whole(a.complete));
        let all = a.body.iter().map(|a| eraser.assertion(a)).collect();
        text += &lakatos_acsl::syntax::Annotation::Code(all).to_string();
    }
    text + &lines(&unit.source, &annotations.unsupported)
}

#[track_caller]
fn check(text: &str, expected: Expect) {
    let unit = unit(text);
    let mut theory = Theory::default();
    let said = match read::read_program(&mut theory, &unit) {
        Ok(annotations) => printed(&unit, &theory, &annotations),
        Err(failure) => lines(&failure.file, &failure.diagnostics),
    };
    expected.assert_eq(&said);
}

#[test]
fn a_program_with_annotations_everywhere() {
    check(
        ANNOTATED,
        expect![[r#"
        predicate in_range(integer k) = 0 <= k < 4;
        logic integer first{L}(struct node *x) = x->low + x->value;
        add (line 11):
        requires \valid_read(from + (0 .. count - 1));
        requires what == FAST || what == SLOW;
        assigns total, table[0 .. 3];
        ensures \result == total && total >= \old(total);
        behavior none:
          assumes count == 0;
          ensures \result == \old(total);
        behavior some:
          assumes count > 0;
        complete behaviors;
        disjoint behaviors none, some;
        high (line 24):
        ensures first(x) == \old(first(x)) && \result == (unsigned long)x->high;
        run (line 27):
        requires n >= 0;
        behavior big:
          assumes n > 100;
        loop (line 33):
        loop invariant 0 <= i <= n && in_range(0);
        loop invariant \at(i, start) == \at(i, LoopEntry) && \at(n, Pre) == n;
        for big: loop invariant total <= n;
        loop assigns i, total;
        loop variant n - i;
        loop (line 46):
        loop invariant k <= 4 && total >= 0;
        loop assigns k;
        line 41: assert n == (int)1;
        line 43: check \at(i, LoopCurrent) + 1 == i;
        line 44: for big: admit i < 1000;
        line 48: assert in_range(k);
        line 51: assert i == n;
    "#]],
    );
}

#[test]
fn scopes() {
    // A declaration of the logic is known behind it only.
    check(
        "/*@ requires q(x); */ void f(int x);\n/*@ predicate q(integer y) = y > 0; */\n",
        expect![[r#"
        t.c:1:14: error: there is no function or predicate `q`
    "#]],
    );
    // The parameters are those of the declaration behind the contract.
    check(
        "/*@ requires x > 0; */ void f(int x); /*@ requires y > 0; */ void f(int y) {}",
        expect![[r#"
        f (line 1):
        requires x > 0;
        f (line 1):
        requires y > 0;
    "#]],
    );
    check(
        "/*@ requires y > 0; */ void f(int x); void f(int y) {}",
        expect![[r#"
        t.c:1:14: error: `y` is not declared
    "#]],
    );
    check(
        "/*@ requires x > 0; */ void f(int);",
        expect![[r#"
        t.c:1:14: error: `x` is not declared
    "#]],
    );
    // Locals of a block end with it, and inner ones hide outer ones.
    check(
        "int x; void f(void) { { char *x; /*@ assert x == \\null; */ ; } /*@ assert x == 0; */ ; }",
        expect![[r#"
        line 1: assert x == \null;
        line 1: assert x == 0;
    "#]],
    );
    check(
        "void f(void) { { int z; } /*@ assert z == 0; */ ; }",
        expect![[r#"
        t.c:1:38: error: `z` is not declared
    "#]],
    );
    check(
        "void f(void) { /*@ assert z == 0; */ int z = 1; }",
        expect![[r#"
        t.c:1:27: error: `z` is not declared
    "#]],
    );
    check(
        "void f(int n) { for (int i = 0; i < n; i++) {} /*@ assert i == n; */ ; }",
        expect![[r#"
        t.c:1:59: error: `i` is not declared
    "#]],
    );
    check(
        "typedef int T; /*@ requires (T)x == 1; */ void f(int x) { int T = 1; /*@ assert (T) - x == 1; */ ; }",
        expect![[r#"
        f (line 1):
        requires x == 1;
        line 1: assert T - x == 1;
    "#]],
    );
    // Labels of the same function, before the place.
    check(
        "void g(void) { M: ; } void f(int x) { L: x++; /*@ assert \\at(x, L) == x - 1; */ ; /*@ assert \\at(x, M) == 0; */ ; }",
        expect![[r#"
        t.c:1:101: error: there is no label `M` here
          help: known here: Here, Init, Pre
    "#]],
    );
    check(
        "void f(int x) { /*@ assert \\at(x, L) == 0; */ L: x++; }",
        expect![[r#"
        t.c:1:35: error: there is no label `L` here
          help: known here: Here, Init, Pre
    "#]],
    );
    check(
        "void f(int x) { /*@ assert \\at(x, LoopEntry) == 0; */ while (x) x--; }",
        expect![[r#"
        t.c:1:35: error: there is no label `LoopEntry` here
          help: known here: Here, Init, Pre
    "#]],
    );
}

#[test]
fn misplaced() {
    check(
        "/*@ requires \\true; */ int x;",
        expect![[r#"
        t.c:1:1: error: a contract stands before a declaration or definition of a function
          help: put it right before the function that it is about
    "#]],
    );
    check(
        "/*@ requires \\true; */",
        expect![[r#"
        t.c:1:1: error: a contract stands before a declaration or definition of a function
          help: put it right before the function that it is about
    "#]],
    );
    check(
        "/*@ loop invariant \\true; */ void f(void) {}",
        expect![[r#"
        t.c:1:5: error: expected a clause of a contract (`requires`, …) or a declaration (`logic`, …), found `loop`
    "#]],
    );
    check(
        "void f(int x) { /*@ loop invariant \\true; */ x = 1; }",
        expect![[r#"
        t.c:1:17: error: there is no loop behind this annotation
          help: put it right before `while`, `for` or `do`
    "#]],
    );
    check(
        "void f(int x) { x = /*@ assert x == 1; */ 1; x = 2; }",
        expect![[r#"
        t.c:1:21: error: this annotation stands where there is nothing to annotate
          help: put it before a statement
    "#]],
    );
    check(
        "void f(int x /*@ requires x > 0; */) {} void g(void) {}",
        expect![[r#"
        t.c:1:18: unsupported: contracts of statements
    "#]],
    );
    check(
        "/*@ ensures \\result == 1; */ void f(void) {}",
        expect![[r#"
        t.c:1:13: error: `\result` has no meaning here
          help: it is what a function returns, in its `ensures`
    "#]],
    );
    check(
        "void f(int x) { /*@ for b: assert x == 1; */ ; }",
        expect![[r#"
        t.c:1:25: error: there is no behaviour `b`
          help: behaviours are those of the function's contract
    "#]],
    );
    check(
        "/*@ lemma l: 1 == 1; */ _Static_assert(1, \"\"); /*@ lemma m: 1 == */ int y;",
        expect![[r#"
        t.c:1:66: error: expected an expression, found the end
    "#]],
    );
    check(
        "void f(int x) { /*@ requires x > 0; */ x = 1; /*@ ghost x = 2; */ x = 3; }",
        expect![[r#"
        t.c:1:21: unsupported: contracts of statements
        t.c:1:51: unsupported: ghost code
    "#]],
    );
    check(
        "/*@ requires x > 0; allocates \\nothing; ensures \\fresh(x, 1); */ void f(int x);",
        expect![[r#"
        f (line 1, not all of it):
        requires x > 0;
        t.c:1:21: unsupported: `allocates`
        t.c:1:49: unsupported: `\fresh`
    "#]],
    );
}

/// A variable is not there in every state that has a name.
#[test]
fn states_without_a_variable() {
    check(
        "int g; void f(int x) { int y = 0; /*@ assert \\at(g, Init) == \\at(x, Pre); */ ; }",
        expect![[r#"
        line 1: assert \at(g, Init) == \at(x, Pre);
    "#]],
    );
    check(
        "void f(int x) { int y = 0; /*@ assert \\at(y, Pre) == 0; */ ; }",
        expect![[r#"
        t.c:1:43: error: there is no `y` in the state `Pre`
    "#]],
    );
    check(
        "/*@ ensures \\at(x, Init) == 0; */ void f(int x) {}",
        expect![[r#"
        t.c:1:17: error: there is no `x` in the state `Init`
    "#]],
    );
    check(
        "void f(int x) { L: ; int y = 0; /*@ assert \\at(x + y, L) == 0; */ ; }",
        expect![[r#"
        t.c:1:52: error: there is no `y` in the state `L`
    "#]],
    );
    check(
        "void f(int x) { static int s; while (x) { int z = 1; /*@ assert \\at(s + x + z, LoopEntry) == 0; */ x--; } }",
        expect![[r#"
        t.c:1:77: error: there is no `z` in the state `LoopEntry`
    "#]],
    );
    check(
        "void f(int x) { for (int k = 0; k < x; k++) { /*@ assert \\at(k, LoopEntry) == 0; */ x--; } }",
        expect![[r#"
        line 1: assert \at(k, LoopEntry) == 0;
    "#]],
    );
}

/// Comments behind labels were lost, or those of the next statement.
#[test]
fn labels_do_not_swallow_annotations() {
    check(
        "void f(int x) {\n  switch (x) {\n  case 0: /*@ loop invariant x > 1; */ do { x++;\n  case 1: x++;\n  } while (x < 9);\n  }\n  L: /*@ assert x > 2; */ x++;\n  /*@ assert x > 3; */ M: }",
        expect![[r#"
            loop (line 3):
            loop invariant x > 1;
            line 7: assert x > 2;
            line 8: assert x > 3;
        "#]],
    );
}

/// Lemma files come first, and their functions are known in the program.
#[test]
fn several_files() {
    let mut theory = Theory::default();
    let env = lakatos_acsl::env::Table::default();
    let source = Source::new("a.acsl", "logic integer twice(integer x) = 2 * x;");
    read::read_file(&mut theory, source, &env).unwrap();
    let source = Source::new("b.acsl", "lemma even: \\forall integer x; twice(x) % 2 == 0;");
    read::read_file(&mut theory, source, &env).unwrap();
    let unit = unit("/*@ ensures \\result == twice(x); */ int f(int x) { return 2 * x; }");
    let annotations = read::read_program(&mut theory, &unit).unwrap();
    expect![[r#"
        logic integer twice(integer x) = 2 * x;
        lemma even: \forall integer x; twice(x) % 2 == 0;
        f (line 1):
        ensures \result == twice(x);
    "#]]
    .assert_eq(&printed(&unit, &theory, &annotations));
    let again = Source::new("c.acsl", "lemma even: \\true;");
    let failure = read::read_file(&mut theory, again, &env).unwrap_err();
    expect![[r#"
        c.acsl:1:7: error: a second lemma, axiom or block `even`
          help: the first is at b.acsl:1:7
    "#]]
    .assert_eq(&lines(&failure.file, &failure.diagnostics));
    assert_eq!(failure.to_string(), "c.acsl:1:7: a second lemma, axiom or block `even`");
}
