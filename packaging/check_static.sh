#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# packaging/check_static.sh STATIC [DYNAMIC]: checks that the program STATIC needs no other files: no dynamic loader,
# and no look-up of hosts and users, for which the C library loads files at run time. In a root folder with only STATIC and
# the bundled samples, it must print the same as DYNAMIC, the daily build, prints here, byte for byte.
set -euo pipefail
program=$(readlink -f -- "$1")
dynamic=${2:+$(readlink -f -- "$2")}
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

bold='' plain=''
if [[ -t 2 ]]; then bold=$'\033[1m' plain=$'\033[0m'; fi
say() { printf '%s\n' "${bold}static: $*$plain" >&2; }
die() {
    say "$*"
    exit 1
}

! readelf --wide --program-headers "$program" | grep -E 'INTERP|DYNAMIC' || die "$program wants a dynamic loader"
# For these, a static glibc loads shared libraries of exactly its own version. (Its character set conversion and loader
# are in every C++ program; the test in the empty root below shows that nothing calls them.)
loading='getaddrinfo|gethostbyname|getpwnam|getpwuid|getgrnam|getgrgid'
if symbols=$(nm --defined-only "$program" 2>/dev/null) && grep -E "[TW] ($loading)(_r)?\$" <<<"$symbols"; then
    die "these load files of the C library while they run"
fi

root=$(mktemp -d)
trap 'rm -rf -- "$root"' EXIT
cp "$program" "$root/rankscope-cli"
cp -r resources/samples "$root/samples"
# Samples have the same paths inside and outside, because reports name their files.
in_empty_root() {
    if [[ $(id -u) == 0 ]]; then
        env -i "$(PATH=$PATH:/usr/sbin command -v chroot)" "$root" /rankscope-cli "$@"
    elif unshare --map-root-user true 2>/dev/null; then
        env -i "$(command -v unshare)" --map-root-user "$(PATH=$PATH:/usr/sbin command -v chroot)" "$root" /rankscope-cli "$@"
    else
        say "neither root nor user namespaces here, so that it runs in the root folder that is there"
        (cd "$root" && env -i ./rankscope-cli "$@")
    fi
}

in_empty_root --version
for run in ZeroWorkers FourWorkers; do
    in_empty_root analyze "samples/$run" --json-detail --json - >"$root/static.json" || die "it cannot read samples/$run in an empty root"
    grep -q '"findings"' "$root/static.json" || die "no report of samples/$run came out"
    if [[ -n $dynamic ]]; then
        (cd "$root" && env -u RANKSCOPE_NAME_RULES HOME=/nowhere "$dynamic" analyze "samples/$run" --json-detail --json -) >"$root/dynamic.json"
        cmp "$root/static.json" "$root/dynamic.json" || die "its report of samples/$run is another than that of $dynamic"
    fi
done

# start_ms PROGRAM: the mean time of a hundred starts, in milliseconds
start_ms() {
    local from to i
    from=$(date +%s%N)
    for ((i = 0; i < 100; ++i)); do "$1" --version >/dev/null; done
    to=$(date +%s%N)
    printf '%d.%02d' $(((to - from) / 100000000)) $(((to - from) / 1000000 % 100))
}
say "good: $program, $(stat -c %s "$program") bytes, starts in $(start_ms "$program") ms${dynamic:+ ($(start_ms "$dynamic") ms the daily build)}"
