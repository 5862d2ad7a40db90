//! The marks in a document between which a table stands.

use anyhow::{Context, Result, ensure};

pub fn opening(name: &str) -> String {
    format!("<!-- table:{name} -->")
}

pub fn closing() -> &'static str {
    "<!-- /table -->"
}

/// The document with another text between the marks of a table.
pub fn replace(document: &str, name: &str, text: &str) -> Result<String> {
    let opening = opening(name);
    ensure!(document.matches(&opening).count() < 2, "{opening} is there twice");
    let (before, rest) = document
        .split_once(&opening)
        .with_context(|| format!("there is no {opening}: put it where the table should be"))?;
    let (old, after) = rest
        .split_once(closing())
        .with_context(|| format!("{opening} has no end ({})", closing()))?;
    ensure!(!old.contains("<!-- table:"), "{opening} has no end before the next table");
    Ok(format!("{before}{opening}\n{}\n{}{after}", text.trim_end(), closing()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn between_marks() {
        let document =
            "a\n<!-- table:x -->\nold\n<!-- /table -->\nb\n<!-- table:y --><!-- /table -->";
        let new = replace(document, "x", "| new |\n").unwrap();
        let expected =
            "a\n<!-- table:x -->\n| new |\n<!-- /table -->\nb\n<!-- table:y --><!-- /table -->";
        assert_eq!(new, expected);
        assert_eq!(replace(&new, "x", "| new |").unwrap(), new, "a second time changes nothing");
        let new = replace(document, "y", "z").unwrap();
        assert!(new.ends_with("old\n<!-- /table -->\nb\n<!-- table:y -->\nz\n<!-- /table -->"));
    }

    #[test]
    fn broken_marks_are_errors() {
        for (document, expected) in [
            ("text", "put it where the table should be"),
            ("<!-- table:x -->", "has no end"),
            ("<!-- table:x --> <!-- table:y --> <!-- /table -->", "before the next table"),
            ("<!-- table:x --><!-- /table --><!-- table:x --><!-- /table -->", "twice"),
        ] {
            let error = replace(document, "x", "new").unwrap_err().to_string();
            assert!(error.contains(expected), "{document}: {error}");
        }
    }
}
