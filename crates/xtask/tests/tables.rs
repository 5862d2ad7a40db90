//! `cargo xtask tables` on a document and rows of its own, and the marks in the document that there is.

use std::fs;
use std::path::Path;

use xtask::curves;
use xtask::tables::{Options, TABLES, closing, opening, tables};

const ROWS: &str = r#"{"lakatos":"0.1.0","build":"b1","timeout":60.0,"wall":120.0,"memory":4294967296,"flags":[]}
{"tool":"lakatos","task":"b.c","category":"x","property":"unreach-call","expected":false,"answer":"false","right":true,"reason":"","said":"","cpu":0.5,"wall":1.0,"memory":1}
"#;

fn options(root: &Path) -> Options {
    Options {
        root: root.to_owned(),
        bench: root.join("absent"),
        lakatos: root.join("absent"),
        rows: root.join("rows"),
        only_rows: true,
        tables: Vec::new(),
        timeout: 60.0,
        wall: 120.0,
        memory: 4096,
        jobs: 1,
        sample: None,
    }
}

#[test]
fn the_document_has_a_place_for_every_table() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let document = fs::read_to_string(root.join("docs/benchmarks.md")).unwrap();
    for table in TABLES {
        assert_eq!(document.matches(&opening(table.name)).count(), 1, "{}", table.name);
        for list in table.lines.iter().filter_map(|run| run.list) {
            assert!(root.join("docs/benchmarks").join(list).exists(), "{list}");
        }
    }
    assert_eq!(document.matches(&opening(curves::TABLE)).count(), 1);
    assert_eq!(document.matches("<!-- table:").count(), TABLES.len() + 1);
    assert_eq!(document.matches(closing()).count(), TABLES.len() + 1);
}

#[test]
fn from_rows() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    for name in ["docs", "rows"] {
        fs::create_dir(root.join(name)).unwrap();
    }
    let page = root.join("docs/benchmarks.md");
    let old = "# Numbers\n<!-- table:groups -->\nold\n<!-- /table -->\n\n<!-- table:engines -->\n<!-- /table -->\n";
    fs::write(&page, old).unwrap();
    let error = tables(&options(root), |_| {}).unwrap_err().to_string();
    assert!(error.contains("has no rows of these tables"), "{error}");
    assert_eq!(fs::read_to_string(&page).unwrap(), old);

    fs::write(root.join("rows/groups.loops-with-integers-only.jsonl"), ROWS).unwrap();
    let told = tables(&options(root), |_| unreachable!("nothing is run")).unwrap();
    assert_eq!(
        told,
        [
            "groups: 1 of 9 lines",
            "lemmas: there are no rows, it stays as it is",
            "engines: there are no rows, it stays as it is",
            "peers: there are no rows, it stays as it is",
        ]
    );
    let new = fs::read_to_string(&page).unwrap();
    assert!(new.starts_with("# Numbers\n<!-- table:groups -->\n| tasks | proofs |"), "{new}");
    assert!(
        new.contains(
            "| loops with integers only | 0 | 1 | 1 of 1, 100 % (the run has not ended) |"
        )
    );
    assert!(
        new.ends_with("\n<!-- /table -->\n\n<!-- table:engines -->\n<!-- /table -->\n"),
        "{new}"
    );
}

/// Tasks of a list are not measured again where the rows of their group are there.
#[cfg(unix)]
#[test]
fn rows_of_a_list_are_those_of_its_group() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    for name in ["docs/benchmarks", "rows", "bench"] {
        fs::create_dir_all(root.join(name)).unwrap();
    }
    let page = root.join("docs/benchmarks.md");
    fs::write(&page, "<!-- table:groups -->\n<!-- /table -->\n").unwrap();
    fs::write(root.join("docs/benchmarks/integers.txt"), "a.c\nb.c\n").unwrap();
    fs::write(root.join("bench/index.tsv"), "").unwrap();
    let other = ROWS.lines().nth(1).unwrap().replace("b.c", "other.c");
    fs::write(root.join("rows/groups.loops.jsonl"), format!("{ROWS}{other}\n")).unwrap();
    // It measures nothing: rows that are in the table were there before.
    let lakatos = root.join("lakatos");
    fs::write(&lakatos, "#!/bin/sh\necho lakatos 0\n").unwrap();
    fs::set_permissions(&lakatos, fs::Permissions::from_mode(0o755)).unwrap();
    let measured = Options {
        bench: root.join("bench"),
        lakatos,
        only_rows: false,
        tables: vec!["groups".to_owned()],
        ..options(root)
    };
    assert_eq!(tables(&measured, |_| {}).unwrap(), ["groups: 2 of 9 lines"]);
    let new = fs::read_to_string(&page).unwrap();
    assert!(new.contains("| loops | 0 | 2 | 2 of 2, 100 % |"), "{new}");
    assert!(new.contains("| loops with integers only | 0 | 1 | 1 of 1, 100 % |"), "{new}");
    let rows = fs::read_to_string(root.join("rows/groups.loops-with-integers-only.jsonl")).unwrap();
    assert_eq!(rows, ROWS);
}

#[test]
fn what_is_absent_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let check = |options: &Options, words: &str| {
        let error = tables(options, |_| {}).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    };
    let there = options(folder.path());
    check(&Options { only_rows: false, ..there.clone() }, "absent: nothing can be measured");
    check(
        &Options { tables: vec!["x".to_owned()], ..there },
        "there are: groups, lemmas, engines, peers",
    );
}
