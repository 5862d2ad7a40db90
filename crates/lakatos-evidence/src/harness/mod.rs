//! Harnesses: a C file that makes a violation happen when it is compiled and run
//! (DESIGN.md section 7).
//!
//! The file is the program's own text with edits where values come in from outside: a call of
//! `__VERIFIER_nondet_*`, or of a function without a body, becomes a call that is keyed by its
//! place in the text and counts how often it is passed; a declaration whose variable is read
//! before it is set gets its value. What is not edited starts as zero, which a flag of the
//! compiler sees to ([`Build`]). Calls of error functions become reports. So no function outside
//! of the file is called but those of the C library that Lakatos knows the meaning of.
//!
//! The rooms: `text` finds words, `edit` puts pieces in, `plan` says which, `table` holds the
//! inputs. No file is touched and nothing is run: that is the command line's business.

mod build;
mod edit;
mod operation;
mod plan;
mod table;
mod text;

pub use build::{Build, Expected, RUNTIME_32};

use std::fmt::Write as _;

use lakatos_ir::library::LibraryRole;
use lakatos_ir::{Procedure, Program, Property, SignedOverflow, VarKind};

use crate::refutation::Refutation;
use plan::Plan;

/// How a harness ends by itself, besides 0 for a program that ends without a violation.
pub const VIOLATED: i32 = 99;
pub const OTHER_VIOLATION: i32 = 98;
pub const BLOCKED: i32 = 97;
pub const CANNOT_GO_ON: i32 = 96;

/// Stands before everything that the harness brings in.
const PREFIX: &str = "__lakatos";

const PRELUDE: &str = include_str!("prelude.c");
const SUPPORT: &str = include_str!("support.c");

/// Symbols that the harness itself needs from the C library.
const NEEDED: [&str; 3] = ["write", "_exit", "calloc"];

/// What a report names when a pointer leads to an error function.
const BY_POINTER: &str = "an error function";

/// Why there is no harness: what stands in the text is not what can be edited.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{at}: {reason}")]
pub struct NoHarness {
    pub at: String,
    pub reason: String,
}

/// A C file, how to build it, and what it says when the violation happens.
#[derive(Clone, Debug)]
pub struct Harness {
    pub text: String,
    pub build: Build,
    pub expected: Expected,
}

impl Harness {
    /// The harness of a refutation. The program is the one that was compiled, before any pass.
    pub fn new(
        program: &Program,
        refutation: &Refutation,
        signed_overflow: SignedOverflow,
    ) -> Result<Harness, NoHarness> {
        let source = program.source.own_text();
        let violation = refutation.violation().span;
        if !program.source.is_own(violation.start) {
            let at = program.source.position(violation.start).to_string();
            let reason = "the violation is in a model of a function of the C library".to_owned();
            return Err(NoHarness { at, reason });
        }
        let prefix = unused(source);
        let mut plan = Plan::new(program, refutation, &prefix);
        plan.inputs()?;
        plan.errors();
        let property = refutation.property();
        let build = Build { model: program.types.model, property, signed_overflow };
        let expected = Expected::new(program, refutation);
        let number = expected_error(&mut plan, refutation)?;
        let support = support(program, &plan, refutation, number)?;
        let mut text = header(program, refutation, &build);
        text += &PRELUDE.replace(PREFIX, &prefix);
        for name in NEEDED.into_iter().filter(|name| defines(program, name)) {
            let _ = writeln!(text, "#define {name} {prefix}_own_{name}");
        }
        let _ = writeln!(text, "#line 1 {}", quoted(program.source.name()));
        text += &std::mem::take(&mut plan.edits).apply(source);
        text += "\n#line 1 \"harness\"\n";
        text += &support;
        Ok(Harness { text, build, expected })
    }
}

/// A prefix that the program does not use.
fn unused(source: &str) -> String {
    let numbered = (2..).map(|n| format!("{PREFIX}{n}"));
    let mut candidates = std::iter::once(PREFIX.to_owned()).chain(numbered);
    candidates.find(|prefix| !source.contains(prefix.as_str())).unwrap_or_default()
}

/// Whether the program itself defines a function or an object of this name.
fn defines(program: &Program, name: &str) -> bool {
    let is_own = |proc: &Procedure| proc.library.is_none() && proc.body.is_some();
    let function = program.procs.iter().any(|(_, proc)| proc.name == name && is_own(proc));
    let is_static = |kind: VarKind| matches!(kind, VarKind::Global);
    function || program.vars.iter().any(|(_, var)| var.name == name && is_static(var.kind))
}

/// The number of the error call that the run ends with; -1 for other properties.
fn expected_error(plan: &mut Plan, refutation: &Refutation) -> Result<i64, NoHarness> {
    let violation = refutation.violation();
    if violation.property != Property::UnreachCall {
        if !violation.property.is_about_memory() {
            plan.undefined_operation(violation.span);
        }
        return Ok(-1);
    }
    let number = match plan.errors.iter().position(|(span, _)| *span == violation.span) {
        Some(number) => number,
        None => plan.called_by_pointer(violation.span)?,
    };
    Ok(number as i64)
}

/// Everything behind the program's text.
fn support(
    program: &Program,
    plan: &Plan,
    refutation: &Refutation,
    expected: i64,
) -> Result<String, NoHarness> {
    let prefix = plan.prefix;
    let mut text = table::tables(program, plan, refutation)?;
    text += &format!("static const char *const {prefix}_errors[] = {{\n");
    for (span, name) in &plan.errors {
        let at = program.source.position(span.start);
        let _ = writeln!(text, "  {},", quoted(&format!("`{name}` is called at {at}")));
    }
    text += "  0\n};\n";
    let sizes = program.sites.iter().map(|(_, site)| program.types.size(site.ty));
    let largest = sizes.max().unwrap_or(0).max(64);
    let _ = writeln!(text, "#define __LAKATOS_LARGEST {largest}");
    let _ = writeln!(text, "#define __LAKATOS_EXPECTED {expected}");
    let violation = refutation.violation();
    let leaks = violation.property.is_about_memory() && violation.undefined.is_none();
    let leaks = i32::from(leaks);
    let _ = writeln!(text, "#define __LAKATOS_LEAKS {leaks}");
    let _ =
        writeln!(text, "#define __LAKATOS_SANITIZER \"exitcode={VIOLATED}:detect_leaks={leaks}\"");
    let division = match refutation.property() {
        Property::NoOverflow => "signed overflow",
        _ => "division by zero",
    };
    let _ = writeln!(text, "#define __LAKATOS_DIVISION {}", quoted(division));
    text += &SUPPORT.replace(PREFIX, plan.prefix);
    text += &functions(program, plan);
    text += &start(program, plan);
    Ok(text)
}

/// Functions that the program declares and does not define, where they are still there.
fn functions(program: &Program, plan: &Plan) -> String {
    let (prefix, mut text) = (plan.prefix, String::new());
    let mut define = |number: usize, symbol: &str, params: &str, body: &str| {
        let name = format!("{prefix}_function{number}");
        let _ = writeln!(text, "void {name}({params}) __asm__({});", quoted(symbol));
        let _ = writeln!(text, "void {name}({params}) {{ {body} }}");
    };
    let assume = "__VERIFIER_assume";
    if !defines(program, assume) && text::mentions(program.source.own_text(), assume) {
        let says = "an assumption does not hold";
        let body = format!("if (!holds) {prefix}_end(\"{says}\", \"\", {BLOCKED});");
        define(0, assume, "int holds", &body);
    }
    let without_body = program.procs.iter().filter(|(_, proc)| proc.body.is_none());
    for (number, (id, proc)) in without_body.enumerate() {
        // A function of the C library stays what it is.
        let is_own = proc.library.is_none() && program.foreign != Some(id);
        if !is_own || !is_pointed_to(program, proc) {
            continue;
        }
        let error = plan.errors.iter().position(|(_, name)| name == BY_POINTER);
        let body = match error.filter(|_| proc.is_error) {
            Some(error) => format!("{prefix}_error({error});"),
            None => {
                let says = quoted(&format!("`{}` is called, which has no body", proc.name));
                format!("{prefix}_end({says}, \"\", {CANNOT_GO_ON});")
            }
        };
        define(number + 1, &proc.name, "void", &body);
    }
    text
}

/// The text takes the address of a function: the program has it, or a procedure that stands for it.
fn is_pointed_to(program: &Program, proc: &Procedure) -> bool {
    let forwards = |other: &Procedure| {
        other.library == Some(LibraryRole::Forwarder) && other.name == proc.name
    };
    proc.address_taken || program.procs.iter().any(|(_, other)| forwards(other))
}

/// `main`: gives external objects their values and calls the program's.
fn start(program: &Program, plan: &Plan) -> String {
    let (prefix, mut text) = (plan.prefix, String::new());
    for object in &plan.objects {
        let site = &program.sites[object.site];
        let (slot, size) = (object.slot, program.types.size(site.ty));
        let symbol = quoted(&site.name);
        let _ = writeln!(
            text,
            "unsigned char {prefix}_object{slot}[{size}] __asm__({symbol}) \
             __attribute__((aligned(64)));"
        );
    }
    text += "\nint main(void) {\n";
    for object in &plan.objects {
        let slot = object.slot;
        let _ = writeln!(
            text,
            "  {prefix}_fill({slot}, {prefix}_object{slot}, sizeof {prefix}_object{slot});"
        );
    }
    let _ = writeln!(text, "  {prefix}_main({});", plan.arguments.join(", "));
    let _ = writeln!(text, "  {prefix}_leaks();");
    let _ = writeln!(text, "  {prefix}_end(\"the program ends without a violation\", \"\", 0);");
    text += "  return 0;\n}\n";
    text
}

/// What the file is, and how to compile it.
fn header(program: &Program, refutation: &Refutation, build: &Build) -> String {
    let violation = refutation.violation();
    let at = program.source.position(violation.span.start);
    let what = format!("{}: {} at {at}", violation.property, violation.message);
    let what = what.replace("*/", "* /").replace('\n', " ");
    let shows = match build.is_seen() {
        true => format!("It prints the violation and ends with code {VIOLATED}."),
        false => {
            "It runs on, since no sanitizer of GCC sees such a read: a debugger at that place\n   \
                  shows it, or a tool that follows what was written."
                .to_owned()
        }
    };
    format!(
        "/* A test harness by Lakatos: the program with the inputs that lead to a violation.\n\n   \
           {what}\n\n   Compile and run:\n\n   \
           cc -c {} harness.c -o harness.o\n   \
           cc {} harness.o -o harness\n   \
           ./harness; echo $?\n\n   \
           {shows} Places that take inputs are\n   \
           edited; their values are in the table behind the program. */\n",
        build.compile_flags().join(" "),
        build.link_flags().join(" "),
    )
}

/// A C string literal.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            '\n' => quoted += "\\n",
            // No trigraphs.
            '?' => quoted += "\\?",
            character if character.is_control() => quoted.push(' '),
            character => quoted.push(character),
        }
    }
    quoted + "\""
}
