//! Ranges: what variables can be, each by itself, without a search (`lakatos_analysis::ranges`). Where that
//! excludes all errors, it is a proof that any number of functions makes no harder.

use lakatos_analysis::cegar::How;
use lakatos_analysis::ranges::{Number, Ranges as Known};
use lakatos_check::{Checked, Instrumented, Verdict, Why};
use lakatos_encode::machine::{Encoding, Interval};
use lakatos_evidence::{Draft, Meaning, Proof, Slot};
use lakatos_ir::loops::Loops;
use lakatos_ir::{Cfa, IntType, LocId, ProcId, Program, Var, VarId, VarKind};
use lakatos_logic::number::{Int, power_of_two};
use lakatos_logic::smt::{Limits, Smt};
use lakatos_logic::term::{BvCompare, Sort, Term, Terms};

use crate::history::{Event, Kind, Learned, Refined, What};
use crate::judge::{checked, verdict};
use crate::proof::Subject;
use crate::{Engine, Report, Statistics, Task, Watch};

/// Ranges that are told in words.
const MOST_LEARNED: usize = 100;

/// The engine; there is nothing to set.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ranges;

impl Engine for Ranges {
    fn name(&self) -> &'static str {
        "ranges"
    }

    fn solve(&self, task: &Task<'_>, watch: &mut dyn Watch) -> Report {
        let subject = Instrumented::new(task.program, task.property);
        let program = subject.program();
        let known = Known::new(program, task.signed_overflow);
        if watch.listens() {
            watch.happened(Event { engine: self.name(), what: told(program, &known) });
        }
        let (open, all) = errors(program, &known);
        let verdict = match open {
            0 => verdict(Claims { task, program, known: &known }.judged(&subject, watch)),
            _ => Verdict::Unknown(Why::OpenErrors { open, all }),
        };
        Report::new(verdict, Statistics::default())
    }
}

/// What is known at the heads of loops, in words.
fn told(program: &Program, known: &Known) -> What {
    let mut learned: Vec<Learned> = Vec::new();
    let mut left_out = 0;
    for (proc, procedure, body) in program.defined() {
        for &head in Loops::new(body).cut_points() {
            let span = body.locs[head].span;
            for (var, number) in known.at(proc, head) {
                let Some(text) = words(program, var, &number) else { continue };
                match learned.len() < MOST_LEARNED {
                    true => learned.push(Learned {
                        kind: Kind::Predicate,
                        text,
                        function: procedure.name.clone(),
                        spans: vec![span],
                    }),
                    false => left_out += 1,
                }
            }
        }
    }
    let how = How::Initially;
    let refined =
        Refined { number: 0, nodes: 0, how, target: None, steps: None, learned, left_out };
    What::Refined(refined)
}

/// A range of a variable that has a name, as C says it.
fn words(program: &Program, var: VarId, Number { range, .. }: &Number) -> Option<String> {
    let Var { name, ty, kind, .. } = &program.vars[var];
    if matches!(kind, VarKind::Temp(_) | VarKind::Result(_)) || kind.is_ghost() {
        return None;
    }
    let whole = Interval::of(ty.as_int()?);
    let Interval { low, high } = range;
    match (*low > whole.low, *high < whole.high) {
        _ if low == high => Some(format!("{name} == {low}")),
        (true, true) => Some(format!("{low} <= {name} && {name} <= {high}")),
        (true, false) => Some(format!("{name} >= {low}")),
        (false, true) => Some(format!("{name} <= {high}")),
        (false, false) => None,
    }
}

/// Of each condition: whoever comes next should not have to wait for long.
const QUICK: Limits = Limits { resources: Some(1_000_000), time: None };

/// The errors that may be reached, and all there are.
fn errors(program: &Program, known: &Known) -> (usize, usize) {
    let (mut open, mut all) = (0, 0);
    for (proc, _, body) in program.defined() {
        for (loc, _) in body.locs.iter().filter(|(_, loc)| loc.error.is_some()) {
            all += 1;
            open += usize::from(known.is_reached(proc, loc));
        }
    }
    (open, all)
}

/// What is known of a program, to be said in a proof.
pub(crate) struct Claims<'a, 'p> {
    pub task: &'a Task<'p>,
    /// In which violations are error locations.
    pub program: &'a Program,
    pub known: &'a Known,
}

impl Claims<'_, '_> {
    /// As integers, or else as bits: either may be what the solver can decide.
    fn judged(&self, subject: &Instrumented, watch: &mut dyn Watch) -> Result<Box<Checked>, Why> {
        let mut smt = Smt::new(QUICK);
        watch.started(smt.cancel_handle());
        match checked(self.task, subject, self.proof(Encoding::Int), &mut smt) {
            Err(why) if !why.is_end() => {
                checked(self.task, subject, self.proof(Encoding::Bv), &mut smt)
            }
            judged => judged,
        }
    }

    fn proof(&self, encoding: Encoding) -> Proof {
        let mut draft = Subject::from(self.task).draft(self.program);
        self.speak(&mut draft, encoding);
        draft.finish()
    }

    /// Adds all that is known to what is claimed.
    pub fn speak(&self, draft: &mut Draft<'_>, encoding: Encoding) {
        let Claims { program, known, .. } = *self;
        for (proc, _, body) in program.defined() {
            for (slot, loc) in slots(proc, body) {
                let mut formulas = Vec::new();
                match known.is_reached(proc, loc) {
                    false => formulas.push(Term::FALSE),
                    true => {
                        for (var, range) in known.at(proc, loc) {
                            formulas.extend(within(draft, program, var, &range, encoding));
                        }
                    }
                }
                for formula in formulas {
                    // Where a formula has no words there, nothing is claimed.
                    let _ = draft.add(slot, formula);
                }
            }
        }
    }
}

/// Where a proof speaks of a procedure.
pub(crate) fn slots(proc: ProcId, body: &Cfa) -> Vec<(Slot, LocId)> {
    let loops = Loops::new(body);
    let heads = loops.cut_points().iter().map(|loc| (Slot::Invariant(proc, *loc), *loc));
    let contract = [(Slot::Requires(proc), body.entry), (Slot::Ensures(proc), body.exit)];
    contract.into_iter().chain(heads).collect()
}

/// That a variable is such a number, bound by bound.
pub(crate) fn within(
    draft: &mut Draft<'_>,
    program: &Program,
    var: VarId,
    Number { range, low: bits }: &Number,
    encoding: Encoding,
) -> Vec<Term> {
    let ty = program.vars[var].ty.as_int().expect("only integers are followed");
    if ty == IntType::BOOL {
        let symbol = draft.symbol(Meaning::now(var), Sort::Bool);
        return match range.constant().map(|value| !value.is_zero()) {
            Some(true) => vec![symbol],
            Some(false) => vec![draft.terms().not(symbol)],
            None => Vec::new(),
        };
    }
    let width = u32::from(ty.bits);
    let sort = match encoding {
        Encoding::Int => Sort::Int,
        Encoding::Bv => Sort::BitVec(width),
    };
    let symbol = draft.symbol(Meaning::now(var), sort);
    let (whole, terms) = (Interval::of(ty), draft.terms());
    let number = |terms: &mut Terms, value: &Int| match encoding {
        Encoding::Int => terms.int(value.clone()),
        Encoding::Bv => terms.bv(value.clone(), width),
    };
    let le = |terms: &mut Terms, a, b| match (encoding, ty.signed) {
        (Encoding::Int, _) => terms.le(a, b),
        (Encoding::Bv, true) => terms.bv_compare(BvCompare::Sle, a, b),
        (Encoding::Bv, false) => terms.bv_compare(BvCompare::Ule, a, b),
    };
    if let Some(value) = range.constant() {
        let value = number(terms, value);
        return vec![terms.eq(symbol, value)];
    }
    let mut bounds = Vec::new();
    if range.low > whole.low {
        let low = number(terms, &range.low);
        bounds.push(le(terms, low, symbol));
    }
    if range.high < whole.high {
        let high = number(terms, &range.high);
        bounds.push(le(terms, symbol, high));
    }
    if bits.bits > 0 {
        let rest = match encoding {
            Encoding::Int => {
                let power = terms.int(power_of_two(bits.bits));
                terms.modulo(symbol, power)
            }
            Encoding::Bv => terms.extract(bits.bits - 1, 0, symbol),
        };
        let known = match encoding {
            Encoding::Int => terms.int(bits.value),
            Encoding::Bv => terms.bv(bits.value, bits.bits),
        };
        bounds.push(terms.eq(rest, known));
    }
    bounds
}
