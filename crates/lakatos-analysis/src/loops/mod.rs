//! Counterexamples with loops (loops paper, sections 3 and 4; DESIGN.md 6.3).
//!
//! A counterexample that passes a loop stands for many: with any number of turns. `ways` finds the
//! ways once around a loop, through calls too; `turn` makes each a system of updates with a
//! condition; `count` says by closed forms what `n` turns do, as one step of a run; `guess` puts
//! such steps into a counterexample and asks for the smallest numbers that lead to the error. What
//! comes out is a guess: the inputs of a run, which somebody has to try. Nothing here excludes a
//! path, since ranges and conditions between the first turn and the last are not looked at where
//! that is hard.

mod count;
mod guess;
mod turn;
mod ways;

pub(crate) use self::guess::{Guess, Loops};
