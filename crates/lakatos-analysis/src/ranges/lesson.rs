//! What is learnt from a way to an error: which variables have to tell states apart.
//!
//! A way is followed as a run would, without joining it with others. Where a condition fails that the
//! states on the way allow, some variable was another number in a state that was joined; if states are
//! told apart by it, this way is gone.

use std::mem::replace;

use lakatos_ir::walk::{Node, walk};
use lakatos_ir::{EdgeId, Instr, PlaceKind, ProcId, VarId};

use super::cases::{At, Search, Via};
use super::state::{State, is_followed};

/// So many that follow a way are followed; it is enough if some of them fail.
const MOST_FOLLOWERS: usize = 16;

/// Where somebody who follows a way is; several may, where conditions hold for several reasons.
#[derive(Clone, Default)]
struct Follower {
    state: State,
    /// The calls that were not returned from, with the states before.
    stack: Vec<((ProcId, EdgeId), State)>,
}

impl Search<'_> {
    /// The variables that exclude a way to an error; none where it may be a run, for all that is known.
    pub fn lesson(&self, error: Via) -> Vec<VarId> {
        let way = self.way(error);
        let mut followers = vec![Follower::default()];
        for (n, via) in way.iter().enumerate() {
            let next = way.get(n + 1).and_then(Via::from);
            let mut after = Vec::new();
            for follower in &followers {
                after.extend(self.follow(follower.clone(), *via, next));
            }
            after.truncate(MOST_FOLLOWERS);
            if after.is_empty() {
                let states = followers.iter().map(|follower| &follower.state);
                return states.flat_map(|state| self.differing(*via, state)).collect();
            }
            followers = after;
        }
        Vec::new()
    }

    /// How an error is first reached, from the start.
    fn way(&self, error: Via) -> Vec<Via> {
        let mut way = vec![error];
        let mut last = error;
        while let Some((proc, loc, number)) = last.from() {
            last = self.places[&(proc, loc)].via[number];
            way.push(last);
        }
        way.reverse();
        way
    }

    /// One step, after which the way goes on at `next`: nobody can take it where a condition fails, or
    /// where it returns to another call.
    fn follow(&self, mut follower: Follower, via: Via, next: Option<At>) -> Vec<Follower> {
        match via {
            Via::Start => vec![follower],
            Via::Edge((proc, ..), edge) => match self.steps.instr(proc, edge) {
                Instr::Call(_) => {
                    let to = (proc, self.steps.bodies[&proc].cfa.edges[edge].to);
                    let next = next.filter(|(proc, loc, _)| (*proc, *loc) != to);
                    let callee = next.map(|(callee, ..)| callee);
                    self.follow_call(follower, (proc, edge), callee).into_iter().collect()
                }
                _ => {
                    let states = self.after(proc, edge, &follower.state).into_iter();
                    states.map(|state| Follower { state, ..follower.clone() }).collect()
                }
            },
            Via::Return((proc, ..), (caller, edge)) => {
                let called = follower.stack.pop().filter(|(at, _)| *at == (caller, edge));
                let (Some((at, before)), Instr::Call(call)) =
                    (called, self.steps.instr(caller, edge))
                else {
                    return Vec::new();
                };
                follower.state = self.steps.returned(at, call, &before, (proc, &follower.state));
                vec![follower]
            }
        }
    }

    /// A call, which goes on in the callee if that is where the way does.
    fn follow_call(
        &self,
        mut follower: Follower,
        (proc, edge): (ProcId, EdgeId),
        callee: Option<ProcId>,
    ) -> Option<Follower> {
        let Some(callee) = callee else {
            follower.state = self.steps.called(proc, edge, &follower.state)?;
            return Some(follower);
        };
        let mut entries = self.steps.entries(proc, edge, &follower.state).into_iter();
        let (_, entry) = entries.find(|(target, _)| *target == callee)?;
        let before = replace(&mut follower.state, entry);
        follower.stack.push(((proc, edge), before));
        Some(follower)
    }

    /// The variables of a condition that fails, of which less is known in the state on the way.
    fn differing(&self, via: Via, exact: &State) -> Vec<VarId> {
        let program = self.steps.meaning.program;
        let Via::Edge((proc, loc, number), edge) = via else { return Vec::new() };
        let Instr::Assume(condition) = self.steps.instr(proc, edge) else { return Vec::new() };
        let joined = &self.places[&(proc, loc)].states[number];
        let mut vars = Vec::new();
        walk(program, Node::Expr(*condition), &mut |node| {
            if let Node::Place(place) = node
                && let PlaceKind::Var(var) = program.places[place].kind
                && let Some(ty) = is_followed(program, var)
                && joined.get(var, ty) != exact.get(var, ty)
            {
                vars.push(var);
            }
        });
        vars
    }
}

impl Via {
    /// Where it comes from.
    fn from(&self) -> Option<At> {
        match *self {
            Via::Start => None,
            Via::Edge(from, _) | Via::Return(from, _) => Some(from),
        }
    }
}
