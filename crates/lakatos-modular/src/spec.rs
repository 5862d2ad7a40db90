//! Contracts as what they say of a call: clauses before it, clauses after it, what stays as it was.

use std::collections::BTreeSet;

use lakatos_acsl::read::FunctionContract;
use lakatos_acsl::spec::Mode;
use lakatos_acsl::syntax::Name;
use lakatos_acsl::tree::{Assigns, Behavior, Clause, Label, PlaceKind, Pred, PredKind};
use lakatos_ir::{ProcId, Program, Span, VarId};

use crate::names::Names;
use crate::translate::Refused;

/// A function with contracts of the user, which hold together.
#[derive(Clone, Debug)]
pub(crate) struct Spec {
    pub proc: ProcId,
    pub name: String,
    pub span: Span,
    /// A body says what it does; otherwise the contract does.
    pub has_body: bool,
    /// It is not declared as a function that never returns.
    pub returns: bool,
    pub contracts: Vec<FunctionContract>,
}

/// A clause with what it is about.
#[derive(Clone, Debug)]
pub(crate) struct Stated {
    /// Which of the function's contracts: parameters have names of their own in each.
    pub contract: usize,
    pub mode: Mode,
    pub body: Pred,
    pub span: Span,
}

/// Under a condition on the entry, nothing but these variables changes.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub contract: usize,
    /// `None`: always.
    pub assumes: Option<Pred>,
    pub vars: BTreeSet<VarId>,
    pub span: Span,
}

impl Spec {
    /// A function without a body does what its contract says: it is not one of which nothing is known.
    pub fn is_the_model(&self, program: &mut Program) {
        if !self.has_body {
            program.procs[self.proc].library = None;
        }
    }

    pub fn requires(&self) -> Vec<Stated> {
        self.stated(|c| &c.requires, |b| &b.requires)
    }

    pub fn ensures(&self) -> Vec<Stated> {
        self.stated(|c| &c.ensures, |b| &b.ensures)
    }

    fn stated(
        &self,
        own: fn(&lakatos_acsl::tree::Contract) -> &Vec<Clause>,
        of: fn(&Behavior) -> &Vec<Clause>,
    ) -> Vec<Stated> {
        let mut all = Vec::new();
        for (contract, FunctionContract { contract: c, .. }) in self.contracts.iter().enumerate() {
            let state = |clause: &Clause, body: Pred| Stated {
                contract,
                mode: clause.mode,
                body,
                span: clause.span,
            };
            all.extend(own(c).iter().map(|clause| state(clause, clause.body.clone())));
            for behavior in &c.behaviors {
                for clause in of(behavior) {
                    let assumed = before(assumes(behavior));
                    all.push(state(clause, implies(assumed, clause.body.clone())));
                }
            }
        }
        all
    }

    /// Behaviours that are said to be complete or disjoint are: about the state at the entry.
    pub fn about_behaviors(&self) -> Vec<(&'static str, Stated)> {
        let mut all = Vec::new();
        for (contract, FunctionContract { contract: c, .. }) in self.contracts.iter().enumerate() {
            let state = |body, span| Stated { contract, mode: Mode::Assert, body, span };
            let named = |names: &[Name]| -> Vec<Pred> {
                let meant = |b: &&Behavior| {
                    names.is_empty() || names.iter().any(|name| name.node == b.name.node)
                };
                c.behaviors.iter().filter(meant).map(assumes).collect()
            };
            for clause in &c.complete {
                let any = pred(PredKind::Or(named(&clause.node)), clause.span);
                all.push(("complete behaviors", state(any, clause.span)));
            }
            for clause in &c.disjoint {
                let cases = named(&clause.node);
                for (index, a) in cases.iter().enumerate() {
                    for b in &cases[index + 1..] {
                        let both = PredKind::And(vec![a.clone(), b.clone()]);
                        let both = pred(both, clause.span);
                        let apart = pred(PredKind::Not(Box::new(both)), clause.span);
                        all.push(("disjoint behaviors", state(apart, clause.span)));
                    }
                }
            }
        }
        all
    }

    /// What stays as it was, as all `assigns` clauses say it.
    pub fn frames(&self, program: &Program, names: &Names) -> Result<Vec<Frame>, Refused> {
        let mut frames = Vec::new();
        for (contract, FunctionContract { contract: c, .. }) in self.contracts.iter().enumerate() {
            let behaviors =
                c.behaviors.iter().filter_map(|b| Some((Some(assumes(b)), b.assigns.as_ref()?)));
            let own = c.assigns.iter().map(|assigns| (None, assigns));
            for (assumes, assigns) in own.chain(behaviors) {
                let vars = listed(program, names, assigns)?;
                frames.push(Frame { contract, assumes, vars, span: assigns.span });
            }
        }
        Ok(frames)
    }
}

/// The variables that a clause lists.
pub(crate) fn listed(
    program: &Program,
    names: &Names,
    assigns: &Assigns,
) -> Result<BTreeSet<VarId>, Refused> {
    let mut vars = BTreeSet::new();
    for target in &assigns.targets {
        let span = target.place.span;
        match &target.place.kind {
            // A result is nothing that anybody could see change.
            PlaceKind::Result => {}
            PlaceKind::Variable(variable) => {
                match names.variable(program, variable) {
                    Some(var) => {
                        vars.insert(var);
                    }
                    // What the code never uses, nobody sees change.
                    None if variable.is_parameter => {}
                    None => {
                        let what = format!("`{}`, which the code never uses", variable.name);
                        return Err(Refused { what, span });
                    }
                }
            }
            _ => {
                let what = "memory that is reached by a pointer, an array or a record".to_owned();
                return Err(Refused { what, span });
            }
        }
    }
    Ok(vars)
}

fn pred(kind: PredKind, span: Span) -> Pred {
    Pred { kind, span }
}

/// What a behaviour assumes.
fn assumes(behavior: &Behavior) -> Pred {
    let parts = behavior.assumes.iter().map(|clause| clause.body.clone()).collect();
    pred(PredKind::And(parts), behavior.name.span)
}

/// As it is at the entry.
fn before(assumed: Pred) -> Pred {
    let span = assumed.span;
    pred(PredKind::At(Box::new(assumed), Label::Old), span)
}

fn implies(a: Pred, b: Pred) -> Pred {
    let span = b.span;
    pred(PredKind::Implies(Box::new(a), Box::new(b)), span)
}
