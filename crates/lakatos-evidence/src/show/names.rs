//! What C and ACSL call the values that a proof speaks of.

use lakatos_ir::{ProcId, Program, VarId, VarKind};

use super::{Dialect, Named};
use crate::{Meaning, When};

/// The name of a value in a procedure; `None` where the source has none for it, or one that means
/// something else as well there.
pub fn name(program: &Program, proc: ProcId, meaning: Meaning, dialect: Dialect) -> Option<Named> {
    let var = &program.vars[meaning.var];
    let ty = var.ty.as_int()?;
    let name = match var.kind {
        VarKind::Result(owner) => (owner == proc).then(|| "\\result".to_owned()),
        VarKind::Temp(_) | VarKind::Literal => None,
        kind if kind.is_ghost() => None,
        _ => is_alone(program, proc, meaning.var).then(|| var.name.clone()),
    }?;
    let name = match meaning.when {
        When::Now => name,
        When::Entry => format!("\\old({name})"),
    };
    match dialect == Dialect::C && name.starts_with('\\') {
        true => None,
        false => Some(Named { name, ty }),
    }
}

/// No other variable of this name may be meant in the procedure. Which blocks names belong to is
/// not known here.
fn is_alone(program: &Program, proc: ProcId, id: VarId) -> bool {
    let var = &program.vars[id];
    let visible = |kind: VarKind| match kind {
        VarKind::Global => true,
        VarKind::Static(owner)
        | VarKind::Param(owner)
        | VarKind::Local(owner)
        | VarKind::Temp(owner) => owner == proc,
        VarKind::Result(_) | VarKind::Literal => false,
        VarKind::Ghost | VarKind::Cell(_) | VarKind::Key(_) => false,
    };
    let declared = match var.kind {
        VarKind::Global => var.span.start < program.procs[proc].span.start,
        _ => true,
    };
    let mut others = program.vars.iter().filter(|(other, v)| *other != id && v.name == var.name);
    !var.name.is_empty() && visible(var.kind) && declared && !others.any(|(_, v)| visible(v.kind))
}
