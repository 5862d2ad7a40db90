//! The properties of memory as error locations.
//!
//! Engines and the checker know integers only, so this pass lets integers follow pointers: each
//! pointer variable that is never in memory has two *ghosts*, the number of the object that it
//! points to and the offset in it. Objects that end have a ghost that says whether they are alive,
//! those whose type does not tell it one for their size. Then an access is a question about
//! integers: the object is alive, and the offset is within it.
//!
//! - The number is [`NULL`], or one of the objects of the program: a variable in memory, a
//!   function, or what one call of `malloc` makes.
//! - Where such an object may exist more than once (a call in a loop, a local of a function that is
//!   called again) *one* instance is followed, chosen anew each time the program is run; pointers to
//!   others are [`OTHER`], and accesses through these are no errors. Each run that goes wrong does
//!   so at some instance, and that one is chosen in some run.
//! - A pointer of which nothing is known (from memory that is not followed, from outside, made
//!   from a number) is [`UNKNOWN`]: an access through it is an error, so there is no proof. What
//!   comparing it gives is anything.
//!
//! Pointers in memory are followed as far as [`cells`](super::cells()) follow them; since these
//! replace reads, every access is marked before ([`mark`]): it becomes a step that computes its
//! address. An offset is a mathematical integer, so pointer arithmetic must not go far away from
//! the object ([`pointer::FAR`]): that is an error, too, which no run shows. So are other things that C forbids and
//! that a proof relies on: an index outside its array within an object, a write to a string literal.
//! A string is known to end where it is a literal.
//!
//! What is lost is in [`tracked`], what was never written in [`written`].
//!
//! Ghosts also tell what comparing pointers gives, and which elements of an array a pointer walks
//! through, where the question is another one ([`pointers()`]).

mod flow;
mod library;
mod mark;
mod objects;
mod pointer;
mod rewrite;
mod tracked;
mod written;

use std::collections::{BTreeMap, BTreeSet};

use self::flow::Flow;
use self::objects::Objects;
use self::pointer::Ghosts;
use super::cells::{self, Cellular, Pointers, Wanted};
use super::expect_no_blocks;
use crate::callgraph::CallGraph;
use crate::expr::{ExprId, ExprKind};
use crate::program::{Callee, Instr, Program, VarId};
use crate::property::Property;
use crate::ty::Type;
use crate::walk::{self, Node};

/// Numbers of objects that are none of the program.
const NULL: i128 = 0;
/// An instance that is not followed.
const OTHER: i128 = -1;
const UNKNOWN: i128 = -2;

/// An access that a step of its own stands for, by the variable that the step sets.
type Marks = BTreeMap<VarId, mark::Mark>;

/// Adds error locations for a property of memory, and cells. Indices into arrays have their
/// checks already.
pub fn safety(program: Program, property: Property) -> Program {
    expect_no_blocks(&program);
    let watched = match property {
        Property::UninitialisedRead => Some(written::indeterminate(&program)),
        _ => None,
    };
    if watched.as_ref().is_some_and(|vars| vars.is_empty() && !written::allocates(&program)) {
        return cells::cells(program);
    }
    let (program, marks) = mark::mark(program, watched.as_ref());
    let wanted = Wanted { arrays: false, pointers: Pointers::Checked };
    let cellular = cells::follow(program, wanted);
    if marks.is_empty() && !uses_memory(&cellular.program) {
        return cellular.program;
    }
    with_ghosts(cellular, property, marks, watched.as_ref())
}

/// Adds cells, and ghosts where the program compares pointers or walks through arrays with them, for
/// properties that are not of memory: nothing becomes an error. A pointer that is far away from its
/// object is `UNKNOWN`.
pub fn pointers(program: Program, property: Property, arrays: bool) -> Program {
    expect_no_blocks(&program);
    match uses_pointers(&program) {
        true => {
            let wanted = Wanted { arrays, pointers: Pointers::Compared };
            with_ghosts(cells::follow(program, wanted), property, Marks::new(), None)
        }
        false => {
            let wanted = Wanted { arrays, pointers: Pointers::Ignored };
            cells::follow(program, wanted).program
        }
    }
}

fn with_ghosts(
    cellular: Cellular,
    property: Property,
    marks: Marks,
    watched: Option<&BTreeSet<VarId>>,
) -> Program {
    let Cellular { mut program, hits, walks } = cellular;
    let calls = CallGraph::new(&program);
    let objects = Objects::new(&mut program, &calls);
    let is_exact = property.is_about_memory();
    let flow = Flow::new(&program, &calls, &objects, &marks, is_exact);
    let ghosts = Ghosts::new(&mut program, &flow);
    let written = watched.map(|vars| written::Written::new(&mut program, &objects, vars, &marks));
    let context =
        rewrite::Context { property, calls, objects, flow, ghosts, marks, hits, walks, written };
    rewrite::rewrite(program, &context)
}

/// Pointers are compared, or moved and kept.
fn uses_pointers(program: &Program) -> bool {
    let is_moved = |e: &ExprId| matches!(program.exprs[*e].kind, ExprKind::PtrAdd(..));
    let mut edges = program.defined().flat_map(|(_, _, body)| body.edges.iter());
    edges.any(|(_, edge)| {
        let operands = walk::operands(&edge.instr);
        operands.iter().any(|e| is_moved(e) || compares_pointers(program, *e))
    })
}

fn compares_pointers(program: &Program, e: ExprId) -> bool {
    let mut found = false;
    walk::walk(program, Node::Expr(e), &mut |node| {
        let Node::Expr(e) = node else { return };
        found |= match program.exprs[e].kind {
            ExprKind::Binary(op, a, _) => {
                op.is_comparison() && matches!(program.exprs[a].ty, Type::Pointer(_))
            }
            ExprKind::PtrDiff(..) => true,
            _ => false,
        }
    });
    found
}

/// Something is done with memory that is no access by the program itself.
fn uses_memory(program: &Program) -> bool {
    let mut edges = program.defined().flat_map(|(_, _, body)| body.edges.iter());
    edges.any(|(_, edge)| match &edge.instr {
        Instr::Call(call) => match call.callee {
            Callee::Proc(_) => false,
            Callee::Pointer(_) => true,
            Callee::Builtin(builtin) => !builtin.is_free_of_memory(),
        },
        _ => false,
    })
}
