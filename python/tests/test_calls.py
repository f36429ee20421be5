# SPDX-License-Identifier: GPL-3.0-or-later
"""Errors, warnings, threads, Ctrl+C and progress."""
import contextlib
import gzip
import io
import os
import pickle
import shutil
import signal
import threading
import time
import unittest
from unittest import mock

import rankscope as rk
from big_run import write_run
from places import SAMPLES, WithFolder
from rankscope import _progress as progress

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"


def interrupt_after(seconds):
    timer = threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    return timer


class Errors(WithFolder):
    def test_name_the_path_and_the_cause(self):
        with self.assertRaises(rk.ReadError) as caught:
            rk.open(self.folder / "gone.json")
        self.assertEqual(caught.exception.path, str(self.folder / "gone.json"))
        self.assertIn("does not exist", caught.exception.cause)
        self.assertIsNone(caught.exception.byte_offset)
        with self.assertRaises(ValueError):
            rk.open([])

    def test_name_the_place_in_a_broken_file(self):
        broken = self.folder / "rank0.json"
        broken.write_text('{"traceEvents": [{]', encoding="utf-8")
        with self.assertRaisesRegex(rk.ReadError, "rank0.json: .* at byte 17") as caught:
            rk.open(broken)
        self.assertEqual([error.path for error in caught.exception.failures], [str(broken)])

    def test_next_to_what_was_read_are_warnings(self):
        shutil.copy(SAMPLES / "ZeroWorkers" / "rank1.pt.trace.json.gz", self.folder)
        with gzip.open(SAMPLES / "ZeroWorkers" / "rank0.pt.trace.json.gz") as whole:
            text = whole.read()
        cut = self.folder / "rank0.json"
        cut.write_bytes(text[: len(text) // 2])
        with self.assertWarnsRegex(rk.RankscopeWarning, "rank0.json: The file ends before it should"):
            run = rk.open(self.folder)
        self.assertEqual(len(run.ranks), 2)
        self.assertEqual([error.path for error in run.unreadable], [str(cut)])
        with self.assertRaisesRegex(rk.ReadError, "ends before it should"):
            rk.open(self.folder, strict=True)

    def test_of_an_event_name_its_byte(self):
        path = self.folder / "rank0.json"
        with gzip.open(SAMPLES / "ZeroWorkers" / "rank0.pt.trace.json.gz") as whole:
            path.write_bytes(whole.read())
        run = rk.open(path)
        kernel = next(row for row in run.slice if row["category"] == "kernel")
        event = run.event(kernel["id"])
        self.assertEqual(event["name"], kernel["name"])
        self.assertIn("stream", event["args"])
        with self.assertRaisesRegex(IndexError, "no slice"):
            run.event(len(run.slice))
        path.write_text("{}", encoding="utf-8")
        with self.assertRaises(rk.ReadError) as caught:
            run.event(kernel["id"])
        self.assertEqual(caught.exception.path, str(path))
        self.assertGreater(caught.exception.byte_offset, 0)

    def test_of_changes_say_what_is_wrong_with_them(self):
        run = rk.open(SAMPLES / "ZeroWorkers")
        with self.assertRaisesRegex(rk.QueryError, "did you mean link:xF"):
            run.what_if("linc:x2")
        with self.assertRaisesRegex(rk.QueryError, "exclude each other"):
            run.what_if("loader:ready", "loader:workers=2")

    def test_of_questions_name_the_byte_and_what_was_probably_meant(self):
        run = rk.open(SAMPLES / "ZeroWorkers")
        with self.assertRaisesRegex(rk.QueryError, "did you mean dur_ns") as caught:
            run.sql("SELECT dur FROM slice")
        self.assertEqual(caught.exception.byte_offset, 7)
        for refused in ("DELETE FROM slice", "ATTACH 'x' AS y", "", "SELECT 1; SELECT 2"):
            with self.assertRaises(rk.QueryError):
                run.sql(refused)
        with self.assertRaisesRegex(rk.QueryError, "two columns are called 'id'; name them with AS"):
            run.sql("SELECT s.id, p.id FROM slice s LEFT JOIN slice p ON p.id = s.id LIMIT 1")
        with self.assertRaisesRegex(KeyError, "did you mean"):
            run.table("stepz")
        with self.assertRaisesRegex(AttributeError, "did you mean"):
            run.stepz

    def test_can_be_pickled(self):
        error = rk.ReadError("a.json", 7, "the JSON ends here")
        self.assertEqual(str(error), "a.json, byte 7: the JSON ends here")
        again = pickle.loads(pickle.dumps(error))
        self.assertEqual((str(again), again.byte_offset), (str(error), 7))

    def test_list_the_runs_where_there_are_several(self):
        with self.assertRaises(rk.SeveralRunsError) as caught:
            rk.open(SAMPLES)
        self.assertEqual(sorted(caught.exception.names), ["FourWorkers", "ZeroWorkers"])
        with self.assertRaises(rk.SeveralRunsError) as caught:
            rk.open(SAMPLES / name for name in ("FourWorkers", "ZeroWorkers"))
        self.assertIn("FourWorkers", caught.exception.path)
        self.assertEqual(rk.open(SAMPLES, run="FourWorkers").name, "FourWorkers")
        self.assertEqual(sorted(run.name for run in rk.open_all(SAMPLES)), ["FourWorkers", "ZeroWorkers"])
        files = sorted((SAMPLES / "ZeroWorkers").glob("*.gz"))[:2]
        joined = rk.open(files, name="two")
        self.assertEqual((joined.name, len(joined.ranks)), ("two", 2))

    def test_of_options_say_what_is_wrong(self):
        path = SAMPLES / "ZeroWorkers"
        for wrong, error in (
            ({"steps": (9, 3, 5)}, ValueError),
            ({"ranks": []}, ValueError),
            ({"ranks": ["x"]}, ValueError),
            ({"memory_gb": -1}, ValueError),
            ({"roles": {"g": "nothing"}}, ValueError),
            ({"iterations": "both"}, ValueError),
            ({"model": {"size": 7}}, ValueError),
            ({"model": {"layers": "x"}}, TypeError),
            ({"work": {"tokens": 0}}, ValueError),
            ({"link_speed": {"up": 1}}, ValueError),
            ({"path_map": {"a": "b"}}, ValueError),
            ({"name_rules": "gone.json"}, rk.ReadError),
            ({"clock_offsets": {0: 1}, "file_clocks": True}, ValueError),
            ({"colour": True}, TypeError),
        ):
            with self.subTest(wrong), self.assertRaises(error):
                rk.open(path, **wrong)

    def test_of_ranks_and_steps_that_are_not_there_are_warnings(self):
        with self.assertWarnsRegex(rk.RankscopeWarning, "rank 9"):
            rk.open(SAMPLES / "ZeroWorkers", ranks=[0, 9])
        with self.assertRaisesRegex(rk.ReadError, "there are steps 80 to 83"):
            rk.open(SAMPLES / "ZeroWorkers", steps=7)


class Options(unittest.TestCase):
    def test_of_the_command_line_have_their_effect(self):
        path = SAMPLES / "ZeroWorkers"
        moved = rk.open(path, clock_offsets={2: -1200})
        self.assertEqual(dict(zip(moved.clocks["rank"].tolist(), moved.clocks["offset_ns"].tolist()))[2], -1200)
        kept = rk.open(path, file_clocks=True)
        self.assertEqual(set(kept.clocks["offset_ns"].tolist()), {0})
        sized = rk.open(path, model={"parameters": 7e9, "layers": 32, "hidden": 4096}, work={"peak_tflops": 312})
        self.assertIsNotNone(sized.report()["memory_formula"])


class Progress(unittest.TestCase):
    def test_is_a_line_of_a_terminal_that_goes_away(self):
        terminal = io.StringIO()
        terminal.isatty = lambda: True
        with contextlib.redirect_stderr(terminal):
            with progress.Shown(None) as show:
                show("reading x", 1, 4)
            with progress.Shown(False) as none:
                self.assertIsNone(none)
        self.assertEqual(terminal.getvalue(), "\r\x1b[Kreading x: 25 %\r\x1b[K")
        with contextlib.redirect_stderr(io.StringIO()), progress.Shown(None) as none:
            self.assertIsNone(none)

    def test_is_a_bar_in_a_notebook_that_goes_away(self):
        handle = mock.Mock()
        display = mock.Mock(return_value=handle)
        with mock.patch.object(progress, "_in_notebook", lambda: True), mock.patch("IPython.display.display", display):
            with progress.Shown(None) as show:
                show("reading <x>", 1, 4)
                show("reading <x>", 2, 4)
        first = display.call_args.args[0]
        self.assertIn("max='4' value='1'", first._repr_html_())
        self.assertIn("reading &lt;x&gt;: 25 %", first._repr_html_())
        self.assertEqual(repr(first), "reading <x>: 25 %")
        later = [call.args[0] for call in handle.update.call_args_list]
        self.assertEqual([repr(bar) for bar in later], ["reading <x>: 50 %", ""])
        self.assertEqual(later[-1]._repr_html_(), "")


class LongCalls(WithFolder):
    @classmethod
    def setUpClass(cls):
        cls.run_ = rk.open(SAMPLES / "ZeroWorkers")

    def test_of_sql_end_at_ctrl_c(self):
        begin = time.monotonic()
        timer = interrupt_after(0.3)
        with self.assertRaises(KeyboardInterrupt):
            self.run_.sql(ENDLESS)
        timer.join()
        self.assertLess(time.monotonic() - begin, 10)
        self.assertEqual(len(self.run_.sql("SELECT 1")), 1)

    def test_of_sql_end_at_their_time(self):
        with self.assertRaisesRegex(rk.QueryError, "longer than 200 ms"):
            self.run_.sql(ENDLESS, seconds=0.2)

    def test_let_other_threads_run_and_ask(self):
        answers = []

        def ask():
            answers.append(self.run_.sql("SELECT count(*) AS n FROM slice")["n"][0])

        threads = [threading.Thread(target=ask) for _ in range(4)]
        counted = 0
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            counted += 1
        self.assertEqual(len(set(answers)), 1)
        self.assertEqual(len(answers), 4)
        self.assertGreater(counted, 0)

    def test_of_reading_show_progress_let_others_run_and_end_at_ctrl_c(self):
        path = self.folder / "rank0.json"
        write_run(path, 1_000_000)
        shown = []
        others = [0]
        done = threading.Event()

        def count():
            while not done.wait(0.001):
                others[0] += 1

        counter = threading.Thread(target=count)
        counter.start()
        begin = time.monotonic()
        rk.open(path, progress=lambda *at: shown.append(at)).close()
        whole = time.monotonic() - begin
        done.set()
        counter.join()
        self.assertTrue(any(stage.startswith("reading") and 0 < part <= total for stage, part, total in shown), shown)
        self.assertGreater(others[0], 10 * whole)  # up to a thousand per second where nothing holds the lock
        timer = interrupt_after(0.2)
        begin = time.monotonic()
        with self.assertRaises(KeyboardInterrupt):
            rk.open(path)
        timer.join()
        self.assertLess(time.monotonic() - begin, 0.2 + 2 * whole)
        with self.assertRaisesRegex(RuntimeError, "enough"):
            rk.open(path, progress=self.refuse)

    def refuse(self, *_):
        raise RuntimeError("enough")


if __name__ == "__main__":
    unittest.main()
