//! Points-to analysis and regions (DESIGN.md section 3): where pointers may point to, and which
//! parts of memory no access has in common.
//!
//! Whole program, inclusion based, insensitive to the order of statements, sensitive to fields. A
//! variable is *plain* if it is a scalar whose address is never taken; everything else is in
//! memory, which consists of abstract [`Object`]s. In these, fields of structures are kept apart by
//! their offsets, elements of arrays are not, and memory from the heap is known by the call that
//! made it.
//!
//! **What is claimed.** In every run of the interpreter, up to where it meets undefined behaviour,
//! a pointer points to one of its [`PointsTo::pointees`] or to no object, a call reaches one of its
//! [`PointsTo::targets`], an access touches only its [`Access::cells`] (and padding), and accesses
//! whose regions differ never touch the same byte. Pointer arithmetic may go anywhere in the object
//! that it begins in, as in the interpreter; an index of an array stays in that array.
//!
//! The rooms: `layout` and `offsets` say which offsets count as the same, `object` numbers positions,
//! `build`, `call`, `library` and `heap` make constraints, `solver` solves them, `expose` knows when
//! pointers become integers, `access` and `region` divide memory, `effects` tells what procedures do
//! to it, `show` prints.

mod access;
mod build;
mod call;
mod effects;
mod expose;
mod heap;
mod layout;
mod library;
mod object;
mod offsets;
mod region;
mod show;
mod solver;

pub use effects::{RegionEffects, RegionSets};
pub use object::{Object, ObjectId, Offset, Origin, Target};
pub use region::{Access, Cell, CellId, Region, RegionId, Shape};

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use crate::arena::{Arena, Id};
use crate::callgraph::CallGraph;
use crate::expr::{ExprId, PlaceId};
use crate::interpret::Accessor;
use crate::program::{EdgeId, ProcId, Procedure, Program, VarId, VarKind};
use crate::ty::Type;
use build::{Builder, Context};
use call::External;
use object::Object as ObjectData;
use solver::{NodeId, Solver};

/// Where pointers of a program may point to, and the regions of its memory.
#[derive(Debug)]
pub struct PointsTo {
    objects: Arena<ObjectId, Object>,
    by_origin: FxHashMap<Origin, ObjectId>,
    cells: Arena<CellId, Cell>,
    regions: Arena<RegionId, Region>,
    accesses: IndexMap<Accessor, Access, FxBuildHasher>,
    /// The number of the first cell of each object, and the number of all.
    first_cells: Vec<usize>,
    sets: Vec<Vec<Target>>,
    exprs: FxHashMap<ExprId, Vec<usize>>,
    targets: BTreeMap<(ProcId, EdgeId), Vec<ProcId>>,
    externals: BTreeMap<(ProcId, EdgeId), RegionEffects>,
    callbacks: BTreeSet<(ProcId, EdgeId, ProcId)>,
    reached: BTreeSet<ProcId>,
    in_memory: Vec<bool>,
    contexts: FxHashMap<(Context, ProcId, EdgeId, ProcId), Context>,
    chains: Vec<Vec<(ProcId, EdgeId)>>,
}

impl PointsTo {
    pub fn new(program: &Program) -> PointsTo {
        let mut builder = Builder::new(program);
        builder.solve();
        let mut targets: BTreeMap<(ProcId, EdgeId), Vec<ProcId>> = BTreeMap::new();
        for (proc, edge, more) in builder.targets() {
            let known = targets.entry((proc, edge)).or_default();
            known.extend(more);
            known.sort_unstable();
            known.dedup();
        }
        let reached: BTreeSet<ProcId> = builder.reached().collect();
        let calls = CallGraph::resolved(program, &|proc, edge| {
            targets.get(&(proc, edge)).cloned().unwrap_or_default()
        });
        for (_, object) in builder.solver.objects.all.iter_mut() {
            object.unique = object.unique && is_unique(program, &calls, object);
        }
        let size = |ty: Type| program.types.size(ty);
        let region::Partition { cells, regions, accesses, first } =
            region::partition(&builder.solver, &mut builder.pieces, &builder.touches, size);
        let (sets, exprs) = pointer_sets(program, &builder);
        let mut result = PointsTo {
            objects: Arena::new(),
            by_origin: FxHashMap::default(),
            cells,
            regions,
            accesses,
            first_cells: first,
            sets,
            exprs,
            targets,
            externals: BTreeMap::new(),
            callbacks: BTreeSet::new(),
            reached,
            in_memory: std::mem::take(&mut builder.in_memory),
            contexts: std::mem::take(&mut builder.context_of),
            chains: builder.chains(),
        };
        for External { at, given, writes, calls } in std::mem::take(&mut builder.externals) {
            let reached = reachable(&builder.solver, &given);
            if calls {
                for &object in &reached {
                    if let Origin::Function(callee) = builder.solver.objects.all[object].origin
                        && does_something(&program.procs[callee])
                    {
                        result.callbacks.insert((at.0, at.1, callee));
                    }
                }
            }
            let cells = result.cells.iter().filter(|(_, cell)| reached.contains(&cell.object));
            let cells: Vec<RegionId> = cells.map(|(_, cell)| cell.region).collect();
            let known = result.externals.entry(at).or_default();
            known.reads.extend(&cells);
            if writes {
                known.writes.extend(&cells);
            }
        }
        result.objects = builder.solver.objects.all;
        let origins = result.objects.iter().map(|(id, object)| (object.origin.clone(), id));
        result.by_origin = origins.collect();
        result
    }

    pub fn objects(&self) -> &Arena<ObjectId, Object> {
        &self.objects
    }

    pub fn cells(&self) -> &Arena<CellId, Cell> {
        &self.cells
    }

    pub fn regions(&self) -> &Arena<RegionId, Region> {
        &self.regions
    }

    /// The object of an origin, if the program can reach it.
    pub fn object(&self, origin: &Origin) -> Option<ObjectId> {
        self.by_origin.get(origin).copied()
    }

    /// The object that stands for memory made by the last of these calls, which is one of the
    /// library; the others are the calls that lead to it, from the start of the program.
    pub fn allocated(&self, stack: &[(ProcId, EdgeId)], on_stack: bool) -> Option<ObjectId> {
        let mut context = 0;
        for pair in stack.windows(2) {
            let [(proc, edge), (callee, _)] = *pair else { continue };
            context = self.contexts.get(&(context, proc, edge, callee)).copied().unwrap_or(0);
        }
        let mut chain = self.chains[context as usize].clone();
        chain.extend(stack.last());
        self.object(&if on_stack { Origin::Alloca(chain) } else { Origin::Heap(chain) })
    }

    /// A variable that is in memory; all others are changed by their name only.
    pub fn is_in_memory(&self, var: VarId) -> bool {
        self.in_memory[var.index()]
    }

    /// Where the value of a pointer expression may point to, in order. Nothing for null, and for
    /// expressions that are not evaluated in any run.
    pub fn pointees(&self, expr: ExprId) -> Vec<Target> {
        let sets = self.exprs.get(&expr).map_or(&[][..], Vec::as_slice);
        let all: BTreeSet<Target> = sets.iter().flat_map(|&set| &self.sets[set]).copied().collect();
        all.into_iter().collect()
    }

    /// The value of a pointer expression may be the address of this byte, or of the end, of a
    /// concrete object that the abstract one stands for.
    pub fn may_point(&self, expr: ExprId, object: ObjectId, offset: u64) -> bool {
        let exact = offsets::Offsets::at(offset.into());
        let sets = self.exprs.get(&expr).map_or(&[][..], Vec::as_slice);
        let mut targets = sets.iter().flat_map(|&set| &self.sets[set]);
        targets.any(|target| {
            target.object == object
                && self.objects[object]
                    .offsets_of(target.offset)
                    .is_none_or(|offsets| offsets.minus(&exact, Some(1)).is_some())
        })
    }

    /// What touches memory where in the program, in order of discovery.
    pub fn accesses(&self) -> impl Iterator<Item = (Accessor, &Access)> + '_ {
        self.accesses.iter().map(|(&by, access)| (by, access))
    }

    /// What an access may touch; `None` if it is not one to memory, or not executed in any run.
    pub fn access(&self, by: Accessor) -> Option<&Access> {
        self.accesses.get(&by)
    }

    /// The region that a scalar place is in; `None` for a plain variable, and for a place that is
    /// not accessed without undefined behaviour.
    pub fn region(&self, place: PlaceId) -> Option<RegionId> {
        self.access(Accessor::Place(place)).and_then(|access| access.regions.first().copied())
    }

    /// The cells of an object, in order of offsets.
    pub fn cells_of(&self, object: ObjectId) -> impl Iterator<Item = (CellId, &Cell)> + '_ {
        let numbers = self.first_cells[object.index()]..self.first_cells[object.index() + 1];
        numbers.map(CellId::from_index).map(|id| (id, &self.cells[id]))
    }

    /// The cell that a byte of a concrete object is in; `None` for padding, and for what is not
    /// accessed.
    pub fn cell_at(&self, object: ObjectId, offset: u64) -> Option<CellId> {
        let places = self.objects[object].places(&offsets::Offsets::at(offset.into()));
        let at = places.iter().find_map(|place| match place {
            Offset::At(at, _) => Some(*at),
            _ => None,
        })?;
        let holds =
            |cell: &Cell| cell.offset <= at && cell.size.is_none_or(|size| at - cell.offset < size);
        self.cells_of(object).find(|(_, cell)| holds(cell)).map(|(id, _)| id)
    }

    /// The byte is padding.
    pub fn is_padding(&self, object: ObjectId, offset: u64) -> bool {
        let tiles = self.objects[object].tiles(&offsets::Offsets::at(offset.into()));
        tiles.iter().all(|tile| tile.padding)
    }

    /// The procedures that a call may reach, in order; builtins aside.
    pub fn targets(&self, proc: ProcId, edge: EdgeId) -> &[ProcId] {
        self.targets.get(&(proc, edge)).map_or(&[], Vec::as_slice)
    }

    /// What procedures without a body that may be called on an edge do to memory.
    pub fn external_effects(&self, proc: ProcId, edge: EdgeId) -> Option<&RegionEffects> {
        self.externals.get(&(proc, edge))
    }

    /// May be called in a run.
    /// Calls of external functions, with what these may call in turn: procedures with a body whose
    /// address they can find.
    pub fn callbacks(&self) -> impl Iterator<Item = (ProcId, EdgeId, ProcId)> + '_ {
        self.callbacks.iter().copied()
    }

    pub fn is_reached(&self, proc: ProcId) -> bool {
        self.reached.contains(&proc)
    }

    /// The call graph with only those targets of function pointers that were found.
    pub fn call_graph(&self, program: &Program) -> CallGraph {
        CallGraph::resolved(program, &|proc, edge| self.targets(proc, edge).to_vec())
    }
}

/// A call of it is of consequence: it has a body, or is an error.
fn does_something(procedure: &Procedure) -> bool {
    procedure.body.is_some() || procedure.is_error
}

/// There is at most one at a time.
fn is_unique(program: &Program, calls: &CallGraph, object: &ObjectData) -> bool {
    match object.origin {
        Origin::Var(var) => match program.vars[var].kind {
            VarKind::Global | VarKind::Static(_) | VarKind::Literal => true,
            kind => kind.frame().is_some_and(|proc| !calls.is_recursive(proc)),
        },
        Origin::Function(_) => true,
        Origin::Heap(_) | Origin::Alloca(_) | Origin::Outside => false,
    }
}

/// The sets of all pointer expressions; expressions share them.
fn pointer_sets(
    program: &Program,
    builder: &Builder<'_>,
) -> (Vec<Vec<Target>>, FxHashMap<ExprId, Vec<usize>>) {
    let mut sets: Vec<Vec<Target>> = Vec::new();
    let mut numbers: FxHashMap<NodeId, usize> = FxHashMap::default();
    let mut exprs: FxHashMap<ExprId, Vec<usize>> = FxHashMap::default();
    for (&(_, expr), &node) in &builder.exprs {
        if !matches!(program.exprs[expr].ty, Type::Pointer(_)) {
            continue;
        }
        let node = builder.solver.find(node);
        let number = *numbers.entry(node).or_insert_with(|| {
            sets.push(builder.solver.targets(node).collect());
            sets.len() - 1
        });
        exprs.entry(expr).or_default().push(number);
    }
    (sets, exprs)
}

/// The objects that can be reached from pointers.
fn reachable(solver: &Solver, from: &[NodeId]) -> FxHashSet<ObjectId> {
    let mut found = FxHashSet::default();
    let mut todo: Vec<NodeId> = from.to_vec();
    while let Some(node) = todo.pop() {
        for target in solver.targets(node) {
            if found.insert(target.object) {
                todo.extend(solver.contents_of(target.object).map(|(_, node)| node));
            }
        }
    }
    found
}
