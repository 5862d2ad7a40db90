//! Just enough of C's words to find where a name, an argument list or a declarator ends.

use lakatos_ir::Span;

/// A call as the text has it: `name ( … )`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CallText {
    pub name: Span,
    /// Behind the opening parenthesis.
    pub inside: u32,
    pub has_args: bool,
    /// The closing parenthesis is before it.
    pub end: u32,
}

/// The call that a span is expected to hold.
pub(super) fn call(text: &str, span: Span, name: &str) -> Option<CallText> {
    let end = span.end as usize;
    let after = name_at(text, span.start, name)?;
    let paren = skip_blank(text, after as usize);
    let open = text.as_bytes()[..end].get(paren) == Some(&b'(');
    if !open || !text[paren..end].ends_with(')') || closing(text, paren)? + 1 != end {
        return None;
    }
    Some(CallText {
        name: Span::new(span.start, after),
        inside: paren as u32 + 1,
        has_args: skip_blank(text, paren + 1) + 1 < end,
        end: span.end,
    })
}

/// The end of the name, if it stands there as a word.
pub(super) fn name_at(text: &str, start: u32, name: &str) -> Option<u32> {
    let rest = text.get(start as usize..)?.strip_prefix(name)?;
    let goes_on = rest.bytes().next().is_some_and(is_name_byte);
    (!name.is_empty() && !goes_on).then_some(start + name.len() as u32)
}

/// From the name that is declared to the `,`, `;` or `=` behind its declarator.
pub(super) fn declarator_end(text: &str, name_end: u32) -> Option<(u32, u8)> {
    let mut at = name_end as usize;
    loop {
        at = skip_blank(text, at);
        match *text.as_bytes().get(at)? {
            byte @ (b',' | b';' | b'=') => return Some((at as u32, byte)),
            b'(' | b'[' => at = closing(text, at)? + 1,
            b'{' | b'}' | b'#' => return None,
            // A parenthesis around the name.
            b')' => at += 1,
            _ => at = skip_word(text, at),
        }
    }
}

/// Behind the brace that opens the body of the function whose name ends here.
pub(super) fn body_start(text: &str, name_end: u32) -> Option<u32> {
    let mut at = skip_blank(text, name_end as usize);
    loop {
        match *text.as_bytes().get(at)? {
            b'{' => return Some(at as u32 + 1),
            b'(' | b'[' => at = closing(text, at)? + 1,
            // A declaration, or parameters in the old style.
            b';' | b'=' => return None,
            b')' => at += 1,
            _ => at = skip_word(text, at),
        }
        at = skip_blank(text, at);
    }
}

/// A piece of text on one line, without comments and line markers.
pub(super) fn one_line(text: &str) -> String {
    let mut result = String::new();
    let mut at = 0;
    while at < text.len() {
        let next = skip_blank(text, at);
        if next > at {
            result.push(' ');
        } else {
            let end = skip_word(text, at);
            result += &text[at..end];
            at = end;
            continue;
        }
        at = next;
    }
    result
}

/// Whether a word stands in the text, outside of comments and literals.
pub(super) fn mentions(text: &str, name: &str) -> bool {
    let mut at = 0;
    while at < text.len() {
        at = skip_blank(text, at);
        let end = skip_word(text, at);
        if text.get(at..end) == Some(name) {
            return true;
        }
        at = end;
    }
    false
}

/// Where the bracket that opens here is closed.
fn closing(text: &str, open: usize) -> Option<usize> {
    let (mut depth, mut at) = (0, open);
    loop {
        at = skip_blank(text, at);
        match *text.as_bytes().get(at)? {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
        at = skip_word(text, at);
    }
}

/// Behind spaces, comments, spliced lines and line markers.
fn skip_blank(text: &str, mut at: usize) -> usize {
    let bytes = text.as_bytes();
    let line_end = |at: usize| text[at..].find('\n').map_or(text.len(), |i| at + i);
    loop {
        match (bytes.get(at), bytes.get(at + 1)) {
            (Some(b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c), _) => at += 1,
            (Some(b'\\'), Some(b'\n')) => at += 2,
            (Some(b'/'), Some(b'/')) => at = line_end(at),
            (Some(b'/'), Some(b'*')) => {
                at = text[at + 2..].find("*/").map_or(text.len(), |i| at + 2 + i + 2);
            }
            (Some(b'#'), _) if starts_line(text, at) => at = line_end(at),
            _ => return at,
        }
    }
}

fn starts_line(text: &str, at: usize) -> bool {
    let before = text[..at].trim_end_matches([' ', '\t']);
    before.is_empty() || before.ends_with('\n')
}

/// Behind the name, number or literal that stands here; any other character is a word.
fn skip_word(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    match bytes.get(at) {
        Some(&quote @ (b'"' | b'\'')) => {
            let mut end = at + 1;
            while end < bytes.len() && bytes[end] != quote && bytes[end] != b'\n' {
                end += if bytes[end] == b'\\' { 2 } else { 1 };
            }
            text.ceil_char_boundary((end + 1).min(text.len()))
        }
        Some(&byte) if is_name_byte(byte) => {
            let rest = &bytes[at..];
            at + rest.iter().position(|&byte| !is_name_byte(byte)).unwrap_or(rest.len())
        }
        Some(_) => text.ceil_char_boundary(at + 1),
        None => text.len(),
    }
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || !byte.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(text: &str) -> Span {
        Span::new(0, text.len() as u32)
    }

    #[test]
    fn calls() {
        let args = |text: &str| call(text, whole(text), "f").map(|call| call.has_args);
        assert_eq!(args("f()"), Some(false));
        assert_eq!(args("f /* ( */ ( // )\n )"), Some(false));
        assert_eq!(args("f(\")\", ')', g())"), Some(true));
        assert_eq!(args("f(1)(2)"), None);
        assert_eq!(args("(f)(1)"), None);
        assert_eq!(args("ff(1)"), None);
        assert_eq!(args("f[1]"), None);
    }

    #[test]
    fn ends_of_declarators() {
        let end = |text: &str| {
            let name = text.find('x').unwrap() as u32 + 1;
            declarator_end(text, name).map(|(at, byte)| (at as usize, byte as char))
        };
        assert_eq!(end("int x;"), Some((5, ';')));
        assert_eq!(end("int x[3][2] /* ; */ , y;"), Some((20, ',')));
        assert_eq!(end("int (*x)(int, int);"), Some((18, ';')));
        assert_eq!(end("int x __attribute__((aligned(8), unused));"), Some((41, ';')));
        assert_eq!(end("int x = 3;"), Some((6, '=')));
        assert_eq!(end("int f(int x) {"), None);
    }

    #[test]
    fn bodies() {
        fn start(text: &str) -> Option<&str> {
            body_start(text, 6).map(|at| &text[at as usize..])
        }
        assert_eq!(start("void f(int a[2]) __attribute__((cold)) { a(); }"), Some(" a(); }"));
        assert_eq!(start("void f(void); int g() {}"), None);
    }

    #[test]
    fn copies_are_on_one_line() {
        assert_eq!(one_line("f(a, // b\n# 3 \"x.c\"\n  'c' /* d */)"), "f(a, 'c' )");
        assert!(mentions("/* x */ int y = x;", "x"));
        assert!(!mentions("/* x */ int xx = \"x\";", "x"));
    }
}
