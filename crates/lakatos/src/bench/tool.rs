//! What answers: Lakatos, and other tools that are measured beside it under the same limits.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use regex::{Regex, RegexBuilder};
use serde::{Deserialize, Serialize};

use super::answer::{self, Answer, Said};
use super::child::{Finished, Limits};
use super::select::fingerprint;
use super::tasks::Task;
use super::template::Template;
use crate::{args, load};

/// The name of ourselves among the tools.
pub const LAKATOS: &str = "lakatos";

#[derive(Debug)]
pub struct Tool {
    pub name: String,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Lakatos { program: PathBuf, flags: Vec<String> },
    Other { command: String, template: Template, says: Vec<Pattern> },
}

/// A pattern in the output of a tool, and what it means.
#[derive(Debug)]
struct Pattern {
    regex: Regex,
    answer: Answer,
}

/// Of a tool, as far as rows depend on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    pub name: String,
    pub command: String,
    pub says: Vec<String>,
    /// A fingerprint of the program.
    pub build: String,
}

/// The tools of a run, in the order of their lines in the table.
pub fn tools(args: &args::BenchRun, program: PathBuf) -> Result<Vec<Tool>> {
    let mut tools = Vec::new();
    if !args.tools.only {
        let kind = Kind::Lakatos { program, flags: args.flags.clone() };
        tools.push(Tool { name: LAKATOS.to_owned(), kind });
    }
    for tool in &args.tools.tools {
        let tool = Tool::other(tool).with_context(|| format!("--tool '{}'", tool.command))?;
        let is_new = tools.iter().all(|known| known.name != tool.name);
        ensure!(is_new, "two tools are called {}: give one another --tool-name", tool.name);
        tools.push(tool);
    }
    ensure!(!tools.is_empty(), "there is nothing to run: --only-tools needs a --tool");
    Ok(tools)
}

impl Tool {
    fn other(args: &args::ToolArgs) -> Result<Tool> {
        let template = Template::new(&args.command)?;
        let file_name = Path::new(template.program()).file_name();
        let program = file_name.map(|name| name.to_string_lossy().into_owned());
        let name = args.name.clone().or(program).unwrap_or_else(|| "tool".to_owned());
        ensure!(!args.says.is_empty(), "say what its output means with --says");
        let says = args.says.iter().map(|text| Pattern::new(text)).collect::<Result<_>>()?;
        Ok(Tool { name, kind: Kind::Other { command: args.command.clone(), template, says } })
    }

    pub fn is_lakatos(&self) -> bool {
        matches!(self.kind, Kind::Lakatos { .. })
    }

    /// A fingerprint of the program that answers.
    pub fn build(&self) -> Result<String> {
        let path = match &self.kind {
            Kind::Lakatos { program, .. } => program.clone(),
            Kind::Other { template, .. } => find(template.program())?,
        };
        let bytes = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        Ok(format!("{:016x}", fingerprint(&bytes)))
    }

    pub fn settings(&self) -> Result<Option<Settings>> {
        let Kind::Other { command, says, .. } = &self.kind else { return Ok(None) };
        Ok(Some(Settings {
            name: self.name.clone(),
            command: command.clone(),
            says: says.iter().map(Pattern::text).collect(),
            build: self.build()?,
        }))
    }

    pub fn command(&self, task: &Task, limits: &Limits) -> Result<Vec<OsString>> {
        match &self.kind {
            Kind::Lakatos { program, flags } => Ok(verify(program, flags, task, limits)),
            Kind::Other { template, .. } => template.command(task, limits),
        }
    }

    pub fn read(&self, finished: &Finished, task: &Task, limits: &Limits) -> Said {
        answer::read(finished, limits, |code| match &self.kind {
            Kind::Lakatos { .. } => answer::of_code(code, finished, task.property),
            Kind::Other { says, .. } => of_output(finished, says),
        })
    }
}

fn verify(program: &Path, flags: &[String], task: &Task, limits: &Limits) -> Vec<OsString> {
    let timeout = limits.wall.as_secs_f64().to_string();
    let mut words: Vec<OsString> = vec![program.into()];
    words.extend(["verify", "--color", "never", "--timeout", &timeout].map(OsString::from));
    words.extend(["--property", task.property.name()].map(OsString::from));
    if let Some(model) = task.model {
        words.extend(["--data-model", load::model_name(model)].map(OsString::from));
    }
    if task.wraps {
        words.extend(["--signed-overflow", "wrap"].map(OsString::from));
    }
    // Tasks come from indexes and task files.
    if !flags.iter().any(|flag| flag.starts_with("--volatile")) {
        words.extend(["--volatile", "memory"].map(OsString::from));
    }
    words.extend(flags.iter().map(OsString::from));
    words.push(task.file.clone().into());
    words
}

/// Where a program is, as the system would find it.
fn find(program: &str) -> Result<PathBuf> {
    if program.contains('/') {
        return Ok(program.into());
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).map(|folder| folder.join(program));
    let mut found = found.filter(|path| path.is_file());
    found.next().with_context(|| format!("there is no program `{program}` in PATH"))
}

/// The first pattern that is found decides; what matches nothing is unknown.
fn of_output(finished: &Finished, says: &[Pattern]) -> Said {
    for Pattern { regex, answer } in says {
        for text in [&finished.stdout, &finished.stderr] {
            if let Some(found) = regex.find(text) {
                let words = answer::line_at(text, found.start());
                let is_verdict = matches!(answer, Answer::True | Answer::False);
                let reason = if is_verdict { String::new() } else { words.clone() };
                return Said { answer: *answer, reason, words };
            }
        }
    }
    let last = [&finished.stderr, &finished.stdout].map(|text| answer::last_line(text));
    let words = last.into_iter().find(|line| !line.is_empty()).unwrap_or_default();
    let reason = format!("nothing that it says is known: {words}");
    Said { answer: Answer::Unknown, reason, words }
}

impl Pattern {
    /// `REGEX=ANSWER`.
    fn new(text: &str) -> Result<Pattern> {
        let (regex, answer) = text
            .rsplit_once('=')
            .with_context(|| format!("--says '{text}': write REGEX=ANSWER"))?;
        let answer =
            Answer::ALL.into_iter().find(|known| known.name() == answer).with_context(|| {
                let known = Answer::ALL.map(Answer::name).join(", ");
                format!("--says '{text}': the answer is `{answer}`, not one of {known}")
            })?;
        let regex = RegexBuilder::new(regex).multi_line(true).build();
        let regex = regex.with_context(|| format!("--says '{text}'"))?;
        ensure!(!regex.is_match(""), "--says '{text}': the pattern matches everything");
        Ok(Pattern { regex, answer })
    }

    fn text(&self) -> String {
        format!("{}={}", self.regex.as_str(), self.answer.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::child::End;

    #[track_caller]
    fn check(stdout: &str, stderr: &str, expected: (Answer, &str, &str)) {
        let says = ["^OK$=true", "FAILED|bad=false", "out of time=timeout", "x=y=unknown"];
        let says: Vec<Pattern> = says.iter().map(|text| Pattern::new(text).unwrap()).collect();
        let finished = Finished {
            end: End::Code(0),
            stdout: stdout.to_owned(),
            stderr: stderr.to_owned(),
            wall: Default::default(),
            usage: Default::default(),
        };
        let said = of_output(&finished, &says);
        assert_eq!((said.answer, said.reason.as_str(), said.words.as_str()), expected);
    }

    #[test]
    fn patterns_decide() {
        use Answer::*;
        check("a\nOK\nb", "", (True, "", "OK"));
        check("a\nOKAY\nVERIFICATION FAILED.\n", "", (False, "", "VERIFICATION FAILED."));
        check("bad\nOK", "", (True, "", "OK"));
        check("", "was out of time", (Timeout, "was out of time", "was out of time"));
        check("if x=y then", "", (Unknown, "if x=y then", "if x=y then"));
        let nothing = "nothing that it says is known: ";
        check("hm\n", "", (Unknown, &format!("{nothing}hm"), "hm"));
        check("", "", (Unknown, nothing, ""));
    }

    #[test]
    fn what_is_no_pattern() {
        for (text, message) in [
            ("OK", "write REGEX=ANSWER"),
            ("OK=yes", "the answer is `yes`, not one of true, false, unknown"),
            ("(=true", "--says '(=true'"),
            ("=true", "matches everything"),
            ("x*=true", "matches everything"),
        ] {
            let error = format!("{:#}", Pattern::new(text).unwrap_err());
            assert!(error.contains(message), "{error}");
        }
    }
}
