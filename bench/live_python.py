# SPDX-License-Identifier: Apache-2.0
"""What watching costs a call of a compiled graph, beside the same program without it: python bench/live_python.py

The two are called in turn, so that a busy machine slows both. PYTHONPATH has to have the package.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

import torch

_CALLS = 200
_ROUNDS = 20
_PAIRS = 6


def one_round(compiled: Callable[[torch.Tensor], Any], x: torch.Tensor) -> float:
    start = time.perf_counter()
    for _ in range(_CALLS):
        compiled(x)
    return (time.perf_counter() - start) / _CALLS * 1e6


def in_turn(first: Any, second: Any, x: torch.Tensor) -> tuple[float, float]:
    """Microseconds of a call; the medians."""
    times = [(one_round(first, x), one_round(second, x)) for _ in range(_ROUNDS)]
    return statistics.median(t for t, _ in times), statistics.median(t for _, t in times)


def program(x: torch.Tensor) -> torch.Tensor:
    return (x * 2).relu() + 1


def fresh() -> Callable[[torch.Tensor], torch.Tensor]:
    """Dynamo keeps what it compiles by code."""
    return type(program)(program.__code__.replace(), globals())


def pair(level: int, x: torch.Tensor) -> tuple[float, float]:
    plain = torch.compile(fresh(), backend="inductor")
    watched = torch.compile(fresh(), backend="culprit", options={"level": level})
    plain(x), watched(x)
    return in_turn(plain, watched, x)


def main() -> None:
    torch.set_num_threads(1)
    x = torch.randn(16, 16)
    print("level  without us  watched us  more us")
    with torch.no_grad():
        for level in range(5):
            # What was compiled is fast or slow by its place in memory, with and without a watcher.
            pairs = [pair(level, x) for _ in range(_PAIRS)]
            without, seen = (min(times) for times in zip(*pairs, strict=True))
            print(f"{level:5}  {without:10.1f}  {seen:10.1f}  {seen - without:7.1f}")


if __name__ == "__main__":
    main()
