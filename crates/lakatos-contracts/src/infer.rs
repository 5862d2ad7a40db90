//! From checked proofs to contracts.

use std::collections::{BTreeMap, BTreeSet};

use lakatos_evidence::show::{self, Dialect, Printer};
use lakatos_evidence::{Contract, Proof};
use lakatos_ir::{AnnotationTarget, LocId, ProcId, Program, Property, VarId};
use lakatos_logic::smt::Smt;
use lakatos_logic::term::{Symbol, Term};
use lakatos_rank::{Measure, Measures};
use lakatos_witness::outline::{Kind, Outline, Statement};

use crate::bound::unbound;
use crate::effects::{Changes, NoAssigns, head_of};
use crate::kept::Kept;
use crate::lengths::Lengths;
use crate::model::{self, Contracts, Function, Loop};
use crate::names::{Names, Place, contract_scope};
use crate::unit::{Declared, Functions};
use crate::{Gap, bounds, cases, outside, valid};

/// A proof, and the program that it is about: the one in which the property's violations are error
/// locations.
#[derive(Clone, Copy, Debug)]
pub struct Proved<'a> {
    pub program: &'a Program,
    pub proof: &'a Proof,
    /// What it shows of termination.
    pub measures: &'a Measures,
}

/// What proofs of a program say, as contracts. The program is the one that the front-end made.
pub fn infer(program: &Program, proved: &[Proved<'_>]) -> Contracts {
    infer_beside(program, proved, None, &Lengths::new())
}

/// The same where the user's annotations are part of what was proved: what proofs say beside them.
pub fn infer_beside(
    program: &Program,
    proved: &[Proved<'_>],
    kept: Option<&Kept>,
    lengths: &Lengths,
) -> Contracts {
    let outline = Outline::new(program);
    let changes = Changes::new(program, lengths);
    let mut writer = Writer { program, outline: &outline, changes, proved, kept, gaps: Vec::new() };
    let functions = Functions::new(program);
    let callers = first_callers(&functions);
    let mut found = Vec::new();
    for declared in functions.all() {
        let proc = program.proc_named(declared.name()).filter(|_| declared.body.is_some());
        found.extend(match proc {
            Some(proc) => writer.function(proc, declared),
            None => callers.get(declared.name()).and_then(|&caller| {
                let errors_count = writer.errors_count();
                outside::contract(program, declared, caller, errors_count, &mut writer.gaps)
            }),
        });
    }
    for function in &mut found {
        writer.bind(function);
    }
    writer.homeless();
    found.sort_by_key(|function| function.at);
    writer.gaps.sort();
    writer.gaps.dedup();
    Contracts { functions: found, gaps: writer.gaps }
}

/// Of every function that is called: where the first function begins that calls it.
fn first_callers(functions: &Functions) -> BTreeMap<String, u32> {
    let begins: BTreeMap<&str, u32> =
        functions.all().filter_map(|f| Some((f.name(), f.body?.span.start))).collect();
    let mut first: BTreeMap<String, u32> = BTreeMap::new();
    for call in functions.calls() {
        let begin = begins.get(&call.caller[..]).copied().unwrap_or_default();
        first.entry(call.callee).and_modify(|at| *at = begin.min(*at)).or_insert(begin);
    }
    first
}

struct Writer<'a> {
    program: &'a Program,
    outline: &'a Outline,
    changes: Changes<'a>,
    proved: &'a [Proved<'a>],
    kept: Option<&'a Kept>,
    gaps: Vec<Gap>,
}

impl Writer<'_> {
    /// Calls of error functions are what was proved not to happen.
    fn errors_count(&self) -> bool {
        self.proved.iter().any(|p| p.proof.property() == Some(Property::UnreachCall))
    }

    fn function(&mut self, proc: ProcId, declared: Declared<'_>) -> Option<Function> {
        let body = declared.body?;
        let changed = self.changes.of_procedure(proc);
        let names = Names { program: self.program, outline: self.outline, proc, changed: &changed };
        let loops = self.loops(names);
        let mut function = Function {
            name: declared.name().to_owned(),
            parameters: declared.parameters(&body.params),
            result: declared.result(),
            has_body: true,
            globals: Vec::new(),
            requires: Vec::new(),
            decreases: None,
            assigns: None,
            ensures: Vec::new(),
            cases: None,
            loops,
            at: body.span.start,
            declaration: None,
            named: None,
        };
        if declared.is_annotated() && self.kept.is_none() {
            let what = format!("`{}`", function.name);
            self.gaps.push(Gap::Annotated { at: self.position(body.span.start), what });
            return (!function.loops.is_empty()).then_some(function);
        }
        self.contract(names, &mut function);
        let said = self.kept.and_then(|kept| kept.functions.get(&function.name));
        function.decreases =
            function.decreases.take().filter(|_| said.is_none_or(|s| !s.has_measure));
        Some(function)
    }

    fn contract(&mut self, names: Names<'_>, function: &mut Function) {
        let what = format!("`{}`", function.name);
        let at = self.position(function.at);
        let is_error = self.program.procs[names.proc].is_error && self.errors_count();
        for proved in self.proved {
            let Some(contract) = contract_of(proved.proof, names.proc) else { continue };
            let here = Names { program: proved.program, ..names };
            function.globals.extend(here.globals(proved.proof, contract));
            if function.assigns.is_none() && !self.is_assigned(&function.name) {
                let assigns = here.function_assigns(&self.changes, &contract.assigns);
                function.assigns = self.or_gap(assigns, &at, &what);
            }
            if is_error {
                continue;
            }
            let measure = proved.measures.procedures.get(&names.proc);
            let measure = measure.and_then(|m| measured(here, Place::Requires, m));
            function.decreases = function.decreases.take().or(measure);
            for clause in valid::clauses(here, proved.proof, contract) {
                if !function.requires.contains(&clause) {
                    function.requires.push(clause);
                }
            }
            for (place, formula, clauses, part) in [
                (Place::Requires, contract.requires, &mut function.requires, "the precondition"),
                (Place::Ensures, contract.ensures, &mut function.ensures, "the postcondition"),
            ] {
                let said = format!("{part} of {what}");
                self.say(here, proved.proof, place, formula, clauses, (&at, &said));
            }
            function.cases = function.cases.take().or_else(|| self.cases(here, proved, contract));
        }
        // Behaviours are those of one proof.
        if self.proved.len() > 1 && self.proved.iter().any(|p| !has_cases(p.proof, names.proc)) {
            function.cases = None;
        }
        function.globals.sort();
        function.globals.dedup();
        if is_error {
            function.requires.push("\\false".to_owned());
        }
    }

    /// The cases of a contract as text, if all of them have some.
    fn cases(
        &self,
        names: Names<'_>,
        proved: &Proved<'_>,
        contract: &Contract,
    ) -> Option<model::Cases> {
        let cases = contract.cases.as_ref()?;
        // Cases of one index are not cases of all.
        let all = |place: Place, formula: Term| {
            let (keys, _) = names.keys(proved.proof, formula);
            let (texts, lost) = texts(names, proved.proof, place, formula);
            (keys.is_empty() && lost == 0).then_some(texts)
        };
        let mut behaviours = Vec::new();
        let mut said = Vec::new();
        for (number, behaviour) in cases.behaviours.iter().enumerate() {
            let assumes = all(Place::Requires, behaviour.assumes)?;
            let ensures = all(Place::Ensures, behaviour.ensures)?;
            if !ensures.is_empty() {
                let name = format!("context_{}", number + 1);
                behaviours.push(model::Behaviour { name, assumes, ensures });
                said.push(behaviour.assumes);
            }
        }
        let ensures = all(Place::Ensures, cases.ensures)?;
        let mut smt = Smt::new(cases::DECIDED);
        let (complete, disjoint) =
            cases::distinct(proved.proof.terms(), &mut smt, contract.requires, &said);
        Some(model::Cases { ensures, behaviours, complete, disjoint })
    }

    /// Adds the parts of a formula that are not there yet.
    fn say(
        &mut self,
        names: Names<'_>,
        proof: &Proof,
        place: Place,
        formula: Term,
        clauses: &mut Vec<String>,
        (at, what): (&str, &str),
    ) {
        let (mut texts, lost) = texts(names, proof, place, formula);
        if lost > 0 {
            if place != Place::Ensures {
                texts.extend(bounds::implied(names, proof, place, formula));
            }
            let (at, what) = (at.to_owned(), what.to_owned());
            self.gaps.push(Gap::Formula { at, what, lost });
        }
        for text in texts {
            if !clauses.contains(&text) {
                clauses.push(text);
            }
        }
    }

    fn loops(&mut self, names: Names<'_>) -> Vec<Loop> {
        let mut found = Vec::new();
        let statements = self.outline.statements().iter().copied();
        for statement in statements.filter(|statement| statement.kind == Kind::Loop) {
            let at = statement.span.start;
            if self.outline.function_at(self.program, at) != Some(names.proc) {
                continue;
            }
            let mut annotation = self.annotate(names, statement);
            if let Some(kept) = self.kept {
                let is_said = kept.loops.get(&at).is_some_and(|said| said.has_measure);
                annotation.variant = annotation.variant.filter(|_| !is_said);
                let parts = annotation.assigns.is_some() || annotation.variant.is_some();
                found.extend((parts || !annotation.invariants.is_empty()).then_some(annotation));
            } else if self.is_annotated(names.proc, statement) {
                let what = "this loop".to_owned();
                self.gaps.push(Gap::Annotated { at: self.position(at), what });
            } else if annotation.assigns.is_some() || !annotation.invariants.is_empty() {
                found.push(annotation);
            }
        }
        found
    }

    fn annotate(&mut self, names: Names<'_>, statement: Statement) -> Loop {
        let position = self.position(statement.span.start);
        let kept = self.kept.and_then(|kept| kept.loops.get(&statement.span.start));
        let assigns = match kept.is_some_and(|said| said.has_assigns) {
            true => None,
            false => {
                let assigns = names.loop_assigns(&self.changes, statement);
                self.or_gap(assigns, &position, "this loop")
            }
        };
        let mut invariants = Vec::new();
        let place = Place::Loop { scope: statement.scope };
        for proved in self.proved {
            let Some(head) = head_of(proved.program, names.proc, statement.span) else { continue };
            let formula =
                proved.proof.invariants().find(|(p, l, _)| (*p, *l) == (names.proc, head));
            let here = Names { program: proved.program, ..names };
            if let Some((.., formula)) = formula {
                let said = (&position[..], "the invariant");
                self.say(here, proved.proof, place, formula, &mut invariants, said);
            }
        }
        let is_cyclic = head_of(self.program, names.proc, statement.span).is_some();
        let variant = self.proved.iter().find_map(|proved| {
            let head = head_of(proved.program, names.proc, statement.span)?;
            let measure = proved.measures.loops.get(&(names.proc, head))?;
            measured(Names { program: proved.program, ..names }, place, measure)
        });
        Loop { at: statement.span.start, is_cyclic, invariants, assigns, variant }
    }

    /// Takes out what has a name that nothing binds where it stands.
    fn bind(&mut self, function: &mut Function) {
        let (program, outline) = (self.program, self.outline);
        let names: BTreeSet<&str> =
            function.parameters.iter().chain(&function.globals).map(|p| &p.name[..]).collect();
        let named = function.named.as_ref().map(|(_, name)| &name[..]);
        let proc = program.proc_named(&function.name);
        let at = |scope: Option<u32>, name: &str| {
            let meant = proc.zip(scope);
            meant.is_some_and(|(proc, at)| outline.variable(program, proc, at, name).is_some())
        };
        let begin = proc.map(|proc| contract_scope(program, outline, proc));
        let in_contract =
            |name: &str| names.contains(name) || named == Some(name) || at(begin, name);
        let mut lost = drop_unbound(&mut function.requires, in_contract);
        lost += drop_unbound(&mut function.ensures, in_contract);
        let position = self.position(function.at);
        if function.cases.as_ref().is_some_and(|cases| !is_bound(cases, in_contract)) {
            function.cases = None;
            lost += 1;
        }
        let what = format!("the contract of `{}`", function.name);
        self.lose(position, what, lost);
        for annotated in &mut function.loops {
            let scope = outline.statements().iter().find(|s| s.span.start == annotated.at);
            let scope = scope.map(|statement| statement.scope);
            let lost = drop_unbound(&mut annotated.invariants, |name| at(scope, name));
            self.lose(self.position(annotated.at), "the invariant".to_owned(), lost);
        }
    }

    fn lose(&mut self, at: String, what: String, lost: usize) {
        if lost > 0 {
            self.gaps.push(Gap::Formula { at, what, lost });
        }
    }

    /// Invariants that belong to no loop of the source.
    fn homeless(&mut self) {
        for proved in self.proved {
            let mut heads: BTreeMap<ProcId, BTreeSet<LocId>> = BTreeMap::new();
            for statement in self.outline.statements().iter().filter(|s| s.kind == Kind::Loop) {
                let at = statement.span.start;
                if let Some(proc) = self.outline.function_at(self.program, at)
                    && let Some(head) = head_of(proved.program, proc, statement.span)
                {
                    heads.entry(proc).or_default().insert(head);
                }
            }
            for (proc, loc, formula) in proved.proof.invariants() {
                let known = heads.get(&proc).is_some_and(|heads| heads.contains(&loc));
                let body = proved.program.procs[proc].body.as_ref();
                if formula != Term::TRUE
                    && !known
                    && let Some(body) = body
                {
                    let at = self.position(body.locs[loc].span.start);
                    self.gaps.push(Gap::NoLoop { at });
                }
            }
        }
    }

    /// The user has said what a function assigns, and that is kept.
    fn is_assigned(&self, name: &str) -> bool {
        let said = self.kept.and_then(|kept| kept.functions.get(name));
        said.is_some_and(|said| said.has_assigns)
    }

    /// The user has annotated a loop.
    fn is_annotated(&self, proc: ProcId, statement: Statement) -> bool {
        let Some(head) = head_of(self.program, proc, statement.span) else { return false };
        let about = AnnotationTarget::Statement(proc, head);
        let mut notes = self.program.annotations.iter();
        notes.any(|note| note.target == about && note.text.trim_start().starts_with("loop"))
    }

    fn or_gap(
        &mut self,
        assigns: Result<Vec<String>, NoAssigns>,
        at: &str,
        what: &str,
    ) -> Option<Vec<String>> {
        let (at, what) = (at.to_owned(), what.to_owned());
        match assigns {
            Ok(assigns) => return Some(assigns),
            Err(NoAssigns::Memory) => self.gaps.push(Gap::Memory { at, what }),
            Err(NoAssigns::Hidden(name)) => self.gaps.push(Gap::Hidden { at, what, name }),
        }
        None
    }

    fn position(&self, at: u32) -> String {
        self.program.source.position(at).to_string()
    }
}

/// The parts of a formula as text, and how many have none. What is said with keys is said of every
/// index; what speaks of nothing else is only their range.
fn texts(names: Names<'_>, proof: &Proof, place: Place, formula: Term) -> (Vec<String>, usize) {
    let name = |symbol: Symbol| names.of(place, proof.meaning(symbol));
    let model = names.program.types.model;
    let printer = Printer::new(proof.terms(), model, Dialect::Acsl, &name);
    let mut parts: BTreeMap<BTreeSet<VarId>, Vec<Term>> = BTreeMap::new();
    for part in proof.terms().conjuncts(formula) {
        let (keys, has_others) = names.keys(proof, part);
        if keys.is_empty() || has_others {
            parts.entry(keys).or_default().push(part);
        }
    }
    let mut all = (Vec::new(), 0);
    for (keys, parts) in parts {
        let (texts, lost) = printer.parts(&parts);
        let texts = texts.into_iter().map(|text| names.quantified(&keys, text));
        let (known, open): (Vec<_>, Vec<_>) = texts.partition(Option::is_some);
        all.0.extend(known.into_iter().flatten());
        all.1 += lost + open.len();
    }
    all
}

/// A measure as text, where the source has names for what it is made of.
fn measured(names: Names<'_>, place: Place, measure: &Measure) -> Option<String> {
    let named = |meaning| {
        let plain = show::name(names.program, names.proc, meaning, Dialect::Acsl);
        names.of(place, meaning).is_some_and(|here| plain.is_some_and(|p| p.name == here.name))
    };
    let known = measure.monomials.iter().all(|(meaning, _)| named(*meaning));
    known.then(|| measure.acsl(names.program, names.proc)).flatten()
}

/// How many clauses had a name that nothing binds, and are left out.
fn drop_unbound(clauses: &mut Vec<String>, is_known: impl Fn(&str) -> bool + Copy) -> usize {
    let before = clauses.len();
    clauses.retain(|clause| unbound(clause, is_known).is_none());
    before - clauses.len()
}

fn is_bound(cases: &model::Cases, is_known: impl Fn(&str) -> bool + Copy) -> bool {
    let behaviours = cases.behaviours.iter().flat_map(|b| b.assumes.iter().chain(&b.ensures));
    cases.ensures.iter().chain(behaviours).all(|clause| unbound(clause, is_known).is_none())
}

fn has_cases(proof: &Proof, proc: ProcId) -> bool {
    contract_of(proof, proc).is_some_and(|contract| contract.cases.is_some())
}

fn contract_of(proof: &Proof, proc: ProcId) -> Option<&Contract> {
    proof.contracts().find(|(p, _)| *p == proc).map(|(_, contract)| contract)
}
