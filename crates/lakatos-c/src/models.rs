//! Models of functions of the C library, written in C (`library/*.c`). A program that uses such a
//! function and does not define it gets the model's text behind its own.
//!
//! A file consists of blocks with an empty line between them. Each block defines one name, which stands
//! as the last name in its first line that is no comment: `__lakatos_` and the name in the C library. The
//! names with that prefix that a block mentions are the blocks that it needs.
//!
//! Models do what C says, or allow more. Where they choose one of several behaviours that C allows, a
//! comment says so in a line that begins with "Assumption about", and verdicts name it.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use lakatos_ir::library::effects_of;
use lakatos_ir::{Decision, Source};

use crate::ast::{DeclId, DeclKind, Expr, ExprKind, Storage, Unit};
use crate::types::{IntKind, RecordId, Ty, TypeKind};

/// Begins every name that a model defines.
pub(crate) const PREFIX: &str = "__lakatos_";

/// A value that the environment chooses: each is one of a possible run. These names have no blocks.
pub(crate) const CHOICE: &str = "__lakatos_nondet_";
/// A value of which the model knows nothing: proofs hold for each, and none refutes anything.
pub(crate) const UNKNOWN: &str = "__lakatos_unknown_";
/// A function of which nothing is known: what the model leaves out.
pub(crate) const GAP: &str = "__lakatos_gap_";
/// The object that is `errno`.
pub(crate) const ERRNO: &str = "__lakatos_errno_value";
/// Models that do nothing but set it.
pub(crate) const SETS_ERRNO: [&str; 3] =
    ["__lakatos_fail_somehow", "__lakatos_succeed_somehow", "__lakatos_ieee_maybe_error"];
/// The model that the end of the program calls.
pub(crate) const AT_EXIT: &str = "run_handlers";
/// The model that is called before each statement of a program that registers handlers of signals.
pub(crate) const INTERRUPT: &str = "interrupt";
/// The model that `abort` calls in such a program.
pub(crate) const BEFORE_ABORT: &str = "before_abort";
/// A run goes on only where it holds.
pub(crate) const ASSUME: &str = "__lakatos_assume";

const FILES: &[(&str, &str)] = &[
    ("arpa_inet.c", include_str!("../library/arpa_inet.c")),
    ("complex.c", include_str!("../library/complex.c")),
    ("ctype.c", include_str!("../library/ctype.c")),
    ("err.c", include_str!("../library/err.c")),
    ("errno.c", include_str!("../library/errno.c")),
    ("fcntl.c", include_str!("../library/fcntl.c")),
    ("fenv.c", include_str!("../library/fenv.c")),
    ("format.c", include_str!("../library/format.c")),
    ("getopt.c", include_str!("../library/getopt.c")),
    ("inttypes.c", include_str!("../library/inttypes.c")),
    ("libgen.c", include_str!("../library/libgen.c")),
    ("locale.c", include_str!("../library/locale.c")),
    ("math.c", include_str!("../library/math.c")),
    ("math_bounds.c", include_str!("../library/math_bounds.c")),
    ("math_float.c", include_str!("../library/math_float.c")),
    ("math_long_double.c", include_str!("../library/math_long_double.c")),
    ("printf.c", include_str!("../library/printf.c")),
    ("pthread.c", include_str!("../library/pthread.c")),
    ("scanf.c", include_str!("../library/scanf.c")),
    ("signal.c", include_str!("../library/signal.c")),
    ("stdio.c", include_str!("../library/stdio.c")),
    ("stdlib.c", include_str!("../library/stdlib.c")),
    ("strtod.c", include_str!("../library/strtod.c")),
    ("string.c", include_str!("../library/string.c")),
    ("time.c", include_str!("../library/time.c")),
    ("uchar.c", include_str!("../library/uchar.c")),
    ("unistd.c", include_str!("../library/unistd.c")),
    ("wchar.c", include_str!("../library/wchar.c")),
    ("wctype.c", include_str!("../library/wctype.c")),
];

/// The definition of one name.
struct Block {
    file: &'static str,
    /// Counted from 1.
    line: u32,
    text: &'static str,
}

static BLOCKS: LazyLock<BTreeMap<&str, Block>> = LazyLock::new(|| {
    let mut blocks = BTreeMap::new();
    for &(file, text) in FILES {
        for (line, text) in blocks_of(text) {
            if let Some(name) = defined(text) {
                blocks.insert(name, Block { file, line, text });
            }
        }
    }
    blocks
});

/// The blocks of a file with their first lines, counted from 1.
fn blocks_of(text: &str) -> impl Iterator<Item = (u32, &str)> {
    let mut line = 1;
    text.split("\n\n").map(move |block| {
        let first = line;
        line += block.matches('\n').count() as u32 + 2;
        (first, block.trim_end())
    })
}

/// The name that a block defines, without the prefix.
fn defined(block: &str) -> Option<&str> {
    let is_comment = |line: &&str| line.starts_with("//") || line.starts_with("/*");
    names(block.lines().find(|line| !is_comment(line))?).last()
}

/// The names with the prefix, without it.
fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .filter_map(|word| word.strip_prefix(PREFIX))
}

/// Whether there is a model of this name: of a function, or of a part of others.
pub(crate) fn has_model(name: &str) -> bool {
    BLOCKS.contains_key(name)
}

/// Whether there is a model of a function of the library. A function of the program may have the name of
/// a part of a model, but for one that the language reserves.
pub(crate) fn is_modelled(name: &str) -> bool {
    has_model(name) && (effects_of(name).is_some() || name.starts_with("__"))
}

/// A block of the models.
#[derive(Clone, Copy, Debug)]
pub struct LibraryModel {
    /// As in the C library.
    pub name: &'static str,
    pub file: &'static str,
    /// Its definition in C.
    pub text: &'static str,
    /// It stands for a function of the C library, and is not only a part of others.
    pub is_function: bool,
}

/// All models; what one needs stands before it.
pub fn library_models() -> Vec<LibraryModel> {
    let mut order = Vec::new();
    BLOCKS.keys().for_each(|name| needed(name, &mut order));
    let model = |name: &'static str| {
        let Block { file, text, .. } = BLOCKS[name];
        LibraryModel { name, file, text, is_function: is_modelled(name) }
    };
    order.into_iter().map(model).collect()
}

/// What writes the pieces of a format.
pub(crate) const FORMATTING: [&str; 9] = [
    "put_byte",
    "put_character",
    "put_string",
    "put_signed",
    "put_unsigned",
    "put_end",
    "read_string",
    "use_stream",
    "written",
];

/// Where a function with a format writes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// Its first argument points there.
    Text {
        is_bounded: bool,
    },
    /// The stream that is its first argument.
    Stream,
    Elsewhere,
}

/// Which argument of a function is the format by which it writes, and where to.
pub(crate) fn format_argument(name: &str) -> Option<(usize, Target)> {
    match name {
        "sprintf" => Some((1, Target::Text { is_bounded: false })),
        "snprintf" => Some((2, Target::Text { is_bounded: true })),
        "fprintf" => Some((1, Target::Stream)),
        "dprintf" | "syslog" => Some((1, Target::Elsewhere)),
        _ => None,
    }
}

/// What a model assumes where C allows more.
pub(crate) fn assumption(name: &str) -> Option<(Decision, &'static str)> {
    let mut lines = BLOCKS.get(name)?.text.lines();
    lines.find_map(|line| {
        let (kind, text) = line.strip_prefix("// Assumption about ")?.split_once(": ")?;
        let decision = match kind {
            "sorting" => Decision::Sorting,
            "locales" => Decision::Locale,
            "signals" => Decision::Signals,
            _ => unreachable!("a test reads all of them"),
        };
        Some((decision, text))
    })
}

/// Functions that give a stream, or close one. Models make streams that nothing can look into.
const STREAMS: [&str; 9] =
    ["fopen", "fopen64", "fdopen", "freopen", "tmpfile", "tmpfile64", "popen", "fclose", "pclose"];

/// What belongs to `getopt`, whose model defines it.
const OBJECTS_OF_GETOPT: [&str; 4] = ["optarg", "optind", "opterr", "optopt"];

/// Objects of the C library that functions set, which their models do not.
fn objects_set_by(function: &str) -> &'static [&'static str] {
    match function {
        "lgamma" | "lgammaf" | "lgammal" => &["signgam"],
        "tzset" | "strptime" | "localtime" | "localtime_r" | "mktime" | "timelocal" | "ctime"
        | "ctime_r" | "strftime" | "wcsftime" => {
            &["tzname", "timezone", "daylight", "__tzname", "__timezone", "__daylight"]
        }
        _ => &[],
    }
}

/// The program uses one of these objects, which it may define.
fn uses_object(unit: &Unit, names: &[&str]) -> bool {
    let is_it = |kind: &ExprKind| matches!(*kind, ExprKind::Var(decl) if names.contains(&unit.link_name(decl)));
    !names.is_empty() && unit.exprs.iter().any(|(_, expr)| is_it(&expr.kind))
}

/// A model of a function does what the function does in this program.
fn is_usable(unit: &Unit, decl: DeclId) -> bool {
    let name = unit.link_name(decl);
    if name.starts_with("getopt") {
        let is_defined = |&object: &DeclId| {
            OBJECTS_OF_GETOPT.contains(&unit.link_name(object))
                && !matches!(&unit.decls[object].kind, DeclKind::Object(o) if o.storage == Storage::Extern)
        };
        return !unit.objects.iter().any(is_defined);
    }
    if uses_object(unit, objects_set_by(name)) {
        return false;
    }
    !STREAMS.contains(&name) || has_opaque_streams(unit, decl)
}

/// The function is about streams that the program does not look into.
fn has_opaque_streams(unit: &Unit, decl: DeclId) -> bool {
    let types = &unit.types;
    let Some(function) = types.function_of(unit.decls[decl].ty) else { return false };
    let pointers = std::iter::once(function.result).chain(function.params.iter().copied());
    let mut streams = pointers.filter_map(|ty| types.record(types.pointee(ty)?)).peekable();
    streams.peek().is_some() && streams.all(|stream| !is_looked_into(unit, stream))
}

/// Whether a program may look into structures of this type: an expression is one, or a pointer to one
/// becomes a pointer to something else, or a number.
pub(crate) fn is_looked_into(unit: &Unit, record: RecordId) -> bool {
    let types = &unit.types;
    let is_it = |ty: Ty| types.record(ty) == Some(record);
    let looks = |expr: &Expr| {
        if is_it(expr.ty) {
            return true;
        }
        let ExprKind::Convert { operand, .. } = expr.kind else { return false };
        let is_harmless = match types.kind(expr.ty) {
            TypeKind::Void | TypeKind::Int(IntKind::Bool) => true,
            TypeKind::Pointer(to) => types.is_void(to) || is_it(to),
            _ => false,
        };
        types.pointee(unit.exprs[operand].ty).is_some_and(is_it) && !is_harmless
    };
    unit.exprs.iter().any(|(_, expr)| looks(expr))
}

/// The user's program with the models behind it of functions that it uses and does not define; `None`
/// if it uses none.
pub(crate) fn with_models(unit: &Unit) -> Option<Source> {
    let mut wanted: Vec<&str> = Vec::new();
    for (_, expr) in unit.exprs.iter() {
        if let ExprKind::Function(decl) = expr.kind
            && matches!(&unit.decls[decl].kind, DeclKind::Function(f) if f.body.is_none())
        {
            let name = unit.link_name(decl);
            if format_argument(name).is_some() {
                wanted.extend(FORMATTING);
            }
            if is_modelled(name) && !wanted.contains(&name) && is_usable(unit, decl) {
                wanted.push(name);
            }
        }
    }
    if wanted.is_empty() {
        return None;
    }
    let mut text = String::new();
    let mut order = Vec::new();
    wanted.into_iter().for_each(|name| needed(name, &mut order));
    for name in order {
        let Block { file, line, text: block } = &BLOCKS[name];
        text += &format!("# {line} \"<lakatos>/{file}\" 3\n{block}\n");
    }
    Some(unit.source.clone().followed_by(&text))
}

/// A block and what it needs, which comes first.
fn needed(name: &str, order: &mut Vec<&'static str>) {
    let Some((&name, block)) = BLOCKS.get_key_value(name) else { return };
    if order.contains(&name) {
        return;
    }
    for other in names(block.text).filter(|other| *other != name) {
        needed(other, order);
    }
    order.push(name);
}

#[cfg(test)]
mod tests {
    use expect_test::expect_file;
    use lakatos_ir::DataModel;
    use lakatos_ir::library::LibraryFunction;

    use super::*;
    use crate::{Options, check as parse};

    /// No name has two blocks, and every block defines one.
    #[test]
    fn a_block_for_each_name() {
        let mut seen = BTreeMap::new();
        for &(file, text) in FILES {
            for (line, block) in blocks_of(text) {
                let name = defined(block);
                let is_comment = block.lines().all(|line| line.starts_with("//"));
                assert!(name.is_some() || is_comment, "{file}:{line}");
                if let Some(other) = name.and_then(|name| seen.insert(name, line)) {
                    panic!("{file}:{line}: defined in line {other}, too");
                }
            }
        }
        assert_eq!(seen.len(), BLOCKS.len());
    }

    /// What a block mentions is there.
    #[test]
    fn names_are_known() {
        let has_prefix = |name: &str, prefix: &str| {
            prefix.strip_prefix(PREFIX).is_some_and(|prefix| name.starts_with(prefix))
        };
        for (name, block) in BLOCKS.iter() {
            for other in names(block.text) {
                let is_known = has_model(other)
                    || [CHOICE, UNKNOWN, GAP, ASSUME]
                        .iter()
                        .any(|prefix| has_prefix(other, prefix));
                assert!(is_known, "`{name}` mentions `{other}`");
            }
        }
        for name in FORMATTING {
            assert!(has_model(name), "{name}");
        }
        let assumed: Vec<&str> =
            BLOCKS.keys().copied().filter(|n| assumption(n).is_some()).collect();
        let with_signals = [
            "__sysv_signal",
            "bsd_signal",
            "bsearch",
            "qsort",
            "qsort_r",
            "setlocale",
            "sigaction",
            "signal",
            "ssignal",
            "sysv_signal",
        ];
        assert_eq!(assumed, with_signals);
        for name in SETS_ERRNO.into_iter().chain([ERRNO]) {
            assert!(has_model(name.strip_prefix(PREFIX).expect("it is one of a model")), "{name}");
        }
    }

    /// Each model with what it needs is C that the front-end accepts without a word, in both data
    /// models.
    #[test]
    fn models_are_well_typed() {
        for model in [DataModel::Lp64, DataModel::Ilp32] {
            for &name in BLOCKS.keys() {
                let mut order = Vec::new();
                needed(name, &mut order);
                let text: Vec<&str> = order.iter().map(|name| BLOCKS[name].text).collect();
                let program = format!("int main(void) {{ return 0; }}\n{}\n", text.join("\n"));
                let unit = parse(Source::new("t.c", program), &Options::of_model(model));
                let unit =
                    unit.unwrap_or_else(|failure| panic!("{name}: {:?}", failure.diagnostics));
                assert!(unit.warnings.is_empty(), "{name}: {:?}", unit.warnings);
                assert!(unit.unsupported.is_empty(), "{name}: {:?}", unit.unsupported);
            }
        }
    }

    /// Only what a program uses and does not define stands behind it.
    #[test]
    fn models_of_what_is_used() {
        let check = |text: &str, expected: &[&str]| {
            let unit = parse(Source::new("t.c", text), &Options::default()).expect("it is C");
            let source = with_models(&unit);
            let has = |name: &str| {
                source.as_ref().is_some_and(|s| s.text().contains(&format!("{PREFIX}{name}(")))
            };
            for name in ["labs", "strspn", "isdigit", "put_end", "some_number", "written"] {
                assert_eq!(has(name), expected.contains(&name), "{text}: {name}");
            }
        };
        check("int main(void) { return 0; }", &[]);
        check("long labs(long); int main(void) { return 0; }", &[]);
        check("long labs(long); int main(void) { return labs(1); }", &["labs"]);
        check("long labs(long x) { return x; } int main(void) { return labs(1); }", &[]);
        check(
            "static long mine(long) __asm__(\"labs\"); int main(void) { return mine(1); }",
            &["labs"],
        );
        // Parts of models are no functions of the library.
        check(
            "int some_number(void), written(void); int f(void) { return written() + some_number(); }",
            &[],
        );
        check(
            "int sprintf(char *, const char *, ...); int f(char *s) { return sprintf(s, \"x\"); }",
            &["put_end", "written"],
        );
    }

    /// Words in code type, in lines of at most 100 characters.
    fn listed<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
        let mut lines = vec![String::new()];
        for word in words {
            let line = lines.last_mut().expect("there is a first line");
            match line.len() + word.len() + 4 > 100 {
                true => lines.push(format!("`{word}`,")),
                false if line.is_empty() => *line = format!("`{word}`,"),
                false => *line += &format!(" `{word}`,"),
            }
        }
        lines.join("\n").trim_end_matches(',').to_owned() + "\n"
    }

    /// docs/library.md lists the functions that have models.
    #[test]
    fn the_page_is_complete() {
        let mut page = "# Functions of the C library

A test writes this page from the tables of the code (`UPDATE_EXPECT=1 cargo test -p lakatos-c models`).
A function that is not listed has no model: [semantics.md](semantics.md#functions-without-a-body) says
what a call of it means.

## Known to every part of Lakatos

Rows of the table `LibraryFunction`. Properties, points-to analysis, engines and interpreter know what
these read, write, allocate and free.

"
        .to_owned();
        page += &listed(LibraryFunction::all().flat_map(|row| row.names.iter().copied()));
        page += "
## Models in C

Each of these is a function in C (`crates/lakatos-c/library/`), which is put behind a program that calls
it and does not define it. A violation inside a model is one of its caller. What the environment chooses
(the contents of a file, the time, whether a call succeeds) may be anything that it can be; what C leaves
to the implementation is as in glibc, or may be anything.
";
        for &(file, text) in FILES {
            let names = blocks_of(text).filter_map(|(_, block)| defined(block));
            let names: Vec<&str> = names.filter(|name| effects_of(name).is_some()).collect();
            let title = match file {
                "arpa_inet.c" => "`<arpa/inet.h>`".to_owned(),
                "strtod.c" => "`<stdlib.h>`, floating-point numbers".to_owned(),
                "printf.c" => "`<stdio.h>`, output by formats".to_owned(),
                "math_bounds.c" => "`<math.h>`, functions with bounds only".to_owned(),
                "math_float.c" => "`<math.h>`, functions of `float`".to_owned(),
                "math_long_double.c" => "`<math.h>`, functions of `long double`".to_owned(),
                "scanf.c" => "`<stdio.h>`, input by formats".to_owned(),
                _ => format!("`<{}h>`", file.strip_suffix('c').unwrap_or(file)),
            };
            if !names.is_empty() {
                page += &format!("\n### {title}\n\n{}", listed(names));
            }
        }
        page += "
## Formats

`sprintf`, `snprintf` and `fprintf` with a format that is a string literal: each directive is a call of a
model. Otherwise, and in the functions that take a `va_list`, the model reads the format as the program runs.
Of floating-point numbers and pointers only the length of what is written is bounded. Arguments of another
type than a directive wants end the run: they are undefined.
";
        expect_file!["../../../docs/library.md"].assert_eq(&page);
    }
}
