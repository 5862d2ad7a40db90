//! From what the user named to a program: find the task, read, preprocess, compile.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use lakatos_c::Failure;
use lakatos_ir::{DataModel, Program, Severity, Source};

use crate::args;
use crate::exit::Exit;
use crate::task::{self, Asked};
use crate::terminal::{self, note};
use crate::{input, preprocess};

/// Which file, in which data model, and what its task file asks of it.
#[derive(Debug)]
pub struct Choice {
    pub path: PathBuf,
    pub model: DataModel,
    pub asked: Vec<Asked>,
}

/// Flags decide, then the task file (given, or of the same name beside the program).
pub fn choose(args: &args::Input) -> Result<Choice> {
    let given = args.data_model.map(DataModel::from);
    if task::is_task_file(&args.file) {
        let task = task::read(&args.file)?;
        let model = given.or(task.model).unwrap_or_default();
        let asked = task.properties.into_iter().map(|goal| goal.asked).collect();
        return Ok(Choice { path: task.program, model, asked });
    }
    let model = match given {
        Some(model) => model,
        None => model_beside(&args.file)?.unwrap_or_default(),
    };
    Ok(Choice { path: args.file.clone(), model, asked: Vec::new() })
}

fn model_beside(path: &Path) -> Result<Option<DataModel>> {
    let found = task::model_beside(path)
        .context("the task file beside the program cannot be used (--data-model overrides it)")?;
    Ok(found.map(|(model, task)| {
        note(&format!("data model {}, as {} says", model_name(model), task.display()));
        model
    }))
}

pub fn model_name(model: DataModel) -> &'static str {
    match model {
        DataModel::Ilp32 => "ilp32",
        DataModel::Lp64 => "lp64",
    }
}

impl Choice {
    /// The file as diagnostics name it.
    pub fn name(&self) -> String {
        input::display_name(&self.path)
    }

    /// The files that are read, with what they are.
    pub fn files<'a>(&'a self, given: &'a args::Input) -> Vec<(&'a Path, &'static str)> {
        vec![(&self.path, "the program"), (&given.file, "the task file")]
    }

    /// The text, preprocessed.
    pub fn source(&self) -> Result<Source> {
        let name = self.name();
        let bytes = input::read(&self.path)?;
        input::refuse_binary(&name, &bytes)?;
        let made = preprocess::preprocess(&self.path, &bytes, self.model)?;
        let Some(made) = made else {
            return Ok(Source::new(name.clone(), input::decode(&name, bytes)?));
        };
        let file = String::from_utf8_lossy(input::without_mark(&bytes)).into_owned();
        Ok(Source::new(name.clone(), input::decode(&name, made)?).made_from(file))
    }

    /// The program, or what is wrong with it.
    pub fn translate(&self) -> Result<Result<Program, Box<Failure>>> {
        let options = lakatos_c::Options { model: self.model };
        Ok(lakatos_c::compile(self.source()?, &options))
    }

    /// The program; what the front-end says about it has been shown.
    pub fn compile(&self) -> Result<Result<Program, Refused>> {
        Ok(match self.translate()? {
            Ok(program) => {
                terminal::diagnostics(&program.source, &program.warnings);
                Ok(program)
            }
            Err(failure) => {
                terminal::diagnostics(&failure.source, &failure.diagnostics);
                Err(Refused::from(*failure))
            }
        })
    }
}

/// Why the front-end made no program.
#[derive(Debug)]
pub enum Refused {
    /// It is not C: the user's mistake.
    NotC,
    /// It is C, but uses something that Lakatos does not know: what, and where.
    Unsupported(String),
}

impl From<Failure> for Refused {
    fn from(Failure { source, diagnostics }: Failure) -> Refused {
        let first = |severity| diagnostics.iter().find(|d| d.severity == severity);
        match (first(Severity::Error), first(Severity::Unsupported)) {
            (None, Some(d)) => {
                let at = source.position(d.span.start);
                Refused::Unsupported(format!("unsupported: {} at {at}", d.message))
            }
            _ => Refused::NotC,
        }
    }
}

impl Refused {
    /// How a command ends that can do nothing without a program.
    pub fn exit(&self) -> Exit {
        match self {
            Refused::NotC => Exit::BadInput,
            Refused::Unsupported(_) => Exit::Unknown,
        }
    }
}
