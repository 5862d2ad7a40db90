//! C texts, and ways to break them.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use lakatos_ir::DataModel;

use crate::generate::{self, Rng};

/// Larger files are not broken: they take long and show nothing else.
const MOST_BYTES: u64 = 64 << 10;

/// Generated programs among the texts.
const GENERATED: u64 = 20;

const TOKENS: [&str; 52] = [
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ";",
    ",",
    "*",
    "&",
    "->",
    ".",
    "...",
    "=",
    "+=",
    "<<=",
    "?",
    ":",
    "++",
    "sizeof",
    "_Alignof",
    "typedef",
    "struct",
    "union",
    "enum",
    "static",
    "extern",
    "int",
    "unsigned",
    "long",
    "_Bool",
    "void",
    "__int128",
    "double",
    "const",
    "return",
    "goto",
    "case",
    "default",
    "switch",
    "if",
    "else",
    "while",
    "do",
    "for",
    "break",
    "__attribute__",
    "asm",
    "0xffffffffffffffffffffff",
    "1e999999",
    "'\\",
    "\"",
];

/// The texts to break, in a fixed order.
#[derive(Debug)]
pub struct Texts(Vec<String>);

impl Texts {
    /// Generated programs and the C files in some folders; folders that are absent count as
    /// empty.
    pub fn load(folders: &[PathBuf]) -> Result<Texts> {
        let mut texts: Vec<String> =
            (0..GENERATED).map(|seed| generate::program(seed, DataModel::Lp64)).collect();
        for folder in folders {
            let mut files = Vec::new();
            c_files(folder, &mut files)?;
            files.sort();
            for file in files {
                let bytes = fs::read(&file).with_context(|| file.display().to_string())?;
                texts.push(String::from_utf8_lossy(&bytes).into_owned());
            }
        }
        Ok(Texts(texts))
    }

    /// The broken text that a seed names.
    pub fn mutated(&self, seed: u64) -> String {
        let mut rng = Rng::new(seed ^ 0x6d75_7461_7465);
        let mut text = rng.pick(&self.0).clone();
        for _ in 0..rng.range(1, 4) {
            text = self.mutation(&mut rng, text);
        }
        text
    }

    fn mutation(&self, rng: &mut Rng, text: String) -> String {
        if text.is_empty() {
            return rng.pick(&self.0).clone();
        }
        match rng.below(10) {
            0 | 1 => flip_bytes(rng, text),
            2 => {
                let at = boundary(&text, rng.below(text.len()));
                text[..at].to_string()
            }
            3 => {
                let other = rng.pick(&self.0);
                let a = boundary(&text, rng.below(text.len()));
                let b = boundary(other, rng.below(other.len().max(1)));
                format!("{}{}", &text[..a], &other[b..])
            }
            4 => {
                let (a, b) = (rng.below(text.len()), rng.below(text.len()));
                let (a, b) = (boundary(&text, a.min(b)), boundary(&text, a.max(b)));
                let part = text[a..b.min(a + 4096).max(a)].to_string();
                text[..a].to_string() + &part + &text[a..]
            }
            _ => self.token_mutation(rng, &text),
        }
    }

    fn token_mutation(&self, rng: &mut Rng, text: &str) -> String {
        let tokens = tokens(text);
        if tokens.is_empty() {
            return format!("{text};");
        }
        let one = rng.pick(&tokens).clone();
        let (before, token, after) = (&text[..one.start], &text[one.clone()], &text[one.end..]);
        match rng.below(6) {
            0 | 1 => format!("{before}{after}"),
            2 => format!("{before}{token} {token}{after}"),
            3 => format!("{before}{}{after}", rng.pick(&TOKENS)),
            4 => format!("{before}{token} {} {after}", rng.pick(&TOKENS)),
            _ => {
                let two = rng.pick(&tokens).clone();
                let (a, b) = if one.start <= two.start { (one, two) } else { (two, one) };
                if a == b {
                    return format!("{before}{after}");
                }
                let between = &text[a.end..b.start];
                let (x, y) = (&text[a.clone()], &text[b.clone()]);
                format!("{}{y}{between}{x}{}", &text[..a.start], &text[b.end..])
            }
        }
    }
}

fn flip_bytes(rng: &mut Rng, text: String) -> String {
    let mut bytes = text.into_bytes();
    for _ in 0..rng.range(1, 4) {
        let at = rng.below(bytes.len());
        match rng.below(3) {
            0 => bytes[at] ^= 1 << rng.below(8),
            1 => bytes[at] = rng.below(256) as u8,
            _ => bytes.insert(at, rng.below(128) as u8),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn boundary(text: &str, at: usize) -> usize {
    text.floor_char_boundary(at)
}

/// About the tokens of C: words, numbers, strings, single signs.
fn tokens(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut quote = None;
    for (at, c) in text.char_indices() {
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let joins = found.last().is_some_and(|last| {
            last.end == at && text[last.clone()].chars().next_back().is_some_and(word)
        });
        match (quote, found.last_mut()) {
            (Some(q), Some(last)) => {
                last.end = at + c.len_utf8();
                if c == q || c == '\n' {
                    quote = None;
                }
            }
            (_, Some(last)) if word(c) && joins => last.end = at + c.len_utf8(),
            _ if c.is_whitespace() => {}
            _ => {
                if c == '"' || c == '\'' {
                    quote = Some(c);
                }
                found.push(at..at + c.len_utf8());
            }
        }
    }
    found
}

fn c_files(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let Ok(entries) = fs::read_dir(folder) else { return Ok(()) };
    for entry in entries {
        let entry = entry?;
        let path = entry.path();
        let kind = entry.file_type()?;
        if kind.is_dir() {
            c_files(&path, files)?;
        } else if path.extension().is_some_and(|e| e == "c" || e == "i")
            && entry.metadata()?.len() <= MOST_BYTES
        {
            files.push(path);
        }
    }
    Ok(())
}
