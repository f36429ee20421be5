#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares the facts of two JSON reports, or of two builds of rankscope-cli over many traces.

    compare_reports.py OLD.json NEW.json [OPTION...]
    compare_reports.py --binaries OLD_CLI NEW_CLI FOLDER [OPTION...]

Whole numbers (nanoseconds, bytes, counts) must be equal; ratios to one part in 10^9, unless --tolerance says otherwise.
Each difference is printed with its path. List entries with a key (a finding's id, a rank, a step's index) are compared
with their counterpart, so that an additional entry does not shift the following ones.

With --binaries, both programs run `info` and `analyze` on each run below FOLDER, and `compare` on each pair of
neighbours. Runs are folders with trace files, and each file of a folder with several. A crash, a hang, or another exit
code is a difference.

Exit: 0 all facts are the same; 1 some are not; 2 wrong usage, or nothing to compare."""
import argparse
import json
import math
import subprocess
import sys
import time
from pathlib import Path

# Fields about the program that wrote the report, not about its results.
NOT_FACTS = ("schema", "definitions", "version", "detail")
# Keys that identify a list entry, together if it has several. Times are not keys: they are compared.
IDENTITY = ("id", "kind", "index", "number", "rank", "name", "path", "phase", "class", "part", "cause", "rule", "title")
TRACE_ENDINGS = (".json", ".json.gz", ".json.zst", ".zip")
ABSENT = object()


class Comparison:
    """What counts as equal, and the differences found."""

    def __init__(self, ignored=(), renamed=None, revalued=None, tolerance=1e-9):
        self.ignored = set(ignored)
        self.renamed = renamed or {}
        self.revalued = revalued or {}
        self.tolerance = tolerance
        self.differences = []
        self.facts = 0

    def compare(self, old, new, path=""):
        if isinstance(old, dict) and isinstance(new, dict):
            self.compare_objects(old, new, path)
        elif isinstance(old, list) and isinstance(new, list):
            self.compare_lists(old, new, path)
        else:
            self.facts += 1
            if not self.same(old, new):
                self.differences.append((path or "/", old, new))

    def compare_objects(self, old, new, path):
        old = {self.renamed.get(key, key): value for key, value in old.items()}
        for key in list(old) + [key for key in new if key not in old]:
            if key not in self.ignored:
                self.compare(old.get(key, ABSENT), new.get(key, ABSENT), f"{path}/{key}")

    def compare_lists(self, old, new, path):
        before, after = self.by_name(old, translate=True), self.by_name(new)
        for name in list(before) + [name for name in after if name not in before]:
            self.compare(before.get(name, ABSENT), after.get(name, ABSENT), f"{path}[{name}]")

    def by_name(self, entries, translate=False):
        """The entries by key; entries with equal keys, or without one, by their number among these."""
        named, seen = {}, {}
        for entry in entries:
            name = self.name_of(entry, translate)
            number = seen.get(name, 0)
            seen[name] = number + 1
            named[f"{name}#{number}" if name and number else name or str(number)] = entry
        return named

    def name_of(self, entry, translate):
        if not isinstance(entry, dict):
            return ""
        if translate:
            entry = {self.renamed.get(key, key): self.translated(value) for key, value in entry.items()}
        words = []
        for key in IDENTITY:
            if key in entry and key not in self.ignored and isinstance(entry[key], (str, int)):
                words.append(f"{key}={entry[key]}")
        return " ".join(words)

    def translated(self, value):
        return self.revalued.get(value, value) if isinstance(value, str) else value

    def same(self, old, new):
        old = self.translated(old)
        # A whole number written with a decimal point has another type; True is not 1.
        if isinstance(old, float) and isinstance(new, (float, int)) or isinstance(new, float) and isinstance(old, int):
            return not isinstance(old, bool) and not isinstance(new, bool) and \
                math.isclose(old, new, rel_tol=self.tolerance, abs_tol=1e-12)
        return type(old) is type(new) and old == new


def words_of(value):
    if value is ABSENT:
        return "(absent)"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 160 else text[:157] + "..."


def print_differences(comparison, shown):
    for path, old, new in comparison.differences[:shown]:
        print(f"  {path}: {words_of(old)} -> {words_of(new)}")
    if len(comparison.differences) > shown:
        print(f"  and {len(comparison.differences) - shown} more")


# ---- two builds over many traces ------------------------------------------------------------------------------------

def is_trace(path):
    return path.is_file() and path.name.endswith(TRACE_ENDINGS)


def runs_below(folder):
    """Each folder with trace files in it, and each file of a folder that has several."""
    runs = []
    folders = [folder] + sorted(path for path in folder.rglob("*") if path.is_dir())
    for each in folders:
        files = sorted(path for path in each.iterdir() if is_trace(path))
        if files:
            runs.append(each)
        if len(files) > 1:
            runs.extend(files)
    return runs


class Outcome:
    """The result of one program for one command."""

    def __init__(self, command, timeout):
        started = time.monotonic()
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout, check=False)
            self.code = done.returncode
            self.report = json.loads(done.stdout) if done.stdout.strip() else None
        except subprocess.TimeoutExpired:
            self.code, self.report = "timeout", None
        except ValueError as error:
            self.report = f"no valid JSON: {error}"
        self.seconds = time.monotonic() - started


def with_detail(cli, command):
    """A program's command, with `--json-detail` if the program has it; older programs always write all facts."""
    if command == "info":
        return [cli, command]
    said = subprocess.run([cli, command, "--help"], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    return [cli, command, "--json-detail"] if "--json-detail" in said.stdout else [cli, command]


def commands_for(runs, wanted):
    for run in runs:
        for command in ("info", "analyze"):
            if command in wanted:
                yield command, [run]
    if "compare" in wanted:
        folders = [run for run in runs if run.is_dir()]
        for pair in zip(folders, folders[1:]):
            yield "compare", list(pair)


def compare_binaries(arguments, new_comparison):
    """Prints the differences; returns the exit code."""
    old_cli, new_cli, folder = arguments.binaries
    runs = runs_below(Path(folder))
    if not runs:
        print(f"{folder}: no trace files", file=sys.stderr)
        return 2
    cases = differing = facts = differences = 0
    seconds = [0.0, 0.0]
    for command, paths in commands_for(runs, arguments.commands.split(",")):
        call = [*map(str, paths), "--json", "-"]
        old, new = (Outcome([*with_detail(cli, command), *call], arguments.timeout) for cli in (old_cli, new_cli))
        comparison = new_comparison()
        comparison.compare({"exit_code": old.code, "report": old.report}, {"exit_code": new.code, "report": new.report})
        cases, facts = cases + 1, facts + comparison.facts
        differences += len(comparison.differences)
        seconds = [seconds[0] + old.seconds, seconds[1] + new.seconds]
        if comparison.differences:
            differing += 1
            print(f"{command} {' '.join(map(str, paths))}: {len(comparison.differences)} of {comparison.facts} differ")
            print_differences(comparison, arguments.show)
    print(f"{cases} reports of {len(runs)} runs: {facts} facts, {differences} differ, in {differing} reports "
          f"({seconds[0]:.1f} s before, {seconds[1]:.1f} s after)")
    return 1 if differing else 0


# ---- command line ---------------------------------------------------------------------------------------------------

def pairs_of(texts):
    pairs = {}
    for text in texts:
        old, equals, new = text.partition("=")
        if not equals or not old or not new:
            raise argparse.ArgumentTypeError(f"{text}: wants OLD=NEW")
        pairs[old] = new
    return pairs


def parse(argv):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("reports", nargs="*", metavar="REPORT", help="the old and the new report")
    parser.add_argument("--binaries", nargs=3, metavar=("OLD_CLI", "NEW_CLI", "FOLDER"))
    parser.add_argument("--commands", default="info,analyze,compare", help="those that are run with --binaries")
    parser.add_argument("--ignore", action="append", default=[], metavar="KEY[,KEY...]",
                        help=f"keys that are not compared, beside {', '.join(NOT_FACTS)}")
    parser.add_argument("--all-keys", action="store_true", help=f"compare {', '.join(NOT_FACTS)} as well")
    parser.add_argument("--renamed", action="append", default=[], metavar="OLD=NEW", help="a key that was renamed")
    parser.add_argument("--revalued", action="append", default=[], metavar="OLD=NEW",
                        help="a text, the whole of a value, that was replaced")
    parser.add_argument("--tolerance", type=float, default=1e-9, help="of ratios, relative (1e-9)")
    parser.add_argument("--show", type=int, default=20, metavar="N", help="differences that are printed of a report (20)")
    parser.add_argument("--timeout", type=float, default=300, metavar="SECONDS", help="of one program run (300)")
    arguments = parser.parse_args(argv)
    if bool(arguments.binaries) == bool(arguments.reports) or (arguments.reports and len(arguments.reports) != 2):
        parser.error("wants two reports, or --binaries")
    try:
        arguments.renamed, arguments.revalued = pairs_of(arguments.renamed), pairs_of(arguments.revalued)
    except argparse.ArgumentTypeError as error:
        parser.error(str(error))
    return arguments


def main(argv):
    arguments = parse(argv)
    ignored = set() if arguments.all_keys else set(NOT_FACTS)
    for keys in arguments.ignore:
        ignored.update(keys.split(","))

    def new_comparison():
        return Comparison(ignored, arguments.renamed, arguments.revalued, arguments.tolerance)

    if arguments.binaries:
        return compare_binaries(arguments, new_comparison)
    reports = []
    for path in arguments.reports:
        try:
            reports.append(json.loads(Path(path).read_text(encoding="utf-8")))
        except (OSError, ValueError) as error:
            print(f"{path}: {error}", file=sys.stderr)
            return 2
    comparison = new_comparison()
    comparison.compare(*reports)
    print_differences(comparison, arguments.show)
    print(f"{comparison.facts} facts, {len(comparison.differences)} differ")
    return 1 if comparison.differences else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
