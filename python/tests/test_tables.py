# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables as numpy views, as DataFrames, and after the run is closed."""
import unittest

import numpy
import pandas

import rankscope as rk
from big_run import write_run
from places import SAMPLES, WithFolder


def address(array):
    return array.__array_interface__["data"][0]


class Tables(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.run_ = rk.open(SAMPLES / "ZeroWorkers")

    def test_of_the_registry_are_all_attributes(self):
        names = list(rk.tables())
        self.assertGreater(len(names), 50)
        for name in names:
            table = self.run_.table(name)
            self.assertEqual(len(table.to_pandas()), len(table), name)
            self.assertEqual(list(table.to_pandas().columns), [column.name for column in table.columns], name)
        taken = [name for name in names if not isinstance(getattr(self.run_, name), rk.Table)]
        self.assertTrue({"findings", "rank"} >= set(taken), taken)
        self.assertTrue(set(names) <= set(dir(self.run_)))

    def test_have_a_plural(self):
        for plural, name in (("gaps", "gap"), ("slices", "slice"), ("launches", "launch"), ("gap_causes", "gap_cause")):
            self.assertIs(self.run_.table(plural), self.run_.table(name))
        self.assertIs(self.run_.gaps, self.run_.gap)
        self.assertEqual(self.run_.ranks.name, "ranks")
        self.assertEqual(self.run_.rank(0).table("gaps").name, "gap")

    def test_have_exact_nanoseconds_and_say_what_their_columns_are(self):
        slices = self.run_.slice
        self.assertEqual(slices["dur_ns"].dtype, numpy.int64)
        self.assertTrue((slices["end_ns"] - slices["start_ns"] == slices["dur_ns"]).all())
        meanings = {column.name: column.meaning for column in slices.columns}
        self.assertIn("clock", meanings["start_ns"])
        with self.assertRaisesRegex(KeyError, "no column 'dur'"):
            slices["dur"]

    def test_give_their_own_memory_and_protect_it(self):
        slices = self.run_.slice
        self.assertEqual(address(slices["dur_ns"]), address(slices["dur_ns"]))
        with self.assertRaises(ValueError):
            slices["dur_ns"][0] = 1

    def test_have_na_where_a_row_has_no_value(self):
        slices = self.run_.slice
        frame = slices.to_pandas()
        parents = frame["parent"]
        self.assertEqual(str(parents.dtype), "Int64")
        self.assertEqual(parents.isna().sum(), len(slices) - slices.valid("parent").sum())
        self.assertGreater(parents.isna().sum(), 0)
        counted = self.run_.sql("SELECT count(*) AS n FROM slice WHERE parent IS NULL")["n"][0]
        self.assertEqual(parents.isna().sum(), counted)
        self.assertEqual(frame["class"].isna().sum(), (~slices.valid("class")).sum())
        mixed = self.run_.sql("SELECT 1 AS x UNION ALL SELECT NULL UNION ALL SELECT 0.5").to_pandas()["x"]
        self.assertEqual(mixed.dtype, numpy.float64)
        self.assertEqual(mixed.isna().tolist(), [False, True, False])

    def test_work_with_the_usual_operations_of_pandas(self):
        frame = self.run_.slice.to_pandas()
        by_name = frame.groupby("name")["dur_ns"].agg(["count", "sum"]).sort_index()
        asked = self.run_.sql("SELECT name, count(*) AS n, sum(dur_ns) AS ns FROM slice GROUP BY name ORDER BY name")
        self.assertEqual(by_name["sum"].tolist(), asked["ns"].tolist())
        self.assertEqual(by_name["count"].tolist(), asked["n"].tolist())
        inner = frame.dropna(subset=["parent"]).astype({"parent": "int64"})
        joined = inner.merge(frame[["id", "name"]], left_on="parent", right_on="id", suffixes=("", "_parent"))
        self.assertEqual(len(joined), frame["parent"].notna().sum())
        self.assertEqual(len(frame.sort_values("dur_ns").head(3)), 3)
        frame["share"] = frame["dur_ns"] / frame["dur_ns"].sum()
        self.assertAlmostEqual(frame["share"].sum(), 1)
        self.assertEqual(frame[frame["step"] == 81]["rank"].nunique(), 4)

    def test_can_have_texts_as_categories(self):
        table = self.run_.slice
        texts = table.to_pandas()["class"]
        categories = table.to_pandas(categories=True)["class"]
        self.assertEqual(str(categories.dtype), "category")
        self.assertTrue((categories.astype(object).fillna("-") == texts.fillna("-")).all())

    def test_are_rows_of_python_values(self):
        rows = list(self.run_.table("gap"))
        self.assertEqual(len(rows), len(self.run_.gap))
        self.assertIs(type(rows[0]["dur_ns"]), int)
        nulls = [row["class"] for row in self.run_.slice if row["category"] == "cpu_op"]
        self.assertEqual(set(nulls), {None})

    def test_that_were_filled_outlive_their_run_and_others_say_that_it_is_closed(self):
        with rk.open(SAMPLES / "FourWorkers") as run:
            steps = run.steps
            kernels = run.kernels
            view = steps["duration_ns"]
            expected = view.tolist()
        self.assertTrue(run.closed)
        self.assertEqual(view.tolist(), expected)
        self.assertEqual(steps.to_pandas()["duration_ns"].tolist(), expected)
        for use in (
            lambda: kernels.to_pandas(),
            lambda: run.slice.to_pandas(),
            lambda: run.sql("SELECT 1"),
            lambda: run.verdict,
            lambda: run.rank(0),
            lambda: rk.compare(run, run),
        ):
            with self.assertRaisesRegex(rk.ClosedError, "FourWorkers: the run is closed"):
                use()
        self.assertIn("closed", repr(run))
        run.close()

    def test_keep_a_view_alive_without_their_table(self):
        run = rk.open(SAMPLES / "FourWorkers")
        view = run.slice["dur_ns"]
        total = int(view.sum())
        run.close()
        del run
        self.assertEqual(int(view.sum()), total)

    def test_draw_a_line_per_rank(self):
        import matplotlib

        matplotlib.use("Agg")
        axes = self.run_.steps.plot()
        self.assertEqual(len(axes.get_lines()), 4)
        self.assertEqual(axes.get_ylabel(), "duration, ms")
        durations = self.run_.rank(0).table("steps")["duration_ns"] / 1e6
        self.assertEqual(list(axes.get_lines()[0].get_ydata()), durations.tolist())
        self.assertEqual(len(self.run_.sql("SELECT dur_ns FROM gap").plot().get_lines()), 1)


class LogsNextToTraces(WithFolder):
    def test_are_tables_of_the_run(self):
        log = self.folder / "job.log"
        comm = "ncclCommInitRank comm 0x10 rank 0 nranks 1 cudaDev 0 nvmlDev 0 busId 1000 commId 0xaa - Init "
        call = "AllReduce: opCount 0 sendbuff 0x1 recvbuff 0x2 count 4 datatype 7 op 0 root 0 comm 0x10 [nranks=1] stream 0x3"
        log.write_text("".join(f"host:7:7 [0] NCCL INFO {line}\n" for line in (comm + "START", comm + "COMPLETE", call)))
        with rk.open([SAMPLES / "ZeroWorkers", log]) as run:
            self.assertEqual(list(run.nccl_call["bytes"]), [16])
            self.assertEqual(run.sql("SELECT kind FROM nccl_call")["kind"][0], "all-reduce")
        with rk.open(SAMPLES / "ZeroWorkers") as run:
            self.assertEqual(len(run.nccl_call), 0)
        with self.assertRaises(rk.ReadError) as raised:
            rk.open(log)
        self.assertIn("no trace of the job", str(raised.exception))


class TwoMillionSlices(WithFolder):
    def test_go_to_pandas_without_a_copy_of_numbers(self):
        path = self.folder / "rank0.json"
        written = write_run(path, 2_000_000)
        with rk.open(path) as run:
            slices = run.slice
            frame = slices.to_pandas()
        self.assertGreaterEqual(len(frame), written)
        numbers = [column.name for column in slices.columns if column.type != "text"]
        self.assertGreater(len(numbers), 7)
        for name in numbers:
            column = frame[name]
            values = column.array._data if isinstance(column.dtype, pandas.Int64Dtype) else column.to_numpy()
            self.assertEqual(address(values), address(slices[name]), name)
        operators = frame[frame["category"] == "cpu_op"]
        self.assertEqual(int(operators["dur_ns"].sum()), 1000 * len(operators))


if __name__ == "__main__":
    unittest.main()
