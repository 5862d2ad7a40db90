//! Regions, pointers, calls and effects of small programs, as text.

use expect_test::{Expect, expect};
use lakatos_ir::pass::large_blocks;
use lakatos_ir::points_to::{PointsTo, RegionSets};
use lakatos_ir::{Callee, DataModel, Instr, PlaceKind, Program};

fn analysed(text: &str) -> (Program, PointsTo) {
    let program = super::program(text, DataModel::Lp64);
    let memory = PointsTo::new(&program);
    (program, memory)
}

/// The regions of a program.
#[track_caller]
fn check(text: &str, expected: Expect) {
    let (program, memory) = analysed(text);
    expected.assert_eq(&memory.show(&program).to_string());
}

/// Where the pointers that `main` dereferences point to, in order of places.
#[track_caller]
fn check_pointers(text: &str, expected: Expect) {
    let (program, memory) = analysed(text);
    let mut lines = String::new();
    for (_, place) in program.places.iter() {
        let PlaceKind::Deref(pointer) = place.kind else { continue };
        let targets = memory.pointees(pointer);
        let shown: Vec<String> =
            targets.iter().map(|&t| memory.show_target(&program, t).to_string()).collect();
        let line = format!("{}: {}\n", program.show_expr(pointer), shown.join(", "));
        if !lines.contains(&line) {
            lines.push_str(&line);
        }
    }
    expected.assert_eq(&lines);
}

#[test]
fn plain_variables_are_no_regions() {
    check(
        "int g, h; int main(void) { int x = g; int *p = &g; h = 1; return *p + x + h; }",
        expect![[r#"
            r0 int, single: g
        "#]],
    );
    check("int g; int *p; int main(void) { int x = g; p = 0; return x + !p; }", expect![[""]]);
}

#[test]
fn fields_are_apart_and_elements_are_not() {
    check(
        "struct p { int x, y; } a, b[3]; struct q { char c; struct p in[2]; long l; } q; \
         int main(int n, char **v) { a.x = 1; a.y = 2; b[n].x = a.x; b[0].y = 3; q.c = 1; \
         q.in[n].y = 2; q.l = b[1].y; return 0; }",
        expect![[r#"
            r0 int, single: a.x
            r1 int, single, never read: a.y
            r2 int, never read: b[].x
            r3 int: b[].y
            r4 char, single, never read: q.c
            r5 int, never read: q.in[].x
            r6 int, never read: q.in[].y
            r7 long, single, never read: q.l
        "#]],
    );
}

#[test]
fn accesses_make_regions_one() {
    check(
        "int a, b, c; int main(int n, char **v) { int *p = n ? &a : &b; *p = 1; int *q = &c; \
         *q = 2; return a; }",
        expect![[r#"
            r0 int: a, b
            r1 int, single, never read: c
        "#]],
    );
}

#[test]
fn unions_and_other_types_overlap() {
    check(
        "union u { int i; float f; } u; union { int *p; long l; } w; struct s { int a; int b; } s; \
         long l; unsigned *up; int main(void) { u.i = 1; u.f = 2; w.p = 0; w.l = 3; s.a = 1; s.b = 2; \
         *(long *)&s = 4; char *c = (char *)&l; c[3] = 1; l = 2; int i = 1; up = (unsigned *)&i; \
         *up = 3; return i; }",
        expect![[r#"
            r0 4 bytes, single, never read: u
            r1 8 bytes, single, never read: w
            r2 mixed, never read: s.a, s.b
            r3 mixed, never read: l
            r4 4 bytes, single: main::i
        "#]],
    );
}

#[test]
fn heap_by_call() {
    check(
        "void *malloc(unsigned long); struct n { int v; struct n *next; }; \
         void *wrap(unsigned long n) { return malloc(n); } \
         int main(int n, char **v) { int *a = malloc(n * sizeof(int)); a[n] = 1; \
         struct n *x = wrap(sizeof *x); struct n *y = wrap(sizeof *y); x->v = 1; y->v = 2; \
         x->next = 0; y->next = x; return 0; }",
        expect![[r#"
            r0 int, never read: heap@1:154[]
            r1 int, never read: heap@1:104<1:234[].v
            r2 pointer, never read: heap@1:104<1:234[].next
            r3 int, never read: heap@1:104<1:203[].v
            r4 pointer, never read: heap@1:104<1:203[].next
        "#]],
    );
}

#[test]
fn strong_updates() {
    check(
        "struct s { int a; int *p; }; void down(int n) { int l = n; int *p = &l; *p -= 1; \
         if (l) down(l); } int once(void) { struct s s; s.a = 1; s.p = &s.a; return *s.p; } \
         int main(void) { down(3); return once(); }",
        expect![[r#"
            r0 int, single: once::s.a
            r1 pointer, single: once::s.p
            r2 int: down::l
        "#]],
    );
}

#[test]
fn memory_outside() {
    check(
        "char *getenv(const char *); struct f; struct f *open(char *); int read(struct f *, char *); \
         int main(int n, char **v) { char b[8]; struct f *f = open(v[1]); read(f, b); \
         char *e = getenv(\"X\"); return e[0] + b[0]; }",
        expect![[r#"
            r0 mixed, never written: outside
            r1 char: literal@1:187[]
            r2 char: main::b[]
            r3 mixed: heap@682:19<712:12<1:180[]
        "#]],
    );
}

#[test]
fn strings_and_bytes() {
    check(
        "char *strcpy(char *, const char *); void *memset(void *, int, unsigned long); \
         struct s { char t[8]; int n; } s, z; int main(void) { memset(&z, 0, sizeof z); \
         strcpy(s.t, \"abc\"); s.n = 1; return z.n; }",
        expect![[r#"
            r0 char, never read: s.t[]
            r1 int, single, never read, bytewise: s.n
            r2 char, never read: z.t[]
            r3 int, single: z.n
            r4 char: literal@1:170[]
        "#]],
    );
}

#[test]
fn pointers() {
    check_pointers(
        "int x, y, a[4]; struct s { int k; int *p; } s; int main(int n, char **v) { int *p = &x; \
         int **q = n ? &p : &s.p; *q = &y; *p = 1; int *w = a; w++; *w = 2; w = &a[n]; *(w + n) = 3; \
         struct s *t = &s; *t->p = 4; long l = (long)&y; *(int *)l = 1; return **v; }",
        expect![[r#"
            q: s.p, main::p
            p: x, y, y (anywhere)
            w: a[0], a[], a (end), a (outside)
            w + n: a[], a (end), a (outside)
            t: s.k
            t->p: y, y (anywhere)
            (int *)l: outside (anywhere), y (anywhere)
            v: outside (anywhere)
            *v: outside (anywhere), y (anywhere)
        "#]],
    );
}

#[test]
fn calls() {
    let (program, memory) = analysed(
        "int a(void) { return 1; } int b(void) { return 2; } int c(void) { return 3; } \
         struct s { int (*f)(void), (*g)(void); } s = { a, b }; int (*all[])(void) = { a, b, c }; \
         int main(int n, char **v) { return s.f() + s.g() + (n ? s.f : c)() + all[n](); }",
    );
    let mut lines = String::new();
    for (proc, _, body) in program.defined() {
        for (id, edge) in body.edges.iter() {
            if let Instr::Call(call) = &edge.instr
                && let Callee::Pointer(pointer) = call.callee
            {
                let targets = memory.targets(proc, id).iter();
                let names: Vec<&str> = targets.map(|&p| program.procs[p].name.as_str()).collect();
                lines += &format!("{}: {}\n", program.show_expr(pointer), names.join(" "));
            }
        }
    }
    expect![[r#"
        s.f: a
        s.g: b
        n != 0 ? s.f : c: a c
        all[n]: a b c
    "#]]
    .assert_eq(&lines);
    let calls = memory.call_graph(&program);
    let main: Vec<&str> =
        calls.callees(program.main).iter().map(|&p| program.procs[p].name.as_str()).collect();
    assert_eq!(main, ["a", "b", "c"]);
}

#[test]
fn effects() {
    let (program, memory) = analysed(
        "void *malloc(unsigned long); void free(void *); int ext(int *); int x, y, z; int *p = &x; \
         struct s { int a, b; } s; void set(int *q) { *q = 1; } int get(int *q) { return *q; } \
         void ping(int n); void pong(int n) { s.b = n; ping(n - 1); } \
         void ping(int n) { s.a = n; if (n) pong(n); } int outer(void) { set(&x); return get(&y); } \
         int main(void) { outer(); ping(2); ext(&z); int *h = malloc(4); *h = 1; free(h); return z; }",
    );
    let sets = RegionSets::new(&program, &memory.call_graph(&program), &memory);
    let mut lines = memory.show(&program).to_string();
    for (proc, procedure, _) in program.defined() {
        let effects = sets.of_proc(proc);
        lines += &format!(
            "{}: reads {:?}, writes {:?}\n",
            procedure.name,
            effects.reads.iter().collect::<Vec<_>>(),
            effects.writes.iter().collect::<Vec<_>>()
        );
    }
    expect![[r#"
        r0 int, single, never read: x
        r1 int, single: y
        r2 int, single: z
        r3 pointer, single, never read: p
        r4 int, single, never read: s.a
        r5 int, single, never read: s.b
        r6 int, never read, freed: heap@1:382
        __lakatos_start: reads [r0, r1, r2, r3, r4, r5], writes [r0, r1, r2, r3, r4, r5, r6]
        set: reads [], writes [r0]
        get: reads [r1], writes []
        ping: reads [], writes [r4, r5]
        pong: reads [], writes [r4, r5]
        outer: reads [r1], writes [r0]
        main: reads [r0, r1, r2, r3, r4, r5], writes [r0, r1, r2, r3, r4, r5, r6]
    "#]]
    .assert_eq(&lines);
}

#[test]
fn blocks_are_seen_through() {
    let text = "int a[4], *p = a; struct s { int *q; int n; } s; int main(int n, char **v) { \
        s.q = &a[n]; if (n) { *s.q = 1; s.n = *p; } else { p = &s.n; } *p = 2; return a[1]; }";
    let (program, memory) = analysed(text);
    let (blocks, _) = large_blocks(program.clone());
    assert_eq!(memory.show(&program).to_string(), PointsTo::new(&blocks).show(&blocks).to_string());
}

/// A structure that begins with an array: its other fields are not elements of that.
#[test]
fn address_of_a_structure_is_not_that_of_an_element() {
    check(
        "void *malloc(unsigned long); struct s { char t[8]; int n; int *p; } *h; int x; \
         int main(void) { struct s l; struct s *p = &l; p->n = 1; p->p = &x; h = malloc(sizeof l); \
         *h = l; h->n += 1; return *h->p; }",
        expect![[r#"
            r0 int, single: x
            r1 char: main::l.t[]
            r2 int, single: main::l.n
            r3 pointer, single: main::l.p
            r4 char, never read: heap@1:152.t[]
            r5 int: heap@1:152.n
            r6 pointer: heap@1:152.p
        "#]],
    );
}
