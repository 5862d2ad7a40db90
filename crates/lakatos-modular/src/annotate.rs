//! Assertions and loop annotations in the bodies of functions, as goals where they stand.

use std::collections::{BTreeMap, BTreeSet};

use lakatos_acsl::read::Annotations;
use lakatos_acsl::spec::Mode;
use lakatos_acsl::tree::{Assertion, LoopAnnotation};
use lakatos_ir::callgraph::CallGraph;
use lakatos_ir::loops::Loops;
use lakatos_ir::modset::{Footprint, ModSets, Regions};
use lakatos_ir::{
    AnnotationTarget, Diagnostic, Edge, ExprId, Instr, LocId, ProcId, Program, Span, Var, VarId,
    VarKind, splice,
};

use crate::goal::Goals;
use crate::spec::listed;
use crate::stub::Workshop;
use crate::translate::{self, Refused, Scope, State};
use crate::{Assumed, unsupported};

/// What was found in the bodies.
#[derive(Debug, Default)]
pub(crate) struct Bodies {
    pub problems: Vec<Diagnostic>,
    pub assumed: Vec<Assumed>,
    /// Functions in which something is said.
    pub annotated: Vec<ProcId>,
}

/// Puts goals where annotations stand. Code that is never executed has no place for them, and
/// nothing to show either.
pub(crate) fn annotate(
    workshop: &Workshop<'_>,
    program: &mut Program,
    annotations: &Annotations,
    goals: &mut Goals,
) -> Bodies {
    let places: BTreeMap<Span, (ProcId, LocId)> = program
        .annotations
        .iter()
        .filter_map(|annotation| match annotation.target {
            AnnotationTarget::Statement(proc, loc) => Some((annotation.span, (proc, loc))),
            _ => None,
        })
        .collect();
    let mut making =
        Making { workshop, program, goals, bodies: Bodies::default(), copies: BTreeMap::new() };
    // Where several annotations share a location, the first is put in last, and comes first.
    let mut loops: Vec<_> = annotations.loops.iter().collect();
    loops.sort_by_key(|annotated| std::cmp::Reverse(annotated.span));
    for annotated in loops {
        if let Some(&(proc, loc)) = places.get(&annotated.span) {
            making.around_loop(proc, loc, &annotated.body);
        }
    }
    let mut assertions: Vec<_> = annotations.assertions.iter().collect();
    assertions.sort_by_key(|annotated| std::cmp::Reverse(annotated.span));
    for annotated in assertions {
        if let Some(&(proc, loc)) = places.get(&annotated.span) {
            for assertion in annotated.body.iter().rev() {
                making.assertion(proc, loc, assertion, "assert");
            }
        }
    }
    making.save_entries();
    making.bodies
}

struct Making<'m, 'w> {
    workshop: &'m Workshop<'w>,
    program: &'m mut Program,
    goals: &'m mut Goals,
    bodies: Bodies,
    copies: BTreeMap<ProcId, BTreeMap<VarId, VarId>>,
}

impl Making<'_, '_> {
    fn refuse(&mut self, refused: &Refused) {
        self.bodies.problems.push(unsupported(refused));
    }

    fn mark(&mut self, proc: ProcId) {
        if !self.bodies.annotated.contains(&proc) {
            self.bodies.annotated.push(proc);
        }
    }

    fn assertion(&mut self, proc: ProcId, loc: LocId, said: &Assertion, word: &str) {
        self.mark(proc);
        if !said.behaviors.is_empty() {
            let what = format!("`{word}` for some behaviours only");
            return self.refuse(&Refused { what, span: said.body.span });
        }
        let copies = self.copies.remove(&proc).unwrap_or_default();
        let mut scope = Scope {
            names: self.workshop.names,
            proc,
            params: BTreeMap::new(),
            result: None,
            at_entry: false,
            copies,
        };
        let made = translate::condition(
            self.program,
            self.workshop.theory,
            &mut scope,
            &said.body.body,
            State::Now,
        );
        self.copies.insert(proc, scope.copies);
        let span = said.body.span;
        match made {
            Err(refused) => self.refuse(&refused),
            Ok(condition) if said.body.mode == Mode::Admit => {
                let text = format!("`admit` of `{}`", self.program.procs[proc].name);
                self.bodies.assumed.push(Assumed { text, span: Some(span) });
                splice::assume_at(self.program, proc, loc, condition);
            }
            Ok(condition) => {
                let what = format!("`{word}` in `{}`", self.program.procs[proc].name);
                let error = self.goals.add(self.program, what, span);
                self.assert_at(proc, loc, condition, error, span);
            }
        }
    }

    /// The error stands where the clause does, not where the code is that it speaks of.
    fn assert_at(&mut self, proc: ProcId, at: LocId, condition: ExprId, error: ProcId, span: Span) {
        let fails = splice::not(self.program, condition);
        let cfa = splice::body(self.program, proc);
        let behind = splice::split(cfa, at);
        cfa.add_edge(at, behind, Instr::Assume(condition), span);
        splice::error_edge(self.program, proc, at, fails, error, span);
    }

    fn around_loop(&mut self, proc: ProcId, head: LocId, said: &LoopAnnotation) {
        self.mark(proc);
        for invariant in said.invariants.iter().rev() {
            self.assertion(proc, head, invariant, "loop invariant");
        }
        for assigns in &said.assigns {
            if !assigns.behaviors.is_empty() {
                let what = "`loop assigns` for some behaviours only".to_owned();
                self.refuse(&Refused { what, span: assigns.body.span });
                continue;
            }
            match listed(self.program, self.workshop.names, &assigns.body) {
                Err(refused) => self.refuse(&refused),
                Ok(vars) => self.loop_assigns(proc, head, &vars, assigns.body.span),
            }
        }
        if let Some(variant) = &said.variant {
            let text = "a loop ends: `loop variant` is not checked".to_owned();
            self.bodies.assumed.push(Assumed { text, span: Some(variant.span) });
        }
    }

    fn loop_assigns(&mut self, proc: ProcId, head: LocId, vars: &BTreeSet<VarId>, span: Span) {
        let what = match unlisted(self.program, proc, head, vars) {
            None => return,
            Some(Unlisted::Variable(name)) => {
                format!("`{name}`, which the loop may change and `loop assigns` does not list")
            }
            Some(Unlisted::Memory) => "what the loop changes through pointers".to_owned(),
        };
        self.refuse(&Refused { what, span });
    }

    /// Copies of what variables are at the entries of functions.
    fn save_entries(&mut self) {
        for (proc, copies) in std::mem::take(&mut self.copies) {
            let mut assigned = Vec::new();
            for (var, copy) in copies {
                assigned.push((copy, self.program.load_var(var, Span::default())));
            }
            if !assigned.is_empty() {
                splice::on_entry(self.program, proc, &assigned);
            }
        }
    }
}

/// Something that a loop may change and its annotation does not list.
pub(crate) enum Unlisted {
    Variable(String),
    Memory,
}

/// What a loop changes is compared by name; what is declared inside of it is its own.
pub(crate) fn unlisted(
    program: &Program,
    proc: ProcId,
    head: LocId,
    vars: &BTreeSet<VarId>,
) -> Option<Unlisted> {
    let body = program.procs[proc].body.as_ref()?;
    let calls = CallGraph::new(program);
    let mods = ModSets::new(program, &calls);
    let loops = Loops::new(body);
    let mut writes = Footprint::default();
    match loops.headed_by(head) {
        Some(id) => {
            let inside = |edge: &Edge| loops.contains(id, edge.from) && loops.contains(id, edge.to);
            for (edge, _) in body.edges.iter().filter(|(_, edge)| inside(edge)) {
                writes.union_with(&mods.of_edge(program, &calls, proc, edge).writes);
            }
        }
        // It is left in its first turn.
        None if loops.is_reducible() => {}
        None => writes.memory = Regions::ALL,
    }
    let around = body.locs[head].span;
    let own = |var: &VarId| {
        let Var { kind, span, .. } = &program.vars[*var];
        let inside = around.start <= span.start && span.end <= around.end;
        matches!(kind, VarKind::Temp(_) | VarKind::Result(_)) || inside
    };
    let unlisted = writes.vars.iter().find(|var| !vars.contains(var) && !own(var));
    match unlisted {
        Some(var) => Some(Unlisted::Variable(program.vars[*var].name.clone())),
        None if !writes.memory.is_empty() => Some(Unlisted::Memory),
        None => None,
    }
}
