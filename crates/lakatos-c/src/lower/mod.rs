//! From the typed C tree to control-flow automata (DESIGN.md sections 1 to 3).
//!
//! What C leaves to the reader is decided here, once: the order of evaluation (left to right),
//! where values from outside come in, when an object's life ends, what `start` does before
//! `main`. The rooms: `types` maps types, `graph` builds and tidies one automaton, `func` keeps
//! the state of the function at hand (scopes, jumps, temporaries), `ops` makes IR expressions,
//! `expr`, `cond`, `place`, `assign`, `call`, `builtin` and `vla` lower expressions, `volatile`,
//! `mmio` and `allocation` what the world outside of the program decides, `stmt`,
//! `switch`, `jump` and `init` statements, `effects`, `sequence` and `escape` look at the tree beforehand,
//! `library` knows functions by name, `nonlocal` is `setjmp` and `longjmp`, `signal` when handlers run, `start` makes
//! the procedure where a run begins.
//!
//! **How expressions are lowered.** The value of an expression is an IR expression that is valid
//! in the state after the edges emitted for it, until the next side effect. Whoever evaluates
//! another operand with side effects in between saves the earlier value (`Lower::hold`).
//! Operands of `&&`, `||` and `?:` that emit no edges stay inside the expression; others become
//! control flow. Assignments evaluate the address on the left first, then the right side, then
//! store; C leaves the first two unsequenced.

mod allocation;
mod assign;
mod atomic;
mod builtin;
mod call;
mod complex;
mod cond;
mod effects;
mod errno;
mod escape;
mod expr;
mod format;
mod forward;
mod func;
mod graph;
mod init;
mod jump;
mod library;
mod mmio;
mod nonlocal;
mod ops;
mod place;
mod returns;
mod sequence;
mod signal;
mod start;
mod stmt;
mod stream;
mod switch;
mod types;
mod variadic;
mod vector;
mod vla;
mod volatile;

use std::ops::Range;

use lakatos_ir::library::{Effects, LibraryRole};
use lakatos_ir::{
    Annotation, AnnotationTarget, Arena, Callee, Constant, Decision, Diagnostic, Id, InputKind,
    Instr, ProcId, Procedure, Program, Sharing, SigId, Signature, Site, Source, Span, StrId, Type,
    Types, Var, VarId, VarKind,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Failure;
use crate::ast::{Body, DeclId, DeclKind, ExprKind, Object, StmtId, Storage, Target, Unit};
use crate::models;
use crate::types::{ArrayLen, RecordId, Ty, TypeKind};
use effects::Flags;
use escape::Homes;
use forward::Forwarders;
use func::Func;
use library::Role;
use sequence::OpenOrder;
use types::TypeMap;

pub use library::is_known;

/// Lowers a checked unit to a program that starts at `main`.
///
/// A function that uses something unsupported only stands in the way if the program can reach
/// it from `main`; otherwise it loses its body, with a warning.
pub fn lower(mut unit: Unit) -> Result<Program, Box<Failure>> {
    let source = std::mem::replace(&mut unit.source, Source::new("", ""));
    let warnings = std::mem::take(&mut unit.warnings);
    let mut lower = Lower::new(&unit, source.own_text().len() as u32);
    lower.warnings = warnings;
    let done = lower.unit();
    let jumping = lower.jumping_procedures();
    let Lower { mut ir, mut warnings, open_orders, .. } = lower;
    if let Err(mut diagnostics) = done {
        diagnostics.append(&mut warnings);
        diagnostics.sort_by_key(|d| d.span);
        diagnostics.dedup();
        return Err(Box::new(Failure { source, diagnostics }));
    }
    warnings.extend(sequence::warnings(&ir, &open_orders, jumping));
    // Nothing can be done about what is in headers of the system, unless a verdict rests on it.
    let matters =
        |w: &Diagnostic| w.decision.is_some() || !source.is_in_system_header(w.span.start);
    warnings.retain(matters);
    warnings.sort_by_key(|w| w.span);
    ir.source = source;
    ir.strings = unit.strings;
    ir.warnings = warnings;
    library::mark_callbacks(&mut ir);
    Ok(ir)
}

/// Elements of an array of structures with constant members that are told apart.
const MOST_CONSTANT_ELEMENTS: u64 = 16;

/// The state of lowering one unit.
struct Lower<'u> {
    unit: &'u Unit,
    /// Whether a function of the program takes variable arguments.
    takes_arguments: bool,
    argument_type: Option<Type>,
    hidden: Option<variadic::Hidden>,
    /// What `setjmp` and `longjmp` do to the program's functions.
    jumps: nonlocal::Jumps,
    /// `errno` of the models, if the program looks at it.
    errno: Option<DeclId>,
    /// The model that may call handlers of signals, in a program that registers them.
    interrupt: Option<DeclId>,
    /// Handlers in which no other handler runs.
    lone_handlers: FxHashSet<DeclId>,
    /// Where the text of models begins.
    models_from: u32,
    ir: Program,
    types: TypeMap,
    /// Nesting of the IR expressions and places, by id.
    expr_depth: Vec<u16>,
    place_depth: Vec<u16>,
    /// What is known about C expressions, by id.
    flags: Vec<Flags>,
    /// Variables by declaration.
    vars: Vec<Option<VarId>>,
    /// Functions by declaration.
    roles: Vec<Option<Role>>,
    procs: Vec<Option<ProcId>>,
    /// What pointers to functions mean where that is no procedure of the program.
    forwarders: Forwarders,
    /// String literals used as arrays.
    literals: Vec<Option<VarId>>,
    literal_order: Vec<(VarId, StrId)>,
    c_types: FxHashMap<Ty, String>,
    /// Automatic objects that nothing else accesses.
    homes: Homes,
    /// Records with volatile parts.
    volatile_records: FxHashSet<RecordId>,
    /// ACSL comments by the statement they stand before.
    notes: FxHashMap<StmtId, Vec<usize>>,
    warnings: Vec<Diagnostic>,
    /// The user knows how floating-point numbers are rounded.
    precision_warned: bool,
    /// Where the order of calls may matter.
    open_orders: Vec<OpenOrder>,
    /// Warnings about external procedures, or about what is in one with a body, which count if
    /// the program can reach the procedure.
    external_warnings: Vec<(ProcId, Diagnostic)>,
    /// The error procedure that a failing `assert` without definition calls.
    assert_fail: Option<ProcId>,
    f: Func,
}

/// What is left of a function once it is lowered.
struct Lowered {
    proc: ProcId,
    /// Procedures it calls or takes the address of.
    mentions: Vec<ProcId>,
    unsupported: Vec<Diagnostic>,
}

impl<'u> Lower<'u> {
    fn new(unit: &'u Unit, models_from: u32) -> Lower<'u> {
        let decls = unit.decls.len();
        // About as many as there are C expressions; two thirds of those are no lvalues.
        let (exprs, places) = (unit.exprs.len(), unit.exprs.len() / 3);
        let ir = Program {
            source: Source::new("", ""),
            types: Types::new(unit.types.model),
            vars: Arena::new(),
            procs: Arena::new(),
            exprs: Arena::with_capacity(exprs),
            places: Arena::with_capacity(places),
            strings: Arena::new(),
            sites: Arena::new(),
            pieces: Default::default(),
            followed: Default::default(),
            constants: Default::default(),
            arrays: Default::default(),
            bounds: Default::default(),
            start: ProcId(0),
            main: ProcId(0),
            shared: Default::default(),
            foreign: None,
            annotations: Vec::new(),
            environment: unit.environment.clone(),
            warnings: Vec::new(),
        };
        Lower {
            unit,
            takes_arguments: Self::takes_variable_arguments(unit),
            argument_type: None,
            hidden: None,
            jumps: nonlocal::Jumps::default(),
            errno: Self::find_errno(unit, models_from),
            interrupt: None,
            lone_handlers: FxHashSet::default(),
            models_from,
            ir,
            types: TypeMap::default(),
            expr_depth: Vec::with_capacity(exprs),
            place_depth: Vec::with_capacity(places),
            flags: vec![Flags::default(); unit.exprs.len()],
            vars: vec![None; decls],
            roles: vec![None; decls],
            procs: vec![None; decls],
            forwarders: Forwarders::default(),
            literals: Vec::new(),
            literal_order: Vec::new(),
            c_types: FxHashMap::default(),
            homes: Homes::new(unit),
            volatile_records: unit.types.volatile_records(),
            notes: FxHashMap::default(),
            warnings: Vec::new(),
            precision_warned: false,
            open_orders: Vec::new(),
            external_warnings: Vec::new(),
            assert_fail: None,
            f: Func::new(ProcId(0), Span::default()),
        }
    }

    fn unit(&mut self) -> Result<(), Vec<Diagnostic>> {
        let unit = self.unit;
        for (index, annotation) in unit.annotations.iter().enumerate() {
            if let Target::Stmt(stmt) = annotation.target {
                self.notes.entry(stmt).or_default().push(index);
            }
        }
        self.ir.start = self.declare_start();
        self.interrupt = self.model_of(models::INTERRUPT);
        if self.interrupt.is_some() {
            self.lone_handlers = self.find_lone_handlers();
        }
        for &decl in &unit.functions {
            if self.body(decl).is_some() && !self.is_of_model(decl) {
                self.proc(decl);
            }
        }
        for &decl in &unit.objects {
            if matches!(&unit.decls[decl].kind, DeclKind::Object(o) if o.storage == Storage::Global)
            {
                self.var(decl);
            }
        }
        let main = self.find_main()?;
        self.find_jumps();
        let mut lowered = Vec::new();
        for &decl in &unit.functions {
            if self.body(decl).is_some() && !self.is_of_model(decl) {
                lowered.push(self.lower_function(decl));
            }
        }
        let unused = self.lower_models(&mut lowered);
        lowered.push(self.lower_start(main));
        self.lower_forwarders(&mut lowered);
        lowered.extend(unused.into_iter().filter_map(|model| self.without_body(model)));
        self.annotate();
        self.finish_records();
        self.drop_unreachable(lowered)
    }

    /// The models that the program uses, and what these use. (A program may declare another function with
    /// the name of a model.) They come before the start, which has to know their literals. Gives the
    /// other models.
    fn lower_models(&mut self, lowered: &mut Vec<Lowered>) -> Vec<DeclId> {
        let unit = self.unit;
        for name in [models::AT_EXIT, models::INTERRUPT, models::BEFORE_ABORT] {
            if let Some(model) = self.model_of(name) {
                self.proc(model);
            }
        }
        for (_, expr) in unit.exprs.iter() {
            if let ExprKind::Function(decl) = expr.kind
                && !self.is_of_model(decl)
                && models::is_modelled(self.link_name(decl))
                // Its calls are mostly calls of other models, and then it is not used.
                && models::format_argument(self.link_name(decl)).is_none()
                && let Role::Model(model) = self.role(decl)
            {
                self.proc(model);
            }
        }
        let models = unit.functions.iter().copied();
        let mut open: Vec<DeclId> =
            models.filter(|&d| self.is_of_model(d) && self.body(d).is_some()).collect();
        loop {
            let (used, rest): (Vec<DeclId>, Vec<DeclId>) =
                open.into_iter().partition(|&decl| self.procs[decl.index()].is_some());
            lowered.extend(used.iter().map(|&decl| self.lower_function(decl)));
            open = rest;
            if used.is_empty() {
                return open;
            }
        }
    }

    /// A model that is used too late to get its body would be a function of another file.
    fn without_body(&self, model: DeclId) -> Option<Lowered> {
        let proc = self.procs[model.index()]?;
        let construct = format!("this use of `{}`", self.name(model));
        let refusal = Diagnostic::unsupported(self.unit.decls[model].span, construct);
        Some(Lowered { proc, mentions: Vec::new(), unsupported: vec![refusal] })
    }

    fn body(&self, decl: DeclId) -> Option<&'u Body> {
        match &self.unit.decls[decl].kind {
            DeclKind::Function(function) => function.body.as_ref(),
            DeclKind::Object(_) => None,
        }
    }

    /// The name for people. A model has the name of the function.
    fn name(&self, decl: DeclId) -> &'u str {
        let name = self.unit.symbols.name(self.unit.decls[decl].name);
        let prefixes = [models::GAP, models::PREFIX];
        match self.is_of_model(decl) {
            true => prefixes.iter().find_map(|p| name.strip_prefix(p)).unwrap_or(name),
            false => name,
        }
    }

    /// The name by which the linker knows it.
    fn link_name(&self, decl: DeclId) -> &'u str {
        self.unit.link_name(decl)
    }

    fn find_main(&mut self) -> Result<DeclId, Vec<Diagnostic>> {
        let unit = self.unit;
        let named = unit.functions.iter().copied().find(|&d| self.link_name(d) == "main");
        match named {
            Some(main) if self.body(main).is_some() => {
                self.ir.main = self.proc(main);
                Ok(main)
            }
            Some(main) => {
                let mut refusals = unit.unsupported.iter().filter(|(decl, _)| *decl == main);
                let span = unit.decls[main].span;
                let undefined = || no_main(span, "`main` is declared but not defined");
                Err(vec![refusals.next().map_or_else(undefined, |(_, refusal)| refusal.clone())])
            }
            None => Err(vec![no_main(Span::default(), "no function `main` is defined")]),
        }
    }

    /// The procedure of a function; made at its first mention.
    fn proc(&mut self, decl: DeclId) -> ProcId {
        if let Some(proc) = self.procs[decl.index()] {
            return proc;
        }
        let unit = self.unit;
        let data = &unit.decls[decl];
        let signature = self.signature(data.ty);
        let name = self.name(decl);
        let proc = self.add_proc(name, signature, data.span);
        self.ir.procs[proc].is_error = self.is_error(decl);
        self.procs[decl.index()] = Some(proc);
        if self.is_of_model(decl) && self.body(decl).is_some() {
            self.ir.procs[proc].library = Some(LibraryRole::Model);
        }
        if let Some(body) = self.body(decl) {
            let params = body.params.iter();
            let params = params.map(|&p| self.add_object(p, VarKind::Param(proc))).collect();
            self.ir.procs[proc].params = params;
            let result = self.ir.types.signature(signature).result;
            if result != Type::Void {
                let c_type = unit.types.function_of(data.ty).map(|f| f.result);
                let c_type = c_type.map_or(String::new(), |ty| self.c_type(ty));
                let kind = VarKind::Result(proc);
                let var = self.add_var(String::new(), result, kind, data.span, c_type);
                self.ir.procs[proc].result = Some(var);
            }
        }
        proc
    }

    fn add_proc(&mut self, name: &str, signature: SigId, span: Span) -> ProcId {
        self.ir.procs.push(Procedure {
            name: name.to_owned(),
            signature,
            params: Vec::new(),
            result: None,
            locals: Vec::new(),
            body: None,
            is_error: false,
            address_taken: false,
            library: None,
            span,
        })
    }

    /// The variable of an object; made at its first mention. For a variable-length array it is
    /// the pointer to its memory.
    fn var(&mut self, decl: DeclId) -> VarId {
        if let Some(var) = self.vars[decl.index()] {
            return var;
        }
        let proc = self.f.proc;
        let kind = match &self.unit.decls[decl].kind {
            DeclKind::Object(object) => match object.storage {
                Storage::Global | Storage::Extern => VarKind::Global,
                // A compound literal at file scope belongs to no function.
                Storage::StaticLocal if proc == self.ir.start => VarKind::Global,
                Storage::StaticLocal => VarKind::Static(proc),
                Storage::Local => VarKind::Local(proc),
                Storage::Param => VarKind::Param(proc),
            },
            DeclKind::Function(_) => VarKind::Global,
        };
        let var = self.add_object(decl, kind);
        if kind == VarKind::Local(proc) {
            self.f.locals.push(var);
        }
        var
    }

    fn add_object(&mut self, decl: DeclId, kind: VarKind) -> VarId {
        let data = &self.unit.decls[decl];
        let ty = match self.unit.types.is_variably_sized(data.ty) {
            true => self.vla_pointer_type(data.ty),
            false => self.object_type(decl),
        };
        let name = self.name(decl).to_owned();
        let c_type = self.c_type(data.ty);
        let var = self.add_var(name, ty, kind, data.span, c_type);
        self.vars[decl.index()] = Some(var);
        if !self.unit.types.is_variably_sized(data.ty) {
            let mut bytes = Vec::new();
            self.constant_parts(data.ty, 0, &mut bytes);
            let size = self.unit.types.size(data.ty).unwrap_or(0);
            let whole = 0..self.ir.types.size(ty).max(size);
            // An initialised flexible array is a part of the object, not of its type.
            if let [part] = &mut bytes[..]
                && *part == (0..size)
            {
                *part = whole.clone();
            }
            let is_defined = matches!(
                &data.kind,
                DeclKind::Object(object) if object.storage != Storage::Extern
            );
            if !bytes.is_empty() {
                let is_whole = is_defined && bytes == [whole];
                self.ir.constants.insert(var, Constant { bytes, is_whole });
            }
        }
        var
    }

    /// The bytes of an object at an offset that are `const`.
    fn constant_parts(&self, ty: Ty, offset: u64, parts: &mut Vec<Range<u64>>) {
        let types = &self.unit.types;
        let mut scalar = ty;
        while let Some(elem) = types.element(scalar) {
            scalar = elem;
        }
        let Some(size) = types.size(ty) else { return };
        if types.quals(scalar).is_const {
            return parts.push(offset..offset + size);
        }
        match (types.kind(ty), types.record(ty)) {
            (TypeKind::Array(elem, ArrayLen::Fixed(len)), _) => {
                let mut inner = Vec::new();
                self.constant_parts(elem, 0, &mut inner);
                let each = types.size(elem).unwrap_or(0);
                // Of many elements all is taken to be so: that only makes proofs harder.
                match len {
                    _ if inner.is_empty() => {}
                    ..=MOST_CONSTANT_ELEMENTS => {
                        for start in (0..len).map(|i| offset + i * each) {
                            let moved = inner.iter().map(|r| start + r.start..start + r.end);
                            parts.extend(moved);
                        }
                    }
                    _ => parts.push(offset + inner[0].start..offset + size),
                }
            }
            (_, Some(record)) => {
                for field in &types.records[record].fields {
                    self.constant_parts(field.ty, offset + field.offset, parts);
                }
            }
            _ => {}
        }
    }

    fn add_var(
        &mut self,
        name: String,
        ty: Type,
        kind: VarKind,
        span: Span,
        c_type: String,
    ) -> VarId {
        self.ir.vars.push(Var { name, ty, kind, span, address_taken: false, c_type })
    }

    fn c_type(&mut self, ty: Ty) -> String {
        let unit = self.unit;
        self.c_types.entry(ty).or_insert_with(|| unit.types.show(ty, &unit.symbols)).clone()
    }

    /// Annotations of functions and of the file; those of statements were placed on the way.
    fn annotate(&mut self) {
        let unit = self.unit;
        for annotation in &unit.annotations {
            let target = match annotation.target {
                Target::Global => AnnotationTarget::Global,
                Target::Decl(decl) => match unit.decls[decl].kind {
                    DeclKind::Function(_) => AnnotationTarget::Contract(self.proc(decl)),
                    DeclKind::Object(_) => AnnotationTarget::Global,
                },
                Target::Stmt(_) => continue,
            };
            let (span, text) = (annotation.span, annotation.text.clone());
            self.ir.annotations.push(Annotation { span, text, target });
        }
        self.ir.annotations.sort_by_key(|a| a.span);
    }

    /// Fails if something unsupported can be reached; takes it away where it cannot.
    fn drop_unreachable(&mut self, lowered: Vec<Lowered>) -> Result<(), Vec<Diagnostic>> {
        let mut mentions = vec![Vec::new(); self.ir.procs.len()];
        let mut unsupported = vec![Vec::new(); self.ir.procs.len()];
        for function in lowered {
            mentions[function.proc.index()] = function.mentions;
            unsupported[function.proc.index()] = function.unsupported;
        }
        let mut reached = vec![false; self.ir.procs.len()];
        let mut todo = vec![self.ir.start];
        while let Some(proc) = todo.pop() {
            if !std::mem::replace(&mut reached[proc.index()], true) {
                todo.append(&mut mentions[proc.index()]);
            }
        }
        let mut told = FxHashSet::default();
        for (proc, warning) in std::mem::take(&mut self.external_warnings) {
            // Of a decision that counts, once is enough; of assembly each place is named.
            let is_new = |decision| decision == Decision::Assembly || told.insert(decision);
            if reached[proc.index()] && warning.decision.is_none_or(is_new) {
                self.warnings.push(warning);
            }
        }
        self.share_objects(&reached);
        let (mut fatal, mut taken) = (Vec::new(), false);
        for (proc, mut found) in self.ir.procs.ids().zip(unsupported) {
            if reached[proc.index()] {
                fatal.append(&mut found);
            } else if let Some(first) = found.first() {
                self.take_body(proc, first);
                taken = true;
            }
        }
        fatal.extend(self.unsupported_declarations(&reached));
        if taken {
            self.add_missing_sites();
        }
        if fatal.is_empty() { Ok(()) } else { Err(fatal) }
    }

    /// Objects that code in other files can name. Where there is such code, it may read and change
    /// them, as through a pointer.
    fn share_objects(&mut self, reached: &[bool]) {
        let is_external = |(proc, procedure): (ProcId, &Procedure)| {
            reached[proc.index()]
                && procedure.body.is_none()
                && !procedure.is_error
                && procedure.unmodelled().is_none()
        };
        let unit = self.unit;
        let objects = unit.objects.iter().copied();
        let used = objects.filter_map(|decl| {
            let (object, var) = self.object(decl).zip(self.vars[decl.index()])?;
            let is_shared = object.is_shared || self.errno == Some(decl);
            is_shared.then_some((object, decl, var))
        });
        let shared: Vec<_> = used.collect();
        let is_extern = |object: &Object, decl: DeclId| {
            object.storage == Storage::Extern && self.stream_type(decl).is_none()
        };
        let has_others = self.ir.procs.iter().any(is_external)
            || shared.iter().any(|&(object, decl, _)| is_extern(object, decl));
        if !has_others {
            return;
        }
        self.declare_foreign();
        let shared: Vec<(VarId, Sharing)> = shared
            .into_iter()
            .map(|(_, decl, var)| (var, self.sharing(unit.decls[decl].ty)))
            .collect();
        for &(var, sharing) in &shared {
            self.ir.vars[var].address_taken |= sharing == Sharing::ReadsAndWrites;
        }
        self.ir.shared = shared.into_iter().collect();
    }

    /// An object of a `const` type, or an array of such, does not change.
    fn sharing(&self, ty: Ty) -> Sharing {
        let types = &self.unit.types;
        let mut inner = ty;
        while let Some(element) = types.element(inner) {
            inner = element;
        }
        match types.quals(ty).is_const || types.quals(inner).is_const {
            true => Sharing::Reads,
            false => Sharing::ReadsAndWrites,
        }
    }

    /// What a function pointer from another file means.
    fn declare_foreign(&mut self) {
        let signature = Signature { result: Type::Void, params: None, variadic: false };
        let signature = self.make_signature(signature);
        let proc = self.add_proc("a function of another file", signature, Span::default());
        self.ir.procs[proc].library = Some(LibraryRole::Unmodelled(Effects::Unbounded));
        self.ir.procs[proc].address_taken = true;
        self.ir.foreign = Some(proc);
    }

    /// Attributes without a meaning, of what a run may depend on.
    fn unsupported_declarations(&self, reached: &[bool]) -> Vec<Diagnostic> {
        let counts = |decl: DeclId| match &self.unit.decls[decl].kind {
            DeclKind::Function(_) => {
                self.procs[decl.index()].is_some_and(|proc| reached[proc.index()])
            }
            DeclKind::Object(_) => self.vars[decl.index()].is_some(),
        };
        let found = self.unit.unsupported.iter().filter(|(decl, _)| counts(*decl));
        found.map(|(_, diagnostic)| diagnostic.clone()).collect()
    }

    fn take_body(&mut self, proc: ProcId, why: &Diagnostic) {
        let procedure = &mut self.ir.procs[proc];
        procedure.body = None;
        procedure.locals.clear();
        let message = format!(
            "the body of `{}` is left out: it uses something unsupported ({}) and cannot be \
             reached from `main`",
            procedure.name, why.message
        );
        self.warnings.push(Diagnostic::warning(why.span, message));
        self.ir.annotations.retain(
            |a| !matches!(a.target, AnnotationTarget::Statement(owner, _) if owner == proc),
        );
    }

    /// Calls of procedures that lost their bodies are calls of external ones now.
    fn add_missing_sites(&mut self) {
        let external: Vec<bool> = self.ir.procs.iter().map(|(_, p)| p.body.is_none()).collect();
        for proc in self.ir.procs.ids() {
            let Some(mut body) = self.ir.procs[proc].body.take() else { continue };
            for (_, edge) in body.edges.iter_mut() {
                if let Instr::Call(call) = &mut edge.instr
                    && let (Callee::Proc(callee), Some(place)) = (call.callee, call.result)
                    && let (true, None) = (external[callee.index()], call.site)
                {
                    let name = self.ir.procs[callee].name.clone();
                    let (ty, span) = (self.ir.places[place].ty, edge.span);
                    let kind = InputKind::External;
                    call.site = Some(self.ir.sites.push(Site { kind, proc, span, name, ty }));
                }
            }
            self.ir.procs[proc].body = Some(body);
        }
    }
}

fn no_main(span: Span, message: &str) -> Diagnostic {
    Diagnostic::error(span, message).help("a program starts at `main`: define it in this file")
}
