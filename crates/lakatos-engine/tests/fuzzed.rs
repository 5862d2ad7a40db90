//! Programs on which `cargo xtask fuzz` found a wrong verdict, made small: no setting gives one.

mod common;

use lakatos_analysis::cegar::Prune;
use lakatos_analysis::core::{Pop, Search};
use lakatos_analysis::domain::{Abstracts, Granularity, explicit};
use lakatos_engine::stack_cegar::{Kind, StackCegar};

use common::{End, run};

fn settings() -> Vec<StackCegar> {
    // Without probes, which refute before anything is proved.
    let plain = StackCegar { probe: false, ..StackCegar::default() };
    let mut all = Vec::new();
    for domain in [Kind::Explicit, Kind::Predicate, Kind::Product] {
        for granularity in [Granularity::Location, Granularity::Function, Granularity::Global] {
            for pop in [Pop::Off, Pop::Havoc, Pop::Summary] {
                let explicit = explicit::Settings { granularity, ..plain.explicit };
                let one = StackCegar { domain, pop, granularity, explicit, ..plain };
                let abstracts = Abstracts::Cartesian;
                all.push(one);
                let (search, prune) = (Search::Dfs, Prune::Full);
                all.push(StackCegar { abstracts, search, prune, ..one });
            }
        }
    }
    all
}

/// With `==` for `@` the error is reachable, with `!=` it is not.
#[track_caller]
fn check(text: &str) {
    for (op, is_safe) in [("!=", true), ("==", false)] {
        let text = format!("extern void reach_error(void);\n{}", text.replace('@', op));
        for engine in settings() {
            let end = run(&text, engine, 300).0;
            let wrong = if is_safe { End::Refutation } else { End::Proof };
            assert_ne!(end, wrong, "{engine:?}: {text}");
        }
    }
}

/// The callee's exit knows the static's value from before the result is put there.
#[test]
fn a_result_in_a_static_that_the_callee_keeps() {
    check(
        "int g = 2; int h;
         int f(void) { int v = g; return v + 5; }
         int k(void) { g = f(); return 4; }
         int main(void) {
           int v = k();
           for (int i = 0; i < 1 && g != h; i++) {}
           if (v @ 4) reach_error(); }",
    );
}
