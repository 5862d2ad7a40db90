//! Correctness witnesses: from proofs, and to claims about a program.

mod arrays;
mod write;

use std::collections::{BTreeMap, BTreeSet};

use lakatos_check::{Truth, truth};
use lakatos_evidence::{Assumption, Draft, Meaning, Proof, Slot};
use lakatos_ir::splice;
use lakatos_ir::{
    ExprId, Instr, IntType, LocId, ProcId, Program, Property, SignedOverflow, Span, VarId,
};
use lakatos_logic::term::{Sort, Symbol, Term, Terms};

pub use self::arrays::from_proof_of_arrays;
pub use self::write::from_proof;
use crate::expression::{Language, Moment, Place, Reader};
use crate::format::{Invariant, InvariantKind, Location};
use crate::outline::Outline;
use crate::place::{self, Before, Candidate};

/// Something that a witness says about a program, read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    pub proc: ProcId,
    pub at: At,
    pub condition: ExprId,
    /// As the witness has it.
    pub text: String,
    /// For a person: which of its claims.
    pub what: String,
}

/// When a claim has to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    Location(LocId),
    /// Whenever a run comes to this head of a loop from outside of the loop.
    Entering(LocId),
    /// Whenever the procedure is entered.
    Entry,
    /// Whenever it has returned.
    Exit,
}

/// Why a claim is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// The place does not exist: the witness is about something else.
    Misplaced(String),
    /// The claim may be right, but it cannot be read here.
    Unreadable(String),
}

/// What the invariants of a witness claim. The reader's program grows by the conditions.
pub fn claims(
    reader: &mut Reader<'_>,
    outline: &Outline,
    invariants: &[Invariant],
) -> Vec<Result<Claim, Problem>> {
    let mut all = Vec::new();
    for invariant in invariants {
        match &invariant.kind {
            InvariantKind::Loop(text) => all.push(claim(reader, outline, invariant, text, true)),
            InvariantKind::Location(text) => {
                all.push(claim(reader, outline, invariant, text, false));
            }
            InvariantKind::Contract { requires, ensures } => {
                let parts = [(requires, "requires", At::Entry), (ensures, "ensures", At::Exit)];
                for (text, word, at) in parts {
                    if let Some(text) = text {
                        all.push(clause(reader, outline, invariant, (word, text), at));
                    }
                }
            }
        }
    }
    all
}

/// An invariant of a loop as the witness has it. Read as ACSL it is what an `acsl_expression` claims,
/// and for other formats no more than a guess.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spoken {
    /// The loop as a statement.
    pub at: Span,
    /// Where its names mean what they mean.
    pub scope: u32,
    pub text: String,
    pub what: String,
}

/// An invariant of a loop as text; `None` if it is about something else.
pub fn of_loop(program: &Program, outline: &Outline, invariant: &Invariant) -> Option<Spoken> {
    let InvariantKind::Loop(text) = &invariant.kind else { return None };
    let statement = place::statement(program, outline, &invariant.location, true).ok()?;
    let what = format!("the loop invariant of line {}", invariant.location.line);
    Some(Spoken { at: statement.span, scope: statement.scope, text: text.clone(), what })
}

fn language(format: &str) -> Result<Language, Problem> {
    match format {
        "c_expression" | "C" => Ok(Language::C),
        "ext_c_expression" => Ok(Language::ExtendedC),
        "acsl_expression" => Ok(Language::Acsl),
        other => Err(Problem::Unreadable(format!("`{other}` is no format that is known here"))),
    }
}

fn claim(
    reader: &mut Reader<'_>,
    outline: &Outline,
    invariant: &Invariant,
    text: &str,
    only_loops: bool,
) -> Result<Claim, Problem> {
    let location = &invariant.location;
    let statement = place::statement(&reader.program, outline, location, only_loops)?;
    let line = location.line;
    let proc = outline.function_at(&reader.program, statement.span.start);
    let proc = proc.ok_or_else(|| {
        Problem::Unreadable(format!("line {line} belongs to code that is never executed"))
    })?;
    let at = match only_loops {
        true => place::head(&reader.program, proc, statement).map(At::Location),
        false => place::before(&reader.program, proc, statement).map(|before| match before {
            Before::At(loc) => At::Location(loc),
            Before::Entering(head) => At::Entering(head),
        }),
    };
    let at = at.ok_or_else(|| {
        Problem::Unreadable(format!("nothing is executed on line {line} that it could be said of"))
    })?;
    let what = match only_loops {
        true => format!("the loop invariant of line {line}"),
        false => format!("the location invariant of line {line}"),
    };
    let scope = Place { proc, scope: statement.scope, moment: Moment::Here };
    let language = language(&invariant.format)?;
    match reader.condition(text, language, scope) {
        Ok(condition) => Ok(Claim { proc, at, condition, text: text.to_owned(), what }),
        Err(unreadable) => Err(Problem::Unreadable(format!("{what}: {unreadable}"))),
    }
}

/// The function that a contract is about: it begins on the line, or contains it.
fn function(program: &Program, outline: &Outline, location: &Location) -> Result<ProcId, Problem> {
    let named = program
        .defined()
        .filter(|(proc, p, _)| *proc != program.start && outline.begin_of(&p.name).is_some());
    let begins = named.flat_map(|(proc, p, _)| {
        let begin = outline.begin_of(&p.name).unwrap_or_default();
        [begin, p.span.start].map(|at| Candidate { at, span: p.span, is: proc })
    });
    // Both positions of a function may be on the line: the leftmost is as good.
    let relaxed =
        Location { column: None, function: location.function.clone(), ..location.clone() };
    place::pick(program, outline, &relaxed, "function", begins)
}

/// A part of a contract.
fn clause(
    reader: &mut Reader<'_>,
    outline: &Outline,
    invariant: &Invariant,
    (word, text): (&str, &str),
    at: At,
) -> Result<Claim, Problem> {
    let location = &invariant.location;
    let proc = function(&reader.program, outline, location)?;
    let name = &reader.program.procs[proc].name;
    let what = format!("`{word}` of `{name}` on line {}", location.line);
    let moment = if at == At::Entry { Moment::Entry } else { Moment::Exit };
    let scope = parameters_known(&reader.program, outline, proc);
    let language = match language(&invariant.format)? {
        // Contracts need `\result` and `\old`, whatever the format is called.
        Language::C => Language::ExtendedC,
        other => other,
    };
    match reader.condition(text, language, Place { proc, scope, moment }) {
        Ok(condition) => Ok(Claim { proc, at, condition, text: text.to_owned(), what }),
        Err(unreadable) => Err(Problem::Unreadable(format!("{what}: {unreadable}"))),
    }
}

/// A position at which the parameters are known and nothing else of the function is.
fn parameters_known(program: &Program, outline: &Outline, proc: ProcId) -> u32 {
    let procedure = &program.procs[proc];
    let last = procedure.params.iter().map(|param| program.vars[*param].span.end).max();
    let begin = outline.begin_of(&procedure.name).unwrap_or_default();
    last.unwrap_or(procedure.span.end).max(begin)
}

/// A proof that consists of the claims alone, about the program in which the property's violations
/// are error locations; with the claims that cannot be part of it.
pub fn proof<'c>(
    reader: &Reader<'_>,
    program: &Program,
    property: Property,
    signed_overflow: SignedOverflow,
    claims: &'c [Claim],
) -> (Proof, Vec<&'c Claim>) {
    let mut draft = Draft::new(program, property);
    draft.assume(Assumption::of(program, property, signed_overflow));
    let mut left_out = Vec::new();
    for claim in claims {
        if add(reader, program, &mut draft, claim).is_none() {
            left_out.push(claim);
        }
    }
    (draft.finish(), left_out)
}

/// A claim as part of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Said {
    pub slot: Slot,
    pub holds: Term,
    /// Evaluating it is defined.
    pub defined: Term,
}

/// Adds a claim to a proof in the making. `None` if it cannot be part of a proof.
pub fn add(
    reader: &Reader<'_>,
    program: &Program,
    draft: &mut Draft<'_>,
    claim: &Claim,
) -> Option<Said> {
    let slot = match claim.at {
        At::Location(loc) => Slot::Invariant(claim.proc, loc),
        At::Entry => Slot::Requires(claim.proc),
        At::Exit => Slot::Ensures(claim.proc),
        // A proof has no place for it.
        At::Entering(_) => return None,
    };
    let mut vocabulary = Vocabulary::default();
    let truth = vocabulary.truth(program, claim.condition)?;
    let meaning = |symbol: Symbol| {
        let var = *vocabulary.vars.get(&symbol)?;
        Some(reader.at_entry(var).map_or(Meaning::now(var), Meaning::entry))
    };
    let mut said = |formula: Term| {
        let formula = draft.import(&vocabulary.terms, formula, meaning).ok()?;
        draft.add(slot, formula).ok()?;
        Some(formula)
    };
    Some(Said { slot, defined: said(truth.defined)?, holds: said(truth.holds)? })
}

/// Symbols for the values of variables.
#[derive(Default)]
struct Vocabulary {
    terms: Terms,
    vars: BTreeMap<Symbol, VarId>,
}

impl Vocabulary {
    fn symbol(&mut self, program: &Program, var: VarId) -> Term {
        let Vocabulary { terms, vars } = self;
        symbol_in(terms, vars, program, var)
    }

    /// The condition holds and is defined; `None` if the checker has no formula for it.
    fn formula(&mut self, program: &Program, condition: ExprId) -> Option<Term> {
        let Truth { holds, defined } = self.truth(program, condition)?;
        Some(self.terms.and([defined, holds]))
    }

    fn truth(&mut self, program: &Program, condition: ExprId) -> Option<Truth> {
        let Vocabulary { terms, vars } = self;
        truth(program, terms, condition, |terms, var| symbol_in(terms, vars, program, var))
    }
}

fn symbol_in(
    terms: &mut Terms,
    vars: &mut BTreeMap<Symbol, VarId>,
    program: &Program,
    var: VarId,
) -> Term {
    let boolean = program.vars[var].ty.as_int() == Some(IntType::BOOL);
    let sort = if boolean { Sort::Bool } else { Sort::Int };
    let term = terms.symbol(&format!("v{}", var.0), sort);
    if let Some(symbol) = terms.as_symbol(term) {
        vars.insert(symbol, var);
    }
    term
}

/// The program in which a claim that does not hold is an error, and nothing else is. The errors
/// have the names of [`error_name`].
pub fn asserted(reader: &Reader<'_>, claims: &[Claim]) -> Program {
    let mut program = reader.program.clone();
    splice::forgive(&mut program);
    let mut errors = Vec::with_capacity(claims.len());
    for (index, claim) in claims.iter().enumerate() {
        let span = program.procs[claim.proc].span;
        errors.push(splice::error_procedure(&mut program, error_name(index), span));
    }
    spliced(reader, program, claims, |program, at, index| {
        let Claim { proc, condition, .. } = claims[index];
        splice::assert_at(program, proc, at, condition, errors[index]);
    })
}

/// The program in which a run ends where a claim does not hold. Locations keep their ids.
pub fn assumed(reader: &Reader<'_>, claims: &[Claim]) -> Program {
    spliced(reader, reader.program.clone(), claims, |program, at, index| {
        let Claim { proc, condition, .. } = claims[index];
        splice::assume_at(program, proc, at, condition);
    })
}

/// Puts something into the program for each claim, where it has to hold.
fn spliced(
    reader: &Reader<'_>,
    mut program: Program,
    claims: &[Claim],
    mut put: impl FnMut(&mut Program, LocId, usize),
) -> Program {
    let exits: BTreeSet<ProcId> =
        claims.iter().filter(|c| c.at == At::Exit).map(|c| c.proc).collect();
    for (index, claim) in claims.iter().enumerate() {
        let cfa = splice::body(&mut program, claim.proc);
        let places = match claim.at {
            At::Location(loc) => vec![loc],
            At::Entering(head) => splice::entering(cfa, head),
            At::Entry => vec![cfa.entry],
            At::Exit => continue,
        };
        for at in places {
            put(&mut program, at, index);
        }
    }
    for proc in exits {
        let meant = |(_, claim): &(usize, &Claim)| claim.at == At::Exit && claim.proc == proc;
        let here: Vec<usize> = claims.iter().enumerate().filter(meant).map(|(i, _)| i).collect();
        for at in before_returns(&mut program, proc) {
            for index in &here {
                put(&mut program, at, *index);
            }
        }
    }
    for proc in program.procs.ids() {
        let shadows = reader.shadows().filter(|(owner, ..)| *owner == proc);
        let pairs: Vec<(VarId, VarId)> = shadows.map(|(_, var, shadow)| (shadow, var)).collect();
        let mut assigned = Vec::new();
        for (shadow, var) in pairs {
            assigned.push((shadow, program.load_var(var, Span::default())));
        }
        if !assigned.is_empty() && program.procs[proc].body.is_some() {
            splice::on_entry(&mut program, proc, &assigned);
        }
    }
    program
}

/// The name of the error that a claim is when it does not hold.
pub fn error_name(index: usize) -> String {
    format!("claim {index}")
}

/// New locations at which a procedure is about to return, and its result is known.
fn before_returns(program: &mut Program, proc: ProcId) -> Vec<LocId> {
    let result = program.procs[proc].result;
    let cfa = splice::body(program, proc);
    let (exit, returns) = (cfa.exit, cfa.locs[cfa.exit].into.clone());
    let mut places = Vec::with_capacity(returns.len());
    for edge in returns {
        let (instr, span) = {
            let edge = &splice::body(program, proc).edges[edge];
            (edge.instr.clone(), edge.span)
        };
        let at = splice::behind_edge(splice::body(program, proc), edge);
        let last = splice::body(program, proc).locs[at].out[0];
        if let Instr::Return(value) = instr {
            let stored = value.zip(result).map(|(value, result)| {
                let place = program.var_place(result, span);
                (Instr::Assign(place, value), program.load_var(result, span))
            });
            let (first, again) = match stored {
                Some((assign, load)) => (assign, Some(load)),
                None => (Instr::Skip, None),
            };
            let cfa = splice::body(program, proc);
            cfa.edges[edge].instr = first;
            cfa.edges[last].instr = Instr::Return(again);
        }
        debug_assert_eq!(splice::body(program, proc).edges[last].to, exit);
        places.push(at);
    }
    places
}
