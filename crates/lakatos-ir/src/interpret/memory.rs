//! Objects of bytes, their lifetimes, and the provenance of the pointers stored in them.
//!
//! Every access names the object it means, so leaving one is always noticed. Each object also has
//! an address, distinct from those of all other live objects, with room between them: one past
//! the end of an object is never the start of another. Addresses are a function of the run: those
//! of locals follow the call stack, those of the heap are never used again.
//!
//! Provenance survives memory: per aligned word an object remembers which object the pointer
//! stored there belongs to. Where that record is lost (pointers copied byte by byte, cast to
//! integers and back, or stored unaligned) the object counts as *exposed*, and an integer that
//! is an address within an exposed object makes a pointer to it. No other integer does.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};

use super::Lost;
use super::value::Pointer;
use crate::environment::AddressRange;
use crate::program::{ProcId, VarId};
use crate::source::Span;
use crate::ty::DataModel;

/// One object in its lifetime: table entries are used again with a new generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ObjectId {
    index: u32,
    generation: u32,
}

impl ObjectId {
    /// Of pointers that point to no object.
    pub const NONE: ObjectId = ObjectId { index: u32::MAX, generation: 0 };

    pub fn parts(self) -> (u32, u32) {
        (self.index, self.generation)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A variable with static storage, or of a frame.
    Var(VarId),
    /// A string literal: not written to once the program's own code runs.
    Literal(VarId),
    Heap,
    Alloca,
    /// Code: an object without bytes.
    Function(ProcId),
}

/// Why an access, or arithmetic on a pointer, is undefined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    Null,
    Wild(u64),
    Function(ProcId),
    Dangling,
    /// `length` bytes from `offset` are not within the object.
    Bounds {
        kind: Kind,
        size: u64,
        offset: i128,
        length: u64,
    },
    /// A string literal, or a variable that is `const`.
    ReadOnly(Kind),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    Read,
    Write,
}

#[derive(Clone, Debug)]
struct Object {
    generation: u32,
    kind: Kind,
    exposed: bool,
    address: u64,
    /// The call that made it, for one on the heap.
    made: Span,
    bytes: Vec<u8>,
    /// For each aligned word the object its pointer belongs to; empty until a pointer is stored.
    provenance: Vec<ObjectId>,
    /// For each byte the bits that were never written; empty if all of them were.
    unset: Vec<u8>,
}

impl Object {
    /// Whether something of the object is at an address: a byte, or the start of a function.
    fn has_at(&self, address: u64) -> bool {
        match self.kind {
            Kind::Function(_) => address == self.address,
            Kind::Var(_) | Kind::Literal(_) | Kind::Heap | Kind::Alloca => {
                address.wrapping_sub(self.address) < self.bytes.len() as u64
            }
        }
    }
}

/// Room kept between objects.
const GAP: u64 = 16;
/// Larger buffers are given back to the host when their object dies.
const KEPT_BUFFER: usize = 1 << 12;

/// The bytes of address space an object of this size takes.
pub(super) fn footprint(size: u64) -> u64 {
    size.saturating_add(GAP).saturating_add(GAP - 1) / GAP * GAP
}

#[derive(Clone, Debug)]
pub(super) struct Memory {
    objects: Vec<Object>,
    unused: Vec<u32>,
    exposed: BTreeMap<u64, ObjectId>,
    /// The size of all live objects.
    pub live: u64,
    pub literals_sealed: bool,
    /// Variables that are `const` as a whole, and the one that is written by its name.
    constants: BTreeSet<VarId>,
    pub named: Option<VarId>,
    /// An address may have become data: what the program does may depend on it.
    pub revealed: bool,
    pub next_static: u64,
    pub next_heap: u64,
    next_function: u64,
    pub layout: Layout,
}

/// Where things are in the address space of a data model.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    /// Bytes of a pointer.
    pub word: u64,
    functions: u64,
    statics: u64,
    heap: u64,
    pub heap_end: u64,
    pub stack: u64,
    pub stack_end: u64,
}

/// Statics, heap and stack are assumed to stay below this size each: address ranges of devices
/// that overlap are refused where it matters.
const AREA: u64 = 1 << 28;

/// Whether runs may place objects in an address range.
pub fn places_objects(model: DataModel, range: AddressRange) -> bool {
    let areas = Layout::of(model).object_areas();
    areas.into_iter().any(|area| range.overlaps(area.start, area.end))
}

impl Layout {
    fn of(model: DataModel) -> Layout {
        let word = model.pointer_bytes();
        match model {
            DataModel::Ilp32 => Layout {
                word,
                functions: 0x0804_8000,
                statics: 0x1000_0000,
                heap: 0x5000_0000,
                heap_end: 0xb000_0000,
                stack: 0xb000_0000,
                stack_end: 0xff00_0000,
            },
            DataModel::Lp64 => Layout {
                word,
                functions: 0x5550_0000_0000,
                statics: 0x5560_0000_0000,
                heap: 0x6000_0000_0000,
                heap_end: 0x7000_0000_0000,
                stack: 0x7000_0000_0000,
                stack_end: 0x7fff_0000_0000,
            },
        }
    }

    /// Where objects are placed, as far as a run of usual size gets.
    fn object_areas(&self) -> [std::ops::Range<u64>; 3] {
        [self.statics, self.heap, self.stack].map(|start| start..start + AREA)
    }

    pub fn static_end(&self) -> u64 {
        self.heap
    }

    /// An address as the machine has it.
    pub fn truncate(&self, address: i128) -> u64 {
        address as u64 & (u64::MAX >> (64 - 8 * self.word))
    }
}

impl Memory {
    pub fn new(model: DataModel, constants: BTreeSet<VarId>) -> Memory {
        let layout = Layout::of(model);
        Memory {
            objects: Vec::new(),
            unused: Vec::new(),
            exposed: BTreeMap::new(),
            live: 0,
            literals_sealed: false,
            constants,
            named: None,
            revealed: false,
            next_static: layout.statics,
            next_heap: layout.heap,
            next_function: layout.functions,
            layout,
        }
    }

    /// A new object of zeros. The caller has made sure that the size is affordable.
    pub fn allocate(&mut self, kind: Kind, address: u64, size: u64) -> Pointer {
        self.live += size;
        let index = self.unused.pop().unwrap_or_else(|| self.add_entry(kind));
        let object = &mut self.objects[index as usize];
        object.kind = kind;
        object.address = address;
        object.bytes.resize(size as usize, 0);
        Pointer { address, object: ObjectId { index, generation: object.generation } }
    }

    fn add_entry(&mut self, kind: Kind) -> u32 {
        self.objects.push(Object {
            generation: 0,
            kind,
            exposed: false,
            address: 0,
            made: Span::default(),
            bytes: Vec::new(),
            provenance: Vec::new(),
            unset: Vec::new(),
        });
        self.objects.len() as u32 - 1
    }

    pub fn allocate_function(&mut self, proc: ProcId) -> Pointer {
        let address = self.next_function;
        self.next_function += GAP;
        self.allocate(Kind::Function(proc), address, 0)
    }

    /// Ends an object's lifetime, if it is not over yet.
    pub fn release(&mut self, id: ObjectId) {
        let Some(object) = self.objects.get_mut(id.index as usize) else { return };
        if object.generation != id.generation {
            return;
        }
        self.live -= object.bytes.len() as u64;
        if object.exposed {
            self.exposed.remove(&object.address);
            object.exposed = false;
        }
        object.generation += 1;
        object.provenance.clear();
        object.unset.clear();
        if object.bytes.capacity() > KEPT_BUFFER {
            object.bytes = Vec::new();
        } else {
            object.bytes.clear();
        }
        // A worn-out entry is retired, so that no old pointer ever comes to life again.
        if object.generation != u32::MAX {
            self.unused.push(id.index);
        }
    }

    /// Notes the call that made an object.
    pub fn made_by(&mut self, pointer: Pointer, span: Span) {
        if let Some(object) = self.objects.get_mut(pointer.object.index as usize) {
            object.made = span;
        }
    }

    /// The objects on the heap that no pointer in some objects leads to, nor any in those that it
    /// leads to.
    pub fn lost_objects(&self, roots: impl Iterator<Item = ObjectId>) -> Vec<Lost> {
        let seen = self.reached(roots);
        let unused: BTreeSet<u32> = self.unused.iter().copied().collect();
        let objects = self.objects.iter().zip(seen).enumerate();
        let mut lost: Vec<(u64, Lost)> = objects
            .filter(|(index, (object, seen))| {
                object.kind == Kind::Heap
                    && !seen
                    && object.generation != u32::MAX
                    && !unused.contains(&(*index as u32))
            })
            .map(|(_, (object, _))| {
                (object.address, Lost { span: object.made, bytes: object.bytes.len() as u64 })
            })
            .collect();
        lost.sort_by_key(|(address, _)| *address);
        lost.into_iter().map(|(_, lost)| lost).collect()
    }

    /// Which objects pointers in some objects lead to, these included. What was ever a number may
    /// be held as one.
    fn reached(&self, roots: impl Iterator<Item = ObjectId>) -> Vec<bool> {
        let mut seen = vec![false; self.objects.len()];
        let mut open: Vec<ObjectId> = roots.chain(self.exposed.values().copied()).collect();
        while let Some(id) = open.pop() {
            if let Some(object) = self.live(id)
                && !std::mem::replace(&mut seen[id.index as usize], true)
            {
                open.extend(&object.provenance);
            }
        }
        seen
    }

    /// How many objects there are room for.
    pub fn count(&self) -> usize {
        self.objects.len()
    }

    /// Adds what the memory holds to a digest, whenever it was made.
    pub fn digest(&self, into: &mut impl Hasher) {
        for object in self.objects.iter().filter(|object| !object.bytes.is_empty()) {
            (object.address, &object.bytes, &object.unset).hash(into);
            object.provenance.iter().for_each(|id| id.index.hash(into));
        }
    }

    fn live(&self, id: ObjectId) -> Option<&Object> {
        self.objects.get(id.index as usize).filter(|o| o.generation == id.generation)
    }

    pub fn kind(&self, pointer: Pointer) -> Option<Kind> {
        self.live(pointer.object).map(|o| o.kind)
    }

    pub fn size(&self, pointer: Pointer) -> Option<u64> {
        self.live(pointer.object).map(|o| o.bytes.len() as u64)
    }

    /// The address of the live object that the pointer belongs to.
    pub fn start(&self, pointer: Pointer) -> Option<u64> {
        self.live(pointer.object).map(|o| o.address)
    }

    /// The bytes from the pointer to the end of its object.
    pub fn remaining(&self, pointer: Pointer) -> u64 {
        self.live(pointer.object)
            .map_or(0, |o| (o.address + o.bytes.len() as u64).saturating_sub(pointer.address))
    }

    /// Whether the pointer is to the first byte of its live object.
    pub fn at_start(&self, pointer: Pointer) -> bool {
        self.live(pointer.object).is_some_and(|o| o.address == pointer.address)
    }

    /// The entry and offset of `length` accessible bytes.
    pub fn check(
        &self,
        pointer: Pointer,
        length: u64,
        access: Access,
    ) -> Result<(usize, usize), Fault> {
        let index = pointer.object.index as usize;
        let object = match self.objects.get(index) {
            Some(object) if object.generation == pointer.object.generation => object,
            _ => return Err(self.lost(pointer)),
        };
        let offset = pointer.address.wrapping_sub(object.address);
        let size = object.bytes.len() as u64;
        if offset > size || length > size - offset {
            return Err(self.outside(object, i128::from(offset as i64), length));
        }
        if access == Access::Write && self.is_read_only(object.kind) {
            return Err(Fault::ReadOnly(object.kind));
        }
        Ok((index, offset as usize))
    }

    fn is_read_only(&self, kind: Kind) -> bool {
        match kind {
            Kind::Literal(_) => self.literals_sealed,
            Kind::Var(var) => {
                !self.constants.is_empty()
                    && self.named != Some(var)
                    && self.constants.contains(&var)
            }
            Kind::Heap | Kind::Alloca | Kind::Function(_) => false,
        }
    }

    #[cold]
    fn lost(&self, pointer: Pointer) -> Fault {
        match pointer.object == ObjectId::NONE {
            true if pointer.address == 0 => Fault::Null,
            true => Fault::Wild(pointer.address),
            false => Fault::Dangling,
        }
    }

    #[cold]
    fn outside(&self, object: &Object, offset: i128, length: u64) -> Fault {
        match object.kind {
            Kind::Function(proc) => Fault::Function(proc),
            kind => Fault::Bounds { kind, size: object.bytes.len() as u64, offset, length },
        }
    }

    /// Pointer arithmetic by bytes: within the object or one past its end (C11 6.5.6p8). Where
    /// there is no object (an address made from a number) there is no bound either.
    pub fn advance(&self, pointer: Pointer, bytes: i128) -> Result<Pointer, Fault> {
        if bytes == 0 {
            return Ok(pointer);
        }
        if pointer.object == ObjectId::NONE {
            return match pointer.address {
                0 => Err(Fault::Null),
                _ => Ok(self.displace(pointer, bytes)),
            };
        }
        let Some(object) = self.live(pointer.object) else { return Err(Fault::Dangling) };
        let offset = i128::from(pointer.address) - i128::from(object.address);
        let moved = offset + bytes;
        if moved < 0 || moved > object.bytes.len() as i128 {
            return Err(self.outside(object, moved, 0));
        }
        Ok(self.displace(pointer, bytes))
    }

    /// Pointer arithmetic by bytes that nobody checks.
    pub fn displace(&self, pointer: Pointer, bytes: i128) -> Pointer {
        let address = self.layout.truncate(i128::from(pointer.address) + bytes);
        Pointer { address, ..pointer }
    }

    /// The pointer that an integer means.
    pub fn pointer_at(&self, address: u64) -> Pointer {
        let object = self.exposed.range(..=address).next_back().map(|(_, &id)| id);
        match object.and_then(|id| self.live(id).map(|o| (id, o))) {
            Some((object, o)) if address - o.address <= o.bytes.len() as u64 => {
                Pointer { address, object }
            }
            _ => Pointer::wild(address),
        }
    }

    /// Whether a pointer leads to something that can be written to.
    pub fn is_changeable(&self, pointer: Pointer) -> bool {
        let object = self.live(pointer.object);
        object.is_some_and(|o| matches!(o.kind, Kind::Var(_) | Kind::Heap | Kind::Alloca))
    }

    /// Whether two pointers to different objects are unequal wherever the objects are: each is null,
    /// or points to a byte of an object that is alive. A pointer behind the end of an object may
    /// equal one to the next object, equal literals may be one object, and the place of a dead
    /// object may be used again.
    pub fn surely_differ(&self, x: Pointer, y: Pointer) -> bool {
        match (x.is_null(), y.is_null()) {
            (true, true) => false,
            (true, false) => self.is_at_object(y),
            (false, true) => self.is_at_object(x),
            (false, false) => {
                let (Some(a), Some(b)) = (self.live(x.object), self.live(y.object)) else {
                    return false;
                };
                let literals = matches!((a.kind, b.kind), (Kind::Literal(_), Kind::Literal(_)));
                !literals && a.has_at(x.address) && b.has_at(y.address)
            }
        }
    }

    /// Whether a pointer is within an object that is alive, or one past its end: not null.
    fn is_at_object(&self, pointer: Pointer) -> bool {
        self.live(pointer.object)
            .is_some_and(|o| pointer.address.wrapping_sub(o.address) <= o.bytes.len() as u64)
    }

    /// From now on integers may point into the object.
    pub fn expose(&mut self, id: ObjectId) {
        self.revealed |= id != ObjectId::NONE;
        let Some(object) = self.objects.get_mut(id.index as usize) else { return };
        if object.generation == id.generation && !object.exposed {
            object.exposed = true;
            self.exposed.insert(object.address, id);
        }
    }

    /// The bytes, as data: pointers among them lose their record.
    pub fn bytes(&mut self, pointer: Pointer, length: u64) -> Result<&[u8], Fault> {
        let (index, offset) = self.check(pointer, length, Access::Read)?;
        if !self.objects[index].provenance.is_empty() {
            self.expose_words(index, offset, length as usize);
        }
        Ok(&self.objects[index].bytes[offset..offset + length as usize])
    }

    /// The little-endian number in up to 16 bytes.
    pub fn load(&mut self, pointer: Pointer, length: u64) -> Result<u128, Fault> {
        let bytes = self.bytes(pointer, length)?;
        Ok(match *bytes {
            [a] => u128::from(a),
            [a, b] => u128::from(u16::from_le_bytes([a, b])),
            [a, b, c, d] => u128::from(u32::from_le_bytes([a, b, c, d])),
            [a, b, c, d, e, f, g, h] => u128::from(u64::from_le_bytes([a, b, c, d, e, f, g, h])),
            _ => bytes.iter().rev().fold(0, |number, &byte| number << 8 | u128::from(byte)),
        })
    }

    pub fn store(&mut self, pointer: Pointer, length: u64, number: u128) -> Result<(), Fault> {
        let target = self.bytes_mut(pointer, length)?;
        match target {
            [a] => *a = number as u8,
            _ => match <&mut [u8; 4]>::try_from(&mut *target) {
                Ok(four) => *four = (number as u32).to_le_bytes(),
                Err(_) => target.copy_from_slice(&number.to_le_bytes()[..length as usize]),
            },
        }
        Ok(())
    }

    /// Stores a bit-field: `width` bits from the lowest bit `bit` on, leaving the others.
    pub fn store_bits(
        &mut self,
        pointer: Pointer,
        bit: u8,
        width: u16,
        number: u128,
    ) -> Result<(), Fault> {
        let length = (u64::from(bit) + u64::from(width)).div_ceil(8);
        let (index, offset) = self.check(pointer, length, Access::Write)?;
        let mask = (u128::MAX >> (128 - width)) << bit;
        let others = self.load(pointer, length)? & !mask;
        let range = offset..offset + length as usize;
        let unset: Vec<u8> = match self.objects[index].unset.get(range.clone()) {
            Some(unset) => unset.iter().zip(mask.to_le_bytes()).map(|(u, m)| u & !m).collect(),
            None => Vec::new(),
        };
        self.store(pointer, length, others | number << bit & mask)?;
        if !unset.is_empty() {
            self.objects[index].unset[range].copy_from_slice(&unset);
        }
        Ok(())
    }

    /// Nothing has been written to these bytes.
    pub fn unset(&mut self, pointer: Pointer, length: u64) -> Result<(), Fault> {
        let (index, offset) = self.check(pointer, length, Access::Write)?;
        let object = &mut self.objects[index];
        object.unset.resize(object.bytes.len(), 0);
        object.unset[offset..offset + length as usize].fill(u8::MAX);
        Ok(())
    }

    /// Nothing has been written to these bits of the bytes at a pointer.
    pub fn unset_bits(&mut self, pointer: Pointer, bits: &[u8]) -> Result<(), Fault> {
        let (index, offset) = self.check(pointer, bits.len() as u64, Access::Write)?;
        let object = &mut self.objects[index];
        object.unset.resize(object.bytes.len(), 0);
        let unset = object.unset[offset..offset + bits.len()].iter_mut();
        unset.zip(bits).for_each(|(unset, bits)| *unset |= bits);
        Ok(())
    }

    /// These bytes count as written, whatever they are.
    pub fn assume_bytes_written(&mut self, pointer: Pointer, length: u64) -> Result<(), Fault> {
        let (index, offset) = self.check(pointer, length, Access::Write)?;
        if let Some(unset) = self.objects[index].unset.get_mut(offset..offset + length as usize) {
            unset.fill(0);
        }
        Ok(())
    }

    /// Of the bytes at a pointer, the first that has a bit among these that was never written.
    pub fn first_unset(&self, pointer: Pointer, length: u64, bits: u128) -> Option<u64> {
        let (index, offset) = self.check(pointer, length, Access::Read).ok()?;
        let unset = self.objects[index].unset.get(offset..offset + length as usize)?;
        let mask = |at: usize| if at < 16 { (bits >> (8 * at)) as u8 } else { u8::MAX };
        unset.iter().enumerate().position(|(at, unset)| unset & mask(at) != 0).map(|at| at as u64)
    }

    /// Whoever has one of these pointers may have written to all that it leads to.
    pub fn assume_written(&mut self, roots: impl Iterator<Item = ObjectId>) {
        for (index, seen) in self.reached(roots).into_iter().enumerate() {
            if seen {
                self.objects[index].unset.clear();
            }
        }
    }

    /// Bytes to be overwritten, all of them: the pointers stored there are gone.
    pub fn bytes_mut(&mut self, pointer: Pointer, length: u64) -> Result<&mut [u8], Fault> {
        let (index, offset) = self.check(pointer, length, Access::Write)?;
        if !self.objects[index].provenance.is_empty() {
            self.forget_words(index, offset, length as usize);
        }
        let object = &mut self.objects[index];
        let range = offset..offset + length as usize;
        if !object.unset.is_empty() {
            object.unset[range.clone()].fill(0);
        }
        Ok(&mut object.bytes[range])
    }

    pub fn load_pointer(&mut self, from: Pointer) -> Result<Pointer, Fault> {
        let word = self.layout.word;
        let (index, offset) = self.check(from, word, Access::Read)?;
        let recorded = match (offset as u64).is_multiple_of(word) {
            true => self.objects[index].provenance.get(offset / word as usize),
            false => None,
        };
        match recorded.copied() {
            Some(object) if object != ObjectId::NONE => {
                let bytes = &self.objects[index].bytes[offset..offset + word as usize];
                let address = bytes.iter().rev().fold(0, |a, &byte| a << 8 | u64::from(byte));
                Ok(Pointer { address, object })
            }
            _ => {
                let address = self.load(from, word)? as u64;
                Ok(self.pointer_at(address))
            }
        }
    }

    pub fn store_pointer(&mut self, to: Pointer, value: Pointer) -> Result<(), Fault> {
        let word = self.layout.word;
        self.store(to, word, u128::from(value.address))?;
        if value.object == ObjectId::NONE {
            return Ok(());
        }
        let (index, offset) = self.check(to, word, Access::Write)?;
        match (offset as u64).is_multiple_of(word) {
            true => self.record(index, offset / word as usize, value.object),
            false => self.expose(value.object),
        }
        Ok(())
    }

    fn record(&mut self, index: usize, word: usize, target: ObjectId) {
        let object = &mut self.objects[index];
        if object.provenance.is_empty() {
            let words = object.bytes.len() / self.layout.word as usize;
            object.provenance.resize(words, ObjectId::NONE);
        }
        object.provenance[word] = target;
    }

    /// Copies bytes and the provenance of the pointers among them; the ranges may overlap.
    pub fn copy(&mut self, to: Pointer, from: Pointer, length: u64) -> Result<(), Fault> {
        let (source, start) = self.check(from, length, Access::Read)?;
        let (target, place) = self.check(to, length, Access::Write)?;
        let length = length as usize;
        let pointers = self.pointers_to_copy(source, start, place, length);
        if source == target {
            self.objects[source].bytes.copy_within(start..start + length, place);
        } else {
            let [source, target] = self
                .objects
                .get_disjoint_mut([source, target])
                .expect("different entries of the table");
            target.bytes[place..place + length]
                .copy_from_slice(&source.bytes[start..start + length]);
        }
        if !self.objects[target].provenance.is_empty() {
            self.forget_words(target, place, length);
        }
        self.copy_unset(source, start, target, place, length);
        for (word, object) in pointers {
            self.record(target, word, object);
        }
        Ok(())
    }

    /// What was never written is not written by a copy.
    fn copy_unset(
        &mut self,
        source: usize,
        start: usize,
        target: usize,
        place: usize,
        length: usize,
    ) {
        let copied = self.objects[source].unset.get(start..start + length).map(<[u8]>::to_vec);
        let target = &mut self.objects[target];
        if copied.is_none() && target.unset.is_empty() {
            return;
        }
        target.unset.resize(target.bytes.len(), 0);
        let range = place..place + length;
        match copied {
            Some(copied) => target.unset[range].copy_from_slice(&copied),
            None => target.unset[range].fill(0),
        }
    }

    /// The words (of the target) that get a pointer by a copy. Pointers that arrive unaligned or
    /// in part are exposed instead.
    fn pointers_to_copy(
        &mut self,
        source: usize,
        start: usize,
        place: usize,
        length: usize,
    ) -> Vec<(usize, ObjectId)> {
        if self.objects[source].provenance.is_empty() || length == 0 {
            return Vec::new();
        }
        let word = self.layout.word as usize;
        if start % word != place % word {
            self.expose_words(source, start, length);
            return Vec::new();
        }
        let whole = start.div_ceil(word)..(start + length) / word;
        if !start.is_multiple_of(word) || !(start + length).is_multiple_of(word) {
            self.expose_words(source, start, length);
        }
        let records = &self.objects[source].provenance;
        whole
            .filter(|&w| records[w] != ObjectId::NONE)
            .map(|w| ((w * word + place - start) / word, records[w]))
            .collect()
    }

    /// The words of an object, as far as they have a record, that a range of bytes touches.
    fn words(&self, index: usize, offset: usize, length: usize) -> std::ops::Range<usize> {
        let word = self.layout.word as usize;
        let end = (offset + length).div_ceil(word).min(self.objects[index].provenance.len());
        (offset / word).min(end)..end
    }

    fn expose_words(&mut self, index: usize, offset: usize, length: usize) {
        for word in self.words(index, offset, length) {
            let target = self.objects[index].provenance[word];
            if target != ObjectId::NONE {
                self.expose(target);
            }
        }
    }

    fn forget_words(&mut self, index: usize, offset: usize, length: usize) {
        // What is left of a pointer still tells where its object is.
        let word = self.layout.word as usize;
        let end = offset + length;
        if !offset.is_multiple_of(word) {
            self.expose_words(index, offset, length.min(1));
        }
        if !end.is_multiple_of(word) && length > 0 {
            self.expose_words(index, end - 1, 1);
        }
        let words = self.words(index, offset, length);
        self.objects[index].provenance[words].fill(ObjectId::NONE);
    }
}
