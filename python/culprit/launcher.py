# SPDX-License-Identifier: Apache-2.0
"""`culprit` on the PATH: starts the program in C++, which needs the libtorch of this environment."""

from __future__ import annotations

import importlib.metadata
import os
import sys

from culprit.program import PROGRAM, environment

#: What the program was built with.
_TORCH = "2.13"
#: As docs and the program have it: the environment is to blame.
_EXIT_CODE = 4


def main() -> None:
    if problem := _problem():
        sys.stderr.write(f"culprit: error: {problem}\n  help: run: {sys.executable} -m pip install 'torch=={_TORCH}.*'\n")
        sys.exit(_EXIT_CODE)
    os.execve(PROGRAM, [str(PROGRAM), *sys.argv[1:]], environment())


def _problem() -> str | None:
    """Without importing PyTorch, which takes seconds."""
    try:
        version = importlib.metadata.version("torch")
    except importlib.metadata.PackageNotFoundError:
        return f"{sys.prefix} has no PyTorch, and Culprit needs {_TORCH}"
    if version != _TORCH and not version.startswith(f"{_TORCH}."):
        return f"{sys.prefix} has PyTorch {version}, and Culprit was built with {_TORCH}"
    return None
