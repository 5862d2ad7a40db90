//! Calls: binding arguments, making frames, handing results back. The host's stack is not used:
//! recursion is limited by [`Options::max_depth`](super::Options) and memory alone.

use super::eval::Bulk;
use super::exec::{Frame, Machine, Res};
use super::memory::Kind;
use super::observe::{AccessKind, Accessor, Watch};
use super::plan::Storage;
use super::value::{Pointer, Value};
use super::{Outcome, Target};
use crate::arena::Id;
use crate::expr::ExprId;
use crate::library::{Effects, Gap};
use crate::program::{Call, Callee, Cfa, Edge, EdgeId, Instr, ProcId, VarId};
use crate::source::Span;
use crate::ty::Type;

/// A value on its way into a variable.
#[derive(Clone, Copy, Debug)]
pub(super) enum Argument {
    Scalar(Value),
    Aggregate(Bulk),
}

impl<'p, W: Watch> Machine<'p, '_, W> {
    pub(super) fn set_result(&mut self, value: Option<ExprId>, span: Span) -> Res<()> {
        let Some(value) = value else { return Ok(()) };
        let Some(result) = self.program.procs[self.frame.proc].result else {
            return Err(self.unsupported("a value returned by a `void` function", span));
        };
        let ty = self.program.vars[result].ty;
        let argument = match self.is_missing_result(value) {
            true => Argument::Scalar(Value::Indeterminate),
            false => self.argument(value)?,
        };
        if let Argument::Scalar(value) = argument
            && self.recording
        {
            self.note_assigned(Target::Result, ty, value);
        }
        self.initialise(result, argument, span)
    }

    /// The procedure that a function pointer means.
    fn called(&mut self, callee: ExprId) -> Res<ProcId> {
        let expr = &self.program.exprs[callee];
        let pointer = self.pointer(callee)?;
        let proc = match self.memory.kind(pointer) {
            Some(Kind::Function(proc)) if self.memory.at_start(pointer) => proc,
            _ if pointer.is_null() => {
                return Err(self.bad_callee("is null, not a function", expr.span));
            }
            _ => return Err(self.bad_callee("does not point to a function", expr.span)),
        };
        let signature = self.program.procs[proc].signature;
        match self.program.types.inner(expr.ty) {
            Some(Type::Function(seen))
                if self.program.types.compatible_signatures(seen, signature) =>
            {
                Ok(proc)
            }
            _ => {
                let name = self.proc_name(proc);
                Err(self.bad_callee(&format!("points to {name}, of another type"), expr.span))
            }
        }
    }

    fn argument(&mut self, expr: ExprId) -> Res<Argument> {
        match self.program.exprs[expr].ty {
            Type::Int(_) => self.int_or_pending(expr).map(Argument::Scalar),
            _ if self.passed_on(expr) => Ok(Argument::Scalar(Value::Indeterminate)),
            ty if ty.is_scalar() => self.scalar(expr).map(Argument::Scalar),
            _ => self.aggregate(expr).map(Argument::Aggregate),
        }
    }

    /// Gives a variable of the current frame a value of its type.
    fn initialise(&mut self, var: VarId, argument: Argument, span: Span) -> Res<()> {
        let ty = self.program.vars[var].ty;
        self.memory.named = Some(var);
        match (self.plan.storage[var.index()], argument) {
            (Storage::Local(slot), Argument::Scalar(value)) => {
                self.slots[self.frame.slots + slot as usize] = value;
                Ok(())
            }
            (Storage::Frame(_), Argument::Scalar(Value::Indeterminate)) => {
                let object = self.object_of(var)?;
                self.forget_written(object, self.program.types.size(ty), span)
            }
            (Storage::Frame(_), Argument::Scalar(value)) => {
                let object = self.object_of(var)?;
                let value = self.settled(value, span)?;
                self.store_at(object, None, ty, value, span)?;
                self.observe_var(var, AccessKind::Write, object);
                Ok(())
            }
            (Storage::Frame(_), Argument::Aggregate(bulk)) => {
                let object = self.object_of(var)?;
                self.write_aggregate(object, bulk, ty, span)?;
                self.observe_var(var, AccessKind::Write, object);
                Ok(())
            }
            _ => Err(self.ill_typed("a variable of this frame", span)),
        }
    }

    fn observe_var(&mut self, var: VarId, kind: AccessKind, object: Pointer) {
        let size = self.program.types.size(self.program.vars[var].ty);
        self.observe(Accessor::Var(var), kind, object, size);
    }

    pub(super) fn call(&mut self, id: EdgeId, edge: &'p Edge, call: &'p Call) -> Res<()> {
        let proc = match call.callee {
            Callee::Proc(proc) => proc,
            Callee::Pointer(pointer) => {
                let callee = self.called(pointer)?;
                self.observe_call(id, callee);
                callee
            }
            Callee::Builtin(builtin) => {
                self.library_call = id;
                self.memory.named = None;
                return self.builtin(builtin, call, edge.span);
            }
        };
        let mut arguments = std::mem::take(&mut self.arguments);
        arguments.clear();
        for &arg in &call.args {
            let argument = self.argument(arg)?;
            arguments.push(argument);
        }
        let procedure = &self.program.procs[proc];
        if procedure.is_error {
            let function = procedure.name.clone();
            return Err(Box::new(Outcome::ErrorReached { function, span: edge.span }));
        }
        let Some(cfa) = &procedure.body else {
            self.arguments = arguments;
            if let Some(effects) = procedure.unmodelled() {
                return self.unmodelled(proc, effects, call, edge.span);
            }
            return self.external(call, edge.span);
        };
        self.begin(proc, cfa, Some(id))?;
        self.bind(&procedure.params, call, &mut arguments, edge.span)?;
        self.arguments = arguments;
        Ok(())
    }

    /// A function of the library without a model gives a result that shows nothing. What it writes is
    /// not known, so a run that goes on shows nothing either.
    fn unmodelled(&mut self, proc: ProcId, effects: Effects, call: &Call, span: Span) -> Res<()> {
        if effects.needs_model(self.options.memory_safety || self.options.uninitialised) {
            let gap = Gap::of(self.program, proc);
            return Err(Box::new(Outcome::NoModel { gap, span }));
        }
        if effects == Effects::Writes && self.unknown_writes.is_none() {
            self.unknown_writes = Some((proc, span));
        }
        self.outside_result(call, span)
    }

    /// The result of a function without a body is an input; memory stays as it is.
    fn external(&mut self, call: &Call, span: Span) -> Res<()> {
        let lends = |argument: &Argument| match argument {
            Argument::Scalar(Value::Pointer(pointer)) => self.memory.is_changeable(*pointer),
            Argument::Scalar(_) => false,
            Argument::Aggregate(_) => true,
        };
        let shares = || {
            let types = &self.program.types;
            let has_pointer = |var: VarId| types.has_pointer(self.program.vars[var].ty);
            self.program.changed_outside().any(has_pointer)
        };
        if self.lent.is_none() && (self.arguments.iter().any(lends) || shares()) {
            self.lent = Some(span);
        }
        self.lend_to_outside();
        self.outside_result(call, span)
    }

    fn outside_result(&mut self, call: &Call, span: Span) -> Res<()> {
        if self.options.exhaustive {
            return Err(self.open("a function is called that is not known here", span));
        }
        match (call.result, call.site) {
            (None, _) => Ok(()),
            (Some(place), Some(site)) => self.havoc(place, site),
            (Some(_), None) => {
                Err(self.unsupported("an external function without an input site", span))
            }
        }
    }

    /// Makes a frame and goes to its entry.
    pub(super) fn begin(&mut self, proc: ProcId, cfa: &'p Cfa, call: Option<EdgeId>) -> Res<()> {
        let plan = &self.plan.procs[proc.index()];
        // Before the caller is put away: a run that ends here ends in it.
        self.afford((plan.slots.len() * size_of::<Value>()) as u64)?;
        if call.is_some() {
            if self.callers.len() + 2 > self.options.max_depth {
                return Err(Box::new(Outcome::DepthLimit));
            }
            self.callers.push(self.frame);
            // The globals are initialised before the first call.
            self.memory.literals_sealed = true;
        }
        self.frame = Frame {
            proc,
            cfa,
            choices: &plan.choices,
            loc: cfa.entry,
            slots: self.slots.len(),
            locals: self.locals.len(),
            allocas: self.allocas.len(),
            address: self.stack_top,
            call,
        };
        self.slots.extend_from_slice(&plan.slots);
        if !plan.objects.is_empty() {
            let count = self.locals.len() + plan.objects.len();
            self.locals.resize(count, Pointer::NULL);
            self.stack_top = self.stack_top.saturating_add(plan.bytes);
        }
        Ok(())
    }

    fn bind(
        &mut self,
        params: &[VarId],
        call: &Call,
        arguments: &mut Vec<Argument>,
        span: Span,
    ) -> Res<()> {
        if params.len() > arguments.len() {
            return Err(self.bad_arguments(span));
        }
        for ((&param, &arg), argument) in params.iter().zip(&call.args).zip(arguments.drain(..)) {
            let (expected, given) = (self.program.vars[param].ty, self.program.exprs[arg].ty);
            let argument = match expected == given {
                true => argument,
                false => {
                    let argument = match argument {
                        Argument::Scalar(value) => Argument::Scalar(self.settled(value, span)?),
                        Argument::Aggregate(_) => argument,
                    };
                    self.adapt(argument, given, expected, span)?
                }
            };
            if let Argument::Scalar(value) = argument
                && self.recording
            {
                self.note_assigned(Target::Param(param), expected, value);
            }
            self.initialise(param, argument, span)?;
        }
        Ok(())
    }

    /// An argument for a parameter of another type: C allows integers that differ in sign only,
    /// and pointers, where there is no prototype (C11 6.5.2.2p6).
    fn adapt(&self, argument: Argument, given: Type, expected: Type, span: Span) -> Res<Argument> {
        match (argument, given, expected) {
            (Argument::Scalar(Value::Int(n)), Type::Int(from), Type::Int(to))
                if from.bits == to.bits =>
            {
                Ok(Argument::Scalar(Value::Int(to.wrap(n))))
            }
            (argument @ Argument::Scalar(_), Type::Pointer(_), Type::Pointer(_)) => Ok(argument),
            _ => Err(self.bad_arguments(span)),
        }
    }

    /// Goes back to the caller, with the result.
    pub(super) fn leave(&mut self) -> Res<()> {
        let result = self.program.procs[self.frame.proc].result;
        let result = match result {
            Some(var) => Some(self.take_result(var)?),
            None => None,
        };
        let frame = self.frame;
        let (Some(caller), Some(call)) = (self.callers.pop(), frame.call) else {
            let code = if let Some(Argument::Scalar(Value::Int(n))) = result { n } else { 0 };
            if self.options.memory_safety {
                self.find_lost();
            }
            return Err(Box::new(Outcome::Exited(code)));
        };
        self.slots.truncate(frame.slots);
        for object in self.locals.drain(frame.locals..) {
            self.memory.release(object.object);
        }
        for object in self.allocas.drain(frame.allocas..) {
            self.memory.release(object);
        }
        self.stack_top = frame.address;
        self.frame = caller;
        self.hand_over(call, result)
    }

    /// The result of the current frame; an aggregate's object is taken out of the frame.
    fn take_result(&mut self, var: VarId) -> Res<Argument> {
        match self.plan.storage[var.index()] {
            Storage::Local(slot) => {
                Ok(Argument::Scalar(self.slots[self.frame.slots + slot as usize]))
            }
            Storage::Frame(index) if self.program.vars[var].ty.is_aggregate() => {
                let object = self.object_of(var)?;
                self.locals[self.frame.locals + index as usize] = Pointer::NULL;
                self.observe_var(var, AccessKind::Read, object);
                Ok(Argument::Aggregate(Bulk::Memory(object)))
            }
            _ => Err(self.ill_typed("a result in the frame", self.program.vars[var].span)),
        }
    }

    fn hand_over(&mut self, call: EdgeId, result: Option<Argument>) -> Res<()> {
        let edge = &self.frame.cfa.edges[call];
        let Instr::Call(Call { result: place, .. }) = &edge.instr else {
            return Err(self.ill_typed("a call", edge.span));
        };
        if let Some(place) = *place {
            self.write_by_name(place);
            self.record(call, edge.span);
            match result {
                Some(Argument::Scalar(value)) => {
                    self.expect_result(value, edge.span)?;
                    self.store(place, value)?;
                }
                Some(Argument::Aggregate(Bulk::Memory(object))) => {
                    let target = self.address_to_access(place)?;
                    let ty = self.program.places[place].ty;
                    self.write_aggregate(target, Bulk::Memory(object), ty, edge.span)?;
                    let size = self.program.types.size(ty);
                    self.observe(Accessor::Place(place), AccessKind::Write, target, size);
                }
                _ => return Err(self.ill_typed("a function with a result", edge.span)),
            }
        }
        if let Some(Argument::Aggregate(Bulk::Memory(object))) = result {
            self.memory.release(object.object);
        }
        Ok(())
    }
}
