//! Floating-point arithmetic and the layout of floats in memory, as pure functions.
//!
//! All types are computed with as `f64`: a `float` operation rounds to `f32` at once, and of the
//! wider types only values that a `double` holds exactly are known here.

use crate::expr::BinOp;
use crate::ty::{FloatType, IntType};

/// `a op b` rounded to `ty`; `None` where we cannot compute in that type.
pub(super) fn binary(op: BinOp, a: f64, b: f64, ty: FloatType) -> Option<f64> {
    match ty {
        FloatType::F64 => Some(match op {
            BinOp::Add => a + b,
            BinOp::Sub => a - b,
            BinOp::Mul => a * b,
            BinOp::Div => a / b,
            _ => return None,
        }),
        FloatType::F32 => {
            let (a, b) = (a as f32, b as f32);
            Some(f64::from(match op {
                BinOp::Add => a + b,
                BinOp::Sub => a - b,
                BinOp::Mul => a * b,
                BinOp::Div => a / b,
                _ => return None,
            }))
        }
        FloatType::F80 | FloatType::F128 => None,
    }
}

/// Conversion between floating types.
pub(super) fn convert(value: f64, ty: FloatType) -> f64 {
    match ty {
        FloatType::F32 => f64::from(value as f32),
        _ => value,
    }
}

/// Conversion of an integer; `None` if the wide type could hold it and a `double` cannot.
pub(super) fn from_int(value: i128, from: IntType, ty: FloatType) -> Option<f64> {
    let unsigned = from.is_u128();
    match ty {
        FloatType::F32 if unsigned => Some(f64::from(value as u128 as f32)),
        FloatType::F32 => Some(f64::from(value as f32)),
        FloatType::F64 if unsigned => Some(value as u128 as f64),
        FloatType::F64 => Some(value as f64),
        _ => {
            let double = if unsigned { value as u128 as f64 } else { value as f64 };
            (to_int(double, from) == Some(value)).then_some(double)
        }
    }
}

/// The integral part, if it is a value of the type.
pub(super) fn to_int(value: f64, ty: IntType) -> Option<i128> {
    let truncated = value.trunc();
    let bound = 2f64.powi(i32::from(ty.bits) - i32::from(ty.signed));
    let lowest = if ty.signed { -bound } else { 0.0 };
    if !(truncated >= lowest && truncated < bound) {
        return None;
    }
    Some(if ty.signed { truncated as i128 } else { truncated as u128 as i128 })
}

const FRACTION_BITS: u32 = 52;
const FRACTION: u64 = (1 << FRACTION_BITS) - 1;
/// Exponent bias of both wide formats.
const WIDE_BIAS: i32 = 16383;
const WIDE_SPECIAL: u128 = 0x7fff;

/// The bytes of a float, as a number.
pub(super) fn encode(value: f64, ty: FloatType) -> u128 {
    match ty {
        FloatType::F32 => u128::from((value as f32).to_bits()),
        FloatType::F64 => u128::from(value.to_bits()),
        FloatType::F80 => {
            let (sign, exponent, fraction) = widen(value);
            // The x87 format writes the leading one of the significand.
            let leading = u128::from(exponent != 0) << 63;
            sign << 79 | exponent << 64 | leading | fraction << 11
        }
        FloatType::F128 => {
            let (sign, exponent, fraction) = widen(value);
            sign << 127 | exponent << 112 | fraction << 60
        }
    }
}

/// The float with these bytes; `None` for one that no `double` equals.
pub(super) fn decode(bits: u128, ty: FloatType) -> Option<f64> {
    match ty {
        FloatType::F32 => Some(f64::from(f32::from_bits(bits as u32))),
        FloatType::F64 => Some(f64::from_bits(bits as u64)),
        FloatType::F80 => {
            let exponent = bits >> 64 & WIDE_SPECIAL;
            let leading = bits >> 63 & 1;
            let exact = bits & 0x7ff == 0 && leading == u128::from(exponent != 0);
            exact.then(|| narrow(bits >> 79 & 1, exponent, bits >> 11 & u128::from(FRACTION)))?
        }
        FloatType::F128 => {
            let exact = bits & ((1 << 60) - 1) == 0;
            let fraction = bits >> 60 & u128::from(FRACTION);
            exact.then(|| narrow(bits >> 127, bits >> 112 & WIDE_SPECIAL, fraction))?
        }
    }
}

/// Sign, 15-bit exponent and the 52 leading fraction bits of a wide float.
fn widen(value: f64) -> (u128, u128, u128) {
    let bits = value.to_bits();
    let sign = u128::from(bits >> 63);
    let exponent = (bits >> FRACTION_BITS & 0x7ff) as i32;
    let fraction = bits & FRACTION;
    match (exponent, fraction) {
        (0, 0) => (sign, 0, 0),
        (0x7ff, _) => (sign, WIDE_SPECIAL, u128::from(fraction)),
        (0, _) => {
            // Subnormal as a double, normal as a wide float.
            let top = fraction.ilog2();
            let shifted = fraction << (FRACTION_BITS - top) & FRACTION;
            (sign, (top as i32 - 1074 + WIDE_BIAS) as u128, u128::from(shifted))
        }
        _ => (sign, (exponent - 1023 + WIDE_BIAS) as u128, u128::from(fraction)),
    }
}

fn narrow(sign: u128, exponent: u128, fraction: u128) -> Option<f64> {
    let sign = (sign as u64) << 63;
    let fraction = fraction as u64;
    let (exponent, fraction) = match exponent as i32 - WIDE_BIAS {
        _ if exponent == WIDE_SPECIAL => (0x7ff, fraction),
        _ if exponent == 0 => (fraction == 0).then_some((0, 0))?,
        e @ -1022..=1023 => ((e + 1023) as u64, fraction),
        e @ -1074..=-1023 => {
            let significand = fraction | 1 << FRACTION_BITS;
            let shift = (-1022 - e) as u32;
            (significand.trailing_zeros() >= shift).then_some((0, significand >> shift))?
        }
        _ => return None,
    };
    Some(f64::from_bits(sign | exponent << FRACTION_BITS | fraction))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_formats_keep_every_double() {
        let values = [
            0.0,
            -0.0,
            1.0,
            -2.5,
            0.1,
            f64::MAX,
            f64::MIN_POSITIVE,
            f64::MIN_POSITIVE / 8.0,
            f64::from_bits(1),
            f64::from_bits(0x000f_ffff_ffff_ffff),
            f64::INFINITY,
            f64::NEG_INFINITY,
        ];
        for value in values {
            for ty in [FloatType::F64, FloatType::F80, FloatType::F128] {
                let back = decode(encode(value, ty), ty).expect("a double");
                assert_eq!(back.to_bits(), value.to_bits(), "{value} as {ty:?}");
            }
        }
        assert!(decode(encode(f64::NAN, FloatType::F80), FloatType::F80).unwrap().is_nan());
    }

    #[test]
    fn known_bit_patterns() {
        assert_eq!(encode(1.0, FloatType::F80), 0x3fff_8000_0000_0000_0000);
        assert_eq!(encode(-2.0, FloatType::F80), 0xc000_8000_0000_0000_0000);
        assert_eq!(encode(1.0, FloatType::F128), 0x3fff << 112);
        // 1 + 2^-63 has no double.
        assert_eq!(decode(0x3fff_8000_0000_0000_0001, FloatType::F80), None);
    }

    #[test]
    fn conversion_to_integers_is_checked() {
        assert_eq!(to_int(2147483647.9, IntType::I32), Some(2147483647));
        assert_eq!(to_int(2147483648.0, IntType::I32), None);
        assert_eq!(to_int(-2147483648.9, IntType::I32), Some(-2147483648));
        assert_eq!(to_int(-2147483649.0, IntType::I32), None);
        assert_eq!(to_int(-0.9, IntType::U8), Some(0));
        assert_eq!(to_int(-1.0, IntType::U8), None);
        assert_eq!(to_int(f64::NAN, IntType::I32), None);
        assert_eq!(to_int(2f64.powi(127), IntType::unsigned(128)), Some(i128::MIN));
    }
}
