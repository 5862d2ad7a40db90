//! The functions with a model, one row each.

use super::{Gives, Use};
use crate::program::Builtin;

/// A function of the C library, or a built-in of the compiler that works like one.
#[derive(Debug)]
pub struct LibraryFunction {
    pub builtin: Builtin,
    /// All names under which programs call it, the usual one first.
    pub names: &'static [&'static str],
    /// Result and parameters: `v` void, `i` int, `z` size_t, `p` void *, `P` const void *,
    /// `s` char *, `S` const char *, a final `.` for more arguments. `None` for built-ins that take
    /// several types, which the front-end checks by itself.
    pub signature: Option<&'static str>,
    /// What happens to each argument.
    pub uses: &'static [Use],
    pub gives: Gives,
    /// Output on the standard streams is its only other effect.
    pub prints: bool,
}

use Gives::*;
use Use::*;

const fn row(
    builtin: Builtin,
    names: &'static [&'static str],
    signature: &'static str,
    uses: &'static [Use],
    gives: Gives,
) -> LibraryFunction {
    LibraryFunction { builtin, names, signature: Some(signature), uses, gives, prints: false }
}

const fn output(
    builtin: Builtin,
    names: &'static [&'static str],
    signature: &'static str,
    uses: &'static [Use],
) -> LibraryFunction {
    LibraryFunction { prints: true, ..row(builtin, names, signature, uses, Number) }
}

const fn intrinsic(
    builtin: Builtin,
    names: &'static [&'static str],
    gives: Gives,
) -> LibraryFunction {
    LibraryFunction { builtin, names, signature: None, uses: &[Value], gives, prints: false }
}

/// In the order of [`Builtin`].
static TABLE: [LibraryFunction; Builtin::COUNT] = [
    row(Builtin::Abort, &["abort"], "v", &[], End),
    row(Builtin::Exit, &["exit", "_exit", "_Exit", "quick_exit"], "vi", &[Value], End),
    LibraryFunction {
        uses: &[],
        ..intrinsic(Builtin::Unreachable, &["__builtin_unreachable"], End)
    },
    row(Builtin::Malloc, &["malloc"], "pz", &[Value], Memory),
    row(Builtin::Calloc, &["calloc"], "pzz", &[Value, Value], Memory),
    row(Builtin::Realloc, &["realloc"], "ppz", &[Frees, Value], Memory),
    row(Builtin::Free, &["free"], "vp", &[Frees], Nothing),
    row(Builtin::Alloca, &["alloca"], "pz", &[Value], Memory),
    row(Builtin::Memcpy, &["memcpy"], "ppPz", &[Writes(2), Reads(2), Value], First),
    row(Builtin::Memmove, &["memmove"], "ppPz", &[Writes(2), Reads(2), Value], First),
    row(Builtin::Memset, &["memset"], "ppiz", &[Writes(2), Value, Value], First),
    row(Builtin::Memcmp, &["memcmp"], "iPPz", &[Reads(2), Reads(2), Value], Number),
    row(Builtin::Memchr, &["memchr"], "pPiz", &[Reads(2), Value, Value], IntoFirst),
    row(Builtin::Strlen, &["strlen"], "zS", &[ReadsText], Number),
    row(Builtin::Strnlen, &["strnlen"], "zSz", &[ReadsText, Value], Number),
    row(Builtin::Strcpy, &["strcpy"], "ssS", &[WritesText, ReadsText], First),
    row(Builtin::Strncpy, &["strncpy"], "ssSz", &[Writes(2), ReadsText, Value], First),
    row(Builtin::Strcat, &["strcat"], "ssS", &[AppendsText, ReadsText], First),
    row(Builtin::Strncat, &["strncat"], "ssSz", &[AppendsText, ReadsText, Value], First),
    row(Builtin::Strcmp, &["strcmp"], "iSS", &[ReadsText, ReadsText], Number),
    row(Builtin::Strncmp, &["strncmp"], "iSSz", &[ReadsText, ReadsText, Value], Number),
    row(Builtin::Strchr, &["strchr", "index"], "sSi", &[ReadsText, Value], IntoFirst),
    row(Builtin::Strrchr, &["strrchr", "rindex"], "sSi", &[ReadsText, Value], IntoFirst),
    row(Builtin::Strstr, &["strstr"], "sSS", &[ReadsText, ReadsText], IntoFirst),
    output(Builtin::Printf, &["printf"], "iS.", &[Format]),
    output(Builtin::Puts, &["puts"], "iS", &[ReadsText]),
    output(Builtin::Putchar, &["putchar"], "ii", &[Value]),
    intrinsic(Builtin::Clz, &["__builtin_clz"], Number),
    intrinsic(Builtin::Ctz, &["__builtin_ctz"], Number),
    intrinsic(Builtin::Popcount, &["__builtin_popcount"], Number),
    intrinsic(Builtin::Parity, &["__builtin_parity"], Number),
    intrinsic(Builtin::Ffs, &["__builtin_ffs"], Number),
];

const _: () = {
    let mut at = 0;
    while at < TABLE.len() {
        assert!(TABLE[at].builtin as usize == at, "rows stand in the order of `Builtin`");
        at += 1;
    }
};

impl LibraryFunction {
    pub fn of(builtin: Builtin) -> &'static LibraryFunction {
        &TABLE[builtin as usize]
    }

    /// By one of its names.
    pub fn named(name: &str) -> Option<&'static LibraryFunction> {
        TABLE.iter().find(|row| row.names.contains(&name))
    }

    pub fn all() -> impl Iterator<Item = &'static LibraryFunction> {
        TABLE.iter()
    }

    /// The letters of the parameters, without the one for more arguments.
    pub fn params(&self) -> &'static [u8] {
        let letters = self.signature.map_or(&b"v"[..], str::as_bytes);
        match &letters[1..] {
            [params @ .., b'.'] => params,
            params => params,
        }
    }

    /// The letter of the result.
    pub fn result(&self) -> u8 {
        self.signature.map_or(b'v', |signature| signature.as_bytes()[0])
    }

    pub fn is_variadic(&self) -> bool {
        self.signature.is_some_and(|signature| signature.ends_with('.'))
    }

    /// What happens to the argument with a number.
    pub fn use_of(&self, argument: usize) -> Use {
        match self.uses.get(argument) {
            Some(own) => *own,
            // What a format says of it.
            None if self.uses.contains(&Format) => Format,
            None => Value,
        }
    }
}
