//! What expressions mean, and what is refused.

use std::collections::BTreeMap;

use lakatos_ir::DataModel;
use lakatos_witness::expression::{Language, Moment, Place, Reader, Unreadable};
use lakatos_witness::outline::Outline;

use crate::{Formula, compile};

const PROGRAM: &str = "int g, a[2][3]; extern int e[];
int main(void) {
    int i = 0, j = 0; unsigned int u = 0, v = 0; long l = 0; unsigned long w = 0;
    signed char c = 0; unsigned char d = 0; _Bool b = 0; int *p = 0; double x = 0;
    { int i = 1; g = i; }
    return 0;
}
int f(int n) { n = n + 1; g = n; return n; }
";

fn read(
    text: &str,
    language: Language,
    model: DataModel,
    function: &str,
    before: &str,
    moment: Moment,
) -> Result<Formula, Unreadable> {
    let program = compile(PROGRAM, model);
    let outline = Outline::new(&program);
    let proc = program.proc_named(function).expect("it is defined");
    let scope = PROGRAM.find(before).expect("it is there") as u32;
    let mut reader = Reader::new(program, &outline);
    let condition = reader.condition(text, language, Place { proc, scope, moment })?;
    Ok(Formula::of(&reader.program, condition))
}

/// Values by name: `i=1 u=2`.
fn values(text: &str) -> BTreeMap<String, i128> {
    let pairs = text.split_whitespace().map(|pair| pair.split_once('=').expect("a pair"));
    pairs.map(|(name, value)| (name.to_owned(), value.parse().expect("a number"))).collect()
}

#[track_caller]
fn check_in(text: &str, language: Language, model: DataModel, given: &str, expected: bool) {
    let formula = read(text, language, model, "main", "return 0", Moment::Here);
    let formula = formula.unwrap_or_else(|unreadable| panic!("{unreadable}"));
    assert_eq!(formula.holds(&values(given)), expected, "{text} with {given}");
}

#[track_caller]
fn c(text: &str, given: &str, expected: bool) {
    check_in(text, Language::C, DataModel::Lp64, given, expected);
}

#[track_caller]
fn acsl(text: &str, given: &str, expected: bool) {
    check_in(text, Language::Acsl, DataModel::Lp64, given, expected);
}

#[test]
fn operators() {
    c("i + 2 * j == 7", "i=1 j=3", true);
    c("i - j - 1 == 0", "i=5 j=4", true);
    c("-i / 2 == -3 && -i % 2 == -1", "i=7", true);
    c("i << 2 == 20 && i >> 1 == 2", "i=5", true);
    c("(i & j) == 1 && (i | j) == 7 && (i ^ j) == 6", "i=3 j=5", true);
    c("~i == -6", "i=5", true);
    c("!i || j", "i=1 j=0", false);
    c("i ? j == 2 : j == 3", "i=1 j=2", true);
    c("i ? 4 : j", "i=0 j=0", false);
    c("i == 0x1f && j == 017 && c == 'a'", "i=31 j=15 c=97", true);
    c("+i >= 0 && (i) < ((j))", "i=1 j=2", true);
    c("sizeof(long) == 8 && sizeof(unsigned char) == 1", "", true);
    c("b == 1 && !b == 0", "b=1", true);
}

/// Types and conversions of C.
#[test]
fn conversions() {
    // Unsigned arithmetic wraps around.
    c("u - 1 > 0", "u=0", true);
    c("u + v == 1", "u=4294967295 v=2", true);
    c("w + 1 == 0", "w=18446744073709551615", true);
    // The usual arithmetic conversions make a negative number large.
    c("i < u", "i=-1 u=5", false);
    c("(long)i < u", "i=-1 u=5", true);
    c("l < u", "l=-1 u=5", true);
    c("l < w", "l=-1 w=5", false);
    // Small types are promoted.
    c("d + d == 510", "d=255", true);
    c("(unsigned char)(d + 1) == 0", "d=255", true);
    c("c == -1 && (unsigned char)c == 255", "c=-1", true);
    c("(_Bool)i == 1 && (int)u == -1", "i=7 u=4294967295", true);
    c("(uint8_t)i == 1 && (size_t)i > 4294967295", "i=-255", true);
    // Constants have the first type that has them.
    c("-1 < 2147483648", "", true);
    c("-1 < 2147483648u", "", false);
    c("-1 < 0x80000000", "", false);
    c("4294967296 > 0 && 1ull << 63 == 9223372036854775808ull", "", true);
    // C's comparisons are numbers.
    c("3 > 2 > 1", "", false);
    c("(i < j) + (j < 9) == 2", "i=1 j=2", true);
}

/// As other tools write.
#[test]
fn styles() {
    c("(long long )i + 254LL >= (long long )j", "i=-2147483648 j=-2147483648", true);
    c("( ( 0 <= i ) && ( i <= 5 ) )", "i=3", true);
    c("(((((long long) i + 1) <= 4) && (0 <= i)) || (i == 7))", "i=3", true);
    c("!(i == 3) || (unsigned int)j >= 0U", "i=3 j=1", true);
    c("(i==1&&j!=2)||(i>=2)", "i=1 j=1", true);
}

/// No text makes the reader fail otherwise than with a message.
#[test]
fn any_text_is_read_or_refused() {
    let program = compile(PROGRAM, DataModel::Lp64);
    let outline = Outline::new(&program);
    let proc = program.main;
    let scope = PROGRAM.find("return 0").unwrap() as u32;
    let mut reader = Reader::new(program, &outline);
    let pieces = [
        "i",
        "u",
        "(",
        ")",
        "+",
        "-",
        "*",
        "/",
        "%",
        "<<",
        "<=",
        "==",
        "==>",
        "&&",
        "!",
        "~",
        "?",
        ":",
        "0x",
        "1",
        "ull",
        " ",
        "\\",
        "old",
        "\\at(i, Pre)",
        "'a'",
        "'",
        "é",
        "\"",
        "[",
        ",",
        "(int)",
        "sizeof(long)",
        "99999999999999999999",
        "\n",
        "$",
        "_Bool",
        "unsigned",
        "Pre",
    ];
    let mut rng = fastrand::Rng::with_seed(9);
    let mut read = 0;
    for _ in 0..4000 {
        let text: String =
            (0..rng.usize(1..9)).map(|_| pieces[rng.usize(..pieces.len())]).collect();
        for language in [Language::C, Language::ExtendedC, Language::Acsl] {
            let place = Place { proc, scope, moment: Moment::Here };
            match reader.condition(&text, language, place) {
                Ok(_) => read += 1,
                Err(unreadable) => {
                    assert!(unreadable.column <= text.chars().count() + 1, "{unreadable}");
                }
            }
        }
    }
    assert!(read > 100, "only {read}");
}

#[test]
fn data_models() {
    let ilp32 = |text: &str, given: &str, expected: bool| {
        check_in(text, Language::C, DataModel::Ilp32, given, expected);
    };
    ilp32("sizeof(long) == 4", "", true);
    // `long` is no wider than `unsigned int` there.
    ilp32("l < u", "l=-1 u=5", false);
    ilp32("2147483648 > 0", "", true);
}

/// An expression that is undefined is not true, whatever it says.
#[test]
fn undefined_is_not_true() {
    c("i + 1 > i || 1", "i=2147483647", false);
    c("1 || i + 1 > i", "i=2147483647", true);
    c("10 / i >= 0", "i=0", false);
    c("i != 0 && 10 / i >= 0", "i=5", true);
    c("i << j >= 0", "i=1 j=32", false);
    c("-i <= 0", "i=-2147483648", false);
    c("i / j < 0 || 1", "i=-2147483648 j=-1", false);
}

#[test]
fn mathematical_integers() {
    acsl("i + 1 > i", "i=2147483647", true);
    acsl("u - 1 < 0", "u=0", true);
    acsl("i < u", "i=-1 u=5", true);
    acsl("l + l == 18446744073709551614", "l=9223372036854775807", true);
    acsl("-i == 2147483648 && i / -1 == 2147483648", "i=-2147483648", true);
    acsl("0 <= i < j <= 10", "i=3 j=5", true);
    acsl("0 <= i < j <= 10", "i=5 j=5", false);
    acsl("i == 1 ==> j == 2 ==> u == 3", "i=1 j=2 u=4", false);
    acsl("i == 1 ==> j == 2", "i=0", true);
    acsl("i == 1 <==> j == 1", "i=1 j=1", true);
    acsl("i == 1 ^^ j == 1", "i=1 j=1", false);
    acsl("\\true && !\\false", "", true);
    acsl("(unsigned char)i == 1 && (integer)i == 257", "i=257", true);
    acsl("i << 40 == 1099511627776 && l >> 1 == -1", "i=1 l=-1", true);
    acsl("~i == -2 && (i & 3) == 1", "i=1", true);
    acsl("b ? i == 1 : i == 2", "b=1 i=1", true);
}

/// Names mean what they mean at the place.
#[test]
fn scopes() {
    let at = |before: &str, given: &str| {
        let read = read("i == 1", Language::C, DataModel::Lp64, "main", before, Moment::Here);
        read.map(|formula| formula.holds(&values(given))).map_err(|e| e.message)
    };
    assert_eq!(at("g = i", "i=1"), Ok(true));
    assert_eq!(at("int i = 0", "i=1"), Err("`i` means nothing there".to_owned()));
    // Both are called so; the inner one is meant inside, the outer one outside.
    let program = compile(PROGRAM, DataModel::Lp64);
    let outline = Outline::new(&program);
    let meant = |before: &str| {
        let at = PROGRAM.find(before).unwrap() as u32;
        outline.variable(&program, program.main, at, "i").unwrap()
    };
    assert_ne!(meant("g = i"), meant("return 0"));
}

/// Parameters in postconditions are what they were when the function was called.
#[test]
fn contracts() {
    let f = program_of_f();
    assert!(f("\\result == n + 1", Moment::Exit).unwrap().terms.display_all().contains("\\old(n)"));
    assert!(f("g == \\at(g, Pre) + \\old(n)", Moment::Exit).is_ok());
    let entry = f("n >= \\old(n)", Moment::Entry).unwrap();
    assert!(entry.holds(&values("n=3")));
    let here = f("n == \\old(n) + 1", Moment::Here).unwrap();
    assert!(here.holds(&[("n".to_owned(), 4), ("\\old(n)".to_owned(), 3)].into()));
    let message = |text: &str, moment| f(text, moment).map(drop).unwrap_err().message;
    assert_eq!(message("\\result == 0", Moment::Entry), "there is no result here");
    assert_eq!(
        message("\\old(n + 1) > 0", Moment::Exit),
        "`\\old` is supported for variables only"
    );
}

fn program_of_f() -> impl Fn(&str, Moment) -> Result<Formula, Unreadable> {
    |text: &str, moment| read(text, Language::ExtendedC, DataModel::Lp64, "f", "n = n + 1", moment)
}

trait DisplayAll {
    fn display_all(&self) -> String;
}

impl DisplayAll for lakatos_logic::term::Terms {
    fn display_all(&self) -> String {
        format!("{self:?}")
    }
}

/// Messages name what is not supported, and where.
#[test]
fn refused() {
    let check = |text: &str, language: Language, message: &str, column: usize| {
        let read = read(text, language, DataModel::Lp64, "main", "return 0", Moment::Here);
        let unreadable = read.map(drop).expect_err(text);
        let start: String = text.chars().take(40).collect();
        assert_eq!((unreadable.message.as_str(), unreadable.column), (message, column), "{start}");
    };
    check("a[i] == 0", Language::Acsl, "arrays are not supported", 2);
    check("a[i] == 0", Language::C, "this element is no integer", 2);
    check("a[i][j][0] == 0", Language::C, "this is no array", 8);
    check("i[0] == 0", Language::C, "this is no array", 2);
    check("(i + 1)[0] == 0", Language::C, "this is no array", 4);
    check("p[0] == 0", Language::C, "pointers are not supported", 2);
    check("e[0] == 0", Language::C, "`e` means nothing there", 1);
    check("\\old(a[0][0]) == 0", Language::ExtendedC, "`\\old` is supported for variables only", 1);
    check("a[0][0].x == 0", Language::C, "members are not supported", 8);
    check("a == 0", Language::C, "`a` is no integer", 1);
    check("*p == 0", Language::C, "pointers are not supported", 1);
    check("p == 0", Language::C, "`p` is no integer", 1);
    check("s.x == 0", Language::C, "members are not supported", 2);
    check("s->x == 0", Language::C, "members are not supported", 2);
    check("f(i) == 0", Language::C, "calls are not supported", 2);
    check("i++ == 0", Language::C, "side effects are not supported", 2);
    check("x > 0.5", Language::C, "floating-point numbers are not supported", 5);
    check("x > 1", Language::C, "`x` is no integer", 1);
    check("(float)i > 1", Language::C, "floating-point numbers are not supported", 1);
    check("nothing == 1", Language::C, "`nothing` means nothing there", 1);
    check("i = 1", Language::C, "`=` is not expected here", 3);
    check("i ==", Language::C, "an operand is missing", 5);
    check("(i == 1", Language::C, "`)` is missing", 8);
    check("i == 1 j", Language::C, "`j` is not expected here", 8);
    check("", Language::C, "an operand is missing", 1);
    check("i == 1 ==> j == 1", Language::C, "`==>` is ACSL, and the format says C", 8);
    check("\\result == 1", Language::C, "`\\result` is ACSL, and the format says C", 1);
    check("\\forall int k; k > 0", Language::Acsl, "`\\forall` is not supported", 1);
    check("i == 99999999999999999999", Language::C, "`99999999999999999999` is too large", 6);
    check("i == 09", Language::C, "`09` is no integer", 6);
    check("i # 1", Language::C, "`#` has no meaning here", 3);
    let deep = format!("{}i{}", "(".repeat(10_000), ")".repeat(10_000));
    check(&deep, Language::C, "this is nested too deeply", 201);
    check(&"-".repeat(5000), Language::C, "`--` is not expected here", 1);
    check(&"!".repeat(5000), Language::C, "this is nested too deeply", 200);
    let deep = [
        "(int)".repeat(5000) + "i",
        "a[".repeat(5000),
        "i ? ".repeat(5000),
        "i ? i : ".repeat(5000),
        vec!["i"; 1_000_000].join(" + "),
        vec!["i"; 1_000_000].join(" < "),
        "i ==> ".repeat(5000),
        vec!["i"; 1_000_000].join(" <==> "),
        "\\old(".repeat(5000),
    ];
    for text in deep {
        for language in [Language::C, Language::ExtendedC, Language::Acsl] {
            let read = read(&text, language, DataModel::Lp64, "main", "return 0", Moment::Here);
            let start: String = text.chars().take(40).collect();
            match read {
                Err(_) => {}
                // A chain of comparisons is no deeper than one of them.
                Ok(_) => assert!(start.contains('<') && language == Language::Acsl, "{start}"),
            }
        }
    }
    // Lazy operators may be grouped in any way.
    for op in [" && ", " || "] {
        let all = vec!["i"; 1_000_000].join(op);
        c(&all, "i=1", true);
        c(&all, "i=0", false);
    }
}
