//! Contracts files: JSON in which formulas are ACSL text.
//!
//! ```json
//! { "program": { "file": "client.c", "sha256": "…", "data_model": "lp64" },
//!   "functions": [ { "name": "cmp",
//!                    "parameters": [ { "name": "a", "type": "int" }, { "name": "b", "type": "int" } ],
//!                    "result": "int",
//!                    "globals": [ { "name": "calls", "type": "unsigned" } ],
//!                    "requires": [ "a == b" ], "ensures": [ "\\result == 0" ],
//!                    "assigns": [ "calls" ] } ] }
//! ```
//!
//! Clauses of a list hold together. Without `assigns` a function may change anything; an empty list
//! and `\nothing` mean nothing. A file that was made of several has `programs` in the place of
//! `program`. Everything else (`loops`, say) is passed over.

use lakatos_ir::DataModel;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::signature::{CType, Declared, Signature};

/// What is wrong with a file, and where; lines and columns begin with 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {message}")]
pub struct Malformed {
    pub line: usize,
    pub column: usize,
    pub message: String,
}

/// A program that contracts were inferred from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    pub file: String,
    pub sha256: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data_model: Option<String>,
}

/// A clause with its place in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    pub text: String,
    pub line: usize,
    pub column: usize,
}

/// What a file says about a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    pub signature: Signature,
    pub requires: Vec<Clause>,
    pub ensures: Vec<Clause>,
    /// `None`: anything.
    pub assigns: Option<Vec<String>>,
    pub line: usize,
    pub column: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contracts {
    pub programs: Vec<Origin>,
    pub functions: Vec<Function>,
}

#[derive(Deserialize)]
struct RawFile<'a> {
    program: Option<Origin>,
    programs: Option<Vec<Origin>>,
    #[serde(borrow)]
    functions: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
struct RawFunction<'a> {
    name: String,
    parameters: Vec<RawDeclared>,
    result: Option<String>,
    #[serde(default)]
    globals: Vec<RawDeclared>,
    #[serde(borrow, default)]
    requires: Vec<&'a RawValue>,
    #[serde(borrow, default)]
    ensures: Vec<&'a RawValue>,
    assigns: Option<Vec<String>>,
}

#[derive(Deserialize, Serialize)]
struct RawDeclared {
    name: String,
    #[serde(rename = "type")]
    ty: String,
}

/// Reads the text of a file.
pub fn read(text: &str) -> Result<Contracts, Malformed> {
    let raw: RawFile<'_> = parse(text, text)?;
    let programs = match (raw.program, raw.programs) {
        (Some(program), None) => vec![program],
        (None, Some(programs)) if !programs.is_empty() => programs,
        _ => {
            let message = "a contracts file has either `program` or `programs`".to_owned();
            return Err(Malformed { line: 1, column: 1, message });
        }
    };
    let model = data_model(&programs)?;
    let mut functions: Vec<Function> = Vec::new();
    for part in raw.functions {
        let function = read_function(text, part, model)?;
        let Function { signature: Signature { name, .. }, line, column, .. } = &function;
        if functions.iter().any(|other| other.signature.name == *name) {
            let message = format!("`{name}` has two contracts in one file; put them in two files");
            return Err(Malformed { line: *line, column: *column, message });
        }
        functions.push(function);
    }
    Ok(Contracts { programs, functions })
}

fn data_model(programs: &[Origin]) -> Result<DataModel, Malformed> {
    let malformed = |message: String| Malformed { line: 1, column: 1, message };
    let mut models = Vec::new();
    for program in programs {
        models.push(match program.data_model.as_deref().map(str::to_ascii_lowercase).as_deref() {
            None | Some("lp64") => DataModel::Lp64,
            Some("ilp32") => DataModel::Ilp32,
            Some(other) => {
                return Err(malformed(format!("`{other}` is no data model; write lp64 or ilp32")));
            }
        });
    }
    match models.iter().all(|model| *model == models[0]) {
        true => Ok(models[0]),
        false => Err(malformed("the programs have different data models".to_owned())),
    }
}

fn read_function(text: &str, part: &RawValue, model: DataModel) -> Result<Function, Malformed> {
    let raw: RawFunction<'_> = parse(text, part.get())?;
    let declared = |all: Vec<RawDeclared>| -> Vec<Declared> {
        all.into_iter().map(|d| Declared { name: d.name, ty: CType::new(&d.ty) }).collect()
    };
    let clauses = |all: Vec<&RawValue>| -> Result<Vec<Clause>, Malformed> {
        let read = all.into_iter().map(|part| {
            let (line, column) = position(text, offset(text, part.get()));
            Ok(Clause { text: parse(text, part.get())?, line, column })
        });
        read.collect()
    };
    let (line, column) = position(text, offset(text, part.get()));
    let named = |name: &String| !name.trim().is_empty() && name != "\\nothing";
    Ok(Function {
        signature: Signature {
            name: raw.name,
            parameters: declared(raw.parameters),
            result: raw.result.map(|ty| CType::new(&ty)).filter(|ty| ty.text() != "void"),
            globals: declared(raw.globals),
            model,
        },
        requires: clauses(raw.requires)?,
        ensures: clauses(raw.ensures)?,
        assigns: raw.assigns.map(|all| all.into_iter().filter(named).collect()),
        line,
        column,
    })
}

/// Reads a part of a text; errors have their place in the whole.
fn parse<'a, T: Deserialize<'a>>(text: &str, part: &'a str) -> Result<T, Malformed> {
    serde_json::from_str(part).map_err(|error| {
        let (line, column) = position(text, offset(text, part));
        let (own_line, own_column) = (error.line().max(1), error.column().max(1));
        let full = error.to_string();
        let message = full.split(" at line ").next().unwrap_or(&full).to_owned();
        match own_line {
            1 => Malformed { line, column: column + own_column - 1, message },
            _ => Malformed { line: line + own_line - 1, column: own_column, message },
        }
    })
}

/// Where a part of a text begins: both are slices of the same text.
fn offset(text: &str, part: &str) -> usize {
    (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize).min(text.len())
}

fn position(text: &str, offset: usize) -> (usize, usize) {
    let before = &text[..offset];
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

/// A function as it is written.
#[derive(Debug, Serialize)]
pub(crate) struct Written {
    name: String,
    parameters: Vec<RawDeclared>,
    result: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    globals: Vec<RawDeclared>,
    requires: Vec<String>,
    ensures: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    assigns: Option<Vec<String>>,
}

impl std::fmt::Debug for RawDeclared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.ty, self.name)
    }
}

impl Written {
    pub fn new(
        signature: &Signature,
        requires: Vec<String>,
        ensures: Vec<String>,
        assigns: Option<Vec<String>>,
    ) -> Written {
        let declared = |all: &[Declared]| {
            let raw = |d: &Declared| RawDeclared { name: d.name.clone(), ty: d.ty.text().into() };
            all.iter().map(raw).collect()
        };
        Written {
            name: signature.name.clone(),
            parameters: declared(&signature.parameters),
            result: signature.result.as_ref().map_or("void", |ty| ty.text()).to_owned(),
            globals: declared(&signature.globals),
            requires,
            ensures,
            assigns,
        }
    }
}

#[derive(Serialize)]
struct WrittenFile<'a> {
    programs: &'a [Origin],
    functions: Vec<Written>,
}

/// The text of a file that was made of several.
pub(crate) fn write(programs: &[Origin], functions: Vec<Written>) -> String {
    let file = WrittenFile { programs, functions };
    let mut text = serde_json::to_string_pretty(&file).expect("strings and lists become JSON");
    text.push('\n');
    text
}
