//! Models of the C library against the C library of the machine.
//!
//! Each model is compiled as it is and called with the same arguments as the function that it stands
//! for; results, memory and `errno` are compared. Where a model has choices, the library's
//! behaviour must be one of them. `library.txt` says what the arguments are, `runtime.c` makes
//! them and compares.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use lakatos_c::{LibraryModel, library_models};

const ARGUMENTS: &str = include_str!("library/library.txt");
const RUNTIME: &str = include_str!("library/runtime.c");
const HEADER: &str = include_str!("library/runtime.h");

/// Begins the names of models.
const PREFIX: &str = "__lakatos_";

/// Models call builtins of the compiler where they mean functions of the library, arithmetic on
/// addresses and signed numbers is theirs, and they are declared with types of their own.
const FLAGS: [&str; 8] = [
    "-O1",
    "-w",
    "-fwrapv",
    "-fno-builtin",
    "-frounding-math",
    "-ffp-contract=off",
    "-std=gnu17",
    "-D_GNU_SOURCE",
];

/// How the comparison went.
#[derive(Debug, Default)]
pub struct Summary {
    pub calls: u64,
    /// Functions that were compared.
    pub functions: usize,
    /// Functions that this library does not have.
    pub absent: Vec<String>,
    pub differences: Vec<String>,
}

/// What is to be done with each function.
struct Plan<'a> {
    /// The kinds of the arguments.
    tested: BTreeMap<&'a str, Vec<&'a str>>,
    /// Functions and files that are not tested.
    left_out: Vec<&'a str>,
}

fn plan(table: &str) -> Result<Plan<'_>> {
    let mut plan = Plan { tested: BTreeMap::new(), left_out: Vec::new() };
    for line in table.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (names, rest) = line.split_once(':').with_context(|| format!("no colon: {line}"))?;
        let mut names = names.split_whitespace();
        if line.starts_with("not ") || line.starts_with("file ") {
            plan.left_out.extend(names.skip(1));
            continue;
        }
        let kinds: Vec<&str> = rest.split_whitespace().collect();
        let repeated = names.find(|name| plan.tested.insert(name, kinds.clone()).is_some());
        ensure!(repeated.is_none(), "{repeated:?} has two rows");
    }
    Ok(plan)
}

/// The result's type, and the parameters, as the model declares them.
fn declaration(model: &LibraryModel) -> Option<(&'static str, &'static str)> {
    let head = model.text.split_once("\nstatic ")?.1.split_once("\n{")?.0;
    let (result, rest) = head.split_once(PREFIX)?;
    let parameters = rest.strip_prefix(model.name)?.strip_prefix('(')?.strip_suffix(')')?;
    Some((result.trim_end(), parameters))
}

/// The tests of one function in C; its row is `index`.
fn test(model: &LibraryModel, kinds: &[&str], index: usize) -> Result<String> {
    let name = model.name;
    let (result, parameters) =
        declaration(model).with_context(|| format!("{name} cannot be read"))?;
    let is_void = result == "void";
    let arguments = |copy: &str| {
        let argument = |i| format!("IN({copy}, a{index}_{i})");
        (0..kinds.len()).map(argument).collect::<Vec<_>>().join(", ")
    };
    let mut text = String::new();
    let mut line = |line: String| writeln!(text, "{line}").expect("a string can be written");
    line(format!("extern {result} {name}({parameters}) __attribute__((weak));"));
    for (i, kind) in kinds.iter().enumerate() {
        line(format!("static __typeof__(any_{kind}()) a{index}_{i};"));
    }
    let make: String = kinds
        .iter()
        .enumerate()
        .map(|(i, kind)| format!(" a{index}_{i} = any_{kind}();"))
        .collect();
    let show: String = (0..kinds.len()).map(|i| format!(" SHOW(a{index}_{i});")).collect();
    line(format!("static void make{index}(void) {{{make} }}"));
    let (expected, got, same, results, candidates) = if is_void {
        (String::new(), String::new(), "1".to_owned(), String::new(), String::new())
    } else {
        // Results without qualifiers, so that they can be assigned and compared as what they are.
        line(format!("static __typeof__({result}) expected{index}, got{index};"));
        (
            format!("expected{index} = "),
            format!("got{index} = "),
            format!("SAME(expected{index}, got{index})"),
            format!(" SHOW(expected{index}); SHOW(got{index});"),
            format!(" CANDIDATE(expected{index});"),
        )
    };
    line(format!(
        "static void libc{index}(void) {{ {expected}{name}({}); }}",
        arguments("OF_LIBC")
    ));
    line(format!(
        "static void model{index}(void) {{ {got}{PREFIX}{name}({}); }}",
        arguments("OF_MODEL")
    ));
    line(format!("static int same{index}(void) {{ return {same}; }}"));
    line(format!("static void show{index}(void) {{{show}{results} }}"));
    line(format!("static void candidates{index}(void) {{{candidates} }}"));
    Ok(text)
}

/// The program: all models, a test for each row, and the table of these.
fn program(models: &[LibraryModel], plan: &Plan) -> Result<String> {
    let mut text = HEADER.to_owned();
    for model in models {
        writeln!(text, "{}", model.text)?;
    }
    // For the runtime, which knows them by name.
    text += "int *errno_of_model(void) { return __lakatos___errno_location(); }\n";
    let mut table = String::new();
    let mut count = 0;
    for model in models {
        let Some(kinds) = plan.tested.get(model.name) else { continue };
        text += &test(model, kinds, count)?;
        let name = model.name;
        writeln!(
            table,
            "    {{ \"{name}\", (void *) {name}, make{count}, libc{count}, model{count}, same{count}, \
             show{count}, candidates{count} }},"
        )?;
        count += 1;
    }
    writeln!(
        text,
        "const struct row rows[] = {{\n{table}}};\nconst unsigned long row_count = {count};"
    )?;
    Ok(text)
}

/// What models leave out: a call of it ends the comparison.
fn gaps(models: &[LibraryModel]) -> String {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut names: Vec<&str> = models
        .iter()
        .flat_map(|model| model.text.split(|c| !is_word(c)))
        .filter(|word| word.starts_with("__lakatos_gap_") || *word == "__lakatos_unknown_pointer")
        .collect();
    names.sort_unstable();
    names.dedup();
    names.iter().map(|name| format!("void {name}(void) {{ __builtin_trap(); }}\n")).collect()
}

/// Compares with the library that a compiler links, with so many calls of each function.
pub fn compare(compiler: &str, calls: u64, seed: u64) -> Result<Summary> {
    let models = library_models();
    let plan = plan(ARGUMENTS)?;
    let folder = tempfile::tempdir()?;
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text);
    write("runtime.h", HEADER)?;
    write("runtime.c", RUNTIME)?;
    write("gaps.c", &gaps(&models))?;
    write("tests.c", &program(&models, &plan)?)?;
    build(compiler, folder.path())?;
    let output = Command::new(folder.path().join("tests"))
        .args([calls.to_string(), seed.to_string()])
        .output()
        .context("the comparison cannot be started")?;
    let text = String::from_utf8_lossy(&output.stdout);
    ensure!(output.status.success(), "the comparison ended with {}:\n{text}", output.status);
    let mut summary = summary(&text)?;
    summary.functions = plan.tested.len() - summary.absent.len();
    Ok(summary)
}

fn build(compiler: &str, folder: &Path) -> Result<()> {
    let output = Command::new(compiler)
        .current_dir(folder)
        .args(FLAGS)
        .args(["tests.c", "runtime.c", "gaps.c", "-o", "tests", "-lm"])
        .output()
        .with_context(|| format!("{compiler} cannot be started"))?;
    if !output.status.success() {
        bail!("{compiler} refuses the tests:\n{}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(())
}

fn summary(text: &str) -> Result<Summary> {
    let mut summary = Summary::default();
    for line in text.lines() {
        match line.split_once(' ') {
            Some(("absent", name)) => summary.absent.push(name.to_owned()),
            Some(("different", what)) => summary.differences.push(what.to_owned()),
            Some(("calls", calls)) => summary.calls = calls.parse()?,
            _ => bail!("the comparison says {line}"),
        }
    }
    Ok(summary)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each function with a model has a row, or a reason why not.
    #[test]
    fn every_function_has_a_row() {
        let plan = plan(ARGUMENTS).expect("the table can be read");
        let models = library_models();
        let is_known = |name: &str| plan.tested.contains_key(name) || plan.left_out.contains(&name);
        let is_missing = |m: &&LibraryModel| !plan.left_out.contains(&m.file) && !is_known(m.name);
        let functions = models.iter().filter(|model| model.is_function);
        let missing: Vec<&str> = functions.filter(is_missing).map(|model| model.name).collect();
        assert_eq!(missing, [""; 0], "no row");
        let is_model = |name: &str| models.iter().any(|m| m.is_function && m.name == name);
        for name in plan.tested.keys() {
            assert!(is_model(name), "{name} has no model");
        }
    }
}
