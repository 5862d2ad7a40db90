//! Block-abstraction memoization (BAM thesis, chapters 2.4, 3 and 4; DESIGN.md 6.2).
//!
//! The program is divided into blocks: bodies of procedures, and loops. Each block is analysed in
//! a graph of its own, a `Run`, which begins with what is left of a state when everything that
//! the block does not see has been taken out of it (*reduce*). The exits of a run are put back
//! into the state that it was entered with (*expand*, and *rebuild* for a call). Whoever comes to
//! the block with the same reduced state uses the same run.
//!
//! A recursive call whose input is included in that of a run which is being analysed is answered
//! with the exits that this run has so far. **No answer is final**: a run knows who uses it, and
//! every exit that it gets later goes to all of them. So a summary that was incomplete when it was
//! used, be it through ten procedures, is made up for; and only when there is nobody left to tell
//! are all summaries stable, and the program is explored. Exits for recursive calls are handed
//! over in rounds (the thesis' fixpoint algorithm), so that short recursions come first.
//!
//! The graphs of all runs are in one [`Arg`]: a run is a frame whose entry has no parent. A call is
//! a node of its own at the callee's entry, popped by the first node of the run that it uses.
//!
//! - `blocks`: what blocks there are, what they see and change;
//! - `explore`: the fixpoint;
//! - `invalid`: what goes when the precision has grown.
//!
//! [`Arg`]: crate::core::Arg

mod blocks;
mod explore;
mod invalid;

use std::collections::{BTreeSet, VecDeque};

use indexmap::IndexMap;
use lakatos_ir::{Arena, LocId, ProcId, Program, define_ids};
use rustc_hash::{FxBuildHasher, FxHashMap};

pub use self::blocks::{Block, BlockId, BlockKind, Blocks, Kinds};
use crate::core::{Arg, Candidates, Cx, Domain, Exploration, FrameId, NodeId, Status, Stop, Via};
use crate::refine::{Act, Part, Trace, acts, parts};

define_ids! {
    /// An analysis of a block from one reduced state.
    RunId = "run";
}

/// Which runs are used again. Without any, recursion still is a fixpoint over runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Cache {
    /// None: every call is analysed by itself.
    Off,
    /// Those with the same input and the same precision.
    #[default]
    Exact,
    /// Those with the same input, also where the precision has grown since.
    Aggressive,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Settings {
    pub kinds: Kinds,
    pub cache: Cache,
}

/// What it took.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Runs that were begun.
    pub misses: u64,
    /// Runs that were used again.
    pub hits: u64,
    /// Recursive calls that a run answered which was being analysed.
    pub recursive: u64,
    /// Rounds of the fixpoint.
    pub rounds: u64,
    /// Runs that went since the precision had grown.
    pub removed: u64,
}

/// A use of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Use {
    /// Where the block is entered, in the graph of the run that enters it.
    input: NodeId,
    /// The user was part of what the run had to analyse.
    recursive: bool,
}

#[derive(Debug)]
struct Run<S, K> {
    block: BlockId,
    frame: FrameId,
    root: NodeId,
    input: S,
    open: VecDeque<NodeId>,
    expanded: FxHashMap<LocId, Candidates<K>>,
    exits: Vec<NodeId>,
    uses: Vec<Use>,
    /// The runs that this one uses, by the nodes at which it does.
    callees: IndexMap<NodeId, RunId, FxBuildHasher>,
    /// Part of the graph, not only of the cache.
    live: bool,
    /// On the block stack, or ready for it.
    waits: bool,
}

/// An exploration by blocks.
#[derive(Debug)]
pub struct Bam<'p, D: Domain> {
    pub domain: D,
    pub arg: Arg<D::State>,
    program: &'p Program,
    pub blocks: Blocks,
    cache_mode: Cache,
    /// Gone are those whose first node is pruned.
    runs: Arena<RunId, Run<D::State, D::Shape>>,
    of_frame: FxHashMap<FrameId, RunId>,
    cache: FxHashMap<(BlockId, D::State), RunId>,
    /// The run of the whole program.
    main: Option<RunId>,
    stack: Vec<RunId>,
    /// Runs that have something new to explore, not on the stack.
    ready: Vec<RunId>,
    /// Exits for the next round, with the node at which a recursive call uses them.
    pending: Vec<(NodeId, NodeId)>,
    /// For each node, the domain's stamp when it was made.
    stamps: Vec<u64>,
    /// Entries of blocks at which only equal states are answered, and nothing is reduced.
    exact: BTreeSet<(ProcId, LocId)>,
    pub counts: Counts,
}

impl<'p, D: Domain> Bam<'p, D> {
    pub fn new(cx: &mut Cx<'p>, domain: D, settings: Settings) -> Bam<'p, D> {
        Bam {
            domain,
            arg: Arg::default(),
            program: cx.semantics.program,
            blocks: Blocks::new(cx, settings.kinds),
            cache_mode: settings.cache,
            runs: Arena::new(),
            of_frame: FxHashMap::default(),
            cache: FxHashMap::default(),
            main: None,
            stack: Vec::new(),
            ready: Vec::new(),
            pending: Vec::new(),
            stamps: Vec::new(),
            exact: BTreeSet::new(),
            counts: Counts::default(),
        }
    }

    /// The frames of procedures' runs that are part of the graph, in the order in which they were
    /// begun.
    pub fn bodies(&self) -> impl Iterator<Item = FrameId> + '_ {
        let is_body = |block: BlockId| matches!(self.blocks.all[block].kind, BlockKind::Body);
        let live = self.runs.iter().filter(move |(_, run)| run.live && is_body(run.block));
        live.map(|(_, run)| run.frame)
    }

    /// What stays true in a block of the same procedure that is entered at a node; `None` if none
    /// is.
    pub fn unchanged(&mut self, cx: &mut Cx<'_>, input: NodeId) -> Option<D::State> {
        let node = &self.arg.nodes[input];
        let (Status::Popped(_), false) = (node.status, matches!(node.via, Via::Enter { .. }))
        else {
            return None;
        };
        let run = self.runs[self.run_of(input)].callees[&input];
        let changed = self.blocks.all[self.runs[run].block].changed.clone();
        let state = node.state.clone();
        Some(self.domain.unchanged(cx, &state, &changed))
    }

    /// The nodes that are part of the graph: in runs that are, and where those are used.
    pub fn is_part(&self, node: NodeId) -> bool {
        let frame = self.arg.nodes[node].frame;
        let inside = match &self.arg.frames[frame].call {
            Some((call_node, _)) => self.arg.nodes[*call_node].frame,
            None => frame,
        };
        self.arg.is_alive(node) && self.runs[self.of_frame[&inside]].live
    }

    fn run_of(&self, node: NodeId) -> RunId {
        self.of_frame[&self.arg.nodes[node].frame]
    }

    /// The node of a run's graph at which it enters a block: before a call, or at a loop.
    fn entered_from(&self, input: NodeId) -> NodeId {
        match self.arg.nodes[input].via {
            Via::Enter { from, .. } => from,
            _ => input,
        }
    }

    /// The run in whose graph a block is entered.
    fn owner(&self, input: NodeId) -> RunId {
        self.run_of(self.entered_from(input))
    }

    fn is_alive(&self, run: RunId) -> bool {
        self.arg.is_alive(self.runs[run].root)
    }

    /// A node and those before it in its run, the nearest first.
    fn before(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(Some(node), |at| self.arg.nodes[*at].via.parent())
    }

    /// The nodes from the first one of a run to one of its nodes.
    fn way_in_run(&self, node: NodeId) -> Vec<NodeId> {
        let mut way: Vec<NodeId> = self.before(node).collect();
        way.reverse();
        way
    }

    /// For each run, a node at which another one enters it, such that following these leads to
    /// the program's start. The first way that is found is a shortest one.
    fn entered(&self) -> FxHashMap<RunId, NodeId> {
        let mut entered = FxHashMap::default();
        let main = self.main.expect("something was explored");
        let mut open = VecDeque::from([main]);
        while let Some(run) = open.pop_front() {
            for (input, callee) in &self.runs[run].callees {
                if *callee != main && !entered.contains_key(callee) {
                    entered.insert(*callee, *input);
                    open.push_back(*callee);
                }
            }
        }
        entered
    }
}

impl<D: Domain> Exploration for Bam<'_, D> {
    type Domain = D;

    fn domain(&self) -> &D {
        &self.domain
    }

    fn domain_mut(&mut self) -> &mut D {
        &mut self.domain
    }

    fn arg(&self) -> &Arg<D::State> {
        &self.arg
    }

    fn explore(
        &mut self,
        cx: &mut Cx<'_>,
        go_on: &mut dyn FnMut(usize) -> Result<(), Stop>,
    ) -> Result<Option<NodeId>, Stop> {
        Bam::explore(self, cx, go_on)
    }

    fn unfold(&self, target: NodeId, limit: usize) -> Option<Vec<Act>> {
        let entered = self.entered();
        let mut inputs = Vec::new();
        let mut run = self.run_of(target);
        while let Some(input) = entered.get(&run) {
            inputs.push((*input, self.runs[run].root));
            run = self.owner(*input);
        }
        let mut way = Vec::new();
        for (input, root) in inputs.into_iter().rev() {
            way.extend(self.way_in_run(input).into_iter().skip(1).map(Part::To));
            way.push(Part::Act(Act::Jump { to: root }));
        }
        way.extend(self.way_in_run(target).into_iter().skip(1).map(Part::To));
        acts(way, limit, |node| parts(&self.arg, node))
    }

    fn restart(&mut self) {
        for (_, node) in self.arg.nodes.iter_mut() {
            node.status = Status::Pruned;
            node.children.clear();
        }
        self.runs = Arena::new();
        self.of_frame.clear();
        self.cache.clear();
        self.main = None;
        self.stack.clear();
        self.ready.clear();
        self.pending.clear();
    }

    fn prune(&mut self, _cx: &mut Cx<'_>, nodes: &[NodeId]) -> Result<(), Stop> {
        self.invalidate(nodes);
        Ok(())
    }

    /// A run answers for inputs that know more than it does.
    fn tell_apart(&mut self, _cx: &mut Cx<'_>, trace: &Trace) -> Result<bool, Stop> {
        let nodes = &self.arg.nodes;
        let differ = |pair: &[NodeId]| nodes[pair[0]].state != nodes[pair[1]].state;
        let loose: BTreeSet<(ProcId, LocId)> = trace
            .positions
            .iter()
            .filter(|p| !self.exact.contains(&(p.proc, p.loc)))
            .filter(|p| p.nodes.windows(2).any(differ))
            .map(|p| (p.proc, p.loc))
            .collect();
        let any = !loose.is_empty();
        self.exact.extend(loose);
        let apart: Vec<NodeId> = self
            .runs
            .iter()
            .flat_map(|(_, run)| run.uses.iter().map(|used| (used.input, run.root)))
            .filter(|(input, root)| nodes[*input].state != nodes[*root].state)
            .map(|(input, _)| input)
            .filter(|input| self.exact.contains(&self.place(*input)))
            .collect();
        self.invalidate(&apart);
        Ok(any)
    }

    fn forbid(&mut self, _cx: &mut Cx<'_>, _skipped: &[NodeId]) -> Result<(), Stop> {
        unreachable!("nothing is skipped")
    }
}
