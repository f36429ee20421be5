#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# packaging/release.sh [--check] VERSION: makes a release of the committed state. CMake's project, the changelog, the
# AppStream metainfo and the --version of both programs must agree on VERSION. It runs all tests, builds the packages,
# and creates the tag vVERSION with the changelog's section. It uploads nothing, but prints what to upload. --check only
# checks that they agree.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

bold='' plain=''
if [[ -t 2 ]]; then bold=$'\033[1m' plain=$'\033[0m'; fi
say() { printf '%s\n' "${bold}release: $*$plain" >&2; }
die() {
    say "$*"
    exit 1
}

check_only=
if [[ ${1:-} == --check ]]; then
    check_only=1
    shift
fi
version=${1:-}
if (($# != 1)) || [[ ! $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]]; then
    say "usage: packaging/release.sh [--check] VERSION, like 1.0.0"
    exit 2
fi

metainfo=packaging/org.rankscope.Rankscope.metainfo.xml
agree=1
# hold WHAT FOUND WANTED: prints one line; whether they are equal
hold() {
    if [[ $2 == "$3" ]]; then
        printf '%-52s %s\n' "$1" "$2"
    else
        printf '%-52s %s, not %s\n' "$1" "${2:-nothing}" "$3"
        agree=0
    fi
}

# The first match of a sed expression in a file.
first() { sed -nE "s/$1/\\1/p" "$2" | sed -n 1p; }

# The version's section of the changelog, without its heading.
changelog_section() {
    awk -v heading="## $version - " 'index($0, heading) == 1 { inside = 1; next } /^## / { inside = 0 } inside' CHANGELOG.md |
        sed '/./,$!d'
}

check_files() {
    hold "CMakeLists.txt" "$(first '^project\(rankscope VERSION ([0-9.]+) .*' CMakeLists.txt)" "$version"
    hold "CHANGELOG.md, first section" "$(first '^## ([0-9.]+) - .*' CHANGELOG.md)" "$version"
    hold "$metainfo" "$(first '.*<release version="([0-9.]+)".*' "$metainfo")" "$version"
    hold "date of the release in the metainfo" "$(first '.*<release .*date="([0-9-]+)".*' "$metainfo")" \
        "$(first '^## [0-9.]+ - ([0-9]{4}-[0-9]{2}-[0-9]{2})$' CHANGELOG.md)"
    hold "docs/definitions/README.md, definitions" "$(first '^Version ([0-9]+)\..*' docs/definitions/README.md)" "$definitions"
    [[ -n $(changelog_section) ]] || die "CHANGELOG.md says nothing of $version"
}

check_programs() {
    local program
    for program in rankscope rankscope-cli; do
        if [[ -x build/dev/$program ]]; then
            hold "$program --version" "$(QT_QPA_PLATFORM=offscreen "build/dev/$program" --version)" \
                "$program $version (report schema $schema, definitions $definitions)"
        else
            say "build/dev/$program is not built, so its --version is not checked"
        fi
    done
}

must_agree() { ((agree)) || die "these do not agree"; }

schema=$(first '.*kReportSchema = ([0-9]+);.*' core/report/version.h)
definitions=$(first '.*kDefinitions = ([0-9]+);.*' core/report/version.h)
check_files
if [[ -n $check_only ]]; then
    check_programs
    must_agree
    say "all agree on $version"
    exit
fi
must_agree

[[ -z $(git status --porcelain) ]] || die "there are changes that are not committed"
! git rev-parse --quiet --verify "refs/tags/v$version" >/dev/null || die "there is a tag v$version already"

./dev test
check_programs
must_agree
./dev package
[[ -z $(git status --porcelain) ]] || die "the tests or the packages have changed files of the checkout"

{
    printf 'Rankscope %s\n\n' "$version"
    changelog_section
} | git tag --annotate --cleanup=verbatim "v$version" --file=-
say "made the tag v$version. Publish it, and upload the packages:"
printf '  git push origin v%s\n' "$version"
printf '  %s\n' build/release/*_"$version"_*.deb
say "./dev package --static makes rankscope-cli in one file, to upload with them"
