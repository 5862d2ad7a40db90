//! Values of some variables; the others are unknown.

use std::hash::{Hash, Hasher};

use lakatos_ir::VarId;

/// Sorted by variable.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Values(Vec<(VarId, i128)>);

impl Values {
    pub fn get(&self, var: VarId) -> Option<i128> {
        self.find(var).ok().map(|at| self.0[at].1)
    }

    pub fn set(&mut self, var: VarId, value: i128) {
        match self.find(var) {
            Ok(at) => self.0[at].1 = value,
            Err(at) => self.0.insert(at, (var, value)),
        }
    }

    pub fn forget(&mut self, var: VarId) {
        if let Ok(at) = self.find(var) {
            self.0.remove(at);
        }
    }

    pub fn put(&mut self, var: VarId, value: Option<i128>) {
        match value {
            Some(value) => self.set(var, value),
            None => self.forget(var),
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = (VarId, i128)> + '_ {
        self.0.iter().copied()
    }

    pub fn retain(&mut self, mut keep: impl FnMut(VarId, i128) -> bool) {
        self.0.retain(|(var, value)| keep(*var, *value));
    }

    /// Only what is known of the given variables, which are sorted.
    pub fn project(&self, onto: &[VarId]) -> Values {
        let mut rest = onto;
        let mut kept = Vec::with_capacity(onto.len().min(self.0.len()));
        for (var, value) in &self.0 {
            while let Some((first, others)) = rest.split_first()
                && first < var
            {
                rest = others;
            }
            if rest.first() == Some(var) {
                kept.push((*var, *value));
            }
        }
        Values(kept)
    }

    /// Hashes the values of the given variables, which are sorted; `None`: one is unknown.
    pub(super) fn hash_part(&self, of: &[VarId], hasher: &mut impl Hasher) -> Option<()> {
        let mut rest = self.0.iter();
        for var in of {
            let (found, value) = rest.find(|(known, _)| known >= var)?;
            if found != var {
                return None;
            }
            value.hash(hasher);
        }
        Some(())
    }

    /// Whether everything known here is known there as well.
    pub fn is_part_of(&self, other: &Values) -> bool {
        let mut rest = other.0.iter();
        self.0.len() <= other.0.len()
            && self.0.iter().all(|known| {
                let there = rest.find(|(var, _)| *var >= known.0);
                there == Some(known)
            })
    }

    /// What is known here or there; `None` if that is a contradiction.
    pub fn and(&self, other: &Values) -> Option<Values> {
        let mut both = self.clone();
        for (var, value) in other.iter() {
            if both.get(var).is_some_and(|known| known != value) {
                return None;
            }
            both.set(var, value);
        }
        Some(both)
    }

    fn find(&self, var: VarId) -> Result<usize, usize> {
        self.0.binary_search_by_key(&var, |(known, _)| *known)
    }
}

impl FromIterator<(VarId, i128)> for Values {
    fn from_iter<T: IntoIterator<Item = (VarId, i128)>>(pairs: T) -> Values {
        let mut values: Vec<(VarId, i128)> = pairs.into_iter().collect();
        values.sort_unstable_by_key(|(var, _)| *var);
        Values(values)
    }
}

/// What all of several alternatives agree on.
pub(super) fn common(alternatives: &[Values]) -> Values {
    let (first, others) = alternatives.split_first().expect("at least one alternative");
    let mut common = first.clone();
    common.retain(|var, value| others.iter().all(|other| other.get(var) == Some(value)));
    common
}
