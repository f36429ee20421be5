#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the benchmarks that have floors: floors.py BUILD_DIR [FILTER]

floors.json has the programs, their arguments, and the floor of each printed ratio. A benchmark that misses its floor is
measured twice more, because other work on the machine can make a ratio worse, but never better.

Exit: 0 all floors are reached; 1 one is not; 2 a program failed, or did not print a ratio that has a floor."""
import json
import re
import subprocess
import sys
import time
from pathlib import Path

LINE = re.compile(r"^(.*\S)\s+(-?[0-9]+(?:\.[0-9]+)?)$")
ATTEMPTS = 3


def measure(program, arguments):
    """The printed lines `what  value` of the program; None if it failed."""
    started = time.monotonic()
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    print(f"{Path(program).name} {' '.join(arguments)}: {time.monotonic() - started:.0f} s", flush=True)
    if done.returncode != 0:
        print(done.stdout[-2000:], done.stderr[-2000:], f"exit code {done.returncode}")
        return None
    found = {}
    for line in done.stdout.splitlines():
        match = LINE.match(line)
        if match:
            found[match.group(1)] = float(match.group(2))
    return found


def holds(floor, value):
    return value >= floor["at_least"] if "at_least" in floor else value <= floor["at_most"]


def words(floor):
    return f"at least {floor['at_least']}" if "at_least" in floor else f"at most {floor['at_most']}"


def check(build, entry):
    """0, 1 or 2, as the exit code."""
    best = {}
    for attempt in range(ATTEMPTS):
        found = measure(str(build / entry["program"]), entry["arguments"])
        if found is None:
            return 2
        for floor in entry["floors"]:
            what = floor["what"]
            if what not in found:
                print(f"  {what}: was not printed")
                return 2
            better = max if "at_least" in floor else min
            best[what] = better(best.get(what, found[what]), found[what])
        if all(holds(floor, best[floor["what"]]) for floor in entry["floors"]):
            break
    missed = 0
    for floor in entry["floors"]:
        value = best[floor["what"]]
        missed += not holds(floor, value)
        state = "  holds" if holds(floor, value) else "  WORSE"
        print(f"{state}  {value:8.2f}  {words(floor)}, target {floor['target']}  {floor['what']}", flush=True)
    return 1 if missed else 0


def main(build, name=""):
    with open(Path(__file__).with_name("floors.json"), encoding="utf-8") as file:
        programs = json.load(file)["programs"]
    codes = [check(Path(build), entry) for entry in programs if name in entry["program"]]
    if not codes:
        print(f"no program with floors has '{name}' in its name")
        return 2
    print("all floors hold" if not any(codes) else "a floor does not hold")
    return max(codes)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
