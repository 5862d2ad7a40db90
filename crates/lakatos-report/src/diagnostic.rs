//! Diagnostics as text: the source line with carets, or one plain line each.
//!
//! Never more than about a screen: long lines and messages are cut, diagnostics beyond
//! the limit are counted instead of shown. Errors come first, otherwise the order is kept.

use std::fmt::Write as _;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use lakatos_ir::{Diagnostic, Severity, Source, Span};

use crate::excerpt::{Excerpt, printable, shortened};

/// How diagnostics are shown; the caller knows the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Use ANSI colours.
    pub color: bool,
    /// Columns of the screen; source lines are cut to fit.
    pub width: usize,
    /// Lines of the screen: no further diagnostic is begun beyond it.
    pub height: usize,
}

impl Default for Style {
    fn default() -> Style {
        Style { color: false, width: 100, height: 40 }
    }
}

const MAX_MESSAGE: usize = 400;
const MAX_NOTES: usize = 4;

/// Diagnostics with their source lines.
pub fn render(source: &Source, diagnostics: &[Diagnostic], style: Style) -> String {
    let renderer = if style.color { Renderer::styled() } else { Renderer::plain() };
    // Lines are cut here, around the span; the renderer must not cut them again.
    let renderer = renderer.term_width(usize::MAX / 4);
    listed(diagnostics, style.height, "\n", |diagnostic| {
        renderer.render(&groups(source, diagnostic, style)) + "\n"
    })
}

/// Diagnostics as `file:line:column: error: message`, one line each.
pub fn render_plain(source: &Source, diagnostics: &[Diagnostic], height: usize) -> String {
    listed(diagnostics, height, "", |d| {
        let line = |span: Span, kind: &str, message: &str| {
            let position = source.position(clamped(source, span).start).to_string();
            printable(&format!("{position}: {kind}: {}", shortened(message, MAX_MESSAGE))) + "\n"
        };
        let mut text = line(d.span, name(d.severity), &d.message);
        text.extend(d.notes.iter().take(MAX_NOTES).map(|(span, note)| line(*span, "note", note)));
        text.extend(d.help.iter().map(|help| line(d.span, "help", help)));
        text
    })
}

/// Shows the most severe first until the screen is full, and counts the rest.
fn listed(
    diagnostics: &[Diagnostic],
    height: usize,
    gap: &str,
    mut show: impl FnMut(&Diagnostic) -> String,
) -> String {
    let mut sorted: Vec<&Diagnostic> = diagnostics.iter().collect();
    sorted.sort_by_key(|d| std::cmp::Reverse(d.severity));
    let (mut text, mut lines, mut shown) = (String::new(), 0, 0);
    for diagnostic in &sorted {
        let next = show(diagnostic);
        let next_lines = next.lines().count();
        if shown > 0 && lines + next_lines > height {
            break;
        }
        text += if shown > 0 { gap } else { "" };
        text += &next;
        lines += next_lines + gap.len();
        shown += 1;
    }
    let mut rest = Vec::new();
    for severity in [Severity::Error, Severity::Unsupported, Severity::Warning] {
        match sorted[shown..].iter().filter(|d| d.severity == severity).count() {
            0 => {}
            n => rest.push(counted(n, severity)),
        }
    }
    if !rest.is_empty() {
        text += gap;
        let _ = writeln!(text, "… and {}", rest.join(", "));
    }
    text
}

fn counted(n: usize, severity: Severity) -> String {
    let noun = match severity {
        Severity::Error => "error",
        Severity::Unsupported => "unsupported construct",
        Severity::Warning => "warning",
    };
    format!("{n} more {noun}{}", if n == 1 { "" } else { "s" })
}

fn name(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Unsupported => "unsupported",
        Severity::Warning => "warning",
    }
}

fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Error => Level::ERROR,
        Severity::Unsupported => Level::ERROR.with_name(name(severity)),
        Severity::Warning => Level::WARNING,
    }
}

fn groups<'s>(source: &'s Source, diagnostic: &'s Diagnostic, style: Style) -> Vec<Group<'s>> {
    let title =
        level(diagnostic.severity).primary_title(shortened(&diagnostic.message, MAX_MESSAGE));
    let mut main = placed(Group::with_title(title), source, diagnostic.span, style);
    if let Some(help) = &diagnostic.help {
        main = main.element(Level::HELP.message(shortened(help, MAX_MESSAGE)));
    }
    let notes = diagnostic.notes.iter().take(MAX_NOTES).map(|(span, note)| {
        let title = Level::NOTE.secondary_title(shortened(note, MAX_MESSAGE));
        placed(Group::with_title(title), source, *span, style)
    });
    std::iter::once(main).chain(notes).collect()
}

/// Adds position and source line to a group.
fn placed<'s>(group: Group<'s>, source: &'s Source, span: Span, style: Style) -> Group<'s> {
    // Room for the line number and its bar.
    let width = style.width.saturating_sub(10).max(20);
    let excerpt = Excerpt::new(source, clamped(source, span), width);
    let snippet_is_empty = excerpt.text.is_empty();
    let (file, line) = (printable(excerpt.file), excerpt.line as usize);
    let snippet = Snippet::source(excerpt.text)
        .line_start(line)
        .annotation(AnnotationKind::Primary.span(excerpt.range));
    if excerpt.from_start && !snippet_is_empty {
        // The renderer counts the column itself.
        return group.element(snippet.path(file));
    }
    let group = group.element(Origin::path(file).line(line).char_column(excerpt.column as usize));
    if snippet_is_empty { group } else { group.element(snippet) }
}

/// A span that lies in the text, whatever it was.
fn clamped(source: &Source, span: Span) -> Span {
    let end = source.text().len() as u32;
    Span::new(span.start.min(end), span.end.clamp(span.start.min(end), end))
}

#[cfg(test)]
mod tests;
