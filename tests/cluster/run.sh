#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# ./dev test --cluster: tests/cluster/run.sh BUILD [PART...]: digests of one generated job of 64 ranks by each engine
# (parts: shards slurm dask ssh), held against what a single machine tells of its traces. All that is started runs in a
# folder of this run, on the loopback, and is stopped at its end. The last line counts the checks; parts that cannot run
# here are named, with the reason.
set -euo pipefail
BUILD=$(readlink -f -- "$1")
shift
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
WORK=$(mktemp -d "${TMPDIR:-/tmp}/rankscope-cluster-XXXXXX")
export BUILD WORK
trap 'rm -rf -- "$WORK"' EXIT
# The parts ask for the tasks of a test, whatever this shell was itself started by.
unset "${!SLURM_@}" "${!OMPI_@}" JOB_COMPLETION_INDEX

# shellcheck source=tests/cluster/lib.sh
. "$here/lib.sh"
parts=("$@")
((${#parts[@]})) || parts=(shards slurm dask ssh)

say "making a job of $ranks ranks in $traces"
"$BUILD/tracegen" job --preset grid --grid 16,2,2 --steps 4 --brief --out "$traces" >/dev/null
"$cli" analyze "$traces" --json-detail --json "$WORK/expected.json" >/dev/null

all_passed=0 all_failed=0 skipped=0
for part in "${parts[@]}"; do
    rm -f "$WORK/counts"
    status=0
    bash "$here/$part.sh" || status=$?
    if ((status == 77)); then
        skipped=$((skipped + 1))
    elif [[ -f $WORK/counts ]]; then
        read -r good bad <"$WORK/counts"
        all_passed=$((all_passed + good)) all_failed=$((all_failed + bad))
    else
        say "$part ended early, with $status"
        all_failed=$((all_failed + 1))
    fi
done
echo "$all_passed passed, $all_failed failed, $skipped skipped"
((all_failed == 0))
