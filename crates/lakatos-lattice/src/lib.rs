//! The lattice of contracts, and contracts of several clients in one.
//!
//! From "contract inference" (`horn-clause-contract-inference.txt`), sections 2.2 and 5.3. A contract
//! is a pair of formulas: what a function requires when it is called and what it ensures when it
//! returns. The contracts of one function are ordered: `C` *refines* `C'` (`C ⊑ C'`) if it requires
//! no more and, where `C'` may be called, ensures no less. Whoever satisfies the finer contract
//! satisfies the coarser one, and a client that was verified with the coarser one stays verified.
//!
//! - [`space`]: the contracts of one function with their order, meet, join, bottom and top;
//! - [`signature`]: what a contract may speak of, and clauses in ACSL read as formulas;
//! - [`file`](mod@file): contracts files in JSON, read and written;
//! - [`merge`](mod@merge): contracts that several clients gave one function, as one contract with
//!   behaviours, and the question whether a client has to be checked again.
//!
//! The solver decides; what it does not decide is `unknown`, and nobody may take it for more. Not in
//! here: inference of contracts, programs with their bodies, files as such.

pub mod file;
pub mod merge;
pub mod signature;
pub mod space;

mod acsl;
mod words;

pub use self::words::Mismatch;
