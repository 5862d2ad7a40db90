//! What is printed is read as the same tree.

use fastrand::Rng;
use lakatos_acsl::parse::{self, Site};
use lakatos_acsl::syntax::Annotation;
use lakatos_ir::Source;

use crate::generate::Generator;
use crate::lines;

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
