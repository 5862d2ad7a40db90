//! Texts that somebody damaged: an error or a tree, never a panic, and what is a tree is printed
//! as itself.

use fastrand::Rng;
use lakatos_acsl::erase;
use lakatos_acsl::parse::{self, Site};
use lakatos_acsl::tree::Theory;
use lakatos_acsl::{lemma_set, read};
use lakatos_ir::Source;

use crate::accepted::LOGIC;
use crate::generate::Generator;
use crate::lemma_sets::MAXIMUM;
use crate::program;

const PIECES: [&str; 40] = [
    "(", ")", "[", "]", "{", "}", ";", ",", ":", "?", "..", "==>", "<==>", "-->", "&&", "||", "\\",
    "\\forall", "\\let", "\\at(", "\\old", "integer", "int", "requires", "loop", "behavior", "'",
    "\"", "/*", "*/", "//", "@", "\n", "0x", "1e", "é", "∀", "\u{0}", "->", ".",
];

fn damaged(rng: &mut Rng, text: &str) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..rng.usize(1..4) {
        let at = rng.usize(..=chars.len());
        match rng.u8(..4) {
            0 if at < chars.len() => {
                chars.remove(at);
            }
            1 => {
                let piece = PIECES[rng.usize(..PIECES.len())];
                chars.splice(at..at, piece.chars());
            }
            2 => {
                let end = (at + rng.usize(..20)).min(chars.len());
                let part: Vec<char> = chars.drain(at..end).collect();
                let to = rng.usize(..=chars.len());
                chars.splice(to..to, part);
            }
            _ => chars.truncate(at),
        }
    }
    chars.into_iter().collect()
}

fn is_type(name: &str) -> bool {
    name == "number"
}

#[test]
fn damaged_annotations() {
    for seed in 0..6_000 {
        let mut rng = Rng::with_seed(seed);
        let tree = Generator(rng.fork()).annotation();
        let text = damaged(&mut rng, &tree.to_string());
        for site in [Site::File, Site::Body] {
            let parsed = parse::annotation(&text, 7, site, &is_type);
            for d in &parsed.diagnostics {
                assert!(d.span.start >= 7 && d.span.end as usize <= text.len() + 8, "{text}");
            }
            let Some(tree) = parsed.tree.filter(|_| parsed.diagnostics.is_empty()) else {
                continue;
            };
            let printed = tree.to_string();
            let again = parse::annotation(&printed, 0, site, &is_type);
            if !printed.is_empty() {
                assert_eq!(again.tree, Some(tree), "{seed}: {text}\n{printed}");
            }
        }
    }
}

#[test]
fn damaged_files() {
    let table = program();
    let mut accepted = 0;
    for seed in 0..3_000 {
        let mut rng = Rng::with_seed(seed);
        let text = damaged(&mut rng, LOGIC);
        let mut theory = Theory::default();
        let source = Source::new("t.acsl", text.as_str());
        if read::read_file(&mut theory, source, &table).is_err() {
            assert!(theory.items.is_empty(), "the theory is as it was");
            continue;
        }
        accepted += 1;
        let printed: String =
            theory.items.iter().map(|i| format!("{}\n", erase::item(&theory, i))).collect();
        let mut again = Theory::default();
        let source = Source::new("t.acsl", printed.as_str());
        read::read_file(&mut again, source, &table).unwrap_or_else(|e| panic!("{printed}\n{e}"));
        assert_eq!(again.items, theory.items, "{seed}: {printed}");
    }
    assert!(accepted > 100, "{accepted}");
}

#[test]
fn damaged_programs() {
    let text = crate::programs::ANNOTATED;
    for seed in 0..1_500 {
        let mut rng = Rng::with_seed(seed);
        let source = Source::new("t.c", damaged(&mut rng, text));
        if let Ok(unit) = lakatos_c::check(source, &lakatos_c::Options::default()) {
            let _ = read::read_program(&mut Theory::default(), &unit);
        }
    }
}

#[test]
fn damaged_lemma_sets() {
    let table = program();
    for seed in 0..1_500 {
        let mut rng = Rng::with_seed(seed);
        let source = Source::new("t.yml", damaged(&mut rng, MAXIMUM));
        let length = source.text().len();
        let said = lemma_set::read_lemma_sets(&mut Theory::default(), source, &table);
        for d in said.unwrap_or_else(|failure| failure.diagnostics) {
            assert!(d.span.end as usize <= length, "{d:?}");
        }
    }
}
