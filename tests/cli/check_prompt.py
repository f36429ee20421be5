# SPDX-License-Identifier: GPL-3.0-or-later
"""Types questions into `rankscope-cli query` on a pseudo terminal, as a person does, and looks at what comes back.

usage: check_prompt.py RANKSCOPE_CLI RUN_FOLDER STATE_FOLDER
"""
import os
import pathlib
import pty
import re
import select
import subprocess
import sys
import time

PATIENCE = 60  # seconds: a busy machine


class Terminal:
    """The program in a terminal of its own."""

    def __init__(self, arguments, state):
        self.master, slave = pty.openpty()
        environment = dict(os.environ, XDG_STATE_HOME=state, TERM="xterm", COLUMNS="200")
        environment.pop("INPUTRC", None)
        self.process = subprocess.Popen(
            arguments, stdin=slave, stdout=slave, stderr=slave, env=environment, start_new_session=True,
        )
        os.close(slave)
        self.seen = ""

    def type(self, text):
        os.write(self.master, text.encode())

    def wait_for(self, pattern):
        """Reads until the pattern appears, and returns what came before and with it."""
        end = time.monotonic() + PATIENCE
        while True:
            match = re.search(pattern, self.seen, re.S)
            if match:
                told, self.seen = self.seen[: match.end()], self.seen[match.end():]
                return told
            if time.monotonic() > end:
                sys.exit(f"no {pattern!r} in {self.seen!r}")
            if select.select([self.master], [], [], 0.2)[0]:
                try:
                    self.seen += os.read(self.master, 65536).decode(errors="replace")
                except OSError:
                    sys.exit(f"the program ended; no {pattern!r} in {self.seen!r}")

    def end(self):
        code = self.process.wait(timeout=PATIENCE)
        os.close(self.master)
        return code


def hold(told, *words):
    for word in words:
        assert word in told, f"no {word!r} in {told!r}"


def main():
    program, folder, state = sys.argv[1:]
    terminal = Terminal([program, "query", folder], state)
    start = terminal.wait_for("query> ")
    assert not re.search(r"reading [^\r]*%Questions", start), f"progress is left before the first line: {start!r}"

    terminal.type("SELECT count(*) AS ranks\n")
    terminal.wait_for(r"\.\.\.> ")
    terminal.type("FROM rank;\n")
    hold(terminal.wait_for(r"\n4\s.*query> |\n    4\s.*query> "), "ranks")

    terminal.type("SELECT dur FROM slice;\n")
    hold(terminal.wait_for(r"dur_ns\?.*query> "), "did you mean")

    terminal.type("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n;\n")
    time.sleep(0.5)
    terminal.process.send_signal(2)
    hold(terminal.wait_for(r"cancelled.*query> "), "was cancelled")
    terminal.type("SELECT 40 + 2 AS still_here;\n")
    terminal.wait_for(r"42.*query> ")

    terminal.type("SELECT half")
    terminal.wait_for("SELECT half")
    terminal.process.send_signal(2)
    terminal.wait_for(r"\^C.*query> ")
    terminal.type("SELECT 1 + 1 AS whole;\n")
    terminal.wait_for(r"\n *2\s.*query> ")

    terminal.type("SELECT collective_mem\t")
    terminal.wait_for("collective_member")
    terminal.process.send_signal(2)
    terminal.wait_for(r"\^C.*query> ")

    terminal.type(".tables gap\n")
    hold(terminal.wait_for(r"gap_cause.*query> "), "gap")
    terminal.type(".schema launch\n")
    hold(terminal.wait_for(r"latency_ns.*query> "), "slice.id of the call")
    terminal.type(".examples 12\n")
    hold(terminal.wait_for(r";.*query> "), "-- 12. ", "SELECT")
    terminal.type(".tabels\n")
    hold(terminal.wait_for(r"lists them.*query> "), "did you mean \".tables\"?")
    terminal.type(".help\n")
    terminal.wait_for(r"\.quit.*query> ")
    terminal.type(".quit\n")
    assert terminal.end() == 0

    history = pathlib.Path(state, "rankscope", "query_history")
    hold(history.read_text(encoding="utf-8"), "SELECT count(*) AS ranks FROM rank;", ".schema launch")
    assert history.stat().st_mode & 0o077 == 0, oct(history.stat().st_mode)
    again = Terminal([program, "query", folder], state)
    again.wait_for("query> ")
    again.type("\x1b[A")  # up
    again.wait_for(r"\.quit")
    again.type("\x15\x04")  # the line is emptied, and the input closed
    assert again.end() == 0
    print("the prompt answers")


main()
