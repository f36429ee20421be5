#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The checks of `./dev lint [--all|--landing|PATH...]`. Wants build/lint configured. Runs all checks, then fails if one did.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

failed=0
bold='' plain=''
if [[ -t 2 ]]; then bold=$'\033[1m' plain=$'\033[0m'; fi
say() { printf '%s\n' "${bold}lint: $*$plain" >&2; }
complain() {
    say "$*"
    failed=1
}

all_files() {
    if git rev-parse --git-dir >/dev/null 2>&1; then
        git ls-files --cached --others --exclude-standard
    else
        find . -path ./build -prune -o -type f -print | sed 's,^\./,,'
    fi
}

# What differs from where this branch left the main one; on the main branch, what is not committed.
changed_files() {
    local base
    base=$(git merge-base HEAD origin/main 2>/dev/null || git merge-base HEAD main 2>/dev/null || echo HEAD)
    git diff --name-only --diff-filter=d "$base"
    git ls-files --others --exclude-standard
}

case ${1:-} in
    --all) mapfile -t files < <(all_files) ;;
    --landing)
        # What came since the last landing, as continuous integration sees it: the commits of the last hours before the
        # newest. clang-tidy looks at as many of these files as it can in some minutes, and says how many it left out.
        newest=$(git log -1 --format=%ct)
        base=$(git rev-list -1 --before=$((newest - 6 * 3600)) HEAD)
        mapfile -t files < <(git diff --name-only --diff-filter=d "${base:-$(git hash-object -t tree /dev/null)}" HEAD)
        export RANKSCOPE_TIDY_MINUTES=${RANKSCOPE_TIDY_MINUTES:-5}
        ;;
    '')
        if git rev-parse --git-dir >/dev/null 2>&1; then
            mapfile -t files < <(changed_files)
        else
            mapfile -t files < <(all_files)
        fi
        ;;
    *) mapfile -t files < <(for path in "$@"; do find "$path" -type f; done | sed 's,^\./,,') ;;
esac

pick() {
    local file
    for file in "${files[@]}"; do
        [[ ! -f $file || ! $file =~ $1 ]] || printf '%s\n' "$file"
    done
}

mapfile -t cpp < <(pick '^(core|ui|app|python|tests)/.*\.(h|cpp)$')
mapfile -t units < <(pick '^(core|ui|app|tests)/.*\.cpp$')
mapfile -t json < <(pick '\.json$')
mapfile -t scripts < <(pick '(^dev|^\.ci/run|\.sh)$')
mapfile -t python < <(pick '\.pyi?$')

say "${#cpp[@]} C++ files, ${#json[@]} JSON files, ${#scripts[@]} shell scripts, ${#python[@]} Python files"

if ((${#cpp[@]})); then
    clang-format --dry-run -Werror "${cpp[@]}" || complain "clang-format -i puts this right"
fi
for file in "${json[@]}"; do
    python3 -c 'import json, sys; json.load(open(sys.argv[1], encoding="utf-8"))' "$file" || complain "$file is no JSON"
done
for file in "${scripts[@]}"; do
    bash -n "$file" || complain "$file is no shell script"
done
if ((${#scripts[@]})) && command -v shellcheck >/dev/null; then
    # A script is read with what it sources, whether that changed or not.
    shellcheck --external-sources "${scripts[@]}" || complain "shellcheck objects"
fi
for file in "${python[@]}"; do
    python3 -c 'import ast, sys; ast.parse(open(sys.argv[1], encoding="utf-8").read())' "$file" || complain "$file is no Python"
done

if ((${#units[@]})); then
    cmake/tidy.py build/lint "${units[@]}" || complain "clang-tidy objects"
fi

((failed == 0)) || exit 1
say "clean"
