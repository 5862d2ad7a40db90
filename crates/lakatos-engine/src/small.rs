//! Inputs that are small, more or less, for runs whose states are looked at: what holds of small numbers
//! often holds of all, and their runs are short.

use std::collections::BTreeSet;
use std::ops::Range;

use lakatos_ir::interpret::{Oracle, Request};
use lakatos_ir::{ExprKind, InputKind, Instr, IntType, Program, SiteId, Type};

/// Larger objects without a value are zero: nobody looks at all their elements.
const LARGE_OBJECT: u64 = 4_096;

/// Where large objects get their first value.
fn large_sites(program: &Program) -> BTreeSet<SiteId> {
    let edges = program.defined().flat_map(|(_, _, body)| body.edges.iter());
    let sites = edges.filter_map(|(_, edge)| match edge.instr {
        Instr::Havoc(place, site) => {
            let size = program.types.size(program.places[place].ty);
            (size > LARGE_OBJECT).then_some(site)
        }
        _ => None,
    });
    sites.collect()
}

/// The constants of a program that are within a range.
pub(crate) fn constants(program: &Program, range: Range<i128>) -> BTreeSet<i128> {
    let constant = |kind: &ExprKind| match kind {
        ExprKind::Int(value) if range.contains(value) => Some(*value),
        _ => None,
    };
    program.exprs.iter().filter_map(|(_, expr)| constant(&expr.kind)).collect()
}

/// Constants from here on are not small.
pub(crate) const LARGE: i128 = 24;

/// What the inputs of all runs of a program have in common.
#[derive(Debug)]
pub(crate) struct Source {
    large: BTreeSet<SiteId>,
    /// Constants of the program, which some inputs are.
    constants: Vec<i128>,
}

impl Source {
    pub fn new(program: &Program) -> Source {
        let constants = constants(program, 2..LARGE).into_iter().collect();
        Source { large: large_sites(program), constants }
    }

    /// Each run has others.
    pub fn inputs(&self, run: u64) -> Inputs<'_> {
        Inputs { state: run.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1, run, source: self }
    }
}

/// The inputs of a run.
#[derive(Debug)]
pub(crate) struct Inputs<'a> {
    state: u64,
    run: u64,
    source: &'a Source,
}

impl Inputs<'_> {
    pub fn bits(&mut self) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state >> 11
    }

    fn integer(&mut self, ty: IntType) -> i128 {
        let bits = i128::from(self.bits());
        let value = match self.run % 6 {
            // The same all the time, or almost.
            3 => i128::from(self.run / 6 % 9),
            4 => bits % 2,
            0 => bits % 8,
            1 => bits % 12 - 4,
            2 => bits % 16,
            5 if bits % 3 == 0 && !self.source.constants.is_empty() => {
                let at = usize::try_from(bits / 3).unwrap_or(0) % self.source.constants.len();
                self.source.constants[at]
            }
            _ => match bits % 3 {
                0 => bits / 3 % 100 - 50,
                _ => bits / 3 % 10,
            },
        };
        if ty.contains(value) { value } else { value.abs() }
    }
}

impl Oracle for Inputs<'_> {
    fn input(&mut self, request: &Request<'_>) -> i128 {
        match request.ty {
            Type::Int(IntType::BOOL) => i128::from(self.bits() & 1 == 1),
            Type::Int(ty) => self.integer(ty),
            _ => 0,
        }
    }

    fn wants_elements(&self, site: SiteId, _kind: InputKind) -> bool {
        !self.source.large.contains(&site)
    }
}
