# SPDX-License-Identifier: GPL-3.0-or-later
"""Parts of a run: a rank, and a step of a rank."""
from __future__ import annotations

from typing import TYPE_CHECKING

from ._table import Table

if TYPE_CHECKING:
    from ._run import Run


class _Part:
    """A part of a run: rows of its tables where some columns have these values."""

    def __init__(self, run: Run, where: dict[str, int | None]) -> None:
        self._run = run
        self._where = where

    def table(self, name: str) -> Table:
        """The rows of a table that are of this part."""
        whole = self._run.table(name)
        name = whole.name
        columns = [column.name for column in whole.columns]
        missing = [key for key in self._where if key not in columns]
        if missing:
            raise KeyError(f"the table {name!r} has no column {missing[0]!r}")
        tests = " AND ".join(
            f"{key} IS NULL" if value is None else f"{key} = {int(value)}" for key, value in self._where.items()
        )
        order = " ORDER BY start_ns, id" if {"start_ns", "id"} <= set(columns) else ""
        answer = self._run.sql(f'SELECT * FROM "{name}" WHERE {tests}{order}')
        return Table(name, whole.meaning, lambda: answer._cells, whole.columns)

    def slices(self) -> Table:
        """The recorded slices of this part by their start: those of the table `slice`."""
        return self.table("slice")

    def __repr__(self) -> str:
        place = ", ".join(f"{key} {value}" for key, value in self._where.items())
        return f"<{place} of {self._run.name}>"


class Step(_Part):
    """A step of a rank."""


class Rank(_Part):
    """A rank of a run."""

    @property
    def number(self) -> int | None:
        """Its number; None where no file says it."""
        return self._where["rank"]

    @property
    def steps(self) -> list[int]:
        """The numbers of its steps."""
        return self.table("steps")["step"].tolist()

    def step(self, number: int) -> Step:
        """One of its steps. Raises KeyError for another number."""
        if number not in self.steps:
            raise KeyError(f"rank {self.number} has no step {number}; it has {self.steps}")
        return Step(self._run, {**self._where, "step": number})
