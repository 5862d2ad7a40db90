//! What compiled code does: a batch of programs in one executable, run with every input under the
//! sanitizers of gcc and clang.
//!
//! Linking costs more than compiling a small program, so programs share an executable. Names that
//! other files see begin with `G_` and get the number of the program.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use super::program::INPUTS;
use crate::oracle::ENVIRONMENT;

const DRIVER: &str = include_str!("driver.c");

const FLAGS: [&str; 7] = [
    "-w",
    "-O0",
    "-std=gnu11",
    "-fno-builtin",
    "-fcommon",
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
];

/// What a sanitizer found, as the property that it violates.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Fault {
    Deref,
    Free,
    Overflow,
    Division,
    Index,
    /// Undefined in a way that no property asks about.
    Other,
}

impl Fault {
    /// The name of the property; `None`: there is none.
    pub fn property(self) -> Option<&'static str> {
        match self {
            Fault::Deref => Some("valid-deref"),
            Fault::Free => Some("valid-free"),
            Fault::Overflow => Some("no-overflow"),
            Fault::Division => Some("div-by-zero"),
            Fault::Index => Some("array-bounds"),
            Fault::Other => None,
        }
    }

    fn of(said: &str) -> Option<Fault> {
        let says = |words: &[&str]| words.iter().any(|word| said.contains(word));
        let accesses = [
            "use-after",
            "buffer-overflow",
            "buffer-underflow",
            "SEGV",
            "null pointer",
            "object-size",
            "negative-size-param",
            "insufficient space",
        ];
        Some(match said {
            "" => return None,
            _ if says(&["double-free", "attempting free on"]) => Fault::Free,
            _ if says(&accesses) => Fault::Deref,
            _ if says(&["division by zero"]) => Fault::Division,
            _ if says(&["signed integer overflow", "negation of", "division of"]) => {
                Fault::Overflow
            }
            _ if says(&["out of bounds for type"]) => Fault::Index,
            _ => Fault::Other,
        })
    }
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    Returned,
    Blocked,
    Reached,
    /// By `exit`, `abort`, or a report.
    Other,
}

/// What a run did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    pub end: End,
    pub values: Vec<i32>,
    /// Memory was lost.
    pub lost: bool,
    pub fault: Option<Fault>,
    /// It was stopped by the clock.
    late: bool,
}

/// What a program did with all inputs; `None`: the compiler refuses it.
pub type Runs = Option<Vec<Run>>;

/// Runs programs, each a text with definitions in another file.
pub fn run_all(compiler: &str, programs: &[(String, String)], dir: &Path) -> Result<Vec<Runs>> {
    let mut objects = Vec::new();
    let mut sources = Vec::new();
    for (number, (text, other)) in programs.iter().enumerate() {
        for (kind, text) in [("p", text), ("o", other)] {
            let text = text.replace("G_", &format!("g{number}_"));
            let text = text.replace("int main(void)", &format!("int main_{number}(void)"));
            let name = format!("{kind}{number}");
            fs::write(dir.join(format!("{name}.c")), text)?;
            let object = dir.join(format!("{name}.o"));
            if object.exists() {
                fs::remove_file(&object)?;
            }
            sources.push(format!("{name}.c"));
            objects.push((number, format!("{name}.o")));
        }
    }
    // Where one is refused, the others are compiled all the same.
    let mut compile = Command::new(compiler);
    compile.current_dir(dir).args(FLAGS).arg("-c").args(&sources).stderr(Stdio::null());
    compile.status().with_context(|| compiler.to_owned())?;
    let is_there = |name: &String| dir.join(name).exists();
    let taken: Vec<usize> = (0..programs.len())
        .filter(|number| objects.iter().filter(|(of, _)| of == number).all(|(_, o)| is_there(o)))
        .collect();
    let mut runs: Vec<Runs> = vec![None; programs.len()];
    if taken.is_empty() {
        return Ok(runs);
    }
    write_driver(&taken, dir)?;
    let linked = objects.iter().filter(|(of, _)| taken.contains(of)).map(|(_, name)| name);
    let output = Command::new(compiler)
        .current_dir(dir)
        .args(FLAGS)
        .arg("driver.c")
        .args(linked)
        .args(["-o", "batch"])
        .output()?;
    if !output.status.success() {
        bail!("{compiler} does not link: {}", String::from_utf8_lossy(&output.stderr));
    }
    let mut batch = Command::new(dir.join("batch"));
    batch.current_dir(dir).envs(ENVIRONMENT);
    for name in ["ASAN_OPTIONS", "UBSAN_OPTIONS"] {
        let options = ENVIRONMENT.iter().find(|(key, _)| *key == name).map_or("", |(_, o)| *o);
        batch.env(name, format!("{options}:symbolize=0:detect_leaks=0"));
    }
    let output = batch.stderr(Stdio::null()).output()?;
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let (program, run) = read_line(line).with_context(|| format!("not a run: {line}"))?;
        let number = *taken.get(program).context("a program that is there")?;
        runs[number].get_or_insert_default().push(run);
    }
    // A program with a missing run is unknown.
    for run in &mut runs {
        if run
            .as_ref()
            .is_some_and(|runs| runs.len() != INPUTS.len() || runs.iter().any(|r| r.late))
        {
            *run = None;
        }
    }
    Ok(runs)
}

fn write_driver(programs: &[usize], dir: &Path) -> Result<()> {
    let all = |shape: fn(&usize) -> String| programs.iter().map(shape).collect::<String>();
    let inputs: String = INPUTS.iter().map(|[x, y]| format!("{{ {x}, {y} }}, ")).collect();
    let text = DRIVER
        .replace("DECLARATIONS", &all(|n| format!("extern int main_{n}(void);\n")))
        .replace("MAINS", &all(|n| format!("main_{n}, ")))
        .replace("{ INPUTS }", &format!("{{ {inputs} }}"))
        .replace("RUNS", &INPUTS.len().to_string());
    Ok(fs::write(dir.join("driver.c"), text)?)
}

/// The number of the program, and the run.
fn read_line(line: &str) -> Option<(usize, Run)> {
    let (numbers, said) = line.split_once('|')?;
    let numbers: Vec<i32> =
        numbers.split(' ').map(|number| number.parse().ok()).collect::<Option<_>>()?;
    let [program, _, end, killed, lost, values @ ..] = numbers.as_slice() else { return None };
    const ALARM: i32 = 14;
    let run = Run {
        end: match end {
            1 => End::Returned,
            2 => End::Blocked,
            3 => End::Reached,
            _ => End::Other,
        },
        values: values.to_vec(),
        lost: *lost != 0,
        fault: Fault::of(said),
        late: *killed == ALARM,
    };
    Some((usize::try_from(*program).ok()?, run))
}
