//! Chains and nesting of very many links in everything that is read: whatever becomes of them, the
//! process ends by itself, with a documented exit code, and what is refused is refused by its place.

use crate::folder::Folder;

/// Long enough for every recursion to overflow any stack. Without optimisation fewer are enough, and take less
/// time.
const LINKS: usize = if cfg!(debug_assertions) { 20_000 } else { 1_000_000 };
/// The same for texts that are slow to read.
const FEWER: usize = 20_000;

/// Expressions, by name, with so many links.
fn expressions(links: usize) -> Vec<(&'static str, String)> {
    let joined = |word: &str, by: &str| vec![word; links].join(by);
    let around =
        |open: &str, close: &str| format!("{}x{}", open.repeat(links), close.repeat(links));
    vec![
        ("a sum", joined("x", " + ")),
        ("a sum that groups to the right", around("x + (", ")")),
        ("comparisons", joined("x", " < ")),
        ("conjunctions", joined("x", " && ")),
        ("disjunctions", joined("x", " || ")),
        ("parentheses", around("(", ")")),
        ("negations", around("!", "")),
        ("signs", around("- ", "")),
        ("casts", around("(int)", "")),
        ("choices", around("x ? 1 : ", "")),
        ("choices within", around("x ? ", " : 1")),
        ("indices", format!("{}0{}", "a[".repeat(links), "]".repeat(links))),
        ("calls", around("f(", ")")),
        ("addresses", around("*&", "")),
        ("sizes", around("sizeof ", "")),
        ("assignments", around("x = ", "")),
        ("commas", format!("({})", joined("x", ", "))),
    ]
}

/// Statements and declarations of a function.
fn statements(links: usize) -> Vec<(&'static str, String)> {
    let nested = |open: &str, inside: &str, close: &str| {
        format!("{}{inside}{}", open.repeat(links), close.repeat(links))
    };
    vec![
        ("blocks", nested("{", ";", "}")),
        ("branches", nested("if (x) ", ";", "")),
        ("else-branches", nested("if (x) ; else ", ";", "")),
        ("branches with blocks", nested("if (x) {", ";", "}")),
        ("loops", nested("while (x) ", ";", "")),
        ("loops that test behind", nested("do ", ";", " while (0);")),
        ("braces", format!("int b[1] = {};", nested("{", "1", "}"))),
        ("pointers", format!("int {}p;", "*".repeat(links))),
        ("declarators", format!("int {};", nested("(", "p", ")"))),
        ("dimensions", format!("int p{};", "[1]".repeat(links))),
        ("strings", format!("const char *s = {};", vec!["\"a\""; links].join(" "))),
        ("types of expressions", format!("{} z;", nested("__typeof__(", "x", ")"))),
        ("structs", nested("struct {", "int x;", "} a;")),
        ("a list", format!("int b[] = {{{}}};", vec!["1"; links].join(","))),
    ]
}

#[track_caller]
fn ends(files: &[(&str, &str)], args: &[&str], what: &str) {
    let mut folder = Folder::new();
    for (name, text) in files {
        folder.put(name, text.as_bytes());
    }
    let run = folder.run(args);
    let text: String = run.stderr.chars().take(400).collect();
    assert!(matches!(run.code, Some(0..=3)), "{what}: {:?}: {text}", run.code);
    assert!(!text.contains("panicked"), "{what}: {text}");
}

fn in_program(statement: &str) -> String {
    format!(
        "int a[4]; int f(int x) {{ return x; }}\n\
         int main(void) {{ int x = 1, y;\n{statement}\nreturn 0; }}\n"
    )
}

#[test]
fn programs() {
    let expressions = expressions(LINKS).into_iter();
    let assigned = expressions.map(|(what, text)| (what, format!("y = {text};")));
    for (what, text) in assigned.chain(statements(LINKS)) {
        let args = ["cfa", "chain.c"];
        ends(&[("chain.c", &in_program(&text))], &args, what);
    }
}

#[test]
fn annotations_and_lemmas() {
    let quantified = "\\forall integer i; ".repeat(LINKS) + "x == 0";
    let implied = vec!["x == 0"; LINKS].join(" ==> ");
    let more = [("quantifiers", quantified), ("implications", implied)];
    for (what, text) in expressions(LINKS).into_iter().chain(more) {
        let annotated = in_program(&format!("//@ assert {text} == 0;"));
        ends(&[("chain.c", &annotated)], &["verify", "--modular", "chain.c"], what);
        let lemma = format!("lemma l: \\forall integer x, int *a; {text} == 0;\n");
        ends(&[("l.acsl", &lemma)], &["lemmas", "l.acsl"], what);
    }
}

const PROGRAM: &str =
    "int a[4];\nint main(void) {\n  int x = 1;\n  while (x < 5) x++;\n  return 0;\n}\n";

fn witness(claim: &str, format: &str) -> String {
    let hash = lakatos_witness::format::hash(PROGRAM.as_bytes());
    format!(
        "- entry_type: invariant_set
  metadata:
    format_version: '2.1'
    task:
      input_files: [p.c]
      input_file_hashes: {{p.c: {hash}}}
      specification: CHECK( init(main()), LTL(G ! call(reach_error())) )
      data_model: LP64
      language: C
  content:
  - invariant:
      type: loop_invariant
      location: {{file_name: p.c, line: 4, function: main}}
      value: '{claim}'
      format: {format}
"
    )
}

#[test]
fn witnesses() {
    // What may have any length is proved, too.
    let is_refused = |what: &str| !["comparisons", "conjunctions", "disjunctions"].contains(&what);
    let refused = expressions(LINKS).into_iter().filter(|(what, _)| is_refused(what));
    let read = expressions(FEWER).into_iter().filter(|(what, _)| !is_refused(what));
    for (what, claim) in refused.chain(read) {
        for format in ["c_expression", "acsl_expression"] {
            let text = witness(&claim, format);
            let args = ["check", "p.c", "--witness", "w.yml", "--timeout", "20"];
            ends(&[("p.c", PROGRAM), ("w.yml", &text)], &args, what);
        }
    }
}

/// Contracts files, which `merge`, `recheck` and `--reuse` read.
#[test]
fn contracts_files() {
    let made = Folder::new().text("c.json").expect("a contracts file");
    let made: serde_json::Value = serde_json::from_str(&made).expect("JSON");
    for (what, claim) in expressions(LINKS) {
        let mut changed = made.clone();
        let functions = changed["functions"].as_array_mut().expect("functions");
        let half = functions.iter_mut().find(|f| f["name"] == "half").expect("it is there");
        half["requires"] = serde_json::json!([claim.replace('x', "n")]);
        let text = changed.to_string();
        let files = [("d.json", &text[..])];
        ends(&files, &["contracts", "merge", "d.json", "d.json"], what);
        ends(&files, &["contracts", "recheck", "c.json", "d.json"], what);
        ends(&files, &["verify", "a.c", "--reuse", "d.json", "--timeout", "20"], what);
    }
}

/// Texts that nest, whatever they mean.
#[test]
fn nested_data() {
    let nested =
        |open: &str, close: &str| format!("{}1{}", open.repeat(FEWER), close.repeat(FEWER));
    for (what, text) in [
        ("lists", nested("[", "]")),
        ("open lists", "[".repeat(LINKS)),
        ("maps", nested("{\"a\":", "}")),
        ("items", "- ".repeat(FEWER) + "x"),
    ] {
        let files = [("p.c", PROGRAM), ("n.yml", &text[..]), ("n.json", &text[..])];
        for args in [
            &["check", "p.c", "--witness", "n.yml"][..],
            &["lemmas", "n.yml"],
            &["verify", "n.yml"],
            &["verify", "p.c", "--reuse", "n.json"],
            &["contracts", "merge", "n.json", "n.json"],
        ] {
            ends(&files, args, what);
        }
    }
}

#[test]
fn horn_clauses() {
    let clause = |body: String| {
        format!(
            "(set-logic HORN)\n(declare-fun p (Int) Bool)\n\
             (assert (forall ((x Int)) (=> {body} (p x))))\n(check-sat)\n"
        )
    };
    let around = |open: &str, inside: &str, close: &str| {
        format!("{}{inside}{}", open.repeat(LINKS), close.repeat(LINKS))
    };
    for (what, text) in [
        ("a sum", clause(format!("(= 0 (+ {}))", "x ".repeat(LINKS)))),
        ("sums", clause(format!("(= 0 {})", around("(+ x ", "x", ")")))),
        ("negations", clause(around("(not ", "(= x 0)", ")"))),
        ("bindings", clause(around("(let ((y 1)) ", "(= x 0)", ")"))),
        ("sorts", format!("(declare-fun p ({}) Bool)", around("(Array Int ", "Int", ")"))),
        ("quantifiers", format!("(assert {})", around("(forall ((x Int)) ", "true", ")"))),
        ("lists", around("(", "", ")")),
        ("open lists", "(".repeat(LINKS)),
    ] {
        ends(&[("c.smt2", &text)], &["solve", "c.smt2", "--timeout", "20"], what);
    }
}
