//! Numbers that nobody needs any more keep their values.
//!
//! Where the lifetime of a local variable ends it has no value. If it is not in memory, and is written
//! before it is read again on every way from there, its value does not matter: so it may as well stay
//! what it is, and proofs may speak of it.

use crate::live::live;
use crate::program::{EdgeId, Instr, Program};

/// Leaves out the ends of numbers that nobody reads before they are written again.
pub(super) fn kept(mut program: Program) -> Program {
    for proc in program.procs.ids() {
        let Some(body) = &program.procs[proc].body else { continue };
        let live = live(&program, proc, body);
        let is_spent = |edge: &EdgeId| match body.edges[*edge].instr {
            Instr::Dead(var) => {
                let info = &program.vars[var];
                let is_number = info.ty.as_int().is_some() && !info.address_taken;
                is_number && !live[body.edges[*edge].to].contains(&var)
            }
            _ => false,
        };
        let spent: Vec<EdgeId> = body.edges.ids().filter(is_spent).collect();
        let body = program.procs[proc].body.as_mut().expect("just seen");
        for edge in spent {
            body.edges[edge].instr = Instr::Skip;
        }
    }
    program
}
