//! What the values that a proof speaks of are called in ACSL, depending on where it is said.

use std::collections::BTreeSet;

use lakatos_evidence::show::Named;
use lakatos_evidence::{Contract, Meaning, Proof, When};
use lakatos_ir::modset::Footprint;
use lakatos_ir::{ProcId, Program, Var, VarId, VarKind};
use lakatos_logic::term::Term;
use lakatos_witness::outline::Outline;

use crate::model::Parameter;

/// Where a formula stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Requires,
    Ensures,
    /// Before a loop; names are looked up as if at this position.
    Loop {
        scope: u32,
    },
}

/// The names of one procedure.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Names<'a> {
    pub program: &'a Program,
    pub outline: &'a Outline,
    pub proc: ProcId,
    /// What may differ from what it was at the entry.
    pub changed: &'a Footprint,
}

impl Names<'_> {
    /// The name of a value, where the source has one that means it there.
    pub fn of(&self, place: Place, Meaning { var: id, when }: Meaning) -> Option<Named> {
        let var = &self.program.vars[id];
        let ty = var.ty.as_int()?;
        if let VarKind::Result(owner) = var.kind {
            let here = owner == self.proc && place == Place::Ensures;
            return here.then(|| Named { name: "\\result".to_owned(), ty });
        }
        let scope = match place {
            Place::Requires | Place::Ensures => self.contract_scope(),
            Place::Loop { scope } => scope,
        };
        let name = match var.kind {
            // It never changes.
            VarKind::Key(_) => return Some(Named { name: var.name.clone(), ty }),
            VarKind::Cell(root) => self.variable(scope, root).map(|_| var.name.clone())?,
            _ => self.variable(scope, id)?,
        };
        let is_param = matches!(var.kind, VarKind::Param(_));
        let is_same = !var.kind.is_ghost() && !self.changed.touches(self.program, id);
        let name = match (when, place) {
            (When::Now, _) | (When::Entry, Place::Requires) => name,
            // In a contract formal parameters are what they were at the entry.
            (When::Entry, Place::Ensures) if is_param => name,
            (When::Entry, _) if is_same => name,
            (When::Entry, Place::Ensures) => format!("\\old({name})"),
            (When::Entry, Place::Loop { .. }) => format!("\\at({name}, Pre)"),
        };
        Some(Named { name, ty })
    }

    /// Puts what is said of any index before what is said: a formula with keys in it holds for
    /// every one. `None` if that has no text, since it is not known how many there are.
    pub fn quantified(&self, keys: &BTreeSet<VarId>, text: String) -> Option<String> {
        let mut quantified = text;
        for key in keys.iter().rev() {
            let Var { name, kind: VarKind::Key(Some(length)), .. } = &self.program.vars[*key]
            else {
                return None;
            };
            quantified =
                format!("\\forall integer {name}; 0 <= {name} < {length} ==> ({quantified})");
        }
        Some(quantified)
    }

    /// The keys that a formula speaks of, also as indices of cells, and whether it speaks of
    /// anything else.
    pub fn keys(&self, proof: &Proof, formula: Term) -> (BTreeSet<VarId>, bool) {
        let spoken = proof.terms().free_symbols(formula).into_iter();
        self.keys_of(spoken.map(|symbol| proof.meaning(symbol).var))
    }

    /// The same for variables.
    pub fn keys_of(&self, spoken: impl Iterator<Item = VarId>) -> (BTreeSet<VarId>, bool) {
        let is_key = |var: &VarId| matches!(self.program.vars[*var].kind, VarKind::Key(_));
        let (mut keys, others): (BTreeSet<VarId>, BTreeSet<VarId>) = spoken.partition(is_key);
        for other in &others {
            let Var { name, kind: VarKind::Cell(_), .. } = &self.program.vars[*other] else {
                continue;
            };
            let all = self.program.vars.iter().filter(|(id, _)| is_key(id));
            let indices = all.filter(|(_, key)| name.contains(&format!("[{}]", key.name)));
            keys.extend(indices.map(|(id, _)| id));
        }
        (keys, !others.is_empty())
    }

    /// The globals that a contract speaks of, as far as they have a name in it.
    pub fn globals(&self, proof: &Proof, contract: &Contract) -> BTreeSet<Parameter> {
        let formulas = [contract.requires, contract.ensures];
        let symbols = proof.terms().free_symbols_of(&formulas).into_iter();
        let spoken = symbols.map(|symbol| proof.meaning(symbol).var);
        let changed = contract.assigns.vars.iter().copied();
        let globals = spoken.chain(changed).filter_map(|id| {
            let var = &self.program.vars[id];
            let name = self.variable(self.contract_scope(), id)?;
            let global = var.kind == VarKind::Global;
            global.then(|| Parameter { name, ty: var.c_type.clone() })
        });
        globals.collect()
    }

    /// The variable's name, if it means the variable at a position.
    pub fn variable(&self, scope: u32, id: VarId) -> Option<String> {
        let name = &self.program.vars[id].name;
        let meant = self.outline.variable(self.program, self.proc, scope, name);
        (meant == Some(id)).then(|| name.clone())
    }

    /// A position at which the parameters are known and nothing else of the function is.
    pub fn contract_scope(&self) -> u32 {
        contract_scope(self.program, self.outline, self.proc)
    }
}

/// A position at which the parameters of a procedure are known and nothing else of it is.
pub(crate) fn contract_scope(program: &Program, outline: &Outline, proc: ProcId) -> u32 {
    let procedure = &program.procs[proc];
    let last = procedure.params.iter().map(|param| program.vars[*param].span.end).max();
    let begin = outline.begin_of(&procedure.name).unwrap_or_default();
    last.unwrap_or(procedure.span.end).max(begin)
}
