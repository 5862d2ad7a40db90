//! What the tests of interpolation share: problems written down without [`Terms`], an oracle that
//! shares no code with the interpolators, families of problems that are known and random ones.
//!
//! [`Terms`]: lakatos_logic::term::Terms

// Every test uses some of it.
#![allow(dead_code)]

pub mod clock;
pub mod draft;
pub mod formula;
pub mod oracle;
pub mod paths;
pub mod random;
