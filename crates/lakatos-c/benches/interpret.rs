//! How fast the interpreter runs: `cargo bench -p lakatos-c --bench interpret`. It is measured
//! here because programs are written in C.

use divan::Bencher;
use divan::counter::ItemsCount;
use lakatos_c::{Options, compile};
use lakatos_ir::interpret::{self, Interpreter, Zeros};
use lakatos_ir::{Program, Source};

fn main() {
    divan::main();
}

fn program(text: &str) -> Program {
    compile(Source::new("bench.c", text), &Options::default()).expect("a program")
}

/// Runs the program to its end; the counter shows edges per second.
fn measure(bencher: Bencher<'_, '_>, text: &str) {
    let program = program(text);
    let interpreter = Interpreter::new(&program);
    let options = interpret::Options::default();
    let steps = interpreter.run(&options, &mut Zeros).steps;
    bencher.counter(ItemsCount::new(steps)).bench(|| interpreter.run(&options, &mut Zeros));
}

#[divan::bench]
fn scalars(bencher: Bencher<'_, '_>) {
    measure(
        bencher,
        "int main(void) { unsigned s = 0; for (int i = 0; i < 300000; i++) { s = s * 31 + i; \
         if (s % 7 == 3) s ^= 5; } return s & 63; }",
    );
}

#[divan::bench]
fn arrays(bencher: Bencher<'_, '_>) {
    measure(
        bencher,
        "int a[1000]; int main(void) { for (int r = 0; r < 200; r++) for (int i = 1; i < 1000; \
         i++) a[i] = a[i - 1] / 2 + i; return a[999] & 63; }",
    );
}

#[divan::bench]
fn calls(bencher: Bencher<'_, '_>) {
    measure(
        bencher,
        "int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); } \
         int main(void) { return fib(22) & 63; }",
    );
}
