//! From proofs to correctness witnesses.

use std::collections::BTreeMap;
use std::convert::Infallible;

use lakatos_evidence::show::{Dialect, Named, Printer};
use lakatos_evidence::{Meaning, Proof, When};
use lakatos_ir::{IntType, LocId, ProcId, Program, VarId, VarKind};
use lakatos_logic::number::{Int, power_of_two};
use lakatos_logic::smt::{Answer, Smt};
use lakatos_logic::term::{Node, Sort, Symbol, Term, Terms};

use super::{Vocabulary, parameters_known};
use crate::expression::{Language, Moment, Place, Reader};
use crate::format::{Invariant, InvariantKind};
use crate::outline::{Kind, Outline};
use crate::place;

/// What a proof says, as invariants and contracts of the format; with notes about what is left
/// out. The program is the one that the proof is about. `smt` decides whether the text of a formula means what the formula means.
pub fn from_proof(
    program: &Program,
    outline: &Outline,
    proof: &Proof,
    smt: &mut Smt,
) -> (Vec<Invariant>, Vec<String>) {
    let reader = Reader::new(program.clone(), outline);
    let mut writer = Writer { program, outline, proof, smt, reader, notes: Vec::new() };
    let mut invariants = Vec::new();
    for (proc, contract) in proof.contracts() {
        if proc != program.start {
            invariants.extend(writer.contract(proc, contract.requires, contract.ensures));
        }
    }
    for (proc, loc, formula) in proof.invariants() {
        if proc != program.start && formula != Term::TRUE {
            invariants.extend(writer.invariant(proc, loc, formula));
        }
    }
    (invariants, writer.notes)
}

struct Writer<'a> {
    program: &'a Program,
    outline: &'a Outline,
    proof: &'a Proof,
    smt: &'a mut Smt,
    reader: Reader<'a>,
    notes: Vec<String>,
}

impl Writer<'_> {
    fn invariant(&mut self, proc: ProcId, loc: LocId, formula: Term) -> Option<Invariant> {
        let span = self.program.procs[proc].body.as_ref().map(|body| body.locs[loc].span);
        let found = place::statement_of(self.outline, span.unwrap_or_default());
        let Some(statement) = found else {
            let position = self.program.source.position(span.unwrap_or_default().start);
            self.notes.push(format!("the invariant at {position} belongs to no statement"));
            return None;
        };
        let scope = Place { proc, scope: statement.scope, moment: Moment::Here };
        let text = self.text(scope, formula, statement.span.start)?;
        let location = place::location(self.program, self.outline, statement.span.start);
        let format = if text.contains('\\') { "ext_c_expression" } else { "c_expression" };
        let kind = match statement.kind {
            Kind::Loop => InvariantKind::Loop(text),
            _ => InvariantKind::Location(text),
        };
        Some(Invariant { kind, location, format: format.to_owned() })
    }

    fn contract(&mut self, proc: ProcId, requires: Term, ensures: Term) -> Option<Invariant> {
        let begin = self.outline.begin_of(&self.program.procs[proc].name)?;
        let known = parameters_known(self.program, self.outline, proc);
        let mut part = |formula: Term, moment: Moment| match formula == Term::TRUE {
            true => None,
            false => self.text(Place { proc, scope: known, moment }, formula, begin),
        };
        let (requires, ensures) = (part(requires, Moment::Entry), part(ensures, Moment::Exit));
        if requires.is_none() && ensures.is_none() {
            return None;
        }
        let location = place::location(self.program, self.outline, begin);
        let kind = InvariantKind::Contract { requires, ensures };
        Some(Invariant { kind, location, format: "ext_c_expression".to_owned() })
    }

    /// What can be said of a formula at a place, as one text. Parts without a name there are left
    /// out, which claims less.
    fn text(&mut self, place: Place, formula: Term, at: u32) -> Option<String> {
        let (program, outline) = (self.program, self.outline);
        let mut said = Said::new(self.proof, formula);
        let names: BTreeMap<Symbol, Named> = said
            .meanings
            .iter()
            .filter_map(|(symbol, m)| Some((*symbol, named(program, outline, place, *m)?)))
            .collect();
        let known = said.weakened(said.formula, &|symbol| names.contains_key(&symbol));
        let mut lost = usize::from(known != said.formula);
        let name = |symbol: Symbol| names.get(&symbol).cloned();
        let printer = Printer::new(&said.terms, program.types.model, Dialect::C, &name);
        let mut kept = Vec::new();
        for part in said.terms.conjuncts(known) {
            let text = printer.formula(part);
            match text
                .is_some_and(|text| means(&mut self.reader, self.smt, place, &said, part, &text))
            {
                true => kept.push(part),
                false => lost += 1,
            }
        }
        if lost > 0 {
            let position = program.source.position(at);
            self.notes.push(format!(
                "not all that the proof says at {position} can be said in the witness"
            ));
        }
        printer.all(&kept).filter(|text| text != "1")
    }
}

/// A formula of a proof in an arena of its own.
struct Said {
    terms: Terms,
    meanings: BTreeMap<Symbol, Meaning>,
    formula: Term,
}

impl Said {
    fn new(proof: &Proof, formula: Term) -> Said {
        let mut meanings = BTreeMap::new();
        let mut terms = Terms::new();
        let imported = terms.import_as(proof.terms(), formula, |terms, symbol, sort| {
            let own = terms.symbol(proof.terms().symbol_name(symbol), sort);
            if let Some(own) = terms.as_symbol(own) {
                meanings.insert(own, proof.meaning(symbol));
            }
            Ok::<Term, Infallible>(own)
        });
        let formula = imported.unwrap_or_else(|never| match never {});
        Said { terms, meanings, formula }
    }

    /// What is left of a formula when nothing is said about unknown symbols: it follows from the
    /// formula, as negations stand at atoms only.
    fn weakened(&mut self, formula: Term, known: &dyn Fn(Symbol) -> bool) -> Term {
        if self.terms.free_symbols(formula).into_iter().all(known) {
            return formula;
        }
        let (parts, all) = match self.terms.node(formula) {
            Node::And(parts) => (parts.to_vec(), true),
            Node::Or(parts) => (parts.to_vec(), false),
            _ => return Term::TRUE,
        };
        let parts: Vec<Term> = parts.into_iter().map(|part| self.weakened(part, known)).collect();
        if all { self.terms.and(parts) } else { self.terms.or(parts) }
    }
}

/// The text, read again, is the formula.
fn means(
    reader: &mut Reader<'_>,
    smt: &mut Smt,
    place: Place,
    said: &Said,
    formula: Term,
    text: &str,
) -> bool {
    let read = reader.condition(text, Language::ExtendedC, place);
    let Ok(condition) = read else { return false };
    let mut vocabulary = Vocabulary::default();
    let Some(read) = vocabulary.formula(&reader.program, condition) else { return false };
    let same = vocabulary.same(reader, said, place.proc, formula, read);
    let Some((facts, same)) = same else { return false };
    smt.refute(&mut vocabulary.terms, &facts, same) == Answer::Unsat
}

impl Vocabulary {
    /// What holds of the symbols, and that a formula of a proof is the one that was read.
    fn same(
        &mut self,
        reader: &Reader<'_>,
        said: &Said,
        proc: ProcId,
        formula: Term,
        read: Term,
    ) -> Option<(Vec<Term>, Term)> {
        let program = &reader.program;
        let shadow = |var: VarId| {
            let mut shadows = reader.shadows();
            shadows.find(|(owner, of, _)| (*owner, *of) == (proc, var)).map(|(.., shadow)| shadow)
        };
        let mut values = BTreeMap::new();
        for symbol in said.terms.free_symbols(formula) {
            let Meaning { var, when } = said.meanings[&symbol];
            let var = if when == When::Entry { shadow(var)? } else { var };
            let value = self.symbol(program, var);
            values.insert(symbol, self.as_sort(value, said.terms.symbol_sort(symbol))?);
        }
        let vars: Vec<VarId> = self.vars.values().copied().collect();
        let mut facts = Vec::new();
        for var in vars {
            facts.extend(self.range(program, var));
        }
        let imported = self
            .terms
            .import_as(&said.terms, formula, |_, symbol, _| values.get(&symbol).copied().ok_or(()));
        let same = self.terms.iff(imported.ok()?, read);
        Some((facts, same))
    }

    /// A value in the sort that a proof has for it.
    fn as_sort(&mut self, value: Term, wanted: Sort) -> Option<Term> {
        match (self.terms.sort(value), wanted) {
            (own, wanted) if own == wanted => Some(value),
            (Sort::Int, Sort::BitVec(width)) => Some(self.terms.int_to_bv(width, value)),
            _ => None,
        }
    }

    /// What every value of a variable's type fulfils.
    fn range(&mut self, program: &Program, var: VarId) -> Option<Term> {
        let ty = program.vars[var].ty.as_int().filter(|ty| *ty != IntType::BOOL)?;
        let symbol = self.symbol(program, var);
        let bits = u32::from(ty.bits);
        let (low, high) = match ty.signed {
            true => (-power_of_two(bits - 1), power_of_two(bits - 1) - Int::ONE),
            false => (Int::ZERO, power_of_two(bits) - Int::ONE),
        };
        let (low, high) = (self.terms.int(low), self.terms.int(high));
        let (above, below) = (self.terms.le(low, symbol), self.terms.le(symbol, high));
        Some(self.terms.and([above, below]))
    }
}

/// What a value is called at a place: by the name that means it there.
fn named(program: &Program, outline: &Outline, place: Place, meaning: Meaning) -> Option<Named> {
    let var = &program.vars[meaning.var];
    let ty = var.ty.as_int()?;
    if let VarKind::Result(owner) = var.kind {
        let here = owner == place.proc && place.moment == Moment::Exit;
        return here.then(|| Named { name: "\\result".to_owned(), ty });
    }
    let meant = outline.variable(program, place.proc, place.scope, &var.name);
    let name = match meaning.when {
        When::Now => var.name.clone(),
        When::Entry => format!("\\at({}, Pre)", var.name),
    };
    (meant == Some(meaning.var)).then_some(Named { name, ty })
}
