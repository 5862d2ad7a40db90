//! What `verify` writes for other tools: JSON held against its published schema, SARIF against what
//! the standard demands, JUnit, workflow commands, the line of SV-COMP; and files that are there as
//! a whole or not at all.

mod support;

use std::path::Path;

use expect_test::expect;
use serde_json::{Value, json};
use support::schema::errors;
use support::{Output, Sandbox};

/// What one turn alone does not preserve.
const ROTATION: &str = "extern int nondet(void); extern void reach_error(void);
int main(void) {
  int a = 1, b = 2, c = 3;
  while (nondet()) {
    if (a == b) reach_error();
    int t = a; a = b; b = c; c = t;
  }
}
";

const SAFE: &str = "\
extern void reach_error(void);
int half(int n) { return n / 2; }
int main(void) {
    int i = 0, s = 0;
    while (i < 10) { i++; s += half(1); }
    if (s > 10) reach_error();
    return 0;
}
";

const BROKEN: &str = "\
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int total;
int add(int n) {
    total += n;
    return total;
}
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x < 3 || x > 5) return 0;
    int y = add(x);
    if (y == x) {
        reach_error(); // \"%0A\", ::error::
    }
    return 0;
}
";

/// Refused by the front-end, which says where.
const UNSUPPORTED: &str =
    "typedef int v __attribute__((vector_size(12))); int main(void) { return 0; }\n";
const NOT_C: &str = "int main(void) { return 0 }\n";

fn schema() -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema/verify-1.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[track_caller]
fn valid(text: &str) -> Value {
    let document: Value = serde_json::from_str(text).unwrap_or_else(|e| panic!("{e} in {text}"));
    let errors = errors(&schema(), &document);
    assert!(errors.is_empty(), "{errors:#?}");
    document
}

/// The schema refuses what is not a result: a test of the checker as well.
#[test]
fn the_schema_refuses() {
    let document = valid(&verify(BROKEN, &["--json", "-"]).stdout);
    let check = |path: &str, value: Value| {
        let mut broken = document.clone();
        *broken.pointer_mut(path).unwrap() = value;
        assert!(!errors(&schema(), &broken).is_empty(), "{path}");
    };
    check("/schema", json!("lakatos-verify/2"));
    check("/verdict", json!("invalid"));
    check("/results", json!([]));
    check("/results/0/verdict", json!("proved"));
    check("/results/0/run/inputs/0/occurrence", json!(0));
    check("/results/0/run/violation/position/line", json!("13"));
    check("/results/0/run/trace/steps/0/event", json!("jump"));
    check("/results/0/run/stack/0", json!({ "function": "main", "called_by": 1 }));
    check("/tool", json!({ "name": "lakatos", "version": "1" }));
}

fn verify(program: &str, args: &[&str]) -> Output {
    let sandbox = Sandbox::new().file("a.c", program);
    sandbox.run(&[&["verify", "a.c"], args].concat())
}

#[test]
fn json_of_every_verdict() {
    let check = |program: &str, args: &[&str], code: i32, verdict: &str| {
        let output = verify(program, &[&["--json", "-"], args].concat());
        assert_eq!(output.code, code, "{output:?}");
        let document = valid(&output.stdout);
        assert_eq!(document["verdict"], verdict, "{document:#}");
        document
    };
    let proved = check(SAFE, &[], 0, "proved");
    let proof = &proved["results"][0]["proof"];
    assert!(proof["conditions"].as_u64().unwrap() > 0);
    assert!(proof["assumptions"][0].as_str().unwrap().starts_with("no signed overflow"));
    let functions = proof["functions"].as_array().unwrap();
    let main = functions.iter().find(|f| f["name"] == "main").expect("main has an invariant");
    assert_eq!(main["invariants"][0]["position"]["line"], 5);

    let refuted = check(BROKEN, &[], 1, "refuted");
    let run = &refuted["results"][0]["run"];
    let at = json!({"file": "a.c", "line": 13, "column": 9, "end_line": 13, "end_column": 22});
    assert_eq!(run["violation"], json!({"message": "`reach_error` is called", "position": at}));
    assert_eq!(run["inputs"][0]["source"], "__VERIFIER_nondet_int()");
    assert_eq!(run["stack"], json!([{"function": "main"}]));
    // The value that came in is the one that the trace goes on with.
    let value = &run["inputs"][0]["value"];
    let steps = run["trace"]["steps"].as_array().unwrap();
    let told: Vec<(&str, u64, &str, &str, &Value)> = steps
        .iter()
        .flat_map(|step| step["assigned"].as_array().unwrap().iter().map(move |set| (step, set)))
        .map(|(step, set)| {
            let text = |value: &'_ Value| value.as_str().unwrap().to_owned().leak() as &str;
            let event = text(&step["event"]);
            let function = text(&step["function"]);
            (function, step["depth"].as_u64().unwrap(), event, text(&set["name"]), &set["value"])
        })
        .collect();
    let expected = [
        ("main", 0, "step", "x", value),
        ("main", 0, "call", "n", value),
        ("add", 1, "step", "total", value),
        ("add", 1, "return", "return", value),
        ("main", 0, "result", "y", value),
    ];
    assert_eq!(told, expected);

    let unsupported = check(UNSUPPORTED, &[], 2, "unknown");
    assert!(unsupported["results"][0]["reason"].as_str().unwrap().contains("a.c:1:"));
    assert_eq!(unsupported["diagnostics"][0]["severity"], "unsupported");
    let invalid = check(NOT_C, &[], 3, "invalid");
    assert_eq!(invalid["diagnostics"][0]["severity"], "error");
    let several = check(BROKEN, &["--property", "all"], 1, "refuted");
    assert_eq!(several["results"].as_array().unwrap().len(), 8);
    let late = check(SAFE, &["--timeout", "0"], 2, "unknown");
    assert_eq!(late["results"][0]["reason"], "the time limit was reached");
}

/// A proof about loops written out says so, and is one about no other program.
#[test]
fn proofs_of_unrolled_programs() {
    let args = ["--engine", "bmc", "--json", "-", "--report", "r.html", "--witness", "w.yml"];
    let document = valid(&verify(SAFE, &args).stdout);
    assert_eq!(document["results"][0]["verdict"], "proved");
    assert_eq!(document["results"][0]["proof"]["unrolled"], 12);
    let text = verify(SAFE, &["--engine", "bmc", "--proof"]).stdout;
    assert!(text.contains("each loop unrolled 12 times"), "{text}");
}

/// The same for a proof by induction over turns.
#[test]
fn proofs_by_induction() {
    let args = ["--engine", "induction", "--json", "-", "--report", "r.html", "--witness", "w.yml"];
    let document = valid(&verify(ROTATION, &args).stdout);
    assert_eq!(document["results"][0]["verdict"], "proved");
    assert_eq!(document["results"][0]["proof"]["inductive"], 4);
    let text = verify(ROTATION, &["--engine", "induction", "--proof"]).stdout;
    assert!(text.contains("by induction over the turns of each loop, 4 at a time"), "{text}");
}

#[test]
fn json_is_the_same_every_time_but_for_the_clock() {
    let once = || {
        let mut document = valid(&verify(BROKEN, &["--json", "-", "--property", "all"]).stdout);
        for result in document["results"].as_array_mut().unwrap() {
            result["statistics"]["seconds"] = json!(0);
        }
        document
    };
    assert_eq!(once(), once());
}

/// Recursion through a pointer, calls that take no value, a long run: depths fit the functions.
#[test]
fn depths_of_calls() {
    let program = "\
extern void reach_error(void);
int count;
void down(int n);
void (*again)(int) = down;
void down(int n) {
    if (n > 0) { again(n - 1); down(n - 1); }
    count++;
}
int main(void) {
    down(13);
    if (count == 16383) reach_error();
    return 0;
}
";
    let output = verify(program, &["--json", "-"]);
    let document = valid(&output.stdout);
    let trace = &document["results"][0]["run"]["trace"];
    assert!(trace["omitted"].as_u64().unwrap() > 0, "the run is too short for this test");
    let steps = trace["steps"].as_array().unwrap();
    let cut = trace["omitted_after"].as_u64().unwrap() as usize;
    let depth = |at: usize| steps[at]["depth"].as_u64().unwrap();
    for at in 1..steps.len() {
        let expected = match steps[at - 1]["event"].as_str().unwrap() {
            _ if at == cut => trace["stack_after_omitted"].as_array().unwrap().len() as u64 - 1,
            "call" => depth(at - 1) + 1,
            "return" => depth(at - 1) - 1,
            _ => depth(at - 1),
        };
        assert_eq!(depth(at), expected, "step {at}: {:#}", steps[at]);
        assert_eq!(depth(at) == 0, steps[at]["function"] == "main", "step {at}");
    }
    assert_eq!(depth(steps.len() - 1), 0);
}

#[test]
fn text_gives_way_to_what_takes_its_place() {
    let said = |args: &[&str]| {
        let output = verify(BROKEN, args);
        assert_eq!((output.code, output.stderr.as_str()), (1, ""), "{output:?}");
        output.stdout
    };
    assert_eq!(said(&["--quiet"]), "");
    assert_eq!(said(&["-q", "--svcomp"]), "false(unreach-call)\n");
    assert_eq!(
        said(&["--svcomp", "--property", "no-overflow", "--property", "unreach-call"]),
        "false(unreach-call)\n"
    );
    assert_eq!(verify(SAFE, &["--svcomp", "--64"]).stdout, "true\n");
    assert_eq!(verify(UNSUPPORTED, &["--svcomp"]).stdout, "unknown\n");
    let overflow = "int main(void) { int x = 2147483647; x++; return 0; }\n";
    let prp = "CHECK( init(main()), LTL(G ! overflow) )\n";
    let sandbox = Sandbox::new().file("a.c", overflow).file("no-overflow.prp", prp);
    let output =
        sandbox.run(&["verify", "--svcomp", "--32", "a.c", "--property", "no-overflow.prp"]);
    assert_eq!((output.code, output.stdout.as_str()), (1, "false(no-overflow)\n"), "{output:?}");
}

#[test]
fn thirty_two_and_sixty_four_bits() {
    let program = "extern void reach_error(void);\nint main(void) { if (sizeof(long) == 4) reach_error(); return 0; }\n";
    assert_eq!(verify(program, &["--32", "--svcomp"]).stdout, "false(unreach-call)\n");
    assert_eq!(verify(program, &["--64", "--svcomp"]).stdout, "true\n");
    for both in [&["--32", "--64"], &["--32", "--data-model=lp64"], &["--64", "--data-model=lp64"]]
    {
        assert_eq!(verify(program, both).code, 3, "{both:?}");
    }
}

#[test]
fn workflow_commands() {
    let output = verify(BROKEN, &["--github", "--property", "all"]);
    assert_eq!(output.code, 1);
    let lines: Vec<&str> = output.stdout.lines().collect();
    assert_eq!(lines.len(), 8, "{output:?}");
    let start = "::error file=a.c,line=13,endLine=13,col=9,endColumn=21,title=unreach-call%3A \
                 refuted::`reach_error` is called (unreach-call is refuted)%0Ainput: ";
    assert!(lines[0].starts_with(start), "{}", lines[0]);
    assert!(lines[1..].iter().all(|line| line.starts_with("::notice file=a.c,line=1,")));
    let output = verify(NOT_C, &["--github"]);
    expect![[r#"
        ::error file=a.c,line=1,endLine=1,col=25,endColumn=25,title=C::expected `;` after `return`, found `}`
    "#]]
    .assert_eq(&output.stdout);
    assert_eq!((output.code, output.stderr.as_str()), (3, ""));
}

#[test]
fn junit() {
    let sandbox = Sandbox::new().file("a.c", BROKEN).file("b.c", NOT_C).file("c.c", UNSUPPORTED);
    let check = |program: &str, args: &[&str], code: i32| {
        let output = sandbox.run(&[&["verify", program, "--junit", "out.xml"], args].concat());
        assert_eq!(output.code, code, "{output:?}");
        std::fs::read_to_string(sandbox.path("out.xml")).unwrap()
    };
    let text = check("a.c", &["--property", "all"], 1);
    let xml = roxmltree::Document::parse(&text).unwrap();
    let suite = xml.root_element().first_element_child().unwrap();
    let counts = ["tests", "failures", "errors", "skipped"].map(|name| suite.attribute(name));
    assert_eq!(counts, [Some("8"), Some("1"), Some("0"), Some("0")]);
    let cases: Vec<(&str, Option<&str>)> = suite
        .children()
        .filter(|node| node.is_element())
        .map(|case| {
            let inside = case.first_element_child().map(|node| node.tag_name().name());
            (case.attribute("name").unwrap(), inside)
        })
        .collect();
    let proved = Some("system-out");
    let expected = [
        ("unreach-call", Some("failure")),
        ("no-overflow", proved),
        ("div-by-zero", proved),
        ("array-bounds", proved),
        ("valid-deref", proved),
        ("valid-free", proved),
        ("valid-memtrack", proved),
        ("uninitialised-read", proved),
    ];
    assert_eq!(cases.len(), expected.len());
    for (case, expected) in cases.iter().zip(expected) {
        // A proof may have no assumptions.
        assert!(
            *case == expected || (expected.1 == proved && *case == (expected.0, None)),
            "{case:?}"
        );
    }
    let failure = suite.descendants().find(|node| node.has_tag_name("failure")).unwrap();
    assert_eq!(
        failure.attribute("message"),
        Some("`reach_error` is called (unreach-call is refuted)")
    );
    assert!(failure.text().unwrap().contains("add at a.c:5: total = "), "{text}");
    for (program, code, kind) in [("b.c", 3, "invalid"), ("c.c", 2, "unknown")] {
        let text = check(program, &[], code);
        let xml = roxmltree::Document::parse(&text).unwrap();
        let error = xml.descendants().find(|node| node.has_tag_name("error")).unwrap();
        assert_eq!(error.attribute("type"), Some(kind), "{text}");
    }
}

/// What the standard (OASIS SARIF 2.1.0) demands of the objects that are written.
mod sarif {
    use super::*;

    fn log(program: &str, args: &[&str]) -> Value {
        let sandbox = Sandbox::new().file("a b.c", program);
        sandbox.run(&[&["verify", "a b.c", "--sarif", "out.sarif"], args].concat());
        let text = std::fs::read_to_string(sandbox.path("out.sarif")).unwrap();
        serde_json::from_str(&text).unwrap()
    }

    /// Every object has the properties that it must have, and no others than those named.
    #[track_caller]
    fn object(value: &Value, must: &[&str], may: &[&str]) {
        let fields = value.as_object().unwrap_or_else(|| panic!("no object: {value}"));
        for name in must {
            assert!(fields.contains_key(*name), "{name} is missing in {value:#}");
        }
        for name in fields.keys() {
            let known = must.contains(&name.as_str()) || may.contains(&name.as_str());
            assert!(known, "{name} is unknown in {value:#}");
        }
    }

    fn list(value: &Value) -> &[Value] {
        value.as_array().map_or(&[], Vec::as_slice)
    }

    fn message(value: &Value) {
        object(value, &["text"], &[]);
        assert!(!value["text"].as_str().unwrap().is_empty());
    }

    fn location(value: &Value) {
        object(value, &["physicalLocation"], &["message", "logicalLocations"]);
        let physical = &value["physicalLocation"];
        object(physical, &["artifactLocation"], &["region"]);
        object(&physical["artifactLocation"], &["uri"], &[]);
        assert_eq!(physical["artifactLocation"]["uri"], "a%20b.c");
        if let Some(region) = physical.get("region") {
            object(region, &["startLine", "startColumn"], &["endLine", "endColumn"]);
            let number = |name: &str, or: u64| region.get(name).map_or(or, |n| n.as_u64().unwrap());
            let start = (number("startLine", 0), number("startColumn", 0));
            assert!(start.0 >= 1 && start.1 >= 1, "{region}");
            assert!(
                (number("endLine", start.0), number("endColumn", start.1)) >= start,
                "{region}"
            );
        }
        if let Some(said) = value.get("message") {
            message(said);
        }
        for logical in value.get("logicalLocations").map_or(&[][..], list) {
            object(logical, &["name", "kind"], &[]);
        }
    }

    fn flow(value: &Value) {
        object(value, &["threadFlows"], &["message"]);
        for thread in list(&value["threadFlows"]) {
            object(thread, &["locations"], &[]);
            assert!(!list(&thread["locations"]).is_empty());
            for step in list(&thread["locations"]) {
                object(step, &["location"], &["nestingLevel", "state", "importance"]);
                location(&step["location"]);
                assert!(step["nestingLevel"].as_i64().unwrap() >= 0);
                if let Some(state) = step.get("state") {
                    state.as_object().unwrap().values().for_each(message);
                }
            }
        }
    }

    fn result(value: &Value, rules: &[Value]) {
        let optional = ["codeFlows", "partialFingerprints", "properties"];
        object(value, &["ruleId", "ruleIndex", "kind", "level", "message", "locations"], &optional);
        message(&value["message"]);
        let index = value["ruleIndex"].as_u64().unwrap() as usize;
        assert_eq!(rules[index]["id"], value["ruleId"]);
        // 3.27.10: a level other than `none` is for failures only.
        let (kind, level) = (value["kind"].as_str().unwrap(), value["level"].as_str().unwrap());
        assert!(["pass", "open", "fail"].contains(&kind));
        assert_eq!(level == "none", kind != "fail");
        list(&value["locations"]).iter().for_each(location);
        value.get("codeFlows").map_or(&[][..], list).iter().for_each(flow);
    }

    fn check(log: &Value) -> &Value {
        object(log, &["$schema", "version", "runs"], &[]);
        assert_eq!(log["version"], "2.1.0");
        let [run] = list(&log["runs"]) else { panic!("{log:#}") };
        object(run, &["tool", "columnKind", "invocations", "artifacts", "results"], &[]);
        object(&run["tool"], &["driver"], &[]);
        let driver = &run["tool"]["driver"];
        let all = ["name", "version", "semanticVersion", "rules", "properties"];
        object(driver, &all, &[]);
        for rule in list(&driver["rules"]) {
            let all = ["id", "shortDescription", "fullDescription", "help", "defaultConfiguration"];
            object(rule, &all, &[]);
            ["shortDescription", "fullDescription", "help"]
                .iter()
                .for_each(|name| message(&rule[*name]));
        }
        for invocation in list(&run["invocations"]) {
            object(invocation, &["executionSuccessful", "toolExecutionNotifications"], &[]);
            for said in list(&invocation["toolExecutionNotifications"]) {
                object(said, &["level", "message", "locations"], &[]);
                message(&said["message"]);
                list(&said["locations"]).iter().for_each(location);
            }
        }
        list(&run["results"]).iter().for_each(|r| result(r, list(&driver["rules"])));
        run
    }

    #[test]
    fn of_every_verdict() {
        let refuted = log(BROKEN, &["--property", "all"]);
        let run = check(&refuted);
        let kinds: Vec<&str> =
            list(&run["results"]).iter().map(|r| r["kind"].as_str().unwrap()).collect();
        assert_eq!(kinds, ["fail", "pass", "pass", "pass", "pass", "pass", "pass", "pass"]);
        let found = &run["results"][0];
        assert_eq!(found["locations"][0]["physicalLocation"]["region"]["startLine"], 13);
        let steps = list(&found["codeFlows"][0]["threadFlows"][0]["locations"]);
        let lines: Vec<(u64, u64)> = steps
            .iter()
            .map(|step| {
                let region = &step["location"]["physicalLocation"]["region"];
                (region["startLine"].as_u64().unwrap(), step["nestingLevel"].as_u64().unwrap())
            })
            .collect();
        let expected =
            [(9, 0), (10, 0), (11, 0), (5, 1), (6, 1), (11, 0), (12, 0), (13, 0), (13, 0)];
        assert_eq!(lines, expected);
        assert!(steps[3]["state"]["total"]["text"].is_string());

        let unknown = log(UNSUPPORTED, &[]);
        assert_eq!(check(&unknown)["results"][0]["kind"], "open");
        let invalid = log(NOT_C, &[]);
        let run = check(&invalid);
        assert_eq!(run["invocations"][0]["executionSuccessful"], false);
        assert_eq!(run["invocations"][0]["toolExecutionNotifications"][0]["level"], "error");
        assert_eq!(run["results"], json!([]));
    }

    /// A long run is cut, so that tools accept it.
    #[test]
    fn long_runs() {
        let program = "extern void reach_error(void);\nint main(void) {\n    int i = 0;\n    \
                       while (i < 9000)\n        i++;\n    reach_error();\n    return 0;\n}\n";
        let log = log(program, &[]);
        let run = check(&log);
        let steps = list(&run["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"]);
        assert_eq!(steps.len(), 2001);
        let text = steps[1000]["location"]["message"]["text"].as_str().unwrap();
        assert!(text.contains("lines before this one are left out"), "{text}");
    }
}

#[test]
fn what_cannot_be_written_is_told_before_the_work() {
    let sandbox = Sandbox::new().file("a.c", SAFE).dir("folder");
    let check = |args: &[&str], expected: &str| {
        let output = sandbox.run(&[&["verify", "a.c"], args].concat());
        assert_eq!((output.code, output.stdout.as_str()), (3, ""), "{output:?}");
        assert!(output.stderr.contains(expected), "{output:?}");
    };
    check(&["--json", "folder"], "cannot write folder: it is a directory");
    check(&["--sarif", "absent/out.sarif"], "cannot write absent/out.sarif");
    check(&["--junit", "a.c"], "a.c is the program");
    check(&["--json", "out", "--sarif", "./out"], "./out is given for two outputs");
    check(&["--json", "-", "--github"], "`--json -` takes standard output");
    check(&["--svcomp", "--github"], "cannot be used with");
    check(&["--modular", "--json", "out"], "cannot be used with");
    check(&["--quiet", "--proof"], "cannot be used with");
    let mut left: Vec<String> = std::fs::read_dir(sandbox.path("."))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    left.sort();
    assert_eq!(left, ["a.c", "folder"]);
}

/// A device that is full: the verdict is told all the same, what can be written is, and the exit
/// code says that something is missing.
#[test]
#[cfg(target_os = "linux")]
fn a_full_disk() {
    let sandbox = Sandbox::new().file("a.c", BROKEN);
    let output =
        sandbox.run(&["verify", "a.c", "--svcomp", "--json", "/dev/full", "--junit", "out.xml"]);
    assert_eq!((output.code, output.stdout.as_str()), (3, "false(unreach-call)\n"));
    assert!(output.stderr.contains("cannot write /dev/full"), "{output:?}");
    assert!(sandbox.path("out.xml").exists());
}

/// A reader that goes away after the first line misses nothing but text.
#[test]
fn a_closed_pipe() {
    let sandbox = Sandbox::new().file("a.c", BROKEN);
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin!("lakatos"))
        .args(["verify", "a.c", "--json", "out.json", "--property", "all"])
        .current_dir(sandbox.path("."))
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(1));
    let text = std::fs::read_to_string(sandbox.path("out.json")).unwrap();
    assert_eq!(valid(&text)["verdict"], "refuted");
}

/// What stays in a table of values is only what nothing else can change.
#[test]
fn scopes_and_names_of_values() {
    let program = "\
extern void reach_error(void);
struct pair { int left, right; };
int global;
void set(int *p, int n) { *p = n; }
int main(void) {
    int a[2] = {1, 2}, exposed = 3, plain = 4;
    struct pair s = {5, 6};
    static int kept;
    set(&exposed, 7);
    a[plain - 3] = s.right;
    kept = 8;
    global = exposed;
    if (global == 7) reach_error();
    return 0;
}
";
    let document = valid(&verify(program, &["--json", "-"]).stdout);
    let steps = document["results"][0]["run"]["trace"]["steps"].as_array().unwrap();
    let sets = steps.iter().flat_map(|step| step["assigned"].as_array().unwrap());
    let told: Vec<String> = sets
        .map(|set| format!("{} = {} {}", set["name"], set["value"], set["scope"]).replace('"', ""))
        .filter(|text| !text.starts_with("p = "))
        .collect();
    expect![[r#"
        [
            "a[0] = 1 memory",
            "a[1] = 2 memory",
            "exposed = 3 memory",
            "plain = 4 local",
            "s.left = 5 memory",
            "s.right = 6 memory",
            "n = 7 parameter",
            "*p = 7 memory",
            "a[plain - 3] = 6 memory",
            "kept = 8 global",
            "global = 7 global",
        ]
    "#]]
    .assert_debug_eq(&told);
}
