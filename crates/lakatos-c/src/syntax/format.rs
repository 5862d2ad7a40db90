//! Formats of `printf` (C11 7.21.6.1).

use lakatos_ir::DataModel;

/// A part of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    Byte(u8),
    Directive(Directive),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Directive {
    /// 1 for `-`, 2 for `0`, 4 for `#`, 8 for `+`, 16 for a blank.
    pub flags: u8,
    pub width: Number,
    /// -1 if there is none.
    pub precision: Number,
    pub length: Length,
    pub conversion: Conversion,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    Given(i32),
    /// `*`.
    Argument,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    Char,
    Short,
    Int,
    Long,
    LongLong,
    Size,
    /// `L`, of floating-point numbers.
    LongDouble,
}

impl Length {
    pub fn bits(self, model: DataModel) -> u16 {
        match self {
            Length::Char => 8,
            Length::Short => 16,
            Length::Int => 32,
            Length::Long | Length::Size => model.pointer_bits(),
            Length::LongLong => 64,
            Length::LongDouble => 128,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conversion {
    Signed,
    Unsigned {
        base: u8,
        upper: bool,
    },
    Character,
    Text,
    /// A `double`, or a `long double`.
    Float {
        long: bool,
    },
    Pointer,
}

/// The pieces of a format; `None` where it has a directive that is not among these.
pub fn read(format: &[u8]) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut bytes = format;
    while let Some((&byte, rest)) = bytes.split_first() {
        bytes = rest;
        match (byte, rest.first()) {
            (b'%', Some(b'%')) => {
                pieces.push(Piece::Byte(b'%'));
                bytes = &rest[1..];
            }
            (b'%', _) => pieces.push(Piece::Directive(directive(&mut bytes)?)),
            _ => pieces.push(Piece::Byte(byte)),
        }
    }
    Some(pieces)
}

fn directive(bytes: &mut &[u8]) -> Option<Directive> {
    let mut flags = 0;
    while let Some(flag) = bytes.first().and_then(|byte| b"-0#+ ".iter().position(|b| b == byte)) {
        flags |= 1 << flag;
        *bytes = &bytes[1..];
    }
    let width = number(bytes)?;
    let precision = match bytes.strip_prefix(b".") {
        Some(rest) => {
            *bytes = rest;
            number(bytes)?
        }
        None => Number::Given(-1),
    };
    let lengths: [(&[u8], Length); 8] = [
        (b"hh", Length::Char),
        (b"h", Length::Short),
        (b"ll", Length::LongLong),
        (b"l", Length::Long),
        (b"j", Length::LongLong),
        (b"z", Length::Size),
        (b"t", Length::Size),
        (b"L", Length::LongDouble),
    ];
    let mut length = Length::Int;
    if let Some((rest, own)) = lengths.iter().find_map(|(p, l)| Some((bytes.strip_prefix(*p)?, l)))
    {
        (*bytes, length) = (rest, *own);
    }
    let (&letter, rest) = bytes.split_first()?;
    *bytes = rest;
    let conversion = match (letter, length) {
        (b'a' | b'A' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G', Length::Int | Length::Long) => {
            Conversion::Float { long: false }
        }
        (b'a' | b'A' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G', Length::LongDouble) => {
            Conversion::Float { long: true }
        }
        (_, Length::LongDouble) => return None,
        (b'p', Length::Int) => Conversion::Pointer,
        (b'd' | b'i', _) => Conversion::Signed,
        (b'u', _) => Conversion::Unsigned { base: 10, upper: false },
        (b'o', _) => Conversion::Unsigned { base: 8, upper: false },
        (b'x', _) => Conversion::Unsigned { base: 16, upper: false },
        (b'X', _) => Conversion::Unsigned { base: 16, upper: true },
        (b'c', Length::Int) => Conversion::Character,
        (b's', Length::Int) => Conversion::Text,
        _ => return None,
    };
    Some(Directive { flags, width, precision, length, conversion })
}

/// Digits, `*`, or nothing, which is 0.
fn number(bytes: &mut &[u8]) -> Option<Number> {
    if let Some(rest) = bytes.strip_prefix(b"*") {
        *bytes = rest;
        return Some(Number::Argument);
    }
    let end = bytes.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(bytes.len());
    let (digits, rest) = bytes.split_at(end);
    *bytes = rest;
    let digits = std::str::from_utf8(digits).ok()?;
    Some(Number::Given(if digits.is_empty() { 0 } else { digits.parse().ok()? }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats() {
        let plain = Directive {
            flags: 0,
            width: Number::Given(0),
            precision: Number::Given(-1),
            length: Length::Int,
            conversion: Conversion::Signed,
        };
        let hex = Conversion::Unsigned { base: 16, upper: true };
        for (format, expected) in [
            ("", Some(vec![])),
            ("a%%", Some(vec![Piece::Byte(b'a'), Piece::Byte(b'%')])),
            ("%d", Some(vec![Piece::Directive(plain)])),
            (
                "%-#*.3llX",
                Some(vec![Piece::Directive(Directive {
                    flags: 5,
                    width: Number::Argument,
                    precision: Number::Given(3),
                    length: Length::LongLong,
                    conversion: hex,
                })]),
            ),
            (
                "%0 +5.hhi",
                Some(vec![Piece::Directive(Directive {
                    flags: 26,
                    width: Number::Given(5),
                    precision: Number::Given(0),
                    length: Length::Char,
                    ..plain
                })]),
            ),
            ("%", None),
            ("%n", None),
            ("%Ld", None),
            ("%hf", None),
            ("%ls", None),
            ("%99999999999d", None),
        ] {
            assert_eq!(read(format.as_bytes()), expected, "{format}");
        }
    }
}
