#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The job that submit.sh runs after the array: merges all existing digests into one file, and packs logs, dumps and
# memory snapshots beside the traces into DIGESTS.companions.zip. Resources:
#SBATCH --job-name=rankscope-merge
#SBATCH --cpus-per-task=1
#SBATCH --mem=4G
#SBATCH --time=01:00:00
# Arguments: DIGESTS TRACES. RANKSCOPE_CLI: the program, if it is not on PATH.
set -euo pipefail
digests=${1%/} traces=$2 program=${RANKSCOPE_CLI:-rankscope-cli}
status=0
"$program" merge "$digests" -o "$digests.digest" || status=$?
# 3: there are none. 4: the largest are left out, and named.
packed=0
"$program" companions "$traces" -o "$digests.companions.zip" || packed=$?
((packed == 0 || packed == 3 || packed == 4)) || status=$packed
exit "$status"
