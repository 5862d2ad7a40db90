//! Interpolants of random problems, each checked by the oracle of `problems`: a solver that did not
//! produce it.
//!
//! `cargo test --release -p lakatos-logic --test interpolation -- --ignored --nocapture` solves
//! 5,000 problems and prints what was found by which strategy; `SEEDS=17..18` in the environment
//! chooses others, and prints what goes wrong with them.

mod problems;

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use std::{env, thread};

use lakatos_logic::interpolate::{Failure, Interpolator, Rejection, Strategy};
use lakatos_logic::smt::{Limits, Reason, Smt};
use lakatos_logic::term::Terms;
use problems::clock::Clock;
use problems::draft::Draft;
use problems::oracle;
use problems::random::{self, FAMILIES, family};

/// What a strategy made of a problem.
#[derive(Debug)]
struct Outcome {
    seed: u64,
    strategy: Strategy,
    failure: Option<Failure>,
    /// Candidates that were none, by the strategy that had them.
    rejected: Vec<(Strategy, Rejection)>,
    time: Duration,
}

/// Interpolants, if there are any, are right.
fn solve(seed: u64, draft: &Draft, strategy: Strategy, limits: Limits) -> Outcome {
    let mut terms = Terms::new();
    let problem = draft.problem(&mut terms);
    let mut smt = Smt::new(limits);
    let mut interpolator = Interpolator::new(&mut smt);
    let clock = Clock::start();
    let found = interpolator.interpolate(&mut terms, &problem, strategy);
    let time = clock.elapsed();
    let rejected =
        interpolator.take_rejected().into_iter().map(|r| (r.strategy, r.rejection)).collect();
    let failure = match found {
        Ok(interpolants) => {
            if let Err(wrong) = oracle::verify(draft, &mut terms, &interpolants) {
                let shown: Vec<String> = interpolants.iter().map(|i| terms.smtlib(*i)).collect();
                panic!("seed {seed}, {strategy}: {wrong}\n{draft:#?}\n{}", shown.join("\n"));
            }
            None
        }
        Err(failure) => Some(failure),
    };
    Outcome { seed, strategy, failure, rejected, time }
}

/// Enough for everything that is worth waiting for; time only ends what has no other limit.
const LIMITS: Limits = Limits { resources: Some(5_000_000), time: Some(Duration::from_secs(60)) };

/// Candidates of strategies that promise interpolants: all but `well-scoped`, which only hopes.
fn bugs(outcome: &Outcome) -> impl Iterator<Item = &(Strategy, Rejection)> {
    outcome.rejected.iter().filter(|(strategy, rejection)| {
        *strategy != Strategy::WellScoped && !matches!(rejection, Rejection::Undecided { .. })
    })
}

fn assert_no_bugs(outcome: &Outcome) {
    if let Some((strategy, rejection)) = bugs(outcome).next() {
        panic!("seed {}, {}: {strategy} had: {rejection}", outcome.seed, outcome.strategy);
    }
}

#[test]
fn auto_finds_interpolants() {
    let mut failed = Vec::new();
    let seeds = 0..300;
    for seed in seeds.clone() {
        let outcome = solve(seed, &random::contradiction(seed), Strategy::Auto, LIMITS);
        assert_no_bugs(&outcome);
        failed.extend(outcome.failure.map(|failure| (seed, failure)));
    }
    assert!(failed.len() * 100 <= seeds.count(), "{failed:?}");
}

/// Each strategy gets problems of each family.
#[test]
fn every_strategy_is_right() {
    for (at, strategy) in Strategy::ALL.into_iter().enumerate() {
        let first = 1_000 + 20 * at as u64;
        for seed in first..first + 20 {
            let outcome = solve(seed, &random::contradiction(seed), strategy, LIMITS);
            assert_no_bugs(&outcome);
            let failure = outcome.failure;
            assert!(!matches!(failure, Some(Failure::Satisfiable)), "seed {seed}, {strategy}");
        }
    }
}

#[test]
fn satisfiable_problems_have_none() {
    for seed in 2_000..2_060 {
        let draft = random::consistent(seed);
        for strategy in Strategy::ALL {
            let outcome = solve(seed, &draft, strategy, LIMITS);
            assert_eq!(outcome.failure, Some(Failure::Satisfiable), "seed {seed}, {strategy}");
            assert_no_bugs(&outcome);
        }
    }
}

/// With next to no means there may be no interpolants, and what there is is right.
#[test]
fn limits_never_make_wrong_interpolants() {
    let mut ended = 0;
    for seed in 3_000..3_060 {
        let unlimited = Limits::default();
        let limits = match seed % 3 {
            0 => Limits { resources: Some(1 << (seed / 3 % 16)), ..unlimited },
            1 => Limits { resources: Some(1_000 * (seed as u32 % 50)), ..unlimited },
            _ => Limits { time: Some(Duration::from_millis(1)), ..unlimited },
        };
        let draft = match seed % 2 {
            0 => random::contradiction(seed),
            _ => random::consistent(seed),
        };
        for strategy in Strategy::ALL {
            let outcome = solve(seed, &draft, strategy, limits);
            assert_no_bugs(&outcome);
            match outcome.failure {
                Some(Failure::Satisfiable) => assert_eq!(seed % 2, 1, "seed {seed}, {strategy}"),
                Some(Failure::Unknown(_)) => ended += 1,
                Some(Failure::NotFound(_)) => assert_eq!(seed % 2, 0, "seed {seed}, {strategy}"),
                None => {}
            }
        }
    }
    assert!(ended > 100, "the limits limit nothing: {ended}");
}

#[test]
fn a_cancelled_session_finds_nothing() {
    let draft = random::contradiction(0);
    for strategy in Strategy::ALL {
        let mut terms = Terms::new();
        let problem = draft.problem(&mut terms);
        let mut smt = Smt::default();
        smt.cancel_handle().cancel();
        let found = Interpolator::new(&mut smt).interpolate(&mut terms, &problem, strategy);
        assert_eq!(found, Err(Failure::Unknown(Reason::Cancelled)), "{strategy}");
    }
}

/// The same problem has the same interpolants, whatever was solved before.
#[test]
fn nothing_is_random() {
    for seed in 4_000..4_020 {
        let draft = random::contradiction(seed);
        let found = || {
            let mut terms = Terms::new();
            let problem = draft.problem(&mut terms);
            let mut smt = Smt::new(LIMITS);
            let mut interpolator = Interpolator::new(&mut smt);
            let found = interpolator.interpolate(&mut terms, &problem, Strategy::Auto);
            found.map(|i| i.iter().map(|i| terms.display(*i).to_string()).collect::<Vec<_>>())
        };
        assert_eq!(found(), found(), "seed {seed}");
    }
}

#[test]
fn strategies_have_names() {
    for strategy in Strategy::ALL {
        assert_eq!(strategy.to_string().parse(), Ok(strategy));
    }
    let unknown = "craig".parse::<Strategy>().unwrap_err().to_string();
    assert!(unknown.starts_with("`craig` is no interpolation strategy"), "{unknown}");
    assert!(Strategy::ALL.iter().all(|s| unknown.contains(s.name())), "{unknown}");
}

/// `auto` solves every problem, the other strategies every tenth.
#[test]
#[ignore = "takes a quarter of an hour; docs/benchmarks.md has the command and what it found"]
fn interpolation_5000() {
    let chosen = env::var("SEEDS").ok().map(|text| {
        let (from, to) = text.split_once("..").expect("SEEDS=17..18");
        from.parse().expect("a number")..to.parse().expect("a number")
    });
    if let Some(seeds) = chosen.clone().filter(|seeds| seeds.clone().count() == 1) {
        let mut terms = Terms::new();
        let problem = random::contradiction(seeds.start).problem(&mut terms);
        for (node, formula) in problem.formulas().iter().enumerate() {
            println!("{node} below {:?}: {}", problem.parent(node), terms.smtlib(*formula));
        }
    }
    let outcomes = solve_all(chosen.clone().unwrap_or(0..5_000), chosen.is_some());
    print_table("family", &FAMILIES.map(|f| f.name), &outcomes, |o| {
        (o.strategy == Strategy::Auto).then_some(family(o.seed))
    });
    print_table("strategy", &Strategy::ALL.map(Strategy::name), &outcomes, |o| {
        Strategy::ALL.iter().position(|s| *s == o.strategy)
    });
    let automatic: Vec<&Outcome> =
        outcomes.iter().filter(|o| o.strategy == Strategy::Auto).collect();
    let (mut good, mut buggy) = (0, 0);
    for outcome in &automatic {
        match &outcome.failure {
            None if outcome.time <= SOON => good += 1,
            other => println!("seed {}: {:?} {other:?}", outcome.seed, outcome.time),
        }
    }
    for outcome in &outcomes {
        if outcome.strategy != Strategy::Auto && (outcome.time > SOON || outcome.failure.is_some())
        {
            println!(
                "seed {}, {}: {:?} {:?}",
                outcome.seed, outcome.strategy, outcome.time, outcome.failure
            );
        }
        for (strategy, rejection) in bugs(outcome) {
            buggy += 1;
            println!("seed {}, {}: {strategy} had: {rejection}", outcome.seed, outcome.strategy);
        }
    }
    println!("{good} of {} by auto within {SOON:?}", automatic.len());
    assert_eq!(buggy, 0, "candidates that are no interpolants");
    assert!(good * 100 >= automatic.len() * 99);
}

/// What the caller of an interpolator waits for.
const SOON: Duration = Duration::from_secs(2);

fn solve_all(seeds: Range<u64>, every_strategy: bool) -> Vec<Outcome> {
    let next = AtomicU64::new(seeds.start);
    let work = || {
        let mut outcomes = Vec::new();
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= seeds.end {
                return outcomes;
            }
            if seed.is_multiple_of(500) {
                eprintln!("seed {seed}");
            }
            let draft = random::contradiction(seed);
            let strategies =
                match every_strategy || (seed / FAMILIES.len() as u64).is_multiple_of(10) {
                    true => &Strategy::ALL[..],
                    false => &[Strategy::Auto],
                };
            for strategy in strategies {
                outcomes.push(solve(seed, &draft, *strategy, LIMITS));
            }
        }
    };
    let mut outcomes: Vec<Outcome> = thread::scope(|scope| {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|w| w.join().expect("a worker")).collect()
    });
    outcomes.sort_by_key(|o| (o.seed, o.strategy));
    outcomes
}

fn print_table(
    what: &str,
    names: &[&str],
    outcomes: &[Outcome],
    row: impl Fn(&Outcome) -> Option<usize>,
) {
    println!(
        "{what:<18} {:>6} {:>6} {:>6} {:>8} {:>6} {:>9} {:>9}",
        "solved", "of", "> 2 s", "rejected", "bugs", "median ms", "max ms"
    );
    for (at, name) in names.iter().enumerate() {
        let of: Vec<&Outcome> = outcomes.iter().filter(|o| row(o) == Some(at)).collect();
        let mut times: Vec<Duration> = of.iter().map(|o| o.time).collect();
        times.sort_unstable();
        let (Some(median), Some(max)) = (times.get(times.len() / 2), times.last()) else {
            continue;
        };
        println!(
            "{name:<18} {:>6} {:>6} {:>6} {:>8} {:>6} {:>9.1} {:>9.1}",
            of.iter().filter(|o| o.failure.is_none()).count(),
            of.len(),
            of.iter().filter(|o| o.time > SOON).count(),
            of.iter().map(|o| o.rejected.len()).sum::<usize>(),
            of.iter().map(|o| bugs(o).count()).sum::<usize>(),
            median.as_secs_f64() * 1e3,
            max.as_secs_f64() * 1e3,
        );
    }
}
