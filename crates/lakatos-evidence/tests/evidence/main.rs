//! Proofs, refutations and verdicts about C programs.

mod assumption;
mod harness;
mod proof;
mod replay;
mod show;

use lakatos_ir::interpret::{Keyed, Options};
use lakatos_ir::pass::{self, Request};
use lakatos_ir::{Program, Property, SignedOverflow, Source};

fn compile(text: &str) -> Program {
    let prelude = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);\n";
    let source = Source::new("t.c", format!("{prelude}{text}"));
    match lakatos_c::compile(source, &lakatos_c::Options::default()) {
        Ok(program) => program,
        Err(failure) => panic!("{:?}", failure.diagnostics),
    }
}

/// What an engine sees when a property is asked for.
fn instrumented(text: &str, property: Property) -> Program {
    let request = Request { properties: &[property], error_label: None, is_run: true };
    pass::instrument(compile(text), &request).0
}

fn wrapping() -> Options {
    Options { signed_overflow: SignedOverflow::Wrap, ..Options::default() }
}

/// Values by the name of their source, its occurrence (from 0) and the element.
fn inputs(program: &Program, values: &[(&str, u32, u64, i128)]) -> Keyed {
    let mut keyed = Keyed::default();
    for &(name, occurrence, element, value) in values {
        let mut sites = program.sites.iter().filter(|(_, site)| site.name == name);
        let (site, _) = sites.next().unwrap_or_else(|| panic!("no input {name}"));
        assert!(sites.next().is_none(), "{name} comes from several sites");
        keyed.insert(site, occurrence, element, value);
    }
    keyed
}
