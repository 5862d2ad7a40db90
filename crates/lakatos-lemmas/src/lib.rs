//! What users know about their programs: definitions and lemmas of ACSL as formulas, and what each
//! of them rests on (lemma thesis; DESIGN.md 6.5).
//!
//! ```text
//! lakatos_acsl::tree::Theory ──translate──▶ Item… ──judge──▶ Judged: a standing for each item,
//!                                 │ write: updates as stores            and contradictions
//!                                 ▼
//!                          lakatos_logic::lemma
//! ```
//!
//! Nothing is believed: a definition is free if its recursion is seen to end, a lemma if it is
//! proved from what is free and stands before it. Everything else is an assumption, and whoever
//! uses it hears of it. A lemma that is false at some small values ([`refute`]), and a set from
//! which a contradiction follows, are refused.

pub mod judge;
pub mod refute;
pub mod translate;
mod write;

pub use judge::{Judged, Standing, judge};
pub use translate::{Item, ItemKind, Remark, Translation, translate, translate_with};
