# SPDX-License-Identifier: GPL-3.0-or-later
"""What a step would take with changes."""
from __future__ import annotations

from typing import Any


class Forecast:
    """The priced step with changes. Times are nanoseconds."""

    def __init__(self, fields: dict[str, Any]) -> None:
        self._fields = fields

    @property
    def changes(self) -> list[str]:
        """The changes."""
        return str(self._fields["changes"]).split("; ")

    @property
    def step_ns(self) -> int:
        """The step today."""
        return int(self._fields["step_ns"])

    @property
    def forecast_ns(self) -> int:
        """The step with the changes."""
        return int(self._fields["forecast_ns"])

    @property
    def low_ns(self) -> int:
        """The lower end of its range, which holds the truth in 9 of 10 cases."""
        return int(self._fields["low_ns"])

    @property
    def high_ns(self) -> int:
        """The upper end of its range."""
        return int(self._fields["high_ns"])

    @property
    def at_most(self) -> bool:
        """Whether the saving is an upper bound."""
        return bool(self._fields["at_most"])

    @property
    def next_bound(self) -> str:
        """The largest part of the step then: compute, communication, copies or idle."""
        return str(self._fields["next_bound"])

    @property
    def parts(self) -> dict[str, int]:
        """The parts of the step then; they add up to `forecast_ns`."""
        names = ("compute_ns", "exposed_comm_ns", "exposed_copy_ns", "idle_ns", "added_ns")
        return {name: int(self._fields[name]) for name in names}

    def __repr__(self) -> str:
        return (
            f"<rankscope forecast with {', '.join(self.changes)}: {self.forecast_ns / 1e6:.3g} ms "
            f"({self.low_ns / 1e6:.3g} to {self.high_ns / 1e6:.3g}) instead of {self.step_ns / 1e6:.3g} ms>"
        )
