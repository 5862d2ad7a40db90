//! What is learnt from a way to an error: which variables have to tell states apart.
//!
//! A way is followed as a run would, without joining it with others. Where a condition fails that the
//! states on the way allow, some variable was another number in a state that was joined; if states are
//! told apart by it, this way is gone.

use std::mem::replace;

use lakatos_ir::walk::{Node, walk};
use lakatos_ir::{EdgeId, ExprId, Instr, LocId, PlaceKind, ProcId, VarId};

use super::cases::{At, Search, Via};
use super::state::{State, is_followed};

/// Where somebody who follows a way is.
#[derive(Default)]
struct Follower {
    state: State,
    /// The calls that were not returned from, with the states before.
    stack: Vec<((ProcId, EdgeId), State)>,
}

/// Why nobody can go on.
enum End {
    /// A condition fails, for these variables.
    Fails(Vec<VarId>),
    /// It returns to where it was not called.
    NoWay,
}

impl Search<'_> {
    /// The variables that exclude a way to an error; none where it may be a run, for all that is known.
    pub fn lesson(&self, error: Via) -> Vec<VarId> {
        let way = self.way(error);
        let mut follower = Follower::default();
        for (n, via) in way.iter().enumerate() {
            let next = way.get(n + 1).and_then(Via::from);
            match self.follow(&mut follower, *via, next) {
                Ok(()) => {}
                Err(End::Fails(vars)) => return vars,
                Err(End::NoWay) => return Vec::new(),
            }
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

    /// One step, after which the way goes on at `next`.
    fn follow(&self, follower: &mut Follower, via: Via, next: Option<At>) -> Result<(), End> {
        let steps = &self.steps;
        match via {
            Via::Start => Ok(()),
            Via::Edge(from, edge) => {
                let proc = from.0;
                match steps.instr(proc, edge) {
                    Instr::Call(_) => {
                        let to = (proc, steps.bodies[&proc].cfa.edges[edge].to);
                        let next = next.map(|(proc, loc, _)| (proc, loc));
                        self.follow_call(follower, (proc, edge), next.filter(|next| *next != to))
                    }
                    Instr::Assume(condition) => {
                        let learnt = steps.meaning.learnt(&follower.state, *condition, true);
                        let fails = |_| self.differing(from, *condition, &follower.state);
                        follower.state = learnt.map_err(fails).map_err(End::Fails)?;
                        Ok(())
                    }
                    instr => {
                        let before = follower.state.clone();
                        if let Some((var, value)) = steps.assigned(proc, instr, &mut follower.state)
                            && let Some(ty) = is_followed(steps.meaning.program, var)
                            && let Some(number) = steps.meaning.number(&before, value)
                        {
                            follower.state.set(var, ty, number);
                        }
                        Ok(())
                    }
                }
            }
            Via::Return((proc, ..), (caller, edge)) => {
                let called = follower.stack.pop().filter(|(at, _)| *at == (caller, edge));
                let (Some((at, before)), Instr::Call(call)) = (called, steps.instr(caller, edge))
                else {
                    return Err(End::NoWay);
                };
                follower.state = steps.returned(at, call, &before, (proc, &follower.state));
                Ok(())
            }
        }
    }

    /// A call, which goes on in the callee if that is where the way does.
    fn follow_call(
        &self,
        follower: &mut Follower,
        (proc, edge): (ProcId, EdgeId),
        enters: Option<(ProcId, LocId)>,
    ) -> Result<(), End> {
        let after = match enters {
            None => self.steps.called(proc, edge, &follower.state),
            Some((callee, _)) => {
                let entries = self.steps.entries(proc, edge, &follower.state);
                entries.into_iter().find(|(target, _)| *target == callee).map(|(_, entry)| entry)
            }
        };
        let before = replace(&mut follower.state, after.ok_or(End::NoWay)?);
        if enters.is_some() {
            follower.stack.push(((proc, edge), before));
        }
        Ok(())
    }

    /// The variables of a condition of which less is known in the state on the way.
    fn differing(&self, (proc, loc, number): At, condition: ExprId, exact: &State) -> Vec<VarId> {
        let program = self.steps.meaning.program;
        let joined = &self.places[&(proc, loc)].states[number];
        let mut vars = Vec::new();
        walk(program, Node::Expr(condition), &mut |node| {
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
