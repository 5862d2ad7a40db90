//! Lowering, rule by rule: what automata come out of which C. Every program is validated too.

mod calls;
mod edges;
mod environment;
mod expressions;
mod objects;
mod semantics;
mod start;
mod statements;
mod unsupported;

use expect_test::Expect;
use lakatos_c::{Options, compile};
use lakatos_ir::{DataModel, Diagnostic, Program, Source, print, validate::validate};

fn lines(source: &Source, diagnostics: &[Diagnostic]) -> String {
    let line = |d: &Diagnostic| {
        let help = d.help.as_ref().map_or(String::new(), |help| format!(" ({help})"));
        format!("{}: {:?}: {}{help}\n", source.position(d.span.start), d.severity, d.message)
    };
    diagnostics.iter().map(line).collect()
}

/// Compiles, and checks that the program is well formed.
fn lower(input: &str) -> Result<Program, String> {
    let options = Options::of_model(DataModel::Lp64);
    let program = compile(Source::new("t.c", input), &options)
        .map_err(|failure| lines(&failure.source, &failure.diagnostics))?;
    let problems = validate(&program);
    assert!(problems.is_empty(), "{problems:#?}\n{}", print::program(&program));
    Ok(program)
}

/// The program without `__lakatos_start`, and the warnings.
fn check(input: &str, expected: Expect) {
    let actual = match lower(input) {
        Ok(program) => {
            let text = print::program(&program).to_string();
            let parts = text.split("\n\n").map(str::trim);
            let shown = parts.filter(|part| !part.starts_with("int __lakatos_start"));
            let shown: Vec<&str> = shown.collect();
            format!("{}\n{}", shown.join("\n\n"), lines(&program.source, &program.warnings))
        }
        Err(diagnostics) => diagnostics,
    };
    expected.assert_eq(actual.trim_start_matches('\n'));
}

fn check_warnings(input: &str, expected: Expect) {
    let program = lower(input).expect("a program");
    expected.assert_eq(&lines(&program.source, &program.warnings));
}

/// The body of `main`, which is given here without its braces, after some declarations.
fn check_main(declarations: &str, body: &str, expected: Expect) {
    let text = format!("{declarations} int main(void) {{ {body} }}");
    let actual = match lower(&text) {
        Ok(program) => {
            let text = print::program(&program).to_string();
            let part = text.split("\n\n").find(|part| part.starts_with("int main"));
            let edges =
                part.unwrap_or("").lines().skip(1).map(|line| line.trim_start_matches("  "));
            let shown: Vec<String> = edges.map(without_position).collect();
            format!("{}\n{}", shown.join("\n"), lines(&program.source, &program.warnings))
        }
        Err(diagnostics) => diagnostics,
    };
    expected.assert_eq(&actual);
}

/// Locations without ` @line:column`, which would only count characters here.
fn without_position(line: &str) -> String {
    let is_loc = line.starts_with('l') && !line.starts_with("local");
    let cut = line.find(" @").filter(|_| is_loc).unwrap_or(line.len());
    line[..cut].to_owned()
}
