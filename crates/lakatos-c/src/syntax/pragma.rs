//! `#pragma` and `_Pragma`: which change what a program means. Closed: a pragma that is not listed
//! here is refused by name.

use super::options::is_harmless_option;

/// What a pragma asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pragma<'t> {
    Harmless,
    Pack(Pack<'t>),
    Weak(&'t str),
    Options(Options),
    /// It has no meaning here: what to call it.
    Unsupported(String),
}

/// `#pragma GCC target` and its relatives: with which options functions are compiled from here on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Options {
    /// Options that may change what a function means, and how the pragma is called.
    Set(&'static str),
    Push,
    Pop,
    Reset,
}

/// The forms of `#pragma pack`; alignments are in bytes, `None` is the target's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pack<'t> {
    Set(Option<u64>),
    Push { label: Option<&'t str>, align: Option<Option<u64>> },
    Pop { label: Option<&'t str> },
}

/// Pragmas that only say what is diagnosed or how code is made, by their first words.
const HARMLESS: &[&str] = &[
    "GCC dependency",
    "GCC diagnostic",
    "GCC ivdep",
    "GCC message",
    "GCC novector",
    "GCC poison",
    "GCC system_header",
    "GCC unroll",
    "GCC visibility",
    "GCC warning",
    "STDC CX_LIMITED_RANGE",
    "STDC FENV_ACCESS",
    "STDC FP_CONTRACT",
    "clang assume_nonnull",
    "clang diagnostic",
    "clang loop",
    "clang system_header",
    "comment",
    "endregion",
    "ivdep",
    "mark",
    // CIL says where the parts of a merged file come from.
    "merger",
    "message",
    "nounroll",
    "nounroll_and_jam",
    "once",
    "pop_macro",
    "push_macro",
    "region",
    "unroll",
    "unroll_and_jam",
    "warning",
];

/// Reads the text behind `#pragma`.
pub fn read(text: &str) -> Pragma<'_> {
    let words = words(text);
    match words[..] {
        [] => Pragma::Harmless,
        ["pack", ref rest @ ..] => match pack(rest) {
            Some(pack) => Pragma::Pack(pack),
            None => Pragma::Unsupported("this form of `#pragma pack`".to_owned()),
        },
        ["weak", name] => Pragma::Weak(name),
        ["weak", _, "=", ..] | ["redefine_extname", ..] => {
            Pragma::Unsupported("a `#pragma` that gives something another name".to_owned())
        }
        ["scalar_storage_order", "default" | "little-endian"] | ["ms_struct", "off" | "reset"] => {
            Pragma::Harmless
        }
        ["GCC", "optimize" | "target", ref options @ ..]
            if options.iter().all(|word| is_harmless_token(word)) =>
        {
            Pragma::Harmless
        }
        ["GCC", "target", ..] => Pragma::Options(Options::Set("`#pragma GCC target`")),
        ["GCC", "optimize", ..] => Pragma::Options(Options::Set("`#pragma GCC optimize`")),
        ["GCC", "push_options"] => Pragma::Options(Options::Push),
        ["GCC", "pop_options"] => Pragma::Options(Options::Pop),
        ["GCC", "reset_options"] => Pragma::Options(Options::Reset),
        _ if HARMLESS.iter().any(|known| begins_with(&words, known)) => Pragma::Harmless,
        ["GCC" | "STDC" | "clang" | "omp", second, ..] => {
            Pragma::Unsupported(format!("`#pragma {} {second}`", words[0]))
        }
        [first, ..] => Pragma::Unsupported(format!("`#pragma {first}`")),
    }
}

fn begins_with(words: &[&str], known: &str) -> bool {
    let mut parts = known.split(' ');
    let mut words = words.iter();
    parts.all(|part| words.next() == Some(&part))
}

/// Of `("O2", "no-inline")`: punctuation, and options without effect on meaning.
fn is_harmless_token(word: &str) -> bool {
    match word.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        Some(option) => !option.contains('\\') && is_harmless_option(option),
        None => matches!(word, "(" | ")" | ",") || word.bytes().all(|b| b.is_ascii_digit()),
    }
}

fn pack<'t>(words: &[&'t str]) -> Option<Pack<'t>> {
    match words {
        ["(", ")"] => Some(Pack::Set(None)),
        ["(", n, ")"] if is_number(n) => alignment(n).map(Pack::Set),
        ["(", "push", rest @ .., ")"] => push(rest),
        ["(", "pop", ")"] => Some(Pack::Pop { label: None }),
        ["(", "pop", ",", label, ")"] if is_name(label) => Some(Pack::Pop { label: Some(label) }),
        _ => None,
    }
}

fn push<'t>(rest: &[&'t str]) -> Option<Pack<'t>> {
    match rest {
        [] => Some(Pack::Push { label: None, align: None }),
        [",", n] if is_number(n) => Some(Pack::Push { label: None, align: Some(alignment(n)?) }),
        [",", label] if is_name(label) => Some(Pack::Push { label: Some(label), align: None }),
        [",", label, ",", n] if is_name(label) && is_number(n) => {
            Some(Pack::Push { label: Some(label), align: Some(alignment(n)?) })
        }
        _ => None,
    }
}

fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
}

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// 0 is the target's own alignment; others than these the compiler ignores, with a warning.
fn alignment(text: &str) -> Option<Option<u64>> {
    match text {
        "0" => Some(None),
        "1" | "2" | "4" | "8" | "16" => text.parse().ok().map(Some),
        _ => None,
    }
}

/// Words, strings and punctuation; comments are white space.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let end = if rest.starts_with("//") {
            return words;
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |n| n + 2)
        } else if first == '"' {
            string_end(rest)
        } else {
            let in_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '$' | ':');
            let end = rest.find(|c| !in_word(c)).unwrap_or(rest.len());
            end.max(first.len_utf8())
        };
        if !rest.starts_with("/*") {
            words.push(&rest[..end]);
        }
        rest = rest[end..].trim_start();
    }
    words
}

fn string_end(text: &str) -> usize {
    let mut escaped = true;
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The state of `#pragma pack`.
#[derive(Debug, Default)]
pub struct PackStack {
    current: Option<u64>,
    /// The labels of pushes, and what held before each.
    pushed: Vec<(Option<String>, Option<u64>)>,
}

impl PackStack {
    /// Does what the pragma says; the result is what members are aligned to at most from here on.
    pub fn apply(&mut self, pack: Pack<'_>) -> Result<Option<u64>, String> {
        match pack {
            Pack::Set(align) => self.current = align,
            Pack::Push { label, align } => {
                self.pushed.push((label.map(str::to_owned), self.current));
                self.current = align.unwrap_or(self.current);
            }
            Pack::Pop { label } => {
                let at = match label {
                    None => self.pushed.len().checked_sub(1),
                    Some(_) => self.pushed.iter().rposition(|(known, _)| known.as_deref() == label),
                };
                let Some(at) = at else {
                    return Err("`#pragma pack(pop)` without its push".to_owned());
                };
                self.current = self.pushed[at].1;
                self.pushed.truncate(at);
            }
        }
        Ok(self.current)
    }
}
