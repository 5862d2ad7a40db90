//! Constants: from text to values. Integers of ACSL have no bounds, whatever their suffix.

use dashu_int::{IBig, UBig};

/// No number needs more digits, and reading them takes time.
const MOST_DIGITS: usize = 2000;

/// Whether a number is one of the reals.
pub(crate) fn is_real(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    match lower.starts_with("0x") {
        true => lower.contains(['.', 'p']),
        false => lower.contains(['.', 'e']) && !lower.starts_with("0b"),
    }
}

/// The value of an integer constant.
pub fn integer(text: &str) -> Result<IBig, String> {
    let lower = text.to_ascii_lowercase();
    let (radix, digits) = match lower.as_bytes() {
        [b'0', b'x', ..] => (16, &lower[2..]),
        [b'0', b'b', ..] => (2, &lower[2..]),
        [b'0', _, ..] => (8, &lower[1..]),
        _ => (10, &lower[..]),
    };
    let end = digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len());
    let (digits, suffix) = digits.split_at(end);
    // `0u`: the zero was taken for the prefix of an octal number.
    let digits = if digits.is_empty() && radix == 8 { "0" } else { digits };
    if digits.is_empty() {
        return Err(format!("`{text}` has no digits"));
    }
    if digits.len() > MOST_DIGITS {
        return Err(format!("a number of more than {MOST_DIGITS} digits"));
    }
    if !matches!(suffix, "" | "u" | "l" | "ul" | "lu" | "ll" | "ull" | "llu") {
        return Err(format!("`{suffix}` is not a suffix of an integer"));
    }
    let value = UBig::from_str_radix(digits, radix).map_err(|e| e.to_string())?;
    Ok(value.into())
}

/// Whether the text of a real number is one: `1.5`, `.5e-3`, `0x1.8p3`.
pub(crate) fn check_real(text: &str) -> Result<(), String> {
    let lower = text.to_ascii_lowercase();
    let bad = || format!("`{text}` is not a number");
    let (radix, body, mark) = match lower.strip_prefix("0x") {
        Some(body) => (16, body, 'p'),
        None => (10, &lower[..], 'e'),
    };
    let (mantissa, exponent) = match body.split_once(mark) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (body, None),
    };
    if let Some(exponent) = exponent {
        let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        if digits.is_empty() || digits.len() > 4 || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return Err(bad());
        }
    } else if radix == 16 {
        return Err(bad());
    }
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = || whole.chars().chain(fraction.chars());
    match all().count() > 0 && all().all(|c| c.is_digit(radix)) {
        true => Ok(()),
        false => Err(bad()),
    }
}

/// The suffix that makes a constant one of a C type: `1.5f`.
pub(crate) fn real_suffix(text: &str) -> Option<char> {
    let hex = text.to_ascii_lowercase().starts_with("0x");
    let last = text.chars().last()?;
    let is_suffix = matches!(last, 'f' | 'F' | 'd' | 'D' | 'l' | 'L');
    // The letters are digits in base 16, except after the exponent.
    (is_suffix && (!hex || text.contains(['p', 'P']))).then_some(last)
}

/// The value of a character constant with its quotes.
pub fn character(text: &str) -> Result<IBig, String> {
    let inside = text.strip_prefix('\'').and_then(|t| t.strip_suffix('\''));
    let Some(inside) = inside else {
        return Err("this is no character constant".to_owned());
    };
    let mut chars = inside.chars();
    let value = match chars.next() {
        None => return Err("an empty character constant".to_owned()),
        Some('\\') => return escape(chars.as_str()),
        Some(c) if chars.as_str().is_empty() && c.is_ascii() => c as u32,
        Some(_) => return Err("a character constant of more than one byte".to_owned()),
    };
    Ok(IBig::from(value))
}

/// What stands behind the backslash.
fn escape(text: &str) -> Result<IBig, String> {
    let unknown = || format!("`\\{text}` is not a character");
    let byte = |digits: &str, radix| {
        let value = u32::from_str_radix(digits, radix).ok().filter(|v| *v <= 0xff);
        // A `char` is signed.
        value.map(|v| IBig::from(v as u8 as i8)).ok_or_else(unknown)
    };
    let value = match text {
        "n" => 10,
        "t" => 9,
        "r" => 13,
        "a" => 7,
        "b" => 8,
        "f" => 12,
        "v" => 11,
        "\\" => 92,
        "'" => 39,
        "\"" => 34,
        "?" => 63,
        _ => {
            return match text.strip_prefix('x') {
                Some(digits) if digits.bytes().all(|b| b.is_ascii_hexdigit()) => byte(digits, 16),
                None if text.len() <= 3 && text.bytes().all(|b| b.is_ascii_digit()) => {
                    byte(text, 8)
                }
                _ => Err(unknown()),
            };
        }
    };
    Ok(IBig::from(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Result<&str, &str>) {
        let value = match text.starts_with('\'') {
            true => character(text),
            false => integer(text),
        };
        let value = value.map(|v| v.to_string());
        assert_eq!(value.as_deref().map_err(String::as_str), expected, "{text}");
    }

    #[test]
    fn constants() {
        check("0", Ok("0"));
        check("0u", Ok("0"));
        check("010", Ok("8"));
        check("0xFFu", Ok("255"));
        check("0b101", Ok("5"));
        check("123456789012345678901234567890ULL", Ok("123456789012345678901234567890"));
        check("09", Err("`9` is not a suffix of an integer"));
        check("0x", Err("`0x` has no digits"));
        check("'a'", Ok("97"));
        check("'\\n'", Ok("10"));
        check("'\\xff'", Ok("-1"));
        check("'\\0'", Ok("0"));
        check("'\\377'", Ok("-1"));
        check("'\\400'", Err("`\\400` is not a character"));
        check("'\\+1'", Err("`\\+1` is not a character"));
        check("'\\q'", Err("`\\q` is not a character"));
        check("''", Err("an empty character constant"));
        check("'ab'", Err("a character constant of more than one byte"));
    }

    #[test]
    fn reals() {
        for good in ["1.5", ".5", "1.", "1e10", "1.5E-3", "0x1.8p3", "0x.8P-1"] {
            assert_eq!(check_real(good), Ok(()), "{good}");
            assert!(is_real(good));
        }
        for bad in [".", "1e", "1e+", "1.2.3", "0x1.8", "1e99999", "0xg.p1", "1.5x"] {
            assert!(check_real(bad).is_err(), "{bad}");
        }
        assert_eq!(real_suffix("1.5f"), Some('f'));
        assert_eq!(real_suffix("0x1.8p3"), None);
        assert_eq!(real_suffix("0x1.fp3"), None);
        assert_eq!(real_suffix("0x1.8p3f"), Some('f'));
    }
}
