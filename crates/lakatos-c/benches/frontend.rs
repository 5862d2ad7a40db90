//! How fast text becomes a program: `cargo bench -p lakatos-c`.
//!
//! Inputs are generated controllers (long conditions over a few integers) and, where the folder
//! is there, the `eca-rers2012` tasks of `../shared/bench`.

use std::fmt::Write;
use std::path::Path;

use divan::Bencher;
use divan::counter::BytesCount;
use lakatos_c::{Options, check, compile};
use lakatos_ir::Source;

fn main() {
    divan::main();
}

/// A reactive program in the shape of an event-condition-action system.
fn generated(rules: usize) -> String {
    let mut text = String::from(
        "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n\
         int a1 = 1, a2 = 2, a3 = 3, a4 = 4;\nint step(int input) {\n",
    );
    for i in 0..rules {
        let (p, q, r) = (i % 4 + 1, (i / 4) % 4 + 1, i % 7);
        let lead = if i == 0 { "if" } else { "else if" };
        writeln!(
            text,
            "  {lead} (((a{p}=={r})&&((input=={q})&&(((a{q}!=1)||(a3==5))&&!(a4==2))))) {{\n    \
             a{p} = {q}; a{q} = a{q} + {r};\n    return {i};\n  }}"
        )
        .expect("writing to a string");
    }
    text + "  return -1;\n}\nint main(void) { while (1) if (step(__VERIFIER_nondet_int()) == 9) \
            reach_error(); }\n"
}

fn eca_tasks() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/bench/eca-rers2012");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        eprintln!("no ../shared/bench here: the eca-rers2012 tasks are not measured");
        return Vec::new();
    };
    let mut paths: Vec<_> = entries.flatten().map(|e| e.path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "c"));
    paths.sort();
    paths.iter().filter_map(|p| std::fs::read_to_string(p).ok()).collect()
}

fn measure(bencher: Bencher<'_, '_>, texts: &[String], run: impl Fn(Source) + Sync) {
    let bytes: usize = texts.iter().map(String::len).sum();
    bencher
        .counter(BytesCount::new(bytes))
        .bench(|| texts.iter().for_each(|text| run(Source::new("bench.c", text.as_str()))));
}

#[divan::bench]
fn check_generated(bencher: Bencher<'_, '_>) {
    let texts = [generated(5_000)];
    measure(bencher, &texts, |source| assert!(check(source, &Options::default()).is_ok()));
}

#[divan::bench]
fn compile_generated(bencher: Bencher<'_, '_>) {
    let texts = [generated(5_000)];
    measure(bencher, &texts, |source| assert!(compile(source, &Options::default()).is_ok()));
}

#[divan::bench]
fn check_eca(bencher: Bencher<'_, '_>) {
    measure(bencher, &eca_tasks(), |source| assert!(check(source, &Options::default()).is_ok()));
}

#[divan::bench]
fn compile_eca(bencher: Bencher<'_, '_>) {
    measure(bencher, &eca_tasks(), |source| assert!(compile(source, &Options::default()).is_ok()));
}
