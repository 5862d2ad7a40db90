//! Ranking functions: what becomes smaller with every turn of a loop and with every recursive
//! call, and never less than zero (ACSL's `loop variant` and `decreases`).
//!
//! - [`rank`]: a measure for each loop that has one: not negative when a turn begins that comes back
//!   to the head, and smaller then;
//! - [`decreases`]: a measure of the parameters for each recursive procedure that has one: not
//!   negative when a call recurs, and smaller in the recursive call. Procedures that call each
//!   other have the same one, parameter by parameter.
//!
//! Measures are linear with integer factors. The steps come from `lakatos-check`, as formulas about
//! a proof that was checked: of an inner loop only its invariant is known, of a call its contract.
//! Candidates come from guards first, then from factors that fit all steps seen so far (`search`);
//! each is verified with all steps before it is given away. Where nothing is found, nothing is
//! said: the loop may end all the same.
//!
//! Not in here: proofs of termination as a whole, invariants, C.

mod search;

use std::collections::BTreeMap;

use lakatos_check::{Checked, Instrumented, Relations, Steps};
use lakatos_evidence::Meaning;
use lakatos_evidence::show::{self, Dialect};
use lakatos_ir::callgraph::CallGraph;
use lakatos_ir::loops::Loops;
use lakatos_ir::{LocId, ProcId, Program, SignedOverflow, VarId};
use lakatos_logic::number::Int;
use lakatos_logic::smt::Smt;

use self::search::{Found, Linear};

/// A sum of variables with factors, and a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measure {
    /// No factor is zero.
    pub monomials: Vec<(Meaning, Int)>,
    pub constant: Int,
}

impl Measure {
    fn new(vars: impl IntoIterator<Item = VarId>, linear: &Linear) -> Measure {
        let parts = vars.into_iter().zip(&linear.factors).filter(|(_, f)| **f != Int::ZERO);
        let monomials = parts.map(|(var, factor)| (Meaning::now(var), factor.clone())).collect();
        Measure { monomials, constant: linear.constant.clone() }
    }

    /// As it stands behind `loop variant` or `decreases` in a procedure.
    pub fn acsl(&self, program: &Program, proc: ProcId) -> Option<String> {
        show::linear(program, proc, &self.monomials, &self.constant, Dialect::Acsl)
    }
}

/// All measures of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Measures {
    /// Of loops, by their heads.
    pub loops: BTreeMap<(ProcId, LocId), Measure>,
    /// Of recursive procedures.
    pub procedures: BTreeMap<ProcId, Measure>,
}

impl Measures {
    pub fn new(
        subject: &Instrumented,
        checked: &Checked,
        signed_overflow: SignedOverflow,
        smt: &mut Smt,
    ) -> Measures {
        Measures {
            loops: rank(subject, checked, signed_overflow, smt),
            procedures: decreases(subject, checked, signed_overflow, smt),
        }
    }
}

/// The measures of loops, by their heads. Queries are limited, and ended, by the solvers that are
/// handed in.
pub fn rank(
    subject: &Instrumented,
    checked: &Checked,
    signed_overflow: SignedOverflow,
    smt: &mut Smt,
) -> BTreeMap<(ProcId, LocId), Measure> {
    let program = subject.program();
    let mut measures = BTreeMap::new();
    let Some(mut relations) = Relations::new(subject, checked, signed_overflow) else {
        return measures;
    };
    let heads = program.defined().flat_map(|(proc, _, body)| {
        let loops = Loops::new(body).loops;
        loops.iter().map(|(_, l)| (proc, l.head)).collect::<Vec<_>>()
    });
    for (proc, loc) in heads {
        let nameable =
            |var: VarId| show::name(program, proc, Meaning::now(var), Dialect::Acsl).is_some();
        let steps = relations.turn(proc, loc, nameable);
        let Some((vars, Steps { terms, steps })) = steps else { continue };
        match search::find(terms, &steps, vars.len(), smt) {
            Found::Linear(linear) => {
                measures.insert((proc, loc), Measure::new(vars, &linear));
            }
            Found::Nothing => {}
            Found::Ended => break,
        }
    }
    measures
}

/// The measures of recursive procedures.
pub fn decreases(
    subject: &Instrumented,
    checked: &Checked,
    signed_overflow: SignedOverflow,
    smt: &mut Smt,
) -> BTreeMap<ProcId, Measure> {
    let program = subject.program();
    let calls = CallGraph::new(program);
    let mut measures = BTreeMap::new();
    let Some(mut relations) = Relations::new(subject, checked, signed_overflow) else {
        return measures;
    };
    for component in calls.bottom_up() {
        if !component.iter().any(|proc| calls.is_recursive(*proc)) {
            continue;
        }
        let steps = relations.recursion(&component);
        let Some((usable, Steps { terms, steps })) = steps else { continue };
        match search::find(terms, &steps, usable.len(), smt) {
            Found::Linear(mut linear) => {
                // What is no number was 0 in every step, whatever its factor.
                let unused = linear.factors.iter_mut().zip(&usable).filter(|(_, usable)| !**usable);
                unused.for_each(|(factor, _)| *factor = Int::ZERO);
                for proc in component {
                    let params = program.procs[proc].params.iter().copied();
                    measures.insert(proc, Measure::new(params, &linear));
                }
            }
            Found::Nothing => {}
            Found::Ended => break,
        }
    }
    measures
}
