//! Makes a text smaller while a property of it holds: whole blocks, runs of lines, then
//! bracketed parts of expressions.

use std::ops::Range;

#[derive(Debug)]
struct Reducer<F> {
    keeps: F,
    tries_left: usize,
}

/// The smallest variant that `keeps` accepts, found in at most so many tries; the text itself is
/// taken to be accepted.
pub fn reduce(text: &str, tries: usize, keeps: impl FnMut(&str) -> bool) -> String {
    let mut reducer = Reducer { keeps, tries_left: tries };
    let mut text = text.to_string();
    loop {
        let before = text.len();
        text = reducer.blocks(text);
        text = reducer.lines(text);
        text = reducer.brackets(text);
        if text.len() >= before || reducer.tries_left == 0 {
            return text;
        }
    }
}

impl<F: FnMut(&str) -> bool> Reducer<F> {
    fn accepts(&mut self, candidate: &str) -> bool {
        if self.tries_left == 0 {
            return false;
        }
        self.tries_left -= 1;
        (self.keeps)(candidate)
    }

    /// Removes blocks with everything in them, or only the lines around them.
    fn blocks(&mut self, mut text: String) -> String {
        let mut at = 0;
        loop {
            let lines: Vec<&str> = text.lines().collect();
            if at >= lines.len() {
                return text;
            }
            let Some(end) = closing_line(&lines, at) else {
                at += 1;
                continue;
            };
            let without = join(&[&lines[..at], &lines[end + 1..]]);
            let unwrapped = join(&[&lines[..at], &lines[at + 1..end], &lines[end + 1..]]);
            if self.accepts(&without) {
                text = without;
            } else if self.accepts(&unwrapped) {
                text = unwrapped;
            } else {
                at += 1;
            }
        }
    }

    /// Removes runs of lines, long ones first.
    fn lines(&mut self, mut text: String) -> String {
        let mut run = text.lines().count() / 2;
        while run > 0 {
            let mut at = 0;
            while at < text.lines().count() {
                let lines: Vec<&str> = text.lines().collect();
                let end = (at + run).min(lines.len());
                let candidate = join(&[&lines[..at], &lines[end..]]);
                if self.accepts(&candidate) {
                    text = candidate;
                } else {
                    at += run;
                }
            }
            run /= 2;
        }
        text
    }

    /// Replaces bracketed parts by something short, or by what is inside.
    fn brackets(&mut self, mut text: String) -> String {
        let mut at = 0;
        while at < text.len() {
            let Some(group) = group_at(&text, at) else {
                at += 1;
                continue;
            };
            let inner = text[group.start + 1..group.end - 1].to_string();
            let replacements = match text.as_bytes()[at] {
                b'(' => vec!["1".to_string(), "()".to_string(), inner],
                b'[' => vec!["[0]".to_string(), String::new()],
                _ => vec!["{0}".to_string()],
            };
            let shorter = replacements.into_iter().filter(|r| r.len() < group.len());
            let accepted = shorter.map(|r| replaced(&text, &group, &r)).find(|c| self.accepts(c));
            match accepted {
                Some(candidate) => text = candidate,
                None => at += 1,
            }
        }
        text
    }
}

fn replaced(text: &str, range: &Range<usize>, by: &str) -> String {
    format!("{}{by}{}", &text[..range.start], &text[range.end..])
}

fn join(parts: &[&[&str]]) -> String {
    let mut text = parts.concat().join("\n");
    text.push('\n');
    text
}

/// The line that closes the block opened in a line.
fn closing_line(lines: &[&str], from: usize) -> Option<usize> {
    let mut open = 0i32;
    for (at, line) in lines.iter().enumerate().skip(from) {
        let count = |c: char| line.matches(c).count() as i32;
        open += count('{') - count('}');
        if at == from && open <= 0 {
            return None;
        }
        if open <= 0 {
            return Some(at);
        }
    }
    None
}

/// The range from an opening bracket to its closing one.
fn group_at(text: &str, at: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    if !matches!(bytes[at], b'(' | b'[' | b'{') {
        return None;
    }
    let mut open = 0;
    for (end, byte) in bytes.iter().enumerate().skip(at) {
        match byte {
            b'(' | b'[' | b'{' => open += 1,
            b')' | b']' | b'}' => open -= 1,
            _ => {}
        }
        if open == 0 {
            return Some(at..end + 1);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_what_matters() {
        let text = "a\nint f() {\n  if (x) {\n    y = (1 + (2 * needle));\n  }\n}\nb\n";
        let small = reduce(text, 1000, |t| t.contains("needle"));
        assert_eq!(small.trim(), "y = 1 + 2 * needle;");
    }
}
