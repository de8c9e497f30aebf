# SPDX-License-Identifier: Apache-2.0
"""The watcher, in C++ (src/python)."""

from collections.abc import Callable, Sequence
from enum import Enum
from typing import Any

import torch

class Refusal(Exception):
    """A graph that cannot be kept."""

class Point(Enum):
    capture = ...
    aot = ...

class CapturedGraph:
    """A graph of torch.fx, read from its text."""

    def __init__(self, name: str, text: str, constants: dict[str, torch.Tensor]) -> None: ...
    def add_tensor(self, sizes: Sequence[int], strides: Sequence[int], dtype: torch.dtype) -> None: ...
    def add_value(self, value: Any) -> None: ...
    def write(self, path: str, compiler: str, inputs: list[Any]) -> None:
        """As a repro without a failure."""

class LiveGraph:
    """What was compiled, watched."""

    _boxed_call: bool
    def __call__(self, inputs: list[Any]) -> tuple[Any, ...]: ...

class Program:
    """All graphs that are compiled with the same settings."""

    def __init__(
        self,
        captured: str,
        split: str,
        splits_graphs: bool,
        settings: Sequence[tuple[str, str]],
        rank: int,
        size: int,
    ) -> None: ...
    def compile(
        self,
        point: Point,
        graph: CapturedGraph,
        compile: Callable[[], Callable[..., Sequence[Any]]],
        draws_as_eager: bool,
        gives_gradients: bool,
        original: Callable[..., Sequence[Any]] | None,
    ) -> LiveGraph: ...
    def setting(self, name: str) -> str: ...
    def watches(self, point: Point) -> bool: ...
    def warn(self, text: str) -> None:
        """Once for each text."""
    @property
    def is_idle(self) -> bool:
        """Nothing is to be done with what is compiled."""

    @property
    def counters(self) -> dict[str, int]: ...

def settings() -> list[tuple[str, str, str]]:
    """Name, value and origin of each."""

def check_settings(settings: Sequence[tuple[str, str]]) -> None:
    """Raises ValueError for a name or value that is none."""

def close_records() -> None:
    """What is written before each call is removed: nothing has crashed."""

def set_requests(classes: tuple[type[BaseException], ...]) -> None:
    """Exceptions that are no errors of a compiler."""
