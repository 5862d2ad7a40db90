//! `__attribute__((…))`, `_Alignas`, `asm("name")`: read where they may stand, most are dropped.

use super::Parser;
use super::declarator::Declarator;
use crate::sema::{Res, unsupported};
use crate::syntax::literal;
use crate::syntax::token::{Kw, Tok};
use crate::types::IntKind;

/// The attributes that change meaning.
#[derive(Clone, Copy, Debug, Default)]
pub struct Attributes {
    pub packed: bool,
    pub align: Option<u64>,
    pub noreturn: bool,
    pub weak: bool,
    /// `mode(DI)` and so on: another width of integer.
    pub mode: Option<IntKind>,
    /// Vectors and other types that are not plain C.
    pub vector: bool,
}

impl Attributes {
    /// Takes what other attributes of the same declaration say as well.
    pub fn merge(&mut self, other: Attributes) {
        self.packed |= other.packed;
        self.align = self.align.max(other.align);
        self.noreturn |= other.noreturn;
        self.weak |= other.weak;
        self.mode = self.mode.or(other.mode);
        self.vector |= other.vector;
    }
}

impl Parser<'_> {
    /// Any number of attributes, `asm` names and `__extension__`s.
    pub fn attributes(&mut self, into: &mut Attributes) -> Res<()> {
        loop {
            match self.tok.kind {
                Tok::Kw(Kw::Attribute) => self.attribute_list(into)?,
                Tok::Kw(Kw::Extension) => {
                    self.advance()?;
                }
                Tok::Kw(Kw::Alignas) => self.alignas(into)?,
                _ => return Ok(()),
            }
        }
    }

    /// After a declarator: `asm("symbol")` gives the function or object another name for the linker
    /// (`Sema::label`).
    pub fn asm_label(&mut self, declarator: &mut Declarator) -> Res<()> {
        self.attributes(&mut declarator.attributes)?;
        let start = self.start();
        if self.eat_kw(Kw::Asm)? {
            self.expect(Tok::LParen, "after `asm`")?;
            let mut label = String::new();
            while self.at(Tok::Str) {
                let span = self.advance()?.span;
                match literal::string(self.lexer.text(span)) {
                    Ok((_, units)) => label.extend(units.into_iter().filter_map(char::from_u32)),
                    Err(message) => return crate::sema::error(span, message),
                }
            }
            self.expect(Tok::RParen, "after the name for the linker")?;
            let symbol = self.sema.symbols.intern(label.trim_start_matches('*'));
            declarator.label = Some((symbol, self.since(start)));
            self.attributes(&mut declarator.attributes)?;
        }
        Ok(())
    }

    /// Skips to the `)` that closes a `(` already taken.
    pub fn skip_balanced(&mut self) -> Res<()> {
        let mut depth = 1u32;
        while depth > 0 {
            match self.tok.kind {
                Tok::LParen => depth += 1,
                Tok::RParen => depth -= 1,
                Tok::Eof => return self.unexpected("`)`"),
                _ => {}
            }
            self.advance()?;
        }
        Ok(())
    }

    fn alignas(&mut self, into: &mut Attributes) -> Res<()> {
        self.advance()?;
        self.expect(Tok::LParen, "after `_Alignas`")?;
        let align = if self.at_type_name() {
            let ty = self.type_name()?;
            self.sema.types.align(ty)
        } else {
            self.alignment()?
        };
        into.align = into.align.max(Some(align));
        self.expect(Tok::RParen, "after the alignment")?;
        Ok(())
    }

    /// A constant power of two.
    fn alignment(&mut self) -> Res<u64> {
        let e = self.conditional()?;
        let span = self.sema.exprs[e].span;
        let align = self.sema.require_size(e, span, "an alignment")?;
        if align != 0 && (!align.is_power_of_two() || align > 1 << 28) {
            return crate::sema::error(span, "an alignment must be a (small) power of two");
        }
        Ok(align.max(1))
    }

    fn attribute_list(&mut self, into: &mut Attributes) -> Res<()> {
        self.advance()?;
        self.expect(Tok::LParen, "after `__attribute__`")?;
        self.expect(Tok::LParen, "after `__attribute__`")?;
        while !self.at(Tok::RParen) {
            if self.at(Tok::Eof) {
                return self.unexpected("`)`");
            }
            self.attribute(into)?;
            if !self.eat(Tok::Comma)? {
                break;
            }
        }
        self.expect(Tok::RParen, "after the attributes")?;
        self.expect(Tok::RParen, "after the attributes")?;
        Ok(())
    }

    fn attribute(&mut self, into: &mut Attributes) -> Res<()> {
        if self.at(Tok::Comma) {
            return Ok(());
        }
        let token = self.advance()?;
        let name = self.lexer.text(token.span).trim_matches('_');
        let has_args = self.eat(Tok::LParen)?;
        match name {
            "packed" => into.packed = true,
            "noreturn" => into.noreturn = true,
            // GCC ignores the second on this target, clang takes it for the first.
            "weak" | "weak_import" => into.weak = true,
            "aligned" if has_args => {
                into.align = into.align.max(Some(self.alignment()?));
            }
            // The largest alignment of the target.
            "aligned" => into.align = into.align.max(Some(16)),
            "vector_size" | "ext_vector_type" => into.vector = true,
            "mode" if has_args => {
                into.mode = self.mode();
            }
            // Functions that are called although no call is to be seen, and objects that are not
            // what they look like.
            "constructor"
            | "destructor"
            | "cleanup"
            | "alias"
            | "ifunc"
            | "weakref"
            | "scalar_storage_order" => {
                return unsupported(token.span, format!("the attribute `{name}`"));
            }
            "section" if has_args && self.is_called_at_start_or_end() => {
                return unsupported(token.span, "a table of functions for the start or the end");
            }
            _ => {}
        }
        if has_args {
            self.skip_balanced()?;
        }
        Ok(())
    }

    /// Of what the linker puts together functions are called before `main`, or after it.
    fn is_called_at_start_or_end(&self) -> bool {
        let section = self.lexer.text(self.tok.span).trim_matches('"');
        let tables = [".init_array", ".fini_array", ".preinit_array", ".ctors", ".dtors"];
        tables.iter().any(|table| section.starts_with(table))
    }

    fn mode(&self) -> Option<IntKind> {
        Some(match self.lexer.text(self.tok.span).trim_matches('_') {
            "QI" | "byte" => IntKind::SChar,
            "HI" => IntKind::Short,
            "SI" => IntKind::Int,
            "DI" => IntKind::LongLong,
            "TI" => IntKind::Int128,
            "word" | "pointer" => IntKind::Long,
            _ => return None,
        })
    }
}
