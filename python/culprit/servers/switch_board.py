# SPDX-License-Identifier: Apache-2.0
"""Which parts of a compiler are turned off: always, at the n-th application, or from the n-th on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class _Range:
    first: int
    last: int | None

    def covers(self, application: int) -> bool:
        return self.first <= application and (self.last is None or application <= self.last)


class SwitchBoard:
    """Counts the applications of each switch, from 1. One object serves one compilation."""

    def __init__(self, written: Sequence[str]) -> None:
        """As users write them behind `off=`: "fusion", "fusion@3", "fusion@3+"."""
        self._ranges: dict[str, list[_Range]] = {}
        self._applications: Counter[str] = Counter()
        for text in written:
            name, _, number = text.partition("@")
            self._ranges.setdefault(name, []).append(_read(number))

    def names(self, switch: str) -> bool:
        """Whether any application of it is off."""
        return switch in self._ranges

    def stops(self, switch: str) -> bool:
        """Whether this application of it is off. Counts it."""
        self._applications[switch] += 1
        application = self._applications[switch]
        return any(each.covers(application) for each in self._ranges.get(switch, ()))


def _read(number: str) -> _Range:
    if not number:
        return _Range(1, None)
    first = int(number.removesuffix("+"))
    return _Range(first, None if number.endswith("+") else first)
