//! Proofs and refutations as text for a terminal.

mod proof;
mod refutation;
#[cfg(test)]
mod tests;

pub use proof::proof;
pub use refutation::refutation;

use anstyle::Style;

/// How much of what is shown.
struct Paint {
    heading: Style,
    aside: Style,
}

impl Paint {
    fn new(color: bool) -> Paint {
        match color {
            true => Paint { heading: Style::new().bold(), aside: Style::new().dimmed() },
            false => Paint { heading: Style::new(), aside: Style::new() },
        }
    }

    fn heading(&self, text: &str) -> String {
        format!("{0}{text}{0:#}", self.heading)
    }

    fn aside(&self, text: &str) -> String {
        format!("{0}{text}{0:#}", self.aside)
    }
}
