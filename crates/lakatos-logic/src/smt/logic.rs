//! The smallest SMT-LIB logic that some terms fit in: solvers are faster when told.
//!
//! The names are those of SMT-LIB's logic catalogue and benchmark library. Division by a constant
//! counts as linear, as solvers have it. Arrays fit only with the sorts that a logic allows, and
//! what mixes integers with bits, or has a quantifier, is [`Logic::All`].

use crate::term::{Node, Sort, Term, Terms};

/// What occurs in some terms.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Features {
    pub quantifiers: bool,
    pub functions: bool,
    pub integers: bool,
    pub reals: bool,
    pub bits: bool,
    /// A product of unknowns, or a division by one.
    pub nonlinear: bool,
    /// Arrays from integers to integers.
    pub integer_arrays: bool,
    /// Arrays from bit-vectors to bit-vectors.
    pub bit_arrays: bool,
    pub other_arrays: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Logic {
    QfUf,
    QfLia,
    QfNia,
    QfUflia,
    QfUfnia,
    QfAlia,
    QfAnia,
    QfAuflia,
    QfAufnia,
    QfLra,
    QfNra,
    QfUflra,
    QfUfnra,
    QfLira,
    QfNira,
    QfBv,
    QfUfbv,
    QfAbv,
    QfAufbv,
    /// Everything a solver knows.
    All,
}

impl Features {
    pub fn of(terms: &Terms, roots: &[Term]) -> Features {
        let parts = terms.parts_first(roots);
        parts.iter().fold(Features::default(), |all, t| all.union(Features::of_node(terms, *t)))
    }

    /// What a term has besides its parts.
    pub fn of_node(terms: &Terms, term: Term) -> Features {
        let mut features = Features::default();
        features.add_sort(terms, terms.sort(term));
        features.add_node(terms, terms.node(term));
        features
    }

    pub fn union(self, other: Features) -> Features {
        Features {
            quantifiers: self.quantifiers | other.quantifiers,
            functions: self.functions | other.functions,
            integers: self.integers | other.integers,
            reals: self.reals | other.reals,
            bits: self.bits | other.bits,
            nonlinear: self.nonlinear | other.nonlinear,
            integer_arrays: self.integer_arrays | other.integer_arrays,
            bit_arrays: self.bit_arrays | other.bit_arrays,
            other_arrays: self.other_arrays | other.other_arrays,
        }
    }

    fn add_sort(&mut self, terms: &Terms, sort: Sort) {
        match sort {
            Sort::Bool => {}
            Sort::Int => self.integers = true,
            Sort::Real => self.reals = true,
            Sort::BitVec(_) => self.bits = true,
            Sort::Array(sort) => match terms.array_parts(sort) {
                (Sort::Int, Sort::Int) => self.integer_arrays = true,
                (Sort::BitVec(_), Sort::BitVec(_)) => self.bit_arrays = true,
                _ => self.other_arrays = true,
            },
        }
    }

    fn add_node(&mut self, terms: &Terms, node: &Node) {
        match node {
            Node::Apply(..) => self.functions = true,
            Node::Product(_) => self.nonlinear = true,
            Node::Div(_, by) | Node::Mod(_, by) => {
                self.nonlinear |= terms.as_int(*by).is_none_or(|by| by.is_zero());
            }
            Node::Quantified(..) => self.quantifiers = true,
            _ => {}
        }
    }

    pub fn logic(&self) -> Logic {
        let integers = self.integers || self.integer_arrays;
        let bits = self.bits || self.bit_arrays;
        match (integers, self.reals, bits) {
            _ if self.quantifiers || self.other_arrays => Logic::All,
            (false, false, false) => Logic::QfUf,
            (true, false, false) => self.integer_logic(),
            (false, true, false) => self.real_logic(),
            (false, false, true) => self.bit_logic(),
            (true, true, false) if !self.functions && !self.integer_arrays => self.mixed_logic(),
            _ => Logic::All,
        }
    }

    fn integer_logic(&self) -> Logic {
        match (self.integer_arrays, self.functions, self.nonlinear) {
            (false, false, false) => Logic::QfLia,
            (false, false, true) => Logic::QfNia,
            (false, true, false) => Logic::QfUflia,
            (false, true, true) => Logic::QfUfnia,
            (true, false, false) => Logic::QfAlia,
            (true, false, true) => Logic::QfAnia,
            (true, true, false) => Logic::QfAuflia,
            (true, true, true) => Logic::QfAufnia,
        }
    }

    fn real_logic(&self) -> Logic {
        match (self.functions, self.nonlinear) {
            (false, false) => Logic::QfLra,
            (false, true) => Logic::QfNra,
            (true, false) => Logic::QfUflra,
            (true, true) => Logic::QfUfnra,
        }
    }

    fn mixed_logic(&self) -> Logic {
        match self.nonlinear {
            false => Logic::QfLira,
            true => Logic::QfNira,
        }
    }

    fn bit_logic(&self) -> Logic {
        match (self.bit_arrays, self.functions) {
            (false, false) => Logic::QfBv,
            (false, true) => Logic::QfUfbv,
            (true, false) => Logic::QfAbv,
            (true, true) => Logic::QfAufbv,
        }
    }
}

impl Logic {
    /// All that fits in: the widest features whose logic it is.
    pub fn features(self) -> Features {
        let none = Features::default();
        let name = self.name();
        let has = |letters: &str| name.contains(letters);
        if self == Logic::All {
            return Features { quantifiers: true, ..none };
        }
        Features {
            functions: has("UF"),
            integers: has("IA") || has("IRA"),
            reals: has("RA"),
            bits: has("BV"),
            nonlinear: has("_N") || has("FN") || has("AN"),
            integer_arrays: has("_A") && has("IA"),
            bit_arrays: has("_A") && has("BV"),
            ..none
        }
    }

    /// Whether terms with these features are within the logic.
    pub fn covers(self, features: Features) -> bool {
        self == Logic::All || self.features().union(features) == self.features()
    }

    pub fn of(terms: &Terms, roots: &[Term]) -> Logic {
        Features::of(terms, roots).logic()
    }

    /// As in `(set-logic …)`.
    pub fn name(self) -> &'static str {
        match self {
            Logic::QfUf => "QF_UF",
            Logic::QfLia => "QF_LIA",
            Logic::QfNia => "QF_NIA",
            Logic::QfUflia => "QF_UFLIA",
            Logic::QfUfnia => "QF_UFNIA",
            Logic::QfAlia => "QF_ALIA",
            Logic::QfAnia => "QF_ANIA",
            Logic::QfAuflia => "QF_AUFLIA",
            Logic::QfAufnia => "QF_AUFNIA",
            Logic::QfLra => "QF_LRA",
            Logic::QfNra => "QF_NRA",
            Logic::QfUflra => "QF_UFLRA",
            Logic::QfUfnra => "QF_UFNRA",
            Logic::QfLira => "QF_LIRA",
            Logic::QfNira => "QF_NIRA",
            Logic::QfBv => "QF_BV",
            Logic::QfUfbv => "QF_UFBV",
            Logic::QfAbv => "QF_ABV",
            Logic::QfAufbv => "QF_AUFBV",
            Logic::All => "ALL",
        }
    }
}

/// The query whether some formulas hold together, as a file for any solver.
pub fn dump(terms: &Terms, assertions: &[Term]) -> String {
    terms.smtlib_script(Logic::of(terms, assertions).name(), assertions)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::{BvBinary, Quantifier};

    fn check(make: impl Fn(&mut Terms) -> Term, expect: &str) {
        let mut terms = Terms::new();
        let term = make(&mut terms);
        assert_eq!(Logic::of(&terms, &[term]).name(), expect, "{}", terms.smtlib(term));
    }

    #[test]
    fn a_logic_covers_its_own_features_only() {
        use Logic::*;
        let all = [
            QfUf, QfLia, QfNia, QfUflia, QfUfnia, QfAlia, QfAnia, QfAuflia, QfAufnia, QfLra, QfNra,
            QfUflra, QfUfnra, QfLira, QfNira, QfBv, QfUfbv, QfAbv, QfAufbv, All,
        ];
        for logic in all {
            assert_eq!(logic.features().logic(), logic);
            assert!(logic.covers(logic.features()) && All.covers(logic.features()));
        }
        assert!(!QfBv.covers(QfLia.features()));
        assert!(!QfLia.covers(QfNia.features()));
        assert!(QfUflia.covers(QfLia.features()));
    }

    fn int(terms: &mut Terms, name: &str) -> Term {
        terms.symbol(name, Sort::Int)
    }

    /// `f(x)`, which is a number.
    fn call(terms: &mut Terms, sort: Sort) -> Term {
        let f = terms.function("f", &[sort], sort);
        let x = terms.symbol("x", sort);
        terms.apply(f, &[x])
    }

    fn read(terms: &mut Terms, index: Sort, element: Sort) -> Term {
        let sort = terms.array_sort(index, element);
        let (a, i) = (terms.symbol("a", sort), terms.symbol("i", index));
        terms.select(a, i)
    }

    fn square(terms: &mut Terms, a: Term) -> Term {
        terms.mul(a, a)
    }

    #[test]
    fn arithmetic() {
        check(|t| t.symbol("p", Sort::Bool), "QF_UF");
        check(|t| call(t, Sort::Bool), "QF_UF");
        check(|t| int(t, "x"), "QF_LIA");
        check(
            |t| {
                let (x, five) = (int(t, "x"), t.int(5));
                let (quotient, rest) = (t.div(x, five), t.modulo(x, five));
                t.le(quotient, rest)
            },
            "QF_LIA",
        );
        check(
            |t| {
                let (x, y) = (int(t, "x"), int(t, "y"));
                t.modulo(x, y)
            },
            "QF_NIA",
        );
        check(
            |t| {
                let (x, zero) = (int(t, "x"), t.int(0));
                t.div(x, zero)
            },
            "QF_NIA",
        );
        check(|t| call(t, Sort::Int), "QF_UFLIA");
        check(
            |t| {
                let x = call(t, Sort::Int);
                square(t, x)
            },
            "QF_UFNIA",
        );
        check(|t| t.symbol("r", Sort::Real), "QF_LRA");
        check(
            |t| {
                let r = t.symbol("r", Sort::Real);
                square(t, r)
            },
            "QF_NRA",
        );
        check(|t| call(t, Sort::Real), "QF_UFLRA");
        check(
            |t| {
                let x = int(t, "x");
                t.to_real(x)
            },
            "QF_LIRA",
        );
    }

    #[test]
    fn arrays_and_bits() {
        let (byte, int) = (Sort::BitVec(8), Sort::Int);
        check(|t| read(t, int, int), "QF_ALIA");
        check(
            |t| {
                let x = read(t, int, int);
                square(t, x)
            },
            "QF_ANIA",
        );
        check(
            |t| {
                let (x, y) = (read(t, int, int), call(t, int));
                t.le(x, y)
            },
            "QF_AUFLIA",
        );
        check(|t| t.symbol("b", byte), "QF_BV");
        check(|t| call(t, byte), "QF_UFBV");
        check(|t| read(t, Sort::BitVec(32), byte), "QF_ABV");
        check(
            |t| {
                let (x, y) = (read(t, byte, byte), call(t, byte));
                t.bv_binary(BvBinary::Add, x, y)
            },
            "QF_AUFBV",
        );
    }

    #[test]
    fn everything_else() {
        check(
            |t| {
                let b = t.symbol("b", Sort::BitVec(8));
                t.bv_to_int(b)
            },
            "ALL",
        );
        check(|t| read(t, Sort::Int, Sort::Bool), "ALL");
        check(|t| read(t, Sort::Int, Sort::BitVec(8)), "ALL");
        check(
            |t| {
                let (x, y) = (int(t, "x"), int(t, "y"));
                let less = t.lt(x, y);
                let y = t.as_symbol(y).expect("a symbol");
                t.quantified(Quantifier::Exists, &[y], less)
            },
            "ALL",
        );
    }
}
