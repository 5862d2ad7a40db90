//! The figures of the stack-abstraction thesis: its programs, and the shapes of the graphs it
//! draws. A block of ours is one step where the thesis has one per instruction, so a graph here
//! has fewer nodes; those at loop heads, entries, exits and around calls are the same.
//!
//! A node is written as its location, the calls it is under, and its state; below it is what it is
//! covered or popped by. The caller of `main`, which the thesis does not have, is left out.

mod common;

use std::fmt::Write as _;

use common::Nodes;
use expect_test::{Expect, expect};
use lakatos_analysis::core::Pop;
use lakatos_analysis::domain::Granularity;
use lakatos_check::Verdict;
use lakatos_engine::graph::{EdgeKind, Graph, Node, Role, Status};
use lakatos_engine::stack_cegar::StackCegar;
use lakatos_engine::{Report, Task};
use lakatos_ir::{Property, SignedOverflow};

fn run(text: &str, property: Property, engine: StackCegar) -> (Report, Graph) {
    let program = common::compile(text);
    let task = Task { program: &program, property, signed_overflow: SignedOverflow::Undefined };
    engine.solve_and_show(&task, &mut Nodes(40))
}

fn is_ours(node: &Node) -> bool {
    node.function != "__lakatos_start"
}

fn place(node: &Node) -> String {
    let line = node.line.map_or(String::new(), |line| format!(":{line}"));
    let role = match node.role {
        Role::Entry => " entry",
        Role::Exit => " exit",
        Role::LoopHead => " loop",
        Role::Error => " error",
        Role::Plain => "",
    };
    format!("{}{line}{role}", node.function)
}

/// The nodes in the order in which they were made, with how they were reached.
fn shape(graph: &Graph) -> String {
    let mut text = String::new();
    for (at, node) in graph.nodes.iter().enumerate().filter(|(_, node)| is_ours(node)) {
        let under: String = node.stack.calls().iter().map(|call| format!(" < {call}")).collect();
        let status = match node.status {
            Status::Expanded => "",
            Status::Open => " open",
            Status::Covered => " covered",
            Status::Popped => " popped",
            Status::Entered => " entered",
            Status::Target => " TARGET",
        };
        let state = node.state.join(" && ");
        let _ = writeln!(text, "n{at} {}{under} {{{state}}}{status}", place(node));
        for edge in &graph.edges {
            let word = match edge.kind {
                EdgeKind::Step | EdgeKind::Over => continue,
                EdgeKind::Call => "called from",
                EdgeKind::Return => "returned to from",
                EdgeKind::Skip => "skipped to from",
                EdgeKind::Cover => "covered by",
                EdgeKind::Pop => "popped for",
                EdgeKind::Reduce => "reduced to",
                EdgeKind::Expand => "expanded from",
            };
            let leads_up = matches!(edge.kind, EdgeKind::Cover | EdgeKind::Pop | EdgeKind::Reduce);
            let (this, other) = if leads_up { (edge.from, edge.to) } else { (edge.to, edge.from) };
            if this == at && is_ours(&graph.nodes[other]) {
                let _ = writeln!(text, "   {word} n{other} {}", place(&graph.nodes[other]));
            }
        }
    }
    text
}

fn check(graph: &Graph, expected: Expect) {
    check_sound(graph);
    expected.assert_eq(&shape(graph));
}

/// What holds of every graph: covers and pops are at one location, and the dashed edge is there
/// exactly if the status says so. Only a pop may have another stack.
fn check_sound(graph: &Graph) {
    for (at, node) in graph.nodes.iter().enumerate() {
        let leaving = |kind| graph.edges.iter().filter(move |e| e.kind == kind && e.from == at);
        assert_eq!(leaving(EdgeKind::Cover).count(), usize::from(node.status == Status::Covered));
        assert_eq!(leaving(EdgeKind::Pop).count(), usize::from(node.status == Status::Popped));
        for edge in leaving(EdgeKind::Cover).chain(leaving(EdgeKind::Pop)) {
            let by = &graph.nodes[edge.to];
            assert_eq!(place(by), place(node));
            assert_eq!(by.status, Status::Expanded, "a node that is covered covers nothing");
        }
        for edge in leaving(EdgeKind::Cover) {
            assert_eq!(graph.nodes[edge.to].stack, node.stack);
        }
    }
}

fn count(graph: &Graph, status: Status) -> usize {
    graph.nodes.iter().filter(|node| node.status == status).count()
}

fn popping(pop: Pop) -> StackCegar {
    StackCegar { probe: false, pop, ..StackCegar::default() }
}

/// As in the thesis: one precision for all locations.
fn everywhere(pop: Pop) -> StackCegar {
    StackCegar { granularity: Granularity::Global, ..popping(pop) }
}

/// Figure 2.2 has eight nodes: ours are its l0, its two at l2 (the loop's head, the second covered
/// by the first) and its last one; the others are inside blocks. Its precision also has `a >= 100`
/// and `a > 100`, which nothing needs: refinement finds `b < 10` alone.
#[test]
fn figure_2_2() {
    let text = "extern void reach_error(void);
int main(void) {
    int a;
    int b = a % 10;
    while (a > 100) {
        b = a % 10;
        a = a - 1;
    }
    if (!(b < 10)) reach_error();
}";
    let (report, graph) = run(text, Property::UnreachCall, StackCegar::default());
    assert!(matches!(report.verdict, Verdict::Proved(_)));
    check(
        &graph,
        expect![[r#"
        n1 main:3 entry {}
        n2 main:5 loop {b <= 9}
        n3 main:10 exit {}
        n4 main:5 loop {b <= 9} covered
           covered by n2 main:5 loop
    "#]],
    );
}

const FIGURE_4_1: &str = "extern void reach_error(void);
void foo(int k) {
}
int main(void) {
    foo(2);
    foo(2);
    reach_error();
}";

/// Figure 4.3: the second call is explored as the first one was, since their stacks differ, and the
/// error is reached. (Figure 4.2, in which the first call covers the second, would be a proof.)
/// The thesis tracks `k = 2` there; that the counterexample is feasible takes no predicate.
#[test]
fn figure_4_3() {
    let (report, graph) = run(FIGURE_4_1, Property::UnreachCall, popping(Pop::Off));
    assert!(matches!(report.verdict, Verdict::Refuted(_)));
    check(
        &graph,
        expect![[r#"
        n1 main:5 entry {}
        n2 foo:3 entry < main:5 {}
           called from n1 main:5 entry
        n3 foo:3 exit < main:5 {}
        n4 main:6 {}
           returned to from n3 foo:3 exit
        n5 foo:3 entry < main:6 {}
           called from n4 main:6
        n6 foo:3 exit < main:6 {}
        n7 main:7 {}
           returned to from n6 foo:3 exit
        n8 main:7 error {} TARGET
    "#]],
    );
}

/// With popping the second call is left out, but it returns: from the first call's exit with
/// summaries, from the popped node without. That pop is not feasible, and undone before the
/// refutation.
#[test]
fn figure_4_1_with_popping() {
    let (report, graph) = run(FIGURE_4_1, Property::UnreachCall, popping(Pop::Summary));
    assert!(matches!(report.verdict, Verdict::Refuted(_)));
    check(
        &graph,
        expect![[r#"
        n1 main:5 entry {}
        n2 foo:3 entry < main:5 {}
           called from n1 main:5 entry
        n3 foo:3 exit < main:5 {}
        n4 main:6 {}
           returned to from n3 foo:3 exit
        n5 foo:3 entry < main:6 {} popped
           called from n4 main:6
           popped for n2 foo:3 entry
        n6 main:7 {}
           returned to from n3 foo:3 exit
        n7 main:7 error {} TARGET
    "#]],
    );
    let (report, graph) = run(FIGURE_4_1, Property::UnreachCall, popping(Pop::Havoc));
    assert!(matches!(report.verdict, Verdict::Refuted(_)));
    check(
        &graph,
        expect![[r#"
        n1 main:5 entry {}
        n2 foo:3 entry < main:5 {}
           called from n1 main:5 entry
        n3 foo:3 exit < main:5 {}
        n4 main:6 {}
           returned to from n3 foo:3 exit
        n5 foo:3 entry < main:6 {}
           called from n4 main:6
        n6 foo:3 exit < main:6 {}
        n7 main:7 {}
           returned to from n6 foo:3 exit
        n8 main:7 error {} TARGET
    "#]],
    );
}

const FIGURE_5_3: &str = "extern void reach_error(void);
void rec(int k) {
    if (k <= 0) reach_error();
    rec(k + 1);
}
int main(void) {
    rec(1);
}";

/// Figure 5.7: the entry of a `rec` is popped for that of the one before, and after it come the
/// exits of every `rec` and of `main`. The thesis assumes that refinement finds `k > 0`, and ends in
/// the second iteration, with the second `rec` popped; ours finds `k == 1` first and takes a third,
/// so that the second `rec`, which is entered with another `k`, is explored and the third popped.
#[test]
fn figure_5_7() {
    let (report, graph) = run(FIGURE_5_3, Property::UnreachCall, everywhere(Pop::Havoc));
    assert!(matches!(report.verdict, Verdict::Proved(_)));
    assert_eq!(report.statistics.refinements, 2, "{:?}", report.statistics);
    check(
        &graph,
        expect![[r#"
        n1 main:7 entry {}
        n2 rec:3 entry < main:7 {k == 1}
           called from n1 main:7 entry
        n3 rec:4 < main:7 {k == 1 && k >= 1}
        n4 rec:3 entry < main:7 < rec:4 {k >= 1 && k != 1}
           called from n3 rec:4
        n5 rec:4 < main:7 < rec:4 {k >= 1 && k != 1}
        n6 rec:3 entry < main:7 < rec:4 < rec:4 {k >= 1 && k != 1} popped
           called from n5 rec:4
           popped for n4 rec:3 entry
        n7 rec:5 < main:7 < rec:4 {k >= 1 && k != 1}
           skipped to from n6 rec:3 entry
        n8 rec:5 exit < main:7 < rec:4 {k >= 1 && k != 1}
        n9 rec:5 < main:7 {k == 1 && k >= 1}
           returned to from n8 rec:5 exit
        n10 rec:5 exit < main:7 {k == 1 && k >= 1}
        n11 main:8 {k >= 1 || k != 1}
           returned to from n10 rec:5 exit
        n12 main:8 exit {k >= 1 || k != 1}
    "#]],
    );
}

/// With summaries nothing comes after the popped node: `rec` has no exit, and never returns. The
/// thesis has no such graph.
#[test]
fn figure_5_3_with_summaries() {
    let (report, graph) = run(FIGURE_5_3, Property::UnreachCall, everywhere(Pop::Summary));
    assert!(matches!(report.verdict, Verdict::Proved(_)));
    check(
        &graph,
        expect![[r#"
        n1 main:7 entry {}
        n2 rec:3 entry < main:7 {k == 1}
           called from n1 main:7 entry
        n3 rec:4 < main:7 {k == 1 && k >= 1}
        n4 rec:3 entry < main:7 < rec:4 {k >= 1 && k != 1}
           called from n3 rec:4
        n5 rec:4 < main:7 < rec:4 {k >= 1 && k != 1}
        n6 rec:3 entry < main:7 < rec:4 < rec:4 {k >= 1 && k != 1} popped
           called from n5 rec:4
           popped for n4 rec:3 entry
    "#]],
    );
}

/// Figure 5.8: without popping the graph is a path on which the stack grows, until a limit.
#[test]
fn figure_5_8() {
    let (report, graph) = run(FIGURE_5_3, Property::UnreachCall, everywhere(Pop::Off));
    assert!(matches!(report.verdict, Verdict::Unknown(_)));
    check_sound(&graph);
    assert_eq!((count(&graph, Status::Covered), count(&graph, Status::Popped)), (0, 0));
    assert_eq!(count(&graph, Status::Open), 1, "{}", shape(&graph));
    let entries = graph.nodes.iter().filter(|n| place(n) == "rec:3 entry");
    let depths: Vec<usize> = entries.map(|n| n.stack.depth()).collect();
    assert!(depths.len() > 5 && depths.iter().copied().eq(1..=depths.len()), "{depths:?}");
    assert_eq!(graph.edges.len(), graph.nodes.len() - 1, "a path");
}

/// Figure 6.3, with the property that the thesis goes on to prove: no overflow in `abs`. Its two
/// paths from `main`'s entry and the one node at the entry of `abs` are here. The thesis takes its
/// precision from the program's conditions and has `k >= 0` there; refinement finds `k >= 1`. The
/// branch in `abs` is inside a block, and our path over `abs` ends where it meets the other one.
#[test]
fn figure_6_3() {
    let text = "int abs(int k) {
    if (k < 0) {
        return -k;
    } else {
        return k;
    }
}
int main() {
    int n;
    if (n > 0) {
        abs(n);
    }
}";
    let (report, graph) = run(text, Property::NoOverflow, StackCegar::default());
    assert!(matches!(report.verdict, Verdict::Proved(_)));
    check(
        &graph,
        expect![[r#"
        n1 main:9 entry {}
        n2 main:11 {n >= 1}
        n3 main:13 {}
        n4 abs:2 entry < main:11 {k >= 1}
           called from n2 main:11
        n5 main:13 exit {}
        n6 abs:7 exit < main:11 {}
        n8 main:13 {} covered
           returned to from n6 abs:7 exit
           covered by n3 main:13
    "#]],
    );
}

/// Large recursion depths are told by their ends.
#[test]
fn stacks_are_cut_in_the_middle() {
    let text = "void f(int k) { f(k); } int main(void) { f(1); }";
    let program = common::compile(text);
    let task = Task {
        program: &program,
        property: Property::UnreachCall,
        signed_overflow: SignedOverflow::Undefined,
    };
    let (_, graph) = popping(Pop::Off).solve_and_show(&task, &mut Nodes(120));
    let deepest = graph.nodes.last().expect("there are nodes");
    assert!(deepest.stack.left_out > 0, "{deepest:?}");
    let calls = deepest.stack.calls();
    assert_eq!((calls[0].as_str(), calls[1].as_str()), ("main:1", "f:1"));
    assert!(calls.iter().any(|c| *c == format!("… {} more …", deepest.stack.left_out)));
}

/// Names are those of the source as long as they tell variables apart; values at entry are ACSL's
/// `\old`.
#[test]
fn names_in_states() {
    let text = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
int x;
void more(void) {
    x = x + 1;
}
int main(void) {
    x = __VERIFIER_nondet_int();
    if (x > 2) {
        int x = 0;
        while (__VERIFIER_nondet_int()) x = 0;
        if (x != 0) reach_error();
    }
    int before = x;
    more();
    if (x <= before) reach_error();
}";
    let (report, graph) = run(text, Property::UnreachCall, StackCegar::default());
    assert!(matches!(report.verdict, Verdict::Proved(_)), "{}", shape(&graph));
    check(
        &graph,
        expect![[r#"
            n2 main:7 entry {}
            n3 main:10 loop {}
            n4 main:14 {x@2 == before}
            n5 main:10 loop {} covered
               covered by n3 main:10 loop
            n6 main:14 {x@2 == before} covered
               covered by n4 main:14
            n7 more:4 entry < main:14 {x == \old(x)}
               called from n4 main:14
            n8 more:5 exit < main:14 {\old(x) <= x - 1}
            n9 main:15 {before <= x@2 - 1}
               returned to from n8 more:5 exit
            n10 main:16 exit {}
        "#]],
    );
}
