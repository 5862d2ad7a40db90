//! The reachability graph that a run ends with, for people and other tools: the nodes that are part
//! of it, with their states as text, and every reason why one follows from another. What was
//! pruned is not shown.
//!
//! Plain data, whatever the domain: who draws it needs to know nothing of an analysis. The
//! stack-abstraction thesis draws such graphs in its chapters 2, 4 and 5.

mod names;
mod operation;

use lakatos_analysis::core::{Arg, Cx, Domain, NodeId, Via};
use lakatos_analysis::core::{Node as ArgNode, Status as ArgStatus};
use lakatos_analysis::semantics::Call;
use lakatos_ir::loops::Loops;
use lakatos_ir::{Arena, Id, LocId, ProcId, Program, Span};

pub(crate) use self::names::Names;
use self::operation::{operation, result};
use crate::search::Explored;

/// Calls of a stack that are kept: the outermost and the innermost ones.
const OUTER: usize = 8;
const INNER: usize = 24;

/// Nodes are in the order in which they were made.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Graph {
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    pub function: String,
    /// In the source; none for what is not there.
    pub line: Option<u32>,
    pub role: Role,
    pub stack: Stack,
    /// Formulas that hold, over the function's variables and statics; none: nothing is known.
    pub state: Vec<String>,
    pub status: Status,
}

/// What a location is for its function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    Entry,
    Exit,
    LoopHead,
    Error,
    Plain,
}

/// The calls that a node is under, outermost first. The caller of `main` is not in the source and
/// not here.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Stack {
    pub outer: Vec<String>,
    /// How many are not named.
    pub left_out: usize,
    pub inner: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    Expanded,
    /// Not looked at when the run ended.
    Open,
    Covered,
    Popped,
    /// At the entry of a block: what happens is in the graph of that.
    Entered,
    Target,
}

/// Between nodes, by their places in [`Graph::nodes`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    pub from: usize,
    pub to: usize,
    pub kind: EdgeKind,
    /// The operation, a step a line.
    pub text: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EdgeKind {
    Step,
    /// From before a call to the callee's entry.
    Call,
    /// From an exit, of the callee or of what it was popped for, to after the call.
    Return,
    /// From a popped node to after its call.
    Skip,
    /// From before a call to after it: what the caller knew.
    Over,
    /// From a covered node to the one that covers it.
    Cover,
    /// From a popped node to the one with another stack that includes its state.
    Pop,
    /// From where a block is entered to the first node of its graph.
    Reduce,
    /// From an exit of a block's graph to after it.
    Expand,
}

/// The part of an exploration's graph that is alive.
pub(crate) fn describe(cx: &mut Cx<'_>, explored: &mut impl Explored) -> Graph {
    let program = cx.semantics.program;
    let mut nodes = Nodes::new(program, explored.arg());
    let alive = explored.nodes();
    for id in &alive {
        let (proc, _) = explored.place(*id);
        let state = explored.state(*id).clone();
        let formula = explored.domain_mut().to_term(cx, &state);
        let state = nodes.names.state(cx, proc, formula);
        nodes.add(explored.arg(), *id, state);
    }
    let mut edges = Vec::new();
    for id in alive {
        nodes.edges(program, explored.arg(), id, &mut edges);
    }
    Graph { nodes: nodes.found, edges }
}

/// The nodes of a graph while they are collected.
struct Nodes<'p> {
    program: &'p Program,
    names: Names<'p>,
    loops: Arena<ProcId, Option<Loops>>,
    /// For each frame.
    stacks: Vec<Stack>,
    /// Where a node is among those found.
    places: Vec<Option<usize>>,
    found: Vec<Node>,
}

impl<'p> Nodes<'p> {
    fn new<S>(program: &'p Program, arg: &Arg<S>) -> Nodes<'p> {
        Nodes {
            program,
            names: Names::new(program),
            loops: program.procs.iter().map(|(_, p)| p.body.as_ref().map(Loops::new)).collect(),
            stacks: stacks(program, arg),
            places: vec![None; arg.nodes.len()],
            found: Vec::new(),
        }
    }

    fn add<S>(&mut self, arg: &Arg<S>, id: NodeId, state: Vec<String>) {
        let ArgNode { proc, loc, frame, status, .. } = arg.nodes[id];
        self.places[id.index()] = Some(self.found.len());
        self.found.push(Node {
            function: self.program.procs[proc].name.clone(),
            line: self.line(proc, loc),
            role: self.role(proc, loc),
            stack: self.stacks[frame.index()].clone(),
            state,
            status: match status {
                ArgStatus::Open | ArgStatus::Pruned => Status::Open,
                ArgStatus::Expanded => Status::Expanded,
                ArgStatus::Covered(_) => Status::Covered,
                ArgStatus::Popped(by) if is_block(arg, by) => Status::Entered,
                ArgStatus::Popped(_) => Status::Popped,
                ArgStatus::Target => Status::Target,
            },
        });
    }

    fn line(&self, proc: ProcId, loc: LocId) -> Option<u32> {
        let body = self.program.procs[proc].body.as_ref()?;
        line(self.program, body.locs[loc].span)
    }

    fn role(&self, proc: ProcId, loc: LocId) -> Role {
        let body = self.program.procs[proc].body.as_ref().expect("only bodies are explored");
        let is_head = self.loops[proc].as_ref().is_some_and(|loops| loops.is_cut_point(loc));
        match () {
            () if body.locs[loc].error.is_some() => Role::Error,
            () if loc == body.entry => Role::Entry,
            () if loc == body.exit => Role::Exit,
            () if is_head => Role::LoopHead,
            () => Role::Plain,
        }
    }

    /// The edges that lead to a node, and the one from it to what covers or pops it.
    fn edges<S>(&self, program: &Program, arg: &Arg<S>, id: NodeId, edges: &mut Vec<Edge>) {
        let node = &arg.nodes[id];
        let mut add = |from: NodeId, to: NodeId, kind, text| {
            // A run that was stopped may leave ends that hang in the air.
            if let (Some(from), Some(to)) = (self.places[from.index()], self.places[to.index()]) {
                edges.push(Edge { from, to, kind, text });
            }
        };
        let called = |call: &Call| {
            let body = program.procs[call.caller].body.as_ref().expect("a caller has a body");
            &body.edges[call.edge].instr
        };
        match &node.via {
            Via::Start => {}
            Via::Step { from, edge } => {
                let body = program.procs[node.proc].body.as_ref().expect("an edge of a body");
                let text = operation(program, &body.edges[*edge].instr);
                add(*from, id, EdgeKind::Step, text);
            }
            Via::Enter { from, call } => {
                add(*from, id, EdgeKind::Call, operation(program, called(call)));
            }
            Via::Return { call_node, call, exit, .. } => {
                let kind = match is_block(arg, arg.frames[arg.nodes[*exit].frame].entry) {
                    true => EdgeKind::Expand,
                    false => EdgeKind::Return,
                };
                add(*exit, id, kind, vec![result(program, called(call))]);
                add(*call_node, id, EdgeKind::Over, Vec::new());
            }
            Via::Expand { from, exit, .. } => {
                add(*exit, id, EdgeKind::Expand, Vec::new());
                add(*from, id, EdgeKind::Over, Vec::new());
            }
            Via::Skip { call_node, call, popped } => {
                let rest = format!("skip the rest of {}", program.procs[call.callee].name);
                add(*popped, id, EdgeKind::Skip, vec![rest]);
                add(*call_node, id, EdgeKind::Over, Vec::new());
            }
        }
        match node.status {
            ArgStatus::Covered(by) => add(id, by, EdgeKind::Cover, Vec::new()),
            ArgStatus::Popped(by) if is_block(arg, by) => {
                add(id, by, EdgeKind::Reduce, Vec::new());
            }
            ArgStatus::Popped(by) => add(id, by, EdgeKind::Pop, Vec::new()),
            _ => {}
        }
    }
}

/// Whether a node is the first one of a block's own graph. (The start of the program is not
/// popped, nor left.)
fn is_block<S>(arg: &Arg<S>, node: NodeId) -> bool {
    matches!(arg.nodes[node].via, Via::Start)
}

/// The stack of every frame. A frame comes after the one that called it.
fn stacks<S>(program: &Program, arg: &Arg<S>) -> Vec<Stack> {
    let mut stacks: Vec<Stack> = Vec::with_capacity(arg.frames.len());
    for (_, frame) in arg.frames.iter() {
        let stack = match &frame.call {
            Some((node, call)) => {
                let below = &stacks[arg.nodes[*node].frame.index()];
                match call.caller == program.start {
                    true => below.clone(),
                    false => below.with(site(program, call)),
                }
            }
            None => Stack::default(),
        };
        stacks.push(stack);
    }
    stacks
}

/// Where a call is: `main:6`.
fn site(program: &Program, call: &Call) -> String {
    let caller = &program.procs[call.caller];
    let span = caller.body.as_ref().map(|body| body.edges[call.edge].span).unwrap_or_default();
    match line(program, span) {
        Some(line) => format!("{}:{line}", caller.name),
        None => caller.name.clone(),
    }
}

fn line(program: &Program, span: Span) -> Option<u32> {
    (span != Span::default()).then(|| program.source.position(span.start).line)
}

impl Stack {
    /// How many calls there are.
    pub fn depth(&self) -> usize {
        self.outer.len() + self.left_out + self.inner.len()
    }

    /// The calls, with a word on those that are not named.
    pub fn calls(&self) -> Vec<String> {
        let more = (self.left_out > 0).then(|| format!("… {} more …", self.left_out));
        self.outer.iter().cloned().chain(more).chain(self.inner.iter().cloned()).collect()
    }

    fn with(&self, call: String) -> Stack {
        let mut stack = self.clone();
        match stack.outer.len() < OUTER {
            true => stack.outer.push(call),
            false => stack.inner.push(call),
        }
        if stack.inner.len() > INNER {
            stack.inner.remove(0);
            stack.left_out += 1;
        }
        stack
    }
}
