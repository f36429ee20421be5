#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""tidy.py BUILD_DIR SOURCE...: clang-tidy on the sources, by the compile commands of BUILD_DIR.

A source that passed is not looked at again until itself, a header of ours that it includes, its compile command,
.clang-tidy or clang-tidy itself changes: BUILD_DIR/tidy keeps a stamp for each. Ends with 1 where a source fails.
"""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys


class Tidy:
    def __init__(self, build_dir):
        self.build_dir = build_dir
        self.program = shutil.which("clang-tidy-16") or shutil.which("clang-tidy") or sys.exit("no clang-tidy here")
        self.version = subprocess.run([self.program, "--version"], capture_output=True, check=True).stdout
        commands = json.loads((build_dir / "compile_commands.json").read_text(encoding="utf-8"))
        self.commands = {os.path.relpath(entry["file"]): entry for entry in commands}

    def stamp(self, source):
        return self.build_dir / "tidy" / source.replace("/", "+")

    def digest(self, source, inputs):
        """Of all that decides whether `source` passes; none where one of its inputs is gone."""
        sha = hashlib.sha256(self.version + self.commands[source]["command"].encode())
        rules = [folder / ".clang-tidy" for folder in pathlib.Path(source).parents]
        try:
            for path in [*filter(pathlib.Path.exists, rules), *map(pathlib.Path, inputs)]:
                sha.update(path.read_bytes())
        except OSError:
            return None
        return sha.hexdigest()

    def passed_before(self, source):
        try:
            digest, *inputs = self.stamp(source).read_text(encoding="utf-8").splitlines()
        except (OSError, ValueError):
            return False
        return digest == self.digest(source, inputs)

    def inputs(self, source):
        """The source and the headers that it includes, those of the system aside."""
        entry = self.commands[source]
        words = shlex.split(entry["command"])
        at = words.index("-o")
        del words[at:at + 2]
        rule = subprocess.run([*words, "-MM"], cwd=entry["directory"], capture_output=True, text=True, check=True).stdout
        return shlex.split(rule.replace("\\\n", " "))[1:]

    def check(self, source):
        """What clang-tidy objects to; nothing where the source passes, which is remembered."""
        inputs = self.inputs(source)
        digest = self.digest(source, inputs)  # before the check: what changes while it runs is seen the next time
        run = subprocess.run([self.program, "-p", self.build_dir, "--quiet", source], capture_output=True, text=True)
        if run.returncode == 0:
            self.stamp(source).write_text("\n".join([digest, *inputs]), encoding="utf-8")
            return ""
        return run.stdout or run.stderr


def main(build_dir, *sources):
    tidy = Tidy(pathlib.Path(build_dir))
    (tidy.build_dir / "tidy").mkdir(exist_ok=True)
    todo = [source for source in sources if not tidy.passed_before(source)]
    print(f"lint: clang-tidy on {len(todo)} files, {len(sources) - len(todo)} have passed before", file=sys.stderr)
    jobs = int(os.environ.get("RANKSCOPE_JOBS") or os.cpu_count())
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for done, objections in enumerate(pool.map(tidy.check, todo), start=1):
            failed += objections != ""
            print(objections, end="", flush=True)
            if done % 20 == 0:
                print(f"lint: {done} of {len(todo)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
