//! Predicate abstraction: what a formula says in terms of given predicates (DESIGN.md section 4).
//!
//! - [`Predicates`]: formulas with a number each; a formula and its negation have the same;
//! - [`Region`]: a Boolean combination of predicates as a canonical decision diagram, so that
//!   equality, implication and projection need no solver;
//! - [`Abstractor`]: the strongest combination (**Boolean** abstraction) or conjunction
//!   (**Cartesian** abstraction) of predicates that a formula implies.
//!
//! An abstraction is an over-approximation whatever the solver answers; [`Abstraction`] says
//! whether it is the strongest one.
//!
//! Not here: which predicates to use, where they come from, and renaming: a formula and the
//! predicates speak of the same symbols.

mod abstractor;
mod cache;
mod cover;
mod parts;
mod predicates;
mod region;
mod search;

pub use self::abstractor::{Abstraction, Abstractor, Gap, Statistics};
pub use self::predicates::{CAPACITY, Literal, PredId, Predicates, Refused};
pub use self::region::{Cubes, Region};
