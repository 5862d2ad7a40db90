//! Deep terms: nothing recurses over them. Every shape is built and put through every function on
//! a stack that holds a few bytes per level: less than any call.

use lakatos_logic::number::{Int, Rational};
use lakatos_logic::smt::{Logic, dump};
use lakatos_logic::term::{
    Assignment, BvBinary, BvCompare, Node, Quantifier, Sort, Term, Terms, Value,
};
use rustc_hash::FxHashMap;

const DEPTH: u32 = 10_000;
const STACK: usize = 128 * 1024;

/// Builds a term in `DEPTH` steps from `start` and does everything to it.
fn check(start: fn(&mut Terms) -> Term, step: fn(&mut Terms, Term, u32) -> Term) {
    on_a_small_stack(move || {
        let mut terms = Terms::new();
        let first = start(&mut terms);
        let term = (0..DEPTH).fold(first, |term, at| step(&mut terms, term, at));
        everything(&mut terms, term);
    });
}

fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(work).expect("a thread");
    thread.join().expect("no panic");
}

fn everything(terms: &mut Terms, term: Term) {
    let mut formulas = vec![term];
    if terms.sort(term) != Sort::Bool {
        let other = terms.fresh("other", terms.sort(term));
        formulas = vec![terms.eq(term, other), terms.ne(other, term)];
    }
    for formula in formulas {
        let negation = terms.not(formula);
        let x = terms.symbol("x", Sort::Int);
        let symbol = terms.as_symbol(x).expect("a symbol");
        let quantified = terms.quantified(Quantifier::Forall, &[symbol], negation);
        let seven = terms.int(7);
        terms.substitute(quantified, &FxHashMap::from_iter([(symbol, seven)]));
        let y = terms.symbol("y", Sort::Int);
        let replaced = terms.replace(formula, &FxHashMap::from_iter([(x, y)]));
        let back = terms.as_symbol(y).expect("a symbol");
        terms.substitute(replaced, &FxHashMap::from_iter([(back, seven)]));
        let mut assignment = Assignment::default();
        for symbol in terms.free_symbols(formula) {
            let value = Value::zero(terms, terms.symbol_sort(symbol));
            assignment.symbols.insert(symbol, value);
        }
        terms.holds(formula, &assignment);
        assert!(terms.size(formula) > 0 && Logic::of(terms, &[formula]) <= Logic::All);
        assert!(!terms.smtlib(quantified).is_empty());
        assert!(!dump(terms, &[formula, negation]).is_empty());
        assert!(!terms.display(formula).to_string().is_empty());
        assert_ne!(terms.conjuncts(formula), terms.disjuncts(negation));
    }
}

fn int(terms: &mut Terms) -> Term {
    terms.symbol("x", Sort::Int)
}

fn bit(terms: &mut Terms, at: u32) -> Term {
    terms.symbol(&format!("p{}", at % 100), Sort::Bool)
}

fn call(terms: &mut Terms, a: Term) -> Term {
    let sort = terms.sort(a);
    let function = terms.function("f", &[sort], sort);
    terms.apply(function, &[a])
}

fn byte(terms: &mut Terms) -> Term {
    terms.symbol("b", Sort::BitVec(8))
}

fn array(terms: &mut Terms) -> Term {
    let sort = terms.array_sort(Sort::Int, Sort::Int);
    terms.symbol("a", sort)
}

#[test]
fn applications() {
    check(int, |t, a, _| call(t, a));
    on_a_small_stack(|| {
        let mut t = Terms::new();
        let x = int(&mut t);
        let deep = (0..200_000).fold(x, |a, _| call(&mut t, a));
        everything(&mut t, deep);
    });
}

#[test]
fn alternating_junctions() {
    check(
        |t| bit(t, 0),
        |t, a, at| {
            let (p, q) = (bit(t, at + 1), bit(t, at + 2));
            let and = t.and([a, p]);
            t.or([and, q])
        },
    );
}

#[test]
fn equivalences() {
    check(
        |t| bit(t, 0),
        |t, a, at| {
            let p = bit(t, at + 1);
            match at % 2 {
                0 => t.xor(a, p),
                _ => t.iff(p, a),
            }
        },
    );
}

#[test]
fn choices_of_formulas() {
    check(
        |t| bit(t, 0),
        |t, a, at| {
            let (p, q) = (bit(t, at + 1), bit(t, at + 2));
            t.ite(p, q, a)
        },
    );
}

/// The condition is deep as well.
#[test]
fn choices_of_numbers() {
    check(int, |t, a, _| {
        let y = t.symbol("y", Sort::Int);
        let less = t.le(a, y);
        let next = call(t, a);
        t.ite(less, next, a)
    });
}

#[test]
fn constant_choices() {
    check(int, |t, a, at| {
        let (p, value) = (t.symbol(&format!("q{at}"), Sort::Bool), t.int(at));
        t.ite(p, value, a)
    });
}

/// Comparing them with a constant goes through all of them.
#[test]
fn constant_choices_in_sums() {
    let counter: fn(&mut Terms, Term, u32) -> Term = |t, a, at| {
        let (p, zero, one) = (t.symbol(&format!("q{at}"), Sort::Bool), t.int(0), t.int(1));
        let above = t.add(a, one);
        t.ite(p, zero, above)
    };
    check(int, counter);
    check(int, |t, a, at| {
        let (p, zero) = (t.symbol(&format!("q{at}"), Sort::Bool), t.int(0));
        let above = t.scale(&Int::from(-1), a);
        t.ite(p, above, zero)
    });
    on_a_small_stack(move || {
        let mut t = Terms::new();
        let x = int(&mut t);
        let chain = (0..DEPTH).fold(x, |a, at| counter(&mut t, a, at));
        let three = t.int(3);
        let equal = t.eq(chain, three);
        everything(&mut t, equal);
    });
}

#[test]
fn quotients_and_remainders() {
    check(int, |t, a, at| {
        let (y, seven) = (t.symbol("y", Sort::Int), t.int(7));
        let sum = t.add(a, y);
        match at % 2 {
            0 => t.div(sum, seven),
            _ => t.modulo(sum, seven),
        }
    });
    check(int, |t, a, at| {
        let modulus = t.int(if at % 2 == 0 { 12 } else { 30 });
        let y = t.symbol(&format!("y{}", at % 5), Sort::Int);
        let sum = t.add(a, y);
        t.modulo(sum, modulus)
    });
    check(int, |t, a, _| {
        let x = int(t);
        t.div(a, x)
    });
}

#[test]
fn products_and_reals() {
    check(int, |t, a, _| {
        let x = int(t);
        let next = call(t, a);
        t.mul(next, x)
    });
    check(
        |t| t.symbol("r", Sort::Real),
        |t, a, _| {
            let third = t.real(Rational::from_parts(Int::from(1), 3u8.into()));
            let scaled = t.mul(a, third);
            call(t, scaled)
        },
    );
    check(int, |t, a, _| {
        let (real, r) = (t.int_to_real(a), t.symbol("r", Sort::Real));
        let (less, x) = (t.le(real, r), int(t));
        let next = call(t, a);
        t.ite(less, x, next)
    });
}

#[test]
fn arrays() {
    check(array, |t, a, at| {
        let (index, value) = (t.int(at), t.int(at % 3));
        t.store(a, index, value)
    });
    check(array, |t, a, _| {
        let x = int(t);
        let element = t.select(a, x);
        let next = t.select(a, element);
        t.store(a, element, next)
    });
}

/// A read through all writes to an array.
#[test]
fn a_read_of_a_long_history() {
    let mut t = Terms::new();
    let a = array(&mut t);
    let history = (0..DEPTH).fold(a, |a, at| {
        let (index, value) = (t.int(at), t.int(at % 3));
        t.store(a, index, value)
    });
    let (first, other) = (t.int(0), t.int(-1));
    let value = t.select(history, first);
    assert_eq!(t.as_int(value), Some(&Int::ZERO));
    let value = t.select(history, other);
    assert_eq!(*t.node(value), Node::Select(a, other));
}

#[test]
fn bits() {
    check(byte, |t, a, at| {
        let b = byte(t);
        let c = t.symbol("c", Sort::BitVec(8));
        match at % 4 {
            0 => t.bv_binary(BvBinary::Add, a, c),
            1 => t.bv_not(a),
            2 => t.bv_neg(a),
            _ => t.bv_binary(BvBinary::Xor, b, a),
        }
    });
    check(byte, |t, a, _| {
        let c = t.symbol("c", Sort::BitVec(8));
        let less = t.bv_compare(BvCompare::Slt, a, c);
        let next = call(t, a);
        t.ite(less, c, next)
    });
    check(byte, |t, a, at| {
        let int = t.bv_to_signed_int(a);
        let sum = t.int(at);
        let sum = t.add(int, sum);
        t.int_to_bv(8, sum)
    });
}

/// The same bytes again and again, taken apart and put together.
#[test]
fn parts_of_bits() {
    check(byte, |t, a, _| {
        let low = t.extract(3, 0, a);
        let wide = t.sign_extend(4, low);
        let next = t.bv_not(wide);
        t.bv_binary(BvBinary::Mul, next, a)
    });
    check(byte, |t, a, _| {
        let (high, low) = (t.extract(7, 4, a), t.extract(3, 0, a));
        t.concat(low, high)
    });
    // A width more at each level, so that no part goes through the whole chain.
    on_a_small_stack(|| {
        let mut t = Terms::new();
        let b = byte(&mut t);
        let deep = (0..DEPTH).fold(b, |a, at| {
            let wide = match at % 2 {
                0 => t.zero_extend(4, a),
                _ => t.sign_extend(4, a),
            };
            t.extract(8 + at, 0, wide)
        });
        t.extract(0, 0, deep);
    });
}

#[test]
fn quantifiers() {
    check(
        |t| {
            let x = int(t);
            let zero = t.int(0);
            t.le(x, zero)
        },
        |t, a, at| {
            let y = t.symbol(&format!("y{at}"), Sort::Int);
            let x = int(t);
            let bound = t.as_symbol(y).expect("a symbol");
            let less = t.le(x, y);
            match at % 2 {
                0 => {
                    let body = t.or([a, less]);
                    t.quantified(Quantifier::Forall, &[bound], body)
                }
                _ => {
                    let body = t.and([a, less]);
                    t.quantified(Quantifier::Exists, &[bound], body)
                }
            }
        },
    );
}
