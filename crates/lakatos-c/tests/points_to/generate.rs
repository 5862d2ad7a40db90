//! Random programs full of pointers: structures, unions, the heap, function pointers, arithmetic.
//!
//! They terminate and are defined by construction (with `-fno-strict-aliasing` and
//! `-fwrapv`) for all inputs (of `__VERIFIER_nondet_int`), and they print a checksum that no address
//! has a part in, so that they can also be run by a C compiler and compared. What they rely on: every pointer in a program is null or
//! points to an object of its type that lives as long as `main`; whoever uses one that may be null
//! uses another object instead. Memory that is given back was never known to anybody else.
//!
//! Each seed leaves out a random part of the statements (swarm testing) and puts the fields of the
//! structures in another order.

use fastrand::Rng;
use lakatos_ir::DataModel;

/// The program that a seed names.
pub fn program(seed: u64, model: DataModel) -> String {
    let mut rng = Rng::with_seed(seed.wrapping_mul(0x9e37_79b9).wrapping_add(1));
    let mut kinds = KINDS.to_vec();
    rng.shuffle(&mut kinds);
    kinds.truncate(rng.usize(2..10));
    let mut generator =
        Generator { rng, out: String::new(), indent: 0, kinds, params: false, in_main: false };
    generator.program(model);
    generator.out
}

/// What a statement is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Integers,
    IntPointers,
    NodePointers,
    StructCopies,
    Moves,
    ByteCopies,
    Punning,
    Casts,
    Walks,
    ContainerOf,
    Functions,
    Heap,
    Lists,
    Calls,
    Strings,
    PointersToPointers,
    ByValue,
    VariableArrays,
    Flexible,
    Recursion,
    BitFields,
    Matrices,
    VoidPointers,
}

const KINDS: [Kind; 23] = [
    Kind::Integers,
    Kind::IntPointers,
    Kind::NodePointers,
    Kind::StructCopies,
    Kind::Moves,
    Kind::ByteCopies,
    Kind::Punning,
    Kind::Casts,
    Kind::Walks,
    Kind::ContainerOf,
    Kind::Functions,
    Kind::Heap,
    Kind::Lists,
    Kind::Calls,
    Kind::Strings,
    Kind::PointersToPointers,
    Kind::ByValue,
    Kind::VariableArrays,
    Kind::Flexible,
    Kind::Recursion,
    Kind::BitFields,
    Kind::Matrices,
    Kind::VoidPointers,
];

/// What every program begins with, after the structures.
const GLOBALS: &str = "\
int g0, g1, g2; static int g3;
int arr0[8], arr1[8], m[2][4];
struct In s0;
struct Node n0, n1, pool[2];
union Pun u0, u1;
int *ip0, *ip1, *pa[4], **gpp;
struct Node *np0, *np1, *list, **npp;
struct Flex *flex;
char buf0[16], buf1[16];
void *vp;
static int fa(int x) { return x ^ 5; }
static int fb(int x) { return (int)(3u * (unsigned)x) & 1023; }
int (*f0)(int), (*ftab[2])(int) = { fa, fb };
static int *mk(int x) { int *p = malloc(sizeof *p); *p = x; return p; }
static void *zeroed(size_t n) { void *p = malloc(n); memset(p, 0, n); return p; }
static struct Node *mknode(int x) { struct Node *n = zeroed(sizeof(struct Node)); n->v = x; return n; }
static struct In mkin(int x, int *p) { struct In r; memset(&r, 0, sizeof r); r.x = x; r.ip = p; return r; }
static int total(struct Node n) { n.data[0] ^= n.v; return n.data[0] + (n.ip ? *n.ip & 255 : 1); }
static void swap(int **a, int **b) { int *t = *a; *a = *b; *b = t; }
static int many(int n, ...) { return n & 7; }
static int *pick(int *a, int *b, int c) { return c ? a : b; }
";

/// What the checksum is made of, besides the structures.
const FOLDED: [&str; 17] = [
    "fold(g0); fold(g1); fold(g2); fold(g3); fold(s0.x); fold(s0.h);",
    "for (int k = 0; k < 8; k++) fold(arr0[k]);",
    "for (int k = 0; k < 8; k++) fold(arr1[k]);",
    "for (int k = 0; k < 8; k++) fold(m[k & 1][k / 2]);",
    "if (ip0) fold(*ip0);",
    "if (ip1) fold(*ip1);",
    "for (int k = 0; k < 4; k++) if (pa[k]) fold(*pa[k]);",
    "if (np0) fold(np0->v);",
    "if (np1) fold(np1->data[1]);",
    "if (flex) { fold(flex->n); fold(flex->d[3]); }",
    "{ struct Node *n = list; for (int k = 0; n && k < 9; k++, n = n->next) fold(n->v); }",
    "if (u0.p) fold(*u0.p);",
    "if (u1.p) fold(*u1.p);",
    "if (vp) fold(*(int *)vp);",
    "fold((int)strlen(buf0)); fold(buf1[0]);",
    "if (s0.ip) fold(*s0.ip);",
    "if (f0) fold(f0(9));",
];

struct Generator {
    rng: Rng,
    out: String,
    indent: usize,
    kinds: Vec<Kind>,
    /// The parameters `p`, `n` and `i` are visible.
    params: bool,
    in_main: bool,
}

impl Generator {
    fn program(&mut self, model: DataModel) {
        let word = if model == DataModel::Ilp32 { "unsigned int" } else { "unsigned long" };
        self.line(&format!("typedef {word} size_t; typedef size_t word;"));
        self.line(
            "void *malloc(size_t); void *calloc(size_t, size_t); void *realloc(void *, size_t);",
        );
        self.line("void free(void *); void *memcpy(void *, const void *, size_t);");
        self.line(
            "void *memmove(void *, const void *, size_t); void *memset(void *, int, size_t);",
        );
        self.line("int memcmp(const void *, const void *, size_t); size_t strlen(const char *);");
        self.line(
            "char *strcpy(char *, const char *); char *strncat(char *, const char *, size_t);",
        );
        self.line("char *strchr(const char *, int); int printf(const char *, ...);");
        self.line("int __VERIFIER_nondet_int(void);");
        self.structures();
        self.out.push_str(GLOBALS);
        self.line("static void rec(int d, int *up, struct Node *n) {");
        self.line("  int l = d; int *own = &l; struct In in = mkin(d, own);");
        self.line("  if (d > 0) rec(d - 1, in.ip, n->next ? n->next : n);");
        self.line("  *up ^= l; n->data[d & 3] += in.x; *own = 0; }");
        self.line(
            "static unsigned sum; static void fold(int x) { sum = sum * 31u + (unsigned)x; }",
        );
        let functions = self.rng.usize(1..4);
        for number in 0..functions {
            self.params = true;
            self.block(&format!("static int fn{number}(int *p, struct Node *n, int i) {{"), |g| {
                g.line("static int *kept; static int calls; calls++; int *own = p;");
                for _ in 0..g.rng.usize(2..6) {
                    g.statement(2);
                }
                if g.rng.bool() {
                    g.line("kept = kept && calls & 1 ? kept : p;");
                    g.line("own = kept;");
                }
                g.line("return *own & 1023;");
            });
            self.params = false;
        }
        self.in_main = true;
        self.block("int main(void) {", |g| {
            g.line("int l0 = 1, l1 = 2, la[8] = { 3 }; struct Node ln = { 0 }; int *lp = &l0;");
            g.line("g0 = __VERIFIER_nondet_int(); l1 = __VERIFIER_nondet_int();");
            g.line("n0.v = __VERIFIER_nondet_int(); arr0[3] = __VERIFIER_nondet_int();");
            for _ in 0..g.rng.usize(8..30) {
                if g.rng.u32(0..8) == 0 {
                    let value = g.statement_call(functions);
                    g.line(&value);
                }
                g.statement(3);
            }
            g.line("fold(l0); fold(l1); fold(la[1]); fold(*lp);");
            g.checksum();
            g.line("printf(\"%u\\n\", sum); return (int)(sum & 63u);");
        });
    }

    /// Folds most of what there is, each by its own name: a function that does it for all would
    /// make all of it one region.
    fn checksum(&mut self) {
        for part in FOLDED {
            if self.rng.u32(0..4) > 0 {
                self.line(part);
            }
        }
        for node in ["n0", "n1", "pool[0]", "pool[1]", "ln"] {
            self.line(&format!("fold({node}.v); fold({node}.data[0]); fold({node}.data[3]);"));
            self.line(&format!(
                "fold({node}.in[0].x); fold({node}.in[1].h); fold((int){node}.b1);"
            ));
            self.line(&format!("if ({node}.ip) fold(*{node}.ip);"));
            self.line(&format!("if ({node}.fn) fold({node}.fn(9));"));
            self.line(&format!("fold({node}.name[0]); fold((int){node}.b2);"));
        }
    }

    fn statement_call(&mut self, functions: usize) -> String {
        let number = self.rng.usize(0..functions);
        let (to, p, n, i) = (self.int_place(1), self.ip_some(1), self.np_some(1), self.int(1));
        format!("{to} = fn{number}({p}, {n}, {i});")
    }

    /// The structures, their fields in any order.
    fn structures(&mut self) {
        let inner = self.shuffled(&["short h;", "int *ip;", "char tag;", "int x;"]);
        self.line(&format!("struct In {{ {inner} }};"));
        self.line("union Pun { int *p; word l; unsigned char b[sizeof(int *)]; };");
        let node = self.shuffled(&[
            "int v;",
            "struct Node *next;",
            "struct In in[2];",
            "int data[4];",
            "int *ip;",
            "int (*fn)(int);",
            "char name[8];",
            "unsigned b1 : 3; unsigned b2 : 7;",
            "struct Node *kids[2];",
            "union Pun pun;",
            "short h;",
        ]);
        self.line(&format!("struct Node {{ {node} }};"));
        let flex = self.shuffled(&["int n;", "int *p;"]);
        self.line(&format!("struct Flex {{ {flex} int d[]; }};"));
    }

    fn shuffled(&mut self, fields: &[&str]) -> String {
        let mut fields = fields.to_vec();
        self.rng.shuffle(&mut fields);
        fields.join(" ")
    }

    fn line(&mut self, text: &str) {
        self.out.push_str(&"  ".repeat(self.indent));
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn block(&mut self, head: &str, body: impl FnOnce(&mut Self)) {
        self.line(head);
        self.indent += 1;
        body(self);
        self.indent -= 1;
        self.line("}");
    }

    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.rng.usize(0..of.len())]
    }

    /// An index below a power of two.
    fn index(&mut self, below: u32) -> String {
        match self.rng.bool() {
            true => self.rng.u32(0..below).to_string(),
            false => format!("({} & {})", self.int_name(), below - 1),
        }
    }

    fn int_name(&mut self) -> &'static str {
        match (self.rng.u32(0..6), self.params, self.in_main) {
            (0, true, _) => "i",
            (0 | 1, _, true) => self.pick(&["l0", "l1", "la[2]", "ln.v"]),
            _ => self.pick(&["g0", "g1", "g2", "g3", "n0.v", "arr0[3]"]),
        }
    }

    /// Something of type `int` that can be written to and has an address.
    fn int_place(&mut self, depth: u32) -> String {
        let d = depth.saturating_sub(1);
        match self.rng.u32(0..if depth == 0 { 3 } else { 9 }) {
            0 => self.pick(&["g0", "g1", "g2", "g3", "s0.x"]).to_owned(),
            1 => {
                let arrays: &[&str] =
                    if self.in_main { &["arr0", "arr1", "la"] } else { &["arr0", "arr1"] };
                format!("{}[{}]", self.pick(arrays), self.index(8))
            }
            2 if self.in_main => self.pick(&["l0", "l1", "ln.v", "ln.data[1]"]).to_owned(),
            2 => self.pick(&["n0.v", "n1.data[2]", "pool[1].v"]).to_owned(),
            3 => format!("{}->v", self.np_some(d)),
            4 => format!("{}->data[{}]", self.np_some(d), self.index(4)),
            5 => format!("{}->in[{}].x", self.np_some(d), self.index(2)),
            6 | 7 => format!("*{}", self.ip_some(d)),
            _ => format!("m[{}][{}]", self.index(2), self.index(4)),
        }
    }

    fn int(&mut self, depth: u32) -> String {
        let d = depth.saturating_sub(1);
        match self.rng.u32(0..if depth == 0 { 2 } else { 7 }) {
            0 => self.rng.i32(-9..100).to_string(),
            1 => self.int_name().to_owned(),
            2 | 3 => self.int_place(d),
            4 => format!("({} ^ {})", self.int(d), self.int(d)),
            5 => format!("({} & {})", self.int(d), self.int(d)),
            _ => format!("({} < {})", self.int(d), self.int(d)),
        }
    }

    /// A place that holds an `int *`, null perhaps.
    fn ip_place(&mut self, depth: u32) -> String {
        let d = depth.saturating_sub(1);
        match self.rng.u32(0..if depth == 0 { 3 } else { 6 }) {
            0 => self.pick(&["ip0", "ip1", "n0.ip", "s0.ip"]).to_owned(),
            1 => format!("pa[{}]", self.index(4)),
            2 if self.in_main => self.pick(&["ln.ip", "ln.in[1].ip"]).to_owned(),
            2 => "pool[0].in[0].ip".to_owned(),
            3 => format!("{}->ip", self.np_some(d)),
            4 => format!("{}->in[{}].ip", self.np_some(d), self.index(2)),
            _ => format!("*(gpp ? gpp : &{})", self.pick(&["ip0", "ip1", "pa[1]"])),
        }
    }

    /// An `int *` that is not null; side effects, if any, do no harm when evaluated twice.
    fn ip_some(&mut self, depth: u32) -> String {
        match self.rng.u32(0..5) {
            0 if self.params => "p".to_owned(),
            0 if self.in_main => "lp".to_owned(),
            0..=2 => format!("(&{})", self.int_place(depth.saturating_sub(1))),
            _ => {
                let place = self.ip_place(depth.saturating_sub(1));
                let other = self.pick(&["&g0", "&arr1[5]", "&n1.v", "arr0 + 1"]);
                format!("({place} ? {place} : {other})")
            }
        }
    }

    fn ip(&mut self, depth: u32) -> String {
        match self.rng.u32(0..6) {
            0 => format!("mk({})", self.int(1)),
            1 => self.ip_place(depth),
            2 => format!("pick({}, {}, {})", self.ip_some(1), self.ip_some(1), self.int(1)),
            _ => self.ip_some(depth),
        }
    }

    fn np_place(&mut self, depth: u32) -> String {
        let d = depth.saturating_sub(1);
        match self.rng.u32(0..if depth == 0 { 2 } else { 5 }) {
            0 => self.pick(&["np0", "np1", "list"]).to_owned(),
            1 => self.pick(&["n0.next", "n1.kids[1]", "pool[0].next"]).to_owned(),
            2 => format!("{}->next", self.np_some(d)),
            3 => format!("{}->kids[{}]", self.np_some(d), self.index(2)),
            _ => "*(npp ? npp : &np1)".to_owned(),
        }
    }

    fn np_some(&mut self, depth: u32) -> String {
        match self.rng.u32(0..4) {
            0 if self.params => "n".to_owned(),
            0 if self.in_main => "(&ln)".to_owned(),
            0 | 1 => format!("(&pool[{}])", self.index(2)),
            2 => self.pick(&["(&n0)", "(&n1)"]).to_owned(),
            _ => {
                let place = self.np_place(depth.saturating_sub(1));
                format!("({place} ? {place} : {})", self.pick(&["&n0", "&pool[1]"]))
            }
        }
    }

    fn np(&mut self, depth: u32) -> String {
        match self.rng.u32(0..5) {
            0 => format!("mknode({})", self.int(1)),
            1 => self.np_place(depth),
            _ => self.np_some(depth),
        }
    }

    fn node(&mut self) -> String {
        match (self.rng.u32(0..5), self.in_main) {
            (0, true) => "ln".to_owned(),
            (0 | 1, _) => self.pick(&["n0", "n1"]).to_owned(),
            (2, _) => format!("pool[{}]", self.index(2)),
            _ => format!("(*{})", self.np_some(2)),
        }
    }

    fn statement(&mut self, depth: u32) {
        match self.rng.u32(0..12) {
            0 if depth > 0 => {
                let condition = self.int(2);
                self.block(&format!("if ({condition} & 1) {{"), |g| {
                    g.statement(depth - 1);
                    g.statement(depth - 1);
                });
            }
            1 if depth > 0 => {
                let k = format!("k{depth}");
                let count = self.rng.u32(2..5);
                self.block(&format!("for (int {k} = 0; {k} < {count}; {k}++) {{"), |g| {
                    g.statement(depth - 1);
                    g.statement(depth - 1);
                });
            }
            _ => {
                let kind = self.kinds[self.rng.usize(0..self.kinds.len())];
                let text = self.simple(kind);
                self.line(&text);
            }
        }
    }

    fn simple(&mut self, kind: Kind) -> String {
        match kind {
            Kind::Integers => format!("{} = {};", self.int_place(2), self.int(3)),
            Kind::IntPointers => format!("{} = {};", self.ip_place(2), self.ip(2)),
            Kind::NodePointers => format!("{} = {};", self.np_place(2), self.np(2)),
            Kind::StructCopies => self.struct_copy(),
            Kind::Moves => self.bytes_moved(),
            Kind::ByteCopies => self.byte_copy(),
            Kind::Punning => self.punning(),
            Kind::Casts => self.cast(),
            Kind::Walks => self.walk(),
            Kind::ContainerOf => self.container_of(),
            Kind::Functions => self.function_pointer(),
            Kind::Heap => self.heap(),
            Kind::Lists => self.list(),
            Kind::Calls => self.calls(),
            Kind::Strings => self.strings(),
            Kind::PointersToPointers => self.pointers_to_pointers(),
            Kind::ByValue => self.by_value(),
            Kind::VariableArrays => self.variable_array(),
            Kind::Flexible => self.flexible(),
            Kind::Recursion => {
                let (d, up, n) = (self.rng.u32(1..5), self.ip_some(2), self.np_some(2));
                format!("rec({d}, {up}, {n});")
            }
            Kind::BitFields => {
                let (a, b) = (self.np_some(1), self.np_some(1));
                format!("{a}->b1 = (unsigned){} & 7u; g1 ^= (int){b}->b2++;", self.int(1))
            }
            Kind::Matrices => {
                let row = format!("{{ int *row = m[{}]; row[{}]++; ", self.index(2), self.index(4));
                row + &format!("int (*r)[4] = m; r[1][{}] = {}; }}", self.index(4), self.int(1))
            }
            Kind::VoidPointers => match self.rng.bool() {
                true => format!("vp = {};", self.ip(2)),
                false => format!("{} = (int *)vp;", self.ip_place(2)),
            },
        }
    }

    fn struct_copy(&mut self) -> String {
        match self.rng.u32(0..4) {
            0 => format!("{}.in[{}] = s0;", self.node(), self.index(2)),
            1 => format!("s0 = {}->in[{}];", self.np_some(1), self.index(2)),
            2 => format!("{{ struct Node t = {}; {} = t; }}", self.node(), self.node()),
            _ => format!("{} = {};", self.node(), self.node()),
        }
    }

    fn bytes_moved(&mut self) -> String {
        let (a, b) = (self.node(), self.node());
        match self.rng.u32(0..6) {
            0 => format!("memmove(&{a}, &{b}, sizeof(struct Node));"),
            1 => format!("memmove({a}.in, {b}.in, sizeof {b}.in);"),
            2 => "memcpy(&n0, &n1, sizeof n0);".to_owned(),
            3 => format!("memmove(&{}, &{}, sizeof(int *));", self.ip_place(1), self.ip_place(1)),
            4 => format!("memmove(pa + 1, pa, {} * sizeof *pa);", self.rng.u32(1..4)),
            _ => format!("memset(&{}, 0, sizeof(void *));", self.np_place(1)),
        }
    }

    fn byte_copy(&mut self) -> String {
        let (size, a, b) = match self.rng.u32(0..4) {
            0 => ("sizeof(struct Node)", "n1".to_owned(), self.node()),
            1 => ("sizeof(struct In)", format!("{}.in[1]", self.node()), "s0".to_owned()),
            2 => ("sizeof(int *)", self.ip_place(1), self.ip_place(1)),
            _ => ("sizeof(int)", self.int_place(1), self.int_place(1)),
        };
        format!(
            "{{ char *to = (char *)&{a}, *from = (char *)&{b}; \
             for (size_t k = 0; k < {size}; k++) to[k] = from[k]; }}"
        )
    }

    fn punning(&mut self) -> String {
        let pun = match self.rng.u32(0..3) {
            0 => "u0".to_owned(),
            1 => "u1".to_owned(),
            _ => format!("{}->pun", self.np_some(1)),
        };
        match self.rng.u32(0..5) {
            0 | 1 => format!("{pun}.p = {};", self.ip(2)),
            2 => format!("{pun}.l = u0.l;"),
            3 => format!("for (size_t k = 0; k < sizeof u1; k++) {pun}.b[k] = u1.b[k];"),
            _ => format!("{} = {pun}.p;", self.ip_place(2)),
        }
    }

    fn cast(&mut self) -> String {
        let (to, from) = (self.ip_place(2), self.ip_some(2));
        match self.rng.u32(0..3) {
            0 => format!("{{ word t = (word){from}; {to} = (int *)t; }}"),
            1 => format!("{{ word t = (word){from} ^ 12u; {to} = (int *)(t ^ 12u); }}"),
            _ => format!("{to} = (int *)(void *)(char *){from};"),
        }
    }

    fn walk(&mut self) -> String {
        let array = self.pick(&["arr0", "arr1"]);
        match self.rng.u32(0..7) {
            0 => format!("for (int *q = {array}; q < {array} + 8; q++) *q ^= {};", self.int(1)),
            1 => format!("for (int *q = {array} + 8; q != {array}; ) *--q += 1;"),
            2 => format!("{{ int *q = {array} + 4; q[-{}] = q[3]; }}", self.rng.u32(1..5)),
            3 => format!("{} = {array} + {};", self.ip_place(2), self.index(8)),
            4 => {
                let n = self.np_some(2);
                format!("{{ int *q = {n}->data; q += 3; q[-1] ^= *q; {} = q; }}", self.ip_place(1))
            }
            5 => format!("for (struct Node *q = pool; q < pool + 2; q++) q->v ^= {};", self.int(1)),
            _ => format!("g2 = (int)(&{array}[{}] - {array});", self.index(8)),
        }
    }

    fn container_of(&mut self) -> String {
        let (n, value) = (self.np_some(2), self.int(1));
        match self.rng.u32(0..3) {
            0 => format!(
                "{{ int *f = &{n}->v; struct Node *c = (struct Node *)((char *)f - \
                 __builtin_offsetof(struct Node, v)); c->data[1] = {value}; }}"
            ),
            1 => format!(
                "{{ struct In *e = &{n}->in[1]; struct Node *c = (struct Node *)((char *)e - \
                 __builtin_offsetof(struct Node, in) - sizeof *e); c->h = (short){value}; np0 = c; }}"
            ),
            _ => format!(
                "{{ char *raw = (char *){n}; int **f = (int **)(raw + \
                 __builtin_offsetof(struct Node, ip)); *f = {}; }}",
                self.ip(1)
            ),
        }
    }

    fn function_pointer(&mut self) -> String {
        let (n, i) = (self.np_some(2), self.index(2));
        match self.rng.u32(0..5) {
            0 => format!("f0 = ftab[{i}];"),
            1 => format!("{n}->fn = {};", self.pick(&["f0", "fa", "fb", "ftab[1]"])),
            2 => format!("f0 = {n}->fn;"),
            3 => format!("if ({n}->fn) {} = {n}->fn({});", self.int_place(1), self.int(1)),
            _ => format!("g0 ^= (f0 ? f0 : fb)({});", self.int(1)),
        }
    }

    fn heap(&mut self) -> String {
        let to = self.ip_place(1);
        match self.rng.u32(0..5) {
            0 => format!(
                "{{ int *h = malloc(4 * sizeof *h); for (int k = 0; k < 4; k++) h[k] = k; \
                 h = realloc(h, 8 * sizeof *h); for (int k = 4; k < 8; k++) h[k] = k; {to} = &h[{}]; }}",
                self.index(8)
            ),
            1 => format!(
                "{{ int **h = calloc(2, sizeof *h); h[1] = {}; h = realloc(h, 4 * sizeof *h); \
                 h[3] = 0; {to} = h[1]; free(h); }}",
                self.ip(1)
            ),
            2 => format!("{{ int *h = mk({}); *h += 1; g0 = *h; free(h); }}", self.int(1)),
            3 => format!(
                "{{ struct Node *h = zeroed(2 * sizeof *h); h[1].ip = {}; {} = &h[{}]; }}",
                self.ip(1),
                self.np_place(1),
                self.index(2)
            ),
            _ => format!(
                "{{ struct In *h = malloc(sizeof *h); *h = s0; h->ip = {}; {to} = h->ip; free(h); }}",
                self.ip(1)
            ),
        }
    }

    fn list(&mut self) -> String {
        match self.rng.u32(0..3) {
            0 => {
                format!("{{ struct Node *x = mknode({}); x->next = list; list = x; }}", self.int(1))
            }
            1 => format!(
                "{{ int k = 0; for (struct Node *x = list; x && k < 6; x = x->next, k++) \
                 x->data[k & 3] ^= {}; }}",
                self.int(1)
            ),
            _ => "{ struct Node **x = &list; int k = 0; while (*x && k++ < 5) x = &(*x)->next; \
                  npp = x; }"
                .to_owned(),
        }
    }

    fn calls(&mut self) -> String {
        match self.rng.u32(0..3) {
            0 => format!("swap(&{}, &{});", self.ip_place(1), self.ip_place(1)),
            1 => format!("g1 ^= many({}, {}, {});", self.int(1), self.ip_some(1), self.np_some(1)),
            _ => {
                format!("{} = *pick({}, &g2, {});", self.int_place(1), self.ip_some(1), self.int(1))
            }
        }
    }

    fn strings(&mut self) -> String {
        let n = self.np_some(1);
        match self.rng.u32(0..6) {
            0 => format!("strcpy({n}->name, {});", self.pick(&["\"n\"", "\"abcdef\"", "\"\""])),
            1 => format!("strcpy(buf0, {n}->name); strncat(buf0, \"xyz\", 2);"),
            2 => format!("g0 ^= (int)strlen({n}->name);"),
            3 => "{ char *c = strchr(buf0, 'y'); if (c) *c = 'z'; }".to_owned(),
            4 => {
                "{ const char *s = \"pool\" + 1; buf1[0] = s[g1 & 1]; buf1[1] = *s++; }".to_owned()
            }
            _ => format!("memset({n}->name, {}, 7);", self.rng.u32(0..2) * 65),
        }
    }

    fn pointers_to_pointers(&mut self) -> String {
        match self.rng.u32(0..4) {
            0 => format!("{{ int **pp = &{}; *pp = {}; }}", self.ip_place(2), self.ip(1)),
            1 => format!("gpp = &{};", self.ip_place(2)),
            2 => format!("npp = &{};", self.np_place(2)),
            _ => format!(
                "{{ struct Node **x = &{}, ***y = &x; **y = {}; }}",
                self.np_place(1),
                self.np(1)
            ),
        }
    }

    fn by_value(&mut self) -> String {
        match self.rng.u32(0..3) {
            0 => format!(
                "{}.in[{}] = mkin({}, {});",
                self.node(),
                self.index(2),
                self.int(1),
                self.ip(1)
            ),
            1 => format!("{} = mkin({}, {}).x;", self.int_place(1), self.int(1), self.ip(1)),
            _ => format!("{} = total({}) & 4095;", self.int_place(1), self.node()),
        }
    }

    fn variable_array(&mut self) -> String {
        format!(
            "{{ int c = ({} & 3) + 1; int v[c]; int *w[c]; for (int k = 0; k < c; k++) \
             {{ v[k] = k; w[k] = {}; }} int *q = v; q[c - 1] ^= 3; {} = v[0]; {} = w[c - 1]; }}",
            self.int(1),
            self.ip_some(1),
            self.int_place(1),
            self.ip_place(1)
        )
    }

    fn flexible(&mut self) -> String {
        match self.rng.u32(0..3) {
            0 => format!(
                "{{ struct Flex *x = zeroed(sizeof *x + 4 * sizeof(int)); x->p = {}; \
                 for (int k = 0; k < 4; k++) x->d[k] = k; flex = x; }}",
                self.ip(1)
            ),
            1 => format!("if (flex) flex->d[{}] ^= {};", self.index(4), self.int(1)),
            _ => format!("if (flex) {{ {} = flex->p; flex->n++; }}", self.ip_place(1)),
        }
    }
}
