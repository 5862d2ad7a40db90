//! Flags that say how the world outside of the program behaves.

use clap::{Args, ValueEnum};
use lakatos_ir::{AddressRange, Allocation, Volatile};

/// What the program's surroundings do.
#[derive(Clone, Debug, Default, Args)]
pub struct Environment {
    /// What a read of `volatile` memory gives: any value, or what was stored
    /// [default: any; memory for SV-COMP tasks]
    ///
    /// Tasks are task files (.yml), programs with one beside them, and `--svcomp`.
    #[arg(long, value_name = "MEANING", help_heading = "Environment")]
    pub volatile: Option<VolatileMeaning>,

    /// These addresses are device registers, such as `0x40000000:0x1000` (start and size); may be
    /// given several times
    ///
    /// Volatile accesses there are valid; a read gives any value.
    #[arg(long, value_name = "START:SIZE", help_heading = "Environment")]
    pub mmio: Vec<AddressRange>,

    /// Whether an allocation of at most PTRDIFF_MAX bytes may fail; a larger one always does
    #[arg(long, value_name = "HOW", default_value = "succeeds", help_heading = "Environment")]
    pub malloc: MallocOutcome,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum VolatileMeaning {
    /// Any value, each time: a device, a signal handler or another program changes it
    Any,
    /// What was stored last: it is ordinary memory
    Memory,
}

impl From<VolatileMeaning> for Volatile {
    fn from(meaning: VolatileMeaning) -> Volatile {
        match meaning {
            VolatileMeaning::Any => Volatile::Any,
            VolatileMeaning::Memory => Volatile::Memory,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum MallocOutcome {
    /// It does not
    #[default]
    Succeeds,
    /// It may: both outcomes are looked at
    MayFail,
}

impl From<MallocOutcome> for Allocation {
    fn from(outcome: MallocOutcome) -> Allocation {
        match outcome {
            MallocOutcome::Succeeds => Allocation::Succeeds,
            MallocOutcome::MayFail => Allocation::MayFail,
        }
    }
}
