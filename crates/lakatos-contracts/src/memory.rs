//! What functions and loops change through pointers, as ACSL's `assigns` says it: variables by their
//! names, all else as the program writes it.
//!
//! A clause is about what there was before. So memory that a function makes is none of its business, nor
//! is its own frame; and a place is said as it is written only if the pointers on the way to it are not
//! changed themselves, since it is looked up as things were. Where that does not go nothing is said.

use std::collections::BTreeSet;

use lakatos_ir::interpret::Accessor;
use lakatos_ir::points_to::{ObjectId, Offset, Origin, PointsTo, RegionId, RegionSets};
use lakatos_ir::{
    Builtin, Callee, EdgeId, ExprId, ExprKind, Instr, PlaceId, PlaceKind, ProcId, Type, VarId,
};
use lakatos_ir::{callgraph::CallGraph, modset::Footprint, walk};

use crate::lengths::Lengths;
use crate::names::Names;

/// Memory and what procedures do to it.
#[derive(Debug)]
pub(crate) struct Memory<'p> {
    lengths: &'p Lengths,
    calls: CallGraph,
    points_to: PointsTo,
    sets: RegionSets,
}

/// What is to be said about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    Function,
    /// What is declared within is nobody else's business.
    Loop,
}

/// A thing that changes.
enum Changed {
    /// There was none before, or there is none afterwards.
    Own,
    Named(String),
    /// It is known by pointers only.
    Elsewhere,
}

impl<'p> Memory<'p> {
    pub fn new(program: &lakatos_ir::Program, lengths: &'p Lengths) -> Memory<'p> {
        let points_to = PointsTo::new(program);
        let calls = points_to.call_graph(program);
        let sets = RegionSets::new(program, &calls, &points_to);
        Memory { lengths, calls, points_to, sets }
    }
}

/// What some edges of a procedure change in memory.
pub(crate) struct Writes<'a, F> {
    pub names: Names<'a>,
    pub memory: &'a Memory<'a>,
    pub extent: Extent,
    /// Names are looked up as if at this position.
    pub scope: u32,
    /// All that changes by name.
    pub changed: &'a Footprint,
    pub is_inner: F,
    /// All regions that change.
    pub regions: BTreeSet<RegionId>,
}

impl<F: Fn(VarId) -> bool> Writes<'_, F> {
    /// The places that edges change, in order. `None` if they cannot all be said.
    pub fn places(mut self, edges: &[EdgeId]) -> Option<BTreeSet<String>> {
        let program = self.names.program;
        let body = program.procs[self.names.proc].body.as_ref()?;
        for edge in edges {
            let Memory { calls, points_to, sets, .. } = self.memory;
            let effects = sets.of_edge(program, calls, points_to, self.names.proc, *edge);
            self.regions.extend(effects.writes);
        }
        let mut places = BTreeSet::new();
        for edge in edges {
            places.extend(self.edge(*edge, &body.edges[*edge].instr)?);
        }
        Some(places)
    }

    fn edge(&self, id: EdgeId, instr: &Instr) -> Option<Vec<String>> {
        let points_to = &self.memory.points_to;
        let mut places = Vec::new();
        if let Some(place) = walk::written(instr)
            && !matches!(self.names.program.places[place].kind, PlaceKind::Var(_))
            && let Some(access) = points_to.access(Accessor::Place(place))
        {
            // Whoever reads the function alone does not know where its pointers point to.
            let named = self.by_name(&access.regions);
            let is_own = named.as_ref().is_some_and(Vec::is_empty);
            match self.place(place).filter(|_| !is_own) {
                Some(text) => places.push(self.whole(text, place)),
                None => places.extend(named?),
            }
        }
        let Instr::Call(call) = instr else { return Some(places) };
        match call.callee {
            // Nobody knew of it before.
            Callee::Builtin(builtin) if builtin.allocates() && builtin != Builtin::Realloc => {}
            _ => {
                let Memory { calls, sets, .. } = self.memory;
                let mut writes: BTreeSet<RegionId> = BTreeSet::new();
                for target in calls.targets(self.names.proc, id) {
                    writes.extend(&sets.of_proc(*target).writes);
                }
                // Nothing is said of what functions without a body change, so nobody could show this.
                let external = points_to.external_effects(self.names.proc, id);
                if external.is_some_and(|effects| !effects.writes.is_empty()) {
                    return None;
                }
                if let Callee::Builtin(_) = call.callee {
                    let program = self.names.program;
                    let all = sets.of_edge(program, calls, points_to, self.names.proc, id).writes;
                    writes.extend(all);
                }
                let writes: Vec<RegionId> = writes.into_iter().collect();
                places.extend(self.by_name(&writes)?);
            }
        }
        Some(places)
    }

    /// The variables in some regions, if there is nothing else.
    fn by_name(&self, regions: &[RegionId]) -> Option<Vec<String>> {
        let points_to = &self.memory.points_to;
        let cells = regions.iter().flat_map(|region| &points_to.regions()[*region].cells);
        let objects: BTreeSet<ObjectId> =
            cells.map(|cell| points_to.cells()[*cell].object).collect();
        let mut named = Vec::new();
        for object in objects {
            match self.object(&points_to.objects()[object].origin) {
                Changed::Own => {}
                Changed::Named(name) => named.push(name),
                Changed::Elsewhere => return None,
            }
        }
        Some(named)
    }

    fn object(&self, origin: &Origin) -> Changed {
        let (program, proc) = (self.names.program, self.names.proc);
        match origin {
            Origin::Var(var) => match program.vars[*var].kind.frame() {
                // That of another call of the same function has no name.
                Some(frame) if frame == proc && self.memory.calls.is_recursive(proc) => {
                    Changed::Elsewhere
                }
                Some(frame) if frame == proc && self.extent == Extent::Function => Changed::Own,
                Some(frame) if frame != proc && !self.waits(frame) => Changed::Own,
                Some(frame) if frame != proc => Changed::Elsewhere,
                _ if (self.is_inner)(*var) => Changed::Own,
                _ => match self.names.variable(self.scope, *var) {
                    Some(name) => Changed::Named(self.names.whole(name, program.vars[*var].ty)),
                    None => Changed::Elsewhere,
                },
            },
            // All that there is was made by it.
            Origin::Heap(_) | Origin::Alloca(_)
                if proc == program.main && self.extent == Extent::Function =>
            {
                match self.memory.calls.is_recursive(proc) {
                    true => Changed::Elsewhere,
                    false => Changed::Own,
                }
            }
            Origin::Function(_) => Changed::Own,
            Origin::Heap(_) | Origin::Alloca(_) | Origin::Outside => Changed::Elsewhere,
        }
    }

    /// Whether a frame of a procedure may wait for what is called: somewhere in it is the call.
    fn waits(&self, frame: ProcId) -> bool {
        let (mut seen, mut open) = (BTreeSet::from([frame]), vec![frame]);
        while let Some(proc) = open.pop() {
            if proc == self.names.proc {
                return true;
            }
            open.extend(self.memory.calls.callees(proc).iter().filter(|c| seen.insert(**c)));
        }
        false
    }

    /// All of a place: an array element by element.
    fn whole(&self, text: String, place: PlaceId) -> String {
        self.names.whole(text, self.names.program.places[place].ty)
    }

    /// A place as the program writes it, any element of an array for one.
    fn place(&self, place: PlaceId) -> Option<String> {
        let program = self.names.program;
        match program.places[place].kind {
            PlaceKind::Var(var) => self.names.variable(self.scope, var),
            PlaceKind::Deref(pointer) => match program.exprs[pointer].kind {
                ExprKind::PtrAdd(base, _) => {
                    let (text, size) = (self.pointer(base)?, program.places[place].ty);
                    let last = match self.length(base) {
                        Some(length) => format!("{length} - 1"),
                        None => {
                            let elements = self.elements(base, program.types.size(size))?;
                            elements.checked_sub(1)?.to_string()
                        }
                    };
                    Some(format!("{text}[0 .. {last}]"))
                }
                _ => Some(format!("*{}", self.pointer(pointer)?)),
            },
            PlaceKind::Field(base, field) => {
                let Type::Record(record) = program.places[base].ty else { return None };
                let name = program.types.records[record].fields[field as usize].name.as_ref()?;
                let base = self.place(base)?;
                Some(match base.strip_prefix('*') {
                    Some(pointer) => format!("{pointer}->{name}"),
                    None => format!("{base}.{name}"),
                })
            }
            PlaceKind::Index(base, _) => {
                let Type::Array(_, length) = program.places[base].ty else { return None };
                let text = self.place(base)?;
                let text = if text.starts_with('*') { format!("({text})") } else { text };
                Some(format!("{text}[0 .. {}]", length?.checked_sub(1)?))
            }
        }
    }

    /// The length of what is written behind a pointer, as the function knows it.
    fn length(&self, pointer: ExprId) -> Option<String> {
        let ExprKind::Load(from) = self.names.program.exprs[pointer].kind else { return None };
        let PlaceKind::Var(var) = self.names.program.places[from].kind else { return None };
        self.names.variable(self.scope, *self.memory.lengths.get(&var)?)
    }

    /// The most elements of a size that a pointer leads to the first of. (Provers take no range without
    /// an end.)
    fn elements(&self, pointer: ExprId, size: u64) -> Option<u64> {
        let points_to = &self.memory.points_to;
        let mut most = 0;
        for target in points_to.pointees(pointer) {
            let bytes = points_to.objects()[target.object].size?;
            matches!(target.offset, Offset::At(0, 0)).then_some(())?;
            most = most.max(bytes.checked_div(size)?);
        }
        Some(most)
    }

    /// A pointer that is in a variable, or in memory, and stays as it is.
    fn pointer(&self, pointer: ExprId) -> Option<String> {
        let ExprKind::Load(from) = self.names.program.exprs[pointer].kind else { return None };
        let is_changed = match self.names.program.places[from].kind {
            PlaceKind::Var(var) => self.changed.vars.contains(&var),
            _ => false,
        };
        let access = self.memory.points_to.access(Accessor::Place(from));
        let mut regions = access.iter().flat_map(|access| &access.regions);
        let stays = !is_changed && !regions.any(|region| self.regions.contains(region));
        // What is an address, a field or an element needs no brackets before `->` and `[`.
        stays.then(|| self.place(from)).flatten().filter(|text| !text.starts_with('*'))
    }
}
