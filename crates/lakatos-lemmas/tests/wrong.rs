//! Wrong, contradictory and ill-typed lemma files: none of them leads to a proof of what is wrong.
//!
//! `wrong.txt` has the files, each with the lemmas that do not hold; `wrong.expected.txt` what
//! becomes of all of them (`UPDATE_EXPECT=1` writes it again).

mod support;

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

use lakatos_lemmas::Standing;
use lakatos_lemmas::judge::How;
use support::{Found, read};

const FILES: &str = include_str!("wrong.txt");

#[test]
fn nothing_wrong_is_proved() {
    let mut told = String::new();
    let mut problems = Vec::new();
    let files: Vec<&str> = FILES.split("=== ").skip(1).collect();
    assert!(files.len() >= 50, "{}", files.len());
    for file in files {
        let (head, text) = file.split_once('\n').unwrap();
        let (title, wrong) = head.split_once(" | wrong: ").unwrap_or((head, ""));
        let wrong: BTreeSet<&str> = wrong.split(", ").filter(|name| !name.is_empty()).collect();
        let name = if title.starts_with("YAML") { "t.yml" } else { "t.acsl" };
        writeln!(told, "=== {title}").unwrap();
        match read(name, text) {
            Err(error) => writeln!(told, "error: {error}").unwrap(),
            Ok(found) => {
                tell(&mut told, &found);
                problems.extend(misjudged(title, &found, &wrong));
            }
        }
    }
    assert!(problems.is_empty(), "{problems:#?}");
    compare(&told);
}

/// Lemmas that do not hold and are called proved, and names in the table that are not there.
fn misjudged(title: &str, found: &Found, wrong: &BTreeSet<&str>) -> Vec<String> {
    let mut problems = Vec::new();
    let mut open = wrong.clone();
    for (item, standing) in found.translation.items.iter().zip(&found.judged.standings) {
        if open.remove(item.name.as_str()) && matches!(standing, Standing::Proved(_)) {
            problems.push(format!("{title}: {} is called proved", item.name));
        }
    }
    problems.extend(open.into_iter().map(|name| format!("{title}: there is no {name}")));
    problems
}

fn tell(told: &mut String, found: &Found) {
    let names = |items: &BTreeSet<usize>| {
        let name = |item: &usize| found.translation.items[*item].name.as_str();
        items.iter().map(name).collect::<Vec<&str>>().join(", ")
    };
    let how = |how: &How| {
        let by = how.induction.as_ref().map_or(String::new(), |m| format!(" by induction on {m}"));
        format!("{by}{}", if how.ranged { ", elements in range" } else { "" })
    };
    for (item, standing) in found.translation.items.iter().zip(&found.judged.standings) {
        let standing = match standing {
            Standing::Ends(None) => "defined".to_owned(),
            Standing::Ends(Some(measure)) => format!("defined, {measure} gets smaller"),
            Standing::Declared => "declared".to_owned(),
            Standing::Proved(by) => format!("proved{}", how(by)),
            Standing::Follows(by, from) => format!("follows{} from {}", how(by), names(from)),
            Standing::Assumed(reason) => format!("assumed: {reason:?}"),
            // Which values were found first does not matter.
            Standing::False(_) => "false".to_owned(),
        };
        writeln!(told, "{}: {standing}", item.name).unwrap();
    }
    for said in &found.said {
        writeln!(told, "left out: {said}").unwrap();
    }
    if let Some(core) = &found.judged.contradiction {
        writeln!(told, "contradiction: {}", names(core)).unwrap();
    }
}

fn compare(told: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wrong.expected.txt");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        return std::fs::write(path, told).unwrap();
    }
    let expected = std::fs::read_to_string(path).unwrap();
    for (told, expected) in told.lines().zip(expected.lines()) {
        assert_eq!(told, expected);
    }
    assert_eq!(told.lines().count(), expected.lines().count());
}
