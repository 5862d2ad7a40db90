//! The table of library functions is consistent, and functions without a model are found by name.

use super::{Effects, Gives, LibraryFunction, Use, effects_of};

/// A row says of each parameter what happens to it, and counts name parameters that are sizes.
#[test]
fn rows_fit_their_signatures() {
    for row in LibraryFunction::all().filter(|row| row.signature.is_some()) {
        let params = row.params();
        assert_eq!(row.uses.len(), params.len(), "{}", row.names[0]);
        for (own, letter) in row.uses.iter().zip(params) {
            let is_pointer = b"pPsS".contains(letter);
            let is_constant = b"PS".contains(letter);
            match own {
                Use::Value => {}
                Use::Reads(count) => assert!(is_pointer && params[*count] == b'z'),
                Use::Writes(count) => {
                    assert!(is_pointer && !is_constant && params[*count] == b'z')
                }
                Use::ReadsText | Use::Format => assert!(is_pointer),
                Use::WritesText | Use::AppendsText | Use::Frees => {
                    assert!(is_pointer && !is_constant)
                }
            }
            // Nothing that a pointer leads to goes unnoticed.
            assert!(!is_pointer || *own != Use::Value, "{}", row.names[0]);
        }
        let gives_pointer = matches!(row.gives, Gives::First | Gives::IntoFirst | Gives::Memory);
        assert_eq!(gives_pointer, b"ps".contains(&row.result()), "{}", row.names[0]);
    }
}

#[test]
fn names_belong_to_one_row() {
    for row in LibraryFunction::all() {
        for name in row.names {
            assert_eq!(LibraryFunction::named(name).map(|own| own.builtin), Some(row.builtin));
        }
    }
}

#[test]
fn functions_without_a_model() {
    let check =
        |name: &str, expected: Option<Effects>| assert_eq!(effects_of(name), expected, "{name}");
    check("sqrt", Some(Effects::Value));
    check("sqrtf", Some(Effects::Value));
    check("toupper", Some(Effects::Value));
    check("__ctype_b_loc", Some(Effects::Value));
    check("atoi", Some(Effects::Reads));
    check("strtol", Some(Effects::Writes));
    check("__isoc99_sscanf", Some(Effects::Writes));
    check("qsort", Some(Effects::Unbounded));
    check("atexit", Some(Effects::Unbounded));
    check("fesetround", Some(Effects::Unbounded));
    check("strdup", Some(Effects::Unbounded));
    check("getline", Some(Effects::Unbounded));
    check("strtok", Some(Effects::Unbounded));
    check("setvbuf", Some(Effects::Unbounded));
    check("reach_error", None);
    check("my_function", None);
    check("sqrtx", None);
}
