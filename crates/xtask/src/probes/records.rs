//! Questions about the layout of random structs and unions.

use lakatos_ir::DataModel;

use super::Sheet;
use super::scalars::basic_types;
use crate::generate::{Kind, Rng};

/// A record under construction.
#[derive(Debug, Default)]
struct Record {
    body: String,
    /// Paths of fields that have an offset.
    addressable: Vec<String>,
    /// Bit-fields with their kind.
    bits: Vec<(String, Kind)>,
}

/// Random records: their sizes, alignments and offsets.
pub fn random(rng: &mut Rng, model: DataModel) -> Sheet {
    let mut sheet = Sheet {
        declarations: "enum color { RED, GREEN = 200 };\n".to_string(),
        questions: Vec::new(),
    };
    for n in 0..12 {
        let keyword = if rng.percent(20) { "union" } else { "struct" };
        let record = record(rng, model, n, true);
        let attribute = match rng.below(12) {
            0 => " __attribute__((packed))",
            1 => " __attribute__((aligned(16)))",
            2 => " __attribute__((packed, aligned(2)))",
            3 => " __attribute__((aligned))",
            _ => "",
        };
        sheet.declarations.push_str(&format!(
            "{keyword} r{n} {{ {}}}{attribute}; typedef {keyword} r{n} R{n};\n",
            record.body
        ));
        sheet.questions.push(format!("sizeof(R{n})"));
        sheet.questions.push(format!("_Alignof(R{n})"));
        for path in &record.addressable {
            sheet.questions.push(format!("__builtin_offsetof(R{n}, {path})"));
            sheet.questions.push(format!("sizeof(((R{n} *)0)->{path})"));
        }
    }
    sheet
}

/// A program that sets each bit-field of a record in turn and shows all bytes.
pub fn show_bits(rng: &mut Rng, model: DataModel) -> String {
    let mut text = "int printf(const char *, ...);\nenum color { RED, GREEN = 200 };\n".to_string();
    let mut main = "int main(void) {\n".to_string();
    for n in 0..6 {
        let keyword = if rng.percent(15) { "union" } else { "struct" };
        let record = record(rng, model, n, false);
        let attribute = if rng.percent(12) { " __attribute__((packed))" } else { "" };
        text.push_str(&format!(
            "{keyword} r{n} {{ {}}}{attribute}; typedef {keyword} r{n} R{n};\n\
             union u{n} {{ R{n} r; unsigned char bytes[sizeof(R{n})]; }} u{n};\n\
             void clear{n}(void) {{\n  for (int i = 0; i < (int)sizeof(R{n}); i++) u{n}.bytes[i] = 0;\n}}\n\
             void show{n}(void) {{\n  for (int i = 0; i < (int)sizeof(R{n}); i++) printf(\"%x \", u{n}.bytes[i]);\n  printf(\"\\n\");\n}}\n",
            record.body
        ));
        for (path, kind) in &record.bits {
            let value = if *kind == Kind::Bool { "1" } else { "-1" };
            main.push_str(&format!("  clear{n}(); u{n}.r.{path} = {value}; show{n}();\n"));
            main.push_str(&format!("  printf(\"%lld\\n\", (long long)u{n}.r.{path});\n"));
        }
    }
    text + &main + "  return 0;\n}\n"
}

fn record(rng: &mut Rng, model: DataModel, number: usize, exotic: bool) -> Record {
    let mut record = Record::default();
    let fields = rng.range(1, 7);
    for field in 0..fields {
        let name = format!("m{field}");
        match rng.below(10) {
            0..4 => bit_field(rng, model, &name, &mut record),
            4 if exotic && field > 0 => {
                let inner = format!("{name}x");
                let keyword = if rng.percent(50) { "struct" } else { "union" };
                let a = basic(rng, model);
                let b = basic(rng, model);
                record.body.push_str(&format!("{keyword} {{ {a} {inner}; {b} {inner}y; }}; "));
                record.addressable.extend([inner.clone(), format!("{inner}y")]);
            }
            5 if number > 0 => {
                let other = rng.below(number);
                record.body.push_str(&format!("R{other} {name}; "));
                record.addressable.push(name);
            }
            6 if exotic => {
                record.body.push_str(&exotic_field(rng, model, &name));
                record.addressable.push(name);
            }
            7 => {
                let ty = basic(rng, model);
                record.body.push_str(&format!("{ty} {name}[{}]; ", rng.range(1, 5)));
                record.addressable.push(name);
            }
            _ => {
                record.body.push_str(&format!("{} {name}; ", basic(rng, model)));
                record.addressable.push(name);
            }
        }
    }
    if record.addressable.is_empty() && record.bits.is_empty() {
        record.body.push_str("char last; ");
        record.addressable.push("last".to_string());
    }
    record
}

fn basic(rng: &mut Rng, model: DataModel) -> &'static str {
    let types = basic_types(model);
    types[rng.below(types.len())]
}

fn exotic_field(rng: &mut Rng, model: DataModel, name: &str) -> String {
    let ty = basic(rng, model);
    match rng.below(7) {
        0 => format!("{ty} *{name}; "),
        1 => format!("int (*{name})({ty}); "),
        2 => format!("enum color {name}; "),
        3 => format!("_Alignas(8) {ty} {name}; ").replace("_Alignas(8) long double", "long double"),
        4 => format!("{ty} {name} __attribute__((packed)); "),
        5 => format!("{ty} {name} __attribute__((aligned(4))); "),
        _ => format!("{ty} {name}[2][3]; "),
    }
    .replace("_Alignas(8) __int128", "__int128")
    .replace("_Alignas(8) unsigned __int128", "unsigned __int128")
}

fn bit_field(rng: &mut Rng, model: DataModel, name: &str, record: &mut Record) {
    let kinds: Vec<Kind> = Kind::all(model).iter().copied().filter(|k| !k.is_wide()).collect();
    let kind = *rng.pick(&kinds);
    let ty = kind.spellings()[0];
    let width = i64::from(kind.bits(model));
    match rng.below(12) {
        0 => record.body.push_str(&format!("{ty} : 0; ")),
        1 => record.body.push_str(&format!("{ty} : {}; ", rng.range(1, width))),
        _ => {
            let bits = if rng.percent(15) { width } else { rng.range(1, width) };
            record.body.push_str(&format!("{ty} {name} : {bits}; "));
            record.bits.push((name.to_string(), kind));
        }
    }
}
