#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# packaging/check.sh BUILD_DIR: checks the packages that CPack wrote there, and the desktop files.
set -euo pipefail
build_dir=$(readlink -f -- "$1")
cd -- "$(dirname -- "${BASH_SOURCE[0]}")"

bold='' plain=''
if [[ -t 2 ]]; then bold=$'\033[1m' plain=$'\033[0m'; fi
say() { printf '%s\n' "${bold}package: $*$plain" >&2; }
have() { command -v "$1" >/dev/null || { say "$1 is not installed, so that check is left out" && return 1; }; }

if have desktop-file-validate; then desktop-file-validate rankscope.desktop; fi
if have appstreamcli; then appstreamcli validate --no-net org.rankscope.Rankscope.metainfo.xml; fi

unpacked=$(mktemp -d)
trap 'rm -rf -- "$unpacked"' EXIT
for package in "$build_dir"/*.deb; do
    dpkg-deb --field "$package" Package Version Depends
    dpkg-deb --extract "$package" "$unpacked"
done
if have update-mime-database; then update-mime-database "$unpacked/usr/share/mime"; fi
# The packaged programs start.
"$unpacked/usr/bin/rankscope-cli" --version
"$unpacked/usr/bin/rankscope-cli" info "$unpacked"/usr/share/rankscope/samples/*/ >/dev/null
QT_QPA_PLATFORM=offscreen "$unpacked/usr/bin/rankscope" --version
say "good: $(printf '%s ' "$build_dir"/*.deb)"
