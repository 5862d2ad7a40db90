//! Flags that contradict each other, numbers that are none, limits that are nothing or everything.

use crate::expect;
use crate::folder::Folder;

#[track_caller]
fn check(args: &[&str], code: i32, words: &[&str]) {
    expect(&Folder::new().run(args), code, words);
}

#[test]
fn contradictions() {
    let bad = |args: &[&str], words: &[&str]| check(args, 3, words);
    bad(&["verify", "a.c", "--32", "--64"], &["--32", "--64"]);
    bad(&["verify", "a.c", "--quiet", "--proof"], &["--quiet", "--proof"]);
    bad(&["verify", "a.c", "--github", "--svcomp"], &["--github", "--svcomp"]);
    bad(&["verify", "a.c", "--json", "-", "--svcomp"], &["--json -", "--svcomp"]);
    bad(&["verify", "a.c", "--modular", "--report", "r.html"], &["--modular", "--report"]);
    bad(&["verify", "a.c", "--json", "o.json", "--sarif", "o.json"], &["o.json", "two outputs"]);
    bad(&["verify", "a.c", "--json", "o.c", "--harness", "o.c"], &["o.c", "two outputs"]);
    bad(&["verify", "a.c", "--witness", "o.x", "--junit", "./o.x"], &["o.x", "two outputs"]);
    bad(&["verify", "a.c", "--engine", "horn", "--domain", "explicit"], &["--domain"]);
    bad(&["verify", "a.c", "--engine", "nonsense"], &["nonsense", "cegar"]);
    bad(&["verify", "a.c", "--property", "nonsense"], &["nonsense", "unreach-call"]);
    let wraps = ["verify", "a.c", "--signed-overflow", "wrap", "--property", "no-overflow"];
    bad(&wraps, &["--signed-overflow wrap", "leave the property out"]);
    bad(&["verify", "a.c", "--property", "all", "--witness", "o.yml"], &["one property"]);
    bad(&["verify", "a.c", "--cross-check=absent-solver"], &["absent-solver"]);
    bad(&["verify", "a.c", "b.c"], &["b.c"]);
    bad(&["verify"], &["FILE"]);
    bad(&["contracts", "a.c", "--in-place", "-o", "o.c"], &["--in-place", "--output"]);
    bad(&["contracts", "a.c", "--json", "--diff"], &["--json", "--diff"]);
    bad(&["contracts", "-"], &["Give the program as a file"]);
    bad(&["contracts", "a.c", "--from", "witness"], &["--witness"]);
    bad(&["cfa", "a.c", "--function", "absent"], &["absent", "there are: half, main"]);
    bad(&["run", "a.c", "--inputs", "1,two"], &["two"]);
    bad(&["bench", "index.tsv", "--group", "nonsense"], &["nonsense"]);
    bad(&["bench", "index.tsv", "--sample", "-3"], &["-3"]);
    bad(&["bench", "a.c"], &["a.c", "give an index"]);
    bad(&["man", "nonsense"], &["nonsense", "lakatos --help"]);
    bad(&["nonsense"], &["nonsense"]);
    bad(&[], &["Usage"]);
}

#[test]
fn times() {
    for time in ["-1", "nan", "inf", "1e300", "ten", ""] {
        for args in
            [&["verify", "a.c"], &["contracts", "a.c"], &["arg", "a.c"], &["solve", "h.smt2"]]
        {
            let run = Folder::new().run(&[&args[..], &["--timeout", time]].concat());
            expect(&run, 3, &["--timeout", "not a number of seconds"]);
            assert_eq!(run.stdout, "", "{run:?}");
        }
    }
    let late = "the time limit was reached";
    for time in ["0", "0.0", "1e-9"] {
        let run = Folder::new().run(&["verify", "slow.c", "--timeout", time]);
        assert!(run.code == Some(2) && run.stdout.contains(late), "{run:?}");
    }
    check(&["solve", "h.smt2", "--timeout", "1e18"], 0, &[]);
    check(&["verify", "a.c", "--timeout", "1e18"], 0, &[]);
    check(&["bench", "index.tsv", "--timeout", "1e18"], 0, &[]);
    check(&["bench", "index.tsv", "--timeout", "0"], 3, &["--timeout", "more than 0"]);
}

#[test]
fn memory() {
    for memory in ["0", "-5", "4294967296", "1e3", "lots"] {
        check(&["verify", "a.c", "--memory", memory], 3, &["--memory", memory]);
    }
    for memory in ["1", "2"] {
        let run = Folder::new().run(&["verify", "slow.c", "--memory", memory]);
        let words = "the memory limit was reached";
        assert!(run.code == Some(2) && run.stdout.contains(words), "{run:?}");
    }
    // As much as can be said is as good as no limit.
    for memory in ["1000000", "2147483648", "4294967294", "4294967295"] {
        check(&["verify", "a.c", "--memory", memory], 0, &[]);
    }
}
