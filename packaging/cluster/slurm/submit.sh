#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# submit.sh TRACES DIGESTS [SHARDS]     makes digests of all traces below the folder TRACES in the folder DIGESTS, with
#                                       an array of SHARDS tasks (64); then merges them into the file DIGESTS.digest,
#                                       and packs logs, dumps and snapshots into DIGESTS.companions.zip
# submit.sh --again TRACES DIGESTS [SHARDS]
#                                       runs only the tasks that did not finish, and the merge again
#
# Both folders are on a file system that all nodes see. More options of sbatch (partition, account) come from SBATCH_ARGS:
#   SBATCH_ARGS='--partition=cpu --account=me' ./submit.sh /scratch/job/traces /scratch/job/digests 256
# AT_ONCE (32) limits how many tasks run at once: they share the bandwidth of the file system.
# Prints the job numbers of the array and of the merge.
set -euo pipefail
again=''
if [[ ${1:-} == --again ]]; then
    again=1
    shift
fi
traces=$(readlink -f -- "${1:?which folder has the traces}")
mkdir -p -- "${2:?which folder shall have the digests}"
digests=$(readlink -f -- "$2")
shards=${3:-64}
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")

# The tasks to run: all of them, or those without a mark.
tasks=0-$((shards - 1))
if [[ -n $again ]]; then
    tasks=''
    for ((i = 0; i < shards; ++i)); do
        [[ -e $digests/.done/$i ]] || tasks+=${tasks:+,}$i
    done
    if [[ -z $tasks ]]; then
        echo "all $shards tasks came to their end" >&2
        exit 0
    fi
else
    rm -rf -- "$digests/.done"
fi

mkdir -p "$digests/.log"
# shellcheck disable=SC2206 # one word an option
options=(--parsable ${SBATCH_ARGS:-})
array=$(sbatch "${options[@]}" --array="$tasks%${AT_ONCE:-32}" --output="$digests/.log/%a.txt" \
    "$here/digest.sbatch.sh" "$traces" "$digests" "$shards")
# Also if a task failed: the report then names the missing ranks.
merge=$(sbatch "${options[@]}" --dependency="afterany:${array%%;*}" --output="$digests/.log/merge.txt" \
    "$here/merge.sbatch.sh" "$digests" "$traces")
echo "${array%%;*} ${merge%%;*}"
