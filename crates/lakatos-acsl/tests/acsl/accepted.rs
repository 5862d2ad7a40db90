//! Texts that are accepted, as they are printed, and what they mean.

use expect_test::{Expect, expect};
use lakatos_acsl::check::{self, Language, Moment};
use lakatos_acsl::erase::{self, Eraser};
use lakatos_acsl::tree::Theory;
use lakatos_acsl::{parse, read};
use lakatos_ir::Source;

use crate::show::Show;
use crate::{INT, lines, table};

/// Some functions to use.
pub const LOGIC: &str = "
logic integer inc(integer x) = x + 1;
logic integer sum{L}(int *b, integer k) = k <= 0 ? 0 : sum(b, k - 1) + b[k - 1];
predicate same{L1, L2}(int *b) = \\at(*b, L1) == \\at(*b, L2);
predicate positive(int x) = x > 0;
logic real half(real x) = x / 2;
logic integer ten = 10;
predicate flag(boolean b) = b;
predicate points(void *b) = b != \\null;
";

pub fn theory() -> Theory {
    let mut theory = Theory::default();
    let source = Source::new("logic.acsl", LOGIC);
    assert_eq!(read::read_file(&mut theory, source, &table()).unwrap(), []);
    theory
}

/// A predicate in `ensures`: its text, and its tree.
#[track_caller]
fn check(text: &str, expected: Expect) {
    let (table, theory) = (table(), theory());
    let words = |name: &str| name == "number";
    let parsed = parse::expression(text, 0, &words);
    let source = Source::new("t.c", text);
    assert!(parsed.diagnostics.is_empty(), "{}", lines(&source, &parsed.diagnostics));
    let tree = parsed.tree.unwrap();
    let pred = check::predicate(&tree, &table, &theory, Moment::Exit, Some(&INT), Language::Acsl);
    let pred = pred.unwrap_or_else(|d| panic!("{}", lines(&source, &[*d])));
    let again = Eraser::new(&theory).pred(&pred);
    let printed = again.to_string();
    expected.assert_eq(&format!("{tree}\n{}\n", Show(&theory).pred(&pred)));
    // What is printed means the same.
    let tree = parse::expression(&printed, 0, &words).tree.unwrap();
    assert_eq!(tree, again, "{printed}");
    let same = check::predicate(&tree, &table, &theory, Moment::Exit, Some(&INT), Language::Acsl);
    assert_eq!(same.unwrap(), pred, "{printed}");
}

/// Declarations: as they are printed from the typed tree.
#[track_caller]
pub fn check_file(text: &str, expected: Expect) {
    let (table, mut theory) = (table(), theory());
    let known = theory.items.len();
    let source = Source::new("t.acsl", text);
    let unsupported = read::read_file(&mut theory, source.clone(), &table)
        .unwrap_or_else(|f| panic!("{}", lines(&f.file, &f.diagnostics)));
    let mut printed = String::new();
    for item in &theory.items[known..] {
        printed += &format!("{}\n", erase::item(&theory, item));
    }
    expected.assert_eq(&(printed.clone() + &lines(&source, &unsupported)));
    // What is printed means the same.
    let mut again = self::theory();
    let source = Source::new("t.acsl", printed.as_str());
    assert_eq!(read::read_file(&mut again, source, &table).unwrap(), [], "{printed}");
    assert_eq!(again.items, theory.items, "{printed}");
    for (id, function) in theory.functions.iter() {
        assert_eq!(again.functions[id], *function, "{printed}");
    }
}

#[test]
fn predicates() {
    check(r"n > 0", expect![[r#""#]]);
    check(r"n", expect![[r#""#]]);
    check(r"a", expect![[r#""#]]);
    check(r"d > 1", expect![[r#""#]]);
    check(r"0 <= i < n <= 10", expect![[r#""#]]);
    check(r"n + 1 < u - 2 * c", expect![[r#""#]]);
    check(r"n + 1.5 > d", expect![[r#""#]]);
    check(r"1 / 2 * 1.5 == 0", expect![[r#""#]]);
    check(r"i == n == g", expect![[r#""#]]);
    check(r"a == p", expect![[r#""#]]);
    check(r"a == \null && v == a && 0 == p", expect![[r#""#]]);
    check(r"arr == a", expect![[r#""#]]);
    check(r"c == 'a' || c == '\n' || c == '\xff'", expect![[r#""#]]);
    check(r"0xFF == 255 && 010 == 8", expect![[r#""#]]);
    check(r"(n > 0) == 1", expect![[r#""#]]);
    check(r"(n > 0) == (i > 0)", expect![[r#""#]]);
    check(r"\true == (n == 1)", expect![[r#""#]]);
    check(r"n > 0 ? i == 1 : i", expect![[r#""#]]);
    check(r"(n > 0 ? n : 1.5) > 0", expect![[r#""#]]);
    check(r"\result == \old(n) + \at(*a, Pre)", expect![[r#""#]]);
    check(r"\old(n > 0 && *a == 1)", expect![[r#""#]]);
    check(r"\at(a[\at(i, Here)], Pre) == 1", expect![[r#""#]]);
    check(r"a[0] + *(p + 1) + arr[2] + m[1][2] == *arr", expect![[r#""#]]);
    check(r"1[a] == 2", expect![[r#""#]]);
    check(r"q.x == r->x && r->next->a[2] == (*r).a[1]", expect![[r#""#]]);
    check(r"&a[1] == a + 1 && &arr[0] == p && &q.x == p && *&n == n", expect![[r#""#]]);
    check(r"p - a == 3 && p - 1 == a && 1 + p == a", expect![[r#""#]]);
    check(r"p + 1 + 2 == a", expect![[r#""#]]);
    check(r"p - a + 1 == 2", expect![[r#""#]]);
    check(r"\valid(a + (0 .. n - 1)) && \valid_read(&arr[0 .. 9]) && \initialized(arr + (..))", expect![[r#""#]]);
    check(r"\valid{Pre}(a) && \valid((char *)a + (0 .. 3)) && \valid(&m[0 .. 1][2])", expect![[r#""#]]);
    check(r"\separated(a + (0 .. n - 1), &g, p)", expect![[r#""#]]);
    check(r"\forall integer k; 0 <= k < n ==> a[k] == arr[k]", expect![[r#""#]]);
    check(r"\forall integer k, int x, *y; \exists integer k; k == x + *y", expect![[r#""#]]);
    check(r"\let x = n + 1; x * x > 0", expect![[r#""#]]);
    check(r"(\let x = n; x + 1) > 0", expect![[r#""#]]);
    check(r"\let x = n > 0; x && x == \true", expect![[r#""#]]);
    check(r"inc(n) == ten && sum(a, n) > 0 && sum{Pre}(a, n) == 1", expect![[r#""#]]);
    check(r"\at(sum(a, n), Pre) == sum(arr, n)", expect![[r#""#]]);
    check(r"same{Pre, Here}(a) && positive(n) && positive(c)", expect![[r#""#]]);
    check(r"half(n) == 0.5 && half(d) > 1e3", expect![[r#""#]]);
    check(r"flag(n > 0) && flag(\true) && points(a) && points(arr) && points(\null)", expect![[r#""#]]);
    check(r"(char)n == (unsigned)i && (int)d == (integer)d && (real)n == d && (boolean)n", expect![[r#""#]]);
    check(r"(number)n == n && (enum color)n == GREEN && (int *)v == a && (unsigned long)p > 0", expect![[r#""#]]);
    check(r"~n == (n & 1 | i ^ g << 2 >> 1)", expect![[r#""#]]);
    check(r"(n --> i <--> g) == 0 && (n --> i --> g) == 1", expect![[r#""#]]);
    check(r"-n < +n && - - n == n && !!n && ~~n == n && !\forall integer k; k == k", expect![[r#""#]]);
    check(r"n > 0 ==> i > 0 ==> g > 0", expect![[r#""#]]);
    check(r"n > 0 <==> i > 0 <==> g > 0", expect![[r#""#]]);
    check(r"n > 0 || i > 0 ^^ g > 0 && n == 1", expect![[r#""#]]);
    check(r"n > 0 ==> i > 1 ? n == 2 : n == 3", expect![[r#""#]]);
    check(r"low: n > 0 && (high: n < 10)", expect![[r#""#]]);
    check(r"n > 0 ==> name: other: i > 0", expect![[r#""#]]);
    check(r"\min(n, 1) == \max(n, 1.5) && \abs(c) == 1", expect![[r#""#]]);
    check(r"\sum(0, n - 1, \lambda integer k; a[k]) == \product(1, 3, \lambda integer k; k)", expect![[r#""#]]);
    check(r"\numof(0, 9, \lambda integer k; arr[k] > 0) == \max(0, 9, \lambda integer k; arr[k])", expect![[r#""#]]);
    check(r"sizeof(int) == 4 && sizeof n == 4 && sizeof(arr) == 40 && sizeof(int *) == 8", expect![[r#""#]]);
    check(r"RED < GREEN", expect![[r#""#]]);
    check(r"(n - 1) - (2 - 3) - 4 == 1 && n * (i + 1) % 3 == 0", expect![[r#""#]]);
    check(r"∀ ℤ k; 0 ≤ k ⇒ k ≢ -1 ∧ ¬(k ≡ -1)", expect![[r#""#]]);
    check(r"1 == 1 && \true", expect![[r#""#]]);
    check(r"\at(n > 0, Post) && \at(i, Init) == 0", expect![[r#""#]]);
    check(r"(int *)0 == \null", expect![[r#""#]]);
    check(r"\let z = (int *)0; z == a", expect![[r#""#]]);
    check(r"\forall int *x; \forall integer x; x == 1", expect![[r#""#]]);
    check(r"d == d && d < 1 + n", expect![[r#""#]]);
}

#[test]
fn declarations() {
    check_file(r"logic integer f2(integer n) = n <= 0 ? 0 : f2(n - 1) + n;", expect![[r#""#]]);
    check_file(r"predicate even(integer n) = n == 0 || even(n - 2);", expect![[r#""#]]);
    check_file(r"predicate zeros(int *b, integer n) = \forall integer k; 0 <= k < n ==> b[k] == 0;", expect![[r#""#]]);
    check_file(r"logic integer total(int *b, integer n) = n <= 0 ? 0 : total(b, n - 1) + b[n - 1];", expect![[r#""#]]);
    check_file(r"logic integer now = g + 1;", expect![[r#""#]]);
    check_file(r"lemma l1: \forall int *b; *b > 0 ==> sum(b, 1) > 0;", expect![[r#""#]]);
    check_file(r"lemma l2{A, B}: \forall int *b; same{A, B}(b) ==> same{B, A}(b);", expect![[r#""#]]);
    check_file(r"axiomatic Count { logic integer count{L}(int *b, integer n, int v) reads b[0 .. n - 1]; axiom none{L}: \forall int *b, v; count(b, 0, v) == 0; predicate p2(integer x); logic integer pure(integer x) reads \nothing; lemma known: p2(1); }", expect![[r#""#]]);
    check_file(r"inductive ev(integer n) { case zero: ev(0); case step: \forall integer n; ev(n) ==> ev(n + 2); }", expect![[r#""#]]);
    check_file(r"inductive reach{L}(int *b, int *e) { case here{L}: \forall int *b; reach{L}(b, b); case next{L}: \forall int *b, *e; *b == 1 ==> reach(b + 1, e) ==> reach(b, e); }", expect![[r#""#]]);
    check_file(r"check lemma c1: 1 + 1 == 2; admit lemma a1: 2 + 2 == 4;", expect![[r#""#]]);
    check_file(r"/*@ logic integer sq(integer x) = x * x;
  @ lemma sq_pos: \forall integer x; sq(x) >= 0; // squares
  @*/
//@ lemma sq_one: sq(1) == 1;
/* plain */ lemma sq_two: sq(2) == 4;", expect![[r#""#]]);
    check_file(r"logic boolean b1(integer y) = y == 1 && y > 0; logic boolean b2(integer y) = positive((int)y) ==> y == 2; logic integer b3(integer y) = b2(y) ? 1 : 0;", expect![[r#""#]]);
    check_file(r"logic int *next(int *b) = b + 1; logic int narrow(integer x) = (int)(x + 1); logic real rr(float x) = x + 1;", expect![[r#""#]]);
    check_file(r"logic integer field{L}(struct pair *x) = x->next->a[1]; predicate val(number y) = y > 0;", expect![[r#""#]]);
    check_file(r"lemma l3: \forall float x, double y; x == y;", expect![[r#""#]]);
    check_file(r"lemma l4: \forall char x; positive(x);", expect![[r#""#]]);
    check_file(r"predicate always = \true; lemma l5: always;", expect![[r#""#]]);
    check_file(r"logic integer overlap(int *b, integer k) = \let v = b[k]; \let w = v + 1; v * w;", expect![[r#""#]]);
    check_file(r"predicate ordered{L}(int (*rows)[3], integer n) = rows[0][1] <= rows[n][2];", expect![[r#""#]]);
    check_file(r"predicate sorted_at{L}(int *b, integer n) = \forall integer x, y; 0 <= x <= y < n ==> b[x] <= b[y]; lemma transitive{L}: \forall int *b, integer n; sorted_at(b, n) ==> sorted_at(b, n - 1);", expect![[r#""#]]);
}
