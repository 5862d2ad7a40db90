//! Deep and long texts: a tree or an error, never the end of the stack.

use lakatos_acsl::check::{self, Language, Moment};
use lakatos_acsl::{MAX_DEPTH, parse, read};
use lakatos_ir::Source;

use crate::accepted::theory;
use crate::{lines, program};

/// On half the stack that a thread usually has.
fn run(text: &str) -> Result<String, String> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(1 << 20);
        thread.spawn_scoped(scope, || run_here(text)).unwrap().join().unwrap()
    })
}

/// Parsed, checked and printed; what was said if there is no tree.
fn run_here(text: &str) -> Result<String, String> {
    let parsed = parse::expression(text, 0, &|name: &str| name == "number");
    let source = Source::new("t", text);
    let Some(tree) = parsed.tree else {
        return Err(lines(&source, &parsed.diagnostics));
    };
    assert!(tree.depth() <= MAX_DEPTH);
    let (table, theory) = (program(), theory());
    let pred = check::predicate(&tree, &table, &theory, Moment::Exit, None, Language::Acsl);
    match pred {
        Ok(pred) => Ok(lakatos_acsl::erase::Eraser::new(&theory).pred(&pred).to_string()),
        Err(error) => Err(lines(&source, &[*error])),
    }
}

#[track_caller]
fn check_deep(make: impl Fn(usize) -> String) {
    let too_deep = "this is nested too deeply for Lakatos";
    for depth in [MAX_DEPTH as usize + 1, 50_000] {
        let error = run(&make(depth)).unwrap_err();
        assert!(error.contains(too_deep), "{error}");
        assert!(error.contains(&format!("the limit is {MAX_DEPTH} levels")), "{error}");
    }
    // What is allowed is checked and printed as well.
    for depth in [MAX_DEPTH as usize / 3, MAX_DEPTH as usize / 2, MAX_DEPTH as usize - 5] {
        let said = run(&make(depth));
        let few = depth < MAX_DEPTH as usize / 2 && !make(1).contains("0 .. 1");
        if few {
            assert!(said.err().is_none_or(|error| !error.contains(too_deep)), "{}", make(depth));
        }
    }
}

#[test]
fn nesting_is_bounded() {
    let nested = |open: &'static str, inner: &'static str, close: &'static str| {
        move |n: usize| format!("{}{inner}{}", open.repeat(n), close.repeat(n))
    };
    check_deep(nested("(", "n == 1", ")"));
    check_deep(nested("!", "n", ""));
    check_deep(nested("- ", "n", ""));
    check_deep(nested("*", "p", ""));
    check_deep(nested("(int)", "n", ""));
    check_deep(nested("(number)", "n", ""));
    check_deep(nested("\\old(", "n", ")"));
    check_deep(nested("inc(", "n", ")"));
    check_deep(nested("a[", "n", "]"));
    check_deep(nested("n ==> ", "n", ""));
    check_deep(nested("n --> ", "n", ""));
    check_deep(nested("n ? n : ", "n", ""));
    check_deep(nested("n ? ", "n", " : n"));
    check_deep(nested("\\forall integer k; ", "n", ""));
    check_deep(nested("\\let k = n; ", "n", ""));
    check_deep(nested("\\let k = ", "n", "; k"));
    check_deep(nested("x: ", "n", ""));
    check_deep(nested("sizeof ", "n", ""));
    check_deep(|n| format!("(int {})v", "*".repeat(n)));
    check_deep(|n| format!("(int {}{})v", "(*".repeat(n), ")".repeat(n)));
    check_deep(|n| format!("v{}", "[0]".repeat(n)));
    check_deep(|n| format!("q{}", ".x".repeat(n)));
    check_deep(|n| format!("r{}", "->next".repeat(n)));
    check_deep(|n| format!("\\valid(p{})", " + (0 .. 1)".repeat(n)));
    check_deep(|n| format!("\\forall int x{}; n", "[1]".repeat(n)));
}

/// Left-nested operators are flat, so long formulas are no deep ones.
#[test]
fn long_is_not_deep() {
    for op in ["+", "-", "*", "/", "<<", "<=", "==", "&", "|", "^", "<-->"] {
        let text = format!("(n{}) == 1", format!(" {op} n").repeat(20_000));
        if let Err(error) = run(&text) {
            panic!("{op}: {}", &error[..error.len().min(300)]);
        }
    }
    assert!(run(&format!("p == p{}", " + 1 - n * 2".repeat(10_000))).is_ok());
    for op in ["&&", "||", "^^", "<==>"] {
        let text = format!("n{}", format!(" {op} n > 0").repeat(20_000));
        assert!(run(&text).is_ok(), "{op}");
    }
}

#[test]
fn many_declarations() {
    let mut theory = theory();
    let declarations: String = (0..5_000)
        .map(|n| format!("logic integer f{n}(integer x) = x + {n};\nlemma l{n}: f{n}(0) == {n};\n"))
        .collect();
    let source = Source::new("many.acsl", declarations);
    assert_eq!(read::read_file(&mut theory, source, &program()).unwrap(), []);
    assert_eq!(theory.lemmas().len(), 5_000);
}
