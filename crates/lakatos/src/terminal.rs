//! What a person sees beside the result: diagnostics, notes and errors, on standard error.
//! Colours are always written; `anstream` takes them out where they are not wanted.

use anstyle::{AnsiColor, Style};
use lakatos_ir::{Diagnostic, Source};
use lakatos_report::diagnostic;

use crate::args::Color;

pub const BOLD: Style = Style::new().bold();
pub const DIM: Style = Style::new().dimmed();
pub const GOOD: Style = AnsiColor::Green.on_default().bold();
pub const BAD: Style = AnsiColor::Red.on_default().bold();
pub const UNSURE: Style = AnsiColor::Yellow.on_default().bold();
const NOTE: Style = AnsiColor::Cyan.on_default().bold();

/// Decides once, for both output streams.
pub fn set_color(color: Color) {
    match color {
        Color::Auto => anstream::ColorChoice::Auto,
        Color::Always => anstream::ColorChoice::Always,
        Color::Never => anstream::ColorChoice::Never,
    }
    .write_global();
}

pub fn error(error: &anyhow::Error) {
    anstream::eprintln!("{BAD}error{BAD:#}: {error:#}");
}

pub fn note(message: &str) {
    anstream::eprintln!("{NOTE}note{NOTE:#}: {message}");
}

/// Diagnostics with their source lines, on one screen.
pub fn diagnostics(source: &Source, diagnostics: &[Diagnostic]) {
    anstream::eprint!("{}", render(source, diagnostics));
}

pub fn render(source: &Source, diagnostics: &[Diagnostic]) -> String {
    let style = diagnostic::Style { color: true, ..diagnostic::Style::default() };
    diagnostic::render(source, diagnostics, style)
}
