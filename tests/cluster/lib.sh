#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What the parts of ./dev test --cluster share: names of places, checks that are counted, comparing reports.
# Sourced by them; wants BUILD (the folder with rankscope-cli and tracegen) and WORK (a folder for this run).

# shellcheck disable=SC2034 # the parts use them
{
    cli=$BUILD/rankscope-cli
    traces=$WORK/job
    ranks=64
}
repository=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
passed=0 failed=0

say() { printf 'cluster: %s\n' "$*" >&2; }
since=$(date +%s)

# check NAME COMMAND...: counts whether the command succeeds
check() {
    local name=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
        say "  good: $name ($(($(date +%s) - since)) s)"
    else
        failed=$((failed + 1))
        say "  BAD:  $name"
    fi
}

# skip WHY: this part cannot run here
skip() {
    say "left out: $*"
    exit 77
}

# The end of a part: what it counted, for run.sh.
finish() {
    printf '%s %s\n' "$passed" "$failed" >"$WORK/counts"
    ((failed == 0))
}

# python_with MODULE: a Python that has it. The first on PATH may be another than that of the system's packages.
python_with() {
    local python
    for python in python3 /usr/bin/python3; do
        if "$python" -c "import $1" 2>/dev/null; then
            echo "$python"
            return
        fi
    done
    return 1
}

have() { command -v "$1" >/dev/null; }

# wait_until SECONDS COMMAND...: whether the command succeeds within so long
wait_until() {
    local end=$((SECONDS + $1))
    shift
    until "$@" >/dev/null 2>&1; do
        ((SECONDS < end)) || return 1
        sleep 0.2
    done
}

# free_port: a port of the loopback that nobody listens on
free_port() {
    python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

digests_in() { find "$1" -name '*.digest' -type f | wc -l; }
has_digests() { [[ $(digests_in "$1") == "$2" ]]; }

# Puts a log of NCCL beside the traces.
add_log() { echo 'node0:100:100 [0] NCCL INFO NCCL version 2.28.9' >"$traces/nccl.log"; }
remove_log() { rm -f -- "$traces/nccl.log"; }

# same_report PATH...: whether the report of these digests has the facts of the one that a single machine made of the
# traces, in $WORK/expected.json. What names files, and what was read of them, is not compared.
same_report() {
    "$cli" analyze "$@" --json-detail --json "$WORK/got.json" >/dev/null && same_facts "$WORK/expected.json" "$WORK/got.json"
}

same_facts() {
    python3 "$repository/tests/cluster/same_facts.py" "$@"
}

# reports_ranks PATH N: whether the report of this path is of so many ranks
reports_ranks() {
    local count
    count=$("$cli" info "$1" --json - | python3 -c 'import json, sys
print(sum(len(run["ranks"]) for run in json.load(sys.stdin)["runs"]))')
    [[ $count == "$2" ]] || { say "    $count ranks, not $2" && return 1; }
}
