//! Probes: a few concrete runs before an engine begins. Many a violation needs no search. What a
//! probe finds is replayed like every refutation; that it finds nothing means nothing.

use lakatos_check::Verdict;
use lakatos_evidence::Refutation;
use lakatos_ir::interpret::{
    self, Interpreter, Keyed, Oracle, Outcome, Random, Request, Run, float_input,
};
use lakatos_ir::{ExprKind, InputKind, IntType, Program, Property, SiteId, Type};

use crate::prepare::Prepared;
use crate::{Statistics, Task, Watch};

/// Steps of one run.
const STEPS: u64 = 100_000;
/// Steps of all runs.
const ALL_STEPS: u64 = 600_000;
/// Steps of the only run of a program without inputs.
const ONLY_STEPS: u64 = 5_000_000;
const BYTES: u64 = 32 << 20;
const DEPTH: usize = 20_000;

/// Where the inputs of a run come from. Each is a function of the questions before it.
const SEQUENCES: [Sequence; 14] = [
    Sequence::Always(0),
    Sequence::Always(1),
    Sequence::Below { bound: 7, seed: 1 },
    Sequence::Mixed { seed: 1 },
    Sequence::Count,
    Sequence::Always(-1),
    Sequence::Largest,
    Sequence::Smallest,
    Sequence::Below { bound: 2, seed: 2 },
    Sequence::Mixed { seed: 2 },
    Sequence::Below { bound: 20, seed: 3 },
    Sequence::Below { bound: 200, seed: 4 },
    Sequence::Mixed { seed: 3 },
    Sequence::Below { bound: 7, seed: 5 },
];

#[derive(Clone, Copy, Debug)]
enum Sequence {
    Always(i128),
    /// 0, 1, 2, ...
    Count,
    /// Of the type.
    Largest,
    Smallest,
    /// Not negative, less than a bound.
    Below {
        bound: u64,
        seed: u64,
    },
    /// As [`Random`] mixes them.
    Mixed {
        seed: u64,
    },
}

/// So many numbers of the program are tried as inputs.
const NUMBERS: usize = 8;

/// What a program compares its inputs with is a good input.
fn numbers(program: &Program) -> Vec<Sequence> {
    let mut found: Vec<i128> = Vec::new();
    for (_, expr) in program.exprs.iter() {
        if let ExprKind::Int(value) = expr.kind
            && value.unsigned_abs() > 1
            && found.len() < NUMBERS
            && !found.contains(&value)
        {
            found.push(value);
        }
    }
    found.into_iter().map(Sequence::Always).collect()
}

/// A sequence that is being asked.
struct Inputs {
    sequence: Sequence,
    random: Random,
    asked: u64,
}

impl Inputs {
    fn new(sequence: Sequence) -> Inputs {
        let seed = match sequence {
            Sequence::Below { seed, .. } | Sequence::Mixed { seed } => seed,
            _ => 0,
        };
        Inputs { sequence, random: Random::new(seed), asked: 0 }
    }

    fn integer(&mut self, request: &Request<'_>, ty: IntType) -> i128 {
        match self.sequence {
            Sequence::Always(value) => value,
            Sequence::Count => i128::from(self.asked),
            Sequence::Largest => ty.max(),
            Sequence::Smallest => ty.min(),
            Sequence::Below { bound, .. } => i128::from(self.random.bits() % bound),
            Sequence::Mixed { .. } => self.random.input(request),
        }
    }
}

impl Oracle for Inputs {
    fn input(&mut self, request: &Request<'_>) -> i128 {
        let value = match request.ty {
            Type::Int(ty) => self.integer(request, ty),
            Type::Float(_) if matches!(self.sequence, Sequence::Mixed { .. }) => {
                self.random.input(request)
            }
            Type::Float(ty) => float_input(self.integer(request, IntType::I32) as f64, ty),
            // Nothing to point to.
            _ => 0,
        };
        self.asked += 1;
        value
    }

    fn wants_elements(&self, _site: SiteId, kind: InputKind) -> bool {
        kind != InputKind::Uninitialised
    }
}

/// Runs the program a few times; gives a refutation if one of the runs is one.
pub(crate) fn probe(
    task: &Task<'_>,
    prepared: &Prepared,
    statistics: &mut Statistics,
    watch: &mut dyn Watch,
) -> Option<Verdict> {
    let interpreter = Interpreter::new(&prepared.instrumented);
    let mut left = ALL_STEPS;
    let numbers = numbers(task.program);
    for sequence in SEQUENCES.into_iter().chain(numbers) {
        let steps = STEPS.min(left);
        if steps == 0 || watch.progress(*statistics).is_err() {
            return None;
        }
        let mut run = one(task, &interpreter, steps, sequence);
        statistics.probes += 1;
        left -= run.steps.min(left);
        let only = run.inputs.is_empty();
        if only && run.outcome == Outcome::StepLimit {
            run = one(task, &interpreter, ONLY_STEPS, sequence);
        }
        if violates(&run, task.property) {
            let refutation = confirmed(task, prepared, &run);
            if refutation.is_some() {
                return refutation;
            }
        }
        // Another run would be the same, or end as soon.
        if only || matches!(run.outcome, Outcome::Unsupported { .. }) {
            return None;
        }
    }
    None
}

fn options(task: &Task<'_>, max_steps: u64) -> interpret::Options {
    interpret::Options {
        signed_overflow: task.signed_overflow,
        max_steps,
        max_depth: DEPTH,
        max_bytes: BYTES,
        memory_safety: task.property.is_about_memory(),
        ..interpret::Options::default()
    }
}

fn one(task: &Task<'_>, interpreter: &Interpreter<'_>, steps: u64, sequence: Sequence) -> Run {
    interpreter.run(&options(task, steps), &mut Inputs::new(sequence))
}

/// Whether it is worth replaying.
fn violates(run: &Run, property: Property) -> bool {
    match &run.outcome {
        Outcome::Violated(violation) => violation.property == property,
        Outcome::ErrorReached { .. } => property == Property::UnreachCall,
        Outcome::Undefined { kind, .. } => {
            property.is_about_memory() && property.is_violated_by(*kind)
        }
        Outcome::Exited(_) => property.includes(Property::ValidMemtrack) && !run.lost.is_empty(),
        _ => false,
    }
}

fn confirmed(task: &Task<'_>, prepared: &Prepared, run: &Run) -> Option<Verdict> {
    let inputs: Keyed =
        run.inputs.iter().map(|i| ((i.site, i.occurrence, i.element), i.value)).collect();
    // A run that takes assembly into account asks more; its steps are the same.
    let options = options(task, run.steps.saturating_mul(2));
    let refutation =
        Refutation::replay(&prepared.instrumented, task.property, &options, &inputs).ok()?;
    Some(Verdict::Refuted(Box::new(refutation)))
}
