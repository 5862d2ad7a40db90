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
    check(
        r"n > 0",
        expect![[r#"
        n > 0
        <integer>n Gt 0: integer
    "#]],
    );
    check(
        r"n",
        expect![[r#"
        n
        <integer>n Ne 0: integer
    "#]],
    );
    check(
        r"a",
        expect![[r#"
        a
        a Ne null<int *>
    "#]],
    );
    check(
        r"d > 1",
        expect![[r#"
        d > 1
        <real>d Gt <real>1: integer
    "#]],
    );
    check(
        r"0 <= i < n <= 10",
        expect![[r#"
        0 <= i < n <= 10
        0: integer Le <integer>i Lt <integer>n Le 10: integer
    "#]],
    );
    check(
        r"n + 1 < u - 2 * c",
        expect![[r#"
        n + 1 < u - 2 * c
        [integer: <integer>n Add 1: integer] Lt [integer: <integer>u Sub [integer: 2: integer Mul <integer>c]]
    "#]],
    );
    check(
        r"n + 1.5 > d",
        expect![[r#"
        n + 1.5 > d
        [real: <real><integer>n Add 1.5: real] Gt <real>d
    "#]],
    );
    check(
        r"1 / 2 * 1.5 == 0",
        expect![[r#"
        1 / 2 * 1.5 == 0
        [real: <real>[integer: 1: integer Div 2: integer] Mul 1.5: real] Eq <real>0: integer
    "#]],
    );
    check(
        r"i == n == g",
        expect![[r#"
        i == n == g
        <integer>i Eq <integer>n Eq <integer>g
    "#]],
    );
    check(
        r"a == p",
        expect![[r#"
        a == p
        a Eq p
    "#]],
    );
    check(
        r"a == \null && v == a && 0 == p",
        expect![[r#"
        a == \null && v == a && 0 == p
        and(a Eq null<int *>, v Eq <void *>a, null<int *> Eq p)
    "#]],
    );
    check(
        r"arr == a",
        expect![[r#"
        arr == a
        &first(arr) Eq a
    "#]],
    );
    check(
        r"c == 'a' || c == '\n' || c == '\xff'",
        expect![[r#"
        c == 'a' || c == '\n' || c == '\xff'
        or(<integer>c Eq 97: integer, <integer>c Eq 10: integer, <integer>c Eq neg(1: integer))
    "#]],
    );
    check(
        r"0xFF == 255 && 010 == 8",
        expect![[r#"
        0xFF == 255 && 010 == 8
        and(255: integer Eq 255: integer, 8: integer Eq 8: integer)
    "#]],
    );
    check(
        r"(n > 0) == 1",
        expect![[r#"
        (n > 0) == 1
        truth(<integer>n Gt 0: integer) Eq truth(1: integer Ne 0: integer)
    "#]],
    );
    check(
        r"(n > 0) == (i > 0)",
        expect![[r#"
        (n > 0) == (i > 0)
        truth(<integer>n Gt 0: integer) Eq truth(<integer>i Gt 0: integer)
    "#]],
    );
    check(
        r"\true == (n == 1)",
        expect![[r#"
        \true == (n == 1)
        truth(\true) Eq truth(<integer>n Eq 1: integer)
    "#]],
    );
    check(
        r"n > 0 ? i == 1 : i",
        expect![[r#"
        n > 0 ? i == 1 : i
        n > 0 ? i == 1 : i != 0
    "#]],
    );
    check(
        r"(n > 0 ? n : 1.5) > 0",
        expect![[r#"
        (n > 0 ? n : 1.5) > 0
        if(<integer>n Gt 0: integer, <real>n, 1.5: real): real Gt <real>0: integer
    "#]],
    );
    check(
        r"\result == \old(n) + \at(*a, Pre)",
        expect![[r#"
        \result == \old(n) + \at(*a, Pre)
        <integer>result Eq [integer: <integer>at(n, Old) Add <integer>at(*a, Pre)]
    "#]],
    );
    check(
        r"\old(n > 0 && *a == 1)",
        expect![[r#"
        \old(n > 0 && *a == 1)
        at(and(<integer>n Gt 0: integer, <integer>*a Eq 1: integer), Old)
    "#]],
    );
    check(
        r"\at(a[\at(i, Here)], Pre) == 1",
        expect![[r#"
        \at(a[\at(i, Here)], Pre) == 1
        <integer>at(a*[<integer>at(i, Here)], Pre) Eq 1: integer
    "#]],
    );
    check(
        r"a[0] + *(p + 1) + arr[2] + m[1][2] == *arr",
        expect![[r#"
        a[0] + *(p + 1) + arr[2] + m[1][2] == *arr
        [integer: <integer>a*[0: integer] Add <integer>*(p +* 1: integer): int * Add <integer>arr[2: integer] Add <integer>m[1: integer][2: integer]] Eq <integer>*&first(arr)
    "#]],
    );
    check(
        r"1[a] == 2",
        expect![[r#"
        1[a] == 2
        <integer>a*[1: integer] Eq 2: integer
    "#]],
    );
    check(
        r"q.x == r->x && r->next->a[2] == (*r).a[1]",
        expect![[r#"
        q.x == r->x && r->next->a[2] == (*r).a[1]
        and(<integer>q.x#[0] Eq <integer>*r.x#[0], <integer>**r.next#[1].a#[2][2: integer] Eq <integer>*r.a#[2][1: integer])
    "#]],
    );
    check(
        r"&a[1] == a + 1 && &arr[0] == p && &q.x == p && *&n == n",
        expect![[r#"
        &a[1] == a + 1 && &arr[0] == p && &q.x == p && *&n == n
        and(&a*[1: integer] Eq (a +* 1: integer): int *, &arr[0: integer] Eq p, &q.x#[0] Eq p, <integer>*&n Eq <integer>n)
    "#]],
    );
    check(
        r"p - a == 3 && p - 1 == a && 1 + p == a",
        expect![[r#"
        p - a == 3 && p - 1 == a && 1 + p == a
        and((p -* a) Eq 3: integer, (p -* 1: integer): int * Eq a, (p +* 1: integer): int * Eq a)
    "#]],
    );
    check(
        r"p + 1 + 2 == a",
        expect![[r#"
        p + 1 + 2 == a
        (p +* [integer: 1: integer Add 2: integer]): int * Eq a
    "#]],
    );
    check(
        r"p - 1 + n - 2 == a && p + 2 * n + 1 == a && p + (1 + 2) - 3 == a",
        expect![[r#"
        p - 1 + n - 2 == a && p + 2 * n + 1 == a && p + (1 + 2) - 3 == a
        and((p -* [integer: 1: integer Sub <integer>n Add 2: integer]): int * Eq a, (p +* [integer: [integer: 2: integer Mul <integer>n] Add 1: integer]): int * Eq a, (p +* [integer: 1: integer Add 2: integer Sub 3: integer]): int * Eq a)
    "#]],
    );
    check(
        r"p - a + 1 == 2",
        expect![[r#"
        p - a + 1 == 2
        [integer: (p -* a) Add 1: integer] Eq 2: integer
    "#]],
    );
    check(
        r"\valid(a + (0 .. n - 1)) && \valid_read(&arr[0 .. 9]) && \initialized(arr + (..))",
        expect![[r#"
        \valid(a + (0 .. n - 1)) && \valid_read(&arr[0 .. 9]) && \initialized(arr + (..))
        and(Valid{Here}((a +* 0: integer..[integer: <integer>n Sub 1: integer]): set of int *), ValidRead{Here}(&arr[0: integer..9: integer]), Initialized{Here}((&first(arr) +* ..): set of int *))
    "#]],
    );
    check(
        r"\valid{Pre}(a) && \valid((char *)a + (0 .. 3)) && \valid(&m[0 .. 1][2])",
        expect![[r#"
        \valid{Pre}(a) && \valid((char *)a + (0 .. 3)) && \valid(&m[0 .. 1][2])
        and(Valid{Pre}(a), Valid{Here}(((char *)a +* 0: integer..3: integer): set of char *), Valid{Here}(&m[0: integer..1: integer][2: integer]))
    "#]],
    );
    check(
        r"\separated(a + (0 .. n - 1), &g, p)",
        expect![[r#"
        \separated(a + (0 .. n - 1), &g, p)
        separated((a +* 0: integer..[integer: <integer>n Sub 1: integer]): set of int *, &g, p)
    "#]],
    );
    check(
        r"\forall integer k; 0 <= k < n ==> a[k] == arr[k]",
        expect![[r#"
        \forall integer k; 0 <= k < n ==> a[k] == arr[k]
        all[k#0: integer] (0: integer Le k: integer Lt <integer>n => <integer>a*[k: integer] Eq <integer>arr[k: integer])
    "#]],
    );
    check(
        r"\forall integer k, int x, *y; \exists integer k; k == x + *y",
        expect![[r#"
        \forall integer k, int x, int *y; \exists integer k; k == x + *y
        all[k#0: integer, x#1: int, y#2: int *] \exists integer k; k == x + *y
    "#]],
    );
    check(
        r"\let x = n + 1; x * x > 0",
        expect![[r#"
        \let x = n + 1; x * x > 0
        \let x = n + 1; x * x > 0
    "#]],
    );
    check(
        r"(\let x = n; x + 1) > 0",
        expect![[r#"
        (\let x = n; x + 1) > 0
        \let x = n; x + 1: integer Gt 0: integer
    "#]],
    );
    check(
        r"\let x = n > 0; x && x == \true",
        expect![[r#"
        \let x = n > 0; x && x == \true
        \let x = n > 0; x && x == \true
    "#]],
    );
    check(
        r"inc(n) == ten && sum(a, n) > 0 && sum{Pre}(a, n) == 1",
        expect![[r#"
        inc(n) == ten && sum(a, n) > 0 && sum{Pre}(a, n) == 1
        and(inc{}(<integer>n): integer Eq ten{}(): integer, sum{Here}(a, <integer>n): integer Gt 0: integer, sum{Pre}(a, <integer>n): integer Eq 1: integer)
    "#]],
    );
    check(
        r"\at(sum(a, n), Pre) == sum(arr, n)",
        expect![[r#"
        \at(sum(a, n), Pre) == sum(arr, n)
        at(sum{Pre}(a, <integer>n): integer, Pre) Eq sum{Here}(&first(arr), <integer>n): integer
    "#]],
    );
    check(
        r"same{Pre, Here}(a) && positive(n) && positive(c)",
        expect![[r#"
        same{Pre, Here}(a) && positive(n) && positive(c)
        and(same{Pre, Here}(a), positive{}(n), positive{}(<int>c))
    "#]],
    );
    check(
        r"half(n) == 0.5 && half(d) > 1e3",
        expect![[r#"
        half(n) == 0.5 && half(d) > 1e3
        and(half{}(<real>n): real Eq 0.5: real, half{}(<real>d): real Gt 1e3: real)
    "#]],
    );
    check(
        r"flag(n > 0) && flag(\true) && points(a) && points(arr) && points(\null)",
        expect![[r#"
        flag(n > 0) && flag(\true) && points(a) && points(arr) && points(\null)
        and(flag{}(truth(<integer>n Gt 0: integer)), flag{}(truth(\true)), points{}(<void *>a), points{}(<void *>&first(arr)), points{}(null<void *>))
    "#]],
    );
    check(
        r"(char)n == (unsigned)i && (int)d == (integer)d && (real)n == d && (boolean)n",
        expect![[r#"
        (char)n == (unsigned int)i && (int)d == (integer)d && (real)n == d && (boolean)n
        and(<integer>(char)n Eq <integer>(unsigned int)i, <integer>(int)d Eq (integer)d, <real>n Eq <real>d, <integer>n Ne 0: integer)
    "#]],
    );
    check(
        r"(number)n == n && (enum color)n == GREEN && (int *)v == a && (unsigned long)p > 0",
        expect![[r#"
        (number)n == n && (enum color)n == GREEN && (int *)v == a && (unsigned long)p > 0
        and(<integer>n Eq <integer>n, <integer>(enum color)n Eq GREEN: integer, (int *)v Eq a, <integer>(unsigned long)p Gt 0: integer)
    "#]],
    );
    check(
        r"~n == (n & 1 | i ^ g << 2 >> 1)",
        expect![[r#"
        ~n == ((n & 1) | (i ^ (g << 2 >> 1)))
        ~n: integer Eq [integer: [integer: <integer>n BitAnd 1: integer] BitOr [integer: <integer>i BitXor [integer: <integer>g Shl 2: integer Shr 1: integer]]]
    "#]],
    );
    check(
        r"(n --> i <--> g) == 0 && (n --> i --> g) == 1",
        expect![[r#"
        (n --> i <--> g) == 0 && (n --> i --> g) == 1
        and([integer: [integer: <integer>n BitImplies <integer>i] BitIff <integer>g] Eq 0: integer, [integer: <integer>n BitImplies [integer: <integer>i BitImplies <integer>g]] Eq 1: integer)
    "#]],
    );
    check(
        r"-n < +n && - - n == n && !!n && ~~n == n && !\forall integer k; k == k",
        expect![[r#"
        -n < +n && -(-n) == n && !!n && ~~n == n && !(\forall integer k; k == k)
        and(neg(<integer>n) Lt <integer>n, neg(neg(<integer>n)) Eq <integer>n, not(not(<integer>n Ne 0: integer)), ~~n: integer Eq <integer>n, not(all[k#0: integer] k: integer Eq k: integer))
    "#]],
    );
    check(
        r"n > 0 ==> i > 0 ==> g > 0",
        expect![[r#"
        n > 0 ==> i > 0 ==> g > 0
        (<integer>n Gt 0: integer => (<integer>i Gt 0: integer => <integer>g Gt 0: integer))
    "#]],
    );
    check(
        r"n > 0 <==> i > 0 <==> g > 0",
        expect![[r#"
        n > 0 <==> i > 0 <==> g > 0
        iff(<integer>n Gt 0: integer, <integer>i Gt 0: integer, <integer>g Gt 0: integer)
    "#]],
    );
    check(
        r"n > 0 || i > 0 ^^ g > 0 && n == 1",
        expect![[r#"
        n > 0 || (i > 0 ^^ (g > 0 && n == 1))
        or(<integer>n Gt 0: integer, xor(<integer>i Gt 0: integer, and(<integer>g Gt 0: integer, <integer>n Eq 1: integer)))
    "#]],
    );
    check(
        r"n > 0 ==> i > 1 ? n == 2 : n == 3",
        expect![[r#"
        n > 0 ==> i > 1 ? n == 2 : n == 3
        n > 0 ==> i > 1 ? n == 2 : n == 3
    "#]],
    );
    check(
        r"low: n > 0 && (high: n < 10)",
        expect![[r#"
        low: n > 0 && (high: n < 10)
        low: and(<integer>n Gt 0: integer, high: <integer>n Lt 10: integer)
    "#]],
    );
    check(
        r"n > 0 ==> name: other: i > 0",
        expect![[r#"
        n > 0 ==> (name: other: i > 0)
        (<integer>n Gt 0: integer => name: other: <integer>i Gt 0: integer)
    "#]],
    );
    check(
        r"\min(n, 1) == \max(n, 1.5) && \abs(c) == 1",
        expect![[r#"
        \min(n, 1) == \max(n, 1.5) && \abs(c) == 1
        and(<real>Min(<integer>n, 1: integer): integer Eq Max(<real><integer>n, 1.5: real): real, Abs(<integer>c): integer Eq 1: integer)
    "#]],
    );
    check(
        r"\sum(0, n - 1, \lambda integer k; a[k]) == \product(1, 3, \lambda integer k; k)",
        expect![[r#"
        \sum(0, n - 1, \lambda integer k; a[k]) == \product(1, 3, \lambda integer k; k)
        \sum(0, n - 1, \lambda integer k; a[k]): integer Eq \product(1, 3, \lambda integer k; k): integer
    "#]],
    );
    check(
        r"\numof(0, 9, \lambda integer k; arr[k] > 0) == \max(0, 9, \lambda integer k; arr[k])",
        expect![[r#"
        \numof(0, 9, \lambda integer k; arr[k] > 0) == \max(0, 9, \lambda integer k; arr[k])
        \numof(0, 9, \lambda integer k; arr[k] > 0): integer Eq \max(0, 9, \lambda integer k; arr[k]): integer
    "#]],
    );
    check(
        r"sizeof(int) == 4 && sizeof n == 4 && sizeof(arr) == 40 && sizeof(int *) == 8",
        expect![[r#"
        sizeof(int) == 4 && sizeof(n) == 4 && sizeof(arr) == 40 && sizeof(int *) == 8
        and(4: integer Eq 4: integer, 4: integer Eq 4: integer, 40: integer Eq 40: integer, 8: integer Eq 8: integer)
    "#]],
    );
    check(
        r"RED < GREEN",
        expect![[r#"
        RED < GREEN
        RED: integer Lt GREEN: integer
    "#]],
    );
    check(
        r"(n - 1) - (2 - 3) - 4 == 1 && n * (i + 1) % 3 == 0",
        expect![[r#"
        (n - 1) - (2 - 3) - 4 == 1 && n * (i + 1) % 3 == 0
        and([integer: [integer: <integer>n Sub 1: integer] Sub [integer: 2: integer Sub 3: integer] Sub 4: integer] Eq 1: integer, [integer: <integer>n Mul [integer: <integer>i Add 1: integer] Rem 3: integer] Eq 0: integer)
    "#]],
    );
    check(
        r"∀ ℤ k; 0 ≤ k ⇒ k ≢ -1 ∧ ¬(k ≡ -1)",
        expect![[r#"
        \forall integer k; 0 <= k ==> k != -1 && !(k == -1)
        all[k#0: integer] (0: integer Le k: integer => and(k: integer Ne neg(1: integer), not(k: integer Eq neg(1: integer))))
    "#]],
    );
    check(
        r"1 == 1 && \true",
        expect![[r#"
        1 == 1 && \true
        and(1: integer Eq 1: integer, \true)
    "#]],
    );
    check(
        r"\at(n > 0, Post) && \at(i, Init) == 0",
        expect![[r#"
        \at(n > 0, Post) && \at(i, Init) == 0
        and(at(<integer>n Gt 0: integer, Post), <integer>at(i, Init) Eq 0: integer)
    "#]],
    );
    check(
        r"(int *)0 == \null",
        expect![[r#"
        (int *)0 == \null
        null<int *> Eq null<int *>
    "#]],
    );
    check(
        r"\let z = (int *)0; z == a",
        expect![[r#"
        \let z = (int *)0; z == a
        \let z = (int *)\null; z == a
    "#]],
    );
    check(
        r"\forall int *x; \forall integer x; x == 1",
        expect![[r#"
        \forall int *x; \forall integer x; x == 1
        all[x#0: int *] all[x#1: integer] x: integer Eq 1: integer
    "#]],
    );
    check(
        r"d == d && d < 1 + n",
        expect![[r#"
        d == d && d < 1 + n
        and(<real>d Eq <real>d, <real>d Lt <real>[integer: 1: integer Add <integer>n])
    "#]],
    );
}

#[test]
fn declarations() {
    check_file(
        r"logic integer f2(integer n) = n <= 0 ? 0 : f2(n - 1) + n;",
        expect![[r#"
        logic integer f2(integer n) = n <= 0 ? 0 : f2(n - 1) + n;
    "#]],
    );
    check_file(
        r"predicate even(integer n) = n == 0 || even(n - 2);",
        expect![[r#"
        predicate even(integer n) = n == 0 || even(n - 2);
    "#]],
    );
    check_file(
        r"predicate zeros(int *b, integer n) = \forall integer k; 0 <= k < n ==> b[k] == 0;",
        expect![[r#"
        predicate zeros{L}(int *b, integer n) = \forall integer k; 0 <= k < n ==> b[k] == 0;
    "#]],
    );
    check_file(
        r"logic integer total(int *b, integer n) = n <= 0 ? 0 : total(b, n - 1) + b[n - 1];",
        expect![[r#"
        logic integer total{L}(int *b, integer n) = n <= 0 ? 0 : total(b, n - 1) + b[n - 1];
    "#]],
    );
    check_file(
        r"logic integer now = g + 1;",
        expect![[r#"
        logic integer now{L} = g + 1;
    "#]],
    );
    check_file(
        r"lemma l1: \forall int *b; *b > 0 ==> sum(b, 1) > 0;",
        expect![[r#"
        lemma l1{L}: \forall int *b; *b > 0 ==> sum(b, 1) > 0;
    "#]],
    );
    check_file(
        r"lemma l2{A, B}: \forall int *b; same{A, B}(b) ==> same{B, A}(b);",
        expect![[r#"
        lemma l2{A, B}: \forall int *b; same{A, B}(b) ==> same{B, A}(b);
    "#]],
    );
    check_file(
        r"axiomatic Count { logic integer count{L}(int *b, integer n, int v) reads b[0 .. n - 1]; axiom none{L}: \forall int *b, v; count(b, 0, v) == 0; predicate p2(integer x); logic integer pure(integer x) reads \nothing; lemma known: p2(1); }",
        expect![[r#"
        axiomatic Count {
          logic integer count{L}(int *b, integer n, int v) reads b[0 .. n - 1];
          axiom none{L}: \forall int *b, int v; count(b, 0, v) == 0;
          predicate p2(integer x);
          logic integer pure(integer x) reads \nothing;
          lemma known: p2(1);
        }
    "#]],
    );
    check_file(
        r"inductive ev(integer n) { case zero: ev(0); case step: \forall integer n; ev(n) ==> ev(n + 2); }",
        expect![[r#"
        inductive ev(integer n) {
          case zero: ev(0);
          case step: \forall integer n; ev(n) ==> ev(n + 2);
        }
    "#]],
    );
    check_file(
        r"inductive reach{L}(int *b, int *e) { case here{L}: \forall int *b; reach{L}(b, b); case next{L}: \forall int *b, *e; *b == 1 ==> reach(b + 1, e) ==> reach(b, e); }",
        expect![[r#"
        inductive reach{L}(int *b, int *e) {
          case here{L}: \forall int *b; reach(b, b);
          case next{L}: \forall int *b, int *e; *b == 1 ==> reach(b + 1, e) ==> reach(b, e);
        }
    "#]],
    );
    check_file(
        r"check lemma c1: 1 + 1 == 2; admit lemma a1: 2 + 2 == 4;",
        expect![[r#"
        check lemma c1: 1 + 1 == 2;
        admit lemma a1: 2 + 2 == 4;
    "#]],
    );
    check_file(
        r"/*@ logic integer sq(integer x) = x * x;
  @ lemma sq_pos: \forall integer x; sq(x) >= 0; // squares
  @*/
//@ lemma sq_one: sq(1) == 1;
/* plain */ lemma sq_two: sq(2) == 4;",
        expect![[r#"
    logic integer sq(integer x) = x * x;
    lemma sq_pos: \forall integer x; sq(x) >= 0;
    lemma sq_one: sq(1) == 1;
    lemma sq_two: sq(2) == 4;
"#]],
    );
    check_file(
        r"logic boolean b1(integer y) = y == 1 && y > 0; logic boolean b2(integer y) = positive((int)y) ==> y == 2; logic integer b3(integer y) = b2(y) ? 1 : 0;",
        expect![[r#"
        logic boolean b1(integer y) = y == 1 && y > 0;
        logic boolean b2(integer y) = positive((int)y) ==> y == 2;
        logic integer b3(integer y) = b2(y) ? 1 : 0;
    "#]],
    );
    check_file(
        r"logic int *next(int *b) = b + 1; logic int narrow(integer x) = (int)(x + 1); logic real rr(float x) = x + 1;",
        expect![[r#"
        logic int *next(int *b) = b + 1;
        logic int narrow(integer x) = (int)(x + 1);
        logic real rr(float x) = x + 1;
    "#]],
    );
    check_file(
        r"logic integer field{L}(struct pair *x) = x->next->a[1]; predicate val(number y) = y > 0;",
        expect![[r#"
        logic integer field{L}(struct pair *x) = x->next->a[1];
        predicate val(int y) = y > 0;
    "#]],
    );
    check_file(
        r"lemma l3: \forall float x, double y; x == y;",
        expect![[r#"
        lemma l3: \forall float x, double y; x == y;
    "#]],
    );
    check_file(
        r"lemma l4: \forall char x; positive(x);",
        expect![[r#"
        lemma l4: \forall char x; positive(x);
    "#]],
    );
    check_file(
        r"predicate always = \true; lemma l5: always;",
        expect![[r#"
        predicate always = \true;
        lemma l5: always;
    "#]],
    );
    check_file(
        r"logic integer overlap(int *b, integer k) = \let v = b[k]; \let w = v + 1; v * w;",
        expect![[r#"
        logic integer overlap{L}(int *b, integer k) = \let v = b[k]; \let w = v + 1; v * w;
    "#]],
    );
    check_file(
        r"predicate ordered{L}(int (*rows)[3], integer n) = rows[0][1] <= rows[n][2];",
        expect![[r#"
        predicate ordered{L}(int (*rows)[3], integer n) = rows[0][1] <= rows[n][2];
    "#]],
    );
    check_file(
        r"predicate sorted_at{L}(int *b, integer n) = \forall integer x, y; 0 <= x <= y < n ==> b[x] <= b[y]; lemma transitive{L}: \forall int *b, integer n; sorted_at(b, n) ==> sorted_at(b, n - 1);",
        expect![[r#"
        predicate sorted_at{L}(int *b, integer n) = \forall integer x, integer y; 0 <= x <= y < n ==> b[x] <= b[y];
        lemma transitive{L}: \forall int *b, integer n; sorted_at(b, n) ==> sorted_at(b, n - 1);
    "#]],
    );
}
