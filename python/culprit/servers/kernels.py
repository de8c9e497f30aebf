# SPDX-License-Identifier: Apache-2.0
"""What the C++ compiler made of generated code is kept, and not made again of the same text.

Inductor itself runs for every query. It names a library after the hash of its code and of the command that
compiles it, so a name stands for one content. A file appears complete or not at all, whoever is killed.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

from torch._inductor.cpp_builder import CppBuilder

_MOST_BYTES = 512 << 20


class Kernels:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with contextlib.suppress(FileNotFoundError):  # another server sweeps, too
            self._sweep()

    @contextlib.contextmanager
    def used(self) -> Iterator[None]:
        build = CppBuilder.build

        def build_once(builder: CppBuilder) -> None:
            target = Path(builder.get_target_file_path())
            if target.suffix != ".so":
                build(builder)
                return
            with self._alone(target.name):
                if not self._take(target):
                    build(builder)
                    self._keep(target)

        with mock.patch.object(CppBuilder, "build", build_once):
            yield

    @contextlib.contextmanager
    def _alone(self, name: str) -> Iterator[None]:
        """Of queries side by side one compiles, and the others wait for what it makes."""
        with contextlib.ExitStack() as held:
            with contextlib.suppress(OSError):  # a full disk is no failure of the compiler
                lock = held.enter_context(open(self._folder / f"{name}.lock", "w"))
                fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _take(self, target: Path) -> bool:
        kept = self._folder / target.name
        try:
            os.utime(kept)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(kept, target)
        except FileNotFoundError:
            return False
        return True

    def _keep(self, target: Path) -> None:
        with contextlib.suppress(OSError):  # a full disk is no failure of the compiler
            descriptor, name = tempfile.mkstemp(dir=self._folder)
            with os.fdopen(descriptor, "wb") as copy:
                copy.write(target.read_bytes())
                os.fsync(copy.fileno())
            os.replace(name, self._folder / target.name)

    def _sweep(self) -> None:
        """Those that were used last stay."""
        files = sorted(((path.stat().st_mtime, path) for path in self._folder.iterdir()), reverse=True)
        total = 0
        for _, path in files:
            total += path.stat().st_size
            if total > _MOST_BYTES or path.suffix != ".so":
                path.unlink(missing_ok=True)
