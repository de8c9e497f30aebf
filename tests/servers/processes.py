# SPDX-License-Identifier: Apache-2.0
"""Who is whose child, and who is still there."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from pathlib import Path


def children_of(pid: int) -> list[int]:
    found = []
    with contextlib.suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            found += [int(word) for word in (task / "children").read_text().split()]
    return found


def tree_of(pid: int) -> list[int]:
    """Parents before their children."""
    tree = [pid]
    for one in tree:
        tree += children_of(one)
    return tree


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def wait_for(what: Callable[[], bool], seconds: float) -> bool:
    end = time.monotonic() + seconds
    while not what():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True
