//! A refutation: what came in, what happened, where it went wrong.
//!
//! A line of the trace is a line of the source on which steps were taken, with the values they
//! set; entering and leaving a function begin a new one. Of a long run the first and the last
//! lines are shown.

use std::fmt::Write as _;

use lakatos_evidence::{Refutation, Step, Trace};
use lakatos_ir::interpret::{self, StackEntry};
use lakatos_ir::{Diagnostic, ProcId, Program, Span};
use unicode_width::UnicodeWidthStr;

use super::Paint;
use crate::diagnostic::{self, Style};
use crate::excerpt::{printable, shortened};
use crate::outcome::Input;

/// Longer pieces of source and values are cut.
const MAX_CODE: usize = 48;
const MAX_VALUES: usize = 80;

/// A refutation in words. The program may be the one that was replayed or the one it was made
/// from: procedures, variables and sites are the same. The lists are cut to fit the screen, each by itself.
pub fn refutation(program: &Program, refutation: &Refutation, style: Style) -> String {
    let paint = Paint::new(style.color);
    let report = Report { program, refutation, height: style.height.max(8) };
    let mut text = String::new();
    let mut section = |name: &str, lines: Vec<String>| {
        if !lines.is_empty() {
            text += &(paint.heading(name) + "\n");
            lines.iter().for_each(|line| text += &format!("  {line}\n"));
        }
    };
    section("inputs", report.inputs());
    section("trace", report.trace(&paint));
    let violation = refutation.violation();
    let found = Diagnostic::error(violation.span, &violation.message);
    text += &diagnostic::render(&program.source, &[found], style);
    report.stack().iter().for_each(|line| text += &format!("  {line}\n"));
    text
}

struct Report<'a> {
    program: &'a Program,
    refutation: &'a Refutation,
    height: usize,
}

/// Steps on one line of the source.
struct Line {
    /// Function and line.
    place: String,
    code: String,
    /// Names with values, the last value of each.
    values: Vec<(String, String)>,
    steps: u64,
}

impl Report<'_> {
    fn inputs(&self) -> Vec<String> {
        let inputs = self.refutation.inputs();
        let show =
            |input: &interpret::Input| printable(&Input::new(self.program, input).to_string());
        elided(inputs, self.height / 2, show, |n| format!("… {n} more …"))
    }

    fn trace(&self, paint: &Paint) -> Vec<String> {
        let Trace { head, omitted, tail } = self.refutation.trace();
        let mut lines = self.lines(head);
        if *omitted > 0 {
            lines.push(Line {
                place: String::new(),
                code: String::new(),
                values: Vec::new(),
                steps: *omitted,
            });
        }
        lines.extend(self.lines(tail));
        let shown = ends(lines.len(), self.height / 2);
        let width = |text: fn(&Line) -> &str| {
            let all = lines
                .iter()
                .enumerate()
                .filter(|(i, _)| shown.is_none_or(|(a, b)| *i < a || *i >= b));
            all.map(|(_, line)| text(line).width()).max().unwrap_or(0)
        };
        let (place, code) = (width(|line| &line.place), width(|line| &line.code));
        elided_at(
            &lines,
            shown,
            |line| line.show(place, code, paint),
            |left_out| {
                let steps: u64 = left_out.iter().map(|line| line.steps).sum();
                format!("… {steps} steps …")
            },
        )
    }

    /// Our own procedure, which calls `main`, is left out.
    fn lines(&self, steps: &[Step]) -> Vec<Line> {
        let mut lines: Vec<Line> = Vec::new();
        let mut last: Option<(ProcId, usize)> = None;
        for step in steps.iter().filter(|step| step.proc != self.program.start) {
            let here = (step.proc, self.program.source.physical_line(step.span.start));
            if last != Some(here) {
                lines.push(self.line(step));
            }
            if let Some(line) = lines.last_mut() {
                line.add(step);
            }
            last = Some(here).filter(|_| !step.turns);
        }
        lines
    }

    fn line(&self, step: &Step) -> Line {
        let source = &self.program.source;
        let line = source.physical_line(step.span.start);
        let (file, number) = source.logical_line(line);
        let name = &self.program.procs[step.proc].name;
        let place = match file == source.name() {
            true => format!("{name}:{number}"),
            false => format!("{name}:{file}:{number}"),
        };
        let code = one_line(source.snippet(source.physical_line_span(line)), MAX_CODE);
        Line { place: printable(&place), code, values: Vec::new(), steps: 0 }
    }

    /// Who called whom, innermost first. `main` is called by nobody.
    fn stack(&self) -> Vec<String> {
        let (start, main) = (self.program.start, self.program.main);
        let frames = self.refutation.stack().iter().rev().filter(|frame| frame.proc != start);
        let show = |frame: &&StackEntry| {
            let name = &self.program.procs[frame.proc].name;
            match frame.call.filter(|_| frame.proc != main) {
                Some(call) => printable(&format!("in {name}, called at {}", self.at(call))),
                None => printable(&format!("in {name}")),
            }
        };
        let frames: Vec<&StackEntry> = frames.collect();
        elided(&frames, self.height / 4, show, |n| format!("… {n} more …"))
    }

    fn at(&self, span: Span) -> String {
        self.program.source.position(span.start).to_string()
    }
}

impl Line {
    fn add(&mut self, step: &Step) {
        self.steps += 1;
        for set in step.assigned.iter().filter(|set| !set.name.is_empty()) {
            let name = one_line(&set.name, MAX_CODE);
            self.values.retain(|(known, _)| *known != name);
            self.values.push((name, set.shown.clone()));
        }
    }

    fn show(&self, place: usize, code: usize, paint: &Paint) -> String {
        if self.place.is_empty() {
            return format!("… {} steps …", self.steps);
        }
        let pad = |text: &str, width: usize| " ".repeat(width.saturating_sub(text.width()));
        let mut shown = paint.aside(&self.place) + &pad(&self.place, place) + "  " + &self.code;
        if !self.values.is_empty() {
            let values: Vec<String> =
                self.values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            let values = printable(&shortened(&values.join(", "), MAX_VALUES));
            let _ = write!(shown, "{}  {}", pad(&self.code, code), paint.aside(&values));
        }
        shown
    }
}

/// Source text without its line breaks and indentation.
fn one_line(text: &str, max: usize) -> String {
    printable(&shortened(&text.split_whitespace().collect::<Vec<_>>().join(" "), max))
}

/// Of a list, the part in the middle that is left out so that about `most` are shown.
fn ends(len: usize, most: usize) -> Option<(usize, usize)> {
    let most = most.max(3);
    (len > most).then(|| (most / 3, len - (most - most / 3)))
}

fn elided<T>(
    list: &[T],
    most: usize,
    show: impl Fn(&T) -> String,
    rest: impl Fn(usize) -> String,
) -> Vec<String> {
    elided_at(list, ends(list.len(), most), show, |left_out| rest(left_out.len()))
}

fn elided_at<T>(
    list: &[T],
    left_out: Option<(usize, usize)>,
    show: impl Fn(&T) -> String,
    rest: impl Fn(&[T]) -> String,
) -> Vec<String> {
    match left_out {
        None => list.iter().map(show).collect(),
        Some((from, to)) => {
            let mut shown: Vec<String> = list[..from].iter().map(&show).collect();
            shown.push(rest(&list[from..to]));
            shown.extend(list[to..].iter().map(&show));
            shown
        }
    }
}
