# SPDX-License-Identifier: GPL-3.0-or-later
"""The verdict and the findings of a run, as in the JSON report."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable


@dataclass(frozen=True)
class Price:
    """What a step would save without a problem. Lengths are nanoseconds per step."""

    saving_ns: int
    share: float
    """Of the median step, 0 to 1."""
    low_ns: int | None
    """The 95 % range of the mean saving of as many other steps; None if it does not vary."""
    high_ns: int | None
    is_upper_bound: bool

    def __str__(self) -> str:
        def ms(ns: int) -> str:
            return f"{ns / 1e6:.3g} ms"

        up_to = "up to " if self.is_upper_bound else ""
        text = f"{up_to}{ms(self.saving_ns)} per step ({100 * self.share:.0f} %)"
        if self.low_ns is None or self.high_ns is None:
            return text
        return f"{text}, 95 %: {ms(self.low_ns)} to {ms(self.high_ns)}"


@dataclass(frozen=True)
class Evidence:
    """A place that proves a finding. `start_ns` is from the run's first instant; None if no slice is recorded there."""

    rank: int | None
    step: int
    track: str | None
    slice: str | None
    start_ns: int | None
    duration_ns: int | None
    file: str | None
    byte_offset: int | None
    """Of the event in the uncompressed text of its file."""
    note: str


@dataclass(frozen=True)
class Remedy:
    """What to change, why it helps, and whether it is one line."""

    action: str
    detail: str
    brief: str
    is_quick: bool

    def __str__(self) -> str:
        return self.action


class Finding:
    """A problem of a run: what it is, what it costs, what proves it, what to do, and what is not certain."""

    def __init__(self, fields: dict[str, Any], explain: Callable[[], str]) -> None:
        self.fields = fields
        """All fields of the JSON report (docs/definitions)."""
        self._explain = explain

    @property
    def id(self) -> str:
        """The id of the problem: "dataloader-stall"."""
        return self.fields["id"]

    @property
    def title(self) -> str:
        """The cause in a few words."""
        return self.fields["title"]

    @property
    def text(self) -> str:
        """The cause in sentences, with its numbers."""
        return self.fields["why"]

    @property
    def summary(self) -> str:
        """The cause in one sentence."""
        return self.fields["summary"]

    @property
    def severity(self) -> str:
        """low, medium or high."""
        return self.fields["severity"]

    @property
    def confidence(self) -> str:
        """low, medium or high."""
        return self.fields["confidence"]

    @property
    def price(self) -> Price:
        """What a step would save without it."""
        limits = self.fields["saving_range"] or {"low_ns": None, "high_ns": None}
        return Price(
            self.fields["saving_ns"],
            self.fields["share"],
            limits["low_ns"],
            limits["high_ns"],
            self.fields["at_most"],
        )

    @property
    def evidence(self) -> list[Evidence]:
        """The places that prove it."""
        names = Evidence.__dataclass_fields__
        return [Evidence(**{name: place[name] for name in names}) for place in self.fields["evidence"]]

    @property
    def remedies(self) -> list[Remedy]:
        """What to change, the first first."""
        return [Remedy(one["action"], one["detail"], one["brief"], one["quick"]) for one in self.fields["remedies"]]

    @property
    def remedy(self) -> Remedy | None:
        """The first of `remedies`."""
        return next(iter(self.remedies), None)

    @property
    def doubt(self) -> list[str]:
        """What its confidence is based on, and what is not known: a sentence per reason."""
        return list(self.fields["why_confidence"])

    @property
    def steps(self) -> list[int]:
        """The numbers of the steps that it was seen in."""
        return list(self.fields["steps"])

    @property
    def ranks(self) -> list[int]:
        """The culprits, as positions among the ranks of the run (`id` in tables)."""
        return list(self.fields["ranks"])

    def explain(self) -> Explanation:
        """Text, price, remedies and evidence, as `rankscope-cli analyze --finding` prints them, then the doubt."""
        doubt = "".join(f"     Confidence {self.confidence}: {reason}\n" for reason in self.doubt)
        return Explanation(self._explain() + doubt)

    def __repr__(self) -> str:
        return f"<{self.id}: {self.title}, {self.price}>"


class Explanation(str):
    """A text of several lines that a prompt shows as lines."""

    def __repr__(self) -> str:
        return str(self)


class Verdict:
    """What limits the step of a run."""

    def __init__(self, fields: dict[str, Any]) -> None:
        self.fields = fields
        """All fields of the JSON report."""

    @property
    def bound(self) -> str | None:
        """What limits the step: "input-bound", "compute-bound"; None if that cannot be told."""
        return self.fields["bound"]

    @property
    def title(self) -> str:
        """The headline in a word or two."""
        return self.fields["headline"]["title"]

    @property
    def text(self) -> str:
        """The headline in a sentence or two."""
        return self.fields["headline"]["text"]

    @property
    def rule(self) -> str:
        """The shares of the step, and the rule that decided."""
        return self.fields["rule"]

    @property
    def shares(self) -> dict[str, float] | None:
        """The parts of the step along the critical path, each 0 to 1."""
        return self.fields["shares"]

    def __str__(self) -> str:
        return f"{self.title.upper()}  {self.text}"

    __repr__ = __str__
