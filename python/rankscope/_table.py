# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables: numpy views of the columns, pandas, and Arrow."""
from __future__ import annotations

import contextlib
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Iterator

if TYPE_CHECKING:
    import numpy
    import pandas

    from ._native import Filled


_FIRST_VIEW = threading.Lock()
_seen: list[bool] = []


@dataclass(frozen=True)
class Column:
    """A column: its name, which ends in its unit (`_ns`, `_bytes`), its type and its meaning.

    The type is "int64", "float64" or "text".
    """

    name: str
    type: str
    meaning: str


class Table:
    """A table of a run, or the answer to a question.

    Its cells are read when they are first needed. From then on the table needs its run no longer. Times are integer
    nanoseconds from the run's first instant, on the run's clock; lengths are in nanoseconds too.
    """

    def __init__(
        self, name: str, meaning: str, fill: Callable[[], Filled], columns: list[Column] | None = None
    ) -> None:
        self.name = name
        self.meaning = meaning
        self._fill = fill
        self._filled: Filled | None = None
        self._declared = columns

    @property
    def _cells(self) -> Filled:
        if self._filled is None:
            filled = self._fill()
            # The first view of a process finds numpy, and other threads must not wait for that with Python's own lock.
            with _FIRST_VIEW:
                if filled.columns() and not _seen:
                    with contextlib.suppress(ImportError):  # without numpy there is Arrow
                        filled.values(0)
                    _seen.append(True)
            self._filled = filled
        return self._filled

    @property
    def columns(self) -> list[Column]:
        """The columns, in order."""
        if self._declared is not None and self._filled is None:
            return self._declared
        return [Column(name, type_, meaning) for name, type_, _, meaning in self._cells.columns()]

    def __len__(self) -> int:
        """The number of rows."""
        return self._cells.rows

    def __bool__(self) -> bool:
        return True  # a table is there, also without rows

    def _position(self, column: str) -> int:
        names = [one.name for one in self.columns]
        if column not in names:
            raise KeyError(f"the table {self.name!r} has no column {column!r}; it has {', '.join(names)}")
        return names.index(column)

    def valid(self, column: str) -> numpy.ndarray:
        """Whether each row has a value in this column: an array of bool."""
        import numpy

        bits = self._cells.validity(self._position(column))
        if bits is None:
            return numpy.ones(len(self), dtype=bool)
        return numpy.unpackbits(bits, bitorder="little", count=len(self)).astype(bool)

    def values(self, column: str) -> numpy.ndarray:
        """The values of a column.

        Of numbers a read-only view of the table's own memory, without a copy. A row without a value (`valid()`) has 0,
        of reals NaN. Of texts an array of `str`, with None in such rows.
        """
        position = self._position(column)
        values = self._cells.values(position)
        if self._cells.columns()[position][1] != "text":
            return values
        import numpy

        texts = numpy.array([*self._cells.texts(position), None], dtype=object)
        return texts[numpy.where(self.valid(column), values, len(texts) - 1)]

    def __getitem__(self, column: str) -> numpy.ndarray:
        """As `values()`."""
        return self.values(column)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Each row as a dict; None where it has no value."""
        names = [one.name for one in self.columns]
        for row in zip(*(self._objects(name) for name in names)):
            yield dict(zip(names, row))

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return self.rows()

    def _objects(self, column: str) -> list[Any]:
        values = self.values(column).tolist()
        valid = self.valid(column)
        return values if valid.all() else [value if ok else None for value, ok in zip(values, valid.tolist())]

    def to_pandas(self, *, categories: bool = False) -> pandas.DataFrame:
        """A DataFrame with the columns of the table.

        Columns of numbers are views of the table's memory, without a copy, and so read-only: call `.copy()` to change
        them. Whole numbers are int64, or Int64 with <NA> where a row has no value. Reals are float64 with NaN there.
        Texts are `str` with None; with `categories` they are a Categorical, which needs less memory.
        """
        import pandas

        series = {}
        for position, (name, type_, nulls, _) in enumerate(self._cells.columns()):
            if type_ == "text":
                column = self._categories(position) if categories else self.values(name)
            else:
                column = self._numbers(position, nulls)
            series[name] = pandas.Series(column, copy=False)
        return pandas.DataFrame(series, copy=False) if series else pandas.DataFrame(index=range(len(self)))

    def _numbers(self, position: int, nulls: int) -> Any:
        import pandas

        name, type_, _, _ = self._cells.columns()[position]
        values = self._cells.values(position)
        if type_ == "int64" and nulls:
            return pandas.arrays.IntegerArray(values, ~self.valid(name), copy=False)
        return values

    def _categories(self, position: int) -> pandas.Categorical:
        import numpy
        import pandas

        name = self._cells.columns()[position][0]
        codes = numpy.where(self.valid(name), self._cells.values(position), -1)
        return pandas.Categorical.from_codes(codes, self._cells.texts(position))

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """A PyCapsule with an Arrow stream of the rows, without a copy: for polars, pyarrow, duckdb and others."""
        return self._cells.arrow_stream()

    def __arrow_c_schema__(self) -> object:
        """A PyCapsule with the Arrow schema of the columns."""
        return self._cells.arrow_schema()

    def plot(self, y: str | None = None, x: str | None = None, by: str | None = None, ax: Any = None) -> Any:
        """Draws column `y` over column `x` with matplotlib, a line per value of column `by`. Returns the axes.

        Left out, `x` is the step if there is one, else the row; `y` is the first length, else the first number; `by`
        is the rank. Nanoseconds are drawn as milliseconds.
        """
        from matplotlib import pyplot

        names = [one.name for one in self.columns]
        numbers = [one.name for one in self.columns if one.type != "text"]
        x = x or ("step" if "step" in names else None)
        by = by or ("rank" if "rank" in names and x == "step" else None)
        y = y or next((name for name in ("duration_ns", "dur_ns") if name in names), None)
        y = y or next((name for name in numbers if name not in (x, by)), None)
        if y is None:
            raise ValueError(f"the table {self.name!r} has no number to draw")
        frame = self.to_pandas()
        is_time = y.endswith("_ns")
        frame = frame.assign(**{y: frame[y] / 1e6 if is_time else frame[y]})
        axes = ax if ax is not None else pyplot.subplots()[1]
        for key, part in [(None, frame)] if by is None else frame.groupby(by, dropna=False):
            label = None if by is None else f"{by} {key}"
            across = part[x] if x else range(len(part))
            axes.plot(across, part[y].astype(float), marker="o", markersize=3, label=label)
        axes.set_xlabel(x or "row")
        axes.set_ylabel(f"{y[:-3]}, ms" if is_time else y)
        axes.set_title(self.meaning or self.name)
        if by is not None and frame[by].nunique() <= 16:
            axes.legend()
        return axes

    def __repr__(self) -> str:
        names = ", ".join(one.name for one in self.columns)
        rows = "" if self._filled is None else f", {len(self)} rows"
        return f"<rankscope table {self.name}{rows}: {names}>"

    def _repr_html_(self) -> str:
        return self.to_pandas()._repr_html_()
