//! What functions and loops change, as ACSL's `assigns` says it.

use std::collections::BTreeSet;

use lakatos_ir::callgraph::CallGraph;
use lakatos_ir::loops::Loops;
use lakatos_ir::modset::{Footprint, ModSets};
use lakatos_ir::{EdgeId, LocId, ProcId, Program, Span, Type, VarId, VarKind};
use lakatos_witness::outline::Statement;

use crate::lengths::Lengths;
use crate::memory::{Extent, Memory, Writes};
use crate::names::Names;

/// What the procedures of a program change.
#[derive(Debug)]
pub(crate) struct Changes<'p> {
    program: &'p Program,
    calls: CallGraph,
    mods: ModSets,
    pub memory: Memory<'p>,
}

/// Why there is no `assigns`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NoAssigns {
    Memory,
    /// A variable that has no name there.
    Hidden(String),
}

impl<'p> Changes<'p> {
    pub fn new(program: &'p Program, lengths: &'p Lengths) -> Changes<'p> {
        let calls = CallGraph::new(program);
        let mods = ModSets::new(program, &calls);
        Changes { program, calls, mods, memory: Memory::new(program, lengths) }
    }

    /// The edges of a procedure.
    pub fn edges_of_procedure(&self, proc: ProcId) -> Vec<EdgeId> {
        let body = self.program.procs[proc].body.iter();
        body.flat_map(|body| body.edges.ids()).collect()
    }

    /// All that a procedure changes, its own frame included.
    pub fn of_procedure(&self, proc: ProcId) -> Footprint {
        self.of_edges(proc, &self.edges_of_procedure(proc))
    }

    pub fn of_edges(&self, proc: ProcId, edges: &[EdgeId]) -> Footprint {
        let mut all = Footprint::default();
        for edge in edges {
            let effects = self.mods.of_edge(self.program, &self.calls, proc, *edge);
            all.union_with(&effects.writes);
        }
        all
    }

    /// The iterations of a loop, those that leave it included. A `for` begins before its head.
    pub fn edges_of_loop(&self, proc: ProcId, statement: Statement) -> Vec<EdgeId> {
        let mut all = Vec::new();
        let Some(body) = &self.program.procs[proc].body else { return all };
        let loops = Loops::new(body);
        let head = head_of(self.program, proc, statement.span);
        let cycle = head.and_then(|head| loops.headed_by(head));
        for (id, edge) in body.edges.iter() {
            let inside = statement.span.start <= edge.span.start
                && edge.span.end <= statement.span.end
                && head.is_none_or(|head| loops.dominates(head, edge.from));
            if inside || cycle.is_some_and(|cycle| loops.contains(cycle, edge.from)) {
                all.push(id);
            }
        }
        all
    }
}

/// Where a run is whenever it comes to the head of a loop statement; `None` if nothing goes round.
pub(crate) fn head_of(program: &Program, proc: ProcId, statement: Span) -> Option<LocId> {
    let body = program.procs[proc].body.as_ref()?;
    let spans = |loc: &LocId| body.locs[*loc].span == statement;
    Loops::new(body).cut_points().iter().copied().find(spans)
}

impl<'a> Names<'a> {
    /// What a function changes that lives longer than its frame.
    pub fn function_assigns(
        self,
        changes: &Changes<'_>,
        changed: &Footprint,
    ) -> Result<Vec<String>, NoAssigns> {
        let edges = changes.edges_of_procedure(self.proc);
        let scope = self.contract_scope();
        let mut places = self.named(changed, scope, |_| false)?;
        if !changed.memory.is_empty() {
            let own = Names { program: changes.program, ..self };
            let writes = Writes {
                names: own,
                memory: &changes.memory,
                extent: Extent::Function,
                scope,
                changed: &changes.of_edges(self.proc, &edges),
                is_inner: |_| false,
                regions: BTreeSet::new(),
            };
            places.extend(writes.places(&edges).ok_or(NoAssigns::Memory)?);
        }
        Ok(places.into_iter().collect())
    }

    /// What a loop changes. What is declared in it is nobody else's business.
    pub fn loop_assigns(
        self,
        changes: &Changes<'_>,
        statement: Statement,
    ) -> Result<Vec<String>, NoAssigns> {
        let inner = |id: VarId| {
            let var = &self.program.vars[id];
            let within = statement.scope <= var.span.start && var.span.end <= statement.span.end;
            within && matches!(var.kind, VarKind::Local(_))
        };
        let edges = changes.edges_of_loop(self.proc, statement);
        let changed = changes.of_edges(self.proc, &edges);
        let mut places = self.named(&changed, statement.scope, inner)?;
        if !changed.memory.is_empty() {
            let writes = Writes {
                names: self,
                memory: &changes.memory,
                extent: Extent::Loop,
                scope: statement.scope,
                changed: &changed,
                is_inner: inner,
                regions: BTreeSet::new(),
            };
            places.extend(writes.places(&edges).ok_or(NoAssigns::Memory)?);
        }
        Ok(places.into_iter().collect())
    }

    /// The variables that change by their names.
    fn named(
        self,
        changed: &Footprint,
        scope: u32,
        is_inner: impl Fn(VarId) -> bool,
    ) -> Result<BTreeSet<String>, NoAssigns> {
        let mut places = BTreeSet::new();
        for &id in &changed.vars {
            let var = &self.program.vars[id];
            let has_no_name =
                matches!(var.kind, VarKind::Temp(_) | VarKind::Result(_)) || var.kind.is_ghost();
            if has_no_name || is_inner(id) {
                continue;
            }
            let name = self.variable(scope, id);
            let name = name.ok_or_else(|| NoAssigns::Hidden(var.name.clone()))?;
            places.insert(self.whole(name, var.ty));
        }
        Ok(places)
    }

    /// All of a variable: an array element by element.
    pub fn whole(self, name: String, ty: Type) -> String {
        match ty {
            Type::Array(elem, Some(len @ 1..)) => {
                let elements = format!("{name}[0 .. {}]", len - 1);
                self.whole(elements, self.program.types.get(elem))
            }
            _ => name,
        }
    }
}
