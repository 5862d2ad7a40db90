"""The tool-info module against BenchExec and the real binary: `python3 test_lakatos.py BINARY`."""

import os
import pathlib
import subprocess
import sys
import tempfile

import benchexec.result as result
from benchexec.tools.template import BaseTool2, UnsupportedFeatureException
from benchexec.util import ProcessExitCode

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import lakatos  # noqa: E402

SAFE = "int main(void) { return 0; }\n"
BROKEN = "extern void reach_error(void);\nint main(void) { reach_error(); return 0; }\n"
WIDE = """extern void reach_error(void);
int main(void) { if (sizeof(long) == 4) reach_error(); return 0; }
"""
OVERFLOW = "int main(void) { int x = 2147483647; x++; return 0; }\n"
ODD = "int main(void) { int f(void) { return 0; } return f(); }\n"
UNREACH = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n"
NO_OVERFLOW = "CHECK( init(main()), LTL(G ! overflow) )\n"
TERMINATION = "CHECK( init(main()), LTL(F end) )\n"

# Program, property, data model; what BenchExec has to understand.
RUNS = [
    (SAFE, UNREACH, "LP64", result.RESULT_TRUE_PROP),
    (BROKEN, UNREACH, "LP64", result.RESULT_FALSE_REACH),
    (WIDE, UNREACH, "LP64", result.RESULT_TRUE_PROP),
    (WIDE, UNREACH, "ILP32", result.RESULT_FALSE_REACH),
    (OVERFLOW, NO_OVERFLOW, "LP64", result.RESULT_FALSE_OVERFLOW),
    (SAFE, TERMINATION, "LP64", result.RESULT_UNKNOWN),
    (ODD, UNREACH, "LP64", result.RESULT_UNKNOWN),
    ("int main(void) { return 0 }\n", UNREACH, "LP64", "ERROR (bad input)"),
]


def task(program, prop, options):
    return BaseTool2.Task([str(program)], None, str(prop), options)


def run(tool, command, output, code, signal=None):
    exit_code = ProcessExitCode.create(value=code, signal=signal)
    lines = BaseTool2.RunOutput(output.splitlines(keepends=True))
    return BaseTool2.Run(command, exit_code, lines, None)


def expect(what, got, wanted):
    if got != wanted:
        sys.exit(f"{what}: {got!r}, and not {wanted!r}")


def check_runs(tool, binary, folder):
    limits = BaseTool2.ResourceLimits()
    program, prop = folder / "program.c", folder / "property.prp"
    for text, asked, model, wanted in RUNS:
        program.write_text(text)
        prop.write_text(asked)
        options = {"language": "C", "data_model": model}
        command = tool.cmdline(binary, ["--timeout", "30"], task(program, prop, options), limits)
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        got = tool.determine_result(run(tool, command, done.stdout, done.returncode))
        expect(f"{text} with {asked}", got, wanted)


def check_refusals(tool, folder):
    limits = BaseTool2.ResourceLimits()
    for options in [{"language": "Java"}, {"language": "C", "data_model": "LP16"}]:
        try:
            tool.cmdline("lakatos", [], task(folder / "a.c", folder / "p.prp", options), limits)
        except UnsupportedFeatureException:
            continue
        sys.exit(f"{options} is accepted")


def check_mismatches(tool):
    """A line that the exit code does not fit is no verdict."""
    for output, code in [("true\n", 1), ("false(unreach-call)\n", 0), ("", 0), ("true\n", 2)]:
        got = tool.determine_result(run(tool, [], output, code))
        expect(f"{output!r} with code {code}", got, result.RESULT_ERROR)
    killed = tool.determine_result(run(tool, [], "true\n", None, signal=9))
    expect("a run that was killed", killed, result.RESULT_ERROR)


def main():
    binary = os.path.abspath(sys.argv[1])
    tool = lakatos.Tool()
    expect("the name", tool.name(), "Lakatos")
    if not tool.version(binary)[:1].isdigit():
        sys.exit(f"no version: {tool.version(binary)!r}")
    check_mismatches(tool)
    with tempfile.TemporaryDirectory() as folder:
        check_runs(tool, binary, pathlib.Path(folder))
        check_refusals(tool, pathlib.Path(folder))
    print(f"the tool-info module agrees with BenchExec on {len(RUNS)} runs")


if __name__ == "__main__":
    main()
