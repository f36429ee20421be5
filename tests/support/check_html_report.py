#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks an HTML report: check_html_report.py HTML JSON

Elements are closed in order, ids are unique and links lead to them, nothing is loaded from elsewhere, only our script
runs, and the numbers in its tables are those of the JSON report of the same runs. Prints each violation; exit 1 if
there is one."""
import json
import re
import sys
from html.parser import HTMLParser

VOID = {"meta", "br", "hr", "img", "link", "input"}


class Report(HTMLParser):
    """Collects violations, ids and links, and the tables as (run, name, rows of {key: value})."""

    def __init__(self):
        super().__init__()
        self.wrong, self.open, self.ids, self.links, self.tables = [], [], [], [], []
        self.run, self.keys, self.scripts, self.text_of = None, [], 0, None

    def say(self, what):
        self.wrong.append(f"line {self.getpos()[0]}: {what}")

    def handle_starttag(self, tag, attributes):
        if tag not in VOID:
            self.open.append(tag)
        self.look_at(tag, attributes)

    def handle_startendtag(self, tag, attributes):
        self.look_at(tag, attributes)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.say(f"</{tag}> closes nothing")
        if tag in ("td", "th"):
            self.text_of = None

    def handle_data(self, data):
        if self.open and self.open[-1] in ("style", "script"):
            self.wrong += [f"{what} in a <{self.open[-1]}>" for what in re.findall(r"url\((?!#)|@import|https?:", data)]
        if self.text_of is not None:
            self.text_of[0][self.text_of[1]] = self.text_of[0].get(self.text_of[1], "") + data

    def look_at(self, tag, attributes):
        names = [name for name, _ in attributes]
        if len(set(names)) != len(names):
            self.say(f"<{tag}> has an attribute twice")
        value = dict(attributes)
        for name in names:
            if name in ("src", "srcset", "action", "background") or name.startswith("on") or ":" in name:
                self.say(f"<{tag}> has {name}")
        if "href" in value:
            self.links.append(value["href"])
        if "id" in value:
            self.ids.append(value["id"])
        self.scripts += tag == "script"
        if tag in ("iframe", "object", "embed", "link", "base", "form", "img"):
            self.say(f"<{tag}> has no place here")
        self.look_at_table(tag, value)

    def look_at_table(self, tag, value):
        if tag == "article" and re.fullmatch(r"run\d+-top", value.get("id", "")):
            self.run = int(value["id"][3:-4]) - 1
        elif tag == "table":
            self.tables.append((self.run, value["data-table"], []))
            self.keys = []
        elif tag == "th":
            self.keys.append(value["data-key"])
        elif tag == "tr" and self.keys:
            self.tables[-1][2].append({})
            self.cell = 0
        elif tag == "td":
            row = self.tables[-1][2][-1]
            if self.cell >= len(self.keys):
                self.say("a row is longer than its head")
                return
            key = self.keys[self.cell]
            self.cell += 1
            if "data-v" in value:
                row[key] = float(value["data-v"])
            else:
                self.text_of = (row, key)


def expect_equal(wrong, where, shown, meant):
    """Compares a table with the JSON; a dash is null, yes and no are true and false."""
    if isinstance(meant, bool):
        meant = "yes" if meant else "no"
    elif meant is None:
        meant = "–"
    elif not isinstance(meant, str):
        meant = float(meant)
    if shown != meant:
        wrong.append(f"{where}: shows {shown!r}, but the JSON says {meant!r}")


def expect_rows(wrong, where, rows, meant):
    """Compares row by row; keys that the JSON does not have are checked elsewhere."""
    if len(rows) != len(meant):
        wrong.append(f"{where}: {len(rows)} rows instead of {len(meant)}")
        return
    for number, (row, values) in enumerate(zip(rows, meant)):
        for key, shown in row.items():
            if key in values and not isinstance(values[key], (list, dict)):
                expect_equal(wrong, f"{where}, row {number}, {key}", shown, values[key])


def expected_rows(run):
    """The rows of each table of a run, by its name; of `evidence` a list for each finding."""
    rows = {
        "steps": [dict(row, step=step["index"]) for step in run["steps"] for row in step["ranks"]],
        "run_steps": [dict(step, step=step["index"]) for step in run["steps"]],
        "clocks": [dict(rank["clock"], rank=rank["rank"], host=rank["host"]) for rank in run["ranks"]],
        "health": [dict(rank["health"], rank=rank["rank"]) for rank in run["ranks"]],
        "groups": run["parallelism"]["groups"],
        "cannot_tell": [dict(item, finding_id=item["id"]) for item in run["cannot_tell"]],
    }
    return rows, [finding["evidence"] for finding in run["findings"] if finding["evidence"]]


def compare(wrong, tables, runs):
    for index, run in enumerate(runs):
        rows, evidence = expected_rows(run)
        evidence = iter(evidence)
        seen = set()
        for table_run, name, shown in tables:
            if table_run != index:
                continue
            seen.add(name)
            meant = next(evidence, []) if name == "evidence" else rows.get(name)
            if meant is not None:
                expect_rows(wrong, f"run {index}, {name}", shown, meant)
        if next(evidence, None) is not None:
            wrong.append(f"run {index}: the evidence of a finding is missing")
        if run["steps"] and not {"steps", "clocks", "health"} <= seen:
            wrong.append(f"run {index}: tables are missing; there are {sorted(seen)}")


def main(html_path, json_path):
    with open(html_path, "rb") as file:
        text = file.read().decode("utf-8")  # strict: the file must be UTF-8
    with open(json_path, encoding="utf-8") as file:
        runs = json.load(file)["runs"]
    report = Report()
    report.feed(text)
    report.close()
    wrong = report.wrong
    if report.open:
        wrong.append(f"not closed: {report.open}")
    wrong += [f"id {name} is there twice" for name in set(report.ids) if report.ids.count(name) > 1]
    wrong += [f"link to {link}" for link in report.links if link[:1] != "#" or link[1:] not in report.ids]
    if report.scripts != 1:
        wrong.append(f"{report.scripts} scripts")
    compare(wrong, report.tables, runs)
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
