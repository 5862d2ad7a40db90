//! The C library: what a call of one of its functions means, where the program does not define the
//! function itself.
//!
//! - [`LibraryFunction`]: a function with a model, one row of the [table](LibraryFunction::of). A row
//!   names what the function does to memory, argument by argument, so there is no row without
//!   obligations for the properties of memory.
//! - [`Effects`]: a function of the C standard, POSIX or glibc that has no model yet. The effects
//!   bound what a call may do; where they are not bounded, a run ends at the call and a proof has to
//!   show that the call is not reached.
//!
//! Any other function without a body belongs to the user: see [`Call`](crate::program::Call).

mod table;
mod unmodelled;

use std::fmt;

use crate::program::{Builtin, ProcId, Program};

pub use table::LibraryFunction;

/// What happens to what an argument is, or points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// Only the value of the argument matters.
    Value,
    /// As many bytes as the argument with this number says are read.
    Reads(usize),
    /// As many bytes as the argument with this number says are written.
    Writes(usize),
    /// A string is read up to its end.
    ReadsText,
    /// A string is written; how long it is, another argument's string decides.
    WritesText,
    /// A string is read up to its end, and another one is written there.
    AppendsText,
    /// The object ends, if it is not null.
    Frees,
    /// A string that says of which types the variable arguments are; strings among these are read.
    Format,
}

/// What a call gives back, and whether it comes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gives {
    /// The run ends.
    End,
    Nothing,
    /// A number.
    Number,
    /// The first argument.
    First,
    /// A pointer into the object that the first argument points to, or null.
    IntoFirst,
    /// New memory.
    Memory,
}

/// The most that a call of a function without a model may do, apart from its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effects {
    /// It touches no memory of the program.
    Value,
    /// It reads what its arguments point to.
    Reads,
    /// It reads and writes what its arguments point to.
    Writes,
    /// It may allocate, free, keep pointers, call functions of the program, or not come back.
    Unbounded,
}

impl Effects {
    /// Nothing can be said of a run behind a call, neither by a proof nor by a refutation. For the
    /// properties of memory it matters also where the function reads and writes.
    pub fn needs_model(self, is_about_memory: bool) -> bool {
        match self {
            Effects::Unbounded => true,
            Effects::Reads | Effects::Writes => is_about_memory,
            Effects::Value => false,
        }
    }
}

/// What a procedure is that stands for a function which the program declares and does not define, if
/// more is known than its declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LibraryRole {
    /// The front-end gave it a body that only calls the function, since its address is taken.
    Forwarder,
    /// A model of a function of the C library, written in C.
    Model,
    /// A function of the C library that has no model yet.
    Unmodelled(Effects),
    /// A function of another file that can call this procedure. Such a call is not followed, so nothing
    /// is known after a call of the function.
    CallsBack(ProcId),
    /// `longjmp`, where its buffer is of no call of `setjmp` whose function still runs: undefined.
    LostJump,
}

impl LibraryRole {
    /// The effects of a function without a model.
    pub fn unmodelled(self) -> Option<Effects> {
        match self {
            LibraryRole::Forwarder | LibraryRole::Model => None,
            LibraryRole::Unmodelled(effects) => Some(effects),
            LibraryRole::CallsBack(_) | LibraryRole::LostJump => Some(Effects::Unbounded),
        }
    }
}

/// Why nothing is known after a call of a function.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gap {
    /// There is no model of it.
    Unmodelled(String),
    /// It belongs to another file, and can call a function of the program.
    CallsBack { function: String, called: String },
    /// A pointer from another file means it.
    Foreign,
    /// A model of the C library leaves a value open.
    Open,
    /// `longjmp` has nowhere to go.
    LostJump,
}

impl Gap {
    /// What is missing about a procedure without a body.
    pub fn of(program: &Program, proc: ProcId) -> Gap {
        if program.foreign == Some(proc) {
            return Gap::Foreign;
        }
        let name = |proc: ProcId| program.procs[proc].name.clone();
        match program.procs[proc].library {
            Some(LibraryRole::CallsBack(called)) => {
                Gap::CallsBack { function: name(proc), called: name(called) }
            }
            Some(LibraryRole::LostJump) => Gap::LostJump,
            Some(LibraryRole::Forwarder | LibraryRole::Model | LibraryRole::Unmodelled(_))
            | None => Gap::Unmodelled(name(proc)),
        }
    }
}

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Gap::Unmodelled(function) => {
                write!(f, "no model of `{function}` yet, which is called")
            }
            Gap::CallsBack { function, called } => {
                write!(f, "`{function}`, which is not defined and may call `{called}`, is called")
            }
            Gap::Foreign => f.write_str("a pointer from another file is called"),
            Gap::Open => f.write_str("a model of the C library leaves a value open"),
            Gap::LostJump => f.write_str(
                "`longjmp` goes to a call of `setjmp` whose function has ended, or to none",
            ),
        }
    }
}

/// The effects of a function of the C library by its name, whether or not it has a model; `None` for
/// a name that is not the library's.
pub fn effects_of(name: &str) -> Option<Effects> {
    unmodelled::effects_of(name)
}

impl Builtin {
    pub fn row(self) -> &'static LibraryFunction {
        LibraryFunction::of(self)
    }

    /// The function's name in C.
    pub fn name(self) -> &'static str {
        self.row().names[0]
    }

    /// The run ends with the call.
    pub fn ends(self) -> bool {
        self.row().gives == Gives::End
    }

    /// It makes an object.
    pub fn allocates(self) -> bool {
        self.row().gives == Gives::Memory
    }

    /// It writes to the standard output.
    pub fn prints(self) -> bool {
        matches!(self, Builtin::Printf | Builtin::Puts | Builtin::Putchar)
    }

    /// The result is the first argument.
    pub fn gives_its_first(self) -> bool {
        self.row().gives == Gives::First
    }

    /// It reads or changes no memory, makes none and ends none.
    pub fn is_free_of_memory(self) -> bool {
        !self.allocates() && self.row().uses.iter().all(|own| *own == Use::Value)
    }

    /// It changes memory, makes some or ends some.
    pub fn changes_memory(self) -> bool {
        let changes = |own: &Use| match own {
            Use::Writes(_) | Use::WritesText | Use::AppendsText | Use::Frees => true,
            Use::Value | Use::Reads(_) | Use::ReadsText | Use::Format => false,
        };
        self.allocates() || self.row().uses.iter().any(changes)
    }
}

#[cfg(test)]
mod tests;
