//! The fixpoint (algorithms 9 to 12 of the thesis, without their recursion: the block stack is a
//! list, however deep the program calls itself).

use std::rc::Rc;

use lakatos_ir::{Cfa, EdgeId, LocId, ProcId};

use super::{Bam, BlockId, Cache, Run, RunId, Use};
use crate::core::{Cx, Domain, FrameId, Node, NodeId, Status, Stop, Via};
use crate::semantics::Call;

impl<'p, D: Domain> Bam<'p, D> {
    /// Goes on until a target is found; `None`: no exit is new anywhere, and there is none.
    pub(super) fn explore(
        &mut self,
        cx: &mut Cx<'_>,
        go_on: &mut dyn FnMut(usize) -> Result<(), Stop>,
    ) -> Result<Option<NodeId>, Stop> {
        if self.main.is_none() {
            self.begin(cx)?;
        }
        self.counts.rounds += 1;
        while let Some(run) = self.next_run(cx)? {
            let Some(node) = self.next_node(run) else {
                self.stack.pop();
                self.runs[run].waits = false;
                continue;
            };
            go_on(self.arg.nodes.len())?;
            if self.is_target(node) {
                self.arg.nodes[node].status = Status::Target;
                return Ok(Some(node));
            }
            if let Err(stop) = self.visit(cx, run, node) {
                // Something may be missing that follows from it.
                self.invalidate(&[node]);
                return Err(stop);
            }
        }
        // There is none, unless a refinement left it behind.
        let left = self.arg.alive().filter(|(_, node)| node.status == Status::Target);
        Ok(left.map(|(id, _)| id).find(|id| self.is_part(*id)))
    }

    fn begin(&mut self, cx: &mut Cx<'_>) -> Result<(), Stop> {
        let proc = self.program.start;
        let state = self.domain.start(cx, proc)?;
        let main = self.begin_run(self.blocks.body(proc), state);
        self.main = Some(main);
        Ok(())
    }

    pub(super) fn body(&self, proc: ProcId) -> &'p Cfa {
        self.program.procs[proc].body.as_ref().expect("only bodies are explored")
    }

    /// The run on top of the block stack. When that is empty, those that have got something new;
    /// when there are none, the next round.
    fn next_run(&mut self, cx: &mut Cx<'_>) -> Result<Option<RunId>, Stop> {
        loop {
            if let Some(run) = self.stack.last() {
                return Ok(Some(*run));
            }
            if let Some(run) = self.ready.pop() {
                self.stack.push(run);
                continue;
            }
            let pending = std::mem::take(&mut self.pending);
            if pending.is_empty() {
                return Ok(None);
            }
            self.counts.rounds += 1;
            for (input, exit) in pending {
                self.leave(cx, input, exit)?;
            }
        }
    }

    fn push_run(&mut self, run: RunId) {
        if !std::mem::replace(&mut self.runs[run].waits, true) {
            self.stack.push(run);
        }
    }

    fn next_node(&mut self, run: RunId) -> Option<NodeId> {
        loop {
            let node = self.runs[run].open.pop_front()?;
            if self.arg.nodes[node].status == Status::Open {
                return Some(node);
            }
        }
    }

    fn is_target(&self, node: NodeId) -> bool {
        let node = &self.arg.nodes[node];
        self.body(node.proc).locs[node.loc].error.is_some()
    }

    /// A node, not yet listed anywhere.
    fn add_node(
        &mut self,
        (proc, loc): (ProcId, LocId),
        frame: FrameId,
        state: D::State,
        via: Via,
    ) -> NodeId {
        let parent = via.parent();
        let node =
            Node { proc, loc, frame, state, via, status: Status::Open, children: Vec::new() };
        let id = self.arg.nodes.push(node);
        self.stamps.push(self.domain.stamp(proc, loc));
        if let Some(parent) = parent {
            self.arg.nodes[parent].children.push(id);
        }
        id
    }

    /// A node in the graph of a run, to be looked at.
    fn add(&mut self, run: RunId, loc: LocId, state: D::State, via: Via) {
        let (proc, frame) = (self.blocks.all[self.runs[run].block].proc, self.runs[run].frame);
        let node = self.add_node((proc, loc), frame, state, via);
        self.runs[run].open.push_back(node);
        if !std::mem::replace(&mut self.runs[run].waits, true) {
            self.ready.push(run);
        }
    }

    fn begin_run(&mut self, block: BlockId, input: D::State) -> RunId {
        let (proc, entry) = (self.blocks.all[block].proc, self.blocks.all[block].entry);
        let frame = self.arg.push_frame(proc, None);
        let root = self.add_node((proc, entry), frame, input.clone(), Via::Start);
        let run = self.runs.push(Run {
            block,
            frame,
            root,
            input: input.clone(),
            open: [root].into(),
            expanded: Default::default(),
            exits: Vec::new(),
            uses: Vec::new(),
            callees: Default::default(),
            live: true,
            waits: false,
        });
        self.of_frame.insert(frame, run);
        if self.keeps(block) {
            self.cache.insert((block, input), run);
        }
        self.counts.misses += 1;
        self.push_run(run);
        run
    }

    fn keeps(&self, block: BlockId) -> bool {
        self.cache_mode != Cache::Off && self.blocks.all[block].kept
    }

    fn visit(&mut self, cx: &mut Cx<'_>, run: RunId, id: NodeId) -> Result<(), Stop> {
        let Node { proc, loc, .. } = self.arg.nodes[id];
        if let Some(by) = self.coverer(cx, run, id)? {
            self.arg.nodes[id].status = Status::Covered(by);
            return Ok(());
        }
        self.arg.nodes[id].status = Status::Expanded;
        let state = self.arg.nodes[id].state.clone();
        let listed = self.runs[run].expanded.entry(loc).or_default();
        listed.insert(&self.domain, &state, id);
        let block = &self.blocks.all[self.runs[run].block];
        if block.is_exit(self.body(proc).exit, loc) {
            return self.announce(cx, run, id);
        }
        match self.blocks.loop_at(proc, loc) {
            Some(block) if block != self.runs[run].block => self.enter_loop(cx, run, id, block),
            _ => {
                for edge in &self.body(proc).locs[loc].out {
                    self.take(cx, run, id, *edge)?;
                }
                Ok(())
            }
        }
    }

    /// An expanded node of the run at the same location whose state includes this one's.
    fn coverer(&mut self, cx: &mut Cx<'_>, run: RunId, id: NodeId) -> Result<Option<NodeId>, Stop> {
        let node = &self.arg.nodes[id];
        let Some(listed) = self.runs[run].expanded.get(&node.loc) else { return Ok(None) };
        for by in listed.of(&self.domain, &node.state) {
            let (a, b) = (&self.arg.nodes[id].state, &self.arg.nodes[by].state);
            if a == b || self.domain.covers(cx, b, a)? {
                return Ok(Some(by));
            }
        }
        Ok(None)
    }

    fn take(&mut self, cx: &mut Cx<'_>, run: RunId, id: NodeId, edge: EdgeId) -> Result<(), Stop> {
        let Node { proc, ref state, .. } = self.arg.nodes[id];
        let state = state.clone();
        for callee in cx.semantics.entered(proc, edge) {
            let call = cx.semantics.call(&mut cx.terms, proc, edge, callee);
            for entry in self.domain.enter(cx, &state, &call)? {
                self.call(cx, run, id, &call, entry)?;
            }
        }
        if cx.semantics.stays(proc, edge) {
            let to = self.body(proc).edges[edge].to;
            for next in self.domain.post(cx, &state, proc, edge)? {
                self.add(run, to, next, Via::Step { from: id, edge });
            }
        }
        Ok(())
    }

    fn call(
        &mut self,
        cx: &mut Cx<'_>,
        run: RunId,
        from: NodeId,
        call: &Rc<Call>,
        state: D::State,
    ) -> Result<(), Stop> {
        let entry = self.body(call.callee).entry;
        let frame = self.arg.push_frame(call.callee, Some((from, Rc::clone(call))));
        let via = Via::Enter { from, call: Rc::clone(call) };
        let input = self.add_node((call.callee, entry), frame, state, via);
        self.use_block(cx, run, input, self.blocks.body(call.callee))
    }

    fn enter_loop(
        &mut self,
        cx: &mut Cx<'_>,
        run: RunId,
        input: NodeId,
        block: BlockId,
    ) -> Result<(), Stop> {
        // It is left out for the run: what it leads to, that one does.
        self.unlist(input);
        self.use_block(cx, run, input, block)
    }

    /// Finds the run that says what a block does from the state of a node, and does so.
    fn use_block(
        &mut self,
        cx: &mut Cx<'_>,
        user: RunId,
        input: NodeId,
        block: BlockId,
    ) -> Result<(), Stop> {
        let state = self.reduced(cx, input, block);
        let (run, recursive) = match self.recursion(cx, &state, block)? {
            Some(run) => {
                self.counts.recursive += 1;
                (run, true)
            }
            None => (self.cached_or_new(block, state), false),
        };
        self.arg.nodes[input].status = Status::Popped(self.runs[run].root);
        self.runs[run].uses.push(Use { input, recursive });
        self.runs[user].callees.insert(input, run);
        for exit in self.runs[run].exits.clone() {
            self.leave(cx, input, exit)?;
        }
        Ok(())
    }

    fn reduced(&mut self, cx: &mut Cx<'_>, input: NodeId, block: BlockId) -> D::State {
        let Node { proc, loc, ref state, .. } = self.arg.nodes[input];
        let state = state.clone();
        if self.exact.contains(&(proc, loc)) {
            return state;
        }
        let block = &self.blocks.all[block];
        self.domain.reduce(cx, &state, &|var| block.sees(var))
    }

    /// A run on the block stack that answers for an input: else the recursion would never end.
    fn recursion(
        &mut self,
        cx: &mut Cx<'_>,
        state: &D::State,
        block: BlockId,
    ) -> Result<Option<RunId>, Stop> {
        let Bam { runs, domain, blocks, exact, stack, .. } = self;
        let exact = exact.contains(&(blocks.all[block].proc, blocks.all[block].entry));
        for id in stack.iter().rev() {
            let run = &runs[*id];
            if run.block == block
                && (run.input == *state || (!exact && domain.covers(cx, &run.input, state)?))
            {
                return Ok(Some(*id));
            }
        }
        Ok(None)
    }

    fn cached_or_new(&mut self, block: BlockId, state: D::State) -> RunId {
        let key = (block, state);
        match self.cache.get(&key).copied() {
            Some(run) if self.keeps(block) => {
                self.counts.hits += 1;
                self.enliven(run);
                run
            }
            _ => self.begin_run(block, key.1),
        }
    }

    /// Makes a run part of the graph again, with those that it uses. What is not finished in them
    /// is put on the stack.
    pub(super) fn enliven(&mut self, run: RunId) {
        let mut open = vec![run];
        while let Some(run) = open.pop() {
            if !std::mem::replace(&mut self.runs[run].live, true) {
                if !self.runs[run].open.is_empty() {
                    self.push_run(run);
                }
                open.extend(self.runs[run].callees.values());
            }
        }
    }

    /// A run has a new exit.
    fn announce(&mut self, cx: &mut Cx<'_>, run: RunId, exit: NodeId) -> Result<(), Stop> {
        self.runs[run].exits.push(exit);
        for Use { input, recursive } in self.runs[run].uses.clone() {
            match recursive {
                true => self.pending.push((input, exit)),
                false => self.leave(cx, input, exit)?,
            }
        }
        Ok(())
    }

    /// From an exit back to where the block was entered: *expand* and *rebuild*.
    fn leave(&mut self, cx: &mut Cx<'_>, input: NodeId, exit: NodeId) -> Result<(), Stop> {
        let way = || {
            let inside = self.way_in_run(exit);
            std::iter::once(input).chain(inside).collect::<Rc<[NodeId]>>()
        };
        let end = self.arg.nodes[exit].state.clone();
        let run = self.owner(input);
        if let Via::Enter { from, ref call } = self.arg.nodes[input].via {
            let (call, way) = (Rc::clone(call), way());
            let caller = self.arg.nodes[from].state.clone();
            for state in self.domain.rebuild(cx, &caller, &call, &end)? {
                let to = self.body(call.caller).edges[call.edge].to;
                let (call, way) = (Rc::clone(&call), Rc::clone(&way));
                self.add(run, to, state, Via::Return { call_node: from, call, exit, way });
            }
            return Ok(());
        }
        let way = way();
        let before = self.arg.nodes[input].state.clone();
        let place = (self.arg.nodes[exit].proc, self.arg.nodes[exit].loc);
        let used = self.runs[self.run_of(exit)].block;
        let changed = self.blocks.all[used].changed.clone();
        for state in self.domain.expand(cx, &before, &end, place, &changed)? {
            self.add(run, place.1, state, Via::Expand { from: input, exit, way: Rc::clone(&way) });
        }
        Ok(())
    }
}
