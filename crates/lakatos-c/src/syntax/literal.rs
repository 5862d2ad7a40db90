//! Constants and string literals: from the text of a token to its value.

use lakatos_ir::DataModel;

use crate::types::{FloatKind, IntKind};

/// A number as C reads it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// An unsigned 128-bit value is kept as its bit pattern.
    Int(i128, IntKind),
    /// C23's `wb` and `uwb`, with the width of the type.
    BitInt {
        value: i128,
        bits: u64,
        unsigned: bool,
    },
    Float(f64, FloatKind),
    /// A `long double` or `__float128` whose value a `double` cannot hold; the `double` that it is
    /// rounded to, where that is sure.
    Wide(Option<f64>, FloatKind),
}

/// The character type of a literal, by its prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    Char,
    /// `L`
    Wide,
    /// `u`
    Utf16,
    /// `U`
    Utf32,
}

impl Encoding {
    pub fn element(self, model: DataModel) -> IntKind {
        match (self, model) {
            (Encoding::Char, _) => IntKind::Char,
            (Encoding::Wide, DataModel::Lp64) => IntKind::Int,
            (Encoding::Wide, DataModel::Ilp32) => IntKind::Long,
            (Encoding::Utf16, _) => IntKind::UShort,
            (Encoding::Utf32, _) => IntKind::UInt,
        }
    }
}

/// GNU's imaginary constants, without the letter that makes them imaginary. It stands before or behind
/// the other suffix.
pub fn without_imaginary_suffix(text: &str) -> Option<String> {
    let at = text.find(['i', 'I', 'j', 'J'])?;
    Some(text[..at].to_owned() + &text[at + 1..])
}

/// The suffix of a constant of an unsupported type: the text without it, and what is unsupported.
pub fn unsupported_suffix(text: &str) -> Option<(&str, &'static str)> {
    // In a hexadecimal number these are digits.
    if text.starts_with("0x") || text.starts_with("0X") {
        return None;
    }
    let suffixes: &[(&str, &str)] = &[
        ("bf16", "`__bf16`"),
        ("f16", "`_Float16`"),
        ("df", "decimal floating-point numbers"),
        ("dd", "decimal floating-point numbers"),
        ("dl", "decimal floating-point numbers"),
    ];
    let is_suffix = |suffix: &str| {
        let at = text.len().checked_sub(suffix.len())?;
        let is_there = text.is_char_boundary(at) && text[at..].eq_ignore_ascii_case(suffix);
        is_there.then(|| &text[..at])
    };
    suffixes.iter().find_map(|&(suffix, what)| Some((is_suffix(suffix)?, what)))
}

/// Reads an integer or floating constant (C11 6.4.4).
pub fn number(text: &str, model: DataModel) -> Result<Number, String> {
    let lower = text.replace('\'', "").to_ascii_lowercase();
    let hex = lower.starts_with("0x");
    let float = match hex {
        true => lower.contains(['.', 'p']),
        false => lower.contains(['.', 'e']) && !lower.starts_with("0b"),
    };
    if float { floating(&lower, hex) } else { integer(&lower, model) }
}

fn integer(text: &str, model: DataModel) -> Result<Number, String> {
    let (radix, digits) = match text.as_bytes() {
        [b'0', b'x', ..] => (16, &text[2..]),
        [b'0', b'b', ..] => (2, &text[2..]),
        [b'0', _, ..] => (8, &text[1..]),
        _ => (10, text),
    };
    let end = digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len());
    let (digits, suffix) = digits.split_at(end);
    // `0` itself, and `0u`: the leading zero was taken for an octal prefix.
    let digits = if digits.is_empty() && radix == 8 { "0" } else { digits };
    if digits.is_empty() {
        return Err(format!("`{text}` has no digits"));
    }
    let value = u128::from_str_radix(digits, radix)
        .map_err(|_| format!("the constant `{text}` does not fit any integer type"))?;
    let (unsigned, long) = match suffix {
        "" => (false, 0),
        "u" => (true, 0),
        "l" => (false, 1),
        "ul" | "lu" => (true, 1),
        "ll" => (false, 2),
        "ull" | "llu" => (true, 2),
        "wb" => return Ok(bit_precise(value, false)),
        "uwb" | "wbu" => return Ok(bit_precise(value, true)),
        _ => return Err(format!("`{suffix}` is not a suffix of an integer constant")),
    };
    let kind = integer_kind(value, radix == 10, unsigned, long, model)
        .ok_or_else(|| format!("the constant `{text}` does not fit any integer type"))?;
    Ok(Number::Int(value as i128, kind))
}

/// C23 6.4.4.1: a constant has the narrowest bit-precise type that holds it.
fn bit_precise(value: u128, unsigned: bool) -> Number {
    let bits = u64::from(128 - value.leading_zeros());
    let bits = if unsigned { bits.max(1) } else { (bits + 1).max(2) };
    Number::BitInt { value: value as i128, bits, unsigned }
}

/// The first type of C11 6.4.4.1's list that can hold the value.
fn integer_kind(
    value: u128,
    decimal: bool,
    unsigned: bool,
    long: u8,
    model: DataModel,
) -> Option<IntKind> {
    use IntKind::*;
    let ranks = [(Int, UInt), (Long, ULong), (LongLong, ULongLong), (Int128, UInt128)];
    ranks[usize::from(long)..].iter().find_map(|&(signed, other)| {
        let fits = |kind: IntKind| value <= kind.int_type(model).max() as u128;
        if !unsigned && fits(signed) {
            Some(signed)
        } else if (unsigned || !decimal) && fits(other) {
            Some(other)
        } else {
            None
        }
    })
}

fn floating(text: &str, hex: bool) -> Result<Number, String> {
    let suffix_start = text.find(['l', 'q']).or_else(|| match hex {
        false => text.find('f'),
        true => text.find('p').and_then(|p| text[p..].find('f').map(|f| p + f)),
    });
    let (body, suffix) = text.split_at(suffix_start.unwrap_or(text.len()));
    let kind = match suffix {
        "" | "f64" | "f32x" => FloatKind::Double,
        "f" | "f32" => FloatKind::Float,
        "l" => FloatKind::LongDouble,
        "q" | "f128" | "f64x" => FloatKind::Float128,
        _ => return Err(format!("`{suffix}` is not a suffix of a floating constant")),
    };
    let value = if hex { hex_float(body) } else { body.parse::<f64>().ok() };
    let Some(value) = value else {
        return match hex && is_hex_float(body) {
            true => Ok(Number::Wide(None, kind)),
            false => Err(format!("`{text}` is not a number")),
        };
    };
    match kind {
        FloatKind::Float => Ok(Number::Float(float_rounded(body, hex, value), kind)),
        FloatKind::LongDouble | FloatKind::Float128 if !hex && !is_exact(body, value) => {
            Ok(Number::Wide(rounded_from_wide(body), kind))
        }
        _ => Ok(Number::Float(value, kind)),
    }
}

/// The decimal text is the value of the `f64`, digit by digit.
fn is_exact(text: &str, value: f64) -> bool {
    // No `f64` has more than 1074 digits after the point.
    value.is_finite()
        && digits_of(text).is_some_and(|d| Some(d) == digits_of(&format!("{value:.1074}")))
}

/// The decimal text, rounded to a `long double` (or something more precise) and then to a `double`.
///
/// The first rounding changes the value by less than one in the nineteenth digit. So if numbers
/// that are further away on both sides have the same `double`, it is the one; `None` otherwise.
fn rounded_from_wide(text: &str) -> Option<f64> {
    const DIGITS: usize = 19;
    let (digits, first) = digits_of(text)?;
    let leading: i128 = format!("{digits:0<DIGITS$}")[..DIGITS].parse().ok()?;
    let scale = first.checked_sub(DIGITS as i64)?;
    let near = |change: i128| format!("{}e{scale}", leading + change).parse::<f64>().ok();
    let (low, high) = (near(-1)?, near(2)?);
    (low == high && low.is_finite()).then_some(low)
}

/// The significant digits, and the power of ten of the first of them.
fn digits_of(text: &str) -> Option<(String, i64)> {
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let exponent: i64 = exponent.parse().ok()?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = [whole, fraction].concat();
    let leading = digits.len() - digits.trim_start_matches('0').len();
    let significant = digits.trim_matches('0').to_owned();
    let first = match significant.is_empty() {
        true => 0,
        false => exponent.checked_add(whole.len() as i64 - leading as i64)?,
    };
    Some((significant, first))
}

/// A `float` constant is rounded once, from its digits.
fn float_rounded(body: &str, hex: bool, value: f64) -> f64 {
    match hex {
        true => f64::from(value as f32),
        false => body.parse::<f32>().map_or(value, f64::from),
    }
}

/// A number, whatever its value is.
fn is_hex_float(text: &str) -> bool {
    let Some((significand, exponent)) = text[2..].split_once('p') else { return false };
    let digits = significand.replacen('.', "", 1);
    let power = exponent.trim_start_matches(['+', '-']);
    let is_number = |text: &str, radix| !text.is_empty() && text.chars().all(|c| c.is_digit(radix));
    is_number(&digits, 16) && is_number(power, 10) && exponent.len() - power.len() <= 1
}

/// `0x1.8p3`; exact as long as the significand has at most 53 bits, `None` otherwise.
fn hex_float(text: &str) -> Option<f64> {
    let (significand, exponent) = text[2..].split_once('p')?;
    let exponent: i32 = exponent.parse().ok().filter(|e: &i32| e.abs() < 4096)?;
    let (whole, fraction) = significand.split_once('.').unwrap_or((significand, ""));
    let digits: String = [whole, fraction].concat();
    let digits = digits.trim_start_matches('0');
    if digits.is_empty() {
        return (!whole.is_empty() || !fraction.is_empty()).then_some(0.0);
    }
    let bits = u128::from_str_radix(digits, 16).ok()?;
    if bits >> bits.trailing_zeros() >= 1 << 53 {
        return None;
    }
    let exponent = exponent - 4 * fraction.len() as i32;
    // Two steps keep the scale itself from overflowing.
    let half = exponent / 2;
    Some(bits as f64 * 2f64.powi(half) * 2f64.powi(exponent - half))
}

/// The value of a character constant, quotes and prefix included, and its type.
pub fn character(text: &str, model: DataModel) -> Result<(i128, IntKind), String> {
    let (encoding, body) = split_prefix(text);
    let units = unescape(body, encoding)?;
    let kind = match encoding {
        Encoding::Char => IntKind::Int,
        other => other.element(model),
    };
    if units.is_empty() {
        return Err("empty character constant".to_owned());
    }
    let value = match encoding {
        // Several characters are packed as GCC does it; a single one is a (signed) `char`.
        Encoding::Char if units.len() == 1 => i128::from(units[0] as u8 as i8),
        Encoding::Char if units.len() <= 4 => {
            let packed = units.iter().fold(0u32, |v, &u| (v << 8) | (u & 0xff));
            i128::from(packed as i32)
        }
        Encoding::Char => return Err("character constant too long for its type".to_owned()),
        _ if units.len() == 1 => kind.int_type(model).wrap(i128::from(units[0])),
        _ => return Err("character constant too long for its type".to_owned()),
    };
    Ok((value, kind))
}

/// The code units of one string literal token, without a terminator.
pub fn string(text: &str) -> Result<(Encoding, Vec<u32>), String> {
    let (encoding, body) = split_prefix(text);
    Ok((encoding, unescape(body, encoding)?))
}

fn split_prefix(text: &str) -> (Encoding, &str) {
    let (encoding, rest) = match text.as_bytes() {
        [b'L', ..] => (Encoding::Wide, &text[1..]),
        [b'U', ..] => (Encoding::Utf32, &text[1..]),
        [b'u', b'8', ..] => (Encoding::Char, &text[2..]),
        [b'u', ..] => (Encoding::Utf16, &text[1..]),
        _ => (Encoding::Char, text),
    };
    (encoding, &rest[1..rest.len() - 1])
}

fn unescape(body: &str, encoding: Encoding) -> Result<Vec<u32>, String> {
    let mut units = Vec::with_capacity(body.len());
    let mut chars = body.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' {
            push_char(&mut units, c, encoding);
            continue;
        }
        let Some(escape) = chars.next() else { return Err("unfinished escape".to_owned()) };
        match escape {
            '0'..='7' => {
                let mut value = escape.to_digit(8).unwrap_or(0);
                for _ in 0..2 {
                    let Some(digit) = chars.peek().and_then(|c| c.to_digit(8)) else { break };
                    value = value * 8 + digit;
                    chars.next();
                }
                units.push(value);
            }
            'x' => units.push(hex_escape(&mut chars)?),
            'u' | 'U' => {
                let digits = if escape == 'u' { 4 } else { 8 };
                let text: String = chars.by_ref().take(digits).collect();
                let c = u32::from_str_radix(&text, 16).ok().and_then(char::from_u32);
                push_char(&mut units, c.ok_or("invalid universal character name")?, encoding);
            }
            '\r' if chars.peek() == Some(&'\n') => {
                chars.next();
            }
            '\n' => {}
            other => units.push(simple_escape(other)?),
        }
    }
    Ok(units)
}

fn hex_escape(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Result<u32, String> {
    let mut value: Option<u32> = None;
    while let Some(digit) = chars.peek().and_then(|c| c.to_digit(16)) {
        let next = value.unwrap_or(0).checked_mul(16).map(|v| v + digit);
        value = Some(next.ok_or("hexadecimal escape out of range")?);
        chars.next();
    }
    value.ok_or_else(|| "`\\x` without hexadecimal digits".to_owned())
}

fn simple_escape(c: char) -> Result<u32, String> {
    Ok(u32::from(match c {
        'n' => b'\n',
        't' => b'\t',
        'r' => b'\r',
        'a' => 7,
        'b' => 8,
        'f' => 12,
        'v' => 11,
        'e' | 'E' => 27,
        '\\' | '\'' | '"' | '?' => c as u8,
        other => return Err(format!("unknown escape `\\{other}`")),
    }))
}

fn push_char(units: &mut Vec<u32>, c: char, encoding: Encoding) {
    match encoding {
        Encoding::Char => {
            units.extend(c.encode_utf8(&mut [0; 4]).bytes().map(u32::from));
        }
        Encoding::Utf16 => units.extend(c.encode_utf16(&mut [0; 2]).iter().map(|&u| u32::from(u))),
        Encoding::Wide | Encoding::Utf32 => units.push(c as u32),
    }
}

/// A file name in a line marker: only backslash and quote are escaped.
pub fn unescape_file_name(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        out.push(if c == '\\' { chars.next().unwrap_or('\\') } else { c });
    }
    out
}
