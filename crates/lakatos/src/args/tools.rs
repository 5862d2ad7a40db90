//! The flags that describe other tools. What comes after a `--tool` belongs to it, so their order
//! matters, and they are read by hand.

use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};

/// Tools to run beside Lakatos.
#[derive(Clone, Debug, Default)]
pub struct Tools {
    pub tools: Vec<ToolArgs>,
    /// Without Lakatos.
    pub only: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolArgs {
    pub command: String,
    pub name: Option<String>,
    pub says: Vec<String>,
}

const HEADING: &str = "Other tools";

impl Args for Tools {
    fn augment_args(command: Command) -> Command {
        let text = |name: &'static str, value: &'static str, help: &'static str| {
            Arg::new(name)
                .long(name)
                .value_name(value)
                .help(help)
                .action(ArgAction::Append)
                .help_heading(HEADING)
        };
        command
            .arg(text("tool", "COMMAND", "Run this tool, too, under the same limits").long_help(
                "Run this tool, too, under the same limits; may be given several times\n\n\
                     The command is split into words as a shell does it, but no shell runs it. \
                     Instead of {file}, {property}, {prp} (an SV-COMP property file), \
                     {data_model} (ILP32 or LP64), {bits} (32 or 64), {timeout} (processor time in \
                     seconds) and {memory} (in megabytes) it gets those of the task.",
            ))
            .arg(text("tool-name", "NAME", "Its name in rows and tables [default: the program's]"))
            .arg(text("says", "REGEX=ANSWER", "What its output means").long_help(
                "What its output means: true, false, unknown, timeout, memory or error; may be \
                     given several times\n\n\
                     The first that matches counts; ^ and $ are the ends of a line. If none does, \
                     the answer is unknown.",
            ))
            .arg(
                Arg::new("only-tools")
                    .long("only-tools")
                    .help("Run the other tools only, not Lakatos")
                    .action(ArgAction::SetTrue)
                    .help_heading(HEADING),
            )
    }

    fn augment_args_for_update(command: Command) -> Command {
        Tools::augment_args(command)
    }
}

impl FromArgMatches for Tools {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Tools, Error> {
        let mut found: Vec<(usize, ToolArgs)> = placed(matches, "tool")
            .map(|(at, command)| (at, ToolArgs { command, ..ToolArgs::default() }))
            .collect();
        for (at, name) in placed(matches, "tool-name") {
            owner(&mut found, at, "--tool-name")?.name = Some(name);
        }
        for (at, says) in placed(matches, "says") {
            owner(&mut found, at, "--says")?.says.push(says);
        }
        let only = matches.get_flag("only-tools");
        Ok(Tools { tools: found.into_iter().map(|(_, tool)| tool).collect(), only })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Tools::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The values of a flag, with their places on the command line.
fn placed<'a>(matches: &'a ArgMatches, flag: &str) -> impl Iterator<Item = (usize, String)> + 'a {
    let places = matches.indices_of(flag).into_iter().flatten();
    places.zip(matches.get_many::<String>(flag).into_iter().flatten().cloned())
}

/// The last tool before a place.
fn owner<'t>(
    tools: &'t mut [(usize, ToolArgs)],
    at: usize,
    flag: &str,
) -> Result<&'t mut ToolArgs, Error> {
    let tool = tools.iter_mut().rev().find(|(place, _)| *place < at);
    tool.map(|(_, tool)| tool).ok_or_else(|| {
        let message = format!("{flag} must come after the --tool that it belongs to\n");
        Error::raw(ErrorKind::MissingRequiredArgument, message)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(args: &[&str]) -> Result<Tools, Error> {
        let command = Tools::augment_args(Command::new("test").no_binary_name(true));
        Tools::from_arg_matches(&command.try_get_matches_from(args)?)
    }

    #[test]
    fn flags_belong_to_the_tool_before_them() {
        let tools = parse(&[
            "--tool=a {file}",
            "--says=OK=true",
            "--says",
            "NO=false",
            "--tool",
            "b {file}",
            "--tool-name",
            "second",
            "--says=x=true",
        ]);
        let tool = |command: &str, name: Option<&str>, says: &[&str]| ToolArgs {
            command: command.to_owned(),
            name: name.map(str::to_owned),
            says: says.iter().map(ToString::to_string).collect(),
        };
        let first = tool("a {file}", None, &["OK=true", "NO=false"]);
        let second = tool("b {file}", Some("second"), &["x=true"]);
        let tools = tools.unwrap();
        assert_eq!((tools.tools, tools.only), (vec![first, second], false));
        assert!(parse(&["--only-tools"]).unwrap().only);
    }

    #[test]
    fn flags_without_a_tool_are_refused() {
        for args in [&["--says=OK=true"][..], &["--tool-name=x", "--tool=x {file}"]] {
            let message = parse(args).unwrap_err().to_string();
            assert!(message.contains("must come after the --tool"), "{message}");
        }
    }
}
