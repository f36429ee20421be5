# SPDX-License-Identifier: GPL-3.0-or-later
"""Answers questions of docs/query.md from the JSON of a run's files alone, and holds rankscope-cli's answers to them.

usage: check_query.py RANKSCOPE_CLI DOCS_QUERY_MD RUN_FOLDER
"""
import bisect
import collections
import gzip
import json
import pathlib
import re
import subprocess
import sys


def nanoseconds(text):
    """A number of microseconds as written, in whole nanoseconds."""
    whole, _, part = text.partition(".")
    return int(whole) * 1000 + int((part + "000")[:3])


class Rank:
    """The complete events of one rank's file."""

    def __init__(self, path):
        opened = gzip.open if path.suffix == ".gz" else open
        with opened(path, "rt", encoding="utf-8") as file:
            trace = json.load(file, parse_float=str, parse_int=str)
        self.number = int(trace["distributedInfo"]["rank"])
        self.events = [e for e in trace["traceEvents"] if e.get("ph") == "X"]
        for event in self.events:
            event["start"] = nanoseconds(event["ts"])
            event["length"] = nanoseconds(event.get("dur", "0"))
        self.calls = {
            e["args"]["correlation"]: e
            for e in self.events
            if e.get("cat") == "cuda_runtime" and "correlation" in e.get("args", {})
        }
        self.marks = sorted(
            (e["start"], e["start"] + e["length"], int(e["name"].split("#")[1]))
            for e in self.events
            if e.get("cat") == "user_annotation" and e["name"].startswith("ProfilerStep#")
        )

    def step_at(self, at):
        place = bisect.bisect_right([start for start, _, _ in self.marks], at) - 1
        return self.marks[place][2] if place >= 0 and at < self.marks[place][1] else None

    def step_of_work(self, event):
        call = self.calls.get(event.get("args", {}).get("correlation"))
        return self.step_at((call or event)["start"])

    def of(self, category):
        return [e for e in self.events if e.get("cat") == category]


def kernels_of_a_step(ranks, step):
    sums = collections.Counter()
    calls = collections.Counter()
    for rank in ranks:
        for event in rank.of("kernel"):
            if rank.step_of_work(event) == step:
                sums[rank.number, event["name"]] += event["length"]
                calls[rank.number, event["name"]] += 1
    return {key: (calls[key], total) for key, total in sums.items()}


def loader_waits(ranks):
    waits = collections.defaultdict(lambda: [0, 0])
    for rank in ranks:
        for event in rank.events:
            if event["name"].startswith("enumerate(DataLoader)"):
                of = waits[rank.step_at(event["start"]), rank.number]
                of[0] += 1
                of[1] += event["length"]
    return {key: tuple(value) for key, value in waits.items()}


def synchronising_calls(ranks):
    sums = collections.Counter()
    for rank in ranks:
        for event in rank.of("cuda_runtime"):
            if "synchronize" in event["name"].lower():
                sums[event["name"]] += event["length"]
    return sums


def copies_alone(ranks):
    """The lengths of copies during which no kernel that computes runs, longest first."""
    lengths = []
    for rank in ranks:
        compute = sorted(
            (e["start"], e["start"] + e["length"])
            for e in rank.of("kernel") + rank.of("gpu_memset")
            if "nccl" not in e["name"].lower()
        )
        starts = [start for start, _ in compute]
        reach = []
        for _, end in compute:
            reach.append(max(end, reach[-1] if reach else end))
        for copy in rank.of("gpu_memcpy"):
            start, end = copy["start"], copy["start"] + copy["length"]
            before = bisect.bisect_right(starts, start)
            is_beside = (before > 0 and reach[before - 1] > start) or (
                before < len(starts) and starts[before] < end
            )
            if not is_beside:
                lengths.append(copy["length"])
    return sorted(lengths, reverse=True)


def long_launches(ranks):
    """How many calls take longer than what they launched, of those that an operator or anything else surrounds."""
    calls = 0
    for rank in ranks:
        for category in ("kernel", "gpu_memcpy", "gpu_memset"):
            for event in rank.of(category):
                call = rank.calls.get(event.get("args", {}).get("correlation"))
                calls += call is not None and call["length"] > event["length"]
    return calls


def main():
    program, docs, folder = sys.argv[1:]
    questions = re.findall(r"```sql\n(.*?)```", pathlib.Path(docs).read_text(encoding="utf-8"), re.S)
    ranks = [Rank(path) for path in sorted(pathlib.Path(folder).iterdir()) if ".json" in path.name]

    def ask(sql):
        out = subprocess.run([program, "query", folder, sql, "--format", "json"], capture_output=True, check=True)
        return json.loads(out.stdout)

    def hold(what, told, known):
        if told != known:
            sys.exit(f"{what}:\n  told  {told}\n  known {known}")

    step = ask("SELECT min(step) AS step FROM steps WHERE complete")[0]["step"]
    known = kernels_of_a_step(ranks, step)
    told = {(row["rank"], row["name"]): (row["calls"], row["ns"]) for row in ask(questions[0])}
    hold("kernels of a step", told, {key: known.get(key) for key in told})
    hold("the longest of them", max(ns for _, ns in told.values()), max(ns for _, ns in known.values()))

    told = {(row["step"], row["rank"]): (row["batches"], row["ns"]) for row in ask(questions[6])}
    hold("the loader's waits", told, loader_waits(ranks))

    told = collections.Counter()
    for row in ask(questions[8]):
        told[row["name"]] += row["ns"]
    hold("synchronising calls", told, synchronising_calls(ranks))

    hold("copies alone", [row["dur_ns"] for row in ask(questions[7])], copies_alone(ranks)[:20])

    every = ask(questions[3].replace("LIMIT 10", "").replace("JOIN slice o", "LEFT JOIN slice o"))
    hold("long launches", sum(row["launches"] for row in every), long_launches(ranks))
    print("5 answers are those of the files")


main()
