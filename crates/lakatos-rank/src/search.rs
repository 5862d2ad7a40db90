//! The search for a linear measure of steps.
//!
//! A candidate is verified with all steps; where it fails, the step that shows it is kept, and no
//! later candidate that fails there is asked about. First come candidates that people would write:
//! what guards compare, variables, differences. Then the solver proposes factors that fit all steps
//! seen so far, until one is verified or there are none.

use lakatos_check::Step;
use lakatos_logic::number::{Int, power_of_two};
use lakatos_logic::smt::{Answer, Smt};
use lakatos_logic::term::{Assignment, Relation, Sort, Term, Terms, Value};

/// So many candidates are tried at most, and so many proposals.
const MOST_CANDIDATES: usize = 300;
const MOST_PROPOSALS: usize = 40;

/// With more numbers nothing is proposed.
const MOST_NUMBERS: usize = 16;

/// Factors times numbers, and a constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Linear {
    pub factors: Vec<Int>,
    pub constant: Int,
}

#[derive(Debug)]
pub(crate) enum Found {
    Linear(Linear),
    Nothing,
    /// Somebody wants an end.
    Ended,
}

/// A step that was seen: numbers before and after.
type Sample = (Vec<Int>, Vec<Int>);

impl Linear {
    fn number(count: usize, constant: Int) -> Linear {
        Linear { factors: vec![Int::ZERO; count], constant }
    }

    fn of(&self, numbers: &[Int]) -> Int {
        let products = self.factors.iter().zip(numbers).map(|(factor, number)| factor * number);
        products.fold(self.constant.clone(), |sum, product| sum + product)
    }

    fn fits(&self, (before, after): &Sample) -> bool {
        let now = self.of(before);
        now >= Int::ZERO && self.of(after) < now
    }

    fn term(&self, terms: &mut Terms, numbers: &[Term]) -> Term {
        let mut sum = terms.int(self.constant.clone());
        for (factor, number) in self.factors.iter().zip(numbers) {
            sum = terms.combine(sum, *number, factor);
        }
        sum
    }
}

/// A measure of all steps, of so many numbers.
pub(crate) fn find(terms: Terms, steps: &[Step], count: usize, smt: &mut Smt) -> Found {
    let mut search = Search { terms, steps, count, smt, samples: Vec::new() };
    match search.candidates().or_else(|| search.proposals()) {
        Some(found) => found,
        None => Found::Nothing,
    }
}

struct Search<'s> {
    terms: Terms,
    steps: &'s [Step],
    count: usize,
    smt: &'s mut Smt,
    samples: Vec<Sample>,
}

/// What became of a candidate.
enum Verdict {
    Verified,
    /// There is a new sample.
    Refuted,
    Undecided,
    Ended,
}

impl Search<'_> {
    fn candidates(&mut self) -> Option<Found> {
        for candidate in self.offered() {
            if !self.samples.iter().all(|sample| candidate.fits(sample)) {
                continue;
            }
            match self.verify(&candidate) {
                Verdict::Verified => return Some(Found::Linear(candidate)),
                Verdict::Ended => return Some(Found::Ended),
                Verdict::Refuted | Verdict::Undecided => {}
            }
        }
        None
    }

    /// What people would write, the simplest first.
    fn offered(&self) -> Vec<Linear> {
        let mut offered = vec![Linear::number(self.count, Int::ZERO)];
        let mut offer = |candidate: Linear| {
            if offered.len() < MOST_CANDIDATES && !offered.contains(&candidate) {
                offered.push(candidate);
            }
        };
        let guards: Vec<Linear> = self.steps.iter().flat_map(|step| self.guards(step)).collect();
        for guard in &guards {
            offer(Linear { constant: Int::ZERO, ..guard.clone() });
        }
        guards.into_iter().for_each(&mut offer);
        let signs = [Int::ONE, Int::NEG_ONE];
        for (number, sign) in pairs(self.count, &signs) {
            let mut linear = Linear::number(self.count, Int::ZERO);
            linear.factors[number] = sign.clone();
            offer(linear);
        }
        for (first, sign) in pairs(self.count, &signs) {
            for (second, other) in pairs(first, &signs) {
                let mut linear = Linear::number(self.count, Int::ZERO);
                linear.factors[first] = sign.clone();
                linear.factors[second] = other.clone();
                offer(linear);
            }
        }
        offered
    }

    /// What conditions say of the numbers before a step, as sums that are not negative then.
    fn guards(&self, step: &Step) -> Vec<Linear> {
        let mut guards = Vec::new();
        for atom in self.terms.parts_first(&step.holds) {
            let Some((relation, sum)) = self.terms.as_comparison(atom) else { continue };
            let mut linear = Linear::number(self.count, -sum.constant.clone());
            let known = sum.monomials.iter().all(|(term, factor)| {
                let at = step.before.iter().position(|number| number == term);
                at.map(|at| linear.factors[at] = -factor.clone()).is_some()
            });
            if !known || self.is_range(&linear) {
                continue;
            }
            let opposite = Linear {
                factors: linear.factors.iter().map(|factor| -factor.clone()).collect(),
                constant: -linear.constant.clone(),
            };
            guards.push(linear);
            // A condition may stand there negated, and an equation excludes on both sides.
            match relation {
                Relation::Zero => guards.push(opposite),
                Relation::NonPositive => {
                    guards.push(Linear { constant: opposite.constant - Int::ONE, ..opposite });
                }
            }
        }
        guards
    }

    /// What types say of one variable leads nowhere soon.
    fn is_range(&self, linear: &Linear) -> bool {
        let far = power_of_two(30);
        linear.constant >= far || -linear.constant.clone() >= far
    }

    /// Whether a candidate is a measure of all steps.
    fn verify(&mut self, candidate: &Linear) -> Verdict {
        for step in self.steps {
            let terms = &mut self.terms;
            let before = candidate.term(terms, &step.before);
            let after = candidate.term(terms, &step.after);
            let (zero, smaller) = (terms.int(Int::ZERO), terms.lt(after, before));
            let bounded = terms.ge(before, zero);
            let fine = terms.and([bounded, smaller]);
            let mut query = step.holds.clone();
            query.push(terms.not(fine));
            match self.smt.model(&self.terms, &query) {
                (Answer::Unsat, _) => {}
                (Answer::Unknown(reason), _) if reason.is_end() => return Verdict::Ended,
                (Answer::Unknown(_), _) => return Verdict::Undecided,
                (Answer::Sat, model) => {
                    let sample = model.and_then(|model| self.sample(step, model));
                    self.samples.extend(sample.filter(|sample| !candidate.fits(sample)));
                    return Verdict::Refuted;
                }
            }
        }
        Verdict::Verified
    }

    /// The numbers of a step in a model.
    fn sample(&self, step: &Step, mut model: Assignment) -> Option<Sample> {
        let all: Vec<Term> = step.before.iter().chain(&step.after).copied().collect();
        for symbol in self.terms.free_symbols_of(&all) {
            // What the query does not speak of may have any value.
            let zero = Value::zero(&self.terms, self.terms.symbol_sort(symbol));
            model.symbols.entry(symbol).or_insert(zero);
        }
        let value = |term: &Term| match self.terms.evaluate(*term, &model)? {
            Value::Int(value) => Some(value),
            _ => None,
        };
        let before: Option<Vec<Int>> = step.before.iter().map(value).collect();
        let after: Option<Vec<Int>> = step.after.iter().map(value).collect();
        Some((before?, after?))
    }

    fn proposals(&mut self) -> Option<Found> {
        if self.count > MOST_NUMBERS {
            return None;
        }
        let mut left = MOST_PROPOSALS;
        let far = power_of_two(34);
        for (factor, constant) in [(1, Int::ZERO), (4, Int::from(1000)), (16, far)] {
            while let Some(proposal) = self.propose(factor, &constant) {
                left = left.checked_sub(1)?;
                let seen = self.samples.len();
                match self.verify(&proposal) {
                    Verdict::Verified => return Some(Found::Linear(proposal)),
                    Verdict::Ended => return Some(Found::Ended),
                    Verdict::Refuted if self.samples.len() > seen => {}
                    // It would be proposed again.
                    Verdict::Refuted | Verdict::Undecided => return None,
                }
            }
        }
        None
    }

    /// Factors up to a bound that fit all samples.
    fn propose(&mut self, most: i32, constant: &Int) -> Option<Linear> {
        let mut terms = Terms::new();
        let unknown: Vec<Term> =
            (0..self.count).map(|number| terms.symbol(&format!("f{number}"), Sort::Int)).collect();
        let offset = terms.symbol("constant", Sort::Int);
        let mut query = Vec::new();
        for factor in &unknown {
            query.push(between(&mut terms, *factor, &Int::from(most)));
        }
        query.push(between(&mut terms, offset, constant));
        for (before, after) in &self.samples {
            let (mut now, mut then) = (offset, offset);
            for (number, factor) in unknown.iter().enumerate() {
                now = terms.combine(now, *factor, &before[number]);
                then = terms.combine(then, *factor, &after[number]);
            }
            let zero = terms.int(Int::ZERO);
            query.extend([terms.ge(now, zero), terms.lt(then, now)]);
        }
        let (Answer::Sat, Some(model)) = self.smt.model(&terms, &query) else { return None };
        let value = |term: &Term| match terms.evaluate(*term, &model) {
            Some(Value::Int(value)) => value,
            _ => Int::ZERO,
        };
        let factors = unknown.iter().map(value).collect();
        Some(Linear { factors, constant: value(&offset) })
    }
}

fn between(terms: &mut Terms, term: Term, most: &Int) -> Term {
    let (low, high) = (terms.int(-most.clone()), terms.int(most.clone()));
    let (above, below) = (terms.le(low, term), terms.le(term, high));
    terms.and([above, below])
}

fn pairs(count: usize, signs: &[Int]) -> impl Iterator<Item = (usize, &Int)> {
    (0..count).flat_map(move |number| signs.iter().map(move |sign| (number, sign)))
}
