//! Solvers that are processes and speak SMT-LIB 2: a second opinion beside the Z3 in process.
//!
//! None is needed: [`PipeSolver::start`] says so when there is none. Whatever the process prints
//! or does, the worst that comes of it is [`Answer::Unknown`](super::Answer::Unknown): it is
//! believed only when it answers every question exactly once, and the first misstep ends it.

mod dialogue;
mod process;
mod solver;
mod values;

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::Command;

pub use self::solver::PipeSolver;

/// How a solver wants to be spoken to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Z3,
    Cvc5,
}

impl Kind {
    pub const ALL: [Kind; 2] = [Kind::Z3, Kind::Cvc5];

    /// The command's usual name.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Z3 => "z3",
            Kind::Cvc5 => "cvc5",
        }
    }

    fn arguments(self) -> &'static [&'static str] {
        match self {
            Kind::Z3 => &["-in", "-smt2"],
            Kind::Cvc5 => &[
                "--lang=smt2",
                "--incremental",
                "--produce-models",
                "--produce-unsat-assumptions",
                "--quiet",
            ],
        }
    }
}

/// A solver that can be started.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    pub kind: Kind,
    /// A path, or a name that the operating system looks up.
    pub path: PathBuf,
    /// In front of those that every solver of the kind gets.
    pub arguments: Vec<OsString>,
}

impl Program {
    /// The one that is installed under its usual name.
    pub fn installed(kind: Kind) -> Program {
        Program::at(kind, kind.name())
    }

    pub fn at(kind: Kind, path: impl Into<PathBuf>) -> Program {
        Program { kind, path: path.into(), arguments: Vec::new() }
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
        command.args(&self.arguments).args(self.kind.arguments());
        command
    }
}

/// Why a solver did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error("there is no solver `{}`", .0.display())]
    Absent(PathBuf),
    #[error("cannot start the solver `{}`: {error}", .path.display())]
    Io { path: PathBuf, error: io::Error },
}

impl StartError {
    fn new(program: &Program, error: io::Error) -> StartError {
        let path = program.path.clone();
        match error.kind() {
            io::ErrorKind::NotFound => StartError::Absent(path),
            _ => StartError::Io { path, error },
        }
    }
}
