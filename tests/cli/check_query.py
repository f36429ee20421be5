# SPDX-License-Identifier: GPL-3.0-or-later
"""Answers questions of docs/query.md from the JSON of a run's files, and compares rankscope-cli's answers with these.

usage: check_query.py RANKSCOPE_CLI DOCS_QUERY_MD RUN_FOLDER
       check_query.py RANKSCOPE_CLI DOCS_QUERY_MD FILE     only the question about memory, of one rank's file
"""
import bisect
import collections
import gzip
import json
import pathlib
import re
import statistics
import subprocess
import sys


def nanoseconds(text):
    """A written number of microseconds, in whole nanoseconds."""
    whole, _, part = text.partition(".")
    return int(whole) * 1000 + int((part + "000")[:3])


class Rank:
    """The complete events of one rank's file."""

    def __init__(self, path):
        opened = gzip.open if path.suffix == ".gz" else open
        with opened(path, "rt", encoding="utf-8") as file:
            trace = json.load(file, parse_float=str, parse_int=str)
        self.number = int(trace["distributedInfo"]["rank"]) if "distributedInfo" in trace else None
        self.base = int(trace.get("baseTimeNanoseconds", 0))
        self.events = [e for e in trace["traceEvents"] if e.get("ph") == "X"]
        self.memory = [e for e in trace["traceEvents"] if e.get("name") == "[memory]"]
        for event in self.events + self.memory:
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

    def of(self, *categories):
        return [e for e in self.events if e.get("cat") in categories]

    def gpu_work(self):
        return self.of("kernel", "gpu_memcpy", "gpu_memset")

    def set_clock(self, offset, base):
        """From times of the file to the times of answers."""
        self.shift = self.base + offset - base

    def at(self, event):
        return event["start"] + self.shift


def communicates(event):
    return "nccl" in event["name"].lower()


def union(spans):
    """The spans as sorted ones that neither overlap nor touch."""
    out = []
    for start, end in sorted(spans):
        if out and start <= out[-1][1]:
            out[-1][1] = max(out[-1][1], end)
        elif end > start:
            out.append([start, end])
    return out


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
    """The lengths of copies during which no compute kernel runs, longest first."""
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
    """The number of calls inside another slice that are longer than their launched work."""
    calls = 0
    for rank in ranks:
        for category in ("kernel", "gpu_memcpy", "gpu_memset"):
            for event in rank.of(category):
                call = rank.calls.get(event.get("args", {}).get("correlation"))
                calls += call is not None and call["length"] > event["length"]
    return calls


def times_by_name(events):
    """Calls and total time by name."""
    sums = collections.defaultdict(lambda: [0, 0])
    for event in events:
        sums[event["name"]][0] += 1
        sums[event["name"]][1] += event["length"]
    return {name: tuple(value) for name, value in sums.items()}


def slower_than_peers(ranks):
    """Rank, name, calls and mean of kernels that compute and take over 1.2 times the median of the ranks' means."""
    means = collections.defaultdict(list)
    for rank in ranks:
        for name, (calls, total) in times_by_name(rank.gpu_work()).items():
            means[name].append((rank.number, calls, total // calls))
    found = []
    for name, of_ranks in means.items():
        peers = statistics.median(mean for _, _, mean in of_ranks)
        if len(of_ranks) > 2 and not communicates({"name": name}) and not name.startswith("Memcpy"):
            found += [((mean - peers) * calls, rank, name, calls, mean)
                      for rank, calls, mean in of_ranks if mean > 1.2 * peers]
    return [row[1:] for row in sorted(found, key=lambda row: -row[0])[:10]]


def idle_by_step(ranks, steps):
    """The time of steps without any GPU work, by the number of the step; and all such times, by rank."""
    sums = collections.Counter()
    idle = collections.defaultdict(list)
    for rank in ranks:
        busy = union((rank.at(e), rank.at(e) + e["length"]) for e in rank.gpu_work())
        for number, start, end in steps[rank.number]:
            at = start
            for first, last in busy + [[end, end]]:
                if at < first and at < end and min(first, end) > at:
                    idle[rank.number].append((at, min(first, end) - at))
                    sums[number] += min(first, end) - at
                at = max(at, last)
    return sums, idle


SIZES = {"Float": 4, "float": 4, "Half": 2, "BFloat16": 2, "Long": 8, "Int": 4, "Byte": 1, "Double": 8}
KINDS = {"allreduce": "all-reduce", "broadcast": "broadcast", "allgather": "all-gather"}


def collectives_of(ranks):
    """The members of each collective that the files name by communicator and number; nothing where they do not."""
    found = collections.defaultdict(dict)
    for rank in ranks:
        for event in rank.of("kernel"):
            args = event.get("args", {})
            if communicates(event):
                if "Comms Id" not in args or "Seq" not in args:
                    return None
                found[args["Comms Id"], args["Seq"]][rank.number] = (rank, event)
    return list(found.values())


def collectives_by_kind(collectives):
    """How many, and the median of their transfers: the shortest member of each."""
    of = collections.defaultdict(list)
    for members in collectives:
        args = next(iter(members.values()))[1]["args"]
        kind = KINDS[args["Collective name"]]
        size = int(args["In msg nelems"]) * SIZES[args["dtype"]]
        of[kind, args["Process Group Name"], size].append(min(e["length"] for _, e in members.values()))
    return {key: (len(shortest), statistics.median(shortest)) for key, shortest in of.items()}


def last_arrivals(collectives):
    late = collections.defaultdict(list)
    for members in collectives:
        starts = {number: rank.at(event) for number, (rank, event) in members.items()}
        last = max(starts.values())
        for number, start in starts.items():
            if start == last and len(starts) > 1:
                late[number].append(last - min(starts.values()))
    return {number: (len(all_of), statistics.median(all_of)) for number, all_of in late.items()}


def communication_on_compute(ranks):
    """Kernels that communicate on a stream on which others compute: how many, how long."""
    sums = {}
    for rank in ranks:
        streams = {e["args"]["stream"] for e in rank.of("kernel", "gpu_memset") if not communicates(e)}
        events = [e for e in rank.of("kernel") if communicates(e) and e["args"]["stream"] in streams]
        if events:
            sums[rank.number] = (len(events), sum(e["length"] for e in events))
    return sums


def step_parts(ranks, steps):
    """The parts of each step of each rank: [length, compute, exposed communication, idle]."""
    parts = {}
    for rank in ranks:
        kernels = rank.of("kernel")
        compute = [(rank.at(e), rank.at(e) + e["length"])
                   for e in kernels + rank.of("gpu_memset") if not communicates(e)]
        communication = [(rank.at(e), rank.at(e) + e["length"]) for e in kernels if communicates(e)]
        copies = [(rank.at(e), rank.at(e) + e["length"]) for e in rank.of("gpu_memcpy")]
        for number, start, end in steps[rank.number]:
            def covered(spans):
                return sum(last - first for first, last in
                           union((max(a, start), min(b, end)) for a, b in spans if a < end and b > start))
            busy = covered(compute)
            with_communication = covered(compute + communication)
            parts[rank.number, number] = [end - start, busy, with_communication - busy,
                                          end - start - covered(compute + communication + copies)]
    return parts


def compute_of_steps(parts):
    """The compute time of all steps, by rank."""
    sums = collections.Counter()
    for (rank, _), (_, compute, _, _) in parts.items():
        sums[rank] += compute
    return dict(sums)


def longer_steps(parts, times):
    """The steps that are longer than `times` the median of their rank, with what is longer than its median."""
    found = {}
    for rank in {rank for rank, _ in parts}:
        of_rank = [value for (number, _), value in parts.items() if number == rank]
        usual = [statistics.median(column) for column in zip(*of_rank)]
        for (number, step), value in parts.items():
            if number == rank and value[0] > times * usual[0]:
                found[rank, step] = [mine - median for mine, median in zip(value, usual)]
    return found


def memory_at_the_peak(rank):
    """Bytes and blocks by operator: those that the file shows to be allocated when the most memory is."""
    events = sorted((e for e in rank.memory if e["args"]["Device Type"] != "0"), key=lambda e: e["start"])
    peak = max(range(len(events)), key=lambda at: int(events[at]["args"]["Total Allocated"]))
    live = {}
    for event in events[: peak + 1]:
        if int(event["args"]["Bytes"]) > 0:
            live[event["args"]["Addr"]] = event
        else:
            live.pop(event["args"]["Addr"], None)
    operators = [e for e in rank.of("cpu_op") if not e["name"].startswith(("aten::empty", "aten::resize_"))]
    sums = collections.defaultdict(lambda: [0, 0])
    for event in live.values():
        at = event["start"]
        around = [e for e in operators if e["start"] <= at <= e["start"] + e["length"]]
        of = sums[max(around, key=lambda e: e["start"])["name"]]
        of[0] += int(event["args"]["Bytes"])
        of[1] += 1
    return {name: tuple(value) for name, value in sums.items()}


def main():
    program, docs, folder = sys.argv[1:]
    questions = re.findall(r"```sql\n(.*?)```", pathlib.Path(docs).read_text(encoding="utf-8"), re.S)
    held = []

    def ask(sql):
        out = subprocess.run([program, "query", folder, sql, "--format", "json"], capture_output=True, check=True)
        return json.loads(out.stdout)

    def hold(number, what, told, known):
        if told != known:
            sys.exit(f"question {number}, {what}:\n  told  {told}\n  known {known}")
        held.append(number)

    def rows_of(number, *columns, sql=None):
        return [tuple(row[column] for column in columns) for row in ask(sql or questions[number - 1])]

    if pathlib.Path(folder).is_file():
        told = collections.defaultdict(lambda: [0, 0])
        for operator, size, blocks in rows_of(17, "operator", "bytes", "blocks"):
            told[operator][0] += size
            told[operator][1] += blocks
        hold(17, "memory at the peak", {name: tuple(value) for name, value in told.items()},
             memory_at_the_peak(Rank(pathlib.Path(folder))))
        return

    ranks = [Rank(path) for path in sorted(pathlib.Path(folder).iterdir()) if ".json" in path.name]
    base = ask("SELECT base_ns FROM run")[0]["base_ns"]
    offsets = {row["rank"]: row["offset_ns"] for row in ask("SELECT rank, offset_ns FROM rank")}
    for rank in ranks:
        rank.set_clock(offsets[rank.number], base)

    step = ask("SELECT min(step) AS step FROM steps WHERE complete")[0]["step"]
    known = kernels_of_a_step(ranks, step)
    told = {row[:2]: row[2:] for row in rows_of(1, "rank", "name", "calls", "ns")}
    hold(1, "kernels of a step", told, {key: known.get(key) for key in told})
    hold(1, "the longest of them", max(ns for _, ns in told.values()), max(ns for _, ns in known.values()))

    told = rows_of(2, "rank", "name", "calls", "mean_ns")
    hold(2, "kernels slower than their peers", sorted(told), sorted(slower_than_peers(ranks)))

    every = questions[3].replace("LIMIT 10", "").replace("JOIN slice o", "LEFT JOIN slice o")
    hold(4, "long launches", sum(row["launches"] for row in ask(every)), long_launches(ranks))

    steps = collections.defaultdict(list)
    for row in ask("SELECT rank, step, start_ns, end_ns FROM step"):
        steps[row["rank"]].append((row["step"], row["start_ns"], row["end_ns"]))
    whole = {(row["rank"], row["step"]) for row in ask("SELECT rank, step FROM step WHERE complete")}
    parts = step_parts(ranks, steps)
    told = {row[0]: sum(row[1:]) for row in rows_of(3, "rank", "on_ns", "off_ns", "unknown_ns")}
    hold(3, "compute time of steps", told, told and compute_of_steps(parts))
    idle, gaps = idle_by_step(ranks, steps)
    told = {row[:3] for row in rows_of(5, "rank", "start_ns", "dur_ns")}
    known = {(rank, *gap) for rank, of_rank in gaps.items() for gap in of_rank}
    hold(5, "gaps that are none", told - known, set())
    hold(5, "gaps over 1 ms", bool(told), any(length > 1_000_000 for _, _, length in known))
    told = collections.Counter()
    for number, ns in rows_of(6, "step", "ns"):
        told[number] += ns
    hold(6, "idle time", told, idle)

    usual = "s.complete AND s.duration_ns > 1.1 * u.step"
    for times in (1.1, 1):  # real steps are seldom 10 % longer, so those that are longer at all are held too
        told = {row[:2]: list(row[2:]) for row in
                rows_of(18, "rank", "step", "longer_ns", "compute_ns", "comm_ns", "idle_ns",
                        sql=questions[17].replace(usual, usual.replace("1.1", str(times))))}
        hold(18, f"steps of {times} times the median", told, longer_steps({step: parts[step] for step in whole}, times))

    told = {row[:2]: row[2:] for row in rows_of(7, "step", "rank", "batches", "ns")}
    hold(7, "the loader's waits", told, loader_waits(ranks))
    hold(8, "copies alone", [ns for ns, in rows_of(8, "dur_ns")], copies_alone(ranks)[:20])
    told = collections.Counter()
    for name, ns in rows_of(9, "name", "ns"):
        told[name] += ns
    hold(9, "synchronising calls", told, synchronising_calls(ranks))

    collectives = collectives_of(ranks)
    if collectives:
        told = {row[:3]: row[3:] for row in rows_of(10, "kind", "group_name", "bytes", "collectives", "transfer_ns")}
        known = collectives_by_kind(collectives)
        hold(10, "collectives", told, known)
        told = {row[0]: row[1:] for row in rows_of(11, "rank", "times", "late_ns")}
        hold(11, "the last to arrive", told, last_arrivals(collectives))
        large = sum(count for (kind, _, size), (count, _) in known.items() if kind == "all-reduce" and size > 10_000_000)
        hold(12, "large all-reduces", sum(count for count, in rows_of(12, "collectives")), large)
    if not any("FSDP" in event["name"] for rank in ranks for event in rank.events):
        hold(13, "units of FSDP where there are none", ask(questions[12]), [])
    told = {row[0]: row[1:] for row in rows_of(14, "rank", "kernels", "ns")}
    hold(14, "communication on the stream of computation", told, communication_on_compute(ranks))

    known = times_by_name(event for rank in ranks for event in rank.of("cpu_op"))
    for name, calls, total in rows_of(15, "name", "calls", "total_ns"):
        if name in known and name.startswith("aten::"):
            hold(15, name, (calls, total), known[name])
    modules = [e for rank in ranks for e in rank.events if e["name"].startswith("nn.Module:")]
    told = {row[0]: row[1:] for row in rows_of(16, "name", "calls", "ns")}
    known = times_by_name(modules)
    hold(16, "modules", told, {name: known.get(name) for name in told})
    hold(16, "that there are any", bool(told), bool(known))

    known = times_by_name(event for rank in ranks for event in rank.gpu_work())
    told = {row[0]: row[1:] for row in rows_of(19, "name", "calls", "mean_ns")}
    hold(19, "kernels of a run", told, {name: (known[name][0], known[name][1] // known[name][0]) for name in told})
    first = next(rank for rank in ranks if rank.number == 0)
    known = sorted((first.at(e), e["name"], e["length"]) for e in first.events
                   if 10_000_000 <= first.at(e) <= 12_000_000)
    told = sorted(rows_of(20, "start_ns", "name", "dur_ns"))
    hold(20, "what runs in 2 ms", told, known)
    print(f"{len(set(held))} answers are those of the files: {sorted(set(held))}")


main()
