//! What the script needs of an outcome, as JSON that can stand in a `script` element.

use serde::Serialize;

use crate::outcome::{Event, Frame, Line, Outcome, Run, Scope};

#[derive(Serialize)]
struct Data<'o> {
    runs: Vec<Option<RunData<'o>>>,
}

#[derive(Serialize)]
struct RunData<'o> {
    steps: Vec<StepData<'o>>,
    /// The calls in progress behind what is left out.
    stack: Vec<&'o str>,
    violation: End<'o>,
}

#[derive(Serialize)]
struct End<'o> {
    line: Option<u32>,
    message: &'o str,
}

#[derive(Serialize)]
struct StepData<'o> {
    function: &'o str,
    depth: usize,
    /// None if it is in another file.
    line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    elsewhere: Option<String>,
    event: Event,
    /// Names, values and scopes.
    set: Vec<(&'o str, &'o str, Scope)>,
    #[serde(skip_serializing_if = "is_zero")]
    omitted: u64,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

pub(super) fn data(outcome: &Outcome) -> String {
    let runs = outcome.results.iter().map(|answer| Some(run(outcome, answer.run()?)));
    let data = Data { runs: runs.collect() };
    // Strings, numbers and lists only: this cannot fail.
    let text = serde_json::to_string(&data).unwrap_or_default();
    // In JSON these stand in strings only. Without them no text ends the element.
    text.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

fn run<'o>(outcome: &'o Outcome, run: &'o Run) -> RunData<'o> {
    let at = &run.violation.position;
    let here = at.file == outcome.file;
    RunData {
        steps: run.trace.lines().iter().map(|line| step(outcome, line)).collect(),
        stack: run.trace.stack_after_omitted.iter().map(|f: &Frame| f.function.as_str()).collect(),
        violation: End { line: here.then_some(at.line), message: &run.violation.message },
    }
}

fn step<'o>(outcome: &Outcome, line: &Line<'o>) -> StepData<'o> {
    let first = line.first();
    let at = &first.position;
    let here = at.file == outcome.file;
    StepData {
        function: &first.function,
        depth: first.depth,
        line: here.then_some(at.line),
        elsewhere: (!here).then(|| format!("{}:{}", at.file, at.line)),
        event: line.steps.last().map_or(Event::Step, |step| step.event),
        set: line.values().iter().map(|v| (v.name.as_str(), v.value.as_str(), v.scope)).collect(),
        omitted: line.omitted,
    }
}
