//! Compatible and composite types (C11 6.2.7).

use super::Sema;
use crate::types::{ArrayLen, FloatKind, FnType, IntKind, Ty, TypeKind};

impl Sema {
    pub fn compatible(&self, a: Ty, b: Ty) -> bool {
        if a == b {
            return true;
        }
        let t = &self.types;
        if t.quals(a) != t.quals(b) {
            return false;
        }
        match (t.kind(a), t.kind(b)) {
            (TypeKind::Enum(e), TypeKind::Int(k)) | (TypeKind::Int(k), TypeKind::Enum(e)) => {
                t.enums[e].underlying == k
            }
            (TypeKind::Pointer(x), TypeKind::Pointer(y)) => self.compatible(x, y),
            (TypeKind::Array(x, m), TypeKind::Array(y, n)) => {
                let lengths = match (m, n) {
                    (ArrayLen::Fixed(m), ArrayLen::Fixed(n)) => m == n,
                    _ => true,
                };
                lengths && self.compatible(x, y)
            }
            (TypeKind::Function(x), TypeKind::Function(y)) => {
                self.compatible_functions(t.fn_type(x), t.fn_type(y))
            }
            (x, y) => x == y,
        }
    }

    fn compatible_functions(&self, a: &FnType, b: &FnType) -> bool {
        if !self.compatible(a.result, b.result) {
            return false;
        }
        match (a.prototyped, b.prototyped) {
            (true, true) => {
                a.variadic == b.variadic
                    && a.params.len() == b.params.len()
                    && a.params.iter().zip(&b.params).all(|(&x, &y)| self.compatible(x, y))
            }
            (true, false) => self.fits_old_style(a, b),
            (false, true) => self.fits_old_style(b, a),
            (false, false) => true,
        }
    }

    /// GNU C lets a K&R definition have the very types of its prototype.
    fn fits_old_style(&self, prototype: &FnType, other: &FnType) -> bool {
        let same = prototype.params.len() == other.params.len()
            && prototype.params.iter().zip(&other.params).all(|(&x, &y)| self.compatible(x, y));
        if other.params.is_empty() { self.self_promoting(prototype) } else { same }
    }

    /// Callers without a prototype pass promoted arguments: the parameters must be such types.
    fn self_promoting(&self, f: &FnType) -> bool {
        let narrow = |ty: &Ty| match self.types.kind(*ty) {
            TypeKind::Int(kind) => kind.is_promoted(),
            TypeKind::Float(kind) => kind == FloatKind::Float,
            _ => false,
        };
        !f.variadic && !f.params.iter().any(narrow)
    }

    /// One is a definition in the old style, whose parameters, promoted, are those of the other
    /// (C11 6.7.6.3p15).
    pub fn differ_by_promotions(&self, a: Ty, b: Ty) -> bool {
        let (Some(a), Some(b)) = (self.types.function_of(a), self.types.function_of(b)) else {
            return false;
        };
        let promoted = |old: Ty, new: Ty| match (self.types.kind(old), self.types.kind(new)) {
            (TypeKind::Int(kind), TypeKind::Int(IntKind::Int)) => kind.is_promoted(),
            (TypeKind::Float(FloatKind::Float), TypeKind::Float(FloatKind::Double)) => true,
            _ => self.compatible(old, new),
        };
        let (old, new) = if a.prototyped { (b, a) } else { (a, b) };
        old.prototyped != new.prototyped
            && old.params.len() == new.params.len()
            && old.params.iter().zip(&new.params).all(|(&old, &new)| promoted(old, new))
            && self.compatible(old.result, new.result)
    }

    /// What two compatible declarations of one thing together say.
    pub fn composite(&mut self, a: Ty, b: Ty) -> Ty {
        match (self.types.kind(a), self.types.kind(b)) {
            _ if a == b => a,
            (TypeKind::Array(x, m), TypeKind::Array(y, n)) => {
                let elem = self.composite(x, y);
                let len = if matches!(m, ArrayLen::Fixed(_)) { m } else { n };
                self.types.intern(TypeKind::Array(elem, len))
            }
            (TypeKind::Function(x), TypeKind::Function(y)) => {
                let (x, y) = (self.types.fn_type(x).clone(), self.types.fn_type(y).clone());
                self.composite_function(a, b, x, y)
            }
            (TypeKind::Pointer(x), TypeKind::Pointer(y)) => {
                let (inner, quals) = (self.composite(x, y), self.types.quals(a));
                self.types.intern_qualified(TypeKind::Pointer(inner), quals)
            }
            _ => a,
        }
    }

    fn composite_function(&mut self, a: Ty, b: Ty, x: FnType, y: FnType) -> Ty {
        match (x.prototyped, y.prototyped) {
            (true, true) => {
                let result = self.composite(x.result, y.result);
                let params =
                    x.params.iter().zip(&y.params).map(|(&p, &q)| self.composite(p, q)).collect();
                self.types.function(FnType { result, params, ..x })
            }
            (false, true) => b,
            // A K&R definition knows its parameters although it is no prototype.
            (false, false) if x.params.is_empty() => b,
            _ => a,
        }
    }
}
