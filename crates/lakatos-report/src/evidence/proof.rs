//! A proof: contracts and invariants, function by function, as ACSL would say them. What is
//! `true` is left out.

use std::convert::Infallible;
use std::fmt::Write as _;

use lakatos_evidence::show::{Dialect, Named, Printer};
use lakatos_evidence::{Contract, Meaning, Proof, When};
use lakatos_ir::modset::Footprint;
use lakatos_ir::{LocId, ProcId, Program, VarId, VarKind};
use lakatos_logic::term::{Symbol, Term, Terms};

use super::Paint;
use crate::diagnostic::Style;
use crate::excerpt::{printable, shortened};

/// A formula is cut to so many characters.
const MAX_FORMULA: usize = 2000;

/// A proof in words, with the assumptions it is made under.
pub fn proof(program: &Program, proof: &Proof, style: Style) -> String {
    let paint = Paint::new(style.color);
    let mut text = String::new();
    if !proof.assumptions().is_empty() {
        text += &(paint.heading("assuming") + "\n");
        for assumption in proof.assumptions() {
            let _ = writeln!(text, "  {}", printable(&assumption.to_string()));
        }
    }
    for (proc, contract) in proof.contracts() {
        let said = Function { program, proof, proc }.describe(contract);
        if !said.is_empty() {
            let procedure = &program.procs[proc];
            let at = program.source.position(procedure.span.start).to_string();
            let name = paint.heading(&printable(&procedure.name));
            let _ = writeln!(text, "{name} {}", paint.aside(&printable(&format!("at {at}"))));
            text += &said;
        }
    }
    match text.is_empty() {
        true => "nothing had to be assumed, required or kept invariant\n".to_owned(),
        false => text,
    }
}

/// What a proof says about one function.
struct Function<'a> {
    program: &'a Program,
    proof: &'a Proof,
    proc: ProcId,
}

impl Function<'_> {
    fn describe(&self, contract: &Contract) -> String {
        let mut text = self.clauses("  ", "requires", contract.requires);
        text += &self.clauses("  ", "ensures", contract.ensures);
        if !text.is_empty() {
            let _ = writeln!(text, "  assigns {}", self.footprint(&contract.assigns));
        }
        let invariants = self.proof.invariants().filter(|(proc, ..)| *proc == self.proc);
        for (_, loc, formula) in invariants {
            let said = self.clauses("    ", "invariant", formula);
            if !said.is_empty() {
                let _ = writeln!(text, "  at {}", self.position(loc));
                text += &said;
            }
        }
        text
    }

    /// One line per conjunct; none for `true`.
    fn clauses(&self, indent: &str, word: &str, formula: Term) -> String {
        if formula == Term::TRUE {
            return String::new();
        }
        let named = |symbol: Symbol| {
            let meaning = self.proof.meaning(symbol);
            let ty = self.program.vars[meaning.var].ty.as_int()?;
            Some(Named { name: self.meaning(meaning), ty })
        };
        let model = self.program.types.model;
        let printer = Printer::new(self.proof.terms(), model, Dialect::Acsl, &named);
        let lines = match printer.conjuncts(formula) {
            (lines, 0) => lines,
            _ => {
                let conjuncts = self.proof.terms().conjuncts(formula);
                conjuncts.into_iter().map(|part| self.raw(part)).collect()
            }
        };
        let line = |part: &String| {
            format!("{indent}{word} {}\n", printable(&shortened(part, MAX_FORMULA)))
        };
        lines.iter().map(line).collect()
    }

    /// A formula that has no text in C, with the names of the source for its symbols.
    fn raw(&self, formula: Term) -> String {
        let mut terms = Terms::new();
        let renamed = terms.import_as(self.proof.terms(), formula, |terms, symbol, sort| {
            let name = self.meaning(self.proof.meaning(symbol));
            Ok::<_, Infallible>(terms.symbol(&name, sort))
        });
        let renamed = renamed.unwrap_or_else(|never| match never {});
        terms.display(renamed).to_string()
    }

    fn meaning(&self, Meaning { var, when }: Meaning) -> String {
        match when {
            When::Now => self.name(var),
            When::Entry => format!("\\old({})", self.name(var)),
        }
    }

    /// The name in the source; with its line where the function knows two of that name.
    fn name(&self, id: VarId) -> String {
        let var = &self.program.vars[id];
        let line = || self.program.source.position(var.span.start).line;
        let known = |kind: VarKind| kind.frame().is_none_or(|frame| frame == self.proc);
        match var.kind {
            VarKind::Result(_) => "\\result".to_owned(),
            _ if var.name.is_empty() => format!("value@{}#{}", line(), id.0),
            _ => {
                let same = self.program.vars.iter().filter(|(_, v)| v.name == var.name);
                match same.filter(|(_, v)| known(v.kind)).count() {
                    0 | 1 => var.name.clone(),
                    _ => format!("{}@{}", var.name, line()),
                }
            }
        }
    }

    fn footprint(&self, footprint: &Footprint) -> String {
        // What follows memory is memory, or nobody's business.
        let real = footprint.vars.iter().filter(|var| !self.program.vars[**var].kind.is_ghost());
        let mut parts: Vec<String> = real.map(|var| self.name(*var)).collect();
        if !footprint.memory.is_empty() {
            parts.push("all memory that pointers reach".to_owned());
        }
        match parts.is_empty() {
            true => "\\nothing".to_owned(),
            false => printable(&parts.join(", ")),
        }
    }

    fn position(&self, loc: LocId) -> String {
        let body = self.program.procs[self.proc].body.as_ref();
        let span = body.map(|body| body.locs[loc].span).unwrap_or_default();
        printable(&self.program.source.position(span.start).to_string())
    }
}
