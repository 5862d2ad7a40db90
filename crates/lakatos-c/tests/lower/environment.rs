//! What the world outside of the program decides: volatile memory, device registers, allocations.

use lakatos_c::{Options, compile};
use lakatos_ir::{
    Allocation, Builtin, Callee, DataModel, Decision, Environment, InputKind, Instr, PlaceKind,
    Program, Severity, Source, Volatile, validate::validate,
};

fn options(environment: Environment) -> Options {
    Options { model: DataModel::Lp64, environment }
}

fn lower(text: &str, environment: Environment) -> Program {
    let program = compile(Source::new("t.c", text), &options(environment))
        .unwrap_or_else(|failure| panic!("{text}\n{:?}", failure.diagnostics));
    assert_eq!(validate(&program), [], "{text}");
    program
}

/// What the front-end says is unsupported.
fn refused(text: &str, environment: Environment) -> Vec<String> {
    match compile(Source::new("t.c", text), &options(environment)) {
        Ok(_) => Vec::new(),
        Err(failure) => {
            let unsupported = |d: &&lakatos_ir::Diagnostic| d.severity == Severity::Unsupported;
            failure.diagnostics.iter().filter(unsupported).map(|d| d.message.clone()).collect()
        }
    }
}

fn usual() -> Environment {
    Environment::default()
}

fn memory() -> Environment {
    Environment { volatile: Volatile::Memory, ..usual() }
}

fn with_registers(ranges: &[&str]) -> Environment {
    let mmio = ranges.iter().map(|range| range.parse().unwrap()).collect();
    Environment { mmio, ..usual() }
}

fn names(program: &Program, kind: InputKind) -> Vec<&str> {
    let of_kind = program.sites.iter().filter(|(_, site)| site.kind == kind);
    of_kind.map(|(_, site)| site.name.as_str()).collect()
}

fn decisions(program: &Program) -> Vec<Decision> {
    program.warnings.iter().filter_map(|warning| warning.decision).collect()
}

/// Every read of volatile memory is an input, once, with the name of what is read.
#[test]
fn volatile_reads_are_inputs() {
    const DECLARED: &str =
        "struct s { int a; volatile int v; volatile char c[2]; unsigned n : 3; };
        volatile int g; extern const volatile unsigned char e; volatile int t[3]; struct s d, *p;
        volatile struct s w; volatile int *q; int *volatile r; int i, x; double f; ";
    for (body, expected) in [
        ("x = g;", &["g"] as &[&str]),
        ("x = e;", &["e"]),
        ("g;", &["g"]),
        ("(void)g;", &["g"]),
        ("x = t[i];", &["t[…]"]),
        ("x = t[2];", &["t[2]"]),
        ("x = d.v + d.a;", &["d.v"]),
        ("x = p->c[1];", &["p->c[1]"]),
        ("x = p->a;", &[]),
        ("x = w.a;", &["w.a"]),
        ("x = w.n;", &["w.n"]),
        ("x = *q;", &["*q"]),
        ("x = q[1];", &["q[1]"]),
        ("x = *r;", &["r"]),
        ("x = *(volatile int *)&i;", &["*&i"]),
        ("g = 1;", &[]),
        ("x = g = 1;", &[]),
        ("x = (g += 1);", &["g"]),
        ("x = g++;", &["g"]),
        ("--t[0];", &["t[0]"]),
        ("if (g && e) x = 1;", &["g", "e"]),
        ("x = g ? e : g;", &["g", "e", "g"]),
        ("x = g ?: 2;", &["g"]),
        ("while (!g) ;", &["g"]),
        ("switch (g) { case 1: x = 1; }", &["g"]),
        ("x = t[g];", &["g", "t[…]"]),
        ("x = sizeof g + sizeof(t[1]);", &[]),
        ("int *z = (int *)&x; volatile int *y = &g; x = (y == q);", &[]),
        ("struct s c = d;", &["d.v", "d.c"]),
        ("struct s c; c = *p;", &["*p.v", "*p.c"]),
        ("struct s c; c = w;", &["w"]),
        ("x = (0, d).v;", &["d.v", "d.c"]),
        ("x = ({ g; });", &["g"]),
        ("asm(\"\" : : \"r\"(g));", &["g"]),
        ("static volatile int k; x = k;", &["k"]),
    ] {
        let text = format!("{DECLARED} int main(void) {{ {body} return 0; }}");
        let program = lower(&text, usual());
        assert_eq!(names(&program, InputKind::Volatile), expected, "{body}");
        let program = lower(&text, memory());
        assert_eq!(names(&program, InputKind::Volatile), [""; 0], "{body}");
        let depends = decisions(&program).contains(&Decision::Volatile);
        assert_eq!(depends, !expected.is_empty(), "{body}");
    }
}

/// Automatic objects are memory while their addresses stay in the function.
#[test]
fn addresses_that_leave() {
    const DECLARED: &str = "extern void *memset(void *, int, unsigned long);
        extern void out(volatile int *); volatile int *keep; unsigned long n;
        struct s { volatile int a; int *b; }; static volatile int *id(volatile int *p) { return p; } ";
    for (body, changes) in [
        ("volatile int x = 1; return x;", false),
        ("volatile int x[2] = {1}; return x[1] + *x + *(x + 1);", false),
        ("struct s x = {1}; return x.a;", false),
        ("struct s x = {1}, y = x; return y.a;", false),
        ("volatile int x = 1; volatile int *p = &x; return *p;", false),
        ("volatile int x = 1; volatile int *p = &x, *q; q = p; ++q; --q; return *q;", false),
        ("volatile int x = 1; if (&x) return x; return 0;", false),
        ("volatile int x; memset((void *)&x, 0, 4); return x;", false),
        ("int x = 1; return *(volatile int *)&x;", false),
        ("int x[2] = {1}; volatile int *p = x; return p[1];", false),
        ("volatile int x = 1; out(&x); return x;", true),
        ("volatile int x = 1; keep = &x; return x;", true),
        ("volatile int x = 1; keep = 1 ? &x : 0; return x;", true),
        ("volatile int x = 1; n = (unsigned long)&x; return x;", true),
        ("volatile int x = 1; volatile int *p = &x; out(p); return x;", true),
        ("volatile int x = 1; volatile int *p = &x, **q = &p; return x;", true),
        ("volatile int x = 1; volatile int *p; p = id(&x); return x;", true),
        ("volatile int x = 1; struct s y; y.b = (int *)&x; return x;", true),
        ("volatile int x = 1; volatile int *p[1] = {&x}; return x;", true),
        ("struct s x = {1}; keep = &x.a; return x.a;", true),
        ("volatile int x = 1; return ({ &x; }) ? x : 0;", false),
        ("volatile int x = 1; keep = ({ &x; }); return x;", true),
        ("volatile int x = 1; static volatile int *p; p = &x; return x;", true),
        ("volatile int x = 1; asm(\"\" : : \"r\"(&x)); return x;", true),
        // The object stays memory, but the pointer may point to something else.
        ("volatile int x = 1; volatile int *p = keep; p = &x; return *p;", true),
        ("volatile int x = 1; volatile int *p = &x; p = keep; return x;", false),
    ] {
        let text = format!("{DECLARED} int main(void) {{ {body} }}");
        let program = lower(&text, usual());
        assert_eq!(!names(&program, InputKind::Volatile).is_empty(), changes, "{body}");
    }
    let text = "static int f(volatile int n) { return n; } int main(void) { return f(1); }";
    assert_eq!(names(&lower(text, usual()), InputKind::Volatile), [""; 0]);
}

/// Warnings say what a verdict depends on, and nothing else.
#[test]
fn what_is_told_of_volatile() {
    for (text, any, memory_said) in [
        (
            "typedef volatile int v; extern v unused; int main(void) { return 0; }",
            &[] as &[_],
            &[] as &[_],
        ),
        ("volatile int g; int main(void) { g = 1; return 0; }", &[], &[]),
        ("volatile int g; int f(void) { return g; } int main(void) { return 0; }", &[], &[]),
        (
            "volatile int g, h; int f(void) { return g; } int main(void) { return h + f(); }",
            &[],
            &[Decision::Volatile],
        ),
        (
            "volatile int g; int main(void) { int *p = (int *)&g; return *p; }",
            &[Decision::PlainAccess],
            &[],
        ),
        (
            "struct s { volatile int v; } g; int f(void *p) { return !p; }
             int main(void) { return f(&g); }",
            &[],
            &[],
        ),
        (
            "struct s { volatile int v; } g; int main(void) { return *(char *)&g; }",
            &[Decision::PlainAccess],
            &[],
        ),
        (
            "volatile int g; void free(void *); int main(void) { free((void *)&g); return 0; }",
            &[],
            &[],
        ),
    ] {
        assert_eq!(decisions(&lower(text, usual())), any, "{text}");
        assert_eq!(decisions(&lower(text, memory())), memory_said, "{text}");
    }
}

#[test]
fn library_functions_do_not_read_volatile_memory() {
    const DECLARED: &str = "void *memcpy(void *, const void *, unsigned long);
        void *memset(void *, int, unsigned long); unsigned long strlen(const char *);
        volatile char g[4]; char x[4]; ";
    for (body, expected) in [
        ("memcpy(x, (void *)g, 4);", &["`memcpy` of volatile memory"] as &[&str]),
        ("memcpy((void *)g, x, 4);", &[]),
        ("memset((void *)g, 0, 4);", &[]),
        ("strlen((char *)g);", &["`strlen` of volatile memory"]),
        ("volatile char y[4]; y[0] = 0; strlen((char *)y);", &[]),
    ] {
        let text = format!("{DECLARED} int main(void) {{ {body} return 0; }}");
        assert_eq!(refused(&text, usual()), expected, "{body}");
        assert_eq!(refused(&text, memory()), [""; 0], "{body}");
    }
}

/// How often memory is accessed through a pointer, and how many registers are read.
#[test]
fn registers_are_no_memory() {
    const DECLARED: &str = "struct dev { volatile int a, b[4]; int c; }; int i; ";
    for (body, accesses, reads) in [
        ("i = *(volatile int *)0x40000000;", 0, 1),
        ("*(volatile int *)0x40000ffc = 1;", 0, 0),
        ("*(volatile int *)0x40000ffd = 1;", 1, 0),
        ("*(volatile int *)0x3fffffff = 1;", 1, 0),
        ("*(volatile int *)0x40001000 = 1;", 1, 0),
        ("i = ((volatile char *)0x40000000)[0xfff];", 0, 1),
        ("i = ((volatile char *)0x40000000)[0x1000];", 1, 1),
        ("i = ((struct dev *)0x40000100)->b[2];", 0, 1),
        ("((struct dev *)0x40000100)->b[1] |= 3;", 0, 1),
        ("i = ((struct dev *)0x40000100)->c;", 1, 0),
        // Which it is depends on the run.
        ("((volatile char *)0x40000000)[i] = 1;", 1, 0),
        ("volatile int *p = (volatile int *)0x40000000; i = *p;", 1, 1),
    ] {
        let text = format!("{DECLARED} int main(void) {{ {body} return 0; }}");
        let program = lower(&text, with_registers(&["0x40000000:0x1000"]));
        let is_access = |place: &lakatos_ir::Place| matches!(place.kind, PlaceKind::Deref(_));
        let accessed = program
            .places
            .iter()
            .filter(|(id, place)| is_access(place) && is_executed(&program, *id));
        assert_eq!(accessed.count(), accesses, "{body}");
        assert_eq!(names(&program, InputKind::Volatile).len(), reads, "{body}");
    }
}

/// An instruction reads or writes the place, or a part of it.
fn is_executed(program: &Program, place: lakatos_ir::PlaceId) -> bool {
    let root = |mut at: lakatos_ir::PlaceId| loop {
        match program.places[at].kind {
            PlaceKind::Field(base, _) | PlaceKind::Index(base, _) => at = base,
            PlaceKind::Var(_) | PlaceKind::Deref(_) => return at,
        }
    };
    let read = |expr: lakatos_ir::ExprId| match program.exprs[expr].kind {
        lakatos_ir::ExprKind::Load(read) => root(read) == place,
        _ => false,
    };
    program.defined().flat_map(|(_, _, body)| body.edges.iter()).any(|(_, edge)| {
        match &edge.instr {
            Instr::Assign(to, value) => root(*to) == place || read(*value),
            Instr::Havoc(to, _) => root(*to) == place,
            _ => false,
        }
    })
}

#[test]
fn registers_without_volatile_are_refused() {
    for (body, expected) in [
        (
            "int *p = (int *)0x40000000; *p = 1;",
            &["the address 0x40000000, which is in a range of `--mmio`, as a pointer to memory \
               that is not volatile"] as &[&str],
        ),
        ("void *p = (void *)0x40000000; *(volatile int *)p = 1;", &[]),
        ("int *p = (int *)0x50000000;", &[]),
    ] {
        let text = format!("int main(void) {{ {body} return 0; }}");
        assert_eq!(refused(&text, with_registers(&["0x40000000:0x1000"])), expected, "{body}");
    }
}

/// Whether a call of the function that allocates is left, a null pointer instead, or both.
#[test]
fn allocations_fail() {
    const DECLARED: &str =
        "void *malloc(unsigned long); void *calloc(unsigned long, unsigned long);
        void *realloc(void *, unsigned long); void *p; int i; unsigned u; unsigned long n, m; ";
    for (call, calls, fails) in [
        ("malloc(8)", true, false),
        ("malloc(0x7fffffffffffffff)", true, false),
        ("malloc(0x8000000000000000)", false, true),
        ("malloc(-1)", false, true),
        ("malloc(i)", true, true),
        ("malloc(u)", true, false),
        ("malloc(u * 4ul + 8)", true, false),
        ("malloc(n)", true, true),
        ("malloc(n * 2)", true, true),
        ("calloc(3, 4)", true, false),
        ("calloc(n, 4)", true, true),
        ("calloc(u, 4)", true, false),
        ("calloc(u, u)", true, true),
        ("calloc(n, 0)", true, false),
        ("calloc(0x4000000000000000, 4)", false, true),
        ("calloc(n, m)", true, true),
        ("realloc(p, 8)", true, false),
        ("realloc(p, -8)", false, true),
        ("realloc(p, n)", true, true),
    ] {
        let text = format!("{DECLARED} int main(void) {{ p = {call}; return 0; }}");
        let program = lower(&text, usual());
        assert_eq!(allocates(&program), (calls, fails), "{call}");
        let environment = Environment { allocation: Allocation::MayFail, ..usual() };
        let program = lower(&text, environment);
        assert_eq!(allocates(&program), (calls, true), "{call}");
        let outcomes = names(&program, InputKind::Allocation).len();
        assert_eq!(outcomes, usize::from(calls), "{call}");
    }
}

fn allocates(program: &Program) -> (bool, bool) {
    let body = program.procs[program.main].body.as_ref().unwrap();
    let calls = body.edges.iter().any(|(_, edge)| match &edge.instr {
        Instr::Call(call) => matches!(
            call.callee,
            Callee::Builtin(Builtin::Malloc | Builtin::Calloc | Builtin::Realloc)
        ),
        _ => false,
    });
    let fails = body.edges.iter().any(|(_, edge)| match &edge.instr {
        Instr::Assign(_, value) => program.exprs[*value].kind == lakatos_ir::ExprKind::Null,
        _ => false,
    });
    (calls, fails)
}
