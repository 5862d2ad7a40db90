//! The functions of the user, of what there is at a location.

use lakatos_ir::VarId;

use super::claims::Guesser;
use super::columns::{Number, Whole};
use super::reach::{Functions, Reach};

impl Guesser<'_, '_, '_> {
    /// The functions of the user, of all arrays and bounds; those of one number of all numbers.
    pub(super) fn applied(&self, reach: Reach) -> Vec<Number> {
        let (wholes, bounds) = (self.wholes(reach), self.bounds.clone());
        let mut found = Vec::new();
        for (function, arrays, numbers) in self.columns.computed.of_numbers() {
            let is_asked = match reach.functions {
                Functions::None => false,
                Functions::Simple => numbers == 1,
                Functions::All => true,
            };
            if !is_asked {
                continue;
            }
            let arguments = match arrays {
                0 => choices(&self.values_and_elements(), numbers),
                _ if reach.replaces => lengths(&bounds, numbers),
                _ => choices(&bounds, numbers),
            };
            for arrays in choices(&wholes, arrays) {
                for numbers in &arguments {
                    found.push(Number::Applied(function, arrays.clone(), numbers.clone()));
                }
            }
        }
        found
    }

    /// Variables that are what functions of the user are.
    pub(super) fn values_of_functions(&mut self, reach: Reach) {
        for applied in self.applied(reach) {
            let is_so = |number: &&Number| {
                matches!(number, Number::Var(_)) && self.are_equal(number, &applied)
            };
            let Some(number) = self.varying.iter().find(is_so).cloned() else { continue };
            let (a, b) = (self.columns.term(&number), self.columns.term(&applied));
            let formula = self.columns.draft.terms().eq(a, b);
            self.found.push(formula);
        }
    }

    /// Variables, and elements at indices.
    fn values_and_elements(&self) -> Vec<Number> {
        let vars = self.varying.iter().filter(|n| matches!(n, Number::Var(_))).cloned();
        vars.chain(self.arrays.iter().flat_map(|array| self.elements_at(*array))).collect()
    }

    /// The first element of an array, and those at indices.
    pub(super) fn elements_at(&self, array: VarId) -> Vec<Number> {
        let at = |var| Number::Element(array, var);
        [Number::First(array)].into_iter().chain(self.indices().map(at)).collect()
    }

    fn indices(&self) -> impl Iterator<Item = VarId> {
        let var = |number: &Number| match number {
            Number::Var(var) if self.is_index(*var) => Some(*var),
            _ => None,
        };
        self.varying.iter().filter_map(var)
    }

    /// Arrays, also with another value at an index.
    fn wholes(&self, reach: Reach) -> Vec<Whole> {
        let mut found: Vec<Whole> = self.arrays.iter().copied().map(Whole::Array).collect();
        for &array in self.arrays.iter().filter(|_| reach.replaces) {
            for index in self.indices() {
                let carried = &self.columns.samples.carried;
                let values = self.vars.iter().copied().filter(|value| carried.contains(value));
                found.extend(values.map(|value| Whole::Replaced { array, index, value }));
            }
        }
        found
    }
}

/// The arguments of a function of arrays: how many elements, and otherwise zero.
fn lengths(bounds: &[Number], count: usize) -> Vec<Vec<Number>> {
    let with_rest = |bound: &Number| {
        let mut numbers = vec![Number::Constant(0); count];
        numbers[0] = bound.clone();
        numbers
    };
    bounds.iter().map(with_rest).collect()
}

/// All ways to choose so many things, one after the other, none of them twice.
pub(super) fn choices<T: Clone + PartialEq>(from: &[T], count: usize) -> Vec<Vec<T>> {
    let mut chosen: Vec<Vec<T>> = vec![Vec::new()];
    for _ in 0..count {
        let mut longer = Vec::new();
        for begin in chosen {
            for thing in from.iter().filter(|thing| !begin.contains(thing)) {
                longer.push(begin.iter().cloned().chain([thing.clone()]).collect());
            }
        }
        chosen = longer;
    }
    chosen
}
