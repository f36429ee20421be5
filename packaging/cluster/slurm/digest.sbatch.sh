#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# One task of the array of submit.sh: makes its part of the digests. Resources per task:
#SBATCH --job-name=rankscope-digest
#SBATCH --cpus-per-task=2
#SBATCH --mem=4G
#SBATCH --time=01:00:00
#SBATCH --requeue
# Arguments: TRACES DIGESTS SHARDS. RANKSCOPE_CLI: the program, if it is not on PATH.
set -euo pipefail
traces=$1 digests=$2 shards=$3

# The number of parts is given, so that a task which runs again alone, in an array of one, still does its own part.
status=0
"${RANKSCOPE_CLI:-rankscope-cli}" digest "$traces" -o "$digests" --shards "$shards" \
    --jobs "${SLURM_CPUS_PER_TASK:-1}" || status=$?

# A mark for submit.sh --again. 4: some files cannot be read, and another try would not help.
if ((status == 0 || status == 4)); then
    mkdir -p "$digests/.done"
    touch "$digests/.done/$SLURM_ARRAY_TASK_ID"
fi
exit "$status"
