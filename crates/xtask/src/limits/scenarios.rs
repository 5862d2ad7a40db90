//! Commands that are run under limits, and the files that they read.

use std::fs;
use std::path::Path;

use anyhow::Result;

/// A command, its exit code without limits, and the files that it writes.
#[derive(Debug)]
pub struct Scenario {
    pub words: &'static [&'static str],
    pub code: i32,
    pub outputs: &'static [&'static str],
}

/// The files that commands read; [`MAKE_WITNESS`] makes the last one.
pub const INPUTS: &[&str] =
    &["safe.c", "bug.c", "macro.c", "hard.c", "clauses.smt2", "index.tsv", "witness.yml"];

/// The command that makes the witness.
pub const MAKE_WITNESS: &[&str] = &["verify", "safe.c", "--witness", "witness.yml"];

/// A sum that needs an invariant.
const SAFE: &str = "\
extern void __VERIFIER_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) { __VERIFIER_error(); }
int main(void)
{
    unsigned n = __VERIFIER_nondet_uint() % 1000, i = 0, sum = 0;
    while (i < n) {
        i = i + 1;
        sum = sum + 2;
    }
    if (sum != 2 * n) reach_error();
    return 0;
}
";

const BUG: &str = "\
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}
int main(void)
{
    int x = __VERIFIER_nondet_int();
    for (int i = 0; i < 5; i++)
        if (i == 3 && x == 42) reach_error();
    return 0;
}
";

/// Needs the preprocessor.
const MACRO: &str = "\
#define LIMIT 10
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}
int a[LIMIT];
int main(void)
{
    int i = __VERIFIER_nondet_int();
    if (i >= 0 && i < LIMIT) {
        a[i] = i;
        if (a[i] >= LIMIT) reach_error();
    }
    return 0;
}
";

/// Is not decided in a second: all engines get their turns.
const HARD: &str = "\
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}
int main(void)
{
    unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint(), c = 0, i = 0;
    while (i < a) {
        c = (c * 31u + b) ^ (c >> 7);
        b = b * b + 3u * c + i;
        i = i + 1;
    }
    if (c == 3735928559u && a > 40u) reach_error();
    return 0;
}
";

/// Satisfiable: 0, 2, 4, ... stays even.
const CLAUSES: &str = "\
(set-logic HORN)
(declare-fun even (Int) Bool)
(assert (even 0))
(assert (forall ((n Int)) (=> (even n) (even (+ n 2)))))
(assert (forall ((n Int)) (=> (and (even n) (= n 7)) false)))
(check-sat)
";

const INDEX: &str = "\
category\tfile\tproperty\tverdict\tdata_model
small\tsafe.c\tunreach-call\ttrue\tLP64
small\tbug.c\tunreach-call\tfalse\tLP64
";

pub const ALL: &[Scenario] = &[
    Scenario {
        words: &[
            "verify",
            "safe.c",
            "--timeout",
            "20",
            "--witness",
            "out.yml",
            "--json",
            "out.json",
            "--report",
            "out.html",
            "--junit",
            "out.xml",
            "--sarif",
            "out.sarif",
        ],
        code: 0,
        outputs: &["out.yml", "out.json", "out.html", "out.xml", "out.sarif"],
    },
    Scenario {
        words: &[
            "verify",
            "bug.c",
            "--timeout",
            "20",
            "--property",
            "all",
            "--json",
            "out.json",
            "--harness",
            "out.c",
            "--execute",
        ],
        code: 1,
        outputs: &["out.json", "out.unreach-call.c"],
    },
    Scenario {
        words: &["verify", "macro.c", "--timeout", "20", "--json", "out.json"],
        code: 0,
        outputs: &["out.json"],
    },
    Scenario {
        words: &[
            "verify",
            "hard.c",
            "--timeout",
            "2",
            "--json",
            "out.json",
            "--report",
            "out.html",
        ],
        code: 2,
        outputs: &["out.json", "out.html"],
    },
    Scenario {
        words: &["contracts", "safe.c", "--timeout", "20", "-o", "out.c"],
        code: 0,
        outputs: &["out.c"],
    },
    Scenario {
        words: &["contracts", "safe.c", "--timeout", "20", "--json", "-o", "out.json"],
        code: 0,
        outputs: &["out.json"],
    },
    Scenario {
        words: &["check", "safe.c", "--witness", "witness.yml", "--timeout", "20"],
        code: 0,
        outputs: &[],
    },
    Scenario { words: &["solve", "clauses.smt2", "--timeout", "20"], code: 0, outputs: &[] },
    Scenario {
        words: &["arg", "safe.c", "--timeout", "20", "-o", "out.svg"],
        code: 0,
        outputs: &["out.svg"],
    },
    Scenario { words: &["cfa", "safe.c", "-o", "out.svg"], code: 0, outputs: &["out.svg"] },
    Scenario { words: &["horn", "safe.c", "-o", "out.smt2"], code: 0, outputs: &["out.smt2"] },
    Scenario { words: &["run", "safe.c"], code: 0, outputs: &[] },
    Scenario {
        words: &["bench", "index.tsv", "--timeout", "20", "--output", "out.jsonl"],
        code: 0,
        outputs: &["out.jsonl"],
    },
];

pub fn write_inputs(folder: &Path) -> Result<()> {
    let texts = [SAFE, BUG, MACRO, HARD, CLAUSES, INDEX];
    for (name, text) in INPUTS.iter().zip(texts) {
        fs::write(folder.join(name), text)?;
    }
    Ok(())
}
