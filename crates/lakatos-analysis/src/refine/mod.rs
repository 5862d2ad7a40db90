//! Refinement: whether an abstract counterexample is real, and what the precision lacks if it is
//! not (algorithms 2.3 and 5.2 of the thesis; BAM thesis, sections 2.6 and 4.5).

mod inputs;
mod trace;
mod unfold;

pub use self::inputs::inputs;
pub(crate) use self::inputs::number;
pub use self::trace::{Position, Taken, Trace};
pub use self::unfold::{Act, unfold};
pub(crate) use self::unfold::{Part, acts, parts};
