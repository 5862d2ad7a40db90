//! Refinements in the words of the source.

use lakatos_analysis::cegar::Refinement;
use lakatos_analysis::core::{Cx, Lesson, Seen};
use lakatos_analysis::semantics::Role;
use lakatos_ir::{LocId, ProcId, Program, Span};
use lakatos_logic::term::Term;

use super::{Kind, Learned, Place, Refined};
use crate::graph::Names;

/// Lessons of a refinement that are looked at, kept as text, and places of each.
const MOST_SEEN: usize = 400;
const MOST_LEARNED: usize = 16;
const MOST_PLACES: usize = 12;
/// Formulas with more parts, and texts with more characters, are not written out.
const MOST_PARTS: usize = 200;
const MOST_TEXT: usize = 240;

/// Tells of the refinements of one run.
pub(crate) struct Tell<'p> {
    program: &'p Program,
    names: Names<'p>,
}

impl<'p> Tell<'p> {
    pub fn new(program: &'p Program) -> Tell<'p> {
        Tell { program, names: Names::new(program) }
    }

    pub fn refined(&mut self, cx: &mut Cx<'_>, refinement: Refinement) -> Refined {
        let Refinement { number, nodes, how, target, steps, lessons } = refinement;
        let mut learned: Vec<Learned> = Vec::new();
        let mut left_out = lessons.len().saturating_sub(MOST_SEEN);
        for lesson in lessons.iter().take(MOST_SEEN) {
            let (kind, text) = self.words(cx, lesson);
            let function = &self.program.procs[lesson.proc].name;
            let same =
                |one: &Learned| one.kind == kind && one.text == text && one.function == *function;
            let at = learned.iter().position(same).unwrap_or(learned.len());
            if at == MOST_LEARNED {
                left_out += 1;
                continue;
            }
            if at == learned.len() {
                let (function, spans) = (function.clone(), Vec::new());
                learned.push(Learned { kind, text, function, spans });
            }
            let one = &mut learned[at];
            if let Some(span) = span(self.program, lesson.proc, lesson.loc)
                && !one.spans.contains(&span)
                && one.spans.len() < MOST_PLACES
            {
                one.spans.push(span);
            }
        }
        let target = target.map(|(proc, loc)| Place {
            function: self.program.procs[proc].name.clone(),
            span: span(self.program, proc, loc),
        });
        Refined { number, nodes, how, target, steps, learned, left_out }
    }

    fn words(&mut self, cx: &mut Cx<'_>, lesson: &Lesson) -> (Kind, String) {
        let (kind, formula) = match lesson.seen {
            Seen::Predicate(formula) => (Kind::Predicate, formula),
            Seen::Variable(var) => {
                (Kind::Variable, cx.semantics.symbol(&mut cx.terms, Role::Now, var))
            }
            Seen::AtEntry(var) => {
                (Kind::Variable, cx.semantics.symbol(&mut cx.terms, Role::Pre, var))
            }
        };
        (kind, self.text(cx, lesson.proc, formula))
    }

    fn text(&mut self, cx: &Cx<'_>, proc: ProcId, formula: Term) -> String {
        let parts = cx.terms.parts_first(&[formula]).len();
        if parts > MOST_PARTS {
            return format!("(a formula of {parts} parts)");
        }
        let text = self.names.state(cx, proc, formula).join(" && ");
        match text.char_indices().nth(MOST_TEXT) {
            Some((end, _)) => format!("{}…", &text[..end]),
            None => text,
        }
    }
}

fn span(program: &Program, proc: ProcId, loc: LocId) -> Option<Span> {
    let span = program.procs[proc].body.as_ref()?.locs[loc].span;
    (span != Span::default()).then_some(span)
}
