//! Whether every name in printed ACSL is bound: by a quantifier of the clause, or by the place where
//! the clause stands. What is not recognised counts as a name, so nothing unbound is overlooked.

/// Words that are no names.
const WORDS: [&str; 18] = [
    "integer", "real", "boolean", "char", "short", "int", "long", "signed", "unsigned", "_Bool",
    "float", "double", "void", "const", "volatile", "sizeof", "struct", "union",
];

/// Labels of ACSL, as in `\at(x, Pre)`.
const LABELS: [&str; 7] = ["Pre", "Post", "Old", "Here", "Init", "LoopEntry", "LoopCurrent"];

/// The first name of a clause that nothing binds.
pub(crate) fn unbound(clause: &str, is_known: impl Fn(&str) -> bool) -> Option<String> {
    let mut bound: Vec<&str> = Vec::new();
    let words = words(clause);
    let mut words = words.iter();
    while let Some(Word { text, before }) = words.next() {
        match *text {
            "\\forall" | "\\exists" => {
                // `\forall integer i, j;`
                for Word { text, before } in words.by_ref() {
                    if !WORDS.contains(text) {
                        bound.push(text);
                    }
                    if clause[before + text.len()..].trim_start().starts_with(';') {
                        break;
                    }
                }
            }
            text if text.starts_with('\\') || text.starts_with(|c: char| c.is_ascii_digit()) => {}
            text if WORDS.contains(&text) || LABELS.contains(&text) || bound.contains(&text) => {}
            // Members have names of their own.
            _ if clause[..*before].trim_end().ends_with('.') => {}
            _ if clause[..*before].trim_end().ends_with("->") => {}
            text if is_known(text) => {}
            text => return Some(text.to_owned()),
        }
    }
    None
}

struct Word<'c> {
    text: &'c str,
    /// So many bytes come before it.
    before: usize,
}

/// Names, numbers, and keywords with their backslash.
fn words(clause: &str) -> Vec<Word<'_>> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let mut words = Vec::new();
    let mut at = 0;
    while let Some(first) = clause[at..].chars().next() {
        let rest = &clause[at + first.len_utf8()..];
        let length = first.len_utf8() + rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        match is_part(first) || first == '\\' {
            true => {
                words.push(Word { text: &clause[at..at + length], before: at });
                at += length;
            }
            false => at += first.len_utf8(),
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_to_be_bound() {
        let check = |clause: &str, expected: Option<&str>| {
            let found = unbound(clause, |name| ["a", "n", "s"].contains(&name));
            assert_eq!(found.as_deref(), expected, "{clause}");
        };
        check("n >= 0 && a[n] <= 7u", None);
        check("key >= 0", Some("key"));
        check("a[key] >= 0", Some("key"));
        check("\\forall integer key; 0 <= key < n ==> (a[key] == 7)", None);
        check("\\forall integer i, int *j; a[i] == j[k]", Some("k"));
        check("(\\forall integer i; a[i] == 0) && \\old(i) == 1", None);
        check("\\at(n, Pre) == (unsigned char)\\result", None);
        check("s.key == 1 && s->key == x", Some("x"));
        check("\\valid(a + (0 .. n - 1))", None);
    }
}
