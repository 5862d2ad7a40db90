//! Answers in plain words, without colours and source lines: for logs and for tools that show
//! text only.

use crate::excerpt::{printable, shortened};
use crate::outcome::{Answer, Evidence, Line, Run};

/// So many inputs and lines of a trace are told, half of them from the end.
const MOST_TOLD: usize = 40;
/// Characters of a line.
const WIDTH: usize = 200;

/// What a property says, for people who do not know it: in short, and what to do about it.
pub fn about(property: &str) -> (String, &'static str) {
    let (short, long) = match property {
        "unreach-call" => (
            "No error is reachable",
            "No call of reach_error or __VERIFIER_error, and no assertion that fails. A result \
             comes with inputs and a run that ends in the error.",
        ),
        "no-overflow" => (
            "No signed integer overflow",
            "The result of an operation on signed integers fits its type. Overflow is undefined \
             behaviour in C.",
        ),
        "div-by-zero" => (
            "No division by zero",
            "No integer is divided by zero. That is undefined behaviour in C.",
        ),
        "array-bounds" => (
            "Every array index is within its array",
            "An index into an array whose type gives its length is not negative and less than the \
             length.",
        ),
        "uninitialised-read" => (
            "Nothing is read before it is written",
            "No local variable, and no memory from malloc or alloca, is read that was never \
             written. Its value is indeterminate in C.",
        ),
        other => return (format!("The property {other}"), "See `lakatos help verify`."),
    };
    (short.to_owned(), long)
}

/// What is known, in a line.
pub fn headline(answer: &Answer) -> String {
    let property = &answer.property;
    match &answer.evidence {
        Evidence::Proof(proof) => format!("{property} is proved ({})", proof.checked()),
        Evidence::Run(run) => format!("{} ({property} is refuted)", run.violation.message),
        Evidence::Reason(reason) => format!("{property} is unknown: {reason}"),
    }
}

/// What it rests on, a line each.
pub fn details(answer: &Answer) -> Vec<String> {
    match &answer.evidence {
        Evidence::Proof(proof) => {
            proof.assumptions.iter().map(|text| format!("assuming: {text}")).collect()
        }
        Evidence::Run(run) => run_in_lines(run),
        Evidence::Reason(_) => Vec::new(),
    }
}

fn run_in_lines(run: &Run) -> Vec<String> {
    let mut told: Vec<String> =
        run.execution.iter().map(|how| format!("execution: {how}")).collect();
    let inputs: Vec<String> = run.inputs.iter().map(|input| format!("input: {input}")).collect();
    told.extend(cut(inputs, |left_out| format!("… {left_out} more inputs …")));
    let lines: Vec<String> = run.trace.lines().iter().map(line).collect();
    told.extend(cut(lines, |left_out| format!("… {left_out} more lines …")));
    told.push(format!("violation: {} at {}", run.violation.message, run.violation.position));
    told.iter().map(|text| printable(&shortened(text, WIDTH))).collect()
}

/// `main at a.c:5: x = 1, y = 2`
fn line(line: &Line<'_>) -> String {
    let step = line.first();
    let (file, number) = (&step.position.file, step.position.line);
    let before = match line.omitted {
        0 => String::new(),
        steps => format!("… {steps} steps … "),
    };
    match values(line) {
        values if values.is_empty() => format!("{before}{} at {file}:{number}", step.function),
        values => format!("{before}{} at {file}:{number}: {values}", step.function),
    }
}

/// What a line of a trace sets.
pub fn values(line: &Line<'_>) -> String {
    let all: Vec<String> =
        line.values().iter().map(|set| format!("{} = {}", set.name, set.value)).collect();
    all.join(", ")
}

/// The beginning and the end of a list.
fn cut(mut list: Vec<String>, rest: impl Fn(usize) -> String) -> Vec<String> {
    if list.len() > MOST_TOLD {
        let half = MOST_TOLD / 2;
        let left_out = list.len() - 2 * half;
        list.splice(half..half + left_out, [rest(left_out)]);
    }
    list
}
