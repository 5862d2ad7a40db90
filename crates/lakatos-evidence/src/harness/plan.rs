//! What becomes of each place in the text where a value comes from outside or an error is called.
//!
//! A *slot* is such a place with its inputs. Each span must hold what is expected there; where it
//! does not and the run passes it, there is no harness.

use lakatos_ir::{
    Builtin, Callee, FloatType, InputKind, Instr, IntType, PlaceId, PlaceKind, Procedure, Program,
    Site, SiteId, Span, Type, VarKind,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::edit::Edits;
use super::text::{self, CallText};
use super::{BY_POINTER, NoHarness};
use crate::refutation::Refutation;

/// A place in the text where values come in.
#[derive(Debug)]
pub(super) struct Slot {
    pub sites: Vec<SiteId>,
    /// It gives bytes of fresh memory.
    pub allocated: bool,
}

/// An object that only the harness defines, with its slot.
#[derive(Debug)]
pub(super) struct Object {
    pub slot: usize,
    pub site: SiteId,
}

#[derive(Debug)]
pub(super) struct Plan<'a> {
    pub program: &'a Program,
    pub prefix: &'a str,
    pub edits: Edits,
    pub slots: Vec<Slot>,
    pub slot_of: FxHashMap<SiteId, usize>,
    slot_at: FxHashMap<Span, usize>,
    allocations: FxHashSet<SiteId>,
    /// Variables that are declared `extern` and defined nowhere.
    pub objects: Vec<Object>,
    /// What `main` is called with: C expressions.
    pub arguments: Vec<String>,
    /// Calls of error functions, by number.
    pub errors: Vec<(Span, String)>,
    /// Sites of which the run took a value, and where one was not zero.
    passed: FxHashSet<SiteId>,
    nonzero: FxHashSet<Span>,
    /// Outcomes of allocations of which the run took another one than 0.
    failing: FxHashSet<SiteId>,
}

/// What a site is in the text.
enum Role {
    /// The call of a function that has no body, or of `__VERIFIER_nondet_*`.
    Call,
    /// The call of a function that allocates.
    Allocation(Builtin),
    PointerCall,
    Declaration,
    /// A variable whose declaration a jump passes.
    Jump,
    /// A function returns nothing although it should.
    Return,
    Argument,
    External,
    /// Of such a value nothing is known, so no refutation takes one.
    Unknown,
    /// A read of volatile memory.
    Volatile,
    /// Whether an allocation fails.
    Outcome,
}

impl<'a> Plan<'a> {
    pub fn new(program: &'a Program, refutation: &Refutation, prefix: &'a str) -> Plan<'a> {
        let inputs = refutation.inputs().iter();
        let passed = inputs.clone().map(|input| input.site).collect();
        let nonzero = inputs.filter(|input| input.value != 0);
        let failing = nonzero.clone().map(|input| input.site).collect();
        let nonzero = nonzero.map(|input| program.sites[input.site].span).collect();
        Plan {
            program,
            prefix,
            edits: Edits::default(),
            slots: Vec::new(),
            slot_of: FxHashMap::default(),
            slot_at: FxHashMap::default(),
            allocations: FxHashSet::default(),
            objects: Vec::new(),
            arguments: Vec::new(),
            errors: Vec::new(),
            passed,
            nonzero,
            failing,
        }
    }

    /// Edits the places where values come in.
    pub fn inputs(&mut self) -> Result<(), NoHarness> {
        let roles = roles(self.program);
        for (id, site) in self.program.sites.iter() {
            // Code that can never run has been left out.
            let Some(role) = roles.get(&id) else { continue };
            if !self.program.source.is_own(site.span.start) {
                if self.passed.contains(&id) {
                    let what =
                        format!("a model of the C library takes a value for `{}`", site.name);
                    return Err(self.no_harness(site.span, what));
                }
                continue;
            }
            match role {
                Role::Call => self.call(id, site)?,
                Role::Allocation(builtin) => self.allocation(id, site, *builtin)?,
                Role::Declaration if self.nonzero.contains(&site.span) => {
                    self.declaration(id, site)?
                }
                Role::Return if self.passed.contains(&id) => self.missing_return(id, site)?,
                Role::Argument => self.argument(id, site),
                Role::External => {
                    let slot = self.slot(id, site.span);
                    self.objects.push(Object { slot, site: id });
                }
                Role::Jump if self.nonzero.contains(&site.span) => {
                    let name = &site.name;
                    let what = format!("a jump past the declaration of `{name}`, which is not 0");
                    return Err(self.no_harness(site.span, what));
                }
                Role::PointerCall if self.passed.contains(&id) => {
                    let what = "a function without a body is called through a pointer";
                    return Err(self.no_harness(site.span, what.to_owned()));
                }
                Role::Volatile if self.passed.contains(&id) => {
                    let what = format!(
                        "`{}` is volatile, and memory gives no other values than those stored",
                        site.name
                    );
                    return Err(self.no_harness(site.span, what));
                }
                Role::Outcome if self.failing.contains(&id) => {
                    let what =
                        format!("`{}` fails, which an execution cannot be made to do", site.name);
                    return Err(self.no_harness(site.span, what));
                }
                Role::Declaration | Role::Return | Role::Jump => {}
                Role::Volatile | Role::Outcome => {}
                Role::PointerCall | Role::Unknown => {}
            }
        }
        Ok(())
    }

    /// Edits the calls of error functions.
    pub fn errors(&mut self) {
        let program = self.program;
        for (_, _, body) in program.defined() {
            for (_, edge) in body.edges.iter() {
                if let Instr::Call(call) = &edge.instr
                    && let Callee::Proc(proc) = call.callee
                    && program.procs[proc].is_error
                {
                    let name = &program.procs[proc].name;
                    let result = program.types.signature(program.procs[proc].signature).result;
                    self.error(edge.span, name, result);
                }
            }
        }
    }

    fn error(&mut self, span: Span, name: &str, result: Type) {
        if self.errors.iter().any(|(known, _)| *known == span) {
            return;
        }
        let (text, number, prefix) =
            (self.program.source.own_text(), self.errors.len(), self.prefix);
        if let Some(call) = text::call(text, span, name) {
            let cast = if result == Type::Void { "((void)" } else { "(" };
            self.edits.open(span.start, span, cast);
            self.enter(&call, span, "error", number);
            self.edits.close(span.end, span, ")");
        } else if let Some(call) = text::call(text, span, "assert") {
            self.edits.replace(call.name, span, format!("{prefix}_assert"));
            self.edits.open(call.inside, span, format!("{number}, !("));
            self.edits.close(call.end - 1, span, ")");
        } else {
            return;
        }
        self.errors.push((span, name.to_owned()));
    }

    /// The violation is a call through a pointer: error functions report themselves.
    pub fn called_by_pointer(&mut self, span: Span) -> Result<usize, NoHarness> {
        let (program, number) = (self.program, self.errors.len());
        let reporting = |proc: &Procedure| proc.is_error && proc.address_taken;
        let procs: Vec<_> = program.procs.iter().filter(|(_, proc)| reporting(proc)).collect();
        if procs.is_empty() {
            return Err(self.no_harness(span, "this is not a call of an error function".to_owned()));
        }
        for (_, proc) in procs.into_iter().filter(|(_, proc)| proc.body.is_some()) {
            let text = program.source.own_text();
            let name_end = text::name_at(text, proc.span.start, &proc.name);
            let Some(inside) = name_end.and_then(|end| text::body_start(text, end)) else {
                let reason = format!("the body of `{}` is not found", proc.name);
                return Err(self.no_harness(proc.span, reason));
            };
            let report = format!(" {}_error({number});", self.prefix);
            self.edits.open(inside, Span::new(inside, inside), report);
        }
        self.errors.push((span, BY_POINTER.to_owned()));
        Ok(number)
    }

    /// `f(x)` as `PREFIX_how(number, x)`.
    fn enter(&mut self, call: &CallText, piece: Span, how: &str, number: usize) {
        let comma = if call.has_args { ", " } else { "" };
        self.edits.replace(call.name, piece, format!("{}_{how}", self.prefix));
        self.edits.open(call.inside, piece, format!("{number}{comma}"));
    }

    fn call(&mut self, id: SiteId, site: &Site) -> Result<(), NoHarness> {
        let text = self.program.source.own_text();
        let Some(call) = text::call(text, site.span, &site.name) else {
            return self.unexpected(id, site, &format!("a call of `{}`", site.name));
        };
        let Some(slot) = self.new_slot(id, site.span) else { return Ok(()) };
        let span = site.span;
        match site.ty {
            Type::Void => self.enter(&call, span, "nothing", slot),
            Type::Int(int) if int.bits <= 64 => {
                self.edits.open(span.start, span, format!("(({})", c_integer(int)));
                self.enter(&call, span, "integer", slot);
                self.edits.close(span.end, span, ")");
            }
            _ => {
                let (copy, prefix) =
                    (text::one_line(self.program.source.snippet(span)), self.prefix);
                let before =
                    format!("({{ __typeof__({copy}) {prefix}_v = *(__typeof__({prefix}_v) *)");
                self.edits.open(span.start, span, before);
                self.enter(&call, span, "value", slot);
                self.edits.close(span.end, span, format!("; {prefix}_v; }})"));
            }
        }
        Ok(())
    }

    fn allocation(&mut self, id: SiteId, site: &Site, builtin: Builtin) -> Result<(), NoHarness> {
        self.allocations.insert(id);
        let text = self.program.source.own_text();
        let how = match builtin {
            Builtin::Calloc => "calloc",
            Builtin::Realloc => "realloc",
            _ => "malloc",
        };
        match text::call(text, site.span, &site.name) {
            Some(call) => {
                if let Some(slot) = self.new_slot(id, site.span) {
                    self.enter(&call, site.span, how, slot);
                }
                Ok(())
            }
            // A variable-length array.
            None if text::name_at(text, site.span.start, &site.name).is_some() => {
                if self.nonzero.contains(&site.span) { self.declaration(id, site) } else { Ok(()) }
            }
            None => self.unexpected(id, site, &format!("a call of `{}`", site.name)),
        }
    }

    /// `T x;` as `T x = …;`, and for aggregates as `T x, *y = fill(&x);`.
    fn declaration(&mut self, id: SiteId, site: &Site) -> Result<(), NoHarness> {
        let (text, name) = (self.program.source.own_text(), &site.name);
        let end = text::name_at(text, site.span.start, name)
            .and_then(|end| text::declarator_end(text, end))
            .filter(|&(_, byte)| byte != b'=');
        let Some((end, _)) = end else {
            return self.unexpected(id, site, &format!("a declaration of `{name}` without value"));
        };
        let Some(slot) = self.new_slot(id, site.span) else { return Ok(()) };
        let value = match self.scalar(site.ty, slot) {
            Some(value) if !self.slots[slot].allocated => format!(" = {value}"),
            _ => {
                let prefix = self.prefix;
                format!(
                    ", *{prefix}_at{slot} = {prefix}_fill({slot}, (void *)&{name}, sizeof {name})"
                )
            }
        };
        self.edits.close(end, site.span, value);
        Ok(())
    }

    fn missing_return(&mut self, id: SiteId, site: &Site) -> Result<(), NoHarness> {
        let source = &self.program.source;
        let (snippet, span) = (source.snippet(site.span), site.span);
        let Some(slot) = self.new_slot(id, span) else { return Ok(()) };
        let Some(value) = self.scalar(site.ty, slot) else {
            return self.unexpected(id, site, "a function that returns a number or a pointer");
        };
        if snippet == "}" {
            self.edits.close(span.start, span, format!("return {value}; "));
        } else if let Some(end) = text::name_at(source.own_text(), span.start, "return") {
            self.edits.close(end, span, format!(" {value}"));
        } else {
            return self.unexpected(id, site, "the end of a function");
        }
        Ok(())
    }

    fn argument(&mut self, id: SiteId, site: &Site) {
        let slot = self.slot(id, site.span);
        let value = self.scalar(site.ty, slot).unwrap_or_else(|| "0".to_owned());
        self.arguments.push(value);
    }

    /// The value of a scalar from a slot.
    fn scalar(&self, ty: Type, slot: usize) -> Option<String> {
        let prefix = self.prefix;
        let read = |ty: &str| format!("*({ty} *){prefix}_value({slot})");
        Some(match ty {
            Type::Int(int) if int.bits <= 64 => {
                format!("({}){prefix}_integer({slot})", c_integer(int))
            }
            Type::Int(int) => read(c_integer(int)),
            Type::Pointer(_) => read("void *"),
            Type::Float(float) => read(match float {
                FloatType::F32 => "float",
                FloatType::F64 => "double",
                FloatType::F80 => "long double",
                FloatType::F128 => "__float128",
            }),
            _ => return None,
        })
    }

    /// The slot for a span; `None` if the text there has been edited already.
    fn new_slot(&mut self, id: SiteId, span: Span) -> Option<usize> {
        let known = self.slots.len();
        let slot = self.slot(id, span);
        (slot == known).then_some(slot)
    }

    fn slot(&mut self, id: SiteId, span: Span) -> usize {
        let next = self.slots.len();
        let slot = *self.slot_at.entry(span).or_insert(next);
        if slot == next {
            let allocated = self.allocations.contains(&id);
            self.slots.push(Slot { sites: Vec::new(), allocated });
        }
        self.slots[slot].sites.push(id);
        self.slot_of.insert(id, slot);
        slot
    }

    /// The text is not as expected, which matters if the run takes a value there.
    fn unexpected(&self, id: SiteId, site: &Site, expected: &str) -> Result<(), NoHarness> {
        match self.passed.contains(&id) {
            true => Err(self.no_harness(site.span, format!("this is not {expected}"))),
            false => Ok(()),
        }
    }

    pub fn no_harness(&self, span: Span, reason: String) -> NoHarness {
        NoHarness { at: self.program.source.position(span.start).to_string(), reason }
    }
}

fn roles(program: &Program) -> FxHashMap<SiteId, Role> {
    let mut roles = FxHashMap::default();
    for (_, _, body) in program.defined() {
        for (_, edge) in body.edges.iter() {
            let found = match &edge.instr {
                Instr::Havoc(place, site) => Some((*site, havoc_role(program, *site, *place))),
                Instr::Call(call) => call.site.and_then(|site| {
                    Some((
                        site,
                        match call.callee {
                            Callee::Proc(proc) if program.procs[proc].unmodelled().is_some() => {
                                Role::Unknown
                            }
                            // A report, not an input.
                            Callee::Proc(proc) if program.procs[proc].is_error => return None,
                            Callee::Proc(_) => Role::Call,
                            Callee::Pointer(_) => Role::PointerCall,
                            Callee::Builtin(builtin) => Role::Allocation(builtin),
                        },
                    ))
                }),
                _ => None,
            };
            roles.extend(found);
        }
    }
    roles
}

fn havoc_role(program: &Program, id: SiteId, place: PlaceId) -> Role {
    let site = &program.sites[id];
    let var = match program.places[place].kind {
        PlaceKind::Var(var) => Some(&program.vars[var]),
        _ => None,
    };
    match (site.kind, var) {
        (InputKind::Nondet, _) => Role::Call,
        (InputKind::Assembly | InputKind::Library, _) => Role::Unknown,
        (InputKind::External, _) => Role::External,
        (InputKind::Volatile, _) => Role::Volatile,
        (InputKind::Allocation, _) => Role::Outcome,
        (InputKind::Uninitialised, _) if site.proc == program.start => Role::Argument,
        (InputKind::Uninitialised, Some(var)) => match var.kind {
            VarKind::Local(_) if var.span == site.span => Role::Declaration,
            VarKind::Local(_) => Role::Jump,
            _ => Role::Return,
        },
        (InputKind::Uninitialised, None) => Role::Return,
    }
}

/// A C type with these values.
pub(super) fn c_integer(ty: IntType) -> &'static str {
    match (ty.bits, ty.signed) {
        (1, false) => "_Bool",
        (..=8, true) => "signed char",
        (..=8, false) => "unsigned char",
        (..=16, true) => "short",
        (..=16, false) => "unsigned short",
        (..=32, true) => "int",
        (..=32, false) => "unsigned",
        (..=64, true) => "long long",
        (..=64, false) => "unsigned long long",
        (_, true) => "__int128",
        (_, false) => "unsigned __int128",
    }
}
