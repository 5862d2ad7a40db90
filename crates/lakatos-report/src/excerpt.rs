//! The part of a source line that is worth showing: short lines whole, long ones as a window
//! around the span, so that a 10 MB line costs no more than a screenful.

use std::ops::Range;

use lakatos_ir::{Source, Span};

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Excerpt<'s> {
    /// The user's file and line, through `#line` markers.
    pub file: &'s str,
    pub line: u32,
    /// 1-based, in characters, of the span's start.
    pub column: u32,
    /// At most about `width` characters of the line, with `…` where it was cut.
    pub text: String,
    /// `text` begins where the line does.
    pub from_start: bool,
    /// The span within `text`; it ends with the line if the span goes on below.
    pub range: Range<usize>,
}

impl<'s> Excerpt<'s> {
    pub fn new(source: &'s Source, span: Span, width: usize) -> Excerpt<'s> {
        let text = source.text();
        let start = text.floor_char_boundary(span.start as usize);
        let position = source.position(start as u32);
        let line = source.physical_line_span(source.physical_line(start as u32));
        let (line, offset) = (source.snippet(line), line.start as usize);
        let line = line.strip_suffix('\r').unwrap_or(line);

        let at = (start - offset).min(line.len());
        let end = (span.end as usize).saturating_sub(offset).clamp(at, line.len());
        let window = window(line, at, width);
        let (head, tail) = (window.start > 0, window.end < line.len());
        let shift = if head { '…'.len_utf8() } else { 0 };
        let in_text = |i: usize| line.ceil_char_boundary(i).min(window.end) - window.start + shift;

        let mut cut = String::with_capacity(window.len() + 2 * '…'.len_utf8());
        cut.extend(head.then_some('…'));
        cut.push_str(&line[window.clone()]);
        cut.extend(tail.then_some('…'));
        let range = in_text(at)..in_text(end);
        Excerpt {
            file: position.file,
            line: position.line,
            column: position.column,
            from_start: !head,
            text: cut,
            range,
        }
    }
}

/// The bytes of `line` to show: all of a short one, else `width` characters, a third of them
/// before `at`.
fn window(line: &str, at: usize, width: usize) -> Range<usize> {
    if line.len() <= width {
        return 0..line.len();
    }
    let before = line[..at].char_indices().rev().take(width / 3).last().map_or(at, |(i, _)| i);
    let after = line[before..].char_indices().nth(width);
    before..after.map_or(line.len(), |(i, _)| before + i)
}

/// The text cut to `max` characters, with `…` in place of the rest.
pub(crate) fn shortened(text: &str, max: usize) -> String {
    match text.char_indices().nth(max) {
        None => text.to_owned(),
        Some(_) => text.chars().take(max.saturating_sub(1)).chain(['…']).collect(),
    }
}

/// Text that cannot command the terminal.
pub(crate) fn printable(text: &str) -> String {
    text.replace(char::is_control, "\u{FFFD}")
}
