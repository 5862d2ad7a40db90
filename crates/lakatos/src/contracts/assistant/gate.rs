//! The completed text once more, as `verify --modular` looks at it: what is printed has to follow,
//! function by function, from nothing but what is printed.

use std::io::Write;

use anyhow::Result;
use lakatos_check::Verdict;
use lakatos_evidence::Refutation;
use lakatos_ir::{Diagnostic, Property, Source, Span};
use lakatos_modular::{Calls, Modular, Module, ModuleKind, Piece, Question, violated};

use super::{NAME, shown};
use crate::contracts::Proving;
use crate::exit::Exit;
use crate::load::Choice;
use crate::terminal::{self, BAD, UNSURE};
use crate::verify::unknown;
use crate::{input, preprocess};

/// What is wrong with a completed text.
enum Complaint {
    /// A contract contradicts itself.
    Wrong(String),
    /// Something does not follow, as a run of a function shows.
    Weak(String, String),
    Unknown(String),
}

impl Complaint {
    fn exit(&self) -> Exit {
        match self {
            Complaint::Wrong(_) => Exit::Bad,
            Complaint::Weak(..) | Complaint::Unknown(_) => Exit::Unknown,
        }
    }
}

impl Proving<'_> {
    /// Tells what does not follow.
    pub(in crate::contracts) fn passes(
        &self,
        choice: &Choice,
        text: &str,
        properties: &[Property],
    ) -> Result<Exit> {
        let out = &mut terminal::stderr();
        let complaints = match self.cut(choice, text)? {
            Ok(gate) => gate.complaints(properties),
            Err(reason) => {
                vec![Complaint::Unknown(format!("it is not looked at once more: {reason}"))]
            }
        };
        for complaint in &complaints {
            match complaint {
                Complaint::Wrong(text) => writeln!(out, "{NAME}: {BAD}refuted{BAD:#}: {text}")?,
                Complaint::Weak(text, shown) => {
                    writeln!(out, "{NAME}: {UNSURE}too weak{UNSURE:#}: {text}")?;
                    write!(out, "{shown}")?;
                }
                Complaint::Unknown(text) => {
                    unknown(out, NAME, &format!("the completed program: {text}"))?;
                }
            }
        }
        let exits: Vec<Exit> = complaints.iter().map(Complaint::exit).collect();
        Ok(if exits.is_empty() { Exit::Good } else { Exit::overall(&exits) })
    }

    fn cut(&self, choice: &Choice, text: &str) -> Result<Result<Gate<'_>, String>> {
        let name = choice.name();
        let bytes = preprocess::preprocess(&choice.path, text.as_bytes(), choice.model)?;
        let bytes = bytes.unwrap_or_else(|| text.as_bytes().to_vec());
        // Its lines are other ones than those of the user's file.
        let source = Source::new(format!("{name} (annotated)"), input::decode(&name, bytes)?);
        let options = lakatos_c::Options { model: choice.model };
        let Ok(unit) = lakatos_c::check(source.clone(), &options) else {
            return Ok(Err("it is no C".to_owned()));
        };
        let Ok(program) = lakatos_c::lower::lower(unit.clone()) else {
            return Ok(Err("it is not supported".to_owned()));
        };
        Ok(match Modular::new(&program, &unit, true) {
            Ok(modular) => Ok(Gate { proving: self, modular, source: program.source.clone() }),
            Err(failure) => Err(failure.to_string()),
        })
    }
}

struct Gate<'a> {
    proving: &'a Proving<'a>,
    modular: Modular,
    source: Source,
}

impl Gate<'_> {
    fn complaints(&self, properties: &[Property]) -> Vec<Complaint> {
        let mut all = Vec::new();
        for problem in &self.modular.problems {
            all.push(self.unsupported(problem));
        }
        for module in &self.modular.modules {
            all.extend(self.contradiction(module));
            all.extend(self.asked(module, Question::Contracts, Property::UnreachCall));
            if module.kind != ModuleKind::Declared {
                let property =
                    |property: &Property| self.asked(module, Question::Property, *property);
                all.extend(properties.iter().filter_map(property));
            }
        }
        all
    }

    fn unsupported(&self, problem: &Diagnostic) -> Complaint {
        let at = self.at(problem.span);
        Complaint::Unknown(format!("unsupported: {} at {at}", problem.message))
    }

    fn at(&self, span: Span) -> String {
        self.source.position(span.start).to_string()
    }

    /// A contract that no call fulfils proves everything.
    fn contradiction(&self, module: &Module) -> Option<Complaint> {
        if !self.modular.requires_something(module) {
            return None;
        }
        let piece = self.modular.piece(module, Question::CanBeCalled, Calls::ByContract).ok()?;
        match self.proving.by_engines(&piece.program, Property::UnreachCall) {
            Verdict::Proved(_) => Some(Complaint::Wrong(format!(
                "the contract of `{}` contradicts itself: no call fulfils what it requires ({})",
                module.name,
                self.at(self.modular.contract_span(module))
            ))),
            Verdict::Refuted(_) | Verdict::Unknown(_) => None,
        }
    }

    fn asked(&self, module: &Module, question: Question, property: Property) -> Option<Complaint> {
        let piece = match self.modular.piece(module, question, Calls::ByContract) {
            Ok(piece) => piece,
            Err(problem) => return Some(self.unsupported(&problem)),
        };
        match self.proving.by_engines(&piece.program, property) {
            Verdict::Proved(_) => None,
            Verdict::Unknown(why) => {
                let why = self.proving.ends.explain(why).describe(&self.source);
                Some(Complaint::Unknown(format!("in `{}`: {why}", module.name)))
            }
            Verdict::Refuted(run) => Some(self.fails(module, &piece, &run)),
        }
    }

    /// What was shown for the program does not follow from what is printed.
    fn fails(&self, module: &Module, piece: &Piece, run: &Refutation) -> Complaint {
        let message = &run.violation().message;
        let what = match violated(&piece.goals, message) {
            Some(goal) => format!("{} at {}", goal.what, self.at(goal.span)),
            None => message.clone(),
        };
        let text = format!(
            "{what} does not follow in `{}` from the contracts of the functions that it calls",
            module.name
        );
        Complaint::Weak(text, shown(&piece.program, run).replace(message, &what))
    }
}
