//! Interpolants that generalise: families of counterexamples, unrolled further and further, whose
//! interpolants must stay the same.

use lakatos_logic::interpolate::{Interpolator, Problem, Strategy};
use lakatos_logic::smt::Smt;
use lakatos_logic::term::{Sort, Term, Terms};

struct Path {
    terms: Terms,
    steps: Vec<Term>,
}

impl Path {
    fn new() -> Path {
        Path { terms: Terms::new(), steps: Vec::new() }
    }

    fn var(&mut self, name: &str, at: usize) -> Term {
        self.terms.symbol(&format!("{name}@{at}"), Sort::Int)
    }

    /// `name@at = name@(at - 1) + by`.
    fn increment(&mut self, name: &str, at: usize, by: i64) -> Term {
        let (old, new) = (self.var(name, at - 1), self.var(name, at));
        let by = self.terms.int(by);
        let sum = self.terms.add(old, by);
        self.terms.eq(new, sum)
    }

    fn is(&mut self, name: &str, at: usize, value: i64) -> Term {
        let (x, value) = (self.var(name, at), self.terms.int(value));
        self.terms.eq(x, value)
    }

    fn step(&mut self, parts: impl IntoIterator<Item = Term>) {
        let step = self.terms.and(parts);
        self.steps.push(step);
    }
}

/// `x = y = 0; k times (x++, y++); x != y`.
fn equal_counters(k: usize) -> Path {
    let mut p = Path::new();
    let start = [p.is("x", 0, 0), p.is("y", 0, 0)];
    p.step(start);
    for i in 1..=k {
        let step = [p.increment("x", i, 1), p.increment("y", i, 1)];
        p.step(step);
    }
    let (x, y) = (p.var("x", k), p.var("y", k));
    let different = p.terms.ne(x, y);
    p.step([different]);
    p
}

#[test]
fn try_it() {
    for k in [5, 20, 50] {
        for s in [
            Strategy::Farkas,
            Strategy::Spacer,
            Strategy::Newton,
            Strategy::Backward,
            Strategy::Nested,
        ] {
            let mut p = equal_counters(k);
            let mut smt = Smt::default();
            let t = std::time::Instant::now();
            let mut itp = Interpolator::new(&mut smt);
            let r = itp.interpolate(&mut p.terms, &Problem::sequence(&p.steps), s);
            println!("{k} {s} {:?} {:?}", t.elapsed(), itp.take_rejected());
            if let Ok(r) = r {
                for t in r.iter().take(3) {
                    println!("   {:?}", p.terms.node(*t));
                }
            } else {
                println!("{:?}", r);
            }
        }
    }
}
