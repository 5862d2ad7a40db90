//! What the program around an annotation is: the names of C at its place, and their types.

use std::collections::BTreeMap;

use dashu_int::IBig;
use lakatos_c::types::{FloatKind, IntKind};
use lakatos_ir::{DataModel, RecordKind, Span};

use crate::tree::Label;
use crate::types::{CType, Record};

/// What a name of the program means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entity {
    Variable(CVariable),
    Function,
    Typedef(CType),
    /// A constant of an enumeration.
    Enumerator {
        value: IBig,
        ty: CType,
    },
}

/// A variable of the program.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CVariable {
    /// Which one, for the environment: names may be hidden.
    pub id: u32,
    pub name: String,
    pub ty: CType,
    /// The name in its declaration, which is what variables of the IR are known by.
    pub declared: Span,
    /// A parameter of the function that the annotation is about.
    pub is_parameter: bool,
}

/// A tag's word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tag {
    Struct,
    Union,
    Enum,
}

/// A member of a struct or union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    pub name: String,
    pub ty: CType,
    /// From the record to the member: the numbers of fields, several where a record has no name.
    pub path: Vec<u32>,
}

/// The program at one place.
pub trait Environment {
    fn model(&self) -> DataModel;

    /// What an identifier means.
    fn name(&self, name: &str) -> Option<Entity>;

    /// The type of a tag.
    fn tag(&self, tag: Tag, name: &str) -> Option<CType>;

    /// The members of a record, those of records without a name in it included; `None` if it is
    /// not complete.
    fn members(&self, record: &Record) -> Option<Vec<Member>>;

    /// The size of a record in bytes.
    fn record_size(&self, record: &Record) -> Option<u64>;

    /// Whether a label of C is before the place, in its function.
    fn has_label(&self, name: &str) -> bool;

    /// Whether the place is in a loop, or before one that is annotated.
    fn in_loop(&self) -> bool;

    /// The behaviours of the function that the place is in.
    fn behaviors(&self) -> Vec<String>;

    /// Whether a variable is there in a state that can be named at the place.
    fn exists(&self, _variable: &CVariable, _label: &Label) -> bool {
        true
    }
}

/// The size of a type in bytes, where it has one.
pub fn size(env: &dyn Environment, ty: &CType) -> Option<u64> {
    let model = env.model();
    match ty {
        CType::Int(kind) => Some(kind.int_type(model).bytes()),
        CType::Enum(e) => Some(e.underlying.int_type(model).bytes()),
        CType::Float(FloatKind::Float) => Some(4),
        CType::Float(FloatKind::Double) => Some(8),
        CType::Float(FloatKind::Float128) => Some(16),
        CType::Float(FloatKind::LongDouble) => Some(match model {
            DataModel::Ilp32 => 12,
            DataModel::Lp64 => 16,
        }),
        CType::Pointer(_) => Some(model.pointer_bytes()),
        CType::Array(inner, Some(length)) => size(env, inner)?.checked_mul(*length),
        CType::Record(record) => env.record_size(record),
        CType::Void | CType::Array(_, None) | CType::Other(_) => None,
    }
}

/// An environment that is a table: for files without a program, and for tests.
#[derive(Clone, Debug, Default)]
pub struct Table {
    pub model: DataModel,
    pub names: BTreeMap<String, Entity>,
    pub tags: BTreeMap<(Tag, String), CType>,
    /// By the record's id.
    pub records: BTreeMap<u32, Vec<Member>>,
    pub labels: Vec<String>,
    pub in_loop: bool,
    pub behaviors: Vec<String>,
}

impl Table {
    /// Adds a variable.
    pub fn variable(&mut self, name: &str, ty: CType, is_parameter: bool) {
        let id = self.names.len() as u32;
        let name = name.to_owned();
        let declared = Span::default();
        let variable = CVariable { id, name: name.clone(), ty, declared, is_parameter };
        self.names.insert(name, Entity::Variable(variable));
    }

    /// Adds a struct with its members.
    pub fn record(&mut self, tag: &str, members: &[(&str, CType)]) -> CType {
        let id = self.records.len() as u32;
        let record = Record { id, kind: RecordKind::Struct, tag: tag.to_owned() };
        let ty = CType::Record(record);
        let members = members.iter().enumerate().map(|(number, (name, ty))| Member {
            name: (*name).to_owned(),
            ty: ty.clone(),
            path: vec![number as u32],
        });
        self.records.insert(id, members.collect());
        self.tags.insert((Tag::Struct, tag.to_owned()), ty.clone());
        ty
    }
}

impl Environment for Table {
    fn model(&self) -> DataModel {
        self.model
    }

    fn name(&self, name: &str) -> Option<Entity> {
        self.names.get(name).cloned()
    }

    fn tag(&self, tag: Tag, name: &str) -> Option<CType> {
        self.tags.get(&(tag, name.to_owned())).cloned()
    }

    fn members(&self, record: &Record) -> Option<Vec<Member>> {
        self.records.get(&record.id).cloned()
    }

    fn record_size(&self, _: &Record) -> Option<u64> {
        None
    }

    fn has_label(&self, name: &str) -> bool {
        self.labels.iter().any(|label| label == name)
    }

    fn in_loop(&self) -> bool {
        self.in_loop
    }

    fn behaviors(&self) -> Vec<String> {
        self.behaviors.clone()
    }
}

/// Whether all values of one integer type are values of another.
pub fn includes(model: DataModel, outer: IntKind, inner: IntKind) -> bool {
    let (outer, inner) = (outer.int_type(model), inner.int_type(model));
    match (outer.signed, inner.signed) {
        (true, false) => outer.bits > inner.bits,
        (false, true) => false,
        _ => outer.bits >= inner.bits,
    }
}
