//! The solvers that are installed.

use std::time::{Duration, Instant};

use lakatos_logic::smt::pipe::{Kind, PipeSolver, Program, StartError};
use lakatos_logic::smt::{Answer, Limits, Logic, Reason, Smt, Solver};
use lakatos_logic::term::{BvBinary, BvCompare, Quantifier, Sort, Term, Terms};

/// Runs a test for each solver that is there.
fn each(logic: Logic, test: impl Fn(PipeSolver)) {
    for kind in Kind::ALL {
        match PipeSolver::start(Program::installed(kind), logic) {
            Ok(solver) => test(solver),
            Err(StartError::Absent(path)) => {
                eprintln!("skipped: there is no `{}` on the path", path.display());
            }
            Err(error) => panic!("{error}"),
        }
    }
}

/// Numbers that look random: a fixed sequence.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % sides
    }

    fn small(&mut self) -> i64 {
        self.roll(9) as i64 - 4
    }
}

/// Formulas over a few symbols, functions and arrays.
struct Zoo {
    terms: Terms,
    ints: Vec<Term>,
    bits: Vec<Term>,
    dice: Dice,
}

impl Zoo {
    fn new(seed: u64) -> Zoo {
        let mut terms = Terms::new();
        let mut ints: Vec<Term> =
            ["x", "y", "a name|", "let"].iter().map(|n| terms.symbol(n, Sort::Int)).collect();
        let f = terms.function("f", &[Sort::Int, Sort::Int], Sort::Int);
        let array = terms.array_sort(Sort::Int, Sort::Int);
        let a = terms.symbol("a", array);
        let [x, y] = [ints[0], ints[1]];
        ints.push(terms.apply(f, &[x, y]));
        ints.push(terms.select(a, x));
        let written = terms.store(a, y, x);
        ints.push(terms.select(written, ints[2]));
        let bits: Vec<Term> = ["b", "c"].iter().map(|n| terms.symbol(n, Sort::BitVec(8))).collect();
        Zoo { terms, ints, bits, dice: Dice(seed) }
    }

    fn atom(&mut self) -> Term {
        match self.dice.roll(4) {
            0 => self.bit_atom(),
            _ => self.int_atom(),
        }
    }

    fn int_atom(&mut self) -> Term {
        let mut sum = self.terms.int(self.dice.small());
        for _ in 0..2 {
            let factor = self.terms.int(self.dice.small());
            let term = self.ints[self.dice.roll(self.ints.len() as u64) as usize];
            let product = self.terms.mul(factor, term);
            sum = self.terms.add(sum, product);
        }
        let three = self.terms.int(3);
        let zero = self.terms.int(0);
        match self.dice.roll(4) {
            0 => self.terms.eq(sum, zero),
            1 => {
                let rest = self.terms.modulo(sum, three);
                self.terms.eq(rest, zero)
            }
            2 => {
                let quotient = self.terms.div(sum, three);
                self.terms.lt(quotient, zero)
            }
            _ => self.terms.le(sum, zero),
        }
    }

    fn bit_atom(&mut self) -> Term {
        let op = [BvBinary::Add, BvBinary::Mul, BvBinary::Udiv, BvBinary::Lshr, BvBinary::Srem];
        let op = op[self.dice.roll(5) as usize];
        let value = self.terms.bv_binary(op, self.bits[0], self.bits[1]);
        let constant = self.terms.bv(self.dice.roll(256), 8);
        let compare = [BvCompare::Ult, BvCompare::Sle][self.dice.roll(2) as usize];
        self.terms.bv_compare(compare, value, constant)
    }

    fn formula(&mut self) -> Term {
        let mut parts: Vec<Term> = (0..3).map(|_| self.atom()).collect();
        let negated = self.terms.not(parts[0]);
        parts.push(self.terms.ite(parts[1], parts[2], negated));
        match self.dice.roll(3) {
            0 => self.terms.and(parts),
            _ => self.terms.or(parts[..2].iter().copied()),
        }
    }
}

/// The same answers as the solver in process, models that are models, and cores that are cores.
#[test]
fn agree_with_the_solver_in_process() {
    each(Logic::All, |mut solver| {
        let mut zoo = Zoo::new(7);
        let mut smt = Smt::default();
        let (mut sat, mut unsat) = (0, 0);
        for _ in 0..40 {
            let formulas: Vec<Term> = (0..3).map(|_| zoo.formula()).collect();
            let assumed: Vec<Term> = (0..4).map(|_| zoo.formula()).collect();
            solver.push();
            for formula in &formulas {
                solver.assert(&zoo.terms, *formula);
            }
            let all: Vec<Term> = formulas.iter().chain(&assumed).copied().collect();
            let answer = solver.check(&zoo.terms, &assumed);
            assert_eq!(answer, smt.check(&zoo.terms, &all), "{}", solver.name());
            if answer.is_sat() {
                sat += 1;
                let model = solver.model(&zoo.terms, &all).expect("a model");
                for formula in &all {
                    assert_eq!(zoo.terms.holds(*formula, &model), Some(true));
                }
            } else {
                unsat += 1;
                let core = solver.core();
                assert!(core.iter().all(|c| assumed.contains(c)));
                let needed: Vec<Term> = formulas.iter().chain(&core).copied().collect();
                assert_eq!(smt.check(&zoo.terms, &needed), Answer::Unsat);
            }
            solver.pop(1);
        }
        assert!(sat > 5 && unsat > 5, "{sat} {unsat}");
        assert!(solver.name().contains('.'), "{}", solver.name());
    });
}

#[test]
fn levels_and_resets() {
    each(Logic::QfLia, |mut solver| {
        let mut terms = Terms::new();
        let (x, three) = (terms.symbol("x", Sort::Int), terms.int(3));
        let (more, less) = (terms.gt(x, three), terms.lt(x, three));
        solver.assert(&terms, more);
        solver.push();
        solver.push();
        solver.assert(&terms, less);
        assert_eq!(solver.check(&terms, &[]), Answer::Unsat);
        solver.pop(2);
        assert_eq!(solver.check(&terms, &[]), Answer::Sat);
        assert_eq!(solver.check(&terms, &[less]), Answer::Unsat);
        solver.reset();
        assert_eq!(solver.check(&terms, &[less]), Answer::Sat);
        let mut other = Terms::new();
        let x = other.symbol("x", Sort::Bool);
        solver.reset();
        assert_eq!(solver.check(&other, &[x]), Answer::Sat);
    });
}

#[test]
fn quantifiers() {
    each(Logic::All, |mut solver| {
        let mut terms = Terms::new();
        let (x, y) = (terms.symbol("x", Sort::Int), terms.symbol("y", Sort::Int));
        let less = terms.lt(x, y);
        let y = terms.as_symbol(y).unwrap();
        let all = terms.quantified(Quantifier::Forall, &[y], less);
        assert_eq!(solver.check(&terms, &[all]), Answer::Unsat);
        assert_eq!(solver.core(), [all]);
    });
}

/// So many pigeons, one hole less: resolution takes exponentially many steps to see it.
fn hard(terms: &mut Terms) -> Term {
    const PIGEONS: usize = 12;
    let sits = |terms: &mut Terms, pigeon: usize, hole: usize| {
        terms.symbol(&format!("sits{pigeon},{hole}"), Sort::Bool)
    };
    let mut parts = Vec::new();
    for pigeon in 0..PIGEONS {
        let somewhere: Vec<Term> = (1..PIGEONS).map(|hole| sits(terms, pigeon, hole)).collect();
        parts.push(terms.or(somewhere));
        for (other, hole) in (0..pigeon).flat_map(|o| (1..PIGEONS).map(move |h| (o, h))) {
            let (one, two) = (sits(terms, pigeon, hole), sits(terms, other, hole));
            let both = terms.and([one, two]);
            parts.push(terms.not(both));
        }
    }
    terms.and(parts)
}

#[test]
fn limits_end_a_check_and_the_solver_lives_on() {
    each(Logic::All, |mut solver| {
        let mut terms = Terms::new();
        let (hard, x, three) = (hard(&mut terms), terms.symbol("x", Sort::Int), terms.int(3));
        let easy = terms.gt(x, three);
        let check_hard = |solver: &mut PipeSolver, expect: Reason| {
            solver.push();
            solver.assert(&terms, hard);
            assert_eq!(solver.check(&terms, &[]), Answer::Unknown(expect), "{}", solver.name());
            solver.pop(1);
        };
        solver.set_limits(Limits { resources: Some(50_000), time: None });
        check_hard(&mut solver, Reason::Resources);
        // For each query anew.
        for _ in 0..200 {
            assert_eq!(solver.check(&terms, &[easy]), Answer::Sat);
        }
        check_hard(&mut solver, Reason::Resources);
        let began = Instant::now();
        solver.set_limits(Limits { resources: None, time: Some(Duration::from_millis(200)) });
        check_hard(&mut solver, Reason::Time);
        assert!(began.elapsed() < Duration::from_secs(5), "{}", solver.name());
        assert_eq!(solver.check(&terms, &[easy]), Answer::Sat);
        solver.set_limits(Limits::default());
        assert_eq!(solver.check(&terms, &[easy]), Answer::Sat);
    });
}
