//! Watching a run touch memory. Nothing of it is compiled into a run that nobody watches.

use super::exec::Machine;
use super::memory::{Kind, Memory, ObjectId};
use super::plan::{Plan, Storage};
use super::value::{Pointer, Value};
use crate::arena::Id;
use crate::expr::PlaceId;
use crate::program::{EdgeId, LocId, ProcId, Program, VarId};
use crate::ty::Type;

/// What in a program touches memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Accessor {
    /// A place is read or written.
    Place(PlaceId),
    /// A parameter gets its value, or a result is handed over.
    Var(VarId),
    /// A function of the library reads or writes what this argument of its call points to.
    Argument(ProcId, EdgeId, u32),
    /// Memory that a call of the library has made gets its first value.
    Made(ProcId, EdgeId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessKind {
    Read,
    Write,
    Free,
}

/// An object of a run, during its lifetime.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Instance {
    index: u32,
    generation: u32,
}

/// An access that was defined. It has at least one byte, except that a release may have none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Observed {
    pub by: Accessor,
    /// The procedure that is being executed.
    pub proc: ProcId,
    pub kind: AccessKind,
    pub object: Instance,
    /// The variable that the object is; `None` for memory that was allocated.
    pub var: Option<VarId>,
    pub offset: u64,
    pub size: u64,
}

/// Watches a run.
pub trait Observer {
    /// Memory was allocated by the last of these calls; the others lead to it from the start.
    fn allocated(&mut self, object: Instance, size: u64, calls: &[(ProcId, EdgeId)]);

    fn accessed(&mut self, access: Observed);

    /// A call through a function pointer reaches a procedure.
    fn called(&mut self, proc: ProcId, edge: EdgeId, callee: ProcId);

    /// The run is at a location.
    fn arrived(&mut self, _proc: ProcId, _loc: LocId, _now: &mut dyn Now) {}
}

/// Values at a point of a run.
pub trait Now {
    /// The value of an integer variable that is in no memory, of the procedure that is executed or
    /// static.
    fn integer(&self, var: VarId) -> Option<i128>;

    /// The value of an element of an array of integers that is static.
    fn element(&mut self, var: VarId, index: u64) -> Option<i128>;
}

/// An observer, or nobody: [`Machine`] is made for each, so that nobody costs nothing.
pub(super) trait Watch {
    const ACTIVE: bool;

    fn observer(&mut self) -> Option<&mut dyn Observer>;
}

impl Watch for () {
    const ACTIVE: bool = false;

    fn observer(&mut self) -> Option<&mut dyn Observer> {
        None
    }
}

impl Watch for &mut dyn Observer {
    const ACTIVE: bool = true;

    fn observer(&mut self) -> Option<&mut dyn Observer> {
        Some(&mut **self)
    }
}

impl From<ObjectId> for Instance {
    fn from(id: ObjectId) -> Instance {
        let (index, generation) = id.parts();
        Instance { index, generation }
    }
}

impl<W: Watch> Machine<'_, '_, W> {
    /// Bytes have been accessed.
    #[inline]
    pub(super) fn observe(&mut self, by: Accessor, kind: AccessKind, at: Pointer, size: u64) {
        if W::ACTIVE && (size > 0 || kind == AccessKind::Free) {
            self.tell(by, kind, at, size);
        }
    }

    #[cold]
    fn tell(&mut self, by: Accessor, kind: AccessKind, at: Pointer, size: u64) {
        let Some(start) = self.memory.start(at) else { return };
        let var = match self.memory.kind(at) {
            Some(Kind::Var(var) | Kind::Literal(var)) => Some(var),
            _ => None,
        };
        let offset = at.address.wrapping_sub(start);
        let object = at.object.into();
        let observed = Observed { by, proc: self.frame.proc, kind, object, var, offset, size };
        if let Some(observer) = self.watch.observer() {
            observer.accessed(observed);
        }
    }

    /// Memory has been made by the call of the library that is being executed.
    #[inline]
    pub(super) fn observe_allocation(&mut self, at: Pointer, size: u64) {
        if !W::ACTIVE {
            return;
        }
        let frames = self.callers.iter().chain([&self.frame]);
        let callers = self.callers.iter();
        let mut calls: Vec<(ProcId, EdgeId)> = callers
            .zip(frames.skip(1))
            .filter_map(|(caller, callee)| Some((caller.proc, callee.call?)))
            .collect();
        calls.push((self.frame.proc, self.library_call));
        if let Some(observer) = self.watch.observer() {
            observer.allocated(at.object.into(), size, &calls);
        }
    }

    /// The run is where the frame says.
    pub(super) fn observe_arrival(&mut self) {
        let (proc, loc) = (self.frame.proc, self.frame.loc);
        let mut now = Point {
            program: self.program,
            plan: self.plan,
            memory: &mut self.memory,
            slots: &self.slots,
            frame: self.frame.slots,
            statics: &self.static_objects,
        };
        if let Some(observer) = self.watch.observer() {
            observer.arrived(proc, loc, &mut now);
        }
    }

    /// A function pointer means this procedure.
    #[inline]
    pub(super) fn observe_call(&mut self, edge: EdgeId, callee: ProcId) {
        let proc = self.frame.proc;
        if let Some(observer) = self.watch.observer() {
            observer.called(proc, edge, callee);
        }
    }

    /// What an argument of the call of the library that is being executed points to.
    pub(super) fn argument_accessor(&self, number: u32) -> Accessor {
        Accessor::Argument(self.frame.proc, self.library_call, number)
    }

    pub(super) fn made_accessor(&self) -> Accessor {
        Accessor::Made(self.frame.proc, self.library_call)
    }
}

/// What can be seen of a machine.
struct Point<'m> {
    program: &'m Program,
    plan: &'m Plan,
    memory: &'m mut Memory,
    slots: &'m [Value],
    frame: usize,
    statics: &'m [Pointer],
}

impl Now for Point<'_> {
    fn integer(&self, var: VarId) -> Option<i128> {
        let slot = match self.plan.storage[var.index()] {
            Storage::Local(slot) => self.frame + slot as usize,
            Storage::Static(slot) => slot as usize,
            _ => return None,
        };
        match self.slots.get(slot)? {
            Value::Int(value) => Some(*value),
            _ => None,
        }
    }

    fn element(&mut self, var: VarId, index: u64) -> Option<i128> {
        let Storage::Object(number) = self.plan.storage[var.index()] else { return None };
        let Type::Array(element, Some(length)) = self.program.vars[var].ty else { return None };
        let ty = self.program.types.get(element).as_int().filter(|_| index < length)?;
        let array = *self.statics.get(number as usize)?;
        let at = self.memory.displace(array, i128::from(index * ty.bytes()));
        let number = self.memory.load(at, ty.bytes()).ok()?;
        Some(ty.wrap(number as i128))
    }
}
