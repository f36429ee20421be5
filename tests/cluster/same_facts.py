#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""same_facts.py A.json B.json: whether two JSON reports of one job are equal, except for the names and sizes of its
files. Prints the differences. Exit: 0 equal, 1 not."""
import json
import re
import sys

# Names and sizes of a run's files.
OF_FILES = re.compile(r"/runs/\d+/name|.*/run|.*/files/\d+/(path|member|bytes|json_bytes)")


def without_digests(report):
    """The report without the notes that name the digests that were read."""
    for run in report["runs"]:
        run["notes"] = [note for note in run["notes"] if ".digest" not in note]
    return report


def differences(a, b, where=""):
    if isinstance(a, dict) and isinstance(b, dict):
        for key in sorted(a.keys() | b.keys()):
            if OF_FILES.fullmatch(f"{where}/{key}"):
                continue
            if key not in a or key not in b:
                yield f"{where}/{key}: only in the {'first' if key in a else 'second'}"
            else:
                yield from differences(a[key], b[key], f"{where}/{key}")
    elif isinstance(a, list) and isinstance(b, list):
        if len(a) != len(b):
            yield f"{where}: {len(a)} entries, and {len(b)}"
        for i, (one, other) in enumerate(zip(a, b)):
            yield from differences(one, other, f"{where}/{i}")
    elif a != b:
        yield f"{where}: {a!r}, and {b!r}"


def main():
    reports = []
    for path in sys.argv[1:3]:
        with open(path, encoding="utf-8") as file:
            reports.append(without_digests(json.load(file)))
    found = list(differences(*reports))
    for line in found[:20]:
        print("   ", line)
    if len(found) > 20:
        print(f"    and {len(found) - 20} more")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
