//! The ways to candidates, by name.

use std::fmt;
use std::str::FromStr;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Strategy {
    /// By the shape of the problem, and others where one fails.
    #[default]
    Auto,
    /// Certificates of linear contradictions, disjunctions by cases.
    Farkas,
    /// The same certificates, but what a node contributes is not summed up.
    Decomposed,
    /// Recursion-free Horn clauses.
    Spacer,
    /// Strongest postconditions of what a contradiction needs.
    Newton,
    /// Repeated binary problems from the end (from the root).
    Backward,
    /// All nodes of a tree at once.
    Tree,
    /// Binary problems in the order of the counterexample.
    Nested,
    /// Binary problems from one contradiction.
    WellScoped,
    /// Binary problems from the leaves to the root.
    BinaryPerNode,
}

impl Strategy {
    pub const ALL: [Strategy; 10] = [
        Strategy::Auto,
        Strategy::Farkas,
        Strategy::Decomposed,
        Strategy::Spacer,
        Strategy::Newton,
        Strategy::Backward,
        Strategy::Tree,
        Strategy::Nested,
        Strategy::WellScoped,
        Strategy::BinaryPerNode,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Strategy::Auto => "auto",
            Strategy::Farkas => "farkas",
            Strategy::Decomposed => "decomposed",
            Strategy::Spacer => "spacer",
            Strategy::Newton => "newton",
            Strategy::Backward => "backward",
            Strategy::Tree => "tree",
            Strategy::Nested => "nested",
            Strategy::WellScoped => "well-scoped",
            Strategy::BinaryPerNode => "binary-per-node",
        }
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` is no interpolation strategy; there are {names}", names = Strategy::ALL.map(Strategy::name).join(", "))]
pub struct UnknownStrategy(String);

impl FromStr for Strategy {
    type Err = UnknownStrategy;

    fn from_str(name: &str) -> Result<Strategy, UnknownStrategy> {
        let found = Strategy::ALL.into_iter().find(|s| s.name() == name);
        found.ok_or_else(|| UnknownStrategy(name.to_string()))
    }
}
