//! Which options belong to which engines. One that the chosen engine does not have is refused: who
//! gives it expects that it changes something.

use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgMatches, Command, CommandFactory, FromArgMatches};

use super::{Cli, Drawn, EngineName, Origin};

/// The options that not all engines have, by their ids.
const OPTIONS: [(&str, &[EngineName]); 15] = [
    ("lemmas", WITH_LEMMAS),
    ("jobs", &[EngineName::Auto]),
    ("encoding", &[EngineName::Horn]),
    ("domain", REFINING),
    ("abstraction", REFINING),
    ("precision", &[EngineName::Cegar, EngineName::Bam, EngineName::Arrays]),
    ("initial", REFINING),
    ("successors", REFINING),
    ("search", &[EngineName::Cegar]),
    ("refine", REFINING),
    ("pop", &[EngineName::Cegar]),
    ("prune", REFINING),
    ("accelerate", REFINING),
    ("blocks", &[EngineName::Bam]),
    ("cache", &[EngineName::Bam]),
];

/// Those that look for predicates.
const WITH_LEMMAS: &[EngineName] =
    &[EngineName::Auto, EngineName::Arrays, EngineName::Cegar, EngineName::Bam, EngineName::Horn];

/// Those that refine abstractions.
const REFINING: &[EngineName] = &[EngineName::Cegar, EngineName::Bam];

impl Cli {
    /// What the user wants; help, version and usage errors are clap's to tell.
    pub fn read(words: Vec<OsString>) -> Result<Cli, clap::Error> {
        let mut command = Cli::command();
        let matches = command.try_get_matches_from_mut(words)?;
        check(&mut command, &matches)?;
        let mut cli =
            Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))?;
        if let (super::Command::Verify(verify), Some((_, given))) =
            (&mut cli.command, matches.subcommand())
        {
            verify.engine = Some(chosen(given));
        }
        Ok(cli)
    }
}

/// Whether the user gave an option. Not every command has all of them.
fn is_given(matches: &ArgMatches, id: &str) -> bool {
    matches.try_contains_id(id).is_ok()
        && matches.value_source(id) == Some(ValueSource::CommandLine)
}

/// The engine that flags ask for: by its name, or by options that it has.
fn chosen(matches: &ArgMatches) -> EngineName {
    let by_name = matches.get_one::<EngineName>("engine").copied();
    let given = OPTIONS.iter().find(|(id, _)| is_given(matches, id));
    by_name.or(given.map(|(_, owners)| owners[0])).unwrap_or(EngineName::Auto)
}

/// Checks the options that were given against the engines that are to run.
fn check(command: &mut Command, matches: &ArgMatches) -> Result<(), clap::Error> {
    let Some((name, matches)) = matches.subcommand() else { return Ok(()) };
    let engines = match name {
        "verify" => Some(vec![chosen(matches)]),
        "contracts" if matches.subcommand().is_none() => {
            matches.get_one::<Origin>("from").and_then(|origin| origin.engines())
        }
        "arg" => matches.get_one::<Drawn>("engine").map(|drawn| vec![drawn.engine()]),
        _ => None,
    };
    let Some(engines) = engines else { return Ok(()) };
    let foreign = OPTIONS.iter().find(|(id, owners)| {
        is_given(matches, id) && !owners.iter().any(|owner| engines.contains(owner))
    });
    let Some((id, owners)) = foreign else { return Ok(()) };
    let owners: Vec<String> = owners.iter().map(|owner| format!("`{}`", owner.name())).collect();
    let (noun, owners) = match &owners[..] {
        [only] => ("engine", only.clone()),
        [first @ .., last] => ("engines", format!("{} and {last}", first.join(", "))),
        [] => unreachable!("an option belongs to some engine"),
    };
    let chosen: Vec<String> = engines.iter().map(|engine| format!("`{}`", engine.name())).collect();
    let message = format!(
        "`--{id}` belongs to the {noun} {owners}, and the engine here is {}",
        chosen.join(" and ")
    );
    let command = command.find_subcommand_mut(name).expect("it has been parsed");
    Err(command.error(ErrorKind::ArgumentConflict, message))
}

impl EngineName {
    pub fn name(self) -> String {
        clap::ValueEnum::to_possible_value(&self).map_or(String::new(), |v| v.get_name().to_owned())
    }
}

impl Drawn {
    fn engine(self) -> EngineName {
        match self {
            Drawn::Cegar => EngineName::Cegar,
            Drawn::Bam => EngineName::Bam,
        }
    }
}

impl Origin {
    /// The engines that it means; `None` if it leaves that open.
    fn engines(self) -> Option<Vec<EngineName>> {
        match self {
            Origin::Horn => Some(vec![EngineName::Horn]),
            Origin::Bam => Some(vec![EngineName::Bam]),
            Origin::Cegar | Origin::Arg => Some(vec![EngineName::Cegar]),
            Origin::Witness => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Options of engines that all of them have.
    const COMMON: [&str; 2] = ["engine", "no_probe"];

    #[test]
    fn every_option_of_engines_has_its_owners() {
        let command = Cli::command();
        let verify = command.find_subcommand("verify").unwrap();
        let options = verify.get_arguments().filter(|a| a.get_help_heading() == Some("Engine"));
        for option in options {
            let id = option.get_id().as_str();
            let known = COMMON.contains(&id) || OPTIONS.iter().any(|(own, _)| *own == id);
            assert!(known, "`{id}`: say which engines have it");
        }
        for (id, _) in OPTIONS {
            assert!(verify.get_arguments().any(|option| option.get_id() == id), "{id}");
        }
    }
}
