//! The headers of the programs in `corpus/` (see `corpus/README.md`).

use super::Problem;

/// The keys in their order.
const KEYS: [&str; 7] =
    ["property", "verdict", "data-model", "signed-overflow", "inputs", "uninitialised", "note"];

const PROPERTIES: [&str; 4] = ["unreach-call", "no-overflow", "div-by-zero", "array-bounds"];

pub fn problems(path: &str, text: &str) -> Vec<Problem> {
    let header: Vec<(usize, &str, &str)> = text
        .lines()
        .enumerate()
        .map_while(|(n, line)| {
            let (key, value) = line.strip_prefix("// ")?.split_once(':')?;
            Some((n + 1, key, value.trim()))
        })
        .collect();
    let mut problems = Vec::new();
    let mut last = None;
    for &(line, key, value) in &header {
        let mut problem = |message: String| problems.push(Problem::new(path, line, message));
        let place = KEYS.iter().position(|k| *k == key);
        match place {
            None => problem(format!("unknown key {key}")),
            Some(_) if place <= last => problem(format!("{key} is repeated or out of order")),
            Some(_) if !value_fits(path, key, value) => problem(format!("{key} cannot be {value}")),
            Some(_) => {}
        }
        last = place.max(last);
    }
    let mut needed = vec!["property", "verdict", "note"];
    if path.starts_with("corpus/neg/") {
        needed.push("inputs");
    }
    for key in needed {
        if !header.iter().any(|(_, k, _)| *k == key) {
            problems.push(Problem::new(path, 1, format!("the header has no {key}")));
        }
    }
    problems
}

fn value_fits(path: &str, key: &str, value: &str) -> bool {
    let numbers =
        || value.is_empty() || value.split(',').all(|number| number.trim().parse::<i128>().is_ok());
    match key {
        "property" => PROPERTIES.contains(&value),
        "verdict" if path.starts_with("corpus/pos/") => value == "true",
        "verdict" if path.starts_with("corpus/neg/") => value == "false",
        "verdict" => value == "true" || value == "false",
        "data-model" => value == "ilp32" || value == "lp64",
        "signed-overflow" => value == "undefined" || value == "wrap",
        "inputs" | "uninitialised" => path.starts_with("corpus/neg/") && numbers(),
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
    }
}
