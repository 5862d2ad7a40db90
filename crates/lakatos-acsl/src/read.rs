//! From files to typed declarations and annotations.

use lakatos_c::ast::{Annotation as Comment, DeclId, DeclKind, StmtId, StmtKind, Target, Unit};
use lakatos_ir::{Diagnostic, Severity, Source, Span};
use rustc_hash::FxHashMap;

use crate::check::contract::Clauses;
use crate::check::{self, Language, Moment, global};
use crate::env::{Entity, Environment};
use crate::parse::{self, Parsed, Site, Vocabulary};
use crate::program::{Place, Program};
use crate::syntax::{self, Annotation};
use crate::tree::{Assertion, Contract, FileId, LoopAnnotation, Pred, Theory};

/// Why a file cannot be used: at least one error.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{}", first_error(.file, .diagnostics))]
pub struct Failure {
    pub file: Source,
    /// Errors, and what is not supported, in order of their places.
    pub diagnostics: Vec<Diagnostic>,
}

fn first_error(file: &Source, diagnostics: &[Diagnostic]) -> String {
    match diagnostics.iter().find(|d| d.severity == Severity::Error) {
        Some(d) => format!("{}: {}", file.position(d.span.start), d.message),
        None => format!("{} cannot be used", file.name()),
    }
}

/// What the annotations of a program say.
#[derive(Clone, Debug, Default)]
pub struct Annotations {
    pub contracts: Vec<FunctionContract>,
    pub loops: Vec<Annotated<LoopAnnotation>>,
    pub assertions: Vec<Annotated<Vec<Assertion>>>,
    /// What is left out, with its place.
    pub unsupported: Vec<Diagnostic>,
}

/// A contract that stands before a declaration or the definition of a function. There may be
/// several of one function, which hold together.
#[derive(Clone, Debug)]
pub struct FunctionContract {
    pub function: DeclId,
    pub name: String,
    /// Its parameters, as they are called where the contract stands.
    pub params: Vec<DeclId>,
    pub contract: Contract,
    /// Nothing of it is left out. Otherwise it says less than the user wrote: of a function without
    /// a body it must not be assumed, since what is left out may be what it requires.
    pub complete: bool,
    pub span: Span,
}

/// Something that is said about a statement.
#[derive(Clone, Debug)]
pub struct Annotated<T> {
    pub function: DeclId,
    pub stmt: StmtId,
    pub body: T,
    /// Nothing of it is left out.
    pub complete: bool,
    pub span: Span,
}

/// Names at a place, and those that were left out.
pub(crate) struct Words<'w> {
    pub env: &'w dyn Environment,
    pub theory: &'w Theory,
}

impl Vocabulary for Words<'_> {
    fn is_type(&self, name: &str) -> bool {
        matches!(self.env.name(name), Some(Entity::Typedef(_)))
    }

    fn is_left_out(&self, name: &str) -> bool {
        self.theory.is_left_out(name)
    }
}

fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|d| d.severity == Severity::Error)
}

/// Either what is not supported, or a failure.
pub(crate) fn finish(
    file: Source,
    mut diagnostics: Vec<Diagnostic>,
) -> Result<Vec<Diagnostic>, Box<Failure>> {
    diagnostics.sort_by_key(|d| d.span);
    match has_errors(&diagnostics) {
        true => Err(Box::new(Failure { file, diagnostics })),
        false => Ok(diagnostics),
    }
}

/// Adds the declarations of an ACSL file to a theory. After a failure the theory is as it was.
/// Returns what is not supported and therefore left out.
pub fn read_file(
    theory: &mut Theory,
    file: Source,
    env: &dyn Environment,
) -> Result<Vec<Diagnostic>, Box<Failure>> {
    let mut larger = theory.clone();
    let Parsed { tree, mut diagnostics, left_out } =
        parse::file(file.text(), &Words { env, theory });
    left_out.iter().for_each(|name| larger.leave_out(name));
    let id = larger.files.push(file.clone());
    diagnostics.extend(global::declare(&mut larger, id, &tree, env));
    let unsupported = finish(file, diagnostics)?;
    *theory = larger;
    Ok(unsupported)
}

/// Reads all annotations of a program; its declarations of the logic are added to the theory.
/// After a failure the theory is as it was.
pub fn read_program(theory: &mut Theory, unit: &Unit) -> Result<Annotations, Box<Failure>> {
    let program = Program::new(unit);
    let mut larger = theory.clone();
    let file = larger.files.push(unit.source.clone());
    let mut reader = Reader {
        unit,
        program: &program,
        file,
        theory: &mut larger,
        annotations: Annotations::default(),
        diagnostics: Vec::new(),
        behaviors: FxHashMap::default(),
    };
    reader.all();
    let Reader { mut annotations, diagnostics, .. } = reader;
    annotations.unsupported = finish(unit.source.clone(), diagnostics)?;
    *theory = larger;
    Ok(annotations)
}

/// Reads one predicate that stands elsewhere and is about a place of a program. What is wrong with it
/// is said with a position in the text.
pub fn read_predicate(
    theory: &Theory,
    text: &str,
    env: &dyn Environment,
) -> Result<Pred, Box<Diagnostic>> {
    let Parsed { tree, diagnostics, .. } = parse::expression(text, 0, &Words { env, theory });
    match (tree, diagnostics.into_iter().next()) {
        (_, Some(wrong)) => Err(Box::new(wrong)),
        (Some(expr), None) => {
            check::predicate(&expr, env, theory, Moment::Loop, None, Language::AcslExpression)
        }
        (None, None) => Err(Box::new(Diagnostic::error(Span::default(), "nothing is said"))),
    }
}

const NOTHING: &str = "this annotation stands where there is nothing to annotate";

struct Reader<'r> {
    unit: &'r Unit,
    program: &'r Program<'r>,
    file: FileId,
    theory: &'r mut Theory,
    annotations: Annotations,
    diagnostics: Vec<Diagnostic>,
    /// Of each function, the behaviours of its contracts.
    behaviors: FxHashMap<DeclId, Vec<String>>,
}

impl Reader<'_> {
    /// In the order of the text, since a declaration is known behind it.
    fn all(&mut self) {
        let mut comments: Vec<&Comment> = self.unit.annotations.iter().collect();
        comments.sort_by_key(|c| c.span);
        for comment in comments {
            match comment.target {
                Target::Stmt(stmt) => self.in_body(comment, stmt),
                Target::Global => self.outside(comment, None),
                Target::Decl(function) => self.outside(comment, Some(function)),
            }
        }
    }

    /// The text between the markers, and where it begins.
    fn text(&self, comment: &Comment) -> (u32, String) {
        let text = self.unit.source.snippet(comment.span);
        let end = if text.starts_with("/*") { text.len() - 2 } else { text.len() };
        (comment.span.start + 3, text[3..end].to_owned())
    }

    fn parse(
        &mut self,
        comment: &Comment,
        site: Site,
        env: &dyn Environment,
    ) -> Option<Annotation> {
        let (at, text) = self.text(comment);
        let words = Words { env, theory: self.theory };
        let parsed = parse::annotation(&text, at, site, &words);
        parsed.left_out.iter().for_each(|name| self.theory.leave_out(name));
        self.diagnostics.extend(parsed.diagnostics);
        parsed.tree
    }

    fn error(&mut self, span: Span, message: &str, help: &str) {
        self.diagnostics.push(Diagnostic::error(span, message).help(help));
    }

    /// Whether there is nothing between a comment and what it is about but other comments.
    fn adjoins(&self, comment: &Comment, target: u32) -> bool {
        let between = Span::new(comment.span.end.min(target), target);
        comment.span.end <= target && only_trivia(self.unit.source.snippet(between))
    }

    fn outside(&mut self, comment: &Comment, function: Option<DeclId>) {
        let declared = function.and_then(|f| self.declaration(f, comment.span.end));
        let program = self.program;
        let place = match (function, &declared) {
            (Some(function), Some((_, params))) => {
                program.before(comment.span.start, function, params)
            }
            _ => program.place(comment.span.start),
        };
        let before = self.diagnostics.len();
        match self.parse(comment, Site::File, &place) {
            None => {}
            Some(Annotation::Globals(globals)) => {
                let place = program.place(comment.span.start);
                let said = global::declare(self.theory, self.file, &globals, &place);
                self.diagnostics.extend(said);
            }
            Some(Annotation::Contract(contract)) => match (function, &declared) {
                (Some(function), Some((start, params))) if self.adjoins(comment, *start) => {
                    self.contract(comment, function, params.clone(), &contract, &place, before);
                }
                _ => self.error(
                    comment.span,
                    "a contract stands before a declaration or definition of a function",
                    "put it right before the function that it is about",
                ),
            },
            // The parser gives nothing else outside of functions.
            Some(Annotation::Loop(_) | Annotation::Code(_)) => {}
        }
    }

    /// The first declaration of a function behind a position: where it begins, its parameters.
    fn declaration(&self, function: DeclId, at: u32) -> Option<(u32, Vec<DeclId>)> {
        let DeclKind::Function(declared) = &self.unit.decls[function].kind else { return None };
        let here = declared.declarations.iter().map(|d| (d.span.start, &d.params));
        let definition = declared.body.iter().map(|b| (b.span.start, &b.params));
        here.chain(definition)
            .filter(|(start, _)| *start >= at)
            .min_by_key(|(start, _)| *start)
            .map(|(start, params)| (start, params.clone()))
    }

    fn contract(
        &mut self,
        comment: &Comment,
        function: DeclId,
        params: Vec<DeclId>,
        contract: &syntax::Contract,
        place: &Place<'_>,
        before: usize,
    ) {
        let names = contract.behaviors.iter().map(|b| b.name.node.clone());
        self.behaviors.entry(function).or_default().extend(names);
        let result = self.program.result(function);
        let mut clauses = Clauses {
            env: place,
            theory: self.theory,
            result: result.as_ref(),
            diagnostics: Vec::new(),
        };
        let contract = clauses.contract(contract);
        self.diagnostics.extend(clauses.diagnostics);
        self.annotations.contracts.push(FunctionContract {
            function,
            name: self.unit.symbols.name(self.unit.decls[function].name).to_owned(),
            params,
            contract,
            complete: self.diagnostics.len() == before,
            span: comment.span,
        });
    }

    fn in_body(&mut self, comment: &Comment, stmt: StmtId) {
        let program = self.program;
        let target = &self.unit.stmts[stmt];
        let Some(function) = program.function_at(comment.span.start) else {
            self.error(comment.span, NOTHING, "put it before a statement");
            return;
        };
        let before = self.diagnostics.len();
        let parsed = self.parse(comment, Site::Body, &program.place(comment.span.start));
        let Some(parsed) = parsed else { return };
        if !self.adjoins(comment, target.span.start) {
            self.error(comment.span, NOTHING, "put it before a statement");
            return;
        }
        // In a `for`, the loop knows what its first part declares.
        let (is_loop, at) = match target.kind {
            StmtKind::For { body, .. } => (true, self.unit.stmts[body].span.start),
            StmtKind::While { .. } | StmtKind::DoWhile { .. } => (true, comment.span.start),
            _ => (false, comment.span.start),
        };
        let behaviors = self.behaviors.get(&function).cloned().unwrap_or_default();
        let at = if matches!(parsed, Annotation::Loop(_)) { at } else { comment.span.start };
        let place = program.place(at).with_behaviors(&behaviors);
        let mut clauses =
            Clauses { env: &place, theory: self.theory, result: None, diagnostics: Vec::new() };
        match parsed {
            Annotation::Loop(_) if !is_loop => self.error(
                comment.span,
                "there is no loop behind this annotation",
                "put it right before `while`, `for` or `do`",
            ),
            Annotation::Loop(annotation) => {
                let body = clauses.loop_annotation(&annotation);
                self.diagnostics.append(&mut clauses.diagnostics);
                let complete = self.diagnostics.len() == before;
                let span = comment.span;
                self.annotations.loops.push(Annotated { function, stmt, body, complete, span });
            }
            Annotation::Code(assertions) => {
                let body = clauses.assertions(&assertions);
                self.diagnostics.append(&mut clauses.diagnostics);
                let complete = self.diagnostics.len() == before;
                let span = comment.span;
                let annotated = Annotated { function, stmt, body, complete, span };
                self.annotations.assertions.push(annotated);
            }
            // The parser gives nothing else in the body of a function.
            Annotation::Globals(_) | Annotation::Contract(_) => {}
        }
    }
}

/// White space and comments.
fn only_trivia(text: &str) -> bool {
    let mut rest = text.trim_start();
    loop {
        let end = if rest.starts_with("//") {
            rest.find('\n')
        } else if rest.starts_with("/*") {
            rest.find("*/").map(|at| at + 2)
        } else {
            return rest.is_empty();
        };
        match end {
            Some(end) => rest = rest[end..].trim_start(),
            None => return true,
        }
    }
}
