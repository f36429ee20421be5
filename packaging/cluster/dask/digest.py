#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the digests of a job's traces by Dask (Debian: python3-distributed), then one file of all of them, and
DIGESTS.companions.zip of logs, dumps and memory snapshots beside the traces, if there are any.

    digest.py TRACES DIGESTS [--shards N] [--scheduler ADDRESS | --workers N] [--cli PROGRAM] [--retries N]

TRACES and DIGESTS are folders that all workers see, PROGRAM is rankscope-cli there. Without --scheduler workers are
started on this machine. A task whose command fails, or whose worker dies, runs again alone, --retries times at most.

Exit: 0 all digests are made; 4 some files could not be read, as rankscope-cli has said; 1 some tasks never came to
their end: their shards are named, and DIGESTS.digest lacks their ranks until the same command is run again."""
import argparse
import subprocess
import sys

from dask.distributed import Client, LocalCluster, as_completed

# Exit codes of rankscope-cli: there is nothing to read; done, but for files that no other try would read.
NOTHING, SOME_UNREADABLE = 3, 4


def run(command, good=(0, SOME_UNREADABLE)):
    """Runs a command of rankscope-cli on a worker; its exit code, one of `good`. Raises with its last words otherwise."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in good:
        words = done.stderr.strip().splitlines()[-1:] or ["no word"]
        raise RuntimeError(f"{command[0]} ended with {done.returncode}: {words[0]}")
    return done.returncode


def make_digests(client, options):
    """The exit codes of the shards, by shard; the error in place of those that failed."""
    tasks = {}
    for shard in range(options.shards):
        command = [options.cli, "digest", options.traces, "-o", options.digests, "--shard", f"{shard}/{options.shards}",
                   "--jobs", "1"]
        tasks[client.submit(run, command, key=f"digest-{shard}", retries=options.retries, pure=False)] = shard
    results = {}
    for task in as_completed(tasks):
        shard = tasks[task]
        results[shard] = task.exception() if task.status == "error" else task.result()
        print(f"[{len(results)}/{options.shards}] shard {shard}: {results[shard]}", flush=True)
    return results


def main():
    parser = argparse.ArgumentParser(description="Makes digests of traces by Dask.")
    parser.add_argument("traces")
    parser.add_argument("digests")
    parser.add_argument("--shards", type=int, default=64)
    parser.add_argument("--scheduler", help="address of a scheduler that runs already, as tcp://host:8786")
    parser.add_argument("--workers", type=int, default=2, help="of this machine, where there is no scheduler")
    parser.add_argument("--cli", default="rankscope-cli")
    parser.add_argument("--retries", type=int, default=3)
    options = parser.parse_args()
    options.digests = options.digests.rstrip("/")

    cluster = None if options.scheduler else LocalCluster(
        n_workers=options.workers, threads_per_worker=1, host="127.0.0.1", dashboard_address=None)
    with Client(options.scheduler or cluster) as client:
        results = make_digests(client, options)
        merge = [options.cli, "merge", options.digests, "-o", options.digests + ".digest"]
        client.submit(run, merge, key="merge", retries=options.retries, pure=False).result()
        pack = [options.cli, "companions", options.traces, "-o", options.digests + ".companions.zip"]
        client.submit(run, pack, (0, NOTHING, SOME_UNREADABLE), key="pack", retries=options.retries,
                      pure=False).result()
    if cluster:
        cluster.close()
    failed = sorted(shard for shard, result in results.items() if isinstance(result, BaseException))
    if failed:
        sys.exit(f"shards that never came to their end: {', '.join(map(str, failed))}")
    return SOME_UNREADABLE if SOME_UNREADABLE in results.values() else 0


if __name__ == "__main__":
    sys.exit(main())
