#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The array of packaging/cluster/slurm by a real Slurm of one node, which stands in a folder of this run, on ports of the
# loopback, and is stopped at the end. Two tasks are killed on the way, and run again alone.
set -euo pipefail
# shellcheck source=tests/cluster/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

PATH=$PATH:/usr/sbin:/sbin
for program in slurmctld slurmd sbatch squeue munged; do
    have "$program" || skip "Slurm: there is no $program (packages slurm-wlm and munge)"
done
[[ $(id -u) == 0 ]] || skip "Slurm: slurmd starts tasks as their users, and so wants root"

place=$WORK/slurm
digests=$WORK/slurm-digests
mkdir -p "$place"/{spool,state,log,munge}
chmod 700 "$place/munge"
started=()
stop() {
    local pid
    for pid in "${started[@]}"; do kill "$pid" 2>/dev/null || true; done
    wait 2>/dev/null || true
}
trap stop EXIT

write_configuration() {
    cat >"$place/slurm.conf" <<END
ClusterName=rankscope-test
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$place/munge/socket
StateSaveLocation=$place/state
SlurmdSpoolDir=$place/spool
SlurmctldPidFile=$place/slurmctld.pid
SlurmdPidFile=$place/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
# As many processors as the node says here, not as it has: else a node with fewer is not taken.
SlurmdParameters=config_overrides
ReturnToService=2
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
NodeName=localhost NodeAddr=127.0.0.1 CPUs=4 RealMemory=64000 State=UNKNOWN
PartitionName=all Nodes=localhost Default=YES MaxTime=INFINITE State=UP
END
    # slurmd wants a plug-in for control groups, and uses none of them with this ProctrackType and TaskPlugin.
    echo 'CgroupPlugin=cgroup/v1' >"$place/cgroup.conf"
    export SLURM_CONF=$place/slurm.conf
}

node_is_idle() { [[ $(sinfo -h -o %t) == idle ]]; }

start_slurm() {
    head -c 1024 /dev/urandom >"$place/munge/key"
    chmod 600 "$place/munge/key"
    # --force: that a folder of this run is readable for others does not matter here.
    munged --foreground --force --key-file="$place/munge/key" --socket="$place/munge/socket" \
        --pid-file="$place/munge/pid" --log-file="$place/munge/log" --seed-file="$place/munge/seed" \
        >"$place/log/munged" 2>&1 &
    started+=($!)
    wait_until 20 test -S "$place/munge/socket" || skip "Slurm: munged does not start: $(tail -n 1 "$place/log/munged")"
    slurmctld -D >"$place/log/slurmctld" 2>&1 &
    started+=($!)
    wait_until 30 sinfo || skip "Slurm: slurmctld does not start: $(tail -n 1 "$place/log/slurmctld")"
    slurmd -D -N localhost >"$place/log/slurmd" 2>&1 &
    started+=($!)
    wait_until 60 node_is_idle || skip "Slurm: slurmd does not start: $(tail -n 1 "$place/log/slurmd")"
}

no_jobs_left() { [[ -z $(squeue -h) ]]; }
all_done() { wait_until "${PATIENCE:-900}" no_jobs_left; }
submit() { RANKSCOPE_CLI=$tool SBATCH_ARGS='--mem=1G' "$repository/packaging/cluster/slurm/submit.sh" "$@"; }

# In place of rankscope-cli: two of the tasks stop in the middle of their work, the first time, until they are killed.
tool=$place/rankscope-cli
cat >"$tool" <<END
#!/usr/bin/env bash
mark=$place/once-\$SLURM_ARRAY_TASK_ID
if [[ \$1 != digest || ! \$SLURM_ARRAY_TASK_ID =~ ^(5|11)\$ || -e \$mark ]]; then
    exec $cli "\$@"
fi
exec 3< <($cli "\$@" --jobs 1)
pid=\$!
read -r line <&3
kill -STOP "\$pid"
echo "\$line" >"\$mark"
sleep 600
END
chmod +x "$tool"

both_wait() { [[ -s $place/once-5 && -s $place/once-11 ]]; }
shards=16
say "Slurm: an array of $shards tasks on $ranks ranks, of which two are killed"
write_configuration
start_slurm
add_log
read -r array _ < <(submit "$traces" "$digests" "$shards")
check "two tasks are on their way" wait_until 300 both_wait
scancel --signal=KILL --full "${array}_5"
scancel "${array}_11"
check "the array and the merge behind it come to their end" all_done
made=$(digests_in "$digests")
check "digests are missing, of the killed tasks at most ($made of $ranks are there)" \
    test "$((made < ranks && made >= ranks - 2 * ranks / shards))" = 1
check "the merged file can be read, and has the others" reports_ranks "$digests.digest" "$made"

read -r again _ < <(submit --again "$traces" "$digests" "$shards")
check "the killed tasks run again" all_done
tasks_of_again=$(find "$digests/.done" -newer "$digests/.log/11.txt" -type f -printf '%f ' | tr ' ' '\n' | sort -n | tr '\n' ' ')
check "and they alone (array ${again:-none}: $tasks_of_again)" test "$(sort -n <<<"${tasks_of_again// /$'\n'}" | tr -d '\n')" = 511
check "all digests are made" has_digests "$digests" "$ranks"
check "what the folder of digests tells is what a single machine told of the traces" same_report "$digests"
check "and so is what the merged file tells" same_report "$digests.digest"
check "the log beside the traces is packed" test -s "$digests.companions.zip"
remove_log
finish
