//! Flags of the language server.

use clap::Args;

use super::parse_seconds;

/// Serve an editor: verify a file when it is opened and saved, as a language server
///
/// Speaks the language server protocol on standard input and output. What is refuted is an error at
/// its line, with the run as related information; what is unknown is an information. Each file is
/// verified by a process of its own, which a later save of the file ends.
#[derive(Debug, Args)]
#[command(after_help = LSP_HELP)]
pub struct LspArgs {
    /// What to check, as for `verify`; may be given several times [default: unreach-call]
    #[arg(long = "property", value_name = "PROPERTY")]
    pub properties: Vec<String>,

    /// Stop after this many seconds, for each property
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = parse_seconds)]
    pub timeout: std::time::Duration,

    /// More options for `verify`
    #[arg(last = true, value_name = "OPTIONS")]
    pub options: Vec<String>,
}

const LSP_HELP: &str = "\
Examples:
  lakatos lsp
  lakatos lsp --property all --timeout 30
  lakatos lsp -- --32 --engine horn

Exit codes:
  0  the editor said goodbye
  3  it went away, or said something that is no message";
