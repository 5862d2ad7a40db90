//! Explicit values and predicates together, each making the other stronger: what a predicate
//! state follows from includes the values before and after the step, and where no predicate state
//! remains the values cannot be either.
//!
//! Values are cheap, so they are tried first: predicates are learned from a counterexample only
//! if its formulas speak of no new variable. A variable that turns out to have too many values
//! ([`Bounds`](super::explicit::Bounds)) is left to the predicates.

use lakatos_ir::{EdgeId, LocId, ProcId, VarId};
use lakatos_logic::cubes::{Gap, Region};
use lakatos_logic::term::Term;

use super::explicit::{self, Explicit, equalities};
use super::predicate::{Predicate, at_exit, is_static, target};
use crate::core::{Cx, Domain, Lesson, Stop};
use crate::semantics::{Call, Role};

/// A state of each.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Pair {
    pub explicit: explicit::State,
    pub predicate: Region,
}

/// The product.
#[derive(Debug)]
pub struct Product {
    pub explicit: Explicit,
    pub predicate: Predicate,
    /// What the predicates may have to learn from the counterexample at hand.
    pending: Vec<(ProcId, LocId, Term)>,
    news: bool,
    /// Values changed by the last counterexample.
    spreads: bool,
}

impl Product {
    pub fn new(explicit: Explicit, predicate: Predicate) -> Product {
        Product { explicit, predicate, pending: Vec::new(), news: false, spreads: false }
    }
}

fn pairs(explicit: &explicit::State, predicates: Vec<Region>) -> impl Iterator<Item = Pair> {
    let explicit = explicit.clone();
    predicates.into_iter().map(move |predicate| Pair { explicit: explicit.clone(), predicate })
}

/// The values in the frame that a step leads to.
fn after(cx: &mut Cx<'_>, state: &explicit::State) -> Term {
    let now = equalities(cx, &state.now, |_, _| Some(Role::Now));
    let pre = equalities(cx, &state.pre, |_, _| Some(Role::Pre));
    cx.terms.and([now, pre])
}

/// The values in a frame before it is changed.
fn before(cx: &mut Cx<'_>, state: &explicit::State, assigned: &[VarId]) -> Term {
    equalities(cx, &state.now, |_, var| {
        Some(match assigned.binary_search(&var) {
            Ok(_) => Role::Old,
            Err(_) => Role::Now,
        })
    })
}

impl Domain for Product {
    type State = Pair;
    type Shape = explicit::Shape;

    fn shape(&self, state: &Pair) -> explicit::Shape {
        self.explicit.shape(&state.explicit)
    }

    fn key(&self, state: &Pair, shape: &explicit::Shape) -> Option<u64> {
        self.explicit.key(&state.explicit, shape)
    }

    fn start(&mut self, cx: &mut Cx<'_>, proc: ProcId) -> Result<Pair, Stop> {
        Ok(Pair {
            explicit: self.explicit.start(cx, proc)?,
            predicate: self.predicate.start(cx, proc)?,
        })
    }

    fn post(
        &mut self,
        cx: &mut Cx<'_>,
        state: &Pair,
        proc: ProcId,
        edge: EdgeId,
    ) -> Result<Vec<Pair>, Stop> {
        let ends = self.explicit.post(cx, &state.explicit, proc, edge)?;
        let to = target(cx, proc, edge);
        let blind = state.predicate.is_top() && self.predicate.is_blind(proc, to);
        let mut found = Vec::with_capacity(ends.len());
        for end in ends {
            let regions = match blind {
                true => vec![Region::top()],
                false => {
                    let assigned =
                        &cx.semantics.transition(&mut cx.terms, proc, edge).assigned.clone();
                    let facts = [before(cx, &state.explicit, assigned), after(cx, &end)];
                    let facts = cx.terms.and(facts);
                    self.predicate.post_where(cx, &state.predicate, proc, edge, facts)
                }
            };
            found.extend(pairs(&end, regions));
        }
        Ok(found)
    }

    fn enter(&mut self, cx: &mut Cx<'_>, caller: &Pair, call: &Call) -> Result<Vec<Pair>, Stop> {
        let ends = self.explicit.enter(cx, &caller.explicit, call)?;
        let body = cx.semantics.program.procs[call.callee].body.as_ref();
        let entry = body.expect("a callee's body").entry;
        let blind = caller.predicate.is_top() && self.predicate.is_blind(call.callee, entry);
        let mut found = Vec::with_capacity(ends.len());
        for end in ends {
            if blind {
                found.push(Pair { explicit: end, predicate: Region::top() });
                continue;
            }
            let outside = equalities(cx, &caller.explicit.now, |cx, var| {
                Some(match is_static(cx, var) {
                    true => Role::Now,
                    false => Role::Caller,
                })
            });
            let inside = after(cx, &end);
            let facts = cx.terms.and([outside, inside]);
            let regions = self.predicate.enter_where(cx, &caller.predicate, call, facts);
            found.extend(pairs(&end, regions));
        }
        Ok(found)
    }

    fn rebuild(
        &mut self,
        cx: &mut Cx<'_>,
        caller: &Pair,
        call: &Call,
        exit: &Pair,
    ) -> Result<Vec<Pair>, Stop> {
        let ends = self.explicit.rebuild(cx, &caller.explicit, call, &exit.explicit)?;
        let to = target(cx, call.caller, call.edge);
        let blind = caller.predicate.is_top()
            && exit.predicate.is_top()
            && self.predicate.is_blind(call.caller, to);
        let mut found = Vec::with_capacity(ends.len());
        for end in ends {
            if blind {
                found.push(Pair { explicit: end, predicate: Region::top() });
                continue;
            }
            let changed = cx.semantics.changed_statics(call.callee);
            let outside = before(cx, &caller.explicit, &call.assigned);
            let inside = equalities(cx, &exit.explicit.now, |cx, var| {
                Some(at_exit(cx, call, &changed, var))
            });
            let entry = equalities(cx, &exit.explicit.pre, |_, _| Some(Role::CalleePre));
            let end_facts = after(cx, &end);
            let facts = cx.terms.and([outside, inside, entry, end_facts]);
            let regions =
                self.predicate.rebuild_where(cx, &caller.predicate, call, &exit.predicate, facts);
            found.extend(pairs(&end, regions));
        }
        Ok(found)
    }

    fn skip(&mut self, cx: &mut Cx<'_>, caller: &Pair, call: &Call) -> Result<Vec<Pair>, Stop> {
        let anything = Pair { explicit: explicit::State::default(), predicate: Region::top() };
        self.rebuild(cx, caller, call, &anything)
    }

    fn reduce(&mut self, cx: &mut Cx<'_>, state: &Pair, seen: &dyn Fn(VarId) -> bool) -> Pair {
        Pair {
            explicit: self.explicit.reduce(cx, &state.explicit, seen),
            predicate: self.predicate.reduce(cx, &state.predicate, seen),
        }
    }

    fn expand(
        &mut self,
        cx: &mut Cx<'_>,
        from: &Pair,
        exit: &Pair,
        place: (ProcId, LocId),
        changed: &[VarId],
    ) -> Result<Vec<Pair>, Stop> {
        let ends = self.explicit.expand(cx, &from.explicit, &exit.explicit, place, changed)?;
        let mut found = Vec::with_capacity(ends.len());
        for end in ends {
            let facts = [before(cx, &from.explicit, changed), after(cx, &end)];
            let facts = cx.terms.and(facts);
            let (before, exit) = (&from.predicate, &exit.predicate);
            let regions = self.predicate.expand_where(cx, before, exit, place, changed, facts);
            found.extend(pairs(&end, regions));
        }
        Ok(found)
    }

    fn unchanged(&mut self, cx: &mut Cx<'_>, state: &Pair, changed: &[VarId]) -> Pair {
        Pair {
            explicit: self.explicit.unchanged(cx, &state.explicit, changed),
            predicate: self.predicate.unchanged(cx, &state.predicate, changed),
        }
    }

    fn stamp(&self, proc: ProcId, loc: LocId) -> u64 {
        self.explicit.stamp(proc, loc) + self.predicate.stamp(proc, loc)
    }

    fn covers(&mut self, cx: &mut Cx<'_>, b: &Pair, a: &Pair) -> Result<bool, Stop> {
        Ok(self.explicit.covers(cx, &b.explicit, &a.explicit)?
            && self.predicate.covers(cx, &b.predicate, &a.predicate)?)
    }

    fn to_term(&mut self, cx: &mut Cx<'_>, state: &Pair) -> Term {
        let values = self.explicit.to_term(cx, &state.explicit);
        let predicates = self.predicate.to_term(cx, &state.predicate);
        cx.terms.and([values, predicates])
    }

    fn values(&self, state: &Pair) -> Vec<(Role, VarId, i128)> {
        self.explicit.values(&state.explicit)
    }

    fn learn(
        &mut self,
        cx: &mut Cx<'_>,
        proc: ProcId,
        loc: LocId,
        formula: Term,
    ) -> Result<bool, Stop> {
        let news = self.explicit.learn(cx, proc, loc, formula)?;
        self.news |= news;
        self.pending.push((proc, loc, formula));
        Ok(news)
    }

    fn suppose(
        &mut self,
        cx: &mut Cx<'_>,
        proc: ProcId,
        loc: LocId,
        formula: Term,
    ) -> Result<bool, Stop> {
        self.predicate.learn(cx, proc, loc, formula)
    }

    fn settle(&mut self, cx: &mut Cx<'_>) -> Result<bool, Stop> {
        let pending = std::mem::take(&mut self.pending);
        self.spreads = true;
        if std::mem::take(&mut self.news) {
            return self.explicit.settle(cx);
        }
        let mut news = false;
        for (proc, loc, formula) in pending {
            news |= self.predicate.learn(cx, proc, loc, formula)?;
        }
        // Only where predicates say nothing new either are values asked about more thoroughly.
        match news {
            true => self.spreads = false,
            false => news = self.explicit.settle(cx)?,
        }
        Ok(news)
    }

    fn spreads(&self) -> bool {
        self.spreads
    }

    fn forgot(&mut self) -> bool {
        self.explicit.forgot()
    }

    fn gap(&self) -> Option<&Gap> {
        self.predicate.gap()
    }

    fn lessons(&mut self) -> Vec<Lesson> {
        [self.explicit.lessons(), self.predicate.lessons()].concat()
    }

    fn learned(&self, cx: &mut Cx<'_>) -> Vec<(ProcId, Term)> {
        [self.explicit.learned(cx), self.predicate.learned(cx)].concat()
    }

    fn follow(&mut self, cx: &mut Cx<'_>, proc: ProcId, var: VarId) -> bool {
        self.explicit.follow(cx, proc, var)
    }

    fn learn_all(&mut self, cx: &mut Cx<'_>) -> bool {
        self.explicit.learn_all(cx)
    }
}
