//! The second solver of `--cross-check`: which one it is, and what it said.

use std::path::Path;
use std::time::Duration;

use anyhow::{Result, anyhow, bail};
use lakatos_check::{Checked, Instrumented, Second, Why, cross_check};
use lakatos_ir::{Property, SignedOverflow};
use lakatos_logic::smt::pipe::{Kind, PipeSolver, Program};
use lakatos_logic::smt::{Limits, Logic, Solver};

/// For each condition.
const TIME: Duration = Duration::from_secs(60);

/// A solver that answers.
#[derive(Clone, Debug)]
pub struct SecondSolver {
    program: Program,
}

impl SecondSolver {
    /// The solver of a command, which must be one whose dialect is known.
    pub fn find(command: &Path) -> Result<SecondSolver> {
        let file = command.file_stem().unwrap_or_default().to_string_lossy();
        let Some(kind) = Kind::ALL.into_iter().find(|kind| file.starts_with(kind.name())) else {
            let known = Kind::ALL.map(Kind::name).join(" or ");
            bail!(
                "`--cross-check {}` names no solver that is known\n  Give the command of {known}.",
                command.display()
            );
        };
        let program = Program::at(kind, command);
        start(&program, Logic::All).map_err(|error| {
            let name = kind.name();
            anyhow!("{error}\n  Install {name}, or give its command: `--cross-check=COMMAND`.")
        })?;
        Ok(SecondSolver { program })
    }

    pub fn name(&self) -> &'static str {
        self.program.kind.name()
    }

    /// Nothing if the solver agrees with a proof.
    pub fn check(
        &self,
        program: &lakatos_ir::Program,
        property: Property,
        checked: &Checked,
        signed_overflow: SignedOverflow,
    ) -> Result<(), Why> {
        let subject = Instrumented::of(program, property, checked);
        let told = |condition: &lakatos_check::Condition| condition.describe(subject.program());
        let second =
            cross_check(&subject, checked, signed_overflow, |logic| start(&self.program, logic));
        match second {
            Second::Agrees | Second::NothingToAsk => Ok(()),
            Second::Disagrees(condition) => Err(Why::Disagreement {
                solver: self.name().to_owned(),
                condition: told(&condition),
            }),
            Second::Undecided(condition, reason) => Err(Why::Undecided {
                condition: told(&condition),
                reason: format!("{}: {reason}", self.name()),
            }),
            Second::Failed(error) => Err(Why::SolverGaveUp { reason: error.to_string() }),
        }
    }
}

fn start(
    program: &Program,
    logic: Logic,
) -> Result<PipeSolver, lakatos_logic::smt::pipe::StartError> {
    let mut solver = PipeSolver::start(program.clone(), logic)?;
    solver.set_limits(Limits { resources: None, time: Some(TIME) });
    Ok(solver)
}
