//! Variables of the program by their declarations.

use std::collections::{BTreeMap, BTreeSet};

use lakatos_acsl::env::CVariable;
use lakatos_c::ast::{Decl, DeclKind, Storage, Unit};
use lakatos_c::types::TypeKind;
use lakatos_ir::{IntType, Program, Span, Type, Var, VarId, VarKind};

/// Where variables are declared.
#[derive(Debug, Default)]
pub(crate) struct Names {
    declared: BTreeMap<Span, VarId>,
    /// Variables that only annotations speak of.
    pub added: BTreeSet<VarId>,
}

impl Names {
    /// An external object that no code uses is no variable yet; it becomes one, since annotations
    /// may speak of it.
    pub fn new(program: &mut Program, unit: &Unit) -> Names {
        let named = |var: &Var| {
            matches!(
                var.kind,
                VarKind::Global | VarKind::Static(_) | VarKind::Param(_) | VarKind::Local(_)
            )
        };
        let declared = program.vars.iter().filter(|(_, var)| named(var));
        let declared = declared.map(|(id, var)| (var.span, id)).collect();
        let mut names = Names { declared, added: BTreeSet::new() };
        for decl in unit.objects.iter().map(|decl| &unit.decls[*decl]) {
            if let Some(ty) = external_integer(unit, decl)
                && !names.declared.contains_key(&decl.span)
            {
                let id = program.vars.push(Var {
                    name: unit.symbols.name(decl.name).to_owned(),
                    ty: Type::Int(ty),
                    kind: VarKind::Global,
                    span: decl.span,
                    address_taken: false,
                    c_type: unit.types.show(decl.ty, &unit.symbols),
                });
                names.declared.insert(decl.span, id);
                names.added.insert(id);
            }
        }
        names
    }

    /// The variable that a name of an annotation means.
    pub fn variable(&self, program: &Program, variable: &CVariable) -> Option<VarId> {
        let known = self.declared.get(&variable.declared).copied()?;
        (program.vars[known].name == variable.name).then_some(known)
    }
}

fn external_integer(unit: &Unit, decl: &Decl) -> Option<IntType> {
    let DeclKind::Object(object) = &decl.kind else { return None };
    let kind = match unit.types.kind(decl.ty) {
        TypeKind::Int(kind) => kind,
        TypeKind::Enum(id) => unit.types.enums[id].underlying,
        _ => return None,
    };
    (object.storage == Storage::Extern).then(|| kind.int_type(unit.types.model))
}
