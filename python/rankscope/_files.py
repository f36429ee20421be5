# SPDX-License-Identifier: GPL-3.0-or-later
"""Paths that are read, and files and frames that are written."""
from __future__ import annotations

import html
import os
from typing import Iterable, Union

from . import _native

PathLike = Union[str, "os.PathLike[str]"]
Paths = Union[PathLike, Iterable[PathLike]]
FRAME_HEIGHT = 620  # pixels of the first screen in a notebook


def paths_of(paths: Paths) -> list[str]:
    """One path or several as texts, with `~` replaced. `ssh://host/path` stays."""
    several = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    texts = [os.fspath(path) for path in several]
    if not texts:
        raise ValueError("name a trace file, a folder, an archive or a digest")
    return [os.path.expanduser(text) for text in texts]


def write_file(path: PathLike, text: str) -> None:
    """Writes a file that is complete or not there. Raises RankscopeError."""
    _native.write_file(os.path.abspath(os.path.expanduser(os.fspath(path))), text)


def frame_of(page: str) -> str:
    """An HTML page in a frame of its own, so that its style and that of a notebook do not mix."""
    return (
        f'<iframe srcdoc="{html.escape(page, quote=True)}" sandbox="allow-scripts" '
        f'style="width: 100%; height: {FRAME_HEIGHT}px; border: 0; resize: vertical"></iframe>'
    )
