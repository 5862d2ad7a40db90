//! What is known to matter before the first counterexample: initial precisions (stack-abstraction
//! thesis, sections 2.2, 6.1.1 and 6.1.2). A domain takes from them what it would take from a counterexample: the
//! explicit one the variables, predicates the atoms, the product the variables only.

use std::collections::BTreeSet;

use lakatos_ir::{Cfa, Edge, ExprId, Instr, LocId, ProcId, Span, VarId};
use lakatos_logic::term::{Node, Term, Terms};

use crate::core::{Cx, Domain, Stop};
use crate::semantics::Role;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Initial {
    /// Nothing.
    #[default]
    Empty,
    /// What conditions say, before and after them.
    AllAssumes,
    /// What conditions say of nothing but parameters and what is given to other functions, in the
    /// whole function; the values of these.
    ParamAssumes,
    /// Every variable. Predicates are not made of variables alone: no effect on them.
    AllVars,
}

/// Makes a precision the initial one.
pub fn apply<D: Domain>(cx: &mut Cx<'_>, domain: &mut D, initial: Initial) -> Result<(), Stop> {
    apply_where(cx, domain, initial, Where::Around)
}

/// Makes a precision the initial one, in whole functions.
pub fn apply_widely<D: Domain>(
    cx: &mut Cx<'_>,
    domain: &mut D,
    initial: Initial,
) -> Result<(), Stop> {
    apply_where(cx, domain, initial, Where::Function)
}

/// Where it matters what a condition says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Where {
    Around,
    Function,
}

fn apply_where<D: Domain>(
    cx: &mut Cx<'_>,
    domain: &mut D,
    initial: Initial,
    place: Where,
) -> Result<(), Stop> {
    let mut news = false;
    match initial {
        Initial::Empty => {}
        Initial::AllVars => {
            domain.learn_all(cx);
        }
        Initial::AllAssumes => conditions(cx, |cx, proc, body, at, atom| {
            let at: Vec<LocId> = match place {
                Where::Around => at.to_vec(),
                Where::Function => body.locs.ids().collect(),
            };
            for loc in at {
                news |= domain.learn(cx, proc, loc, atom)?;
            }
            Ok(())
        })?,
        Initial::ParamAssumes => {
            for (proc, _, _) in cx.semantics.program.defined() {
                for var in passed(cx, proc) {
                    news |= domain.follow(cx, proc, var);
                }
            }
            conditions(cx, |cx, proc, body, _, atom| {
                if is_about(cx, &passed(cx, proc), atom) {
                    for (loc, _) in body.locs.iter() {
                        news |= domain.learn(cx, proc, loc, atom)?;
                    }
                }
                Ok(())
            })?;
        }
    }
    // Without news there is nothing to settle: that is no counterexample which says nothing new.
    if news {
        domain.settle(cx)?;
    }
    Ok(())
}

/// Makes a precision see what procedures set their results and statics to, where that is said in
/// terms of what callers know: the values at the entry.
pub fn apply_results<D: Domain>(cx: &mut Cx<'_>, domain: &mut D) -> Result<(), Stop> {
    let mut news = false;
    for (proc, _, body) in cx.semantics.program.defined() {
        for (instr, span) in body.edges.iter().flat_map(|(_, edge)| setting(edge)) {
            for atom in set(cx, proc, instr, span) {
                news |= domain.learn(cx, proc, body.exit, atom)?;
                // What was at the entry is known as long as it is there.
                for kept in unchanged(cx, atom) {
                    for loc in body.locs.ids() {
                        news |= domain.learn(cx, proc, loc, kept)?;
                    }
                }
            }
        }
    }
    if news {
        domain.settle(cx)?;
    }
    Ok(())
}

/// That what an atom says of the entry is what is now.
fn unchanged(cx: &mut Cx<'_>, atom: Term) -> Vec<Term> {
    let symbols = cx.terms.free_symbols(atom).into_iter();
    let roles: Vec<(Role, VarId)> = symbols.filter_map(|s| cx.semantics.role(s)).collect();
    let entries = roles.into_iter().filter(|(role, _)| *role == Role::Pre);
    let Cx { terms, semantics, .. } = cx;
    let same = |(_, var)| {
        let now = semantics.symbol(terms, Role::Now, var);
        let before = semantics.symbol(terms, Role::Pre, var);
        terms.eq(now, before)
    };
    entries.map(same).collect()
}

/// The returns and assignments of an edge; of a block those inside it.
fn setting(edge: &Edge) -> Vec<(Instr, Span)> {
    match &edge.instr {
        Instr::Return(Some(_)) | Instr::Assign(..) => vec![(edge.instr.clone(), edge.span)],
        Instr::Block(region) => region.edges.iter().flat_map(setting).collect(),
        _ => Vec::new(),
    }
}

/// Equations of what an instruction sets, if callers see that, with values at the entry.
fn set(cx: &mut Cx<'_>, proc: ProcId, instr: Instr, span: Span) -> Vec<Term> {
    let program = cx.semantics.program;
    let is_static = |var: VarId| program.vars[var].kind.frame().is_none();
    let transition = cx.semantics.instruction(&mut cx.terms, proc, instr, span);
    let [target] = transition.assigned[..] else { return Vec::new() };
    if !is_static(target) && program.procs[proc].result != Some(target) {
        return Vec::new();
    }
    let changed = cx.semantics.changed(proc);
    let formula = cx.semantics.replace_roles(
        &mut cx.terms,
        transition.formula,
        |semantics, terms, role, var| match role {
            Role::Now if var == target || !changed.contains(&var) => None,
            Role::Now | Role::Old => Some(semantics.symbol(terms, Role::Pre, var)),
            _ => None,
        },
    );
    let known = |cx: &Cx<'_>, symbol| match cx.semantics.role(symbol) {
        Some((Role::Now, var)) if var == target => true,
        Some((_, var)) => is_static(var) || program.procs[proc].params.contains(&var),
        None => false,
    };
    let about_target = |cx: &Cx<'_>, symbol| cx.semantics.role(symbol) == Some((Role::Now, target));
    let mut found = cx.terms.atoms(formula);
    found.retain(|atom| {
        let symbols = cx.terms.free_symbols(*atom);
        is_plain(&cx.terms, *atom)
            && symbols.iter().all(|s| known(cx, *s))
            && symbols.iter().any(|s| about_target(cx, *s))
    });
    found
}

/// Makes a precision see what another domain has learned about the same program (there may be error
/// locations in one of them). The formulas are those of another context.
pub fn apply_learned<D: Domain>(
    cx: &mut Cx<'_>,
    domain: &mut D,
    from: &Cx<'_>,
    learned: &[(ProcId, Term)],
) -> Result<(), Stop> {
    let mut news = false;
    for (proc, formula) in learned {
        let Some(body) = &cx.semantics.program.procs[*proc].body else { continue };
        let Cx { terms, semantics, .. } = &mut *cx;
        let own = terms.import_as(&from.terms, *formula, |terms, symbol, _| {
            let (role, var) = from.semantics.role(symbol).ok_or(())?;
            let is_known = semantics.program.vars.get(var).is_some() && semantics.tracks(var);
            is_known.then(|| semantics.symbol(terms, role, var)).ok_or(())
        });
        let Ok(own) = own else { continue };
        for loc in body.locs.ids() {
            news |= domain.learn(cx, *proc, loc, own)?;
        }
    }
    if news {
        domain.settle(cx)?;
    }
    Ok(())
}

/// Whether an atom is an equation without case distinctions and remainders, which nobody wants to
/// read.
fn is_plain(terms: &Terms, atom: Term) -> bool {
    let odd =
        |term: &Term| matches!(terms.node(*term), Node::Ite(..) | Node::Div(..) | Node::Mod(..));
    matches!(terms.node(atom), Node::Zero(_) | Node::Eq(..))
        && !terms.parts_first(&[atom]).iter().any(odd)
}

/// The parameters of a procedure, and what its calls look at.
fn passed(cx: &Cx<'_>, proc: ProcId) -> BTreeSet<VarId> {
    let semantics = &cx.semantics;
    let procedure = &semantics.program.procs[proc];
    let mut found: BTreeSet<VarId> = procedure.params.iter().copied().collect();
    let edges = procedure.body.iter().flat_map(|body| body.edges.iter());
    for (edge, _) in edges.filter(|(_, edge)| matches!(edge.instr, Instr::Call(_))) {
        let effects = semantics.mods.of_edge(semantics.program, &semantics.calls, proc, edge);
        found.extend(effects.reads.vars.iter().copied());
    }
    found.retain(|var| semantics.tracks(*var));
    found
}

fn is_about(cx: &Cx<'_>, vars: &BTreeSet<VarId>, atom: Term) -> bool {
    let is_one = |s| matches!(cx.semantics.role(s), Some((_, var)) if vars.contains(&var));
    cx.terms.free_symbols(atom).into_iter().all(is_one)
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
                for atom in cx.terms.atoms(formula) {
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
