//! How the process ends: the exit codes that `--help` and README promise.

use std::error::Error;
use std::process::ExitCode;
use std::{fmt, io};

use rustix::io::Errno;

/// `verify`: proved, refuted, unknown. `run`: ended normally, failed, stopped early.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// `verify`: every property proved. `run`: the program ended by itself.
    Good = 0,
    /// `verify`: a property is refuted. `run`: a violation or undefined behaviour happened.
    Bad = 1,
    /// `verify`: not decided. `run`: stopped by a limit, an assumption or an unsupported construct.
    Unknown = 2,
    /// Bad usage, or an input that is not a C program.
    BadInput = 3,
    /// A bug in Lakatos.
    Internal = 4,
}

impl Exit {
    /// From the code of a process of this program.
    pub fn from_code(code: u8) -> Exit {
        match code {
            0 => Exit::Good,
            1 => Exit::Bad,
            2 => Exit::Unknown,
            3 => Exit::BadInput,
            _ => Exit::Internal,
        }
    }

    /// Of several answers: one that is bad makes all of them bad, one unknown leaves them open.
    pub fn overall(exits: &[Exit]) -> Exit {
        match exits {
            _ if exits.contains(&Exit::Bad) => Exit::Bad,
            _ if exits.contains(&Exit::Unknown) => Exit::Unknown,
            _ => Exit::Good,
        }
    }
}

/// An error for which the input is not to blame, but a limit of the system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limited(pub String);

impl fmt::Display for Limited {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for Limited {}

impl Limited {
    /// If a part of a program's text had no thread to be read in, nothing is known.
    pub fn ensure_read() -> Result<(), Limited> {
        match lakatos_c::has_lacked_thread() {
            true => Err(Limited("no thread for the front-end could be started".to_owned())),
            false => Ok(()),
        }
    }

    /// Whether the system has refused something because of a limit.
    pub fn is_limit(error: &io::Error) -> bool {
        let refused = [Errno::MFILE, Errno::NFILE, Errno::AGAIN, Errno::NOMEM];
        let code = error.raw_os_error();
        code.is_some_and(|code| refused.iter().any(|errno| errno.raw_os_error() == code))
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}
