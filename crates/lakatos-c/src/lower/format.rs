//! `sprintf`, `fprintf` and their like with a format that is a string: one call of a model
//! (`library/format.c`) for each directive (C11 7.21.6.1).

use lakatos_ir::{ExprId, IntType, Span, Type};

use super::Lower;
use super::call::{Site, Want};
use crate::ast::{self, DeclId, ExprKind};
use crate::models::{self, Target};
use crate::syntax::format::{self, Conversion, Directive, Number, Piece};
use crate::types::{FloatKind, Ty, TypeKind};

impl Lower<'_> {
    /// The call, if the function is one of these and its format can be read and fits the arguments.
    pub(super) fn formatted(
        &mut self,
        decl: DeclId,
        args: &[ast::ExprId],
        site: Site,
    ) -> Option<Option<ExprId>> {
        let (fixed, to) = models::format_argument(self.link_name(decl))?;
        let (&format, rest) = args.get(fixed..)?.split_first()?;
        let pieces = format::read(&self.literal_bytes(format)?)?;
        let is_there = |name: &&str| self.model_of(name).is_some();
        if !models::FORMATTING.iter().all(is_there) || !self.fits(&pieces, rest) {
            return None;
        }
        match to {
            Target::Stream | Target::Elsewhere => {
                Some(self.print(&pieces, args, (fixed, to), site))
            }
            Target::Text { is_bounded } if self.is_filled(decl, &pieces) => {
                Some(self.fill(pieces, args, is_bounded, site))
            }
            Target::Text { .. } => None,
        }
    }

    /// What goes to a stream: strings are read.
    fn print(
        &mut self,
        pieces: &[Piece],
        args: &[ast::ExprId],
        (fixed, to): (usize, Target),
        site: Site,
    ) -> Option<ExprId> {
        let span = site.span;
        let values = self.arguments(args).into_iter().map(|value| self.hold(value));
        let mut values = values.collect::<Vec<_>>().into_iter();
        let nothing = Site { span, ty: Type::Void, want: Want::Nothing };
        if to == Target::Stream {
            let model = self.model_of("use_stream")?;
            self.model_call(model, model, vec![values.next()?], nothing);
        }
        let mut rest = values.skip(fixed + 1 - usize::from(to == Target::Stream));
        for piece in pieces {
            let Piece::Directive(directive) = piece else { continue };
            self.number(directive.width, &mut rest, span)?;
            let precision = self.number(directive.precision, &mut rest, span)?;
            let value = rest.next()?;
            if directive.conversion == Conversion::Text {
                let model = self.model_of("read_string")?;
                self.model_call(model, model, vec![value, precision], nothing);
            }
        }
        match (site.ty, site.want) {
            (Type::Void, _) | (_, Want::Nothing) => None,
            _ => {
                let written = self.model_value("written", Vec::new(), span)?;
                self.give(written, site)
            }
        }
    }

    /// The result of a call, as it is wanted.
    pub(super) fn give(&mut self, result: ExprId, site: Site) -> Option<ExprId> {
        match site.want {
            Want::Nothing => None,
            Want::Value => Some(result),
            Want::Into(place) => {
                let value = self.convert(result, site.ty, site.span);
                self.assign_place(place, value, site.span);
                None
            }
        }
    }

    /// A width or a precision.
    fn number(
        &mut self,
        number: Number,
        rest: &mut impl Iterator<Item = ExprId>,
        span: Span,
    ) -> Option<ExprId> {
        Some(match number {
            Number::Given(value) => self.int(value.into(), IntType::I32, span),
            Number::Argument => {
                let value = rest.next()?;
                self.convert(value, Type::I32, span)
            }
        })
    }

    /// It is known what each directive writes.
    fn is_filled(&mut self, decl: DeclId, pieces: &[Piece]) -> bool {
        let is_known = |piece: &Piece| match piece {
            Piece::Byte(_) => true,
            Piece::Directive(directive) => {
                !matches!(directive.conversion, Conversion::Float { .. } | Conversion::Pointer)
            }
        };
        self.declared_signature(decl).result == Type::I32 && pieces.iter().all(is_known)
    }

    /// `sprintf` and `snprintf`: one piece after the other.
    fn fill(
        &mut self,
        pieces: Vec<Piece>,
        args: &[ast::ExprId],
        is_bounded: bool,
        site: Site,
    ) -> Option<ExprId> {
        let span = site.span;
        let mut values = self.arguments(args).into_iter();
        let size = Type::Int(self.unit.types.model.size_type());
        let target = values.next()?;
        let room = match is_bounded {
            true => {
                let room = values.next()?;
                self.convert(room, size, span)
            }
            false => self.int(
                self.unit.types.model.size_type().max(),
                self.unit.types.model.size_type(),
                span,
            ),
        };
        let (target, room) = (self.hold(target), self.hold(room));
        values.next();
        let mut rest = values.map(|value| self.hold(value)).collect::<Vec<_>>().into_iter();
        let mut count = self.int(0, self.unit.types.model.size_type(), span);
        for piece in pieces {
            let mut args = vec![target, room, count];
            let model = match piece {
                Piece::Byte(byte) => {
                    args.push(self.int(byte.into(), IntType::I32, span));
                    "put_byte"
                }
                Piece::Directive(directive) => {
                    self.directive(&directive, &mut rest, &mut args, span)?
                }
            };
            count = self.model_value(model, args, span)?;
        }
        let result = self.model_value("put_end", vec![target, room, count], span)?;
        self.give(result, site)
    }

    /// The model of a directive; its arguments go behind those that are there.
    fn directive(
        &mut self,
        directive: &Directive,
        rest: &mut impl Iterator<Item = ExprId>,
        args: &mut Vec<ExprId>,
        span: Span,
    ) -> Option<&'static str> {
        let width = self.number(directive.width, rest, span)?;
        let precision = self.number(directive.precision, rest, span)?;
        let flags = self.int(directive.flags.into(), IntType::I32, span);
        let value = rest.next()?;
        match directive.conversion {
            Conversion::Character => {
                let value = self.convert(value, Type::I32, span);
                args.extend([value, flags, width]);
                Some("put_character")
            }
            Conversion::Text => {
                args.extend([value, flags, width, precision]);
                Some("put_string")
            }
            Conversion::Signed => {
                let value = self.narrowed(value, directive, true, span);
                args.extend([value, flags, width, precision]);
                Some("put_signed")
            }
            Conversion::Unsigned { base, upper } => {
                let value = self.narrowed(value, directive, false, span);
                let base = self.int(base.into(), IntType::unsigned(32), span);
                let upper = self.int(upper.into(), IntType::I32, span);
                args.extend([value, base, upper, flags, width, precision]);
                Some("put_unsigned")
            }
            Conversion::Float { .. } | Conversion::Pointer => None,
        }
    }

    /// The number as the directive's type has it, as a `long long`.
    fn narrowed(
        &mut self,
        value: ExprId,
        directive: &Directive,
        signed: bool,
        span: Span,
    ) -> ExprId {
        let bits = directive.length.bits(self.unit.types.model);
        let own = self.convert(value, Type::Int(IntType { bits, signed }), span);
        self.convert(own, Type::Int(IntType { bits: 64, signed }), span)
    }

    /// There is an argument of the right type for each directive.
    fn fits(&mut self, pieces: &[Piece], args: &[ast::ExprId]) -> bool {
        let mut args = args.iter().map(|&arg| self.unit.exprs[arg].ty);
        pieces.iter().all(|piece| match piece {
            Piece::Byte(_) => true,
            Piece::Directive(directive) => {
                let numbers = [directive.width, directive.precision];
                let mut given = numbers.iter().filter(|&&number| number == Number::Argument);
                given.all(|_| args.next().is_some_and(|ty| self.has_bits(ty, 32)))
                    && args.next().is_some_and(|ty| self.is_of(ty, directive))
            }
        })
    }

    fn has_bits(&self, ty: Ty, bits: u16) -> bool {
        self.unit.types.int_type(ty).is_some_and(|int| int.bits == bits)
    }

    /// The type is one of those that a directive takes.
    fn is_of(&self, ty: Ty, directive: &Directive) -> bool {
        let types = &self.unit.types;
        match directive.conversion {
            Conversion::Text | Conversion::Pointer => types.is_pointer(ty),
            Conversion::Character => self.has_bits(ty, 32),
            // What is narrower than `int` was promoted.
            Conversion::Signed | Conversion::Unsigned { .. } => {
                self.has_bits(ty, directive.length.bits(types.model).max(32))
            }
            Conversion::Float { long } => {
                let kind = if long { FloatKind::LongDouble } else { FloatKind::Double };
                types.kind(ty) == TypeKind::Float(kind)
            }
        }
    }

    fn literal_bytes(&self, mut e: ast::ExprId) -> Option<Vec<u8>> {
        loop {
            match self.unit.exprs[e].kind {
                ExprKind::Decay(inner) | ExprKind::Convert { operand: inner, .. } => e = inner,
                ExprKind::Str(id) => {
                    let bytes = &self.unit.strings[id];
                    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
                    let is_narrow = |ty| self.unit.types.size(ty) == Some(1);
                    let element = self.unit.types.element(self.unit.exprs[e].ty);
                    return element.is_some_and(is_narrow).then(|| bytes[..end].to_vec());
                }
                _ => return None,
            }
        }
    }

    /// The value of a call of a model.
    fn model_value(&mut self, name: &str, args: Vec<ExprId>, span: Span) -> Option<ExprId> {
        let model = self.model_of(name)?;
        let ty = self.declared_signature(model).result;
        self.model_call(model, model, args, Site { span, ty, want: Want::Value })
    }
}
