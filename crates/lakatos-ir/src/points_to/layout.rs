//! Layouts: which offsets of an object count as the same.
//!
//! All elements of an array share the offsets of its first one, level by level, so that the
//! fields of the elements stay apart. A position also knows over how many of the arrays around it,
//! from the outermost on, it is *spread*: the address of a structure is not that of any element of
//! an array that the structure begins with. A layout only says what is kept apart: every other layout
//! of the same size would be sound too, since arithmetic is done on the offsets that a position
//! stands for ([`Layout::offsets_of`]) and brought back ([`Layout::visit`]).
//!
//! Members of a union overlap. A small union, and one without arrays, keeps its offsets; a large
//! one with arrays inside is a *blob*, of which nothing is kept apart.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::access::Piece;
use super::offsets::{Offsets, gcd};
use crate::ty::{RecordId, Type, Types};

/// The largest union that keeps its offsets although there are arrays in it.
const SMALL_UNION: u64 = 16;
/// The largest union that keeps its offsets.
const LARGE_UNION: u64 = 256;

#[derive(Debug)]
pub(super) enum Layout {
    /// Every offset stands for itself: a scalar, padding, or members that overlap.
    Exact {
        size: u64,
        /// The type, if it is one scalar.
        scalar: Option<Type>,
        padding: bool,
    },
    /// All offsets stand for the first; `None`: without end.
    Blob {
        size: Option<u64>,
    },
    /// Parts side by side, without gaps. Only the last one may be without end.
    Parts {
        size: Option<u64>,
        parts: Vec<(u64, Arc<Layout>)>,
    },
    Array {
        stride: u64,
        count: Option<u64>,
        element: Arc<Layout>,
    },
}

/// A part of an object that is not divided further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tile {
    /// Its first offset.
    pub start: u64,
    /// `None`: without end.
    pub size: Option<u64>,
    pub scalar: Option<Type>,
    pub padding: bool,
    pub blob: bool,
}

/// Spread over all arrays around it.
pub(super) const EVERYWHERE: u8 = u8::MAX;

/// What is around a part of a layout.
#[derive(Clone, Copy)]
struct Around {
    /// Where the part starts.
    start: u64,
    /// How many arrays it is in.
    arrays: u8,
    /// How many of these, from the outermost on, the offsets are spread over.
    spread: u8,
}

impl Tile {
    pub fn piece(&self) -> Piece {
        Piece { start: self.start, end: self.end() }
    }

    pub fn end(&self) -> u64 {
        self.size.map_or(u64::MAX, |size| self.start.saturating_add(size))
    }
}

impl Layout {
    pub fn size(&self) -> Option<u64> {
        match self {
            Layout::Exact { size, .. } => Some(*size),
            Layout::Blob { size } | Layout::Parts { size, .. } => *size,
            Layout::Array { stride, count, .. } => count.map(|n| stride.saturating_mul(n)),
        }
    }

    /// Calls `see` with every tile that has one of the offsets, the offsets within it, counted from
    /// its start (for a blob these are of no interest), and how many of the arrays around the tile,
    /// from the outermost on, they are spread over.
    pub fn visit(&self, offsets: &Offsets, see: &mut dyn FnMut(Tile, &Offsets, u8)) {
        self.visit_at(Around { start: 0, arrays: 0, spread: 0 }, offsets, see);
    }

    fn visit_at(&self, around: Around, offsets: &Offsets, see: &mut dyn FnMut(Tile, &Offsets, u8)) {
        let Some(offsets) = offsets.below(self.size()) else { return };
        let Around { start, arrays, spread } = around;
        match self {
            Layout::Exact { size, scalar, padding } => {
                let (size, scalar, padding) = (Some(*size), *scalar, *padding);
                see(Tile { start, size, scalar, padding, blob: false }, &offsets, spread);
            }
            Layout::Blob { size } => {
                let spread = if offsets.single() == Some(0) { spread } else { arrays + 1 };
                let tile = Tile { start, size: *size, scalar: None, padding: false, blob: true };
                see(tile, &offsets, spread);
            }
            Layout::Parts { parts, .. } => {
                for (at, part) in parts {
                    if let Some(inside) = offsets.within(*at, part.size()) {
                        part.visit_at(Around { start: start + at, ..around }, &inside, see);
                    }
                }
            }
            Layout::Array { stride, element, .. } => {
                let first = offsets.are_below(*stride);
                let spread = if first { spread } else { arrays + 1 };
                let inside = Around { start, arrays: arrays + 1, spread };
                element.visit_at(inside, &offsets.modulo(*stride), see);
            }
        }
    }

    /// All offsets that a position, counted from the start of the layout, stands for, if it is
    /// spread over so many of the arrays around it.
    pub fn offsets_of(&self, position: u64, spread: u8) -> Offsets {
        let mut offsets = Offsets::at(position.into());
        let (mut layout, mut rest, mut arrays) = (self, position, 0);
        loop {
            match layout {
                Layout::Exact { .. } => return offsets,
                Layout::Blob { size } => {
                    if arrays < spread {
                        offsets.add_steps(1, *size);
                    }
                    return offsets;
                }
                Layout::Parts { parts, .. } => {
                    let next = parts.iter().rev().find(|(at, _)| *at <= rest);
                    let Some((at, part)) = next else { return offsets };
                    (layout, rest) = (part, rest - at);
                }
                Layout::Array { stride, count, element } => {
                    if arrays < spread {
                        offsets.add_steps(*stride, *count);
                    }
                    arrays += 1;
                    (layout, rest) = (element, rest % stride);
                }
            }
        }
    }

    /// The tile at a position.
    pub fn tile(&self, position: u64) -> Option<Tile> {
        let mut found = None;
        self.visit(&Offsets::at(position.into()), &mut |tile, _, _| found = Some(tile));
        found
    }
}

/// Makes layouts, each once.
#[derive(Debug)]
pub(super) struct Layouts<'p> {
    types: &'p Types,
    made: FxHashMap<Type, Arc<Layout>>,
}

impl<'p> Layouts<'p> {
    pub fn new(types: &'p Types) -> Self {
        Layouts { types, made: FxHashMap::default() }
    }

    /// The layout of a variable.
    pub fn of_type(&mut self, ty: Type) -> Arc<Layout> {
        if let Some(layout) = self.made.get(&ty) {
            return layout.clone();
        }
        let layout = match ty {
            Type::Array(element, count) => {
                let element = self.types.get(element);
                self.array(element, Some(count.unwrap_or(0)))
            }
            Type::Record(id) => self.record(id),
            _ => {
                let size = self.types.size(ty);
                let scalar = ty.is_scalar().then_some(ty);
                Arc::new(Layout::Exact { size, scalar, padding: false })
            }
        };
        self.made.insert(ty, layout.clone());
        layout
    }

    /// An array with a given number of elements, or without end.
    fn array(&mut self, element: Type, count: Option<u64>) -> Arc<Layout> {
        let stride = self.types.size(element);
        match (stride, count) {
            (0, _) | (_, Some(0)) => {
                Arc::new(Layout::Exact { size: 0, scalar: None, padding: true })
            }
            (_, Some(1)) => self.of_type(element),
            _ => Arc::new(Layout::Array { stride, count, element: self.of_type(element) }),
        }
    }

    /// Memory that is asked for at run time, to be used as objects of the given type.
    pub fn of_allocation(&mut self, ty: Option<Type>, size: Option<u64>) -> Arc<Layout> {
        let Some(ty) = ty else { return Arc::new(Layout::Blob { size }) };
        if let Some(layout) = self.with_flexible_end(ty, size) {
            return layout;
        }
        match self.types.size(ty) {
            0 => Arc::new(Layout::Blob { size }),
            each => self.array(ty, size.map(|size| size.div_ceil(each))),
        }
    }

    /// A structure that ends with an array without length, and memory for that array.
    fn with_flexible_end(&mut self, ty: Type, size: Option<u64>) -> Option<Arc<Layout>> {
        let Type::Record(id) = ty else { return None };
        let last = self.types.records[id].fields.last()?;
        let Type::Array(element, None) = last.ty else { return None };
        let element = self.types.get(element);
        let each = self.types.size(element);
        let room = size.map(|size| size.saturating_sub(last.offset));
        let count = room.map(|room| room.checked_div(each).unwrap_or(0) + 1);
        let mut parts = self.parts(id);
        parts.retain(|(at, part)| part.size().is_none_or(|size| at + size <= last.offset));
        let end = parts.last().map_or(0, |(at, part)| at + part.size().unwrap_or(0));
        pad(&mut parts, end, last.offset);
        let end = self.array(element, count);
        let size = end.size().map(|size| last.offset + size);
        parts.push((last.offset, end));
        Some(Arc::new(Layout::Parts { size, parts }))
    }

    fn record(&mut self, id: RecordId) -> Arc<Layout> {
        let size = Some(self.types.records[id].size);
        let parts = self.parts(id);
        Arc::new(Layout::Parts { size, parts })
    }

    /// The fields, what overlaps as one part, and the padding between them.
    fn parts(&mut self, id: RecordId) -> Vec<(u64, Arc<Layout>)> {
        let types = self.types;
        let record = &types.records[id];
        let mut fields: Vec<(u64, u64, Arc<Layout>)> = Vec::new();
        for field in &record.fields {
            let (size, layout) = match (field.bit, field.ty) {
                (Some(bit), Type::Int(int)) => {
                    let size = (u64::from(bit) + u64::from(int.bits)).div_ceil(8);
                    (size, Arc::new(Layout::Exact { size, scalar: None, padding: false }))
                }
                _ => (types.size(field.ty), self.of_type(field.ty)),
            };
            if size > 0 {
                fields.push((field.offset, size, layout));
            }
        }
        fields.sort_by_key(|(at, size, _)| (*at, *size));
        let mut parts: Vec<(u64, Arc<Layout>)> = Vec::new();
        let mut end = 0;
        for (at, size, layout) in fields {
            if at < end {
                let (first, before) = parts.pop().expect("something overlaps");
                let both = end.max(at + size) - first;
                parts.push((first, Arc::new(overlapping(both, &before, &layout))));
            } else {
                pad(&mut parts, end, at);
                parts.push((at, layout));
            }
            end = end.max(at + size);
        }
        pad(&mut parts, end, record.size);
        parts
    }
}

fn pad(parts: &mut Vec<(u64, Arc<Layout>)>, from: u64, to: u64) {
    if from < to {
        let size = to - from;
        parts.push((from, Arc::new(Layout::Exact { size, scalar: None, padding: true })));
    }
}

fn overlapping(size: u64, a: &Layout, b: &Layout) -> Layout {
    let exact = size <= SMALL_UNION || (size <= LARGE_UNION && !has_array(a) && !has_array(b));
    match exact {
        true => Layout::Exact { size, scalar: None, padding: false },
        false => Layout::Blob { size: Some(size) },
    }
}

fn has_array(layout: &Layout) -> bool {
    match layout {
        Layout::Exact { .. } => false,
        Layout::Parts { parts, .. } => parts.iter().any(|(_, part)| has_array(part)),
        Layout::Array { .. } | Layout::Blob { .. } => true,
    }
}

/// The greatest alignment that all offsets of a set have, up to a word.
pub(super) fn is_aligned(offsets: &Offsets, word: u64) -> bool {
    gcd(offsets.step(), word) == word && offsets.first().rem_euclid(word.into()) == 0
}
