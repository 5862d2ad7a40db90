//! Files of rows as runs: what one tool has answered under one setting, with a name.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::results::{Log, Row, Settings};

#[derive(Clone, Debug)]
pub struct Run {
    pub name: String,
    pub settings: Settings,
    /// In order of task and property.
    pub rows: Vec<Row>,
}

/// The runs of several files. A run is called by its tool if there is one file only, else by its
/// file, and by both if the file holds several.
pub fn read(paths: &[PathBuf]) -> Result<Vec<Run>> {
    let stems: Vec<String> = paths.iter().map(|path| stem(path)).collect();
    let mut runs = Vec::new();
    for (path, stem) in paths.iter().zip(&stems) {
        let is_twice = stems.iter().filter(|other| *other == stem).count() > 1;
        let file = if is_twice { path.display().to_string() } else { stem.clone() };
        let tools = tools(Log::read(path)?);
        let several = tools.len() > 1;
        for mut run in tools {
            match (paths.len(), several) {
                (1, _) => {}
                (_, false) => run.name.clone_from(&file),
                (_, true) => run.name = format!("{file}: {}", run.name),
            }
            runs.push(run);
        }
    }
    Ok(runs)
}

/// The run of a file that a tool has made, or the only one in it.
pub fn one(path: &Path, tool: Option<&str>) -> Result<Run> {
    let mut runs = tools(Log::read(path)?);
    let names: Vec<String> = runs.iter().map(|run| run.name.clone()).collect();
    let names = names.join(", ");
    match (tool, &mut runs[..]) {
        (None, [_]) => Ok(runs.remove(0)),
        (None, []) => bail!("{} holds no row", path.display()),
        (None, _) => {
            bail!("{} holds rows of several tools ({names}): choose with --tool", path.display())
        }
        (Some(tool), _) => {
            let run = runs.into_iter().find(|run| run.name == tool);
            run.with_context(|| format!("{} holds rows of {names}, not of {tool}", path.display()))
        }
    }
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Lakatos first, if it was asked, then the others as they were given.
fn tools(log: Log) -> Vec<Run> {
    let Log { settings, rows } = log;
    let mut runs: Vec<Run> = Vec::new();
    for (_, row) in rows {
        match runs.iter_mut().find(|run| run.name == row.tool) {
            Some(run) => run.rows.push(row),
            None => {
                let (name, settings) = (row.tool.clone(), settings.clone());
                runs.push(Run { name, settings, rows: vec![row] });
            }
        }
    }
    let place = |run: &Run| settings.tools.iter().position(|tool| tool.name == run.name);
    runs.sort_by_key(place);
    runs
}
