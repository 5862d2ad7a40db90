//! Options of the compiler in attributes and pragmas (`optimize`, `target`): which of them leave
//! the meaning of a program as it is.

/// Optimisation as such does not change what a defined program does. What relaxes floating-point
/// arithmetic or overflow does (`fast-math`, `Ofast`, `wrapv`), and sets of instructions with
/// larger vectors change the largest alignment.
pub fn is_harmless_option(option: &str) -> bool {
    option.split(',').all(|word| is_harmless_word(word.trim()))
}

fn is_harmless_word(word: &str) -> bool {
    let word = word.strip_prefix("-f").or(word.strip_prefix('-')).unwrap_or(word);
    let word = word.strip_prefix("no-").unwrap_or(word);
    let level = |rest: &str| matches!(rest, "" | "0" | "1" | "2" | "3" | "s" | "g" | "z");
    let number = !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
    let family = ["tree-", "ipa-", "inline", "unroll", "split-", "peel-", "reorder-", "sched"];
    number
        || word.strip_prefix('O').is_some_and(level)
        || family.iter().any(|prefix| word.starts_with(prefix))
        || HARMLESS.contains(&word)
}

const HARMLESS: &[&str] = &[
    "aes",
    "align-functions",
    "align-loops",
    "bmi",
    "bmi2",
    "cx16",
    "fxsr",
    "general-regs-only",
    "gcse",
    "loop-interchange",
    "lzcnt",
    "mmx",
    "movbe",
    "omit-frame-pointer",
    "optimize-sibling-calls",
    "pclmul",
    "popcnt",
    "sse",
    "sse2",
    "sse3",
    "sse4",
    "sse4.1",
    "sse4.2",
    "ssse3",
    "stack-protector",
    "strict-aliasing",
    "vectorize",
    "web",
    "xsave",
];
