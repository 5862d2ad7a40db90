//! Other tools, measured in the same run as Lakatos: who solves what, and how much faster.

use std::env;
use std::fmt::Write;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::rows::{Line, Rows, footnotes, read, striking};

/// Less processor time than this is not measured.
const LEAST_TIME: f64 = 0.001;

/// Another tool.
#[derive(Clone, Copy, Debug)]
pub struct Peer {
    /// As its rows name it.
    pub name: &'static str,
    /// As people do.
    pub title: &'static str,
    /// The variable that says where it is, if it is not on the path.
    variable: &'static str,
    /// What `lakatos bench --tool` is told.
    command: &'static str,
    says: &'static [&'static str],
}

pub const CBMC: Peer = Peer {
    name: "cbmc",
    title: "CBMC",
    variable: "CBMC",
    command: "contrib/peers/cbmc.sh {bits} {file}",
    says: &["TRUE=true", "FALSE=false"],
};

impl Peer {
    /// Options of `lakatos bench`.
    pub(super) fn arguments(&self) -> Vec<String> {
        let mut args = vec!["--tool", self.command, "--tool-name", self.name];
        args.extend(self.says.iter().flat_map(|says| ["--says", says]));
        args.into_iter().map(str::to_owned).collect()
    }

    /// An error says that it is absent, and what to do.
    pub(super) fn version(&self) -> Result<String> {
        let program = env::var(self.variable).unwrap_or_else(|_| self.name.to_owned());
        let output = Command::new(&program).arg("--version").output();
        let output = output.with_context(|| {
            format!("`{program}` cannot be run; install it, or name it in ${}", self.variable)
        })?;
        ensure!(output.status.success(), "`{program} --version` fails");
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }
}

/// Another tool and Lakatos on the same tasks.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// What the other one solves, and where it is wrong.
    pub solved: usize,
    pub wrong: usize,
    pub both: usize,
    /// The geometric mean of its processor time over that of Lakatos, of the tasks that both solve.
    pub slower: Option<f64>,
}

impl Comparison {
    pub(super) fn read(text: &str, peer: &str) -> Result<Comparison> {
        Ok(Comparison::new(&read(text, "lakatos")?.1, &read(text, peer)?.1))
    }

    fn new(ours: &Rows, theirs: &Rows) -> Comparison {
        let ratios: Vec<f64> = theirs
            .iter()
            .filter(|(_, row)| row.right == Some(true))
            .filter_map(|(task, row)| {
                let own = ours.get(task).filter(|own| own.right == Some(true))?;
                Some((row.cpu.max(LEAST_TIME) / own.cpu.max(LEAST_TIME)).ln())
            })
            .collect();
        let count = |right: bool| theirs.values().filter(|row| row.right == Some(right)).count();
        Comparison {
            solved: count(true),
            wrong: count(false),
            both: ratios.len(),
            slower: (!ratios.is_empty())
                .then(|| (ratios.iter().sum::<f64>() / ratios.len() as f64).exp()),
        }
    }
}

/// The table, and below it machine, versions, limits and commands.
pub(super) fn render(peer: &Peer, about: &str, lines: &[Line]) -> String {
    let name = peer.title;
    let mut text = format!(
        "| {about} | of | Lakatos solves | wrong | {name} solves | wrong | both solve | time of {name} over \
         that of Lakatos on these |\n|---|---|---|---|---|---|---|---|\n"
    );
    for line in lines {
        let Line { title, summary, made, .. } = line;
        let Some(peer) = &line.peer else { continue };
        let partial = if made.is_none() { " (the run has not ended)" } else { "" };
        let ratio = peer.slower.map_or_else(String::new, |ratio| format!("{ratio:.1}"));
        let _ = writeln!(
            text,
            "| {title}{partial} | {} | {} | {} | {} | {} | {} | {ratio} |",
            summary.tasks,
            summary.solved(),
            striking(summary.wrong),
            peer.solved,
            striking(peer.wrong),
            peer.both,
        );
    }
    text + &footnotes(lines)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::Summary;

    fn row(tool: &str, task: &str, right: &str, cpu: f64) -> String {
        format!(
            "{{\"tool\":\"{tool}\",\"task\":\"{task}\",\"property\":\"p\",\"answer\":\"true\",\
             \"right\":{right},\"cpu\":{cpu}}}\n"
        )
    }

    fn rows() -> String {
        let first =
            r#"{"lakatos":"0.1.0","build":"b","timeout":20.0,"wall":200.0,"memory":4294967296}"#;
        [
            format!("{first}\n"),
            row("lakatos", "a.c", "true", 0.5),
            row("cbmc", "a.c", "true", 1.0),
            row("lakatos", "b.c", "true", 0.0),
            row("cbmc", "b.c", "true", 0.008),
            row("lakatos", "c.c", "true", 1.0),
            row("cbmc", "c.c", "null", 20.0),
            row("lakatos", "d.c", "null", 20.0),
            row("cbmc", "d.c", "true", 1.0),
            row("lakatos", "e.c", "true", 1.0),
            row("cbmc", "e.c", "false", 1.0),
        ]
        .concat()
    }

    #[test]
    fn who_solves_what() {
        let comparison = Comparison::read(&rows(), "cbmc").unwrap();
        assert_eq!((comparison.solved, comparison.wrong, comparison.both), (3, 1, 2));
        // 2 and 8 (what takes no time takes a millisecond).
        assert!((comparison.slower.unwrap() - 4.0).abs() < 1e-9, "{comparison:?}");
        let absent = Comparison::read(&rows(), "esbmc").unwrap();
        assert_eq!((absent.solved, absent.both, absent.slower), (0, 0, None));
    }

    #[test]
    fn a_table() {
        let text = rows();
        let line = Line {
            title: "x".to_owned(),
            summary: Summary::read(&text).unwrap(),
            peer: Some(Comparison::read(&text, "cbmc").unwrap()),
            made: None,
        };
        let table = render(&CBMC, "tasks", &[line]);
        assert!(
            table.contains("| x (the run has not ended) | 5 | 4 | 0 | 3 | **1** | 2 | 4.0 |"),
            "{table}"
        );
        assert!(table.starts_with("| tasks | of | Lakatos solves |"), "{table}");
        assert!(table.contains("- Limits: 20 s of processor time"), "{table}");
    }
}
