//! Which objects pointer variables may point to: what flows from one to the next, whatever the
//! order. Everything that becomes a ghost's value is looked at here, so that nothing is missing.

use std::collections::{BTreeMap, BTreeSet};

use super::objects::Objects;
use super::{Marks, NULL, OTHER, UNKNOWN};
use crate::arena::Id;
use crate::callgraph::CallGraph;
use crate::expr::{ExprId, ExprKind, PlaceId, PlaceKind};
use crate::interpret::variables_in_memory;
use crate::program::{Builtin, Call, Callee, Cfa, EdgeId, Instr, LocId, ProcId, Program, VarId};
use crate::ty::Type;
use crate::walk::{self, Node};

/// Numbers of objects.
pub(super) type Ids = BTreeSet<i128>;

/// The pointer variables that are followed.
#[derive(Debug)]
pub(super) struct Flow {
    ids: BTreeMap<VarId, Ids>,
    /// Their offsets are multiples of these.
    units: BTreeMap<VarId, i128>,
    /// Far away from its object a pointer is an error, and else not known.
    is_exact: bool,
    /// Those that may be read before they get a value.
    pub unset: BTreeSet<VarId>,
}

enum Source {
    Is(i128),
    Value(ExprId),
    Var(VarId),
}

impl Flow {
    pub fn new(
        program: &Program,
        calls: &CallGraph,
        objects: &Objects,
        marks: &Marks,
        is_exact: bool,
    ) -> Flow {
        let in_memory = variables_in_memory(program);
        let is_pointer = |var: &VarId| matches!(program.vars[*var].ty, Type::Pointer(_));
        let plain = program.vars.ids().filter(|var| !in_memory[var.index()]);
        let vars = plain.filter(is_pointer).filter(|var| !marks.contains_key(var));
        let ids: BTreeMap<VarId, Ids> = vars.map(|var| (var, Ids::new())).collect();
        let units = ids.keys().map(|var| (*var, 0)).collect();
        let mut flow = Flow { ids, units, is_exact, unset: BTreeSet::new() };
        flow.find_unset(program);
        let sources = flow.sources(program, calls, objects);
        flow.find_units(program, &sources);
        loop {
            let mut grown = false;
            for (var, source) in &sources {
                let found = match source {
                    Source::Is(number) => [*number].into(),
                    Source::Value(value) => flow.of_expr(program, objects, *value),
                    Source::Var(other) => flow.ids.get(other).cloned().unwrap_or_default(),
                };
                let ids = flow.ids.get_mut(var).expect("only followed variables have sources");
                let before = ids.len();
                ids.extend(found);
                grown |= ids.len() > before;
            }
            if !grown {
                return flow;
            }
        }
    }

    fn find_units(&mut self, program: &Program, sources: &[(VarId, Source)]) {
        loop {
            let before = self.units.clone();
            for (var, source) in sources {
                let own = match source {
                    Source::Is(_) => 0,
                    Source::Value(value) => self.unit_of(program, *value),
                    Source::Var(other) => self.units.get(other).copied().unwrap_or(0),
                };
                let unit = self.units.get_mut(var).expect("only followed variables have sources");
                *unit = gcd(*unit, own);
            }
            if self.units == before {
                return;
            }
        }
    }

    /// The offset of what [`Maker::pointer`](super::pointer::Maker::pointer) makes is a multiple of it.
    fn unit_of(&self, program: &Program, e: ExprId) -> i128 {
        match program.exprs[e].kind {
            ExprKind::Load(place) => self.var(program, place).map_or(0, |var| self.units[&var]),
            ExprKind::AddrOf(place) => self.unit_of_place(program, place),
            ExprKind::PtrAdd(base, _) => {
                let pointee = program.types.inner(program.exprs[e].ty);
                let size = program.types.size(pointee.unwrap_or(Type::Void));
                gcd(self.unit_of(program, base), size.into())
            }
            ExprKind::Cast(from) if matches!(program.exprs[from].ty, Type::Pointer(_)) => {
                self.unit_of(program, from)
            }
            ExprKind::Ite(_, yes, no) => gcd(self.unit_of(program, yes), self.unit_of(program, no)),
            _ => 0,
        }
    }

    fn unit_of_place(&self, program: &Program, place: PlaceId) -> i128 {
        match program.places[place].kind {
            PlaceKind::Var(_) => 0,
            PlaceKind::Deref(pointer) => self.unit_of(program, pointer),
            PlaceKind::Field(base, number) => match program.places[base].ty {
                Type::Record(record) => {
                    let field = &program.types.records[record].fields[number as usize];
                    gcd(self.unit_of_place(program, base), field.offset.into())
                }
                _ => 0,
            },
            PlaceKind::Index(base, _) => {
                let element = program.types.inner(program.places[base].ty);
                let size = program.types.size(element.unwrap_or(Type::Void));
                gcd(self.unit_of_place(program, base), size.into())
            }
        }
    }

    pub fn unit(&self, var: VarId) -> i128 {
        self.units[&var]
    }

    pub fn vars(&self) -> impl Iterator<Item = VarId> {
        self.ids.keys().copied()
    }

    pub fn is_followed(&self, var: VarId) -> bool {
        self.ids.contains_key(&var)
    }

    pub fn of_var(&self, var: VarId) -> &Ids {
        &self.ids[&var]
    }

    /// The followed variable that a place is.
    pub fn var(&self, program: &Program, place: PlaceId) -> Option<VarId> {
        match program.places[place].kind {
            PlaceKind::Var(var) if self.is_followed(var) => Some(var),
            _ => None,
        }
    }

    fn of_expr(&self, program: &Program, objects: &Objects, e: ExprId) -> Ids {
        match program.exprs[e].kind {
            ExprKind::Null => [NULL].into(),
            ExprKind::Load(place) => match self.var(program, place) {
                Some(var) => self.ids[&var].clone(),
                None => [UNKNOWN].into(),
            },
            ExprKind::AddrOf(place) => self.of_place(program, objects, place),
            ExprKind::Function(proc) => [objects.of_function(proc).unwrap_or(UNKNOWN)].into(),
            ExprKind::PtrAdd(base, _) => self.moved(self.of_expr(program, objects, base)),
            ExprKind::Cast(from) if matches!(program.exprs[from].ty, Type::Pointer(_)) => {
                self.of_expr(program, objects, from)
            }
            ExprKind::Ite(_, yes, no) => {
                let mut ids = self.of_expr(program, objects, yes);
                ids.extend(self.of_expr(program, objects, no));
                ids
            }
            _ => [UNKNOWN].into(),
        }
    }

    /// Null plus something is no object and not null.
    fn moved(&self, mut ids: Ids) -> Ids {
        if ids.contains(&NULL) || !self.is_exact {
            ids.insert(UNKNOWN);
        }
        ids
    }

    fn of_place(&self, program: &Program, objects: &Objects, place: PlaceId) -> Ids {
        match program.places[place].kind {
            PlaceKind::Var(var) => match objects.of_var(var) {
                Some(number) if objects.get(number).several.is_some() => [number, OTHER].into(),
                Some(number) => [number].into(),
                None => [UNKNOWN].into(),
            },
            PlaceKind::Deref(pointer) => self.of_expr(program, objects, pointer),
            PlaceKind::Field(base, _) | PlaceKind::Index(base, _) => {
                self.moved(self.of_place(program, objects, base))
            }
        }
    }

    fn sources(
        &self,
        program: &Program,
        calls: &CallGraph,
        objects: &Objects,
    ) -> Vec<(VarId, Source)> {
        let mut found: Vec<(VarId, Source)> =
            self.unset.iter().map(|var| (*var, Source::Is(UNKNOWN))).collect();
        for (proc, procedure, body) in program.defined() {
            for (id, edge) in body.edges.iter() {
                match &edge.instr {
                    Instr::Assign(place, value) => {
                        let var = self.var(program, *place);
                        found.extend(var.map(|var| (var, Source::Value(*value))));
                    }
                    Instr::Havoc(place, _) => {
                        let var = self.var(program, *place);
                        found.extend(var.map(|var| (var, Source::Is(UNKNOWN))));
                    }
                    Instr::Return(Some(value)) => {
                        let result = procedure.result.filter(|var| self.is_followed(*var));
                        found.extend(result.map(|var| (var, Source::Value(*value))));
                    }
                    Instr::Call(call) => {
                        self.call(program, calls, objects, (proc, id, call), &mut found);
                    }
                    _ => {}
                }
                if edge.to == body.exit && !matches!(edge.instr, Instr::Return(Some(_))) {
                    let result = procedure.result.filter(|var| self.is_followed(*var));
                    found.extend(result.map(|var| (var, Source::Is(UNKNOWN))));
                }
            }
        }
        found
    }

    fn call(
        &self,
        program: &Program,
        calls: &CallGraph,
        objects: &Objects,
        (proc, id, call): (ProcId, EdgeId, &Call),
        found: &mut Vec<(VarId, Source)>,
    ) {
        for target in calls.targets(proc, id) {
            for (number, param) in program.procs[*target].params.iter().enumerate() {
                if self.is_followed(*param) {
                    let source = match argument(program, call, number) {
                        Some(value) => Source::Value(value),
                        None => Source::Is(UNKNOWN),
                    };
                    found.push((*param, source));
                }
            }
        }
        let Some(var) = call.result.and_then(|place| self.var(program, place)) else { return };
        let Callee::Builtin(builtin) = call.callee else {
            let source = match result_of(program, calls, proc, id) {
                Some(result) => Source::Var(result),
                None => Source::Is(UNKNOWN),
            };
            return found.push((var, source));
        };
        match objects.of_call(proc, id) {
            Some(number) => {
                found.push((var, Source::Is(number)));
                if objects.get(number).several.is_some() {
                    found.push((var, Source::Is(OTHER)));
                }
                if matches!(builtin, Builtin::Calloc | Builtin::Realloc) {
                    found.push((var, Source::Is(NULL)));
                }
                // Where it is not known what was there, it is not known what is.
                if let (Builtin::Realloc, Some(old)) = (builtin, argument(program, call, 0)) {
                    found.push((var, Source::Value(old)));
                }
            }
            None => found.push((
                var,
                match argument(program, call, 0).filter(|_| builtin.gives_its_first()) {
                    Some(first) => Source::Value(first),
                    None => Source::Is(UNKNOWN),
                },
            )),
        }
    }

    /// Variables of frames that some way to a location has not set, and static ones that the start
    /// of the program does not set.
    fn find_unset(&mut self, program: &Program) {
        for (proc, procedure, body) in program.defined() {
            let followed = |var: &VarId| self.ids.contains_key(var);
            let own: BTreeSet<VarId> =
                procedure.locals.iter().copied().filter(|var| followed(var)).collect();
            let statics = self.ids.keys().filter(|var| program.vars[**var].kind.frame().is_none());
            let own = match proc == program.start {
                true => own.into_iter().chain(statics.copied()).collect(),
                false => own,
            };
            let unset = unset(program, body, own, proc == program.start);
            self.unset.extend(unset);
        }
    }
}

/// The result of the one procedure that a call can mean, if it is a pointer that is followed.
pub(super) fn result_of(
    program: &Program,
    calls: &CallGraph,
    proc: ProcId,
    edge: EdgeId,
) -> Option<VarId> {
    let [target] = calls.targets(proc, edge) else { return None };
    let procedure = &program.procs[*target];
    let is_pointer = |var: &VarId| matches!(program.vars[*var].ty, Type::Pointer(_));
    procedure.result.filter(is_pointer).filter(|_| procedure.body.is_some())
}

/// An argument that is a pointer.
pub(super) fn argument(program: &Program, call: &Call, number: usize) -> Option<ExprId> {
    let argument = *call.args.get(number)?;
    matches!(program.exprs[argument].ty, Type::Pointer(_)).then_some(argument)
}

pub(super) fn gcd(a: i128, b: i128) -> i128 {
    match b {
        0 => a,
        _ => gcd(b, a % b),
    }
}

/// The variables that are read, on some way, before they are set. With calls, what a callee may
/// read counts as read there.
fn unset(program: &Program, body: &Cfa, vars: BTreeSet<VarId>, is_start: bool) -> BTreeSet<VarId> {
    let mut missing: BTreeMap<LocId, BTreeSet<VarId>> = BTreeMap::new();
    missing.insert(body.entry, vars);
    let mut open = vec![body.entry];
    let mut found = BTreeSet::new();
    while let Some(loc) = open.pop() {
        let here = missing[&loc].clone();
        for edge in body.locs[loc].out.iter().map(|id| &body.edges[*id]) {
            let mut there = here.clone();
            if let Some(place) = walk::written(&edge.instr)
                && let PlaceKind::Var(var) = program.places[place].kind
            {
                there.remove(&var);
            }
            read_in(program, &edge.instr, &here, &mut found);
            if is_start && matches!(edge.instr, Instr::Call(_)) {
                found.extend(&here);
            }
            let known = missing.entry(edge.to);
            let mut changed = matches!(known, std::collections::btree_map::Entry::Vacant(_));
            let known = known.or_default();
            let before = known.len();
            known.extend(there);
            changed |= known.len() > before;
            if changed {
                open.push(edge.to);
            }
        }
    }
    found
}

/// Which of some variables an instruction reads.
pub(super) fn read_in(
    program: &Program,
    instr: &Instr,
    vars: &BTreeSet<VarId>,
    found: &mut BTreeSet<VarId>,
) {
    let mut see = |node: Node| {
        if let Node::Place(place) = node
            && let PlaceKind::Var(var) = program.places[place].kind
            && vars.contains(&var)
        {
            found.insert(var);
        }
    };
    let operands = walk::operands(instr).into_iter().map(Node::Expr);
    operands.for_each(|operand| walk::walk(program, operand, &mut see));
    // The place that is written, if it is found by pointers.
    if let Some(place) = walk::written(instr)
        && !matches!(program.places[place].kind, PlaceKind::Var(_))
    {
        walk::walk(program, Node::Place(place), &mut see);
    }
}
