//! What annotated programs look like.

use expect_test::{Expect, expect};
use lakatos_contracts::annotate;
use lakatos_ir::Property;

use super::{annotated, compile, contracts};

#[track_caller]
fn check(text: &str, expected: Expect) {
    let (contracts, annotated) = annotated(text);
    assert_eq!(contracts.gaps, [], "{text}");
    assert_eq!(annotated.gaps, [], "{text}");
    expected.assert_eq(&annotated.text);
}

#[test]
fn recursion() {
    check(
        "\
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int id(int x) {
    if (x == 0) return 0;
    return id(x - 1) + 1;
}

int main(void) {
    int input = __VERIFIER_nondet_int();
    if (id(input) != input) reach_error();
    return 0;
}
",
        expect![[r#"
            /*@ requires \false;
                assigns \nothing;
            */
            extern void reach_error(void);
            /*@ assigns \nothing; */
            extern int __VERIFIER_nondet_int(void);

            /*@ assigns \nothing;
                ensures x == \result;
            */
            int id(int x) {
                if (x == 0) return 0;
                return id(x - 1) + 1;
            }

            /*@ assigns \nothing; */
            int main(void) {
                int input = __VERIFIER_nondet_int();
                if (id(input) != input) reach_error();
                return 0;
            }
        "#]],
    );
}

#[test]
fn mutual_recursion_with_prototypes() {
    check(
        "\
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int odd(int n);
int even(int n) { if (n == 0) return 1; return odd(n - 1); }
int odd(int n) { if (n == 0) return 0; return even(n - 1); }
int main(void) {
    int r = even(__VERIFIER_nondet_int());
    if (r < 0 || r > 1) reach_error();
}
",
        expect![[r#"
            /*@ requires \false;
                assigns \nothing;
            */
            extern void reach_error(void);
            /*@ assigns \nothing; */
            extern int __VERIFIER_nondet_int(void);
            int odd(int n);
            /*@ assigns \nothing;
                ensures 0 <= \result;
                ensures \result <= 1;
            */
            int even(int n) { if (n == 0) return 1; return odd(n - 1); }
            /*@ assigns \nothing;
                ensures 0 <= \result;
                ensures \result <= 1;
            */
            int odd(int n) { if (n == 0) return 0; return even(n - 1); }
            /*@ assigns \nothing; */
            int main(void) {
                int r = even(__VERIFIER_nondet_int());
                if (r < 0 || r > 1) reach_error();
            }
        "#]],
    );
}

#[test]
fn globals_are_assigned_and_old() {
    check(
        "\
extern void reach_error(void);
int level = 5, other;
void up(void) { level = level + 1; }
int main(void) {
    up();
    up();
    if (level != 7) reach_error();
    return other;
}
",
        expect![[r#"
            /*@ requires \false;
                assigns \nothing;
            */
            extern void reach_error(void);
            int level = 5, other;
            /*@ assigns level;
                ensures level == \old(level) + 1;
            */
            void up(void) { level = level + 1; }
            /*@ requires level == 5;
                assigns level;
            */
            int main(void) {
                up();
                up();
                if (level != 7) reach_error();
                return other;
            }
        "#]],
    );
}

#[test]
fn nested_loops_of_every_kind() {
    check(
        "\
extern void reach_error(void);
int main(void) {
    int n = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 2; j++) n++;
    do { n--; } while (n > 4);
\twhile (n < 9)
\t\tn = n + 2;
    if (n < 9) reach_error();
    return 0;
}
",
        expect![[r#"
            /*@ requires \false;
                assigns \nothing;
            */
            extern void reach_error(void);
            /*@ assigns \nothing; */
            int main(void) {
                int n = 0;
                /*@ loop assigns i, n;
                    loop variant 2 - i;
                */
                for (int i = 0; i < 3; i++)
                    /*@ loop assigns j, n;
                        loop variant 1 - j;
                    */
                    for (int j = 0; j < 2; j++) n++;
                /*@ loop assigns n;
                    loop variant n;
                */
                do { n--; } while (n > 4);
            	/*@ loop assigns n;
            	    loop variant 8 - n;
            	*/
            	while (n < 9)
            		n = n + 2;
                if (n < 9) reach_error();
                return 0;
            }
        "#]],
    );
}

#[test]
fn one_line() {
    check(
        "extern void reach_error(void); int main(void) { int i = 0; while (i < 9) i++; \
         if (i < 9) reach_error(); return 0; }",
        expect![[r#"
            /*@ requires \false;
                assigns \nothing;
            */
            extern void reach_error(void); /*@ assigns \nothing; */ int main(void) { int i = 0; /*@ loop assigns i; loop variant 8 - i; */ while (i < 9) i++; if (i < 9) reach_error(); return 0; }"#]],
    );
}

#[test]
fn functions_that_lakatos_knows() {
    check(
        "\
extern void abort(void) __attribute__((__noreturn__));
extern void __VERIFIER_assume(int);
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned limit(unsigned);
extern void unused(void);
void reach_error() { abort(); }
void assume_abort_if_not(int cond) { if (!cond) { abort(); } }
int main(void) {
    unsigned u = __VERIFIER_nondet_uint();
    assume_abort_if_not(u > 3);
    __VERIFIER_assume(u < limit(u));
    if (u < 3 || __VERIFIER_nondet_bool() > 1) reach_error();
    return 0;
}
",
        expect![[r#"
            /*@ assigns \nothing;
                ensures \false;
            */
            extern void abort(void) __attribute__((__noreturn__));
            /*@ assigns \nothing;
                ensures condition != 0;
            */
            extern void __VERIFIER_assume(int condition);
            /*@ assigns \nothing; */
            extern _Bool __VERIFIER_nondet_bool(void);
            /*@ assigns \nothing; */
            extern unsigned __VERIFIER_nondet_uint(void);
            /*@ assigns \nothing; */
            extern unsigned limit(unsigned);
            extern void unused(void);
            /*@ requires \false;
                assigns \nothing;
            */
            void reach_error() { abort(); }
            /*@ assigns \nothing;
                ensures cond != 0;
            */
            void assume_abort_if_not(int cond) { if (!cond) { abort(); } }
            /*@ assigns \nothing; */
            int main(void) {
                unsigned u = __VERIFIER_nondet_uint();
                assume_abort_if_not(u > 3);
                __VERIFIER_assume(u < limit(u));
                if (u < 3 || __VERIFIER_nondet_bool() > 1) reach_error();
                return 0;
            }
        "#]],
    );
}

#[test]
fn entry_values_and_shadowed_names() {
    check(
        "\
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int g;
int down(int n) {
    int start = n;
    g = 0;
    while (n > 0) {
        int start = 1;
        n = n - start;
        g = g + start;
    }
    return start;
}
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0) return 0;
    int r = down(n);
    if (r != n) reach_error();
    if (g != n) reach_error();
    return 0;
}
",
        expect![[r#"
            /*@ requires \false;
                assigns \nothing;
            */
            extern void reach_error(void);
            /*@ assigns \nothing; */
            extern int __VERIFIER_nondet_int(void);
            int g;
            /*@ requires n >= 0;
                assigns g;
                ensures n == \result;
                ensures n <= g;
                ensures g <= n;
            */
            int down(int n) {
                int start = n;
                g = 0;
                /*@ loop invariant start == \at(n, Pre);
                    loop invariant \at(n, Pre) == n + g;
                    loop invariant start <= \at(n, Pre);
                    loop invariant g <= start;
                    loop assigns g, n;
                    loop variant n;
                */
                while (n > 0) {
                    int start = 1;
                    n = n - start;
                    g = g + start;
                }
                return start;
            }
            /*@ assigns g; */
            int main(void) {
                int n = __VERIFIER_nondet_int();
                if (n < 0) return 0;
                int r = down(n);
                if (r != n) reach_error();
                if (g != n) reach_error();
                return 0;
            }
        "#]],
    );
}

#[test]
fn lines_end_as_they_do_in_the_file() {
    let text = "extern void reach_error(void);\r\nint main(void) {\r\n  int i = 0;\r\n  \
                while (i < 2)\r\n    i++;\r\n  if (i < 2) reach_error();\r\n}\r\n";
    let (_, annotated) = annotated(text);
    expect![[r#"
        /*@ requires \false;|
            assigns \nothing;|
        */|
        extern void reach_error(void);|
        /*@ assigns \nothing; */|
        int main(void) {|
          int i = 0;|
          /*@ loop assigns i;|
              loop variant 1 - i;|
          */|
          while (i < 2)|
            i++;|
          if (i < 2) reach_error();|
        }|
    "#]]
    .assert_eq(&annotated.text.replace("\r\n", "|\n"));
}

#[test]
fn arrays_are_assigned_element_by_element() {
    check(
        "\
extern void reach_error(void);
int a[4], m[2][3];
void set(int i) { a[i] = 1; m[0][i] = 2; }
int main(void) {
    int local[5], i;
    for (i = 0; i < 2; i++) { local[i] = 0; set(i); }
    if (i < 2) reach_error();
    return local[0];
}
",
        expect![[r#"
            /*@ requires \false;
                assigns \nothing;
            */
            extern void reach_error(void);
            int a[4], m[2][3];
            /*@ assigns a[0 .. 3], m[0 .. 1][0 .. 2]; */
            void set(int i) { a[i] = 1; m[0][i] = 2; }
            /*@ assigns a[0 .. 3], m[0 .. 1][0 .. 2]; */
            int main(void) {
                int local[5], i;
                /*@ loop assigns a[0 .. 3], i, local[0 .. 4], m[0 .. 1][0 .. 2];
                    loop variant 1 - i;
                */
                for (i = 0; i < 2; i++) { local[i] = 0; set(i); }
                if (i < 2) reach_error();
                return local[0];
            }
        "#]],
    );
}

/// What changes through pointers is said as it is written, and by name where only others know the pointer.
#[test]
fn memory_behind_pointers() {
    check(
        "\
extern void reach_error(void);
void *malloc(unsigned long);
struct pair { int a, b; };
struct node { struct pair *data; int count[3]; };
int table[8];
struct pair both;
void set(int *p, int v) { *p = v; }
void swap(struct pair *q) { int t = q->a; q->a = q->b; q->b = t; }
void fill(int *a, int n) { for (int i = 0; i < n; i++) a[i] = 1; }
void count(struct node *n, int i) { n->count[i] = 0; n->data->b = i; }
int main(void) {
    int x = 0, y = 0;
    struct node *n = malloc(sizeof(struct node));
    n->data = &both;
    for (int i = 0; i < 2; i++) { int z; set(&x, 1); set(&z, 2); }
    swap(&both);
    fill(table, 8);
    count(n, 1);
    while (y < 3) { y++; n->data->a = y; }
    if (y != 3) reach_error();
    return 0;
}
",
        expect![[r#"
            /*@ requires \false;
                assigns \nothing;
            */
            extern void reach_error(void);
            /*@ assigns \nothing; */
            void *malloc(unsigned long);
            struct pair { int a, b; };
            struct node { struct pair *data; int count[3]; };
            int table[8];
            struct pair both;
            /*@ assigns *p; */
            void set(int *p, int v) { *p = v; }
            /*@ assigns q->a, q->b; */
            void swap(struct pair *q) { int t = q->a; q->a = q->b; q->b = t; }
            /*@ assigns a[0 .. 7]; */
            void fill(int *a, int n) { /*@ loop assigns a[0 .. 7], i; loop variant n - i; */ for (int i = 0; i < n; i++) a[i] = 1; }
            /*@ assigns n->count[0 .. 2], n->data->b; */
            void count(struct node *n, int i) { n->count[i] = 0; n->data->b = i; }
            /*@ assigns both, table[0 .. 7]; */
            int main(void) {
                int x = 0, y = 0;
                struct node *n = malloc(sizeof(struct node));
                n->data = &both;
                /*@ loop invariant y == 0;
                    loop assigns i, x;
                    loop variant 1 - i;
                */
                for (int i = 0; i < 2; i++) { int z; set(&x, 1); set(&z, 2); }
                swap(&both);
                fill(table, 8);
                count(n, 1);
                /*@ loop invariant y <= 3;
                    loop assigns n->data->a, y;
                    loop variant 3 - y;
                */
                while (y < 3) { y++; n->data->a = y; }
                if (y != 3) reach_error();
                return 0;
            }
        "#]],
    );
}

/// Several proofs of one program: what one says that the other does not is added.
#[test]
fn several_properties() {
    let text = "\
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int(), i = 0;
    if (n < 0) return 0;
    while (i < n) i++;
    if (i != n) reach_error();
    return 0;
}
";
    let program = compile(text);
    let properties = [Property::UnreachCall, Property::NoOverflow];
    let contracts = contracts(&program, &properties);
    assert_eq!(contracts.gaps, []);
    expect![[r#"
        /*@ requires \false;
            assigns \nothing;
        */
        extern void reach_error(void);
        /*@ assigns \nothing; */
        extern int __VERIFIER_nondet_int(void);
        /*@ assigns \nothing; */
        int main(void) {
            int n = __VERIFIER_nondet_int(), i = 0;
            if (n < 0) return 0;
            /*@ loop invariant i <= n;
                loop assigns i;
                loop variant n - i;
            */
            while (i < n) i++;
            if (i != n) reach_error();
            return 0;
        }
    "#]]
    .assert_eq(&annotate(&program, text, &contracts).text);
    // Without the property that they are about, calls of error functions are no errors.
    let contracts = super::contracts(&program, &[Property::NoOverflow]);
    assert_eq!(contracts.functions[0].ensures, ["\\false"]);
    assert!(contracts.functions[0].requires.is_empty());
}

#[test]
fn as_json() {
    let text = "\
extern void reach_error(void);
unsigned count(unsigned n) {
    unsigned i = 0;
    while (i < n) i++;
    return i;
}
int main(void) { if (count(3) != 3) reach_error(); }
";
    let program = compile(text);
    let contracts = contracts(&program, &[Property::UnreachCall]);
    let document = contracts.document(&program, "t.c", "00ff");
    let json = serde_json::to_string(&document).unwrap();
    assert_eq!(
        serde_json::from_str::<lakatos_contracts::model::Document>(&json).unwrap(),
        document
    );
    expect![[r#"
        {
          "schema": "lakatos-contracts/1",
          "program": {
            "file": "t.c",
            "sha256": "00ff",
            "data_model": "ilp32"
          },
          "complete": true,
          "functions": [
            {
              "name": "count",
              "parameters": [
                {
                  "name": "n",
                  "type": "unsigned int"
                }
              ],
              "result": "unsigned int",
              "requires": [
                "n == 3"
              ],
              "ensures": [
                "\\result == 3"
              ],
              "assigns": [],
              "loops": [
                {
                  "line": 4,
                  "column": 5,
                  "invariants": [
                    "n == 3",
                    "n >= 3",
                    "i <= 3"
                  ],
                  "assigns": [
                    "i"
                  ],
                  "variant": "n - i"
                }
              ]
            },
            {
              "name": "main",
              "parameters": [],
              "result": "int",
              "requires": [],
              "ensures": [],
              "assigns": [],
              "loops": []
            }
          ],
          "stubs": [
            {
              "name": "reach_error",
              "parameters": [],
              "result": "void",
              "requires": [
                "\\false"
              ],
              "ensures": [],
              "assigns": [],
              "loops": []
            }
          ]
        }"#]]
    .assert_eq(&serde_json::to_string_pretty(&document).unwrap());
}
