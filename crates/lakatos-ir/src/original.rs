//! The user's file behind a text that a preprocessor made: which token of the one is which of the
//! other. Texts only, so nothing is known about macros; a token whose origin is not certain has none.

use std::ops::Range;

use crate::source::Span;

/// Both texts, as tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Original {
    text: String,
    /// Where its lines begin.
    lines: Vec<u32>,
    tokens: Vec<Span>,
    /// Those of the text that was made from it.
    made: Vec<Span>,
    /// It numbers its lines itself, so they are not those of the file.
    is_renumbered: bool,
}

impl Original {
    /// The user's text, and what the preprocessor made of it.
    pub fn new(text: String, made: &str) -> Original {
        let newlines = memchr::memchr_iter(b'\n', text.as_bytes()).map(|i| i as u32 + 1);
        let lines = std::iter::once(0).chain(newlines).collect();
        let (tokens, made) = (tokens(&text), tokens(made));
        let is_renumbered = text.lines().any(is_line_directive);
        Original { text, lines, tokens, made, is_renumbered }
    }

    /// From a byte of the text that was made, which lies in one of these ranges, all made from a line
    /// of the file (from 1), to a byte of the file.
    pub fn offset(&self, made: &str, ranges: &[Range<u32>], at: u32, line: u32) -> Option<usize> {
        if self.is_renumbered || self.is_joined(line)? {
            return None;
        }
        let there = within(&self.tokens, &self.line(line)?);
        let here: Vec<Span> =
            ranges.iter().flat_map(|range| within(&self.made, range)).copied().collect();
        let line = Line {
            there: there.iter().map(|token| text_of(&self.text, *token)).collect(),
            here: here.iter().map(|token| text_of(made, *token)).collect(),
        };
        let number = here.iter().position(|token| token.start == at)?;
        Some(there[line.origin(number)?].start as usize)
    }

    /// The column of a byte of the file, in characters, from 1.
    pub fn column(&self, offset: usize) -> u32 {
        let line = self.lines.partition_point(|start| *start as usize <= offset) - 1;
        self.text[self.lines[line] as usize..offset].chars().count() as u32 + 1
    }

    fn line(&self, number: u32) -> Option<Range<u32>> {
        let start = *self.lines.get((number as usize).checked_sub(1)?)?;
        let end = self.lines.get(number as usize).copied().unwrap_or(self.text.len() as u32);
        Some(start..end)
    }

    /// A backslash joins the line with one beside it.
    fn is_joined(&self, number: u32) -> Option<bool> {
        let goes_on = |number: u32| {
            let Some(Range { start, end }) = self.line(number) else { return false };
            let text = self.text[start as usize..end as usize].trim_end();
            text.ends_with('\\') || text.ends_with("??/")
        };
        self.line(number)?;
        Some(goes_on(number) || goes_on(number - 1))
    }
}

/// `#line 7` or `# 7 "other.c"`.
fn is_line_directive(line: &str) -> bool {
    let Some(rest) = line.trim_start().strip_prefix('#') else { return false };
    let rest = rest.trim_start();
    rest.starts_with("line") || rest.starts_with(|c: char| c.is_ascii_digit())
}

/// The tokens that begin in a range.
fn within<'t>(tokens: &'t [Span], range: &Range<u32>) -> &'t [Span] {
    let from = tokens.partition_point(|token| token.start < range.start);
    let to = tokens.partition_point(|token| token.start < range.end);
    &tokens[from..to]
}

fn text_of(text: &str, token: Span) -> &str {
    &text[token.start as usize..token.end as usize]
}

/// A line of the user's file, and what was made of it.
struct Line<'t> {
    there: Vec<&'t str>,
    here: Vec<&'t str>,
}

impl Line<'_> {
    /// Which token of the file one of those that were made is.
    fn origin(&self, number: usize) -> Option<usize> {
        if self.there == self.here {
            return Some(number);
        }
        let token = self.here[number];
        match token {
            _ if token.starts_with(is_part) => self.word(number),
            ")" => self.closing(number).or_else(|| self.at_begin(number)),
            _ => self.at_begin(number).or_else(|| self.at_end(number)),
        }
    }

    fn count(tokens: &[&str], token: &str) -> usize {
        tokens.iter().filter(|other| **other == token).count()
    }

    /// A word keeps its place among its like if there are as many of them before and after, and a
    /// macro can have dropped or moved none.
    fn word(&self, number: usize) -> Option<usize> {
        let word = self.here[number];
        let like: Vec<usize> =
            (0..self.there.len()).filter(|other| self.there[*other] == word).collect();
        let safe = self.safe();
        if like.len() != Self::count(&self.here, word) || !like.iter().all(|other| safe[*other]) {
            return None;
        }
        Some(like[Self::count(&self.here[..number], word)])
    }

    /// Which tokens of the file are no arguments of macros. A name in front of a parenthesis may be
    /// one of a macro unless it is still there.
    fn safe(&self) -> Vec<bool> {
        let mut safe = vec![true; self.there.len()];
        let mut open: Vec<bool> = Vec::new();
        for (number, token) in self.there.iter().enumerate() {
            safe[number] = open.iter().all(|is_safe| *is_safe);
            match *token {
                "(" => {
                    let before = number.checked_sub(1).map(|before| self.there[before]);
                    let name = before.filter(|before| before.starts_with(is_part));
                    let stays = |name: &str| {
                        Self::count(&self.there, name) == Self::count(&self.here, name)
                    };
                    open.push(name.is_none_or(stays));
                }
                // What it closes began on another line.
                ")" if open.pop().is_none() => safe[..=number].fill(false),
                _ => {}
            }
        }
        safe
    }

    /// The parenthesis that closes a call, by the name that is called.
    fn closing(&self, number: usize) -> Option<usize> {
        let mut depth = 0;
        let opening = (0..=number).rev().find(|other| {
            match self.here[*other] {
                ")" => depth += 1,
                "(" => depth -= 1,
                _ => {}
            }
            depth == 0
        })?;
        let name = opening.checked_sub(1)?;
        if !self.here[name].starts_with(is_part) {
            return None;
        }
        let name = self.word(name)?;
        let mut depth = 0;
        (name + 1..self.there.len()).find_map(|other| {
            match self.there[other] {
                "(" => depth += 1,
                ")" => depth -= 1,
                // No call: the name stands alone here.
                _ if depth == 0 => return Some(None),
                _ => {}
            }
            (depth == 0).then_some(Some(other))
        })?
    }

    /// Nothing was changed before it on its line.
    fn at_begin(&self, number: usize) -> Option<usize> {
        let same = self.there.get(..=number).is_some_and(|there| *there == self.here[..=number]);
        same.then_some(number)
    }

    /// Nothing was changed behind it on its line, and it is no argument. It must not be a closing
    /// parenthesis: that could be the end of a macro.
    fn at_end(&self, number: usize) -> Option<usize> {
        let left = self.here.len() - number;
        let origin = self.there.len().checked_sub(left)?;
        let same = self.there[origin..] == self.here[number..] && self.safe()[origin];
        same.then_some(origin)
    }
}

fn is_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// Words and numbers, literals, and every other character by itself; of comments only what is in
/// annotations.
fn tokens(text: &str) -> Vec<Span> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = match first {
            _ if rest.starts_with("/*") && !rest.starts_with("/*@") => {
                at += rest[2..].find("*/").map_or(rest.len(), |end| end + 4);
                continue;
            }
            _ if rest.starts_with("//") && !rest.starts_with("//@") => {
                at += rest.find('\n').unwrap_or(rest.len());
                continue;
            }
            _ if first.is_whitespace() => {
                at += first.len_utf8();
                continue;
            }
            _ if is_part(first) => rest.find(|c| !is_part(c)).unwrap_or(rest.len()),
            '"' | '\'' => literal(rest),
            _ => first.len_utf8(),
        };
        tokens.push(Span::new(at as u32, (at + length) as u32));
        at += length;
    }
    tokens
}

/// The length of a literal; it ends with its line at the latest.
fn literal(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 1;
    while at < bytes.len() && bytes[at] != b'\n' {
        match bytes[at] {
            b'\\' if at + 1 < bytes.len() => at += 2,
            byte if byte == bytes[0] => return at + 1,
            _ => at += 1,
        }
    }
    // A backslash before a character of several bytes.
    (at.min(bytes.len())..=bytes.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(bytes.len())
}
