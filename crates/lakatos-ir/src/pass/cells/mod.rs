//! Memory as plain variables, as far as that goes.
//!
//! Engines and the checker follow plain integer variables; what is in memory has any value when it
//! is read. This pass adds *cells*: variables that always hold what some memory holds. A read of
//! that memory becomes a read of the cell, a write is followed by the same write to the cell.
//!
//! - A scalar whose address is taken, or a field of a structure, that exists once, has a cell, also
//!   where it is accessed through pointers that can point to nothing else ([`points_to`]).
//! - A small array has a cell for each element.
//! - Of other arrays one element is followed, the one at an index that is chosen when the program
//!   starts, the *key*, and never changes. `a[i]` becomes `i == key ? cell : a[i]`, where the last
//!   is any value to those who do not follow memory. The key is any number, so what is proved of
//!   the cell is proved of all elements: `i > key ==> cell == 0` says that all before `i` are zero.
//!
//! - Or else ([`arrays`]) an array of integers is followed by a variable that is an array of one
//!   index, rows of rows one behind the other: for those who reason about arrays as values.
//!
//! A proof needs to be about one key only for each way to an error. So a run counts as an error only
//! if the last read of an array before it was at the key (the flag *hit* says so): every run to an
//! error is one of these for some key. Then a check of `a[i]`, whatever `i` is, has to do with the
//! cell, and not with what is not known. Arrays with as many indices share a key, so that elements at
//! the same index of several arrays are followed together.
//!
//! Reads of memory never become less than they were, so with "any value" for what is left in memory
//! the program has all runs to errors of the original (and more). Locations keep their numbers.

mod follow;
pub(super) mod once;
mod path;
mod rewrite;

use self::follow::Followed;
use self::rewrite::rewrite;
use crate::pass::expect_no_blocks;
use crate::points_to::PointsTo;
use crate::program::{Program, VarId};

/// Adds cells for what is in memory. The program as it is, if there is nothing to follow.
pub fn cells(program: Program) -> Program {
    follow(program, Wanted::Elements { pointers: false }).0
}

/// Adds variables for what is in memory, and such that are arrays for arrays. An array variable
/// ([`Program::whole_array`]) is accessed by its index only, set to zero, or forgotten, as a whole.
pub fn arrays(program: Program) -> Program {
    follow(program, Wanted::Arrays).0
}

/// How arrays are followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wanted {
    /// Element by element, or one element. Whether pointers in memory are followed, too.
    Elements {
        pointers: bool,
    },
    Arrays,
}

/// Adds cells, also for pointers in memory if they are wanted, and gives the flags without which no
/// run counts as an error (those of the keys).
pub(super) fn follow(mut program: Program, wanted: Wanted) -> (Program, Vec<VarId>) {
    expect_no_blocks(&program);
    let memory = PointsTo::new(&program);
    let followed = Followed::new(&mut program, &memory, wanted);
    let hits = followed.groups.iter().map(|group| group.hit).collect();
    match followed.is_empty() {
        true => (program, hits),
        false => (rewrite(program, &memory, &followed), hits),
    }
}
