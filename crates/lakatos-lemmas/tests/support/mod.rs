//! A lemma file, read, translated and judged.
#![allow(dead_code)]

use lakatos_acsl::env::Table;
use lakatos_acsl::tree::Theory;
use lakatos_ir::{DataModel, Source};
use lakatos_lemmas::{Judged, Translation, judge, translate};
use lakatos_logic::smt::{Limits, Smt};
use lakatos_logic::term::Terms;

pub struct Found {
    pub theory: Theory,
    pub translation: Translation,
    pub judged: Judged,
    /// What is left out, with its place.
    pub said: Vec<String>,
}

pub const QUERY: Limits = Limits { resources: Some(2_000_000), time: None };

/// `Err`: what is wrong with the file.
pub fn read(name: &str, text: &str) -> Result<Found, String> {
    let mut theory = Theory::default();
    let source = Source::new(name, text);
    let env = Table::default();
    let read = match name.ends_with(".yml") {
        true => lakatos_acsl::read_lemma_sets(&mut theory, source.clone(), &env),
        false => lakatos_acsl::read_file(&mut theory, source.clone(), &env),
    };
    let said = read.map_err(|failure| failure.to_string())?;
    let mut terms = Terms::new();
    let translation = translate(&mut terms, &theory, DataModel::Lp64);
    let judged = judge(&mut terms, &mut Smt::new(QUERY), &translation);
    let refused = translation.refused.iter().map(|(file, d)| (&theory.files[*file], d));
    let said = said.iter().map(|d| (&source, d)).chain(refused);
    let said = said.map(|(s, d)| format!("{}: {}", s.position(d.span.start), d.message)).collect();
    Ok(Found { theory, translation, judged, said })
}
