//! Which engine, with which settings: a few for each program, by turns and by chance.

use std::fmt;

use lakatos_analysis::cegar::Prune;
use lakatos_analysis::core::{Pop, Search};
use lakatos_analysis::domain::{Abstracts, Granularity, explicit};
use lakatos_analysis::initial::Initial;
use lakatos_engine::stack_cegar::{Kind, StackCegar};
use lakatos_logic::interpolate::Strategy;

use crate::generate::Rng;

/// Settings as flags would say them.
#[derive(Clone, Copy, Debug)]
pub struct Configuration(pub StackCegar);

impl fmt::Display for Configuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let StackCegar { domain, search, strategy, pop, prune, abstracts, granularity, .. } =
            self.0;
        write!(
            f,
            "domain {domain:?}, pop {pop:?}, search {search:?}, prune {prune:?}, refine \
             {strategy:?}, abstraction {abstracts:?}, precision {granularity:?}/{:?}, initial \
             {:?}, successors {}",
            self.0.explicit.granularity, self.0.initial, self.0.explicit.successors
        )
    }
}

const DOMAINS: [Kind; 3] = [Kind::Product, Kind::Predicate, Kind::Explicit];
const POPS: [Pop; 3] = [Pop::Summary, Pop::Havoc, Pop::Off];

/// Settings for the program of a seed. The domains and the ways of popping come by turns, so that
/// every pair of them comes equally often; the rest comes by chance.
pub fn configurations(seed: u64, count: usize) -> Vec<Configuration> {
    let mut rng = Rng::new(seed ^ 0x636f_6e66_6967);
    let turn = |n: usize| seed as usize * count + n;
    (0..count)
        .map(|n| {
            let (domain, pop) = (DOMAINS[turn(n) % 3], POPS[turn(n) / 3 % 3]);
            Configuration(one(&mut rng, domain, pop))
        })
        .collect()
}

fn one(rng: &mut Rng, domain: Kind, pop: Pop) -> StackCegar {
    // Without probes, which refute before anything is proved.
    let plain = StackCegar { probe: false, ..StackCegar::default() };
    let mut granularity =
        || *rng.pick(&[Granularity::Location, Granularity::Function, Granularity::Global]);
    let (of_predicates, of_values) = (granularity(), granularity());
    StackCegar {
        domain,
        pop,
        granularity: of_predicates,
        explicit: explicit::Settings {
            granularity: of_values,
            successors: *rng.pick(&[8, 8, 8, 0, 2]),
            ..plain.explicit
        },
        search: *rng.pick(&[Search::Bfs, Search::Dfs, Search::ErrorFirst]),
        prune: *rng.pick(&[Prune::Lazy, Prune::Lazy, Prune::Full]),
        strategy: rng.weighted(&[
            (40, Strategy::Auto),
            (12, Strategy::Backward),
            (12, Strategy::Newton),
            (12, Strategy::Decomposed),
            (6, Strategy::Farkas),
            (4, Strategy::Tree),
            (4, Strategy::Nested),
            (4, Strategy::WellScoped),
            (3, Strategy::BinaryPerNode),
            (3, Strategy::Spacer),
        ]),
        abstracts: *rng.pick(&[Abstracts::Boolean, Abstracts::Boolean, Abstracts::Cartesian]),
        initial: *rng.pick(&[
            Initial::Empty,
            Initial::Empty,
            Initial::AllAssumes,
            Initial::ParamAssumes,
            Initial::AllVars,
        ]),
        ..plain
    }
}
