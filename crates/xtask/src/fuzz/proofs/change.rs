//! Changes to a formula of a proof that a checker should notice.

use lakatos_logic::number::Int;
use lakatos_logic::term::{Node, Sort, Term, Terms};

use crate::generate::Rng;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Change {
    Weaken,
    Strengthen,
    Negate,
    Delete,
}

impl Change {
    pub const ALL: [Change; 4] =
        [Change::Weaken, Change::Strengthen, Change::Negate, Change::Delete];

    pub fn apply(self, rng: &mut Rng, terms: &mut Terms, formula: Term) -> Term {
        match self {
            Change::Negate => terms.not(formula),
            Change::Delete => Term::TRUE,
            Change::Weaken | Change::Strengthen => self.somewhere(rng, terms, formula),
        }
    }

    /// In one of the parts, down to an atom.
    fn somewhere(self, rng: &mut Rng, terms: &mut Terms, formula: Term) -> Term {
        let (parts, is_and) = match terms.node(formula) {
            Node::And(parts) => (parts.to_vec(), true),
            Node::Or(parts) => (parts.to_vec(), false),
            _ => return self.atom(rng, terms, formula),
        };
        let mut parts = parts;
        let at = rng.below(parts.len());
        match self {
            // Without a part it is weaker, or stronger.
            Change::Weaken if is_and && rng.percent(40) => drop(parts.remove(at)),
            Change::Strengthen if !is_and && rng.percent(40) => drop(parts.remove(at)),
            _ => parts[at] = self.somewhere(rng, terms, parts[at]),
        }
        if is_and { terms.and(parts) } else { terms.or(parts) }
    }

    fn atom(self, rng: &mut Rng, terms: &mut Terms, atom: Term) -> Term {
        let by = terms.int(Int::from(1 + rng.below(3) as i128));
        let (zero, weaken) = (terms.int(Int::ZERO), self == Change::Weaken);
        match *terms.node(atom) {
            Node::NonPositive(of) if terms.sort(of) == Sort::Int => match weaken {
                true => terms.le(of, by),
                false => {
                    let of = terms.add(of, by);
                    terms.le(of, zero)
                }
            },
            Node::Zero(of) if terms.sort(of) == Sort::Int => match (weaken, rng.percent(50)) {
                (true, true) => terms.le(of, zero),
                (true, false) => terms.ge(of, zero),
                // Not stronger: another one.
                (false, _) => terms.eq(of, by),
            },
            _ if weaken => Term::TRUE,
            _ => Term::FALSE,
        }
    }
}
