//! Which engine, with which settings: a few for each program, by turns and by chance.

use std::fmt;

use lakatos_analysis::bam::{Cache, Kinds, Settings};
use lakatos_analysis::cegar::{Accelerate, Prune};
use lakatos_analysis::core::{Pop, Search};
use lakatos_analysis::domain::{Abstracts, Granularity, explicit};
use lakatos_analysis::initial::Initial;
use lakatos_engine::bam::Bam;
use lakatos_engine::horn::{Encoding, Horn};
use lakatos_engine::stack_cegar::{Kind, StackCegar};
use lakatos_engine::{Arrays, Bmc, Cases, Engine, Induction, Laws, Parts, Ranges, Runs};
use lakatos_logic::interpolate::Strategy;
use lakatos_logic::smt::Limits;

use crate::generate::Rng;

/// Which engines are tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Engines {
    All,
    Cegar,
    Horn,
    Bam,
    Bmc,
    Arrays,
    Ranges,
    Cases,
    Induction,
    Parts,
    Laws,
    Runs,
}

/// Settings as flags would say them.
#[derive(Clone, Copy, Debug)]
pub enum Configuration {
    Cegar(StackCegar),
    Horn(Horn),
    Bam(Bam),
    Bmc(Bmc),
    Arrays,
    Ranges,
    Cases,
    Induction,
    Parts,
    Laws,
    Runs,
}

impl Configuration {
    /// What counts as one line of the summary.
    pub fn kind(&self) -> String {
        match self {
            Configuration::Cegar(cegar) => format!("{:?}/{:?}", cegar.domain, cegar.pop),
            Configuration::Horn(horn) => format!("Horn/{:?}", horn.encoding),
            Configuration::Bam(bam) => {
                format!("Bam/{:?}/{:?}", bam.abstraction.domain, bam.blocks.kinds)
            }
            Configuration::Bmc(_) => "Bmc".to_owned(),
            Configuration::Arrays => "Arrays".to_owned(),
            Configuration::Ranges => "Ranges".to_owned(),
            Configuration::Cases => "Cases".to_owned(),
            Configuration::Induction => "Induction".to_owned(),
            Configuration::Parts => "Parts".to_owned(),
            Configuration::Laws => "Laws".to_owned(),
            Configuration::Runs => "Runs".to_owned(),
        }
    }

    /// The engine, with limits of its queries.
    pub fn engine(self, limits: Limits) -> Box<dyn Engine + Send> {
        match self {
            Configuration::Cegar(cegar) => Box::new(StackCegar { limits, ..cegar }),
            Configuration::Horn(horn) => Box::new(Horn { limits, ..horn }),
            Configuration::Bam(bam) => {
                let abstraction = StackCegar { limits, ..bam.abstraction };
                Box::new(Bam { abstraction, ..bam })
            }
            Configuration::Bmc(bmc) => Box::new(Bmc { limits, ..bmc }),
            Configuration::Arrays => Box::new(Arrays::default()),
            Configuration::Ranges => Box::new(Ranges),
            Configuration::Cases => Box::new(Cases),
            Configuration::Induction => Box::new(Induction),
            Configuration::Parts => Box::new(Parts),
            Configuration::Laws => Box::new(Laws),
            Configuration::Runs => Box::new(Runs),
        }
    }
}

impl fmt::Display for Configuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let engine = match self {
            Configuration::Horn(horn) => return write!(f, "horn, encoding {:?}", horn.encoding),
            Configuration::Bmc(_) => return f.write_str("bmc"),
            Configuration::Arrays => return f.write_str("arrays"),
            Configuration::Ranges => return f.write_str("ranges"),
            Configuration::Cases => return f.write_str("cases"),
            Configuration::Induction => return f.write_str("induction"),
            Configuration::Parts => return f.write_str("parts"),
            Configuration::Laws => return f.write_str("laws"),
            Configuration::Runs => return f.write_str("runs"),
            Configuration::Cegar(engine) => engine,
            Configuration::Bam(Bam { blocks, abstraction }) => {
                write!(f, "blocks {:?}, cache {:?}, ", blocks.kinds, blocks.cache)?;
                abstraction
            }
        };
        let StackCegar { domain, search, strategy, pop, prune, abstracts, granularity, .. } =
            engine;
        write!(
            f,
            "domain {domain:?}, pop {pop:?}, search {search:?}, prune {prune:?}, accelerate {:?}, refine \
             {strategy:?}, abstraction {abstracts:?}, precision {granularity:?}/{:?}, initial \
             {:?}, successors {}, slice {}",
            engine.accelerate,
            engine.explicit.granularity,
            engine.initial,
            engine.explicit.successors,
            engine.slice
        )
    }
}

const DOMAINS: [Kind; 3] = [Kind::Product, Kind::Predicate, Kind::Explicit];
const POPS: [Pop; 3] = [Pop::Summary, Pop::Havoc, Pop::Off];
const KINDS: [Kinds; 3] = [Kinds::Functions, Kinds::Both, Kinds::Loops];

/// Settings for the program of a seed. The domains and the ways of popping come by turns, so that
/// every pair of them comes equally often; the rest comes by chance. Every fourth is `horn`, some of
/// these with bit-vectors, or another one of the engines beside, and of the others every second `bam`.
pub fn configurations(seed: u64, count: usize, engines: Engines) -> Vec<Configuration> {
    let mut rng = Rng::new(seed ^ 0x636f_6e66_6967);
    let turn = |n: usize| seed as usize * count + n;
    (0..count)
        .map(|n| {
            let engine = match engines {
                Engines::All if turn(n) % 32 == 19 => Engines::Cases,
                Engines::All if turn(n) % 32 == 27 => Engines::Induction,
                Engines::All if turn(n) % 64 == 23 => Engines::Runs,
                Engines::All if turn(n) % 16 == 3 => Engines::Bmc,
                Engines::All if turn(n) % 16 == 11 => Engines::Arrays,
                Engines::All if turn(n) % 16 == 7 => Engines::Parts,
                Engines::All if turn(n) % 32 == 15 => Engines::Ranges,
                Engines::All if turn(n) % 32 == 31 => Engines::Laws,
                Engines::All if turn(n) % 4 == 3 => Engines::Horn,
                Engines::All if turn(n) / 4 % 2 == 1 => Engines::Bam,
                Engines::All => Engines::Cegar,
                one => one,
            };
            let (domain, second) = (DOMAINS[turn(n) % 3], turn(n) / 3 % 3);
            match engine {
                Engines::Horn => {
                    let encoding = if rng.percent(25) { Encoding::Bv } else { Encoding::Int };
                    Configuration::Horn(Horn { probe: false, encoding, ..Horn::default() })
                }
                Engines::Bmc => Configuration::Bmc(Bmc::default()),
                Engines::Arrays => Configuration::Arrays,
                Engines::Ranges => Configuration::Ranges,
                Engines::Cases => Configuration::Cases,
                Engines::Induction => Configuration::Induction,
                Engines::Parts => Configuration::Parts,
                Engines::Laws => Configuration::Laws,
                Engines::Runs => Configuration::Runs,
                Engines::Bam => {
                    let cache =
                        *rng.pick(&[Cache::Exact, Cache::Exact, Cache::Aggressive, Cache::Off]);
                    let abstraction = one(&mut rng, domain, POPS[second]);
                    let blocks = Settings { kinds: KINDS[second], cache };
                    Configuration::Bam(Bam { blocks, abstraction })
                }
                _ => Configuration::Cegar(one(&mut rng, domain, POPS[second])),
            }
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
        accelerate: rng.weighted(&[
            (6, Accelerate::On),
            (2, Accelerate::Invariants),
            (2, Accelerate::Off),
        ]),
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
        slice: rng.percent(30),
        ..plain
    }
}
