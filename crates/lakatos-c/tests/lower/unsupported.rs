//! What cannot be lowered stands in the way only where the program can reach it.

use expect_test::expect;
use lakatos_ir::Procedure;
use lakatos_ir::library::LibraryRole;

use crate::{check, lower};

const NESTED: &str = "int sum(int n, ...) {
  int inner(void) { return 1; }
  return n;
}
";

#[test]
fn reached() {
    check(
        &format!("{NESTED}int main(void) {{ return sum(1, 2); }}"),
        expect![[r#"
            t.c:2:3: Unsupported: nested functions
        "#]],
    );
    check(
        &format!("{NESTED}int (*p)(int, ...) = sum; int main(void) {{ return 0; }}"),
        expect![[r#"
            t.c:2:3: Unsupported: nested functions
        "#]],
    );
}

#[test]
fn not_reached() {
    check(
        &format!(
            "{NESTED}int also_dead(void) {{ return sum(2, 3, 4); }} int main(void) {{ return 0; sum(1, 2); }}"
        ),
        expect![[r#"
            t.c:2:3: Unsupported: nested functions
        "#]],
    );
}

#[test]
fn constructs() {
    check(
        "int setjmp(long *); void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *));
int less(const void *a, const void *b) { return a < b; }
double d; double _Complex z;
int main(void) {
  long env[8]; if (setjmp(env)) return 1;
  qsort(env, 8, 8, less);
  z = z * 2;
  return 0;
}",
        expect![[r#"
            t.c:1:5: Warning: there is no model of `setjmp` yet: nothing is known after a call of it
            t.c:1:26: Warning: `qsort` sorts by insertion here: equal elements keep their order
            t.c:5:20: Unsupported: `setjmp`
            t.c:7:7: Unsupported: complex arithmetic
            t.c:7:7: Unsupported: complex arithmetic
            t.c:7:11: Unsupported: complex arithmetic
        "#]],
    );
}

fn refusal(text: &str) -> String {
    lower(text).err().unwrap_or_default()
}

/// What the functions without a body may call.
fn called_back(text: &str) -> Vec<String> {
    let program = lower(text).unwrap_or_else(|refusal| panic!("{text}\n{refusal}"));
    let called = |proc: &Procedure| match proc.library {
        Some(LibraryRole::CallsBack(called)) => Some(program.procs[called].name.clone()),
        Some(LibraryRole::Forwarder | LibraryRole::Model | LibraryRole::Unmodelled(_)) | None => {
            None
        }
    };
    program.procs.iter().filter_map(|(_, proc)| called(proc)).collect()
}

/// Functions of the program that one without a body may call: as an argument, behind `void *`, in
/// an object, as a number; and a function without a body behind a pointer.
#[test]
fn callbacks() {
    const HEAD: &str =
        "void reg(void *); void num(long); void sort(int (*)(void)); int f(void) { return 1; }
struct s { int x; int (*f)(void); };
";
    for body in [
        "sort(f);",
        "void *v = (void *)f; reg(v);",
        "struct s s = {1, f}; void *v = &s; reg(v);",
        "struct s *p = __builtin_malloc(sizeof *p); p->f = f; void *v = p; reg(v);",
        "num((long)f);",
        "void (*q)(int (*)(void)) = sort; q(f);",
    ] {
        let text = format!("{HEAD}int main(void) {{ {body} return 0; }}");
        assert_eq!(called_back(&text), ["f"], "{body}");
    }
    for body in ["struct s s = {1, 0}; void *v = &s; reg(v);", "int (*p)(void) = f; p(); reg(0);"] {
        let text = format!("{HEAD}int main(void) {{ {body} return 0; }}");
        assert!(called_back(&text).is_empty(), "{body}");
    }
}

/// Other names for what is here.
#[test]
fn other_names() {
    for (text, expected) in [
        ("void g(void) {}\n#pragma weak f = g\nvoid f(void); int main(void) { f(); }", "`#pragma`"),
        ("int g, f __asm__(\"g\"); int main(void) { return f; }", "another name"),
    ] {
        let found = refusal(text);
        assert!(found.contains("Unsupported") && found.contains(expected), "{text}\n{found}");
    }
    for known in [
        "void g(void) __asm__(\"z\"); void g(void) {} void f(void) __asm__(\"z\");
          int main(void) { f(); }",
        "void g(void) {} void f(void) __attribute__((weak, alias(\"g\"))); int main(void) { f(); }",
        "void g(void) {} void f(void) __asm__(\"g\"); int main(void) { f(); }",
        "void g(void) {} void f(void) __attribute__((alias(\"g\"))); int main(void) { f(); }",
        "int main(void) { int i = 0; __sync_fetch_and_add(&i, 1); return i; }",
        "int main(void) { int i = 0; return __atomic_load_n(&i, 5); }",
    ] {
        assert!(!refusal(known).contains("Unsupported"), "{known}");
    }
    let plain = "int open(void) __asm__(\"open\" \"64\"); int open64(void); int main(void) { return open(); }";
    assert!(!refusal(plain).contains("Unsupported"));
}
