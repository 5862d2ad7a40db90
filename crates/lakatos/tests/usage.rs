//! Help, usage errors, completions, colours and internal errors.

mod support;

use expect_test::{expect, expect_file};
use support::Sandbox;

#[test]
fn help_texts() {
    let sandbox = Sandbox::new();
    let check = |args: &[&str], expected: expect_test::ExpectFile| {
        let output = sandbox.run(args);
        assert_eq!((output.code, output.stderr.as_str()), (0, ""), "{args:?}");
        expected.assert_eq(&output.stdout);
    };
    check(&["--help"], expect_file!["help/lakatos.txt"]);
    check(&["verify", "--help"], expect_file!["help/verify.txt"]);
    check(&["run", "--help"], expect_file!["help/run.txt"]);
    check(&["cfa", "--help"], expect_file!["help/cfa.txt"]);
    check(&["arg", "--help"], expect_file!["help/arg.txt"]);
    check(&["check", "--help"], expect_file!["help/check.txt"]);
    check(&["contracts", "--help"], expect_file!["help/contracts.txt"]);
    check(&["horn", "--help"], expect_file!["help/horn.txt"]);
    check(&["solve", "--help"], expect_file!["help/solve.txt"]);
    check(&["bench", "--help"], expect_file!["help/bench.txt"]);
    check(&["bench", "table", "--help"], expect_file!["help/bench-table.txt"]);
    check(&["bench", "diff", "--help"], expect_file!["help/bench-diff.txt"]);
    check(&["bench", "plot", "--help"], expect_file!["help/bench-plot.txt"]);
    check(&["lemmas", "--help"], expect_file!["help/lemmas.txt"]);
    check(&["lsp", "--help"], expect_file!["help/lsp.txt"]);
    check(&["help", "completions"], expect_file!["help/completions.txt"]);
    check(&["man", "--help"], expect_file!["help/man.txt"]);
}

/// `docs/options.md` is what the help says.
#[test]
fn options_in_the_documentation() {
    let commands = [
        "",
        "verify",
        "run",
        "cfa",
        "arg",
        "check",
        "contracts",
        "lemmas",
        "horn",
        "solve",
        "bench",
        "bench table",
        "bench diff",
        "bench plot",
        "lsp",
        "completions",
        "man",
    ];
    let mut text =
        "# Commands and options\n\nAs `--help` says; a test keeps this page true.\n".to_owned();
    for command in commands {
        let args: Vec<&str> = command.split_whitespace().chain(["--help"]).collect();
        let help = Sandbox::new().run(&args).stdout;
        let help: Vec<&str> = help.lines().map(str::trim_end).collect();
        let name = format!("lakatos {command}");
        text += &format!("\n## {}\n\n```text\n{}\n```\n", name.trim(), help.join("\n").trim_end());
    }
    expect_file!["../../../docs/options.md"].assert_eq(&text);
}

#[test]
fn manual_pages() {
    let sandbox = Sandbox::new();
    let page = |args: &[&str]| {
        let output = sandbox.run(args);
        assert_eq!((output.code, output.stderr.as_str()), (0, ""), "{args:?}");
        output.stdout
    };
    let whole = page(&["man"]);
    assert!(whole.contains(".TH lakatos 1") && whole.contains("verify"), "{whole}");
    assert!(!whole.contains("crash"), "{whole}");
    let verify = page(&["man", "verify"]);
    assert!(verify.contains("\\-\\-property") && verify.contains("Exit codes"), "{verify}");
    for name in ["frobnicate", "crash"] {
        let output = sandbox.run(&["man", name]);
        assert_eq!(output.code, 3, "{output:?}");
        assert!(output.stderr.contains(&format!("there is no command `{name}`")), "{output:?}");
    }
}

#[test]
fn help_documents_every_exit_code() {
    let help = Sandbox::new().run(&["--help"]).stdout;
    for code in 0..=4 {
        assert!(help.contains(&format!("\n  {code}  ")), "{code} is missing in\n{help}");
    }
}

#[test]
fn version() {
    let output = Sandbox::new().run(&["--version"]);
    assert_eq!(output.code, 0);
    assert!(output.stdout.starts_with("lakatos 0.1.0\nZ3 5."), "{output:?}");
}

#[test]
fn usage_errors_are_3() {
    let sandbox = Sandbox::new().file("a.c", "int main(void) { return 0; }\n");
    for args in [
        &[] as &[&str],
        &["frobnicate"],
        &["verify"],
        &["verify", "a.c", "b.c"],
        &["verify", "--property", "beauty", "a.c"],
        &["verify", "--data-model", "lp32", "a.c"],
        &["run", "--inputs", "three", "a.c"],
        &["run", "--inputs", "1,,2", "a.c"],
        &["run", "--steps", "-1", "a.c"],
        &["verify", "--memory", "0", "a.c"],
        &["verify", "--memory", "much", "a.c"],
        &["cfa", "--format", "png", "a.c"],
        &["arg", "--format", "png", "a.c"],
        &["arg", "--property", "beauty", "a.c"],
        &["arg", "--pop", "twice", "a.c"],
        &["bench"],
        &["bench", "table"],
        &["bench", "table", "--format", "png", "rows.jsonl"],
        &["bench", "diff", "rows.jsonl"],
        &["bench", "plot", "--by", "beauty", "rows.jsonl"],
        &["bench", "a.c", "--says", "OK=true"],
        &["completions", "cobol"],
        &["--color", "pink", "verify", "a.c"],
    ] {
        let output = sandbox.run(args);
        assert_eq!((output.code, output.stdout.as_str()), (3, ""), "{args:?}: {output:?}");
        assert!(output.stderr.contains("Usage") || output.stderr.contains("--help"), "{output:?}");
    }
}

#[test]
fn wrapping_contradicts_no_overflow() {
    Sandbox::new().file("a.c", "int main(void) { return 0; }\n").check(
        &["verify", "--signed-overflow", "wrap", "--property", "no-overflow", "a.c"],
        3,
        expect![""],
        expect![[r#"
            error: `--signed-overflow wrap` contradicts the property no-overflow: nothing overflows when it wraps around
              Check no-overflow without it, or leave the property out.
        "#]],
    );
    let sandbox = Sandbox::new().file("a.c", "int main(void) { return 0; }\n");
    let wraps = ["arg", "--signed-overflow", "wrap", "--property", "no-overflow", "a.c"];
    assert_eq!(sandbox.run(&wraps).code, 3);
}

#[test]
fn completions_for_every_shell() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output = Sandbox::new().run(&["completions", shell]);
        assert_eq!(output.code, 0, "{shell}");
        for word in ["verify", "property", "data-model"] {
            assert!(output.stdout.contains(word), "{word} is missing for {shell}");
        }
    }
}

#[test]
fn colours_only_when_asked_for_or_on_a_terminal() {
    let coloured = |sandbox: Sandbox, args: &[&str]| {
        let output = sandbox.run(args);
        assert_eq!(output.code, 3);
        output.stderr.contains('\x1b')
    };
    assert!(!coloured(Sandbox::new(), &["verify", "x.c"]));
    assert!(!coloured(Sandbox::new(), &["verify", "x.c", "--color", "never"]));
    assert!(coloured(Sandbox::new(), &["verify", "x.c", "--color", "always"]));
    assert!(!coloured(Sandbox::new().env("NO_COLOR", "1"), &["verify", "x.c"]));
}

#[test]
fn a_panic_is_an_internal_error() {
    let output = Sandbox::new().run(&["crash"]);
    assert_eq!((output.code, output.stdout.as_str()), (4, ""));
    assert!(output.stderr.starts_with("internal error: crashed on request"), "{output:?}");
    assert!(output.stderr.contains("Please report it"), "{output:?}");
}

/// An option that the engine does not have would change nothing.
#[test]
fn options_of_other_engines_are_refused() {
    let sandbox = Sandbox::new().file("a.c", "int main(void) { return 0; }\n");
    let (one, both) = ("engine `cegar`", "engines `cegar` and `bam`");
    let horn: [(&[&str], &str); 6] = [
        (&["--domain", "explicit"], both),
        (&["--search", "dfs"], one),
        (&["--pop", "off"], one),
        (&["--refine", "newton"], both),
        (&["--precision", "global"], "engines `cegar`, `bam` and `arrays`"),
        // Also where it is what is the case anyway.
        (&["--prune", "lazy"], both),
    ];
    for (options, owners) in horn {
        for begin in [&["verify", "--engine", "horn"][..], &["contracts", "--from", "horn"]] {
            let output = sandbox.run(&[begin, options, &["a.c"]].concat());
            let option = options[0];
            let said = format!("`{option}` belongs to the {owners}, and the engine here is `horn`");
            assert_eq!(output.code, 3, "{options:?}");
            assert!(output.stderr.contains(&said), "{}", output.stderr);
        }
        let output = sandbox.run(&[&["verify"], options, &["a.c"]].concat());
        assert_eq!(output.code, 0, "{options:?}: {}", output.stderr);
    }
    let wrong: [(&[&str], &str); 4] = [
        (
            &["--lemmas", "sum.acsl", "--engine", "bmc"],
            "`--lemmas` belongs to the engines `auto`, `arrays`, `cegar`, `bam` and `horn`, and the \
             engine here is `bmc`",
        ),
        (
            &["--encoding", "bv", "--engine", "cegar"],
            "`--encoding` belongs to the engine `horn`, and the engine here is `cegar`",
        ),
        (
            &["--jobs", "2", "--engine", "bam"],
            "`--jobs` belongs to the engine `auto`, and the engine here is `bam`",
        ),
        // No engine has both.
        (
            &["--encoding", "bv", "--domain", "explicit"],
            "`--domain` belongs to the engines `cegar` and `bam`, and the engine here is `horn`",
        ),
    ];
    for (options, said) in wrong {
        let output = sandbox.run(&[&["verify"], options, &["a.c"]].concat());
        assert_eq!(output.code, 3);
        assert!(output.stderr.contains(said), "{}", output.stderr);
    }
    let right: [&[&str]; 4] = [
        &["--encoding", "bv"],
        &["--engine", "horn", "--no-probe"],
        &["--engine", "arrays", "--precision", "location"],
        &["--jobs", "2"],
    ];
    for options in right {
        let output = sandbox.run(&[&["verify"], options, &["a.c"]].concat());
        assert_eq!(output.code, 0, "{options:?}: {}", output.stderr);
    }
}
