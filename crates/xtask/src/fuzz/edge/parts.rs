//! The parts that programs are made of, as templates (`grammar`).
//!
//! A part has declarations at file scope (`top`) and statements in `main` (`body`). It sees the
//! inputs `x` and `y` and leaves what it computed in `o§`. Names at file scope that other files see
//! begin with `G_`. Some alternatives are faults, most of them for some inputs only.

/// A template.
#[derive(Debug)]
pub struct Part {
    pub name: &'static str,
    /// Its runs are not all that there are: other files may do something else.
    pub open: bool,
    pub top: &'static str,
    pub body: &'static str,
    /// Definitions in another file, which only the compilers see.
    pub other: &'static str,
}

const fn closed(name: &'static str, top: &'static str, body: &'static str) -> Part {
    Part { name, open: false, top, body, other: "" }
}

const fn open(
    name: &'static str,
    top: &'static str,
    body: &'static str,
    other: &'static str,
) -> Part {
    Part { name, open: true, top, body, other }
}

pub const PARTS: [Part; 42] = [
    closed(
        "release through a pointer",
        "struct ops§ { int tag; void (*put)(void *); };
static ⟦⋮const ⟧struct ops§ ops§ = { 1, free };
static void (*⟦⋮const ⟧put§[2])(void *) = { 0, free };
static void (*pick§(int k))(void *) { return k ? free : 0; }
",
        "int *p = malloc(⟦4⋮8⋮sizeof(int)⟧);
*p = x + ⟦1..5⟧;
o§ = *p;
⟦f=ops§.put(p)⋮put§[1](p)⋮pick§(1)(p)⋮(x ? free : ops§.put)(p)⋮(0, free)(p)⋮(*put§[1])(p)⋮({ free; })(p)⋮((void (*)(void *))(void *)free)(p)⟧;
⟦⋮⋮⋮if (x == ⟦1..3⟧) ⟦$f⟧;⋮if (y) o§ += *p;⋮if (x > 1) free(p);⟧
",
    ),
    closed(
        "allocation through a pointer",
        "static void *(*get§)(unsigned long) = malloc;
struct area§ { void *(*make)(unsigned long, unsigned long); void (*drop)(void *); };
",
        "struct area§ area = { calloc, free };
unsigned char *p = ⟦get§(4)⋮area.make(2, 2)⋮(y ? get§ : malloc)(4)⟧;
p[x] = ⟦1..9⟧;
o§ = p[x];
⟦⋮⋮⋮p[x + ⟦1..2⟧] = 1;⟧
⟦area.drop(p);⋮free(p);⋮if (x != ⟦0..4⟧) area.drop(p);⟧
",
    ),
    closed(
        "memory functions through a table",
        "static void *(*const move§[2])(void *, const void *, unsigned long) = { ⟦memcpy, memmove⋮memmove, memcpy⟧ };
static void *(*const set§)(void *, int, unsigned long) = memset;
",
        "unsigned char a[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
unsigned char b[⟦n=6..8⟧];
⟦set§⋮memset⋮(y ? memset : set§)⟧(b, ⟦0..3⟧, ⟦sizeof b⋮⟦$n⟧⟧);
move§[⟦x & 1⋮0⋮1⟧](b, a + ⟦0..2⟧, ⟦x + 1⋮2⋮x⋮⟦5..7⟧⟧);
o§ = b[⟦0..4⟧] * 8 + b[x];
",
    ),
    closed(
        "lengths and comparisons through pointers",
        "static unsigned long (*len§)(const char *) = strlen;
static int same§(int (*cmp)(const char *, const char *), const char *a, const char *b) { return cmp(a, b) == 0; }
",
        "char text[6] = \"⟦ab⋮abcd⋮⟧\";
text[x] = ⟦'c'⋮0⋮'b'⟧;
⟦text[5] = 0;⋮⟧
o§ = (int)⟦len§(text)⋮(y ? strlen : len§)(text)⋮same§(strcmp, text, \"⟦cb⋮acc⋮b⟧\")⟧;
",
    ),
    closed(
        "ends through pointers",
        "static void (*const stop§[2])(int) = { ⟦exit, exit⋮exit, _Exit⟧ };
static void require§(int holds, void (*otherwise)(void)) { if (!holds) otherwise(); }
",
        "⟦require§(x < ⟦2..4⟧, abort);⋮if (x == ⟦0..3⟧) stop§[y & 1](0);⋮(x < 2 ? (void)0 : stop§[0](0));⋮if (x == y) { void (*e)(void) = abort; e(); }⟧
o§ = x;
",
    ),
    closed(
        "assumptions through a pointer",
        "static void (*suppose§)(int) = __VERIFIER_assume;
",
        "⟦suppose§(x != ⟦0..3⟧);⋮suppose§(x + y);⋮(y ? suppose§ : __VERIFIER_assume)(x < 2);⋮__VERIFIER_assume(x & 2);⟧
o§ = x * 4 + y;
",
    ),
    closed(
        "callbacks of the program",
        "static int twice§(int v) { return v * 2; }
static int plus§(int v) { return v + ⟦1..4⟧; }
static int apply§(int (*const *f)(int), int n, int v) { for (int i = 0; i < n; i++) v = f[i](v); return v; }
",
        "int (*f[3])(int) = { plus§, twice§, ⟦plus§⋮twice§⟧ };
⟦f[x % 3] = ⟦plus§⋮twice§⟧;⋮⟧
o§ = apply§(f, ⟦3⋮x⟧, y);
",
    ),
    closed(
        "a destructor for a list",
        "struct node§ { struct node§ *next; int value; };
static struct node§ *push§(struct node§ *list, int v) { struct node§ *n = malloc(sizeof *n); n->next = list; n->value = v; return n; }
static void destroy§(struct node§ *list, void (*drop)(void *)) { while (list) { struct node§ *next = list->next; drop(list); list = next; } }
",
        "struct node§ *list = push§(push§(0, x), y);
⟦⋮if (x) list = push§(list, 3);⟧
for (struct node§ *n = list; n; n = n->next) o§ += n->value * ⟦1..3⟧;
⟦destroy§(list, free);⋮if (x != ⟦1..5⟧) destroy§(list, free);⋮destroy§(list->next, free); ⟦free(list);⋮if (y) free(list);⟧⋮struct node§ *rest = list->next; destroy§(list, free); ⟦⋮o§ += rest->value;⋮if (x == 2) free(rest);⟧⟧
",
    ),
    closed(
        "bit-fields",
        "struct bits§ { ⟦unsigned⋮int⟧ a : ⟦2..7⟧; ⟦unsigned⋮int⋮unsigned char⟧ b : ⟦1..8⟧; ⟦⋮unsigned : 0;⋮char pad;⟧ ⟦unsigned short⋮signed char⋮int⟧ c : ⟦3..8⟧; ⟦⋮_Bool d : 1;⟧ };
",
        "struct bits§ bits = { ⟦0..3⟧, ⟦-1..3⟧, ⟦-3..7⟧ };
bits.a ⟦=⋮+=⋮-=⋮^=⟧ x * ⟦1..5⟧;
⟦bits.b++;⋮bits.b--;⋮bits.b = y - 1;⋮bits.c = bits.a = x - 2;⟧
o§ = ⟦bits.a * 16 + bits.b⋮bits.c + bits.a⋮(int)sizeof bits * 8 + bits.b⋮(bits.c = x + 6)⟧;
",
    ),
    closed(
        "bytes of bit-fields",
        "union image§ { struct { unsigned a : ⟦3..9⟧; unsigned b : ⟦3..9⟧; unsigned c : ⟦2..12⟧; } f; unsigned char bytes[4]; unsigned word; };
",
        "union image§ image;
image.word = 0;
image.f.a = x; image.f.b = ⟦1..7⟧; image.f.c = y;
o§ = ⟦image.bytes[⟦0..3⟧]⋮image.word & 0xfff⋮image.bytes[0] + image.bytes[1] * 3⟧;
",
    ),
    closed(
        "unions",
        "union cell§ { int word; unsigned short half[2]; signed char byte[4]; ⟦float real;⋮unsigned other;⟧ };
",
        "union cell§ c = { ⟦-1..300⟧ };
⟦c.half[x & 1] = ⟦1..600⟧;⋮c.byte[x] = -3;⋮c.word += x << 8;⟧
union cell§ d = c;
o§ = ⟦d.byte[⟦0..3⟧]⋮d.half[y & 1]⋮c.word & 0x1fff⋮(int)sizeof(union cell§) + d.byte[x]⟧;
",
    ),
    closed(
        "realloc",
        "",
        "unsigned char *p = malloc(⟦2..4⟧);
p[0] = x; p[1] = ⟦3..9⟧;
unsigned char *q = ⟦realloc⋮(y ? realloc : realloc)⟧(p, ⟦⟦4..9⟧⋮x + 2⋮2⟧);
⟦q[⟦0..3⟧] = 7;⋮q[x] = 7;⋮⟧
o§ = q[0] * 16 + q[1];
⟦⋮⋮⋮if (x == 3) o§ += p[0];⟧
free(⟦q⋮q⋮q⋮x ? q : p⟧);
",
    ),
    closed(
        "string functions",
        "",
        "char b[⟦6..9⟧] = \"⟦⋮a⋮ab⟧\";
⟦strcpy(b, ⟦\"xy\"⋮y ? \"long\" : \"s\"⋮\"abcde\"⟧);⋮strncpy(b, \"⟦ab⋮abcdef⟧\", ⟦2..6⟧);⋮memcpy(b + x, \"zz\", 2);⟧
⟦strcat(b, ⟦\"c\"⋮x > 2 ? \"defg\" : \"d\"⟧);⋮memmove(b + 1, b, ⟦2..4⟧);⋮b[5] = 0;⟧
o§ = b[⟦0..5⟧] + b[x];
",
    ),
    closed(
        "searching and comparing strings",
        "",
        "const char *s = ⟦\"abca\"⋮\"ba\"⋮x ? \"cab\" : \"\"⟧;
const char *f = strchr(s, ⟦'a'⋮'c'⋮0⋮'a' + 256⟧);
o§ = ⟦f ? (int)(f - s) : -1⋮strcmp(s, \"⟦abca⋮b⋮ba⟧\") ⟦<⋮==⋮>⟧ 0⋮strncmp(s, \"abx\", ⟦1..3⟧) == 0⋮memcmp(s, \"ba\", ⟦1..3⟧) > 0⟧;
",
    ),
    closed(
        "goto",
        "",
        "int i = 0;
⟦goto middle§;⋮if (x > 1) goto middle§;⟧
again§:
o§ += ⟦1..3⟧;
middle§:
i++;
⟦if (i < x + 2) goto again§;⋮if (i == ⟦1..3⟧) goto out§; if (i < 4) goto again§;⋮{ int k = i; if (k < ⟦2..4⟧) goto again§; o§ += k; }⟧
out§:
o§ += i * ⟦1..4⟧;
",
    ),
    closed(
        "switches",
        "",
        "switch (⟦x⋮x + y⋮(unsigned char)(x - 1)⋮x & ~1⟧) {
case ⟦0⋮255⟧: o§ = 1; ⟦break;⋮⟧
⟦default: o§ += 7; ⟦⋮break;⟧⋮⟧
case 1 ... ⟦1..2⟧: o§ += 10; ⟦⋮break;⟧
case 3: { int in = y; ⟦if (y) { case 4: in = 4; o§ += in; }⋮o§ += in;⟧ }
}
",
    ),
    closed(
        "volatile locals",
        "",
        "volatile int v = x;
⟦v++;⋮v += y;⋮v = v * 2;⋮for (v = 0; v < ⟦1..4⟧; v++) o§++;⟧
o§ += v;
⟦volatile unsigned char w = 250; w += x * 2; o§ += w;⋮⟧
",
    ),
    closed(
        "floats",
        "",
        "⟦t=double⋮float⟧ a = x ⟦+⋮-⋮*⋮/⟧ ⟦2.0⋮0.5f⋮1.5⋮3⟧;
⟦$t⟧ b = ⟦(⟦$t⟧)y / 4⋮a * a⋮0.1⋮16777216.0f⋮-a⟧;
o§ = ⟦(int)(a * 8)⋮a < b⋮a + b == b⋮(int)(a - b)⋮(unsigned char)(a + 3)⋮a != a⟧;
",
    ),
    closed(
        "linkage",
        "static int only§(int v);
int G_tentative§; int G_tentative§; ⟦int G_tentative§ = ⟦1..5⟧;⋮⟧
static int hidden§ = ⟦2..4⟧;
static int only§(int v) { static int calls; return v + ++calls; }
",
        "extern int G_tentative§;
{ extern int hidden§; o§ = hidden§ + G_tentative§; }
int (*f)(int) = only§;
o§ += f(x) * 8;
o§ += only§(y);
",
    ),
    Part {
        name: "weak symbols",
        open: true,
        top: "extern int G_absent§(int) __attribute__((weak));
⟦extern int G_value§ __attribute__((weak));⋮⟦#pragma weak G_value§⋮⟧
extern int G_value§ __attribute__((weak));⋮__attribute__((weak)) extern int G_value§;⟧
static int (*const entry§)(int) = G_absent§;
",
        body: "⟦if (G_absent§) o§ = 1;⋮o§ = entry§ ? 2 : 3;⋮if (&G_value§) o§ = G_value§;⋮if (x == 3) o§ = G_absent§(x);⋮if (x == 2) o§ = G_value§;⋮o§ = &G_value§ == 0;⟧
",
        other: "",
    },
    open(
        "weak definitions",
        "__attribute__((weak)) int G_level§ = ⟦1..3⟧;
__attribute__((weak)) int G_answer§(void) { return ⟦4..6⟧; }
",
        "o§ = G_answer§() * 8 + G_level§ + x;
",
        "int G_level§ = 5; int G_answer§(void) { return 9; }
",
    ),
    open(
        "functions of other files",
        "extern int G_ask§(int);
extern void G_fill§(unsigned char *, int);
extern void G_each§(void (*)(void *), void *);
static void mark§(void *p) { *(int *)p += ⟦1..3⟧; }
int G_shared§;
",
        "unsigned char buffer[4] = { 1, 2, 3, 4 };
int local = ⟦1..3⟧;
⟦o§ = G_ask§(x);⋮G_fill§(buffer, 2); o§ = buffer[x];⋮G_each§(mark§, &local); o§ = local;⋮G_shared§ = x; G_ask§(1); o§ = G_shared§;⋮int *p = malloc(4); *p = 3; G_each§(free, p); o§ = *p;⟧
",
        "extern int G_shared§; int G_ask§(int v) { G_shared§ += 2; return v * 3; }
void G_fill§(unsigned char *p, int n) { for (int i = 0; i < n; i++) p[i] = 9; }
void G_each§(void (*f)(void *), void *p) { f(p); }
",
    ),
    open(
        "objects of other files",
        "extern int G_first§, G_second§;
extern int *G_where§;
int G_own§ = 1;
extern void (*G_hook§)(void);
",
        "⟦G_first§ = 1; G_second§ = 2; o§ = G_first§;⋮G_own§ = 3; *G_where§ = 4; o§ = G_own§;⋮o§ = G_first§ + x;⋮o§ = &G_first§ == &G_second§;⟧
",
        "int G_first§ = 3, G_second§ = 4; extern int G_own§; int *G_where§ = &G_own§;
void (*G_hook§)(void) = 0;
",
    ),
    closed(
        "overridden initialisers",
        "struct pair§ { int a, b; };
struct box§ { struct pair§ p; int c; struct pair§ q[2]; };
⟦static struct box§ fixed§ = { .c = 1, .p.b = 2, .p = { 3 }, .q[1].a = 4, .q = { { 5 } } };⋮static struct box§ fixed§ = { .q[0 ... 1] = { 6, 7 }, .q[0].b = 1, .c = 2 };⟧
",
        "struct box§ b = { ⟦.p = { 1, 2 }, .p.a = ⟦3..5⟧⋮.p.b = 4, .p = { x }⋮{ x, y }, 3, .p.a = 7⋮.c = x, .q[1] = { 1, 2 }, .q[1].a = y⋮.p = { 1, 2 }, .q[0] = { 3, 4 }, .p = { .b = x }⟧ };
o§ = ⟦b.p.a * 8 + b.p.b⋮b.c + b.q[1].a * 4 + b.q[1].b * 16⋮fixed§.p.b + fixed§.q[1].a * 8 + fixed§.q[0].b⟧;
",
    ),
    closed(
        "overridden elements",
        "",
        "int a[5] = { ⟦[0 ... 4] = 1, [2] = ⟦2..6⟧⋮1, 2, 3, [1] = 7, 8⋮[3] = 1, 2, [0] = 5, 6⋮[1 ... 3] = 4, [2 ... 4] = 9⋮[4] = x, [4] = y⟧ };
char t[4] = ⟦\"abc\"⋮{ \"ab\" }⋮{ [0] = 'a', [2] = 'c', [0] = 'z' }⟧;
struct { char s[4]; int n; } r = { ⟦.s = \"xyz\", .s[1] = 'q'⋮.s = \"xyz\", .s = { 'k' }⋮.s[2] = 'm', .s = \"a\"⟧ };
o§ = ⟦a[x] * 8 + a[4]⋮t[x] + r.s[x]⋮r.s[1] + r.s[2]⟧;
",
    ),
    closed(
        "unions and matrices overridden",
        "union u§ { int i; unsigned char c[4]; };
",
        "union u§ u = { ⟦.i = -1, .c = { 1, 2, 3, 4 }⋮.c = { 9, 9, 9, 9 }, .i = ⟦1..5⟧⋮.c[2] = 4, .i = 300⟧ };
int m[2][2] = { ⟦[0][1] = 6, [0] = { 4 }⋮[1] = { 1, 2 }, [1][0] = 3, [0] = { 9 }⋮{ 1, 2 }, { 3, 4 }, [0] = { 5 }⋮1, 2, 3, [0][0] = 7⟧ };
o§ = ⟦u.i & 0xffff⋮m[x & 1][0] * 8 + m[x & 1][1]⋮u.c[1] + m[0][1]⟧;
",
    ),
    closed(
        "packed records",
        "⟦#pragma pack(push, ⟦k=1⋮2⋮4⟧)⋮#pragma pack(⟦1⋮2⟧)⟧
struct wire§ { char tag; ⟦int⋮long⋮double⋮short⟧ v; ⟦char end;⋮short end ⟦⋮__attribute__((aligned(8)))⟧;⋮struct { char a; int b; } in;⟧ };
⟦#pragma pack(pop)⋮#pragma pack()⟧
struct loose§ { char tag; ⟦int⋮long⋮short⟧ v __attribute__((⟦packed⋮aligned(16)⟧)); ⟦char⋮short⟧ end; } ⟦__attribute__((packed))⋮__attribute__((aligned(8)))⋮⟧;
",
        "o§ = (int)(⟦sizeof(struct wire§)⋮__builtin_offsetof(struct wire§, v) + 2 * sizeof(struct wire§[2])⋮sizeof(struct loose§) + 100 * __builtin_offsetof(struct loose§, end)⋮_Alignof(struct wire§) + 10 * _Alignof(struct loose§)⟧) + x;
",
    ),
    closed(
        "packed bit-fields",
        "⟦#pragma pack(push, 1)
⋮⟧struct cross§ { unsigned a : ⟦3..9⟧; ⟦unsigned⋮unsigned short⋮unsigned char⟧ b : ⟦4..8⟧; unsigned c : ⟦10..30⟧; ⟦char d;⋮unsigned d : ⟦1..20⟧;⟧ } ⟦__attribute__((packed))⋮⟧;
#pragma pack()
",
        "struct cross§ r = { 1, 2, 3, 4 };
r.c = x * ⟦1..200⟧;
⟦r.b = x + 4;⋮⟧
unsigned char image[16] = { 0 };
memset(&r, 0, sizeof r); r.a = ⟦1..7⟧; r.b = x; r.c = y + ⟦1..9⟧; r.d = 1;
memcpy(image, &r, sizeof r);
o§ = ⟦(int)sizeof r⋮r.b * 4 + r.a⋮image[⟦0..6⟧]⟧;
",
    ),
    closed(
        "a block for a packed record",
        "#pragma pack(push, ⟦1⋮2⟧)
struct short§ { char a; long b; ⟦⋮char c;⟧ };
#pragma pack(pop)
",
        "struct short§ *p = malloc(⟦sizeof(struct short§)⋮9⋮10⋮11⟧);
p->a = 1; p->b = x;
o§ = (int)p->b;
free(p);
",
    ),
    closed(
        "modes",
        "typedef ⟦int⋮unsigned⟧ __attribute__((mode(⟦QI⋮HI⋮DI⟧))) small§;
typedef float __attribute__((mode(⟦SF⋮DF⟧))) real§;
enum tone§ { LOW§ = ⟦-1⋮0⟧, HIGH§ = ⟦1⋮200⟧ } ⟦__attribute__((packed))⋮⟧;
",
        "small§ s = ⟦100..300⟧; s += x * 70;
enum tone§ t = ⟦LOW§⋮HIGH§⟧;
o§ = ⟦s > 100⋮(int)sizeof(small§) + s % 7⋮(int)sizeof(real§)⋮(int)sizeof(enum tone§) * 4 + (t < 0)⟧;
",
    ),
    closed(
        "labels",
        "extern void drop§(void *) __asm__(⟦\"free\"⋮\"fr\" \"ee\"⋮\"\\x66ree\"⋮\"f\\162ee\"⟧);
extern void *take§(unsigned long) __asm__(\"malloc\");
extern unsigned long size§(const char *) __asm__(\"strlen\");
",
        "char *p = ⟦take§⋮malloc⟧(4);
p[0] = 'a' + x; p[1] = 0;
o§ = (int)size§(p);
⟦drop§(p);⋮drop§(p); if (x == ⟦1..5⟧) drop§(p);⋮if (x < ⟦2..5⟧) drop§(p);⟧
",
    ),
    closed(
        "functions with the names of library functions",
        "static int ⟦n=isdigit⋮abs⋮atoi⋮toupper⋮strtol⋮rand⋮__assert_rtn⟧(int v) { return v + ⟦1..3⟧; }
static int __assert(int v, int w) { return v * w; }
",
        "o§ = ⟦$n⟧(x) + __assert(x, y);
",
    ),
    closed(
        "lifetimes",
        "static int *leak§(int v) { ⟦static ⋮⋮static ⟧int local; local = v; return v > ⟦1..4⟧ ? &local : 0; }
",
        "int *p = &x;
⟦{ int inner = 3; if (x == ⟦1..5⟧) p = &inner; }⋮if (x == ⟦2..5⟧) { p = (int[]){ 1, 2 }; }⋮{ int *q = leak§(x); if (q) p = q; }⋮for (int i = 0; i < 2; i++) { int turn = i; if (x == 9) p = &turn; }⟧
o§ = *p;
",
    ),
    closed(
        "integers",
        "",
        "⟦short⋮signed char⋮unsigned char⋮int⋮long⋮unsigned⟧ v = ⟦x * 100⋮-x⋮x << 6⋮~x⋮x - 2⟧;
⟦v += ⟦1..200⟧;⋮v *= ⟦2..5⟧;⋮v >>= y;⋮v = -v;⋮v--;⟧
o§ = ⟦v < 0⋮(int)(v % 7)⋮v > x⋮v > 100u⋮(int)sizeof(v + x) + (v == 0)⋮(signed char)v⟧;
",
    ),
    closed(
        "overflow and division",
        "",
        "int big = 2147483647 - ⟦0..3⟧;
⟦big += x ⟦⋮& 1⟧;⋮o§ = big / (x ⟦- ⟦1..4⟧⋮+ 1⟧);⋮o§ = ⟦10..20⟧ % (y ⟦- 1⋮+ 1⟧);⋮big = (-2147483647 - 1 + ⟦0..1⟧) / (x - ⟦1..2⟧ - 2 * (x > 4));⋮big *= y;⋮big = -(-big - ⟦0..1⟧ - x);⟧
o§ += big & 15;
",
    ),
    closed(
        "arrays",
        "static int row§[⟦3..5⟧];
struct tail§ { int head[2]; int rest[2]; };
",
        "struct tail§ t = { { 1, 2 }, { 3, 4 } };
int m[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
row§[⟦x⋮x + y⋮x & 1⟧] = ⟦1..3⟧;
int *p = ⟦t.rest⋮&m[1][0]⋮row§ + 1⟧;
o§ = ⟦p[y - 1]⋮t.head[x & 1]⋮*(p + (x > ⟦1..3⟧))⋮m[1][x ⟦⋮% 3⟧]⟧;
",
    ),
    closed(
        "records by value",
        "struct big§ { char name[3]; short s; struct { int v; } in; };
static struct big§ change§(struct big§ b, int v) { b.s += v; b.in.v = b.name[1]; return b; }
",
        "struct big§ a = { \"ab\", ⟦1..4⟧, { x } };
struct big§ b = change§(a, y);
⟦a = b;⋮a = x ? a : b;⋮*(&a) = change§(b, 1);⋮⟧
o§ = a.s * 4 + b.in.v + (int)sizeof a + change§(a, 2).s;
",
    ),
    closed(
        "expressions with effects",
        "static int step§(int *p) { return (*p)++; }
",
        "int n = x;
⟦o§ = (n++, n * 2);⋮o§ = n++ && y++;⋮o§ = ({ int t = n; t += 2; t; });⋮o§ = step§(&n) ?: ⟦7..9⟧;⋮int k = sizeof(n++); o§ = k;⋮o§ = (y, n ? step§(&n) : 5);⋮o§ = n ? y ? 1 : 2 : 3;⟧
o§ += n;
",
    ),
    closed(
        "pointers as integers and back",
        "static long words§[4] = { 5, 6, 7, 8 };
",
        "unsigned long at = (unsigned long)&words§[x];
⟦at += sizeof(long) * ⟦0..1⟧;⋮at ^= ⟦0..3⟧; at ^= 0;⋮void *v = (void *)at; at = (unsigned long)v;⟧
o§ = (int)*(long *)⟦at⋮(at & ~7ul)⟧;
",
    ),
    closed(
        "variable-length arrays",
        "",
        "int n = x + ⟦1..2⟧;
⟦unsigned char⋮int⟧ v[n];
for (int i = 0; i < n; i++) v[i] = i + y;
o§ = v[⟦0⋮n - 1⋮x⋮n - ⟦1..2⟧⟧] + (int)sizeof v;
⟦⋮v[n ⟦- 1⋮⟧] = 3;⟧
",
    ),
    closed(
        "declarations of other types",
        "",
        "⟦extern void free();⋮⟧
unsigned char *p = ⟦malloc(4)⋮((unsigned char *(*)(long))malloc)(4)⟧;
p[0] = x;
o§ = p[0];
⟦free(p)⋮((int (*)(unsigned char *))free)(p)⋮((void (*)(unsigned long))free)((unsigned long)p)⟧;
⟦⋮if (x == ⟦1..5⟧) o§ += p[0];⋮if (y == 2) free(p);⟧
",
    ),
    closed(
        "addresses of functions",
        "static void own§(void *p) { free(p); }
static void (*table§[3])(void *) = { free, own§, free };
union slot§ { void (*f)(void *); unsigned long bits; };
",
        "union slot§ s; s.f = table§[x % 3];
o§ = s.f == free;
o§ += (table§[0] != own§) * 2;
int *p = malloc(4);
⟦s.f(p);⋮own§(p); if (s.f == ⟦free⋮own§⟧ && y == 1) s.f(p);⋮memcpy(&s, &table§[1], sizeof s); s.f(p);⟧
",
    ),
];
