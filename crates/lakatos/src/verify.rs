//! `lakatos verify`: the properties to check, and what is known about each of them in the end.

use std::fmt;
use std::io::{self, Write};

use anyhow::{Result, ensure};
use lakatos_ir::{Program, Property};

use crate::args::{Overflow, Verify};
use crate::exit::Exit;
use crate::load::{self, Choice, Refused, choose};
use crate::task::Asked;
use crate::terminal::{BOLD, UNSURE};

pub fn verify(args: &Verify) -> Result<Exit> {
    let choice = choose(&args.input)?;
    let asked = asked(args, &choice);
    ensure!(
        args.signed_overflow == Overflow::Undefined
            || !asked.contains(&Asked::Known(Property::NoOverflow)),
        "`--signed-overflow wrap` contradicts the property no-overflow: nothing overflows when \
         it wraps around\n  Check no-overflow without it, or leave the property out."
    );
    let out = &mut anstream::stdout().lock();
    let program = match choice.compile()? {
        Ok(program) => program,
        Err(refused) => {
            if let Refused::Unsupported(reason) = &refused {
                unknown(out, &choice, &asked, reason)?;
            }
            return Ok(refused.exit());
        }
    };
    unknown(out, &choice, &asked, "no engine is built in yet; this version cannot decide it")?;
    writeln!(out, "established: the program parses, type-checks and lowers to {}", Size(&program))?;
    Ok(Exit::Unknown)
}

/// What to check: as flags say, else the task file, else that no error is reachable.
fn asked(args: &Verify, choice: &Choice) -> Vec<Asked> {
    let mut asked: Vec<Asked> = args.properties.iter().copied().map(Asked::Known).collect();
    if asked.is_empty() {
        asked.clone_from(&choice.asked);
    }
    if asked.is_empty() {
        asked.push(Asked::Known(Property::UnreachCall));
    }
    let mut seen = Vec::new();
    asked.retain(|property| {
        let new = !seen.contains(property);
        seen.push(property.clone());
        new
    });
    asked
}

/// One line per property.
fn unknown(out: &mut impl Write, choice: &Choice, asked: &[Asked], reason: &str) -> io::Result<()> {
    let (name, model) = (choice.name(), load::model_name(choice.model));
    writeln!(out, "{BOLD}{name}{BOLD:#} ({model})")?;
    for property in asked {
        match property {
            Asked::Known(property) => {
                writeln!(out, "{property}: {UNSURE}unknown{UNSURE:#}: {reason}")?
            }
            Asked::Unsupported(name) => {
                writeln!(out, "{name}: {UNSURE}unknown{UNSURE:#}: this property is not supported")?
            }
        }
    }
    Ok(())
}

/// How much there is to verify, in words.
struct Size<'p>(&'p Program);

impl fmt::Display for Size<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let defined = || self.0.defined().filter(|(id, ..)| *id != self.0.start);
        let locations: usize = defined().map(|(.., cfa)| cfa.locs.len()).sum();
        let edges: usize = defined().map(|(.., cfa)| cfa.edges.len()).sum();
        let procedures = defined().count();
        let s = if procedures == 1 { "" } else { "s" };
        write!(f, "{procedures} procedure{s}, {locations} locations, {edges} edges")
    }
}
