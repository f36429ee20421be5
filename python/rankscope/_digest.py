# SPDX-License-Identifier: GPL-3.0-or-later
"""Digests: small files that are read in place of traces."""
from __future__ import annotations

import os
import warnings
from dataclasses import dataclass

from . import _native
from ._errors import RankscopeWarning, ReadError
from ._files import PathLike, Paths, paths_of
from ._progress import Progress, Shown


@dataclass(frozen=True)
class Digest:
    """A digest that was made: its path in the folder, and whether it was there already."""

    label: str
    was_up_to_date: bool
    ranks: int
    bytes: int
    json_bytes: int
    """Of the trace, unpacked."""


def digest(paths: Paths, folder: PathLike, *, jobs: int = 0, progress: Progress = None) -> list[Digest]:
    """Makes digests of the traces at `paths` in `folder`, as `rankscope-cli digest` does.

    Digests are small files that rankscope reads in place of the traces. One that is there and up to date stays. `jobs`
    are made at once; 0: one per core.
    """
    texts = paths_of(paths)
    with Shown(progress) as function:
        made = _native.digest(texts, os.fspath(folder), jobs, function)
    failures = [ReadError(*error) for *_, error in made if error is not None]
    done = [Digest(*fields) for *fields, error in made if error is None]
    if not done:
        nothing = (", ".join(texts), None, "there are no traces to digest")
        error = ReadError(*(made[0][-1] if failures else nothing))
        error.failures = failures
        raise error
    for failure in failures:
        warnings.warn(str(failure), RankscopeWarning, stacklevel=2)
    return done
