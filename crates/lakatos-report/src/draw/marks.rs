//! What is remarkable about a location or an edge.

use lakatos_ir::{Arena, Cfa, EdgeId, Id, LocId, Program, Span};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Entry,
    Exit,
    /// A property is violated here.
    Error,
    /// The run ends here, after `abort` say.
    End,
    Plain,
}

impl Kind {
    pub fn of(cfa: &Cfa, id: LocId) -> Kind {
        let loc = &cfa.locs[id];
        match () {
            () if loc.error.is_some() => Kind::Error,
            () if id == cfa.entry => Kind::Entry,
            () if id == cfa.exit => Kind::Exit,
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

/// The edges that close a cycle, the locations they lead to, and what the entry reaches.
pub(super) struct Loops {
    is_reached: Vec<bool>,
    is_head: Vec<bool>,
    is_back: Vec<bool>,
}

impl Loops {
    /// Depth-first from the entry, then from whatever it does not reach. An edge to a location
    /// that is still on the stack closes a cycle.
    pub fn of(cfa: &Cfa) -> Loops {
        #[derive(Clone, Copy, PartialEq)]
        enum State {
            New,
            Open,
            Done,
        }
        let mut loops = Loops {
            is_reached: vec![false; cfa.locs.len()],
            is_head: vec![false; cfa.locs.len()],
            is_back: vec![false; cfa.edges.len()],
        };
        let mut state = vec![State::New; cfa.locs.len()];
        for root in std::iter::once(cfa.entry).chain(cfa.locs.ids()) {
            if state[root.index()] != State::New {
                continue;
            }
            state[root.index()] = State::Open;
            let mut stack = vec![(root, 0)];
            while let Some((loc, next)) = stack.last_mut() {
                loops.is_reached[loc.index()] |= root == cfa.entry;
                let Some(&edge) = cfa.locs[*loc].out.get(*next) else {
                    state[loc.index()] = State::Done;
                    stack.pop();
                    continue;
                };
                *next += 1;
                let to = cfa.edges[edge].to;
                match state[to.index()] {
                    State::New => {
                        state[to.index()] = State::Open;
                        stack.push((to, 0));
                    }
                    State::Open => {
                        loops.is_head[to.index()] = true;
                        loops.is_back[edge.index()] = true;
                    }
                    State::Done => {}
                }
            }
        }
        loops
    }

    pub fn is_head(&self, loc: LocId) -> bool {
        self.is_head[loc.index()]
    }

    pub fn is_reached(&self, loc: LocId) -> bool {
        self.is_reached[loc.index()]
    }

    pub fn is_back(&self, edge: EdgeId) -> bool {
        self.is_back[edge.index()]
    }
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
