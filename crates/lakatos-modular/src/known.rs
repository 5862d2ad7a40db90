//! Functions that Lakatos knows by their names, and contracts that say no more of them than that.

use lakatos_acsl::read::FunctionContract;
use lakatos_acsl::spec::Mode;
use lakatos_acsl::tree::{Clause, PredKind};
use lakatos_c::ast::{DeclId, DeclKind, Unit};

use crate::spec::Spec;

/// Whether the contracts of a function without a body, which Lakatos knows by its name, demand
/// nothing and promise what it does anyway. Then nothing is lost without them.
pub(crate) fn says_what_is_known(unit: &Unit, function: DeclId, spec: &Spec) -> bool {
    let defined = matches!(&unit.decls[function].kind, DeclKind::Function(f) if f.body.is_some());
    let known = !defined && lakatos_c::lower::is_known(&spec.name);
    known && spec.contracts.iter().all(|contract| is_known(unit, &spec.name, contract))
}

fn is_known(unit: &Unit, name: &str, contract: &FunctionContract) -> bool {
    let said = &contract.contract;
    let changes_nothing = said.assigns.as_ref().is_some_and(|assigns| assigns.targets.is_empty());
    let plain = said.requires.is_empty() && said.behaviors.is_empty() && said.decreases.is_none();
    let does =
        |clause: &Clause| clause.mode == Mode::Assert && promised(unit, name, contract, clause);
    changes_nothing && !changes_memory(name) && plain && said.ensures.iter().all(does)
}

/// What they change is not what a contract may leave out.
fn changes_memory(name: &str) -> bool {
    !(name.starts_with("__VERIFIER_") || never_returns(name))
}

fn never_returns(name: &str) -> bool {
    matches!(name, "abort" | "exit" | "_exit" | "_Exit")
}

/// A function that never returns ensures everything, and an assumption what it assumes.
fn promised(unit: &Unit, name: &str, contract: &FunctionContract, clause: &Clause) -> bool {
    if never_returns(name) {
        return clause.body.kind == PredKind::False;
    }
    let [parameter] = contract.params[..] else { return false };
    let parameter = unit.symbols.name(unit.decls[parameter].name);
    name == "__VERIFIER_assume"
        && unit.source.snippet(clause.body.span).trim() == format!("{parameter} != 0")
}
