#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# packaging/static_libraries.sh PREFIX: builds static libraries that Debian ships only as shared ones (simdjson, ISA-L,
# fmt) below PREFIX, from the sources of the installed versions. Does nothing if they exist already.
set -euo pipefail
mkdir -p -- "$1"
prefix=$(readlink -f -- "$1")
jobs=${RANKSCOPE_JOBS:-$(nproc)}

bold='' plain=''
if [[ -t 2 ]]; then bold=$'\033[1m' plain=$'\033[0m'; fi
say() { printf '%s\n' "${bold}static: $*$plain" >&2; }
die() {
    say "$*"
    exit 1
}

# The source package and version of an installed package, as apt-get source takes it.
source_of() { dpkg-query -W -f='${source:Package}=${source:Version}' "$1"; }

wanted="$(source_of libsimdjson-dev) $(source_of libisal-dev) $(source_of libfmt-dev)"
if [[ -f $prefix/made && $(<"$prefix/made") == "$wanted" ]]; then
    exit 0
fi

work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT

# Sources have separate lists, so that those of the system stay unchanged.
get_sources() {
    mkdir -p "$work/sources" "$work/lists/partial"
    (
        # shellcheck source=/dev/null
        . /etc/os-release
        [[ ${ID:-} == debian ]] || die "the sources are taken from Debian; elsewhere put static libraries into $prefix"
        printf 'Types: deb-src\nURIs: http://deb.debian.org/debian\nSuites: %s\nComponents: main\nSigned-By: %s\n' \
            "$VERSION_CODENAME" /usr/share/keyrings/debian-archive-keyring.gpg
    ) >"$work/sources/debian.sources"
    local apt=(apt-get -q -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$work/sources"
        -o Dir::State::lists="$work/lists" -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache=
        -o APT::Sandbox::User=root)
    # shellcheck disable=SC2086 # one word a package
    { "${apt[@]}" update && cd "$work" && "${apt[@]}" source --only-source $wanted; } >"$work/log" 2>&1 || {
        cat "$work/log" >&2
        die "the sources of $wanted could not be fetched"
    }
}

# make_with_cmake PACKAGE OPTION...: builds and installs an unpacked source package
make_with_cmake() {
    local source
    source=$(printf '%s\n' "$work/$1"-*/)
    if ! { cmake -S "$source" -B "$work/build-$1" -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF \
        -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_INSTALL_LIBDIR=lib "${@:2}" &&
        cmake --build "$work/build-$1" --parallel "$jobs" &&
        cmake --install "$work/build-$1"; } >"$work/log" 2>&1; then
        tail -n 40 "$work/log" >&2
        die "$1 could not be built"
    fi
}

# ISA-L: its makefile without autotools builds only static libraries, and only what Rankscope uses.
make_isal() {
    local source version
    source=$(printf '%s\n' "$work"/libisal-*/)
    make -C "$source" -f Makefile.unx -j "$jobs" units='igzip crc mem' lib >"$work/log" 2>&1 || {
        tail -n 40 "$work/log" >&2
        die "ISA-L could not be built"
    }
    version=$(dpkg-query -W -f='${source:Upstream-Version}' libisal-dev)
    cp "$source/bin/isa-l.a" "$prefix/lib/libisal.a"
    printf 'Name: libisal\nDescription: ISA-L, static\nVersion: %s\nLibs: -L%s/lib -lisal\n' \
        "$version" "$prefix" >"$prefix/lib/pkgconfig/libisal.pc"
}

# The headers are those of the installed packages, of the same version and with the same definitions. So compiler calls
# are the same as in the daily build, and the compiler cache has their results.
use_installed_headers() {
    sed -i -e "s,\\\${_IMPORT_PREFIX}/include,/usr/include," \
        -e '/set_target_properties(fmt::fmt PROPERTIES/a\  INTERFACE_COMPILE_DEFINITIONS "FMT_SHARED"' \
        "$prefix"/lib/cmake/*/*argets.cmake
    rm -r "$prefix/include"
}

say "making $wanted from Debian's sources"
get_sources
make_with_cmake simdjson -DSIMDJSON_DEVELOPER_MODE=OFF
make_with_cmake fmtlib -DFMT_TEST=OFF -DFMT_DOC=OFF
make_isal
use_installed_headers
printf '%s\n' "$wanted" >"$prefix/made"
