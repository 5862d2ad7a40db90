#!/usr/bin/env python3
"""Runs programs of a compiler's test suite in the interpreter, beside the compiler.

usage: torture.py BINARY FILE.c ...

The files are those of gcc.c-torture/execute, say (Debian's package gcc-12-source): programs without inputs
that return 0 where the compiler is right, and call abort where it is not. A program counts if gcc compiles
it and its run returns 0. Printed are the programs on which `lakatos run` does not agree: what is unsupported,
what is undefined, and where the values differ. The interpreter chooses what the environment and the
compiler may choose (whether printf fails, an output of assembly), so not each difference is a fault.
"""

import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

SECONDS = 20


def run(command):
    """The exit code and all output; no exit code after the limit of time."""
    try:
        done = subprocess.run(command, capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return None, ""
    return done.returncode, (done.stderr + done.stdout).decode(errors="replace")


def counts(program, folder):
    binary = str(Path(folder) / "a.out")
    command = ["gcc", "-w", "-std=gnu11", "-fno-builtin-abort", str(program), "-o", binary, "-lm"]
    return run(command)[0] == 0 and run([binary])[0] == 0


def judge(lakatos, program):
    code, said = run([lakatos, "run", "--volatile", "memory", str(program)])
    reason = re.search(r"^(error|unsupported|stopped): .*", said, re.MULTILINE)
    reason = reason.group(0) if reason else ""
    ended = re.search(r"^ended: .*", said, re.MULTILINE)
    if ended:
        agrees = re.search(r"returned 0$|exit\(0\)|status 0$", ended.group(0))
        return "agrees" if agrees else "differs", ended.group(0)
    if code is None:
        return "takes too long", ""
    if "unsupported: " in said:
        return "unsupported", reason
    if "undefined behaviour" in reason:
        return "undefined", reason
    return {2: "stopped", 3: "refused"}.get(code, "differs"), reason


def main():
    lakatos, programs = sys.argv[1], [Path(name) for name in sys.argv[2:]]
    kinds = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for program in sorted(programs):
            kind, reason = judge(lakatos, program) if counts(program, folder) else ("left out", "")
            kinds[kind] += 1
            if kind not in ("agrees", "left out"):
                print(f"{kind} {program.name}: {reason[:150]}", flush=True)
    print(", ".join(f"{kind} {count}" for kind, count in sorted(kinds.items())))


main()
