//! Flags of `lakatos contracts merge` and `lakatos contracts recheck`.

use std::path::PathBuf;

use clap::Args;

/// Combine the contracts that several clients need of the same functions
///
/// The result may be called wherever one of the clients calls the function, and promises each of
/// them what its own contract does: no client has to be verified again. The function has to satisfy
/// the result. A contract that the others include is left out.
#[derive(Debug, Args)]
#[command(after_help = MERGE_HELP)]
pub struct MergeArgs {
    /// Contracts files (JSON), one for each client
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,

    /// Write the result to this file [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Write ACSL with a behaviour for each client, not a contracts file
    #[arg(long)]
    pub acsl: bool,
}

const MERGE_HELP: &str = "\
Examples:
  lakatos contracts merge client1.json client2.json -o library.json
  lakatos contracts merge client1.json client2.json --acsl

Exit codes:
  0  the contracts are combined
  1  they are, and two of them contradict each other (which ones is said on standard error)
  3  bad usage or input: no contracts file, another signature of a function, ...
  4  internal error";

/// Tell whether a client has to be verified again with a library's contracts
///
/// A client that was verified with its own contract of a function stays verified if the library's
/// contract refines it: requires no more and, where the client may call, ensures no less.
#[derive(Debug, Args)]
#[command(after_help = RECHECK_HELP)]
pub struct RecheckArgs {
    /// The contracts file of the client
    #[arg(value_name = "CLIENT")]
    pub client: PathBuf,

    /// The contracts file of the library
    #[arg(value_name = "LIBRARY")]
    pub library: PathBuf,
}

const RECHECK_HELP: &str = "\
Example:
  lakatos contracts recheck client.json library.json

Exit codes:
  0  no: every contract of the client is refined
  1  yes: at least one is not, with values that show it
  2  unknown for at least one, and none is known to fail
  3  bad usage or input, or no function that both files have
  4  internal error";
