//! SARIF 2.1.0, the exchange format of static analysis tools. Properties are rules, a refutation is
//! a result of kind `fail` whose run is a code flow, a proof one of kind `pass`, and what is unknown
//! is `open`. What the front-end says are notifications.

use serde_json::{Value, json};

use super::words::{about, headline, values};
use crate::outcome::{Answer, Event, Level, Line, Message, Outcome, Position, Run, Verdict};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// Locations of a code flow, the same number from the beginning and from the end.
const MOST_LOCATIONS: usize = 2000;

pub fn sarif(outcome: &Outcome) -> String {
    let rules: Vec<Value> = outcome.results.iter().map(rule).collect();
    let results: Vec<Value> =
        outcome.results.iter().enumerate().map(|(at, a)| result(outcome, at, a)).collect();
    let notifications: Vec<Value> = outcome.diagnostics.iter().map(notification).collect();
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": outcome.tool.name,
                "version": outcome.tool.version,
                "semanticVersion": outcome.tool.version,
                "rules": rules,
                "properties": { "solver": outcome.tool.solver, "engine": outcome.engine },
            } },
            "columnKind": "unicodeCodePoints",
            "invocations": [{
                "executionSuccessful": outcome.verdict != Verdict::Invalid,
                "toolExecutionNotifications": notifications,
            }],
            "artifacts": [{
                "location": { "uri": uri(&outcome.file) },
                "sourceLanguage": "c",
            }],
            "results": results,
        }],
    });
    // Strings, numbers and lists only: this cannot fail.
    serde_json::to_string_pretty(&log).unwrap_or_default() + "\n"
}

fn rule(answer: &Answer) -> Value {
    let (short, long) = about(&answer.property);
    json!({
        "id": answer.property,
        "shortDescription": { "text": short },
        "fullDescription": { "text": long },
        "help": { "text": long },
        "defaultConfiguration": { "level": "error" },
    })
}

fn result(outcome: &Outcome, index: usize, answer: &Answer) -> Value {
    let (kind, level) = match answer.verdict {
        Verdict::Refuted => ("fail", "error"),
        Verdict::Proved => ("pass", "none"),
        Verdict::Unknown | Verdict::Invalid => ("open", "none"),
    };
    let mut result = json!({
        "ruleId": answer.property,
        "ruleIndex": index,
        "kind": kind,
        "level": level,
        "message": { "text": headline(answer) },
        "locations": [location(&Position::start_of(&outcome.file))],
    });
    if let Some(run) = answer.run() {
        let at = &run.violation.position;
        result["locations"] = json!([location(at)]);
        result["codeFlows"] = json!([code_flow(run)]);
        // The same violation at the same place is the same result, whatever the inputs.
        result["partialFingerprints"] =
            json!({ "violation/v1": format!("{}:{}", answer.property, run.violation.message) });
        if let Some(frame) = run.stack.last() {
            result["locations"][0]["logicalLocations"] =
                json!([{ "name": frame.function, "kind": "function" }]);
        }
    }
    if let Some(proof) = answer.proof() {
        result["properties"] = json!({ "assumptions": proof.assumptions });
    }
    result
}

fn code_flow(run: &Run) -> Value {
    let lines = run.trace.lines();
    let half = MOST_LOCATIONS / 2;
    let left_out = lines.len().saturating_sub(2 * half);
    let mut locations: Vec<Value> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        if left_out == 0 || at < half {
            locations.push(step(line, 0));
        } else if at >= half + left_out {
            locations.push(step(line, if at == half + left_out { left_out } else { 0 }));
        }
    }
    let end = &run.violation;
    let mut last = location(&end.position);
    last["message"] = json!({ "text": end.message });
    let depth = run.stack.len().saturating_sub(1);
    locations.push(json!({ "location": last, "nestingLevel": depth, "importance": "essential" }));
    let inputs: Vec<String> = run.inputs.iter().take(100).map(ToString::to_string).collect();
    let text = match inputs.is_empty() {
        true => "a run without inputs".to_owned(),
        false => inputs.join("\n"),
    };
    json!({ "message": { "text": text }, "threadFlows": [{ "locations": locations }] })
}

fn step(line: &Line<'_>, lines_left_out: usize) -> Value {
    let first = line.first();
    let mut told = Vec::new();
    if lines_left_out > 0 {
        told.push(format!("({lines_left_out} lines before this one are left out)"));
    }
    if line.omitted > 0 {
        told.push(format!("({} steps before this one are left out)", line.omitted));
    }
    told.push(match (values(line), line.steps.last().map(|step| step.event)) {
        (values, Some(Event::Call)) if values.is_empty() => "a call".to_owned(),
        (values, Some(Event::Call)) => format!("a call with {values}"),
        (values, _) if values.is_empty() => format!("in {}", first.function),
        (values, _) => values,
    });
    let mut place = location(&first.position);
    place["message"] = json!({ "text": told.join(" ") });
    place["logicalLocations"] = json!([{ "name": first.function, "kind": "function" }]);
    let mut location = json!({ "location": place, "nestingLevel": first.depth });
    let state: serde_json::Map<String, Value> =
        line.values().iter().map(|set| (set.name.clone(), json!({ "text": set.value }))).collect();
    if !state.is_empty() {
        location["state"] = Value::Object(state);
    }
    location
}

fn location(at: &Position) -> Value {
    let mut region = json!({ "startLine": at.line, "startColumn": at.column });
    // An empty region is an insertion point, and nothing to look at.
    if (at.end_line, at.end_column) > (at.line, at.column) {
        region["endLine"] = json!(at.end_line);
        region["endColumn"] = json!(at.end_column);
    }
    json!({ "physicalLocation": {
        "artifactLocation": { "uri": uri(&at.file) },
        "region": region,
    } })
}

fn notification(said: &Message) -> Value {
    let level = match said.severity {
        Level::Warning | Level::Unsupported => "warning",
        Level::Error => "error",
    };
    let text = match &said.help {
        Some(help) => format!("{}\n{help}", said.message),
        None => said.message.clone(),
    };
    json!({ "level": level, "message": { "text": text }, "locations": [location(&said.position)] })
}

/// A path as a reference: what has a meaning in one is written as its bytes.
fn uri(path: &str) -> String {
    let mut uri = if path.starts_with('/') { "file://".to_owned() } else { String::new() };
    // `a:b.c` would have a scheme.
    if !path.starts_with('/') && path.split('/').next().is_some_and(|first| first.contains(':')) {
        uri.push_str("./");
    }
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => uri.push(char::from(byte)),
            b'-' | b'.' | b'_' | b'~' | b'/' | b'+' | b',' | b'=' | b'@' | b':' => {
                uri.push(char::from(byte));
            }
            other => uri.push_str(&format!("%{other:02X}")),
        }
    }
    uri
}
