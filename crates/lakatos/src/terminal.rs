//! What a person sees beside the result: diagnostics, notes and errors, on standard error.
//! Colours are always written; `anstream` takes them out where they are not wanted.

use std::io::{self, Write};

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

/// Standard error for text of several lines. Nothing depends on whether anybody reads it.
pub fn stderr() -> impl Write {
    Unheard(anstream::stderr())
}

/// In one piece, on standard error.
pub fn say(text: &str) {
    let _ = stderr().write_all(text.as_bytes());
}

struct Unheard<W>(W);

impl<W: Write> Write for Unheard<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(self.0.write(bytes).unwrap_or(bytes.len()))
    }

    fn flush(&mut self) -> io::Result<()> {
        let _ = self.0.flush();
        Ok(())
    }
}

pub fn error(error: &anyhow::Error) {
    say(&format!("{BAD}error{BAD:#}: {error:#}\n"));
}

/// Why nothing is known, where there is no better place to say so.
pub fn unknown(reason: &str) {
    say(&format!("{UNSURE}unknown{UNSURE:#}: {reason}\n"));
}

pub fn note(message: &str) {
    say(&format!("{NOTE}note{NOTE:#}: {message}\n"));
}

/// Diagnostics with their source lines, on one screen.
pub fn diagnostics(source: &Source, diagnostics: &[Diagnostic]) {
    say(&render(source, diagnostics));
}

pub fn render(source: &Source, diagnostics: &[Diagnostic]) -> String {
    let style = diagnostic::Style { color: true, ..diagnostic::Style::default() };
    diagnostic::render(source, diagnostics, style)
}
