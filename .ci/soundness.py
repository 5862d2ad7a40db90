#!/usr/bin/env python3
"""Runs `lakatos verify` over programs that try to get a wrong verdict, and over correct ones.

usage: soundness.py BINARY FOLDER   with FOLDER/soundness and FOLDER/features

The first line of a program in `soundness` gives property, arguments and truth. A verdict that
contradicts the truth is WRONG, unless it is a proof that prints an assumption of one of the kinds in
COVERING (docs/limits.md gives the reason for each); at most MOST_COVERED of these may be left. A program in
`features` is correct: it must not be refuted.
"""

import re
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

COVERING = (
    "are evaluated left to right",
    "which is not defined, returns",
    "which another file defines",
)
MOST_COVERED = 20
ANSWERS = {0: "true", 1: "false", 2: "unknown"}


def verify(binary, path, prop, args):
    command = [binary, "verify", "--property", prop, "--timeout", "10", *args, str(path)]
    done = subprocess.run(command, capture_output=True, timeout=120, check=False)
    text = done.stdout.decode(errors="replace")
    assumed = [line for line in text.splitlines() if "assuming:" in line]
    return ANSWERS.get(done.returncode, f"exit {done.returncode}"), assumed


def of_header(binary, path):
    header = path.open(errors="replace").readline()
    found = re.search(r"property=(\S*) args=(.*?) truth=([a-z]*)", header)
    prop, args, truth = found.groups()
    answer, assumed = verify(binary, path, prop, args.split())
    if answer == truth:
        return path, "right", ""
    if answer not in ("true", "false"):
        return path, answer, ""
    covered = answer == "true" and any(kind in line for line in assumed for kind in COVERING)
    return path, "covered" if covered else "WRONG", f"{prop} is {truth}: {header.strip()}"


def of_feature(binary, path):
    answer, _ = verify(binary, path, "unreach-call", [])
    return path, "WRONG" if answer == "false" else answer, "a correct program is refuted"


def run(binary, folder, judge):
    counts = Counter()
    files = sorted(folder.glob("*.c"))
    with ThreadPoolExecutor(2) as pool:
        for path, kind, why in pool.map(lambda path: judge(binary, path), files):
            counts[kind] += 1
            if kind in ("WRONG", "covered"):
                print(f"{kind} {path.name}: {why}")
    listed = ", ".join(f"{kind} {count}" for kind, count in sorted(counts.items()))
    print(f"{folder.name}: {len(files)} programs: {listed}", flush=True)
    return counts["WRONG"] == 0 and counts["covered"] <= MOST_COVERED


def main():
    binary, folder = sys.argv[1], Path(sys.argv[2])
    right = [
        run(binary, folder / "soundness", of_header),
        run(binary, folder / "features", of_feature),
    ]
    sys.exit(0 if all(right) else 1)


main()
