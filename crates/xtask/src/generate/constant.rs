//! Constants, and constant expressions that do not overflow.

use super::Generator;
use super::effect::Effect;
use super::expr::Expr;

/// Decimal and hexadecimal forms around the limits of types; their own types differ between
/// suffixes, bases and data models.
const EDGES: [&str; 30] = [
    "127",
    "128",
    "255",
    "256",
    "32767",
    "32768",
    "65535",
    "65536",
    "2147483647",
    "2147483648",
    "4294967295",
    "4294967296",
    "0x7fffffff",
    "0x80000000",
    "0xffffffff",
    "0x100000000",
    "9223372036854775807",
    "0x7fffffffffffffff",
    "0x8000000000000000",
    "0xffffffffffffffff",
    "1U",
    "0xffU",
    "3L",
    "5UL",
    "0xffffffffL",
    "7LL",
    "4294967295LL",
    "0x8000000000000000ULL",
    "0777",
    "0b1011",
];

const CHARACTERS: [&str; 9] =
    ["'a'", "'\\n'", "'\\0'", "'\\377'", "'\\x80'", "'\\\\'", "'\\''", "'\"'", "'~'"];

impl Generator {
    /// An integer constant: small, at the edge of a type, a character or an enumerator.
    pub fn constant(&mut self) -> Expr {
        let text = match self.rng.below(10) {
            0..5 => self.rng.range(0, 12).to_string(),
            5 => format!("-{}", self.rng.range(1, 200)),
            6 => {
                let shift = self.rng.below(64);
                format!("0x{:x}", self.rng.bits() >> shift)
            }
            7 => self.rng.pick(&EDGES).to_string(),
            8 => self.rng.pick(&CHARACTERS).to_string(),
            _ => self.enumerator().unwrap_or_else(|| "1".to_string()),
        };
        let level = if text.starts_with('-') { 14 } else { 16 };
        Expr::new(text, level, Effect::none())
    }

    fn enumerator(&mut self) -> Option<String> {
        if self.types.enums.is_empty() {
            return None;
        }
        let e = self.rng.below(self.types.enums.len());
        Some(self.rng.pick(&self.types.enums[e].constants).0.clone())
    }

    /// A constant expression for static initialisers and enumerators, small enough at every
    /// step that no signed operation overflows.
    pub fn constant_expression(&mut self, depth: u32) -> Expr {
        if depth == 0 || self.rng.percent(30) {
            let enumerator = if self.rng.percent(20) { self.enumerator() } else { None };
            let text = enumerator.unwrap_or_else(|| self.rng.range(0, 99).to_string());
            return Expr::primary(text, Effect::none());
        }
        let a = self.constant_expression(depth - 1);
        let b = self.constant_expression(depth - 1);
        let (op, level) = *self.rng.pick(&[
            ("+", 12),
            ("-", 12),
            ("*", 13),
            ("&", 8),
            ("|", 6),
            ("^", 7),
            ("<", 10),
            ("==", 9),
            ("&&", 5),
            ("||", 4),
        ]);
        match self.rng.below(9) {
            0 => Expr::new(format!("-{}", a.at(16)), 14, Effect::none()),
            1 => Expr::new(format!("~{}", a.at(14)), 14, Effect::none()),
            2 => {
                let ty = self.int_type();
                let name = self.type_name(&ty);
                Expr::new(format!("({name}){}", a.at(14)), 14, Effect::none())
            }
            3 => {
                let text = format!("{} ? {} : {}", a.at(4), b.text, a.at(3));
                Expr::new(text, 3, Effect::none())
            }
            4 => {
                let text = format!("{} {} 3", a.at(11), self.rng.pick(&["<<", ">>"]));
                Expr::new(text, 11, Effect::none())
            }
            5 => {
                let op = self.rng.pick(&["/", "%"]);
                Expr::new(format!("{} {op} ({} | 1)", a.at(13), b.at(6)), 13, Effect::none())
            }
            _ => Expr::new(
                format!("{} {op} {}", a.at(level), b.at(level + 1)),
                level,
                Effect::none(),
            ),
        }
    }
}
