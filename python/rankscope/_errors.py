# SPDX-License-Identifier: GPL-3.0-or-later
"""Errors with the file, the byte and the cause."""
from __future__ import annotations


class RankscopeError(Exception):
    """Something that a file, a question or a call made impossible.

    `path` is the file or part that it is about, `byte_offset` the place in its uncompressed text, or in the question
    (None if unknown), and `cause` why. The text of the exception has all three.
    """

    def __init__(self, path: str, byte_offset: int | None = None, cause: str = "") -> None:
        place = path if byte_offset is None else f"{path}, byte {byte_offset}" if path else f"byte {byte_offset}"
        super().__init__(f"{place}: {cause}" if place else cause)
        self.path = path
        self.byte_offset = byte_offset
        self.cause = cause

    def __reduce__(self) -> tuple:
        return type(self), (self.path, self.byte_offset, self.cause)


class ReadError(RankscopeError):
    """Nothing could be read, or with `strict=True` not everything. `failures` has an error per file."""

    failures: list["ReadError"] = []


class SeveralRunsError(ReadError):
    """There are several runs where one is needed. `names` has their names."""

    names: list[str] = []


class QueryError(RankscopeError):
    """A question in SQL that cannot be answered."""


class ClosedError(RankscopeError):
    """The run is closed. Tables that were filled before can still be used."""


class RankscopeWarning(UserWarning):
    """What could not be read next to what was, and what else to know about a run."""
