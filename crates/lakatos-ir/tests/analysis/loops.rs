//! Dominators, loops and cut points against brute force on random automata.

use std::collections::BTreeSet;

use lakatos_ir::loops::Loops;
use lakatos_ir::*;
use proptest::prelude::*;

use crate::build::NO;

fn automaton(n: usize, edges: &[(usize, usize)]) -> Cfa {
    let mut cfa = Cfa::new();
    for _ in 2..n {
        cfa.add_loc(NO);
    }
    for &(from, to) in edges {
        let (from, to) = (LocId::from_index(from % n), LocId::from_index(to % n));
        if from != cfa.exit {
            cfa.add_edge(from, to, Instr::Skip, NO);
        }
    }
    cfa
}

/// What can be reached without passing `banned`.
fn reach(cfa: &Cfa, from: LocId, banned: Option<LocId>) -> BTreeSet<LocId> {
    let mut seen = BTreeSet::new();
    let mut work = vec![from];
    while let Some(loc) = work.pop() {
        if Some(loc) != banned && seen.insert(loc) {
            work.extend(cfa.successors(loc));
        }
    }
    seen
}

fn check_dominators(cfa: &Cfa, loops: &Loops) {
    let reachable = reach(cfa, cfa.entry, None);
    for &above in &reachable {
        let without = reach(cfa, cfa.entry, Some(above));
        for &below in &reachable {
            assert_eq!(loops.dominates(above, below), !without.contains(&below));
        }
    }
    for &loc in &reachable {
        let closest = loops.immediate_dominator(loc);
        let strict = |&d: &LocId| d != loc && loops.dominates(d, loc);
        let all: Vec<LocId> = reachable.iter().copied().filter(strict).collect();
        assert_eq!(closest.is_some(), !all.is_empty());
        assert!(closest.is_none_or(|c| all.iter().all(|&d| loops.dominates(d, c))));
    }
}

/// Natural loops by definition: for each head, what reaches a back edge without passing it.
fn check_loops(cfa: &Cfa, loops: &Loops) {
    let reachable = reach(cfa, cfa.entry, None);
    let is_back = |e: &Edge| reachable.contains(&e.from) && loops.dominates(e.to, e.from);
    for &head in &reachable {
        let back: Vec<EdgeId> = cfa
            .edges
            .iter()
            .filter(|(_, e)| e.to == head && is_back(e))
            .map(|(id, _)| id)
            .collect();
        let found = loops.headed_by(head);
        assert_eq!(found.is_some(), !back.is_empty(), "{head:?}");
        let Some(id) = found else { continue };
        assert_eq!(loops.loops[id].back_edges, back);
        let latches: BTreeSet<LocId> = back.iter().map(|&e| cfa.edges[e].from).collect();
        let reaches_latch = |loc: LocId| !reach(cfa, loc, Some(head)).is_disjoint(&latches);
        let expected: BTreeSet<LocId> =
            reachable.iter().copied().filter(|&l| l == head || reaches_latch(l)).collect();
        let body: BTreeSet<LocId> = loops.body(id).iter().copied().collect();
        assert_eq!(body, expected);
        assert_eq!(loops.body(id).len(), body.len());
        assert_eq!(loops.body(id)[0], head);
        for loc in cfa.locs.ids() {
            assert_eq!(loops.contains(id, loc), body.contains(&loc));
        }
        let exits: BTreeSet<EdgeId> = loops.exits(cfa, id).collect();
        let leaves = |e: &Edge| body.contains(&e.from) && !body.contains(&e.to);
        let all = cfa.edges.iter().filter(|(_, e)| leaves(e)).map(|(id, _)| id);
        assert_eq!(exits, all.collect());
        let parent = loops.loops[id].parent;
        assert_eq!(loops.loops[id].depth, 1 + parent.map_or(0, |p| loops.loops[p].depth));
        assert!(parent.is_none_or(|p| p < id && loops.contains(p, head)));
    }
    for loc in cfa.locs.ids() {
        let around = loops.loops.ids().filter(|&id| loops.contains(id, loc));
        assert_eq!(around.max_by_key(|&id| loops.loops[id].depth), loops.innermost(loc));
    }
}

/// Every cycle has a cut point, the unreachable ones too; and a reducible automaton needs only
/// the heads of loops.
fn check_cut_points(cfa: &Cfa, loops: &Loops) {
    let cut = |loc: LocId| loops.is_cut_point(loc);
    for start in cfa.locs.ids().filter(|&l| !cut(l)) {
        let mut seen = BTreeSet::new();
        let mut work: Vec<LocId> = cfa.successors(start).collect();
        while let Some(loc) = work.pop() {
            assert_ne!(loc, start, "a cycle without a cut point");
            if !cut(loc) && seen.insert(loc) {
                work.extend(cfa.successors(loc));
            }
        }
    }
    if loops.is_reducible() {
        for &loc in loops.cut_points() {
            assert!(loops.headed_by(loc).is_some());
        }
    }
}

/// Reducible: without the back edges no cycle is left (of what can be reached).
fn check_reducible(cfa: &Cfa, loops: &Loops) {
    let reachable = reach(cfa, cfa.entry, None);
    let mut without = Cfa::new();
    for _ in 2..cfa.locs.len() {
        without.add_loc(NO);
    }
    for (_, e) in cfa.edges.iter().filter(|(_, e)| reachable.contains(&e.from)) {
        if !loops.dominates(e.to, e.from) {
            without.add_edge(e.from, e.to, Instr::Skip, NO);
        }
    }
    let on_cycle = |l: LocId| without.successors(l).any(|s| reach(&without, s, None).contains(&l));
    let cyclic = without.locs.ids().any(on_cycle);
    let reachable_irreducible =
        loops.irreducible_edges().iter().any(|&e| reachable.contains(&cfa.edges[e].from));
    assert_eq!(reachable_irreducible, cyclic);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..Default::default() })]

    #[test]
    fn against_brute_force(
        n in 2usize..12,
        edges in prop::collection::vec((0usize..12, 0usize..12), 0..24),
    ) {
        let cfa = automaton(n, &edges);
        let loops = Loops::new(&cfa);
        check_dominators(&cfa, &loops);
        check_loops(&cfa, &loops);
        check_cut_points(&cfa, &loops);
        check_reducible(&cfa, &loops);
    }
}

/// entry 0, exit 1; `(2 3)` is entered at both locations.
#[test]
fn two_entries_are_irreducible() {
    let cfa = automaton(4, &[(0, 2), (0, 3), (2, 3), (3, 2), (2, 1)]);
    let loops = Loops::new(&cfa);
    assert!(!loops.is_reducible());
    assert_eq!(loops.loops.len(), 0);
    assert_eq!(loops.cut_points().len(), 1);
}

/// Dead code that jumps into a loop does not make the automaton irreducible.
#[test]
fn dead_code_does_not_disturb() {
    let cfa = automaton(5, &[(0, 2), (2, 3), (3, 2), (2, 1), (4, 3)]);
    let loops = Loops::new(&cfa);
    assert!(loops.is_reducible());
    let id = loops.headed_by(LocId(2)).expect("a loop");
    assert_eq!(loops.body(id), [LocId(2), LocId(3)]);
}

/// 100,000 loops inside each other, and a row of as many: no recursion, no quadratic time.
#[test]
fn large_automata() {
    let n = 100_000;
    let nested: Vec<(usize, usize)> = (2..n).flat_map(|i| [(i, i + 1), (i + 1, i)]).collect();
    let row: Vec<(usize, usize)> = (2..n).flat_map(|i| [(i, i), (i, i + 1)]).collect();
    for (edges, depth) in [(nested, n as u32 - 2), (row, 1)] {
        let mut edges = edges;
        edges.push((0, 2));
        edges.push((n, 1));
        let cfa = automaton(n + 1, &edges);
        let loops = Loops::new(&cfa);
        assert!(loops.is_reducible());
        assert_eq!(loops.loops.len(), n - 2);
        assert_eq!(loops.loops.iter().map(|(_, l)| l.depth).max(), Some(depth));
    }
}
