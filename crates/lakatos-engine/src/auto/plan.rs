//! Which engines, in which order: what the program is made of decides.

use std::sync::Arc;

use lakatos_encode::machine::Encoding;
use lakatos_ir::callgraph::CallGraph;
use lakatos_ir::loops::Loops;
use lakatos_ir::{BinOp, ExprId, ExprKind, PlaceKind, Program};

use super::Auto;
use crate::bam::Bam;
use crate::bmc::has_bits;
use crate::horn::Horn;
use crate::probe::Runs;
use crate::stack_cegar::{Kind, StackCegar};
use crate::{Arrays, Bmc, Cases, Engine, Induction, Laws, Parts, Task};

/// An engine that takes part.
#[derive(Clone)]
pub(super) struct Member {
    pub engine: Arc<dyn Engine + Send + Sync>,
    /// How long its turns are, compared to those of others.
    pub share: u64,
}

/// Loops and procedures of a large program, and steps: clauses for all of them at once are too much
/// for a first turn.
const LARGE: usize = 16;
const LONG: usize = 150;

/// What a program is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Features {
    is_large: bool,
    /// Some procedure calls another one, or itself.
    has_calls: bool,
    is_recursive: bool,
    has_loops: bool,
    has_bits: bool,
    /// Elements of arrays are accessed by their index.
    has_arrays: bool,
    /// Numbers are multiplied that are both not fixed.
    has_products: bool,
    /// The user said something that may help: of functions, or of loops.
    has_lemmas: bool,
    has_remarks: bool,
    /// Several errors are left.
    has_errors: bool,
}

impl Features {
    fn of(program: &Program, auto: &Auto, errors: usize) -> Features {
        let calls = CallGraph::new(program);
        let bodies: Vec<_> =
            program.defined().filter(|(proc, ..)| calls.is_reachable(*proc)).collect();
        let loops: usize = bodies.iter().map(|(_, _, b)| Loops::new(b).cut_points().len()).sum();
        let steps: usize = bodies.iter().map(|(_, _, body)| body.edges.len()).sum();
        Features {
            is_large: bodies.len() + loops > LARGE || steps > LONG,
            has_calls: bodies.len() > 2,
            is_recursive: bodies.iter().any(|(proc, ..)| calls.is_recursive(*proc)),
            has_loops: loops > 0,
            has_errors: errors > 1,
            has_lemmas: !auto.knowledge.is_empty(),
            has_remarks: !auto.remarks.is_empty(),
            has_arrays: program.places.iter().any(|(_, place)| is_element(program, place.kind)),
            has_bits: has_bits(program),
            has_products: program.exprs.iter().any(|(_, expr)| is_product(program, &expr.kind)),
        }
    }
}

fn is_product(program: &Program, kind: &ExprKind) -> bool {
    let is_fixed = |part: ExprId| matches!(program.exprs[part].kind, ExprKind::Int(_));
    matches!(kind, ExprKind::Binary(BinOp::Mul, a, b) if !is_fixed(*a) && !is_fixed(*b))
}

/// Whether a place is found by an index that is not fixed.
fn is_element(program: &Program, place: PlaceKind) -> bool {
    let is_fixed = |index| matches!(program.exprs[index].kind, ExprKind::Int(_));
    match place {
        PlaceKind::Index(_, index) => !is_fixed(index),
        PlaceKind::Deref(pointer) => match program.exprs[pointer].kind {
            ExprKind::PtrAdd(_, index) => !is_fixed(index),
            _ => false,
        },
        _ => false,
    }
}

/// The engines for a task of which so many errors are left.
pub(super) fn plan(auto: &Auto, task: &Task<'_>, errors: usize) -> Vec<Member> {
    let order = order(Features::of(task.program, auto, errors)).into_iter();
    order.map(|(one, share)| Member { engine: one.engine(auto), share }).collect()
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum One {
    Horn,
    HornBits,
    Cegar,
    /// The same for what decides about errors.
    Slice,
    /// Values of variables alone.
    Values,
    Bam,
    /// Loops written out.
    Bmc,
    /// A few turns of them.
    FewTurns,
    /// Induction over turns.
    Induction,
    /// Ranges by cases.
    Cases,
    /// Arrays as values.
    Arrays,
    /// Laws of numbers, by guessing.
    Laws,
    /// Concrete runs.
    Runs,
    /// Errors one by one.
    Parts,
}

/// Who takes part, with their shares. Clauses are quick with small programs, and with numbers of
/// bits Spacer knows little else; abstractions see only the parts of a large program that matter.
/// State machines are often a matter of values, whose nodes cost next to nothing. Loops with few turns
/// are soon written out. Of several errors in a large program each may have little to do with most of it.
fn order(features: Features) -> Vec<(One, u64)> {
    let bits = features.has_bits.then_some((One::HornBits, 1));
    let runs = (One::Runs, 1);
    // Whoever says what is known of functions has a proof in mind that only one engine finds.
    let helped = features.has_lemmas.then_some((One::Arrays, 8));
    let guesses = features.has_arrays || features.has_remarks;
    let arrays = (guesses && !features.has_lemmas).then_some((One::Arrays, 1));
    match features {
        Features { is_large: true, is_recursive, has_loops, has_errors, .. } => {
            let parts = has_errors.then_some((One::Parts, 2));
            let bam = is_recursive.then_some((One::Bam, 2));
            // Without loops and recursion all is written out at once; of a few turns of a loop that
            // goes on and on it may be much.
            let bmc = (!is_recursive).then_some((One::Bmc, if has_loops { 4 } else { 1 }));
            // Whether a turn preserves something is soon seen, and what a machine with few states does.
            let induction = (has_loops && !is_recursive).then_some((One::Induction, 1));
            let seen = helped.into_iter().chain(parts).chain([runs]).chain(induction);
            let few_turns = bmc.map(|_| (One::FewTurns, 2));
            let states = seen.chain([(One::Cases, 2)]).chain(few_turns);
            let first = states.chain([(One::Slice, 4)]).chain(bmc);
            let abstractions = first.chain([(One::Values, 16)]).chain(bam);
            abstractions.chain([(One::Horn, 1)]).chain(arrays).chain(bits).collect()
        }
        Features { is_large: false, has_calls, has_loops, is_recursive, has_products, .. } => {
            let bam = has_calls.then_some((One::Bam, 1));
            let bmc = has_loops.then_some((One::Bmc, 1));
            let laws = (has_loops || is_recursive).then_some((One::Laws, 4));
            // Solvers of clauses find hardly anything where numbers are multiplied.
            let (first, later) = if has_products { (laws, None) } else { (None, laws) };
            let quick = helped.into_iter().chain(first).chain([(One::Horn, 1)]);
            let clauses = quick.chain(arrays).chain(later);
            let cases = has_loops.then_some((One::Cases, 1));
            let induction = (has_loops && !is_recursive).then_some((One::Induction, 1));
            let by_turns = clauses.chain(cases).chain(induction);
            let written_out = by_turns.chain(bmc).chain(bits);
            written_out.chain([(One::Cegar, 1)]).chain(bam).chain([runs]).collect()
        }
    }
}

impl One {
    fn engine(self, auto: &Auto) -> Arc<dyn Engine + Send + Sync> {
        let abstraction = StackCegar { probe: false, ..auto.abstraction };
        match self {
            One::Horn => Arc::new(Horn { probe: false, ..Horn::default() }),
            One::HornBits => {
                Arc::new(Horn { probe: false, encoding: Encoding::Bv, ..Horn::default() })
            }
            One::Cegar => Arc::new(abstraction),
            One::Slice => Arc::new(StackCegar { slice: true, ..abstraction }),
            One::Values => Arc::new(StackCegar { domain: Kind::Explicit, ..abstraction }),
            One::Bmc => Arc::new(Bmc::default()),
            One::FewTurns => Arc::new(Bmc { most_turns: 2, ..Bmc::default() }),
            One::Induction => Arc::new(Induction),
            One::Cases => Arc::new(Cases),
            One::Arrays => {
                let (knowledge, remarks) = (auto.knowledge.clone(), auto.remarks.clone());
                Arc::new(Arrays { knowledge, remarks, ..Arrays::default() })
            }
            One::Laws => Arc::new(Laws),
            One::Runs => Arc::new(Runs),
            One::Parts => Arc::new(Parts),
            One::Bam => Arc::new(Bam { blocks: auto.blocks, abstraction }),
        }
    }
}
