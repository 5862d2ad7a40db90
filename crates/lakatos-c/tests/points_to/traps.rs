//! Programs in which pointers take unusual ways. Each runs to its end, with the exit code that C
//! gives it, and every access is where the analysis says.

use lakatos_ir::DataModel;
use lakatos_ir::interpret::{Outcome, Zeros};
use lakatos_ir::points_to::PointsTo;

use super::watch::watch;

const LIBRARY: &str = "typedef __SIZE size_t; void *malloc(size_t); void *calloc(size_t, size_t); \
    void *realloc(void *, size_t); void free(void *); void *memcpy(void *, const void *, size_t); \
    void *memmove(void *, const void *, size_t); void *memset(void *, int, size_t); \
    int memcmp(const void *, const void *, size_t); char *strcpy(char *, const char *); \
    size_t strlen(const char *); char *strchr(const char *, int); int printf(const char *, ...);\n";

#[track_caller]
fn check(text: &str, code: i128) {
    for (model, size) in [(DataModel::Lp64, "unsigned long"), (DataModel::Ilp32, "unsigned int")] {
        let text = format!("{}{text}", LIBRARY.replace("__SIZE", size));
        let program = super::program(&text, model);
        let memory = PointsTo::new(&program);
        let seen = watch(&program, &memory, &mut Zeros);
        assert_eq!(seen.problems, Vec::<String>::new(), "{}", memory.show(&program));
        assert_eq!(seen.run.outcome, Outcome::Exited(code));
    }
}

#[test]
fn pointer_to_pointer() {
    check(
        "int x = 1, y = 2; int main(void) { int *p = &x; int **pp = &p; int ***ppp = &pp; \
         **ppp = &y; ***ppp = 7; return *p + x; }",
        8,
    );
}

#[test]
fn structure_copied_with_its_pointers() {
    check(
        "struct s { int a; int *p; int *q; }; int x = 3, y = 4; int main(void) { \
         struct s s = { 1, &x, &y }, t; t = s; struct s *r = &t; *r->q = 9; *t.p = 5; \
         return x + y; }",
        14,
    );
}

#[test]
fn structure_in_structure_in_array() {
    check(
        "struct i { int *p; int n; }; struct o { int k; struct i in[2]; }; struct o a[2]; int x; \
         int main(void) { a[1].in[1].p = &x; struct i c = a[1].in[1]; *c.p = 6; \
         struct o d = a[1]; *d.in[1].p += 1; return x; }",
        7,
    );
}

#[test]
fn union_of_pointer_and_integer() {
    check(
        "union u { int *p; size_t n; }; int x; int main(void) { union u u, v; u.p = &x; \
         v.n = u.n; *v.p = 5; return x; }",
        5,
    );
}

#[test]
fn pointer_copied_byte_by_byte() {
    check(
        "int x; int main(void) { int *p = &x, *q; char *to = (char *)&q, *from = (char *)&p; \
         for (size_t i = 0; i < sizeof p; i++) to[i] = from[i]; *q = 8; return x; }",
        8,
    );
}

#[test]
fn pointer_copied_by_memcpy() {
    check(
        "int x; int main(void) { int *p = &x, *q; memcpy(&q, &p, sizeof p); *q = 4; \
         struct { char c; int *r; } s, t; s.r = q; memcpy(&t, &s, sizeof s); *t.r += 2; \
         return x; }",
        6,
    );
}

#[test]
fn pointer_copied_into_bytes_and_back() {
    check(
        "int x; int main(void) { int *p = &x, *q; char buffer[32]; \
         memcpy(buffer + 3, &p, sizeof p); memmove(&q, buffer + 3, sizeof q); *q = 11; return x; }",
        11,
    );
}

#[test]
fn pointer_stored_through_char_pointer() {
    check(
        "struct s { int a; int *p; } s; int x; int main(void) { char *raw = (char *)&s; \
         *(int **)(raw + __builtin_offsetof(struct s, p)) = &x; *s.p = 3; return x; }",
        3,
    );
}

#[test]
fn function_pointers_in_structures() {
    check(
        "int add(int a, int b) { return a + b; } int mul(int a, int b) { return a * b; } \
         struct op { const char *name; int (*f)(int, int); }; \
         struct op ops[2] = { { \"add\", add }, { \"mul\", mul } }; \
         int apply(struct op *o, int a, int b) { struct op c = *o; return c.f(a, b); } \
         int main(void) { return apply(&ops[0], 2, 3) + apply(ops + 1, 2, 3); }",
        11,
    );
}

#[test]
fn function_pointer_through_an_integer() {
    check(
        "int f(void) { return 4; } int main(void) { size_t n = (size_t)f; \
         int (*p)(void) = (int (*)(void))n; union { int (*q)(void); char b[8]; } u, v; u.q = p; \
         for (int i = 0; i < 8; i++) v.b[i] = u.b[i]; return v.q() + p(); }",
        8,
    );
}

#[test]
fn address_of_a_local_returned() {
    check(
        "static int *id(int *p) { int *q = p; return q; } int *keep; \
         static int *gone(void) { int l = 1; keep = &l; return keep; } \
         int main(void) { int y = 2; *id(&y) = 5; gone(); keep = &y; return *keep; }",
        5,
    );
}

#[test]
fn container_of() {
    check(
        "struct link { struct link *next; }; struct item { int v; struct link l; int w; }; \
         struct item a = { 1, { 0 }, 2 }, b = { 3, { 0 }, 4 }; int main(void) { a.l.next = &b.l; \
         int sum = 0; for (struct link *p = &a.l; p; p = p->next) { struct item *i = \
         (struct item *)((char *)p - __builtin_offsetof(struct item, l)); sum += i->v; i->w = 0; } \
         return sum + a.w + b.w; }",
        4,
    );
}

#[test]
fn realloc_keeps_pointers() {
    check(
        "int x, y; int main(void) { int **a = malloc(2 * sizeof *a); a[0] = &x; a[1] = &y; \
         a = realloc(a, 9 * sizeof *a); a[8] = a[1]; *a[8] = 5; *a[0] = 1; free(a); return x + y; }",
        6,
    );
}

#[test]
fn linked_list() {
    check(
        "struct n { int v; struct n *next; }; struct n *push(struct n *l, int v) { \
         struct n *n = malloc(sizeof *n); n->v = v; n->next = l; return n; } \
         int main(void) { struct n *l = 0; for (int i = 0; i < 4; i++) l = push(l, i); \
         struct n **p = &l; while (*p) { if ((*p)->v == 2) *p = (*p)->next; else p = &(*p)->next; } \
         int s = 0; for (struct n *n = l; n; n = n->next) s += n->v; \
         while (l) { struct n *n = l->next; free(l); l = n; } return s; }",
        4,
    );
}

#[test]
fn middle_of_an_array_and_negative_indices() {
    check(
        "int a[10]; int main(void) { int *p = a + 5; p[-2] = 3; p[4] = 4; int *e = a + 10; \
         *--e += 1; int *f = &a[9] - 6; return *f + a[9] + (int)(e - a); }",
        17,
    );
}

#[test]
fn arithmetic_from_one_field_to_the_next() {
    check(
        "struct s { int a[2]; int b; int c; } s; int main(void) { int *p = s.a; p[2] = 5; \
         int *q = &s.b; q++; *q = 2; for (int *r = s.a; r != s.a + 4; r++) *r += 1; \
         return s.b + s.c; }",
        9,
    );
}

#[test]
fn matrices() {
    check(
        "int m[3][4]; int main(void) { int (*r)[4] = m + 1; (*r)[2] = 3; int *p = m[0]; \
         p[11] = 4; p = &m[2][0]; p[-1] = 5; return m[1][2] + m[2][3] + m[1][3]; }",
        12,
    );
}

#[test]
fn variadic_function() {
    check(
        "int first(int *p, ...) { return *p; } int x = 3; int main(void) { int y = 4; \
         return first(&x, &y, \"z\") + first(&y); }",
        7,
    );
}

#[test]
fn integers_that_are_pointers() {
    check(
        "int x, y; int main(void) { size_t a = (size_t)&x, b = (size_t)&y; size_t d = a ^ b; \
         int *p = (int *)(d ^ b); *p = 3; size_t last = (size_t)(&y + 1) - sizeof y; \
         *(int *)last = 4; return x + y; }",
        7,
    );
}

#[test]
fn pointer_in_two_halves() {
    check(
        "int x; union u { int *p; unsigned short h[4]; }; struct { union u a, b; } s; \
         int main(void) { s.a.p = &x; for (int i = 0; i < (int)(sizeof(int *) / 2); i++) \
         s.b.h[i] = s.a.h[i]; *s.b.p = 9; return x; }",
        9,
    );
}

#[test]
fn packed_pointer() {
    check(
        "struct __attribute__((packed)) s { char c; int *p; } s, t; int x; int main(void) { \
         s.p = &x; t = s; *t.p = 6; return x; }",
        6,
    );
}

#[test]
fn structures_by_value() {
    check(
        "struct s { int *p; int n; }; struct s make(int *p) { struct s s = { p, 2 }; return s; } \
         int use(struct s s) { *s.p += s.n; s.p = 0; return s.n; } int x = 1; \
         int main(void) { struct s a[2]; a[1] = make(&x); use(a[1]); use(make(&x)); \
         return *a[1].p + *make(&x).p; }",
        10,
    );
}

#[test]
fn recursion_with_addresses_of_locals() {
    check(
        "struct f { struct f *up; int v; }; int walk(struct f *up, int n) { struct f me = { up, n }; \
         if (n) return walk(&me, n - 1); int s = 0; for (struct f *p = &me; p; p = p->up) s += p->v; \
         return s; } int main(void) { return walk(0, 4); }",
        10,
    );
}

#[test]
fn flexible_array_member() {
    check(
        "struct v { int n; int *own; int d[]; }; int x; int main(void) { struct v *v = \
         malloc(sizeof *v + 3 * sizeof(int)); v->n = 3; v->own = &x; \
         for (int i = 0; i < 3; i++) v->d[i] = i; *v->own = v->d[2]; int *e = &v->d[1]; \
         e[-1] = 5; int r = v->d[0] + x; free(v); return r; }",
        7,
    );
}

#[test]
fn variable_length_arrays() {
    check(
        "int main(void) { int n = 3; int x = 0; int *a[n]; int m[n][2]; for (int i = 0; i < n; i++) \
         { a[i] = &x; m[i][1] = i; } *a[2] += 4; int (*r)[2] = m; return x + r[2][1]; }",
        6,
    );
}

#[test]
fn wrappers_of_malloc() {
    check(
        "void *xmalloc(size_t n) { void *p = malloc(n); return p; } \
         int *ints(size_t n) { return xmalloc(n * sizeof(int)); } \
         struct s { char *t; int *p; }; int main(void) { int *a = ints(2), *b = ints(3); \
         struct s *s = xmalloc(sizeof *s); s->p = a; s->t = xmalloc(4); strcpy(s->t, \"ab\"); \
         a[1] = 1; b[2] = 2; s->p[1] += 4; return a[1] + b[2] + (int)strlen(s->t); }",
        9,
    );
}

#[test]
fn arena() {
    check(
        "static char pool[64]; static size_t used; void *take(size_t n) { void *p = pool + used; \
         used += (n + 7) / 8 * 8; return p; } struct t { struct t *l; int v; }; \
         int main(void) { struct t *a = take(sizeof *a), *b = take(sizeof *b); a->l = b; b->l = 0; \
         b->v = 3; a->v = 4; return a->l->v + a->v; }",
        7,
    );
}

#[test]
fn strings() {
    check(
        "struct s { char name[8]; char *rest; } s; int main(void) { strcpy(s.name, \"a=bc\"); \
         s.rest = strchr(s.name, '=') + 1; *s.rest = 'x'; const char *l = \"lit\" + 1; \
         printf(\"%s %s\\n\", s.rest, l); return s.name[2] == 'x' && l[0] == 'i'; }",
        1,
    );
}

#[test]
fn comparing_memory_reveals_pointers() {
    check(
        "struct s { int *p; } a, b; int x; int main(void) { a.p = &x; b.p = &x; \
         int same = !memcmp(&a, &b, sizeof a); size_t n; memcpy(&n, &a, sizeof n); \
         *(int *)n = 2; return same + x; }",
        3,
    );
}

#[test]
fn swapping_through_pointers_to_fields() {
    check(
        "struct s { int k; int *p, *q; } s; int x = 1, y = 2; void swap(int **a, int **b) { \
         int *t = *a; *a = *b; *b = t; } int main(void) { s.p = &x; s.q = &y; swap(&s.p, &s.q); \
         *s.p = 7; return x + y; }",
        8,
    );
}

#[test]
fn static_locals_keep_pointers() {
    check(
        "int *last(int *p) { static int *kept; int *old = kept; kept = p; return old; } \
         int main(void) { int a = 1, b = 2; last(&a); *last(&b) = 5; *last(0) = 6; return a + b; }",
        11,
    );
}

#[test]
fn zeroed_and_copied_in_part() {
    check(
        "struct s { int *p; int n; int *q; } s, t; int x, y; int main(void) { s.p = &x; s.q = &y; \
         memcpy(&t.q, &s.q, sizeof t.q); memset(&s, 0, sizeof s); *t.q = 3; \
         memmove(&t, &t.q, sizeof t.q); *t.p += 1; return y + (s.p == 0); }",
        5,
    );
}

/// The interpreter lets an address leave its object by way of a field, and arithmetic bring it back.
#[test]
fn address_of_a_field_beyond_the_object() {
    check(
        "struct big { char pad[100]; int f; }; int small, other; int main(void) { \
         struct big *b = (struct big *)&small; char *q = (char *)&b->f; int *r = (int *)(q - 100); \
         *r = 5; return small + other; }",
        5,
    );
}

#[test]
fn large_union_with_arrays() {
    check(
        "union u { char raw[64]; struct { int a; int *p; int t[4]; } v; } u, w; int x; \
         int main(void) { u.v.p = &x; u.v.t[3] = 2; for (int i = 0; i < 64; i++) \
         w.raw[i] = u.raw[i]; *w.v.p = w.v.t[3] + 1; union u c = w; *c.v.p += 1; return x; }",
        4,
    );
}

#[test]
fn realloc_into_another_variable() {
    check(
        "int x, y; int main(void) { int **a = malloc(2 * sizeof *a); a[0] = &x; a[1] = &y; \
         int **b = realloc(a, 4 * sizeof *b); *b[1] = 5; *b[0] = 1; free(b); return x + y; }",
        6,
    );
}

#[test]
fn pointer_moved_in_two_halves() {
    check(
        "int x; int main(void) { int *p = &x, *q; memcpy(&q, &p, sizeof p / 2); \
         memcpy((char *)&q + sizeof p / 2, (char *)&p + sizeof p / 2, sizeof p / 2); *q = 6; \
         return x; }",
        6,
    );
}

#[test]
fn pointer_stored_through_an_integer() {
    check(
        "struct s { int k; int *p; } s; int x; int main(void) { size_t n = (size_t)&s; \
         *(int **)(n + __builtin_offsetof(struct s, p)) = &x; *s.p = 5; return x; }",
        5,
    );
    check(
        "struct s { int k; int *p; } s, *q, **qq, ***qqq; int x; int main(void) { qqq = &qq; \
         *qqq = &q; **qqq = &s; size_t n = (size_t)&s; \
         *(int **)(n + __builtin_offsetof(struct s, p)) = &x; *(**qqq)->p = 5; return x; }",
        5,
    );
}
