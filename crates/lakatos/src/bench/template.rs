//! Commands of other tools: words with placeholders, which no shell ever sees.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use lakatos_ir::{DataModel, Property};
use tempfile::TempDir;

use super::child::Limits;
use super::tasks::Task;

/// What may stand in braces, and what it stands for.
const PLACEHOLDERS: [&str; 7] =
    ["file", "property", "prp", "data_model", "bits", "timeout", "memory"];

#[derive(Debug)]
pub struct Template {
    words: Vec<Vec<Piece>>,
    /// Where property files are written, if they are asked for.
    folder: Option<TempDir>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    /// One of [`PLACEHOLDERS`].
    Place(String),
}

impl Template {
    pub fn new(command: &str) -> Result<Template> {
        let words = shell_words::split(command).context("the command cannot be read")?;
        ensure!(!words.is_empty(), "the command is empty");
        let words: Vec<Vec<Piece>> =
            words.iter().map(|word| pieces(word)).collect::<Result<_>>()?;
        let uses = |name: &str| words.iter().flatten().any(|p| *p == Piece::Place(name.into()));
        ensure!(uses("file"), "the command does not name the program: write {{file}} for it");
        ensure!(
            matches!(&words[0][..], [Piece::Text(_)]),
            "the command does not begin with the name of a tool"
        );
        let folder = uses("prp").then(tempfile::tempdir).transpose();
        let folder = folder.context("cannot make a folder for property files")?;
        Ok(Template { words, folder })
    }

    /// The name of the program.
    pub fn program(&self) -> &str {
        match &self.words[0][..] {
            [Piece::Text(name)] => name,
            _ => unreachable!("the first word is text"),
        }
    }

    /// The command for a task.
    pub fn command(&self, task: &Task, limits: &Limits) -> Result<Vec<OsString>> {
        let word = |pieces: &Vec<Piece>| {
            let mut word = OsString::new();
            for piece in pieces {
                match piece {
                    Piece::Text(text) => word.push(text),
                    Piece::Place(name) => word.push(self.value(name, task, limits)?),
                }
            }
            Ok(word)
        };
        self.words.iter().map(word).collect()
    }

    fn value(&self, name: &str, task: &Task, limits: &Limits) -> Result<OsString> {
        let model = task.model.unwrap_or(DataModel::Lp64);
        let is_short = model == DataModel::Ilp32;
        Ok(match name {
            "file" => task.file.clone().into_os_string(),
            "property" => task.property.name().into(),
            "prp" => self.property_file(task)?.into_os_string(),
            "data_model" => OsStr::new(if is_short { "ILP32" } else { "LP64" }).to_owned(),
            "bits" => OsStr::new(if is_short { "32" } else { "64" }).to_owned(),
            "timeout" => limits.cpu.as_secs_f64().ceil().to_string().into(),
            "memory" => (limits.memory >> 20).to_string().into(),
            _ => unreachable!("`pieces` knows the placeholders"),
        })
    }

    /// The task's own, or else one with the property as SV-COMP writes it.
    fn property_file(&self, task: &Task) -> Result<PathBuf> {
        if let Some(path) = &task.property_file {
            return Ok(path.clone());
        }
        let error = task.error_function.as_deref().unwrap_or("reach_error");
        let (name, formula) = match task.property {
            Property::UnreachCall => (format!("{error}.prp"), format!("! call({error}())")),
            Property::NoOverflow => ("no-overflow.prp".to_owned(), "! overflow".to_owned()),
            other => bail!("SV-COMP has no property file for {other}: leave {{prp}} out"),
        };
        let folder = self.folder.as_ref().expect("there is one if files are asked for");
        let path = folder.path().join(name);
        write(&path, &format!("CHECK( init(main()), LTL(G {formula}) )\n"))?;
        Ok(path)
    }
}

/// All at once: another task may have the file open.
fn write(path: &Path, text: &str) -> Result<()> {
    if path.exists() {
        return Ok(());
    }
    let folder = path.parent().expect("it is in a folder");
    let file = tempfile::NamedTempFile::new_in(folder).context("cannot write a property file")?;
    fs::write(file.path(), text).context("cannot write a property file")?;
    file.persist(path).context("cannot write a property file")?;
    Ok(())
}

/// Braces around a word of small letters are a placeholder, all others are themselves.
fn pieces(word: &str) -> Result<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut text = String::new();
    let mut rest = word;
    while let Some(at) = rest.find('{') {
        let (before, after) = (&rest[..at], &rest[at + 1..]);
        text += before;
        let name = after.split_once('}').map_or("", |(name, _)| name);
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_lowercase() || c == '_') {
            text.push('{');
            rest = after;
            continue;
        }
        ensure!(
            PLACEHOLDERS.contains(&name),
            "there is no placeholder {{{name}}}; there are {}",
            PLACEHOLDERS.map(|name| format!("{{{name}}}")).join(", ")
        );
        if !text.is_empty() {
            pieces.push(Piece::Text(std::mem::take(&mut text)));
        }
        pieces.push(Piece::Place(name.to_owned()));
        rest = &after[name.len() + 1..];
    }
    text += rest;
    if !text.is_empty() || pieces.is_empty() {
        pieces.push(Piece::Text(text));
    }
    Ok(pieces)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn limits() -> Limits {
        let time = Duration::from_millis(2500);
        Limits { cpu: time, wall: time, memory: 300 << 20 }
    }

    #[track_caller]
    fn check(command: &str, expected: &[&str]) {
        let task = Task {
            file: "a folder/x;y.c".into(),
            model: Some(DataModel::Ilp32),
            ..Task::sample("x", Property::NoOverflow, true)
        };
        let template = Template::new(command).unwrap();
        assert_eq!(template.command(&task, &limits()).unwrap(), expected);
    }

    #[test]
    fn words_and_placeholders() {
        let file = "a folder/x;y.c";
        check("cbmc {file}", &["cbmc", file]);
        check("t --{bits} -m={data_model} {file}", &["t", "--32", "-m=ILP32", file]);
        check("t '{property} of' {file}", &["t", "no-overflow of", file]);
        check("t {timeout}s {memory} {file} {file}", &["t", "3s", "300", file, file]);
        check("t \"a b\" '' {file} {} {A} {a", &["t", "a b", "", file, "{}", "{A}", "{a"]);
        check("t $HOME `x` {file}; rm *", &["t", "$HOME", "`x`", "a folder/x;y.c;", "rm", "*"]);
    }

    #[test]
    fn what_is_no_command() {
        for (command, message) in [
            ("", "the command is empty"),
            ("t 'x {file}", "the command cannot be read"),
            ("t x.c", "write {file} for it"),
            ("{file}", "does not begin with the name of a tool"),
            ("t {file} {files}", "there is no placeholder {files}; there are {file}, {property}"),
        ] {
            let error = format!("{:#}", Template::new(command).unwrap_err());
            assert!(error.contains(message), "{error}");
        }
    }

    #[test]
    fn property_files() {
        let template = Template::new("t {prp} {file}").unwrap();
        let text = |task: &Task| {
            let command = template.command(task, &limits()).unwrap();
            fs::read_to_string(&command[1]).unwrap()
        };
        let mut task = Task::sample("x", Property::UnreachCall, true);
        let reach = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";
        assert_eq!([text(&task), text(&task)], [reach, reach]);
        task.error_function = Some("__VERIFIER_error".to_owned());
        assert_eq!(text(&task), reach.replace("reach_error", "__VERIFIER_error"));
        task.property = Property::NoOverflow;
        assert_eq!(text(&task), "CHECK( init(main()), LTL(G ! overflow) )\n");
        task.property = Property::DivByZero;
        let error = template.command(&task, &limits()).unwrap_err().to_string();
        assert!(error.contains("no property file for div-by-zero"), "{error}");
        task.property_file = Some("own.prp".into());
        assert_eq!(template.command(&task, &limits()).unwrap()[1], "own.prp");
    }
}
