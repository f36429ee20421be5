# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs: opened, asked and written."""
from __future__ import annotations

import json
import os
import warnings
from typing import Any, Iterable

from . import _native
from ._digest import Digest, digest
from ._errors import QueryError, RankscopeError, RankscopeWarning, ReadError, SeveralRunsError
from ._files import PathLike, Paths, frame_of, paths_of, write_file
from ._finding import Explanation, Finding, Verdict
from ._forecast import Forecast
from ._parts import Rank
from ._progress import Progress, Shown
from ._table import Column, Table

SCREEN_WIDTH = 100  # characters


def _steps_of(steps: Any) -> tuple[int, int] | None:
    """The first and the last of the named steps, which must be consecutive."""
    if steps is None:
        return None
    numbers = [steps] if isinstance(steps, int) else sorted({int(step) for step in steps})
    if isinstance(steps, tuple) and len(numbers) == 2:
        return numbers[0], numbers[1]
    if not numbers or numbers[-1] - numbers[0] + 1 != len(numbers):
        raise ValueError(f"steps must be a number, a range, or (first, last): {steps!r}")
    return numbers[0], numbers[-1]


def _ranks_of(ranks: Any) -> list[int] | None:
    if ranks is None:
        return None
    numbers = [ranks] if isinstance(ranks, int) else [int(rank) for rank in ranks]
    if not numbers:
        raise ValueError("ranks is empty; leave it out for all ranks")
    return numbers


def open_all(
    paths: Paths,
    *,
    ranks: int | Iterable[int] | None = None,
    steps: int | range | tuple[int, int] | None = None,
    name: str | None = None,
    file_clocks: bool = False,
    clock_offsets: dict[int, int] | None = None,
    name_rules: PathLike | None = None,
    path_map: dict[str, str] | None = None,
    roles: dict[str, str] | None = None,
    iterations: str | None = None,
    model: dict[str, float] | None = None,
    work: dict[str, float] | None = None,
    link_speed: dict[str, float] | None = None,
    memory_gb: float | None = None,
    threads: int | None = None,
    strict: bool = False,
    progress: Progress = None,
) -> list[Run]:
    """Reads and analyses all runs at `paths`, as `rankscope-cli analyze` does. Arguments: see `open()`."""
    texts = paths_of(paths)
    options = {
        "ranks": _ranks_of(ranks),
        "steps": _steps_of(steps),
        "file_clocks": file_clocks,
        "clock_offsets": clock_offsets,
        "name_rules": None if name_rules is None else os.path.expanduser(os.fspath(name_rules)),
        "path_map": path_map,
        "roles": roles,
        "iterations": iterations,
        "model": model,
        "work": work,
        "link_speed": link_speed,
        "memory_gb": memory_gb,
        "threads": threads,
    }
    if file_clocks and clock_offsets:
        raise ValueError("clock_offsets cannot be used with file_clocks, which keeps the files' own times")
    with Shown(progress) as function:
        loaded, notes, places = _native.open_runs(texts, name, options, function)
    failures = [ReadError(*place) for place in places]
    if failures and (strict or not loaded):
        error = ReadError(*places[0])
        error.failures = failures
        raise error
    for text in [*notes, *map(str, failures)]:
        warnings.warn(text, RankscopeWarning, stacklevel=3)
    return [Run(run, texts) for run in loaded]


def open(paths: Paths, *, run: str | None = None, **options: Any) -> Run:
    """Reads and analyses the run at `paths`: trace files, folders, archives, digests, or `ssh://host/path`.

    Several paths are one run if their content does not contradict it; `name="..."` makes them one run of that name.
    Where there are several runs, `run` names the one to return, and `open_all()` returns all.

    ranks          a number or several: read only these ranks
    steps          a number, a range or (first, last): keep only these steps
    strict         raise a ReadError if anything could not be read; else that is a RankscopeWarning
    progress       False for none, or a function that is called with (stage, done, total)
    memory_gb      what reading and analysing may take; of digests that would take more, some steps are read in full
    threads        the number of threads that read; all cores if left out
    file_clocks    keep the times of the files: ranks are not aligned
    clock_offsets  {rank: nanoseconds}, in place of what would be fitted
    name_rules     a file with rules for names of kernels
    path_map       {"/folder/there": "/folder/here"}: where to find the traces of digests
    roles          {process group: role}, like {"mesh_tp": "tensor"}
    iterations     prefill, decode or mixed: the iterations of a server that are priced
    model          {"parameters": 7e9, "layers": 32, "hidden": 4096, "sequence": 4096, "micro_batch": 1, "heads": 32}
    work           {"peak_tflops": 312, "model_flops": 1e15} or {"tokens": 4096, "batch": 8}
    link_speed     {"inside": 450, "across": 50}, in GB/s

    Ctrl+C cancels. Raises ReadError, with the file and the byte, if nothing could be read.
    """
    paths = paths_of(paths)  # an iterator has its paths only once
    all_runs = open_all(paths, **options)
    names = [one.name for one in all_runs]
    chosen = [one for one in all_runs if run is None or one.name == run]
    if len(chosen) == 1:
        for other in all_runs:
            if other is not chosen[0]:
                other.close()
        return chosen[0]
    where = ", ".join(paths)
    cause = (
        f"contains {len(names)} runs ({', '.join(names)}); name one with run=, or use open_all()"
        if run is None
        else f"contains no run {run!r}; there are {', '.join(names)}"
    )
    error = SeveralRunsError(where, None, cause)
    error.names = names
    raise error


class Run:
    """A run: the traces of all ranks of a job, aligned and analysed.

    Each table of `run.tables` is an attribute, like `run.steps` and `run.collectives`, unless a run has something else
    of that name; `run.table(name)` has all. A run is a context manager, and `close()` frees its memory.
    """

    def __init__(self, loaded: _native.LoadedRun, paths: list[str]) -> None:
        self._loaded = loaded
        self._paths = paths
        self._cache: dict[str, Table] = {}
        self._facts: dict[str, Any] | None = None

    @property
    def name(self) -> str:
        """Its name."""
        return self._loaded.name

    # ---- the answer ----

    def _diagnosis(self) -> dict[str, Any]:
        if self._facts is None:
            self._facts = json.loads(self._loaded.verdict_json())
        return self._facts

    @property
    def verdict(self) -> Verdict:
        """What limits the step."""
        return Verdict(self._diagnosis()["verdict"])

    @property
    def findings(self) -> list[Finding]:
        """Its problems, the most expensive first."""
        return [
            Finding(fields, lambda at=at: self._loaded.finding_text(at))
            for at, fields in enumerate(self._diagnosis()["findings"])
        ]

    @property
    def median_step_ns(self) -> int | None:
        """The length of its median step; None if no step counts."""
        return self._diagnosis()["median_step_ns"]

    def screen(self, width: int = SCREEN_WIDTH, *, colour: bool = False) -> str:
        """What `rankscope-cli analyze` prints."""
        return Explanation(self._loaded.screen(width, colour))

    def text(self) -> str:
        """What `rankscope-cli analyze --full` prints."""
        return Explanation(self._loaded.full_text())

    def report(self, *, full: bool = True) -> dict[str, Any]:
        """The run in the JSON report of `rankscope-cli analyze` (`--json-detail` if `full`)."""
        return json.loads(self._loaded.json(full))["runs"][0]

    # ---- tables ----

    @property
    def tables(self) -> list[str]:
        """The names of all tables; `rankscope.tables()` says what they are."""
        return [name for name, _, _ in _native.tables()]

    def table(self, name: str) -> Table:
        """A table by its name; its plural will do: "gaps". Raises KeyError, with the name that was probably meant."""
        name, meaning, columns = self._declaration(name)
        if name not in self._cache:
            loaded = self._loaded
            self._cache[name] = Table(name, meaning, lambda: loaded.fill(name), [Column(*column) for column in columns])
        return self._cache[name]

    def _declaration(self, name: str) -> tuple[str, str, list[tuple[str, str, str]]]:
        declared = {one[0]: one for one in _native.tables()}
        for spelling in (name, name.removesuffix("s"), name.removesuffix("es")):
            if spelling in declared:
                return declared[spelling]
        self._loaded.fill(name)  # raises, with a suggestion
        raise KeyError(name)

    def __getattr__(self, name: str) -> Table:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self.table(name)
        except KeyError as error:
            raise AttributeError(f"a run has no attribute {name!r}: {error.args[0]}") from None

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self.tables})

    def sql(self, question: str, *, seconds: float = 0) -> Table:
        """Answers one SELECT in the dialect of SQLite over all tables; gives up after `seconds`, unless 0.

        Raises QueryError, with the byte of the question and the name that was probably meant, also if two columns have
        one name. Ctrl+C cancels.
        """
        filled = self._loaded.ask(question, seconds)
        names = [column[0] for column in filled.columns()]
        for at, name in enumerate(names):
            if name in names[:at]:
                raise QueryError("", None, f"two columns are called {name!r}; name them with AS")
        return Table("answer", "", lambda: filled)

    def what_if(self, *changes: str) -> Forecast | Table:
        """The forecast of a step with changes, such as "loader:workers=4" and "link:x2", together.

        Without changes, a table of what each change alone would save. `rankscope-cli what-if --list` names the kinds.
        Raises QueryError, with the reason, if a change is not one, or if this run cannot tell it.
        """
        text = "; ".join(changes).replace("'", "''")
        answer = self.sql(f"SELECT * FROM what_if('{text}') WHERE run = '{self.name.replace(chr(39), chr(39) * 2)}'")
        if not changes:
            return answer
        return Forecast(next(iter(answer.rows())))

    def rank(self, number: int | None) -> Rank:
        """One of its ranks. Raises KeyError for another number; None is a rank that no file numbers."""
        there = self._loaded.ranks()
        if number not in there:
            raise KeyError(f"{self.name} has no rank {number}; it has {there}")
        return Rank(self, {"rank": number})

    def event(self, slice_id: int) -> dict[str, Any]:
        """The recorded event of a slice by its `id` in the table `slice`, with its args, read again from its file."""
        return json.loads(self._loaded.event(int(slice_id)))

    # ---- what was read ----

    @property
    def notes(self) -> list[str]:
        """What else to know about its files."""
        return self._loaded.notes()

    @property
    def unreadable(self) -> list[ReadError]:
        """Its files that could not be read, or not completely."""
        return [ReadError(*place) for place in [*self._loaded.unreadable(), *self._loaded.incomplete()]]

    # ---- files ----

    def _save(self, path: PathLike, text: str) -> None:
        target = os.path.expanduser(os.fspath(path))
        files = [file for file in self._loaded.files() if os.path.exists(file)]
        if os.path.exists(target) and any(os.path.samefile(target, file) for file in files):
            raise RankscopeError(target, None, "is a trace of the run, and would be overwritten")
        write_file(target, text)

    def save_html(self, path: PathLike) -> None:
        """Writes the HTML report: one file, which loads nothing from elsewhere."""
        self._save(path, self._loaded.html())

    def save_markdown(self, path: PathLike) -> None:
        """Writes the Markdown report."""
        self._save(path, self._loaded.markdown())

    def save_json(self, path: PathLike, *, full: bool = True) -> None:
        """Writes the JSON report, in the form of resources/report.schema.json."""
        self._save(path, self._loaded.json(full))

    def digest(self, folder: PathLike, *, jobs: int = 0, progress: Progress = None) -> list[Digest]:
        """Makes digests of the traces at the paths that were opened. See `rankscope.digest()`."""
        return digest(self._paths, folder, jobs=jobs, progress=progress)

    # ---- life ----

    def close(self) -> None:
        """Frees the traces and facts. Tables that were filled, and findings that were asked for, stay."""
        self._loaded.close()
        self._cache.clear()

    @property
    def closed(self) -> bool:
        """Whether it is closed."""
        return self._loaded.closed

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<rankscope run {self.name}, closed>" if self.closed else self._loaded.screen(SCREEN_WIDTH, False)

    def _repr_html_(self) -> str:
        return repr(self) if self.closed else frame_of(self._loaded.html_screen())
