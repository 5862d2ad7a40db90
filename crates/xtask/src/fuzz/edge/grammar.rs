//! Templates of C text with choices.
//!
//! | text | becomes |
//! |---|---|
//! | `⟦a⋮b⋮c⟧` | one of the alternatives, each with choices of its own |
//! | `⟦3..9⟧` | a number from the range |
//! | `⟦k=…⟧` | as without `k=`; the result can be used again |
//! | `⟦$k⟧` | what was chosen for `k` |
//! | `§` | the number of the part |

use std::collections::BTreeMap;

use crate::generate::Rng;

const OPEN: char = '⟦';
const CLOSE: char = '⟧';
const BAR: char = '⋮';
const NUMBER: char = '§';

/// What was chosen for names so far.
#[derive(Debug, Default)]
pub struct Choices {
    number: usize,
    named: BTreeMap<String, String>,
}

impl Choices {
    /// For the part with this number.
    pub fn new(number: usize) -> Choices {
        Choices { number, named: BTreeMap::new() }
    }

    /// The text of a template.
    pub fn expand(&mut self, rng: &mut Rng, template: &str) -> String {
        let mut text = String::new();
        let mut rest = template;
        while let Some(at) = rest.find([OPEN, NUMBER]) {
            text.push_str(&rest[..at]);
            rest = &rest[at..];
            if let Some(after) = rest.strip_prefix(NUMBER) {
                text.push_str(&self.number.to_string());
                rest = after;
            } else {
                let (inside, after) = group(rest);
                text.push_str(&self.choose(rng, inside));
                rest = after;
            }
        }
        text + rest
    }

    fn choose(&mut self, rng: &mut Rng, inside: &str) -> String {
        if let Some(name) = inside.strip_prefix('$') {
            return self.named.get(name).cloned().unwrap_or_default();
        }
        if let Some((name, choices)) = inside.split_once('=')
            && !name.is_empty()
            && name.chars().all(|c| c.is_ascii_lowercase())
        {
            let chosen = self.choose(rng, choices);
            self.named.insert(name.to_owned(), chosen.clone());
            return chosen;
        }
        if let Some((low, high)) = range(inside) {
            return rng.range(low, high).to_string();
        }
        let alternatives = alternatives(inside);
        let chosen = *rng.pick(&alternatives);
        self.expand(rng, chosen)
    }
}

fn range(text: &str) -> Option<(i64, i64)> {
    let (low, high) = text.split_once("..")?;
    Some((low.parse().ok()?, high.parse().ok()?))
}

/// What stands between the brackets at the beginning of a text, and what follows them.
fn group(text: &str) -> (&str, &str) {
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        match c {
            OPEN => depth += 1,
            CLOSE if depth == 1 => {
                return (&text[OPEN.len_utf8()..at], &text[at + CLOSE.len_utf8()..]);
            }
            CLOSE => depth -= 1,
            _ => {}
        }
    }
    (&text[OPEN.len_utf8()..], "")
}

/// The parts between bars that are not inside of brackets.
fn alternatives(text: &str) -> Vec<&str> {
    let (mut found, mut depth, mut from) = (Vec::new(), 0usize, 0);
    for (at, c) in text.char_indices() {
        match c {
            OPEN => depth += 1,
            CLOSE => depth = depth.saturating_sub(1),
            BAR if depth == 0 => {
                found.push(&text[from..at]);
                from = at + BAR.len_utf8();
            }
            _ => {}
        }
    }
    found.push(&text[from..]);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(template: &str, expect: &[&str]) {
        let found: std::collections::BTreeSet<String> =
            (0..200).map(|seed| Choices::new(7).expand(&mut Rng::new(seed), template)).collect();
        assert_eq!(found.into_iter().collect::<Vec<_>>(), expect);
    }

    #[test]
    fn choices() {
        check("int a§;", &["int a7;"]);
        check("⟦a⋮b⟧c", &["ac", "bc"]);
        check("⟦a⟦1..2⟧⋮b⟧", &["a1", "a2", "b"]);
        check("⟦k=x⋮y⟧ ⟦$k⟧", &["x x", "y y"]);
        check("[⟦⋮, ⟧]", &["[, ]", "[]"]);
    }
}
