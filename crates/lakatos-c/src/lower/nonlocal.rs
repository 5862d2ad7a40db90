//! `setjmp` and `longjmp` (C11 7.13) as ordinary control flow.
//!
//! - Each call of `setjmp` gets a number. It is stored where the buffer begins, and in a variable of
//!   the function that calls `setjmp`.
//! - `longjmp` reads the number from the buffer and stores it in a hidden variable, the *target*.
//!   Then its function returns.
//! - After each call that may end in this way the caller looks at the target. If it is the number of
//!   one of its own calls of `setjmp`, control goes there. Otherwise the caller returns, too.
//! - A target that reaches the start of the program is no call of `setjmp` whose function is still
//!   active: undefined, and nothing is known after it.
//!
//! What an automatic variable that is not volatile holds after the jump is not known if it was changed
//! since `setjmp` (C11 7.13.2.1p3): a mark says whether it was. A change through a pointer sets no
//! mark; that such a variable keeps its value is an assumption that the verdict names.

use lakatos_ir::library::LibraryRole;
use lakatos_ir::walk::{self, Node};
use lakatos_ir::{
    BinOp, Builtin, Call, Callee, Decision, Diagnostic, ExprId, ExprKind as Ir, Id, InputKind,
    Instr, IntType, LocId, PlaceId, PlaceKind, ProcId, Signature, Span, Type, VarId, VarKind,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Lower;
use super::call::Site;
use super::graph::NOWHERE;
use super::jump::Spot;
use crate::ast::{DeclId, DeclKind, ExprKind, Unit};
use crate::models;
use crate::types::Ty;

pub(super) fn is_setjmp(name: &str) -> bool {
    matches!(name, "setjmp" | "_setjmp" | "__sigsetjmp" | "sigsetjmp")
}

pub(super) fn is_longjmp(name: &str) -> bool {
    matches!(name, "longjmp" | "_longjmp" | "siglongjmp" | "__longjmp_chk")
}

/// What is known of a program's jumps before it is lowered.
#[derive(Debug, Default)]
pub(super) struct Jumps {
    /// Functions with a body that may end by a jump to a function further out.
    may_jump: FxHashSet<DeclId>,
    /// How often a function names `setjmp`.
    setjmps: FxHashMap<DeclId, usize>,
    hidden: Option<Hidden>,
}

/// Hidden variables, in programs that jump.
#[derive(Clone, Copy, Debug)]
struct Hidden {
    /// How many calls of `setjmp` there were.
    count: VarId,
    /// The number of the call that a jump is on its way to; 0 if there is none.
    target: VarId,
    /// What that call gives.
    value: VarId,
}

/// A call of `setjmp` in the function at hand.
#[derive(Debug)]
pub(super) struct Landing {
    /// The number of the last call here; 0 before the first one.
    number: VarId,
    result: PlaceId,
    /// Between these two nothing has changed since the call.
    marks_at: (LocId, LocId),
    /// Where the call has its result.
    at: LocId,
    spot: Spot,
    /// The buffer, if it is a variable.
    buffer: Option<VarId>,
    span: Span,
}

/// Where a call has ended by a jump.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unwinding {
    from: LocId,
    spot: Spot,
    span: Span,
}

impl Jumps {
    /// A function that uses one that may jump may jump.
    fn close(&mut self, uses: &[(DeclId, DeclId)]) {
        loop {
            let before = self.may_jump.len();
            for (user, used) in uses {
                if self.may_jump.contains(used) {
                    self.may_jump.insert(*user);
                }
            }
            if self.may_jump.len() == before {
                return;
            }
        }
    }
}

/// The functions with a body, in the order of the text.
struct Owners(Vec<(Span, DeclId)>);

impl Owners {
    fn new(unit: &Unit) -> Owners {
        let body = |&decl: &DeclId| match &unit.decls[decl].kind {
            DeclKind::Function(function) => Some((function.body.as_ref()?.span, decl)),
            DeclKind::Object(_) => None,
        };
        let mut bodies: Vec<_> = unit.functions.iter().filter_map(body).collect();
        bodies.sort_by_key(|&(span, decl)| (span.start, decl));
        Owners(bodies)
    }

    /// The function in whose body this stands.
    fn of(&self, span: Span) -> Option<DeclId> {
        let behind = self.0.partition_point(|(body, _)| body.start <= span.start);
        let (body, decl) = self.0[behind.checked_sub(1)?];
        (span.start < body.end).then_some(decl)
    }
}

impl Lower<'_> {
    /// Finds the functions that a jump may leave.
    pub(super) fn find_jumps(&mut self) {
        let unit = self.unit;
        let owners = Owners::new(unit);
        let (mut uses, mut by_pointer) = (Vec::new(), Vec::new());
        let (mut jumps, mut has_longjmp) = (Jumps::default(), false);
        for (_, expr) in unit.exprs.iter() {
            if let ExprKind::Function(decl) = expr.kind {
                has_longjmp |= self.body(decl).is_none() && is_longjmp(unit.link_name(decl));
            }
            let Some(owner) = owners.of(expr.span) else { continue };
            match expr.kind {
                ExprKind::Function(decl) if self.body(decl).is_some() => uses.push((owner, decl)),
                ExprKind::Function(decl) => {
                    let name = unit.link_name(decl);
                    if is_setjmp(name) {
                        *jumps.setjmps.entry(owner).or_default() += 1;
                    } else if is_longjmp(name) {
                        jumps.may_jump.insert(owner);
                    }
                    // Another name of a function that is defined here, or one with a model.
                    let model = if name == "exit" { models::AT_EXIT } else { name };
                    let other = self.definition_of(decl, name).or_else(|| self.model_of(model));
                    uses.extend(other.map(|other| (owner, other)));
                }
                // It may mean any function.
                ExprKind::Call { callee, .. } if self.direct_callee(callee).is_none() => {
                    by_pointer.push(owner);
                }
                _ => {}
            }
        }
        // Functions that are called where the scope of a variable ends.
        for (_, decl) in unit.decls.iter() {
            if let DeclKind::Object(object) = &decl.kind {
                uses.extend(owners.of(decl.span).zip(object.cleanup));
            }
        }
        if has_longjmp {
            jumps.may_jump.extend(by_pointer);
            jumps.close(&uses);
            jumps.hidden = Some(self.hidden_of_jumps());
        }
        self.jumps = jumps;
    }

    /// Procedures that a jump may leave.
    pub(super) fn jumping_procedures(&self) -> Vec<ProcId> {
        let jumping = self.jumps.may_jump.iter();
        jumping.filter_map(|decl| self.procs[decl.index()]).collect()
    }

    fn hidden_of_jumps(&mut self) -> Hidden {
        let size = Type::Int(self.unit.types.model.size_type());
        let mut hidden =
            |ty| self.add_var(String::new(), ty, VarKind::Global, Span::default(), String::new());
        Hidden { count: hidden(size), target: hidden(size), value: hidden(Type::I32) }
    }

    /// At the beginning of a program: nothing is on its way.
    pub(super) fn start_jumps(&mut self, span: Span) {
        let Some(Hidden { count, target, value }) = self.jumps.hidden else { return };
        [count, target, value].into_iter().for_each(|var| self.clear(var, span));
    }

    fn clear(&mut self, var: VarId, span: Span) {
        let zero = self.zero(self.ir.vars[var].ty, span);
        let place = self.var_place(var, span);
        self.assign_place(place, zero, span);
    }

    /// Where a function begins: its calls of `setjmp` have no numbers yet.
    pub(super) fn prepare_landings(&mut self, decl: DeclId, span: Span) {
        if self.jumps.hidden.is_none() {
            return;
        }
        let size = Type::Int(self.unit.types.model.size_type());
        for _ in 0..self.jumps.setjmps.get(&decl).copied().unwrap_or(0) {
            let number = self.temp(size, span);
            self.clear(number, span);
            self.f.numbers.push(number);
        }
    }

    /// Whether a call may end by a jump.
    pub(super) fn may_jump(&self, callee: Callee) -> bool {
        let is_it = |proc: ProcId| {
            self.jumps.may_jump.iter().any(|decl| self.procs[decl.index()] == Some(proc))
        };
        match callee {
            Callee::Proc(proc) => is_it(proc),
            Callee::Pointer(_) => self.jumps.hidden.is_some(),
            Callee::Builtin(_) => false,
        }
    }

    /// After a call that may have ended by a jump.
    pub(super) fn look_for_jump(&mut self, span: Span) {
        let Some(Hidden { target, .. }) = self.jumps.hidden else { return };
        let (jumps, goes_on) = (self.fresh(), self.fresh());
        let target = self.load_var(target, span);
        let is_under_way = self.truth_of(target);
        self.split(is_under_way, jumps, goes_on, span);
        self.f.unwindings.push(Unwinding { from: jumps, spot: self.spot(), span });
        self.f.at = goes_on;
    }

    /// A jump that comes to the start of the program has nowhere to go.
    pub(super) fn lose_jumps(&mut self) {
        for Unwinding { from, span, .. } in std::mem::take(&mut self.f.unwindings) {
            self.f.at = from;
            self.lose_jump(span);
        }
    }

    /// A jump to no active call of `setjmp`: nothing is known from here on.
    fn lose_jump(&mut self, span: Span) {
        let signature = Signature { result: Type::Void, params: Some(Vec::new()), variadic: false };
        let signature = self.make_signature(signature);
        let proc = self.add_proc("longjmp", signature, span);
        self.ir.procs[proc].library = Some(LibraryRole::LostJump);
        self.mention(proc);
        let callee = Callee::Proc(proc);
        self.emit(Instr::Call(Call { result: None, callee, args: Vec::new(), site: None }), span);
        self.end_run(Builtin::Unreachable, span);
    }

    /// Where the number stands in a buffer.
    fn number_in(&mut self, buffer: ExprId, span: Span) -> PlaceId {
        let size = Type::Int(self.unit.types.model.size_type());
        let pointer = self.pointer_to(size);
        let buffer = self.convert(buffer, pointer, span);
        let buffer = self.hold(buffer);
        self.new_place(PlaceKind::Deref(buffer), size, span)
    }

    /// `setjmp(buffer)`.
    pub(super) fn set_jump(&mut self, args: &[ExprId], site: Site) -> Option<ExprId> {
        let span = site.span;
        let Some(&buffer) = args.first().filter(|&&arg| self.is_pointer(arg)) else {
            return self.refuse_call("this call of `setjmp`", site);
        };
        let result = self.temp_place(Type::I32, span);
        let zero = self.zero(Type::I32, span);
        let Some(Hidden { count, .. }) = self.jumps.hidden else {
            // Nothing ever jumps here; the call still writes to the buffer.
            let number = self.number_in(buffer, span);
            let none = self.zero(self.ir.places[number].ty, span);
            self.assign_place(number, none, span);
            return self.give(zero, site);
        };
        let Some(number) = self.f.numbers.pop() else {
            return self.refuse_call("this call of `setjmp`", site);
        };
        let place = self.var_place(count, span);
        let size = self.unit.types.model.size_type();
        let (old, one) = (self.load(place, span), self.int(1, size, span));
        let next = self.binary(BinOp::Add, old, one, Type::Int(size), span);
        self.assign_place(place, next, span);
        let own = self.var_place(number, span);
        let count = self.load(place, span);
        self.assign_place(own, count, span);
        let stored = self.number_in(buffer, span);
        let count = self.load(place, span);
        self.assign_place(stored, count, span);
        self.assign_place(result, zero, span);
        let (marks_from, marks_to, at) = (self.fresh(), self.fresh(), self.fresh());
        self.join(marks_from, span);
        self.f.graph.revive(marks_to);
        self.f.at = marks_to;
        self.join(at, span);
        self.f.graph.revive(at);
        self.f.graph.mark_head(at);
        let marks_at = (marks_from, marks_to);
        let (spot, buffer) = (self.spot(), self.buffer_variable(buffer));
        let landing = Landing { number, result, marks_at, at, spot, buffer, span };
        self.f.landings.push(landing);
        let value = self.load(result, span);
        self.give(value, site)
    }

    fn buffer_variable(&self, buffer: ExprId) -> Option<VarId> {
        let Ir::AddrOf(place) = self.ir.exprs[buffer].kind else { return None };
        let whole = match self.ir.places[place].kind {
            PlaceKind::Index(array, _) => array,
            _ => place,
        };
        match self.ir.places[whole].kind {
            PlaceKind::Var(var) => Some(var),
            _ => None,
        }
    }

    fn is_pointer(&self, value: ExprId) -> bool {
        matches!(self.type_of(value), Type::Pointer(_))
    }

    /// `longjmp(buffer, value)`.
    pub(super) fn long_jump(&mut self, args: &[ExprId], site: Site) -> Option<ExprId> {
        let span = site.span;
        if self.interrupt.is_some() {
            // Which signals are blocked afterwards is not modelled.
            return self.refuse_call("`longjmp` in a program with handlers of signals", site);
        }
        let (Some(Hidden { target, value, .. }), &[buffer, given, ..]) = (self.jumps.hidden, args)
        else {
            return self.refuse_call("this call of `longjmp`", site);
        };
        if !self.is_pointer(buffer) || !matches!(self.type_of(given), Type::Int(_)) {
            return self.refuse_call("this call of `longjmp`", site);
        }
        let given = self.convert(given, Type::I32, span);
        let given = self.hold(given);
        let stored = self.number_in(buffer, span);
        let number = self.load(stored, span);
        let place = self.var_place(target, span);
        self.assign_place(place, number, span);
        // 0 becomes 1 (C11 7.13.2.1p4).
        let one = self.int(1, IntType::I32, span);
        let truth = self.truth_of(given);
        let gives = self.expr(Ir::Ite(truth, given, one), Type::I32, span);
        let place = self.var_place(value, span);
        self.assign_place(place, gives, span);
        self.look_for_jump(span);
        self.lose_jump(span);
        self.f.at = NOWHERE;
        None
    }

    /// The edges of all jumps through this function, once it is known where they may land.
    pub(super) fn resolve_jumps(&mut self) {
        let landings = std::mem::take(&mut self.f.landings);
        let unwindings = std::mem::take(&mut self.f.unwindings);
        let Some(Hidden { target, .. }) = self.jumps.hidden else { return };
        if landings.is_empty() && unwindings.is_empty() {
            return;
        }
        if let Some(unwinding) = unwindings.first()
            && !self.is_known_to_jump()
        {
            // Its callers would go on as if nothing had happened.
            self.unsupported(unwinding.span, "a jump out of this function");
        }
        let written = self.written_after(&landings);
        let flow = JumpFlow {
            landings: landings.iter().map(|landing| landing.at).collect(),
            unwindings: unwindings.iter().map(|unwinding| unwinding.from).collect(),
        };
        let marks: Vec<Vec<Mark>> =
            landings.iter().map(|l| self.mark_writes(l, &written, &flow)).collect();
        let arrivals: Vec<LocId> = landings.iter().map(|_| self.fresh()).collect();
        for Unwinding { from, spot, span } in unwindings {
            self.f.at = from;
            for (landing, &arrival) in landings.iter().zip(&arrivals) {
                let (here, on) = (self.fresh(), self.fresh());
                let wanted = self.load_var(target, span);
                let own = self.load_var(landing.number, span);
                let is_here = self.binary(BinOp::Eq, wanted, own, Type::BOOL, span);
                self.split(is_here, here, on, span);
                self.f.at = here;
                if !self.f.cleanups.is_empty() {
                    self.unsupported(span, "`longjmp` in a function with a cleanup");
                }
                // What is not alive any more has a value that C leaves open.
                self.pass(spot, landing.spot, InputKind::Assembly, span);
                self.jump(arrival, span);
                self.f.at = on;
            }
            // The value is never looked at.
            let result = self.ir.procs[self.f.proc].result.map(|var| self.ir.vars[var].ty);
            let value = result.map(|ty| self.zero(ty, span));
            self.return_value(value, span);
        }
        for ((landing, arrival), marks) in landings.iter().zip(arrivals).zip(marks) {
            self.land(landing, arrival, &marks);
        }
    }

    /// The callers of the function at hand look for jumps.
    fn is_known_to_jump(&self) -> bool {
        let is_forwarder = self.ir.procs[self.f.proc].library == Some(LibraryRole::Forwarder);
        is_forwarder || self.may_jump(Callee::Proc(self.f.proc))
    }

    /// Gives each variable that may be changed after this call of `setjmp` a mark, which a change sets.
    fn mark_writes(
        &mut self,
        landing: &Landing,
        written: &FxHashSet<VarId>,
        flow: &JumpFlow,
    ) -> Vec<Mark> {
        let mut visible: Vec<VarId> = self.visible_from(landing.spot).into_iter().collect();
        visible.sort_unstable();
        visible.dedup();
        visible.retain(|&var| {
            written.contains(&var)
                && landing.buffer != Some(var)
                && !self.is_volatile(var)
                && self.is_read_after(landing.at, var, flow)
        });
        visible.into_iter().map(|var| self.mark(var, landing.span)).collect()
    }

    /// A variable may be read before it is written as a whole.
    fn is_read_after(&self, start: LocId, var: VarId, flow: &JumpFlow) -> bool {
        if self.ir.vars[var].address_taken {
            return true;
        }
        let is_var =
            |place: PlaceId| matches!(self.ir.places[place].kind, PlaceKind::Var(v) if v == var);
        let mut is_read = false;
        let mut see = |node: Node| is_read |= matches!(node, Node::Place(place) if is_var(place));
        self.f.graph.each_reached_until(&[start], flow, |instr| {
            let operands = walk::operands(instr).into_iter();
            operands.for_each(|e| walk::walk(&self.ir, Node::Expr(e), &mut see));
            let place = walk::written(instr);
            let is_whole = place.is_some_and(is_var);
            if let Some(place) = place.filter(|_| !is_whole) {
                walk::walk(&self.ir, Node::Place(place), &mut see);
            }
            is_whole
        });
        is_read
    }

    fn mark(&mut self, var: VarId, span: Span) -> Mark {
        let mark = self.temp(Type::BOOL, span);
        for (loc, next) in self.f.graph.divide_after(|instr| {
            let place = walk::written(instr);
            place.is_some_and(|place| self.ir.root(place) == Some(var))
        }) {
            self.f.at = loc;
            self.set_mark(mark, true, span);
            self.jump(next, span);
        }
        Mark { var, mark }
    }

    fn set_mark(&mut self, mark: VarId, value: bool, span: Span) {
        let value = self.int(value.into(), IntType::BOOL, span);
        let place = self.var_place(mark, span);
        self.assign_place(place, value, span);
    }

    /// The call of `setjmp` gives its value once more.
    fn land(&mut self, landing: &Landing, arrival: LocId, marks: &[Mark]) {
        let Some(Hidden { target, value, .. }) = self.jumps.hidden else { return };
        let span = landing.span;
        let (marks_from, marks_to) = landing.marks_at;
        self.f.at = marks_from;
        for mark in marks {
            self.set_mark(mark.mark, false, span);
        }
        self.jump(marks_to, span);
        self.f.at = arrival;
        let given = self.load_var(value, span);
        self.assign_place(landing.result, given, span);
        self.clear(target, span);
        for mark in marks {
            self.forget_if_changed(mark, span);
        }
        self.jump(landing.at, span);
        let mut visible = self.visible_from(landing.spot).into_iter();
        let changes_unseen = |var: &VarId| {
            (self.ir.vars[*var].address_taken || self.is_sized_by_run(*var))
                && landing.buffer != Some(*var)
                && !self.is_volatile(*var)
        };
        if visible.any(|var| changes_unseen(&var)) {
            let message = "what is changed through its address between `setjmp` and `longjmp`, and \
                           is not `volatile`, is taken to keep its value";
            let warning = Diagnostic::warning(span, message);
            self.warnings.push(warning.decision(Decision::NonlocalJump));
        }
    }

    /// A variable that was changed since `setjmp` has any value.
    fn forget_if_changed(&mut self, &Mark { var, mark }: &Mark, span: Span) {
        let is_changed = self.load_var(mark, span);
        let (forget, keep) = (self.fresh(), self.fresh());
        self.split(is_changed, forget, keep, span);
        self.f.at = forget;
        let place = self.var_place(var, span);
        let name = self.ir.vars[var].name.clone();
        self.havoc(place, InputKind::Assembly, name, span);
        self.join(keep, span);
    }

    /// Variables in whose scope a spot is, parameters included.
    fn visible_from(&self, spot: Spot) -> Vec<VarId> {
        let params = self.ir.procs[self.f.proc].params.iter().copied();
        params.chain(self.declared_before(spot)).collect()
    }

    /// The type that a variable is declared with.
    fn declared_type(&self, var: VarId) -> Option<Ty> {
        let decl = self.vars.iter().position(|&known| known == Some(var))?;
        Some(self.unit.decls[DeclId::from_index(decl)].ty)
    }

    /// The variable is the pointer to an array of variable length.
    fn is_sized_by_run(&self, var: VarId) -> bool {
        self.declared_type(var).is_some_and(|ty| self.unit.types.is_variably_sized(ty))
    }

    /// The object is volatile as a whole.
    fn is_volatile(&self, var: VarId) -> bool {
        let Some(mut ty) = self.declared_type(var) else { return false };
        let types = &self.unit.types;
        while let Some(element) = types.element(ty) {
            ty = element;
        }
        types.quals(ty).is_volatile
    }

    /// Variables that instructions after a call of `setjmp` write by their names.
    fn written_after(&self, landings: &[Landing]) -> FxHashSet<VarId> {
        let starts: Vec<LocId> = landings.iter().map(|landing| landing.at).collect();
        let mut written = FxHashSet::default();
        let flow = JumpFlow { landings: Vec::new(), unwindings: Vec::new() };
        self.f.graph.each_reached_until(&starts, &flow, |instr| {
            written.extend(walk::written(instr).and_then(|place| self.ir.root(place)));
            false
        });
        written
    }
}

/// How control goes on in a function where a call has ended by a jump.
pub(super) struct JumpFlow {
    /// Where calls of `setjmp` have their results.
    pub landings: Vec<LocId>,
    /// Where calls have ended by jumps, which may go to any of these.
    pub unwindings: Vec<LocId>,
}

/// A variable, and whether it was changed.
#[derive(Clone, Copy)]
struct Mark {
    var: VarId,
    mark: VarId,
}
