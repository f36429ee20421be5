#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# ssh://host/path against a real sshd on a port of the loopback, with keys, a home and a cache of this run: what is
# fetched, what is kept, a copy and a program cut off in the middle, and each way in which a host can refuse.
set -euo pipefail
# shellcheck source=tests/cluster/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

PATH=$PATH:/usr/sbin:/sbin
have sshd || skip "ssh: there is no sshd (package openssh-server)"
have ssh || skip "ssh: there is no ssh (package openssh-client)"
static=${RANKSCOPE_STATIC_CLI:-$repository/build/static/rankscope-cli-static}
unset RANKSCOPE_STATIC_CLI

place=$WORK/ssh
mkdir -p "$place"/{bin,home,tmp}
ln -s "$cli" "$place/bin/rankscope-cli"
for key in host user stranger; do ssh-keygen -q -t ed25519 -N '' -f "$place/$key"; done
cp "$place/user.pub" "$place/authorized_keys"
chmod 600 "$place/authorized_keys"
# As root sshd parts with its rights in this folder, which its package has systemd make.
[[ $(id -u) != 0 ]] || mkdir -p /run/sshd

# start_sshd PORT NAME PATH: a server whose users find programs on PATH
start_sshd() {
    cat >"$place/$2.conf" <<END
Port $1
ListenAddress 127.0.0.1
HostKey $place/host
PidFile $place/$2.pid
AuthorizedKeysFile $place/authorized_keys
StrictModes no
UsePAM no
PasswordAuthentication yes
KbdInteractiveAuthentication no
PermitRootLogin yes
SetEnv HOME=$place/home TMPDIR=$place/tmp XDG_CACHE_HOME=$place/home/.cache PATH=$3
END
    "$(command -v sshd)" -f "$place/$2.conf" -E "$place/$2.log"
    wait_until 20 ssh-keyscan -p "$1" 127.0.0.1 || skip "ssh: sshd does not start: $(tail -n 1 "$place/$2.log")"
    ssh-keyscan -p "$1" 127.0.0.1 2>/dev/null >>"$place/known_hosts"
}

stop() {
    local name
    for name in equipped bare; do
        [[ ! -s $place/$name.pid ]] || kill "$(<"$place/$name.pid")" 2>/dev/null || true
    done
}
trap stop EXIT
equipped=$(free_port) bare=$(free_port)
start_sshd "$equipped" equipped "$place/bin:/usr/bin:/bin"
start_sshd "$bare" bare /usr/bin:/bin

# configure NAME LINE...: an ssh of the user's, for RANKSCOPE_SSH
configure() {
    printf '%s\n' "UserKnownHostsFile $place/known_hosts" 'GlobalKnownHostsFile /dev/null' 'IdentitiesOnly yes' \
        'IdentityAgent none' "IdentityFile $place/user" "${@:2}" >"$place/$1.ssh"
}
configure plain
configure unknown "UserKnownHostsFile $place/no_known_hosts"
sed -i '1d' "$place/unknown.ssh"
configure stranger
sed -i "s,IdentityFile .*,IdentityFile $place/stranger," "$place/stranger.ssh"

export XDG_CACHE_HOME=$WORK/cache
# with NAME COMMAND...: with that configuration of ssh
with() { RANKSCOPE_SSH="ssh -F $place/$1.ssh" "${@:2}"; }
# refuses NAME URL WORDS: whether opening the URL ends with 3, and says these words
refuses() {
    local said status=0
    said=$(with "$1" "$cli" info "$2" 2>&1 >/dev/null) || status=$?
    [[ $status == 3 && $said == *"$3"* ]] || { say "    ended with $status: $said" && return 1; }
}
cached() { find "$XDG_CACHE_HOME" -name '*.digest' -type f; }
only_one_cached() { [[ $(cached | wc -l) == 1 ]]; }

say "ssh: a host with rankscope-cli"
url=ssh://127.0.0.1:$equipped$traces
check "a host whose key is unknown is not trusted" refuses unknown "$url" 'is not known here'
check "a host that would ask for a password is told" refuses stranger "$url" 'asks for a password'
check "a path that is not there is told" refuses plain "$url/nowhere" "has no $traces/nowhere"
check "a host that is not there is told" refuses plain "ssh://127.0.0.1:1/x" 'no ssh server listens on port 1'
check "the report is what a single machine told of the traces" with plain same_report "$url"
check "one file is kept here" only_one_cached
size=$(stat -c %s "$(cached)")
say "  of $(du -sb "$traces" | cut -f 1) bytes of traces $size bytes came here"
before=$(stat -c %i "$(cached)")
check "opened again" with plain same_report "$url"
check "nothing is copied again" test "$(stat -c %i "$(cached)")" = "$before"

say "ssh: logs and dumps next to the traces"
job="$place/a job's \"folder\""
mkdir -p "$job/logs"
find "$traces" -type f | sort | head -n 2 | while IFS= read -r file; do cp "$file" "$job/"; done
# shellcheck disable=SC2016  # nothing in this name may expand
name='$(touch hacked) `x`
.log'
printf 'node0:%s:%s [0] NCCL INFO NCCL version 2.28.9\nnode0:%s:%s [0] NCCL INFO NCCL_DEBUG set by environment to INFO\n' \
    100 100 100 100 >"$job/logs/$name"
pack='{"version": "2.9", "pg_config": {}, "entries": [{"record_id": 1, "process_group": ["0", "default_pg"], "collective_seq_id": 1, "state": "scheduled", "profiling_name": "nccl:all_reduce", "time_created_ns": 17, "is_p2p": false}]}'
printf '%s' "$pack" >"$job/rank_0.json"
question='SELECT (SELECT count(*) FROM rank), (SELECT count(*) FROM nccl_setting), (SELECT count(*) FROM flight_record)'
answers() { "$cli" query "$1" "$question" --format csv | tail -n 1; }
same_answer() { [[ $(answers "$job") == $(answers "ssh://127.0.0.1:$equipped$job") && $(answers "$job") == 2,1,1* ]]; }
check "the folder there opens as it does here" with plain same_answer
check "no name of a file was run" test ! -e hacked

say "ssh: a copy that is cut off in the middle"
rm -rf -- "$XDG_CACHE_HOME"
configure cut "ProxyCommand python3 $repository/tests/cluster/cut_relay.py %p down $((size / 2)) $place/was-cut"
check "the report is the same" with cut same_report "$url"
check "and the connection was cut" test -e "$place/was-cut"

say "ssh: a host without rankscope-cli"
bare_url=ssh://127.0.0.1:$bare$traces
check "without a static program to send it says what to do" refuses plain "$bare_url" './dev package --static'
if [[ -x $static ]]; then
    export RANKSCOPE_STATIC_CLI=$static
    rm -rf -- "$XDG_CACHE_HOME" "$place/home/.cache"
    configure cut-up "ProxyCommand python3 $repository/tests/cluster/cut_relay.py %p up 1000000 $place/was-cut-up"
    check "with one, which is cut off on its way, the report is the same" with cut-up same_report "$bare_url"
    check "and the connection was cut" test -e "$place/was-cut-up"
    gone() { [[ -z $(ls -A "$place/tmp") ]]; }
    check "nothing of the program is left there" wait_until 10 gone
else
    say "left out: sending the static program, since there is none (./dev package --static)"
fi
finish
