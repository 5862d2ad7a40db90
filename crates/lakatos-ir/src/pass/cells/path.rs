//! Places as positions in objects.

use crate::expr::{ExprId, ExprKind, PlaceId, PlaceKind};
use crate::points_to::{ObjectId, Offset, Origin, PointsTo};
use crate::program::Program;
use crate::ty::{RecordId, Type};

/// A step into an aggregate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Into {
    Field(RecordId, u32),
    /// Of so many, where it is known.
    Element(Option<u64>),
}

impl Into {
    /// The number of elements, for a step that takes an index.
    pub fn length(self) -> Option<Option<u64>> {
        match self {
            Into::Field(..) => None,
            Into::Element(length) => Some(length),
        }
    }
}

/// Where something is in an object, indices left open.
pub(super) type Position = (ObjectId, Vec<Into>);

/// A place in the only object that it can be in.
#[derive(Clone, Debug)]
pub(super) struct Path {
    pub position: Position,
    /// Each is a sum; that of nothing is the first element.
    pub indices: Vec<Vec<Part>>,
}

/// A part of an index.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part {
    Index(ExprId),
    /// How many elements a pointer is behind the first one, which is so many bytes behind the start of
    /// the object.
    From {
        pointer: ExprId,
        first: u64,
    },
}

impl Path {
    /// `walks` says whether pointers that walk through arrays are followed.
    pub fn of(program: &Program, memory: &PointsTo, place: PlaceId, walks: bool) -> Option<Path> {
        match program.places[place].kind {
            PlaceKind::Var(var) => {
                let object = memory.object(&Origin::Var(var))?;
                Some(Path { position: (object, Vec::new()), indices: Vec::new() })
            }
            PlaceKind::Deref(pointer) => {
                let behind = Behind::new(program, memory, pointer, program.places[place].ty);
                behind.exact().or_else(|| behind.walked().filter(|_| walks))
            }
            PlaceKind::Field(base, field) => {
                let Type::Record(record) = program.places[base].ty else { return None };
                let mut path = Path::of(program, memory, base, walks)?;
                path.position.1.push(Into::Field(record, field));
                Some(path)
            }
            PlaceKind::Index(base, index) => {
                let Type::Array(_, length @ Some(_)) = program.places[base].ty else { return None };
                let mut path = Path::of(program, memory, base, walks)?;
                path.position.1.push(Into::Element(length));
                path.indices.push(vec![Part::Index(index)]);
                Some(path)
            }
        }
    }

    /// Some index is a sum.
    pub fn has_sums(&self) -> bool {
        self.indices.iter().any(|index| index.len() > 1)
    }

    /// All indices are constants.
    pub fn is_named(&self, program: &Program) -> bool {
        let mut indices = self.indices.iter().flatten();
        indices.all(|part| matches!(part, Part::Index(index) if is_constant(program, *index)))
    }
}

/// What is behind a pointer, plus indices.
struct Behind<'a> {
    program: &'a Program,
    memory: &'a PointsTo,
    /// The pointer without what is added to it, and that.
    base: ExprId,
    index: Vec<Part>,
    ty: Type,
}

impl<'a> Behind<'a> {
    fn new(program: &'a Program, memory: &'a PointsTo, pointer: ExprId, ty: Type) -> Behind<'a> {
        let (mut base, mut index) = (pointer, Vec::new());
        while let ExprKind::PtrAdd(inner, added) = program.exprs[base].kind
            && program.exprs[base].ty == program.exprs[pointer].ty
        {
            (base, index) = (inner, [vec![Part::Index(added)], index].concat());
        }
        Behind { program, memory, base, index, ty }
    }

    /// It points to the beginning of one object.
    fn exact(&self) -> Option<Path> {
        let pointees = self.memory.pointees(self.base);
        let [target] = pointees[..] else { return None };
        if !matches!(target.offset, Offset::At(0, 0)) {
            return None;
        }
        let object = &self.memory.objects()[target.object];
        let length = match (&object.origin, object.ty) {
            (Origin::Heap(_) | Origin::Alloca(_), _) => None,
            (Origin::Var(_), Some(Type::Array(element, length)))
                if self.program.types.get(element) == self.ty =>
            {
                length
            }
            (Origin::Var(_), Some(own)) if own == self.ty && self.index.is_empty() => {
                return Some(Path { position: (target.object, Vec::new()), indices: Vec::new() });
            }
            _ => return None,
        };
        let position = (target.object, vec![Into::Element(length)]);
        Some(Path { position, indices: vec![self.index.clone()] })
    }

    /// It points to an element of one array. Where it is outside there is nothing that could be
    /// accessed.
    fn walked(&self) -> Option<Path> {
        let mut found = None;
        for target in self.memory.pointees(self.base) {
            let at = match target.offset {
                Offset::At(offset, 0 | 1) => Some(offset),
                Offset::End | Offset::Beyond | Offset::Out { .. } => None,
                Offset::At(..) | Offset::Any => return None,
            };
            let (object, first) = found.get_or_insert((target.object, at));
            if *object != target.object || at.is_some() && first.is_some() && *first != at {
                return None;
            }
            *first = first.or(at);
        }
        let (object, Some(first)) = found? else { return None };
        let data = &self.memory.objects()[object];
        let steps = match (&data.origin, data.ty) {
            (Origin::Heap(_) | Origin::Alloca(_), _) if first == 0 => vec![Into::Element(None)],
            (Origin::Var(_), Some(own)) => array_at(self.program, own, first, self.ty)?,
            _ => return None,
        };
        let part = Part::From { pointer: self.base, first };
        let indices = vec![[&[part], &self.index[..]].concat()];
        Some(Path { position: (object, steps), indices })
    }
}

/// The way to an element of the outermost array of such elements whose first one is at an offset.
fn array_at(program: &Program, ty: Type, offset: u64, element: Type) -> Option<Vec<Into>> {
    match ty {
        Type::Array(inner, length @ Some(_)) if offset == 0 => {
            (program.types.get(inner) == element).then(|| vec![Into::Element(length)])
        }
        Type::Record(record) => {
            let fields = program.types.records[record].fields.iter().enumerate();
            let mut ways = fields.filter_map(|(number, field)| {
                let inside = offset.checked_sub(field.offset)?;
                let rest = array_at(program, field.ty, inside, element)?;
                Some([vec![Into::Field(record, number as u32)], rest].concat())
            });
            // Of a union, several may be there.
            ways.next().filter(|_| ways.next().is_none())
        }
        _ => None,
    }
}

fn is_constant(program: &Program, e: ExprId) -> bool {
    match program.exprs[e].kind {
        ExprKind::Int(_) => true,
        ExprKind::Cast(of) => is_constant(program, of),
        _ => false,
    }
}
