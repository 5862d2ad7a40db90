//! Clauses mean what mathematics says: random ones are evaluated here, and by the interpreter in the
//! program that they become.

use std::fmt;

use dashu_int::IBig;
use fastrand::Rng;
use lakatos_ir::Source;
use lakatos_ir::interpret::{Interpreter, Keyed, Options, Outcome};
use lakatos_modular::{Calls, Modular, Piece, Question};

/// A term over the parameters, in mathematical integers.
enum Term {
    Number(i64),
    Param(usize),
    Binary(&'static str, Box<Term>, Box<Term>),
    Negated(Box<Term>),
    Complement(Box<Term>),
    /// To a type of C: its name, bits, whether it is signed.
    Cast(&'static str, u32, bool, Box<Term>),
    Choice(Box<Pred>, Box<Term>, Box<Term>),
    Extreme(&'static str, Box<Term>, Box<Term>),
}

enum Pred {
    Compare(&'static str, Term, Term),
    Joined(&'static str, Box<Pred>, Box<Pred>),
    Not(Box<Pred>),
}

const PARAMS: [(&str, &str, i64, i64); 3] = [
    ("x", "int", i32::MIN as i64, i32::MAX as i64),
    ("u", "unsigned", 0, u32::MAX as i64),
    ("c", "signed char", -128, 127),
];

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Term::Number(n) => write!(f, "{n}"),
            Term::Param(p) => write!(f, "{}", PARAMS[*p].0),
            Term::Binary(op, a, b) => write!(f, "({a} {op} {b})"),
            Term::Negated(a) => write!(f, "(- {a})"),
            Term::Complement(a) => write!(f, "(~ {a})"),
            Term::Cast(name, _, _, a) => write!(f, "(({name})({a}))"),
            Term::Choice(p, a, b) => write!(f, "(({p}) ? {a} : {b})"),
            Term::Extreme(name, a, b) => write!(f, "\\{name}({a}, {b})"),
        }
    }
}

impl fmt::Display for Pred {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pred::Compare(op, a, b) => write!(f, "{a} {op} {b}"),
            Pred::Joined(op, a, b) => write!(f, "(({a}) {op} ({b}))"),
            Pred::Not(a) => write!(f, "!({a})"),
        }
    }
}

fn wrapped(value: &IBig, bits: u32, signed: bool) -> IBig {
    let size = IBig::ONE << bits as usize;
    let mut rest = value % &size;
    if rest < IBig::ZERO {
        rest += &size;
    }
    match signed && rest >= IBig::ONE << (bits as usize - 1) {
        true => rest - size,
        false => rest,
    }
}

impl Term {
    /// `None` where something is divided by zero.
    fn value(&self, params: &[i64; 3]) -> Option<IBig> {
        Some(match self {
            Term::Number(n) => IBig::from(*n),
            Term::Param(p) => IBig::from(params[*p]),
            Term::Negated(a) => -a.value(params)?,
            Term::Complement(a) => -a.value(params)? - IBig::ONE,
            Term::Cast(_, bits, signed, a) => wrapped(&a.value(params)?, *bits, *signed),
            Term::Choice(p, a, b) => match p.holds(params)? {
                true => a.value(params)?,
                false => b.value(params)?,
            },
            Term::Extreme(name, a, b) => {
                let (a, b) = (a.value(params)?, b.value(params)?);
                if *name == "min" { a.min(b) } else { a.max(b) }
            }
            Term::Binary(op, a, b) => {
                let (a, b) = (a.value(params)?, b.value(params)?);
                match *op {
                    "+" => a + b,
                    "-" => a - b,
                    "*" => a * b,
                    "/" | "%" if b == IBig::ZERO => return None,
                    // Rounded towards zero, as in C.
                    "/" => a / b,
                    "%" => a % b,
                    "&" => a & b,
                    "|" => a | b,
                    "^" => a ^ b,
                    "<<" => a << usize::try_from(b).expect("a small constant"),
                    _ => a >> usize::try_from(b).expect("a small constant"),
                }
            }
        })
    }
}

impl Pred {
    fn holds(&self, params: &[i64; 3]) -> Option<bool> {
        Some(match self {
            Pred::Not(a) => !a.holds(params)?,
            Pred::Compare(op, a, b) => {
                let (a, b) = (a.value(params)?, b.value(params)?);
                match *op {
                    "==" => a == b,
                    "!=" => a != b,
                    "<" => a < b,
                    "<=" => a <= b,
                    ">" => a > b,
                    _ => a >= b,
                }
            }
            Pred::Joined(op, a, b) => {
                let a = a.holds(params)?;
                match (*op, a) {
                    ("&&", false) => false,
                    ("||", true) | ("==>", false) => true,
                    ("&&" | "||" | "==>", _) => b.holds(params)?,
                    ("<==>", _) => a == b.holds(params)?,
                    _ => a != b.holds(params)?,
                }
            }
        })
    }
}

fn pick<T: Copy>(rng: &mut Rng, all: &[T]) -> T {
    all[rng.usize(..all.len())]
}

fn term(rng: &mut Rng, depth: u32) -> Term {
    if depth == 0 {
        return match rng.u8(..4) {
            0 => Term::Number(pick(rng, &[0, 1, 2, 3, 7, 128, 255, 65536, 2147483647, 4294967296])),
            _ => Term::Param(rng.usize(..3)),
        };
    }
    let depth = depth - 1;
    let inner = |rng: &mut Rng| Box::new(term(rng, depth));
    match rng.u8(..12) {
        0 => Term::Negated(inner(rng)),
        1 => Term::Complement(inner(rng)),
        2 => {
            let (name, bits, signed) = pick(
                rng,
                &[
                    ("int", 32, true),
                    ("unsigned char", 8, false),
                    ("short", 16, true),
                    ("unsigned", 32, false),
                ],
            );
            Term::Cast(name, bits, signed, inner(rng))
        }
        3 => Term::Choice(Box::new(pred(rng, depth)), inner(rng), inner(rng)),
        4 => Term::Extreme(pick(rng, &["min", "max"]), inner(rng), inner(rng)),
        5 => {
            let by = Box::new(Term::Number(rng.i64(0..12)));
            Term::Binary(pick(rng, &["<<", ">>"]), inner(rng), by)
        }
        _ => {
            let op = pick(rng, &["+", "-", "*", "/", "%", "&", "|", "^"]);
            Term::Binary(op, inner(rng), inner(rng))
        }
    }
}

fn pred(rng: &mut Rng, depth: u32) -> Pred {
    let depth = depth.saturating_sub(1);
    match rng.u8(..6) {
        0 if depth > 0 => Pred::Not(Box::new(pred(rng, depth))),
        1 | 2 if depth > 0 => {
            let op = pick(rng, &["&&", "||", "==>", "<==>", "^^"]);
            Pred::Joined(op, Box::new(pred(rng, depth)), Box::new(pred(rng, depth)))
        }
        _ => {
            let op = pick(rng, &["==", "!=", "<", "<=", ">", ">="]);
            Pred::Compare(op, term(rng, depth), term(rng, depth))
        }
    }
}

/// The program in which a clause that does not hold is an error; `None` if it is not supported.
fn piece(clause: &Pred) -> Option<Piece> {
    let params: Vec<String> = PARAMS.iter().map(|(name, ty, ..)| format!("{ty} {name}")).collect();
    let text = format!(
        "/*@ ensures {clause}; */\nint f({}) {{ return 0; }}\nint main(void) {{ return 0; }}\n",
        params.join(", ")
    );
    let options = lakatos_c::Options::default();
    let unit = lakatos_c::check(Source::new("a.c", text.as_str()), &options).expect("it is C");
    let program = lakatos_c::lower::lower(unit.clone()).expect("it is supported");
    let modular = Modular::new(&program, &unit, true)
        .unwrap_or_else(|failure| panic!("{text}\n{:?}", failure.diagnostics));
    let module = modular.modules.iter().find(|module| module.name == "f")?;
    match modular.problems.is_empty() {
        true => modular.piece(module, Question::Contracts, Calls::ByContract).ok(),
        false => None,
    }
}

/// Whether the clause fails in a run with these arguments.
fn fails(piece: &Piece, params: &[i64; 3]) -> bool {
    let mut inputs = Keyed::default();
    for (site, data) in piece.program.sites.iter() {
        if let Some(index) = PARAMS.iter().position(|(name, ..)| *name == data.name) {
            inputs.insert(site, 0, 0, i128::from(params[index]));
        }
    }
    let run = Interpreter::new(&piece.program).run(&Options::default(), &mut inputs);
    match run.outcome {
        Outcome::Exited(_) => false,
        Outcome::ErrorReached { .. } => true,
        other => panic!("{other:?}"),
    }
}

fn argument(rng: &mut Rng, index: usize) -> i64 {
    let (_, _, low, high) = PARAMS[index];
    match rng.u8(..4) {
        0 => pick(rng, &[low, low + 1, high, high - 1]),
        1 => rng.i64(low..=high),
        _ => rng.i64(low.max(-3)..=high.min(5)),
    }
}

#[test]
fn clauses_mean_what_mathematics_says() {
    let mut rng = Rng::with_seed(20_261_116);
    let (mut compared, mut failed, mut unsupported) = (0, 0, 0);
    for _ in 0..400 {
        let depth = rng.u32(1..5);
        let clause = pred(&mut rng, depth);
        let Some(piece) = piece(&clause) else {
            unsupported += 1;
            continue;
        };
        for _ in 0..20 {
            let params = [0, 1, 2].map(|index| argument(&mut rng, index));
            let expected = clause.holds(&params) != Some(true);
            assert_eq!(fails(&piece, &params), expected, "{clause}\nwith {params:?}");
            compared += 1;
            failed += usize::from(expected);
        }
    }
    // Both answers, and not only what is refused.
    assert!(compared > 5000 && failed > 1000 && compared - failed > 1000, "{compared} {failed}");
    assert!(unsupported < 100, "{unsupported} clauses are not supported");
}
