//! Where something of the program is in the user's file. They are the same text unless a
//! preprocessor stands between.

use lakatos_ir::Source;
use lakatos_witness::outline::same_file;

/// From one text to the other.
#[derive(Debug)]
pub(crate) struct Places<'a> {
    source: &'a Source,
    text: &'a str,
}

impl<'a> Places<'a> {
    /// The program's source, and what the user's file holds.
    pub fn new(source: &'a Source, text: &'a str) -> Places<'a> {
        Places { source, text }
    }

    /// The byte of the user's file for the first byte of a token of the program's source. What a
    /// macro has made has none: the line must have the same number of such tokens in both.
    pub fn of(&self, at: u32) -> Option<usize> {
        if self.source.text() == self.text {
            return Some(at as usize);
        }
        let own = self.source.physical_line(at);
        let (file, line) = self.source.logical_line(own);
        if !same_file(file, self.source.name()) {
            return None;
        }
        let word = word_at(self.source.text(), at as usize)?;
        let mut seen = Vec::new();
        for physical in 0..self.source.physical_line_count() {
            if self.source.logical_line(physical) == (file, line) {
                let span = self.source.physical_line_span(physical);
                let offsets = words(self.source.snippet(span), word);
                seen.extend(offsets.map(|offset| span.start as usize + offset));
            }
        }
        let number = seen.iter().position(|offset| *offset == at as usize)?;
        let (begin, text) = self.line(line)?;
        let there: Vec<usize> = words(text, word).collect();
        (there.len() == seen.len()).then(|| begin + there[number])
    }

    /// A line of the user's file, and where it begins.
    fn line(&self, number: u32) -> Option<(usize, &'a str)> {
        let mut begin = 0;
        for (index, line) in self.text.split_inclusive('\n').enumerate() {
            if index + 1 == number as usize {
                return Some((begin, line));
            }
            begin += line.len();
        }
        None
    }
}

fn is_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// The identifier or keyword that begins somewhere.
fn word_at(text: &str, at: usize) -> Option<&str> {
    let rest = text.get(at..)?;
    let end = rest.find(|c: char| !is_part(c)).unwrap_or(rest.len());
    (end > 0).then(|| &rest[..end])
}

/// Where a word is in a line.
fn words<'t>(line: &'t str, word: &'t str) -> impl Iterator<Item = usize> + 't {
    line.match_indices(word).map(|(at, _)| at).filter(move |at| {
        let before = line[..*at].chars().next_back();
        let after = line[at + word.len()..].chars().next();
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}
