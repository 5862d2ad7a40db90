//! `lakatos cfa`: draw a program's control-flow automata.

use anyhow::{Result, anyhow};
use lakatos_ir::pass::{Request, instrument};
use lakatos_ir::{ProcId, Program};
use lakatos_report::draw::draw;

use crate::args::CfaArgs;
use crate::drawing::format;
use crate::exit::Exit;
use crate::load::choose;
use crate::whole;

pub fn cfa(args: &CfaArgs) -> Result<Exit> {
    let choice = choose(&args.input)?;
    let output = args.picture.output.as_deref();
    whole::ensure_apart(output, &choice.files(&args.input))?;
    let program = match choice.compile()? {
        Ok(program) => program,
        Err(refused) => return Ok(refused.exit()),
    };
    let request = Request { properties: &args.properties, error_label: None, is_run: true };
    let (program, _) = instrument(program, &request);
    let proc = args.function.as_deref().map(|name| function(&program, name)).transpose()?;
    whole::write_or_print(output, &draw(&program, proc, format(&args.picture)))?;
    Ok(Exit::Good)
}

fn function(program: &Program, name: &str) -> Result<ProcId> {
    let mut defined = program.defined();
    defined.find(|(_, proc, _)| proc.name == name).map(|(id, ..)| id).ok_or_else(|| {
        let own = program.defined().filter(|(id, ..)| *id != program.start);
        let names: Vec<&str> = own.map(|(_, proc, _)| proc.name.as_str()).collect();
        anyhow!("no function `{name}` is defined; there are: {}", names.join(", "))
    })
}
