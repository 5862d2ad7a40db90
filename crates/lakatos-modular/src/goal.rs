//! What has to be shown.

use lakatos_ir::{ProcId, Program, Span, splice};

/// A clause of the user that must hold whenever a run comes to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    /// For a person: "`ensures` of `f`".
    pub what: String,
    /// The clause.
    pub span: Span,
    /// The procedure whose call says that it does not hold.
    pub(crate) error: ProcId,
}

/// Goals in order; each is an error of the program under the name of [`Goals::index_of`].
#[derive(Clone, Debug, Default)]
pub(crate) struct Goals(pub Vec<Goal>);

impl Goals {
    pub fn add(&mut self, program: &mut Program, what: String, span: Span) -> ProcId {
        let error = splice::error_procedure(program, error_name(self.0.len()), span);
        self.0.push(Goal { what, span, error });
        error
    }
}

fn error_name(index: usize) -> String {
    format!("goal {index}")
}

/// The goal that a violation is about, by its message.
pub fn violated<'g>(goals: &'g [Goal], message: &str) -> Option<&'g Goal> {
    let called = |index: usize| message.contains(&format!("`{}`", error_name(index)));
    goals.iter().enumerate().find(|(index, _)| called(*index)).map(|(_, goal)| goal)
}
