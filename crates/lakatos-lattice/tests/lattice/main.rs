//! The lattice of contracts: its laws, the paper's examples, and files.

mod files;
mod laws;
mod merging;
mod paper;

use lakatos_lattice::file::{self, Contracts};

/// A contracts file with one function.
fn contracts(function: &str) -> Contracts {
    let text = format!(
        "{{\"program\": {{\"file\": \"c.c\", \"sha256\": \"00\"}}, \"functions\": [{function}]}}"
    );
    file::read(&text).unwrap_or_else(|malformed| panic!("{malformed}: {text}"))
}
