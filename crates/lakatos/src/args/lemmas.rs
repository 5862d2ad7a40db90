//! Flags of `lakatos lemmas`.

use std::path::PathBuf;

use clap::Args;

use super::Model;

/// Tell what definitions and lemmas rest on: proved, or assumed
///
/// Every definition is asked whether its recursion ends, every lemma whether it follows from what
/// stands before it, by induction. What cannot be shown is an assumption, and what uses it follows
/// from it. Lemmas that are false at small values, and assumptions that contradict each other, are
/// refused. Several files are read as one, in order.
#[derive(Debug, Args)]
#[command(after_help = LEMMAS_HELP)]
pub struct LemmasArgs {
    /// ACSL declarations (.acsl), lemma sets of the witness format (.yml), or annotated C files (.c)
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,

    /// Sizes of the basic types
    #[arg(long, value_name = "MODEL", default_value = "lp64")]
    pub data_model: Model,

    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
}

const LEMMAS_HELP: &str = "\
Examples:
  lakatos lemmas lemmas/sum.acsl
  lakatos lemmas lemmas/max.acsl own.acsl --json

Exit codes:
  0  every definition ends, and every lemma is proved
  1  something is false, or contradicts itself: the files are refused
  2  something is assumed, or left out since it is not supported
  3  bad usage or input: a file that cannot be read, ACSL with an error, ...
  4  internal error";
