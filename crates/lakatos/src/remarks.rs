//! What is said of a program's loops, by its annotations, for engines to try.
//!
//! Nothing of it is believed: what cannot be used is told and left out.

use lakatos_acsl::read::Annotations;
use lakatos_acsl::tree::{FileId, Pred, Theory};
use lakatos_engine::Remark;
use lakatos_ir::{Diagnostic, Program, Span};
use lakatos_lemmas::{Translation, translate_with};
use lakatos_logic::term::Terms;

use crate::terminal::note;

/// A formula, or why there is none.
pub type Formula = Result<lakatos_lemmas::Remark, Diagnostic>;

/// Predicates about loops.
pub struct Said<'p> {
    program: &'p Program,
    /// The program, among the files of the theory.
    pub file: Option<FileId>,
    /// With the loops as statements.
    loops: Vec<(Span, Pred)>,
}

impl<'p> Said<'p> {
    /// What the annotations of a program say; its declarations of the logic become part of the
    /// theory.
    pub fn by_annotations(theory: &mut Theory, program: &'p Program) -> Said<'p> {
        let nothing = Said { program, file: None, loops: Vec::new() };
        if program.annotations.is_empty() {
            return nothing;
        }
        let options = lakatos_c::Options { model: program.types.model };
        let Ok(unit) = lakatos_c::check(program.source.clone(), &options) else { return nothing };
        let annotations = match lakatos_acsl::read_program(theory, &unit) {
            Ok(annotations) => annotations,
            Err(failure) => {
                note(&format!("the annotations of the program are not used: {failure}"));
                return nothing;
            }
        };
        let Annotations { loops, .. } = annotations;
        let stated = loops.into_iter().flat_map(|annotated| {
            let at = unit.stmts[annotated.stmt].span;
            let invariants = annotated.body.invariants.into_iter();
            invariants.map(move |invariant| (at, invariant.body.body))
        });
        Said { program, file: theory.files.ids().last(), loops: stated.collect() }
    }

    /// The theory and what is said, as formulas.
    pub fn translate(&self, terms: &mut Terms, theory: &Theory) -> (Translation, Vec<Formula>) {
        let predicates: Vec<&Pred> = self.loops.iter().map(|(_, predicate)| predicate).collect();
        translate_with(terms, theory, self.program.types.model, &predicates)
    }

    /// What engines are given. What they are not given is told.
    pub fn remarks(&self, formulas: Vec<Formula>) -> Vec<Remark> {
        let mut remarks = Vec::new();
        for ((at, _), formula) in self.loops.iter().zip(formulas) {
            match formula {
                Ok(lakatos_lemmas::Remark { formula, variables }) => {
                    let declared =
                        variables.into_iter().map(|(s, variable)| (s, variable.declared));
                    remarks.push(Remark { at: *at, formula, variables: declared.collect() });
                }
                Err(refused) => {
                    let at = self.program.source.position(refused.span.start);
                    note(&format!("{at}: this invariant is not tried: {}", refused.message));
                }
            }
        }
        remarks
    }
}
