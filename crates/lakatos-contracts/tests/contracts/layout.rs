//! Whatever the source looks like: text is only inserted, the program stays the same, and the same
//! things are said.

use lakatos_contracts::Annotated;
use lakatos_ir::print;

use super::{annotated, compile};

const PROGRAMS: [&str; 4] = [
    "extern void reach_error ( void ) ; extern int __VERIFIER_nondet_int ( void ) ; \
     int f ( int n ) { if ( n <= 0 ) return 0 ; return f ( n - 1 ) ; } \
     int main ( void ) { if ( f ( __VERIFIER_nondet_int ( ) ) != 0 ) reach_error ( ) ; return 0 ; }",
    "extern void reach_error ( void ) ; extern void __VERIFIER_assume ( int ) ; int g ; \
     void up ( void ) { g = g + 1 ; } int main ( void ) { g = 0 ; int i ; \
     for ( i = 0 ; i < 4 ; i ++ ) up ( ) ; __VERIFIER_assume ( i < 9 ) ; \
     if ( i != 4 ) reach_error ( ) ; return 0 ; }",
    "extern void reach_error ( void ) ; int main ( void ) { int a = 0 , b = 0 ; \
     do { do b ++ ; while ( b < a ) ; a ++ ; } while ( a < 3 ) ; \
     if ( a < 3 ) reach_error ( ) ; return b ; }",
    "extern void reach_error ( void ) ; int main ( void ) { unsigned i = 0 ; \
     if ( i == 0 ) while ( i < 5 ) i ++ ; else for ( ; i > 7 ; ) i -- ; \
     L : while ( i < 6 ) i ++ ; if ( i < 5 ) reach_error ( ) ; return 0 ; }",
];

/// The same tokens with other blanks, line breaks and comments between them.
fn laid_out(program: &str, rng: &mut fastrand::Rng) -> String {
    let blanks = [" ", "  ", "\n", "\n    ", "\n\t", " /* why */ ", " // note\n", "\r\n  "];
    let mut text = String::new();
    for token in program.split_whitespace() {
        text += token;
        text += blanks[rng.usize(..blanks.len())];
    }
    text
}

/// Taking out what was inserted, from the last piece to the first.
fn without(annotated: &Annotated) -> String {
    let mut text = annotated.text.clone();
    let mut before: usize = annotated.insertions.iter().map(|i| i.text.len()).sum();
    for insertion in annotated.insertions.iter().rev() {
        before -= insertion.text.len();
        let at = insertion.at + before;
        assert_eq!(&text[at..at + insertion.text.len()], insertion.text);
        text.replace_range(at..at + insertion.text.len(), "");
    }
    text
}

/// Positions move, and functions with contracts are known to be there; nothing else changes.
fn shape(text: &str) -> String {
    let program = compile(text);
    let dump = print::program(&program).to_string();
    let lines = dump.lines().filter(|line| !line.starts_with("extern ") && !line.is_empty());
    lines.flat_map(|line| line.chars().chain(['\n'])).filter(|c| !c.is_ascii_digit()).collect()
}

#[test]
fn any_layout_is_kept() {
    let mut rng = fastrand::Rng::with_seed(6);
    for program in PROGRAMS {
        let mut said: Option<Vec<String>> = None;
        for _ in 0..5 {
            let text = laid_out(program, &mut rng);
            let (contracts, annotated) = annotated(&text);
            assert_eq!((contracts.gaps, &annotated.gaps), (vec![], &vec![]), "{text}");
            assert_eq!(without(&annotated), text);
            assert_eq!(shape(&text), shape(&annotated.text), "{}", annotated.text);
            for clause in &annotated.clauses {
                let line = annotated.text.lines().nth(clause.line as usize - 1).unwrap();
                assert!(line.contains(&clause.text), "{clause:?}\n{}", annotated.text);
            }
            let clauses: Vec<String> =
                annotated.clauses.into_iter().map(|c| format!("{:?} {}", c.kind, c.text)).collect();
            assert_eq!(said.get_or_insert_with(|| clauses.clone()), &clauses, "{text}");
        }
    }
}
