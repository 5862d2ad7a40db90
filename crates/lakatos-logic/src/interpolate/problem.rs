//! What is interpolated: a tree of formulas that contradict each other (BAM thesis, section
//! 2.6.3). A sequence is a tree without branches, a binary problem a sequence of two.

use std::collections::{BTreeMap, BTreeSet};

use crate::term::{Symbol, Term, Terms};

/// Formulas in a tree, children before parents; the last one is the root. An interpolant of a
/// node follows from the node's formula and its children's interpolants, and that of the root is
/// false; its symbols occur both below (and in) the node and elsewhere.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    formulas: Vec<Term>,
    parents: Vec<Option<usize>>,
    children: Vec<Vec<usize>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadTree {
    #[error("an interpolation problem needs at least one formula")]
    Empty,
    #[error("node {0} has no parent after it")]
    Parent(usize),
}

impl Problem {
    /// An interpolant between `a` and `b`: follows from `a` and contradicts `b`.
    pub fn binary(a: Term, b: Term) -> Problem {
        Problem::sequence(&[a, b])
    }

    /// Interpolants between neighbours of a sequence of at least one formula.
    pub fn sequence(formulas: &[Term]) -> Problem {
        let nodes: Vec<(Term, Option<usize>)> = formulas
            .iter()
            .enumerate()
            .map(|(at, f)| (*f, (at + 1 < formulas.len()).then_some(at + 1)))
            .collect();
        Problem::tree(&nodes).expect("a sequence is a tree")
    }

    /// Formulas with the indices of their parents, which come later; only the last has none.
    pub fn tree(nodes: &[(Term, Option<usize>)]) -> Result<Problem, BadTree> {
        let mut children = vec![Vec::new(); nodes.len()];
        for (at, (_, parent)) in nodes.iter().enumerate() {
            match parent {
                Some(parent) if at < *parent && *parent < nodes.len() => children[*parent].push(at),
                None if at + 1 == nodes.len() => {}
                _ => return Err(BadTree::Parent(at)),
            }
        }
        match nodes.is_empty() {
            true => Err(BadTree::Empty),
            false => Ok(Problem {
                formulas: nodes.iter().map(|(f, _)| *f).collect(),
                parents: nodes.iter().map(|(_, p)| *p).collect(),
                children,
            }),
        }
    }

    pub fn formulas(&self) -> &[Term] {
        &self.formulas
    }

    pub fn len(&self) -> usize {
        self.formulas.len()
    }

    pub fn is_empty(&self) -> bool {
        false
    }

    pub fn root(&self) -> usize {
        self.formulas.len() - 1
    }

    pub fn parent(&self, node: usize) -> Option<usize> {
        self.parents[node]
    }

    pub fn children(&self, node: usize) -> &[usize] {
        &self.children[node]
    }

    pub fn is_sequence(&self) -> bool {
        self.children.iter().all(|c| c.len() <= 1)
    }

    /// How many steps the root is above the deepest node.
    pub fn height(&self) -> usize {
        let mut heights = vec![0; self.len()];
        for (node, parent) in self.parents.iter().enumerate() {
            if let Some(parent) = parent {
                heights[*parent] = heights[*parent].max(heights[node] + 1);
            }
        }
        heights[self.root()]
    }

    /// The same tree with other formulas.
    pub fn with_formulas(&self, formulas: Vec<Term>) -> Problem {
        debug_assert_eq!(formulas.len(), self.formulas.len());
        Problem { formulas, ..self.clone() }
    }

    /// The node and everything below it.
    pub fn subtree(&self, node: usize) -> Vec<usize> {
        let mut found = vec![node];
        let mut next = 0;
        while let Some(at) = found.get(next) {
            found.extend_from_slice(&self.children[*at]);
            next += 1;
        }
        found.sort_unstable();
        found
    }

    /// Whether `node` is `below` or above it.
    pub fn contains(&self, node: usize, below: usize) -> bool {
        let mut at = below;
        while at < node {
            match self.parents[at] {
                Some(parent) => at = parent,
                None => return false,
            }
        }
        at == node
    }

    /// For each node, the symbols of its subtree that occur outside as well.
    pub fn vocabularies(&self, terms: &Terms) -> Vec<BTreeSet<Symbol>> {
        let own: Vec<BTreeSet<Symbol>> =
            self.formulas.iter().map(|f| terms.free_symbols(*f)).collect();
        let mut total: BTreeMap<Symbol, usize> = BTreeMap::new();
        for symbol in own.iter().flatten() {
            *total.entry(*symbol).or_default() += 1;
        }
        // In how many nodes below (and in) a node a symbol occurs that is not finished there.
        let mut counts: Vec<BTreeMap<Symbol, usize>> = Vec::with_capacity(self.len());
        let mut vocabularies = Vec::with_capacity(self.len());
        for (node, symbols) in own.iter().enumerate() {
            let mut count: BTreeMap<Symbol, usize> = symbols.iter().map(|s| (*s, 1)).collect();
            for child in &self.children[node] {
                for (symbol, below) in std::mem::take(&mut counts[*child]) {
                    *count.entry(symbol).or_default() += below;
                }
            }
            count.retain(|symbol, below| *below < total[symbol]);
            vocabularies.push(count.keys().copied().collect());
            counts.push(count);
        }
        vocabularies
    }
}
