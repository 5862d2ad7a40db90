//! Where values from outside come from.

use rustc_hash::{FxHashMap, FxHashSet};

use super::value::float_input;
use crate::program::{InputKind, Program, SiteId};
use crate::ty::{IntType, Type};

/// A question for one scalar.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    pub program: &'a Program,
    pub kind: InputKind,
    pub site: SiteId,
    pub occurrence: u32,
    pub element: u64,
    /// The scalar's type.
    pub ty: Type,
}

/// Chooses inputs. Answers are read as [`Input::value`](super::Input) says, wrapped to the type
/// asked for (for a truth value: whether it is not 0).
pub trait Oracle {
    fn input(&mut self, request: &Request<'_>) -> i128;

    /// Whether to be asked for each scalar of an aggregate, or each byte of fresh memory, that
    /// comes in at this site; otherwise its bytes are all zero. Asking is slow for large arrays.
    fn wants_elements(&self, _site: SiteId, _kind: InputKind) -> bool {
        false
    }

    /// One of so many alternatives, counted from 0. Asked instead of [`Oracle::input`] by runs
    /// that are to be all runs ([`Options::exhaustive`](super::Options)); there is at least one.
    fn choose(&mut self, _alternatives: u64) -> u64 {
        0
    }

    /// Whether a run goes on after so many steps. Asked every [`BETWEEN`] steps; the run ends as
    /// if it had reached its limit of steps.
    fn goes_on(&mut self, _steps: u64) -> bool {
        true
    }
}

/// Locations that a run passes before it asks whether to go on: some milliseconds.
pub const BETWEEN: u64 = 1 << 16;

/// Everything is zero.
#[derive(Clone, Copy, Debug, Default)]
pub struct Zeros;

impl Oracle for Zeros {
    fn input(&mut self, _request: &Request<'_>) -> i128 {
        0
    }
}

/// A list of all inputs in order but what is uninitialised; zero for that, and when it is
/// exhausted.
#[derive(Clone, Debug, Default)]
pub struct InOrder {
    values: std::vec::IntoIter<i128>,
}

impl InOrder {
    pub fn new(values: Vec<i128>) -> InOrder {
        InOrder { values: values.into_iter() }
    }
}

impl Oracle for InOrder {
    fn input(&mut self, request: &Request<'_>) -> i128 {
        match request.kind {
            InputKind::Uninitialised => 0,
            InputKind::Nondet
            | InputKind::External
            | InputKind::Assembly
            | InputKind::Library
            | InputKind::Volatile
            | InputKind::Allocation => self.values.next().unwrap_or(0),
        }
    }

    fn wants_elements(&self, _site: SiteId, kind: InputKind) -> bool {
        kind != InputKind::Uninitialised
    }
}

/// Values by site, occurrence and element; zero for all others, where [`Keyed::with_rest`] says
/// nothing else.
#[derive(Clone, Debug, Default)]
pub struct Keyed {
    values: FxHashMap<(SiteId, u32, u64), i128>,
    sites: FxHashSet<SiteId>,
    /// Of integers that were never written and have no value here.
    rest: i128,
}

impl Keyed {
    pub fn insert(&mut self, site: SiteId, occurrence: u32, element: u64, value: i128) {
        self.values.insert((site, occurrence, element), value);
        self.sites.insert(site);
    }

    /// The same, but integers that were never written are this if nothing is said of them.
    #[must_use]
    pub fn with_rest(mut self, value: i128) -> Keyed {
        self.rest = value;
        self
    }
}

impl FromIterator<((SiteId, u32, u64), i128)> for Keyed {
    fn from_iter<T: IntoIterator<Item = ((SiteId, u32, u64), i128)>>(iter: T) -> Self {
        let mut keyed = Keyed::default();
        for ((site, occurrence, element), value) in iter {
            keyed.insert(site, occurrence, element, value);
        }
        keyed
    }
}

impl Oracle for Keyed {
    fn input(&mut self, request: &Request<'_>) -> i128 {
        let key = (request.site, request.occurrence, request.element);
        let is_rest =
            request.kind == InputKind::Uninitialised && matches!(request.ty, Type::Int(_));
        self.values.get(&key).copied().unwrap_or(if is_rest { self.rest } else { 0 })
    }

    fn wants_elements(&self, site: SiteId, kind: InputKind) -> bool {
        self.sites.contains(&site) || (kind == InputKind::Uninitialised && self.rest != 0)
    }
}

/// Values from a seed, mixed for finding bugs: small numbers, the ends of the type's range, and
/// any bits. Pointers are null; what is uninitialised is zero half of the time.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    pub fn new(seed: u64) -> Random {
        Random { state: seed }
    }

    /// Any bits (SplitMix64).
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn integer(&mut self, ty: IntType) -> i128 {
        let bits = self.bits();
        match bits % 8 {
            0..=3 => i128::from(bits >> 8 & 15) - if ty.signed { 5 } else { 0 },
            4 => ty.max().wrapping_sub(i128::from(bits >> 8 & 3)),
            5 => ty.min().wrapping_add(i128::from(bits >> 8 & 3)),
            6 => i128::from(bits >> 8 & 1023) - if ty.signed { 512 } else { 0 },
            _ => i128::from(self.bits()) << 64 | i128::from(self.bits()),
        }
    }
}

impl Oracle for Random {
    fn input(&mut self, request: &Request<'_>) -> i128 {
        if request.kind == InputKind::Uninitialised && self.bits().is_multiple_of(2) {
            return 0;
        }
        match request.ty {
            Type::Int(IntType::BOOL) => i128::from(self.bits() & 1),
            Type::Int(ty) => self.integer(ty),
            Type::Float(ty) => {
                let whole = self.integer(IntType::I32);
                let part = [0.0, 0.5, 0.1, 1e-9][self.bits() as usize % 4];
                float_input(whole as f64 + part, ty)
            }
            _ => 0,
        }
    }

    fn wants_elements(&self, _site: SiteId, kind: InputKind) -> bool {
        kind != InputKind::Uninitialised
    }
}
