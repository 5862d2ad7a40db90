//! Frama-C on an annotated program, under limits. What its reports mean is the business of
//! `lakatos-contracts`.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result, bail};
use lakatos_contracts::Annotated;
use lakatos_contracts::frama_c::{Output, Validation, judge};
use lakatos_contracts::goals::Goals;
use lakatos_ir::DataModel;
use tempfile::TempDir;

use crate::args::{self, Overflow, Validator};
use crate::bench::child::{self, End, Finished, Limits};
use crate::exit::Exit;
use crate::load::Choice;
use crate::scan::first_directive;
use crate::terminal::{self, GOOD, UNSURE};

const COMMAND: &str = "frama-c";

/// In bytes, where the user sets no limit.
const MEMORY: u64 = 8 << 30;

/// How many lines of Frama-C's complaints are shown.
const MAX_LINES: usize = 20;

/// Nothing can be validated without it.
pub fn ensure_installed() -> Result<()> {
    let mut command = Command::new(COMMAND);
    command.arg("-version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => bail!(
            "`{COMMAND}` is not installed\n  On Debian: apt-get install --no-install-recommends \
             frama-c-base why3 z3 cvc4 && why3 config detect"
        ),
        Ok(status) => bail!("`{COMMAND} -version` fails ({status})"),
        Err(error) => bail!("`{COMMAND}` cannot be run: {error}"),
    }
}

impl Validator {
    fn name(self) -> &'static str {
        match self {
            Validator::FramaC => "frama-c",
            Validator::FramaCRte => "frama-c-rte",
            Validator::FramaCEva => "frama-c-eva",
        }
    }

    fn with_rte(self) -> bool {
        self == Validator::FramaCRte
    }
}

/// One run of Frama-C, in a folder of its own.
pub struct Run<'a> {
    args: &'a args::Infer,
    choice: &'a Choice,
    validator: Validator,
    stop: &'a AtomicBool,
    folder: TempDir,
}

impl<'a> Run<'a> {
    /// `stop` is set when the user wants an end.
    pub fn new(
        args: &'a args::Infer,
        choice: &'a Choice,
        validator: Validator,
        stop: &'a AtomicBool,
    ) -> Result<Run<'a>> {
        let folder = tempfile::tempdir().context("a temporary folder")?;
        Ok(Run { args, choice, validator, stop, folder })
    }

    /// Tells what Frama-C proves.
    pub fn validate(&self, annotated: &Annotated, goals: &Goals) -> Result<Exit> {
        let out = &mut terminal::stderr();
        let name = self.validator.name();
        let judged = match self.start(&self.prove(&annotated.text)?)? {
            Some(finished) => self.judge(&finished, goals),
            None => Err("it was cancelled".to_owned()),
        };
        match judged {
            Ok(validation) => {
                tell(out, name, &validation)?;
                Ok(if validation.is_valid() { Exit::Good } else { Exit::Unknown })
            }
            Err(reason) => {
                writeln!(out, "{name}: {UNSURE}not validated{UNSURE:#}: {reason}")?;
                Ok(Exit::Unknown)
            }
        }
    }

    pub(super) fn name(&self) -> &'static str {
        self.validator.name()
    }

    /// `None` if the user has stopped it.
    pub(super) fn start(&self, command: &[OsString]) -> Result<Option<Finished>> {
        let limits = Limits {
            cpu: 2 * self.args.validate_timeout,
            wall: self.args.validate_timeout,
            memory: self.args.limits.memory.map_or(MEMORY, |mb| u64::from(mb) << 20),
        };
        let program = std::env::current_exe().context("this program")?;
        child::run(&program, command, &limits, self.stop)
            .with_context(|| format!("`{COMMAND}` cannot be run"))
    }

    /// How every run begins, and the file with the text, which comes last.
    pub(super) fn begin(&self, text: &str) -> Result<(Vec<OsString>, PathBuf)> {
        // Without directives no preprocessor has to look at it, and what `.i` means to Frama-C is
        // that none has to.
        let plain = first_directive(text.as_bytes()).is_none();
        let file = self.path(if plain { "annotated.i" } else { "annotated.c" });
        fs::write(&file, text)?;
        let machine = match self.choice.model {
            DataModel::Ilp32 => "gcc_x86_32",
            DataModel::Lp64 => "gcc_x86_64",
        };
        let mut command: Vec<OsString> = [COMMAND, "-machdep", machine].map(OsString::from).into();
        if !plain {
            let folder = self.choice.path.parent().unwrap_or(Path::new("")).canonicalize();
            if let Ok(folder) = folder {
                let include = format!("-cpp-extra-args=-I'{}'", folder.display());
                command.push(include.into());
            }
        }
        if self.args.signed_overflow == Overflow::Wrap {
            command.push("-no-warn-signed-overflow".into());
        }
        Ok((command, file))
    }

    /// WP on the annotated text.
    fn prove(&self, text: &str) -> Result<Vec<OsString>> {
        let (mut command, file) = self.begin(text)?;
        command.extend(["-wp", "-wp-prover", "cvc4,z3", "-wp-timeout"].map(OsString::from));
        command.push(self.args.wp_timeout.to_string().into());
        command.extend(["-wp-par", "1", "-wp-check-memory-model"].map(OsString::from));
        if self.validator.with_rte() {
            command.push("-wp-rte".into());
        }
        command.extend(["-wp-report-json".into(), self.path(NUMBERS).into(), file.into()]);
        command.extend(["-then".into(), "-report-csv".into(), self.path(PROPERTIES).into()]);
        Ok(command)
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// What a run said that came to its end; else why it shows nothing.
    pub(super) fn said(&self, finished: &Finished) -> Result<String, String> {
        let messages = finished.stdout.clone() + &finished.stderr;
        match finished.end {
            End::Code(0) => Ok(messages),
            End::OutOfTime => Err("Frama-C reached the time limit".to_owned()),
            End::OutOfMemory => Err("Frama-C reached the memory limit".to_owned()),
            _ => Err(format!("Frama-C failed\n{}", complaint(&messages))),
        }
    }

    /// A report of the run that said this.
    pub(super) fn read(&self, name: &str, messages: &str) -> Result<String, String> {
        fs::read_to_string(self.path(name))
            .map_err(|_| format!("Frama-C has written no report\n{}", complaint(messages)))
    }

    /// What the run shows; else why it shows nothing.
    fn judge(&self, finished: &Finished, goals: &Goals) -> Result<Validation, String> {
        let messages = self.said(finished)?;
        let numbers = self.read(NUMBERS, &messages)?;
        let properties = self.read(PROPERTIES, &messages)?;
        let output = Output {
            messages: &messages,
            numbers: &numbers,
            properties: &properties,
            with_rte: self.validator.with_rte(),
        };
        judge(output, goals).map_err(|error| error.to_string())
    }
}

const NUMBERS: &str = "goals.json";
const PROPERTIES: &str = "properties.csv";

/// What Frama-C said, from the first line that tells of something wrong.
fn complaint(messages: &str) -> String {
    let lines: Vec<&str> = messages.lines().collect();
    let wrong = |line: &&str| line.contains("Error") || line.contains("error");
    let first = lines.iter().position(wrong).unwrap_or(0);
    let shown: Vec<String> =
        lines[first..].iter().take(MAX_LINES).map(|line| format!("  {line}")).collect();
    shown.join("\n")
}

fn tell(out: &mut impl Write, name: &str, validation: &Validation) -> io::Result<()> {
    let Validation { total, valid, .. } = validation;
    match validation.is_valid() {
        true => writeln!(out, "{name}: {GOOD}validated{GOOD:#} ({valid} of {total} goals)")?,
        false => {
            writeln!(out, "{name}: {UNSURE}not validated{UNSURE:#} ({valid} of {total} goals)")?;
        }
    }
    for (function, rows) in validation.by_function() {
        let open = rows.iter().filter(|row| !validation.is_proved(row));
        match open.clone().count() {
            0 => writeln!(out, "  {function}: proved ({})", rows.len())?,
            count => writeln!(out, "  {function}: {count} of {} unproved", rows.len())?,
        }
        for row in open {
            writeln!(out, "    line {}: {}: {} ({})", row.line, row.kind, row.text, row.status)?;
        }
    }
    for goal in &validation.missing {
        writeln!(out, "  missing: {goal}")?;
    }
    for complaint in &validation.complaints {
        writeln!(out, "  Frama-C says: {complaint}")?;
    }
    Ok(())
}
