# SPDX-License-Identifier: GPL-3.0-or-later
"""Python returns what the JSON report and the command line say."""
import csv
import io
import json
import math
import unittest
import warnings

import rankscope as rk
from places import REAL_RUNS, SAMPLE_RUNS, SAMPLES, TRACES, WithFolder, cli, need

FORMULA_STARTS = "=+-@\t\r"  # a CSV file has an apostrophe before such a text


def open_quietly(path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rk.RankscopeWarning)
        return rk.open_all(path)


def is_same(cell, text):
    """Whether a cell is what a CSV file says."""
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return text == ""
    if isinstance(cell, str):
        return text == cell or (text == "'" + cell and cell[0] in FORMULA_STARTS)
    if text in ("false", "true"):
        return cell == (text == "true")
    return text == str(cell) if isinstance(cell, int) else float(text) == cell


def table_of(text):
    """The head and the lines of a CSV text."""
    head, *lines = csv.reader(io.StringIO(text, newline=""))
    return head, lines


class Answers(WithFolder):
    def test_forecasts_are_those_of_the_command_line(self):
        path = SAMPLES / "ZeroWorkers"
        run = rk.open(path)
        forecast = run.what_if("loader:workers=4", "link:x2")
        printed = json.loads(cli("what-if", path, "--set", "loader:workers=4", "--set", "link:x2", "--json", "-"))
        for name in ("step_ns", "forecast_ns", "low_ns", "high_ns", "at_most", "next_bound", "changes", "parts"):
            self.assertEqual(getattr(forecast, name), printed[name], name)
        self.assertEqual(sum(forecast.parts.values()), forecast.forecast_ns)
        alone = run.what_if()
        self.assertEqual(alone["changes"][0], "loader:ready")

    def check_report(self, path):
        """The whole JSON report, all CSV tables, and the screen."""
        runs = open_quietly(path)
        printed = json.loads(cli("analyze", path, "--json", "-", "--json-detail", "--csv", self.folder / "csv"))
        self.assertEqual([run.name for run in runs], [one["name"] for one in printed["runs"]])
        for run, expected in zip(runs, printed["runs"]):
            self.assertEqual(run.verdict.fields, expected["verdict"])
            self.assertEqual(run.verdict.bound, expected["verdict"]["bound"])
            self.assertEqual([one.id for one in run.findings], [one["id"] for one in expected["findings"]])
            self.assertEqual(
                [one.price.saving_ns for one in run.findings], [one["saving_ns"] for one in expected["findings"]]
            )
            self.assertEqual([one.fields for one in run.findings], expected["findings"])
            report = run.report()
            for key, value in expected.items():
                if key != "protocol":  # compares several runs
                    self.assertEqual(report[key], value, key)
        if len(runs) == 1:
            self.assertEqual(runs[0].screen().strip(), cli("analyze", path).strip())
        self.check_csv(runs)

    def check_csv(self, runs):
        names = {file.stem: file for file in (self.folder / "csv").glob("*.csv")}
        self.assertEqual(set(names) - set(rk.tables()), {"unreadable"})  # not of a run
        files = [file for name, file in sorted(names.items()) if name in rk.tables()]
        self.assertGreater(len(files), 20)
        cells = 0
        for file in files:
            head, lines = table_of(file.read_bytes().decode())
            rows = [list(row.values()) for run in runs for row in run.table(file.stem)]
            self.assertEqual([column.name for column in runs[0].table(file.stem).columns], head, file.stem)
            self.assertEqual(len(rows), len(lines), file.stem)
            for row, line in zip(rows, lines):
                for cell, text in zip(row, line):
                    self.assertTrue(is_same(cell, text), f"{file.stem}: {cell!r} is not {text!r}")
                    cells += 1
        self.assertGreater(cells, 100)

    def check_queries(self, path):
        """Tables of the model, and an answer, as the command line prints them."""
        runs = open_quietly(path)
        if len(runs) != 1:
            return
        for sql in (
            "SELECT * FROM slice ORDER BY id LIMIT 2000",
            "SELECT * FROM gap_cause",
            "SELECT name, count(*), sum(dur_ns), avg(dur_ns), median(bytes) FROM slice GROUP BY name ORDER BY name",
        ):
            head, lines = table_of(cli("query", path, sql, "--format", "csv"))
            answer = runs[0].sql(sql)
            self.assertEqual([column.name for column in answer.columns], head)
            self.assertEqual(len(answer), len(lines))
            for row, line in zip(answer, lines):
                for cell, text in zip(row.values(), line):
                    self.assertTrue(is_same(cell, text), f"{sql}: {cell!r} is not {text!r}")

    def test_of_the_samples_are_those_of_the_command_line(self):
        for path in SAMPLE_RUNS:
            with self.subTest(path.name):
                self.check_report(path)
                self.check_queries(path)

    def test_of_real_runs_are_those_of_the_command_line(self):
        need(TRACES)
        for path in REAL_RUNS:
            with self.subTest(path.name):
                need(path)
                self.check_report(path)
        self.check_queries(TRACES / "resnet_ddp_4ranks_rocm")

    def test_of_a_comparison_are_those_of_the_command_line(self):
        a, b = SAMPLE_RUNS
        printed = json.loads(cli("compare", a, b, "--json", "-", "--csv", self.folder))["comparisons"][0]
        comparison = rk.compare(a, rk.open(b))
        self.assertEqual(comparison.report(), printed)
        self.assertEqual(comparison.verdict, printed["step"]["text"])
        self.assertEqual(comparison.verdict.word, printed["step"]["verdict"])
        self.assertEqual(comparison.screen().strip(), cli("compare", a, b).strip())
        self.assertFalse(comparison.is_regression(0))
        _, lines = table_of((self.folder / "comparison_parts.csv").read_bytes().decode())
        rows = [list(row.values()) for row in comparison.table("comparison_parts")]
        self.assertEqual(len(rows), len(lines))
        for row, line in zip(rows, lines):
            self.assertTrue(all(map(is_same, row, line)), (row, line))

    def test_a_comparison_of_recordings_is_that_with_against(self):
        a, b = SAMPLE_RUNS
        printed = json.loads(cli("compare", a, a, "--against", b, b, "--json", "-"))["comparisons"][0]
        with rk.open(a) as one, rk.open(b) as other:
            comparison = rk.compare(iter([one, one]), [other, other])
        self.assertEqual(comparison.report()["step"]["text"], printed["step"]["text"])

    def test_a_finding_has_text_price_evidence_remedy_and_doubt(self):
        finding = rk.open(SAMPLES / "ZeroWorkers").findings[0]
        self.assertEqual(finding.id, "dataloader-stall")
        self.assertIn("DataLoader", finding.text)
        self.assertLessEqual(finding.price.low_ns, finding.price.saving_ns)
        self.assertIn("num_workers", str(finding.remedy))
        self.assertTrue(finding.evidence[0].file.endswith("rank2.pt.trace.json.gz"))
        self.assertGreater(finding.evidence[0].byte_offset, 0)
        self.assertTrue(finding.doubt)
        explanation = finding.explain()
        printed = cli("analyze", SAMPLES / "ZeroWorkers", "--finding", "1")
        doubt = "".join(f"     Confidence high: {reason}\n" for reason in finding.doubt)
        self.assertEqual(explanation, printed + doubt)
        for part in (finding.title, finding.text[:30], "saves 69.0 ms", "Do:", "See:", "confidence high"):
            self.assertIn(part, explanation)

    def test_a_step_of_a_rank_has_its_slices(self):
        run = rk.open(SAMPLES / "ZeroWorkers")
        slices = run.rank(3).step(81).slices()
        expected = run.sql("SELECT id FROM slice WHERE rank = 3 AND step = 81 ORDER BY start_ns, id")
        self.assertGreater(len(slices), 100)
        self.assertEqual(slices["id"].tolist(), expected["id"].tolist())
        self.assertEqual(run.rank(3).steps, [80, 81, 82, 83])
        with self.assertRaisesRegex(KeyError, "no rank 9"):
            run.rank(9)
        with self.assertRaisesRegex(KeyError, "no step 7"):
            run.rank(3).step(7)

    def test_ranks_and_steps_can_be_chosen(self):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", rk.RankscopeWarning)
            some = rk.open(SAMPLES / "ZeroWorkers", ranks=[0, 2], steps=range(81, 83))
        self.assertEqual(some.ranks["rank"].tolist(), [0, 2])
        self.assertEqual(sorted(set(some.steps["step"].tolist())), [81, 82])
        options = ("--ranks", "0,2", "--steps", "81-82", "--format", "csv")
        printed = cli("query", SAMPLES / "ZeroWorkers", "SELECT count(*) FROM slice", *options)
        self.assertEqual(len(some.slice), int(printed.split()[1]))


if __name__ == "__main__":
    unittest.main()
