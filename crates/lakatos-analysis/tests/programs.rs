//! Programs from the documents and traps, under every setting.

use lakatos_analysis::cegar::{Options, Outcome, cegar};
use lakatos_analysis::core::{Cx, Explorer, Pop, Search};
use lakatos_analysis::domain::{Abstracts, Granularity, Predicate};
use lakatos_analysis::semantics::Semantics;
use lakatos_encode::machine::{Encoding, Machine};
use lakatos_ir::pass::{self, Request};
use lakatos_ir::{DataModel, Program, Property, SignedOverflow, Source};
use lakatos_logic::smt::{Limits, Reason, Smt};
use lakatos_logic::term::Terms;

fn program(text: &str) -> Program {
    let source = Source::new("test.c", text);
    let options = lakatos_c::Options { model: DataModel::Lp64 };
    let program = lakatos_c::compile(source, &options).unwrap_or_else(|f| panic!("{f:?}"));
    let request = Request { properties: &[Property::UnreachCall], error_label: None };
    let (program, _) = pass::instrument(program, &request);
    let (program, _) = pass::constants(program);
    let (program, _) = pass::dead_code(program);
    let (program, _) = pass::large_blocks(program);
    program
}

fn run(text: &str, pop: Pop, nodes: usize) -> Outcome {
    let program = program(text);
    let machine = Machine::new(Encoding::Int, SignedOverflow::Undefined);
    let mut cx = Cx {
        terms: Terms::new(),
        smt: Smt::new(Limits::default()),
        semantics: Semantics::new(&program, machine),
    };
    let domain = Predicate::new(Abstracts::Boolean, Granularity::Location);
    let mut explorer = Explorer::new(&program, domain, pop, Search::Bfs);
    let t = std::time::Instant::now();
    let outcome = cegar(&mut cx, &mut explorer, Options::default(), |progress| {
        match progress.nodes > nodes {
            true => Err(Reason::Resources),
            false => Ok(()),
        }
    });
    println!("{pop:?}: {outcome:?} {} nodes {} pops {} preds {:?}", explorer.arg.nodes.len(), explorer.pops, explorer.domain.size(), t.elapsed());
    outcome
}

const HEAD: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void); extern void abort(void);\n";

#[test]
fn try_them() {
    for (name, text) in [
        ("fig2.1", "int main(){int a; int b = a % 10; while (a > 100) { b = a % 10; a = a - 1; } if(!(b < 10)) reach_error(); }"),
        ("fig4.1", "void foo(int k) { }   int main() { foo(2); foo(2); reach_error(); }"),
        ("fig5.3", "void rec(int k) { if (k <= 0) reach_error(); rec(k + 1); }   int main() { rec(1); }"),
        ("trap g", "int g=0; void f(){ if(__VERIFIER_nondet_int()){ f(); if(g!=0) reach_error(); } g=1; } int main(){ f(); }"),
        ("trap x", "int x; void f(){} int main(){ x=1; f(); x=2; f(); if (x==2) reach_error(); }"),
        ("trap exits", "void f(int k){ if(k==1&&__VERIFIER_nondet_int()){k=0;goto M;} k=0; R:; M:; } int main(){ f(1); f(2); reach_error(); }"),
        ("mc91", "int f(int n){ if (n>100) return n-10; return f(f(n+11)); } int main(){ int n=__VERIFIER_nondet_int(); int r=f(n); if (n<=101 && r!=91) reach_error(); }"),
        ("loop", "int main(){ int i=0,j=0; int n=__VERIFIER_nondet_int(); while(i<n){i++;j++;} if(i!=j) reach_error(); }"),
        ("unsafe loop", "int main(){ int i=0; int n=__VERIFIER_nondet_int(); while(i<n){i++;} if(i==5) reach_error(); }"),
        ("sum", "int sum(int n){ if(n<=0) return 0; return n+sum(n-1); } int main(){ int n=__VERIFIER_nondet_int(); int r=sum(n); if(n>=0 && r<n) reach_error(); }"),
        ("fib", "int fib(int n){ if(n<1) return 0; if(n==1) return 1; return fib(n-1)+fib(n-2); } int main(){ int n=__VERIFIER_nondet_int(); int r=fib(n); if(r<n-1) reach_error(); }"),
        ("id", "int id(int x){ if(x==0) return 0; return id(x-1)+1; } int main(){ int n=__VERIFIER_nondet_int(); int r=id(n); if(r!=n) reach_error(); }"),
        ("even", "int odd(int n); int even(int n){ if(n==0) return 1; return odd(n-1); } int odd(int n){ if(n==0) return 0; return even(n-1);} int main(){ int n=__VERIFIER_nondet_int(); if(n<0) return 0; int r=even(n); if(r<0||r>1) reach_error(); }"),
    ] {
        println!("--- {name}");
        for pop in [Pop::Summary, Pop::Havoc, Pop::Off] {
            run(&format!("{HEAD}{text}"), pop, 3000);
        }
    }
}
