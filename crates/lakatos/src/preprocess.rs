//! The C compiler as preprocessor, for files that have directives (DESIGN.md section 3).

use std::env;
use std::io::{self, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;

use anyhow::{Error, Result, bail};
use lakatos_ir::DataModel;

use crate::exit::Limited;
use crate::input::{display_name, line_column};
use crate::scan::{first_directive, first_predefined_macro};
use crate::terminal;

/// How much of the compiler's complaints is shown.
const MAX_LINES: usize = 20;

/// The text without directives and macros, its lines marked with where they come from; `None` if it
/// has none.
pub fn preprocess(path: &Path, text: &[u8], model: DataModel) -> Result<Option<Vec<u8>>> {
    // To compilers the name of a file says that it was preprocessed already.
    let was_preprocessed = path.extension().is_some_and(|extension| extension == "i");
    let first = first_directive(text)
        .or_else(|| first_predefined_macro(text).filter(|_| !was_preprocessed));
    let Some(offset) = first else { return Ok(None) };
    let compiler = Compiler::from_env();
    let name = display_name(path);
    let output = match compiler.run(path, text, model) {
        Ok(output) => output,
        Err(cause) if Limited::is_limit(&cause) => {
            let context = format!("the C compiler `{}` cannot be run", compiler.program);
            return Err(Error::new(cause).context(context));
        }
        Err(cause) => bail!(no_compiler(&name, text, offset, &compiler.program, &cause)),
    };
    let complaints = excerpt(&output.stderr);
    if !output.status.success() {
        ensure_unlimited(&output, &complaints)?;
        let hint = match model {
            DataModel::Ilp32 => {
                "\n  (For ilp32 the 32-bit C headers are needed: gcc-multilib on Debian.)"
            }
            DataModel::Lp64 => "",
        };
        bail!("{name}: preprocessing with `{}` failed\n{complaints}{hint}", compiler.program);
    }
    if !complaints.is_empty() {
        terminal::say(&format!("{complaints}\n"));
    }
    Ok(Some(output.stdout))
}

/// What a compiler says in the end that has met a limit of the system, and not a mistake of the
/// user.
const LIMITS: [&str; 7] = [
    "Resource temporarily unavailable",
    "Cannot allocate memory",
    "out of memory",
    "virtual memory exhausted",
    "Too many open files",
    "No space left on device",
    "File too large",
];

/// Fails as a limit if that is why a compiler has failed.
fn ensure_unlimited(output: &Output, complaints: &str) -> Result<(), Limited> {
    let said = LIMITS.into_iter().find(|said| complaints.contains(said));
    let reason = match (said, output.status.signal()) {
        (Some(said), _) => said.to_owned(),
        (None, Some(_)) => output.status.to_string(),
        (None, None) => return Ok(()),
    };
    Err(Limited(format!("the C compiler that preprocesses met a limit of the system: {reason}")))
}

/// What needs it, and what to do about it.
fn no_compiler(name: &str, text: &[u8], at: usize, compiler: &str, cause: &io::Error) -> String {
    let (line, column) = line_column(text, at);
    let directive = text[at..].split(|&byte| byte == b'\n').next().unwrap_or_default();
    let directive = String::from_utf8_lossy(directive);
    format!(
        "{name}:{line}:{column}: `{}` needs a preprocessor, and the C compiler `{compiler}` cannot \
         be run ({cause})\n  Install a C compiler, or name one in the environment variable CC, or \
         preprocess the file\n  elsewhere with `cc -E -C {name} > file.i` and give file.i.",
        directive.trim_end(),
    )
}

/// `CC`, which may hold options, or `cc`.
pub struct Compiler {
    pub program: String,
    pub options: Vec<String>,
}

impl Compiler {
    pub fn from_env() -> Compiler {
        let cc = env::var("CC").unwrap_or_default();
        let mut words = cc.split_whitespace().map(str::to_owned);
        let program = words.next().unwrap_or_else(|| "cc".to_owned());
        Compiler { program, options: words.collect() }
    }

    /// `-C` keeps comments, and so ACSL.
    fn run(&self, path: &Path, text: &[u8], model: DataModel) -> io::Result<Output> {
        let mut command = Command::new(&self.program);
        command.args(&self.options).args(["-E", "-C"]).args(model_flag(model)).env("LC_ALL", "C");
        command.args(["-x", "c"]).stdout(Stdio::piped()).stderr(Stdio::piped());
        if path.is_file() {
            // Not an option, even if the name begins with `-`.
            let is_flag = path.as_os_str().as_encoded_bytes().starts_with(b"-");
            let path = if is_flag { Path::new(".").join(path) } else { path.into() };
            return command.arg(path).stdin(Stdio::null()).output();
        }
        let mut child = command.arg("-").stdin(Stdio::piped()).spawn()?;
        let mut stdin = child.stdin.take().expect("stdin is piped");
        thread::scope(|scope| {
            // A compiler that stops reading early says why on stderr.
            let writer = move || stdin.write_all(text);
            if let Err(error) = thread::Builder::new().spawn_scoped(scope, writer) {
                // It reads nothing, and ends.
                let _ = child.kill();
                let _ = child.wait();
                return Err(error);
            }
            child.wait_with_output()
        })
    }
}

/// Only compilers for x86 have both models; others are LP64 (where Lakatos runs at all).
fn model_flag(model: DataModel) -> Option<&'static str> {
    match model {
        DataModel::Ilp32 => Some("-m32"),
        DataModel::Lp64 if cfg!(any(target_arch = "x86", target_arch = "x86_64")) => Some("-m64"),
        DataModel::Lp64 => None,
    }
}

fn excerpt(stderr: &[u8]) -> String {
    let text = String::from_utf8_lossy(stderr);
    let mut lines: Vec<&str> = text.lines().take(MAX_LINES + 1).collect();
    if lines.len() > MAX_LINES {
        lines[MAX_LINES] = "...";
    }
    lines.join("\n")
}
