//! The type checker: from what stands in the text to what it means.
//!
//! An error ends the clause or declaration that it is in; the others are checked all the same.
//! Rules are those of ACSL, where Frama-C is stricter than it needs to be they are a little more
//! liberal: see `docs/acsl.md`. Functions that call themselves by way of `value` are not inlined
//! into it: their frames would add up at every level of a deep tree.

mod call;
mod compare;
pub(crate) mod contract;
mod convert;
pub(crate) mod global;
mod operator;
mod place;
mod term;
mod types;

use std::collections::BTreeMap;

use lakatos_ir::{Diagnostic, Span};

use crate::env::Environment;
use crate::lexer::Res;
use crate::parse::error_help;
use crate::syntax::{self, Expr, Name};
use crate::tree::{self, Label, LogicId, Pred, Term, Theory, Variable};
use crate::types::{CType, Type};

/// Where a clause stands, which decides what it may speak of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// `requires`, `assumes`, `terminates`, `decreases`.
    Entry,
    /// `ensures`.
    Exit,
    /// `assigns` of a contract.
    Assigns,
    /// A clause about a loop.
    Loop,
    /// An assertion.
    Code,
}

/// In which language an expression is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Language {
    #[default]
    Acsl,
    /// An `acsl_expression` of a witness: `ACSL(f(x))` is `f(x)`.
    AcslExpression,
    /// A `c_expression` of a witness: also, `&` and `|` of conditions are the operators of logic,
    /// and there are no chains of comparisons. Numbers are those of mathematics all the same.
    CExpression,
}

/// What an expression is.
enum Value {
    Term(Term),
    Pred(Pred),
}

/// A function of the logic, as far as its uses need it.
#[derive(Clone, Debug)]
struct Signature {
    id: LogicId,
    labels: usize,
    params: Vec<Type>,
    /// `None` for a predicate.
    result: Option<Type>,
}

/// Checks one clause or declaration after the other at one place.
pub(crate) struct Checker<'e> {
    env: &'e dyn Environment,
    theory: &'e Theory,
    language: Language,
    /// The function that is being declared: it may use itself.
    own: Option<(String, Signature)>,
    /// Bound variables, the innermost last.
    scope: Vec<Variable>,
    next_variable: u32,
    /// The labels that may be named.
    labels: BTreeMap<String, Label>,
    /// The state in which memory is read.
    current: Option<Label>,
    /// There is no label yet, and one may be added.
    may_add_label: bool,
    added_label: bool,
    /// `\old` has a meaning.
    has_old: bool,
    /// What `\result` is.
    result: Option<CType>,
}

/// The label of a declaration that reads memory and names none.
const ADDED: &str = "L";

impl<'e> Checker<'e> {
    fn new(env: &'e dyn Environment, theory: &'e Theory) -> Checker<'e> {
        Checker {
            env,
            theory,
            language: Language::default(),
            own: None,
            scope: Vec::new(),
            next_variable: 0,
            labels: BTreeMap::new(),
            current: None,
            may_add_label: false,
            added_label: false,
            has_old: false,
            result: None,
        }
    }

    /// For a clause in a program. `result` is what the function returns.
    pub(crate) fn at(
        env: &'e dyn Environment,
        theory: &'e Theory,
        moment: Moment,
        result: Option<&CType>,
    ) -> Checker<'e> {
        let mut checker = Checker::new(env, theory);
        let mut labels = vec![Label::Here, Label::Pre, Label::Init];
        match moment {
            Moment::Entry => {}
            Moment::Exit | Moment::Assigns => labels.extend([Label::Old, Label::Post]),
            Moment::Loop => labels.extend([Label::LoopEntry, Label::LoopCurrent]),
            Moment::Code if env.in_loop() => {
                labels.extend([Label::LoopEntry, Label::LoopCurrent]);
            }
            Moment::Code => {}
        }
        checker.labels = labels.into_iter().map(|l| (l.name().to_owned(), l)).collect();
        checker.current = Some(Label::Here);
        if matches!(moment, Moment::Exit | Moment::Assigns) {
            checker.has_old = true;
            checker.result = result.filter(|ty| **ty != CType::Void).cloned();
        }
        checker
    }

    /// For a declaration of the logic with its labels.
    fn logic(env: &'e dyn Environment, theory: &'e Theory, labels: &[Name]) -> Res<Checker<'e>> {
        let mut checker = Checker::new(env, theory);
        checker.may_add_label = labels.is_empty();
        for label in labels {
            let name = label.node.clone();
            if checker.labels.insert(name, Label::Logic(label.node.clone())).is_some() {
                return crate::parse::error(label.span, format!("a second label `{}`", label.node));
            }
        }
        checker.current = match labels {
            [only] => Some(Label::Logic(only.node.clone())),
            _ => None,
        };
        Ok(checker)
    }

    /// The names of the labels, with the one that was added.
    fn label_names(&self, labels: &[Name]) -> Vec<String> {
        match self.added_label {
            true => vec![ADDED.to_owned()],
            false => labels.iter().map(|l| l.node.clone()).collect(),
        }
    }

    /// The state in which memory is read here.
    fn state(&mut self, span: Span) -> Res<Label> {
        if let Some(label) = &self.current {
            return Ok(label.clone());
        }
        if !self.may_add_label {
            return error_help(
                span,
                "this reads memory, and several labels could be meant",
                "say which one: `\\at(…, L)`, or `{L}` behind the name of the function",
            );
        }
        self.added_label = true;
        Ok(Label::Logic(ADDED.to_owned()))
    }

    fn label(&self, name: &Name) -> Res<Label> {
        if let Some(label) = self.labels.get(&name.node) {
            return Ok(label.clone());
        }
        if self.labels.contains_key("Here") && self.env.has_label(&name.node) {
            return Ok(Label::C(name.node.clone()));
        }
        let mut known: Vec<&str> = self.labels.keys().map(String::as_str).collect();
        known.sort_unstable();
        let help = match known.is_empty() {
            true => "labels are declared behind the name: `{L}`".to_owned(),
            false => format!("known here: {}", known.join(", ")),
        };
        error_help(name.span, format!("there is no label `{}` here", name.node), &help)
    }

    /// Checks something in another state.
    fn in_state<T>(&mut self, label: Label, check: impl FnOnce(&mut Self) -> Res<T>) -> Res<T> {
        let outer = self.current.replace(label);
        let result = check(self);
        self.current = outer;
        result
    }

    /// A new variable, known from now on.
    fn bind(&mut self, name: &str, ty: Type) -> Variable {
        let variable = Variable { id: self.next_variable, name: name.to_owned(), ty };
        self.next_variable += 1;
        self.scope.push(variable.clone());
        variable
    }

    /// Checks something with variables that are forgotten afterwards.
    fn scoped<T>(&mut self, check: impl FnOnce(&mut Self) -> Res<T>) -> Res<T> {
        let known = self.scope.len();
        let result = check(self);
        self.scope.truncate(known);
        result
    }

    fn bound(&self, name: &str) -> Option<&Variable> {
        self.scope.iter().rev().find(|v| v.name == name)
    }

    fn signature(&self, name: &str) -> Option<Signature> {
        if let Some((_, signature)) = self.own.as_ref().filter(|(own, _)| own == name) {
            return Some(signature.clone());
        }
        let id = self.theory.function(name)?;
        let logic = &self.theory.functions[id];
        Some(Signature {
            id,
            labels: logic.labels.len(),
            params: logic.params.iter().map(|p| p.ty.clone()).collect(),
            result: logic.result.clone(),
        })
    }
}

pub(crate) use place::single as single_type;

/// Checks one predicate at a place of the program.
pub fn predicate(
    expr: &Expr,
    env: &dyn Environment,
    theory: &Theory,
    moment: Moment,
    result: Option<&CType>,
    language: Language,
) -> Result<Pred, Box<Diagnostic>> {
    let mut checker = Checker::at(env, theory, moment, result);
    checker.language = language;
    checker.pred(expr)
}

/// Checks one term at a place of the program.
pub fn term(
    expr: &Expr,
    env: &dyn Environment,
    theory: &Theory,
    moment: Moment,
    result: Option<&CType>,
) -> Result<Term, Box<Diagnostic>> {
    Checker::at(env, theory, moment, result).term(expr)
}

/// What is left of something after checking, and what is to be said about the rest.
#[derive(Clone, Debug)]
pub struct Checked<T> {
    pub tree: T,
    /// Errors, and what is not supported and therefore left out.
    pub diagnostics: Vec<Diagnostic>,
}

fn clauses<T>(
    env: &dyn Environment,
    theory: &Theory,
    result: Option<&CType>,
    check: impl FnOnce(&mut contract::Clauses<'_>) -> T,
) -> Checked<T> {
    let mut clauses = contract::Clauses { env, theory, result, diagnostics: Vec::new() };
    let tree = check(&mut clauses);
    Checked { tree, diagnostics: clauses.diagnostics }
}

/// Checks the contract of a function that returns `result`.
pub fn contract(
    contract: &syntax::Contract,
    env: &dyn Environment,
    theory: &Theory,
    result: Option<&CType>,
) -> Checked<tree::Contract> {
    clauses(env, theory, result, |c| c.contract(contract))
}

/// Checks what is said about a loop.
pub fn loop_annotation(
    annotation: &syntax::LoopAnnotation,
    env: &dyn Environment,
    theory: &Theory,
) -> Checked<tree::LoopAnnotation> {
    clauses(env, theory, None, |c| c.loop_annotation(annotation))
}

/// Checks assertions.
pub fn assertions(
    all: &[syntax::Assertion],
    env: &dyn Environment,
    theory: &Theory,
) -> Checked<Vec<tree::Assertion>> {
    clauses(env, theory, None, |c| c.assertions(all))
}
