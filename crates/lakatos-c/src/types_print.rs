//! C types as a person writes them: `int (*)[3]`, `char *(*)(int, ...)`.

use crate::symbol::{Symbol, Symbols};
use crate::types::{ArrayLen, CTypes, FnType, Opaque, Quals, Ty, TypeKind};

impl CTypes {
    /// The type as text, without a name.
    pub fn show(&self, ty: Ty, symbols: &Symbols) -> String {
        self.show_declaration(ty, "", symbols)
    }

    /// The declaration of `name` with the type, without a semicolon.
    pub fn show_declaration(&self, mut ty: Ty, name: &str, symbols: &Symbols) -> String {
        let mut declarator = name.to_owned();
        loop {
            ty = match self.kind(ty) {
                TypeKind::Pointer(inner) => {
                    let quals = quals_text(self.quals(ty));
                    declarator = format!("*{}{declarator}", quals.trim_start());
                    if matches!(self.kind(inner), TypeKind::Array(..) | TypeKind::Function(_)) {
                        declarator = format!("({declarator})");
                    }
                    inner
                }
                TypeKind::Array(elem, len) => {
                    declarator += &match len {
                        ArrayLen::Fixed(n) => format!("[{n}]"),
                        ArrayLen::Unknown => "[]".to_owned(),
                        ArrayLen::Variable(_) => "[*]".to_owned(),
                    };
                    elem
                }
                TypeKind::Function(id) => {
                    let function = self.fn_type(id);
                    declarator += &self.show_params(function, symbols);
                    function.result
                }
                _ => break,
            };
        }
        let base = self.show_base(ty, symbols);
        if declarator.is_empty() { base } else { format!("{base} {declarator}") }
    }

    fn show_params(&self, function: &FnType, symbols: &Symbols) -> String {
        if !function.prototyped {
            return "()".to_owned();
        }
        let mut params: Vec<String> =
            function.params.iter().map(|&p| self.show(p, symbols)).collect();
        if function.variadic {
            params.push("...".to_owned());
        } else if params.is_empty() {
            params.push("void".to_owned());
        }
        format!("({})", params.join(", "))
    }

    fn show_opaque(&self, opaque: Opaque, symbols: &Symbols) -> String {
        match opaque {
            Opaque::Vector { element, bytes } => {
                format!("vector of {bytes} bytes of {}", self.show(element, symbols))
            }
            Opaque::Float16 => "_Float16".to_owned(),
            Opaque::BFloat16 => "__bf16".to_owned(),
            Opaque::Decimal { bytes } => format!("_Decimal{}", 8 * bytes),
            Opaque::BitInt { bits, unsigned: true } => format!("unsigned _BitInt({bits})"),
            Opaque::BitInt { bits, unsigned: false } => format!("_BitInt({bits})"),
        }
    }

    fn show_base(&self, ty: Ty, symbols: &Symbols) -> String {
        let tagged = |word: &str, tag: Option<Symbol>| match tag {
            Some(tag) => format!("{word} {}", symbols.name(tag)),
            None => format!("{word} <anonymous>"),
        };
        let name = match self.kind(ty) {
            TypeKind::Void => "void".to_owned(),
            TypeKind::Int(kind) => kind.name().into_owned(),
            TypeKind::Float(kind) => kind.name().to_owned(),
            TypeKind::Complex(kind) => format!("{} _Complex", kind.name()),
            TypeKind::Enum(id) => tagged("enum", self.enums[id].tag),
            TypeKind::Record(id) => {
                let record = &self.records[id];
                let word = match record.kind {
                    lakatos_ir::RecordKind::Struct => "struct",
                    lakatos_ir::RecordKind::Union => "union",
                };
                tagged(word, record.tag)
            }
            TypeKind::VaList => "__builtin_va_list".to_owned(),
            TypeKind::Opaque(opaque) => self.show_opaque(opaque, symbols),
            TypeKind::Pointer(_) | TypeKind::Array(..) | TypeKind::Function(_) => {
                unreachable!("derived types are taken apart before")
            }
        };
        let quals = quals_text(self.quals(ty));
        format!("{}{name}", quals.trim_start())
    }
}

fn quals_text(quals: Quals) -> &'static str {
    match (quals.is_const, quals.is_volatile, quals.is_atomic) {
        (false, false, false) => "",
        (true, false, false) => " const ",
        (false, true, false) => " volatile ",
        (true, true, false) => " const volatile ",
        (false, false, true) => " _Atomic ",
        (true, false, true) => " const _Atomic ",
        (false, true, true) => " volatile _Atomic ",
        (true, true, true) => " const volatile _Atomic ",
    }
}
