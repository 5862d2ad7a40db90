//! Points-to analysis and regions, over programs in C. The analysis is in `lakatos-ir`; it is tested
//! here because programs are written in C.

mod generate;
mod random;
mod tables;
mod traps;
mod watch;

use lakatos_c::{Options, compile};
use lakatos_ir::{DataModel, Program, Source, validate::validate};

fn program(text: &str, model: DataModel) -> Program {
    let program = compile(Source::new("t.c", text), &Options::of_model(model))
        .unwrap_or_else(|failure| panic!("{:#?}\n{text}", failure.diagnostics));
    let problems = validate(&program);
    assert!(problems.is_empty(), "{problems:#?}");
    program
}
