//! `lakatos cfa`: draw a program's control-flow automata.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use lakatos_ir::pass::{Request, instrument};
use lakatos_ir::{ProcId, Program};
use lakatos_report::draw::{self, draw};

use crate::args::{CfaArgs, Format};
use crate::exit::Exit;
use crate::load::choose;

pub fn cfa(args: &CfaArgs) -> Result<Exit> {
    let program = match choose(&args.input)?.compile()? {
        Ok(program) => program,
        Err(refused) => return Ok(refused.exit()),
    };
    let request = Request { properties: &args.properties, error_label: None };
    let (program, _) = instrument(program, &request);
    let proc = args.function.as_deref().map(|name| function(&program, name)).transpose()?;
    let format = args.format.or_else(|| by_ending(args.output.as_deref()?)).unwrap_or(Format::Dot);
    let drawing = draw(&program, proc, format.into());
    match &args.output {
        Some(path) => {
            fs::write(path, drawing).with_context(|| format!("cannot write {}", path.display()))?
        }
        None => io::stdout().write_all(drawing.as_bytes())?,
    }
    Ok(Exit::Good)
}

fn by_ending(output: &Path) -> Option<Format> {
    match output.extension()?.to_str()? {
        "dot" | "gv" => Some(Format::Dot),
        "svg" => Some(Format::Svg),
        "json" => Some(Format::Json),
        _ => None,
    }
}

fn function(program: &Program, name: &str) -> Result<ProcId> {
    let mut defined = program.defined();
    defined.find(|(_, proc, _)| proc.name == name).map(|(id, ..)| id).ok_or_else(|| {
        let own = program.defined().filter(|(id, ..)| *id != program.start);
        let names: Vec<&str> = own.map(|(_, proc, _)| proc.name.as_str()).collect();
        anyhow!("no function `{name}` is defined; there are: {}", names.join(", "))
    })
}

impl From<Format> for draw::Format {
    fn from(format: Format) -> draw::Format {
        match format {
            Format::Dot => draw::Format::Dot,
            Format::Svg => draw::Format::Svg,
            Format::Json => draw::Format::Json,
        }
    }
}
