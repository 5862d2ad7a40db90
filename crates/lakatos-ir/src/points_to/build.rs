//! From a program to constraints: only what can be reached from the start, call by call.
//!
//! Where values come from (DESIGN.md section 3, `docs/semantics.md`):
//!
//! - An integer that is made a pointer points to an object whose address was made an integer
//!   before (it is *exposed*), or to memory outside. The same holds for a pointer that is read
//!   from memory where integers were written, or nothing. Null points to nothing.
//! - A pointer that is read from volatile memory may be any: then the address of every object that
//!   is taken counts as exposed.
//! - External functions know what pointers among their arguments reach. They may store there, and
//!   return, any pointer that an external function knows, and pointers to memory outside.
//! - A function that allocates for others is looked at once for each call of it ([`heap`]).
//!
//! [`heap`]: super::heap

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::access::{Mode, Pieces, Touch, Unit, What};
use super::call::Site;
use super::heap::Heap;
use super::layout::Layouts;
use super::object::{Object, ObjectId, Origin, Shift, Target};
use super::offsets::Offsets;
use super::solver::{NodeId, Solver, Use};
use crate::expr::{ExprId, ExprKind, PlaceId, PlaceKind};
use crate::interpret::{Accessor, variables_in_memory};
use crate::program::{Call, EdgeId, InputKind, Instr, ProcId, Program, Sharing, SiteId, VarId};
use crate::ty::{Field, Type};
use crate::walk::{self, Node};

/// Which call of a function that allocates for others is meant; 0 for all other functions.
pub(super) type Context = u32;

#[derive(Clone, Debug)]
pub(super) enum Argument {
    /// A scalar; the set of what it points to.
    Scalar(NodeId),
    /// An aggregate; where it may be copied from.
    Aggregate(Vec<NodeId>),
}

/// Whether what is there is wanted, or only the address (one past the end of an array will do).
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Access,
    Address,
}

/// How much memory is asked for.
#[derive(Clone, Copy)]
pub(super) struct Size {
    /// If it is always the same.
    pub bytes: Option<u64>,
    /// Always a multiple of the size of a pointer.
    pub whole_words: bool,
}

pub(super) struct Builder<'p> {
    pub program: &'p Program,
    pub solver: Solver,
    layouts: Layouts<'p>,
    pub(super) heap: Heap<'p>,
    pub in_memory: Vec<bool>,
    /// The empty set.
    pub(super) nothing: NodeId,
    slots: FxHashMap<(Context, VarId), NodeId>,
    pub exprs: FxHashMap<(Context, ExprId), NodeId>,
    pub(super) contexts: Vec<Vec<(ProcId, EdgeId)>>,
    pub context_of: FxHashMap<(Context, ProcId, EdgeId, ProcId), Context>,
    seen: FxHashSet<(Context, ProcId)>,
    todo: Vec<(Context, ProcId)>,
    pub(super) sites: Vec<Site>,
    pub pieces: Pieces,
    pub touches: IndexMap<Accessor, Touch, FxBuildHasher>,
    /// Calls of procedures without a body.
    pub externals: Vec<super::call::External>,
    /// A pointer that is read from volatile memory may be any.
    any_pointer: bool,
}

impl<'p> Builder<'p> {
    pub fn new(program: &'p Program) -> Self {
        let mut solver = Solver::new();
        let nothing = solver.node();
        let mut builder = Builder {
            program,
            solver,
            layouts: Layouts::new(&program.types),
            heap: Heap::new(program),
            in_memory: variables_in_memory(program),
            nothing,
            slots: FxHashMap::default(),
            exprs: FxHashMap::default(),
            contexts: vec![Vec::new()],
            context_of: FxHashMap::default(),
            seen: FxHashSet::default(),
            todo: Vec::new(),
            sites: Vec::new(),
            pieces: Pieces::default(),
            touches: IndexMap::default(),
            externals: Vec::new(),
            any_pointer: gives_any_pointer(program),
        };
        builder.solver.foreign = program.foreign;
        let outside = builder.outside();
        builder.solver.include(outside, builder.solver.escaped);
        for (&var, sharing) in &program.shared {
            match sharing {
                Sharing::Reads => builder.read_outside(var),
                Sharing::ReadsAndWrites => {
                    let address = builder.address_of_var(var);
                    builder.solver.include(address, builder.solver.escaped);
                }
            }
        }
        builder
    }

    /// Code in other files can find what the variable points to.
    fn read_outside(&mut self, var: VarId) {
        let escaped = self.solver.escaped;
        match self.in_memory[var.0 as usize] {
            true => {
                let address = self.address_of_var(var);
                self.solver.add_use(address, Use::Reveal);
            }
            false => {
                let slot = self.slot(0, var);
                self.solver.include(slot, escaped);
            }
        }
    }

    /// Adds everything that the start reaches, and solves as far as that is needed to know.
    pub fn solve(&mut self) {
        self.enter(0, self.program.start);
        loop {
            while let Some((context, proc)) = self.todo.pop() {
                self.body(context, proc);
            }
            self.solver.run();
            let called = std::mem::take(&mut self.solver.called);
            for (site, proc) in called {
                self.reach(site, proc);
            }
            if self.todo.is_empty() && !self.solver.has_work() && !self.expose() {
                return;
            }
        }
    }

    /// The procedures that the edges of a procedure may call.
    pub fn targets(&self) -> impl Iterator<Item = (ProcId, EdgeId, &[ProcId])> + '_ {
        self.sites.iter().map(|site| (site.proc, site.edge, site.targets.as_slice()))
    }

    pub fn reached(&self) -> impl Iterator<Item = ProcId> + '_ {
        self.seen.iter().map(|&(_, proc)| proc)
    }

    /// The calls that lead to each context.
    pub fn chains(&mut self) -> Vec<Vec<(ProcId, EdgeId)>> {
        std::mem::take(&mut self.contexts)
    }

    pub(super) fn enter(&mut self, context: Context, proc: ProcId) {
        if self.seen.insert((context, proc)) {
            self.todo.push((context, proc));
        }
    }

    fn body(&mut self, context: Context, proc: ProcId) {
        let program = self.program;
        let Some(body) = &program.procs[proc].body else { return };
        for (id, edge) in body.edges.iter() {
            for step in walk::steps(&edge.instr) {
                self.instr(context, proc, id, step);
            }
        }
    }

    fn instr(&mut self, context: Context, proc: ProcId, edge: EdgeId, instr: &'p Instr) {
        match instr {
            Instr::Skip | Instr::Dead(_) | Instr::Return(None) | Instr::Block(_) => {}
            Instr::Assume(condition) => {
                self.expr(context, *condition);
            }
            Instr::Assign(place, value) => {
                let value = self.argument(context, *value);
                self.assign(context, *place, &value);
            }
            Instr::Return(Some(value)) => {
                let value = self.argument(context, *value);
                if let Some(result) = self.program.procs[proc].result {
                    self.give(context, result, &value);
                }
            }
            Instr::Havoc(place, site) => self.havoc(context, *place, *site),
            Instr::Call(call) => self.call(context, proc, edge, call),
        }
    }

    /// A value on its way.
    pub(super) fn argument(&mut self, context: Context, expr: ExprId) -> Argument {
        match self.program.exprs[expr].ty.is_aggregate() {
            true => {
                let mut sources = Vec::new();
                self.sources(context, expr, &mut sources);
                Argument::Aggregate(sources)
            }
            false => Argument::Scalar(self.expr(context, expr)),
        }
    }

    /// The addresses that an aggregate may be copied from.
    fn sources(&mut self, context: Context, expr: ExprId, found: &mut Vec<NodeId>) {
        match self.program.exprs[expr].kind {
            ExprKind::Load(place) => {
                let address = self.address(context, place, Purpose::Access);
                self.touch_place(place, address, Mode::READ);
                found.push(address);
            }
            ExprKind::Ite(condition, yes, no) => {
                self.expr(context, condition);
                self.sources(context, yes, found);
                self.sources(context, no, found);
            }
            _ => {
                self.expr(context, expr);
            }
        }
    }

    pub(super) fn assign(&mut self, context: Context, place: PlaceId, value: &Argument) {
        if let Some(var) = self.plain(place) {
            return self.give(context, var, value);
        }
        let address = self.address(context, place, Purpose::Access);
        self.touch_place(place, address, Mode::WRITE);
        self.store(address, self.program.places[place].ty, value);
    }

    fn store(&mut self, address: NodeId, ty: Type, value: &Argument) {
        match value {
            Argument::Scalar(value) if matches!(ty, Type::Pointer(_)) => {
                self.solver.add_use(address, Use::Store(*value));
            }
            Argument::Scalar(_) => {}
            Argument::Aggregate(sources) => {
                let length = Some(self.program.types.size(ty));
                for &source in sources {
                    self.solver.copy_range(source, address, length);
                }
            }
        }
    }

    /// Gives a variable a value: a parameter, a result, or a plain one.
    pub(super) fn give(&mut self, context: Context, var: VarId, value: &Argument) {
        if self.in_memory[var.0 as usize] {
            let address = self.address_of_var(var);
            let what = self.what(self.program.vars[var].ty, None);
            self.touch(Accessor::Var(var), address, what, Mode::WRITE);
            return self.store(address, self.program.vars[var].ty, value);
        }
        if let Argument::Scalar(value) = value
            && *value != self.nothing
        {
            let slot = self.slot(context, var);
            self.solver.include(*value, slot);
        }
    }

    fn havoc(&mut self, context: Context, place: PlaceId, site: SiteId) {
        let site = &self.program.sites[site];
        // What is uninitialised points to nothing, or to what is exposed (see `load`); but the
        // arguments of `main` point to something.
        let outside = site.kind != InputKind::Uninitialised || site.proc == self.program.start;
        let value = match site.kind {
            // Another file's pointers may point to whatever such files can find.
            InputKind::External => self.solver.escaped,
            InputKind::Volatile => self.anything(),
            _ if outside => self.outside(),
            _ => self.nothing,
        };
        self.give_unknown(context, place, value);
    }

    /// The place gets a value of which only what it may point to is known.
    pub(super) fn give_unknown(&mut self, context: Context, place: PlaceId, value: NodeId) {
        let ty = self.program.places[place].ty;
        if ty.is_scalar() {
            return self.assign(context, place, &Argument::Scalar(value));
        }
        let address = self.address(context, place, Purpose::Access);
        self.touch_place(place, address, Mode::WRITE);
        if value != self.nothing {
            self.solver.add_use(address, Use::Scatter(value));
        }
    }

    /// The variable, if the place is all of a plain one.
    fn plain(&self, place: PlaceId) -> Option<VarId> {
        match self.program.places[place].kind {
            PlaceKind::Var(var) if !self.in_memory[var.0 as usize] => Some(var),
            _ => None,
        }
    }

    pub(super) fn slot(&mut self, context: Context, var: VarId) -> NodeId {
        let context = if self.program.vars[var].kind.frame().is_some() { context } else { 0 };
        let solver = &mut self.solver;
        *self.slots.entry((context, var)).or_insert_with(|| solver.node())
    }

    /// The set of what an expression points to; what it evaluates on the way is seen to.
    pub(super) fn expr(&mut self, context: Context, expr: ExprId) -> NodeId {
        if let Some(&node) = self.exprs.get(&(context, expr)) {
            return node;
        }
        let node = self.new_expr(context, expr);
        self.exprs.insert((context, expr), node);
        node
    }

    fn new_expr(&mut self, context: Context, expr: ExprId) -> NodeId {
        let program = self.program;
        let data = &program.exprs[expr];
        let is_pointer = matches!(data.ty, Type::Pointer(_));
        match data.kind {
            ExprKind::Load(place) => self.load(context, place),
            ExprKind::AddrOf(place) => {
                let address = self.address(context, place, Purpose::Address);
                self.taken(address)
            }
            ExprKind::Function(proc) => {
                let object = self.function(proc);
                let location = self.solver.objects.start(object);
                let address = self.solver.constant(location);
                self.taken(address)
            }
            ExprKind::PtrAdd(base, count) => {
                let base = self.expr(context, base);
                self.expr(context, count);
                self.pointer_plus(base, count, data.ty)
            }
            ExprKind::Cast(from) => {
                let value = self.expr(context, from);
                let from_pointer = matches!(program.exprs[from].ty, Type::Pointer(_));
                match (from_pointer, is_pointer) {
                    (true, true) => value,
                    (true, false) => {
                        self.solver.expose(value);
                        self.nothing
                    }
                    (false, true) => self.integer_as_pointer(from),
                    (false, false) => self.nothing,
                }
            }
            ExprKind::Ite(condition, yes, no) => {
                self.expr(context, condition);
                let (yes, no) = (self.expr(context, yes), self.expr(context, no));
                if !is_pointer {
                    return self.nothing;
                }
                let both = self.solver.node();
                self.solver.include(yes, both);
                self.solver.include(no, both);
                both
            }
            ref kind => {
                for part in walk::parts(kind) {
                    if let Node::Expr(part) = part {
                        self.expr(context, part);
                    }
                }
                self.nothing
            }
        }
    }

    /// An address that the program takes, which volatile memory may give.
    fn taken(&mut self, address: NodeId) -> NodeId {
        if self.any_pointer {
            self.solver.expose(address);
        }
        address
    }

    fn load(&mut self, context: Context, place: PlaceId) -> NodeId {
        let is_pointer = matches!(self.program.places[place].ty, Type::Pointer(_));
        match self.plain(place) {
            Some(var) if is_pointer => return self.slot(context, var),
            Some(_) => return self.nothing,
            None => {}
        }
        let address = self.address(context, place, Purpose::Access);
        self.touch_place(place, address, Mode::READ);
        if !is_pointer {
            return self.nothing;
        }
        let value = self.solver.node();
        self.solver.add_use(address, Use::Load(value));
        self.solver.include(self.solver.exposed, value);
        value
    }

    fn integer_as_pointer(&mut self, from: ExprId) -> NodeId {
        let value = self.solver.node();
        self.solver.include(self.solver.exposed, value);
        // A constant is the address of nothing, unless it happens to be that of something exposed.
        if !matches!(self.program.exprs[from].kind, ExprKind::Int(_)) {
            let outside = self.outside();
            self.solver.include(outside, value);
        }
        value
    }

    fn pointer_plus(&mut self, base: NodeId, count: ExprId, ty: Type) -> NodeId {
        let types = &self.program.types;
        let size = types.size(types.inner(ty).unwrap_or(Type::Void));
        match self.program.exprs[count].kind {
            _ if size == 0 => base,
            ExprKind::Int(0) => base,
            ExprKind::Int(count) => {
                let count = types.model.diff_type().wrap(count);
                let by = Offsets::at(count * i128::from(size));
                self.solver.shifted(base, Shift::Along { by, unit: size })
            }
            _ => self.solver.shifted(base, Shift::Multiples(size)),
        }
    }

    /// Where a place is.
    fn address(&mut self, context: Context, place: PlaceId, purpose: Purpose) -> NodeId {
        let program = self.program;
        let (mut offsets, mut fields) = (Offsets::at(0), 0);
        let mut at = place;
        let root = loop {
            match program.places[at].kind {
                PlaceKind::Var(var) => break self.address_of_var(var),
                PlaceKind::Deref(pointer) => break self.expr(context, pointer),
                PlaceKind::Field(base, number) => {
                    if let Some(field) = self.field(base, number) {
                        offsets = offsets.plus(&Offsets::at(field.offset.into()));
                        fields += field.offset;
                    }
                    at = base;
                }
                PlaceKind::Index(base, index) => {
                    self.expr(context, index);
                    let elements = self.elements(base, index, purpose);
                    offsets = offsets.plus(&elements);
                    at = base;
                }
            }
        };
        match (offsets.single(), purpose) {
            (Some(0), _) => root,
            (_, Purpose::Access) => self.solver.shifted(root, Shift::By(offsets)),
            (_, Purpose::Address) => {
                self.solver.shifted(root, Shift::Place { by: offsets, fields })
            }
        }
    }

    /// The offsets of the elements that an index may mean.
    fn elements(&self, array: PlaceId, index: ExprId, purpose: Purpose) -> Offsets {
        let types = &self.program.types;
        let Type::Array(element, length) = self.program.places[array].ty else {
            return Offsets::at(0);
        };
        let size = types.size(types.get(element));
        if let ExprKind::Int(index) = self.program.exprs[index].kind {
            return Offsets::at(index.saturating_mul(size.into()));
        }
        let past = u64::from(purpose == Purpose::Address);
        let mut offsets = Offsets::at(0);
        offsets.add_steps(size, length.map(|length| length.saturating_add(past)));
        offsets
    }

    fn field(&self, record: PlaceId, number: u32) -> Option<&'p Field> {
        match self.program.places[record].ty {
            Type::Record(id) => self.program.types.records[id].fields.get(number as usize),
            _ => None,
        }
    }

    pub(super) fn address_of_var(&mut self, var: VarId) -> NodeId {
        let origin = Origin::Var(var);
        let object = match self.solver.objects.get(&origin) {
            Some(object) => object,
            None => {
                let ty = self.program.vars[var].ty;
                let layout = self.layouts.of_type(ty);
                let size = self.program.types.size(ty);
                let whole_words = size.is_multiple_of(self.program.types.model.pointer_bytes());
                let size = Some(size);
                let object =
                    Object { origin, ty: Some(ty), size, unique: true, whole_words, layout };
                self.solver.objects.add(object)
            }
        };
        let location = self.solver.objects.start(object);
        self.solver.constant(location)
    }

    fn function(&mut self, proc: ProcId) -> ObjectId {
        let origin = Origin::Function(proc);
        if let Some(object) = self.solver.objects.get(&origin) {
            return object;
        }
        let layout = self.layouts.of_allocation(None, Some(0));
        let (size, whole_words) = (Some(0), true);
        let object = Object { origin, ty: None, size, unique: true, whole_words, layout };
        self.solver.objects.add(object)
    }

    /// Pointers to memory that is not the program's, and all whose addresses are exposed.
    fn anything(&mut self) -> NodeId {
        let value = self.solver.node();
        let outside = self.outside();
        self.solver.include(outside, value);
        self.solver.include(self.solver.exposed, value);
        self.solver.include(self.solver.escaped, value);
        value
    }

    /// Pointers to memory that is not the program's.
    pub(super) fn outside(&mut self) -> NodeId {
        let object = match self.solver.objects.get(&Origin::Outside) {
            Some(object) => object,
            None => {
                let layout = self.layouts.of_allocation(None, None);
                let origin = Origin::Outside;
                let object = Object {
                    origin,
                    ty: None,
                    size: None,
                    unique: false,
                    whole_words: false,
                    layout,
                };
                self.solver.objects.add(object)
            }
        };
        let target = Target { object, offset: super::Offset::Any };
        let location = self.solver.objects.location(target);
        self.solver.constant(location)
    }

    /// The memory that a call of the library makes.
    pub(super) fn allocated(
        &mut self,
        context: Context,
        (proc, edge): (ProcId, EdgeId),
        call: &Call,
        size: Size,
        on_stack: bool,
    ) -> NodeId {
        let Size { bytes: size, whole_words } = size;
        let mut chain = self.contexts[context as usize].clone();
        chain.push((proc, edge));
        let ty = self.heap.type_of(&chain, call);
        let layout = self.layouts.of_allocation(ty, size);
        let origin = if on_stack { Origin::Alloca(chain) } else { Origin::Heap(chain) };
        let object = Object { origin, ty, size, unique: false, whole_words, layout };
        let object = self.solver.objects.add(object);
        let location = self.solver.objects.start(object);
        let address = self.solver.constant(location);
        let what = What::Range { length: None, unit: Unit::Words };
        self.touch(Accessor::Made(proc, edge), address, what, Mode::WRITE);
        self.taken(address)
    }

    /// What an access of a type touches.
    pub(super) fn what(&self, ty: Type, field: Option<&Field>) -> What {
        let types = &self.program.types;
        if !ty.is_scalar() {
            let length = types.size(ty);
            let words = length.is_multiple_of(types.model.pointer_bytes());
            let unit = if words { Unit::Words } else { Unit::Bytes };
            return What::Range { length: Some(length), unit };
        }
        match (field.and_then(|field| field.bit), ty) {
            (Some(bit), Type::Int(int)) => {
                let size = (u64::from(bit) + u64::from(int.bits)).div_ceil(8);
                What::Scalar { ty, size, bits: true }
            }
            _ => What::Scalar { ty, size: types.size(ty), bits: false },
        }
    }

    fn touch_place(&mut self, place: PlaceId, address: NodeId, mode: Mode) {
        let field = match self.program.places[place].kind {
            PlaceKind::Field(base, number) => self.field(base, number),
            _ => None,
        };
        let what = self.what(self.program.places[place].ty, field);
        self.touch(Accessor::Place(place), address, what, mode);
    }

    pub(super) fn touch(&mut self, by: Accessor, address: NodeId, what: What, mode: Mode) {
        let touch = self.touches.entry(by).or_insert_with(|| Touch::new(what));
        touch.mode = touch.mode | mode;
        if !touch.addresses.contains(&address) {
            touch.addresses.push(address);
        }
    }

    pub(super) fn nothing(&self) -> NodeId {
        self.nothing
    }
}

/// Whether volatile memory gives the program pointers.
fn gives_any_pointer(program: &Program) -> bool {
    program
        .sites
        .iter()
        .any(|(_, site)| site.kind == InputKind::Volatile && program.types.has_pointer(site.ty))
}
