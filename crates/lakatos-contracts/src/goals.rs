//! What a deductive verifier must have to say about annotated source. A report that lacks one of
//! these goals shows nothing.

use std::collections::{BTreeMap, BTreeSet};

use lakatos_ir::{Instr, Program, Span};

use crate::Annotated;
use crate::annotate::{ASSERT_FAIL, Kind};
use crate::unit::Functions;

/// What `assert` calls in the assert.h of Frama-C, whatever that of the C library does.
const FRAMA_C_ASSERT: &str = "__FC_assert";

/// Goals that are expected: at least so many.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Goals {
    /// Of clauses of functions with a body.
    pub clauses: BTreeMap<Clause, usize>,
    /// Of callers (first), about what they owe to the function that they call.
    pub calls: BTreeMap<(String, String), usize>,
    /// The functions that have a body.
    pub defined: BTreeSet<String>,
    /// Those of them whose preconditions are owed by direct calls and by nobody else.
    pub called: BTreeSet<String>,
    /// There are annotations of code that is never executed: nobody proves or refutes these.
    pub has_dead: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Clause {
    pub function: String,
    pub kind: Kind,
    /// In the annotated source; reports have no line for `assigns \nothing` and for sets of
    /// behaviours.
    pub line: Option<u32>,
}

/// What has to be proved of an annotated program.
pub fn goals(program: &Program, annotated: &Annotated) -> Goals {
    let functions = Functions::new(program);
    let mut goals = Goals::default();
    for function in functions.all().filter(|f| f.body.is_some()) {
        goals.defined.insert(function.name().to_owned());
    }
    for (proc, procedure, _) in program.defined() {
        if proc != program.main && !procedure.address_taken {
            goals.called.insert(procedure.name.clone());
        }
    }
    let mut owed: BTreeMap<&str, usize> = BTreeMap::new();
    for clause in &annotated.clauses {
        if matches!(clause.kind, Kind::Decreases | Kind::LoopVariant) {
            // Termination is not what was proved: such goals count only if they are there.
            continue;
        }
        // These claim nothing by themselves.
        if matches!(clause.kind, Kind::Behavior | Kind::Assumes) {
            continue;
        }
        if clause.kind == Kind::Requires {
            *owed.entry(&clause.function).or_default() += 1;
        }
        // What `main` demands has to be true when a run begins.
        if clause.kind == Kind::Requires && clause.function != program.procs[program.main].name {
            continue;
        }
        if !clause.is_owed {
            goals.has_dead = true;
        } else if goals.defined.contains(&clause.function) {
            let without = [Kind::Assigns, Kind::LoopAssigns, Kind::Complete, Kind::Disjoint];
            let by_line = !without.contains(&clause.kind);
            let line = by_line.then_some(clause.line);
            // Both are assigns clauses to a report.
            let kind = match clause.kind {
                Kind::LoopAssigns => Kind::Assigns,
                Kind::BehaviorEnsures => Kind::Ensures,
                kind => kind,
            };
            let key = Clause { function: clause.function.clone(), kind, line };
            *goals.clauses.entry(key).or_default() += 1;
        }
    }
    let live = live(program);
    // Else it is what a macro of the header calls, and that header is Frama-C's.
    let has_own_assert = annotated.clauses.iter().any(|clause| clause.function == ASSERT_FAIL);
    for mut call in functions.calls() {
        let mut clauses = owed.get(&call.callee[..]).copied().unwrap_or_default();
        if call.callee == ASSERT_FAIL && !has_own_assert {
            (call.callee, clauses) = (FRAMA_C_ASSERT.to_owned(), 1);
        }
        if !live.contains(&call.span) {
            goals.has_dead |= clauses > 0;
        } else if clauses > 0 {
            *goals.calls.entry((call.caller, call.callee)).or_default() += clauses;
        }
    }
    goals
}

/// The calls that some path of an automaton reaches, whatever its conditions say.
fn live(program: &Program) -> BTreeSet<Span> {
    let mut found = BTreeSet::new();
    for (_, _, body) in program.defined() {
        let mut seen = BTreeSet::from([body.entry]);
        let mut open = vec![body.entry];
        while let Some(loc) = open.pop() {
            for &edge in &body.locs[loc].out {
                let edge = &body.edges[edge];
                if matches!(edge.instr, Instr::Call(_)) {
                    found.insert(edge.span);
                }
                if seen.insert(edge.to) {
                    open.push(edge.to);
                }
            }
        }
    }
    found
}
