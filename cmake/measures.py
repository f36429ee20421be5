#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""measures.py [--list] [ROOT]: what the structure of the source looks like in numbers, to compare before and after a change.

Counts are of the C++ in core, ui and app. A public function is a declaration in a header outside of private and protected
parts; it has a comment if one stands before it, behind it, or before the group of declarations that it belongs to. Left out
are constructors and operators, overrides, which inherit the comment of what they override (Qt's sizeHint and paintEvent
among them), and definitions behind the declaration in the same header, which bears the comment.

--list names each public function without a comment, as file:line, in place of the numbers.
"""
import argparse
import pathlib
import re
import statistics

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
            if not line[0].isspace():  # members of two types in one header may be declared in the same words
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


def main(root):
    files = list(sources(root))
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in files}
    headers = [path for path in files if path.suffix == ".h"]
    folders = {}
    for path in files:
        folders[path.parent] = folders.get(path.parent, 0) + 1
    largest = max(folders, key=folders.get)
    counted = [undocumented(path) for path in headers]
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
    print(f"public functions                     {sum(functions for functions, _ in counted)}")
    print(f"public functions without a comment   {sum(len(bare) for _, bare in counted)}")
    print(f"invented words                       {invented}")


def list_undocumented(root):
    for path in sources(root):
        if path.suffix == ".h":
            for number in undocumented(path)[1]:
                print(f"{path.relative_to(root)}:{number}")


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--list", action="store_true", help="name each public function without a comment")
    arguments.add_argument("root", nargs="?", default=".", type=pathlib.Path)
    chosen = arguments.parse_args()
    (list_undocumented if chosen.list else main)(chosen.root.resolve())
