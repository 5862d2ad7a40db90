//! Limits of the system, signals and time: a run ends with a verdict or with an honest unknown, and
//! leaves neither half a file nor a process behind.
#![cfg(target_os = "linux")]

mod support;

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use support::Sandbox;

const SAFE: &str = "\
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}
int main(void)
{
    unsigned n = __VERIFIER_nondet_uint() % 1000, i = 0, sum = 0;
    while (i < n) { i = i + 1; sum = sum + 2; }
    if (sum != 2 * n) reach_error();
    return 0;
}
";

/// No engine decides it in the time that a test has.
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

/// Longer than anything here takes, on a machine that does other things.
const HANGS: Duration = Duration::from_secs(120);

struct Ended {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

/// The binary below a shell that has set limits (`ulimit -v 100000`).
fn start(folder: &Path, limits: &str, words: &[&str]) -> Child {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("{limits}\nexec \"$@\""), "sh"]);
    command.arg(assert_cmd::cargo::cargo_bin!("lakatos")).args(words);
    command.current_dir(folder).env_remove("CC").stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("there is a shell")
}

fn wait(mut child: Child) -> Ended {
    let (mut out, mut err) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
    let errors = thread::spawn(move || {
        let mut text = String::new();
        err.read_to_string(&mut text).unwrap();
        text
    });
    let mut stdout = String::new();
    out.read_to_string(&mut stdout).unwrap();
    let code = child.wait().unwrap().code();
    Ended { code, stdout, stderr: errors.join().unwrap() }
}

fn under(folder: &Path, limits: &str, words: &[&str]) -> Ended {
    let ended = wait(start(folder, limits, words));
    assert!(!ended.stderr.contains("internal error"), "{limits}: {}", ended.stderr);
    ended
}

/// The verdict in a JSON document, which is whole if it is there.
fn verdict(path: &Path) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    let document: serde_json::Value = serde_json::from_str(&text).expect("it is whole");
    Some(document["verdict"].as_str().expect("it has a verdict").to_owned())
}

/// The names of all files but those that were there.
fn left(sandbox: &Sandbox, inputs: &[&str]) -> Vec<String> {
    let entries = fs::read_dir(sandbox.path(".")).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|name| !inputs.contains(&&**name)).collect();
    names.sort();
    names
}

fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !is_so() {
        assert!(begin.elapsed() < HANGS, "{what}");
        thread::sleep(Duration::from_millis(20));
    }
}

/// Processes whose parent is this one.
fn children(pid: u32) -> Vec<u32> {
    let text = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
    text.split_whitespace().map(|pid| pid.parse().unwrap()).collect()
}

/// Gone, or waiting to be waited for.
fn is_gone(pid: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat"));
    stat.map_or(true, |stat| stat.rsplit(") ").next().unwrap_or_default().starts_with('Z'))
}

fn signal(name: &str, pid: u32) {
    let status = Command::new("kill").args([&format!("-{name}"), &pid.to_string()]).status();
    assert!(status.expect("there is `kill`").success());
}

/// A run that has begun to search, with its worker.
fn searching(sandbox: &Sandbox) -> (Child, u32) {
    let child = start(sandbox.path(".").as_path(), "", &["verify", "hard.c", "--json", "o.json"]);
    until("a worker", || !children(child.id()).is_empty());
    let worker = children(child.id())[0];
    // Its engines have threads.
    let threads = || fs::read_dir(format!("/proc/{worker}/task")).map_or(0, Iterator::count);
    until("engines", || threads() >= 4);
    (child, worker)
}

#[test]
fn address_space() {
    let sandbox = Sandbox::new().file("safe.c", SAFE);
    let mut codes = Vec::new();
    for kilobytes in [70_000, 90_000, 130_000, 250_000, 500_000, 1_500_000, 4_000_000] {
        let limits = format!("ulimit -v {kilobytes}");
        let words = ["verify", "safe.c", "--timeout", "60", "--json", "o.json"];
        let ended = under(&sandbox.path("."), &limits, &words);
        let code = ended.code.expect("it ends by itself");
        let expected = match code {
            0 => "proved",
            2 => "unknown",
            code => panic!("{kilobytes}: {code}, {}", ended.stderr),
        };
        assert_eq!(verdict(&sandbox.path("o.json")).as_deref(), Some(expected), "{kilobytes}");
        assert!(ended.stdout.contains(expected), "{kilobytes}: {}", ended.stdout);
        codes.push(code);
    }
    assert_eq!((codes[0], codes[codes.len() - 1]), (2, 0), "{codes:?}");
    assert_eq!(left(&sandbox, &["safe.c"]), ["o.json"]);
}

/// There is not enough address space for the full stacks of all engines.
#[test]
fn all_engines_begin_in_four_gigabytes() {
    let sandbox = Sandbox::new().file("hard.c", HARD);
    let words = ["verify", "hard.c", "--timeout", "5"];
    let ended = under(&sandbox.path("."), "ulimit -v 4000000", &words);
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
    assert!(ended.stdout.contains("limit was reached"), "{}", ended.stdout);
}

#[test]
fn the_size_of_files() {
    let sandbox = Sandbox::new().file("safe.c", SAFE);
    let words = ["verify", "safe.c", "--json", "o.json", "--witness", "o.yml"];
    let ended = under(&sandbox.path("."), "ulimit -f 1", &words);
    assert_eq!(ended.code, Some(3));
    assert!(ended.stdout.contains("proved"), "{}", ended.stdout);
    assert!(ended.stderr.contains("cannot write o.json"), "{}", ended.stderr);
    assert_eq!(left(&sandbox, &["safe.c"]), [""; 0]);
    let ended = under(&sandbox.path("."), "ulimit -f 1000", &words);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert_eq!(left(&sandbox, &["safe.c"]), ["o.json", "o.yml"]);
}

#[test]
fn open_files() {
    let sandbox = Sandbox::new().file("safe.c", SAFE);
    for number in 4..12 {
        let limits = format!("ulimit -n {number}");
        let words = ["verify", "safe.c", "--json", "o.json"];
        let ended = under(&sandbox.path("."), &limits, &words);
        match ended.code {
            Some(0) => assert_eq!(verdict(&sandbox.path("o.json")).as_deref(), Some("proved")),
            // The library of the solver cannot be opened.
            Some(127) if number < 5 => {}
            Some(2 | 3) => assert!(!ended.stderr.is_empty() || !ended.stdout.is_empty()),
            other => panic!("{number}: {other:?} {}", ended.stderr),
        }
    }
}

/// From the first second on, whatever is being done, a signal ends it with a verdict.
#[test]
fn signals_cancel() {
    for name in ["TERM", "INT", "HUP"] {
        let sandbox = Sandbox::new().file("hard.c", HARD);
        let (child, worker) = searching(&sandbox);
        signal(name, child.id());
        let ended = wait(child);
        assert_eq!(ended.code, Some(2), "{name}: {}", ended.stderr);
        assert!(
            ended.stdout.contains("unreach-call: unknown: it was cancelled"),
            "{}",
            ended.stdout
        );
        assert_eq!(verdict(&sandbox.path("o.json")).as_deref(), Some("unknown"));
        assert!(is_gone(worker), "{name}");
    }
}

/// As the system does when memory runs out.
#[test]
fn a_worker_that_is_killed_is_unknown() {
    let sandbox = Sandbox::new().file("hard.c", HARD);
    let (child, worker) = searching(&sandbox);
    signal("KILL", worker);
    let ended = wait(child);
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
    assert!(
        ended.stdout.contains("unreach-call: unknown: the process was killed"),
        "{}",
        ended.stdout
    );
    let document = fs::read_to_string(sandbox.path("o.json")).unwrap();
    assert!(document.contains("\"reason\": \"the process was killed"), "{document}");
    assert_eq!(verdict(&sandbox.path("o.json")).as_deref(), Some("unknown"));
}

#[test]
fn no_worker_outlives_its_parent() {
    let sandbox = Sandbox::new().file("hard.c", HARD);
    let (mut child, worker) = searching(&sandbox);
    child.kill().unwrap();
    child.wait().unwrap();
    until("the worker ends", || is_gone(worker));
}

/// The compiler that preprocesses is below the time limit, and does not stay.
#[test]
fn the_time_limit_holds_for_the_preprocessor() {
    let slow = "#!/bin/sh\necho $$ > slow.pid\nexec sleep 600\n";
    let sandbox = Sandbox::new().file("slow", slow).file("macro.c", format!("#define N 1\n{SAFE}"));
    let make = Command::new("chmod").arg("+x").arg(sandbox.path("slow")).status();
    assert!(make.unwrap().success());
    let begin = Instant::now();
    let words = ["verify", "macro.c", "--timeout", "2", "--property", "all", "--json", "o.json"];
    let ended = under(&sandbox.path("."), "export CC=./slow", &words);
    assert!(begin.elapsed() < HANGS);
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
    let mut lines = ended.stdout.lines();
    assert_eq!(lines.next(), Some("macro.c (lp64)"));
    assert!(lines.clone().count() > 5, "{}", ended.stdout);
    for line in lines {
        assert!(line.ends_with(": unknown: the time limit was reached"), "{line}");
    }
    assert_eq!(verdict(&sandbox.path("o.json")).as_deref(), Some("unknown"));
    let pid = fs::read_to_string(sandbox.path("slow.pid")).unwrap().trim().parse().unwrap();
    assert!(is_gone(pid));
}

/// Nothing that reads a program can be interrupted, and it ends all the same.
#[test]
fn the_time_limit_holds_for_the_front_end() {
    let body = "    x = x * 3 + 1; if (x > 7) x -= 2;\n".repeat(400_000);
    let text = format!("int main(void)\n{{\n    int x = 0;\n{body}    return x;\n}}\n");
    let sandbox = Sandbox::new().file("long.c", text);
    let commands: [&[&str]; 3] = [
        &["verify", "long.c", "--timeout", "0.5"],
        &["contracts", "long.c", "--timeout", "0.5"],
        &["arg", "long.c", "--timeout", "0.5", "-o", "o.svg"],
    ];
    for words in commands {
        let begin = Instant::now();
        let ended = under(&sandbox.path("."), "", words);
        assert!(begin.elapsed() < HANGS);
        assert_eq!(ended.code, Some(2), "{words:?}: {}", ended.stderr);
        let said = ended.stdout + &ended.stderr;
        assert!(said.contains("the time limit was reached"), "{words:?}: {said}");
    }
    assert_eq!(left(&sandbox, &["long.c"]), [""; 0]);
}
