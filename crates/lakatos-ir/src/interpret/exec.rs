//! The machine: frames on a stack of its own, one edge at a time.

use std::convert::Infallible;

use super::call::Argument;
use super::exhaustive::Pending;
use super::memory::{Kind, Memory, ObjectId, footprint};
use super::observe::{AccessKind, Accessor, Watch};
use super::oracle::{BETWEEN, Oracle};
use super::plan::{Choice, Plan, Storage};
use super::value::{Pointer, Value};
use super::{Input, Lost, Options, Outcome, Run, StackEntry, Step};
use crate::arena::Id;
use crate::expr::{ExprId, PlaceId};
use crate::program::{Cfa, Edge, EdgeId, Instr, LocId, ProcId, Program, VarId, VarKind};
use crate::source::Span;
use crate::ty::Type;

/// The error is the outcome of the run: it has ended.
pub(super) type Res<T> = Result<T, Box<Outcome>>;

pub(super) struct Machine<'p, 'o, W> {
    pub program: &'p Program,
    pub plan: &'p Plan,
    pub options: &'o Options,
    pub oracle: &'o mut dyn Oracle,
    pub memory: Memory,
    /// The slots of the whole run, then those of each frame.
    pub slots: Vec<Value>,
    /// The objects of each frame, null where a variable has none yet.
    pub locals: Vec<Pointer>,
    pub static_objects: Vec<Pointer>,
    /// The address of each procedure.
    pub functions: Vec<Pointer>,
    pub allocas: Vec<ObjectId>,
    pub frame: Frame<'p>,
    /// The frames that wait for a callee.
    pub callers: Vec<Frame<'p>>,
    /// The next free address of the stack.
    pub stack_top: u64,
    pub arguments: Vec<Argument>,
    pub occurrences: Vec<u32>,
    pub inputs: Vec<Input>,
    /// What each [`Value::Pending`] may be.
    pub pending: Vec<Pending>,
    pub steps: u64,
    pub output: Vec<u8>,
    pub lost: Vec<Lost>,
    pub lent: Option<Span>,
    /// The first call of a function whose writes are not known.
    pub unknown_writes: Option<(ProcId, Span)>,
    pub trace: Vec<Step>,
    /// The last step is in the trace.
    pub recording: bool,
    /// The call of the library that is being executed, or was last.
    pub library_call: EdgeId,
    pub watch: W,
}

/// A call in progress.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame<'p> {
    pub proc: ProcId,
    pub cfa: &'p Cfa,
    pub choices: &'p [Choice],
    pub loc: LocId,
    /// Where the frame's slots, objects and allocas begin.
    pub slots: usize,
    pub locals: usize,
    pub allocas: usize,
    /// The address of its first object.
    pub address: u64,
    /// The edge of the caller that made it.
    pub call: Option<EdgeId>,
}

impl<'p, 'o, W: Watch> Machine<'p, 'o, W> {
    pub fn new(
        program: &'p Program,
        plan: &'p Plan,
        cfa: &'p Cfa,
        options: &'o Options,
        oracle: &'o mut dyn Oracle,
        watch: W,
    ) -> Self {
        let constants = program.constants.iter().filter(|(_, constant)| constant.is_whole);
        let constants = constants.map(|(var, _)| *var).collect();
        let memory = Memory::new(program.types.model, constants);
        let stack_top = memory.layout.stack;
        let frame = Frame {
            proc: program.start,
            cfa,
            choices: &plan.procs[program.start.index()].choices,
            loc: cfa.entry,
            slots: plan.static_slots.len(),
            locals: 0,
            allocas: 0,
            address: stack_top,
            call: None,
        };
        Machine {
            program,
            plan,
            options,
            oracle,
            memory,
            slots: plan.static_slots.clone(),
            locals: Vec::new(),
            static_objects: Vec::new(),
            functions: Vec::new(),
            allocas: Vec::new(),
            frame,
            callers: Vec::new(),
            stack_top,
            arguments: Vec::new(),
            occurrences: vec![0; program.sites.len()],
            inputs: Vec::new(),
            pending: Vec::new(),
            steps: 0,
            output: Vec::new(),
            lost: Vec::new(),
            lent: None,
            unknown_writes: None,
            trace: Vec::new(),
            recording: false,
            library_call: EdgeId(0),
            watch,
        }
    }

    pub fn run(mut self) -> Run {
        let outcome = match self.drive() {
            Ok(never) => match never {},
            Err(outcome) => *outcome,
        };
        let outcome = match self.options.exhaustive {
            true => self.ended_exhaustively(outcome),
            false => outcome,
        };
        let stack = self.stack();
        Run {
            outcome,
            inputs: self.inputs,
            steps: self.steps,
            output: self.output,
            lost: self.lost,
            lent: self.lent,
            unknown_writes: self.unknown_writes,
            trace: self.trace,
            stack,
        }
    }

    fn stack(&self) -> Vec<StackEntry> {
        let frames: Vec<&Frame> = self.callers.iter().chain([&self.frame]).collect();
        let call = |i: usize| Some(frames[i.checked_sub(1)?].cfa.edges[frames[i].call?].span);
        (0..frames.len()).map(|i| StackEntry { proc: frames[i].proc, call: call(i) }).collect()
    }

    fn drive(&mut self) -> Res<Infallible> {
        self.start()?;
        loop {
            for _ in 0..BETWEEN {
                self.step()?;
            }
            if !self.oracle.goes_on(self.steps) {
                return Err(Box::new(Outcome::StepLimit));
            }
        }
    }

    pub fn start(&mut self) -> Res<()> {
        self.make_statics()?;
        self.begin(self.program.start, self.frame.cfa, None)
    }

    #[inline]
    pub fn step(&mut self) -> Res<()> {
        if W::ACTIVE {
            self.observe_arrival();
        }
        match self.frame.choices[self.frame.loc.index()] {
            Choice::One(edge) => self.take(edge),
            Choice::Branch { condition, yes, no } => {
                let edge = if self.truth(condition)? { yes } else { no };
                self.pass(edge)
            }
            Choice::Return => self.leave(),
            Choice::Many => self.take_first(),
            Choice::Blocks => self.take_block(),
            Choice::Error => Err(self.violated()),
        }
    }

    fn violated(&self) -> Box<Outcome> {
        let loc = &self.frame.cfa.locs[self.frame.loc];
        let violation = loc.error.clone().expect("the plan says it is an error location");
        Box::new(Outcome::Violated(violation))
    }

    fn make_statics(&mut self) -> Res<()> {
        for (proc, _) in self.program.procs.iter() {
            let function = self.memory.allocate_function(proc);
            self.functions.push(function);
        }
        for &id in &self.plan.static_objects {
            let var = &self.program.vars[id];
            let size = self.program.types.size(var.ty);
            let kind = match var.kind {
                VarKind::Literal => Kind::Literal(id),
                _ => Kind::Var(id),
            };
            let address = self.memory.next_static;
            let object = self.make_object(kind, address, size, self.memory.layout.static_end())?;
            self.memory.next_static += footprint(size);
            self.static_objects.push(object);
        }
        Ok(())
    }

    /// A new object at an address, if memory and address space allow.
    pub fn make_object(&mut self, kind: Kind, address: u64, size: u64, end: u64) -> Res<Pointer> {
        self.afford(size)?;
        match address.checked_add(footprint(size)) {
            Some(next) if next <= end => Ok(self.memory.allocate(kind, address, size)),
            _ => Err(Box::new(Outcome::MemoryLimit)),
        }
    }

    /// Memory that lives as long as the frame.
    pub fn make_alloca(&mut self, size: u64) -> Res<Pointer> {
        let end = self.memory.layout.stack_end;
        let object = self.make_object(Kind::Alloca, self.stack_top, size, end)?;
        self.stack_top += footprint(size);
        self.allocas.push(object.object);
        Ok(object)
    }

    /// The run ends if `more` bytes are too many.
    pub fn afford(&mut self, more: u64) -> Res<()> {
        let slots = self.slots.len() * size_of::<Value>();
        let frames = self.callers.len() * size_of::<Frame>();
        let told = self.inputs.len() * size_of::<Input>() + self.output.len();
        let used = self.memory.live + (slots + frames + told) as u64;
        match used.checked_add(more) {
            Some(total) if total <= self.options.max_bytes => Ok(()),
            _ => Err(Box::new(Outcome::MemoryLimit)),
        }
    }

    /// Counts work on bulk memory, so that the step limit bounds the time of a run.
    pub fn charge(&mut self, bytes: u64) -> Res<()> {
        self.steps = self.steps.saturating_add(bytes / 64);
        match self.steps > self.options.max_steps {
            true => Err(Box::new(Outcome::StepLimit)),
            false => Ok(()),
        }
    }

    #[inline]
    fn tick(&mut self, edge: EdgeId, span: Span) -> Res<()> {
        if self.steps >= self.options.max_steps {
            return Err(Box::new(Outcome::StepLimit));
        }
        if self.options.record_trace {
            self.recording = !self.options.unrecorded.contains(&self.steps);
            self.record(edge, span);
        }
        if self.options.exhaustive && self.memory.revealed {
            return Err(self.address_is_read(span));
        }
        self.steps += 1;
        Ok(())
    }

    /// Adds a step to the trace, if the run is at a part of it that is kept.
    #[cold]
    pub fn record(&mut self, edge: EdgeId, span: Span) {
        if self.recording {
            let (number, proc) = (self.steps, self.frame.proc);
            self.trace.push(Step { number, proc, edge, span, assigned: Vec::new() });
        }
    }

    /// Follows an edge whose assumption is known to hold.
    pub fn pass(&mut self, id: EdgeId) -> Res<()> {
        let edge = &self.frame.cfa.edges[id];
        self.tick(id, edge.span)?;
        self.frame.loc = edge.to;
        Ok(())
    }

    #[inline]
    fn take(&mut self, id: EdgeId) -> Res<()> {
        let edge = &self.frame.cfa.edges[id];
        self.tick(id, edge.span)?;
        self.frame.loc = edge.to;
        match &edge.instr {
            Instr::Assume(condition) if !self.truth(*condition)? => {
                Err(Box::new(Outcome::Blocked { span: edge.span }))
            }
            Instr::Call(call) => self.call(id, edge, call),
            _ => self.perform(edge),
        }
    }

    /// The effect of an edge that stays in the procedure and may be passed.
    fn perform(&mut self, edge: &'p Edge) -> Res<()> {
        match edge.instr {
            Instr::Skip | Instr::Assume(_) => Ok(()),
            Instr::Assign(place, expr) => self.assign(place, expr),
            Instr::Havoc(place, site) => self.havoc(place, site),
            Instr::Return(value) => self.set_result(value, edge.span),
            Instr::Dead(var) => {
                self.end_lifetime(var);
                Ok(())
            }
            Instr::Call(_) | Instr::Block(_) => {
                Err(self.unsupported("a call or a block within a block", edge.span))
            }
        }
    }

    fn can_pass(&mut self, edge: &Edge) -> Res<bool> {
        match edge.instr {
            Instr::Assume(condition) => self.truth(condition),
            _ => Ok(true),
        }
    }

    fn take_first(&mut self) -> Res<()> {
        let cfa = self.frame.cfa;
        let loc = &cfa.locs[self.frame.loc];
        for &id in &loc.out {
            let edge = &cfa.edges[id];
            match edge.instr {
                Instr::Assume(condition) => {
                    if self.truth(condition)? {
                        return self.pass(id);
                    }
                }
                _ => return self.take(id),
            }
        }
        Err(Box::new(Outcome::Blocked { span: loc.span }))
    }

    /// Walks through the blocks that leave a location. They are parts of one automaton with a
    /// common entry, so walking all of them at once never has to go back.
    fn take_block(&mut self) -> Res<()> {
        let cfa = self.frame.cfa;
        let out = &cfa.locs[self.frame.loc].out;
        let mut inside = None;
        loop {
            let Some((id, edge)) = self.first_inside(cfa, out, inside)? else {
                return Err(Box::new(Outcome::Blocked { span: cfa.locs[self.frame.loc].span }));
            };
            if !matches!(cfa.edges[id].instr, Instr::Block(_)) {
                return self.take(id);
            }
            let leaves = out.iter().find(|&&id| match &cfa.edges[id].instr {
                Instr::Block(region) => region.exit == edge.to && region.edges.contains(edge),
                _ => false,
            });
            self.tick(*leaves.unwrap_or(&id), edge.span)?;
            self.perform(edge)?;
            if let Some(&block) = leaves {
                self.frame.loc = cfa.edges[block].to;
                return Ok(());
            }
            inside = Some(edge.to);
        }
    }

    /// The first edge that can be passed from a location inside the blocks (`None`: from their
    /// entry), with the edge of the procedure's automaton it belongs to.
    fn first_inside(
        &mut self,
        cfa: &'p Cfa,
        out: &'p [EdgeId],
        inside: Option<LocId>,
    ) -> Res<Option<(EdgeId, &'p Edge)>> {
        for &id in out {
            let outer = &cfa.edges[id];
            let Instr::Block(region) = &outer.instr else {
                if inside.is_none() && self.can_pass(outer)? {
                    return Ok(Some((id, outer)));
                }
                continue;
            };
            let from = inside.unwrap_or(region.entry);
            for edge in region.edges.iter().filter(|e| e.from == from) {
                if self.can_pass(edge)? {
                    return Ok(Some((id, edge)));
                }
            }
        }
        Ok(None)
    }

    /// What is written next is this place: a `const` variable is written only where it is named.
    pub fn write_by_name(&mut self, place: PlaceId) {
        if !self.program.constants.is_empty() {
            self.memory.named = self.program.root(place);
        }
    }

    fn assign(&mut self, place: PlaceId, expr: ExprId) -> Res<()> {
        self.write_by_name(place);
        match self.program.exprs[expr].ty {
            Type::Int(_) => {
                let value = self.int_or_pending(expr)?;
                self.store(place, value)
            }
            ty if ty.is_scalar() => {
                let value = self.scalar(expr)?;
                self.store(place, value)
            }
            ty => {
                let bulk = self.aggregate(expr)?;
                let target = self.address_to_access(place)?;
                self.write_aggregate(target, bulk, ty, self.program.places[place].span)?;
                let size = self.program.types.size(ty);
                self.observe(Accessor::Place(place), AccessKind::Write, target, size);
                Ok(())
            }
        }
    }

    /// The object of a variable, made when it is first needed (and again after its end).
    pub fn object_of(&mut self, var: VarId) -> Res<Pointer> {
        match self.plan.storage[var.index()] {
            Storage::Object(index) => Ok(self.static_objects[index as usize]),
            Storage::Frame(index) => {
                let at = self.frame.locals + index as usize;
                if self.locals[at].is_null() {
                    let plan = self.plan.procs[self.frame.proc.index()].objects[index as usize];
                    let address = self.frame.address.saturating_add(plan.offset);
                    let end = self.memory.layout.stack_end;
                    let kind = Kind::Var(plan.var);
                    self.locals[at] = self.make_object(kind, address, plan.size, end)?;
                    self.nothing_written(self.locals[at], plan.size)?;
                }
                Ok(self.locals[at])
            }
            Storage::Local(_) | Storage::Static(_) => {
                Err(self.ill_typed("a variable in memory", self.program.vars[var].span))
            }
        }
    }

    /// Lists what is lost when nothing but static variables is left.
    pub fn find_lost(&mut self) {
        let slots = self.slots[..self.plan.static_slots.len()].iter();
        let held = slots.filter_map(|slot| match slot {
            Value::Pointer(pointer) => Some(pointer.object),
            _ => None,
        });
        let objects = self.static_objects.iter().map(|object| object.object);
        self.lost = self.memory.lost_objects(held.chain(objects));
    }

    fn end_lifetime(&mut self, var: VarId) {
        if let Storage::Frame(index) = self.plan.storage[var.index()] {
            let at = self.frame.locals + index as usize;
            self.memory.release(self.locals[at].object);
            self.locals[at] = Pointer::NULL;
        }
        if let Storage::Local(slot) = self.plan.storage[var.index()]
            && self.program.arrays.contains(&var)
        {
            let slot = &mut self.slots[self.frame.slots + slot as usize];
            if let Value::Pointer(array) = std::mem::replace(slot, Value::Pointer(Pointer::NULL)) {
                self.memory.release(array.object);
            }
        }
    }
}
