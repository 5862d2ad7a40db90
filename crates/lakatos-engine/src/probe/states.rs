//! States, one after the other: from each state in which the program asks for a number several answers
//! are tried, and no state is gone on from twice. A machine that waits for commands over and over has
//! far fewer states than runs.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use lakatos_check::Verdict;
use lakatos_ir::arena::Arena;
use lakatos_ir::interpret::{Interpreter, Keyed, Next, State, States};
use lakatos_ir::{
    BinOp, Call, Callee, Cfa, ExprId, ExprKind, Instr, LocId, PlaceId, PlaceKind, ProcId,
    Procedure, Program, SiteId, VarId,
};
use lakatos_logic::smt::Reason;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{confirmed, options, shows};
use crate::{Statistics, Task, Watch};
use lakatos_ir::live::live;

/// Steps from one state to the next.
const STEPS: u64 = 100_000;
/// Bytes of states that wait.
const WAITING: u64 = 256 << 20;
/// Larger states are not kept.
const LARGE: u64 = 64 << 10;
/// Of procedures with more locations times variables nobody asks which are read later.
const LONG: usize = 1 << 24;
/// So many answers are tried.
const ANSWERS: usize = 16;
/// Steps between two looks at the watch, and what an answer counts.
const OFTEN: u64 = 500_000;
const ANSWER: u64 = 100;

/// Goes from state to state for so many steps. A verdict, if there is one, has been replayed.
pub(super) fn explore(
    task: &Task<'_>,
    instrumented: &Program,
    budget: u64,
    statistics: &mut Statistics,
    watch: &mut dyn Watch,
) -> Result<Option<Verdict>, Reason> {
    let interpreter = Interpreter::new(instrumented);
    let explored = interpreter.explore(&options(task, STEPS), |first, states| {
        let Next::Asks(first) = first else { return Ok(None) };
        let mut exploration = Exploration {
            task,
            instrumented,
            states,
            lives: BTreeMap::new(),
            waiting: VecDeque::new(),
            bytes: 0,
            seen: FxHashSet::default(),
            origins: Vec::new(),
        };
        exploration.is_new(&first);
        exploration.waiting.push_back((first, None));
        exploration.run(&answers(instrumented), budget, statistics, watch)
    });
    explored.unwrap_or(Ok(None))
}

/// How a state was come to: from another one, if it is not the first, by an answer.
struct Origin {
    before: Option<usize>,
    site: SiteId,
    answer: i128,
}

/// The variables of a procedure that are read later.
enum Lives {
    At(Arena<LocId, BTreeSet<VarId>>),
    /// Any may be.
    All(BTreeSet<VarId>),
}

impl Lives {
    fn new(program: &Program, proc: ProcId, body: &Cfa) -> Lives {
        match body.locs.len().saturating_mul(program.vars.len()) <= LONG {
            true => Lives::At(live(program, proc, body)),
            false => {
                let Procedure { params, locals, .. } = &program.procs[proc];
                Lives::All(params.iter().chain(locals).copied().collect())
            }
        }
    }

    fn at(&self, loc: LocId) -> &BTreeSet<VarId> {
        match self {
            Lives::At(by_location) => &by_location[loc],
            Lives::All(all) => all,
        }
    }
}

struct Exploration<'a, 'p, 'o> {
    task: &'a Task<'a>,
    instrumented: &'p Program,
    states: States<'p, 'o>,
    lives: BTreeMap<ProcId, Lives>,
    /// The first come are the first to go on; each with its origin.
    waiting: VecDeque<(Box<State<'p>>, Option<usize>)>,
    /// Of those that wait.
    bytes: u64,
    /// By digest.
    seen: FxHashSet<u64>,
    origins: Vec<Origin>,
}

impl<'p> Exploration<'_, 'p, '_> {
    fn run(
        &mut self,
        answers: &[i128],
        budget: u64,
        statistics: &mut Statistics,
        watch: &mut dyn Watch,
    ) -> Result<Option<Verdict>, Reason> {
        let (mut left, mut unseen) = (budget, OFTEN);
        while let Some((state, before)) = self.waiting.pop_front() {
            self.bytes -= state.size().min(self.bytes);
            for &answer in answers {
                if unseen >= OFTEN {
                    watch.progress(*statistics)?;
                    unseen = 0;
                }
                let next = self.states.after(&state, answer);
                let steps = self.states.steps() + ANSWER;
                statistics.probes += 1;
                statistics.steps += steps;
                unseen += steps;
                let origin = Origin { before, site: state.site, answer };
                let verdict = self.reached(next, origin);
                if verdict.is_some() || left < steps {
                    return Ok(verdict);
                }
                left -= steps;
            }
        }
        Ok(None)
    }

    fn reached(&mut self, next: Next<'p>, origin: Origin) -> Option<Verdict> {
        match next {
            Next::Asks(state) => {
                let size = state.size();
                if size <= LARGE && self.bytes + size <= WAITING && self.is_new(&state) {
                    self.bytes += size;
                    self.origins.push(origin);
                    self.waiting.push_back((state, Some(self.origins.len() - 1)));
                }
                None
            }
            Next::Ends(outcome) if shows(&outcome, self.task.property) => {
                let (mut inputs, count) = self.inputs(origin);
                let options = options(self.task, STEPS.saturating_mul(count + 1));
                let run = Interpreter::new(self.instrumented).run(&options, &mut inputs);
                let is_violation = shows(&run.outcome, self.task.property);
                is_violation.then(|| confirmed(self.task, self.instrumented, &run)).flatten()
            }
            Next::Ends(_) => None,
        }
    }

    fn is_new(&mut self, state: &State<'p>) -> bool {
        for proc in state.procs() {
            let body = self.instrumented.procs[proc].body.as_ref().expect("it is executed");
            let known = self.lives.entry(proc);
            known.or_insert_with(|| Lives::new(self.instrumented, proc, body));
        }
        let digest = self.states.digest(state, |proc, loc| self.lives[&proc].at(loc));
        self.seen.insert(digest)
    }

    /// The answers that lead to a state, and how many they are.
    fn inputs(&self, last: Origin) -> (Keyed, u64) {
        let (mut way, mut before) = (vec![(last.site, last.answer)], last.before);
        while let Some(number) = before {
            let origin = &self.origins[number];
            way.push((origin.site, origin.answer));
            before = origin.before;
        }
        let mut times: FxHashMap<SiteId, u32> = FxHashMap::default();
        let mut inputs = Keyed::default();
        for (site, answer) in way.iter().rev() {
            let occurrence = times.entry(*site).or_default();
            inputs.insert(*site, *occurrence, 0, *answer);
            *occurrence += 1;
        }
        (inputs, way.len() as u64)
    }
}

/// What to answer: the numbers that the program compares its inputs with, and those beside them.
fn answers(program: &Program) -> Vec<i128> {
    let inputs = inputs(program);
    let mut found = vec![0, 1];
    for (_, expr) in program.exprs.iter() {
        let ExprKind::Binary(op, a, b) = expr.kind else { continue };
        let (var, number) = match (copied(program, a), copied(program, b)) {
            (Some(Copied::Var(var)), Some(Copied::Number(number)))
            | (Some(Copied::Number(number)), Some(Copied::Var(var))) => (var, number),
            _ => continue,
        };
        if op.is_comparison() && inputs.contains(&var) {
            let beside: &[i128] =
                if matches!(op, BinOp::Eq | BinOp::Ne) { &[0] } else { &[0, -1, 1] };
            found.extend(beside.iter().filter_map(|by| number.checked_add(*by)));
        }
    }
    let mut known = BTreeSet::new();
    found.retain(|number| known.insert(*number));
    found.truncate(ANSWERS);
    found
}

/// A value that is no other than it was somewhere else.
enum Copied {
    Var(VarId),
    Number(i128),
}

fn copied(program: &Program, e: ExprId) -> Option<Copied> {
    match program.exprs[e].kind {
        ExprKind::Int(number) => Some(Copied::Number(number)),
        ExprKind::Load(place) => var(program, place).map(Copied::Var),
        ExprKind::Cast(inner) => copied(program, inner),
        _ => None,
    }
}

fn var(program: &Program, place: PlaceId) -> Option<VarId> {
    match program.places[place].kind {
        PlaceKind::Var(var) => Some(var),
        _ => None,
    }
}

/// The variables that hold inputs, or copies of them.
fn inputs(program: &Program) -> BTreeSet<VarId> {
    let mut copies: Vec<(VarId, VarId)> = Vec::new();
    let mut found = BTreeSet::new();
    for (proc, _, body) in program.defined() {
        for (_, edge) in body.edges.iter() {
            match &edge.instr {
                Instr::Havoc(place, _) => found.extend(var(program, *place)),
                Instr::Assign(place, value) => {
                    copies.extend(var(program, *place).zip(copy(program, *value)));
                }
                Instr::Return(Some(value)) => {
                    copies.extend(program.procs[proc].result.zip(copy(program, *value)));
                }
                Instr::Call(call) => copies.extend(handed(program, call)),
                _ => {}
            }
        }
    }
    let mut before = 0;
    while before < found.len() {
        before = found.len();
        let more = copies.iter().filter(|(_, from)| found.contains(from)).map(|(to, _)| *to);
        found.extend(more.collect::<Vec<VarId>>());
    }
    found
}

fn copy(program: &Program, e: ExprId) -> Option<VarId> {
    match copied(program, e) {
        Some(Copied::Var(var)) => Some(var),
        _ => None,
    }
}

/// What a call copies: arguments to parameters, and the result.
fn handed(program: &Program, call: &Call) -> Vec<(VarId, VarId)> {
    let Callee::Proc(callee) = call.callee else { return Vec::new() };
    let callee = &program.procs[callee];
    let given = callee.params.iter().zip(&call.args);
    let given = given.filter_map(|(param, arg)| Some((*param, copy(program, *arg)?)));
    let result = call.result.and_then(|place| var(program, place)).zip(callee.result);
    given.chain(result).collect()
}
