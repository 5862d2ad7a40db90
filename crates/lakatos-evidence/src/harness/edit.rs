//! Edits of a text: insertions around and replacements inside of pieces that may be nested.

use lakatos_ir::Span;

/// What is put in at one place. Where several meet, what ends comes before what begins, and inner
/// pieces are inside of outer ones. (So a part that is opened and closed must not be empty.)
#[derive(Clone, Debug, PartialEq, Eq)]
struct Edit {
    start: u32,
    end: u32,
    order: (bool, i64),
    text: String,
}

#[derive(Debug, Default)]
pub(super) struct Edits(Vec<Edit>);

impl Edits {
    /// Puts a text in the place of what is there, as the beginning of a piece.
    pub fn replace(&mut self, here: Span, piece: Span, text: impl Into<String>) {
        let order = (true, -length(piece));
        self.0.push(Edit { start: here.start, end: here.end, order, text: text.into() });
    }

    /// Puts a text in at the beginning of a piece, or of a part of it.
    pub fn open(&mut self, at: u32, piece: Span, text: impl Into<String>) {
        self.replace(Span::new(at, at), piece, text);
    }

    /// Puts a text in at the end of a piece, or of a part of it.
    pub fn close(&mut self, at: u32, piece: Span, text: impl Into<String>) {
        let order = (false, length(piece));
        self.0.push(Edit { start: at, end: at, order, text: text.into() });
    }

    /// The text with all edits made.
    pub fn apply(mut self, text: &str) -> String {
        self.0.sort_by_key(|edit| (edit.start, edit.order));
        let mut result = String::with_capacity(text.len() + 64 * self.0.len());
        let mut at = 0;
        for edit in &self.0 {
            let (start, end) = (edit.start as usize, edit.end as usize);
            debug_assert!(at <= start, "pieces overlap");
            result += &text[at..start];
            result += &edit.text;
            at = end;
        }
        result + &text[at..]
    }
}

fn length(piece: Span) -> i64 {
    i64::from(piece.end) - i64::from(piece.start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_pieces_that_meet() {
        let text = "f(g(x),h(y))";
        let mut edits = Edits::default();
        for (start, end) in [(0, 12), (2, 6), (7, 11)] {
            let piece = Span::new(start, end);
            edits.open(start, piece, "<");
            edits.replace(Span::new(start, start + 1), piece, "F");
            edits.open(start + 2, piece, "1 ");
            edits.close(end - 1, piece, " 2");
            edits.close(end, piece, ">");
        }
        assert_eq!(edits.apply(text), "<F(1 <F(1 x 2)>,<F(1 y 2)> 2)>");
    }
}
