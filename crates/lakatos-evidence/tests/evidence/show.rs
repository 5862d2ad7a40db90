//! Formulas in print.

use lakatos_evidence::show::{self, Dialect, Named, Printer};
use lakatos_evidence::{Draft, Meaning};
use lakatos_ir::{DataModel, IntType, Property, VarId};
use lakatos_logic::number::Int;
use lakatos_logic::term::{BvBinary, BvCompare, Sort, Symbol, Term, Terms};

use crate::instrumented;

/// A world of a few variables: `i j k` are `int`, `u v` are `unsigned int`, `l m` are `long long`,
/// `w` is `unsigned long long`, `c` is `char`, `b d` are `_Bool`.
struct World {
    terms: Terms,
}

fn ty(name: &str) -> IntType {
    match name {
        "i" | "j" | "k" => IntType::I32,
        "u" | "v" => IntType::unsigned(32),
        "l" | "m" => IntType::signed(64),
        "w" => IntType::unsigned(64),
        "c" => IntType::signed(8),
        "b" | "d" => IntType::BOOL,
        _ => panic!("no variable {name}"),
    }
}

impl World {
    fn var(&mut self, name: &str) -> Term {
        let sort = if ty(name) == IntType::BOOL { Sort::Bool } else { Sort::Int };
        self.terms.symbol(name, sort)
    }

    fn bits(&mut self, name: &str) -> Term {
        self.terms.symbol(name, Sort::BitVec(ty(name).bits.into()))
    }

    /// `Σ factor · name + constant`.
    fn sum(&mut self, parts: &[(i64, &str)], constant: i64) -> Term {
        let mut sum = self.terms.int(constant);
        for (factor, name) in parts {
            let var = self.var(name);
            sum = self.terms.combine(sum, var, &Int::from(*factor));
        }
        sum
    }

    fn at_most_zero(&mut self, parts: &[(i64, &str)], constant: i64) -> Term {
        let (sum, zero) = (self.sum(parts, constant), self.terms.int(0));
        self.terms.le(sum, zero)
    }

    fn zero(&mut self, parts: &[(i64, &str)], constant: i64) -> Term {
        let (sum, zero) = (self.sum(parts, constant), self.terms.int(0));
        self.terms.eq(sum, zero)
    }

    fn shown(&self, formula: Term, model: DataModel, dialect: Dialect) -> String {
        let name = |symbol: Symbol| {
            let name = self.terms.symbol_name(symbol).to_owned();
            let ty = ty(&name);
            Some(Named { name, ty })
        };
        let printer = Printer::new(&self.terms, model, dialect, &name);
        printer.formula(formula).unwrap_or_else(|| "-".to_owned())
    }
}

#[track_caller]
fn check(make: impl FnOnce(&mut World) -> Term, acsl: &str, c: &str) {
    let mut world = World { terms: Terms::new() };
    let formula = make(&mut world);
    let shown = [Dialect::Acsl, Dialect::C].map(|d| world.shown(formula, DataModel::Lp64, d));
    assert_eq!([shown[0].as_str(), shown[1].as_str()], [acsl, c]);
}

#[test]
fn integers() {
    for (parts, constant, acsl, c) in [
        (&[(1, "i")][..], 0, "i", Some("i")),
        (&[(1, "j"), (-1, "i")], 0, "j - i", Some("(long long)j - i")),
        (&[(-1, "i")], 99, "99 - i", Some("99LL - i")),
        (&[(2, "i"), (1, "j")], -3, "2 * i + j - 3", Some("2LL * i + j - 3")),
        (&[(1, "w"), (-1, "i")], 0, "w - i", None),
        (&[], 0, "0", Some("0")),
    ] {
        let mut world = World { terms: Terms::new() };
        let term = world.sum(parts, constant);
        let name = |symbol: Symbol| {
            let name = world.terms.symbol_name(symbol).to_owned();
            Some(Named { ty: ty(&name), name })
        };
        let text =
            |dialect| Printer::new(&world.terms, DataModel::Ilp32, dialect, &name).integer(term);
        assert_eq!(text(Dialect::Acsl).as_deref(), Some(acsl));
        assert_eq!(text(Dialect::C).as_deref(), c, "{acsl}");
    }
}

#[test]
fn comparisons() {
    check(|w| w.at_most_zero(&[(1, "i")], -10), "i <= 10", "i <= 10");
    check(|w| w.at_most_zero(&[(-1, "i")], 3), "i >= 3", "i >= 3");
    check(|w| w.at_most_zero(&[(1, "i"), (-1, "j")], 0), "i <= j", "i <= j");
    check(|w| w.at_most_zero(&[(1, "i"), (-1, "j")], 1), "i < j", "i < j");
    check(|w| w.at_most_zero(&[(1, "i"), (-1, "j")], -1), "i <= j + 1", "i <= (long long)j + 1");
    check(|w| w.at_most_zero(&[(1, "c"), (-1, "i")], 5), "c + 5 <= i", "c + 5 <= i");
    check(|w| w.zero(&[(1, "i"), (-1, "j")], -1), "i == j + 1", "i == (long long)j + 1");
    check(|w| w.zero(&[(1, "i"), (-1, "j")], 1), "j == i + 1", "j == (long long)i + 1");
    check(|w| w.zero(&[(1, "i"), (1, "j")], -9), "i + j == 9", "(long long)i + j == 9");
    check(|w| w.zero(&[(-1, "i")], 7), "i == 7", "i == 7");
    check(
        |w| {
            let zero = w.zero(&[(2, "i"), (-3, "j")], 1);
            w.terms.not(zero)
        },
        "2 * i + 1 != 3 * j",
        "2LL * i + 1 != 3LL * j",
    );
    check(
        |w| w.zero(&[(1, "i"), (-1, "j"), (-1, "k")], 4),
        "i == j + k - 4",
        "i == (long long)j + k - 4",
    );
}

/// C converts between signed and unsigned: not without us.
#[test]
fn conversions() {
    check(|w| w.at_most_zero(&[(1, "u"), (-1, "v")], 0), "u <= v", "u <= v");
    check(|w| w.at_most_zero(&[(1, "u"), (-1, "i")], 0), "u <= i", "(long long)u <= i");
    check(|w| w.at_most_zero(&[(1, "i"), (-1, "u")], 0), "i <= u", "(long long)i <= u");
    check(|w| w.at_most_zero(&[(1, "u")], -4_000_000_000), "u <= 4000000000", "u <= 4000000000LL");
    check(|w| w.zero(&[(1, "u"), (-1, "v")], -1), "u == v + 1", "u == (long long)v + 1");
    check(|w| w.zero(&[(1, "l"), (-1, "m")], -1), "l == m + 1", "l == (__int128)m + 1");
    check(|w| w.at_most_zero(&[(1, "w"), (-1, "i")], 0), "w <= i", "(__int128)w <= i");
    check(|w| w.zero(&[(1, "w")], -5), "w == 5", "w == 5");
    let least = |w: &mut World| w.zero(&[(1, "l")], i64::MIN);
    check(
        |w| {
            let zero = w.zero(&[(-1, "l")], i64::MIN);
            w.terms.or([zero])
        },
        "l == -9223372036854775808",
        "l == -9223372036854775807LL - 1",
    );
    check(least, "\\false", "0");
}

/// What every value of a type fulfils need not be said.
#[test]
fn types_decide() {
    check(|w| w.at_most_zero(&[(-1, "u")], 0), "\\true", "1");
    check(|w| w.at_most_zero(&[(1, "i")], -2_147_483_647), "\\true", "1");
    check(|w| w.at_most_zero(&[(-1, "i")], -2_147_483_648), "\\true", "1");
    check(|w| w.at_most_zero(&[(1, "u")], 1), "\\false", "0");
    check(
        |w| {
            let (low, high) = (w.at_most_zero(&[(-1, "u")], 0), w.at_most_zero(&[(1, "u")], -9));
            w.terms.and([low, high])
        },
        "u <= 9",
        "u <= 9",
    );
}

#[test]
fn connectives() {
    check(
        |w| {
            let high = w.at_most_zero(&[(1, "i"), (-1, "j")], 0);
            let equal = w.zero(&[(1, "k")], -2);
            let low = w.at_most_zero(&[(-1, "i")], 0);
            w.terms.and([high, equal, low])
        },
        "0 <= i && i <= j && k == 2",
        "0 <= i && i <= j && k == 2",
    );
    check(
        |w| {
            let (a, b) = (w.zero(&[(1, "i")], 0), w.zero(&[(1, "j")], -1));
            w.terms.implies(a, b)
        },
        "i == 0 ==> j == 1",
        "i != 0 || j == 1",
    );
    check(
        |w| {
            let (a, b) = (w.at_most_zero(&[(1, "i")], 0), w.zero(&[(1, "j")], -1));
            let c = w.zero(&[(1, "k")], 0);
            let both = w.terms.and([a, b]);
            w.terms.or([both, c])
        },
        "k == 0 || (i <= 0 && j == 1)",
        "k == 0 || (i <= 0 && j == 1)",
    );
    check(
        |w| {
            let (b, i) = (w.var("b"), w.zero(&[(1, "i")], 0));
            w.terms.implies(b, i)
        },
        "b != 0 ==> i == 0",
        "!b || i == 0",
    );
    check(
        |w| {
            let (b, i) = (w.var("b"), w.at_most_zero(&[(1, "i")], 0));
            w.terms.iff(b, i)
        },
        "b != 0 <==> i <= 0",
        "b == (i <= 0)",
    );
    check(
        |w| {
            let (b, d) = (w.var("b"), w.var("d"));
            w.terms.xor(b, d)
        },
        "!(b != 0 <==> d != 0)",
        "b != d",
    );
}

/// Cases that others include are left out, and what all cases say is said once.
#[test]
fn cases() {
    check(
        |w| {
            let (a, b) = (w.at_most_zero(&[(1, "i")], 0), w.zero(&[(1, "j")], -1));
            let (c, d) = (w.zero(&[(1, "k")], 0), w.zero(&[(1, "u")], -3));
            let (first, second) = (w.terms.and([a, b, c]), w.terms.and([a, d]));
            let third = w.terms.and([a, d, b]);
            w.terms.or([first, second, third])
        },
        "i <= 0 && ((j == 1 && k == 0) || u == 3)",
        "i <= 0 && ((j == 1 && k == 0) || u == 3)",
    );
}

/// A list of neighbours is an interval.
#[test]
fn intervals() {
    let among = |values: &'static [i64]| {
        move |w: &mut World| {
            let cases: Vec<Term> = values.iter().map(|v| w.zero(&[(1, "i")], -v)).collect();
            w.terms.or(cases)
        }
    };
    check(among(&[3, 1, 2]), "1 <= i && i <= 3", "1 <= i && i <= 3");
    check(among(&[-1, 0, 1]), "-1 <= i && i <= 1", "-1 <= i && i <= 1");
    check(among(&[1, 2]), "i == 1 || i == 2", "i == 1 || i == 2");
    check(among(&[1, 2, 4]), "i == 1 || i == 2 || i == 4", "i == 1 || i == 2 || i == 4");
}

#[test]
fn numbers() {
    // A truth value as a number.
    check(
        |w| {
            let (b, one, zero) = (w.var("b"), w.terms.int(1), w.terms.int(0));
            let number = w.terms.ite(b, one, zero);
            let i = w.var("i");
            w.terms.eq(i, number)
        },
        "i == (b != 0 ? 1 : 0)",
        "i == b",
    );
    check(
        |w| {
            let (i, j, k) = (w.var("i"), w.var("j"), w.var("k"));
            let product = w.terms.mul(i, j);
            w.terms.le(product, k)
        },
        "i * j <= k",
        "(long long)i * j <= k",
    );
    // Divisibility: signs do not matter.
    check(
        |w| {
            let (i, two, zero) = (w.var("i"), w.terms.int(2), w.terms.int(0));
            let rest = w.terms.modulo(i, two);
            w.terms.eq(rest, zero)
        },
        "i % 2 == 0",
        "i % 2 == 0",
    );
    // By what is not known: in C that might be zero.
    check(
        |w| {
            let (i, j, zero) = (w.var("i"), w.var("j"), w.terms.int(0));
            let rest = w.terms.modulo(i, j);
            w.terms.eq(rest, zero)
        },
        "i % j == 0",
        "-",
    );
    check(
        |w| {
            let (i, two, one) = (w.var("i"), w.terms.int(2), w.terms.int(1));
            let rest = w.terms.modulo(i, two);
            w.terms.eq(rest, one)
        },
        "i % 2 != 0",
        "i % 2 != 0",
    );
    check(
        |w| {
            let (i, three, one) = (w.var("i"), w.terms.int(3), w.terms.int(1));
            let rest = w.terms.modulo(i, three);
            w.terms.eq(rest, one)
        },
        "(i % 3 + 3) % 3 == 1",
        "(i % 3 + 3) % 3 == 1",
    );
    check(
        |w| {
            let (u, three, v) = (w.var("u"), w.terms.int(3), w.var("v"));
            let (rest, quotient) = (w.terms.modulo(u, three), w.terms.div(u, three));
            let (a, b) = (w.terms.eq(rest, v), w.terms.le(quotient, v));
            w.terms.and([a, b])
        },
        "u % 3 == v && u / 3 <= v",
        "u % 3 == v && u / 3 <= v",
    );
    // C's own division.
    check(
        |w| {
            let (i, three, j, zero) = (w.var("i"), w.terms.int(3), w.var("j"), w.terms.int(0));
            let minus = w.terms.neg(i);
            let (up, down) = (w.terms.div(i, three), w.terms.div(minus, three));
            let (negative, down) = (w.terms.lt(i, zero), w.terms.neg(down));
            let quotient = w.terms.ite(negative, down, up);
            w.terms.eq(quotient, j)
        },
        "i / 3 == j",
        "i / 3 == j",
    );
    check(
        |w| {
            let (i, three, j, zero) = (w.var("i"), w.terms.int(3), w.var("j"), w.terms.int(0));
            let minus = w.terms.neg(i);
            let (up, down) = (w.terms.modulo(i, three), w.terms.modulo(minus, three));
            let (negative, down) = (w.terms.lt(i, zero), w.terms.neg(down));
            let rest = w.terms.ite(negative, down, up);
            w.terms.eq(rest, j)
        },
        "i % 3 == j",
        "i % 3 == j",
    );
    // Wrap-around.
    check(
        |w| {
            let (u, v, size) = (w.var("u"), w.var("v"), w.terms.int(1i64 << 32));
            let sum = w.terms.add(u, v);
            let wrapped = w.terms.modulo(sum, size);
            w.terms.eq(wrapped, u)
        },
        "(unsigned int)(u + v) == u",
        "(unsigned int)((long long)u + v) == u",
    );
}

#[test]
fn patterns() {
    check(
        |w| {
            let (u, v, one) = (w.bits("u"), w.bits("v"), w.terms.bv(1, 32));
            let sum = w.terms.bv_binary(BvBinary::Add, u, one);
            w.terms.eq(sum, v)
        },
        "v == (unsigned int)(u + 1)",
        "v == u + 1",
    );
    check(
        |w| {
            let (i, j) = (w.bits("i"), w.bits("j"));
            let both = w.terms.bv_binary(BvBinary::And, i, j);
            let less = w.terms.bv_compare(BvCompare::Slt, i, j);
            let zero = w.terms.bv(0, 32);
            let equal = w.terms.eq(both, zero);
            w.terms.and([less, equal])
        },
        "i < j && (i & j) == 0",
        "i < j && (i & j) == 0",
    );
    check(
        |w| {
            let (i, u) = (w.bits("i"), w.bits("u"));
            w.terms.bv_compare(BvCompare::Ule, i, u)
        },
        "(unsigned int)i <= u",
        "(unsigned int)i <= u",
    );
    check(
        |w| {
            let (u, three, v) = (w.bits("u"), w.terms.bv(3, 32), w.bits("v"));
            let shifted = w.terms.bv_binary(BvBinary::Lshr, u, three);
            w.terms.bv_compare(BvCompare::Ult, shifted, v)
        },
        "u >> 3 < v",
        "u >> 3 < v",
    );
}

#[test]
fn no_wider_type() {
    let mut world = World { terms: Terms::new() };
    let formula = world.zero(&[(1, "l"), (-1, "m")], -1);
    assert_eq!(world.shown(formula, DataModel::Ilp32, Dialect::C), "-");
    assert_eq!(world.shown(formula, DataModel::Ilp32, Dialect::Acsl), "l == m + 1");
}

/// A formula that shares its parts is as long as it is when printed.
#[test]
fn large_formulas_have_no_text() {
    let mut world = World { terms: Terms::new() };
    let mut number = world.var("i");
    for _ in 0..40 {
        let (b, more) = (world.var("b"), world.terms.add(number, number));
        let square = world.terms.mul(number, more);
        number = world.terms.ite(b, square, more);
    }
    let j = world.var("j");
    let formula = world.terms.le(number, j);
    assert_eq!(world.shown(formula, DataModel::Lp64, Dialect::Acsl), "-");
}

/// Values of a proof have the names of the source, where these are clear.
#[test]
fn names() {
    let text = "int g;
        int f(int n) { int g = n; { int x = 1; g += x; } { int x = 2; g += x; } return g + 1; }
        int late(void);
        int main(void) { static int s; int i = f(1); s = i + (i ? g : 2); return late(); }
        int after; int late(void) { return after; }";
    let program = instrumented(text, Property::UnreachCall);
    let find = |name: &str, nth: usize| -> VarId {
        let mut all = program.vars.iter().filter(|(_, v)| v.name == name);
        all.nth(nth).unwrap_or_else(|| panic!("no {name}")).0
    };
    let (f, main) = (program.proc_named("f").unwrap(), program.main);
    let mut draft = Draft::new(&program, Property::UnreachCall);
    let result = program.procs[f].result.unwrap();
    let cases = [
        (main, Meaning::now(find("g", 0)), "g <= 5", "g <= 5"),
        (main, Meaning::now(find("s", 0)), "s <= 5", "s <= 5"),
        (f, Meaning::now(find("n", 0)), "n <= 5", "n <= 5"),
        (f, Meaning::entry(find("n", 0)), "\\old(n) <= 5", "-"),
        (f, Meaning::now(result), "\\result <= 5", "-"),
        // Another variable of the name may be meant.
        (f, Meaning::now(find("g", 0)), "-", "-"),
        (f, Meaning::now(find("x", 0)), "-", "-"),
        // Nothing of that name is known there.
        (f, Meaning::now(find("s", 0)), "-", "-"),
        (main, Meaning::now(find("after", 0)), "-", "-"),
    ];
    let five = draft.terms().int(5);
    let formulas: Vec<Term> = cases
        .iter()
        .map(|(_, meaning, ..)| {
            let symbol = draft.symbol(*meaning, Sort::Int);
            draft.terms().le(symbol, five)
        })
        .collect();
    let proof = draft.finish();
    for ((proc, meaning, acsl, c), formula) in cases.into_iter().zip(formulas) {
        let shown = [Dialect::Acsl, Dialect::C].map(|dialect| {
            show::formula(&program, &proof, proc, formula, dialect).unwrap_or("-".to_owned())
        });
        assert_eq!([shown[0].as_str(), shown[1].as_str()], [acsl, c], "{meaning:?}");
    }
}
