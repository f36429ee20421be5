#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""plain_words.py [PATH...]: sentences that break the rules of docs/style.md, as file:line: rule: sentence.

Reads what people read: the JSON texts of resources/, tr() texts of ui/ and app/, the pages of docs/, README, CHANGELOG
and CONTRIBUTING, and comments of core/, ui/ and app/ (only the turns). PATHs select files or folders.
cmake/measures.py counts the breaches and enforces the ceilings.
"""
import collections
import json
import pathlib
import re
import sys

MOST_WORDS = 25
MOST_NUMBERS = 3
ROOT = pathlib.Path(__file__).resolve().parent.parent
TEXTS = ("sentences.json", "advice.json", "check.json", "core_words.json", "report.schema.json")
PAGES = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "docs")
LISTS_OF_TURNS = ("docs/style.md",)
KINDS = ("odd turns in texts", "odd turns in comments", "long sentences", "sentences of many numbers")
TURNS = re.compile(
    r"\b(?:(?:is|are|was|were|be|been) told|(?:stands?|stood|standing) (?:on|still|beside|behind|before)|rests? on|dearest"
    r"|comes? late|coming late|who comes? last|of which there|what there is of|none of its own|as far as one can"
    r"|(?:for|of|by|in) whichever|in the open|goes by|lies? (?:open|in|beside)|does not keep up with what|so many"
    r"|runs? dry|not any more|has nothing to do|have nothing to do|holds? the others? up|be known of|where that is so"
    r"|in its stead|one by which|all of which|what of it|for its part|by itself alone|looks? beside|held beside"
    r"|19 of 20)\b",
    re.IGNORECASE,
)
# Placeholders such as {who}: these are filled with words, all others with numbers.
WORDS_FILLED_IN = re.compile(
    r"\{(?:|typical|who|rank|ranks|title|with|label|name|names|line|stages|group|groups|steps|step_list|kind|kinds|what|cause|call|how"
    r"|code|thread|threads|type|types|operator|kernel|module|place|why|record|slow|others|peers|replay|seen\w*|all_\w+)\}"
)
NUMBER = re.compile(r"(?<![\w`.-])[+-]?\d[\d,.]*(?:e[+-]?\d+)?|\{[a-z_0-9]+\}|%\d")
SENTENCE_END = re.compile(r"(?<=[.!?:;])[\"*)]*\s+")
TR = re.compile(r'\b(?:tr|translate)\(\s*((?:"(?:[^"\\]|\\.)*"\s*)+)')
COMMENT = re.compile(r"(?:^|\s)//[/!<]*\s?(.*)$")


def sentences(text):
    return [sentence for sentence in SENTENCE_END.split(text) if sentence]


def word_count(sentence):
    return sum(bool(re.search(r"\w", word)) for word in re.sub(r"`[^`]*`", "", sentence).split())


def number_count(sentence):
    return len(NUMBER.findall(WORDS_FILLED_IN.sub("", re.sub(r"`[^`]*`", "", sentence))))


def json_texts(path):
    """Each text of more than one word, with the line that it starts on."""
    raw = path.read_text(encoding="utf-8")

    def walk(value):
        if isinstance(value, dict):
            for name, inner in value.items():
                if name != "source":
                    yield from walk(inner)
        elif isinstance(value, list):
            for inner in value:
                yield from walk(inner)
        elif isinstance(value, str) and " " in value:
            yield value

    at = 0
    for text in walk(json.loads(raw)):
        found = raw.find(json.dumps(text, ensure_ascii=False), at)
        at = found if found >= 0 else at
        yield raw.count("\n", 0, at) + 1, text


def page_texts(path):
    """The paragraphs and list items of a page, without code; each table cell separately."""
    in_code, start, paragraph = False, 0, []
    for number, line in enumerate([*path.read_text(encoding="utf-8").splitlines(), ""], 1):
        stripped = line.strip()
        if stripped.startswith("```"):
            in_code = not in_code
            stripped = ""
        begins = not stripped or re.match(r"(?:[-*] |\d+\. |#|\|)", stripped)
        if (begins or in_code) and paragraph:
            yield start, " ".join(paragraph)
            paragraph = []
        if in_code or not stripped:
            continue
        if stripped.startswith("|"):
            yield from ((number, cell.strip()) for cell in stripped.strip("|").split("|") if " " in cell.strip())
            continue
        start = number if not paragraph else start
        paragraph.append(re.sub(r"^(?:[-*]|\d+\.|#+) +", "", stripped))


def tr_texts(path):
    code = path.read_text(encoding="utf-8")
    for match in TR.finditer(code):
        text = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', match.group(1)))
        yield code.count("\n", 0, match.start()) + 1, text.replace('\\"', '"')


def comments(path):
    """Blocks of comments, each as one text."""
    start, block = 0, []
    for number, line in enumerate([*path.read_text(encoding="utf-8").splitlines(), ""], 1):
        match = COMMENT.search(line)
        whole_line = line.strip().startswith("//")
        if block and not whole_line:
            yield start, " ".join(block)
            block = []
        if match and "SPDX" not in line:
            start = number if not block else start
            block.append(match.group(1))
    if block:
        yield start, " ".join(block)


def files(root):
    for name in TEXTS:
        yield root / "resources" / name, json_texts
    for name in PAGES:
        for path in [root / name] if name.endswith(".md") else sorted((root / name).rglob("*.md")):
            if str(path.relative_to(root)) not in LISTS_OF_TURNS:
                yield path, page_texts
    for top in ("core", "ui", "app"):
        for path in sorted((root / top).rglob("*")):
            if path.suffix in (".h", ".cpp"):
                yield path, comments
                yield path, tr_texts


def broken(root):
    """(kind, path, line, sentence) of each breach."""
    for path, read in files(root):
        if not path.exists():
            continue
        for line, text in read(path):
            if read is comments:
                for match in TURNS.finditer(text):
                    yield KINDS[1], path, line, text[max(0, match.start() - 40) : match.end() + 40]
                continue
            for sentence in sentences(text):
                if TURNS.search(sentence):
                    yield KINDS[0], path, line, sentence
                if word_count(sentence) > MOST_WORDS:
                    yield KINDS[2], path, line, sentence
                if number_count(sentence) > MOST_NUMBERS:
                    yield KINDS[3], path, line, sentence


def counts(root):
    """The number of breaches of each kind."""
    found = collections.Counter(kind for kind, *_ in broken(root))
    return {kind: found[kind] for kind in KINDS}


def main(chosen):
    shown = 0
    for kind, path, line, sentence in broken(ROOT):
        place = path.relative_to(ROOT)
        if not chosen or any(place.is_relative_to(one) for one in chosen):
            print(f"{place}:{line}: {kind}: {sentence}")
            shown += 1
    return 1 if shown else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
