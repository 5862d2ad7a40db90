//! Where the inputs of concrete runs come from.

use lakatos_ir::interpret::{Oracle, Random, Request, float_input};
use lakatos_ir::{ExprKind, InputKind, IntType, Program, SiteId, Type};

/// What a first look is made with.
const FIRST: [Sequence; 14] = [
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

/// Where the inputs of a run come from. Each is a function of the questions before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sequence {
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
    /// From 1 to a bound. State machines often end at 0.
    UpTo {
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

/// For a first look at a program.
pub(crate) fn first(program: &Program) -> impl Iterator<Item = Sequence> {
    FIRST.into_iter().chain(numbers(program))
}

/// For a long look, without end. Those of a first look come late.
pub(crate) fn sequences(program: &Program) -> impl Iterator<Item = Sequence> {
    let first: Vec<Sequence> = first(program).collect();
    random(1).chain(first).chain((2..).flat_map(random))
}

fn random(round: u64) -> impl Iterator<Item = Sequence> {
    let seed = 100 * round;
    let mixed = (1..=2).map(move |n| Sequence::Mixed { seed: seed + n });
    let up_to = [2, 4, 6, 10].into_iter().map(move |bound| Sequence::UpTo { bound, seed });
    let below = [7, 100].into_iter().map(move |bound| Sequence::Below { bound, seed });
    mixed.chain(up_to).chain(below)
}

/// A sequence that is being asked.
pub(crate) struct Inputs {
    sequence: Sequence,
    random: Random,
    asked: u64,
}

impl Inputs {
    pub fn new(sequence: Sequence) -> Inputs {
        let seed = match sequence {
            Sequence::Below { seed, .. }
            | Sequence::UpTo { seed, .. }
            | Sequence::Mixed { seed } => seed,
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
            Sequence::UpTo { bound, .. } => i128::from(self.random.bits() % bound) + 1,
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

    /// What was never written is zero in most runs, which is quick and often so; in some it is not.
    fn wants_elements(&self, _site: SiteId, kind: InputKind) -> bool {
        kind != InputKind::Uninitialised || matches!(self.sequence, Sequence::UpTo { .. })
    }
}
