//! The headers of the programs in `corpus/` (see `corpus/README.md`).

use lakatos_ir::Property;

use super::Problem;

/// The keys of `pos/`, `neg/` and `todo/` in their order.
const KEYS: [&str; 7] =
    ["property", "verdict", "data-model", "signed-overflow", "inputs", "uninitialised", "note"];

/// The keys of `soundness/`, in any order.
const SOUNDNESS_KEYS: [&str; 11] = [
    "property",
    "verdict",
    "data-model",
    "signed-overflow",
    "args",
    "allowed",
    "inputs",
    "externals",
    "oracle",
    "cause",
    "note",
];

/// The properties of `pos/`, `neg/` and `todo/`.
const PROPERTIES: [&str; 4] = ["unreach-call", "no-overflow", "div-by-zero", "array-bounds"];

const SOUNDNESS: &str = "corpus/soundness/";

pub fn problems(path: &str, text: &str) -> Vec<Problem> {
    let soundness = path.starts_with(SOUNDNESS);
    let header = header(text);
    let mut problems = Vec::new();
    let mut last = None;
    for (at, &(line, key, value)) in header.iter().enumerate() {
        let mut problem = |message: String| problems.push(Problem::new(path, line, message));
        let keys = if soundness { &SOUNDNESS_KEYS[..] } else { &KEYS };
        let place = keys.iter().position(|k| *k == key);
        let is_repeated = header[..at].iter().any(|(_, before, _)| *before == key);
        match place {
            None => problem(format!("unknown key {key}")),
            Some(_) if is_repeated || !soundness && place <= last => {
                problem(format!("{key} is repeated or out of order"));
            }
            Some(_) if !value_fits(path, key, value) => problem(format!("{key} cannot be {value}")),
            Some(_) => {}
        }
        last = place.max(last);
    }
    let has_note = header.iter().any(|(_, key, _)| *key == "note");
    let needed: &[&str] = match path {
        _ if soundness && has_note => &["property", "verdict"],
        _ if soundness => &["property", "verdict", "cause"],
        _ if path.starts_with("corpus/neg/") => &["property", "verdict", "note", "inputs"],
        _ => &["property", "verdict", "note"],
    };
    for key in needed {
        if !header.iter().any(|(_, k, _)| k == key) {
            problems.push(Problem::new(path, 1, format!("the header has no {key}")));
        }
    }
    problems
}

/// The lines `// key: value` at the beginning, with their numbers.
pub fn header(text: &str) -> Vec<(usize, &str, &str)> {
    let lines = text.lines().enumerate();
    lines
        .map_while(|(n, line)| {
            let (key, value) = line.strip_prefix("// ")?.split_once(':')?;
            Some((n + 1, key, value.trim()))
        })
        .collect()
}

fn value_fits(path: &str, key: &str, value: &str) -> bool {
    let numbers = |list: &str| {
        list.is_empty() || list.split(',').all(|number| number.trim().parse::<i128>().is_ok())
    };
    match key {
        "property" if path.starts_with(SOUNDNESS) => value.parse::<Property>().is_ok(),
        "property" => PROPERTIES.contains(&value),
        "verdict" if path.starts_with("corpus/pos/") => value == "true",
        "verdict" if path.starts_with("corpus/neg/") => value == "false",
        "verdict" => value == "true" || value == "false",
        "data-model" => value == "ilp32" || value == "lp64",
        "signed-overflow" => value == "undefined" || value == "wrap",
        "allowed" => value == "unknown",
        "oracle" => value == "gcc" || value == "clang",
        "inputs" if path.starts_with(SOUNDNESS) => value.split(';').all(|run| numbers(run.trim())),
        "inputs" | "uninitialised" => path.starts_with("corpus/neg/") && numbers(value),
        _ => !value.is_empty(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, header: &str, expect: &[&str]) {
        let found: Vec<String> = problems(path, header).into_iter().map(|p| p.message).collect();
        assert_eq!(found, expect);
    }

    #[test]
    fn headers() {
        let fine =
            "// property: unreach-call\n// verdict: false\n// inputs: 1, -2\n// note: n\nint x;\n";
        check("corpus/neg/a.c", fine, &[]);
        check("corpus/pos/a.c", fine, &["verdict cannot be false", "inputs cannot be 1, -2"]);
        check(
            "corpus/pos/a.c",
            "// verdict: true\n// property: no-overflow\n// note: n\n",
            &["property is repeated or out of order"],
        );
        check(
            "corpus/pos/a.c",
            "int x;\n",
            &["the header has no property", "the header has no verdict", "the header has no note"],
        );
        let fine =
            "// verdict: false\n// cause: c\n// property: valid-free\n// inputs: 1, 2; ; 3\n";
        check("corpus/soundness/a.c", fine, &[]);
        check(
            "corpus/soundness/a.c",
            "// verdict: false\n// property: valid-fre\n// allowed: true\n// verdict: false\n",
            &[
                "property cannot be valid-fre",
                "allowed cannot be true",
                "verdict is repeated or out of order",
                "the header has no cause",
            ],
        );
    }
}
