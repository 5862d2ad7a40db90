//! Frama-C's Eva on functions, without and with their contracts.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};

use anyhow::Result;
use lakatos_contracts::eva::Alarms;
use lakatos_contracts::frama_c::Row;

use super::Found;
use super::frama_c::Run;
use crate::exit::Exit;
use crate::terminal::{self, UNSURE};

const PROPERTIES: &str = "alarms.csv";

impl Run<'_> {
    /// Tells which alarms the contracts remove.
    pub(super) fn alarms(&self, found: &Found<'_>) -> Result<Exit> {
        let out = &mut terminal::stderr();
        let name = self.name();
        match self.of_functions(found)? {
            Ok(alarms) => {
                tell(out, name, &alarms)?;
                let is_wrong = alarms.iter().any(|alarms| !alarms.wrong.is_empty());
                Ok(if is_wrong { Exit::Unknown } else { Exit::Good })
            }
            Err(reason) => {
                writeln!(out, "{name}: {UNSURE}not run{UNSURE:#}: {reason}")?;
                Ok(Exit::Unknown)
            }
        }
    }

    /// Of every function with a body; else why there is no answer.
    fn of_functions(&self, found: &Found<'_>) -> Result<Result<Vec<Alarms>, String>> {
        let mut all = Vec::new();
        for function in found.contracts.functions.iter().filter(|f| f.has_body) {
            let name = &function.name;
            let mut reports = Vec::with_capacity(2);
            for text in [found.text, &found.annotated.text] {
                match self.report(text, name)? {
                    Ok(report) => reports.push(report),
                    Err(reason) => return Ok(Err(format!("`{name}`: {reason}"))),
                }
            }
            match Alarms::new(name, &reports[0], &reports[1]) {
                Ok(alarms) => all.push(alarms),
                Err(error) => return Ok(Err(format!("`{name}`: {error}"))),
            }
        }
        Ok(Ok(all))
    }

    /// The properties of a text, as Eva sees them from one of its functions.
    fn report(&self, text: &str, function: &str) -> Result<Result<String, String>> {
        let path = self.path(PROPERTIES);
        let (mut command, file) = self.begin(text)?;
        command.extend(["-eva", "-eva-verbose", "0", "-main", function].map(OsString::from));
        if function != "main" {
            // Whoever calls it may have changed globals.
            command.push("-lib-entry".into());
        }
        command.push(file.into());
        command.extend(["-then".into(), "-report-csv".into(), path.clone().into()]);
        let Some(finished) = self.start(&command)? else {
            return Ok(Err("it was cancelled".to_owned()));
        };
        let report = self.said(&finished).and_then(|messages| self.read(PROPERTIES, &messages));
        // The next run must not find it.
        let _ = fs::remove_file(path);
        Ok(report)
    }
}

fn tell(out: &mut impl Write, name: &str, all: &[Alarms]) -> io::Result<()> {
    let without: usize = all.iter().map(Alarms::without).sum();
    let with: usize = all.iter().map(Alarms::with).sum();
    let alarms = if without == 1 { "alarm" } else { "alarms" };
    writeln!(out, "{name}: {without} {alarms} without the contracts, {with} with them")?;
    for alarms in all {
        let removed = alarms.removed.len();
        writeln!(out, "  {}: {removed} of {} removed", alarms.function, alarms.without())?;
        let kinds = [("removed", &alarms.removed), ("left", &alarms.left)];
        for (word, rows) in kinds {
            for Row { line, kind, text, .. } in rows {
                writeln!(out, "    {word}: line {line}: {kind}: {text}")?;
            }
        }
        for Row { line, kind, text, .. } in &alarms.new {
            writeln!(out, "    new: line {line} of the annotated program: {kind}: {text}")?;
        }
        for Row { line, kind, text, .. } in &alarms.wrong {
            let at = format!("line {line} of the annotated program");
            writeln!(out, "    {UNSURE}false{UNSURE:#}, says Eva: {at}: {kind}: {text}")?;
        }
    }
    Ok(())
}
