//! The user's source with annotations in it. Text is only ever inserted: what was there stays as it
//! is, byte for byte.

use lakatos_ir::{Program, Source, Span};

use crate::Gap;
use crate::kept::{Kept, Point, Room};
use crate::model::{Behaviour, Cases, Contracts, Function, Loop, places};

/// What a clause is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Requires,
    Decreases,
    Assigns,
    Ensures,
    /// The begin of a behaviour.
    Behavior,
    Assumes,
    /// As part of a behaviour.
    BehaviorEnsures,
    Complete,
    Disjoint,
    LoopInvariant,
    LoopAssigns,
    LoopVariant,
}

impl Kind {
    fn keyword(self) -> &'static str {
        match self {
            Kind::Requires => "requires",
            Kind::Decreases => "decreases",
            Kind::Assigns => "assigns",
            Kind::Ensures => "ensures",
            Kind::Behavior => "behavior",
            Kind::Assumes => "  assumes",
            Kind::BehaviorEnsures => "  ensures",
            Kind::Complete => "complete",
            Kind::Disjoint => "disjoint",
            Kind::LoopInvariant => "loop invariant",
            Kind::LoopAssigns => "loop assigns",
            Kind::LoopVariant => "loop variant",
        }
    }

    fn clause(self, text: &str) -> String {
        let end = if self == Kind::Behavior { ':' } else { ';' };
        format!("{} {text}{end}", self.keyword())
    }
}

/// A clause in the annotated source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    pub function: String,
    pub kind: Kind,
    pub text: String,
    /// Where it is in the annotated source, from 1.
    pub line: u32,
    /// Something has to be shown about it. That is not so for a loop that nothing goes round.
    pub is_owed: bool,
}

/// What `assert` of the C library calls when it fails.
pub(crate) const ASSERT_FAIL: &str = "__assert_fail";

/// A piece of text that was inserted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Insertion {
    /// Before this byte of the user's source.
    pub at: usize,
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotated {
    pub text: String,
    pub clauses: Vec<Clause>,
    /// In order.
    pub insertions: Vec<Insertion>,
    /// What has no place.
    pub gaps: Vec<Gap>,
}

/// Puts contracts into the user's text. The program was made from it, perhaps by way of a
/// preprocessor.
pub fn annotate(program: &Program, text: &str, contracts: &Contracts) -> Annotated {
    annotate_beside(program, text, contracts, None)
}

/// The same, where clauses are put into the annotations that are there already.
pub fn annotate_beside(
    program: &Program,
    text: &str,
    contracts: &Contracts,
    kept: Option<&Kept>,
) -> Annotated {
    let mut work = Work {
        program,
        source: program.source.clone().made_from(text),
        text,
        kept,
        comments: Vec::new(),
        more: Vec::new(),
        names: Vec::new(),
        gaps: Vec::new(),
    };
    for function in &contracts.functions {
        work.function(function, &contracts.functions);
    }
    work.finish()
}

/// An annotation, before which byte.
struct Comment {
    at: usize,
    function: String,
    clauses: Vec<(Kind, String)>,
    is_owed: bool,
    /// A declaration, if there is none in the source.
    declaration: Option<String>,
}

struct Work<'a> {
    program: &'a Program,
    /// The program's, with the user's text behind it.
    source: Source,
    text: &'a str,
    kept: Option<&'a Kept>,
    comments: Vec<Comment>,
    /// Clauses in comments of the user.
    more: Vec<(Insertion, Clause)>,
    /// Names for parameters.
    names: Vec<Insertion>,
    gaps: Vec<Gap>,
}

impl Work<'_> {
    fn function(&mut self, function: &Function, all: &[Function]) {
        let clauses = contract_clauses(function);
        if !clauses.is_empty() {
            self.contract(function, clauses, all);
        }
        for annotated in &function.loops {
            let said = self.kept.and_then(|kept| kept.loops.get(&annotated.at));
            if let Some(room) = said.and_then(|said| said.room.as_ref()) {
                let what = "more clauses for this loop";
                let clauses = loop_clauses(annotated);
                self.within(room, &function.name, clauses, annotated.is_cyclic, what);
                continue;
            }
            match self.source.offset_in_file(annotated.at) {
                Some(at) => {
                    self.comments.push(Comment {
                        at,
                        function: function.name.clone(),
                        clauses: loop_clauses(annotated),
                        is_owed: annotated.is_cyclic,
                        declaration: None,
                    });
                }
                None => {
                    let what = "the annotations of this loop".to_owned();
                    self.gaps.push(Gap::Elsewhere { at: self.position(annotated.at), what });
                }
            }
        }
    }

    /// Puts clauses into a comment of the user.
    fn within(
        &mut self,
        room: &Room,
        function: &str,
        clauses: Vec<(Kind, String)>,
        is_owed: bool,
        what: &str,
    ) {
        for (kind, text) in clauses {
            let Some(insertion) = self.insertion(room, kind, &text) else {
                let at = self.position(room.comment.start);
                self.gaps.push(Gap::Elsewhere { at, what: what.to_owned() });
                return;
            };
            let function = function.to_owned();
            self.more.push((insertion, Clause { function, kind, text, line: 0, is_owed }));
        }
    }

    /// On a line of its own, unless the comment is on one.
    fn insertion(&self, room: &Room, kind: Kind, text: &str) -> Option<Insertion> {
        let comment = self.program.source.snippet(room.comment);
        let clause = kind.clause(text);
        let several = comment.starts_with("/*") && comment.contains('\n');
        let next = match room.first().and_then(|first| self.source.offset_in_file(first.start)) {
            Some(first) if several => {
                let begin = self.text[..first].rfind('\n').map_or(0, |at| at + 1);
                let blank = |c: char| if c.is_whitespace() { c } else { ' ' };
                let indent: String = self.text[begin..first].chars().map(blank).collect();
                format!("{}{indent}", line_end(self.text))
            }
            _ => " ".to_owned(),
        };
        let (at, text) = match room.point(kind) {
            Point::Before(span) => {
                (self.source.offset_in_file(span.start)?, format!("{clause}{next}"))
            }
            Point::After(span) => (self.end_of(span)?, format!("{next}{clause}")),
            Point::Begin(comment) => {
                let source = self.program.source.own_text();
                let at = (source == self.text).then_some(comment.start as usize + 3)?;
                (at, format!(" {clause}"))
            }
        };
        Some(Insertion { at, text })
    }

    /// Where a clause ends in the user's file.
    fn end_of(&self, span: Span) -> Option<usize> {
        let begin = self.source.offset_in_file(span.start)?;
        let clause = self.program.source.snippet(span);
        self.text[begin..].starts_with(clause).then_some(begin + clause.len())
    }

    fn contract(&mut self, function: &Function, clauses: Vec<(Kind, String)>, all: &[Function]) {
        let said = self.kept.and_then(|kept| kept.functions.get(&function.name));
        if let Some(room) = said.and_then(|said| said.room.as_ref()) {
            let what = format!("more clauses of the contract of `{}`", function.name);
            return self.within(room, &function.name, clauses, true, &what);
        }
        let together: Vec<&Function> = all
            .iter()
            .filter(|f| f.at == function.at && f.declaration.is_none())
            .filter(|_| function.declaration.is_none())
            .collect();
        let place = self.source.offset_in_file(function.at);
        match place {
            // Its header is the business of whoever wrote it. Verifiers have an assert.h of their own.
            None if !is_needed(function) || function.name == ASSERT_FAIL => {}
            None => {
                let what = format!("the contract of `{}`", function.name);
                self.gaps.push(Gap::Elsewhere { at: self.position(function.at), what });
            }
            Some(_) if together.iter().any(|f| contract_clauses(f) != clauses) => {
                let (at, name) = (self.position(function.at), function.name.clone());
                self.gaps.push(Gap::Together { at, name });
            }
            Some(_) if together.first().is_some_and(|first| *first != function) => {}
            Some(at) => {
                self.comments.push(Comment {
                    at,
                    function: function.name.clone(),
                    clauses,
                    is_owed: true,
                    declaration: function.declaration.clone(),
                });
                self.name(function);
            }
        }
    }

    fn name(&mut self, function: &Function) {
        let Some((at, name)) = &function.named else { return };
        // The last byte of the parameter's type has a place if its first one has.
        let before = self.program.source.text()[..*at as usize].trim_end();
        let start = before.rfind(|c: char| !c.is_alphanumeric() && c != '_').map_or(0, |at| at + 1);
        if let Some(place) = self.source.offset_in_file(start as u32) {
            let at = place + (before.len() - start);
            self.names.push(Insertion { at, text: name.clone() });
        }
    }

    fn finish(mut self) -> Annotated {
        // What is declared comes before the function that needs it.
        self.comments.sort_by_key(|comment| (comment.at, comment.declaration.is_none()));
        let mut pieces: Vec<(Insertion, Piece)> = Vec::new();
        for comment in self.comments {
            let text = render(self.text, &comment);
            pieces.push((Insertion { at: comment.at, text }, Piece::Comment(comment)));
        }
        pieces.extend(self.names.into_iter().map(|name| (name, Piece::Name)));
        pieces.extend(self.more.into_iter().map(|(at, clause)| (at, Piece::Clause(clause))));
        pieces.sort_by_key(|(insertion, _)| insertion.at);
        let (mut text, mut from) = (String::new(), 0);
        let (mut clauses, mut insertions) = (Vec::new(), Vec::new());
        for (insertion, piece) in pieces {
            text += &self.text[from..insertion.at];
            from = insertion.at;
            let line = text.matches('\n').count() as u32 + 1;
            match piece {
                Piece::Comment(comment) => {
                    clauses.extend(lines(comment, line, insertion.text.contains('\n')));
                }
                Piece::Clause(clause) => {
                    let own = insertion.text.trim_start();
                    let before = &insertion.text[..insertion.text.len() - own.len()];
                    let line = line + before.matches('\n').count() as u32;
                    clauses.push(Clause { line, ..clause });
                }
                Piece::Name => {}
            }
            text += &insertion.text;
            insertions.push(insertion);
        }
        text += &self.text[from..];
        Annotated { text, clauses, insertions, gaps: self.gaps }
    }

    fn position(&self, at: u32) -> String {
        self.program.source.position(at).to_string()
    }
}

/// What is inserted.
enum Piece {
    Comment(Comment),
    Clause(Clause),
    Name,
}

/// What a proof rests on is in it.
fn is_needed(function: &Function) -> bool {
    !function.requires.is_empty() || function.ensures.iter().any(|text| text != "\\false")
}

/// In the order that ACSL asks for.
fn contract_clauses(function: &Function) -> Vec<(Kind, String)> {
    let requires = function.requires.iter().map(|text| (Kind::Requires, text.clone()));
    let assigns = function.assigns.iter().map(|list| (Kind::Assigns, places(list)));
    let ensures = function.cases.as_ref().map_or(&function.ensures, |cases| &cases.ensures);
    let ensures = ensures.iter().map(|text| (Kind::Ensures, text.clone()));
    let decreases = function.decreases.iter().map(|text| (Kind::Decreases, text.clone()));
    let behaviours = function.cases.iter().flat_map(behaviour_clauses);
    requires.chain(decreases).chain(assigns).chain(ensures).chain(behaviours).collect()
}

fn behaviour_clauses(cases: &Cases) -> Vec<(Kind, String)> {
    let mut clauses = Vec::new();
    for Behaviour { name, assumes, ensures } in &cases.behaviours {
        clauses.push((Kind::Behavior, name.clone()));
        clauses.extend(assumes.iter().map(|text| (Kind::Assumes, text.clone())));
        clauses.extend(ensures.iter().map(|text| (Kind::BehaviorEnsures, text.clone())));
    }
    let all = "behaviors".to_owned();
    clauses.extend(cases.complete.then(|| (Kind::Complete, all.clone())));
    clauses.extend(cases.disjoint.then_some((Kind::Disjoint, all)));
    clauses
}

fn loop_clauses(annotated: &Loop) -> Vec<(Kind, String)> {
    let invariants = annotated.invariants.iter().map(|text| (Kind::LoopInvariant, text.clone()));
    let assigns = annotated.assigns.iter().map(|list| (Kind::LoopAssigns, places(list)));
    let variant = annotated.variant.iter().map(|text| (Kind::LoopVariant, text.clone()));
    invariants.chain(assigns).chain(variant).collect()
}

/// A comment on lines of its own where it stands before the first thing of a line, else on the
/// line that it stands in.
fn render(text: &str, comment: &Comment) -> String {
    let begin = text[..comment.at].rfind('\n').map_or(0, |at| at + 1);
    let indent = &text[begin..comment.at];
    let clauses: Vec<String> =
        comment.clauses.iter().map(|(kind, text)| kind.clause(text)).collect();
    let inline = !indent.trim().is_empty();
    let next = if inline { " ".to_owned() } else { format!("{}{indent}", line_end(text)) };
    let declaration = match &comment.declaration {
        Some(declaration) => format!("{declaration}{next}"),
        None => String::new(),
    };
    if inline || clauses.len() == 1 {
        return format!("/*@ {} */{next}{declaration}", clauses.join(" "));
    }
    let lines = clauses.join(&format!("{next}    "));
    format!("/*@ {lines}{next}*/{next}{declaration}")
}

/// How the file ends its lines.
fn line_end(text: &str) -> &'static str {
    match text.find('\n') {
        Some(at) if text[..at].ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

/// The clauses of a comment that begins on a line.
fn lines(comment: Comment, first: u32, several: bool) -> Vec<Clause> {
    let Comment { function, clauses, is_owed, .. } = comment;
    let clause = |(number, (kind, text)): (usize, (Kind, String))| {
        let line = if several { first + number as u32 } else { first };
        Clause { function: function.clone(), kind, text, line, is_owed }
    };
    clauses.into_iter().enumerate().map(clause).collect()
}
