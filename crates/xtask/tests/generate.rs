//! The generator is deterministic, and its programs use all of the language they should.

use lakatos_ir::DataModel;
use xtask::generate::program;

#[test]
fn a_seed_names_a_program() {
    for seed in 0..20 {
        assert_eq!(program(seed, DataModel::Lp64), program(seed, DataModel::Lp64));
    }
    assert_ne!(program(1, DataModel::Lp64), program(2, DataModel::Lp64));
}

#[test]
fn the_language_is_covered() {
    let texts: String = (0..300).map(|seed| program(seed, DataModel::Lp64)).collect();
    let parts = [
        "_Bool",
        "signed char",
        "unsigned short",
        "unsigned long long",
        "__int128",
        "float",
        "double",
        "typedef",
        "enum",
        "union",
        "goto skip",
        "goto again",
        "goto into",
        "switch",
        "default:",
        " ... ",
        "while (",
        "do {",
        "for (",
        "break;",
        "continue;",
        "return;",
        " ?: ",
        " ? ",
        " && ",
        " || ",
        "++",
        "--",
        " <<= ",
        " %= ",
        "({ ",
        "->",
        "[0] = ",
        "= {.",
        ":0;",
        "static ",
        "register ",
        "volatile ",
        "extern ",
        "const ",
        "__typeof__(",
        "sizeof(",
        "_Alignof(",
        "malloc(",
        "calloc(",
        "free(",
        " = realloc(",
        "memcpy(&",
        "memcmp(&",
        "strcpy(s",
        "strcat(s",
        "strchr(s",
        "memmove(",
        "memset(",
        "strlen(",
        "(*table",
        "fuel - 1",
        "choose",
        "apply",
        "(*fp",
        "(**fpp",
        ".call)(",
        ".to)",
        "->to)",
        "[1] = t",
        "[0])[",
        "_Generic(",
        "__builtin_clz",
        "__attribute__((noinline))",
        "'\\377'",
        "0x8000000000000000",
        "(void *)",
        "(unsigned char *)&",
        "->next",
        "0[",
        "printf(",
    ];
    for part in parts {
        assert!(texts.contains(part), "no program contains `{part}`");
    }
}

#[test]
fn ilp32_has_no_wide_integers() {
    let texts: String = (0..100).map(|seed| program(seed, DataModel::Ilp32)).collect();
    assert!(!texts.contains("__int128"));
}
