//! What a verifier said, read with distrust: an exit code counts as a verdict only with a line
//! about the property that does not contradict it.

use lakatos_ir::Property;
use serde::{Deserialize, Serialize};

use super::child::{End, Finished, Limits};
use super::evidence;
use crate::exit::Exit;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    /// The property is proved.
    True,
    /// The property is refuted.
    False,
    Unknown,
    Timeout,
    Memory,
    /// A crash, or something that is no answer.
    Error,
}

impl Answer {
    pub const ALL: [Answer; 6] = [
        Answer::True,
        Answer::False,
        Answer::Unknown,
        Answer::Timeout,
        Answer::Memory,
        Answer::Error,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Answer::True => "true",
            Answer::False => "false",
            Answer::Unknown => "unknown",
            Answer::Timeout => "timeout",
            Answer::Memory => "memory",
            Answer::Error => "error",
        }
    }

    /// Whether a verdict, if it is one, is the expected one.
    pub fn is_right(self, expected: bool) -> Option<bool> {
        match self {
            Answer::True => Some(expected),
            Answer::False => Some(!expected),
            _ => None,
        }
    }
}

/// The system's signals for a child that uses too much processor time, and for one that aborts.
const SIGXCPU: i32 = 24;
const SIGABRT: i32 = 6;

/// What a verifier said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    pub answer: Answer,
    /// Why there is no verdict.
    pub reason: String,
    /// The words in which the answer was found.
    pub words: String,
}

impl Said {
    fn new(answer: Answer, reason: impl Into<String>) -> Said {
        Said { answer, reason: reason.into(), words: String::new() }
    }
}

/// The answer; `by_code` reads that of a verifier which ended by itself.
pub fn read(finished: &Finished, limits: &Limits, by_code: impl FnOnce(i32) -> Said) -> Said {
    match finished.end {
        End::OutOfTime | End::Signal(SIGXCPU) => Said::new(Answer::Timeout, "killed"),
        End::OutOfMemory => Said::new(Answer::Memory, "killed"),
        End::Signal(SIGABRT) if finished.stderr.contains("memory allocation of") => {
            Said::new(Answer::Memory, last_line(&finished.stderr))
        }
        End::Signal(signal) => {
            let said = match last_line(&finished.stderr) {
                said if said.is_empty() => said,
                said => format!(": {said}"),
            };
            Said::new(Answer::Error, format!("ended by signal {signal}{said}"))
        }
        End::Code(code) => within(limits, finished, by_code(code)),
    }
}

/// A verdict that needed more than was allowed is none.
fn within(limits: &Limits, finished: &Finished, said: Said) -> Said {
    let (answer, reason) = match said.answer {
        Answer::True | Answer::False
            if finished.wall > limits.wall || finished.usage.cpu > limits.cpu =>
        {
            (Answer::Timeout, "a verdict that came too late")
        }
        _ => return said,
    };
    Said { answer, reason: reason.to_owned(), ..said }
}

/// The answer of Lakatos.
pub fn of_code(code: i32, finished: &Finished, property: Property) -> Said {
    let error = |message: String| Said::new(Answer::Error, message);
    let first = |text: &str| text.lines().next().unwrap_or_default().to_owned();
    let answer = match code {
        c if c == Exit::Good as i32 => Answer::True,
        c if c == Exit::Bad as i32 => Answer::False,
        c if c == Exit::Unknown as i32 => Answer::Unknown,
        c if c == Exit::BadInput as i32 => {
            return error(format!("bad usage or input: {}", first(&finished.stderr)));
        }
        c if c == Exit::Internal as i32 => return error(first(&finished.stderr)),
        _ => return error(format!("exit code {code}")),
    };
    let Some(words) = evidence::words(&finished.stdout, property) else {
        return error(format!("exit code {code}, and nothing is said about {property}"));
    };
    let claims = |starts: &[&str]| starts.iter().any(|start| words.starts_with(start));
    let contradicted = match answer {
        Answer::True => claims(&["unknown", "refut", "false"]),
        Answer::False => claims(&["unknown", "pro", "true"]),
        _ => !claims(&["unknown"]),
    };
    if contradicted {
        return error(format!("exit code {code}, but it says: {words}"));
    }
    let reason = words.strip_prefix("unknown").unwrap_or_default().trim_start_matches(": ");
    let answer = match answer {
        Answer::Unknown if reason.contains("time limit") => Answer::Timeout,
        Answer::Unknown if reason.contains("memory limit") => Answer::Memory,
        answer => answer,
    };
    Said { answer, reason: reason.to_owned(), words: words.to_owned() }
}

pub fn last_line(text: &str) -> String {
    text.lines().next_back().unwrap_or_default().to_owned()
}

/// The line in which a byte is.
pub fn line_at(text: &str, at: usize) -> String {
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    text[start..].lines().next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[track_caller]
    fn check(end: End, stdout: &str, stderr: &str, expected: (Answer, &str)) {
        let time = Duration::from_secs(10);
        let limits = Limits { cpu: time, wall: time, memory: 1 << 30 };
        let finished = Finished {
            end,
            stdout: stdout.to_owned(),
            stderr: stderr.to_owned(),
            wall: Duration::from_secs(if stdout.contains("late") { 11 } else { 1 }),
            usage: Default::default(),
        };
        let property = Property::UnreachCall;
        let said = read(&finished, &limits, |code| of_code(code, &finished, property));
        assert_eq!((said.answer, said.reason.as_str()), expected);
    }

    #[test]
    fn verdicts_need_code_and_words() {
        use Answer::*;
        let says = |code, said: &str, expected| {
            check(End::Code(code), &format!("t.c (lp64)\nunreach-call: {said}\n"), "", expected);
        };
        says(0, "proved", (True, ""));
        says(0, "proved (3 conditions checked)", (True, ""));
        says(1, "refuted", (False, ""));
        says(2, "unknown: a reason", (Unknown, "a reason"));
        says(2, "unknown: the time limit was reached", (Timeout, "the time limit was reached"));
        says(2, "unknown: the memory limit was reached", (Memory, "the memory limit was reached"));
        says(0, "proved, late", (Timeout, "a verdict that came too late"));
        // Where code and words differ, nothing is believed.
        says(0, "unknown: a reason", (Error, "exit code 0, but it says: unknown: a reason"));
        says(0, "refuted", (Error, "exit code 0, but it says: refuted"));
        says(1, "proved", (Error, "exit code 1, but it says: proved"));
        says(1, "unknown: a reason", (Error, "exit code 1, but it says: unknown: a reason"));
        says(2, "proved", (Error, "exit code 2, but it says: proved"));
    }

    #[test]
    fn what_is_no_verdict() {
        use Answer::*;
        let silent = "exit code 0, and nothing is said about unreach-call";
        check(End::Code(0), "", "", (Error, silent));
        check(End::Code(0), "no-overflow: proved\n", "", (Error, silent));
        check(End::Code(3), "", "error: no file\n", (Error, "bad usage or input: error: no file"));
        check(End::Code(4), "", "internal error: x\nmore", (Error, "internal error: x"));
        check(End::Code(127), "", "", (Error, "exit code 127"));
        check(End::Signal(11), "", "a\nb", (Error, "ended by signal 11: b"));
        let message = "memory allocation of 8 bytes failed";
        check(End::Signal(6), "", message, (Memory, message));
        check(End::Signal(6), "", "bug", (Error, "ended by signal 6: bug"));
        check(End::Signal(24), "", "", (Timeout, "killed"));
        check(End::OutOfTime, "unreach-call: proved", "", (Timeout, "killed"));
        check(End::OutOfMemory, "", "", (Memory, "killed"));
    }
}
