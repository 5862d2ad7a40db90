//! Questions about basic types, conversions, constants and expressions.

use lakatos_ir::DataModel;

use super::{Sheet, type_code};
use crate::generate::{self, Kind, Rng};

/// Arithmetic types, integers first.
pub fn basic_types(model: DataModel) -> Vec<&'static str> {
    let integers = Kind::all(model).iter().map(|k| k.spellings()[0]);
    integers.chain(["float", "double", "long double"]).collect()
}

pub fn sheets(model: DataModel) -> Vec<Sheet> {
    vec![
        sizes(model),
        conversions(model),
        integer_constants(model),
        enumerations(model),
        expressions(model),
    ]
}

fn sizes(model: DataModel) -> Sheet {
    let mut questions = Vec::new();
    let others = ["void *", "int (*)(void)", "char[7]", "long long[3][2]", "double *[2]"];
    for ty in basic_types(model).into_iter().chain(others) {
        questions.push(format!("sizeof({ty})"));
        questions.push(format!("_Alignof({ty})"));
    }
    for kind in Kind::all(model) {
        for spelling in kind.spellings() {
            questions.push(format!("sizeof({spelling})"));
            questions.push(format!("({spelling})-1 < 0"));
            questions.push(type_code(&format!("({spelling})1"), model));
        }
    }
    Sheet { declarations: String::new(), questions }
}

/// Every operator with every pair of types.
fn conversions(model: DataModel) -> Sheet {
    let types = basic_types(model);
    let integers = Kind::all(model).len();
    let mut questions = Vec::new();
    for (n, a) in types.iter().enumerate() {
        for op in ["+", "-", "!"] {
            questions.push(type_code(&format!("{op}({a})1"), model));
        }
        if n < integers {
            questions.push(type_code(&format!("~({a})1"), model));
        }
        for (m, b) in types.iter().enumerate() {
            let both_integers = n < integers && m < integers;
            let operators: &[&str] = if both_integers {
                &["+", "*", "<<", "%", "&", "<", "&&"]
            } else {
                &["+", "/", "=="]
            };
            for op in operators {
                questions.push(type_code(&format!("({a})1 {op} ({b})1"), model));
            }
            questions.push(type_code(&format!("1 ? ({a})1 : ({b})1"), model));
            questions.push(type_code(&format!("(({a})1, ({b})1)"), model));
        }
    }
    Sheet { declarations: String::new(), questions }
}

fn integer_constants(model: DataModel) -> Sheet {
    let mut questions = Vec::new();
    let values: [u64; 12] = [
        0,
        1,
        0x7fff_ffff,
        0x8000_0000,
        0xffff_ffff,
        0x1_0000_0000,
        0x7fff_ffff_ffff_ffff,
        0x8000_0000_0000_0000,
        0xffff_ffff_ffff_ffff,
        255,
        65536,
        0x1234_5678_9abc,
    ];
    let suffixes = ["", "u", "U", "l", "L", "ul", "UL", "lu", "ll", "LL", "ull", "LLU", "uLL"];
    for value in values {
        for suffix in suffixes {
            let forms = [
                format!("{value}{suffix}"),
                format!("0x{value:x}{suffix}"),
                format!("0{value:o}{suffix}"),
                format!("0b{value:b}{suffix}"),
            ];
            for form in forms {
                // Decimal constants without `u` beyond `long long` have no agreed type.
                let unsigned = suffix.to_ascii_lowercase().contains('u');
                if !form.starts_with('0') && value > i64::MAX as u64 && !unsigned {
                    continue;
                }
                questions.push(type_code(&form, model));
                questions.push(form);
            }
        }
    }
    let characters = [
        "'a'", "'\\n'", "'\\0'", "'\\377'", "'\\x80'", "'\\x7f'", "'\\''", "'\\\\'", "'\\a'",
        "'\\v'", "'\\e'", "'\\?'", "L'a'", "'\\1'", "'\\12'", "'\\123'", "u'a'", "U'a'",
    ];
    for character in characters {
        questions.push(type_code(character, model));
        questions.push(character.to_string());
    }
    for text in
        ["\"\"", "\"abc\"", "\"a\\0b\"", "\"\\x41\" \"1\"", "L\"abc\"", "u8\"ab\"", "\"\\1234\""]
    {
        questions.push(format!("sizeof {text}"));
        questions.push(format!("sizeof {text}[0]"));
    }
    for float in ["1.0", "1.f", "1e3", "1.L", "0x1p3", "0x.8p1f", "125.e-3l", ".5F"] {
        questions.push(type_code(float, model));
        // Arithmetic on `long double` is typed, but not done.
        if !float.ends_with(['l', 'L']) {
            // The interpreter does not compute with `long double`.
            let is_long = float.ends_with(['l', 'L']);
            let scale = if is_long { "" } else { " * 8" };
            questions.push(format!("(int)({float}{scale})"));
        }
    }
    Sheet { declarations: String::new(), questions }
}

fn enumerations(model: DataModel) -> Sheet {
    let declarations = "\
enum small { A, B, C = 10, D };
enum negative { E = -1, F, G = 5 + 2 * 3, H = G << 1 };
enum large { I = 0x7fffffff };
enum unsigned_large { J = 0xffffffffu };
enum characters { K = 'x', L = sizeof(long), M = -'a' };
enum __attribute__((packed)) narrow { N, O = 200 };
struct bits {
  unsigned u5 : 5; int s5 : 5; unsigned u31 : 31; unsigned u32 : 32; int s32 : 32; int s31 : 31;
  _Bool b : 1; unsigned char c : 3; signed char d : 3; unsigned short e : 16; short f : 9;
  enum small g : 4; enum negative h : 6; unsigned long i : 7; long j : 12; char k : 8;
  unsigned long long l : 30; long long m : 31;
} s;
enum small es; enum negative en; enum large el; enum unsigned_large eu; enum narrow ew;
"
    .to_string();
    let mut questions = Vec::new();
    for tag in ["small", "negative", "large", "unsigned_large", "characters", "narrow"] {
        questions.push(format!("sizeof(enum {tag})"));
        questions.push(format!("(enum {tag})-1 < 0"));
        questions.push(format!("_Alignof(enum {tag})"));
    }
    for constant in ["A", "B", "C", "D", "E", "F", "G", "H", "I", "K", "L", "M", "N", "O"] {
        questions.push(constant.to_string());
        questions.push(type_code(constant, model));
    }
    questions.push("J".to_string());
    for var in ["es", "en", "el", "eu", "ew"] {
        for form in ["+{}", "{} + 1", "{} << 1", "1 ? {} : 0", "{} * 1L", "-{}"] {
            questions.push(type_code(&form.replace("{}", var), model));
        }
    }
    for field in "u5 s5 u31 u32 s32 s31 b c d e f g h i j k l m".split(' ') {
        for form in [
            "+{}",
            "{} + 1",
            "~{}",
            "{} << 1",
            "{} + 1u",
            "{} * 1L",
            "1 ? {} : 0",
            "({} = 1) + 0",
            "({} += 1) + 0",
            "{}++ + 0",
            "--{} + 0",
            "(0, {}) + 0",
            "({ {}; }) + 0",
            "({} ?: {}) + 0",
        ] {
            questions.push(type_code(&form.replace("{}", &format!("s.{field}")), model));
        }
    }
    questions.push("sizeof(struct bits)".to_string());
    Sheet { declarations, questions }
}

/// Expressions with one answer that is easy to get wrong.
fn expressions(model: DataModel) -> Sheet {
    let declarations = "\
char c; short s; int i; unsigned u; long l; unsigned char uc; _Bool b; float f; double d;
int *p, *q; const int *pc; void *v; char str[] = \"hello\"; int a[3][4]; int (*fp)(char);
struct t { int x; short y[3]; } t, *tp; int fn(char);
typedef int T; typedef T A[5];
"
    .to_string();
    let typed = [
        "sizeof i",
        "_Alignof(int)",
        "p - q",
        "p < q",
        "!p",
        "p && q",
        "p == 0",
        "*p",
        "&i",
        "p + 1",
        "1 + p",
        "p[0]",
        "1[p]",
        "str",
        "str + 1",
        "*str",
        "&str[1]",
        "a[0]",
        "*a[0]",
        "**a",
        "a[1][2]",
        "fn(1)",
        "fp(1)",
        "(*fp)(1)",
        "t.x",
        "t.y",
        "t.y[0]",
        "tp->x",
        "tp->y[1]",
        "&tp->x",
        "c = 300",
        "uc += i",
        "c++",
        "--s",
        "b = i",
        "b++",
        "f = i",
        "f + 1",
        "f + d",
        "f * 1.f",
        "i ? f : i",
        "i ? p : 0",
        "i ? p : v",
        "i ? 0 : p",
        "i ? (void *)0 : p",
        "c << l",
        "l << c",
        "uc << 1",
        "u >> l",
        "-uc",
        "~uc",
        "!l",
        "i, l",
        "({ c; })",
        "({ i; l; })",
        "(T)c",
        "u ?: l",
        "c ?: c",
        "sizeof(A) / sizeof(T)",
        "__builtin_offsetof(struct t, y)",
        "\"abc\"",
        "\"abc\"[0]",
        "&\"abc\"[0]",
        "i & u",
        "s | s",
        "s == s",
        "b + b",
        "-b",
        "c < u",
        "(char)1",
        "(short)1 + 1",
    ];
    let mut questions: Vec<String> = typed.iter().map(|e| type_code(e, model)).collect();
    questions.extend(typed.iter().map(|e| format!("sizeof({e})")));
    for size in [
        "a", "a[0]", "&a", "*a", "str", "t", "tp", "*tp", "A", "T", "fp", "t.y", "struct t", "A[2]",
    ] {
        questions.push(format!("sizeof({size})"));
    }
    for field in ["x", "y", "y[2]"] {
        questions.push(format!("__builtin_offsetof(struct t, {field})"));
    }
    questions.push("__builtin_types_compatible_p(T, int)".to_string());
    questions.push("__builtin_types_compatible_p(long, int)".to_string());
    Sheet { declarations, questions }
}

/// Types and sizes of random expressions, and values of random constant expressions.
pub fn random(rng: &mut Rng, model: DataModel) -> Sheet {
    let mut declarations = String::new();
    let types = basic_types(model);
    for (n, ty) in types.iter().enumerate() {
        declarations.push_str(&format!("{ty} v{n}; {ty} f{n}(void); {ty} *p{n};\n"));
    }
    let mut questions = Vec::new();
    let integers = Kind::all(model).len();
    for _ in 0..60 {
        let depth = rng.range(1, 4) as u32;
        let e = if rng.percent(70) {
            expression(rng, depth, integers, integers)
        } else {
            expression(rng, depth, types.len(), integers)
        };
        questions.push(type_code(&e, model));
        questions.push(format!("sizeof({e})"));
    }
    let (enums, constants) = generate::constant_expressions(rng.bits(), model, 40);
    declarations.push_str(&enums);
    for e in constants {
        questions.push(type_code(&e, model));
        questions.push(e);
    }
    Sheet { declarations, questions }
}

/// An expression over the first `among` types; the first `integers` of them are integers.
fn expression(rng: &mut Rng, depth: u32, among: usize, integers: usize) -> String {
    let only_integers = among <= integers;
    if depth == 0 {
        let n = rng.below(among);
        return match rng.below(8) {
            0 => rng.range(0, 99).to_string(),
            1 => format!("f{n}()"),
            2 => format!("*p{n}"),
            3 => format!("p{n}[1]"),
            4 => format!("v{n}++"),
            5 => "'x'".to_string(),
            _ => format!("v{n}"),
        };
    }
    let sub = |rng: &mut Rng| expression(rng, depth - 1, among, integers);
    let n = rng.below(among);
    match rng.below(12) {
        0 => format!("({}) ? ({}) : ({})", sub(rng), sub(rng), sub(rng)),
        1 => format!("-({})", sub(rng)),
        2 if only_integers => format!("~({})", sub(rng)),
        3 => format!("!({})", sub(rng)),
        4 => format!("v{n} = ({})", sub(rng)),
        5 => format!("({}, {})", sub(rng), sub(rng)),
        6 => format!("sizeof({}) + ({})", sub(rng), sub(rng)),
        7 if only_integers => format!("({}) << ({})", sub(rng), sub(rng)),
        8 => format!("({}) < ({})", sub(rng), sub(rng)),
        9 => format!("({}) && ({})", sub(rng), sub(rng)),
        10 => format!("v{n} += ({})", sub(rng)),
        _ => {
            let op = if only_integers {
                *rng.pick(&["+", "-", "*", "/", "%", "&", "|", "^"])
            } else {
                *rng.pick(&["+", "-", "*", "/"])
            };
            format!("({}) {op} ({})", sub(rng), sub(rng))
        }
    }
}
