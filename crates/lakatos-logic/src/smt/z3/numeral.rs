//! Z3's constants as numbers.

use std::str::FromStr;

use z3::ast::{BV, Dynamic, Int as ZInt, Real as ZReal};

use crate::number::{Int, Rational};
use crate::term::Value;

/// The value of a constant expression of a simple sort.
pub(super) fn value(constant: &Dynamic) -> Option<Value> {
    if let Some(b) = constant.as_bool() {
        b.as_bool().map(Value::Bool)
    } else if let Some(i) = constant.as_int() {
        int(&i).map(Value::Int)
    } else if let Some(r) = constant.as_real() {
        real(&r).map(Value::Real)
    } else {
        let bv = constant.as_bv()?;
        bitvec(&bv).map(|value| Value::BitVec(value, bv.get_size()))
    }
}

fn int(constant: &ZInt) -> Option<Int> {
    match constant.as_i64() {
        Some(small) => Some(Int::from(small)),
        None => decimal(&constant.to_string()),
    }
}

fn real(constant: &ZReal) -> Option<Rational> {
    match constant.as_rational() {
        Some((numerator, denominator)) => {
            Some(Rational::from_parts_signed(numerator.into(), denominator.into()))
        }
        None => fraction(&constant.to_string()),
    }
}

fn bitvec(constant: &BV) -> Option<Int> {
    if constant.get_size() <= 64 {
        return constant.as_u64().map(Int::from);
    }
    let text = constant.to_string();
    let (digits, radix) = match (text.strip_prefix("#x"), text.strip_prefix("#b")) {
        (Some(digits), _) => (digits, 16),
        (_, Some(digits)) => (digits, 2),
        _ => return None,
    };
    Int::from_str_radix(digits, radix).ok()
}

/// `5`, `(- 5)`; with a useless `.0` for reals.
fn decimal(text: &str) -> Option<Int> {
    let (text, negative) = match text.strip_prefix("(- ").and_then(|t| t.strip_suffix(')')) {
        Some(inner) => (inner, true),
        None => (text, false),
    };
    let magnitude = Int::from_str(text.strip_suffix(".0").unwrap_or(text)).ok()?;
    Some(if negative { -magnitude } else { magnitude })
}

/// A decimal, `(/ 1.0 3.0)` or `(- (/ 1.0 3.0))`.
fn fraction(text: &str) -> Option<Rational> {
    if let Some(inner) = text.strip_prefix("(- ").and_then(|t| t.strip_suffix(')')) {
        return fraction(inner).map(|q| -q);
    }
    match text.strip_prefix("(/ ").and_then(|t| t.strip_suffix(')')) {
        Some(inner) => {
            let (numerator, denominator) = inner.rsplit_once(' ')?;
            Some(Rational::from_parts_signed(decimal(numerator)?, decimal(denominator)?))
        }
        None => decimal(text).map(Rational::from),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions() {
        let big = Int::from_str("123456789012345678901234567890").unwrap();
        for (text, expect) in [
            ("7.0", Rational::from(7)),
            ("(- 7.0)", Rational::from(-7)),
            ("(/ 1.0 3.0)", Rational::from_parts_signed(1.into(), 3.into())),
            ("(- (/ 1.0 3.0))", Rational::from_parts_signed((-1).into(), 3.into())),
            (
                "(/ (- 1.0) 123456789012345678901234567890.0)",
                Rational::from_parts_signed((-1).into(), big),
            ),
        ] {
            assert_eq!(fraction(text), Some(expect), "{text}");
        }
        assert_eq!(fraction("root-obj"), None);
    }
}
