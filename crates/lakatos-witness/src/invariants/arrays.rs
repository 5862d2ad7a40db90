//! From proofs about arrays as values to correctness witnesses: what is said where a function is
//! written out is said of the function, in ACSL.

use lakatos_evidence::show::{Dialect, Named, Printer};
use lakatos_evidence::{Meaning, Proof, When};
use lakatos_ir::{LocId, ProcId, Program, Span, Type, VarId, VarKind, behind};
use lakatos_logic::term::{Symbol, Term};

use crate::format::{Invariant, InvariantKind};
use crate::outline::{Kind, Outline, Statement};
use crate::place;

/// What a proof about arrays says of loops; with notes about what is left out. The program is that of
/// the user, and the subject is the one that the proof is about.
pub fn from_proof_of_arrays(
    program: &Program,
    subject: &Program,
    outline: &Outline,
    proof: &Proof,
) -> (Vec<Invariant>, Vec<String>) {
    let (mut invariants, mut notes) = (Vec::new(), Vec::new());
    let writer = Writer { program, subject, outline, proof };
    for (proc, loc, formula) in proof.invariants() {
        if proc != subject.start || formula == Term::TRUE {
            continue;
        }
        let (said, is_all) = writer.invariant(loc, formula);
        invariants.extend(said);
        if !is_all {
            let position = program.source.position(writer.span(loc).start);
            notes.push(format!(
                "not all that the proof says at {position} can be said in the witness"
            ));
        }
    }
    (invariants, notes)
}

struct Writer<'a> {
    program: &'a Program,
    subject: &'a Program,
    outline: &'a Outline,
    proof: &'a Proof,
}

impl Writer<'_> {
    fn span(&self, loc: LocId) -> Span {
        let body = self.subject.procs[self.subject.start].body.as_ref();
        body.map(|body| body.locs[loc].span).unwrap_or_default()
    }

    /// What can be said of a loop, and whether that is all.
    fn invariant(&self, loc: LocId, formula: Term) -> (Option<Invariant>, bool) {
        let span = self.span(loc);
        let found = place::statement_of(self.outline, span).filter(|s| s.kind == Kind::Loop);
        // What holds in one of several calls need not hold in the others.
        let is_alone =
            self.proof.invariants().filter(|(_, loc, _)| self.span(*loc) == span).count() == 1;
        let proc = self.outline.function_at(self.program, span.start);
        let (Some(statement), Some(proc), true) = (found, proc, is_alone) else {
            return (None, false);
        };
        let (text, is_all) = self.text(proc, statement, formula);
        let location = place::location(self.program, self.outline, span.start);
        let format = "acsl_expression".to_owned();
        let said = text.map(|text| Invariant { kind: InvariantKind::Loop(text), location, format });
        (said, is_all)
    }

    fn text(&self, proc: ProcId, statement: Statement, formula: Term) -> (Option<String>, bool) {
        let named = |symbol: Symbol| self.named(proc, statement, self.proof.meaning(symbol));
        let (terms, model) = (self.proof.terms(), self.program.types.model);
        let printer = Printer::new(terms, model, Dialect::Acsl, &named);
        let parts = terms.conjuncts(formula);
        let kept: Vec<Term> =
            parts.iter().copied().filter(|part| printer.formula(*part).is_some()).collect();
        let is_all = kept.len() == parts.len();
        match kept.is_empty() {
            true => (None, is_all),
            false => (printer.all(&kept), is_all),
        }
    }

    /// What a value is called there: by the name of the variable that has it, or has it in memory.
    fn named(&self, proc: ProcId, statement: Statement, meaning: Meaning) -> Option<Named> {
        if meaning.when == When::Entry {
            return None;
        }
        let var = &self.subject.vars[meaning.var];
        let element = self.subject.whole_array(meaning.var);
        let ty = element.or(var.ty.as_int())?;
        let owner = match var.kind {
            VarKind::Cell(root) => Some(root).filter(|r| self.subject.vars[*r].name == var.name),
            _ => Some(meaning.var),
        };
        let owner = owner.filter(|owner| self.is_meant(proc, statement, *owner));
        let owner = owner.or_else(|| self.pointer_to(proc, statement, meaning.var));
        owner.map(|owner| Named { name: self.subject.vars[owner].name.clone(), ty })
    }

    /// A pointer that is known there and means an array.
    fn pointer_to(&self, proc: ProcId, statement: Statement, array: VarId) -> Option<VarId> {
        self.subject.whole_array(array)?;
        let body = self.subject.procs[self.subject.start].body.as_ref()?;
        let pointers =
            self.subject.vars.iter().filter(|(_, var)| matches!(var.ty, Type::Pointer(_)));
        let meant = |var: &VarId| {
            behind::array(self.subject, body, *var) == Some(array)
                && self.is_meant(proc, statement, *var)
        };
        pointers.map(|(id, _)| id).find(meant)
    }

    /// A variable, or a copy of it, is what its name means. Copies are declared where it is.
    fn is_meant(&self, proc: ProcId, statement: Statement, owner: VarId) -> bool {
        let owner = &self.subject.vars[owner];
        let meant = self.outline.variable(self.program, proc, statement.scope, &owner.name);
        meant.is_some_and(|meant| self.program.vars[meant].span == owner.span)
    }
}
