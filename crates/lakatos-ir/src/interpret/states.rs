//! States: runs that stop wherever the program asks for a number, so that several answers can be tried
//! from there. All else that comes from outside is zero.

use std::collections::BTreeSet;
use std::fmt;
use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use super::exec::{Frame, Machine, Res};
use super::memory::{Memory, ObjectId};
use super::oracle::Zeros;
use super::plan::{Choice, Storage};
use super::value::{Pointer, Value};
use super::{Interpreter, Options, Outcome};
use crate::arena::Id;
use crate::expr::PlaceId;
use crate::program::{EdgeId, InputKind, Instr, LocId, ProcId, SiteId, VarId};
use crate::ty::Type;

/// A run that waits for an answer.
#[derive(Clone, Debug)]
pub struct State<'p> {
    memory: Memory,
    slots: Vec<Value>,
    locals: Vec<Pointer>,
    allocas: Vec<ObjectId>,
    frame: Frame<'p>,
    callers: Vec<Frame<'p>>,
    stack_top: u64,
    /// Where the answer comes in.
    pub site: SiteId,
}

/// How a run goes on.
#[derive(Debug)]
pub enum Next<'p> {
    Asks(Box<State<'p>>),
    Ends(Outcome),
}

/// A machine that goes from state to state.
pub struct States<'p, 'o> {
    machine: Machine<'p, 'o, ()>,
}

impl fmt::Debug for States<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("States").field("steps", &self.machine.steps).finish_non_exhaustive()
    }
}

impl<'p> Interpreter<'p> {
    /// Calls `explore` with the first state, and with what leads to others. Options limit the steps
    /// from one state to the next. `None` for a program that has no beginning.
    pub fn explore<'i: 'p, T>(
        &'i self,
        options: &Options,
        explore: impl FnOnce(Next<'p>, States<'p, '_>) -> T,
    ) -> Option<T> {
        let cfa = self.program.procs[self.program.start].body.as_ref()?;
        let mut zeros = Zeros;
        let mut machine = Machine::new(self.program, &self.plan, cfa, options, &mut zeros, ());
        let first = match machine.start() {
            Ok(()) => States::until_asked(&mut machine),
            Err(outcome) => Next::Ends(*outcome),
        };
        Some(explore(first, States { machine }))
    }
}

impl<'p> States<'p, '_> {
    /// What happens when an answer is given, until there is the next question.
    pub fn after(&mut self, state: &State<'p>, answer: i128) -> Next<'p> {
        let machine = &mut self.machine;
        machine.memory.clone_from(&state.memory);
        machine.slots.clone_from(&state.slots);
        machine.locals.clone_from(&state.locals);
        machine.allocas.clone_from(&state.allocas);
        machine.callers.clone_from(&state.callers);
        (machine.frame, machine.stack_top) = (state.frame, state.stack_top);
        machine.inputs.clear();
        machine.output.clear();
        machine.steps = 0;
        match Self::answered(machine, answer) {
            Ok(()) => Self::until_asked(machine),
            Err(outcome) => Next::Ends(*outcome),
        }
    }

    /// The steps that were taken since the last answer.
    pub fn steps(&self) -> u64 {
        self.machine.steps
    }

    fn answered(machine: &mut Machine<'p, '_, ()>, answer: i128) -> Res<()> {
        let Some((edge, place, site)) = Self::question(machine) else { return Ok(()) };
        machine.pass(edge)?;
        machine.hear(place, site, answer)
    }

    fn until_asked(machine: &mut Machine<'p, '_, ()>) -> Next<'p> {
        loop {
            if let Some((_, _, site)) = Self::question(machine) {
                return Next::Asks(Box::new(State {
                    memory: machine.memory.clone(),
                    slots: machine.slots.clone(),
                    locals: machine.locals.clone(),
                    allocas: machine.allocas.clone(),
                    frame: machine.frame,
                    callers: machine.callers.clone(),
                    stack_top: machine.stack_top,
                    site,
                }));
            }
            if let Err(outcome) = machine.step() {
                return Next::Ends(*outcome);
            }
        }
    }

    /// The number that is asked for next.
    #[inline]
    fn question(machine: &Machine<'p, '_, ()>) -> Option<(EdgeId, PlaceId, SiteId)> {
        let Choice::One(edge) = machine.frame.choices[machine.frame.loc.index()] else {
            return None;
        };
        let Instr::Havoc(place, site) = machine.frame.cfa.edges[edge].instr else { return None };
        let is_asked = match machine.program.sites[site].kind {
            InputKind::Nondet | InputKind::Volatile | InputKind::Allocation => true,
            InputKind::Uninitialised
            | InputKind::External
            | InputKind::Assembly
            | InputKind::Library => false,
        };
        let asks = is_asked && matches!(machine.program.places[place].ty, Type::Int(_));
        asks.then_some((edge, place, site))
    }

    /// A number that tells states apart in which something differs that matters: `live` are the
    /// variables of a procedure that are read later. It may be the same by chance.
    pub fn digest<'l>(
        &self,
        state: &State<'p>,
        mut live: impl FnMut(ProcId, LocId) -> &'l BTreeSet<VarId>,
    ) -> u64 {
        let mut digest = FxHasher::default();
        let statics = &state.slots[..self.machine.plan.static_slots.len()];
        statics.iter().for_each(|value| value.digest(&mut digest));
        for frame in state.callers.iter().chain([&state.frame]) {
            (frame.proc, frame.loc).hash(&mut digest);
            for var in live(frame.proc, frame.loc) {
                if let Storage::Local(slot) = self.machine.plan.storage[var.index()] {
                    state.slots[frame.slots + slot as usize].digest(&mut digest);
                }
            }
        }
        state.memory.digest(&mut digest);
        digest.finish()
    }
}

impl State<'_> {
    /// Whose calls have not ended.
    pub fn procs(&self) -> impl Iterator<Item = ProcId> + '_ {
        self.callers.iter().chain([&self.frame]).map(|frame| frame.proc)
    }

    /// About the bytes that it takes to keep it.
    pub fn size(&self) -> u64 {
        let slots = self.slots.len() * size_of::<Value>();
        slots as u64 + self.memory.live + self.memory.count() as u64 * 128
    }
}
