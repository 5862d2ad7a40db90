//! What the interpreter of Lakatos does with the same inputs, as a third opinion beside the
//! compilers. It decides about refutations, so its values must be those of compiled code.

use lakatos_ir::interpret::{Interpreter, Options, Oracle, Outcome, Request};
use lakatos_ir::{InputKind, Program};

use super::program::INPUTS;

/// No program of the edge takes more steps.
const MOST_STEPS: u64 = 100_000;

/// The values that a run prints, for each of [`INPUTS`]; `None` where it does not return, or where
/// values come from anywhere else than the inputs.
pub fn values(program: &Program) -> Vec<Option<Vec<i32>>> {
    let interpreter = Interpreter::new(program);
    let options = Options { max_steps: MOST_STEPS, ..Options::default() };
    let run = |inputs: &[u8; 2]| {
        let mut given = Given { inputs: *inputs, next: 0, lost: false };
        let run = interpreter.run(&options, &mut given);
        let is_known = !given.lost && matches!(run.outcome, Outcome::Exited(_));
        is_known.then(|| numbers(&run.output)).flatten()
    };
    INPUTS.iter().map(run).collect()
}

/// The numbers of the only line.
fn numbers(output: &[u8]) -> Option<Vec<i32>> {
    let text = str::from_utf8(output).ok()?;
    let line = text.lines().next()?;
    line.split(' ').map(|number| number.parse().ok()).collect()
}

/// Gives the inputs in their order.
struct Given {
    inputs: [u8; 2],
    next: usize,
    /// Something else was asked for.
    lost: bool,
}

impl Oracle for Given {
    fn input(&mut self, asked: &Request<'_>) -> i128 {
        let is_input = asked.kind == InputKind::Nondet;
        let input = self.inputs.get(self.next).copied().filter(|_| is_input);
        self.next += 1;
        self.lost |= input.is_none();
        input.map_or(0, i128::from)
    }
}
