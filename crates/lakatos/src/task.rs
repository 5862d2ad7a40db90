//! SV-COMP task definitions: a `.yml` file names a program, its data model and its properties.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail, ensure};
use lakatos_ir::{DataModel, Property};
use serde::Deserialize;

use crate::input;

/// What a task file says, as far as it concerns us.
#[derive(Debug, PartialEq, Eq)]
pub struct Task {
    pub program: PathBuf,
    pub model: Option<DataModel>,
    pub properties: Vec<Goal>,
}

/// A question, and the answer if the task gives it away (for `bench` only).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    pub asked: Asked,
    /// The property file.
    pub file: PathBuf,
    pub expected: Option<bool>,
}

/// A property that a task asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asked {
    Known(Property),
    /// One that Lakatos cannot check (yet): by its name.
    Unsupported(String),
}

impl Asked {
    pub fn name(&self) -> &str {
        match self {
            Asked::Known(property) => property.name(),
            Asked::Unsupported(name) => name,
        }
    }
}

#[derive(Deserialize)]
struct Definition {
    input_files: OneOrMany,
    #[serde(default)]
    properties: Vec<PropertyEntry>,
    #[serde(default)]
    options: Options,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

#[derive(Deserialize)]
struct PropertyEntry {
    property_file: String,
    expected_verdict: Option<bool>,
}

#[derive(Default, Deserialize)]
struct Options {
    language: Option<String>,
    data_model: Option<String>,
}

pub fn is_task_file(path: &Path) -> bool {
    path.extension().is_some_and(|ext| ext == "yml" || ext == "yaml")
}

/// Reads a task file and the property files it names.
pub fn read(path: &Path) -> Result<Task> {
    let definition = parse(path)?;
    let program = program(path, &definition)?;
    let model = model(&definition.options)?;
    let mut properties = Vec::new();
    for entry in &definition.properties {
        let file = relative(path, &entry.property_file);
        let asked = read_property(&file)?;
        let goal = |asked| Goal { asked, file: file.clone(), expected: entry.expected_verdict };
        properties.extend(asked.into_iter().map(goal));
    }
    Ok(Task { program, model, properties })
}

/// The task file of the same name beside `source`, if it is about it, with its data model.
pub fn beside(source: &Path) -> Result<Option<(Option<DataModel>, PathBuf)>> {
    let task = source.with_extension("yml");
    if !task.is_file() || is_list(&task)? {
        return Ok(None);
    }
    let definition = parse(&task)?;
    if program(&task, &definition)?.file_name() != source.file_name() {
        return Ok(None);
    }
    Ok(Some((model(&definition.options)?, task)))
}

/// A list is no task definition, but may be a witness.
fn is_list(path: &Path) -> Result<bool> {
    let name = path.display().to_string();
    let text = input::decode(&name, input::read(path)?)?;
    let blank = |line: &&str| line.is_empty() || line.starts_with('#') || *line == "---";
    Ok(text
        .lines()
        .map(str::trim_end)
        .find(|line| !blank(line))
        .is_some_and(|l| l.starts_with('-')))
}

fn parse(path: &Path) -> Result<Definition> {
    let name = path.display().to_string();
    let text = input::decode(&name, input::read(path)?)?;
    serde_saphyr::from_str(&text)
        .map_err(|error| anyhow!("{name} is not a task definition: {error}"))
}

fn program(task: &Path, definition: &Definition) -> Result<PathBuf> {
    let file = match &definition.input_files {
        OneOrMany::One(file) => file,
        OneOrMany::Many(files) => match files.as_slice() {
            [file] => file,
            _ => bail!(
                "{}: a task must have exactly one input file, this one has {}",
                task.display(),
                files.len()
            ),
        },
    };
    let language = definition.options.language.as_deref().unwrap_or("C");
    ensure!(language == "C", "{}: the language is {language}, not C", task.display());
    Ok(relative(task, file))
}

fn model(options: &Options) -> Result<Option<DataModel>> {
    Ok(match options.data_model.as_deref() {
        None => None,
        Some("ILP32") => Some(DataModel::Ilp32),
        Some("LP64") => Some(DataModel::Lp64),
        Some(other) => bail!("unknown data model `{other}` (ILP32 and LP64 are known)"),
    })
}

fn relative(task: &Path, file: &str) -> PathBuf {
    task.parent().unwrap_or(Path::new("")).join(file)
}

/// What a property file asks for.
pub fn read_property(path: &Path) -> Result<Vec<Asked>> {
    let name = path.display().to_string();
    let text = input::decode(&name, input::read(path)?)?;
    parse_property(&text).with_context(|| format!("{name} is not a property file"))
}

/// A property file: one `CHECK( init(main()), LTL(…) )` per line. Goals for test generators
/// (`COVER`) ask nothing of a verifier.
fn parse_property(text: &str) -> Result<Vec<Asked>> {
    let mut asked = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let squeezed: String = line.chars().filter(|c| !c.is_whitespace()).collect();
        if squeezed.starts_with("COVER(") {
            continue;
        }
        let formula = squeezed
            .strip_prefix("CHECK(init(main()),LTL(")
            .and_then(|rest| rest.strip_suffix("))"))
            .ok_or_else(|| anyhow!("`{line}` is not of the form CHECK( init(main()), LTL(…) )"))?;
        asked.push(match formula {
            "G!call(reach_error())" | "G!call(__VERIFIER_error())" => {
                Asked::Known(Property::UnreachCall)
            }
            "G!overflow" => Asked::Known(Property::NoOverflow),
            "Gvalid-deref" => Asked::Known(Property::ValidDeref),
            "Gvalid-free" => Asked::Known(Property::ValidFree),
            "Gvalid-memtrack" => Asked::Known(Property::ValidMemtrack),
            "Fend" => Asked::Unsupported("termination".to_owned()),
            other => Asked::Unsupported(other.strip_prefix('G').unwrap_or(other).to_owned()),
        });
    }
    Ok(together(asked))
}

/// The three parts of memory safety are one property, if all are asked for.
fn together(mut asked: Vec<Asked>) -> Vec<Asked> {
    let parts = [Property::ValidDeref, Property::ValidFree, Property::ValidMemtrack];
    let parts = parts.map(Asked::Known);
    if parts.iter().all(|part| asked.contains(part)) {
        asked.retain(|property| !parts.contains(property));
        asked.push(Asked::Known(Property::ValidMemsafety));
    }
    asked
}

/// The first property that is known.
pub fn first(asked: &[Asked]) -> Option<Property> {
    asked.iter().find_map(|asked| match asked {
        Asked::Known(property) => Some(*property),
        Asked::Unsupported(_) => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn property_files() {
        let check = |text: &str| parse_property(text).unwrap();
        let unreach = vec![Asked::Known(Property::UnreachCall)];
        assert_eq!(check("CHECK( init(main()), LTL(G ! call(reach_error())) )\n"), unreach);
        assert_eq!(check("CHECK( init(main()), LTL(G ! call(__VERIFIER_error())) )"), unreach);
        let overflow = vec![Asked::Known(Property::NoOverflow)];
        assert_eq!(check("\nCHECK( init(main()), LTL(G ! overflow) )"), overflow);
        let unsupported = |name: &str| Asked::Unsupported(name.to_owned());
        assert_eq!(check("CHECK( init(main()), LTL(F end) )"), [unsupported("termination")]);
        let memory =
            "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )";
        let known = Asked::Known;
        assert_eq!(check(memory), [known(Property::ValidFree), known(Property::ValidDeref)]);
        let all = format!("{memory}\nCHECK( init(main()), LTL(G valid-memtrack) )");
        assert_eq!(check(&all), [known(Property::ValidMemsafety)]);
        assert_eq!(
            check("CHECK( init(main()), LTL(G valid-memcleanup) )"),
            [unsupported("valid-memcleanup")]
        );
        assert_eq!(check("COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )"), []);
        // Another function than the error function is another property.
        assert_eq!(check("CHECK( init(main()), LTL(G ! call(f())) )"), [unsupported("!call(f())")]);
        assert!(parse_property("nonsense").is_err());
    }
}
