//! Contracts that several clients gave one function, as one contract (section 5.3).
//!
//! The result is the meet: it may be called wherever one of the clients calls the function, and
//! where a client's precondition holds its postcondition does. It refines the contract of every
//! client, so none of them has to be verified again; the function has to satisfy it, which is
//! more than any of them asked for. Contracts that say nothing new are left out, and those with the
//! same precondition are one behaviour.

use std::collections::BTreeSet;

use lakatos_logic::smt::Smt;
use lakatos_logic::term::Term;

use crate::file::{Clause, Contracts, Function, Origin};
use crate::signature::{Form, Unreadable};
use crate::space::{Contract, Counterexample, Fails, Judgement, When};
use crate::words::{Mismatch, Words};
use crate::{acsl, file};

/// A contracts file with its name.
#[derive(Clone, Copy, Debug)]
pub struct Client<'a> {
    pub file: &'a str,
    pub contracts: &'a Contracts,
}

/// Why contracts cannot be combined or compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    #[error("{file}:{line}:{column}: {message}")]
    Clause { file: String, line: usize, column: usize, message: String },
    #[error("{file}:{line}:{column}: {mismatch}")]
    Mismatch { file: String, line: usize, column: usize, mismatch: Box<Mismatch> },
    #[error(
        "the contract of `{function}` cannot be written: a formula of {file} has no text in the \
         names of the first file; give the parameters the same names in all files"
    )]
    NoText { function: String, file: String },
}

/// What holds of a function where one client, or some with the same precondition, call it.
#[derive(Clone, Debug)]
pub struct Behaviour {
    pub name: String,
    /// The files that it is from.
    pub files: Vec<String>,
    pub(crate) requires: Term,
    pub assumes: String,
    /// The precondition as it is written where the function has returned.
    pub(crate) premise: Option<String>,
    pub ensures: Vec<String>,
    /// What may change here; `None`: anything.
    pub assigns: Option<BTreeSet<String>>,
}

/// The meet of contracts.
#[derive(Debug)]
pub struct Merged {
    pub(crate) words: Words,
    /// `None`: nothing is required.
    pub(crate) requires: Option<String>,
    pub(crate) behaviours: Vec<Behaviour>,
    /// What may change; `None`: anything.
    pub(crate) assigns: Option<BTreeSet<String>>,
    pub(crate) complete: bool,
    pub(crate) disjoint: bool,
    /// For a person.
    pub notes: Vec<String>,
}

/// A client's contract in the words of all.
struct Part<'a> {
    file: &'a str,
    requires: Term,
    clauses: Vec<(Term, &'a Clause)>,
    assigns: Option<BTreeSet<String>>,
    contract: Contract,
    /// Its texts can be used as they are.
    same_names: bool,
    requires_text: String,
}

impl Merged {
    pub fn function(&self) -> &str {
        &self.words.signature.name
    }

    pub fn behaviours(&self) -> &[Behaviour] {
        &self.behaviours
    }

    /// As an ACSL comment before the function's declaration.
    pub fn acsl(&self) -> String {
        acsl::render(self)
    }
}

/// The contracts of all functions, each combined over the clients that have one.
pub fn merge(clients: &[Client<'_>], smt: &mut Smt) -> Result<Vec<Merged>, Error> {
    let mut names: Vec<&str> = Vec::new();
    for function in clients.iter().flat_map(|client| &client.contracts.functions) {
        if !names.contains(&function.signature.name.as_str()) {
            names.push(&function.signature.name);
        }
    }
    names.into_iter().map(|name| merge_function(&given(clients, name), smt)).collect()
}

/// The combined contracts as a contracts file.
pub fn to_json(clients: &[Client<'_>], merged: &[Merged]) -> Result<String, Error> {
    let mut programs: Vec<Origin> = Vec::new();
    for program in clients.iter().flat_map(|client| &client.contracts.programs) {
        if !programs.contains(program) {
            programs.push(program.clone());
        }
    }
    let functions: Result<Vec<file::Written>, Error> = merged.iter().map(written).collect();
    Ok(file::write(&programs, functions?))
}

fn written(merged: &Merged) -> Result<file::Written, Error> {
    let mut ensures = Vec::new();
    for behaviour in &merged.behaviours {
        let mut clauses = behaviour.ensures.clone();
        clauses.extend(kept(merged, behaviour).iter().map(|g| format!("{g} == \\old({g})")));
        if merged.behaviours.len() == 1 || behaviour.assumes == "\\true" {
            ensures.extend(clauses);
            continue;
        }
        let premise = behaviour.premise.as_ref().ok_or_else(|| Error::NoText {
            function: merged.function().to_owned(),
            file: behaviour.files.join(" and "),
        })?;
        ensures.extend(clauses.iter().map(|clause| format!("({premise}) ==> ({clause})")));
    }
    let requires = merged.requires.iter().cloned().collect();
    let assigns = merged.assigns.as_ref().map(|all| all.iter().cloned().collect());
    Ok(file::Written::new(&merged.words.signature, requires, ensures, assigns))
}

/// The integer globals that a behaviour does not change and others may.
fn kept(merged: &Merged, behaviour: &Behaviour) -> Vec<String> {
    let Some(own) = &behaviour.assigns else { return Vec::new() };
    let may = |global: &String| merged.assigns.as_ref().is_none_or(|all| all.contains(global));
    merged.words.globals().into_iter().filter(|g| may(g) && !own.contains(g)).collect()
}

fn given<'a>(clients: &[Client<'a>], name: &str) -> Vec<(&'a str, &'a Function)> {
    let of = |client: &Client<'a>| {
        let found = client.contracts.functions.iter().find(|f| f.signature.name == name);
        found.map(|function| (client.file, function))
    };
    clients.iter().filter_map(of).collect()
}

fn merge_function(given: &[(&str, &Function)], smt: &mut Smt) -> Result<Merged, Error> {
    let (mut words, parts) = read_all(given)?;
    let notes = contradictions(&mut words, smt, &parts);
    let needed = needed(&mut words, smt, &parts);
    let groups = grouped(&mut words, smt, &needed);
    let mut behaviours: Vec<Behaviour> = Vec::new();
    for group in &groups {
        let mut behaviour = behaviour(&mut words, smt, group)?;
        while behaviours.iter().any(|other| other.name == behaviour.name) {
            behaviour.name.push('_');
        }
        behaviours.push(behaviour);
    }
    let preconditions: Vec<Term> = behaviours.iter().map(|b| b.requires).collect();
    let requires = words.space.terms().or(preconditions.iter().copied());
    let always = words.space.implied(smt, &[], requires, Fails::Requires) == Judgement::Yes;
    let texts: Vec<&str> = behaviours.iter().map(|b| b.assumes.as_str()).collect();
    let requires_text = (!always)
        .then(|| words.text(smt, requires, When::Entry).unwrap_or_else(|| joined(&texts, " || ")));
    let complete = words.space.implied(smt, &[requires], requires, Fails::Requires);
    let disjoint = pairs(&preconditions).all(|(a, b)| words.space.excluded(smt, &[*a, *b]));
    let assigns = behaviours.iter().map(|b| b.assigns.clone()).reduce(union).flatten();
    Ok(Merged {
        words,
        requires: requires_text,
        behaviours,
        assigns,
        complete: complete == Judgement::Yes,
        disjoint,
        notes,
    })
}

/// What may change if one of both holds.
fn union(a: Option<BTreeSet<String>>, b: Option<BTreeSet<String>>) -> Option<BTreeSet<String>> {
    Some(a?.union(&b?).cloned().collect())
}

/// What may change if both hold.
fn both(a: Option<BTreeSet<String>>, b: Option<BTreeSet<String>>) -> Option<BTreeSet<String>> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.intersection(&b).cloned().collect()),
        (a, b) => a.or(b),
    }
}

fn pairs<T>(all: &[T]) -> impl Iterator<Item = (&T, &T)> {
    all.iter().enumerate().flat_map(|(at, a)| all[at + 1..].iter().map(move |b| (a, b)))
}

fn read_all<'a>(given: &[(&'a str, &'a Function)]) -> Result<(Words, Vec<Part<'a>>), Error> {
    for (at, (name, function)) in given.iter().enumerate() {
        // Against the first: the message names the file that differs.
        let both = [(given[0].0, &given[0].1.signature), (*name, &function.signature)];
        Words::new(if at == 0 { &both[..1] } else { &both }).map_err(|mismatch| {
            let Function { line, column, .. } = **function;
            Error::Mismatch { file: (*name).to_owned(), line, column, mismatch: Box::new(mismatch) }
        })?;
    }
    let signatures: Vec<_> = given.iter().map(|(name, f)| (*name, &f.signature)).collect();
    let last = given[given.len() - 1];
    let mut words = Words::new(&signatures).map_err(|mismatch| {
        let Function { line, column, .. } = *last.1;
        Error::Mismatch { file: last.0.to_owned(), line, column, mismatch: Box::new(mismatch) }
    })?;
    let mut parts = Vec::new();
    for (name, function) in given {
        parts.push(part(&mut words, name, function)?);
    }
    Ok((words, parts))
}

fn part<'a>(words: &mut Words, file: &'a str, function: &'a Function) -> Result<Part<'a>, Error> {
    let at = |line, column, message: Unreadable| Error::Clause {
        file: file.to_owned(),
        line,
        column,
        message: message.to_string(),
    };
    let form = function.signature.form().map_err(|e| at(function.line, function.column, e))?;
    let mut read = |form: &Form, clauses: &'a [Clause], when| {
        let mut formulas = Vec::new();
        for clause in clauses {
            let formula = words
                .read(form, &clause.text, when)
                .map_err(|message| at(clause.line, clause.column, message))?;
            formulas.push((formula, clause));
        }
        Ok::<_, Error>(formulas)
    };
    let preconditions = read(&form, &function.requires, When::Entry)?;
    let clauses = read(&form, &function.ensures, When::Exit)?;
    let texts: Vec<&str> = preconditions.iter().map(|(_, clause)| clause.text.as_str()).collect();
    let requires_text = joined(&texts, " && ");
    let requires = words.space.terms().and(preconditions.iter().map(|(formula, _)| *formula));
    let assigns: Option<BTreeSet<String>> =
        function.assigns.as_ref().map(|all| all.iter().cloned().collect());
    let mut ensures: Vec<Term> = clauses.iter().map(|(formula, _)| *formula).collect();
    ensures.extend(frame(words, assigns.as_ref()));
    let ensures = words.space.terms().and(ensures);
    let contract = words.space.contract(requires, ensures).map_err(|flaw| Error::Clause {
        file: file.to_owned(),
        line: function.line,
        column: function.column,
        message: flaw.to_string(),
    })?;
    let same_names = function.signature.parameters == words.signature.parameters;
    Ok(Part { file, requires, clauses, assigns, contract, same_names, requires_text })
}

/// What is not assigned is what it was.
fn frame(words: &mut Words, assigns: Option<&BTreeSet<String>>) -> Vec<Term> {
    let Some(assigns) = assigns else { return Vec::new() };
    let kept: Vec<String> = words.globals().into_iter().filter(|g| !assigns.contains(g)).collect();
    kept.iter().map(|global| words.unchanged(global)).collect()
}

/// Texts as one; in parentheses if there are several.
fn joined(texts: &[&str], op: &str) -> String {
    match texts {
        [] => "\\true".to_owned(),
        [one] => (*one).to_owned(),
        _ => texts.iter().map(|text| format!("({text})")).collect::<Vec<_>>().join(op),
    }
}

/// Two contracts that no function that returns satisfies wherever both apply.
fn contradictions(words: &mut Words, smt: &mut Smt, parts: &[Part<'_>]) -> Vec<String> {
    let mut notes = Vec::new();
    for (a, b) in pairs(parts) {
        let both = [a.requires, b.requires];
        let (first, second) = (a.contract.ensures(), b.contract.ensures());
        let all = [both[0], both[1], first, second];
        if !words.space.excluded(smt, &all) {
            continue;
        }
        let each = [first, second]
            .map(|ensures| words.space.example(smt, &[both[0], both[1], ensures]).is_some());
        let Some(values) = words.space.example(smt, &both).filter(|_| each == [true, true]) else {
            continue;
        };
        let names: Vec<&str> = words.signature.parameters.iter().map(|p| p.name.as_str()).collect();
        let shown = values.iter().filter(|(name, _)| names.contains(&name.as_str()));
        let shown: Vec<String> = shown.map(|(name, value)| format!("{name} = {value}")).collect();
        notes.push(format!(
            "{} and {} contradict each other about `{}`: where both apply ({}), no result satisfies \
             both",
            a.file,
            b.file,
            words.signature.name,
            shown.join(", ")
        ));
    }
    notes
}

/// The parts that the others do not make superfluous; of equivalent ones the first.
fn needed<'p, 'a>(words: &mut Words, smt: &mut Smt, parts: &'p [Part<'a>]) -> Vec<&'p Part<'a>> {
    let mut kept: Vec<&Part<'a>> = parts.iter().collect();
    for at in (0..parts.len()).rev() {
        let part = &parts[at];
        let others: Vec<&Part<'a>> =
            kept.iter().copied().filter(|other| !std::ptr::eq(*other, part)).collect();
        let meet = words.space.meet_all(others.iter().map(|other| &other.contract));
        let same_memory = others.iter().all(|other| changes_no_more(words, other, part));
        if same_memory && words.space.refines(smt, &meet, &part.contract) == Judgement::Yes {
            kept = others;
        }
    }
    // Contracts that may never be called need nobody.
    if kept.is_empty() { parts.iter().take(1).collect() } else { kept }
}

/// Of what formulas do not speak of, `fine` changes nothing that `coarse` does not.
fn changes_no_more(words: &Words, fine: &Part<'_>, coarse: &Part<'_>) -> bool {
    let globals = words.globals();
    match (&fine.assigns, &coarse.assigns) {
        (_, None) => true,
        (None, Some(_)) => false,
        (Some(fine), Some(coarse)) => {
            fine.iter().all(|name| globals.contains(name) || coarse.contains(name))
        }
    }
}

/// Parts with the same precondition together.
fn grouped<'p, 'a>(
    words: &mut Words,
    smt: &mut Smt,
    parts: &[&'p Part<'a>],
) -> Vec<Vec<&'p Part<'a>>> {
    let mut groups: Vec<Vec<&Part<'a>>> = Vec::new();
    for part in parts {
        let same = groups.iter().position(|group| {
            let same = words.space.terms().iff(group[0].requires, part.requires);
            words.space.implied(smt, &[], same, Fails::Requires) == Judgement::Yes
        });
        match same {
            Some(at) => groups[at].push(part),
            None => groups.push(vec![part]),
        }
    }
    groups
}

fn behaviour(words: &mut Words, smt: &mut Smt, group: &[&Part<'_>]) -> Result<Behaviour, Error> {
    let first = group[0];
    let assigns = group.iter().map(|part| part.assigns.clone()).reduce(both).flatten();
    let mut held = vec![first.requires];
    held.extend(frame(words, assigns.as_ref()));
    let mut ensures = Vec::new();
    for part in group {
        for (formula, clause) in &part.clauses {
            let Some(rest) = news(words, smt, &mut held, *formula) else { continue };
            let own = part.same_names.then(|| clause.text.clone());
            let text = words.text(smt, rest, When::Exit).or(own);
            ensures.push(text.ok_or_else(|| no_text(words, part.file))?);
        }
    }
    let own = first.same_names.then(|| first.requires_text.clone());
    let assumes = words.text(smt, first.requires, When::Entry).or(own);
    Ok(Behaviour {
        name: name_of(first.file),
        files: group.iter().map(|part| part.file.to_owned()).collect(),
        requires: first.requires,
        assumes: assumes.ok_or_else(|| no_text(words, first.file))?,
        premise: words.text(smt, first.requires, When::Exit),
        ensures,
        assigns,
    })
}

fn no_text(words: &Words, file: &str) -> Error {
    Error::NoText { function: words.signature.name.clone(), file: file.to_owned() }
}

/// The conjuncts of a formula that do not follow from what is said; they join that.
fn news(words: &mut Words, smt: &mut Smt, held: &mut Vec<Term>, formula: Term) -> Option<Term> {
    let mut new = Vec::new();
    for part in words.space.terms().conjuncts(formula) {
        if words.space.implied(smt, held, part, Fails::Ensures) != Judgement::Yes {
            held.push(part);
            new.push(part);
        }
    }
    (!new.is_empty()).then(|| words.space.terms().and(new))
}

/// A behaviour's name from that of a file.
fn name_of(file: &str) -> String {
    let last = file.rsplit(['/', '\\']).next().unwrap_or(file);
    let stem = last.split('.').next().unwrap_or(last);
    let plain = stem.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' });
    format!("from_{}", plain.collect::<String>())
}

/// Whether a client that was verified with its contract of a function stays verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recheck {
    /// The library's contract refines the client's.
    NotNeeded,
    /// It does not, as these values show.
    Needed(Counterexample),
    /// The library may change more than the client knows of.
    Changes(Vec<String>),
    Unknown(String),
}

/// For each function that both files have a contract of: whether the client has to be verified
/// again when the library's contract takes the place of its own.
pub fn recheck(
    client: Client<'_>,
    library: Client<'_>,
    smt: &mut Smt,
) -> Result<Vec<(String, Recheck)>, Error> {
    let mut found = Vec::new();
    for function in &client.contracts.functions {
        let name = &function.signature.name;
        let both = given(&[client, library], name);
        if both.len() < 2 {
            continue;
        }
        let (mut words, parts) = read_all(&both)?;
        let (coarse, fine) = (&parts[0], &parts[1]);
        let judged = words.space.refines(smt, &fine.contract, &coarse.contract);
        found.push((
            name.clone(),
            match judged {
                Judgement::Yes if changes_no_more(&words, fine, coarse) => Recheck::NotNeeded,
                Judgement::Yes => Recheck::Changes(more_changes(&words, fine, coarse)),
                Judgement::No(counterexample) => Recheck::Needed(counterexample),
                Judgement::Unknown(reason) => Recheck::Unknown(reason.to_string()),
            },
        ));
    }
    Ok(found)
}

fn more_changes(words: &Words, fine: &Part<'_>, coarse: &Part<'_>) -> Vec<String> {
    let globals = words.globals();
    let known = |name: &&String| {
        globals.contains(name) || coarse.assigns.as_ref().is_none_or(|all| all.contains(*name))
    };
    match &fine.assigns {
        None => vec!["anything".to_owned()],
        Some(fine) => fine.iter().filter(|name| !known(name)).cloned().collect(),
    }
}
