//! Which automatic objects keep their addresses to themselves.
//!
//! Such an object is only accessed by its own function, so that nothing else changes it, `volatile`
//! or not. An address leaves where it is passed to a function, returned, stored in anything but an
//! automatic pointer variable, or made an integer. Pointer variables that hold such addresses are
//! followed in the same way. The analysis has no order of statements: it looks at every use.

use lakatos_ir::Id;
use rustc_hash::{FxHashMap, FxHashSet};

use super::library;
use crate::ast::{
    CBuiltin, DeclId, DeclKind, ExprId, ExprKind, InitItem, Object, StmtKind, Storage, Unit,
};

/// Automatic objects of a unit whose addresses do not leave, and pointers to them.
#[derive(Debug, Default)]
pub(super) struct Homes {
    objects: FxHashSet<DeclId>,
    /// Automatic pointers that point to such objects only, or nowhere.
    pointers: FxHashSet<DeclId>,
    /// Conversions of what is passed to a function that is known by name.
    library_arguments: FxHashSet<ExprId>,
}

impl Homes {
    /// Empty if no type of the unit is volatile: then it does not matter.
    pub fn new(unit: &Unit) -> Homes {
        if !unit.types.has_volatile() {
            return Homes::default();
        }
        let uses = Uses::new(unit);
        let mut objects = FxHashSet::default();
        let mut holders = FxHashSet::default();
        for decl in unit.decls.ids().filter(|&decl| is_automatic(unit, decl)) {
            if let Some(found) = uses.holders_of(decl) {
                objects.insert(decl);
                holders.extend(found);
            }
        }
        let pointers = uses.pointers_home(holders, &objects);
        let library_arguments = uses.library_arguments();
        Homes { objects, pointers, library_arguments }
    }

    pub fn is_library_argument(&self, e: ExprId) -> bool {
        self.library_arguments.contains(&e)
    }

    /// Whether an lvalue is a part of such an object.
    pub fn is_home(&self, unit: &Unit, mut lvalue: ExprId) -> bool {
        loop {
            lvalue = match root(unit, lvalue) {
                Root::Object(decl) => return self.objects.contains(&decl),
                Root::Value => return true,
                Root::Pointer(pointer) => match self.pointee(unit, pointer) {
                    Pointee::Lvalue(lvalue) => lvalue,
                    Pointee::Home => return true,
                    Pointee::Other => return false,
                },
            }
        }
    }

    /// Whether a pointer is nowhere but at such an object.
    pub fn points_home(&self, unit: &Unit, pointer: ExprId) -> bool {
        match self.pointee(unit, pointer) {
            Pointee::Lvalue(lvalue) => self.is_home(unit, lvalue),
            Pointee::Home => true,
            Pointee::Other => false,
        }
    }

    fn pointee(&self, unit: &Unit, mut pointer: ExprId) -> Pointee {
        loop {
            pointer = match unit.exprs[pointer].kind {
                ExprKind::Convert { operand, .. } => operand,
                ExprKind::PtrAdd { pointer, .. } => pointer,
                ExprKind::Comma(_, second) => second,
                ExprKind::AddrOf(lvalue) | ExprKind::Decay(lvalue) => {
                    return Pointee::Lvalue(lvalue);
                }
                // The null pointer.
                ExprKind::Int(0) => return Pointee::Home,
                ExprKind::Load(lvalue) => match unit.exprs[lvalue].kind {
                    ExprKind::Var(decl) if self.pointers.contains(&decl) => return Pointee::Home,
                    _ => return Pointee::Other,
                },
                _ => return Pointee::Other,
            }
        }
    }
}

enum Pointee {
    Lvalue(ExprId),
    Home,
    Other,
}

/// What an lvalue is a part of.
pub(super) enum Root {
    Object(DeclId),
    /// What a pointer points to.
    Pointer(ExprId),
    /// A value that is no object, or a literal.
    Value,
}

/// The object, or the pointer, that an lvalue begins with.
pub(super) fn root(unit: &Unit, mut lvalue: ExprId) -> Root {
    loop {
        lvalue = match unit.exprs[lvalue].kind {
            ExprKind::Var(decl) | ExprKind::CompoundLiteral(decl) => return Root::Object(decl),
            ExprKind::Member { base, .. } => base,
            ExprKind::Load(lvalue) => lvalue,
            ExprKind::Index { base, .. } => {
                let ty = unit.exprs[base].ty;
                if unit.types.element(ty).is_none() && unit.types.parts(ty).is_none() {
                    match unit.exprs[base].kind {
                        ExprKind::Decay(array) => array,
                        _ => return Root::Pointer(base),
                    }
                } else {
                    base
                }
            }
            ExprKind::Deref(pointer) => match unit.exprs[pointer].kind {
                ExprKind::AddrOf(lvalue) | ExprKind::Decay(lvalue) => lvalue,
                ExprKind::PtrAdd { pointer: base, .. } => match unit.exprs[base].kind {
                    ExprKind::Decay(array) => array,
                    _ => return Root::Pointer(pointer),
                },
                _ => return Root::Pointer(pointer),
            },
            _ => return Root::Value,
        }
    }
}

fn is_automatic(unit: &Unit, decl: DeclId) -> bool {
    match &unit.decls[decl].kind {
        DeclKind::Object(Object { storage, .. }) => {
            matches!(storage, Storage::Local | Storage::Param)
        }
        DeclKind::Function(_) => false,
    }
}

/// Where expressions of a unit are used.
struct Uses<'u> {
    unit: &'u Unit,
    parents: Vec<Option<ExprId>>,
    /// Full expressions whose value goes nowhere, or only decides.
    harmless: FxHashSet<ExprId>,
    /// Whole initialisers.
    initialised: FxHashMap<ExprId, DeclId>,
    /// Where automatic variables are named.
    named: FxHashMap<DeclId, Vec<ExprId>>,
    /// Outputs of assembly.
    outputs: FxHashSet<ExprId>,
}

/// Where a value, or an address, goes.
enum Goes {
    /// To where it does no harm.
    Nowhere,
    /// On, as the value of another expression.
    Value(ExprId),
    /// On, as the address of an lvalue.
    Lvalue(ExprId),
    /// Into a variable, and on as the value of the assignment.
    Into(DeclId, Option<ExprId>),
    Out,
}

impl<'u> Uses<'u> {
    fn new(unit: &'u Unit) -> Uses<'u> {
        let mut uses = Uses {
            unit,
            parents: vec![None; unit.exprs.len()],
            harmless: FxHashSet::default(),
            initialised: FxHashMap::default(),
            named: FxHashMap::default(),
            outputs: FxHashSet::default(),
        };
        for (id, expr) in unit.exprs.iter() {
            expr.kind.for_each_operand(|operand| uses.parents[operand.index()] = Some(id));
            if let ExprKind::StmtExpr { result: Some(result), .. } = expr.kind {
                uses.parents[result.index()] = Some(id);
            }
            if let ExprKind::Var(decl) | ExprKind::CompoundLiteral(decl) = expr.kind
                && is_automatic(unit, decl)
            {
                uses.named.entry(decl).or_default().push(id);
            }
        }
        for (_, stmt) in unit.stmts.iter() {
            uses.full_expressions(&stmt.kind);
        }
        for (id, decl) in unit.decls.iter() {
            if let DeclKind::Object(Object { init: Some(init), .. }) = &decl.kind {
                let whole = init.items.iter().filter(|item| item.path.is_empty());
                uses.initialised.extend(whole.map(|item: &InitItem| (item.value, id)));
            }
        }
        uses
    }

    fn full_expressions(&mut self, stmt: &StmtKind) {
        match stmt {
            StmtKind::Expr(e) => _ = self.harmless.insert(*e),
            StmtKind::If { arms, .. } => self.harmless.extend(arms.iter().map(|(cond, _)| *cond)),
            StmtKind::While { cond, .. }
            | StmtKind::DoWhile { cond, .. }
            | StmtKind::Switch { cond, .. } => _ = self.harmless.insert(*cond),
            StmtKind::For { cond, step, .. } => {
                self.harmless.extend(cond.iter().chain(step));
            }
            StmtKind::Asm { outputs, .. } => self.outputs.extend(outputs),
            StmtKind::Empty
            | StmtKind::Decl(_)
            | StmtKind::VlaType(_)
            | StmtKind::Block(_)
            | StmtKind::Case { .. }
            | StmtKind::Default
            | StmtKind::Label(_)
            | StmtKind::Goto(_)
            | StmtKind::GotoComputed(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(_) => {}
        }
    }

    /// The pointer variables that may hold the address of an object; `None` if it leaves.
    fn holders_of(&self, decl: DeclId) -> Option<FxHashSet<DeclId>> {
        let mut holders = FxHashSet::default();
        let named = |decl| self.named.get(&decl).into_iter().flatten().copied();
        let mut todo: Vec<Goes> = named(decl).map(Goes::Lvalue).collect();
        while let Some(next) = todo.pop() {
            match next {
                Goes::Nowhere => {}
                Goes::Out => return None,
                Goes::Value(value) => todo.push(self.value_goes(value)),
                Goes::Lvalue(lvalue) => todo.push(self.lvalue_goes(lvalue)),
                Goes::Into(holder, value) => {
                    todo.extend(value.map(Goes::Value));
                    if holders.insert(holder) {
                        todo.extend(named(holder).map(|name| self.holder_goes(name)));
                    }
                }
            }
        }
        Some(holders)
    }

    /// Where the address of an lvalue goes, if it is taken.
    fn lvalue_goes(&self, lvalue: ExprId) -> Goes {
        let Some(parent) = self.parents[lvalue.index()] else { return Goes::Nowhere };
        match self.unit.exprs[parent].kind {
            ExprKind::Member { .. } => Goes::Lvalue(parent),
            ExprKind::Index { base, .. } if base == lvalue => Goes::Lvalue(parent),
            ExprKind::AddrOf(_) | ExprKind::Decay(_) => Goes::Value(parent),
            // An access.
            _ => Goes::Nowhere,
        }
    }

    /// Where the value of a pointer variable goes, of which `name` is a use.
    fn holder_goes(&self, name: ExprId) -> Goes {
        let Some(parent) = self.parents[name.index()] else { return Goes::Nowhere };
        match self.unit.exprs[parent].kind {
            ExprKind::Load(_) | ExprKind::AssignOp { .. } | ExprKind::IncDec { .. } => {
                Goes::Value(parent)
            }
            ExprKind::Assign { lhs, .. } if lhs == name => Goes::Nowhere,
            // Its own address is taken.
            _ => Goes::Out,
        }
    }

    /// Where a pointer goes that is the value of an expression.
    fn value_goes(&self, value: ExprId) -> Goes {
        let Some(parent) = self.parents[value.index()] else {
            return match self.initialised.get(&value) {
                Some(&decl) => self.into(decl, None),
                None if self.harmless.contains(&value) => Goes::Nowhere,
                None => Goes::Out,
            };
        };
        let types = &self.unit.types;
        let parent_type = self.unit.exprs[parent].ty;
        match &self.unit.exprs[parent].kind {
            ExprKind::Deref(_) => Goes::Lvalue(parent),
            ExprKind::Index { base, .. } if *base == value => Goes::Lvalue(parent),
            ExprKind::Convert { .. } if types.is_pointer(parent_type) => Goes::Value(parent),
            ExprKind::Convert { .. } if types.is_void(parent_type) => Goes::Nowhere,
            ExprKind::PtrAdd { .. } | ExprKind::Elvis { .. } | ExprKind::StmtExpr { .. } => {
                Goes::Value(parent)
            }
            ExprKind::PtrDiff(..) | ExprKind::Logical { .. } | ExprKind::Unary(..) => Goes::Nowhere,
            ExprKind::Binary(op, ..) if op.is_comparison() => Goes::Nowhere,
            ExprKind::Cond { cond, .. } if *cond == value => Goes::Nowhere,
            ExprKind::Cond { .. } => Goes::Value(parent),
            ExprKind::Comma(first, _) if *first == value => Goes::Nowhere,
            ExprKind::Comma(..) => Goes::Value(parent),
            ExprKind::Assign { lhs, rhs } if *rhs == value => match self.unit.exprs[*lhs].kind {
                ExprKind::Var(decl) => self.into(decl, Some(parent)),
                _ => Goes::Out,
            },
            // The function keeps nothing, but may return a pointer that it was given.
            ExprKind::Call { callee, .. } if self.is_library(*callee) => match () {
                () if types.is_pointer(parent_type) => Goes::Value(parent),
                () => Goes::Nowhere,
            },
            ExprKind::Builtin {
                builtin: CBuiltin::AddOverflow | CBuiltin::SubOverflow | CBuiltin::MulOverflow,
                ..
            } => Goes::Nowhere,
            _ => Goes::Out,
        }
    }

    fn into(&self, decl: DeclId, value: Option<ExprId>) -> Goes {
        let is_pointer = self.unit.types.is_pointer(self.unit.decls[decl].ty);
        match is_pointer && is_automatic(self.unit, decl) {
            true => Goes::Into(decl, value),
            false => Goes::Out,
        }
    }

    /// A call of a function of the C library that Lakatos knows.
    fn is_library(&self, mut callee: ExprId) -> bool {
        while let ExprKind::FnDecay(function) = self.unit.exprs[callee].kind {
            callee = function;
        }
        let ExprKind::Function(decl) = self.unit.exprs[callee].kind else { return false };
        match &self.unit.decls[decl].kind {
            DeclKind::Function(function) => {
                let label = self.unit.labels.get(&decl).copied();
                let name = label.unwrap_or(self.unit.decls[decl].name);
                function.body.is_none() && library::is_known(self.unit.symbols.name(name))
            }
            DeclKind::Object(_) => false,
        }
    }

    /// Of pointers that hold addresses of `objects`, those that hold nothing else.
    fn pointers_home(
        &self,
        holders: FxHashSet<DeclId>,
        objects: &FxHashSet<DeclId>,
    ) -> FxHashSet<DeclId> {
        let is_param = |decl: &DeclId| {
            matches!(
                &self.unit.decls[*decl].kind,
                DeclKind::Object(Object { storage: Storage::Param, .. })
            )
        };
        let pointers = holders.into_iter().filter(|decl| !is_param(decl)).collect();
        let mut homes =
            Homes { objects: objects.clone(), pointers, library_arguments: Default::default() };
        loop {
            let mut all: Vec<DeclId> = homes.pointers.iter().copied().collect();
            all.retain(|&decl| !self.is_set_home(decl, &homes));
            if all.is_empty() {
                return homes.pointers;
            }
            for decl in all {
                homes.pointers.remove(&decl);
            }
        }
    }

    /// Whether everything that a pointer variable gets points home.
    fn is_set_home(&self, decl: DeclId, homes: &Homes) -> bool {
        let initial = match &self.unit.decls[decl].kind {
            DeclKind::Object(Object { init: Some(init), .. }) => init.items.as_slice(),
            _ => &[],
        };
        let is_home = |value| homes.points_home(self.unit, value);
        initial.iter().all(|item| item.path.is_empty() && is_home(item.value))
            && self.named.get(&decl).into_iter().flatten().all(|&name| {
                let parent = self.parents[name.index()];
                match parent.map(|parent| &self.unit.exprs[parent].kind) {
                    Some(ExprKind::Assign { lhs, rhs }) if *lhs == name => is_home(*rhs),
                    Some(_) => true,
                    None => !self.outputs.contains(&name),
                }
            })
    }

    fn library_arguments(&self) -> FxHashSet<ExprId> {
        let calls = self.unit.exprs.iter().filter_map(|(_, expr)| match &expr.kind {
            ExprKind::Call { callee, args } if self.is_library(*callee) => Some(args),
            _ => None,
        });
        let mut found = FxHashSet::default();
        for &arg in calls.flatten() {
            let mut at = arg;
            while let ExprKind::Convert { operand, .. } = self.unit.exprs[at].kind {
                found.insert(at);
                at = operand;
            }
        }
        found
    }
}
