//! Terms against plain arithmetic: what the constructors make has the value of what they were
//! given, whatever the values of the symbols.

mod common;

use common::eval::{Env, Val};
use common::generate::Choices;
use common::{Ast, Kind};
use lakatos_logic::number::Int;
use lakatos_logic::term::{Node, Quantifier, Sort, Symbol, Term, Terms, Value};
use proptest::prelude::*;
use rustc_hash::FxHashMap;

const DEPTH: u32 = 5;

fn bytes(length: usize) -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 0..length)
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// That `term` has the value of `ast`, if it has one: it has where nothing is divided by zero,
/// and otherwise only one that does not depend on what that gives.
fn agree(terms: &mut Terms, term: Term, ast: &Ast, env: &Env) {
    let assignment = env.assignment(terms);
    let actual = terms.evaluate(term, &assignment);
    for by_zero in [0, 1, -7] {
        let env = Env { by_zero, ..env.clone() };
        let expect: Val = env.eval(ast);
        let expect = expect.to_value(terms.sort(term));
        match &actual {
            Some(actual) => assert!(
                actual.same(&expect, terms),
                "{} is {actual:?}, not {expect:?}\n{ast:?}\n{env:?}",
                terms.display(term)
            ),
            None => assert!(
                env.divided_by_zero.get(),
                "{} has no value\n{ast:?}\n{env:?}",
                terms.display(term)
            ),
        }
        if !env.divided_by_zero.get() {
            break;
        }
    }
}

fn random_ast(choices: &mut Choices<'_>) -> (Kind, Ast) {
    let kind = choices.kind();
    (kind, choices.ast(kind, DEPTH))
}

proptest! {
    #![proptest_config(config(20_000))]

    #[test]
    fn constructors_keep_the_value(bytes in bytes(120), values in bytes(60)) {
        let (_, ast) = random_ast(&mut Choices::new(&bytes));
        let mut terms = Terms::new();
        let term = ast.build(&mut terms);
        for at in 0..4 {
            let env = Choices::new(&values[values.len() * at / 4..]).env(&ast.variables());
            agree(&mut terms, term, &ast, &env);
        }
    }
}

proptest! {
    #![proptest_config(config(5_000))]

    #[test]
    fn negation_exchanges_the_truth_values(bytes in bytes(100), values in bytes(60)) {
        let ast = Choices::new(&bytes).ast(Kind::Bool, DEPTH);
        let mut terms = Terms::new();
        let term = ast.build(&mut terms);
        let negation = terms.not(term);
        let again = terms.not(negation);
        let env = Choices::new(&values).env(&ast.variables());
        let assignment = env.assignment(&mut terms);
        let truth = terms.holds(term, &assignment);
        prop_assert_eq!(terms.holds(negation, &assignment), truth.map(|t| !t));
        prop_assert_eq!(terms.holds(again, &assignment), truth);
        let (never, always) = (terms.and([term, negation]), terms.or([term, negation]));
        prop_assert!(terms.holds(never, &assignment) != Some(true));
        prop_assert!(terms.holds(always, &assignment) != Some(false));
    }

    /// The value after a substitution is that with the values of the new terms.
    #[test]
    fn substitution_composes(bytes in bytes(120), others in bytes(120), values in bytes(60)) {
        let (_, ast) = random_ast(&mut Choices::new(&bytes));
        let mut choices = Choices::new(&others);
        let new: Vec<((Kind, usize), Ast)> =
            ast.variables().into_iter().map(|v| (v, choices.ast(v.0, 2))).collect();
        let mut terms = Terms::new();
        let term = ast.build(&mut terms);
        let mut map = FxHashMap::default();
        let mut used = Vec::new();
        for (variable, ast) in &new {
            used.extend(ast.variables());
            map.insert(symbol(&mut terms, *variable), ast.build(&mut terms));
        }
        let substituted = terms.substitute(term, &map);
        let inner = Choices::new(&values).env(&used);
        let variables = new.iter().map(|(v, ast)| (*v, inner.eval(ast))).collect();
        prop_assume!(!inner.divided_by_zero.get());
        let outer = Env { variables, ..inner.clone() };
        let expect = outer.eval(&ast).to_value(terms.sort(term));
        prop_assume!(!outer.divided_by_zero.get());
        let assignment = inner.assignment(&mut terms);
        let actual = terms.evaluate(substituted, &assignment).expect("no division by zero");
        prop_assert!(actual.same(&expect, &terms), "{:?} is not {:?}", actual, expect);
    }

    /// A quantified body is substituted like any other formula, under new names.
    #[test]
    fn substitution_under_quantifiers(bytes in bytes(100), others in bytes(100)) {
        let ast = Choices::new(&bytes).ast(Kind::Bool, DEPTH);
        let mut choices = Choices::new(&others);
        let mut terms = Terms::new();
        let body = ast.build(&mut terms);
        let [bound, free] = [0, 1].map(|at| symbol(&mut terms, (Kind::Int, at)));
        let new = choices.ast(Kind::Int, 3).build(&mut terms);
        let formula = terms.quantified(Quantifier::Exists, &[bound], body);
        let actual = terms.substitute(formula, &FxHashMap::from_iter([(free, new)]));
        let mut map = FxHashMap::from_iter([(free, new)]);
        match terms.node(actual) {
            Node::Quantified(_, names, inner) if terms.free_symbols(formula).contains(&free) => {
                let (names, inner) = (names.clone(), *inner);
                let name = terms.symbol_term(names[0]);
                map.insert(bound, name);
                prop_assert_eq!(terms.substitute(body, &map), inner);
                if terms.free_symbols(new).contains(&bound) {
                    prop_assert!(names[0] != bound);
                }
            }
            _ if actual == formula => {}
            _ => prop_assert_eq!(terms.substitute(body, &map), actual),
        }
    }
}

fn symbol(terms: &mut Terms, (kind, number): (Kind, usize)) -> Symbol {
    let sort = kind.sort(terms);
    let term = terms.symbol(&kind.variable(number), sort);
    terms.as_symbol(term).expect("a symbol")
}

/// A linear atom: coefficients of three variables, and the constant, compared with zero.
#[derive(Clone, Debug)]
struct Linear {
    coefficients: [Int; 3],
    constant: Int,
    is_equation: bool,
}

impl Linear {
    fn random(choices: &mut Choices<'_>) -> Linear {
        let coefficients = [(); 3].map(|()| choices.number());
        Linear { coefficients, constant: choices.number(), is_equation: choices.below(3) == 0 }
    }

    /// The atom in one of its many spellings.
    fn spell(&self, terms: &mut Terms, sort: Sort, choices: &mut Choices<'_>) -> Term {
        let (left, right) = self.sides(terms, sort, choices);
        match self.is_equation {
            true => spell_equation(terms, left, right, choices),
            false if sort == Sort::Int => spell_le(terms, left, right, choices),
            false => spell_real_le(terms, left, right, choices),
        }
    }

    /// Two sums whose difference is the atom's sum, times something positive.
    fn sides(&self, terms: &mut Terms, sort: Sort, choices: &mut Choices<'_>) -> (Term, Term) {
        let one = number(terms, Int::ONE, sort);
        let units: Vec<Term> =
            ["x", "y", "z"].iter().map(|name| terms.symbol(name, sort)).chain([one]).collect();
        let totals = self.coefficients.iter().chain([&self.constant]);
        let mut sides = [Vec::new(), Vec::new()];
        for (unit, total) in units.into_iter().zip(totals) {
            let (a, b) = (choices.number(), choices.number());
            // total = a + (total - a + b) - b, in any order.
            let rest = total - &a + &b;
            for (side, part) in [(0, a), (0, rest), (1, b)] {
                let part = scaled(terms, part, unit, choices);
                let at = choices.below(sides[side].len() + 1);
                sides[side].insert(at, part);
            }
        }
        let factor = Int::from(1 + choices.below(6));
        sides
            .map(|side| {
                let sum = associate(terms, side, choices);
                scaled(terms, factor.clone(), sum, choices)
            })
            .into()
    }
}

fn number(terms: &mut Terms, value: Int, sort: Sort) -> Term {
    match sort {
        Sort::Int => terms.int(value),
        _ => terms.constant(&Value::Real(value.into())),
    }
}

fn scaled(terms: &mut Terms, factor: Int, term: Term, choices: &mut Choices<'_>) -> Term {
    match choices.below(3) {
        0 => terms.scale(&factor, term),
        1 => {
            let factor = number(terms, factor, terms.sort(term));
            terms.mul(term, factor)
        }
        _ => {
            let negated = terms.scale(&-factor, term);
            terms.neg(negated)
        }
    }
}

/// The sum of the parts, added up in some order.
fn associate(terms: &mut Terms, mut parts: Vec<Term>, choices: &mut Choices<'_>) -> Term {
    while parts.len() > 1 {
        let a = parts.remove(choices.below(parts.len()));
        let at = choices.below(parts.len());
        parts[at] = terms.add(parts[at], a);
    }
    parts[0]
}

fn spell_equation(terms: &mut Terms, left: Term, right: Term, choices: &mut Choices<'_>) -> Term {
    match choices.below(4) {
        0 => terms.eq(left, right),
        1 => terms.eq(right, left),
        2 => {
            let difference = terms.sub(right, left);
            let zero = number(terms, Int::ZERO, terms.sort(left));
            terms.eq(difference, zero)
        }
        _ => {
            let different = terms.ne(left, right);
            terms.not(different)
        }
    }
}

fn spell_le(terms: &mut Terms, left: Term, right: Term, choices: &mut Choices<'_>) -> Term {
    let one = terms.int(1);
    match choices.below(3) {
        0 => {
            let above = terms.add(right, one);
            terms.lt(left, above)
        }
        1 => {
            let above = terms.add(right, one);
            let greater = terms.le(above, left);
            terms.not(greater)
        }
        _ => spell_real_le(terms, left, right, choices),
    }
}

fn spell_real_le(terms: &mut Terms, left: Term, right: Term, choices: &mut Choices<'_>) -> Term {
    match choices.below(4) {
        0 => terms.le(left, right),
        1 => terms.ge(right, left),
        2 => {
            let greater = terms.lt(right, left);
            terms.not(greater)
        }
        _ => {
            let difference = terms.sub(left, right);
            let zero = number(terms, Int::ZERO, terms.sort(left));
            terms.le(difference, zero)
        }
    }
}

proptest! {
    #![proptest_config(config(10_000))]

    #[test]
    fn a_linear_atom_is_one_term(bytes in bytes(20), first in bytes(80), second in bytes(80)) {
        let atom = Linear::random(&mut Choices::new(&bytes));
        for sort in [Sort::Int, Sort::Real] {
            let mut terms = Terms::new();
            let a = atom.spell(&mut terms, sort, &mut Choices::new(&first));
            let b = atom.spell(&mut terms, sort, &mut Choices::new(&second));
            prop_assert_eq!(a, b, "{} and {}", terms.display(a), terms.display(b));
        }
    }
}
