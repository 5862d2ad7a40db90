//! The program as an environment: what names mean at a place of a C file.

use std::sync::Arc;

use lakatos_c::ast::{
    self, DeclId, DeclKind, Entity as CEntity, Meaning, ScopedName, StmtKind, Storage, Tag as CTag,
    Unit,
};
use lakatos_c::types::{ArrayLen, RecordId, Ty, TypeKind};
use lakatos_ir::{DataModel, Id, RecordKind, Span};
use rustc_hash::FxHashMap;

use crate::env::{CVariable, Entity, Environment, Member, Tag};
use crate::tree::Label;
use crate::types::{CType, Enum, Record};

/// A checked program, prepared for looking up names.
#[derive(Debug)]
pub struct Program<'u> {
    unit: &'u Unit,
    names: FxHashMap<&'u str, Vec<&'u ScopedName>>,
    /// Where loops are, and where their bodies begin.
    loops: Vec<(Span, u32)>,
    labels: Vec<(&'u str, u32)>,
}

/// A place in a program.
#[derive(Clone, Debug)]
pub struct Place<'p> {
    program: &'p Program<'p>,
    at: u32,
    /// The function that it belongs to.
    function: Option<DeclId>,
    /// For a contract, the parameters of the declaration behind it.
    params: &'p [DeclId],
    behaviors: &'p [String],
}

impl<'u> Program<'u> {
    pub fn new(unit: &'u Unit) -> Program<'u> {
        let mut names: FxHashMap<&str, Vec<&ScopedName>> = FxHashMap::default();
        for name in &unit.names {
            names.entry(unit.symbols.name(name.name)).or_default().push(name);
        }
        let mut loops = Vec::new();
        let mut labels = Vec::new();
        for (_, stmt) in unit.stmts.iter() {
            match stmt.kind {
                StmtKind::While { body, .. }
                | StmtKind::DoWhile { body, .. }
                | StmtKind::For { body, .. } => {
                    loops.push((stmt.span, unit.stmts[body].span.start));
                }
                StmtKind::Label(name) => labels.push((unit.symbols.name(name), stmt.span.start)),
                _ => {}
            }
        }
        Program { unit, names, loops, labels }
    }

    /// The function whose definition a position is in.
    pub fn function_at(&self, at: u32) -> Option<DeclId> {
        self.unit
            .functions
            .iter()
            .copied()
            .find(|&id| body(self.unit, id).is_some_and(|b| b.span.start <= at && at < b.span.end))
    }

    /// A place between statements of a function, or between functions.
    pub fn place(&self, at: u32) -> Place<'_> {
        let function = self.function_at(at);
        Place { program: self, at, function, params: &[], behaviors: &[] }
    }

    /// A place before a declaration of a function with these parameters.
    pub(crate) fn before<'p>(
        &'p self,
        at: u32,
        function: DeclId,
        params: &'p [DeclId],
    ) -> Place<'p> {
        Place { program: self, at, function: Some(function), params, behaviors: &[] }
    }

    /// What a function returns.
    pub fn result(&self, function: DeclId) -> Option<CType> {
        let types = &self.unit.types;
        let result = types.function_of(self.unit.decls[function].ty)?.result;
        Some(self.c_type(result))
    }

    fn c_type(&self, ty: Ty) -> CType {
        let unit = self.unit;
        let name = |symbol| unit.symbols.name(symbol).to_owned();
        match unit.types.kind(ty) {
            TypeKind::Void => CType::Void,
            TypeKind::Int(kind) => CType::Int(kind),
            TypeKind::Float(kind) => CType::Float(kind),
            TypeKind::Enum(id) => {
                let e = &unit.types.enums[id];
                let tag = e.tag.map(name).unwrap_or_default();
                CType::Enum(Enum { id: id.0, tag, underlying: e.underlying })
            }
            TypeKind::Record(id) => {
                let record = &unit.types.records[id];
                let tag = record.tag.map(name).unwrap_or_default();
                CType::Record(Record { id: id.0, kind: record.kind, tag })
            }
            TypeKind::Pointer(inner) => CType::Pointer(Arc::new(self.c_type(inner))),
            TypeKind::Array(inner, length) => {
                let length = match length {
                    ArrayLen::Fixed(length) => Some(length),
                    ArrayLen::Unknown | ArrayLen::Variable(_) => None,
                };
                CType::Array(Arc::new(self.c_type(inner)), length)
            }
            TypeKind::Complex(_)
            | TypeKind::Opaque(_)
            | TypeKind::Function(_)
            | TypeKind::VaList => CType::Other(unit.types.show(ty, &unit.symbols)),
        }
    }

    fn variable(&self, id: DeclId) -> Option<Entity> {
        let decl = &self.unit.decls[id];
        let DeclKind::Object(object) = &decl.kind else { return Some(Entity::Function) };
        Some(Entity::Variable(CVariable {
            id: id.0,
            name: self.unit.symbols.name(decl.name).to_owned(),
            ty: self.c_type(decl.ty),
            declared: decl.span,
            is_parameter: object.storage == Storage::Param,
        }))
    }

    fn fields(&self, id: RecordId, path: &[u32], members: &mut Vec<Member>) {
        for (number, field) in self.unit.types.records[id].fields.iter().enumerate() {
            let path = [path, &[number as u32]].concat();
            match (field.name, self.unit.types.kind(field.ty)) {
                (Some(name), _) => members.push(Member {
                    name: self.unit.symbols.name(name).to_owned(),
                    ty: self.c_type(field.ty),
                    path,
                }),
                (None, TypeKind::Record(inner)) => self.fields(inner, &path, members),
                (None, _) => {}
            }
        }
    }
}

/// The body of a function that has one.
pub(crate) fn body(unit: &Unit, function: DeclId) -> Option<&ast::Body> {
    match &unit.decls[function].kind {
        DeclKind::Function(function) => function.body.as_ref(),
        DeclKind::Object(_) => None,
    }
}

impl<'p> Place<'p> {
    pub fn function(&self) -> Option<DeclId> {
        self.function
    }

    /// The same place, where behaviours are known.
    pub(crate) fn with_behaviors(self, behaviors: &'p [String]) -> Place<'p> {
        Place { behaviors, ..self }
    }

    /// The innermost meaning at the place.
    fn meaning<T>(&self, name: &str, of: impl Fn(&Meaning) -> Option<T>) -> Option<T> {
        let all = self.program.names.get(name)?.iter();
        let here = all.filter(|n| n.scope.start <= self.at && self.at < n.scope.end);
        here.filter_map(|n| Some((n.scope.start, of(&n.meaning)?)))
            .max_by_key(|(start, _)| *start)
            .map(|(_, meaning)| meaning)
    }
}

impl Place<'_> {
    /// Where the body of the innermost loop around the place begins.
    fn innermost_loop(&self) -> Option<u32> {
        let around = self.program.loops.iter();
        let around = around.filter(|(span, _)| span.start <= self.at && self.at < span.end);
        around.max_by_key(|(span, _)| span.start).map(|(_, body)| *body)
    }

    /// Where a label of the function is, if it is before the place.
    fn label(&self, name: &str) -> Option<u32> {
        let body = self.function.and_then(|f| body(self.program.unit, f))?;
        let before = |start: u32| body.span.start <= start && start < self.at;
        let found = self.program.labels.iter().find(|(label, at)| *label == name && before(*at));
        found.map(|(_, at)| *at)
    }

    /// Whether a position is in the scope of a declaration.
    fn in_scope(&self, decl: DeclId, variable: &CVariable, at: u32) -> bool {
        let all = self.program.names.get(variable.name.as_str());
        all.into_iter().flatten().any(|n| {
            matches!(n.meaning, Meaning::Ordinary(CEntity::Decl(id)) if id == decl)
                && n.scope.start <= at
                && at < n.scope.end
        })
    }
}

impl Environment for Place<'_> {
    fn model(&self) -> DataModel {
        self.program.unit.types.model
    }

    fn name(&self, name: &str) -> Option<Entity> {
        let unit = self.program.unit;
        let named = |id: &&DeclId| unit.symbols.name(unit.decls[**id].name) == name;
        if let Some(param) = self.params.iter().find(named) {
            return self.program.variable(*param);
        }
        let entity = self.meaning(name, |meaning| match meaning {
            Meaning::Ordinary(entity) => Some(*entity),
            Meaning::Tag(_) => None,
        })?;
        match entity {
            CEntity::Typedef(ty) => Some(Entity::Typedef(self.program.c_type(ty))),
            CEntity::Decl(id) => self.program.variable(id),
            CEntity::EnumConst { value, ty } => {
                Some(Entity::Enumerator { value: value.into(), ty: self.program.c_type(ty) })
            }
        }
    }

    fn tag(&self, tag: Tag, name: &str) -> Option<CType> {
        let types = &self.program.unit.types;
        let found = self.meaning(name, |meaning| match meaning {
            Meaning::Tag(tag) => Some(*tag),
            Meaning::Ordinary(_) => None,
        })?;
        let ty = match found {
            CTag::Record(id) => {
                let record = &types.records[id];
                let wanted = match tag {
                    Tag::Struct => RecordKind::Struct,
                    Tag::Union => RecordKind::Union,
                    Tag::Enum => return None,
                };
                (record.kind == wanted).then(|| {
                    CType::Record(Record { id: id.0, kind: wanted, tag: name.to_owned() })
                })?
            }
            CTag::Enum(id) => {
                let underlying = types.enums[id].underlying;
                (tag == Tag::Enum)
                    .then(|| CType::Enum(Enum { id: id.0, tag: name.to_owned(), underlying }))?
            }
        };
        Some(ty)
    }

    fn members(&self, record: &Record) -> Option<Vec<Member>> {
        let id = RecordId::from_index(record.id as usize);
        if !self.program.unit.types.records.get(id)?.complete {
            return None;
        }
        let mut members = Vec::new();
        self.program.fields(id, &[], &mut members);
        Some(members)
    }

    fn record_size(&self, record: &Record) -> Option<u64> {
        let id = RecordId::from_index(record.id as usize);
        let record = self.program.unit.types.records.get(id)?;
        record.complete.then_some(record.size)
    }

    fn has_label(&self, name: &str) -> bool {
        self.label(name).is_some()
    }

    fn in_loop(&self) -> bool {
        self.innermost_loop().is_some()
    }

    fn behaviors(&self) -> Vec<String> {
        self.behaviors.to_vec()
    }

    fn exists(&self, variable: &CVariable, label: &Label) -> bool {
        let decl = DeclId::from_index(variable.id as usize);
        let DeclKind::Object(object) = &self.program.unit.decls[decl].kind else { return true };
        let automatic = matches!(object.storage, Storage::Local | Storage::Param);
        match label {
            Label::Init => !automatic,
            Label::Pre => object.storage != Storage::Local,
            Label::LoopEntry | Label::LoopCurrent => match self.innermost_loop() {
                Some(body) => !automatic || variable.declared.start < body,
                None => true,
            },
            Label::C(name) => {
                !automatic || self.label(name).is_some_and(|at| self.in_scope(decl, variable, at))
            }
            Label::Here | Label::Old | Label::Post | Label::Logic(_) => true,
        }
    }
}
