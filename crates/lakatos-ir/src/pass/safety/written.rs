//! What was never written, in memory.
//!
//! *One byte* of each object is followed: which, says a key that is chosen when the program starts,
//! the same for all objects. A ghost per object says whether that byte was written since the object
//! came to life. A read of indeterminate memory reads some byte that was never written, and that
//! one is followed in some run; so a read is an error if it includes the byte and the ghost says
//! that it was not written. That the key is the same for all objects makes copies of whole objects
//! exact.
//!
//! Locals without initialiser and memory from `malloc`, `realloc` and `alloca` are followed so; all
//! other objects are written from the start. To keep that true, what is copied to these must have
//! been written, but for padding. A pointer of which nothing is known is not read through; a
//! bit-field is not enough to make a byte written; and how much of a string a function of the
//! library writes is not known. So there are programs that never read what was not written and of
//! which there is no proof, and none the other way round.

use std::collections::{BTreeMap, BTreeSet};

use super::flow::argument;
use super::mark::{Mark, Role};
use super::objects::{OFFSET, Objects, ghost};
use super::pointer::Pointer;
use super::rewrite::{Rewriter, Step};
use super::{OTHER, UNKNOWN};
use crate::expr::{BinOp, ExprId, PlaceKind, Undefined};
use crate::interpret::value_bytes;
use crate::library::Use;
use crate::program::{
    Builtin, Call, Callee, InputKind, Instr, Program, Site, SiteId, VarId, VarKind,
};
use crate::source::Span;
use crate::ty::Type;

/// The variables in memory that come to life without a value.
pub(super) fn indeterminate(program: &Program) -> BTreeSet<VarId> {
    let edges = program.defined().flat_map(|(_, _, body)| body.edges.iter());
    let found = edges.filter_map(|(_, edge)| match edge.instr {
        Instr::Havoc(place, site) if program.leaves_indeterminate(place, site) => {
            match program.places[place].kind {
                PlaceKind::Var(var) => Some(var),
                _ => None,
            }
        }
        _ => None,
    });
    let in_memory = crate::interpret::variables_in_memory(program);
    found.filter(|var| in_memory[crate::arena::Id::index(*var)]).collect()
}

/// Whether some call makes memory without a value.
pub(super) fn allocates(program: &Program) -> bool {
    let mut edges = program.defined().flat_map(|(_, _, body)| body.edges.iter());
    edges.any(|(_, edge)| match &edge.instr {
        Instr::Call(call) => matches!(
            call.callee,
            Callee::Builtin(Builtin::Malloc | Builtin::Realloc | Builtin::Alloca)
        ),
        _ => false,
    })
}

/// The ghosts.
#[derive(Debug)]
pub(super) struct Written {
    pub key: VarId,
    pub site: SiteId,
    /// Whether the byte at the key was written, by the number of the object.
    flags: BTreeMap<i128, VarId>,
    /// What is known of the source of a copy, by the variable that has its address.
    sources: BTreeMap<VarId, Source>,
}

/// Where bytes come from that are copied.
#[derive(Clone, Copy, Debug)]
struct Source {
    offset: VarId,
    /// It is in an object that is written from the start.
    all: VarId,
    /// It is in one that is followed, whose byte at the key was written.
    byte: VarId,
}

impl Written {
    pub fn new(
        program: &mut Program,
        objects: &Objects,
        vars: &BTreeSet<VarId>,
        marks: &super::Marks,
    ) -> Written {
        let allocations: Vec<i128> = super::objects::allocations(program)
            .into_iter()
            .filter(|(_, _, builtin)| *builtin != Builtin::Calloc)
            .filter_map(|(proc, edge, _)| objects.of_call(proc, edge))
            .collect();
        let vars = vars.iter().filter_map(|var| objects.of_var(*var));
        let numbers: BTreeSet<i128> = vars.chain(allocations).collect();
        let flag = |number: i128| {
            let name = format!("object {number} is written");
            (number, ghost(program, &name, Type::BOOL, None))
        };
        let flags = numbers.into_iter().map(flag).collect();
        let sources = marks.iter().filter(|(_, mark)| mark.role == Role::Source);
        let sources: Vec<VarId> = sources.map(|(var, _)| *var).collect();
        let sources = sources.into_iter().map(|var| (var, Source::new(program, var))).collect();
        let key = ghost(program, "byte", OFFSET, None);
        let (kind, proc, span) = (InputKind::Uninitialised, program.start, Span::default());
        let site =
            program.sites.push(Site { kind, proc, span, name: "byte".to_owned(), ty: OFFSET });
        Written { key, site, flags, sources }
    }
}

impl Source {
    fn new(program: &mut Program, var: VarId) -> Source {
        let frame = match program.vars[var].kind {
            VarKind::Temp(proc) => Some(proc),
            _ => None,
        };
        Source {
            offset: ghost(program, "copied from", OFFSET, frame),
            all: ghost(program, "copied from what is written", Type::BOOL, frame),
            byte: ghost(program, "copied from a written byte", Type::BOOL, frame),
        }
    }
}

impl Rewriter<'_> {
    fn flag_of(&self, number: i128) -> Option<VarId> {
        self.cx.written.as_ref()?.flags.get(&number).copied()
    }

    /// The key is any; nothing is written.
    pub fn choose_key(&mut self) -> Vec<Step> {
        let Some(written) = &self.cx.written else { return Vec::new() };
        let place = self.make.program.var_place(written.key, self.make.span);
        let mut steps = vec![Step::Do(Instr::Havoc(place, written.site))];
        let (zero, key) = (self.make.bytes(0), self.make.load(written.key));
        let sensible = self.make.compare(BinOp::Le, zero, key);
        steps.push(Step::Do(Instr::Assume(sensible)));
        for flag in written.flags.values() {
            steps.push(self.flag(*flag, false));
        }
        steps
    }

    /// The followed byte is among so many behind an offset.
    fn includes(&mut self, offset: ExprId, size: ExprId) -> ExprId {
        let Some(written) = &self.cx.written else { return self.make.truth(false) };
        let key = self.make.load(written.key);
        let end = self.make.arithmetic(BinOp::Add, offset, size);
        let (not_before, before_end) =
            (self.make.compare(BinOp::Le, offset, key), self.make.compare(BinOp::Lt, key, end));
        self.make.and(not_before, before_end)
    }

    /// The followed byte is one that belongs to a value of the type, and is no padding.
    fn includes_value(&mut self, offset: ExprId, ty: Type) -> ExprId {
        let mut found = self.make.truth(false);
        for range in value_bytes(&self.make.program.types, ty) {
            let start = self.make.bytes(range.start.into());
            let start = self.make.arithmetic(BinOp::Add, offset, start);
            let size = self.make.bytes((range.end - range.start).into());
            let inside = self.includes(start, size);
            found = self.make.or(found, inside);
        }
        found
    }

    /// An access that was marked, of memory that may not have been written.
    pub fn watched(&mut self, var: VarId, mark: &Mark, address: ExprId) -> Vec<Step> {
        let pointer = self.make.pointer(address);
        let (offset, size) =
            (self.make.bytes(mark.offset.into()), self.make.bytes(mark.size.into()));
        let offset = self.make.arithmetic(BinOp::Add, pointer.offset, offset);
        let p = Pointer { offset, ..pointer };
        match mark.role {
            Role::Read => {
                let inside = self.includes(p.offset, size);
                self.expect(&p, inside, mark.span).into_iter().collect()
            }
            Role::Whole => {
                let inside = self.includes_value(p.offset, mark.ty);
                self.expect(&p, inside, mark.span).into_iter().collect()
            }
            Role::Write if mark.partial => Vec::new(),
            Role::Write => {
                let inside = self.includes(p.offset, size);
                self.writes(&p, inside)
            }
            Role::Unset => self.unset(&p),
            Role::Source => self.source(var, &p),
            Role::Copy(source) => self.copies(&p, source, mark),
        }
    }

    /// What is read was written.
    fn expect(&mut self, p: &Pointer, inside: ExprId, span: Span) -> Option<Step> {
        let mut bad = self.make.truth(false);
        for id in p.ids.clone() {
            let own = match (id, self.flag_of(id)) {
                (UNKNOWN, _) => self.make.truth(true),
                (_, Some(flag)) => {
                    let flag = self.make.load(flag);
                    let missing = self.make.not(flag);
                    self.make.and(inside, missing)
                }
                _ => continue,
            };
            let is_it = self.is_at(p, id);
            let own = self.make.and(is_it, own);
            bad = self.make.or(bad, own);
        }
        let fine = self.make.not(bad);
        self.require(fine, Undefined::Uninitialised, span, "reads")
    }

    fn is_at(&mut self, p: &Pointer, id: i128) -> ExprId {
        match p.ids.len() {
            1 => self.make.truth(true),
            _ => self.make.is(p.object, id),
        }
    }

    /// The objects that are followed and that a pointer may point to, each with the condition.
    fn targets(&mut self, p: &Pointer) -> Vec<(VarId, ExprId)> {
        let flags: Vec<(i128, VarId)> =
            p.ids.iter().filter_map(|id| Some((*id, self.flag_of(*id)?))).collect();
        flags.into_iter().map(|(id, flag)| (flag, self.is_at(p, id))).collect()
    }

    /// Bytes are written, if they are those.
    fn writes(&mut self, p: &Pointer, inside: ExprId) -> Vec<Step> {
        let mut steps = Vec::new();
        for (flag, is_it) in self.targets(p) {
            let hit = self.make.and(is_it, inside);
            let before = self.make.load(flag);
            let now = self.make.or(before, hit);
            steps.push(self.assign(flag, now));
        }
        steps
    }

    /// An object comes to life.
    fn unset(&mut self, p: &Pointer) -> Vec<Step> {
        let mut steps = Vec::new();
        for (flag, is_it) in self.targets(p) {
            let (before, other) = (self.make.load(flag), self.make.not(is_it));
            let now = self.make.and(before, other);
            steps.push(self.assign(flag, now));
        }
        steps
    }

    /// Remembers where a copy comes from. An instance that is not followed is looked at in another
    /// run.
    fn source(&mut self, var: VarId, p: &Pointer) -> Vec<Step> {
        let Some(&Source { offset, all, byte }) =
            self.cx.written.as_ref().and_then(|written| written.sources.get(&var))
        else {
            return Vec::new();
        };
        let (mut is_all, mut is_byte) = (self.make.truth(false), self.make.truth(false));
        for id in p.ids.clone() {
            let is_it = self.is_at(p, id);
            match self.flag_of(id) {
                Some(flag) => {
                    let flag = self.make.load(flag);
                    let own = self.make.and(is_it, flag);
                    is_byte = self.make.or(is_byte, own);
                }
                None if id > 0 => is_all = self.make.or(is_all, is_it),
                None => {}
            }
        }
        vec![self.assign(offset, p.offset), self.assign(all, is_all), self.assign(byte, is_byte)]
    }

    /// A value is copied: what was not written before is not written after, but for padding.
    fn copies(&mut self, p: &Pointer, source: VarId, mark: &Mark) -> Vec<Step> {
        let Some(&Source { offset, all, byte }) =
            self.cx.written.as_ref().and_then(|written| written.sources.get(&source))
        else {
            return Vec::new();
        };
        let (from, all, byte) = (self.make.load(offset), self.make.load(all), self.make.load(byte));
        // Elsewhere nobody would know that it was not written.
        let inside = self.includes_value(from, mark.ty);
        let outside = self.make.not(inside);
        let fine = self.make.or(all, byte);
        let fine = self.make.or(outside, fine);
        let mut steps: Vec<Step> = self.only_what_is_written(p, fine, mark.span);
        let size = self.make.bytes(mark.size.into());
        let covered = self.includes(p.offset, size);
        let is_value = self.includes_value(p.offset, mark.ty);
        let padding = self.make.not(is_value);
        let same = self.make.compare(BinOp::Eq, from, p.offset);
        let kept = self.make.and(same, byte);
        let now = self.make.or(all, kept);
        let now = self.make.or(now, padding);
        steps.extend(self.overwrites(p, covered, now));
        steps
    }

    /// What is copied to where nothing is followed must have been written.
    fn only_what_is_written(&mut self, p: &Pointer, fine: ExprId, span: Span) -> Vec<Step> {
        let mut elsewhere = self.make.truth(false);
        for id in p.ids.clone() {
            if id != OTHER && self.flag_of(id).is_none() {
                let is_it = self.is_at(p, id);
                elsewhere = self.make.or(elsewhere, is_it);
            }
        }
        let followed = self.make.not(elsewhere);
        let fine = self.make.or(followed, fine);
        self.require(fine, Undefined::Uninitialised, span, "copies").into_iter().collect()
    }

    /// The byte of what is covered becomes written or not.
    fn overwrites(&mut self, p: &Pointer, covered: ExprId, now: ExprId) -> Vec<Step> {
        let mut steps = Vec::new();
        for (flag, is_it) in self.targets(p) {
            let hit = self.make.and(is_it, covered);
            let before = self.make.load(flag);
            let after = self.make.choice(hit, now, before);
            steps.push(self.assign(flag, after));
        }
        steps
    }

    /// What a function of the library reads and writes, as its row says.
    pub fn watched_library(&mut self, call: &Call, builtin: Builtin) -> Vec<Step> {
        let row = builtin.row();
        let texts: Vec<usize> = (0..call.args.len())
            .filter(|number| match row.use_of(*number) {
                Use::ReadsText | Use::AppendsText | Use::Format => true,
                Use::Value | Use::Reads(_) | Use::Writes(_) | Use::WritesText | Use::Frees => false,
            })
            .collect();
        let mut steps = self.reads_text(call, &texts);
        let copies = row.uses.iter().any(|own| matches!(own, Use::Reads(_)));
        for (number, own) in row.uses.iter().enumerate() {
            match *own {
                // A copy of bytes; what was not written is not in the copy.
                Use::Writes(_) if copies => steps.extend(self.copies_bytes(call)),
                Use::Writes(count) => steps.extend(self.fills(call, number, count)),
                // To compare bytes, or to look for one, is no read of a value; strings that are
                // written count as never written.
                Use::Reads(_) | Use::WritesText | Use::AppendsText => {}
                Use::Value | Use::ReadsText | Use::Format | Use::Frees => {}
            }
        }
        steps
    }

    /// So many bytes as an argument says are written where another one points to.
    fn fills(&mut self, call: &Call, to: usize, count: usize) -> Vec<Step> {
        let (Some(&to), Some(&count)) = (call.args.get(to), call.args.get(count)) else {
            return Vec::new();
        };
        let p = self.make.pointer(to);
        let count = super::library::number(self, count);
        let inside = self.includes(p.offset, count);
        self.writes(&p, inside)
    }

    fn copies_bytes(&mut self, call: &Call) -> Vec<Step> {
        let [to, from, count] = call.args[..] else { return Vec::new() };
        let span = self.make.program.exprs[from].span;
        let (p, source) = (self.make.pointer(to), self.make.pointer(from));
        let count = super::library::number(self, count);
        let (mut all, mut byte) = (self.make.truth(false), self.make.truth(false));
        for id in source.ids.clone() {
            let is_it = self.is_at(&source, id);
            match self.flag_of(id) {
                Some(flag) => {
                    let flag = self.make.load(flag);
                    let own = self.make.and(is_it, flag);
                    byte = self.make.or(byte, own);
                }
                None if id > 0 => all = self.make.or(all, is_it),
                None => {}
            }
        }
        let inside = self.includes(source.offset, count);
        let outside = self.make.not(inside);
        let fine = self.make.or(all, byte);
        let fine = self.make.or(outside, fine);
        let mut steps = self.only_what_is_written(&p, fine, span);
        let covered = self.includes(p.offset, count);
        let same = self.make.compare(BinOp::Eq, source.offset, p.offset);
        let kept = self.make.and(same, byte);
        let now = self.make.or(all, kept);
        let (now, more) = self.held(now);
        steps.extend(more);
        steps.extend(self.overwrites(&p, covered, now));
        steps
    }

    /// A truth value that later steps do not change.
    fn held(&mut self, value: ExprId) -> (ExprId, Option<Step>) {
        if self.make.value(value).is_some() {
            return (value, None);
        }
        let var = ghost(self.make.program, "copied", Type::BOOL, Some(self.proc));
        let step = self.assign(var, value);
        (self.make.load(var), Some(step))
    }

    /// Strings are read up to their end, wherever that is: all behind must have been written.
    fn reads_text(&mut self, call: &Call, numbers: &[usize]) -> Vec<Step> {
        let mut steps = Vec::new();
        for number in numbers {
            let Some(pointer) = argument(self.make.program, call, *number) else { continue };
            let (ty, span) =
                (self.make.program.exprs[pointer].ty, self.make.program.exprs[pointer].span);
            let is_text = match self.make.program.types.inner(ty) {
                Some(Type::Int(int)) => int.bits == 8,
                _ => true,
            };
            if !is_text {
                continue;
            }
            let p = self.make.pointer(pointer);
            let Some(written) = &self.cx.written else { continue };
            let key = self.make.load(written.key);
            let behind = self.make.compare(BinOp::Le, p.offset, key);
            steps.extend(self.expect(&p, behind, span));
        }
        steps
    }

    /// Whether the byte of memory that `realloc` makes is written: it was in the old memory.
    pub fn kept_by_realloc(&mut self, old: Option<&Pointer>) -> ExprId {
        let mut kept = self.make.truth(false);
        let (Some(old), Some(written)) = (old, &self.cx.written) else { return kept };
        let key = self.make.load(written.key);
        for id in old.ids.iter().copied().filter(|id| *id > 0) {
            let own = match self.flag_of(id) {
                Some(flag) => self.make.load(flag),
                None => {
                    let size = self.make.size(id);
                    self.make.compare(BinOp::Lt, key, size)
                }
            };
            let is_it = self.is_at(old, id);
            let own = self.make.and(is_it, own);
            kept = self.make.or(kept, own);
        }
        kept
    }

    /// A call has made an object, if it is the one that is followed.
    pub fn makes_unwritten(&mut self, number: i128, chosen: ExprId, kept: ExprId) -> Option<Step> {
        let flag = self.flag_of(number)?;
        let before = self.make.load(flag);
        let now = self.make.choice(chosen, kept, before);
        Some(self.assign(flag, now))
    }
}
