//! Tables in files: inputs behind `> `, and below them what is said about them.

use expect_test::ExpectFile;

/// The inputs of a table.
fn inputs(text: &str) -> Vec<String> {
    let mut inputs: Vec<String> = Vec::new();
    let mut open = false;
    for line in text.lines() {
        match (line.strip_prefix("> "), open) {
            (Some(line), true) => {
                let last = inputs.last_mut().expect("an input is open");
                last.push('\n');
                last.push_str(line);
            }
            (Some(line), false) => inputs.push(line.to_owned()),
            (None, _) => {}
        }
        open = line.starts_with("> ");
    }
    inputs
}

/// Every input gives what stands below it, and nothing is missing.
pub fn check(table: ExpectFile, least: usize, run: impl Fn(&str) -> String) {
    let inputs = inputs(&table.data());
    assert!(inputs.len() >= least, "{} inputs", inputs.len());
    let mut actual = String::new();
    for input in inputs {
        for line in input.lines() {
            actual += &format!("> {line}\n");
        }
        actual += &run(&input);
        actual.push('\n');
    }
    table.assert_eq(&actual);
}
