//! Interpolation problems as they are written down in tests.

use lakatos_logic::interpolate::Problem;
use lakatos_logic::term::{Term, Terms};
use z3::{Params, SatResult, Solver};

use super::formula::Formula;

/// Formulas in a tree, children first; the last one is the root.
#[derive(Clone, PartialEq, Debug)]
pub struct Draft {
    pub nodes: Vec<(Formula, Option<usize>)>,
}

impl Draft {
    pub fn sequence(formulas: Vec<Formula>) -> Draft {
        let last = formulas.len() - 1;
        let parent = |at: usize| (at < last).then_some(at + 1);
        Draft { nodes: formulas.into_iter().enumerate().map(|(i, f)| (f, parent(i))).collect() }
    }

    pub fn problem(&self, terms: &mut Terms) -> Problem {
        let nodes: Vec<(Term, Option<usize>)> =
            self.nodes.iter().map(|(f, parent)| (f.term(terms), *parent)).collect();
        Problem::tree(&nodes).expect("drafts are trees")
    }

    pub fn children(&self, node: usize) -> impl Iterator<Item = usize> {
        self.nodes.iter().enumerate().filter(move |(_, n)| n.1 == Some(node)).map(|(at, _)| at)
    }

    pub fn conjoin(&mut self, node: usize, formula: Formula) {
        let own = std::mem::replace(&mut self.nodes[node].0, Formula::truth());
        self.nodes[node].0 = own.and(formula);
    }

    /// Whether the formulas hold together, by a solver that nobody else uses.
    pub fn answer(&self) -> SatResult {
        let solver = Solver::new();
        let mut params = Params::new();
        // No clock: the same problems everywhere.
        params.set_u32("rlimit", 2_000_000);
        solver.set_params(&params);
        for (formula, _) in &self.nodes {
            solver.assert(formula.z3());
        }
        solver.check()
    }
}
