//! What is printed is read as the same tree.

use fastrand::Rng;
use lakatos_acsl::check::{self, Language, Moment};
use lakatos_acsl::erase::Eraser;
use lakatos_acsl::parse::{self, Site};
use lakatos_acsl::syntax::{Annotation, Expr};
use lakatos_ir::Source;

use crate::accepted::theory;
use crate::generate::Generator;
use crate::{INT, lines, program};

fn is_type(name: &str) -> bool {
    name == "number"
}

#[test]
fn expressions() {
    for seed in 0..20_000 {
        let mut generator = Generator(Rng::with_seed(seed));
        let tree = generator.expr((seed % 6) as u32);
        let text = tree.to_string();
        let parsed = parse::expression(&text, 0, &is_type);
        let source = Source::new("t", text.as_str());
        assert!(
            parsed.diagnostics.is_empty(),
            "{seed}: {text}\n{}",
            lines(&source, &parsed.diagnostics)
        );
        assert_eq!(parsed.tree, Some(tree), "{seed}: {text}");
    }
}

/// Random formulas that have a meaning keep it when they are printed from it.
#[test]
fn meanings() {
    let (program, theory) = (program(), theory());
    let check = |tree: &Expr| {
        check::predicate(tree, &program, &theory, Moment::Exit, Some(&INT), Language::Acsl)
    };
    let mut meaningful = 0;
    for seed in 0..60_000 {
        let tree = Generator(Rng::with_seed(seed)).expr(1 + (seed % 3) as u32);
        let Ok(pred) = check(&tree) else { continue };
        meaningful += 1;
        let text = Eraser::new(&theory).pred(&pred).to_string();
        let again = parse::expression(&text, 0, &is_type).tree;
        let again = again.unwrap_or_else(|| panic!("{seed}: {tree}\n{text}"));
        assert_eq!(check(&again).ok(), Some(pred), "{seed}: {tree}\n{text}");
    }
    assert!(meaningful > 3_000, "{meaningful}");
}

#[test]
fn annotations() {
    for seed in 0..5_000 {
        let mut generator = Generator(Rng::with_seed(seed));
        let tree = generator.annotation();
        let text = tree.to_string();
        let site = match tree {
            Annotation::Globals(_) | Annotation::Contract(_) => Site::File,
            Annotation::Loop(_) | Annotation::Code(_) => Site::Body,
        };
        let parsed = parse::annotation(&text, 0, site, &is_type);
        let source = Source::new("t", text.as_str());
        assert!(
            parsed.diagnostics.is_empty(),
            "{seed}: {text}\n{}",
            lines(&source, &parsed.diagnostics)
        );
        assert_eq!(parsed.tree, Some(tree), "{seed}: {text}");
    }
}
