//! Lemma files of the witness format: entries of type `lemma_set` (Table 4.1 of *Lemmas for
//! Predicate Abstraction*).
//!
//! A set becomes what an ACSL file would say with an `axiomatic` block: nothing of it is shown, so
//! all of it is an assumption.
//!
//! ```text
//! declarations: ["int _L_MAX(int *A, int I)", "int *A", "int I"]     axiomatic lemma_set_1 {
//! content:                                                             logic integer _L_MAX{L}(int *A, integer I);
//! - lemma: { value: "ACSL(_L_MAX(A, 0)) == A[0]",                      axiom lemma_set_1_1{L}:
//!            format: c_expression }                                      \forall int *A; _L_MAX(A, 0) == A[0];
//!                                                                    }
//! ```
//!
//! Functions take and return mathematical integers where C says an integer type: a sum may be
//! larger than any of C's. Variables keep their types, so a lemma speaks of no more values than it
//! says. A function with a pointer among its parameters looks at memory in one state.

mod yaml;

use lakatos_ir::{Diagnostic, Severity, Source, Span};

use self::yaml::{Node, Value, Yaml};
use crate::check::{Language, global};
use crate::env::{Entity, Environment};
use crate::lexer::Res;
use crate::parse::declaration::{Declaration, declaration};
use crate::parse::{error, error_help, expression_at};
use crate::read::{Failure, Words, finish};
use crate::spec::LemmaKind;
use crate::syntax::{
    Binder, Expr, ExprKind, Global, Lemma, Logic, LogicBody, Name, Spanned, TypeExpr, TypeKind,
    Variable,
};
use crate::tree::Theory;
use crate::types::CType;

/// Adds the lemma sets of a file to a theory. After a failure the theory is as it was. Returns
/// what is not supported and left out, and warnings about what is passed over.
pub fn read_lemma_sets(
    theory: &mut Theory,
    file: Source,
    env: &dyn Environment,
) -> Result<Vec<Diagnostic>, Box<Failure>> {
    let mut larger = theory.clone();
    let id = larger.files.push(file.clone());
    let mut reader =
        Reader { env, theory, source: &file, diagnostics: Vec::new(), sets: Vec::new() };
    let read = reader.file();
    let Reader { mut diagnostics, sets, .. } = reader;
    diagnostics.extend(read.err().map(|e| *e));
    for set in &sets {
        let language = |name: &str| {
            let named = set.languages.iter().find(|(lemma, _)| lemma == name);
            named.map_or(Language::Acsl, |(_, language)| *language)
        };
        let said = global::declare_in(&mut larger, id, &set.globals, env, &language);
        diagnostics.extend(said);
    }
    let said = finish(file, diagnostics)?;
    *theory = larger;
    Ok(said)
}

/// A set as declarations, with the languages of its lemmas.
struct Set {
    globals: Vec<Spanned<Global>>,
    languages: Vec<(String, Language)>,
}

struct Reader<'r> {
    env: &'r dyn Environment,
    theory: &'r Theory,
    source: &'r Source,
    diagnostics: Vec<Diagnostic>,
    sets: Vec<Set>,
}

/// What the declarations of a set say.
#[derive(Default)]
struct Declared {
    items: Vec<Spanned<Global>>,
    variables: Vec<Variable>,
}

impl<'r> Reader<'r> {
    fn file(&mut self) -> Res<()> {
        let yaml = Yaml::new(self.source)?;
        let entries: Vec<&Node> = match &yaml.root.value {
            Value::List(entries) => entries.iter().collect(),
            // A lone entry is no list, but there is no doubt what is meant.
            Value::Map(_) => vec![&yaml.root],
            _ => return error(yaml.span(&yaml.root), "a list of entries is expected here"),
        };
        for entry in entries {
            if let Err(diagnostic) = self.entry(&yaml, entry) {
                self.diagnostics.push(*diagnostic);
            }
        }
        let failed = self.diagnostics.iter().any(|d| d.severity == Severity::Error);
        match self.sets.is_empty() && !failed {
            true => error_help(
                yaml.span(&yaml.root),
                "there is no entry of type `lemma_set`",
                "a file of ACSL declarations has the extension `.acsl`",
            ),
            false => Ok(()),
        }
    }

    fn warn(&mut self, span: Span, message: String) {
        self.diagnostics.push(Diagnostic::warning(span, message));
    }

    /// Says which keys mean nothing here.
    fn only(&mut self, yaml: &Yaml<'_>, node: &Node, known: &[&str]) {
        let Value::Map(entries) = &node.value else { return };
        for (name, value) in entries {
            if !known.contains(&name.as_str()) {
                self.warn(yaml.span(value), format!("the key `{name}` is ignored"));
            }
        }
    }

    fn entry(&mut self, yaml: &Yaml<'_>, entry: &Node) -> Res<()> {
        let kind = text(yaml, get(yaml, entry, "entry_type")?)?;
        if kind != "lemma_set" {
            self.warn(yaml.span(entry), format!("the entry of type `{kind}` is passed over"));
            return Ok(());
        }
        self.only(yaml, entry, &["entry_type", "metadata", "declarations", "content"]);
        let mut declared = Declared::default();
        if let Some(declarations) = find(entry, "declarations") {
            for node in list(yaml, declarations)? {
                self.declaration(yaml, node, &mut declared)?;
            }
        }
        let block = self.block_name();
        let mut set = Set { globals: Vec::new(), languages: Vec::new() };
        for node in list(yaml, get(yaml, entry, "content")?)? {
            let number = set.languages.len() + 1;
            let lemma = self.lemma(yaml, node, format!("{block}_{number}"), &declared)?;
            let Some((lemma, language)) = lemma else { continue };
            set.languages.push((lemma.name.node.clone(), language));
            let span = lemma.name.span;
            declared.items.push(Spanned::new(Global::Lemma(lemma), span));
        }
        let span = yaml.span(entry);
        let name = Spanned::new(block, span);
        let block = Global::Axiomatic { name, items: declared.items };
        set.globals.push(Spanned::new(block, span));
        self.sets.push(set);
        Ok(())
    }

    /// A name that no other set has.
    fn block_name(&self) -> String {
        let taken = |name: &str| self.theory.stated(name).is_some();
        let mut free = (1..).map(|n| format!("lemma_set_{n}")).filter(|name| !taken(name));
        free.nth(self.sets.len()).unwrap_or_default()
    }

    /// Adds what a declaration of C says about the logic.
    fn declaration(&mut self, yaml: &Yaml<'_>, node: &Node, declared: &mut Declared) -> Res<()> {
        let value = text(yaml, node)?;
        let words = Words { env: self.env, theory: self.theory };
        let parsed = declaration(value, &yaml.places(node, value), &words);
        self.diagnostics.extend(parsed.diagnostics);
        match parsed.tree {
            None => {}
            Some(Declaration::Variable(variable)) => {
                let name = &variable.name;
                if declared.variables.iter().any(|other| other.name == *name) {
                    return error(name.span, format!("a second variable `{}`", name.node));
                }
                declared.variables.push(variable);
            }
            Some(Declaration::Function { name, params, result }) => {
                let logic = self.function(name, params, result);
                let span = logic.name.span;
                declared.items.push(Spanned::new(Global::Logic(logic), span));
            }
        }
        Ok(())
    }

    fn function(&self, name: Name, mut params: Vec<Variable>, result: TypeExpr) -> Logic {
        let reads = params.iter().any(|p| matches!(p.ty.node, TypeKind::Pointer(_)));
        for param in &mut params {
            param.ty = self.mathematical(&param.ty);
        }
        let labels = match reads {
            true => vec![Spanned::new("L".to_owned(), name.span)],
            false => Vec::new(),
        };
        let result = Some(self.mathematical(&result));
        Logic { name, labels, params, result, body: LogicBody::Declared }
    }

    /// Numbers of C as those of mathematics.
    fn mathematical(&self, ty: &TypeExpr) -> TypeExpr {
        let kind = match &ty.node {
            TypeKind::Int(_) | TypeKind::Enum(_) => TypeKind::Integer,
            TypeKind::Float(_) => TypeKind::Real,
            TypeKind::Name(name) => match self.env.name(name) {
                Some(Entity::Typedef(c)) if c.int_kind().is_some() => TypeKind::Integer,
                Some(Entity::Typedef(CType::Float(_))) => TypeKind::Real,
                _ => ty.node.clone(),
            },
            other => other.clone(),
        };
        Spanned::new(kind, ty.span)
    }

    fn lemma(
        &mut self,
        yaml: &Yaml<'_>,
        node: &Node,
        name: String,
        declared: &Declared,
    ) -> Res<Option<(Lemma, Language)>> {
        let node = get(yaml, node, "lemma")?;
        self.only(yaml, node, &["value", "format"]);
        let language = match find(node, "format") {
            None => Language::CExpression,
            Some(format) => match text(yaml, format)? {
                "c_expression" => Language::CExpression,
                "acsl_expression" => Language::AcslExpression,
                other => {
                    return error_help(
                        yaml.span(format),
                        format!("the format `{other}` is not known"),
                        "known are `c_expression` and `acsl_expression`",
                    );
                }
            },
        };
        let value_node = get(yaml, node, "value")?;
        let value = text(yaml, value_node)?;
        let words = Words { env: self.env, theory: self.theory };
        let parsed = expression_at(value, &yaml.places(value_node, value), &words);
        self.diagnostics.extend(parsed.diagnostics);
        let Some(body) = parsed.tree else { return Ok(None) };
        let name = Spanned::new(name, body.span);
        let body = closed(body, &declared.variables);
        Ok(Some((Lemma { kind: LemmaKind::Axiom, name, labels: Vec::new(), body }, language)))
    }
}

/// A formula about all values of the variables in it.
fn closed(body: Expr, declared: &[Variable]) -> Expr {
    let mut used = Vec::new();
    collect_names(&body, &mut used);
    let variables: Vec<Variable> =
        declared.iter().filter(|v| used.contains(&v.name.node)).cloned().collect();
    if variables.is_empty() {
        return body;
    }
    let span = body.span;
    Expr::new(ExprKind::Bind { binder: Binder::Forall, variables, body: body.into() }, span)
}

fn collect_names(e: &Expr, names: &mut Vec<String>) {
    if let ExprKind::Name(name) = &e.kind {
        names.push(name.clone());
    }
    e.kind.for_each_operand(|e| collect_names(e, names));
}

fn find<'n>(node: &'n Node, key: &str) -> Option<&'n Node> {
    let Value::Map(entries) = &node.value else { return None };
    let found = entries.iter().find(|(name, _)| name == key).map(|(_, node)| node);
    found.filter(|node| !matches!(node.value, Value::Null))
}

fn get<'n>(yaml: &Yaml<'_>, node: &'n Node, key: &str) -> Res<&'n Node> {
    match find(node, key) {
        Some(found) => Ok(found),
        None => error(yaml.span(node), format!("`{key}` is missing here")),
    }
}

fn text<'n>(yaml: &Yaml<'_>, node: &'n Node) -> Res<&'n str> {
    match &node.value {
        Value::Scalar(text) => Ok(text),
        _ => error(yaml.span(node), "a single value is expected here"),
    }
}

fn list<'n>(yaml: &Yaml<'_>, node: &'n Node) -> Res<&'n [Node]> {
    match &node.value {
        Value::List(list) => Ok(list),
        Value::Null => Ok(&[]),
        _ => error(yaml.span(node), "a list is expected here"),
    }
}
