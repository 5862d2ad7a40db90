//! `lakatos contracts --from arg`: how functions are called, from the reachability graph.

use std::io::Write;

use anyhow::{Result, ensure};
use lakatos_analysis::initial::Initial;
use lakatos_check::{Checked, Instrumented, Why};
use lakatos_contracts::simplify_contexts;
use lakatos_engine::Watch;
use lakatos_engine::contexts::{Contexts, Question, Weakened};
use lakatos_engine::stack_cegar::{Kind, StackCegar};
use lakatos_evidence::Slot;
use lakatos_ir::{Program, Property};
use lakatos_logic::smt::Smt;
use lakatos_rank::Measures;

use super::{Proof, Proving, SIMPLIFIED};
use crate::args::{self, Domain, Origin};
use crate::exit::Exit;
use crate::task::Asked;
use crate::terminal::{self, GOOD, UNSURE, note};
use crate::verify::{configure, unknown};
use crate::watch::watched;

/// What is said of contexts begins so.
const NAME: &str = "contexts";

/// Flags that make no sense together are refused before anything is done.
pub fn ensure_sensible(args: &args::Infer) -> Result<()> {
    if args.from != Some(Origin::Arg) {
        ensure!(
            args.refine_first.is_none(),
            "`--refine-first` is about contracts from the reachability graph\n  \
             Add `--from arg`."
        );
        return Ok(());
    }
    let all_vars = args.cegar.initial == Some(args::Initial::AllVars);
    ensure!(
        args.cegar.domain != Some(Domain::Product),
        "`--from arg` takes one domain\n  Use `--domain explicit` or `--domain predicate`."
    );
    ensure!(
        !(all_vars && args.cegar.domain == Some(Domain::Predicate)),
        "predicates are not made of variables alone, so `--initial all-vars` gives none\n  \
         Use `--domain explicit`, or another `--initial`."
    );
    Ok(())
}

/// The engine with the settings for contexts, where the user asks for no others.
fn engine(args: &args::Cegar) -> StackCegar {
    let settings = configure(args);
    let all_vars = settings.initial == Initial::AllVars;
    StackCegar {
        domain: match args.domain {
            Some(Domain::Explicit) => Kind::Explicit,
            None if all_vars => Kind::Explicit,
            _ => Kind::Predicate,
        },
        initial: match args.initial {
            None => Initial::AllAssumes,
            Some(_) => settings.initial,
        },
        ..settings
    }
}

impl Proving<'_> {
    /// What is known of contexts is said on standard error.
    pub(super) fn contexts(&self, asked: &[Asked]) -> Result<(Vec<Exit>, Vec<Proof>)> {
        let out = &mut terminal::stderr();
        let mut exits = Vec::new();
        let mut properties: Vec<Property> = Vec::new();
        for property in asked {
            match property {
                Asked::Known(property) => properties.push(*property),
                Asked::Unsupported(name) => {
                    unknown(out, name, "this property is not supported")?;
                    exits.push(Exit::Unknown);
                }
            }
        }
        let question = Question {
            program: self.program,
            signed_overflow: self.args.signed_overflow.into(),
            properties: &properties,
            refinements: self.args.refine_first.unwrap_or_default(),
        };
        let engine = engine(&self.args.cegar);
        let stuck = |why| self.stuck(NAME, why);
        let found =
            watched(&self.ends, self.limits, stuck, |watcher| engine.contexts(&question, watcher));
        let found = match found {
            Ok(found) => found,
            Err(why) => {
                let why = self.ends.explain(why);
                unknown(out, NAME, &why.describe(&self.program.source))?;
                return Ok((vec![Exit::Unknown], Vec::new()));
            }
        };
        self.tell_contexts(&found, &properties)?;
        exits.push(Exit::Good);
        Ok((exits, self.proofs_of(found)))
    }

    fn tell_contexts(&self, found: &Contexts, properties: &[Property]) -> Result<()> {
        let out = &mut terminal::stderr();
        writeln!(out, "{NAME}: {GOOD}checked{GOOD:#}")?;
        for assumption in found.checked.proof().assumptions() {
            writeln!(out, "  assuming: {assumption}")?;
        }
        for property in properties {
            match found.shown.iter().any(|(shown, _)| shown == property) {
                true => writeln!(out, "{property}: {GOOD}proved{GOOD:#} by these contracts")?,
                false => {
                    writeln!(out, "{property}: {UNSURE}not shown{UNSURE:#} by these contracts")?
                }
            }
        }
        for proc in &found.uncalled {
            let name = &self.program.procs[*proc].name;
            note(&format!("`{name}` is never called, so nothing fulfils what it requires"));
        }
        for weakened in &found.weakened {
            note(&told(self.program, weakened));
        }
        Ok(())
    }

    /// The contracts as proofs of what they show; of nothing, if they show nothing.
    fn proofs_of(&self, found: Contexts) -> Vec<Proof> {
        let Contexts { checked, shown, .. } = found;
        if shown.is_empty() {
            return vec![self.made_simple(None, checked)];
        }
        let simple = |(property, checked)| self.made_simple(Some(property), checked);
        shown.into_iter().map(simple).collect()
    }

    fn made_simple(&self, property: Option<Property>, checked: Box<Checked>) -> Proof {
        let subject = Instrumented::new(self.program, property);
        let overflow = self.args.signed_overflow.into();
        let stuck = |why: Why| self.stuck(NAME, why);
        let (checked, measures) = watched(&self.ends, self.limits, stuck, |watcher| {
            let mut smt = Smt::new(SIMPLIFIED);
            watcher.started(smt.cancel_handle());
            let checked = simplify_contexts(&subject, checked, overflow, &mut smt);
            let measures = Measures::new(&subject, &checked, overflow, &mut smt);
            (checked, measures)
        });
        Proof { subject, checked, measures, retold: None }
    }
}

/// What is not claimed, and why.
fn told(program: &Program, Weakened { slot, condition }: &Weakened) -> String {
    let name = |proc: lakatos_ir::ProcId| &program.procs[proc].name;
    let what = match *slot {
        Slot::Requires(proc) => format!("the precondition of `{}`", name(proc)),
        Slot::Ensures(proc) => format!("the postcondition of `{}`", name(proc)),
        Slot::Invariant(proc, _) => format!("an invariant of `{}`", name(proc)),
    };
    format!("{what} says nothing: more was not accepted by the checker\n  {condition}")
}
