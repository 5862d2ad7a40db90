//! Runs of the interpreter, held against what the analysis has said about them.

use std::collections::HashMap;
use std::fmt::Write;

use lakatos_ir::interpret::{
    AccessKind, Accessor, Instance, Interpreter, Observed, Observer, Options, Oracle, Run,
};
use lakatos_ir::points_to::{CellId, ObjectId, Origin, PointsTo, RegionId, RegionSets};
use lakatos_ir::{EdgeId, PlaceKind, ProcId, Program, SignedOverflow};

/// Of larger accesses only the ends are looked at.
const LARGE: u64 = 512;

/// What a run has shown.
#[derive(Debug)]
pub struct Seen {
    pub run: Run,
    pub accesses: u64,
    /// Where the analysis was wrong.
    pub problems: Vec<String>,
}

struct Watcher<'a> {
    program: &'a Program,
    memory: &'a PointsTo,
    effects: &'a RegionSets,
    allocated: HashMap<Instance, Option<ObjectId>>,
    cells: HashMap<(ObjectId, u64), Option<CellId>>,
    /// The region through which scalar accesses have touched a byte.
    owners: HashMap<(Instance, u64), RegionId>,
    accesses: u64,
    problems: Vec<String>,
}

/// Runs a program once and compares every access, and every call through a pointer.
pub fn watch(program: &Program, memory: &PointsTo, oracle: &mut dyn Oracle) -> Seen {
    let effects = &RegionSets::new(program, &memory.call_graph(program), memory);
    let mut watcher = Watcher {
        program,
        memory,
        effects,
        allocated: HashMap::new(),
        cells: HashMap::new(),
        owners: HashMap::new(),
        accesses: 0,
        problems: Vec::new(),
    };
    let options = Options {
        signed_overflow: SignedOverflow::Wrap,
        max_steps: 200_000,
        max_bytes: 1 << 24,
        ..Options::default()
    };
    let run = Interpreter::new(program).observe(&options, oracle, &mut watcher);
    Seen { run, accesses: watcher.accesses, problems: watcher.problems }
}

impl Watcher<'_> {
    fn problem(&mut self, access: &Observed, text: &str) {
        let mut line = format!("{text}: {access:?}");
        if let Accessor::Place(place) = access.by {
            let at = self.program.source.position(self.program.places[place].span.start);
            let _ = write!(line, " ({} at {at})", self.program.show_place(place));
        }
        self.problems.push(line);
    }

    fn object(&self, access: &Observed) -> Option<ObjectId> {
        match access.var {
            Some(var) => self.memory.object(&Origin::Var(var)),
            None => self.allocated.get(&access.object).copied().flatten(),
        }
    }

    /// Every byte is in a cell that was foretold.
    fn check_cells(&mut self, access: &Observed, object: ObjectId) {
        let Some(foretold) = self.memory.access(access.by) else {
            return self.problem(access, "an access that nobody foretold");
        };
        let done = match access.kind {
            AccessKind::Read => foretold.reads,
            AccessKind::Write => foretold.writes,
            AccessKind::Free => foretold.frees,
        };
        if !done {
            self.problem(access, "an access of another kind");
        }
        let bytes = 0..access.size;
        for at in bytes.filter(|&at| at < LARGE || at + LARGE > access.size) {
            let byte = access.offset + at;
            let memory = self.memory;
            let find = || memory.cell_at(object, byte);
            match *self.cells.entry((object, byte)).or_insert_with(find) {
                None if access.kind == AccessKind::Free => {}
                None if self.memory.is_padding(object, byte) => {}
                None => return self.problem(access, "a byte without a cell"),
                Some(cell) if foretold.cells.binary_search(&cell).is_ok() => {}
                Some(_) => return self.problem(access, "a byte in a cell that was not foretold"),
            }
        }
    }

    /// No two scalar accesses of different regions touch the same byte.
    fn check_regions(&mut self, access: &Observed) {
        let Some(foretold) = self.memory.access(access.by) else { return };
        let Accessor::Place(place) = access.by else { return };
        if !self.program.places[place].ty.is_scalar() {
            return;
        }
        let &[region] = foretold.regions.as_slice() else {
            return self.problem(access, "a scalar access in no region or many");
        };
        for byte in access.offset..access.offset + access.size {
            let owner = *self.owners.entry((access.object, byte)).or_insert(region);
            if owner != region {
                return self.problem(access, "two regions have a byte in common");
            }
        }
    }

    fn check_pointer(&mut self, access: &Observed, object: ObjectId) {
        let Accessor::Place(place) = access.by else { return };
        if let PlaceKind::Deref(pointer) = self.program.places[place].kind
            && !self.memory.may_point(pointer, object, access.offset)
        {
            self.problem(access, "a pointer that points elsewhere");
        }
    }

    fn check_effects(&mut self, access: &Observed) {
        let Some(foretold) = self.memory.access(access.by) else { return };
        // Arguments and results are handed over by the caller.
        if let Accessor::Var(_) = access.by {
            return;
        }
        let effects = self.effects.of_proc(access.proc);
        let set = match access.kind {
            AccessKind::Read => &effects.reads,
            AccessKind::Write | AccessKind::Free => &effects.writes,
        };
        if !foretold.regions.iter().all(|region| set.contains(region)) {
            self.problem(access, "not among the effects of the procedure");
        }
    }
}

impl Observer for Watcher<'_> {
    fn allocated(&mut self, object: Instance, _size: u64, calls: &[(ProcId, EdgeId)]) {
        let heap = self.memory.allocated(calls, false);
        let known = heap.or_else(|| self.memory.allocated(calls, true));
        self.allocated.insert(object, known);
    }

    fn accessed(&mut self, access: Observed) {
        self.accesses += 1;
        let Some(object) = self.object(&access) else {
            return self.problem(&access, "an unknown object");
        };
        self.check_cells(&access, object);
        self.check_regions(&access);
        self.check_pointer(&access, object);
        self.check_effects(&access);
    }

    fn called(&mut self, proc: ProcId, edge: EdgeId, callee: ProcId) {
        if !self.memory.targets(proc, edge).contains(&callee) {
            let name = &self.program.procs[callee].name;
            self.problems.push(format!("a call of {name} that nobody foretold"));
        }
    }
}
