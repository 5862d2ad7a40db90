//! Whether files are whole.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

/// What is wrong with the files of a folder: those that are neither read nor written, and those
/// that are incomplete. A file that is not there is none.
pub fn problems(folder: &Path, inputs: &[&str], outputs: &[&str]) -> Result<Vec<String>> {
    let mut problems = Vec::new();
    for entry in fs::read_dir(folder).context("cannot list the folder")? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if inputs.contains(&&*name) {
            continue;
        }
        if !outputs.contains(&&*name) {
            problems.push(format!("{name} is left behind"));
            fs::remove_file(entry.path()).with_context(|| format!("cannot remove {name}"))?;
            continue;
        }
        let text =
            fs::read_to_string(entry.path()).with_context(|| format!("{name} is no text"))?;
        if !is_whole(&name, &text) {
            problems.push(format!("{name} is incomplete: {} bytes", text.len()));
        }
    }
    problems.sort();
    Ok(problems)
}

/// By the kind of the file, as its name says.
fn is_whole(name: &str, text: &str) -> bool {
    let ends_with = |end: &str| text.trim_end().ends_with(end);
    let is_json = |text: &str| serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
    match name.rsplit('.').next().unwrap_or_default() {
        "json" | "sarif" => is_json(text),
        // Of rows, an incomplete last line would be left out by the next run; but there is none.
        "jsonl" => (text.is_empty() || text.ends_with('\n')) && text.lines().all(is_json),
        "html" => ends_with("</html>"),
        "xml" => ends_with("</testsuites>"),
        "svg" => ends_with("</svg>"),
        "yml" => text.starts_with("- entry_type") && text.ends_with('\n'),
        "smt2" => ends_with("(check-sat)") || ends_with("(exit)"),
        "c" => ends_with("}") && text.matches('{').count() == text.matches('}').count(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_not_whole() {
        let all = [
            ("a.json", "{\"a\": [1, 2]}\n"),
            ("a.jsonl", "{\"a\": 1}\n{\"b\": 2}\n"),
            ("a.html", "<html><body></body></html>\n"),
            ("a.xml", "<testsuites><testsuite/></testsuites>\n"),
            ("a.svg", "<svg></svg>\n"),
            ("a.yml", "- entry_type: invariant_set\n  content: [1, 2, 3, 4, 5, 6, 7, 8]\n"),
            ("a.smt2", "(set-logic HORN)\n(check-sat)\n"),
            ("a.c", "int main(void)\n{\n    { }\n    return 0;\n}\n"),
        ];
        for (name, text) in all {
            assert!(is_whole(name, text), "{name}");
            assert!(!is_whole(name, &text[..text.len() * 2 / 3]), "{name}");
        }
    }

    #[test]
    fn strange_files_are_told_and_removed() {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in [("in.c", ""), ("out.json", "{"), (".lakatos-1", "x")] {
            fs::write(folder.path().join(name), text).unwrap();
        }
        let told = problems(folder.path(), &["in.c"], &["out.json", "out.html"]).unwrap();
        assert_eq!(told, [".lakatos-1 is left behind", "out.json is incomplete: 1 bytes"]);
        assert!(!folder.path().join(".lakatos-1").exists());
    }
}
