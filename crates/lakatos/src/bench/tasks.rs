//! Where tasks come from: an index, SV-COMP task files, folders, lists and patterns of them.
//!
//! An index (`.tsv`) has a header line; the columns `category`, `file`, `property`, `verdict`,
//! and, if they are there, `data_model`, `semantics` and `errfn` (the error function) are read.
//! Files are beside the index.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use glob::MatchOptions;
use lakatos_ir::{DataModel, Property};

use crate::input;
use crate::task::{self, Asked};

/// A program, a question, and the right answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// As the index, or the user, names the file.
    pub name: String,
    pub category: String,
    pub file: PathBuf,
    pub property: Property,
    /// Whether the property holds.
    pub expected: bool,
    /// `None`: as the verifier decides.
    pub model: Option<DataModel>,
    /// The verdict is about signed integers that wrap around.
    pub wraps: bool,
    /// As SV-COMP writes the property, if the task has a file for it.
    pub property_file: Option<PathBuf>,
    /// What must not be called, if the index says it.
    pub error_function: Option<String>,
}

#[cfg(test)]
impl Task {
    pub fn sample(name: &str, property: Property, expected: bool) -> Task {
        Task {
            name: name.to_owned(),
            category: String::new(),
            file: name.into(),
            property,
            expected,
            model: None,
            wraps: false,
            property_file: None,
            error_function: None,
        }
    }
}

/// What was found, and what had to be left out.
#[derive(Debug, Default)]
pub struct Found {
    pub tasks: Vec<Task>,
    /// Tasks about properties that Lakatos cannot check.
    pub unsupported: usize,
    /// Tasks without an expected verdict.
    pub unrated: usize,
}

impl Found {
    pub fn remarks(&self) -> Vec<String> {
        let tasks = |n: usize| format!("{n} task{}", if n == 1 { "" } else { "s" });
        let mut remarks = Vec::new();
        if self.unsupported > 0 {
            let n = tasks(self.unsupported);
            remarks.push(format!("left out: {n} about properties that cannot be checked"));
        }
        if self.unrated > 0 {
            remarks.push(format!("left out: {} without an expected verdict", tasks(self.unrated)));
        }
        remarks
    }
}

/// All tasks at these paths, in order, each once.
pub fn find(paths: &[PathBuf]) -> Result<Found> {
    let mut found = Found::default();
    for path in paths {
        find_at(path, &mut found)?;
    }
    let mut seen = BTreeSet::new();
    found.tasks.retain(|task| seen.insert((task.name.clone(), task.property)));
    Ok(found)
}

fn find_at(path: &Path, found: &mut Found) -> Result<()> {
    if let Some(pattern) = pattern(path) {
        return find_all(pattern, found);
    }
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
    if path.is_dir() {
        let index = path.join("index.tsv");
        return if index.is_file() { read_index(&index, found) } else { walk(path, found) };
    }
    match extension {
        "tsv" => read_index(path, found),
        "yml" | "yaml" => read_task(path, found),
        "set" | "txt" => {
            for name in names(path)? {
                find_at(&beside(path, &name), found)
                    .with_context(|| format!("in the list {}", path.display()))?;
            }
            Ok(())
        }
        _ => bail!(
            "{}: give an index (.tsv), a task file (.yml), a list of them (.set, .txt) or a folder",
            path.display()
        ),
    }
}

/// A path with `*`, `?` or `[…]` that is not the name of a file.
fn pattern(path: &Path) -> Option<&str> {
    path.to_str().filter(|text| text.contains(['*', '?', '[']) && !path.exists())
}

/// All that a pattern stands for, in order of name.
fn find_all(pattern: &str, found: &mut Found) -> Result<()> {
    let options = MatchOptions { require_literal_separator: true, ..MatchOptions::new() };
    let paths = glob::glob_with(pattern, options).with_context(|| pattern.to_owned())?;
    let mut paths: Vec<PathBuf> = paths.collect::<Result<_, _>>()?;
    ensure!(!paths.is_empty(), "nothing is called like {pattern}");
    paths.sort();
    paths.iter().try_for_each(|path| find_at(path, found))
}

/// The lines of a list, without comments.
pub fn names(path: &Path) -> Result<Vec<String>> {
    let text = read(path)?;
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    Ok(lines.filter(|line| !line.is_empty()).map(str::to_owned).collect())
}

fn read(path: &Path) -> Result<String> {
    let name = path.display().to_string();
    input::decode(&name, input::bytes(path)?)
}

fn beside(path: &Path, name: &str) -> PathBuf {
    path.parent().unwrap_or(Path::new("")).join(name)
}

/// The task files of a folder and of those in it, in order of name.
fn walk(folder: &Path, found: &mut Found) -> Result<()> {
    let entries = fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    paths.sort();
    for path in paths {
        if path.is_dir() {
            walk(&path, found)?;
        } else if task::is_task_file(&path) {
            read_task(&path, found)?;
        }
    }
    Ok(())
}

fn read_task(path: &Path, found: &mut Found) -> Result<()> {
    let definition = task::read(path)?;
    let folder = path.canonicalize().ok().and_then(|p| Some(p.parent()?.file_name()?.to_owned()));
    for goal in definition.properties {
        match (goal.asked, goal.expected) {
            (Asked::Unsupported(_), _) => found.unsupported += 1,
            (Asked::Known(_), None) => found.unrated += 1,
            (Asked::Known(property), Some(expected)) => found.tasks.push(Task {
                name: path.display().to_string(),
                category: folder.clone().unwrap_or_default().to_string_lossy().into_owned(),
                file: definition.program.clone(),
                property,
                expected,
                model: definition.model,
                wraps: false,
                property_file: Some(goal.file),
                error_function: None,
            }),
        }
    }
    Ok(())
}

fn read_index(path: &Path, found: &mut Found) -> Result<()> {
    let text = read(path)?;
    let mut lines = text.lines();
    let columns = Columns::new(lines.next().unwrap_or_default())
        .with_context(|| format!("{} is not an index of tasks", path.display()))?;
    for (number, line) in lines.enumerate().filter(|(_, line)| !line.is_empty()) {
        let row = columns
            .row(path, line)
            .with_context(|| format!("{}:{}", path.display(), number + 2))?;
        match row {
            Some(task) => found.tasks.push(task),
            None => found.unsupported += 1,
        }
    }
    Ok(())
}

/// Where the columns of an index are.
struct Columns {
    category: usize,
    file: usize,
    property: usize,
    verdict: usize,
    model: Option<usize>,
    semantics: Option<usize>,
    error: Option<usize>,
}

impl Columns {
    fn new(header: &str) -> Result<Columns> {
        let names: Vec<&str> = header.split('\t').collect();
        let at = |name: &str| names.iter().position(|n| *n == name);
        let need = |name: &str| at(name).with_context(|| format!("there is no column `{name}`"));
        Ok(Columns {
            category: need("category")?,
            file: need("file")?,
            property: need("property")?,
            verdict: need("verdict")?,
            model: at("data_model"),
            semantics: at("semantics"),
            error: at("errfn"),
        })
    }

    /// `None` for a property that is not known.
    fn row(&self, index: &Path, line: &str) -> Result<Option<Task>> {
        let cells: Vec<&str> = line.split('\t').collect();
        let cell = |at: usize| cells.get(at).copied().context("the row is too short");
        let name = cell(self.file)?;
        let Ok(property) = cell(self.property)?.parse() else { return Ok(None) };
        let expected = match cell(self.verdict)? {
            "true" => true,
            "false" => false,
            other => bail!("the verdict is `{other}`, not `true` or `false`"),
        };
        let model = match self.model.map(cell).transpose()? {
            None | Some("") => None,
            Some("ILP32") => Some(DataModel::Ilp32),
            Some("LP64") => Some(DataModel::Lp64),
            Some(other) => bail!("unknown data model `{other}`"),
        };
        let wraps = match self.semantics.map(cell).transpose()? {
            None | Some("" | "ub") => false,
            Some("wrap") => true,
            Some(other) => bail!("unknown semantics `{other}` (`ub` and `wrap` are known)"),
        };
        ensure!(!(wraps && property == Property::NoOverflow), "`wrap` contradicts no-overflow");
        Ok(Some(Task {
            name: name.to_owned(),
            category: cell(self.category)?.to_owned(),
            file: beside(index, name),
            property,
            expected,
            model,
            wraps,
            property_file: None,
            error_function: self.error.map(cell).transpose()?.and_then(function_name),
        }))
    }
}

/// Other cells (`-`) say that there is none.
fn function_name(cell: &str) -> Option<String> {
    let is_name = !cell.is_empty() && cell.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    is_name.then(|| cell.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(text: &str) -> Result<Found> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("index.tsv");
        fs::write(&path, text).unwrap();
        find(&[path])
    }

    #[test]
    fn an_index_is_read_by_its_header() {
        let found = index(
            "file\tverdict\tcategory\tproperty\tsemantics\tdata_model\n\
             a/x.c\ttrue\ta\tunreach-call\tub\tILP32\n\
             a/y.c\tfalse\ta\tunreach-call\twrap\tLP64\n\
             a/y.c\tfalse\ta\ttermination\tub\tLP64\n\
             a/x.c\ttrue\ta\tunreach-call\tub\tILP32\n",
        )
        .unwrap();
        assert_eq!((found.unsupported, found.unrated, found.tasks.len()), (1, 0, 2));
        let [x, y] = &found.tasks[..] else { panic!() };
        assert_eq!((x.name.as_str(), x.category.as_str(), x.expected), ("a/x.c", "a", true));
        assert_eq!((x.model, x.wraps), (Some(DataModel::Ilp32), false));
        assert!(x.file.ends_with("a/x.c") && x.file.is_absolute());
        assert_eq!((y.model, y.wraps, y.expected), (Some(DataModel::Lp64), true, false));
    }

    #[test]
    fn a_broken_index_says_where() {
        let header = "category\tfile\tproperty\tverdict\tsemantics\n";
        for (text, message) in [
            ("category\tfile\tproperty\n", "there is no column `verdict`"),
            (&format!("{header}a\tx.c\tunreach-call\n"), "the row is too short"),
            (&format!("{header}a\tx.c\tunreach-call\tmaybe\tub\n"), "the verdict is `maybe`"),
            (&format!("{header}a\tx.c\tno-overflow\ttrue\twrap\n"), "`wrap` contradicts"),
            (&format!("{header}a\tx.c\tunreach-call\ttrue\tub?\n"), "unknown semantics `ub?`"),
        ] {
            let error = format!("{:#}", index(text).unwrap_err());
            assert!(error.contains(message), "{error}");
        }
    }
}
