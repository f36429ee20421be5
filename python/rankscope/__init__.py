# SPDX-License-Identifier: GPL-3.0-or-later
"""Shows from profiler traces where the steps of distributed PyTorch training spend their time.

    import rankscope as rk
    run = rk.open("traces/")     # files, folders, archives, digests, ssh://host/path
    run                          # the first screen
    run.verdict                  # what limits the step
    run.findings[0].explain()    # the most expensive problem: price, evidence, remedy, doubt
    run.steps.to_pandas()        # each table is an attribute
    run.sql("SELECT name, sum(dur_ns) FROM slice GROUP BY name").to_pandas()

Times are integer nanoseconds from the run's first instant, sizes are bytes. docs/python.md has more.
"""
from __future__ import annotations

from . import _native
from ._comparison import Comparison, compare
from ._digest import Digest, digest
from ._errors import ClosedError, QueryError, RankscopeError, RankscopeWarning, ReadError, SeveralRunsError
from ._finding import Evidence, Finding, Price, Remedy, Verdict
from ._forecast import Forecast
from ._parts import Rank, Step
from ._run import Run, open, open_all
from ._table import Column, Table

__version__: str = _native.version
__all__ = [
    "ClosedError",
    "Column",
    "Comparison",
    "Digest",
    "Evidence",
    "Finding",
    "Forecast",
    "Price",
    "QueryError",
    "Rank",
    "RankscopeError",
    "RankscopeWarning",
    "ReadError",
    "Remedy",
    "Run",
    "SeveralRunsError",
    "Step",
    "Table",
    "Verdict",
    "compare",
    "digest",
    "open",
    "open_all",
    "tables",
]


def tables() -> dict[str, str]:
    """All tables of a run: their names, and the meaning of their rows. `run.table(name).columns` has the columns."""
    return {name: meaning for name, meaning, _ in _native.tables()}
