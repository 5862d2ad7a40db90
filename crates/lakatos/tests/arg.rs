//! `lakatos arg`: the graph that a run ends with; and `--memory`, which ends a run.

mod support;

use expect_test::expect;
use support::Sandbox;

/// Figure 5.3 of the stack-abstraction thesis.
const REC: &str = "\
extern void reach_error(void);
void rec(int k) {
    if (k <= 0) reach_error();
    rec(k + 1);
}
int main(void) {
    rec(1);
}
";

/// Figure 4.1.
const FOO: &str = "\
extern void reach_error(void);
void foo(int k) {
}
int main(void) {
    foo(2);
    foo(2);
    reach_error();
}
";

#[test]
fn a_complete_graph() {
    Sandbox::new().file("rec.c", REC).check(
        &["arg", "rec.c", "--pop", "summary"],
        0,
        expect![[r#"
            digraph arg {
              node [shape=box, style=rounded, fontname="monospace", fontsize=11];
              edge [fontname="monospace", fontsize=11];
              label="rec.c · unreach-call: complete, without a target";
              "n0" [label="__lakatos_start:6 entry n0\ntrue", tooltip="n0 expanded at __lakatos_start:6 entry\ntrue"];
              "n1" [label="main:7 entry n1\ntrue", tooltip="n1 expanded at main:7 entry\ntrue"];
              "n2" [label="rec:3 entry n2\nmain:7 >\nk == 1", tooltip="n2 expanded at rec:3 entry\ncalled at main:7\nk == 1"];
              "n3" [label="rec:4 n3\nmain:7 >\nk >= 1", tooltip="n3 expanded at rec:4\ncalled at main:7\nk >= 1"];
              "n4" [label="rec:3 entry n4\nmain:7 > rec:4 >\nk >= 1\nk != 1", tooltip="n4 expanded at rec:3 entry\ncalled at rec:4\ncalled at main:7\nk >= 1\nk != 1"];
              "n5" [label="rec:4 n5\nmain:7 > rec:4 >\nk >= 1", color=blue, fontcolor=blue, style="", peripheries=2, tooltip="n5 popped at rec:4\ncalled at rec:4\ncalled at main:7\nk >= 1"];
              "n0" -> "n1" [label="$1 = main()", tooltip="$1 = main()", color=darkgreen];
              "n1" -> "n2" [label="rec(1)", tooltip="rec(1)", color=darkgreen];
              "n2" -> "n3" [label="[k > 0]", tooltip="[k > 0]"];
              "n3" -> "n4" [label="rec(k + 1)", tooltip="rec(k + 1)", color=darkgreen];
              "n4" -> "n5" [label="[k > 0]", tooltip="[k > 0]"];
              "n5" -> "n3" [color=blue, style=dashed, constraint=false];
            }
        "#]],
        expect![[""]],
    );
}

#[test]
fn a_graph_with_a_target() {
    let output = Sandbox::new().file("foo.c", FOO).run(&["arg", "foo.c", "--format", "json"]);
    assert_eq!((output.code, output.stderr.as_str()), (0, ""));
    let graph: serde_json::Value = serde_json::from_str(&output.stdout).unwrap();
    assert_eq!((&graph["schema"], &graph["end"]), (&"lakatos-arg/1".into(), &"target".into()));
    let nodes = graph["nodes"].as_array().unwrap();
    let with = |kind: &str| nodes.iter().filter(|n| n["kind"] == kind).collect::<Vec<_>>();
    assert_eq!(with("target").len(), 1);
    assert_eq!(with("target")[0]["role"], "error");
    assert_eq!(with("popped").len(), 1);
    assert_eq!(with("popped")[0]["stack"], serde_json::json!(["main:6"]));
    let edges = graph["edges"].as_array().unwrap();
    let pop = edges.iter().find(|e| e["kind"] == "pop").unwrap();
    assert_eq!(pop["from"], with("popped")[0]["id"]);
}

#[test]
fn a_stopped_run_gives_the_graph_so_far() {
    let sandbox = Sandbox::new().file("rec.c", REC);
    let args = "arg rec.c --domain predicate --pop off --timeout 10 --format json";
    let output = sandbox.run(&args.split(' ').collect::<Vec<_>>());
    assert_eq!(output.code, 2, "{}", output.stderr);
    assert_eq!(output.stderr, "note: the graph is partial: the time limit was reached\n");
    let graph: serde_json::Value = serde_json::from_str(&output.stdout).unwrap();
    assert_eq!(graph["end"], "stopped");
    let nodes = graph["nodes"].as_array().unwrap();
    assert_eq!(nodes.iter().filter(|n| n["kind"] == "open").count(), 1);
    assert!(nodes.len() > 3, "{}", nodes.len());
}

#[test]
fn every_format_to_a_file_or_not_and_twice_the_same() {
    let sandbox = Sandbox::new().file("foo.c", FOO);
    for (format, begins) in [("dot", "digraph arg {"), ("svg", "<svg"), ("json", "{")] {
        let output = sandbox.run(&["arg", "foo.c", "--format", format]);
        assert_eq!((output.code, output.stderr.as_str()), (0, ""), "{format}");
        assert!(output.stdout.starts_with(begins), "{format}: {}", output.stdout);
        let file = format!("out.{format}");
        let written = sandbox.run(&["arg", "foo.c", "-o", &file]);
        assert_eq!((written.code, written.stdout.as_str()), (0, ""), "{format}");
        let text = std::fs::read_to_string(sandbox.path(&file)).unwrap();
        assert_eq!(text, output.stdout, "the ending of the file decides the format");
    }
}

#[test]
fn a_picture_has_a_limit() {
    // Nothing is covered or popped: every call is a node or two.
    let calls = "f(); ".repeat(2_600);
    let program = format!("void f(void) {{}}\nint main(void) {{ {calls} }}\n");
    let sandbox = Sandbox::new().file("calls.c", program);
    let output = sandbox.run(&["arg", "calls.c", "--pop", "off", "-o", "calls.svg"]);
    assert_eq!((output.code, output.stdout.as_str()), (3, ""), "{output:?}");
    for said in ["nodes, and a picture shows at most 5000", "--format dot", "--format json"] {
        assert!(output.stderr.contains(said), "{output:?}");
    }
    let output = sandbox.run(&["arg", "calls.c", "--pop", "off", "-o", "calls.json"]);
    assert_eq!((output.code, output.stderr.as_str()), (0, ""));
}

#[test]
fn a_task_file_names_the_property() {
    let sandbox = Sandbox::new()
        .file("a.c", "int main(void) { return 0; }\n")
        .file("o.prp", "CHECK( init(main()), LTL(G ! overflow) )\n")
        .file("a.yml", "input_files: a.c\nproperties:\n- property_file: o.prp\n");
    assert!(sandbox.run(&["arg", "a.yml"]).stdout.contains("a.c · no-overflow: complete"));
    let output = sandbox.run(&["arg", "a.yml", "--property", "div-by-zero"]);
    assert!(output.stdout.contains("a.c · div-by-zero: complete"));
}

#[test]
fn what_is_refused() {
    let sandbox = Sandbox::new().file("a.c", "int main(void) { return 0 }\n").file(
        "u.c",
        "typedef int v __attribute__((vector_size(12))); int main(void) { return 0; }\n",
    );
    assert_eq!(sandbox.run(&["arg", "a.c"]).code, 3);
    assert_eq!(sandbox.run(&["arg", "u.c"]).code, 2);
}

/// The process has more than this before it does anything.
#[test]
#[cfg(target_os = "linux")]
fn hardly_any_memory() {
    let sandbox = Sandbox::new().file("rec.c", REC);
    // One megabyte is too little even for a context of the solver.
    for megabytes in ["1", "8"] {
        let flags = ["--engine", "cegar", "--memory", megabytes, "--pop", "off", "rec.c"];
        let args: Vec<&str> = ["verify"].into_iter().chain(flags).collect();
        sandbox.check(
            &args,
            2,
            expect![[r#"
                rec.c (lp64)
                unreach-call: unknown: the memory limit was reached
            "#]],
            expect![""],
        );
    }
    let output = sandbox.run(&["arg", "--memory", "8", "--pop", "off", "rec.c"]);
    assert_eq!(output.code, 2);
    assert_eq!(output.stderr, "note: the graph is partial: the memory limit was reached\n");
    assert!(output.stdout.starts_with("digraph arg {"));
}

#[test]
fn enough_memory() {
    let sandbox = Sandbox::new().file("rec.c", REC);
    let output = sandbox.run(&["verify", "--engine", "cegar", "--memory", "1000", "rec.c"]);
    assert_eq!((output.code, output.stderr.as_str()), (0, ""), "{output:?}");
}
