//! The program with ghosts for its pointers, and error locations where memory is misused.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use super::Marks;
use super::UNKNOWN;
use super::flow::{Flow, argument, result_of};
use super::library::{self, WATCHED};
use super::mark::Role;
use super::objects::{OFFSET, Object, Objects, Several, ghost};
use super::pointer::{Ghosts, Maker, Pair, Pointer};
use super::tracked::{self, Live};
use super::written::Written;
use crate::callgraph::CallGraph;
use crate::expr::{BinOp, ExprId, ExprKind, PlaceId, PlaceKind, Undefined};
use crate::loops::Loops;
use crate::pass::without_edges;
use crate::program::{
    Bytes, Call, Callee, Cfa, Edge, EdgeId, FollowedPointer, Instr, LocId, ProcId, Program, VarId,
};
use crate::property::{Property, Violation};
use crate::source::Span;
use crate::ty::Type;
use crate::undefined::quote;

pub(super) struct Context {
    pub property: Property,
    pub calls: CallGraph,
    pub objects: Objects,
    pub flow: Flow,
    pub ghosts: Ghosts,
    pub marks: Marks,
    /// What holds in every run that counts.
    pub hits: Vec<VarId>,
    /// See [`Cellular::walks`](crate::pass::cells::Cellular::walks).
    pub walks: BTreeMap<ExprId, u64>,
    /// What was written, if the property is about that.
    pub written: Option<Written>,
}

pub(super) fn rewrite(mut program: Program, context: &Context) -> Program {
    for proc in program.procs.ids() {
        if let Some(old) = program.procs[proc].body.take() {
            let new = without_edges(&old);
            let maker = Maker {
                program: &mut program,
                objects: &context.objects,
                flow: &context.flow,
                ghosts: &context.ghosts,
                walks: &context.walks,
                known: FxHashMap::default(),
                span: Span::default(),
            };
            let vars: BTreeSet<VarId> =
                context.flow.vars().filter(|var| kind(&maker, *var) == Some(proc)).collect();
            let live = tracked::live(maker.program, &old, &vars);
            let mut rewriter = Rewriter { cx: context, make: maker, proc, new, live };
            rewriter.body(&old);
            let new = rewriter.new;
            program.procs[proc].body = Some(new);
        }
    }
    program.followed = context.followed(&program);
    program
}

impl Context {
    /// How parameters are followed.
    fn followed(&self, program: &Program) -> BTreeMap<VarId, FollowedPointer> {
        let target = |number: &i128| (*number, self.objects.space(program, *number));
        let params = self.ghosts.params().map(|(param, Pair { object, offset, unit })| {
            let targets = self.flow.of_var(param).iter().map(target).collect();
            (param, FollowedPointer { object, offset, unit, targets })
        });
        params.collect()
    }
}

/// The procedure whose frame holds a variable.
fn kind(maker: &Maker<'_>, var: VarId) -> Option<ProcId> {
    maker.program.vars[var].kind.frame()
}

/// A part of what becomes of an edge.
pub(super) enum Step {
    Do(Instr),
    /// An error where the condition holds.
    Refuse(ExprId, Violation),
}

pub(super) struct Rewriter<'a> {
    pub cx: &'a Context,
    pub make: Maker<'a>,
    pub proc: ProcId,
    new: Cfa,
    live: Live,
}

impl Rewriter<'_> {
    fn body(&mut self, old: &Cfa) {
        let heads = Loops::new(old);
        let is_start = self.proc == self.make.program.start;
        for (loc, data) in old.locs.iter() {
            for id in &data.out {
                let edge = &old.edges[*id];
                self.make.known.clear();
                self.make.span = edge.span;
                let mut steps = self.steps(*id, edge);
                if edge.to == old.exit {
                    let last = steps.pop();
                    steps.extend(self.end(&edge.instr));
                    if is_start {
                        steps.extend(self.nothing_lost(&BTreeSet::new()));
                    }
                    steps.extend(last);
                }
                if heads.is_cut_point(edge.to) {
                    let live = self.live_at(edge.to);
                    steps.extend(self.nothing_lost(&live));
                }
                self.chain(loc, edge.to, steps, edge.span);
            }
        }
        self.begin(old);
    }

    fn live_at(&self, loc: LocId) -> BTreeSet<VarId> {
        self.live.get(&loc).cloned().unwrap_or_default()
    }

    /// Steps one after the other. What is refused leads to an error, if the run counts.
    fn chain(&mut self, from: LocId, to: LocId, steps: Vec<Step>, span: Span) {
        let (mut at, count) = (from, steps.len());
        for (number, step) in steps.into_iter().enumerate() {
            let next = if number + 1 == count { to } else { self.new.add_loc(span) };
            match step {
                Step::Do(instr) => self.new.add_edge(at, next, instr, span),
                Step::Refuse(condition, violation) => {
                    let fine = self.make.not(condition);
                    self.refuse(at, condition, violation);
                    self.new.add_edge(at, next, Instr::Assume(fine), span)
                }
            };
            at = next;
        }
    }

    fn refuse(&mut self, at: LocId, condition: ExprId, violation: Violation) {
        let span = violation.span;
        let mut conditions = vec![condition];
        conditions.extend(self.cx.hits.iter().map(|hit| self.make.load(*hit)));
        let mut at = at;
        for condition in conditions {
            let next = self.new.add_loc(span);
            self.new.add_edge(at, next, Instr::Assume(condition), span);
            at = next;
        }
        self.new.locs[at].error = Some(violation);
    }

    /// What happens before the first step of a procedure.
    fn begin(&mut self, old: &Cfa) {
        let span = old.locs[old.entry].span;
        self.make.span = span;
        let mut steps = Vec::new();
        let is_start = self.proc == self.make.program.start;
        if is_start {
            steps.extend(self.choose_key());
            for (_, object) in self.cx.objects.iter() {
                let flags = object.alive.into_iter().chain(object.several.map(|s| s.taken));
                flags.for_each(|flag| steps.push(self.flag(flag, false)));
                if let Some(held) = object.held {
                    let none = self.make.bytes(0);
                    steps.push(self.assign(held, none));
                }
            }
        }
        for var in self.cx.flow.unset.iter().copied() {
            let frame = self.make.program.vars[var].kind.frame();
            if frame == Some(self.proc) || is_start && frame.is_none() {
                let unknown = self.make.constant(UNKNOWN);
                steps.extend(self.set(self.cx.ghosts.of(var), unknown));
            }
        }
        for param in self.make.program.procs[self.proc].params.clone() {
            if let Some(given) = self.cx.ghosts.given(param) {
                let value = self.make.of_pair(given, self.cx.flow.of_var(param).clone());
                steps.extend(self.set(self.cx.ghosts.of(param), value));
            }
        }
        for number in self.cx.objects.of_frame(self.make.program, self.proc) {
            steps.extend(self.born(number));
        }
        if !is_start {
            let live = self.live_at(old.entry);
            steps.extend(self.nothing_lost(&live));
        }
        let entry = old.entry;
        let from = self.new.add_loc(span);
        steps.push(Step::Do(Instr::Skip));
        self.chain(from, entry, steps, span);
        self.new.entry = from;
    }

    /// A new instance of an object of the frame. Memory that is asked for has none yet.
    fn born(&mut self, number: i128) -> Vec<Step> {
        let object = self.cx.objects.get(number).clone();
        let is_var = matches!(object.size, Bytes::Known(_));
        match (&object, object.alive) {
            (Object { own: Some(own), .. }, _) if !is_var => vec![self.flag(*own, false)],
            (Object { several: Some(several), own: Some(own), .. }, Some(alive)) => {
                let mut steps = self.choose(several, alive);
                let chosen = self.make.load(several.chosen);
                steps.push(self.assign(*own, chosen));
                steps
            }
            (_, Some(alive)) => vec![self.flag(alive, true)],
            _ => Vec::new(),
        }
    }

    /// Chooses whether the new instance is the one that is followed.
    pub fn choose(&mut self, several: &Several, alive: VarId) -> Vec<Step> {
        let Several { taken, chosen, site } = *several;
        let place = self.make.program.var_place(chosen, self.make.span);
        let mut steps = vec![Step::Do(Instr::Havoc(place, site))];
        let (now, before) = (self.make.load(chosen), self.make.load(taken));
        let free = self.make.not(before);
        let now = self.make.and(now, free);
        steps.push(self.assign(chosen, now));
        for flag in [taken, alive] {
            let (now, before) = (self.make.load(chosen), self.make.load(flag));
            let either = self.make.or(before, now);
            steps.push(self.assign(flag, either));
        }
        steps
    }

    /// The instance of an object of the frame ends.
    fn dies(&mut self, number: i128) -> Vec<Step> {
        let object = self.cx.objects.get(number);
        let Some(alive) = object.alive else { return Vec::new() };
        match object.own {
            None => vec![self.flag(alive, false)],
            Some(own) => {
                let (was, own) = (self.make.load(alive), self.make.load(own));
                let other = self.make.not(own);
                let still = self.make.and(was, other);
                vec![self.assign(alive, still)]
            }
        }
    }

    /// What happens before a procedure ends by this instruction.
    fn end(&mut self, last: &Instr) -> Vec<Step> {
        let mut steps = Vec::new();
        let result = self.make.program.procs[self.proc].result;
        if let Some(result) = result.filter(|var| self.cx.flow.is_followed(*var)) {
            let value = match last {
                Instr::Return(Some(value)) => self.make.pointer(*value),
                _ => self.make.constant(UNKNOWN),
            };
            steps.extend(self.keep(self.cx.ghosts.of(result), value));
        }
        for number in self.cx.objects.of_frame(self.make.program, self.proc) {
            steps.extend(self.dies(number));
        }
        steps
    }

    fn steps(&mut self, id: EdgeId, edge: &Edge) -> Vec<Step> {
        match &edge.instr {
            Instr::Skip | Instr::Return(None) => vec![Step::Do(edge.instr.clone())],
            Instr::Assume(condition) => vec![Step::Do(Instr::Assume(self.make.expr(*condition)))],
            Instr::Return(Some(value)) => {
                vec![Step::Do(Instr::Return(Some(self.make.expr(*value))))]
            }
            Instr::Assign(place, value) => match self.marked(*place) {
                Some(var) => self.access(var, *value),
                None => {
                    let pointer =
                        self.followed(*place).map(|pair| (pair, self.make.pointer(*value)));
                    let (to, from) = (self.make.place(*place), self.make.expr(*value));
                    let mut steps = vec![Step::Do(Instr::Assign(to, from))];
                    steps.extend(pointer.into_iter().flat_map(|(pair, p)| self.keep(pair, p)));
                    steps
                }
            },
            Instr::Havoc(place, site) => {
                let mut steps = vec![Step::Do(Instr::Havoc(self.make.place(*place), *site))];
                if let Some(pair) = self.followed(*place) {
                    let unknown = self.make.constant(UNKNOWN);
                    steps.extend(self.set(pair, unknown));
                }
                steps
            }
            Instr::Call(call) => self.call(id, call, edge.to),
            Instr::Dead(var) => {
                let mut steps = vec![Step::Do(edge.instr.clone())];
                if let Some(number) = self.cx.objects.of_var(*var) {
                    steps.extend(self.dies(number));
                    steps.extend(self.reborn(number));
                }
                // Of the instances that this frame has made, all older ones have ended before.
                for number in self.cx.objects.of_array(*var) {
                    steps.extend(self.dies(number));
                }
                steps
            }
            Instr::Block(_) => unreachable!("large blocks are made by the last pass"),
        }
    }

    /// After its end a variable may get a new instance; where there is only one it does not.
    fn reborn(&mut self, number: i128) -> Vec<Step> {
        match self.cx.objects.get(number).several {
            Some(_) => self.born(number),
            None => Vec::new(),
        }
    }

    fn marked(&self, place: PlaceId) -> Option<VarId> {
        match self.make.program.places[place].kind {
            PlaceKind::Var(var) if self.cx.marks.contains_key(&var) => Some(var),
            _ => None,
        }
    }

    /// An access that was marked.
    fn access(&mut self, var: VarId, address: ExprId) -> Vec<Step> {
        let mark = self.cx.marks[&var];
        let mut steps = Vec::new();
        if self.cx.written.is_some() {
            steps.extend(self.watched(var, &mark, address));
        }
        if WATCHED.iter().any(|property| self.cx.property.includes(*property)) {
            let pointer = self.make.pointer(address);
            let (offset, size) =
                (self.make.bytes(mark.offset.into()), self.make.bytes(mark.size.into()));
            let offset = self.make.arithmetic(BinOp::Add, pointer.offset, offset);
            let pointer = Pointer { offset, ..pointer };
            let write = mark.role != Role::Read;
            let fine = self.make.may_access(self.cx.property, &pointer, size, write);
            let does = if write { "writes" } else { "reads" };
            steps.extend(self.require(fine, Undefined::OutOfBounds, mark.span, does));
        }
        steps.push(Step::Do(Instr::Skip));
        steps
    }

    /// Refuses everything else, unless it is plain that the condition holds.
    pub fn require(
        &mut self,
        fine: ExprId,
        kind: Undefined,
        span: Span,
        does: &str,
    ) -> Option<Step> {
        if self.make.value(fine) == Some(1) {
            return None;
        }
        let text = quote(self.make.program, span, "an access");
        let what = match kind {
            Undefined::Uninitialised => "was never written",
            _ => "it must not",
        };
        let message = format!("{text} {does} what {what}, or what is not known");
        let property = self.cx.property;
        let violation = Violation { property, undefined: Some(kind), span, message };
        Some(Step::Refuse(self.make.not(fine), violation))
    }

    fn call(&mut self, id: EdgeId, call: &Call, to: LocId) -> Vec<Step> {
        let mut steps = Vec::new();
        if let Callee::Builtin(builtin) = call.callee {
            return library::call(self, id, call, builtin);
        }
        if let Callee::Pointer(pointer) = call.callee {
            steps.extend(self.called(pointer));
        }
        let is_error = |target: &ProcId| self.make.program.procs[*target].is_error;
        if self.cx.calls.targets(self.proc, id).iter().any(is_error) {
            steps.extend(self.nothing_lost(&BTreeSet::new()));
        }
        for target in self.cx.calls.targets(self.proc, id) {
            for (number, param) in
                self.make.program.procs[*target].params.clone().into_iter().enumerate()
            {
                let Some(given) = self.cx.ghosts.given(param) else { continue };
                let value = match argument(self.make.program, call, number) {
                    Some(value) => self.make.pointer(value),
                    None => self.make.constant(UNKNOWN),
                };
                steps.extend(self.keep(given, value));
            }
        }
        let mut waiting = self.live_at(to);
        if let Some(result) =
            call.result.and_then(|place| self.cx.flow.var(self.make.program, place))
        {
            waiting.remove(&result);
        }
        steps.extend(self.while_waiting(&waiting, BinOp::Add));
        steps.push(Step::Do(self.rewritten(call)));
        steps.extend(self.while_waiting(&waiting, BinOp::Sub));
        if let Some(pair) = call.result.and_then(|place| self.followed(place)) {
            let value = match result_of(self.make.program, &self.cx.calls, self.proc, id) {
                Some(result) => self.make.of_var(result),
                None => self.make.constant(UNKNOWN),
            };
            steps.extend(self.set(pair, value));
        }
        steps
    }

    /// What is called is a function of the right type.
    fn called(&mut self, pointer: ExprId) -> Option<Step> {
        if !self.cx.property.includes(Property::ValidDeref) {
            return None;
        }
        let seen = self.make.program.types.inner(self.make.program.exprs[pointer].ty);
        let p = self.make.pointer(pointer);
        let mut fine = self.make.truth(false);
        for (proc, number) in self.cx.objects.functions() {
            let own = self.make.program.procs[proc].signature;
            let types = &self.make.program.types;
            let fits = matches!(seen, Some(Type::Function(seen)) if types.compatible_signatures(seen, own));
            if fits && p.ids.contains(&number) {
                let (is_it, zero) = (self.make.is(p.object, number), self.make.bytes(0));
                let at_start = self.make.compare(BinOp::Eq, p.offset, zero);
                let own = self.make.and(is_it, at_start);
                fine = self.make.or(fine, own);
            }
        }
        let span = self.make.program.exprs[pointer].span;
        self.require(fine, Undefined::BadCall, span, "calls")
    }

    /// A call with its operands rewritten.
    pub fn rewritten(&mut self, call: &Call) -> Instr {
        let callee = match call.callee {
            Callee::Pointer(pointer) => Callee::Pointer(self.make.expr(pointer)),
            other => other,
        };
        let args = call.args.iter().map(|arg| self.make.expr(*arg)).collect();
        let result = call.result.map(|place| self.make.place(place));
        Instr::Call(Call { result, callee, args, site: call.site })
    }

    /// The ghosts of a place, if it is a variable that is followed.
    pub fn followed(&self, place: PlaceId) -> Option<Pair> {
        let var = self.cx.flow.var(self.make.program, place)?;
        Some(self.cx.ghosts.of(var))
    }

    /// A pointer that has just been computed becomes a variable's value: it is not far away, or else
    /// not known.
    pub fn keep(&mut self, pair: Pair, mut p: Pointer) -> Vec<Step> {
        let far = self.make.is_far(&p);
        if !self.cx.property.is_about_memory() {
            if self.make.value(far) != Some(0) {
                let unknown = self.make.number(UNKNOWN);
                p.object = self.make.choice(far, unknown, p.object);
                p.ids.insert(UNKNOWN);
            }
            return self.set(pair, p);
        }
        let fine = self.make.not(far);
        let refused = self.require(fine, Undefined::OutOfBounds, self.make.span, "points to");
        let mut steps: Vec<Step> = refused.into_iter().collect();
        steps.extend(self.set(pair, p));
        steps
    }

    /// Offsets are of interest in objects of the program only, and 0 elsewhere.
    pub fn set(&mut self, pair: Pair, p: Pointer) -> Vec<Step> {
        let mut offset = p.offset;
        let plain =
            matches!(self.make.program.exprs[offset].kind, ExprKind::Int(_) | ExprKind::Load(_));
        if !plain && p.ids.iter().any(|id| *id <= 0) {
            let none = self.make.number(0);
            let followed = self.make.compare(BinOp::Gt, p.object, none);
            let zero = self.make.bytes(0);
            offset = self.make.choice(followed, offset, zero);
        }
        let offset = self.make.over(offset, pair.unit);
        let offset = offset.expect("offsets are made of multiples of the variable's unit");
        let simple =
            matches!(self.make.program.exprs[p.object].kind, ExprKind::Int(_) | ExprKind::Load(_));
        if simple {
            // The offset may depend on the old object, but not the object on the old offset.
            return vec![self.assign(pair.offset, offset), self.assign(pair.object, p.object)];
        }
        let kept = ghost(self.make.program, "offset", OFFSET, Some(self.proc));
        let mut steps = vec![self.assign(kept, offset), self.assign(pair.object, p.object)];
        let offset = self.make.load(kept);
        steps.push(self.assign(pair.offset, offset));
        steps
    }

    pub fn flag(&mut self, var: VarId, value: bool) -> Step {
        let value = self.make.truth(value);
        self.assign(var, value)
    }

    pub fn assign(&mut self, var: VarId, value: ExprId) -> Step {
        let place = self.make.program.var_place(var, self.make.span);
        Step::Do(Instr::Assign(place, value))
    }
}
