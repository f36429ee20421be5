# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports, digests and the notebook, as files; what the package declares."""
import ast
import html
import inspect
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest
from unittest import mock

import rankscope as rk
from places import CLI, ROOT, SAMPLES, WithFolder, cli


class Files(WithFolder):
    @classmethod
    def setUpClass(cls):
        cls.run_ = rk.open(SAMPLES / "ZeroWorkers")

    def test_reports_are_those_of_the_command_line(self):
        self.run_.save_html(self.folder / "r.html")
        self.run_.save_json(self.folder / "r.json")
        self.run_.save_markdown(self.folder / "r.markdown")
        endings = ("html", "json", "markdown")
        options = [f"--{ending}={self.folder}/c.{ending}" for ending in endings]
        cli("analyze", SAMPLES / "ZeroWorkers", *options, "--json-detail")
        for ending in endings:
            written = (self.folder / f"r.{ending}").read_bytes()
            self.assertEqual(written, (self.folder / f"c.{ending}").read_bytes(), ending)
        self.assertEqual(sorted(path.name[:2] for path in self.folder.iterdir()), ["c."] * 3 + ["r."] * 3)

    def test_a_comparison_writes_both_runs(self):
        comparison = rk.compare(self.run_, SAMPLES / "FourWorkers")
        comparison.save_html(self.folder / "c.html")
        comparison.save_markdown(self.folder / "c.md")
        self.assertIn("FourWorkers", (self.folder / "c.html").read_text(encoding="utf-8"))
        self.assertIn("75 %", (self.folder / "c.md").read_text(encoding="utf-8"))

    def test_a_trace_is_not_overwritten(self):
        trace = self.folder / "rank0.pt.trace.json.gz"
        shutil.copy(SAMPLES / "ZeroWorkers" / trace.name, trace)
        before = trace.read_bytes()
        run = rk.open(self.folder)
        with self.assertRaisesRegex(rk.RankscopeError, "would be overwritten"):
            run.save_html(trace)
        self.assertEqual(trace.read_bytes(), before)
        with self.assertRaises(rk.RankscopeError) as caught:
            run.save_html(self.folder / "gone" / "r.html")
        self.assertIn(str(self.folder / "gone" / "r.html"), str(caught.exception))

    def test_digests_can_be_opened_in_place_of_the_traces(self):
        made = self.run_.digest(self.folder)
        self.assertEqual([one.was_up_to_date for one in made], [False] * 4)
        self.assertEqual([one.was_up_to_date for one in rk.digest(SAMPLES / "ZeroWorkers", self.folder)], [True] * 4)
        again = rk.open(self.folder)
        self.assertEqual(again.verdict.fields, self.run_.verdict.fields)
        self.assertEqual(again.findings[0].price, self.run_.findings[0].price)
        with self.assertRaisesRegex(rk.ReadError, "there are no traces|does not exist"):
            rk.digest(self.folder / "gone", self.folder)

    def ssh_does(self, script):
        """Puts a script in the place of ssh, and the cache into the folder of the test."""
        fake = self.folder / "ssh"
        fake.write_text(f"#!/bin/sh\n{script}", encoding="utf-8")
        fake.chmod(0o755)
        return mock.patch.dict(os.environ, {"RANKSCOPE_SSH": str(fake), "XDG_CACHE_HOME": str(self.folder / "cache")})

    def test_a_path_on_another_machine_is_fetched_by_ssh(self):
        there = self.folder / "there"
        there.mkdir()
        (there / "rankscope-cli").symlink_to(CLI)
        command = f"for last; do :; done; HOME={there} PATH={there}:$PATH; export HOME PATH; unset XDG_CACHE_HOME\n"
        with self.ssh_does(command + 'exec sh -c "$last"\n'):
            run = rk.open(f"ssh://login1{SAMPLES / 'ZeroWorkers'}")
        self.assertTrue((self.folder / "cache/rankscope/remote/login1").exists())
        self.assertEqual(run.verdict.fields, self.run_.verdict.fields)
        self.assertEqual([one.price for one in run.findings], [one.price for one in self.run_.findings])

    def test_a_machine_that_cannot_be_reached_is_an_error_with_its_path(self):
        with self.ssh_does("echo no such host >&2\nexit 255\n"):
            with self.assertRaisesRegex(rk.ReadError, "ssh://gone/traces"):
                rk.open("ssh://gone/traces")

    def test_a_notebook_shows_the_first_screen_in_a_frame_that_loads_nothing(self):
        frame = self.run_._repr_html_()
        self.assertTrue(frame.startswith("<iframe srcdoc="))
        page = html.unescape(re.search(r'srcdoc="([^"]*)"', frame).group(1))
        self.assertIn("GPU waits for input data", page)
        self.assertIn("default-src 'none'", page)
        self.assertEqual(repr(self.run_).strip(), cli("analyze", SAMPLES / "ZeroWorkers").strip())


class Declared(unittest.TestCase):
    def test_stubs_name_what_the_compiled_part_has(self):
        package = pathlib.Path(rk.__file__).parent
        self.assertTrue((package / "py.typed").exists())
        stubs = ast.parse((package / "_native.pyi").read_text(encoding="utf-8"))
        names = {node.name: node for node in stubs.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
        native = {name for name in dir(rk._native) if not name.startswith("_")} - {"version"}
        self.assertEqual(set(names), native)
        for name, node in names.items():
            if isinstance(node, ast.ClassDef):
                methods = {one.name for one in node.body if isinstance(one, ast.FunctionDef)} - {"__init__"}
                there = {one for one in vars(getattr(rk._native, name)) if not one.startswith("_")}
                self.assertEqual(methods, there, name)

    def test_each_public_name_says_what_it_is(self):
        for name in rk.__all__:
            thing = getattr(rk, name)
            self.assertTrue(inspect.getdoc(thing), name)
            for member, value in vars(thing).items() if inspect.isclass(thing) else ():
                if not member.startswith("_") and (inspect.isfunction(value) or isinstance(value, property)):
                    self.assertTrue(inspect.getdoc(value), f"{name}.{member}")

    def test_the_version_is_the_programs(self):
        self.assertIn(rk.__version__, cli("--version"))


class Notebook(WithFolder):
    def test_goes_from_a_folder_of_traces_to_the_answer(self):
        source = ROOT / "docs" / "python.ipynb"
        out = self.folder / "out.ipynb"
        environment = {**os.environ, "HOME": str(self.folder)}
        kernel = [sys.executable, "-m", "ipykernel", "install", "--sys-prefix"]
        subprocess.run(kernel, check=True, capture_output=True, env=environment)
        command = [sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute", "--output", out, source]
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        cells = json.loads(out.read_text(encoding="utf-8"))["cells"]
        outputs = json.dumps([cell.get("outputs") for cell in cells])
        for part in ("GPU waits for input data", "<iframe srcdoc=", "image/png", "num_workers=4", "69.1 ms less"):
            self.assertIn(part, outputs)
        for cell in json.loads(source.read_text(encoding="utf-8"))["cells"]:
            self.assertFalse(cell.get("outputs"), "the notebook in docs is kept without outputs")


if __name__ == "__main__":
    unittest.main()
