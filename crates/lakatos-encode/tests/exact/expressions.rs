//! Whole expressions: values, the first fault, and agreement with the checks of the IR.

use std::collections::BTreeMap;

use lakatos_encode::{Evaluated, Machine, Operand, Read, Unsupported, evaluate};
use lakatos_ir::*;
use lakatos_logic::term::{Assignment, Terms};

use crate::program::{SOME_TYPES, State, add, add_var, expression, meaning, program};
use crate::support::*;

/// A symbol for each variable.
struct Symbols<'p> {
    program: &'p Program,
    machine: Machine,
    known: BTreeMap<VarId, Operand>,
}

impl Read for Symbols<'_> {
    fn load(&mut self, terms: &mut Terms, place: PlaceId) -> Option<Operand> {
        let PlaceKind::Var(var) = self.program.places[place].kind else { return None };
        let ty = self.program.vars[var].ty.as_int()?;
        let found = symbol(terms, self.machine, &format!("{var:?}"), ty);
        self.known.insert(var, found.clone());
        Some(found)
    }
}

struct Encoded {
    terms: Terms,
    machine: Machine,
    known: BTreeMap<VarId, Operand>,
    result: Evaluated,
}

fn encode(program: &Program, machine: Machine, expr: ExprId) -> Result<Encoded, Unsupported> {
    let mut terms = Terms::new();
    let mut symbols = Symbols { program, machine, known: BTreeMap::new() };
    let result = evaluate(program, machine, &mut terms, &mut symbols, expr)?;
    Ok(Encoded { terms, machine, known: symbols.known, result })
}

impl Encoded {
    fn values(&self, state: &State) -> Assignment {
        let value = |(var, operand): (&VarId, &Operand)| {
            (operand.term, self.machine.literal(state[var], operand.ty))
        };
        assignment(&self.terms, &self.known.iter().map(value).collect::<Vec<_>>())
    }

    fn outcome(&self, state: &State) -> Result<i128, (Undefined, Span)> {
        let values = self.values(state);
        for fault in &self.result.faults {
            if self.terms.holds(fault.condition, &values).expect("decided") {
                return Err((fault.kind, fault.span));
            }
        }
        let value = self.terms.evaluate(self.result.value.term, &values).expect("defined");
        let value = self.machine.value(&value, self.result.value.ty).expect("in range");
        assert!(inside(value, &self.result.value));
        Ok(value)
    }
}

/// Variables of all types, two of each.
fn variables() -> (Program, Vec<VarId>) {
    program(&[SOME_TYPES, SOME_TYPES].concat())
}

fn state(program: &Program, rng: &mut Rng) -> State {
    let value = |(id, var): (VarId, &Var)| (id, rng.value(var.ty.as_int().expect("integers")));
    program.vars.iter().map(value).collect()
}

#[test]
fn random_expressions() {
    let mut rng = Rng(7);
    let (mut defined, mut undefined) = (0, 0);
    for number in 0..4000 {
        let (mut program, vars) = variables();
        let ty = rng.pick(&SOME_TYPES);
        let expr = expression(&mut program, &mut rng, &vars, ty, 1 + number % 5);
        for machine in machines() {
            let encoded = encode(&program, machine, expr).expect("integers only");
            for _ in 0..8 {
                let state = state(&program, &mut rng);
                let expected = meaning(&program, &state, expr, wraps(machine));
                let found = encoded.outcome(&state);
                assert_eq!(found, expected, "{machine:?} {state:?}\n{:#?}", program.exprs);
                *if found.is_ok() { &mut defined } else { &mut undefined } += 1;
            }
        }
    }
    assert!(defined > 20_000 && undefined > 20_000, "{defined} defined, {undefined} undefined");
}

/// The checks of the IR, encoded, find the same first fault.
#[test]
fn checks_agree_with_faults() {
    let mut rng = Rng(8);
    for _ in 0..1000 {
        let (mut program, vars) = variables();
        let ty = rng.pick(&SOME_TYPES);
        let expr = expression(&mut program, &mut rng, &vars, ty, 4);
        // Division by zero inside `Overflows` is a fault, but not one of the checks.
        if has_overflows(&program, expr) {
            continue;
        }
        // A left shift that C leaves undefined has a value, which GCC defines.
        let is_fault = |kind: Undefined| kind != Undefined::ShiftOverflow;
        let checks = undefined::of_expr(&mut program, expr, &is_fault);
        for machine in machines().filter(|m| !wraps(*m)) {
            let encoded = encode(&program, machine, expr).expect("integers only");
            let conditions: Vec<(Undefined, Span, Encoded)> = checks
                .iter()
                .map(|c| (c.kind, c.span, encode(&program, machine, c.condition).unwrap()))
                .collect();
            for _ in 0..6 {
                let state = state(&program, &mut rng);
                let first = conditions.iter().find(|(.., c)| c.outcome(&state) == Ok(1));
                let first = first.map(|(kind, span, _)| (*kind, *span));
                assert_eq!(first, encoded.outcome(&state).err(), "{machine:?} {state:?}");
            }
        }
    }
}

fn has_overflows(program: &Program, expr: ExprId) -> bool {
    let mut found = false;
    walk::walk(program, walk::Node::Expr(expr), &mut |node| {
        if let walk::Node::Expr(e) = node {
            found |= matches!(program.exprs[e].kind, ExprKind::Overflows(..));
        }
    });
    found
}

#[test]
fn deep_and_shared() {
    let ty = signed(64);
    let (mut program, vars) = program(&[ty]);
    let place = program.var_place(vars[0], Span::default());
    let mut expr = add(&mut program, ExprKind::Load(place), ty);
    // As a tree this has 2^400 leaves.
    for _ in 0..MAX_DEPTH {
        expr = add(&mut program, ExprKind::Binary(BinOp::Add, expr, expr), ty);
    }
    for machine in machines() {
        let encoded = encode(&program, machine, expr).expect("integers only");
        let overflows = |x| encoded.outcome(&State::from([(vars[0], x)]));
        assert_eq!(overflows(0), Ok(0));
        match wraps(machine) {
            true => assert_eq!(overflows(1), Ok(0)),
            false => assert_eq!(overflows(1), Err((Undefined::SignedOverflow, Span::new(63, 64)))),
        }
    }
}

/// What is never evaluated may be anything.
#[test]
fn unsupported() {
    let (mut program, vars) = program(&[IntType::I32]);
    let float = program.expr(ExprKind::Float(0), Type::Float(FloatType::F64), Span::new(5, 6));
    let cast = program.expr(ExprKind::Cast(float), Type::I32, Span::new(7, 8));
    let place = program.var_place(vars[0], Span::default());
    let x = add(&mut program, ExprKind::Load(place), IntType::I32);
    let sum = add(&mut program, ExprKind::Binary(BinOp::Add, x, cast), IntType::I32);
    let [no, yes] = [0, 1].map(|v| add(&mut program, ExprKind::Int(v), IntType::BOOL));
    let dead = add(&mut program, ExprKind::Ite(no, sum, x), IntType::I32);
    let live = add(&mut program, ExprKind::Ite(yes, sum, x), IntType::I32);
    let unsupported = Unsupported { what: "a floating-point number", span: Span::new(5, 6) };
    for machine in machines() {
        for (expr, expect) in [(sum, Some(unsupported)), (live, Some(unsupported)), (dead, None)] {
            assert_eq!(encode(&program, machine, expr).err(), expect);
        }
    }
}

/// A value that no run can have does not grow without end.
#[test]
fn impossible_constants_stay_small() {
    let (mut program, _) = program(&[IntType::I32]);
    let mut expr = add(&mut program, ExprKind::Int(46341), IntType::I32);
    for _ in 0..200 {
        expr = add(&mut program, ExprKind::Binary(BinOp::Mul, expr, expr), IntType::I32);
    }
    let extra = add_var(&mut program, "y", IntType::I32, VarKind::Global);
    let encoded = encode(&program, Machine::default(), expr).expect("integers only");
    let state = State::from([(extra, 0)]);
    let first = encoded.outcome(&state).expect_err("overflows");
    assert_eq!(first.0, Undefined::SignedOverflow);
}
