# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import contextlib
import functools
import sys


@functools.cache
def say(text: str) -> None:
    """On standard error, once for each text, whatever has become of it."""
    with contextlib.suppress(AttributeError, OSError, ValueError):  # there is none, or it is closed
        sys.stderr.write(f"culprit: {text}\n")
