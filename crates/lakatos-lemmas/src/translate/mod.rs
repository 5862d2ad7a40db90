//! ACSL as formulas of the solver.
//!
//! Numbers are those of mathematics. A variable of a type of C is in the range of it, which is a
//! premise. What a pointer points to in a state is an array from all integers to integers: `a[i]`
//! in the state `L` is element `i` of the array of `a` and `L`. So a function with labels takes an
//! array for each of its pointers and labels, and pointers are gone. That is all that is known of
//! pointers: whoever compares them, or asks whether they are valid, is refused with the place.
//!
//! - A lemma is about *all* arrays, whatever pointers share: it says more than the ACSL, so a proof
//!   of it is one. Therefore pointers are bound by `\forall` at the beginning of a lemma only.
//! - The elements of an `int` array are in the range of `int`. Most lemmas hold of all integers, and
//!   are then proved so ([`Statement::general`]); otherwise the ranges are premises
//!   ([`Statement::ranged`]).
//! - Division by zero is some number, always the same one for the same dividend, and nothing more is
//!   known of it.
//! - A definition that does not use itself is put in the place of its uses.
//! - A function without definition depends on the elements of the arrays and nothing else. As it
//!   is axiomatic, that is an assumption.

mod formula;
mod number;
mod place;

use std::collections::{BTreeMap, BTreeSet};

use lakatos_acsl::env::CVariable;
use lakatos_acsl::spec::LemmaKind;
use lakatos_acsl::tree::{self, FileId, LogicId, Pred, Theory};
use lakatos_acsl::types::{CType, Type};
use lakatos_ir::{DataModel, Diagnostic, IntType, Span};
use lakatos_logic::lemma::{Definition, Lemma};
use lakatos_logic::term::{Function, Node, Quantifier, Sort, Symbol, Term, Terms};

use self::formula::Scope;
pub(crate) use self::number::bounds;
use crate::write;

/// What a theory of ACSL says, in order.
#[derive(Debug, Default)]
pub struct Translation {
    pub items: Vec<Item>,
    /// What could not be translated, and is left out.
    pub refused: Vec<(FileId, Diagnostic)>,
    /// What users call the variables.
    pub names: BTreeMap<Symbol, String>,
}

/// Something that the user declared.
#[derive(Clone, Debug)]
pub struct Item {
    pub name: String,
    pub file: FileId,
    pub span: Span,
    pub kind: ItemKind,
}

#[derive(Clone, Debug)]
pub enum ItemKind {
    Definition {
        definition: Definition,
        /// The same where parameters are in the range of their types, and nothing of interest
        /// elsewhere: for recursions that end only there.
        guarded: Option<Definition>,
        /// It stands in an `axiomatic` block.
        axiomatic: bool,
    },
    /// A name of which only axioms tell something.
    Declaration {
        function: Function,
    },
    Lemma {
        kind: LemmaKind,
        statement: Statement,
    },
}

/// A lemma in two strengths.
#[derive(Clone, Debug)]
pub struct Statement {
    /// For arrays of any integers.
    pub general: Lemma,
    /// For arrays whose elements are in the range of their type, if there are arrays.
    pub ranged: Option<Lemma>,
    /// Variables that are arrays, or elements of arrays, with the type of the elements.
    pub elements: Vec<(Symbol, IntType)>,
    /// The functions in it, those included that turn out not to matter.
    pub functions: BTreeSet<Function>,
}

/// What is refused, where, and what to do about it.
#[derive(Clone, Debug)]
pub(crate) struct Refused(Box<Diagnostic>);

pub(crate) type Res<T> = Result<T, Refused>;

pub(crate) fn refuse<T>(span: Span, what: impl Into<String>, help: &str) -> Res<T> {
    Err(Refused(Box::new(Diagnostic::unsupported(span, what).help(help))))
}

/// A predicate about a program, as a formula about its variables: those that are pointers or arrays
/// are the arrays that they point to.
#[derive(Clone, Debug)]
pub struct Remark {
    pub formula: Term,
    pub variables: Vec<(Symbol, CVariable)>,
}

/// Translates all declarations; what is refused does not touch those that do not use it.
pub fn translate(terms: &mut Terms, theory: &Theory, model: DataModel) -> Translation {
    translate_with(terms, theory, model, &[]).0
}

/// The same, and predicates of a program that use them, each by itself.
pub fn translate_with(
    terms: &mut Terms,
    theory: &Theory,
    model: DataModel,
    remarks: &[&Pred],
) -> (Translation, Vec<Result<Remark, Diagnostic>>) {
    let mut translator = Translator {
        terms,
        theory,
        model,
        callees: BTreeMap::new(),
        translation: Translation::default(),
    };
    translator.items(&theory.items);
    let remarks = remarks.iter().map(|pred| translator.remark(pred)).collect();
    (translator.translation, remarks)
}

/// What a call of a logic function becomes.
#[derive(Clone, Debug)]
enum Callee {
    Applied(Function),
    /// Its definition with arguments in the place of parameters.
    Inlined(Definition),
}

/// What a type is to the solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// In the range of a type of C, if it is one.
    Number(Option<IntType>),
    Truth,
    /// What a pointer to integers of this type points to.
    Array(IntType),
}

struct Translator<'t> {
    terms: &'t mut Terms,
    theory: &'t Theory,
    model: DataModel,
    callees: BTreeMap<LogicId, Callee>,
    translation: Translation,
}

impl Translator<'_> {
    fn items(&mut self, items: &[tree::Item]) {
        for item in items {
            let (file, made) = match item {
                tree::Item::Logic(id) => (self.theory.functions[*id].file, self.logic(*id)),
                tree::Item::Lemma(lemma) => (lemma.file, self.lemma(lemma)),
                tree::Item::Axiomatic { items, .. } => {
                    self.items(items);
                    continue;
                }
            };
            match made {
                Ok(item) => self.translation.items.push(item),
                Err(Refused(diagnostic)) => self.translation.refused.push((file, *diagnostic)),
            }
        }
    }

    fn logic(&mut self, id: LogicId) -> Res<Item> {
        let logic = &self.theory.functions[id];
        let mut scope = Scope::new(&logic.labels);
        let mut parameters = Vec::new();
        let mut ranges = Vec::new();
        for param in &logic.params {
            match self.shape(&param.ty, logic.span)? {
                Shape::Array(element) => {
                    if logic.labels.is_empty() {
                        return refuse(
                            logic.name.span,
                            format!("`{}`, which is about a pointer itself", logic.name.node),
                            "functions with labels are about what pointers point to: `{L}`",
                        );
                    }
                    parameters.extend(self.arrays(&mut scope, param, &logic.labels, element));
                }
                shape => {
                    let symbol = self.variable(&mut scope, param, shape);
                    ranges.extend(self.range_of(symbol, shape));
                    parameters.push(symbol);
                }
            }
        }
        // A function without parameters would be a variable to the solver: it takes some number.
        if parameters.is_empty() {
            parameters.push(self.fresh("_", Sort::Int));
        }
        let sorts: Vec<Sort> = parameters.iter().map(|p| self.terms.symbol_sort(*p)).collect();
        let result = match &logic.result {
            None => Sort::Bool,
            Some(ty) => match self.shape(ty, logic.span)? {
                Shape::Number(_) => Sort::Int,
                Shape::Truth => Sort::Bool,
                Shape::Array(_) => {
                    return refuse(logic.span, "a function whose result is a pointer", POINTERS);
                }
            },
        };
        let function = self.terms.function(&logic.name.node, &sorts, result);
        let kind = self.defined(id, function, scope, parameters, ranges)?;
        let (name, file, span) = (logic.name.node.clone(), logic.file, logic.name.span);
        Ok(Item { name, file, span, kind })
    }

    /// A function with its parameters, given its body.
    fn defined(
        &mut self,
        id: LogicId,
        function: Function,
        mut scope: Scope,
        parameters: Vec<Symbol>,
        ranges: Vec<Term>,
    ) -> Res<ItemKind> {
        let logic = &self.theory.functions[id];
        // Known in its own body; forgotten if that is refused.
        self.callees.insert(id, Callee::Applied(function));
        let body = match &logic.definition {
            tree::Definition::Term(body) => self.term(&mut scope, body),
            tree::Definition::Pred(body) => self.pred(&mut scope, body),
            // A label without an array: it would depend on memory that no argument stands for.
            tree::Definition::Declared | tree::Definition::Reads(_)
                if !logic.labels.is_empty() && scope.arrays.is_empty() =>
            {
                refuse(
                    logic.name.span,
                    format!("`{}`, which depends on memory that it is not given", logic.name.node),
                    "functions of memory take a pointer to it",
                )
            }
            tree::Definition::Declared => return Ok(ItemKind::Declaration { function }),
            tree::Definition::Reads(places) => match self.reads(&mut scope, places) {
                Ok(()) => return Ok(ItemKind::Declaration { function }),
                Err(refused) => Err(refused),
            },
            tree::Definition::Inductive(_) => refuse(
                logic.name.span,
                "an `inductive` predicate",
                "write a recursive `predicate`, or state its cases as axioms",
            ),
        };
        let body = body.inspect_err(|_| drop(self.callees.remove(&id)))?;
        let definition = Definition { function, parameters, body };
        let axiomatic = logic.axiomatic.is_some();
        let recursive = uses(self.terms, body, function);
        if !recursive && !axiomatic {
            self.callees.insert(id, Callee::Inlined(definition.clone()));
        }
        let guarded = match recursive && !ranges.is_empty() {
            true => Some(self.guarded(&definition, ranges)),
            false => None,
        };
        Ok(ItemKind::Definition { definition, guarded, axiomatic })
    }

    /// Of arguments that no term of the parameters' types has, the result is zero, or false.
    fn guarded(&mut self, definition: &Definition, ranges: Vec<Term>) -> Definition {
        let inside = self.terms.and(ranges);
        let otherwise = match self.terms.sort(definition.body) {
            Sort::Bool => Term::FALSE,
            _ => self.terms.int(0),
        };
        let body = self.terms.ite(inside, definition.body, otherwise);
        Definition { body, ..definition.clone() }
    }

    fn lemma(&mut self, lemma: &tree::Lemma) -> Res<Item> {
        let mut scope = Scope::new(&lemma.labels);
        scope.is_lemma = true;
        let formula = self.closed(&mut scope, &lemma.body)?;
        let functions = functions(self.terms, formula);
        let mut elements = scope.elements;
        let formula = write::as_stores(self.terms, formula, &mut elements, &mut scope.variables);
        let occurring = self.terms.free_symbols(formula);
        elements.retain(|(symbol, _)| occurring.contains(symbol));
        let mut variables = scope.variables;
        variables.retain(|symbol| occurring.contains(symbol));
        let name = lemma.name.node.clone();
        let general = Lemma { name, variables, formula };
        let ranged = self.ranged(&general, &elements);
        let statement = Statement { general, ranged, elements, functions };
        let kind = ItemKind::Lemma { kind: lemma.kind, statement };
        let (name, file, span) = (lemma.name.node.clone(), lemma.file, lemma.name.span);
        Ok(Item { name, file, span, kind })
    }

    fn remark(&mut self, pred: &Pred) -> Result<Remark, Diagnostic> {
        let mut scope = Scope::of_remark();
        match self.pred(&mut scope, pred) {
            Ok(formula) => Ok(Remark { formula, variables: scope.program.unwrap_or_default() }),
            Err(Refused(diagnostic)) => Err(*diagnostic),
        }
    }

    /// A lemma about elements in the range of their types only.
    fn ranged(&mut self, lemma: &Lemma, elements: &[(Symbol, IntType)]) -> Option<Lemma> {
        if elements.is_empty() {
            return None;
        }
        let mut premises = Vec::new();
        for (symbol, ty) in elements {
            let term = self.terms.symbol_term(*symbol);
            if self.terms.sort(term) == Sort::Int {
                premises.push(number::in_range(self.terms, term, *ty));
                continue;
            }
            let index = self.terms.fresh("k", Sort::Int);
            let element = self.terms.select(term, index);
            let inside = number::in_range(self.terms, element, *ty);
            let bound = self.terms.as_symbol(index).expect("a fresh symbol is a symbol");
            premises.push(self.terms.quantified(Quantifier::Forall, &[bound], inside));
        }
        let premise = self.terms.and(premises);
        let formula = self.terms.implies(premise, lemma.formula);
        Some(Lemma { formula, ..lemma.clone() })
    }

    fn shape(&self, ty: &Type, span: Span) -> Res<Shape> {
        match ty {
            Type::Integer => Ok(Shape::Number(None)),
            Type::Boolean => Ok(Shape::Truth),
            Type::C(CType::Pointer(inner)) => match inner.int_kind() {
                Some(kind) => Ok(Shape::Array(kind.int_type(self.model))),
                None => refuse(
                    span,
                    format!("a pointer to `{inner}`"),
                    "pointers to integers are arrays; others are not supported",
                ),
            },
            ty => match ty.c().and_then(CType::int_kind) {
                Some(kind) => Ok(Shape::Number(Some(kind.int_type(self.model)))),
                None => refuse(
                    span,
                    format!("the type `{ty}`"),
                    "integers, truth values and pointers to integers are supported",
                ),
            },
        }
    }

    fn fresh(&mut self, name: &str, sort: Sort) -> Symbol {
        let term = self.terms.fresh(name, sort);
        let symbol = self.terms.as_symbol(term).expect("a fresh symbol is a symbol");
        self.translation.names.insert(symbol, name.to_owned());
        symbol
    }
}

const POINTERS: &str = "of pointers only what they point to is known: `a[i]`";

/// Whether a function is applied in a term.
fn uses(terms: &Terms, body: Term, function: Function) -> bool {
    let applied = |t: Term| matches!(terms.node(t), Node::Apply(other, _) if *other == function);
    terms.parts_first(&[body]).into_iter().any(applied)
}

/// The functions that are applied in a term.
fn functions(terms: &Terms, body: Term) -> BTreeSet<Function> {
    let parts = terms.parts_first(&[body]).into_iter();
    let function = |term: Term| match terms.node(term) {
        Node::Apply(function, _) => Some(*function),
        _ => None,
    };
    parts.filter_map(function).collect()
}
