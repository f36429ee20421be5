#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""measures.py [ROOT]: what the structure of the source looks like in numbers, for comparing before and after a change.

Counts are of the C++ in core, ui and app. A public function is a declaration in a header outside of private and protected
parts; it has a comment if one stands before it, behind it, or before the group of declarations that it belongs to.
"""
import pathlib
import re
import statistics
import sys

TOPS = ("core", "ui", "app")
SMALL_HEADER = 25
# Words that a profiler engineer does not know, and whose places docs/glossary.md gives to the field's.
INVENTED = re.compile(
    r"\bmend(?:ed|ing|s|er|Event)?\b|Mender|[Bb]lemish|\b[Oo]wn_?[Tt]imes?(?=\b|_|[A-Z])|last to come|last_to_come|came_last|\bpacing\b|pacing_"
    r"|[Mm]eetings?\b|findWhoWaits|HostMap|host_map|\busual(?=[A-Z_])|[a-z]Usual|\bordinary\b|[a-z]Ordinary|FactsAndWork|RankWork|FewSlices"
    r"|settleClaims|\bClaims\b|CutTimes|cut_times|in_its_place|InItsPlace|own_stretches|OwnStretch|\bRespect\b|\bBearing\b|RunsDiffer"
    r"|standAs|standIn|HeadDrag|\bShel[fv]|StepSlot|compare_hands"
)
OWN_TIMES_OF_FILES = re.compile(r"[Ff]ile(?:s'|'s) own times?")
DECLARATION = re.compile(
    r"^\s*(?:\[\[nodiscard\]\]\s*)?(?:(?:virtual|static|explicit|constexpr|inline|friend|template\s*<[^>]*>)\s+)*"
    r"(?!return|using|if|for|while|switch|else|struct|class|enum|namespace|throw|delete|case)[A-Za-z_][\w:<>,&*\s\[\]]*?\b\w+\(.*"
)
SKIPPED = re.compile(r"operator|~\w+\(|= default|= delete|Q_OBJECT|override|^\s*(?:explicit\s+)?[A-Z]\w*\(|^\s*RANKSCOPE_")


def sources(root):
    for top in TOPS:
        yield from (path for path in sorted((root / top).rglob("*")) if path.suffix in (".h", ".cpp"))


def undocumented(path):
    """Public functions of a header, and those of them without a comment."""
    functions, bare = 0, 0
    access, depth, told = [True], 0, False
    for line in path.read_text(encoding="utf-8").splitlines():
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
            functions += 1
            bare += not (told or "///" in line)
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


def main(root):
    files = list(sources(root))
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in files}
    headers = [path for path in files if path.suffix == ".h"]
    folders = {}
    for path in files:
        folders[path.parent] = folders.get(path.parent, 0) + 1
    largest = max(folders, key=folders.get)
    functions, bare = map(sum, zip(*map(undocumented, headers)))
    invented = sum(
        len(INVENTED.findall(OWN_TIMES_OF_FILES.sub("", path.read_text(encoding="utf-8")))) for path in files
    )
    print(f"files                                {len(files)}")
    print(f"lines                                {sum(lengths.values())}")
    print(f"median length                        {statistics.median(lengths.values()):.0f}")
    print(f"longest                              {max(lengths.values())}")
    print(f"headers                              {len(headers)}")
    print(f"headers under {SMALL_HEADER} lines               {sum(lengths[path] < SMALL_HEADER for path in headers)}")
    print(f"folders                              {len(folders)}")
    print(f"files in the largest folder          {folders[largest]} ({largest.relative_to(root)})")
    print(f"public functions                     {functions}")
    print(f"public functions without a comment   {bare}")
    print(f"invented words                       {invented}")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve())
