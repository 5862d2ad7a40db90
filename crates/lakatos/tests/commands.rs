//! The commands on programs: what they print, and how they end.

mod support;

use expect_test::expect;
use support::Sandbox;

const COUNTER: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

void check(int value) {
    if (value == 3) reach_error();
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) check(i);
    return 7;
}
";

#[test]
fn verify_refutes_with_inputs() {
    Sandbox::new().file("counter.c", COUNTER).check(
        &["verify", "counter.c"],
        1,
        expect![[r#"
            counter.c (lp64)
            unreach-call: refuted: `reach_error` is called at counter.c:5:21
            inputs
              __VERIFIER_nondet_int() #1 at counter.c:9:13 returned 4
            trace
              main:9   int n = __VERIFIER_nondet_int();       n = 4
              main:10  for (int i = 0; i < n; i++) check(i);  i = 0, value = 0
              check:5  if (value == 3) reach_error();
              check:6  }
              main:10  for (int i = 0; i < n; i++) check(i);  i = 1, value = 1
              check:5  if (value == 3) reach_error();
              check:6  }
              main:10  for (int i = 0; i < n; i++) check(i);  i = 2, value = 2
              check:5  if (value == 3) reach_error();
              check:6  }
              main:10  for (int i = 0; i < n; i++) check(i);  i = 3, value = 3
              check:5  if (value == 3) reach_error();
            error: `reach_error` is called
             --> counter.c:5:21
              |
            5 |     if (value == 3) reach_error();
              |                     ^^^^^^^^^^^^^
              in check, called at counter.c:10:33
              in main
        "#]],
        expect![""],
    );
}

#[test]
fn verify_explains_whom_it_asked() {
    let loop_of_two = "extern void reach_error(void); extern unsigned __VERIFIER_nondet_uint(void);
        int main(void) { unsigned n = __VERIFIER_nondet_uint(), i = 0, j = 0;
        while (i < n) { i++; j++; } if (i != j) reach_error(); return 0; }";
    Sandbox::new().file("loop.c", loop_of_two).check(
        &["verify", "--jobs", "1", "--explain", "loop.c"],
        0,
        expect![[r#"
            loop.c (lp64)
            unreach-call: proved (1 condition checked)
              ranges gave up: the ranges of variables do not exclude 1 of 1 violations (turns: 1, refinements: 0, nodes: 0, queries: 0)
              horn gave the answer (turns: 1, refinements: 0, nodes: 0, queries: 1)
              laws was not needed
              cases was not needed
              induction was not needed
              bmc was not needed
              cegar was not needed
              runs was not needed
        "#]],
        expect![[r#""#]],
    );
}

/// What was found out is not lost where there is no verdict.
#[test]
fn verify_explains_what_it_considered() {
    let program = "extern void reach_error(void);
int main(void) {
  int i = 0, j = 0;
  while (i < 10) { i++; j += 2; }
  if (j > 2 * i) reach_error();
  return 0;
}
";
    Sandbox::new().file("loop.c", program).check(
        &["verify", "--engine", "ranges", "--explain", "loop.c"],
        2,
        expect![[r#"
            loop.c (lp64)
            unreach-call: unknown: the ranges of variables do not exclude 1 of 1 violations
              candidate at loop.c:4:3, in main (ranges): 0 <= i && i <= 10
              candidate at loop.c:4:3, in main (ranges): j >= 0
        "#]],
        expect![[r#""#]],
    );
}

#[test]
fn verify_has_one_verdict_per_property() {
    let args = ["--property", "no-overflow", "--property", "div-by-zero"];
    Sandbox::new().file("counter.c", COUNTER).check(
        &["verify", "counter.c", args[0], args[1], args[2], args[3], args[0], args[1]],
        0,
        expect![[r#"
            counter.c (lp64)
            no-overflow: proved (1 condition checked)
            div-by-zero: proved (nothing had to be checked)
              assuming: no signed overflow: a path ends where one happens (check it with `--property no-overflow`)
        "#]],
        expect![""],
    );
}

#[test]
fn verify_a_task() {
    let sandbox = Sandbox::new().file("counter.c", COUNTER).dir("p");
    sandbox
        .file("p/reach.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n")
        .file("p/end.prp", "CHECK( init(main()), LTL(F end) )\n")
        .file(
            "task.yml",
            "format_version: '2.0'\ninput_files: 'counter.c'\nproperties:\n\
             - property_file: p/reach.prp\n  expected_verdict: false\n\
             - property_file: p/end.prp\n  expected_verdict: true\n\
             options:\n  language: C\n  data_model: ILP32\n",
        )
        .check(
            &["verify", "task.yml"],
            1,
            expect![[r#"
                counter.c (ilp32)
                unreach-call: refuted: `reach_error` is called at counter.c:5:21
                inputs
                  __VERIFIER_nondet_int() #1 at counter.c:9:13 returned 4
                trace
                  main:9   int n = __VERIFIER_nondet_int();       n = 4
                  main:10  for (int i = 0; i < n; i++) check(i);  i = 0, value = 0
                  check:5  if (value == 3) reach_error();
                  check:6  }
                  main:10  for (int i = 0; i < n; i++) check(i);  i = 1, value = 1
                  check:5  if (value == 3) reach_error();
                  check:6  }
                  main:10  for (int i = 0; i < n; i++) check(i);  i = 2, value = 2
                  check:5  if (value == 3) reach_error();
                  check:6  }
                  main:10  for (int i = 0; i < n; i++) check(i);  i = 3, value = 3
                  check:5  if (value == 3) reach_error();
                error: `reach_error` is called
                 --> counter.c:5:21
                  |
                5 |     if (value == 3) reach_error();
                  |                     ^^^^^^^^^^^^^
                  in check, called at counter.c:10:33
                  in main
                termination: unknown: this property is not supported
            "#]],
            expect![""],
        );
}

#[test]
fn a_task_file_beside_the_program_gives_the_data_model() {
    let sandbox = Sandbox::new()
        .file("long.c", "int main(void) { return sizeof(long); }\n")
        .file("long.yml", "input_files: long.c\noptions: {data_model: ILP32}\n")
        .file("other.c", "int main(void) { return sizeof(long); }\n")
        .file("other.yml", "input_files: long.c\noptions: {data_model: ILP32}\n");
    sandbox.check(
        &["run", "long.c"],
        0,
        expect![[r#"
        ended: the program returned 4
        after 3 steps
    "#]],
        expect![[r#"
        note: data model ilp32, as long.yml says
    "#]],
    );
    sandbox.check(
        &["run", "long.c", "--data-model", "lp64"],
        0,
        expect![[r#"
        ended: the program returned 8
        after 3 steps
    "#]],
        expect![""],
    );
    sandbox.check(
        &["run", "other.c"],
        0,
        expect![[r#"
        ended: the program returned 8
        after 3 steps
    "#]],
        expect![""],
    );
}

#[test]
fn run_to_the_end() {
    Sandbox::new().file("counter.c", COUNTER).check(
        &["run", "counter.c", "--inputs", "2"],
        0,
        expect![[r#"
            inputs
              nondet __VERIFIER_nondet_int at counter.c:9:13, occurrence 0: 2
            ended: the program returned 7
            after 16 steps
        "#]],
        expect![""],
    );
}

#[test]
fn run_into_an_error() {
    Sandbox::new().file("counter.c", COUNTER).check(
        &["run", "counter.c", "--inputs=4"],
        1,
        expect![[r#"
            inputs
              nondet __VERIFIER_nondet_int at counter.c:9:13, occurrence 0: 4
            error: `reach_error` is reached
             --> counter.c:5:21
              |
            5 |     if (value == 3) reach_error();
              |                     ^^^^^^^^^^^^^
              in check, called at counter.c:10:33
              in main
            after 22 steps
        "#]],
        expect![""],
    );
}

#[test]
fn run_into_undefined_behaviour() {
    let program = "\
extern int __VERIFIER_nondet_int(void);
static int half(int x, int y) {
    return x / y;
}
int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    return half(a, b);
}
";
    let sandbox = Sandbox::new().file("half.c", program);
    sandbox.check(
        &["run", "half.c", "--inputs", "-8"],
        1,
        expect![[r#"
        inputs
          nondet __VERIFIER_nondet_int at half.c:6:13, occurrence 0: -8
          nondet __VERIFIER_nondet_int at half.c:6:42, occurrence 0: 0
        error: undefined behaviour: `x / y` divides -8 by zero
         --> half.c:3:12
          |
        3 |     return x / y;
          |            ^^^^^
          in half, called at half.c:7:12
          in main
        after 5 steps
    "#]],
        expect![""],
    );
    sandbox.check(
        &["run", "half.c", "--inputs", "-2147483648,-1"],
        1,
        expect![[r#"
        inputs
          nondet __VERIFIER_nondet_int at half.c:6:13, occurrence 0: -2147483648
          nondet __VERIFIER_nondet_int at half.c:6:42, occurrence 0: -1
        error: undefined behaviour: `x / y` is 2147483648, which does not fit `int`
         --> half.c:3:12
          |
        3 |     return x / y;
          |            ^^^^^
          in half, called at half.c:7:12
          in main
        after 5 steps
    "#]],
        expect![""],
    );
}

#[test]
fn run_with_wrap_around() {
    let program = "int main(void) { int x = 2147483647; x++; return x < 0; }\n";
    let sandbox = Sandbox::new().file("wrap.c", program);
    sandbox.check(
        &["run", "wrap.c"],
        1,
        expect![[r#"
        error: undefined behaviour: `x++` is 2147483648, which does not fit `int`
         --> wrap.c:1:38
          |
        1 | int main(void) { int x = 2147483647; x++; return x < 0; }
          |                                      ^^^
          in main
        after 3 steps
    "#]],
        expect![""],
    );
    sandbox.check(
        &["run", "wrap.c", "--signed-overflow", "wrap"],
        0,
        expect![[r#"
        ended: the program returned 1
        after 5 steps
    "#]],
        expect![""],
    );
}

#[test]
fn run_stops_at_limits_and_assumptions() {
    let sandbox = Sandbox::new()
        .file("forever.c", "int main(void) { for (;;); }\n")
        .file("deep.c", "int f(int n) { return f(n) + 1; }\nint main(void) { return f(0); }\n")
        .file(
            "assume.c",
            "extern void __VERIFIER_assume(int);\nint main(void) { __VERIFIER_assume(0); }\n",
        );
    sandbox.check(
        &["run", "forever.c", "--steps", "1000"],
        2,
        expect![[r#"
        stopped: 1000 steps were not enough (--steps)
          in main
        after 1000 steps
    "#]],
        expect![""],
    );
    sandbox.check(
        &["run", "deep.c", "--steps", "1000"],
        2,
        expect![[r#"
        stopped: 1000 steps were not enough (--steps)
          in f, called at deep.c:1:23
          in f, called at deep.c:1:23
          in f, called at deep.c:1:23
          in f, called at deep.c:1:23
          in f, called at deep.c:1:23
          in f, called at deep.c:1:23
          in f, called at deep.c:1:23
          in f, called at deep.c:1:23
          in f, called at deep.c:1:23
          in f, called at deep.c:1:23
          ... 980 more ...
          in f, called at deep.c:1:23
          in f, called at deep.c:1:23
          in f, called at deep.c:1:23
          in f, called at deep.c:1:23
          in f, called at deep.c:1:23
          in f, called at deep.c:1:23
          in f, called at deep.c:1:23
          in f, called at deep.c:1:23
          in f, called at deep.c:2:25
          in main
        after 1000 steps
    "#]],
        expect![""],
    );
    sandbox.check(
        &["run", "assume.c"],
        2,
        expect![[r#"
        stopped: an assumption does not hold at assume.c:2:36
          in main
        after 2 steps
    "#]],
        expect![""],
    );
}

#[test]
fn run_shows_output() {
    let program = "\
int printf(const char *format, ...);
int main(void) {
    printf(\"%d and %s\\n\", 42, \"more\");
    printf(\"no line end\");
    return 0;
}
";
    Sandbox::new().file("hello.c", program).check(
        &["run", "hello.c"],
        0,
        expect![[r#"
        output
          | 42 and more
          | no line end
        ended: the program returned 0
        after 8 steps
    "#]],
        expect![""],
    );
}

#[test]
fn run_with_a_trace() {
    Sandbox::new().file("counter.c", COUNTER).check(
        &["run", "counter.c", "--inputs", "1", "--trace"],
        0,
        expect![[r#"
            steps
              main:9           n = __VERIFIER_nondet_int()              n = 1
              main:10          i = 0                                    i = 0
              main:10          [i < n]
              main:10          check(i)                                 value = 0
              check:5          [value != 3]
              check:6          return
              main:10          i = i + 1                                i = 1
              main:10          [i >= n]
              main:11          return 7                                 return = 7
            inputs
              nondet __VERIFIER_nondet_int at counter.c:9:13, occurrence 0: 1
            ended: the program returned 7
            after 11 steps
        "#]],
        expect![""],
    );
}

#[test]
fn standard_input() {
    Sandbox::new().stdin("int main(void) { return 5; }").check(
        &["run", "-"],
        0,
        expect![[r#"
            ended: the program returned 5
            after 3 steps
        "#]],
        expect![""],
    );
}

#[test]
fn cfa_in_every_format() {
    let sandbox = Sandbox::new().file("counter.c", COUNTER);
    for (format, begins) in [("dot", "digraph"), ("svg", "<svg"), ("json", "{")] {
        let output = sandbox.run(&["cfa", "counter.c", "--format", format]);
        assert_eq!((output.code, output.stderr.as_str()), (0, ""), "{format}");
        assert!(output.stdout.contains(begins), "{format}: {}", output.stdout);
        let file = format!("out.{format}");
        let written = sandbox.run(&["cfa", "counter.c", "-o", &file]);
        assert_eq!((written.code, written.stdout.as_str()), (0, ""), "{format}");
        let text = std::fs::read_to_string(sandbox.path(&file)).unwrap();
        assert_eq!(text, output.stdout, "the ending of the file decides the format");
    }
    sandbox.check(
        &["cfa", "counter.c", "--function", "nothing"],
        3,
        expect![""],
        expect![[r#"
        error: no function `nothing` is defined; there are: check, main
    "#]],
    );
    sandbox.check(
        &["cfa", "counter.c", "-o", "no/such/folder.svg"],
        3,
        expect![""],
        expect![[r#"
        error: cannot write no/such/folder.svg: there is no folder no/such; make it first
    "#]],
    );
}

#[test]
fn the_same_command_says_the_same() {
    let sandbox = Sandbox::new().file("counter.c", COUNTER);
    for args in [&["verify", "counter.c"] as &[&str], &["cfa", "counter.c", "--format", "svg"]] {
        assert_eq!(sandbox.run(args).stdout, sandbox.run(args).stdout);
    }
}
