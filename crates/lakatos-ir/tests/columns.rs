//! Columns in the user's file, where a preprocessor has made the text of the program.

use lakatos_ir::Source;

/// The file, and what was made of it, one line each; of each token that is marked by `@` in front of it
/// the column that it has in the file.
#[track_caller]
fn check(file: &str, made: &str, expected: &[Option<u32>]) {
    let mut text =
        format!("# 1 \"p.c\"\n# 7 \"h.h\"\nint while_in_header;\n# 1 \"p.c\"\n\n{made}\n");
    let mut marked = Vec::new();
    while let Some(at) = text.find('@') {
        text.remove(at);
        marked.push(at as u32);
    }
    let markers: Vec<u32> = text.match_indices("# ").map(|(at, _)| at as u32).collect();
    let mut source = Source::new("p.c", text.clone()).made_from(format!("\n{file}\n"));
    source.add_line_marker(markers[0], 1, Some("p.c".to_owned()));
    source.add_line_marker(markers[1], 7, Some("h.h".to_owned()));
    source.add_line_marker(markers[2], 1, Some("p.c".to_owned()));
    let found: Vec<Option<u32>> = marked.iter().map(|at| source.column_in_file(*at)).collect();
    assert_eq!(found, expected, "{file}");
    // What is in a header is not in the file.
    let header = text.find("int while").expect("it is there") as u32;
    assert_eq!(source.column_in_file(header), None);
}

#[test]
fn tokens_are_found_again() {
    // Only blanks and comments differ.
    check("x   =  1;\twhile (y) ;", "x = 1; @while (@y) @;", &[Some(11), Some(18), Some(21)]);
    check("/* \u{e4} */ while (x) ;", "/* \u{e4} */ @while (@x) ;", &[Some(9), Some(16)]);
    check("s = \"while )\"; while (x) ;", "s = \"while )\"; @while (x@) ;", &[Some(16), Some(24)]);
    // A macro makes something longer or shorter.
    check("x = N; while (y) ;", "x = (1+1); @while (y) ;", &[Some(8)]);
    check("while (x) N while (y) ;", "@while (x) @while (y) ;", &[Some(1), Some(13)]);
    check("x = N; { y = 1; }", "x = (1+1); @{ y = 1; @}", &[Some(8), Some(17)]);
    // A call is found by its name.
    check("x = N + f(g(M, 1));", "x = (0) + f(g((2), 1@)@);", &[Some(17), Some(18)]);
    check("x = ID(a) + g;", "x = a + f(@);", &[None]);
    check("x = ID(f(1)) + 1;", "x = f(1@) + 1;", &[None]);
}

#[test]
fn what_a_macro_made_has_no_column() {
    check("LOOP(x) while (y) ;", "@while (x) ; @while (y) ;", &[None, None]);
    // Arguments may be dropped, repeated and exchanged.
    check("SWAP(while (x);, while (y);)", "@while (y); @while (x);", &[None, None]);
    check("DROP(while (x);) LOOP(y)", "@while (y);", &[None]);
    check("f(a) + M(g(a))", "f(@a) + g(0) + h(@a)", &[None, None]);
    // A call that stays is no macro.
    check("f(a, N) + g", "f(@a, 3) + @g", &[Some(3), Some(11)]);
    // Lines that are joined, or numbered anew.
    check("while (x) ; \\\n while (y) ;", "@while (x) ; @while (y) ;", &[None, None]);
    check("while (x) ;\n#line 9", "@while (x) ;\n", &[None]);
    // The line begins within an argument.
    check("while (x);) while (y);", "@while (x); @while (y);", &[None, None]);
}

#[test]
fn without_a_preprocessor_columns_are_those_of_the_text() {
    let source = Source::new("p.c", "a\n\u{e4}\tb");
    assert_eq!(source.column_in_file(5), Some(3));
    assert_eq!(source.made_from("a\n\u{e4}\tb").column_in_file(5), Some(3));
}
