//! `sprintf` and `snprintf` with a format that is a string: one call of a model (`library/format.c`) for
//! each directive (C11 7.21.6.1).

use lakatos_ir::{ExprId, IntType, Span, Type};

use super::Lower;
use super::call::{Site, Want};
use crate::ast::{self, DeclId, ExprKind};
use crate::models;
use crate::syntax::format::{self, Conversion, Directive, Number, Piece};

impl Lower<'_> {
    /// The call, if the function is one of these and its format can be read and fits the arguments.
    pub(super) fn formatted(
        &mut self,
        decl: DeclId,
        args: &[ast::ExprId],
        site: Site,
    ) -> Option<Option<ExprId>> {
        let fixed = models::format_argument(self.link_name(decl))?;
        let (&format, rest) = args.get(fixed..)?.split_first()?;
        let pieces = format::read(&self.literal_bytes(format)?)?;
        let is_there = |name: &&str| self.model_of(name).is_some();
        if !models::FORMATTING.iter().all(is_there)
            || self.declared_signature(decl).result != Type::I32
            || !self.fits(&pieces, rest)
        {
            return None;
        }
        let span = site.span;
        let mut values = self.arguments(args).into_iter();
        let size = Type::Int(self.unit.types.model.size_type());
        let target = values.next()?;
        let room = match fixed {
            2 => {
                let room = values.next()?;
                self.convert(room, size, span)
            }
            _ => self.int(
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
        match site.want {
            Want::Nothing => Some(None),
            Want::Value => Some(Some(result)),
            Want::Into(place) => {
                let value = self.convert(result, site.ty, span);
                self.assign_place(place, value, span);
                Some(None)
            }
        }
    }

    /// The model of a directive; its arguments go behind those that are there.
    fn directive(
        &mut self,
        directive: &Directive,
        rest: &mut impl Iterator<Item = ExprId>,
        args: &mut Vec<ExprId>,
        span: Span,
    ) -> Option<&'static str> {
        let mut number = |l: &mut Self, number: Number| match number {
            Number::Given(value) => Some(l.int(value.into(), IntType::I32, span)),
            Number::Argument => {
                let value = rest.next()?;
                Some(l.convert(value, Type::I32, span))
            }
        };
        let width = number(self, directive.width)?;
        let precision = number(self, directive.precision)?;
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
        let model = self.unit.types.model;
        let mut args = args.iter().map(|&arg| self.unit.exprs[arg].ty);
        let mut is_fit = true;
        let unit = self.unit;
        let mut number = |bits: Option<u16>| {
            let int = args.next().map(|ty| (ty, unit.types.int_type(ty)));
            is_fit &= match (int, bits) {
                (Some((_, Some(int))), Some(bits)) => int.bits == bits,
                (Some((ty, None)), None) => unit.types.is_pointer(ty),
                _ => false,
            };
        };
        for piece in pieces {
            let Piece::Directive(directive) = piece else { continue };
            for from_argument in [directive.width, directive.precision] {
                if from_argument == Number::Argument {
                    number(Some(32));
                }
            }
            number(match directive.conversion {
                Conversion::Text => None,
                Conversion::Character => Some(32),
                // What is narrower than `int` was promoted.
                Conversion::Signed | Conversion::Unsigned { .. } => {
                    Some(directive.length.bits(model).max(32))
                }
            });
        }
        is_fit
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
