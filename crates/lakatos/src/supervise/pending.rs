//! What is said where the work ends without its own words: text and files, made beforehand, in
//! which only the reason is missing.

use std::io::{self, Write};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::exit::Exit;
use crate::{terminal, whole};

/// Stands in texts for the reason. It means nothing in JSON, XML and HTML.
pub const REASON: &str = "lakatos.reason.of.the.end";

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pending {
    /// For standard output.
    pub text: String,
    pub files: Vec<(PathBuf, String)>,
    /// A property has been refuted already.
    pub is_bad: bool,
}

impl Pending {
    /// Nothing but a text.
    pub fn text(text: String) -> Pending {
        Pending { text, ..Pending::default() }
    }

    /// Says all of it, as far as it can be written.
    pub fn say(&self, reason: &str) -> Exit {
        let reason = plain(reason);
        let mut exit = if self.is_bad { Exit::Bad } else { Exit::Unknown };
        let out = &mut anstream::stdout().lock();
        let text = self.text.replace(REASON, &reason);
        match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                let error = anyhow::Error::new(error).context("cannot write to standard output");
                terminal::error(&error);
                exit = Exit::BadInput;
            }
            _ => {}
        }
        for (path, text) in &self.files {
            if let Err(error) = whole::write(path, &text.replace(REASON, &reason)) {
                terminal::error(&error);
                exit = Exit::BadInput;
            }
        }
        exit
    }
}

/// Without what texts of other forms would have to escape.
fn plain(reason: &str) -> String {
    let character = |c: char| match c {
        '"' => '\'',
        '\\' => '/',
        '<' | '>' | '&' => ' ',
        c if c.is_control() => ' ',
        c => c,
    };
    reason.chars().map(character).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_get_the_reason() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("out.json");
        let files = vec![(file.clone(), format!("{{\"why\": \"{REASON}\"}}"))];
        let pending = Pending { files, ..Pending::default() };
        assert_eq!(pending.say("a \"limit\"\nof <memory>"), Exit::Unknown);
        let text = std::fs::read_to_string(&file).unwrap();
        assert_eq!(text, "{\"why\": \"a 'limit' of  memory \"}");
        assert_eq!(Pending { is_bad: true, ..Pending::default() }.say("x"), Exit::Bad);
        let lost = vec![(dir.path().join("absent/out.json"), String::new())];
        assert_eq!(Pending { files: lost, ..Pending::default() }.say("x"), Exit::BadInput);
    }
}
