//! Snapshots of proofs and refutations.

use expect_test::{Expect, expect};
use lakatos_evidence::{Assumption, Draft, Meaning, Refutation};
use lakatos_ir::interpret::{Keyed, Options};
use lakatos_ir::loops::Loops;
use lakatos_ir::pass::{self, Request};
use lakatos_ir::{Program, Property, Source, VarId};
use lakatos_logic::term::Sort;

use crate::diagnostic::Style;

fn instrumented(text: &str, property: Property) -> Program {
    let program = match lakatos_c::compile(Source::new("t.c", text), &Default::default()) {
        Ok(program) => program,
        Err(failure) => panic!("{:?}", failure.diagnostics),
    };
    pass::instrument(program, &Request { properties: &[property], error_label: None, is_run: true })
        .0
}

/// The refutation by values for each source of inputs, by occurrence and element.
fn check(text: &str, property: Property, values: &[(&str, u32, u64, i128)], expected: Expect) {
    let program = instrumented(text, property);
    let mut inputs = Keyed::default();
    for &(name, occurrence, element, value) in values {
        let (site, _) = program.sites.iter().find(|(_, site)| site.name == name).unwrap();
        inputs.insert(site, occurrence, element, value);
    }
    let found = Refutation::replay(&program, property, &Options::default(), &inputs).unwrap();
    let style = Style { height: 24, ..Style::default() };
    expected.assert_eq(&super::refutation(&program, &found, style));
}

#[test]
fn inputs_calls_and_values() {
    let text = "\
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int total;
int add(int n, int k) {
    total += n * k;
    return total;
}
int main(void) {
    int x;
    int y = __VERIFIER_nondet_int();
    if (x > y) {
        y = add(x, 2);
        add(y,
            y);
    }
    if (total == 110) reach_error();
    return 0;
}
";
    let values = [("x", 0, 0, 5), ("__VERIFIER_nondet_int", 0, 0, -1)];
    check(
        text,
        Property::UnreachCall,
        &values,
        expect![[r#"
        inputs
          x #1 at t.c:9:9 started as 5
          __VERIFIER_nondet_int() #1 at t.c:10:13 returned -1
        trace
          main:9   int x;                            x = 5
          main:10  int y = __VERIFIER_nondet_int();  y = -1
          main:11  if (x > y) {
          main:12  y = add(x, 2);                    n = 5, k = 2
          add:5    total += n * k;                   total = 10
          add:6    return total;                     return = 10
          main:12  y = add(x, 2);                    y = 10
          main:13  add(y,                            n = 10, k = 10
          add:5    total += n * k;                   total = 110
          add:6    return total;                     return = 110
          main:16  if (total == 110) reach_error();
        error: `reach_error` is called
          --> t.c:16:23
           |
        16 |     if (total == 110) reach_error();
           |                       ^^^^^^^^^^^^^
          in main
    "#]],
    );
}

#[test]
fn every_kind_of_input() {
    let text = "\
extern void reach_error(void);
extern float __VERIFIER_nondet_float(void);
struct inner { short a[2]; };
struct outer { int *p; struct inner rows[3]; };
struct outer get(int);
void *malloc(unsigned long);
int main(int argc) {
    struct outer o = get(1), left;
    float f = __VERIFIER_nondet_float();
    unsigned char *bytes = malloc(2);
    if (o.rows[1].a[1] == 7 && left.rows[0].a[1] == 8 && f == 1.5f && bytes[1] == 9 && argc == 3)
        reach_error();
    return 0;
}
";
    let values = [
        ("get", 0, 4, 7),
        ("left", 0, 2, 8),
        ("__VERIFIER_nondet_float", 0, 0, i128::from(1.5f32.to_bits())),
        ("malloc", 0, 1, 9),
        ("argc", 0, 0, 3),
    ];
    check(
        text,
        Property::UnreachCall,
        &values,
        expect![[r#"
            inputs
              argc #1 at t.c:7:14 started as 3
              get().p #1 at t.c:8:22 returned NULL
              get().rows[0].a[0] #1 at t.c:8:22 returned 0
              get().rows[0].a[1] #1 at t.c:8:22 returned 0
              … 6 more …
              left.rows[0].a[1] #1 at t.c:8:30 started as 8
              left.rows[1].a[0] #1 at t.c:8:30 started as 0
              left.rows[1].a[1] #1 at t.c:8:30 started as 0
              left.rows[2].a[0] #1 at t.c:8:30 started as 0
              left.rows[2].a[1] #1 at t.c:8:30 started as 0
              __VERIFIER_nondet_float() #1 at t.c:9:15 returned 1.5
              byte 0 of the memory from malloc #1 at t.c:10:28 started as 0
              byte 1 of the memory from malloc #1 at t.c:10:28 started as 9
            trace
              main:8   struct outer o = get(1), left;
              main:9   float f = __VERIFIER_nondet_float();              f = 1.5
              main:10  unsigned char *bytes = malloc(2);                 bytes = 0x600000000000
              main:11  if (o.rows[1].a[1] == 7 && left.rows[0].a[1] ==…
              main:12  reach_error();
            error: `reach_error` is called
              --> t.c:12:9
               |
            12 |         reach_error();
               |         ^^^^^^^^^^^^^
              in main
        "#]],
    );
}

#[test]
fn long_runs_are_cut() {
    let text = "\
extern int __VERIFIER_nondet_int(void);
int down(int n) {
    int d = __VERIFIER_nondet_int();
    if (n == 0)
        return 1 / d;
    return down(n - 1);
}
int main(void) {
    return down(5000);
}
";
    check(
        text,
        Property::DivByZero,
        &[],
        expect![[r#"
        inputs
          __VERIFIER_nondet_int() #1 at t.c:3:13 returned 0
          __VERIFIER_nondet_int() #2 at t.c:3:13 returned 0
          __VERIFIER_nondet_int() #3 at t.c:3:13 returned 0
          __VERIFIER_nondet_int() #4 at t.c:3:13 returned 0
          … 4989 more …
          __VERIFIER_nondet_int() #4994 at t.c:3:13 returned 0
          __VERIFIER_nondet_int() #4995 at t.c:3:13 returned 0
          __VERIFIER_nondet_int() #4996 at t.c:3:13 returned 0
          __VERIFIER_nondet_int() #4997 at t.c:3:13 returned 0
          __VERIFIER_nondet_int() #4998 at t.c:3:13 returned 0
          __VERIFIER_nondet_int() #4999 at t.c:3:13 returned 0
          __VERIFIER_nondet_int() #5000 at t.c:3:13 returned 0
          __VERIFIER_nondet_int() #5001 at t.c:3:13 returned 0
        trace
          main:9  return down(5000);                n = 5000
          down:3  int d = __VERIFIER_nondet_int();  d = 0
          down:4  if (n == 0)
          down:6  return down(n - 1);               n = 4999
          … 14992 steps …
          down:4  if (n == 0)
          down:6  return down(n - 1);               n = 1
          down:3  int d = __VERIFIER_nondet_int();  d = 0
          down:4  if (n == 0)
          down:6  return down(n - 1);               n = 0
          down:3  int d = __VERIFIER_nondet_int();  d = 0
          down:4  if (n == 0)
          down:5  return 1 / d;
        error: `1 / d` divides by zero
         --> t.c:5:16
          |
        5 |         return 1 / d;
          |                ^^^^^
          in down, called at t.c:6:12
          in down, called at t.c:6:12
          … 4996 more …
          in down, called at t.c:6:12
          in down, called at t.c:6:12
          in down, called at t.c:9:12
          in main
    "#]],
    );
}

#[test]
fn text_of_the_source_commands_nothing() {
    let text = "extern void reach_error(void);\nint main(void) { /* \x1b[31m */ reach_error(); }\n";
    check(
        text,
        Property::UnreachCall,
        &[],
        expect![[r#"
        trace
          main:2  int main(void) { /* �[31m */ reach_error(); }
        error: `reach_error` is called
         --> t.c:2:30
          |
        2 | int main(void) { /* ␛[31m */ reach_error(); }
          |                              ^^^^^^^^^^^^^
          in main
    "#]],
    );
}

fn var(program: &Program, name: &str, number: usize) -> VarId {
    let mut all = program.vars.iter().filter(|(_, v)| v.name == name);
    all.nth(number).map(|(id, _)| id).unwrap()
}

#[test]
fn proofs() {
    let text = "\
extern void reach_error(void);
int g;
int *p;
int half(int n) {
    g = n / 2;
    return g;
}
int main(void) {
    int i = 0;
    while (i < 10) {
        int i = g;
        g = half(i);
    }
    for (int i = 0; i < 3; i++) *p = 0;
    if (g > 5) reach_error();
    return 0;
}
";
    let program = instrumented(text, Property::UnreachCall);
    let (half, main) = (program.proc_named("half").unwrap(), program.main);
    let heads = Loops::new(program.procs[main].body.as_ref().unwrap()).cut_points().to_vec();
    let mut draft = Draft::new(&program, Property::UnreachCall);
    let [g, n, result] = [
        Meaning::now(var(&program, "g", 0)),
        Meaning::now(var(&program, "n", 0)),
        Meaning::now(program.procs[half].result.unwrap()),
    ];
    let old = |meaning: Meaning| Meaning::entry(meaning.var);
    let [now_g, now_n, old_n, old_g, result] =
        [g, n, old(n), old(g), result].map(|meaning| draft.symbol(meaning, Sort::Int));
    let [outer, inner] =
        [0, 1].map(|k| draft.symbol(Meaning::now(var(&program, "i", k)), Sort::Int));
    let terms = draft.terms();
    let (zero, ten) = (terms.int(0), terms.int(10));
    let (low, high) = (terms.le(zero, now_n), terms.le(now_n, ten));
    let both = terms.and([low, high]);
    let (same, less) = (terms.eq(result, now_g), terms.le(result, old_n));
    let (kept, nested) = (terms.le(now_g, old_g), terms.lt(outer, inner));
    draft.requires(half, both).unwrap();
    draft.ensures(half, same).unwrap();
    draft.ensures(half, less).unwrap();
    draft.invariant(main, heads[0], kept).unwrap();
    draft.invariant(main, heads[0], nested).unwrap();
    draft.assume([Assumption::SignedOverflow, Assumption::Lemma("sum".to_owned())]);
    let shown = super::proof(&program, &draft.finish(), Style::default());
    expect![[r#"
        assuming
          no signed overflow: a path ends where one happens (check it with `--property no-overflow`)
          the lemma `sum`, which was not proved
        half at t.c:4:5
          requires 0 <= n
          requires n <= 10
          ensures \result == g
          ensures \result <= \old(n)
          assigns g
        main at t.c:8:5
          at t.c:10:5
            invariant g <= \old(g)
            invariant i@9 < i@11
    "#]]
    .assert_eq(&shown);
    let empty = Draft::new(&program, Property::UnreachCall).finish();
    expect![[r#"
        nothing had to be assumed, required or kept invariant
    "#]]
    .assert_eq(&super::proof(&program, &empty, Style::default()));
}
