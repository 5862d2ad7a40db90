//! The examples of the paper.

use lakatos_ir::IntType;
use lakatos_lattice::space::{Contract, Fails, Judgement, NoContract, Space, Variable, When};
use lakatos_logic::smt::Smt;
use lakatos_logic::term::{Term, Terms};

const X: usize = 0;
const R: usize = 1;

fn abs_space() -> Space {
    let variable = |name: &str, when| Variable { name: name.into(), ty: IntType::I32, when };
    Space::new(vec![variable("x", When::Entry), variable("\\result", When::Exit)])
}

/// A contract of `abs` from what it requires of `x` and ensures of `x` and the result.
fn abs(
    space: &mut Space,
    requires: impl Fn(&mut Terms, Term) -> Term,
    ensures: impl Fn(&mut Terms, Term, Term) -> Term,
) -> Contract {
    let (x, r) = (space.symbol(X), space.symbol(R));
    let (requires, ensures) = (requires(space.terms(), x), ensures(space.terms(), x, r));
    space.contract(requires, ensures).expect("only `x` and the result")
}

/// Example 2, in its order.
fn example_2(space: &mut Space) -> [Contract; 6] {
    let is_5 = |t: &mut Terms, x| {
        let five = t.int(5);
        t.eq(x, five)
    };
    let zero = |t: &mut Terms| t.int(0);
    [
        abs(space, is_5, |t, _, r| {
            let five = t.int(5);
            t.eq(r, five)
        }),
        abs(space, is_5, |t, _, r| {
            let six = t.int(6);
            t.eq(r, six)
        }),
        abs(space, is_5, |t, x, r| t.eq(r, x)),
        abs(
            space,
            |t, x| {
                let zero = zero(t);
                t.ge(x, zero)
            },
            |t, x, r| t.eq(r, x),
        ),
        abs(
            space,
            |t, x| {
                let zero = zero(t);
                t.le(x, zero)
            },
            |t, x, r| {
                let minus = t.neg(x);
                t.eq(r, minus)
            },
        ),
        abs(
            space,
            |_, _| Term::TRUE,
            |t, x, r| {
                let abs = t.abs(x);
                t.eq(r, abs)
            },
        ),
    ]
}

#[test]
fn example_2_refinement() {
    let (mut space, mut smt) = (abs_space(), Smt::default());
    let all = example_2(&mut space);
    // Which contract refines which, in the order of the paper.
    let expected = [
        [true, false, true, false, false, false],
        [false, true, false, false, false, false],
        [true, false, true, false, false, false],
        [true, false, true, true, false, false],
        [false, false, false, false, true, false],
        [true, false, true, true, true, true],
    ];
    for (fine, row) in all.iter().zip(expected) {
        for (coarse, expected) in all.iter().zip(row) {
            let judged = space.refines(&mut smt, fine, coarse);
            assert_eq!(judged == Judgement::Yes, expected, "{fine:?} {coarse:?}: {judged:?}");
        }
    }
}

#[test]
fn example_4_the_meet_of_c4_and_c5_is_c6() {
    let (mut space, mut smt) = (abs_space(), Smt::default());
    let [.., c4, c5, c6] = example_2(&mut space);
    let meet = space.meet(&c4, &c5);
    assert_eq!(space.equivalent(&mut smt, &meet, &c6), Judgement::Yes);
    let join = space.join(&c4, &c5);
    assert_ne!(space.equivalent(&mut smt, &join, &c6), Judgement::Yes);
}

#[test]
fn counterexamples_have_values() {
    let (mut space, mut smt) = (abs_space(), Smt::default());
    let [c1, c2, _, c4, ..] = example_2(&mut space);
    let Judgement::No(found) = space.refines(&mut smt, &c1, &c4) else { panic!("5 is not all") };
    assert_eq!(found.fails, Fails::Requires);
    assert_ne!(found.values[X], ("x".to_owned(), "5".to_owned()));
    let Judgement::No(found) = space.refines(&mut smt, &c1, &c2) else { panic!("5 is not 6") };
    assert_eq!(found.fails, Fails::Ensures);
    let expected = [("x", "5"), ("\\result", "5")].map(|(n, v)| (n.to_owned(), v.to_owned()));
    assert_eq!(found.values, expected);
}

#[test]
fn a_precondition_does_not_speak_of_the_result() {
    let mut space = abs_space();
    let (r, zero) = (space.symbol(R), space.terms().int(0));
    let positive = space.terms().ge(r, zero);
    let refused = space.contract(positive, Term::TRUE);
    assert_eq!(refused, Err(NoContract::TooLate("\\result".to_owned())));
    assert_eq!(space.contract(r, Term::TRUE), Err(NoContract::NotBoolean));
    let other = space.terms().symbol("other", lakatos_logic::term::Sort::Bool);
    let refused = space.contract(Term::TRUE, other);
    assert_eq!(refused, Err(NoContract::Foreign("other".to_owned())));
}
