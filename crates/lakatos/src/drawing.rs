//! Drawings: which format was asked for, and where they go.

use std::io::{self, Write};
use std::path::Path;

use anyhow::Result;
use lakatos_report::draw;

use crate::args::{Format, Output};
use crate::whole;

/// As the flag says, else the file's ending.
pub fn format(output: &Output) -> draw::Format {
    let ending = || by_ending(output.output.as_deref()?);
    output.format.or_else(ending).unwrap_or(Format::Dot).into()
}

/// To a file, or else to standard output.
pub fn write(output: Option<&Path>, drawing: &str) -> Result<()> {
    match output {
        Some(path) => whole::write(path, drawing),
        None => Ok(io::stdout().write_all(drawing.as_bytes())?),
    }
}

fn by_ending(output: &Path) -> Option<Format> {
    match output.extension()?.to_str()? {
        "dot" | "gv" => Some(Format::Dot),
        "svg" => Some(Format::Svg),
        "json" => Some(Format::Json),
        _ => None,
    }
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
