//! What is remarkable about a location or an edge.

use lakatos_ir::loops::Loops;
use lakatos_ir::{Arena, Call, Callee, Cfa, EdgeId, Id, Instr, LocId, Program, Span};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Entry,
    Exit,
    /// A property is violated here, or a function was called that must not be.
    Error,
    /// The run ends here, after `abort` say.
    End,
    Plain,
}

impl Kind {
    pub fn of(program: &Program, cfa: &Cfa, id: LocId) -> Kind {
        let loc = &cfa.locs[id];
        let calls_error = |&edge: &EdgeId| match &cfa.edges[edge].instr {
            Instr::Call(Call { callee: Callee::Proc(proc), .. }) => program.procs[*proc].is_error,
            _ => false,
        };
        match () {
            () if loc.error.is_some() => Kind::Error,
            () if id == cfa.entry => Kind::Entry,
            () if id == cfa.exit => Kind::Exit,
            () if loc.out.is_empty() && loc.into.iter().any(calls_error) => Kind::Error,
            () if loc.out.is_empty() => Kind::End,
            () => Kind::Plain,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Kind::Entry => "entry",
            Kind::Exit => "exit",
            Kind::Error => "error",
            Kind::End => "end",
            Kind::Plain => "plain",
        }
    }
}

/// The edges that close a cycle, the locations where cycles are cut, and what the entry reaches.
pub(super) struct Marks {
    loops: Loops,
    is_back: Vec<bool>,
    is_reached: Vec<bool>,
}

impl Marks {
    pub fn of(cfa: &Cfa) -> Marks {
        let loops = Loops::new(cfa);
        let mut is_back = vec![false; cfa.edges.len()];
        let natural = loops.loops.iter().flat_map(|(_, l)| &l.back_edges);
        natural.chain(loops.irreducible_edges()).for_each(|edge| is_back[edge.index()] = true);
        Marks { loops, is_back, is_reached: reached(cfa) }
    }

    /// A head of a loop: a location through which a cycle is cut.
    pub fn is_head(&self, loc: LocId) -> bool {
        self.loops.is_cut_point(loc)
    }

    pub fn is_reached(&self, loc: LocId) -> bool {
        self.is_reached[loc.index()]
    }

    pub fn is_back(&self, edge: EdgeId) -> bool {
        self.is_back[edge.index()]
    }
}

fn reached(cfa: &Cfa) -> Vec<bool> {
    let mut is_reached = vec![false; cfa.locs.len()];
    let mut waiting = vec![cfa.entry];
    while let Some(loc) = waiting.pop() {
        if !std::mem::replace(&mut is_reached[loc.index()], true) {
            waiting.extend(cfa.successors(loc));
        }
    }
    is_reached
}

/// The C labels of every location.
pub(super) fn labels(cfa: &Cfa) -> Arena<LocId, Vec<&str>> {
    let mut labels: Arena<LocId, Vec<&str>> = cfa.locs.ids().map(|_| Vec::new()).collect();
    for (label, loc) in &cfa.labels {
        labels[*loc].push(label);
    }
    labels
}

/// Line and column in the user's file; `None` for what is not in the source.
pub(super) fn line(program: &Program, span: Span) -> Option<u32> {
    if span == Span::default() {
        return None;
    }
    let source = &program.source;
    let offset = span.start.min(source.text().len() as u32);
    Some(source.logical_line(source.physical_line(offset)).1)
}
