//! Drawings: which format was asked for.

use std::path::Path;

use lakatos_report::draw;

use crate::args::{Format, Output};

/// As the flag says, else the file's ending.
pub fn format(output: &Output) -> draw::Format {
    let ending = || by_ending(output.output.as_deref()?);
    output.format.or_else(ending).unwrap_or(Format::Dot).into()
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
