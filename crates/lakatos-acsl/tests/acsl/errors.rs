//! Texts that are refused: exact messages, at exact places.

use expect_test::expect_file;
use lakatos_acsl::parse::{self, Site};
use lakatos_acsl::syntax::Annotation;
use lakatos_acsl::{check, read};
use lakatos_ir::Source;

use crate::accepted::theory;
use crate::{INT, lines, program};

/// What is said about an annotation comment in a program (see `program`).
fn said(text: &str, site: Site) -> String {
    let (table, theory) = (program(), theory());
    let parsed = parse::annotation(text, 0, site, &|name: &str| name == "number");
    let mut diagnostics = parsed.diagnostics;
    diagnostics.extend(match &parsed.tree {
        None | Some(Annotation::Globals(_)) => Vec::new(),
        Some(Annotation::Contract(c)) => {
            check::contract(c, &table, &theory, Some(&INT)).diagnostics
        }
        Some(Annotation::Loop(l)) => check::loop_annotation(l, &table, &theory).diagnostics,
        Some(Annotation::Code(all)) => check::assertions(all, &table, &theory).diagnostics,
    });
    diagnostics.sort_by_key(|d| d.span);
    lines(&Source::new("t.c", text), &diagnostics)
}

fn contract(text: &str) -> String {
    said(text, Site::File)
}

fn body(text: &str) -> String {
    said(text, Site::Body)
}

/// What is said about a file of declarations.
fn file(text: &str) -> String {
    let (table, mut theory) = (program(), theory());
    let source = Source::new("t.acsl", text);
    match read::read_file(&mut theory, source.clone(), &table) {
        Ok(unsupported) => lines(&source, &unsupported),
        Err(failure) => lines(&failure.file, &failure.diagnostics),
    }
}

#[test]
fn in_contracts() {
    crate::table::check(expect_file!["tables/error_syntax.txt"], 61, contract);
    crate::table::check(expect_file!["tables/error_names.txt"], 23, contract);
    crate::table::check(expect_file!["tables/error_labels.txt"], 17, contract);
    crate::table::check(expect_file!["tables/error_types.txt"], 75, contract);
}

#[test]
fn in_bodies() {
    crate::table::check(expect_file!["tables/error_bodies.txt"], 26, body);
}

#[test]
fn in_files() {
    crate::table::check(expect_file!["tables/error_files.txt"], 45, file);
}

/// What is not supported is named, with its place, and everything else is read.
#[test]
fn not_supported() {
    crate::table::check(expect_file!["tables/unsupported_of_clauses.txt"], 37, contract);
    crate::table::check(expect_file!["tables/unsupported_of_bodies.txt"], 12, body);
    crate::table::check(expect_file!["tables/unsupported_of_files.txt"], 16, file);
}
