//! Proofs written by hand: good ones, and what is left of them when something is wrong.

mod all_runs;
mod bits;
mod formula;
mod mutants;
mod programs;
mod verdict;

use lakatos_check::{Instrumented, Kind, Outcome, check};
use lakatos_evidence::{Assumption, Draft, Proof};
use lakatos_ir::loops::Loops;
use lakatos_ir::modset::Footprint;
use lakatos_ir::{ProcId, Program, Property, SignedOverflow, Source};
use lakatos_logic::smt::{Limits, Smt};

const HEAD: &str = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void); extern void abort(void);\n";

/// A program, instrumented.
fn program(text: &str, property: Property) -> Instrumented {
    let source = Source::new("t.c", format!("{HEAD}{text}"));
    let program = lakatos_c::compile(source, &lakatos_c::Options::default())
        .unwrap_or_else(|failure| panic!("{:?}", failure.diagnostics));
    Instrumented::new(&program, property)
}

/// A claim: `f requires`, `f ensures`, `f assigns` or `f loop 0`, and what is claimed.
type Claim<'a> = (&'a str, &'a str);

fn named(program: &Program, name: &str) -> ProcId {
    program.proc_named(name).unwrap_or_else(|| panic!("no procedure {name}"))
}

fn draft(
    subject: &Instrumented,
    property: Property,
    overflow: SignedOverflow,
    claims: &[Claim<'_>],
) -> Proof {
    let program = subject.program();
    let mut draft = Draft::new(program, property);
    draft.assume(Assumption::of(program, property, overflow));
    for (place, text) in claims {
        let words: Vec<&str> = place.split(' ').collect();
        let proc = named(program, words[0]);
        if words[1] == "assigns" {
            let names = text.split_whitespace();
            let var = |name: &str| program.vars.iter().find(|(_, v)| v.name == name).unwrap().0;
            let footprint = Footprint { vars: names.map(var).collect(), ..Footprint::default() };
            draft.assigns(proc, footprint).unwrap();
            continue;
        }
        let formula = formula::parse(program, &mut draft, proc, text);
        match words[1] {
            "requires" => draft.requires(proc, formula).unwrap(),
            "ensures" => draft.ensures(proc, formula).unwrap(),
            _ => {
                let loops = Loops::new(program.procs[proc].body.as_ref().unwrap());
                let head = loops.cut_points()[words[2].parse::<usize>().unwrap()];
                draft.invariant(proc, head, formula).unwrap();
            }
        }
    }
    draft.finish()
}

fn judge(subject: &Instrumented, proof: Proof, overflow: SignedOverflow) -> String {
    let program = subject.program();
    let limits = Limits { resources: Some(20_000_000), time: None };
    match check(subject, proof, overflow, &mut Smt::new(limits)) {
        Outcome::Checked(_) => "checked".to_owned(),
        Outcome::Undecided(_) => "undecided".to_owned(),
        Outcome::Rejected(rejected) => {
            let name = |proc: ProcId| &program.procs[proc].name;
            let owner = name(rejected.condition.proc);
            match &rejected.condition.kind {
                Kind::Invariant(_) => format!("{owner}: invariant"),
                Kind::Requires(callee) => format!("{owner}: requires of {}", name(*callee)),
                Kind::Unreachable(_) => format!("{owner}: error"),
                Kind::Assumes(_) => "assumption".to_owned(),
                kind => format!("{owner}: {kind:?}").to_lowercase(),
            }
        }
    }
}

/// What the checker says of claims about `unreach-call`.
fn verdict(text: &str, claims: &[Claim<'_>]) -> String {
    let property = Property::UnreachCall;
    let program = program(text, property);
    let proof = draft(&program, property, SignedOverflow::Undefined, claims);
    judge(&program, proof, SignedOverflow::Undefined)
}

#[track_caller]
fn accepts(text: &str, claims: &[Claim<'_>]) {
    assert_eq!(verdict(text, claims), "checked", "{claims:?}\n{text}");
}

#[track_caller]
fn rejects(text: &str, claims: &[Claim<'_>], expected: &str) {
    assert_eq!(verdict(text, claims), expected, "{claims:?}\n{text}");
}
