//! Regions as formulas that people and solvers can read.
//!
//! Facts first; the rest as an irredundant cover by cubes (Minato and Morreale) or by clauses,
//! whichever is shorter. Where both are long, the diagram itself becomes the formula, in which
//! equal parts are shared.

use super::predicates::{Literal, Predicates};
use super::region::Region;
use crate::term::{Term, Terms};

/// A cover of more cubes than this is not looked for.
const CUBES: usize = 64;
/// Nor one of a region over more predicates: looking for it recurses that deep.
const PREDICATES: usize = 256;

impl Region {
    /// The region as a formula.
    pub fn to_term(&self, terms: &mut Terms, predicates: &Predicates) -> Term {
        self.to_term_with(terms, |literal| predicates.term(literal))
    }

    /// The region as a formula over whatever stands for its literals.
    pub(super) fn to_term_with(
        &self,
        terms: &mut Terms,
        of: impl Fn(Literal) -> Term + Copy,
    ) -> Term {
        if self.is_bottom() {
            return Term::FALSE;
        }
        let facts = self.facts();
        let rest = self.restrict(&facts);
        let rest = match (rest.cover(), rest.not().cover()) {
            (Some(cubes), Some(holes)) if length(&cubes) < length(&holes) => {
                disjunction(terms, &cubes, of)
            }
            (_, Some(holes)) => excluded(terms, &holes, of),
            (Some(cubes), None) => disjunction(terms, &cubes, of),
            (None, None) => shared(terms, &rest, of),
        };
        let facts: Vec<Term> = facts.into_iter().map(of).collect();
        terms.and(facts.into_iter().chain([rest]))
    }

    /// Cubes that make it up together, none of them needless, no literal in them needless.
    /// `None`: too many.
    pub(super) fn cover(&self) -> Option<Vec<Vec<Literal>>> {
        if self.support().len() > PREDICATES {
            return None;
        }
        let mut cover = Cover { cubes: Vec::new() };
        cover.between(self, self, &mut Vec::new())?;
        Some(cover.cubes)
    }
}

struct Cover {
    cubes: Vec<Vec<Literal>>,
}

impl Cover {
    /// Adds cubes, below the literals of `path`, that cover `lower` and nothing outside of
    /// `upper`; answers with what they cover.
    fn between(
        &mut self,
        lower: &Region,
        upper: &Region,
        path: &mut Vec<Literal>,
    ) -> Option<Region> {
        if lower.is_bottom() {
            return Some(Region::bottom());
        }
        if upper.is_top() {
            self.cubes.push(path.clone());
            return (self.cubes.len() <= CUBES).then(Region::top);
        }
        let first = |region: &Region| region.support().first().copied();
        let predicate = [first(lower), first(upper)].into_iter().flatten().min();
        let predicate = predicate.expect("neither is a constant: upper is no less than lower");
        let side = |region: &Region, positive| region.restrict(&[predicate.literal(positive)]);
        let (lowers, uppers) =
            ([false, true].map(|b| side(lower, b)), [false, true].map(|b| side(upper, b)));

        // What only one side admits needs the literal; the rest is covered without it.
        let mut covered = Region::bottom();
        let mut rest = Region::bottom();
        for positive in [false, true] {
            let (here, there) = (usize::from(positive), usize::from(!positive));
            path.push(predicate.literal(positive));
            let only_here = lowers[here].minus(&uppers[there]);
            let part = self.between(&only_here, &uppers[here], path)?;
            path.pop();
            rest = rest.or(&lowers[here].minus(&part));
            covered = covered.or(&part.assume(predicate.literal(positive)));
        }
        let both = self.between(&rest, &uppers[0].and(&uppers[1]), path)?;
        Some(covered.or(&both))
    }
}

fn length(cubes: &[Vec<Literal>]) -> usize {
    cubes.iter().map(Vec::len).sum()
}

fn disjunction(terms: &mut Terms, cubes: &[Vec<Literal>], of: impl Fn(Literal) -> Term) -> Term {
    let cubes: Vec<Term> =
        cubes.iter().map(|cube| terms.and(cube.iter().map(|l| of(*l)))).collect();
    terms.or(cubes)
}

/// Outside of every cube.
fn excluded(terms: &mut Terms, holes: &[Vec<Literal>], of: impl Fn(Literal) -> Term) -> Term {
    let clauses: Vec<Term> =
        holes.iter().map(|hole| terms.or(hole.iter().map(|l| of(!*l)))).collect();
    terms.and(clauses)
}

/// A formula for every decision, used wherever the diagram leads there.
fn shared(terms: &mut Terms, region: &Region, of: impl Fn(Literal) -> Term) -> Term {
    let mut formulas = vec![Term::FALSE, Term::TRUE];
    for node in region.nodes() {
        let predicate = region.predicate_of(node);
        let (low, high) = region.children(node);
        let [low, high] = [(false, low), (true, high)].map(|(positive, to)| {
            terms.and([of(predicate.literal(positive)), formulas[to.to_index()]])
        });
        formulas.push(terms.or([low, high]));
    }
    formulas[region.size() - 1]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cubes::PredId;
    use crate::term::{Assignment, Sort, Value};

    /// Predicates that are symbols: `a`, `b` and so on.
    fn flags(terms: &mut Terms, count: u8) -> (Predicates, Vec<Literal>) {
        let mut predicates = Predicates::new();
        let literals = (0..count)
            .map(|i| {
                let flag = terms.symbol(&char::from(b'a' + i).to_string(), Sort::Bool);
                predicates.add(terms, flag).expect("room")
            })
            .collect();
        (predicates, literals)
    }

    /// All valuations, as numbers.
    fn same_meaning(terms: &Terms, formula: Term, region: &Region, predicates: &Predicates) {
        for n in 0..1usize << predicates.len() {
            let value = |p: PredId| n >> p.index() & 1 == 1;
            let symbols = predicates.ids().map(|p| {
                let symbol = terms.as_symbol(predicates.formula(p)).expect("a symbol");
                (symbol, Value::Bool(value(p)))
            });
            let assignment = Assignment { symbols: symbols.collect(), ..Assignment::default() };
            assert_eq!(terms.holds(formula, &assignment), Some(region.contains(value)));
        }
    }

    fn random(rng: &mut fastrand::Rng, literals: &[Literal]) -> Region {
        let mut region = Region::bottom();
        for _ in 0..rng.usize(1..6) {
            let cube = literals.iter().filter_map(|l| match rng.u32(..3) {
                0 => Some(*l),
                1 => Some(!*l),
                _ => None,
            });
            region = region.or(&Region::cube(cube.collect::<Vec<_>>()));
        }
        region
    }

    #[test]
    fn the_formula_means_the_region() {
        let mut terms = Terms::new();
        let (predicates, literals) = flags(&mut terms, 6);
        let mut rng = fastrand::Rng::with_seed(3);
        for _ in 0..300 {
            let region = random(&mut rng, &literals);
            let formula = region.to_term(&mut terms, &predicates);
            same_meaning(&terms, formula, &region, &predicates);
        }
    }

    #[test]
    fn covers_are_irredundant() {
        let mut terms = Terms::new();
        let (_, literals) = flags(&mut terms, 6);
        let mut rng = fastrand::Rng::with_seed(4);
        let union = |cubes: &[Vec<Literal>]| {
            cubes.iter().fold(Region::bottom(), |all, c| all.or(&Region::cube(c.iter().copied())))
        };
        for _ in 0..300 {
            let region = random(&mut rng, &literals);
            let cover = region.cover().expect("few cubes");
            assert_eq!(union(&cover), region);
            for i in 0..cover.len() {
                let mut fewer = cover.clone();
                let cube = fewer.remove(i);
                assert_ne!(union(&fewer), region);
                for j in 0..cube.len() {
                    let mut wider = cube.clone();
                    wider.remove(j);
                    assert!(!Region::cube(wider).implies(&region));
                }
            }
        }
    }

    #[test]
    fn shapes() {
        let mut terms = Terms::new();
        let (predicates, literals) = flags(&mut terms, 4);
        let [a, b, c, d] = [0, 1, 2, 3].map(|i| literals[i]);
        let mut check = |cubes: &[&[Literal]], expect: &str| {
            let cubes = cubes.iter().map(|cube| Region::cube(cube.iter().copied()));
            let region = cubes.fold(Region::bottom(), |all, cube| all.or(&cube));
            let formula = region.to_term(&mut terms, &predicates);
            assert_eq!(terms.smtlib(formula).to_string(), expect);
        };
        check(&[], "false");
        check(&[&[]], "true");
        check(&[&[a, !b]], "(and a (not b))");
        check(&[&[a], &[b]], "(or a b)");
        // A fact, and an implication.
        check(&[&[a, !b], &[a, c]], "(and a (or (not b) c))");
        // Clauses where they are shorter, cubes where those are.
        check(&[&[a, c], &[a, d], &[b, c], &[b, d]], "(and (or a b) (or c d))");
        check(&[&[a, b], &[c, d]], "(or (and a b) (and c d))");
    }

    /// Of parity there is no short cover by cubes, nor by clauses.
    #[test]
    fn long_covers_are_not_written_out() {
        let mut terms = Terms::new();
        let (predicates, literals) = flags(&mut terms, 9);
        let odd = literals.iter().fold(Region::bottom(), |odd, literal| {
            odd.assume(!*literal).or(&odd.not().assume(*literal))
        });
        assert_eq!(odd.cover(), None);
        let formula = odd.to_term(&mut terms, &predicates);
        same_meaning(&terms, formula, &odd, &predicates);
        assert!(terms.size(formula) < 100);
    }
}
