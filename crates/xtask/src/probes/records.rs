//! Random structs and unions with attributes and pragmas: questions about their layout, and
//! programs that show where their bit-fields lie.

use lakatos_ir::DataModel;

use super::Sheet;
use crate::generate::{Kind, Rng};

/// Records of one sheet.
pub const RECORDS: usize = 10;

/// What a sheet may use.
#[derive(Clone, Copy, Debug)]
pub struct Dialect {
    pub model: DataModel,
    /// Only what clang lays out as GCC does.
    pub common: bool,
}

/// Types that records are made of, besides the basic ones and earlier records.
const TYPES: &str = "\
enum color { RED, GREEN = 200 };
enum wide { WIDE = 0x100000000ll };
enum narrow { N0, N1 = 3 } __attribute__((packed));
enum narrow_sign { S0 = -1, S1 } __attribute__((packed));
struct three { char a[3]; }; struct eight { char a[8]; }; struct sixteen { char a[16]; };
union word_or_bytes { int w; char b[4]; };
typedef int less __attribute__((aligned(2)));
typedef char more __attribute__((aligned(4)));
typedef long long lowest __attribute__((aligned(1)));
typedef double highest __attribute__((aligned(16)));
typedef int block[3] __attribute__((aligned(16)));
typedef struct three spread __attribute__((aligned(8)));
typedef int quarter __attribute__((mode(QI)));
typedef unsigned half __attribute__((mode(HI)));
typedef int twice __attribute__((mode(DI)));
typedef float doubled __attribute__((mode(DF)));
typedef float extended __attribute__((__mode__(__XF__)));
typedef int word __attribute__((mode(word)));
typedef unsigned address __attribute__((mode(pointer)));
typedef _Complex float complex_double __attribute__((mode(DC)));
";

/// GCC's own.
const GNU_TYPES: &str = "\
enum moded { M0, M1 } __attribute__((mode(HI)));
enum __attribute__((mode(DI))) moded_sign { D0 = -1, D1 };
enum raised { A0 } __attribute__((aligned(8)));
enum raised_wide { W0 = 0x100000000ll } __attribute__((aligned(2)));
typedef enum color small_color __attribute__((mode(QI)));
typedef float quad __attribute__((mode(TF)));
";

/// Types of members, and whether there may be arrays of them.
const MEMBERS: &[(&str, bool)] = &[
    ("enum color", true),
    ("enum wide", true),
    ("enum narrow", true),
    ("struct three", true),
    ("struct eight", true),
    ("struct sixteen", true),
    ("union word_or_bytes", true),
    ("less", true),
    ("more", false),
    ("lowest", true),
    ("highest", false),
    ("block", false),
    ("spread", false),
    ("quarter", true),
    ("half", true),
    ("twice", true),
    ("doubled", true),
    ("extended", true),
    ("word", true),
    ("address", true),
    ("complex_double", true),
    ("_Complex float", true),
    ("_Complex double", true),
    ("_Complex long double", true),
    ("void *", true),
    ("volatile long long", true),
    ("__builtin_va_list", true),
];

const GNU_MEMBERS: &[(&str, bool)] = &[
    ("enum moded", true),
    ("enum moded_sign", true),
    ("enum raised", true),
    ("enum raised_wide", true),
    ("small_color", true),
    ("quad", true),
    ("__float128", true),
    ("_Atomic char", true),
    ("_Atomic int", true),
    ("_Atomic long long", true),
    ("_Atomic(long long)", true),
    ("_Atomic double", true),
    ("_Atomic _Complex float", true),
    ("_Atomic(struct three)", true),
    ("_Atomic(struct eight)", true),
    ("const _Atomic(struct sixteen)", true),
    ("int * __attribute__((aligned(16)))", false),
    ("long long __attribute__((mode(DI)))", false),
];

/// Types of bit-fields besides the basic ones, with their widths.
const BIT_FIELDS: &[(&str, i64)] =
    &[("enum color", 32), ("enum narrow", 8), ("quarter", 8), ("half", 16), ("twice", 64)];

const GNU_BIT_FIELDS: &[(&str, i64)] = &[
    ("enum wide", 64),
    ("enum narrow_sign", 8),
    ("enum moded", 16),
    ("enum moded_sign", 64),
    ("less", 32),
    ("more", 8),
    ("lowest", 64),
];

/// A record under construction.
#[derive(Debug, Default)]
struct Record {
    body: String,
    /// Paths of fields that have an offset.
    addressable: Vec<String>,
    /// Bit-fields with the value that sets all their bits.
    bits: Vec<(String, &'static str)>,
    /// It ends in a flexible array, so that no other record may hold it.
    open: bool,
}

/// The pragmas that are in force.
#[derive(Debug, Default)]
struct Pragmas {
    /// Labels of the pushes that are open.
    pushes: Vec<Option<usize>>,
    next_label: usize,
}

/// Random records with their names.
struct Records {
    text: String,
    records: Vec<Record>,
}

/// Questions about random records, and a program that sets each of their bit-fields in turn and
/// shows all bytes.
pub fn random(rng: &mut Rng, dialect: Dialect) -> (Sheet, String) {
    let Records { text, records } = records(rng, dialect);
    let mut questions = Vec::new();
    for (n, record) in records.iter().enumerate() {
        questions.push(format!("sizeof(R{n})"));
        questions.push(format!("_Alignof(R{n})"));
        questions.push(format!("__alignof__(R{n})"));
        questions.push(format!("sizeof(struct {{ char c; R{n} x; }})"));
        for path in &record.addressable {
            questions.push(format!("__builtin_offsetof(R{n}, {path})"));
            if !path.ends_with("_open") {
                questions.push(format!("sizeof(((R{n} *)0)->{path})"));
            }
        }
    }
    let program = show_bits(&text, &records);
    (Sheet { declarations: text, questions }, program)
}

fn show_bits(declarations: &str, records: &[Record]) -> String {
    let mut text = format!("int printf(const char *, ...);\n{declarations}#pragma pack()\n");
    let mut main = "int main(void) {\n".to_string();
    for (n, record) in records.iter().enumerate() {
        if record.bits.is_empty() {
            continue;
        }
        text.push_str(&format!(
            "union u{n} {{ R{n} r; unsigned char bytes[sizeof(R{n})]; }} u{n};\n\
             void clear{n}(void) {{\n  for (int i = 0; i < (int)sizeof(R{n}); i++) u{n}.bytes[i] = 0;\n}}\n\
             void show{n}(void) {{\n  for (int i = 0; i < (int)sizeof(R{n}); i++) printf(\"%x \", u{n}.bytes[i]);\n  printf(\"\\n\");\n}}\n"
        ));
        for (path, value) in &record.bits {
            main.push_str(&format!("  clear{n}(); u{n}.r.{path} = {value}; show{n}();\n"));
            main.push_str(&format!("  printf(\"%lld\\n\", (long long)u{n}.r.{path});\n"));
        }
    }
    text + &main + "  return 0;\n}\n"
}

fn records(rng: &mut Rng, dialect: Dialect) -> Records {
    let mut text = TYPES.to_string();
    if !dialect.common {
        text.push_str(GNU_TYPES);
    }
    if dialect.model == DataModel::Lp64 {
        text.push_str("typedef int huge __attribute__((mode(TI)));\n");
    }
    let mut done = Records { text, records: Vec::new() };
    let mut pragmas = Pragmas::default();
    for n in 0..RECORDS {
        if rng.percent(50) {
            let pragma = pragmas.random(rng);
            done.text.push_str(&pragma);
        }
        let keyword = if rng.percent(20) { "union" } else { "struct" };
        let record = record(rng, dialect, keyword == "struct", &done.records);
        let (before, behind) = record_attributes(rng, dialect);
        let typedef = match rng.below(12) {
            0 => " __attribute__((aligned(1)))",
            1 => " __attribute__((aligned(16)))",
            _ => "",
        };
        done.text.push_str(&format!(
            "{keyword} {before} r{n} {{ {}}}{behind}; typedef {keyword} r{n} R{n}{typedef};\n",
            record.body
        ));
        done.records.push(record);
    }
    done
}

impl Pragmas {
    /// Some form of `#pragma pack`, on a line of its own.
    fn random(&mut self, rng: &mut Rng) -> String {
        let n = *rng.pick(&["1", "2", "4", "8", "16"]);
        let inner = match rng.below(9) {
            0 => String::new(),
            1 => "0".to_string(),
            2 => {
                self.pushes.push(None);
                "push".to_string()
            }
            3 => {
                self.pushes.push(None);
                format!("push, {n}")
            }
            4 => {
                let label = self.label();
                format!("push, l{label}, {n}")
            }
            5 => {
                let label = self.label();
                format!("push, l{label}")
            }
            6 if !self.pushes.is_empty() => {
                self.pushes.pop();
                "pop".to_string()
            }
            7 if self.pushes.iter().any(Option::is_some) => {
                let at = self.pushes.iter().rposition(Option::is_some).unwrap_or(0);
                let label = self.pushes[at].unwrap_or(0);
                self.pushes.truncate(at);
                format!("pop, l{label}")
            }
            _ => n.to_string(),
        };
        match rng.below(3) {
            0 => format!("_Pragma(\"pack({inner})\")\n"),
            1 => format!("#pragma pack( {inner} ) // {n}\n"),
            _ => format!("#pragma pack({inner})\n"),
        }
    }

    fn label(&mut self) -> usize {
        self.next_label += 1;
        self.pushes.push(Some(self.next_label));
        self.next_label
    }
}

/// Attributes before the tag and behind the brace.
fn record_attributes(rng: &mut Rng, dialect: Dialect) -> (&'static str, &'static str) {
    const COMMON: &[&str] = &[
        "__attribute__((packed))",
        "__attribute__((__packed__))",
        "__attribute__((aligned(16)))",
        "__attribute__((aligned(2)))",
        "__attribute__((packed, aligned(2)))",
        "__attribute__((aligned))",
        "__attribute__((may_alias, unused))",
        "__attribute__((gcc_struct))",
    ];
    const GNU: &[&str] = &[
        "__attribute__((ms_struct))",
        "__attribute__((ms_struct, packed))",
        "__attribute__((ms_struct, gcc_struct))",
        "__attribute__((ms_struct))",
        "__attribute__((aligned(8), aligned(2)))",
        "[[gnu::packed]]",
        "[[gnu::aligned(32), gnu::ms_struct]]",
        "__attribute__((scalar_storage_order(\"little\" \"-endian\")))",
    ];
    let pool = if dialect.common || rng.percent(50) { COMMON } else { GNU };
    let attribute = *rng.pick(pool);
    match rng.below(10) {
        0..2 => (attribute, ""),
        2..4 if !attribute.starts_with('[') => ("", attribute),
        _ => ("", ""),
    }
}

fn record(rng: &mut Rng, dialect: Dialect, may_be_open: bool, known: &[Record]) -> Record {
    let mut record = Record::default();
    let fields = rng.range(1, 7);
    for field in 0..fields {
        let name = format!("m{field}");
        if !dialect.common && rng.percent(2) {
            record.body.push_str(&format!("\n#pragma pack({})\n", rng.pick(&["1", "2", "4", ""])));
        }
        match rng.below(12) {
            0..4 => bit_field(rng, dialect, &name, &mut record),
            4 => anonymous(rng, dialect, &name, &mut record),
            5 if !known.is_empty() => nested(rng, dialect, &name, known, &mut record),
            6 => {
                let ty = basic(rng, dialect);
                let attribute = member_attribute(rng);
                let len = rng.range(0, 4);
                // The size of a zero-length array is not asked: Lakatos takes the last for a flexible one.
                let name = if len == 0 { format!("{name}_open") } else { name };
                record.body.push_str(&format!("{ty} {name}[{len}]{attribute}; "));
                record.addressable.push(name);
            }
            7..9 => special(rng, dialect, &name, &mut record),
            _ => {
                let attribute = member_attribute(rng);
                record.body.push_str(&format!("{} {name}{attribute}; ", basic(rng, dialect)));
                record.addressable.push(name);
            }
        }
    }
    if record.addressable.is_empty() && record.bits.is_empty() {
        record.body.push_str("char last; ");
        record.addressable.push("last".to_string());
    } else if may_be_open && !record.addressable.is_empty() && rng.percent(5) {
        record.body.push_str(&format!("{} m_open[]; ", basic(rng, dialect)));
        record.addressable.push("m_open".to_string());
        record.open = true;
    }
    record
}

fn member_attribute(rng: &mut Rng) -> &'static str {
    match rng.below(40) {
        0..3 => " __attribute__((packed))",
        3 => " __attribute__((aligned(1)))",
        4 => " __attribute__((aligned(2)))",
        5 => " __attribute__((aligned(4)))",
        6 => " __attribute__((aligned(8)))",
        7 => " __attribute__((aligned(32)))",
        8 => " __attribute__((aligned))",
        9 => " __attribute__((packed, aligned(2)))",
        10 => " __attribute__((aligned(8), packed))",
        11 => " __attribute__((aligned(8), aligned(4)))",
        _ => "",
    }
}

fn basic(rng: &mut Rng, dialect: Dialect) -> &'static str {
    let types = super::scalars::basic_types(dialect.model);
    types[rng.below(types.len())]
}

fn anonymous(rng: &mut Rng, dialect: Dialect, name: &str, record: &mut Record) {
    let keyword = if rng.percent(50) { "struct" } else { "union" };
    let (a, b) = (basic(rng, dialect), basic(rng, dialect));
    let packed = if rng.percent(15) { " __attribute__((packed))" } else { "" };
    record.body.push_str(&format!("{keyword} {{ {a} {name}x; {b} {name}y; }}{packed}; "));
    record.addressable.extend([format!("{name}x"), format!("{name}y")]);
}

fn nested(rng: &mut Rng, dialect: Dialect, name: &str, known: &[Record], record: &mut Record) {
    let other = rng.below(known.len());
    let attribute = member_attribute(rng);
    let text = match (known[other].open, rng.below(4)) {
        (true, _) => format!("{} {name}{attribute}; ", basic(rng, dialect)),
        (false, 0) => format!("__typeof__(struct {{ R{other} x; }}) {name}[2]; "),
        (false, _) => format!("R{other} {name}{attribute}; "),
    };
    record.body.push_str(&text);
    record.addressable.push(name.to_string());
}

/// A member of a type that is not basic, or with `_Alignas`.
fn special(rng: &mut Rng, dialect: Dialect, name: &str, record: &mut Record) {
    let gnu = !dialect.common && rng.percent(50);
    let (ty, arrays) = *rng.pick(if gnu { GNU_MEMBERS } else { MEMBERS });
    let attribute = member_attribute(rng);
    let text = match rng.below(8) {
        0 if arrays => format!("{ty} {name}[{}]{attribute}; ", rng.range(1, 3)),
        1 => format!("_Alignas({}) {ty} {name}; ", rng.pick(&["16", "32", "64"])),
        2 if dialect.model == DataModel::Lp64 => format!("huge {name}{attribute}; "),
        3 => format!("int {name} __attribute__((mode({}))); ", rng.pick(&["QI", "HI", "DI"])),
        _ => format!("{ty} {name}{attribute}; "),
    };
    record.body.push_str(&text);
    record.addressable.push(name.to_string());
}

fn bit_field(rng: &mut Rng, dialect: Dialect, name: &str, record: &mut Record) {
    let (ty, width, ones) = bit_field_type(rng, dialect);
    // Aligned bit-fields and `#pragma pack` together are laid out otherwise by clang.
    let attribute = match (dialect.common, rng.percent(40)) {
        (true, true) if rng.percent(20) => " __attribute__((packed))",
        (false, true) => member_attribute(rng),
        _ => "",
    };
    match rng.below(12) {
        0 => record.body.push_str(&format!("{ty} : 0{attribute}; ")),
        1 => record.body.push_str(&format!("{ty} : {}{attribute}; ", rng.range(1, width))),
        _ => {
            let round = *rng.pick(&[8, 16, 32, 64]);
            let bits = match rng.below(6) {
                0 => width,
                1 if round <= width => round,
                _ => rng.range(1, width),
            };
            record.body.push_str(&format!("{ty} {name} : {bits}{attribute}; "));
            record.bits.push((name.to_string(), ones));
        }
    }
}

fn bit_field_type(rng: &mut Rng, dialect: Dialect) -> (&'static str, i64, &'static str) {
    if rng.percent(25) {
        let pool = if dialect.common || rng.percent(50) { BIT_FIELDS } else { GNU_BIT_FIELDS };
        let (ty, width) = *rng.pick(pool);
        return (ty, width, "-1");
    }
    let kinds: Vec<Kind> =
        Kind::all(dialect.model).iter().copied().filter(|k| !k.is_wide()).collect();
    let kind = *rng.pick(&kinds);
    let ones = if kind == Kind::Bool { "1" } else { "-1" };
    (kind.spellings()[0], i64::from(kind.bits(dialect.model)), ones)
}
