//! Abstract domains.

mod predicate;

pub use self::predicate::{Abstracts, Granularity, Predicate};
