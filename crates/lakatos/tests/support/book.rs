//! Documents that show what the tool says: `console` blocks with commands and their output.

/// The text with what `run` gives below every command (`$ …`) of a `console` block.
pub fn with_real_output(text: &str, mut run: impl FnMut(&str) -> String) -> String {
    let mut result = String::new();
    let mut in_block = false;
    for line in text.lines() {
        match line.strip_prefix("$ ") {
            Some(command) if in_block => result += &format!("{line}\n{}", run(command)),
            _ if in_block && line != "```" => {}
            _ => result += &format!("{line}\n"),
        }
        in_block = line == "```console" || (in_block && line != "```");
    }
    result
}

/// The programs of a document: a block after a line that ends with the file's name (`` `a.c`: ``).
pub fn programs(text: &str) -> Vec<(String, String)> {
    let mut programs = Vec::new();
    let mut name = None;
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line == "```c" {
            let name = name.take().expect("a program has a name");
            let body = lines.by_ref().take_while(|line| *line != "```");
            programs.push((name, body.map(|line| format!("{line}\n")).collect()));
        } else if !line.is_empty() {
            let quoted = line.strip_suffix("`:").and_then(|line| line.rsplit_once('`'));
            name = quoted.map(|(_, name)| name.to_owned());
        }
    }
    programs
}
