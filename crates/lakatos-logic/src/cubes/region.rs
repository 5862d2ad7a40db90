//! Abstract states: Boolean combinations of predicates as binary decision diagrams.
//!
//! All diagrams have [`CAPACITY`] variables, which costs nothing: a diagram holds the nodes it
//! needs. The library's `BddVariableSet` would hold a name for each and takes a tenth of a second
//! to make, and its `restrict` orders nodes otherwise than the other operations do, so that equal
//! functions compare unequal; neither is used here.

use std::fmt;

use biodivine_lib_bdd::{Bdd, BddNode, BddPointer, BddVariable, op_function};

use super::predicates::{CAPACITY, Literal, PredId};

/// How many cubes `Debug` shows.
const SHOWN: usize = 64;

/// A Boolean combination of predicates. Equal values are equal combinations.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Region(Bdd);

impl Region {
    pub fn top() -> Region {
        Region(diagram(&[BddNode::mk_zero(CAPACITY), BddNode::mk_one(CAPACITY)]))
    }

    pub fn bottom() -> Region {
        Region(diagram(&[BddNode::mk_zero(CAPACITY)]))
    }

    pub fn literal(literal: Literal) -> Region {
        Region::cube([literal])
    }

    /// The conjunction of literals.
    pub fn cube(literals: impl IntoIterator<Item = Literal>) -> Region {
        let mut literals: Vec<Literal> = literals.into_iter().collect();
        literals.sort_unstable();
        literals.dedup();
        if literals.windows(2).any(|two| two[0].predicate == two[1].predicate) {
            return Region::bottom();
        }
        let mut nodes = vec![BddNode::mk_zero(CAPACITY), BddNode::mk_one(CAPACITY)];
        for literal in literals.iter().rev() {
            let rest = BddPointer::from_index(nodes.len() - 1);
            let (low, high) = match literal.positive {
                true => (BddPointer::zero(), rest),
                false => (rest, BddPointer::zero()),
            };
            nodes.push(BddNode::mk_node(variable(literal.predicate), low, high));
        }
        Region(diagram(&nodes))
    }

    pub fn is_top(&self) -> bool {
        self.0.is_true()
    }

    pub fn is_bottom(&self) -> bool {
        self.0.is_false()
    }

    pub fn and(&self, other: &Region) -> Region {
        Region(self.0.and(&other.0))
    }

    pub fn or(&self, other: &Region) -> Region {
        Region(self.0.or(&other.0))
    }

    pub fn not(&self) -> Region {
        Region(self.0.not())
    }

    /// This one without the other.
    pub fn minus(&self, other: &Region) -> Region {
        Region(self.0.and_not(&other.0))
    }

    /// Whether every valuation of this one is one of the other: coverage, without a solver.
    pub fn implies(&self, other: &Region) -> bool {
        self.0.and_not(&other.0).is_false()
    }

    pub fn assume(&self, literal: Literal) -> Region {
        self.and(&Region::literal(literal))
    }

    /// What is known of the other predicates when nothing is known of these.
    pub fn forget(&self, predicates: &[PredId]) -> Region {
        self.forget_where(|p| predicates.contains(&p))
    }

    /// What is known of these predicates only.
    pub fn keep(&self, predicates: &[PredId]) -> Region {
        self.forget_where(|p| !predicates.contains(&p))
    }

    fn forget_where(&self, forgotten: impl Fn(PredId) -> bool) -> Region {
        Region(self.0.exists_trigger(|v| forgotten(predicate(v))))
    }

    /// What is known of the other predicates when these literals hold.
    pub fn restrict(&self, literals: &[Literal]) -> Region {
        let cube = Region::cube(literals.iter().copied());
        let among = |v| literals.iter().any(|l| l.predicate == predicate(v));
        Region(Bdd::binary_op_with_exists_trigger(&self.0, &cube.0, among, op_function::and))
    }

    /// The predicates it depends on, in their order.
    pub fn support(&self) -> Vec<PredId> {
        let mut support: Vec<PredId> = self.nodes().map(|n| self.predicate_of(n)).collect();
        support.sort_unstable();
        support.dedup();
        support
    }

    /// The literals that hold in all of it: its Cartesian part. Those of bottom are none.
    pub fn facts(&self) -> Vec<Literal> {
        self.support().into_iter().filter_map(|p| self.fact(p)).collect()
    }

    fn fact(&self, predicate: PredId) -> Option<Literal> {
        let mut sides = [false, false];
        for node in self.nodes() {
            let (low, high) = self.children(node);
            if self.predicate_of(node) == predicate {
                sides[0] |= !low.is_zero();
                sides[1] |= !high.is_zero();
            } else if self.predicate_of(node) < predicate {
                // An edge over the predicate: true either way.
                let over =
                    |to: BddPointer| !to.is_zero() && self.0.var_of(to) > variable(predicate);
                if over(low) || over(high) {
                    return None;
                }
            }
        }
        let starts_below = self.predicate_of(self.0.root_pointer()) > predicate;
        match sides {
            _ if starts_below => None,
            [false, true] => Some(predicate.literal(true)),
            [true, false] => Some(predicate.literal(false)),
            _ => None,
        }
    }

    /// Whether a valuation of the predicates is one of its own.
    pub fn contains(&self, valuation: impl Fn(PredId) -> bool) -> bool {
        let mut at = self.0.root_pointer();
        while !at.is_terminal() {
            let (low, high) = self.children(at);
            at = if valuation(self.predicate_of(at)) { high } else { low };
        }
        at.is_one()
    }

    /// Cubes that exclude each other and make it up together.
    pub fn cubes(&self) -> Cubes<'_> {
        Cubes { region: self, open: vec![(self.0.root_pointer(), Vec::new())] }
    }

    /// The nodes of its diagram, the constants included.
    pub fn size(&self) -> usize {
        self.0.size()
    }

    /// The decisions, each after those it leads to.
    pub(super) fn nodes(&self) -> impl Iterator<Item = BddPointer> + use<> {
        (2..self.0.size()).map(BddPointer::from_index)
    }

    pub(super) fn predicate_of(&self, node: BddPointer) -> PredId {
        predicate(self.0.var_of(node))
    }

    /// Where a decision leads to: when its predicate is false, and when it is true.
    pub(super) fn children(&self, node: BddPointer) -> (BddPointer, BddPointer) {
        (self.0.low_link_of(node), self.0.high_link_of(node))
    }
}

impl fmt::Debug for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut cubes = self.cubes();
        let mut list = f.debug_list();
        list.entries(cubes.by_ref().take(SHOWN));
        match cubes.next() {
            None => list.finish(),
            Some(_) => list.finish_non_exhaustive(),
        }
    }
}

/// See [`Region::cubes`].
#[derive(Debug)]
pub struct Cubes<'a> {
    region: &'a Region,
    open: Vec<(BddPointer, Vec<Literal>)>,
}

impl Iterator for Cubes<'_> {
    type Item = Vec<Literal>;

    fn next(&mut self) -> Option<Vec<Literal>> {
        while let Some((at, cube)) = self.open.pop() {
            if at.is_one() {
                return Some(cube);
            }
            if !at.is_terminal() {
                let (low, high) = self.region.children(at);
                let predicate = self.region.predicate_of(at);
                let with = |positive| [&cube[..], &[predicate.literal(positive)]].concat();
                self.open.extend([(low, with(false)), (high, with(true))]);
            }
        }
        None
    }
}

fn diagram(nodes: &[BddNode]) -> Bdd {
    Bdd::from_nodes(nodes).expect("a diagram in the order of its variables")
}

fn variable(predicate: PredId) -> BddVariable {
    BddVariable::from_index(predicate.index())
}

fn predicate(variable: BddVariable) -> PredId {
    PredId(variable.to_index() as u16)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Predicates of the random regions; far apart ones, too.
    const IDS: [PredId; 5] = [PredId(0), PredId(1), PredId(700), PredId(9), PredId(CAPACITY - 1)];
    const ALL: u32 = u32::MAX;

    /// The valuations of [`IDS`] in which the predicate of this index has a value.
    fn table(index: usize, value: bool) -> u32 {
        (0..32).filter(|n| (n >> index & 1 == 1) == value).map(|n| 1 << n).sum()
    }

    /// The region of a set of valuations.
    fn region(table: u32) -> Region {
        let cubes = (0..32)
            .filter(|n| table >> n & 1 == 1)
            .map(|n: usize| Region::cube((0..5).map(|i| IDS[i].literal(n >> i & 1 == 1))));
        cubes.fold(Region::bottom(), |all, cube| all.or(&cube))
    }

    /// The valuations of a region, by asking it.
    fn valuations(region: &Region) -> u32 {
        let value =
            |n: u32, p: PredId| n >> IDS.iter().position(|q| *q == p).expect("known") & 1 == 1;
        (0..32).filter(|n| region.contains(|p| value(*n, p))).map(|n| 1 << n).sum()
    }

    /// The set, and with it what differs in the predicate of this index only.
    fn forgotten(set: u32, index: usize) -> u32 {
        let side = 1 << index;
        let (without, with) = (set & table(index, false), set & table(index, true));
        without | without << side | with | with >> side
    }

    fn some_tables(rng: &mut fastrand::Rng) -> u32 {
        match rng.u32(..3) {
            0 => rng.u32(..),
            1 => rng.u32(..) & rng.u32(..) & rng.u32(..) & rng.u32(..),
            _ => rng.u32(..) & table(rng.usize(..5), rng.bool()),
        }
    }

    /// Everything against sets of valuations; results are compared as values, so this is also
    /// the test that equal regions are equal values however they were made.
    #[test]
    fn like_sets() {
        let mut rng = fastrand::Rng::with_seed(1);
        for _ in 0..3_000 {
            let (s, t) = (some_tables(&mut rng), some_tables(&mut rng));
            let (a, b) = (region(s), region(t));
            assert_eq!(valuations(&a), s);
            assert_eq!(a.and(&b), region(s & t));
            assert_eq!(a.or(&b), region(s | t));
            assert_eq!(a.not(), region(!s));
            assert_eq!(a.minus(&b), region(s & !t));
            assert_eq!(a.implies(&b), s & !t == 0);
            assert_eq!((a.is_bottom(), a.is_top()), (s == 0, s == ALL));

            let (i, j, value) = (rng.usize(..5), rng.usize(..5), rng.bool());
            let literal = IDS[i].literal(value);
            assert_eq!(a.assume(literal), region(s & table(i, value)));
            assert_eq!(a.restrict(&[literal]), region(forgotten(s & table(i, value), i)));
            assert_eq!(a.forget(&[IDS[i], IDS[j]]), region(forgotten(forgotten(s, i), j)));
            let rest: Vec<PredId> = IDS.into_iter().filter(|p| *p != IDS[i]).collect();
            assert_eq!(a.keep(&rest), a.forget(&[IDS[i]]));

            let mut support: Vec<PredId> =
                (0..5).filter(|i| forgotten(s, *i) != s).map(|i| IDS[i]).collect();
            support.sort_unstable();
            assert_eq!(a.support(), support);
            let facts = (0..5).flat_map(|i| [(i, false), (i, true)]);
            let mut facts: Vec<Literal> = facts
                .filter(|(i, value)| s != 0 && s & !table(*i, *value) == 0)
                .map(|(i, value)| IDS[i].literal(value))
                .collect();
            facts.sort_unstable();
            assert_eq!(a.facts(), facts);
        }
    }

    #[test]
    fn cubes_make_it_up() {
        let mut rng = fastrand::Rng::with_seed(2);
        for _ in 0..500 {
            let a = region(some_tables(&mut rng));
            let mut all = Region::bottom();
            for cube in a.cubes() {
                let cube = Region::cube(cube);
                assert!(cube.and(&all).is_bottom());
                all = all.or(&cube);
            }
            assert_eq!(all, a);
        }
    }

    #[test]
    fn constants_and_contradictions() {
        let p = IDS[2].literal(true);
        assert!(Region::cube([]).is_top());
        assert!(Region::cube([p, !p]).is_bottom());
        assert_eq!(Region::cube([p, IDS[0].literal(false), p]).size(), 4);
        assert_eq!(Region::top().cubes().collect::<Vec<_>>(), [Vec::new()]);
        assert_eq!(Region::bottom().cubes().next(), None);
        assert_eq!(format!("{:?}", Region::literal(!p)), "[[!p700]]");
        assert_eq!(Region::bottom().restrict(&[p]), Region::bottom());
        assert_eq!(Region::literal(!p).restrict(&[p]), Region::bottom());
    }
}
