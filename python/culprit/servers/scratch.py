# SPDX-License-Identifier: Apache-2.0
"""Folders of a server: one that stays, for what is made once, and one for each query, which goes with it.

    ~/.cache/culprit/servers/inductor-3f2a.../    of one environment, for this user alone
        queries/4711-4712/                        of the server 4711 and its child 4712
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
from pathlib import Path


class Scratch:
    def __init__(self, name: str, versions: dict[str, str]) -> None:
        cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
        # Kernels for other vector instructions are other kernels.
        key = repr((sys.prefix, sys.version, sorted(versions.items()), os.environ.get("ATEN_CPU_CAPABILITY")))
        digest = hashlib.sha256(key.encode()).hexdigest()[:16]
        self.folder = Path(cache) / "culprit" / "servers" / f"{name}-{digest}"
        self._queries = self.folder / "queries"
        self._queries.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.folder.chmod(0o700)

    def of_query(self, child: int, server: int) -> Path:
        return self._queries / f"{server}-{child}"

    def remove(self, child: int) -> None:
        shutil.rmtree(self.of_query(child, os.getpid()), ignore_errors=True)

    def sweep(self) -> None:
        """What servers left that were killed."""
        for folder in self._queries.iterdir():
            server = folder.name.partition("-")[0]
            if not Path("/proc", server).exists() or server == str(os.getpid()):
                shutil.rmtree(folder, ignore_errors=True)
