//! What is known to matter before the first counterexample: initial precisions (stack-abstraction
//! thesis, section 2.2). A domain takes from them what it would take from a counterexample: the
//! explicit one the variables, predicates the atoms, the product the variables only.

use lakatos_ir::{Cfa, Edge, ExprId, Instr, LocId, ProcId};
use lakatos_logic::term::{Node, Term};

use crate::core::{Cx, Domain, Stop};
use crate::domain::atoms;
use crate::semantics::Role;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Initial {
    /// Nothing.
    #[default]
    Empty,
    /// What conditions say, before and after them.
    AllAssumes,
    /// What conditions say of nothing but parameters, in the whole function.
    ParamAssumes,
    /// Every variable. Predicates are not made of variables alone: no effect on them.
    AllVars,
}

/// Makes a precision the initial one.
pub fn apply<D: Domain>(cx: &mut Cx<'_>, domain: &mut D, initial: Initial) -> Result<(), Stop> {
    let mut news = false;
    match initial {
        Initial::Empty => {}
        Initial::AllVars => {
            domain.learn_all(cx);
        }
        Initial::AllAssumes => conditions(cx, |cx, proc, _, at, atom| {
            for loc in at {
                news |= domain.learn(cx, proc, loc, atom)?;
            }
            Ok(())
        })?,
        Initial::ParamAssumes => conditions(cx, |cx, proc, body, _, atom| {
            if is_about_parameters(cx, proc, atom) {
                for (loc, _) in body.locs.iter() {
                    news |= domain.learn(cx, proc, loc, atom)?;
                }
            }
            Ok(())
        })?,
    }
    // Without news there is nothing to settle: that is no counterexample which says nothing new.
    if news {
        domain.settle(cx)?;
    }
    Ok(())
}

fn is_about_parameters(cx: &Cx<'_>, proc: ProcId, atom: Term) -> bool {
    let params = &cx.semantics.program.procs[proc].params;
    let is_param = |s| matches!(cx.semantics.role(s), Some((_, var)) if params.contains(&var));
    cx.terms.free_symbols(atom).into_iter().all(is_param)
}

/// Calls `each` with the atoms of all conditions, and the locations around them.
fn conditions(
    cx: &mut Cx<'_>,
    mut each: impl FnMut(&mut Cx<'_>, ProcId, &Cfa, [LocId; 2], Term) -> Result<(), Stop>,
) -> Result<(), Stop> {
    let program = cx.semantics.program;
    for (proc, _, body) in program.defined() {
        for (_, edge) in body.edges.iter() {
            for condition in conditions_of(edge) {
                let formula = cx.semantics.condition(&mut cx.terms, proc, condition, edge.span);
                for atom in atoms(&cx.terms, formula) {
                    if is_about_variables(cx, atom) {
                        each(cx, proc, body, [edge.from, edge.to], atom)?;
                    }
                }
            }
        }
    }
    Ok(())
}

/// The conditions that an edge assumes; for a block those inside it.
fn conditions_of(edge: &Edge) -> Vec<ExprId> {
    match &edge.instr {
        Instr::Assume(condition) => vec![*condition],
        Instr::Block(region) => region.edges.iter().flat_map(conditions_of).collect(),
        _ => Vec::new(),
    }
}

/// Whether an atom is one, and speaks of the frame's variables only: nothing opaque.
fn is_about_variables(cx: &Cx<'_>, atom: Term) -> bool {
    let symbols = cx.terms.free_symbols(atom);
    let now = |s| matches!(cx.semantics.role(s), Some((Role::Now, _)));
    !symbols.is_empty()
        && symbols.iter().all(|s| now(*s))
        && !matches!(cx.terms.node(atom), Node::And(_) | Node::Or(_))
}
