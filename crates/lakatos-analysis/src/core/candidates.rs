//! The expanded nodes of a location, arranged so that those which may include a state are found
//! without looking at all.

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::arg::NodeId;
use super::domain::Domain;

/// Nodes by the shape of their states and, for each shape, by key; see [`Domain::Shape`].
#[derive(Clone, Debug)]
pub(crate) struct Candidates<S> {
    groups: IndexMap<S, FxHashMap<u64, Vec<NodeId>>, FxBuildHasher>,
}

impl<S> Default for Candidates<S> {
    fn default() -> Self {
        Candidates { groups: IndexMap::default() }
    }
}

impl<S: Clone + Eq + std::hash::Hash> Candidates<S> {
    pub fn insert<D: Domain<Shape = S>>(&mut self, domain: &D, state: &D::State, node: NodeId) {
        let shape = domain.shape(state);
        let key = domain.key(state, &shape).expect("a state has its own shape");
        self.groups.entry(shape).or_default().entry(key).or_default().push(node);
    }

    pub fn remove<D: Domain<Shape = S>>(&mut self, domain: &D, state: &D::State, node: NodeId) {
        let shape = domain.shape(state);
        let key = domain.key(state, &shape).expect("a state has its own shape");
        if let Some(listed) = self.groups.get_mut(&shape).and_then(|group| group.get_mut(&key)) {
            listed.retain(|n| *n != node);
        }
    }

    /// All nodes that may include a state.
    pub fn of<D: Domain<Shape = S>>(&self, domain: &D, state: &D::State) -> Vec<NodeId> {
        let found = self.groups.iter().filter_map(|(shape, group)| {
            let key = domain.key(state, shape)?;
            group.get(&key)
        });
        found.flatten().copied().collect()
    }
}
