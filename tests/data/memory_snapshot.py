#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes a snapshot of PyTorch's caching allocator as torch.cuda.memory._dump_snapshot() would, without PyTorch.

    memory_snapshot.py OUT [--protocol 2..5] [--form plain|list|old] [--entries N] [--blocks N]

The structure is that of torch/csrc/cuda/memory_snapshot.cpp and torch/cuda/memory.py. Its content is small and
known: device 0 has 42 MiB in three segments. Of these, 14 MiB and 512 bytes are in use, 2 MiB wait to be freed, 6 MiB
are free in the same segments, and 20 MiB are free alone. Its history has a peak of about 26 MiB in use. `--blocks` and
`--entries` add a device 1 with this many blocks and entries, to measure the cost of a large snapshot.
"""

import argparse
import pickle

MIB = 1 << 20
BASE = 0x7F0000000000


def frame(filename, line, name):
    return {"filename": filename, "line": line, "name": name}


TORCH = "/opt/venv/lib/python3.11/site-packages/torch/"
MAIN = frame("/job/train.py", 90, "<module>")
MODEL = [
    frame(TORCH + "nn/modules/linear.py", 101, "__init__"),
    frame("/job/model.py", 12, "__init__"),
    MAIN,
]
FORWARD = [
    frame(TORCH + "nn/functional.py", 2500, "gelu"),
    frame("/job/model.py", 30, "forward"),
    frame(TORCH + "nn/modules/module.py", 1501, "_call_impl"),
    frame("/job/train.py", 52, "step"),
    MAIN,
]
BACKWARD = [
    frame(TORCH + "autograd/graph.py", 769, "_engine_run_backward"),
    frame(TORCH + "autograd/__init__.py", 347, "backward"),
    frame(TORCH + "_tensor.py", 581, "backward"),
    frame("/job/train.py", 54, "step"),
    MAIN,
]
OPTIMIZER = [
    frame(TORCH + "optim/adamw.py", 135, "_init_group"),
    frame(TORCH + "optim/adamw.py", 200, "step"),
    frame("/job/train.py", 56, "step"),
    MAIN,
]
NOBODY = []


def segment(device, address, total, pool, blocks, **more):
    at = address
    for block in blocks:
        block["address"] = at
        at += block["size"]
    used = [b["size"] for b in blocks if b["state"] == "active_allocated"]
    active = [b["size"] for b in blocks if b["state"].startswith("active")]
    out = {
        "device": device,
        "address": address,
        "total_size": total,
        "allocated_size": sum(used),
        "active_size": sum(active),
        "requested_size": sum(b["requested_size"] for b in blocks),
        "stream": 0,
        "segment_type": pool,
        "segment_pool_id": (0, 0),
        "is_expandable": False,
        "frames": NOBODY,
        "blocks": blocks,
    }
    out.update(more)
    return out


def block(size, state, frames=NOBODY, requested=None):
    return {"size": size, "requested_size": size if requested is None else requested, "state": state, "frames": frames}


def entry(action, address, size, time_us, frames=NOBODY):
    return {"action": action, "addr": address, "size": size, "stream": 0, "time_us": time_us, "frames": frames}


def known():
    large = [
        block(8 * MIB, "active_allocated", MODEL),
        block(4 * MIB, "active_allocated", BACKWARD),
        block(6 * MIB, "inactive"),
        block(2 * MIB, "active_pending_free", FORWARD),
    ]
    small = [
        block(512, "active_allocated", OPTIMIZER, requested=400),
        block(2 * MIB - 512, "active_allocated", OPTIMIZER, requested=2 * MIB - 600),
    ]
    free = [block(20 * MIB, "inactive")]
    segments = [
        segment(0, BASE, 20 * MIB, "large", large),
        segment(0, BASE + 64 * MIB, 2 * MIB, "small", small),
        segment(0, BASE + 128 * MIB, 20 * MIB, "large", free, segment_pool_id=(0, 3), is_expandable=True),
    ]
    hidden = BASE + 128 * MIB
    history = [
        entry("alloc", BASE, 8 * MIB, 1_000_000, MODEL),
        entry("segment_alloc", hidden, 20 * MIB, 1_000_100),
        entry("alloc", hidden, 10 * MIB, 1_000_200, FORWARD),
        entry("alloc", BASE + 8 * MIB, 4 * MIB, 1_000_300, BACKWARD),
        entry("free_requested", hidden, 10 * MIB, 1_000_400, MODEL),
        entry("free_completed", hidden, 10 * MIB, 1_000_500, MODEL),
        {"action": "oom", "device_free": 5 * MIB, "size": 80 * MIB, "stream": 0, "time_us": 1_000_600},
        entry("something_new", 0, 0, 1_000_700),
    ]
    return segments, [history]


def grow(segments, traces, blocks, entries):
    stacks = [FORWARD, BACKWARD, MODEL]
    address = BASE + (1 << 36)
    per_segment = 1000
    for first in range(0, blocks, per_segment):
        some = [block(65536, "active_allocated", stacks[i % 3]) for i in range(min(per_segment, blocks - first))]
        segments.append(segment(1, address, 65536 * len(some), "large", some))
        address += 65536 * per_segment
    if entries:
        traces.append([
            entry("alloc" if i % 2 == 0 else "free_completed", address + i // 2 * 512, 512, 2_000_000 + i, stacks[i % 3])
            for i in range(entries)
        ])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("out")
    parser.add_argument("--protocol", type=int, default=4)
    parser.add_argument("--form", choices=["plain", "list", "old"], default="plain")
    parser.add_argument("--entries", type=int, default=0)
    parser.add_argument("--blocks", type=int, default=0)
    arguments = parser.parse_args()
    segments, traces = known()
    grow(segments, traces, arguments.blocks, arguments.entries)
    snapshot = {
        "segments": segments,
        "device_traces": traces,
        "allocator_settings": {
            "PYTORCH_CUDA_ALLOC_CONF": "expandable_segments:False",
            "max_split_size": -1,
            "garbage_collection_threshold": 0.0,
            "expandable_segments": False,
            "roundup_power2_divisions": {"1": 0},
        },
        "external_annotations": [],
    }
    if arguments.form == "old":  # PyTorch 1.13 has the uses of a block as a list
        for one in segments:
            for part in one["blocks"]:
                part["history"] = [{"addr": part["address"], "real_size": part.pop("requested_size"),
                                    "frames": part.pop("frames")}]
    with open(arguments.out, "wb") as file:
        pickle.dump(segments if arguments.form == "list" else snapshot, file, protocol=arguments.protocol)


if __name__ == "__main__":
    main()
