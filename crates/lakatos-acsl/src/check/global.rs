//! Declarations of the logic.

use lakatos_ir::{Diagnostic, Severity, Span};

use super::{ADDED, Checker, Language, Signature};
use crate::env::Environment;
use crate::lexer::Res;
use crate::parse::{error, error_help, unsupported};
use crate::syntax::{self, Global, LogicBody, Name, Spanned};
use crate::tree::{Case, Definition, FileId, Item, Lemma, Logic, LogicId, Pred, PredKind, Theory};
use crate::types::{CType, Type};

/// Adds declarations of a file; what is wrong with some of them does not touch the others.
pub(crate) fn declare(
    theory: &mut Theory,
    file: FileId,
    globals: &[Spanned<Global>],
    env: &dyn Environment,
) -> Vec<Diagnostic> {
    declare_in(theory, file, globals, env, &|_| Language::Acsl)
}

/// The same, where lemmas may be in other languages.
pub(crate) fn declare_in(
    theory: &mut Theory,
    file: FileId,
    globals: &[Spanned<Global>],
    env: &dyn Environment,
    language: &dyn Fn(&str) -> Language,
) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    let mut declare =
        Declare { theory, file, env, language, block: None, diagnostics: &mut diagnostics };
    let items = declare.items(globals);
    theory.items.extend(items);
    diagnostics
}

struct Declare<'e> {
    theory: &'e mut Theory,
    file: FileId,
    env: &'e dyn Environment,
    /// By the name of the lemma.
    language: &'e dyn Fn(&str) -> Language,
    /// The `axiomatic` block that is open.
    block: Option<String>,
    diagnostics: &'e mut Vec<Diagnostic>,
}

impl Declare<'_> {
    fn items(&mut self, globals: &[Spanned<Global>]) -> Vec<Item> {
        let mut items = Vec::new();
        for global in globals {
            match self.item(&global.node, global.span) {
                Ok(item) => items.push(item),
                Err(diagnostic) => self.diagnostics.push(*diagnostic),
            }
        }
        items
    }

    fn item(&mut self, global: &Global, span: Span) -> Res<Item> {
        match global {
            Global::Logic(logic) => self.logic_or_gap(logic, span).map(Item::Logic),
            Global::Lemma(lemma) => self.lemma(lemma, span).map(Item::Lemma),
            Global::Axiomatic { name, items } => {
                self.state_once(name)?;
                self.block = Some(name.node.clone());
                let items = self.items(items);
                self.block = None;
                Ok(Item::Axiomatic { name: name.clone(), file: self.file, items })
            }
        }
    }

    /// Names of lemmas, axioms and blocks are their own; every name is there once.
    fn state_once(&mut self, name: &Name) -> Res<()> {
        if let Some((file, first)) = self.theory.stated(&name.node) {
            let message = format!("a second lemma, axiom or block `{}`", name.node);
            let diagnostic = Diagnostic::error(name.span, message);
            return Err(self.first_is(diagnostic, file, first).into());
        }
        self.theory.state(&name.node, self.file, name.span);
        Ok(())
    }

    /// Says where something was before, in this file or in another one.
    fn first_is(&self, diagnostic: Diagnostic, file: FileId, first: Span) -> Diagnostic {
        match file == self.file {
            true => diagnostic.note(first, "the first is here"),
            false => {
                let at = self.theory.files[file].position(first.start);
                diagnostic.help(format!("the first is at {at}"))
            }
        }
    }

    /// A function with an error is known all the same, so that there is one error only; one that
    /// is not supported is known as such.
    fn logic_or_gap(&mut self, logic: &syntax::Logic, span: Span) -> Res<LogicId> {
        self.new_name(logic)?;
        let checked = self.logic(logic, span);
        if let Err(diagnostic) = &checked {
            match (diagnostic.severity, self.head(logic)) {
                (Severity::Error, Ok(head)) => {
                    self.theory.add(Logic { span, ..head });
                }
                _ => self.theory.leave_out(&logic.name.node),
            }
        }
        checked.map(|logic| self.theory.add(logic))
    }

    fn new_name(&self, logic: &syntax::Logic) -> Res<()> {
        let name = &logic.name;
        let Some(first) = self.theory.function(&name.node) else { return Ok(()) };
        let first = &self.theory.functions[first];
        let same = first.params.len() == logic.params.len()
            && self
                .head(logic)
                .is_ok_and(|head| head.params.iter().zip(&first.params).all(|(a, b)| a.ty == b.ty));
        if !same {
            return unsupported(
                name.span,
                format!("overloading: there is another `{}`", name.node),
            );
        }
        let message = format!("a second function or predicate `{}`", name.node);
        let diagnostic = Diagnostic::error(name.span, message);
        Err(self.first_is(diagnostic, first.file, first.name.span).into())
    }

    /// What can be said without the body.
    fn head(&self, logic: &syntax::Logic) -> Res<Logic> {
        let mut checker = Checker::logic(self.env, self.theory, &logic.labels)?;
        self.head_with(&mut checker, logic)
    }

    fn head_with(&self, checker: &mut Checker<'_>, logic: &syntax::Logic) -> Res<Logic> {
        let params = checker.variables(&logic.params)?;
        let result = match &logic.result {
            None => None,
            Some(ty) => match checker.ty(ty)? {
                Type::C(CType::Void) => {
                    return error_help(
                        ty.span,
                        "a logic function without a result",
                        "what is true or false is a `predicate`",
                    );
                }
                Type::C(CType::Array(..) | CType::Record(_)) => {
                    return unsupported(
                        ty.span,
                        "logic functions with a struct or array as result",
                    );
                }
                result => Some(result),
            },
        };
        Ok(Logic {
            name: logic.name.clone(),
            file: self.file,
            labels: checker.label_names(&logic.labels),
            params,
            result,
            definition: Definition::Declared,
            axiomatic: self.block.clone(),
            span: logic.name.span,
        })
    }

    fn logic(&self, logic: &syntax::Logic, span: Span) -> Res<Logic> {
        let (checked, added) = self.logic_with(logic, &logic.labels)?;
        if !added {
            return Ok(Logic { span, ..checked });
        }
        // It reads memory, so it has a label, and its recursive calls pass it on.
        let label = Name::new(ADDED.to_owned(), logic.name.span);
        let (checked, _) = self.logic_with(logic, &[label])?;
        Ok(Logic { span, ..checked })
    }

    fn logic_with(&self, logic: &syntax::Logic, labels: &[Name]) -> Res<(Logic, bool)> {
        let mut checker = Checker::logic(self.env, self.theory, labels)?;
        let mut checked = self.head_with(&mut checker, logic)?;
        let signature = Signature {
            id: self.theory.functions.next_id(),
            labels: labels.len(),
            params: checked.params.iter().map(|p| p.ty.clone()).collect(),
            result: checked.result.clone(),
        };
        checker.own = Some((logic.name.node.clone(), signature));
        checked.definition = match &logic.body {
            LogicBody::Declared => Definition::Declared,
            LogicBody::Reads(places) => {
                let mut read = Vec::with_capacity(places.len());
                for e in places {
                    let place = checker.place(e)?;
                    if !place.is_memory() {
                        return error(e.span, "only places in memory are read");
                    }
                    checker.state(e.span)?;
                    read.push(place);
                }
                Definition::Reads(read)
            }
            LogicBody::Defined(body) => match &checked.result {
                None => Definition::Pred(checker.pred(body)?),
                Some(result) => {
                    let term = checker.term(body)?;
                    Definition::Term(checker.expect(term, result)?)
                }
            },
            LogicBody::Inductive(cases) => {
                let own = checker.own.take();
                let cases = cases.iter().map(|case| self.case(case, own.clone(), labels));
                Definition::Inductive(cases.collect::<Res<Vec<_>>>()?)
            }
        };
        checked.labels = checker.label_names(labels);
        Ok((checked, checker.added_label))
    }

    fn case(
        &self,
        case: &syntax::Case,
        own: Option<(String, Signature)>,
        labels: &[Name],
    ) -> Res<Case> {
        let mut checker = Checker::logic(self.env, self.theory, &case.labels)?;
        let id = own.as_ref().map(|(_, signature)| signature.id);
        checker.own = own;
        let body = checker.pred(&case.body)?;
        if id.is_none_or(|id| !concludes(&body, id)) {
            return error_help(
                case.body.span,
                "a case ends with the predicate that it is about",
                "`\\forall …; premise ==> p(…)`",
            );
        }
        if checker.added_label && labels.is_empty() {
            return error_help(
                case.name.span,
                "this case reads memory, and the predicate has no label",
                "write the label behind both names: `{L}`",
            );
        }
        let labels = checker.label_names(&case.labels);
        Ok(Case { name: case.name.clone(), labels, body })
    }

    fn lemma(&mut self, lemma: &syntax::Lemma, span: Span) -> Res<Lemma> {
        self.state_once(&lemma.name)?;
        let mut checker = Checker::logic(self.env, self.theory, &lemma.labels)?;
        checker.language = (self.language)(&lemma.name.node);
        let body = checker.pred(&lemma.body)?;
        Ok(Lemma {
            kind: lemma.kind,
            name: lemma.name.clone(),
            file: self.file,
            labels: checker.label_names(&lemma.labels),
            body,
            span,
        })
    }
}

/// Whether the last consequence of a case is a use of the predicate.
fn concludes(body: &Pred, id: LogicId) -> bool {
    match &body.kind {
        PredKind::Call(call) => call.function == id,
        PredKind::Forall(_, body)
        | PredKind::Let { body, .. }
        | PredKind::Implies(_, body)
        | PredKind::Named(_, body) => concludes(body, id),
        _ => false,
    }
}
