//! Texts that are accepted, as they are printed, and what they mean.

use expect_test::expect_file;
use lakatos_acsl::check::{self, Language, Moment};
use lakatos_acsl::erase::{self, Eraser};
use lakatos_acsl::tree::Theory;
use lakatos_acsl::{parse, read};
use lakatos_ir::Source;

use crate::show::Show;
use crate::{INT, lines, program};

/// Some functions to use.
pub const LOGIC: &str = "
logic integer inc(integer x) = x + 1;
logic integer sum{L}(int *b, integer k) = k <= 0 ? 0 : sum(b, k - 1) + b[k - 1];
predicate same{L1, L2}(int *b) = \\at(*b, L1) == \\at(*b, L2);
predicate positive(int x) = x > 0;
logic real half(real x) = x / 2;
logic integer ten = 10;
predicate flag(boolean b) = b;
predicate points(void *b) = b != \\null;
";

pub fn theory() -> Theory {
    let mut theory = Theory::default();
    let source = Source::new("logic.acsl", LOGIC);
    assert_eq!(read::read_file(&mut theory, source, &program()).unwrap(), []);
    theory
}

/// A predicate in `ensures`: its text, and its tree.
fn predicate(text: &str) -> String {
    let (table, theory) = (program(), theory());
    let words = |name: &str| name == "number";
    let parsed = parse::expression(text, 0, &words);
    let source = Source::new("t.c", text);
    assert!(parsed.diagnostics.is_empty(), "{}", lines(&source, &parsed.diagnostics));
    let tree = parsed.tree.unwrap();
    let pred = check::predicate(&tree, &table, &theory, Moment::Exit, Some(&INT), Language::Acsl);
    let pred = pred.unwrap_or_else(|d| panic!("{}", lines(&source, &[*d])));
    let again = Eraser::new(&theory).pred(&pred);
    let printed = again.to_string();
    let said = format!("{tree}\n{}\n", Show(&theory).pred(&pred));
    // What is printed means the same.
    let tree = parse::expression(&printed, 0, &words).tree.unwrap();
    assert_eq!(tree, again, "{printed}");
    let same = check::predicate(&tree, &table, &theory, Moment::Exit, Some(&INT), Language::Acsl);
    assert_eq!(same.unwrap(), pred, "{printed}");
    said
}

/// Declarations: as they are printed from the typed tree.
fn file(text: &str) -> String {
    let (table, mut theory) = (program(), theory());
    let known = theory.items.len();
    let source = Source::new("t.acsl", text);
    let unsupported = read::read_file(&mut theory, source.clone(), &table)
        .unwrap_or_else(|f| panic!("{}", lines(&f.file, &f.diagnostics)));
    let mut printed = String::new();
    for item in &theory.items[known..] {
        printed += &format!("{}\n", erase::item(&theory, item));
    }
    assert_eq!(unsupported, []);
    // What is printed means the same.
    let mut again = self::theory();
    let source = Source::new("t.acsl", printed.as_str());
    assert_eq!(read::read_file(&mut again, source, &table).unwrap(), [], "{printed}");
    assert_eq!(again.items, theory.items, "{printed}");
    for (id, function) in theory.functions.iter() {
        assert_eq!(again.functions[id], *function, "{printed}");
    }
    printed
}

#[test]
fn predicates() {
    crate::table::check(expect_file!["tables/accepted_predicates.txt"], 67, predicate);
}

#[test]
fn declarations() {
    crate::table::check(expect_file!["tables/accepted_declarations.txt"], 21, file);
}
