//! Blocks: bodies of procedures and loops, nested in each other; the one around the whole program
//! is the body of its start procedure (BAM thesis, sections 2.4.1 and 3.2).

use std::collections::BTreeSet;

use lakatos_ir::loops::Loops;
use lakatos_ir::modset::Effects;
use lakatos_ir::{Arena, EdgeId, LocId, ProcId, VarId, define_ids};
use rustc_hash::FxHashMap;

use crate::core::Cx;

define_ids! {
    BlockId = "block";
}

/// Which blocks there are: whose analyses are kept. The body of a procedure always has a graph of
/// its own, since recursion needs that.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Kinds {
    #[default]
    Functions,
    Loops,
    Both,
}

#[derive(Clone, Debug)]
pub enum BlockKind {
    Body,
    /// A natural loop: its locations, sorted.
    Loop(Vec<LocId>),
}

#[derive(Clone, Debug)]
pub struct Block {
    pub proc: ProcId,
    /// Where it is entered.
    pub entry: LocId,
    pub kind: BlockKind,
    /// Whether its runs are used again.
    pub kept: bool,
    /// Variables that something in it reads or changes, for a body those of its frame as well.
    seen: BTreeSet<VarId>,
    /// For loops, what may be different after it. Sorted.
    pub changed: Vec<VarId>,
}

impl Block {
    /// Whether what is known of a variable at the entry can matter inside.
    pub fn sees(&self, var: VarId) -> bool {
        self.seen.contains(&var)
    }

    /// Whether a location of the procedure is behind it.
    pub fn is_exit(&self, exit: LocId, loc: LocId) -> bool {
        match &self.kind {
            BlockKind::Body => loc == exit,
            BlockKind::Loop(body) => body.binary_search(&loc).is_err(),
        }
    }
}

#[derive(Clone, Debug)]
pub struct Blocks {
    pub all: Arena<BlockId, Block>,
    bodies: FxHashMap<ProcId, BlockId>,
    loops: FxHashMap<(ProcId, LocId), BlockId>,
}

impl Blocks {
    pub fn new(cx: &mut Cx<'_>, kinds: Kinds) -> Blocks {
        let mut found =
            Blocks { all: Arena::new(), bodies: FxHashMap::default(), loops: FxHashMap::default() };
        let program = cx.semantics.program;
        for (proc, _, body) in program.defined() {
            let mut seen = touched(cx.semantics.mods.of_proc(proc));
            let own = program.vars.iter().filter(|(_, var)| var.kind.frame() == Some(proc));
            seen.extend(own.map(|(id, _)| id));
            let id = found.all.push(Block {
                proc,
                entry: body.entry,
                kind: BlockKind::Body,
                kept: kinds != Kinds::Loops,
                seen,
                changed: Vec::new(),
            });
            found.bodies.insert(proc, id);
            if kinds != Kinds::Functions {
                let loops = Loops::new(body);
                for (id, natural) in loops.loops.iter() {
                    let mut locs = loops.body(id).to_vec();
                    locs.sort_unstable();
                    let block = loop_block(cx, proc, natural.head, locs);
                    let block = found.all.push(block);
                    found.loops.insert((proc, natural.head), block);
                }
            }
        }
        found
    }

    pub fn body(&self, proc: ProcId) -> BlockId {
        self.bodies[&proc]
    }

    /// Whether a location is inside a loop that is a block.
    pub fn is_inside(&self, (proc, loc): (ProcId, LocId)) -> bool {
        self.all.iter().any(|(_, block)| match &block.kind {
            BlockKind::Loop(body) => block.proc == proc && body.binary_search(&loc).is_ok(),
            BlockKind::Body => false,
        })
    }

    pub fn loop_at(&self, proc: ProcId, loc: LocId) -> Option<BlockId> {
        self.loops.get(&(proc, loc)).copied()
    }
}

fn touched(effects: &Effects) -> BTreeSet<VarId> {
    effects.reads.vars.union(&effects.writes.vars).copied().collect()
}

fn loop_block(cx: &mut Cx<'_>, proc: ProcId, head: LocId, locs: Vec<LocId>) -> Block {
    let program = cx.semantics.program;
    let body = program.procs[proc].body.as_ref().expect("a loop is in a body");
    let (mut seen, mut changed) = (BTreeSet::new(), BTreeSet::new());
    let inside: Vec<EdgeId> = locs.iter().flat_map(|loc| &body.locs[*loc].out).copied().collect();
    for edge in inside {
        let semantics = &mut cx.semantics;
        seen.extend(touched(&semantics.mods.of_edge(program, &semantics.calls, proc, edge)));
        if semantics.stays(proc, edge) {
            changed.extend(&semantics.transition(&mut cx.terms, proc, edge).assigned);
        }
        for callee in semantics.entered(proc, edge) {
            changed.extend(&semantics.call(&mut cx.terms, proc, edge, callee).assigned);
        }
    }
    seen.extend(&changed);
    let changed = changed.into_iter().collect();
    Block { proc, entry: head, kind: BlockKind::Loop(locs), kept: true, seen, changed }
}
