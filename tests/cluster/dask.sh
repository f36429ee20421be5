#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The script of packaging/cluster/dask with a cluster of two workers of this machine. The first try of one task fails,
# and another task kills its worker.
set -euo pipefail
# shellcheck source=tests/cluster/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

python=$(python_with distributed) || skip "Dask: there is no python3-distributed"
place=$WORK/dask
digests=$WORK/dask-digests
mkdir -p "$place"

# In place of rankscope-cli: fails once for shard 3, and once kills the worker that runs shard 6.
tool=$place/rankscope-cli
cat >"$tool" <<END
#!/usr/bin/env bash
if [[ " \$* " == *" --shard 3/"* && ! -e $place/once-3 ]]; then
    touch $place/once-3
    exit 1
fi
if [[ " \$* " == *" --shard 6/"* && ! -e $place/once-6 ]]; then
    touch $place/once-6
    kill -KILL \$PPID
fi
exec $cli "\$@"
END
chmod +x "$tool"

say "Dask: 16 tasks on $ranks ranks; one fails once, and one kills its worker"
run_dask() {
    (cd "$place" && "$python" "$repository/packaging/cluster/dask/digest.py" "$traces" "$digests" --shards 16 \
        --workers 2 --cli "$tool" >"$place/out" 2>"$place/err") || { tail -n 5 "$place/err" >&2 && return 1; }
}
add_log
check "the script comes to its end" run_dask
check "the task that failed ran again" test -e "$place/once-3"
check "and so did the one whose worker was killed" test -e "$place/once-6"
check "all digests are made" has_digests "$digests" "$ranks"
check "the merged file tells what a single machine told of the traces" same_report "$digests.digest"
check "the log beside the traces is packed" test -s "$digests.companions.zip"
remove_log
finish
