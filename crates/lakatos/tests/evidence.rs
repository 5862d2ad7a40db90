//! Evidence from others, judged in C's meaning and at the user's own columns; what cannot be read is
//! told, and no claim is confirmed that a run of the program contradicts.

mod support;

use std::fs;
use std::path::Path;
use std::process::Command;

use support::{Output, Sandbox};

/// A correctness witness with invariants of loops.
struct Claims<'a> {
    program: &'a str,
    specification: &'a str,
    content: String,
}

impl Claims<'_> {
    fn of(program: &str) -> Claims<'_> {
        Claims { program, specification: "! call(reach_error())", content: String::new() }
    }

    fn add(mut self, line: u32, column: Option<u32>, text: &str, format: &str) -> Self {
        let column = column.map_or(String::new(), |column| format!(", column: {column}"));
        self.content += &format!(
            "  - invariant:
      type: loop_invariant
      location: {{file_name: p.c, line: {line}{column}, function: main}}
      value: \"{}\"
      format: {format}
",
            text.replace('\\', "\\\\")
        );
        self
    }

    fn witness(&self) -> String {
        witness("invariant_set", self.program, self.specification, &self.content)
    }

    fn check(&self) -> Output {
        checked(self.program, &self.witness(), "60")
    }
}

fn witness(kind: &str, program: &str, specification: &str, content: &str) -> String {
    let hash = lakatos_witness::format::hash(program.as_bytes());
    format!(
        "- entry_type: {kind}
  metadata:
    format_version: \"2.1\"
    task:
      input_files: [p.c]
      input_file_hashes: {{p.c: {hash}}}
      specification: CHECK( init(main()), LTL(G {specification}) )
      data_model: LP64
      language: C
  content:
{content}"
    )
}

fn checked(program: &str, witness: &str, timeout: &str) -> Output {
    let sandbox = Sandbox::new().file("p.c", program).file("w.yml", witness);
    sandbox.run(&["check", "p.c", "--witness", "w.yml", "--timeout", timeout])
}

/// `confirmed`, `rejected` or `unknown`, with what is said about it.
fn finding(output: &Output) -> (&str, &str) {
    let line = output.stdout.lines().nth(1).unwrap_or_default();
    let (word, rest) =
        line.trim_start_matches("unreach-call: ").split_once(": ").unwrap_or((line, ""));
    (word, rest)
}

const ARRAYS: &str = "\
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int a[3]; unsigned char b[2][2];
int main(void) {
  int k = __VERIFIER_nondet_int(), n = 0; unsigned m = 0; long l = -1; signed char s = -5;
  if (k < 0 || k > 2) return 0;
  while (n < 4) {
    a[k] = 7; b[1][0] = 255; n++; m++;
  }
  if (a[k] != 7) reach_error();
  return 0;
}
";

/// Enough for a proof, so that only the other claim decides.
const ENOUGH: &str = "0 <= n && n <= 4 && 0 <= k && k <= 2 && (n == 0 || a[k] == 7)";

/// Claims that speak of arrays, or stand beside such ones, with what they are in C.
const IN_C: &[(&str, bool)] = &[
    // Conversions and wrap-around.
    ("-1 < m", false),
    ("m - 1u < 4u || m == 0", true),
    ("n - 5 < 0u", false),
    ("4294967295u + 1u == 0", true),
    ("4294967295u + 1u == 4294967296", false),
    ("a[k] + 4294967290u > 7", false),
    ("a[k] - 8u > 0u", true),
    ("l < sizeof(int)", false),
    ("(unsigned char)s == 251", true),
    ("(unsigned char)(a[k] + 249) == 0 || n == 0", true),
    ("b[1][0] + 1 == 256 || n == 0", true),
    ("(unsigned char)(b[1][0] + 1) < 2", true),
    ("s >> 1 == -3", true),
    ("s / 2 == -2 && s % 2 == -1", true),
    ("~a[0] < 0", true),
    ("1 << 3 == 8", true),
    // Undefined.
    ("1 / 0 == 1 / 0", false),
    ("a[k] / n >= 0", false),
    ("n == 0 || a[k] / n >= 0", true),
    ("n != 0 && a[k] % n < 4 || n == 0", true),
    ("(2147483647 + n) % 2 == 1 || n >= 0", false),
    ("n > 0 || 2147483647 + n > 0", true),
    ("1 << (n + 29) != 0", false),
    ("1 << (n - 1) >= 0", false),
    ("-(-2147483647 - 1) != 5", false),
    // Out of bounds.
    ("a[3] > 8 || n >= 0", false),
    ("a[7] == 0", false),
    ("a[-1] == a[99]", false),
    ("a[m - 1u] > 8 || n >= 0", false),
    ("a[n] > 8 || n >= 0", false),
    ("n >= 3 || a[n] == a[n]", true),
    ("n < 3 && a[n] == a[n] || n >= 3", true),
    ("b[0][3] == 0", false),
    ("b[1][0] == 0 || n > 0", true),
    ("(n < 3 ? a[n] : 1) == (n < 3 ? a[n] : 1)", true),
    ("a[a[k] == 7 ? 0 : 1] >= 0", true),
    ("(a[k] == 7) + (n == 0) == 1", true),
];

#[test]
fn c_expressions_mean_what_they_mean_in_c() {
    for &(claim, holds) in IN_C {
        let claims = Claims::of(ARRAYS).add(7, None, ENOUGH, "c_expression").add(
            7,
            None,
            claim,
            "c_expression",
        );
        // That a claim is false is found out soon; that it is true may take an engine long.
        let timeout = if holds { "2" } else { "60" };
        let output = checked(ARRAYS, &claims.witness(), timeout);
        let (word, _) = finding(&output);
        match holds {
            true => assert_ne!(word, "rejected", "{claim}: {output:?}"),
            false => assert_eq!(word, "rejected", "{claim}: {output:?}"),
        }
    }
    // Where nothing else has to be found out, a true claim is confirmed.
    for (claim, holds) in [("a[k] == 7 || n == 0", true), ("n >= 3 || a[n] == a[n]", true)] {
        let claims = Claims::of(ARRAYS).add(7, None, ENOUGH, "c_expression").add(
            7,
            None,
            claim,
            "c_expression",
        );
        assert_eq!(finding(&claims.check()).0 == "confirmed", holds, "{claim}");
    }
}

/// The table above is what a C compiler makes of it, where there is one with sanitizers.
#[test]
fn the_claims_are_what_a_compiler_says() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let (source, program) = (dir.path().join("p.c"), dir.path().join("p"));
    let mut functions = String::new();
    for (number, (claim, _)) in IN_C.iter().enumerate() {
        functions += &format!("if (which == {number}) __builtin_printf(\"%d\\n\", !!({claim}));\n");
    }
    let text = ARRAYS
        .replace("int main(void) {", "int which, given;\nint main(int argc, char **argv) {")
        .replace("int k = __VERIFIER_nondet_int()", "int k = given")
        .replace("while (n < 4) {", &format!("while (1) {{ {functions} if (n >= 4) break;"))
        .replace("reach_error();", "return 9;")
        .replace("  int k", "  which = atoi(argv[1]); given = atoi(argv[2]); int k");
    fs::write(&source, format!("extern int atoi(const char *);\n{text}")).expect("it is writable");
    let sanitize = "-fsanitize=undefined,address,bounds";
    let flags = [sanitize, "-fno-sanitize-recover=all", "-w", "-O0", "-o"];
    let compiled = Command::new("cc").args(flags).arg(&program).arg(&source).output();
    if !compiled.is_ok_and(|output| output.status.success()) {
        eprintln!("there is no C compiler with sanitizers: the table is not compared");
        return;
    }
    for (number, (claim, expected)) in IN_C.iter().enumerate() {
        let mut holds = true;
        for k in ["0", "1", "2"] {
            let run = Command::new(&program).args([&number.to_string()[..], k]).output();
            let run = run.expect("it runs");
            let text = String::from_utf8_lossy(&run.stdout);
            holds &= run.status.success() && text.lines().all(|line| line == "1");
        }
        assert_eq!(holds, *expected, "{claim}");
    }
}

#[test]
fn acsl_keeps_its_meaning_beside_c() {
    let all = "\\forall integer i; 0 <= i < 3 ==> a[i] == 0 || a[i] == 7";
    let claims = |c: &str| {
        Claims::of(ARRAYS)
            .add(7, None, ENOUGH, "c_expression")
            .add(7, None, all, "acsl_expression")
            .add(7, None, "m == n && -1 < m - 0", "acsl_expression")
            .add(7, None, c, "c_expression")
            .check()
    };
    let output = claims("a[k] >= 0");
    assert_eq!(finding(&output).0, "confirmed", "{output:?}");
    let output = claims("-1 < m");
    assert_eq!(finding(&output).0, "rejected", "{output:?}");
    // What cannot be read as C is not tried in another meaning.
    let output = claims("*a >= 0");
    assert_eq!(finding(&output).0, "unknown", "{output:?}");
    assert!(finding(&output).1.contains("pointers are not supported"), "{output:?}");
}

const COLUMNS: &str = "\
#define NOTHING (1-1+1-1+1-1+1-1)
#define LOOP(limit) while (i < limit) i++;
#define TWICE(first, second) second first
#define EMPTY
extern void reach_error(void);
int main(void) {
  int i = NOTHING; while (i < 5) i++; while (i < 9) i++;
  int    j   =  0;      while (j < 5) j++;     while (j < 9)  j++;
  i = 0; LOOP(5) while (i < 9) i++;
  i = 0; TWICE(while (i < 9) i++;, while (i < 5) i++;)
\ti = 0; /* \u{e4}\u{f6} while */ while (i < 5) i++; EMPTY while (i < 9) i++;
  i = 0; while (i < 5) i++; \\
  while (i < 9) i++;
  if (i != 9 || j != 9) reach_error();
  return 0;
}
";

/// Columns are those of the user's file, whatever the preprocessor makes of its lines.
#[test]
fn columns_are_those_of_the_file() {
    let check = |line: u32, column: Option<u32>, claim: &str, expected: &str| {
        let output = Claims::of(COLUMNS).add(line, column, claim, "c_expression").check();
        assert_eq!(finding(&output).0, expected, "{line}:{column:?} {claim}: {output:?}");
    };
    let column = |line: u32, number: usize| {
        let text = COLUMNS.lines().nth(line as usize - 1).expect("a line");
        let at = text.match_indices("while").nth(number).expect("a loop").0;
        Some(text[..at].chars().count() as u32 + 1)
    };
    for (line, name, first, second) in [(7, "i", 0, 1), (8, "j", 0, 1), (11, "i", 1, 2)] {
        check(line, column(line, first), &format!("{name} <= 5"), "confirmed");
        check(line, column(line, first), &format!("{name} >= 5"), "rejected");
        check(line, column(line, second), &format!("{name} >= 5"), "confirmed");
        check(line, column(line, second), &format!("{name} <= 5"), "rejected");
        check(line, None, &format!("{name} <= 5"), "confirmed");
        check(line, Some(2), &format!("{name} <= 5"), "rejected");
    }
    // One loop comes from a macro: it has no column, and what is not certain is unknown.
    check(9, column(9, 0), "i >= 5", "unknown");
    check(9, Some(10), "i <= 5", "unknown");
    // A macro exchanges its arguments.
    check(10, column(10, 0), "i <= 5", "unknown");
    check(10, column(10, 1), "i <= 5", "unknown");
    check(10, None, "i <= 5", "unknown");
    // Compilers differ in what they do with lines that are joined.
    let output = Claims::of(COLUMNS).add(12, column(12, 0), "i >= 5", "c_expression").check();
    assert_ne!(finding(&output).0, "confirmed", "{output:?}");
}

/// What `verify` writes has the same columns, and `check` confirms it.
#[test]
fn written_columns_are_those_of_the_file() {
    const PROGRAM: &str = "\
#define START (0+0+0+0+0+0+0+0+0)
#define ASK(x) x = __VERIFIER_nondet_short();
extern void reach_error(void); extern int __VERIFIER_nondet_int(void); short __VERIFIER_nondet_short(void);
int main(void) {
  int   x =  START;  x   =   __VERIFIER_nondet_int();    int y;
  ASK(y) int z = START + __VERIFIER_nondet_int();
  if (x == 3 && y == 4 && z == 5)    reach_error();
  return 0;
}
";
    let sandbox = Sandbox::new().file("p.c", PROGRAM);
    let output = sandbox.run(&["verify", "p.c", "--witness", "w.yml", "--timeout", "60"]);
    assert_eq!(output.code, 1, "{output:?}");
    let text = fs::read_to_string(sandbox.path("w.yml")).expect("a witness");
    let places: Vec<(u32, Option<u32>)> = text
        .split("location:")
        .skip(1)
        .map(|location| {
            let number = |key: &str| {
                let rest = location.split("waypoint").next()?.split(&format!(" {key}: ")).nth(1)?;
                rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
            };
            (number("line").expect("a line"), number("column"))
        })
        .collect();
    let column = |line: usize, word: &str| {
        let text = PROGRAM.lines().nth(line - 1).expect("a line");
        Some(text.rfind(word).expect("it is there") as u32 + 1)
    };
    let expected = [
        (5, column(5, ");")),
        // A macro makes this call, so its column is nowhere in the file.
        (6, None),
        (6, column(6, ");")),
        (7, column(7, "reach_error")),
    ];
    assert_eq!(places, expected, "{text}");
    let output = sandbox.run(&["check", "p.c", "--witness", "w.yml", "--timeout", "60"]);
    assert_eq!(finding(&output).0, "confirmed", "{output:?}");
}

const CHOICE: &str = "\
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = 0;
  if (x == 5) reach_error(); if (x == 6) reach_error();
  return y;
}
";

fn violation(waypoints: &str) -> Output {
    checked(
        CHOICE,
        &witness("violation_sequence", CHOICE, "! call(reach_error())", waypoints),
        "60",
    )
}

fn follow(kind: &str, place: &str, constraint: &str) -> String {
    let constraint = match constraint {
        "" => String::new(),
        constraint => format!("\n        constraint: {{{constraint}}}"),
    };
    format!(
        "  - segment:
    - waypoint:
        type: {kind}
        action: follow
        location: {{file_name: p.c, {place}, function: main}}{constraint}
"
    )
}

/// A constraint that cannot be read is not passed over.
#[test]
fn unreadable_constraints_make_a_violation_unknown() {
    let target = follow("target", "line: 6, column: 15", "");
    let check = |constraint: &str, expected: &str| {
        let assumption = follow("assumption", "line: 5, column: 3", constraint);
        let output = violation(&(assumption + &target));
        assert_eq!(finding(&output).0, expected, "{constraint}: {output:?}");
    };
    check("value: x == 5, format: c_expression", "confirmed");
    check("value: x == 6, format: c_expression", "rejected");
    check("value: f(x) == 6, format: c_expression", "unknown");
    check("value: x == 5, format: smtlib", "unknown");
    check("value: \"\"", "unknown");
    // Which of two violations of a line is meant decides the column.
    let five = follow("assumption", "line: 5, column: 3", "value: x == 5, format: c_expression");
    for (column, expected) in [("15", "confirmed"), ("42", "rejected"), ("9", "unknown")] {
        let target = follow("target", &format!("line: 6, column: {column}"), "");
        let output = violation(&(five.clone() + &target));
        assert_eq!(finding(&output).0, expected, "{column}: {output:?}");
    }
}

/// Aliases of YAML are read, and neither they nor nesting make a text explode.
#[test]
fn aliases_are_read_or_refused() {
    let plain = Claims::of(ARRAYS).add(7, None, ENOUGH, "c_expression").witness();
    let value = format!("value: \"{ENOUGH}\"\n      format: c_expression");
    let aliased = plain.replace(
        &format!("{value}\n"),
        &format!(
            "value: &said \"{ENOUGH}\"\n      format: &how c_expression
  - invariant:
      type: loop_invariant
      location: {{file_name: p.c, line: 7}}
      value: *said
      format: *how\n"
        ),
    );
    assert_ne!(plain, aliased);
    let output = checked(ARRAYS, &aliased, "60");
    assert_eq!(finding(&output).0, "confirmed", "{output:?}");
    assert!(finding(&output).1.starts_with("2 claims"), "{output:?}");
    let mut laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..30 {
        let inner = vec![format!("*a{}", level - 1); 9].join(", ");
        laughs += &format!("a{level}: &a{level} [{inner}]\n");
    }
    let output = checked(ARRAYS, &laughs, "60");
    assert_eq!(output.code, 3, "{output:?}");
    assert!(output.stderr.starts_with("error: w.yml:"), "{output:?}");
    let output = checked(ARRAYS, &format!("- entry_type: *nothing\n{plain}"), "60");
    assert_eq!(output.code, 3, "{output:?}");
}

const SUMS: &str = "\
extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
int a[8];
int main(void) {
  int n = __VERIFIER_nondet_int(), i;
  if (n < 0 || n > 8) return 0;
  for (i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
  long t = 0;
  for (i = 0; i < n; i++) t += a[i];
  if (t == 4194305) reach_error();
  return 0;
}
";

const WRONG_LEMMA: &str = "\
logic integer total{L}(int *a, integer n) = n <= 0 ? 0 : total(a, n - 1) + a[n - 1];
lemma never{L}: \\forall int *a, integer n; 0 <= n <= 8 ==> total(a, n) != 4194305;
";

/// An assumed lemma is named where there is a place for it; elsewhere nothing is proved with it.
#[test]
fn assumed_lemmas_are_never_hidden() {
    let sandbox = Sandbox::new().file("p.c", SUMS).file("l.acsl", WRONG_LEMMA);
    let run = |args: &[&str]| {
        sandbox
            .run(&[&["verify", "p.c", "--lemmas", "l.acsl", "--engine", "arrays"], args].concat())
    };
    let named = "the lemma `never`, which was not proved";
    let output = run(&["--json", "-"]);
    assert!(output.stdout.contains(named), "{output:?}");
    assert!(output.stdout.contains("\"verdict\": \"proved\""), "{output:?}");
    let files = ["--sarif", "s", "--junit", "j", "--report", "r", "--witness", "w"];
    let output = run(&[&["--github"][..], &files].concat());
    assert!(output.stdout.contains(named), "{output:?}");
    for file in ["s", "j", "r"] {
        let text = fs::read_to_string(sandbox.path(file)).expect("it was written");
        assert!(text.contains("never") && text.contains("which was not proved"), "{file}: {text}");
    }
    assert!(!sandbox.path("w").exists(), "a witness has no place for it");
    let output = run(&["--svcomp"]);
    assert_eq!((output.stdout.as_str(), output.code), ("unknown\n", 2), "{output:?}");
    let output = run(&["--quiet", "--json", "q"]);
    assert_eq!((output.stdout.as_str(), output.code), ("", 2), "{output:?}");
    let text = fs::read_to_string(sandbox.path("q")).expect("it was written");
    assert!(text.contains(named) && !text.contains("\"verdict\": \"proved\""), "{text}");
}

const TABLE: &str = "\
extern void reach_error(void);
int a[4]; int t;
int get(int i) { return a[i]; }
int main(void) {
  for (int i = 0; i < 4; i++) a[i] = i * 2;
  t = get(2);
  if (t != 4) reach_error();
  for (int i = 0; i < 4; i++) a[i] = 7;
  t = get(1);
  return 0;
}
";

/// Every name in a printed contract is bound: what is printed can be read back.
#[test]
fn contracts_bind_every_name() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/pos");
    let files = fs::read_dir(corpus).expect("the corpus is there");
    let texts = files.map(|file| file.expect("it can be listed").path());
    let mut texts: Vec<String> = texts
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .map(|path| fs::read_to_string(path).expect("it can be read"))
        .filter(|text| text.contains('[') && text.contains("for ("))
        .collect();
    texts.sort();
    texts.push(TABLE.to_owned());
    let mut printed = 0;
    for text in texts {
        let sandbox = Sandbox::new().file("p.c", &text);
        let how = ["--from", "arg", "--domain", "explicit", "--initial", "all-vars"];
        let args = [&["contracts", "p.c", "-o", "o.c", "--timeout", "3"][..], &how].concat();
        let output = sandbox.run(&args);
        assert!((0..=2).contains(&output.code), "{text}{output:?}");
        if !sandbox.path("o.c").exists() {
            continue;
        }
        printed += 1;
        let output = sandbox.run(&["verify", "--modular", "o.c", "--timeout", "3"]);
        assert_ne!(output.code, 3, "{output:?}");
        assert!(!output.stderr.contains("is not declared"), "{output:?}");
    }
    assert!(printed > 0, "nothing was printed");
}
