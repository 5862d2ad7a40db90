//! The objects of a program, by number.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::OTHER;
use crate::callgraph::CallGraph;
use crate::expr::ExprKind;
use crate::pass::cells::once::Once;
use crate::program::{
    Builtin, Bytes, Callee, EdgeId, InputKind, Instr, ProcId, Program, Site, SiteId, Space, Var,
    VarId, VarKind,
};
use crate::source::Span;
use crate::ty::{IntType, Type};

/// Of numbers of objects, and of offsets.
pub(super) const NUMBER: Type = Type::Int(IntType::I32);
pub(super) const OFFSET: Type = Type::Int(IntType::signed(128));

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A variable that lives as long as the program.
    Static,
    Literal,
    Code,
    /// A variable of a frame.
    Frame,
    Heap,
    /// Memory that lives as long as a frame.
    Alloca,
}

#[derive(Clone, Debug)]
pub(super) struct Object {
    pub kind: Kind,
    pub size: Bytes,
    /// Whether it is alive; `None` if it always is.
    pub alive: Option<VarId>,
    /// Where there may be several.
    pub several: Option<Several>,
    /// How many variables of frames that wait for a call hold it (on the heap).
    pub held: Option<VarId>,
    /// Bytes that are `const`, written only where the variable is named.
    pub constant: Vec<Range<u64>>,
    /// Whether a frame's own instance is the one that is followed (a variable of the frame).
    pub own: Option<VarId>,
}

/// An object of which one instance is followed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Several {
    /// One has been chosen.
    pub taken: VarId,
    /// The choice.
    pub chosen: VarId,
    pub site: SiteId,
}

#[derive(Debug, Default)]
pub(super) struct Objects {
    list: Vec<Object>,
    vars: BTreeMap<VarId, i128>,
    functions: BTreeMap<ProcId, i128>,
    calls: BTreeMap<(ProcId, EdgeId), i128>,
    /// What a variable that holds an array of variable length may hold.
    arrays: BTreeMap<VarId, Vec<i128>>,
}

impl Objects {
    pub fn new(program: &mut Program, calls: &CallGraph) -> Objects {
        let once = Once::new(program, calls);
        let mut objects = Objects::default();
        for var in addressed(program) {
            objects.add_var(program, &once, var);
        }
        let is_function = |kind: &ExprKind| match kind {
            ExprKind::Function(proc) => Some(*proc),
            _ => None,
        };
        let functions: BTreeSet<ProcId> =
            program.exprs.iter().filter_map(|(_, expr)| is_function(&expr.kind)).collect();
        for proc in functions {
            let object = Object {
                kind: Kind::Code,
                size: Bytes::Known(0),
                alive: None,
                several: None,
                held: None,
                constant: Vec::new(),
                own: None,
            };
            let number = objects.push(object);
            objects.functions.insert(proc, number);
        }
        for (proc, edge, builtin) in allocations(program) {
            objects.add_allocation(program, &once, proc, edge, builtin);
        }
        objects
    }

    fn push(&mut self, object: Object) -> i128 {
        self.list.push(object);
        self.list.len() as i128
    }

    fn add_var(&mut self, program: &mut Program, once: &Once, var: VarId) {
        let Var { ref name, ty, kind, span, .. } = program.vars[var];
        let (name, size) = (name.clone(), Bytes::Known(program.types.size(ty)));
        let kind_of = match kind.frame() {
            Some(_) => Kind::Frame,
            None if kind == VarKind::Literal => Kind::Literal,
            None => Kind::Static,
        };
        let constant = program.constants.get(&var).map(|constant| constant.bytes.clone());
        let constant = constant.unwrap_or_default();
        let mut object = Object {
            kind: kind_of,
            size,
            alive: None,
            several: None,
            held: None,
            constant,
            own: None,
        };
        if let Some(proc) = kind.frame() {
            object.alive = Some(ghost(program, &format!("{name} is alive"), Type::BOOL, None));
            if !lives_once(program, once, proc, var) {
                object.several = Some(several(program, proc, &name, span));
                let own = format!("{name} is followed");
                object.own = Some(ghost(program, &own, Type::BOOL, Some(proc)));
            }
        }
        let number = self.push(object);
        self.vars.insert(var, number);
    }

    fn add_allocation(
        &mut self,
        program: &mut Program,
        once: &Once,
        proc: ProcId,
        edge: EdgeId,
        builtin: Builtin,
    ) {
        let body = program.procs[proc].body.as_ref();
        let span = body.map_or(Span::default(), |body| body.edges[edge].span);
        let array = match body.map(|body| &body.edges[edge].instr) {
            Some(Instr::Call(call)) => call.result.and_then(|place| program.root(place)),
            _ => None,
        };
        let name = format!("memory{}", self.list.len() + 1);
        let alloca = builtin == Builtin::Alloca;
        let alive = ghost(program, &format!("{name} is alive"), Type::BOOL, None);
        let size = ghost(program, &format!("{name} has bytes"), OFFSET, None);
        let is_once = once.are(&[(proc, edge)]);
        let several = (!is_once).then(|| several(program, proc, &name, span));
        let own =
            alloca.then(|| ghost(program, &format!("{name} is followed"), Type::BOOL, Some(proc)));
        let kind = if alloca { Kind::Alloca } else { Kind::Heap };
        let held = (!alloca).then(|| ghost(program, &format!("{name} is held"), OFFSET, None));
        let (size, alive) = (Bytes::Held(size), Some(alive));
        let constant = Vec::new();
        let number = self.push(Object { kind, size, alive, several, held, constant, own });
        self.calls.insert((proc, edge), number);
        let array = array.filter(|var| alloca && program.arrays.contains(var));
        if let Some(array) = array {
            self.arrays.entry(array).or_default().push(number);
        }
    }

    pub fn get(&self, number: i128) -> &Object {
        &self.list[number as usize - 1]
    }

    /// What there is behind a number, for whoever reads proofs.
    pub fn space(&self, program: &Program, number: i128) -> Space {
        match number {
            OTHER => Space::Other,
            1.. => match *self.get(number) {
                Object { kind: Kind::Code, .. } => Space::None,
                Object { kind, alive, size, .. } => {
                    let var = self.vars.iter().find(|(_, own)| **own == number);
                    let is_const = |var: VarId| program.vars[var].c_type.starts_with("const ");
                    let is_constant =
                        kind == Kind::Literal || var.is_some_and(|(var, _)| is_const(*var));
                    Space::Object { alive, size, is_constant }
                }
            },
            _ => Space::None,
        }
    }

    /// All of them, with their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (i128, &Object)> {
        self.list.iter().enumerate().map(|(index, object)| (index as i128 + 1, object))
    }

    pub fn of_var(&self, var: VarId) -> Option<i128> {
        self.vars.get(&var).copied()
    }

    pub fn of_function(&self, proc: ProcId) -> Option<i128> {
        self.functions.get(&proc).copied()
    }

    pub fn of_call(&self, proc: ProcId, edge: EdgeId) -> Option<i128> {
        self.calls.get(&(proc, edge)).copied()
    }

    /// The objects that end with a variable that holds an array of variable length.
    pub fn of_array(&self, var: VarId) -> Vec<i128> {
        self.arrays.get(&var).cloned().unwrap_or_default()
    }

    /// The functions with their numbers.
    pub fn functions(&self) -> impl Iterator<Item = (ProcId, i128)> {
        self.functions.iter().map(|(proc, number)| (*proc, *number))
    }

    /// The objects that end with the frames of a procedure.
    pub fn of_frame(&self, program: &Program, proc: ProcId) -> Vec<i128> {
        let is_own = |var: VarId| program.vars[var].kind.frame() == Some(proc);
        let vars = self.vars.iter().filter(|(var, _)| is_own(**var)).map(|(_, number)| *number);
        let calls = self.calls.iter().filter(|((caller, _), _)| *caller == proc);
        let allocas = calls.map(|(_, number)| *number);
        let allocas = allocas.filter(|number| self.get(*number).kind == Kind::Alloca);
        vars.chain(allocas).collect()
    }
}

/// The variables whose address is taken.
fn addressed(program: &Program) -> BTreeSet<VarId> {
    let addresses = program.exprs.iter().filter_map(|(_, expr)| match expr.kind {
        ExprKind::AddrOf(place) => program.root(place),
        _ => None,
    });
    addresses.collect()
}

/// A variable of a frame of which there is never a second one.
fn lives_once(program: &Program, once: &Once, proc: ProcId, var: VarId) -> bool {
    let Some(body) = &program.procs[proc].body else { return false };
    let mut ends = body.edges.iter().filter(|(_, edge)| edge.instr == Instr::Dead(var));
    once.is_entered_once(proc) && ends.all(|(edge, _)| !once.is_repeated(proc, edge))
}

/// The calls that make objects.
pub(super) fn allocations(program: &Program) -> Vec<(ProcId, EdgeId, Builtin)> {
    let mut found = Vec::new();
    for (proc, _, body) in program.defined() {
        for (id, edge) in body.edges.iter() {
            let Instr::Call(call) = &edge.instr else { continue };
            if let Callee::Builtin(builtin) = call.callee
                && builtin.allocates()
            {
                found.push((proc, id, builtin));
            }
        }
    }
    found
}

fn several(program: &mut Program, proc: ProcId, name: &str, span: Span) -> Several {
    let taken = ghost(program, &format!("{name} is chosen"), Type::BOOL, None);
    let chosen = ghost(program, &format!("{name} is the one"), Type::BOOL, Some(proc));
    let (kind, ty, name) = (InputKind::Uninitialised, Type::BOOL, name.to_owned());
    let site = program.sites.push(Site { kind, proc, span, name, ty });
    Several { taken, chosen, site }
}

/// A new variable, of a frame if there is a procedure.
pub(super) fn ghost(program: &mut Program, name: &str, ty: Type, frame: Option<ProcId>) -> VarId {
    let var = program.vars.push(Var {
        name: name.to_owned(),
        ty,
        kind: frame.map_or(VarKind::Ghost, VarKind::Temp),
        span: Span::default(),
        address_taken: false,
        c_type: String::new(),
    });
    if let Some(proc) = frame {
        program.procs[proc].locals.push(var);
    }
    var
}
