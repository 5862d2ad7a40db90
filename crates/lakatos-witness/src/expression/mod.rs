//! C and ACSL expressions at a place of a program, as expressions of the IR.
//!
//! In C an expression has C's types: promotions, usual arithmetic conversions, wrap-around of
//! unsigned types. In ACSL numbers are mathematical integers: every operation is done in a type
//! that is wide enough for its result, and refused where there is none. Either way an operation
//! may be undefined (signed overflow in C, division by zero); whoever uses the expression has to
//! ask for that as well, and `lakatos-ir` and `lakatos-check` answer.
//!
//! Read are integers, names of integer variables, casts to integer types, `sizeof` of types, all
//! operators without side effects, in C elements of arrays whose length is known, and, where the format has them, `\result`, `\old`, `\at(…, Pre)`,
//! `\true`, `\false`, `==>`, `<==>`, `^^` and chains of comparisons. Everything else is refused with
//! its position.

mod lower;
mod parse;
mod token;

use std::collections::BTreeMap;

use lakatos_ir::{ExprId, ProcId, Program, Span, Var, VarId, VarKind};

use crate::outline::Outline;

/// What a text is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// `c_expression`.
    C,
    /// `ext_c_expression`: C with `\result` and `\old`.
    ExtendedC,
    /// `acsl_expression`: mathematical integers.
    Acsl,
}

/// Why a text is no expression that can be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message} (at character {column} of `{text}`)")]
pub struct Unreadable {
    pub message: String,
    /// From 1.
    pub column: usize,
    /// What was read, cut if it is long.
    pub text: String,
}

/// So many characters of a text are shown.
const MOST_SHOWN: usize = 200;

fn shortened(text: &str) -> String {
    match text.char_indices().nth(MOST_SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Where an expression stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub proc: ProcId,
    /// The position in the source at which names are looked up.
    pub scope: u32,
    pub moment: Moment,
}

/// When an expression is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// At a statement.
    Here,
    /// When a procedure has just been entered.
    Entry,
    /// When it has returned: parameters are what they were at the entry.
    Exit,
    /// When a call has returned: this variable holds its result.
    Returned(VarId),
}

/// Reads expressions; the program grows by them.
#[derive(Debug)]
pub struct Reader<'o> {
    pub program: Program,
    outline: &'o Outline,
    /// Variables that hold what others were at the entry of a procedure.
    shadows: BTreeMap<(ProcId, VarId), VarId>,
}

impl<'o> Reader<'o> {
    pub fn new(program: Program, outline: &'o Outline) -> Reader<'o> {
        Reader { program, outline, shadows: BTreeMap::new() }
    }

    /// For a program that has conditions already, and variables that hold what others were at the
    /// entries of procedures.
    pub fn with_shadows(
        program: Program,
        outline: &'o Outline,
        shadows: BTreeMap<(ProcId, VarId), VarId>,
    ) -> Reader<'o> {
        Reader { program, outline, shadows }
    }

    /// The condition that a text is at a place.
    pub fn condition(
        &mut self,
        text: &str,
        language: Language,
        place: Place,
    ) -> Result<ExprId, Unreadable> {
        let unreadable = |(message, offset): (String, usize)| Unreadable {
            message,
            column: text[..offset].chars().count() + 1,
            text: shortened(text),
        };
        let tokens = token::tokens(text).map_err(unreadable)?;
        let tree = parse::parse(&tokens, text.len(), language).map_err(unreadable)?;
        lower::condition(self, &tree, language, place).map_err(unreadable)
    }

    /// The variables that stand for values at the entry of a procedure, with those variables.
    pub fn shadows(&self) -> impl Iterator<Item = (ProcId, VarId, VarId)> {
        self.shadows.iter().map(|(&(proc, var), &shadow)| (proc, var, shadow))
    }

    /// The variable whose value at the entry this one holds, if it is one of those.
    pub fn at_entry(&self, shadow: VarId) -> Option<VarId> {
        self.shadows().find(|(.., own)| *own == shadow).map(|(_, var, _)| var)
    }

    /// The variable that holds what another one was at the entry.
    fn shadow(&mut self, proc: ProcId, var: VarId) -> VarId {
        let program = &mut self.program;
        *self.shadows.entry((proc, var)).or_insert_with(|| {
            let Var { name, ty, span, .. } = program.vars[var].clone();
            let shadow = program.vars.push(Var {
                name: format!("\\old({name})"),
                ty,
                kind: VarKind::Temp(proc),
                span,
                address_taken: false,
                c_type: String::new(),
            });
            program.procs[proc].locals.push(shadow);
            shadow
        })
    }
}

/// A message with the byte it is about.
type Res<T> = Result<T, (String, usize)>;

/// New expressions stand nowhere in the source.
const NOWHERE: Span = Span { start: 0, end: 0 };
