//! Runs: an engine that only runs the program.
//!
//! 1. All runs, if they are few (`all`): a proof, or a refutation.
//! 2. From state to state.
//! 3. Longer and longer runs, each time with other inputs too.
//!
//! It finds what goes wrong after many steps and needs no thought.

use std::mem::take;

use lakatos_check::{Budget, Verdict, Why};
use lakatos_ir::interpret::{Interpreter, Outcome};
use lakatos_logic::smt::Reason;

use super::all::{All, all};
use super::inputs::{Sequence, sequences};
use super::states::explore;
use super::{confirmed, one, violates};
use crate::horn::why;
use crate::prepare::Prepared;
use crate::{Engine, Report, Statistics, Task, Watch};

/// Steps of a run of the first round. Those of the next are four times as long.
const STEPS: u64 = 1_000_000;
const GROWTH: u64 = 4;
/// So many runs are new in a round.
const NEW: usize = 4;
/// Steps from state to state.
const STATES: u64 = 1 << 26;
/// All runs: so many at most, which are those over two bytes, and so many steps before the way from
/// state to state, which is a tenth of a second. The second attempt takes some seconds.
const ALL: Budget = Budget { runs: 1 << 16, steps: 1 << 22 };
const ALL_LONGER: Budget = Budget { runs: 1 << 17, steps: 1 << 28 };
/// What the beginning of a run counts.
const BEGINNING: u64 = 1_000;

/// The engine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Runs;

impl Engine for Runs {
    fn name(&self) -> &'static str {
        "runs"
    }

    fn solve(&self, task: &Task<'_>, watch: &mut dyn Watch) -> Report {
        let prepared = Prepared::new(task.program, task.property);
        let mut search = Search {
            task,
            interpreter: Interpreter::new(&prepared.instrumented),
            prepared: &prepared,
            statistics: Statistics::default(),
            steps: STEPS,
            has_inputs: false,
            open: None,
        };
        let verdict = match search.verdict(watch) {
            Ok(verdict) => verdict,
            Err(reason) => Verdict::Unknown(why(reason)),
        };
        Report::new(verdict, search.statistics)
    }
}

struct Search<'a> {
    task: &'a Task<'a>,
    prepared: &'a Prepared,
    interpreter: Interpreter<'a>,
    statistics: Statistics,
    /// Of one run.
    steps: u64,
    /// Some run has asked for one.
    has_inputs: bool,
    /// How a run ended after which all runs are no proof.
    open: Option<Box<Outcome>>,
}

/// What a run tells about others.
enum Told {
    Refuted(Verdict),
    /// It has asked for nothing: so far all runs are this one. Whether it has ended.
    All {
        ended: bool,
    },
    One {
        ended: bool,
    },
}

impl Search<'_> {
    fn verdict(&mut self, watch: &mut dyn Watch) -> Result<Verdict, Reason> {
        let (decided, is_finished) = self.all(ALL, watch)?;
        if let Some(verdict) = decided {
            return Ok(verdict);
        }
        if let Some(verdict) = self.states(watch)? {
            return Ok(verdict);
        }
        if !is_finished && let (Some(verdict), _) = self.all(ALL_LONGER, watch)? {
            return Ok(verdict);
        }
        Ok(self.run(watch))
    }

    /// The verdict of all runs, and whether another attempt would give no other one.
    fn all(
        &mut self,
        budget: Budget,
        watch: &mut dyn Watch,
    ) -> Result<(Option<Verdict>, bool), Reason> {
        let instrumented = &self.prepared.instrumented;
        match all(self.task, instrumented, budget, &mut self.statistics, watch)? {
            All::Decided(verdict) => Ok((Some(verdict), true)),
            All::Unfinished { .. } => Ok((None, false)),
            All::Open(ended) => {
                self.open = Some(ended);
                Ok((None, true))
            }
        }
    }

    /// From state to state first: what a machine with few states does is soon known.
    fn states(&mut self, watch: &mut dyn Watch) -> Result<Option<Verdict>, Reason> {
        let instrumented = &self.prepared.instrumented;
        explore(self.task, instrumented, STATES, &mut self.statistics, watch)
    }

    fn run(&mut self, watch: &mut dyn Watch) -> Verdict {
        let mut sequences = sequences(self.task.program);
        let mut longer: Vec<Sequence> = Vec::new();
        loop {
            for sequence in take(&mut longer).into_iter().chain(sequences.by_ref().take(NEW)) {
                if let Err(reason) = watch.progress(self.statistics) {
                    return Verdict::Unknown(why(reason));
                }
                match self.one(sequence) {
                    Told::Refuted(verdict) => return verdict,
                    Told::All { ended: true } => return self.nothing(),
                    Told::All { ended: false } => {
                        longer.push(sequence);
                        break;
                    }
                    Told::One { ended } => {
                        longer.extend((!ended).then_some(sequence));
                    }
                }
                if self.statistics.steps >= self.budget().1 {
                    return self.nothing();
                }
            }
            self.steps = self.steps.saturating_mul(GROWTH);
        }
    }

    fn one(&mut self, sequence: Sequence) -> Told {
        let (steps, _) = self.budget();
        let run = one(self.task, &self.interpreter, self.steps.min(steps), sequence);
        self.has_inputs |= !run.inputs.is_empty();
        self.statistics.probes += 1;
        // A run that ends at once costs its beginning.
        self.statistics.steps += run.steps + BEGINNING;
        if violates(&run, self.task.property)
            && let Some(refutation) = confirmed(self.task, &self.prepared.instrumented, &run)
        {
            return Told::Refuted(refutation);
        }
        // What cannot be longer has ended too.
        let ended = run.outcome != Outcome::StepLimit || self.steps >= steps;
        match run.inputs.is_empty() {
            true => Told::All { ended },
            false => Told::One { ended },
        }
    }

    /// The most steps of one run, and of all together.
    fn budget(&self) -> (u64, u64) {
        match self.has_inputs {
            true => (1 << 24, 1 << 27),
            false => (1 << 30, 1 << 30),
        }
    }

    fn nothing(&self) -> Verdict {
        let runs = self.statistics.probes;
        Verdict::Unknown(match &self.open {
            Some(ended) => Why::OpenRun { runs, ended: ended.clone() },
            None => Why::NoViolation { runs },
        })
    }
}
