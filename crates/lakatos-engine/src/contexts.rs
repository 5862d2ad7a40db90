//! How the procedures of a program are called in it, as contracts (stack-abstraction thesis,
//! chapter 6).
//!
//! The reachability graph is explored with an initial precision, and errors are no concern of it.
//! The states in which a procedure is entered are what it requires; each of them is a behaviour,
//! which ensures the states of its exits (the thesis' own future work). States at loop heads are
//! the invariants. All that is a proof without a property, and the checker has to accept it; where
//! it does not, less is claimed until it does, and what is not claimed any more is named.
//!
//! The thesis writes `behavior i: requires Pi` without `assumes`, which a verifier takes for the
//! conjunction of all `Pi`. Here they are `assumes`, and the contract requires one of them.

use lakatos_analysis::cegar::{self, Accelerate, Progress, cegar};
use lakatos_analysis::core::{Cx, Domain, Explorer, Stop};
use lakatos_analysis::domain::Predicate;
use lakatos_analysis::domain::explicit::{self, Bounds, Explicit};
use lakatos_analysis::initial;
use lakatos_analysis::semantics::Semantics;
use lakatos_check::{
    Checked, Condition, Instrumented, Kind as Demand, Outcome, Why, check, minimise_invariants,
};
use lakatos_encode::machine::{Encoding, Machine};
use lakatos_evidence::{Assumption, Proof, Slot};
use lakatos_ir::callgraph::CallGraph;
use lakatos_ir::{ProcId, Program, Property, SignedOverflow};
use lakatos_logic::smt::{Reason, Smt};
use lakatos_logic::term::{Term, Terms};

use crate::judge::CHECKED;
use crate::prepare::Prepared;
use crate::proof::{By, Projection, Subject};
use crate::search::reason;
use crate::stack_cegar::{Kind, StackCegar};
use crate::{Statistics, Watch};

/// A variable with more values is in no contract: a person reads these, one by one.
const BOUNDS: Bounds = Bounds { compared: 8, undecided: 16, decided: 40 };

/// Which contracts are wanted.
#[derive(Clone, Copy, Debug)]
pub struct Question<'p> {
    pub program: &'p Program,
    pub signed_overflow: SignedOverflow,
    /// Properties that the contracts may happen to show.
    pub properties: &'p [Property],
    /// How many counterexamples to each of them are learned from before.
    pub refinements: u64,
}

/// Contracts that hold.
#[derive(Debug)]
pub struct Contexts {
    pub checked: Box<Checked>,
    /// The same contracts as proofs of properties, as far as they are.
    pub shown: Vec<(Property, Box<Checked>)>,
    /// What the graph knows and the checker does not accept.
    pub weakened: Vec<Weakened>,
    /// Procedures that nobody calls: what they require is never true.
    pub uncalled: Vec<ProcId>,
}

/// A part of the contracts of which nothing is claimed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weakened {
    pub slot: Slot,
    /// The condition that fails, for a person.
    pub condition: String,
}

impl StackCegar {
    /// The contracts that a program's contexts are. Of the domains, the product is taken for its
    /// predicates.
    pub fn contexts(
        &self,
        question: &Question<'_>,
        watch: &mut dyn Watch,
    ) -> Result<Contexts, Why> {
        match self.domain {
            Kind::Explicit => {
                // Without a counterexample nothing else ends the counting of a loop.
                let settings = explicit::Settings { bounds: BOUNDS, ..self.explicit };
                self.contexts_with(question, watch, || Explicit::new(settings))
            }
            Kind::Predicate | Kind::Product => {
                let domain = || Predicate::new(self.abstracts, self.granularity);
                self.contexts_with(question, watch, domain)
            }
        }
    }

    fn contexts_with<D: Domain>(
        &self,
        question: &Question<'_>,
        watch: &mut dyn Watch,
        domain: impl Fn() -> D,
    ) -> Result<Contexts, Why> {
        let prepared = Prepared::new(question.program, None);
        let mut cx = self.context(&prepared, question, watch);
        let mut explorer = Explorer::new(&prepared.reduced, domain(), self.pop, self.search);
        for property in question.properties.iter().filter(|_| question.refinements > 0) {
            self.refine(question, *property, watch, domain(), (&mut cx, &mut explorer.domain))?;
        }
        // Refinement has had another solver.
        watch.started(cx.smt.cancel_handle());
        explore(self, &mut cx, &mut explorer, watch).map_err(|stop| reason(stop.into()))?;
        let subject = Subject {
            program: question.program,
            property: None,
            signed_overflow: question.signed_overflow,
        };
        let projection = Projection::new(subject, &prepared, &mut cx, &mut explorer);
        Judge::new(question, watch).judge(projection)
    }

    fn context<'p>(
        &self,
        prepared: &'p Prepared,
        question: &Question<'_>,
        watch: &mut dyn Watch,
    ) -> Cx<'p> {
        let machine = Machine::new(Encoding::Int, question.signed_overflow);
        let smt = Smt::new(self.limits);
        watch.started(smt.cancel_handle());
        let semantics = Semantics::new(&prepared.reduced, machine);
        Cx { terms: Terms::new(), smt, semantics }
    }

    /// Learns from some counterexamples to a property. How the search for it ends is no matter,
    /// unless somebody ends it.
    fn refine<D: Domain>(
        &self,
        question: &Question<'_>,
        property: Property,
        watch: &mut dyn Watch,
        domain: D,
        (into, learner): (&mut Cx<'_>, &mut D),
    ) -> Result<(), Why> {
        let prepared = Prepared::new(question.program, property);
        let mut cx = self.context(&prepared, question, watch);
        let mut explorer = Explorer::new(&prepared.reduced, domain, self.pop, self.search);
        let options = cegar::Options {
            strategy: self.strategy,
            prune: self.prune,
            initial: self.initial,
            // What is learned is about the calls there are, not about errors.
            accelerate: Accelerate::Off,
            ..cegar::Options::default()
        };
        let mut enough = false;
        let mut host = |progress: Progress| {
            enough = progress.refinements >= question.refinements;
            match enough {
                true => Err(Reason::Cancelled),
                false => watch.progress(statistics(progress)),
            }
        };
        let outcome = cegar(&mut cx, &mut explorer, options, &mut host);
        if let cegar::Outcome::Unknown(cegar::Why::Stopped(Stop::Solver(why))) = &outcome
            && why.is_end()
            && !enough
        {
            return Err(reason(cegar::Why::Stopped(Stop::Solver(why.clone()))));
        }
        let learned = explorer.domain.learned(&mut cx);
        initial::apply_learned(into, learner, &cx, &learned).map_err(|stop| reason(stop.into()))
    }
}

fn statistics(Progress { refinements, nodes, .. }: Progress) -> Statistics {
    Statistics { refinements, nodes, ..Statistics::default() }
}

/// Explores everything, errors or not.
fn explore<D: Domain>(
    settings: &StackCegar,
    cx: &mut Cx<'_>,
    explorer: &mut Explorer<'_, D>,
    watch: &mut dyn Watch,
) -> Result<(), Stop> {
    initial::apply_widely(cx, &mut explorer.domain, settings.initial)?;
    initial::apply_results(cx, &mut explorer.domain)?;
    loop {
        explorer.explore(cx, &mut |nodes| {
            let statistics = Statistics { nodes, ..Statistics::default() };
            watch.progress(statistics).map_err(Stop::Solver)
        })?;
        // What was given up on the way is in no state then.
        if !explorer.domain.forgot() {
            return Ok(());
        }
        explorer.restart();
    }
}

/// Has claims checked.
struct Judge<'a> {
    question: &'a Question<'a>,
    subject: Instrumented,
    smt: Smt,
}

impl<'a> Judge<'a> {
    fn new(question: &'a Question<'a>, watch: &mut dyn Watch) -> Judge<'a> {
        let smt = Smt::new(CHECKED);
        watch.started(smt.cancel_handle());
        Judge { question, subject: Instrumented::new(question.program, None), smt }
    }

    fn judge(mut self, mut projection: Projection<'_, '_>) -> Result<Contexts, Why> {
        let mut checked = None;
        for by in [By::Behaviour, By::Location] {
            if checked.is_none() {
                checked = self.accepted(projection.proof(by))?;
            }
        }
        let (checked, weakened) = match checked {
            Some(checked) => (checked, Vec::new()),
            None => self.weaken(projection.proof(By::Location))?,
        };
        let shown = self.show(checked.proof());
        let overflow = self.question.signed_overflow;
        let checked = minimise_invariants(&self.subject, checked, overflow, &mut self.smt);
        Ok(Contexts { checked, shown, weakened, uncalled: uncalled(self.question.program) })
    }

    fn accepted(&mut self, proof: Proof) -> Result<Option<Box<Checked>>, Why> {
        match check(&self.subject, proof, self.question.signed_overflow, &mut self.smt) {
            Outcome::Checked(checked) => Ok(Some(checked)),
            Outcome::Undecided(undecided) if undecided.conditions[0].1.is_end() => {
                Err(Why::undecided(self.subject.program(), &undecided))
            }
            _ => Ok(None),
        }
    }

    /// Claims nothing where something is not accepted, until all is.
    fn weaken(&mut self, mut proof: Proof) -> Result<(Box<Checked>, Vec<Weakened>), Why> {
        let program = self.subject.program().clone();
        let mut weakened: Vec<Weakened> = Vec::new();
        loop {
            let overflow = self.question.signed_overflow;
            let (refused, condition, why) =
                match check(&self.subject, proof, overflow, &mut self.smt) {
                    Outcome::Checked(checked) => return Ok((checked, weakened)),
                    Outcome::Rejected(rejected) => {
                        let condition = rejected.condition.clone();
                        let copy = copy(&program, &rejected.proof);
                        (copy, condition, Why::rejected(&program, *rejected))
                    }
                    Outcome::Undecided(undecided) => {
                        let why = Why::undecided(&program, &undecided);
                        let (condition, reason) = undecided.conditions[0].clone();
                        if reason.is_end() {
                            return Err(why);
                        }
                        (Some(undecided.proof), condition, why)
                    }
                };
            let (Some(slot), Some(refused)) = (about(&condition), refused) else { return Err(why) };
            if weakened.iter().any(|known| known.slot == slot) {
                return Err(why);
            }
            let less = refused.redraft(&program, |_, at, formula| match at == slot {
                true => Term::TRUE,
                false => formula,
            });
            proof = less.map_err(|_| why)?;
            weakened.push(Weakened { slot, condition: condition.describe(&program) });
        }
    }

    /// The properties that claims show.
    fn show(&mut self, proof: &Proof) -> Vec<(Property, Box<Checked>)> {
        let Question { program, signed_overflow, properties, .. } = *self.question;
        let mut shown = Vec::new();
        for &property in properties {
            let subject = Instrumented::new(program, property);
            let assumptions = Assumption::of(program, property, signed_overflow);
            let Ok(proof) = proof.about(subject.program(), property, assumptions) else { continue };
            let judged = check(&subject, proof, signed_overflow, &mut self.smt);
            if let Outcome::Checked(checked) = judged {
                let smaller =
                    minimise_invariants(&subject, checked, signed_overflow, &mut self.smt);
                shown.push((property, smaller));
            }
        }
        shown
    }
}

fn copy(program: &Program, proof: &Proof) -> Option<Proof> {
    proof.redraft(program, |_, _, formula| formula).ok()
}

/// The claim that a condition is about, if it is about one.
fn about(condition: &Condition) -> Option<Slot> {
    match condition.kind {
        Demand::Invariant(loc) => Some(Slot::Invariant(condition.proc, loc)),
        Demand::Ensures => Some(Slot::Ensures(condition.proc)),
        Demand::Requires(callee) => Some(Slot::Requires(callee)),
        Demand::Start => Some(Slot::Requires(condition.proc)),
        _ => None,
    }
}

fn uncalled(program: &Program) -> Vec<ProcId> {
    let calls = CallGraph::new(program);
    program.defined().map(|(proc, ..)| proc).filter(|proc| !calls.is_reachable(*proc)).collect()
}
