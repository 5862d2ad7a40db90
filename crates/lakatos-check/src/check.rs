//! The order of business: first whether the proof is about the program and says what it rests on,
//! then every way between cut points, one query for each condition.

use std::collections::{BTreeMap, BTreeSet};

use lakatos_evidence::{Assumption, Contract, Form, Proof, Runs};
use lakatos_ir::callgraph::CallGraph;
use lakatos_ir::modset::ModSets;
use lakatos_ir::pass::{self, Beyond, Induction};
use lakatos_ir::{
    Callee, Cfa, Id, Instr, IntType, ProcId, Program, Property, SignedOverflow, Span, VarId,
    VarKind, undefined,
};
use lakatos_logic::lemma::{Knowledge, ground};
use lakatos_logic::smt::{Answer, Reason, Smt};
use lakatos_logic::term::{Assignment, Sort, Term, Terms, Value};

use crate::condition::{Checked, Condition, Kind, Outcome, Rejected, Source, Undecided};
use crate::cone::Cone;
use crate::divisors::{opaque, with_divisors};
use crate::encoding::{Bits, Encoding, Integers};
use crate::expr::{Maker, Rules};
use crate::parts::Parts;
use crate::runs;
use crate::settle::settled;
use crate::shape::Shape;
use crate::walk::{Obligation, Segment, Walk};

/// A program and what is claimed of it.
#[derive(Debug)]
pub(crate) struct Context<'p> {
    pub program: &'p Program,
    pub proof: &'p Proof,
    pub calls: CallGraph,
    pub mods: ModSets,
    pub contracts: BTreeMap<ProcId, &'p Contract>,
    pub parts: Parts,
}

/// A program whose violations of a property are error locations, in which memory is followed by
/// cells, with no optional pass applied. Made here, so that nobody hands over one in which they are
/// missing.
#[derive(Clone, Debug)]
pub struct Instrumented {
    program: Program,
    property: Option<Property>,
    form: Form,
    /// Definitions and lemmas that proofs may use.
    knowledge: Knowledge,
}

impl Instrumented {
    /// The program as the front-end made it. Without a property nothing is an error.
    pub fn new(program: &Program, property: impl Into<Option<Property>>) -> Instrumented {
        let property = property.into();
        Instrumented::of_program(pass::subject(program, property), property, Form::Program)
    }

    /// The program with at most so many turns of each loop, where more are an error: a proof of it
    /// is one of the program. `None` if it cannot be unrolled.
    pub fn unrolled(program: &Program, property: Property, turns: u32) -> Option<Instrumented> {
        let unrolled = pass::unroll(program.clone(), property, turns, Beyond::Error)?;
        let program = pass::subject(&unrolled, Some(property));
        Some(Instrumented::of_program(program, Some(property), Form::Unrolled(turns)))
    }

    /// The program without loops in which induction over their turns fails if it reaches an error: a proof of it is one
    /// of the program. `None` for properties of memory, and where there is no such program.
    pub fn inductive(program: &Program, property: Property, by: Induction) -> Option<Instrumented> {
        let written_out = pass::subject_in_one(program, property)?;
        let program = pass::induct(written_out, property, &by)?;
        Some(Instrumented::of_program(program, Some(property), Form::Inductive(by)))
    }

    /// What a checked proof about a program speaks of.
    pub fn of(program: &Program, property: Property, checked: &Checked) -> Instrumented {
        let made = match checked.proof.form() {
            Form::Program => Some(Instrumented::new(program, property)),
            Form::Unrolled(turns) => Instrumented::unrolled(program, property, *turns),
            Form::Inductive(by) => Instrumented::inductive(program, property, by.clone()),
            Form::Arrays => Instrumented::arrays(program, property, checked.knowledge.clone()),
            Form::Runs(runs) => Some(Instrumented::executed(program, property, *runs)),
        };
        made.expect("it was made to check the proof")
    }

    /// The program with arrays as values and calls written out, for proofs that may use what is
    /// known. `None` for properties of memory, or where it becomes too large.
    pub fn arrays(
        program: &Program,
        property: Property,
        knowledge: Knowledge,
    ) -> Option<Instrumented> {
        let program = pass::subject_of_arrays(program, property)?;
        let made = Instrumented::of_program(program, Some(property), Form::Arrays);
        Some(Instrumented { knowledge, ..made })
    }

    /// The program whose runs show violations of a property, for a proof that consists of all of
    /// them, so many.
    pub fn executed(program: &Program, property: Property, runs: Runs) -> Instrumented {
        let program = pass::replayed(program, Some(property));
        Instrumented::of_program(program, Some(property), Form::Runs(runs))
    }

    fn of_program(program: Program, property: Option<Property>, form: Form) -> Instrumented {
        Instrumented { program, property, form, knowledge: Knowledge::default() }
    }

    pub fn property(&self) -> Option<Property> {
        self.property
    }

    pub fn form(&self) -> &Form {
        &self.form
    }

    pub fn knowledge(&self) -> &Knowledge {
        &self.knowledge
    }

    /// A query as the solver gets it: if that is a contradiction, so is the query, with what is
    /// known, and with the laws of remainders. Only arrays bring quantifiers.
    pub(crate) fn grounded(&self, terms: &mut Terms, query: Vec<Term>) -> Vec<Term> {
        let query = match self.form {
            Form::Arrays => {
                let theory = self.knowledge.theory.import(&self.knowledge.terms, terms);
                ground(terms, &theory, &query).0
            }
            Form::Program | Form::Unrolled(_) | Form::Inductive(_) | Form::Runs(_) => query,
        };
        with_divisors(terms, query)
    }

    /// What proofs of the property speak of.
    pub fn program(&self) -> &Program {
        &self.program
    }
}

/// Checks a proof about a program. Queries are limited, and ended, by the solvers that are handed
/// in.
pub fn check(
    subject: &Instrumented,
    proof: Proof,
    signed_overflow: SignedOverflow,
    smt: &mut Smt,
) -> Outcome {
    let program = &subject.program;
    if let Form::Runs(runs) = subject.form {
        return runs::check(subject, proof, runs, signed_overflow);
    }
    let found = match structure(subject, &proof, signed_overflow) {
        Err(flaw) => Err(Flaw { condition: *flaw, values: Vec::new(), approximate: false }),
        Ok(()) => smt.refuting(|smt| {
            let mut checker = Checker { subject, smt, held: Vec::new(), open: Vec::new() };
            let walked = Ways::new(program, &proof, signed_overflow)
                .walk(|maker, segment| checker.judge(maker, segment));
            match walked {
                Ok(()) | Err(End::Stopped) => Ok((checker.held, checker.open)),
                Err(End::Flaw(flaw)) => Err(flaw),
            }
        }),
    };
    match found {
        Err(Flaw { condition, values, approximate }) => {
            Outcome::Rejected(Box::new(Rejected { proof, condition, values, approximate }))
        }
        Ok((conditions, open)) if open.is_empty() => {
            let knowledge = subject.knowledge.clone();
            Outcome::Checked(Box::new(Checked { proof, conditions, knowledge }))
        }
        Ok((_, open)) => Outcome::Undecided(Box::new(Undecided { proof, conditions: open })),
    }
}

/// A condition that fails.
pub(crate) struct Flaw {
    pub condition: Condition,
    values: Vec<(String, String)>,
    approximate: bool,
}

/// What can be seen without a solver.
fn structure(
    Instrumented { program, property, form, knowledge }: &Instrumented,
    proof: &Proof,
    signed_overflow: SignedOverflow,
) -> Result<(), Box<Condition>> {
    let about = |proc: ProcId, kind: Kind, span: Span| {
        Err(Box::new(Condition { kind, proc, from: None, span }))
    };
    let is_about_it = proof.property() == *property && proof.form() == form;
    if !is_about_it || !fits(program, proof) {
        return about(program.start, Kind::Fits, Span::default());
    }
    let lemmas = knowledge.assumed.iter().cloned().map(Assumption::Lemma);
    for needed in needed(program, proof, signed_overflow).into_iter().chain(lemmas) {
        if !proof.assumptions().contains(&needed) {
            return about(program.start, Kind::Assumes(needed), Span::default());
        }
    }
    let mods = ModSets::new(program, &CallGraph::new(program));
    for (proc, contract) in proof.contracts() {
        let writes = &mods.of_proc(proc).writes;
        // Tracked variables are compared at the exit; of the rest nothing is known.
        let hidden = |var: &&VarId| {
            let info = &program.vars[**var];
            let is_tracked = info.ty.as_int().is_some() && !info.address_taken;
            !is_tracked && program.whole_array(**var).is_none()
        };
        let mut hidden = writes.vars.iter().filter(hidden);
        let named = hidden.all(|var| contract.assigns.touches(program, *var));
        let memory = writes.memory.is_empty() || !contract.assigns.memory.is_empty();
        if !named || !memory {
            return about(proc, Kind::Assigns, program.procs[proc].span);
        }
    }
    Ok(())
}

/// Whether everything that the proof speaks of is there.
fn fits(program: &Program, proof: &Proof) -> bool {
    let body = |proc: ProcId| program.procs.get(proc).and_then(|p| p.body.as_ref());
    let plain =
        |body: &Cfa| body.edges.iter().all(|(_, edge)| !matches!(edge.instr, Instr::Block(_)));
    let known = |formula: Term| {
        let symbols = proof.terms().free_symbols(formula);
        symbols.into_iter().all(|s| program.vars.get(proof.meaning(s).var).is_some())
    };
    let contracts: BTreeMap<ProcId, &Contract> = proof.contracts().collect();
    let mut invariants = proof.invariants();
    program.defined().all(|(proc, _, body)| contracts.contains_key(&proc) && plain(body))
        && contracts.iter().all(|(proc, contract)| {
            body(*proc).is_some()
                && known(contract.requires)
                && known(contract.ensures)
                && contract.assigns.vars.iter().all(|var| program.vars.get(*var).is_some())
        })
        && invariants.all(|(proc, loc, formula)| {
            body(proc).is_some_and(|body| loc.index() < body.locs.len()) && known(formula)
        })
}

/// The assumptions that the checker's reading of the program rests on. What overflow and other
/// undefined operations do is part of the conditions instead, except where memory is at stake.
fn needed(
    program: &Program,
    proof: &Proof,
    signed_overflow: SignedOverflow,
) -> BTreeSet<Assumption> {
    let mut needed = Assumption::of(program, proof.property(), signed_overflow);
    needed.remove(&Assumption::SignedOverflow);
    needed.remove(&Assumption::UndefinedBehaviour);
    let in_memory = program.places.ids().any(|place| undefined::possible_in_place(program, place));
    let reached = CallGraph::new(program);
    let by_pointer = program.defined().any(|(proc, _, body)| {
        let calls = |instr: &Instr| match instr {
            Instr::Call(call) => matches!(call.callee, Callee::Pointer(_)),
            _ => false,
        };
        reached.is_reachable(proc) && body.edges.iter().any(|(_, edge)| calls(&edge.instr))
    });
    if in_memory || by_pointer {
        needed.insert(Assumption::UndefinedBehaviour);
    }
    needed
}

/// The ways through a program, in the words of a proof about it.
#[derive(Debug)]
pub(crate) struct Ways<'p> {
    pub cx: Context<'p>,
    pub maker: Maker<'p>,
}

impl<'p> Ways<'p> {
    pub fn new(
        program: &'p Program,
        proof: &'p Proof,
        signed_overflow: SignedOverflow,
    ) -> Ways<'p> {
        Ways::of_parts(program, proof, Parts::new(proof), signed_overflow)
    }

    /// With other parts than the proof has.
    pub fn of_parts(
        program: &'p Program,
        proof: &'p Proof,
        parts: Parts,
        signed_overflow: SignedOverflow,
    ) -> Ways<'p> {
        let calls = CallGraph::new(program);
        let mods = ModSets::new(program, &calls);
        let contracts = proof.contracts().collect();
        let assumed = |assumption| proof.assumptions().contains(&assumption);
        let rules = Rules {
            signed_overflow,
            overflow_ends: assumed(Assumption::SignedOverflow),
            undefined_ends: assumed(Assumption::UndefinedBehaviour),
        };
        let cx = Context { program, proof, calls, mods, contracts, parts };
        let encoding = encoding_of(&cx);
        let maker = Maker {
            program,
            encoding,
            rules,
            terms: Terms::new(),
            facts: Vec::new(),
            selectors: BTreeMap::new(),
            approximate: false,
        };
        Ways { cx, maker }
    }

    /// Numbers are mathematical integers in all formulas.
    pub fn speaks_of_integers(&self) -> bool {
        self.maker.encoding.sort(IntType::I32) == Sort::Int
    }

    /// All conditions, from each source of each procedure.
    pub fn walk<E: From<Flaw>>(
        &mut self,
        mut visit: impl FnMut(&mut Maker<'p>, Segment) -> Result<(), E>,
    ) -> Result<(), E> {
        let program = self.cx.program;
        for (proc, _, body) in program.defined() {
            let cuts = self.cx.parts.cuts(proc);
            let sources = cuts.iter().map(|loc| Source::Cut(*loc));
            let sources: Vec<Source> = [Source::Entry].into_iter().chain(sources).collect();
            let shape = Shape::new(program, proc, body, cuts).map_err(|loc| {
                let span = body.locs[loc].span;
                let condition = Condition { kind: Kind::Cut, proc, from: None, span };
                E::from(Flaw { condition, values: Vec::new(), approximate: false })
            })?;
            for source in sources {
                let segment = Walk::segment(&self.cx, &mut self.maker, &shape, proc, source);
                visit(&mut self.maker, segment)?;
            }
        }
        Ok(())
    }
}

/// What ends the walk of the checker.
enum End {
    Flaw(Flaw),
    /// By a limit, or by whoever watches; a condition is open.
    Stopped,
}

impl From<Flaw> for End {
    fn from(flaw: Flaw) -> End {
        End::Flaw(flaw)
    }
}

struct Checker<'s> {
    subject: &'s Instrumented,
    smt: &'s mut Smt,
    held: Vec<Condition>,
    open: Vec<(Condition, Reason)>,
}

impl Checker<'_> {
    fn judge(&mut self, maker: &mut Maker<'_>, segment: Segment) -> Result<(), End> {
        let Segment { initial, obligations, facts, approximate } = segment;
        let mut cone = Cone::new(&maker.terms, &facts, BTreeSet::new());
        for obligation in obligations {
            let denied = obligation.denied(&mut maker.terms);
            if self.holds_in(&mut cone, &maker.terms, denied) {
                self.held.push(obligation.condition);
                continue;
            }
            let mut query = facts.clone();
            query.extend(denied);
            let query = self.subject.grounded(&mut maker.terms, query);
            let query = settled(&mut maker.terms, query);
            let Obligation { condition, state, .. } = obligation;
            if let Some(weaker) = opaque(&mut maker.terms, &query)
                && self.smt.check(&maker.terms, &weaker) == Answer::Unsat
            {
                self.held.push(condition);
                continue;
            }
            match self.smt.model(&maker.terms, &query) {
                (Answer::Unsat, _) => self.held.push(condition),
                (Answer::Unknown(reason), _) => {
                    let stopped = reason.is_end();
                    self.open.push((condition, reason));
                    if stopped {
                        return Err(End::Stopped);
                    }
                }
                (Answer::Sat, model) => {
                    let mut values = initial.clone();
                    values.extend(state.values);
                    let values = model.map(|model| shown(maker, &values, &model));
                    let values = values.unwrap_or_default();
                    return Err(End::Flaw(Flaw { condition, values, approximate }));
                }
            }
        }
        Ok(())
    }

    /// Whether a condition follows from what it may depend on. What is left out makes the query
    /// weaker, so a contradiction is one of all that is known.
    fn holds_in(&mut self, cone: &mut Cone, terms: &Terms, denied: [Term; 2]) -> bool {
        if self.subject.form == Form::Arrays {
            return false;
        }
        let Some(query) = cone.around(terms, denied) else { return false };
        matches!(self.smt.model(terms, &query), (Answer::Unsat, _))
    }
}

/// The values that a model gives to variables with names.
fn shown(
    Maker { program, terms, .. }: &Maker<'_>,
    values: &BTreeMap<VarId, Term>,
    model: &Assignment,
) -> Vec<(String, String)> {
    let named = values.iter().filter(|(var, _)| {
        let info = &program.vars[**var];
        !matches!(info.kind, VarKind::Temp(_)) && !info.name.is_empty()
    });
    let shown = named.filter_map(|(var, term)| {
        let value = match terms.evaluate(*term, model)? {
            Value::Bool(value) => u8::from(value).to_string(),
            Value::Int(value) => value.to_string(),
            Value::BitVec(value, width) => format!("{value} of {width} bits"),
            _ => return None,
        };
        Some((program.vars[*var].name.clone(), value))
    });
    shown.collect()
}

/// Proofs that speak of bit-vectors are checked with bit-vectors, and so are those that want to be and
/// do not speak of integers.
fn encoding_of(cx: &Context<'_>) -> &'static dyn Encoding {
    let terms = cx.proof.terms();
    let formulas: Vec<Term> = cx.parts.all().map(|(_, formula)| formula).collect();
    let symbols = terms.free_symbols_of(&formulas);
    let speaks_of = |is: fn(Sort) -> bool| symbols.iter().any(|s| is(terms.symbol_sort(*s)));
    let bits = speaks_of(|sort| matches!(sort, Sort::BitVec(_)))
        || (cx.proof.in_bits() && !speaks_of(|sort| sort == Sort::Int));
    if bits { &Bits } else { &Integers }
}
