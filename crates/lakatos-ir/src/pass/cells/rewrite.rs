//! Reads and writes of memory that is followed, by way of its cells.

mod whole;

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::follow::{Cells, Followed};
use super::path::{Part, Path};
use crate::expr::{BinOp, Expr, ExprId, ExprKind, PlaceId, PlaceKind};
use crate::loops::Loops;
use crate::pass::without_edges;
use crate::points_to::{PointsTo, RegionEffects, RegionId};
use crate::program::{
    Builtin, Call, Callee, Cfa, Edge, EdgeId, Instr, LocId, ProcId, Program, Var, VarId, VarKind,
};
use crate::source::Span;
use crate::ty::Type;
use crate::walk::{self, Node};

/// The program with cells, and what differences of pointers that it has now mean
/// ([`Cellular::walks`](super::Cellular::walks)).
pub(super) fn rewrite(
    mut program: Program,
    memory: &PointsTo,
    followed: &Followed,
) -> (Program, BTreeMap<ExprId, u64>) {
    let before = program.clone();
    let mut walks = BTreeMap::new();
    for (proc, _, body) in before.defined() {
        let new = without_edges(body);
        let mut rewriter = Rewriter {
            before: &before,
            program: &mut program,
            memory,
            followed,
            known: Known::default(),
            walks: &mut walks,
            proc,
            new,
        };
        rewriter.body(body);
        let new = rewriter.new;
        program.procs[proc].body = Some(new);
    }
    (program, walks)
}

/// What has been rewritten already in one instruction.
#[derive(Default)]
struct Known {
    exprs: FxHashMap<ExprId, ExprId>,
    places: FxHashMap<PlaceId, PlaceId>,
    /// The values of places that were read before.
    read: FxHashMap<PlaceId, VarId>,
}

struct Rewriter<'a> {
    before: &'a Program,
    program: &'a mut Program,
    memory: &'a PointsTo,
    followed: &'a Followed,
    known: Known,
    walks: &'a mut BTreeMap<ExprId, u64>,
    proc: ProcId,
    new: Cfa,
}

impl Rewriter<'_> {
    fn body(&mut self, old: &Cfa) {
        let heads = Loops::new(old);
        for (loc, data) in old.locs.iter() {
            self.known = Known::default();
            let branch = self.branch(old, &data.out);
            let from = match &branch {
                Some(steps) => self.steps_from(loc, steps.clone(), data.span),
                None => loc,
            };
            for id in &data.out {
                let edge = &old.edges[*id];
                let mut steps = match branch {
                    Some(_) => self.assumption(edge),
                    None => {
                        self.known = Known::default();
                        self.steps(*id, edge)
                    }
                };
                if old.locs[edge.to].error.is_some() {
                    steps.extend(self.only_hits(edge.span));
                }
                if heads.is_cut_point(edge.to) {
                    steps.extend(self.forget_recent(edge.span));
                }
                self.chain(from, edge.to, steps, edge.span);
            }
        }
        self.begin(old);
    }

    /// What comes before a branch: reads of elements of arrays that all its conditions make. `None`
    /// if the edges are no branch.
    fn branch(&mut self, old: &Cfa, out: &[EdgeId]) -> Option<Vec<Instr>> {
        let conditions = out.iter().map(|id| match old.edges[*id].instr {
            Instr::Assume(condition) => Some(condition),
            _ => None,
        });
        let conditions: Vec<ExprId> = conditions.collect::<Option<_>>()?;
        let (first, others) = conditions.split_first()?;
        let mut reads = self.certain_reads(&[Node::Expr(*first)]);
        for other in others {
            let own = self.certain_reads(&[Node::Expr(*other)]);
            reads.retain(|place| own.contains(place));
        }
        let span = old.edges[out[0]].span;
        Some(self.read_first(&reads, span))
    }

    /// Steps to a new location.
    fn steps_from(&mut self, from: LocId, steps: Vec<Instr>, span: Span) -> LocId {
        let mut at = from;
        for instr in steps {
            let to = self.new.add_loc(span);
            self.new.add_edge(at, to, instr, span);
            at = to;
        }
        at
    }

    /// What happens before the first step of a procedure: its variables in memory hold anything,
    /// and keys are chosen at the start of the program.
    fn begin(&mut self, old: &Cfa) {
        let span = old.locs[old.entry].span;
        let mut steps = Vec::new();
        let params = &self.before.procs[self.proc].params;
        for region in self.followed.of_frame(self.before, self.memory, self.proc) {
            let is_param = |var: &VarId| self.scalar_param(*var) == Some(region);
            if !params.iter().any(is_param) {
                steps.extend(self.forget(region, span));
            }
        }
        if self.proc == self.before.start {
            steps.extend(self.choose_keys(span));
        }
        let mut at = old.entry;
        for instr in steps.into_iter().rev() {
            let from = self.new.add_loc(span);
            self.new.add_edge(from, at, instr, span);
            at = from;
        }
        self.new.entry = at;
    }

    fn choose_keys(&mut self, span: Span) -> Vec<Instr> {
        let mut steps = Vec::new();
        for group in &self.followed.groups {
            for (key, length) in group.keys.iter().zip(&group.lengths) {
                let place = self.program.var_place(*key, span);
                steps.push(Instr::Havoc(place, self.followed.sites[key]));
                let (value, ty) = (self.program.load_var(*key, span), self.program.vars[*key].ty);
                let zero = self.program.expr(ExprKind::Int(0), ty, span);
                steps.push(Instr::Assume(self.binary(BinOp::Le, zero, value, span)));
                if let Some(length) = length {
                    let length = self.program.expr(ExprKind::Int(i128::from(*length)), ty, span);
                    steps.push(Instr::Assume(self.binary(BinOp::Lt, value, length, span)));
                }
            }
            let yes = self.program.expr(ExprKind::Int(1), Type::BOOL, span);
            steps.push(self.set(group.hit, yes, span));
        }
        steps
    }

    /// The last reads were at the keys.
    fn only_hits(&mut self, span: Span) -> Vec<Instr> {
        let groups = self.followed.groups.iter();
        groups.map(|group| Instr::Assume(self.program.load_var(group.hit, span))).collect()
    }

    /// An edge as several, one after the other.
    fn chain(&mut self, from: LocId, to: LocId, mut steps: Vec<Instr>, span: Span) {
        let last = steps.pop().expect("there is a step");
        let at = self.steps_from(from, steps, span);
        self.new.add_edge(at, to, last, span);
    }

    fn assumption(&mut self, edge: &Edge) -> Vec<Instr> {
        let Instr::Assume(condition) = edge.instr else { unreachable!("it is one of a branch") };
        let mut steps = vec![Instr::Assume(self.expr(condition))];
        // It changes nothing, so where was read is still to be seen; and a run chooses by
        // assumptions where to go.
        steps.extend(self.hits(&[Node::Expr(condition)], edge.span));
        steps
    }

    fn steps(&mut self, id: EdgeId, edge: &Edge) -> Vec<Instr> {
        let span = edge.span;
        match &edge.instr {
            Instr::Skip | Instr::Return(None) => vec![edge.instr.clone()],
            Instr::Assume(_) => self.assumption(edge),
            Instr::Return(Some(value)) => {
                let mut steps = self.reads(&[Node::Expr(*value)], span);
                steps.extend(self.forget_written(id, span));
                steps.push(Instr::Return(Some(self.expr(*value))));
                steps
            }
            Instr::Assign(place, value) => {
                let mut steps = self.reads(&[Node::Expr(*value), Node::Place(*place)], span);
                match self.region(*place) {
                    Some(region) => steps.extend(self.write(region, *place, *value, span)),
                    None => {
                        let value = self.expr(*value);
                        steps.push(Instr::Assign(self.place(*place), value));
                        steps.extend(self.copy(id, edge, span));
                    }
                }
                steps
            }
            Instr::Havoc(place, site) => match self.region(*place) {
                Some(region) => {
                    let temp = self.temp(self.before.places[*place].ty, span);
                    let into = self.program.var_place(temp, span);
                    let mut steps = vec![Instr::Havoc(into, *site)];
                    steps.extend(self.reads(&[Node::Place(*place)], span));
                    steps.extend(self.write_temp(region, *place, temp, span));
                    steps
                }
                None => {
                    let mut steps = vec![Instr::Havoc(self.place(*place), *site)];
                    steps.extend(self.fill_aggregate(id, *place, *site, span));
                    steps
                }
            },
            Instr::Call(call) => self.call(id, call, span),
            Instr::Dead(var) => {
                let mut steps = vec![edge.instr.clone()];
                for region in self.followed.of_var(self.memory, *var) {
                    steps.extend(self.forget(region, span));
                }
                steps
            }
            Instr::Block(_) => unreachable!("large blocks are made by the last pass"),
        }
    }

    fn call(&mut self, id: EdgeId, call: &Call, span: Span) -> Vec<Instr> {
        let operands = walk::operands(&Instr::Call(call.clone()));
        let operands: Vec<Node> = operands.into_iter().map(Node::Expr).collect();
        let mut steps = self.reads(&operands, span);
        steps.extend(self.arguments(id, call, span));
        let callee = match call.callee {
            Callee::Pointer(pointer) => Callee::Pointer(self.expr(pointer)),
            other => other,
        };
        let args = call.args.iter().map(|arg| self.expr(*arg)).collect();
        let result = call.result.and_then(|place| Some((place, self.region(place)?)));
        let Some((place, region)) = result else {
            let result = call.result.map(|place| self.place(place));
            steps.push(Instr::Call(Call { result, callee, args, site: call.site }));
            steps.extend(match callee {
                Callee::Builtin(Builtin::Calloc) => self.clear_written(id, span),
                Callee::Builtin(Builtin::Malloc | Builtin::Alloca) => {
                    self.fill_memory(id, call.site, span)
                }
                _ => self.forget_written(id, span),
            });
            return steps;
        };
        let temp = self.temp(self.before.places[place].ty, span);
        let into = Some(self.program.var_place(temp, span));
        steps.push(Instr::Call(Call { result: into, callee, args, site: call.site }));
        let others = RegionEffects::of_call(self.before, self.memory, self.proc, id, call);
        steps.extend(self.forget_all(id, self.followed_of(others), span));
        self.known = Known::default();
        steps.extend(self.reads(&[Node::Place(place)], span));
        steps.extend(self.write_temp(region, place, temp, span));
        steps
    }

    /// Parameters that are in memory get their values.
    fn arguments(&mut self, id: EdgeId, call: &Call, span: Span) -> Vec<Instr> {
        let mut steps = Vec::new();
        for callee in self.memory.targets(self.proc, id) {
            for (number, param) in self.before.procs[*callee].params.iter().enumerate() {
                let Some(region) = self.scalar_param(*param) else { continue };
                let ty = self.before.vars[*param].ty;
                let given = call.args.get(number).filter(|arg| self.before.exprs[**arg].ty == ty);
                match (&self.followed.regions[&region], given) {
                    (Cells::Whole(cell), Some(argument)) => {
                        let value = self.expr(*argument);
                        let value = self.pointer_as(value, self.program.vars[*cell].ty, span);
                        steps.push(self.set(*cell, value, span));
                    }
                    _ => steps.extend(self.forget(region, span)),
                }
            }
        }
        steps
    }

    /// The region that a parameter is, if it is a scalar with a cell.
    fn scalar_param(&self, param: VarId) -> Option<RegionId> {
        let is_scalar = matches!(self.before.vars[param].ty, Type::Int(_) | Type::Pointer(_));
        let regions = self.followed.of_var(self.memory, param);
        regions.first().copied().filter(|_| is_scalar)
    }

    /// The region of a scalar place, if it is followed.
    fn region(&self, place: PlaceId) -> Option<RegionId> {
        if !matches!(self.before.places[place].ty, Type::Int(_) | Type::Pointer(_)) {
            return None;
        }
        let region = self.memory.region(place)?;
        self.followed.regions.contains_key(&region).then_some(region)
    }

    /// A write to a place that is followed.
    fn write(&mut self, region: RegionId, place: PlaceId, value: ExprId, span: Span) -> Vec<Instr> {
        // Read once, since what is not followed may be another value the next time.
        let temp = self.temp(self.before.exprs[value].ty, span);
        let value = self.expr(value);
        let mut steps = vec![self.set(temp, value, span)];
        steps.extend(self.write_temp(region, place, temp, span));
        steps
    }

    fn write_temp(
        &mut self,
        region: RegionId,
        place: PlaceId,
        value: VarId,
        span: Span,
    ) -> Vec<Instr> {
        let mut steps = Vec::new();
        // The memory itself changes last, when nothing is read any more that it may change.
        let written = Instr::Assign(self.place(place), self.program.load_var(value, span));
        let indices = self.indices(place);
        let indices: Vec<ExprId> = indices
            .into_iter()
            .map(|index| {
                let temp = self.temp(self.program.exprs[index].ty, span);
                steps.push(self.set(temp, index, span));
                self.program.load_var(temp, span)
            })
            .collect();
        if let Cells::Array(array) = self.followed.regions[&region] {
            let index = self.flat(place, &indices, span);
            let (element, value) =
                (self.element(array, index, span), self.program.load_var(value, span));
            steps.extend([Instr::Assign(element, value), written]);
            return steps;
        }
        steps.extend(self.remember(region, &indices, value, span));
        for (condition, cell) in self.touched(region, &indices, span) {
            let (new, old) =
                (self.program.load_var(value, span), self.program.load_var(cell, span));
            let new = self.pointer_as(new, self.program.vars[cell].ty, span);
            let value = match condition {
                None => new,
                Some(condition) => self.choice(condition, new, old, span),
            };
            steps.push(self.set(cell, value, span));
        }
        steps.push(written);
        steps
    }

    /// The indices of a place, in the type of keys. None for what is found by a pointer.
    fn indices(&mut self, place: PlaceId) -> Vec<ExprId> {
        let Some(path) = self.path(place) else { return Vec::new() };
        let ty = self.followed.index(self.before);
        let span = self.before.places[place].span;
        let mut indices = Vec::with_capacity(path.indices.len());
        for sum in path.indices {
            let parts: Vec<ExprId> = sum.into_iter().map(|part| self.part(part, ty)).collect();
            let whole = parts.into_iter().reduce(|a, b| self.computed(BinOp::Add, a, b, span));
            let whole = whole.unwrap_or_else(|| self.program.expr(ExprKind::Int(0), ty, span));
            indices.push(whole);
        }
        indices
    }

    pub(super) fn path(&self, place: PlaceId) -> Option<Path> {
        self.followed.path(self.before, self.memory, place)
    }

    fn part(&mut self, part: Part, ty: Type) -> ExprId {
        match part {
            Part::Index(index) => self.index(index, ty),
            Part::From { pointer, first } => {
                let Expr { ty: own, span, .. } = self.before.exprs[pointer];
                let pointer = self.expr(pointer);
                let null = self.program.expr(ExprKind::Null, own, span);
                let walked = self.program.expr(ExprKind::PtrDiff(pointer, null), ty, span);
                self.walks.insert(walked, first);
                walked
            }
        }
    }

    fn index(&mut self, index: ExprId, ty: Type) -> ExprId {
        let span = self.before.exprs[index].span;
        let index = self.expr(index);
        match self.program.exprs[index].ty == ty {
            true => index,
            false => self.program.expr(ExprKind::Cast(index), ty, span),
        }
    }

    /// An operation on indices.
    fn computed(&mut self, op: BinOp, a: ExprId, b: ExprId, span: Span) -> ExprId {
        let ty = self.program.exprs[a].ty;
        self.program.expr(ExprKind::Binary(op, a, b), ty, span)
    }

    /// The index in an array variable, whose elements stand one behind the other.
    fn flat(&mut self, place: PlaceId, indices: &[ExprId], span: Span) -> ExprId {
        let path = self.path(place).expect("it has indices");
        let lengths: Vec<Option<u64>> =
            path.position.1.iter().filter_map(|step| step.length()).collect();
        let mut flat = indices[0];
        for (index, length) in indices.iter().zip(lengths).skip(1) {
            let length = length.expect("only the first length may be unknown");
            let ty = self.program.exprs[flat].ty;
            let length = self.program.expr(ExprKind::Int(i128::from(length)), ty, span);
            let row = self.computed(BinOp::Mul, flat, length, span);
            flat = self.computed(BinOp::Add, row, *index, span);
        }
        flat
    }

    /// The cells of a region, and when these indices mean them: always, for `None`.
    fn touched(
        &mut self,
        region: RegionId,
        indices: &[ExprId],
        span: Span,
    ) -> Vec<(Option<ExprId>, VarId)> {
        match &self.followed.regions[&region] {
            Cells::Whole(cell) => vec![(None, *cell)],
            Cells::Each(cells) => {
                let index = indices[0];
                let ty = self.program.exprs[index].ty;
                let cells = cells.iter().enumerate();
                cells
                    .map(|(number, cell)| {
                        let number = self.program.expr(ExprKind::Int(number as i128), ty, span);
                        (Some(self.binary(BinOp::Eq, index, number, span)), *cell)
                    })
                    .collect()
            }
            Cells::One { cell, group, .. } => {
                vec![(Some(self.is_hit(*group, indices, span)), *cell)]
            }
            Cells::Array(_) => Vec::new(),
        }
    }

    /// An element of a variable that is an array.
    fn element(&mut self, array: VarId, index: ExprId, span: Span) -> PlaceId {
        let Type::Array(element, _) = self.program.vars[array].ty else {
            unreachable!("it is an array")
        };
        let (base, ty) = (self.program.var_place(array, span), self.program.types.get(element));
        self.program.place(PlaceKind::Index(base, index), ty, span)
    }

    /// An element that was read or written is the recent one.
    fn remember(
        &mut self,
        region: RegionId,
        indices: &[ExprId],
        value: VarId,
        span: Span,
    ) -> Vec<Instr> {
        let Cells::One { recent, .. } = &self.followed.regions[&region] else { return Vec::new() };
        let mut steps = Vec::new();
        for (var, index) in recent.indices.iter().zip(indices) {
            steps.push(self.set(*var, *index, span));
        }
        let value = self.program.load_var(value, span);
        steps.push(self.set(recent.cell, value, span));
        steps
    }

    /// No element is the recent one. What happened in another turn of a loop does not matter.
    fn forget_recent(&mut self, span: Span) -> Vec<Instr> {
        let regions: Vec<RegionId> = self.followed.regions.keys().copied().collect();
        regions.into_iter().flat_map(|region| self.forget_recent_of(region, span)).collect()
    }

    fn forget_recent_of(&mut self, region: RegionId, span: Span) -> Vec<Instr> {
        let Cells::One { recent, .. } = &self.followed.regions[&region] else { return Vec::new() };
        // The value matters to nobody, and is simple.
        [(recent.indices[0], -1), (recent.cell, 0)]
            .map(|(var, value)| {
                let ty = self.program.vars[var].ty;
                let value = self.program.expr(ExprKind::Int(value), ty, span);
                self.set(var, value, span)
            })
            .into()
    }

    /// Reads before an instruction: where they are, and elements that are read for certain.
    fn reads(&mut self, nodes: &[Node], span: Span) -> Vec<Instr> {
        let certain = self.certain_reads(nodes);
        let mut steps = self.read_first(&certain, span);
        steps.extend(self.hits(nodes, span));
        steps
    }

    /// Elements are read, and their values are kept.
    fn read_first(&mut self, places: &[PlaceId], span: Span) -> Vec<Instr> {
        let mut steps = Vec::new();
        for place in places {
            let region = self.region(*place).expect("it is followed");
            let ty = self.before.places[*place].ty;
            let value = self.load(*place, ty, span);
            let temp = self.temp(ty, span);
            steps.push(self.set(temp, value, span));
            let indices = self.indices(*place);
            steps.extend(self.remember(region, &indices, temp, span));
            self.known.read.insert(*place, temp);
        }
        steps
    }

    /// The places in arrays of which one element is followed that are read whenever some nodes are
    /// evaluated, in order.
    fn certain_reads(&self, nodes: &[Node]) -> Vec<PlaceId> {
        let mut found = Vec::new();
        nodes.iter().for_each(|node| self.add_certain(*node, &mut found));
        found
    }

    fn add_certain(&self, node: Node, found: &mut Vec<PlaceId>) {
        let parts: Vec<Node> = match node {
            Node::Place(place) => walk::place_parts(self.before.places[place].kind).collect(),
            Node::Expr(e) => match self.before.exprs[e].kind {
                ExprKind::Binary(op, a, _) if op.is_lazy() => vec![Node::Expr(a)],
                ExprKind::Ite(condition, ..) => vec![Node::Expr(condition)],
                ref kind => walk::parts(kind).collect(),
            },
        };
        parts.into_iter().for_each(|part| self.add_certain(part, found));
        if let Node::Expr(e) = node
            && let ExprKind::Load(place) = self.before.exprs[e].kind
            && self.group(place).is_some()
            && !found.contains(&place)
        {
            found.push(place);
        }
    }

    /// The indices are the keys.
    fn is_hit(&mut self, group: usize, indices: &[ExprId], span: Span) -> ExprId {
        self.are_equal(indices, &self.followed.groups[group].keys, span)
    }

    fn are_equal(&mut self, indices: &[ExprId], to: &[VarId], span: Span) -> ExprId {
        let equal = indices.iter().zip(to).map(|(index, key)| {
            let key = self.program.load_var(*key, span);
            self.binary(BinOp::Eq, *index, key, span)
        });
        let equal: Vec<ExprId> = equal.collect();
        let mut equal = equal.into_iter();
        let first = equal.next().expect("there is an index");
        equal.fold(first, |all, one| self.binary(BinOp::And, all, one, span))
    }

    /// Whether the last read of each group is at the keys, after reads of all that is in some
    /// expressions and in the addresses of some places, in this order.
    fn hits(&mut self, read: &[Node], span: Span) -> Vec<Instr> {
        let mut steps = Vec::new();
        for (number, group) in self.followed.groups.iter().enumerate() {
            let before = self.program.load_var(group.hit, span);
            let after = read.iter().fold(before, |hit, node| self.hit(number, *node, hit));
            if after != before {
                steps.push(self.set(group.hit, after, span));
            }
        }
        steps
    }

    /// Whether the last read of a group's arrays is at the keys after an expression, or the address
    /// of a place, given whether it was before. Evaluates nothing that they do not evaluate.
    fn hit(&mut self, group: usize, node: Node, before: ExprId) -> ExprId {
        let e = match node {
            Node::Place(place) => {
                let parts = walk::place_parts(self.before.places[place].kind);
                return parts.fold(before, |hit, part| self.hit(group, part, hit));
            }
            Node::Expr(e) => e,
        };
        let Expr { kind, span, .. } = &self.before.exprs[e];
        match *kind {
            ExprKind::Binary(op, a, b) if op.is_lazy() => {
                let first = self.hit(group, Node::Expr(a), before);
                let second = self.hit(group, Node::Expr(b), first);
                match op {
                    BinOp::And => self.either(a, second, first, *span),
                    _ => self.either(a, first, second, *span),
                }
            }
            ExprKind::Ite(condition, yes, no) => {
                let first = self.hit(group, Node::Expr(condition), before);
                let yes = self.hit(group, Node::Expr(yes), first);
                let no = self.hit(group, Node::Expr(no), first);
                self.either(condition, yes, no, *span)
            }
            ExprKind::Load(place) if self.group(place) == Some(group) => {
                let indices = self.indices(place);
                self.is_hit(group, &indices, *span)
            }
            _ => walk::parts(kind).fold(before, |hit, part| self.hit(group, part, hit)),
        }
    }

    fn either(&mut self, condition: ExprId, yes: ExprId, no: ExprId, span: Span) -> ExprId {
        match yes == no {
            true => yes,
            false => {
                let condition = self.expr(condition);
                self.choice(condition, yes, no, span)
            }
        }
    }

    /// The group of the array that a place is in, if one of its elements is followed.
    fn group(&self, place: PlaceId) -> Option<usize> {
        match self.followed.regions[&self.region(place)?] {
            Cells::One { group, .. } => Some(group),
            _ => None,
        }
    }

    fn expr(&mut self, e: ExprId) -> ExprId {
        if let Some(known) = self.known.exprs.get(&e) {
            return *known;
        }
        let old = &self.before.exprs[e];
        let new = match old.kind {
            ExprKind::Load(place) if self.known.read.contains_key(&place) => {
                self.program.load_var(self.known.read[&place], old.span)
            }
            ExprKind::Load(place) if self.region(place).is_some() => {
                self.load(place, old.ty, old.span)
            }
            _ => {
                let kind = walk::map_parts(&old.kind, &mut |part| self.node(part));
                match kind == old.kind {
                    true => e,
                    false => self.program.expr(kind, old.ty, old.span),
                }
            }
        };
        self.known.exprs.insert(e, new);
        new
    }

    fn load(&mut self, place: PlaceId, ty: Type, span: Span) -> ExprId {
        let region = self.region(place).expect("it is followed");
        let indices = self.indices(place);
        let mut touched = self.touched(region, &indices, span);
        let mut value = match &self.followed.regions[&region] {
            Cells::Whole(cell) => {
                let value = self.program.load_var(*cell, span);
                return self.pointer_as(value, ty, span);
            }
            Cells::Array(array) => {
                let index = self.flat(place, &indices, span);
                let element = self.element(*array, index, span);
                return self.program.expr(ExprKind::Load(element), ty, span);
            }
            // One of the elements it is.
            Cells::Each(_) => {
                let (_, last) = touched.pop().expect("an array that is read has elements");
                let last = self.program.load_var(last, span);
                self.pointer_as(last, ty, span)
            }
            Cells::One { recent, .. } => {
                let in_memory = self.place(place);
                let other = self.program.expr(ExprKind::Load(in_memory), ty, span);
                let again = self.are_equal(&indices, &recent.indices, span);
                let known = self.program.load_var(recent.cell, span);
                self.choice(again, known, other, span)
            }
        };
        for (condition, cell) in touched.into_iter().rev() {
            let condition = condition.expect("an element");
            let own = self.program.load_var(cell, span);
            let own = self.pointer_as(own, ty, span);
            value = self.choice(condition, own, value, span);
        }
        value
    }

    fn node(&mut self, node: Node) -> Node {
        match node {
            Node::Expr(e) => Node::Expr(self.expr(e)),
            Node::Place(p) => Node::Place(self.place(p)),
        }
    }

    fn place(&mut self, p: PlaceId) -> PlaceId {
        if let Some(known) = self.known.places.get(&p) {
            return *known;
        }
        let old = &self.before.places[p];
        let kind: PlaceKind = walk::map_place_parts(old.kind, &mut |part| self.node(part));
        let new = match kind == old.kind {
            true => p,
            false => self.program.place(kind, old.ty, old.span),
        };
        self.known.places.insert(p, new);
        new
    }

    fn set(&mut self, var: VarId, value: ExprId, span: Span) -> Instr {
        Instr::Assign(self.program.var_place(var, span), value)
    }

    /// A pointer as one of another type: regions do not tell them apart.
    fn pointer_as(&mut self, value: ExprId, ty: Type, span: Span) -> ExprId {
        match self.program.exprs[value].ty == ty {
            true => value,
            false => self.program.expr(ExprKind::Cast(value), ty, span),
        }
    }

    fn binary(&mut self, op: BinOp, a: ExprId, b: ExprId, span: Span) -> ExprId {
        self.program.expr(ExprKind::Binary(op, a, b), Type::BOOL, span)
    }

    fn choice(&mut self, condition: ExprId, yes: ExprId, no: ExprId, span: Span) -> ExprId {
        let ty = self.program.exprs[yes].ty;
        self.program.expr(ExprKind::Ite(condition, yes, no), ty, span)
    }

    fn temp(&mut self, ty: Type, span: Span) -> VarId {
        let temp = self.program.vars.push(Var {
            name: format!("tmp{}", self.program.vars.len()),
            ty,
            kind: VarKind::Temp(self.proc),
            span,
            address_taken: false,
            c_type: String::new(),
        });
        self.program.procs[self.proc].locals.push(temp);
        temp
    }
}
