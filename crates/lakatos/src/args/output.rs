//! Flags that say what `verify` writes, where to, and in which form.

use std::path::PathBuf;

use clap::Args;

/// What becomes of the result beside, or in place of, the text for a person.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Output")]
pub struct Outputs {
    /// Write the result as JSON to this file, or to standard output instead of text (`-`)
    ///
    /// Verdicts with positions, runs with values, proofs, assumptions, warnings and statistics.
    /// docs/schema/verify-1.json describes it.
    #[arg(long, value_name = "FILE", conflicts_with = "modular")]
    pub json: Option<PathBuf>,

    /// Write the result as SARIF 2.1.0 to this file, for editors and code scanning
    #[arg(long, value_name = "FILE", conflicts_with = "modular")]
    pub sarif: Option<PathBuf>,

    /// Write the result as JUnit's XML to this file, a test for each property
    #[arg(long, value_name = "FILE", conflicts_with = "modular")]
    pub junit: Option<PathBuf>,

    /// Write a page to look at to this file: source, proof or run, automata, statistics (HTML)
    #[arg(long, value_name = "FILE", conflicts_with = "modular")]
    pub report: Option<PathBuf>,

    /// Print workflow commands of GitHub Actions instead of text: they annotate the source
    #[arg(long, conflicts_with = "modular")]
    pub github: bool,

    /// Print one line instead of text, as at SV-COMP: true, false(PROPERTY) or unknown
    #[arg(long, conflicts_with_all = ["modular", "github"])]
    pub svcomp: bool,

    /// Print nothing but errors; the exit code says the rest
    #[arg(short, long, conflicts_with_all = ["modular", "stats", "proof"])]
    pub quiet: bool,
}
