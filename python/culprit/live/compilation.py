# SPDX-License-Identifier: Apache-2.0
"""The compilation that a thread is in, as PyTorch keeps it.

What was compiled is tried before Dynamo is done with it. A backward pass may compile then, which it does for a program
only when no compilation is under way; inside of one PyTorch takes it for a mistake in its own accounts.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch._dynamo.utils
import torch._guards

_State = list[dict[str, Any]]


class Compilation:
    """The one of this thread."""

    def __init__(self) -> None:
        self._state = _current()

    @contextmanager
    def aside(self) -> Iterator[None]:
        """As if there were none."""
        self._state = _current()
        _set([{} for _ in self._state])
        try:
            yield
        finally:
            _set(self._state)

    @contextmanager
    def resumed(self) -> Iterator[None]:
        """Inside of `aside`."""
        outside = _current()
        _set(self._state)
        try:
            yield
        finally:
            self._state = _current()
            _set(outside)


def _places() -> _State:
    """Contexts of tracing and compiling, measures, and what is being timed; those of the thread."""
    return [
        vars(torch._guards._TLS),
        vars(torch._dynamo.utils._metrics_context_tls),
        vars(torch._dynamo.utils.get_chromium_event_logger().tls),
    ]


def _current() -> _State:
    return [dict(place) for place in _places()]


def _set(state: _State) -> None:
    for place, values in zip(_places(), state, strict=True):
        place.clear()
        place.update(values)
