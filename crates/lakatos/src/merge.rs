//! `lakatos contracts merge` and `lakatos contracts recheck`: contracts files in, answers out.

use std::io::{self, Write};
use std::path::Path;

use anyhow::{Result, anyhow, bail};
use lakatos_lattice::file::{self, Contracts};
use lakatos_lattice::merge::{self, Client, Recheck};
use lakatos_lattice::space::{Counterexample, Fails};
use lakatos_logic::smt::{Limits, Smt};

use crate::args::{MergeArgs, RecheckArgs};
use crate::exit::Exit;
use crate::input;
use crate::terminal::{BAD, GOOD, UNSURE, note};
use crate::whole;

/// What a question about contracts may cost: seconds at most.
const QUERY: Limits = Limits { resources: Some(20_000_000), time: None };

pub fn merge(args: &MergeArgs) -> Result<Exit> {
    let read_too: Vec<_> = args.files.iter().map(|path| (&**path, "read, too")).collect();
    whole::ensure_apart(args.output.as_deref(), &read_too)?;
    let files = args.files.iter().map(|path| read(path)).collect::<Result<Vec<_>>>()?;
    let clients: Vec<Client<'_>> =
        files.iter().map(|(file, contracts)| Client { file, contracts }).collect();
    let merged = merge::merge(&clients, &mut Smt::new(QUERY))?;
    let text = match args.acsl {
        true => merged.iter().map(|merged| merged.acsl()).collect::<Vec<String>>().join("\n"),
        false => merge::to_json(&clients, &merged)?,
    };
    whole::write_or_print(args.output.as_deref(), &text)?;
    let notes: Vec<&String> = merged.iter().flat_map(|merged| &merged.notes).collect();
    for message in &notes {
        note(message);
    }
    Ok(if notes.is_empty() { Exit::Good } else { Exit::Bad })
}

pub fn recheck(args: &RecheckArgs) -> Result<Exit> {
    let (client, library) = (read(&args.client)?, read(&args.library)?);
    let (client, library) = (
        Client { file: &client.0, contracts: &client.1 },
        Client { file: &library.0, contracts: &library.1 },
    );
    let found = merge::recheck(client, library, &mut Smt::new(QUERY))?;
    if found.is_empty() {
        bail!("{} and {} have no function in common", client.file, library.file);
    }
    let out = &mut anstream::stdout().lock();
    let mut exits = Vec::new();
    for (function, answer) in found {
        exits.push(tell(out, &function, &answer)?);
    }
    Ok(Exit::overall(&exits))
}

fn tell(out: &mut impl Write, function: &str, answer: &Recheck) -> io::Result<Exit> {
    match answer {
        Recheck::NotNeeded => {
            writeln!(out, "{function}: {GOOD}no need to check{GOOD:#} the client again")?;
            Ok(Exit::Good)
        }
        Recheck::Needed(counterexample) => {
            let why = explained(counterexample);
            writeln!(out, "{function}: {BAD}check{BAD:#} the client again: {why}")?;
            Ok(Exit::Bad)
        }
        Recheck::Changes(names) => {
            let names = names.join(", ");
            let why = format!("the library may change {names}, of which the client does not know");
            writeln!(out, "{function}: {BAD}check{BAD:#} the client again: {why}")?;
            Ok(Exit::Bad)
        }
        Recheck::Unknown(reason) => {
            writeln!(out, "{function}: {UNSURE}unknown{UNSURE:#}: {reason}")?;
            Ok(Exit::Unknown)
        }
    }
}

fn explained(counterexample: &Counterexample) -> String {
    let what = match counterexample.fails {
        Fails::Requires => "the client may call where the library does not allow it",
        Fails::Ensures => "the library allows what the client does not expect",
    };
    let values = counterexample.values.iter().map(|(name, value)| format!("{name} = {value}"));
    match values.collect::<Vec<String>>().join(", ") {
        values if values.is_empty() => what.to_owned(),
        values => format!("{what}, for example {values}"),
    }
}

fn read(path: &Path) -> Result<(String, Contracts)> {
    let name = input::display_name(path);
    let text = input::decode(&name, input::read(path)?)?;
    let contracts = file::read(&text).map_err(|malformed| anyhow!("{name}:{malformed}"))?;
    Ok((name, contracts))
}
