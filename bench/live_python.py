# SPDX-License-Identifier: Apache-2.0
"""What watching costs a call of a compiled graph, beside the same program without it: python bench/live_python.py [--quick]

All are called in turn, so that a busy machine slows all of them. PYTHONPATH has to have the package. With --quick there are
too few calls for figures.

Levels 0 to 2 may cost 20 microseconds and the copies of what the graph writes; level 3 writes each content once; level 4
may cost what eager, eager in float64 and the compiled graph cost together, and a tenth more.
"""

from __future__ import annotations

import itertools
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import torch

_IS_QUICK = "--quick" in sys.argv[1:]
_CALLS, _ROUNDS, _PAIRS = (5, 2, 1) if _IS_QUICK else (200, 20, 6)

Function = Callable[..., Any]
Call = Callable[[], Any]


def one_round(call: Call) -> float:
    start = time.perf_counter()
    for _ in range(_CALLS):
        call()
    return (time.perf_counter() - start) / _CALLS * 1e6


def in_turn(*calls: Call) -> list[float]:
    """Microseconds of a call of each; the medians."""
    rounds = [[one_round(call) for call in calls] for _ in range(_ROUNDS)]
    return [statistics.median(times) for times in zip(*rounds, strict=True)]


def pure(x: torch.Tensor) -> torch.Tensor:
    return (x * 2).relu() + 1


def writing(x: torch.Tensor) -> torch.Tensor:
    x.mul_(0.5)
    return x + 1


def heavy(x: torch.Tensor) -> torch.Tensor:
    for _ in range(4):
        x = (x @ x).tanh()
    return x


def fresh(function: Function) -> Function:
    """Dynamo keeps what it compiles by code."""
    return type(function)(function.__code__.replace(), globals())


def pairs(function: Function, level: int, x: torch.Tensor) -> Iterator[tuple[Function, Function]]:
    """Without us and watched, compiled. What was compiled is fast or slow by its place in memory."""
    for _ in range(_PAIRS):
        plain = torch.compile(fresh(function), backend="inductor")
        watched = torch.compile(fresh(function), backend="culprit", options={"level": level, "directory": _directory})
        plain(x), watched(x)
        yield plain, watched


def best(rows: list[list[float]]) -> list[float]:
    return [min(times) for times in zip(*rows, strict=True)]


def low_levels() -> None:
    print("\nlevel  program  without us  watched  more  copies alone")
    x = torch.randn(16, 16)
    for level in (0, 1, 2):
        for function in (pure, writing):
            copy = x.clone if function is writing and level > 0 else lambda: None
            plain, watched, copies = best([in_turn(partial(p, x), partial(w, x), copy) for p, w in pairs(function, level, x)])
            print(f"{level:5}  {function.__name__:7}  {plain:10.1f}  {watched:7.1f}  {watched - plain:4.1f}  {copies:12.1f}")


def level_3(x: torch.Tensor) -> None:
    count = itertools.count()

    def with_new_bytes(compiled: Function) -> Any:
        return compiled(x + next(count))

    def with_equal_bytes(compiled: Function) -> Any:
        return compiled(x)

    for name, call in (("equal", with_equal_bytes), ("new", with_new_bytes)):
        plain, watched = best([in_turn(partial(call, p), partial(call, w)) for p, w in pairs(pure, 3, x)])
        print(f"    3  {name:6}  {plain:10.1f}  {watched:7.1f}  {list(x.shape)}")


def level_4(function: Function, x: torch.Tensor) -> None:
    eager, float64 = partial(function, x), lambda: function(x.double())
    rows = [in_turn(partial(p, x), eager, float64, partial(w, x)) for p, w in pairs(function, 4, x)]
    *parts, watched = best(rows)
    times = "  ".join(f"{time:8.1f}" for time in (*parts, sum(parts), watched))
    print(f"    4  {function.__name__:7}  {times}  {watched / sum(parts):5.2f}  {list(x.shape)}")


def main() -> None:
    torch.set_num_threads(1)
    print("microseconds of a call")
    with torch.no_grad():
        low_levels()
        print("\nlevel  inputs  without us  watched")
        for size in (16, 512):
            level_3(torch.randn(size, size))
        print("\nlevel  program  compiled     eager   float64  together   watched  ratio")
        for function, size in ((pure, 16), (pure, 512), (heavy, 256)):
            level_4(function, torch.randn(size, size))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as _directory:
        main()
