//! The programs of the curves. All of them are correct, and none is correct for a reason that a few
//! concrete runs would see.

use std::fmt::Write as _;

/// Programs that are the same but for a size.
#[derive(Clone, Copy, Debug)]
pub struct Curve {
    /// As files are called.
    pub name: &'static str,
    /// What the size counts.
    pub title: &'static str,
    /// How the time should grow.
    pub expected: &'static str,
    pub sizes: &'static [u64],
    /// Drawn over the lines of the program, not over the size.
    pub by_lines: bool,
    pub program: fn(u64) -> String,
}

pub const CURVES: [Curve; 5] = [
    Curve {
        name: "loop-bound",
        title: "turns of a loop",
        expected: "constant",
        sizes: &[10, 1_000, 100_000, 10_000_000, 1_000_000_000],
        by_lines: false,
        program: loop_bound,
    },
    Curve {
        name: "recursion-depth",
        title: "depth of a recursion",
        expected: "constant",
        sizes: &[10, 1_000, 100_000, 10_000_000, 1_000_000_000],
        by_lines: false,
        program: recursion_depth,
    },
    Curve {
        name: "calls",
        title: "calls of one helper",
        expected: "linear",
        sizes: &[10, 50, 100, 200, 400, 800],
        by_lines: true,
        program: calls,
    },
    Curve {
        name: "functions",
        title: "independent functions",
        expected: "linear",
        sizes: &[10, 20, 50, 100, 200, 400],
        by_lines: true,
        program: functions,
    },
    Curve {
        name: "chain",
        title: "lines of a chain of functions",
        expected: "linear",
        sizes: &[200, 1_000, 2_000, 5_000, 10_000, 20_000],
        by_lines: true,
        program: chain,
    },
];

const HEAD: &str = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n";

/// So many turns, in some of which something happens.
fn loop_bound(turns: u64) -> String {
    format!(
        "{HEAD}int main(void) {{
    int i = 0, hits = 0;
    while (i < {turns}) {{
        if (__VERIFIER_nondet_int() > 0)
            hits++;
        i++;
    }}
    if (hits > {turns} || i != {turns})
        reach_error();
    return 0;
}}
"
    )
}

/// So many calls inside each other, in some of which something happens.
fn recursion_depth(depth: u64) -> String {
    format!(
        "{HEAD}int count(int n) {{
    if (n <= 0)
        return 0;
    int hit = __VERIFIER_nondet_int() > 0;
    return count(n - 1) + hit;
}}
int main(void) {{
    int hits = count({depth});
    if (hits < 0 || hits > {depth})
        reach_error();
    return 0;
}}
"
    )
}

/// So many calls one after the other.
fn calls(number: u64) -> String {
    let calls: String = (0..number).map(|_| "    x = step(x);\n").collect();
    format!(
        "{HEAD}int step(int x) {{
    if (__VERIFIER_nondet_int() > 0)
        return x;
    return x + 1;
}}
int main(void) {{
    int x = 0;
{calls}    if (x < 0)
        reach_error();
    return 0;
}}
"
    )
}

/// So many functions, each with a loop and something to prove of it.
fn functions(number: u64) -> String {
    let mut text = HEAD.to_owned();
    for k in 0..number {
        let _ = write!(
            text,
            "void f{k}(void) {{
    int n = __VERIFIER_nondet_int(), i = 0;
    while (i < n)
        i++;
    if (n > 0 && i != n)
        reach_error();
}}
"
        );
    }
    text += "int main(void) {\n";
    for k in 0..number {
        let _ = writeln!(text, "    f{k}();");
    }
    text + "    return 0;\n}\n"
}

/// Functions of eight lines, each of which calls the one before, so many lines in all.
fn chain(lines: u64) -> String {
    let functions = (lines.saturating_sub(10) / 8).max(1);
    let mut text = format!("{HEAD}int f0(int x) {{\n    return x;\n}}\n");
    for k in 1..functions {
        let _ = write!(
            text,
            "int f{k}(int x) {{
    int y = x;
    if (x > {k})
        y = x - 1;
    else if (x < -{k})
        y = x + 1;
    return f{}(y);
}}
",
            k - 1
        );
    }
    let last = functions - 1;
    let _ = write!(
        text,
        "int main(void) {{
    int x = __VERIFIER_nondet_int();
    if (x < 0 || x > 100)
        return 0;
    if (f{last}(x) < 0)
        reach_error();
    return 0;
}}
"
    );
    text
}
