//! Programs to encode parts of: variables, random expressions over them, and their meaning.

use std::collections::BTreeMap;

use lakatos_ir::*;

use crate::support::{BINARY, Rng, signed, unsigned};

/// A program of one procedure, which returns an `int` and has variables of several types.
pub fn program(types: &[IntType]) -> (Program, Vec<VarId>) {
    let main = ProcId(0);
    let mut program = Program {
        source: Source::new("test.c", ""),
        types: Types::new(DataModel::Lp64),
        vars: Arena::new(),
        procs: Arena::new(),
        exprs: Arena::new(),
        places: Arena::new(),
        strings: Arena::new(),
        sites: Arena::new(),
        pieces: Default::default(),
        shared: Default::default(),
        foreign: None,
        constants: Default::default(),
        arrays: Default::default(),
        bounds: Default::default(),
        followed: Default::default(),
        start: main,
        main,
        annotations: Vec::new(),
        environment: Default::default(),
        warnings: Vec::new(),
    };
    let signature = Signature { result: Type::I32, params: Some(Vec::new()), variadic: false };
    let Type::Function(signature) = program.types.function(signature) else { unreachable!() };
    let mut vars = Vec::new();
    for (number, &ty) in types.iter().enumerate() {
        // Equal names: symbols must not be confused.
        let kind = if number == 0 { VarKind::Global } else { VarKind::Local(main) };
        vars.push(add_var(&mut program, "x", ty, kind));
    }
    let result = add_var(&mut program, "result", IntType::I32, VarKind::Result(main));
    program.procs.push(Procedure {
        name: "main".to_owned(),
        signature,
        params: Vec::new(),
        result: Some(result),
        locals: vars[1..].to_vec(),
        body: Some(Cfa::new()),
        is_error: false,
        address_taken: false,
        library: None,
        span: Span::default(),
    });
    // The site of all inputs.
    program.sites.push(Site {
        kind: InputKind::Nondet,
        proc: main,
        span: Span::default(),
        name: "nondet".to_owned(),
        ty: Type::I32,
    });
    (program, vars)
}

pub fn add_var(program: &mut Program, name: &str, ty: IntType, kind: VarKind) -> VarId {
    program.vars.push(Var {
        name: name.to_owned(),
        ty: Type::Int(ty),
        kind,
        span: Span::default(),
        address_taken: false,
        c_type: String::new(),
    })
}

/// An expression with a span of its own.
pub fn add(program: &mut Program, kind: ExprKind, ty: IntType) -> ExprId {
    let at = program.exprs.len() as u32;
    program.expr(kind, Type::Int(ty), Span::new(at, at + 1))
}

pub const SOME_TYPES: [IntType; 8] = [
    IntType::I32,
    unsigned(32),
    IntType::U8,
    signed(8),
    IntType::BOOL,
    unsigned(3),
    signed(64),
    unsigned(128),
];

/// A random expression over variables.
pub fn expression(
    program: &mut Program,
    rng: &mut Rng,
    vars: &[VarId],
    ty: IntType,
    depth: u32,
) -> ExprId {
    let inner = |program: &mut Program, rng: &mut Rng, ty| {
        expression(program, rng, vars, ty, depth.saturating_sub(1))
    };
    if depth == 0 || rng.below(8) == 0 {
        return leaf(program, rng, vars, ty);
    }
    // Shared parts, evaluated under other conditions than before.
    if rng.below(10) == 0 {
        let known: Vec<ExprId> =
            program.exprs.iter().filter(|(_, e)| e.ty == Type::Int(ty)).map(|(id, _)| id).collect();
        if !known.is_empty() {
            return rng.pick(&known);
        }
    }
    let other = rng.pick(&SOME_TYPES);
    let kind = match rng.below(12) {
        0 => {
            let condition = inner(program, rng, IntType::BOOL);
            ExprKind::Ite(condition, inner(program, rng, ty), inner(program, rng, ty))
        }
        1 if ty == IntType::BOOL => {
            let op = rng.pick(&[Arith::Add, Arith::Sub, Arith::Mul, Arith::Div]);
            let right = rng.pick(&SOME_TYPES);
            let to = rng.pick(&SOME_TYPES);
            ExprKind::Overflows(op, inner(program, rng, other), inner(program, rng, right), to)
        }
        2 if ty == IntType::BOOL => ExprKind::Unary(UnOp::Not, inner(program, rng, ty)),
        1..=3 if ty != IntType::BOOL => ExprKind::Cast(inner(program, rng, other)),
        4 if ty != IntType::BOOL => ExprKind::Unary(UnOp::Neg, inner(program, rng, ty)),
        5 => ExprKind::Unary(UnOp::BitNot, inner(program, rng, ty)),
        _ if ty == IntType::BOOL && rng.below(3) > 0 => {
            let op = rng.pick(&BINARY[10..16]);
            ExprKind::Binary(op, inner(program, rng, other), inner(program, rng, other))
        }
        _ if ty == IntType::BOOL => {
            let op = rng.pick(&[
                BinOp::And,
                BinOp::Or,
                BinOp::And,
                BinOp::Or,
                BinOp::BitAnd,
                BinOp::BitOr,
                BinOp::BitXor,
            ]);
            ExprKind::Binary(op, inner(program, rng, ty), inner(program, rng, ty))
        }
        _ => {
            let op = rng.pick(&BINARY[..10]);
            let right = match op {
                BinOp::Shl | BinOp::Shr => other,
                _ => ty,
            };
            ExprKind::Binary(op, inner(program, rng, ty), inner(program, rng, right))
        }
    };
    add(program, kind, ty)
}

fn leaf(program: &mut Program, rng: &mut Rng, vars: &[VarId], ty: IntType) -> ExprId {
    let matching: Vec<VarId> =
        vars.iter().copied().filter(|v| program.vars[*v].ty == Type::Int(ty)).collect();
    if matching.is_empty() || rng.below(3) == 0 {
        let value = if rng.below(2) == 0 { rng.value(ty) } else { ty.wrap(rng.below(9) as i128) };
        return add(program, ExprKind::Int(value), ty);
    }
    let place = program.var_place(rng.pick(&matching), Span::default());
    add(program, ExprKind::Load(place), ty)
}

pub type State = BTreeMap<VarId, i128>;

/// What an expression evaluates to: the executable definition, `lakatos_ir::interpret`, in short.
pub fn meaning(
    program: &Program,
    state: &State,
    expr: ExprId,
    wraps: bool,
) -> Result<i128, (Undefined, Span)> {
    let Expr { ref kind, ty, span } = program.exprs[expr];
    let int = ty.as_int().expect("integers only");
    let of = |e: ExprId| meaning(program, state, e, wraps);
    let type_of = |e: ExprId| program.exprs[e].ty.as_int().expect("integers only");
    let at = |kind| (kind, span);
    match *kind {
        ExprKind::Int(value) => Ok(value),
        ExprKind::Load(place) => match program.places[place].kind {
            PlaceKind::Var(var) => Ok(state[&var]),
            _ => unreachable!("variables only"),
        },
        ExprKind::Unary(op, a) => arith::unary(op, of(a)?, int, wraps).map_err(at),
        ExprKind::Binary(BinOp::And, a, b) => {
            if of(a)? == 0 {
                Ok(0)
            } else {
                of(b)
            }
        }
        ExprKind::Binary(BinOp::Or, a, b) => {
            if of(a)? == 1 {
                Ok(1)
            } else {
                of(b)
            }
        }
        ExprKind::Binary(op, a, b) if op.is_comparison() => {
            Ok(arith::compare(op, of(a)?, of(b)?, type_of(a)).into())
        }
        ExprKind::Binary(op, a, b) => arith::binary(op, of(a)?, of(b)?, int, wraps).map_err(at),
        ExprKind::Overflows(op, a, b, to) => {
            let (x, y) = (of(a)?, of(b)?);
            match op == Arith::Div && y == 0 {
                true => Err(at(Undefined::DivByZero)),
                false => Ok((!arith::fits(op, (x, type_of(a)), (y, type_of(b)), to)).into()),
            }
        }
        ExprKind::Cast(a) => Ok(int.wrap(of(a)?)),
        ExprKind::Ite(c, a, b) => {
            if of(c)? == 1 {
                of(a)
            } else {
                of(b)
            }
        }
        _ => unreachable!("integers only"),
    }
}
