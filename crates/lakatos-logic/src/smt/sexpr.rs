//! S-expressions of SMT-LIB: what solvers answer and what scripts are made of.
//!
//! Expressions lie flat in a [`Sexprs`], so nothing here (reading, walking, dropping) recurses: a
//! text of a million opening parentheses is as harmless as any other. [`Splitter`] cuts a stream
//! into expressions as they arrive. What the words mean is for the callers.

use std::fmt;
use std::slice;

/// The expressions of a text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sexprs {
    nodes: Vec<Node>,
    /// Where in the text each of them starts.
    starts: Vec<u32>,
    top: Vec<u32>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Node {
    Atom(Atom),
    List(Box<[u32]>),
}

/// A word.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Atom {
    /// Without the bars of a quoted one: `|x|` and `x` are the same symbol.
    Symbol(String),
    /// With its colon.
    Keyword(String),
    Numeral(String),
    /// Digits with a point.
    Decimal(String),
    /// The digits after `#x`.
    Hexadecimal(String),
    /// The digits after `#b`.
    Binary(String),
    /// Without the quotes around it and the doubling of those inside.
    String(String),
}

/// What is wrong with a text, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{line}:{column}: {problem}")]
pub struct SexprError {
    pub line: usize,
    /// In characters, from one.
    pub column: usize,
    pub problem: Problem,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Problem {
    #[error("a closing parenthesis without an opening one")]
    Closing,
    #[error("a parenthesis is not closed")]
    Open,
    #[error("a string is not closed")]
    String,
    #[error("a quoted symbol is not closed")]
    Quoted,
    #[error("no word of SMT-LIB")]
    Word,
}

/// One expression.
#[derive(Clone, Copy)]
pub struct Sexpr<'a> {
    all: &'a Sexprs,
    at: u32,
}

/// The parts of a list, or all expressions of a text.
#[derive(Clone, Debug)]
pub struct Items<'a> {
    all: &'a Sexprs,
    rest: slice::Iter<'a, u32>,
}

impl Sexprs {
    pub fn parse(text: &str) -> Result<Sexprs, SexprError> {
        let mut sexprs = Sexprs::default();
        // The lists that are open, with the places of their parentheses.
        let mut open: Vec<(usize, Vec<u32>)> = Vec::new();
        let mut tokens = Tokens { text, at: 0 };
        while let Some((start, token)) = tokens.next().map_err(|e| error(text, e))? {
            let (start, node) = match token {
                Token::Open => {
                    open.push((start, Vec::new()));
                    continue;
                }
                Token::Close => match open.pop() {
                    Some((start, items)) => (start, Node::List(items.into())),
                    None => return Err(error(text, (start, Problem::Closing))),
                },
                Token::Atom(atom) => (start, Node::Atom(atom)),
            };
            let small = |n: usize| u32::try_from(n).expect("a text of less than 2^32 characters");
            let id = small(sexprs.nodes.len());
            sexprs.nodes.push(node);
            sexprs.starts.push(small(start));
            open.last_mut().map_or(&mut sexprs.top, |(_, items)| items).push(id);
        }
        match open.pop() {
            Some((start, _)) => Err(error(text, (start, Problem::Open))),
            None => Ok(sexprs),
        }
    }

    /// The expressions outside of all others.
    pub fn items(&self) -> Items<'_> {
        Items { all: self, rest: self.top.iter() }
    }
}

impl<'a> Sexpr<'a> {
    /// Where in the text it starts.
    pub fn start(self) -> usize {
        self.all.starts[self.at as usize] as usize
    }

    pub fn atom(self) -> Option<&'a Atom> {
        match &self.all.nodes[self.at as usize] {
            Node::Atom(atom) => Some(atom),
            Node::List(_) => None,
        }
    }

    pub fn symbol(self) -> Option<&'a str> {
        match self.atom()? {
            Atom::Symbol(name) => Some(name),
            _ => None,
        }
    }

    pub fn is_symbol(self, name: &str) -> bool {
        self.symbol() == Some(name)
    }

    /// Whether both are the same place of the same text.
    pub fn is(self, other: Sexpr<'_>) -> bool {
        std::ptr::eq(self.all, other.all) && self.at == other.at
    }

    /// The parts of a list.
    pub fn items(self) -> Option<Items<'a>> {
        match &self.all.nodes[self.at as usize] {
            Node::Atom(_) => None,
            Node::List(items) => Some(Items { all: self.all, rest: items.iter() }),
        }
    }

    /// The parts of a list of so many.
    pub fn list<const N: usize>(self) -> Option<[Sexpr<'a>; N]> {
        self.items()?.collect::<Vec<_>>().try_into().ok()
    }

    /// The arguments of `(name …)`.
    pub fn call(self, name: &str) -> Option<Items<'a>> {
        let mut items = self.items()?;
        items.next()?.is_symbol(name).then_some(items)
    }
}

impl<'a> Iterator for Items<'a> {
    type Item = Sexpr<'a>;

    fn next(&mut self) -> Option<Sexpr<'a>> {
        self.rest.next().map(|at| Sexpr { all: self.all, at: *at })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.rest.size_hint()
    }
}

impl ExactSizeIterator for Items<'_> {}

/// As text that reads back as the same expression.
impl fmt::Display for Sexpr<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut open: Vec<Items<'_>> = Vec::new();
        let mut next = Some(*self);
        let mut first = true;
        loop {
            if let Some(sexpr) = next {
                if !std::mem::take(&mut first) {
                    f.write_str(" ")?;
                }
                match (sexpr.atom(), sexpr.items()) {
                    (Some(atom), _) => write!(f, "{atom}")?,
                    (None, items) => {
                        f.write_str("(")?;
                        first = true;
                        open.extend(items);
                    }
                }
            } else {
                f.write_str(")")?;
                open.pop();
                first = false;
            }
            match open.last_mut() {
                Some(items) => next = items.next(),
                None => return Ok(()),
            }
        }
    }
}

impl fmt::Debug for Sexpr<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Atom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Atom::Symbol(name) if is_simple(name) => f.write_str(name),
            Atom::Symbol(name) => write!(f, "|{name}|"),
            Atom::Keyword(text) | Atom::Numeral(text) | Atom::Decimal(text) => f.write_str(text),
            Atom::Hexadecimal(digits) => write!(f, "#x{digits}"),
            Atom::Binary(digits) => write!(f, "#b{digits}"),
            Atom::String(text) => write!(f, "\"{}\"", text.replace('"', "\"\"")),
        }
    }
}

/// Whether a name is a symbol without bars around it.
pub fn is_simple(name: &str) -> bool {
    !name.starts_with(|c: char| c.is_ascii_digit())
        && !name.is_empty()
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c))
}

enum Token {
    Open,
    Close,
    Atom(Atom),
}

struct Tokens<'a> {
    text: &'a str,
    at: usize,
}

type Misfit = (usize, Problem);

impl Tokens<'_> {
    /// The next token and where it starts.
    fn next(&mut self) -> Result<Option<(usize, Token)>, Misfit> {
        self.skip();
        let start = self.at;
        let rest = &self.text[start..];
        let Some(first) = rest.chars().next() else { return Ok(None) };
        let token = match first {
            '(' => self.take(1, Token::Open),
            ')' => self.take(1, Token::Close),
            '|' => {
                let end = rest[1..].find('|').ok_or((start, Problem::Quoted))?;
                let name = rest[1..=end].to_string();
                self.take(end + 2, Token::Atom(Atom::Symbol(name)))
            }
            '"' => self.string()?,
            _ => {
                let end = rest.find(ends_word).unwrap_or(rest.len());
                let atom = word(&rest[..end]).ok_or((start, Problem::Word))?;
                self.take(end, Token::Atom(atom))
            }
        };
        Ok(Some((start, token)))
    }

    fn take(&mut self, length: usize, token: Token) -> Token {
        self.at += length;
        token
    }

    /// White space and comments.
    fn skip(&mut self) {
        loop {
            let rest = &self.text[self.at..];
            let trimmed = rest.trim_start();
            self.at += rest.len() - trimmed.len();
            if !trimmed.starts_with(';') {
                return;
            }
            self.at += trimmed.find('\n').unwrap_or(trimmed.len());
        }
    }

    fn string(&mut self) -> Result<Token, Misfit> {
        let start = self.at;
        let mut value = String::new();
        self.at += 1;
        loop {
            let rest = &self.text[self.at..];
            let end = rest.find('"').ok_or((start, Problem::String))?;
            value.push_str(&rest[..end]);
            self.at += end + 1;
            if !self.text[self.at..].starts_with('"') {
                return Ok(Token::Atom(Atom::String(value)));
            }
            value.push('"');
            self.at += 1;
        }
    }
}

fn ends_word(c: char) -> bool {
    c.is_whitespace() || matches!(c, '(' | ')' | '"' | '|' | ';')
}

/// Solvers are taken as they are: whatever is nothing else is a symbol (`root-obj`, `x!1`, `a'`).
fn word(text: &str) -> Option<Atom> {
    let text_of = str::to_string;
    let digits = |t: &str| !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit());
    if let Some(digits) = text.strip_prefix("#x") {
        let fits = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_hexdigit());
        return fits.then(|| Atom::Hexadecimal(text_of(digits)));
    }
    if let Some(digits) = text.strip_prefix("#b") {
        let fits = !digits.is_empty() && digits.bytes().all(|b| matches!(b, b'0' | b'1'));
        return fits.then(|| Atom::Binary(text_of(digits)));
    }
    match text.split_once('.') {
        _ if text.starts_with(':') => (text.len() > 1).then(|| Atom::Keyword(text_of(text))),
        _ if digits(text) => Some(Atom::Numeral(text_of(text))),
        Some((whole, part)) if digits(whole) && digits(part) => Some(Atom::Decimal(text_of(text))),
        _ if text.starts_with(|c: char| c.is_ascii_digit() || c == '#') => None,
        _ => Some(Atom::Symbol(text_of(text))),
    }
}

fn error(text: &str, (at, problem): Misfit) -> SexprError {
    let (line, column) = line_and_column(text, at);
    SexprError { line, column, problem }
}

/// Of a place in a text, both from one; columns in characters.
pub fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..at];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

/// Cuts a stream into the texts of expressions, each as soon as it is whole.
#[derive(Debug, Default)]
pub struct Splitter {
    buffer: Vec<u8>,
    /// How much of the buffer has been looked at.
    seen: usize,
    /// Where in the buffer the expression starts that is arriving.
    start: Option<usize>,
    depth: usize,
    inside: Inside,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Inside {
    /// Of a list, or between expressions.
    #[default]
    List,
    Word,
    String,
    Quoted,
    Comment,
}

impl Splitter {
    /// More of the stream.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
    }

    /// The text of the next expression, if it is whole. A closing parenthesis too many is a text
    /// of its own. A word is whole when something follows that ends it.
    pub fn next_text(&mut self) -> Option<String> {
        while let Some(byte) = self.buffer.get(self.seen).copied() {
            let end = self.step(byte);
            if let Some(end) = end {
                return Some(self.cut(end));
            }
        }
        if self.start.is_none() {
            self.buffer.clear();
            self.seen = 0;
        }
        None
    }

    /// What has arrived of an expression that is not whole.
    pub fn rest(&self) -> String {
        let start = self.start.unwrap_or(self.buffer.len());
        String::from_utf8_lossy(&self.buffer[start..]).into_owned()
    }

    pub fn is_between(&self) -> bool {
        self.start.is_none()
    }

    /// How much is kept.
    pub fn len(&self) -> usize {
        self.buffer.len()
    }

    pub fn is_empty(&self) -> bool {
        self.buffer.is_empty()
    }

    /// Looks at a byte; where an expression ends that it ends.
    fn step(&mut self, byte: u8) -> Option<usize> {
        let at = self.seen;
        let word_ends = byte.is_ascii_whitespace() || matches!(byte, b'(' | b')' | b';');
        if self.inside == Inside::Word && word_ends {
            // The byte is looked at again: it may begin something.
            self.inside = Inside::List;
            if self.depth == 0 {
                return Some(at);
            }
        }
        self.seen += 1;
        match (self.inside, byte) {
            (Inside::Comment, b'\n') => self.inside = Inside::List,
            (Inside::String, b'"') | (Inside::Quoted, b'|') => self.inside = Inside::Word,
            (Inside::Comment | Inside::String | Inside::Quoted, _) => {}
            (_, b';') => self.inside = Inside::Comment,
            (_, b) if b.is_ascii_whitespace() => {}
            (_, byte) => return self.begin(byte, at),
        }
        None
    }

    fn begin(&mut self, byte: u8, at: usize) -> Option<usize> {
        self.start.get_or_insert(at);
        match byte {
            b'(' => self.depth += 1,
            b')' => {
                self.depth = self.depth.saturating_sub(1);
                return (self.depth == 0).then_some(at + 1);
            }
            b'"' => self.inside = Inside::String,
            b'|' => self.inside = Inside::Quoted,
            _ => self.inside = Inside::Word,
        }
        None
    }

    fn cut(&mut self, end: usize) -> String {
        let start = self.start.take().unwrap_or(end);
        let text = String::from_utf8_lossy(&self.buffer[start..end]).into_owned();
        self.buffer.drain(..end);
        self.seen -= end;
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(sexprs: &Sexprs) -> String {
        sexprs.items().map(|s| s.to_string()).collect::<Vec<_>>().join("\n")
    }

    fn check(text: &str, expect: &str) {
        let shown = match Sexprs::parse(text) {
            Ok(sexprs) => show(&sexprs),
            Err(error) => error.to_string(),
        };
        assert_eq!(shown, expect, "{text}");
    }

    #[test]
    fn texts() {
        for (text, expect) in [
            ("", ""),
            ("sat", "sat"),
            ("sat unsat\n\t(a)(b)", "sat\nunsat\n(a)\n(b)"),
            ("( )", "()"),
            ("((x (- 5))(y|a b|))", "((x (- 5)) (y |a b|))"),
            ("|x| |1| || |a\nb|", "x\n|1|\n||\n|a\nb|"),
            ("; no (\n(a ; )\n b) ; end", "(a b)"),
            (r#"(error "say ""no"" (now)")"#, r#"(error "say ""no"" (now)")"#),
            ("#xFf #b01 007 1.50 :key x!0 a' é", "#xFf\n#b01\n007\n1.50\n:key\nx!0\n|a'|\n|é|"),
            ("a\"s\"b", "a\n\"s\"\nb"),
            ("\n  )", "2:3: a closing parenthesis without an opening one"),
            ("(a\n (b)", "1:1: a parenthesis is not closed"),
            ("(é \"abc", "1:4: a string is not closed"),
            ("|abc", "1:1: a quoted symbol is not closed"),
            ("(a 12x)", "1:4: no word of SMT-LIB"),
            ("#x", "1:1: no word of SMT-LIB"),
            ("#b2", "1:1: no word of SMT-LIB"),
            (":", "1:1: no word of SMT-LIB"),
            ("1.", "1:1: no word of SMT-LIB"),
        ] {
            check(text, expect);
        }
    }

    #[test]
    fn what_is_shown_reads_back() {
        let text = r#"(a (b |c d| "e""f") () ((#x0f #b1)) 1.0 :g)"#;
        check(text, text);
    }

    #[test]
    fn depth_does_no_harm() {
        let depth = 1_000_000;
        let text = "(".repeat(depth) + &")".repeat(depth);
        let sexprs = Sexprs::parse(&text).unwrap();
        let shown = show(&sexprs);
        assert!(shown == text);
        let mut splitter = Splitter::default();
        splitter.feed(text.as_bytes());
        assert!(splitter.next_text() == Some(text));
    }

    #[test]
    fn views() {
        let sexprs = Sexprs::parse("(_ bv5 8)").unwrap();
        let [sexpr] = sexprs.items().collect::<Vec<_>>()[..] else { panic!("one expression") };
        let [value, width] = sexpr.call("_").unwrap().collect::<Vec<_>>()[..] else {
            panic!("two arguments")
        };
        assert_eq!(value.symbol(), Some("bv5"));
        assert_eq!(width.atom(), Some(&Atom::Numeral("8".into())));
        assert!(sexpr.list::<3>().is_some() && sexpr.list::<2>().is_none());
        assert!(sexpr.call("bv5").is_none() && value.items().is_none());
    }

    /// The expressions of a stream that arrives in pieces of any size.
    fn check_split(stream: &str, expect: &[&str], rest: &str) {
        for size in 1..=stream.len() {
            let mut splitter = Splitter::default();
            let mut texts = Vec::new();
            for piece in stream.as_bytes().chunks(size) {
                splitter.feed(piece);
                texts.extend(std::iter::from_fn(|| splitter.next_text()));
            }
            assert_eq!(texts, expect, "{stream}, {size} bytes at a time");
            assert_eq!(splitter.rest(), rest, "{stream}, {size} bytes at a time");
            assert_eq!(splitter.is_between(), rest.is_empty());
        }
    }

    #[test]
    fn streams() {
        check_split("sat\n(a (b))\nunsat\n", &["sat", "(a (b))", "unsat"], "");
        check_split("sat(a)unsat", &["sat", "(a)"], "unsat");
        check_split("(a \")\" |)|) ; (\nb c", &["(a \")\" |)|)", "b"], "c");
        check_split("\"say \"\"(\"\" \"\n|(| (", &["\"say \"\"(\"\" \"", "|(|"], "(");
        check_split(" )) é ", &[")", ")", "é"], "");
        check_split("(a ;)\n)", &["(a ;)\n)"], "");
    }
}
