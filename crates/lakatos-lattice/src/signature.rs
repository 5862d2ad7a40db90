//! What a contract may speak of, and clauses in ACSL as formulas.
//!
//! There is no second reader of ACSL: a small program is made from the signature, and
//! `lakatos-witness` reads the clauses as conditions at the entry and the exit of the function in
//! it. Formulas speak of integers; parameters and globals of other types are part of the signature
//! and unknown to formulas.

use std::fmt::Write;

use lakatos_check::truth;
use lakatos_ir::{DataModel, IntType, ProcId, Program, Source, VarId, VarKind};
use lakatos_logic::term::{Term, Terms};
use lakatos_witness::expression::{Language, Moment, Place, Reader};
use lakatos_witness::outline::Outline;

use crate::space::When;

/// A C type, as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CType(String);

/// The words of C's integer types.
const INTEGER_WORDS: [&str; 8] =
    ["char", "short", "int", "long", "signed", "unsigned", "_Bool", "__int128"];

impl CType {
    /// Qualifiers are left out, and the same integer type has the same text.
    pub fn new(text: &str) -> CType {
        let spaced = text.replace('*', " * ");
        let mut words: Vec<&str> = spaced
            .split_whitespace()
            .filter(|word| !["const", "volatile"].contains(word))
            .collect();
        if !words.is_empty() && words.iter().all(|word| INTEGER_WORDS.contains(word)) {
            let is_char = words.contains(&"char");
            words.retain(|word| *word != "int" && (*word != "signed" || is_char));
            // `unsigned` comes first.
            words.sort_by(|a, b| b.cmp(a));
            let has_size = words.iter().any(|word| *word != "unsigned");
            if !has_size {
                words.push("int");
            }
        }
        CType(words.join(" "))
    }

    pub fn text(&self) -> &str {
        &self.0
    }

    fn is_integer(&self) -> bool {
        !self.0.is_empty() && self.0.split(' ').all(|word| INTEGER_WORDS.contains(&word))
    }
}

/// A name with its type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    pub name: String,
    pub ty: CType,
}

/// A function, and the globals that its contract speaks of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    pub name: String,
    pub parameters: Vec<Declared>,
    /// `None`: `void`.
    pub result: Option<CType>,
    pub globals: Vec<Declared>,
    pub model: DataModel,
}

/// Why a signature or a clause cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    #[error("`{0}` is no name in C")]
    NoName(String),
    #[error("the signature of `{function}` is not C: {message}")]
    NotC { function: String, message: String },
    #[error("{0}")]
    Clause(String),
    #[error("`{0}` has a meaning that the checker does not know as a formula")]
    NoFormula(String),
}

/// Which value of a function a formula speaks of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Key {
    /// By number.
    Parameter(usize),
    Global(String),
    Result,
}

/// A signature as a program, in which clauses can be read.
#[derive(Debug)]
pub(crate) struct Form {
    program: Program,
    outline: Outline,
    proc: ProcId,
    /// A position in the function's body.
    inside: u32,
    /// Which parameters of the signature the program's are.
    numbers: Vec<usize>,
}

impl Signature {
    pub(crate) fn form(&self) -> Result<Form, Unreadable> {
        let all = self.parameters.iter().chain(&self.globals).map(|d| &d.name).chain([&self.name]);
        if let Some(bad) = all.clone().find(|name| !is_name(name)) {
            return Err(Unreadable::NoName(bad.clone()));
        }
        let mut function = "f".to_owned();
        while all.clone().any(|name| *name == function) {
            function.push('_');
        }
        let (text, inside, numbers) = self.text(&function);
        let not_c = |message: &str| Unreadable::NotC {
            function: self.name.clone(),
            message: message.to_owned(),
        };
        let options = lakatos_c::Options::of_model(self.model);
        let program = lakatos_c::compile(Source::new("contract", text), &options)
            .map_err(|failure| not_c(failure.diagnostics.first().map_or("", |d| &d.message)))?;
        let proc = program.proc_named(&function).ok_or_else(|| not_c("there is no function"))?;
        Ok(Form { outline: Outline::new(&program), program, proc, inside, numbers })
    }

    /// The program, a position in the function, and which parameters it has.
    fn text(&self, function: &str) -> (String, u32, Vec<usize>) {
        let mut text = String::new();
        for global in self.globals.iter().filter(|global| global.ty.is_integer()) {
            let _ = writeln!(text, "{} {};", global.ty.text(), global.name);
        }
        let integers: Vec<(usize, &Declared)> =
            self.parameters.iter().enumerate().filter(|(_, p)| p.ty.is_integer()).collect();
        let declared: Vec<String> =
            integers.iter().map(|(_, p)| format!("{} {}", p.ty.text(), p.name)).collect();
        let declared = if declared.is_empty() { "void".to_owned() } else { declared.join(", ") };
        let result = self.result.as_ref().filter(|ty| ty.is_integer());
        let (ty, body) = match result {
            Some(ty) => (ty.text(), "return 0;"),
            None => ("void", ""),
        };
        let _ = write!(text, "{ty} {function}({declared}) {{ ");
        let inside = text.len() as u32;
        let zeros = vec!["0"; integers.len()].join(", ");
        let _ = writeln!(text, "{body} }}\nint main(void) {{ {function}({zeros}); return 0; }}");
        (text, inside, integers.into_iter().map(|(number, _)| number).collect())
    }
}

fn is_name(name: &str) -> bool {
    let first = |c: char| c.is_ascii_alphabetic() || c == '_';
    name.starts_with(first) && name.chars().all(|c| first(c) || c.is_ascii_digit())
}

impl Form {
    /// All integers that clauses can speak of.
    pub fn keys(&self) -> Vec<(Key, IntType)> {
        let vars = self.program.vars.iter();
        let known = vars.filter_map(|(id, var)| Some((self.key(id)?, var.ty.as_int()?)));
        let mut keys: Vec<(Key, IntType)> = known.collect();
        keys.sort();
        keys
    }

    fn key(&self, id: VarId) -> Option<Key> {
        let var = &self.program.vars[id];
        let procedure = &self.program.procs[self.proc];
        match var.kind {
            VarKind::Global => Some(Key::Global(var.name.clone())),
            VarKind::Param(owner) if owner == self.proc => {
                let at = procedure.params.iter().position(|param| *param == id)?;
                Some(Key::Parameter(self.numbers[at]))
            }
            VarKind::Result(owner) if owner == self.proc => Some(Key::Result),
            _ => None,
        }
    }

    /// What a clause says when the function is called, or when it has returned.
    pub fn read(
        &self,
        text: &str,
        when: When,
        terms: &mut Terms,
        symbol: &dyn Fn(&mut Terms, Key, When) -> Option<Term>,
    ) -> Result<Term, Unreadable> {
        let moment = match when {
            When::Entry => Moment::Entry,
            When::Exit => Moment::Exit,
        };
        let mut reader = Reader::new(self.program.clone(), &self.outline);
        let place = Place { proc: self.proc, scope: self.inside, moment };
        let condition = reader
            .condition(text, Language::Acsl, place)
            .map_err(|unreadable| Unreadable::Clause(unreadable.to_string()))?;
        let shadows: Vec<(VarId, VarId)> =
            reader.shadows().map(|(_, var, shadow)| (shadow, var)).collect();
        let mut foreign = false;
        let found = truth(&reader.program, terms, condition, |terms, var| {
            let shadowed = shadows.iter().find(|(shadow, _)| *shadow == var);
            let (var, when) = shadowed.map_or((var, when), |(_, var)| (*var, When::Entry));
            let known = self.key(var).and_then(|key| symbol(terms, key, when));
            known.unwrap_or_else(|| {
                foreign = true;
                Term::FALSE
            })
        });
        match found.filter(|_| !foreign) {
            // What is undefined somewhere is not true there.
            Some(truth) => Ok(terms.and([truth.defined, truth.holds])),
            None => Err(Unreadable::NoFormula(text.to_owned())),
        }
    }
}
