//! What is said of a program's loops, by its annotations or by a witness, for engines to try.
//!
//! Nothing of it is believed: what cannot be used is told and left out.

use lakatos_acsl::program::Program as Names;
use lakatos_acsl::tree::{FileId, Pred, Theory};
use lakatos_c::ast::Unit;
use lakatos_engine::Remark;
use lakatos_ir::{Diagnostic, Program, Span};
use lakatos_lemmas::{Translation, translate_with};
use lakatos_logic::term::Terms;
use lakatos_witness::invariants::Spoken;

use crate::terminal::note;

/// A formula, or why there is none.
pub type Formula = Result<lakatos_lemmas::Remark, Diagnostic>;

/// Predicates about loops.
pub struct Said<'p> {
    program: &'p Program,
    /// The program, among the files of the theory.
    pub file: Option<FileId>,
    loops: Vec<Loop>,
    /// What could not be read.
    unread: Vec<String>,
}

struct Loop {
    /// As a statement.
    at: Span,
    predicate: Pred,
    /// Where it stands, or which one it is.
    what: String,
}

/// What engines are given, and what they are not given.
pub struct Remarks {
    pub read: Vec<Remark>,
    pub refused: Vec<String>,
}

impl<'p> Said<'p> {
    fn new(program: &'p Program) -> Said<'p> {
        Said { program, file: None, loops: Vec::new(), unread: Vec::new() }
    }

    /// Nothing of it.
    pub fn nothing(&self) -> Said<'p> {
        Said::new(self.program)
    }

    /// What the annotations of a program say; its declarations of the logic become part of the
    /// theory.
    pub fn by_annotations(theory: &mut Theory, program: &'p Program) -> Said<'p> {
        let mut said = Said::new(program);
        let Some(unit) = unit(program).filter(|_| !program.annotations.is_empty()) else {
            return said;
        };
        let annotations = match lakatos_acsl::read_program(theory, &unit) {
            Ok(annotations) => annotations,
            Err(failure) => {
                note(&format!("the annotations of the program are not used: {failure}"));
                return said;
            }
        };
        said.file = theory.files.ids().last();
        for annotated in annotations.loops {
            for invariant in annotated.body.invariants {
                let what = program.source.position(invariant.body.span.start).to_string();
                let (at, predicate) = (unit.stmts[annotated.stmt].span, invariant.body.body);
                said.loops.push(Loop { at, predicate, what });
            }
        }
        said
    }

    /// What a witness says; the program's declarations of the logic become part of the theory.
    pub fn by_witness(theory: &mut Theory, program: &'p Program, spoken: &[Spoken]) -> Said<'p> {
        let mut said = Said { loops: Vec::new(), ..Said::by_annotations(theory, program) };
        let Some(unit) = unit(program) else { return said };
        let names = Names::new(&unit);
        for Spoken { at, scope, text, what } in spoken {
            match lakatos_acsl::read_predicate(theory, text, &names.place(*scope)) {
                Ok(predicate) => {
                    said.loops.push(Loop { at: *at, predicate, what: what.clone() });
                }
                Err(wrong) => said.unread.push(format!("{what}: {}", wrong.message)),
            }
        }
        said
    }

    /// The theory and what is said, as formulas.
    pub fn translate(&self, terms: &mut Terms, theory: &Theory) -> (Translation, Vec<Formula>) {
        let predicates: Vec<&Pred> = self.loops.iter().map(|said| &said.predicate).collect();
        translate_with(terms, theory, self.program.types.model, &predicates)
    }

    /// What engines are given.
    pub fn remarks(&self, formulas: Vec<Formula>) -> Remarks {
        let mut remarks = Remarks { read: Vec::new(), refused: self.unread.clone() };
        for (Loop { at, what, .. }, formula) in self.loops.iter().zip(formulas) {
            match formula {
                Ok(lakatos_lemmas::Remark { formula, variables }) => {
                    let variables = variables.into_iter().map(|(s, v)| (s, v.declared)).collect();
                    remarks.read.push(Remark { at: *at, formula, variables });
                }
                Err(refused) => remarks.refused.push(format!("{what}: {}", refused.message)),
            }
        }
        remarks
    }
}

/// The program as its text says it.
fn unit(program: &Program) -> Option<Unit> {
    let options = lakatos_c::Options::of_model(program.types.model);
    lakatos_c::check(program.source.clone(), &options).ok()
}
