# SPDX-License-Identifier: GPL-3.0-or-later
"""Progress while runs are read: one line in a notebook or in a terminal."""
from __future__ import annotations

import html
import sys
from typing import Callable, Union

Progress = Union[bool, None, Callable[[str, int, int], None]]


def _text(stage: str, done: int, total: int) -> str:
    return f"{stage}: {100 * done // total} %" if total else stage


class _Line:
    """One line on standard error of a terminal."""

    def __init__(self) -> None:
        self._is_drawn = False

    def __call__(self, stage: str, done: int, total: int) -> None:
        print(f"\r\x1b[K{_text(stage, done, total)}", end="", file=sys.stderr, flush=True)
        self._is_drawn = True

    def close(self) -> None:
        if self._is_drawn:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


class _Bar:
    """A bar with its text; nothing without a stage."""

    def __init__(self, stage: str = "", done: int = 0, total: int = 0) -> None:
        self._text = stage and _text(stage, done, total)
        self._part = f"max='{total or 1}' value='{done}'"

    def __repr__(self) -> str:
        return self._text

    def _repr_html_(self) -> str:
        return self._text and f"<progress {self._part}></progress> {html.escape(self._text)}"


class _Cell:
    """One line in the output of a notebook's cell, emptied at the end."""

    def __init__(self, display: Callable) -> None:
        self._display = display
        self._handle = None

    def __call__(self, stage: str, done: int, total: int) -> None:
        bar = _Bar(stage, done, total)
        if self._handle is None:
            self._handle = self._display(bar, display_id=True)
        else:
            self._handle.update(bar)

    def close(self) -> None:
        if self._handle is not None:
            self._handle.update(_Bar())


class _Silent:
    """A function of the caller, or none."""

    def __init__(self, function: Callable[[str, int, int], None] | None) -> None:
        self.function = function

    def close(self) -> None:
        pass


def _in_notebook() -> bool:
    shell = sys.modules.get("IPython") and sys.modules["IPython"].get_ipython()
    return shell is not None and shell.__class__.__name__ == "ZMQInteractiveShell"


class Shown:
    """A context with the `function` that is called with (stage, done, total), or None."""

    def __init__(self, progress: Progress) -> None:
        if callable(progress):
            self._shown = _Silent(progress)
        elif progress is False:
            self._shown = _Silent(None)
        elif _in_notebook():
            from IPython.display import display

            self._shown = _Cell(display)
        elif progress is True or sys.stderr.isatty():
            self._shown = _Line()
        else:
            self._shown = _Silent(None)

    def __enter__(self) -> Callable[[str, int, int], None] | None:
        return self._shown.function if isinstance(self._shown, _Silent) else self._shown

    def __exit__(self, *_: object) -> None:
        self._shown.close()
