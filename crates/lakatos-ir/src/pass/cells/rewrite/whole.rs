//! Memory that changes as a whole: what becomes of its cells.

use super::Rewriter;
use crate::expr::{ExprId, ExprKind, PlaceId, PlaceKind};
use crate::interpret::leaf_at;
use crate::pass::cells::follow::Cells;
use crate::pass::cells::path::Into;
use crate::points_to::{Origin, RegionEffects, RegionId};
use crate::program::{Edge, EdgeId, Instr, Part, Piece, Site, SiteId};
use crate::source::Span;
use crate::ty::Type;

impl Rewriter<'_> {
    /// Aggregates: what is made zero, or copied field by field, is known; the rest is forgotten.
    pub(super) fn copy(&mut self, id: EdgeId, edge: &Edge, span: Span) -> Vec<Instr> {
        let Instr::Assign(place, value) = &edge.instr else { return Vec::new() };
        let to = self.path(*place).filter(|path| path.indices.is_empty());
        let value = self.before.exprs[*value].kind.clone();
        let mut steps = Vec::new();
        for region in self.written(id) {
            let position = self.followed.at.iter().find(|(_, r)| **r == region).map(|(p, _)| p);
            let rest = to.as_ref().zip(position).and_then(|(to, position)| {
                let same = to.position.0 == position.0;
                same.then(|| position.1.strip_prefix(&to.position.1[..])).flatten()
            });
            match (rest, &value) {
                (Some(_), ExprKind::Zero) => steps.extend(self.clear(region, span)),
                (Some(rest), ExprKind::Load(from)) => match self.copied(*from, rest, span) {
                    Some(value) => {
                        let cell = self.followed.regions[&region].all()[0];
                        let value = self.pointer_as(value, self.program.vars[cell].ty, span);
                        steps.push(self.set(cell, value, span));
                    }
                    None => steps.extend(self.forget(region, span)),
                },
                _ => steps.extend(self.forget(region, span)),
            }
        }
        steps
    }

    /// The value of a field of a place, if it has a cell.
    fn copied(&mut self, from: PlaceId, rest: &[Into], span: Span) -> Option<ExprId> {
        let path = self.path(from).filter(|path| path.indices.is_empty())?;
        let mut position = path.position;
        position.1.extend(rest);
        let region = self.followed.at.get(&position)?;
        match self.followed.regions[region] {
            Cells::Whole(cell) => Some(self.program.load_var(cell, span)),
            _ => None,
        }
    }

    /// The followed regions that an edge writes by itself.
    fn written(&self, id: EdgeId) -> Vec<RegionId> {
        self.followed_of(RegionEffects::of_edge_alone(self.before, self.memory, self.proc, id))
    }

    /// What is written and followed.
    pub(super) fn followed_of(&self, effects: RegionEffects) -> Vec<RegionId> {
        let written = effects.writes.into_iter();
        written.filter(|region| self.followed.regions.contains_key(region)).collect()
    }

    /// Of what an edge writes by itself nothing is known any more.
    pub(super) fn forget_written(&mut self, id: EdgeId, span: Span) -> Vec<Instr> {
        self.forget_all(id, self.written(id), span)
    }

    /// Of these nothing is known any more, but for the arguments of a call.
    pub(super) fn forget_all(
        &mut self,
        id: EdgeId,
        written: Vec<RegionId>,
        span: Span,
    ) -> Vec<Instr> {
        let given: Vec<RegionId> = self
            .memory
            .targets(self.proc, id)
            .iter()
            .flat_map(|callee| &self.before.procs[*callee].params)
            .filter_map(|param| self.scalar_param(*param))
            .collect();
        let written = written.into_iter().filter(|region| !given.contains(region));
        written.flat_map(|region| self.forget(region, span)).collect()
    }

    /// All that an edge writes is zero then, if it makes one object only: of several, one is meant
    /// each time, and the others stay as they are.
    pub(super) fn clear_written(&mut self, id: EdgeId, span: Span) -> Vec<Instr> {
        let written = self.written(id);
        match self.makes_one(id) {
            true => written.into_iter().flat_map(|region| self.clear(region, span)).collect(),
            false => self.forget_all(id, written, span),
        }
    }

    /// Whether an edge that makes memory always makes the same object, as far as objects are told apart.
    fn makes_one(&self, id: EdgeId) -> bool {
        let makes = |origin: &Origin| match origin {
            Origin::Heap(calls) | Origin::Alloca(calls) => calls.last() == Some(&(self.proc, id)),
            _ => false,
        };
        self.memory.objects().iter().filter(|(_, object)| makes(&object.origin)).count() == 1
    }

    fn clear(&mut self, region: RegionId, span: Span) -> Vec<Instr> {
        let cells = self.followed.regions[&region].all().iter();
        let cleared = cells.map(|cell| {
            let ty = self.program.vars[*cell].ty;
            let zero = match ty {
                Type::Pointer(_) => ExprKind::Null,
                Type::Array(..) => ExprKind::Zero,
                _ => ExprKind::Int(0),
            };
            let zero = self.program.expr(zero, ty, span);
            self.set(*cell, zero, span)
        });
        let mut steps: Vec<Instr> = cleared.collect();
        steps.extend(self.forget_recent_of(region, span));
        steps
    }

    /// An aggregate gets a value from outside: each of its cells is a scalar of it.
    pub(super) fn fill_aggregate(
        &mut self,
        id: EdgeId,
        place: PlaceId,
        site: SiteId,
        span: Span,
    ) -> Vec<Instr> {
        let is_all = matches!(self.before.places[place].kind, PlaceKind::Var(_));
        let (types, ty) = (&self.before.types, self.before.places[place].ty);
        self.fill_written(id, span, |offset| {
            let scalar = leaf_at(types, ty, offset).filter(|_| is_all)?;
            Some(Piece { of: site, part: Part::Leaf(scalar) })
        })
    }

    /// Fresh memory holds anything: each of its cells is some bytes of it.
    pub(super) fn fill_memory(
        &mut self,
        id: EdgeId,
        site: Option<SiteId>,
        span: Span,
    ) -> Vec<Instr> {
        match site.filter(|_| self.makes_one(id)) {
            Some(of) => {
                self.fill_written(id, span, |offset| Some(Piece { of, part: Part::Bytes(offset) }))
            }
            None => self.forget_written(id, span),
        }
    }

    /// All that an edge writes by itself comes in piece by piece, by the offset of each in its object.
    fn fill_written(
        &mut self,
        id: EdgeId,
        span: Span,
        piece: impl Fn(u64) -> Option<Piece>,
    ) -> Vec<Instr> {
        let mut steps = Vec::new();
        for region in self.written(id) {
            match (&self.followed.regions[&region], &self.memory.regions()[region].cells[..]) {
                (Cells::Whole(cell), [place])
                    if let Some(piece) = piece(self.memory.cells()[*place].offset) =>
                {
                    let site = self.piece(piece, self.program.vars[*cell].ty);
                    steps.push(Instr::Havoc(self.program.var_place(*cell, span), site));
                }
                _ => steps.extend(self.forget(region, span)),
            }
        }
        steps
    }

    /// The site of a piece; wherever it is one of the same it is passed as often as what it is of.
    fn piece(&mut self, piece: Piece, ty: Type) -> SiteId {
        let sites = &self.program.sites;
        let mut known = self.program.pieces.iter();
        let known = known.find(|(site, own)| **own == piece && sites[**site].ty == ty);
        if let Some((site, _)) = known {
            return *site;
        }
        let site = Site { ty, ..sites[piece.of].clone() };
        let site = self.program.sites.push(site);
        self.program.pieces.insert(site, piece);
        site
    }

    pub(super) fn forget(&mut self, region: RegionId, span: Span) -> Vec<Instr> {
        let cells = self.followed.regions[&region].all().iter();
        let forgotten = cells.map(|cell| {
            Instr::Havoc(self.program.var_place(*cell, span), self.followed.sites[cell])
        });
        let mut steps: Vec<Instr> = forgotten.collect();
        steps.extend(self.forget_recent_of(region, span));
        steps
    }
}
