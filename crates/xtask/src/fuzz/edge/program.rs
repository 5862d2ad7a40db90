//! Programs made of parts, and the questions about them.

use crate::generate::Rng;

use super::grammar::Choices;
use super::parts::{PARTS, Part};

/// What every program declares. There are no headers, so that nothing needs a preprocessor.
const HEAD: &str = "extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void *calloc(unsigned long, unsigned long);
extern void *realloc(void *, unsigned long);
extern void free(void *);
extern void abort(void);
extern void exit(int);
extern void _Exit(int);
extern void *memcpy(void *, const void *, unsigned long);
extern void *memmove(void *, const void *, unsigned long);
extern void *memset(void *, int, unsigned long);
extern int memcmp(const void *, const void *, unsigned long);
extern unsigned long strlen(const char *);
extern int strcmp(const char *, const char *);
extern int strncmp(const char *, const char *, unsigned long);
extern char *strcpy(char *, const char *);
extern char *strncpy(char *, const char *, unsigned long);
extern char *strcat(char *, const char *);
extern char *strchr(const char *, int);
";

/// The values of the inputs `x` and `y`.
pub const INPUTS: [[u8; 2]; 8] = [[0, 0], [0, 1], [1, 0], [1, 1], [2, 0], [2, 1], [3, 0], [3, 1]];

/// A program with one place where its values are looked at.
#[derive(Clone, Debug)]
pub struct Program {
    pub seed: u64,
    /// Everything up to the place.
    before: String,
    pub parts: Vec<&'static str>,
    /// Other files may do something else than ours.
    pub open: bool,
    /// Definitions in another file.
    pub other: String,
}

/// The program that a seed names.
pub fn program(seed: u64) -> Program {
    let mut rng = Rng::new(seed);
    let count = rng.weighted(&[(5, 1), (4, 2), (1, 3)]);
    let mut chosen: Vec<&Part> = Vec::new();
    while chosen.len() < count {
        let part = rng.pick(&PARTS);
        if !chosen.iter().any(|other| other.name == part.name) {
            chosen.push(part);
        }
    }
    let (mut top, mut body, mut other) = (HEAD.to_owned(), String::new(), String::new());
    for (at, part) in chosen.iter().enumerate() {
        let mut choices = Choices::new(at);
        top.push_str(&choices.expand(&mut rng, part.top));
        body.push_str("{\n");
        body.push_str(&choices.expand(&mut rng, part.body));
        body.push_str("}\n");
        other.push_str(&choices.expand(&mut rng, part.other));
    }
    let values: String = (0..count).map(|at| format!("int o{at} = 0;\n")).collect();
    let inputs = "int x = __VERIFIER_nondet_uchar() & 3;\nint y = __VERIFIER_nondet_uchar() & 1;\n";
    Program {
        seed,
        before: format!("{top}int main(void) {{\n{inputs}{values}{body}"),
        parts: chosen.iter().map(|part| part.name).collect(),
        open: chosen.iter().any(|part| part.open),
        other,
    }
}

impl Program {
    /// With a statement at the place.
    pub fn text(&self, statement: &str) -> String {
        format!("{}{statement}return 0;\n}}\n", self.before)
    }

    /// Prints its values.
    pub fn printed(&self) -> String {
        let formats = vec!["%d"; self.parts.len()].join(" ");
        let values: String = (0..self.parts.len()).map(|at| format!(", o{at}")).collect();
        let declaration = "extern int printf(const char *, ...);\n";
        format!("{declaration}{}", self.text(&format!("printf(\"{formats}\\n\"{values});\n")))
    }

    /// Tells its values to the driver of the compilers.
    pub fn observed(&self) -> String {
        let calls = (0..self.parts.len()).map(|at| format!("fuzz_observe({at}, o{at});\n"));
        let declaration = "extern void fuzz_observe(int, int);\n";
        format!("{declaration}{}", self.text(&calls.collect::<String>()))
    }
}
