//! What stands in a witness file: entries of YAML, format 2.0 and 2.1.
//!
//! Reading is tolerant: keys may come in any order, unknown ones are ignored with a note, entries
//! of other types are noted, numbers and words need no quotes. What is missing or has the wrong
//! shape is an error with line and column.

mod read;
mod write;
mod yaml;

use lakatos_ir::{DataModel, Property};
use sha2::{Digest, Sha256};

pub use self::read::{Malformed, read};
pub use self::write::write;

/// A witness: one or more entries of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    pub metadata: Metadata,
    pub content: Content,
}

/// Where an entry comes from and what it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Metadata {
    /// `2.0` or `2.1`.
    pub format_version: String,
    pub uuid: String,
    /// As ISO 8601 writes it.
    pub creation_time: String,
    pub producer: Producer,
    pub task: Task,
}

#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Producer {
    pub name: String,
    pub version: String,
}

/// The question that a witness answers.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Task {
    /// Files with the SHA-256 of their bytes.
    pub files: Vec<(String, Option<String>)>,
    /// As SV-COMP writes it.
    pub specification: String,
    /// `ILP32` or `LP64`.
    pub data_model: String,
    pub language: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// `invariant_set`.
    Correctness(Vec<Invariant>),
    /// `violation_sequence`: segments of waypoints.
    Violation(Vec<Segment>),
}

impl Content {
    /// The first version of the format that has all of it: contracts, and expressions that speak
    /// of the entry of a function, came later.
    pub fn version(&self) -> &'static str {
        match self {
            Content::Correctness(all) if all.iter().any(|i| i.format != "c_expression") => "2.1",
            _ => "2.0",
        }
    }
}

/// A position in the source; line and column are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    pub file_name: String,
    pub line: u32,
    pub column: Option<u32>,
    pub function: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invariant {
    pub kind: InvariantKind,
    pub location: Location,
    /// `c_expression`, `ext_c_expression` or `acsl_expression`.
    pub format: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InvariantKind {
    Loop(String),
    Location(String),
    /// What is not said is true.
    Contract {
        requires: Option<String>,
        ensures: Option<String>,
    },
}

/// Waypoints that are not passed, and then one that is.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Segment {
    pub avoid: Vec<Waypoint>,
    pub follow: Option<Waypoint>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waypoint {
    pub kind: WaypointKind,
    pub location: Location,
    pub constraint: Option<Constraint>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaypointKind {
    Assumption,
    Branching,
    FunctionEnter,
    FunctionReturn,
    Target,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constraint {
    pub value: String,
    /// None for branches.
    pub format: Option<String>,
}

impl WaypointKind {
    pub const ALL: [WaypointKind; 5] = [
        WaypointKind::Assumption,
        WaypointKind::Branching,
        WaypointKind::FunctionEnter,
        WaypointKind::FunctionReturn,
        WaypointKind::Target,
    ];

    pub fn name(self) -> &'static str {
        match self {
            WaypointKind::Assumption => "assumption",
            WaypointKind::Branching => "branching",
            WaypointKind::FunctionEnter => "function_enter",
            WaypointKind::FunctionReturn => "function_return",
            WaypointKind::Target => "target",
        }
    }
}

/// The SHA-256 of a file's bytes, in hexadecimal.
pub fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What SV-COMP calls a data model.
pub fn model_name(model: DataModel) -> &'static str {
    match model {
        DataModel::Ilp32 => "ILP32",
        DataModel::Lp64 => "LP64",
    }
}

/// The data model of that name, the one of older formats included.
pub fn model(name: &str) -> Option<DataModel> {
    match name.to_ascii_lowercase().as_str() {
        "ilp32" | "32bit" => Some(DataModel::Ilp32),
        "lp64" | "64bit" => Some(DataModel::Lp64),
        _ => None,
    }
}

/// A property as SV-COMP writes it. Some are not SV-COMP's; they are named in its way.
pub fn specification(property: Property) -> String {
    let what = match property {
        Property::UnreachCall => "! call(reach_error())",
        Property::NoOverflow => "! overflow",
        Property::DivByZero => "! div-by-zero",
        Property::ArrayBounds => "! array-bounds",
        Property::ValidDeref => "valid-deref",
        Property::ValidFree => "valid-free",
        Property::ValidMemtrack => "valid-memtrack",
        Property::ValidMemsafety => "valid-memsafety",
        Property::NullDeref => "! null-deref",
        Property::UseAfterFree => "! use-after-free",
        Property::UninitialisedRead => "! uninitialised-read",
    };
    format!("CHECK( init(main()), LTL(G {what}) )")
}

/// The property that a specification asks for.
pub fn property(specification: &str) -> Option<Property> {
    let squeeze = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    let asked = squeeze(specification).replace("__VERIFIER_error", "reach_error");
    Property::ALL.into_iter().find(|p| squeeze(&self::specification(*p)) == asked)
}
