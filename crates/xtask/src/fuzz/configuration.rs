//! Which engine, with which settings: a few for each program, by turns and by chance.

use std::fmt;

use lakatos_analysis::cegar::Prune;
use lakatos_analysis::core::{Pop, Search};
use lakatos_analysis::domain::{Abstracts, Granularity, explicit};
use lakatos_analysis::initial::Initial;
use lakatos_engine::Engine;
use lakatos_engine::horn::{Encoding, Horn};
use lakatos_engine::stack_cegar::{Kind, StackCegar};
use lakatos_logic::interpolate::Strategy;
use lakatos_logic::smt::Limits;

use crate::generate::Rng;

/// Which engines are tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Engines {
    All,
    Cegar,
    Horn,
}

/// Settings as flags would say them.
#[derive(Clone, Copy, Debug)]
pub enum Configuration {
    Cegar(StackCegar),
    Horn(Horn),
}

impl Configuration {
    /// What counts as one line of the summary.
    pub fn kind(&self) -> String {
        match self {
            Configuration::Cegar(cegar) => format!("{:?}/{:?}", cegar.domain, cegar.pop),
            Configuration::Horn(horn) => format!("Horn/{:?}", horn.encoding),
        }
    }

    /// The engine, with limits of its queries.
    pub fn engine(self, limits: Limits) -> Box<dyn Engine + Send> {
        match self {
            Configuration::Cegar(cegar) => Box::new(StackCegar { limits, ..cegar }),
            Configuration::Horn(horn) => Box::new(Horn { limits, ..horn }),
        }
    }
}

impl fmt::Display for Configuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let engine = match self {
            Configuration::Cegar(engine) => engine,
            Configuration::Horn(horn) => return write!(f, "horn, encoding {:?}", horn.encoding),
        };
        let StackCegar { domain, search, strategy, pop, prune, abstracts, granularity, .. } =
            engine;
        write!(
            f,
            "domain {domain:?}, pop {pop:?}, search {search:?}, prune {prune:?}, refine \
             {strategy:?}, abstraction {abstracts:?}, precision {granularity:?}/{:?}, initial \
             {:?}, successors {}",
            engine.explicit.granularity, engine.initial, engine.explicit.successors
        )
    }
}

const DOMAINS: [Kind; 3] = [Kind::Product, Kind::Predicate, Kind::Explicit];
const POPS: [Pop; 3] = [Pop::Summary, Pop::Havoc, Pop::Off];

/// Settings for the program of a seed. The domains and the ways of popping come by turns, so that
/// every pair of them comes equally often; the rest comes by chance. Every fourth is `horn`, some of
/// these with bit-vectors.
pub fn configurations(seed: u64, count: usize, engines: Engines) -> Vec<Configuration> {
    let mut rng = Rng::new(seed ^ 0x636f_6e66_6967);
    let turn = |n: usize| seed as usize * count + n;
    (0..count)
        .map(|n| {
            let horn = match engines {
                Engines::All => turn(n) % 4 == 3,
                Engines::Cegar => false,
                Engines::Horn => true,
            };
            if horn {
                let encoding = if rng.percent(25) { Encoding::Bv } else { Encoding::Int };
                return Configuration::Horn(Horn { probe: false, encoding, ..Horn::default() });
            }
            let (domain, pop) = (DOMAINS[turn(n) % 3], POPS[turn(n) / 3 % 3]);
            Configuration::Cegar(one(&mut rng, domain, pop))
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
