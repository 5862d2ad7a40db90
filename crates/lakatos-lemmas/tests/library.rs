//! The lemma files that come with Lakatos: every definition ends, every lemma is proved.

mod support;

use std::fs;
use std::path::Path;

use lakatos_lemmas::Standing;
use support::read;

#[test]
fn everything_is_proved() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../lemmas");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "acsl"));
    files.sort();
    assert!(files.len() >= 5, "{files:?}");
    let mut problems = Vec::new();
    for path in files {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let found = read(&name, &fs::read_to_string(&path).unwrap()).unwrap();
        assert!(found.said.is_empty(), "{:?}", found.said);
        for (item, standing) in found.translation.items.iter().zip(&found.judged.standings) {
            if !matches!(standing, Standing::Ends(_) | Standing::Proved(_)) {
                problems.push(format!("{name}: {}: {standing:?}", item.name));
            }
        }
        assert_eq!(found.judged.contradiction, None, "{name}");
    }
    assert!(problems.is_empty(), "{problems:#?}");
}
