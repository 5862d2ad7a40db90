//! The command line of Lakatos: the only crate that reads flags, files and the clock.
//!
//! Results go to standard output, everything said about them (diagnostics, warnings, notes) to
//! standard error. The exit codes are in [`exit`].

mod arg;
mod args;
mod bench;
mod cfa;
mod check;
mod contracts;
mod drawing;
mod execute;
mod exit;
mod horn;
mod input;
mod lemmas;
mod load;
mod lsp;
mod memory;
mod merge;
mod modular;
mod open;
mod output;
mod panic;
mod preprocess;
mod processes;
mod remarks;
mod reuse;
mod run;
mod scan;
mod second;
mod supervise;
mod task;
mod terminal;
mod timeline;
mod verify;
mod watch;
mod whole;
mod witness;

use std::env;
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Context;
use clap::CommandFactory;

use crate::args::{Cli, Command};
use crate::exit::{Exit, Limited};
use crate::supervise::worker;

fn main() -> ExitCode {
    watch::begin();
    panic::install_hook();
    let mut words: Vec<OsString> = env::args_os().collect();
    let is_worker = worker::begin(&mut words);
    worker::block_file_size_signal();
    let cli = match Cli::read(words) {
        Ok(cli) => cli,
        Err(message) => return usage(&message).into(),
    };
    terminal::set_color(cli.color);
    match is_worker {
        true => worker::end(work(&cli.command)),
        false => supervise::run(&cli).unwrap_or_else(|| work(&cli.command)).into(),
    }
}

/// The command, with what is to be said if it fails.
fn work(command: &Command) -> Exit {
    memory::keep_below_the_systems_limit();
    let result = execute(command).and_then(|exit| {
        // A line without an end may still be there. The command itself has decided what it means that
        // its reader has gone.
        match io::stdout().flush() {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
            _ => Ok(exit),
        }
    });
    result.unwrap_or_else(|error| match error.downcast_ref::<io::Error>() {
        // The reader of our output has gone (`lakatos … | head`): nobody is left to tell.
        Some(io) if io.kind() == io::ErrorKind::BrokenPipe => Exit::Unknown,
        // What is said about files names them.
        Some(_) if error.chain().len() == 1 => {
            terminal::error(&error.context("cannot write to standard output"));
            Exit::BadInput
        }
        _ if is_limit(&error) => worker::give_up(&format!("{error:#}")),
        _ => {
            terminal::error(&error);
            Exit::BadInput
        }
    })
}

/// Whether a limit of the system is the reason: the input may be as good as any.
fn is_limit(error: &anyhow::Error) -> bool {
    error.is::<Limited>()
        || error.chain().any(|cause| match cause.downcast_ref::<io::Error>() {
            Some(io) => Limited::is_limit(io),
            None => cause.is::<Limited>(),
        })
}

fn execute(command: &Command) -> anyhow::Result<Exit> {
    match command {
        Command::Verify(args) => verify::verify(args),
        Command::Run(args) => run::run(args),
        Command::Cfa(args) => cfa::cfa(args),
        Command::Arg(args) => arg::arg(args),
        Command::Check(args) => check::check(args),
        Command::Horn(args) => horn::horn(args),
        Command::Solve(args) => horn::solve(args),
        Command::Contracts(args) => contracts::contracts(args),
        Command::Lemmas(args) => lemmas::lemmas(args),
        Command::Bench(args) => bench::bench(args),
        Command::Guard(args) => bench::guard(args),
        Command::Lsp(args) => lsp::lsp(args),
        Command::Completions(args) => {
            let mut script = Vec::new();
            clap_complete::generate(args.shell, &mut Cli::command(), "lakatos", &mut script);
            io::stdout().write_all(&script)?;
            Ok(Exit::Good)
        }
        Command::Man(args) => man(args.command.as_deref()),
        Command::Crash => panic!("crashed on request"),
    }
}

/// The manual page of a command, or of all.
fn man(command: Option<&str>) -> anyhow::Result<Exit> {
    let mut all = Cli::command();
    // Subcommands get their full names.
    all.build();
    let page = match command {
        None => all,
        Some(name) => all
            .find_subcommand(name)
            .filter(|found| !found.is_hide_set())
            .cloned()
            .with_context(|| format!("there is no command `{name}`: see `lakatos --help`"))?,
    };
    let mut text = Vec::new();
    clap_mangen::Man::new(page).render(&mut text)?;
    io::stdout().write_all(&text)?;
    Ok(Exit::Good)
}

/// Help and version are what was asked for; everything else clap says is a usage error.
fn usage(message: &clap::Error) -> Exit {
    match message.print() {
        _ if message.use_stderr() => Exit::BadInput,
        Ok(()) => Exit::Good,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Unknown,
        Err(error) => {
            terminal::error(&anyhow::Error::new(error).context("cannot write to standard output"));
            Exit::BadInput
        }
    }
}
