//! Abstract domains.

pub mod explicit;
mod predicate;
mod product;

pub use self::explicit::Explicit;
pub use self::predicate::{Abstracts, Granularity, Predicate};
pub use self::product::{Pair, Product};
