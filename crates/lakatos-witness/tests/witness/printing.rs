//! Formulas in print and read again: the reader, and the C compiler, are the oracles.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use lakatos_evidence::show::{Dialect, Named, Printer};
use lakatos_ir::{DataModel, IntType};
use lakatos_logic::number::Int;
use lakatos_logic::term::{BvBinary, BvCompare, Sort, Symbol, Term, Terms};
use lakatos_witness::expression::{Language, Moment, Place, Reader};
use lakatos_witness::outline::Outline;

use crate::{Formula, compile, holds, var};

const VARIABLES: [(&str, &str); 10] = [
    ("i", "int"),
    ("j", "int"),
    ("u", "unsigned int"),
    ("v", "unsigned int"),
    ("l", "long long"),
    ("w", "unsigned long long"),
    ("c", "signed char"),
    ("h", "unsigned short"),
    ("b", "_Bool"),
    ("d", "_Bool"),
];

fn program_text() -> String {
    let parameters: Vec<String> =
        VARIABLES.iter().map(|(name, ty)| format!("{ty} {name}")).collect();
    format!("int f({}) {{ return 0; }} int main(void) {{ return 0; }}", parameters.join(", "))
}

/// Makes formulas and values.
struct Random {
    rng: fastrand::Rng,
    types: BTreeMap<&'static str, IntType>,
}

impl Random {
    fn new(seed: u64) -> Random {
        let program = compile(&program_text(), DataModel::Lp64);
        let ty = |name| program.vars[var(&program, name)].ty.as_int().unwrap();
        let types = VARIABLES.iter().map(|(name, _)| (*name, ty(name))).collect();
        Random { rng: fastrand::Rng::with_seed(seed), types }
    }

    fn name(&mut self, boolean: bool) -> &'static str {
        if boolean { ["b", "d"][self.rng.usize(..2)] } else { VARIABLES[self.rng.usize(..8)].0 }
    }

    fn constant(&mut self) -> Int {
        match self.rng.u8(..8) {
            0..=4 => Int::from(self.rng.i64(-12..=12)),
            5 => Int::from(i64::from(i32::MAX) + self.rng.i64(-2..=2)),
            6 => Int::from(i64::from(u32::MAX) + self.rng.i64(-2..=2)),
            _ => Int::from(self.rng.i64(..)),
        }
    }

    fn number(&mut self, terms: &mut Terms, depth: u32) -> Term {
        let choice = if depth == 0 { self.rng.u8(..2) } else { self.rng.u8(..9) };
        match choice {
            0 => {
                let value = self.constant();
                terms.int(value)
            }
            1 => {
                let name = self.name(false);
                terms.symbol(name, Sort::Int)
            }
            2..=4 => {
                let (a, b) = (self.number(terms, depth - 1), self.number(terms, depth - 1));
                let factor = Int::from(self.rng.i64(-3..=3));
                terms.combine(a, b, &factor)
            }
            5 => {
                let (a, b) = (self.number(terms, 0), self.number(terms, 0));
                terms.mul(a, b)
            }
            6 | 7 => {
                let a = self.number(terms, depth - 1);
                let by = [2, 3, 7, 16, 256, 65536, 1i64 << 32][self.rng.usize(..7)];
                let by = terms.int(by);
                if choice == 6 { terms.div(a, by) } else { terms.modulo(a, by) }
            }
            _ => {
                let condition = self.formula(terms, depth - 1);
                let (a, b) = (self.number(terms, depth - 1), self.number(terms, depth - 1));
                terms.ite(condition, a, b)
            }
        }
    }

    fn formula(&mut self, terms: &mut Terms, depth: u32) -> Term {
        let choice = if depth == 0 { self.rng.u8(..3) } else { self.rng.u8(..9) };
        match choice {
            0 => {
                let name = self.name(true);
                terms.symbol(name, Sort::Bool)
            }
            1..=4 => {
                let (a, b) = (self.number(terms, depth), self.number(terms, depth));
                match self.rng.u8(..4) {
                    0 => terms.eq(a, b),
                    1 => terms.ne(a, b),
                    2 => terms.le(a, b),
                    _ => terms.lt(a, b),
                }
            }
            _ => {
                let (a, b) = (self.formula(terms, depth - 1), self.formula(terms, depth - 1));
                let c = self.formula(terms, depth - 1);
                match choice {
                    5 => terms.and([a, b, c]),
                    6 => terms.or([a, b, c]),
                    7 => terms.iff(a, b),
                    _ => terms.ite(a, b, c),
                }
            }
        }
    }

    /// A formula over bit-vectors of 32 bits.
    fn pattern_formula(&mut self, terms: &mut Terms) -> Term {
        let (a, b) = (self.pattern(terms, 2), self.pattern(terms, 2));
        match self.rng.u8(..5) {
            0 => terms.eq(a, b),
            1 => terms.ne(a, b),
            2 => terms.bv_compare(BvCompare::Ult, a, b),
            3 => terms.bv_compare(BvCompare::Sle, a, b),
            _ => {
                let less = terms.bv_compare(BvCompare::Slt, a, b);
                terms.not(less)
            }
        }
    }

    fn pattern(&mut self, terms: &mut Terms, depth: u32) -> Term {
        use BvBinary::{Add, And, Ashr, Lshr, Mul, Or, Shl, Sub, Udiv, Urem, Xor};
        let choice = if depth == 0 { self.rng.u8(..2) } else { self.rng.u8(..7) };
        match choice {
            0 => {
                let value = self.rng.u32(..) >> self.rng.u32(..32);
                terms.bv(value, 32)
            }
            1 => terms.symbol(["i", "j", "u", "v"][self.rng.usize(..4)], Sort::BitVec(32)),
            2 => {
                let amount = terms.bv(self.rng.u32(1..31), 32);
                let a = self.pattern(terms, depth - 1);
                let op = [Shl, Lshr, Ashr, Udiv, Urem][self.rng.usize(..5)];
                terms.bv_binary(op, a, amount)
            }
            3 => {
                let a = self.pattern(terms, depth - 1);
                if self.rng.bool() { terms.bv_not(a) } else { terms.bv_neg(a) }
            }
            4 => {
                let a = self.pattern(terms, depth - 1);
                let low = terms.extract([7, 15, 11][self.rng.usize(..3)], 0, a);
                let by = 32 - terms.width(low);
                if self.rng.bool() {
                    terms.zero_extend(by, low)
                } else {
                    terms.sign_extend(by, low)
                }
            }
            _ => {
                let (a, b) = (self.pattern(terms, depth - 1), self.pattern(terms, depth - 1));
                terms.bv_binary([Add, Sub, Mul, And, Or, Xor][self.rng.usize(..6)], a, b)
            }
        }
    }

    /// Values of all variables, the ends of their ranges among them.
    fn values(&mut self) -> BTreeMap<String, i128> {
        let types = self.types.clone();
        types.into_iter().map(|(name, ty)| (name.to_owned(), self.value(ty))).collect()
    }

    fn value(&mut self, ty: IntType) -> i128 {
        match self.rng.u8(..6) {
            0 => ty.max(),
            1 => ty.min(),
            2 => ty.wrap(ty.max() - i128::from(self.rng.u8(..4))),
            3 => ty.wrap(i128::from(self.rng.u64(..))),
            _ => ty.wrap(i128::from(self.rng.i8(-9..=9))),
        }
    }
}

fn text_of(random: &Random, terms: &Terms, formula: Term, dialect: Dialect) -> Option<String> {
    let name = |symbol: Symbol| {
        let name = terms.symbol_name(symbol);
        Some(Named { name: name.to_owned(), ty: random.types[name] })
    };
    Printer::new(terms, DataModel::Lp64, dialect, &name).formula(formula)
}

/// Prints formulas, reads the texts and compares both on many values. Says how many had a text.
fn round_trips(seed: u64, number: usize, make: impl Fn(&mut Random, &mut Terms) -> Term) -> usize {
    let program = compile(&program_text(), DataModel::Lp64);
    let outline = Outline::new(&program);
    let place = Place {
        proc: program.proc_named("f").unwrap(),
        scope: program_text().find("return").unwrap() as u32,
        moment: Moment::Here,
    };
    let mut reader = Reader::new(program, &outline);
    let mut random = Random::new(seed);
    let mut printed = 0;
    for _ in 0..number {
        let mut terms = Terms::new();
        let formula = make(&mut random, &mut terms);
        for (dialect, language) in [(Dialect::C, Language::C), (Dialect::Acsl, Language::Acsl)] {
            let Some(text) = text_of(&random, &terms, formula, dialect) else { continue };
            printed += 1;
            let condition = reader.condition(&text, language, place);
            let condition = match condition {
                Ok(condition) => condition,
                // Mathematics may need more bits than there are.
                Err(unreadable) if unreadable.message.contains("128 bits") => continue,
                Err(unreadable) => panic!("{unreadable}"),
            };
            let read = Formula::of(&reader.program, condition);
            for _ in 0..25 {
                let values = random.values();
                let expected = holds(&terms, formula, &values);
                let shown = terms.display(formula).to_string();
                assert_eq!(read.holds(&values), expected, "{shown}\n{text}\n{values:?}");
            }
        }
    }
    printed
}

#[test]
fn integers_mean_the_same() {
    let printed = round_trips(1, 300, |random, terms| random.formula(terms, 3));
    assert!(printed > 300, "only {printed} had a text");
}

#[test]
fn patterns_mean_the_same() {
    let printed = round_trips(2, 300, Random::pattern_formula);
    assert!(printed > 400, "only {printed} had a text");
}

/// The compiler evaluates the texts to what the formulas say.
#[test]
fn the_compiler_agrees() {
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    if Command::new(&compiler).arg("--version").output().is_err() {
        return;
    }
    let mut random = Random::new(3);
    let mut source = "int printf(const char *, ...);\n".to_owned();
    let (mut calls, mut expected) = (String::new(), String::new());
    for number in 0..120 {
        let mut terms = Terms::new();
        let formula = match number % 3 {
            0 => random.pattern_formula(&mut terms),
            _ => random.formula(&mut terms, 2),
        };
        let Some(text) = text_of(&random, &terms, formula, Dialect::C) else { continue };
        let parameters: Vec<String> =
            VARIABLES.iter().map(|(name, ty)| format!("{ty} {name}")).collect();
        let _ = writeln!(source, "int f{number}({}) {{ return {text}; }}", parameters.join(", "));
        for _ in 0..10 {
            let values = random.values();
            let given: Vec<String> = VARIABLES
                .iter()
                .map(|(name, ty)| format!("({ty})({}ULL)", values[*name] as u64))
                .collect();
            let _ = writeln!(calls, "printf(\"{number} %d\\n\", f{number}({}));", given.join(", "));
            let _ = writeln!(expected, "{number} {}", u8::from(holds(&terms, formula, &values)));
        }
    }
    let _ = writeln!(source, "int main(void) {{\n{calls}return 0;\n}}");
    let folder = tempfile::tempdir().unwrap();
    let (file, binary) = (folder.path().join("t.c"), folder.path().join("t"));
    fs::write(&file, &source).unwrap();
    let compiled = Command::new(&compiler).arg("-w").arg("-o").arg(&binary).arg(&file).output();
    let compiled = compiled.unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let run = Command::new(&binary).output().unwrap();
    let found = String::from_utf8_lossy(&run.stdout);
    for (line, expected) in found.lines().zip(expected.lines()) {
        let number = line.split(' ').next().unwrap();
        let text = source.lines().find(|l| l.starts_with(&format!("int f{number}(")));
        assert_eq!(line, expected, "{text:?}");
    }
    assert_eq!(found.lines().count(), expected.lines().count());
}
