//! Sizes, alignments, offsets, types of expressions and values of constant expressions: what
//! the front-end says, checked by the compiler with `_Static_assert`, for both data models.
//!
//! A [`Sheet`] has declarations and questions that are integer constant expressions. Lakatos
//! answers by running a program that prints them; the compiler is asked whether that is so.
//! Where bit-fields lie cannot be asked statically: programs that show their bytes are run by
//! both.

mod records;
mod scalars;

use std::fmt;

use anyhow::Result;
use lakatos_ir::DataModel;

use crate::cc::{Build, Compiler, Ran};
use crate::generate::Rng;
use crate::lakatos::{Answer, execute};
use crate::parallel;
use crate::validate::describe;

pub use records::RECORDS;

/// Declarations and questions about them.
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    pub declarations: String,
    /// Integer constant expressions.
    pub questions: Vec<String>,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The list of types is the same every time.
        let question = self.question.split(", _Bool: 1").next().unwrap_or_default();
        writeln!(f, "{:?}: {question}\n  {}", self.model, self.problem)?;
        // One declaration may be enough to see why.
        let tag = self.question.split("(R").nth(1).and_then(|r| r.split([',', ')', ' ']).next());
        let own = |l: &&str| tag.is_none_or(|tag| l.contains(&format!(" r{tag} ")));
        for line in self.declarations.lines().filter(own) {
            writeln!(f, "  {line}")?;
        }
        Ok(())
    }
}

/// A question that the two answer differently, or that one refuses.
#[derive(Clone, Debug)]
pub struct Mismatch {
    pub model: DataModel,
    pub declarations: String,
    pub question: String,
    pub problem: String,
}

/// How many questions were asked, and what went wrong.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    pub asked: usize,
    pub mismatches: Vec<Mismatch>,
}

/// Questions that are not integer constant expressions, the compiler says: the probes' own test.
pub fn invalid(first: u64, count: u64) -> Result<Vec<Mismatch>> {
    let found = parallel::map(&jobs(first, count), Compiler::new, |compiler, (model, job)| {
        let Job::Ask(sheet) = job else { return Ok(Vec::new()) };
        let answer = |q: &String| (q.clone(), format!("(unsigned long long)({q})"));
        let answers: Vec<_> = sheet.questions.iter().map(answer).collect();
        check(compiler, sheet, &answers, *model)
    })?;
    Ok(found.into_iter().flatten().collect())
}

/// The fixed sheets, and random ones from `count` seeds.
fn jobs(first: u64, count: u64) -> Vec<(DataModel, Job)> {
    let mut jobs = Vec::new();
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        jobs.extend(scalars::sheets(model).into_iter().map(|sheet| (model, Job::Ask(sheet))));
        for seed in first..first + count {
            let mut rng = Rng::new(seed);
            jobs.push((model, Job::Ask(scalars::random(&mut rng, model))));
            jobs.extend(layouts(&mut rng, model).map(|job| (model, job)));
        }
    }
    jobs
}

/// Questions about random records, and the program that shows their bit-fields.
fn layouts(rng: &mut Rng, model: DataModel) -> [Job; 2] {
    let dialect = records::Dialect { model, common: is_clang() };
    let (sheet, program) = records::random(rng, dialect);
    [Job::Ask(sheet), Job::Run(program)]
}

/// The compiler that is asked is clang, which differs from GCC where records use what is GCC's.
fn is_clang() -> bool {
    std::env::var_os("CC").is_some_and(|cc| cc.to_string_lossy().contains("clang"))
}

/// Only records: [`records::RECORDS`] for each seed and data model.
pub fn layout(first: u64, count: u64) -> Result<Summary> {
    let jobs = [DataModel::Lp64, DataModel::Ilp32].into_iter().flat_map(|model| {
        let seeds = first..first + count;
        seeds.flat_map(move |seed| layouts(&mut Rng::new(seed), model).map(|job| (model, job)))
    });
    ask_all(&jobs.collect::<Vec<_>>())
}

/// Asks everything.
pub fn probes(first: u64, count: u64) -> Result<Summary> {
    ask_all(&jobs(first, count))
}

fn ask_all(jobs: &[(DataModel, Job)]) -> Result<Summary> {
    let results = parallel::map(jobs, Compiler::new, |compiler, (model, job)| match job {
        Job::Ask(sheet) => Ok((sheet.questions.len(), ask(compiler, sheet, *model)?)),
        Job::Run(program) => Ok((1, run(compiler, program, *model)?)),
    })?;
    let mut summary = Summary::default();
    for (asked, mismatches) in results {
        summary.asked += asked;
        summary.mismatches.extend(mismatches);
    }
    Ok(summary)
}

enum Job {
    Ask(Sheet),
    Run(String),
}

fn ask(compiler: &Compiler, sheet: &Sheet, model: DataModel) -> Result<Vec<Mismatch>> {
    let mut mismatches = Vec::new();
    let answers = answers(sheet, &sheet.questions, model, &mut mismatches);
    mismatches.extend(check(compiler, sheet, &answers, model)?);
    Ok(mismatches)
}

/// Lets the compiler check answers.
fn check(
    compiler: &Compiler,
    sheet: &Sheet,
    answers: &[(String, String)],
    model: DataModel,
) -> Result<Vec<Mismatch>> {
    // Inside a function, where statement expressions are allowed.
    let mut text = sheet.declarations.clone() + "void check(void) {\n";
    let before = text.lines().count();
    for (question, answer) in answers {
        text.push_str(&format!(
            "_Static_assert((unsigned long long)({question}) == {answer}, \"\");\n"
        ));
    }
    text.push_str("}\n");
    let Err(errors) = compiler.check(&text, model)? else { return Ok(Vec::new()) };
    let mismatch = |(line, message): (usize, String)| {
        let answered = line.checked_sub(before + 1).and_then(|at| answers.get(at));
        let (question, problem) = match answered {
            Some((question, answer)) => {
                let theirs = compiled(compiler, sheet, question, model).unwrap_or(message);
                (question.clone(), format!("Lakatos says {answer}, the compiler {theirs}"))
            }
            None => (String::new(), message),
        };
        Mismatch { model, declarations: sheet.declarations.clone(), question, problem }
    };
    Ok(error_lines(&errors).into_iter().map(mismatch).collect())
}

/// What a compiled program answers.
fn compiled(compiler: &Compiler, sheet: &Sheet, q: &str, model: DataModel) -> Option<String> {
    let text = format!(
        "int printf(const char *, ...);\n{}int main(void) {{ \
         printf(\"%llu\", (unsigned long long)({q})); return 0; }}\n",
        sheet.declarations
    );
    match compiler.run(&text, model, Build::Plain) {
        Ok(Ran::Exited { stdout, .. }) => String::from_utf8(stdout).ok(),
        _ => None,
    }
}

/// What Lakatos answers. Questions that it refuses are found by halving and left out.
fn answers(
    sheet: &Sheet,
    questions: &[String],
    model: DataModel,
    refused: &mut Vec<Mismatch>,
) -> Vec<(String, String)> {
    if questions.is_empty() {
        return Vec::new();
    }
    let mut text = format!("int printf(const char *, ...);\n{}", sheet.declarations);
    text.push_str("int main(void) {\n");
    for question in questions {
        text.push_str(&format!("printf(\"%llu\\n\", (unsigned long long)({question}));\n"));
    }
    text.push_str("return 0;\n}\n");
    let problem = match execute(&text, model, 0) {
        Answer::Exited { code: 0, stdout } => {
            let numbers: Vec<String> =
                String::from_utf8_lossy(&stdout).lines().map(|line| format!("{line}ULL")).collect();
            if numbers.len() == questions.len() {
                return questions.iter().cloned().zip(numbers).collect();
            }
            "the output is not one number per question".to_string()
        }
        answer => answer.describe(),
    };
    if let [question] = questions {
        let (declarations, question) = (sheet.declarations.clone(), question.clone());
        refused.push(Mismatch { model, declarations, question, problem });
        return Vec::new();
    }
    let (left, right) = questions.split_at(questions.len() / 2);
    let mut found = answers(sheet, left, model, refused);
    found.extend(answers(sheet, right, model, refused));
    found
}

/// The lines in which a compiler found errors, with what it said.
fn error_lines(errors: &str) -> Vec<(usize, String)> {
    let parse = |line: &str| {
        let (place, message) = line.split_once(": error: ")?;
        let number = place.rsplit(':').nth(1)?.parse().ok()?;
        Some((number, message.to_string()))
    };
    let mut found: Vec<(usize, String)> = errors.lines().filter_map(parse).collect();
    found.dedup_by_key(|(line, _)| *line);
    found
}

fn run(compiler: &Compiler, program: &str, model: DataModel) -> Result<Vec<Mismatch>> {
    let theirs = compiler.run(program, model, Build::Plain)?;
    let ours = execute(program, model, 0);
    let same = match (&theirs, &ours) {
        (Ran::Exited { code, stdout, .. }, Answer::Exited { code: c, stdout: s }) => {
            code == c && stdout == s
        }
        _ => false,
    };
    if same {
        return Ok(Vec::new());
    }
    let problem = format!("Lakatos: {}\nthe compiler: {}", ours.describe(), describe(&theirs));
    let declarations = program.to_string();
    Ok(vec![Mismatch { model, declarations, question: String::new(), problem }])
}

/// A number for the type of an expression.
fn type_code(expression: &str, model: DataModel) -> String {
    let mut text = format!("_Generic(({expression})");
    for (n, ty) in scalars::basic_types(model).iter().enumerate() {
        text.push_str(&format!(", {ty}: {}", n + 1));
    }
    for (n, ty) in ["void *", "char *", "const char *", "int *", "unsigned *"].iter().enumerate() {
        text.push_str(&format!(", {ty}: {}", n + 50));
    }
    text.push_str(", default: 0)");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_answer_is_contradicted() {
        let sheet = Sheet { declarations: "struct s { int x; };\n".into(), questions: vec![] };
        let answers = ["4ULL", "5ULL"].map(|a| ("sizeof(struct s)".to_string(), a.to_string()));
        let compiler = Compiler::new().expect("a C compiler");
        let found = check(&compiler, &sheet, &answers, DataModel::Lp64).expect("it runs");
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].problem, "Lakatos says 5ULL, the compiler 4");
    }

    #[test]
    fn compiler_errors_are_read() {
        let text = "dir/check.c:12:1: error: static assertion failed: \"\"\nnoise\n";
        assert_eq!(error_lines(text), [(12, "static assertion failed: \"\"".to_string())]);
    }
}
