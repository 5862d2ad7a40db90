//! A seeded source of choices. Everything a generated text depends on goes through here, so a
//! seed names a program on every platform.

#[derive(Clone, Debug)]
pub struct Rng(fastrand::Rng);

impl Rng {
    pub fn new(seed: u64) -> Rng {
        Rng(fastrand::Rng::with_seed(seed))
    }

    pub fn bits(&mut self) -> u64 {
        self.0.u64(..)
    }

    /// A number less than `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0.u64(0..n as u64) as usize
    }

    /// A number from `low` to `high`, both possible.
    pub fn range(&mut self, low: i64, high: i64) -> i64 {
        self.0.i64(low..=high)
    }

    pub fn percent(&mut self, chance: u32) -> bool {
        self.0.u32(0..100) < chance
    }

    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// One of the items, each as likely as its weight says.
    pub fn weighted<T: Copy>(&mut self, items: &[(u32, T)]) -> T {
        let total: u32 = items.iter().map(|&(weight, _)| weight).sum();
        let mut at = self.0.u32(0..total);
        for &(weight, item) in items {
            if at < weight {
                return item;
            }
            at -= weight;
        }
        unreachable!("the weights sum to the total")
    }
}
