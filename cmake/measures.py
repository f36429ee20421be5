#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""measures.py [--list] [ROOT]: the structure of the source in numbers, to compare before and after a change.

It counts the C++ in core, ui and app. A public function is a declaration in a header, outside private and protected
parts. It has a comment if there is one before it, after it, or before its group of declarations. Not counted:
constructors, operators, overrides (they inherit the comment of what they override, also Qt's sizeHint and paintEvent),
and definitions after their declaration in the same header.

--list prints each public function without a comment, as file:line, instead of the numbers.
--hold fails if a measure is above its ceiling in cmake/ceilings.json, or so far below that the ceiling can be lowered.
--lower lowers the ceilings. They are never raised.
"""
import argparse
import json
import pathlib
import re
import statistics
import sys

import plain_words

TOPS = ("core", "ui", "app")
CEILINGS = "cmake/ceilings.json"
WALLS = ("longest", "files in the largest folder")  # these may be any amount below
SLACK = 0.02  # a measure this far below its ceiling needs a lower one
SAME_LINES = 5  # this many equal lines in a row are a copy
# Words that a profiler engineer does not know. docs/glossary.md has the field's words for them.
INVENTED = re.compile(
    r"\bmend(?:ed|ing|s|er|Event)?\b|Mender|[Bb]lemish|\b[Oo]wn_?[Tt]imes?(?=\b|_|[A-Z])|last to come|last_to_come|came_last|\bpacing\b|pacing_"
    r"|[Mm]eetings?\b|findWhoWaits|HostMap|host_map|[a-z]Usual|\bordinary\b|[a-z]Ordinary|FactsAndWork|RankWork|FewSlices"
    r'|(?<!")\busual(?=[A-Z_])'  # "usual_ns" is a name in the JSON report's schema
    r"|settleClaims|\bClaims\b|CutTimes|cut_times|in_its_place|InItsPlace|own_stretches|OwnStretch|\bRespect\b|\bBearing\b|RunsDiffer"
    r"|standAs|standIn|HeadDrag|\bShel[fv]|StepSlot|compare_hands"
)
OWN_TIMES_OF_FILES = re.compile(r"[Ff]ile(?:s'|'s) own times?")
DECLARATION = re.compile(
    r"^\s*(?:\[\[nodiscard\]\]\s*)?(?:(?:virtual|static|explicit|constexpr|inline|friend|template\s*<[^>]*>)\s+)*"
    r"(?!return|using|if|for|while|switch|else|struct|class|enum|namespace|throw|delete|case)[A-Za-z_][\w:<>,&*\s\[\]]*?\b\w+\(.*"
)
SKIPPED = re.compile(r"operator|~\w+\(|= default|= delete|Q_OBJECT|override|^\s*(?:explicit\s+)?[A-Z]\w*\(|^\s*RANKSCOPE_")
MEMBER_DEFINITION = re.compile(r"^\S[^(]*\w::\w+\(")


def sources(root):
    for top in TOPS:
        yield from (path for path in sorted((root / top).rglob("*")) if path.suffix in (".h", ".cpp"))


def undocumented(path):
    """The number of public functions of a header, and the numbers of the lines of those without a comment."""
    functions, bare = 0, []
    access, depth, told, declared = [True], 0, False, set()
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        stripped = line.strip()
        if stripped in ("public:", "Q_SIGNALS:", "signals:", "public Q_SLOTS:"):
            access[-1] = True
        elif stripped in ("private:", "protected:", "private Q_SLOTS:"):
            access[-1] = False
        elif not stripped:
            told = False
        elif stripped.startswith("//"):
            told = True
        elif all(access) and len(access) - 1 == depth and DECLARATION.match(line) and not SKIPPED.search(line):
            signature = re.split(r"[;{]", line)[0].rstrip()
            if not (MEMBER_DEFINITION.match(line) or signature in declared):
                functions += 1
                if not (told or "///" in line):
                    bare.append(number)
            if not line[0].isspace():  # two types in one header may declare members with the same text
                declared.add(signature)
        opened, closed = line.count("{"), line.count("}")
        if opened > closed:
            is_type = re.match(r"^\s*(?:template.*)?(struct|class|union|namespace|enum)\b", line)
            depth_added = opened - closed
            for _ in range(depth_added):
                access.append(not (is_type and is_type.group(1) == "class") if is_type else False)
            depth += depth_added
        elif closed > opened:
            for _ in range(min(closed - opened, len(access) - 1)):
                access.pop()
            depth = len(access) - 1
    return functions, bare


def significant(path):
    """(number, text) of each line with content: not blank, a comment, an include, using, or a lone bracket."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        text = " ".join(line.split())
        if len(text) > 3 and not text.startswith(("//", "#", "using ", "namespace ", "}  // namespace")):
            yield number, text


def duplicated(paths):
    """The lines in a run of SAME_LINES lines that also occurs at another place."""
    seen, twice = {}, set()
    for path in paths:
        lines = list(significant(path))
        for first in range(len(lines) - SAME_LINES + 1):
            window = lines[first : first + SAME_LINES]
            key = "\n".join(text for _, text in window)
            places = [(path, number) for number, _ in window]
            if key in seen:
                twice.update(places)
                twice.update(seen[key])
            else:
                seen[key] = places
    return len(twice)


def measure(root):
    """The measures by name, and the largest folder."""
    files = list(sources(root))
    tests = [path for path in sorted((root / "tests").rglob("*")) if path.suffix in (".h", ".cpp")]
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in files + tests}
    headers = [path for path in files if path.suffix == ".h"]
    folders = {}
    for path in files:
        folders[path.parent] = folders.get(path.parent, 0) + 1
    largest = max(folders, key=folders.get)
    counted = [undocumented(path) for path in headers]
    invented = sum(
        len(INVENTED.findall(OWN_TIMES_OF_FILES.sub("", path.read_text(encoding="utf-8")))) for path in files
    )
    return {
        "files": len(files),
        "lines": sum(lengths[path] for path in files),
        "lines of tests": sum(lengths[path] for path in tests),
        "median length": round(statistics.median(lengths[path] for path in files)),
        "longest": max(lengths.values()),
        "headers": len(headers),
        "headers under 25 lines": sum(lengths[path] < 25 for path in headers),
        "folders": len(folders),
        "files in the largest folder": folders[largest],
        "public functions": sum(functions for functions, _ in counted),
        "public functions without a comment": sum(len(bare) for _, bare in counted),
        "invented words": invented,
        "duplicated lines": duplicated(files),
        "duplicated lines of tests": duplicated(tests),
        **plain_words.counts(root),
    }, largest.relative_to(root)


def main(root):
    measured, largest = measure(root)
    for name, value in measured.items():
        print(f"{name:<37}{value}{f' ({largest})' if name == 'files in the largest folder' else ''}")


def hold(root):
    """Compares the measures with their ceilings. Returns the violations as lines."""
    measured, _ = measure(root)
    wrong = []
    for name, ceiling in json.loads((root / CEILINGS).read_text(encoding="utf-8")).items():
        value = measured[name]
        if value > ceiling:
            wrong.append(f"{name}: {value}, and the ceiling is {ceiling}")
        elif name not in WALLS and value < ceiling * (1 - SLACK):
            wrong.append(f"{name}: {value}, lower its ceiling of {ceiling}: cmake/measures.py --lower")
    return wrong


def lower(root):
    """Lowers each ceiling to its measure. Never raises one."""
    measured, _ = measure(root)
    path = root / CEILINGS
    ceilings = json.loads(path.read_text(encoding="utf-8"))
    lowered = {name: old if name in WALLS else min(old, measured[name]) for name, old in ceilings.items()}
    path.write_text(json.dumps(lowered, indent=4) + "\n", encoding="utf-8")


def list_undocumented(root):
    for path in sources(root):
        if path.suffix == ".h":
            for number in undocumented(path)[1]:
                print(f"{path.relative_to(root)}:{number}")


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    what = arguments.add_mutually_exclusive_group()
    what.add_argument("--list", action="store_true", help="name each public function without a comment")
    what.add_argument("--hold", action="store_true", help="fail where a measure is above its ceiling")
    what.add_argument("--lower", action="store_true", help="lower the ceilings to what is measured")
    arguments.add_argument("root", nargs="?", default=".", type=pathlib.Path)
    chosen = arguments.parse_args()
    place = chosen.root.resolve()
    if chosen.hold:
        sys.exit("\n".join(hold(place)) or None)
    (list_undocumented if chosen.list else lower if chosen.lower else main)(place)
