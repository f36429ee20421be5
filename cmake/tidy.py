#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""tidy.py BUILD_DIR SOURCE...: clang-tidy on the sources, by the compile commands of BUILD_DIR.

With RANKSCOPE_TIDY_MINUTES no unit starts after this many minutes, and the skipped files are counted.

Most of clang-tidy's time goes into the headers of libraries. So sources with the same compile command are checked
together, as one unit that includes them. A source that does not compile with others is checked alone.

A source that passed is checked again only after a change of itself, of a header of ours that it includes, of its
compile command, of .clang-tidy, or of clang-tidy. BUILD_DIR/tidy has a stamp per source. Exit 1 if a source fails.
"""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import time

UNIT_SIZE = 40
INCLUDED = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
UNNAMED_NAMESPACE = re.compile(r"^namespace \{\n(.*?)^\}  // namespace$", re.MULTILINE | re.DOTALL)
# What may be declared at the outer level of an unnamed namespace: lines that start in the first column.
DECLARED = re.compile(
    r"^(?:(?:struct|class|enum class|enum) (\w+)|(?![\s/}]|[A-Z_]+\(|using [^=\n]*;)[^\n(={;]*?(\w+) ?[({=;])", re.MULTILINE
)


def compile_flags(entry):
    """The words of a compile command without the compiler, the source and its object."""
    words = shlex.split(entry["command"])
    at = words.index("-o")
    del words[at:at + 2]
    return tuple(word for word in words[1:] if word not in ("-c", entry["file"]))


def names_of_its_own(source):
    """Names that `source` declares in unnamed namespaces; no other source of its unit may declare them."""
    text = pathlib.Path(source).read_text(encoding="utf-8")
    names = {kind or name for body in UNNAMED_NAMESPACE.findall(text) for kind, name in DECLARED.findall(body)}
    return names | {"main"} if "\nint main(" in text else names


class Unit:
    """Sources that are checked together."""

    def __init__(self, flags):
        self.flags = flags
        self.sources = []
        self.names = set()

    def takes(self, flags, names):
        return flags == self.flags and len(self.sources) < UNIT_SIZE and not names & self.names

    def add(self, source, names):
        self.sources.append(source)
        self.names |= names


class Tidy:
    def __init__(self, build_dir):
        self.build_dir = build_dir
        self.program = shutil.which("clang-tidy-16") or shutil.which("clang-tidy") or sys.exit("no clang-tidy here")
        self.version = subprocess.run([self.program, "--version"], capture_output=True, check=True).stdout
        commands = json.loads((build_dir / "compile_commands.json").read_text(encoding="utf-8"))
        self.flags = {os.path.relpath(entry["file"]): compile_flags(entry) for entry in commands}

    def stamp(self, source):
        return self.build_dir / "tidy" / source.replace("/", "+")

    def inputs(self, source):
        """The source and the headers of ours that it includes, all as paths from the project's root."""
        found, todo = set(), [source]
        while todo:
            path = todo.pop()
            if path not in found and os.path.isfile(path):
                found.add(path)
                todo += INCLUDED.findall(pathlib.Path(path).read_text(encoding="utf-8"))
        return sorted(found)

    def digest(self, source):
        """A hash of everything that decides whether `source` passes."""
        sha = hashlib.sha256(self.version + " ".join(self.flags[source]).encode())
        rules = [folder / ".clang-tidy" for folder in pathlib.Path(source).parents]
        for path in [*filter(pathlib.Path.exists, rules), *map(pathlib.Path, self.inputs(source))]:
            sha.update(path.read_bytes())
        return sha.hexdigest()

    def passed_before(self, source):
        stamp = self.stamp(source)
        return stamp.exists() and stamp.read_text(encoding="utf-8") == self.digest(source)

    def units(self, sources):
        units = []
        for source in sources:
            names = names_of_its_own(source)
            unit = next((unit for unit in units if unit.takes(self.flags[source], names)), None)
            if unit is None:
                unit = Unit(self.flags[source])
                units.append(unit)
            unit.add(source, names)
        return units

    def unit_file(self, number, sources):
        """Writes a source that includes the others, next to a copy of the rules of their top folder."""
        top = pathlib.Path(sources[0]).parts[0]
        folder = self.build_dir / "tidy" / "units" / top
        folder.mkdir(parents=True, exist_ok=True)
        rules = pathlib.Path(top) / ".clang-tidy"
        if rules.exists():
            shutil.copy(rules, folder)
        lines = ["// NOLINTBEGIN(bugprone-suspicious-include)", *(f'#include "{source}"' for source in sources)]
        path = folder / f"unit_{number}.cpp"
        path.write_text("\n".join(lines) + "\n// NOLINTEND(bugprone-suspicious-include)\n", encoding="utf-8")
        return str(path)

    def settle(self, unit, number):
        """Removes and returns the sources of a unit that do not compile with the others."""
        alone = []
        while len(unit.sources) > 1:
            command = ["c++", *unit.flags, "-fsyntax-only", self.unit_file(number, unit.sources)]
            errors = subprocess.run(command, capture_output=True, text=True).stderr
            clashing = [source for source in unit.sources if re.search(re.escape(source) + r":\d+:\d+: error", errors)]
            if "error" not in errors:
                break
            alone += clashing or unit.sources
            unit.sources = [source for source in unit.sources if source not in alone]
        return alone

    def run(self, path, flags):
        """The objections of clang-tidy to the source at `path`."""
        # Sources of a unit shadow each other's names; the compiler warns if a source shadows its own.
        command = [self.program, "--quiet", path, "--", *flags, "-Wno-shadow"]
        run = subprocess.run(command, capture_output=True, text=True)
        return (run.stdout or run.stderr) if run.returncode else ""

    def check(self, numbered_unit):
        """The objections of clang-tidy to a unit. Stamps the sources without objections as passed."""
        number, unit = numbered_unit
        sources = tuple(unit.sources)
        digests = {source: self.digest(source) for source in sources}  # before: later changes count next time
        paths = self.settle(unit, number)
        if unit.sources:
            paths.append(unit.sources[0] if len(unit.sources) == 1 else self.unit_file(number, unit.sources))
        objections = "".join(self.run(path, unit.flags) for path in paths)
        for source in sources:
            if not any(path in objections for path in self.inputs(source)):
                self.stamp(source).write_text(digests[source], encoding="utf-8")
        return objections, len(sources)


def main(build_dir, *sources):
    tidy = Tidy(pathlib.Path(build_dir))
    (tidy.build_dir / "tidy").mkdir(exist_ok=True)
    other = [source for source in sources if source not in tidy.flags]  # of other presets, such as the fuzzers' entry
    if other:
        print(f"lint: no compile command for {', '.join(other)}", file=sys.stderr)
    sources = [source for source in sources if source in tidy.flags]
    todo = [source for source in sources if not tidy.passed_before(source)]
    print(f"lint: clang-tidy on {len(todo)} files, {len(sources) - len(todo)} have passed before", file=sys.stderr)
    jobs = int(os.environ.get("RANKSCOPE_JOBS") or os.cpu_count())
    minutes = float(os.environ.get("RANKSCOPE_TIDY_MINUTES") or "inf")
    last_start = time.monotonic() + 60 * minutes

    def check_in_time(numbered_unit):
        in_time = time.monotonic() < last_start
        return tidy.check(numbered_unit) if in_time else ("", 0)

    done, failed = 0, False
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for objections, count in pool.map(check_in_time, enumerate(tidy.units(todo))):
            done += count
            failed = failed or objections != ""
            print(objections, end="", flush=True)
            if count:
                print(f"lint: {done} of {len(todo)}", file=sys.stderr)
    if done < len(todo):
        print(f"lint: no time for {len(todo) - done} files after {minutes:g} minutes", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
