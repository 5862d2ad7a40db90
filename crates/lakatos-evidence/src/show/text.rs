//! Pieces of text that know how tightly their outermost operator binds.

/// How tightly operators bind, as in C and ACSL.
pub(super) type Level = u8;
pub(super) const CHOICE: Level = 1;
pub(super) const IFF: Level = 2;
pub(super) const IMPLIES: Level = 3;
pub(super) const OR: Level = 4;
pub(super) const AND: Level = 5;
pub(super) const BIT_OR: Level = 6;
pub(super) const BIT_XOR: Level = 7;
pub(super) const BIT_AND: Level = 8;
pub(super) const EQUAL: Level = 9;
pub(super) const COMPARE: Level = 10;
pub(super) const SHIFT: Level = 11;
pub(super) const SUM: Level = 12;
pub(super) const PRODUCT: Level = 13;
pub(super) const UNARY: Level = 14;
pub(super) const POSTFIX: Level = 15;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Text {
    pub text: String,
    pub level: Level,
}

impl Text {
    pub fn new(level: Level, text: impl Into<String>) -> Text {
        Text { text: text.into(), level }
    }

    /// In parentheses if it binds less tightly.
    pub fn at(&self, least: Level) -> String {
        match self.level < least {
            true => format!("({})", self.text),
            false => self.text.clone(),
        }
    }

    /// `self op other`, where `op` binds so tightly and groups to the left.
    pub fn then(&self, op: &str, level: Level, other: &Text) -> Text {
        Text::new(level, format!("{} {op} {}", self.at(level), other.at(level + 1)))
    }

    pub fn prefixed(&self, prefix: &str) -> Text {
        let inner = self.at(UNARY);
        // `- -x`, not the operator `--`.
        let gap = if prefix.ends_with('-') && inner.starts_with('-') { " " } else { "" };
        Text::new(UNARY, format!("{prefix}{gap}{inner}"))
    }
}

/// `a op b op c`, where `op` is associative.
pub(super) fn joined(parts: &[Text], op: &str, level: Level, inside: Level) -> Text {
    let parts: Vec<String> = parts.iter().map(|part| part.at(inside)).collect();
    Text::new(level, parts.join(op))
}
