//! Primary expressions: names, constants, strings, parentheses, `_Generic`, and built-ins that
//! take types.

use lakatos_ir::{Diagnostic, Span};

use super::Parser;
use crate::ast::{ExprId, ExprKind, StmtKind, Storage};
use crate::sema::builtin::is_builtin_name;
use crate::sema::scope::Entity;
use crate::sema::{Res, error, unsupported};
use crate::symbol::Symbol;
use crate::syntax::literal::{self, Encoding, Number};
use crate::syntax::token::{Kw, Tok};
use crate::types::{ArrayLen, CTypes, Ty, TypeKind};

impl Parser<'_> {
    pub fn primary(&mut self) -> Res<ExprId> {
        match self.tok.kind {
            Tok::Ident(symbol) => self.name(symbol),
            Tok::Number => self.number(),
            Tok::Char => {
                let span = self.advance()?.span;
                let model = self.sema.types.model;
                match literal::character(self.lexer.text(span), model) {
                    Ok((value, kind)) => Ok(self.sema.int_const(value, CTypes::int_ty(kind), span)),
                    Err(message) => error(span, message),
                }
            }
            Tok::Str => self.string(),
            Tok::LParen if self.next.kind == Tok::LBrace => self.nested(Self::statement_expression),
            Tok::LParen => {
                self.advance()?;
                let e = self.nested(Self::expression)?;
                self.expect(Tok::RParen, "after the expression")?;
                Ok(e)
            }
            Tok::Kw(Kw::Generic) => self.nested(Self::generic),
            _ => self.unexpected("an expression"),
        }
    }

    fn name(&mut self, symbol: Symbol) -> Res<ExprId> {
        let span = self.tok.span;
        match self.sema.names.lookup(symbol).map(|b| b.entity) {
            Some(Entity::Decl(decl)) => {
                self.advance()?;
                Ok(self.sema.reference(decl, span))
            }
            Some(Entity::EnumConst { value, ty }) => {
                self.advance()?;
                Ok(self.sema.int_const(value, ty, span))
            }
            Some(Entity::Typedef(_)) => {
                error(span, format!("`{}` is a type, not a value", self.sema.name(symbol)))
            }
            None => self.unknown_name(symbol, span),
        }
    }

    fn unknown_name(&mut self, symbol: Symbol, span: Span) -> Res<ExprId> {
        self.advance()?;
        let text = self.sema.name(symbol).to_owned();
        if matches!(text.as_str(), "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__")
            && let Some(e) = self.sema.function_name(symbol, span)
        {
            return Ok(e);
        }
        if let Some(e) = self.sema.later_constant(symbol, span) {
            return Ok(e);
        }
        if self.at(Tok::LParen) {
            return self.unknown_call(symbol, &text, span);
        }
        // Declared, so that it is reported once.
        if self.sema.current.is_some() {
            let decl = self.sema.new_object(symbol, self.sema.types.int, Storage::Local, span);
            self.sema.names.declare(symbol, Entity::Decl(decl), span);
        }
        error(span, format!("`{text}` is not declared"))
    }

    fn unknown_call(&mut self, symbol: Symbol, text: &str, span: Span) -> Res<ExprId> {
        match text {
            "__builtin_va_arg" => return self.va_arg(span),
            "__builtin_offsetof" => return self.offset_of(span),
            "__builtin_types_compatible_p" => return self.types_compatible(span),
            "__builtin_choose_expr" => return self.choose_expr(span),
            "__builtin_convertvector" => return self.convert_vector(span),
            _ => {}
        }
        if is_builtin_name(text) {
            let args = self.arguments()?;
            let span = self.since(span.start);
            return self.sema.builtin_call(symbol, args, span);
        }
        let decl = self.sema.implicit_function(symbol, span)?;
        // At the innermost level C89 declares it; a name per unit is enough for one warning.
        self.sema.names.declare(symbol, Entity::Decl(decl), span);
        Ok(self.sema.reference(decl, span))
    }

    fn number(&mut self) -> Res<ExprId> {
        let span = self.advance()?.span;
        let text = self.lexer.text(span);
        let model = self.sema.types.model;
        if let Some(value) = small_decimal(text) {
            return Ok(self.sema.int_const(value, self.sema.types.int, span));
        }
        if let Some(real) = literal::without_imaginary_suffix(text) {
            return self.imaginary(&real, span);
        }
        let number = match literal::unsupported_suffix(text) {
            Some((plain, what)) => {
                self.sema.use_opaque(what, span);
                literal::number(plain, model)
            }
            None => literal::number(text, model),
        };
        match number {
            Ok(Number::Int(value, kind)) => {
                Ok(self.sema.int_const(value, CTypes::int_ty(kind), span))
            }
            Ok(Number::BitInt { value, bits, unsigned }) => {
                let kind = self.sema.types.bit_precise(bits, unsigned);
                if kind.is_none() {
                    self.sema.use_opaque("`_BitInt`", span);
                }
                let ty = kind.map_or(self.sema.types.int, CTypes::int_ty);
                Ok(self.sema.int_const(value, ty, span))
            }
            Ok(Number::Float(value, kind)) => {
                let ty = self.sema.types.float_ty(kind);
                Ok(self.sema.expr(ExprKind::Float(value), ty, span))
            }
            Ok(Number::Wide(rounded, kind)) => {
                let ty = self.sema.types.float_ty(kind);
                Ok(self.sema.expr(ExprKind::WideFloat(rounded), ty, span))
            }
            Err(message) => error(span, message),
        }
    }

    fn imaginary(&mut self, real: &str, span: Span) -> Res<ExprId> {
        match literal::number(real, self.sema.types.model) {
            Ok(Number::Float(value, kind)) => {
                let ty = self.sema.types.float_ty(kind);
                let [re, im] = [0.0, value].map(|v| self.sema.expr(ExprKind::Float(v), ty, span));
                Ok(self.sema.complex_of(re, im, kind, span))
            }
            Ok(Number::Int(..) | Number::BitInt { .. }) => unsupported(span, "complex integers"),
            Ok(Number::Wide(..)) => unsupported(span, "a complex number of this type"),
            Err(message) => error(span, message),
        }
    }

    /// Adjacent literals are one; if one is wide, all are.
    fn string(&mut self) -> Res<ExprId> {
        let start = self.start();
        let mut encoding = Encoding::Char;
        let mut units = Vec::new();
        let mut pieces = Vec::new();
        while self.at(Tok::Str) {
            let span = self.advance()?.span;
            match literal::string(self.lexer.text(span)) {
                Ok((piece_encoding, piece)) => {
                    if encoding == Encoding::Char {
                        encoding = piece_encoding;
                    } else if !matches!(piece_encoding, Encoding::Char)
                        && piece_encoding != encoding
                    {
                        return error(span, "strings of different kinds side by side");
                    }
                    pieces.push((span, piece_encoding));
                    units.extend(piece);
                }
                Err(message) => return error(span, message),
            }
        }
        let mixed = pieces.iter().any(|&(_, e)| e != encoding);
        if mixed {
            // The narrow pieces have to be read again as wide ones.
            units.clear();
            for (span, _) in pieces {
                let text = self.lexer.text(span);
                let wide = format!("U{}", text.trim_start_matches(['L', 'u', 'U', '8']));
                units.extend(literal::string(&wide).map_or_else(|_| Vec::new(), |(_, u)| u));
            }
        }
        let elem = encoding.element(self.sema.types.model);
        let width = elem.int_type(self.sema.types.model).bytes() as usize;
        let bytes = units.iter().flat_map(|u| u.to_le_bytes().into_iter().take(width)).collect();
        let len = ArrayLen::Fixed(units.len() as u64 + 1);
        let ty = self.sema.types.intern(TypeKind::Array(CTypes::int_ty(elem), len));
        let id = self.sema.strings.push(bytes);
        let span = self.since(start);
        Ok(self.sema.expr(ExprKind::Str(id), ty, span))
    }

    /// GNU `({ … })`.
    fn statement_expression(&mut self) -> Res<ExprId> {
        let start = self.start();
        if self.sema.current.is_none() {
            return error(self.tok.span, "a statement expression outside a function");
        }
        self.advance()?;
        self.sema.enter_scope();
        let mut body = self.statement_list()?;
        self.sema.leave_scope();
        self.expect(Tok::RParen, "after the statement expression")?;
        let result = match body.last().map(|&s| &self.sema.stmts[s].kind) {
            Some(&StmtKind::Expr(e)) if !self.sema.types.is_void(self.sema.ty(e)) => {
                body.pop();
                Some(e)
            }
            _ => None,
        };
        let ty = result.map_or(self.sema.types.void, |e| self.sema.ty(e));
        let span = self.since(start);
        Ok(self.sema.expr(ExprKind::StmtExpr { body, result }, ty, span))
    }

    fn generic(&mut self) -> Res<ExprId> {
        let start = self.start();
        self.advance()?;
        self.expect(Tok::LParen, "after `_Generic`")?;
        let e = self.assignment()?;
        let e = self.sema.rvalue(e);
        self.sema.require_own_type(e)?;
        let control = self.sema.types.unqualified(self.sema.ty(e));
        let (mut chosen, mut default) = (None, None);
        while self.eat(Tok::Comma)? {
            let ty = match self.eat_kw(Kw::Default)? {
                true => None,
                false => Some(self.type_name()?),
            };
            self.expect(Tok::Colon, "after the type")?;
            let value = self.assignment()?;
            match ty {
                None => default = Some(value),
                Some(ty) if self.sema.compatible(ty, control) => chosen = chosen.or(Some(value)),
                Some(_) => {}
            }
        }
        self.expect(Tok::RParen, "after the associations")?;
        match chosen.or(default) {
            Some(value) => Ok(value),
            None => {
                let ty = self.sema.show(control);
                error(self.since(start), format!("no association for type `{ty}`"))
            }
        }
    }

    fn va_arg(&mut self, span: Span) -> Res<ExprId> {
        self.expect(Tok::LParen, "after `__builtin_va_arg`")?;
        let list = self.assignment()?;
        let list = self.sema.rvalue(list);
        self.expect(Tok::Comma, "after the list")?;
        let ty = self.type_name()?;
        self.expect(Tok::RParen, "after the type")?;
        let ty = self.sema.types.unqualified(ty);
        let span = self.since(span.start);
        self.sema.refuse_bit_precise(ty, "a `_BitInt` among variable arguments", span);
        Ok(self.sema.expr(ExprKind::VaArg(list), ty, span))
    }

    fn offset_of(&mut self, span: Span) -> Res<ExprId> {
        self.expect(Tok::LParen, "after `__builtin_offsetof`")?;
        let ty = self.type_name()?;
        self.expect(Tok::Comma, "after the type")?;
        // `&((type *)0)->member…` as a constant.
        let zero = self.sema.int_const(0, self.sema.types.int, span);
        let pointer = self.sema.types.pointer_to(ty);
        let base = self.sema.convert(zero, pointer, true);
        let mut place = self.sema.deref(base, span)?;
        let name = self.expect_ident("the name of a member")?;
        place = self.sema.member(place, name, span)?;
        loop {
            place = match self.tok.kind {
                Tok::Dot => {
                    self.advance()?;
                    let name = self.expect_ident("the name of a member")?;
                    self.sema.member(place, name, span)?
                }
                Tok::LBracket => {
                    self.advance()?;
                    let index = self.expression()?;
                    self.expect(Tok::RBracket, "after the index")?;
                    self.sema.index(place, index, span)?
                }
                _ => break,
            };
            self.check_expr_depth(place)?;
        }
        self.expect(Tok::RParen, "after the member")?;
        let span = self.since(span.start);
        let address = self.sema.address_of(place, span)?;
        let size_t = self.sema.types.size_ty();
        let offset = self.sema.convert(address, size_t, true);
        match self.sema.constant_int(offset) {
            Some(value) => Ok(self.sema.int_const(value, size_t, span)),
            None => unsupported(span, "`offsetof` with an index that is no constant"),
        }
    }

    fn types_compatible(&mut self, span: Span) -> Res<ExprId> {
        self.expect(Tok::LParen, "after `__builtin_types_compatible_p`")?;
        let a = self.type_name()?;
        self.expect(Tok::Comma, "after the type")?;
        let b = self.type_name()?;
        self.expect(Tok::RParen, "after the type")?;
        let strip = |p: &mut Self, ty: Ty| p.sema.types.unqualified(ty);
        let (a, b) = (strip(self, a), strip(self, b));
        let value = self.sema.compatible(a, b);
        let span = self.since(span.start);
        Ok(self.sema.int_const(value.into(), self.sema.types.int, span))
    }

    fn convert_vector(&mut self, span: Span) -> Res<ExprId> {
        self.expect(Tok::LParen, "after `__builtin_convertvector`")?;
        let vector = self.assignment()?;
        self.expect(Tok::Comma, "after the vector")?;
        let ty = self.type_name()?;
        self.expect(Tok::RParen, "after the type")?;
        self.sema.convert_vector(vector, ty, self.since(span.start))
    }

    fn choose_expr(&mut self, span: Span) -> Res<ExprId> {
        let args = self.arguments()?;
        let [cond, then, els] = args[..] else {
            let d = Diagnostic::error(span, "`__builtin_choose_expr` takes three arguments");
            return Err(d.into());
        };
        if self.sema.depends_on_compiler(cond) {
            return unsupported(self.sema.exprs[cond].span, "a choice that the compiler makes");
        }
        Ok(if self.sema.require_int(cond, "the choice")? != 0 { then } else { els })
    }
}

/// The common case of an `int` constant, without further ado.
fn small_decimal(text: &str) -> Option<i128> {
    let bytes = text.as_bytes();
    let plain = bytes.len() <= 9 && bytes.iter().all(u8::is_ascii_digit);
    if !plain || (bytes[0] == b'0' && bytes.len() > 1) {
        return None;
    }
    Some(bytes.iter().fold(0, |v, b| v * 10 + i128::from(b - b'0')))
}
