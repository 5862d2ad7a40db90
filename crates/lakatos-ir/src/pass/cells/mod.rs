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
//! - Or else ([`Wanted::arrays`]) an array of integers is followed by a variable that is an array of one
//!   index, rows of rows one behind the other: for those who reason about arrays as values. An array
//!   variable ([`Program::whole_array`]) is accessed by its index only, set to zero, or forgotten, as
//!   a whole.
//! - A pointer that walks through an array is followed where somebody follows pointers
//!   ([`Pointers::Compared`]): `*p` becomes `a[p - a]`.
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

use std::collections::BTreeMap;

use self::follow::Followed;
use self::rewrite::rewrite;
use crate::expr::ExprId;
use crate::pass::expect_no_blocks;
use crate::points_to::PointsTo;
use crate::program::{Program, VarId};
use crate::ty::{IntType, Type};

/// Adds cells for what is in memory. The program as it is, if there is nothing to follow.
pub fn cells(program: Program) -> Program {
    follow(program, Wanted { arrays: false, pointers: Pointers::Ignored }).program
}

/// How memory is followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Wanted {
    /// Arrays as a whole; else element by element, or one element.
    pub arrays: bool,
    pub pointers: Pointers,
}

/// What is done with pointers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Pointers {
    /// Nothing.
    Ignored,
    /// Those in memory are followed, and arrays also where pointers walk through them.
    Compared,
    /// Those in memory are followed, and accesses are checked.
    Checked,
}

impl Wanted {
    /// The type of indices. How far a pointer has walked is any number at first.
    fn index(self, program: &Program) -> Type {
        match self.pointers {
            Pointers::Compared => Type::Int(IntType::signed(128)),
            Pointers::Ignored | Pointers::Checked => Type::Int(program.types.model.diff_type()),
        }
    }
}

/// A program with cells.
pub(super) struct Cellular {
    pub program: Program,
    /// The flags without which no run counts as an error (those of the keys).
    pub hits: Vec<VarId>,
    /// Differences of pointers and null that mean something else: how many elements the pointer is
    /// behind the one that is so many bytes behind the start of its object.
    pub walks: BTreeMap<ExprId, u64>,
}

/// Adds cells, also for pointers in memory if they are wanted.
pub(super) fn follow(mut program: Program, wanted: Wanted) -> Cellular {
    expect_no_blocks(&program);
    let memory = PointsTo::new(&program);
    let followed = Followed::new(&mut program, &memory, wanted);
    let hits = followed.groups.iter().map(|group| group.hit).collect();
    let (program, walks) = match followed.is_empty() {
        true => (program, BTreeMap::new()),
        false => rewrite(program, &memory, &followed),
    };
    Cellular { program, hits, walks }
}
