#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares rankscope-cli's reports of the corpus with tests/corpus/golden: golden.py CLI CORPUS [--write]

For each run: the steps with the parts of each rank, the findings with their prices, the verdict, the health of the
files, and the matches between ranks. --write renews the golden files; look at the changes with git.

Exit: 0 all equal; 1 differences, each with its path; 2 a run cannot be analysed."""
import json
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from compare_reports import Comparison, print_differences  # noqa: E402

GOLDEN = Path(__file__).resolve().parent / "golden"
STEP = ("index", "source", "complete", "outlier", "duration_ns")
ROW = ("rank", "duration_ns", "compute_ns", "comm_ns", "overlap_ns", "exposed_comm_ns", "exposed_transfer_ns",
       "exposed_wait_ns", "copy_ns", "exposed_copy_ns", "idle_ns", "idle_causes")
FINDING = ("id", "severity", "confidence", "ranks", "steps", "blocked_ns", "saving_ns", "cause")


def kept(entry, keys):
    return {key: entry[key] for key in keys if key in entry and entry[key] is not None}


def without_zeros(row):
    """The causes of a row with any time: most have none."""
    if "idle_causes" in row:
        row["idle_causes"] = {cause: ns for cause, ns in row["idle_causes"].items() if ns}
    return row


def facts_of(report):
    runs = report["runs"]
    return {
        "runs": [
            {
                "ranks": [{"rank": rank["rank"], "world_size": rank["world_size"]} for rank in run["ranks"]],
                "median_step_ns": run["median_step_ns"],
                "steps": [{**kept(step, STEP), "ranks": [without_zeros(kept(row, ROW)) for row in step["ranks"]]}
                          for step in run["steps"]],
                "collectives": len(run["collectives"]),
                "unmatched_collectives": len(run["unmatched_collectives"]),
                "bound": run["verdict"]["bound"] if run["verdict"] else None,
                "findings": [kept(finding, FINDING) for finding in run["findings"]],
            }
            for run in runs
        ]
    }


def nesting(value):
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + max(map(nesting, inner), default=0) if isinstance(value, (dict, list)) else 0


def as_text(value, indent=""):
    """JSON with one line per rank of a step, or per finding: small, with readable changes."""
    if nesting(value) <= 2:
        return json.dumps(value)
    more = indent + " "
    if isinstance(value, dict):
        lines = [f"{more}{json.dumps(key)}: {as_text(inner, more)}" for key, inner in value.items()]
    else:
        lines = [more + as_text(inner, more) for inner in value]
    ends = "{}" if isinstance(value, dict) else "[]"
    return ends[0] + "\n" + ",\n".join(lines) + "\n" + indent + ends[1]


def main(cli, corpus, write):
    differ = 0
    folders = sorted(path for path in Path(corpus).iterdir() if path.is_dir())
    if not folders:
        print(f"{corpus}: no traces")
        return 2
    for folder in folders:
        done = subprocess.run([cli, "analyze", str(folder), "--json-detail", "--json", "-"], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            print(f"{folder.name}: exit {done.returncode}: {done.stderr}")
            return 2
        facts = facts_of(json.loads(done.stdout))
        path = GOLDEN / f"{folder.name}.json"
        if write:
            GOLDEN.mkdir(exist_ok=True)
            path.write_text(as_text(facts) + "\n", encoding="utf-8")
            continue
        comparison = Comparison()
        comparison.compare(json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}, facts)
        if comparison.differences:
            print(f"{folder.name}: {len(comparison.differences)} of {comparison.facts} facts differ")
            print_differences(comparison, 20)
            differ += 1
    known = {path.stem for path in GOLDEN.glob("*.json")} - {folder.name for folder in folders}
    for name in sorted(known):
        print(f"{name}: is golden, and no longer in the corpus")
    return 1 if differ or known else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], "--write" in sys.argv[3:]))
