# SPDX-License-Identifier: GPL-3.0-or-later
"""Two runs compared."""
from __future__ import annotations

import json
import os
from typing import Any, Iterable, Union

from . import _native
from ._files import PathLike, frame_of, write_file
from ._finding import Explanation
from ._run import SCREEN_WIDTH, Run, open as open_run
from ._table import Table

Side = Union[Run, PathLike, Iterable[Union[Run, PathLike]]]
MATTERS = 0.01  # as the command line's --matters


def _loaded(side: Side, options: dict[str, Any]) -> list[_native.LoadedRun]:
    several = [side] if isinstance(side, (Run, str, os.PathLike)) else list(side)
    return [(one if isinstance(one, Run) else open_run(one, **options))._loaded for one in several]


class ComparisonVerdict(str):
    """The answer in a sentence or two, with its numbers. `word` is the JSON report's, `headline` its first line."""

    word: str
    headline: str

    def __new__(cls, text: str, word: str, headline: str) -> ComparisonVerdict:
        made = super().__new__(cls, text)
        made.word = word
        made.headline = headline
        return made

    def __repr__(self) -> str:
        return str(self)


class Comparison:
    """What changed from A, the baseline, to B. It keeps what it needs of both: they may be closed."""

    def __init__(self, native: _native.Comparison) -> None:
        self._native = native
        self._fields: dict[str, Any] | None = None
        self._tables: dict[str, Table] | None = None

    def report(self) -> dict[str, Any]:
        """The entry of `comparisons` in the JSON report of `rankscope-cli compare`."""
        if self._fields is None:
            self._fields = json.loads(self._native.json())
        return self._fields

    @property
    def verdict(self) -> ComparisonVerdict:
        """Whether B is faster, and how certain that is."""
        word = self.report()["step"]["verdict"]
        return ComparisonVerdict(self._native.verdict(), word, self._native.headline())

    @property
    def findings(self) -> list[dict[str, Any]]:
        """What became of each finding of either run: `change`, `id`, `title`, and what it saves in each."""
        return list(self.report()["findings"])

    def is_regression(self, percent: float) -> bool:
        """Whether B's step is longer than A's by more than `percent`, with confidence."""
        return self._native.is_regression(percent)

    def _all_tables(self) -> dict[str, Table]:
        if self._tables is None:
            self._tables = {name: Table(name, "", lambda cells=cells: cells) for name, cells in self._native.tables()}
        return self._tables

    @property
    def tables(self) -> list[str]:
        """The names of its tables."""
        return list(self._all_tables())

    def table(self, name: str) -> Table:
        """A table of the comparison: those that the CSV report of `rankscope-cli compare` has."""
        if name not in self._all_tables():
            raise KeyError(f"a comparison has no table {name!r}; it has {', '.join(self.tables)}")
        return self._all_tables()[name]

    def screen(self, width: int = SCREEN_WIDTH, *, colour: bool = False) -> str:
        """What `rankscope-cli compare` prints."""
        return Explanation(self._native.screen(width, colour))

    def text(self) -> str:
        """What `rankscope-cli compare --full` prints."""
        return Explanation(self._native.full_text())

    def save_html(self, path: PathLike) -> None:
        """Writes the HTML report of both runs, with the change first."""
        write_file(path, self._native.html())

    def save_markdown(self, path: PathLike) -> None:
        """Writes the Markdown report for a pull request."""
        write_file(path, self._native.markdown())

    def __repr__(self) -> str:
        return self._native.screen(SCREEN_WIDTH, False)

    def _repr_html_(self) -> str:
        return frame_of(self._native.html())


def compare(a: Side, b: Side, *, matters: float = MATTERS, **options: Any) -> Comparison:
    """Compares B with A, the baseline. Each side is a run, a path, or a list of recordings of the same code.

    `matters` is the smallest share of A's step that matters; more recordings of a side show smaller changes. Other
    arguments are those of `open()`, for paths.
    """
    return Comparison(_native.Comparison(_loaded(a, options), _loaded(b, options), matters))
