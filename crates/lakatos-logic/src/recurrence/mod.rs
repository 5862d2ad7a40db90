//! Recurrences and their closed forms (loops paper, section 3.3; DESIGN.md 6.3).
//!
//! What a loop does to its variables in one turn is a system `x' = p(x)`. Variables are solved in
//! topological order; those that depend on each other together, where they do so linearly. The
//! solution says what a variable is after `n` turns, as a sum of `c · n^k · b^n` whose
//! coefficients are polynomials over the values before the first turn. Numbers are mathematical
//! integers: whoever uses a closed form has to see to the ranges of types.

mod form;
mod linear;
mod polynomial;
mod solve;

pub use self::form::Form;
pub use self::polynomial::Polynomial;
pub use self::solve::{Closed, solve};
