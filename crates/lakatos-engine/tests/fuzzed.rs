//! Programs on which `cargo xtask fuzz` found a wrong verdict, made small: no setting gives one.

use lakatos_analysis::cegar::Prune;
use lakatos_analysis::core::{Pop, Search};
use lakatos_analysis::domain::{Abstracts, Granularity, explicit};
use lakatos_engine::stack_cegar::{Kind, StackCegar};
use lakatos_engine::{Engine, Statistics, Task, Watch};
use lakatos_evidence::Verdict;
use lakatos_ir::{DataModel, Property, SignedOverflow, Source};
use lakatos_logic::smt::{Cancel, Reason};

/// Ends a run when the graph is large.
struct Nodes(usize);

impl Watch for Nodes {
    fn started(&mut self, _cancel: Cancel) {}

    fn progress(&mut self, statistics: Statistics) -> Result<(), Reason> {
        match statistics.nodes > self.0 {
            true => Err(Reason::Resources),
            false => Ok(()),
        }
    }
}

fn settings() -> Vec<StackCegar> {
    let plain = StackCegar::default();
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
        let options = lakatos_c::Options { model: DataModel::Lp64 };
        let program = lakatos_c::compile(Source::new("test.c", text.clone()), &options)
            .unwrap_or_else(|failure| panic!("{:?}", failure.diagnostics));
        let task = Task {
            program: &program,
            property: Property::UnreachCall,
            signed_overflow: SignedOverflow::Undefined,
        };
        for engine in settings() {
            match engine.solve(&task, &mut Nodes(300)).verdict {
                Verdict::Proved(_) => assert!(is_safe, "proved by {engine:?}: {text}"),
                Verdict::Refuted(_) => assert!(!is_safe, "refuted by {engine:?}: {text}"),
                Verdict::Unknown(_) => {}
            }
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
