//! Types and constants as C text.

use std::fmt::Write as _;

use super::Printer;
use crate::program::ProcId;
use crate::ty::{DataModel, FloatType, IntType, RecordKind, SigId, Type, Types};

impl Types {
    /// A C declarator: `declare(pointer to function, "f")` is `int (*f)(int)`. With an empty
    /// name, the type as in a cast.
    pub(super) fn declare(&self, ty: Type, name: &str) -> String {
        match ty {
            Type::Pointer(to) => {
                let to = self.get(to);
                match to {
                    Type::Array(..) | Type::Function(_) => self.declare(to, &format!("(*{name})")),
                    _ => self.declare(to, &format!("*{name}")),
                }
            }
            Type::Array(element, Some(len)) => {
                self.declare(self.get(element), &format!("{name}[{len}]"))
            }
            Type::Array(element, None) => self.declare(self.get(element), &format!("{name}[]")),
            Type::Function(sig) => {
                self.declare(self.signature(sig).result, &format!("{name}({})", self.params(sig)))
            }
            Type::Void | Type::Int(_) | Type::Float(_) | Type::Record(_) => match name {
                "" => self.base_name(ty),
                name => format!("{} {name}", self.base_name(ty)),
            },
        }
    }

    fn params(&self, sig: SigId) -> String {
        let sig = self.signature(sig);
        let types = sig.params.as_ref().map(|p| p.iter().map(|&ty| self.declare(ty, "")).collect());
        param_list(types, sig.variadic)
    }

    fn base_name(&self, ty: Type) -> String {
        match ty {
            Type::Int(int) => int_name(int, self.model),
            Type::Float(FloatType::F32) => "float".to_owned(),
            Type::Float(FloatType::F64) => "double".to_owned(),
            Type::Float(FloatType::F80) => "long double".to_owned(),
            Type::Float(FloatType::F128) => "__float128".to_owned(),
            Type::Record(id) => {
                let record = &self.records[id];
                let kind = match record.kind {
                    RecordKind::Struct => "struct",
                    RecordKind::Union => "union",
                };
                format!("{kind} {}", record.name)
            }
            _ => "void".to_owned(),
        }
    }
}

/// What stands between a function's parentheses; `None` for a function without prototype.
fn param_list(params: Option<Vec<String>>, variadic: bool) -> String {
    match params {
        None => String::new(),
        Some(params) if params.is_empty() && !variadic => "void".to_owned(),
        Some(mut params) => {
            params.extend(variadic.then(|| "...".to_owned()));
            params.join(", ")
        }
    }
}

fn int_name(int: IntType, model: DataModel) -> String {
    let name = match (int.bits, model) {
        (1, _) if !int.signed => return "_Bool".to_owned(),
        (8, _) => "char",
        (16, _) => "short",
        (32, _) => "int",
        (64, DataModel::Lp64) => "long",
        (64, DataModel::Ilp32) => "long long",
        (128, _) => "__int128",
        // A bit-field's own type has no name in C.
        (bits, _) => return format!("{}:{bits}", if int.signed { "int" } else { "unsigned" }),
    };
    match int.signed {
        true => name.to_owned(),
        false => format!("unsigned {name}"),
    }
}

impl Printer<'_> {
    pub(super) fn signature(&self, proc: ProcId) -> String {
        let (types, proc) = (&self.program.types, &self.program.procs[proc]);
        let sig = types.signature(proc.signature);
        let named = proc.params.iter().map(|&v| {
            let name = self.var(v);
            types.declare(self.program.vars[v].ty, &name)
        });
        let params = match proc.params.is_empty() {
            true => types.params(proc.signature),
            false => param_list(Some(named.collect()), sig.variadic),
        };
        types.declare(sig.result, &format!("{}({params})", proc.name))
    }
}

/// An integer constant. Where decimal text alone would have a signed type that is too narrow
/// for the type, `U` says that it is unsigned.
pub(super) fn int_constant(value: i128, ty: Type) -> String {
    match ty {
        Type::Int(int) if int.is_u128() && value < 0 => format!("{}U", value as u128),
        Type::Int(int) if !int.signed && int.bits >= 32 && value > int.max() / 2 => {
            format!("{value}U")
        }
        _ => value.to_string(),
    }
}

/// An integer constant whose text has exactly the type.
pub(super) fn typed_constant(value: i128, ty: Type, model: DataModel) -> String {
    let plain = int_constant(value, ty);
    let Type::Int(int) = ty else { return plain };
    let digits = plain.trim_end_matches('U');
    let long = match (int.bits, model) {
        (..=32, _) => "",
        (64, DataModel::Lp64) => "L",
        (64, DataModel::Ilp32) => "LL",
        _ => return format!("({}){plain}", int_name(int, model)),
    };
    format!("{digits}{}{long}", if int.signed { "" } else { "U" })
}

/// A floating constant from the bits of an `f64`.
pub(super) fn float_constant(bits: u64, ty: Type) -> String {
    let value = f64::from_bits(bits);
    let text = match value {
        _ if value.is_nan() => return "NAN".to_owned(),
        f64::INFINITY => return "INFINITY".to_owned(),
        f64::NEG_INFINITY => return "-INFINITY".to_owned(),
        _ => format!("{value:?}"),
    };
    match ty {
        Type::Float(FloatType::F32) => text + "f",
        Type::Float(FloatType::F80) => text + "L",
        Type::Float(FloatType::F128) => text + "Q",
        _ => text,
    }
}

/// Bytes as a C string literal: valid UTF-8 stays, everything unprintable is escaped in octal
/// (three digits, so that a following digit is not swallowed).
pub(super) fn string_literal(bytes: &[u8]) -> String {
    let mut out = String::from("\"");
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '"' => out.push_str("\\\""),
                '\\' => out.push_str("\\\\"),
                '\n' => out.push_str("\\n"),
                '\t' => out.push_str("\\t"),
                '\r' => out.push_str("\\r"),
                c if c.is_control() => {
                    c.encode_utf8(&mut [0; 4]).bytes().for_each(|b| octal(&mut out, b));
                }
                c => out.push(c),
            }
        }
        chunk.invalid().iter().for_each(|&b| octal(&mut out, b));
    }
    out.push('"');
    out
}

fn octal(out: &mut String, byte: u8) {
    let _ = write!(out, "\\{byte:03o}");
}
