#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Plain processes side by side, as MPI and indexed jobs of Kubernetes start them. One is killed, and started again.
set -euo pipefail
# shellcheck source=tests/cluster/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

digests=$WORK/shard-digests
run_shard() { "$cli" digest "$traces" -o "$1" --shard "$2" --jobs 1 >"$WORK/shard.${2//\//-}" 2>&1; }

say "plain processes: four shards of $ranks ranks, of which one is killed"
pids=()
for i in 0 1 2 3; do
    run_shard "$digests" "$i/4" &
    pids+=($!)
done
some_of_it() { (($(digests_in "$digests") > 4)); }
wait_until 300 some_of_it || true
# Its command, not the shell around it; where it is done already there is nothing to kill, and nothing left to do.
pkill -KILL -P "${pids[2]}" || true
for pid in "${pids[@]}"; do wait "$pid" || true; done
check "no digest is left half: each can be read" reports_ranks "$digests" "$(digests_in "$digests")"
check "the shard runs again alone" run_shard "$digests" 2/4
check "all digests are made" has_digests "$digests" "$ranks"
check "they tell what a single machine told of the traces" same_report "$digests"
say "  of $(du -sb "$traces" | cut -f 1) bytes of traces came $(du -sb "$digests" | cut -f 1) bytes of digests"

say "an indexed job: the command of packaging/cluster/kubernetes, with the variables that Kubernetes sets"
if python=$(python_with yaml); then
    # shellcheck disable=SC2016 # for Python
    command=$("$python" -c 'import sys, yaml
job = yaml.safe_load(open(sys.argv[1]))
assert job["spec"]["completionMode"] == "Indexed"
container = job["spec"]["template"]["spec"]["containers"][0]
shards = {entry["name"]: entry["value"] for entry in container["env"]}["SHARDS"]
assert int(shards) == job["spec"]["completions"]
print(container["command"][2])' "$repository/packaging/cluster/kubernetes/job.yaml")
    indexed=$WORK/indexed-digests
    mkdir -p "$WORK/bin"
    ln -sf "$cli" "$WORK/bin/rankscope-cli"
    run_index() {
        PATH=$WORK/bin:$PATH JOB_COMPLETION_INDEX=$1 SHARDS=3 TRACES=$traces DIGESTS=$indexed sh -c "$command" >/dev/null
    }
    for i in 0 1 2; do check "index $i" run_index "$i"; done
    merge=$("$python" -c 'import sys, yaml
print(yaml.safe_load(open(sys.argv[1]))["spec"]["template"]["spec"]["containers"][0]["command"][2])' \
        "$repository/packaging/cluster/kubernetes/merge.yaml")
    run_merge() { PATH=$WORK/bin:$PATH DIGESTS=$indexed sh -c "$merge" >/dev/null; }
    check "the merge" run_merge
    check "the merged file tells what a single machine told of the traces" same_report "$indexed.digest"
else
    say "left out: the YAML of Kubernetes cannot be read without python3-yaml"
fi

say "merging is associative, in any order"
half() { find "$digests" -name '*.digest' | sort | awk -v odd="$1" 'NR % 2 == odd'; }
mapfile -t odd < <(half 1)
mapfile -t even < <(half 0)
merge_tree() {
    "$cli" merge "${even[@]}" -o "$WORK/even.digest" >/dev/null && "$cli" merge "${odd[@]}" -o "$WORK/odd.digest" >/dev/null &&
        "$cli" merge "$WORK/even.digest" "$WORK/odd.digest" -o "$WORK/tree.digest" >/dev/null
}
check "two halves are merged, and then the halves" merge_tree
say "  merged $(stat -c %s "$WORK/tree.digest" 2>/dev/null || echo 0) bytes"
check "the whole tells what a single machine told of the traces" same_report "$WORK/tree.digest"
finish
