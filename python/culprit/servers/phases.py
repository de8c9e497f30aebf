# SPDX-License-Identifier: Apache-2.0
"""In which part of a compiler something was thrown."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

_PHASE = "culprit_phase"


@contextlib.contextmanager
def phase(name: str) -> Iterator[None]:
    """What is thrown within was thrown in this phase, unless one within this one has it."""
    try:
        yield
    except Exception as error:
        if not hasattr(error, _PHASE):
            setattr(error, _PHASE, name)
        raise


def message_of(error: BaseException) -> str:
    """With the phase at the end of the first line."""
    name = getattr(error, _PHASE, None)
    first, newline, rest = str(error).partition("\n")
    return f"{first}{_mark(name)}{newline}{rest}" if name else str(error)


def without_phase(message: str) -> str:
    """As the compiler itself says it."""
    first, newline, rest = message.partition("\n")
    beginning, mark, _ = first.rpartition(_mark("")[:-1])
    return (beginning if mark else first) + newline + rest


def _mark(name: str) -> str:
    return f" [in {name}]"
