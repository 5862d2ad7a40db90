//! How a harness is compiled, and what it says when it shows the violation.

use std::ops::RangeInclusive;

use lakatos_ir::{DataModel, Program, Property, SignedOverflow};

use super::VIOLATED;
use crate::refutation::Refutation;

/// A small C library for 32-bit programs, for machines that have no 32-bit libraries: it is
/// compiled and linked with [`Build::freestanding_flags`].
pub const RUNTIME_32: &str = include_str!("runtime32.c");

/// What newer compilers take for errors, and older programs do.
const OLD_STYLE: [&str; 5] = [
    "-Wno-implicit-function-declaration",
    "-Wno-implicit-int",
    "-Wno-int-conversion",
    "-Wno-incompatible-pointer-types",
    "-Wno-return-mismatch",
];

/// What the flags of the compiler depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Build {
    pub model: DataModel,
    pub property: Property,
    pub signed_overflow: SignedOverflow,
}

impl Build {
    /// For `cc -c`. The harness defines what the sanitizer calls, so that no library is needed.
    pub fn compile_flags(&self) -> Vec<&'static str> {
        let mut flags = vec!["-std=gnu11", "-w", "-O0"];
        flags.extend(OLD_STYLE);
        flags.extend(self.model_flags());
        flags.extend(["-ftrivial-auto-var-init=zero", "-fno-strict-aliasing", "-fno-builtin"]);
        flags.extend(["-fno-stack-protector", "-fno-pie"]);
        if self.signed_overflow == SignedOverflow::Wrap {
            flags.push("-fwrapv");
        }
        flags.extend(match self.property {
            Property::UnreachCall => None,
            Property::NoOverflow => Some("-fsanitize=signed-integer-overflow"),
            Property::DivByZero => Some("-fsanitize=integer-divide-by-zero"),
            Property::ArrayBounds => Some("-fsanitize=bounds-strict"),
            _ => None,
        });
        if self.is_sanitized() {
            flags.extend(["-fsanitize=address", "-fno-omit-frame-pointer", "-g"]);
        }
        flags
    }

    /// Whether the address sanitizer watches. That something is read that was never written is
    /// seen by no sanitizer of GCC.
    pub fn is_sanitized(&self) -> bool {
        self.property.is_about_memory() && self.is_seen()
    }

    /// Whether the program shows the violation when it runs.
    pub fn is_seen(&self) -> bool {
        self.property != Property::UninitialisedRead
    }

    /// For linking with the C library. Calls in code that never runs may lead nowhere.
    pub fn link_flags(&self) -> Vec<&'static str> {
        let mut flags: Vec<_> = self.model_flags().to_vec();
        flags.extend(["-no-pie", "-Wl,--unresolved-symbols=ignore-all", "-Wl,-z,lazy"]);
        if self.is_sanitized() {
            flags.push("-fsanitize=address");
        }
        flags
    }

    /// For linking with [`RUNTIME_32`] instead, and for compiling it.
    pub fn freestanding_flags(&self) -> Vec<&'static str> {
        let mut flags = vec!["-std=gnu11", "-w", "-O1", "-ffreestanding", "-fno-builtin"];
        flags.extend(self.model_flags());
        flags.extend(["-fno-stack-protector", "-fno-pie", "-nostdlib", "-static", "-no-pie"]);
        flags.push("-Wl,--unresolved-symbols=ignore-all");
        flags
    }

    /// Numbers are computed with in their own precision.
    fn model_flags(&self) -> &'static [&'static str] {
        match self.model {
            DataModel::Ilp32 => &["-m32", "-msse2", "-mfpmath=sse"],
            DataModel::Lp64 if cfg!(target_arch = "x86_64") => &["-m64"],
            DataModel::Lp64 => &[],
        }
    }
}

/// What the harness prints last and returns when it shows the violation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    what: String,
    file: String,
    lines: RangeInclusive<u32>,
    by_line: bool,
    /// A report of the address sanitizer, with the place among the calls of its first stack.
    by_report: bool,
    /// Otherwise nothing shows it.
    is_seen: bool,
}

impl Expected {
    pub(super) fn new(program: &Program, refutation: &Refutation) -> Expected {
        let violation = refutation.violation();
        let source = &program.source;
        let (start, end) =
            (source.position(violation.span.start), source.position(violation.span.end));
        let what = match violation.property {
            Property::UnreachCall => "violation: ",
            Property::NoOverflow => "signed overflow at ",
            Property::DivByZero => "division by zero at ",
            Property::ArrayBounds => "index out of bounds at ",
            _ => "",
        };
        Expected {
            what: format!("lakatos: {what}"),
            file: start.file.to_owned(),
            lines: start.line..=end.line.max(start.line),
            by_line: violation.property != Property::UnreachCall,
            by_report: violation.property.is_about_memory(),
            is_seen: violation.property != Property::UninitialisedRead,
        }
    }

    /// Whether a program that ended with this code and said this has shown the violation.
    pub fn is_met(&self, code: i32, said: &str) -> bool {
        if !self.is_seen {
            return false;
        }
        if self.by_report {
            return code == VIOLATED && self.is_reported(said);
        }
        let Some(rest) = said.lines().last().and_then(|line| line.strip_prefix(&self.what)) else {
            return false;
        };
        let place = rest.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse().ok()?)));
        code == VIOLATED
            && (!self.by_line
                || place.is_some_and(|(file, line): (&str, u32)| {
                    file == self.file && self.lines.contains(&line)
                }))
    }

    /// Whether a report of the sanitizer is about the place.
    fn is_reported(&self, said: &str) -> bool {
        let report = said.lines().skip_while(|line| !line.contains("Sanitizer: "));
        let stack = report.skip_while(|line| !is_call(line)).take_while(|line| is_call(line));
        stack.filter_map(|line| line.rsplit_once(' ')).any(|(_, place)| {
            self.lines.clone().any(|line| {
                let own = format!("{}:{line}", self.file);
                let rest = place.rfind(&own).map(|at| &place[at + own.len()..]);
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
            })
        })
    }
}

/// A line of a stack in a report: `    #1 0x4011f0 in main file.c:12`.
fn is_call(line: &str) -> bool {
    line.trim_start().starts_with('#')
}
