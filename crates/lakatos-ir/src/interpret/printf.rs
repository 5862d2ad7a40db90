//! Output: `printf` and its smaller relatives, into the run's own buffer.

use super::exec::{Machine, Res};
use super::observe::Watch;
use super::value::Value;
use crate::expr::ExprId;
use crate::program::Call;
use crate::source::Span;
use crate::ty::{DataModel, IntType};

/// A conversion specification, from `%` to its letter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Directive {
    left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zeros: bool,
    width: Count,
    precision: Count,
    length: Vec<u8>,
    letter: u8,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Count {
    #[default]
    Absent,
    Number(usize),
    /// `*`: the next argument.
    Argument,
}

/// No field is made wider than this, whatever the format says.
const MAX_WIDTH: usize = 1 << 16;

/// Reads a directive after its `%`; gives it with the rest of the format.
fn directive(mut format: &[u8]) -> Option<(Directive, &[u8])> {
    let mut d = Directive::default();
    loop {
        match format.split_first()? {
            (b'-', rest) => (d.left, format) = (true, rest),
            (b'+', rest) => (d.plus, format) = (true, rest),
            (b' ', rest) => (d.space, format) = (true, rest),
            (b'#', rest) => (d.alternate, format) = (true, rest),
            (b'0', rest) => (d.zeros, format) = (true, rest),
            _ => break,
        }
    }
    (d.width, format) = count(format);
    if let Some((b'.', rest)) = format.split_first() {
        (d.precision, format) = count(rest);
        if d.precision == Count::Absent {
            d.precision = Count::Number(0);
        }
    }
    while let Some((&byte, rest)) = format.split_first()
        && b"hlzjtL".contains(&byte)
    {
        d.length.push(byte);
        format = rest;
    }
    let (&letter, rest) = format.split_first()?;
    d.letter = letter;
    Some((d, rest))
}

fn count(format: &[u8]) -> (Count, &[u8]) {
    if let Some((b'*', rest)) = format.split_first() {
        return (Count::Argument, rest);
    }
    let digits = format.iter().take_while(|b| b.is_ascii_digit()).count();
    let (number, rest) = format.split_at(digits);
    let value = number
        .iter()
        .fold(0usize, |n, &digit| n.saturating_mul(10).saturating_add(usize::from(digit - b'0')));
    match digits {
        0 => (Count::Absent, rest),
        _ => (Count::Number(value.min(MAX_WIDTH)), rest),
    }
}

impl Directive {
    /// The integer type that the length modifier asks for.
    fn int_type(&self, signed: bool, model: DataModel) -> IntType {
        let bits = match self.length.as_slice() {
            b"hh" => 8,
            b"h" => 16,
            b"" => 32,
            b"ll" | b"j" => 64,
            _ => model.pointer_bits(),
        };
        IntType { bits, signed }
    }

    fn sign(&self, negative: bool) -> &'static str {
        match (negative, self.plus, self.space) {
            (true, ..) => "-",
            (_, true, _) => "+",
            (.., true) => " ",
            _ => "",
        }
    }

    /// Sign or prefix and digits, filled up to the field's width.
    fn pad(&self, prefix: &str, digits: &str, width: usize, zeros: bool) -> String {
        let fill = width.saturating_sub(prefix.len() + digits.len());
        match (self.left, zeros) {
            (true, _) => format!("{prefix}{digits}{:fill$}", ""),
            (_, true) => format!("{prefix}{}{digits}", "0".repeat(fill)),
            _ => format!("{:fill$}{prefix}{digits}", ""),
        }
    }

    fn integer(
        &self,
        value: i128,
        model: DataModel,
        width: usize,
        precision: Option<usize>,
    ) -> String {
        let signed = matches!(self.letter, b'd' | b'i');
        let value = self.int_type(signed, model).wrap(value);
        let magnitude = value.unsigned_abs();
        let mut digits = match self.letter {
            b'x' => format!("{magnitude:x}"),
            b'X' => format!("{magnitude:X}"),
            b'o' => format!("{magnitude:o}"),
            _ => magnitude.to_string(),
        };
        if precision == Some(0) && magnitude == 0 {
            digits.clear();
        }
        if let Some(precision) = precision {
            digits.insert_str(0, &"0".repeat(precision.saturating_sub(digits.len())));
        }
        let prefix = match self.letter {
            b'd' | b'i' => self.sign(value < 0),
            b'x' if self.alternate && magnitude != 0 => "0x",
            b'X' if self.alternate && magnitude != 0 => "0X",
            b'o' if self.alternate && !digits.starts_with('0') => "0",
            _ => "",
        };
        self.pad(prefix, &digits, width, self.zeros && precision.is_none())
    }

    fn float(&self, value: f64, width: usize, precision: Option<usize>) -> String {
        let precision = precision.unwrap_or(6);
        let magnitude = value.abs();
        let digits = match self.letter.to_ascii_lowercase() {
            _ if value.is_nan() => "nan".to_owned(),
            _ if value.is_infinite() => "inf".to_owned(),
            b'e' => scientific(magnitude, precision),
            b'g' => general(magnitude, precision.max(1), self.alternate),
            _ => format!("{magnitude:.precision$}"),
        };
        let digits = match self.letter.is_ascii_uppercase() {
            true => digits.to_uppercase(),
            false => digits,
        };
        let zeros = self.zeros && value.is_finite();
        self.pad(self.sign(value.is_sign_negative()), &digits, width, zeros)
    }
}

/// C's `%e`: at least two digits of exponent.
fn scientific(magnitude: f64, precision: usize) -> String {
    let text = format!("{magnitude:.precision$e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.unsigned_abs())
}

/// C's `%g`: the shorter of `%e` and `%f` with `precision` significant digits.
fn general(magnitude: f64, precision: usize, keep_zeros: bool) -> String {
    let rounded = scientific(magnitude, precision - 1);
    let (digits, exponent) = rounded.split_once('e').unwrap_or((&rounded, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let trim = |text: &str| match text.contains('.') && !keep_zeros {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text.to_owned(),
    };
    if exponent < -4 || exponent >= precision as i32 {
        format!("{}{}", trim(digits), &rounded[digits.len()..])
    } else {
        let decimals = (precision as i32 - 1 - exponent).max(0) as usize;
        trim(&format!("{magnitude:.decimals$}"))
    }
}

impl<W: Watch> Machine<'_, '_, W> {
    pub(super) fn print(&mut self, text: &[u8]) -> Res<()> {
        self.afford(text.len() as u64)?;
        self.output.extend_from_slice(text);
        Ok(())
    }

    pub(super) fn puts(&mut self, call: &Call, span: Span) -> Res<i128> {
        let pointer = self.pointer_argument(call, 0, span)?;
        let mut text = self.string_at(pointer, u64::MAX, 0, self.argument_span(call, 0, span))?;
        text.push(b'\n');
        self.print(&text)?;
        Ok(text.len() as i128)
    }

    /// Gives the number of bytes written.
    pub(super) fn printf(&mut self, call: &Call, span: Span) -> Res<i128> {
        let pointer = self.pointer_argument(call, 0, span)?;
        let text = self.string_at(pointer, u64::MAX, 0, self.argument_span(call, 0, span))?;
        let mut arguments = call.args[1..].iter();
        let before = self.output.len();
        let mut format = text.as_slice();
        while let Some((&byte, rest)) = format.split_first() {
            if byte != b'%' {
                let plain = memchr::memchr(b'%', format).unwrap_or(format.len());
                self.print(&format[..plain])?;
                format = &format[plain..];
                continue;
            }
            let Some((directive, rest)) = directive(rest) else {
                return Err(self.unsupported("a `printf` format that ends in a `%`", span));
            };
            self.convert(directive, &mut arguments, call, span)?;
            format = rest;
        }
        Ok((self.output.len() - before) as i128)
    }

    fn convert(
        &mut self,
        mut directive: Directive,
        arguments: &mut std::slice::Iter<'_, ExprId>,
        call: &Call,
        span: Span,
    ) -> Res<()> {
        if directive.letter == b'%' {
            return self.print(b"%");
        }
        let width = self.count(directive.width, arguments, span)?.unwrap_or(0);
        directive.left |= width < 0;
        let width = width.unsigned_abs().min(MAX_WIDTH as u128) as usize;
        let precision = self.count(directive.precision, arguments, span)?;
        // A negative precision counts as none.
        let precision = precision.and_then(|p| usize::try_from(p).ok()).map(|p| p.min(MAX_WIDTH));
        let Some(&argument) = arguments.next() else {
            return Err(self.unsupported("`printf` with too few arguments", span));
        };
        let number = call.args.len() - arguments.len() - 1;
        let model = self.program.types.model;
        let value = match self.printed_pending(argument) {
            // What is printed decides about nothing.
            Some(any) => any,
            None => self.scalar(argument)?,
        };
        let text = match (directive.letter, value) {
            (b'd' | b'i' | b'u' | b'x' | b'X' | b'o', Value::Int(n)) => {
                directive.integer(n, model, width, precision)
            }
            (b'f' | b'F' | b'e' | b'E' | b'g' | b'G', Value::Float(x)) => {
                directive.float(x, width, precision)
            }
            (b'c', Value::Int(n)) => {
                return self.print_field(&directive, &[n as u8], width);
            }
            (b's', Value::Pointer(pointer)) => {
                let limit = precision.map_or(u64::MAX, |p| p as u64);
                let at = self.program.exprs[argument].span;
                let text = self.string_at(pointer, limit, number, at)?;
                return self.print_field(&directive, &text, width);
            }
            (b'p', Value::Pointer(pointer)) if pointer.is_null() => {
                directive.pad("", "(nil)", width, false)
            }
            (b'p', Value::Pointer(pointer)) => {
                directive.pad("0x", &format!("{:x}", pointer.address), width, false)
            }
            (letter, _) => {
                let what = format!("`printf` of this argument by `%{}`", letter as char);
                return Err(self.unsupported(&what, span));
            }
        };
        self.print(text.as_bytes())
    }

    fn count(
        &mut self,
        count: Count,
        arguments: &mut std::slice::Iter<'_, ExprId>,
        span: Span,
    ) -> Res<Option<i128>> {
        match count {
            Count::Absent => Ok(None),
            Count::Number(n) => Ok(Some(n as i128)),
            Count::Argument => match arguments.next() {
                Some(&argument) => self.int(argument).map(Some),
                None => Err(self.unsupported("`printf` with too few arguments", span)),
            },
        }
    }

    /// Bytes as they are (they need not be UTF-8), filled up with spaces.
    fn print_field(&mut self, directive: &Directive, text: &[u8], width: usize) -> Res<()> {
        let fill = vec![b' '; width.saturating_sub(text.len())];
        match directive.left {
            true => self.print(text).and_then(|()| self.print(&fill)),
            false => self.print(&fill).and_then(|()| self.print(text)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn integer(format: &str, value: i128) -> String {
        let (d, _) = directive(&format.as_bytes()[1..]).expect("a directive");
        let number = |count| if let Count::Number(n) = count { Some(n) } else { None };
        let (width, precision) = (number(d.width).unwrap_or(0), number(d.precision));
        d.integer(value, DataModel::Lp64, width, precision)
    }

    fn float(format: &str, value: f64) -> String {
        let (d, _) = directive(&format.as_bytes()[1..]).expect("a directive");
        let number = |count| if let Count::Number(n) = count { Some(n) } else { None };
        d.float(value, number(d.width).unwrap_or(0), number(d.precision))
    }

    #[test]
    fn integers_print_as_in_c() {
        // Right sides as glibc prints them.
        for (format, value, expected) in [
            ("%d", -5, "-5"),
            ("%5d", 42, "   42"),
            ("%-5d|", 42, "42   "),
            ("%05d", -42, "-0042"),
            ("%+d", 7, "+7"),
            ("% d", 7, " 7"),
            ("%.3d", 7, "007"),
            ("%.0d", 0, ""),
            ("%8.3d", -7, "    -007"),
            ("%u", -1, "4294967295"),
            ("%lu", -1, "18446744073709551615"),
            ("%lld", i64::MIN as i128, "-9223372036854775808"),
            ("%hhd", 200, "-56"),
            ("%x", 255, "ff"),
            ("%#x", 255, "0xff"),
            ("%#o", 8, "010"),
            ("%08lX", 0xabc, "00000ABC"),
        ] {
            assert_eq!(integer(format, value), expected, "{format} of {value}");
        }
    }

    #[test]
    fn floats_print_as_in_c() {
        for (format, value, expected) in [
            ("%f", 1.5, "1.500000"),
            ("%.2f", 2.675, "2.67"),
            ("%.0f", 2.5, "2"),
            ("%8.3f", -1.5, "  -1.500"),
            ("%08.3f", -1.5, "-001.500"),
            ("%e", 12345.678, "1.234568e+04"),
            ("%.1e", 0.0, "0.0e+00"),
            ("%g", 100000.0, "100000"),
            ("%g", 1000000.0, "1e+06"),
            ("%g", 0.0001, "0.0001"),
            ("%g", 0.00001234, "1.234e-05"),
            ("%g", 0.0, "0"),
            ("%f", f64::INFINITY, "inf"),
            ("%F", f64::NEG_INFINITY, "-INF"),
        ] {
            assert_eq!(float(format, value), expected, "{format} of {value}");
        }
    }
}
