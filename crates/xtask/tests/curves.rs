//! `cargo xtask curves`: programs that are what they are said to be, and a document made of rows.

use std::fs;
use std::path::Path;

use lakatos_ir::{DataModel, Source};
use xtask::curves::{CURVES, Options, Point, curves, points};

/// They compile, and sizes do what they are for.
#[test]
fn programs() {
    for curve in CURVES {
        let mut lines = Vec::new();
        for size in curve.sizes {
            let text = (curve.program)(*size);
            lines.push(text.lines().count());
            let options = lakatos_c::Options::of_model(DataModel::Lp64);
            let compiled = lakatos_c::compile(Source::new("t.c", text), &options);
            assert!(compiled.is_ok(), "{} {size}", curve.name);
        }
        match curve.by_lines {
            true => assert!(lines.is_sorted_by(|a, b| a < b), "{}: {lines:?}", curve.name),
            false => assert!(lines.iter().all(|n| *n == lines[0]), "{}: {lines:?}", curve.name),
        }
        assert!(curve.sizes.is_sorted_by(|a, b| a < b));
    }
    let chain = CURVES.iter().find(|curve| curve.name == "chain").unwrap();
    let longest = (chain.program)(20_000).lines().count();
    assert!((19_900..=20_000).contains(&longest), "{longest}");
}

const ROWS: &str = r#"{"lakatos":"0.1.0","build":"b1","timeout":60.0,"wall":120.0,"memory":4294967296,"flags":[]}
{"tool":"lakatos","task":"calls-10.c","property":"unreach-call","answer":"true","right":true,"cpu":9.0}
{"tool":"lakatos","task":"calls-10.c","property":"unreach-call","answer":"true","right":true,"cpu":0.5}
{"tool":"lakatos","task":"calls-50.c","property":"unreach-call","answer":"true","right":true,"cpu":2.0}
{"tool":"lakatos","task":"calls-100.c","property":"unreach-call","answer":"unknown","right":null,"cpu":60.0}
{"tool":"lakatos","task":"chain-200.c","property":"unreach-call","answer":"false","right":false,"cpu":1.0}
{"tool":"lakatos","task":"chain-1000.c","pro"#;

#[test]
fn rows() {
    let found = points(ROWS).unwrap();
    assert_eq!(found.len(), 4);
    assert_eq!(found["calls-10.c"], Point::Proved { seconds: 0.5 }, "the last one counts");
    assert_eq!(found["calls-100.c"], Point::Unknown);
    assert_eq!(found["chain-200.c"], Point::Wrong);
}

fn options(root: &Path) -> Options {
    Options {
        root: root.to_owned(),
        lakatos: root.join("absent"),
        folder: root.join("rows"),
        only_rows: true,
        timeout: 60.0,
        wall: 600.0,
        memory: 4096,
    }
}

#[test]
fn from_rows() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    fs::create_dir_all(root.join("docs/benchmarks")).unwrap();
    fs::create_dir(root.join("rows")).unwrap();
    let page = root.join("docs/benchmarks.md");
    fs::write(&page, "# Numbers\n<!-- table:curves -->\nold\n<!-- /table -->\n").unwrap();
    let error = format!("{:#}", curves(&options(root)).unwrap_err());
    assert!(error.contains("rows.jsonl"), "{error}");
    let error = curves(&Options { only_rows: false, ..options(root) }).unwrap_err().to_string();
    assert!(error.contains("is not built"), "{error}");

    fs::write(root.join("rows/rows.jsonl"), ROWS).unwrap();
    let told = curves(&options(root)).unwrap();
    assert_eq!(told, ["2 of 4 programs proved", "1 WRONG VERDICTS"]);
    let text = fs::read_to_string(&page).unwrap();
    for part in [
        "| calls of one helper | 10: 0.50; 50: 2.00; 100: no answer; 200: not measured;",
        "| linear | size × 5, time × 4 |",
        "| lines of a chain of functions | 200: **wrong**; 1000: not measured;",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let drawing = fs::read_to_string(root.join("docs/benchmarks/growth-of-programs.svg")).unwrap();
    assert!(drawing.contains("calls of one helper") && drawing.contains("limit 60 s"));
    // The same rows give the same document.
    curves(&options(root)).unwrap();
    assert_eq!(fs::read_to_string(&page).unwrap(), text);
}
