//! What a proof says, function by function: contracts and invariants as ACSL would say them. What
//! is `true` is left out.

use std::convert::Infallible;

use lakatos_evidence::show::{Dialect, Named, Printer};
use lakatos_evidence::{self as evidence, Contract, Meaning, When};
use lakatos_ir::modset::Footprint;
use lakatos_ir::{LocId, ProcId, Program, Type, Var, VarId, VarKind};
use lakatos_logic::term::{Symbol, Term, Terms};
use serde::Serialize;

use super::Position;

/// A proof, with the assumptions it is made under.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Proof {
    /// How many conditions the checker has shown.
    pub conditions: usize,
    /// By which solvers.
    pub solvers: Vec<String>,
    /// It is about the program with so many turns of each loop written out, which take no more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unrolled: Option<u32>,
    /// It is by induction over the turns of loops, with so many turns as hypotheses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inductive: Option<u32>,
    /// It consists of all runs of the program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub execution: Option<Execution>,
    pub assumptions: Vec<String>,
    /// Those of which something is said.
    pub functions: Vec<Function>,
}

/// All runs of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Execution {
    pub runs: u64,
    /// Of all runs together.
    pub steps: u64,
}

/// What a proof says about one function.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Function {
    pub name: String,
    pub position: Position,
    pub requires: Vec<String>,
    pub ensures: Vec<String>,
    pub assigns: Vec<String>,
    pub invariants: Vec<Invariant>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Invariant {
    pub position: Position,
    /// All of them hold whenever this is reached.
    pub holds: Vec<String>,
}

impl Function {
    pub fn has_contract(&self) -> bool {
        !self.requires.is_empty() || !self.ensures.is_empty()
    }
}

impl Proof {
    /// How loops are written out, if they are: the end of a sentence about conditions.
    pub fn turns(&self) -> String {
        turns(self.unrolled, self.inductive)
    }

    /// What has been checked, and how loops are written out if they are.
    pub fn checked(&self) -> String {
        match self.execution {
            Some(execution) => execution.describe(),
            None => conditions(self.conditions, "", self.unrolled, self.inductive),
        }
    }

    /// The program is the instrumented one.
    pub fn new(
        program: &Program,
        proof: &evidence::Proof,
        conditions: usize,
        solvers: Vec<String>,
    ) -> Proof {
        Proof {
            conditions,
            solvers,
            unrolled: proof.unrolled(),
            inductive: proof.inductive(),
            execution: proof.runs().map(Execution::from),
            assumptions: proof.assumptions().iter().map(ToString::to_string).collect(),
            functions: functions(program, proof),
        }
    }
}

impl From<evidence::Runs> for Execution {
    fn from(evidence::Runs { runs, steps }: evidence::Runs) -> Execution {
        Execution { runs, steps }
    }
}

impl Execution {
    /// What has been checked.
    pub fn describe(&self) -> String {
        let number = |number: u64, one: &str| {
            let s = if number == 1 { "" } else { "s" };
            format!("{} {one}{s}", grouped(number))
        };
        let (runs, steps) = (number(self.runs, "run"), number(self.steps, "step"));
        format!("checked by complete execution: {runs}, {steps}")
    }
}

/// A number with its digits in groups of three.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// How many conditions were checked, by whom if that is to be said, and how loops are written out.
pub fn conditions(
    conditions: usize,
    by: &str,
    unrolled: Option<u32>,
    inductive: Option<u32>,
) -> String {
    let by = by.to_owned() + &turns(unrolled, inductive);
    match conditions {
        0 => format!("nothing had to be checked{by}"),
        1 => format!("1 condition checked{by}"),
        many => format!("{many} conditions checked{by}"),
    }
}

/// How a proof writes loops out, if it does: the end of a sentence about conditions.
fn turns(unrolled: Option<u32>, inductive: Option<u32>) -> String {
    match (unrolled, inductive) {
        (Some(turns), _) => format!(", each loop unrolled {turns} times"),
        (None, Some(1)) => ", by induction over the turns of each loop".to_owned(),
        (None, Some(turns)) => {
            format!(", by induction over the turns of each loop, {turns} at a time")
        }
        (None, None) => String::new(),
    }
}

/// The functions of which a proof says something, in the order of the program.
pub(crate) fn functions(program: &Program, proof: &evidence::Proof) -> Vec<Function> {
    let function = |(proc, contract)| Speaker { program, proof, proc }.function(contract);
    let said = proof.contracts().map(function);
    said.filter(|said| said.has_contract() || !said.invariants.is_empty()).collect()
}

/// Finds the words for what a proof says about one function.
struct Speaker<'a> {
    program: &'a Program,
    proof: &'a evidence::Proof,
    proc: ProcId,
}

impl Speaker<'_> {
    fn function(&self, contract: &Contract) -> Function {
        let procedure = &self.program.procs[self.proc];
        let invariants = self.proof.invariants().filter(|(proc, ..)| *proc == self.proc);
        let invariants = invariants.map(|(_, loc, formula)| Invariant {
            position: self.position(loc),
            holds: self.clauses(formula),
        });
        Function {
            name: procedure.name.clone(),
            position: Position::new(&self.program.source, procedure.span),
            requires: self.clauses(contract.requires),
            ensures: self.clauses(contract.ensures),
            assigns: self.footprint(&contract.assigns),
            invariants: invariants.filter(|invariant| !invariant.holds.is_empty()).collect(),
        }
    }

    /// One for each conjunct; none for `true`.
    fn clauses(&self, formula: Term) -> Vec<String> {
        if formula == Term::TRUE {
            return Vec::new();
        }
        let named = |symbol: Symbol| {
            let meaning = self.proof.meaning(symbol);
            let element = self.program.whole_array(meaning.var);
            let ty = element.or(self.program.vars[meaning.var].ty.as_int())?;
            Some(Named { name: self.meaning(meaning), ty })
        };
        let model = self.program.types.model;
        let printer = Printer::new(self.proof.terms(), model, Dialect::Acsl, &named);
        match printer.conjuncts(formula) {
            (lines, 0) => lines,
            _ => {
                let conjuncts = self.proof.terms().conjuncts(formula);
                conjuncts.into_iter().map(|part| self.raw(part)).collect()
            }
        }
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
                // Of memory and the variable that follows it, only the latter is spoken of.
                let is_array = |v: &Var| !v.kind.is_ghost() && matches!(v.ty, Type::Array(..));
                let is_root = |root: VarId| var.kind == VarKind::Cell(root);
                let same =
                    same.filter(|(other, v)| known(v.kind) && !is_array(v) && !is_root(*other));
                match same.count() {
                    0 | 1 => var.name.clone(),
                    _ => format!("{}@{}", var.name, line()),
                }
            }
        }
    }

    /// Empty: nothing.
    fn footprint(&self, footprint: &Footprint) -> Vec<String> {
        // What follows memory is memory, or nobody's business.
        let real = footprint.vars.iter().filter(|var| !self.program.vars[**var].kind.is_ghost());
        let vars = real.map(|var| self.name(*var));
        let memory = (!footprint.memory.is_empty()).then(|| MEMORY.to_owned());
        vars.chain(memory).collect()
    }

    fn position(&self, loc: LocId) -> Position {
        let body = self.program.procs[self.proc].body.as_ref();
        let span = body.map(|body| body.locs[loc].span).unwrap_or_default();
        Position::new(&self.program.source, span)
    }
}

/// In place of what a function changes through pointers.
const MEMORY: &str = "all memory that pointers reach";
