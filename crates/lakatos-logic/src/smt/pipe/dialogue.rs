//! Questions and answers: exactly one answer to each question, and a mark after it, so that no
//! answer can be taken for another question's.

use std::io;
use std::process::Command;
use std::time::Instant;

use super::process::{Heard, Process, Stopper};
use crate::smt::sexpr::{Atom, Sexpr, Sexprs, Splitter};

/// More than any answer has.
const LONGEST: usize = 1 << 26;
/// How much of what a solver said is shown to people.
const SHOWN: usize = 200;

/// A conversation with a child.
#[derive(Debug)]
pub(super) struct Dialogue {
    process: Process,
    splitter: Splitter,
    /// Commands that the child has not been sent.
    unsent: String,
    questions: u32,
}

/// Why a conversation is over. None of these can be mended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Break {
    Time,
    Memory,
    Failed(String),
}

impl Dialogue {
    pub(super) fn start(command: &mut Command) -> io::Result<Dialogue> {
        Ok(Dialogue {
            process: Process::start(command)?,
            splitter: Splitter::default(),
            unsent: String::new(),
            questions: 0,
        })
    }

    /// Commands without an answer; sent with the next question.
    pub(super) fn tell(&mut self, commands: &str) {
        self.unsent.push_str(commands);
        self.unsent.push('\n');
    }

    pub(super) fn stopper(&self) -> &Stopper {
        self.process.stopper()
    }

    /// The answer to a command that has one.
    pub(super) fn ask(&mut self, question: &str, until: Option<Instant>) -> Result<Sexprs, Break> {
        self.questions += 1;
        let mark = format!("lakatos-{}", self.questions);
        self.tell(question);
        self.tell(&format!("(echo \"{mark}\")"));
        self.process.send(std::mem::take(&mut self.unsent));
        let mut answer = None;
        loop {
            let text = self.hear(until)?;
            let strange = || Break::Failed(strange(&text));
            let heard = Sexprs::parse(&text).map_err(|_| strange())?;
            let expression = heard.items().next().ok_or_else(strange)?;
            if expression.call("error").is_some() {
                return Err(error(expression));
            }
            match answer.take() {
                Some(answer) if is_mark(expression, &mark) => return Ok(answer),
                None if !is_mark(expression, &mark) => answer = Some(heard),
                Some(unknown) if is_remark(&unknown, expression) => answer = Some(unknown),
                _ => return Err(strange()),
            }
        }
    }

    /// The text of the next expression.
    fn hear(&mut self, until: Option<Instant>) -> Result<String, Break> {
        loop {
            if let Some(text) = self.splitter.next_text() {
                return Ok(text);
            }
            if self.splitter.len() > LONGEST {
                return Err(Break::Failed("its answer does not end".to_string()));
            }
            match self.process.listen(until) {
                Heard::Output(bytes) => self.splitter.feed(&bytes),
                Heard::Nothing => return Err(Break::Time),
                Heard::End => return Err(self.end()),
            }
        }
    }

    fn end(&self) -> Break {
        let status = self.process.obituary();
        Break::Failed(match self.splitter.is_between() {
            true => format!("it ended ({status})"),
            false => format!("it ended ({status}) after `{}`", shorten(&self.splitter.rest())),
        })
    }
}

/// Why an answer cannot be taken for one.
pub(super) fn strange(answer: &str) -> String {
    format!("it said `{}`", shorten(answer))
}

/// Z3 prints the text that it is told to print, cvc5 a string.
fn is_mark(expression: Sexpr<'_>, mark: &str) -> bool {
    match expression.atom() {
        Some(Atom::Symbol(text) | Atom::String(text)) => text == mark,
        _ => false,
    }
}

/// Some versions of cvc5 say `unknown (TIMEOUT)`.
fn is_remark(answer: &Sexprs, after: Sexpr<'_>) -> bool {
    answer.items().next().is_some_and(|a| a.is_symbol("unknown"))
        && after.list::<1>().is_some_and(|[why]| why.symbol().is_some())
}

fn error(expression: Sexpr<'_>) -> Break {
    let text = match expression.list::<2>().and_then(|[_, text]| text.atom()) {
        Some(Atom::String(text)) => shorten(text),
        _ => shorten(&expression.to_string()),
    };
    match text.contains("out of memory") {
        true => Break::Memory,
        false => Break::Failed(text),
    }
}

fn shorten(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
