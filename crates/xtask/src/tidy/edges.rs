//! Which crate may use which (DESIGN.md section 2): only those above it, and some not even those.
//! Tests may look down, so `dev-dependencies` are free.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use toml::Table;

use super::Problem;

/// From the top; a crate uses crates before it only.
const ORDER: [&str; 19] = [
    "lakatos-logic",
    "lakatos-ir",
    "lakatos-c",
    "lakatos-acsl",
    "lakatos-lemmas",
    "lakatos-modular",
    "lakatos-encode",
    "lakatos-evidence",
    "lakatos-check",
    "lakatos-rank",
    "lakatos-witness",
    "lakatos-lattice",
    "lakatos-contracts",
    "lakatos-analysis",
    "lakatos-horn",
    "lakatos-engine",
    "lakatos-report",
    "lakatos",
    "xtask",
];

/// Edges that the order allows and the design does not.
const FORBIDDEN: [(&str, &[&str]); 13] = [
    ("lakatos-ir", &["lakatos-logic"]),
    ("lakatos-c", &["lakatos-logic"]),
    ("lakatos-acsl", &["lakatos-logic"]),
    ("lakatos-lemmas", &["lakatos-c"]),
    ("lakatos-modular", &["lakatos-logic", "lakatos-lemmas"]),
    ("lakatos-evidence", &["lakatos-encode"]),
    ("lakatos-check", &["lakatos-encode", "lakatos-c"]),
    ("lakatos-rank", &["lakatos-encode", "lakatos-c"]),
    ("lakatos-witness", &["lakatos-encode"]),
    ("lakatos-lattice", &["lakatos-encode"]),
    ("lakatos-contracts", &["lakatos-encode"]),
    ("lakatos-horn", &["lakatos-c"]),
    ("lakatos-report", &["lakatos-analysis", "lakatos-engine"]),
];

pub fn problems(root: &Path) -> Result<Vec<Problem>> {
    let mut problems = Vec::new();
    for entry in fs::read_dir(root.join("crates"))? {
        let manifest = entry?.path().join("Cargo.toml");
        if !manifest.exists() {
            continue;
        }
        let text = fs::read_to_string(&manifest)?;
        let shown = manifest.strip_prefix(root).unwrap_or(&manifest).display().to_string();
        problems.extend(manifest_problems(&shown, &text)?);
    }
    Ok(problems)
}

fn manifest_problems(path: &str, text: &str) -> Result<Vec<Problem>> {
    let table: Table = text.parse().with_context(|| path.to_string())?;
    let name = table["package"]["name"].as_str().unwrap_or_default();
    let line = |word: &str| {
        text.lines().position(|l| l.trim_start().starts_with(word)).map_or(1, |at| at + 1)
    };
    let Some(own) = ORDER.iter().position(|c| *c == name) else {
        return Ok(vec![Problem::new(
            path,
            line("name"),
            format!("{name} has no place in DESIGN.md"),
        )]);
    };
    let mut problems = Vec::new();
    let forbidden = FORBIDDEN.iter().find(|(c, _)| *c == name).map_or(&[][..], |(_, f)| f);
    for used in dependencies(&table) {
        let place = ORDER.iter().position(|c| *c == used);
        if used.starts_with("lakatos") && place.is_none_or(|place| place >= own) {
            let message = format!("{name} may not use {used}, which is below it");
            problems.push(Problem::new(path, line(&used), message));
        } else if forbidden.contains(&used.as_str()) {
            problems.push(Problem::new(path, line(&used), format!("{name} may not use {used}")));
        }
    }
    Ok(problems)
}

fn dependencies(table: &Table) -> Vec<String> {
    ["dependencies", "build-dependencies"]
        .iter()
        .filter_map(|kind| table.get(*kind)?.as_table())
        .flat_map(|t| t.keys().cloned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, uses: &str, expect: &[&str]) {
        let text =
            format!("[package]\nname = \"{name}\"\n[dependencies]\n{uses}.workspace = true\n");
        let found = manifest_problems("Cargo.toml", &text).unwrap();
        assert_eq!(found.iter().map(ToString::to_string).collect::<Vec<_>>(), expect);
    }

    #[test]
    fn edges() {
        check("lakatos-c", "lakatos-ir", &[]);
        check(
            "lakatos-ir",
            "lakatos-c",
            &["Cargo.toml:4: lakatos-ir may not use lakatos-c, which is below it"],
        );
        check(
            "lakatos-evidence",
            "lakatos-encode",
            &["Cargo.toml:4: lakatos-evidence may not use lakatos-encode"],
        );
        check("other", "lakatos-ir", &["Cargo.toml:2: other has no place in DESIGN.md"]);
    }
}
