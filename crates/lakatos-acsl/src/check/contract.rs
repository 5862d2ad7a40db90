//! Contracts, annotations of loops, assertions: clause by clause.

use lakatos_ir::{Diagnostic, Span};

use super::place::single;
use super::{Checker, Moment};
use crate::env::Environment;
use crate::lexer::Res;
use crate::parse::{error, error_help, unsupported};
use crate::spec::{Assigns, Behavior, Clause, ForBehaviors, Target};
use crate::syntax::{self, Expr, Name, Spanned};
use crate::tree::{self, Place, PlaceKind, Pred, Term, TermKind, Theory};
use crate::types::{CType, Type};

/// Checks the clauses that stand at one place, and collects what is to be said about them.
pub(crate) struct Clauses<'e> {
    pub env: &'e dyn Environment,
    pub theory: &'e Theory,
    /// What the function returns.
    pub result: Option<&'e CType>,
    pub diagnostics: Vec<Diagnostic>,
}

impl Clauses<'_> {
    fn keep<T>(&mut self, result: Res<T>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(diagnostic) => {
                self.diagnostics.push(*diagnostic);
                None
            }
        }
    }

    fn checker(&self, moment: Moment) -> Checker<'_> {
        Checker::at(self.env, self.theory, moment, self.result)
    }

    fn clause(&mut self, clause: &Clause<Expr>, moment: Moment) -> Option<Clause<Pred>> {
        let body = self.checker(moment).pred(&clause.body);
        let body = self.keep(body)?;
        Some(Clause { mode: clause.mode, body, span: clause.span })
    }

    fn clauses(&mut self, all: &[Clause<Expr>], moment: Moment) -> Vec<Clause<Pred>> {
        all.iter().filter_map(|c| self.clause(c, moment)).collect()
    }

    fn measure(&mut self, measure: &Spanned<Expr>, moment: Moment) -> Option<Spanned<Term>> {
        let mut checker = self.checker(moment);
        let term = checker.term(&measure.node).and_then(|term| checker.integer(term));
        let term = self.keep(term)?;
        Some(Spanned::new(term, measure.span))
    }

    fn assigns(&mut self, assigns: &Assigns<Expr>, moment: Moment) -> Option<Assigns<Place>> {
        let mut targets = Vec::with_capacity(assigns.targets.len());
        let mut all = true;
        for target in &assigns.targets {
            let place = self.checker(moment).target(&target.place, moment);
            let Some(place) = self.keep(place) else {
                all = false;
                continue;
            };
            let from = target.from.as_ref().map(|from| self.from(from, moment));
            targets.push(Target { place, from });
        }
        if assigns.targets.iter().any(|t| t.from.is_some()) {
            let message = "`\\from`: what is assigned counts, what it depends on does not";
            self.diagnostics.push(Diagnostic::unsupported(assigns.span, message));
        }
        // With a target missing, the clause would say too much.
        all.then_some(Assigns { targets, span: assigns.span })
    }

    fn from(&mut self, from: &[Expr], moment: Moment) -> Vec<Place> {
        let mut places = Vec::with_capacity(from.len());
        for e in from {
            let place = self.checker(moment).place(e);
            places.extend(self.keep(place));
        }
        places
    }

    pub fn contract(&mut self, contract: &syntax::Contract) -> tree::Contract {
        self.behavior_names(contract);
        tree::Contract {
            requires: self.clauses(&contract.requires, Moment::Entry),
            terminates: match &contract.terminates {
                Some(clause) => self.clause(clause, Moment::Entry),
                None => None,
            },
            decreases: match &contract.decreases {
                Some(measure) => self.measure(measure, Moment::Entry),
                None => None,
            },
            assigns: match &contract.assigns {
                Some(assigns) => self.assigns(assigns, Moment::Assigns),
                None => None,
            },
            ensures: self.clauses(&contract.ensures, Moment::Exit),
            behaviors: contract.behaviors.iter().map(|b| self.behavior(b)).collect(),
            complete: contract.complete.clone(),
            disjoint: contract.disjoint.clone(),
        }
    }

    fn behavior(&mut self, behavior: &syntax::Behavior) -> tree::Behavior {
        Behavior {
            name: behavior.name.clone(),
            assumes: self.clauses(&behavior.assumes, Moment::Entry),
            requires: self.clauses(&behavior.requires, Moment::Entry),
            assigns: match &behavior.assigns {
                Some(assigns) => self.assigns(assigns, Moment::Assigns),
                None => None,
            },
            ensures: self.clauses(&behavior.ensures, Moment::Exit),
        }
    }

    /// No behaviour twice, and none that is not there.
    fn behavior_names(&mut self, contract: &syntax::Contract) {
        let names: Vec<&Name> = contract.behaviors.iter().map(|b| &b.name).collect();
        for (number, name) in names.iter().enumerate() {
            if let Some(first) = names[..number].iter().find(|other| other.node == name.node) {
                let message = format!("a second behaviour `{}`", name.node);
                let diagnostic = Diagnostic::error(name.span, message);
                self.diagnostics.push(diagnostic.note(first.span, "the first is here"));
            }
        }
        for list in contract.complete.iter().chain(&contract.disjoint) {
            if names.is_empty() {
                let message = "there are no behaviours that this could be about";
                self.diagnostics.push(Diagnostic::error(list.span, message));
            }
            for name in &list.node {
                if !names.iter().any(|other| other.node == name.node) && !names.is_empty() {
                    let message = format!("there is no behaviour `{}`", name.node);
                    self.diagnostics.push(Diagnostic::error(name.span, message));
                }
            }
        }
    }

    /// The behaviours of a function that something is said for.
    fn known_behaviors(&mut self, names: &[Name]) {
        let known = self.env.behaviors();
        for name in names {
            if !known.contains(&name.node) {
                let message = format!("there is no behaviour `{}`", name.node);
                let help = "behaviours are those of the function's contract";
                self.diagnostics.push(Diagnostic::error(name.span, message).help(help));
            }
        }
    }

    pub fn loop_annotation(&mut self, annotation: &syntax::LoopAnnotation) -> tree::LoopAnnotation {
        let mut checked = tree::LoopAnnotation::default();
        for invariant in &annotation.invariants {
            self.known_behaviors(&invariant.behaviors);
            let behaviors = invariant.behaviors.clone();
            if let Some(body) = self.clause(&invariant.body, Moment::Loop) {
                checked.invariants.push(ForBehaviors { behaviors, body });
            }
        }
        for item in &annotation.assigns {
            self.known_behaviors(&item.behaviors);
            let behaviors = item.behaviors.clone();
            if let Some(body) = self.assigns(&item.body, Moment::Loop) {
                checked.assigns.push(ForBehaviors { behaviors, body });
            }
        }
        if let Some(variant) = &annotation.variant {
            checked.variant = self.measure(variant, Moment::Loop);
        }
        checked
    }

    pub fn assertions(&mut self, all: &[syntax::Assertion]) -> Vec<tree::Assertion> {
        let mut checked = Vec::with_capacity(all.len());
        for assertion in all {
            self.known_behaviors(&assertion.behaviors);
            let behaviors = assertion.behaviors.clone();
            if let Some(body) = self.clause(&assertion.body, Moment::Code) {
                checked.push(ForBehaviors { behaviors, body });
            }
        }
        checked
    }
}

impl Checker<'_> {
    /// A place that a program can assign to.
    fn target(&mut self, e: &Expr, moment: Moment) -> Res<Place> {
        let place = self.place(e)?;
        self.assignable(&place, moment)?;
        Ok(place)
    }

    fn assignable(&self, place: &Place, moment: Moment) -> Res<()> {
        let span = place.span;
        match &place.kind {
            PlaceKind::Variable(variable) if variable.is_parameter && moment == Moment::Assigns => {
                return error_help(
                    span,
                    format!("`{}` is a parameter, which no caller sees change", variable.name),
                    "leave it out",
                );
            }
            PlaceKind::Value(term) => return no_place(term, span),
            _ => {}
        }
        match single(&place.ty).0 {
            Type::C(CType::Array(_, length)) => {
                let last = match length {
                    Some(length) => length.saturating_sub(1).to_string(),
                    None => "…".to_owned(),
                };
                let help = format!("name its elements: `[0 .. {last}]`");
                error_help(span, "an array cannot be assigned as a whole", &help)
            }
            Type::C(CType::Other(text)) => error(span, format!("`{text}` cannot be assigned")),
            _ => Ok(()),
        }
    }
}

fn no_place(term: &Term, span: Span) -> Res<()> {
    match term.kind {
        TermKind::At(..) => unsupported(span, "`\\at` and `\\old` as what is assigned"),
        _ => error(span, "this is a value, and only places in memory are assigned"),
    }
}
