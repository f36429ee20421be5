# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the tests find runs, the command line, and room for files."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "resources" / "samples"
TRACES = pathlib.Path(os.environ.get("RANKSCOPE_TRACES", ROOT.parent / "shared" / "traces"))
CLI = pathlib.Path(os.environ.get("RANKSCOPE_CLI", ROOT / "build" / "python" / "rankscope-cli"))
SAMPLE_RUNS = [SAMPLES / "ZeroWorkers", SAMPLES / "FourWorkers"]
# Ranks that wait, one rank alone, no device, several stages of metadata, and overlapping slices.
REAL_RUNS = [
    TRACES / name
    for name in (
        "dlrm_8ranks_v100",
        "resnet_ddp_4ranks_rocm",
        "hta/nccl_parser_config",
        "hta/cpu_only",
        "hta/trace_diff/test",
        "unseen_1/megatron_tp8",
    )
]


class WithFolder(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="rankscope-"))
        self.addCleanup(shutil.rmtree, self.folder)


def need(path):
    """Skips a test whose recorded traces are missing."""
    if not path.exists():
        raise unittest.SkipTest(f"{path} is missing")


def cli(*arguments):
    """What the command line prints. Its exit code may be that of a finding or of an unreadable file."""
    done = subprocess.run([CLI, *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1, 4):
        raise AssertionError(f"{arguments}: {done.returncode}: {done.stderr}")
    return done.stdout
