#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The job that submit.sh runs after the array: merges all existing digests into one file. Resources:
#SBATCH --job-name=rankscope-merge
#SBATCH --cpus-per-task=1
#SBATCH --mem=4G
#SBATCH --time=01:00:00
# Arguments: DIGESTS. RANKSCOPE_CLI: the program, if it is not on PATH.
set -euo pipefail
digests=${1%/}
exec "${RANKSCOPE_CLI:-rankscope-cli}" merge "$digests" -o "$digests.digest"
