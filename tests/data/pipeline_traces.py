#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes measured schedules of pipelines as traces.

AMD-AGI/Primus records the start and end of each forward and backward of an iteration, for each rank of a pipeline, in
milliseconds. This writes one Kineto trace per rank from these, as Megatron-LM runs such a schedule without batched
exchanges. Each send and receive is a kernel with the args of c10d, compute fills exactly the measured times, and after
the last pass all ranks wait for each other in the all-reduce of the gradients' norm.

    pipeline_traces.py FOLDER NAME OUT [--steps 9-12] [--ranges actions|functions|none]

FOLDER has NAME_config.json and NAME_pp_rank_N.json; OUT gets rankN.pt.trace.json.
"""
import argparse
import json
import math
import os

US = 1000
KERNELS = 4  # in each pass
HOST_US = 100  # time of the host to launch a pass


def ns(milliseconds):
    return math.floor(milliseconds * 1e6 + 0.5)


class Shape:
    """The number of ranks, stages per rank and micro-batches, and the k-th pass of a rank."""

    def __init__(self, config):
        self.ranks = config["world_size"]
        self.stages_per_rank = config["vp_size"]
        self.micro_batches = config["num_mbs"]

    def turn(self, k):
        """The chunk and the micro-batch of the k-th forward: each chunk takes as many in a row as there are ranks."""
        if self.stages_per_rank == 1:
            return 0, k
        round_length = self.ranks * self.stages_per_rank
        return k % round_length // self.ranks, k // round_length * self.ranks + k % self.ranks

    def passes(self, rank, iteration):
        """The passes of a rank by start: (start, end, kind, stage, micro-batch), in nanoseconds."""
        found = []
        for kind, name in (("F", "fwd"), ("B", "bwd")):
            for k, (start, end) in enumerate(zip(iteration[name + "_start"], iteration[name + "_end"])):
                chunk, batch = self.turn(k)
                if kind == "B":
                    chunk = self.stages_per_rank - 1 - chunk
                found.append((ns(start), ns(end), kind, chunk * self.ranks + rank, batch))
        return sorted(found)

    def source_of(self, kind, stage):
        """The rank that sends the input of a pass; None if it needs none."""
        before = stage - 1 if kind == "F" else stage + 1
        return before % self.ranks if 0 <= before < self.ranks * self.stages_per_rank else None

    def target_of(self, kind, stage):
        after = stage + 1 if kind == "F" else stage - 1
        return after % self.ranks if 0 <= after < self.ranks * self.stages_per_rank else None


class Writer:
    """The events of one rank."""

    def __init__(self, rank, ranks):
        self.rank = rank
        self.ranks = list(range(ranks))
        self.events = []
        self.correlation = 0
        self.stream_ends = {}
        self.sequences = {}

    def slice(self, category, name, tid, start, end, args=None, pid=100):
        self.events.append({"ph": "X", "cat": category, "name": name, "pid": pid, "tid": tid,
                            "ts": f"@{start // US}.{start % US:03d}@", "dur": f"@{(end - start) // US}.{(end - start) % US:03d}@",
                            "args": args or {}})

    def launch(self, tid, at, stream, name, start, end, args=None):
        self.correlation += 1
        link = {"correlation": self.correlation}
        self.slice("cuda_runtime", "cudaLaunchKernel", tid, at, at + 4 * US, link)
        self.slice("kernel", name, stream, start, end, {**link, "device": 0, "stream": stream, **(args or {})}, 0)
        self.stream_ends[stream] = end

    def group(self, name, description):
        return {"Process Group Name": name, "Process Group Description": description, "Group size": len(self.ranks),
                "Process Group Ranks": str(self.ranks), "dtype": "BFloat16"}

    def exchange(self, name, source, target, at, stream, start, end):
        key = (source, target)
        self.sequences[key] = self.sequences.get(key, 0) + 1
        args = {"Collective name": name, "In msg nelems": 4194304, "Out msg nelems": 4194304, "Src Rank": source,
                "Dst Rank": target, "Seq": self.sequences[key],
                **self.group("1", "PIPELINE_MODEL_PARALLEL_GROUP")}
        self.slice("cpu_op", "record_param_comms", 100, at, at + 10 * US, args)
        self.launch(100, at + 2 * US, stream, "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)", start, end, args)

    def write(self, path):
        groups = [{"pg_name": name, "pg_desc": description, "backend_config": "cuda:nccl", "pg_size": len(self.ranks),
                   "ranks": self.ranks}
                  for name, description in (("0", "default_pg"), ("1", "PIPELINE_MODEL_PARALLEL_GROUP"),
                                            ("2", "MODEL_PARALLEL_GROUP"))]
        text = json.dumps({"schemaVersion": 1, "host_name": "node0",
                           "distributedInfo": {"backend": "nccl", "rank": self.rank, "world_size": len(self.ranks),
                                               "pg_count": len(groups), "pg_config": groups},
                           "traceEvents": self.events})
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace('"@', "").replace('@"', ""))  # times as numbers with three decimals


class Step:
    """One iteration of all ranks, from `base` on."""

    def __init__(self, shape, passes, base):
        self.shape = shape
        self.base = base
        self.passes = [[(s + base, e + base, *rest) for s, e, *rest in own] for own in passes]
        self.ends = {(kind, stage, batch): end for own in self.passes for _, end, kind, stage, batch in own}
        self.end = max(self.ends.values())

    def calls(self, rank):
        """When the host calls each pass: one pass ahead of the device."""
        starts = [start for start, *_ in self.passes[rank]]
        return [self.base - 200 * US] + [start + 20 * US for start in starts[:-1]]

    def transfer(self, kind, stage, batch, receiver_calls, receiver_start):
        """The start of the sender's kernel, and the common end of both kernels."""
        before = stage - 1 if kind == "F" else stage + 1
        sent = self.ends[(kind, before, batch)] + 5 * US
        end = max(sent + US, min(max(sent, receiver_calls) + 50 * US, receiver_start - 5 * US))
        return sent, end


def stream_of(kind, incoming):
    return {("F", True): 20, ("F", False): 21, ("B", True): 22, ("B", False): 23}[(kind, incoming)]


def write_pass(writer, one, at, ranges):
    start, end, kind, stage, batch = one
    if ranges == "actions":
        writer.slice("user_annotation", f"PP:{stage}{kind}{batch}", 100, at, at + HOST_US * US)
    elif ranges == "functions":
        name = "forward_step" if kind == "F" else "backward_step"
        line = 297 if kind == "F" else 412
        writer.slice("python_function", f"megatron/core/pipeline_parallel/schedules.py({line}): {name}", 100, at,
                     at + HOST_US * US)
    cuts = [start + (end - start) * i // KERNELS for i in range(KERNELS + 1)]
    for i in range(KERNELS):
        tid = 100 if kind == "F" else 101
        name = "aten::mm" if kind == "F" else "autograd::engine::evaluate_function: MmBackward0"
        call = at + (5 + 20 * i) * US
        writer.slice("cpu_op", name, tid, call, call + 10 * US)
        writer.launch(tid, call + 2 * US, 7, "ampere_bf16_s16816gemm", cuts[i], cuts[i + 1])


def write_exchanges(writer, step, rank, one, at):
    start, _, kind, stage, batch = one
    source = step.shape.source_of(kind, stage)
    target = step.shape.target_of(kind, stage)
    if source is not None:
        stream = stream_of(kind, True)
        begins = max(at, writer.stream_ends.get(stream, 0))
        _, end = step.transfer(kind, stage, batch, begins, start)
        writer.exchange("recv", source, rank, at - 15 * US, stream, min(begins, end - US), end)
    if target is not None:
        after = stage + 1 if kind == "F" else stage - 1
        receiver = step.passes[target]
        place = [(k, s, b) for _, _, k, s, b in receiver].index((kind, after, batch))
        stream = stream_of(kind, False)
        sent, end = step.transfer(kind, after, batch, step.calls(target)[place], receiver[place][0])
        begins = max(sent, writer.stream_ends.get(stream, 0))
        writer.exchange("send", rank, target, at + (HOST_US + 2) * US, stream, begins, max(end, begins + US))


def write_end(writer, step, number, rank):
    last_call = step.calls(rank)[-1] + 200 * US
    own_end = step.passes[rank][-1][1]
    writer.sequences["norm"] = writer.sequences.get("norm", 0) + 1
    args = {"Collective name": "allreduce", "In msg nelems": 1, "Out msg nelems": 1, "Seq": writer.sequences["norm"],
            **writer.group("2", "MODEL_PARALLEL_GROUP"), "dtype": "Float"}
    writer.slice("cpu_op", "record_param_comms", 100, last_call, last_call + 10 * US, args)
    writer.launch(100, last_call + 2 * US, 30, "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
                  own_end + 20 * US, step.end + 60 * US, args)
    writer.slice("user_annotation", "Optimizer.step#FusedAdam.step", 100, last_call + 20 * US, last_call + 60 * US)
    writer.launch(100, last_call + 30 * US, 7, "multi_tensor_apply_kernel", step.end + 80 * US, step.end + 2080 * US)
    writer.slice("user_annotation", f"ProfilerStep#{number}", 100, step.base - 300 * US, step.end + 2090 * US)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("name")
    parser.add_argument("out")
    parser.add_argument("--steps", default="9-12")
    parser.add_argument("--ranges", choices=("actions", "functions", "none"), default="none")
    options = parser.parse_args()

    def read(what):
        with open(os.path.join(options.folder, f"{options.name}_{what}.json"), encoding="utf-8") as file:
            return json.load(file)

    shape = Shape(read("config"))
    ranks = [read(f"pp_rank_{rank}") for rank in range(shape.ranks)]
    writers = [Writer(rank, shape.ranks) for rank in range(shape.ranks)]
    first, last = (int(number) for number in options.steps.split("-"))
    base = 1_000_000_000
    for number in range(first, last + 1):
        step = Step(shape, [shape.passes(rank, own[str(number)]) for rank, own in enumerate(ranks)], base)
        for rank, writer in enumerate(writers):
            for one, at in zip(step.passes[rank], step.calls(rank)):
                write_exchanges(writer, step, rank, one, at)
                write_pass(writer, one, at, options.ranges)
            write_end(writer, step, number, rank)
        base = step.end + 2500 * US
    os.makedirs(options.out, exist_ok=True)
    for rank, writer in enumerate(writers):
        writer.write(os.path.join(options.out, f"rank{rank}.pt.trace.json"))


if __name__ == "__main__":
    main()
