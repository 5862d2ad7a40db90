//! Contracts as text: what functions and loops of a program are annotated with, and the same as
//! JSON (schema `lakatos-contracts/1`).

use lakatos_ir::{DataModel, Program, Source};
use serde::{Deserialize, Serialize};

use crate::Gap;

/// The name of the JSON schema.
pub const SCHEMA: &str = "lakatos-contracts/1";

/// What is known of a program, function by function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contracts {
    /// In order of the source.
    pub functions: Vec<Function>,
    pub gaps: Vec<Gap>,
}

/// A function's contract, and the annotations of its loops. All text is ACSL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    pub name: String,
    pub parameters: Vec<Parameter>,
    /// The C type of the result.
    pub result: String,
    pub has_body: bool,
    /// The globals that its contract speaks of, by name.
    pub globals: Vec<Parameter>,
    pub requires: Vec<String>,
    /// What is smaller in every recursive call.
    pub decreases: Option<String>,
    /// What a call may change; nobody knows if `None`.
    pub assigns: Option<Vec<String>>,
    pub ensures: Vec<String>,
    /// The same by cases, where the contract has some.
    pub cases: Option<Cases>,
    /// In order of the source.
    pub loops: Vec<Loop>,
    /// Where its declaration or definition begins in the program's source; the function that calls
    /// it first, if it is not declared.
    pub at: u32,
    /// The declaration that it lacks.
    pub declaration: Option<String>,
    /// A parameter that needs a name, since the contract speaks of it: where, and which.
    pub named: Option<(u32, String)>,
}

/// A contract by cases: what is ensured besides, and behaviours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cases {
    pub ensures: Vec<String>,
    pub behaviours: Vec<Behaviour>,
    /// Every call is one of them.
    pub complete: bool,
    /// No call is two of them.
    pub disjoint: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Behaviour {
    pub name: String,
    pub assumes: Vec<String>,
    pub ensures: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Parameter {
    pub name: String,
    #[serde(rename = "type")]
    pub ty: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// Where its keyword is in the program's source.
    pub at: u32,
    /// It may be gone through more than once.
    pub is_cyclic: bool,
    pub invariants: Vec<String>,
    /// What its iterations may change; nobody knows if `None`.
    pub assigns: Option<Vec<String>>,
    /// What is smaller after every iteration.
    pub variant: Option<String>,
}

impl Contracts {
    pub fn is_complete(&self) -> bool {
        self.gaps.is_empty()
    }

    /// For others to read. The hash is that of the user's file.
    pub fn document(&self, program: &Program, file: &str, sha256: &str) -> Document {
        let source = &program.source;
        let (functions, stubs): (Vec<&Function>, Vec<&Function>) =
            self.functions.iter().partition(|function| function.has_body);
        let record = |list: Vec<&Function>| list.into_iter().map(|f| f.record(source)).collect();
        Document {
            schema: SCHEMA.to_owned(),
            program: Subject {
                file: file.to_owned(),
                sha256: sha256.to_owned(),
                data_model: model_name(program.types.model).to_owned(),
            },
            complete: self.is_complete(),
            functions: record(functions),
            stubs: record(stubs),
        }
    }
}

fn model_name(model: DataModel) -> &'static str {
    match model {
        DataModel::Ilp32 => "ilp32",
        DataModel::Lp64 => "lp64",
    }
}

/// A list of places as ACSL says it.
pub fn places(assigns: &[String]) -> String {
    match assigns {
        [] => "\\nothing".to_owned(),
        _ => assigns.join(", "),
    }
}

/// Contracts as JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    pub schema: String,
    pub program: Subject,
    /// Everything that the proof rests on is said.
    pub complete: bool,
    pub functions: Vec<FunctionRecord>,
    /// Functions without a body, and what is assumed of them.
    pub stubs: Vec<FunctionRecord>,
}

/// Which file contracts are about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    pub file: String,
    pub sha256: String,
    /// `lp64` or `ilp32`.
    pub data_model: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FunctionRecord {
    pub name: String,
    pub parameters: Vec<Parameter>,
    pub result: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub globals: Vec<Parameter>,
    pub requires: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decreases: Option<String>,
    pub ensures: Vec<String>,
    /// `null` where nobody knows; empty for `\nothing`.
    pub assigns: Option<Vec<String>>,
    pub loops: Vec<LoopRecord>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoopRecord {
    pub line: u32,
    pub column: u32,
    pub invariants: Vec<String>,
    pub assigns: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
}

impl Function {
    fn record(&self, source: &Source) -> FunctionRecord {
        FunctionRecord {
            name: self.name.clone(),
            parameters: self.parameters.clone(),
            result: self.result.clone(),
            globals: self.globals.clone(),
            requires: self.requires.clone(),
            decreases: self.decreases.clone(),
            ensures: self.ensures.clone(),
            assigns: self.assigns.clone(),
            loops: self.loops.iter().map(|l| l.record(source)).collect(),
        }
    }
}

impl Loop {
    fn record(&self, source: &Source) -> LoopRecord {
        let position = source.position(self.at);
        LoopRecord {
            line: position.line,
            column: position.column,
            invariants: self.invariants.clone(),
            assigns: self.assigns.clone(),
            variant: self.variant.clone(),
        }
    }
}
