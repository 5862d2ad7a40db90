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
    pub indices: Vec<Vec<ExprId>>,
}

impl Path {
    pub fn of(program: &Program, memory: &PointsTo, place: PlaceId) -> Option<Path> {
        match program.places[place].kind {
            PlaceKind::Var(var) => {
                let object = memory.object(&Origin::Var(var))?;
                Some(Path { position: (object, Vec::new()), indices: Vec::new() })
            }
            PlaceKind::Deref(pointer) => {
                Path::behind(program, memory, pointer, program.places[place].ty)
            }
            PlaceKind::Field(base, field) => {
                let Type::Record(record) = program.places[base].ty else { return None };
                let mut path = Path::of(program, memory, base)?;
                path.position.1.push(Into::Field(record, field));
                Some(path)
            }
            PlaceKind::Index(base, index) => {
                let Type::Array(_, length @ Some(_)) = program.places[base].ty else { return None };
                let mut path = Path::of(program, memory, base)?;
                path.position.1.push(Into::Element(length));
                path.indices.push(vec![index]);
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
        indices.all(|index| is_constant(program, *index))
    }

    /// What a pointer points to that is the beginning of one object, plus indices.
    fn behind(program: &Program, memory: &PointsTo, pointer: ExprId, ty: Type) -> Option<Path> {
        let (mut base, mut index) = (pointer, Vec::new());
        while let ExprKind::PtrAdd(inner, added) = program.exprs[base].kind
            && program.exprs[base].ty == program.exprs[pointer].ty
        {
            (base, index) = (inner, [vec![added], index].concat());
        }
        let pointees = memory.pointees(base);
        let [target] = pointees[..] else { return None };
        if !matches!(target.offset, Offset::At(0, 0)) {
            return None;
        }
        let object = &memory.objects()[target.object];
        let length = match (&object.origin, object.ty) {
            (Origin::Heap(_) | Origin::Alloca(_), _) => None,
            (Origin::Var(_), Some(Type::Array(element, length)))
                if program.types.get(element) == ty =>
            {
                length
            }
            (Origin::Var(_), Some(own)) if own == ty && index.is_empty() => {
                return Some(Path { position: (target.object, Vec::new()), indices: Vec::new() });
            }
            _ => return None,
        };
        Some(Path { position: (target.object, vec![Into::Element(length)]), indices: vec![index] })
    }
}

fn is_constant(program: &Program, e: ExprId) -> bool {
    match program.exprs[e].kind {
        ExprKind::Int(_) => true,
        ExprKind::Cast(of) => is_constant(program, of),
        _ => false,
    }
}
