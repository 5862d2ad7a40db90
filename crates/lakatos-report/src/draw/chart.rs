//! From an automaton to what is drawn of it: which locations become nodes, and which steps
//! share the label of one line.
//!
//! A location with one way in and one way out is drawn only as the border between two lines of a
//! label, and one that only jumps on is drawn as one with its target. Entry, exit, error locations,
//! loop heads, ends, labelled locations and every branch and join stay nodes.

use lakatos_ir::{Cfa, EdgeId, Id, Instr, LocId, Program};

use super::Drawn;
use super::marks::{Kind, Marks, labels, line};
use crate::excerpt::shortened;

const MAX_TEXT: usize = 56;

pub(super) struct Chart {
    pub nodes: Vec<Node>,
    pub links: Vec<Link>,
}

pub(super) struct Node {
    pub loc: LocId,
    /// Locations that only jump to this one, and the edges they jump on.
    pub absorbed: Vec<(LocId, EdgeId)>,
    pub kind: Kind,
    pub is_head: bool,
    pub is_reached: bool,
    /// What it is, in a word: `entry`, `loop`, a C label.
    pub word: String,
    pub line: Option<u32>,
}

impl Node {
    /// `l3`, with the line number as text of its own.
    pub fn texts(&self) -> (String, String) {
        let name = match self.word.is_empty() {
            true => format!("{:?}", self.loc),
            false => format!("{} {:?}", self.word, self.loc),
        };
        (name, self.line.map_or(String::new(), |line| format!(":{line}")))
    }
}

pub(super) struct Link {
    pub from: usize,
    pub to: usize,
    pub edges: Vec<EdgeId>,
    /// Locations passed on the way.
    pub passed: Vec<LocId>,
    pub lines: Vec<Step>,
    /// Closes a cycle.
    pub is_back: bool,
}

/// One line of a label.
pub(super) struct Step {
    pub edge: EdgeId,
    pub text: String,
    pub is_condition: bool,
    pub line: Option<u32>,
}

impl Chart {
    pub fn new(program: &Program, drawn: &Drawn<'_>) -> Chart {
        let (cfa, marks) = (drawn.cfa, Marks::of(drawn.cfa));
        let roles = roles(program, cfa, &marks);
        let mut number = vec![usize::MAX; cfa.locs.len()];
        let mut nodes = Vec::new();
        let labels = labels(cfa);
        for (loc, data) in cfa.locs.iter().filter(|(l, _)| roles[l.index()] == Role::Node) {
            number[loc.index()] = nodes.len();
            let (kind, is_head) = (Kind::of(program, cfa, loc), marks.is_head(loc));
            let word = word(kind, is_head, &labels[loc]);
            let line = line(program, data.span);
            let is_reached = marks.is_reached(loc);
            nodes.push(Node { loc, absorbed: Vec::new(), kind, is_head, is_reached, word, line });
        }
        let target = |mut loc: LocId| {
            while roles[loc.index()] == Role::Jump {
                loc = cfa.edges[cfa.locs[loc].out[0]].to;
            }
            number[loc.index()]
        };
        for (loc, data) in cfa.locs.iter().filter(|(l, _)| roles[l.index()] == Role::Jump) {
            nodes[target(loc)].absorbed.push((loc, data.out[0]));
        }
        let starts = nodes.iter().enumerate();
        let starts = starts.flat_map(|(i, n)| cfa.locs[n.loc].out.iter().map(move |&e| (i, e)));
        let mut links: Vec<Link> =
            starts.map(|(from, edge)| link(program, cfa, &roles, from, edge, target)).collect();
        for link in &mut links {
            link.is_back = link.edges.iter().any(|&e| marks.is_back(e));
        }
        Chart { nodes, links }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Node,
    /// Between two steps of one label.
    Passed,
    /// Only jumps on to a node.
    Jump,
}

fn roles(program: &Program, cfa: &Cfa, marks: &Marks) -> Vec<Role> {
    let labels = labels(cfa);
    let is_plain = |id: LocId| {
        Kind::of(program, cfa, id) == Kind::Plain && !marks.is_head(id) && labels[id].is_empty()
    };
    let is_passed = |id: LocId| {
        let loc = &cfa.locs[id];
        is_plain(id) && loc.into.len() == 1 && loc.out.len() == 1
    };
    let jumps = |id: LocId| match cfa.locs[id].out[..] {
        [edge] => {
            let data = &cfa.edges[edge];
            is_plain(id)
                && !cfa.locs[id].into.is_empty()
                && data.instr == Instr::Skip
                && !marks.is_back(edge)
                && !is_passed(data.to)
        }
        _ => false,
    };
    let role = |id: LocId| match () {
        () if is_passed(id) => Role::Passed,
        () if jumps(id) => Role::Jump,
        () => Role::Node,
    };
    cfa.locs.ids().map(role).collect()
}

fn word(kind: Kind, is_head: bool, labels: &[&str]) -> String {
    let mut words: Vec<String> = labels.iter().map(|l| shortened(l, 30) + ":").collect();
    words.extend((kind != Kind::Plain).then(|| kind.name().to_owned()));
    words.extend(is_head.then(|| "loop".to_owned()));
    words.join(" ")
}

/// Follows an edge to the next node.
fn link(
    program: &Program,
    cfa: &Cfa,
    roles: &[Role],
    from: usize,
    first: EdgeId,
    target: impl Fn(LocId) -> usize,
) -> Link {
    let (mut edges, mut passed) = (vec![first], Vec::new());
    let mut at = cfa.edges[first].to;
    while roles[at.index()] == Role::Passed {
        passed.push(at);
        let next = cfa.locs[at].out[0];
        edges.push(next);
        at = cfa.edges[next].to;
    }
    let steps = edges.iter().filter(|&&e| cfa.edges[e].instr != Instr::Skip).map(|&edge| {
        let data = &cfa.edges[edge];
        Step {
            edge,
            text: shortened(&program.show_instr(&data.instr).to_string(), MAX_TEXT),
            is_condition: matches!(data.instr, Instr::Assume(_)),
            line: line(program, data.span),
        }
    });
    Link { from, to: target(at), lines: steps.collect(), edges, passed, is_back: false }
}
