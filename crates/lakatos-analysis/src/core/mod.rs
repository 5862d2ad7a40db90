//! The abstract reachability graph and its exploration (stack-abstraction thesis, chapters 2, 4
//! and 5; DESIGN.md sections 5 and 6.1).

mod arg;
mod candidates;
mod domain;
mod exits;
mod exploration;
mod explore;
mod prune;

pub use self::arg::{Arg, Frame, FrameId, Node, NodeId, StackId, Status, Via};
pub(crate) use self::candidates::Candidates;
pub use self::domain::{Cx, Domain, Lesson, Seen, Stop};
pub use self::exploration::Exploration;
pub use self::explore::{Explorer, Pop, Search};
