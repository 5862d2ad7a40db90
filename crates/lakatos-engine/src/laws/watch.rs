//! Runs, and the numbers that procedures and loops are seen with: at each place of a proof the values
//! of what may be said there.

use std::collections::{BTreeMap, BTreeSet};

use lakatos_evidence::{Meaning, Slot};
use lakatos_ir::callgraph::CallGraph;
use lakatos_ir::interpret::{self, Interpreter, Now, Observed, Observer};
use lakatos_ir::loops::Loops;
use lakatos_ir::modset::ModSets;
use lakatos_ir::{EdgeId, IntType, LocId, ProcId, Program, SignedOverflow, Type, VarId};

use crate::small::Source;
use lakatos_ir::live::live;

const RUNS: u64 = 120;
const STEPS: u64 = 20_000;
/// Of one run at one place: the first ones, then fewer and fewer.
const VISITS: usize = 10;
const MOST_ROWS: usize = 400;

/// What is said at a place: the words, and their values whenever a run was there.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    pub words: Vec<Meaning>,
    /// None of them twice.
    pub rows: Vec<Vec<i128>>,
    /// How often a run was there.
    pub visits: usize,
}

/// By place of a proof.
pub(super) type Samples = BTreeMap<Slot, Seen>;

/// What some runs are like.
pub(super) fn samples(program: &Program, signed_overflow: SignedOverflow) -> Samples {
    let options = interpret::Options {
        signed_overflow,
        max_steps: STEPS,
        max_depth: 200,
        ..interpret::Options::default()
    };
    let (places, source) = (places(program), Source::new(program));
    let mut samples: Samples = BTreeMap::new();
    for run in 0..RUNS {
        let mut inputs = source.inputs(run);
        let mut watcher = Watcher {
            program,
            places: &places,
            frames: Vec::new(),
            visits: BTreeMap::new(),
            samples: &mut samples,
        };
        Interpreter::new(program).observe(&options, &mut inputs, &mut watcher);
    }
    samples
}

/// What may be said where.
#[derive(Debug, Default)]
struct Places {
    /// Where procedures begin, and what is known there.
    entries: BTreeMap<(ProcId, LocId), Vec<VarId>>,
    /// Where they end, and what has changed.
    exits: BTreeMap<(ProcId, LocId), Vec<VarId>>,
    /// The heads of loops.
    heads: BTreeMap<(ProcId, LocId), Vec<VarId>>,
}

fn places(program: &Program) -> Places {
    let mods = ModSets::new(program, &CallGraph::new(program));
    let statics: Vec<VarId> = program
        .vars
        .ids()
        .filter(|var| program.vars[*var].kind.frame().is_none() && is_number(program, *var))
        .collect();
    let mut places = Places::default();
    for (proc, procedure, body) in program.defined() {
        // Whoever comes back to the entry is not called again.
        if !body.locs[body.entry].into.is_empty() {
            continue;
        }
        let numbers = |vars: &[VarId]| -> Vec<VarId> {
            vars.iter().copied().filter(|var| is_number(program, *var)).collect()
        };
        let params = numbers(&procedure.params);
        let touched = mods.of_proc(proc);
        let matters =
            |var: &&VarId| touched.reads.vars.contains(var) || touched.writes.vars.contains(var);
        let known: Vec<VarId> = statics.iter().filter(matters).copied().collect();
        places.entries.insert((proc, body.entry), [params.clone(), known.clone()].concat());
        let changed = known.iter().copied().filter(|var| touched.writes.vars.contains(var));
        let result = procedure.result.filter(|var| is_number(program, *var));
        places.exits.insert((proc, body.exit), changed.chain(result).collect());
        let live = live(program, proc, body);
        for loc in Loops::new(body).cut_points() {
            let here = live[*loc].iter().chain(&known).copied();
            let here: BTreeSet<VarId> = here.filter(|var| is_number(program, *var)).collect();
            places.heads.insert((proc, *loc), here.into_iter().collect());
        }
    }
    places
}

/// It is an integer, and nothing else changes it.
fn is_number(program: &Program, var: VarId) -> bool {
    let info = &program.vars[var];
    matches!(info.ty, Type::Int(ty) if ty != IntType::BOOL) && !info.address_taken
}

struct Watcher<'a> {
    program: &'a Program,
    places: &'a Places,
    /// What was known when the calls began that have not ended.
    frames: Vec<Vec<(Meaning, i128)>>,
    visits: BTreeMap<Slot, usize>,
    samples: &'a mut Samples,
}

impl Watcher<'_> {
    fn see(&mut self, slot: Slot, row: Vec<(Meaning, i128)>) {
        let visits = self.visits.entry(slot).or_default();
        *visits += 1;
        if *visits > VISITS && !visits.is_power_of_two() {
            return;
        }
        let seen = self.samples.entry(slot).or_default();
        let (words, values): (Vec<Meaning>, Vec<i128>) = row.into_iter().unzip();
        if seen.rows.is_empty() {
            seen.words = words;
        } else if seen.words != words {
            // Something has no value yet.
            return;
        }
        seen.visits += 1;
        if seen.rows.len() < MOST_ROWS && !seen.rows.contains(&values) {
            seen.rows.push(values);
        }
    }
}

fn values(
    now: &mut dyn Now,
    vars: &[VarId],
    meaning: impl Fn(VarId) -> Meaning,
) -> Vec<(Meaning, i128)> {
    vars.iter().filter_map(|var| Some((meaning(*var), now.integer(*var)?))).collect()
}

impl Observer for Watcher<'_> {
    fn allocated(&mut self, _: interpret::Instance, _: u64, _: &[(ProcId, EdgeId)]) {}

    fn accessed(&mut self, _: Observed) {}

    fn called(&mut self, _: ProcId, _: EdgeId, _: ProcId) {}

    fn arrived(&mut self, proc: ProcId, loc: LocId, now: &mut dyn Now) {
        let at = (proc, loc);
        if let Some(vars) = self.places.entries.get(&at) {
            self.frames.push(values(now, vars, Meaning::entry));
            if proc != self.program.start {
                self.see(Slot::Requires(proc), values(now, vars, Meaning::now));
            }
        }
        if let Some(vars) = self.places.heads.get(&at) {
            let here = values(now, vars, Meaning::now);
            let before = self.frames.last().cloned().unwrap_or_default();
            self.see(Slot::Invariant(proc, loc), [before, here].concat());
        }
        if let Some(vars) = self.places.exits.get(&at) {
            let here = values(now, vars, Meaning::now);
            let before = self.frames.pop().unwrap_or_default();
            self.see(Slot::Ensures(proc), [before, here].concat());
        }
    }
}
