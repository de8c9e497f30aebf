# SPDX-License-Identifier: Apache-2.0
"""culprit.minify(path): what `culprit minify` does."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from culprit.jobs.command import run_command
from culprit.jobs.found import GraphResult


def minify(
    path: str | Path,
    *,
    out: str | Path = "culprit_runs",
    arguments: Sequence[str] = (),
    quiet: bool = False,
) -> GraphResult:
    """Makes a repro as small as possible that still fails in the way that it says.

    arguments: more of `culprit minify`, as in ["--max-time", "60"].
    """
    file = Path(path)
    words = ["minify", str(file), "--out", str(out), *arguments]
    return GraphResult(file.stem, file, run_command(words, quiet))
